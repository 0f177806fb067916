//! The practice site, as pages and its user see it.

mod bots;
mod game;
mod instrument;
mod levels;
mod page;
