//! What servers that share the store tell each other of their games.

use super::game_id::GameId;
use serde::{Deserialize, Serialize};
use shakmaty::Color;
use std::collections::HashMap;

/// A server's name among those that share a store.
pub(super) type ServerName = String;

/// What a server tells the others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Announcement {
    /// Who.
    pub from: ServerName,
    /// What.
    #[serde(flatten)]
    pub said: Said,
}

impl Announcement {
    /// As it is told.
    pub fn text(from: &ServerName, said: Said) -> String {
        let from = from.clone();
        serde_json::to_string(&Announcement { from, said }).unwrap_or_default()
    }
}

/// What is said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "said", rename_all = "snake_case")]
pub(super) enum Said {
    /// A game has changed.
    Changed {
        /// Which.
        game: GameId,
    },
    /// Who is at a game there.
    Here {
        /// Which.
        game: GameId,
        /// Whether it stands in the list.
        listed: bool,
        /// Who.
        guests: Guests,
    },
    /// Who is at a game, or at any?
    WhoIsAt {
        /// Which; any where it is absent.
        game: Option<GameId>,
    },
    /// The server is there.
    Alive,
    /// The server ends.
    Gone,
}

/// Who is at a game by way of one server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Guests {
    /// White's player.
    pub white: Option<Guest>,
    /// Black's.
    pub black: Option<Guest>,
    /// Others.
    pub watchers: usize,
    /// Whether whoever made it is, where a computer may play.
    #[serde(default)]
    pub owner: bool,
}

impl Guests {
    /// Whether nobody is.
    pub fn is_nobody(&self) -> bool {
        *self == Guests::default()
    }

    /// A side's player, if they are there.
    pub fn player(&self, color: Color) -> Option<Guest> {
        color.fold_wb(self.white, self.black)
    }

    /// Whether it is worth telling.
    pub fn differ(&self, others: &Guests) -> bool {
        let changed = |a: Option<Guest>, b: Option<Guest>| match (a, b) {
            (Some(a), Some(b)) => ping_differs(a.ping_ms, b.ping_ms),
            (a, b) => a.is_some() != b.is_some(),
        };
        changed(self.white, others.white)
            || changed(self.black, others.black)
            || self.watchers != others.watchers
            || self.owner != others.owner
    }
}

/// Whether a server lets a game's computers think: of those to which the game's owner has come, the first by name does.
/// So no two think about one move, and where the first is gone the next goes on.
pub(super) fn thinks(me: &str, owner_is_here: bool, there: &HashMap<ServerName, Guests>) -> bool {
    let earlier = |(name, guests): (&ServerName, &Guests)| guests.owner && name.as_str() < me;
    owner_is_here && !there.iter().any(earlier)
}

/// Whether a way has become a good deal longer or shorter.
pub(super) fn ping_differs(before: Option<u32>, now: Option<u32>) -> bool {
    match (before, now) {
        (Some(before), Some(now)) => before.abs_diff(now) > 20.max(before / 4),
        (before, now) => before.is_some() != now.is_some(),
    }
}

/// A player who is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Guest {
    /// The way to them and back, in ms, where it is known.
    pub ping_ms: Option<u32>,
}

/// An announcement of another server; `None` for one's own and for what is none.
pub(super) fn heard(text: &str, me: &str) -> Option<Announcement> {
    let announced: Announcement = serde_json::from_str(text).ok()?;
    (announced.from != me).then_some(announced)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_the_servers_at_which_a_games_owner_is_one_lets_its_computers_think() {
        let guests = |owner| Guests {
            watchers: 1,
            owner,
            ..Guests::default()
        };
        let names = ["a", "b", "c"];
        // Which of three servers has the owner, in all ways.
        for owners in 0..8_usize {
            let has_owner = |index: usize| owners >> index & 1 == 1;
            let thinking: Vec<&str> = (0..names.len())
                .filter(|&me| {
                    let there = (0..names.len()).filter(|other| *other != me);
                    let there = there.map(|other| (names[other].to_owned(), guests(has_owner(other))));
                    thinks(names[me], has_owner(me), &there.collect())
                })
                .map(|me| names[me])
                .collect();
            let first: Vec<&str> = (0..3)
                .find(|&one| has_owner(one))
                .map(|one| names[one])
                .into_iter()
                .collect();
            assert_eq!(thinking, first, "owners {owners:03b}");
        }
    }

    #[test]
    fn whoever_leaves_the_owner_out_has_none() {
        let told = r#"{"from":"a","said":"here","game":"abcdefghij","listed":false,"guests":{"white":null,"black":null,"watchers":1}}"#;
        let Some(Announcement {
            said: Said::Here { guests, .. },
            ..
        }) = heard(told, "b")
        else {
            panic!("not heard");
        };
        assert!(!guests.owner && !guests.is_nobody());
    }
}
