//! A page with 8×8 squares that says what was picked up and where it was dropped.

use super::Page;
use crate::wait_for;
use serde_json::Value;
use torres_desktop::{Browser, BrowserOptions, Display};
use torres_geometry::{DesktopPx, DesktopRect};
use torres_screen as screen;

/// Side of a square in CSS pixels.
const SIDE: f64 = 50.0;

/// As chess widgets do, a drag starts only in an animation frame that finds the pointer elsewhere than it was pressed;
/// a release before that is a mere click. Both are reported with the numbers of their squares. The default action
/// is prevented, since it would select text, and the next drag on that would be the browser's own drag and drop.
const BODY: &str = r#"<style>body{margin:0} .s{position:absolute;width:50px;height:50px;box-sizing:border-box;border:1px solid #888}</style>
<script>
for (let i = 0; i < 64; i++) document.write(
  `<div class=s id=s${i} style="left:${i % 8 * 50}px;top:${Math.floor(i / 8) * 50}px"></div>`);
const at = e => Math.floor(e.clientX / 50) + 8 * Math.floor(e.clientY / 50);
let held = null;
addEventListener('mousedown', e => { e.preventDefault(); held = {from: at(e), at: at(e), started: false}; });
addEventListener('mousemove', e => { if (held) held.at = at(e); });
addEventListener('mouseup', e => {
  if (held) report({type: held.started ? 'drop' : 'click-on', from: held.from, to: at(e)});
  held = null;
});
requestAnimationFrame(function frame() {
  if (held && held.at !== held.from) held.started = true;
  requestAnimationFrame(frame);
});
</script>"#;

/// The page, in a browser.
pub struct Board {
    /// Reports `drop` and `click-on` beside the plain events.
    pub page: Page,
    /// The browser that shows it.
    pub browser: Browser,
    scale: f64,
    client: DesktopRect,
}

impl Board {
    /// Opens the page with so many captured pixels per CSS pixel.
    pub fn open(display: &Display, scale: f64) -> Board {
        let page = Page::serve("Squares", BODY);
        let options = BrowserOptions {
            position: (60, 70),
            size: (500, 450),
            scale,
            ..BrowserOptions::default()
        };
        let browser = Browser::open(display, page.url(), options).unwrap_or_else(|e| panic!("no browser: {e}"));
        page.wait_for("ready", 1);
        let window = wait_for("the page's window", || screen::find_window("Squares").ok());
        Board {
            page,
            browser,
            scale,
            client: window.client,
        }
    }

    /// The middle of a square, 0 in the upper left and 63 in the lower right corner, on the desktop.
    pub fn square(&self, number: u32) -> DesktopPx {
        let middle = |cell: u32| (f64::from(cell) + 0.5) * SIDE * self.scale;
        DesktopPx {
            x: f64::from(self.client.x) + middle(number % 8),
            y: f64::from(self.client.y) + middle(number / 8),
        }
    }
}

/// From where to where a `drop` or `click-on` says that it went.
pub fn ends(event: &Value) -> (u64, u64) {
    let number = |key: &str| event[key].as_u64().unwrap_or(u64::MAX);
    (number("from"), number("to"))
}
