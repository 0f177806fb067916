//! A move in 16 bits.

use super::castling::Wing;
use super::{Role, Square};
use std::fmt;
use std::num::NonZeroU16;

/// What kind of move it is. Each names all that making it needs to know beside its two squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveKind {
    /// To an empty square, and nothing special about it.
    Quiet,
    /// A pawn's two squares forward.
    DoublePush,
    /// King and rook.
    Castle(Wing),
    /// Takes what stands on the target square.
    Capture,
    /// A pawn takes the pawn that just passed it.
    EnPassant,
    /// A pawn reaches the last rank on an empty square.
    Promotion(Promotion),
    /// A pawn takes on the last rank.
    CapturePromotion(Promotion),
}

/// What a pawn may become.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Promotion {
    /// A knight.
    Knight,
    /// A bishop.
    Bishop,
    /// A rook.
    Rook,
    /// A queen.
    Queen,
}

impl Promotion {
    /// The queen first, then what a queen cannot do.
    pub const ALL: [Promotion; 4] = [Promotion::Queen, Promotion::Knight, Promotion::Rook, Promotion::Bishop];

    /// The new piece's role.
    #[inline(always)]
    pub const fn role(self) -> Role {
        match self {
            Promotion::Knight => Role::Knight,
            Promotion::Bishop => Role::Bishop,
            Promotion::Rook => Role::Rook,
            Promotion::Queen => Role::Queen,
        }
    }

    const fn from_bits(bits: u16) -> Promotion {
        match bits & 3 {
            0 => Promotion::Knight,
            1 => Promotion::Bishop,
            2 => Promotion::Rook,
            _ => Promotion::Queen,
        }
    }
}

/// A move: six bits from, six bits to, four bits kind. Castling is the king's move (e1g1).
///
/// It means something only in the position it was generated in; another's move must be checked
/// before it is played.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

// The niche is what makes "no move" free in the transposition table.
const _: () = assert!(size_of::<Option<Move>>() == 2);

const CAPTURE_BIT: u16 = 0b0100;
const PROMOTION_BIT: u16 = 0b1000;

impl Move {
    /// A move between two squares.
    #[inline(always)]
    pub(super) const fn new(from: Square, to: Square, kind: MoveKind) -> Move {
        let code = match kind {
            MoveKind::Quiet => 0b0000,
            MoveKind::DoublePush => 0b0001,
            MoveKind::Castle(Wing::King) => 0b0010,
            MoveKind::Castle(Wing::Queen) => 0b0011,
            MoveKind::Capture => CAPTURE_BIT,
            MoveKind::EnPassant => CAPTURE_BIT | 0b0001,
            MoveKind::Promotion(to) => PROMOTION_BIT | to as u16,
            MoveKind::CapturePromotion(to) => PROMOTION_BIT | CAPTURE_BIT | to as u16,
        };
        match NonZeroU16::new(code << 12 | (to.index() as u16) << 6 | from.index() as u16) {
            Some(bits) => Move(bits),
            // Only a quiet move from a1 to a1 has no bits, and no piece moves to where it stands.
            None => panic!("a move from a square to itself"),
        }
    }

    /// As a number that is never 0.
    #[inline(always)]
    pub(super) const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The move that [`bits`](Self::bits) made a number; any other number but 0 is some move too, legal or not.
    #[inline(always)]
    pub(super) fn from_bits(bits: u16) -> Option<Move> {
        NonZeroU16::new(bits).map(Move)
    }

    /// Where the moving piece (the king, when castling) comes from.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::from_index((self.0.get() & 63) as usize)
    }

    /// Where the moving piece (the king, when castling) goes.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::from_index((self.0.get() >> 6 & 63) as usize)
    }

    /// What kind of move it is.
    #[inline(always)]
    pub const fn kind(self) -> MoveKind {
        match self.0.get() >> 12 {
            0b0000 => MoveKind::Quiet,
            0b0001 => MoveKind::DoublePush,
            0b0010 => MoveKind::Castle(Wing::King),
            0b0011 => MoveKind::Castle(Wing::Queen),
            0b0100 => MoveKind::Capture,
            0b0101..=0b0111 => MoveKind::EnPassant,
            code if code & CAPTURE_BIT != 0 => MoveKind::CapturePromotion(Promotion::from_bits(code)),
            code => MoveKind::Promotion(Promotion::from_bits(code)),
        }
    }

    /// Whether something is taken.
    #[inline(always)]
    pub const fn is_capture(self) -> bool {
        self.0.get() >> 12 & CAPTURE_BIT != 0
    }

    /// Whether it neither takes nor promotes.
    #[inline(always)]
    pub const fn is_quiet(self) -> bool {
        self.0.get() >> 12 & (CAPTURE_BIT | PROMOTION_BIT) == 0
    }

    /// What a pawn becomes, if it does.
    #[inline(always)]
    pub const fn promotion(self) -> Option<Promotion> {
        match self.kind() {
            MoveKind::Promotion(to) | MoveKind::CapturePromotion(to) => Some(to),
            _ => None,
        }
    }
}

/// As UCI writes it: `e2e4`, `e7e8q`, `e1g1`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(to) => write!(f, "{}", to.role().to_char()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} ({:?})", self.kind())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_survives_the_packing() {
        let mut kinds = vec![
            MoveKind::Quiet,
            MoveKind::DoublePush,
            MoveKind::Castle(Wing::King),
            MoveKind::Castle(Wing::Queen),
            MoveKind::Capture,
            MoveKind::EnPassant,
        ];
        kinds.extend(Promotion::ALL.map(MoveKind::Promotion));
        kinds.extend(Promotion::ALL.map(MoveKind::CapturePromotion));
        for kind in kinds {
            let mv = Move::new(Square::H8, Square::A1, kind);
            assert_eq!((mv.from(), mv.to(), mv.kind()), (Square::H8, Square::A1, kind));
            let takes = matches!(
                kind,
                MoveKind::Capture | MoveKind::EnPassant | MoveKind::CapturePromotion(_)
            );
            assert_eq!(mv.is_capture(), takes, "{kind:?}");
            assert_eq!(mv.is_quiet(), !takes && mv.promotion().is_none(), "{kind:?}");
        }
    }

    #[test]
    fn is_written_as_uci() {
        let e7e8q = Move::new(Square::at(4, 6), Square::E8, MoveKind::Promotion(Promotion::Queen));
        assert_eq!(e7e8q.to_string(), "e7e8q");
    }
}
