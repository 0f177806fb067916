//! Thesis 004's evaluation: material by a formula that makes a lead worth more the less is left, and, unless
//! material already decides, position. The thesis gives no weights for position; these are plain ones, within
//! [`MOST_POSITION`] in all.

use super::{difference, sign, to_centre};
use crate::value::{CENTIPAWN, Value};
use torres_engine::{Bitboard, Board, Color, Position, Role, Square, Wing};

/// Beyond this material decides, and position is not looked at (lazy evaluation), in centipawns.
const DECIDED: Value = 600;
/// The most that position counts, in centipawns.
const MOST_POSITION: Value = 150;

/// From White's view; whole centipawns.
pub(super) fn value(position: &Position) -> Value {
    let material = material(position) / CENTIPAWN;
    if material.abs() > DECIDED {
        return material * CENTIPAWN;
    }
    let side = |color| Side::of(position, color).value();
    let position = side(Color::White) - side(Color::Black);
    (material + position.clamp(-MOST_POSITION, MOST_POSITION)) * CENTIPAWN
}

/// In centipawns.
pub(crate) fn worth(role: Role) -> Value {
    match role {
        Role::Pawn => 100,
        Role::Knight => 300,
        Role::Bishop => 325,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King => 0,
    }
}

/// From White's view.
fn material(position: &Position) -> Value {
    let board = position.board();
    let ahead = difference(position, |piece, _| worth(piece.role));
    let all: Value = board
        .occupied()
        .filter_map(|square| board.role_at(square))
        .map(worth)
        .sum();
    let leader = if ahead > 0 { Color::White } else { Color::Black };
    sign(leader) * lead(ahead.abs(), all, board.pieces(leader, Role::Pawn).count())
}

/// min(2400, Δ) + Δ·(12000 − S)·P / (6400·(P + 1)) for the side that is Δ centipawns ahead, with S the sum of all
/// material in centipawns and P that side's pawns.
pub(super) fn lead(ahead: Value, all: Value, pawns: u32) -> Value {
    let [ahead, all, pawns] = [i64::from(ahead), i64::from(all), i64::from(pawns)];
    let grows = ahead * (12_000 - all) * pawns * i64::from(CENTIPAWN) / (6400 * (pawns + 1));
    // At most some 40,000 centipawns.
    (ahead.min(2400) * i64::from(CENTIPAWN) + grows) as Value
}

/// One side's men, as their position is judged.
struct Side<'a> {
    position: &'a Position,
    board: &'a Board,
    color: Color,
    own_pawns: Bitboard,
    enemy_pawns: Bitboard,
    enemy_has_queen: bool,
}

impl Side<'_> {
    fn of(position: &Position, color: Color) -> Side<'_> {
        let board = position.board();
        Side {
            position,
            board,
            color,
            own_pawns: board.pieces(color, Role::Pawn),
            enemy_pawns: board.pieces(!color, Role::Pawn),
            enemy_has_queen: board.pieces(!color, Role::Queen).any(),
        }
    }

    /// Centipawns.
    fn value(&self) -> Value {
        self.king()
            + self.rooks()
            + self.bishops()
            + self.knights()
            + self.development()
            + self.pawns()
            + self.tropism()
    }

    fn men(&self, role: Role) -> Bitboard {
        self.board.pieces(self.color, role)
    }

    /// Safe while the enemy has a queen: a pawn before it on each of three files; after that in the middle.
    fn king(&self) -> Value {
        let king = self.position.king(self.color);
        if !self.enemy_has_queen {
            return -5 * to_centre(king);
        }
        let ahead = Bitboard::of(king).forward(self.color);
        let shield = ahead | ahead.east() | ahead.west();
        let shield = shield | shield.forward(self.color);
        -8 * (3 - (shield & self.own_pawns).count().min(3) as Value)
    }

    /// Lines: open, without own pawns, or closed.
    fn rooks(&self) -> Value {
        self.men(Role::Rook)
            .map(|rook| {
                let file = Bitboard::file(rook.file());
                match (file.intersects(self.own_pawns), file.intersects(self.enemy_pawns)) {
                    (true, _) => -10,
                    (false, true) => 5,
                    (false, false) => 10,
                }
            })
            .sum()
    }

    /// Own pawns on a bishop's colour stand in its way.
    fn bishops(&self) -> Value {
        self.men(Role::Bishop)
            .map(|bishop| {
                let dark = Bitboard::DARK.contains(bishop);
                let same = if dark { Bitboard::DARK } else { !Bitboard::DARK };
                -3 * (self.own_pawns & same).count() as Value
            })
            .sum()
    }

    /// Worse near the edge.
    fn knights(&self) -> Value {
        self.men(Role::Knight)
            .map(|knight| 6 - 4 * to_centre(knight).min(4))
            .sum()
    }

    /// While the enemy has a queen, in full up to move 10, none from move 20 on.
    fn development(&self) -> Value {
        let moves = Value::from(self.position.fullmove_number());
        let fresh = (20 - moves).clamp(0, 10);
        if !self.enemy_has_queen || fresh == 0 {
            return 0;
        }
        let home = Bitboard::relative_rank(0, self.color);
        let centre = Bitboard::file(3) | Bitboard::file(4);
        let unmoved = self.own_pawns & centre & Bitboard::relative_rank(1, self.color);
        let minors = (self.men(Role::Knight) | self.men(Role::Bishop)) & home;
        let queen_home = Square::at(3, 0).seen_by(self.color);
        let early_queen = minors.many() && (self.men(Role::Queen) & !Bitboard::of(queen_home)).any();
        let sum = -12 * unmoved.count() as Value - 10 * minors.count() as Value - 20 * Value::from(early_queen)
            + self.castled();
        sum * fresh / 10
    }

    /// Castled, or still allowed to.
    fn castled(&self) -> Value {
        let king = self.position.king(self.color);
        if king.relative_rank(self.color) == 0 && !(3..=5).contains(&king.file()) {
            return 40;
        }
        let may = [Wing::King, Wing::Queen].map(|wing| self.position.castling().has(self.color, wing));
        if may.contains(&true) { 10 } else { 0 }
    }

    fn pawns(&self) -> Value {
        let pawns = self.own_pawns;
        let ahead = pawns.forward(self.color).fill_forward(self.color);
        let doubled = (pawns & ahead).count() as Value;
        let rammed = (pawns.forward(self.color) & self.enemy_pawns).count() as Value;
        let mut sum = -10 * doubled - 3 * rammed;
        if pawns.count() == 8 {
            sum -= 10;
        }
        for pawn in pawns {
            let file = Bitboard::file(pawn.file());
            if !(file.east() | file.west()).intersects(pawns) {
                sum -= 10;
            }
            let path = Bitboard::of(pawn).forward(self.color).fill_forward(self.color);
            if !(path | path.east() | path.west()).intersects(self.enemy_pawns) {
                let advanced = Value::from(pawn.relative_rank(self.color)) - 1;
                sum += 10 + 6 * advanced;
                let behind = Bitboard::of(pawn).forward(!self.color).fill_forward(!self.color);
                if behind.intersects(self.men(Role::Rook)) {
                    sum += 10;
                }
            }
        }
        sum
    }

    /// Men near the enemy king.
    fn tropism(&self) -> Value {
        let king = self.position.king(!self.color);
        let near = |role, weight: Value| -> Value {
            self.men(role)
                .map(|square| {
                    let files = square.file().abs_diff(king.file());
                    let ranks = square.rank().abs_diff(king.rank());
                    weight * (7 - Value::from(files.max(ranks)))
                })
                .sum()
        };
        near(Role::Queen, 2) + near(Role::Rook, 1) + near(Role::Knight, 1)
    }
}
