//! A page that behaves like the site of a peer: what it does by itself, and `--games` on it.
#![cfg(target_os = "linux")]

mod common;
mod e2e_support;
mod site_support;

use common::{Devtools, wait_for};
use e2e_support::Peer;
use serde_json::json;

/// Fool's play: the player, with White, mates at the fourth move.
const MATE: [&str; 3] = ["e7e5", "b8c6", "g8f6"];

/// The player's moves by clicks in the page, each when it is the player's turn.
fn click(devtools: &mut Devtools, played: &str) {
    for square in [&played[..2], &played[2..]] {
        let at = devtools.run(&format!(
            "{{ const lies = document.querySelector('[data-square={square}]').getBoundingClientRect();
               [lies.x + lies.width / 2, lies.y + lies.height / 2] }}"
        ));
        let at = (at[0].as_f64().unwrap(), at[1].as_f64().unwrap());
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            devtools.mouse(kind, at);
        }
    }
}

#[test]
fn the_page_centres_its_column_anew_when_a_game_ends_and_swaps_the_colours_in_a_rematch() {
    let peer = Peer::open(&json!({
        "player": "white", "delayMs": 50, "dotMs": 300,
        "games": [{"replies": MATE}, {"replies": ["e2e4"], "end": {"atPly": 2, "how": "resign", "afterMs": 50}}],
    }));
    let mut devtools = peer.stage.devtools();
    let (row, board) = (peer.bot_row(&mut devtools), peer.lies(&mut devtools, "#board"));
    for (ply, played) in ["e2e4", "d1h5", "f1c4", "h5f7"].into_iter().enumerate() {
        peer.wait_for_ply(2 * ply);
        click(&mut devtools, played);
    }
    peer.wait_for("result", 1);
    assert_eq!(peer.results(), [("1-0".to_owned(), "mate".to_owned())]);
    let after = peer.bot_row(&mut devtools);
    assert!((30..=60).contains(&(row.y - after.y)), "{row:?} {after:?}");
    assert_eq!(peer.lies(&mut devtools, "#board"), board);
    assert!(peer.clocks().len() >= 9);
    devtools.run("document.getElementById('rematch').click()");
    peer.wait_for("game", 2);
    assert_eq!(devtools.run("board.orientation()"), "black");
    assert_eq!(peer.bot_row(&mut devtools).y, row.y);
    peer.wait_for_ply(1);
    click(&mut devtools, "e7e5");
    peer.wait_for("result", 2);
    assert_eq!(peer.results()[1], ("0-1".to_owned(), "resign".to_owned()));
    // The dot has been green and grey meanwhile.
    let shows = |devtools: &mut Devtools| devtools.run("document.getElementById('bot-dot').className");
    let before = shows(&mut devtools);
    wait_for("the dot to change", || (shows(&mut devtools) != before).then_some(()));
}

#[test]
fn the_pages_clocks_count_down_and_flag() {
    let peer = Peer::open(&json!({
        "player": "white", "delayMs": 50, "games": [{"replies": MATE}], "clock": {"initialMs": 11000, "incrementMs": 0},
    }));
    let mut devtools = peer.stage.devtools();
    let shown = |devtools: &mut Devtools| devtools.run("document.getElementById('clock-below').textContent");
    assert_eq!(shown(&mut devtools), "0:11");
    click(&mut devtools, "e2e4");
    peer.wait_for_ply(2);
    wait_for("tenths", || {
        let text = shown(&mut devtools);
        text.as_str().filter(|text| text.starts_with("0:09.")).map(drop)
    });
    devtools.run("logClocks()");
    let asked = peer.wait_for("clocks", 1).pop().unwrap();
    assert_eq!(asked["shown_black"], "0:11");
    assert!(asked["shown_white"].as_str().unwrap().starts_with("0:09."), "{asked}");
    peer.wait_for("result", 1);
    assert_eq!(peer.results(), [("0-1".to_owned(), "flag".to_owned())]);
    assert_eq!(shown(&mut devtools), "0:00.0");
}
