//! A display for one test, and a browser with a page on it that tells what it received.

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
pub use display::on_display;
#[cfg(target_os = "linux")]
pub use keys::Keys;
pub use page::Page;
pub use pointer::Pointer;
#[cfg(target_os = "linux")]
pub use server::{Server, exchange_buttons, set_text_dpi, split_monitor};
#[cfg(target_os = "linux")]
pub use window::BareWindow;
