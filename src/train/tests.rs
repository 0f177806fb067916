use crate::checkpoint::Checkpoint;
use crate::example::Target;
use crate::kernel::{Errors, Kernel, Stray};
use crate::learner::{Learner, State};
use crate::parameters::{LANES, Parameters};
use crate::quantised::quantised;
use crate::source::Source;
use crate::{Point, Run, Settings, Sum, TrainError};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use torres_data::random::SplitMix;
use torres_data::shuffle::shuffle;
use torres_data::{GameFile, Outcome, Record};
use torres_engine::nnue::{BUCKETS, INPUTS, Network, Perspective, SCALE, Weights};
use torres_engine::{Color, Position, Role};

/// Material in pawns, White's minus Black's.
fn material(position: &Position) -> i32 {
    let board = position.board();
    let of = |color| -> i32 {
        let values = [1, 3, 3, 5, 9, 0];
        let count = |role: Role| (board.role(role) & board.color(color)).count() as i32;
        Role::ALL
            .iter()
            .zip(values)
            .map(|(&role, value)| value * count(role))
            .sum()
    };
    of(Color::White) - of(Color::Black)
}

/// Positions of games of moves by chance: scored by their material, and won where that is three pawns or more.
pub(super) fn games(seed: u64, count: usize) -> Vec<Vec<Record>> {
    let mut random = SplitMix(seed);
    let mut game = || {
        let mut position = Position::start();
        let mut records = Vec::new();
        for _ in 0..200 {
            let moves = position.legal_moves();
            if moves.is_empty() || position.halfmove_clock() >= 100 {
                break;
            }
            position = position.play(moves[random.below(moves.len())]);
            let pawns = material(&position);
            let outcome = match pawns {
                3.. => Outcome::WhiteWins,
                ..=-3 => Outcome::BlackWins,
                _ => Outcome::Draw,
            };
            records.push(Record::new(&position, (100 * pawns) as i16, outcome));
        }
        records
    };
    (0..count).map(|_| game()).collect()
}

pub(super) fn positions(seed: u64, games_count: usize) -> Vec<Record> {
    games(seed, games_count).concat()
}

/// The network's output by the definition, in wide numbers, straight from the position. `parameter` is the row and lane
/// of one parameter and what is added to it.
fn output(network: &Parameters, position: &Position, (row, lane, more): (usize, usize, f64)) -> f64 {
    let number = |r: usize, l: usize| f64::from(network.rows[r].0[l]) + if (r, l) == (row, lane) { more } else { 0.0 };
    let board = position.board();
    let turn = position.turn();
    let bucket = (board.occupied().count() as usize - 2) / 4;
    let mut output = number(network.output_bias(), bucket);
    for (side, view) in [turn, !turn].into_iter().enumerate() {
        let mirror = if position.king(view).index() % 8 >= 4 { 7 } else { 0 };
        let flip = if view == Color::Black { 56 } else { 0 };
        for unit in 0..network.hidden() {
            let (slice, lane) = (unit / LANES, unit % LANES);
            let mut sum = number(network.bias(slice), lane);
            for square in board.occupied() {
                let piece = board.piece_at(square).unwrap();
                let relative = if piece.color == view { 0 } else { 384 };
                let input = relative + 64 * piece.role as usize + (square.index() ^ flip ^ mirror);
                sum += number(network.inputs(slice) + input, lane);
            }
            let active = sum.clamp(0.0, 1.0);
            output += number(network.output(bucket, side, slice), lane) * active * active;
        }
    }
    output
}

/// The squared error of one position, by the definition.
fn squared_error(network: &Parameters, record: &Record, nudge: (usize, usize, f64)) -> f64 {
    let (scale, result_share) = (f64::from(TARGET.scale), f64::from(TARGET.result_share));
    let position = record.position().unwrap();
    let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
    let (score, points) = (
        f64::from(record.score()) / scale,
        f64::from(record.outcome().unwrap().white_points()),
    );
    let (score, points) = match position.turn() {
        Color::White => (score, points),
        Color::Black => (-score, 1.0 - points),
    };
    let target = (1.0 - result_share) * sigmoid(score) + result_share * points;
    (sigmoid(output(network, &position, nudge)) - target).powi(2)
}

const TARGET: Target = Target {
    scale: 300.0,
    result_share: 0.25,
};

/// Scores alone.
const SCORES: Target = Target {
    scale: 400.0,
    result_share: 0.0,
};

const NOTHING: (usize, usize, f64) = (0, 0, 0.0);

/// Large enough weights that units are empty, between and full.
fn lively(seed: u64) -> Parameters {
    let mut network = Parameters::random(64, seed);
    let mut random = SplitMix(seed + 1);
    for row in &mut network.rows {
        for weight in &mut row.0 {
            *weight = *weight * 3.0 + (random.below(1000) as f32 - 500.0) / 10_000.0;
        }
    }
    network
}

#[test]
fn gradients_are_what_finite_differences_say() {
    let network = lively(3);
    let records = positions(5, 6);
    let chosen: Vec<Record> = records.iter().step_by(records.len() / 12).copied().collect();
    let definition = |nudge| -> f64 { chosen.iter().map(|r| squared_error(&network, r, nudge)).sum() };
    let whole = definition(NOTHING);
    for kernel in Kernel::all() {
        let mut gradient = Parameters::zero(64);
        let errors = kernel.learn(&network, &chosen, TARGET, &mut gradient).unwrap();
        assert!(
            (errors.target - whole).abs() < 1e-5 * whole,
            "{kernel:?}: {errors:?}, {whole}"
        );
        assert_eq!(kernel.judge(&network, &chosen, TARGET), Ok(errors));

        // Some of each kind: inputs, biases of the units, weights and biases of the outputs.
        let kinds = [
            0..network.bias(0),
            network.bias(0)..network.output(0, 0, 0),
            network.output(0, 0, 0)..network.output_bias(),
            network.output_bias()..network.output_bias() + 1,
        ];
        let mut random = SplitMix(11);
        for (kind, rows) in kinds.into_iter().enumerate() {
            let mut not_zero = 0;
            for _ in 0..60 {
                let row = rows.start + random.below(rows.len());
                let lane = random.below(if kind == 3 { BUCKETS } else { LANES });
                let width = 1e-5;
                let difference = (definition((row, lane, width)) - definition((row, lane, -width))) / (2.0 * width);
                let told = f64::from(gradient.rows[row].0[lane]);
                let most = 2e-6 + 1e-4 * difference.abs();
                assert!(
                    (told - difference).abs() < most,
                    "{kernel:?}, row {row}, {lane}: {told}, {difference}"
                );
                not_zero += usize::from(difference != 0.0);
            }
            assert!(not_zero > 5, "kind {kind}: {not_zero} say something");
        }
    }
}

#[test]
fn every_kernel_and_any_number_of_threads_come_to_the_same_bits() {
    let records = positions(7, 60);
    let taught = |kernel, threads, size| {
        let mut state = State::new(Parameters::random(128, 1));
        let mut learner = Learner::on(kernel, 128, threads);
        let mut told = Vec::new();
        for batch in records.chunks(size) {
            told.push(learner.learn(&mut state, batch, 0.01, TARGET).unwrap());
        }
        told.push(learner.judge(&state.parameters, &records, TARGET).unwrap());
        (state, told)
    };
    // One part, some, and as many as there can be; the last batch is the rest.
    assert!(records.len() > 8 * 1024 + 300, "{}", records.len());
    for size in [500, 3000, 8 * 1024 + 100] {
        let (one, errors) = taught(Kernel::all()[0], 1, size);
        assert_ne!(one.parameters, Parameters::random(128, 1));
        for kernel in Kernel::all() {
            for threads in [1, 2, 5, 12] {
                let (other, told) = taught(kernel, threads, size);
                assert!(
                    other == one && told == errors,
                    "{kernel:?} on {threads} threads, batches of {size}"
                );
            }
        }
    }
}

#[test]
fn it_learns_to_count_material() {
    let (learn, apart) = (positions(1, 120), positions(2, 12));
    let mut state = State::new(Parameters::random(64, 1));
    let mut learner = Learner::new(64, 2);
    let mean = |errors: Errors, count: usize| errors.target / count as f64;
    let before = mean(learner.judge(&state.parameters, &apart, SCORES).unwrap(), apart.len());
    let mut order = learn;
    let mut random = SplitMix(4);
    for _ in 0..6 {
        random.shuffle(&mut order);
        for batch in order.chunks(128) {
            learner.learn(&mut state, batch, 0.002, SCORES).unwrap();
        }
    }
    let after = mean(learner.judge(&state.parameters, &apart, SCORES).unwrap(), apart.len());
    assert!(after < before / 8.0, "{before} before, {after} after");

    // And orders positions, seen by White whoever is to move.
    let value = |record: &Record| {
        let position = record.position().unwrap();
        let output = output(&state.parameters, &position, NOTHING);
        if position.turn() == Color::White {
            output
        } else {
            -output
        }
    };
    let (mut pairs, mut right) = (0, 0);
    for pair in apart.windows(40).step_by(7) {
        let (one, other) = (&pair[0], &pair[39]);
        if one.score() - other.score() >= 200 || other.score() - one.score() >= 200 {
            pairs += 1;
            right += usize::from((value(one) > value(other)) == (one.score() > other.score()));
        }
    }
    assert!(pairs > 50 && right * 100 >= pairs * 95, "{right} of {pairs}");
}

/// The engine's formula (`torres_engine::nnue`), sum by sum, in wide integers.
fn in_centipawns(weights: &Weights, position: &Position) -> i64 {
    let hidden = weights.input_bias.len();
    let (board, turn) = (position.board(), position.turn());
    let bucket = (board.occupied().count() as usize - 2) / 4;
    let mut sum = 0;
    for (side, view) in [turn, !turn].into_iter().enumerate() {
        let inputs: Vec<usize> = Perspective::new(view, position.king(view)).inputs(board).collect();
        for unit in 0..hidden {
            let rows: i64 = inputs
                .iter()
                .map(|input| i64::from(weights.inputs[input * hidden + unit]))
                .sum();
            let unit_sum = (rows + i64::from(weights.input_bias[unit])).clamp(0, 255);
            sum += unit_sum * unit_sum * i64::from(weights.outputs[(bucket * 2 + side) * hidden + unit]);
        }
    }
    (sum / 255 + i64::from(weights.output_bias[bucket])) * 400 / (255 * 64)
}

/// Positions of games by chance, and a network that has learned something from others.
#[test]
fn in_whole_numbers_a_network_says_nearly_the_same() {
    for scale in [400.0, 150.0] {
        let target = Target {
            scale,
            result_share: 0.3,
        };
        let mut state = State::new(Parameters::random(64, 1));
        let mut learner = Learner::new(64, 2);
        let records = positions(1, 60);
        for batch in (0..6).flat_map(|_| records.chunks(128)) {
            learner.learn(&mut state, batch, 0.002, target).unwrap();
        }
        let weights = quantised(&state.parameters, scale);
        let (mut most, mut squares, mut size, mut count) = (0.0_f64, 0.0, 0.0_f64, 0);
        for record in positions(2, 8).iter().step_by(5) {
            let position = record.position().unwrap();
            let float = f64::from(scale) * output(&state.parameters, &position, NOTHING);
            let difference = in_centipawns(&weights, &position) as f64 - float;
            most = most.max(difference.abs());
            size = size.max(float.abs());
            squares += difference * difference;
            count += 1;
        }
        let mean = (squares / f64::from(count)).sqrt();
        // An output weight is wrong by 1/128 at most: 3 centipawns for each unit that is full.
        assert!(
            mean < 12.0 && most < 40.0 && size > 300.0,
            "{mean} of {size}, at most {most}"
        );
    }
}

#[test]
fn what_is_no_position_is_named_with_its_place() {
    let mut records = positions(1, 1);
    records.truncate(40);
    let mut bytes = *records[33].bytes();
    bytes[30] = 3;
    records[33] = Record::from_bytes(bytes);
    for threads in [1, 4] {
        let mut learner = Learner::new(64, threads);
        let mut state = State::new(Parameters::random(64, 1));
        assert_eq!(learner.judge(&state.parameters, &records, SCORES), Err(Stray(33)));
        assert_eq!(learner.learn(&mut state, &records, 0.1, SCORES), Err(Stray(33)));
    }
}

/// A shuffled file of some games in a folder, and the file that it was made from.
fn files(folder: &Path, name: &str, seed: u64, count: usize) -> (PathBuf, PathBuf) {
    let (of_games, shuffled) = (folder.join(format!("{name}.games")), folder.join(name));
    let mut file = GameFile::open(&of_games, seed).unwrap();
    for (number, records) in games(seed, count).into_iter().enumerate() {
        file.append(number as u32, records).unwrap();
    }
    shuffle(std::slice::from_ref(&of_games), &shuffled, 1, 1 << 30).unwrap();
    (shuffled, of_games)
}

const SETTINGS: Settings = Settings {
    hidden: 64,
    epochs: 3,
    batch: 100,
    rate: 0.001,
    target: TARGET,
    value_factor: 1.0,
    seed: 9,
    every: 7,
};

fn learn(run: &mut Run, threads: usize, until: u64) {
    let stopped = AtomicBool::new(run.done() >= until);
    run.go_on(threads, &stopped, |progress| {
        stopped.store(progress.batch >= until, Ordering::Relaxed);
    })
    .unwrap();
}

#[test]
fn a_run_that_is_stopped_again_and_again_comes_to_the_same_as_one_that_is_not() {
    let folder = torres_fuzz::folder();
    let (learned, _) = files(folder.path(), "learned", 1, 10);
    let (_, apart) = files(folder.path(), "apart", 2, 2);
    let open = |name: &str| {
        let checkpoint = folder.path().join(name);
        Run::open(SETTINGS, None, std::slice::from_ref(&learned), Some(&apart), checkpoint).unwrap()
    };
    let mut whole = open("whole");
    learn(&mut whole, 1, u64::MAX);
    let (positions, _) = whole.positions();
    assert_eq!(whole.done(), positions * 3 / 100);
    assert_eq!(whole.curve().last().map(|point| point.batch), Some(whole.done()));
    assert!(whole.curve().len() as u64 == whole.done().div_ceil(7) && whole.curve()[0].judged.is_some());

    // The last time there is nothing left to do.
    for until in [1, 5, 7, 8, 30, u64::MAX, u64::MAX] {
        let mut part = open("part");
        learn(&mut part, 1 + until as usize % 3, until);
        assert_eq!(part.done(), until.min(whole.done()));
    }
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert!(read("part") == read("whole"));

    // One of another seed learns something else, and what is asked otherwise is refused.
    let other = Settings { seed: 10, ..SETTINGS };
    let asked = |name: &str| {
        let checkpoint = folder.path().join(name);
        Run::open(other, None, std::slice::from_ref(&learned), Some(&apart), checkpoint)
    };
    let error = asked("whole").err().unwrap().to_string();
    assert!(error.contains("seed 9") && error.contains("seed 10"), "{error}");
    let mut another = asked("another").unwrap();
    learn(&mut another, 2, u64::MAX);
    assert_ne!(another.network(), whole.network());
}

#[test]
fn a_value_factor_makes_values_narrower_and_teaches_the_same() {
    let folder = torres_fuzz::folder();
    let (learned, _) = files(folder.path(), "learned", 1, 10);
    let run_of = |value_factor: f32, from: Option<&Network>| {
        let settings = Settings {
            value_factor,
            ..SETTINGS
        };
        let checkpoint = folder.path().join(format!("{value_factor}-{}", from.is_some()));
        Run::open(settings, from, std::slice::from_ref(&learned), None, checkpoint).unwrap()
    };
    let [mut whole, mut half] = [1.0, 0.5].map(|factor| run_of(factor, None));
    learn(&mut whole, 1, u64::MAX);
    learn(&mut half, 1, u64::MAX);
    assert_eq!(whole.network(), half.network());
    let (whole, half) = (whole.quantised().unwrap(), half.quantised().unwrap());
    let (wide, narrow) = (whole.weights(), half.weights());
    assert_eq!((wide.inputs, wide.input_bias), (narrow.inputs, narrow.input_bias));
    let is_half = |(wide, narrow): (i32, i32)| (wide - 2 * narrow).abs() <= 1;
    let outputs = std::iter::zip(wide.outputs, narrow.outputs).map(|(wide, narrow)| (wide.into(), narrow.into()));
    assert!(
        outputs
            .chain(std::iter::zip(wide.output_bias, narrow.output_bias))
            .all(is_half)
    );
    // What is learned on knows how wide its beginning was.
    let again = run_of(0.5, Some(&half)).quantised().unwrap();
    assert_eq!(again.weights(), half.weights());
}

#[test]
fn what_cannot_be_learned_from_is_said_before_anything_is_learned() {
    let folder = torres_fuzz::folder();
    let (learned, of_games) = files(folder.path(), "learned", 1, 2);
    let checkpoint = || folder.path().join("run");
    let open = |file: &PathBuf, settings| Run::open(settings, None, std::slice::from_ref(file), None, checkpoint());
    let refused = |file: &PathBuf| open(file, SETTINGS).err().unwrap();

    assert!(matches!(refused(&of_games), TrainError::NotShuffled(_)));
    let too_large = Settings {
        batch: 1 << 20,
        ..SETTINGS
    };
    let few = open(&learned, too_large).err().unwrap();
    assert!(matches!(few, TrainError::TooFew { .. }), "{few}");

    let whole = std::fs::read(&learned).unwrap();
    let damaged = folder.path().join("damaged");
    let mut bytes = whole.clone();
    bytes[500] ^= 1;
    std::fs::write(&damaged, &bytes).unwrap();
    let error = refused(&damaged).to_string();
    assert!(
        error.contains("damaged from byte 0") && error.contains("head -c"),
        "{error}"
    );

    // A block that is whole, with a record that is none: the start position without a king.
    let mut record = *Record::new(&Position::start(), 0, Outcome::Draw).bytes();
    record[10] = 0x24;
    let block = torres_data::Block {
        kind: torres_data::Kind::Shuffled,
        run: 0,
        number: 0,
        records: vec![
            Record::new(&Position::start(), 0, Outcome::Draw),
            Record::from_bytes(record),
        ],
    };
    let stray = folder.path().join("stray");
    std::fs::write(&stray, block.bytes()).unwrap();
    let error = refused(&stray);
    assert!(matches!(error, TrainError::Stray { position: 1, .. }), "{error}");

    std::fs::write(checkpoint(), b"something else").unwrap();
    assert!(matches!(refused(&learned), TrainError::NoCheckpoint(_)));
}

#[test]
fn files_that_change_meanwhile_are_noticed() {
    let folder = torres_fuzz::folder();
    let (learned, _) = files(folder.path(), "learned", 1, 10);
    let source = Source::open(std::slice::from_ref(&learned)).unwrap();
    std::fs::write(&learned, b"").unwrap();
    let mut batches = source.batches(0..100, 10, 1);
    assert!(matches!(batches.next_batch(), Err(TrainError::Changed)));
}

#[test]
fn every_position_comes_once_in_each_pass_and_in_another_order() {
    let folder = torres_fuzz::folder();
    let (learned, _) = files(folder.path(), "learned", 1, 10);
    // The same file twice is as good as two files.
    let source = Source::open(&[learned.clone(), learned]).unwrap();
    let count = source.positions() as usize;
    let row = |from: u64| -> Vec<[u8; Record::BYTES]> {
        let end = 2 * count as u64 / 10;
        let mut batches = source.batches(from..end, 10, 1);
        let mut row = Vec::new();
        while let Some(batch) = batches.next_batch().unwrap() {
            row.extend(batch.iter().map(|record| *record.bytes()));
        }
        row
    };
    let all = row(0);
    assert_eq!(all.len(), 2 * count / 10 * 10);
    let mut first = 0;
    for from in [1, 17, 2 * count as u64 / 10 - 1] {
        let later = row(from);
        assert!(all.ends_with(&later), "from batch {from}");
        first += later.len();
    }
    assert!(first > 0);
    // Two passes over two files that are the same: each position four times.
    let mut times = std::collections::HashMap::new();
    for bytes in &all {
        *times.entry(bytes).or_insert(0) += 1;
    }
    assert!(times.values().all(|&times| times % 4 == 0 || all.len() < 2 * count));
}

pub(super) fn checkpoint() -> Checkpoint {
    let mut state = State::new(Parameters::random(64, 1));
    let records = positions(1, 1);
    Learner::new(64, 1).learn(&mut state, &records, 0.1, TARGET).unwrap();
    let point = |batch, judged| Point {
        batch,
        learned: 0.125,
        judged,
    };
    let judged = Errors {
        target: 0.5,
        score: 0.25,
        result: 1.0,
    };
    Checkpoint {
        run: "a run".to_owned(),
        curve: vec![point(1, None), point(2, Some(judged))],
        since: Sum {
            errors: 3.5,
            positions: 9,
        },
        state,
    }
}

#[test]
fn a_checkpoint_comes_back_whole_or_not_at_all() {
    let checkpoint = checkpoint();
    let bytes = checkpoint.bytes();
    assert!(Checkpoint::from_bytes(&bytes) == Some(checkpoint));
    for at in (0..60).chain((60..bytes.len()).step_by(9973)) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 4;
        assert!(Checkpoint::from_bytes(&damaged).is_none(), "byte {at}");
        assert!(Checkpoint::from_bytes(&bytes[..at]).is_none(), "{at} bytes");
    }
}

#[test]
fn a_network_begins_spread_out_and_by_its_seed() {
    let network = Parameters::random(128, 1);
    assert_eq!(network, Parameters::random(128, 1));
    assert_ne!(network, Parameters::random(128, 2));
    let inputs = &network.rows[..network.bias(0)];
    let weights: Vec<f64> = inputs.iter().flat_map(|row| row.0.map(f64::from)).collect();
    assert_eq!(weights.len(), INPUTS * 128);
    let mean = weights.iter().sum::<f64>() / weights.len() as f64;
    let variance = weights.iter().map(|weight| weight * weight).sum::<f64>() / weights.len() as f64;
    assert!(
        mean.abs() < 1e-3 && (variance * 384.0 - 1.0).abs() < 0.02,
        "{mean}, {variance}"
    );
}

#[test]
fn what_a_network_has_learned_is_where_the_next_run_begins() {
    let taught = Parameters::random(64, 3);
    for scale in [SCALE as f32, 200.0] {
        let whole = quantised(&taught, scale);
        let again = super::quantised::parameters(&whole, scale);
        assert_eq!(quantised(&again, scale), whole, "at scale {scale}");
        let far = taught
            .rows
            .iter()
            .zip(&again.rows)
            .flat_map(|(a, b)| a.0.iter().zip(b.0));
        let farthest = far.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        // Half a unit of the coarsest numbers, the output weights.
        assert!(
            farthest <= 0.5 / 64.0 * SCALE as f32 / scale + 1e-6,
            "{farthest} at scale {scale}"
        );
    }
}
