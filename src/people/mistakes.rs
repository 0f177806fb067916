//! The door through which a player's own mistakes become puzzles of theirs (`src/site/learn/own.rs` trains them).

use super::analysis::{Worth, kept};
use super::doors::{Doors, OwnPost, Refused, bad, json};
use super::game::PeopleGame;
use super::person::PersonId;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Color, Position};
use torres_frame::WallTime;
use torres_lessons::rating::{Rating, after_try};
use torres_site::game::Game;
use torres_store::{KeptRating, OwnPuzzle};

/// The longest request, in bytes.
const LONGEST_REQUEST: usize = 200;
/// The most mistakes of a game that are kept.
const MOST: usize = 3;
/// How much of one's chances a mistake loses at least; between lost and won lie 2. As in `help.js`.
const MISTAKE: f64 = 0.1;
/// What a move may lose that is as good as the best. As in `game.js`.
const AS_GOOD: f64 = 0.05;

/// Which moves of the game were mistakes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    /// How many plies were played before each.
    plies: Vec<usize>,
}

/// The answer.
#[derive(Debug, Serialize)]
struct Kept {
    /// How many of them are puzzles of the player's, now or before.
    kept: usize,
}

/// Makes puzzles of a player's mistakes in a game that is over.
pub(super) async fn keep(
    State(doors): State<Doors>,
    Path(id): Path<String>,
    post: OwnPost,
) -> Result<Response, Refused> {
    if post.body.len() > LONGEST_REQUEST {
        return Err(bad("the request is too long"));
    }
    let asked: Asked = serde_json::from_slice(&post.body).map_err(|error| bad(&error.to_string()))?;
    let visitor = doors.visitor(&post.keeper, &post.headers).await?;
    let (id, game) = kept(&doors, id).await?;
    if game.end().is_none() {
        return Err(Refused(StatusCode::FORBIDDEN, "the game goes on".into()));
    }
    let own = PersonId(visitor.learner.as_str().to_owned());
    let (store, mut kept) = (doors.hall.store(), 0);
    let rating = store.puzzle_rating(&visitor.learner).await?;
    let rating = rating.map_or_else(Rating::default, |kept| Rating {
        rating: kept.rating,
        deviation: kept.deviation,
        volatility: kept.volatility,
    });
    let known = store.own_puzzles(&visitor.learner).await?;
    // In the game it was tried for the first time.
    let (_, hard) = after_try(rating, Rating::default(), false);
    for ply in asked.plies.into_iter().take(MOST) {
        let Some(mistake) = Mistake::of(&game, &own, ply) else {
            return Err(bad("that is no move of yours"));
        };
        let name = format!("{id}-{ply}");
        if known.iter().any(|puzzle| puzzle.id == name) {
            kept += 1;
            continue;
        }
        let unavailable = |why| Refused(StatusCode::SERVICE_UNAVAILABLE, why);
        let Some(accept) = mistake.better(&doors).await.map_err(unavailable)? else {
            continue;
        };
        let puzzle = OwnPuzzle {
            id: name,
            before: mistake.before,
            lead: mistake.lead,
            accept,
            played: mistake.played,
            rating: KeptRating {
                rating: hard.rating,
                deviation: hard.deviation,
                volatility: hard.volatility,
            },
            state: None,
            card: None,
        };
        store
            .keep_own_puzzle(&visitor.learner, &puzzle, WallTime::now())
            .await?;
        kept += 1;
    }
    Ok(visitor.greet(json(StatusCode::OK, &Kept { kept })))
}

/// A move of somebody's that may have been a mistake.
struct Mistake {
    /// Where the game began, as FEN, and the moves before this one, UCI.
    start: String,
    moves: Vec<String>,
    /// The position before the other side's last move, as FEN, and that move.
    before: String,
    lead: String,
    /// The position of the mistake, and the move.
    position: Chess,
    played: String,
}

impl Mistake {
    /// The move after `ply` plies, if it is this player's and follows one of the other's.
    fn of(game: &PeopleGame, own: &PersonId, ply: usize) -> Option<Mistake> {
        let rules = game.game();
        let plies = rules.plies();
        let (played, lead) = (plies.get(ply)?, plies.get(ply.checked_sub(1)?)?);
        let seat = game.seats().get(played.mover).as_ref();
        seat.filter(|person| person.id == *own)?;
        let mut at = Game::new(rules.start().clone());
        let mut before = at.position().clone();
        for ply in &plies[..ply] {
            before = at.position().clone();
            at.play(&ply.uci);
        }
        Some(Mistake {
            start: torres_chess::fen(rules.start()),
            moves: plies[..ply].iter().map(|ply| ply.uci.to_string()).collect(),
            before: torres_chess::fen(&before),
            lead: lead.uci.to_string(),
            position: at.position().clone(),
            played: played.uci.to_string(),
        })
    }

    /// The moves that were as good as the best, that one first; none where this was no mistake.
    async fn better(&self, doors: &Doors) -> Result<Option<Vec<String>>, String> {
        let computers = &doors.hall.computers;
        let mover = self.position.turn();
        let analysis = computers.analyse(self.start.clone(), self.moves.clone()).await?;
        let Some(best) = analysis.line.first().cloned() else {
            return Ok(None);
        };
        let most = chances(Worth::of(analysis.score, &self.position), mover);
        if most - self.chances_after(doors, &self.played, false).await? < MISTAKE {
            return Ok(None);
        }
        let legal = torres_chess::uci_line(&self.position.legal_moves());
        let mut good = vec![best];
        for uci in legal {
            let is_new = good[0] != uci && uci != self.played;
            if is_new && most - self.chances_after(doors, &uci, true).await? <= AS_GOOD {
                good.push(uci);
            }
        }
        Ok(Some(good))
    }

    /// The mover's chances after a legal move, by a quick analysis or a full one.
    async fn chances_after(&self, doors: &Doors, uci: &str, quickly: bool) -> Result<f64, String> {
        let mover = self.position.turn();
        let mut at = Game::new(torres_chess::parse_fen(&self.start)?);
        for uci in self.moves.iter().map(String::as_str).chain([uci]) {
            at.play(&uci.parse().map_err(|_| "not a move")?);
        }
        if let Some(ending) = at.ending() {
            return Ok(match ending.winner() {
                Some(winner) => {
                    if winner == mover {
                        1.0
                    } else {
                        -1.0
                    }
                }
                None => 0.0,
            });
        }
        let (start, moves) = (self.start.clone(), [&self.moves[..], &[uci.to_owned()]].concat());
        let analysis = match quickly {
            true => doors.hall.computers.analyse_quickly(start, moves).await?,
            false => doors.hall.computers.analyse(start, moves).await?,
        };
        Ok(chances(Worth::of(analysis.score, at.position()), mover))
    }
}

/// How much a worth is for a side, from -1 (lost) to 1 (won), as `help.js` has it. Not for a position that is mate.
fn chances(worth: Worth, side: Color) -> f64 {
    let white = match worth {
        Worth::Cp(value) => 2.0 / (1.0 + (-0.003_682_08 * f64::from(value)).exp()) - 1.0,
        Worth::Mate(moves) => f64::from(moves.signum()),
    };
    side.fold_wb(white, -white)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_each_sides_own_and_even_out() {
        for (worth, white) in [
            (Worth::Cp(0), 0.0),
            (Worth::Cp(100), 0.1820),
            (Worth::Cp(-1000), -0.9510),
            (Worth::Mate(3), 1.0),
            (Worth::Mate(-1), -1.0),
        ] {
            assert!((chances(worth, Color::White) - white).abs() < 1e-3, "{worth:?}");
            assert!((chances(worth, Color::Black) + white).abs() < 1e-3, "{worth:?}");
        }
    }
}
