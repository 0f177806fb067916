//! What Torres keeps of its visitors: learners, their progress, their ratings.
//!
//! One set of queries and of migrations (`migrations/`, in the order of their names) serves SQLite, which is built in,
//! and PostgreSQL. Each module below has the queries of one subject, as methods of [`Store`]; they are small and typed,
//! and know nothing of what the kept values mean. Placeholders are `$1`, which both databases take. A method that
//! changes several rows does so in one transaction.
//!
//! A new table comes with a migration of its own, named by date and subject (`2026112301_learners.sql`) and listed in
//! `migrations.rs`; one that was released is never changed.
//!
//! ```
//! # tokio::runtime::Runtime::new().unwrap().block_on(async {
//! use torres_frame::WallTime;
//! use torres_store::{Place, Store, Token};
//!
//! let store = Store::open(&Place::Memory).await.unwrap();
//! let token = Token::random().unwrap();
//! let learner = store.make_learner(&token, WallTime::now()).await.unwrap();
//! assert_eq!(store.learner(&token).await.unwrap(), Some(learner));
//! # });
//! ```

mod account;
mod announce;
mod export;
mod learner;
mod lesson;
mod migrations;
mod own_puzzle;
mod people;
mod place;
mod puzzle;
mod review;
mod token;

pub use account::KeptAccount;
pub use announce::{Announcements, Heard, LONGEST_ANNOUNCEMENT};
pub use learner::LearnerId;
pub use lesson::{StepKey, StepState};
pub use own_puzzle::OwnPuzzle;
pub use people::{KeptChange, KeptGame, MadeGame};
pub use place::Place;
pub use puzzle::{KeptRating, ShownPuzzle};
pub use review::KeptCard;
pub use token::{NoRandomness, Token};

use sqlx::AnyPool;
use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::migrate::MigrateError;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use torres_frame::WallTime;

/// How long a query may wait for a connection.
const CONNECT: Duration = Duration::from_secs(10);
/// Connections to a PostgreSQL at most.
const CONNECTIONS: u32 = 16;
/// Another process that writes the same file is waited for; a crash of this one loses nothing that was committed.
const SQLITE: &str =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000;";

/// What is kept. Clones share it.
#[derive(Clone)]
pub struct Store {
    pool: AnyPool,
    /// The database's address, where other servers may use it too.
    shared: Option<Arc<str>>,
}

/// Why something cannot be kept or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The folder cannot be made.
    #[error("cannot make the folder {path}: {source}; choose one that can be written with --data")]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// There is no database there, or it does not let us in.
    #[error("cannot open {place}: {source}; {place_advice}", place_advice = place.advice())]
    Open {
        /// Where.
        place: Place,
        /// What the database says.
        source: sqlx::Error,
    },
    /// What is kept there was written by a Torres that knows more.
    #[error("{0} was written by a newer Torres; start that one, or choose another place")]
    Newer(Place),
    /// The tables cannot be made.
    #[error("cannot make the tables in {place}: {source}; {place_advice}", place_advice = place.advice())]
    Tables {
        /// Where.
        place: Place,
        /// What the database says.
        source: MigrateError,
    },
    /// A query failed.
    #[error("the database failed: {0}; try again, and look at its disk and its server if that does not help")]
    Query(#[from] sqlx::Error),
}

/// An address may have a password in it.
impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Store(…)")
    }
}

impl StoreError {
    /// Whether somebody else has just kept something under the same name or number.
    pub fn is_taken(&self) -> bool {
        matches!(self, StoreError::Query(sqlx::Error::Database(error)) if error.is_unique_violation())
    }
}

impl Store {
    /// Opens what is kept at a place, and makes or brings up to date its tables.
    ///
    /// # Errors
    /// There is nothing to be opened or made, or it is of a newer Torres.
    pub async fn open(place: &Place) -> Result<Store, StoreError> {
        Store::open_within(place, CONNECT).await
    }

    /// The same, where the database must have let us in within this time.
    async fn open_within(place: &Place, time: Duration) -> Result<Store, StoreError> {
        sqlx::any::install_default_drivers();
        if let Place::Folder(path) = place {
            std::fs::create_dir_all(path).map_err(|source| StoreError::Folder {
                path: path.clone(),
                source,
            })?;
        }
        let open = |source| StoreError::Open {
            place: place.clone(),
            source,
        };
        let options: AnyConnectOptions = place.url().parse().map_err(open)?;
        let pool = match place {
            Place::Memory | Place::Folder(_) => sqlite(options, time).await,
            Place::Server(_) => {
                let pool = AnyPoolOptions::new().max_connections(CONNECTIONS);
                pool.acquire_timeout(time).connect_with(options).await
            }
        };
        let store = Store {
            pool: pool.map_err(open)?,
            shared: match place {
                Place::Memory | Place::Folder(_) => None,
                Place::Server(url) => Some(url.as_str().into()),
            },
        };
        migrations::migrator()
            .run(&store.pool)
            .await
            .map_err(|source| match source {
                MigrateError::VersionMissing(_) => StoreError::Newer(place.clone()),
                source => StoreError::Tables {
                    place: place.clone(),
                    source,
                },
            })?;
        Ok(store)
    }

    /// Whether other servers may use the same database.
    pub fn is_shared(&self) -> bool {
        self.shared.is_some()
    }

    /// Whether the database answers.
    ///
    /// # Errors
    /// It does not.
    pub async fn answers(&self) -> Result<(), StoreError> {
        sqlx::query("SELECT 1").execute(&self.pool).await?;
        Ok(())
    }

    /// The connections, for queries.
    pub(crate) fn pool(&self) -> &AnyPool {
        &self.pool
    }

    /// Ends all connections once their queries are done.
    pub async fn close(&self) {
        self.pool.close().await;
    }
}

/// SQLite has one writer at a time, and what lies in memory belongs to its connection: one connection, that stays.
async fn sqlite(options: AnyConnectOptions, time: Duration) -> Result<AnyPool, sqlx::Error> {
    let pool = AnyPoolOptions::new().min_connections(1).max_connections(1);
    pool.acquire_timeout(time)
        .idle_timeout(None)
        .max_lifetime(None)
        .after_connect(|connection, _| {
            Box::pin(async move { sqlx::raw_sql(SQLITE).execute(connection).await.map(drop) })
        })
        .connect_with(options)
        .await
}

/// A time as it is kept: whole milliseconds.
fn kept_time(at: WallTime) -> i64 {
    at.as_ms() as i64
}

#[cfg(test)]
mod postgres;
#[cfg(test)]
mod tests;
