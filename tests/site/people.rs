//! Two people play each other, and others try to disturb them: over real HTTP and WebSocket.

use serde_json::{Value, json};
use torres_test_support::people::{Browser, Player, Shown};
use torres_test_support::site::SiteProcess;

/// Two people at a game with clocks that has begun.
async fn begun(site: &SiteProcess, wanted: Value) -> (Player, Player) {
    let mut ann = Browser::new(site.port);
    let game = ann.make(wanted).await;
    let mut white = ann.enter(&game, "Ann").await.unwrap();
    let mut black = Browser::new(site.port).enter(&game, "Bo").await.unwrap();
    assert_eq!(black.ask(json!({"type": "join"})).await.unwrap()["type"], "ack");
    white.until(|shown| shown.is_own_turn()).await.unwrap();
    (white, black)
}

fn five_minutes() -> Value {
    json!({"name": "Ann", "color": "white", "clock": {"initial_ms": 300_000, "increment_ms": 3_000}})
}

fn refused(answer: &Value) -> &str {
    assert_eq!(answer["type"], "refused", "{answer}");
    answer["reason"].as_str().unwrap()
}

#[tokio::test]
async fn two_play_a_game_to_its_end_and_a_third_watches() {
    let site = SiteProcess::start("", &[]);
    let (mut white, mut black) = begun(&site, five_minutes()).await;
    let mut third = Browser::new(site.port).enter(&white.game.clone(), "Cy").await.unwrap();
    assert_eq!(
        (&white.shown.seat, &black.shown.seat),
        (&json!("white"), &json!("black"))
    );
    assert!(third.shown.seat.is_null());
    for (index, uci) in ["f2f3", "e7e5", "g2g4", "d8h4"].into_iter().enumerate() {
        assert_eq!(refused(&third.play(uci).await.unwrap()), "watching");
        let (mover, other) = if index % 2 == 0 {
            (&mut white, &mut black)
        } else {
            (&mut black, &mut white)
        };
        assert_eq!(refused(&other.play(uci).await.unwrap()), "not_your_turn");
        let before = mover.shown.now["position"]["turn"].clone();
        assert_eq!(mover.play(uci).await.unwrap()["type"], "ack");
        for player in [&mut *mover, &mut *other, &mut third] {
            player.until(|shown| shown.moves.len() == index + 1).await.unwrap();
        }
        // The very message once more, and one from before.
        let again = json!({"type": "move", "turn": before, "uci": uci});
        assert!(["stale", "over"].contains(&refused(&mover.ask(again).await.unwrap())));
    }
    for player in [&mut white, &mut black, &mut third] {
        player.until(|shown| !shown.now["end"].is_null()).await.unwrap();
        assert_eq!(
            player.shown.now["end"],
            json!({"score": "0-1", "reason": "checkmate", "winner": "black"})
        );
    }
    // Another game, colours swapped.
    white.ask(json!({"type": "offer", "offer": "rematch"})).await.unwrap();
    black
        .until(|shown| shown.now["offers"]["rematch"] == "white")
        .await
        .unwrap();
    black.ask(json!({"type": "accept", "offer": "rematch"})).await.unwrap();
    white.until(|shown| !shown.now["next"].is_null()).await.unwrap();
    let next = white.shown.now["next"].as_str().unwrap().to_owned();
    let again = white.browser.enter(&next, "Ann").await.unwrap();
    assert_eq!(again.shown.seat, "black");
    assert_eq!(again.shown.now["seats"]["white"]["name"], "Bo");
}

#[tokio::test]
async fn what_is_missed_is_told_on_return_and_clocks_ran_meanwhile() {
    let site = SiteProcess::start("", &[]);
    let (mut white, mut black) = begun(&site, five_minutes()).await;
    let mut watcher = Browser::new(site.port).enter(&white.game.clone(), "Cy").await.unwrap();
    white.drop_connection();
    watcher
        .until(|shown| shown.here["white"]["here"] == false)
        .await
        .unwrap();
    white.connect().await.unwrap();
    white.play("e2e4").await.unwrap();
    black.until(Shown::is_own_turn).await.unwrap();
    black.drop_connection();
    white.ask(json!({"type": "offer", "offer": "draw"})).await.unwrap();
    let seen = black.shown.seq;
    black.connect().await.unwrap();
    black.until(|shown| shown.seq == seen + 1).await.unwrap();
    assert_eq!(black.shown.now["offers"]["draw"], "white");
    assert_eq!(black.play("e7e5").await.unwrap()["type"], "ack");
    white.until(Shown::is_own_turn).await.unwrap();
    let clock = |shown: &Shown| shown.now["times"]["white_ms"].as_u64().unwrap();
    let before = clock(&white.shown);
    white.drop_connection();
    tokio::time::sleep(std::time::Duration::from_millis(1500)).await;
    // As somebody who has seen nothing.
    let white = white.browser.enter(&white.game.clone(), "Ann").await.unwrap();
    assert_eq!(white.shown.moves, ["e2e4", "e7e5"]);
    let lost = before - clock(&white.shown);
    assert!((1_500..3_500).contains(&lost), "{lost} ms passed on the clock");
}

#[tokio::test]
async fn what_is_no_message_harms_nobody_and_names_are_text() {
    let site = SiteProcess::start("", &[]);
    let hostile = "<img src=x onerror=alert(1)>\u{202e}\n";
    let mut ann = Browser::new(site.port);
    let game = ann
        .make(json!({"name": hostile, "color": "white", "listed": true}))
        .await;
    let mut white = ann.enter(&game, hostile).await.unwrap();
    assert_eq!(white.shown.now["seats"]["white"]["name"], "<img src=x onerror=alert");
    for text in [
        "",
        "{}",
        "[1]",
        "{\"type\":\"move\",\"id\":1,\"turn\":-1,\"uci\":\"e2e4\"}",
        "{\"type\":\"resign\"}",
        "nonsense",
    ] {
        white.send_text(text).await.unwrap();
        while white.next().await.unwrap()["type"] != "error" {}
    }
    let mut black = Browser::new(site.port).enter(&game, "Bo").await.unwrap();
    black.send_text(&"x".repeat(5_000)).await.unwrap();
    while black.next().await.is_ok() {}
    // Too many at once are refused, and later ones are followed again.
    let mut black = black.browser.enter(&game, "Bo").await.unwrap();
    for _ in 0..40 {
        black.send(&json!({"type": "ping", "n": 1})).await.unwrap();
    }
    let mut answers = Vec::new();
    while answers.len() < 40 {
        let answer = black.next().await.unwrap();
        if answer["type"] == "pong" || answer["type"] == "error" {
            answers.push(answer["type"].clone());
        }
    }
    let followed = answers.iter().filter(|kind| *kind == "pong").count();
    assert!((19..30).contains(&followed), "{followed} of 40 were followed");
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    assert_eq!(black.ask(json!({"type": "join"})).await.unwrap()["type"], "ack");

    for origin in ["http://evil.example", "null", "http://127.0.0.1:1"] {
        assert!(!black.browser.is_let_in_from(origin, &game).await, "{origin}");
        assert_eq!(ann.post_from(origin, "/people/games", "{}").await.0, 403, "{origin}");
    }
    for wrong in [
        "",
        "7",
        "{\"clock\":{\"initial_ms\":0,\"increment_ms\":0}}",
        "{\"fen\":\"8/8\"}",
    ] {
        let origin = format!("http://{}", ann.host);
        assert_eq!(ann.post_from(&origin, "/people/games", wrong).await.0, 400, "{wrong}");
    }
    let error = Browser::new(site.port).enter("0000000000", "Cy").await;
    assert!(
        error.is_ok_and(|player| player.shown.now.is_null()),
        "there is no such game"
    );
}

/// Posts, and gives status and message.
async fn post(browser: &mut Browser, path: &str, body: Value) -> (u16, String) {
    let (status, answer) = browser.post(path, &body).await;
    (status, answer["message"].as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "one account from its beginning to its end")]
async fn an_account_is_its_owners_on_any_browser_until_it_is_deleted() {
    let site = SiteProcess::start("", &[]);
    let mut ann = Browser::new(site.port);
    let game = ann.make(json!({"name": "somebody", "color": "white"})).await;
    let guest = ann.clone();
    let secret = json!({"name": "Ann <3", "password": "correct horse"});
    assert_eq!(
        post(
            &mut ann,
            "/account/sign-up",
            json!({"name": "Ann", "password": "short"})
        )
        .await
        .0,
        400
    );
    assert_eq!(post(&mut ann, "/account/sign-up", secret.clone()).await.0, 200);
    assert_ne!(ann.cookie, guest.cookie, "the guest's cookie is worth nothing any more");
    // The seat that the guest had is the account's, whatever name the page says.
    let player = ann.enter(&game, "Mallory").await.unwrap();
    assert_eq!(player.shown.seat, "white");
    assert!(guest.clone().enter(&game, "Ann").await.unwrap().shown.seat.is_null());

    let mut elsewhere = Browser::new(site.port);
    let wrong = json!({"name": "ann <3", "password": "wrong horse"});
    assert_eq!(post(&mut elsewhere, "/account/log-in", wrong).await.0, 403);
    assert_eq!(
        post(
            &mut elsewhere,
            "/account/log-in",
            json!({"name": "nobody", "password": "correct horse"})
        )
        .await
        .0,
        403
    );
    assert_eq!(post(&mut elsewhere, "/account/log-in", secret.clone()).await.0, 200);
    assert_eq!(elsewhere.enter(&game, "").await.unwrap().shown.seat, "white");
    assert_eq!(
        post(&mut Browser::new(site.port), "/account/sign-up", secret.clone())
            .await
            .0,
        409
    );
    for origin in ["http://evil.example", "null"] {
        assert_eq!(
            ann.clone()
                .post_from(origin, "/account/log-in", &secret.to_string())
                .await
                .0,
            403
        );
    }
    // Who tries too often waits.
    let mut tried = Vec::new();
    for _ in 0..8 {
        tried.push(
            post(
                &mut Browser::new(site.port),
                "/account/log-in",
                json!({"name": "Ann <3", "password": "guess"}),
            )
            .await
            .0,
        );
    }
    assert!(tried.contains(&403) && tried.ends_with(&[429, 429]), "{tried:?}");
    let mut bo = Browser::new(site.port);
    assert_eq!(
        post(
            &mut bo,
            "/account/sign-up",
            json!({"name": "Bo", "password": "password of bo"})
        )
        .await
        .0,
        200
    );

    let game_of_bo = bo.make(json!({"color": "black"})).await;
    assert_eq!(
        bo.enter(&game_of_bo, "Mallory").await.unwrap().shown.now["seats"]["black"]["name"],
        "Bo"
    );
    let host = site.host();
    assert_eq!(
        post(&mut bo, "/account/delete", json!({"password": "not that"}))
            .await
            .0,
        403
    );
    assert!(bo.get("/account/export").await.contains(&game_of_bo));
    assert!(!ann.get("/account/export").await.contains(&game_of_bo));
    assert_eq!(
        post(&mut bo, "/account/delete", json!({"password": "password of bo"}))
            .await
            .0,
        200
    );
    let mut again = Browser::new(site.port);
    assert_eq!(
        post(
            &mut again,
            "/account/log-in",
            json!({"name": "Bo", "password": "password of bo"})
        )
        .await
        .0,
        403,
        "{host}"
    );
    assert_eq!(post(&mut ann, "/account/log-out", json!({})).await.0, 200);
}

#[tokio::test]
async fn a_guest_is_told_from_an_account_and_cannot_take_its_name() {
    let site = SiteProcess::start("", &[]);
    let mut ann = Browser::new(site.port);
    let secret = |name: &str| json!({"name": name, "password": "correct horse"});
    for reserved in ["guest", "Deleted", "torres bot level 3"] {
        assert_eq!(
            post(&mut ann, "/account/sign-up", secret(reserved)).await.0,
            400,
            "{reserved}"
        );
    }
    assert_eq!(post(&mut ann, "/account/sign-up", secret("Ann")).await.0, 200);
    let mut guest = Browser::new(site.port);
    for (door, wanted) in [
        ("/people/games", json!({"name": " aNN "})),
        (
            "/play/games",
            json!({"name": "Ann", "white": "person", "black": "level-1"}),
        ),
    ] {
        let (status, why) = post(&mut guest, door, wanted).await;
        assert_eq!(status, 409, "{door}");
        assert!(why.contains("the name of an account"), "{why}");
    }
    let game = ann.make(json!({"color": "white", "listed": true})).await;
    let mut white = ann.enter(&game, "Bo").await.unwrap();
    // Whoever joins as if they were her is called nothing.
    let mut black = guest.enter(&game, "ANN").await.unwrap();
    assert_eq!(black.ask(json!({"type": "join"})).await.unwrap()["type"], "ack");
    white.until(|shown| shown.is_own_turn()).await.unwrap();
    let seats = json!({
        "white": {"name": "Ann", "program": false, "guest": false},
        "black": {"name": "Guest", "program": false, "guest": true},
    });
    assert_eq!(white.shown.now["seats"], seats);
    // In the list's page, as words.
    let named = Browser::new(site.port)
        .make(json!({"name": "Cy", "listed": true}))
        .await;
    let mut own = Browser::new(site.port);
    let mut cy = own.enter(&named, "").await.unwrap();
    cy.ask(json!({"type": "join"})).await.unwrap();
    let page = own.get("/people").await;
    assert!(page.contains(r#"<span class="name">Ann</span></span> – "#), "{page}");
    assert!(
        page.contains(r#"<span class="name">Cy</span> <span class="tag guest">guest</span>"#),
        "{page}"
    );
}

/// Ten thousand guesses from the address of everybody else, at a name that there is and at others, as fast as they
/// come.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_log_ins_lock_nobody_out_who_does_not_guess() {
    const GUESSES: usize = 10_000;
    const AT_ONCE: usize = 8;
    let site = SiteProcess::start("", &[]);
    let secret = |name: &str| json!({"name": name, "password": format!("password of {name}")});
    let mut ann = Browser::new(site.port);
    for name in ["Bo", "Ann"] {
        ann = Browser::new(site.port);
        assert_eq!(post(&mut ann, "/account/sign-up", secret(name)).await.0, 200);
    }
    let guessing: Vec<_> = (0..AT_ONCE)
        .map(|task| {
            let mut guesser = Browser::new(site.port);
            tokio::spawn(async move {
                let mut answered = [0; 2];
                for guess in (task..GUESSES).step_by(AT_ONCE) {
                    let name = if guess % 2 == 0 {
                        "Ann".into()
                    } else {
                        format!("nobody {guess}")
                    };
                    let wanted = json!({"name": name, "password": format!("guess {guess}")});
                    match guesser.post("/account/log-in", &wanted).await.0 {
                        403 => answered[0] += 1,
                        429 => answered[1] += 1,
                        other => panic!("guess {guess} was answered {other}"),
                    }
                }
                answered
            })
        })
        .collect();
    // Meanwhile, again and again: Ann where she has logged in before, and Bo where he has never been, beside the
    // guesser and elsewhere.
    let mut rounds = 0;
    while !guessing.iter().all(tokio::task::JoinHandle::is_finished) || rounds == 0 {
        assert_eq!(post(&mut ann, "/account/log-out", json!({})).await.0, 200);
        assert_eq!(post(&mut ann, "/account/log-in", secret("Ann")).await.0, 200);
        let mut bo = Browser::new(site.port);
        assert_eq!(post(&mut bo, "/account/log-in", secret("Bo")).await.0, 200);
        let mut elsewhere = Browser {
            from: std::net::Ipv4Addr::new(127, 0, 0, 2),
            ..Browser::new(site.port)
        };
        assert_eq!(post(&mut elsewhere, "/account/log-in", secret("Ann")).await.0, 200);
        rounds += 1;
    }
    let mut answered = [0; 2];
    for task in guessing {
        let more = task.await.unwrap();
        answered = [answered[0] + more[0], answered[1] + more[1]];
    }
    // Of those at Ann's name a few were looked at, the others not.
    assert!(answered[1] > GUESSES / 2 - 100, "{answered:?} wrong and too many");
}
