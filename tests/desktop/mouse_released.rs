//! No button stays pressed: however Torres ends in the middle of a drag, the button comes up; and one Torres has a
//! display's mouse. The X server is the judge of the button.
#![cfg(target_os = "linux")]

use rustix::process::{Pid, Signal, kill_process_group};
use shakmaty::Color;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};
use torres::geometry::{InputPt, InputScale};
use torres::journal::Event;
use torres::mouse::{Gesture, Hold, HoldError, Mouse, MouseError, StopFlag, watch_interrupt};
use torres_test_support::desktop::{Pointer, Server, on_display};
use torres_test_support::play::third_move::{game, thinking_at_the_third_move};
use torres_test_support::play::{
    GAME, Practice, Run, engine_for, freeze_in_a_press, has_event, journal, pgn_of, scripted_engine, signal_process,
    text,
};
use torres_test_support::{PATIENCE, ROLE, itself, program, wait_for};

/// A process that is told to stop lets go within this time.
const TOLD: Duration = Duration::from_millis(50);
/// For a process that is killed, somebody else does within this.
const KILLED: Duration = Duration::from_millis(200);

/// The program, which has the watchdog.
fn torres() -> &'static Path {
    Path::new(program())
}

/// How long it takes from now on until the button is up.
fn until_up(pointer: &Pointer) -> Duration {
    let began = Instant::now();
    while pointer.button_is_down() {
        assert!(began.elapsed() < PATIENCE, "the button stays down");
        thread::sleep(Duration::from_micros(100));
    }
    began.elapsed()
}

fn is_gone(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(')')
        .is_none_or(|(_, rest)| rest.trim_start().starts_with('Z'))
}

/// A game that Torres is about to play, on a display of its own.
struct Table {
    practice: Practice,
    pointer: Pointer,
}

impl Table {
    fn set() -> Table {
        let practice = Practice::staged(&game(), Color::White);
        practice.stage.calibrate(&[]);
        let pointer = Pointer::of(practice.stage.display().name());
        Table { practice, pointer }
    }

    fn play(&self) -> Run {
        let engine = engine_for(&game(), Color::White);
        self.practice
            .stage
            .play(&["--engine", &engine, "--plies", &game().plies()])
    }

    /// A player that stands still in the middle of its first drag.
    fn frozen_in_a_drag(&self) -> Run {
        let play = self.play();
        freeze_in_a_press(play.id(), &self.pointer);
        play
    }

    /// The page saw every press released.
    fn page_saw_the_release(&self) {
        wait_for("the page to report the release", || {
            let touches = self.practice.touches();
            let presses = touches.iter().filter(|touch| touch.down).count();
            (2 * presses == touches.len()).then_some(())
        });
    }
}

#[test]
fn a_signal_in_a_drag_releases_the_button_and_ends_the_game_in_order() {
    for (signal, why) in [
        (Signal::HUP, "the terminal was closed"),
        (Signal::INT, "Ctrl-C"),
        (Signal::TERM, "told to end"),
        (Signal::QUIT, "told to end"),
    ] {
        let table = Table::set();
        let mut play = table.frozen_in_a_drag();
        let watchdog = play.watchdog(None);
        play.signal(signal);
        play.signal(Signal::CONT);
        let took = until_up(&table.pointer);
        if signal == Signal::HUP {
            // As a shell does that had it from its terminal.
            play.signal(Signal::HUP);
        }
        play.ends_with(3, GAME);
        assert!(!table.pointer.button_is_down(), "{signal:?}");
        assert!(took <= TOLD, "{signal:?}: the button is up after {took:?}");
        let out = table.practice.stage.out();
        let stopped = |event: &Event| matches!(event, Event::Stopped { reason } if reason.contains(why));
        assert!(has_event(&journal(&out), stopped), "{signal:?}: {}", play.said());
        assert!(pgn_of(&out.join("game.pgn")).moves.len() <= 1);
        wait_for("the watchdog to end", || is_gone(watchdog).then_some(()));
        table.page_saw_the_release();
    }
}

/// The player whose games go there, wherever it was started from.
fn player_into(out: &Path) -> Option<u32> {
    let all = std::fs::read_dir("/proc").expect("/proc").flatten();
    let mut pids = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.find(|pid| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let words: Vec<&[u8]> = line.split(|byte| *byte == 0).collect();
        words.get(1) == Some(&b"play".as_slice()) && words.contains(&text(out).as_bytes())
    })
}

#[test]
fn a_terminal_closed_in_a_drag_releases_the_button_and_ends_the_game_in_order() {
    let table = Table::set();
    let stage = &table.practice.stage;
    let (calibration, out) = (stage.calibration(), stage.out());
    let engine = engine_for(&game(), Color::White);
    let line = format!(
        "'{}' play {} --out {} --engine \"{engine}\" --plies {}",
        torres().display(),
        text(&calibration),
        text(&out),
        game().plies()
    );
    let mut terminal = stage.display().command("script");
    terminal.args(["-qec", &line, "/dev/null"]).current_dir(stage.path("."));
    terminal.stdin(Stdio::piped()).stdout(Stdio::null());
    let mut terminal = Ends(terminal.spawn().unwrap());
    let player = wait_for("the player", || player_into(&out));
    freeze_in_a_press(player, &table.pointer);
    terminal.0.kill().unwrap();
    // It closes the terminal as it ends.
    terminal.0.wait().unwrap();
    signal_process(player, Signal::CONT);
    let took = until_up(&table.pointer);
    assert!(took <= TOLD, "the button is up after {took:?}");
    wait_for("the player to end", || is_gone(player).then_some(()));
    let stopped = |event: &Event| matches!(event, Event::Stopped { reason } if reason == "the terminal was closed");
    assert!(has_event(&journal(&out), stopped), "{:#?}", journal(&out));
    assert!(pgn_of(&out.join("game.pgn")).moves.len() <= 1);
    assert!(!table.pointer.button_is_down());
}

#[test]
fn a_player_that_shall_outlive_its_terminal_does() {
    let table = Table::set();
    let stage = &table.practice.stage;
    let (calibration, out, plies) = (stage.calibration(), stage.out(), game().plies());
    let engine = scripted_engine("--slow 3 1.5", &game().moves_of(Color::White));
    let mut command = stage.display().command("nohup");
    command
        .arg(torres())
        .args(["play", text(&calibration), "--out", text(&out)]);
    command
        .args(["--engine", &engine, "--plies", &plies])
        .current_dir(stage.path("."));
    let mut play = Run::start(command, stage.path("play.said"));
    wait_for("the second move", || (table.practice.moves().len() >= 3).then_some(()));
    play.signal(Signal::HUP);
    play.ends_with(0, GAME);
    table.practice.shows(&game());
}

/// Whoever starts Torres may ignore hang-ups, and Torres then has them ignored as well. Its keyboard is gone all the
/// same.
#[test]
fn a_terminal_that_is_gone_ends_the_game_though_hang_ups_are_ignored() {
    let table = Table::set();
    let stage = &table.practice.stage;
    let (calibration, out, plies) = (stage.calibration(), stage.out(), game().plies());
    let engine = scripted_engine("--slow 3 3", &game().moves_of(Color::White));
    let mut command = stage.display().command("env");
    command
        .arg("--ignore-signal=HUP")
        .arg(torres())
        .args(["play", text(&calibration), "--out", text(&out)])
        .args(["--engine", &engine, "--plies", &plies])
        .current_dir(stage.path("."));
    let mut play = Run::at_a_terminal(&command, stage.path("play.said"));
    wait_for("the second move", || (table.practice.moves().len() >= 4).then_some(()));
    play.close_terminal();
    play.ends_with(3, GAME);
    let stopped = |event: &Event| matches!(event, Event::Stopped { reason } if reason == "the terminal was closed");
    assert!(has_event(&journal(&out), stopped), "{:#?}", journal(&out));
    assert_eq!(table.practice.moves().len(), 4);
}

#[test]
fn a_player_killed_in_a_drag_leaves_no_button_pressed() {
    for signal in [Signal::KILL, Signal::ABORT] {
        let table = Table::set();
        // An engine that outlives the player must not be what keeps the watchdog waiting.
        let engine = format!("sh -c \"{}; sleep 60\"", engine_for(&game(), Color::White));
        let mut play = table.practice.stage.play(&["--engine", &engine]);
        freeze_in_a_press(play.id(), &table.pointer);
        let (watchdog, engine) = (play.watchdog(None), play.child("-c", None));
        play.signal(signal);
        play.signal(Signal::CONT);
        let took = until_up(&table.pointer);
        assert!(took <= KILLED, "{signal:?}: the button is up after {took:?}");
        wait_for("the player to end", || play.has_ended().then_some(()));
        // The mouse is to be had again, and the next Torres finds the button up.
        let (status, said) = table.practice.stage.run(&["doctor", "--quick"]);
        assert!(said.contains("the pointer goes where it is put"), "{status}: {said}");
        assert!(!said.contains("found pressed"), "{said}");
        wait_for("the watchdog to end", || is_gone(watchdog).then_some(()));
        assert!(!is_gone(engine), "the engine ended before it could be in the way");
        kill_process_group(Pid::from_raw(engine as i32).unwrap(), Signal::KILL).unwrap();
        table.page_saw_the_release();
    }
}

#[test]
fn a_game_that_was_left_in_a_drag_is_played_on_by_the_next_player() {
    for signal in [Signal::TERM, Signal::KILL] {
        let table = Table::set();
        let mut play = thinking_at_the_third_move(&table.practice, "0.5");
        freeze_in_a_press(play.id(), &table.pointer);
        play.signal(signal);
        play.signal(Signal::CONT);
        until_up(&table.pointer);
        wait_for("the player to end", || play.has_ended().then_some(()));
        let mut again = table.play();
        again.ends_with(0, GAME);
        let said = again.said();
        let goes_on = "going on with the game that was left after 4 plies";
        assert!(said.contains(goes_on), "{signal:?}: {said}");
        assert_eq!(table.practice.moves(), game().moves());
        let out = table.practice.stage.out();
        assert_eq!(
            pgn_of(&out.join("game.pgn")).moves,
            game().moves(),
            "one game in one file"
        );
        assert!(!out.join("game-2.pgn").exists());
    }
}

#[test]
fn a_whole_job_killed_in_a_drag_leaves_no_button_pressed() {
    let table = Table::set();
    let stage = &table.practice.stage;
    let (calibration, out) = (stage.calibration(), stage.out());
    let mut command = stage.torres(&["play", text(&calibration), "--out", text(&out), "--move-ms", "100"]);
    command.process_group(0);
    let play = Run::start(command, stage.path("play.said"));
    freeze_in_a_press(play.id(), &table.pointer);
    let job = Pid::from_raw(play.id() as i32).unwrap();
    kill_process_group(job, Signal::KILL).unwrap();
    let took = until_up(&table.pointer);
    assert!(took <= KILLED, "the button is up after {took:?}");
}

#[test]
fn a_watchdog_that_is_killed_is_replaced_and_the_game_goes_on() {
    let table = Table::set();
    let mut play = thinking_at_the_third_move(&table.practice, "1.5");
    let killed = play.watchdog(None);
    signal_process(killed, Signal::KILL);
    freeze_in_a_press(play.id(), &table.pointer);
    let another = play.watchdog(Some(killed));
    play.signal(Signal::CONT);
    play.ends_with(0, GAME);
    table.practice.shows(&game());
    wait_for("the watchdog to end", || is_gone(another).then_some(()));
}

/// Whether a watchdog of this holder of the mouse runs.
fn is_guarded(holder: &str) -> bool {
    let all = std::fs::read_dir("/proc").expect("/proc").flatten();
    let mut lines = all.map(|entry| std::fs::read(entry.path().join("cmdline")).unwrap_or_default());
    lines.any(|line| {
        let words: Vec<&[u8]> = line.split(|byte| *byte == 0).collect();
        words.get(1..3) == Some(&[b"watchdog", holder.as_bytes()])
    })
}

#[test]
fn what_others_press_is_not_released_by_a_watchdog() {
    on_display(
        "mouse_released::what_others_press_is_not_released_by_a_watchdog",
        |display| {
            let pointer = Pointer::of(display.name());
            let holder = format!("process {}, clicking", std::process::id());
            let hold = Hold::take("clicking", torres()).unwrap();
            let mut mouse = hold.mouse(InputScale::IDENTITY).unwrap();
            let click = Gesture::Click(InputPt { x: 640, y: 400 });
            mouse.perform(&click, &StopFlag::new()).unwrap();
            assert!(is_guarded(&holder));
            pointer.press(true);
            drop((mouse, hold));
            wait_for("the watchdog to end", || (!is_guarded(&holder)).then_some(()));
            assert!(
                pointer.button_is_down(),
                "Torres had released the button before it ended"
            );
            pointer.press(false);

            // One whose Torres ended in a press, when the next one has taken hold of the mouse already.
            let mut late = std::process::Command::new(torres());
            late.args(["watchdog", "process 1, playing"]).stdin(Stdio::piped());
            let mut late = Ends(late.spawn().unwrap());
            let _next = Hold::take("playing", torres()).unwrap();
            late.0.stdin.as_ref().unwrap().write_all(b"p").unwrap();
            pointer.press(true);
            drop(late.0.stdin.take());
            assert_eq!(late.code(), Some(0));
            assert!(pointer.button_is_down(), "the next Torres' press was released");
            pointer.press(false);
        },
    );
}

#[test]
fn a_button_found_pressed_is_released_before_torres_looks_at_anything() {
    let practice = Practice::staged(&game(), Color::White);
    let pointer = Pointer::of(practice.stage.display().name());
    let hold_down = || {
        // Beside the window.
        pointer.move_to(1200, 1000);
        pointer.press(true);
        assert!(pointer.button_is_down());
    };
    const NOTE: &str = "the left mouse button was found pressed";
    hold_down();
    practice.stage.calibrate(&[]);
    assert!(!pointer.button_is_down());
    let said = std::fs::read_to_string(practice.stage.path("said")).unwrap();
    assert!(said.starts_with("note ") && said.contains(NOTE), "{said}");
    hold_down();
    let (_, said) = practice.stage.run(&["doctor", "--quick"]);
    assert!(!pointer.button_is_down() && said.contains(NOTE), "{said}");
    hold_down();
    let engine = engine_for(&game(), Color::White);
    let mut play = practice.stage.play(&["--engine", &engine, "--plies", &game().plies()]);
    play.ends_with(0, GAME);
    assert!(
        play.said().starts_with("note ") && play.said().contains(NOTE),
        "{}",
        play.said()
    );
    practice.shows(&game());
    // Found up, it is not talked of.
    let (_, said) = practice.stage.run(&["doctor", "--quick"]);
    assert!(!said.contains(NOTE), "{said}");
}

#[test]
fn no_other_name_of_the_display_gets_round_the_other_torres() {
    let table = Table::set();
    let mut play = thinking_at_the_third_move(&table.practice, "4");
    let stage = &table.practice.stage;
    let elsewhere = stage.path("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    let same = format!("{}.0", stage.display().name());
    let calibration = stage.calibration();
    for (variable, value) in [
        ("DISPLAY", same.as_str()),
        ("XDG_RUNTIME_DIR", text(&elsewhere)),
        ("TMPDIR", text(&elsewhere)),
    ] {
        let mut second = stage.torres(&["play", text(&calibration), "--out", "other"]);
        second.env(variable, value);
        let mut second = Run::start(second, stage.path("second.said"));
        second.ends_with(1, GAME);
        let who = format!("another Torres (process {}, playing with '", play.id());
        assert!(second.said().contains(&who), "{variable}: {}", second.said());
        assert!(!stage.path("other").exists());
    }
    assert!(!play.has_ended(), "{}", play.said());
    play.ends_with(0, GAME);
    table.practice.shows(&game());
}

#[test]
fn of_many_that_want_the_mouse_at_once_one_has_it() {
    on_display("mouse_released::of_many_that_want_the_mouse_at_once_one_has_it", |_| {
        const MANY: usize = 16;
        for _ in 0..4 {
            let (start, end) = (Barrier::new(MANY), Barrier::new(MANY));
            let refused = thread::scope(|scope| {
                let all: Vec<_> = (0..MANY)
                    .map(|_| {
                        scope.spawn(|| {
                            start.wait();
                            let hold = Hold::take("wanting it", torres());
                            end.wait();
                            matches!(hold, Err(HoldError::Taken { .. }))
                        })
                    })
                    .collect();
                let refused = all.into_iter().map(|one| one.join().unwrap());
                refused.filter(|refused| *refused).count()
            });
            assert_eq!(refused, MANY - 1);
        }
    });
}

/// A process that ends with the test, even a failing one.
struct Ends(Child);

impl Ends {
    fn signal(&self, signal: Signal) {
        signal_process(self.0.id(), signal);
    }

    fn code(&mut self) -> Option<i32> {
        wait_for("the process to end", || self.0.try_wait().unwrap()).code()
    }
}

impl Drop for Ends {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A process without a watchdog that drags on and on, until it is told to stop; a line on its standard input makes
/// another of its threads panic.
fn dragger(display: &str) -> Ends {
    dragging(display, "drag")
}

/// The same that has hold of the mouse, and a watchdog.
const GUARDED: &str = "drag with a watchdog";

fn dragging(display: &str, role: &str) -> Ends {
    let mut command = itself("mouse_released::drags_until_told");
    command.env(ROLE, role).env("DISPLAY", display);
    command.stdin(Stdio::piped()).stderr(Stdio::piped());
    Ends(command.spawn().unwrap())
}

/// What [`dragger`] runs.
#[test]
#[ignore = "a part of other tests"]
fn drags_until_told() {
    let Ok(role) = std::env::var(ROLE) else { return };
    let stop = StopFlag::new();
    watch_interrupt(&stop).unwrap();
    let hold = (role == GUARDED).then(|| Hold::take("dragging", torres()).unwrap());
    let mut mouse = match &hold {
        Some(hold) => hold.mouse(InputScale::IDENTITY).unwrap(),
        None => Mouse::open(InputScale::IDENTITY).unwrap(),
    };
    thread::spawn(|| {
        let mut line = String::new();
        if std::io::stdin().read_line(&mut line).unwrap() > 0 {
            panic!("on purpose");
        }
    });
    let [from, to] = [(300, 300), (500, 400)].map(|(x, y)| InputPt { x, y });
    loop {
        match mouse.perform(&Gesture::drag(from, to), &stop) {
            Ok(_) => {}
            Err(MouseError::Stopped(reason)) => {
                eprintln!("stopped: {reason}");
                std::process::exit(3)
            }
            Err(error) => panic!("{error}"),
        }
    }
}

/// The holder's connections end while the watchdog asks who has the mouse. On a busy machine 400 kills found what was
/// wrong there each time.
#[test]
fn a_holder_killed_again_and_again_never_leaves_the_button_pressed() {
    const KILLS: usize = 60;
    let server = Server::start(&[]);
    let pointer = Pointer::of(server.name());
    for number in 0..KILLS {
        let mut dragger = dragging(server.name(), GUARDED);
        pointer.sees_drag(|_| true);
        dragger.signal(Signal::KILL);
        // A process that is gone has pressed for the last time.
        dragger.0.wait().unwrap();
        let took = until_up(&pointer);
        assert!(took <= KILLED, "kill {number}: the button is up after {took:?}");
    }
}

#[test]
fn a_panic_in_another_thread_ends_a_drag_and_its_message_stays() {
    let server = Server::start(&[]);
    let pointer = Pointer::of(server.name());
    let mut dragger = dragger(server.name());
    freeze_in_a_press(dragger.0.id(), &pointer);
    writeln!(dragger.0.stdin.as_ref().unwrap(), "now").unwrap();
    dragger.signal(Signal::CONT);
    let took = until_up(&pointer);
    assert_eq!(dragger.code(), Some(3));
    assert!(!pointer.button_is_down());
    assert!(took <= TOLD, "the button is up after {took:?}");
    let mut said = String::new();
    std::io::Read::read_to_string(&mut dragger.0.stderr.take().unwrap(), &mut said).unwrap();
    assert!(
        said.contains("on purpose") && said.contains("a part of Torres failed"),
        "{said}"
    );
}

#[test]
fn a_second_signal_ends_the_process_but_not_with_the_button_down() {
    let server = Server::start(&[]);
    let pointer = Pointer::of(server.name());
    let mut dragger = dragger(server.name());
    freeze_in_a_press(dragger.0.id(), &pointer);
    // A display that does not answer for a while: so long the gesture cannot let go.
    signal_process(server.id(), Signal::STOP);
    dragger.signal(Signal::CONT);
    for signal in [Signal::TERM, Signal::INT] {
        dragger.signal(signal);
        let until = Instant::now() + Duration::from_millis(150);
        while Instant::now() < until {
            let ended = dragger.0.try_wait().unwrap();
            assert_eq!(ended, None, "it ended with the button down");
            thread::sleep(Duration::from_millis(5));
        }
    }
    signal_process(server.id(), Signal::CONT);
    assert_eq!(dragger.code(), Some(3));
    assert!(!pointer.button_is_down());
}

fn print(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let ms = |time: &Duration| time.as_secs_f64() * 1e3;
    let (median, worst) = (&times[times.len() / 2], &times[times.len() - 1]);
    println!(
        "{what}: {:.3} ms (median), {:.3} ms (worst of {})",
        ms(median),
        ms(worst),
        times.len()
    );
}

/// `cargo test --test desktop mouse_released::how_soon_after_a_kill -- --ignored --nocapture`: from `kill -9` in the
/// middle of a drag of a game to the button's release.
#[test]
#[ignore = "prints figures"]
fn how_soon_after_a_kill_the_button_is_up() {
    let mut times = Vec::new();
    for _ in 0..30 {
        let table = Table::set();
        let play = table.frozen_in_a_drag();
        play.signal(Signal::KILL);
        times.push(until_up(&table.pointer));
    }
    print("kill -9 in a drag, the button is up after", times);
}

/// `cargo test --test desktop mouse_released::what_a_press_costs -- --ignored --nocapture`: a click with the watchdog
/// and without.
#[test]
#[ignore = "prints figures"]
fn what_a_press_costs() {
    on_display("mouse_released::what_a_press_costs", |_| {
        let hold = Hold::take("measuring", torres()).unwrap();
        let stop = StopFlag::new();
        let mut guarded = hold.mouse(InputScale::IDENTITY).unwrap();
        let mut unguarded = Mouse::open(InputScale::IDENTITY).unwrap();
        let at = Gesture::Click(InputPt { x: 640, y: 400 });
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..1000 {
            for (times, mouse) in times.iter_mut().zip([&mut guarded, &mut unguarded]) {
                let began = Instant::now();
                mouse.perform(&at, &stop).unwrap();
                times.push(began.elapsed());
            }
        }
        println!();
        let [with, without] = times;
        print("a click with the watchdog", with);
        print("a click without it", without);
    });
}
