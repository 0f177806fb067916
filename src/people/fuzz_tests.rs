//! Fuzz targets: a client's message, the commands in it, and a change as it lies on disk; what asks for a game or an
//! account; what another server says.
#![cfg(test)]

use super::account_pages::{Credentials, credentials};
use super::accounts::password_fault;
use super::announcement::{Announcement, heard};
use super::change::Change;
use super::game::PeopleGame;
use super::game_id::GameId;
use super::game_request::wanted;
use super::person::{Owned, Person, PersonId};
use super::protocol::{LONGEST_NAME, Message, ShownChange, cleaned_name, now, parse};
use shakmaty::Chess;
use std::time::Duration;
use torres_frame::Timestamp;
use torres_fuzz::{Judged, names_damage, run};

fn person(id: usize) -> Person {
    Person {
        id: PersonId(id.to_string()),
        name: "<b>Ann</b>".into(),
        program: false,
        guest: false,
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of seeds")]
fn fuzz_people_message() {
    let seeds = [
        r#"{"type":"hello","seen":12,"name":"Ann","program":false}"#,
        r#"{"type":"hello"}"#,
        r#"{"type":"join","id":1}"#,
        r#"{"type":"move","id":2,"turn":0,"uci":"e2e4"}"#,
        r#"{"type":"resign","id":3}"#,
        r#"{"type":"offer","id":4,"offer":"draw"}"#,
        r#"{"type":"accept","id":5,"offer":"takeback"}"#,
        r#"{"type":"decline","id":6,"offer":"rematch"}"#,
        r#"{"type":"claim","id":7,"claim":"win"}"#,
        r#"{"type":"ask_seat","id":8,"seat":"black"}"#,
        r#"{"type":"give_seat","id":9}"#,
        r#"{"type":"keep_seat","id":10}"#,
        r#"{"type":"withdraw","id":11}"#,
        r#"{"type":"undo","id":12}"#,
        r#"{"type":"pause","id":13}"#,
        r#"{"type":"resume","id":14}"#,
        r#"{"type":"ping","n":1}"#,
        r#"{"type":"pong","n":1}"#,
    ]
    .map(|text| text.as_bytes().to_vec());
    let words = [
        "\"id\":",
        "\"turn\":",
        "move",
        "e7e8q",
        "0000",
        "Q@e4",
        "white",
        "black",
        "draw",
        "\"seen\":",
        "hello",
        "<script>",
        "\u{202e}",
    ];
    let fresh = GameId::from_random(b"abcdefghij".iter().copied());
    let mut at = Timestamp(Duration::from_secs(9));
    let mut game = PeopleGame::new(Chess::default(), None, at);
    let mut round = 0;
    run("people message", &seeds, &words, |input| {
        // A game lives for some messages, from any of three people; then the next begins.
        if round % 64 == 0 {
            game = PeopleGame::new(Chess::default(), Some(torres_chess::TimeControl::default()), at);
            // Every second one is against a computer.
            let owned = Owned {
                by: person(1).id,
                natural: true,
                before: 0,
            };
            if (round / 64) % 2 == 1 {
                let (seat, person) = (torres_chess::Side::Black, Person::computer("level-1", "Level 1".into()));
                assert!(game.apply(&Change::Opened(owned), at) && game.apply(&Change::Joined { seat, person }, at));
            }
            let (seat, person) = (torres_chess::Side::White, person(1));
            assert!(game.apply(&Change::Joined { seat, person }, at));
        }
        round += 1;
        at = at + Duration::from_millis(700);
        match parse(&String::from_utf8_lossy(input)) {
            Ok(Message::Command(_, command)) => {
                let who = person(1 + round % 3);
                let seat = game.seat_of(&who.id);
                let before = game.seq();
                if let Ok(changes) = game.decide(&who, &command, at, &fresh) {
                    assert!(!changes.is_empty());
                    for change in &changes {
                        assert!(game.apply(change, at), "{change:?}");
                        assert!(seat.is_some() || matches!(change, Change::Joined { .. } | Change::SeatAsked { .. }));
                        serde_json::to_string(&ShownChange::of(change, None)).expect("a change can be sent");
                    }
                    assert_eq!(game.seq(), before + changes.len() as u64);
                    serde_json::to_string(&now(&game, at)).expect("a game can be sent");
                }
                Judged::Accepted
            }
            Ok(Message::Hello { name, .. }) => {
                let named = name.is_none_or(|name| {
                    name.chars().count() <= LONGEST_NAME
                        && torres_printing::one_line(&name) == name
                        && cleaned_name(&name) == Some(name.clone())
                });
                assert!(named);
                Judged::Accepted
            }
            Ok(Message::Ping(_) | Message::Pong(_)) => Judged::Accepted,
            Err(why) => {
                assert!(names_damage(&why) && why.len() < 1_000, "{why}");
                Judged::Refused
            }
        }
    });
}

#[test]
fn fuzz_people_change() {
    let seeds = [
        r#"{"what":"joined","seat":"black","person":{"id":"2","name":"Bo","program":true}}"#,
        r#"{"what":"moved","uci":"e2e4","times":{"white_ms":180000,"black_ms":180000}}"#,
        r#"{"what":"offered","by":"white","offer":"draw"}"#,
        r#"{"what":"declined","by":"black","offer":"draw"}"#,
        r#"{"what":"took_back","plies":1,"times":null}"#,
        r#"{"what":"seat_asked","seat":"black","person":{"id":"3","name":"Cy","program":false}}"#,
        r#"{"what":"replaced","seat":"black","person":{"id":"3","name":"Cy","program":false}}"#,
        r#"{"what":"seat_kept","seat":"black"}"#,
        r#"{"what":"ended","end":{"reason":"time","winner":"white"},"times":null}"#,
        r#"{"what":"rematch","game":"abcdefghij"}"#,
        r#"{"what":"opened","by":"1","natural":true}"#,
        r#"{"what":"opened","by":"1","natural":true,"before":3}"#,
        r#"{"what":"paused","times":null}"#,
        r#"{"what":"resumed","times":{"white_ms":1,"black_ms":2}}"#,
    ]
    .map(|text| text.as_bytes().to_vec());
    let words = [
        "white",
        "black",
        "null",
        "moved",
        "\"what\":",
        "e7e8q",
        "\"plies\":",
        "ended",
        "checkmate",
    ];
    let at = Timestamp(Duration::from_secs(9));
    run("people change", &seeds, &words, |input| {
        let Ok(change) = serde_json::from_slice::<Change>(input) else {
            return Judged::Refused;
        };
        let text = serde_json::to_string(&change).expect("a change can be kept");
        assert_eq!(serde_json::from_str::<Change>(&text).expect("what it wrote"), change);
        let mut game = PeopleGame::new(Chess::default(), None, at);
        let before = game.game().fen();
        if !game.apply(&change, at) {
            assert_eq!((game.seq(), game.game().fen()), (0, before));
        }
        Judged::Accepted
    });
}

#[test]
fn fuzz_people_pgn() {
    let seeds = [
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *",
        "[White \"A\"]\n[FEN \"4k3/P7/8/8/8/8/8/4K2R b K - 0 40\"]\n\n40... Kd7 41. a8=N {up} (41. O-O) Kc6 42. O-O $1 1-0",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "1. e4! d5 2. exd5 Qxd5 3. Nc3 Qa5 4. d4 c6 5. Nf3 Bg4 6. Bf4 e6 7. h3 Bxf3 8. Qxf3 Bb4 9. Be2 Nd7",
    ]
    .map(|text| text.as_bytes().to_vec());
    let words = [
        "O-O-O", "e8=Q#", "[FEN \"", "(", ")", "{", "}", "1-0", "*", "--", "Nbd7", "\u{202e}", "1...",
    ];
    run("people pgn", &seeds, &words, |input| {
        match super::pgn::read(&String::from_utf8_lossy(input)) {
            Ok(beginning) => {
                let at = Timestamp(Duration::from_secs(9));
                let moved = beginning
                    .moves
                    .into_iter()
                    .map(|uci| Change::Moved { uci, times: None });
                let changes: Vec<Change> = moved.collect();
                let game = PeopleGame::restored(beginning.start, None, &changes, at).expect("what was read is a game");
                let id = GameId::from_random(b"abcdefghij".iter().copied());
                super::pgn::read(&super::pgn::write(&id, &game, "")).expect("what was written is read");
                Judged::Accepted
            }
            Err(why) => {
                assert!(names_damage(&why) && why.len() < 1_000, "{why}");
                Judged::Refused
            }
        }
    });
}

#[test]
fn fuzz_people_account() {
    let seeds = [
        r#"{"name":"Ann","password":"correct horse"}"#,
        r#"{"password":"correct horse"}"#,
        r#"{"name":"Ann","program":true,"color":"white","clock":{"initial_ms":300000,"increment_ms":3000},"listed":true}"#,
        r#"{"color":"black","fen":"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"}"#,
        "{}",
    ]
    .map(|text| text.as_bytes().to_vec());
    let words = [
        "\"name\":",
        "\"password\":",
        "\"clock\":",
        "\"fen\":",
        "white",
        "86400001",
        "<script>",
        "\u{202e}",
        "\\u0000",
        "$argon2id$",
    ];
    run("people account", &seeds, &words, |input| {
        let refused = |why: &str| assert!(names_damage(why) && why.len() < 1_500, "{why}");
        let name_is_text = |name: &str| {
            let Some(cleaned) = cleaned_name(name) else { return };
            assert!(cleaned.chars().count() <= LONGEST_NAME && torres_printing::one_line(&cleaned) == cleaned);
        };
        let credentials = credentials(input).map(|Credentials { name, password }| {
            name_is_text(&name);
            if let Some(why) = password_fault(&password) {
                refused(&why);
            }
        });
        let wanted = wanted(input).map(|(wanted, name, _)| {
            name_is_text(&name.unwrap_or_default());
            assert!(torres_chess::parse_fen(&torres_chess::fen(&wanted.start)).is_ok());
        });
        match (credentials, wanted) {
            (Err(one), Err(other)) => {
                refused(&one.1);
                refused(&other.1);
                Judged::Refused
            }
            _ => Judged::Accepted,
        }
    });
}

#[test]
fn fuzz_people_announcement() {
    let seeds = [
        r#"{"from":"0123456789","said":"changed","game":"abcdefghij"}"#,
        r#"{"from":"0123456789","said":"here","game":"abcdefghij","listed":true,"guests":{"white":{"ping_ms":7},"black":null,"watchers":2}}"#,
        r#"{"from":"0123456789","said":"who_is_at","game":null}"#,
        r#"{"from":"0123456789","said":"alive"}"#,
        r#"{"from":"0123456789","said":"gone"}"#,
    ]
    .map(|text| text.as_bytes().to_vec());
    let words = [
        "\"said\":",
        "\"from\":",
        "changed",
        "here",
        "alive",
        "\"guests\":",
        "ping_ms",
        "me",
    ];
    run("people announcement", &seeds, &words, |input| {
        match heard(&String::from_utf8_lossy(input), "me") {
            Some(Announcement { from, said }) => {
                assert_ne!(from, "me");
                let text = Announcement::text(&from, said.clone());
                assert_eq!(heard(&text, "me"), Some(Announcement { from, said }));
                Judged::Accepted
            }
            None => Judged::Refused,
        }
    });
}
