//! Fuzz target: the file of a lesson.
#![cfg(test)]

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
