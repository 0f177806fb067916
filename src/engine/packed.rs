//! A position in 28 bytes, and back through the same checks as a FEN.
//!
//! The bytes are those of *marlinformat*, the record that many engines' training data is kept in
//! (<https://github.com/cosmobobak/viriformat> describes it), without the score and the result that follow there.

use super::castling::{Castle, CastlingRights};
use super::setup::{Illegal, Setup};
use super::{Bitboard, Board, Color, Piece, Position, Role, Square};
use std::fmt;

/// The code of a rook that may still castle; the codes below it are roles.
const UNMOVED_ROOK: u8 = 6;
/// Set in the code of a black piece.
const BLACK: u8 = 8;
/// The en passant square where there is none.
const NO_SQUARE: u8 = 64;
/// Set beside the en passant square when Black is to move.
const BLACK_TO_MOVE: u8 = 128;
/// More pieces find no place.
const MOST_PIECES: usize = 32;

/// A position in 28 bytes, or any other 28 bytes. Numbers are little-endian.
///
/// | bytes | what they hold |
/// |---|---|
/// | 0–7 | the squares with a piece, one bit each; bit 0 is a1, bit 1 is b1, bit 63 is h8 |
/// | 8–23 | four bits for each of these pieces, in the order of their squares, the first in the lower half of its byte: pawn 0, knight 1, bishop 2, rook 3, queen 4, king 5, a rook that may still castle 6, and 8 more for Black |
/// | 24 | the en passant square, 64 for none; and 128 more when Black is to move |
/// | 25 | half-moves since a pawn moved or something was taken; 255 for all beyond |
/// | 26–27 | the number of the move to come |
///
/// ```
/// use torres_engine::{PackedPosition, Position};
///
/// let fen = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3";
/// let packed = PackedPosition::of(&Position::from_fen(fen).unwrap());
/// assert_eq!(packed.unpack().unwrap().fen(), fen);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PackedPosition([u8; PackedPosition::BYTES]);

impl PackedPosition {
    /// How many bytes it has.
    pub const BYTES: usize = 28;

    /// Packs a position.
    pub fn of(position: &Position) -> PackedPosition {
        let board = position.board();
        let mut bytes = [0; PackedPosition::BYTES];
        bytes[..8].copy_from_slice(&board.occupied().0.to_le_bytes());
        // A legal position has 32 pieces at most.
        for (index, square) in board.occupied().enumerate().take(MOST_PIECES) {
            if let Some(piece) = board.piece_at(square) {
                let code = code(piece, square, position.castling());
                bytes[8 + index / 2] |= code << (index % 2 * 4);
            }
        }
        let passed = position.en_passant().map_or(NO_SQUARE, |square| square.index() as u8);
        let turn = match position.turn() {
            Color::White => 0,
            Color::Black => BLACK_TO_MOVE,
        };
        bytes[24] = passed | turn;
        bytes[25] = u8::try_from(position.halfmove_clock()).unwrap_or(u8::MAX);
        bytes[26..].copy_from_slice(&position.fullmove_number().to_le_bytes());
        PackedPosition(bytes)
    }

    /// Any bytes; whether they are a position is for [`unpack`](Self::unpack) to say.
    pub fn from_bytes(bytes: [u8; PackedPosition::BYTES]) -> PackedPosition {
        PackedPosition(bytes)
    }

    /// As they are stored.
    pub fn bytes(&self) -> &[u8; PackedPosition::BYTES] {
        &self.0
    }

    /// The squares with a piece.
    pub fn occupied(&self) -> Bitboard {
        let (occupied, _) = self.0.split_first_chunk().unwrap_or((&[0; 8], &[]));
        Bitboard(u64::from_le_bytes(*occupied))
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Color {
        if self.0[24] & BLACK_TO_MOVE == 0 {
            Color::White
        } else {
            Color::Black
        }
    }

    /// The number of the move to come.
    pub fn fullmove_number(&self) -> u16 {
        u16::from_le_bytes([self.0[26], self.0[27]])
    }

    /// The pieces by their squares, a1 first, without any check: for those who read millions of positions whose
    /// checksums are right. A code that is no piece is passed over, and so is all beyond 32 pieces.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.codes().filter_map(|(square, code)| {
            let role = role(code)?;
            Some((
                square,
                Piece {
                    color: color(code),
                    role,
                },
            ))
        })
    }

    /// The position, checked as a FEN is.
    ///
    /// # Errors
    /// All reasons for which the bytes are no position that a game can go on from.
    pub fn unpack(&self) -> Result<Position, PackedError> {
        let mut reasons = Vec::new();
        let count = self.occupied().count();
        if count as usize > MOST_PIECES {
            return Err(PackedError(vec![PackedReason::TooManyPieces(count)]));
        }
        let (mut board, mut castling) = (Board::EMPTY, CastlingRights::NONE);
        for (square, code) in self.codes() {
            let Some(role) = role(code) else {
                reasons.push(PackedReason::NoPiece { square, code });
                continue;
            };
            let color = color(code);
            board.put(Piece { color, role }, square);
            if code & !BLACK == UNMOVED_ROOK {
                match right_of(color, square) {
                    Some(wing) => castling = castling.with(color, wing),
                    None => reasons.push(PackedReason::RookAbroad(square)),
                }
            }
        }
        let en_passant = match self.0[24] & !BLACK_TO_MOVE {
            NO_SQUARE => None,
            index @ 0..NO_SQUARE => Some(Square::from_index(usize::from(index))),
            other => {
                reasons.push(PackedReason::EnPassant(other));
                None
            }
        };
        if !reasons.is_empty() {
            return Err(PackedError(reasons));
        }
        let setup = Setup {
            board,
            turn: self.turn(),
            castling,
            en_passant,
            halfmove_clock: u16::from(self.0[25]),
            fullmove_number: self.fullmove_number(),
        };
        setup
            .into_position()
            .map_err(|reasons| PackedError(reasons.into_iter().map(PackedReason::Illegal).collect()))
    }

    /// The occupied squares with their codes, 32 at most.
    fn codes(&self) -> impl Iterator<Item = (Square, u8)> + '_ {
        self.occupied()
            .enumerate()
            .take(MOST_PIECES)
            .map(|(index, square)| (square, self.0[8 + index / 2] >> (index % 2 * 4) & 15))
    }
}

/// The code of a piece; a rook's tells whether it may still castle.
fn code(piece: Piece, square: Square, castling: CastlingRights) -> u8 {
    let unmoved =
        piece.role == Role::Rook && right_of(piece.color, square).is_some_and(|wing| castling.has(piece.color, wing));
    let kind = if unmoved { UNMOVED_ROOK } else { piece.role as u8 };
    match piece.color {
        Color::White => kind,
        Color::Black => kind | BLACK,
    }
}

fn color(code: u8) -> Color {
    if code & BLACK == 0 { Color::White } else { Color::Black }
}

/// `None` for the one code that no piece has.
fn role(code: u8) -> Option<Role> {
    match code & !BLACK {
        UNMOVED_ROOK => Some(Role::Rook),
        kind => Role::ALL.get(usize::from(kind)).copied(),
    }
}

/// The wing on which a rook that has not left this square castles.
fn right_of(color: Color, square: Square) -> Option<super::Wing> {
    [super::Wing::King, super::Wing::Queen]
        .into_iter()
        .find(|&wing| Castle::of(color, wing).rook_from == square)
}

/// Why bytes are no position: every reason that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedError(Vec<PackedReason>);

impl PackedError {
    /// What is wrong, at least one thing.
    pub fn reasons(&self) -> &[PackedReason] {
        &self.0
    }
}

impl std::error::Error for PackedError {}

impl fmt::Display for PackedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the bytes are no position: ")?;
        for (number, reason) in self.0.iter().enumerate() {
            write!(f, "{}{reason}", if number > 0 { "; " } else { "" })?;
        }
        Ok(())
    }
}

/// One thing that is wrong with the bytes of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PackedReason {
    /// More than 32 pieces.
    #[error("there are {0} pieces, and 32 are the most")]
    TooManyPieces(u32),
    /// A code that no piece has.
    #[error("the code {code} on {square} is no piece")]
    NoPiece {
        /// Where.
        square: Square,
        /// Which.
        code: u8,
    },
    /// A rook that may castle where no rook castles from.
    #[error("the rook on {0} cannot castle from there")]
    RookAbroad(Square),
    /// An en passant square beyond the board.
    #[error("the en passant square {0} is beyond the board")]
    EnPassant(u8),
    /// It can be read, but no game can go on from it.
    #[error("{0}")]
    Illegal(#[from] Illegal),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;
    use proptest::prelude::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn packed(fen: &str) -> PackedPosition {
        PackedPosition::of(&Position::from_fen(fen).unwrap())
    }

    #[test]
    fn the_start_position_is_written_as_the_format_says() {
        let bytes = [
            0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff, // two ranks below, two above
            0x16, 0x42, 0x25, 0x61, // R (unmoved) N, B Q, K B, N R (unmoved)
            0, 0, 0, 0, 0x88, 0x88, 0x88, 0x88, // pawns
            0x9e, 0xca, 0xad, 0xe9, // Black's officers
            64, 0, 1, 0, // White to move, no en passant; no half-moves; move 1
        ];
        assert_eq!(packed(START).bytes(), &bytes);
        assert_eq!(PackedPosition::from_bytes(bytes).unpack().unwrap().fen(), START);
    }

    #[test]
    fn turn_castling_en_passant_and_counters_come_back() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w Kq - 12 34",
            "r3k2r/8/8/8/8/8/8/R3K2R b Qk - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 7",
            "8/PPPP4/6nk/6rq/7b/KQ6/3pppp1/RBN5 b - - 99 65535",
            "7k/8/8/8/8/8/8/K7 w - - 255 1",
        ] {
            assert_eq!(packed(fen).unpack().unwrap().fen(), fen);
        }
        let beyond = packed("7k/8/8/8/8/8/8/K7 w - - 256 1").unpack().unwrap();
        assert_eq!(beyond.halfmove_clock(), 255);
    }

    #[test]
    fn pieces_are_told_without_a_check() {
        let packed = packed("r3k2r/8/8/8/8/8/4P3/4K2R b Kk - 0 1");
        let told: Vec<String> = packed
            .pieces()
            .map(|(square, piece)| format!("{}{square}", piece.to_char()))
            .collect();
        assert_eq!(told, ["Ke1", "Rh1", "Pe2", "ra8", "ke8", "rh8"]);
        assert_eq!((packed.occupied().count(), packed.turn()), (6, Color::Black));
    }

    #[test]
    fn each_reason_is_named() {
        let mut bytes = *packed("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").bytes();
        // The rook's code becomes none, the king of Black one that may castle, and it is nobody's square.
        bytes[8] |= 7;
        bytes[9] = 14;
        bytes[24] = 65;
        let error = PackedPosition::from_bytes(bytes).unpack().unwrap_err();
        assert_eq!(
            error.reasons(),
            [
                PackedReason::NoPiece {
                    square: Square::A1,
                    code: 7
                },
                PackedReason::RookAbroad(Square::E8),
                PackedReason::EnPassant(65),
            ]
        );
        assert_eq!(
            error.to_string(),
            "the bytes are no position: the code 7 on a1 is no piece; the rook on e8 cannot castle from there; \
             the en passant square 65 is beyond the board"
        );
        let full = PackedPosition::from_bytes([0xff; PackedPosition::BYTES]);
        assert_eq!(full.unpack().unwrap_err().reasons(), [PackedReason::TooManyPieces(64)]);
        let empty = PackedPosition::from_bytes([0; PackedPosition::BYTES]);
        assert!(matches!(
            empty.unpack().unwrap_err().reasons()[0],
            PackedReason::Illegal(Illegal::Kings { .. })
        ));
    }

    proptest! {
        /// Games by chance from positions with castling, en passant and promotions at hand.
        #[test]
        fn every_position_of_a_game_comes_back_whole(
            start in prop::sample::select(crate::bench::POSITIONS.to_vec()),
            choices in prop::collection::vec(any::<prop::sample::Index>(), 0..120),
        ) {
            let mut game = Game::new(Position::from_fen(start).unwrap());
            for choice in choices {
                let position = game.position();
                let packed = PackedPosition::of(position);
                prop_assert_eq!(packed.unpack(), Ok(*position));
                prop_assert_eq!(PackedPosition::of(&packed.unpack().unwrap()), packed);
                let moves = position.legal_moves();
                if moves.is_empty() || position.halfmove_clock() >= 100 {
                    break;
                }
                game.play(moves[choice.index(moves.len())]);
            }
        }

        /// Whatever the bytes are: they are refused, or they are a position that packs and unpacks to itself.
        #[test]
        fn any_bytes_are_a_position_or_refused(
            at in 0usize..PackedPosition::BYTES, value: u8, whole: [u8; PackedPosition::BYTES], mostly_right: bool,
        ) {
            let mut bytes = if mostly_right { *packed(START).bytes() } else { whole };
            bytes[at] = value;
            match PackedPosition::from_bytes(bytes).unpack() {
                Ok(position) => prop_assert_eq!(PackedPosition::of(&position).unpack(), Ok(position)),
                Err(error) => prop_assert!(!error.reasons().is_empty()),
            }
            // Nothing there may fail on what is no position.
            prop_assert!(PackedPosition::from_bytes(bytes).pieces().count() <= 32);
        }
    }
}
