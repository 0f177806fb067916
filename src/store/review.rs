//! What comes back to be repeated, and when.

use crate::lesson::step_key;
use crate::{LearnerId, StepKey, Store, StoreError};

/// How well a step is remembered: a card of FSRS.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeptCard {
    /// Days.
    pub stability: f64,
    /// 1 to 10.
    pub difficulty: f64,
    /// The day of the last review, counted from 1970-01-01.
    pub reviewed: u32,
    /// The day on which it comes back.
    pub due: u32,
}

type CardRow = (f64, f64, i64, i64);

impl Store {
    /// Keeps a step's card.
    ///
    /// # Errors
    /// The database failed.
    pub async fn keep_card(&self, learner: &LearnerId, key: &StepKey, card: KeptCard) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO review (learner, lesson, step, stability, difficulty, reviewed, due)
             VALUES ($1, $2, $3, $4, $5, $6, $7)
             ON CONFLICT (learner, lesson, step) DO UPDATE SET stability = excluded.stability,
                 difficulty = excluded.difficulty, reviewed = excluded.reviewed, due = excluded.due",
        )
        .bind(learner.as_str())
        .bind(&key.lesson)
        .bind(i64::from(key.step))
        .bind(card.stability)
        .bind(card.difficulty)
        .bind(i64::from(card.reviewed))
        .bind(i64::from(card.due))
        .execute(self.pool())
        .await?;
        Ok(())
    }

    /// A step's card.
    ///
    /// # Errors
    /// The database failed.
    pub async fn card(&self, learner: &LearnerId, key: &StepKey) -> Result<Option<KeptCard>, StoreError> {
        let row: Option<CardRow> = sqlx::query_as(
            "SELECT stability, difficulty, reviewed, due FROM review WHERE learner = $1 AND lesson = $2 AND step = $3",
        )
        .bind(learner.as_str())
        .bind(&key.lesson)
        .bind(i64::from(key.step))
        .fetch_optional(self.pool())
        .await?;
        let day = |kept: i64| u32::try_from(kept).unwrap_or_default();
        Ok(row.map(|(stability, difficulty, reviewed, due)| KeptCard {
            stability,
            difficulty,
            reviewed: day(reviewed),
            due: day(due),
        }))
    }

    /// The steps that are due on this day, the longest overdue first, `most` of them.
    ///
    /// # Errors
    /// The database failed.
    pub async fn due_steps(&self, learner: &LearnerId, today: u32, most: u32) -> Result<Vec<StepKey>, StoreError> {
        let rows: Vec<(String, i64)> = sqlx::query_as(
            "SELECT lesson, step FROM review WHERE learner = $1 AND due <= $2 ORDER BY due, lesson, step LIMIT $3",
        )
        .bind(learner.as_str())
        .bind(i64::from(today))
        .bind(i64::from(most))
        .fetch_all(self.pool())
        .await?;
        Ok(rows.into_iter().map(step_key).collect())
    }
}
