use super::*;
use crate::event::{Checked, Eval, Gesture, GestureKind, PonderEnd, Rect, Verdict};
use serde_json::json;
use shakmaty::{Chess, Position};
use torres_chess::Side;
use torres_chess::{fen, parse_move};
use torres_geometry::BoardRect;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Entries a tenth of a second apart, from line 1 on.
fn journal(events: Vec<Event>) -> Vec<(usize, Entry)> {
    let entry = |(n, event): (usize, Event)| {
        let (t_ms, boot_ms) = (line(n).wall, None);
        (n, Entry { t_ms, boot_ms, event })
    };
    (1..).zip(events).map(entry).collect()
}

fn line(line: usize) -> When {
    let wall = WallTime::from_ms(1000.0 + 100.0 * line as f64);
    When { line, wall }
}

fn started() -> Event {
    Event::Started {
        version: "1.2.3".into(),
        command: "play".into(),
        boot: None,
    }
}

fn begins(moves: &[&str], color: Side) -> Event {
    Event::GameStarted(GameStarted {
        fen: START.into(),
        moves: moves.iter().map(ToString::to_string).collect(),
        color,
        clock: Some("900+10".into()),
        opponent: None,
    })
}

/// The board shows the position after `all`, of which the last `new` are news.
fn seen(all: &[&str], new: usize) -> Event {
    let mut position = Chess::default();
    for uci in all {
        position.play_unchecked(parse_move(uci, &position).unwrap());
    }
    Event::Seen(Seen {
        moves: all[all.len() - new..].iter().map(ToString::to_string).collect(),
        fen: fen(&position),
        confidence: 0.9,
        frame_t_ms: WallTime::from_ms(7.0),
    })
}

fn think(id: u64) -> Event {
    Event::Think(Think {
        id,
        fen: START.into(),
        limits: json!({"move_ms": 100}),
        ponder: None,
    })
}

fn answer(id: u64, best: &str) -> Event {
    Event::Answer(Answer {
        id,
        best: Some(best.into()),
        eval: Some(Eval::Cp(31)),
        depth: Some(9),
        nodes: Some(1234),
        pv: vec![best.into(), "e7e5".into()],
        took_ms: 100.0,
        dropped: None,
    })
}

fn rect() -> Rect {
    BoardRect::new(1.0, 2.0, 400.0, 400.0).unwrap().into()
}

fn checked(what: &str) -> Event {
    Event::Checked(Checked {
        played: what.into(),
        board: rect(),
        stands: true,
        panel: rect(),
        took_ms: 5.0,
    })
}

fn gesture(what: &str) -> Event {
    Event::Gesture(Gesture {
        kind: GestureKind::Drag,
        played: what.into(),
        points: vec![(1, 2), (3, 4)],
        released_t_ms: WallTime::from_ms(1550.0),
    })
}

fn landed(what: &str) -> Event {
    Event::Verdict(Verification {
        played: what.into(),
        verdict: Verdict::Landed,
        took_ms: 14.0,
        evidence: None,
    })
}

fn played(ply: u32, what: &str) -> Event {
    Event::Played {
        ply,
        played: what.into(),
        by: Side::White,
        took_ms: 600.0,
        left_ms: 9400.0,
    }
}

fn pause() -> Event {
    Event::Pause {
        reason: "why not".into(),
        evidence: Some("evidence/0001-pause".into()),
    }
}

#[test]
fn a_ply_of_ours_has_what_was_decided_done_seen_and_verified() {
    let entries = journal(vec![
        started(),
        begins(&[], Side::White),
        think(1),
        answer(1, "e2e4"),
        checked("e2e4"),
        gesture("e2e4"),
        seen(&["e2e4"], 1),
        landed("e2e4"),
        played(1, "e2e4"),
        Event::Confirmed {
            played: "e2e4".into(),
            known_t_ms: WallTime::from_ms(1700.0),
            after_ms: None,
        },
        seen(&["e2e4", "e7e5"], 1),
    ]);
    let games = games(&entries);
    assert_eq!(games.len(), 1);
    let game = &games[0];
    assert_eq!(game.header.program, Some(("1.2.3".into(), "play".into())));
    assert_eq!(game.moves(), ["e2e4", "e7e5"]);
    let [ours, theirs] = &game.plies[..] else {
        panic!("{game:#?}")
    };
    assert_eq!(
        (ours.number, ours.caption.as_str(), ours.ours, ours.by),
        (1, "1. e4", true, Color::White)
    );
    assert_eq!(ours.fens.0, START);
    assert_eq!(ours.work.questions[0].answer.as_ref().unwrap().1.pv, ["e2e4", "e7e5"]);
    let done = [5, 6].map(line);
    assert!(matches!(
        ours.work.happened[..],
        [(first, Event::Checked(_)), (then, Event::Gesture(_))] if [first, then] == done
    ));
    assert_eq!(ours.seen.as_ref().unwrap().0, line(7));
    assert_eq!(ours.verified.as_ref().unwrap().1.verdict, Verdict::Landed);
    assert_eq!(
        (ours.confirmed, ours.clock_ms),
        (Some((line(10), 300.0)), Some((600.0, 9400.0)))
    );
    assert_eq!(
        (theirs.caption.as_str(), theirs.ours, theirs.by),
        ("1... e5", false, Color::Black)
    );
    assert_eq!(theirs.fens.0, ours.fens.1);
    assert!(theirs.work.questions.is_empty() && theirs.verified.is_none());
    assert_eq!(ours.work.lines, [1, 3, 4, 5, 6, 7, 8, 9, 10], "{:?}", ours.work.lines);
}

#[test]
fn two_moves_seen_at_once_leave_the_thoughts_with_ours() {
    let entries = journal(vec![
        begins(&["e2e4"], Side::Black),
        think(1),
        answer(1, "e7e5"),
        gesture("e7e5"),
        seen(&["e2e4", "e7e5", "g1f3"], 2),
        landed("e7e5"),
        // The game is joined where Black is to move: the answer to Black's own comes with it.
        seen(&["e2e4", "e7e5", "g1f3", "b8c6"], 1),
    ]);
    let game = &games(&entries)[0];
    assert_eq!(game.moves(), ["e2e4", "e7e5", "g1f3", "b8c6"]);
    assert_eq!(game.plies[0].seen, None, "it was there before we came");
    assert_eq!(game.plies[1].work.questions.len(), 1);
    assert_eq!(game.plies[2].seen.as_ref().unwrap().1.moves, ["e7e5", "g1f3"]);
    assert!(game.plies[1].verified.is_some() && game.plies[2].verified.is_none());
}

#[test]
fn what_was_taken_back_is_told_and_its_number_given_again() {
    let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let entries = journal(vec![
        begins(&[], Side::White),
        seen(&["e2e4"], 1),
        seen(&["e2e4", "e7e5"], 1),
        Event::TakenBack {
            plies: 1,
            fen: after_e4.into(),
        },
        seen(&["e2e4", "c7c5"], 1),
    ]);
    let game = &games(&entries)[0];
    assert_eq!(game.moves(), ["e2e4", "c7c5"]);
    let told: Vec<_> = game
        .plies
        .iter()
        .map(|ply| (ply.number, ply.caption.as_str(), ply.taken_back))
        .collect();
    assert_eq!(told, [(1, "1. e4", false), (2, "1... e5", true), (2, "1... c5", false)]);
    assert!(matches!(game.plies[2].work.happened[0].1, Event::TakenBack { .. }));
}

#[test]
fn moves_found_after_a_takeback_are_plies_though_no_look_told_them() {
    let after_c5 = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let entries = journal(vec![
        begins(&[], Side::White),
        seen(&["e2e4"], 1),
        seen(&["e2e4", "e7e5"], 1),
        Event::TakenBack {
            plies: 1,
            fen: after_c5.into(),
        },
        played(2, "c7c5"),
        seen(&["e2e4", "c7c5", "g1f3"], 1),
    ]);
    let game = &games(&entries)[0];
    assert_eq!(game.moves(), ["e2e4", "c7c5", "g1f3"]);
    let found = &game.plies[2];
    assert_eq!(
        (found.caption.as_str(), &found.seen, found.clock_ms),
        ("1... c5", &None, Some((600.0, 9400.0)))
    );
}

#[test]
fn games_follow_each_other_and_one_broken_off_keeps_what_came_last() {
    let result = Event::Result {
        result: "1-0".into(),
        termination: "checkmate".into(),
        plies: 1,
        known_by: None,
    };
    let entries = journal(vec![
        started(),
        begins(&[], Side::White),
        seen(&["e2e4"], 1),
        result,
        started(),
        begins(&[], Side::White),
        think(1),
        pause(),
    ]);
    let games = games(&entries);
    assert_eq!(games.len(), 2);
    assert_eq!(games[0].result, Some(("1-0".into(), "checkmate".into())));
    assert_eq!((games[1].plies.len(), &games[1].result), (0, &None));
    assert_eq!(games[1].header.at, Some(line(5)));
    assert_eq!((games[1].rest.questions.len(), games[1].rest.happened.len()), (1, 1));
}

#[test]
fn moves_that_do_not_fit_are_told_as_they_stand_there() {
    let entries = journal(vec![
        begins(&[], Side::White),
        Event::Seen(Seen {
            moves: vec!["e7e5".into(), "x".into()],
            fen: "no FEN".into(),
            confidence: 0.5,
            frame_t_ms: WallTime::from_ms(0.0),
        }),
        seen(&["d2d4"], 1),
    ]);
    let game = &games(&entries)[0];
    assert_eq!(game.plies[0].caption, "e7e5");
    assert_eq!(game.plies[2].caption, "1. d4");
    assert_eq!(games(&[]).len(), 0);
}

fn ponder(id: u64, reply: &str) -> Event {
    Event::Think(Think {
        id,
        fen: START.into(),
        limits: json!({"move_ms": 100}),
        ponder: Some(reply.into()),
    })
}

fn pondered(id: u64, expected: &str, end: PonderEnd) -> Event {
    Event::Pondered {
        id,
        expected: expected.into(),
        end,
        took_ms: 2000.0,
    }
}

#[test]
fn what_is_pondered_belongs_to_the_opponents_ply_and_after_a_hit_its_answer_to_ours() {
    let entries = journal(vec![
        begins(&[], Side::White),
        think(1),
        answer(1, "e2e4"),
        seen(&["e2e4"], 1),
        ponder(2, "e7e5"),
        seen(&["e2e4", "e7e5"], 1),
        pondered(2, "e7e5", PonderEnd::Hit),
        answer(2, "g1f3"),
        seen(&["e2e4", "e7e5", "g1f3"], 1),
        ponder(3, "d7d6"),
        seen(&["e2e4", "e7e5", "g1f3", "b8c6"], 1),
        pondered(3, "d7d6", PonderEnd::Miss),
        think(4),
        answer(4, "f1c4"),
        // Late, and of no use.
        answer(3, "d2d4"),
        seen(&["e2e4", "e7e5", "g1f3", "b8c6", "f1c4"], 1),
    ]);
    let game = &games(&entries)[0];
    let asked = |ply: usize| -> Vec<(u64, Option<&str>, Option<&str>)> {
        let decided = game.plies[ply].work.questions.iter();
        decided
            .map(|it| {
                let best = it.answer.as_ref().and_then(|(_, answer)| answer.best.as_deref());
                (it.asked.id, it.asked.ponder.as_deref(), best)
            })
            .collect()
    };
    assert_eq!(asked(0), [(1, None, Some("e2e4"))]);
    assert_eq!(asked(1), [(2, Some("e7e5"), None)]);
    assert_eq!(asked(2), [(2, None, Some("g1f3"))]);
    assert_eq!(
        game.plies[2].work.questions[0].at,
        line(7),
        "asked about the board since the hit"
    );
    assert_eq!(asked(3), [(3, Some("d7d6"), None)]);
    assert_eq!(asked(4), [(4, None, Some("f1c4"))]);
    assert!(matches!(
        game.plies[4].work.happened[0].1,
        Event::Pondered {
            end: PonderEnd::Miss,
            ..
        }
    ));
}
