//! The computers that can have a seat: who they are, and how long they take.

use super::person::Person;
use std::sync::Arc;
use std::time::Duration;
use torres_characters::Character;
use torres_link::messages::Limits;
use torres_site::levels::LevelNumber;
use torres_site::opponents::{EngineBot, level_name};

/// What the id of an engine that the site was told of begins with, before its name.
const ENGINE: &str = "engine-";

/// A computer that can have a seat.
#[derive(Clone, Debug)]
pub enum Computer {
    /// The site's own bot at this level.
    Level(LevelNumber),
    /// An opponent with a way of its own to play.
    Character(&'static Character),
    /// An engine that the site was told of, by its place in their list.
    Engine(usize, Arc<EngineBot>),
}

impl Computer {
    /// Those of every site: the levels, the weakest first, then the characters.
    pub fn of_every_site() -> impl Iterator<Item = Computer> {
        let levels = LevelNumber::all().map(Computer::Level);
        levels.chain(torres_characters::ALL.iter().map(Computer::Character))
    }

    /// The one of every site with this id.
    pub fn find(id: &str) -> Option<Computer> {
        match id.strip_prefix("level-") {
            Some(number) => LevelNumber::try_from(number.parse::<u8>().ok()?)
                .ok()
                .map(Computer::Level),
            None => torres_characters::find(id).map(Computer::Character),
        }
    }

    /// What messages and files call it, such as `level-3`, `alv5` or `engine-Stockfish`.
    pub fn id(&self) -> String {
        match self {
            Computer::Level(level) => format!("level-{}", level.get()),
            Computer::Character(character) => character.id.to_owned(),
            Computer::Engine(_, engine) => format!("{ENGINE}{}", engine.name),
        }
    }

    /// What people call it.
    pub fn name(&self) -> String {
        match self {
            Computer::Level(level) => level_name(*level),
            Computer::Character(character) => character.name.to_owned(),
            Computer::Engine(_, engine) => engine.name.clone(),
        }
    }

    /// How it plays, in a sentence.
    pub fn plays(&self) -> String {
        match self {
            Computer::Level(level) => {
                let level = level.level();
                let looks = format!("Looks {} ahead", counted(u64::from(level.depth), "half move"));
                match level.slip_percent {
                    0 => format!("{looks}."),
                    slip => format!("{looks}, and plays {slip} of 100 moves without looking."),
                }
            }
            Computer::Character(character) => character.plays.to_owned(),
            Computer::Engine(_, engine) => format!("An engine of this site's owner{}.", within(&engine.limits)),
        }
    }

    /// As it sits at a board.
    pub fn person(&self) -> Person {
        Person::computer(&self.id(), self.name())
    }
}

/// What an engine may use for a move, in words.
fn within(limits: &Limits) -> String {
    let all = [
        limits.move_ms.map(|ms| format!("{} s", ms as f64 / 1_000.0)),
        limits.depth.map(|depth| counted(depth.into(), "half move")),
        limits.nodes.map(|nodes| counted(nodes, "position")),
    ];
    let all: Vec<String> = all.into_iter().flatten().collect();
    match all.is_empty() {
        true => String::new(),
        false => format!(", with at most {} for a move", all.join(" or ")),
    }
}

fn counted(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// The shortest natural time.
const AT_ONCE: Duration = Duration::from_millis(400);
/// The longest.
const AT_LENGTH: Duration = Duration::from_millis(2_400);

/// How long a computer takes for a move, at least, so that it can be followed: not long for the only move there is,
/// else between 0.4 and 2.4 s by `chance`, evenly spread; never more than a fortieth of the time that it has left.
pub fn natural_time(chance: u32, legal_moves: usize, time_left: Option<Duration>) -> Duration {
    let share = f64::from(chance) / f64::from(u32::MAX);
    let wanted = match legal_moves {
        0 | 1 => AT_ONCE,
        _ => AT_ONCE + (AT_LENGTH - AT_ONCE).mul_f64(share),
    };
    time_left.map_or(wanted, |left| wanted.min(left / 40))
}

#[cfg(test)]
mod tests {
    use super::super::computers::tests::computers;
    use super::*;

    #[test]
    fn whoever_is_listed_is_found_by_id_and_no_id_is_shared() {
        // An engine may have any name, also another's.
        let computers = computers(&["alv5=x;depth=1;movetime=50", "level-3=x"]);
        let ids: Vec<String> = computers.all().iter().map(Computer::id).collect();
        for (index, id) in ids.iter().enumerate() {
            assert_eq!(computers.find(id).unwrap().id(), *id);
            assert!(!ids[..index].contains(id), "{id}");
        }
        assert_eq!(ids[2], "level-3");
        assert!(ids.iter().any(|id| id == "alv5") && ids.len() == 8 + torres_characters::ALL.len() + 2);
        for none in [
            "",
            "level-",
            "level-0",
            "level-9",
            "level-3 ",
            "Alv5",
            "computer:alv5",
            "engine-",
        ] {
            assert!(computers.find(none).is_none(), "{none}");
        }
        let engine = computers.find("engine-alv5").unwrap();
        assert_eq!(
            engine.plays(),
            "An engine of this site's owner, with at most 0.05 s or 1 half move for a move."
        );
    }

    #[test]
    fn a_level_says_how_far_it_looks() {
        let plays: Vec<String> = Computer::of_every_site().map(|computer| computer.plays()).collect();
        assert_eq!(
            plays[0],
            "Looks 1 half move ahead, and plays 50 of 100 moves without looking."
        );
        assert_eq!(plays[7], "Looks 12 half moves ahead.");
    }

    #[test]
    fn a_seat_says_which_computer_has_it_and_a_person_is_none() {
        let person = Computer::find("alv5").unwrap().person();
        assert_eq!((person.computer_id(), person.program), (Some("alv5"), true));
        let guest = Person {
            id: super::super::person::PersonId("0f".into()),
            name: "computer:alv5".into(),
            program: true,
            guest: false,
        };
        assert_eq!(guest.computer_id(), None);
    }

    #[test]
    fn a_natural_time_is_short_where_there_is_no_choice_or_no_time() {
        assert_eq!(natural_time(u32::MAX, 1, None), AT_ONCE);
        assert_eq!(natural_time(0, 20, None), AT_ONCE);
        assert_eq!(natural_time(u32::MAX, 20, None), AT_LENGTH);
        let second = Some(Duration::from_secs(1));
        assert_eq!(natural_time(u32::MAX, 20, second), Duration::from_millis(25));
    }
}
