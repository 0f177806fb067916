//! UCI engines as opponents on the practice site: our own engine as any other, and scripts that fail on purpose.
#![cfg(unix)]

use serde_json::{Value, json};
use std::path::Path;
use torres_test_support::site::{Page, SiteProcess, moves};
use torres_test_support::{faulty_engine, program, torres};

/// Our own engine as a bot of that name.
fn twin(name: &str, more: &str) -> String {
    format!("{name}='{}' uci;{more}", program())
}

/// A bot whose engine answers a `go` with these shell commands.
fn faulty(folder: &Path, name: &str, on_go: &str) -> String {
    format!("{name}={}", faulty_engine(folder, name, on_go))
}

fn details(site: &SiteProcess, kind: &str) -> Vec<String> {
    let events = site.events(kind).into_iter();
    events
        .map(|event| event["detail"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn a_uci_engine_plays_under_its_own_name_and_within_its_limits() {
    let bot = twin("Deep Twin", "Hash=1;depth=3;movetime=5000");
    let site = SiteProcess::start("", &["--bot", &bot, "--color", "black", "--delay-ms", "0"]);
    let mut page = Page::open(&site).await;
    let state = page.after(1).await;
    assert_eq!((&state["bot"], &state["level"]), (&json!("Deep Twin"), &Value::Null));
    assert_eq!((&state["bots"], &state["levels"]), (&json!(["Deep Twin"]), &json!(8)));
    assert_eq!(details(&site, "game"), ["player black, bot Deep Twin, clock 15+10"]);
    // Even the first move is its own, and no search went deeper than it was told.
    page.play(&state, "e7e5").await;
    page.after(3).await;
    let told = details(&site, "move");
    assert!(told[0].starts_with("engine depth 3 "), "{told:?}");
    assert!(told[2].starts_with("engine depth 3 "), "{told:?}");
}

#[tokio::test]
async fn the_page_may_choose_among_engines_and_levels() {
    let (a, b) = (twin("A", "depth=1"), twin("B", "depth=2"));
    let site = SiteProcess::start("", &["--bot", &a, "--bot", &b, "--level", "2", "--delay-ms", "0"]);
    let mut page = Page::open(&site).await;
    let first = page.after(0).await;
    assert_eq!(
        (&first["bot"], &first["level"]),
        (&json!("Torres bot level 2"), &json!(2))
    );
    assert_eq!(first["bots"], json!(["A", "B"]));
    for message in [json!({"bot": "C"}), json!({"level": 9}), json!({})] {
        let mut wrong = json!({"type": "new_game", "color": "white"});
        wrong
            .as_object_mut()
            .unwrap()
            .extend(message.as_object().unwrap().clone());
        page.send(wrong).await;
        assert_eq!(page.next().await["type"], "error", "{message}");
    }
    page.send(json!({"type": "new_game", "color": "black", "bot": "B"}))
        .await;
    let state = page.state(|state| state["game"] == 2 && !moves(state).is_empty()).await;
    assert_eq!((&state["bot"], &state["level"]), (&json!("B"), &Value::Null));
    assert!(details(&site, "move")[0].starts_with("engine depth 2 "));
    page.send(json!({"type": "new_game", "color": "white", "level": 7}))
        .await;
    let state = page.state(|state| state["game"] == 3).await;
    assert_eq!(
        (&state["bot"], &state["level"]),
        (&json!("Torres bot level 7"), &json!(7))
    );
}

#[tokio::test]
async fn a_bot_that_dies_or_cheats_ends_the_game_without_a_result_and_the_site_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let dies = faulty(folder.path(), "Dies", "exit 3");
    let cheats = faulty(folder.path(), "Cheats", "echo bestmove e2e5");
    let site = SiteProcess::start(
        "",
        &["--bot", &dies, "--bot", &cheats, "--color", "black", "--delay-ms", "0"],
    );
    let mut page = Page::open(&site).await;
    for (game, name, why) in [(1, "Dies", "the engine is gone"), (2, "Cheats", "e2e5")] {
        if game > 1 {
            page.send(json!({"type": "new_game", "color": "black", "bot": name}))
                .await;
        }
        let over = page
            .state(|state| state["game"] == game && !state["result"].is_null())
            .await;
        let result = &over["result"];
        assert_eq!((&result["score"], &result["winner"]), (&json!("*"), &Value::Null));
        let reason = result["reason"].as_str().unwrap();
        assert!(
            reason.starts_with("engine failed: ") && reason.contains(why),
            "{reason}"
        );
        assert_eq!(details(&site, "result")[game - 1], format!("* {reason}"));
    }
    page.send(json!({"type": "new_game", "color": "black", "level": 1}))
        .await;
    let state = page.state(|state| state["game"] == 3 && moves(state).len() == 1).await;
    assert_eq!(state["bot"], "Torres bot level 1");
}

#[test]
fn bots_that_cannot_play_are_refused_at_the_start() {
    let lacking = twin("Twin", "No such option=1");
    let (a, again) = (twin("A", "depth=1"), twin("A", "depth=2"));
    for (args, what) in [
        (
            vec!["--bot", "Nobody=no-such-program"],
            "there is no program 'no-such-program'",
        ),
        (vec!["--bot", "Nobody"], "NAME=COMMAND"),
        (vec!["--bot", &lacking], "Twin: "),
        (vec!["--bot", &lacking], "'No such option'"),
        (vec!["--bot", &a, "--bot", &again], "'A'"),
        (vec!["--bot", "Silent=true"], "Silent: "),
        (vec!["--lichess", "9"], "9"),
    ] {
        let output = torres(&["site", "--port", "0"]).args(&args).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(what), "{args:?}: {said}");
    }
}

/// Where Debian's `fairy-stockfish` is installed it plays Lichess' levels; elsewhere it is said what to install.
#[tokio::test]
async fn lichess_levels_are_offered_where_their_engine_is() {
    let found = "a=fairy-stockfish"
        .parse::<torres::site::opponents::EngineBot>()
        .unwrap();
    if found.command.find().is_err() {
        let output = torres(&["site", "--port", "0", "--lichess", "1"]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("apt-get install fairy-stockfish"), "{said}");
        return;
    }
    let site = SiteProcess::start("", &["--lichess", "1,4", "--color", "black", "--delay-ms", "0"]);
    let mut page = Page::open(&site).await;
    let state = page.after(1).await;
    assert_eq!(state["bot"], "Lichess level 1");
    assert_eq!(state["bots"], json!(["Lichess level 1", "Lichess level 4"]));
    // Level 1 looks five plies ahead and not further. On a busy machine its 50 ms may end before it tells a depth.
    let depth = |said: &String| Some(said.split(' ').nth(2)?.parse::<u32>().unwrap());
    let mut game = 1;
    while details(&site, "move").last().and_then(depth).is_none() {
        page.send(json!({"type": "new_game", "color": "black", "bot": "Lichess level 1"}))
            .await;
        game += 1;
        assert!(game <= 20, "no depth in twenty games");
        page.state(|state| state["game"] == game && moves(state).len() == 1)
            .await;
    }
    let depths: Vec<u32> = details(&site, "move").iter().filter_map(depth).collect();
    assert!(depths.iter().all(|depth| (1..=5).contains(depth)), "{depths:?}");
}
