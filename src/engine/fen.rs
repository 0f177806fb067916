//! FEN, in and out.
//!
//! Four fields are enough (as in EPD); the move counters then start at 0 and 1. Castling letters are `KQkq` only.

use super::setup::{Illegal, Setup};
use super::{Board, CastlingRights, Color, Piece, Position, Square};
use std::fmt::{self, Write as _};

/// Why a FEN is refused: every reason that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FenError {
    fen: String,
    reasons: Vec<FenReason>,
}

impl FenError {
    /// What is wrong, at least one thing.
    pub fn reasons(&self) -> &[FenReason] {
        &self.reasons
    }
}

impl std::error::Error for FenError {}

/// The most characters that a message shows of the FEN and of a field: a FEN may be as long as a file.
const SHOWN: usize = 100;
/// The most reasons that a message lists.
const LISTED: usize = 12;

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown: String = self.fen.chars().take(SHOWN).collect();
        let cut = if shown.len() < self.fen.len() { "…" } else { "" };
        write!(f, "the FEN '{shown}{cut}' is refused: ")?;
        for (number, reason) in self.reasons.iter().take(LISTED).enumerate() {
            write!(f, "{}{reason}", if number > 0 { "; " } else { "" })?;
        }
        match self.reasons.len().saturating_sub(LISTED) {
            0 => Ok(()),
            more => write!(f, "; and {more} more"),
        }
    }
}

/// One thing that is wrong with a FEN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenReason {
    /// Fewer than four fields.
    #[error("it has {0} fields instead of four to six")]
    TooFewFields(usize),
    /// More than six fields.
    #[error("it has {0} fields instead of four to six")]
    TooManyFields(usize),
    /// Not eight ranks.
    #[error("the placement has {0} ranks instead of 8")]
    Ranks(usize),
    /// A rank that is not eight squares wide.
    #[error("rank {rank} of the placement is {squares} squares wide instead of 8")]
    RankWidth {
        /// 1 to 8.
        rank: usize,
        /// Its squares.
        squares: u32,
    },
    /// A letter that is no piece and no number of empty squares.
    #[error("'{0}' in the placement is neither a piece nor a number from 1 to 8")]
    PlacementLetter(char),
    /// A turn that is neither `w` nor `b`.
    #[error("the turn '{0}' is neither 'w' nor 'b'")]
    Turn(String),
    /// Castling that is neither `-` nor some of `KQkq`, each once.
    #[error("the castling rights '{0}' are neither '-' nor letters of 'KQkq', each once")]
    Castling(String),
    /// En passant that is neither `-` nor a square.
    #[error("the en passant field '{0}' is neither '-' nor a square")]
    EnPassant(String),
    /// A halfmove clock that is no number.
    #[error("the halfmove clock '{0}' is no number from 0 to 65535")]
    HalfmoveClock(String),
    /// A move number that is no number.
    #[error("the move number '{0}' is no number from 0 to 65535")]
    FullmoveNumber(String),
    /// It can be read, but no game can go on from it.
    #[error("{0}")]
    Illegal(#[from] Illegal),
}

impl Position {
    /// Reads a FEN.
    ///
    /// # Errors
    /// All reasons for which it cannot be read or is not a position that a game can go on from.
    pub fn from_fen(fen: &str) -> Result<Position, FenError> {
        let refuse = |reasons| FenError {
            fen: fen.trim().to_owned(),
            reasons,
        };
        let setup = parse(fen).map_err(refuse)?;
        setup
            .into_position()
            .map_err(|reasons| refuse(reasons.into_iter().map(FenReason::Illegal).collect()))
    }

    /// Writes all six fields; en passant only where a legal capture exists.
    pub fn fen(&self) -> String {
        let mut fen = placement(self.board());
        let turn = match self.turn() {
            Color::White => 'w',
            Color::Black => 'b',
        };
        let mut castling: String = CastlingRights::LETTERS
            .iter()
            .filter(|&&(_, color, wing)| self.castling().has(color, wing))
            .map(|&(letter, ..)| letter)
            .collect();
        if castling.is_empty() {
            castling.push('-');
        }
        let en_passant = self.en_passant().map_or("-".to_owned(), |square| square.to_string());
        // Writing to a String cannot fail.
        let _ = write!(
            fen,
            " {turn} {castling} {en_passant} {} {}",
            self.halfmove_clock(),
            self.fullmove_number()
        );
        fen
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fen())
    }
}

fn placement(board: &Board) -> String {
    let mut text = String::new();
    for rank in (0..8).rev() {
        let mut empty = 0;
        for file in 0..8 {
            match board.piece_at(Square::at(file, rank)) {
                None => empty += 1,
                Some(piece) => {
                    push_number(&mut text, empty);
                    empty = 0;
                    text.push(piece.to_char());
                }
            }
        }
        push_number(&mut text, empty);
        if rank > 0 {
            text.push('/');
        }
    }
    text
}

fn push_number(text: &mut String, empty: u8) {
    if empty > 0 {
        text.push(char::from(b'0' + empty));
    }
}

fn parse(fen: &str) -> Result<Setup, Vec<FenReason>> {
    let fields: Vec<&str> = fen.split_whitespace().collect();
    let (fields, counters) = match fields[..] {
        [placement, turn, castling, en_passant, ref counters @ ..] if counters.len() <= 2 => {
            ([placement, turn, castling, en_passant], counters)
        }
        [_, _, _, _, ..] => return Err(vec![FenReason::TooManyFields(fields.len())]),
        _ => return Err(vec![FenReason::TooFewFields(fields.len())]),
    };
    let mut reasons = Vec::new();
    let setup = Setup {
        board: parse_placement(fields[0], &mut reasons),
        turn: or_note(parse_turn(fields[1]), Color::White, &mut reasons),
        castling: or_note(parse_castling(fields[2]), CastlingRights::NONE, &mut reasons),
        en_passant: or_note(parse_en_passant(fields[3]), None, &mut reasons),
        halfmove_clock: or_note(
            parse_counter(counters.first(), 0, FenReason::HalfmoveClock),
            0,
            &mut reasons,
        ),
        fullmove_number: or_note(
            parse_counter(counters.get(1), 1, FenReason::FullmoveNumber),
            1,
            &mut reasons,
        ),
    };
    if reasons.is_empty() { Ok(setup) } else { Err(reasons) }
}

/// The value, or a substitute and a note of the reason.
fn or_note<T>(result: Result<T, FenReason>, substitute: T, reasons: &mut Vec<FenReason>) -> T {
    result.unwrap_or_else(|reason| {
        reasons.push(reason);
        substitute
    })
}

fn parse_placement(text: &str, reasons: &mut Vec<FenReason>) -> Board {
    let mut board = Board::EMPTY;
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 8 {
        reasons.push(FenReason::Ranks(ranks.len()));
        return board;
    }
    for (rank, letters) in (0u8..8).rev().zip(ranks) {
        let mut file: u32 = 0;
        for letter in letters.chars() {
            match (letter.to_digit(9).filter(|&empty| empty > 0), Piece::from_char(letter)) {
                (Some(empty), _) => file += empty,
                (None, Some(piece)) => {
                    if let Ok(on_board @ 0..8) = u8::try_from(file) {
                        board.put(piece, Square::at(on_board, rank));
                    }
                    file += 1;
                }
                (None, None) => reasons.push(FenReason::PlacementLetter(letter)),
            }
        }
        if file != 8 {
            reasons.push(FenReason::RankWidth {
                rank: usize::from(rank) + 1,
                squares: file,
            });
        }
    }
    board
}

/// As much of a field as a message shows.
fn shown(field: &str) -> String {
    field.chars().take(SHOWN).collect()
}

fn parse_turn(text: &str) -> Result<Color, FenReason> {
    match text {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => Err(FenReason::Turn(shown(text))),
    }
}

fn parse_castling(text: &str) -> Result<CastlingRights, FenReason> {
    if text == "-" {
        return Ok(CastlingRights::NONE);
    }
    let wrong = || FenReason::Castling(shown(text));
    text.chars().try_fold(CastlingRights::NONE, |rights, letter| {
        let (_, color, wing) = CastlingRights::LETTERS
            .into_iter()
            .find(|&(known, ..)| known == letter)
            .ok_or_else(wrong)?;
        if rights.has(color, wing) {
            Err(wrong())
        } else {
            Ok(rights.with(color, wing))
        }
    })
}

fn parse_en_passant(text: &str) -> Result<Option<Square>, FenReason> {
    match text {
        "-" => Ok(None),
        _ => text.parse().map(Some).map_err(|_| FenReason::EnPassant(shown(text))),
    }
}

fn parse_counter(text: Option<&&str>, absent: u16, wrong: fn(String) -> FenReason) -> Result<u16, FenReason> {
    text.map_or(Ok(absent), |text| text.parse().map_err(|_| wrong(shown(text))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::castling::Wing;

    fn reasons(fen: &str) -> Vec<FenReason> {
        Position::from_fen(fen).expect_err(fen).reasons().to_vec()
    }

    #[test]
    fn what_is_read_is_written() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w Kq - 12 34",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        ] {
            assert_eq!(Position::from_fen(fen).unwrap().fen(), fen);
        }
        assert_eq!(
            Position::start().fen(),
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
        );
    }

    #[test]
    fn four_fields_are_enough() {
        let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K -").unwrap();
        assert_eq!(position.fen(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    }

    #[test]
    fn en_passant_counts_only_where_a_legal_capture_exists() {
        // No black pawn beside e4; a black pawn beside it; a black pawn beside it that is pinned along the rank.
        for (fen, square) in [
            ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "-"),
            ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "e3"),
            ("8/8/8/8/k2pP2Q/8/8/4K3 b - e3 0 1", "-"),
        ] {
            assert_eq!(
                Position::from_fen(fen).unwrap().fen().split(' ').nth(3),
                Some(square),
                "{fen}"
            );
        }
    }

    #[test]
    fn each_unreadable_field_is_named() {
        assert_eq!(reasons("8/8 w -"), [FenReason::TooFewFields(3)]);
        assert_eq!(reasons("8/8 w - - 0 1 2"), [FenReason::TooManyFields(7)]);
        assert_eq!(
            reasons("4k3/9/8/8/8/8/7/4KX2 x KK e9 -1 z"),
            [
                FenReason::PlacementLetter('9'),
                FenReason::RankWidth { rank: 7, squares: 0 },
                FenReason::RankWidth { rank: 2, squares: 7 },
                FenReason::PlacementLetter('X'),
                FenReason::RankWidth { rank: 1, squares: 7 },
                FenReason::Turn("x".into()),
                FenReason::Castling("KK".into()),
                FenReason::EnPassant("e9".into()),
                FenReason::HalfmoveClock("-1".into()),
                FenReason::FullmoveNumber("z".into()),
            ]
        );
        assert_eq!(reasons("8/8/8/8/8/8/8 w - - 0 1"), [FenReason::Ranks(7)]);
        // A rank that runs off the board, however far.
        assert!(Position::from_fen(&format!("{}/8/8/8/8/8/8/8 w - - 0 1", "8p".repeat(9000))).is_err());
    }

    #[test]
    fn each_illegality_is_named() {
        use Illegal::*;
        let illegal = |fen| -> Vec<Illegal> {
            let only = |reason| {
                if let FenReason::Illegal(illegal) = reason {
                    illegal
                } else {
                    panic!("{reason}")
                }
            };
            reasons(fen).into_iter().map(only).collect()
        };
        let (white, black) = (Color::White, Color::Black);
        assert_eq!(
            illegal("8/8/8/8/8/8/8/KK6 w - -"),
            [Kings { color: white, count: 2 }, Kings { color: black, count: 0 }]
        );
        assert_eq!(
            illegal("P3k3/8/8/8/8/8/8/4K2p w - -"),
            ["h1", "a8"].map(|at| PawnOnBackRank(at.parse().unwrap()))
        );
        assert_eq!(
            illegal("4k3/8/8/8/8/8/8/1K5R w KQ -"),
            [Wing::King, Wing::Queen].map(|wing| CastlingFromAbroad { color: white, wing })
        );
        assert_eq!(
            illegal("4k3/8/8/8/8/8/8/4K3 w - e6"),
            [EnPassant("e6".parse().unwrap())]
        );
        assert_eq!(
            illegal("4k3/8/8/8/4P3/8/8/4K3 w - e3"),
            [EnPassant("e3".parse().unwrap())]
        );
        assert_eq!(illegal("4k3/8/8/8/8/8/8/4RK2 w - -"), [WrongSideInCheck(black)]);
        assert_eq!(illegal("4k3/8/3N4/1B6/8/8/8/4RK2 b - -"), [TooManyCheckers(3)]);
        assert_eq!(
            illegal("k7/1p6/8/8/8/P7/1NNNNNNN/1NNNK3 w - -"),
            [TooManyPromoted { color: white }]
        );
        assert_eq!(
            illegal("4k3/pppppppp/pppppppp/8/8/8/8/4K3 w - -"),
            [
                TooManyPieces {
                    color: black,
                    count: 17
                },
                TooManyPromoted { color: black }
            ]
        );
    }

    #[test]
    fn the_message_does_not_grow_with_the_fen() {
        for long in [
            format!("{} w - - 0 1", "x".repeat(10_000)),
            format!("8/8 {} {0} {0} {0} {0}", "ä".repeat(10_000)),
        ] {
            let message = Position::from_fen(&long).unwrap_err().to_string();
            assert!(message.len() < 2_000, "{}", message.len());
        }
    }

    #[test]
    fn the_message_names_the_fen_and_every_reason() {
        let message = Position::from_fen("8/8/8/8/8/8/8/KK6 w - - 0 1")
            .unwrap_err()
            .to_string();
        assert_eq!(
            message,
            "the FEN '8/8/8/8/8/8/8/KK6 w - - 0 1' is refused: White has 2 kings instead of one; Black has 0 kings instead of one"
        );
    }
}
