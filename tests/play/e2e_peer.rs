//! A page that behaves like the site of a peer: what it does by itself, and `--games` on it.
#![cfg(target_os = "linux")]

use serde_json::{Value, json};
use std::time::{Duration, Instant};
use torres::journal::{Event, event};
use torres_test_support::desktop::Devtools;
use torres_test_support::play::{GAME, Key, Peer, Run, engine_with_book, has_event, journal, pgn_of, rectangle, text};
use torres_test_support::wait_for;

/// Fool's play: the player, with White, mates at the fourth move.
const MATE: [&str; 3] = ["e7e5", "b8c6", "g8f6"];

/// Plays a move by clicks in the page, until the page has so many plies: this widget loses a press now and then.
fn play_by_hand(peer: &Peer, devtools: &mut Devtools, played: &str, plies: usize) {
    let has = || peer.games().last().is_some_and(|game| game.len() >= plies);
    for _ in 0..10 {
        click(devtools, played);
        let began = Instant::now();
        while began.elapsed() < Duration::from_secs(2) {
            if has() {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
    panic!("the page has not taken {played}");
}

fn click(devtools: &mut Devtools, played: &str) {
    for square in [&played[..2], &played[2..]] {
        let at = devtools.run(&format!(
            "{{ const lies = document.querySelector('[data-square={square}]').getBoundingClientRect();
               [lies.x + lies.width / 2, lies.y + lies.height / 2] }}"
        ));
        let at = (at[0].as_f64().unwrap(), at[1].as_f64().unwrap());
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            devtools.mouse(kind, at);
        }
    }
}

#[test]
fn the_page_centres_its_column_anew_when_a_game_ends_and_swaps_the_colours_in_a_rematch() {
    let peer = Peer::open(&json!({
        "player": "white", "delayMs": 50, "dotMs": 300,
        "games": [{"replies": MATE}, {"replies": ["e2e4"], "end": {"atPly": 2, "how": "resign", "afterMs": 50}}],
    }));
    let mut devtools = peer.stage.devtools();
    let (row, board) = (peer.bot_row(&mut devtools), peer.stage.lies(&mut devtools, "#board"));
    for (ply, played) in ["e2e4", "d1h5", "f1c4", "h5f7"].into_iter().enumerate() {
        peer.wait_for_ply(2 * ply);
        play_by_hand(&peer, &mut devtools, played, 2 * ply + 1);
    }
    peer.wait_for("result", 1);
    assert_eq!(peer.results(), [("1-0".to_owned(), "mate".to_owned())]);
    let after = peer.bot_row(&mut devtools);
    assert!((30..=60).contains(&(row.y - after.y)), "{row:?} {after:?}");
    assert_eq!(peer.stage.lies(&mut devtools, "#board"), board);
    assert!(peer.clocks().len() >= 9);
    devtools.run("document.getElementById('rematch').click()");
    peer.wait_for("game", 2);
    assert_eq!(devtools.run("board.orientation()"), "black");
    assert_eq!(peer.bot_row(&mut devtools).y, row.y);
    peer.wait_for_ply(1);
    play_by_hand(&peer, &mut devtools, "e7e5", 2);
    peer.wait_for("result", 2);
    assert_eq!(peer.results()[1], ("0-1".to_owned(), "resign".to_owned()));
    // The dot has been green and grey meanwhile.
    let shows = |devtools: &mut Devtools| devtools.run("document.getElementById('bot-dot').className");
    let before = shows(&mut devtools);
    wait_for("the dot to change", || (shows(&mut devtools) != before).then_some(()));
}

#[test]
fn the_pages_clocks_count_down_and_flag() {
    let peer = Peer::open(&json!({
        "player": "white", "delayMs": 50, "games": [{"replies": MATE}], "clock": {"initialMs": 11000, "incrementMs": 0},
    }));
    let mut devtools = peer.stage.devtools();
    let shown = |devtools: &mut Devtools| devtools.run("document.getElementById('clock-below').textContent");
    assert_eq!(shown(&mut devtools), "0:11");
    play_by_hand(&peer, &mut devtools, "e2e4", 1);
    peer.wait_for_ply(2);
    wait_for("tenths", || {
        let text = shown(&mut devtools);
        text.as_str().filter(|text| text.starts_with("0:09.")).map(drop)
    });
    devtools.run("logClocks()");
    let asked = peer.wait_for("clocks", 1).pop().unwrap();
    assert_eq!(asked["shown_black"], "0:11");
    assert!(asked["shown_white"].as_str().unwrap().starts_with("0:09."), "{asked}");
    peer.wait_for("result", 1);
    assert_eq!(peer.results(), [("0-1".to_owned(), "flag".to_owned())]);
    assert_eq!(shown(&mut devtools), "0:00.0");
}

/// A game on the page: all of its moves, how it ends otherwise than on the board, what else happens, and what Torres is
/// to write down of it.
#[derive(Clone)]
struct Staged {
    moves: &'static str,
    /// What Torres' engine wants to play where the game has ended.
    wanted: &'static str,
    end: Option<Value>,
    offer_at: Option<u32>,
    result: &'static str,
    /// What the result may be known by.
    known_by: &'static [&'static str],
}

/// Of a mate that its page covers at once. A page under load is still drawn with the piece carried to its square when
/// the button was let go already: that picture has the mate on the board.
const COVERED: &[&str] = &["own_move", "board"];

/// A game that ends by mate.
const fn mate(moves: &'static str, result: &'static str) -> Staged {
    Staged {
        moves,
        wanted: "",
        end: None,
        offer_at: None,
        result,
        known_by: &["board"],
    }
}

/// A game that ends otherwise, so long after its last move.
fn ends(moves: &'static str, how: &str, after_ms: u32) -> Staged {
    let plies = moves.split(' ').count();
    Staged {
        moves,
        wanted: "",
        end: Some(json!({"atPly": plies, "how": how, "afterMs": after_ms})),
        offer_at: None,
        result: "*",
        known_by: &["page"],
    }
}

const WHITE_MATES: Staged = mate("e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7", "1-0");
const BLACK_MATES: Staged = mate("f2f3 e7e5 g2g4 d8h4", "0-1");

/// The games as the page and the engine are to play them; Torres has White in the first.
struct Match {
    games: Vec<Staged>,
}

impl Match {
    /// Calibrates on a page of this stage, plays all games there, and holds them against the page's log.
    fn runs_through(&self, more: Value) -> Peer {
        let peer = Peer::open(&self.stage(more));
        let mut devtools = peer.stage.devtools();
        peer.calibrate(&mut devtools, &[]);
        peer.calibrate_rematch(&mut devtools);
        let mut play = self.play(&peer, &[]);
        play.ends_with(0, GAME);
        self.was_played(&peer, &play.said());
        peer
    }

    /// The page's `STAGE`.
    fn stage(&self, more: Value) -> Value {
        let games = self.games.iter().enumerate().map(|(number, game)| {
            let bots = game.moves.split(' ').skip((number + 1) % 2).step_by(2);
            json!({"replies": bots.collect::<Vec<_>>(), "end": game.end, "offerAtPly": game.offer_at})
        });
        let mut stage = json!({"player": "white", "delayMs": 60, "dotMs": 900, "games": games.collect::<Vec<_>>()});
        for (key, value) in more.as_object().expect("fields") {
            stage[key] = value.clone();
        }
        stage
    }

    /// Starts `torres play` with all games.
    fn play(&self, peer: &Peer, more: &[&str]) -> Run {
        let (engine, number) = (self.engine(peer), self.games.len().to_string());
        let args = ["--engine", &engine, "--games", &number];
        peer.stage.play(&[&args, more].concat())
    }

    fn engine(&self, peer: &Peer) -> String {
        let wanted = self.games.iter().map(|game| game.moves.to_owned() + game.wanted);
        engine_with_book(&peer.stage.path("book"), &wanted.collect::<Vec<_>>())
    }

    /// The page's log and Torres' files have all games as they were staged, and the mouse was used on squares and the
    /// button only.
    fn was_played(&self, peer: &Peer, said: &str) {
        peer.wait_for("result", self.games.len());
        let moves: Vec<String> = self.games.iter().map(|game| game.moves.to_owned()).collect();
        let played: Vec<String> = peer.games().iter().map(|moves| moves.join(" ")).collect();
        assert_eq!(played, moves, "on the page\n{said}");
        let kept = std::fs::read_to_string(peer.stage.out().join("results.jsonl")).unwrap();
        let kept: Vec<Value> = kept.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(kept.len(), self.games.len(), "{said}");
        for (game, line) in self.games.iter().zip(&kept) {
            assert_eq!(line["result"], game.result, "{said}");
            let known_by = line["known_by"].as_str().unwrap();
            assert!(
                game.known_by.contains(&known_by),
                "{known_by}, not {:?}\n{said}",
                game.known_by
            );
        }
        for (number, game) in self.games.iter().enumerate() {
            let name = match number {
                0 => "game.pgn".to_owned(),
                number => format!("game-{}.pgn", number + 1),
            };
            let written = pgn_of(&peer.stage.out().join(&name)).moves.join(" ");
            assert_eq!(written, game.moves, "{name}\n{said}");
        }
        assert_eq!(peer.stray_presses(), Vec::<Value>::new());
        // What is let go when the page has ended the game is no move.
        let mut refused = peer.events("refused");
        refused.retain(|event| event["over"] == false);
        assert_eq!(refused, Vec::<Value>::new());
        assert_eq!(peer.events("rematch").len(), self.games.len() - 1, "{said}");
    }
}

/// Six games that end in as many ways.
fn six() -> Vec<Staged> {
    vec![
        WHITE_MATES,
        // Torres has just moved, and waits.
        ends("d2d4 d7d5 c2c4 e7e6", "resign", 300),
        BLACK_MATES,
        // It is Torres' turn.
        Staged {
            wanted: " g8f6",
            ..ends("e2e4 e7e5 g1f3 b8c6 f1c4", "draw", 0)
        },
        Staged {
            offer_at: Some(2),
            ..ends("d2d4 d7d5 c2c4 c7c6 b1c3", "abort", 300)
        },
        BLACK_MATES,
    ]
}

#[test]
fn games_that_end_in_six_ways_follow_each_other_with_swapped_colours_in_a_column_that_is_centred_anew() {
    let all = Match { games: six() };
    all.runs_through(json!({}));
}

#[test]
fn the_same_with_rows_that_change_places_a_banner_that_moves_the_board_and_a_dialog_over_all() {
    let all = Match { games: six() };
    let peer = all.runs_through(json!({"rows": "swap", "banner": true, "dialogMs": 2500}));
    // Nothing was clicked through the dialog.
    let all = peer.all_events();
    let mut is_open = false;
    for event in &all {
        match event["type"].as_str() {
            Some("result") => is_open = true,
            Some("dialog closed") => is_open = false,
            Some("down") => assert!(!is_open, "{event}"),
            _ => {}
        }
    }
}

#[test]
fn the_same_with_a_notice_over_the_board_that_has_the_button() {
    // After the first game too little of the board is left to be found.
    let first = Staged {
        known_by: COVERED,
        ..WHITE_MATES
    };
    let all = Match {
        games: vec![
            first,
            ends("d2d4 d7d5 c2c4 e7e6", "resign", 300),
            BLACK_MATES,
            BLACK_MATES,
        ],
    };
    all.runs_through(json!({"notice": "over"}));
}

#[test]
fn the_same_with_a_board_that_greys_with_the_mate_and_never_rests_again() {
    let unseen = |game| Staged {
        known_by: COVERED,
        ..game
    };
    let all = Match {
        games: vec![unseen(WHITE_MATES), unseen(BLACK_MATES)],
    };
    all.runs_through(json!({"greys": true, "pulses": true}));
}

/// Nothing but the user's hint tells that the game is over.
#[test]
fn a_button_that_is_shown_after_a_game_of_which_no_end_is_known_ends_it_and_begins_the_next() {
    let all = Match {
        games: vec![ends("d2d4 d7d5 c2c4", "resign", 300), BLACK_MATES],
    };
    let peer = Peer::open(&all.stage(json!({})));
    let mut devtools = peer.stage.devtools();
    peer.calibrate(&mut devtools, &[]);
    let mut play = all.play(&peer, &[]);
    peer.wait_for("result", 1);
    peer.calibrate_shown_rematch(&mut devtools);
    play.ends_with(0, GAME);
    all.was_played(&peer, &play.said());
}

#[test]
fn a_button_in_a_notice_over_the_board_is_pointed_at_while_the_next_game_is_waited_for() {
    let first = Staged {
        known_by: COVERED,
        ..WHITE_MATES
    };
    let all = Match {
        games: vec![first, BLACK_MATES],
    };
    let peer = Peer::open(&all.stage(json!({"notice": "over"})));
    let mut devtools = peer.stage.devtools();
    peer.calibrate(&mut devtools, &[]);
    let mut play = all.play(&peer, &[]);
    wait_for("Torres to say that a button may be shown", || {
        play.said().contains("waiting for the next game").then_some(())
    });
    let button = peer.stage.lies(&mut devtools, "#rematch");
    peer.stage.point_at_next_game(&button);
    play.ends_with(0, GAME);
    all.was_played(&peer, &play.said());
}

#[test]
#[ignore = "takes minutes; `cargo test --test play e2e_peer::twenty -- --ignored --nocapture`"]
fn twenty_games_run_through() {
    let all = Match {
        games: six().into_iter().cycle().take(20).collect(),
    };
    let peer = Peer::open(&all.stage(json!({"rows": "swap", "banner": true, "dotMs": 700})));
    let mut devtools = peer.stage.devtools();
    peer.calibrate(&mut devtools, &[]);
    peer.calibrate_rematch(&mut devtools);
    let began = std::time::Instant::now();
    let mut play = all.play(&peer, &[]);
    play.ends_with(0, Duration::from_secs(1200));
    all.was_played(&peer, &play.said());
    println!("20 games in {:.0} s", began.elapsed().as_secs_f64());
}

#[test]
fn a_row_that_looks_otherwise_in_its_second_place_pauses_the_rematch_until_the_user_has_shown_it_once() {
    let all = Match {
        games: vec![
            WHITE_MATES,
            ends("d2d4 d7d5 c2c4 e7e6", "resign", 300),
            WHITE_MATES,
            BLACK_MATES,
        ],
    };
    let peer = Peer::open(&all.stage(json!({"rows": "swap", "otherGround": true})));
    let mut devtools = peer.stage.devtools();
    peer.calibrate(&mut devtools, &[]);
    peer.calibrate_rematch(&mut devtools);
    let engine = all.engine(&peer);
    let play = peer
        .stage
        .play_at_a_terminal("game", &["--engine", &engine, "--games", "4"]);
    wait_for("the pause", || play.said().contains("PAUSED").then_some(()));
    assert!(play.said().contains("--also"), "{}", play.said());
    assert_eq!(
        peer.games()[1],
        ["d2d4"],
        "nothing was played against a row that nobody vouched for"
    );
    let row = rectangle(&peer.bot_row(&mut devtools));
    let path = peer.stage.calibration();
    let shown = ["calibrate", text(&path), "--also", "--opponent-panel", &row];
    let (status, said) = peer.stage.run(&shown);
    assert_ne!(status, 0, "without the user's word: {said}");
    let (status, said) = peer.stage.run(&[&shown[..], &["--opponent-is-a-bot"]].concat());
    assert_eq!(status, 0, "{said}");
    play.press(Key::P);
    let mut play = play;
    play.ends_with(0, GAME);
    all.was_played(&peer, &play.said());
    let second = |event: &Event| matches!(event, Event::Vouched(event::Vouched { second: Some(_), .. }));
    assert!(has_event(&journal(&peer.stage.out()), second));
    assert_eq!(play.said().matches("PAUSED").count(), 1, "{}", play.said());
}

#[test]
fn a_dot_beside_the_name_may_change_and_a_letter_of_the_name_may_not() {
    for person in ["Torquata level 1", "Torquato level 2", "Torqueto level 1"] {
        let all = Match {
            games: vec![WHITE_MATES],
        };
        let peer = Peer::open(&all.stage(json!({"delayMs": 700, "dotMs": 250})));
        let mut devtools = peer.stage.devtools();
        let said = peer.calibrate(&mut devtools, &[]);
        assert!(said.contains("a dot beside the name is left out"), "{said}");
        let mut play = all.play(&peer, &[]);
        peer.wait_for_ply(3);
        devtools.run(&format!("document.getElementById('bot-name').textContent = {person:?}"));
        play.ends_with(1, GAME);
        assert!(
            play.said().contains("opponent panel changed"),
            "{person}: {}",
            play.said()
        );
        assert_eq!(peer.games()[0].len(), 4, "{person} was played on");
    }
}

#[test]
fn a_page_that_gets_another_size_is_played_on_and_its_name_is_found_in_its_new_place() {
    let all = Match {
        games: vec![WHITE_MATES],
    };
    let peer = Peer::open(&all.stage(json!({"delayMs": 1500})));
    let mut devtools = peer.stage.devtools();
    peer.calibrate(&mut devtools, &[]);
    let board = peer.stage.lies(&mut devtools, "#board");
    let mut play = all.play(&peer, &[]);
    peer.wait_for_ply(1);
    peer.stage.browser().window().unwrap().resize(940, 700).unwrap();
    play.ends_with(0, GAME);
    all.was_played(&peer, &play.said());
    let now = peer.stage.lies(&mut devtools, "#board");
    assert!(now.width + 30 < board.width, "{board:?} {now:?}");
}

#[test]
fn a_flag_that_falls_on_our_own_clock_alone_wins_nothing() {
    let all = Match {
        games: vec![Staged {
            known_by: &["own_clock"],
            ..ends("e2e4 e7e5 g1f3 b8c6 f1c4", "resign", 600_000)
        }],
    };
    // The bot has stopped to play, and its page says nothing.
    let peer = Peer::open(&all.stage(json!({"delayMs": 60})));
    let mut devtools = peer.stage.devtools();
    peer.calibrate(&mut devtools, &[]);
    let mut play = all.play(&peer, &["--clock", "0.1+0", "--no-ponder"]);
    play.ends_with(0, GAME);
    let kept = std::fs::read_to_string(peer.stage.out().join("results.jsonl")).unwrap();
    let line: Value = serde_json::from_str(&kept).unwrap();
    assert_eq!((&line["result"], &line["known_by"]), (&json!("*"), &json!("own_clock")));
    let how = line["termination"].as_str().unwrap();
    assert!(
        how.contains("Black's time has run out; the page was not seen to say so"),
        "{how}"
    );
    let pgn = std::fs::read_to_string(peer.stage.out().join("game.pgn")).unwrap();
    assert!(pgn.contains("[Result \"*\"]"), "{pgn}");
}

#[test]
fn a_game_is_over_where_the_pages_clocks_stand_though_no_button_was_shown() {
    // The bot thinks until its clock's digits are known, and resigns.
    let all = Match {
        games: vec![ends("e2e4 e7e5 g1f3 b8c6 f1c4", "resign", 16_000)],
    };
    let peer = Peer::open(&all.stage(json!({"clock": {"initialMs": 60_000, "incrementMs": 0}})));
    let mut devtools = peer.stage.devtools();
    peer.calibrate(&mut devtools, &[]);
    let mut play = all.play(&peer, &["--clock", "5+0", "--no-ponder"]);
    play.ends_with(0, GAME);
    assert!(play.said().contains("the site's clocks stand"), "{}", play.said());
    all.was_played(&peer, &play.said());
}

/// A game in which the bot stops to play, and its clock shows every digit before it falls.
fn flags() -> (Match, Value) {
    let game = Staged {
        known_by: &["page_clock"],
        result: "1-0",
        ..ends("e2e4 e7e5 g1f3 b8c6 f1c4", "resign", 600_000)
    };
    let clock = json!({"delayMs": 60, "clock": {"initialMs": 25_000, "incrementMs": 0}});
    (Match { games: vec![game] }, clock)
}

/// The notice leaves too little of the board to be found.
#[test]
fn a_flag_that_falls_on_the_pages_clock_wins_under_a_notice_too() {
    let (all, mut clock) = flags();
    clock["notice"] = json!("over");
    let peer = Peer::open(&all.stage(clock));
    let mut devtools = peer.stage.devtools();
    let said = peer.calibrate(&mut devtools, &[]);
    assert!(said.contains("clocks    seen at"), "{said}");
    let mut play = all.play(&peer, &["--clock", "5+0", "--no-ponder"]);
    play.ends_with(0, GAME);
    assert_eq!(peer.results(), [("1-0".to_owned(), "flag".to_owned())]);
    all.was_played(&peer, &play.said());
}

#[test]
fn clocks_side_by_side_are_read_once_the_game_has_shown_whose_they_are() {
    let (all, clock) = flags();
    let peer = Peer::open(&all.stage(clock));
    let mut devtools = peer.stage.devtools();
    // Ours on the left.
    devtools.run(
        "for (const [id, left] of [['clock-below', 20], ['clock-above', 200]])
           Object.assign(document.getElementById(id).style, { position: 'fixed', top: '640px', left: `${left}px` });
         0",
    );
    let [ours, theirs] =
        ["#clock-below", "#clock-above"].map(|clock| rectangle(&peer.stage.lies(&mut devtools, clock)));
    let nowhere = rectangle(&peer.stage.lies(&mut devtools, "#kind"));
    let row = rectangle(&peer.bot_row(&mut devtools));
    let path = peer.stage.calibration();
    let wrong = [
        "calibrate",
        text(&path),
        "--clocks",
        &nowhere,
        &ours,
        "--opponent-panel",
        &row,
    ];
    let (status, said) = peer.stage.run(&[&wrong[..], &["--opponent-is-a-bot"]].concat());
    assert!(status == 2 && said.contains("no clock is seen"), "{status}: {said}");
    let said = peer.calibrate(&mut devtools, &["--clocks", &theirs, &ours]);
    assert!(said.contains("clocks    seen at"), "{said}");
    let said = peer.calibrate(&mut devtools, &[]);
    assert!(said.contains("once it has shown whose they are"), "{said}");
    let mut play = all.play(&peer, &["--clock", "5+0", "--no-ponder"]);
    play.ends_with(0, GAME);
    all.was_played(&peer, &play.said());
}
