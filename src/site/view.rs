//! The game as pages are shown it.

use super::clock::Clock;
use super::game::{Game, Over};
use super::levels::LEVELS;
use super::opponents::{Engines, Opponent};
use super::protocol::{ClockState, ListedMove, ResultState, State};
use super::setup::GameSetup;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Color, Move, Position};
use std::collections::BTreeMap;
use torres_frame::Timestamp;

/// All that a page shows, as of now.
pub fn state(
    number: u32,
    (setup, engines): (&GameSetup, &Engines),
    game: &Game,
    clock: &Clock,
    over: Option<&Over>,
) -> State {
    let position = game.position();
    let players_turn = over.is_none() && position.turn() == setup.player;
    State {
        game: number,
        player: setup.player.into(),
        bot: engines.name_of(setup.opponent),
        level: match setup.opponent {
            Opponent::Level(level) => Some(level.get()),
            Opponent::Engine(_) => None,
        },
        levels: LEVELS.len(),
        bots: engines.iter().map(|engine| engine.name.clone()).collect(),
        start_fen: torres_chess::fen(game.start()),
        fen: game.fen(),
        moves: game
            .plies()
            .iter()
            .map(|ply| ListedMove {
                uci: ply.uci.to_string(),
                san: ply.san.to_string(),
            })
            .collect(),
        turn: position.turn().into(),
        check: position.is_check(),
        dests: if players_turn {
            destinations(position)
        } else {
            BTreeMap::new()
        },
        clock: clock_state(clock),
        result: over.map(|over| ResultState {
            score: over.ending.score().into(),
            reason: over.reason(),
            winner: over.ending.winner().map(Into::into),
        }),
    }
}

fn clock_state(clock: &Clock) -> ClockState {
    let now = Timestamp::now();
    let ms = |color| u64::try_from(clock.remaining(color, now).as_millis()).unwrap_or(u64::MAX);
    ClockState {
        white_ms: ms(Color::White),
        black_ms: ms(Color::Black),
        running: clock.running().map(Into::into),
    }
}

/// Legal destinations by origin. The king castles to its own square or, as on Lichess, onto the rook.
fn destinations(position: &Chess) -> BTreeMap<String, Vec<String>> {
    let mut dests: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for mv in position.legal_moves() {
        let Some(from) = mv.from() else { continue };
        let list = dests.entry(from.to_string()).or_default();
        let mut add = |to: String| {
            if !list.contains(&to) {
                list.push(to);
            }
        };
        if let Some((_, to)) = squares(mv) {
            add(to);
        }
        add(mv.to().to_string());
    }
    dests
}

fn squares(mv: Move) -> Option<(String, String)> {
    match UciMove::from_standard(mv) {
        UciMove::Normal { from, to, .. } => Some((from.to_string(), to.to_string())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use torres_chess::parse_fen;

    #[test]
    fn promotions_are_one_destination_and_castling_is_two() {
        let dests = destinations(&parse_fen("4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1").unwrap());
        assert_eq!(dests["a7"], ["a8"]);
        let mut king = dests["e1"].clone();
        king.sort();
        assert_eq!(king, ["a1", "c1", "d1", "d2", "e2", "f1", "f2", "g1", "h1"]);
    }
}
