//! What is kept of a game while it is played: the journal's lines, evidence, the PGN's plies, the contact sheet.
//!
//! It is one thing, the game as it is written down; `acts`, `doubts`, `keeping` and `vouched` are its chapters.
//!
//! Writing may fail (a full disk); the game does not stop for it: the first failure is kept and told at the end.

mod acts;
mod doubts;
mod keeping;
mod vouched;

use super::clock::GameClock;
use super::confirm::{Confirming, Known};
use super::evidence::{Budget, Recent};
use super::eye::Observation;
use super::game::{Claim, Game};
use super::machine::{Attempt, Fact, Machine, Origin, PauseReason, describe};
use super::place::BoardPlace;
use super::recording::Recording;
use super::thinking::Thought;
use serde_json::Value;
use shakmaty::{ByColor, Chess, Color, Move, Position};
use std::io;
use std::path::PathBuf;
use std::time::Duration;
use torres_chess::{fen, uci};
use torres_fixture::Decided;
use torres_frame::{Clocks, Frame, Timestamp, boot_id};
use torres_geometry::{BoardMap, Orientation};
use torres_journal::event;
use torres_journal::pgn::{self, Ply};
use torres_journal::{ContactSheet, Eval, Event, Film, GestureKind, Journal, PonderEnd, Verdict};
use torres_link::answer::position_of;
use torres_link::messages::{BestMove, Go, Info, Score};
use torres_vision::clock::ClockTime;
use torres_vision::{BoardReading, Reading, RecallKind, Tracker};

/// While nobody moves, the site's clocks are written down this often.
const CLOCKS_EVERY: Duration = Duration::from_secs(5);

/// Own moves by how they landed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Landings {
    /// At the first gesture.
    pub first_try: u32,
    /// At a later one.
    pub after_retry: u32,
    /// Our side made another move than the one ordered.
    pub other: u32,
}

/// Keeps what is worth keeping of one game.
pub struct Log {
    journal: Journal,
    calibration: Value,
    bottom: Orientation,
    own: Color,
    plies: Vec<Ply>,
    sheet: ContactSheet,
    film: Film,
    recording: Option<Recording>,
    landings: Landings,
    asked_at: Timestamp,
    paused_at: Timestamp,
    thought: Option<Thought>,
    /// The last report of the search that runs.
    info: Option<Info>,
    position: Chess,
    /// The board right before our gesture.
    before: Option<(Frame, BoardMap)>,
    recent: Recent,
    budget: Budget,
    confirming: Confirming,
    /// The picture of a panel that was refused.
    panel_left: Option<PathBuf>,
    /// What was left of the last doubt, and what had been read.
    doubt: Option<(PathBuf, Option<BoardReading>)>,
    /// After how many plies, and when, the site's clocks were written down last.
    clocks_told: (usize, Timestamp),
    failure: Option<String>,
}

impl Log {
    /// Keeps the records of a game with this colour through this journal; `calibration` is stored beside evidence.
    pub fn new(journal: Journal, calibration: Value, bottom: Orientation, own: Color) -> Log {
        Log {
            journal,
            calibration,
            bottom,
            own,
            plies: Vec::new(),
            sheet: ContactSheet::default(),
            film: Film::default(),
            recording: None,
            landings: Landings::default(),
            asked_at: Timestamp::default(),
            paused_at: Timestamp::default(),
            thought: None,
            info: None,
            position: Chess::default(),
            before: None,
            recent: Recent::default(),
            budget: Budget::default(),
            confirming: Confirming::default(),
            panel_left: None,
            doubt: None,
            clocks_told: (usize::MAX, Timestamp::default()),
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

    /// The site's clocks were read: a line for each move, and one every few seconds.
    pub fn clocks(&mut self, shown: ByColor<Option<ClockTime>>, machine: &Machine, at: Timestamp) {
        let plies = machine.game().plies();
        let (told_plies, told) = self.clocks_told;
        if shown.iter().all(Option::is_none) || (plies == told_plies && at.since(told) < CLOCKS_EVERY) {
            return;
        }
        self.clocks_told = (plies, at);
        let ms = |shown: Option<ClockTime>| shown.map(|shown| shown.left.as_secs_f64() * 1e3);
        let own = |color| machine.clock().left(color, at).as_secs_f64() * 1e3;
        let event = Event::Clocks {
            white_ms: ms(shown.white),
            black_ms: ms(shown.black),
            own_white_ms: own(Color::White),
            own_black_ms: own(Color::Black),
        };
        self.write_at(&Clocks::now(), at, event);
    }

    /// Waits until all evidence is written.
    pub fn settle(&mut self) {
        let settled = self.journal.settle();
        self.keep_failure(settled);
    }

    /// Writes a line of the journal.
    pub fn write(&mut self, event: Event) {
        let written = self.journal.write(event);
        self.keep_failure(written);
    }

    /// Writes a line about another moment; the event's own times are told by the same reading of the clocks.
    fn write_at(&mut self, clocks: &Clocks, at: Timestamp, event: Event) {
        let written = self.journal.write_at(clocks, at, event);
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
        self.position = game.position().clone();
        self.write(Event::GameStarted(event::GameStarted {
            fen: game.start_fen(),
            moves: game.uci_moves(),
            color: self.own.into(),
            clock: Some(clock),
            opponent,
        }));
        // Moves that had been made before we came are part of the game all the same.
        self.plies = game.moves().iter().map(|m| Ply::bare(*m)).collect();
        self.film_begins(game);
    }

    /// A game that another run left goes on; moves that the board shows beyond it were made meanwhile, by whomever.
    pub fn continued(&mut self, left: &Game, game: &Game, clock: &mut GameClock, now: Timestamp) {
        self.write(Event::Continued {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            plies: left.plies() as u32,
            boot: boot_id(),
        });
        self.plies = left.moves().iter().map(|m| Ply::bare(*m)).collect();
        self.position = game.position().clone();
        let meanwhile = &game.moves()[left.plies()..];
        if meanwhile.is_empty() {
            return;
        }
        let clocks = Clocks::now();
        let seen = Event::Seen(event::Seen {
            moves: meanwhile.iter().map(|m| uci(*m)).collect(),
            fen: fen(game.position()),
            confidence: 1.0,
            frame_t_ms: clocks.wall(now),
        });
        self.write_at(&clocks, clocks.moment, seen);
        let mut by = left.position().turn();
        for played in meanwhile {
            let took = clock.moved(by, now);
            self.write(Event::Played {
                ply: self.plies.len() as u32 + 1,
                played: uci(*played),
                by: by.into(),
                took_ms: took.as_secs_f64() * 1e3,
                left_ms: clock.left(by, now).as_secs_f64() * 1e3,
            });
            self.plies.push(Ply::bare(*played));
            by = !by;
        }
    }

    pub(super) fn asked(&mut self, go: &Go) {
        self.asked_at = Timestamp::now();
        self.thought = None;
        self.info = None;
        let limits = serde_json::to_value(go.limits).unwrap_or_default();
        self.write(Event::Think(event::Think {
            id: go.id,
            fen: position_of(go).map_or_else(|_| go.fen.clone(), |position| fen(&position)),
            limits,
            ponder: go.moves.last().filter(|_| go.ponder).cloned(),
        }));
    }

    /// A search on the opponent's time came to its end as such. After a hit its answer is timed from now.
    pub(super) fn pondered(&mut self, id: u64, expected: Move, end: PonderEnd, took: Duration) {
        self.asked_at = Timestamp::now();
        self.write(Event::Pondered {
            id,
            expected: uci(expected),
            end,
            took_ms: took.as_secs_f64() * 1e3,
        });
    }

    /// How the search is going: the last of these is written down with the answer.
    pub(super) fn reported(&mut self, info: Info) {
        self.info = Some(info);
    }

    /// The engine answered; `dropped` is why that is of no use.
    pub(super) fn answered(&mut self, best: &BestMove, thought: Option<Thought>, dropped: Option<&str>) {
        if dropped.is_none() {
            self.thought = thought;
        }
        let info = self.info.take().filter(|info| info.id == best.id);
        self.write(Event::Answer(event::Answer {
            id: best.id,
            best: best.best.clone(),
            eval: thought.map(|t| eval(t.score)),
            depth: thought.map(|t| t.depth),
            nodes: info.as_ref().map(|info| info.nodes),
            pv: info.map(|info| info.pv).unwrap_or_default(),
            took_ms: Timestamp::now().since(self.asked_at).as_secs_f64() * 1e3,
            dropped: dropped.map(str::to_owned),
        }));
    }

    /// Moves were seen: the position believed is another one now.
    pub fn seen(
        &mut self,
        Observation {
            frame, reading, map, ..
        }: &Observation,
        at: Timestamp,
    ) {
        let (line, position, confidence) = match reading {
            Reading::Played(explained) => (&explained.line, &explained.position, explained.confidence),
            // A move made while the board was turned; believed only where every piece stands.
            Reading::Recalled(recall) if recall.kind == RecallKind::Turned => (&recall.line, &recall.position, 1.0),
            _ => return,
        };
        if line.is_empty() {
            return;
        }
        self.filmed(line, frame, map);
        self.position = position.clone();
        let clocks = Clocks::now();
        self.confirming.known(line, at, clocks.wall(at));
        let seen = Event::Seen(event::Seen {
            moves: line.iter().map(|m| uci(*m)).collect(),
            fen: fen(&self.position),
            confidence,
            frame_t_ms: clocks.wall(frame.at),
        });
        self.write_at(&clocks, at, seen);
    }

    /// Whether a move is known that the board at rest has not confirmed.
    pub(crate) fn awaits_confirmation(&self) -> bool {
        self.confirming.waits()
    }

    /// The whole board shows the position believed, its picture unchanged since `still`.
    pub fn stands(&mut self, (frame, map): (&Frame, &BoardMap), still: Timestamp, now: Timestamp) {
        let confirmed = self.confirming.stands(still, now);
        if !confirmed.is_empty() {
            self.film.shown(&frame.image, map);
        }
        for Known { played, at, written } in confirmed {
            let confirmed = Event::Confirmed {
                played: uci(played),
                known_t_ms: written,
                after_ms: Some(now.since(at).as_secs_f64() * 1e3),
            };
            self.write_at(&Clocks::now(), now, confirmed);
        }
    }

    pub(super) fn played(&mut self, fact: &Fact, before: &Chess, machine: &Machine) {
        let Fact::Played {
            played,
            by,
            took,
            left,
            origin,
        } = fact
        else {
            return;
        };
        let own = *by == machine.own();
        let landed = matches!(origin, Origin::Landed { .. });
        let thought = self.thought.filter(|_| own && landed);
        self.verdict(*played, *origin);
        // Of another position it tells nothing any more.
        if let Some((frame, map)) = self.before.take()
            && landed
        {
            let remark = thought.map(|t| eval(t.score).to_string()).unwrap_or_default();
            let caption = pgn::numbered(before, *played);
            self.sheet.add(&frame.image, &map, *played, &caption, &remark);
        }
        self.write(Event::Played {
            ply: self.plies.len() as u32 + 1,
            played: uci(*played),
            by: (*by).into(),
            took_ms: took.as_secs_f64() * 1e3,
            left_ms: left.as_secs_f64() * 1e3,
        });
        if self.film.len() == self.plies.len() {
            // Found on the board after moves were taken back: no look of its own told it.
            let mut after = before.clone();
            after.play_unchecked(*played);
            self.film.played(*played, after.board());
        }
        self.plies.push(Ply {
            played: *played,
            eval: thought.map(|t| eval(t.score)),
            elapsed: Some(*took),
            clock: Some(*left),
            remark: (*origin == Origin::NotOurs).then(|| "not ordered by Torres".to_owned()),
        });
        if own {
            self.thought = None;
        }
    }

    /// Counts the gesture that the move ends, if it ends one, and writes down what came of it.
    fn verdict(&mut self, played: Move, origin: Origin) {
        let (verdict, took) = match origin {
            Origin::Landed { attempt, after } => {
                match attempt {
                    1 => self.landings.first_try += 1,
                    _ => self.landings.after_retry += 1,
                }
                (Verdict::Landed, after)
            }
            Origin::NotOurs => {
                self.landings.other += 1;
                (Verdict::Other, Duration::ZERO)
            }
            Origin::Opponent | Origin::ByHand => return,
        };
        self.write(Event::Verdict(event::Verification {
            played: uci(played),
            verdict,
            took_ms: took.as_secs_f64() * 1e3,
            evidence: None,
        }));
    }

    /// Either side may claim a draw.
    pub(super) fn draw_claimable(&mut self, claim: Claim) {
        self.write(Event::DrawClaimable {
            rule: claim.to_string(),
        });
    }

    /// The board was turned round.
    pub(super) fn turned(&mut self, now: Orientation) {
        self.before = None;
        self.bottom = now;
        self.write(Event::Note {
            text: format!("the board was turned round: {now} now"),
        });
    }

    /// The last moves are no part of the game any more.
    pub(super) fn taken_back(&mut self, plies: usize, game: &Game) {
        self.before = None;
        self.plies.truncate(self.plies.len().saturating_sub(plies));
        self.film.take_back(plies);
        self.confirming.forget();
        self.position = game.position().clone();
        self.write(Event::TakenBack {
            plies,
            fen: fen(&self.position),
        });
    }

    /// Our gesture was broken off, since the board moved meanwhile.
    pub(super) fn withdrawn(&mut self, attempt: &Attempt) {
        self.write(Event::Note {
            text: format!("the board moved during {}; the piece was put back", describe(attempt)),
        });
    }

    /// How the board takes moves is known better now.
    pub(super) fn learned(&mut self, text: &str) {
        self.write(Event::Note { text: text.to_owned() });
    }

    /// Our gesture changed nothing; the move is entered once more.
    pub fn not_landed(&mut self, (made, next): (&Attempt, &Attempt), last: Option<&Observation>, tracker: &Tracker) {
        let why = format!("{} did not land", describe(made));
        let evidence = self.leave((Decided::Retry, &why), last, tracker);
        self.write(Event::Retry(event::Retry {
            played: uci(made.played),
            by: kind_of(next.manner),
            evidence: evidence.map(|p| p.display().to_string()),
        }));
    }

    /// All input is stopped. The folder of its evidence: what was left when the doubt began, if the same was read ever
    /// since.
    pub fn paused(&mut self, reason: &PauseReason, last: Option<&Observation>, tracker: &Tracker) -> Option<PathBuf> {
        self.paused_at = Timestamp::now();
        let evidence = match reason {
            PauseReason::User | PauseReason::Engine(_) => None,
            PauseReason::Opponent(_) => self.panel_left.take(),
            _ => self.stopped_by(reason, last, tracker),
        };
        let path = evidence.as_ref().map(|p| p.display().to_string());
        self.write(Event::Pause {
            reason: reason.to_string(),
            evidence: path,
        });
        evidence.map(|path| self.journal.dir().join(path))
    }

    /// The board shows the beginning of another game.
    pub fn abandoned(&mut self, last: Option<&Observation>, tracker: &Tracker) -> Option<PathBuf> {
        let evidence = self.leave((Decided::Pause, "the board shows another game"), last, tracker);
        self.write(Event::Abandoned {
            evidence: evidence.as_ref().map(|p| p.display().to_string()),
        });
        evidence.map(|path| self.journal.dir().join(path))
    }

    pub(super) fn resumed(&mut self) {
        let paused_ms = Timestamp::now().since(self.paused_at).as_secs_f64() * 1e3;
        self.write(Event::Resume { paused_ms });
    }

    pub(super) fn engine_restarted(&mut self, why: &str, pondering: bool) {
        self.write(Event::EngineRestarted {
            reason: why.to_owned(),
            pondering,
        });
    }

    pub(super) fn board_found(&mut self, place: &BoardPlace) {
        self.write(Event::BoardMoved {
            to: Some(place.board().into()),
            evidence: None,
        });
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
        super::gesture::Manner::Target => GestureKind::Target,
    }
}
