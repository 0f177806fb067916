//! Two people play each other over a network.
//!
//! [`game`] is one game as values: what a person asks goes in, what changed comes out. [`protocol`] has the messages. The hall keeps
//! the games, one task each, and writes down every change before anybody is told of it ([docs/people.md](../../docs/people.md)).

#[macro_use]
extern crate torres_printing;

pub mod game;
pub mod hall;
pub mod protocol;

mod accounts;
mod host;
mod keeper;
mod pages;
mod server;

pub use server::router;

mod fuzz_tests;
mod game_tests;
