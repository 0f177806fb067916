//! Finds a page's two clocks beside the board: when calibrating, and again when they have moved.

use super::drawings::{EDGE, FAINT_EDGE, drawings_beside};
use image::RgbaImage;
use torres_geometry::{BoardRect, FrameRect};
use torres_vision::clock::ClockText;

/// Characters of both clocks are of one size: their heights differ by at most this share.
const ONE_SIZE: f64 = 0.15;
/// Where one clock is this far above the other, in boards, each stands at its own side of the board.
const ABOVE: f64 = 0.1;
/// One below the other in a table, they are this far from each other at least, in their heights.
const ROWS: f64 = 1.2;
/// Of clocks in one line, one is this far to the left of the other, in boards.
const ASIDE: f64 = 0.3;
/// Clocks are no farther from the board than this, in boards.
const NEAR: f64 = 1.0;

/// So many words before a place in its line, and as many in the line above or below, are an article's.
const ARTICLE_WORDS: usize = 6;
/// An article's words are no farther from each other than this, in the place's heights.
const ARTICLE_GAP: f64 = 2.0;
/// An article's lines are so far from each other, in the place's heights.
const ARTICLE_LINES: std::ops::RangeInclusive<f64> = 0.8..=2.5;

/// A digit's segments are no farther from each other than this, to the side and from above to below, compared with the
/// higher of two; to the side that reaches the next digit's. (A judgement, on clocks of a page of our own.)
const SEGMENTS: (f64, f64) = (0.9, 0.12);
/// The highest digit, in pixels.
const HIGHEST: f64 = 120.0;

/// Around the digits, in their heights, room is looked at too: digits come and go, and a page may have been moved a
/// little.
const ROOM: (f64, f64) = (3.2, 0.6);

/// The two clocks of a page, as far as they can be told: best one over the other, else the only two of one size, in two
/// rows of a table, or in one line. `None` where there are not two of one size.
pub fn propose_clocks(picture: &RgbaImage, board: &BoardRect) -> Option<[FrameRect; 2]> {
    let segments = || of_segments(drawings_beside(picture, board, FAINT_EDGE));
    let words = drawings_beside(picture, board, EDGE);
    propose_of(picture, board, &words, &words).or_else(|| propose_of(picture, board, &segments(), &words))
}

/// The same of clocks that stand at some of these places, among these words.
fn propose_of(
    picture: &RgbaImage,
    board: &BoardRect,
    places: &[FrameRect],
    words: &[FrameRect],
) -> Option<[FrameRect; 2]> {
    let pairs = pairs(picture, board, places, words);
    let is_over = |pair: &[FrameRect; 2]| place_tells_whose(pair, board.height());
    let aligned = |[upper, lower]: &[FrameRect; 2]| {
        let right = |clock: &FrameRect| clock.x + clock.width;
        (upper.x - lower.x).abs().min((right(upper) - right(lower)).abs())
    };
    let is_alone = |pair: &[FrameRect; 2]| {
        let others = pairs.iter().filter(|other| other[0] == pair[0] && other[1] != pair[0]);
        others.count() == 1
    };
    let is_in_rows = |pair: &[FrameRect; 2]| {
        pair[1].y - pair[0].y >= ROWS * pair[0].height && aligned(pair) <= pair[0].height && is_alone(pair)
    };
    let is_beside = |[left, right]: &[FrameRect; 2]| {
        (left.y - right.y).abs() <= left.height / 2.0 && right.x - left.x >= ASIDE * board.width()
    };
    let cost = |pair: &[FrameRect; 2]| {
        let [upper, lower] = pair;
        // A list of moves and their times has smaller digits than a clock.
        let high = 4.0 * (upper.height + lower.height) / board.height();
        let aligned = if is_over(pair) {
            aligned(pair) / board.width()
        } else {
            0.0
        };
        far(upper, board) + far(lower, board) + aligned - high
    };
    let best = |is: &dyn Fn(&[FrameRect; 2]) -> bool| {
        let all = pairs.iter().filter(|pair| is(pair));
        all.min_by(|a, b| cost(a).total_cmp(&cost(b))).copied()
    };
    best(&is_over)
        .or_else(|| best(&is_in_rows))
        .or_else(|| best(&is_beside))
}

/// Whether the place of two clocks says whose they are: the upper one is of the side at the top. `high` is the board's
/// height. Of others it shows only in a game, by which of them runs.
pub fn place_tells_whose([upper, lower]: &[FrameRect; 2], high: f64) -> bool {
    lower.y - upper.y >= ABOVE * high
}

/// How far two stretches, each with its start and its length, are from each other; negative where they overlap.
pub(super) fn apart(start: f64, length: f64, other_start: f64, other_length: f64) -> f64 {
    (other_start - start - length).max(start - other_start - other_length)
}

/// What may be digits of large segments, each of them a drawing of its own: drawings that nearly touch from above to
/// below, and stand as near beside each other as a line's characters.
fn of_segments(drawings: Vec<FrameRect>) -> Vec<FrameRect> {
    let belong = |one: &FrameRect, other: &FrameRect| {
        let high = one.height.max(other.height);
        apart(one.x, one.width, other.x, other.width) <= SEGMENTS.0 * high
            && apart(one.y, one.height, other.y, other.height) <= SEGMENTS.1 * high
    };
    let mut parts = drawings;
    parts.retain(|part| part.height <= HIGHEST);
    let mut lines = Vec::new();
    while let Some(part) = parts.pop() {
        let mut line = vec![part];
        let mut at = 0;
        while at < line.len() {
            let (near, rest) = parts.into_iter().partition(|other| belong(&line[at], other));
            line.extend::<Vec<_>>(near);
            (parts, at) = (rest, at + 1);
        }
        lines.extend(line.into_iter().reduce(joined));
    }
    lines.retain(|line| line.height <= HIGHEST);
    lines
}

/// The rectangle around two.
fn joined(one: FrameRect, other: FrameRect) -> FrameRect {
    let (x, y) = (one.x.min(other.x), one.y.min(other.y));
    FrameRect {
        x,
        y,
        width: (one.x + one.width).max(other.x + other.width) - x,
        height: (one.y + one.height).max(other.y + other.height) - y,
    }
}

/// Pairs of what is built like a clock and of one size, near the board, and in no article that these words make.
fn pairs(picture: &RgbaImage, board: &BoardRect, places: &[FrameRect], words: &[FrameRect]) -> Vec<[FrameRect; 2]> {
    let mut clocks: Vec<FrameRect> = Vec::new();
    for drawing in places {
        let Some((_, place)) = clock_at(picture, drawing) else {
            continue;
        };
        if !clocks.contains(&place) && far(&place, board) <= NEAR && !is_in_article(&place, words) {
            clocks.push(place);
        }
    }
    let are_of_one_size =
        |a: &FrameRect, b: &FrameRect| (a.height - b.height).abs() / a.height.max(b.height) <= ONE_SIZE;
    let all = clocks.iter().flat_map(|a| clocks.iter().map(move |b| [*a, *b]));
    all.filter(|[a, b]| are_of_one_size(a, b)).collect()
}

/// Whether those of the words that stand around a place are an article's.
fn is_in_article(place: &FrameRect, words: &[FrameRect]) -> bool {
    let middle = |rect: &FrameRect| rect.y + rect.height / 2.0;
    let lines_away = |rect: &FrameRect| (middle(rect) - middle(place)) / place.height;
    let mut before: Vec<&FrameRect> = words
        .iter()
        .filter(|other| lines_away(other).abs() < 0.5 && other.x + other.width <= place.x)
        .collect();
    before.sort_by(|a, b| b.x.total_cmp(&a.x));
    let mut left = place.x;
    let in_line = before.into_iter().take_while(|word| {
        let follows = left - word.x - word.width <= ARTICLE_GAP * place.height;
        left = word.x;
        follows
    });
    if in_line.count() < ARTICLE_WORDS {
        return false;
    }
    let is_among = |rect: &FrameRect| rect.x + rect.width > left && rect.x < place.x + place.width;
    [-1.0, 1.0].into_iter().any(|down| {
        let next_line = words
            .iter()
            .filter(|other| ARTICLE_LINES.contains(&(down * lines_away(other))));
        next_line.filter(|other| is_among(other)).count() >= ARTICLE_WORDS
    })
}

/// A clock's characters and the room around them that belongs to it, in whole pixels.
pub fn around_clock(place: &FrameRect) -> FrameRect {
    let high = place.height.min(place.width / 2.0);
    let (beside, above) = (ROOM.0 * high, ROOM.1 * high);
    let (left, top) = ((place.x - beside).floor(), (place.y - above).floor());
    FrameRect {
        x: left,
        y: top,
        width: (place.x + place.width + beside - left).ceil(),
        height: (place.y + place.height + above - top).ceil(),
    }
}

/// The clock that stands at `place` in a picture, and where its characters stand now.
pub fn clock_at(picture: &RgbaImage, place: &FrameRect) -> Option<(ClockText, FrameRect)> {
    let around = around_clock(place);
    let (left, top) = (around.x.max(0.0), around.y.max(0.0));
    let right = (around.x + around.width).min(f64::from(picture.width()));
    let bottom = (around.y + around.height).min(f64::from(picture.height()));
    if right <= left || bottom <= top {
        return None;
    }
    let size = ((right - left) as u32, (bottom - top) as u32);
    let region = torres_frame::crop(picture, (left as u32, top as u32), size);
    let about = FrameRect {
        x: place.x - left,
        y: place.y - top,
        ..*place
    };
    let line = ClockText::find(&region, &about)?;
    let (x, y, width, height) = line.place;
    let stands = FrameRect {
        x: left + f64::from(x),
        y: top + f64::from(y),
        width: f64::from(width),
        height: f64::from(height),
    };
    Some((line, stands))
}

/// How far a rectangle is from the board, in boards.
fn far(rect: &FrameRect, board: &BoardRect) -> f64 {
    let beyond = |from: f64, to: f64, low: f64, high: f64| (low - to).max(from - high).max(0.0);
    let aside = beyond(rect.x, rect.x + rect.width, board.x(), board.x() + board.width());
    let over = beyond(rect.y, rect.y + rect.height, board.y(), board.y() + board.height());
    aside.hypot(over) / board.width()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_picture as picture;
    use torres_vision::clock::Mark;

    /// Their upper left corners, measured by eye.
    fn stand_at(clocks: &[FrameRect; 2], x: f64, y: [f64; 2]) {
        for (clock, y) in clocks.iter().zip(y) {
            assert!((clock.x - x).abs() < 4.0 && (clock.y - y).abs() < 4.0, "{clock:?}");
        }
    }

    /// Their size, measured by eye.
    fn are_as_large(clocks: &[FrameRect; 2], width: f64, height: f64) {
        for clock in clocks {
            assert!(
                (clock.width - width).abs() < 6.0 && (clock.height - height).abs() < 4.0,
                "{clock:?}"
            );
        }
    }

    /// A table beside the board, of which each row is a colour's, drawn by a page of our own.
    #[test]
    fn clocks_in_two_rows_of_a_table_are_proposed_and_their_place_says_nothing() {
        let picture = picture("clocks-in-rows.png");
        let board = BoardRect::new(50.0, 32.0, 480.0, 480.0).unwrap();
        let clocks = propose_clocks(&picture, &board).expect("two clocks");
        stand_at(&clocks, 876.0, [52.0, 90.0]);
        assert!(!place_tells_whose(&clocks, board.height()));
    }

    /// A page of our own: slanted segments, dim red on black, with unlit ones before them.
    #[test]
    fn clocks_of_large_dim_segments_are_proposed() {
        let picture = picture("clocks-of-dim-segments.png");
        let board = BoardRect::new(34.0, 60.0, 496.0, 496.0).unwrap();
        let clocks = propose_clocks(&picture, &board).expect("two clocks");
        stand_at(&clocks, 726.0, [54.0, 411.0]);
        are_as_large(&clocks, 250.0, 97.0);
        assert!(place_tells_whose(&clocks, board.height()));
    }

    /// A running clock of a page of our own: dark digits on green that darkens downwards.
    #[test]
    fn a_clock_on_a_slope_of_colours_is_seen() {
        let picture = picture("clock-on-a-slope.png");
        let place = FrameRect {
            x: 35.0,
            y: 27.0,
            width: 46.0,
            height: 14.0,
        };
        let (line, stands) = clock_at(&picture, &place).expect("4:59");
        let is_digit = |mark: &Mark| matches!(mark, Mark::Digit(_));
        let digits: Vec<bool> = line.marks.iter().map(is_digit).collect();
        assert_eq!(digits, [true, false, true, true]);
        assert!((stands.x - place.x).abs() <= 1.0 && (stands.y - place.y).abs() <= 1.0);
    }

    /// Reported (a school's page): a frame so near to the digits that all of it lies in the room around them.
    #[test]
    fn clocks_in_narrow_frames_are_proposed_without_them() {
        let (ground, ink) = (image::Rgba([255, 253, 240, 255]), image::Rgba([36, 48, 78, 255]));
        let mut page = RgbaImage::from_pixel(700, 620, ground);
        for y in [40.0, 560.0] {
            let frame = FrameRect {
                x: 401.0,
                y,
                width: 75.0,
                height: 24.0,
            };
            torres_picture::outline(&mut page, frame, 2.0, ink);
            let at = torres_geometry::FramePx { x: 413.0, y: y + 3.0 };
            torres_picture::text(&mut page, at, 18.0, ink, "15:00");
        }
        let board = BoardRect::new(80.0, 90.0, 400.0, 400.0).unwrap();
        let clocks = propose_clocks(&page, &board).expect("two clocks");
        for (clock, y) in clocks.iter().zip([40.0, 560.0]) {
            assert!(clock.x > 403.0 && clock.x + clock.width < 474.0, "{clock:?}");
            assert!(clock.y > y + 2.0 && clock.y + clock.height < y + 22.0, "{clock:?}");
        }
    }

    /// A page with gchessboard, whose clocks stand in cards beside names, both near the board's upper corner.
    #[test]
    fn clocks_in_cards_one_below_the_other_are_proposed() {
        let picture = picture("clocks-in-cards.png");
        let board = BoardRect::new(20.0, 16.4, 560.0, 558.3).unwrap();
        let clocks = propose_clocks(&picture, &board).expect("two clocks");
        stand_at(&clocks, 790.0, [40.0, 140.0]);
        are_as_large(&clocks, 62.0, 19.0);
    }

    /// Reported (an evening paper's chess corner): a word that stands twice in an article was taken for two clocks.
    #[test]
    fn words_of_an_article_beside_the_board_are_no_clocks() {
        let board = BoardRect::new(472.0, 90.0, 264.0, 264.0).unwrap();
        assert_eq!(propose_clocks(&picture("article-beside-the-board.png"), &board), None);
    }
}
