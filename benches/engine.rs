//! The engine's speeds: move generation, a search to a fixed depth, and how long a stop takes to be answered.

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};
use torres::engine::nnue::{Accumulators, BUCKETS, INPUTS, Network, Weights, instruction_set};
use torres::engine::{Engine, Game, HandMade, Position, SearchControl, SearchLimits, bench, perft};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn move_generation(criterion: &mut Criterion) {
    let position = Position::from_fen(KIWIPETE).unwrap();
    criterion.bench_function("perft 4 of kiwipete, 4,085,603 leaves", |bencher| {
        bencher.iter(|| perft(black_box(&position), 4));
    });
}

fn searching(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("search");
    group.sample_size(10);
    group.bench_function("bench positions to depth 8", |bencher| {
        bencher.iter(|| bench::bench(8, &mut |_, _| {}))
    });
}

/// From `stop` to the answer, over all bench positions: at most 10 ms is promised.
fn stopping(criterion: &mut Criterion) {
    let games = bench::POSITIONS.map(|fen| Game::new(Position::from_fen(fen).unwrap()));
    let mut engine = Engine::new(16);
    let mut worst = Duration::ZERO;
    let mut stop_once = |game: &Game| {
        let control = SearchControl::new();
        let limits = SearchLimits {
            infinite: true,
            ..SearchLimits::default()
        };
        std::thread::scope(|scope| {
            let (engine, for_search) = (&mut engine, control.clone());
            let searching = scope.spawn(move || engine.search(game, &limits, &for_search, &mut |_| {}));
            std::thread::sleep(Duration::from_millis(20));
            let told = Instant::now();
            control.stop();
            searching.join().unwrap();
            worst = worst.max(told.elapsed());
            told.elapsed()
        })
    };
    let mut group = criterion.benchmark_group("stop");
    group.sample_size(10);
    group.bench_function("answered", |bencher| {
        bencher.iter_custom(|times| {
            (0..times as usize)
                .map(|time| stop_once(&games[time % games.len()]))
                .sum()
        });
    });
    group.finish();
    println!("worst answer to a stop: {worst:?}");
}

/// What a position costs: the network from nothing and after a move, with 2 × 256 hidden units, and the evaluation made
/// by hand. How long it takes does not depend on what the weights are.
fn evaluating(criterion: &mut Criterion) {
    const HIDDEN: usize = 256;
    let mut next = (0..i16::MAX).cycle().map(|number| number.wrapping_mul(7919) % 60);
    let mut numbers = |count| next.by_ref().take(count).collect();
    let weights = Weights {
        inputs: numbers(INPUTS * HIDDEN),
        input_bias: numbers(HIDDEN),
        outputs: numbers(BUCKETS * 2 * HIDDEN),
        output_bias: [0; BUCKETS],
    };
    let network = Arc::new(Network::new(&weights, "").unwrap());
    let position = Position::from_fen(bench::POSITIONS[5]).unwrap();
    let after: Vec<Position> = position.legal_moves().iter().map(|&mv| position.play(mv)).collect();
    let mut group = criterion.benchmark_group(format!("evaluation, {}", instruction_set()));
    group.bench_function("network, from nothing", |bencher| {
        bencher.iter(|| network.value(black_box(&position)));
    });
    let mut accumulators = Accumulators::new(network);
    accumulators.value(&position, 0);
    let mut turn = after.iter().cycle();
    group.bench_function("network, after a move", |bencher| {
        bencher.iter(|| accumulators.value(black_box(turn.next().unwrap()), 1));
    });
    let mut hand_made = HandMade::default();
    group.bench_function("made by hand, after a move", |bencher| {
        bencher.iter(|| hand_made.value(black_box(turn.next().unwrap())));
    });
}

criterion_group!(benches, move_generation, searching, stopping, evaluating);
criterion_main!(benches);
