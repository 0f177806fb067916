//! What ordering learns from refutations: killers, counter moves, and how often moves were good.

use super::super::value::MAX_PLY;
use super::super::{Color, Move, Piece, Role, Square};
use super::params::{HISTORY_BONUS, HISTORY_BONUS_MOST};

/// A piece and where it went: what the next moves answer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PieceTo(u16);

impl PieceTo {
    pub(super) fn new(piece: Piece, to: Square) -> PieceTo {
        PieceTo(((piece.color as usize * 6 + piece.role as usize) * 64 + to.index()) as u16)
    }

    /// Below [`PIECE_TOS`].
    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }
}

pub(super) const PIECE_TOS: usize = 2 * 6 * 64;

/// The moves one, two and four plies before a node; a pass is `None`.
pub(super) type Trail = [Option<PieceTo>; 3];

/// A score from -`MOST` to `MOST` that moves the less the nearer it is to either end ("history gravity").
#[derive(Clone, Copy, Default)]
pub(super) struct Counter<const MOST: i32>(i16);

impl<const MOST: i32> Counter<MOST> {
    #[inline(always)]
    pub(super) fn get(self) -> i32 {
        i32::from(self.0)
    }

    /// A bonus must lie within `MOST`; then so does the score.
    pub(super) fn update(&mut self, bonus: i32) {
        let old = i32::from(self.0);
        self.0 = (old + bonus - old * bonus.abs() / MOST) as i16;
    }
}

type Score = Counter<16_384>;

/// A quiet move that was searched, and what ordering knows it by.
pub(super) type Quiet = (Move, PieceTo);
/// A capture that was searched: what moved where, and what it took.
pub(super) type Capture = (PieceTo, Role);

/// The tables. They last from move to move of a game.
pub(super) struct History {
    killers: [[Option<Move>; 2]; MAX_PLY],
    counters: Vec<Option<Move>>,
    /// By colour and origin, then target.
    butterfly: Vec<[Score; 64]>,
    /// By an earlier move, then the present one.
    continuation: Vec<[Score; PIECE_TOS]>,
    /// By the capturing move, then what is taken.
    captures: Vec<[Score; 6]>,
}

impl History {
    pub(super) fn new() -> History {
        History {
            killers: [[None; 2]; MAX_PLY],
            counters: vec![None; PIECE_TOS],
            butterfly: vec![[Score::default(); 64]; 2 * 64],
            continuation: vec![[Score::default(); PIECE_TOS]; PIECE_TOS],
            captures: vec![[Score::default(); 6]; PIECE_TOS],
        }
    }

    pub(super) fn clear(&mut self) {
        self.forget_killers();
        self.counters.fill(None);
        self.butterfly.fill([Score::default(); 64]);
        self.continuation.fill([Score::default(); PIECE_TOS]);
        self.captures.fill([Score::default(); 6]);
    }

    /// Killers are by distance from the root, which moves on.
    pub(super) fn forget_killers(&mut self) {
        self.killers.fill([None; 2]);
    }

    /// A node's grandchildren begin with no killers: those of its nephews' children refuted something else.
    pub(super) fn forget_killers_at(&mut self, ply: usize) {
        if let Some(killers) = self.killers.get_mut(ply) {
            *killers = [None; 2];
        }
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
    #[inline]
    pub(super) fn quiet(&self, color: Color, mv: Move, moved: PieceTo, trail: Trail) -> i32 {
        self.butterfly[origin(color, mv)][mv.to().index()].get() + self.continuation(moved, trail)
    }

    /// How good it has been to go there after the moves of this trail; the last two count in full.
    #[inline]
    pub(super) fn continuation(&self, moved: PieceTo, trail: Trail) -> i32 {
        let after = |earlier: Option<PieceTo>| match earlier {
            Some(earlier) => self.continuation[earlier.index()][moved.index()].get(),
            None => 0,
        };
        after(trail[0]) + after(trail[1]) + after(trail[2]) / 2
    }

    /// How good a capture has been.
    #[inline]
    pub(super) fn capture(&self, (moved, taken): Capture) -> i32 {
        self.captures[moved.index()][taken as usize].get()
    }

    /// A quiet move reached beta at a depth; the quiet ones tried before did not.
    pub(super) fn quiet_refuted(
        &mut self,
        (ply, depth): (usize, i32),
        color: Color,
        trail: Trail,
        best: Quiet,
        before: &[Quiet],
    ) {
        if let Some(killers) = self.killers.get_mut(ply)
            && killers[0] != Some(best.0)
        {
            *killers = [Some(best.0), killers[0]];
        }
        if let Some(last) = trail[0] {
            self.counters[last.index()] = Some(best.0);
        }
        let bonus = bonus(depth);
        self.update_quiet(color, trail, best, bonus);
        for &failed in before {
            self.update_quiet(color, trail, failed, -bonus);
        }
    }

    /// A move reached beta at a depth; if it is a capture that is good, and the captures tried before it are bad.
    pub(super) fn captures_refuted(&mut self, depth: i32, best: Option<Capture>, before: &[Capture]) {
        let bonus = bonus(depth);
        if let Some((moved, taken)) = best {
            self.captures[moved.index()][taken as usize].update(bonus);
        }
        for &(moved, taken) in before {
            self.captures[moved.index()][taken as usize].update(-bonus);
        }
    }

    fn update_quiet(&mut self, color: Color, trail: Trail, (mv, moved): Quiet, bonus: i32) {
        self.butterfly[origin(color, mv)][mv.to().index()].update(bonus);
        self.update_continuation(trail, moved, bonus);
    }

    /// A move was found better or worse than expected after this trail.
    pub(super) fn update_continuation(&mut self, trail: Trail, moved: PieceTo, bonus: i32) {
        for earlier in trail.iter().flatten() {
            self.continuation[earlier.index()][moved.index()].update(bonus);
        }
    }
}

/// What a refutation at a depth is worth.
pub(super) fn bonus(depth: i32) -> i32 {
    (HISTORY_BONUS * depth).min(HISTORY_BONUS_MOST)
}

fn origin(color: Color, mv: Move) -> usize {
    color as usize * 64 + mv.from().index()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_never_leaves_its_range() {
        let mut counter = Score::default();
        for bonus in [1600, -1600] {
            for _ in 0..1000 {
                counter.update(bonus);
                assert!(counter.get().abs() <= 16_384);
            }
            assert_eq!(counter.get().signum(), bonus.signum());
        }
    }
}
