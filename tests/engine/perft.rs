//! Move generation against published leaf counts: four files, to depth 4 or the shallowest depth above it that a
//! position lists.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use torres::engine::{Position, perft};

struct Case {
    fen: String,
    depth: u32,
    leaves: u64,
}

/// `FEN; D1 20; D2 400` or `FEN ;D1 20 ;D2 400`.
fn epd_case(line: &str) -> Case {
    let (fen, counts) = line.split_once(';').expect(line);
    let counts = counts.split(';').map(|count| {
        let (depth, leaves) = count.trim().split_once(' ').expect(line);
        (
            depth.strip_prefix('D').expect(line).parse().expect(line),
            leaves.trim().parse().expect(line),
        )
    });
    case(fen, counts.collect())
}

/// `FEN,20,400`.
fn comma_case(line: &str) -> Case {
    let (fen, counts) = line.split_once(',').expect(line);
    case(
        fen,
        (1..)
            .zip(counts.split(',').map(|leaves| leaves.trim().parse().expect(line)))
            .collect(),
    )
}

fn case(fen: &str, counts: Vec<(u32, u64)>) -> Case {
    let deep = counts.iter().filter(|(depth, _)| *depth >= 4).min();
    let &(depth, leaves) = deep.or(counts.iter().max()).expect(fen);
    Case {
        fen: fen.trim().to_owned(),
        depth,
        leaves,
    }
}

/// Counts all positions of a file on all cores.
fn check(file: &str, positions: usize, parse: fn(&str) -> Case) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/perft")
        .join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    let mut cases: Vec<Case> = text.lines().filter(|line| !line.trim().is_empty()).map(parse).collect();
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
    check("perftsuite.epd", 126, epd_case);
}

#[test]
fn special() {
    check("perft-special.epd", 160, epd_case);
}

#[test]
fn double_checks() {
    check("double-checks.epd", 184, epd_case);
}

#[test]
fn vajolet() {
    check("vajolet_perft.txt", 6838, comma_case);
}
