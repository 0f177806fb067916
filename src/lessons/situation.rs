//! What a learner has before them, and what they mean by what they type.

use super::judge::{Walked, position_after};
use super::{Input, Progress, Stale, Step, Still, Task};
use shakmaty::uci::UciMove;
use shakmaty::{Board, Color, File, Move, Position, Rank, Role, Square};

/// The board of a step as far as the learner is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Situation {
    /// What stands on the squares.
    pub board: Board,
    /// Who is to move.
    pub turn: Color,
    /// What the learner may play now: nothing where the step asks for none, is done, or the engine is to move.
    pub moves: Vec<Move>,
    /// Whether the side to move is in check.
    pub check: bool,
}

/// The board of a step as far as the learner is.
///
/// # Errors
/// The progress is not one of this step.
pub fn situation(step: &Step, progress: &Progress) -> Result<Situation, Stale> {
    let mut now = match &step.task {
        Task::Walk { board, .. } => still(&Walked::along(board, &progress.moves)?.board),
        Task::Choose { board, .. } | Task::Answer { board, .. } => Situation {
            moves: Vec::new(),
            ..still(board)
        },
        Task::Line { start, .. } | Task::Mate { start, .. } | Task::Against { start, .. } => {
            let position = position_after(start, &progress.moves)?;
            let learners = position.turn() == start.turn();
            Situation {
                board: position.board().clone(),
                turn: position.turn(),
                moves: position.legal_moves().into_iter().filter(|_| learners).collect(),
                check: position.is_check(),
            }
        }
    };
    if progress.finished {
        now.moves.clear();
    }
    Ok(now)
}

fn still(board: &Still) -> Situation {
    let king = board.board().king_of(board.mover());
    Situation {
        board: board.board().clone(),
        turn: board.mover(),
        moves: board.moves(),
        check: king.is_some_and(|king| board.is_attacked(king)),
    }
}

/// Why a typed text is no input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Untyped {
    /// It names nothing.
    #[error("Type a move, such as e2e4 or Nf3.")]
    NoMove,
    /// It names no square, where squares are asked for.
    #[error("Type a square, such as e4.")]
    NoSquare,
    /// Several moves are called so.
    #[error("Several moves are called so. Type where the piece stands and where it goes, such as e2e4.")]
    Several,
    /// The question has answers to choose from.
    #[error("Choose one of the answers.")]
    NoAnswer,
}

/// What a learner means by a text: a square where squares are asked for, else a move in UCI or SAN. Small and capital
/// letters are told apart only where both could be meant.
///
/// # Errors
/// It means nothing here, or too much.
pub fn typed(step: &Step, now: &Situation, text: &str) -> Result<Input, Untyped> {
    let text = text.trim();
    match &step.task {
        Task::Answer { .. } => return Err(Untyped::NoAnswer),
        Task::Choose { .. } => {
            let square = text.to_ascii_lowercase().parse().map_err(|_| Untyped::NoSquare)?;
            return Ok(Input::Click(square));
        }
        Task::Walk { .. } | Task::Line { .. } | Task::Mate { .. } | Task::Against { .. } => {}
    }
    let bare: String = text.chars().filter(|letter| !"x+#=-!?".contains(*letter)).collect();
    let meant = |same: fn(&str, &str) -> bool| -> Vec<Move> {
        let named = |&played: &Move| names(played).iter().any(|name| same(name, &bare));
        now.moves.iter().copied().filter(named).collect()
    };
    let mut found = meant(|name, text| name == text);
    if found.is_empty() {
        found = meant(|name, text| name.eq_ignore_ascii_case(text));
    }
    match found[..] {
        [only] => Ok(Input::Move(UciMove::from_standard(only))),
        // What the rules forbid is the judge's to explain.
        [] => bare
            .to_ascii_lowercase()
            .parse()
            .map(Input::Move)
            .map_err(|_| Untyped::NoMove),
        [..] => Err(Untyped::Several),
    }
}

/// All that a move may be called, without the signs of captures, checks and promotions.
fn names(played: Move) -> Vec<String> {
    let mut names = vec![UciMove::from_standard(played).to_string()];
    if let Move::Castle { king, rook } = played {
        let short = if king < rook { "OO" } else { "OOO" };
        names.extend([short.to_owned(), short.replace('O', "0")]);
        return names;
    }
    let Some(from) = played.from() else {
        return names;
    };
    let to = played.to();
    let piece = match played.role() {
        Role::Pawn => String::new(),
        role => role.upper_char().to_string(),
    };
    let promoted = played
        .promotion()
        .map_or(String::new(), |role| role.upper_char().to_string());
    let (file, rank): (File, Rank) = (from.file(), from.rank());
    let origins: [String; 4] = [
        String::new(),
        file.to_string(),
        rank.to_string(),
        Square::to_string(&from),
    ];
    // A pawn's capture names its file: without it the text could mean its step ahead.
    let pawn_takes = played.role() == Role::Pawn && played.is_capture();
    let usual = origins.iter().skip(usize::from(pawn_takes));
    names.extend(usual.map(|origin| format!("{piece}{origin}{to}{promoted}")));
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    fn step(board: &str, goal: &str) -> Step {
        let text = format!(
            "id = \"a\"\npart = \"basic\"\ntitle = \"A\"\ntext = [\"T.\"]\n[[step]]\nboard = \"{board}\"\nask = \"Ask.\"\n\
             goal = {goal}\nhints = [{{ say = \"Hint.\" }}]\nwrong = \"Wrong.\"\nright = \"Right.\"\n"
        );
        parse("a.toml", &text)
            .unwrap_or_else(|faults| panic!("{faults}"))
            .steps
            .remove(0)
    }

    fn means(step: &Step, text: &str) -> Result<Input, Untyped> {
        typed(step, &situation(step, &Progress::default()).unwrap(), text)
    }

    fn played(uci: &str) -> Result<Input, Untyped> {
        Ok(Input::Move(uci.parse().unwrap()))
    }

    #[test]
    fn a_move_is_typed_as_people_write_it() {
        let open = "r3k2r/pPp2ppp/2n2n2/1B2p3/4P3/2N2N2/PPPP1PP1/R3K2R w KQkq - 0 1";
        let game = step(open, "{ against = { until = \"mate\", moves = 9 } }");
        for (text, uci) in [
            ("e1g1", "e1g1"),
            ("O-O", "e1g1"),
            ("0-0", "e1g1"),
            ("Bxc6+", "b5c6"),
            ("bc6", "b5c6"),
            ("Nd5", "c3d5"),
            ("nd5!", "c3d5"),
            ("a3", "a2a3"),
            (" d4 ", "d2d4"),
            ("bxa8=N", "b7a8n"),
            ("b8Q", "b7b8q"),
            ("b7b8r", "b7b8r"),
            // Not legal: the judge says why.
            ("e1e3", "e1e3"),
        ] {
            assert_eq!(means(&game, text), played(uci), "{text}");
        }
        for text in ["", "castle", "Qh5", "e9", "é4", "bxa8"] {
            assert!(means(&game, text).is_err(), "{text}");
        }
        let rooks = step(
            "4k3/8/8/8/8/8/4K3/R6R w - - 0 1",
            "{ against = { until = \"mate\", moves = 9 } }",
        );
        assert_eq!(means(&rooks, "Re1"), Err(Untyped::Several));
        assert_eq!(means(&rooks, "Rhe1"), played("h1e1"));
    }

    #[test]
    fn walks_squares_and_answers_are_typed_too() {
        let walk = step("8/8/8/8/8/8/8/R7 w - - 0 1", "{ reach = { squares = [\"a8\"] } }");
        assert_eq!(means(&walk, "Ra8"), played("a1a8"));
        let squares = step("8/8/8/8/8/8/8/8 w - - 0 1", "{ choose = [\"e4\"] }");
        assert_eq!(means(&squares, "E4"), Ok(Input::Click(Square::E4)));
        assert_eq!(means(&squares, "e"), Err(Untyped::NoSquare));
        let answer = "{ answer = [{ option = \"Yes\" }, { option = \"No\", say = \"No.\" }] }";
        assert_eq!(
            means(&step("8/8/8/8/8/8/8/8 w - - 0 1", answer), "Yes"),
            Err(Untyped::NoAnswer)
        );
    }

    #[test]
    fn a_situation_has_moves_only_where_the_learner_may_move() {
        let mate = step("k7/8/3K4/8/8/8/8/1Q6 w - - 0 1", "{ mate = { moves = 2 } }");
        let now = |moves: &[&str], finished| {
            let moves = moves.iter().map(|uci| uci.parse().unwrap()).collect();
            let progress = Progress {
                moves,
                finished,
                ..Progress::default()
            };
            situation(&mate, &progress)
        };
        assert!(!now(&[], false).unwrap().moves.is_empty());
        assert!(now(&[], true).unwrap().moves.is_empty());
        let engines = now(&["d6c7"], false).unwrap();
        assert!(engines.moves.is_empty() && engines.turn == Color::Black && !engines.check);
        assert_eq!(now(&["d6d8"], false), Err(Stale));
        let checked = step("8/8/8/8/4r3/8/8/4K3 w - - 0 1", "{ free = { moves = 1 } }");
        assert!(situation(&checked, &Progress::default()).unwrap().check);
    }
}
