//! A request to make a game.

use super::doors::{LONGEST_REQUEST, Refused, bad};
use super::game_id::GameId;
use super::hall::Wanted;
use serde::{Deserialize, Serialize};
use shakmaty::Chess;
use torres_chess::{Side, TimeControl};

/// A request to make a game.
#[derive(Debug, Deserialize)]
struct MakeGame {
    /// How a guest wants to be named.
    #[serde(default)]
    name: Option<String>,
    /// Whether a program plays.
    #[serde(default)]
    program: bool,
    /// Absent: left to chance.
    #[serde(default)]
    color: Option<Side>,
    /// Absent: without clocks.
    #[serde(default)]
    clock: Option<torres_site::protocol::ClockSetup>,
    /// Whether it stands in the list.
    #[serde(default)]
    listed: bool,
    /// Absent: the standard start.
    #[serde(default)]
    fen: Option<String>,
}

/// The answer.
#[derive(Debug, Serialize)]
pub(super) struct GameMade {
    pub game: GameId,
}

/// The game that is asked for, by what name, and whether for a program.
pub(super) fn wanted(body: &[u8]) -> Result<(Wanted, Option<String>, bool), Refused> {
    if body.len() > LONGEST_REQUEST {
        return Err(bad("the request is too long"));
    }
    let asked: MakeGame = serde_json::from_slice(body).map_err(|error| bad(&error.to_string()))?;
    let start = match asked.fen.as_deref() {
        None => Chess::default(),
        Some(fen) => torres_chess::parse_fen(fen).map_err(|why| bad(&why))?,
    };
    let wanted = Wanted {
        color: asked.color.map(Into::into),
        control: asked.clock.map(TimeControl::from),
        listed: asked.listed,
        start,
        moves: Vec::new(),
        owned: None,
    };
    Ok((wanted, asked.name, asked.program))
}
