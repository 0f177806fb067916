//! Two people play in two browsers, one as on a desk and one as on a phone, and a third watches.
#![cfg(target_os = "linux")]

use serde_json::Value;
use std::path::Path;
use torres::desktop::{Browser, BrowserOptions, Display};
use torres_test_support::desktop::{Devtools, on_display};
use torres_test_support::site::SiteProcess;
use torres_test_support::wait_for;

pub(crate) const DESK: (u32, u32) = (1280, 800);
pub(crate) const PHONE: (u32, u32) = (390, 844);

/// A person at a browser.
pub(crate) struct Visitor {
    pub(crate) page: Devtools,
    _browser: Browser,
}

impl Visitor {
    pub(crate) fn open(display: &Display, url: &str, size: (u32, u32)) -> Visitor {
        let window = BrowserOptions {
            position: (0, 0),
            size: (1000, 700),
            scale: 1.0,
            devtools: true,
        };
        let browser = Browser::open(display, url, window).unwrap();
        let mut page = Devtools::of(&browser);
        page.screen(size, false);
        Visitor {
            page,
            _browser: browser,
        }
    }

    pub(crate) fn see(&mut self, what: &str, script: &str) -> Value {
        wait_for(what, || {
            let seen = self.page.ask(script)?;
            (!seen.is_null() && seen != false).then_some(seen)
        })
    }

    pub(crate) fn text(&mut self, id: &str) -> String {
        let text = self.page.run(&format!("document.getElementById('{id}').textContent"));
        text.as_str().unwrap().to_owned()
    }

    pub(crate) fn sees_text(&mut self, id: &str, part: &str) {
        self.see(
            &format!("'{part}' in {id}"),
            &format!("document.getElementById('{id}').textContent.includes({part:?})"),
        );
    }

    /// Waits for a button and clicks it.
    pub(crate) fn push(&mut self, selector: &str) {
        self.see(
            selector,
            &format!(
                "(e => e && !e.hidden && !e.disabled && e.checkVisibility())(document.querySelector({selector:?}))"
            ),
        );
        self.page.click(selector);
    }

    pub(crate) fn click_square(&mut self, square: &str) {
        let (file, rank) = (square.as_bytes()[0] - b'a', square.as_bytes()[1] - b'1');
        let at = self.page.run(&format!(
            "(() => {{ const board = document.querySelector('cg-board'); board.scrollIntoView({{block: 'nearest'}}); \
             const r = board.getBoundingClientRect(); const black = !!document.querySelector('.orientation-black'); \
             const x = black ? 7 - {file} : {file}, y = black ? {rank} : 7 - {rank}; \
             return [r.x + (x + 0.5) * r.width / 8, r.y + (y + 0.5) * r.height / 8]; }})()"
        ));
        self.page.click_at((at[0].as_f64().unwrap(), at[1].as_f64().unwrap()));
    }

    /// Plays a move by two clicks, once it is its turn.
    pub(crate) fn plays(&mut self, from: &str, to: &str) {
        self.sees_text("notice", "Your move");
        let before = self.moves();
        wait_for("the move", || {
            self.click_square(from);
            self.click_square(to);
            let until = std::time::Instant::now() + std::time::Duration::from_secs(2);
            while std::time::Instant::now() < until {
                if self.moves() > before {
                    return Some(());
                }
            }
            None
        });
    }

    pub(crate) fn moves(&mut self) -> u64 {
        self.page
            .run("document.querySelectorAll('#moves li').length")
            .as_u64()
            .unwrap()
    }

    pub(crate) fn sees_moves(&mut self, count: u64) {
        self.see(
            &format!("{count} moves"),
            &format!("document.querySelectorAll('#moves li').length === {count}"),
        );
    }

    /// Keeps what the page looks like in `target/pages`, where REGENERATE asks for it.
    pub(crate) fn picture(&mut self, name: &str) {
        if std::env::var_os("REGENERATE").is_some() {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/pages");
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join(format!("{name}.png")), self.page.picture()).unwrap();
        }
    }
}

#[test]
fn two_browsers_play_a_game_by_mouse_and_a_third_watches() {
    on_display(
        "people_page::two_browsers_play_a_game_by_mouse_and_a_third_watches",
        |display| {
            let site = SiteProcess::start("", &[]);
            let url = format!("http://{}/people", site.host());
            let mut ann = Visitor::open(display, &url, DESK);
            ann.push("#name");
            ann.page.type_text("<i>Ann</i>");
            ann.push("input[name=color][value=white] + span");
            ann.push("input[name=listed][value=yes] + span");
            ann.picture("people-desk");
            ann.push("#make button");
            ann.sees_text("notice", "Waiting for somebody");
            ann.picture("game-waiting");

            // Black finds the game in the list, and reads a name, not markup.
            let mut bo = Visitor::open(display, &url, PHONE);
            bo.sees_text("open", "<i>Ann</i>");
            assert!(bo.page.run("document.querySelector('#open i')").is_null());
            bo.push("#name");
            bo.page.type_text("Bo");
            bo.page.key("Tab");
            bo.picture("people-phone");
            bo.push("#open a");
            bo.push("#join");
            bo.sees_text("lower-name", "Bo");
            assert_eq!(bo.text("upper-name"), "<i>Ann</i>");

            let address = ann.page.run("location.href").as_str().unwrap().to_owned();
            let mut cy = Visitor::open(display, &address, DESK);
            cy.sees_text("notice", "You watch");
            assert!(cy.page.run("document.getElementById('typed').hidden") == true);

            ann.plays("f2", "f3");
            bo.plays("e7", "e5");
            // A third person's click moves nothing.
            cy.sees_moves(2);
            cy.click_square("g2");
            cy.click_square("g4");
            // A move may be typed.
            ann.sees_moves(2);
            ann.push("#move");
            ann.page.type_text("h7");
            ann.page.key("Enter");
            ann.sees_text("said", "no legal move");
            ann.page.run("document.getElementById('move').value = ''");
            ann.page.type_text("g4");
            ann.page.key("Enter");
            ann.sees_moves(3);
            // A takeback needs the other, and a draw may be declined.
            ann.push("#takeback");
            bo.see("the question", "document.querySelector('#questions button')");
            bo.picture("game-phone-question");
            bo.push("#questions button");
            ann.sees_moves(2);
            cy.sees_moves(2);
            ann.plays("g2", "g4");
            bo.push("#draw");
            ann.see(
                "the offer",
                "document.querySelector('#questions button:nth-of-type(2)')",
            );
            ann.push("#questions button:nth-of-type(2)");
            bo.sees_text("said", "declined");
            ann.see(
                "both there",
                "document.getElementById('upper-dot').className === 'dot here'",
            );
            ann.picture("game-desk");
            ann.page.screen(DESK, true);
            ann.picture("game-desk-dark");
            cy.picture("game-watched");
            bo.plays("d8", "h4");
            for visitor in [&mut ann, &mut bo, &mut cy] {
                visitor.sees_text("notice", "Black wins: checkmate");
                visitor.sees_moves(4);
            }
            bo.picture("game-phone-over");
            // Another game.
            bo.push("#rematch");
            ann.see("the offer of a rematch", "document.querySelector('#questions button')");
            ann.push("#questions button");
            bo.see("the next game", &format!("location.href !== {address:?} && document.getElementById('lower-color')?.className === 'color white'"));
            bo.sees_text("notice", "Your move");
        },
    );
}

#[test]
fn a_page_comes_back_by_itself_when_its_server_does() {
    on_display(
        "people_page::a_page_comes_back_by_itself_when_its_server_does",
        |display| {
            let data = tempfile::tempdir().unwrap();
            let folder = data.path().to_str().unwrap();
            let mut site = SiteProcess::start("", &["--data", folder]);
            let mut ann = Visitor::open(display, &format!("http://{}/people", site.host()), DESK);
            ann.push("#make button");
            ann.sees_text("notice", "Waiting");
            site.child.kill().unwrap();
            site.child.wait().unwrap();
            ann.sees_text("notice", "connection is lost");
            let _again = SiteProcess::start_on(site.port, "", &["--data", folder]);
            ann.sees_text("notice", "Waiting");
        },
    );
}
