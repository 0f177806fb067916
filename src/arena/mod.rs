//! Matches between engines, and what they say about strength.
//!
//! An engine is measured against others: any that speaks UCI, with limits for each side, from openings that are played
//! with both colours. Games go to disk as they end, so that a match of a thousand games may be broken off and go on.
//! The rules are `shakmaty`'s; the referee trusts no engine, and loses, crashes and illegal moves are counted by name.
//!
//! | file | what it holds |
//! |---|---|
//! | [`limits`], [`openings`] | what a match is made of |
//! | [`contender`] | an engine, how it is started, and the running one |
//! | [`game`] | one game and its referee |
//! | [`mod@matches`] | the schedule, several games at once |
//! | [`record`] | games on disk |
//! | [`selfplay`] | our own engine's games against itself, to files of [`data`](torres_data) |
//! | [`tuner`] | weights of the evaluation from these games |
//! | [`score`], [`report`], [`plot`] | points, Elo and their intervals; the table; the picture |
//! | [`sprt`] | the sequential test that ends a match when its games tell enough |
//! | [`standings`] | the same for games that were played over the screen |

pub mod contender;
pub mod game;
pub mod limits;
mod lines;
pub mod matches;
pub mod openings;
pub mod plot;
pub mod record;
pub mod report;
mod score;
pub mod selfplay;
pub mod sprt;
pub mod standings;
pub mod tuner;
