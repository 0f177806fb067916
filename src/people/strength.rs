//! How strong the computers of every site were measured to be: one table.

use std::fmt;

/// How strong a computer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Strength {
    /// In Elo, on the scale of Torres' levels (`UCI_Elo`).
    elo: Elo,
    /// In how many games it was measured.
    pub games: u32,
}

/// A number of points, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Elo {
    /// With the distance to the end of its 95 % interval.
    About(i32, i32),
    /// It scored nothing: with 95 % it is below this.
    Below(i32),
}

/// By id. Each has played one of Torres' levels, in `torres ladder`: what is here is that level's number plus the difference that was
/// found. Characters: `docs/characters.md`, "Strength". The site's levels: `docs/engine/levels.md`, "The site's levels". The scale's own
/// steps were measured too (there, "Between levels"); it is not another scale's.
const MEASURED: [(&str, Strength); 22] = [
    ("level-1", about(88, 308, 20)),
    ("level-2", about(462, 185, 20)),
    ("level-3", about(930, 143, 20)),
    ("level-4", about(1453, 139, 20)),
    ("level-5", about(1747, 142, 20)),
    ("level-6", about(2017, 130, 20)),
    ("level-7", about(2311, 124, 20)),
    ("level-8", about(2768, 140, 20)),
    ("alv1", about(364, 354, 20)),
    ("alv2", about(699, 202, 20)),
    ("alv3", about(731, 184, 20)),
    ("alv4", about(662, 206, 20)),
    ("alv5", about(759, 182, 20)),
    ("alv6", about(699, 202, 20)),
    ("alv7", about(699, 185, 20)),
    ("agent", below(1113, 20)),
    ("fourplies", about(1292, 154, 20)),
    ("guesser", about(1508, 138, 20)),
    ("novice", below(1113, 20)),
    ("casual", about(964, 247, 20)),
    ("steady", about(1527, 145, 20)),
    ("keen", about(1782, 235, 20)),
];

const fn about(elo: i32, error: i32, games: u32) -> Strength {
    let elo = Elo::About(elo, error);
    Strength { elo, games }
}

const fn below(elo: i32, games: u32) -> Strength {
    let elo = Elo::Below(elo);
    Strength { elo, games }
}

/// What was measured of the computer with this id.
pub(super) fn of(id: &str) -> Option<Strength> {
    let found = MEASURED.iter().find(|(measured, _)| *measured == id);
    found.map(|(_, strength)| *strength)
}

impl Strength {
    /// Where it stands in a list of the weakest first.
    pub fn order(self) -> i32 {
        match self.elo {
            Elo::About(elo, _) | Elo::Below(elo) => elo,
        }
    }

    /// In tens: the last digit says nothing.
    pub fn rounded(self) -> i32 {
        tens(self.order())
    }
}

fn tens(number: i32) -> i32 {
    (number + 5).div_euclid(10) * 10
}

/// Such as `1510 ± 140`.
impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.elo {
            Elo::About(elo, error) => write!(f, "{} ± {}", tens(elo), tens(error)),
            Elo::Below(elo) => write!(f, "below {}", tens(elo)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::computer::Computer;
    use super::*;

    #[test]
    fn every_computer_of_every_site_was_measured() {
        let computers: Vec<Computer> = Computer::of_every_site().collect();
        assert_eq!(computers.len(), MEASURED.len());
        for id in computers.iter().map(Computer::id) {
            assert!(of(&id).is_some_and(|strength| strength.games >= 20), "{id}");
        }
        assert_eq!(of("engine-Stockfish"), None);
        assert_eq!(of("guesser").unwrap().to_string(), "1510 ± 140");
        assert_eq!(of("agent").unwrap().to_string(), "below 1110");
    }

    #[test]
    fn a_higher_level_is_stronger() {
        let orders = (1..=8).map(|level| of(&format!("level-{level}")).unwrap().order());
        assert!(orders.is_sorted());
    }
}
