//! Games of two people: what happened in them, change by change.

use crate::announce::announce;
use crate::{Store, StoreError, kept_time};
use sqlx::Row;
use torres_frame::WallTime;

/// A game as it is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeGame {
    /// Its id.
    pub id: String,
    /// Where it starts.
    pub start_fen: String,
    /// Time at the start and for each move, in ms; `None` without clocks.
    pub clock_ms: Option<(u64, u64)>,
    /// Whether it stands in the list of games.
    pub listed: bool,
}

/// Something that happened in a game.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptChange {
    /// The game.
    pub game: String,
    /// Counts the game's changes, from 1.
    pub seq: u64,
    /// When.
    pub at: WallTime,
    /// What, as JSON.
    pub change: String,
    /// Who has a seat from now on, where that is what happened.
    pub player: Option<String>,
    /// Whether the game is over from now on, where that is what happened.
    pub over: Option<bool>,
}

/// A game with all that happened in it.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptGame {
    /// As it was made.
    pub made: MadeGame,
    /// What happened, in order: when, and what as JSON.
    pub changes: Vec<(WallTime, String)>,
}

impl Store {
    /// Keeps games and changes, all or nothing, and tells other servers on this database what is to be told of them.
    ///
    /// # Errors
    /// The database failed, or a change's number is [taken](StoreError::is_taken): another server was faster.
    pub async fn keep_changes(
        &self,
        games: &[MadeGame],
        changes: &[KeptChange],
        announced: &[String],
        now: WallTime,
    ) -> Result<(), StoreError> {
        let mut all = self.pool().begin().await?;
        for game in games {
            let (initial, increment) = game.clock_ms.map(|(a, b)| (whole(a), whole(b))).unzip();
            sqlx::query(
                "INSERT INTO people_game (id, start_fen, initial_ms, increment_ms, listed, made, ended)
                 VALUES ($1, $2, $3, $4, $5, $6, 0)",
            )
            .bind(&game.id)
            .bind(&game.start_fen)
            .bind(initial)
            .bind(increment)
            .bind(i64::from(game.listed))
            .bind(kept_time(now))
            .execute(&mut *all)
            .await?;
        }
        for change in changes {
            sqlx::query("INSERT INTO people_change (game, seq, at, change) VALUES ($1, $2, $3, $4)")
                .bind(&change.game)
                .bind(whole(change.seq))
                .bind(kept_time(change.at))
                .bind(&change.change)
                .execute(&mut *all)
                .await?;
            if let Some(player) = &change.player {
                sqlx::query("INSERT INTO people_player (game, learner) VALUES ($1, $2) ON CONFLICT DO NOTHING")
                    .bind(&change.game)
                    .bind(player)
                    .execute(&mut *all)
                    .await?;
            }
            if let Some(over) = change.over {
                sqlx::query("UPDATE people_game SET ended = $1 WHERE id = $2")
                    .bind(i64::from(over))
                    .bind(&change.game)
                    .execute(&mut *all)
                    .await?;
            }
        }
        for text in announced.iter().filter(|_| self.is_shared()) {
            announce(&mut *all, text).await?;
        }
        all.commit().await?;
        Ok(())
    }

    /// What happened in a game after its change of this number, in order.
    ///
    /// # Errors
    /// The database failed.
    pub async fn changes_after(&self, game: &str, seq: u64) -> Result<Vec<(WallTime, String)>, StoreError> {
        let changes: Vec<(i64, String)> =
            sqlx::query_as("SELECT at, change FROM people_change WHERE game = $1 AND seq > $2 ORDER BY seq")
                .bind(game)
                .bind(whole(seq))
                .fetch_all(self.pool())
                .await?;
        let read = |(at, change): (i64, String)| (WallTime::from_ms(at as f64), change);
        Ok(changes.into_iter().map(read).collect())
    }

    /// A game of this id.
    ///
    /// # Errors
    /// The database failed.
    pub async fn people_game(&self, id: &str) -> Result<Option<KeptGame>, StoreError> {
        let row = sqlx::query("SELECT start_fen, initial_ms, increment_ms, listed FROM people_game WHERE id = $1")
            .bind(id)
            .fetch_optional(self.pool())
            .await?;
        let Some(row) = row else { return Ok(None) };
        let clock: (Option<i64>, Option<i64>) = (row.try_get(1)?, row.try_get(2)?);
        Ok(Some(KeptGame {
            made: MadeGame {
                id: id.to_owned(),
                start_fen: row.try_get(0)?,
                clock_ms: clock.0.zip(clock.1).map(|(a, b)| (counted(a), counted(b))),
                listed: row.try_get::<i64, _>(3)? == 1,
            },
            changes: self.changes_after(id, 0).await?,
        }))
    }

    /// The games that are not over, by id.
    ///
    /// # Errors
    /// The database failed.
    pub async fn games_going_on(&self) -> Result<Vec<String>, StoreError> {
        let ids = sqlx::query_scalar("SELECT id FROM people_game WHERE ended = 0 ORDER BY made");
        Ok(ids.fetch_all(self.pool()).await?)
    }

    /// The games in which somebody ever had a seat, the latest first.
    ///
    /// # Errors
    /// The database failed.
    pub async fn games_of(&self, learner: &str) -> Result<Vec<String>, StoreError> {
        let ids = sqlx::query_scalar(
            "SELECT people_game.id FROM people_player JOIN people_game ON people_game.id = people_player.game
             WHERE people_player.learner = $1 ORDER BY people_game.made DESC",
        );
        Ok(ids.bind(learner).fetch_all(self.pool()).await?)
    }

    /// Takes a player out of the games that they played: `rewrite` gives each change without them, where it names them.
    ///
    /// # Errors
    /// The database failed.
    pub async fn forget_player(
        &self,
        learner: &str,
        rewrite: impl Fn(&str) -> Option<String>,
    ) -> Result<(), StoreError> {
        let mut all = self.pool().begin().await?;
        let named: Vec<(String, i64, String)> = sqlx::query_as(
            "SELECT people_change.game, people_change.seq, people_change.change FROM people_change
             JOIN people_player ON people_player.game = people_change.game WHERE people_player.learner = $1",
        )
        .bind(learner)
        .fetch_all(&mut *all)
        .await?;
        for (game, seq, change) in named {
            if let Some(change) = rewrite(&change) {
                sqlx::query("UPDATE people_change SET change = $1 WHERE game = $2 AND seq = $3")
                    .bind(change)
                    .bind(game)
                    .bind(seq)
                    .execute(&mut *all)
                    .await?;
            }
        }
        sqlx::query("DELETE FROM people_player WHERE learner = $1")
            .bind(learner)
            .execute(&mut *all)
            .await?;
        all.commit().await?;
        Ok(())
    }

    /// Keeps that a server is alive.
    ///
    /// # Errors
    /// The database failed.
    pub async fn keep_alive(&self, server: &str, now: WallTime) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO people_server (id, alive) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET alive = excluded.alive",
        )
        .bind(server)
        .bind(kept_time(now))
        .execute(self.pool())
        .await?;
        Ok(())
    }

    /// When a server on this database was last alive.
    ///
    /// # Errors
    /// The database failed.
    pub async fn last_alive(&self) -> Result<Option<WallTime>, StoreError> {
        let alive: Option<i64> = sqlx::query_scalar("SELECT MAX(alive) FROM people_server")
            .fetch_one(self.pool())
            .await?;
        Ok(alive.map(|ms| WallTime::from_ms(ms as f64)))
    }

    /// Forgets servers that have not been alive since a time.
    ///
    /// # Errors
    /// The database failed.
    pub async fn forget_servers(&self, since: WallTime) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM people_server WHERE alive < $1")
            .bind(kept_time(since))
            .execute(self.pool())
            .await?;
        Ok(())
    }
}

/// No time or number that is kept is longer than a database counts.
fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn counted(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}
