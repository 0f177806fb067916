//! Fuzz targets: the file of a lesson, and one of puzzles.
#![cfg(test)]

use super::puzzle::{BROUGHT, puzzles};
use super::{Input, Progress, board_now, judge, parse, shelf};
use torres_fuzz::{Judged, names_damage, run};

/// A text is refused with a line and a reason for each fault; or every board of the lesson can be shown, and no move or
/// answer of the learner breaks the judge.
#[test]
fn fuzz_lesson() {
    let named = |(file, text): &(&str, &str)| text.replacen(file.trim_end_matches(".toml"), "lesson", 1).into_bytes();
    let seeds: Vec<Vec<u8>> = shelf::FILES.iter().map(named).collect();
    let words = [
        "[[step]]",
        "goal = ",
        "e2e4",
        "\"\"\"",
        "moves = 99",
        "8/8/8/8/8/8/8/8 b - - 0 1",
    ];
    run("lesson", &seeds, &words, |input| {
        let text = String::from_utf8_lossy(input);
        match parse("lesson.toml", &text) {
            Ok(lesson) => {
                for step in &lesson.steps {
                    let progress = Progress::default();
                    board_now(step, &progress).unwrap();
                    for input in [Input::Move("e2e4".parse().unwrap()), Input::Option(0), Input::Hint] {
                        let verdict = judge(step, &progress, &input).unwrap();
                        board_now(step, &verdict.progress).unwrap();
                    }
                }
                Judged::Accepted
            }
            Err(refused) => {
                let lines = text.lines().count().max(1) + 1;
                for fault in &refused.faults {
                    assert!(names_damage(&fault.what), "{refused}");
                    assert!((1..=lines).contains(&fault.line), "{refused}");
                }
                assert!(!refused.faults.is_empty());
                Judged::Refused
            }
        }
    });
}

/// Refused with a line and a reason for each fault; or each puzzle can be shown and played.
#[test]
fn fuzz_puzzles() {
    let lines: Vec<&str> = BROUGHT.lines().skip(1).take(40).collect();
    let seeds: Vec<Vec<u8>> = lines
        .chunks(4)
        .map(|some| format!("heading\n{}\n", some.join("\n")).into_bytes())
        .collect();
    run(
        "puzzles",
        &seeds,
        &["e7e8q", " ", ",", "1e999", "0000", "w - - 0 1"],
        |input| {
            let text = String::from_utf8_lossy(input);
            match puzzles("puzzles.csv", &text) {
                Ok(puzzles) => {
                    for puzzle in &puzzles {
                        assert!(puzzle.rating.rating.is_finite() && puzzle.rating.deviation.is_finite());
                        let verdict = judge(&puzzle.step, &Progress::default(), &Input::Move(puzzle.lead)).unwrap();
                        board_now(&puzzle.step, &verdict.progress).unwrap();
                    }
                    Judged::Accepted
                }
                Err(refused) => {
                    assert!(
                        refused
                            .faults
                            .iter()
                            .all(|fault| fault.line > 1 && names_damage(&fault.what)),
                        "{refused}"
                    );
                    Judged::Refused
                }
            }
        },
    );
}
