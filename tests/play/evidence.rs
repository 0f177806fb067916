//! A doubtful decision leaves a folder in which `torres replay` comes to the same decision again.

use serde_json::json;
use shakmaty::{Chess, Color, Position, Square};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;
use torres::bot::clock::GameClock;
use torres::bot::eye::Observation;
use torres::bot::game::Game;
use torres::bot::log::Log;
use torres::bot::machine::{Event, Fact, FinalCheck, Machine, Order, PauseReason, Phase, Settings};
use torres::chess::TimeControl;
use torres::fixture::decision::Explained;
use torres::fixture::{BeliefKind, Decided, Fixture, Replay, replay};
use torres::frame::{Frame, FrameSource, Timestamp};
use torres::geometry::BoardMap;
use torres::journal::{Entry, Event as Entered, Journal, event};
use torres::link::messages::BestMove;
use torres::vision::{Appearance, Doubt, Reading, Tracker, locate};
use torres_test_support::program;

/// Time between two looks at the board, as in play.
const LOOK_EVERY: Duration = Duration::from_millis(8);

/// A recorded game, seen through the same machine and log as a live one.
struct Play {
    machine: Machine,
    tracker: Tracker,
    log: Log,
    out: tempfile::TempDir,
    now: Timestamp,
    last: Option<Observation>,
    /// Pauses and retries ordered so far, with the folder of their evidence.
    left: Vec<PathBuf>,
    paused: Option<PauseReason>,
}

impl Play {
    /// Follows the fixture until so many plies are played.
    fn of(name: &str, own: Color, plies: usize) -> Play {
        let fixture = Fixture::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name)).unwrap();
        let first = fixture.frames().next_frame().unwrap();
        let map = BoardMap {
            rect: locate(&first.image)[0].rect,
            orientation: fixture.bottom,
        };
        let look = Appearance::learn(&first.image, &map, fixture.start.board()).unwrap();
        let out = tempfile::tempdir().unwrap();
        let control = TimeControl {
            initial: Duration::from_secs(900),
            increment: Duration::ZERO,
        };
        let game = Game::new(fixture.start.clone());
        let mut log = Log::new(
            Journal::open(out.path()).unwrap(),
            json!({"format": 1, "look": look}),
            fixture.bottom,
            own,
        );
        log.started(&game, "900+0".into(), None);
        let mut play = Play {
            machine: Machine::new(game, GameClock::new(control), own, Settings::default()),
            tracker: Tracker::new(look, map),
            log,
            out,
            now: first.at,
            last: None,
            left: Vec::new(),
            paused: None,
        };
        let orders = play.machine.begin(play.now);
        play.obey(orders);
        let mut frames = fixture.frames();
        for (number, shot) in fixture.shots.iter().enumerate() {
            let frame = frames.next_frame().unwrap();
            // A recording thins out what moves: such a frame did not stand until the next one came.
            let next = fixture.shots.get(number + 1).map_or(1e3, |next| next.t_ms - shot.t_ms);
            let stood = if next > 500.0 { 500.0 } else { 1.0 };
            play.shows(&frame, Duration::from_secs_f64(stood / 1e3));
            play.now = Timestamp::from_ms(first.at.as_ms() + shot.t_ms + next.min(1e3));
            if play.machine.game().plies() >= plies {
                play.shows(&frame, Duration::from_millis(600));
                break;
            }
        }
        assert_eq!(play.machine.game().plies(), plies);
        assert!(
            play.left.is_empty(),
            "the game as recorded raises no doubt: {:?}",
            play.left
        );
        play
    }

    /// The screen shows this picture for so long.
    fn shows(&mut self, frame: &Frame, long: Duration) {
        let until = self.now.0 + long;
        while self.now.0 < until && self.paused.is_none() {
            let frame = Frame {
                at: self.now,
                ..frame.clone()
            };
            let reading = self.tracker.step(&frame, self.machine.game().position());
            let seen = Observation {
                frame,
                reading,
                map: *self.tracker.map(),
                board_present: true,
            };
            self.log.looked(&seen, &self.tracker);
            self.log.seen(&seen, self.now);
            let event = match self.machine.aim() {
                Some(_) if seen.reading.stands() => Event::FinalCheck(FinalCheck::Clear),
                _ => Event::Saw(&seen.reading),
            };
            let orders = self.machine.on(event, self.now);
            self.last = Some(seen);
            self.obey(orders);
            self.now.0 += LOOK_EVERY;
        }
    }

    fn obey(&mut self, orders: Vec<Order>) {
        for order in orders {
            let last = self.last.as_ref();
            match order {
                Order::Pause(reason) => {
                    let left = self.log.paused(&reason, last, &self.tracker);
                    self.left.extend(left);
                    self.paused = Some(reason);
                }
                // The gesture is made, and nothing comes of it.
                Order::Perform(..) => {
                    assert_eq!(self.machine.on(Event::Performed(self.now), self.now), []);
                    self.machine.on(Event::Drew, self.now);
                }
                Order::Abandon => self.left.extend(self.log.abandoned(last, &self.tracker)),
                Order::Tell(Fact::NotLanded { made, next }) => {
                    self.log.not_landed((&made, &next), last, &self.tracker);
                }
                _ => {}
            }
        }
    }

    /// The picture shown last.
    fn picture(&self) -> Frame {
        self.last.as_ref().unwrap().frame.clone()
    }

    fn rect(&self, square: Square) -> (u32, u32, u32) {
        let rect = self.tracker.map().square_rect(square);
        (rect.x.round() as u32, rect.y.round() as u32, rect.width.round() as u32)
    }

    /// The picture with one square copied over another.
    fn pasted(&self, from: Square, to: Square) -> Frame {
        let mut frame = self.picture();
        let ((x, y, side), (to_x, to_y, _)) = (self.rect(from), self.rect(to));
        let patch = image::imageops::crop_imm(&*frame.image, x, y, side, side).to_image();
        image::imageops::replace(
            Arc::make_mut(&mut frame.image),
            &patch,
            i64::from(to_x),
            i64::from(to_y),
        );
        frame
    }

    /// The evidence folders, all written.
    fn folders(&mut self) -> Vec<PathBuf> {
        self.log.settle();
        assert_eq!(self.log.failure(), None);
        let mut found: Vec<PathBuf> = std::fs::read_dir(self.out.path().join("evidence"))
            .map(|all| all.map(|entry| entry.unwrap().path()).collect())
            .unwrap_or_default();
        found.sort();
        found
    }

    fn journal(&self) -> Vec<Entered> {
        let text = std::fs::read_to_string(self.out.path().join("journal.jsonl")).unwrap();
        text.lines()
            .map(|line| serde_json::from_str::<Entry>(line).unwrap().event)
            .collect()
    }
}

fn replayed(dir: &Path) -> (Fixture, Replay) {
    let fixture = Fixture::read(dir).unwrap();
    let replay = replay((&fixture).into(), &mut fixture.frames()).unwrap();
    (fixture, replay)
}

/// A white piece of ours and an empty square of the same colour, to make a piece vanish.
fn piece_and_empty(position: &Chess) -> (Square, Square) {
    let board = position.board();
    let ours = board.white() & board.pawns();
    let piece = ours.into_iter().next().unwrap();
    let empty = (!board.occupied()).into_iter().find(|s| s.is_dark() == piece.is_dark());
    (piece, empty.unwrap())
}

fn doubt(play: &Play) -> Doubt {
    match play.last.as_ref().map(|last| &last.reading) {
        Some(Reading::Unknown(doubt)) => doubt.clone(),
        other => panic!("it should not be understood: {other:?}"),
    }
}

#[test]
fn an_unknown_can_be_replayed_and_the_same_is_decided_on_the_same_frame() {
    let mut play = Play::of("staged-white", Color::White, 11);
    let before = play.machine.game().position().clone();
    let (piece, empty) = piece_and_empty(&before);
    let spoiled = play.pasted(empty, piece);
    play.shows(&spoiled, Duration::from_millis(300));
    let live = doubt(&play);
    assert!(live.changed.contains(&piece));

    let folders = play.folders();
    assert_eq!(folders.len(), 1, "one doubt leaves one folder: {folders:?}");
    assert!(folders[0].ends_with("0001-unknown"));
    let (fixture, replay) = replayed(&folders[0]);
    assert_eq!(fixture.start, before);
    let decision = fixture.decision.clone().unwrap();
    assert_eq!(
        (decision.decision, decision.line),
        (Decided::Unknown, fixture.shots.len() - 1)
    );
    assert_eq!(decision.squares.len(), 64);
    // What the game has taught comes along.
    assert!(decision.marks.is_some());
    assert_eq!(decision.marks.as_ref(), play.tracker.marks());
    assert_eq!(decision.comes_again(&replay), Ok(()));
    let beliefs: Vec<_> = replay.beliefs.iter().map(|b| (b.kind, b.frame)).collect();
    assert_eq!(beliefs, [(BeliefKind::Unknown, decision.line)]);
    let again = &replay.doubts[&decision.line];
    assert_eq!(again.candidates, live.candidates);
    assert_eq!(again.reading, live.reading);
    assert_eq!(again.changed, live.changed);
    let written = play
        .journal()
        .into_iter()
        .any(|event| matches!(event, Entered::Unknown { evidence: Some(path), .. } if path == "evidence/0001-unknown"));
    assert!(written);

    // Five seconds later the machine pauses, on the same evidence.
    play.shows(&spoiled, Duration::from_secs(6));
    assert_eq!(play.paused, Some(PauseReason::Unknown));
    assert_eq!(play.left, folders);
    assert_eq!(play.folders(), folders);
}

#[test]
fn a_decision_that_does_not_come_again_is_told_with_status_1() {
    let mut play = Play::of("staged-white", Color::White, 11);
    let (piece, empty) = piece_and_empty(play.machine.game().position());
    let spoiled = play.pasted(empty, piece);
    play.shows(&spoiled, Duration::from_millis(300));
    let folder = play.folders().remove(0);
    let run = || {
        let output = Command::new(program()).arg("replay").arg(&folder).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let (status, text) = run();
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains("comes to the same again"), "{text}");
    assert!(
        text.contains("nearest  ") && text.contains(&piece.to_string()),
        "{text}"
    );

    // As if the last frames had been understood.
    let first = folder.join("frames/0000.png");
    for entry in std::fs::read_dir(folder.join("frames")).unwrap() {
        let path = entry.unwrap().path();
        if path != first {
            std::fs::copy(&first, path).unwrap();
        }
    }
    let (status, text) = run();
    assert_eq!(status, Some(1), "{text}");
    assert!(
        text.contains("the replay differs: now everything is understood"),
        "{text}"
    );
}

#[test]
fn a_retry_leaves_frames_in_which_nothing_was_played() {
    let mut play = Play::of("staged-white", Color::White, 10);
    let position = play.machine.game().position().clone();
    assert_eq!(position.turn(), Color::White);
    let shown = play.picture();
    let played = position.legal_moves()[0];
    let answer = BestMove {
        id: 6,
        best: Some(torres::chess::uci(played)),
        ponder: None,
        fen: torres::chess::fen(&position),
    };
    play.machine.on(Event::Answered(&answer), play.now);
    play.shows(&shown, LOOK_EVERY);
    assert!(matches!(play.machine.phase(), Phase::Verifying { .. }));
    // The piece is taken up and goes back; nothing more happens.
    let (piece, empty) = piece_and_empty(&position);
    let lifted = play.pasted(empty, piece);
    play.shows(&lifted, Duration::from_millis(60));
    play.shows(&shown, Duration::from_millis(450));

    let folders = play.folders();
    assert_eq!(folders.len(), 1, "{folders:?}");
    assert!(folders[0].ends_with("0001-retry"));
    let (fixture, replay) = replayed(&folders[0]);
    let decision = fixture.decision.clone().unwrap();
    assert_eq!(decision.decision, Decided::Retry);
    assert_eq!(decision.squares.len(), 64);
    assert!(decision.candidates[0].moves.is_empty(), "{:?}", decision.candidates);
    assert_eq!(fixture.start, position);
    assert!(replay.beliefs.is_empty(), "{:?}", replay.beliefs);
    assert_eq!(decision.comes_again(&replay), Ok(()));
    let retried = |event: &Entered| matches!(event, Entered::Retry(event::Retry { evidence: Some(path), .. }) if path == "evidence/0001-retry");
    assert!(play.journal().iter().any(retried));
}

#[test]
fn a_game_full_of_doubts_leaves_sixteen_of_them() {
    let mut play = Play::of("staged-white", Color::White, 10);
    let (piece, empty) = piece_and_empty(&play.machine.game().position().clone());
    let shown = play.picture();
    let doubtful = play.pasted(piece, empty);
    for _ in 0..20 {
        play.shows(&doubtful, Duration::from_millis(400));
        play.shows(&shown, Duration::from_millis(400));
    }
    assert_eq!(play.paused, None);
    assert_eq!(play.folders().len(), 16);
}

#[test]
fn a_board_covered_whole_is_lost_and_leaves_its_frames() {
    let mut play = Play::of("staged-black", Color::Black, 6);
    let mut covered = play.picture();
    for pixel in Arc::make_mut(&mut covered.image).pixels_mut() {
        *pixel = image::Rgba([90, 30, 30, 255]);
    }
    play.shows(&covered, Duration::from_millis(400));
    let folders = play.folders();
    assert_eq!(folders.len(), 1, "{folders:?}");
    let (fixture, replay) = replayed(&folders[0]);
    let decision = fixture.decision.clone().unwrap();
    assert_eq!(decision.comes_again(&replay), Ok(()), "{decision:?}");
}

#[test]
fn a_move_that_never_lands_leaves_its_retries_and_a_pause() {
    let mut play = Play::of("staged-white", Color::White, 10);
    let position = play.machine.game().position().clone();
    let shown = play.picture();
    let answer = BestMove {
        id: 6,
        best: Some(torres::chess::uci(position.legal_moves()[0])),
        ponder: None,
        fen: torres::chess::fen(&position),
    };
    play.machine.on(Event::Answered(&answer), play.now);
    play.shows(&shown, Duration::from_millis(2100));
    assert_eq!(play.paused, Some(PauseReason::NotLanded));
    let names: Vec<String> = play
        .folders()
        .iter()
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    assert_eq!(names, ["0001-retry", "0002-retry", "0003-pause"]);
}

#[test]
fn a_new_game_seen_ends_this_one_and_its_evidence_shows_it_again() {
    let first = {
        let fixture = Fixture::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/staged-white")).unwrap();
        fixture.frames().next_frame().unwrap()
    };
    let mut play = Play::of("staged-white", Color::White, 10);
    play.shows(&first, Duration::from_millis(400));
    assert!(matches!(play.machine.phase(), Phase::Over(None)));
    let abandoned =
        |event: &Entered| matches!(event, Entered::Abandoned { evidence: Some(path) } if path == "evidence/0001-pause");
    assert!(play.journal().iter().any(abandoned));
    let folder = play.folders().remove(0);
    assert!(folder.ends_with("0001-pause"), "{}", folder.display());
    let (fixture, replay) = replayed(&folder);
    assert_eq!(fixture.decision.unwrap().comes_again(&replay), Ok(()));
    assert_eq!(replay.beliefs.len(), 1, "{:?}", replay.beliefs);
}

/// The position after a move of a slider between squares of one colour, from which it could go on.
fn slide(position: &Chess) -> (Square, Square) {
    let moves = position.legal_moves();
    let slides = moves.iter().filter(|m| {
        let (from, to) = (m.from().unwrap(), m.to());
        let goes_on = moves
            .iter()
            .any(|other| other.from() == Some(from) && shakmaty::attacks::between(from, other.to()).contains(to));
        goes_on && position.board().sliders().contains(from) && !m.is_capture() && from.is_dark() == to.is_dark()
    });
    let slide = slides.into_iter().next().expect("the test's own position has a slide");
    (slide.from().unwrap(), slide.to())
}

#[test]
fn a_piece_in_passing_is_in_passing_in_the_replay_too_though_frames_between_are_not_kept() {
    // A board without marks, whose animations are known by now.
    let mut play = Play::of("sliding-without-a-tint", Color::White, 10);
    let shown = play.picture();
    let position = play.machine.game().position().clone();
    let (from, to) = slide(&position);
    let bare = |square: Square| {
        let empty = !position.board().occupied();
        let others = empty.into_iter().find(|s| s.is_dark() == square.is_dark() && *s != to);
        others.unwrap()
    };
    // Something stirs for longer than any animation took, then the piece is seen exactly over a square on its way.
    let lifted = play.pasted(bare(from), from);
    for _ in 0..4 {
        play.shows(&lifted, Duration::from_millis(96));
        play.last.as_mut().unwrap().frame = shown.clone();
        let (piece, empty) = piece_and_empty(&position);
        let other = play.pasted(empty, piece);
        play.shows(&other, Duration::from_millis(96));
    }
    play.last.as_mut().unwrap().frame = shown.clone();
    let there = play.pasted(from, to);
    play.last.as_mut().unwrap().frame = there;
    let passing = play.pasted(bare(from), from);
    play.shows(&passing, Duration::from_millis(24));
    let said = play.last.as_ref().map(|last| &last.reading);
    assert!(matches!(said, Some(Reading::Moving)), "{said:?}");
    let reason = PauseReason::Gesture("the test's own".into());
    let orders = play.machine.on(Event::Failed(reason), play.now);
    play.obey(orders);

    let folder = play.folders().remove(0);
    assert!(folder.ends_with("0001-pause"), "{}", folder.display());
    let (fixture, replay) = replayed(&folder);
    let decision = fixture.decision.unwrap();
    assert_eq!(decision.looked_before_ms.len(), fixture.shots.len());
    assert_eq!(decision.comes_again(&replay), Ok(()));
    // What explains the picture by itself is kept beside what was decided.
    assert_eq!(decision.explained, Explained::By(vec![format!("{from}{to}")]));
}
