//! What may end a node, or leave out a move, without searching it: each rests on a margin that rarely errs.

use super::super::tt::{Bound, Known};
use super::super::value::{MATE_BOUND, MATED_BOUND, Value, is_mate};
use super::super::{Bitboard, Position, Role};
use super::node::{Candidate, Node};
use super::params::*;
use super::picker::MovePicker;
use super::watch::Stopped;
use super::{Search, Window};

/// What the test for a singular move says.
pub(super) enum SingularResult {
    /// The node is worth at least this.
    Cut(Value),
    /// By how many plies the hash move is searched deeper, or less deep where it is negative.
    Extend(i32),
}

impl Search<'_> {
    /// Values that can be known without searching the node's moves.
    pub(super) fn prune_node(&mut self, position: &Position, node: &Node) -> Result<Option<Value>, Stopped> {
        if node.ply == 0 || node.in_check || node.window.is_open() || node.excluded.is_some() {
            return Ok(None);
        }
        if is_reverse_futile(node) {
            return Ok(Some((node.eval + node.window.beta) / 2));
        }
        self.try_null_move(position, node)
    }

    /// Null move: when even passing keeps the value above beta, a move will too. Not with few officers, where having
    /// to move can be the trouble (zugzwang), and never twice in a row; deep down it is verified.
    fn try_null_move(&mut self, position: &Position, node: &Node) -> Result<Option<Value>, Stopped> {
        let (ply, beta) = (node.ply, node.window.beta);
        let just_passed = self.stack[ply - 1].moved.is_none();
        if node.depth < NULL_MOVE_DEPTH
            || node.eval < beta
            || beta <= MATED_BOUND
            || just_passed
            || ply < self.no_null_before
            || is_zugzwang_likely(position)
            || fails_low(node.known, beta)
        {
            return Ok(None);
        }
        let by_value = ((node.eval - beta) / NULL_MOVE_VALUE_STEP).min(3);
        let depth = node.depth - NULL_MOVE_REDUCTION - node.depth / NULL_MOVE_DEPTH_DIVISOR - by_value;
        let next = position.play_null();
        let value = -self.descend(position, ply, None, |search| {
            search.search_node(&next, ply + 1, depth, Window::null(beta - 1).turned(), !node.cut_node)
        })?;
        if value < beta {
            return Ok(None);
        }
        // A mate after a pass is not proven.
        let value = if value >= MATE_BOUND { beta } else { value };
        if node.depth < NULL_MOVE_VERIFICATION_DEPTH || self.no_null_before > 0 {
            return Ok(Some(value));
        }
        self.no_null_before = ply + 3 * depth.max(1) as usize / 4 + 1;
        let verified = self.search_node(position, ply, depth, Window::null(beta - 1), false);
        self.no_null_before = 0;
        Ok((verified? >= beta).then_some(value))
    }

    /// Singular extension: when every other move is worth far less than the hash move, much hangs on it, and it is
    /// searched deeper. When the others reach beta too, the node is cut off (multicut).
    pub(super) fn test_singularity(&mut self, position: &Position, node: &Node) -> Result<SingularResult, Stopped> {
        const AS_IT_IS: SingularResult = SingularResult::Extend(0);
        let (Some(known), Some(hash_move)) = (node.known, node.hash_move) else {
            return Ok(AS_IT_IS);
        };
        if node.ply == 0
            || node.depth < SINGULAR_DEPTH
            || node.excluded.is_some()
            || known.depth < node.depth - SINGULAR_ENTRY_PLIES
            || known.bound == Bound::Upper
            || is_mate(known.value)
            || node.ply >= 2 * self.root_depth as usize
            || !position.is_legal(hash_move)
        {
            return Ok(AS_IT_IS);
        }
        let beta = known.value - SINGULAR_MARGIN * node.depth;
        self.stack[node.ply].excluded = Some(hash_move);
        let others = self.search_node(
            position,
            node.ply,
            (node.depth - 1) / 2 - i32::from(node.in_check),
            Window::null(beta - 1),
            node.cut_node,
        );
        self.stack[node.ply].excluded = None;
        let others = others?;
        if others < beta {
            let twice = !node.window.is_open()
                && others < beta - DOUBLE_EXTENSION_MARGIN
                && self.stack[node.ply].double_extensions < DOUBLE_EXTENSIONS_MOST;
            return Ok(SingularResult::Extend(1 + i32::from(twice)));
        }
        if beta >= node.window.beta && !node.window.is_open() {
            return Ok(SingularResult::Cut(beta));
        }
        // The others may reach beta too, or somewhere near: the hash move is not that special.
        let ordinary = known.value >= node.window.beta;
        Ok(SingularResult::Extend(if ordinary { -1 } else { 0 }))
    }

    /// Whether a move near the leaves is not worth a search: late, far below alpha, of bad history, or losing material.
    /// Checks are spared most of it.
    pub(super) fn is_futile(
        &self,
        position: &Position,
        node: &Node,
        window: Window,
        candidate: &Candidate,
        picker: &mut MovePicker,
    ) -> bool {
        let (mv, depth) = (candidate.mv, node.depth);
        if !has_officers(position) {
            return false;
        }
        if !mv.is_quiet() {
            return depth <= LOSING_EXCHANGE_DEPTH
                && picker.is_losing()
                && !position.exchange_wins(mv, -LOSING_CAPTURE_MARGIN * depth);
        }
        if node.in_check {
            return false;
        }
        // Late move pruning; on the principal variation a quiet mate might come late.
        let enough_moves = (LATE_MOVE_BASE + depth * depth) / if node.improving { 1 } else { 2 };
        if depth <= LATE_MOVE_DEPTH && !node.window.is_open() && candidate.count > enough_moves {
            picker.skip_quiets();
        }
        let gives_check = position.gives_direct_check(mv);
        // As deep as it would be searched after its reduction.
        let depth = (depth - self.reductions.plies(depth, candidate.count)).max(1);
        if depth <= FUTILITY_DEPTH
            && !gives_check
            && node.eval + FUTILITY_BASE + FUTILITY_MARGIN * depth <= window.alpha
        {
            return true;
        }
        if depth <= HISTORY_PRUNING_DEPTH && candidate.history < -HISTORY_PRUNING_MARGIN * depth {
            return true;
        }
        depth <= LOSING_EXCHANGE_DEPTH && !position.exchange_wins(mv, -LOSING_QUIET_MARGIN * depth * depth)
    }
}

/// Reverse futility: so far above beta that no reply is expected to bring it down.
fn is_reverse_futile(node: &Node) -> bool {
    let margin = REVERSE_FUTILITY_MARGIN * (node.depth - i32::from(node.improving));
    node.depth <= REVERSE_FUTILITY_DEPTH && node.eval - margin >= node.window.beta && node.eval < MATE_BOUND
}

/// Whether the transposition table expects less than beta.
fn fails_low(known: Option<Known>, beta: Value) -> bool {
    known.is_some_and(|known| known.bound == Bound::Upper && known.value < beta)
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
