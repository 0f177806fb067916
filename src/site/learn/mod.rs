//! The pages of learning: lessons, puzzles, the names of squares.
//!
//! Pages are made here (`pages`), and so is every verdict: a page sends what the learner did to a JSON door ([`doors`])
//! and shows what comes back ([`view`]). How far a learner is lies in the store; who a learner is says a cookie
//! ([`visitor`]). Where a lesson is played against the engine, the engine is asked as the bot asks it.

mod coordinates;
mod course;
mod doors;
#[cfg(test)]
mod fuzz_tests;
mod own;
mod pages;
mod puzzles;
mod view;
mod visitor;

use super::bot::{Bot, BotError, Turn};
use super::opponents::Strength;
use crate::layout::{self, Section};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use futures_util::future::BoxFuture;
use shakmaty::Chess;
use shakmaty::uci::UciMove;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use torres_frame::WallTime;
use torres_lessons::puzzle::{self, Puzzle};
use torres_lessons::{Lesson, shelf};
use torres_link::Thinker;
use torres_link::messages::Limits;
use torres_store::{LearnerId, Store};

/// The longest message of a page, in bytes.
const MAX_MESSAGE: usize = 4 * 1024;
/// How the engine plays a learner: enough to hold any ending of the lessons.
const REPLY: Limits = Limits {
    depth: Some(14),
    nodes: Some(300_000),
    move_ms: Some(2_000),
    white_ms: None,
    black_ms: None,
    white_inc_ms: None,
    black_inc_ms: None,
};
/// More rounds of the coordinates trainer than these are not kept at once.
const MOST_ROUNDS: usize = 10_000;

/// What these pages look like, beside what all pages do.
const STYLES: [&str; 1] = ["/learn.css"];

/// The engine's best move in a position that has one.
type Reply = Arc<dyn Fn(Chess) -> BoxFuture<'static, Result<UciMove, BotError>> + Send + Sync>;

/// What the pages of learning stand on.
#[derive(Clone)]
pub(crate) struct Learn(Arc<Shared>);

struct Shared {
    store: Store,
    lessons: Vec<Lesson>,
    puzzles: Vec<Puzzle>,
    reply: Reply,
    /// The time of the rounds' clock.
    started: Instant,
    rounds: Mutex<HashMap<LearnerId, coordinates::Running>>,
}

impl Learn {
    /// Lessons and puzzles that Torres brings. The engine is asked through this bot.
    pub fn new<T: Thinker + 'static>(store: Store, bot: Arc<tokio::sync::Mutex<Bot<T>>>) -> Learn {
        let reply: Reply = Arc::new(move |position| {
            let bot = Arc::clone(&bot);
            Box::pin(async move { best_move(&bot, position).await })
        });
        Learn(Arc::new(Shared {
            store,
            lessons: shelf::lessons(),
            // A test reads each.
            puzzles: puzzle::puzzles("lichess.csv", puzzle::BROUGHT).unwrap_or_default(),
            reply,
            started: Instant::now(),
            rounds: Mutex::new(HashMap::new()),
        }))
    }

    /// The pages and their doors.
    pub fn router(self) -> Router {
        Router::new()
            .route("/learn", get(pages::course))
            .route("/learn/coordinates", get(coordinates::page).post(coordinates::door))
            .route("/learn/{lesson}", get(pages::lesson))
            .route("/learn/{lesson}/{step}", get(pages::step).post(doors::step))
            .route("/puzzles", get(puzzles::page).post(puzzles::door))
            .route("/puzzles/own", get(own::page).post(own::door))
            .layer(DefaultBodyLimit::max(MAX_MESSAGE))
            .with_state(self)
    }

    fn rounds(&self) -> MutexGuard<'_, HashMap<LearnerId, coordinates::Running>> {
        self.0.rounds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Milliseconds since the site was started.
    fn now_ms(&self) -> u64 {
        u64::try_from(self.0.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

async fn best_move<T: Thinker>(bot: &tokio::sync::Mutex<Bot<T>>, position: Chess) -> Result<UciMove, BotError> {
    let turn = Turn {
        game: 0,
        strength: Strength::Limits(REPLY),
        start_fen: torres_chess::fen(&position),
        moves: Vec::new(),
        position,
        // No script stages a lesson.
        own_moves: usize::MAX,
        time_left: Duration::from_secs(3600),
    };
    Ok(bot.lock().await.reply(&turn).await?.uci)
}

/// A page that says what is not there, or did not work, and leads back to the lessons.
fn trouble(status: StatusCode, title: &str, what: &str) -> Response {
    layout::trouble(Section::Learn, status, title, what, ("/learn", "To the lessons"))
}

/// The day, counted from 1970-01-01 in UTC.
fn today() -> u32 {
    (WallTime::now().as_ms() / 86_400_000.0) as u32
}
