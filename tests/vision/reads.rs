//! Learning a look and reading squares.

use crate::scene::{Shot, copy, position, scene, tint};
use image::{Rgba, RgbaImage, imageops};
use shakmaty::{Chess, Position, Square};
use torres::geometry::{BoardMap, BoardRect, Orientation};
use torres::vision::appearance::LearnError;
use torres::vision::{Appearance, find_and_read, first_that_reads};

#[test]
fn every_square_of_every_settled_frame_is_read_right_or_called_doubtful() {
    for name in ["game", "promotions", "slide"] {
        let shots = scene(name);
        let appearance = Appearance::learn(&shots[0].image, &shots[0].map, shots[0].position.board()).unwrap();
        let (mut squares, mut doubtful) = (0, 0);
        for shot in shots.iter().filter(|s| s.kind == "stable") {
            let reading = appearance.read(&shot.image, &shot.map);
            for (square, read) in reading.squares.iter() {
                squares += 1;
                if read.doubtful {
                    doubtful += 1;
                } else {
                    assert_eq!(read.content, shot.position.board().piece_at(square), "{name} {square}");
                }
            }
        }
        assert!(
            doubtful * 100 <= squares,
            "{name}: {doubtful} of {squares} squares are doubtful"
        );
    }
}

#[test]
fn a_look_survives_its_file() {
    let shots = scene("game");
    let appearance = Appearance::learn(&shots[0].image, &shots[0].map, shots[0].position.board()).unwrap();
    let text = serde_json::to_string(&appearance).unwrap();
    assert!(text.len() < 100_000, "{} bytes", text.len());
    let again: Appearance = serde_json::from_str(&text).unwrap();
    for shot in shots.iter().step_by(5) {
        assert_eq!(
            again.read(&shot.image, &shot.map),
            appearance.read(&shot.image, &shot.map)
        );
    }
}

#[test]
fn a_damaged_file_is_refused() {
    let shots = scene("slide");
    let appearance = Appearance::learn(&shots[0].image, &shots[0].map, shots[0].position.board()).unwrap();
    let good = serde_json::to_value(&appearance).unwrap();
    for (field, value) in [
        ("/noise", serde_json::json!(1e9)),
        ("/pieces/K/png", serde_json::json!("AAAA")),
        ("/pieces/K/png", serde_json::json!("not base64!")),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(field).unwrap() = value;
        assert!(serde_json::from_value::<Appearance>(bad).is_err(), "{field}");
    }
}

#[test]
fn a_position_that_the_picture_does_not_show_is_refused() {
    let shots = scene("game");
    let first = &shots[0];
    let refused = |map: &BoardMap, fen: &str| {
        let learned = Appearance::learn(&first.image, map, position(fen).board());
        assert!(
            matches!(learned, Err(LearnError::NotThatPosition(_))),
            "{fen}: {learned:?}"
        );
    };
    let turned = BoardMap {
        orientation: Orientation::Black,
        ..first.map
    };
    refused(&turned, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    refused(&first.map, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    refused(&first.map, "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    refused(&first.map, "rnbqkbnr/pppppppp/8/8/3Q4/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1");
}

#[test]
fn a_stated_position_is_refused_where_a_piece_stands_for_which_none_was_stated() {
    let shots = scene("game");
    let first = &shots[0];
    let stated = |fen: &str| Appearance::learn_stated(&first.image, &first.map, &position(fen), true);
    let (_, differs) = stated("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").unwrap();
    assert_eq!(differs, []);
    // No move leads from it to what is shown.
    let elsewhere = stated("rnbqkbnr/pppppppp/8/P7/8/8/1PPPPPPP/RNBQKBNR w KQkq - 0 1").map(|(_, differs)| differs);
    assert!(
        matches!(elsewhere, Err(LearnError::NotThatPosition(_))),
        "{elsewhere:?}"
    );
}

#[test]
fn a_board_that_leaves_the_picture_is_refused() {
    let shots = scene("game");
    let first = &shots[0];
    let map = BoardMap {
        rect: first.map.rect.translated(40.0, 0.0),
        ..first.map
    };
    let learned = Appearance::learn(&first.image, &map, first.position.board());
    assert!(matches!(learned, Err(LearnError::OutOfPicture)), "{learned:?}");
}

#[test]
fn kings_and_queens_are_read_on_the_colour_they_were_not_learned_on() {
    let shots = scene("game");
    let appearance = Appearance::learn(&shots[0].image, &shots[0].map, shots[0].position.board()).unwrap();
    let royal = |shot: &&crate::scene::Shot| {
        let board = shot.position.board();
        let moved = |s: Square| shots[0].position.board().piece_at(s) != board.piece_at(s);
        shot.kind == "stable" && (board.kings() | board.queens()).into_iter().any(moved)
    };
    let mut read = 0;
    for shot in shots.iter().filter(royal) {
        let reading = appearance.read(&shot.image, &shot.map);
        let board = shot.position.board();
        for square in board.kings() | board.queens() {
            if !reading.squares[square].doubtful {
                assert_eq!(reading.squares[square].content, board.piece_at(square), "{square}");
                read += 1;
            }
        }
    }
    assert!(read >= 10, "only {read} kings and queens were read");
}

#[test]
fn a_square_under_a_plain_notice_is_doubtful() {
    let shots = scene("game");
    let first = &shots[0];
    let appearance = Appearance::learn(&first.image, &first.map, first.position.board()).unwrap();
    let mut image = first.image.clone();
    let r = first.map.square_rect(Square::E7);
    for y in r.y as u32..(r.y + r.height) as u32 {
        for x in r.x as u32..(r.x + r.width) as u32 {
            image.put_pixel(x, y, image::Rgba([51, 51, 51, 255]));
        }
    }
    assert!(appearance.read(&image, &first.map).squares[Square::E7].doubtful);
}

#[test]
fn a_piece_taken_off_is_read_as_an_empty_square() {
    let shots = scene("game");
    let first = &shots[0];
    let appearance = Appearance::learn(&first.image, &first.map, first.position.board()).unwrap();
    let mut image = first.image.clone();
    copy(&first.image, Square::D5, &mut image, Square::D7, &first.map);
    let reading = appearance.read(&image, &first.map);
    assert_eq!(reading.squares[Square::D7].content, None);
    assert!(!reading.squares[Square::D7].doubtful);
}

#[test]
fn the_board_that_was_learned_is_found_and_read_wherever_it_lies_and_not_the_small_one_beside_it() {
    let page = crate::scene::picture("page.png");
    let shown = position("rn1qkbnr/ppp2ppp/3p4/4P3/4P1b1/5N2/PPP2PPP/RNBQKB1R b KQkq - 0 4");
    let board = torres::vision::locate(&page)[0].rect;
    let map = BoardMap {
        rect: board,
        orientation: Orientation::Black,
    };
    let appearance = Appearance::learn(&page, &map, shown.board()).unwrap();
    let mut elsewhere = image::RgbaImage::from_pixel(1500, 900, image::Rgba([20, 20, 20, 255]));
    image::imageops::replace(&mut elsewhere, &page, 91, 77);
    let (map, reading) = find_and_read(&elsewhere, &appearance, Orientation::Black).unwrap();
    assert!(map.rect.distance(&board.translated(91.0, 77.0)) <= 1.0);
    assert_eq!(&reading.board(), shown.board());
    assert_eq!(reading.doubtful(), vec![]);
}

/// Where the board lies on a redrawn page, in pixels from either edge.
const CORNER: u32 = 10;

/// A board drawn anew square by square, with these edges, in pixels from its corner on.
fn redrawn(shot: &Shot, edges: &[u32; 9]) -> RgbaImage {
    let side = edges[8] + 2 * CORNER;
    let mut page = RgbaImage::from_pixel(side, side, Rgba([40, 40, 40, 255]));
    for square in Square::ALL {
        let r = shot.map.square_rect(square);
        let (x, y, size) = (r.x as u32, r.y as u32, r.width as u32);
        let piece = imageops::crop_imm(&shot.image, x, y, size, size).to_image();
        let number = |from: f64, corner: f64| ((from - corner) / r.width).round() as usize;
        let (column, row) = (number(r.x, shot.map.rect.x()), number(r.y, shot.map.rect.y()));
        let (width, height) = (edges[column + 1] - edges[column], edges[row + 1] - edges[row]);
        let drawn = imageops::resize(&piece, width, height, imageops::FilterType::Triangle);
        let (x, y) = (CORNER + edges[column], CORNER + edges[row]);
        imageops::replace(&mut page, &drawn, x.into(), y.into());
    }
    page
}

#[test]
fn squares_that_a_page_draws_a_pixel_larger_or_smaller_than_they_measure_are_read() {
    let shots = scene("game");
    let start = shots.iter().find(|s| s.position == Chess::default()).unwrap();
    for whole in [22, 26, 30, 34] {
        let at = |side: f64| BoardMap {
            rect: BoardRect::new(f64::from(CORNER), f64::from(CORNER), side, side).unwrap(),
            orientation: start.map.orientation,
        };
        let even = redrawn(start, &std::array::from_fn(|k| whole * k as u32));
        let appearance = Appearance::learn(&even, &at(f64::from(8 * whole)), start.position.board()).unwrap();
        // Half a pixel more: this page rounds every edge down, where we round to the nearest.
        let size = f64::from(whole) + 0.5;
        let page = redrawn(start, &std::array::from_fn(|k| (size * k as f64).floor() as u32));
        let reading = appearance.read(&page, &at(8.0 * size));
        for (square, read) in reading.squares.iter() {
            assert!(!read.doubtful, "{square} of {size} px");
            assert_eq!(
                read.content,
                start.position.board().piece_at(square),
                "{square} of {size} px"
            );
        }
    }
}

#[test]
fn the_first_board_is_read_though_a_notice_lies_over_it_unless_it_hides_the_most() {
    let shots = scene("slide");
    let (shot, map) = (&shots[0].image, shots[0].map);
    let appearance = Appearance::learn(shot, &map, shots[0].position.board()).unwrap();
    let beside = BoardMap {
        rect: map.rect.translated(f64::from(shot.width()), 0.0),
        ..map
    };
    let mut picture = RgbaImage::new(2 * shot.width(), shot.height());
    imageops::replace(&mut picture, shot, i64::from(shot.width()), 0);
    for (ranks, expected) in [(1, map), (4, beside)] {
        imageops::replace(&mut picture, shot, 0, 0);
        let hidden = Square::ALL.into_iter().filter(|s| u32::from(s.rank()) < ranks);
        hidden.for_each(|s| tint(&mut picture, s, &map, [0; 3], 1.0));
        let (found, _) = first_that_reads(&picture, &appearance, [map, beside].into_iter()).unwrap();
        assert_eq!(found.rect, expected.rect, "{ranks} ranks hidden");
    }
}
