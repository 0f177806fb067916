//! Puzzles near the learner's strength, rated by the first try; and what they share with those from the learner's own
//! games ([`own`](super::own)).

use super::doors::{OwnJson, Said, Told, answered, json};
use super::pages::{board, feedback, tools};
use super::view::View;
use super::visitor::{Visitor, failed};
use super::{Learn, STYLES, trouble};
use crate::layout::{Page, Section};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use serde::Serialize;
use shakmaty::san::SanPlus;
use shakmaty::{Move, Position};
use torres_frame::WallTime;
use torres_lessons::puzzle::{Puzzle, suited};
use torres_lessons::rating::{Rating, after_puzzle};
use torres_lessons::{Accept, Progress, Stale, Task};
use torres_store::{KeptRating, LearnerId, ShownPuzzle};

/// What a page is told after a try.
#[derive(Debug, Serialize)]
pub(super) struct ToldOfPuzzle {
    #[serde(flatten)]
    told: Told,
    /// The rating, in whole points.
    rating: i64,
    /// How it changed by this puzzle, once that is decided.
    change: Option<i64>,
    /// What the puzzle was about and its solution, once it is over.
    about: Option<String>,
}

/// The next puzzle, or the one that was left.
pub(super) async fn page(State(learn): State<Learn>, visitor: Visitor) -> Result<Response, Response> {
    let learner = &visitor.learner;
    let rating = learn.rating(learner).await?;
    let (puzzle, progress) = learn.shown(learner, rating).await?;
    let from = html! { "Puzzles of " a href="https://database.lichess.org/#puzzles" { "Lichess" } ", CC0." };
    let page = trainer(puzzle, &progress, rating, Kind::All, &from).map_err(stale)?;
    Ok(visitor.answered(page))
}

/// Which puzzles are trained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Those that Torres brings.
    All,
    /// Those from the learner's own games.
    Own,
}

const KINDS: [(Kind, &str, &str); 2] = [
    (Kind::All, "/puzzles", "All puzzles"),
    (Kind::Own, "/puzzles/own", "From your games"),
];

impl Kind {
    fn address(self) -> &'static str {
        match self {
            Kind::All => "/puzzles",
            Kind::Own => "/puzzles/own",
        }
    }
}

/// The choice between kinds, this one chosen.
pub(super) fn kinds(chosen: Kind) -> Markup {
    html! {
        p class="kinds" {
            @for (kind, address, name) in KINDS {
                a href=(address) aria-current=[(kind == chosen).then_some("page")] { (name) }
            }
        }
    }
}

/// A puzzle as its page shows it; `from` says where it comes from.
pub(super) fn trainer(
    puzzle: &Puzzle,
    progress: &Progress,
    rating: Rating,
    kind: Kind,
    from: &Markup,
) -> Result<Response, Stale> {
    let view = View::of(&puzzle.step, progress, &puzzle.step.marks, Some(puzzle.lead))?;
    let page = Page {
        title: "Puzzles",
        section: Section::Puzzles,
        styles: &STYLES,
        script: Some("/step.js"),
        board: true,
        main: html! {
            div class="table" {
                div class="task" {
                    (kinds(kind))
                    p class="rating" {
                        "Your rating " strong id="rating" { (points(rating)) @if rating.is_provisional() { "?" } }
                        " " span id="change" {}
                    }
                    h1 id="ask" { (puzzle.step.ask) }
                }
                (board(&view))
                div class="help" {
                    (feedback())
                    a id="next" class="button primary" hidden href=(kind.address()) { "Next puzzle" }
                    p id="about" hidden {}
                    (tools(&puzzle.step.task))
                    button id="solution" type="button" { "Show the solution" }
                    p class="source" { (from) }
                }
            }
        },
    };
    Ok(page.into_response())
}

/// The door of the puzzle that a learner has before them. The first mistake, hint or request for the solution decides
/// that it was not solved; it may still be played to its end.
pub(super) async fn door(
    State(learn): State<Learn>,
    visitor: Visitor,
    OwnJson(said): OwnJson<Said>,
) -> Result<Response, Response> {
    let learner = &visitor.learner;
    let rating = learn.rating(learner).await?;
    let (puzzle, before) = learn.shown(learner, rating).await?;
    let (progress, told) = learn.tried(learner, rating, puzzle, &puzzle.id, before, &said).await?;
    learn.keep_shown(learner, puzzle, &progress).await?;
    Ok(visitor.answered(json(&told)))
}

/// A progress that does not fit its puzzle.
pub(super) fn stale(error: Stale) -> Response {
    (StatusCode::CONFLICT, error.to_string()).into_response()
}

impl Learn {
    /// What becomes of what a learner said to a puzzle; its first try, kept under this name, is rated.
    pub(super) async fn tried(
        &self,
        learner: &LearnerId,
        rating: Rating,
        puzzle: &Puzzle,
        name: &str,
        before: Progress,
        said: &Said,
    ) -> Result<(Progress, ToldOfPuzzle), Response> {
        let (mut progress, mut told) = answered(self, &puzzle.step, before, said, Some(puzzle.lead)).await?;
        if *said == (Said::Solution {}) {
            progress.finished = true;
            progress.mistakes += 1;
            told.outcome = "given_up";
            told.said = Some("Next time.".into());
            told.view = View::of(&puzzle.step, &progress, &puzzle.step.marks, Some(puzzle.lead)).map_err(stale)?;
        }
        let clean = is_clean(&progress);
        let mut now = rating;
        let mut change = None;
        if progress.finished || !clean {
            let after = after_puzzle(rating, puzzle.rating, clean);
            let tried = WallTime::now();
            let counted = self
                .0
                .store
                .keep_attempt(learner, name, clean, kept(after), tried)
                .await;
            if counted.map_err(failed)? {
                now = after;
                change = Some(points(after) - points(rating));
            }
        }
        let about = progress.finished.then(|| about(puzzle));
        let told = ToldOfPuzzle {
            told,
            rating: points(now),
            change,
            about,
        };
        Ok((progress, told))
    }

    pub(super) async fn rating(&self, learner: &LearnerId) -> Result<Rating, Response> {
        let kept = self.0.store.puzzle_rating(learner).await.map_err(failed)?;
        Ok(kept.map_or_else(Rating::default, rated))
    }

    /// The puzzle that a learner has before them; a new one where there is none, or it is over.
    async fn shown(&self, learner: &LearnerId, rating: Rating) -> Result<(&Puzzle, Progress), Response> {
        let shown = self.0.store.shown_puzzle(learner).await.map_err(failed)?;
        let find = |shown: &ShownPuzzle| {
            let puzzle = self.0.puzzles.iter().find(|puzzle| puzzle.id == shown.puzzle)?;
            let progress: Progress = serde_json::from_str(&shown.state).ok()?;
            let fits = View::of(&puzzle.step, &progress, &puzzle.step.marks, None).is_ok();
            (fits && !progress.finished).then_some((puzzle, progress))
        };
        if let Some(open) = shown.as_ref().and_then(find) {
            return Ok(open);
        }
        let tried = self.0.store.attempts(learner).await.map_err(failed)?;
        let is_new = |puzzle: &Puzzle| tried.iter().all(|(id, _)| *id != puzzle.id);
        let is_other = |puzzle: &Puzzle| shown.as_ref().is_none_or(|shown| shown.puzzle != puzzle.id);
        // Who has tried all gets them again, unrated.
        let next = suited(&self.0.puzzles, rating, is_new).or_else(|| suited(&self.0.puzzles, rating, is_other));
        let Some(puzzle) = next else {
            return Err(trouble(StatusCode::NOT_FOUND, "No puzzle", "There is no puzzle here."));
        };
        self.keep_shown(learner, puzzle, &Progress::default()).await?;
        Ok((puzzle, Progress::default()))
    }

    async fn keep_shown(&self, learner: &LearnerId, puzzle: &Puzzle, progress: &Progress) -> Result<(), Response> {
        let shown = ShownPuzzle {
            puzzle: puzzle.id.clone(),
            state: serde_json::to_string(progress).unwrap_or_default(),
        };
        self.0.store.keep_shown_puzzle(learner, &shown).await.map_err(failed)
    }
}

fn points(rating: Rating) -> i64 {
    rating.rating.round() as i64
}

/// Whether a puzzle was done without a mistake and without help, so far.
pub(super) fn is_clean(progress: &Progress) -> bool {
    progress.mistakes == 0 && progress.hints == 0
}

/// A rating as it is used.
pub(super) fn rated(kept: KeptRating) -> Rating {
    Rating {
        rating: kept.rating,
        deviation: kept.deviation,
        volatility: kept.volatility,
    }
}

/// A rating as it is kept.
pub(super) fn kept(rating: Rating) -> KeptRating {
    KeptRating {
        rating: rating.rating,
        deviation: rating.deviation,
        volatility: rating.volatility,
    }
}

/// What a puzzle was about, and how it is solved.
fn about(puzzle: &Puzzle) -> String {
    let Task::Line { start, plies } = &puzzle.step.task else {
        return String::new();
    };
    let (mut position, mut line) = (start.clone(), Vec::new());
    for ply in plies {
        let right = |played: &&Move| ply.accept.takes(&position, **played);
        let first = match &ply.accept {
            Accept::These(moves) => moves.first().and_then(|uci| uci.to_move(&position).ok()),
            Accept::AllBut(_) | Accept::Every(_) => None,
        };
        let Some(played) = first.or_else(|| position.legal_moves().iter().find(right).copied()) else {
            break;
        };
        line.push(SanPlus::from_move_and_play_unchecked(&mut position, played).to_string());
        if let Some(reply) = ply.reply.and_then(|reply| reply.to_move(&position).ok()) {
            line.push(SanPlus::from_move_and_play_unchecked(&mut position, reply).to_string());
        }
    }
    let themes: Vec<String> = puzzle.themes.iter().map(|theme| plain(theme)).collect();
    let about = if themes.is_empty() {
        String::new()
    } else {
        format!(": {}", themes.join(", "))
    };
    format!("Solution: {}. Rated {}{about}.", line.join(" "), points(puzzle.rating))
}

/// A theme of the database in words: `mateIn2` is "mate in 2".
fn plain(theme: &str) -> String {
    let mut words = String::new();
    for letter in theme.chars() {
        let digit_begins = letter.is_ascii_digit() && !words.ends_with(|last: char| last.is_ascii_digit());
        if letter.is_uppercase() || digit_begins {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use torres_lessons::puzzle::{BROUGHT, puzzles};

    #[test]
    fn a_puzzle_tells_its_solution_and_its_themes_in_words() {
        assert_eq!(plain("mateIn2"), "mate in 2");
        assert_eq!(plain("xRayAttack"), "x ray attack");
        let all = puzzles("lichess.csv", BROUGHT).unwrap();
        // The first of the file: e5e3 f2e3 f6a1 a7a1 a8a1 in SAN, from its position.
        let told = about(&all[0]);
        assert!(
            told.starts_with("Solution: Rxe3+ fxe3 Qxa1+ Rxa1 Rxa1+.") && told.contains("long"),
            "{told}"
        );
    }
}
