//! How far learners are in lessons.

use crate::{LearnerId, Store, StoreError, kept_time};
use sqlx::Row;
use torres_frame::WallTime;

/// Names a step of a lesson.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StepKey {
    /// The lesson's id.
    pub lesson: String,
    /// The step's place in it, from 0.
    pub step: u32,
}

/// What is kept of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepState {
    /// Which step.
    pub key: StepKey,
    /// How far the learner is, as JSON.
    pub state: String,
    /// Whether it was ever done.
    pub done: bool,
}

impl Store {
    /// Keeps how far a learner is in a step. What was done once stays done.
    ///
    /// # Errors
    /// The database failed.
    pub async fn keep_step(&self, learner: &LearnerId, step: &StepState, now: WallTime) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO lesson_progress (learner, lesson, step, state, done, updated) VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (learner, lesson, step) DO UPDATE SET
                 state = excluded.state, updated = excluded.updated,
                 done = CASE WHEN excluded.done = 1 THEN 1 ELSE lesson_progress.done END",
        )
        .bind(learner.as_str())
        .bind(&step.key.lesson)
        .bind(i64::from(step.key.step))
        .bind(&step.state)
        .bind(i64::from(step.done))
        .bind(kept_time(now))
        .execute(self.pool())
        .await?;
        Ok(())
    }

    /// What is kept of one step.
    ///
    /// # Errors
    /// The database failed.
    pub async fn step(&self, learner: &LearnerId, key: &StepKey) -> Result<Option<StepState>, StoreError> {
        let row =
            sqlx::query("SELECT state, done FROM lesson_progress WHERE learner = $1 AND lesson = $2 AND step = $3")
                .bind(learner.as_str())
                .bind(&key.lesson)
                .bind(i64::from(key.step))
                .fetch_optional(self.pool())
                .await?;
        let read = |row: sqlx::any::AnyRow| {
            Ok(StepState {
                key: key.clone(),
                state: row.try_get(0)?,
                done: row.try_get::<i64, _>(1)? == 1,
            })
        };
        row.map(read).transpose().map_err(StoreError::Query)
    }

    /// The steps that a learner has done, in all lessons.
    ///
    /// # Errors
    /// The database failed.
    pub async fn done_steps(&self, learner: &LearnerId) -> Result<Vec<StepKey>, StoreError> {
        let rows: Vec<(String, i64)> = sqlx::query_as(
            "SELECT lesson, step FROM lesson_progress WHERE learner = $1 AND done = 1 ORDER BY lesson, step",
        )
        .bind(learner.as_str())
        .fetch_all(self.pool())
        .await?;
        Ok(rows.into_iter().map(step_key).collect())
    }
}

/// A step's name as it is kept; no step is further than numbers go.
pub(crate) fn step_key((lesson, step): (String, i64)) -> StepKey {
    StepKey {
        lesson,
        step: u32::try_from(step).unwrap_or(u32::MAX),
    }
}
