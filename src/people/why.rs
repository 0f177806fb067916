//! Why a move is good, in words: what it wins or threatens, read off the position and the best line. Pure.

use shakmaty::san::SanPlus;
use shakmaty::{Board, Chess, Move, Position, Role, Square};
use torres_link::messages::Score;

/// Plies of the line that are told.
const TOLD: usize = 5;
/// What the score must be above the present material for each pawn that a line wins, in centipawns.
const AGREES: i32 = 60;
/// Plies of the line in which what is won is counted.
const COUNTED: usize = 9;

/// Why the first move of this line, the best one, is good. `line` is legal from `position`; the score is the side to
/// move's; `taken` is the square on which the other side has just taken something.
pub(super) fn why(position: &Chess, line: &[Move], score: Score, taken: Option<Square>) -> String {
    let Some(&first) = line.first() else {
        return String::new();
    };
    let mut after = position.clone();
    after.play_unchecked(first);
    if after.is_checkmate() {
        return "It is mate.".into();
    }
    let reason = match score {
        Score::Mate(moves) if moves > 0 => format!("It mates in {moves} moves."),
        _ if first.is_capture() && taken == Some(first.to()) => format!("It takes back on {}.", first.to()),
        _ => reason(position, &after, line, score),
    };
    match line.len() {
        1 => reason,
        _ => format!("{reason} Torres expects {}", told(position, line)),
    }
}

fn reason(position: &Chess, after: &Chess, line: &[Move], score: Score) -> String {
    let first = line[0];
    let to = first.to();
    if first.promotion().is_some() {
        return "The pawn is promoted.".into();
    }
    if let Some(won) = won(position, line, score) {
        return format!("It wins {won}.");
    }
    if let Some(mate) = mate_threat(after) {
        return format!("It threatens mate by {mate}.");
    }
    let attacked = attacked(after, to);
    let check = if after.is_check() { "It gives check" } else { "" };
    match (attacked.as_slice(), check) {
        ([], "") => {}
        ([], check) => return format!("{check}."),
        ([one], "") => return format!("It attacks {one}."),
        ([one], check) => return format!("{check}, and attacks {one}."),
        ([one, two, ..], "") => return format!("It attacks {one} and {two} at once."),
        ([one, ..], check) => return format!("{check}, and attacks {one}."),
    }
    if let Some(taken) = first.capture() {
        return format!("It takes the {} on {to}.", name(taken));
    }
    if position.is_check() {
        return "It answers the check.".into();
    }
    if matches!(first, Move::Castle { .. }) {
        return "It brings the king into safety and a rook into play.".into();
    }
    if let Some(from) = first.from()
        && hangs(position.board(), from)
        && !hangs(after.board(), to)
    {
        return format!("The {} on {from} was attacked.", name(first.role()));
    }
    let opening = position.fullmoves().get() <= 12;
    let home = first
        .from()
        .is_some_and(|from| from.rank() == position.turn().fold_wb(shakmaty::Rank::First, shakmaty::Rank::Eighth));
    match first.role() {
        Role::Knight | Role::Bishop if opening && home => "It brings a piece into play.".into(),
        Role::Pawn if opening && [Square::D4, Square::E4, Square::D5, Square::E5].contains(&to) => {
            "It takes room in the centre.".into()
        }
        _ => "It threatens nothing at once; every other move is worse.".into(),
    }
}

/// The line as people write it: `12. Nf3 Nc6 13. O-O.`
fn told(position: &Chess, line: &[Move]) -> String {
    let mut position = position.clone();
    let mut words = Vec::new();
    for &played in line.iter().take(TOLD) {
        let number = position.fullmoves();
        match (position.turn().is_white(), words.is_empty()) {
            (true, _) => words.push(format!("{number}.")),
            (false, true) => words.push(format!("{number}...")),
            (false, false) => {}
        }
        words.push(SanPlus::from_move_and_play_unchecked(&mut position, played).to_string());
    }
    words.join(" ") + "."
}

/// What the side to move is ahead by at the end of the line, more than it was: where the line does not end amid
/// captures, and the score says so too. A line may stop before what was taken is taken back.
fn won(position: &Chess, line: &[Move], score: Score) -> Option<&'static str> {
    let us = position.turn();
    let balance = |board: &Board| -> i32 {
        let roles = Role::ALL.iter();
        roles.map(|&role| value(role) * difference(board, role, us)).sum()
    };
    let mut at = position.clone();
    let mut last = None;
    let counted = &line[..line.len().min(COUNTED)];
    for (index, &played) in counted.iter().enumerate() {
        at.play_unchecked(played);
        // Quiet: the next move of the line takes nothing, and this one was the other side's, or took nothing.
        let goes_on = counted.get(index + 1).is_none_or(|next| next.is_capture());
        if !goes_on && (at.turn() == us || !played.is_capture()) {
            last = Some(balance(at.board()));
        }
    }
    let before = balance(position.board());
    let gain = last? - before;
    if let Score::Cp(value) = score
        && value < 100 * before + AGREES * gain
    {
        return None;
    }
    Some(match gain {
        ..=0 => return None,
        1 => "a pawn",
        2 => "the exchange, or two pawns",
        3 => "a piece",
        4 => "a piece and a pawn",
        5 => "a rook",
        6 | 7 => "two pieces",
        _ => "the queen",
    })
}

fn difference(board: &Board, role: Role, us: shakmaty::Color) -> i32 {
    let count = |color| i32::try_from((board.by_color(color) & board.by_role(role)).count()).unwrap_or(0);
    count(us) - count(us.other())
}

/// A move that would mate if the side that has just moved could move again.
fn mate_threat(after: &Chess) -> Option<String> {
    if after.is_check() {
        return None;
    }
    let again = after.clone().swap_turn().ok()?;
    let mates = |played: &&Move| {
        let mut then = again.clone();
        then.play_unchecked(**played);
        then.is_checkmate()
    };
    let legal = again.legal_moves();
    let mate = legal.iter().find(mates)?;
    Some(SanPlus::from_move(again.clone(), *mate).to_string())
}

/// What the man on a square attacks that it would win: what is dearer, or has no defender.
fn attacked(after: &Chess, from: Square) -> Vec<String> {
    let board = after.board();
    let Some(own) = board.piece_at(from) else {
        return Vec::new();
    };
    if hangs(board, from) {
        return Vec::new();
    }
    let victims = board.attacks_from(from) & board.by_color(own.color.other());
    let mut victims: Vec<(i32, Square, Role)> = victims
        .into_iter()
        .filter_map(|square| {
            let role = board.role_at(square).filter(|&role| role != Role::King)?;
            let defended = !board.attacks_to(square, own.color.other(), board.occupied()).is_empty();
            let wins = value(role) > value(own.role) || !defended;
            wins.then_some((-value(role), square, role))
        })
        .collect();
    victims.sort();
    victims
        .into_iter()
        .map(|(_, square, role)| format!("the {} on {square}", name(role)))
        .collect()
}

/// Whether a man can be taken for less than it is worth, or for nothing.
fn hangs(board: &Board, square: Square) -> bool {
    let Some(piece) = board.piece_at(square) else {
        return false;
    };
    let attackers = board.attacks_to(square, piece.color.other(), board.occupied());
    let defended = !board.attacks_to(square, piece.color, board.occupied()).is_empty();
    let cheaper = |attacker| {
        board
            .role_at(attacker)
            .is_some_and(|role| value(role) < value(piece.role))
    };
    !attackers.is_empty() && (!defended || attackers.into_iter().any(cheaper))
}

/// In pawns; the king is worth more than all.
fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 100,
    }
}

fn name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(fen: &str, line: &str, score: Score) -> String {
        let position = torres_chess::parse_fen(fen).unwrap();
        let mut at = position.clone();
        let moves: Vec<Move> = line
            .split(' ')
            .map(|uci| {
                let played = torres_chess::parse_move(uci, &at).unwrap();
                at.play_unchecked(played);
                played
            })
            .collect();
        why(&position, &moves, score, None)
    }

    #[test]
    fn a_hint_says_what_the_move_wins_or_threatens() {
        for (fen, line, said_first) in [
            ("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "f7g7", "It is mate."),
            // A fork that wins the queen in the line.
            (
                "2q3k1/5ppp/8/3N4/8/8/5PPP/6K1 w - - 0 1",
                "d5e7 g8f8 e7c8 f8e8 g1f1",
                "It wins the queen.",
            ),
            // The same seen one ply deep: what it attacks.
            (
                "2q3k1/5ppp/8/3N4/8/8/5PPP/6K1 w - - 0 1",
                "d5e7",
                "It gives check, and attacks the queen on c8.",
            ),
            ("r6q/8/8/8/2N5/8/8/k1K5 w - - 0 1", "c4b6", "It attacks the rook on a8."),
            (
                "6k1/5ppp/8/8/8/8/4QPPP/4R1K1 w - - 0 1",
                "e2e7",
                "It threatens mate by Q",
            ),
            (
                "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
                "e1g1",
                "It brings the king into safety and a rook into play.",
            ),
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "e2e4 e7e5 g1f3",
                "It takes room in the centre. Torres expects 1. e4 e5 2. Nf3.",
            ),
            ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", "The pawn is promoted."),
            (
                "4k3/8/8/8/8/2p5/1P6/4K3 w - - 0 1",
                "b2c3 e8e7 e1e2 e7e6",
                "It wins a pawn.",
            ),
        ] {
            let text = said(fen, line, Score::Cp(100));
            assert!(text.starts_with(said_first), "{fen} {line}: {text}");
        }
        let text = said("7k/8/6K1/8/8/8/8/R7 b - - 0 1", "h8g8", Score::Mate(-1));
        assert!(text.starts_with("It threatens nothing"), "{text}");
        let text = said("8/8/8/8/8/5k2/7q/5K2 b - - 0 1", "h2f2", Score::Mate(1));
        assert_eq!(text, "It is mate.");
    }

    #[test]
    fn an_even_trade_wins_nothing() {
        let fen = "4k3/8/3p4/4p3/3P4/2P5/8/4K3 w - - 0 1";
        let text = said(fen, "d4e5 d6e5 e1e2 e8e7", Score::Cp(0));
        assert!(text.starts_with("It takes the pawn on e5."), "{text}");
        // Nor does a pawn that will be taken back after the line's end: the score knows.
        let fen = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2";
        let line = "e2e4 d7d5 e4d5 g8f6 c2c4";
        assert!(said(fen, line, Score::Cp(-40)).starts_with("It takes room in the centre."));
        assert!(said(fen, line, Score::Cp(90)).starts_with("It wins a pawn."));
        // One that makes it even again neither.
        let position = torres_chess::parse_fen("4k3/8/3p4/4P3/8/8/8/4K3 b - - 0 1").unwrap();
        let line = [torres_chess::parse_move("d6e5", &position).unwrap()];
        assert_eq!(
            why(&position, &line, Score::Cp(0), Some(Square::E5)),
            "It takes back on e5."
        );
    }
}
