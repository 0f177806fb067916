//! The practice site: a real chess page with computer opponents, always its own process.
//!
//! One game at a time lives on the server: rules ([`game`]), clocks ([`clock`]), the bot ([`bot`], [`levels`],
//! [`opponents`]) and the log ([`log`]) meet at one table ([`table`]), and every page that is open shows that table ([`server`],
//! [`protocol`], `assets/`). The page draws and asks; the server decides. For tests the site is also an instrument: any
//! game can be staged ([`script`], [`SiteConfig`]) and the log says what really happened.
//!
//! Nothing here looks at the screen or moves the mouse, and nothing here thinks: the bot asks any
//! [`Thinker`](torres_link::Thinker).

#[macro_use]
extern crate torres_printing;

mod assets;
pub mod bot;
mod chance;
pub mod clock;
mod fuzz_tests;
pub mod game;
pub mod levels;
pub mod log;
pub mod opponents;
pub mod protocol;
pub mod script;
mod server;
mod setup;
mod table;
mod view;

pub use server::Site;

use clock::TimeControl;
use opponents::{Engines, Opponent};
use script::Script;
use shakmaty::{Chess, Color};
use std::path::PathBuf;
use std::time::Duration;

/// The player's colour, the opponent, and where and how fast the game starts.
#[derive(Clone, Debug)]
pub struct GameSetup {
    /// Where the game starts.
    pub start: Chess,
    /// The player's colour; the bot has the other.
    pub player: Color,
    /// Whom the player plays.
    pub opponent: Opponent,
    /// Both clocks at the start.
    pub time_control: TimeControl,
}

/// How to serve the site.
#[derive(Clone, Debug)]
pub struct SiteConfig {
    /// Port on the loopback address; 0 takes a free one.
    pub port: u16,
    /// The first game; later ones are chosen on the page.
    pub first: GameSetup,
    /// The engines that can be played beside the levels.
    pub engines: Engines,
    /// Decides the bot's choices where it has any.
    pub seed: u64,
    /// The bot's replies, from the start of each game; its engine answers once they run out.
    pub script: Script,
    /// The time from a position to the bot's reply, at least.
    pub delay: Duration,
    /// Where the log is appended to.
    pub log: Option<PathBuf>,
}

/// Why the site cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// The port is taken or forbidden.
    #[error("cannot listen on 127.0.0.1:{port}: {source}; choose another --port, or 0 for a free one")]
    Listen {
        /// The port asked for.
        port: u16,
        /// What the system says.
        source: std::io::Error,
    },
    /// The log file cannot be written.
    #[error("cannot write the log {path}: {source}; choose a file that can be written")]
    Log {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The server stopped.
    #[error("the server failed: {0}")]
    Serve(std::io::Error),
}
