//! Everything that is kept of a learner, to be given to them.

use crate::{LearnerId, Store, StoreError};
use serde_json::{Map, Value};
use sqlx::any::{AnyRow, AnyTypeInfoKind};
use sqlx::{Column, Row, ValueRef};

/// What is given of each table that names a learner: all but the learner's id, and hashes of passwords and tokens.
/// Games are given by who knows what a change is.
const TABLES: [(&str, &str); 11] = [
    ("learner", "SELECT made FROM learner WHERE id = $1"),
    ("account", "SELECT name, made FROM account WHERE learner = $1"),
    (
        "session",
        "SELECT expires FROM session WHERE learner = $1 ORDER BY expires",
    ),
    (
        "known_browser",
        "SELECT since FROM known_browser WHERE learner = $1 ORDER BY since",
    ),
    (
        "lesson_progress",
        "SELECT lesson, step, state, done, updated FROM lesson_progress WHERE learner = $1 ORDER BY lesson, step",
    ),
    (
        "review",
        "SELECT lesson, step, stability, difficulty, reviewed, due FROM review WHERE learner = $1 ORDER BY lesson, step",
    ),
    (
        "puzzle_rating",
        "SELECT rating, deviation, volatility FROM puzzle_rating WHERE learner = $1",
    ),
    (
        "puzzle_attempt",
        "SELECT puzzle, solved, rating, tried FROM puzzle_attempt WHERE learner = $1 ORDER BY tried, puzzle",
    ),
    (
        "puzzle_shown",
        "SELECT puzzle, state FROM puzzle_shown WHERE learner = $1",
    ),
    (
        "coordinates_best",
        "SELECT side, squares FROM coordinates_best WHERE learner = $1 ORDER BY side",
    ),
    (
        "own_puzzle",
        "SELECT id, before, lead, accept, played, made, rating, deviation, volatility, state, stability, difficulty,
             reviewed, due
         FROM own_puzzle WHERE learner = $1 ORDER BY made, id",
    ),
];

impl Store {
    /// All that is kept of a learner but their games: by table, its rows as objects.
    ///
    /// # Errors
    /// The database failed.
    pub async fn all_of(&self, learner: &LearnerId) -> Result<Map<String, Value>, StoreError> {
        let mut all = Map::new();
        for (table, query) in TABLES {
            let rows = sqlx::query(query).bind(learner.as_str()).fetch_all(self.pool()).await?;
            let rows: Result<Vec<Value>, sqlx::Error> = rows.iter().map(object).collect();
            all.insert(table.to_owned(), Value::Array(rows?));
        }
        Ok(all)
    }
}

/// A row, its columns by name.
fn object(row: &AnyRow) -> Result<Value, sqlx::Error> {
    let columns = row.columns().iter();
    let columns = columns.map(|column| Ok((column.name().to_owned(), value(row, column.ordinal())?)));
    columns.collect::<Result<Map<_, _>, _>>().map(Value::Object)
}

fn value(row: &AnyRow, at: usize) -> Result<Value, sqlx::Error> {
    let raw = row.try_get_raw(at)?;
    if raw.is_null() {
        return Ok(Value::Null);
    }
    Ok(match raw.type_info().kind() {
        AnyTypeInfoKind::Real | AnyTypeInfoKind::Double => row.try_get::<f64, _>(at)?.into(),
        AnyTypeInfoKind::Text => {
            let text: String = row.try_get(at)?;
            // How far somebody is in a step lies there as JSON.
            match row.columns()[at].name() {
                "state" => serde_json::from_str(&text).unwrap_or(Value::String(text)),
                _ => Value::String(text),
            }
        }
        _ => row.try_get::<i64, _>(at)?.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Place;

    /// What of a table nobody is given, and why.
    const WITHHELD: [(&str, &str); 6] = [
        // Whose it is, which is whoever asks.
        ("learner", "id"),
        // Secrets.
        ("learner", "token_hash"),
        ("account", "password"),
        ("session", "token_hash"),
        ("known_browser", "token_hash"),
        // The name once more, in small letters.
        ("account", "name_key"),
    ];

    #[tokio::test]
    async fn no_table_and_no_column_is_forgotten() {
        let store = Store::open(&Place::Memory).await.unwrap();
        let columns: Vec<(String, String)> = sqlx::query_as(
            "SELECT m.name, p.name FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS p WHERE m.type = 'table'",
        )
        .fetch_all(store.pool())
        .await
        .unwrap();
        let names_a_learner = |table: &str| {
            let of = |column: &str| columns.contains(&(table.to_owned(), column.to_owned()));
            table == "learner" || of("learner")
        };
        let mut found = 0;
        for (table, column) in &columns {
            // Games are given by who knows what a change is.
            if !names_a_learner(table) || column == "learner" || table == "people_player" {
                continue;
            }
            found += 1;
            let query = TABLES.iter().find(|(of, _)| of == table);
            let (_, query) = query.unwrap_or_else(|| panic!("{table} is given to nobody"));
            let given = query.split(" FROM ").next().unwrap();
            let given = given.split([' ', ',', '\n']).any(|word| word == column);
            let withheld = WITHHELD.contains(&(table.as_str(), column.as_str()));
            assert_ne!(given, withheld, "{table}.{column}");
        }
        assert!(found > 40, "only {found} columns were found");
    }
}
