//! Accounts: learners with a name and a password, and the browsers in which they are logged in.

use crate::{LearnerId, Store, StoreError, Token, kept_time};
use sqlx::Row;
use torres_frame::WallTime;

/// An account as it is kept.
#[derive(Clone, PartialEq, Eq)]
pub struct KeptAccount {
    /// Whose it is.
    pub learner: LearnerId,
    /// The name as it was chosen.
    pub name: String,
    /// The password's hash, a PHC string.
    pub password: String,
}

impl Store {
    /// Gives a learner an account, and ends the token by which the guest was known; false where the name is taken, or
    /// the learner has one.
    ///
    /// # Errors
    /// The database failed.
    pub async fn make_account(&self, account: &KeptAccount, now: WallTime) -> Result<bool, StoreError> {
        let mut all = self.pool().begin().await?;
        let made = sqlx::query(
            "INSERT INTO account (learner, name, name_key, password, made) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
        )
        .bind(account.learner.as_str())
        .bind(&account.name)
        .bind(account.name.to_lowercase())
        .bind(&account.password)
        .bind(kept_time(now))
        .execute(&mut *all)
        .await?;
        if made.rows_affected() == 0 {
            return Ok(false);
        }
        // No token has this hash.
        sqlx::query("UPDATE learner SET token_hash = $1 WHERE id = $2")
            .bind(format!("account {}", account.learner.as_str()))
            .bind(account.learner.as_str())
            .execute(&mut *all)
            .await?;
        all.commit().await?;
        Ok(true)
    }

    /// The account of a name, in small or capital letters.
    ///
    /// # Errors
    /// The database failed.
    pub async fn account_named(&self, name: &str) -> Result<Option<KeptAccount>, StoreError> {
        let query = "SELECT learner, name, password FROM account WHERE name_key = $1";
        self.account(query, &name.to_lowercase()).await
    }

    /// The account of a learner.
    ///
    /// # Errors
    /// The database failed.
    pub async fn account_of(&self, learner: &LearnerId) -> Result<Option<KeptAccount>, StoreError> {
        let query = "SELECT learner, name, password FROM account WHERE learner = $1";
        self.account(query, learner.as_str()).await
    }

    async fn account(&self, query: &'static str, value: &str) -> Result<Option<KeptAccount>, StoreError> {
        let row = sqlx::query(query).bind(value).fetch_optional(self.pool()).await?;
        let read = |row: sqlx::any::AnyRow| {
            Ok(KeptAccount {
                learner: LearnerId(row.try_get(0)?),
                name: row.try_get(1)?,
                password: row.try_get(2)?,
            })
        };
        row.map(read).transpose().map_err(StoreError::Query)
    }

    /// Lets a browser with this token be the learner's until a time; forgets those whose time is over.
    ///
    /// # Errors
    /// The database failed.
    pub async fn make_session(
        &self,
        token: &Token,
        learner: &LearnerId,
        now: WallTime,
        until: WallTime,
    ) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM session WHERE expires < $1")
            .bind(kept_time(now))
            .execute(self.pool())
            .await?;
        sqlx::query("INSERT INTO session (token_hash, learner, expires) VALUES ($1, $2, $3)")
            .bind(token.hash())
            .bind(learner.as_str())
            .bind(kept_time(until))
            .execute(self.pool())
            .await?;
        Ok(())
    }

    /// Ends what a token lets a browser do.
    ///
    /// # Errors
    /// The database failed.
    pub async fn end_session(&self, token: &Token) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM session WHERE token_hash = $1")
            .bind(token.hash())
            .execute(self.pool())
            .await?;
        Ok(())
    }

    /// Keeps that a learner has logged in where this token is.
    ///
    /// # Errors
    /// The database failed, or the token is known already.
    pub async fn know_browser(&self, token: &Token, learner: &LearnerId, now: WallTime) -> Result<(), StoreError> {
        sqlx::query("INSERT INTO known_browser (token_hash, learner, since) VALUES ($1, $2, $3)")
            .bind(token.hash())
            .bind(learner.as_str())
            .bind(kept_time(now))
            .execute(self.pool())
            .await?;
        Ok(())
    }

    /// Whether a learner has ever logged in where this token is.
    ///
    /// # Errors
    /// The database failed.
    pub async fn knows_browser(&self, token: &Token, learner: &LearnerId) -> Result<bool, StoreError> {
        let known = sqlx::query("SELECT 1 FROM known_browser WHERE token_hash = $1 AND learner = $2")
            .bind(token.hash())
            .bind(learner.as_str())
            .fetch_optional(self.pool())
            .await?;
        Ok(known.is_some())
    }
}
