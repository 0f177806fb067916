//! Every number of the search. Depths in plies, values in centipawns.

use super::super::value::Value;

/// Deepest iteration.
pub(super) const MAX_DEPTH: i32 = 100;
/// Nodes between two looks at the clock and the stop flag: some 1 ms of search.
pub(super) const POLL_INTERVAL: u64 = 1024;
/// The most nodes of the first iteration; the search may stop without it if it takes more.
pub(super) const FIRST_ITERATION_NODES: u64 = 10_000;

/// From this depth on a search expects the value of the one before.
pub(super) const ASPIRATION_DEPTH: i32 = 5;
/// Half the width of the first window around the expected value.
pub(super) const ASPIRATION_WIDTH: Value = 14;
/// A window this wide is opened fully.
pub(super) const ASPIRATION_WIDEST: Value = 600;
/// After a value above the window the depth is reduced by one each time, and by this at most.
pub(super) const ASPIRATION_REDUCTION_MOST: i32 = 3;

/// Halfmove clock from which the transposition table's values, which know nothing of it, are not believed.
pub(super) const HASH_CUTOFF_HALFMOVES: u16 = 90;

/// From this depth on a node without a hash move is searched one ply less.
pub(super) const REDUCE_WITHOUT_HASH_MOVE_DEPTH: i32 = 4;

/// Up to this depth a node whose evaluation is far above beta is not searched.
pub(super) const REVERSE_FUTILITY_DEPTH: i32 = 8;
/// How far above, for each ply.
pub(super) const REVERSE_FUTILITY_MARGIN: Value = 80;

/// From this depth on passing the turn is tried.
pub(super) const NULL_MOVE_DEPTH: i32 = 3;
/// Plies less after a pass, and a further one for each [`NULL_MOVE_DEPTH_DIVISOR`] plies of depth.
pub(super) const NULL_MOVE_REDUCTION: i32 = 4;
/// See [`NULL_MOVE_REDUCTION`].
pub(super) const NULL_MOVE_DEPTH_DIVISOR: i32 = 5;
/// A further ply less for each such step of evaluation above beta, at most three.
pub(super) const NULL_MOVE_VALUE_STEP: Value = 200;
/// From this depth on what a pass proves is verified by a search without passing.
pub(super) const NULL_MOVE_VERIFICATION_DEPTH: i32 = 12;

/// From this depth on the hash move is tested for being the only good one.
pub(super) const SINGULAR_DEPTH: i32 = 7;
/// Plies that the table's entry may be shallower than the node.
pub(super) const SINGULAR_ENTRY_PLIES: i32 = 3;
/// How far below the entry's value all other moves must fail, for each ply.
pub(super) const SINGULAR_MARGIN: Value = 2;
/// How much further they must fail for an extension by two plies.
pub(super) const DOUBLE_EXTENSION_MARGIN: Value = 18;
/// How often a line is extended by two plies at most.
pub(super) const DOUBLE_EXTENSIONS_MOST: i32 = 6;

/// Up to this (reduced) depth quiet moves are given up when the evaluation is far below alpha.
pub(super) const FUTILITY_DEPTH: i32 = 7;
/// How far below, at least.
pub(super) const FUTILITY_BASE: Value = 110;
/// How far below, for each ply.
pub(super) const FUTILITY_MARGIN: Value = 110;

/// Up to this depth late quiet moves are not searched.
pub(super) const LATE_MOVE_DEPTH: i32 = 8;
/// How many quiet moves come first, at least; more with depth squared.
pub(super) const LATE_MOVE_BASE: i32 = 3;

/// Up to this (reduced) depth quiet moves with a bad history are not searched.
pub(super) const HISTORY_PRUNING_DEPTH: i32 = 3;
/// How bad, for each ply.
pub(super) const HISTORY_PRUNING_MARGIN: i32 = 4000;

/// Up to this depth moves that lose material are not searched.
pub(super) const LOSING_EXCHANGE_DEPTH: i32 = 8;
/// What a capture may lose for each ply.
pub(super) const LOSING_CAPTURE_MARGIN: Value = 90;
/// What a quiet move may lose for each ply of reduced depth squared.
pub(super) const LOSING_QUIET_MARGIN: Value = 22;

/// From this depth on late moves are searched less deep.
pub(super) const REDUCTION_DEPTH: i32 = 3;
/// Reduction in plies is this, plus the product of the logarithms of depth and move number over the divisor.
pub(super) const REDUCTION_BASE: f64 = 0.8;
/// See [`REDUCTION_BASE`].
pub(super) const REDUCTION_DIVISOR: f64 = 2.3;
/// So much history makes one ply of reduction more or less.
pub(super) const REDUCTION_HISTORY: i32 = 8192;
/// A reduced search this far above the best value so far is repeated one ply deeper than it would have been.
pub(super) const DEEPER_MARGIN: Value = 60;

/// From this depth on a move that another thread is searching is put off.
pub(super) const DEFERRAL_DEPTH: i32 = 4;

/// What a capture in quiescence may win beyond the piece taken.
pub(super) const DELTA_MARGIN: Value = 160;

/// The largest history bonus.
pub(super) const HISTORY_BONUS_MOST: i32 = 1600;
/// History bonus for each ply of depth.
pub(super) const HISTORY_BONUS: i32 = 150;
/// History that a knight or bishop fleeing from a pawn is worth; a rook twice, a queen three times as much.
pub(super) const THREAT_WEIGHT: i32 = 10_000;
/// A centipawn of what is taken, beside the capture history's score.
pub(super) const CAPTURE_VALUE_WEIGHT: i32 = 16;

/// The largest step of a correction.
pub(super) const CORRECTION_BONUS_MOST: i32 = 256;
/// A step is the difference times the depth over this.
pub(super) const CORRECTION_DEPTH_DIVISOR: i32 = 8;
/// So much in all correction tables together is one centipawn.
pub(super) const CORRECTION_DIVISOR: i32 = 32;
