//! What the rules have against a position that somebody has set up, in words.

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color, FromSetup, PositionErrorKinds, Role, Setup};
use torres_printing::shortened;

/// A message quotes no more characters.
const QUOTED: usize = 80;

/// The position that a FEN describes.
///
/// # Errors
/// It is not a FEN, or all that the rules have against it.
pub(super) fn read(fen: &str) -> Result<Chess, String> {
    let parsed: Fen = fen
        .parse()
        .map_err(|error| format!("'{}' is not a FEN: {error}", shortened(fen, QUOTED)))?;
    let setup = parsed.into_setup();
    let legal = Chess::from_setup(setup.clone(), CastlingMode::Standard);
    legal.map_err(|error| {
        format!(
            "This is not a legal position. {}",
            faults(&setup, error.kinds()).join(" ")
        )
    })
}

/// A sentence for each fault.
fn faults(setup: &Setup, kinds: PositionErrorKinds) -> Vec<String> {
    let (mover, waiter) = (name(setup.turn), name(setup.turn.other()));
    let mut faults = kings(setup);
    let mut add = |kind, sentence: String| {
        if kinds.contains(kind) {
            faults.push(sentence);
        }
    };
    add(
        PositionErrorKinds::PAWNS_ON_BACKRANK,
        "A pawn cannot stand on the first or the last rank.".into(),
    );
    add(
        PositionErrorKinds::OPPOSITE_CHECK,
        format!("{waiter} is in check, but {mover} is to move."),
    );
    add(
        PositionErrorKinds::INVALID_CASTLING_RIGHTS,
        "Only a king and a rook on their first squares may castle.".into(),
    );
    add(
        PositionErrorKinds::INVALID_EP_SQUARE,
        "There is no pawn that could be taken in passing.".into(),
    );
    add(
        PositionErrorKinds::IMPOSSIBLE_CHECK,
        "No move can have led to this check.".into(),
    );
    add(
        PositionErrorKinds::TOO_MUCH_MATERIAL,
        "There are more men than a game can have, promotions included.".into(),
    );
    faults
}

/// Each side has one king.
fn kings(setup: &Setup) -> Vec<String> {
    let count = |color| setup.board.by_piece(Role::King.of(color)).count();
    let fault = |color| match count(color) {
        0 => Some(format!("{} has no king.", name(color))),
        1 => None,
        kings => Some(format!("{} has {kings} kings.", name(color))),
    };
    Color::ALL.into_iter().filter_map(fault).collect()
}

fn name(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_rules_do_not_allow_is_said_in_words() {
        for (fen, words) in [
            ("8/8/8/8/8/8/8/8 w - - 0 1", "White has no king. Black has no king."),
            ("4k3/8/8/8/8/8/8/8 w - - 0 1", "White has no king."),
            ("4k3/8/8/4K3/8/8/8/4K3 w - - 0 1", "White has 2 kings."),
            ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "first or the last rank"),
            (
                "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1",
                "Black is in check, but White is to move.",
            ),
            ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "may castle"),
            ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "in passing"),
            ("4k3/8/3N1N2/8/8/8/8/4K3 b - - 0 1", "led to this check"),
            ("qqqqk3/qqqqqq2/8/8/8/8/8/4K3 w - - 0 1", "more men"),
            ("hello", "is not a FEN"),
        ] {
            let told = read(fen).unwrap_err();
            assert!(told.contains(words), "{fen}: {told}");
        }
        assert!(read("4k3/4R3/8/8/8/8/8/4K3 b - - 0 1").is_ok());
    }

    #[test]
    fn nothing_is_said_twice_and_every_fault_is_said() {
        let told = read("P3k3/4R3/8/8/8/8/8/8 w - - 0 1").unwrap_err();
        for words in ["White has no king.", "A pawn cannot", "Black is in check"] {
            assert_eq!(told.matches(words).count(), 1, "{told}");
        }
    }
}
