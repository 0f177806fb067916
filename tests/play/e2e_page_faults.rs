//! What pages and desktops do to a game: each test hurts a real one in Chromium, and says what becomes of it.
//! `docs/faults.md` lists them all.
#![cfg(target_os = "linux")]

use rustix::process::Signal;
use serde_json::Value;
use shakmaty::Color;
use torres::journal::{Event, event};
use torres_test_support::desktop::{BareWindow, Devtools, Page, Pointer};
use torres_test_support::play::third_move::{game, thinking_at_the_third_move};
use torres_test_support::play::{
    GAME, Practice, Run, Script, engine_for, has_event, journal, moves_seen, pgn_of, scripted_engine, signal_group,
    signal_process, text,
};
use torres_test_support::wait_for;

/// Seconds that the scripted engine thinks at its third move: long enough to hurt the page meanwhile.
const A_MOMENT: &str = "1.2";
/// So long that Torres stops during the thought, or not in time.
const FOR_LONG: &str = "60";

/// A game hurt while Torres thinks about its third move.
struct Hurt {
    practice: Practice,
    play: Run,
    /// What was asked of the page holds as long as this is there.
    _devtools: Devtools,
}

impl Hurt {
    fn while_thinking(seconds: &str, hurt: impl FnOnce(&Practice, &mut Devtools)) -> Hurt {
        let practice = Practice::staged(&game(), Color::White);
        practice.stage.calibrate(&[]);
        let mut devtools = practice.stage.devtools();
        let play = thinking_at_the_third_move(&practice, seconds);
        hurt(&practice, &mut devtools);
        Hurt {
            practice,
            play,
            _devtools: devtools,
        }
    }

    /// The game is played to its end as if nothing had happened.
    fn goes_on(mut self) -> Practice {
        self.play.ends_with(0, GAME);
        self.practice.shows(&game());
        self.practice
    }

    /// Torres stops by itself, with nothing clicked since, and says why.
    fn pauses(mut self, why: &str) -> Practice {
        let touches = self.practice.touches();
        self.play.ends_with(1, GAME);
        let said = self.play.said();
        assert!(said.contains(why), "'{why}' is not said: {said}");
        assert_eq!(self.practice.touches(), touches, "the mouse was used after the fault");
        assert!(!Pointer::of(self.practice.stage.display().name()).button_is_down());
        let journal = journal(&self.practice.stage.out());
        let paused = |event: &Event| matches!(event, Event::Pause { reason, .. } if reason.contains(why));
        assert!(has_event(&journal, paused), "no pause because '{why}': {journal:#?}");
        assert_eq!(self.practice.moves(), game().moves()[..4]);
        self.practice
    }
}

/// Puts something over a part of the page until `gone_after_ms`, and counts the clicks on it.
fn put_over(devtools: &mut Devtools, style: &str, gone_after_ms: Option<u32>) {
    let gone = gone_after_ms.map_or(String::new(), |ms| format!("setTimeout(() => over.remove(), {ms});"));
    devtools.run(&format!(
        "var over = document.createElement('div'); window.clicks = 0;
         over.style = 'position:fixed;z-index:1000;background:#fffbe6;border:2px solid #444;color:#222;padding:16px;{style}';
         over.innerHTML = '<b>The bot offers a draw</b><br><button>Accept</button> <button>Decline</button>';
         over.addEventListener('mousedown', () => window.clicks += 1, true);
         document.body.append(over); {gone}"
    ));
}

const MIDDLE: &str = "left:150px;top:200px;width:320px;height:220px";

fn clicks_on_it(practice: &Practice) -> Value {
    practice.stage.devtools().run("window.clicks")
}

// ── what the page does ─────────────────────────────────────────────────────────────────────────────────

#[test]
fn a_page_loaded_anew_is_played_on() {
    // The server's word comes late: until then the page shows its board's start.
    let late = "const plain = Object.getOwnPropertyDescriptor(WebSocket.prototype, 'onmessage');
                Object.defineProperty(WebSocket.prototype, 'onmessage', {
                  get: plain.get,
                  set(listen) { plain.set.call(this, (event) => setTimeout(() => listen(event), 900)); },
                });";
    Hurt::while_thinking("2.5", |_, devtools| {
        devtools.run_in_each_document(late);
        devtools.reload();
    })
    .goes_on();
}

#[test]
fn a_page_that_went_elsewhere_pauses_the_game_and_is_not_clicked() {
    let other = Page::serve("Elsewhere", "<body style='background:#346'></body>");
    Hurt::while_thinking(A_MOMENT, |_, devtools| devtools.go_to(other.url())).pauses("not on the screen");
    assert_eq!(other.events_of("mousedown").len(), 0);
}

#[test]
fn a_board_turned_round_is_played_on_from_its_other_side() {
    let flip = "document.getElementById('flip').click()";
    let practice = Hurt::while_thinking(A_MOMENT, |_, devtools| _ = devtools.run(flip)).goes_on();
    let turned = |event: &Event| matches!(event, Event::Note { text } if text.contains("turned"));
    assert!(has_event(&journal(&practice.stage.out()), turned));
}

#[test]
fn a_toast_over_the_board_is_waited_out_and_not_clicked() {
    // It stays a while longer than the thought takes.
    let hurt = Hurt::while_thinking("0.5", |_, devtools| put_over(devtools, MIDDLE, Some(2500)));
    assert_eq!(clicks_on_it(&hurt.goes_on()), 0);
}

#[test]
fn a_draw_offer_that_stays_over_the_board_pauses_the_game_and_is_not_clicked() {
    let hurt = Hurt::while_thinking("0.5", |_, devtools| put_over(devtools, MIDDLE, None));
    assert_eq!(clicks_on_it(&hurt.pauses("something lies over a part of the board")), 0);
}

/// Plays the staged game from its start, the page hurt before; the moves on the site are the script's all the same.
fn plays_all_the_same(hurt: &str) -> Practice {
    let practice = Practice::staged(&game(), Color::White);
    practice.stage.calibrate(&[]);
    practice.stage.devtools().run(hurt);
    let engine = engine_for(&game(), Color::White);
    let mut play = practice.stage.play(&["--engine", &engine, "--plies", &game().plies()]);
    play.ends_with(0, GAME);
    assert_eq!(practice.moves(), game().moves());
    let written = pgn_of(&practice.stage.out().join("game.pgn"));
    assert_eq!(written.moves, game().moves());
    practice
}

#[test]
fn a_press_that_gets_lost_is_made_again() {
    let practice = plays_all_the_same(
        "addEventListener('mousedown', (event) => event.stopImmediatePropagation(), { capture: true, once: true })",
    );
    let again = |event: &Event| matches!(event, Event::Retry(event::Retry { played, .. }) if played == "e2e4");
    assert!(has_event(&journal(&practice.stage.out()), again));
}

#[test]
fn a_move_that_the_site_refuses_is_made_again() {
    // The first move goes to the server as if it were for another position.
    let practice = plays_all_the_same(
        "const send = WebSocket.prototype.send; let spoiled = false;
         WebSocket.prototype.send = function (text) {
           const message = JSON.parse(text);
           if (message.type === 'move' && !spoiled) { spoiled = true; message.ply += 1; }
           send.call(this, JSON.stringify(message));
         }; 0",
    );
    assert_eq!(practice.site.events("refused").len(), 1);
}

#[test]
fn a_bot_that_replies_at_once_is_followed() {
    let script = Script::new("d2d4 d7d5 c2c4 d5c4 e2e3 b7b5 a2a4 c7c6 a4b5 c6b5");
    let practice = Practice::open(
        &script.moves_of(Color::Black).join(" "),
        &["--delay-ms", "0", "--color", "white"],
    );
    practice.stage.calibrate(&[]);
    let engine = engine_for(&script, Color::White);
    let mut play = practice.stage.play(&["--engine", &engine, "--plies", &script.plies()]);
    play.ends_with(0, GAME);
    practice.shows(&script);
}

fn thoughts(practice: &Practice) -> usize {
    let journal = journal(&practice.stage.out());
    journal
        .iter()
        .filter(|entry| matches!(entry.event, Event::Think(_)))
        .count()
}

/// Another connection to the site's server, from the page itself.
const ANOTHER_PAGE: &str = "var other = new WebSocket('ws://' + location.host + '/ws');";

/// Premoves: our third and fourth move are made by the page, each as soon as it may be.
fn premoves() -> String {
    format!(
        "{ANOTHER_PAGE} const own = {{ 4: 'f1c4', 6: 'd2d3' }};
         other.onmessage = ({{ data }}) => {{
           const {{ type, game, moves, turn, player }} = JSON.parse(data);
           if (type !== 'state' || turn !== player || !own[moves.length]) return;
           other.send(JSON.stringify({{ type: 'move', game, ply: moves.length, uci: own[moves.length] }}));
           delete own[moves.length];
         }}; 0"
    )
}

#[test]
fn a_chain_of_premoves_is_taken_as_played() {
    let script = game();
    let replies = script.moves_of(Color::Black).join(" ");
    let practice = Practice::open(&replies, &["--delay-ms", "400", "--color", "white"]);
    practice.stage.calibrate(&[]);
    let mut devtools = practice.stage.devtools();
    let mut play = thinking_at_the_third_move(&practice, FOR_LONG);
    devtools.run(&premoves());
    play.ends_with(0, GAME);
    assert_eq!(practice.moves(), script.moves());
    assert_eq!(moves_seen(&journal(&practice.stage.out())), script.moves());
}

#[test]
fn a_chain_of_premoves_too_quick_to_be_followed_is_not_guessed() {
    // Four moves within two tenths of a second, on a board that takes as long for one: how much of them is seen hangs
    // on the machine.
    let script = game();
    let practice = Practice::staged(&script, Color::White);
    practice.stage.calibrate(&[]);
    let mut devtools = practice.stage.devtools();
    let mut play = thinking_at_the_third_move(&practice, FOR_LONG);
    let touches = practice.touches();
    devtools.run(&premoves());
    let status = play.status(GAME);
    let seen = moves_seen(&journal(&practice.stage.out()));
    match status {
        // It was understood all the same, and the game went on.
        0 => assert_eq!((&seen, practice.moves()), (&script.moves(), script.moves())),
        // It was not, and nothing was done.
        1 => {
            assert_eq!(practice.touches(), touches, "the mouse was used after the fault");
            assert_eq!(practice.moves(), script.moves()[..8]);
            assert_eq!(seen, script.moves()[..4]);
        }
        other => panic!("exit status {other}: {}", play.said()),
    }
}

#[test]
fn a_game_that_the_site_ends_for_another_one_is_written_down_unfinished_and_the_other_is_played() {
    let script = Script::new("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5");
    let practice = Practice::staged(&script, Color::White);
    practice.stage.calibrate(&[]);
    let mut devtools = practice.stage.devtools();
    let engine = scripted_engine("--slow 4 2", &script.moves_of(Color::White));
    let plies = script.plies();
    let mut play = practice
        .stage
        .play(&["--engine", &engine, "--plies", &plies, "--games", "2"]);
    wait_for("the fourth thought", || (thoughts(&practice) == 4).then_some(()));
    devtools.run(&format!(
        "{ANOTHER_PAGE} other.onopen = () => other.send(JSON.stringify({{ type: 'new_game', color: 'white', level: 3 }})); 0"
    ));
    play.ends_with(1, GAME);
    let said = play.said();
    assert!(said.contains("the board shows another game"), "{said}");
    let written = |name: &str| pgn_of(&practice.stage.out().join(name)).moves;
    assert_eq!(written("game.pgn"), script.moves()[..6]);
    assert_eq!(written("game-2.pgn"), script.moves());
    let all = practice.moves();
    assert_eq!(all[..6], script.moves()[..6]);
    assert_eq!(all[6..], script.moves());
}

#[test]
fn the_other_colour_than_the_calibrated_one_is_played() {
    let practice = Practice::open("", &["--delay-ms", "50", "--color", "white"]);
    practice.stage.calibrate(&[]);
    practice.stage.devtools().run(&format!(
        "{ANOTHER_PAGE} other.onopen = () => other.send(JSON.stringify({{ type: 'new_game', color: 'black', level: 3 }})); 0"
    ));
    // Until its page shows the bot's move, it may show the game before.
    wait_for("the bot's first move on the page", || {
        let moved = practice.site.events("move").first()?["fen"].clone();
        let rests = practice.site.events("at_rest");
        rests.iter().any(|rest| rest["fen"] == moved).then_some(())
    });
    let mut play = practice.stage.play(&["--move-ms", "100", "--plies", "5"]);
    play.ends_with(0, GAME);
    let said = play.said();
    assert!(said.contains("playing black"), "{said}");
}

// ── what the desktop does ──────────────────────────────────────────────────────────────────────────────

#[test]
fn a_window_laid_over_the_board_for_a_moment_is_waited_out() {
    let mut over = None;
    let hurt = Hurt::while_thinking(A_MOMENT, |practice, _| {
        let client = practice.stage.client();
        let window = BareWindow::open(
            practice.stage.display().name(),
            (client.x as i16 + 100, client.y as i16 + 100),
            (420, 300),
        );
        window.fill(0x556677);
        over = Some(window);
    });
    let covered = |event: &Event| matches!(event, Event::Unknown { .. } | Event::BoardMoved { to: None, .. });
    wait_for("Torres to notice it", || {
        has_event(&journal(&hurt.practice.stage.out()), covered).then_some(())
    });
    drop(over);
    hurt.goes_on();
}

#[test]
fn a_blank_window_over_the_whole_screen_pauses_the_game_and_is_not_clicked() {
    let mut over = None;
    let hurt = Hurt::while_thinking(A_MOMENT, |practice, _| {
        let window = BareWindow::open(practice.stage.display().name(), (0, 0), (1280, 1024));
        window.fill(0x000000);
        over = Some(window);
    });
    hurt.pauses("not on the screen");
}

#[test]
fn a_minimised_window_pauses_the_game() {
    Hurt::while_thinking(A_MOMENT, |practice, _| {
        practice.stage.browser().window().unwrap().minimise().unwrap()
    })
    .pauses("not on the screen");
}

#[test]
fn a_window_that_was_minimised_for_a_moment_is_played_on() {
    let hurt = Hurt::while_thinking("2.5", |practice, _| {
        practice.stage.browser().window().unwrap().minimise().unwrap()
    });
    let lost = |event: &Event| matches!(event, Event::BoardMoved { to: None, .. });
    wait_for("Torres to miss the board", || {
        has_event(&journal(&hurt.practice.stage.out()), lost).then_some(())
    });
    hurt.practice.stage.browser().window().unwrap().activate().unwrap();
    hurt.goes_on();
}

// ── what the machine does ──────────────────────────────────────────────────────────────────────────────

#[test]
fn a_machine_that_stands_still_for_five_seconds_is_outlived() {
    let hurt = Hurt::while_thinking(A_MOMENT, |_, _| {});
    let browser = hurt.practice.stage.browser().group().expect("a running browser");
    signal_group(browser, Signal::STOP);
    signal_process(hurt.play.id(), Signal::STOP);
    // The fault itself, not a wait for anything.
    std::thread::sleep(std::time::Duration::from_secs(5));
    signal_process(hurt.play.id(), Signal::CONT);
    signal_group(browser, Signal::CONT);
    hurt.goes_on();
}

/// Torres is killed in its third thought and started again; `meanwhile` something may happen on the page.
fn killed_and_started_again(meanwhile: impl FnOnce(&Practice, &mut Devtools)) {
    let hurt = Hurt::while_thinking(FOR_LONG, |_, _| {});
    let practice = &hurt.practice;
    signal_process(hurt.play.id(), Signal::KILL);
    meanwhile(practice, &mut practice.stage.devtools());
    let engine = engine_for(&game(), Color::White);
    let mut again = practice.stage.play(&["--engine", &engine, "--plies", &game().plies()]);
    again.ends_with(0, GAME);
    assert!(
        again
            .said()
            .contains("going on with the game that was left after 4 plies"),
        "{}",
        again.said()
    );
    assert_eq!(practice.moves(), game().moves());
    let journal = journal(&practice.stage.out());
    assert_eq!(moves_seen(&journal), game().moves());
    assert!(has_event(&journal, |event| matches!(
        event,
        Event::Continued { plies: 4, .. }
    )));
    let written = pgn_of(&practice.stage.out().join("game.pgn"));
    assert_eq!(written.moves, game().moves(), "one game in one file");
    assert!(!practice.stage.out().join("game-2.pgn").exists());
    let (status, said) = practice.stage.run(&["replay", text(&practice.stage.out())]);
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("recording-part-2"), "{said}");
}

#[test]
fn torres_killed_in_the_middle_of_a_game_goes_on_with_it_when_started_again() {
    killed_and_started_again(|_, _| {});
}

#[test]
fn what_was_played_while_torres_was_dead_is_part_of_the_game() {
    killed_and_started_again(|practice, devtools| {
        devtools.run(&format!(
            "{ANOTHER_PAGE} other.onmessage = ({{ data }}) => {{
               const {{ type, game, moves }} = JSON.parse(data);
               if (type === 'state' && moves.length === 4) other.send(JSON.stringify({{ type: 'move', game, ply: 4, uci: 'f1c4' }}));
             }}; 0"
        ));
        wait_for("the bot's reply", || (practice.moves().len() == 6).then_some(()));
    });
}

#[test]
fn a_full_disk_under_the_journal_is_told_and_the_game_is_played_on() {
    let practice = Practice::staged(&game(), Color::White);
    practice.stage.calibrate(&[]);
    let out = practice.stage.out();
    std::fs::create_dir(&out).unwrap();
    // Every write into it fails as on a full disk.
    std::os::unix::fs::symlink("/dev/full", out.join("journal.jsonl")).unwrap();
    let engine = engine_for(&game(), Color::White);
    let mut play = practice.stage.play(&["--engine", &engine, "--plies", &game().plies()]);
    play.ends_with(0, GAME);
    assert_eq!(practice.moves(), game().moves());
    assert_eq!(pgn_of(&out.join("game.pgn")).moves, game().moves());
    let said = play.said();
    assert!(
        said.contains("not everything could be written") && said.contains("journal.jsonl"),
        "{said}"
    );
}

#[test]
fn a_second_torres_on_the_same_desktop_is_refused_and_the_first_plays_on() {
    let hurt = Hurt::while_thinking(A_MOMENT, |practice, _| {
        let calibration = practice.stage.calibration();
        let (status, said) = practice.stage.run(&["play", text(&calibration), "--out", "other"]);
        assert_eq!(status, 1, "{said}");
        assert!(said.contains("another Torres (process"), "{said}");
        assert!(!practice.stage.path("other").exists());
    });
    hurt.goes_on();
}
