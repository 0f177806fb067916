//! Whole-system tests: Torres' commands as processes beside a browser, judged by what the page's side wrote down.

mod foreign;
mod peer;
mod practice;
mod records;
mod run;
mod stage;
mod terminal;
pub mod third_move;
mod watch_page;

pub use foreign::Foreign;
pub use peer::{PageClocks, Peer, rectangle};
pub use practice::{Practice, Script, engine_for};
pub use records::{PgnGame, Touch, cells_of_sheet, gestures, has_event, journal, moves_seen, pgn_of, touches_ordered};
pub use run::{Run, children_of, freeze_in_a_press, signal_group, signal_process};
pub use stage::{Shown, Stage, picture_of, text};
pub use terminal::Key;
pub use watch_page::{Button, WatchPage};

use std::time::Duration;

/// Longest time that a staged game may take on a machine busy with other tests.
pub const GAME: Duration = Duration::from_secs(120);

/// The first argument of the process of a scripted engine.
pub const SCRIPTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/play/engine.sh");

/// The command of a UCI engine that plays these moves, in order; `options` as `engine.sh` says.
pub fn scripted_engine(options: &str, moves: &[String]) -> String {
    format!("sh '{SCRIPTED}' {options} {}", moves.join(" "))
}

/// The command of a UCI engine that plays these games one after the other, as UCI moves between spaces; `book` is a
/// file of the test's own.
pub fn engine_with_book(book: &std::path::Path, games: &[String]) -> String {
    std::fs::write(book, games.join("\n") + "\n").expect("a file for the engine's games");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/play/book.sh");
    format!("sh '{script}' '{}'", text(book))
}
