//! Pawn structure: what pawns alone say, and pawns with a king. It changes seldom from position to position and is
//! remembered in a table.

use super::Tapered;
use super::features::*;
use super::king::shelter;
use super::sink::{Sink, Sum};
use crate::{Bitboard, Board, ByColor, Color, Position, Role, Square, attacks};

/// What other features want to know of the pawns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Structure {
    /// Both sides' passed pawns.
    pub passed: Bitboard,
}

/// Finds the features of pawns alone.
pub(super) fn structure<S: Sink>(board: &Board, sink: &mut S) -> Structure {
    let mut passed = Bitboard::EMPTY;
    for us in Color::ALL {
        passed |= side(board, us, sink);
    }
    Structure { passed }
}

/// One side's pawns; returns those that are passed.
fn side<S: Sink>(board: &Board, us: Color, sink: &mut S) -> Bitboard {
    let (ours, theirs) = (board.pieces(us, Role::Pawn), board.pieces(!us, Role::Pawn));
    let (our_attacks, their_attacks) = (attacks::pawns(us, ours), attacks::pawns(!us, theirs));
    let mut all_passed = Bitboard::EMPTY;
    for square in ours {
        let pawn = Bitboard::of(square);
        let rank = usize::from(square.relative_rank(us));
        let file = Bitboard::file(square.file());
        let neighbours = (file.east() | file.west()) & ours;
        let ahead = pawn.forward(us).fill_forward(us);
        let path = ahead | ahead.east() | ahead.west();
        let beside = pawn.east() | pawn.west();
        let doubled = ours.intersects(ahead);
        let opposed = theirs.intersects(ahead);
        let phalanx = ours.intersects(beside);
        let defended = our_attacks.intersects(pawn);

        if doubled {
            sink.add(us, PAWN_DOUBLED.only(), 1);
        }
        if neighbours.is_empty() {
            sink.add(us, PAWN_ISOLATED.at(usize::from(!opposed)), 1);
        } else {
            // No neighbour is beside it or behind, so none can ever defend it.
            let helpers = neighbours & !(path & !beside);
            if helpers.is_empty() && their_attacks.intersects(pawn.forward(us)) {
                sink.add(us, PAWN_BACKWARD.at(usize::from(!opposed)), 1);
            }
        }
        if phalanx {
            sink.add(us, PAWN_PHALANX.at(rank), 1);
        }
        if defended {
            sink.add(us, PAWN_DEFENDED.at(rank), 1);
        }
        let opponents = theirs & path;
        if opponents.is_empty() && !doubled {
            all_passed |= pawn;
            sink.add(us, PASSED.at(rank), 1);
            if phalanx || defended {
                sink.add(us, PASSED_CONNECTED.at(rank), 1);
            }
        } else if !opposed && !doubled {
            let helpers = neighbours & !path | beside & ours;
            if helpers.count() >= opponents.count() {
                sink.add(us, PAWN_CANDIDATE.at(rank), 1);
            }
        }
    }
    all_passed
}

/// Number of entries; a power of two.
const ENTRIES: usize = 1 << 11;

/// What was found of the pawns met lately.
pub(super) struct PawnTable(Box<[Entry]>);

#[derive(Clone, Copy, Default)]
struct Entry {
    white: Bitboard,
    black: Bitboard,
    sum: Tapered,
    structure: Structure,
    /// Each side's king among these pawns.
    kings: ByColor<Sheltered>,
}

/// A king's features where it stood last; `None` where it stood nowhere yet.
#[derive(Clone, Copy, Default)]
struct Sheltered {
    king: Option<Square>,
    sum: Tapered,
}

/// An empty table: its entries say rightly that without pawns there is nothing.
impl Default for PawnTable {
    fn default() -> PawnTable {
        PawnTable(vec![Entry::default(); ENTRIES].into_boxed_slice())
    }
}

impl PawnTable {
    /// The sum of the features of pawns, and of the kings among them, White's minus Black's; and the structure.
    #[inline]
    pub fn get(&mut self, position: &Position) -> (Tapered, Structure) {
        let board = position.board();
        let (white, black) = (
            board.pieces(Color::White, Role::Pawn),
            board.pieces(Color::Black, Role::Pawn),
        );
        // Entries hold the pawns themselves, so that a weak key costs time but no error.
        let key = white.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ black.0.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        let entry = &mut self.0[(key >> 40) as usize % ENTRIES];
        if (entry.white, entry.black) != (white, black) {
            let mut sum = Sum::default();
            let structure = structure(board, &mut sum);
            *entry = Entry {
                white,
                black,
                sum: sum.total(),
                structure,
                kings: ByColor::default(),
            };
        }
        let mut total = entry.sum;
        for us in Color::ALL {
            let king = position.king(us);
            let sheltered = &mut entry.kings[us];
            if sheltered.king != Some(king) {
                let mut sum = Sum::default();
                shelter(board, us, king, &mut sum);
                *sheltered = Sheltered {
                    king: Some(king),
                    sum: sum.total(),
                };
            }
            total += sheltered.sum;
        }
        (total, entry.structure)
    }
}
