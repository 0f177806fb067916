//! The practice site as an instrument: what the page reports, repeatability, who is let in, and how it starts and ends.

use serde_json::{Value, json};
use std::time::Instant;
use tokio_tungstenite::tungstenite::Error;
use torres_test_support::site::{DEADLINE, Page, SiteProcess, moves, plies};
use torres_test_support::torres;

#[tokio::test]
async fn the_log_has_what_the_page_reports_with_the_pages_time() {
    let site = SiteProcess::start("e7e5", &["--delay-ms", "0"]);
    let mut page = Page::open(&site).await;
    let state = page.after(0).await;
    page.send(json!({"type": "at_rest", "game": 1, "ply": 0, "t_ms": 1000, "fresh": true}))
        .await;
    page.play(&state, "e2e4").await;
    let state = page.after(2).await;
    for ply in [1, 2, 3] {
        page.send(json!({"type": "at_rest", "game": 1, "ply": ply, "t_ms": 1000 + ply, "fresh": false}))
            .await;
    }
    page.send(json!({"type": "at_rest", "game": 9, "ply": 1, "t_ms": 5, "fresh": false}))
        .await;
    let pointer = json!({"type": "down", "x": 10.5, "y": 20.0, "screen_x": 110.5, "screen_y": 140.0, "button": 0, "square": "e2"});
    page.send(json!({"type": "pointer", "t_ms": 2000, "pointer": pointer}))
        .await;
    // The table takes messages in order: once it answers this one it has written the others.
    page.send(json!({"type": "resign", "game": 1})).await;
    page.state(|state| !state["result"].is_null()).await;

    let rest = site.events("at_rest");
    let told: Vec<_> = rest
        .iter()
        .map(|e| (&e["t_ms"], &e["by"], &e["move"], &e["fen"]))
        .collect();
    let fens: Vec<_> = site.events("move").iter().map(|e| e["fen"].clone()).collect();
    assert_eq!(told.len(), 3, "plies that do not exist are not at rest");
    assert_eq!(
        (told[0].0, told[0].1, told[0].2),
        (&json!(1000), &Value::Null, &Value::Null)
    );
    assert_eq!(told[1], (&json!(1001), &json!("player"), &json!("e2e4"), &fens[0]));
    assert_eq!(told[2], (&json!(1002), &json!("bot"), &json!("e7e5"), &state["fen"]));
    let press = &site.events("pointer")[0];
    assert_eq!(
        (&press["t_ms"], &press["by"], &press["move"]),
        (&json!(2000), &json!("player"), &Value::Null)
    );
    let detail: Value = serde_json::from_str(press["detail"].as_str().unwrap()).unwrap();
    assert_eq!(detail, pointer);

    let served = site.get("/log", &site.host()).await;
    let body = served.split_once("\r\n\r\n").unwrap().1;
    assert_eq!(body, std::fs::read_to_string(site.log_path()).unwrap());
}

/// What the weakest bot plays by this seed when the player always has the first of its moves.
async fn game_by_seed(seed: &str) -> Vec<String> {
    let site = SiteProcess::start("", &["--delay-ms", "0", "--level", "1", "--seed", seed]);
    let mut page = Page::open(&site).await;
    let mut state = page.after(0).await;
    while plies(&state) < 12 && state["result"].is_null() {
        let (from, to) = state["dests"].as_object().unwrap().iter().next().unwrap();
        let uci = format!("{from}{}", to[0].as_str().unwrap());
        page.play(&state, &uci).await;
        let ply = plies(&state) + 2;
        state = page.state(|s| plies(s) == ply || !s["result"].is_null()).await;
    }
    moves(&state).into_iter().map(Into::into).collect()
}

#[tokio::test]
async fn equal_seeds_give_equal_games_and_others_differ() {
    let one = game_by_seed("1").await;
    assert_eq!(one.len(), 12);
    assert_eq!(one, game_by_seed("1").await);
    assert_ne!(one, game_by_seed("2").await);
}

#[tokio::test]
async fn only_the_sites_own_page_is_let_in() {
    let site = SiteProcess::start("", &[]);
    let port = site.port;
    let local = format!("http://127.0.0.1:{}", port.wrapping_add(1));
    for origin in [None, Some("http://evil.example"), Some("null"), Some(local.as_str())] {
        match Page::open_from(&site, origin).await {
            Err(Error::Http(answer)) => assert_eq!(answer.status(), 403, "{origin:?}"),
            Err(error) => panic!("{origin:?}: {error}"),
            Ok(_) => panic!("{origin:?} was let in"),
        }
    }
    for host in [
        "evil.example".to_owned(),
        format!("evil.example:{port}"),
        "127.0.0.1".to_owned(),
    ] {
        for path in ["/", "/log", "/ws"] {
            let answer = site.get(path, &host).await;
            assert!(answer.starts_with("HTTP/1.1 403 "), "{host}{path}: {answer}");
        }
    }
    for host in [site.host(), format!("localhost:{port}")] {
        let answer = site.get("/", &host).await;
        assert!(
            answer.starts_with("HTTP/1.1 200 ") && answer.contains("<!doctype html>"),
            "{host}: {answer}"
        );
        assert!(
            answer.contains("content-security-policy: default-src 'self'"),
            "{answer}"
        );
    }
    assert!(site.get("/secret", &site.host()).await.starts_with("HTTP/1.1 404 "));
}

#[test]
fn wrong_arguments_are_named() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let dir = tempfile::tempdir().unwrap();
    let script = dir.path().join("script.txt");
    std::fs::write(&script, "e7e5 Nf6").unwrap();
    let script = script.to_str().unwrap();
    let unwritable = dir.path().join("none/site.jsonl");
    let cases: [(&[&str], &str); 7] = [
        (&["--level", "0"], "choose 1 (weakest) to 8"),
        (&["--fen", "hello"], "'hello' is not a FEN"),
        (&["--fen", "8/8/8/8/8/8/8/8 w - - 0 1"], "not a legal position"),
        (&["--script", "/none/at/all"], "cannot read the script /none/at/all"),
        (&["--script", script], "line 1: 'Nf6' is not a UCI move"),
        (&["--port", &port], "choose another --port"),
        (&["--log", unwritable.to_str().unwrap()], "cannot write the log"),
    ];
    for (args, said) in cases {
        let mut command = torres(&["site"]);
        if args[0] != "--port" {
            command.args(["--port", "0"]);
        }
        let output = command.args(args).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
        assert!(error.contains(said), "{args:?}: {error}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
}

/// The processes that any thread of this one has started.
#[cfg(target_os = "linux")]
fn children(pid: u32) -> Vec<String> {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).unwrap();
    threads
        .filter_map(|thread| std::fs::read_to_string(thread.ok()?.path().join("children")).ok())
        .flat_map(|text| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

/// Both signals end it with status 0, also while a page is open and the bot's engine runs, and the engine ends too.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_signal_ends_it_cleanly_with_its_engine() {
    for signal in ["-TERM", "-INT"] {
        let mut site = SiteProcess::start(
            "",
            &[
                "--color",
                "black",
                "--delay-ms",
                "0",
                "--fen",
                "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
                "--level",
                "5",
            ],
        );
        let mut page = Page::open(&site).await;
        page.after(1).await;
        let pid = site.child.id();
        let engines = children(pid);
        assert!(!engines.is_empty(), "the bot's engine is a process of its own");
        let kill = std::process::Command::new("kill")
            .args([signal, &pid.to_string()])
            .status()
            .unwrap();
        assert!(kill.success());
        let since = Instant::now();
        let status = loop {
            if let Some(status) = site.child.try_wait().unwrap() {
                break status;
            }
            assert!(since.elapsed() < DEADLINE, "{signal} does not end it");
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        };
        assert_eq!(status.code(), Some(0), "{signal}");
        for engine in engines {
            while std::path::Path::new(&format!("/proc/{engine}")).exists() {
                assert!(since.elapsed() < DEADLINE, "{signal} leaves the engine {engine} behind");
                tokio::time::sleep(std::time::Duration::from_millis(5)).await;
            }
        }
    }
}
