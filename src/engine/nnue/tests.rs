use super::kernels::{Chunk, InputDelta, available};
use super::*;
use crate::{Color, Square};
use proptest::prelude::*;
use std::sync::Arc;

/// Numbers that only look like chance, between `-most` and `most`.
fn numbers(seed: u64, most: i16) -> impl Iterator<Item = i16> {
    let mut state = seed;
    std::iter::repeat_with(move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let width = 2 * u64::from(most.unsigned_abs()) + 1;
        (((z ^ (z >> 31)) % width) as i32 - i32::from(most)) as i16
    })
}

/// A network that has learned nothing.
fn untaught(hidden: usize, seed: u64) -> Weights {
    let take = |seed: u64, count: usize, most: i16| numbers(seed, most).take(count).collect();
    let mut bias = numbers(seed + 3, 9000);
    Weights {
        inputs: take(seed, INPUTS * hidden, 120),
        input_bias: take(seed + 1, hidden, 120),
        outputs: take(seed + 2, BUCKETS * 2 * hidden, 60),
        output_bias: std::array::from_fn(|_| i32::from(bias.next().unwrap_or(0))),
    }
}

fn network(seed: u64) -> Network {
    Network::new(&untaught(128, seed), "by a test").unwrap()
}

/// The definition, sum by sum, in wide integers.
fn by_definition(weights: &Weights, position: &Position) -> Value {
    let hidden = weights.input_bias.len();
    let units = |side: Color| -> Vec<i64> {
        let perspective = Perspective::new(side, position.king(side));
        (0..hidden)
            .map(|unit| {
                let inputs = perspective.inputs(position.board());
                let sum: i64 = inputs
                    .map(|input| i64::from(weights.inputs[input * hidden + unit]))
                    .sum();
                (sum + i64::from(weights.input_bias[unit])).clamp(0, 255)
            })
            .collect()
    };
    let bucket = bucket(position.board().occupied().count() as usize);
    let row = &weights.outputs[bucket * 2 * hidden..][..2 * hidden];
    let all = units(position.turn()).into_iter().chain(units(!position.turn()));
    let sum: i64 = all
        .zip(row)
        .map(|(unit, &weight)| unit * unit * i64::from(weight))
        .sum();
    ((sum / 255 + i64::from(weights.output_bias[bucket])) * 400 / (255 * 64)) as Value
}

/// Positions of a game of moves by chance.
fn game(seed: u64, plies: usize) -> Vec<Position> {
    let mut positions = vec![Position::start()];
    let mut chance = numbers(seed, i16::MAX).map(|number| usize::from(number.unsigned_abs()));
    for _ in 0..plies {
        let here = positions[positions.len() - 1];
        let moves = here.legal_moves();
        if moves.is_empty() {
            break;
        }
        positions.push(here.play(moves[chance.next().unwrap() % moves.len()]));
    }
    positions
}

#[test]
fn it_is_what_the_definition_says_wherever_the_search_comes_from() {
    let weights = untaught(128, 7);
    let network = Arc::new(Network::new(&weights, "").unwrap());
    let mut accumulators = Accumulators::new(Arc::clone(&network));
    let mut jumps = numbers(1, i16::MAX);
    let (mut different, mut negative) = (std::collections::BTreeSet::new(), 0);
    for seed in 0..20 {
        for position in game(seed, 160) {
            // Any ply will do, so any order of a search will.
            let ply = usize::from(jumps.next().unwrap().unsigned_abs()) % 12;
            let value = accumulators.value(&position, ply);
            assert_eq!(value, by_definition(&weights, &position), "{position:?}");
            assert_eq!(value, network.value(&position), "{position:?}");
            different.insert(value);
            negative += usize::from(value < 0);
        }
    }
    assert!(
        different.len() > 500 && negative > 100,
        "the values say too little: {}",
        different.len()
    );
}

#[test]
fn the_other_side_in_a_mirror_sees_the_same() {
    let mut accumulators = Accumulators::new(Arc::new(network(3)));
    let mut value = |fen: &str| accumulators.value(&Position::from_fen(fen).unwrap(), 5);
    let here = value("r3k3/1pp2n2/8/4P3/8/2N5/PP3B2/4K2R w - - 0 1");
    assert_ne!(here, 0);
    assert_eq!(here, value("4k2r/pp3b2/2n5/8/4p3/8/1PP2N2/R3K3 b - - 0 1"), "ranks");
    assert_eq!(here, value("3k3r/2n2pp1/8/3P4/8/5N2/2B3PP/R2K4 w - - 0 1"), "files");
}

#[test]
fn a_king_on_the_right_wing_looks_to_the_left() {
    let [e1, d1] = [Square::E1, Square::at(3, 0)];
    let pawn = |square| crate::board::Board::piece_at(Position::start().board(), square).unwrap();
    let a2 = Square::at(0, 1);
    let h2 = Square::at(7, 1);
    assert_eq!(Perspective::new(Color::White, d1).input(pawn(a2), a2), 8);
    assert_eq!(Perspective::new(Color::White, e1).input(pawn(a2), a2), 15);
    assert_eq!(Perspective::new(Color::White, e1).input(pawn(h2), h2), 8);
    // White's pawn on a2 is the opponent's on the seventh rank for Black.
    assert_eq!(Perspective::new(Color::Black, d1).input(pawn(a2), a2), 384 + 48);
}

#[test]
fn a_file_says_what_the_network_was() {
    let network = network(5);
    let bytes = network.to_bytes();
    assert_eq!(Network::from_bytes(&bytes), Ok(network.clone()));
    assert_eq!(network.made(), "by a test");
    assert_eq!(network.hidden(), 128);
}

#[test]
fn the_network_that_comes_with_the_program_is_whole_and_small() {
    let network = Network::embedded().expect("src/engine/nnue/torres.tnet is no network");
    assert!(network.made().contains("positions"), "it does not say how it was made");
    assert!(network.to_bytes().len() <= 1_500_000);
    // A queen more is worth something, and it knows whose it is.
    let value = |fen: &str| network.value(&Position::from_fen(fen).unwrap());
    assert!(value("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") > 400);
    assert!(value("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1") < -400);
}

#[test]
fn what_is_damaged_or_foreign_is_refused_with_its_reason() {
    let bytes = network(5).to_bytes();
    for at in (0..bytes.len()).step_by(997).chain(0..64) {
        let mut other = bytes.clone();
        other[at] ^= 0x10;
        assert!(Network::from_bytes(&other).is_err(), "byte {at} does not count");
    }
    let with = |at: usize, value: u8| {
        let mut other = bytes.clone();
        other[at] = value;
        Network::from_bytes(&other).unwrap_err()
    };
    assert_eq!(with(0, b'X'), NetworkError::Foreign);
    assert_eq!(
        with(4, 2),
        NetworkError::OtherKind {
            format: 2,
            architecture: 1
        }
    );
    assert_eq!(with(6, 1), NetworkError::Size { hidden: 1, buckets: 8 });
    assert_eq!(
        with(8, 4),
        NetworkError::Size {
            hidden: 128,
            buckets: 4
        }
    );
    assert_eq!(with(40, bytes[40] ^ 1), NetworkError::Damaged);
    let cut = Network::from_bytes(&bytes[..bytes.len() - 1]);
    assert!(matches!(cut, Err(NetworkError::Length { .. })), "{cut:?}");
    for length in [0, 3, 15, 16] {
        assert!(Network::from_bytes(&bytes[..length]).is_err());
    }
}

#[test]
fn weights_whose_sums_would_not_be_exact_are_refused() {
    let refused = |change: &dyn Fn(&mut Weights)| {
        let mut weights = untaught(256, 1);
        change(&mut weights);
        Network::new(&weights, "").is_err()
    };
    assert!(!refused(&|_| {}));
    // 32 men at 1,100 each leave 16 bits.
    assert!(refused(&|weights| weights
        .inputs
        .iter_mut()
        .step_by(256)
        .take(32)
        .for_each(|weight| *weight = 1100)));
    assert!(refused(&|weights| weights.input_bias[5] = -32_000));
    assert!(refused(&|weights| weights.outputs[3] = -129));
    // 512 units of 1.0 at 2.0 each leave 32 bits.
    assert!(refused(&|weights| weights.outputs.fill(128)));
    assert!(refused(&|weights| weights.output_bias[2] = i32::MIN));
    assert!(refused(&|weights| weights.inputs.truncate(5)));
}

proptest! {
    #[test]
    fn every_instruction_set_gives_the_same_to_the_last_bit(
        seed in any::<u64>(),
        chunks in 1_usize..9,
        added in 0_usize..32,
        removed in 0_usize..32,
        on_another in any::<bool>(),
    ) {
        let chunked = |seed: u64, count: usize, most: i16| {
            let all: Vec<i16> = numbers(seed, most).take(count * kernels::LANES).collect();
            Chunk::all(&all)
        };
        let rows = chunked(seed, INPUTS * chunks, 500);
        let base = chunked(seed ^ 1, chunks, 500);
        let target = chunked(seed ^ 2, chunks, 500);
        let weights = chunked(seed ^ 3, 2 * chunks, 128);
        let mut delta = InputDelta::NONE;
        let mut inputs = numbers(seed ^ 4, i16::MAX).map(|number| usize::from(number.unsigned_abs()) % INPUTS);
        inputs.by_ref().take(added).for_each(|input| delta.add(input));
        inputs.by_ref().take(removed).for_each(|input| delta.remove(input));

        let run = |kernels: &kernels::Kernels| {
            let mut target = target.clone();
            // SAFETY: `available` names copies for instruction sets that this processor has.
            unsafe { (kernels.update)(&mut target, on_another.then_some(&base), &rows, &delta) };
            // SAFETY: as above.
            let sum = unsafe { (kernels.activated_sum)(&target, &base, &weights) };
            (target, sum)
        };
        let all = available();
        let expected = run(&all[all.len() - 1]);
        for kernels in &all {
            prop_assert_eq!(&run(kernels), &expected, "{}", kernels.name);
        }
    }
}
