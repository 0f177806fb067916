//! Somebody plays the computer in a browser, by mouse and keyboard, as on a desk and as on a phone.
#![cfg(target_os = "linux")]

use crate::visitor::{DESK, PHONE, Visitor, on_desk_and_phone};
use torres_test_support::desktop::on_display;
use torres_test_support::program;
use torres_test_support::site::SiteProcess;

/// Counts the sounds that a page makes.
const COUNTS: &str = "window.sounded = 0; const gain = AudioContext.prototype.createGain; \
                      AudioContext.prototype.createGain = function () { window.sounded += 1; return gain.call(this); }";

#[test]
fn a_game_against_the_computer_is_played_looked_at_and_taken_back() {
    on_desk_and_phone(
        "play_page::a_game_against_the_computer_is_played_looked_at_and_taken_back",
        "/play",
        |_, site, mut ann, _| {
            ann.page.run_in_each_document(COUNTS);
            let choices = ["[value='level-1'] + span", "[name=color][value=white] + span"];
            ann.makes(&site, &choices, "");
            ann.plays("e2", "e4");
            ann.sees_moves(2);
            ann.sees_text("notice", "Your move");
            assert_eq!(ann.text("upper-name"), "Torres bot level 1");
            assert!(ann.page.run("window.sounded").as_u64().unwrap() >= 2, "two moves sound");
            // Back to look, by button and by key, and forward again.
            ann.push("#first");
            ann.sees_piece("e2", "white pawn");
            ann.page.key("ArrowRight");
            ann.sees_piece("e4", "white pawn");
            ann.see(
                "the first move marked",
                "document.querySelector('#moves .now').title === 'e2e4'",
            );
            // While one looks back, nothing can be moved.
            ann.click_square("d2");
            let hidden =
                "[...document.querySelectorAll('square.move-dest')].every((one) => one.style.display === 'none')";
            assert!(ann.page.run(hidden) == true);
            ann.push("#last");
            ann.push("#flip");
            ann.see("Black at the bottom", "document.querySelector('.orientation-black')");
            ann.page.key("f");
            ann.see("White at the bottom", "document.querySelector('.orientation-white')");
            // A hint: the square, the move, why.
            ann.push("#hint");
            ann.sees_text("hint-says", "Look at the");
            assert_eq!(ann.page.run("document.querySelectorAll('#marks .hinted').length"), 1);
            ann.push("#hint");
            ann.sees_text("hint-says", "is a good move");
            assert_eq!(ann.page.run("document.querySelectorAll('#marks .hinted').length"), 2);
            ann.push("#hint");
            ann.sees_text("hint-says", "Torres expects");
            assert!(ann.page.run("document.getElementById('hint').disabled") == true);
            // One's own last move is taken back with the reply, without a question.
            ann.push("#undo");
            ann.sees_moves(0);
            ann.types("d4");
            ann.sees_moves(2);
            ann.types("Ke5");
            ann.sees_text("said", "no legal move");
            ann.page.run("document.getElementById('move').value = ''");
            // Paused: nothing is seen, nothing can be done.
            ann.push("#pause");
            ann.see(
                "the board hidden",
                "getComputedStyle(document.getElementById('board')).visibility === 'hidden'",
            );
            assert!(ann.page.run("document.getElementById('moves').checkVisibility()") == false);
            ann.push("#resume");
            ann.sees_text("notice", "Your move");
            // A draw is offered, and declined so early.
            ann.push("#draw");
            ann.sees_text("said", "The draw was declined.");
            // Settings are kept: no sound after a reload.
            ann.push("#more summary");
            ann.push("#sounds");
            ann.reloads();
            ann.sees_moves(2);
            ann.types("c4");
            ann.sees_moves(4);
            assert_eq!(ann.page.run("window.sounded"), 0);
            ann.push("#resign");
            ann.push("#resign");
            ann.sees_text("notice", "Black wins: resignation");
            ann.sees_text("notice", "You lost.");
            let pgn = ann
                .page
                .run("fetch(document.getElementById('pgn').href).then((answer) => answer.text())");
            assert!(pgn.as_str().unwrap().contains("1. d4"), "{pgn}");
            // The list knows it, and the game can be begun anew.
            ann.goes(&site, "/play");
            ann.sees_own("Review");
            ann.push(".own .ways a");
            ann.see("the game", "document.body.dataset.connected === 'true'");
            let address = ann.page.run("location.href").as_str().unwrap().to_owned();
            ann.push("#again");
            ann.see(
                "another game",
                &format!("location.href !== {address:?} && document.body.dataset.connected === 'true'"),
            );
            ann.sees_moves(0);
            ann.sees_text("notice", "Your move");
            ann.goes(&site, "/play");
            ann.sees_own("Continue");
        },
    );
}

#[test]
fn a_game_is_played_on_the_board_without_a_mouse() {
    on_desk_and_phone(
        "play_page::a_game_is_played_on_the_board_without_a_mouse",
        "/play",
        |_, site, mut ann, _| {
            ann.makes(&site, &["[value=none] + span"], "7k/P7/8/8/8/8/4P3/K7 w - - 0 1");
            ann.page.run("document.activeElement.blur()");
            ann.tabs_to("#board");
            // The first arrow shows where one is; what stands there is told.
            ann.keys("Up");
            ann.sees_text("board-says", "e4");
            ann.keys("Down Down");
            ann.sees_text("board-says", "e2, white pawn");
            ann.see(
                "the cursor",
                "document.querySelector('#marks .cursor').dataset.square === 'e2'",
            );
            ann.keys("Enter");
            ann.sees_text("board-says", "taken. It can go to e3, e4.");
            ann.keys("Up Up Up Enter");
            ann.sees_text("board-says", "It cannot go to e5.");
            ann.picture("keys");
            ann.keys("Down Enter");
            ann.sees_moves(1);
            ann.sees_piece("e4", "white pawn");
            // Let go and taken again.
            ann.sees_text("notice", "Black to move");
            ann.keys("Right Right Right Up Up Up Up Enter");
            ann.sees_text("board-says", "h8, black king, taken");
            ann.keys("Escape");
            ann.sees_text("board-says", "Put down");
            ann.keys("Enter Left Enter");
            ann.sees_moves(2);
            // A promotion that is given up, and one that is not.
            ann.sees_text("notice", "White to move");
            ann.keys("Left Left Left Left Left Left Down Enter Up Enter");
            ann.sees_focus("queen");
            ann.keys("Escape");
            ann.see("the board in focus", "document.activeElement.id === 'board'");
            ann.sees_piece("a7", "white pawn");
            ann.sees_text("board-says", "a8");
            ann.keys("Down Enter Up Enter");
            ann.sees_focus("queen");
            ann.keys("Down");
            ann.sees_focus("knight");
            ann.keys("Enter");
            ann.sees_moves(3);
            ann.sees_piece("a8", "white knight");
            // Turned, the board's arrows turn too.
            ann.see("the board in focus", "document.activeElement.id === 'board'");
            ann.keys("f");
            ann.see("Black at the bottom", "document.querySelector('.orientation-black')");
            ann.keys("Left");
            ann.sees_text("board-says", "b8");
            // Elsewhere they look at the game.
            ann.page.run("document.activeElement.blur()");
            ann.keys("Up");
            ann.sees_piece("e2", "white pawn");
        },
    );
}

#[test]
fn a_promotion_by_hand_is_given_up_or_made_and_any_position_is_played_on() {
    on_desk_and_phone(
        "play_page::a_promotion_by_hand_is_given_up_or_made_and_any_position_is_played_on",
        "/play",
        |_, site, mut ann, _| {
            ann.makes(&site, &["[value=none] + span"], "8/P6k/8/8/8/8/4P3/K7 w - - 0 1");
            ann.sees_text("notice", "White to move");
            ann.touches("a7");
            ann.see(
                "where it can go",
                "[...document.querySelectorAll('square.move-dest')].length === 1",
            );
            ann.touches("a8");
            ann.see(
                "the choice",
                "document.querySelectorAll('#promotion button').length === 4",
            );
            ann.touches("e3");
            ann.see("no choice", "!document.getElementById('promotion')");
            ann.sees_piece("a7", "white pawn");
            ann.touches("a7");
            ann.touches("a8");
            ann.see(
                "the choice",
                "document.querySelectorAll('#promotion button').length === 4",
            );
            // The rook, two below the queen.
            ann.touches("a6");
            ann.sees_moves(1);
            ann.sees_piece("a8", "white rook");
            // From the position after it against a computer, with a clock.
            ann.push("#more summary");
            ann.push("#from-here");
            ann.see(
                "the page",
                "location.pathname === '/play' && document.querySelector('#setup-board cg-board')",
            );
            ann.sees_start("R7/7k/8/8/8/8/4P3/K7 b - - 0 1");
            ann.sees_piece("a8", "white rook");
            for choice in [
                "[value=one] + span",
                "[name=color][value=black] + span",
                "[value='5+3'] + span",
            ] {
                ann.push(choice);
            }
            ann.push(".begin button");
            ann.see(
                "the game",
                "location.pathname.startsWith('/game/') && document.body.dataset.connected === 'true'",
            );
            ann.sees_text("notice", "Your move");
            assert_eq!(ann.text("lower-clock"), "5:00");
            ann.see("Black at the bottom", "document.querySelector('.orientation-black')");
        },
    );
}

#[test]
fn a_position_is_set_up_by_mouse_fingers_and_keys() {
    on_desk_and_phone(
        "play_page::a_position_is_set_up_by_mouse_fingers_and_keys",
        "/play",
        |_, _site, mut ann, screen| {
            ann.push("#more summary");
            ann.see("the board", "document.querySelector('#setup-board cg-board')");
            ann.sees_piece("e1", "white king");
            ann.push("#clear");
            ann.sees_start("8/8/8/8/8/8/8/8 w - - 0 1");
            ann.sees_text("position-says", "White has no king. Black has no king.");
            // By mouse: chosen, then put down; and dragged from the row.
            ann.push("label:has([value=K][name=brush])");
            ann.click_square("e1");
            ann.sees_start("8/8/8/8/8/8/8/4K3 w - - 0 1");
            ann.sees_text("position-says", "Black has no king.");
            let (row, e4) = (ann.middle("label:has([value=R][name=brush])"), ann.square("e4"));
            ann.drags(row, e4);
            ann.sees_start("8/8/8/8/4R3/8/8/4K3 w - - 0 1");
            // With a finger.
            let king = ann.middle("label:has([value=k][name=brush])");
            ann.page.tap(king);
            let e8 = ann.square("e8");
            ann.page.tap(e8);
            ann.sees_start("4k3/8/8/8/4R3/8/8/4K3 w - - 0 1");
            ann.sees_text("position-says", "Black is in check, but White is to move.");
            ann.is_for_everyone("set-up");
            ann.page.screen(screen, false);
            ann.push("[name=mover][value=b] + span");
            ann.sees_text("position-says", "Black is to move.");
            // By keys, on the board alone.
            ann.tabs_to("#setup-board");
            ann.keys("Up");
            ann.sees_text("setup-says", "e4, white rook");
            ann.keys("Right Up Up Up Up P");
            ann.sees_start("4kP2/8/8/8/4R3/8/8/4K3 b - - 0 1");
            ann.sees_text("position-says", "A pawn cannot stand on the first or the last rank.");
            ann.keys("Delete Down p Left q");
            ann.sees_start("4k3/4qp2/8/8/4R3/8/8/4K3 b - - 0 1");
            ann.sees_text("setup-says", "e7, black queen");
            // A man that is put where it stands is taken away; one that is moved off the board too.
            ann.push("label:has([value=q][name=brush])");
            ann.click_square("e7");
            ann.sees_start("4k3/5p2/8/8/4R3/8/8/4K3 b - - 0 1");
            ann.push("label:has([value=move][name=brush])");
            let (f7, away) = (ann.square("f7"), ann.middle("#castling"));
            if screen == DESK {
                ann.drags(f7, away);
                ann.sees_start("4k3/8/8/8/4R3/8/8/4K3 b - - 0 1");
            }
            // From the text to the board, and back.
            ann.page
                .run("const start = document.getElementById('start'); start.value = ''; start.focus()");
            ann.page.type_text("r3k3/8/8/8/8/8/4P3/4K2R w Kq - 0 1");
            ann.sees_piece("e2", "white pawn");
            ann.see(
                "who may castle",
                "['K', 'q'].every((right) => document.querySelector(`#castling [value=${right}]`).checked)",
            );
            ann.push("#castling [value=q]");
            ann.sees_start("r3k3/8/8/8/8/8/4P3/4K2R w K - 0 1");
            ann.click_square("h1");
            ann.click_square("h3");
            ann.sees_start("r3k3/8/8/8/8/7R/4P3/4K3 w - - 0 1");
            assert!(ann.page.run("document.querySelector('#castling [value=K]').disabled") == true);
            // A game in PGN is shown where it ends.
            ann.page
                .run("document.getElementById('start').value = ''; document.getElementById('start').focus()");
            ann.page.type_text("1. e4 e5 2. Nf3");
            ann.sees_text("position-says", "Black is to move after 3 half moves.");
            ann.sees_piece("f3", "white knight");
            ann.push("[value=none] + span");
            ann.push(".begin button");
            ann.see("the game", "location.pathname.startsWith('/game/')");
            ann.sees_moves(3);
            // What was pasted is not taken back, and stays when the game is begun anew.
            ann.sees_text("notice", "Black to move");
            assert!(ann.page.run("document.getElementById('undo').disabled") == true);
            ann.types("Nc6");
            ann.sees_moves(4);
            let address = ann.page.run("location.href").as_str().unwrap().to_owned();
            ann.push("#again");
            ann.see(
                "another game",
                &format!("location.href !== {address:?} && document.body.dataset.connected === 'true'"),
            );
            ann.sees_moves(3);
        },
    );
}

#[test]
fn an_engine_that_the_site_was_told_of_is_played() {
    on_display("play_page::an_engine_that_the_site_was_told_of_is_played", |display| {
        let engine = format!("A <b>bot</b>={} uci;nodes=500", program());
        for screen in [DESK, PHONE] {
            let site = SiteProcess::start("", &["--bot", &engine]);
            let mut ann = Visitor::at(display, &site, "/play", screen);
            ann.see(
                "every opponent with its picture",
                "[...document.querySelectorAll('.characters svg, .level svg')].filter((one) => one.getBoundingClientRect().width > 20 && \
                 one.getBBox().width > 0).length === 23",
            );
            assert_eq!(ann.page.run("document.querySelectorAll('.strength').length"), 15);
            let guesser = "document.querySelector('[value=guesser] + span .strength').textContent";
            assert!(ann.page.run(guesser).as_str().unwrap().contains("Elo, "));
            let choices = ["[value^='engine-'] + span", "[name=color][value=white] + span"];
            ann.makes(&site, &choices, "");
            assert_eq!(ann.text("upper-name"), "A <b>bot</b>");
            ann.plays("e2", "e4");
            ann.sees_moves(2);
        }
    });
}

#[test]
fn every_end_on_the_board_is_named_and_can_be_taken_back() {
    on_desk_and_phone(
        "play_page::every_end_on_the_board_is_named_and_can_be_taken_back",
        "/play",
        |_, site, mut ann, _| {
            let both = ["[value=none] + span"];
            for (start, moves, end) in [
                ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "Ra8", "White wins: checkmate"),
                ("7k/5Q2/8/6K1/8/8/8/8 w - - 0 1", "Kg6", "Draw: stalemate"),
                ("7k/8/8/8/8/8/4p3/4K3 w - - 0 1", "Kxe2", "Draw: insufficient material"),
                ("7k/8/6K1/8/8/8/8/R7 w - - 99 90", "Ra2", "Draw: fifty moves"),
                (
                    "4k3/8/8/8/8/8/R7/4K3 b - - 0 1",
                    "Kd7 Kd1 Ke8 Ke1 Kd7 Kd1 Ke8 Ke1",
                    "Draw: threefold repetition",
                ),
            ] {
                ann.makes(&site, &both, start);
                let mut count = 0;
                for san in moves.split(' ') {
                    ann.types(san);
                    count += 1;
                    ann.sees_moves(count);
                }
                ann.sees_text("notice", end);
                ann.push("#undo");
                ann.sees_moves(count - 1);
                ann.sees_text("notice", "to move");
            }
        },
    );
}

#[test]
fn what_was_missed_is_shown_after_the_game_and_solved_again() {
    on_desk_and_phone(
        "play_page::what_was_missed_is_shown_after_the_game_and_solved_again",
        "/play",
        |_, site, mut ann, _| {
            ann.makes(&site, &["[value=none] + span"], "1. f3 e5");
            ann.push("#more summary");
            ann.push("#evaluation");
            ann.see("the bar", "document.getElementById('bar-number').textContent !== ''");
            ann.types("g4");
            ann.sees_moves(3);
            ann.see(
                "a mate that is seen",
                "document.getElementById('bar-number').textContent === '#1'",
            );
            ann.types("Qh4");
            ann.sees_text("notice", "Black wins: checkmate");
            ann.is_for_everyone("game-over");
            ann.push("#review");
            ann.sees_text("mistakes", "2. g4");
            ann.push("#mistakes li:last-child button");
            ann.sees_text("notice", "find something better");
            // As bad as before, then the best.
            ann.types("g2g4");
            ann.sees_text("notice", "not better");
            let best = "document.querySelector('#mistakes [aria-current]').textContent";
            assert!(ann.page.run(best).as_str().unwrap().starts_with("2. g4"));
            let uci = ann.page.run(
                "fetch(location.pathname + '/look', { method: 'POST', body: JSON.stringify({ ply: 2 }) })\
                 .then((answer) => answer.json()).then((seen) => seen.best.uci)",
            );
            let uci = uci.as_str().unwrap().to_owned();
            ann.click_square(&uci[..2]);
            ann.click_square(&uci[2..4]);
            ann.sees_text("notice", "Right:");
            ann.see("it solved", "document.querySelector('#mistakes .solved')");
            ann.see("it kept", "!document.getElementById('kept').hidden");
            ann.is_for_everyone("review");
            // It is a puzzle now: failed once, it comes back the same day; solved, another day.
            ann.push("#kept a");
            ann.sees_text("ask", "You played 2. g4 here.");
            let rating = |ann: &mut Visitor| ann.text("rating").trim_end_matches('?').parse::<i64>().unwrap();
            let before = rating(&mut ann);
            ann.is_for_everyone("own-puzzle");
            ann.answers("g2g4");
            ann.sees_text("says", "There is something better.");
            ann.see(
                "a lower rating",
                &format!("parseInt(document.getElementById('rating').textContent) < {before}"),
            );
            ann.push("#solution");
            ann.sees_text("about", "Solution: ");
            ann.goes(&site, "/puzzles/own");
            ann.sees_text("ask", "You played 2. g4 here.");
            let failed = rating(&mut ann);
            ann.answers(&uci);
            ann.see("the way on", "!document.getElementById('next').hidden");
            // Only the first try counts for the learner.
            assert_eq!(rating(&mut ann), failed);
            ann.goes(&site, "/puzzles/own");
            ann.see(
                "that nothing is left",
                "document.querySelector('h1').textContent === 'Done for today'",
            );
            ann.is_for_everyone("own-puzzles-done");
            ann.push(".kinds a");
            ann.see(
                "all puzzles",
                "location.pathname === '/puzzles' && document.getElementById('ask')",
            );
        },
    );
}

#[test]
fn the_pages_can_be_used_by_everyone_and_are_light() {
    on_display(
        "play_page::the_pages_can_be_used_by_everyone_and_are_light",
        |display| {
            let site = SiteProcess::start("", &[]);
            let mut ann = Visitor::at(display, &site, "/play", DESK);
            let choices = [
                "[value='level-1'] + span",
                "[name=color][value=white] + span",
                "[value='10+0'] + span",
            ];
            ann.makes(&site, &choices, "1. e4 e5 2. Nf3 Nc6 3. Nc3 Nf6");
            ann.types("d3");
            ann.sees_moves(8);
            ann.sees_text("notice", "Your move");
            ann.push("#hint");
            ann.sees_text("hint-says", "Look at the");
            ann.is_for_everyone("computer-game");
            ann.push("#more summary");
            ann.push("#evaluation");
            ann.see("the bar", "document.getElementById('bar-number').textContent !== ''");
            ann.is_for_everyone("computer-game-evaluated");
            ann.push("#pause");
            ann.see("the cover", "!document.getElementById('cover').hidden");
            ann.is_for_everyone("computer-game-paused");
            // What a game's page loads, compressed as a web server would.
            let size = ann.page.run(
                "Promise.all(performance.getEntriesByType('resource').map((one) => one.name)\
             .filter((name) => /\\.(js|css)$/.test(name)).map((name) => fetch(name).then(async (answer) => {\
               const packed = answer.body.pipeThrough(new CompressionStream('gzip'));\
               return (await new Response(packed).arrayBuffer()).byteLength; })))\
             .then((sizes) => sizes.length < 10 ? -1 : sizes.reduce((sum, size) => sum + size, 0))",
            );
            let size = size.as_i64().unwrap();
            assert!((1..=150_000).contains(&size), "{size} bytes of JavaScript and CSS");
            ann.goes(&site, "/play");
            ann.is_for_everyone("play");
        },
    );
}

#[test]
fn two_computers_are_watched() {
    on_desk_and_phone(
        "play_page::two_computers_are_watched",
        "/play",
        |_, _site, mut ann, _| {
            // They take their time, so that they can be watched.
            for choice in ["[value=both] + span", "[value='level-2'] + span", ".begin button"] {
                ann.push(choice);
            }
            ann.see("moves", "document.querySelectorAll('#moves li').length >= 2");
            ann.sees_text("notice", "You watch");
            assert_eq!(ann.text("lower-name"), "Torres bot level 2");
            assert!(ann.page.run("document.getElementById('typed').hidden") == true);
            ann.push("#pause");
            ann.sees_text("notice", "paused");
        },
    );
}

#[test]
fn a_move_that_is_none_is_refused_in_words() {
    on_desk_and_phone(
        "play_page::a_move_that_is_none_is_refused_in_words",
        "/play",
        |_, site, mut ann, screen| {
            ann.makes(&site, &["[value=none] + span"], "4k3/8/8/8/8/8/4P3/r3K1N1 w - - 0 1");
            ann.sees_text("notice", "Check.");
            // Dragged, by two touches, and by keys.
            let (e2, e5) = (ann.square("e2"), ann.square("e5"));
            ann.drags(e2, e5);
            ann.sees_text("said", "The pawn on e2 cannot go to e5. The king is in check.");
            ann.sees_piece("e2", "white pawn");
            ann.touches("g1");
            ann.touches("f3");
            ann.sees_text("said", "The knight on g1 cannot go to f3.");
            ann.picture(&format!("illegal-{}", screen.0));
            ann.tabs_to("#board");
            ann.keys("Up Down Down Down Enter");
            ann.sees_text("board-says", "e1, white king, taken");
            ann.keys("Up Up Enter");
            ann.sees_text("said", "The king on e1 cannot go to e3.");
            ann.keys("Escape");
            assert_eq!(ann.moves(), 0);
            // What is legal takes the words away, and they do not come by it.
            ann.touches("e1");
            ann.touches("d2");
            ann.sees_moves(1);
            ann.see("no words", "document.getElementById('said').textContent === ''");
            let (e8, e7) = (ann.square("e8"), ann.square("e7"));
            ann.drags(e8, e7);
            ann.sees_moves(2);
            ann.see("no words", "document.getElementById('said').textContent === ''");
        },
    );
}

/// Twenty-one half moves after which Black is a pawn down, and to move.
const A_PAWN_DOWN: &str = "1. e4 e5 2. Nf3 Nf6 3. Nxe5 Nc6 4. Nxc6 dxc6 5. d3 Bc5 6. Be2 O-O 7. O-O Re8 8. Nc3 h6 9. Bf4 Bd6 10. Qd2 Bxf4 \
                            11. Qxf4";
/// Keeps how loud the last sound was to be.
const LISTENS: &str = "const ramp = AudioParam.prototype.linearRampToValueAtTime; \
                       AudioParam.prototype.linearRampToValueAtTime = function (value, at) { window.loud = value; return ramp.call(this, value, at); }";

#[test]
fn a_draw_is_taken_by_who_stands_worse_and_sounds_are_as_loud_as_wished() {
    on_desk_and_phone(
        "play_page::a_draw_is_taken_by_who_stands_worse_and_sounds_are_as_loud_as_wished",
        "/play",
        |_, site, mut ann, _| {
            ann.page.run_in_each_document(LISTENS);
            // A computer with a pawn more does not want one.
            let choices = ["[value='level-8'] + span", "[name=color][value=black] + span"];
            ann.makes(&site, &choices, A_PAWN_DOWN);
            ann.sees_text("notice", "Your move");
            ann.push("#draw");
            ann.sees_text("said", "The draw was declined.");
            // One with a pawn less does.
            let choices = ["[value='level-8'] + span", "[name=color][value=white] + span"];
            ann.makes(&site, &choices, A_PAWN_DOWN);
            ann.sees_moves(22);
            ann.sees_text("notice", "Your move");
            let loud = ann.page.run("window.loud").as_f64().unwrap();
            ann.push("#draw");
            ann.sees_text("notice", "Draw: agreement");
            // Softer, by the keyboard; and it stays so.
            ann.push("#more summary");
            ann.tabs_to("#volume");
            ann.keys("Home");
            ann.see("a softer sound", &format!("window.loud < {loud} / 20"));
            ann.reloads();
            assert_eq!(ann.page.run("document.getElementById('volume').value"), "5");
        },
    );
}
