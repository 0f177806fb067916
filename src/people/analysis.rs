//! The doors through which a page has a game's positions analysed: what they are worth, what is best there and why, and the
//! game as PGN. Only where that helps nobody against a person: in games in which a computer may play, and in games that
//! are over.

use super::change::Change;
use super::doors::{Doors, OwnPage, Refused, bad, json};
use super::game::PeopleGame;
use super::game_id::GameId;
use super::pgn;
use super::why::why;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, HOST};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move, Position, Square};
use std::collections::BTreeMap;
use torres_frame::Timestamp;
use torres_link::messages::Score;
use torres_site::game::Game;

/// The longest question, in bytes.
const LONGEST_REQUEST: usize = 200;

/// Which position of a game is looked at.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    /// The number of plies before it.
    ply: usize,
    /// A move that is tried there, UCI.
    #[serde(default, rename = "try")]
    tried: Option<String>,
}

/// What a position is worth, from White's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Worth {
    /// Hundredths of a pawn.
    Cp(i32),
    /// Moves to mate; negative where Black mates; 0 where it is mate.
    Mate(i32),
}

impl Worth {
    /// A score of the side to move.
    pub fn of(score: Score, position: &Chess) -> Worth {
        let sign = position.turn().fold_wb(1, -1);
        match score {
            Score::Cp(value) => Worth::Cp(sign * value),
            Score::Mate(moves) => Worth::Mate(sign * moves),
        }
    }
}

/// What the page is told of a position.
#[derive(Debug, Serialize)]
struct Seen {
    ply: usize,
    worth: Worth,
    /// The best move; none where the game is over.
    best: Option<Best>,
    /// The legal moves, UCI to SAN.
    legal: BTreeMap<String, String>,
}

#[derive(Debug, Serialize)]
struct Best {
    uci: String,
    san: String,
    /// Why, in words.
    why: String,
}

/// The game of this id, as it is kept.
pub(super) async fn kept(doors: &Doors, id: String) -> Result<(GameId, PeopleGame), Refused> {
    let none = || Refused(StatusCode::NOT_FOUND, "there is no such game".into());
    let id = GameId::try_from(id).map_err(|_| none())?;
    let kept = doors.hall.store().people_game(id.as_str()).await?.ok_or_else(none)?;
    let broken = || {
        Refused(
            StatusCode::SERVICE_UNAVAILABLE,
            "what is kept of this game cannot be read".into(),
        )
    };
    let start = torres_chess::parse_fen(&kept.made.start_fen).map_err(|_| broken())?;
    let control = kept.made.clock_ms.map(super::hall::control);
    let changes = kept.changes.iter().map(|(_, change)| serde_json::from_str(change));
    let changes: Vec<Change> = changes.collect::<Result<_, _>>().map_err(|_| broken())?;
    let game = PeopleGame::restored(start, control, &changes, Timestamp::now()).map_err(|_| broken())?;
    Ok((id, game))
}

/// What Torres thinks of a position of a game.
pub(super) async fn analyse(
    State(doors): State<Doors>,
    Path(id): Path<String>,
    _: OwnPage,
    body: Bytes,
) -> Result<Response, Refused> {
    if body.len() > LONGEST_REQUEST {
        return Err(bad("the question is too long"));
    }
    let asked: Asked = serde_json::from_slice(&body).map_err(|error| bad(&error.to_string()))?;
    let (_, game) = kept(&doors, id).await?;
    if game.owned().is_none() && game.end().is_none() {
        let why = "there is no help in a game of two people that goes on";
        return Err(Refused(StatusCode::FORBIDDEN, why.into()));
    }
    let all = game.game().plies();
    if asked.ply > all.len() {
        return Err(bad("the game has not so many plies"));
    }
    let mut at = Game::new(game.game().start().clone());
    for ply in &all[..asked.ply] {
        at.play(&ply.uci);
    }
    if let Some(uci) = &asked.tried {
        let tried = uci.parse::<UciMove>().ok().and_then(|uci| at.play(&uci).map(|_| ()));
        tried.ok_or_else(|| bad("that move is not legal"))?;
    }
    let seen = see(&doors, asked.ply, &at).await?;
    Ok(json(StatusCode::OK, &seen))
}

async fn see(doors: &Doors, ply: usize, at: &Game) -> Result<Seen, Refused> {
    let position = at.position();
    if let Some(ending) = at.ending() {
        let worth = match ending.winner() {
            Some(_) => Worth::Mate(0),
            None => Worth::Cp(0),
        };
        return Ok(Seen {
            ply,
            worth,
            best: None,
            legal: BTreeMap::new(),
        });
    }
    let moves: Vec<String> = at.plies().iter().map(|ply| ply.uci.to_string()).collect();
    let analysis = doors.hall.computers.analyse(torres_chess::fen(at.start()), moves).await;
    let analysis = analysis.map_err(|why| Refused(StatusCode::SERVICE_UNAVAILABLE, why))?;
    let line = legal_line(position, &analysis.line);
    let taken = at.plies().last().filter(|ply| ply.san.to_string().contains('x'));
    let taken = taken.and_then(|ply| ply.uci.to_string().get(2..4)?.parse::<Square>().ok());
    let best = line.first().map(|&first| Best {
        uci: torres_chess::uci(first),
        san: SanPlus::from_move(position.clone(), first).to_string(),
        why: why(position, &line, analysis.score, taken),
    });
    Ok(Seen {
        ply,
        worth: Worth::of(analysis.score, position),
        best,
        legal: super::protocol::legal(position),
    })
}

/// As much of an engine's line as is legal.
fn legal_line(position: &Chess, line: &[String]) -> Vec<Move> {
    let mut at = position.clone();
    line.iter()
        .map_while(|uci| {
            let played = torres_chess::parse_move(uci, &at).ok()?;
            at.play_unchecked(played);
            Some(played)
        })
        .collect()
}

/// A game as PGN.
pub(super) async fn pgn(
    State(doors): State<Doors>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    let (id, game) = kept(&doors, id).await?;
    let host = headers
        .get(HOST)
        .and_then(|host| host.to_str().ok())
        .unwrap_or_default();
    let text = pgn::write(&id, &game, host);
    let name = format!("attachment; filename=\"torres-{id}.pgn\"");
    let headers = [
        (CONTENT_TYPE, "application/vnd.chess-pgn; charset=utf-8".to_owned()),
        (CONTENT_DISPOSITION, name),
        (CACHE_CONTROL, "no-store".into()),
    ];
    Ok((headers, text).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_told_from_whites_view() {
        let white = Chess::default();
        let black = torres_chess::position_after(Chess::default(), ["e2e4"]).unwrap();
        assert_eq!(Worth::of(Score::Cp(30), &white), Worth::Cp(30));
        assert_eq!(Worth::of(Score::Cp(30), &black), Worth::Cp(-30));
        assert_eq!(Worth::of(Score::Mate(-2), &black), Worth::Mate(2));
        let told = serde_json::to_string(&Worth::of(Score::Mate(2), &black)).unwrap();
        assert_eq!(told, r#"{"mate":-2}"#);
    }

    #[test]
    fn of_an_engines_line_only_what_is_legal_is_believed() {
        let line = ["e2e4", "e7e5", "e2e4", "g1f3"].map(String::from);
        assert_eq!(legal_line(&Chess::default(), &line).len(), 2);
    }
}
