//! From one line of the journal to the next: which ply it belongs to.

use super::{GameStory, PlyStory, Question, RecordingStory, When, Work};
use crate::event::{Answer, Entry, Event, GameStarted, PonderEnd, Seen, Think};
use crate::pgn::numbered;
use shakmaty::{Chess, Position};
use torres_chess::{fen, parse_fen, parse_move};
use torres_frame::WallTime;

/// Tells one game.
#[derive(Default)]
pub(super) struct Teller {
    pub game: GameStory,
    position: Chess,
    /// What belongs to the next ply.
    pending: Work,
    /// The last question on the opponent's time.
    pondering: Option<Question>,
}

impl Teller {
    pub(crate) fn end(mut self) -> GameStory {
        self.game.rest = self.pending;
        self.game
    }

    /// Takes the next line of the journal.
    pub(crate) fn take(&mut self, line: usize, entry: &Entry) {
        let at = When { line, wall: entry.t_ms };
        self.game.header.at.get_or_insert(at);
        self.pending.lines.push(line);
        match entry.event.clone() {
            Event::Started { version, command, .. } => self.game.header.program = Some((version, command)),
            Event::GameStarted(started) => self.begins(started),
            Event::Calibrated(calibrated) => push_new(&mut self.game.header.calibrated, calibrated),
            Event::Vouched(vouched) => push_new(&mut self.game.header.vouched, vouched),
            Event::Recording { folder } => self.records(folder),
            Event::Recorded {
                cut_short, left_out, ..
            } => {
                if let Some(recording) = self.game.recordings.last_mut() {
                    (recording.cut_short, recording.left_out) = (cut_short, left_out);
                }
            }
            Event::Seen(seen) if !seen.moves.is_empty() => self.seen(at, &seen),
            Event::Think(asked) => self.asked(at, asked),
            Event::Pondered { id, end, .. } => {
                self.happened(at, entry);
                self.pondered(at, id, end);
            }
            Event::Answer(answer) => self.answered(at, answer),
            Event::Verdict(verified) => {
                let is_it = |ply: &PlyStory| ply.played == verified.played && ply.verified.is_none();
                self.of_ply(line, is_it, |ply| ply.verified = Some((at, verified.clone())));
            }
            Event::Played {
                ply,
                played,
                took_ms,
                left_ms,
                ..
            } => self.played(line, (ply as usize, &played), (took_ms, left_ms)),
            Event::Confirmed {
                played,
                known_t_ms,
                after_ms,
            } => self.confirmed(at, &played, known_t_ms, after_ms),
            Event::TakenBack { plies, fen } => {
                self.taken_back(plies, fen);
                self.happened(at, entry);
            }
            Event::Result {
                result, termination, ..
            } => self.game.result = Some((result, termination)),
            _ => self.happened(at, entry),
        }
    }

    fn begins(&mut self, started: GameStarted) {
        self.position = parse_fen(&started.fen).unwrap_or_default();
        self.pending.lines.pop();
        let moves = started.moves.clone();
        self.game.header.started = Some(started);
        for played in moves {
            self.ply(&played, None, Work::default());
        }
        if let Some(recording) = self.game.recordings.last_mut() {
            recording.from = self.game.plies.len();
        }
    }

    /// A recording begins; where no line says how it ended, it broke off with Torres.
    fn records(&mut self, folder: String) {
        self.game.recordings.push(RecordingStory {
            folder,
            from: self.game.moves().len(),
            cut_short: Some("Torres was ended before it was".to_owned()),
            left_out: 0,
        });
    }

    fn answered(&mut self, at: When, answer: Answer) {
        let mut questions = self.pending.questions.iter_mut().rev();
        if let Some(question) = questions.find(|question| question.asked.id == answer.id) {
            question.answer = Some((at, answer));
        }
    }

    /// The board came to rest after a move, the one that was seen at the time `known_t_ms`.
    fn confirmed(&mut self, at: When, played: &str, known_t_ms: WallTime, after_ms: Option<f64>) {
        let known = |(seen, _): &(When, Seen)| (seen.wall.as_ms() - known_t_ms.as_ms()).abs() < 0.1;
        let after = after_ms.unwrap_or_else(|| at.wall.as_ms() - known_t_ms.as_ms());
        let is_it = |ply: &PlyStory| ply.played == played && ply.seen.as_ref().is_some_and(known);
        self.of_ply(at.line, is_it, |ply| ply.confirmed = Some((at, after)));
    }

    fn asked(&mut self, at: When, asked: Think) {
        let question = Question {
            at,
            asked,
            answer: None,
        };
        if question.asked.ponder.is_some() {
            self.pondering = Some(question.clone());
        }
        self.pending.questions.push(question);
    }

    /// A search on the opponent's time came to its end. From the hit on it is a question about the position on the
    /// board.
    fn pondered(&mut self, at: When, id: u64, end: PonderEnd) {
        let hit = self.pondering.take_if(|it| it.asked.id == id && end == PonderEnd::Hit);
        self.pending.questions.extend(hit.map(|question| Question {
            at,
            asked: Think {
                ponder: None,
                ..question.asked
            },
            ..question
        }));
    }

    /// A move is part of the game. One that no look of its own told was found on the board after moves were taken back.
    fn played(&mut self, line: usize, (number, played): (usize, &str), clock_ms: (f64, f64)) {
        let is_it = |it: &PlyStory| !it.taken_back && it.number == number && it.played == played;
        if !self.game.plies.iter().any(is_it) {
            let work = std::mem::take(&mut self.pending);
            self.ply(played, None, work);
        }
        self.of_ply(line, is_it, |ply| ply.clock_ms = Some(clock_ms));
    }

    fn taken_back(&mut self, plies: usize, fen: String) {
        let standing = self.game.plies.iter_mut().rev().filter(|ply| !ply.taken_back);
        let taken: Vec<&mut PlyStory> = standing.take(plies).collect();
        // The journal's position may have moves on top that are told next.
        let back_to = taken.last().map_or(fen, |first| first.fens.0.clone());
        taken.into_iter().for_each(|ply| ply.taken_back = true);
        self.position = parse_fen(&back_to).unwrap_or_else(|_| self.position.clone());
    }

    fn happened(&mut self, at: When, entry: &Entry) {
        self.pending.happened.push((at, entry.event.clone()));
    }

    /// Changes the last ply that fits; the line belongs to it then.
    fn of_ply(&mut self, line: usize, fits: impl Fn(&PlyStory) -> bool, change: impl FnOnce(&mut PlyStory)) {
        if let Some(ply) = self.game.plies.iter_mut().rev().find(|ply| fits(ply)) {
            self.pending.lines.pop();
            ply.work.lines.push(line);
            change(ply);
        }
    }

    fn seen(&mut self, at: When, seen: &Seen) {
        let mut work = Some(std::mem::take(&mut self.pending));
        let own = self.game.header.own();
        let ours = |index: usize| {
            let turn = self.position.turn();
            Some(if index.is_multiple_of(2) { turn } else { !turn }) == own
        };
        // Thoughts and gestures led to our own move, whatever else was seen with it.
        let owner = (0..seen.moves.len()).find(|index| ours(*index)).unwrap_or(0);
        for (index, played) in seen.moves.iter().enumerate() {
            let work = work.take_if(|_| index == owner).unwrap_or_default();
            self.ply(played, Some((at, seen.clone())), work);
        }
        // What was believed is the journal's word, should the moves not lead there.
        if let Ok(position) = parse_fen(&seen.fen) {
            self.position = position;
        }
        if let Some(ply) = self.game.plies.last_mut() {
            ply.fens.1 = seen.fen.clone();
        }
    }

    fn ply(&mut self, played: &str, seen: Option<(When, Seen)>, work: Work) {
        let by = self.position.turn();
        let before = fen(&self.position);
        let caption = match parse_move(played, &self.position) {
            Ok(legal) => {
                let caption = numbered(&self.position, legal);
                self.position.play_unchecked(legal);
                caption
            }
            Err(_) => played.to_owned(),
        };
        let number = self.game.plies.iter().filter(|ply| !ply.taken_back).count() + 1;
        self.game.plies.push(PlyStory {
            number,
            played: played.to_owned(),
            caption,
            by,
            ours: self.game.header.own() == Some(by),
            fens: (before, fen(&self.position)),
            seen,
            work,
            verified: None,
            confirmed: None,
            clock_ms: None,
            taken_back: false,
        });
    }
}

/// Adds what is not there yet.
fn push_new<T: PartialEq>(all: &mut Vec<T>, one: T) {
    if !all.contains(&one) {
        all.push(one);
    }
}
