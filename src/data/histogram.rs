//! Describes files of positions in words and bars.

use super::record::{Outcome, Record};
use std::fmt::{self, Write as _};
use torres_engine::Role;

/// Where one row of scores ends and the next begins, in centipawns from White's view.
const SCORES: [i16; 26] = [
    -2000, -1500, -1000, -800, -600, -500, -400, -300, -200, -150, -100, -50, -20, 20, 50, 100, 150, 200, 300, 400,
    500, 600, 800, 1000, 1500, 2000,
];

/// How many pieces a row of the table of material holds.
const PIECES_A_ROW: usize = 2;
const PIECE_ROWS: usize = 16;

/// How many points a row of the phase's table holds; the last one also holds what promotions add beyond 24.
const PHASE_A_ROW: usize = 2;
const PHASE_ROWS: usize = 13;

/// The longest bar, in letters.
const BAR: usize = 50;

/// A row of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Row {
    positions: u64,
    /// White's points in its games.
    points: f64,
}

impl Row {
    fn add(&mut self, outcome: Option<Outcome>) {
        self.positions += 1;
        self.points += f64::from(outcome.map_or(0.5, Outcome::white_points));
    }
}

/// Counts positions by result, score, side to move, pieces on the board, phase and move number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Histogram {
    outcomes: [Row; 3],
    /// Records whose result is none.
    unknown: u64,
    turns: [Row; 2],
    scores: [Row; SCORES.len() + 1],
    /// By the number of pieces, kings and pawns included.
    pieces: [Row; PIECE_ROWS],
    /// By phase: a knight or bishop counts 1, a rook 2, a queen 4; 24 at the start.
    phases: [Row; PHASE_ROWS],
    /// A row for ten moves; the last for all beyond.
    moves: [Row; 13],
}

impl Histogram {
    /// Counts a position.
    pub fn add(&mut self, record: &Record) {
        let outcome = record.outcome();
        match outcome {
            Some(outcome) => self.outcomes[outcome as usize].add(Some(outcome)),
            None => self.unknown += 1,
        }
        let packed = record.packed();
        self.turns[packed.turn() as usize].add(outcome);
        self.scores[SCORES.partition_point(|&edge| edge <= record.score())].add(outcome);
        let pieces = packed.occupied().count().clamp(1, 32) as usize;
        self.pieces[(pieces - 1) / PIECES_A_ROW].add(outcome);
        let phase: usize = packed.pieces().map(|(_, piece)| phase(piece.role)).sum();
        self.phases[(phase / PHASE_A_ROW).min(PHASE_ROWS - 1)].add(outcome);
        let number = usize::from(packed.fullmove_number()).saturating_sub(1);
        self.moves[(number / 10).min(12)].add(outcome);
    }

    /// How many were counted.
    pub fn positions(&self) -> u64 {
        self.turns.iter().map(|row| row.positions).sum()
    }
}

/// Tables with a bar in each row.
impl fmt::Display for Histogram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.positions();
        writeln!(f, "{all} positions")?;
        if self.unknown > 0 {
            writeln!(f, "{} of them without a result that can be", self.unknown)?;
        }
        let table = |f: &mut fmt::Formatter<'_>, title: &str, rows: &mut dyn Iterator<Item = (String, Row)>| {
            table(f, title, &rows.collect::<Vec<_>>(), all)
        };
        let outcomes = Outcome::ALL.map(|outcome| outcome.to_string());
        table(f, "result", &mut outcomes.into_iter().zip(self.outcomes))?;
        let turns = ["White", "Black"].map(str::to_owned);
        table(f, "to move", &mut turns.into_iter().zip(self.turns))?;
        table(
            f,
            "score, centipawns, White's view",
            &mut (0..).map(score_row).zip(self.scores),
        )?;
        let pieces = |row: usize| format!("{} to {}", row * PIECES_A_ROW + 1, (row + 1) * PIECES_A_ROW);
        table(f, "pieces on the board", &mut (0..).map(pieces).zip(self.pieces))?;
        let phases = |row: usize| match row + 1 {
            PHASE_ROWS => format!("{} and more", row * PHASE_A_ROW),
            _ => format!("{} to {}", row * PHASE_A_ROW, row * PHASE_A_ROW + PHASE_A_ROW - 1),
        };
        let title = "phase: minor 1, rook 2, queen 4";
        table(f, title, &mut (0..).map(phases).zip(self.phases))?;
        let moves = |row: usize| match row {
            12 => "121 and more".to_owned(),
            row => format!("{} to {}", row * 10 + 1, row * 10 + 10),
        };
        table(f, "move number", &mut (0..).map(moves).zip(self.moves))
    }
}

/// What a piece counts in the phase.
fn phase(role: Role) -> usize {
    match role {
        Role::Pawn | Role::King => 0,
        Role::Knight | Role::Bishop => 1,
        Role::Rook => 2,
        Role::Queen => 4,
    }
}

fn score_row(row: usize) -> String {
    match (
        row.checked_sub(1).and_then(|before| SCORES.get(before)),
        SCORES.get(row),
    ) {
        (None, Some(to)) => format!("below {to}"),
        (Some(from), Some(to)) => format!("{from} to {}", to - 1),
        (Some(from), None) => format!("{from} and more"),
        (None, None) => String::new(),
    }
}

fn table(f: &mut fmt::Formatter<'_>, title: &str, rows: &[(String, Row)], all: u64) -> fmt::Result {
    let most = rows.iter().map(|(_, row)| row.positions).max().unwrap_or(0).max(1);
    writeln!(f, "\n{title:<32} {:>12} {:>7} {:>7}", "positions", "share", "White")?;
    for (name, row) in rows {
        let share = row.positions as f64 / all.max(1) as f64;
        let mut points = String::new();
        match row.positions {
            0 => points.push('–'),
            count => write!(points, "{:.3}", row.points / count as f64)?,
        }
        let bar = "#".repeat((row.positions as f64 / most as f64 * BAR as f64).ceil() as usize);
        let line = format!(
            "  {name:<30} {:>12} {:>6.2}% {points:>7}  {bar}",
            row.positions,
            share * 100.0
        );
        writeln!(f, "{}", line.trim_end())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use torres_engine::Position;

    fn record(fen: &str, score: i16, outcome: Outcome) -> Record {
        Record::new(&Position::from_fen(fen).unwrap(), score, outcome)
    }

    #[test]
    fn every_score_has_its_row() {
        let row = |score| {
            let mut histogram = Histogram::default();
            histogram.add(&record("4k3/8/8/8/8/8/8/4K2R w - - 0 1", score, Outcome::Draw));
            let row = histogram.scores.iter().position(|row| row.positions == 1);
            score_row(row.unwrap())
        };
        assert_eq!(row(i16::MIN), "below -2000");
        assert_eq!(
            (row(-2000).as_str(), row(-21).as_str()),
            ("-2000 to -1501", "-50 to -21")
        );
        assert_eq!((row(-20).as_str(), row(19).as_str()), ("-20 to 19", "-20 to 19"));
        assert_eq!(
            (row(20).as_str(), row(i16::MAX).as_str()),
            ("20 to 49", "2000 and more")
        );
    }

    #[test]
    fn what_is_counted_is_told() {
        let mut histogram = Histogram::default();
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        histogram.add(&record(start, 30, Outcome::WhiteWins));
        histogram.add(&record(start, 30, Outcome::Draw));
        histogram.add(&record("4k3/8/8/8/8/8/8/4K2R b - - 0 131", 700, Outcome::WhiteWins));
        let told = histogram.to_string();
        for row in [
            "3 positions",
            "  1-0                                       2  66.67%   1.000  ##########",
            "  White                                     2  66.67%   0.750  ##########",
            "  20 to 49                                  2  66.67%   0.750  ##########",
            "  600 to 799                                1  33.33%   1.000  ####",
            "  3 to 4                                    1  33.33%   1.000  ####",
            "  31 to 32                                  2  66.67%   0.750  ##########",
            "  24 and more                               2  66.67%   0.750  ##########",
            "  2 to 3                                    1  33.33%   1.000  ####",
            "  121 and more                              1  33.33%   1.000  ####",
            "  11 to 20                                  0   0.00%       –",
        ] {
            assert!(told.contains(row), "{row:?} is not in\n{told}");
        }
    }
}
