use super::*;
use torres_journal::Entries;
use torres_journal::story;

/// A short game with most of what can happen, a ply taken back, and its end cut off.
pub(in crate::explain) const JOURNAL: &str = r#"{"t_ms":1732197600000.0,"event":"started","version":"1.2.3","command":"play"}
{"t_ms":1732197600001.0,"event":"recording","folder":"recording"}
{"t_ms":1732197600010.0,"event":"game_started","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","color":"white","clock":"900+10","opponent":"a bot"}
{"t_ms":1732197600020.0,"event":"think","id":1,"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","limits":{"move_ms":100}}
{"t_ms":1732197600090.0,"event":"engine_restarted","reason":"it died"}
{"t_ms":1732197600120.0,"event":"answer","id":1,"move":"e2e4","eval":{"cp":31},"depth":14,"nodes":4321,"pv":["e2e4","e7e5","g1f3"],"took_ms":100.0}
{"t_ms":1732197600125.0,"event":"checked","move":"e2e4","board":{"x":400.5,"y":120.0,"width":560.0,"height":560.0},"stands":true,"panel":{"x":1.0,"y":2.0,"width":30.0,"height":4.0},"took_ms":5.0}
{"t_ms":1732197600220.0,"event":"gesture","kind":"drag","move":"e2e4","points":[[612,640],[612,500]],"released_t_ms":1732197600219.0}
{"t_ms":1732197600620.0,"event":"retry","move":"e2e4","by":"clicks","evidence":"evidence/0001-retry"}
{"t_ms":1732197600720.0,"event":"gesture","kind":"clicks","move":"e2e4","points":[[612,640],[612,500]],"released_t_ms":1732197600719.0}
{"t_ms":1732197600740.0,"event":"seen","moves":["e2e4"],"fen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1","confidence":0.9876,"frame_t_ms":1732197600735.0}
{"t_ms":1732197600741.0,"event":"verdict","move":"e2e4","verdict":"landed","took_ms":21.0}
{"t_ms":1732197600741.0,"event":"played","ply":1,"move":"e2e4","by":"white","took_ms":720.0,"left_ms":899280.0}
{"t_ms":1732197600840.0,"event":"confirmed","move":"e2e4","known_t_ms":1732197600740.0}
{"t_ms":1732197601000.0,"event":"unknown","changed":["e7","e5"],"evidence":"evidence/0002-unknown"}
{"t_ms":1732197606000.0,"event":"pause","reason":"no legal line explains what the board shows","evidence":"evidence/0002-unknown"}
{"t_ms":1732197609000.0,"event":"resume","paused_ms":3000.0}
{"t_ms":1732197609100.0,"event":"seen","moves":["e7e5"],"fen":"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2","confidence":1.0,"frame_t_ms":1732197609099.0}
{"t_ms":1732197609200.0,"event":"taken_back","plies":1,"fen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"}
{"t_ms":1732197609300.0,"event":"seen","moves":["c7c5"],"fen":"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2","confidence":1.0,"frame_t_ms":1732197609299.0}
{"t_ms":1732197609400.0,"event":"think","id":2,"fen":"x","limits":{}}
"#;

fn game() -> story::GameStory {
    let read = Entries::parse(JOURNAL.as_bytes());
    assert_eq!(read.damaged, []);
    story::games(&read.entries).remove(0)
}

fn text() -> Text<'static> {
    Text {
        beside: Path::new("games"),
        zone: TimeZone::UTC,
    }
}

/// Panics unless the text has all these parts, one after the other.
fn tells_in_order(told: &str, expected: &[&str]) {
    let mut rest = told;
    for part in expected {
        let at = rest
            .find(part)
            .unwrap_or_else(|| panic!("'{part}' is missing, or not in its place, in:\n{told}"));
        rest = &rest[at + part.len()..];
    }
}

#[test]
fn the_whole_game_is_told_in_order_with_the_commands_that_show_more() {
    let told = text().game(&game(), 1, 1);
    let expected = [
        "game 1 of 1, 2024-11-21 14:00:00, by torres 1.2.3 play",
        "Torres has white against a bot, 900+10 s",
        "torres replay games/recording",
        "ply 1   1. e4   Torres",
        "14:00:00.090  restarted the engine was replaced and asked again: it died",
        "14:00:00.120  decided   e2e4 +0.31 for White at depth 14 after 100 ms, expecting e7e5 g1f3",
        "14:00:00.125  checked   the board stood as believed",
        "14:00:00.220  done      e2e4 by a drag",
        "once more by two clicks; evidence: torres see games/evidence/0001-retry --explain",
        "14:00:00.720  done      e2e4 by two clicks",
        "14:00:00.740  seen      e2e4, least sure square 0.988, frame 5 ms old",
        "14:00:00.741  verified  landed, 21 ms after the release",
        "confirmed the whole board at rest, 100 ms after the move was known",
        "clock     0.7 s used, 14:59.3 left",
        "ply 2   1... e5   the opponent   taken back later",
        "changed squares e7 e5; evidence: torres see games/evidence/0002-unknown --explain",
        "paused    no legal line explains",
        "resumed   after 3.0 s",
        "ply 2   1... c5   the opponent\n",
        "taken back on the board, plies: 1, to rnbqkbnr",
        "after the last ply",
        "asked     the engine; no answer was used",
        "no result: the journal breaks off here",
    ];
    tells_in_order(&told, &expected);
}

#[test]
fn what_happened_is_told_in_order_also_where_the_wall_clock_was_set_back_meanwhile() {
    // By an hour, after the engine's answer; and forward again before the board came to rest.
    let mut lines: Vec<String> = JOURNAL.lines().map(str::to_owned).collect();
    for line in &mut lines[6..13] {
        *line = line.replace("17321976", "17321940");
    }
    lines[13] = lines[13].replace(
        r#""known_t_ms":1732197600740.0"#,
        r#""known_t_ms":1732194000740.0,"after_ms":100.0"#,
    );
    let read = Entries::parse(lines.join("\n").as_bytes());
    let told = text().game(&story::games(&read.entries).remove(0), 1, 1);
    let expected = [
        "ply 1   1. e4   Torres",
        "14:00:00.120  decided   e2e4",
        "13:00:00.125  checked   the board stood as believed",
        "13:00:00.220  done      e2e4 by a drag",
        "13:00:00.740  seen      e2e4, least sure square 0.988, frame 5 ms old",
        "13:00:00.741  verified  landed",
        "14:00:00.840  confirmed the whole board at rest, 100 ms after the move was known",
        "ply 2",
    ];
    tells_in_order(&told, &expected);
}

#[test]
fn the_calibration_and_what_was_vouched_for_are_told_once() {
    let calibrated = r#"{"t_ms":1732197600001.0,"event":"calibrated","board":{"x":400.5,"y":120.0,"width":560.0,"height":560.0},"bottom":"black","source":"a.json"}"#;
    let vouched = r#"{"t_ms":1732197600002.0,"event":"vouched","name":"Robin","panel":{"x":642.0,"y":-19.0,"width":90.0,"height":16.0},"declared_bot":true,"picture":"opponent.png","also":"opponent-2.png"}"#;
    let nobody = r#"{"t_ms":1732197600003.0,"event":"vouched","name":null,"panel":{"x":1.0,"y":2.0,"width":3.0,"height":4.0},"declared_bot":true,"picture":"opponent-3.png"}"#;
    let with = JOURNAL.replacen(
        "{\"t_ms\":1732197600010.0",
        &format!("{calibrated}\n{calibrated}\n{vouched}\n{vouched}\n{nobody}\n{{\"t_ms\":1732197600010.0"),
        1,
    );
    let read = Entries::parse(with.as_bytes());
    assert_eq!(read.damaged, []);
    let told = text().game(&story::games(&read.entries).remove(0), 1, 1);
    tells_in_order(
        &told,
        &[
            "Torres has white against a bot",
            "calibrated by a.json: the board at 400.5,120 (560 × 560) of the desktop, black at the bottom\n",
            "vouched for by the user: the panel at 642,-19 (90 × 16) of the window names 'Robin', a bot; \
             it looked like games/opponent.png or games/opponent-2.png\n",
            "the panel at 1,2 (3 × 4) of the window names a bot; it looked like games/opponent-3.png\n",
            "ply 1   1. e4",
        ],
    );
    assert_eq!(told.matches("'Robin'").count(), 1, "{told}");
    assert_eq!(told.matches("a.json").count(), 1, "{told}");
}

#[test]
fn a_ply_alone_has_every_detail() {
    let told = text().ply(&game(), 1).unwrap();
    for part in [
        "before  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "asked     about rnbqkbnr",
        r#"{"move_ms":100}"#,
        "and 4321 nodes",
        "at 400.5,120 (560 × 560)",
        "612,640 to 612,500 in input units, button released 14:00:00.219",
        "after   rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        "journal lines 1 2 4 5 6 7 8 9 10 11 12 13 14",
        "torres replay games/recording",
    ] {
        assert!(told.contains(part), "'{part}' is not in:\n{told}");
    }
    assert!(!told.contains("c5"), "{told}");
    // Both plies that had the number.
    let second = text().ply(&game(), 2).unwrap();
    assert!(second.contains("1... e5") && second.contains("1... c5"), "{second}");
    assert_eq!(text().ply(&game(), 3), None);
}

/// From the moment our move has landed: a hit, a miss, an engine that dies meanwhile, and a pause.
const PONDERING: &str = r#"{"t_ms":1732197600010.0,"event":"game_started","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","moves":["e2e4"],"color":"white"}
{"t_ms":1732197600100.0,"event":"think","id":2,"fen":"x","limits":{"move_ms":100},"ponder":"e7e5"}
{"t_ms":1732197602100.0,"event":"seen","moves":["e7e5"],"fen":"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2","confidence":1.0,"frame_t_ms":1732197602099.0}
{"t_ms":1732197602101.0,"event":"pondered","id":2,"expected":"e7e5","end":"hit","took_ms":2001.0}
{"t_ms":1732197602200.0,"event":"answer","id":2,"move":"g1f3","took_ms":99.0}
{"t_ms":1732197602300.0,"event":"seen","moves":["g1f3"],"fen":"rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2","confidence":1.0,"frame_t_ms":1732197602299.0}
{"t_ms":1732197602301.0,"event":"think","id":3,"fen":"x","limits":{"move_ms":100},"ponder":"d7d6"}
{"t_ms":1732197602400.0,"event":"engine_restarted","reason":"it died","pondering":true}
{"t_ms":1732197603300.0,"event":"seen","moves":["b8c6"],"fen":"r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3","confidence":1.0,"frame_t_ms":1732197603299.0}
{"t_ms":1732197603301.0,"event":"pondered","id":3,"expected":"d7d6","end":"miss","took_ms":1000.0}
{"t_ms":1732197603400.0,"event":"pondered","id":4,"expected":"g8f6","end":"dropped","took_ms":500.0}
"#;

#[test]
fn what_is_thought_on_the_opponents_time_is_told_as_that() {
    let read = Entries::parse(PONDERING.as_bytes());
    assert_eq!(read.damaged, []);
    let game = story::games(&read.entries).remove(0);
    let told = text().game(&game, 1, 1);
    let expected = [
        "ply 2   1... e5   the opponent",
        "14:00:00.100  pondering on e7e5: the engine thinks on the opponent's time",
        "ply 3   2. Nf3   Torres",
        "14:00:02.101  pondered  e7e5 was expected and played: what was thought about it for 2.0 s counts",
        "14:00:02.200  decided   g1f3 after 99 ms",
        "ply 4   2... Nc6   the opponent",
        "pondering on d7d6",
        "restarted the engine was replaced while it pondered: it died",
        "pondered  d7d6 was expected and not played: what was thought about it for 1.0 s is not used",
        "pondered  g8f6 was expected; what was thought about it for 0.5 s was given up before the opponent moved",
    ];
    tells_in_order(&told, &expected);
    assert!(!told.contains("no answer was used"), "{told}");
    let alone = text().ply(&game, 2).unwrap();
    assert!(alone.contains(r#"asked     about x with {"move_ms":100}"#), "{alone}");
}
