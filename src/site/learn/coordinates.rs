//! The coordinates trainer: a round of 30 seconds, timed here.

use super::doors::{OwnJson, json};
use super::visitor::{Visitor, failed};
use super::{Learn, MOST_ROUNDS, STYLES};
use crate::layout::{Page, Section};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::html;
use serde::{Deserialize, Serialize};
use shakmaty::Square;
use torres_frame::WallTime;
use torres_geometry::Orientation;
use torres_lessons::coordinates::{ROUND_MS, Round};

/// A learner's round, and from which side the board is seen.
#[derive(Clone, Copy)]
pub(super) struct Running {
    round: Round,
    bottom: Orientation,
}

/// What the page says.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Said {
    /// Begin a round.
    Start {
        /// From this side.
        bottom: Orientation,
    },
    /// A click on a square.
    Click {
        /// Its name.
        square: String,
    },
    /// The page's clock has run out.
    Over {},
}

/// What the page is told.
#[derive(Debug, Serialize)]
struct Told {
    /// The square to be found; none when the round is over.
    asked: Option<String>,
    right: u32,
    wrong: u32,
    left_ms: u64,
    /// The best round from this side, told at the end.
    best: Option<u32>,
}

/// The trainer.
pub(super) async fn page(State(learn): State<Learn>, visitor: Visitor) -> Result<Response, Response> {
    let best = |bottom| learn.0.store.coordinates_best(&visitor.learner, bottom);
    let (white, black) = (
        best(Orientation::White).await.map_err(failed)?,
        best(Orientation::Black).await.map_err(failed)?,
    );
    let page = Page {
        title: "Coordinates",
        section: Section::Learn,
        styles: &STYLES,
        script: Some("/coordinates.js"),
        board: true,
        main: html! {
            div class="table" {
                div class="task" {
                    p class="crumbs" { a href="/learn" { "Lessons" } " › Coordinates" }
                    h1 { "Find the square" }
                    p { "Squares are named, you click them. As many as you can in " (ROUND_MS / 1000) " seconds." }
                    p id="asked" role="status" aria-label="Square to find" {}
                }
                div class="board-place" {
                    div id="board" class="cg-wrap" tabindex="0" role="application" aria-label="Chess board" aria-describedby="board-keys" {}
                    p id="board-keys" class="unseen" { "Arrow keys go from square to square, Enter chooses one." }
                    p id="board-says" class="unseen" aria-live="polite" {}
                }
                div class="help" {
                    p class="scores" {
                        span { "Found " strong id="right" { "0" } }
                        span { "Missed " strong id="wrong" { "0" } }
                        span { "Seconds " strong id="left" { (ROUND_MS / 1000) } }
                    }
                    fieldset id="side" {
                        legend { "Seen from" }
                        label { input type="radio" name="bottom" value="white" checked; span { "White" } }
                        label { input type="radio" name="bottom" value="black"; span { "Black" } }
                    }
                    button id="start" class="button primary" type="button" { "Start" }
                    p id="says" role="status" {}
                    p class="best" { "Best as White " strong id="best-white" { (white) } ", as Black " strong id="best-black" { (black) } "." }
                }
            }
        },
    };
    Ok(visitor.answered(page))
}

/// Takes a round up; false where too many are running.
fn begin(learn: &Learn, visitor: &Visitor, running: Running, now: u64) -> bool {
    let mut rounds = learn.rounds();
    if rounds.len() >= MOST_ROUNDS {
        rounds.retain(|_, running| running.round.left_ms(now).is_some());
    }
    let has_room = rounds.len() < MOST_ROUNDS;
    if has_room {
        rounds.insert(visitor.learner.clone(), running);
    }
    has_room
}

fn no_round() -> Response {
    (StatusCode::CONFLICT, "there is no round\n").into_response()
}

/// The trainer's door.
pub(super) async fn door(
    State(learn): State<Learn>,
    visitor: Visitor,
    OwnJson(said): OwnJson<Said>,
) -> Result<Response, Response> {
    let now = learn.now_ms();
    let running = match said {
        Said::Start { bottom } => {
            let seed = WallTime::now().as_ms().to_bits();
            let running = Running {
                round: Round::new(seed, now),
                bottom,
            };
            if !begin(&learn, &visitor, running, now) {
                return Err((StatusCode::SERVICE_UNAVAILABLE, "too many rounds at once; try again\n").into_response());
            }
            running
        }
        Said::Click { square } => {
            let Ok(square) = square.parse::<Square>() else {
                return Err((StatusCode::BAD_REQUEST, "not a square\n").into_response());
            };
            let mut rounds = learn.rounds();
            let running = rounds.get_mut(&visitor.learner).ok_or_else(no_round)?;
            if let Some(after) = running.round.clicked(square, now) {
                running.round = after;
            }
            *running
        }
        Said::Over {} => *learn.rounds().get(&visitor.learner).ok_or_else(no_round)?,
    };
    let Running { round, bottom } = running;
    let left = round.left_ms(now);
    let best = match left {
        Some(_) => None,
        None => {
            learn.rounds().remove(&visitor.learner);
            let kept = learn
                .0
                .store
                .keep_coordinates(&visitor.learner, bottom, round.right)
                .await;
            Some(kept.map_err(failed)?)
        }
    };
    let told = Told {
        asked: left.map(|_| round.asked().to_string()),
        right: round.right,
        wrong: round.wrong,
        left_ms: left.unwrap_or_default(),
        best,
    };
    Ok(visitor.answered(json(&told)))
}
