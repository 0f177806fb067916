//! The engine's socket, line by line, on a real `torres engine`.
#![cfg(unix)]

use rustix::process::Signal;
use serde_json::{Value, json};
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Position};
use std::net::Shutdown;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::process::Command;
use torres::chess::{fen, parse_fen};
use torres_test_support::link::*;
use torres_test_support::program;

fn position(fen: &str) -> Chess {
    parse_fen(fen).unwrap()
}

fn go(id: u64, rest: Value) -> String {
    let mut go = json!({"type": "go", "id": id, "fen": START_FEN});
    go.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
    go.to_string()
}

fn infinite(id: u64) -> String {
    go(id, json!({"infinite": true}))
}

fn count(heard: &[Value], kind: &str) -> usize {
    heard.iter().filter(|message| message["type"] == kind).count()
}

#[test]
fn hello_comes_first_both_ways() {
    let engine = Engine::start(&[]);
    let mut raw = engine.connect();
    raw.refused(&go(7, json!({"limits": {"depth": 1}})), 7);
    raw.refused(r#"{"type":"hello","protocol":2}"#, Value::Null);
    raw.refused(r#"{"type":"ping","id":3}"#, 3);
    raw.say(r#"{"type":"hello","protocol":1}"#);
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        raw.hear(),
        json!({"type": "hello", "protocol": 1, "name": "torres", "version": version})
    );
    raw.is_quiet(8);
}

#[test]
fn a_go_is_answered_for_its_position() {
    let engine = Engine::start(&[]);
    let mut raw = engine.greet();
    raw.say(r#"{"type":"newgame"}"#);
    let moves = ["e2e4", "e7e5", "g1f3"];
    raw.say(&go(
        7,
        json!({"moves": moves, "limits": {"depth": 4}, "elo": null, "style": null, "mood": "fine"}),
    ));
    let mut heard = raw.hear_until("bestmove");
    let answer = heard.pop().unwrap();
    let mut after = position(START_FEN);
    for text in moves {
        let uci: UciMove = text.parse().unwrap();
        after.play_unchecked(uci.to_move(&after).unwrap());
    }
    assert_eq!(answer["id"], 7);
    assert_eq!(position(answer["fen"].as_str().unwrap()), after);
    let best: UciMove = answer["move"].as_str().unwrap().parse().unwrap();
    assert!(best.to_move(&after).is_ok(), "{best} is legal");
    assert!(!heard.is_empty(), "it said how the search went");
    for info in heard {
        assert_eq!((&info["type"], &info["id"]), (&json!("info"), &json!(7)), "{info}");
        assert!(info["score"]["cp"].is_i64() || info["score"]["mate"].is_i64(), "{info}");
        assert!(info["depth"].as_u64().unwrap() <= 4);
        assert!(info["nodes"].is_u64() && info["nps"].is_u64());
        let first: UciMove = info["pv"][0].as_str().unwrap().parse().unwrap();
        assert!(first.to_move(&after).is_ok(), "{info}");
    }
}

#[test]
fn without_a_legal_move_the_move_is_null() {
    let engine = Engine::start(&[]);
    let mut raw = engine.greet();
    let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    raw.say(&go(1, json!({"fen": mated, "limits": {"depth": 3}})));
    let answer = raw.hear_until("bestmove").pop().unwrap();
    assert_eq!((&answer["move"], &answer["ponder"]), (&Value::Null, &Value::Null));
    assert_eq!(position(answer["fen"].as_str().unwrap()), position(mated));
}

#[test]
fn what_is_no_message_gets_an_error_and_the_connection_stays() {
    let engine = Engine::start(&[]);
    let mut raw = engine.greet();
    for line in [
        "",
        "e2e4",
        "{",
        "[]",
        "null",
        "{}",
        r#"{"type":"hello"}"#,
        "\u{0}\u{1}",
        r#"{"type":7}"#,
    ] {
        raw.refused(line, Value::Null);
    }
    raw.refused(r#"{"type":"dance","id":9}"#, 9);
    raw.refused(r#"{"type":"go","id":10}"#, 10);
    raw.send(&[0xff, 0xfe, 0x80, b'\n']);
    assert_eq!(raw.hear()["type"], "error");
    raw.is_quiet(11);
}

#[test]
fn an_overlong_line_is_skipped_to_its_end() {
    let engine = Engine::start(&[]);
    let mut raw = engine.greet();
    for _ in 0..64 {
        raw.send(&[b'x'; 64 * 1024]);
    }
    // The error is there before the line's end, and is the only one.
    assert_eq!(raw.hear()["type"], "error");
    raw.send(b"\"}\n");
    raw.is_quiet(1);
    // A whole message of one byte too much, and of just the allowed 64 KiB.
    let padded = |length: usize| format!(r#"{{"type":"ping","id":2{}}}"#, " ".repeat(length - 1 - 22));
    assert_eq!(padded(65536).len() + 1, 65536);
    raw.say(&padded(65537));
    assert_eq!(raw.hear()["type"], "error");
    raw.say(&padded(65536));
    assert_eq!(raw.hear(), json!({"type": "pong", "id": 2}));
}

#[test]
fn a_message_may_come_in_pieces_and_many_at_once() {
    let engine = Engine::start(&[]);
    let mut raw = engine.greet();
    for byte in br#"{"type":"ping","id":1}"# {
        raw.send(&[*byte]);
    }
    raw.send(b"\r\n{\"type\":\"ping\",\"id\":2}\n{\"type\":\"ping\",\"id\":3}\n");
    for id in 1..=3 {
        assert_eq!(raw.hear(), json!({"type": "pong", "id": id}));
    }
}

#[test]
fn illegal_positions_and_moves_are_refused_by_id() {
    let engine = Engine::start(&[]);
    let mut raw = engine.greet();
    raw.refused(&go(1, json!({"fen": "nonsense"})), 1);
    raw.refused(&go(2, json!({"fen": "8/8/8/8/8/8/8/8 w - - 0 1"})), 2);
    raw.refused(&go(3, json!({"moves": ["e2e4", "e2e4"]})), 3);
    raw.refused(&go(4, json!({"moves": ["castle"]})), 4);
    raw.say(&go(5, json!({"limits": {"depth": 1}})));
    assert_eq!(raw.hear_until("bestmove").pop().unwrap()["id"], 5);
}

#[test]
fn stop_is_answered_by_one_bestmove() {
    let engine = Engine::start(&[]);
    let mut raw = engine.greet();
    raw.refused(r#"{"type":"stop","id":7}"#, 7);
    raw.say(&infinite(7));
    raw.say(r#"{"type":"stop","id":6}"#);
    assert_eq!(raw.hear_until("error").pop().unwrap()["id"], 6, "the wrong search");
    raw.say(r#"{"type":"stop","id":7}"#);
    raw.say(r#"{"type":"stop","id":7}"#);
    let answer = raw.hear_until("bestmove").pop().unwrap();
    assert_eq!(answer["id"], 7);
    assert!(answer["move"].is_string());
    // Late, as when it crosses with the answer.
    raw.say(r#"{"type":"stop","id":7}"#);
    raw.is_quiet(8);
    raw.refused(r#"{"type":"stop","id":9}"#, 9);
}

#[test]
fn one_search_at_a_time_and_pings_meanwhile() {
    let engine = Engine::start(&[]);
    let mut raw = engine.greet();
    raw.say(&infinite(7));
    raw.say(&go(8, json!({"limits": {"depth": 1}})));
    assert_eq!(raw.hear_until("error").pop().unwrap()["id"], 8);
    raw.say(r#"{"type":"newgame"}"#);
    assert_eq!(raw.hear_until("error").pop().unwrap()["id"], Value::Null);
    raw.say(r#"{"type":"ping","id":9}"#);
    let heard = raw.hear_until("pong");
    assert_eq!(count(&heard, "bestmove"), 0, "still searching");
    raw.say(r#"{"type":"stop","id":7}"#);
    assert_eq!(raw.hear_until("bestmove").pop().unwrap()["id"], 7);
    raw.say(&go(8, json!({"limits": {"nodes": 100}})));
    assert_eq!(raw.hear_until("bestmove").pop().unwrap()["id"], 8);
}

#[test]
fn pondering_is_answered_after_ponderhit_or_stop_only() {
    let engine = Engine::start(&[]);
    let mut raw = engine.greet();
    for end in [r#"{"type":"ponderhit","id":7}"#, r#"{"type":"stop","id":7}"#] {
        raw.say(&go(7, json!({"ponder": true, "limits": {"depth": 1, "move_ms": 20}})));
        for id in 10..30 {
            raw.say(&json!({"type": "ping", "id": id}).to_string());
            assert_eq!(
                count(&raw.hear_until("pong"), "bestmove"),
                0,
                "nothing was said to end it"
            );
        }
        raw.refused_amid(r#"{"type":"ponderhit","id":6}"#, 6);
        raw.say(end);
        assert_eq!(raw.hear_until("bestmove").pop().unwrap()["id"], 7);
    }
    raw.refused(r#"{"type":"ponderhit","id":7}"#, 7);
}

#[test]
fn limits_end_a_search_without_stop() {
    let engine = Engine::start(&[]);
    let mut raw = engine.greet();
    let clocks = json!({"white_ms": 500, "black_ms": 500, "white_inc_ms": 0, "black_inc_ms": 0});
    let most = u64::MAX;
    let huge =
        json!({"white_ms": most, "black_ms": most, "white_inc_ms": most, "move_ms": most, "nodes": most, "depth": 2});
    let all = [
        huge,
        json!({"move_ms": 50}),
        json!({"nodes": 2000}),
        json!({"depth": 2}),
        clocks,
    ];
    for (id, limits) in (1..).zip(all) {
        raw.say(&go(id, json!({"limits": limits})));
        assert_eq!(raw.hear_until("bestmove").pop().unwrap()["id"], id);
    }
}

#[test]
fn a_weak_level_looks_at_fewer_positions() {
    let engine = Engine::start(&[]);
    let mut raw = engine.greet();
    let mut nodes = |elo: u32| {
        raw.say(&go(1, json!({"limits": {"depth": 6}, "elo": elo})));
        let heard = raw.hear_until("bestmove");
        heard
            .iter()
            .filter_map(|message| message["nodes"].as_u64())
            .max()
            .unwrap()
    };
    assert!(nodes(600) < nodes(1600), "Elo makes a difference");
}

#[test]
fn connections_search_side_by_side() {
    let engine = Engine::start(&[]);
    let (mut one, mut two) = (engine.greet(), engine.greet());
    one.say(&infinite(1));
    two.say(&go(1, json!({"moves": ["e2e4"], "limits": {"depth": 2}})));
    let answer = two.hear_until("bestmove").pop().unwrap();
    assert!(
        answer["fen"].as_str().unwrap().contains(" b "),
        "of the second connection's position"
    );
    one.say(r#"{"type":"stop","id":1}"#);
    assert!(
        one.hear_until("bestmove").pop().unwrap()["fen"]
            .as_str()
            .unwrap()
            .contains(" w ")
    );
}

#[test]
fn whoever_says_no_more_is_answered_at_once() {
    let engine = Engine::start(&[]);
    let mut raw = engine.greet();
    raw.say(&infinite(1));
    raw.stream.shutdown(Shutdown::Write).unwrap();
    assert_eq!(raw.hear_until("bestmove").pop().unwrap()["id"], 1);
    assert_eq!(raw.hear_or_end(), None);
}

#[test]
fn a_connection_lost_in_a_search_does_not_hurt_the_others() {
    let engine = Engine::start(&[]);
    let mut other = engine.greet();
    for _ in 0..3 {
        let mut raw = engine.greet();
        raw.say(&infinite(1));
        drop(raw);
    }
    other.say(&go(2, json!({"limits": {"depth": 2}})));
    assert_eq!(other.hear_until("bestmove").pop().unwrap()["id"], 2);
}

#[test]
fn only_the_owner_can_open_it() {
    let engine = Engine::start(&[]);
    assert_eq!(std::fs::metadata(&engine.socket).unwrap().mode() & 0o777, 0o600);
    let directory = engine.socket.parent().unwrap();
    assert_eq!(std::fs::metadata(directory).unwrap().mode() & 0o777, 0o700);
}

#[test]
fn it_ends_cleanly_on_signals_and_takes_its_socket_along() {
    for kind in [Signal::TERM, Signal::INT] {
        let mut engine = Engine::start(&[]);
        let mut raw = engine.greet();
        raw.say(&infinite(1));
        signal(engine.child.id(), kind);
        assert_eq!(engine.child.wait().unwrap().code(), Some(0), "{kind:?}");
        assert!(!engine.socket.exists(), "{kind:?}");
    }
}

#[test]
fn it_ends_with_its_standard_input_when_told_so() {
    let mut engine = Engine::start(&["--until-stdin-closes"]);
    engine.greet().is_quiet(1);
    drop(engine.stdin.take());
    assert_eq!(engine.child.wait().unwrap().code(), Some(0));
    assert!(!engine.socket.exists());
    // Otherwise it goes on: a service has no standard input.
    let mut engine = Engine::start(&[]);
    drop(engine.stdin.take());
    engine.greet().is_quiet(1);
}

#[test]
fn a_named_socket_is_where_it_was_named_and_is_not_taken_over() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("my engine.sock");
    let name = path.to_str().unwrap();
    let engine = Engine::start(&["--socket", name]);
    assert_eq!(engine.socket, path);
    let second = Command::new(program())
        .args(["engine", "--socket", name])
        .output()
        .unwrap();
    assert_eq!(second.status.code(), Some(1));
    assert!(String::from_utf8(second.stderr).unwrap().contains("somebody listens"));
    engine.greet().is_quiet(1);
}

#[test]
fn a_directory_open_to_others_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::set_permissions(directory.path(), std::fs::Permissions::from_mode(0o777)).unwrap();
    let name = directory.path().join("s");
    let refused = Command::new(program())
        .arg("engine")
        .arg("--socket")
        .arg(&name)
        .output()
        .unwrap();
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8(refused.stderr).unwrap().contains("not safe"));
    assert!(!name.exists());
}

#[test]
fn the_fen_of_an_answer_names_en_passant_only_where_it_can_be_played() {
    let engine = Engine::start(&[]);
    let mut raw = engine.greet();
    raw.say(&go(1, json!({"moves": ["e2e4"], "limits": {"depth": 1}})));
    let answer = raw.hear_until("bestmove").pop().unwrap();
    let after = position(answer["fen"].as_str().unwrap());
    assert_eq!(answer["fen"], fen(&after));
}

#[test]
fn bytes_that_are_no_text_get_an_error_and_the_connection_stays() {
    let engine = Engine::start(&[]);
    let mut raw = engine.greet();
    for bytes in [
        &b"\xff\xfe\n"[..],
        b"{\"type\":\"ping\",\"id\":4\xff}\n",
        b"{\"type\":\"p\xe9ng\",\"id\":4}\n",
        b"\0\x80\n",
    ] {
        raw.send(bytes);
        let error = raw.hear();
        assert_eq!(
            (&error["type"], &error["id"]),
            (&json!("error"), &Value::Null),
            "{error}"
        );
    }
    raw.is_quiet(8);
}
