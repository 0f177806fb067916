//! Who judges what the learner does.

use super::{End, Ply, Property, Step, Still, Task, Wish, mates_within};
use serde::{Deserialize, Serialize};
use shakmaty::uci::UciMove;
use shakmaty::{Bitboard, Board, Chess, EnPassantMode, Move, Position, Role, Square};

/// What the learner, or the engine that replies, did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// The learner made a move.
    Move(UciMove),
    /// The learner pointed at a square.
    Click(Square),
    /// The learner chose an answer, counted from 0.
    Option(usize),
    /// The learner asked for a hint.
    Hint,
    /// The engine's move, after [`Outcome::Ask`].
    Reply(UciMove),
}

/// How far a learner is in one step. It can be kept and taken up again: the board follows from its moves.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// The moves made, of both sides where both move.
    #[serde(with = "as_text")]
    pub moves: Vec<UciMove>,
    /// The right squares pointed at.
    #[serde(with = "as_text")]
    pub clicked: Vec<Square>,
    /// Mistakes since the step was first begun. What the rules forbid is not counted.
    pub mistakes: u32,
    /// Hints shown.
    pub hints: u32,
    /// Whether the step is done.
    pub finished: bool,
}

/// What becomes of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// How far the learner is now.
    pub progress: Progress,
    /// What happened.
    pub outcome: Outcome,
    /// What is said to the learner.
    pub said: Option<String>,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Right, and the step goes on. A reply of the file is played already.
    Right {
        /// The other side's move.
        reply: Option<UciMove>,
    },
    /// Right so far: the engine is to move in this position, and its move comes back as [`Input::Reply`].
    Ask {
        /// The position.
        fen: String,
    },
    /// The engine's move is played; it is the learner's turn.
    Replied,
    /// A mistake: the board is as before.
    Wrong,
    /// The rules forbid the move: the board is as before.
    Illegal,
    /// The attempt has failed: the step begins anew.
    Again,
    /// The step is done.
    Finished {
        /// A last move of the other side, played already.
        reply: Option<UciMove>,
    },
    /// A hint is shown: its place in the step's hints.
    Hint(usize),
    /// The input means nothing here: another kind of step, or not the learner's turn, or the step is done.
    Ignored,
}

/// The progress does not belong to this step: the lesson has changed since, or the engine's reply is no legal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the moves so far do not belong to this step; begin it anew")]
pub struct Stale;

/// What becomes of an input in a step.
///
/// # Errors
/// The progress is not one of this step.
pub fn judge(step: &Step, progress: &Progress, input: &Input) -> Result<Verdict, Stale> {
    let turn = Turn { step, progress };
    if *input == Input::Hint {
        return Ok(turn.hint());
    }
    match (&step.task, input) {
        _ if progress.finished => Ok(turn.ignored()),
        (
            Task::Walk {
                board,
                wish,
                moves,
                safe,
            },
            &Input::Move(named),
        ) => {
            let walked = Walked::along(board, &progress.moves)?;
            Ok(turn.walk(walked, wish, *moves, *safe, named))
        }
        (Task::Line { start, plies }, &Input::Move(named)) => turn.line(start, plies, named),
        (Task::Mate { start, moves }, input) => {
            let position = position_after(start, &progress.moves)?;
            turn.against(&position, Rival::Mate { moves: *moves }, input)
        }
        (Task::Against { start, until, moves }, input) => {
            let position = position_after(start, &progress.moves)?;
            let rival = Rival::Game {
                until: *until,
                moves: *moves,
            };
            turn.against(&position, rival, input)
        }
        (Task::Choose { squares, .. }, &Input::Click(square)) => Ok(turn.click(*squares, square)),
        (Task::Answer { options, .. }, &Input::Option(chosen)) => Ok(match options.get(chosen) {
            None => turn.ignored(),
            Some(choice) => match &choice.wrong {
                None => turn.finished(turn.progress.clone(), None),
                Some(said) => turn.wrong(said.as_str()),
            },
        }),
        _ => Ok(turn.ignored()),
    }
}

/// What stands on the board now.
///
/// # Errors
/// The progress is not one of this step.
pub fn board_now(step: &Step, progress: &Progress) -> Result<Board, Stale> {
    Ok(match &step.task {
        Task::Walk { board, .. } => Walked::along(board, &progress.moves)?.board.board().clone(),
        Task::Line { start, .. } | Task::Mate { start, .. } | Task::Against { start, .. } => {
            position_after(start, &progress.moves)?.board().clone()
        }
        Task::Choose { board, .. } | Task::Answer { board, .. } => board.board().clone(),
    })
}

/// Against whom the engine's side is played.
#[derive(Clone, Copy)]
enum Rival {
    /// Each move must keep the mate.
    Mate { moves: u32 },
    /// Any move goes; the end counts.
    Game { until: End, moves: u32 },
}

struct Turn<'a> {
    step: &'a Step,
    progress: &'a Progress,
}

impl Turn<'_> {
    fn verdict(&self, progress: Progress, outcome: Outcome, said: Option<String>) -> Verdict {
        Verdict {
            progress,
            outcome,
            said,
        }
    }

    fn ignored(&self) -> Verdict {
        self.verdict(self.progress.clone(), Outcome::Ignored, None)
    }

    fn hint(&self) -> Verdict {
        let mut progress = self.progress.clone();
        let shown = (progress.hints as usize).min(self.step.hints.len().saturating_sub(1));
        progress.hints = progress.hints.saturating_add(1);
        let said = self.step.hints.get(shown).map(|hint| hint.say.to_string());
        self.verdict(progress, Outcome::Hint(shown), said)
    }

    fn wrong(&self, said: &str) -> Verdict {
        let mut progress = self.progress.clone();
        progress.mistakes = progress.mistakes.saturating_add(1);
        self.verdict(progress, Outcome::Wrong, Some(said.to_owned()))
    }

    fn usual_wrong(&self) -> Verdict {
        self.wrong(self.step.wrong.as_str())
    }

    fn illegal(&self, said: &str) -> Verdict {
        self.verdict(self.progress.clone(), Outcome::Illegal, Some(said.to_owned()))
    }

    fn again(&self, why: &str) -> Verdict {
        let progress = Progress {
            moves: Vec::new(),
            clicked: Vec::new(),
            mistakes: self.progress.mistakes.saturating_add(1),
            ..self.progress.clone()
        };
        let said = format!("{why} {}", self.step.wrong);
        self.verdict(progress, Outcome::Again, Some(said))
    }

    fn finished(&self, progress: Progress, reply: Option<UciMove>) -> Verdict {
        let progress = Progress {
            finished: true,
            ..progress
        };
        let said = self.step.right.to_string();
        self.verdict(progress, Outcome::Finished { reply }, Some(said))
    }

    fn with_moves(&self, moves: impl IntoIterator<Item = UciMove>) -> Progress {
        let mut progress = self.progress.clone();
        progress.moves.extend(moves);
        progress
    }

    fn walk(&self, walked: Walked, wish: &Wish, most: Option<u32>, safe: bool, named: UciMove) -> Verdict {
        let Some(played) = walked.board.find(named) else {
            return self.illegal(why_illegal(&walked.board, named));
        };
        let next = walked.step(played);
        if safe && next.board.is_attacked(played.to()) {
            return self.usual_wrong();
        }
        let progress = self.with_moves([named]);
        let made = progress.moves.len();
        if next.fulfils(wish) {
            return self.finished(progress, None);
        }
        match most {
            Some(most) if made >= most as usize => self.again("That was the last move."),
            _ => self.verdict(progress, Outcome::Right { reply: None }, None),
        }
    }

    fn line(&self, start: &Chess, plies: &[Ply], named: UciMove) -> Result<Verdict, Stale> {
        let position = position_after(start, &self.progress.moves)?;
        let at = self.progress.moves.len() / 2;
        let ply = plies.get(at).ok_or(Stale)?;
        let Ok(played) = named.to_move(&position) else {
            return Ok(self.illegal_in(&position, named));
        };
        let named = UciMove::from_standard(played);
        if !ply.accept.takes(&position, played) {
            let own_words = ply.instead.iter().find(|(instead, _)| *instead == named);
            return Ok(match own_words {
                Some((_, said)) => self.wrong(said.as_str()),
                None => self.usual_wrong(),
            });
        }
        let progress = self.with_moves([named].into_iter().chain(ply.reply));
        Ok(match at + 1 == plies.len() {
            true => self.finished(progress, ply.reply),
            false => self.verdict(progress, Outcome::Right { reply: ply.reply }, None),
        })
    }

    fn illegal_in(&self, position: &Chess, named: UciMove) -> Verdict {
        let still = Still::new(&position.to_setup(EnPassantMode::Legal));
        self.illegal(why_illegal(&still, named))
    }

    /// The learner has moved when the number of moves is odd: then only a reply counts.
    fn against(&self, position: &Chess, rival: Rival, input: &Input) -> Result<Verdict, Stale> {
        let engines_turn = self.progress.moves.len() % 2 == 1;
        match (engines_turn, input) {
            (true, &Input::Reply(named)) => self.replied(position, rival, named),
            (false, &Input::Move(named)) => Ok(self.moved(position, rival, named)),
            _ => Ok(self.ignored()),
        }
    }

    fn moved(&self, position: &Chess, rival: Rival, named: UciMove) -> Verdict {
        let Ok(played) = named.to_move(position) else {
            return self.illegal_in(position, named);
        };
        let progress = self.with_moves([UciMove::from_standard(played)]);
        let made = progress.moves.len().div_ceil(2) as u32;
        let mut after = position.clone();
        after.play_unchecked(played);
        match rival {
            Rival::Mate { .. } if Property::Stalemate.has(position, played) => self.wrong(STALEMATE),
            Rival::Mate { moves } => {
                let left = (moves + 1).saturating_sub(made);
                match mates_within(position, left).contains(&played) {
                    false => self.usual_wrong(),
                    true if after.is_checkmate() => self.finished(progress, None),
                    true => self.ask(progress, &after),
                }
            }
            Rival::Game { until, moves } => match ended(&after, until, Some(played)) {
                Some(Ended::Well) => self.finished(progress, None),
                Some(Ended::Badly(why)) => self.again(why),
                None if made >= moves && until == End::Draw => self.finished(progress, None),
                None if made >= moves => self.again("That was the last move."),
                None => self.ask(progress, &after),
            },
        }
    }

    fn ask(&self, progress: Progress, position: &Chess) -> Verdict {
        let fen = torres_chess::fen(position);
        self.verdict(progress, Outcome::Ask { fen }, None)
    }

    fn replied(&self, position: &Chess, rival: Rival, named: UciMove) -> Result<Verdict, Stale> {
        let played = named.to_move(position).map_err(|_| Stale)?;
        let mut after = position.clone();
        after.play_unchecked(played);
        let progress = self.with_moves([UciMove::from_standard(played)]);
        let lost_piece = matches!(rival, Rival::Game { until: End::Draw, .. }) && played.is_promotion();
        let end = match rival {
            Rival::Mate { .. } => None,
            Rival::Game { .. } if lost_piece => Some(Ended::Badly("The pawn came through.")),
            Rival::Game { until, .. } => ended(&after, until, None),
        };
        Ok(match end {
            Some(Ended::Well) => self.finished(progress, Some(named)),
            Some(Ended::Badly(why)) => self.again(why),
            None => self.verdict(progress, Outcome::Replied, None),
        })
    }

    fn click(&self, wanted: Bitboard, square: Square) -> Verdict {
        if self.progress.clicked.contains(&square) {
            return self.ignored();
        }
        if !wanted.contains(square) {
            return self.usual_wrong();
        }
        let mut progress = self.progress.clone();
        progress.clicked.push(square);
        match wanted.into_iter().all(|wanted| progress.clicked.contains(&wanted)) {
            true => self.finished(progress, None),
            false => self.verdict(progress, Outcome::Right { reply: None }, None),
        }
    }
}

const STALEMATE: &str = "That is stalemate: no check and no move left, so the game is a draw.";

enum Ended {
    Well,
    Badly(&'static str),
}

/// Whether a game against the engine is over; `learners` is the learner's move when it was the last.
fn ended(position: &Chess, until: End, learners: Option<Move>) -> Option<Ended> {
    let promoted = learners.filter(|played| until == End::Promotion && played.is_promotion());
    if let Some(promoted) = promoted {
        let taken = position
            .legal_moves()
            .into_iter()
            .any(|reply| reply.to() == promoted.to());
        return Some(match taken {
            true => Ended::Badly("The new piece can be taken."),
            false if position.is_stalemate() => Ended::Badly(STALEMATE),
            false => Ended::Well,
        });
    }
    match () {
        () if position.is_checkmate() => Some(match learners {
            Some(_) => Ended::Well,
            None => Ended::Badly("That is mate."),
        }),
        () if until == End::Draw && (position.is_stalemate() || position.is_insufficient_material()) => {
            Some(Ended::Well)
        }
        () if position.is_stalemate() => Some(Ended::Badly(STALEMATE)),
        () if until == End::Promotion && learners.is_some() && gave_all_for_the_pawn(position) => Some(Ended::Well),
        () if position.is_insufficient_material() => Some(Ended::Badly("Nobody has enough pieces left to give mate.")),
        () => None,
    }
}

/// Whether the side to move has nothing but its king left, and the other one a rook or queen and no pawn: no pawn can be
/// promoted any more, and none need be.
fn gave_all_for_the_pawn(position: &Chess) -> bool {
    let board = position.board();
    let (bare, winner) = (board.by_color(position.turn()), board.by_color(!position.turn()));
    let mates = winner & board.rooks_and_queens();
    let takes = position.legal_moves().into_iter().any(|reply| reply.is_capture());
    bare.count() == 1 && (winner & board.pawns()).is_empty() && !mates.is_empty() && !takes
}

/// A walk as far as it went.
pub(super) struct Walked {
    pub(super) board: Still,
    reached: Bitboard,
    made: u32,
}

impl Walked {
    pub(super) fn along(start: &Still, moves: &[UciMove]) -> Result<Walked, Stale> {
        let begin = Walked {
            board: start.clone(),
            reached: Bitboard::EMPTY,
            made: 0,
        };
        moves.iter().try_fold(begin, |walked, &named| {
            let played = walked.board.find(named).ok_or(Stale)?;
            Ok(walked.step(played))
        })
    }

    fn step(&self, played: Move) -> Walked {
        Walked {
            board: self.board.after(played),
            reached: self.reached.with(played.to()),
            made: self.made + 1,
        }
    }

    fn fulfils(&self, wish: &Wish) -> bool {
        match *wish {
            Wish::Free(moves) => self.made >= moves,
            Wish::Reach(squares) => (squares & !self.reached).is_empty(),
            Wish::Capture(squares) => (squares & self.board.board().by_color(!self.board.mover())).is_empty(),
        }
    }
}

pub(super) fn position_after(start: &Chess, moves: &[UciMove]) -> Result<Chess, Stale> {
    moves.iter().try_fold(start.clone(), |mut position, named| {
        let played = named.to_move(&position).map_err(|_| Stale)?;
        position.play_unchecked(played);
        Ok(position)
    })
}

/// A sentence that says why a move is not allowed.
fn why_illegal(board: &Still, named: UciMove) -> &'static str {
    let Some((from, to)) = named.from().zip(named.to()) else {
        return "That is not a move.";
    };
    let Some(piece) = board.board().piece_at(from) else {
        return "There is no piece on that square.";
    };
    if piece.color != board.mover() {
        return "That piece belongs to the other side.";
    }
    if board.reaches(from, to) {
        return "Your king would be in check then.";
    }
    match piece.role {
        Role::Pawn => "A pawn steps straight ahead, and takes one square diagonally ahead.",
        Role::Knight => "A knight jumps in an L: two squares one way and one to the side.",
        Role::Bishop => "A bishop glides along diagonals, and cannot jump over pieces.",
        Role::Rook => "A rook glides straight along ranks and files, and cannot jump over pieces.",
        Role::Queen => "A queen glides straight or diagonally, and cannot jump over pieces.",
        Role::King if from.distance(to) == 2 && from.rank() == to.rank() => "You cannot castle here.",
        Role::King => "A king steps one square in any direction, and never into check.",
    }
}

/// Moves and squares as the texts that people write.
mod as_text {
    use serde::{Deserialize, Deserializer, Serializer, de};
    use std::fmt::Display;
    use std::str::FromStr;

    pub(crate) fn serialize<T: Display, S: Serializer>(values: &[T], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(values.iter().map(T::to_string))
    }

    pub(crate) fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<T>, D::Error> {
        let texts = Vec::<String>::deserialize(deserializer)?;
        texts
            .iter()
            .map(|text| text.parse().map_err(de::Error::custom))
            .collect()
    }
}
