//! Time to depth by threads: the bench positions, each as the first of a new game, with one thread and with several.
//!
//!     cargo run --release --example threads -- 15 1,2 3
//!
//! The arguments are depth, threads, and rounds, which take turns; it wants a core for each thread and a quiet machine.

use std::process::ExitCode;
use std::time::{Duration, Instant};
use torres::engine::{Engine, Game, Options, Position, SearchControl, SearchLimits, bench::POSITIONS};

/// Transposition table, in MiB.
const HASH_MIB: usize = 64;

/// Time and nodes of all positions together.
fn measure(depth: u32, threads: usize) -> Option<(Duration, u64)> {
    let mut engine = Engine::new(HASH_MIB);
    engine.set_options(Options {
        threads,
        ..Options::default()
    });
    let limits = SearchLimits {
        depth: Some(depth),
        ..SearchLimits::default()
    };
    let (mut time, mut nodes) = (Duration::ZERO, 0);
    for fen in POSITIONS {
        let game = Game::new(Position::from_fen(fen).ok()?);
        engine.new_game();
        let started = Instant::now();
        nodes += engine.search(&game, &limits, &SearchControl::new(), &mut |_| {}).nodes;
        time += started.elapsed();
    }
    Some((time, nodes))
}

fn run() -> Option<()> {
    let mut arguments = std::env::args().skip(1);
    let depth = arguments.next()?.parse().ok()?;
    let threads: Vec<usize> = arguments
        .next()?
        .split(',')
        .map(|text| text.parse().ok())
        .collect::<Option<_>>()?;
    let rounds: usize = arguments.next()?.parse().ok()?;
    let mut totals = vec![Duration::ZERO; threads.len()];
    println!("| threads | seconds | nodes |\n|---|---|---|");
    for _ in 0..rounds {
        for (total, &threads) in totals.iter_mut().zip(&threads) {
            let (time, nodes) = measure(depth, threads)?;
            *total += time;
            println!("| {threads} | {:.2} | {nodes} |", time.as_secs_f64());
        }
    }
    for (total, count) in totals.iter().zip(&threads).skip(1) {
        let faster = totals[0].as_secs_f64() / total.as_secs_f64();
        println!("{count} threads: {faster:.2} times as fast as {}", threads[0]);
    }
    Some(())
}

fn main() -> ExitCode {
    match run() {
        Some(()) => ExitCode::SUCCESS,
        None => {
            eprintln!("usage: threads DEPTH THREADS,THREADS... ROUNDS");
            ExitCode::from(2)
        }
    }
}
