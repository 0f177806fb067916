//! Learners: who comes back with a token.

use crate::token::random_name;
use crate::{Store, StoreError, Token, kept_time};
use torres_frame::WallTime;

/// Names a learner in every other table. It is no secret.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LearnerId(pub(crate) String);

impl LearnerId {
    /// The text that is kept.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Store {
    /// A learner who is known by this token from now on: a guest, with no name.
    ///
    /// # Errors
    /// The database failed.
    pub async fn make_learner(&self, token: &Token, now: WallTime) -> Result<LearnerId, StoreError> {
        let id = random_name().map_err(|error| sqlx::Error::Io(std::io::Error::other(error)))?;
        sqlx::query("INSERT INTO learner (id, token_hash, made) VALUES ($1, $2, $3)")
            .bind(&id)
            .bind(token.hash())
            .bind(kept_time(now))
            .execute(self.pool())
            .await?;
        Ok(LearnerId(id))
    }

    /// The learner who has this token: as a guest, or logged in.
    ///
    /// # Errors
    /// The database failed.
    pub async fn learner(&self, token: &Token) -> Result<Option<LearnerId>, StoreError> {
        let query = "SELECT id FROM learner WHERE token_hash = $1
                     UNION SELECT learner FROM session WHERE token_hash = $1 AND expires >= $2";
        let id = sqlx::query_scalar(query)
            .bind(token.hash())
            .bind(kept_time(WallTime::now()))
            .fetch_optional(self.pool())
            .await?;
        Ok(id.map(LearnerId))
    }

    /// Forgets a learner and all that is kept of them.
    ///
    /// # Errors
    /// The database failed.
    pub async fn forget_learner(&self, learner: &LearnerId) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM learner WHERE id = $1")
            .bind(learner.as_str())
            .execute(self.pool())
            .await?;
        Ok(())
    }
}
