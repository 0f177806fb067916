//! Lessons as data: what a lesson is, how its file is read, and who judges what the learner does.
//!
//! Everything here is a pure function on values. The caller shows boards and texts, asks an engine where a lesson wants
//! a reply, and keeps the [`Progress`].
//!
//! 1. [`shelf`] holds the lessons that Torres brings, in their order. [`parse`] is the one door for a lesson's file: what
//!    it lets through can be shown and solved; what it refuses it names by file and line, all of it at once.
//! 2. [`judge`] takes a [`Step`], the [`Progress`] in it and what the learner did, and says what becomes of it.
//! 3. A board of a lesson is one of two. Where the learner walks, captures or answers ([`Still`]), the other side stands still and
//!    kings may be missing. Where both sides move, the board is a chess position with both kings, and its rules are
//!    `shakmaty`'s. The goal decides which of the two a step has.
//! 4. [`situation`] says what a learner has before them, and [`typed`] what they mean by a text. [`repetition`] says when a step
//!    comes back.
//! 5. [`rating`] says how strong a learner is and how hard a puzzle is, [`puzzle`]
//!    reads puzzles into steps for the same judge, [`coordinates`] trains the names of squares.
//!
//! ```
//! use torres_lessons::{Input, Outcome, Progress, judge, parse};
//!
//! let lesson = parse("one-move.toml", r#"
//!     id = "one-move"
//!     part = "basic"
//!     title = "One move"
//!     text = ["A mate ends the game."]
//!     [[step]]
//!     board = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
//!     ask = "Give mate."
//!     goal = { mate = { moves = 1 } }
//!     hints = [{ say = "Look at the last rank.", arrows = ["a1a8"] }]
//!     wrong = "The king is not mated yet."
//!     right = "The pawns lock their own king in."
//! "#).unwrap();
//! let step = &lesson.steps[0];
//! let slow = judge(step, &Progress::default(), &Input::Move("a1a7".parse().unwrap())).unwrap();
//! assert_eq!((slow.outcome, slow.said.as_deref()), (Outcome::Wrong, Some("The king is not mated yet.")));
//! let mate = judge(step, &slow.progress, &Input::Move("a1a8".parse().unwrap())).unwrap();
//! assert_eq!(mate.outcome, Outcome::Finished { reply: None });
//! ```

pub mod coordinates;
mod fuzz_tests;
mod judge;
mod lesson;
mod mate;
pub mod puzzle;
pub mod rating;
mod read;
pub mod repetition;
pub mod shelf;
mod situation;
#[cfg(test)]
mod solved_tests;
mod still;

pub use judge::{Input, Outcome, Progress, Stale, Verdict, board_now, judge};
pub use lesson::{Accept, Choice, Claim, End, Hint, Lesson, Marks, Part, Ply, Property, Said, Step, Task, Wish};
use mate::mates_within;
pub use read::{Fault, Faults, parse};
pub use situation::{Situation, Untyped, situation, typed};
pub use still::Still;
