//! The positions that games start from: a file of FEN or EPD lines, and their order.

use shakmaty::Position;
use std::path::Path;
use torres_chess::{fen, parse_fen};
use torres_data::random::SplitMix;

/// A hundred balanced positions after eight moves, from the book `8moves_v3` of the Stockfish project's testers
/// (<https://github.com/official-stockfish/books>, CC0).
const BUILT_IN: &str = include_str!("openings/8moves.epd");

/// Openings in the order in which they are played.
#[derive(Clone, Debug)]
pub struct Openings {
    name: String,
    fens: Vec<String>,
}

impl Openings {
    /// The openings that come with the program, shuffled by a seed.
    pub fn built_in(seed: u64) -> Openings {
        // Held by a test.
        Openings::read("built-in", BUILT_IN, seed).unwrap_or_else(|_| Openings {
            name: "built-in".to_owned(),
            fens: Vec::new(),
        })
    }

    /// The openings of a file, one FEN or EPD a line; empty lines and lines that begin with `#` do not count.
    ///
    /// # Errors
    /// The file cannot be read, has no position, or a line is no legal position that can be played on.
    pub fn of_file(path: &Path, seed: u64) -> Result<Openings, String> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("openings '{}': {error}", path.display()))?;
        let name = path
            .file_name()
            .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        Openings::read(&name, &text, seed).map_err(|problem| format!("openings '{}': {problem}", path.display()))
    }

    fn read(name: &str, text: &str, seed: u64) -> Result<Openings, String> {
        let mut fens = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                fens.push(fen_of(line).map_err(|problem| format!("line {number}: {problem}"))?);
            }
        }
        if fens.is_empty() {
            return Err("there is no position in it".to_owned());
        }
        SplitMix(seed).shuffle(&mut fens);
        Ok(Openings {
            name: format!("{name}, seed {seed}"),
            fens,
        })
    }

    /// What they are called in records.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.fens.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.fens.is_empty()
    }

    /// The opening of a pair of games, as a FEN; after the last comes the first.
    pub(crate) fn of_pair(&self, pair: usize) -> &str {
        &self.fens[pair % self.fens.len()]
    }
}

/// The position of a FEN or of an EPD, which may lack the move numbers and may have operations instead.
fn fen_of(line: &str) -> Result<String, String> {
    let mut fields = line.split_whitespace();
    let mut four: Vec<&str> = fields.by_ref().take(4).collect();
    let numbers: Vec<&str> = fields
        .take(2)
        .take_while(|field| field.parse::<u32>().is_ok())
        .collect();
    four.extend(if numbers.len() == 2 { &numbers[..] } else { &["0", "1"] });
    let text = four.join(" ");
    let position = parse_fen(&text)?;
    if position.is_game_over() {
        return Err(format!("in '{line}' the game is over"));
    }
    Ok(fen(&position))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_openings_are_whole_and_different() {
        let openings = Openings::read("built-in", BUILT_IN, 1).unwrap();
        assert_eq!(openings.len(), 100);
        let mut sorted = openings.fens.clone();
        sorted.sort();
        sorted.dedup();
        assert_eq!(sorted.len(), 100);
        assert_eq!(Openings::built_in(1).fens, openings.fens);
    }

    #[test]
    fn a_seed_gives_an_order_and_another_seed_another() {
        let order = |seed| Openings::built_in(seed).fens;
        assert_eq!(order(7), order(7));
        assert_ne!(order(7), order(8));
    }

    #[test]
    fn fens_and_epds_are_read() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        let text = format!("# comment\n\n{start}\n{start} 3 9\n{start} bm e4; id \"x\";\n");
        let mut read = Openings::read("x", &text, 0).unwrap().fens;
        read.sort();
        assert_eq!(
            read,
            [format!("{start} 0 1"), format!("{start} 0 1"), format!("{start} 3 9")]
        );
    }

    #[test]
    fn what_is_no_opening_is_refused_with_its_line() {
        let problem = Openings::read("x", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\nhello\n", 0);
        assert!(problem.unwrap_err().starts_with("line 2:"));
        // Mate on the board, no kings, nothing at all.
        for wrong in ["R5k1/5ppp/8/8/8/8/8/6K1 b - -", "8/8/8/8/8/8/8/8 w - -", "# nothing"] {
            assert!(Openings::read("x", wrong, 0).is_err(), "{wrong}");
        }
    }
}
