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
}

/// Keeps what a page looks like in `target/pages`, where REGENERATE asks for it.
pub(crate) fn picture(page: &mut Devtools, name: &str) {
    if std::env::var_os("REGENERATE").is_some() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/pages");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(format!("{name}.png")), page.picture()).unwrap();
    }
}

#[test]
fn two_browsers_play_a_game_by_mouse_and_a_third_watches() {
    on_display(
        "people_page::two_browsers_play_a_game_by_mouse_and_a_third_watches",
        |display| {
            for sizes in [[DESK, PHONE], [PHONE, DESK]] {
                a_game_by_mouse(display, sizes);
            }
        },
    );
}

/// Whoever makes the game has the first size, whoever joins or watches the second.
fn a_game_by_mouse(display: &Display, sizes: [(u32, u32); 2]) {
    let site = SiteProcess::start("", &[]);
    let url = format!("http://{}/people", site.host());
    let mut ann = Visitor::open(display, &url, sizes[0]);
    ann.push("#name");
    ann.page.type_text("<i>Ann</i>");
    ann.push("input[name=color][value=white] + span");
    ann.push("input[name=listed][value=yes] + span");
    ann.push("#make button");
    ann.sees_text("notice", "Waiting for somebody");

    // Black finds the game in the list, and reads a name, not markup.
    let mut bo = Visitor::open(display, &url, sizes[1]);
    bo.sees_text("open", "<i>Ann</i>");
    assert!(bo.page.run("document.querySelector('#open i')").is_null());
    bo.see(
        "that she is a guest",
        "document.querySelector('#open .guest').textContent === 'guest'",
    );
    bo.push("#name");
    bo.page.type_text("Bo");
    bo.page.key("Tab");
    bo.push("#open a");
    bo.push("#join");
    bo.sees_text("lower-name", "Bo");
    assert_eq!(bo.text("upper-name"), "<i>Ann</i>");

    let address = ann.page.run("location.href").as_str().unwrap().to_owned();
    let mut cy = Visitor::open(display, &address, sizes[1]);
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
    if sizes[0] == DESK {
        bo.is_for_everyone("people-game-asked");
    }
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
    // Both see that the other is there, and how far away.
    for visitor in [&mut ann, &mut bo] {
        visitor.see(
            "the ping",
            "/^\\d+ ms$/.test(document.getElementById('upper-state').textContent)",
        );
        visitor.see(
            "that the other is a guest",
            "document.getElementById('upper-guest').checkVisibility()",
        );
    }
    if sizes[0] == DESK {
        ann.is_for_everyone("people-game");
        cy.is_for_everyone("people-game-watched");
    }
    bo.plays("d8", "h4");
    for visitor in [&mut ann, &mut bo, &mut cy] {
        visitor.sees_text("notice", "Black wins: checkmate");
        visitor.sees_moves(4);
    }
    // Another game.
    bo.push("#rematch");
    ann.see("the offer of a rematch", "document.querySelector('#questions button')");
    ann.push("#questions button");
    bo.see(
        "the next game",
        &format!(
            "location.href !== {address:?} && document.getElementById('lower-color')?.className === 'color white'"
        ),
    );
    bo.sees_text("notice", "Your move");
}

#[test]
fn a_page_comes_back_by_itself_when_its_server_does() {
    on_display(
        "people_page::a_page_comes_back_by_itself_when_its_server_does",
        |display| {
            for sizes in [[DESK, PHONE], [PHONE, DESK]] {
                let data = tempfile::tempdir().unwrap();
                let folder = data.path().to_str().unwrap();
                let mut site = SiteProcess::start("", &["--data", folder]);
                let (mut ann, mut bo, _) = two_at_a_game(display, &site, sizes);
                ann.plays("e2", "e4");
                bo.plays("e7", "e5");
                ann.sees_moves(2);
                ann.plays("g1", "f3");
                bo.sees_moves(3);
                if sizes[0] == DESK {
                    ann.picture("people-game-played-desktop");
                    bo.page.screen(PHONE, true);
                    bo.see("the piece at rest", "!document.querySelector('piece.anim')");
                    bo.picture("people-game-played-phone");
                    bo.page.screen(PHONE, false);
                }
                site.child.kill().unwrap();
                site.child.wait().unwrap();
                for visitor in [&mut ann, &mut bo] {
                    visitor.sees_text("notice", "connection is lost");
                }
                let before = seconds(&mut bo, "lower-clock");
                let _again = SiteProcess::start_on(site.port, "", &["--data", folder]);
                bo.sees_text("notice", "Your move");
                // Clocks stood while there was no server.
                let lost = before - seconds(&mut bo, "lower-clock");
                assert!((-1..=2).contains(&lost), "{lost} s are lost");
                bo.plays("b8", "c6");
                ann.sees_moves(4);
                ann.sees_text("notice", "Your move");
            }
        },
    );
}

#[test]
fn a_friend_comes_in_by_the_door_for_others() {
    on_display("people_page::a_friend_comes_in_by_the_door_for_others", |display| {
        for sizes in [[DESK, PHONE], [PHONE, DESK]] {
            let site = SiteProcess::start("", &["--listen", "127.0.0.1:0"]);
            let mut ann = Visitor::at(display, &site, "/people", sizes[0]);
            ann.push("input[name=color][value=white] + span");
            ann.push("input[name=listed][value=yes] + span");
            ann.push("#make button");
            ann.sees_text("notice", "Waiting");
            let others = format!("http://127.0.0.1:{}/", site.port_for_others());
            // What she may send him is an address by which he comes in.
            let address = ann.page.run("document.getElementById('address').value");
            assert!(
                address.as_str().unwrap().starts_with(&format!("{others}game/")),
                "{address}"
            );
            assert!(ann.page.run("document.getElementById('near').hidden") == true);
            // The practice board is no others'; they are led to the games.
            let mut bo = Visitor::open(display, &others, sizes[1]);
            bo.see("the list", "location.pathname === '/people'");
            bo.push("#open a");
            bo.push("#join");
            ann.plays("e2", "e4");
            bo.plays("e7", "e5");
            ann.sees_moves(2);
        }
    });
}

/// What a clock shows.
fn seconds(visitor: &mut Visitor, clock: &str) -> i64 {
    let text = visitor.text(clock);
    let (minutes, seconds) = text.split_once(':').expect("a clock");
    60 * minutes.parse::<i64>().unwrap() + seconds[..2].parse::<i64>().unwrap()
}

/// Ann with White and Bo with Black at a game of ten minutes each, and its address.
fn two_at_a_game(display: &Display, site: &SiteProcess, sizes: [(u32, u32); 2]) -> (Visitor, Visitor, String) {
    let mut ann = Visitor::at(display, site, "/people", sizes[0]);
    ann.push("#name");
    ann.page.type_text("Ann");
    ann.push("input[name=color][value=white] + span");
    ann.push("#make button");
    ann.sees_text("notice", "Waiting");
    // Here it is good for this machine alone, and says so.
    ann.sees_text("near", "from this computer alone");
    ann.see("that it says so", "document.getElementById('near').checkVisibility()");
    // The address is what she sends him.
    let address = ann.page.run("document.getElementById('address').value");
    let address = address.as_str().unwrap().to_owned();
    let mut bo = Visitor::at(display, site, "/people", sizes[1]);
    bo.push("#name");
    bo.page.type_text("Bo");
    bo.page.key("Tab");
    bo.goes(site, address.strip_prefix(&format!("http://{}", site.host())).unwrap());
    bo.push("#join");
    bo.sees_text("lower-name", "Bo");
    ann.sees_text("upper-name", "Bo");
    (ann, bo, address)
}

#[test]
fn a_leaver_comes_back_or_is_replaced_by_somebody_who_watches() {
    on_display(
        "people_page::a_leaver_comes_back_or_is_replaced_by_somebody_who_watches",
        |display| {
            for sizes in [[DESK, PHONE], [PHONE, DESK]] {
                let site = SiteProcess::start("", &[]);
                let (mut ann, mut bo, address) = two_at_a_game(display, &site, sizes);
                ann.plays("e2", "e4");
                bo.sees_text("notice", "Your move");
                bo.goes(&site, "/learn");
                ann.sees_text("upper-state", "away");
                // Who comes back has their seat.
                bo.page.go_to(&address);
                bo.sees_text("lower-name", "Bo");
                bo.plays("e7", "e5");
                ann.see(
                    "him there",
                    "document.getElementById('upper-dot').className === 'dot here'",
                );
                ann.plays("d2", "d4");
                let mut cy = Visitor::open(display, &address, sizes[1]);
                cy.sees_text("notice", "You watch");
                ann.sees_text("watchers", "1 watches");
                bo.goes(&site, "/learn");
                cy.sees_text("questions", "is away");
                cy.push("#questions button");
                ann.sees_text("questions", "asks for the seat of Bo");
                ann.push("#questions button");
                cy.sees_text("notice", "Your move");
                ann.sees_text("upper-name", "Guest");
                cy.plays("e5", "d4");
                ann.sees_moves(4);
            }
        },
    );
}

#[test]
fn a_game_is_made_joined_and_played_by_the_keyboard() {
    on_display(
        "people_page::a_game_is_made_joined_and_played_by_the_keyboard",
        |display| {
            let site = SiteProcess::start("", &[]);
            let mut ann = Visitor::at(display, &site, "/people", DESK);
            ann.tabs_to("#name");
            ann.page.type_text("Ann");
            ann.tabs_to("[name=color]:checked");
            ann.page.key("ArrowRight");
            assert_eq!(ann.page.run("document.activeElement.value"), "white");
            ann.tabs_to("#make button");
            ann.page.key("Enter");
            ann.sees_text("notice", "Waiting");
            let address = ann.page.run("location.href").as_str().unwrap().to_owned();
            let mut bo = Visitor::open(display, &address, PHONE);
            bo.see("the way in", "document.getElementById('join').checkVisibility()");
            bo.tabs_to("#join");
            bo.page.key("Enter");
            for (ply, san) in (1..).zip(["f3", "e5", "g4", "Qh4"]) {
                let mover = if ply % 2 == 1 { &mut ann } else { &mut bo };
                mover.sees_text("notice", "Your move");
                mover.tabs_to("#move");
                mover.page.type_text(san);
                mover.page.key("Enter");
                mover.sees_moves(ply);
                // What was played is said to whoever does not see it.
                let mover = if ply % 2 == 1 { "White" } else { "Black" };
                for visitor in [&mut ann, &mut bo] {
                    visitor.sees_text("spoken", mover);
                }
            }
            for visitor in [&mut ann, &mut bo] {
                visitor.sees_text("notice", "Black wins: checkmate");
            }
            ann.tabs_to("#rematch");
            ann.page.key("Enter");
            bo.see("the offer of a rematch", "document.querySelector('#questions button')");
            bo.tabs_to("#questions button");
            bo.page.key("Enter");
            bo.see("the next game", &format!("location.href !== {address:?}"));
        },
    );
}
