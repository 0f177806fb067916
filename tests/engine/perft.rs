//! Move generation against published leaf counts: four files, to depth 4 or the shallowest depth above it that a
//! position lists; of the file with thousands of positions four in five to depth 3. `scripts/deep-perft` counts them all deeper.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use torres::engine::{Position, perft};

struct Case {
    fen: String,
    depth: u32,
    leaves: u64,
}

/// A position and how many leaves each depth has.
type Listed = (String, Vec<(u32, u64)>);

/// `FEN; D1 20; D2 400` or `FEN ;D1 20 ;D2 400`.
fn epd_case(line: &str) -> Listed {
    let (fen, counts) = line.split_once(';').expect(line);
    let counts = counts.split(';').map(|count| {
        let (depth, leaves) = count.trim().split_once(' ').expect(line);
        (
            depth.strip_prefix('D').expect(line).parse().expect(line),
            leaves.trim().parse().expect(line),
        )
    });
    (fen.trim().to_owned(), counts.collect())
}

/// `FEN,20,400`.
fn comma_case(line: &str) -> Listed {
    let (fen, counts) = line.split_once(',').expect(line);
    let leaves = counts.split(',').map(|leaves| leaves.trim().parse().expect(line));
    (fen.trim().to_owned(), (1..).zip(leaves).collect())
}

/// The shallowest count from this depth on, or else the deepest.
fn case((fen, counts): Listed, from: u32) -> Case {
    let deep = counts.iter().filter(|(depth, _)| *depth >= from).min();
    let &(depth, leaves) = deep.or(counts.iter().max()).expect(&fen);
    Case { fen, depth, leaves }
}

/// Counts all positions of a file on all cores: each `every`th to depth 4, the others to depth 3.
fn check(file: &str, positions: usize, every: usize, parse: fn(&str) -> Listed) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/perft")
        .join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    let listed = text.lines().filter(|line| !line.trim().is_empty()).map(parse);
    let from = |number: usize| if number.is_multiple_of(every) { 4 } else { 3 };
    let cases = listed.enumerate().map(|(number, listed)| case(listed, from(number)));
    let mut cases: Vec<Case> = cases.collect();
    assert_eq!(cases.len(), positions, "{file} is not whole");
    // The big ones first, so that no thread is left with one at the end.
    cases.sort_by_key(|case| std::cmp::Reverse(case.leaves));

    let next = AtomicUsize::new(0);
    let count_some = || {
        let mut wrong = Vec::new();
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            wrong.extend(complaint(case));
        }
        wrong
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(count_some)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{file}: {} wrong\n{}", wrong.len(), wrong.join("\n"));
}

fn complaint(case: &Case) -> Option<String> {
    let Case { fen, depth, leaves } = case;
    match Position::from_fen(fen) {
        Err(error) => Some(error.to_string()),
        Ok(position) => {
            let counted = perft(&position, *depth);
            (counted != *leaves).then(|| format!("{fen}: {counted} leaves at depth {depth} instead of {leaves}"))
        }
    }
}

#[test]
fn perftsuite() {
    check("perftsuite.epd", 126, 1, epd_case);
}

#[test]
fn special() {
    check("perft-special.epd", 160, 1, epd_case);
}

#[test]
fn double_checks() {
    check("double-checks.epd", 184, 1, epd_case);
}

#[test]
fn vajolet() {
    check("vajolet_perft.txt", 6838, 5, comma_case);
}
