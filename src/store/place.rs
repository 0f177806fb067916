//! Where things are kept.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// The file in a folder.
const FILE: &str = "torres.sqlite";
/// What means something else in a database's address.
const RESERVED: &AsciiSet = &CONTROLS.add(b' ').add(b'%').add(b'?').add(b'#').add(b'\\');

/// Where things are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nowhere: gone with the process.
    Memory,
    /// In a file of this folder, which is made where it is missing.
    Folder(PathBuf),
    /// At a PostgreSQL: `postgres://USER:PASSWORD@HOST/DATABASE`.
    Server(String),
}

impl Place {
    /// As `sqlx` wants it.
    pub(crate) fn url(&self) -> String {
        match self {
            Place::Memory => "sqlite::memory:".into(),
            Place::Folder(path) => {
                let file = path.join(FILE);
                let file = file.to_string_lossy();
                format!("sqlite://{}?mode=rwc", utf8_percent_encode(&file, RESERVED))
            }
            Place::Server(url) => url.clone(),
        }
    }

    /// What to do when it does not open.
    pub(crate) fn advice(&self) -> &'static str {
        match self {
            Place::Memory => "the machine may be short of memory",
            Place::Folder(_) => "choose a folder that can be written with --data",
            Place::Server(_) => "look whether the server runs, and lets this user make tables in this database",
        }
    }
}

impl FromStr for Place {
    type Err = String;

    /// `:memory:`, a PostgreSQL's address, or else a folder.
    fn from_str(text: &str) -> Result<Place, String> {
        let server = ["postgres://", "postgresql://"];
        match text {
            "" => Err("name a folder, :memory:, or a postgres:// address".into()),
            ":memory:" => Ok(Place::Memory),
            _ if server.iter().any(|scheme| text.starts_with(scheme)) => Ok(Place::Server(text.into())),
            _ if text.contains("://") => Err(format!(
                "'{}' is no place to keep things; name a folder, :memory:, or a postgres:// address",
                text.split("://").next().unwrap_or_default()
            )),
            _ => Ok(Place::Folder(text.into())),
        }
    }
}

impl fmt::Display for Place {
    /// Without a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Memory => f.write_str(":memory:"),
            Place::Folder(path) => write!(f, "{}", path.join(FILE).display()),
            Place::Server(url) => {
                let named = url.split_once("://").map_or("", |(_, rest)| rest);
                let host = named.rsplit_once('@').map_or(named, |(_, host)| host);
                write!(f, "postgres://{}", host.split('?').next().unwrap_or_default())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_read_from_its_text_and_hides_its_password() {
        assert_eq!(":memory:".parse(), Ok(Place::Memory));
        assert_eq!("a b".parse(), Ok(Place::Folder("a b".into())));
        let server: Place = "postgres://me:secret@db.example/club?password=x".parse().unwrap();
        assert_eq!(server.to_string(), "postgres://db.example/club");
        assert!("".parse::<Place>().is_err());
        let refused = "mysql://me:secret@x/y".parse::<Place>().unwrap_err();
        assert!(refused.contains("'mysql'") && !refused.contains("secret"), "{refused}");
    }
}
