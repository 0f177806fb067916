//! What the rules say about two positions, worked out by brute force and apart from the code that is examined.

use shakmaty::{Board, Chess, Position, Square};
use torres::chess::same_position;

/// A move changes at most this many squares.
const CHANGED_BY_A_MOVE: usize = 4;

/// All different positions with that placement, one to `plies` plies after `from`.
pub fn reachable(from: &Chess, placement: &Board, plies: usize) -> Vec<Chess> {
    let mut found = Vec::new();
    search(from, placement, plies, &mut found);
    found
}

fn search(from: &Chess, placement: &Board, plies: usize, found: &mut Vec<Chess>) {
    if plies == 0 {
        return;
    }
    for played in from.legal_moves() {
        let Ok(next) = from.clone().play(played) else { continue };
        let different = difference(next.board(), placement);
        if different == 0 && !found.iter().any(|known| same_position(known, &next)) {
            found.push(next.clone());
        }
        if different <= CHANGED_BY_A_MOVE * (plies - 1) {
            search(&next, placement, plies - 1, found);
        }
    }
}

/// On how many squares two boards differ.
fn difference(a: &Board, b: &Board) -> usize {
    Square::ALL.iter().filter(|&&s| a.piece_at(s) != b.piece_at(s)).count()
}
