//! Static exchange evaluation: what a capture and all recaptures on its square win or lose.

use super::mv::MoveKind;
use super::value::Value;
use super::{Bitboard, Move, Position, Role, attacks};

/// Centipawns by role, for exchanges and for ordering captures.
pub(super) fn role_value(role: Role) -> Value {
    match role {
        Role::Pawn => 100,
        Role::Knight => 320,
        Role::Bishop => 330,
        Role::Rook => 500,
        Role::Queen => 950,
        Role::King => 20_000,
    }
}

impl Position {
    /// Whether the exchange that a move begins is worth at least `threshold` centipawns to the mover, when each side
    /// recaptures with its least valuable piece and stops when that is better. Pins are not looked at.
    pub fn exchange_wins(&self, mv: Move, threshold: Value) -> bool {
        if matches!(mv.kind(), MoveKind::Castle(_)) {
            return threshold <= 0;
        }
        let (from, to) = (mv.from(), mv.to());
        let Some(mover) = self.board().role_at(from) else {
            return false;
        };
        let becomes = mv.promotion().map_or(mover, |promotion| promotion.role());
        let promoted = if becomes == mover {
            0
        } else {
            role_value(becomes) - role_value(Role::Pawn)
        };

        // What the side that just moved is ahead of its threshold.
        let mut balance = self.captured(mv).map_or(0, role_value) + promoted - threshold;
        if balance < 0 {
            return false;
        }
        // Even if the piece is lost for nothing, that may do.
        balance -= role_value(becomes);
        if balance >= 0 {
            return true;
        }

        let board = self.board();
        let mut occupied = (board.occupied() ^ Bitboard::of(from)) | Bitboard::of(to);
        if mv.kind() == MoveKind::EnPassant {
            occupied ^= Bitboard::of(to.forward(!self.turn()));
        }
        let mut attackers = board.attackers(to, occupied) & occupied;
        let mut side = !self.turn();
        loop {
            let ours = attackers & board.color(side);
            let Some((role, square)) = Role::ALL
                .iter()
                .find_map(|&role| Some((role, (ours & board.role(role)).first()?)))
            else {
                break;
            };
            // A king cannot take what is protected.
            if role == Role::King && attackers.intersects(board.color(!side)) {
                break;
            }
            occupied ^= Bitboard::of(square);
            attackers = (attackers | behind(self, role, to, occupied)) & occupied;
            side = !side;
            // The balance from the view of the side that has just taken: it has won what stood there and may lose
            // `role`.
            balance = -balance - 1 - role_value(role);
            if balance >= 0 {
                break;
            }
        }
        // The side to move when nobody takes any more has lost the exchange.
        side != self.turn()
    }
}

/// Sliders that attack the square through one that has just left.
fn behind(position: &Position, left: Role, to: super::Square, occupied: Bitboard) -> Bitboard {
    let board = position.board();
    let mut attackers = Bitboard::EMPTY;
    if matches!(left, Role::Pawn | Role::Bishop | Role::Queen) {
        attackers |= attacks::bishop(to, occupied) & board.diagonal_sliders();
    }
    if matches!(left, Role::Rook | Role::Queen) {
        attackers |= attacks::rook(to, occupied) & board.straight_sliders();
    }
    attackers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exchanges_are_worth_what_they_win() {
        // FEN, move, value by hand.
        for (fen, text, value) in [
            ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100),
            ("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100 - 500),
            ("4k3/8/4p3/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100 - 500 + 100),
            ("3rk3/8/4p3/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100 - 500),
            ("4k3/8/8/3n4/4P3/8/8/4K3 w - - 0 1", "e4d5", 320),
            ("4k3/8/4p3/3n4/4P3/8/8/4K3 w - - 0 1", "e4d5", 320 - 100),
            // En passant, recaptured.
            ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0),
            // A promotion that is taken, and one that is not.
            ("3nk3/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7d8q", 320 + 850 - 950),
            ("4k3/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7c8q", 850),
            // A quiet move onto an attacked square.
            ("4k3/8/2p5/8/8/8/8/3RK3 w - - 0 1", "d1d5", -500),
            // A rook behind the one that takes back.
            ("3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100 - 500),
            // The king may not take back into the rook behind.
            ("8/8/3k4/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100),
        ] {
            let position = Position::from_fen(fen).unwrap();
            let mv = position.parse_uci(text).unwrap();
            assert!(position.exchange_wins(mv, value), "{fen} {text} is worth {value}");
            assert!(
                !position.exchange_wins(mv, value + 1),
                "{fen} {text} is worth no more than {value}"
            );
        }
    }
}
