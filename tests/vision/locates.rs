//! Finding boards in whole pages and around a board.

use crate::drawn::{Rgb, Style, WHITE, board, checkers, coordinates, page, rectangle};
use crate::scene::{picture, scene};
use image::imageops::FilterType;
use image::{Rgba, RgbaImage, imageops};
use torres::geometry::{BoardRect, FramePx, Orientation};
use torres::picture::text;
use torres::vision::locate;
use torres::vision::locate::{find_again, still_there};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const WOOD: [Rgb; 2] = [[240, 217, 181], [181, 136, 99]];

/// Both boards of `page.png`, by the renderer.
fn truth() -> [BoardRect; 2] {
    let rect = |x, y, side| BoardRect::new(x, y, side, side).unwrap();
    [rect(330.36, 150.61, 480.0), rect(860.0, 560.0, 184.0)]
}

#[test]
fn both_boards_of_a_page_are_found_within_a_pixel_the_large_one_first() {
    let found = locate(&picture("page.png"));
    assert_eq!(found.len(), 2, "{found:?}");
    for (board, truth) in found.iter().zip(truth()) {
        assert!(board.rect.distance(&truth) <= 1.0, "{:?} is not {truth:?}", board.rect);
    }
    assert!(found[0].score > found[1].score);
    assert_eq!(found[0].orientation, Some(Orientation::Black));
    assert_eq!(found[1].orientation, Some(Orientation::White));
}

#[test]
fn a_page_with_a_checkered_advertisement_has_no_board() {
    assert_eq!(locate(&picture("page-without-board.png")), vec![]);
}

#[test]
fn checker_patterns_larger_or_smaller_than_a_board_are_none() {
    for (columns, rows) in [(12, 12), (10, 8), (8, 10), (9, 9), (7, 8), (8, 6)] {
        let image = RgbaImage::from_fn(700, 700, |x, y| {
            let (i, j) = ((x as i64 - 40).div_euclid(50), (y as i64 - 40).div_euclid(50));
            let inside = (0..columns).contains(&i) && (0..rows).contains(&j);
            match (inside, (i + j) % 2 == 0) {
                (false, _) => Rgba([255, 255, 255, 255]),
                (true, true) => Rgba([230, 57, 70, 255]),
                // Some content in some cells, as an advertisement has.
                (true, false) if (x / 7 + y / 5) % 9 == 0 && i == j + 1 => Rgba([10, 10, 10, 255]),
                (true, false) => Rgba([241, 250, 238, 255]),
            }
        });
        assert_eq!(locate(&image), vec![], "{columns}×{rows} cells");
    }
}

#[test]
fn the_board_is_found_in_every_frame_of_a_game_whatever_lies_over_it() {
    for name in ["game", "promotions", "slide"] {
        for (k, shot) in scene(name).iter().enumerate() {
            let found = locate(&shot.image);
            let near = found.first().map(|f| f.rect.distance(&shot.map.rect));
            assert!(near.is_some_and(|d| d <= 1.0), "{name} {k} ({}): {found:?}", shot.kind);
        }
    }
}

#[test]
fn a_board_on_which_squares_are_framed_is_still_where_it_was() {
    // KDE's Knights frames where a lifted queen may go, at the border too.
    let was = BoardRect::new(17.0, 17.0, 280.0, 280.0).unwrap();
    for name in [
        "programs/knights-queen-lifted.png",
        "programs/knights-queen-lifted-2.png",
    ] {
        let shown = picture(name);
        assert_eq!(still_there(&shown, &was), Some(was), "{name}");
        let aside = was.translated(2.0, 0.0);
        assert_ne!(still_there(&shown, &aside), Some(aside), "{name}");
    }
}

/// Strong grain between black lines: 23 of 49 crossings are seen.
#[test]
fn a_board_that_was_found_is_still_there_where_fewer_of_its_edges_are_seen() {
    let (shown, was) = (
        picture("grain-between-lines.png"),
        BoardRect::new(20.0, 20.0, 320.0, 320.0).unwrap(),
    );
    let found = still_there(&shown, &was).expect("the board");
    assert!(found.distance(&was) < 0.5, "{found:?}");
    let aside = BoardRect::new(32.0, 8.0, 320.0, 320.0).unwrap();
    assert_eq!(still_there(&shown, &aside), None);
}

#[test]
fn a_board_is_still_there_exactly_after_a_small_move_and_not_after_a_large_one() {
    let page = picture("page.png");
    let [was, _] = truth();
    let exact = locate(&page)[0].rect;
    assert_eq!(
        still_there(&page, &exact),
        Some(exact),
        "an unmoved board must not jitter"
    );
    let by = |dx: i64, dy: i64| {
        let mut moved = RgbaImage::from_pixel(page.width(), page.height(), Rgba([40, 40, 40, 255]));
        imageops::replace(&mut moved, &page, dx, dy);
        moved
    };
    let near = still_there(&by(1, -1), &exact).expect("one pixel is near");
    assert!(near.distance(&was.translated(1.0, -1.0)) <= 1.0, "{near:?}");
    assert_eq!(still_there(&by(25, 13), &exact), None);
    assert_eq!(still_there(&picture("page-without-board.png"), &exact), None);
}

/// Asserts that the best board of a picture is this one, White at the bottom.
fn assert_best(image: &RgbaImage, truth: &BoardRect, what: &str) {
    let found = locate(image);
    let best = found.first().unwrap_or_else(|| panic!("{what}: no board"));
    assert!(
        best.rect.distance(truth) <= 1.0,
        "{what}: {:?} is not {truth:?}",
        best.rect
    );
    assert_eq!(best.orientation, Some(Orientation::White), "{what}");
}

#[test]
fn boards_of_faint_alike_or_shaded_squares_and_with_lines_between_are_found() {
    let plain = Style::plain;
    let lines = |width, color| Style {
        gap: (width, color),
        ..plain([225, 230, 235], [140, 162, 173])
    };
    let styles = [
        ("faint light", plain([238; 3], [221; 3])),
        ("faint dark", plain([43; 3], [51; 3])),
        ("of one brightness", plain([184, 199, 255], [255, 189, 178])),
        (
            "shaded towards their edges",
            Style {
                shade: 40,
                ..plain([224, 247, 250], [178, 235, 242])
            },
        ),
        ("with a thin line", lines(1, [0; 3])),
        ("with a thick line", lines(3, WHITE)),
    ];
    for (what, style) in styles {
        for (square, background) in [(33, WHITE), (75, style.squares[1]), (140, [22, 21, 18])] {
            let mut image = page(8 * square + 230, 8 * square + 90, background);
            let truth = board(&mut image, (101, 47), square, START, style);
            assert_best(
                &image,
                &truth,
                &format!("squares {what}, {square} px on {background:?}"),
            );
        }
    }
}

/// A banner of squares as wide as the board's, right beside its frame: with it the board seemed a part of a larger
/// pattern.
#[test]
fn a_board_beside_an_advertisement_whose_squares_are_as_wide_is_found() {
    let ad = [[241, 250, 238], [230, 57, 70]];
    let side = 8 * 34;
    for (what, corner, squares) in [
        ("below", (100, 105 + side), (8, 2)),
        ("above", (100, 95 - 2 * 34), (8, 2)),
        ("to the right", (105 + side, 100), (2, 8)),
        ("to the left", (95 - 2 * 34, 100), (2, 8)),
    ] {
        let mut image = page(500, 500, WHITE);
        let frame = f64::from(side) + 10.0;
        rectangle(&mut image, [95.0, 95.0, frame, frame], [120, 72, 34]);
        let truth = board(
            &mut image,
            (100, 100),
            34,
            START,
            Style::plain([160, 144, 176], [125, 72, 140]),
        );
        // Its first square is bright where the board's own pattern would go on with one.
        checkers(&mut image, corner, 34, squares, ad);
        assert_best(&image, &truth, what);
    }
}

#[test]
fn a_notice_over_whole_rows_hides_neither_the_board_nor_its_rank() {
    for rows in [2.7..4.3, 6.2..7.1] {
        let mut image = page(1000, 700, WHITE);
        let truth = board(&mut image, (80, 80), 60, START, Style::plain(WOOD[0], WOOD[1]));
        let small = board(&mut image, (620, 300), 45, START, Style::plain(WHITE, [115, 149, 82]));
        let (top, height) = (80.0 + 60.0 * rows.start, 60.0 * (rows.end - rows.start));
        rectangle(&mut image, [60.0, top, 460.0, height], [40; 3]);
        let found = locate(&image);
        assert_eq!(found.len(), 2, "{rows:?}: {found:?}");
        assert!(found[0].rect.distance(&truth) <= 1.0, "{rows:?}: {found:?}");
        assert!(found[1].rect.distance(&small) <= 1.0, "{rows:?}: {found:?}");
    }
}

#[test]
fn transparency_patterns_banners_tables_and_a_board_cut_off_are_none() {
    let gray = [[204; 3], WHITE];
    let mut nothing: Vec<(String, RgbaImage)> = Vec::new();
    for cell in [8, 10, 16, 20, 40] {
        let mut image = page(900, 700, WHITE);
        checkers(&mut image, (60, 40), cell, (800 / cell, 600 / cell), gray);
        // A picture on the pattern.
        rectangle(&mut image, [300.0, 220.0, 320.0, 240.0], [72, 136, 204]);
        nothing.push((format!("transparency of {cell} px"), image));
    }
    let mut banner = page(700, 600, [237, 235, 233]);
    checkers(&mut banner, (100, 60), 56, (8, 8), [[230, 57, 70], [241, 250, 238]]);
    rectangle(&mut banner, [180.0, 250.0, 300.0, 80.0], [29, 53, 87]);
    for k in 0..8 {
        rectangle(&mut banner, [200.0 + 34.0 * f64::from(k), 270.0, 20.0, 40.0], WHITE);
    }
    nothing.push(("a banner".into(), banner));
    let mut table = page(800, 600, WHITE);
    for k in 0..9 {
        let at = 50.0 + 60.0 * f64::from(k);
        rectangle(&mut table, [50.0, at, 480.0, 1.0], [190; 3]);
        rectangle(&mut table, [at, 50.0, 1.0, 480.0], [190; 3]);
        rectangle(&mut table, [58.0, at + 20.0, 30.0, 12.0], [40; 3]);
    }
    nothing.push(("a table".into(), table));
    let mut whole = page(600, 600, WHITE);
    board(&mut whole, (60, 60), 60, START, Style::plain(WOOD[0], WOOD[1]));
    let cut = imageops::crop_imm(&whole, 0, 0, 520, 600).to_image();
    nothing.push(("a board cut off".into(), cut));
    for (what, image) in nothing {
        assert_eq!(locate(&image), vec![], "{what}");
    }
}

#[test]
fn coordinates_tell_the_orientation_where_pieces_do_not() {
    for bottom in Orientation::ALL {
        let style = Style {
            bottom,
            ..Style::plain(WOOD[0], WOOD[1])
        };
        for square in [40, 64, 100] {
            let mut image = page(8 * square + 200, 8 * square + 200, [48, 46, 43]);
            // Passed armies: by its pieces this board seems turned the other way.
            let rect = board(&mut image, (100, 60), square, "4K3/2P5/8/8/8/8/5p2/3k4", style);
            assert_eq!(locate(&image)[0].orientation, None, "{square} px");
            coordinates(&mut image, &rect, bottom, [200; 3]);
            assert_eq!(locate(&image)[0].orientation, Some(bottom), "{square} px");
            // A player's name below the first files.
            let below = FramePx {
                x: 102.0,
                y: rect.y() + rect.height() + 0.5 * rect.width() / 8.0,
            };
            text(
                &mut image,
                below,
                0.28 * rect.width() / 8.0,
                Rgba([200, 200, 200, 255]),
                "S. Miller, attempt 1",
            );
            assert_eq!(locate(&image)[0].orientation, Some(bottom), "{square} px, words below");
        }
    }
}

#[test]
fn a_board_is_found_again_where_its_page_moved_or_was_zoomed() {
    let view = |x: u32, y: u32, square: u32| {
        let mut image = page(1100, 800, [48, 46, 43]);
        let rect = board(&mut image, (x, y), square, START, Style::plain(WOOD[0], WOOD[1]));
        board(&mut image, (820, 20), 26, START, Style::plain(WOOD[0], WOOD[1]));
        (image, rect)
    };
    let (image, was) = view(100, 100, 60);
    assert!(find_again(&image, &was).is_some_and(|r| r.distance(&was) <= 1.0));
    for (x, y, square) in [
        (101, 99, 60),
        (160, 130, 60),
        (300, 300, 60),
        (90, 92, 66),
        (20, 20, 90),
        (140, 140, 40),
    ] {
        let (image, now) = view(x, y, square);
        let found = find_again(&image, &was);
        assert!(found.is_some_and(|r| r.distance(&now) <= 1.0), "{now:?}: {found:?}");
    }
    assert_eq!(find_again(&page(1100, 800, WHITE), &was), None);
}

#[test]
fn a_board_scaled_by_a_fraction_is_found_within_a_pixel() {
    let (width, height) = (700.0, 600.0);
    let mut image = page(width as u32, height as u32, [237, 235, 233]);
    let rect = board(&mut image, (90, 60), 60, START, Style::plain(WOOD[0], WOOD[1]));
    for scale in [0.61, 0.87, 1.13, 1.5, 1.93] {
        let (w, h) = ((width * scale) as u32, (height * scale) as u32);
        let scaled = imageops::resize(&image, w, h, FilterType::Triangle);
        let (sx, sy) = (f64::from(w) / width, f64::from(h) / height);
        let truth = BoardRect::new(rect.x() * sx, rect.y() * sy, rect.width() * sx, rect.height() * sy).unwrap();
        assert_best(&scaled, &truth, &format!("scale {scale}"));
    }
}

#[test]
fn the_start_position_tells_the_orientation_and_passed_armies_do_not() {
    let orientation = |name: &str| locate(&scene(name)[0].image)[0].orientation;
    assert_eq!(orientation("game"), Some(scene("game")[0].map.orientation));
    assert_eq!(orientation("promotions"), None);
}
