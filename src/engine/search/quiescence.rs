//! Quiescence: at the leaves only captures and promotions are searched on, until nothing hangs; in check every move.

use super::super::see::role_value;
use super::super::tt::{Bound, Known};
use super::super::value::{INFINITE, MATE_BOUND, MAX_PLY, Value, mated_in};
use super::super::{Move, Position};
use super::params::DELTA_MARGIN;
use super::picker::{MovePicker, moved};
use super::watch::Stopped;
use super::{Search, Window};

impl Search<'_> {
    /// The value of a position when only noisy moves are played on. Outside the window it is a bound.
    pub(super) fn quiescence(&mut self, position: &Position, ply: usize, window: Window) -> Result<Value, Stopped> {
        self.watch.visit()?;
        self.stack[ply].pv.clear();
        self.selective_depth = self.selective_depth.max(ply);
        if self.is_draw(position, ply) {
            return Ok(self.draw(ply));
        }
        let in_check = position.in_check();
        if ply >= MAX_PLY - 1 {
            return Ok(if in_check {
                self.draw(ply)
            } else {
                self.evaluate(position, ply)
            });
        }
        let known = self.table.probe(position.key(), ply);
        if let Some(known) = known
            && !window.is_open()
            && known.settles(0, window.alpha, window.beta)
        {
            return Ok(known.value);
        }

        let raw_eval = match known.and_then(|known| known.eval) {
            _ if in_check => None,
            Some(eval) => Some(eval),
            None => Some(self.evaluate(position, ply)),
        };
        let eval = raw_eval.map(|eval| self.corrected(position, ply, eval));
        self.stack[ply].eval = eval;
        // Standing pat: nobody has to capture.
        let stand = match (eval, known) {
            (None, _) => -INFINITE,
            (Some(_), Some(known)) if known.bound == Bound::Exact => known.value,
            (Some(eval), _) => eval,
        };
        if stand >= window.beta {
            return Ok(stand);
        }
        let hash_move = known.and_then(|known| known.mv);
        let Some((best, best_move)) = self.search_noisy(position, ply, window, (eval, stand), hash_move)? else {
            return Ok(mated_in(ply));
        };
        let known = Known {
            mv: best_move,
            value: best,
            bound: window.bound_of(best, best_move.is_some()),
            depth: 0,
            eval: raw_eval,
        };
        self.table.store(position.key(), ply, known);
        Ok(best)
    }

    /// The best value, from what standing pat is worth, and its move if it is above alpha; `None` where it is mate.
    #[inline]
    fn search_noisy(
        &mut self,
        position: &Position,
        ply: usize,
        mut window: Window,
        (eval, stand): (Option<Value>, Value),
        hash_move: Option<Move>,
    ) -> Result<Option<(Value, Option<Move>)>, Stopped> {
        let (open, in_check) = (window.is_open(), position.in_check());
        let mut best = stand;
        window.alpha = window.alpha.max(best);
        let lists = self.take_lists();
        let mut picker = if in_check {
            let (trail, history) = (self.trail(ply), &self.state.history);
            MovePicker::new(position, hash_move, [None; 2], trail, history, lists)
        } else {
            MovePicker::noisy(position, hash_move, lists)
        };
        let mut best_move = None;
        let mut any = false;
        while let Some(mv) = picker.next(position, &self.state.history) {
            self.table.prefetch(position.likely_key_after(mv));
            if any && self.overlooks(position, mv) {
                continue;
            }
            any = true;
            if best > -MATE_BOUND && is_hopeless(position, eval, window.alpha, mv) {
                continue;
            }
            let next = position.play(mv);
            let value = self.descend(position, ply, Some(moved(position, mv)), |search| {
                Ok(-search.quiescence(&next, ply + 1, window.turned())?)
            })?;
            if value > best {
                best = value;
                if value > window.alpha {
                    best_move = Some(mv);
                    if open {
                        self.update_line(ply, mv);
                    }
                    if value >= window.beta {
                        break;
                    }
                    window.alpha = value;
                }
            }
        }
        self.spare_lists.push(picker.into_lists());
        Ok((any || !in_check).then_some((best, best_move)))
    }
}

/// Whether a move cannot bring the value up to alpha: a capture of too little (delta pruning), or in check a quiet
/// move after another evasion has held.
fn is_hopeless(position: &Position, eval: Option<Value>, alpha: Value, mv: Move) -> bool {
    match eval {
        None => mv.is_quiet(),
        Some(eval) => {
            let taken = position.captured(mv).map_or(0, role_value);
            let promoted = mv.promotion().map_or(0, |to| role_value(to.role()));
            eval + taken + promoted + DELTA_MARGIN <= alpha
        }
    }
}
