//! The game's positions and moves, the ways in which it can end, and whether a draw may be claimed in it.

use shakmaty::zobrist::Zobrist128;
use shakmaty::{Chess, Color, KnownOutcome, Move, Outcome, Position};
use std::fmt;
use torres_chess::{fen, repetition_key, uci_line};
use torres_journal::KnownBy;

/// A game from its start position to now.
#[derive(Clone, Debug)]
pub struct Game {
    start: Chess,
    moves: Vec<Move>,
    position: Chess,
    /// Keys of all positions of the game, the start's first.
    keys: Vec<Zobrist128>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The winner mated.
    Checkmate(Color),
    /// No legal move, no check.
    Stalemate,
    /// Neither side can mate.
    InsufficientMaterial,
    /// The position stood on the board for the fifth time: nobody has to claim that.
    Fivefold,
    /// Seventy-five moves of each side without a capture or a pawn's move: nobody has to claim that.
    SeventyFiveMoves,
    /// A draw could be claimed, and the game did not go on.
    StoodStill(Claim, Standstill),
    /// This side's time has run out by our own clock alone: who won is not known.
    Flag(Color),
    /// The site's clock of the loser was read to stand at zero, and the winner could have mated.
    FlagSeen(Color),
    /// The page shows the button of the next game, and the board shows no end: resigned, aborted, agreed, or lost on
    /// time.
    Elsewhere,
    /// The site's clocks stand though it is somebody's turn, and the board shows no end.
    ClocksStand,
    /// No move of the opponent's came for this time, in seconds, and nothing tells why.
    NoReply(u64),
    /// The same, and the page does not name the opponent any more.
    Unnamed(u64),
    /// The same, and something new has come to stand on the page.
    PageChanged(u64),
    /// Our move was entered, which ends the game by the rules, and the board was out of sight from then on.
    OutOfSight,
}

/// A draw that either side may claim. Some sites give it by themselves, others wait for the claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The position stood on the board for the third time.
    Threefold,
    /// Fifty moves of each side without a capture or a pawn's move.
    FiftyMoves,
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Claim::Threefold => "threefold repetition",
            Claim::FiftyMoves => "the fifty-move rule",
        })
    }
}

/// What was seen of a game that did not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standstill {
    /// The board took our move neither by the one gesture nor by the other.
    MoveNotTaken,
    /// No move of the opponent's came for this time, in seconds.
    NoReply(u64),
    /// The page shows the button of the next game.
    NextGame,
    /// A notice lies over the board.
    Covered,
    /// The site's clocks stand.
    Clocks,
}

impl fmt::Display for Standstill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Standstill::MoveNotTaken => f.write_str("no further move was taken, by drag nor by clicks"),
            Standstill::NoReply(seconds) => write!(f, "no further move came for {seconds} s"),
            Standstill::NextGame => f.write_str("the page shows the button of the next game"),
            Standstill::Covered => f.write_str("a notice lies over the board"),
            Standstill::Clocks => f.write_str("the site's clocks stand"),
        }
    }
}

impl End {
    /// Who won, where that is known.
    pub fn outcome(&self) -> Outcome {
        match *self {
            End::Checkmate(winner) => Outcome::Known(KnownOutcome::Decisive { winner }),
            End::FlagSeen(loser) => Outcome::Known(KnownOutcome::Decisive { winner: !loser }),
            // A site's clock is another one, and what its page means by its button is not read.
            End::Flag(_)
            | End::Elsewhere
            | End::ClocksStand
            | End::NoReply(_)
            | End::Unnamed(_)
            | End::PageChanged(_)
            | End::OutOfSight => Outcome::Unknown,
            _ => Outcome::Known(KnownOutcome::Draw),
        }
    }

    /// The result as PGN writes it.
    pub fn result(&self) -> &'static str {
        match self.outcome() {
            Outcome::Known(outcome) => outcome.as_str(),
            Outcome::Unknown => "*",
        }
    }

    /// What is known of it, and not taken for granted.
    pub fn known_by(&self) -> KnownBy {
        match self {
            End::Flag(_) => KnownBy::OwnClock,
            End::FlagSeen(_) => KnownBy::PageClock,
            End::StoodStill(..) | End::NoReply(_) => KnownBy::Standstill,
            End::OutOfSight => KnownBy::OwnMove,
            End::Elsewhere | End::ClocksStand | End::Unnamed(_) | End::PageChanged(_) => KnownBy::Page,
            _ => KnownBy::Board,
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = match self {
            End::Checkmate(_) => "checkmate",
            End::Stalemate => "stalemate",
            End::InsufficientMaterial => "insufficient material",
            End::Fivefold => "fivefold repetition",
            End::SeventyFiveMoves => "seventy-five-move rule",
            End::Flag(loser) => {
                let loser = loser.fold_wb("White", "Black");
                return write!(
                    f,
                    "by our clock, {loser}'s time has run out; the page was not seen to say so"
                );
            }
            End::FlagSeen(_) => "time: the site's clock stands at zero",
            End::Elsewhere => {
                return f.write_str(
                    "the page shows the button of the next game: the game ended otherwise than on the board",
                );
            }
            End::ClocksStand => {
                return f.write_str("the site's clocks stand: the game ended otherwise than on the board");
            }
            End::NoReply(seconds) => {
                return write!(f, "no move came for {seconds} s: the game was left");
            }
            End::Unnamed(seconds) => {
                return write!(
                    f,
                    "no move came for {seconds} s, and the page names the bot no more: the game ended otherwise than on the board"
                );
            }
            End::PageChanged(seconds) => {
                return write!(
                    f,
                    "no move came for {seconds} s, and something new stands on the page: the game ended otherwise than on the board"
                );
            }
            End::OutOfSight => {
                return f.write_str(
                    "our last move ends the game, and the board was out of sight before it was seen there: whether it was taken is not known",
                );
            }
            End::StoodStill(claim, seen) => {
                return write!(f, "{}: {claim} stood on the board, and {seen}", self.result());
            }
        };
        write!(f, "{} by {how}", self.result())
    }
}

impl Game {
    /// A game that starts from this position.
    pub fn new(start: Chess) -> Game {
        Game {
            keys: vec![repetition_key(&start)],
            position: start.clone(),
            moves: Vec::new(),
            start,
        }
    }

    /// Where it started.
    pub fn start(&self) -> &Chess {
        &self.start
    }

    /// Where it stands.
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// The position before the ply of that number, counted from 0; the one now when there is no such ply.
    pub fn position_before(&self, ply: usize) -> Chess {
        let mut position = self.start.clone();
        for played in self.moves.iter().take(ply) {
            position.play_unchecked(*played);
        }
        position
    }

    /// The moves played.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Plies played.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// Plays a move that vision or the engine found among the legal ones; an illegal one is refused and changes
    /// nothing.
    pub fn play(&mut self, played: Move) -> Result<(), IllegalMove> {
        let next = self.position.clone().play(played).map_err(|_| IllegalMove(played))?;
        self.keys.push(repetition_key(&next));
        self.position = next;
        self.moves.push(played);
        Ok(())
    }

    /// Whether it is another game a few moves further, or just there.
    pub fn goes_on_from(&self, earlier: &Game) -> bool {
        self.keys.starts_with(&earlier.keys) && self.moves.starts_with(&earlier.moves)
    }

    /// Takes back the last moves; `false`, and nothing, when there are not so many.
    pub fn take_back(&mut self, plies: usize) -> bool {
        let Some(left) = self.moves.len().checked_sub(plies) else {
            return false;
        };
        self.position = self.position_before(left);
        self.moves.truncate(left);
        self.keys.truncate(left + 1);
        true
    }

    /// How it ended by the rules, if it has: without anybody's claim.
    pub fn end(&self) -> Option<End> {
        match self.position.outcome() {
            Outcome::Known(known) => {
                return Some(match known.winner() {
                    Some(winner) => End::Checkmate(winner),
                    None if self.position.is_stalemate() => End::Stalemate,
                    None => End::InsufficientMaterial,
                });
            }
            Outcome::Unknown => {}
        }
        if self.occurrences() >= 5 {
            return Some(End::Fivefold);
        }
        (self.position.halfmoves() >= 150).then_some(End::SeventyFiveMoves)
    }

    /// The draw that may be claimed now, in a game that has not ended.
    pub(crate) fn claimable(&self) -> Option<Claim> {
        if self.end().is_some() {
            return None;
        }
        if self.occurrences() >= 3 {
            return Some(Claim::Threefold);
        }
        (self.position.halfmoves() >= 100).then_some(Claim::FiftyMoves)
    }

    /// How often the position has stood on the board, now included.
    fn occurrences(&self) -> usize {
        self.keys.iter().filter(|key| Some(*key) == self.keys.last()).count()
    }

    /// The start position as FEN.
    pub fn start_fen(&self) -> String {
        fen(&self.start)
    }

    /// The moves as UCI text.
    pub(crate) fn uci_moves(&self) -> Vec<String> {
        uci_line(&self.moves)
    }
}

/// A move that the position does not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not legal here")]
pub struct IllegalMove(pub Move);

#[cfg(test)]
mod tests {
    use super::*;
    use torres_chess::parse_move;

    fn play(game: &mut Game, moves: &str) {
        for text in moves.split_whitespace() {
            let m = parse_move(text, game.position()).unwrap();
            game.play(m).unwrap();
        }
    }

    const OUT_AND_BACK: &str = "g1f3 g8f6 f3g1 f6g8";

    #[test]
    fn the_third_occurrence_may_be_claimed_and_the_fifth_ends_the_game() {
        let mut game = Game::new(Chess::default());
        play(&mut game, OUT_AND_BACK);
        play(&mut game, "g1f3 g8f6 f3g1");
        assert_eq!((game.claimable(), game.end()), (None, None));
        play(&mut game, "f6g8");
        assert_eq!((game.claimable(), game.end()), (Some(Claim::Threefold), None));
        // The next position has stood there twice only.
        play(&mut game, "b1c3");
        assert_eq!((game.claimable(), game.end()), (None, None));
        assert!(game.take_back(1));
        play(&mut game, OUT_AND_BACK);
        assert_eq!((game.claimable(), game.end()), (Some(Claim::Threefold), None));
        play(&mut game, OUT_AND_BACK);
        assert_eq!((game.claimable(), game.end()), (None, Some(End::Fivefold)));
    }

    #[test]
    fn a_termination_says_what_was_seen() {
        let told = |end: End| (end.to_string(), end.result(), end.known_by());
        assert_eq!(
            told(End::StoodStill(Claim::Threefold, Standstill::MoveNotTaken)),
            (
                "1/2-1/2: threefold repetition stood on the board, and no further move was taken, by drag nor by clicks".into(),
                "1/2-1/2",
                KnownBy::Standstill
            )
        );
        assert_eq!(
            told(End::StoodStill(Claim::FiftyMoves, Standstill::NoReply(30))).0,
            "1/2-1/2: the fifty-move rule stood on the board, and no further move came for 30 s"
        );
        assert_eq!(
            told(End::Flag(Color::Black)),
            (
                "by our clock, Black's time has run out; the page was not seen to say so".into(),
                "*",
                KnownBy::OwnClock
            )
        );
        assert_eq!(
            told(End::FlagSeen(Color::Black)),
            (
                "1-0 by time: the site's clock stands at zero".into(),
                "1-0",
                KnownBy::PageClock
            )
        );
        assert_eq!(
            told(End::Elsewhere),
            (
                "the page shows the button of the next game: the game ended otherwise than on the board".into(),
                "*",
                KnownBy::Page
            )
        );
        assert_eq!(
            told(End::Checkmate(Color::White)),
            ("1-0 by checkmate".into(), "1-0", KnownBy::Board)
        );
    }

    #[test]
    fn mate_stalemate_and_bare_kings_end_the_game() {
        let end = |fen: &str| Game::new(torres_chess::parse_fen(fen).unwrap()).end();
        assert_eq!(
            end("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"),
            Some(End::Checkmate(Color::Black))
        );
        assert_eq!(end("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), Some(End::Stalemate));
        assert_eq!(end("7k/8/6K1/8/8/8/8/8 b - - 0 1"), Some(End::InsufficientMaterial));
        assert_eq!(end("7k/8/6K1/8/8/8/8/R7 w - - 150 99"), Some(End::SeventyFiveMoves));
        assert_eq!(end("7k/8/6K1/8/8/8/8/R7 w - - 149 99"), None);
        // Mate comes first.
        assert_eq!(
            end("R6k/8/6K1/8/8/8/8/8 b - - 150 99"),
            Some(End::Checkmate(Color::White))
        );
    }

    #[test]
    fn fifty_moves_may_be_claimed() {
        let claimable = |fen: &str| Game::new(torres_chess::parse_fen(fen).unwrap()).claimable();
        assert_eq!(claimable("7k/8/6K1/8/8/8/8/R7 w - - 99 80"), None);
        assert_eq!(claimable("7k/8/6K1/8/8/8/8/R7 w - - 100 80"), Some(Claim::FiftyMoves));
        assert_eq!(claimable("7k/8/6K1/8/8/8/8/R7 w - - 149 99"), Some(Claim::FiftyMoves));
        assert_eq!(claimable("7k/8/6K1/8/8/8/8/R7 w - - 150 99"), None, "it has ended");
    }

    #[test]
    fn what_is_taken_back_counts_for_no_repetition_and_no_more_than_was_played_is() {
        let mut game = Game::new(Chess::default());
        play(&mut game, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1");
        assert!(!game.take_back(8));
        assert_eq!(game.plies(), 7);
        assert!(game.take_back(3));
        assert_eq!(game.uci_moves(), ["g1f3", "g8f6", "f3g1", "f6g8"]);
        assert!(torres_chess::same_position(&Chess::default(), game.position()));
        assert_eq!(game.claimable(), None);
        // The start stands for the third time only after both knights have gone out and back once more.
        play(&mut game, "g1f3 g8f6 f3g1");
        assert_eq!(game.claimable(), None);
        play(&mut game, "f6g8");
        assert_eq!(game.claimable(), Some(Claim::Threefold));
        assert!(game.take_back(8));
        assert_eq!((game.plies(), game.claimable()), (0, None));
    }
}
