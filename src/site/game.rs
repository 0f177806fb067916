//! One game by the rules: its moves, its position, and how it ended. Rules come from `shakmaty`.

use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist128;
use shakmaty::{Chess, Color, Position};
use std::fmt;
use torres_chess::{fen, repetition_key};

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The winner mated.
    Checkmate {
        /// Who mated.
        winner: Color,
    },
    /// The side to move has no move and is not in check.
    Stalemate,
    /// Neither side can mate any more.
    InsufficientMaterial,
    /// The same position for the third time.
    ThreefoldRepetition,
    /// Fifty moves of each side without a capture or a pawn's move.
    FiftyMoves,
    /// A flag fell.
    Time {
        /// The other side, unless it cannot mate.
        winner: Option<Color>,
    },
    /// The loser gave up.
    Resignation {
        /// The other side.
        winner: Color,
    },
    /// The bot's engine could not be made to answer.
    EngineFailed,
}

impl Ending {
    /// Who won, `None` for a draw or a game without a result.
    pub fn winner(self) -> Option<Color> {
        match self {
            Ending::Checkmate { winner } | Ending::Resignation { winner } => Some(winner),
            Ending::Time { winner } => winner,
            _ => None,
        }
    }

    /// `1-0`, `0-1`, `1/2-1/2`, or PGN's `*`.
    pub fn score(self) -> &'static str {
        match (self, self.winner()) {
            (Ending::EngineFailed, _) => "*",
            (_, Some(Color::White)) => "1-0",
            (_, Some(Color::Black)) => "0-1",
            (_, None) => "1/2-1/2",
        }
    }

    /// Why, in the words of the field.
    pub fn reason(self) -> &'static str {
        match self {
            Ending::Checkmate { .. } => "checkmate",
            Ending::Stalemate => "stalemate",
            Ending::InsufficientMaterial => "insufficient material",
            Ending::ThreefoldRepetition => "threefold repetition",
            Ending::FiftyMoves => "fifty moves",
            Ending::Time { winner: Some(_) } => "time",
            Ending::Time { winner: None } => "time against insufficient material",
            Ending::Resignation { .. } => "resignation",
            Ending::EngineFailed => "engine failed",
        }
    }
}

impl fmt::Display for Ending {
    /// `1-0 checkmate`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.score(), self.reason())
    }
}

/// How a game ended, with what there is to say about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Over {
    /// The ending.
    pub ending: Ending,
    /// What is wrong with the bot's engine, where that ended the game.
    pub why: Option<String>,
}

impl Over {
    /// Why, in the words of the field, and what else is known.
    pub fn reason(&self) -> String {
        match &self.why {
            None => self.ending.reason().to_owned(),
            Some(why) => format!("{}: {why}", self.ending.reason()),
        }
    }
}

impl fmt::Display for Over {
    /// `1-0 checkmate`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.ending.score(), self.reason())
    }
}

/// A move that was played.
#[derive(Clone, Debug)]
pub struct Ply {
    /// Who played it.
    pub mover: Color,
    /// As UCI, castling as the king's two steps.
    pub uci: UciMove,
    /// As SAN with check and mate signs.
    pub san: SanPlus,
    /// The position after it.
    pub fen: String,
}

/// A game from its start to its present position.
#[derive(Clone, Debug)]
pub struct Game {
    start: Chess,
    position: Chess,
    plies: Vec<Ply>,
    /// Of every position since the start.
    keys: Vec<Zobrist128>,
}

impl Game {
    /// A game that starts at `start`.
    pub fn new(start: Chess) -> Game {
        Game {
            keys: vec![repetition_key(&start)],
            position: start.clone(),
            start,
            plies: Vec::new(),
        }
    }

    /// Where it started.
    pub fn start(&self) -> &Chess {
        &self.start
    }

    /// Where it is.
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// The moves so far.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// The present position as FEN, en passant only where a legal capture exists.
    pub fn fen(&self) -> String {
        fen(&self.position)
    }

    /// The position after `ply` moves, as FEN.
    pub(crate) fn fen_at(&self, ply: usize) -> Option<String> {
        match ply.checked_sub(1) {
            None => Some(fen(&self.start)),
            Some(index) => self.plies.get(index).map(|p| p.fen.clone()),
        }
    }

    /// Plays `uci` if it is legal; `None` changes nothing.
    pub fn play(&mut self, uci: &UciMove) -> Option<&Ply> {
        let mv = uci.to_move(&self.position).ok()?;
        let mover = self.position.turn();
        let san = SanPlus::from_move_and_play_unchecked(&mut self.position, mv);
        self.keys.push(repetition_key(&self.position));
        self.plies.push(Ply {
            mover,
            uci: UciMove::from_standard(mv),
            san,
            fen: fen(&self.position),
        });
        self.plies.last()
    }

    /// The ending that the rules give to the present position; draws by repetition and fifty moves are automatic.
    pub fn ending(&self) -> Option<Ending> {
        let position = &self.position;
        if position.is_checkmate() {
            Some(Ending::Checkmate {
                winner: position.turn().other(),
            })
        } else if position.is_stalemate() {
            Some(Ending::Stalemate)
        } else if position.is_insufficient_material() {
            Some(Ending::InsufficientMaterial)
        } else if self
            .keys
            .last()
            .is_some_and(|now| self.keys.iter().filter(|&key| key == now).count() >= 3)
        {
            Some(Ending::ThreefoldRepetition)
        } else if position.halfmoves() >= 100 {
            Some(Ending::FiftyMoves)
        } else {
            None
        }
    }

    /// Takes back the last `plies` moves, or as many as there are.
    pub fn take_back(&mut self, plies: usize) {
        let left = self.plies.len().saturating_sub(plies);
        let moves: Vec<UciMove> = self.plies.drain(..).take(left).map(|ply| ply.uci).collect();
        *self = Game::new(self.start.clone());
        for uci in &moves {
            self.play(uci);
        }
    }

    /// The ending when `loser`'s flag falls now.
    pub fn flagged(&self, loser: Color) -> Ending {
        let winner = loser.other();
        Ending::Time {
            winner: (!self.position.has_insufficient_material(winner)).then_some(winner),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(fen: &str) -> Game {
        Game::new(torres_chess::parse_fen(fen).unwrap())
    }

    fn play(game: &mut Game, moves: &str) {
        for uci in moves.split_whitespace() {
            assert!(game.play(&uci.parse().unwrap()).is_some(), "{uci} in {}", game.fen());
        }
    }

    #[test]
    fn an_illegal_move_changes_nothing() {
        let mut game = Game::new(Chess::default());
        for uci in ["e2e5", "e7e5", "e1g1", "a3a4", "e2e4q"] {
            assert!(game.play(&uci.parse().unwrap()).is_none(), "{uci}");
        }
        assert_eq!(game.fen(), fen(&Chess::default()));
        assert!(game.plies().is_empty());
    }

    #[test]
    fn castling_onto_the_rook_is_the_kings_two_steps() {
        let mut game = from("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
        play(&mut game, "e1h1");
        assert_eq!(game.plies()[0].uci.to_string(), "e1g1");
        assert_eq!(game.fen(), "4k3/8/8/8/8/8/8/R4RK1 b - - 1 1");
        assert_eq!(game.fen_at(0).unwrap(), "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
        assert_eq!(game.fen_at(1), Some(game.fen()));
        assert_eq!(game.fen_at(2), None);
    }

    #[test]
    fn moves_taken_back_were_never_played() {
        let mut game = Game::new(Chess::default());
        play(&mut game, "e2e4 e7e5");
        let (before, keys) = (game.fen(), game.keys.clone());
        play(&mut game, "g1f3 b8c6 f1b5");
        game.take_back(3);
        assert_eq!((game.fen(), game.plies().len()), (before, 2));
        assert_eq!(game.keys, keys, "what was taken back is no repetition");
        game.take_back(9);
        assert_eq!(game.fen(), fen(&Chess::default()));
    }

    #[test]
    fn games_end_by_the_rules() {
        let endings = [
            ("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "f7g7", "1-0 checkmate"),
            ("7k/4Q3/6K1/8/8/8/8/8 w - - 0 1", "e7f7", "1/2-1/2 stalemate"),
            (
                "7k/8/6K1/8/8/8/4p3/4B3 w - - 0 1",
                "g6f6 h8h7 f6f5 h7g7 f5e4 g7f6 e4e3 f6f5 e3e2",
                "1/2-1/2 insufficient material",
            ),
            ("7k/8/6K1/8/8/8/8/R7 w - - 99 90", "a1a2", "1/2-1/2 fifty moves"),
            ("7k/8/6K1/8/8/8/8/R7 w - - 99 90", "a1a8", "1-0 checkmate"),
        ];
        for (fen, moves, ending) in endings {
            let mut game = from(fen);
            assert_eq!(game.ending(), None, "{fen}");
            play(&mut game, moves);
            assert_eq!(game.ending().map(|e| e.to_string()).as_deref(), Some(ending), "{fen}");
        }
    }

    #[test]
    fn the_third_occurrence_is_a_draw_and_a_dead_en_passant_square_does_not_hide_it() {
        let mut game = Game::new(Chess::default());
        // After 1.e4 no black pawn can take on e3, so the position after it counts from its first occurrence.
        play(&mut game, "e2e4 g8f6 g1f3 f6g8 f3g1 g8f6 g1f3 f6g8");
        assert_eq!(game.ending(), None);
        play(&mut game, "f3g1");
        assert_eq!(game.ending(), Some(Ending::ThreefoldRepetition));
    }

    #[test]
    fn a_flag_loses_unless_the_other_side_cannot_mate() {
        assert_eq!(
            Game::new(Chess::default()).flagged(Color::White).to_string(),
            "0-1 time"
        );
        let bare = from("7k/8/6K1/8/8/8/8/R7 w - - 0 1");
        assert_eq!(
            bare.flagged(Color::White).to_string(),
            "1/2-1/2 time against insufficient material"
        );
        assert_eq!(bare.flagged(Color::Black).to_string(), "1-0 time");
    }
}
