//! What the user says counts: where a board lies that is not found, and what stands on one that cannot be read back.
#![cfg(target_os = "linux")]

use serde_json::{Value, json};
use shakmaty::Color;
use torres::geometry::DesktopRect;
use torres_test_support::desktop::Pointer;
use torres_test_support::play::{Foreign, GAME, Practice, Script, engine_for, text};
use torres_test_support::wait_for;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn game() -> Script {
    Script::new("e2e4 d7d5 e4d5 d8d5 b1c3 d5a5 g1f3 b8c6")
}

/// A page whose squares are all of one colour, so that no board is found on it.
fn one_color() -> Foreign {
    Foreign::open(&json!({
        "player": "white", "replies": game().moves_of(Color::Black), "delayMs": 150, "oneColor": true,
    }))
}

/// Where the squares lie on the page: left, top, width, height.
fn squares(foreign: &Foreign) -> [f64; 4] {
    let lies = foreign.stage.devtools().run(
        "{ const [a8, h1] = ['a8', 'h1'].map((square) => document.querySelector(`[data-square=${square}]`).getBoundingClientRect());
           [a8.left, a8.top, h1.right - a8.left, h1.bottom - a8.top] }",
    );
    std::array::from_fn(|index| lies[index].as_f64().expect("a place on the page"))
}

/// The board on the desktop, as somebody says it who misses it by so many pixels.
fn missed_by(foreign: &Foreign, (dx, dy, grown): (i32, i32, i32)) -> DesktopRect {
    let [x, y, width, height] = squares(foreign).map(|v| v.round() as i32);
    let client = foreign.stage.client();
    DesktopRect {
        x: client.x + x + dx,
        y: client.y + y + dy,
        width: (width + grown) as u32,
        height: (height + grown) as u32,
    }
}

fn calibrate(foreign: &Foreign, more: &[&str]) -> (i32, String) {
    let (path, panel) = (foreign.stage.calibration(), foreign.stage.panel());
    let args = ["calibrate", text(&path), "--window", "Rook"];
    let vouched = ["--opponent-is-a-bot", "--opponent-panel", &panel];
    foreign.stage.run(&[&args[..], &vouched, more].concat())
}

fn file(foreign: &Foreign) -> Value {
    serde_json::from_slice(&std::fs::read(foreign.stage.calibration()).unwrap()).unwrap()
}

fn lies_as_drawn(foreign: &Foreign) {
    let (found, truth) = (file(foreign)["board"].clone(), squares(foreign));
    for (field, expected) in ["x", "y", "width", "height"].into_iter().zip(truth) {
        let found = found[field].as_f64().unwrap();
        assert!((found - expected).abs() <= 1.0, "{field} is {found}, not {expected}");
    }
}

#[test]
fn a_board_that_is_not_found_is_played_on_where_the_user_says_that_it_lies() {
    let foreign = one_color();
    let (status, said) = calibrate(&foreign, &[]);
    assert_eq!(status, 1, "{said}");
    assert!(said.contains("--board"), "what to do is said: {said}");
    let DesktopRect { x, y, width, height } = missed_by(&foreign, (6, -5, 4));
    let (status, said) = calibrate(&foreign, &["--board", &format!("{x},{y},{width},{height}")]);
    assert_eq!(status, 0, "{said}");
    lies_as_drawn(&foreign);
    assert_eq!(file(&foreign)["stated"], true);

    // It goes where its window goes.
    let before = foreign.stage.client();
    foreign.stage.browser().window().unwrap().move_to(7, 31).unwrap();
    wait_for("the window to move", || {
        (foreign.stage.client() != before).then_some(())
    });
    let path = foreign.stage.calibration();
    let (status, said) = foreign.stage.run(&["calibrate", text(&path), "--check"]);
    assert_eq!(status, 0, "{said}");
    let engine = engine_for(&game(), Color::White);
    let mut play = foreign.stage.play(&["--engine", &engine, "--plies", &game().plies()]);
    play.ends_with(0, GAME);
    assert_eq!(foreign.moves_of_at_least(game().moves().len()), game().moves());
    assert_eq!(foreign.events("refused"), Vec::<Value>::new());
}

#[test]
fn a_board_that_was_scrolled_away_from_where_it_was_said_to_lie_is_not_clicked() {
    let foreign = one_color();
    let DesktopRect { x, y, width, height } = missed_by(&foreign, (-3, 4, 0));
    let (status, said) = calibrate(&foreign, &["--board", &format!("{x},{y},{width},{height}")]);
    assert_eq!(status, 0, "{said}");
    foreign.stage.devtools().run(
        "document.querySelector('main').style.paddingTop = '61px';
         new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(0))))",
    );
    let path = foreign.stage.calibration();
    let (status, said) = foreign.stage.run(&["calibrate", text(&path), "--check"]);
    assert!(status == 1 && said.contains("CHANGED board"), "{status}: {said}");
    let mut play = foreign.stage.play(&[]);
    play.ends_with(1, GAME);
    assert_eq!(foreign.touches(), []);
}

#[test]
fn a_place_where_no_board_lies_is_refused_and_a_board_that_is_found_may_be_said_to_lie_where_it_does() {
    let foreign = one_color();
    let client = foreign.stage.client();
    for (rect, why) in [
        (
            format!("{},{},400,400", client.x + 10, client.y + 300),
            "where the board was said to lie",
        ),
        (format!("{},{},400,200", client.x + 10, client.y + 300), "not square"),
        (
            format!("{},{},50,50", client.x + 10, client.y + 300),
            "too short to read",
        ),
    ] {
        let (status, said) = calibrate(&foreign, &["--board", &rect]);
        assert!(status == 1 && said.contains(why), "{rect}: {status}: {said}");
        assert!(!foreign.stage.calibration().exists());
    }

    let found = Foreign::open(&json!({"player": "white", "delayMs": 150}));
    let DesktopRect { x, y, width, height } = missed_by(&found, (5, 5, -6));
    let (status, said) = calibrate(&found, &["--board", &format!("{x},{y},{width},{height}")]);
    assert_eq!(status, 0, "{said}");
    lies_as_drawn(&found);
    assert!(file(&found)["stated"].is_null(), "its squares tell where it lies");
}

#[test]
fn at_a_terminal_two_corners_can_be_pointed_at() {
    let foreign = one_color();
    let DesktopRect { x, y, width, height } = missed_by(&foreign, (2, 3, -1));
    let (path, panel) = (foreign.stage.calibration(), foreign.stage.panel());
    let line = format!(
        "calibrate '{}' --opponent-is-a-bot --opponent-panel {panel} --board",
        text(&path)
    );
    let pointer = Pointer::of(foreign.stage.display().name());
    let mut run = foreign.stage.at_a_terminal(&line, "");
    let (right, bottom) = (x + width as i32 - 1, y + height as i32 - 1);
    for (which, x, y) in [("upper left", x, y), ("lower right", right, bottom)] {
        wait_for("the question", || run.said().contains(which).then_some(()));
        pointer.move_to(x as i16, y as i16);
        run.terminal().type_text("\n");
    }
    assert_eq!(run.status(GAME), 0, "{}", run.said());
    lies_as_drawn(&foreign);
}

/// The practice site in its start position, hurt like this.
fn hurt(style: &str) -> Practice {
    let practice = Practice::staged(&game(), Color::White);
    practice.stage.devtools().run(&format!(
        "document.head.insertAdjacentHTML('beforeend', `<style>{style}</style>`); 0"
    ));
    practice.stage.resting_screenshot();
    practice
}

fn calibrate_practice(practice: &Practice, more: &[&str]) -> (i32, String) {
    let path = practice.stage.calibration();
    let args = ["calibrate", text(&path), "--window", "Torres practice site"];
    practice.stage.run(&[&args[..], more].concat())
}

#[test]
fn in_a_stated_position_what_cannot_be_read_is_told_and_not_refused() {
    // The black queen can hardly be seen.
    let practice = hurt("piece.queen.black { opacity: 0.02 !important }");
    let (status, said) = calibrate_practice(&practice, &[]);
    assert_eq!(status, 1, "{said}");
    let (status, said) = calibrate_practice(&practice, &["--fen", START]);
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("not read as you stated on d8"), "{said}");
    let picture = image::open(practice.stage.calibration().with_extension("png"))
        .unwrap()
        .into_rgb8();
    // The square's frame: `site.css` puts the board at 20, 20, its squares of 75 px.
    let on_frame = picture.get_pixel(20 + 3 * 75 + 30, 21).0;
    assert!(on_frame[0] > 200 && on_frame[1] < 130, "{on_frame:?}");
}

#[test]
fn another_position_than_the_stated_one_is_refused() {
    let practice = Practice::staged(&game(), Color::White);
    for fen in [
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        // As if a knight of the bot had been captured a move before.
        "rnbqkbnr/pppp1ppp/8/4p3/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 1",
        "rnbqkbnr/pp1ppppp/8/2p5/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ] {
        let (status, said) = calibrate_practice(&practice, &["--fen", fen]);
        assert_eq!(status, 1, "{fen}: {said}");
        assert!(said.contains("differs on"), "{fen}: {said}");
        assert!(!practice.stage.calibration().exists());
    }
}
