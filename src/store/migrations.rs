//! How the tables came to be, step by step.
//!
//! Listed here rather than by `sqlx::migrate!`: that macro would have the whole of sqlx and SQLite built once more, for
//! the compiler itself.

use sqlx::SqlSafeStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};

/// The files of `migrations/`: the number that each begins with, its subject, and what it says.
const MIGRATIONS: [(i64, &str, &str); 5] = [
    (
        2026112301,
        "learners",
        include_str!("migrations/2026112301_learners.sql"),
    ),
    (2026112302, "people", include_str!("migrations/2026112302_people.sql")),
    (
        2026112303,
        "accounts",
        include_str!("migrations/2026112303_accounts.sql"),
    ),
    (
        2026112402,
        "browsers",
        include_str!("migrations/2026112402_browsers.sql"),
    ),
    (
        2026112403,
        "own_puzzles",
        include_str!("migrations/2026112403_own_puzzles.sql"),
    ),
];

/// What brings a database up to date. A database knows the steps that it has had by number and by a sum over what they
/// say.
pub fn migrator() -> Migrator {
    let step = |&(version, subject, says): &(i64, &'static str, &'static str)| {
        Migration::new(
            version,
            subject.into(),
            MigrationType::Simple,
            says.into_sql_str(),
            false,
        )
    };
    Migrator::with_migrations(MIGRATIONS.iter().map(step).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_folder_is_listed_under_its_name() {
        let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/migrations")).unwrap();
        let mut files: Vec<String> = folder
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        let listed = MIGRATIONS.map(|(version, subject, _)| format!("{version}_{subject}.sql"));
        assert_eq!(files, listed);
        for (file, (_, _, says)) in files.iter().zip(MIGRATIONS) {
            let path = format!("{}/migrations/{file}", env!("CARGO_MANIFEST_DIR"));
            assert_eq!(std::fs::read_to_string(path).unwrap(), says, "{file}");
        }
    }
}
