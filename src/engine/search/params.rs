//! Every number of the search. Depths in plies, values in centipawns.

use super::super::value::Value;

/// Deepest iteration.
pub(super) const MAX_DEPTH: i32 = 100;
/// The clock and the stop flag are looked at after so many nodes: some 1 ms of search.
pub(super) const POLL_INTERVAL: u64 = 1024;
/// The first iteration ends within so many nodes; if it does not, the search may stop without it.
pub(super) const FIRST_ITERATION_NODES: u64 = 10_000;

/// From this depth on a search expects the value of the one before.
pub(super) const ASPIRATION_DEPTH: i32 = 5;
/// Half the width of the first window around the expected value.
pub(super) const ASPIRATION_WIDTH: Value = 18;
/// A window this wide is opened fully.
pub(super) const ASPIRATION_WIDEST: Value = 600;

/// From this depth on a node without a hash move is searched one ply less.
pub(super) const REDUCE_WITHOUT_HASH_MOVE_DEPTH: i32 = 4;

/// Up to this depth a node whose evaluation is far above beta is not searched.
pub(super) const REVERSE_FUTILITY_DEPTH: i32 = 8;
/// How far above, for each ply.
pub(super) const REVERSE_FUTILITY_MARGIN: Value = 95;

/// Up to this depth a node whose evaluation is far below alpha goes straight to quiescence.
pub(super) const RAZOR_DEPTH: i32 = 1;
/// How far below, for each ply.
pub(super) const RAZOR_MARGIN: Value = 220;

/// From this depth on passing the turn is tried.
pub(super) const NULL_MOVE_DEPTH: i32 = 3;
/// Plies less after a pass, and a further one for so many plies of depth.
pub(super) const NULL_MOVE_REDUCTION: i32 = 3;
/// See [`NULL_MOVE_REDUCTION`].
pub(super) const NULL_MOVE_DEPTH_DIVISOR: i32 = 4;
/// A further ply less for each such step of evaluation above beta, at most three.
pub(super) const NULL_MOVE_VALUE_STEP: Value = 200;

/// Up to this depth quiet moves are given up when the evaluation is far below alpha.
pub(super) const FUTILITY_DEPTH: i32 = 7;
/// How far below, at least.
pub(super) const FUTILITY_BASE: Value = 90;
/// How far below, for each ply.
pub(super) const FUTILITY_MARGIN: Value = 85;

/// Up to this depth late quiet moves are not searched.
pub(super) const LATE_MOVE_DEPTH: i32 = 8;
/// How many quiet moves come first, at least; more with depth squared.
pub(super) const LATE_MOVE_BASE: i32 = 3;

/// Up to this depth moves that lose material are not searched.
pub(super) const LOSING_EXCHANGE_DEPTH: i32 = 7;
/// What a capture may lose for each ply.
pub(super) const LOSING_CAPTURE_MARGIN: Value = 95;
/// What a quiet move may lose for each ply.
pub(super) const LOSING_QUIET_MARGIN: Value = 80;

/// From this depth on late moves are searched less deep.
pub(super) const REDUCTION_DEPTH: i32 = 3;
/// Reduction in plies is this, plus the product of the logarithms of depth and move number over the divisor.
pub(super) const REDUCTION_BASE: f64 = 0.6;
/// See [`REDUCTION_BASE`].
pub(super) const REDUCTION_DIVISOR: f64 = 2.2;
/// So much history makes one ply of reduction more or less.
pub(super) const REDUCTION_HISTORY: i32 = 8192;

/// What a capture in quiescence may win beyond the piece taken.
pub(super) const DELTA_MARGIN: Value = 160;

/// The largest history bonus.
pub(super) const HISTORY_BONUS_MOST: i32 = 1600;
/// History bonus for each ply of depth.
pub(super) const HISTORY_BONUS: i32 = 150;
