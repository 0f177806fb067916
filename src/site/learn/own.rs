//! Puzzles from the learner's own mistakes: new ones first, then what is to be repeated.

use super::doors::{OwnJson, Said, json};
use super::puzzles::{Kind, is_clean, kept, kinds, rated, stale, trainer};
use super::visitor::{Visitor, failed};
use super::{Learn, STYLES, course, today};
use crate::layout::{Page, Section};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use torres_lessons::puzzle::{Puzzle, of_mistake};
use torres_lessons::rating::after_try;
use torres_lessons::repetition::{self, Grade};
use torres_lessons::{Progress, situation};
use torres_store::{LearnerId, OwnPuzzle};

/// What a learner does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// The puzzle in this place.
    Puzzle(usize),
    /// Nothing before this day.
    On(u32),
    /// There is no puzzle.
    Nothing,
}

/// The puzzle that lies before the learner; else the one that is overdue for longest, else the oldest that was not
/// tried, else one that failed today.
fn next(puzzles: &[OwnPuzzle], today: u32) -> Next {
    let find = |wanted: &dyn Fn(&OwnPuzzle) -> bool| puzzles.iter().position(wanted);
    let due = |again: bool| {
        let cards = puzzles
            .iter()
            .enumerate()
            .filter_map(|(place, puzzle)| Some((place, puzzle.card?)));
        let due = cards.filter(move |(_, card)| card.due <= today && (card.reviewed >= today) == again);
        due.min_by_key(|(_, card)| card.due).map(|(place, _)| place)
    };
    let chosen = find(&|puzzle| puzzle.state.is_some())
        .or_else(|| due(false))
        .or_else(|| find(&|puzzle| puzzle.card.is_none()))
        .or_else(|| due(true));
    match (chosen, puzzles.iter().filter_map(|puzzle| Some(puzzle.card?.due)).min()) {
        (Some(place), _) => Next::Puzzle(place),
        (None, Some(day)) => Next::On(day),
        (None, None) => Next::Nothing,
    }
}

/// The next puzzle from the learner's games.
pub(super) async fn page(State(learn): State<Learn>, visitor: Visitor) -> Result<Response, Response> {
    let learner = &visitor.learner;
    let rating = learn.rating(learner).await?;
    let puzzles = learn.own_puzzles(learner).await?;
    let page = match next(&puzzles, today()) {
        Next::Puzzle(place) => {
            let (puzzle, progress) = begun(&puzzles[place]).map_err(unreadable)?;
            let from = html! { "From " a href={ "/game/" (puzzle.game) } { "a game of yours" } ". Puzzles from your games: " (puzzles.len()) "." };
            trainer(&puzzle, &progress, rating, Kind::Own, &from).map_err(stale)?
        }
        Next::On(day) => nothing(&html! {
            h1 { "Done for today" }
            p { "The next puzzle from your games comes back " (in_days(day.saturating_sub(today()))) "." }
            p { a class="button primary" href="/puzzles" { "Solve other puzzles" } }
        }),
        Next::Nothing => nothing(&html! {
            h1 { "Your own mistakes" }
            p { "Play a game, then press “Find my mistakes” when it is over. What you missed waits for you here, and comes back until you know it." }
            p { a class="button primary" href="/play" { "Play a game" } }
        }),
    };
    Ok(visitor.answered(page))
}

fn nothing(what: &Markup) -> Response {
    let page = Page {
        title: "Puzzles",
        section: Section::Puzzles,
        styles: &STYLES,
        script: None,
        board: false,
        main: html! { div class="narrow" { (kinds(Kind::Own)) (what) } },
    };
    page.into_response()
}

fn in_days(days: u32) -> String {
    match days {
        0 | 1 => "tomorrow".into(),
        days => format!("in {days} days"),
    }
}

/// The door of the puzzle that lies before the learner.
pub(super) async fn door(
    State(learn): State<Learn>,
    visitor: Visitor,
    OwnJson(said): OwnJson<Said>,
) -> Result<Response, Response> {
    let (learner, today) = (&visitor.learner, today());
    let rating = learn.rating(learner).await?;
    let puzzles = learn.own_puzzles(learner).await?;
    let Next::Puzzle(place) = next(&puzzles, today) else {
        return Err((StatusCode::CONFLICT, "there is no puzzle now\n").into_response());
    };
    let own = &puzzles[place];
    let (puzzle, before) = begun(own).map_err(unreadable)?;
    let name = format!("own/{}", own.id);
    let (progress, told) = learn.tried(learner, rating, &puzzle, &name, before, &said).await?;
    let store = &learn.0.store;
    if let Some(grade) = Grade::of(&progress) {
        let (_, puzzle_rating) = after_try(rating, puzzle.rating, is_clean(&progress));
        let card = own.card.map(course::card);
        let next = repetition::review(card, grade, today).or_else(|_| repetition::review(None, grade, today));
        if let Ok(next) = next {
            let tried = store.keep_own_puzzle_try(learner, &own.id, kept(puzzle_rating), course::kept(next));
            tried.await.map_err(failed)?;
        }
    }
    let state = serde_json::to_string(&progress).ok().filter(|_| !progress.finished);
    let shown = store.keep_own_puzzle_state(learner, &own.id, state.as_deref()).await;
    shown.map_err(failed)?;
    Ok(visitor.answered(json(&told)))
}

/// A puzzle that could be read a moment ago cannot.
fn unreadable(why: String) -> Response {
    (StatusCode::CONFLICT, why).into_response()
}

/// A puzzle as it is trained, and how far the learner is.
fn begun(own: &OwnPuzzle) -> Result<(Puzzle, Progress), String> {
    let puzzle = read(own)?;
    let progress = own.state.as_deref().and_then(|state| serde_json::from_str(state).ok());
    let fits = progress.filter(|progress| situation(&puzzle.step, progress).is_ok());
    Ok((puzzle, fits.unwrap_or_default()))
}

fn read(own: &OwnPuzzle) -> Result<Puzzle, String> {
    of_mistake(
        &own.id,
        &own.before,
        &own.lead,
        &own.accept,
        &own.played,
        rated(own.rating),
    )
}

impl Learn {
    /// The puzzles from a learner's games, the oldest first; those that cannot be read are left out.
    async fn own_puzzles(&self, learner: &LearnerId) -> Result<Vec<OwnPuzzle>, Response> {
        let mut puzzles = self.0.store.own_puzzles(learner).await.map_err(failed)?;
        puzzles.retain(|own| read(own).is_ok());
        Ok(puzzles)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use torres_store::{KeptCard, KeptRating};

    /// With the days of the last review and of the next.
    fn own(days: Option<(u32, u32)>) -> OwnPuzzle {
        OwnPuzzle {
            id: "abcdefghij-3".into(),
            before: String::new(),
            lead: String::new(),
            accept: Vec::new(),
            played: String::new(),
            rating: KeptRating {
                rating: 1500.0,
                deviation: 350.0,
                volatility: 0.06,
            },
            state: None,
            card: days.map(|(reviewed, due)| KeptCard {
                stability: 1.0,
                difficulty: 5.0,
                reviewed,
                due,
            }),
        }
    }

    #[test]
    fn what_is_due_comes_before_what_is_new_and_that_before_what_failed_today() {
        let (today, later) = (100, own(Some((100, 107))));
        let (again, new) = (own(Some((100, 100))), own(None));
        let (due, overdue) = (own(Some((90, 99))), own(Some((80, 98))));
        let mut begun = later.clone();
        begun.state = Some("{}".into());
        for (puzzles, expected) in [
            (vec![], Next::Nothing),
            (vec![later.clone()], Next::On(107)),
            (vec![later.clone(), again.clone()], Next::Puzzle(1)),
            (vec![again.clone(), new.clone(), new.clone()], Next::Puzzle(1)),
            (vec![new.clone(), due.clone(), overdue], Next::Puzzle(2)),
            (vec![new, due, begun], Next::Puzzle(2)),
        ] {
            assert_eq!(next(&puzzles, today), expected, "{puzzles:?}");
        }
    }
}
