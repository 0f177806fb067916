//! Puzzles from a learner's own mistakes: what they are, how hard, and when they come back.

use crate::{KeptCard, KeptRating, LearnerId, Store, StoreError, kept_time};
use sqlx::any::AnyRow;
use sqlx::{FromRow, Row};
use torres_frame::WallTime;

/// The most that a learner keeps; the latest are read.
const MOST: i64 = 500;

/// A puzzle from a mistake.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnPuzzle {
    /// The game and the plies before the mistake: `GAME-PLIES`.
    pub id: String,
    /// The position before the other side's last move, as FEN.
    pub before: String,
    /// That move, UCI.
    pub lead: String,
    /// The moves that are right, UCI, the best first.
    pub accept: Vec<String>,
    /// The move that was played in the game, UCI.
    pub played: String,
    /// How hard it is.
    pub rating: KeptRating,
    /// How far the learner is while it lies before them, as JSON.
    pub state: Option<String>,
    /// When it comes back, once it was tried.
    pub card: Option<KeptCard>,
}

impl FromRow<'_, AnyRow> for OwnPuzzle {
    fn from_row(row: &AnyRow) -> Result<OwnPuzzle, sqlx::Error> {
        let accept: String = row.try_get("accept")?;
        let memory: Option<f64> = row.try_get("stability")?;
        let memory = memory.zip(row.try_get("difficulty")?);
        let day = |day: i64| u32::try_from(day).unwrap_or_default();
        let reviewed: Option<i64> = row.try_get("reviewed")?;
        let days = reviewed.zip(row.try_get("due")?);
        Ok(OwnPuzzle {
            id: row.try_get("id")?,
            before: row.try_get("before")?,
            lead: row.try_get("lead")?,
            accept: accept.split_whitespace().map(str::to_owned).collect(),
            played: row.try_get("played")?,
            rating: KeptRating {
                rating: row.try_get("rating")?,
                deviation: row.try_get("deviation")?,
                volatility: row.try_get("volatility")?,
            },
            state: row.try_get("state")?,
            card: memory
                .zip(days)
                .map(|((stability, difficulty), (reviewed, due))| KeptCard {
                    stability,
                    difficulty,
                    reviewed: day(reviewed),
                    due: day(due),
                }),
        })
    }
}

impl Store {
    /// Keeps a puzzle that a learner has not yet; returns whether it was new.
    ///
    /// # Errors
    /// The database failed.
    pub async fn keep_own_puzzle(
        &self,
        learner: &LearnerId,
        puzzle: &OwnPuzzle,
        now: WallTime,
    ) -> Result<bool, StoreError> {
        let kept = sqlx::query(
            "INSERT INTO own_puzzle (learner, id, before, lead, accept, played, made, rating, deviation, volatility)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
             ON CONFLICT (learner, id) DO NOTHING",
        )
        .bind(learner.as_str())
        .bind(&puzzle.id)
        .bind(&puzzle.before)
        .bind(&puzzle.lead)
        .bind(puzzle.accept.join(" "))
        .bind(&puzzle.played)
        .bind(kept_time(now))
        .bind(puzzle.rating.rating)
        .bind(puzzle.rating.deviation)
        .bind(puzzle.rating.volatility)
        .execute(self.pool())
        .await?;
        Ok(kept.rows_affected() == 1)
    }

    /// A learner's puzzles, the oldest first.
    ///
    /// # Errors
    /// The database failed.
    pub async fn own_puzzles(&self, learner: &LearnerId) -> Result<Vec<OwnPuzzle>, StoreError> {
        let mut puzzles: Vec<OwnPuzzle> = sqlx::query_as(
            "SELECT id, before, lead, accept, played, rating, deviation, volatility, state, stability, difficulty,
                 reviewed, due
             FROM own_puzzle WHERE learner = $1 ORDER BY made DESC, id DESC LIMIT $2",
        )
        .bind(learner.as_str())
        .bind(MOST)
        .fetch_all(self.pool())
        .await?;
        puzzles.reverse();
        Ok(puzzles)
    }

    /// Keeps how far a learner is in a puzzle of theirs; `None` where it lies before them no more.
    ///
    /// # Errors
    /// The database failed.
    pub async fn keep_own_puzzle_state(
        &self,
        learner: &LearnerId,
        id: &str,
        state: Option<&str>,
    ) -> Result<(), StoreError> {
        sqlx::query("UPDATE own_puzzle SET state = $3 WHERE learner = $1 AND id = $2")
            .bind(learner.as_str())
            .bind(id)
            .bind(state)
            .execute(self.pool())
            .await?;
        Ok(())
    }

    /// Keeps how hard a puzzle is and when it comes back, after it was tried.
    ///
    /// # Errors
    /// The database failed.
    pub async fn keep_own_puzzle_try(
        &self,
        learner: &LearnerId,
        id: &str,
        rating: KeptRating,
        card: KeptCard,
    ) -> Result<(), StoreError> {
        sqlx::query(
            "UPDATE own_puzzle SET rating = $3, deviation = $4, volatility = $5, stability = $6, difficulty = $7,
                 reviewed = $8, due = $9
             WHERE learner = $1 AND id = $2",
        )
        .bind(learner.as_str())
        .bind(id)
        .bind(rating.rating)
        .bind(rating.deviation)
        .bind(rating.volatility)
        .bind(card.stability)
        .bind(card.difficulty)
        .bind(i64::from(card.reviewed))
        .bind(i64::from(card.due))
        .execute(self.pool())
        .await?;
        Ok(())
    }
}
