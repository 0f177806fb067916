//! Matches between engines, and games of the engine with itself.

mod ladder;
mod selfplay;
