//! Legal moves, each generated legal from the start: a check mask and pins leave nothing to try out.
//!
//! Moves come as one piece's square and the set of its targets, pawns' as the set of targets of one kind of step, so
//! that counting them needs no list ([`MoveSink`]).

use super::castling::{Castle, Wing};
use super::mv::{MoveKind, Promotion};
use super::{Bitboard, Color, Move, Position, Role, Square, attacks};

/// How a pawn moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PawnStep {
    /// One square forward.
    Single,
    /// Two squares forward.
    Double,
    /// Takes towards the h-file.
    TakeEast,
    /// Takes towards the a-file.
    TakeWest,
}

impl PawnStep {
    /// Where the pawn came from.
    #[inline(always)]
    fn from(self, to: Square, us: Color) -> Square {
        let one = to.forward(!us);
        match self {
            PawnStep::Single => one,
            PawnStep::Double => one.forward(!us),
            PawnStep::TakeEast => one.west(),
            PawnStep::TakeWest => one.east(),
        }
    }
}

/// Takes the legal moves of a position, set by set.
pub(super) trait MoveSink {
    /// Moves of the piece (no pawn) on `from` to each of `targets`.
    fn piece(&mut self, from: Square, targets: Bitboard);
    /// Pawns' moves to each of `targets`; en passant is not among them. On the last rank they promote.
    fn pawns(&mut self, step: PawnStep, targets: Bitboard);
    /// One move: castling or en passant.
    fn single(&mut self, from: Square, to: Square, kind: MoveKind);
}

/// Counts moves.
struct Counter(u64);

impl MoveSink for Counter {
    #[inline(always)]
    fn piece(&mut self, _from: Square, targets: Bitboard) {
        self.0 += u64::from(targets.count());
    }

    #[inline(always)]
    fn pawns(&mut self, _step: PawnStep, targets: Bitboard) {
        self.0 += u64::from(targets.count());
        // Looked at first since few positions have promotions, and counting bits costs more on some machines.
        let promoting = targets & Bitboard::BACK_RANKS;
        if promoting.any() {
            self.0 += 3 * u64::from(promoting.count());
        }
    }

    #[inline(always)]
    fn single(&mut self, _from: Square, _to: Square, _kind: MoveKind) {
        self.0 += 1;
    }
}

/// Makes moves of the sets and hands them on one by one.
struct EachMove<F> {
    us: Color,
    theirs: Bitboard,
    sink: F,
}

impl<F: FnMut(Move)> MoveSink for EachMove<F> {
    #[inline(always)]
    fn piece(&mut self, from: Square, targets: Bitboard) {
        for to in targets & self.theirs {
            (self.sink)(Move::new(from, to, MoveKind::Capture));
        }
        for to in targets & !self.theirs {
            (self.sink)(Move::new(from, to, MoveKind::Quiet));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, step: PawnStep, targets: Bitboard) {
        let takes = matches!(step, PawnStep::TakeEast | PawnStep::TakeWest);
        let kind = match step {
            PawnStep::Single => MoveKind::Quiet,
            PawnStep::Double => MoveKind::DoublePush,
            PawnStep::TakeEast | PawnStep::TakeWest => MoveKind::Capture,
        };
        for to in targets & !Bitboard::BACK_RANKS {
            (self.sink)(Move::new(step.from(to, self.us), to, kind));
        }
        if step == PawnStep::Double {
            return;
        }
        for to in targets & Bitboard::BACK_RANKS {
            for promotion in Promotion::ALL {
                let kind = if takes {
                    MoveKind::CapturePromotion(promotion)
                } else {
                    MoveKind::Promotion(promotion)
                };
                (self.sink)(Move::new(step.from(to, self.us), to, kind));
            }
        }
    }

    #[inline(always)]
    fn single(&mut self, from: Square, to: Square, kind: MoveKind) {
        (self.sink)(Move::new(from, to, kind));
    }
}

/// Which moves are wanted: each piece only to these squares.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    pieces: Bitboard,
    pushes: Bitboard,
    pawn_captures: bool,
    castling: bool,
}

impl Wanted {
    /// Every kind of move.
    pub(super) const ALL: Wanted = Wanted {
        pieces: Bitboard::FULL,
        pushes: Bitboard::FULL,
        pawn_captures: true,
        castling: true,
    };

    /// Captures and promotions.
    #[inline(always)]
    pub(super) fn noisy(position: &Position) -> Wanted {
        Wanted {
            pieces: position.board().color(!position.turn()),
            pushes: Bitboard::BACK_RANKS,
            pawn_captures: true,
            castling: false,
        }
    }

    /// All that are neither captures nor promotions.
    #[inline(always)]
    pub(super) fn quiet(position: &Position) -> Wanted {
        Wanted {
            pieces: !position.board().occupied(),
            pushes: !Bitboard::BACK_RANKS,
            pawn_captures: false,
            castling: true,
        }
    }
}

impl Position {
    /// All legal moves, each once, in no order that is promised.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(64);
        self.for_each_move(Wanted::ALL, |mv| moves.push(mv));
        moves
    }

    /// How many legal moves there are.
    pub fn count_legal_moves(&self) -> u64 {
        let mut counter = Counter(0);
        self.generate(Wanted::ALL, &mut counter);
        counter.0
    }

    /// Whether there is a legal move at all.
    pub(super) fn has_legal_move(&self) -> bool {
        self.count_legal_moves() > 0
    }

    /// Calls `sink` with each legal move of those wanted.
    #[inline(always)]
    pub(super) fn for_each_move(&self, wanted: Wanted, sink: impl FnMut(Move)) {
        self.generate(
            wanted,
            &mut EachMove {
                us: self.turn(),
                theirs: self.board().color(!self.turn()),
                sink,
            },
        );
    }

    /// Gives `sink` all legal moves of those wanted.
    #[inline(always)]
    pub(super) fn generate(&self, wanted: Wanted, sink: &mut impl MoveSink) {
        // With the side known, the compiler makes shifts of what would be decisions at each step.
        match self.turn() {
            Color::White => self.generate_for(Color::White, wanted, sink),
            Color::Black => self.generate_for(Color::Black, wanted, sink),
        }
    }

    #[inline(always)]
    fn generate_for(&self, us: Color, wanted: Wanted, sink: &mut impl MoveSink) {
        let checkers = self.checkers();
        if checkers.is_empty() {
            self.generate_pawns(us, Bitboard::FULL, wanted, sink);
            self.generate_officers(us, Bitboard::FULL, wanted, sink);
            if wanted.castling {
                self.generate_castling(us, sink);
            }
        } else if !checkers.many() {
            let resolving = self.check_mask();
            self.generate_pawns(us, resolving, wanted, sink);
            self.generate_officers(us, resolving, wanted, sink);
        }
        let king = self.king(us);
        let targets = self.king_steps(us, king, wanted.pieces);
        if targets.any() {
            sink.piece(king, targets);
        }
    }

    /// Knights, bishops, rooks and queens.
    #[inline(always)]
    fn generate_officers(&self, us: Color, resolving: Bitboard, wanted: Wanted, sink: &mut impl MoveSink) {
        let (board, pinned) = (self.board(), self.pinned());
        let (ours, occupied) = (board.color(us), board.occupied());
        let allowed = resolving & wanted.pieces & !ours;
        let mut give = |from, targets: Bitboard| {
            if targets.any() {
                sink.piece(from, targets);
            }
        };
        for from in board.role(Role::Knight) & ours & !pinned {
            give(from, attacks::knight(from) & allowed);
        }
        let diagonal = board.diagonal_sliders() & ours;
        for from in diagonal & !pinned {
            give(from, attacks::bishop(from, occupied) & allowed);
        }
        let straight = board.straight_sliders() & ours;
        for from in straight & !pinned {
            give(from, attacks::rook(from, occupied) & allowed);
        }
        // What is pinned stays on the line to its king; in check it cannot help.
        let king = self.king(us);
        for from in diagonal & pinned {
            give(
                from,
                attacks::bishop(from, occupied) & allowed & attacks::line(king, from),
            );
        }
        for from in straight & pinned {
            give(
                from,
                attacks::rook(from, occupied) & allowed & attacks::line(king, from),
            );
        }
    }

    /// All pawns at once: a pinned one may push on its king's file, and take on the diagonal of its direction.
    #[inline(always)]
    fn generate_pawns(&self, us: Color, resolving: Bitboard, wanted: Wanted, sink: &mut impl MoveSink) {
        let (board, pinned) = (self.board(), self.pinned());
        let (pawns, empty, theirs) = (board.pieces(us, Role::Pawn), !board.occupied(), board.color(!us));
        let king = self.king(us);

        let pushers = pawns & (!pinned | Bitboard::file(king.file()));
        let single = pushers.forward(us) & empty;
        let double = (single & Bitboard::relative_rank(2, us)).forward(us) & empty;
        let allowed = resolving & wanted.pushes;
        give_pawns(sink, PawnStep::Single, single & allowed);
        give_pawns(sink, PawnStep::Double, double & allowed);
        if !wanted.pawn_captures {
            return;
        }

        // Towards the h-file White's pawns rise and Black's fall.
        let (east_line, west_line) = match us {
            Color::White => (attacks::rising_diagonal(king), attacks::falling_diagonal(king)),
            Color::Black => (attacks::falling_diagonal(king), attacks::rising_diagonal(king)),
        };
        let east = (pawns & (!pinned | east_line)).forward(us).east();
        let west = (pawns & (!pinned | west_line)).forward(us).west();
        give_pawns(sink, PawnStep::TakeEast, east & theirs & resolving);
        give_pawns(sink, PawnStep::TakeWest, west & theirs & resolving);
        if let Some(to) = self.en_passant() {
            for from in self.en_passant_takers(to) {
                sink.single(from, to, MoveKind::EnPassant);
            }
        }
    }

    /// The king's single steps to squares that are not attacked.
    #[inline(always)]
    fn king_steps(&self, us: Color, king: Square, wanted: Bitboard) -> Bitboard {
        let board = self.board();
        let theirs = board.color(!us);
        let guarded = attacks::pawns(!us, theirs & board.role(Role::Pawn)) | attacks::king(self.king(!us));
        let mut safe = attacks::king(king) & wanted & !board.color(us) & !guarded;
        if safe.is_empty() {
            return safe;
        }
        // The king does not shield the squares behind it.
        let occupied = board.occupied() ^ Bitboard::of(king);
        for knight in theirs & board.role(Role::Knight) {
            safe &= !attacks::knight(knight);
        }
        for slider in theirs & board.diagonal_sliders() {
            if attacks::bishop_rays(slider).intersects(safe) {
                safe &= !attacks::bishop(slider, occupied);
            }
        }
        for slider in theirs & board.straight_sliders() {
            if attacks::rook_rays(slider).intersects(safe) {
                safe &= !attacks::rook(slider, occupied);
            }
        }
        safe
    }

    #[inline(always)]
    fn generate_castling(&self, us: Color, sink: &mut impl MoveSink) {
        for wing in [Wing::King, Wing::Queen] {
            if self.castling().has(us, wing) && self.can_castle(us, wing) {
                let castle = Castle::of(us, wing);
                sink.single(castle.king_from, castle.king_to, MoveKind::Castle(wing));
            }
        }
    }

    /// Whether the way is free and the king is not attacked on it; the right to castle and that it is not in check are
    /// looked at before.
    #[inline(always)]
    fn can_castle(&self, us: Color, wing: Wing) -> bool {
        let castle = Castle::of(us, wing);
        let occupied = self.board().occupied();
        !occupied.intersects(castle.empty_squares())
            && castle
                .safe_squares()
                .all(|square| !self.board().is_attacked(square, !us, occupied))
    }

    /// Squares on which a piece other than the king ends a single check: the checker's and those in between.
    #[inline(always)]
    fn check_mask(&self) -> Bitboard {
        match self.checkers().first() {
            Some(checker) => attacks::between(self.king(self.turn()), checker) | Bitboard::of(checker),
            None => Bitboard::FULL,
        }
    }
}

#[inline(always)]
fn give_pawns(sink: &mut impl MoveSink, step: PawnStep, targets: Bitboard) {
    if targets.any() {
        sink.pawns(step, targets);
    }
}

impl Position {
    /// Whether a move from elsewhere (a hash table, a killer slot) is legal here and means the same.
    pub(super) fn is_legal(&self, mv: Move) -> bool {
        let (us, board) = (self.turn(), self.board());
        let (from, to) = (mv.from(), mv.to());
        let Some(role) = board.role_at(from) else {
            return false;
        };
        if !board.color(us).contains(from) || board.color(us).contains(to) {
            return false;
        }
        let takes = board.color(!us).contains(to);
        match mv.kind() {
            MoveKind::Castle(wing) => self.is_legal_castling(mv, role, wing),
            MoveKind::EnPassant => {
                role == Role::Pawn && self.en_passant() == Some(to) && self.en_passant_takers(to).contains(from)
            }
            _ if mv.is_capture() != takes => false,
            MoveKind::DoublePush if role != Role::Pawn => false,
            _ if role == Role::King => mv.promotion().is_none() && self.king_steps(us, from, Bitboard::of(to)).any(),
            kind => {
                let shaped = match role {
                    Role::Pawn => self.is_pawn_step(mv, kind),
                    _ => mv.promotion().is_none() && attacks::piece(role, from, board.occupied()).contains(to),
                };
                shaped
                    && !self.checkers().many()
                    && self.check_mask().contains(to)
                    && (!self.pinned().contains(from) || attacks::line(self.king(us), from).contains(to))
            }
        }
    }

    fn is_legal_castling(&self, mv: Move, role: Role, wing: Wing) -> bool {
        let us = self.turn();
        let castle = Castle::of(us, wing);
        role == Role::King
            && (mv.from(), mv.to()) == (castle.king_from, castle.king_to)
            && self.castling().has(us, wing)
            && !self.in_check()
            && self.can_castle(us, wing)
    }

    /// Whether a pawn may step so, checks and pins apart; that there is something to take is known.
    fn is_pawn_step(&self, mv: Move, kind: MoveKind) -> bool {
        let (us, occupied) = (self.turn(), self.board().occupied());
        let (from, to) = (mv.from(), mv.to());
        if mv.promotion().is_some() != Bitboard::BACK_RANKS.contains(to) {
            return false;
        }
        if mv.is_capture() {
            return attacks::pawn(us, from).contains(to);
        }
        let one = from.forward(us);
        match kind {
            MoveKind::DoublePush => {
                from.relative_rank(us) == 1
                    && to == one.forward(us)
                    && !occupied.contains(one)
                    && !occupied.contains(to)
            }
            _ => to == one && !occupied.contains(to),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::POSITIONS;
    use std::collections::HashSet;

    #[test]
    fn of_all_moves_that_can_be_written_just_the_generated_ones_are_legal() {
        // One with a capture in passing, and one with every kind of promotion.
        let more = ["4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "3r2k1/4P3/8/8/8/8/8/4K3 w - - 0 1"];
        for fen in POSITIONS.iter().chain(&more) {
            let position = Position::from_fen(fen).unwrap();
            let generated: HashSet<Move> = position.legal_moves().into_iter().collect();
            let legal: HashSet<Move> = (0..=u16::MAX)
                .filter_map(Move::from_bits)
                // Two codes are no kind of move.
                .filter(|mv| !matches!(mv.bits() >> 12, 0b0110 | 0b0111))
                .filter(|&mv| position.is_legal(mv))
                .collect();
            assert_eq!(legal, generated, "{fen}");
        }
    }
}
