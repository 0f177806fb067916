//! Matches between engines, games of the engine with itself, and the network that learns from them.

mod ladder;
#[cfg(unix)]
mod running;
mod selfplay;
mod train;
