//! Forced mates, found by trying everything.

use shakmaty::{Chess, Move, Position};

/// The moves after which mate cannot be avoided within so many moves of the side to move, this one counted.
///
/// All moves are tried: at most three moves are meant, which takes milliseconds with few men on the board.
pub(crate) fn mates_within(position: &Chess, moves: u32) -> Vec<Move> {
    let legal = position.legal_moves();
    legal
        .into_iter()
        .filter(|&played| forces(position, played, moves))
        .collect()
}

fn forces(position: &Chess, played: Move, moves: u32) -> bool {
    let mut after = position.clone();
    after.play_unchecked(played);
    let replies = after.legal_moves();
    match replies.is_empty() {
        true => moves > 0 && after.is_check(),
        false => {
            moves > 1
                && replies.into_iter().all(|reply| {
                    let mut next = after.clone();
                    next.play_unchecked(reply);
                    next.legal_moves()
                        .into_iter()
                        .any(|answer| forces(&next, answer, moves - 1))
                })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use torres_chess::{parse_fen, uci_line};

    #[test]
    fn mates_are_found_and_near_mates_are_not() {
        let ladder = parse_fen("7k/8/8/8/8/8/1R6/R5K1 w - - 0 1").unwrap();
        assert!(mates_within(&ladder, 1).is_empty());
        // The king is cut off on the seventh rank by either rook, the other mates.
        assert_eq!(uci_line(&mates_within(&ladder, 2)), ["a1a7", "b2b7"]);
        // A king in the corner: one move of the queen mates, another stalemates.
        let corner = parse_fen("k7/8/1K6/8/8/8/8/6Q1 w - - 0 1").unwrap();
        assert_eq!(uci_line(&mates_within(&corner, 1)), ["g1g8"]);
        assert!(mates_within(&parse_fen("4k3/8/8/8/8/8/8/4K2R w - - 0 1").unwrap(), 2).is_empty());
    }
}
