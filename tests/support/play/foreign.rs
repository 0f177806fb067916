//! A page that the practice site did not serve: `foreign/README.md` says what it is made of.

use super::Touch;
use super::stage::{Shown, Stage};
use crate::desktop::Page;
use serde_json::Value;
use torres_geometry::DesktopRect;

const TITLE: &str = "Rook & Robin";
const PANEL: DesktopRect = DesktopRect {
    x: 18,
    y: 70,
    width: 270,
    height: 40,
};

const HTML: &str = include_str!("foreign/page.html");
const STYLE: &str = include_str!("foreign/page.css");
const PAGE: &str = include_str!("foreign/page.js");

/// What all pages with this widget load before their own.
const WIDGET_STYLE: &str = include_str!("foreign/chessboard-1.0.0.min.css");
const WIDGET_SCRIPTS: [&str; 4] = [
    include_str!("foreign/jquery-3.7.1.min.js"),
    include_str!("foreign/chess-0.12.1.js"),
    include_str!("foreign/chessboard-1.0.0.min.js"),
    include_str!("foreign/pieces.js"),
];

/// The body of a page with the widget; `staged` is the `STAGE` of its `script`.
pub(super) fn body_with_widget(style: &str, html: &str, staged: &Value, script: &str) -> String {
    let scripts: String = WIDGET_SCRIPTS
        .iter()
        .map(|script| format!("<script>{script}</script>"))
        .collect();
    // A module runs when the document is whole, `report` included.
    format!(
        "<style>{WIDGET_STYLE}{style}</style>{html}{scripts}<script>const STAGE = {staged};</script><script type=module>{script}</script>"
    )
}

/// The page, open in a browser, and what it has reported.
pub struct Foreign {
    /// Display, browser, folder and commands.
    pub stage: Stage,
    page: Page,
}

impl Foreign {
    /// Opens the page; `staged` is its `STAGE`.
    pub fn open(staged: &Value) -> Foreign {
        let body = body_with_widget(STYLE, HTML, staged, PAGE);
        let page = Page::serve("Rook &amp; Robin", &body);
        let stage = Stage::open(
            page.url(),
            Shown {
                title: TITLE,
                panel: PANEL,
            },
        );
        page.wait_for("ready", 1);
        Foreign { stage, page }
    }

    /// All reports, in order.
    pub fn all_events(&self) -> Vec<Value> {
        self.page.events()
    }

    /// The reports of one kind.
    pub fn events(&self, kind: &str) -> Vec<Value> {
        self.page.events_of(kind)
    }

    /// The page's report of this kind: there is one, when the page's request has come through, and one only.
    pub fn has_told(&self, kind: &str) {
        self.page.wait_for(kind, 1);
        assert_eq!(self.events(kind).len(), 1, "reports of '{kind}'");
    }

    /// All moves played on the page, when so many are reported: Torres may end before the page's last request has come
    /// through.
    pub fn moves_of_at_least(&self, count: usize) -> Vec<String> {
        self.page.wait_for("move", count);
        self.moves()
    }

    /// All moves that the page has reported so far.
    pub fn moves(&self) -> Vec<String> {
        let moves = self.events("move").into_iter();
        moves.map(|event| event["move"].as_str().unwrap().to_owned()).collect()
    }

    /// What the page had of the mouse. To measure it, nothing is pressed on X11.
    pub fn touches(&self) -> Vec<Touch> {
        let all = self.page.events().into_iter();
        all.filter(|event| event["type"] == "down" || event["type"] == "up")
            .map(|event| Touch::new(&event))
            .collect()
    }
}
