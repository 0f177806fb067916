//! Finding boards in whole pages and around a board.

use crate::scene::{picture, scene};
use image::{Rgba, RgbaImage, imageops};
use torres::geometry::{BoardRect, Orientation};
use torres::vision::locate;
use torres::vision::locate::still_there;

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

#[test]
fn start_positions_tell_the_orientation() {
    for name in ["game", "promotions"] {
        let shots = scene(name);
        let found = locate(&shots[0].image);
        let expected = (name == "game").then_some(shots[0].map.orientation);
        if expected.is_some() {
            assert_eq!(found[0].orientation, expected);
        }
    }
}
