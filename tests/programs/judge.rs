//! What was really played: read from what went over the engine's wire, and held against what Torres wrote down.

use shakmaty::fen::Fen;
use shakmaty::san::San;
use shakmaty::uci::UciMove;
use shakmaty::{Board, Chess, Color, EnPassantMode, Move, Position, Role, Square};
use std::path::Path;
use torres::journal::{Entry, Event};
use torres_test_support::play::{PgnGame, journal, pgn_of};

/// A game as the engine had it.
#[derive(Clone, Debug, Default)]
pub struct Wire {
    position: Chess,
    /// UCI, both sides'.
    pub moves: Vec<String>,
    /// The engine was told of a game or of its time: programs that try engines first do not do that yet.
    pub has_begun: bool,
    /// It was told something.
    pub is_there: bool,
}

impl Wire {
    /// Reads the logs of `wire.sh` in a folder, of engines that speak UCI or xboard's protocol. Programs start engines
    /// to look at games with too: the one with most moves plays.
    pub fn read(folder: &Path) -> Wire {
        let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let all: Vec<Wire> = files
            .filter_map(|file| std::fs::read_to_string(file.path()).ok())
            .map(|log| Wire::of(&log))
            .collect();
        let (has_begun, is_there) = (all.iter().any(|wire| wire.has_begun), !all.is_empty());
        let longest = all.into_iter().max_by_key(|wire| wire.moves.len());
        Wire {
            has_begun,
            is_there,
            ..longest.unwrap_or_default()
        }
    }

    /// The same from the log's text.
    pub fn of(log: &str) -> Wire {
        let mut wire = Wire::default();
        // UCI: what stands behind `position`, until it is known not to be a guess that is pondered on.
        let mut asked: Option<&str> = None;
        // xboard's protocol: pieces that are put on an empty board, one by one.
        let mut edited: Option<(Color, Board)> = None;
        // A move that is sent right before `edit` only says whose turn it is in what is put on the board.
        let mut turned = false;
        for line in log.lines() {
            let (side, said) = line.split_at_checked(2).unwrap_or_default();
            let words: Vec<&str> = said.split_whitespace().collect();
            let plies = wire.moves.len();
            match (side, words.as_slice()) {
                ("> ", ["new" | "ucinewgame", ..]) => wire.begin(),
                ("> ", ["level" | "st" | "sd" | "random", ..]) => wire.has_begun = true,
                ("> ", ["position", ..]) => asked = Some(said),
                ("> ", ["go", "ponder", ..]) => {}
                ("> ", ["go" | "ponderhit", ..]) => {
                    if let Some(position) = asked.take() {
                        wire.set(position);
                    }
                }
                ("> ", ["usermove", played]) | ("< ", ["move", played]) | ("< ", ["My", "move", "is", ":", played]) => {
                    wire.play(played);
                }
                // Of a search that was stopped in pondering nothing is played.
                ("< ", ["bestmove", played, ..]) if asked.is_none() => wire.play(played),
                ("> ", ["edit"]) => {
                    if turned {
                        wire.take_back(1);
                    }
                    edited = Some((Color::White, wire.position.board().clone()));
                }
                ("> ", [put]) if edited.is_some() => match (*put, edited.as_mut()) {
                    ("#", Some((_, board))) => *board = Board::empty(),
                    ("c", Some((side, _))) => *side = side.other(),
                    (".", _) => wire.reach(edited.take().map(|(_, board)| board)),
                    (put, Some((side, board))) => put_on(board, *side, put),
                    (_, None) => {}
                },
                ("> ", ["undo"]) => wire.take_back(1),
                ("> ", ["remove"]) => wire.take_back(2),
                // An engine that did not ask for `usermove` is sent the bare move.
                ("> ", [played]) if played.parse::<UciMove>().is_ok() => wire.play(played),
                _ => {}
            }
            if side == "> " {
                turned = words.len() == 1 && wire.moves.len() > plies;
            }
        }
        wire
    }

    /// The moves that lead to a position; none where it is not one of the game.
    fn moves_until(&self, wanted: &Chess) -> Vec<String> {
        let placement = |position: &Chess| (position.board().clone(), position.turn());
        let mut position = Chess::default();
        for (count, written) in self.moves.iter().enumerate() {
            if placement(&position) == placement(wanted) {
                return self.moves[..count].to_vec();
            }
            let played = written
                .parse::<UciMove>()
                .ok()
                .and_then(|uci| uci.to_move(&position).ok());
            position.play_unchecked(played.expect("it was legal when it was read"));
        }
        Vec::new()
    }

    /// The position now.
    pub fn fen(&self) -> String {
        Fen::from_position(&self.position, EnPassantMode::Legal).to_string()
    }

    /// A move was made that leads to these pieces, or two: a program's own book may answer. Anything else is no news of
    /// the game.
    fn reach(&mut self, wanted: Option<Board>) {
        let Some(wanted) = wanted else { return };
        let mut lines = vec![(Vec::new(), self.position.clone())];
        for _ in 0..2 {
            let longer = lines.iter().flat_map(|(line, at)| {
                let next = |m: Move| {
                    let mut after = at.clone();
                    after.play_unchecked(m);
                    ([line.as_slice(), &[m]].concat(), after)
                };
                at.legal_moves().into_iter().map(next).collect::<Vec<_>>()
            });
            lines = longer.collect();
            if let Some((line, _)) = lines.iter().find(|(_, at)| *at.board() == wanted) {
                for played in line {
                    self.play(&UciMove::from_standard(*played).to_string());
                }
                return;
            }
        }
    }

    fn begin(&mut self) {
        self.position = Chess::default();
        self.moves.clear();
        self.has_begun = true;
    }

    /// As `position startpos moves …` says.
    fn set(&mut self, position: &str) {
        self.position = Chess::default();
        self.moves.clear();
        let moves = position.split_once(" moves ").map_or("", |(_, moves)| moves);
        for played in moves.split_whitespace() {
            self.play(played);
        }
    }

    fn take_back(&mut self, plies: usize) {
        let kept: Vec<String> = self.moves[..self.moves.len().saturating_sub(plies)].to_vec();
        self.set(&format!("position startpos moves {}", kept.join(" ")));
    }

    /// A move as engines write it. One that the position does not have was refused by either end, and is none.
    fn play(&mut self, written: &str) {
        let played = match written.parse::<UciMove>() {
            Ok(uci) => uci.to_move(&self.position).ok(),
            Err(_) => written
                .parse::<San>()
                .ok()
                .and_then(|san| san.to_move(&self.position).ok()),
        };
        if let Some(played) = played {
            self.position.play_unchecked(played);
            self.moves.push(UciMove::from_standard(played).to_string());
        }
    }
}

/// Puts a piece on a board, as `edit` writes it: `Nb1`.
fn put_on(board: &mut Board, color: Color, put: &str) {
    let (piece, square) = put.split_at_checked(1).unwrap_or_default();
    let role = piece.chars().next().and_then(Role::from_char);
    if let (Some(role), Ok(square)) = (role, square.parse::<Square>()) {
        board.set_piece_at(square, role.of(color));
    }
}

/// How what Torres believed compares with the engine's game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Plies of the engine's game.
    pub judged: usize,
    /// Plies that Torres wrote down.
    pub plies: usize,
    /// Plies that were believed and not played: those that Torres took back itself, and those from the first on that
    /// differs in its PGN.
    pub wrong: usize,
    /// Plies that were played and that Torres does not have.
    pub missed: usize,
}

/// Holds what Torres left in a folder against the engine's game.
pub fn compare(out: &Path, wire: &Wire) -> Compared {
    let pgn = out.join("game.pgn");
    let ours = if pgn.exists() { pgn_of(&pgn) } else { PgnGame::default() };
    // A game that Torres joined later begins there.
    let mut moves: Vec<String> = wire.moves_until(&ours.start);
    moves.extend(ours.moves);
    compared(&moves, &journal(out), wire)
}

fn compared(ours: &[String], journal: &[Entry], wire: &Wire) -> Compared {
    let taken_back: usize = journal
        .iter()
        .map(|entry| match &entry.event {
            Event::TakenBack { plies, .. } => *plies,
            _ => 0,
        })
        .sum();
    let same = ours
        .iter()
        .zip(&wire.moves)
        .take_while(|(own, judged)| own == judged)
        .count();
    // An engine is not told the move that ends the game.
    let told_all = same == wire.moves.len() && ours.len() <= same + 1;
    Compared {
        judged: wire.moves.len(),
        plies: ours.len(),
        wrong: taken_back + if told_all { 0 } else { ours.len() - same },
        missed: wire.moves.len() - same,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn a_game_in_xboards_protocol_is_read_with_its_takebacks() {
        let log = "> new\n> usermove e2e4\n< move e7e5\n> usermove g1f3\n< move b8c6\n> remove\n> usermove f1c4\n< move Nf6\n";
        assert_eq!(Wire::of(log).moves, moves("e2e4 e7e5 f1c4 g8f6"));
        // Bare moves, and a game begun anew.
        assert_eq!(
            Wire::of("> new\n> d2d4\n< move d7d5\n> new\n> go\n< move e2e4\n> e7e5\n").moves,
            moves("e2e4 e7e5")
        );
        assert_eq!(Wire::of("> new\n< Illegal move: e2e5\n> e2e5\n").moves, moves(""));
    }

    #[test]
    fn a_game_that_is_told_by_positions_is_read() {
        let pieces = |board: &Board| -> String {
            let of = |side: Color| {
                let all = board.by_color(side).into_iter();
                let put = all.filter_map(|s| Some(format!("> {}{s}\n", board.role_at(s)?.upper_char())));
                put.collect::<String>()
            };
            format!("> edit\n> #\n{}> c\n{}> .\n", of(Color::White), of(Color::Black))
        };
        let after = |text: &str| {
            let mut wire = Wire::default();
            text.split(' ').for_each(|uci| wire.play(uci));
            pieces(wire.position.board())
        };
        let log = format!(
            "> new\n> force\n{}> go\n< move e7e5\n> force\n{}{}> go\n< move b8c6\n",
            after("e2e4"),
            after("e2e4 e7e5"),
            after("e2e4 e7e5 g1f3")
        );
        assert_eq!(Wire::of(&log).moves, moves("e2e4 e7e5 g1f3 b8c6"));
        // PyChess says by a move that Black is to play where White's first came from its book.
        let log = format!("> new\n> force\n> a2a3\n{}> go\n> d7d5\n", after("d2d4"));
        assert_eq!(Wire::of(&log).moves, moves("d2d4 d7d5"));
    }

    #[test]
    fn a_game_in_uci_is_read_without_what_was_pondered_on() {
        let log = "> ucinewgame\n> position startpos moves e2e4\n> go movetime 10\n< bestmove e7e5 ponder g1f3\n\
                   > position startpos moves e2e4 e7e5 g1f3\n> go ponder\n> stop\n< bestmove b8c6\n\
                   > position startpos moves e2e4 e7e5 f1c4\n> go movetime 10\n< bestmove g8f6\n";
        assert_eq!(Wire::of(log).moves, moves("e2e4 e7e5 f1c4 g8f6"));
    }

    #[test]
    fn only_the_move_that_ends_the_game_may_be_unknown_to_the_engine() {
        let wire = Wire::of("> ucinewgame\n> position startpos moves f2f3 e7e5\n> go depth 1\n< bestmove g2g4\n");
        let against = |ours: &str| compared(&moves(ours), &[], &wire);
        let right = Compared {
            judged: 3,
            plies: 4,
            wrong: 0,
            missed: 0,
        };
        assert_eq!(against("f2f3 e7e5 g2g4 d8h4"), right);
        assert_eq!(against("f2f3 e7e5 g2g4 d8h4 a2a3").wrong, 2);
        assert_eq!(
            (against("f2f3 e7e5 g2g3").wrong, against("f2f3 e7e5 g2g3").missed),
            (1, 1)
        );
        assert_eq!((against("f2f3 e7e5").wrong, against("f2f3 e7e5").missed), (0, 1));
    }
}
