//! What a character's search is made of: how it judges positions, in which order it tries moves, what it keeps.

use crate::evaluation::control::Control;
use crate::evaluation::{Evaluation, digits, trade};
use crate::value::{Value, worth};
use torres_engine::{Board, Move, MoveKind, Piece, Position, Role, Square};

/// The parts of an alpha-beta search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    pub(crate) evaluation: Evaluation,
    pub(crate) order: Order,
    pub(crate) iterations: Iterations,
    pub(crate) table: Memory,
    pub(crate) repeats: Repeats,
    /// Whether captures are played on beyond the last ply.
    pub(crate) quiescence: bool,
    /// The deepest iteration, in plies.
    pub(crate) most_depth: u32,
}

/// In which order moves are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// By the square they come from, a1 to h8, then by the one they go to.
    Squares,
    /// Captures of dearer men and promotions first, moves into the reach of a pawn last.
    Dearer,
    /// Captures first, then promotions, then towards the centre.
    Centre,
    /// Captures by the dearest victim, then what has caused cuts.
    History,
    /// By the piece that moves: queen, rook, bishop, knight, pawn, king.
    Pieces,
}

/// How a search deepens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Iterations {
    /// An unfinished iteration is thrown away; none learns from the one before.
    Plain,
    /// Each tries the best move of the one before first; the best move of an unfinished one counts.
    Partial,
    /// Each is a series of searches that only ask whether a guess is too high (MTD(f)).
    Guesses,
}

/// Whether there is a transposition table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Memory {
    None,
    /// Emptied before each iteration; only searches of the same depth are used.
    EachIteration,
    /// Kept from iteration to iteration; deeper searches are used too.
    Kept,
}

/// When a position that was there before is a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repeats {
    /// When it is there for the third time.
    Third,
    /// When it has stood in the game.
    InGame,
}

impl Style {
    /// What all seven styles of thesis 000 share.
    const ALV: Style = Style {
        evaluation: Evaluation::Squares,
        order: Order::Squares,
        iterations: Iterations::Partial,
        table: Memory::None,
        repeats: Repeats::InGame,
        quiescence: false,
        most_depth: 64,
    };
    const MINIMAL: Style = Style {
        evaluation: Evaluation::Control(Control::Minimal),
        ..Style::ALV
    };
    const COMPLEX: Style = Style {
        evaluation: Evaluation::Control(Control::Complex),
        ..Style::ALV
    };
    /// Alv1 to Alv7.
    pub(crate) const ALVS: [Style; 7] = [
        Style {
            iterations: Iterations::Plain,
            repeats: Repeats::Third,
            ..Style::MINIMAL
        },
        Style::MINIMAL,
        Style {
            order: Order::Dearer,
            ..Style::MINIMAL
        },
        Style {
            order: Order::Dearer,
            ..Style::ALV
        },
        Style {
            order: Order::Dearer,
            table: Memory::EachIteration,
            ..Style::ALV
        },
        Style::COMPLEX,
        Style {
            order: Order::Dearer,
            ..Style::COMPLEX
        },
    ];
    /// Thesis 003's program.
    pub(crate) const FOUR_PLIES: Style = Style {
        evaluation: Evaluation::Digits,
        order: Order::Centre,
        iterations: Iterations::Partial,
        table: Memory::None,
        repeats: Repeats::Third,
        quiescence: true,
        most_depth: 4,
    };
    /// Thesis 001's agent, which searches in its own way ([`agent`](crate::agent)).
    pub(crate) const AGENT: Style = Style {
        evaluation: Evaluation::Zones,
        order: Order::Pieces,
        iterations: Iterations::Plain,
        table: Memory::Kept,
        repeats: Repeats::Third,
        quiescence: false,
        most_depth: 64,
    };
    /// Thesis 004's program.
    pub(crate) const GUESSER: Style = Style {
        evaluation: Evaluation::Trade,
        order: Order::History,
        iterations: Iterations::Guesses,
        table: Memory::Kept,
        repeats: Repeats::InGame,
        quiescence: true,
        most_depth: 64,
    };
}

/// How often a move of that side, from one square to another, has caused a cut.
#[derive(Clone, Debug)]
pub(crate) struct History(Vec<[u32; 64]>);

impl History {
    /// Nothing was cut yet.
    pub(crate) fn new() -> History {
        History(vec![[0; 64]; 128])
    }

    fn row(position: &Position, mv: Move) -> usize {
        position.turn() as usize * 64 + mv.from().index()
    }

    /// It caused a cut.
    pub(crate) fn add(&mut self, position: &Position, mv: Move) {
        self.0[History::row(position, mv)][mv.to().index()] += 1;
    }

    fn of(&self, position: &Position, mv: Move) -> u32 {
        self.0[History::row(position, mv)][mv.to().index()]
    }
}

impl Order {
    /// Sorts moves of a position; those that are equal stay as [`Order::Squares`] has them.
    pub(crate) fn sort(self, position: &Position, moves: &mut [Move], first: Option<Move>, history: &History) {
        moves.sort_by_cached_key(|&mv| {
            let score = match self {
                _ if Some(mv) == first => i64::MAX,
                Order::Squares => 0,
                Order::Dearer => i64::from(dearer(position, mv)),
                Order::Centre => i64::from(centre(position, mv)),
                Order::Pieces => pieces(position, mv),
                Order::History => victims(position, mv).unwrap_or_else(|| history.of(position, mv).into()),
            };
            (std::cmp::Reverse(score), mv.from(), mv.to())
        });
    }
}

fn mover(board: &Board, mv: Move) -> Role {
    // Legal moves move something.
    board.role_at(mv.from()).unwrap_or(Role::Pawn)
}

/// Thesis 000's score in centipawns: victim − mover where a dearer man is taken, −mover where a man above a pawn goes
/// to a square that an enemy pawn controls, + queen for a promotion.
fn dearer(position: &Position, mv: Move) -> Value {
    let board = position.board();
    let role = mover(board, mv);
    let own = worth(role);
    let gain = position.captured(mv).map_or(0, |victim| worth(victim) - own).max(0);
    // Enemy pawns that control a square are those that a pawn of ours there would attack.
    let ours = Piece {
        color: position.turn(),
        role: Role::Pawn,
    };
    let reached = ours
        .attacks(mv.to(), board.occupied())
        .intersects(board.pieces(!position.turn(), Role::Pawn));
    let risk = if role != Role::Pawn && reached { own } else { 0 };
    let promotion = mv.promotion().map_or(0, |_| worth(Role::Queen));
    gain - risk + promotion
}

/// Thesis 003's score: captures 1000 + 10·victim − attacker (in pawns), promotions 900, and the whole part of
/// 3 − (|3.5 − row| + |3.5 − column|).
fn centre(position: &Position, mv: Move) -> Value {
    let capture = position.captured(mv).map_or(0, |victim| {
        1000 + 10 * digits::worth(victim) - digits::worth(mover(position.board(), mv))
    });
    let promotion = if mv.promotion().is_some() { 900 } else { 0 };
    capture + promotion + 3 - from_middle_point(mv.to())
}

fn pieces(position: &Position, mv: Move) -> i64 {
    match mover(position.board(), mv) {
        Role::Queen => 5,
        Role::Rook => 4,
        Role::Bishop => 3,
        Role::Knight => 2,
        Role::Pawn => 1,
        Role::King => 0,
    }
}

/// |3.5 − rank| + |3.5 − file|, which is whole: 1 to 7.
fn from_middle_point(square: Square) -> Value {
    let twice = |at: u8| (2 * Value::from(at) - 7).abs();
    (twice(square.rank()) + twice(square.file())) / 2
}

/// Most valuable victim, then least valuable attacker; above all that is quiet.
fn victims(position: &Position, mv: Move) -> Option<i64> {
    let attacker = trade::worth(mover(position.board(), mv));
    match (position.captured(mv), mv.kind()) {
        (Some(victim), _) => Some((1 << 40) + i64::from(10 * trade::worth(victim) - attacker)),
        (None, MoveKind::Promotion(_)) => Some(1 << 39),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first_moves(order: Order, fen: &str, count: usize) -> Vec<String> {
        let position = Position::from_fen(fen).unwrap();
        let mut moves = position.legal_moves();
        order.sort(&position, &mut moves, None, &History::new());
        moves.iter().take(count).map(|mv| mv.to_string()).collect()
    }

    #[test]
    fn unordered_moves_go_by_their_squares() {
        let fen = "4k3/8/8/8/8/8/P7/R3K3 w - - 0 1";
        assert_eq!(first_moves(Order::Squares, fen, 4), ["a1b1", "a1c1", "a1d1", "e1d1"]);
    }

    #[test]
    fn the_agent_moves_its_queen_first_and_its_king_last() {
        let fen = "4k3/8/8/8/8/8/P7/Q2NK3 w - - 0 1";
        let order = first_moves(Order::Pieces, fen, 99);
        let from: Vec<&str> = order.iter().map(|mv| &mv[..2]).collect();
        assert!(from.is_sorted_by_key(|from| ["a1", "d1", "a2", "e1"].iter().position(|square| square == from)));
    }

    #[test]
    fn dearer_victims_come_first_and_squares_of_enemy_pawns_last() {
        // The knight takes a queen (900 − 320) or a rook that a pawn protects (500 − 320 − 320); the pawn takes the
        // rook (500 − 100).
        let fen = "4k3/8/2q1p3/3r4/1N2P3/8/8/4K3 w - - 0 1";
        assert_eq!(first_moves(Order::Dearer, fen, 2), ["b4c6", "e4d5"]);
        let position = Position::from_fen(fen).unwrap();
        let score = |text| dearer(&position, position.parse_uci(text).unwrap());
        assert_eq!(["b4c6", "e4d5", "b4d5", "b4a2"].map(score), [580, 400, -140, 0]);
        let promotes = Position::from_fen("3nk3/2P5/8/8/8/8/8/4K3 w - - 0 1").unwrap();
        let score = |text| dearer(&promotes, promotes.parse_uci(text).unwrap());
        assert_eq!(["c7c8r", "c7d8q"].map(score), [900, 900 + 220]);
    }

    #[test]
    fn four_plies_tries_captures_then_promotions_then_the_centre() {
        let fen = "4k3/2P5/2q5/8/1N6/8/8/4K3 w - - 0 1";
        let position = Position::from_fen(fen).unwrap();
        let score = |text| centre(&position, position.parse_uci(text).unwrap());
        // c6 is |3.5 − 5| + |3.5 − 2| = 3 from the middle, c8 5, d5 1, a2 6.
        assert_eq!(
            ["b4c6", "c7c8q", "b4d5", "b4a2"].map(score),
            [1000 + 90 - 3, 900 - 2, 2, -3]
        );
        assert_eq!(first_moves(Order::Centre, fen, 1), ["b4c6"]);
    }
}
