//! How strong the computers of every site were measured to be: one table.

use std::fmt;

/// How strong a computer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Strength {
    /// In Elo, on the scale of Torres' levels (`UCI_Elo`).
    elo: i32,
    /// The distance from it to the end of its 95 % interval.
    error: i32,
    /// In how many games it was measured.
    pub games: u32,
}

/// By id, as measured in `torres ladder`. Characters: `docs/characters.md`, "Strength on the site". The site's levels:
/// `docs/engine/levels.md`, "The site's levels"; each has played one of Torres' levels, and what is here is that
/// level's number plus the difference that was found. The scale's own steps were measured too (there, "Between
/// levels"); it is not another scale's.
const MEASURED: [(&str, Strength); 22] = [
    ("level-1", about(88, 308, 20)),
    ("level-2", about(462, 185, 20)),
    ("level-3", about(930, 143, 20)),
    ("level-4", about(1453, 139, 20)),
    ("level-5", about(1747, 142, 20)),
    ("level-6", about(2017, 130, 20)),
    ("level-7", about(2311, 124, 20)),
    ("level-8", about(2768, 140, 20)),
    ("alv1", about(818, 69, 200)),
    ("alv2", about(889, 83, 200)),
    ("alv3", about(950, 90, 200)),
    ("alv4", about(1094, 92, 210)),
    ("alv5", about(1105, 97, 200)),
    ("alv6", about(962, 100, 200)),
    ("alv7", about(989, 98, 128)),
    ("agent", about(669, 104, 50)),
    ("fourplies", about(1246, 83, 50)),
    ("guesser", about(1700, 83, 50)),
    ("novice", about(262, 97, 128)),
    ("casual", about(640, 128, 55)),
    ("steady", about(1503, 109, 37)),
    ("keen", about(1783, 123, 40)),
];

const fn about(elo: i32, error: i32, games: u32) -> Strength {
    Strength { elo, error, games }
}

/// What was measured of the computer with this id.
pub(super) fn of(id: &str) -> Option<Strength> {
    let found = MEASURED.iter().find(|(measured, _)| *measured == id);
    found.map(|(_, strength)| *strength)
}

impl Strength {
    /// Where it stands in a list of the weakest first.
    pub fn order(self) -> i32 {
        self.elo
    }

    /// In tens: the last digit says nothing.
    pub fn rounded(self) -> i32 {
        tens(self.elo)
    }
}

fn tens(number: i32) -> i32 {
    (number + 5).div_euclid(10) * 10
}

/// Such as `1510 ± 140`.
impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ± {}", tens(self.elo), tens(self.error))
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
        assert_eq!(of("guesser").unwrap().to_string(), "1700 ± 80");
        assert_eq!(of("novice").unwrap().to_string(), "260 ± 100");
    }

    #[test]
    fn a_higher_level_is_stronger() {
        let orders = (1..=8).map(|level| of(&format!("level-{level}")).unwrap().order());
        assert!(orders.is_sorted());
    }
}
