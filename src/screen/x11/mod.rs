//! The desktop as an X11 server shows it: pixels, changes, monitors and windows, each over a connection of its own.

mod capture;
mod closing;
mod connection;
mod damage;
mod monitors;
mod ping;
mod windows;

pub(super) use capture::X11Capture;
pub(super) use closing::when_closed;
pub(super) use connection::connect;
pub(super) use damage::{changes, prove};
pub(super) use monitors::monitors;
pub(super) use ping::Ping;
pub(super) use windows::{of_program, windows};
