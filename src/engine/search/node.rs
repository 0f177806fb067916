//! Alpha-beta: principal variation search of one node, step by step.

use super::super::eval::evaluate;
use super::super::tt::{Bound, Known};
use super::super::value::{DRAW, INFINITE, MATE_BOUND, MAX_PLY, Value, mate_in, mated_in};
use super::super::{Bitboard, Move, Position, Role};
use super::params::*;
use super::picker::{MovePicker, moved};
use super::watch::Stopped;
use super::{Search, Window};

/// What the steps of one node share.
struct Node {
    ply: usize,
    depth: i32,
    window: Window,
    in_check: bool,
    /// The best estimate without a search; unused in check.
    eval: Value,
    /// Whether the side to move stands better than two plies ago.
    improving: bool,
    hash_move: Option<Move>,
}

impl Search<'_> {
    /// The value of a position, `ply` plies from the root, searched `depth` plies deep. Outside the window it is a bound.
    pub(super) fn search_node(
        &mut self,
        position: &Position,
        ply: usize,
        depth: i32,
        window: Window,
    ) -> Result<Value, Stopped> {
        // Check extension: a check is no leaf.
        let depth = if position.in_check() { depth + 1 } else { depth };
        if depth <= 0 {
            return self.quiescence(position, ply, window);
        }
        self.watch.visit()?;
        self.stack[ply].pv.clear();
        self.selective_depth = self.selective_depth.max(ply);

        let window = if ply > 0 {
            if self.is_draw(position, ply) {
                return Ok(DRAW);
            }
            if ply >= MAX_PLY - 1 {
                return Ok(if position.in_check() { DRAW } else { evaluate(position) });
            }
            let window = prune_by_mate_distance(window, ply);
            if window.alpha >= window.beta {
                return Ok(window.alpha);
            }
            window
        } else {
            window
        };

        let known = self.table.probe(position.key(), ply);
        if let Some(known) = known
            && !window.is_open()
            && known.settles(depth, window.alpha, window.beta)
            && position.halfmove_clock() < HASH_CUTOFF_HALFMOVES
        {
            return Ok(known.value);
        }

        let node = self.assess(position, ply, depth, window, known);
        if let Some(value) = self.prune_node(position, &node)? {
            return Ok(value);
        }
        self.search_moves(position, node)
    }

    /// Static evaluation and what follows from it and from the transposition table.
    fn assess(&mut self, position: &Position, ply: usize, depth: i32, window: Window, known: Option<Known>) -> Node {
        let in_check = position.in_check();
        let eval = (!in_check).then(|| known.and_then(|known| known.eval).unwrap_or_else(|| evaluate(position)));
        self.stack[ply].eval = eval;
        let before = ply.checked_sub(2).and_then(|ply| self.stack[ply].eval);
        let hash_move = known.and_then(|known| known.mv);
        // Internal iterative reduction: without a hash move the ordering is poor; a shallower search will find one.
        let reduced = hash_move.is_none() && depth >= REDUCE_WITHOUT_HASH_MOVE_DEPTH;
        Node {
            ply,
            depth: if reduced { depth - 1 } else { depth },
            window,
            in_check,
            eval: refine(eval.unwrap_or(DRAW), known),
            improving: matches!((eval, before), (Some(now), Some(before)) if now > before),
            hash_move,
        }
    }

    /// Values that can be known without searching the node's moves.
    fn prune_node(&mut self, position: &Position, node: &Node) -> Result<Option<Value>, Stopped> {
        if node.ply == 0 || node.in_check || node.window.is_open() {
            return Ok(None);
        }
        if is_reverse_futile(node) {
            return Ok(Some(node.eval));
        }
        if let Some(value) = self.razor(position, node)? {
            return Ok(Some(value));
        }
        self.try_null_move(position, node)
    }

    /// Razoring: so far below alpha only a capture could help, and quiescence knows.
    fn razor(&mut self, position: &Position, node: &Node) -> Result<Option<Value>, Stopped> {
        if node.depth > RAZOR_DEPTH || node.eval + RAZOR_MARGIN * node.depth > node.window.alpha {
            return Ok(None);
        }
        let value = self.quiescence(position, node.ply, node.window)?;
        Ok((value <= node.window.alpha).then_some(value))
    }

    /// Null move: when even passing keeps the value above beta, a move will too. Not with few officers, where having
    /// to move can be the trouble (zugzwang), and never twice in a row.
    fn try_null_move(&mut self, position: &Position, node: &Node) -> Result<Option<Value>, Stopped> {
        let (ply, beta) = (node.ply, node.window.beta);
        let just_passed = self.stack[ply - 1].moved.is_none();
        if node.depth < NULL_MOVE_DEPTH
            || node.eval < beta
            || beta <= -MATE_BOUND
            || just_passed
            || is_zugzwang_likely(position)
        {
            return Ok(None);
        }
        let by_value = ((node.eval - beta) / NULL_MOVE_VALUE_STEP).min(3);
        let depth = node.depth - NULL_MOVE_REDUCTION - node.depth / NULL_MOVE_DEPTH_DIVISOR - by_value;
        let next = position.play_null();
        let value = -self.descend(position, ply, None, |search| {
            search.search_node(&next, ply + 1, depth, Window::null(beta - 1).turned())
        })?;
        // A mate after a pass is not proven.
        Ok((value >= beta).then_some(if value >= MATE_BOUND { beta } else { value }))
    }

    /// Searches the moves one by one and remembers what was found.
    fn search_moves(&mut self, position: &Position, node: Node) -> Result<Value, Stopped> {
        let Node {
            ply, depth, mut window, ..
        } = node;
        let trail = self.trail(ply);
        let lists = self.take_lists();
        let killers = self.history.killers(ply);
        let mut picker = MovePicker::new(position, node.hash_move, killers, trail, self.history, lists);
        let (mut best, mut best_move, mut count) = (-INFINITE, None, 0);
        self.stack[ply].quiets.clear();

        while let Some(mv) = picker.next(position, self.history) {
            count += 1;
            if ply > 0 && best > -MATE_BOUND && has_officers(position) && is_futile(position, &node, window, mv, count)
            {
                continue;
            }
            let moved = moved(position, mv);
            let next = position.play(mv);
            let reduction = self.reduction(position, &node, mv, &next, count);
            let value = self.descend(position, ply, Some(moved), |search| {
                search.search_move(&next, &node, window, count, reduction)
            })?;
            if value > best {
                best = value;
                if value > window.alpha {
                    best_move = Some(mv);
                    if node.window.is_open() {
                        self.update_line(ply, mv);
                    }
                    if value >= window.beta {
                        if mv.is_quiet() {
                            let quiets = &self.stack[ply].quiets;
                            self.history
                                .refuted((ply, depth), position.turn(), trail, (mv, moved), quiets);
                        }
                        break;
                    }
                    window.alpha = value;
                }
            }
            if mv.is_quiet() {
                self.stack[ply].quiets.push((mv, moved));
            }
        }
        self.spare_lists.push(picker.into_lists());
        if count == 0 {
            return Ok(if node.in_check { mated_in(ply) } else { DRAW });
        }
        let bound = match best {
            _ if best >= node.window.beta => Bound::Lower,
            _ if best_move.is_some() => Bound::Exact,
            _ => Bound::Upper,
        };
        let eval = self.stack[ply].eval;
        self.table.store(
            position.key(),
            ply,
            Known {
                mv: best_move,
                value: best,
                bound,
                depth,
                eval,
            },
        );
        Ok(best)
    }

    /// Principal variation search: the first move in the full window; the others must show in a null window, late ones
    /// at reduced depth first, that they are better.
    fn search_move(
        &mut self,
        next: &Position,
        node: &Node,
        window: Window,
        count: i32,
        reduction: i32,
    ) -> Result<Value, Stopped> {
        let (ply, depth) = (node.ply + 1, node.depth - 1);
        if count == 1 {
            return Ok(-self.search_node(next, ply, depth, window.turned())?);
        }
        let narrow = Window::null(window.alpha).turned();
        let mut value = -self.search_node(next, ply, depth - reduction, narrow)?;
        if reduction > 0 && value > window.alpha {
            value = -self.search_node(next, ply, depth, narrow)?;
        }
        if value > window.alpha && value < window.beta {
            value = -self.search_node(next, ply, depth, window.turned())?;
        }
        Ok(value)
    }

    /// Late move reduction, in plies: moves that ordering puts late are rarely good.
    fn reduction(&self, position: &Position, node: &Node, mv: Move, next: &Position, count: i32) -> i32 {
        if node.depth < REDUCTION_DEPTH || count < 3 || !mv.is_quiet() || node.in_check {
            return 0;
        }
        let mut reduction = self.reductions.plies(node.depth, count);
        reduction += i32::from(!node.improving);
        reduction -= i32::from(node.window.is_open());
        reduction -= i32::from(next.in_check());
        let history = self
            .history
            .score(position.turn(), mv, moved(position, mv), self.trail(node.ply));
        reduction -= (history / REDUCTION_HISTORY).clamp(-2, 2);
        // At least one ply is left.
        reduction.clamp(0, node.depth - 2)
    }
}

/// Halfmove clock from which the transposition table's values, which know nothing of it, are not believed.
const HASH_CUTOFF_HALFMOVES: u16 = 90;

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
        Some(Known {
            bound: Bound::Exact,
            value,
            ..
        }) => value,
        Some(Known {
            bound: Bound::Lower,
            value,
            ..
        }) => eval.max(value),
        Some(Known {
            bound: Bound::Upper,
            value,
            ..
        }) => eval.min(value),
        None => eval,
    }
}

/// Reverse futility: so far above beta that no reply is expected to bring it down.
fn is_reverse_futile(node: &Node) -> bool {
    let margin = REVERSE_FUTILITY_MARGIN * (node.depth - i32::from(node.improving));
    node.depth <= REVERSE_FUTILITY_DEPTH && node.eval - margin >= node.window.beta && node.eval < MATE_BOUND
}

/// Whether a move near the leaves is not worth a search: late or far below alpha and no check, or losing material.
fn is_futile(position: &Position, node: &Node, window: Window, mv: Move, count: i32) -> bool {
    if node.in_check || window.is_open() && node.depth > 3 {
        return false;
    }
    let depth = node.depth;
    if !mv.is_quiet() {
        return depth <= LOSING_EXCHANGE_DEPTH && !position.exchange_wins(mv, -LOSING_CAPTURE_MARGIN * depth);
    }
    let enough_moves = (LATE_MOVE_BASE + depth * depth) / if node.improving { 1 } else { 2 };
    let late = depth <= LATE_MOVE_DEPTH && count > enough_moves;
    let hopeless = depth <= FUTILITY_DEPTH && node.eval + FUTILITY_BASE + FUTILITY_MARGIN * depth <= window.alpha;
    if (late || hopeless) && !position.gives_direct_check(mv) {
        return true;
    }
    depth <= LOSING_EXCHANGE_DEPTH && !position.exchange_wins(mv, -LOSING_QUIET_MARGIN * depth)
}

/// Whether the side to move has more than king and pawns.
fn has_officers(position: &Position) -> bool {
    let board = position.board();
    let pawns_and_kings: Bitboard = board.role(Role::Pawn) | board.role(Role::King);
    (board.color(position.turn()) & !pawns_and_kings).any()
}

/// Whether the side to move has so little that having to move may be a burden: pawns and at most one minor piece.
fn is_zugzwang_likely(position: &Position) -> bool {
    let board = position.board();
    let ours = board.color(position.turn());
    let minors = ours & (board.role(Role::Knight) | board.role(Role::Bishop));
    !minors.many() && !ours.intersects(board.straight_sliders())
}

/// Late move reductions by depth and move number.
pub(super) struct Reductions([[u8; 64]; 64]);

impl Reductions {
    pub(super) fn new() -> Reductions {
        let mut table = [[0; 64]; 64];
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (count, plies) in row.iter_mut().enumerate().skip(1) {
                let product = (depth as f64).ln() * (count as f64).ln();
                *plies = (REDUCTION_BASE + product / REDUCTION_DIVISOR) as u8;
            }
        }
        Reductions(table)
    }

    fn plies(&self, depth: i32, count: i32) -> i32 {
        i32::from(self.0[depth.clamp(0, 63) as usize][count.clamp(0, 63) as usize])
    }
}
