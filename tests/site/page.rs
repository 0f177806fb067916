//! The practice site's page in a real browser, played with a real mouse; judged by the server's log.
#![cfg(target_os = "linux")]

use serde_json::{Value, json};
use shakmaty::Square;
use std::time::{Duration, Instant};
use torres::desktop::{Browser, BrowserOptions, Display};
use torres::frame::FrameSource;
use torres::geometry::{BoardMap, BoardRect, DesktopPx, DesktopRect, InputScale, Orientation};
use torres::mouse::{Gesture, Mouse, StopFlag};
use torres::screen::LiveScreen;
use torres_test_support::desktop::on_display;
use torres_test_support::site::{self, SiteProcess};
use torres_test_support::{program, wait_for};

/// Where `site.css` puts the board and the bot's panel in a window of this size.
const WINDOW: BrowserOptions = BrowserOptions {
    position: (20, 10),
    size: (1000, 740),
    scale: 1.0,
    devtools: false,
};
const GAP: i32 = 20;
const BOARD: i32 = 600;
const PANEL: (u32, u32) = (340, 52);

/// A browser on the site, and a hand at its mouse.
struct Sitting<'a> {
    site: &'a SiteProcess,
    client: DesktopRect,
    map: BoardMap,
    mouse: Mouse,
    stop: StopFlag,
    _browser: Browser,
}

impl Sitting<'_> {
    fn open<'a>(display: &Display, site: &'a SiteProcess, bottom: Orientation) -> Sitting<'a> {
        let url = format!("http://{}/", site.host());
        let already = site.events("at_rest").len();
        let browser = Browser::open(display, &url, WINDOW).unwrap();
        wait_for("the page to show its board", || {
            site.events("at_rest").get(already).cloned()
        });
        let client = browser.window().unwrap().client().unwrap();
        let side = f64::from(BOARD);
        let rect = BoardRect::new(f64::from(client.x + GAP), f64::from(client.y + GAP), side, side).unwrap();
        Sitting {
            site,
            client,
            map: BoardMap {
                rect,
                orientation: bottom,
            },
            mouse: Mouse::open(InputScale::new(1.0).unwrap()).unwrap(),
            stop: StopFlag::new(),
            _browser: browser,
        }
    }

    fn perform(&mut self, gesture: impl Fn(&Mouse) -> Gesture) {
        let gesture = gesture(&self.mouse);
        self.mouse.perform(&gesture, &self.stop).unwrap();
    }

    fn pixel(&self, square: &str) -> DesktopPx {
        let center = self.map.center(square.parse::<Square>().unwrap());
        DesktopPx {
            x: center.x,
            y: center.y,
        }
    }

    /// Drags a piece until a move follows the `plies` that were played. Under load chessground may not have drawn the
    /// frame in which it picks the piece up when it is dropped, and takes the drag for a click.
    fn drag(&mut self, from: &str, to: &str, plies: usize) {
        let (from, to) = (self.pixel(from), self.pixel(to));
        wait_for("the drag to land", || {
            self.perform(|mouse| Gesture::drag(mouse.point(from), mouse.point(to)));
            let released = Instant::now();
            while released.elapsed() < Duration::from_secs(1) && self.site.events("move").len() <= plies {
                std::thread::sleep(Duration::from_millis(5));
            }
            (self.site.events("move").len() > plies).then_some(())
        });
    }

    fn click(&mut self, square: &str) {
        let at = self.pixel(square);
        self.perform(|mouse| Gesture::Click(mouse.point(at)));
    }

    /// Waits until so many plies were played and the last is at rest, and returns its report.
    fn rested(&self, plies: usize) -> Value {
        wait_for(&format!("{plies} plies and the last at rest"), || {
            let moves = self.site.events("move");
            let last = moves.get(plies.checked_sub(1)?)?;
            self.site
                .events("at_rest")
                .into_iter()
                .find(|rest| rest["fen"] == last["fen"] && !rest["by"].is_null())
        })
    }

    fn panel(&self) -> Vec<u8> {
        capture(DesktopRect {
            x: self.client.x + 2 * GAP + BOARD,
            y: self.client.y + GAP,
            width: PANEL.0,
            height: PANEL.1,
        })
    }

    /// What the middle of a square shows.
    fn colour(&self, square: &str) -> Vec<u8> {
        let DesktopPx { x, y } = self.pixel(square);
        capture(DesktopRect {
            x: x as i32,
            y: y as i32,
            width: 1,
            height: 1,
        })
    }
}

fn capture(region: DesktopRect) -> Vec<u8> {
    let mut screen = LiveScreen::monitor(0).unwrap();
    screen.set_region(Some(region));
    screen.next_frame().unwrap().image.as_raw().clone()
}

fn moves(site: &SiteProcess) -> Vec<String> {
    site.events("move")
        .iter()
        .map(|e| e["move"].as_str().unwrap().to_owned())
        .collect()
}

fn time(event: &Value) -> i64 {
    event["t_ms"].as_i64().unwrap()
}

#[test]
fn a_game_can_be_played_with_the_mouse() {
    on_display("page::a_game_can_be_played_with_the_mouse", |display| {
        let fen = "4k3/1P6/8/8/8/8/4P3/R3K2R w KQ - 0 1";
        let site = SiteProcess::start("e8e7 e7d6 d6c5 c5b6", &["--fen", fen, "--delay-ms", "500"]);
        let mut sitting = Sitting::open(display, &site, Orientation::White);

        sitting.drag("e2", "e4", 0);
        sitting.rested(2);
        // Only now: the first report comes before its frame is on the screen.
        let panel = sitting.panel();
        assert!(
            panel.chunks(4).any(|pixel| pixel != &panel[..4]),
            "the panel shows something"
        );
        sitting.click("e1");
        sitting.click("g1");
        sitting.rested(4);
        // The dialog hangs over the file: queen, knight, rook, bishop from the promotion square down.
        let empty = sitting.colour("h4");
        sitting.click("b7");
        sitting.click("b8");
        wait_for("the dialog to darken the board", || {
            (sitting.colour("h4") != empty).then_some(())
        });
        sitting.click("b7");
        let last = sitting.rested(6);
        assert_eq!(last["by"], "bot");
        // A premove, made in the bot's time, is played at once.
        sitting.click("a1");
        sitting.click("d1");
        sitting.rested(7);
        sitting.click("e4");
        sitting.click("e5");
        sitting.rested(9);

        let expected = ["e2e4", "e8e7", "e1g1", "e7d6", "b7b8n", "d6c5", "a1d1", "c5b6", "e4e5"];
        assert_eq!(moves(&site), expected);
        assert!(site.events("refused").is_empty());
        let all = site.events("move");
        assert!(time(&all[8]) - time(&all[7]) < 400, "the premove waits for nobody");
        for (played, rest) in [&all[1], &all[3], &all[5]].map(|m| (m, sitting_rest(&site, m))) {
            // Chessground slides for 200 ms from the frame that shows the move; reports may round.
            assert!(
                time(&rest) - time(played) >= 195,
                "{rest} reported while the piece still moved"
            );
        }
        let mut squares: Vec<Value> = site.events("pointer").iter().map(square_of).collect();
        let clicks = squares.split_off(squares.iter().position(|square| square == "e1").unwrap());
        assert!(
            squares.chunks(2).all(|drag| drag == [json!("e2"), json!("e4")]),
            "{squares:?}"
        );
        let expected = ["e1", "g1", "b7", "b8", "b7", "a1", "d1", "e4", "e5"];
        assert_eq!(clicks, expected.map(|square| [json!(square), json!(square)]).concat());
        assert_eq!(
            sitting.panel(),
            panel,
            "the bot's panel stays the same, pixel for pixel"
        );
    });
}

/// What the page reported of a move.
fn sitting_rest(site: &SiteProcess, played: &Value) -> Value {
    let mut reports = site.events("at_rest");
    reports.retain(|rest| rest["move"] == played["move"] && rest["fen"] == played["fen"]);
    assert_eq!(reports.len(), 1, "{played} is reported once: {reports:?}");
    reports.remove(0)
}

fn square_of(pointer: &Value) -> Value {
    let detail: Value = serde_json::from_str(pointer["detail"].as_str().unwrap()).unwrap();
    detail["square"].clone()
}

#[test]
fn a_reloaded_page_shows_the_game_and_another_bot_is_another_panel() {
    on_display(
        "page::a_reloaded_page_shows_the_game_and_another_bot_is_another_panel",
        |display| {
            let site = SiteProcess::start("d2d4 c2c4", &["--color", "black", "--delay-ms", "50"]);
            let mut sitting = Sitting::open(display, &site, Orientation::Black);
            sitting.rested(1);
            sitting.drag("g8", "f6", 1);
            let last = sitting.rested(3);
            let panel = sitting.panel();
            drop(sitting);

            let mut again = Sitting::open(display, &site, Orientation::Black);
            let shown = site.events("at_rest").pop().unwrap();
            assert_eq!(
                (&shown["fen"], &shown["by"], &shown["detail"]),
                (&last["fen"], &Value::Null, &json!("shown anew"))
            );
            wait_for("the same panel", || (again.panel() == panel).then_some(()));
            again.drag("e7", "e6", 3);
            again.rested(4);
            assert_eq!(moves(&site)[..4], ["d2d4", "g8f6", "c2c4", "e7e6"]);

            // Another level, chosen by another page of the same site.
            let runtime = tokio::runtime::Runtime::new().unwrap();
            runtime.block_on(async {
                let mut page = site::Page::open(&site).await;
                page.send(json!({"type": "new_game", "color": "black", "level": 7}))
                    .await;
                page.state(|state| state["game"] == 2).await;
            });
            let since = time(&site.events("game")[1]);
            wait_for("the new game on the board", || {
                site.events("at_rest").into_iter().find(|rest| time(rest) >= since)
            });
            wait_for("another panel", || (again.panel() != panel).then_some(()));
        },
    );
}

#[test]
fn the_page_asks_for_the_engine_that_it_shows_as_chosen() {
    on_display(
        "page::the_page_asks_for_the_engine_that_it_shows_as_chosen",
        |display| {
            let bot = format!("Twin='{}' uci;depth=1", program());
            let site = SiteProcess::start("", &["--bot", &bot]);
            let mut sitting = Sitting::open(display, &site, Orientation::White);
            // With engines to choose from the button has a row of its own, the last in the panel.
            let button = DesktopPx {
                x: f64::from(sitting.client.x + 2 * GAP + BOARD) + f64::from(PANEL.0) / 2.0,
                y: f64::from(sitting.client.y + GAP + BOARD - 30),
            };
            sitting.perform(|mouse| Gesture::Click(mouse.point(button)));
            let next = wait_for("another game", || site.events("game").get(1).cloned());
            assert_eq!(next["detail"], "player white, bot Twin, clock 15+10");
        },
    );
}
