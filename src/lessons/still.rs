//! The board on which one side moves and the other stands still.

use shakmaty::uci::UciMove;
use shakmaty::{Bitboard, Board, Color, Move, Piece, Rank, Role, Setup, Square, attacks};

/// A board on which only one side moves: the learner walks and captures, the other side's men stand where they are.
///
/// Kings may be missing: a side without a king cannot be in check. A king that is there may not be left where the other
/// side's men attack it. A pawn may take en passant where the lesson's FEN says so, on the first move. There is no
/// castling, which belongs to a game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Still {
    board: Board,
    mover: Color,
    en_passant: Option<Square>,
}

impl Still {
    /// The board of a FEN; the side to move is the side that moves.
    pub fn new(setup: &Setup) -> Still {
        Still {
            board: setup.board.clone(),
            mover: setup.turn,
            en_passant: setup.ep_square,
        }
    }

    /// What stands on the squares.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The side that moves.
    pub fn mover(&self) -> Color {
        self.mover
    }

    /// Whether the other side could take what stands on this square.
    pub fn is_attacked(&self, square: Square) -> bool {
        let occupied = self.board.occupied();
        self.board.attacks_to(square, !self.mover, occupied).any()
    }

    /// Every move the learner may make.
    pub fn moves(&self) -> Vec<Move> {
        let own = self.board.by_color(self.mover);
        own.into_iter()
            .flat_map(|from| self.moves_from(from))
            .filter(|&played| self.keeps_king(played))
            .collect()
    }

    /// The move that a UCI text names, if it may be made.
    pub fn find(&self, named: UciMove) -> Option<Move> {
        self.moves()
            .into_iter()
            .find(|&played| UciMove::from_standard(played) == named)
    }

    /// The board after one of its [`moves`](Self::moves).
    #[must_use]
    pub fn after(&self, played: Move) -> Still {
        let mut board = self.board.clone();
        if let Some(from) = played.from() {
            board.discard_piece_at(from);
        }
        if let Move::EnPassant { from, to } = played {
            board.discard_piece_at(Square::from_coords(to.file(), from.rank()));
        }
        let role = played.promotion().unwrap_or(played.role());
        board.set_piece_at(played.to(), role.of(self.mover));
        Still {
            board,
            mover: self.mover,
            en_passant: None,
        }
    }

    /// Whether a piece gets from here to there, the king's safety aside.
    pub(super) fn reaches(&self, from: Square, to: Square) -> bool {
        self.moves_from(from).iter().any(|played| played.to() == to)
    }

    fn keeps_king(&self, played: Move) -> bool {
        let after = self.after(played);
        after
            .board
            .king_of(self.mover)
            .is_none_or(|king| !after.is_attacked(king))
    }

    fn moves_from(&self, from: Square) -> Vec<Move> {
        let Some(piece) = self.board.piece_at(from) else {
            return Vec::new();
        };
        if piece.role == Role::Pawn {
            return self.pawn_moves(from, piece);
        }
        let targets = attacks::attacks(from, piece, self.board.occupied()) & !self.board.by_color(self.mover);
        targets
            .into_iter()
            .map(|to| self.normal(piece.role, from, to, None))
            .collect()
    }

    fn pawn_moves(&self, from: Square, pawn: Piece) -> Vec<Move> {
        let ahead = self.mover.fold_wb(8, -8);
        let free = |square: &Square| !self.board.occupied().contains(*square);
        let one = from.offset(ahead).filter(free);
        let two = one
            .filter(|_| from.rank() == self.mover.relative_rank(Rank::Second))
            .and_then(|square| square.offset(ahead))
            .filter(free);
        let attacked = attacks::attacks(from, pawn, self.board.occupied());
        let mut targets = attacked & self.board.by_color(!self.mover);
        targets.extend([one, two].into_iter().flatten());
        let mut moves: Vec<Move> = targets.into_iter().flat_map(|to| self.pawn_move(from, to)).collect();
        if let Some(to) = self.en_passant.filter(|&to| attacked.contains(to) && free(&to)) {
            moves.push(Move::EnPassant { from, to });
        }
        moves
    }

    fn pawn_move(&self, from: Square, to: Square) -> Vec<Move> {
        let last = Bitboard::from_rank(self.mover.relative_rank(Rank::Eighth));
        let promotions: &[Option<Role>] = match last.contains(to) {
            true => &[
                Some(Role::Queen),
                Some(Role::Rook),
                Some(Role::Bishop),
                Some(Role::Knight),
            ],
            false => &[None],
        };
        promotions
            .iter()
            .map(|&promotion| self.normal(Role::Pawn, from, to, promotion))
            .collect()
    }

    fn normal(&self, role: Role, from: Square, to: Square, promotion: Option<Role>) -> Move {
        Move::Normal {
            role,
            from,
            capture: self.board.role_at(to),
            to,
            promotion,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::fen::Fen;
    use shakmaty::{CastlingMode, Chess, Position};
    use std::collections::BTreeSet;

    fn still(fen: &str) -> Still {
        Still::new(&fen.parse::<Fen>().unwrap().into_setup())
    }

    fn names(moves: impl IntoIterator<Item = Move>) -> BTreeSet<String> {
        moves.into_iter().map(torres_chess::uci).collect()
    }

    #[test]
    fn with_both_kings_its_moves_are_those_of_chess_without_castling() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1",
            "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1",
            "8/8/8/8/k2Pp2Q/8/8/4K3 b - d3 0 1",
            "4k3/4r3/8/8/8/8/4B3/4K3 w - - 0 1",
        ] {
            let chess: Chess = fen
                .parse::<Fen>()
                .unwrap()
                .into_position(CastlingMode::Standard)
                .unwrap();
            let games = chess.legal_moves().into_iter().filter(|played| !played.is_castle());
            assert_eq!(names(still(fen).moves()), names(games), "{fen}");
            for played in still(fen).moves() {
                let mut later = chess.clone();
                later.play_unchecked(played);
                assert_eq!(still(fen).after(played).board(), later.board(), "{fen} {played:?}");
            }
        }
    }

    #[test]
    fn kings_may_be_missing() {
        assert_eq!(still("8/8/8/8/4R3/8/8/8 w - - 0 1").moves().len(), 14);
        assert_eq!(still("8/8/8/8/8/8/8/8 w - - 0 1").moves().len(), 0);
        let alone = still("8/8/8/8/4r3/8/8/3K4 w - - 0 1");
        let safe = ["d1c1", "d1c2", "d1d2"].map(String::from);
        assert_eq!(names(alone.moves()), BTreeSet::from(safe));
        assert!(alone.is_attacked(Square::E1) && !alone.is_attacked(Square::D2));
    }
}
