//! What pages send, and what they get back.

use super::Learn;
use super::view::View;
use super::visitor::Visitor;
use axum::body::Bytes;
use axum::extract::{FromRequest, Path, Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use shakmaty::Square;
use shakmaty::uci::UciMove;
use torres_lessons::{Input, Marks, Outcome, Progress, Stale, Step, Verdict, judge, situation, typed};
use torres_loopback::Doorkeeper;

/// The longest text that a learner may type.
const LONGEST: usize = 40;

/// What a learner did, as a page says it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Said {
    /// A move on the board.
    Move {
        /// UCI.
        uci: String,
    },
    /// A click on a square.
    Click {
        /// Its name.
        square: String,
    },
    /// An answer, by its place.
    Option {
        /// From 0.
        option: usize,
    },
    /// A typed move or square.
    Typed {
        /// As it was typed.
        text: String,
    },
    /// The next hint, please.
    Hint {},
    /// Begin the step anew.
    Restart {},
    /// Show the solution: for puzzles alone.
    Solution {},
}

/// What a page is told.
#[derive(Debug, Serialize)]
pub(super) struct Told {
    /// `right`, `wrong`, `illegal`, `again`, `finished`, `hint`, `ignored`, `restarted`, `given_up`.
    pub outcome: &'static str,
    /// What is said to the learner.
    pub said: Option<String>,
    /// What is shown.
    pub view: View,
}

/// JSON of the site's own page.
pub(super) struct OwnJson<J>(pub J);

impl<J: DeserializeOwned> FromRequest<Learn> for OwnJson<J> {
    type Rejection = Response;

    async fn from_request(request: Request, learn: &Learn) -> Result<OwnJson<J>, Response> {
        let headers: &HeaderMap = request.headers();
        let keeper = request.extensions().get::<Doorkeeper>();
        if !keeper.is_some_and(|keeper| keeper.is_own_page(headers)) {
            return Err((StatusCode::FORBIDDEN, "only the site's own pages may use this door\n").into_response());
        }
        if headers.get(CONTENT_TYPE).is_none_or(|kind| kind != "application/json") {
            return Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, "this door takes application/json\n").into_response());
        }
        let body = Bytes::from_request(request, learn)
            .await
            .map_err(IntoResponse::into_response)?;
        let read = read(&body).map(OwnJson);
        read.map_err(|why| (StatusCode::BAD_REQUEST, format!("not a message of this page: {why}\n")).into_response())
    }
}

/// A message, or what is wrong with it.
pub(super) fn read<J: DeserializeOwned>(body: &[u8]) -> Result<J, String> {
    serde_json::from_slice(body).map_err(|error| torres_printing::shortened(&error.to_string(), 300))
}

/// The door of a lesson's step.
pub(super) async fn step(
    State(learn): State<Learn>,
    Path((lesson, number)): Path<(String, String)>,
    visitor: Visitor,
    OwnJson(said): OwnJson<Said>,
) -> Result<Response, Response> {
    let Some(found) = learn.find(&lesson, &number) else {
        return Err((StatusCode::NOT_FOUND, "there is no such step\n").into_response());
    };
    let kept = learn.progress(&visitor.learner, &found).await?;
    let (progress, told) = answered(&learn, found.step, kept, &said, None).await?;
    learn.keep(&visitor.learner, &found, &progress).await?;
    Ok(visitor.answered(json(&told)))
}

/// What becomes of what a learner said in a step: where they are then, and what they are told. A progress that is not
/// of this step is forgotten.
pub(super) async fn answered(
    learn: &Learn,
    step: &Step,
    before: Progress,
    said: &Said,
    lead: Option<UciMove>,
) -> Result<(Progress, Told), Response> {
    let before = match situation(step, &before) {
        Ok(_) if *said == (Said::Restart {}) => begun_anew(before),
        Ok(_) => before,
        Err(Stale) => Progress::default(),
    };
    let (verdict, marks) = match input(step, &before, said) {
        Ok(input) => judged(learn, step, &before, &input).await?,
        Err(outcome) => (
            Verdict {
                progress: before,
                outcome: Outcome::Ignored,
                said: outcome,
            },
            step.marks.clone(),
        ),
    };
    let outcome = match (&verdict.outcome, said) {
        (_, Said::Restart {}) => "restarted",
        (Outcome::Right { .. } | Outcome::Ask { .. } | Outcome::Replied, _) => "right",
        (Outcome::Wrong, _) => "wrong",
        (Outcome::Illegal, _) => "illegal",
        (Outcome::Again, _) => "again",
        (Outcome::Finished { .. }, _) => "finished",
        (Outcome::Hint(_), _) => "hint",
        (Outcome::Ignored, _) => "ignored",
    };
    let view = View::of(step, &verdict.progress, &marks, lead).map_err(stale)?;
    let told = Told {
        outcome,
        said: verdict.said,
        view,
    };
    Ok((verdict.progress, told))
}

/// Beginning anew takes no mistake back.
pub(super) fn begun_anew(progress: Progress) -> Progress {
    Progress {
        moves: Vec::new(),
        clicked: Vec::new(),
        ..progress
    }
}

/// The judge's input, or what is said where there is none.
pub(super) fn input(step: &Step, progress: &Progress, said: &Said) -> Result<Input, Option<String>> {
    let no_move = |_| Some(String::from("That is not a move."));
    match said {
        Said::Move { uci } => uci.parse().map(Input::Move).map_err(no_move),
        Said::Click { square } => square.parse::<Square>().map(Input::Click).map_err(|_| None),
        Said::Option { option } => Ok(Input::Option(*option)),
        Said::Hint {} => Ok(Input::Hint),
        Said::Restart {} | Said::Solution {} => Err(None),
        Said::Typed { text } => {
            let now = situation(step, progress).map_err(|_| None)?;
            let short: String = text.chars().take(LONGEST).collect();
            typed(step, &now, &short).map_err(|why| Some(why.to_string()))
        }
    }
}

/// The verdict, the engine's reply included where one is asked for, and the marks to be shown with it.
async fn judged(learn: &Learn, step: &Step, before: &Progress, input: &Input) -> Result<(Verdict, Marks), Response> {
    let mut verdict = judge(step, before, input).map_err(stale)?;
    if let Outcome::Ask { fen } = &verdict.outcome {
        let position = torres_chess::parse_fen(fen).map_err(|why| no_reply(&why))?;
        let reply = (learn.0.reply)(position)
            .await
            .map_err(|error| no_reply(&error.to_string()))?;
        verdict = judge(step, &verdict.progress, &Input::Reply(reply)).map_err(stale)?;
    }
    let marks = match verdict.outcome {
        Outcome::Hint(shown) => step.hints.get(shown).map(|hint| hint.marks.clone()).unwrap_or_default(),
        Outcome::Wrong | Outcome::Illegal | Outcome::Again | Outcome::Ignored => step.marks.clone(),
        Outcome::Right { .. } | Outcome::Ask { .. } | Outcome::Replied | Outcome::Finished { .. } => Marks::default(),
    };
    Ok((verdict, marks))
}

fn no_reply(why: &str) -> Response {
    tracing::error!("the engine does not reply to a learner: {why}");
    (
        StatusCode::SERVICE_UNAVAILABLE,
        "the engine does not reply; try again\n",
    )
        .into_response()
}

/// What was just made to fit does not.
fn stale(error: Stale) -> Response {
    (StatusCode::CONFLICT, error.to_string()).into_response()
}

/// A value as JSON.
pub(super) fn json(value: &impl Serialize) -> Response {
    match serde_json::to_string(value) {
        Ok(text) => ([(CONTENT_TYPE, "application/json")], text).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
