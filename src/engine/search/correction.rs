//! Correction history: how far static evaluations of positions with the same pawns, or the same officers of a side, or
//! after the same move, have been off (<https://www.chessprogramming.org/Static_Evaluation_Correction_History>).

use super::super::value::{EVAL_LIMIT, Value};
use super::super::{Color, Position};
use super::history::{Counter, PIECE_TOS, PieceTo};
use super::params::{CORRECTION_BONUS_MOST, CORRECTION_DEPTH_DIVISOR, CORRECTION_DIVISOR};

/// Entries of a table: positions are told apart by the last 14 bits of their key.
const SIZE: usize = 16_384;

type Error = Counter<1024>;

/// The tables. They last from move to move of a game.
pub(super) struct Corrections {
    pawns: Vec<[Error; 2]>,
    /// By whose officers.
    officers: [Vec<[Error; 2]>; 2],
    after: Vec<[Error; 2]>,
}

impl Corrections {
    pub(super) fn new() -> Corrections {
        let table = || vec![[Error::default(); 2]; SIZE];
        Corrections {
            pawns: table(),
            officers: [table(), table()],
            after: vec![[Error::default(); 2]; PIECE_TOS],
        }
    }

    pub(super) fn clear(&mut self) {
        let [white, black] = &mut self.officers;
        for table in [&mut self.pawns, white, black, &mut self.after] {
            table.fill([Error::default(); 2]);
        }
    }

    /// The evaluation as experience corrects it.
    pub(super) fn correct(&self, position: &Position, last: Option<PieceTo>, eval: Value) -> Value {
        let (us, board) = (position.turn() as usize, position.board());
        let mut error = self.pawns[place(board.pawn_key())][us].get();
        for color in Color::ALL {
            error += self.officers[color as usize][place(board.officer_key(color))][us].get();
        }
        if let Some(last) = last {
            error += self.after[last.index()][us].get();
        }
        (eval + error / CORRECTION_DIVISOR).clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }

    /// A search to a depth found a value so much above or below the evaluation.
    pub(super) fn learn(&mut self, position: &Position, last: Option<PieceTo>, depth: i32, difference: Value) {
        let bonus =
            (difference * depth / CORRECTION_DEPTH_DIVISOR).clamp(-CORRECTION_BONUS_MOST, CORRECTION_BONUS_MOST);
        let (us, board) = (position.turn() as usize, position.board());
        self.pawns[place(board.pawn_key())][us].update(bonus);
        for color in Color::ALL {
            self.officers[color as usize][place(board.officer_key(color))][us].update(bonus);
        }
        if let Some(last) = last {
            self.after[last.index()][us].update(bonus);
        }
    }
}

fn place(key: u64) -> usize {
    key as usize % SIZE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_off_again_and_again_is_corrected() {
        let mut corrections = Corrections::new();
        let position = Position::start();
        assert_eq!(corrections.correct(&position, None, 10), 10);
        for _ in 0..50 {
            corrections.learn(&position, None, 8, 60);
        }
        let corrected = corrections.correct(&position, None, 10);
        assert!((30..=110).contains(&corrected), "{corrected}");
        // The same pieces with the other side to move were not learned.
        assert_eq!(corrections.correct(&position.play_null(), None, 10), 10);
        corrections.clear();
        assert_eq!(corrections.correct(&position, None, 10), 10);
    }
}
