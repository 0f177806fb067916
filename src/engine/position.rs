//! A legal position, and what a move makes of it.

use super::castling::Castle;
use super::mv::MoveKind;
use super::setup::Setup;
use super::{Bitboard, Board, CastlingRights, Color, Move, Piece, Role, Square, attacks, zobrist};

/// A position from which a game can go on: one king each, the side that just moved not in check, castling rights only
/// with king and rook at home, en passant only where a legal capture exists.
///
/// [`from_fen`](Position::from_fen) and [`PackedPosition::unpack`](super::PackedPosition::unpack) are the only ways in
/// from outside, through the same checks; moves lead from one to the next by copying ("copy-make"), so nothing has to
/// be taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    board: Board,
    turn: Color,
    castling: CastlingRights,
    en_passant: Option<Square>,
    halfmove_clock: u16,
    fullmove_number: u16,
    /// Pieces that give check to the side to move.
    checkers: Bitboard,
    /// Pieces of the side to move that shield its king from a slider.
    pinned: Bitboard,
}

impl Position {
    /// The start position.
    pub fn start() -> Position {
        const BACK_RANK: [Role; 8] = [
            Role::Rook,
            Role::Knight,
            Role::Bishop,
            Role::Queen,
            Role::King,
            Role::Bishop,
            Role::Knight,
            Role::Rook,
        ];
        let mut board = Board::EMPTY;
        for color in Color::ALL {
            for (file, role) in (0..).zip(BACK_RANK) {
                board.put(Piece { color, role }, Square::at(file, 0).seen_by(color));
                board.put(
                    Piece {
                        color,
                        role: Role::Pawn,
                    },
                    Square::at(file, 1).seen_by(color),
                );
            }
        }
        let castling = CastlingRights::LETTERS
            .iter()
            .fold(CastlingRights::NONE, |rights, &(_, color, wing)| {
                rights.with(color, wing)
            });
        Position::from_checked(Setup {
            board,
            turn: Color::White,
            castling,
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        })
    }

    /// What was found legal becomes a position.
    pub(super) fn from_checked(setup: Setup) -> Position {
        let mut position = Position {
            board: setup.board,
            turn: setup.turn,
            castling: setup.castling,
            en_passant: None,
            halfmove_clock: setup.halfmove_clock,
            fullmove_number: setup.fullmove_number,
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
        };
        position.look_at_king(setup.turn);
        position.en_passant = setup
            .en_passant
            .filter(|&square| position.en_passant_takers(square).any());
        position
    }

    /// Where the pieces stand.
    #[inline(always)]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Whose turn it is.
    #[inline(always)]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// Which castlings are still allowed.
    #[inline(always)]
    pub fn castling(&self) -> CastlingRights {
        self.castling
    }

    /// The square a pawn has just passed over, if it can legally be taken there.
    #[inline(always)]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Half-moves since a pawn moved or something was taken; at 100 the game is drawn.
    #[inline(always)]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the move to come, as on a score sheet.
    #[inline(always)]
    pub fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// Where a side's king stands.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        // There is always exactly one.
        Square::from_index(self.board.pieces(color, Role::King).0.trailing_zeros() as usize)
    }

    /// Pieces that give check to the side to move.
    #[inline(always)]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline(always)]
    pub fn in_check(&self) -> bool {
        self.checkers.any()
    }

    #[inline(always)]
    pub(super) fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// The Zobrist key of everything that makes positions equal: placement, turn, castling rights, en passant.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        let turn = match self.turn {
            Color::White => 0,
            Color::Black => zobrist::black_to_move(),
        };
        self.board.key() ^ zobrist::castling(self.castling) ^ self.en_passant.map_or(0, zobrist::en_passant) ^ turn
    }

    /// The key after a move, for what can do with a guess: right unless the move castles, promotes, takes or allows a
    /// right away, or takes in passing.
    #[inline(always)]
    pub(super) fn likely_key_after(&self, mv: Move) -> u64 {
        let (us, from, to) = (self.turn, mv.from(), mv.to());
        let moved = |role| zobrist::piece(us, role, from) ^ zobrist::piece(us, role, to);
        let taken = |role| zobrist::piece(!us, role, to);
        let board = &self.board;
        self.key()
            ^ zobrist::black_to_move()
            ^ self.en_passant.map_or(0, zobrist::en_passant)
            ^ board.role_at(from).map_or(0, moved)
            ^ board.role_at(to).map_or(0, taken)
    }

    /// What a move takes, an en passant pawn included.
    #[inline]
    pub fn captured(&self, mv: Move) -> Option<Role> {
        match mv.kind() {
            MoveKind::EnPassant => Some(Role::Pawn),
            _ if mv.is_capture() => self.board.role_at(mv.to()),
            _ => None,
        }
    }

    /// Whether the piece that moves then checks the other king itself; discovered checks do not count.
    #[inline]
    pub(super) fn gives_direct_check(&self, mv: Move) -> bool {
        let king = Bitboard::of(self.king(!self.turn));
        let occupied = self.board.occupied() ^ Bitboard::of(mv.from());
        match mv.promotion().map(|to| to.role()).or(self.board.role_at(mv.from())) {
            Some(Role::Pawn) => attacks::pawn(self.turn, mv.to()).intersects(king),
            Some(role) => attacks::piece(role, mv.to(), occupied).intersects(king),
            None => false,
        }
    }

    /// Whether neither side could mate by any play: bare kings, one knight or bishop more, or only bishops that all
    /// stand on squares of one colour.
    pub fn has_insufficient_material(&self) -> bool {
        let board = &self.board;
        if (board.role(Role::Pawn) | board.straight_sliders()).any() {
            return false;
        }
        let (knights, bishops) = (board.role(Role::Knight), board.role(Role::Bishop));
        if knights.any() {
            return bishops.is_empty() && !knights.many();
        }
        (bishops & Bitboard::DARK).is_empty() || (bishops & !Bitboard::DARK).is_empty()
    }

    /// The position after a move that is legal here.
    #[inline]
    pub fn play(&self, mv: Move) -> Position {
        let mut next = *self;
        next.make(mv);
        next
    }

    /// Becomes the position after a move that is legal here. Spares a copy where [`play`](Self::play)'s result would be
    /// moved once more.
    #[inline(always)]
    pub(super) fn make(&mut self, mv: Move) {
        // With the side known, the compiler makes shifts and constants of what would be decisions at each step.
        match self.turn {
            Color::White => self.make_for(Color::White, mv),
            Color::Black => self.make_for(Color::Black, mv),
        }
        #[cfg(debug_assertions)]
        self.check_validity();
    }

    /// The position after passing the turn; only when not in check.
    #[inline]
    pub(super) fn play_null(&self) -> Position {
        debug_assert!(!self.in_check(), "a side in check cannot pass");
        let mut next = *self;
        next.halfmove_clock = next.halfmove_clock.saturating_add(1);
        next.pass_turn(self.turn);
        #[cfg(debug_assertions)]
        next.check_validity();
        next
    }

    #[inline(always)]
    fn make_for(&mut self, us: Color, mv: Move) {
        let (from, to, kind) = (mv.from(), mv.to(), mv.kind());
        let Some(role) = self.board.role_at(from) else {
            debug_assert!(false, "{mv:?} moves nothing");
            return;
        };
        if mv.is_capture() {
            self.take_captured(us, to, kind);
        }
        self.halfmove_clock = if role == Role::Pawn || mv.is_capture() {
            0
        } else {
            self.halfmove_clock.saturating_add(1)
        };
        self.board.take(Piece { color: us, role }, from);
        let role = mv.promotion().map_or(role, |promotion| promotion.role());
        self.board.put(Piece { color: us, role }, to);
        if let MoveKind::Castle(wing) = kind {
            let (castle, rook) = (
                Castle::of(us, wing),
                Piece {
                    color: us,
                    role: Role::Rook,
                },
            );
            self.board.take(rook, castle.rook_from);
            self.board.put(rook, castle.rook_to);
        }
        self.castling = self.castling.after_touching(from).after_touching(to);
        self.pass_turn(us);
        if kind == MoveKind::DoublePush {
            let passed = to.forward(!us);
            self.en_passant = Some(passed).filter(|&square| self.en_passant_takers(square).any());
        }
    }

    #[inline(always)]
    fn take_captured(&mut self, us: Color, to: Square, kind: MoveKind) {
        let (square, role) = match kind {
            MoveKind::EnPassant => (to.forward(!us), Some(Role::Pawn)),
            _ => (to, self.board.role_at(to)),
        };
        debug_assert!(role.is_some_and(|role| role != Role::King), "took nothing, or a king");
        if let Some(role) = role {
            self.board.take(Piece { color: !us, role }, square);
        }
    }

    #[inline(always)]
    fn pass_turn(&mut self, us: Color) {
        self.fullmove_number = self.fullmove_number.saturating_add(us as u16);
        self.turn = !us;
        self.en_passant = None;
        self.look_at_king(!us);
    }

    /// Finds out who checks the side to move and what shields its king.
    #[inline(always)]
    fn look_at_king(&mut self, us: Color) {
        let board = &self.board;
        let king = self.king(us);
        let (theirs, occupied) = (board.color(!us), board.occupied());
        let mut checkers =
            attacks::pawn(us, king) & board.role(Role::Pawn) | attacks::knight(king) & board.role(Role::Knight);
        checkers &= theirs;
        let mut pinned = Bitboard::EMPTY;
        // Sliders that would give check on an empty board.
        let snipers = theirs
            & (attacks::bishop_rays(king) & board.diagonal_sliders()
                | attacks::rook_rays(king) & board.straight_sliders());
        for sniper in snipers {
            let shield = attacks::between(king, sniper) & occupied;
            if shield.is_empty() {
                checkers |= Bitboard::of(sniper);
            } else if !shield.many() {
                pinned |= shield;
            }
        }
        self.checkers = checkers;
        self.pinned = pinned & board.color(us);
    }

    /// Panics when what is kept from move to move is not what it would be if looked at anew.
    #[cfg(debug_assertions)]
    pub(super) fn check_validity(&self) {
        self.board.check_validity();
        let setup = Setup {
            board: self.board,
            turn: self.turn,
            castling: self.castling,
            en_passant: self.en_passant,
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
        };
        let reasons = setup.reasons();
        assert!(
            reasons.is_empty(),
            "a move led to a position that cannot be: {reasons:?}"
        );
        let mut again = *self;
        again.look_at_king(self.turn);
        assert_eq!(
            (self.checkers, self.pinned),
            (again.checkers, again.pinned),
            "who checks and what shields the king"
        );
        let taken = self
            .en_passant
            .is_none_or(|square| self.en_passant_takers(square).any());
        assert!(taken, "nothing takes en passant");
    }

    /// Pawns of the side to move that may legally take a pawn that has just passed over `square`.
    pub(super) fn en_passant_takers(&self, square: Square) -> Bitboard {
        let us = self.turn;
        let taken = Bitboard::of(square.forward(!us));
        let candidates = attacks::pawn(!us, square) & self.board.pieces(us, Role::Pawn);
        let mut takers = Bitboard::EMPTY;
        for from in candidates {
            // Two pawns leave their squares at once: see what then attacks the king.
            let occupied = (self.board.occupied() ^ Bitboard::of(from) ^ taken) | Bitboard::of(square);
            let attackers = self.board.attackers(self.king(us), occupied) & self.board.color(!us) & !taken;
            if attackers.is_empty() {
                takers |= Bitboard::of(from);
            }
        }
        takers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likely_key_is_right_where_a_move_changes_no_right() {
        // Officers move and take; no side may castle, no pawn promotes or passes.
        let position =
            Position::from_fen("r1bq1rk1/2p1bppp/p1np1n2/1p2p3/3PP3/1BP2N2/PP3PPP/RNBQR1K1 b - - 0 9").unwrap();
        for mv in position.legal_moves() {
            let next = position.play(mv);
            assert_eq!(
                position.likely_key_after(mv) == next.key(),
                next.en_passant.is_none(),
                "{mv}"
            );
            for reply in next.legal_moves() {
                let after = next.play(reply);
                assert_eq!(
                    next.likely_key_after(reply) == after.key(),
                    after.en_passant.is_none(),
                    "{mv} {reply}"
                );
            }
        }
    }
}
