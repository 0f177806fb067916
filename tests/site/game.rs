//! Games on the practice site over real HTTP and WebSocket, judged by its log.

use serde_json::{Value, json};
use torres_test_support::site::{Page, SiteProcess, moves, plies};
use torres_test_support::torres;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn unix_ms() -> u64 {
    torres::site::log::now_ms()
}

fn logged_moves(site: &SiteProcess) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    site.events("move")
        .iter()
        .map(|e| (text(&e["by"]), text(&e["move"])))
        .collect()
}

#[tokio::test]
async fn a_scripted_game_has_every_kind_of_move_and_the_log_tells_it() {
    let site = SiteProcess::start(
        "d7d5 f7f5 # both pawns\nb8c6 c8e6 d8d7 e8c8 f8g7 c8b8",
        &["--delay-ms", "0"],
    );
    let mut page = Page::open(&site).await;
    let mut state = page.after(0).await;
    assert_eq!(
        (&state["player"], &state["fen"], &state["turn"]),
        (&json!("white"), &json!(START), &json!("white"))
    );
    assert_eq!(state["bot"], "Torres bot level 3");
    // En passant, a promotion to a knight by capture, and castling the king onto the rook, as Lichess allows.
    let ours = ["e2e4", "e4e5", "e5f6", "f6g7", "g7h8n", "g1f3", "f1e2", "e1h1"];
    for (index, uci) in ours.iter().enumerate() {
        page.play(&state, uci).await;
        state = page.after(2 * (index + 1)).await;
    }
    page.send(json!({"type": "resign", "game": 1})).await;
    let over = page.state(|state| !state["result"].is_null()).await;
    assert_eq!(
        over["result"],
        json!({"score": "0-1", "reason": "resignation", "winner": "black"})
    );
    assert_eq!(over["dests"], json!({}));

    let told = logged_moves(&site);
    let expected = [
        "e2e4", "d7d5", "e4e5", "f7f5", "e5f6", "b8c6", "f6g7", "c8e6", "g7h8n", "d8d7", "g1f3", "e8c8", "f1e2",
        "f8g7", "e1g1", "c8b8",
    ];
    let sides = ["player", "bot"].iter().cycle();
    let expected: Vec<_> = sides
        .zip(expected)
        .map(|(by, uci)| ((*by).to_owned(), uci.to_owned()))
        .collect();
    assert_eq!(told, expected);
    let events = site.events("move");
    // En passant is named only where it can be played.
    assert!(events[0]["fen"].as_str().unwrap().ends_with(" b KQkq - 0 1"));
    assert!(events[3]["fen"].as_str().unwrap().ends_with(" w KQkq f6 0 3"));
    // Derived by hand: White has a third knight, Black castled long.
    assert_eq!(
        events[14]["fen"],
        "2kr2nN/pppqp1bp/2n1b3/3p4/8/5N2/PPPPBPPP/RNBQ1RK1 b - - 6 8"
    );
    assert!(
        events
            .iter()
            .filter(|e| e["by"] == "bot")
            .all(|e| e["detail"] == "script")
    );
    assert_eq!(site.events("game").len(), 1);
    assert_eq!(site.events("game")[0]["fen"], START);
    assert_eq!(site.events("game")[0]["detail"], "player white, level 3, clock 15+10");
    assert_eq!(site.events("result")[0]["detail"], "0-1 resignation");
    let keys: Vec<_> = events[0].as_object().unwrap().keys().cloned().collect();
    assert_eq!(keys.len(), 6);
    for key in ["t_ms", "event", "by", "move", "fen", "detail"] {
        assert!(keys.iter().any(|k| k == key), "{key} is missing in {keys:?}");
    }
    let now = unix_ms();
    assert!(events.iter().all(|e| now - e["t_ms"].as_u64().unwrap() < 60_000));
}

#[tokio::test]
async fn what_is_not_legal_now_is_refused_and_the_truth_is_shown() {
    let site = SiteProcess::start("e7e5", &["--delay-ms", "600000"]);
    let mut page = Page::open(&site).await;
    page.after(0).await;
    let refused = |game: u32, ply: u32, uci: &str, reason: &str| {
        (
            json!({"type": "move", "game": game, "ply": ply, "uci": uci}),
            uci.to_owned(),
            reason.to_owned(),
        )
    };
    let before = [
        refused(1, 0, "e2e5", "not a legal move"),
        refused(1, 0, "e7e5", "not a legal move"),
        refused(1, 0, "castles", "not a legal move"),
        refused(1, 1, "e2e4", "the position has changed"),
        refused(7, 0, "e2e4", "another game is on the board"),
    ];
    for (message, ..) in &before {
        page.send(message.clone()).await;
        let state = page.next().await;
        assert_eq!((&state["fen"], plies(&state)), (&json!(START), 0));
    }
    let on_board = page.play(&json!({"game": 1, "moves": []}), "e2e4").await;
    let late = refused(1, 1, "d2d4", "it is the bot's turn");
    page.send(late.0.clone()).await;
    assert_eq!(page.next().await["fen"], on_board["fen"]);
    page.send(json!({"type": "resign", "game": 1})).await;
    page.state(|state| !state["result"].is_null()).await;
    let over = refused(1, 1, "d2d4", "the game is over");
    page.send(over.0.clone()).await;
    page.next().await;

    let told: Vec<_> = site.events("refused");
    assert!(told.iter().all(|e| e["by"] == "player"));
    let told: Vec<_> = told
        .iter()
        .map(|e| (e["move"].as_str().unwrap(), e["detail"].as_str().unwrap()))
        .collect();
    let all: Vec<_> = before
        .iter()
        .chain([&late, &over])
        .map(|(_, uci, reason)| (uci.as_str(), reason.as_str()))
        .collect();
    assert_eq!(told, all);
    assert_eq!(logged_moves(&site), [("player".to_owned(), "e2e4".to_owned())]);
}

#[tokio::test]
async fn a_message_that_is_none_gets_an_error_and_the_page_stays_connected() {
    let site = SiteProcess::start("", &[]);
    let mut page = Page::open(&site).await;
    page.after(0).await;
    let wrong = [
        "",
        "{",
        r#"{"type":"cheat"}"#,
        r#"{"type":"move"}"#,
        r#"{"type":"new_game","color":"white","level":0}"#,
        r#"{"type":"new_game","color":"white","level":1,"fen":"8/8/8/8/8/8/8/8 w - - 0 1"}"#,
        r#"{"type":"new_game","color":"white","level":1,"clock":{"initial_ms":0,"increment_ms":0}}"#,
        r#"{"type":"resign","game":2}"#,
    ];
    for text in wrong {
        page.send_text(text).await;
        let answer = page.next().await;
        assert_eq!(answer["type"], "error", "{text} → {answer}");
    }
    page.send(json!({"type": "new_game", "color": "white", "level": 8}))
        .await;
    assert_eq!(page.next().await["bot"], "Torres bot level 8");
    assert_eq!(site.events("game").len(), 2);
}

#[tokio::test]
async fn a_game_survives_a_reload_and_every_page_shows_it() {
    let site = SiteProcess::start("e7e5", &["--delay-ms", "0"]);
    let mut page = Page::open(&site).await;
    let state = page.after(0).await;
    page.play(&state, "e2e4").await;
    let before = page.after(2).await;
    drop(page);
    let mut again = Page::open(&site).await;
    let after = again.next().await;
    for part in ["game", "player", "fen", "moves", "turn", "dests", "bot"] {
        assert_eq!(before[part], after[part], "{part}");
    }
    let mut second = Page::open(&site).await;
    second.after(2).await;
    again.play(&after, "g1f3").await;
    let shown = second.state(|state| plies(state) >= 3).await;
    assert_eq!(moves(&shown)[2], "g1f3");
}

#[tokio::test]
async fn the_bot_moves_first_when_the_player_is_black_and_only_for_a_page() {
    let site = SiteProcess::start("d2d4", &["--color", "black", "--delay-ms", "0"]);
    // Time enough for a bot that did not wait: it answers a page at once.
    let started = unix_ms();
    while unix_ms() < started + 500 {
        assert!(site.get("/log", &site.host()).await.contains("\"event\":\"game\""));
    }
    let opened = unix_ms();
    let mut page = Page::open(&site).await;
    let state = page.after(1).await;
    assert_eq!((&state["player"], &state["turn"]), (&json!("black"), &json!("black")));
    assert_eq!(state["dests"].as_object().unwrap().len(), 10, "pawns and knights");
    assert_eq!(logged_moves(&site), [("bot".to_owned(), "d2d4".to_owned())]);
    assert!(site.events("move")[0]["t_ms"].as_u64().unwrap() >= opened);
}

#[tokio::test]
async fn replies_keep_their_delay() {
    let site = SiteProcess::start("e7e5", &["--delay-ms", "250"]);
    let mut page = Page::open(&site).await;
    let state = page.after(0).await;
    page.play(&state, "e2e4").await;
    page.after(2).await;
    let times: Vec<u64> = site
        .events("move")
        .iter()
        .map(|e| e["t_ms"].as_u64().unwrap())
        .collect();
    assert!(times[1] - times[0] >= 249, "{times:?}");
}

#[tokio::test]
async fn where_the_script_ends_or_is_wrong_the_engine_answers() {
    let site = SiteProcess::start("e7e5 a1a8 b8c6", &["--delay-ms", "0", "--seed", "1", "--level", "5"]);
    let mut page = Page::open(&site).await;
    let mut state = page.after(0).await;
    for (index, uci) in ["e2e4", "g1f3"].iter().enumerate() {
        page.play(&state, uci).await;
        state = page.after(2 * index + 2).await;
    }
    let details: Vec<_> = site
        .events("move")
        .iter()
        .map(|e| e["detail"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(details[1], "script");
    assert!(
        details[3].starts_with("script's move a1a8 is not legal here; engine"),
        "{details:?}"
    );
}

#[tokio::test]
async fn first_moves_are_free_then_clocks_run_and_gain_their_increment() {
    let site = SiteProcess::start("e7e5 b8c6", &["--delay-ms", "0"]);
    let mut page = Page::open(&site).await;
    page.after(0).await;
    let clock = json!({"initial_ms": 60_000, "increment_ms": 5_000});
    page.send(json!({"type": "new_game", "color": "white", "level": 1, "clock": clock}))
        .await;
    let state = page.state(|state| state["game"] == 2).await;
    assert_eq!(
        state["clock"],
        json!({"white_ms": 60_000, "black_ms": 60_000, "running": null})
    );
    let first = page.play(&state, "e2e4").await;
    assert!(plies(&first) == 2 || first["clock"]["running"].is_null());
    let second = page.after(2).await;
    assert_eq!(second["clock"]["running"], "white");
    assert_eq!(second["clock"]["black_ms"], 60_000);
    page.play(&second, "g1f3").await;
    let white = page.after(4).await["clock"]["white_ms"].as_u64().unwrap();
    assert!(
        (60_001..=65_000).contains(&white),
        "{white} ms after a quick move with 5 s of increment"
    );
}

#[tokio::test]
async fn a_flag_falls_by_the_servers_clock() {
    let site = SiteProcess::start("e7e5", &["--delay-ms", "0"]);
    let mut page = Page::open(&site).await;
    page.after(0).await;
    let clock = json!({"initial_ms": 150, "increment_ms": 0});
    page.send(json!({"type": "new_game", "color": "white", "level": 1, "clock": clock}))
        .await;
    let state = page.state(|state| state["game"] == 2).await;
    page.play(&state, "e2e4").await;
    let over = page.state(|state| !state["result"].is_null()).await;
    assert_eq!(
        over["result"],
        json!({"score": "0-1", "reason": "time", "winner": "black"})
    );
    assert_eq!(
        (&over["clock"]["white_ms"], &over["clock"]["running"]),
        (&json!(0), &Value::Null)
    );
    let (result, last) = (&site.events("result")[0], &site.events("move")[1]);
    let waited = result["t_ms"].as_u64().unwrap() - last["t_ms"].as_u64().unwrap();
    assert!(waited >= 149, "the flag fell after {waited} ms");
}

#[tokio::test]
async fn mate_ends_the_game_and_another_can_be_had() {
    let fen = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
    let site = SiteProcess::start("", &["--fen", fen, "--level", "2"]);
    let mut page = Page::open(&site).await;
    let state = page.after(0).await;
    let over = page.play(&state, "a1a8").await;
    assert_eq!(
        over["result"],
        json!({"score": "1-0", "reason": "checkmate", "winner": "white"})
    );
    assert_eq!(
        (&over["check"], &over["moves"][0]["san"]),
        (&json!(true), &json!("Ra8#"))
    );
    page.send(json!({"type": "new_game", "color": "black", "level": 4}))
        .await;
    let next = page.state(|state| state["game"] == 2).await;
    assert_eq!(
        (&next["start_fen"], &next["level"], &next["result"]),
        (&json!(START), &json!(4), &Value::Null)
    );
    let details: Vec<_> = site.events("game").iter().map(|e| e["detail"].clone()).collect();
    assert_eq!(
        details,
        [
            "player white, level 2, clock 15+10",
            "player black, level 4, clock 15+10"
        ]
    );
}

#[tokio::test]
async fn the_clock_that_the_site_was_started_with_is_every_games() {
    let site = SiteProcess::start("", &["--clock", "1+0"]);
    let mut page = Page::open(&site).await;
    let state = page.after(0).await;
    assert_eq!(
        (&state["clock"]["white_ms"], &state["clock"]["black_ms"]),
        (&json!(60_000), &json!(60_000))
    );
    page.send(json!({"type": "new_game", "color": "black", "level": 1}))
        .await;
    page.state(|state| state["game"] == 2).await;
    let details: Vec<Value> = site
        .events("game")
        .into_iter()
        .map(|event| event["detail"].clone())
        .collect();
    assert_eq!(
        details,
        ["player white, level 3, clock 1+0", "player black, level 1, clock 1+0"]
    );
}

#[test]
fn a_clock_without_time_for_the_first_move_is_refused() {
    let out = torres(&["site", "--port", "0", "--clock", "0+5"]).output().unwrap();
    assert_eq!(out.status.code(), Some(2));
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(said.contains("'0+5'") && said.contains("--clock"), "{said}");
}
