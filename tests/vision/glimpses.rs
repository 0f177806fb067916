//! What a single frame shows of one move, marks included, taken in or not.

use crate::scene::{Shot, copy, frame, scene, seen, tracker};
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move, Position};
use torres::vision::{MoveSigns, Reading, Tracker};

/// A game followed move by move; `at_move` is called right before each settled frame is taken in, with the frame before
/// it.
fn follow(shots: &[Shot], mut at_move: impl FnMut(&Tracker, &Chess, Move, &Shot, &Shot)) {
    let mut tracker = tracker(&shots[0]);
    let mut position = shots[0].position.clone();
    let mut before = &shots[0];
    for (k, shot) in shots.iter().enumerate() {
        if shot.kind != "stable" {
            continue;
        }
        if let Some(text) = &shot.played {
            let played = text.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            at_move(&tracker, &position, played, before, shot);
        }
        let reading = tracker.step(&frame(&shot.image, 100.0 * k as f64), &position);
        if let Reading::Played(explained) = reading {
            position = explained.position;
        }
        before = shot;
    }
}

#[test]
fn the_move_just_made_is_marked_and_no_other() {
    let shots = scene("game");
    let (mut moves, mut marked) = (0, 0);
    follow(&shots, |tracker, position, played, _, now| {
        moves += 1;
        for other in position.legal_moves() {
            let glimpse = tracker.move_signs(&frame(&now.image, 0.0), &other);
            if other == played {
                marked += u32::from(glimpse.marked && glimpse.arrived);
            } else {
                let proved = glimpse.marked && glimpse.arrived;
                assert!(!proved, "{other:?} was not played, {played:?} was");
            }
        }
    });
    // The first moves teach the marks; a promoted pawn does not arrive as one.
    assert!(marked + 5 >= moves, "{marked} of {moves} moves are seen marked");
}

#[test]
fn a_piece_held_over_its_target_has_arrived_and_is_not_marked() {
    let shots = scene("game");
    let mut held = 0;
    follow(&shots, |tracker, position, played, before, _| {
        let Some(from) = played.from().filter(|_| matches!(played, Move::Normal { .. })) else {
            return;
        };
        let standing = |dark: bool| {
            let empty = !position.board().occupied();
            empty.into_iter().find(move |s| s.is_dark() == dark)
        };
        let Some(bare) = standing(from.is_dark()) else { return };
        if from.is_dark() != played.to().is_dark() {
            return;
        }
        // The page before the drop: the piece is over its target, its own square empty, and nothing is marked.
        let mut image = before.image.clone();
        copy(&before.image, from, &mut image, played.to(), &before.map);
        copy(&before.image, bare, &mut image, from, &before.map);
        let glimpse = tracker.move_signs(&frame(&image, 0.0), &played);
        assert!(!glimpse.marked, "{played:?}");
        held += u32::from(glimpse.arrived);
    });
    assert!(held >= 5, "only {held} pieces were seen over their target");
}

#[test]
fn a_look_at_a_move_changes_nothing() {
    let shots = scene("game");
    let mut tracker = tracker(&shots[0]);
    let position = shots[0].position.clone();
    let _ = tracker.step(&frame(&shots[0].image, 0.0), &position);
    let played = "f2f3".parse::<UciMove>().unwrap().to_move(&position).unwrap();
    let glimpse = tracker.move_signs(&frame(&shots[1].image, 50.0), &played);
    // Its marks are not known before a move was seen.
    let unproved = MoveSigns {
        arrived: true,
        marked: false,
        left: true,
        awaited: false,
    };
    assert_eq!(glimpse, unproved);
    let before = MoveSigns {
        arrived: false,
        marked: false,
        left: false,
        awaited: true,
    };
    assert_eq!(tracker.move_signs(&frame(&shots[0].image, 60.0), &played), before);
    // Entered as f2f4, the pawn on f3 is on its way.
    let on_its_way = MoveSigns { left: true, ..before };
    let played = "f2f4".parse::<UciMove>().unwrap().to_move(&position).unwrap();
    assert_eq!(tracker.move_signs(&frame(&shots[1].image, 70.0), &played), on_its_way);
    let same = tracker.step(&frame(&shots[0].image, 100.0), &position);
    assert!(matches!(same, Reading::Unchanged), "{same:?}");
    let reading = tracker.step(&frame(&shots[1].image, 200.0), &position);
    assert_eq!(seen(&reading), Some(vec!["f2f3".to_owned()]));
}
