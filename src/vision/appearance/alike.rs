//! Pieces that cannot be told from each other by sight: in sets for blindfold training all look alike, or all of one
//! colour.

use super::content::{CONTENTS, EMPTY, content, index};
use shakmaty::{Board, Piece};

/// Which contents look the same. A content is written as the first of those that look like it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alike([u8; CONTENTS]);

impl Default for Alike {
    fn default() -> Alike {
        Alike(std::array::from_fn(|k| k as u8))
    }
}

impl Alike {
    /// From pairs of contents that look the same.
    pub fn of(pairs: impl Iterator<Item = (usize, usize)>) -> Alike {
        let mut alike = Alike::default();
        for (a, b) in pairs {
            let (low, high) = (alike.0[a].min(alike.0[b]), alike.0[a].max(alike.0[b]));
            alike.0.iter_mut().filter(|k| **k == high).for_each(|k| *k = low);
        }
        alike
    }

    /// Whether two contents look the same.
    pub fn same(&self, a: usize, b: usize) -> bool {
        self.0[a] == self.0[b]
    }

    /// The one that stands for all that look like it.
    pub fn first(&self, k: usize) -> usize {
        usize::from(self.0[k])
    }

    /// Whether something else looks like it.
    pub fn is_shared(&self, k: usize) -> bool {
        (0..CONTENTS).any(|other| other != k && self.same(k, other))
    }

    /// The board as it looks: every piece written as the first of those that look like it.
    pub fn board(&self, board: &Board) -> Board {
        if *self == Alike::default() {
            return board.clone();
        }
        let seen = board
            .iter()
            .filter_map(|(s, p)| Some((s, content(self.first(index(Some(p))))?)));
        seen.collect()
    }

    /// The groups of pieces that look the same.
    pub fn groups(&self) -> Vec<Vec<Piece>> {
        let of = |first: usize| -> Vec<Piece> {
            (0..EMPTY)
                .filter(|k| self.first(*k) == first)
                .filter_map(content)
                .collect()
        };
        (0..EMPTY).map(of).filter(|group| group.len() > 1).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Role;

    #[test]
    fn alike_pieces_are_one_on_the_board_as_it_looks() {
        let (p, q, r) = (0, 4, 3);
        let alike = Alike::of([(q, p), (r, q)].into_iter());
        assert!(alike.same(p, r) && !alike.same(p, 6));
        assert_eq!(
            alike.groups(),
            [vec![Role::Pawn, Role::Rook, Role::Queen]
                .into_iter()
                .map(|r| r.of(shakmaty::Color::White))
                .collect::<Vec<_>>()]
        );
        let seen = alike.board(&Board::new());
        assert_eq!(seen.by_role(Role::Pawn).count(), 8 + 3 + 8);
        assert_eq!(Alike::default().board(&Board::new()), Board::new());
    }
}
