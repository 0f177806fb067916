//! The practice site, as pages and its user see it.

mod account_page;
mod bots;
mod cold;
mod game;
mod instrument;
mod learn;
mod learn_doors;
mod levels;
mod page;
mod pages;
mod people;
mod people_killed;
mod people_page;
mod people_servers;
mod play;
mod play_page;
#[path = "../../src/store/postgres.rs"]
mod postgres;
mod reach;
mod visitor;
