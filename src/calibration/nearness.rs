//! How far lines beside the board are from where pages name the opponent.

use super::clocks::{apart, place_tells_whose};
use super::suspicion::toolbars;
use image::RgbaImage;
use torres_geometry::{BoardRect, FrameRect};
use torres_vision::joined::Area;

/// A name over the board is no higher above it than this, in boards, and reaches beyond its sides by no more than that.
const ABOVE: f64 = 0.15;
const BEYOND: f64 = 0.1;
/// Or, over a small board, by so many pixels: the card around both has as much room.
const BEYOND_PX: f64 = 48.0;
/// A bar over the window's whole width ends where this share of a row of pixels differs from the row above it, by more than
/// so many levels.
const BAR_END: (f64, u8) = (0.8, 8);
/// What lies elsewhere comes after all that lies over or beside the board, in boards.
pub(super) const ELSEWHERE: f64 = 4.0;
/// A name that belongs to a clock is no farther above or below it than so many times its height, and no farther beside
/// it than once its width.
const BY_CLOCK: f64 = 2.5;
/// How far a name before a clock in a table's row counts, in boards: what stands right beside the board comes before it.
const NAMED_IN_ROW: f64 = 0.3;
/// What stands below the board is no farther than so many boards: some pages name the bot there.
const BELOW: f64 = 0.3;

/// How unlikely it is that a line of a picture with these clocks names the opponent, in boards: what belongs to a clock comes
/// before what lies as near, and a toolbar's words come last.
pub(super) fn distances<'a>(
    picture: &RgbaImage,
    board: &'a BoardRect,
    clocks: Option<[FrameRect; 2]>,
) -> impl Fn(&Area) -> f64 + 'a {
    let is_of_toolbar = toolbars(picture, board);
    let bars_end = bars_end(picture, board);
    move |line| {
        let rect = line.rect();
        let far = far(line, board, bars_end);
        match &clocks {
            Some(clocks) if is_by_clock(&rect, clocks, board) => far / 2.0,
            Some(clocks) if is_in_row_of(&rect, clocks, board) => NAMED_IN_ROW,
            _ if is_of_toolbar(&rect).is_some() => ELSEWHERE + far,
            _ => far,
        }
    }
}

/// How unlikely it is that an area names the opponent: its distance from the board's upper side, in boards. An area
/// that lies neither over the board nor beside it counts as farther by [`ELSEWHERE`], and so does one beside it that stands
/// in a bar above this row of pixels.
fn far(area: &Area, board: &BoardRect, bars_end: usize) -> f64 {
    let (left, right) = (area.left as f64, area.right as f64);
    let middle = (area.top + area.bottom) as f64 / 2.0;
    let down = (middle - board.y()) / board.height();
    let aside = (left - (board.x() + board.width())).max(board.x() - right) / board.width();
    let beyond = (board.x() - left).max(right - board.x() - board.width()) / board.width();
    match aside > 0.0 {
        // Beside the board a name may stand a good way down, with clock and buttons around it.
        true if (-ABOVE..0.5).contains(&down) && area.bottom >= bars_end => aside + down.abs() / 2.0,
        // A header reaches beyond the board's sides; a browser's bars are not right above it.
        false if (-ABOVE..0.0).contains(&down) && beyond <= BEYOND.max(BEYOND_PX / board.width()) => -down,
        _ => ELSEWHERE + down.abs() + aside.max(0.0),
    }
}

/// Whether an area lies right below the board.
pub(super) fn is_below(area: &Area, board: &BoardRect) -> bool {
    let across = apart(area.left as f64, area.width() as f64, board.x(), board.width());
    let down = (area.top as f64 - board.y()) / board.height();
    across <= 0.0 && (1.0..1.0 + BELOW).contains(&down)
}

/// Where the bars over the window's whole width end above the board, as a browser's do and a site's header: the row of
/// pixels below them, 0 where there are none.
fn bars_end(picture: &RgbaImage, board: &BoardRect) -> usize {
    let (share, levels) = BAR_END;
    let (width, above) = (picture.width(), (board.y().max(1.0) as u32).min(picture.height()) - 1);
    let differs = |x: u32, y: u32| {
        let (here, over) = (picture.get_pixel(x, y).0, picture.get_pixel(x, y - 1).0);
        (0..3).any(|channel| here[channel].abs_diff(over[channel]) > levels)
    };
    let ends = |y: &u32| (0..width).filter(|x| differs(*x, *y)).count() as f64 >= share * f64::from(width);
    (1..above).rev().find(ends).unwrap_or(0) as usize
}

/// Whether a rectangle belongs to the opponent's clock, or to either where it is not known which that is.
fn is_by_clock(rect: &FrameRect, clocks: &[FrameRect; 2], board: &BoardRect) -> bool {
    let theirs = if place_tells_whose(clocks, board.height()) {
        &clocks[..1]
    } else {
        &clocks[..]
    };
    theirs.iter().any(|clock| {
        apart(rect.x, rect.width, clock.x, clock.width) <= clock.width
            && apart(rect.y, rect.height, clock.y, clock.height) <= BY_CLOCK * clock.height
    })
}

/// Whether a rectangle stands in the row of a table that ends in a clock, where the clocks do not tell whose they are: one
/// below the other they are of two players that are named before them.
fn is_in_row_of(rect: &FrameRect, clocks: &[FrameRect; 2], board: &BoardRect) -> bool {
    let is_level = |clock: &FrameRect| {
        let middle = clock.y + clock.height / 2.0;
        (rect.y..rect.y + rect.height).contains(&middle)
            && apart(rect.x, rect.width, clock.x, clock.width) <= board.width()
    };
    !place_tells_whose(clocks, board.height()) && clocks.iter().any(is_level)
}
