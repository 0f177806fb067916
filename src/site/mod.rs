//! The practice site: a real chess page with computer opponents, always its own process.
//!
//! One game at a time lives on the server: rules ([`game`]), clocks ([`clock`]), the bot ([`bot`], [`levels`],
//! [`opponents`]) and the log ([`log`]) meet at one table ([`table`]), and every page that is open shows that table
//! ([`server`], [`protocol`], `assets/`). The page draws and asks; the server decides. For tests the site is also an
//! instrument: any game can be staged ([`script`], [`SiteConfig`]) and the log says what really happened.
//!
//! Beside the table are the pages of learning ([`learn`]), each learner at their own; what they reach is kept in a
//! [`Store`](torres_store::Store).
//!
//! Others than this machine's own browsers reach the pages of learning, and what else the server is given, only where a
//! [`Reach`] is asked for; the table they never reach.
//!
//! Nothing here looks at the screen or moves the mouse, and nothing here thinks: the bot asks any
//! [`Thinker`](torres_link::Thinker).

#[macro_use]
extern crate torres_printing;

mod assets;
pub mod bot;
mod chance;
pub mod clock;
pub mod cookie;
mod fuzz_tests;
pub mod game;
pub mod layout;
mod learn;
pub mod levels;
pub mod log;
pub mod opponents;
pub mod protocol;
mod reach;
pub mod script;
mod server;
mod setup;
mod table;
mod view;

pub use reach::{Certificate, Reach, ReachError};
pub use server::{Site, SiteConfig, SiteError};
pub use setup::GameSetup;
