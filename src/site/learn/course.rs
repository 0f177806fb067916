//! How far a learner is in the course.

use super::visitor::failed;
use super::{Learn, today};
use axum::response::Response;
use torres_frame::WallTime;
use torres_lessons::repetition::{self, Card, Grade};
use torres_lessons::{Lesson, Progress, Step};
use torres_store::{KeptCard, LearnerId, StepKey, StepState};

/// The longest list of what is to be repeated today.
const MOST_DUE: u32 = 20;

/// A lesson in the list.
pub(super) struct Row<'a> {
    pub lesson: &'a Lesson,
    /// The steps that were done, by their places.
    pub done: Vec<bool>,
}

impl Row<'_> {
    pub fn done_count(&self) -> usize {
        self.done.iter().filter(|done| **done).count()
    }

    pub fn is_done(&self) -> bool {
        self.done_count() == self.done.len()
    }

    /// The place of the first step that is not done, or of the first of all.
    pub fn next_step(&self) -> usize {
        self.done.iter().position(|done| !done).unwrap_or_default()
    }
}

/// A step that was found: the lesson and its place in the course, the step and its place in the lesson.
pub(super) struct Found<'a> {
    pub lesson: &'a Lesson,
    pub at: usize,
    pub step: &'a Step,
    pub place: usize,
}

impl Found<'_> {
    pub fn key(&self) -> StepKey {
        StepKey {
            lesson: self.lesson.id.clone(),
            step: self.place as u32,
        }
    }
}

impl Learn {
    /// The step of this address: the lesson's id, and the step's number from 1.
    pub(super) fn find(&self, lesson: &str, number: &str) -> Option<Found<'_>> {
        let at = self.0.lessons.iter().position(|one| one.id == lesson)?;
        let place = number.parse::<usize>().ok()?.checked_sub(1)?;
        // One address for each step.
        let lesson = &self.0.lessons[at];
        let step = lesson.steps.get(place).filter(|_| !number.starts_with(['0', '+']))?;
        Some(Found {
            lesson,
            at,
            step,
            place,
        })
    }

    /// All lessons with what is done of them.
    pub(super) async fn rows(&self, learner: &LearnerId) -> Result<Vec<Row<'_>>, Response> {
        let done = self.0.store.done_steps(learner).await.map_err(failed)?;
        let row = |lesson| row(lesson, &done);
        Ok(self.0.lessons.iter().map(row).collect())
    }

    /// The steps that are to be repeated today.
    pub(super) async fn due(&self, learner: &LearnerId) -> Result<Vec<Found<'_>>, Response> {
        let due = self
            .0
            .store
            .due_steps(learner, today(), MOST_DUE)
            .await
            .map_err(failed)?;
        // Lessons change: what is no more needs no repetition.
        let found = |key: StepKey| self.find(&key.lesson, &(key.step as usize + 1).to_string());
        Ok(due.into_iter().filter_map(found).collect())
    }

    /// How far a learner is in a step; one that is done is begun anew.
    pub(super) async fn progress(&self, learner: &LearnerId, found: &Found<'_>) -> Result<Progress, Response> {
        let kept = self.0.store.step(learner, &found.key()).await.map_err(failed)?;
        let progress = kept.and_then(|kept| serde_json::from_str::<Progress>(&kept.state).ok());
        Ok(progress.filter(|progress| !progress.finished).unwrap_or_default())
    }

    /// Keeps how far a learner is. A step that was done with mistakes comes back, and each time until it is well
    /// remembered.
    pub(super) async fn keep(
        &self,
        learner: &LearnerId,
        found: &Found<'_>,
        progress: &Progress,
    ) -> Result<(), Response> {
        let (store, key) = (&self.0.store, found.key());
        let state = StepState {
            key: key.clone(),
            state: serde_json::to_string(progress).unwrap_or_default(),
            done: progress.finished,
        };
        store
            .keep_step(learner, &state, WallTime::now())
            .await
            .map_err(failed)?;
        let Some(grade) = Grade::of(progress) else {
            return Ok(());
        };
        let card = store.card(learner, &key).await.map_err(failed)?.map(card);
        if card.is_none() && grade >= Grade::Good {
            return Ok(());
        }
        let reviewed = repetition::review(card, grade, today()).or_else(|_| repetition::review(None, grade, today()));
        match reviewed {
            Ok(next) => store.keep_card(learner, &key, kept(next)).await.map_err(failed),
            Err(_) => Ok(()),
        }
    }
}

fn row<'a>(lesson: &'a Lesson, done: &[StepKey]) -> Row<'a> {
    let is_done = |place: usize| {
        done.iter()
            .any(|key| key.lesson == lesson.id && key.step as usize == place)
    };
    Row {
        lesson,
        done: (0..lesson.steps.len()).map(is_done).collect(),
    }
}

/// A card as it is used.
pub(super) fn card(kept: KeptCard) -> Card {
    Card {
        stability: kept.stability as f32,
        difficulty: kept.difficulty as f32,
        reviewed: kept.reviewed,
        due: kept.due,
    }
}

/// A card as it is kept.
pub(super) fn kept(card: Card) -> KeptCard {
    KeptCard {
        stability: card.stability.into(),
        difficulty: card.difficulty.into(),
        reviewed: card.reviewed,
        due: card.due,
    }
}
