//! Puzzles and the coordinates trainer: ratings, tries, bests.

use crate::{LearnerId, Store, StoreError, kept_time};
use torres_frame::WallTime;
use torres_geometry::Orientation;

/// A learner's strength at puzzles, on Glicko-2's scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeptRating {
    /// About 1500 for the average.
    pub rating: f64,
    /// Its standard deviation.
    pub deviation: f64,
    /// How erratic the results are.
    pub volatility: f64,
}

/// The puzzle that a learner has before them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownPuzzle {
    /// Its id.
    pub puzzle: String,
    /// How far the learner is, as JSON.
    pub state: String,
}

impl Store {
    /// A learner's rating, once they have one.
    ///
    /// # Errors
    /// The database failed.
    pub async fn puzzle_rating(&self, learner: &LearnerId) -> Result<Option<KeptRating>, StoreError> {
        let row: Option<(f64, f64, f64)> =
            sqlx::query_as("SELECT rating, deviation, volatility FROM puzzle_rating WHERE learner = $1")
                .bind(learner.as_str())
                .fetch_optional(self.pool())
                .await?;
        Ok(row.map(|(rating, deviation, volatility)| KeptRating {
            rating,
            deviation,
            volatility,
        }))
    }

    /// Keeps the first try of a puzzle and the rating after it. A later try changes nothing, and `false` is returned.
    ///
    /// # Errors
    /// The database failed; nothing is kept then.
    pub async fn keep_attempt(
        &self,
        learner: &LearnerId,
        puzzle: &str,
        solved: bool,
        after: KeptRating,
        now: WallTime,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.pool().begin().await?;
        let kept = sqlx::query(
            "INSERT INTO puzzle_attempt (learner, puzzle, solved, rating, tried) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (learner, puzzle) DO NOTHING",
        )
        .bind(learner.as_str())
        .bind(puzzle)
        .bind(i64::from(solved))
        .bind(after.rating)
        .bind(kept_time(now))
        .execute(&mut *transaction)
        .await?;
        if kept.rows_affected() == 0 {
            return Ok(false);
        }
        sqlx::query(
            "INSERT INTO puzzle_rating (learner, rating, deviation, volatility) VALUES ($1, $2, $3, $4)
             ON CONFLICT (learner) DO UPDATE SET rating = excluded.rating, deviation = excluded.deviation,
                 volatility = excluded.volatility",
        )
        .bind(learner.as_str())
        .bind(after.rating)
        .bind(after.deviation)
        .bind(after.volatility)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(true)
    }

    /// The puzzles that a learner has tried: id, and whether it was solved, the latest first.
    ///
    /// # Errors
    /// The database failed.
    pub async fn attempts(&self, learner: &LearnerId) -> Result<Vec<(String, bool)>, StoreError> {
        let rows: Vec<(String, i64)> =
            sqlx::query_as("SELECT puzzle, solved FROM puzzle_attempt WHERE learner = $1 ORDER BY tried DESC, puzzle")
                .bind(learner.as_str())
                .fetch_all(self.pool())
                .await?;
        Ok(rows.into_iter().map(|(puzzle, solved)| (puzzle, solved == 1)).collect())
    }

    /// Keeps which puzzle a learner has before them, and how far they are in it.
    ///
    /// # Errors
    /// The database failed.
    pub async fn keep_shown_puzzle(&self, learner: &LearnerId, shown: &ShownPuzzle) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO puzzle_shown (learner, puzzle, state) VALUES ($1, $2, $3)
             ON CONFLICT (learner) DO UPDATE SET puzzle = excluded.puzzle, state = excluded.state",
        )
        .bind(learner.as_str())
        .bind(&shown.puzzle)
        .bind(&shown.state)
        .execute(self.pool())
        .await?;
        Ok(())
    }

    /// The puzzle that a learner has before them.
    ///
    /// # Errors
    /// The database failed.
    pub async fn shown_puzzle(&self, learner: &LearnerId) -> Result<Option<ShownPuzzle>, StoreError> {
        let row: Option<(String, String)> = sqlx::query_as("SELECT puzzle, state FROM puzzle_shown WHERE learner = $1")
            .bind(learner.as_str())
            .fetch_optional(self.pool())
            .await?;
        Ok(row.map(|(puzzle, state)| ShownPuzzle { puzzle, state }))
    }

    /// Keeps a round of the coordinates trainer, if it is the best so far, and returns the best.
    ///
    /// # Errors
    /// The database failed.
    pub async fn keep_coordinates(
        &self,
        learner: &LearnerId,
        from: Orientation,
        squares: u32,
    ) -> Result<u32, StoreError> {
        sqlx::query(
            "INSERT INTO coordinates_best (learner, side, squares) VALUES ($1, $2, $3)
             ON CONFLICT (learner, side) DO UPDATE SET squares = excluded.squares
                 WHERE excluded.squares > coordinates_best.squares",
        )
        .bind(learner.as_str())
        .bind(from.name())
        .bind(i64::from(squares))
        .execute(self.pool())
        .await?;
        self.coordinates_best(learner, from).await
    }

    /// The most squares that a learner found in one round; 0 before the first.
    ///
    /// # Errors
    /// The database failed.
    pub async fn coordinates_best(&self, learner: &LearnerId, from: Orientation) -> Result<u32, StoreError> {
        let best: Option<i64> =
            sqlx::query_scalar("SELECT squares FROM coordinates_best WHERE learner = $1 AND side = $2")
                .bind(learner.as_str())
                .bind(from.name())
                .fetch_optional(self.pool())
                .await?;
        Ok(best.and_then(|best| u32::try_from(best).ok()).unwrap_or_default())
    }
}
