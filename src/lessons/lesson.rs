//! What a lesson is. Values come from [`parse`](super::parse) alone: a lesson that exists is well formed.

use super::Still;
use serde::Deserialize;
use shakmaty::uci::UciMove;
use shakmaty::{Bitboard, Chess, Color, Move, Position, Role, Square};
use std::fmt;

/// A row of steps on one subject.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lesson {
    /// Its name in progress and addresses: small letters, digits and hyphens, the name of its file.
    pub id: String,
    /// Where in the course it stands.
    pub part: Part,
    /// What the learner reads in the list.
    pub title: Said,
    /// What is told before the first step, sentence by sentence; never empty.
    pub text: Vec<Said>,
    /// What the learner does; never empty.
    pub steps: Vec<Step>,
}

/// The part of the course.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// The rules.
    Basic,
    /// How to play well.
    Advanced,
}

/// A short text for the learner: not empty, one line, at most [`Said::LONGEST`] characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said(String);

impl Said {
    /// The longest text, in characters.
    pub const LONGEST: usize = 160;

    /// The text, if it is short, and not empty.
    pub fn new(text: &str) -> Option<Said> {
        let fits = !text.trim().is_empty() && text.chars().count() <= Said::LONGEST;
        (fits && !text.chars().any(char::is_control)).then(|| Said(text.to_owned()))
    }

    /// A text of our own, short as it is.
    pub(super) fn fixed(text: &'static str) -> Said {
        debug_assert!(Said::new(text).is_some(), "{text}");
        Said(text.to_owned())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One position and what is to be done in it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// The line of the file in which it begins, from 1.
    pub line: usize,
    /// What the learner is asked.
    pub ask: Said,
    /// The board, and when the step is done.
    pub task: Task,
    /// What is shown with the question.
    pub marks: Marks,
    /// Helps, from a nudge to the answer; never empty.
    pub hints: Vec<Hint>,
    /// What is said after a mistake that has no words of its own.
    pub wrong: Said,
    /// What is said when the step is done.
    pub right: Said,
}

/// What the learner does in a step. The learner is the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    /// Move while the other side stands still.
    Walk {
        /// Where it begins.
        board: Still,
        /// When it is done.
        wish: Wish,
        /// The most moves it may take; `None` for any number.
        moves: Option<u32>,
        /// Whether no move may end where the other side can take.
        safe: bool,
    },
    /// Play the moves of a line; the file has the other side's replies.
    Line {
        /// Where it begins.
        start: Chess,
        /// The learner's moves, never empty.
        plies: Vec<Ply>,
    },
    /// Give mate in this many moves, whatever the other side does. The caller has an engine reply.
    Mate {
        /// Where it begins.
        start: Chess,
        /// Moves of the learner, 1 to 3.
        moves: u32,
    },
    /// Play on against the engine until something is reached. The caller has it reply.
    Against {
        /// Where it begins.
        start: Chess,
        /// What is to be reached.
        until: End,
        /// Moves of the learner, 1 to 60.
        moves: u32,
    },
    /// Point at squares, in any order.
    Choose {
        /// What is shown.
        board: Still,
        /// All that are to be pointed at; never empty.
        squares: Bitboard,
    },
    /// Choose one of some answers.
    Answer {
        /// What is shown.
        board: Still,
        /// Two to five, of which one is right.
        options: Vec<Choice>,
    },
}

impl Task {
    /// The learner's colour: it belongs at the bottom of the board.
    pub fn learner(&self) -> Color {
        match self {
            Task::Walk { board, .. } | Task::Choose { board, .. } | Task::Answer { board, .. } => board.mover(),
            Task::Line { start, .. } | Task::Mate { start, .. } | Task::Against { start, .. } => start.turn(),
        }
    }
}

/// When a walk is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// After this many moves, whichever.
    Free(u32),
    /// When a move has ended on each of these squares.
    Reach(Bitboard),
    /// When nothing of the other side stands on these squares any more.
    Capture(Bitboard),
}

/// One move of the learner in a line, and the reply to it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ply {
    /// Which moves are right.
    pub accept: Accept,
    /// In which sense they are right.
    pub claim: Claim,
    /// Moves that get words of their own when they are refused.
    pub instead: Vec<(UciMove, Said)>,
    /// What the other side plays then; `None` only after the last.
    pub reply: Option<UciMove>,
}

/// Which of the legal moves are right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Accept {
    /// These.
    These(Vec<UciMove>),
    /// All but these.
    AllBut(Vec<UciMove>),
    /// Every move that has this property.
    Every(Property),
}

impl Accept {
    /// Whether this legal move is right in this position.
    pub fn takes(&self, position: &Chess, played: Move) -> bool {
        let named = UciMove::from_standard(played);
        match self {
            Accept::These(moves) => moves.contains(&named),
            Accept::AllBut(moves) => !moves.contains(&named),
            Accept::Every(property) => property.has(position, played),
        }
    }
}

/// What the rules say of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Property {
    /// It gives mate.
    Mate,
    /// It gives check.
    Check,
    /// It takes something.
    Capture,
    /// It castles.
    Castling,
    /// A pawn takes en passant.
    EnPassant,
    /// A pawn becomes a piece.
    Promotion,
    /// The king moves, without castling.
    KingMove,
    /// Something steps between the king and what gives check.
    Block,
    /// It leaves the other side without a move and not in check.
    Stalemate,
}

impl Property {
    /// Whether this legal move of this position has the property.
    pub fn has(self, position: &Chess, played: Move) -> bool {
        let after = || {
            let mut after = position.clone();
            after.play_unchecked(played);
            after
        };
        match self {
            Property::Mate => after().is_checkmate(),
            Property::Check => after().is_check(),
            Property::Capture => played.is_capture(),
            Property::Castling => played.is_castle(),
            Property::EnPassant => played.is_en_passant(),
            Property::Promotion => played.is_promotion(),
            Property::KingMove => played.role() == Role::King && !played.is_castle(),
            Property::Block => position.is_check() && played.role() != Role::King && !played.is_capture(),
            Property::Stalemate => after().is_stalemate(),
        }
    }
}

/// In which sense the accepted moves are right: what the check of the lessons holds them to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Claim {
    /// The best: every refused move is clearly worse.
    #[default]
    Best,
    /// Good: none is clearly worse than the best. The text asks for a plan, and other moves may be as good.
    Good,
    /// Asked for: the text or a rule says which moves are meant, strong or not.
    Asked,
}

/// How a game against the engine ends well for the learner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// The learner gives mate.
    Mate,
    /// A pawn of the learner becomes a piece that cannot be taken at once, or costs the other side its last piece where
    /// the learner has a rook or queen left.
    Promotion,
    /// The game is drawn, or all moves are made without a loss: no mate, and no new piece for the other side.
    Draw,
}

/// One of the answers to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Choice {
    /// What it says.
    pub option: Said,
    /// What is said when it is chosen; `None` where it is right.
    pub wrong: Option<Said>,
}

/// A help that the learner asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hint {
    /// What it says.
    pub say: Said,
    /// What it shows.
    pub marks: Marks,
}

/// What is marked on a board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Marks {
    /// Squares.
    pub squares: Vec<Square>,
    /// Arrows, from and to.
    pub arrows: Vec<(Square, Square)>,
}
