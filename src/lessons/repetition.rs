//! When a lesson or a puzzle comes back: spaced repetition.
//!
//! The memory of each card is that of FSRS-6 (crate `fsrs`, its default parameters): *stability* is the time in days
//! after which it is remembered with a chance of 90 %, *difficulty* a number from 1 to 10. Time is counted in whole
//! days, which the caller takes from its clock.

use super::Progress;
use fsrs::{FSRS, MemoryState};
use serde::{Deserialize, Serialize};

/// The chance with which a card shall still be remembered when it comes back.
const RETENTION: f32 = 0.9;
/// A card comes back after a year at the latest.
const LONGEST: f32 = 365.0;

/// How well something was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// Not remembered: mistakes, or all hints.
    Again,
    /// With effort: one mistake, or a hint.
    Hard,
    /// Well.
    Good,
    /// Without thinking. Only a learner can say so.
    Easy,
}

impl Grade {
    /// The grade of a step that is done: none for one that is not.
    pub fn of(progress: &Progress) -> Option<Grade> {
        progress.finished.then_some(match (progress.mistakes, progress.hints) {
            (0, 0) => Grade::Good,
            (0, 1) | (1, 0) => Grade::Hard,
            _ => Grade::Again,
        })
    }
}

/// What is known of how well something is remembered.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Card {
    /// Days after which it is remembered with a chance of 90 %; more than 0.
    pub stability: f32,
    /// From 1, easy, to 10.
    pub difficulty: f32,
    /// The day of the last review, as the caller counts days.
    pub reviewed: u32,
    /// The day on which it comes back: that of the review itself when it is to be done again at once.
    pub due: u32,
}

/// A card cannot be one: its numbers are not finite, or out of their range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the card's stability or difficulty is out of range; begin it anew")]
pub struct BadCard;

/// The card after a review on this day; without a card it is the first.
///
/// A day before the last review counts as the same day: clocks are set back.
///
/// # Errors
/// The card's numbers are out of their range.
pub fn review(card: Option<Card>, grade: Grade, today: u32) -> Result<Card, BadCard> {
    let memory = card.map(memory).transpose()?;
    let elapsed = card.map_or(0, |card| today.saturating_sub(card.reviewed));
    let scheduler = FSRS::default();
    let next = scheduler.next_states(memory, RETENTION, elapsed).map_err(|_| BadCard)?;
    let state = match grade {
        Grade::Again => next.again,
        Grade::Hard => next.hard,
        Grade::Good => next.good,
        Grade::Easy => next.easy,
    };
    let days = match grade {
        Grade::Again => 0,
        _ => state.interval.clamp(1.0, LONGEST).round() as u32,
    };
    let reviewed = card.map_or(today, |card| today.max(card.reviewed));
    Ok(Card {
        stability: state.memory.stability,
        difficulty: state.memory.difficulty,
        reviewed,
        due: reviewed.saturating_add(days),
    })
}

/// The cards that are due on this day, the longest overdue first; equal ones stay in their order.
pub fn due<T: Copy>(cards: &[(T, Card)], today: u32) -> Vec<T> {
    let mut due: Vec<&(T, Card)> = cards.iter().filter(|(_, card)| card.due <= today).collect();
    due.sort_by_key(|(_, card)| card.due);
    due.into_iter().map(|&(name, _)| name).collect()
}

fn memory(card: Card) -> Result<MemoryState, BadCard> {
    let sane = card.stability.is_finite() && card.stability > 0.0 && (1.0..=10.0).contains(&card.difficulty);
    let state = MemoryState {
        stability: card.stability,
        difficulty: card.difficulty,
    };
    sane.then_some(state).ok_or(BadCard)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_comes_back_ever_later_and_what_is_failed_at_once() {
        let mut card = review(None, Grade::Good, 100).unwrap();
        let mut gap = card.due - card.reviewed;
        assert!(gap >= 1);
        for _ in 0..4 {
            card = review(Some(card), Grade::Good, card.due).unwrap();
            assert!(card.due - card.reviewed > gap, "{card:?} after {gap}");
            gap = card.due - card.reviewed;
        }
        let failed = review(Some(card), Grade::Again, card.due).unwrap();
        assert_eq!(failed.due, card.due);
        assert!(failed.stability < card.stability && failed.difficulty > card.difficulty);
        // Until it is known again, and then sooner than before.
        let again = review(Some(failed), Grade::Good, failed.due).unwrap();
        assert!((1..gap).contains(&(again.due - again.reviewed)), "{again:?}");
    }

    #[test]
    fn a_better_grade_comes_back_later() {
        let first = review(None, Grade::Good, 0).unwrap();
        let gaps = [Grade::Again, Grade::Hard, Grade::Good, Grade::Easy]
            .map(|grade| review(Some(first), grade, first.due).unwrap())
            .map(|card| card.due - card.reviewed);
        assert!(gaps.is_sorted() && gaps[0] == 0 && gaps[3] > gaps[2], "{gaps:?}");
    }

    #[test]
    fn odd_days_and_cards_do_no_harm() {
        let card = review(None, Grade::Easy, 50).unwrap();
        let back = review(Some(card), Grade::Good, 10).unwrap();
        assert_eq!(back.reviewed, 50);
        let late = review(Some(card), Grade::Good, u32::MAX).unwrap();
        assert_eq!(late.due, u32::MAX);
        for (stability, difficulty) in [
            (f32::NAN, 5.0),
            (0.0, 5.0),
            (f32::INFINITY, 5.0),
            (3.0, 0.0),
            (3.0, f32::NAN),
        ] {
            let broken = Card {
                stability,
                difficulty,
                ..card
            };
            assert_eq!(review(Some(broken), Grade::Good, 60), Err(BadCard));
        }
    }

    #[test]
    fn the_longest_overdue_comes_first() {
        let card = |due| Card {
            stability: 1.0,
            difficulty: 5.0,
            reviewed: 0,
            due,
        };
        let cards = [
            ("later", card(9)),
            ("soon", card(5)),
            ("overdue", card(2)),
            ("today", card(5)),
        ];
        assert_eq!(due(&cards, 5), ["overdue", "soon", "today"]);
        assert!(due(&cards, 1).is_empty());
    }

    #[test]
    fn a_step_is_graded_by_mistakes_and_hints() {
        let done = |mistakes, hints| Progress {
            mistakes,
            hints,
            finished: true,
            ..Progress::default()
        };
        let grades = [
            done(0, 0),
            done(0, 1),
            done(1, 0),
            done(1, 1),
            done(3, 0),
            Progress::default(),
        ];
        let grades = grades.map(|progress| Grade::of(&progress));
        use Grade::*;
        assert_eq!(
            grades,
            [Some(Good), Some(Hard), Some(Hard), Some(Again), Some(Again), None]
        );
    }
}
