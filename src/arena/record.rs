//! Games on disk: one JSON object a line, appended as games end, so that a match broken off goes on where it was.

use super::lines;
use super::score::Tally;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;
use torres_link::messages::Info;

/// The file's name in its folder.
pub const GAMES_FILE: &str = "games.jsonl";

/// One side of a pairing: what makes games comparable.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Side {
    /// As in tables.
    pub name: String,
    /// As [`SideLimits`](super::limits::SideLimits) are written.
    pub limits: String,
    /// Options that were set.
    pub settings: String,
    /// Tells one build of the program from another.
    pub build: Option<String>,
}

/// Who meets whom, and from which openings.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pairing {
    /// The engine that is measured.
    pub engine: Side,
    /// The one it is measured by.
    pub opponent: Side,
    /// The openings' name.
    pub openings: String,
}

impl Pairing {
    /// Whether only the programs' builds differ.
    fn is_another_build_of(&self, other: &Pairing) -> bool {
        let without = |side: &Side| Side {
            build: None,
            ..side.clone()
        };
        let same = |a: &Side, b: &Side| without(a) == without(b);
        self != other
            && self.openings == other.openings
            && same(&self.engine, &other.engine)
            && same(&self.opponent, &other.opponent)
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// Mate.
    Checkmate,
    /// No move, no check.
    Stalemate,
    /// The same position for the third time.
    Repetition,
    /// Fifty moves without capture or pawn move.
    FiftyMoves,
    /// Nobody can mate.
    InsufficientMaterial,
    /// Ended early because both sides' scores agreed.
    Adjudicated,
    /// The clock ran out.
    TimeLoss,
    /// The engine's process ended, or it said what makes no sense.
    Crash,
    /// The engine did not answer.
    NoAnswer,
    /// The engine's move was not legal.
    IllegalMove,
}

impl End {
    /// Ends that an engine's defect brought about.
    pub const FAULTS: [End; 4] = [End::TimeLoss, End::Crash, End::NoAnswer, End::IllegalMove];

    /// Whether the loser lost by a defect, not by chess.
    pub(crate) fn is_fault(self) -> bool {
        End::FAULTS.contains(&self)
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            End::Checkmate => "checkmate",
            End::Stalemate => "stalemate",
            End::Repetition => "repetition",
            End::FiftyMoves => "fifty moves",
            End::InsufficientMaterial => "insufficient material",
            End::Adjudicated => "adjudicated",
            End::TimeLoss => "time loss",
            End::Crash => "crash",
            End::NoAnswer => "no answer",
            End::IllegalMove => "illegal move",
        }
    }
}

/// What a side spent in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effort {
    /// Moves it made.
    pub moves: u64,
    /// Time for all of them, in ms.
    pub ms: u64,
    /// Time for the longest, in ms.
    pub longest_ms: u64,
    /// Nodes, as it says itself.
    pub nodes: u64,
    /// Sum of the searches' depths, in plies, as it says itself.
    pub depths: u64,
}

impl Effort {
    /// Adds a move.
    pub fn add(&mut self, elapsed: Duration, info: Option<&Info>) {
        let ms = elapsed.as_millis() as u64;
        self.moves += 1;
        self.ms += ms;
        self.longest_ms = self.longest_ms.max(ms);
        self.nodes += info.map_or(0, |info| info.nodes);
        self.depths += info.map_or(0, |info| u64::from(info.depth));
    }

    /// Adds another game's.
    pub(crate) fn add_all(&mut self, other: &Effort) {
        self.moves += other.moves;
        self.ms += other.ms;
        self.longest_ms = self.longest_ms.max(other.longest_ms);
        self.nodes += other.nodes;
        self.depths += other.depths;
    }

    /// Mean depth of a search in plies; 0 without moves.
    pub(crate) fn mean_depth(&self) -> f64 {
        self.depths as f64 / self.moves.max(1) as f64
    }
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Who met.
    pub pairing: Pairing,
    /// Games of a pairing count from 0; an even one and the next share an opening, with colours exchanged.
    pub number: usize,
    /// The position it started from.
    pub opening: String,
    /// Whether the engine that is measured had White.
    pub engine_white: bool,
    /// The measured engine's points: 1, 0.5 or 0.
    pub points: f64,
    /// How it ended.
    pub end: End,
    /// More about the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// UCI moves, with blanks between.
    pub moves: String,
    /// The measured engine's effort.
    pub engine_effort: Effort,
    /// Its opponent's.
    pub opponent_effort: Effort,
}

impl GameRecord {
    /// PGN's result.
    pub fn result(&self) -> &'static str {
        match (self.points, self.engine_white) {
            (0.5, _) => "1/2-1/2",
            (1.0, true) | (0.0, false) => "1-0",
            _ => "0-1",
        }
    }

    /// The name of the side whose defect ended the game.
    pub fn at_fault(&self) -> Option<&str> {
        let loser = if self.points == 0.0 {
            &self.pairing.engine
        } else {
            &self.pairing.opponent
        };
        self.end.is_fault().then_some(loser.name.as_str())
    }
}

/// The games of a folder, held for writing by one program at a time.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    file: File,
    records: Vec<GameRecord>,
}

impl Store {
    /// Opens a folder's games, making the folder where there is none. A last line that was not written whole is cut
    /// off.
    ///
    /// # Errors
    /// The file cannot be read or written, another program writes to it, or a line is no game.
    pub fn open(folder: &Path) -> Result<Store, String> {
        let path = folder.join(GAMES_FILE);
        let wrong = |error: &dyn std::fmt::Display| format!("'{}': {error}", path.display());
        std::fs::create_dir_all(folder).map_err(|error| wrong(&error))?;
        let busy = "another ladder writes its games there; wait for it or choose another folder";
        let (file, text) = lines::open(&path, busy)?;
        let mut records = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            records.push(
                serde_json::from_str(line).map_err(|error| wrong(&format!("line {number} is no game: {error}")))?,
            );
        }
        Ok(Store { path, file, records })
    }

    /// All games, the oldest first.
    pub fn records(&self) -> &[GameRecord] {
        &self.records
    }

    /// Appends a game; it is on disk when this returns.
    ///
    /// # Errors
    /// The disk refuses.
    pub fn append(&mut self, record: GameRecord) -> Result<(), String> {
        let line = serde_json::to_string(&record).map_err(|error| format!("a game cannot be written: {error}"))?;
        self.file
            .write_all(format!("{line}\n").as_bytes())
            .and_then(|()| self.file.sync_data())
            .map_err(|error| format!("'{}': {error}", self.path.display()))?;
        self.records.push(record);
        Ok(())
    }

    /// Whether games of this pairing were played by other builds of its programs.
    pub(crate) fn has_another_build_of(&self, pairing: &Pairing) -> bool {
        self.records
            .iter()
            .any(|record| pairing.is_another_build_of(&record.pairing))
    }

    /// The tally of a pairing's games.
    pub fn tally(&self, pairing: &Pairing) -> Tally {
        let games: Vec<&GameRecord> = self
            .records
            .iter()
            .filter(|record| record.pairing == *pairing)
            .collect();
        tally(&games)
    }

    /// The pairings, in the order in which they first appear, with their games.
    pub(crate) fn by_pairing(&self) -> Vec<(Pairing, Vec<&GameRecord>)> {
        let mut groups: Vec<(Pairing, Vec<&GameRecord>)> = Vec::new();
        for record in &self.records {
            match groups.iter_mut().find(|(pairing, _)| *pairing == record.pairing) {
                Some((_, games)) => games.push(record),
                None => groups.push((record.pairing.clone(), vec![record])),
            }
        }
        groups
    }
}

/// The tally of a pairing's games.
pub fn tally(games: &[&GameRecord]) -> Tally {
    let mut tally = Tally::default();
    let points: HashMap<usize, f64> = games.iter().map(|game| (game.number, game.points)).collect();
    for game in games {
        tally.add(game.points);
        if game.number.is_multiple_of(2) {
            let other = points.get(&(game.number + 1));
            tally.pairs.extend(other.map(|other| game.points + other));
        }
    }
    tally
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(crate) fn record(opponent: &str, number: usize, points: f64, end: End) -> GameRecord {
        let side = |name: &str| Side {
            name: name.to_owned(),
            limits: "nodes=10".to_owned(),
            settings: String::new(),
            build: Some("1".to_owned()),
        };
        GameRecord {
            pairing: Pairing {
                engine: side("torres"),
                opponent: side(opponent),
                openings: "x".to_owned(),
            },
            number,
            opening: "startpos".to_owned(),
            engine_white: number.is_multiple_of(2),
            points,
            end,
            detail: None,
            moves: "e2e4 e7e5".to_owned(),
            engine_effort: Effort::default(),
            opponent_effort: Effort::default(),
        }
    }

    #[test]
    fn games_come_back_and_a_torn_line_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let (first, second) = (
            record("a", 0, 1.0, End::Checkmate),
            record("b", 0, 0.5, End::Repetition),
        );
        let mut store = Store::open(folder.path()).unwrap();
        store.append(first.clone()).unwrap();
        assert!(Store::open(folder.path()).is_err(), "two writers");
        drop(store);
        let path = folder.path().join(GAMES_FILE);
        let mut text = std::fs::read_to_string(&path).unwrap();
        text.push_str("{\"pairing\":{\"engi");
        std::fs::write(&path, &text).unwrap();
        let mut store = Store::open(folder.path()).unwrap();
        assert_eq!(store.records(), std::slice::from_ref(&first));
        store.append(second.clone()).unwrap();
        drop(store);
        assert_eq!(Store::open(folder.path()).unwrap().records(), [first, second]);
    }

    #[test]
    fn a_line_that_is_no_game_is_named() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(GAMES_FILE), "{}\n").unwrap();
        assert!(Store::open(folder.path()).unwrap_err().contains("line 1 "));
    }

    #[test]
    fn another_build_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(folder.path()).unwrap();
        let game = record("a", 0, 1.0, End::Checkmate);
        store.append(game.clone()).unwrap();
        assert!(!store.has_another_build_of(&game.pairing));
        let mut rebuilt = game.pairing.clone();
        rebuilt.engine.build = Some("2".to_owned());
        assert!(store.has_another_build_of(&rebuilt));
        rebuilt.engine.name = "torres 2".to_owned();
        assert!(!store.has_another_build_of(&rebuilt));
    }

    #[test]
    fn pairs_are_found_whatever_the_order() {
        let games = [(3, 0.5), (0, 1.0), (2, 1.0), (4, 0.0)]
            .map(|(number, points)| record("a", number, points, End::Checkmate));
        let tally = tally(&games.iter().collect::<Vec<_>>());
        assert_eq!((tally.wins, tally.draws, tally.losses), (2, 1, 1));
        assert_eq!(tally.pairs, [1.5]);
    }

    #[test]
    fn the_loser_of_a_faulty_game_is_named() {
        assert_eq!(record("a", 0, 0.0, End::Crash).at_fault(), Some("torres"));
        assert_eq!(record("a", 0, 1.0, End::TimeLoss).at_fault(), Some("a"));
        assert_eq!(record("a", 0, 1.0, End::Checkmate).at_fault(), None);
        assert_eq!(record("a", 0, 1.0, End::Checkmate).result(), "1-0");
        assert_eq!(record("a", 1, 1.0, End::Checkmate).result(), "0-1");
    }
}
