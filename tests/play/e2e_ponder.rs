//! Thinking on the opponent's time in a whole game: a hit, a miss, and the game still right.
#![cfg(target_os = "linux")]

use rustix::process::Signal;
use shakmaty::Color;
use torres::journal::{Entry, Event, PonderEnd, event};
use torres_test_support::play::{
    GAME, Practice, SCRIPTED, Script, has_event, journal, scripted_engine, signal_process, text,
};
use torres_test_support::wait_for;

/// The game; Torres has White.
const GAME_PLAYED: &str = "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5";

/// The bot takes its time, so that our move is seen to have landed before it replies.
fn against_a_slow_bot(script: &Script) -> Practice {
    let replies = script.moves_of(Color::Black).join(" ");
    Practice::open(&replies, &["--delay-ms", "2000", "--color", "white"])
}

/// The replies that the engine expects: two are played. The moves at the hits are known to its searches on the bot's
/// time alone, and what it would have played after the miss is legal and wrong.
const EXPECTED: &str = "--ponder 1 e7e5 g1f3 --ponder 2 d7d6 d2d4 --ponder 3 g8f6 d2d3";

fn own_moves(moves: &str) -> Vec<String> {
    moves.split_whitespace().map(str::to_owned).collect()
}

/// The questions on the opponent's time: id and move expected.
fn pondered_on(journal: &[Entry]) -> Vec<(u64, String)> {
    let asked = journal.iter().filter_map(|entry| match &entry.event {
        Event::Think(event::Think {
            id,
            ponder: Some(reply),
            ..
        }) => Some((*id, reply.clone())),
        _ => None,
    });
    asked.collect()
}

fn answer_to(journal: &[Entry], wanted: u64) -> Option<String> {
    journal.iter().find_map(|entry| match &entry.event {
        Event::Answer(event::Answer { id, best, .. }) if *id == wanted => best.clone(),
        _ => None,
    })
}

#[test]
fn a_hit_goes_on_as_our_thought_and_a_miss_is_forgotten() {
    let script = Script::new(GAME_PLAYED);
    let practice = against_a_slow_bot(&script);
    practice.stage.calibrate(&[]);
    let engine = scripted_engine(EXPECTED, &own_moves("e2e4 a1a1 f1c4 a1a1"));
    let mut play = practice.stage.play(&["--engine", &engine, "--plies", &script.plies()]);
    play.ends_with(0, GAME);
    practice.shows(&script);

    let journal = journal(&practice.stage.out());
    let asked = pondered_on(&journal);
    let replies: Vec<&str> = asked.iter().map(|(_, reply)| reply.as_str()).collect();
    assert_eq!(replies, ["e7e5", "d7d6", "g8f6"]);
    let ends: Vec<(u64, PonderEnd)> = journal
        .iter()
        .filter_map(|entry| match &entry.event {
            Event::Pondered { id, end, .. } => Some((*id, *end)),
            _ => None,
        })
        .collect();
    let wanted = [PonderEnd::Hit, PonderEnd::Miss, PonderEnd::Hit];
    let wanted: Vec<_> = asked.iter().map(|(id, _)| *id).zip(wanted).collect();
    assert_eq!(ends, wanted);
    let answers: Vec<_> = asked.iter().map(|(id, _)| answer_to(&journal, *id)).collect();
    assert_eq!(answers, [Some("g1f3".into()), None, Some("d2d3".into())]);
    assert!(!has_event(&journal, |event| matches!(
        event,
        Event::Pause { .. } | Event::EngineRestarted { .. }
    )));

    let (status, told) = practice.stage.run(&["explain", text(&practice.stage.out())]);
    assert_eq!(status, 0, "{told}");
    for part in [
        "on e7e5: the engine thinks on the opponent's time",
        "e7e5 was expected and played",
        "d7d6 was expected and not played",
        "g1f3 +0.25 for White",
    ] {
        assert!(told.contains(part), "'{part}' is not in:\n{told}");
    }
}

#[test]
fn whoever_does_not_want_it_is_not_pondered_for() {
    let script = Script::new(GAME_PLAYED);
    let practice = against_a_slow_bot(&script);
    practice.stage.calibrate(&[]);
    let engine = scripted_engine(EXPECTED, &script.moves_of(Color::White));
    let mut play = practice
        .stage
        .play(&["--engine", &engine, "--no-ponder", "--plies", &script.plies()]);
    play.ends_with(0, GAME);
    practice.shows(&script);
    assert_eq!(pondered_on(&journal(&practice.stage.out())), []);
}

#[test]
fn an_engine_killed_while_it_ponders_is_replaced_and_the_game_goes_on() {
    let practice = Practice::open("e7e5 b8c6", &["--delay-ms", "3000", "--color", "white"]);
    practice.stage.calibrate(&[]);
    // An engine that always expects a reply: on a busy machine, ours searches one ply in a short time and expects none.
    let engine = scripted_engine("--ponder 1 e7e5 g1f3", &own_moves("e2e4 g1f3"));
    let mut play = practice.stage.play(&["--engine", &engine, "--plies", "4"]);
    let ponders = |journal: &[Entry]| {
        let asked = pondered_on(journal).len();
        let ended = journal.iter().filter(|it| matches!(it.event, Event::Pondered { .. }));
        asked > ended.count()
    };
    wait_for("the engine to ponder", || {
        ponders(&journal(&practice.stage.out())).then_some(())
    });
    signal_process(play.child(SCRIPTED, None), Signal::KILL);
    play.ends_with(0, GAME);
    practice.agrees_with_the_journal();
    let journal = journal(&practice.stage.out());
    let replaced = |event: &Event| matches!(event, Event::EngineRestarted { pondering: true, .. });
    assert!(has_event(&journal, replaced), "{journal:#?}");
    assert!(!has_event(&journal, |event| matches!(event, Event::Pause { .. })));
}
