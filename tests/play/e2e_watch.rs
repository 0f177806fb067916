//! The watch page in a real Chromium, beside a real game on another display.
#![cfg(target_os = "linux")]

use futures_util::StreamExt;
use serde_json::Value;
use shakmaty::Color;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::handshake::client::Request;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::{Error, Message};
use torres::journal::{Event, event};
use torres_test_support::play::third_move::game;
use torres_test_support::play::{Button, GAME, Practice, Run, WatchPage, has_event, journal, scripted_engine};
use torres_test_support::wait_for;

/// A game with its watch page, which nobody has opened yet.
struct Watched {
    practice: Practice,
    play: Run,
    /// The printed address.
    url: String,
}

impl Watched {
    /// Torres thinks about its third move for so many seconds.
    fn game(seconds: &str) -> Watched {
        let practice = Practice::staged(&game(), Color::White);
        Watched::with(practice, &format!("--slow 3 {seconds}"))
    }

    /// Torres plays with a scripted engine.
    fn with(practice: Practice, options: &str) -> Watched {
        practice.stage.calibrate(&[]);
        let engine = scripted_engine(options, &game().moves_of(Color::White));
        let play = practice
            .stage
            .play(&["--engine", &engine, "--plies", &game().plies(), "--watch"]);
        Watched::of(practice, play)
    }

    /// Of a game that is played with `--watch`.
    fn of(practice: Practice, play: Run) -> Watched {
        let url = play.watch_url();
        Watched { practice, play, url }
    }

    fn authority(&self) -> &str {
        self.url
            .strip_prefix("http://")
            .and_then(|rest| rest.split('/').next())
            .expect("an address")
    }

    fn token(&self) -> &str {
        self.url.split_once("?token=").expect("a token").1
    }
}

/// The share of the canvas' pixels that are not of one colour with its corner.
const COLOURFUL: &str = "(() => { const c = document.getElementById('board');
    const { data } = c.getContext('2d').getImageData(0, 0, c.width, c.height);
    const seen = new Set(); for (let i = 0; i < data.length; i += 4 * 97) seen.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
    return seen.size; })()";

#[test]
fn what_is_thought_on_the_bots_time_is_shown_as_that() {
    let replies = game().moves_of(Color::Black).join(" ");
    // The bot's reply is not waited for.
    let practice = Practice::open(&replies, &["--delay-ms", "120000", "--color", "white"]);
    let watched = Watched::with(practice, "--ponder 1 e7e5 g1f3");
    let mut page = WatchPage::open(&watched.url);
    page.until(
        "the line that is pondered on",
        "document.getElementById('thought').textContent === 'pondering, in case of e5: +0.30 at depth 1: Nf3'",
    );
    let doing = page.devtools().run("document.getElementById('doing').textContent");
    assert_eq!(doing, "waiting for the bot's move, pondering");
}

#[test]
fn the_page_shows_the_game_and_its_buttons_pause_resume_and_stop_it() {
    let mut watched = Watched::game("60");
    let mut page = WatchPage::open(&watched.url);
    page.until(
        "the third thought on the page",
        "document.getElementById('doing').textContent === 'thinking' && document.querySelectorAll('#moves li').length === 6",
    );
    let moves = page
        .devtools()
        .run("[...document.querySelectorAll('#moves li')].map((li) => li.textContent).join(' ')");
    assert_eq!(moves, "1. e4 e5 2. Nf3 Nc6");
    page.until("the picture", &format!("{COLOURFUL} > 20"));
    let text = |page: &mut WatchPage, id: &str| {
        page.devtools()
            .run(&format!("document.getElementById('{id}').textContent"))
    };
    assert!(text(&mut page, "white-clock").as_str().unwrap().starts_with("15:"));
    assert!(text(&mut page, "who").as_str().unwrap().contains("playing white"));

    // For people to look at.
    std::fs::write(
        concat!(env!("CARGO_TARGET_TMPDIR"), "/watch.png"),
        page.devtools().picture(),
    )
    .unwrap();

    page.click(Button::Pause);
    page.until("the pause on the page", "!document.getElementById('alarm').hidden");
    assert!(
        text(&mut page, "alarm")
            .as_str()
            .unwrap()
            .contains("the user asked for it")
    );
    assert!(watched.play.said().contains("PAUSED"), "{}", watched.play.said());
    page.click(Button::Resume);
    page.until(
        "the thought after it",
        "document.getElementById('doing').textContent === 'thinking'",
    );
    page.click(Button::Stop);
    watched.play.ends_with(3, GAME);
    let journal = journal(&watched.practice.stage.out());
    assert!(has_event(&journal, |event| matches!(event, Event::Pause { .. })));
    assert!(has_event(&journal, |event| matches!(event, Event::Stopped { .. })));
    assert_eq!(watched.practice.moves(), game().moves()[..4]);
}

/// What asks for the page's socket.
fn request(authority: &str, query: &str, origin: Option<&str>) -> Request {
    let mut request = format!("ws://{authority}/ws{query}").into_client_request().unwrap();
    if let Some(origin) = origin {
        request
            .headers_mut()
            .insert("Origin", HeaderValue::from_str(origin).unwrap());
    }
    request
}

/// Tries to open the page's socket.
async fn knock(authority: &str, query: &str, origin: Option<&str>) -> Result<Value, String> {
    let (mut socket, _) = connect_async(request(authority, query, origin))
        .await
        .map_err(|error| match error {
            Error::Http(answer) => answer.status().to_string(),
            other => other.to_string(),
        })?;
    loop {
        if let Message::Text(text) = socket.next().await.unwrap().unwrap() {
            return Ok(serde_json::from_str(&text).unwrap());
        }
    }
}

async fn get(authority: &str, path: &str) -> String {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let mut stream = tokio::net::TcpStream::connect(authority).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn only_the_page_itself_with_its_token_is_let_in() {
    let watched = Watched::game("60");
    let (authority, token) = (watched.authority(), watched.token());
    let (ours, with) = (format!("http://{authority}"), format!("?token={token}"));
    let state = knock(authority, &with, Some(&ours)).await.unwrap();
    assert_eq!(state["type"], "state");
    for (query, origin) in [
        (&*with, Some("http://example.org")),
        (&*with, None),
        ("", Some(&*ours)),
        ("?token=00000000000000000000000000000000", Some(&*ours)),
    ] {
        let refused = knock(authority, query, origin).await.unwrap_err();
        assert!(refused.starts_with("403"), "{query} from {origin:?}: {refused}");
    }
    let status = |answer: String| answer.split_whitespace().nth(1).unwrap_or_default().to_owned();
    let journal_file = format!("/files/journal.jsonl{with}");
    assert_eq!(status(get(authority, "/").await), "200");
    assert_eq!(status(get(authority, "/files/journal.jsonl").await), "403");
    let begun = |event: &Event| matches!(event, Event::GameStarted(_));
    wait_for("the game to begin", || {
        has_event(&journal(&watched.practice.stage.out()), begun).then_some(())
    });
    assert!(
        get(authority, &journal_file)
            .await
            .contains("\"event\":\"game_started\"")
    );
    assert_eq!(
        status(get(authority, &format!("/files/../board.json{with}")).await),
        "404"
    );
}

fn unix_ms() -> f64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.unwrap().as_secs_f64() * 1e3
}

/// `cargo test --test play e2e_watch::how_soon -- --ignored --nocapture`: from a move's being known, in the journal, to
/// the message of it at the page's socket. Every move of a game counts.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "prints figures"]
async fn how_soon_the_page_is_told() {
    let practice = Practice::open("", &["--level", "1", "--delay-ms", "0", "--seed", "3"]);
    practice.stage.calibrate(&[]);
    let play = practice.stage.play(&["--move-ms", "30", "--watch"]);
    let watched = Watched::of(practice, play);
    let (authority, query) = (watched.authority(), format!("?token={}", watched.token()));
    let own = format!("http://{authority}");
    let (mut socket, _) = connect_async(request(authority, &query, Some(&own))).await.unwrap();
    // When the page knew so many plies.
    let mut told: Vec<f64> = Vec::new();
    while let Some(Ok(message)) = socket.next().await {
        let Message::Text(text) = message else { continue };
        let state: Value = serde_json::from_str::<Value>(&text).unwrap()["state"].take();
        let plies = state["moves"].as_array().map_or(0, Vec::len);
        told.resize(plies.max(told.len()), unix_ms());
        if !state["games"].as_array().unwrap().is_empty() {
            break;
        }
    }
    let journal = journal(&watched.practice.stage.out());
    let known = journal.iter().flat_map(|entry| match &entry.event {
        Event::Seen(event::Seen { moves, .. }) => vec![entry.t_ms.as_ms(); moves.len()],
        _ => Vec::new(),
    });
    let known: Vec<f64> = known.collect();
    assert_eq!(told.len(), known.len(), "moves told, and known");
    let mut times: Vec<f64> = told.iter().zip(&known).map(|(told, known)| told - known).collect();
    times.sort_by(f64::total_cmp);
    println!(
        "\nfrom a move's being known to the page's message: median {:.1} ms, worst {:.1} ms of {}",
        times[times.len() / 2],
        times[times.len() - 1],
        times.len()
    );
}
