//! Measuring the mouse by clicks, as on platforms where nobody says which pixel the pointer is over: whatever a page
//! shows of a selection is a sign, and what was selected is put down.
#![cfg(all(target_os = "linux", feature = "xcap"))]

use shakmaty::Chess;
use torres::calibration::{Deselects, Measured, measure_mouse};
use torres::desktop::{Browser, BrowserOptions, Display};
use torres::geometry::{BoardMap, BoardRect, DesktopPx, InputScale, Orientation};
use torres::mouse::{Mouse, StopFlag};
use torres::screen::{self, CaptureKind, LiveScreen};
use torres_test_support::desktop::{Page, on_display};
use torres_test_support::wait_for;

/// Side of the page's board, in pixels.
const SIDE: u32 = 400;

/// A board of bare squares that selects what is pressed in its two lower rows: shown where `SHOWS` says, in a colour
/// hardly to be seen, and put down by what `PUTS_DOWN` says.
const BODY: &str = r#"<style>body{margin:0;background:#f0d9b5} .s{position:absolute;width:50px;height:50px}</style>
<script>
for (let i = 0; i < 64; i++) document.write(
  `<div class=s id=s${i} style="left:${i % 8 * 50}px;top:${Math.floor(i / 8) * 50}px"></div>`);
let chosen = null;
function choose(square) {
  chosen = square;
  const shown = square === null ? [] : {piece: [square], targets: [square - 8, square - 16], nothing: []}[SHOWS];
  document.querySelectorAll('.s').forEach((s, i) => s.style.background = shown.includes(i) ? '#e2cba7' : '');
  report({type: 'chosen', square});
}
addEventListener('mousedown', e => {
  const square = Math.floor(e.clientX / 50) + 8 * Math.floor(e.clientY / 50);
  if (square === chosen) { if (PUTS_DOWN === 'piece') choose(null); }
  else if (square >= 48) choose(square);
  else if (PUTS_DOWN === 'empty') choose(null);
});
</script>"#;

/// What is measured on such a page, and what is selected in the end.
fn measured(display: &Display, shows: &str, puts_down: &str) -> (Measured, Option<u64>) {
    let title = format!("{shows}, {puts_down}");
    let options = format!("<script>const SHOWS = '{shows}', PUTS_DOWN = '{puts_down}';</script>{BODY}");
    let page = Page::serve(&title, &options);
    let _browser = Browser::open(display, page.url(), BrowserOptions::default()).expect("a browser");
    page.wait_for("ready", 1);
    let window = wait_for("the page's window", || screen::find_window(&title).ok());
    let mut screen = LiveScreen::with_kind(0, CaptureKind::Portable).expect("xcap captures");
    let mut region = window.client;
    (region.width, region.height) = (SIDE, SIDE);
    screen.set_region(Some(region));
    let map = BoardMap {
        rect: BoardRect::new(0.0, 0.0, f64::from(SIDE), f64::from(SIDE)).unwrap(),
        orientation: Orientation::White,
    };
    let origin = DesktopPx {
        x: f64::from(region.x),
        y: f64::from(region.y),
    };
    let mut mouse = Mouse::open(InputScale::IDENTITY).expect("a mouse");
    let position = Chess::default();
    let found = measure_mouse(&mut screen, &mut mouse, &StopFlag::new(), &position, &map, origin).unwrap();
    // It is selected and put down, which the page may report later.
    let last = page.wait_for("chosen", 2).pop();
    (found, last.and_then(|event| event["square"].as_u64()))
}

#[test]
fn any_sign_of_a_selection_measures_the_mouse_and_the_piece_is_put_down() {
    on_display(
        "mouse_measured::any_sign_of_a_selection_measures_the_mouse_and_the_piece_is_put_down",
        |display| {
            let seen = |how| Measured::Seen(InputScale::IDENTITY, Some(how));
            for shows in ["piece", "targets"] {
                assert_eq!(
                    measured(display, shows, "empty"),
                    (seen(Deselects::Empty), None),
                    "{shows}"
                );
                assert_eq!(
                    measured(display, shows, "piece"),
                    (seen(Deselects::Piece), None),
                    "{shows}"
                );
            }
            // What is not seen is put down all the same, where an empty square does that.
            assert_eq!(measured(display, "nothing", "empty"), (Measured::Unknown, None));
        },
    );
}
