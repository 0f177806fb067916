//! Games of our own engine against itself, for its evaluation to learn from: quiet positions, with the search's score and
//! the game's result.
//!
//! One game a line, appended as games end; a game depends on nothing but its number, the settings and the engine.

use super::lines;
use super::openings::{Openings, SplitMix};
use crate::engine::{Engine, Game, Move, Score, SearchControl, SearchLimits};
use serde::{Deserialize, Serialize};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

/// How games are made.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Nodes of each search.
    pub nodes: u64,
    /// Plies played by chance after each opening, so that no two games are alike.
    pub random_plies: usize,
    /// Makes other games of the same settings.
    pub seed: u64,
    /// Where games start.
    pub openings: Openings,
    /// Transposition table in MiB.
    pub hash_mib: usize,
}

/// A position to learn from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// The position.
    pub fen: String,
    /// What the search said of it, in centipawns from White's view.
    pub score: i32,
}

/// A game to learn from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SelfPlayed {
    /// Its number, from 0.
    pub game: u64,
    /// White's points: 1, 0.5 or 0.
    pub result: f32,
    /// Its quiet positions.
    pub samples: Vec<Sample>,
}

/// Beyond this score, in centipawns, for [`DECIDED_PLIES`] plies in a row a game counts as won.
const DECIDED: i32 = 1200;
const DECIDED_PLIES: usize = 5;
/// Within this score, after [`DRAWN_FROM`] plies and for [`DRAWN_PLIES`] plies in a row, a game counts as drawn.
const DRAWN: i32 = 8;
const DRAWN_PLIES: usize = 14;
const DRAWN_FROM: usize = 80;
/// Positions beyond this score are decided and teach nothing.
const TEACHES: i32 = 1000;
/// Chance may not decide a game before it begins: after the random plies the score must be within this.
const FAIR: i32 = 250;
/// A game that is no fairer after so many attempts is left out.
const ATTEMPTS: u64 = 20;

/// The engine that plays both sides.
pub struct Player {
    engine: Engine,
    settings: Settings,
}

impl Player {
    /// A player with these settings.
    pub fn new(settings: Settings) -> Player {
        Player {
            engine: Engine::new(settings.hash_mib),
            settings,
        }
    }

    /// Plays a game; `None` if no fair start was found.
    pub fn play(&mut self, number: u64) -> Option<SelfPlayed> {
        self.engine.new_game();
        let mut game = (0..ATTEMPTS).find_map(|attempt| {
            let game = self.start(number, attempt)?;
            let (_, score) = self.search(&game)?;
            (score.abs() <= FAIR).then_some(game)
        })?;
        let (mut scores, mut samples) = (Vec::new(), Vec::new());
        let result = loop {
            let position = *game.position();
            let Some((mv, score)) = (if game.is_draw() { None } else { self.search(&game) }) else {
                // Mate, or a draw of any kind.
                let mated = position.in_check() && position.legal_moves().is_empty();
                break if mated {
                    white_loses_if(position.turn() == crate::engine::Color::White)
                } else {
                    0.5
                };
            };
            if !position.in_check() && !mv.is_capture() && mv.promotion().is_none() && score.abs() <= TEACHES {
                samples.push(Sample {
                    fen: position.fen(),
                    score,
                });
            }
            scores.push(score);
            if let Some(result) = decided(&scores) {
                break result;
            }
            game.play(mv);
        };
        Some(SelfPlayed {
            game: number,
            result,
            samples,
        })
    }

    /// An opening and some moves by chance.
    fn start(&self, number: u64, attempt: u64) -> Option<Game> {
        let mut random =
            SplitMix(self.settings.seed.wrapping_mul(0x1_0000_01b3) ^ (number.wrapping_mul(1000) + attempt));
        let opening = random.next() as usize % self.settings.openings.len();
        let mut game = Game::from_fen_and_moves(self.settings.openings.of_pair(opening), [] as [&str; 0]).ok()?;
        for _ in 0..self.settings.random_plies {
            let moves = game.position().legal_moves();
            if moves.is_empty() || game.is_draw() {
                return None;
            }
            game.play(moves[random.next() as usize % moves.len()]);
        }
        Some(game)
    }

    /// The best move, and its score from White's view; `None` when there is no move.
    fn search(&mut self, game: &Game) -> Option<(Move, i32)> {
        let limits = SearchLimits {
            nodes: Some(self.settings.nodes),
            ..SearchLimits::default()
        };
        let result = self.engine.search(game, &limits, &SearchControl::new(), &mut |_| {});
        let score = match result.score {
            Score::Cp(score) => score,
            Score::Mate(moves) => 10_000 * if moves > 0 { 1 } else { -1 },
        };
        let white = game.position().turn() == crate::engine::Color::White;
        result.best.map(|mv| (mv, if white { score } else { -score }))
    }
}

fn white_loses_if(white: bool) -> f32 {
    if white { 0.0 } else { 1.0 }
}

/// A result that is clear from the scores so far.
fn decided(scores: &[i32]) -> Option<f32> {
    let last = |plies: usize| scores.len().checked_sub(plies).map(|from| &scores[from..]);
    let all =
        |plies: usize, test: fn(i32) -> bool| last(plies).is_some_and(|scores| scores.iter().all(|&score| test(score)));
    if all(DECIDED_PLIES, |score| score > DECIDED) {
        Some(1.0)
    } else if all(DECIDED_PLIES, |score| score < -DECIDED) {
        Some(0.0)
    } else if scores.len() >= DRAWN_FROM && all(DRAWN_PLIES, |score| score.abs() <= DRAWN) {
        Some(0.5)
    } else {
        None
    }
}

/// The number of a game, whatever else is on its line.
#[derive(Deserialize)]
struct Numbered {
    game: u64,
}

/// A file of games that is being written.
#[derive(Debug)]
pub struct GameFile {
    file: std::fs::File,
    next: u64,
}

impl GameFile {
    /// Opens a file to go on with it; a last line that was not written whole is cut off.
    ///
    /// # Errors
    /// It cannot be read or written, or a line is no game.
    pub fn open(path: &Path) -> Result<GameFile, String> {
        let wrong = |error: &dyn std::fmt::Display| format!("'{}': {error}", path.display());
        let (file, text) = lines::open(path, "another program writes there; choose another file")?;
        let mut next = 0;
        for (number, line) in (1..).zip(text.lines()) {
            let Numbered { game } =
                serde_json::from_str(line).map_err(|error| wrong(&format!("line {number} is no game: {error}")))?;
            // Games played at once may end in any order.
            next = next.max(game + 1);
        }
        Ok(GameFile { file, next })
    }

    /// The number of the next game to be played.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Appends a game.
    ///
    /// # Errors
    /// The disk refuses.
    pub fn append(&mut self, game: &SelfPlayed) -> Result<(), String> {
        let line = serde_json::to_string(game).map_err(|error| format!("a game cannot be written: {error}"))?;
        self.file
            .write_all(format!("{line}\n").as_bytes())
            .map_err(|error| format!("a game cannot be written: {error}"))?;
        self.next = self.next.max(game.game + 1);
        Ok(())
    }
}

/// Reads a file of games.
///
/// # Errors
/// It cannot be read, or a line is no game.
pub fn read(path: &Path, mut on_game: impl FnMut(SelfPlayed)) -> Result<(), String> {
    let wrong = |error: &dyn std::fmt::Display| format!("'{}': {error}", path.display());
    let file = std::fs::File::open(path).map_err(|error| wrong(&error))?;
    for (number, line) in (1..).zip(BufReader::new(file).lines()) {
        let line = line.map_err(|error| wrong(&error))?;
        on_game(serde_json::from_str(&line).map_err(|error| wrong(&format!("line {number} is no game: {error}")))?);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Position;

    fn settings() -> Settings {
        Settings {
            nodes: 200,
            random_plies: 4,
            seed: 1,
            openings: Openings::built_in(1),
            hash_mib: 1,
        }
    }

    #[test]
    fn a_game_depends_on_its_number_only() {
        let alone = Player::new(settings()).play(3);
        let mut player = Player::new(settings());
        let games: Vec<_> = (2..4).map(|number| player.play(number)).collect();
        assert_eq!(games[1], alone);
        assert_ne!(
            games[0].as_ref().map(|game| &game.samples),
            games[1].as_ref().map(|game| &game.samples)
        );
    }

    #[test]
    fn samples_are_quiet_positions() {
        let game = Player::new(settings()).play(0).unwrap();
        assert!(game.samples.len() > 5, "{}", game.samples.len());
        for sample in &game.samples {
            let position = Position::from_fen(&sample.fen).unwrap();
            assert!(!position.in_check() && sample.score.abs() <= TEACHES, "{sample:?}");
        }
    }

    #[test]
    fn clear_scores_end_games() {
        assert_eq!(decided(&[DECIDED + 1; DECIDED_PLIES]), Some(1.0));
        assert_eq!(decided(&[-DECIDED - 1; DECIDED_PLIES]), Some(0.0));
        assert_eq!(decided(&[DECIDED + 1; DECIDED_PLIES - 1]), None);
        assert_eq!(decided(&[0; DRAWN_FROM]), Some(0.5));
        assert_eq!(decided(&[0; DRAWN_FROM - 1]), None);
    }

    #[test]
    fn a_file_goes_on_after_a_torn_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let game = SelfPlayed {
            game: 0,
            result: 0.5,
            samples: Vec::new(),
        };
        let mut file = GameFile::open(&path).unwrap();
        file.append(&game).unwrap();
        drop(file);
        let mut text = std::fs::read_to_string(&path).unwrap();
        text.push_str("{\"game\":1,");
        std::fs::write(&path, text).unwrap();
        assert_eq!(GameFile::open(&path).unwrap().next(), 1);
        let mut read_again = Vec::new();
        read(&path, |game| read_again.push(game)).unwrap();
        assert_eq!(read_again, [game]);
    }
}
