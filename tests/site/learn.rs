//! The pages of learning in a real browser, by mouse and keyboard, on a desktop's and a phone's screen.
#![cfg(target_os = "linux")]

use crate::visitor::{axe_finds_nothing, picture};
use serde_json::Value;
use std::time::{Duration, Instant};
use torres::desktop::{Browser, BrowserOptions, Display};
use torres::lessons::puzzle::{BROUGHT, Puzzle, puzzles};
use torres::lessons::{Accept, Task};
use torres_test_support::desktop::{Devtools, on_display};
use torres_test_support::site::SiteProcess;
use torres_test_support::wait_for;

const WINDOW: BrowserOptions = BrowserOptions {
    position: (0, 0),
    size: (1240, 740),
    scale: 1.0,
    devtools: true,
};
const DESKTOP: (u32, u32) = (1280, 800);
const PHONE: (u32, u32) = (390, 844);

/// A browser on a site.
struct Visit {
    page: Devtools,
    _browser: Browser,
}

impl Visit {
    fn to(display: &Display, site: &SiteProcess, path: &str, screen: (u32, u32)) -> Visit {
        let browser = Browser::open(display, &format!("http://{}{path}", site.host()), WINDOW).unwrap();
        let mut page = Devtools::of(&browser);
        page.screen(screen, false);
        let mut visit = Visit {
            page,
            _browser: browser,
        };
        visit.shows(path);
        visit
    }

    fn go(&mut self, site: &SiteProcess, path: &str) {
        self.page.go_to(&format!("http://{}{path}", site.host()));
        self.shows(path);
    }

    /// Waits for the page of this address, with its board drawn where it has one.
    fn shows(&mut self, path: &str) {
        let ready = format!(
            "document.readyState === 'complete' && location.pathname === '{path}' && \
             (!document.querySelector('#board') || !!document.querySelector('cg-board'))"
        );
        self.wait(path, &ready);
    }

    fn wait(&mut self, what: &str, condition: &str) {
        wait_for(what, || (self.page.ask(condition)? == true).then_some(()));
    }

    fn text(&mut self, selector: &str) -> String {
        let text = self
            .page
            .run(&format!("document.querySelector('{selector}')?.textContent ?? ''"));
        text.as_str().unwrap().to_owned()
    }

    /// Clicks in the middle of an element, scrolled to where it can be seen.
    fn click(&mut self, selector: &str) {
        let middle = self.page.run(&format!(
            "(() => {{ const at = document.querySelector('{selector}'); at.scrollIntoView({{ block: 'nearest' }}); \
             const box = at.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        ));
        self.press(point(&middle));
    }

    fn press(&mut self, at: (f64, f64)) {
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            self.page.mouse(kind, at);
        }
    }

    /// Clicks a square of the board, once the page is drawn where it was scrolled to, as a person does.
    fn square(&mut self, square: &str) {
        let middle = self.page.run(&format!(
            "(async () => {{ const board = document.querySelector('#board'); board.scrollIntoView({{ block: 'nearest' }}); \
             await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))); \
             const box = document.querySelector('cg-board').getBoundingClientRect(); \
             const black = !!document.querySelector('.orientation-black'); \
             const file = '{square}'.charCodeAt(0) - 97, rank = Number('{square}'[1]) - 1; \
             const x = black ? 7 - file : file, y = black ? rank : 7 - rank; \
             return [box.x + (x + 0.5) * box.width / 8, box.y + (y + 0.5) * box.height / 8]; }})()"
        ));
        self.press(point(&middle));
    }

    fn typed(&mut self, text: &str) {
        self.click("#text");
        self.page.type_text(text);
        self.page.key("Enter");
    }

    /// Waits until the learner is told this.
    fn says(&mut self, part: &str) {
        let part = part.replace('\'', "\\'");
        self.wait(
            &part,
            &format!("document.querySelector('#says').textContent.includes('{part}')"),
        );
    }

    /// Waits for the way on, and takes it: to a new document, whose address may be the old one's.
    fn next(&mut self, path: &str) {
        self.wait("the step to be done", "!document.querySelector('#next').hidden");
        self.page.run("window.isLeft = true");
        self.click("#next");
        self.wait("the next document", "window.isLeft === undefined");
        self.shows(path);
    }

    fn is_for_everyone(&mut self, what: &str) {
        axe_finds_nothing(&mut self.page, what);
    }
}

fn point(value: &Value) -> (f64, f64) {
    (value[0].as_f64().unwrap(), value[1].as_f64().unwrap())
}

#[test]
fn a_first_lesson_is_done_from_the_front_page_and_kept() {
    on_display(
        "learn::a_first_lesson_is_done_from_the_front_page_and_kept",
        |display| {
            for screen in [DESKTOP, PHONE] {
                let data = tempfile::tempdir().unwrap();
                let args = ["--data", data.path().to_str().unwrap()];
                let site = SiteProcess::start("", &args);
                let mut visit = Visit::to(display, &site, "/", screen);
                visit.click("#learn");
                visit.shows("/learn");
                visit.click(".welcome .primary");
                visit.shows("/learn/board/1");

                // A mistake, a hint, and the right square.
                visit.square("e5");
                visit.says("Not that one.");
                visit.click("#hint");
                visit.says("Find the letter e");
                visit.square("e4");
                visit.says("That is e4");
                visit.next("/learn/board/2");
                for corner in ["a1", "a8", "h1", "h8"] {
                    visit.square(corner);
                }
                visit.says("Four corners");
                visit.next("/learn/board/3");
                // Typed.
                for king in ["E1", "e8"] {
                    visit.typed(king);
                    visit.wait("an empty field", "document.querySelector('#text').value === ''");
                }
                visit.next("/learn/board/4");
                // By the keyboard alone, from e4 on.
                while visit.page.run("document.activeElement.id") != "board" {
                    visit.page.key("Tab");
                }
                for key in [
                    "ArrowUp",
                    "ArrowDown",
                    "ArrowLeft",
                    "ArrowDown",
                    "ArrowDown",
                    "ArrowDown",
                    "Enter",
                ] {
                    visit.page.key(key);
                }
                for key in ["ArrowUp"; 7] {
                    visit.page.key(key);
                }
                visit.page.key("Enter");
                visit.next("/learn/board/5");
                visit.click("[data-option=\"1\"]");
                visit.says("Black is second.");
                visit.click("[data-option=\"0\"]");
                visit.next("/learn/rook/1");

                visit.go(&site, "/learn");
                assert_eq!(visit.text(".lessons .done .count"), "Done");
                assert!(
                    visit.text(".welcome").contains("1 of 30 done"),
                    "{}",
                    visit.text(".welcome")
                );
                // What was failed is to be repeated; what was not quite right comes another day.
                assert!(visit.text(".due").contains("Point at the square e4."));
                assert_eq!(visit.page.run("document.querySelectorAll('.due li').length"), 1);

                // Another process knows all of it.
                drop(site);
                let again = SiteProcess::start("", &args);
                visit.go(&again, "/learn");
                assert!(visit.text(".welcome").contains("1 of 30 done") && visit.text(".due").contains("e4"));
                // Repeated well, it is not asked for again today.
                visit.click(".due a");
                visit.shows("/learn/board/1");
                visit.square("e4");
                visit.next("/learn/board/2");
                visit.go(&again, "/learn");
                assert_eq!(visit.text(".due"), "");
            }
        },
    );
}

#[test]
fn mates_are_given_against_the_engine_by_mouse_and_in_writing() {
    on_display(
        "learn::mates_are_given_against_the_engine_by_mouse_and_in_writing",
        |display| {
            for screen in [DESKTOP, PHONE] {
                let site = SiteProcess::start("", &[]);
                let mut visit = Visit::to(display, &site, "/learn/mate-with-queen/1", screen);
                visit.typed("Kc5");
                visit.says("That is not mate.");
                visit.typed("c6c8");
                visit.says("A king steps one square");
                visit.square("b1");
                visit.square("b7");
                visit.next("/learn/mate-with-queen/2");
                // The king is in the corner: the engine has one reply.
                visit.typed("Kc7");
                visit.says("Go on");
                visit.square("b1");
                visit.square("b7");
                visit.says("then mate");
                visit.next("/learn/mate-with-queen/3");
                // A move in between, a reload, and the game goes on from there.
                visit.square("d1");
                visit.square("d3");
                visit.says("Go on");
                let view = "document.querySelector('#board').dataset.view";
                visit.page.reload();
                visit.wait(
                    "the game to be there",
                    &format!("!JSON.parse({view}).fen.includes('K2Q4')"),
                );
            }
        },
    );
}

fn shown(visit: &mut Visit, all: &[Puzzle]) -> Puzzle {
    let fen = visit
        .page
        .run("JSON.parse(document.querySelector('#board').dataset.view).fen");
    let is_shown = |puzzle: &&Puzzle| match &puzzle.step.task {
        Task::Line { start, .. } => torres::chess::fen(start).split(' ').next() == fen.as_str(),
        _ => false,
    };
    all.iter().find(is_shown).expect("a puzzle of the file").clone()
}

#[test]
fn a_puzzle_is_solved_and_one_is_not() {
    on_display("learn::a_puzzle_is_solved_and_one_is_not", |display| {
        let all = puzzles("lichess.csv", BROUGHT).unwrap();
        for screen in [DESKTOP, PHONE] {
            let site = SiteProcess::start("", &[]);
            let mut visit = Visit::to(display, &site, "/puzzles", screen);
            assert_eq!(visit.text("#rating"), "1500?");
            let puzzle = shown(&mut visit, &all);
            let Task::Line { start, plies } = &puzzle.step.task else {
                panic!("{}", puzzle.id)
            };
            let mut position = start.clone();
            for ply in plies {
                use shakmaty::Position;
                let legal = position.legal_moves();
                let right = *legal
                    .iter()
                    .find(|&&played| ply.accept.takes(&position, played))
                    .unwrap();
                let uci = torres::chess::uci(right);
                visit.square(&uci[..2]);
                visit.square(&uci[2..4]);
                if uci.len() == 5 {
                    visit.click("#promotion button");
                }
                position.play_unchecked(right);
                if let Some(reply) = ply.reply {
                    position.play_unchecked(reply.to_move(&position).unwrap());
                }
                let moved = "document.querySelector('#says').className === 'good'";
                visit.wait(&format!("{uci} of {} to be taken", puzzle.id), moved);
                visit.page.run("document.querySelector('#says').className = ''");
            }
            visit.wait("the puzzle to be solved", "!document.querySelector('#next').hidden");
            assert!(visit.text("#change").starts_with('+'));
            let rating: i32 = visit.text("#rating").parse().unwrap();
            assert!(rating > 1500);
            visit.next("/puzzles");

            let second = shown(&mut visit, &all);
            assert_ne!(second.id, puzzle.id);
            let Task::Line { start, plies } = &second.step.task else {
                panic!("{}", second.id)
            };
            assert!(matches!(plies[0].accept, Accept::These(_) | Accept::Every(_)));
            let legal = shakmaty::Position::legal_moves(start);
            let wrong = legal
                .iter()
                .find(|&&played| !plies[0].accept.takes(start, played))
                .unwrap();
            visit.typed(&torres::chess::uci(*wrong));
            visit.says("There is something better.");
            visit.wait(
                "the rating to fall",
                "document.querySelector('#change').textContent.startsWith('−')",
            );
            visit.click("#solution");
            visit.wait(
                "the solution",
                "document.querySelector('#about').textContent.startsWith('Solution: ')",
            );
            visit.next("/puzzles");
            let fallen: i32 = visit.text("#rating").trim_end_matches('?').parse().unwrap();
            assert!(fallen < rating, "{fallen} after {rating}");
        }
    });
}

impl Visit {
    fn tabs_to(&mut self, id: &str) {
        for _ in 0..60 {
            if self.page.run("document.activeElement.id") == id {
                return;
            }
            self.page.key("Tab");
        }
        panic!("no way to {id} by the keyboard");
    }

    /// Leads the board's cursor from one square to another, as it is seen from White's or Black's side.
    fn leads(&mut self, from: &str, to: &str, from_black: bool) {
        let step = |at: usize| i32::from(to.as_bytes()[at]) - i32::from(from.as_bytes()[at]);
        let (files, ranks) = match from_black {
            true => (-step(0), -step(1)),
            false => (step(0), step(1)),
        };
        for (count, more, less) in [(files, "ArrowRight", "ArrowLeft"), (ranks, "ArrowUp", "ArrowDown")] {
            for _ in 0..count.abs() {
                self.page.key(if count > 0 { more } else { less });
            }
        }
        let there = format!("document.querySelector('#board-says').textContent.startsWith('{to}')");
        self.wait(&format!("the cursor on {to}"), &there);
    }
}

#[test]
fn squares_are_found_and_a_puzzle_is_begun_by_keyboard() {
    on_display(
        "learn::squares_are_found_and_a_puzzle_is_begun_by_keyboard",
        |display| {
            let all = puzzles("lichess.csv", BROUGHT).unwrap();
            for screen in [DESKTOP, PHONE] {
                let site = SiteProcess::start("", &[]);
                let mut visit = Visit::to(display, &site, "/learn/coordinates", screen);
                visit.tabs_to("start");
                visit.page.key("Enter");
                visit.wait("a square", "document.querySelector('#asked').textContent !== ''");
                visit.wait("the board in focus", "document.activeElement.id === 'board'");
                // The first arrow shows where one is.
                visit.page.key("ArrowUp");
                let mut at = String::from("e4");
                for found in 1..=2 {
                    let asked = visit.text("#asked");
                    visit.leads(&at, &asked, false);
                    visit.page.key("Enter");
                    visit.wait(
                        "the next square",
                        &format!("document.querySelector('#right').textContent === '{found}'"),
                    );
                    at = asked;
                }

                visit.go(&site, "/puzzles");
                let puzzle = shown(&mut visit, &all);
                let Task::Line { start, plies } = &puzzle.step.task else {
                    panic!("{}", puzzle.id)
                };
                let legal = shakmaty::Position::legal_moves(start);
                let right = legal.iter().find(|&&played| plies[0].accept.takes(start, played));
                let uci = torres::chess::uci(*right.unwrap());
                let black = shakmaty::Position::turn(start).is_black();
                visit.tabs_to("board");
                visit.page.key("ArrowUp");
                visit.leads("e4", &uci[..2], black);
                visit.page.key("Enter");
                visit.wait(
                    "the piece taken",
                    "document.querySelector('#board-says').textContent.includes(', taken.')",
                );
                visit.leads(&uci[..2], &uci[2..4], black);
                visit.page.key("Enter");
                if uci.len() == 5 {
                    visit.wait("the choice", "document.activeElement.title === 'queen'");
                    visit.page.key("Enter");
                }
                visit.wait("it to be right", "document.querySelector('#says').className === 'good'");
            }
        },
    );
}

#[test]
fn squares_are_found_against_the_clock() {
    on_display("learn::squares_are_found_against_the_clock", |display| {
        let site = SiteProcess::start("", &[]);
        let mut visit = Visit::to(display, &site, "/learn/coordinates", PHONE);
        visit.click("[value=black] + span");
        visit.click("#start");
        let began = Instant::now();
        visit.wait("a square", "document.querySelector('#asked').textContent !== ''");
        for found in 1..=3 {
            let asked = visit.text("#asked");
            visit.square(&asked);
            visit.wait(
                "the next square",
                &format!("document.querySelector('#right').textContent === '{found}'"),
            );
        }
        let asked = visit.text("#asked");
        visit.square(if asked == "a1" { "a2" } else { "a1" });
        visit.wait("a miss", "document.querySelector('#wrong').textContent === '1'");
        assert_eq!(visit.text("#asked"), asked, "a missed square is asked for again");
        while visit.text("#says").is_empty() && began.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(100));
        }
        visit.says("You found 3 squares.");
        assert!(began.elapsed() >= Duration::from_secs(29));
        assert_eq!(
            (visit.text("#best-white"), visit.text("#best-black")),
            ("0".into(), "3".into())
        );
    });
}

#[test]
fn a_step_in_all_its_moods_can_be_used_by_everyone() {
    on_display("learn::a_step_in_all_its_moods_can_be_used_by_everyone", |display| {
        let site = SiteProcess::start("", &[]);
        let mut visit = Visit::to(display, &site, "/learn/forks/1", DESKTOP);
        visit.typed("Nc7");
        visit.wait("a mistake", "document.querySelector('#says').className === 'bad'");
        for dark in [false, true] {
            visit.page.screen(DESKTOP, dark);
            visit.is_for_everyone("after a mistake");
        }
        visit.click("#hint");
        visit.click("#hint");
        visit.wait(
            "a hint",
            "document.querySelector('#says').textContent.startsWith('This square')",
        );
        visit.is_for_everyone("with a hint");
        picture(&mut visit.page, "lesson-hint-desktop");
        visit.page.screen(PHONE, true);
        picture(&mut visit.page, "lesson-hint-phone");
    });
}
