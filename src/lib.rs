//! Torres plays chess by looking at the screen: it captures a browser window, finds the board, sees what the opponent
//! moved, asks its own engine in another process, and answers with real mouse events. It plays computer opponents
//! only, on boards that its user may automate.
//!
//! # One move, followed through the house
//!
//! ```text
//! screen ──frame──▶ vision ──reading──▶ bot ──go──▶ link ══socket══▶ engine process
//!                                        │                                │
//! browser ◀──drag── mouse ◀──gesture─────┘◀────────── bestmove ───────────┘
//! ```
//!
//! 1. [`screen`] captures the board's region as a [`frame::Frame`]: pixels, a time, and where on the desktop they lie.
//! 2. [`vision`] makes 64 histograms of it ([`vision::histogram`]) and compares them with those of the last frame that it
//!    understood. No square changed: nothing more happens.
//! 3. Squares changed: [`vision::Tracker`] asks which legal line explains the whole board. Exactly one does: that is
//!    what was played. None, or more than one: the [`vision::Reading`] is unknown, and unknown is never played on.
//! 4. [`bot::machine`], a state machine without any I/O, owns the game and its clock; it takes the reading and says what
//!    to do next: think, act, look again, or stop and say why. [`bot::driver`] does what it says.
//! 5. [`link`] carries the position over a local socket to the [`engine`]'s process and the best move back; an engine
//!    that dies, freezes or babbles is replaced and asked again.
//! 6. [`mouse`] performs the gesture, after [`bot::place`] has looked once more where the board is and
//!    [`bot::guard`] has compared the panel that names the opponent.
//! 7. The next frames are the proof: the move has landed when vision sees the position after it.
//!
//! ```
//! use shakmaty::{Chess, Position};
//! use torres::bot::game::{Game, fen};
//!
//! let mut game = Game::new(Chess::default());
//! let first = game.position().legal_moves()[0];
//! game.play(first)?;
//! assert_eq!(game.plies(), 1);
//! assert!(torres::bot::game::is_position(&fen(game.position()), game.position()));
//! # Ok::<(), torres::bot::game::IllegalMove>(())
//! ```
//!
//! # Rooms
//!
//! Layers point one way: a room may use those below it in this list, and [`frame`], [`geometry`] and [`picture`] are at
//! everyone's feet. `docs/design.md` has the table of who may know whom, and the contracts (command line, files, socket).
//!
//! - [`cli`]: one file per subcommand.
//! - [`arena`]: matches between engines, and their figures; [`data`]: positions on disk to learn from.
//! - [`doctor`]: is this machine ready?
//! - [`bot`]: the game being played.
//! - [`calibration`]: the saved file, and how it is made.
//! - [`fixture`]: recording frames and playing them back.
//! - [`site`]: the practice site, always its own process.
//! - [`engine`]: the chess engine; [`link`]: the way to it.
//! - [`vision`]: from pixels to chess, pure.
//! - [`mouse`], [`screen`], [`desktop`]: the rim: input, capture, and a display and browser of one's own.
//! - [`journal`]: decisions, evidence, PGN, contact sheet.
//! - [`loopback`]: servers for one's own browser, and whom they answer.
//! - [`frame`], [`geometry`], [`picture`]: captured pixels, places, and drawing.

#![allow(
    rustdoc::private_intra_doc_links,
    reason = "module pages are for readers of the code, who build them with --document-private-items"
)]

// First: its macros are all later modules'.
#[macro_use]
mod printing;

pub mod arena;
pub mod bot;
pub mod calibration;
pub mod cli;
pub mod data;
pub mod desktop;
pub mod doctor;
pub mod engine;
pub mod fixture;
pub mod frame;
#[cfg(test)]
mod fuzz;
pub mod geometry;
pub mod journal;
pub mod link;
pub mod loopback;
pub mod mouse;
pub mod picture;
pub mod screen;
pub mod site;
pub mod vision;
pub mod watch;
