//! The name of a game in addresses.

use serde::{Deserialize, Serialize};

/// A game's name in addresses: whoever knows it may watch, and join where a seat is free.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct GameId(String);

impl GameId {
    /// Letters and digits of an id: 62^10, so that nobody finds a game by trying.
    pub const LENGTH: usize = 10;

    /// Made of random bytes; of each only what is below 62 times 4 counts, so that every letter is as likely as the
    /// others.
    pub fn from_random(bytes: impl Iterator<Item = u8>) -> GameId {
        const LETTERS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        let letters = bytes.filter(|byte| usize::from(*byte) < LETTERS.len() * 4);
        let text = letters.map(|byte| char::from(LETTERS[usize::from(byte) % LETTERS.len()]));
        GameId(text.take(GameId::LENGTH).collect())
    }

    /// As in an address.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for GameId {
    type Error = String;

    fn try_from(text: String) -> Result<GameId, String> {
        match text.len() == GameId::LENGTH && text.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            true => Ok(GameId(text)),
            false => Err(format!(
                "'{}' names no game: ten letters and digits do",
                torres_printing::shortened(&text, 40)
            )),
        }
    }
}

impl From<GameId> for String {
    fn from(id: GameId) -> String {
        id.0
    }
}

impl std::fmt::Display for GameId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}
