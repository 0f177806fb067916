//! What may stand on a square, by number.

use shakmaty::{Color, Piece, Role};

/// What may stand on a square: twelve pieces and nothing.
pub const CONTENTS: usize = 13;

/// The index of "nothing".
pub const EMPTY: usize = 12;

/// The index of a content.
pub fn index(content: Option<Piece>) -> usize {
    content.map_or(EMPTY, |p| p.color.fold_wb(0, 6) + u32::from(p.role) as usize - 1)
}

/// The content of an index.
pub fn content(index: usize) -> Option<Piece> {
    let role = Role::ALL.get(index % 6)?;
    let color = match index / 6 {
        0 => Color::White,
        1 => Color::Black,
        _ => return None,
    };
    Some(Piece { color, role: *role })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_content_has_an_index_of_its_own() {
        for k in 0..CONTENTS {
            assert_eq!(index(content(k)), k);
        }
        assert_eq!(content(EMPTY), None);
    }
}
