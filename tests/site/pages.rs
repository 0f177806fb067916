//! What holds for every page of the site: whoever makes a page puts it into the list.
#![cfg(target_os = "linux")]

use crate::visitor::{DESK, PHONE, Visitor};
use serde_json::{Value, json};
use std::path::Path;
use torres::desktop::Display;
use torres_test_support::desktop::on_display;
use torres_test_support::people::{Browser, Player, Shown};
use torres_test_support::site::SiteProcess;

/// Name, route, and where a page of it is, for somebody without an account. GAME is a game of two people that goes on,
/// WAITING one with a free seat, COMPUTER one against a computer.
const PAGES: [(&str, &str, &str); 17] = [
    ("learn", "/learn", "/learn"),
    ("lesson", "/learn/{lesson}/{step}", "/learn/forks/1"),
    ("question", "/learn/{lesson}/{step}", "/learn/board/5"),
    ("no-step", "/learn/{lesson}/{step}", "/learn/board/99"),
    ("no-lesson", "/learn/{lesson}", "/learn/nonsense"),
    ("coordinates", "/learn/coordinates", "/learn/coordinates"),
    ("puzzle", "/puzzles", "/puzzles"),
    ("own-puzzles", "/puzzles/own", "/puzzles/own"),
    ("play", "/play", "/play"),
    ("people", "/people", "/people"),
    ("game", "/game/{id}", "/game/GAME"),
    ("free-seat", "/game/{id}", "/game/WAITING"),
    ("computer-game", "/game/{id}", "/game/COMPUTER"),
    ("no-game", "/game/{id}", "/game/nonsense"),
    ("account", "/account", "/account"),
    ("no-page", "/{anything}", "/leran"),
    ("practice-board", "/", "/"),
];
/// Routes that answer with no page.
const DOORS: [&str; 17] = [
    "/account/delete",
    "/account/export",
    "/account/log-in",
    "/account/log-out",
    "/account/sign-up",
    "/game/{id}/look",
    "/game/{id}/mistakes",
    "/game/{id}/pgn",
    "/game/{id}/ws",
    "/health",
    "/log",
    "/people/games",
    "/people/ws",
    "/people/{file}",
    "/play/games",
    "/play/position",
    "/ws",
];
/// By how much a page's parts have jumped since it came: the sum of the shares of the window that moved, each times how
/// far, as browsers count it (Layout Instability API).
const JUMPED: &str = "new Promise((told) => {
    let sum = 0;
    new PerformanceObserver((list) => list.getEntries().forEach((one) => (sum += one.value)))
        .observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => told(sum), 300); })";
/// Counts what a page's policy refused it.
const REFUSED: &str = "window.refused = []; document.addEventListener('securitypolicyviolation', (event) => \
                       window.refused.push(`${event.violatedDirective} ${event.blockedURI}`));";
/// The pages' header: its links, and which of them is marked.
const SECTIONS: [(&str, &[&str]); 5] = [
    (
        "Learn",
        &[
            "learn",
            "lesson",
            "question",
            "no-step",
            "no-lesson",
            "coordinates",
            "no-page",
        ],
    ),
    ("Puzzles", &["puzzle", "own-puzzles"]),
    ("Play", &["play", "computer-game"]),
    ("People", &["people", "game", "free-seat", "no-game"]),
    ("Account", &["account"]),
];

/// Puts the ids of games into an address: of one between two guests, in the list, after its first move, and of one
/// against a computer.
struct Games {
    people: String,
    waiting: String,
    computer: String,
}

impl Games {
    /// Begins them; with whoever is at their boards, and at that of a game which waits for somebody.
    async fn begin(site: &SiteProcess) -> (Games, Vec<Player>) {
        let clock = json!({"initial_ms": 600_000, "increment_ms": 0});
        let mut ann = Browser::new(site.port);
        let people = ann
            .make(json!({"name": "Ann", "color": "white", "listed": true, "clock": clock}))
            .await;
        let mut white = ann.enter(&people, "Ann").await.unwrap();
        let mut black = Browser::new(site.port).enter(&people, "Bo").await.unwrap();
        black.ask(json!({"type": "join"})).await.unwrap();
        for (ply, uci) in (1..).zip(["e2e4", "e7e5", "g1f3"]) {
            let mover = if ply % 2 == 1 { &mut white } else { &mut black };
            mover.until(Shown::is_own_turn).await.unwrap();
            mover.play(uci).await.unwrap();
        }
        let mut dora = Browser::new(site.port);
        dora.post(
            "/account/sign-up",
            &json!({"name": "Dora", "password": "correct horse"}),
        )
        .await;
        let waiting = dora
            .make(json!({"color": "black", "listed": true, "clock": clock}))
            .await;
        let waits = dora.enter(&waiting, "").await.unwrap();
        let wanted = json!({"white": "person", "black": "level-1"});
        let (_, made) = ann.post("/play/games", &wanted).await;
        let computer = made["game"].as_str().unwrap().to_owned();
        let games = Games {
            people,
            waiting,
            computer,
        };
        (games, vec![white, black, waits])
    }

    fn address(&self, path: &str) -> String {
        path.replace("GAME", &self.people)
            .replace("WAITING", &self.waiting)
            .replace("COMPUTER", &self.computer)
    }
}

/// Goes to each page of the list.
fn through_all(display: &Display, screen: (u32, u32), mut each: impl FnMut(&str, &mut Visitor)) {
    let site = SiteProcess::start("", &[]);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (games, players) = runtime.block_on(Games::begin(&site));
    for mut player in players {
        // They stay, and answer the server's pings.
        runtime.spawn(async move { while player.next().await.is_ok() {} });
    }
    let mut visitor = Visitor::at(display, &site, "/learn", screen);
    visitor.page.run_in_each_document(REFUSED);
    for (name, _, path) in PAGES {
        visitor.goes(&site, &games.address(path));
        let drawn = "!document.querySelector('#board') || !!document.querySelector('cg-board piece')";
        visitor.see(&format!("the board of {name}"), drawn);
        each(name, &mut visitor);
    }
}

#[test]
fn every_route_is_a_page_of_the_list_or_a_door() {
    let mut found = 0;
    for room in ["src/site", "src/site/learn", "src/people"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(room);
        for file in std::fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_none_or(|kind| kind != "rs") {
                continue;
            }
            let code = std::fs::read_to_string(&path).unwrap();
            for route in code.split(".route(\"").skip(1) {
                let route = route.split('"').next().unwrap();
                let is_page = PAGES.iter().any(|(_, at, _)| *at == route);
                let path = path.display();
                assert!(is_page || DOORS.contains(&route), "{path}: {route} is in neither list");
                found += 1;
            }
        }
    }
    assert!(found > 20, "only {found} routes found");
}

#[tokio::test]
async fn every_page_runs_and_shows_nothing_but_its_own_files() {
    let site = SiteProcess::start("", &[]);
    let (games, _players) = Games::begin(&site).await;
    for (name, _, path) in PAGES {
        let answer = site.get(&games.address(path), &site.host()).await;
        // An address without a lesson leads to its first step; none of the list is one.
        let status = if name.starts_with("no-") { "404" } else { "200" };
        assert_eq!(answer.split(' ').nth(1), Some(status), "{name}");
        let policy = "content-security-policy: default-src 'self'; img-src 'self' data:; ";
        assert!(answer.contains(policy), "{name}: {answer}");
        if name != "practice-board" {
            // Whoever tests with the practice board restyles it.
            assert!(!answer.contains("unsafe"), "{name}: {answer}");
            assert!(
                answer.contains("x-content-type-options: nosniff") && answer.contains("referrer-policy: same-origin")
            );
        }
        assert!(!answer.contains(" style=\"") && !answer.contains(" onclick"), "{name}");
        for script in answer.split("<script").skip(1) {
            let tag = script.split("</script>").next().unwrap();
            assert!(tag.contains(" src=\"/") && tag.ends_with('>'), "{name}: {tag}");
        }
        for opening in ["src=\"", "href=\""] {
            for target in answer.split(opening).skip(1) {
                let target = target.split('"').next().unwrap();
                let inside = target.starts_with('/') || target.starts_with('#');
                assert!(
                    inside || target == "https://database.lichess.org/#puzzles",
                    "{name} names {target}"
                );
            }
        }
    }
}

/// `REGENERATE=1` leaves pictures of all pages in `target/pages`, to be looked at; some are in `docs/images`.
#[test]
fn every_page_can_be_used_by_everyone() {
    on_display("pages::every_page_can_be_used_by_everyone", |display| {
        let sizes = [
            ("desktop", DESK),
            ("phone", PHONE),
            ("small", (320, 568)),
            ("4k", (3840, 2160)),
        ];
        through_all(display, DESK, |name, visitor| match name {
            // Its board is never smaller than 320 px, so that it can be read off the screen.
            "practice-board" => visitor.is_for_everyone_on(name, &sizes[..2]),
            _ => visitor.is_for_everyone_on(name, &sizes),
        });
    });
}

#[test]
fn all_pages_have_the_same_header_and_mark_where_one_is() {
    on_display(
        "pages::all_pages_have_the_same_header_and_mark_where_one_is",
        |display| {
            for screen in [DESK, PHONE] {
                through_all(display, screen, |name, visitor| {
                    assert_eq!(
                        visitor.page.run("window.refused"),
                        json!([]),
                        "{name} asks for what it may not have"
                    );
                    if name == "practice-board" {
                        assert_eq!(visitor.page.run("document.querySelector('#learn').pathname"), "/learn");
                        return;
                    }
                    let links = visitor
                    .page
                    .run("[...document.querySelectorAll('nav a')].map((one) => [one.textContent, one.pathname, one.ariaCurrent, one.checkVisibility()])");
                    let marked = |section: &str| {
                        SECTIONS
                            .iter()
                            .any(|(at, pages)| *at == section && pages.contains(&name))
                    };
                    let wanted: Vec<Value> = SECTIONS
                        .iter()
                        .map(|(section, _)| {
                            let current = marked(section).then_some("true");
                            json!([section, format!("/{}", section.to_lowercase()), current, true])
                        })
                        .collect();
                    assert_eq!(links, json!(wanted), "{name}");
                    let sheet = "document.querySelector('link[rel=stylesheet]').getAttribute('href')";
                    assert_eq!(visitor.page.run(sheet), "/base.css", "{name}");
                    let jumped = visitor.page.run(JUMPED).as_f64().unwrap();
                    assert!(jumped < 0.02, "{name} on {screen:?} jumps by {jumped}");
                    let faults = visitor.page.run("document.querySelectorAll('h1').length");
                    assert_eq!(faults, 1, "{name} has one heading of the first rank");
                });
            }
        },
    );
}

/// By the keyboard alone: past the header, or along it to another page.
#[test]
fn the_header_is_used_by_keyboard() {
    on_display("pages::the_header_is_used_by_keyboard", |display| {
        let site = SiteProcess::start("", &[]);
        let mut visitor = Visitor::at(display, &site, "/learn", DESK);
        visitor.page.key("Tab");
        assert_eq!(visitor.page.run("document.activeElement.className"), "skip");
        for focused in ["Torres", "Learn", "Puzzles", "Play", "People"] {
            visitor.page.key("Tab");
            assert_eq!(visitor.page.run("document.activeElement.textContent"), focused);
        }
        visitor.page.key("Enter");
        visitor.see(
            "the people's page",
            "location.pathname === '/people' && document.readyState === 'complete'",
        );
    });
}

#[test]
fn no_link_of_the_header_is_cut_off_on_any_phone() {
    on_display("pages::no_link_of_the_header_is_cut_off_on_any_phone", |display| {
        let site = SiteProcess::start("", &[]);
        let mut visitor = Visitor::at(display, &site, "/learn", DESK);
        for path in ["/learn", "/puzzles", "/play", "/people", "/account"] {
            visitor.goes(&site, path);
            for width in (320..=500).step_by(10) {
                visitor.page.screen((width, 740), false);
                // The browser takes a new size up with its next frame.
                visitor.see(
                    &format!("all links on {width} px"),
                    &format!(
                        "innerWidth === {width} && [...document.querySelectorAll('nav a')].length === 5 && \
                         [...document.querySelectorAll('nav a')].every((one) => one.getBoundingClientRect().right <= document.documentElement.clientWidth)"
                    ),
                );
            }
        }
    });
}
