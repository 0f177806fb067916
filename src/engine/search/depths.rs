//! Late move reductions: moves that ordering puts late are rarely good, and are searched less deep at first.

use super::super::Position;
use super::Search;
use super::node::{Candidate, Node};
use super::params::*;

impl Search<'_> {
    /// Plies by which a move is searched less deep; 0 or less is not at all.
    pub(super) fn reduction(&self, node: &Node, candidate: &Candidate, next: &Position) -> i32 {
        let first_whole = 1 + i32::from(node.ply == 0) + i32::from(node.window.is_open());
        if node.depth < REDUCTION_DEPTH || candidate.count <= first_whole {
            return 0;
        }
        let mut reduction = self.reductions.plies(node.depth, candidate.count);
        if candidate.mv.is_quiet() {
            reduction += i32::from(!node.improving);
            reduction += 2 * i32::from(node.cut_node);
            reduction += i32::from(node.hash_move.is_some_and(|mv| !mv.is_quiet()));
            reduction -= i32::from(node.window.is_open());
            reduction -= i32::from(candidate.is_refutation);
            reduction -= i32::from(next.in_check());
            reduction -= (candidate.history / REDUCTION_HISTORY).clamp(-2, 2);
        } else {
            // Captures are few, and most of what they do shows at once.
            reduction -= 3 + i32::from(node.window.is_open());
            reduction += i32::from(node.cut_node);
            reduction -= (candidate.history / REDUCTION_HISTORY).clamp(-1, 1);
        }
        reduction.max(0)
    }
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

    pub(super) fn plies(&self, depth: i32, count: i32) -> i32 {
        i32::from(self.0[depth.clamp(0, 63) as usize][count.clamp(0, 63) as usize])
    }
}
