//! Games against the server's computers, without a browser.

use serde_json::json;
use torres_test_support::people::Browser;
use torres_test_support::site::{SiteProcess, lasting_port};

fn against(computer: &str) -> serde_json::Value {
    json!({"white": "person", "black": computer, "natural": false, "name": "Ann"})
}

#[tokio::test(flavor = "multi_thread")]
async fn a_computer_plays_on_where_its_server_was_killed() {
    let data = tempfile::tempdir().unwrap();
    let args = ["--data", data.path().to_str().unwrap()];
    let mut site = SiteProcess::start_on(lasting_port(), "", &args);
    let mut ann = Browser::new(site.port);
    let (status, made) = ann.post("/play/games", &against("level-1")).await;
    assert_eq!(status, 201, "{made}");
    let game = made["game"].as_str().unwrap().to_owned();
    let mut player = ann.enter(&game, "Ann").await.unwrap();
    assert_eq!(player.shown.now["seats"]["black"]["computer"], "level-1");
    assert_eq!(player.shown.now["seats"]["black"]["program"], true);
    player.play("e2e4").await.unwrap();
    player.until(|shown| shown.moves.len() == 2).await.unwrap();
    // The computer's reply to this one may be on its way or not when the server is killed.
    let own = player.shown.legal()[0].clone();
    assert_eq!(player.play(&own).await.unwrap()["type"], "ack");
    site.child.kill().unwrap();
    site.child.wait().unwrap();
    let _again = SiteProcess::start_on(site.port, "", &args);
    player.connect().await.unwrap();
    player.until(|shown| shown.moves.len() == 4).await.unwrap();
    assert_eq!(player.shown.moves[2], own);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_owner_undoes_and_pauses_and_a_computer_declines_an_early_draw() {
    let site = SiteProcess::start("", &[]);
    let mut ann = Browser::new(site.port);
    let (_, made) = ann.post("/play/games", &against("level-2")).await;
    let game = made["game"].as_str().unwrap().to_owned();
    let mut player = ann.enter(&game, "Ann").await.unwrap();
    let mut other = Browser::new(site.port).enter(&game, "Bo").await.unwrap();
    player.play("e2e4").await.unwrap();
    player.until(|shown| shown.moves.len() == 2).await.unwrap();
    for kind in ["undo", "pause", "resume"] {
        let refused = other.ask(json!({"type": kind})).await.unwrap();
        assert_eq!(refused["reason"], "not_owner", "{refused}");
    }
    player.ask(json!({"type": "offer", "offer": "draw"})).await.unwrap();
    player
        .until(|shown| shown.now["offers"]["draw"].is_null() && shown.moves.len() == 2)
        .await
        .unwrap();
    assert!(player.shown.now["end"].is_null());
    player.ask(json!({"type": "pause"})).await.unwrap();
    assert_eq!(player.play("g1f3").await.unwrap()["reason"], "paused");
    player.ask(json!({"type": "resume"})).await.unwrap();
    player.ask(json!({"type": "undo"})).await.unwrap();
    other
        .until(|shown| shown.moves.is_empty() && shown.seq >= player.shown.seq)
        .await
        .unwrap();
    // The game is in its owner's list, and in nobody else's.
    assert!(ann.get("/play").await.contains(&game));
    assert!(!other.browser.get("/play").await.contains(&game));
}

#[tokio::test(flavor = "multi_thread")]
async fn computers_play_each_other_by_themselves() {
    let site = SiteProcess::start("", &[]);
    let mut ann = Browser::new(site.port);
    let wanted = json!({"white": "level-1", "black": "alv4", "natural": false});
    let (status, made) = ann.post("/play/games", &wanted).await;
    assert_eq!(status, 201, "{made}");
    let mut watcher = ann.enter(made["game"].as_str().unwrap(), "").await.unwrap();
    assert!(watcher.shown.seat.is_null());
    watcher.until(|shown| shown.moves.len() >= 4).await.unwrap();
    let paused = watcher.ask(json!({"type": "pause"})).await.unwrap();
    assert_eq!(paused["type"], "ack", "{paused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_goes_on_from_fen_or_pgn_and_is_written_as_pgn() {
    let site = SiteProcess::start("", &[]);
    let mut ann = Browser::new(site.port);
    let wanted = json!({"white": "person", "black": "person", "start": "1. e4 e5 2. Nf3 *"});
    let (status, made) = ann.post("/play/games", &wanted).await;
    assert_eq!(status, 201, "{made}");
    let game = made["game"].as_str().unwrap().to_owned();
    let mut player = ann.enter(&game, "Ann").await.unwrap();
    assert_eq!(player.shown.moves, ["e2e4", "e7e5", "g1f3"]);
    // Whoever has both sides moves both.
    for uci in ["b8c6", "f1b5"] {
        assert_eq!(player.play(uci).await.unwrap()["type"], "ack");
    }
    let pgn = ann.get(&format!("/game/{game}/pgn")).await;
    assert!(pgn.contains("1. e4 e5 2. Nf3 Nc6 3. Bb5 *"), "{pgn}");
    for (start, why) in [
        ("1. e4 e5 2. Ke3", "not legal"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "not a legal position"),
        ("1. f3 e5 2. g4 Qh4#", "checkmate"),
    ] {
        let wanted = json!({"white": "person", "black": "level-1", "start": start});
        let (status, said) = ann.post("/play/games", &wanted).await;
        assert_eq!(status, 400);
        assert!(said["message"].as_str().unwrap().contains(why), "{said}");
    }
    // What is pasted is looked at before the game is made.
    let (status, seen) = ann.post("/play/position", &json!({"start": "1. e4 e5 2. Nf3 *"})).await;
    assert_eq!((status, &seen["plies"]), (200, &json!(3)), "{seen}");
    assert_eq!(
        seen["fen"],
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"
    );
    let (status, said) = ann
        .post("/play/position", &json!({"start": "8/8/8/8/8/8/8/8 w - - 0 1"}))
        .await;
    assert_eq!(status, 400);
    assert!(
        said["message"].as_str().unwrap().contains("White has no king."),
        "{said}"
    );
    for wrong in [
        json!({"white": "person", "black": "level-9"}),
        json!({"white": "person"}),
        json!({"white": "computer:alv1", "black": "person"}),
    ] {
        assert_eq!(ann.post("/play/games", &wrong).await.0, 400, "{wrong}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn positions_are_looked_at_where_that_harms_nobody() {
    let site = SiteProcess::start("", &[]);
    let mut ann = Browser::new(site.port);
    // A rook mates on the eighth rank.
    let mut wanted = against("level-1");
    wanted["start"] = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1".into();
    let (_, made) = ann.post("/play/games", &wanted).await;
    let door = format!("/game/{}/look", made["game"].as_str().unwrap());
    let (status, seen) = ann.post(&door, &json!({"ply": 0})).await;
    assert_eq!(status, 200, "{seen}");
    assert_eq!(seen["best"]["uci"], "a1a8");
    assert_eq!(
        (&seen["best"]["why"], &seen["worth"]["mate"]),
        (&json!("It is mate."), &json!(1))
    );
    assert_eq!(seen["legal"]["a1a8"], "Ra8#");
    let (_, tried) = ann.post(&door, &json!({"ply": 0, "try": "a1a8"})).await;
    assert_eq!((&tried["worth"]["mate"], tried["best"].is_null()), (&json!(0), true));
    for wrong in [
        json!({"ply": 1}),
        json!({"ply": 0, "try": "a1b8"}),
        json!({"ply": -1}),
        json!([]),
    ] {
        assert_eq!(ann.post(&door, &wrong).await.0, 400, "{wrong}");
    }
    assert_eq!(ann.post("/game/0000000000/look", &json!({"ply": 0})).await.0, 404);
    assert_eq!(ann.post_from("http://evil.example", &door, "{\"ply\":0}").await.0, 403);
    // Against a person there is no help before the end.
    let game = ann.make(json!({"color": "white"})).await;
    let door = format!("/game/{game}/look");
    assert_eq!(ann.post(&door, &json!({"ply": 0})).await.0, 403);
    let mut white = ann.enter(&game, "Ann").await.unwrap();
    let mut black = Browser::new(site.port).enter(&game, "Bo").await.unwrap();
    black.ask(json!({"type": "join"})).await.unwrap();
    for kind in ["undo", "pause"] {
        assert_eq!(white.ask(json!({"type": kind})).await.unwrap()["reason"], "not_owner");
    }
    black.ask(json!({"type": "resign"})).await.unwrap();
    assert_eq!(ann.post(&door, &json!({"ply": 0})).await.0, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_computer_takes_its_time_unless_it_is_told_not_to() {
    let site = SiteProcess::start("", &[]);
    let mut ann = Browser::new(site.port);
    for natural in [true, false] {
        let mut wanted = against("level-1");
        wanted["natural"] = natural.into();
        let (_, made) = ann.post("/play/games", &wanted).await;
        let mut player = ann.enter(made["game"].as_str().unwrap(), "Ann").await.unwrap();
        let mut taken = Vec::new();
        for count in [2, 4, 6, 8] {
            let own = player.shown.legal()[0].clone();
            let began = std::time::Instant::now();
            player.play(&own).await.unwrap();
            player.until(|shown| shown.moves.len() == count).await.unwrap();
            taken.push(began.elapsed().as_millis());
        }
        // The first reply may wait for its engine to start.
        let shortest = *taken.iter().min().unwrap();
        assert_eq!(shortest >= 400, natural, "{taken:?} ms for a move");
    }
}
