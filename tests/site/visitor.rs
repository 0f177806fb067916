//! Somebody at a browser who uses the site: what a hand does there, and what an eye waits for.
#![cfg(target_os = "linux")]

use serde_json::Value;
use std::path::Path;
use torres::desktop::{Browser, BrowserOptions, Display};
use torres_test_support::desktop::{Devtools, on_display};
use torres_test_support::site::SiteProcess;
use torres_test_support::wait_for;

pub(crate) const DESK: (u32, u32) = (1280, 800);
pub(crate) const PHONE: (u32, u32) = (390, 844);
/// What finds faults of a page for whoever uses it by keyboard or screen reader, or sees badly.
const AXE: &str = include_str!("vendor/axe-core/axe.min.js");
/// Whether a document has been drawn: Chromium drops all input before that.
const PAINTED: &str =
    "document.readyState === 'complete' && performance.getEntriesByName('first-contentful-paint').length > 0";

/// Has somebody at a page of a site of their own, once as on a desk and once as on a phone. `test` is the calling test,
/// as for [`on_display`].
pub(crate) fn on_desk_and_phone(test: &str, path: &str, each: impl Fn(&Display, SiteProcess, Visitor, (u32, u32))) {
    on_display(test, |display| {
        for screen in [DESK, PHONE] {
            let site = SiteProcess::start("", &[]);
            let visitor = Visitor::at(display, &site, path, screen);
            each(display, site, visitor, screen);
        }
    });
}

/// A person at a browser.
pub(crate) struct Visitor {
    pub(crate) page: Devtools,
    pub(crate) size: (u32, u32),
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
        let mut visitor = Visitor {
            page,
            size,
            _browser: browser,
        };
        visitor.see(url, &format!("location.protocol === 'http:' && {PAINTED}"));
        visitor
    }

    /// At a page of the site.
    pub(crate) fn at(display: &Display, site: &SiteProcess, path: &str, size: (u32, u32)) -> Visitor {
        Visitor::open(display, &format!("http://{}{path}", site.host()), size)
    }

    /// Goes to another page of the site, and waits for it.
    pub(crate) fn goes(&mut self, site: &SiteProcess, path: &str) {
        self.page.run("window.isLeft = true");
        self.page.go_to(&format!("http://{}{path}", site.host()));
        self.see(path, &format!("window.isLeft === undefined && {PAINTED}"));
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
                "{PAINTED} && (e => e && !e.hidden && !e.disabled && e.checkVisibility())(document.querySelector({selector:?}))"
            ),
        );
        self.page.click(selector);
    }

    /// Goes on to a field or button by the keyboard alone.
    pub(crate) fn tabs_to(&mut self, selector: &str) {
        self.see("the page", PAINTED);
        let is_there = format!("document.activeElement.matches({selector:?})");
        for _ in 0..60 {
            if self.page.run(&is_there) == true {
                return;
            }
            self.page.key("Tab");
        }
        panic!("no way to {selector} by the keyboard");
    }

    /// With a finger where it is a phone, else by mouse.
    pub(crate) fn touches(&mut self, square: &str) {
        let at = self.square(square);
        if self.size == PHONE {
            self.page.tap(at);
        } else {
            self.page.click_at(at);
        }
    }

    /// Loads a game's page again, and waits for it.
    pub(crate) fn reloads(&mut self) {
        self.page.run("window.isLeft = true");
        self.page.reload();
        self.see(
            "the page again",
            "window.isLeft === undefined && document.body.dataset.connected === 'true'",
        );
    }

    pub(crate) fn click_square(&mut self, square: &str) {
        let at = self.square(square);
        self.page.click_at(at);
    }

    /// The middle of a square, scrolled to where it is seen.
    pub(crate) fn square(&mut self, square: &str) -> (f64, f64) {
        self.see("the page", PAINTED);
        let (file, rank) = (square.as_bytes()[0] - b'a', square.as_bytes()[1] - b'1');
        let at = self.page.run(&format!(
            "(() => {{ const board = document.querySelector('cg-board'); board.scrollIntoView({{block: 'nearest'}}); \
             const r = board.getBoundingClientRect(); const black = !!document.querySelector('.orientation-black'); \
             const x = black ? 7 - {file} : {file}, y = black ? {rank} : 7 - {rank}; \
             return [r.x + (x + 0.5) * r.width / 8, r.y + (y + 0.5) * r.height / 8]; }})()"
        ));
        (at[0].as_f64().unwrap(), at[1].as_f64().unwrap())
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

    /// Keeps what the page looks like.
    pub(crate) fn picture(&mut self, name: &str) {
        picture(&mut self.page, name);
    }

    /// Writes into a field.
    pub(crate) fn fills(&mut self, field: &str, text: &str) {
        self.push(field);
        self.page.run(&format!("document.querySelector({field:?}).value = ''"));
        self.page.type_text(text);
    }

    pub(crate) fn sees_heading(&mut self, text: &str) {
        let heading =
            format!("document.readyState === 'complete' && document.querySelector('h1')?.textContent === {text:?}");
        self.see(text, &heading);
    }

    /// Makes a game on `/play`, in which computers do not wait: clicks what these selectors name, and plays.
    pub(crate) fn makes(&mut self, site: &SiteProcess, choices: &[&str], start: &str) {
        self.goes(site, "/play");
        for choice in choices {
            self.push(choice);
        }
        self.push("#more summary");
        if self.page.run("document.getElementById('natural').checked") == true {
            self.push("#natural");
        }
        self.page.run("document.getElementById('start').value = ''");
        if !start.is_empty() {
            self.push("#start");
            self.page.type_text(start);
        }
        self.push(".begin button");
        self.see(
            "the game",
            "location.pathname.startsWith('/game/') && document.body.dataset.connected === 'true'",
        );
    }

    pub(crate) fn types(&mut self, text: &str) {
        self.push("#move");
        self.page.type_text(text);
        self.page.key("Enter");
    }

    pub(crate) fn piece_on(&mut self, square: &str) -> String {
        let script = format!(
            "(() => {{ const piece = [...document.querySelectorAll('cg-board piece')].find((one) => one.cgKey === '{square}'); \
             return piece ? piece.className : ''; }})()"
        );
        self.page.run(&script).as_str().unwrap().to_owned()
    }

    pub(crate) fn sees_piece(&mut self, square: &str, piece: &str) {
        wait_for(&format!("'{piece}' on {square}"), || {
            (self.piece_on(square) == piece).then_some(())
        });
    }

    pub(crate) fn sees_own(&mut self, word: &str) {
        let script = format!("document.querySelector('.own .ways a').textContent === '{word}'");
        self.see(&format!("'{word}' first in the list"), &script);
    }

    /// Types a move on a page of learning.
    pub(crate) fn answers(&mut self, uci: &str) {
        self.push("#text");
        self.page.run("document.getElementById('text').value = ''");
        self.page.type_text(uci);
        self.page.key("Enter");
    }

    pub(crate) fn keys(&mut self, keys: &str) {
        for key in keys.split_whitespace() {
            let arrow = ["Left", "Right", "Up", "Down"].contains(&key);
            self.page
                .key(&if arrow { format!("Arrow{key}") } else { key.to_owned() });
        }
    }

    /// What has the focus, by its title.
    pub(crate) fn sees_focus(&mut self, title: &str) {
        self.see(title, &format!("document.activeElement.title === '{title}'"));
    }

    /// The middle of the first element of a selector.
    pub(crate) fn middle(&mut self, selector: &str) -> (f64, f64) {
        let at = self.page.run(&format!(
            "(() => {{ const e = document.querySelector({selector:?}); e.scrollIntoView({{block: 'nearest'}}); \
             const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()"
        ));
        (at[0].as_f64().unwrap(), at[1].as_f64().unwrap())
    }

    pub(crate) fn drags(&mut self, from: (f64, f64), to: (f64, f64)) {
        let between = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
        self.page.mouse("mouseMoved", from);
        self.page.mouse("mousePressed", from);
        for at in [between, to] {
            self.page.mouse("mouseMoved", at);
        }
        self.page.mouse("mouseReleased", to);
    }

    pub(crate) fn sees_start(&mut self, fen: &str) {
        self.see(fen, &format!("document.getElementById('start').value === '{fen}'"));
    }

    /// Asserts that axe-core finds nothing, and that nothing is wider than the screen, on a desk and a phone, light and
    /// dark.
    pub(crate) fn is_for_everyone(&mut self, what: &str) {
        self.is_for_everyone_on(what, &[("desktop", DESK), ("phone", PHONE)]);
    }

    pub(crate) fn is_for_everyone_on(&mut self, what: &str, sizes: &[(&str, (u32, u32))]) {
        for &(size, screen) in sizes {
            for dark in [false, true] {
                self.page.screen(screen, dark);
                let scheme = if dark { "dark" } else { "light" };
                let what = format!("{what}-{size}-{scheme}");
                // The browser takes a new size up with its next frame. Room that is kept for a scroll bar counts as
                // more than none.
                self.see(
                    &format!("{what} no wider than its screen"),
                    "document.documentElement.scrollWidth <= document.documentElement.clientWidth",
                );
                axe_finds_nothing(&mut self.page, &what);
                self.picture(&what);
            }
        }
        self.page.screen(self.size, false);
    }
}

/// Asserts that axe-core finds nothing wrong with the page.
pub(crate) fn axe_finds_nothing(page: &mut Devtools, what: &str) {
    let found = page.run(&format!("{AXE}; axe.run().then((found) => found.violations)"));
    let tell = |fault: &Value| format!("{}: {}", fault["id"], fault["nodes"][0]["html"]);
    let faults: Vec<String> = found.as_array().unwrap().iter().map(tell).collect();
    assert!(faults.is_empty(), "{what}: {faults:#?}");
}

/// Keeps what a page looks like in `target/pages`, where REGENERATE asks for it.
pub(crate) fn picture(page: &mut Devtools, name: &str) {
    if std::env::var_os("REGENERATE").is_some() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/pages");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(format!("{name}.png")), page.picture()).unwrap();
    }
}
