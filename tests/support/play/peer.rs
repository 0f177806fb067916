//! A page that behaves like the peer's site: `peer/README.md` says how.

use super::foreign::body_with_widget;
use super::records::games_of;
use super::stage::{Shown, Stage, text};
use crate::desktop::{Devtools, Page};
use crate::wait_for;
use serde_json::Value;
use torres_geometry::DesktopRect;

/// What the title has whoever plays whom.
const TITLE: &str = "Chess •";
/// The panel is asked of the page, since it is centred in its column.
const NOWHERE: DesktopRect = DesktopRect {
    x: 0,
    y: 0,
    width: 1,
    height: 1,
};

/// Is done when what was changed is drawn.
const DRAWN: &str = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))";

const HTML: &str = include_str!("peer/page.html");
const STYLE: &str = include_str!("peer/page.css");
const PAGE: &str = include_str!("peer/page.js");

/// Both clocks at one moment, as the page had them.
#[derive(Clone, Debug, PartialEq)]
pub struct PageClocks {
    /// Unix time in ms.
    pub t_ms: f64,
    /// What White has left, in ms.
    pub white_ms: u64,
    /// What Black has left, in ms.
    pub black_ms: u64,
}

/// The page, open in a browser, and what it has reported.
pub struct Peer {
    /// Display, browser, folder and commands.
    pub stage: Stage,
    page: Page,
}

impl Peer {
    /// Opens the page; `staged` is its `STAGE`.
    pub fn open(staged: &Value) -> Peer {
        let body = body_with_widget(STYLE, HTML, staged, PAGE);
        let page = Page::serve(TITLE, &body);
        let shown = Shown {
            title: TITLE,
            panel: NOWHERE,
        };
        let stage = Stage::open(page.url(), shown);
        page.wait_for("ready", 1);
        page.wait_for("game", 1);
        Peer { stage, page }
    }

    /// All reports, in order.
    pub fn all_events(&self) -> Vec<Value> {
        self.page.events()
    }

    /// The reports of one kind.
    pub fn events(&self, kind: &str) -> Vec<Value> {
        self.page.events_of(kind)
    }

    /// Waits for so many reports of one kind.
    pub fn wait_for(&self, kind: &str, count: usize) -> Vec<Value> {
        self.page.wait_for(kind, count)
    }

    /// The moves of each game, in order.
    pub fn games(&self) -> Vec<Vec<String>> {
        games_of(&self.page.events(), "type")
    }

    /// How each game ended, by the page: its result, and how that came.
    pub fn results(&self) -> Vec<(String, String)> {
        let told = self.events("result").into_iter();
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        told.map(|event| (text(&event["result"]), text(&event["how"])))
            .collect()
    }

    /// Both clocks at every move, and whenever they were asked for.
    pub fn clocks(&self) -> Vec<PageClocks> {
        let told = self.page.events().into_iter();
        told.filter_map(|event| {
            Some(PageClocks {
                t_ms: event["t_ms"].as_f64()?,
                white_ms: event["white_ms"].as_u64()?,
                black_ms: event["black_ms"].as_u64()?,
            })
        })
        .collect()
    }

    /// The row that names the bot, as a user draws a rectangle around it: dot, what it is and name.
    pub fn bot_row(&self, devtools: &mut Devtools) -> DesktopRect {
        let row = self.stage.lies(devtools, ".row:has(#bot-dot)");
        DesktopRect {
            x: row.x + 4,
            y: row.y + 6,
            width: row.width - 40,
            height: row.height - 12,
        }
    }

    /// Calibrates with the bot's row as it lies now.
    pub fn calibrate(&self, devtools: &mut Devtools, more: &[&str]) -> String {
        let row = rectangle(&self.bot_row(devtools));
        let path = self.stage.calibration();
        let mut args = vec!["calibrate", text(&path), "--window", TITLE];
        args.extend(["--opponent-is-a-bot", "--opponent-panel", &row]);
        args.extend(more);
        let (status, said) = self.stage.run(&args);
        assert_eq!(status, 0, "calibrate: {said}");
        said
    }

    /// Shows the calibration the button of the next game, as a user does when a game has ended.
    pub fn calibrate_rematch(&self, devtools: &mut Devtools) {
        devtools.run("document.getElementById('after').classList.add('shown'); if (STAGE.notice === 'over') lieOver()");
        devtools.run(DRAWN);
        self.calibrate_shown_rematch(devtools);
        devtools.run("document.getElementById('after').classList.remove('shown')");
        devtools.run(DRAWN);
    }

    /// Shows the calibration that button as it is on the page now.
    pub fn calibrate_shown_rematch(&self, devtools: &mut Devtools) {
        let button = rectangle(&self.stage.lies(devtools, "#rematch"));
        let path = self.stage.calibration();
        let (status, said) = self.stage.run(&["calibrate", text(&path), "--new-game", &button]);
        assert_eq!(status, 0, "{said}");
    }

    /// Whether somebody pressed on something that is no square and not the button of the next game.
    pub fn stray_presses(&self) -> Vec<Value> {
        let mut presses = self.events("down");
        presses.retain(|event| event["square"].is_null() && event["button"] != "rematch");
        presses
    }

    /// Waits until so many plies of the present game are played.
    pub fn wait_for_ply(&self, plies: usize) {
        wait_for(&format!("ply {plies}"), || {
            let games = self.games();
            games.last().is_some_and(|game| game.len() >= plies).then_some(())
        });
    }
}

/// As arguments take it.
pub fn rectangle(of: &DesktopRect) -> String {
    format!("{},{},{},{}", of.x, of.y, of.width, of.height)
}
