//! The site's log and the player's journal as they grow, and what they say of one game.

use serde::de::DeserializeOwned;
use serde_json::Value;
use std::io::{Read, Seek, SeekFrom};
use std::path::PathBuf;
use torres::journal::{Entry, Event, event};

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
    /// The first position and the one after each move, FEN.
    pub positions: Vec<String>,
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
    /// When a mouse button was pressed on the page, Unix time in ms.
    pub presses: Vec<f64>,
}

impl Site {
    pub fn of(log: PathBuf) -> Site {
        Site {
            tail: Tail::of(log),
            games: Vec::new(),
            presses: Vec::new(),
        }
    }

    /// Reads on.
    pub fn read(&mut self) {
        for line in self.tail.new_lines::<Value>() {
            let text = |name: &str| line[name].as_str().unwrap_or_default().to_owned();
            let at = line["t_ms"].as_f64().unwrap_or_default();
            if line["event"] == "game" {
                let black = text("detail").starts_with("player black");
                self.games.push(SiteGame {
                    color: if black { "black" } else { "white" }.to_owned(),
                    positions: vec![text("fen")],
                    ..SiteGame::default()
                });
            }
            if line["event"] == "pointer" && text("detail").contains(r#""type":"down""#) {
                self.presses.push(at);
            }
            let Some(game) = self.games.last_mut() else { continue };
            match line["event"].as_str() {
                Some("move") => {
                    game.moves.push((text("move"), at, line["by"] == "player"));
                    game.positions.push(text("fen"));
                }
                Some("refused") => game.refused.push(text("move")),
                Some("result") => game.result = Some(text("detail")),
                _ => {}
            }
        }
    }
}

/// The journal's reason of a pause that somebody asked for.
const ASKED_FOR: &str = "the user asked for it";

/// The most moves that a player leaves unseen when it is stopped: its own that was let go, or was just made, and the
/// bot's reply.
const MADE_UNSEEN: usize = 2;

/// A game by the player's journal: what it believed. A player that is stopped in the middle joins the game again.
#[derive(Clone, Debug, Default)]
pub struct Believed {
    parts: Vec<Part>,
    /// `1-0` and so on, once it is over.
    pub result: Option<String>,
    /// How it ended, in the journal's words.
    pub termination: String,
    /// Why the player waits for somebody, if nobody had asked it to.
    pub paused: Option<String>,
    /// Moves that were made again.
    pub retries: usize,
}

/// What was believed from one beginning on.
#[derive(Clone, Debug, Default)]
struct Part {
    /// The position in which it was begun or joined.
    fen: String,
    /// Each move with its place after that position, from 0; also those that were taken back later.
    moves: Vec<(usize, String)>,
    plies: usize,
}

/// How what was believed compares with what the site has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Moves that the site does not have there, and positions joined that its game did not have.
    pub wrong: usize,
    /// Moves of the site that were not seen.
    pub unseen: usize,
    /// Moves made in the moment of a stop or after it, and known by the position only in which the game was joined
    /// again.
    pub passed_over: usize,
}

/// A player's journal.
pub struct Journal {
    tail: Tail,
}

impl Journal {
    pub fn of(file: PathBuf) -> Journal {
        Journal { tail: Tail::of(file) }
    }

    /// Reads on, into the game that is played.
    pub fn read(&mut self, game: &mut Believed) {
        for entry in self.tail.new_lines::<Entry>() {
            game.take(&entry.event);
        }
    }
}

impl Believed {
    fn take(&mut self, event: &Event) {
        if let Event::GameStarted(event::GameStarted { fen, moves, .. }) = event {
            self.result = None;
            self.parts.push(Part {
                fen: fen.clone(),
                ..Part::default()
            });
            for played in moves {
                self.believe(None, played);
            }
        }
        match event {
            Event::Played { ply, played, .. } => self.believe(Some((*ply as usize).saturating_sub(1)), played),
            Event::TakenBack { plies, .. } => {
                if let Some(part) = self.parts.last_mut() {
                    part.plies = part.plies.saturating_sub(*plies);
                }
            }
            Event::Result {
                result, termination, ..
            } => {
                self.result = Some(result.clone());
                self.termination.clone_from(termination);
            }
            Event::Pause { reason, .. } if reason != ASKED_FOR => self.paused = Some(reason.clone()),
            Event::Resume { .. } => self.paused = None,
            Event::Retry(_) => self.retries += 1,
            _ => {}
        }
    }

    fn believe(&mut self, index: Option<usize>, played: &str) {
        let Some(part) = self.parts.last_mut() else { return };
        let index = index.unwrap_or(part.plies);
        part.moves.push((index, played.to_owned()));
        part.plies = index + 1;
    }

    /// Another player goes on with it: its end was that of the one before.
    pub fn is_taken_up(&mut self) {
        (self.result, self.paused) = (None, None);
    }

    /// Judges by the site. A move that it refused stood on the board for a moment, and is none. `left` where the player
    /// was stopped, and the game was over before another one came.
    pub fn compared(&self, site: &SiteGame, left: bool) -> Compared {
        let mut compared = Compared::default();
        let mut refused = site.refused.clone();
        let mut known = 0;
        for part in &self.parts {
            let Some(base) = site.place_of(&part.fen, known) else {
                compared.wrong += 1 + part.moves.len();
                continue;
            };
            compared.passes(base.saturating_sub(known), true);
            known = base + part.plies;
            for (index, played) in &part.moves {
                if site.moves.get(base + index).is_some_and(|(uci, ..)| uci == played) {
                    continue;
                }
                match refused.iter().position(|uci| uci == played) {
                    Some(at) => _ = refused.swap_remove(at),
                    None => compared.wrong += 1,
                }
            }
        }
        compared.passes(site.moves.len().saturating_sub(known), left);
        compared
    }
}

impl Compared {
    /// So many moves of the site were not seen as moves.
    fn passes(&mut self, moves: usize, at_a_stop: bool) {
        if at_a_stop && moves <= MADE_UNSEEN {
            self.passed_over += moves;
        } else {
            self.unseen += moves;
        }
    }
}

impl SiteGame {
    /// After how many moves, `known` or more if it can be, the game had this position. Castling rights and counts are
    /// not compared: a player that joins a game can only assume them.
    fn place_of(&self, fen: &str, known: usize) -> Option<usize> {
        let shown = |fen: &str| fen.split(' ').take(2).map(str::to_owned).collect::<Vec<_>>();
        let mut places = (0..self.positions.len()).filter(|at| shown(&self.positions[*at]) == shown(fen));
        let earlier = places.clone().take_while(|at| *at < known).last();
        places.find(|at| *at >= known).or(earlier)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use torres::chess::Side;

    fn played(ply: u32, uci: &str) -> Event {
        Event::Played {
            ply,
            played: uci.to_owned(),
            by: Side::White,
            took_ms: 0.0,
            left_ms: 0.0,
        }
    }

    /// A game of the site whose positions are named by their numbers.
    fn site(moves: &[&str]) -> SiteGame {
        let positions = (0..=moves.len()).map(|number| format!("position-{number} w"));
        let moves = moves.iter().map(|text| ((*text).to_owned(), 0.0, false));
        SiteGame {
            moves: moves.collect(),
            positions: positions.collect(),
            ..SiteGame::default()
        }
    }

    fn begun(number: usize) -> Event {
        Event::GameStarted(event::GameStarted {
            fen: format!("position-{number} w - - 0 1"),
            moves: Vec::new(),
            color: Side::White,
            clock: None,
            opponent: None,
        })
    }

    fn believed(moves: &[&str]) -> Believed {
        let mut believed = Believed::default();
        believed.take(&begun(0));
        for (ply, uci) in (1..).zip(moves) {
            believed.take(&played(ply, uci));
        }
        believed
    }

    fn compared(wrong: usize, unseen: usize, passed_over: usize) -> Compared {
        Compared {
            wrong,
            unseen,
            passed_over,
        }
    }

    #[test]
    fn a_move_that_the_site_does_not_have_there_is_wrong() {
        let game = site(&["e2e4", "e7e5", "g1f3"]);
        let found = |moves: &[&str]| believed(moves).compared(&game, false);
        assert_eq!(found(&["e2e4", "e7e5", "g1f3"]), compared(0, 0, 0));
        assert_eq!(found(&["e2e4"]), compared(0, 2, 0));
        assert_eq!(found(&["e2e4", "e7e6", "g1f3"]), compared(1, 0, 0));
        assert_eq!(found(&["e7e5", "e2e4", "g1f3"]), compared(2, 0, 0));
        assert_eq!(found(&["e2e4", "e7e5", "g1f3", "b8c6"]), compared(1, 0, 0));
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
        assert_eq!(believed.compared(&game, false), compared(1, 0, 0));
        game.refused = vec!["d2d4".to_owned()];
        assert_eq!(believed.compared(&game, false), compared(0, 0, 0));
    }

    #[test]
    fn a_game_joined_again_is_compared_from_where_it_was_joined() {
        let game = site(&["e2e4", "e7e5", "g1f3", "b8c6", "f1c4"]);
        let joined = |number: usize, moves: &[&str]| {
            let mut believed = believed(&["e2e4", "e7e5"]);
            believed.take(&begun(number));
            for (ply, uci) in (1..).zip(moves) {
                believed.take(&played(ply, uci));
            }
            believed.compared(&game, false)
        };
        // What was let go, and its reply, are known by the position only.
        assert_eq!(joined(4, &["f1c4"]), compared(0, 0, 2));
        assert_eq!(joined(2, &["g1f3", "b8c6", "f1c4"]), compared(0, 0, 0));
        assert_eq!(joined(2, &["g1f3", "b8a6", "f1c4"]), compared(1, 0, 0));
        // Three moves are more than a stop can hide.
        assert_eq!(joined(5, &[]), compared(0, 3, 0));
        // A position that the game never had.
        assert_eq!(joined(9, &["f1c4"]), compared(2, 3, 0));
    }

    #[test]
    fn a_game_that_was_over_before_another_player_came_may_end_two_moves_later() {
        let game = site(&["e2e4", "e7e5", "g1f3"]);
        assert_eq!(believed(&["e2e4", "e7e5"]).compared(&game, true), compared(0, 0, 1));
        assert_eq!(believed(&["e2e4", "e7e5"]).compared(&game, false), compared(0, 1, 0));
        assert_eq!(believed(&[]).compared(&game, true), compared(0, 3, 0));
    }
}
