//! Draws that may be claimed. The practice site ends a game at the third repetition, another page lets it go on: Torres
//! goes on where it may, and writes down what it saw.
#![cfg(target_os = "linux")]

use serde_json::{Value, json};
use torres::journal::{Entry, Event, KnownBy};
use torres_test_support::play::{Foreign, GAME, Practice, Run, Stage, journal, scripted_engine, text};

/// The start position for the third time, Torres' own last move with White, the opponent's with Black.
const REPEATED: &str = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";

/// Every second of these moves, from the first or the second on.
fn side(moves: &str, first: usize) -> Vec<String> {
    moves.split(' ').skip(first).step_by(2).map(str::to_owned).collect()
}

/// What the game's line among the results says: result, termination, and by what it is known.
fn result_of(stage: &Stage) -> (Value, String, Value) {
    let text = std::fs::read_to_string(stage.out().join("results.jsonl")).unwrap();
    let line: Value = serde_json::from_str(&text).unwrap();
    let termination = line["termination"].as_str().unwrap().to_owned();
    (line["result"].clone(), termination, line["known_by"].clone())
}

/// The rules by which a draw could be claimed, and by what the result is known.
fn draws_of(journal: &[Entry]) -> (Vec<&str>, Option<KnownBy>) {
    let claims = journal.iter().filter_map(|entry| match &entry.event {
        Event::DrawClaimable { rule } => Some(rule.as_str()),
        _ => None,
    });
    let result = journal.iter().find_map(|entry| match entry.event {
        Event::Result { known_by, .. } => known_by,
        _ => None,
    });
    (claims.collect(), result)
}

/// The practice site, whose bot repeats the position against a player with this side.
fn repeating(own: &str) -> Practice {
    let bot = side(REPEATED, usize::from(own == "white")).join(" ");
    Practice::open(&bot, &["--delay-ms", "50", "--color", own])
}

/// A game on it that comes to a third repetition, played by Torres with that side and then a move more.
fn repeated_on(practice: &Practice, own: &str, then: &str) -> Run {
    let first = usize::from(own == "black");
    practice.stage.calibrate(&["--bottom", own]);
    let mut moves = side(REPEATED, first);
    moves.push(then.to_owned());
    let mut play = practice.stage.play(&["--engine", &scripted_engine("", &moves)]);
    play.ends_with(0, GAME);
    assert_eq!(practice.moves().join(" "), REPEATED);
    assert_eq!(
        practice.site.events("result")[0]["detail"],
        "1/2-1/2 threefold repetition"
    );
    assert!(
        play.said().contains("a draw may be claimed, by threefold repetition"),
        "{}",
        play.said()
    );
    play
}

#[test]
fn a_site_that_ends_the_game_takes_no_further_move_and_that_is_written_down() {
    let practice = repeating("white");
    let play = repeated_on(&practice, "white", "e2e4");
    let termination =
        "1/2-1/2: threefold repetition stood on the board, and no further move was taken, by drag nor by clicks";
    let expected = (json!("1/2-1/2"), termination.to_owned(), json!("standstill"));
    assert_eq!(result_of(&practice.stage), expected);
    assert!(play.said().contains(termination), "{}", play.said());
    let journal = journal(&practice.stage.out());
    assert_eq!(
        draws_of(&journal),
        (vec!["threefold repetition"], Some(KnownBy::Standstill))
    );
}

#[test]
fn a_site_that_ends_the_game_lets_no_reply_come_and_that_is_written_down() {
    let practice = repeating("black");
    // A clock that has been seen to run would tell sooner.
    practice.stage.devtools().run(
        "for (const clock of document.querySelectorAll('.clock')) clock.style.visibility = 'hidden';
         0",
    );
    repeated_on(&practice, "black", "e7e5");
    let (result, termination, known_by) = result_of(&practice.stage);
    assert_eq!((result, known_by), (json!("1/2-1/2"), json!("standstill")));
    // A machine with much to do may look some seconds later.
    let waited = termination
        .strip_prefix("1/2-1/2: threefold repetition stood on the board, and no further move came for ")
        .and_then(|rest| rest.strip_suffix(" s")?.parse::<u64>().ok());
    assert!(waited.is_some_and(|seconds| seconds >= 30), "{termination}");
}

#[test]
fn a_page_that_wants_a_claim_is_played_on_to_the_mate() {
    let game = format!("{REPEATED} e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7");
    let foreign = Foreign::open(&json!({
        "player": "white", "replies": side(&game, 1), "delayMs": 150, "wantsClaims": true,
    }));
    foreign.stage.calibrate(&[]);
    let engine = scripted_engine("", &side(&game, 0));
    let mut play = foreign.stage.play(&["--engine", &engine]);
    play.ends_with(0, GAME);
    assert_eq!(
        foreign.moves_of_at_least(game.split_whitespace().count()).join(" "),
        game
    );
    let expected = (json!("1-0"), "1-0 by checkmate".to_owned(), json!("board"));
    assert_eq!(result_of(&foreign.stage), expected);
    let said = play.said();
    assert_eq!(
        said.matches("a draw may be claimed, by threefold repetition").count(),
        1,
        "{said}"
    );
    let journal = journal(&foreign.stage.out());
    assert_eq!(draws_of(&journal), (vec!["threefold repetition"], Some(KnownBy::Board)));
    let (status, told) = foreign.stage.run(&["explain", text(&foreign.stage.out())]);
    assert_eq!(status, 0, "{told}");
    assert!(
        told.contains("draw      threefold repetition stands on the board: either side may claim a draw"),
        "{told}"
    );
}
