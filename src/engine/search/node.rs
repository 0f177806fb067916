//! Alpha-beta: principal variation search of one node, step by step.
//!
//! What may end a node before its moves are searched is in [`pruning`](super::pruning), how far a move is searched in
//! [`depths`](super::depths). The two files call each other: pruning tries a pass, a capture or a shallower search by
//! searching nodes again. That is the recursion of the algorithm, not a habit.

use super::super::tt::{Bound, Known};
use super::super::value::{DRAW, INFINITE, MATED_BOUND, MAX_PLY, Value, mate_in, mated_in};
use super::super::{Move, Position};
use super::deferral::{Deferral, MoveKey};
use super::history::PieceTo;
use super::params::{HASH_CUTOFF_HALFMOVES, REDUCE_WITHOUT_HASH_MOVE_DEPTH};
use super::picker::{MovePicker, capture, moved};
use super::pruning::SingularResult;
use super::watch::Stopped;
use super::{Search, Window};
use std::collections::VecDeque;

/// What the steps of one node share.
pub(super) struct Node {
    pub(super) ply: usize,
    pub(super) depth: i32,
    pub(super) window: Window,
    /// Expected to fail high: a sister of the principal variation's replies.
    pub(super) cut_node: bool,
    pub(super) in_check: bool,
    /// Static evaluation as the evaluation gave it; unused in check.
    pub(super) raw_eval: Value,
    /// The best estimate without a search; unused in check.
    pub(super) eval: Value,
    /// Whether the side to move stands better than two plies ago.
    pub(super) improving: bool,
    pub(super) known: Option<Known>,
    pub(super) hash_move: Option<Move>,
    /// Left out of the search, to see what the others are worth.
    pub(super) excluded: Option<Move>,
}

/// A node's moves while they are searched.
struct Moves {
    picker: MovePicker,
    /// Moves that came so far, those that were not searched included.
    count: i32,
    /// Moves that another thread was searching when they came.
    put_off: VecDeque<Candidate>,
}

/// A move on its way through the loop.
pub(super) struct Candidate {
    pub(super) mv: Move,
    pub(super) moved: PieceTo,
    /// 1 for the first.
    pub(super) count: i32,
    /// Came as a killer or counter move.
    pub(super) is_refutation: bool,
    /// What history says of it.
    pub(super) history: i32,
    /// What other threads know its search by.
    move_key: MoveKey,
}

impl Search<'_> {
    /// The value of a position, `ply` plies from the root, searched `depth` plies deep. Outside the window it is a
    /// bound.
    pub(super) fn search_node(
        &mut self,
        position: &Position,
        ply: usize,
        depth: i32,
        window: Window,
        cut_node: bool,
    ) -> Result<Value, Stopped> {
        // Check extension: a check is no leaf.
        let depth = if position.in_check() { depth + 1 } else { depth };
        if depth <= 0 {
            return self.quiescence(position, ply, window);
        }
        self.watch.visit()?;
        self.stack[ply].pv.clear();
        self.selective_depth = self.selective_depth.max(ply);

        let mut window = window;
        if ply > 0 {
            if self.is_draw(position, ply) {
                return Ok(self.draw(ply));
            }
            if ply >= MAX_PLY - 1 {
                return Ok(if position.in_check() {
                    self.draw(ply)
                } else {
                    self.evaluate(position, ply)
                });
            }
            window = prune_by_mate_distance(window, ply);
            if window.alpha >= window.beta {
                return Ok(window.alpha);
            }
        }

        // Transposition table: an earlier search may have settled it.
        let excluded = self.stack[ply].excluded;
        let known = match excluded {
            None => self.table.probe(position.key(), ply),
            Some(_) => None,
        };
        if let Some(known) = known
            && !window.is_open()
            && known.settles(depth, window.alpha, window.beta)
            && position.halfmove_clock() < HASH_CUTOFF_HALFMOVES
        {
            return Ok(known.value);
        }

        let node = self.assess(position, ply, depth, (window, cut_node), known);
        if let Some(value) = self.prune_node(position, &node)? {
            return Ok(value);
        }
        self.search_moves(position, node)
    }

    /// Static evaluation and what follows from it and from the transposition table.
    fn assess(
        &mut self,
        position: &Position,
        ply: usize,
        depth: i32,
        (window, cut_node): (Window, bool),
        known: Option<Known>,
    ) -> Node {
        let in_check = position.in_check();
        let excluded = self.stack[ply].excluded;
        let raw_eval = match known.and_then(|known| known.eval) {
            _ if in_check => DRAW,
            Some(eval) => eval,
            None => self.evaluate(position, ply),
        };
        let corrected = match in_check {
            true => None,
            false => Some(self.corrected(position, ply, raw_eval)),
        };
        self.stack[ply].eval = corrected;
        let before = [2, 4].iter().find_map(|&back| self.stack[ply.checked_sub(back)?].eval);
        let hash_move = match ply {
            0 => self.root.expected().or(known.and_then(|known| known.mv)),
            _ => known.and_then(|known| known.mv),
        };
        // Internal iterative reduction: without a hash move the ordering is poor; a shallower search will find one.
        let reduced = hash_move.is_none()
            && excluded.is_none()
            && depth >= REDUCE_WITHOUT_HASH_MOVE_DEPTH
            && (window.is_open() || cut_node);
        Node {
            ply,
            depth: if reduced { depth - 1 } else { depth },
            window,
            cut_node,
            in_check,
            raw_eval,
            eval: refine(corrected.unwrap_or(DRAW), known),
            improving: matches!((corrected, before), (Some(now), Some(before)) if now > before),
            known,
            hash_move,
            excluded,
        }
    }

    /// Searches the moves one by one and remembers what was found.
    fn search_moves(&mut self, position: &Position, node: Node) -> Result<Value, Stopped> {
        let (ply, mut window) = (node.ply, node.window);
        let singular = match self.test_singularity(position, &node)? {
            SingularResult::Cut(value) => return Ok(value),
            SingularResult::Extend(plies) => plies,
        };
        let mut moves = self.begin_moves(position, &node);
        let (mut best, mut best_move) = (-INFINITE, None);
        while let Some(candidate) = self.next_candidate(position, &node, &mut moves, window, best) {
            let mv = candidate.mv;
            let extension = if Some(mv) == node.hash_move { singular } else { 0 };
            let value = self.search_announced(position, &node, window, &candidate, extension, best)?;
            if value > best {
                best = value;
                if value > window.alpha {
                    best_move = Some(mv);
                    if node.window.is_open() {
                        self.update_line(ply, mv);
                    }
                    if value >= window.beta {
                        self.learn_order(position, &node, &candidate);
                        break;
                    }
                    window.alpha = value;
                }
            }
            if mv.is_quiet() {
                self.stack[ply].quiets.push((mv, candidate.moved));
            } else {
                let capture = capture(position, mv);
                self.stack[ply].captures.push(capture);
            }
        }
        self.spare_lists.push(moves.picker.into_lists());
        if moves.count == 0 {
            // Without the excluded move there may be none, which says that it is the only one.
            return Ok(match node.excluded {
                Some(_) => node.window.alpha,
                None if node.in_check => mated_in(ply),
                None => self.draw(ply),
            });
        }
        if node.excluded.is_none() {
            self.remember(position, &node, best, best_move);
        }
        Ok(best)
    }

    fn begin_moves(&mut self, position: &Position, node: &Node) -> Moves {
        let ply = node.ply;
        self.state.history.forget_killers_at(ply + 2);
        let killers = self.state.history.killers(ply);
        let lists = self.take_lists();
        let (trail, history) = (self.trail(ply), &self.state.history);
        let picker = MovePicker::new(position, node.hash_move, killers, trail, history, lists);
        self.stack[ply].quiets.clear();
        self.stack[ply].captures.clear();
        Moves {
            picker,
            count: 0,
            put_off: VecDeque::new(),
        }
    }

    /// The next move that is worth a search; moves that other threads are searching come last.
    #[inline]
    fn next_candidate(
        &mut self,
        position: &Position,
        node: &Node,
        moves: &mut Moves,
        window: Window,
        best: Value,
    ) -> Option<Candidate> {
        let Moves { picker, count, put_off } = moves;
        while let Some(mv) = picker.next(position, &self.state.history) {
            if Some(mv) == node.excluded || node.ply == 0 && !self.root.is_wanted(mv) {
                continue;
            }
            // One move is always seen, or it would be taken for mate.
            if node.ply > 0 && *count > 0 && self.overlooks(position, mv) {
                continue;
            }
            self.table.prefetch(position.likely_key_after(mv));
            *count += 1;
            let candidate = self.candidate(position, mv, *count, picker.is_refutation(), node);
            if node.ply > 0 && best > MATED_BOUND && self.is_futile(position, node, window, &candidate, picker) {
                continue;
            }
            if *count > 1
                && self
                    .deferral
                    .is_some_and(|deferral| deferral.is_taken(candidate.move_key))
            {
                put_off.push_back(candidate);
                continue;
            }
            return Some(candidate);
        }
        put_off.pop_front()
    }

    /// Searches a move, lets other threads know meanwhile, and counts its nodes at the root.
    #[inline]
    fn search_announced(
        &mut self,
        position: &Position,
        node: &Node,
        window: Window,
        candidate: &Candidate,
        extension: i32,
        best: Value,
    ) -> Result<Value, Stopped> {
        let before = self.watch.nodes();
        if let Some(deferral) = self.deferral {
            deferral.begin(candidate.move_key);
        }
        let value = self.search_move(position, node, window, candidate, extension, best);
        if let Some(deferral) = self.deferral {
            deferral.end(candidate.move_key);
        }
        if node.ply == 0 && value.is_ok() {
            self.root.count(candidate.mv, self.watch.nodes() - before);
        }
        value
    }

    fn candidate(&self, position: &Position, mv: Move, count: i32, is_refutation: bool, node: &Node) -> Candidate {
        let moved = moved(position, mv);
        let history = if mv.is_quiet() {
            self.state
                .history
                .quiet(position.turn(), mv, moved, self.trail(node.ply))
        } else {
            self.state.history.capture(capture(position, mv))
        };
        Candidate {
            mv,
            moved,
            count,
            is_refutation,
            history,
            move_key: self.deferral.and_then(|_| Deferral::move_key(position, mv, node.depth)),
        }
    }

    /// Principal variation search: the first move in the full window; the others must show in a null window, late ones
    /// at reduced depth first, that they are better.
    fn search_move(
        &mut self,
        position: &Position,
        node: &Node,
        window: Window,
        candidate: &Candidate,
        extension: i32,
        best: Value,
    ) -> Result<Value, Stopped> {
        let (ply, count) = (node.ply, candidate.count);
        let next = position.play(candidate.mv);
        let mut depth = node.depth - 1 + extension;
        self.stack[ply + 1].double_extensions = self.stack[ply].double_extensions + i32::from(extension >= 2);
        self.keys.push(position.key());
        self.stack[ply].moved = Some(candidate.moved);

        let narrow = Window::null(window.alpha).turned();
        let mut value = INFINITE;
        let reduction = self.reduction(node, candidate, &next);
        if count > 1 && reduction > 0 {
            let reduced = (depth - reduction).max(1);
            value = -self.search_node(&next, ply + 1, reduced, narrow, true)?;
            if value > window.alpha && reduced < depth {
                depth += deeper(value, best, depth);
                if reduced < depth {
                    value = -self.search_node(&next, ply + 1, depth, narrow, !node.cut_node)?;
                }
            }
        } else if count > 1 || !window.is_open() {
            value = -self.search_node(&next, ply + 1, depth, narrow, !node.cut_node)?;
        }
        if window.is_open() && (count == 1 || value > window.alpha && value < window.beta) {
            value = -self.search_node(&next, ply + 1, depth, window.turned(), false)?;
        }
        self.keys.pop();
        Ok(value)
    }

    /// A move has reached beta: it and those tried in vain before it are ordered better from now on.
    fn learn_order(&mut self, position: &Position, node: &Node, best: &Candidate) {
        let (ply, depth, trail) = (node.ply, node.depth, self.trail(node.ply));
        let frame = &self.stack[ply];
        let mut taken = None;
        if best.mv.is_quiet() {
            self.state.history.quiet_refuted(
                (ply, depth),
                position.turn(),
                trail,
                (best.mv, best.moved),
                &frame.quiets,
            );
        } else {
            taken = Some(capture(position, best.mv));
        }
        self.state.history.captures_refuted(depth, taken, &frame.captures);
    }

    /// What was found goes into the transposition table, and how far the evaluation was off into its correction.
    fn remember(&mut self, position: &Position, node: &Node, best: Value, best_move: Option<Move>) {
        let bound = node.window.bound_of(best, best_move.is_some());
        if node.ply == 0 && self.root.is_partial() {
            // Not the position's value: some moves were left out.
            return;
        }
        let known = Known {
            mv: best_move,
            value: best,
            bound,
            depth: node.depth,
            eval: (!node.in_check).then_some(node.raw_eval),
        };
        self.table.store(position.key(), node.ply, known);

        let Some(eval) = self.stack[node.ply].eval else { return };
        let says_something = match bound {
            Bound::Exact => true,
            Bound::Lower => best > eval,
            Bound::Upper => best < eval,
        };
        if says_something && best_move.is_none_or(Move::is_quiet) && best.abs() < -MATED_BOUND {
            let last = self.trail(node.ply)[0];
            self.state.corrections.learn(position, last, node.depth, best - eval);
        }
    }
}

/// A reduced search that came out far above the best so far deserves a ply more, one barely above it a ply less.
fn deeper(value: Value, best: Value, depth: i32) -> i32 {
    i32::from(value > best + super::params::DEEPER_MARGIN) - i32::from(value < best + depth)
}

/// No line from here is worth more than mating at once or less than being mated now.
fn prune_by_mate_distance(window: Window, ply: usize) -> Window {
    Window {
        alpha: window.alpha.max(mated_in(ply)),
        beta: window.beta.min(mate_in(ply + 1)),
    }
}

/// An evaluation corrected by what an earlier search found.
fn refine(eval: Value, known: Option<Known>) -> Value {
    match known {
        None => eval,
        Some(Known { bound, value, .. }) => match bound {
            Bound::Exact => value,
            Bound::Lower => eval.max(value),
            Bound::Upper => eval.min(value),
        },
    }
}
