//! Who sits at a board: people, and computers that this server plays for.

use serde::{Deserialize, Serialize};

/// What a computer's id begins with; no person's does.
const COMPUTER: &str = "computer:";

/// Who a person is to the server: the learner whose secret lies in the browser, guest or account. Names prove nothing.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PersonId(pub String);

/// A person at a board, or a computer that this server plays for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// Who it is.
    pub id: PersonId,
    /// What others read.
    pub name: String,
    /// Whether a program plays for them, as they say themselves.
    pub program: bool,
    /// Whether the name is one that they gave themselves, and no account's. Of games from before this was written down
    /// it is not known.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub guest: bool,
}

/// What a guest is called who gave no name; no account has this one.
pub const NAMELESS: &str = "Guest";
/// What players are called whose accounts were deleted.
pub const DELETED: &str = "Deleted";

impl Person {
    /// A computer that this server plays for, by its id.
    pub fn computer(id: &str, name: String) -> Person {
        Person {
            id: PersonId(format!("{COMPUTER}{id}")),
            name,
            program: true,
            guest: false,
        }
    }

    /// Which computer this is, where it is one.
    pub fn computer_id(&self) -> Option<&str> {
        self.id.0.strip_prefix(COMPUTER)
    }
}

/// What a game in which a computer may play has beside others: whoever made it may pause it and take back moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owned {
    /// Who made it.
    pub by: PersonId,
    /// Whether computers take a natural time for their moves.
    pub natural: bool,
    /// Half moves that were played before it was made: they are not taken back, and it is begun anew after them.
    #[serde(default, skip_serializing_if = "is_none")]
    pub before: usize,
}

fn is_none(plies: &usize) -> bool {
    *plies == 0
}
