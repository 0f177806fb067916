//! From one line of the journal to the next: which ply it belongs to.

use super::{
    Act, Answer, Decided, GameStory, Happening, PlyStory, RecordingStory, Seen, Verified, Vouched, When, Work,
};
use crate::event::{Entry, Event, PonderEnd};
use crate::pgn::numbered;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};
use torres_geometry::Orientation;

/// Tells one game.
#[derive(Default)]
pub(super) struct Teller {
    pub game: GameStory,
    position: Chess,
    /// What belongs to the next ply.
    pending: Work,
    /// The last question on the opponent's time.
    pondering: Option<Decided>,
}

impl Teller {
    pub fn end(mut self) -> GameStory {
        self.game.rest = self.pending;
        self.game
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

    pub fn take(&mut self, line: usize, entry: &Entry) {
        let at = When { line, wall: entry.t_ms };
        self.game.beginning.at.get_or_insert(at);
        self.pending.lines.push(line);
        match entry.event.clone() {
            Event::Started { version, command, .. } => self.game.beginning.program = Some((version, command)),
            Event::Vouched {
                name,
                panel,
                declared_bot,
                picture,
                also,
                second,
            } => {
                let pictures = std::iter::once(picture).chain(also).chain(second).collect();
                let vouched = Vouched {
                    name,
                    panel,
                    declared_bot,
                    pictures,
                };
                if !self.game.beginning.vouched.contains(&vouched) {
                    self.game.beginning.vouched.push(vouched);
                }
            }
            Event::Recording { folder } => self.records(folder),
            Event::Recorded {
                cut_short, left_out, ..
            } => {
                if let Some(recording) = self.game.recordings.last_mut() {
                    (recording.cut_short, recording.left_out) = (cut_short, left_out);
                }
            }
            Event::GameStarted {
                fen,
                moves,
                color,
                clock,
                opponent,
            } => {
                let beginning = &mut self.game.beginning;
                (beginning.color, beginning.clock, beginning.opponent) = (Some(color), clock, opponent);
                self.position = position(&fen).unwrap_or_default();
                beginning.fen = Some(fen);
                self.pending.lines.pop();
                for played in moves {
                    self.ply(&played, None, Work::default());
                }
                if let Some(recording) = self.game.recordings.last_mut() {
                    recording.from = self.game.plies.len();
                }
            }
            Event::Seen {
                moves,
                fen,
                confidence,
                frame_t_ms,
            } if !moves.is_empty() => {
                let seen = Seen {
                    at,
                    captured: frame_t_ms,
                    confidence,
                    together: moves.clone(),
                };
                self.seen(&moves, &fen, &seen);
            }
            Event::Think {
                id,
                fen,
                limits,
                ponder,
            } => {
                let asked = Decided {
                    id,
                    at,
                    fen,
                    limits,
                    ponder,
                    answer: None,
                };
                if asked.ponder.is_some() {
                    self.pondering = Some(asked.clone());
                }
                self.pending.decided.push(asked);
            }
            Event::Pondered { id, end, .. } => {
                self.happened(at, entry);
                // From the hit on it is a question about the position on the board.
                let hit = self.pondering.take_if(|asked| asked.id == id && end == PonderEnd::Hit);
                self.pending.decided.extend(hit.map(|asked| Decided {
                    at,
                    ponder: None,
                    ..asked
                }));
            }
            Event::Answer {
                id,
                best,
                eval,
                depth,
                nodes,
                pv,
                took_ms,
                dropped,
            } => {
                let answer = Answer {
                    at,
                    best,
                    eval,
                    depth,
                    nodes,
                    pv,
                    took_ms,
                    dropped,
                };
                if let Some(asked) = self.pending.decided.iter_mut().rev().find(|asked| asked.id == id) {
                    asked.answer = Some(answer);
                }
            }
            Event::Checked {
                board,
                stands,
                panel,
                took_ms,
                ..
            } => self.pending.done.push((
                at,
                Act::Checked {
                    board,
                    stands,
                    panel,
                    took_ms,
                },
            )),
            Event::Gesture {
                kind,
                played,
                points,
                released_t_ms,
            } => self.pending.done.push((
                at,
                Act::Gesture {
                    kind,
                    what: played,
                    points,
                    released: released_t_ms,
                },
            )),
            Event::Advised { played } => self.pending.done.push((at, Act::Advised { what: played })),
            Event::Retry { by, evidence, .. } => self.pending.done.push((at, Act::Retry { by, evidence })),
            Event::Verdict {
                played,
                verdict,
                took_ms,
                evidence,
            } => {
                let verified = Verified {
                    at,
                    verdict,
                    took_ms,
                    evidence,
                };
                self.of_ply(
                    line,
                    |ply| ply.played == played && ply.verified.is_none(),
                    |ply| {
                        ply.verified = Some(verified);
                    },
                );
            }
            Event::Played {
                ply,
                played,
                took_ms,
                left_ms,
                ..
            } => {
                let number = ply as usize;
                let is_it = |it: &PlyStory| !it.taken_back && it.number == number && it.played == played;
                if !self.game.plies.iter().any(is_it) {
                    // Moves found on the board after some were taken back: no look of their own told them.
                    let work = std::mem::take(&mut self.pending);
                    self.ply(&played, None, work);
                }
                self.of_ply(line, is_it, |ply| ply.clock_ms = Some((took_ms, left_ms)));
            }
            Event::Confirmed {
                played,
                known_t_ms,
                after_ms,
            } => {
                let known = |seen: &Seen| (seen.at.wall.as_ms() - known_t_ms.as_ms()).abs() < 0.1;
                let after = after_ms.unwrap_or_else(|| at.wall.as_ms() - known_t_ms.as_ms());
                let is_it = |ply: &PlyStory| ply.played == played && ply.seen.as_ref().is_some_and(known);
                self.of_ply(line, is_it, |ply| ply.confirmed = Some((at, after)));
            }
            Event::TakenBack { plies, fen } => {
                let standing = self.game.plies.iter_mut().rev().filter(|ply| !ply.taken_back);
                let taken: Vec<&mut PlyStory> = standing.take(plies).collect();
                // The journal's position may have moves on top that are told next.
                let back_to = taken.last().map_or(fen, |first| first.fens.0.clone());
                taken.into_iter().for_each(|ply| ply.taken_back = true);
                self.position = position(&back_to).unwrap_or_else(|| self.position.clone());
                self.happened(at, entry);
            }
            Event::Result {
                result, termination, ..
            } => self.game.result = Some((result, termination)),
            _ => self.happened(at, entry),
        }
    }

    fn happened(&mut self, at: When, entry: &Entry) {
        self.pending.happened.push(Happening {
            at,
            event: entry.event.clone(),
        });
    }

    /// Changes the last ply that fits; the line belongs to it then.
    fn of_ply(&mut self, line: usize, fits: impl Fn(&PlyStory) -> bool, change: impl FnOnce(&mut PlyStory)) {
        if let Some(ply) = self.game.plies.iter_mut().rev().find(|ply| fits(ply)) {
            self.pending.lines.pop();
            ply.work.lines.push(line);
            change(ply);
        }
    }

    fn seen(&mut self, moves: &[String], fen: &str, seen: &Seen) {
        let mut work = Some(std::mem::take(&mut self.pending));
        let own = self.game.beginning.color.map(Orientation::bottom);
        let ours = |index: usize| {
            let turn = self.position.turn();
            Some(if index.is_multiple_of(2) { turn } else { !turn }) == own
        };
        // Thoughts and gestures led to our own move, whatever else was seen with it.
        let owner = (0..moves.len()).find(|index| ours(*index)).unwrap_or(0);
        for (index, played) in moves.iter().enumerate() {
            let work = work.take_if(|_| index == owner).unwrap_or_default();
            self.ply(played, Some(seen.clone()), work);
        }
        // What was believed is the journal's word, should the moves not lead there.
        if let Some(position) = position(fen) {
            self.position = position;
        }
        if let Some(ply) = self.game.plies.last_mut() {
            ply.fens.1 = fen.to_owned();
        }
    }

    fn ply(&mut self, played: &str, seen: Option<Seen>, work: Work) {
        let by = self.position.turn();
        let before = fen_of(&self.position);
        let parsed: Option<UciMove> = played.parse().ok();
        let caption = match parsed.and_then(|uci| uci.to_move(&self.position).ok()) {
            Some(legal) => {
                let caption = numbered(&self.position, legal);
                self.position.play_unchecked(legal);
                caption
            }
            None => played.to_owned(),
        };
        let number = self.game.plies.iter().filter(|ply| !ply.taken_back).count() + 1;
        self.game.plies.push(PlyStory {
            number,
            played: played.to_owned(),
            caption,
            by,
            ours: self.game.beginning.color.map(Orientation::bottom) == Some(by),
            fens: (before, fen_of(&self.position)),
            seen,
            work,
            verified: None,
            confirmed: None,
            clock_ms: None,
            taken_back: false,
        });
    }
}

fn position(fen: &str) -> Option<Chess> {
    fen.parse::<Fen>().ok()?.into_position(CastlingMode::Standard).ok()
}

pub(super) fn fen_of(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}
