//! Two people play in two browsers, one as on a desk and one as on a phone, and a third watches.
#![cfg(target_os = "linux")]

use crate::visitor::{DESK, PHONE, Visitor};
use torres::desktop::Display;
use torres_test_support::desktop::on_display;
use torres_test_support::site::{SiteProcess, lasting_port};

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
                let mut site = SiteProcess::start_on(lasting_port(), "", &["--data", folder]);
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
