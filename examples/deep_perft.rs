//! Counts perft of every position of some files to every depth they list, up to so many leaves, on all cores:
//!
//!     cargo run --release --example deep_perft -- 50000000 tests/data/perft/*.{epd,txt}
//!
//! `scripts/deep-perft` runs it over all files. Exit status 1 when any count differs.

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;
use torres::engine::{Position, perft};

struct Count {
    fen: String,
    depth: u32,
    leaves: u64,
}

/// `FEN ;D1 20 ;D2 400` or `FEN,20,400`.
fn counts(line: &str, most: u64) -> Result<Vec<Count>, String> {
    let wrong = || format!("not a perft line: '{line}'");
    let (fen, rest) = line.split_once([';', ',']).ok_or_else(wrong)?;
    let number = |text: &str| text.trim().parse::<u64>().map_err(|_| wrong());
    let mut counts = Vec::new();
    for (index, text) in rest.split([';', ',']).enumerate() {
        let (depth, leaves) = match text.trim().strip_prefix('D') {
            Some(listed) => {
                let (depth, leaves) = listed.split_once(' ').ok_or_else(wrong)?;
                (number(depth)? as u32, number(leaves)?)
            }
            None => (index as u32 + 1, number(text)?),
        };
        if leaves <= most {
            counts.push(Count {
                fen: fen.trim().to_owned(),
                depth,
                leaves,
            });
        }
    }
    Ok(counts)
}

/// What is wrong with a count, if anything.
fn complaint(count: &Count) -> Option<String> {
    let Count { fen, depth, leaves } = count;
    match Position::from_fen(fen) {
        Err(error) => Some(error.to_string()),
        Ok(position) => {
            let counted = perft(&position, *depth);
            (counted != *leaves).then(|| format!("{fen}: {counted} leaves at depth {depth} instead of {leaves}"))
        }
    }
}

fn run() -> Result<usize, String> {
    let mut arguments = std::env::args().skip(1);
    let most = arguments
        .next()
        .and_then(|text| text.parse().ok())
        .ok_or("usage: deep_perft MOST_LEAVES FILE...")?;
    let mut all = Vec::new();
    for file in arguments {
        let text = std::fs::read_to_string(&file).map_err(|error| format!("{file}: {error}"))?;
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            all.extend(counts(line, most)?);
        }
    }
    // The big ones first, so that no thread is left with one at the end.
    all.sort_by_key(|count| std::cmp::Reverse(count.leaves));
    let (next, wrong, leaves) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicU64::new(0));
    let started = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(count) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Some(complaint) = complaint(count) {
                        println!("{complaint}");
                        wrong.fetch_add(1, Ordering::Relaxed);
                    }
                    leaves.fetch_add(count.leaves, Ordering::Relaxed);
                }
            });
        }
    });
    let (wrong, leaves, seconds) = (wrong.into_inner(), leaves.into_inner(), started.elapsed().as_secs_f64());
    println!(
        "{} counts, {leaves} leaves, {wrong} differences, {seconds:.1} s, {:.1} million leaves a second",
        all.len(),
        leaves as f64 / seconds / 1e6
    );
    Ok(wrong)
}

fn main() -> ExitCode {
    match run() {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
