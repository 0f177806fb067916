//! What the marks of the last move say of a slider that could go on from where it is seen.

use crate::scene::{Shot, after, copy, data, frame, picture, scene, seen, tint, tracker};
use image::RgbaImage;
use shakmaty::{Chess, Piece, Square};
use torres::calibration::Calibration;
use torres::geometry::{BoardMap, BoardRect, Orientation};
use torres::vision::{Reading, Tracker};

const YELLOW: [u8; 3] = [255, 255, 0];

/// The slide scene with its rook of a1 and its black king elsewhere, the king on a light square, and these squares
/// marked.
fn shown(shots: &[Shot], rook: Square, king: Square, marked: &[Square]) -> RgbaImage {
    let (start, map) = (&shots[0].image, &shots[0].map);
    let mut image = start.clone();
    // b4 is bare and dark as a1; b1 is bare and light as e8.
    copy(start, Square::B4, &mut image, Square::A1, map);
    copy(start, Square::B1, &mut image, Square::E8, map);
    let alike = if rook.is_dark() { Square::A1 } else { Square::H1 };
    copy(start, alike, &mut image, rook, map);
    copy(start, Square::E8, &mut image, king, map);
    for square in marked {
        tint(&mut image, *square, map, YELLOW, 0.5);
    }
    image
}

/// After 1. Ra8+ Kd7, both marked while they were the last move: e8, where the king was, is marked.
fn after_a_check(shots: &[Shot]) -> (Tracker, Chess) {
    let mut tracker = tracker(&shots[0]);
    let mut position = shots[0].position.clone();
    tracker.step(&frame(&shots[0].image, 0.0), &position);
    let moves = [
        ("a1a8", shown(shots, Square::A8, Square::E8, &[Square::A1, Square::A8])),
        ("e8d7", shown(shots, Square::A8, Square::D7, &[Square::E8, Square::D7])),
    ];
    for (k, (uci, image)) in moves.iter().enumerate() {
        let reading = tracker.step(&frame(image, 1000.0 * (k + 1) as f64), &position);
        assert_eq!(seen(&reading), Some(vec![(*uci).to_owned()]), "{reading:?}");
        position = after(&position, uci);
    }
    (tracker, position)
}

#[test]
fn a_slider_that_ends_on_a_marked_square_and_could_go_on_is_known_at_once_by_its_own_marks() {
    let shots = scene("slide");
    let (mut tracker, position) = after_a_check(&shots);
    let arrived = shown(&shots, Square::E8, Square::D7, &[Square::A8, Square::E8]);
    let reading = tracker.step(&frame(&arrived, 3000.0), &position);
    assert_eq!(seen(&reading), Some(vec!["a8e8".to_owned()]), "{reading:?}");
}

#[test]
fn a_mark_left_standing_does_not_say_that_a_slider_has_arrived_there() {
    let shots = scene("slide");
    let (tracker, position) = after_a_check(&shots);
    // The page has not marked the move yet; then it marks one that goes on, and the rook is still underway.
    for marked in [[Square::E8, Square::D7], [Square::A8, Square::H8]] {
        let mut tracker = tracker.clone();
        let passing = shown(&shots, Square::E8, Square::D7, &marked);
        let reading = tracker.step(&frame(&passing, 3000.0), &position);
        assert!(matches!(reading, Reading::Moving), "{marked:?}: {reading:?}");
        let arrived = shown(&shots, Square::H8, Square::D7, &[Square::A8, Square::H8]);
        let reading = tracker.step(&frame(&arrived, 3100.0), &position);
        assert_eq!(seen(&reading), Some(vec!["a8h8".to_owned()]), "{reading:?}");
    }
}

/// The foot of a piece in passing may colour the edge of the square under it as a mark does.
#[test]
fn a_square_that_looks_marked_does_not_say_that_a_slider_has_arrived_there_while_its_origin_is_bare() {
    let shots = scene("slide");
    let (mut tracker, position) = after_a_check(&shots);
    let passing = shown(&shots, Square::F8, Square::D7, &[Square::E8, Square::D7, Square::F8]);
    let standing = shown(&shots, Square::A8, Square::D7, &[Square::E8, Square::D7]);
    tracker.step(&frame(&standing, 2984.0), &position);
    for ms in [3000.0, 3016.0, 3033.0] {
        let reading = tracker.step(&frame(&passing, ms), &position);
        assert!(matches!(reading, Reading::Moving), "{ms} ms: {reading:?}");
    }
    let arrived = shown(&shots, Square::H8, Square::D7, &[Square::A8, Square::H8]);
    let reading = tracker.step(&frame(&arrived, 3100.0), &position);
    assert_eq!(seen(&reading), Some(vec!["a8h8".to_owned()]), "{reading:?}");
}

#[test]
fn of_two_moves_in_one_frame_the_last_is_marked_where_moves_are() {
    let shots = scene("slide");
    let (tracker, position) = after_a_check(&shots);
    let both = |marked: [Square; 2]| {
        let image = shown(&shots, Square::H8, Square::C6, &marked);
        tracker.clone().step(&frame(&image, 3000.0), &position)
    };
    let reading = both([Square::D7, Square::C6]);
    let line = vec!["a8h8".to_owned(), "d7c6".to_owned()];
    assert_eq!(seen(&reading), Some(line), "{reading:?}");
    // Something else is going on that the board does not show yet.
    let reading = both([Square::B1, Square::E4]);
    assert!(matches!(reading, Reading::Moving), "{reading:?}");
}

/// An orange knight with a black outline on a red mark, on dark grain: each of its cells is either red enough or dark
/// enough for the square.
#[test]
fn a_piece_that_resembles_its_mark_is_no_empty_square() {
    let calibration = Calibration::load(&data().join("marked/knight-on-red.json")).unwrap();
    let map = BoardMap {
        rect: BoardRect::new(17.99, 18.73, 296.06, 296.6).unwrap(),
        orientation: Orientation::White,
    };
    let read = calibration.appearance.read(&picture("marked/knight-on-red.png"), &map);
    assert_eq!(read.squares[Square::A5].content, Piece::from_char('n'));
    assert_eq!(read.squares[Square::C6].content, None, "the mark alone");
}
