//! Reads a site's clocks. Nobody tells Torres how digits look: it watches a clock run. Seconds count down in a known
//! order, so the picture that follows another is the next lower digit, and where the tens change too, a 0 gave way to a
//! 9. Ten pictures that follow each other in a ring are the digits.
//!
//! [`ClockText`] finds the characters in a picture, [`Learner`] learns the digits, [`Digits`] read a line, and
//! [`ClockReader`] believes only what agrees with what the clock showed before.

mod digits;
mod learner;
mod reader;
mod text;

pub use digits::{ClockTime, Digits};
pub use learner::{Learner, Turn};
pub use reader::ClockReader;
pub use text::{ClockText, Mark, Shape};
