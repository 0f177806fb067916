//! Move generation beside the fastest libraries: perft of the six standard positions, ours, `cozy-chess`' and
//! `shakmaty`'s, in one run. All three count the last ply without making its moves.
//!
//! Run it with and without `RUSTFLAGS="-C target-cpu=native"`: the one finds sliders' attacks by `pext`, the other by
//! magics.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use shakmaty::{CastlingMode, Chess, fen::Fen};
use std::hint::black_box;
use std::time::{Duration, Instant};
use torres::engine::{Position, perft};

/// The chess programming wiki's six positions, with a depth that takes some tens of milliseconds and its leaves.
const POSITIONS: [(&str, &str, u32, u64); 6] = [
    (
        "start",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        5,
        4_865_609,
    ),
    (
        "kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        4,
        4_085_603,
    ),
    (
        "rook ending",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        6,
        11_030_083,
    ),
    (
        "promotions",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        5,
        15_833_292,
    ),
    (
        "talkchess",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        4,
        2_103_487,
    ),
    (
        "symmetric",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        4,
        3_894_594,
    ),
];

fn cozy_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut leaves = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            leaves += moves.len() as u64;
        } else {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                leaves += cozy_perft(&next, depth - 1);
            }
        }
        false
    });
    leaves
}

/// Best time of one perft so far.
struct Best(Duration);

impl Best {
    /// Times a perft as often as criterion asks, checks its leaves, and keeps the shortest.
    fn time(&mut self, times: u64, leaves: u64, mut perft: impl FnMut() -> u64) -> Duration {
        let mut total = Duration::ZERO;
        for _ in 0..times {
            let started = Instant::now();
            assert_eq!(perft(), leaves);
            let took = started.elapsed();
            self.0 = self.0.min(took);
            total += took;
        }
        total
    }
}

fn movegen(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft");
    group.sample_size(20);
    let mut table = Vec::new();
    for (name, fen, depth, leaves) in POSITIONS {
        let ours = Position::from_fen(fen).unwrap();
        let cozy: cozy_chess::Board = fen.parse().unwrap();
        let shakmaty: Chess = fen
            .parse::<Fen>()
            .unwrap()
            .into_position(CastlingMode::Standard)
            .unwrap();
        let [mut our_best, mut cozy_best, mut shakmaty_best] = [const { Best(Duration::MAX) }; 3];
        group.throughput(Throughput::Elements(leaves));
        group.bench_function(BenchmarkId::new("torres", name), |bencher| {
            bencher.iter_custom(|times| our_best.time(times, leaves, || perft(black_box(&ours), depth)));
        });
        group.bench_function(BenchmarkId::new("cozy-chess", name), |bencher| {
            bencher.iter_custom(|times| cozy_best.time(times, leaves, || cozy_perft(black_box(&cozy), depth)));
        });
        group.bench_function(BenchmarkId::new("shakmaty", name), |bencher| {
            bencher.iter_custom(|times| {
                shakmaty_best.time(times, leaves, || shakmaty::perft(black_box(&shakmaty), depth))
            });
        });
        table.push((name, leaves, [our_best.0, cozy_best.0, shakmaty_best.0]));
    }
    group.finish();
    print_ratios(&table);
}

fn print_ratios(table: &[(&str, u64, [Duration; 3])]) {
    println!("\nBest times, millions of leaves a second; ratio: our speed over theirs");
    println!(
        "{:<12} {:>8} {:>10} {:>8} {:>8} {:>8}",
        "position", "torres", "cozy-chess", "shakmaty", "/ cozy", "/ shak"
    );
    let line = |name: &str, leaves: u64, times: [Duration; 3]| {
        let [ours, cozy, shakmaty] = times.map(|time| leaves as f64 / time.as_secs_f64() / 1e6);
        println!(
            "{name:<12} {ours:>8.1} {cozy:>10.1} {shakmaty:>8.1} {:>8.2} {:>8.2}",
            ours / cozy,
            ours / shakmaty
        );
    };
    for &(name, leaves, times) in table {
        line(name, leaves, times);
    }
    let all = |library: usize| table.iter().map(|(_, _, times)| times[library]).sum::<Duration>();
    let leaves = table.iter().map(|(_, leaves, _)| leaves).sum();
    line("all", leaves, [all(0), all(1), all(2)]);
}

criterion_group!(benches, movegen);
criterion_main!(benches);
