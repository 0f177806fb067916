//! Fuzz target: a line of `results.jsonl`.
#![cfg(test)]

use super::results::tests::game;
use super::results::{Score, game_of};
use torres_chess::Side;
use torres_fuzz::{Judged, run};

#[test]
fn fuzz_results_line() {
    let games = [
        game("Lichess level 5", Side::White, Score::WhiteWins),
        game("", Side::Black, Score::Unfinished),
    ];
    let seeds = games.map(|game| serde_json::to_vec(&game).unwrap());
    let words = [
        "\"format\"",
        "\"result\"",
        "\"1-0\"",
        "\"*\"",
        "\"white\"",
        "\"started\"",
        "2026-02-30",
        "-9999",
        "+25:59",
        "T24:00:00",
        "Z",
        "-00:00",
        "+01:00:30",
    ];
    run("results line", &seeds, &words, |input| match game_of(input) {
        Ok(game) => {
            // What was read is what is written: a file may be read and written again.
            let line = serde_json::to_vec(&game).unwrap();
            let again = game_of(&line).unwrap_or_else(|why| panic!("what it wrote is refused: {why}"));
            assert_eq!(again, game);
            Judged::Accepted
        }
        Err(why) => {
            assert!(!why.trim().is_empty());
            Judged::Refused
        }
    });
}
