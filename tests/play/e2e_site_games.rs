//! Torres plays where people play: on the page of a game against the site's computer, and the next game by its
//! *Restart*.
#![cfg(target_os = "linux")]

use std::time::Duration;
use torres_geometry::DesktopRect;
use torres_test_support::desktop::Devtools;
use torres_test_support::play::{Shown, Stage, pgn_of, rectangle, text};
use torres_test_support::site::SiteProcess;
use torres_test_support::wait_for;

/// The page's title has who plays whom before it.
const TITLE: &str = "· Torres";
/// Two whole games against the weakest level, each of Torres' moves thought over for a tenth of a second.
const GAMES: Duration = Duration::from_secs(400);

/// Waits until a game of its own is on the page; its id.
fn game_on(devtools: &mut Devtools, not: &str) -> String {
    let shown = "document.body.dataset.connected === 'true' ? location.pathname.replace('/game/', '') : null";
    wait_for("a game on the page", || {
        let shown = devtools.ask(shown)?;
        shown.as_str().filter(|id| *id != not).map(str::to_owned)
    })
}

#[test]
fn torres_plays_the_sites_computer_where_people_do_and_begins_the_next_game() {
    let site = SiteProcess::start("", &[]);
    // The panel is asked of the page.
    let panel = DesktopRect {
        x: 0,
        y: 0,
        width: 1,
        height: 1,
    };
    let stage = Stage::open(&format!("http://{}/play", site.host()), Shown { title: TITLE, panel });
    let mut devtools = stage.devtools();
    wait_for("the form", || {
        devtools.ask("document.readyState === 'complete' && document.querySelector('.begin button')")
    });
    for choice in [
        "[value=level-1]",
        "[name=color][value=white]",
        "#natural",
        ".begin button",
    ] {
        devtools.run(&format!("document.querySelector('{choice}').click()"));
    }
    let first = game_on(&mut devtools, "");

    // The computer's picture, its name, and that it is a program.
    let (face, tag) = (
        stage.lies(&mut devtools, "#upper-face"),
        stage.lies(&mut devtools, "#upper-program"),
    );
    let panel = DesktopRect {
        width: (tag.x - face.x) as u32 + tag.width,
        ..face
    };
    let (path, panel) = (stage.calibration(), rectangle(&panel));
    let calibrated = ["--window", TITLE, "--opponent-is-a-bot", "--opponent-panel", &panel];
    let next = rectangle(&stage.lies(&mut devtools, "#again"));
    for more in [&calibrated[..], &["--new-game", &next]] {
        let (status, said) = stage.run(&[&["calibrate", text(&path)], more].concat());
        assert_eq!(status, 0, "{said}");
    }
    let mut play = stage.play(&["--move-ms", "100", "--games", "2"]);
    play.ends_with(0, GAMES);

    // What was played is what the site says was played.
    let second = game_on(&mut devtools, &first);
    for (id, name) in [(first, "game.pgn"), (second, "game-2.pgn")] {
        let script = format!("fetch('/game/{id}/pgn').then((answer) => answer.text())");
        let pgn = devtools.run(&script).as_str().unwrap().to_owned();
        let own = stage.out().join(name);
        let of_the_site = stage.path("site.pgn");
        std::fs::write(&of_the_site, &pgn).unwrap();
        assert_eq!(pgn_of(&own).moves, pgn_of(&of_the_site).moves, "{name}");
        let result = pgn.split("[Result \"").nth(1).unwrap().split('"').next().unwrap();
        assert_ne!(result, "*", "{pgn}");
        let written = std::fs::read_to_string(&own).unwrap();
        assert!(
            written.contains(&format!("[Result \"{result}\"]")),
            "{result} at {name}:\n{written}"
        );
    }
}
