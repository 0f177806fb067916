//! A game joined in the middle: what one picture alone says of the position.
//!
//! The pieces are read, all of them or none. Whose turn it is, is told by a king in check, or else by the squares that
//! the site has marked as the last move's: one is empty, and on the other stands a piece that can have come from there.
//! Where neither tells, somebody else must, or it stays unknown. Castling rights and captures in passing leave no trace
//! on the board: they are assumed, and said to be.

use super::appearance::{Appearance, SquareScores, index, judge};
use image::RgbaImage;
use shakmaty::attacks;
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, File, FromSetup, Piece, Position, PositionError, Rank, Role, Setup,
    Square,
};
use std::fmt;
use torres_geometry::{BoardMap, BySquare, Orientation};

/// A square is marked when its margin or ring lies this far from its plain colour, in levels, on a board without
/// texture.
const MARKED: i16 = 22;

/// More marked squares than these (two of a move, a check, and a piece that is selected) are somebody's drawing.
const MOST_MARKED: usize = 4;

/// By what the side to move is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnBy {
    /// Somebody said so.
    Caller,
    /// A king is in check.
    Check,
    /// The last move is marked.
    LastMove,
}

/// What no picture shows, and was taken for granted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Assumed {
    /// Kings and rooks that stand at home have not moved.
    pub castling: Bitboard,
    /// No pawn may be taken in passing, though one may have just gone two squares ahead.
    pub no_en_passant: bool,
    /// This colour is at the bottom.
    pub bottom: Option<Orientation>,
}

impl fmt::Display for Assumed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if !self.castling.is_empty() {
            let rooks: Vec<String> = self.castling.into_iter().map(|s| s.to_string()).collect();
            parts.push(format!(
                "that castling with the rook on {} is allowed",
                rooks.join(", ")
            ));
        }
        if self.no_en_passant {
            parts.push("that no pawn can be taken in passing".to_owned());
        }
        if let Some(bottom) = self.bottom {
            parts.push(format!("that the board has {bottom}"));
        }
        match parts.len() {
            0 => f.write_str("nothing"),
            _ => f.write_str(&parts.join(", and ")),
        }
    }
}

/// A position read off the board.
#[derive(Clone, Debug, PartialEq)]
pub struct Joined {
    /// The position.
    pub position: Chess,
    /// How the side to move is known.
    pub turn_by: TurnBy,
    /// Origin and end of the last move, where they are marked. Of castling, the king's.
    pub last: Option<(Square, Square)>,
    /// What of the position is assumed.
    pub assumed: Assumed,
}

/// Why the picture does not give a position.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NotJoined {
    /// These squares cannot be read for certain.
    #[error("{} of its squares cannot be read for certain: {}", .0.len(), names(.0))]
    Unread(Vec<Square>),
    /// Neither a check nor a marked move tells whose turn it is.
    #[error("nothing on it tells whose turn it is")]
    TurnUnknown,
    /// The side to move is mated, or no side can win.
    #[error("the game is over")]
    Over,
    /// No game leads there.
    #[error("it shows no position that a game can have: {0}")]
    NoPosition(String),
}

fn names(squares: &[Square]) -> String {
    const SHOWN: usize = 8;
    let shown: Vec<String> = squares.iter().take(SHOWN).map(ToString::to_string).collect();
    shown.join(" ") + if squares.len() > SHOWN { " …" } else { "" }
}

/// Reads the position of a game at rest; `turn` where somebody knows who is to move.
pub fn join(
    appearance: &Appearance,
    image: &RgbaImage,
    map: &BoardMap,
    turn: Option<Color>,
) -> Result<Joined, NotJoined> {
    let reader = appearance.reader(map);
    let scores = BySquare::from_fn(|square| reader.scores(image, square));
    let unread: Vec<Square> = scores.iter().filter(|(_, s)| is_doubtful(s)).map(|(s, _)| s).collect();
    if !unread.is_empty() {
        return Err(NotJoined::Unread(unread));
    }
    let board: Board = scores
        .iter()
        .filter_map(|(square, scores)| Some((square, judge(scores).content?)))
        .collect();
    let last = last_move(&board, &scores, appearance);
    let (turn, turn_by) = whose_turn(&board, last.as_ref(), turn)?;
    let last = last.filter(|last| last.by != turn);
    let mut setup = at_home(&board, turn);
    if let Some(last) = &last {
        setup.castling_rights &= !last.rights_lost(&board);
        setup.ep_square = last.passed(&board);
    }
    let position = Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(PositionError::ignore_invalid_ep_square)
        .map_err(|error| NotJoined::NoPosition(error.to_string()))?;
    Ok(Joined {
        assumed: Assumed {
            castling: position.castles().castling_rights(),
            no_en_passant: last.is_none() && may_be_taken_in_passing(&board, turn),
            bottom: None,
        },
        position,
        turn_by,
        last: last.map(|last| (last.from, last.to)),
    })
}

/// The position with these pieces and that side to move, with the castling rights of kings and rooks that stand at
/// home.
pub fn assuming(board: &Board, turn: Color) -> Option<Chess> {
    Chess::from_setup(at_home(board, turn), CastlingMode::Standard).ok()
}

fn at_home(board: &Board, turn: Color) -> Setup {
    let mut setup = Setup::empty();
    setup.board = board.clone();
    setup.turn = turn;
    for color in Color::ALL {
        let home = color.backrank();
        let stands = |file, role| board.piece_at(Square::from_coords(file, home)) == Some(Piece { color, role });
        if stands(File::E, Role::King) {
            let rooks = [File::A, File::H].into_iter().filter(|file| stands(*file, Role::Rook));
            rooks.for_each(|file| setup.castling_rights.add(Square::from_coords(file, home)));
        }
    }
    setup
}

/// A move that the site has marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct MarkedMove {
    from: Square,
    to: Square,
    by: Color,
}

impl MarkedMove {
    /// Castling rights that the mover cannot have after such a move.
    fn rights_lost(&self, board: &Board) -> Bitboard {
        let home = Bitboard::from(self.by.backrank());
        match board.role_at(self.to) {
            Some(Role::King) => home,
            // It may have been the one that castles.
            Some(Role::Rook) => home & (Bitboard::from(self.from) | Bitboard::from(self.to)),
            _ => Bitboard::EMPTY,
        }
    }

    /// The square that a pawn has just passed.
    fn passed(&self, board: &Board) -> Option<Square> {
        let ahead = self.to.rank() as i32 - self.from.rank() as i32;
        let pawn = board.role_at(self.to) == Some(Role::Pawn) && self.from.file() == self.to.file();
        let middle = Rank::new(((self.to.rank() as i32 + self.from.rank() as i32) / 2) as u32);
        (pawn && ahead.abs() == 2).then(|| Square::from_coords(self.to.file(), middle))
    }
}

/// The one move that the marked squares can be.
fn last_move(board: &Board, scores: &BySquare<SquareScores>, appearance: &Appearance) -> Option<MarkedMove> {
    let threshold = MARKED + (4.0 * appearance.noise()) as i16;
    let marked: Bitboard = Square::ALL
        .into_iter()
        .filter(|s| is_marked(&scores[*s], appearance.plain()[usize::from(s.is_dark())], threshold))
        .collect();
    marked_move(board, marked)
}

/// The one move that these marked squares can be, whatever else they are.
fn marked_move(board: &Board, marked: Bitboard) -> Option<MarkedMove> {
    if marked.count() > MOST_MARKED {
        return None;
    }
    let pairs = marked
        .into_iter()
        .flat_map(|from| marked.into_iter().map(move |to| (from, to)));
    let mut found = pairs.filter_map(|(from, to)| {
        let last = moved(board, from, to)?;
        // The other squares are the king's that is in check by it, and one of a piece that is selected to reply.
        let others = marked & !Bitboard::from(from) & !Bitboard::from(to);
        let king = board.king_of(!last.by).map_or(Bitboard::EMPTY, Bitboard::from);
        let selected = others & !king;
        let may_reply = (selected & !board.by_color(!last.by)).is_empty();
        (may_reply && selected.count() <= 1).then_some(last)
    });
    let last = found.next()?;
    found.all(|other| other == last).then_some(last)
}

fn is_doubtful(scores: &SquareScores) -> bool {
    let read = judge(scores);
    read.doubtful || scores.alike.is_shared(index(read.content))
}

fn is_marked(scores: &SquareScores, plain: [i16; 3], threshold: i16) -> bool {
    let far = |color: [i16; 3]| (0..3).any(|c| (color[c] - plain[c]).abs() > threshold);
    far(scores.margin) || far(scores.ring)
}

/// The move from one square to another that can have led to this board, if there is one.
fn moved(board: &Board, from: Square, to: Square) -> Option<MarkedMove> {
    if from == to || board.piece_at(from).is_some() {
        return None;
    }
    let Some(piece) = board.piece_at(to) else {
        return castled_onto_rook(board, from, to);
    };
    let by = piece.color;
    let came = match piece.role {
        Role::Pawn => pawn_came(board, by, from, to),
        Role::King => attacks::king_attacks(from).contains(to) || castled(board, by, from, to),
        _ => {
            attacks::attacks(from, piece, board.occupied()).contains(to)
                || (to.rank() == (!by).backrank() && pawn_came(board, by, from, to))
        }
    };
    came.then_some(MarkedMove { from, to, by })
}

fn pawn_came(board: &Board, by: Color, from: Square, to: Square) -> bool {
    let start = by.fold_wb(Rank::Second, Rank::Seventh);
    let step = by.fold_wb(8, -8);
    let ahead = |from: Square| from.offset(step);
    let twice = from.rank() == start
        && ahead(from).is_some_and(|middle| board.piece_at(middle).is_none() && ahead(middle) == Some(to));
    from.rank() != by.backrank() && (ahead(from) == Some(to) || twice || attacks::pawn_attacks(by, from).contains(to))
}

/// Whether a king that stands on `to`, its rook beside it, castled from `from`.
fn castled(board: &Board, by: Color, from: Square, to: Square) -> bool {
    let home = by.backrank();
    let rook = match to.file() {
        File::G => File::F,
        File::C => File::D,
        _ => return false,
    };
    from == Square::from_coords(File::E, home)
        && to.rank() == home
        && board.piece_at(Square::from_coords(rook, home)) == Some(by.rook())
}

/// Castling that is marked by where king and rook stood before.
fn castled_onto_rook(board: &Board, king: Square, rook: Square) -> Option<MarkedMove> {
    let by = match king.rank() {
        Rank::First => Color::White,
        Rank::Eighth => Color::Black,
        _ => return None,
    };
    let file = match rook.file() {
        File::H => File::G,
        File::A => File::C,
        _ => return None,
    };
    let to = Square::from_coords(file, king.rank());
    let stands = board.piece_at(to) == Some(by.king()) && rook.rank() == king.rank();
    (stands && castled(board, by, king, to)).then_some(MarkedMove { from: king, to, by })
}

/// Who is to move, by the rules, by what is marked, or by whom somebody named. They must not contradict each other.
fn whose_turn(board: &Board, last: Option<&MarkedMove>, said: Option<Color>) -> Result<(Color, TurnBy), NotJoined> {
    let in_check = |color: Color| {
        let king = board.king_of(color);
        king.is_some_and(|king| !board.attacks_to(king, !color, board.occupied()).is_empty())
    };
    let checked = match (in_check(Color::White), in_check(Color::Black)) {
        (true, true) => return Err(NotJoined::NoPosition("both kings are in check".to_owned())),
        (true, false) => Some(Color::White),
        (false, true) => Some(Color::Black),
        (false, false) => None,
    };
    let marked = last.map(|last| !last.by);
    match (said, checked, marked) {
        (Some(said), Some(checked), _) if said != checked => Err(NotJoined::NoPosition(format!(
            "the king of {checked} is in check, so {said} is not to move"
        ))),
        (Some(said), _, _) => Ok((said, TurnBy::Caller)),
        // Marks that say otherwise than the rules are no last move's.
        (None, Some(checked), Some(marked)) if checked != marked => Err(NotJoined::TurnUnknown),
        (None, Some(checked), None) => Ok((checked, TurnBy::Check)),
        (None, _, Some(marked)) => Ok((marked, TurnBy::LastMove)),
        (None, None, None) => Err(NotJoined::TurnUnknown),
    }
}

/// Whether a pawn that may have just gone two squares ahead stands beside one of the side to move.
fn may_be_taken_in_passing(board: &Board, turn: Color) -> bool {
    let rank = turn.fold_wb(Rank::Fifth, Rank::Fourth);
    let back = turn.fold_wb(8, -8);
    let theirs = board.by_piece((!turn).pawn()) & Bitboard::from(rank);
    let ours = board.by_piece(turn.pawn()) & Bitboard::from(rank);
    theirs.into_iter().any(|pawn| {
        let passed = pawn.offset(back).filter(|s| board.piece_at(*s).is_none());
        let origin = passed
            .and_then(|s| s.offset(back))
            .filter(|s| board.piece_at(*s).is_none());
        let beside = ours.into_iter().any(|own| own.distance(pawn) == 1);
        origin.is_some() && beside
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(fen: &str) -> Board {
        Board::from_ascii_board_fen(fen.as_bytes()).unwrap()
    }

    fn came(fen: &str, from: Square, to: Square) -> Option<Color> {
        moved(&board(fen), from, to).map(|last| last.by)
    }

    #[test]
    fn a_marked_pair_is_a_move_only_if_its_piece_can_have_come_that_way() {
        let start = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R";
        assert_eq!(came(start, Square::G1, Square::F3), Some(Color::White));
        assert_eq!(came(start, Square::E7, Square::E5), Some(Color::Black));
        assert_eq!(came(start, Square::F3, Square::G1), None, "nobody stands there");
        assert_eq!(came(start, Square::E6, Square::F3), None, "no knight comes that way");
        assert_eq!(came(start, Square::E3, Square::E4), Some(Color::White));
        assert_eq!(came(start, Square::D4, Square::E4), None);
        // A rook behind its pawn has not come through it.
        assert_eq!(came("k7/8/8/8/R7/P7/8/K7", Square::A2, Square::A4), None);
        assert_eq!(came("k7/8/8/8/R7/P7/8/K7", Square::H4, Square::A4), Some(Color::White));
    }

    #[test]
    fn castling_and_promotion_are_moves_too_however_they_are_marked() {
        let castled = "r1bq1rk1/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1RK1";
        assert_eq!(came(castled, Square::E1, Square::G1), Some(Color::White));
        assert_eq!(came(castled, Square::E8, Square::H8), Some(Color::Black));
        assert_eq!(came(castled, Square::E8, Square::A8), None);
        assert_eq!(came("4Q3/8/8/8/8/8/8/k1K5", Square::D7, Square::E8), Some(Color::White));
        assert_eq!(came("4N3/8/8/8/8/8/8/k1K5", Square::E7, Square::E8), Some(Color::White));
        assert_eq!(came("4N3/8/8/8/8/8/8/k1K5", Square::H7, Square::E8), None);
    }

    #[test]
    fn a_piece_selected_to_reply_does_not_hide_the_last_move() {
        // White's pawn went from d2 to d3; Black's queen on d7 is selected, and White's king is drawn on.
        let position = board("r3kb1r/pppqpppp/5n2/8/4p2P/2NP1bP1/PPP1NP2/1RBQ1RK1");
        let by = |squares: &[Square]| marked_move(&position, squares.iter().copied().collect()).map(|last| last.by);
        assert_eq!(by(&[Square::D2, Square::D3]), Some(Color::White));
        assert_eq!(by(&[Square::D2, Square::D3, Square::D7]), Some(Color::White));
        assert_eq!(
            by(&[Square::D2, Square::D3, Square::D7, Square::E7]),
            None,
            "two are selected"
        );
        assert_eq!(by(&[Square::D2, Square::D3, Square::G1]), None, "White has just moved");
        assert_eq!(by(&[Square::D2, Square::D3, Square::A6]), None, "nothing stands there");
        // In check, and the king that is to leave it is selected: both are one square.
        let check = board("4k3/8/8/8/8/8/4R3/4K3");
        let marked: Bitboard = [Square::E3, Square::E2, Square::E8].into_iter().collect();
        assert_eq!(marked_move(&check, marked).map(|last| last.by), Some(Color::White));
    }

    #[test]
    fn a_check_tells_the_turn_and_contradictions_tell_nothing() {
        let turn = |fen: &str, last: Option<MarkedMove>, said| whose_turn(&board(fen), last.as_ref(), said);
        let quiet = "4k3/8/8/8/8/8/4R3/3K4";
        let check = "4k3/8/8/8/8/8/4R3/4K3";
        let by = |by| {
            Some(MarkedMove {
                from: Square::E3,
                to: Square::E2,
                by,
            })
        };
        assert_eq!(turn("3k4/8/8/8/8/8/4R3/3K4", None, None), Err(NotJoined::TurnUnknown));
        assert_eq!(
            turn(quiet, by(Color::White), None),
            Ok((Color::Black, TurnBy::LastMove))
        );
        assert_eq!(turn(check, None, None), Ok((Color::Black, TurnBy::Check)));
        assert_eq!(turn(check, by(Color::Black), None), Err(NotJoined::TurnUnknown));
        assert!(matches!(
            turn(check, None, Some(Color::White)),
            Err(NotJoined::NoPosition(_))
        ));
        assert_eq!(
            turn("3k4/8/8/8/8/8/4R3/3K4", None, Some(Color::Black)),
            Ok((Color::Black, TurnBy::Caller))
        );
    }

    #[test]
    fn rights_and_captures_in_passing_follow_from_the_last_move() {
        let king = board("4k3/8/8/8/8/8/8/R3K2R");
        let moved = |board: &Board, from, to| moved(board, from, to).unwrap();
        assert_eq!(
            moved(&king, Square::D1, Square::E1).rights_lost(&king),
            Bitboard::from(Rank::First)
        );
        let rook = moved(&king, Square::H3, Square::H1);
        assert!(rook.rights_lost(&king).contains(Square::H1));
        assert!(!rook.rights_lost(&king).contains(Square::A1));
        let pawns = board("4k3/8/8/8/3Pp3/8/8/4K3");
        assert_eq!(moved(&pawns, Square::D2, Square::D4).passed(&pawns), Some(Square::D3));
        assert_eq!(moved(&pawns, Square::D3, Square::D4).passed(&pawns), None);
        assert!(may_be_taken_in_passing(&pawns, Color::Black));
        assert!(!may_be_taken_in_passing(
            &board("4k3/8/8/8/3Pp3/3N4/8/4K3"),
            Color::Black
        ));
        assert!(!may_be_taken_in_passing(&pawns, Color::White));
    }
}
