//! What servers that share a database tell each other: PostgreSQL's LISTEN and NOTIFY. Nobody shares an SQLite, and
//! there is nothing to tell.

use crate::{Store, StoreError};
use sqlx::postgres::PgListener;

/// All servers listen here.
const CHANNEL: &str = "torres";
/// The longest announcement, in bytes: PostgreSQL takes less than 8,000.
pub const LONGEST_ANNOUNCEMENT: usize = 7_900;

/// Hears what servers on the same database say, this one included.
pub struct Announcements(PgListener);

/// What was heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// Somebody said this.
    Said(String),
    /// The connection was lost for a while: what was said meanwhile is not known.
    Missed,
}

impl Announcements {
    /// What comes next.
    ///
    /// # Errors
    /// The database cannot be reached; it may be asked again.
    pub async fn next(&mut self) -> Result<Heard, StoreError> {
        let heard = self.0.try_recv().await?;
        Ok(heard.map_or(Heard::Missed, |said| Heard::Said(said.payload().to_owned())))
    }
}

impl Store {
    /// What other servers say from now on; `None` where nobody shares this database.
    ///
    /// # Errors
    /// The database failed.
    pub async fn announcements(&self) -> Result<Option<Announcements>, StoreError> {
        let Some(url) = &self.shared else { return Ok(None) };
        let mut listener = PgListener::connect(url).await?;
        listener.listen(CHANNEL).await?;
        Ok(Some(Announcements(listener)))
    }

    /// Tells all servers on this database, where there may be others, at most [`LONGEST_ANNOUNCEMENT`] bytes.
    ///
    /// # Errors
    /// The database failed.
    pub async fn announce(&self, text: &str) -> Result<(), StoreError> {
        if self.shared.is_some() {
            announce(self.pool(), text).await?;
        }
        Ok(())
    }
}

/// Tells all servers, as soon as what this is part of is committed.
pub(crate) async fn announce<'a>(
    executor: impl sqlx::Executor<'a, Database = sqlx::Any>,
    text: &str,
) -> Result<(), sqlx::Error> {
    sqlx::query("SELECT CAST(pg_notify($1, $2) AS TEXT)")
        .bind(CHANNEL)
        .bind(text)
        .execute(executor)
        .await?;
    Ok(())
}
