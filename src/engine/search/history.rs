//! What ordering learns from refutations: killers, counter moves, and how often quiet moves were good.

use super::super::value::MAX_PLY;
use super::super::{Color, Move, Piece, Square};
use super::params::{HISTORY_BONUS, HISTORY_BONUS_MOST};

/// A piece and where it went: what the next moves answer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PieceTo {
    piece: Piece,
    to: Square,
}

impl PieceTo {
    pub(super) fn new(piece: Piece, to: Square) -> PieceTo {
        PieceTo { piece, to }
    }

    fn index(self) -> usize {
        (self.piece.color as usize * 6 + self.piece.role as usize) * 64 + self.to.index()
    }
}

const PIECE_TOS: usize = 2 * 6 * 64;

/// The moves that led to a node, the last first; a pass is `None`.
pub(super) type Trail = [Option<PieceTo>; 2];

/// A score from -[`MOST`] to [`MOST`] that moves the less the nearer it is to either end.
#[derive(Clone, Copy, Default)]
struct Counter(i16);

const MOST: i32 = 16_384;

impl Counter {
    fn update(&mut self, bonus: i32) {
        let old = i32::from(self.0);
        // |old| <= MOST and |bonus| <= MOST keep the result within both.
        self.0 = (old + bonus - old * bonus.abs() / MOST) as i16;
    }
}

/// The tables. They last from move to move of a game.
pub(super) struct History {
    killers: [[Option<Move>; 2]; MAX_PLY],
    counters: Vec<Option<Move>>,
    butterfly: Vec<[Counter; 64]>,
    /// By an earlier move, then the present one.
    continuation: Vec<[Counter; PIECE_TOS]>,
}

impl History {
    pub(super) fn new() -> History {
        History {
            killers: [[None; 2]; MAX_PLY],
            counters: vec![None; PIECE_TOS],
            butterfly: vec![[Counter::default(); 64]; 2 * 64],
            continuation: vec![[Counter::default(); PIECE_TOS]; PIECE_TOS],
        }
    }

    pub(super) fn clear(&mut self) {
        self.forget_killers();
        self.counters.fill(None);
        self.butterfly.fill([Counter::default(); 64]);
        self.continuation.fill([Counter::default(); PIECE_TOS]);
    }

    /// Killers are by distance from the root, which moves on.
    pub(super) fn forget_killers(&mut self) {
        self.killers.fill([None; 2]);
    }

    /// Quiet moves that refuted a sister node.
    pub(super) fn killers(&self, ply: usize) -> [Option<Move>; 2] {
        self.killers.get(ply).copied().unwrap_or_default()
    }

    /// The quiet move that last refuted the opponent's last one.
    pub(super) fn counter(&self, trail: Trail) -> Option<Move> {
        self.counters[trail[0]?.index()]
    }

    /// How good a quiet move has been, after this trail.
    pub(super) fn score(&self, color: Color, mv: Move, moved: PieceTo, trail: Trail) -> i32 {
        let followed: i32 = trail
            .iter()
            .flatten()
            .map(|earlier| i32::from(self.continuation[earlier.index()][moved.index()].0))
            .sum();
        i32::from(self.butterfly(color, mv).0) + followed
    }

    /// A quiet move reached beta; the quiet ones tried before did not.
    pub(super) fn refuted(
        &mut self,
        (ply, depth): (usize, i32),
        color: Color,
        trail: Trail,
        (mv, moved): (Move, PieceTo),
        before: &[(Move, PieceTo)],
    ) {
        if let Some(killers) = self.killers.get_mut(ply)
            && killers[0] != Some(mv)
        {
            *killers = [Some(mv), killers[0]];
        }
        if let Some(last) = trail[0] {
            self.counters[last.index()] = Some(mv);
        }
        let bonus = (HISTORY_BONUS * depth).min(HISTORY_BONUS_MOST);
        self.update(color, trail, (mv, moved), bonus);
        for &failed in before {
            self.update(color, trail, failed, -bonus);
        }
    }

    fn update(&mut self, color: Color, trail: Trail, (mv, moved): (Move, PieceTo), bonus: i32) {
        self.butterfly[color as usize * 64 + mv.from().index()][mv.to().index()].update(bonus);
        for earlier in trail.iter().flatten() {
            self.continuation[earlier.index()][moved.index()].update(bonus);
        }
    }

    fn butterfly(&self, color: Color, mv: Move) -> Counter {
        self.butterfly[color as usize * 64 + mv.from().index()][mv.to().index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_never_leaves_its_range() {
        let mut counter = Counter::default();
        for bonus in [1600, -1600] {
            for _ in 0..1000 {
                counter.update(bonus);
                assert!(i32::from(counter.0).abs() <= MOST);
            }
            assert_eq!(i32::from(counter.0).signum(), bonus.signum());
        }
    }
}
