//! A game in which something happens while Torres thinks about its third move.

use super::{Practice, Run, Script, journal, scripted_engine};
use crate::wait_for;
use shakmaty::Color;
use torres_journal::Event;

/// The game; Torres has White.
pub fn game() -> Script {
    Script::new("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5 e1g1 e8g8")
}

/// Torres playing it, when it has begun to think about its third move, for so many seconds.
pub fn thinking_at_the_third_move(practice: &Practice, seconds: &str) -> Run {
    let engine = scripted_engine(&format!("--slow 3 {seconds}"), &game().moves_of(Color::White));
    let play = practice.stage.play(&["--engine", &engine, "--plies", &game().plies()]);
    wait_for("the third thought", || {
        let journal = journal(&practice.stage.out());
        let thoughts = journal.iter().filter(|entry| matches!(entry.event, Event::Think(_)));
        (thoughts.count() == 3).then_some(())
    });
    play
}
