//! The site's log and the player's journal as they grow, and what they say of one game.

use serde::de::DeserializeOwned;
use serde_json::Value;
use std::io::{Read, Seek, SeekFrom};
use std::path::PathBuf;
use torres::journal::{Entry, Event};

/// A file of JSON lines that is read on where it was left.
pub struct Tail {
    path: PathBuf,
    read: u64,
}

impl Tail {
    pub fn of(path: PathBuf) -> Tail {
        Tail { path, read: 0 }
    }

    /// The lines that are whole since the last time.
    pub fn new_lines<T: DeserializeOwned>(&mut self) -> Vec<T> {
        let Ok(mut file) = std::fs::File::open(&self.path) else {
            return Vec::new();
        };
        let mut text = String::new();
        file.seek(SeekFrom::Start(self.read)).expect("a file that grows");
        file.read_to_string(&mut text).expect("a file of text");
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        self.read += whole as u64;
        let lines = text[..whole].lines();
        lines
            .map(|line| serde_json::from_str(line).expect("a line of JSON"))
            .collect()
    }
}

/// A game by the site's log: the judge.
#[derive(Clone, Debug, Default)]
pub struct SiteGame {
    /// UCI, with the time and whether the player made it.
    pub moves: Vec<(String, f64, bool)>,
    /// The moves that were refused, UCI.
    pub refused: Vec<String>,
    /// The player's colour.
    pub color: String,
    /// Score and reason, once it is over.
    pub result: Option<String>,
}

/// All games of a site's log.
pub struct Site {
    tail: Tail,
    pub games: Vec<SiteGame>,
}

impl Site {
    pub fn of(log: PathBuf) -> Site {
        Site {
            tail: Tail::of(log),
            games: Vec::new(),
        }
    }

    /// Reads on.
    pub fn read(&mut self) {
        for line in self.tail.new_lines::<Value>() {
            let text = |name: &str| line[name].as_str().unwrap_or_default().to_owned();
            if line["event"] == "game" {
                let black = text("detail").starts_with("player black");
                self.games.push(SiteGame {
                    color: if black { "black" } else { "white" }.to_owned(),
                    ..SiteGame::default()
                });
            }
            let Some(game) = self.games.last_mut() else { continue };
            match line["event"].as_str() {
                Some("move") => {
                    let at = line["t_ms"].as_f64().unwrap_or_default();
                    game.moves.push((text("move"), at, line["by"] == "player"));
                }
                Some("refused") => game.refused.push(text("move")),
                Some("result") => game.result = Some(text("detail")),
                _ => {}
            }
        }
    }
}

/// A game by the player's journal: what it believed.
#[derive(Clone, Debug, Default)]
pub struct Believed {
    /// Each move with its place in the game, from 0; also those that were taken back later.
    moves: Vec<(usize, String)>,
    plies: usize,
    /// `1-0` and so on, once it is over.
    pub result: Option<String>,
    /// How it ended, in the journal's words.
    pub termination: String,
}

/// All games of a player's journal.
pub struct Journal {
    tail: Tail,
    pub games: Vec<Believed>,
}

impl Journal {
    pub fn of(file: PathBuf) -> Journal {
        Journal {
            tail: Tail::of(file),
            games: Vec::new(),
        }
    }

    /// Reads on.
    pub fn read(&mut self) {
        for entry in self.tail.new_lines::<Entry>() {
            if let Event::GameStarted { .. } = entry.event {
                self.games.push(Believed::default());
            }
            if let Some(game) = self.games.last_mut() {
                game.take(&entry.event);
            }
        }
    }
}

impl Believed {
    fn take(&mut self, event: &Event) {
        match event {
            Event::GameStarted { moves, .. } => {
                for played in moves {
                    self.believe(self.plies, played);
                }
            }
            Event::Played { ply, played, .. } => self.believe((*ply as usize).saturating_sub(1), played),
            Event::TakenBack { plies, .. } => self.plies = self.plies.saturating_sub(*plies),
            Event::Result {
                result, termination, ..
            } => {
                self.result = Some(result.clone());
                self.termination.clone_from(termination);
            }
            _ => {}
        }
    }

    fn believe(&mut self, index: usize, played: &str) {
        self.moves.push((index, played.to_owned()));
        self.plies = index + 1;
    }

    /// Moves that the site does not have there. One that it refused stood on the board for a moment, and is none.
    pub fn wrong(&self, site: &SiteGame) -> usize {
        let mut refused = site.refused.clone();
        let other = |(index, played): &&(usize, String)| {
            if site.moves.get(*index).is_some_and(|(uci, ..)| uci == played) {
                return false;
            }
            match refused.iter().position(|uci| uci == played) {
                Some(at) => {
                    refused.swap_remove(at);
                    false
                }
                None => true,
            }
        };
        self.moves.iter().filter(other).count()
    }

    /// Moves of the site that were not seen.
    pub fn unseen(&self, site: &SiteGame) -> usize {
        site.moves.len().saturating_sub(self.plies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use torres::geometry::Orientation;

    fn played(ply: u32, uci: &str) -> Event {
        Event::Played {
            ply,
            played: uci.to_owned(),
            by: Orientation::White,
            took_ms: 0.0,
            left_ms: 0.0,
        }
    }

    fn site(moves: &[&str]) -> SiteGame {
        let moves = moves.iter().map(|text| ((*text).to_owned(), 0.0, false));
        SiteGame {
            moves: moves.collect(),
            ..SiteGame::default()
        }
    }

    fn believed(moves: &[&str]) -> Believed {
        let mut believed = Believed::default();
        for (ply, uci) in (1..).zip(moves) {
            believed.take(&played(ply, uci));
        }
        believed
    }

    #[test]
    fn a_move_that_the_site_does_not_have_there_is_wrong() {
        let game = site(&["e2e4", "e7e5", "g1f3"]);
        let found = |moves: &[&str]| {
            let believed = believed(moves);
            (believed.wrong(&game), believed.unseen(&game))
        };
        assert_eq!(found(&["e2e4", "e7e5", "g1f3"]), (0, 0));
        assert_eq!(found(&["e2e4"]), (0, 2));
        assert_eq!(found(&["e2e4", "e7e6", "g1f3"]), (1, 0));
        assert_eq!(found(&["e7e5", "e2e4", "g1f3"]), (2, 0));
        assert_eq!(found(&["e2e4", "e7e5", "g1f3", "b8c6"]), (1, 0));
    }

    #[test]
    fn a_wrong_move_stays_wrong_when_it_is_taken_back_and_a_refused_one_is_none() {
        let mut believed = believed(&["d2d4"]);
        believed.take(&Event::TakenBack {
            plies: 1,
            fen: String::new(),
        });
        believed.take(&played(1, "e2e4"));
        let mut game = site(&["e2e4"]);
        assert_eq!((believed.wrong(&game), believed.unseen(&game)), (1, 0));
        game.refused = vec!["d2d4".to_owned()];
        assert_eq!(believed.wrong(&game), 0);
    }
}
