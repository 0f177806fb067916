//! What a game teaches while it goes on: animations, positions of before, pieces that were learned under a cursor.

use crate::scene::{Shot, at_rest, copy, frame, scene, seen, slide, tracker};
use image::imageops::FilterType;
use image::{Rgba, RgbaImage};
use shakmaty::{Board, CastlingMode, Chess, Color, Move, Piece, Position, Role, Square};
use torres::geometry::{BoardMap, BoardRect, FramePx};
use torres::picture::text;
use torres::vision::appearance::{Relearning, index};
use torres::vision::tracker::{Learned, examine};
use torres::vision::{Appearance, OwnSide, Reading, RecallKind, Tracker};

/// Follows a scene's settled frames, one every 100 ms; the tracker, the position, and the time after.
fn followed(shots: &[Shot]) -> (Tracker, Chess, f64) {
    let mut tracker = tracker(&shots[0]);
    let (mut position, mut ms) = (shots[0].position.clone(), 0.0);
    for shot in shots.iter().filter(|shot| shot.kind == "stable") {
        if let Reading::Played(explained) = tracker.step(&frame(&shot.image, ms), &position) {
            position = explained.position;
        }
        assert_eq!(position.board(), shot.position.board());
        ms += 100.0;
    }
    (tracker, position, ms)
}

/// A tracker with the same look and marks, taught what a file has kept, or nothing.
fn another(tracker: &Tracker, taught: Option<Learned>) -> Tracker {
    let fresh = Tracker::new(tracker.appearance().clone(), *tracker.map()).with_marks(tracker.marks().cloned());
    match taught {
        Some(taught) => fresh.with_learned(taught),
        None => fresh,
    }
}

fn through_a_file(taught: &Learned) -> Learned {
    let text = serde_json::to_string(taught).unwrap();
    let read: Learned = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), text);
    read
}

/// A slider's move to an empty square of the same colour from which it could go on.
fn a_slide(position: &Chess) -> Move {
    let slides = position.legal_moves().into_iter().filter(|m| {
        let (from, to) = (m.from().unwrap(), m.to());
        let goes_on =
            |other: &Move| other.from() == Some(from) && shakmaty::attacks::between(from, other.to()).contains(to);
        matches!(m.role(), Role::Queen | Role::Rook | Role::Bishop)
            && !m.is_capture()
            && from.is_dark() == to.is_dark()
            && position.legal_moves().iter().any(goes_on)
    });
    slides.into_iter().next().expect("the test's own scene has a slide")
}

/// The picture after a move between two squares of one colour.
fn after_move(image: &RgbaImage, map: &BoardMap, board: &Board, m: &Move) -> RgbaImage {
    let (from, to) = (m.from().unwrap(), m.to());
    let bare = (!board.occupied())
        .into_iter()
        .find(|s| s.is_dark() == from.is_dark() && *s != to);
    let mut after = image.clone();
    copy(image, from, &mut after, to, map);
    copy(image, bare.unwrap(), &mut after, from, map);
    after
}

#[test]
fn on_a_board_that_never_animated_a_single_frame_of_a_slide_is_believed() {
    let shots = scene("promotions");
    let (tracker, position, ms) = followed(&shots);
    let last = shots.iter().rev().find(|shot| shot.kind == "stable").unwrap();
    let slide = a_slide(&position);
    let image = after_move(&last.image, &last.map, position.board(), &slide);
    let believes = |mut tracker: Tracker| {
        tracker.step(&frame(&last.image, ms), &position);
        seen(&tracker.step(&frame(&image, ms + 100.0), &position))
    };
    assert_eq!(believes(another(&tracker, None)), None, "it may be passing");
    // Each side has made four moves; ten make sure.
    let mut taught = serde_json::to_value(tracker.learned()).unwrap();
    for side in ["white", "black"] {
        let counts = &mut taught["motions"]["sides"][side];
        assert_eq!((&counts["sudden"], &counts["animated"]), (&4.into(), &0.into()));
        counts["sudden"] = 10.into();
    }
    let taught: Learned = serde_json::from_value(taught).unwrap();
    let expected = Some(vec![slide.to_uci(CastlingMode::Standard).to_string()]);
    assert_eq!(believes(another(&tracker, Some(through_a_file(&taught)))), expected);
}

#[test]
fn a_frame_that_did_not_come_alone_is_waited_for_whatever_was_taught() {
    let shots = scene("promotions");
    let (tracker, position, ms) = followed(&shots);
    let last = shots.iter().rev().find(|shot| shot.kind == "stable").unwrap();
    let slide = a_slide(&position);
    let image = after_move(&last.image, &last.map, position.board(), &slide);
    let mut taught = serde_json::to_value(tracker.learned()).unwrap();
    for side in ["white", "black"] {
        taught["motions"]["sides"][side]["sudden"] = 10.into();
    }
    let mut tracker = another(&tracker, Some(serde_json::from_value(taught).unwrap()));
    tracker.step(&frame(&last.image, ms), &position);
    let shown = frame(&image, ms + 100.0);
    tracker.looked_before(shown.at, std::time::Duration::from_millis(8));
    assert!(matches!(tracker.step(&shown, &position), Reading::Moving));
}

#[test]
fn what_was_shown_some_plies_ago_is_a_takeback_also_from_a_file_and_never_a_line() {
    let shots = scene("game");
    let stable: Vec<&Shot> = shots.iter().filter(|shot| shot.kind == "stable").collect();
    let moves: Vec<usize> = (0..stable.len()).filter(|k| stable[*k].played.is_some()).collect();
    let until = moves[5];
    let mut tracker = tracker(&shots[0]);
    let mut position = shots[0].position.clone();
    for (k, shot) in stable[..=until].iter().enumerate() {
        let reading = tracker.step(&frame(&shot.image, 100.0 * k as f64), &position);
        if let Reading::Played(explained) = reading {
            position = explained.position;
        }
    }
    assert_eq!(position.board(), stable[until].position.board());
    for back in 1..=3 {
        let earlier = stable[moves[5 - back]];
        let recalled = |mut tracker: Tracker| match at_rest(&mut tracker, &earlier.image, 5000.0, &position) {
            Reading::Recalled(recall) => Some((recall.kind, recall.line.len(), recall.position)),
            _ => None,
        };
        let (kind, line, shown) = recalled(tracker.clone()).unwrap_or_else(|| panic!("{back} plies back"));
        assert_eq!((kind, line), (RecallKind::Takeback(back), 0));
        assert_eq!(shown.board(), earlier.position.board());
        let taught = through_a_file(&tracker.learned());
        let again = recalled(another(&tracker, Some(taught)));
        assert_eq!(again.map(|(kind, ..)| kind), Some(kind));
        assert!(
            recalled(another(&tracker, None)).is_none(),
            "nobody told it of the past"
        );
    }
}

#[test]
fn a_takeback_and_a_slide_that_followed_it_are_known_once_no_piece_can_be_on_its_way() {
    let shots = scene("promotions");
    let stable: Vec<&Shot> = shots.iter().filter(|shot| shot.kind == "stable").collect();
    let (tracker, position, ms) = followed(&shots);
    let earlier = stable[stable.len() - 3];
    let slide = a_slide(&earlier.position);
    let image = after_move(&earlier.image, &earlier.map, earlier.position.board(), &slide);
    let mut tracker = tracker.showing_every_change();
    let readings = [0.0, 130.0, 2000.0].map(|later| tracker.step(&frame(&image, ms + later), &position));
    let says = readings.each_ref().map(|reading| match reading {
        Reading::Moving => "moving",
        Reading::Unknown(_) => "unknown",
        Reading::Recalled(_) => "recalled",
        _ => "another",
    });
    assert_eq!(says, ["moving", "unknown", "recalled"], "{readings:?}");
}

/// The slide scene with its rook of a1 and its black king at these ranks of their files, or between two.
fn underway(shots: &[Shot], rook: f64, king: f64) -> RgbaImage {
    let (start, map) = (&shots[0].image, &shots[0].map);
    let mut image = start.clone();
    // b4 is bare and dark as a1; b1 is bare and light as e8.
    copy(start, Square::B4, &mut image, Square::A1, map);
    copy(start, Square::B1, &mut image, Square::E8, map);
    for (piece, ranks) in [(Square::A1, rook - 1.0), (Square::E8, king - 8.0)] {
        let r = map.square_rect(piece);
        slide(&mut image, start, piece, (r.x, r.y - ranks * r.height), map);
    }
    image
}

#[test]
fn pieces_that_went_home_together_were_taken_back_unless_torres_has_moved_one_of_them() {
    let shots = scene("slide");
    let last = |own| {
        let mut tracker = tracker(&shots[0]);
        let mut position = shots[0].position.clone();
        tracker.step(&frame(&shots[0].image, 0.0), &position);
        for (ms, rook, king) in [(1000.0, 4.0, 8.0), (2000.0, 4.0, 7.0)] {
            match at_rest(&mut tracker, &underway(&shots, rook, king), ms, &position) {
                Reading::Played(explained) => position = explained.position,
                other => panic!("{other:?}"),
            }
        }
        tracker.expect_own(own);
        at_rest(&mut tracker, &underway(&shots, 1.0, 8.0), 3000.0, &position)
    };
    let taken_back =
        |reading: &Reading| matches!(reading, Reading::Recalled(found) if found.kind == RecallKind::Takeback(2));
    assert!(taken_back(&last(None)), "{:?}", last(None));
    let white = |entered| {
        Some(OwnSide {
            color: Color::White,
            entered,
            chosen: false,
        })
    };
    assert!(taken_back(&last(white(None))));
    let rook = Move::Normal {
        role: Role::Rook,
        from: Square::A4,
        capture: None,
        to: Square::A1,
        promotion: None,
    };
    let moved = last(white(Some(rook)));
    assert_eq!(
        seen(&moved),
        Some(vec!["a4a1".to_owned(), "e7e8".to_owned()]),
        "{moved:?}"
    );
}

#[test]
fn a_motion_begins_when_the_piece_sets_out_on_its_own_square() {
    let shots = scene("slide");
    let mut tracker = tracker(&shots[0]);
    let mut position = shots[0].position.clone();
    tracker.step(&frame(&shots[0].image, 0.0), &position);
    // Two moves, each over two frames after it was first seen under way.
    let taught = [
        (1.9, 8.0),
        (2.8, 8.0),
        (4.0, 8.0),
        (4.0, 8.0),
        (4.0, 7.4),
        (4.0, 7.2),
        (4.0, 7.0),
    ];
    // The third one is first seen on its own square; it could go on to a8.
    let last = [(4.25, 7.0), (5.2, 7.0), (6.0, 7.0)];
    let mut moves = Vec::new();
    for (k, (rook, king)) in taught.into_iter().chain(last).enumerate() {
        let shown = frame(&underway(&shots, rook, king), 100.0 * (k + 1) as f64);
        if let Reading::Played(explained) = tracker.step(&shown, &position) {
            moves.extend(
                explained
                    .line
                    .iter()
                    .map(|m| (k, m.to_uci(CastlingMode::Standard).to_string())),
            );
            position = explained.position;
        }
    }
    let expected = [(3, "a1a4"), (6, "e8e7"), (9, "a4a6")];
    assert_eq!(moves, expected.map(|(k, uci)| (k, uci.to_owned())));
}

#[test]
fn a_piece_that_is_known_before_it_rests_is_learned_at_rest() {
    let shots = scene("slide");
    let mut tracker = tracker(&shots[0]);
    let mut position = shots[0].position.clone();
    // The king has stood on light squares only.
    let seen_on_dark = |tracker: &Tracker| {
        let appearance = serde_json::to_value(tracker.appearance()).unwrap();
        appearance["pieces"]["k"]["seen_on"]["dark"] == true
    };
    tracker.step(&frame(&shots[0].image, 0.0), &position);
    let mut shows = |ms: f64, king: f64| {
        if let Reading::Played(explained) = tracker.step(&frame(&underway(&shots, 4.0, king), ms), &position) {
            position = explained.position;
        }
        (position.fullmoves().get(), seen_on_dark(&tracker))
    };
    assert_eq!(shows(400.0, 8.0), (1, false));
    assert_eq!(shows(800.0, 7.03), (2, false), "known, and still on its way");
    assert_eq!(shows(816.0, 7.0), (2, false));
    assert_eq!(shows(1000.0, 7.0), (2, true));
}

/// A line around a square, two pixels from its edge.
fn framed(image: &RgbaImage, map: &BoardMap, square: Square) -> RgbaImage {
    let (mut image, r) = (image.clone(), map.square_rect(square));
    let (x, y, side) = (r.x as u32, r.y as u32, r.width as u32);
    for k in 2..side - 2 {
        for (dx, dy) in [(k, 2), (k, side - 3), (2, k), (side - 3, k)] {
            image.put_pixel(x + dx, y + dy, Rgba([225, 87, 45, 255]));
        }
    }
    image
}

#[test]
fn a_piece_that_was_first_seen_under_a_mark_is_learned_anew_when_the_mark_has_gone() {
    let shots = scene("slide");
    let moved = underway(&shots, 4.0, 7.0);
    let marked = framed(&moved, &shots[0].map, Square::E7);
    // Whether the king was seen on dark squares, and what he costs there without a mark.
    let costs = |shown: &RgbaImage| {
        let mut tracker = tracker(&shots[0]);
        let mut position = shots[0].position.clone();
        let (before, after) = (underway(&shots, 4.0, 8.0), underway(&shots, 5.0, 7.0));
        let frames = [&shots[0].image, &before, shown, shown, &after, &after];
        let mut costs = Vec::new();
        for (k, image) in frames.into_iter().enumerate() {
            if let Reading::Played(explained) = tracker.step(&frame(image, 400.0 * k as f64), &position) {
                position = explained.position;
            }
            let appearance = serde_json::to_value(tracker.appearance()).unwrap();
            let scores = tracker.appearance().reader(tracker.map()).scores(&after, Square::E7);
            let is_known = appearance["pieces"]["k"]["seen_on"]["dark"] == true;
            costs.push((is_known, scores.cost[index(Piece::from_char('k'))]));
        }
        costs
    };
    let (with, without) = (costs(&marked), costs(&moved));
    assert!(
        with[3].0 && with[3].1 > without[3].1,
        "learned under the mark: {with:?}"
    );
    assert_eq!(with[5], without[5]);
}

#[test]
fn of_two_knights_the_one_that_has_just_moved_is_not_learned_from() {
    let shots = scene("game");
    let (start, map) = (&shots[0].image, &shots[0].map);
    let mut image = start.clone();
    copy(start, Square::G1, &mut image, Square::C3, map);
    copy(start, Square::E4, &mut image, Square::B1, map);
    let mut board = shots[0].position.board().clone();
    board.discard_piece_at(Square::B1);
    let knight = board.piece_at(Square::G1).unwrap();
    board.set_piece_at(Square::C3, knight);
    let cost = |image: &RgbaImage| {
        let appearance = Appearance::learn(image, map, &board).unwrap();
        appearance.reader(map).scores(start, Square::G1).cost[index(Some(knight))]
    };
    assert_eq!(cost(&framed(&image, map, Square::C3)), cost(&image));
}

const CURSOR: Rgba<u8> = Rgba([240, 240, 240, 255]);

/// A cursor over a quarter of a square.
fn pointed_at(image: &RgbaImage, map: &BoardMap, square: Square) -> RgbaImage {
    let (mut image, r) = (image.clone(), map.square_rect(square));
    let (x, y, side) = (r.x as u32, r.y as u32, r.width as u32);
    for dy in 0..side / 2 {
        for dx in 0..=dy * 2 / 3 {
            image.put_pixel(x + side / 3 + dx, y + side / 3 + dy, CURSOR);
        }
    }
    image
}

#[test]
fn a_king_learned_under_a_cursor_is_learned_anew_when_it_looks_otherwise_again_and_again() {
    let shots = scene("game");
    let (clean, map, board) = (&shots[0].image, &shots[0].map, shots[0].position.board());
    let king = board.king_of(shakmaty::Color::Black).unwrap();
    let k = index(board.piece_at(king));
    let mut appearance = Appearance::learn(&pointed_at(clean, map, king), map, board).unwrap();
    let cost = |appearance: &Appearance| appearance.reader(map).scores(clean, king).cost[k];
    let before = cost(&appearance);
    let mut relearning = Relearning::default();
    // Each time in another position.
    let without = |square: Square| {
        let mut board = board.clone();
        board.discard_piece_at(square);
        board
    };
    assert!(!relearning.take(&mut appearance, clean, map, board, shakmaty::Bitboard::EMPTY));
    assert!(!relearning.take(
        &mut appearance,
        clean,
        map,
        &without(Square::A2),
        shakmaty::Bitboard::EMPTY
    ));
    // What was seen so far comes along in evidence.
    let text = serde_json::to_string(&relearning).unwrap();
    let mut relearning: Relearning = serde_json::from_str(&text).unwrap();
    assert!(relearning.take(
        &mut appearance,
        clean,
        map,
        &without(Square::B2),
        shakmaty::Bitboard::EMPTY
    ));
    let after = cost(&appearance);
    assert!(after < before / 4.0, "{before} before, {after} after");
    // It is believed now, and a cursor that comes by teaches nothing more.
    for _ in 0..3 {
        assert!(!relearning.take(&mut appearance, clean, map, board, shakmaty::Bitboard::EMPTY));
    }
    for _ in 0..4 {
        assert!(!relearning.take(
            &mut appearance,
            &pointed_at(clean, map, king),
            map,
            board,
            shakmaty::Bitboard::EMPTY
        ));
    }
    assert_eq!(cost(&appearance), after);
}

/// A square under a blue that lets what stands there show but faintly, as a page colours a selection.
fn overlaid(image: &RgbaImage, map: &BoardMap, square: Square) -> RgbaImage {
    let (mut image, r) = (image.clone(), map.square_rect(square));
    for y in r.y as u32..(r.y + r.height) as u32 {
        for x in r.x as u32..(r.x + r.width) as u32 {
            let Rgba([red, green, blue, _]) = *image.get_pixel(x, y);
            let over = |below: u8, above: u16| ((u16::from(below) + 4 * above) / 5) as u8;
            image.put_pixel(x, y, Rgba([over(red, 10), over(green, 70), over(blue, 200), 255]));
        }
    }
    image
}

#[test]
fn a_king_under_a_pages_colour_is_not_learned_anew_however_long_it_lies_there() {
    let shots = scene("game");
    let (clean, map, board) = (&shots[0].image, &shots[0].map, shots[0].position.board());
    let king = board.king_of(shakmaty::Color::Black).unwrap();
    let k = index(board.piece_at(king));
    let mut appearance = Appearance::learn(clean, map, board).unwrap();
    let cost = |appearance: &Appearance| appearance.reader(map).scores(clean, king).cost[k];
    let before = cost(&appearance);
    let (mut relearning, under) = (Relearning::default(), overlaid(clean, map, king));
    for without in [None, Some(Square::A2), Some(Square::B2), Some(Square::C2)] {
        let mut board = board.clone();
        without.into_iter().for_each(|square| {
            board.discard_piece_at(square);
        });
        assert!(!relearning.take(&mut appearance, &under, map, &board, shakmaty::Bitboard::EMPTY));
    }
    assert_eq!(cost(&appearance), before);
}

#[test]
fn coordinates_written_over_pieces_are_not_learned_with_them() {
    let shots = scene("game");
    let (small, board) = (&shots[0].image, shots[0].position.board());
    // Twice the size, so that digits are those of a usual board.
    let clean = &image::imageops::resize(small, 2 * small.width(), 2 * small.height(), FilterType::Triangle);
    let rect = shots[0].map.rect;
    let [x, y, width, height] = [rect.x(), rect.y(), rect.width(), rect.height()].map(|v| 2.0 * v);
    let map = &BoardMap {
        rect: BoardRect::new(x, y, width, height).unwrap(),
        ..shots[0].map
    };
    let mut lettered = clean.clone();
    let plain = Appearance::learn(clean, map, board).unwrap().plain();
    let edge = Square::ALL.into_iter().filter(|s| s.file() == shakmaty::File::A);
    for square in edge {
        let r = map.square_rect(square);
        let [red, green, blue] = plain[usize::from(square.is_light())].map(|v| v as u8);
        // Bold, as most sites have them.
        for (dx, dy) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
            let at = FramePx {
                x: r.x + 0.01 * r.width + dx,
                y: r.y - 0.02 * r.height + dy,
            };
            // One letter for all: thin ones are too small to be told from the edge of something else.
            text(&mut lettered, at, 0.3 * r.width, Rgba([red, green, blue, 255]), "8");
        }
    }
    let of = |image: &RgbaImage| Appearance::learn(image, map, board).unwrap();
    let (with, without) = (of(&lettered), of(clean));
    for square in board.rooks() & shakmaty::Bitboard::from(shakmaty::File::A) {
        let k = index(board.piece_at(square));
        // As it looks in the middle of the board.
        let cost = |appearance: &Appearance| appearance.reader(map).scores(clean, square).cost[k];
        assert!(
            cost(&with) <= cost(&without) + 0.004,
            "{square}: {} with letters, {} without",
            cost(&with),
            cost(&without)
        );
    }
}

#[test]
fn empty_squares_under_a_notice_of_about_their_colour_are_doubtful() {
    let shots = scene("game");
    let (clean, map, position) = (&shots[0].image, &shots[0].map, &shots[0].position);
    let appearance = Appearance::learn(clean, map, position.board()).unwrap();
    let [light, dark] = appearance.plain();
    let between: Vec<u8> = (0..3).map(|c| ((light[c] + dark[c]) / 2) as u8).collect();
    let covered = [Square::C4, Square::D4, Square::E4, Square::C5, Square::D5, Square::E5];
    let mut image = clean.clone();
    for square in covered {
        assert_eq!(position.board().piece_at(square), None::<Piece>);
        let r = map.square_rect(square);
        for (x, y) in (0..r.height as u32).flat_map(|y| (0..r.width as u32).map(move |x| (x, y))) {
            let color = Rgba([between[0], between[1], between[2], 255]);
            image.put_pixel(r.x as u32 + x, r.y as u32 + y, color);
        }
    }
    let seen = examine(&appearance, &image, map, position, None).seen;
    for square in covered {
        assert!(seen.reading.squares[square].doubtful, "{square} may hold anything");
    }
    // A tint lets the difference between light and dark shine through.
    let mut tinted = clean.clone();
    for square in covered {
        crate::scene::tint(&mut tinted, square, map, [255, 255, 51], 0.5);
    }
    let seen = examine(&appearance, &tinted, map, position, None).seen;
    for square in covered {
        assert!(!seen.reading.squares[square].doubtful, "{square} is only tinted");
    }
}
