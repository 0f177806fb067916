//! What is kept of a game while it is played: the journal's lines, evidence, the PGN's plies, the contact sheet.
//!
//! Writing may fail (a full disk); the game does not stop for it: the first failure is kept and told at the end.

use super::driver::Thought;
use super::game::{Game, fen, uci};
use super::machine::{Attempt, Fact, Machine, Origin, PauseReason, Purpose};
use super::place::Place;
use crate::frame::{Frame, Timestamp};
use crate::geometry::{BoardMap, InputPt, Orientation};
use crate::journal::pgn::{self, Ply};
use crate::journal::{ContactSheet, Eval, Event, Evidence, GestureKind, Journal, Verdict};
use crate::link::messages::{BestMove, Go, Score};
use crate::mouse::{Gesture, Performed};
use crate::vision::Reading;
use serde_json::{Value, json};
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Color, Position};
use std::io;
use std::path::PathBuf;

/// A frame that was looked at, and what vision said of it.
pub type Looked<'a> = Option<(&'a Frame, &'a Reading)>;

/// Own moves by how they landed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Landings {
    /// At the first gesture.
    pub first_try: u32,
    /// At the second.
    pub after_retry: u32,
    /// Our side made another move than the one ordered.
    pub other: u32,
}

/// Keeps what is worth keeping of one game.
pub struct Log {
    journal: Journal,
    calibration: Value,
    bottom: Orientation,
    plies: Vec<Ply>,
    sheet: ContactSheet,
    landings: Landings,
    asked_at: Timestamp,
    paused_at: Timestamp,
    thought: Option<Thought>,
    believed: String,
    /// The board right before our gesture.
    before: Option<(Frame, BoardMap)>,
    /// The move being entered.
    entering: String,
    last_understood: Option<Frame>,
    failure: Option<String>,
}

impl Log {
    /// Keeps a game's records through this journal; `calibration` is stored beside evidence.
    pub fn new(journal: Journal, calibration: Value, bottom: Orientation) -> Log {
        Log {
            journal,
            calibration,
            bottom,
            plies: Vec::new(),
            sheet: ContactSheet::default(),
            landings: Landings::default(),
            asked_at: Timestamp::default(),
            paused_at: Timestamp::default(),
            thought: None,
            believed: String::new(),
            before: None,
            entering: String::new(),
            last_understood: None,
            failure: None,
        }
    }

    /// The PGN's plies so far.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// The contact sheet so far.
    pub fn sheet(&self) -> &ContactSheet {
        &self.sheet
    }

    /// How our moves landed so far.
    pub fn landings(&self) -> Landings {
        self.landings
    }

    /// The first thing that could not be written, if any.
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// Writes a line of the journal.
    pub fn write(&mut self, event: Event) {
        let written = self.journal.write(event);
        self.keep_failure(written);
    }

    fn keep_failure<T>(&mut self, written: io::Result<T>) -> Option<T> {
        match written {
            Ok(value) => Some(value),
            Err(error) => {
                self.failure.get_or_insert(error.to_string());
                None
            }
        }
    }

    /// The game starts from what was recognised.
    pub fn started(&mut self, game: &Game, clock: String, opponent: Option<String>) {
        self.believed = fen(game.position());
        self.write(Event::GameStarted {
            fen: game.start_fen(),
            color: self.bottom,
            clock: Some(clock),
            opponent,
        });
        // Moves that had been made before we came are part of the game all the same.
        self.plies = game.moves().iter().map(|m| Ply::bare(*m)).collect();
    }

    /// A frame in which the position believed stands: what evidence starts with.
    pub fn understood(&mut self, frame: &Frame) {
        self.last_understood = Some(frame.clone());
    }

    pub(super) fn asked(&mut self, go: &Go) {
        self.asked_at = Timestamp::now();
        self.thought = None;
        let limits = serde_json::to_value(go.limits).unwrap_or_default();
        self.write(Event::Think {
            id: go.id,
            fen: self.believed.clone(),
            limits,
        });
    }

    pub(super) fn answered(&mut self, best: &BestMove, thought: Option<Thought>) {
        self.thought = thought;
        self.write(Event::Answer {
            id: best.id,
            best: best.best.clone(),
            eval: thought.map(|t| eval(t.score)),
            depth: thought.map(|t| t.depth),
            took_ms: Timestamp::now().since(self.asked_at).as_secs_f64() * 1e3,
            dropped: None,
        });
    }

    /// What the next gesture is for: a move, or the square of a click.
    pub(super) fn entering(&mut self, what: String) {
        self.entering = what;
    }

    /// What was seen right before a move was entered; the contact sheet shows it.
    pub(super) fn before_gesture(&mut self, frame: &Frame, map: BoardMap) {
        self.before = Some((frame.clone(), map));
    }

    /// What was seen right before the move being entered.
    pub(super) fn before(&self) -> Option<(&Frame, &BoardMap)> {
        self.before.as_ref().map(|(frame, map)| (frame, map))
    }

    pub(super) fn performed(&mut self, kind: GestureKind, gesture: &Gesture, performed: &Performed) {
        let points: &[InputPt] = match gesture {
            Gesture::Drag { from, to } | Gesture::ClickClick { from, to } => &[*from, *to],
            Gesture::Click(at) | Gesture::MoveTo(at) => &[*at],
        };
        let points = points.iter().map(|p| (p.x, p.y)).collect();
        self.write(Event::Gesture {
            kind,
            played: self.entering.clone(),
            points,
            released_t_ms: performed.released_at.as_ms(),
        });
    }

    pub(super) fn refused(&mut self, reason: &PauseReason) {
        self.write(Event::Refused {
            reason: format!("{}: {reason}", self.entering),
            evidence: None,
        });
    }

    pub(super) fn guard_refused(&mut self, panel: &Frame) -> Option<PathBuf> {
        self.evidence("opponent", &[panel], &json!({"why": "the opponent panel changed"}))
    }

    pub(super) fn seen(&mut self, frame: &Frame, reading: &Reading, at: Timestamp) {
        let Reading::Seen(sighting) = reading else { return };
        if sighting.line.is_empty() {
            return;
        }
        self.believed = fen(&sighting.position);
        let written = self.journal.write_at(
            at,
            Event::Seen {
                moves: sighting.line.iter().map(|m| uci(*m)).collect(),
                fen: self.believed.clone(),
                confidence: sighting.confidence,
                frame_t_ms: frame.at.as_ms(),
            },
        );
        self.keep_failure(written);
    }

    pub(super) fn played(&mut self, fact: &Fact, before: &Chess, machine: &Machine, now: Timestamp) {
        let Fact::Played {
            played,
            by,
            took,
            origin,
        } = fact
        else {
            return;
        };
        let own = *by == machine.own();
        let thought = self.thought.filter(|_| own && *origin != Origin::NotOurs);
        let landed = matches!(origin, Origin::Landed { .. });
        match origin {
            Origin::Landed { attempt: 1, .. } => self.landings.first_try += 1,
            Origin::Landed { .. } => self.landings.after_retry += 1,
            Origin::NotOurs => self.landings.other += 1,
            Origin::Opponent => {}
        }
        if let Origin::Landed { after, .. } = origin {
            self.write(Event::Verdict {
                played: uci(*played),
                verdict: Verdict::Landed,
                took_ms: after.as_secs_f64() * 1e3,
                evidence: None,
            });
        } else if *origin == Origin::NotOurs {
            self.write(Event::Verdict {
                played: uci(*played),
                verdict: Verdict::Other,
                took_ms: 0.0,
                evidence: None,
            });
        }
        if landed && let Some((frame, map)) = self.before.take() {
            let mut after = before.clone();
            let san = SanPlus::from_move_and_play_unchecked(&mut after, *played);
            let dots = before.turn().fold_wb(".", "...");
            let caption = format!("{}{dots} {san}", before.fullmoves());
            let remark = thought.map(|t| eval(t.score).to_string()).unwrap_or_default();
            self.sheet.add(&frame.image, &map, *played, &caption, &remark);
        }
        self.plies.push(Ply {
            played: *played,
            eval: thought.map(|t| eval(t.score)),
            elapsed: Some(*took),
            clock: Some(machine.clock().left(*by, now)),
            remark: (*origin == Origin::NotOurs).then(|| "not ordered by Torres".to_owned()),
        });
        if own {
            self.thought = None;
        }
    }

    pub(super) fn not_landed(&mut self, attempt: &Attempt, looked: Looked<'_>) {
        let evidence = self.doubt("not_landed", looked);
        self.write(Event::Retry {
            played: uci(attempt.played),
            by: kind_of(attempt.manner.other()),
            evidence: evidence.map(|p| p.display().to_string()),
        });
    }

    pub(super) fn paused(&mut self, reason: &PauseReason, looked: Looked<'_>) -> Option<PathBuf> {
        self.paused_at = Timestamp::now();
        let evidence = match reason {
            PauseReason::User | PauseReason::Engine(_) => None,
            PauseReason::Opponent(_) => None,
            _ => self.doubt("pause", looked),
        };
        let path = evidence.as_ref().map(|p| p.display().to_string());
        if let Some((_, Reading::Unknown(doubt))) = looked {
            let changed = doubt.changed.iter().map(|s| s.to_string()).collect();
            self.write(Event::Unknown {
                changed,
                evidence: path.clone(),
            });
        }
        self.write(Event::Pause {
            reason: reason.to_string(),
            evidence: path,
        });
        evidence.map(|path| self.journal.dir().join(path))
    }

    pub(super) fn resumed(&mut self) {
        let paused_ms = Timestamp::now().since(self.paused_at).as_secs_f64() * 1e3;
        self.write(Event::Resume { paused_ms });
    }

    pub(super) fn engine_restarted(&mut self, why: &str) {
        self.write(Event::EngineRestarted { reason: why.to_owned() });
    }

    pub(super) fn board_found(&mut self, place: &Place) {
        let rect = place.board();
        self.write(Event::BoardMoved {
            to: Some(crate::journal::Place {
                x: rect.x(),
                y: rect.y(),
                width: rect.width(),
                height: rect.height(),
            }),
        });
    }

    /// The frames and scores behind a doubtful decision, the last understood frame first.
    fn doubt(&mut self, kind: &str, looked: Looked<'_>) -> Option<PathBuf> {
        let (frame, reading) = looked?;
        let understood = self.last_understood.clone();
        let frames: Vec<&Frame> = understood.iter().chain([frame]).collect();
        self.evidence(kind, &frames, &details(reading))
    }

    fn evidence(&mut self, kind: &str, frames: &[&Frame], details: &Value) -> Option<PathBuf> {
        let written = self.journal.evidence(&Evidence {
            kind,
            frames,
            bottom: self.bottom,
            fen: &self.believed,
            calibration: Some(&self.calibration),
            details,
        });
        self.keep_failure(written)
    }
}

/// What vision said, as JSON.
fn details(reading: &Reading) -> Value {
    match reading {
        Reading::Unknown(doubt) => {
            let squares: Vec<Value> = doubt
                .reading
                .squares
                .iter()
                .map(|(square, seen)| {
                    json!({
                        "square": square.to_string(),
                        "content": seen.content.map(|piece| piece.char().to_string()),
                        "confidence": seen.confidence,
                        "doubtful": seen.doubtful,
                    })
                })
                .collect();
            let candidates: Vec<Value> = doubt
                .candidates
                .iter()
                .map(|(line, cost)| json!({"moves": line.iter().map(|m| uci(*m)).collect::<Vec<_>>(), "cost": cost}))
                .collect();
            let changed: Vec<String> = doubt.changed.iter().map(|s| s.to_string()).collect();
            json!({"reading": "unknown", "changed": changed, "candidates": candidates, "squares": squares})
        }
        Reading::Unchanged => json!({"reading": "unchanged"}),
        Reading::Moving => json!({"reading": "moving"}),
        Reading::Lost => json!({"reading": "lost"}),
        Reading::Seen(sighting) => json!({
            "reading": "seen",
            "moves": sighting.line.iter().map(|m| uci(*m)).collect::<Vec<_>>(),
            "confidence": sighting.confidence,
        }),
    }
}

/// A score that is White's already.
pub fn eval(score: Score) -> Eval {
    match score {
        Score::Cp(cp) => Eval::cp(cp, Color::White),
        Score::Mate(moves) => Eval::mate(moves, Color::White),
    }
}

/// The journal's word for a manner of entering a move.
pub(super) fn kind_of(manner: super::gesture::Manner) -> GestureKind {
    match manner {
        super::gesture::Manner::Drag => GestureKind::Drag,
        super::gesture::Manner::ClickClick => GestureKind::Clicks,
    }
}

/// The journal's word for a single click.
pub(super) fn kind_of_click(purpose: Purpose) -> GestureKind {
    match purpose {
        Purpose::Choice => GestureKind::Promotion,
        Purpose::Move | Purpose::Deselect => GestureKind::Deselect,
    }
}

/// The outcome as PGN needs it.
pub fn pgn_control(clock: super::clock::TimeControl) -> pgn::TimeControl {
    pgn::TimeControl {
        initial: clock.initial,
        increment: clock.increment,
    }
}
