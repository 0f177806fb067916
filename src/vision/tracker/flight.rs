//! Whether a picture may show a piece in flight: taken up from its square, and not put down yet.
//!
//! A piece over hidden squares is seen nowhere. Lines of several moves that explain where it has gone can be made up
//! (it was taken, and the taker moved on): where a piece in flight explains the picture as well, none of them is
//! believed.

use super::explain::{ScoredBoard, successors};
use shakmaty::{Bitboard, Chess, Position};

/// Whether not so many moves have led to `end`, but the last of fewer is still under way: something stirs on the
/// squares `changed`, and that explains all that is read for certain.
pub fn may_be_in_flight(scored: &ScoredBoard, position: &Chess, end: &Chess, plies: usize, changed: Bitboard) -> bool {
    let stirs = !(scored.stirring(position.board(), end.board()) & changed).is_empty();
    stirs && (0..plies).any(|before| under_way(scored, position, before))
}

/// Whether a piece is under way after exactly so many moves.
fn under_way(scored: &ScoredBoard, at: &Chess, before: usize) -> bool {
    // A piece that is up is off two squares at most, and each move before it is off so many.
    if !scored.is_within(at.board(), before + 1) {
        return false;
    }
    if before > 0 {
        return successors(at)
            .iter()
            .any(|(_, next)| under_way(scored, next, before - 1));
    }
    at.legal_moves().iter().any(|m| {
        let Some(from) = m.from() else { return false };
        let mut lifted = at.board().clone();
        lifted.discard_piece_at(from);
        // What it takes may have been taken off already.
        let mut off = scored.contradicted(&lifted);
        if scored.readings()[m.to()].content.is_none() {
            off.discard(m.to());
        }
        off.is_empty()
    })
}
