//! The live page: what the bot sees and does, in a browser on this machine, while it does it.
//!
//! A [`Watch`] serves the page; a [`WatchFeed`] is told what happens and never holds up whoever tells it. The page can
//! pause, resume and stop the game, by the token of its address and from its own origin only. Nothing is decided here
//! and nothing is read from pixels: what the page shows was decided in `bot`.

mod assets;
mod feed;
mod files;
mod picture;
mod server;
mod state;
mod token;

pub use feed::{GameInfo, WatchFeed};
pub use server::{Watch, WatchError};
pub use state::{Finished, GameFile};
