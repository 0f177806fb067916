//! The wall clock is set while Torres plays: what is compared goes on as if nothing had happened, what is written down
//! is by the clock of then.
//!
//! The machine's own clock stays as it is. Only the player's process and its engine are shown another one, by
//! libfaketime, and its file says what.
#![cfg(target_os = "linux")]

use rustix::process::Signal;
use serde_json::Value;
use shakmaty::Color;
use std::path::PathBuf;
use torres::frame::Clocks;
use torres::journal::{Entry, Event, event};
use torres_test_support::play::third_move::game;
use torres_test_support::play::{GAME, Practice, Run, engine_for, journal, scripted_engine, signal_process, text};
use torres_test_support::wait_for;

/// An hour, in ms.
const HOUR: f64 = 3.6e6;

/// Times that agree within this are the same: the wall clock is corrected by the network now and then.
const SAME: f64 = 1_000.0;

/// The wall clock that a process is shown.
struct WallClock(PathBuf);

impl WallClock {
    /// The machine's own, until it is set.
    fn of(practice: &Practice) -> WallClock {
        let clock = WallClock(practice.stage.path("wall-clock"));
        clock.set_off_by(0);
        clock
    }

    /// Sets it so many hours ahead of the machine's.
    fn set_off_by(&self, hours: i32) {
        // Whole or not at all: it is read at every look at the clock.
        let fresh = self.0.with_extension("new");
        std::fs::write(&fresh, format!("{hours:+}h\n")).unwrap();
        std::fs::rename(&fresh, &self.0).unwrap();
    }

    /// `torres play` on this clock.
    fn play(&self, practice: &Practice, engine: &str) -> Run {
        let (calibration, out) = (practice.stage.calibration(), practice.stage.out());
        let plies = game().plies();
        let args = [
            "play",
            text(&calibration),
            "--out",
            text(&out),
            "--engine",
            engine,
            "--plies",
            &plies,
        ];
        let mut command = practice.stage.torres(&args);
        command
            .env("LD_PRELOAD", library())
            .env("FAKETIME_TIMESTAMP_FILE", &self.0)
            .env("FAKETIME_NO_CACHE", "1")
            .env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        Run::start(command, practice.stage.path("play.said"))
    }
}

/// Debian's package `libfaketime` puts it into a folder named by the processor.
fn library() -> PathBuf {
    let folders = std::fs::read_dir("/usr/lib").unwrap().flatten();
    let mut found = folders.map(|folder| folder.path().join("faketime/libfaketimeMT.so.1"));
    found
        .find(|path| path.exists())
        .expect("libfaketime is installed: tools/install-packages.sh run")
}

/// How far ahead of the machine's wall clock each line was written, in hours. Panics where that is no whole number of
/// them.
fn hours_ahead(journal: &[Entry]) -> Vec<i32> {
    let clocks = Clocks::now();
    let of = |entry: &Entry| {
        let moment = entry.boot_ms.expect("every line has both clocks");
        let truly = clocks.wall.as_ms() - clocks.moment.as_ms() + moment;
        let ahead = entry.t_ms.as_ms() - truly;
        let hours = (ahead / HOUR).round();
        assert!((ahead - hours * HOUR).abs() < SAME, "{ahead} ms ahead: {entry:?}");
        hours as i32
    };
    journal.iter().map(of).collect()
}

/// The times that a line has beside its own are by the same clock, and right before it.
fn times_of_a_line_agree(journal: &[Entry]) {
    for entry in journal {
        let (earlier, within) = match &entry.event {
            Event::Seen(event::Seen { frame_t_ms, .. }) => (frame_t_ms, 5_000.0),
            Event::Gesture(event::Gesture { released_t_ms, .. }) => (released_t_ms, 1_000.0),
            _ => continue,
        };
        let later = entry.t_ms.as_ms() - earlier.as_ms();
        assert!((0.0..within).contains(&later), "{later} ms: {entry:?}");
    }
    for entry in journal {
        let Event::Confirmed {
            played,
            known_t_ms,
            after_ms,
        } = &entry.event
        else {
            continue;
        };
        let is_it = |it: &&Entry| {
            it.t_ms == *known_t_ms
                && matches!(&it.event, Event::Seen(event::Seen { moves, .. }) if moves.contains(played))
        };
        let seen = journal.iter().find(is_it);
        let seen = seen.unwrap_or_else(|| panic!("no look told {played} at {known_t_ms:?}"));
        let passed = entry.boot_ms.unwrap() - seen.boot_ms.unwrap();
        let after = after_ms.unwrap();
        assert!(
            (passed - after).abs() < 1.0 && (0.0..5_000.0).contains(&after),
            "{entry:?}"
        );
    }
}

/// Every move took a short time, and nobody's clock lost more than the moves took.
fn clocks_are_right(journal: &[Entry]) {
    let played: Vec<(f64, f64)> = journal
        .iter()
        .filter_map(|entry| match entry.event {
            Event::Played { took_ms, left_ms, .. } => Some((took_ms, left_ms)),
            _ => None,
        })
        .collect();
    assert_eq!(played.len(), game().moves().len());
    let mut left = [900_000.0; 2];
    for (ply, (took, told)) in played.into_iter().enumerate() {
        assert!((0.0..60_000.0).contains(&took), "ply {}: {took} ms", ply + 1);
        // 15+10, and a millisecond for rounding.
        left[ply % 2] += 10_000.0 - took;
        assert!(
            (told - left[ply % 2]).abs() < 1.0,
            "ply {}: {told} ms left, not {}",
            ply + 1,
            left[ply % 2]
        );
    }
}

#[test]
fn a_wall_clock_set_forward_and_back_by_an_hour_during_a_game_changes_nothing_in_it() {
    let practice = Practice::staged(&game(), Color::White);
    practice.stage.calibrate(&[]);
    let clock = WallClock::of(&practice);
    // The third thought lasts long enough for the clock to be set in it.
    let engine = scripted_engine("--slow 3 2.5", &game().moves_of(Color::White));
    let mut play = clock.play(&practice, &engine);
    let out = practice.stage.out();
    let asked = |times: usize| {
        wait_for("a thought", || {
            let thoughts = journal(&out);
            let thoughts = thoughts.iter().filter(|entry| matches!(entry.event, Event::Think(_)));
            (thoughts.count() >= times).then_some(())
        });
    };
    asked(2);
    clock.set_off_by(1);
    asked(3);
    clock.set_off_by(-1);
    wait_for("the fourth move", || (practice.moves().len() >= 7).then_some(()));
    clock.set_off_by(0);
    play.ends_with(0, GAME);

    practice.shows(&game());
    assert!(!play.said().contains("by time"), "{}", play.said());
    let journal = journal(&out);
    let mut hours = hours_ahead(&journal);
    hours.dedup();
    assert_eq!(hours, [0, 1, -1, 0], "the clock was set as it should be");
    times_of_a_line_agree(&journal);
    clocks_are_right(&journal);
    let (status, told) = practice.stage.run(&["explain", text(&out)]);
    assert_eq!(status, 0, "{told}");
    let results = std::fs::read_to_string(out.join("results.jsonl")).unwrap();
    let result: Value = serde_json::from_str(&results).unwrap();
    assert_eq!(result["termination"], "stopped after 10 plies, as asked");
    assert!(result["times"]["longest_own_ms"].as_u64().unwrap() < 60_000, "{result}");
}

#[test]
fn a_game_that_was_left_is_taken_up_with_its_clocks_whatever_became_of_the_wall_clock() {
    for hours in [1, -1] {
        let practice = Practice::staged(&game(), Color::White);
        practice.stage.calibrate(&[]);
        let clock = WallClock::of(&practice);
        let engine = scripted_engine("--slow 3 60", &game().moves_of(Color::White));
        let play = clock.play(&practice, &engine);
        let out = practice.stage.out();
        wait_for("the third thought", || {
            let thoughts = journal(&out);
            let thoughts = thoughts.iter().filter(|entry| matches!(entry.event, Event::Think(_)));
            (thoughts.count() == 3).then_some(())
        });
        signal_process(play.id(), Signal::KILL);
        drop(play);
        clock.set_off_by(hours);
        let mut again = clock.play(&practice, &engine_for(&game(), Color::White));
        again.ends_with(0, GAME);

        let said = again.said();
        assert!(
            said.contains("going on with the game that was left after 4 plies"),
            "{hours}: {said}"
        );
        assert_eq!(practice.moves(), game().moves());
        let journal = journal(&out);
        let mut ahead = hours_ahead(&journal);
        ahead.dedup();
        assert_eq!(ahead, [0, hours]);
        clocks_are_right(&journal);
    }
}
