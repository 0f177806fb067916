//! The site's clocks are read: found when calibrating, their digits learned in a game, thought with, and kept for the
//! next. The judge is the page's own text.
#![cfg(target_os = "linux")]

use serde_json::{Value, json};
use shakmaty::Color;
use torres::calibration::Calibration;
use torres::journal::{Event, event};
use torres_test_support::desktop::Devtools;
use torres_test_support::play::{GAME, Peer, Practice, Script, journal, scripted_engine};

/// A look at the clocks may be that much older or newer than its line of the journal, and a page's text that much older
/// than what is drawn, in ms, on a machine with other work. A reading is wrong by less than a second all the same.
const DRAWN_WITHIN: f64 = 600.0;

/// Notes each text of the page's clocks, with the wall clock's time.
const NOTED: &str = "window.clockTexts = []; for (const id of ['bot-clock', 'player-clock']) { \
    const element = document.getElementById(id); \
    const note = () => window.clockTexts.push([Date.now(), id, element.textContent]); \
    note(); new MutationObserver(note).observe(element, {childList: true, characterData: true, subtree: true}); } 0";

/// White's clock is the player's.
fn game() -> Script {
    Script::new("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5 e1g1 e8g8")
}

/// The times that a clock of the page showed about a moment, in ms.
fn page_showed(texts: &Value, id: &str, at: f64) -> Vec<f64> {
    let texts = texts.as_array().unwrap().iter();
    let of_it: Vec<(f64, f64)> = texts
        .filter(|text| text[1] == id)
        .map(|text| (text[0].as_f64().unwrap(), milliseconds(text[2].as_str().unwrap())))
        .collect();
    let before = of_it
        .iter()
        .rposition(|(then, _)| *then <= at - DRAWN_WITHIN)
        .unwrap_or(0);
    let about = of_it[before..]
        .iter()
        .take_while(|(then, _)| *then <= at + DRAWN_WITHIN);
    about.map(|(_, shown)| *shown).collect()
}

/// `0:09.4` in ms.
fn milliseconds(text: &str) -> f64 {
    let (minutes, seconds) = text.split_once(':').unwrap();
    60_000.0 * minutes.parse::<f64>().unwrap() + 1_000.0 * seconds.parse::<f64>().unwrap()
}

/// Readings of the journal, each held against the page; how many there are.
fn readings_are_the_pages(journal: &[torres::journal::Entry], devtools: &mut Devtools) -> usize {
    let texts = devtools.run("window.clockTexts");
    let mut compared = 0;
    for entry in journal {
        let Event::Clocks { white_ms, black_ms, .. } = &entry.event else {
            continue;
        };
        for (read, id) in [(white_ms, "player-clock"), (black_ms, "bot-clock")] {
            let Some(read) = read else { continue };
            let showed = page_showed(&texts, id, entry.t_ms.as_ms());
            assert!(
                showed.iter().any(|shown| (shown - read).abs() < 1.0),
                "{read} ms were read of {id}, which showed {showed:?}: {entry:?}"
            );
            compared += 1;
        }
    }
    compared
}

/// Of the looks at the clocks in each game, those that read them.
fn shares(journal: &[torres::journal::Entry]) -> Vec<f64> {
    let share = |entry: &torres::journal::Entry| match entry.event {
        Event::ClocksRead { looks, read } => Some(f64::from(read) / f64::from(looks)),
        _ => None,
    };
    journal.iter().filter_map(share).collect()
}

#[test]
fn the_pages_clocks_are_read_and_thought_with_and_their_digits_kept() {
    let moves = game().moves_of(Color::Black).join(" ");
    let practice = Practice::open(&moves, &["--delay-ms", "50", "--color", "white", "--clock", "1+0"]);
    let mut devtools = practice.stage.devtools();
    practice.stage.calibrate(&[]);
    let saved = || {
        Calibration::load(&practice.stage.calibration())
            .unwrap()
            .clocks
            .expect("clocks")
    };
    assert!(saved().digits.is_none(), "nobody told which digit is which");
    practice.calibrate_new_game(&mut devtools);
    devtools.run(NOTED);

    // Ten ticks go by in the second thought. What the user says of the clock is wrong: the page knows better.
    let engine = scripted_engine("--slow 2 13", &game().moves_of(Color::White));
    let mut play = practice
        .stage
        .play(&["--engine", &engine, "--clock", "15+0", "--plies", &game().plies()]);
    play.ends_with(0, GAME);
    assert!(
        play.said().contains("the site's clocks can be read now"),
        "{}",
        play.said()
    );
    assert!(saved().digits.is_some(), "{}", play.said());
    let first = journal(&practice.stage.out());
    assert!(readings_are_the_pages(&first, &mut devtools) >= 6);
    let asked: Vec<u64> = first
        .iter()
        .filter_map(|entry| match &entry.event {
            Event::Think(event::Think { limits, .. }) => limits["white_ms"].as_u64(),
            _ => None,
        })
        .collect();
    assert_eq!(asked.len(), 5, "{asked:?}");
    assert!(
        asked[1] > 800_000,
        "by our own clock there were fifteen minutes: {asked:?}"
    );
    let last = *asked.last().unwrap();
    assert!(
        (38_000..48_000).contains(&last),
        "the page's clock had about 46 s: {asked:?}"
    );

    // The next game begins with digits that are known.
    devtools.run("document.querySelector('#new-game button').click(); 0");
    let engine = scripted_engine("--slow 3 4", &game().moves_of(Color::White));
    let mut play = practice
        .stage
        .play(&["--engine", &engine, "--clock", "1+0", "--plies", &game().plies()]);
    play.ends_with(0, GAME);
    let both = journal(&practice.stage.out());
    let second = &both[first.len()..];
    assert!(readings_are_the_pages(second, &mut devtools) >= 10);
    let share = *shares(second).last().expect("a second game's looks");
    assert!(share >= 0.99, "{share}");
}

/// What the page that behaves like the peer's reported of both clocks about a moment, as it showed them: White's or
/// Black's, in ms.
fn peer_showed(told: &[Value], side: &str, at: f64) -> Vec<f64> {
    let near = told.iter().filter(|event| {
        let then = event["t_ms"].as_f64().unwrap_or_default();
        (then - at).abs() <= 400.0
    });
    near.filter_map(|event| event[side].as_str().map(milliseconds))
        .collect()
}

/// Twenty games at 1+0 with Torres' own engine against a bot that moves at random and thinks up to a second; the digits
/// are not known before the first.
#[test]
#[ignore = "takes eleven minutes for twenty games"]
fn twenty_games_at_one_minute_on_the_page_that_behaves_like_the_peers() {
    let games: usize = std::env::var("GAMES").map_or(20, |games| games.parse().unwrap());
    let peer = Peer::open(&json!({
        "player": "white", "delayMs": 700, "dotMs": 300, "seed": 7, "games": [{"replies": []}], "beginsAfterMs": 300,
        "clock": {"initialMs": 60_000, "incrementMs": 0}, "rows": "keep", "logClocksMs": 100,
    }));
    let mut devtools = peer.stage.devtools();
    peer.calibrate(&mut devtools, &[]);
    assert!(Calibration::load(&peer.stage.calibration()).unwrap().clocks.is_some());
    peer.calibrate_rematch(&mut devtools);
    let mut play = peer.stage.play(&["--clock", "1+0", "--games", &games.to_string()]);
    play.ends_with(0, 30 * GAME);
    let lost_on_time = peer.results().iter().filter(|(_, how)| how == "flag").count();
    let told: Vec<Value> = peer
        .all_events()
        .into_iter()
        .filter(|e| e["shown_white"].is_string())
        .collect();
    let journal = journal(&peer.stage.out());
    let (mut compared, mut worst, mut wrong) = (0, 0.0f64, Vec::new());
    for entry in &journal {
        let Event::Clocks { white_ms, black_ms, .. } = &entry.event else {
            continue;
        };
        for (read, side) in [(white_ms, "shown_white"), (black_ms, "shown_black")] {
            let Some(read) = read else { continue };
            let showed = peer_showed(&told, side, entry.t_ms.as_ms());
            let off = showed
                .iter()
                .map(|shown| (shown - read).abs())
                .fold(f64::INFINITY, f64::min);
            compared += 1;
            worst = worst.max(off);
            if off > 1_000.0 {
                wrong.push(format!("{read} of {side}, which showed {showed:?}: {entry:?}"));
            }
        }
    }
    let (mut looks, mut read) = (0, 0);
    for entry in &journal {
        if let Event::ClocksRead {
            looks: made,
            read: were,
        } = entry.event
        {
            (looks, read) = (looks + made, read + were);
        }
    }
    println!(
        "{} games, {lost_on_time} lost on time; {compared} readings held against the page, {} wrong, at worst {worst} ms off; {read} of {looks} looks read it\n{:?}",
        peer.results().len(),
        wrong.len(),
        peer.results()
    );
    assert_eq!((peer.results().len(), lost_on_time), (games, 0));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(f64::from(read) >= 0.99 * f64::from(looks), "{read} of {looks}");
}
