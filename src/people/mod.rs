//! Two people play each other over a network, or somebody plays a computer of this server.
//!
//! [`game`] is one game as values: what a [`person`] asks ([`command`]) goes in, what changed ([`change`]) comes out. [`protocol`] has the messages.
//! The hall keeps the games, one task each, and writes down every change before anybody is told of it
//! ([docs/people.md](../../docs/people.md)). A [`computer`] that has a seat is asked for its moves by the game's task,
//! through [`computers`].

mod computer;
pub mod computers;
mod game;
pub mod hall;
mod protocol;

mod account_pages;
mod accounts;
mod analysis;
mod announcement;
mod attendance;
mod change;
mod command;
mod connection;
mod doors;
mod elsewhere;
mod game_id;
mod game_page;
mod game_request;
mod host;
mod keeper;
mod mistakes;
mod pages;
mod person;
mod pgn;
mod play;
mod play_page;
mod position;
mod server;
mod strength;
mod thought;
mod to_host;
mod why;

pub use elsewhere::open_hall;
pub use server::router;

mod fuzz_tests;
mod game_tests;
mod owned_tests;
