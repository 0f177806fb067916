//! Legal moves, each generated legal from the start: a check mask and pins leave nothing to try out.

use super::castling::{Castle, Wing};
use super::mv::{MoveKind, Promotion};
use super::{Bitboard, CastlingRights, Color, Move, Position, Role, Square, attacks};

/// One piece and the squares it can legally go to. Counting them needs no list of moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct PieceMoves {
    role: Role,
    from: Square,
    targets: Bitboard,
}

impl PieceMoves {
    /// How many moves they are; a pawn on the last rank makes four.
    #[inline(always)]
    pub(super) fn count(&self) -> u64 {
        let promotions = if self.role == Role::Pawn {
            (self.targets & Bitboard::BACK_RANKS).count()
        } else {
            0
        };
        u64::from(self.targets.count() + 3 * promotions)
    }
}

/// Which moves are wanted: each piece only to these squares.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    pieces: Bitboard,
    pawns: Bitboard,
    en_passant: bool,
    castling: bool,
}

impl Wanted {
    /// All legal moves.
    pub(super) const ALL: Wanted = Wanted {
        pieces: Bitboard::FULL,
        pawns: Bitboard::FULL,
        en_passant: true,
        castling: true,
    };

    /// Captures and promotions.
    #[inline]
    pub(super) fn noisy(position: &Position) -> Wanted {
        let theirs = position.board().color(!position.turn());
        Wanted {
            pieces: theirs,
            pawns: theirs | Bitboard::BACK_RANKS,
            en_passant: true,
            castling: false,
        }
    }

    /// All that are neither captures nor promotions.
    #[inline]
    pub(super) fn quiet(position: &Position) -> Wanted {
        let empty = !position.board().occupied();
        Wanted {
            pieces: empty,
            pawns: empty & !Bitboard::BACK_RANKS,
            en_passant: false,
            castling: true,
        }
    }
}

impl Position {
    /// All legal moves.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(64);
        self.for_each_move(Wanted::ALL, |mv| moves.push(mv));
        moves
    }

    /// How many legal moves there are.
    pub fn count_legal_moves(&self) -> u64 {
        let mut count = 0;
        self.for_each_piece(Wanted::ALL, |moves| count += moves.count());
        count
    }

    /// Whether there is a legal move at all.
    pub(super) fn has_legal_move(&self) -> bool {
        let mut any = false;
        self.for_each_piece(Wanted::ALL, |_| any = true);
        any
    }

    /// Whether a move, from wherever it comes, is legal here and means the same.
    pub(super) fn is_legal(&self, mv: Move) -> bool {
        let Some(role) = self.board().role_at(mv.from()) else {
            return false;
        };
        if !self.board().color(self.turn()).contains(mv.from())
            || !self.legal_targets(role, mv.from()).contains(mv.to())
        {
            return false;
        }
        match mv.promotion() {
            Some(_) => mv.is_capture() == self.board().occupied().contains(mv.to()) && promotes(role, mv.to()),
            None => !promotes(role, mv.to()) && self.kind_of(role, mv.from(), mv.to()) == mv.kind(),
        }
    }

    /// Calls `sink` with each legal move of those wanted.
    #[inline(always)]
    pub(super) fn for_each_move(&self, wanted: Wanted, mut sink: impl FnMut(Move)) {
        self.for_each_piece(wanted, |moves| {
            for to in moves.targets {
                if promotes(moves.role, to) {
                    let takes = self.board().occupied().contains(to);
                    for promotion in Promotion::ALL {
                        let kind = if takes {
                            MoveKind::CapturePromotion(promotion)
                        } else {
                            MoveKind::Promotion(promotion)
                        };
                        sink(Move::new(moves.from, to, kind));
                    }
                } else {
                    sink(Move::new(moves.from, to, self.kind_of(moves.role, moves.from, to)));
                }
            }
        });
    }

    /// Calls `sink` with each piece that has legal moves of those wanted.
    #[inline(always)]
    pub(super) fn for_each_piece(&self, wanted: Wanted, mut sink: impl FnMut(PieceMoves)) {
        let mut give = |role, from, targets: Bitboard| {
            if targets.any() {
                sink(PieceMoves { role, from, targets });
            }
        };
        let (us, board) = (self.turn(), self.board());
        let king = self.king(us);
        let mut king_targets = self.king_steps(king, wanted.pieces);
        if wanted.castling {
            king_targets |= self.castling_targets();
        }
        give(Role::King, king, king_targets);
        if self.checkers().many() {
            return;
        }

        let resolving = self.check_mask();
        let (ours, occupied, pinned) = (board.color(us), board.occupied(), self.pinned());
        let allowed = resolving & wanted.pieces & !ours;
        for from in board.role(Role::Knight) & ours & !pinned {
            give(Role::Knight, from, attacks::knight(from) & allowed);
        }
        for role in [Role::Bishop, Role::Rook, Role::Queen] {
            for from in board.role(role) & ours {
                let targets = attacks::piece(role, from, occupied) & allowed;
                give(
                    role,
                    from,
                    if pinned.contains(from) {
                        targets & attacks::line(king, from)
                    } else {
                        targets
                    },
                );
            }
        }
        let takers = self
            .en_passant()
            .filter(|_| wanted.en_passant)
            .map(|square| (square, self.en_passant_takers(square)));
        for from in board.role(Role::Pawn) & ours {
            let mut targets = self.pawn_steps(from) & resolving & wanted.pawns;
            if pinned.contains(from) {
                targets &= attacks::line(king, from);
            }
            if let Some((square, takers)) = takers
                && takers.contains(from)
            {
                targets |= Bitboard::of(square);
            }
            give(Role::Pawn, from, targets);
        }
    }

    /// Where one piece of the side to move can legally go.
    fn legal_targets(&self, role: Role, from: Square) -> Bitboard {
        let king = self.king(self.turn());
        if role == Role::King {
            return self.king_steps(king, Bitboard::FULL) | self.castling_targets();
        }
        if self.checkers().many() {
            return Bitboard::EMPTY;
        }
        let steps = match role {
            Role::Pawn => self.pawn_steps(from),
            _ => attacks::piece(role, from, self.board().occupied()) & !self.board().color(self.turn()),
        };
        let mut targets = steps & self.check_mask();
        if self.pinned().contains(from) {
            targets &= attacks::line(king, from);
        }
        match self.en_passant() {
            Some(square) if role == Role::Pawn && self.en_passant_takers(square).contains(from) => {
                targets | Bitboard::of(square)
            }
            _ => targets,
        }
    }

    /// Squares on which a piece other than the king ends a single check: the checker's and those in between.
    #[inline(always)]
    fn check_mask(&self) -> Bitboard {
        match self.checkers().first() {
            Some(checker) => attacks::between(self.king(self.turn()), checker) | Bitboard::of(checker),
            None => Bitboard::FULL,
        }
    }

    /// One forward, two from home, and captures; en passant is not among them.
    #[inline(always)]
    fn pawn_steps(&self, from: Square) -> Bitboard {
        let (us, board) = (self.turn(), self.board());
        let empty = !board.occupied();
        let one = Bitboard::of(from).forward(us) & empty;
        let two = one.forward(us) & empty & Bitboard::relative_rank(3, us);
        one | two | attacks::pawn(us, from) & board.color(!us)
    }

    /// The king's single steps to squares that are not attacked.
    #[inline(always)]
    fn king_steps(&self, king: Square, wanted: Bitboard) -> Bitboard {
        let (us, board) = (self.turn(), self.board());
        // The king does not shield the squares behind it.
        let occupied = board.occupied() ^ Bitboard::of(king);
        let mut safe = Bitboard::EMPTY;
        for to in attacks::king(king) & wanted & !board.color(us) {
            if !board.is_attacked(to, !us, occupied) {
                safe |= Bitboard::of(to);
            }
        }
        safe
    }

    #[inline(always)]
    fn castling_targets(&self) -> Bitboard {
        if self.in_check() || self.castling() == CastlingRights::NONE {
            return Bitboard::EMPTY;
        }
        let mut targets = Bitboard::EMPTY;
        for wing in [Wing::King, Wing::Queen] {
            if self.castling().has(self.turn(), wing) && self.can_castle(self.turn(), wing) {
                targets |= Bitboard::of(Castle::of(self.turn(), wing).king_to);
            }
        }
        targets
    }

    fn can_castle(&self, us: Color, wing: Wing) -> bool {
        let castle = Castle::of(us, wing);
        let occupied = self.board().occupied();
        !occupied.intersects(castle.empty_squares())
            && castle
                .safe_squares()
                .all(|square| !self.board().is_attacked(square, !us, occupied))
    }

    /// What kind of move a legal target makes, promotions apart.
    #[inline(always)]
    fn kind_of(&self, role: Role, from: Square, to: Square) -> MoveKind {
        if self.board().occupied().contains(to) {
            return MoveKind::Capture;
        }
        match role {
            Role::Pawn if Some(to) == self.en_passant() && from.file() != to.file() => MoveKind::EnPassant,
            Role::Pawn if from.rank().abs_diff(to.rank()) == 2 => MoveKind::DoublePush,
            Role::King if from.file().abs_diff(to.file()) == 2 => MoveKind::Castle(if to.file() > from.file() {
                Wing::King
            } else {
                Wing::Queen
            }),
            _ => MoveKind::Quiet,
        }
    }
}

#[inline(always)]
fn promotes(role: Role, to: Square) -> bool {
    role == Role::Pawn && Bitboard::BACK_RANKS.contains(to)
}
