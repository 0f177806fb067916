//! Puzzles: the form of Lichess' puzzle database, and its one door.

use super::lesson::{Accept, Claim, Hint, Marks, Ply, Property, Said, Step, Task};
use super::rating::Rating;
use super::read::{Fault, Faults};
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move, Position};
use torres_printing::shortened;

/// Puzzles that Torres brings: 1,000 of Lichess' database, CC0 (`assets/puzzles/README.md`).
pub const BROUGHT: &str = include_str!("../../assets/puzzles/lichess.csv");

/// A message quotes no more characters of the file.
const QUOTED: usize = 60;
/// The most moves of both sides in a puzzle; the longest of Lichess' have fewer.
const LONGEST: usize = 64;
/// What a rating may be, and its deviation.
const RATINGS: std::ops::RangeInclusive<f64> = 0.0..=4000.0;
const DEVIATIONS: std::ops::RangeInclusive<f64> = 1.0..=500.0;

/// A position from a game in which one line is the best by far.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Puzzle {
    /// Its name in the database.
    pub id: String,
    /// The position before the other side's last move.
    pub before: Chess,
    /// That move: it is shown first.
    pub lead: UciMove,
    /// What the learner does after it, for [`judge`](super::judge).
    pub step: Step,
    /// How hard it is.
    pub rating: Rating,
    /// What it is about, in the database's words: `fork`, `mateIn2`, `endgame`.
    pub themes: Vec<String>,
    /// The game it comes from.
    pub game: String,
}

/// The puzzles of a file in the form of Lichess' database: a heading, then a line each of
/// `PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,…`. The first move of `Moves` is the
/// other side's.
///
/// # Errors
/// Every line that is no puzzle, and why.
pub fn puzzles(file: &str, text: &str) -> Result<Vec<Puzzle>, Faults> {
    let (mut puzzles, mut faults) = (Vec::new(), Vec::new());
    for (index, line) in text.lines().enumerate().skip(1) {
        match puzzle(index + 1, line) {
            Ok(puzzle) => puzzles.push(puzzle),
            Err(what) => faults.push(Fault { line: index + 1, what }),
        }
    }
    match faults.is_empty() {
        true => Ok(puzzles),
        false => Err(Faults {
            file: file.to_owned(),
            faults,
        }),
    }
}

/// The puzzle that suits a learner: of those that `wanted` lets through the one nearest in rating, the first of equals.
pub fn suited(puzzles: &[Puzzle], learner: Rating, wanted: impl Fn(&Puzzle) -> bool) -> Option<&Puzzle> {
    let distance = |puzzle: &&Puzzle| (puzzle.rating.rating - learner.rating).abs();
    puzzles
        .iter()
        .filter(|puzzle| wanted(puzzle))
        .min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

/// A puzzle from a mistake of the learner's own: after the other side's last move `lead`, the moves `accept` are right,
/// the best first. `played` is what the learner played in the game.
///
/// # Errors
/// There is no such position, or a move of it is not legal.
pub fn of_mistake(
    id: &str,
    before: &str,
    lead: &str,
    accept: &[String],
    played: &str,
    rating: Rating,
) -> Result<Puzzle, String> {
    let before = torres_chess::parse_fen(before)?;
    let lead = torres_chess::parse_move(lead, &before)?;
    let mut start = before.clone();
    start.play_unchecked(lead);
    let right: Vec<Move> = accept
        .iter()
        .map(|uci| torres_chess::parse_move(uci, &start))
        .collect::<Result<_, _>>()?;
    let best = accept.first().ok_or("a puzzle has a move that is right")?;
    let mistake = torres_chess::parse_move(played, &start)?;
    let played = SanPlus::from_move(start.clone(), mistake);
    let number = start.fullmoves();
    let dots = start.turn().fold_wb(".", "...");
    let ask = format!("You played {number}{dots} {played} here. Find something better.");
    let mut step = step(0, start, best)?;
    step.ask = Said::new(&ask).unwrap_or(step.ask);
    if let Task::Line { plies, .. } = &mut step.task
        && let Some(ply) = plies.first_mut()
    {
        ply.accept = Accept::These(right.into_iter().map(UciMove::from_standard).collect());
    }
    Ok(Puzzle {
        id: id.to_owned(),
        before,
        lead: UciMove::from_standard(lead),
        step,
        rating,
        themes: Vec::new(),
        game: id.split('-').next().unwrap_or_default().to_owned(),
    })
}

fn puzzle(line: usize, text: &str) -> Result<Puzzle, String> {
    let fields: Vec<&str> = text.split(',').collect();
    let [id, fen, moves, rating, deviation, _, _, themes, game, ..] = fields[..] else {
        return Err(format!("a puzzle has 9 fields or more; this line has {}", fields.len()));
    };
    let before = torres_chess::parse_fen(fen)?;
    let (lead, moves) = moves.split_once(' ').ok_or("a puzzle has two moves or more")?;
    let lead = torres_chess::parse_move(lead, &before)?;
    let mut start = before.clone();
    start.play_unchecked(lead);
    Ok(Puzzle {
        id: id.to_owned(),
        before,
        lead: UciMove::from_standard(lead),
        step: step(line, start, moves)?,
        rating: Rating {
            rating: number(rating, &RATINGS)?,
            deviation: number(deviation, &DEVIATIONS)?,
            ..Rating::default()
        },
        themes: themes.split_whitespace().map(str::to_owned).collect(),
        game: game.to_owned(),
    })
}

fn number(text: &str, allowed: &std::ops::RangeInclusive<f64>) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok();
    number
        .filter(|number| allowed.contains(number))
        .ok_or_else(|| format!("'{}' is not a rating or a deviation", shortened(text, QUOTED)))
}

/// The learner's moves, and the replies; where the line ends with mate, every mate is right.
fn step(line: usize, start: Chess, moves: &str) -> Result<Step, String> {
    let moves: Vec<&str> = moves.split_whitespace().take(LONGEST + 1).collect();
    if moves.len() > LONGEST || moves.len() % 2 != 1 {
        return Err("a puzzle ends with a move of the learner, and has 64 moves at most".into());
    }
    let (mut position, mut plies, mut first) = (start.clone(), Vec::new(), None);
    for pair in moves.chunks(2) {
        let played = torres_chess::parse_move(pair[0], &position)?;
        first = first.or(played.from().map(|from| (from, played.to())));
        let accept = match Property::Mate.has(&position, played) {
            true => Accept::Every(Property::Mate),
            false => Accept::These(vec![UciMove::from_standard(played)]),
        };
        position.play_unchecked(played);
        let reply = match pair.get(1) {
            None => None,
            Some(reply) => {
                let reply = torres_chess::parse_move(reply, &position)?;
                position.play_unchecked(reply);
                Some(UciMove::from_standard(reply))
            }
        };
        plies.push(Ply {
            accept,
            claim: Claim::Best,
            instead: Vec::new(),
            reply,
        });
    }
    let hints = first.map_or(Vec::new(), |(from, to)| {
        let piece = Marks {
            squares: vec![from],
            ..Marks::default()
        };
        let arrow = Marks {
            arrows: vec![(from, to)],
            ..Marks::default()
        };
        let said = [("This piece moves first.", piece), ("It goes here.", arrow)];
        said.map(|(say, marks)| Hint {
            say: Said::fixed(say),
            marks,
        })
        .into()
    });
    Ok(Step {
        line,
        ask: Said::fixed(
            start
                .turn()
                .fold_wb("Find the best move for White.", "Find the best move for Black."),
        ),
        task: Task::Line { start, plies },
        marks: Marks::default(),
        hints,
        wrong: Said::fixed("There is something better."),
        right: Said::fixed("Solved!"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Input, Outcome, Progress, judge};

    #[test]
    fn every_puzzle_that_torres_brings_can_be_solved() {
        let all = puzzles("lichess.csv", BROUGHT).unwrap_or_else(|faults| panic!("{faults}"));
        assert_eq!(all.len(), 1000);
        for puzzle in &all {
            let Task::Line { start, plies } = &puzzle.step.task else {
                panic!("{}", puzzle.id)
            };
            let (mut position, mut progress) = (start.clone(), Progress::default());
            for ply in plies {
                let legal = position.legal_moves();
                let right = *legal
                    .iter()
                    .find(|&&played| ply.accept.takes(&position, played))
                    .unwrap();
                let verdict = judge(&puzzle.step, &progress, &Input::Move(UciMove::from_standard(right))).unwrap();
                assert_ne!(verdict.outcome, Outcome::Wrong, "{}", puzzle.id);
                progress = verdict.progress;
                position.play_unchecked(right);
                if let Some(reply) = ply.reply {
                    position.play_unchecked(reply.to_move(&position).unwrap());
                }
            }
            assert!(progress.finished, "{}", puzzle.id);
            let mate_promised = puzzle.themes.iter().any(|theme| theme == "mate");
            assert_eq!(position.is_checkmate(), mate_promised, "{}", puzzle.id);
        }
    }

    #[test]
    fn a_mistake_is_a_puzzle_of_one_move() {
        let start = "rnbqkbnr/pppppppp/8/8/8/5P2/PPPPP1PP/RNBQKBNR b KQkq - 0 1";
        let accept = ["e2e4", "g1h3"].map(String::from);
        let made = of_mistake("abc-2", start, "e7e5", &accept, "g2g4", Rating::default()).unwrap();
        assert_eq!(made.step.ask.as_str(), "You played 2. g4 here. Find something better.");
        for (uci, outcome) in [
            ("g1h3", Outcome::Finished { reply: None }),
            ("e2e4", Outcome::Finished { reply: None }),
            ("g2g4", Outcome::Wrong),
        ] {
            let told = judge(&made.step, &Progress::default(), &Input::Move(uci.parse().unwrap())).unwrap();
            assert_eq!(told.outcome, outcome, "{uci}");
        }
        for (lead, accept, played) in [
            ("e2e4", &accept[..], "g2g4"),
            ("e7e5", &[], "g2g4"),
            ("e7e5", &accept, "g2g5"),
            ("e7e5", &["a1a8".to_owned()], "g2g4"),
        ] {
            assert!(of_mistake("abc-2", start, lead, accept, played, Rating::default()).is_err());
        }
    }

    #[test]
    fn the_puzzle_nearest_in_rating_is_chosen() {
        let all = puzzles("lichess.csv", BROUGHT).unwrap();
        let learner = Rating {
            rating: 1400.0,
            ..Rating::default()
        };
        let fork = |puzzle: &Puzzle| puzzle.themes.iter().any(|theme| theme == "fork");
        let chosen = suited(&all, learner, fork).unwrap();
        assert!(fork(chosen) && (chosen.rating.rating - 1400.0).abs() < 50.0);
        let other = suited(&all, learner, |puzzle| fork(puzzle) && puzzle.id != chosen.id).unwrap();
        assert_ne!(other.id, chosen.id);
        assert!(suited(&all, learner, |_| false).is_none());
    }

    #[test]
    fn every_line_that_is_no_puzzle_is_told() {
        let good = BROUGHT.lines().nth(1).unwrap();
        let with = |from: &str, to: &str| good.replacen(from, to, 1);
        for (line, what) in [
            (String::from("tewjc"), "9 fields"),
            (with("r5k1", "r5k2"), "is not a FEN"),
            (with("a2a7", "a2b7"), "is not legal"),
            (with(" a8a1", ""), "ends with a move of the learner"),
            (with("1493", "many"), "'many' is not a rating"),
            (with("1493", "NaN"), "'NaN' is not a rating"),
        ] {
            let told = puzzles("p.csv", &format!("heading\n{good}\n{line}\n")).unwrap_err();
            assert_eq!(told.faults.len(), 1);
            assert_eq!(told.faults[0].line, 3);
            assert!(told.faults[0].what.contains(what), "{line}: {told}");
        }
    }
}
