//! Staged games on the practice site: every kind of move by either side, with either colour, judged by the site's log.
#![cfg(target_os = "linux")]

use rustix::process::Signal;
use shakmaty::Color;
use torres::journal::Event;
use torres_test_support::play::{
    GAME, Key, Practice, Run, Script, engine_for, has_event, journal, pgn_of, scripted_engine,
};
use torres_test_support::wait_for;

/// Stages a game that ends with the bot's move or a mate, lets Torres play one side of it with a scripted engine, and
/// judges it.
fn plays_as_staged(script: &Script, own: Color, calibrate: &[&str]) {
    let practice = Practice::staged(script, own);
    practice.stage.calibrate(calibrate);
    let engine = engine_for(script, own);
    let mut play = practice.stage.play(&["--engine", &engine, "--plies", &script.plies()]);
    play.ends_with(0, GAME);
    practice.shows(script);
}

#[test]
fn white_castles_short_takes_en_passant_and_has_both_done_to_it() {
    let script = Script::new(
        "e2e4 d7d5 e4d5 d8d5 b1c3 d5a5 g1f3 b8c6 f1c4 c8g4 e1g1 e8c8 a2a3 e7e5 b2b4 a5b6 a3a4 e5e4 d2d4 e4d3 \
         a4a5 b6d4 h2h3 b7b5 a5b6 d4f2 f1f2 d3c2 d1d8 c6d8",
    );
    plays_as_staged(&script, Color::White, &[]);
}

#[test]
fn black_castles_long_takes_en_passant_and_promotes_when_the_bot_has_already_moved() {
    let script = Script::new(
        "e2e4 d7d5 e4d5 d8d5 g1f3 c8g4 f1e2 b8c6 e1g1 e8c8 c2c4 d5h5 c4c5 b7b5 c5b6 a7b6 a2a4 e7e5 a4a5 e5e4 \
         d2d4 e4d3 a5b6 d3e2 b6b7 c8b8 f1e1 e2d1n e1d1",
    );
    // Without --fen: White's first move is explained from the start position.
    plays_as_staged(&script, Color::Black, &[]);
}

#[test]
fn pawns_become_each_of_the_four_pieces_on_either_side() {
    let script = Script::from(
        "8/PPPP4/6nk/6rq/7b/KQ6/3pppp1/RBN5 w - - 0 1",
        "d7d8n d2d1n c7c8b e2e1b b7b8r f2f1r a7a8q g2g1q d8f7 h6g7",
    );
    plays_as_staged(
        &script,
        Color::White,
        &["--fen", "8/PPPP4/6nk/6rq/7b/KQ6/3pppp1/RBN5 w - - 0 1"],
    );
}

#[test]
fn white_mates_and_the_game_is_over() {
    let script = Script::new("e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7");
    let practice = Practice::staged(&script, Color::White);
    practice.stage.calibrate(&["--bottom", "white"]);
    // Without --plies: mate alone ends it.
    let mut play = practice.stage.play(&["--engine", &engine_for(&script, Color::White)]);
    play.ends_with(0, GAME);
    practice.shows(&script);
    assert_eq!(practice.site.events("result")[0]["detail"], "1-0 checkmate");
    assert!(play.said().contains("1-0 by checkmate"), "{}", play.said());
}

#[test]
fn black_mates_after_calibrating_on_the_position_after_the_bots_first_move() {
    let script = Script::new("f2f3 e7e5 g2g4 d8h4");
    let practice = Practice::staged(&script, Color::Black);
    let after_f3 = "rnbqkbnr/pppppppp/8/8/8/5P2/PPPPP1PP/RNBQKBNR b KQkq - 0 1";
    practice.stage.calibrate(&["--fen", after_f3]);
    let mut play = practice.stage.play(&["--engine", &engine_for(&script, Color::Black)]);
    play.ends_with(0, GAME);
    practice.shows(&script);
    assert_eq!(practice.site.events("result")[0]["detail"], "0-1 checkmate");
}

#[test]
fn being_mated_ends_the_game_as_well() {
    let script = Script::new("f2f3 e7e5 g2g4 d8h4");
    let practice = Practice::staged(&script, Color::White);
    practice.stage.calibrate(&[]);
    let mut play = practice.stage.play(&["--engine", &engine_for(&script, Color::White)]);
    play.ends_with(0, GAME);
    practice.shows(&script);
    assert!(play.said().contains("0-1 by checkmate"), "{}", play.said());
}

#[test]
fn a_game_is_joined_in_the_middle_by_the_move_that_the_site_has_marked() {
    let script = Script::new("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5 e1g1 e8g8");
    let practice = Practice::staged(&script, Color::White);
    practice.stage.calibrate(&[]);
    let own = script.moves_of(Color::White);
    let first = scripted_engine("", &own[..3]);
    let mut play = practice.stage.play(&["--engine", &first, "--plies", "6"]);
    play.ends_with(0, GAME);
    // As if another program had played so far.
    let rest = scripted_engine("", &own[3..]);
    let mut play = practice.stage.play(&["--engine", &rest, "--plies", "4"]);
    play.ends_with(0, GAME);
    assert_eq!(practice.moves(), script.moves());
    assert!(play.said().contains("joined in the middle"), "{}", play.said());
    assert!(
        play.said().contains("h1"),
        "that White may castle is assumed: {}",
        play.said()
    );
    // The first game of that folder is not written over.
    let written = pgn_of(&practice.stage.out().join("game-2.pgn"));
    assert_eq!(written.moves, script.moves()[6..]);
}

#[test]
fn a_game_is_joined_as_the_other_colour_than_the_calibrated_one() {
    let script = Script::new("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5 e1g1 e8g8");
    let practice = Practice::staged(&script, Color::Black);
    practice.stage.calibrate(&["--bottom", "black", "--fen", AFTER_E4]);
    // As if it had been calibrated with White, whose side of the same board it had been.
    turn_round(&practice.stage.calibration());
    let own = script.moves_of(Color::Black);
    // Farther from where it was calibrated than moves are followed.
    let first = scripted_engine("", &own[..3]);
    let mut play = practice.stage.play(&["--engine", &first, "--plies", "6"]);
    play.ends_with(0, GAME);
    // As if another program had played so far.
    let rest = scripted_engine("", &own[3..]);
    let mut play = practice.stage.play(&["--engine", &rest, "--plies", "2"]);
    play.ends_with(0, GAME);
    assert!(play.said().contains("joined in the middle"), "{}", play.said());
    assert!(
        practice.moves().starts_with(&script.moves()[..8]),
        "{:?}",
        practice.moves()
    );
}

const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

fn turn_round(calibration: &std::path::Path) {
    let text = std::fs::read_to_string(calibration).unwrap();
    let mut file: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(file["bottom"], "black");
    file["bottom"] = "white".into();
    std::fs::write(calibration, file.to_string()).unwrap();
}

/// The site's promotion dialog as chess.com's kind has it: a white column of pieces as large as the board's, in an
/// order of its own, and a cross to close it.
const WHITE_COLUMN: &str = "
    document.head.insertAdjacentHTML('beforeend', `<style>
        #promotion { background: none }
        #promotion button { border-radius: 0; background: #fff; box-shadow: 0 0 6px #0008 }
        #promotion piece { transform: none }
        #promotion span { position: absolute; width: 12.5%; height: 6.25%; background: #f1f1f1; text-align: center }
    </style>`);
    new MutationObserver(() => {
        const dialog = document.getElementById('promotion');
        if (!dialog || dialog.dataset.turned) return;
        dialog.dataset.turned = 'yes';
        const choice = (role) => dialog.querySelector(`[title=${role}]`);
        const places = ['queen', 'knight', 'rook', 'bishop'].map((role) => choice(role).style.top);
        ['bishop', 'rook', 'queen', 'knight'].forEach((role, index) => choice(role).style.top = places[index]);
        const { left } = choice('queen').style;
        dialog.insertAdjacentHTML('beforeend', `<span style='left:${left};top:50%'>×</span>`);
    }).observe(document.getElementById('board'), { childList: true, subtree: true }); 0";

/// A game in which our pawn becomes a knight is played to its end, on the page after this script.
fn promotes_on(page: &str) -> (Script, Practice, Run) {
    let script = Script::new("h2h4 g7g5 h4g5 h7h6 g5h6 b8c6 h6h7 a7a6 h7g8n h8g8");
    let practice = Practice::staged(&script, Color::White);
    practice.stage.calibrate(&[]);
    practice.stage.devtools().run(page);
    let engine = engine_for(&script, Color::White);
    let mut play = practice.stage.play(&["--engine", &engine, "--plies", &script.plies()]);
    play.ends_with(0, GAME);
    (script, practice, play)
}

#[test]
fn a_dialog_with_its_pieces_in_another_order_is_read_before_a_piece_is_chosen() {
    let (script, practice, _) = promotes_on(WHITE_COLUMN);
    practice.shows(&script);
}

/// The same in a row in the middle of the board, half a square aside from its squares, half transparent.
const ROW_IN_THE_MIDDLE: &str = "
    document.head.insertAdjacentHTML('beforeend', `<style>
        #promotion { background: none }
        #promotion button { border-radius: 0; background: #fffe; box-shadow: 0 0 0 1px #000 }
        #promotion piece { transform: none }
    </style>`);
    new MutationObserver(() => {
        const dialog = document.getElementById('promotion');
        if (!dialog || dialog.dataset.moved) return;
        dialog.dataset.moved = 'yes';
        ['queen', 'rook', 'bishop', 'knight'].forEach((role, index) => {
            const { style } = dialog.querySelector(`[title=${role}]`);
            style.left = `${18.75 + 12.5 * index}%`;
            style.top = '43.75%';
        });
    }).observe(document.getElementById('board'), { childList: true, subtree: true }); 0";

#[test]
fn a_dialog_beside_the_file_and_beside_the_squares_is_found_and_its_piece_chosen() {
    let (script, practice, _) = promotes_on(ROW_IN_THE_MIDDLE);
    practice.shows(&script);
}

/// The page shows its choice beside the board, on which nothing changes then, and takes its time.
const LATE_AND_BESIDE: &str = "
    document.head.insertAdjacentHTML('beforeend', `<style>
        #late { position: fixed; right: 8px; bottom: 8px; width: auto; height: auto; z-index: 9 }
        #late button { all: unset; display: inline-block; background: #fff }
        #late piece { position: static; display: block; width: 60px; height: 60px; background-size: cover }
    </style>`);
    new MutationObserver(() => {
        const dialog = document.getElementById('promotion');
        if (!dialog || dialog.dataset.late) return;
        dialog.dataset.late = 'yes';
        dialog.style.visibility = 'hidden';
        setTimeout(() => {
            const late = document.body.appendChild(document.createElement('div'));
            [late.id, late.className] = ['late', 'cg-wrap'];
            for (const button of dialog.querySelectorAll('button')) {
                const copy = late.appendChild(button.cloneNode(true));
                copy.onclick = () => { late.remove(); button.click(); };
            }
        }, 700);
    }).observe(document.getElementById('board'), { childList: true, subtree: true }); 0";

#[test]
fn pieces_that_are_offered_late_and_beside_the_board_are_found() {
    let (script, practice, play) = promotes_on(LATE_AND_BESIDE);
    assert_eq!(practice.moves(), script.moves(), "{}", play.said());
    let asked = |event: &Event| matches!(event, Event::Pause { .. });
    assert!(!has_event(&journal(&practice.stage.out()), asked), "{}", play.said());
}

/// How Torres is halted before somebody opens a promotion dialog, and how it goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Halt {
    Paused,
    Killed,
}

/// A drag of Torres' own can end in the moment of the stop: its dialog is left open. Here a person leaves it so.
fn a_dialog_left_open_is_answered(halt: Halt) {
    let fen = "8/PPPP4/6nk/6rq/7b/KQ6/3pppp1/RBN5 w - - 0 1";
    let script = Script::from(fen, "d7d8n d2d1n c7c8b e2e1b b7b8r f2f1r");
    let practice = Practice::staged(&script, Color::White);
    practice.stage.calibrate(&["--fen", fen]);
    let moves = script.moves_of(Color::White);
    let plies = script.plies();
    let play = practice.stage.play_at_a_terminal(
        "game",
        &["--engine", &scripted_engine("--slow 2 6", &moves), "--plies", &plies],
    );
    let out = practice.stage.out();
    let thinks = |times: usize| {
        wait_for("a thought", || {
            let journal = journal(&out);
            let thoughts = journal.iter().filter(|entry| matches!(entry.event, Event::Think(_)));
            (thoughts.count() >= times).then_some(())
        });
    };
    thinks(2);
    match halt {
        Halt::Paused => {
            play.press(Key::P);
            wait_for("the pause", || play.said().contains("PAUSED").then_some(()));
        }
        Halt::Killed => play.signal(Signal::KILL),
    }
    let mut devtools = practice.stage.devtools();
    for (kind, square) in [
        ("mousePressed", (2.5, 1.5)),
        ("mouseMoved", (2.5, 0.5)),
        ("mouseReleased", (2.5, 0.5)),
    ] {
        devtools.mouse(kind, (20.0 + 75.0 * square.0, 20.0 + 75.0 * square.1));
    }
    wait_for("the dialog", || {
        let open = devtools.run("document.querySelectorAll('#promotion button').length");
        (open == 4).then_some(())
    });
    let mut again = match halt {
        Halt::Paused => {
            play.press(Key::P);
            play
        }
        Halt::Killed => practice
            .stage
            .play(&["--engine", &engine_for(&script, Color::White), "--plies", &plies]),
    };
    again.ends_with(0, GAME);
    assert_eq!(practice.moves(), script.moves(), "{}", again.said());
    assert_eq!(practice.site.events("refused"), Vec::<serde_json::Value>::new());
}

#[test]
fn a_promotion_dialog_left_open_over_a_pause_is_answered_when_the_game_goes_on() {
    a_dialog_left_open_is_answered(Halt::Paused);
}

#[test]
fn a_promotion_dialog_left_open_by_a_player_that_was_killed_is_answered_by_the_next() {
    a_dialog_left_open_is_answered(Halt::Killed);
}
