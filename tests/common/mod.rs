//! What browser tests share: a display of their own, and a page that tells what it received.
#![allow(dead_code, unused_imports)] // Every test binary uses another part of it.

mod board;
mod devtools;
mod display;
#[cfg(target_os = "linux")]
mod keys;
mod page;
mod pointer;
#[cfg(target_os = "linux")]
mod server;
#[cfg(target_os = "linux")]
mod window;

pub use board::{Board, ends};
pub use devtools::Devtools;
pub use display::{ROLE, itself, on_display};
#[cfg(target_os = "linux")]
pub use keys::Keys;
pub use page::Page;
pub use pointer::Pointer;
#[cfg(target_os = "linux")]
pub use server::{Server, exchange_buttons, set_text_dpi, split_monitor};
#[cfg(target_os = "linux")]
pub use window::BareWindow;

use std::time::{Duration, Instant};

/// Longest time that a condition may take to come true, on a machine busy with other tests.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// Asks again and again until there is an answer; panics when there is none in time.
pub fn wait_for<T>(what: &str, mut answer: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = answer() {
            return found;
        }
        assert!(Instant::now() < deadline, "waited {PATIENCE:?} in vain for {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}
