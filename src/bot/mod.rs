//! The game being played: its moves and clock, the state machine that decides what to do next, the driver that feeds
//! it, and the opponent guard.
//!
//! [`machine`] is pure: events in, orders out, so that a recorded game runs through it at full speed. [`driver`] is the
//! rim: it captures, thinks, moves the mouse and keeps the journal, and decides nothing itself. How pixels become moves
//! is `vision`'s, how a gesture becomes mouse events is `mouse`'s; what the user reads is `cli`'s.

#[cfg(test)]
#[macro_use]
extern crate torres_printing;

pub mod beside_board;
pub mod clock;
pub mod commands;
mod confirm;
mod dialog;
pub mod driver;
mod evidence;
pub mod eye;
pub mod game;
pub mod game_finder;
mod gesture;
pub mod guard;
pub mod log;
pub mod look_timer;
pub mod machine;
pub mod next_game;
mod notice;
mod opened;
mod page_change;
pub mod part;
pub mod place;
pub mod played_color;
pub mod recording;
mod selection;
pub mod site_clocks;
pub mod thinking;
pub mod unfinished;
