//! One thread's search: what it carries along, and the small steps that all parts of it take.

use super::super::evaluator::Evaluator;
use super::super::tt::{Bound, TranspositionTable};
use super::super::value::{DRAW, EVAL_LIMIT, INFINITE, MAX_PLY, Value};
use super::super::{Game, Move, Position, SearchLimits};
use super::correction::Corrections;
use super::deferral::Deferral;
use super::depths::Reductions;
use super::history::{Capture, History, PieceTo, Quiet, Trail};
use super::params::ASPIRATION_WIDEST;
use super::picker::Lists;
use super::root::Root;
use super::strength::Handicap;
use super::watch::{Stopped, Watch};

/// What a thread remembers from move to move of a game.
pub(super) struct ThreadState {
    pub(super) history: History,
    pub(super) corrections: Corrections,
    pub(super) evaluator: Evaluator,
}

impl ThreadState {
    pub(super) fn new(evaluator: Evaluator) -> ThreadState {
        ThreadState {
            history: History::new(),
            corrections: Corrections::new(),
            evaluator,
        }
    }

    /// Forgets what was learned of the last game; what the evaluation remembers is as good for the next one.
    pub(super) fn clear(&mut self) {
        self.history.clear();
        self.corrections.clear();
    }
}

/// One thread's search.
pub(super) struct Search<'a> {
    pub(super) table: &'a TranspositionTable,
    pub(super) state: &'a mut ThreadState,
    pub(super) reductions: &'a Reductions,
    pub(super) watch: Watch<'a>,
    pub(super) root: Root,
    /// Keys of all positions before the present one that may be repeated: the game's, then the line's.
    pub(super) keys: Vec<u64>,
    pub(super) stack: Vec<Frame>,
    pub(super) spare_lists: Vec<Lists>,
    pub(super) selective_depth: usize,
    /// Depth of the present iteration.
    pub(super) root_depth: i32,
    /// While a null move is verified, nobody passes nearer to the root than this.
    pub(super) no_null_before: usize,
    /// What the other threads are at; `None` when there are none.
    pub(super) deferral: Option<&'a Deferral>,
    /// What holds it back, when it is to play weaker than it can.
    pub(super) handicap: Option<Handicap>,
    /// Centipawns that the side to move at the root would give for not drawing.
    pub(super) contempt: Value,
}

/// What a node's relatives want to know of it.
#[derive(Default)]
pub(super) struct Frame {
    /// The best line found from here.
    pub(super) pv: Vec<Move>,
    /// Static evaluation, corrected; `None` in check.
    pub(super) eval: Option<Value>,
    /// The move being searched; `None` for a pass.
    pub(super) moved: Option<PieceTo>,
    /// Quiet moves searched before it.
    pub(super) quiets: Vec<Quiet>,
    /// Captures searched before it.
    pub(super) captures: Vec<Capture>,
    /// A move left out, to see what the others are worth.
    pub(super) excluded: Option<Move>,
    /// How often the line to here was extended by two plies.
    pub(super) double_extensions: i32,
}

/// The values of interest: above `alpha`, below `beta`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) alpha: Value,
    pub(super) beta: Value,
}

impl Window {
    pub(super) const FULL: Window = Window {
        alpha: -INFINITE,
        beta: INFINITE,
    };

    /// The narrowest: is it above alpha or not?
    pub(super) fn null(alpha: Value) -> Window {
        Window { alpha, beta: alpha + 1 }
    }

    pub(super) fn around(value: Value, below: Value, above: Value) -> Window {
        let edge = |width: Value| if width > ASPIRATION_WIDEST { INFINITE } else { width };
        Window {
            alpha: (value - edge(below)).max(-INFINITE),
            beta: (value + edge(above)).min(INFINITE),
        }
    }

    /// Whether there is a value inside: a node of the principal variation.
    pub(super) fn is_open(self) -> bool {
        self.beta - self.alpha > 1
    }

    /// What the best value of all moves says about the position, and whether a move raised alpha to it.
    pub(super) fn bound_of(self, best: Value, raised: bool) -> Bound {
        match best {
            _ if best >= self.beta => Bound::Lower,
            _ if raised => Bound::Exact,
            _ => Bound::Upper,
        }
    }

    /// As the other side sees it.
    pub(super) fn turned(self) -> Window {
        Window {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }
}

impl<'a> Search<'a> {
    pub(super) fn new(
        game: &Game,
        limits: &SearchLimits,
        table: &'a TranspositionTable,
        state: &'a mut ThreadState,
        (reductions, handicap): (&'a Reductions, Option<Handicap>),
        watch: Watch<'a>,
    ) -> Search<'a> {
        state.history.forget_killers();
        Search {
            table,
            state,
            reductions,
            watch,
            root: Root::new(game.position(), &limits.search_moves),
            keys: game.earlier_keys().to_vec(),
            stack: (0..=MAX_PLY).map(|_| Frame::default()).collect(),
            spare_lists: Vec::new(),
            selective_depth: 0,
            root_depth: 0,
            no_null_before: 0,
            deferral: None,
            handicap,
            contempt: 0,
        }
    }

    /// Static evaluation, which nothing but the evaluation itself (and a handicap) has touched.
    #[inline]
    pub(super) fn evaluate(&mut self, position: &Position, ply: usize) -> Value {
        let value = self.state.evaluator.value(position, ply);
        match self.handicap {
            None => value,
            Some(handicap) => handicap.misjudge(position, value).clamp(-EVAL_LIMIT, EVAL_LIMIT),
        }
    }

    /// Whether a weakened player does not think of a move.
    #[inline]
    pub(super) fn overlooks(&self, position: &Position, mv: Move) -> bool {
        self.handicap.is_some_and(|handicap| handicap.overlooks(position, mv))
    }

    /// An evaluation as experience corrects it.
    #[inline]
    pub(super) fn corrected(&self, position: &Position, ply: usize, eval: Value) -> Value {
        self.state.corrections.correct(position, self.trail(ply)[0], eval)
    }

    /// Plays a move (or passes) at a ply and searches on with `below`.
    #[inline]
    pub(super) fn descend<T>(
        &mut self,
        position: &Position,
        ply: usize,
        moved: Option<PieceTo>,
        below: impl FnOnce(&mut Self) -> Result<T, Stopped>,
    ) -> Result<T, Stopped> {
        self.keys.push(position.key());
        self.stack[ply].moved = moved;
        let result = below(self);
        self.keys.pop();
        result
    }

    /// The moves one, two and four plies before a ply.
    pub(super) fn trail(&self, ply: usize) -> Trail {
        let back = |plies: usize| self.stack[ply.checked_sub(plies)?].moved;
        [back(1), back(2), back(4)]
    }

    /// Puts a move before the line found below it.
    pub(super) fn update_line(&mut self, ply: usize, mv: Move) {
        let (here, below) = self.stack.split_at_mut(ply + 1);
        let line = &mut here[ply].pv;
        line.clear();
        line.push(mv);
        if let Some(next) = below.first() {
            line.extend_from_slice(&next.pv);
        }
    }

    /// What a draw so many plies from the root is worth: for whom the engine plays, less than nothing by its contempt.
    #[inline]
    pub(super) fn draw(&self, ply: usize) -> Value {
        if ply.is_multiple_of(2) {
            DRAW - self.contempt
        } else {
            DRAW + self.contempt
        }
    }

    /// Draws that need no search: repetition, 50 moves, material.
    pub(super) fn is_draw(&self, position: &Position, ply: usize) -> bool {
        if position.halfmove_clock() >= 100 {
            return !position.in_check() || position.has_legal_move();
        }
        position.has_insufficient_material() || self.is_repetition(position, ply)
    }

    /// Within the line one earlier occurrence is enough (what was worth repeating once is again); before it, two.
    fn is_repetition(&self, position: &Position, ply: usize) -> bool {
        let reversible = usize::from(position.halfmove_clock()).min(self.keys.len());
        if reversible < 4 {
            return false;
        }
        let key = position.key();
        let mut earlier = 0;
        // The same side was to move an even number of plies ago, and no position comes back in fewer than four.
        for plies in (4..=reversible).step_by(2) {
            if self.keys[self.keys.len() - plies] == key {
                earlier += 1;
                if plies < ply || earlier == 2 {
                    return true;
                }
            }
        }
        false
    }

    pub(super) fn take_lists(&mut self) -> Lists {
        self.spare_lists.pop().unwrap_or_default()
    }
}
