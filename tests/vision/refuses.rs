//! Pictures that must not be believed: what no legal line explains, and what is only on its way.

use crate::scene::{Shot, after, at_rest, copy, frame, scene, seen, slide, tint, tracker};
use image::RgbaImage;
use shakmaty::{Chess, Position, Square};
use torres::vision::{Reading, Tracker};

const YELLOW: [u8; 3] = [255, 255, 51];

/// A tracker that has understood the scene's first frame.
fn awake(shots: &[Shot]) -> (Tracker, Chess) {
    let mut tracker = tracker(&shots[0]);
    let position = shots[0].position.clone();
    tracker.step(&frame(&shots[0].image, 0.0), &position);
    (tracker, position)
}

fn assert_unknown(tracker: &mut Tracker, image: &RgbaImage, position: &Chess, changed: &[Square]) {
    match at_rest(tracker, image, 100.0, position) {
        Reading::Unknown(doubt) => {
            for square in changed {
                assert!(
                    doubt.changed.contains(square),
                    "{square} is missing in {:?}",
                    doubt.changed
                );
            }
            assert!(!doubt.candidates.is_empty());
            assert!(
                doubt.candidates.windows(2).all(|w| w[0].1 <= w[1].1),
                "candidates come best first"
            );
        }
        other => panic!("expected unknown, got {other:?}"),
    }
}

#[test]
fn a_piece_taken_off_is_unknown() {
    let shots = scene("game");
    let (mut tracker, position) = awake(&shots);
    let mut image = shots[0].image.clone();
    copy(&shots[0].image, Square::D5, &mut image, Square::D7, &shots[0].map);
    assert_unknown(&mut tracker, &image, &position, &[Square::D7]);
}

#[test]
fn two_pieces_swapped_are_unknown() {
    let shots = scene("game");
    let (mut tracker, position) = awake(&shots);
    let mut image = shots[0].image.clone();
    // c1 and f8 are dark both; f8's bishop is black.
    copy(&shots[0].image, Square::C1, &mut image, Square::F8, &shots[0].map);
    copy(&shots[0].image, Square::F8, &mut image, Square::C1, &shots[0].map);
    assert_unknown(&mut tracker, &image, &position, &[Square::C1, Square::F8]);
}

#[test]
fn an_impossible_move_is_unknown() {
    let shots = scene("game");
    let (mut tracker, position) = awake(&shots);
    let mut image = shots[0].image.clone();
    // A rook from a1 to a5 through its own pawn.
    copy(&shots[0].image, Square::A1, &mut image, Square::A5, &shots[0].map);
    copy(&shots[0].image, Square::C3, &mut image, Square::A1, &shots[0].map);
    assert_unknown(&mut tracker, &image, &position, &[Square::A1, Square::A5]);
}

#[test]
fn a_piece_that_appears_from_nowhere_is_unknown() {
    let shots = scene("game");
    let (mut tracker, position) = awake(&shots);
    let mut image = shots[0].image.clone();
    copy(&shots[0].image, Square::G1, &mut image, Square::E3, &shots[0].map);
    assert_unknown(&mut tracker, &image, &position, &[Square::E3]);
}

/// The slide scene's picture in which the rook left a1, with a1 and a8 tinted and the rook wherever it is put.
fn rook_on_its_way(shots: &[Shot]) -> RgbaImage {
    let map = &shots[0].map;
    let mut image = shots[0].image.clone();
    // b4 is bare and dark as a1; b1 is bare and light as a8.
    copy(&shots[0].image, Square::B4, &mut image, Square::A1, map);
    tint(&mut image, Square::A1, map, YELLOW, 0.5);
    tint(&mut image, Square::A8, map, YELLOW, 0.5);
    image
}

#[test]
fn a_rook_seen_exactly_over_a_square_it_passes_has_not_moved_there() {
    let shots = scene("slide");
    for (passes, light) in [
        (Square::A4, true),
        (Square::A6, true),
        (Square::A3, false),
        (Square::A7, false),
    ] {
        let (mut tracker, position) = awake(&shots);
        let mut image = rook_on_its_way(&shots);
        let rook = if light { Square::H1 } else { Square::A1 };
        copy(&shots[0].image, rook, &mut image, passes, &shots[0].map);
        let reading = tracker.step(&frame(&image, 100.0), &position);
        assert!(matches!(reading, Reading::Moving), "{passes}: {reading:?}");
        // Frozen there, it is not believed either, and its arrival is.
        let frozen = at_rest(&mut tracker, &image, 200.0, &position);
        assert!(matches!(frozen, Reading::Unknown(_)), "{passes}: {frozen:?}");
        let arrived = tracker.step(&frame(&shots[1].image, 900.0), &position);
        assert_eq!(seen(&arrived), Some(vec!["a1a8".to_string()]));
    }
}

#[test]
fn without_tints_a_piece_in_passing_must_be_seen_there_again() {
    let shots = scene("slide");
    let (mut tracker, position) = awake(&shots);
    let map = &shots[0].map;
    let mut at_a4 = shots[0].image.clone();
    copy(&shots[0].image, Square::B4, &mut at_a4, Square::A1, map);
    let mut at_a6 = at_a4.clone();
    copy(&shots[0].image, Square::H1, &mut at_a4, Square::A4, map);
    copy(&shots[0].image, Square::H1, &mut at_a6, Square::A6, map);
    assert!(matches!(
        tracker.step(&frame(&at_a4, 100.0), &position),
        Reading::Moving
    ));
    // The same animation frame captured twice proves nothing.
    assert!(matches!(
        tracker.step(&frame(&at_a4, 104.0), &position),
        Reading::Moving
    ));
    assert!(matches!(
        tracker.step(&frame(&at_a6, 120.0), &position),
        Reading::Moving
    ));
    assert_eq!(
        seen(&at_rest(&mut tracker, &at_a6, 220.0, &position)),
        Some(vec!["a1a6".to_string()])
    );
}

#[test]
fn a_piece_between_two_squares_is_moving() {
    let shots = scene("slide");
    let (mut tracker, position) = awake(&shots);
    let map = &shots[0].map;
    for dy in [3.0, 6.0, 12.0, 17.0] {
        let mut image = rook_on_its_way(&shots);
        let place = map.square_rect(Square::A5);
        slide(&mut image, &shots[0].image, Square::H1, (place.x, place.y - dy), map);
        let reading = tracker.step(&frame(&image, 100.0 + dy), &position);
        assert!(matches!(reading, Reading::Moving), "{dy} px: {reading:?}");
    }
}

#[test]
fn a_castling_frozen_half_way_is_not_a_move() {
    let shots = scene("slide");
    let map = &shots[0].map;
    let before = shots.iter().position(|s| s.played.as_deref() == Some("e8e7")).unwrap();
    let castled = shots.iter().find(|s| s.played.as_deref() == Some("e1g1")).unwrap();
    let believe = |tracker: &mut Tracker| {
        let mut position = shots[0].position.clone();
        for (k, shot) in shots[..=before].iter().enumerate() {
            if let Reading::Played(s) = tracker.step(&frame(&shot.image, 50.0 * k as f64), &position) {
                position = s.position;
            }
        }
        position
    };
    // King on g1, rook still on h1: the square between is empty.
    let mut tracker_king = tracker(&shots[0]);
    let position = believe(&mut tracker_king);
    let mut image = castled.image.clone();
    copy(&shots[0].image, Square::H1, &mut image, Square::H1, map);
    copy(&shots[0].image, Square::B1, &mut image, Square::F1, map);
    assert_unknown(&mut tracker_king, &image, &position, &[Square::E1, Square::G1]);
    // Rook already on f1, king still on e1, the castling's squares tinted: not the legal rook move.
    let mut tracker_rook = tracker(&shots[0]);
    let position = believe(&mut tracker_rook);
    let mut image = castled.image.clone();
    copy(&shots[0].image, Square::E1, &mut image, Square::E1, map);
    tint(&mut image, Square::E1, map, YELLOW, 0.5);
    copy(&shots[0].image, Square::C1, &mut image, Square::G1, map);
    tint(&mut image, Square::G1, map, YELLOW, 0.5);
    assert_unknown(
        &mut tracker_rook,
        &image,
        &position,
        &[Square::E1, Square::F1, Square::H1],
    );
    // And the castling itself is seen at once.
    let mut tracker_whole = tracker(&shots[0]);
    let position = believe(&mut tracker_whole);
    assert_eq!(
        seen(&tracker_whole.step(&frame(&castled.image, 500.0), &position)),
        Some(vec!["e1g1".into()])
    );
}

#[test]
fn a_rook_has_not_moved_while_its_king_sets_out() {
    let shots = scene("slide");
    let map = &shots[0].map;
    let (mut tracker, position) = awake(&shots);
    let castles = after(&position, "e1g1");
    assert_eq!(
        castles.board().piece_at(Square::F1),
        position.board().piece_at(Square::H1)
    );
    let mut rook_there = shots[0].image.clone();
    copy(&shots[0].image, Square::H1, &mut rook_there, Square::F1, map);
    copy(&shots[0].image, Square::B1, &mut rook_there, Square::H1, map);
    let mut king_stirs = rook_there.clone();
    copy(&shots[0].image, Square::C1, &mut king_stirs, Square::E1, map);
    let r = map.square_rect(Square::E1);
    slide(&mut king_stirs, &shots[0].image, Square::E1, (r.x + 2.0, r.y), map);
    assert!(matches!(
        tracker.step(&frame(&rook_there, 100.0), &position),
        Reading::Moving
    ));
    let reading = tracker.step(&frame(&king_stirs, 193.0), &position);
    assert_eq!(seen(&reading), None, "{reading:?}");
    // The same rook beside a king that stays has moved.
    let (mut tracker, position) = awake(&shots);
    tracker.step(&frame(&rook_there, 100.0), &position);
    let reading = tracker.step(&frame(&rook_there, 193.0), &position);
    assert_eq!(seen(&reading), Some(vec!["h1f1".to_string()]));
}

#[test]
fn premoves_selections_drags_and_dialogs_are_never_moves() {
    let shots = scene("game");
    for (k, shot) in shots
        .iter()
        .enumerate()
        .filter(|(_, s)| ["premove", "select", "drag", "dialog"].contains(&s.kind.as_str()))
    {
        let mut tracker = tracker(&shots[0]);
        let reading = at_rest(&mut tracker, &shot.image, 100.0, &shot.position);
        let moves = seen(&reading).unwrap_or_default();
        assert!(moves.is_empty(), "frame {k} ({}): {moves:?}", shot.kind);
        if ["premove", "select"].contains(&shot.kind.as_str()) {
            assert!(
                matches!(reading, Reading::Stands),
                "frame {k} ({}) shows the position believed: {reading:?}",
                shot.kind
            );
        }
    }
}

/// A pointer with its tip at that place: an arrow that leans to the right, white with a black edge.
fn point_at(image: &mut RgbaImage, (x, y): (f64, f64), height: f64) {
    for (dx, dy) in (0..height as u32).flat_map(|dy| (0..=dy * 2 / 3).map(move |dx| (dx, dy))) {
        let is_edge = dx == 0 || dx == dy * 2 / 3 || dy + 1 == height as u32;
        let level = if is_edge { 0 } else { 255 };
        image.put_pixel(x as u32 + dx, y as u32 + dy, image::Rgba([level, level, level, 255]));
    }
}

/// The first frame with the pawn of e2 on e4, so many pixels beside its place, and a pointer in the middle of it.
fn pawn_under_a_pointer(shots: &[Shot], (dx, dy): (f64, f64), height: f64) -> RgbaImage {
    let (first, map) = (&shots[0].image, &shots[0].map);
    let mut image = first.clone();
    copy(first, Square::E4, &mut image, Square::E2, map);
    let e4 = map.square_rect(Square::E4);
    slide(&mut image, first, Square::E2, (e4.x + dx, e4.y + dy), map);
    let middle = (e4.x + e4.width / 2.0 + dx, e4.y + e4.height / 2.0 + dy);
    point_at(&mut image, middle, height);
    image
}

#[test]
fn a_piece_at_rest_under_a_pointer_is_seen_and_one_that_is_held_over_its_square_is_not() {
    let shots = scene("game");
    let side = shots[0].map.square_rect(Square::E4).width;
    for height in [0.4, 0.5] {
        let (mut tracker, position) = awake(&shots);
        let at_rest_there = pawn_under_a_pointer(&shots, (0.0, 0.0), height * side);
        let reading = at_rest(&mut tracker, &at_rest_there, 100.0, &position);
        assert_eq!(
            seen(&reading),
            Some(vec!["e2e4".to_string()]),
            "under {height}: {reading:?}"
        );
        let eighth = (side / 8.0).round();
        let ways = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
        for ((x, y), steps) in ways.into_iter().flat_map(|way| [(way, 1.0), (way, 2.0), (way, 3.0)]) {
            let (mut tracker, position) = awake(&shots);
            let beside = (steps * eighth * f64::from(x), steps * eighth * f64::from(y));
            let held = pawn_under_a_pointer(&shots, beside, height * side);
            let reading = at_rest(&mut tracker, &held, 100.0, &position);
            assert!(
                !matches!(reading, Reading::Played(_)),
                "held {beside:?} beside e4: {reading:?}"
            );
        }
    }
}

#[test]
fn when_the_board_is_gone_it_is_lost() {
    let shots = scene("game");
    let (mut tracker, position) = awake(&shots);
    let blank = RgbaImage::from_pixel(
        shots[0].image.width(),
        shots[0].image.height(),
        image::Rgba([250, 250, 250, 255]),
    );
    assert!(matches!(at_rest(&mut tracker, &blank, 100.0, &position), Reading::Lost));
    // Back again, it is read on.
    let back = tracker.step(&frame(&shots[0].image, 900.0), &position);
    assert!(matches!(back, Reading::Unchanged | Reading::Stands), "{back:?}");
}

#[test]
fn a_board_that_moved_is_read_at_its_new_place() {
    let shots = scene("game");
    let (mut tracker, position) = awake(&shots);
    let mut image = RgbaImage::from_pixel(400, 420, image::Rgba([90, 90, 90, 255]));
    let next = &shots[1];
    image::imageops::replace(&mut image, &next.image, 70, 55);
    let found = torres::vision::locate(&image);
    let map = torres::geometry::BoardMap {
        rect: found[0].rect,
        ..shots[0].map
    };
    tracker.moved_to(map);
    let uci = next.played.clone().unwrap();
    assert_eq!(
        seen(&tracker.step(&frame(&image, 100.0), &position)),
        Some(vec![uci.clone()])
    );
    assert_eq!(after(&position, &uci), next.position);
}

#[test]
fn a_piece_taken_off_is_unknown_even_where_three_plies_could_make_it_vanish() {
    // Rb4-b3, Qa5xb4 (or to b4), Rb3xb4 would leave nothing but an empty a5.
    let shots = scene("promotions");
    let (mut tracker, position) = awake(&shots);
    let mut image = shots[0].image.clone();
    copy(&shots[0].image, Square::C3, &mut image, Square::A5, &shots[0].map);
    assert_unknown(&mut tracker, &image, &position, &[Square::A5]);
}

#[test]
fn a_rook_that_stays_while_the_king_castles_is_no_move_of_the_rook() {
    let shots = scene("slide");
    let castled = shots.iter().position(|s| s.played.as_deref() == Some("e1g1")).unwrap();
    let before = shots[..castled].iter().rfind(|s| s.kind == "stable").unwrap();
    let (map, position) = (&before.map, &before.position);
    let mut tracker = tracker(before);
    tracker.step(&frame(&before.image, 0.0), position);
    // The rook is over first; the king has left and is between two squares, or under a notice.
    let mut rook = before.image.clone();
    copy(&before.image, Square::H1, &mut rook, Square::F1, map);
    copy(&before.image, Square::F1, &mut rook, Square::H1, map);
    assert!(matches!(tracker.step(&frame(&rook, 100.0), position), Reading::Moving));
    let mut king = rook.clone();
    copy(&before.image, Square::G1, &mut king, Square::E1, map);
    for t in [160.0, 220.0, 300.0, 420.0] {
        let reading = tracker.step(&frame(&king, t), position);
        assert!(
            !matches!(reading, Reading::Stands | Reading::Played(_)),
            "{reading:?} at {t} ms"
        );
    }
}

/// A picture of the first frame with something over these squares through which a piece of another square shows in
/// stripes.
fn papered(shots: &[Shot], squares: &[(Square, Square)]) -> RgbaImage {
    let mut image = shots[0].image.clone();
    for (square, shines_through) in squares {
        copy(&shots[0].image, *shines_through, &mut image, *square, &shots[0].map);
        let r = shots[0].map.square_rect(*square);
        let (left, top, side) = (r.x as u32, r.y as u32, r.width as u32);
        for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (x, y))) {
            if x % 7 < 3 {
                let bright = if y / 4 % 2 == 0 { 250 } else { 10 };
                image.put_pixel(left + x, top + y, image::Rgba([bright, 250 - bright, bright, 255]));
            }
        }
    }
    image
}

#[test]
fn what_covers_squares_for_long_leaves_the_position_as_it_was() {
    let shots = scene("game");
    let covered = [(Square::D4, Square::D8), (Square::E4, Square::E8)];
    let (mut tracker, position) = awake(&shots);
    let reading = at_rest(&mut tracker, &papered(&shots, &covered), 100.0, &position);
    assert!(matches!(reading, Reading::Moving), "{reading:?}");
    // A piece missing beside it is another matter.
    let (mut tracker, position) = awake(&shots);
    let mut image = papered(&shots, &covered);
    copy(&shots[0].image, Square::A4, &mut image, Square::B7, &shots[0].map);
    assert_unknown(&mut tracker, &image, &position, &[Square::B7]);
}
