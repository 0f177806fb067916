//! The opponent guard against twenty panels that look as panels on the web do, each with a clock running beside it: it
//! lets a whole game pass, and stops before the next gesture once the panel names a person.
#![cfg(target_os = "linux")]

use serde_json::Value;
use shakmaty::Color;
use std::path::Path;
use torres::journal::Event;
use torres_test_support::desktop::{BareWindow, Devtools};
use torres_test_support::play::{
    GAME, Practice, Run, Script, engine_for, has_event, journal, scripted_engine, text, third_move,
};
use torres_test_support::wait_for;

/// A panel: its style, what stands before the name, the bot's name, and a person's.
struct Panel {
    style: &'static str,
    before: &'static str,
    bot: &'static str,
    person: &'static str,
}

const fn panel(style: &'static str, before: &'static str, bot: &'static str, person: &'static str) -> Panel {
    Panel {
        style,
        before,
        bot,
        person,
    }
}

const AVATAR: &str = "<span style='display:inline-block;width:32px;height:32px;border-radius:50%;\
    background:radial-gradient(circle at 30% 30%,#fa0,#a03)'></span> ";
const TAG: &str =
    "<span style='background:#769656;color:#fff;padding:1px 5px;border-radius:3px;font-size:11px'>BOT</span> ";
const FLAG: &str =
    "<span style='display:inline-block;width:18px;height:12px;background:linear-gradient(#d00 50%,#fc0 50%)'></span> ";
const DOT: &str = "<span style='color:#4a4'>●</span> ";

const PANELS: [Panel; 20] = [
    panel(
        "font:16px sans-serif;background:#262421;color:#bababa",
        DOT,
        "Stockfish level 3",
        "Stefan Fischer",
    ),
    panel(
        "font:bold 15px sans-serif;background:#312e2b;color:#fff",
        AVATAR,
        "Nelson (1300)",
        "Nelson (1301)",
    ),
    panel(
        "font:13px monospace;background:#fff;color:#111",
        "",
        "gnuchess-6.2.9",
        "gnuchess-6.2.8",
    ),
    panel(
        "font:italic 18px serif;background:#fffbe6;color:#402",
        "",
        "The Turk",
        "Tim Turk",
    ),
    panel("font:11px sans-serif;background:#eee;color:#555", TAG, "maia1", "maria"),
    panel("font:24px serif;background:#024;color:#cdf", "", "Leonardo", "Leonarda"),
    panel(
        "font:14px sans-serif;background:linear-gradient(90deg,#345,#678);color:#fff",
        FLAG,
        "Robin the bot",
        "Robyn the boy",
    ),
    panel(
        "font:600 17px monospace;background:#000;color:#0f0",
        "&gt; ",
        "ROBOT-7",
        "ROBERT7",
    ),
    panel(
        "font:15px sans-serif;background:#fff;color:#c00;letter-spacing:2px",
        AVATAR,
        "Martin",
        "Marvin",
    ),
    panel(
        "font:15px sans-serif;background:#fff;color:#06c;text-decoration:underline",
        DOT,
        "Fairy 5",
        "Fairy S",
    ),
    panel(
        "font:small-caps 17px serif;background:#dcb;color:#321",
        TAG,
        "Ajeeb",
        "Ajeet",
    ),
    panel(
        "font:16px sans-serif;background:#181818;color:#999;text-shadow:1px 1px 2px #fff",
        "",
        "Bot Emil",
        "Rob Emil",
    ),
    panel(
        "font:15px sans-serif;background:#f4f4f4;color:#444;opacity:.8",
        FLAG,
        "Шахматист-бот",
        "Шахматист-Боб",
    ),
    panel(
        "font:16px sans-serif;background:#fff;color:#222;transform:translate(.4px,.3px)",
        "",
        "Level 4 of 8",
        "Lever 4 of 8",
    ),
    panel(
        "font:bold 14px serif;background:repeating-linear-gradient(45deg,#eee,#eee 4px,#ddd 4px,#ddd 8px);color:#000",
        "",
        "Zuse",
        "Zuze",
    ),
    panel("font:20px monospace;background:#234;color:#fed", DOT, "B0t", "Bot"),
    panel(
        "font:12px sans-serif;background:#fff;color:#888",
        AVATAR,
        "computer (easy)",
        "computer (Emmy)",
    ),
    panel(
        "font:16px sans-serif;background:#333;color:#eee;border:1px solid #777",
        TAG,
        "Torres y Q.",
        "Torres y O.",
    ),
    panel(
        "font:300 19px sans-serif;background:#fdf6e3;color:#657b83",
        "",
        "El Ajedrecista",
        "El Ajedrecisto",
    ),
    panel(
        "font:15px cursive;background:#fff0f6;color:#a36",
        FLAG,
        "Belle (1980)",
        "Belle (1986)",
    ),
];

/// Dots of their own colour before and behind the name, which change while a game is played.
const DISC: &str = "<span class=changes style='width:12px;height:12px;border-radius:50%;background:#5b8f22'></span>";
const SMALL_DISC: &str =
    "<span class=changes style='width:8px;height:8px;border-radius:50%;background:#6b6b6b'></span>";
const BEHIND: &str =
    "<span class=changes style='order:1;width:10px;height:10px;border-radius:50%;background:#5b8f22'></span>";
const BOX: &str = "<span class=changes style='width:11px;height:11px;background:#c33'></span>";

const DOTTED: [Panel; 5] = [
    panel(
        "font:16px sans-serif;background:#262421;color:#bababa",
        DISC,
        "Fairy level 1",
        "Fairy level 7",
    ),
    panel(
        "font:14px sans-serif;background:#fff;color:#333",
        SMALL_DISC,
        "Robin",
        "Robyn",
    ),
    panel(
        "font:15px serif;background:#eee;color:#111",
        BEHIND,
        "Leonardo",
        "Leonarda",
    ),
    panel(
        "font:bold 13px sans-serif;background:#123;color:#fed",
        BOX,
        "maia1",
        "maia9",
    ),
    // The ring of one who is not there.
    panel(
        "font:16px monospace;background:#262421;color:#ddd",
        "<span class=hollows style='box-sizing:border-box;width:12px;height:12px;border-radius:50%;border:2px solid #5b8f22;background:#5b8f22'></span>",
        "ROBOT-7",
        "ROBOT-1",
    ),
];

/// Lets the ground wander.
const WANDERS: &str =
    "<style>@keyframes wander { from { background-position: 0 0 } to { background-position: 400% 0 } }</style>";

/// Names on grounds that move: quickly, slowly, and beneath shadows of the letters, which hardly show on a dark ground and
/// do on a bright one.
const MOVING: [Panel; 4] = [
    panel(
        "font:bold 16px sans-serif;background:linear-gradient(100deg,#345,#a42,#638,#345) 0 0/400% 100%;animation:wander 9s linear infinite;color:#fff",
        WANDERS,
        "Nelson (1300)",
        "Nelson (1301)",
    ),
    panel(
        "font:20px serif;background:linear-gradient(90deg,#ffd,#adf,#fbd,#ffd) 0 0/400% 100%;animation:wander 40s linear infinite;color:#102",
        WANDERS,
        "Leonardo",
        "Leonarda",
    ),
    panel(
        "font:600 18px monospace;background:linear-gradient(60deg,#123,#274,#416,#123) 0 0/400% 100%;animation:wander 14s linear infinite;color:#fed;text-shadow:1px 1px 2px #000",
        WANDERS,
        "ROBOT-7",
        "ROBOT-1",
    ),
    panel(
        "font:bold 28px sans-serif;background:linear-gradient(135deg,#155,#247,#637,#b44,#e93,#394,#155) 0 0/400% 100%;animation:wander 40s linear infinite;color:#fff;text-shadow:0 2px 5px #0008",
        WANDERS,
        "Lady Basalt",
        "Lady Besalt",
    ),
];

/// Shows a panel in place of the practice site's, with a clock at its right end that runs in tenths of a second.
fn show(devtools: &mut Devtools, panel: &Panel) {
    devtools.run(&format!(
        "clearInterval(window.ticking);
         clearInterval(window.changing);
         var shown = document.getElementById('bot-panel');
         shown.style = 'display:flex;align-items:center;gap:6px;white-space:nowrap;overflow:hidden;' + {style:?};
         shown.innerHTML = {before:?} + '<span id=\"opponent\"></span><span id=\"ticks\" style=\"position:absolute;right:10px;font:bold 20px monospace\"></span>';
         shown.style.position = 'relative';
         document.getElementById('opponent').textContent = {bot:?};
         window.ticking = setInterval(() => document.getElementById('ticks').textContent = (900 - performance.now() / 1000).toFixed(1), 100);
         window.changing = setInterval(() => {{
           const on = Math.floor(performance.now() / 400) % 2;
           for (const dot of document.querySelectorAll('.changes')) dot.style.background = on ? '#5b8f22' : '#6b6b6b';
           for (const dot of document.querySelectorAll('.hollows')) dot.style.background = on ? '#5b8f22' : 'transparent';
         }}, 100);
         document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0)))))",
        style = panel.style,
        before = panel.before,
        bot = panel.bot,
    ));
}

/// Begins another game on the site, and waits until the board shows it.
fn new_game(practice: &Practice, devtools: &mut Devtools) {
    let games = practice.site.events("game").len();
    devtools.run(
        "var other = new WebSocket('ws://' + location.host + '/ws');
         other.onopen = () => other.send(JSON.stringify({ type: 'new_game', color: 'white', level: 3 })); 0",
    );
    wait_for("the site's next game", || {
        (practice.site.events("game").len() > games).then_some(())
    });
    wait_for("its board", || {
        let all = practice.site.events("at_rest");
        let last = all.last()?["fen"].as_str()?.to_owned();
        last.starts_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR")
            .then_some(())
    });
}

/// Calibrates with the panel, without the clock at its right end. What is said.
fn calibrate(practice: &Practice, calibration: &Path) -> String {
    let client = practice.stage.client();
    let rectangle = format!("{},{},236,48", client.x + 644, client.y + 22);
    let (status, said) = practice.stage.run(&[
        "calibrate",
        text(calibration),
        "--window",
        "Torres practice site",
        "--opponent-is-a-bot",
        "--opponent-panel",
        &rectangle,
    ]);
    assert_eq!(status, 0, "{}: {said}", calibration.display());
    said
}

fn wait_for_the_third_thought(out: &Path) {
    wait_for("the third thought", || {
        let thinks = |event: &Event| matches!(event, Event::Think(_));
        let kept = out.join("journal.jsonl");
        (kept.exists() && journal(out).iter().filter(|entry| thinks(&entry.event)).count() == 3).then_some(())
    });
}

/// Each of the panels lets a whole game pass, and stops the next one once it names a person.
fn no_person_passes(panels: &[Panel]) {
    let script = Script::new("e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7");
    let practice = Practice::staged(&script, Color::White);
    let stage = &practice.stage;
    let mut devtools = stage.devtools();
    let engine = engine_for(&script, Color::White);
    let slow = scripted_engine("--slow 3 1", &script.moves_of(Color::White));
    for (number, panel) in panels.iter().enumerate() {
        show(&mut devtools, panel);
        new_game(&practice, &mut devtools);
        let calibration = stage.path(&format!("panel-{number}.json"));
        let said = calibrate(&practice, &calibration);
        assert!(!said.contains("warning"), "panel {number} is above suspicion: {said}");
        let out = stage.path(&format!("panel-{number}"));
        let (status, said) = stage.run(&["play", text(&calibration), "--out", text(&out), "--engine", &engine]);
        assert_eq!(status, 0, "panel {number} stopped its own game: {said}");

        new_game(&practice, &mut devtools);
        let out = stage.path(&format!("person-{number}"));
        let before = practice.moves().len();
        let mut play = Run::start(
            stage.torres(&["play", text(&calibration), "--out", text(&out), "--engine", &slow]),
            stage.path("person.said"),
        );
        // In the third thought, so that the next gesture is the first after the change.
        wait_for_the_third_thought(&out);
        devtools.run(&format!(
            "document.getElementById('opponent').textContent = {:?}",
            panel.person
        ));
        let touches = practice.touches().len();
        play.ends_with(1, GAME);
        assert!(
            play.said().contains("opponent panel changed"),
            "panel {number}: {}",
            play.said()
        );
        assert_eq!(practice.moves().len() - before, 4, "panel {number} let a person pass");
        assert_eq!(practice.touches().len(), touches, "panel {number}: the mouse was used");
        let pictured = |event: &Event| matches!(event, Event::Pause { evidence: Some(_), .. });
        assert!(has_event(&journal(&out), pictured), "panel {number} left no picture");
    }
}

/// Twenty panels let a game pass, and none lets a person pass; in four tests, which run beside each other.
mod twenty_panels {
    use super::{PANELS, no_person_passes};

    #[test]
    fn the_first_five() {
        no_person_passes(&PANELS[..5]);
    }

    #[test]
    fn the_second_five() {
        no_person_passes(&PANELS[5..10]);
    }

    #[test]
    fn the_third_five() {
        no_person_passes(&PANELS[10..15]);
    }

    #[test]
    fn the_last_five() {
        no_person_passes(&PANELS[15..]);
    }
}

#[test]
fn dots_that_change_beside_a_name_let_a_game_pass_and_no_person() {
    no_person_passes(&DOTTED);
}

#[test]
fn a_ground_that_moves_behind_a_name_lets_a_game_pass_and_no_person() {
    no_person_passes(&MOVING);
}

/// Sites show what was captured behind a name and under it, and a bot's words beside it or over it.
#[test]
fn captured_pieces_and_speech_beside_a_name_let_a_game_pass() {
    let script = Script::new("e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7");
    let practice = Practice::staged(&script, Color::White);
    let stage = &practice.stage;
    let mut devtools = stage.devtools();
    show(&mut devtools, &PANELS[0]);
    new_game(&practice, &mut devtools);
    let calibration = stage.path("board.json");
    calibrate(&practice, &calibration);
    let out = stage.path("captured");
    let slow = scripted_engine("--slow 3 1", &script.moves_of(Color::White));
    let mut play = Run::start(
        stage.torres(&["play", text(&calibration), "--out", text(&out), "--engine", &slow]),
        stage.path("captured.said"),
    );
    wait_for_the_third_thought(&out);
    devtools.run(
        "var shown = document.getElementById('opponent');
         shown.insertAdjacentHTML('afterend', '<span style=\"order:1\">♟♟♞ +1</span>');
         shown.insertAdjacentHTML('afterend', '<span style=\"position:absolute;left:60px;top:-20px;padding:14px 20px;background:#fff;color:#000\" id=speech>Nice!</span>');
         setTimeout(() => document.getElementById('speech').remove(), 4000); 0",
    );
    play.ends_with(0, GAME);
    assert!(!play.said().contains("PAUSED"), "{}", play.said());
}

/// A rectangle as left, top, right and bottom edges, on the desktop.
type Edges = [f64; 4];

/// Where the words of an element lie.
fn edges_of(practice: &Practice, devtools: &mut Devtools, id: &str) -> Edges {
    let lies = devtools.run(&format!(
        "(() => {{ const range = document.createRange();
           range.selectNodeContents(document.getElementById('{id}'));
           const {{ left, top, right, bottom }} = range.getBoundingClientRect();
           return [left, top, right, bottom]; }})()"
    ));
    let client = practice.stage.client();
    let (x, y) = (f64::from(client.x), f64::from(client.y));
    let edge = |index: usize| lies[index].as_f64().unwrap();
    [edge(0) + x, edge(1) + y, edge(2) + x, edge(3) + y]
}

/// The panels that calibrating has proposed.
fn proposed(said: &str) -> Vec<Edges> {
    let rectangles = said.lines().filter_map(|line| line.split_once("--opponent-panel "));
    rectangles
        .filter(|(before, _)| before.starts_with("panel "))
        .map(|(_, rectangle)| {
            let numbers: Vec<f64> = rectangle.split(',').map(|number| number.parse().unwrap()).collect();
            [numbers[0], numbers[1], numbers[0] + numbers[2], numbers[1] + numbers[3]]
        })
        .collect()
}

#[test]
fn calibrating_proposes_each_of_the_panels_without_its_clock() {
    let practice = Practice::staged(&Script::new("e2e4 e7e5"), Color::White);
    let stage = &practice.stage;
    let mut devtools = stage.devtools();
    let mut firsts = 0;
    for (number, panel) in PANELS.iter().enumerate() {
        show(&mut devtools, panel);
        let calibration = stage.path(&format!("panel-{number}.json"));
        let (status, said) = stage.run(&["calibrate", text(&calibration), "--window", "Torres practice site"]);
        assert_eq!(status, 0, "panel {number}: {said}");
        let proposals = proposed(&said);
        let [left, top, right, bottom] = edges_of(&practice, &mut devtools, "opponent");
        // Text seldom fills its line, neither in height nor to the last fraction of a pixel.
        let middle = (top + bottom) / 2.0;
        let names = |[x0, y0, x1, y1]: &Edges| *x0 <= left + 4.0 && right - 4.0 <= *x1 && *y0 < middle && middle < *y1;
        let found = proposals.iter().position(names);
        assert!(
            found.is_some_and(|index| index < 3),
            "panel {number} at {left}, {top}, {right}, {bottom}: {said}"
        );
        firsts += usize::from(found == Some(0));
        let ticks = edges_of(&practice, &mut devtools, "ticks");
        let clock = |[x0, y0, x1, y1]: &Edges| *x0 < ticks[2] && ticks[0] < *x1 && *y0 < ticks[3] && ticks[1] < *y1;
        assert!(
            !proposals.iter().any(clock),
            "panel {number}, clock at {ticks:?}: {said}"
        );
    }
    assert!(firsts >= 18, "only {firsts} of 20 panels came first");
}

/// The practice site in a window whose title names the bot, as desktop programs do.
fn titled(title: &str) -> (Practice, Devtools) {
    let practice = Practice::staged(&third_move::game(), Color::White);
    let mut devtools = practice.stage.devtools();
    devtools.run(&format!("document.title = {title:?}"));
    (practice, devtools)
}

/// The panel that calibrating proposes in the title bar, as `--opponent-panel` takes it.
fn title_bar(practice: &Practice, title: &str) -> String {
    let path = practice.stage.path("proposals.json");
    let (status, said) = practice.stage.run(&["calibrate", text(&path), "--window", title]);
    assert_eq!(status, 0, "{said}");
    let top = f64::from(practice.stage.client().y);
    let in_title = proposed(&said)
        .into_iter()
        .find(|[_, y0, _, y1]| *y0 < top && *y1 <= top);
    let [x0, y0, x1, y1] = in_title.unwrap_or_else(|| panic!("no title bar is proposed: {said}"));
    format!("{x0},{y0},{},{}", x1 - x0, y1 - y0)
}

/// Calibrates on a panel in the title bar; what was said, and the file.
fn vouch(practice: &Practice, title: &str, panel: &str) -> (String, Value) {
    let path = practice.stage.calibration();
    let (status, said) = practice.stage.run(&[
        "calibrate",
        text(&path),
        "--window",
        title,
        "--opponent-is-a-bot",
        "--opponent-name",
        title,
        "--opponent-panel",
        panel,
    ]);
    assert_eq!(status, 0, "{said}");
    (said, serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap())
}

/// A window beside the browser's that has the keyboard.
fn elsewhere(practice: &Practice) -> BareWindow {
    let window = BareWindow::framed(practice.stage.display().name(), "A terminal", (1130, 300), (120, 90));
    window.take_keyboard();
    window
}

#[test]
fn a_title_bar_that_names_the_bot_is_watched_with_the_keyboard_in_its_window_and_without() {
    let (practice, mut devtools) = titled("Robin the bot");
    let panel = title_bar(&practice, "Robin the bot");
    let terminal = elsewhere(&practice);
    let (said, file) = vouch(&practice, "Robin the bot", &panel);
    assert!(!said.contains("warning"), "{said}");
    assert!(
        said.contains(&format!("you vouch that {panel} names 'Robin the bot', a bot")),
        "{said}"
    );
    assert!(file["opponent"]["panel"]["y"].as_i64().unwrap() < 0, "{file}");
    assert!(file["opponent"]["also"].is_string(), "both looks are kept: {said}");

    // The window has the keyboard, as the last click of calibrating left it; another one takes it in the middle of the
    // game.
    let mut play: Run = third_move::thinking_at_the_third_move(&practice, "1");
    terminal.take_keyboard();
    play.ends_with(0, GAME);
    assert_eq!(practice.moves(), third_move::game().moves(), "on the site");

    // Another name in the title, and there is no further gesture.
    new_game(&practice, &mut devtools);
    std::fs::remove_dir_all(practice.stage.out()).unwrap();
    let before = practice.moves().len();
    let mut play = third_move::thinking_at_the_third_move(&practice, "3");
    devtools.run("document.title = 'Robyn the boy'");
    let touches = practice.touches().len();
    play.ends_with(1, GAME);
    assert!(play.said().contains("opponent panel changed"), "{}", play.said());
    assert_eq!(practice.touches().len(), touches, "the mouse was used");
    assert_eq!(practice.moves().len() - before, 4, "{}", play.said());
}

#[test]
fn a_window_whose_title_bar_lies_beyond_the_screens_edge_is_calibrated_without_it() {
    // Reported (GCompris): the title bar was to be looked at, and calibrating ended there.
    let (practice, _devtools) = titled("Robin the bot");
    let (window, home) = (practice.stage.browser().window().unwrap(), practice.stage.client());
    window.move_to(home.x, 0).unwrap();
    wait_for("the window at the upper edge", || {
        (practice.stage.client().y == 0).then_some(())
    });
    let path = practice.stage.calibration();
    let (status, said) = practice
        .stage
        .run(&["calibrate", text(&path), "--window", "Robin the bot"]);
    assert_eq!(status, 0, "{said}");
    let panels = proposed(&said);
    assert!(
        !panels.is_empty() && panels.iter().all(|[_, y0, ..]| *y0 >= 0.0),
        "{said}"
    );
}

#[test]
fn a_title_bar_over_a_board_that_is_found_to_reach_a_pixel_beyond_its_window_lies_on_no_board() {
    let (practice, mut devtools) = titled("Robin the bot");
    devtools.run(
        "document.head.insertAdjacentHTML('beforeend', `<style>
             #board { position: fixed !important; z-index: 9; left: 0; top: -1px }
         </style>`); dispatchEvent(new Event('resize')); 0",
    );
    let top = practice.stage.client().y;
    let panel = title_bar(&practice, "Robin the bot");
    let [x, y, width, _] = panel
        .split(',')
        .map(|part| part.parse::<f64>().unwrap())
        .collect::<Vec<_>>()[..]
    else {
        panic!("{panel}")
    };
    let to_the_board = format!("{x},{y},{width},{}", f64::from(top) - y);
    let (_, file) = vouch(&practice, "Robin the bot", &to_the_board);
    assert!(
        file["board"]["y"].as_f64().is_some_and(|y| y < 0.0),
        "{}",
        file["board"]
    );
}

#[test]
fn a_title_bar_whose_title_changes_with_the_keyboard_has_one_look_only_and_one_without_the_name_is_suspected() {
    let (practice, mut devtools) = titled("Robin the bot");
    let panel = title_bar(&practice, "Robin the bot");
    let _terminal = elsewhere(&practice);
    devtools.run("addEventListener('focus', () => document.title = 'Robyn the boy')");
    let (said, file) = vouch(&practice, "Robin the bot", &panel);
    assert!(file["opponent"]["also"].is_null(), "{said}");
    assert!(said.contains("does not stay as it is"), "{said}");

    // The title is another one now, and so it is not where the opponent is named.
    let (path, wrong) = (practice.stage.path("wrong.json"), title_bar(&practice, "Robyn the boy"));
    let vouched = [
        "--opponent-is-a-bot",
        "--opponent-name",
        "Robin",
        "--opponent-panel",
        &wrong,
    ];
    let (status, said) = practice
        .stage
        .run(&[&["calibrate", text(&path), "--window", "Robyn the boy"], &vouched[..]].concat());
    assert_eq!(status, 0, "{said}");
    assert!(
        said.contains("warning") && said.contains("is without 'Robin'"),
        "{said}"
    );
}
