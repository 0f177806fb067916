//! Boards whose squares do not touch: tiles with gaps between them, discs, or tiles with round corners.
//!
//! No edge is shared there, and no corner. But the squares of one colour are patches of one size that lie in rows and
//! columns, and half or all of the sixty-four places of eight rows and columns have one.

use super::unchequered::{UNEVEN, evenly_spaced, frequent_colors, is_ground};
use image::RgbaImage;
use torres_geometry::BoardRect;

/// How many of the picture's most frequent colours may be those of squares: two, beside the page, pieces and marks.
const COLORS: usize = 6;

/// The least side of a tile, in pixels.
const SMALLEST: usize = 15;

/// How many pixels tiles of one size may differ, and lie aside of their row or column: pages round.
const RAGGED: usize = 2;

/// A tile's gap is no wider than this, in tiles.
const WIDEST_GAP: f64 = 0.5;

/// The least number of tiles: of one colour there are 32, of which marks and notices may hide some.
const FEWEST: usize = 24;

/// The least number of bare tiles of a board that is known to lie about there: it has 32 bare squares or more.
const FEWEST_BARE: usize = 16;

/// The least number of bare tiles in a row between the armies of a game that begins: one piece has moved at most.
const BARE_IN_ROW: usize = 7;

/// Of so many tiles of one colour one may lie on a square of the other: a mark may have that colour.
const MIXED: usize = 8;

/// A patch of one colour: its middle and its sides, in pixels.
#[derive(Clone, Copy, Debug)]
struct Tile {
    middle: (f64, f64),
    size: (usize, usize),
    /// Which of the picture's colours it has.
    color: usize,
}

impl Tile {
    fn is_as_large_as(&self, other: &Tile) -> bool {
        self.size.0.abs_diff(other.size.0) <= RAGGED && self.size.1.abs_diff(other.size.1) <= RAGGED
    }
}

/// The board that most tiles show.
pub fn find(image: &RgbaImage) -> Option<BoardRect> {
    let sizes = of_sizes(image);
    let boards = sizes.iter().filter_map(|tiles| board(tiles));
    boards.max_by_key(|(count, _)| *count).map(|(_, rect)| rect)
}

/// A board of tiles that is known to lie about there: where its bare tiles say. In a game few rows may have any.
pub fn find_again(image: &RgbaImage, was: &BoardRect) -> Option<BoardRect> {
    let period = (was.width() / 8.0, was.height() / 8.0);
    let least = period.0 / (1.0 + WIDEST_GAP) - RAGGED as f64;
    let is_of_board = |tiles: &&Vec<Tile>| (least..=period.0 + RAGGED as f64).contains(&(tiles[0].size.0 as f64));
    let tiles = of_sizes(image)
        .into_iter()
        .filter(|tiles| is_of_board(&tiles))
        .max_by_key(Vec::len)?;
    // Which place each tile has, and how far it lies aside of it.
    let along = |at: f64, from: f64, period: f64| {
        let nth = ((at - from) / period - 0.5).round();
        (nth, at - from - (nth + 0.5) * period)
    };
    let places: Vec<[(f64, f64); 2]> = tiles
        .iter()
        .map(|tile| {
            [
                along(tile.middle.0, was.x(), period.0),
                along(tile.middle.1, was.y(), period.1),
            ]
        })
        .collect();
    let aside = [0, 1].map(|axis| {
        let mut all: Vec<f64> = places.iter().map(|place| place[axis].1).collect();
        let middle = all.len() / 2;
        *all.select_nth_unstable_by(middle, f64::total_cmp).1
    });
    let lies_there = |place: &[(f64, f64); 2]| {
        let [x, y] = [0, 1].map(|axis| {
            let (nth, by) = place[axis];
            (0.0..8.0).contains(&nth) && (by - aside[axis]).abs() <= RAGGED as f64
        });
        x && y
    };
    let there: Vec<(usize, (usize, usize))> = tiles
        .iter()
        .zip(&places)
        .filter(|(_, place)| lies_there(place))
        .map(|(tile, [x, y])| (tile.color, (x.0 as usize, y.0 as usize)))
        .collect();
    let agree = there.len();
    let is_there = agree >= FEWEST_BARE && (tiles.len() - agree) * MIXED <= tiles.len() && is_chequered(&there);
    is_there.then(|| was.translated(aside[0], aside[1]))
}

/// All tiles, those of one size together.
fn of_sizes(image: &RgbaImage) -> Vec<Vec<Tile>> {
    let colors = frequent_colors(image, COLORS).into_iter().enumerate();
    let tiles: Vec<Tile> = colors.flat_map(|color| of_color(image, color)).collect();
    let mut sizes: Vec<Vec<Tile>> = Vec::new();
    for tile in tiles {
        match sizes.iter_mut().find(|of_size| of_size[0].is_as_large_as(&tile)) {
            Some(of_size) => of_size.push(tile),
            None => sizes.push(vec![tile]),
        }
    }
    sizes
}

/// All that is about as wide as high and has one colour.
fn of_color(image: &RgbaImage, (color, levels): (usize, [u8; 3])) -> Vec<Tile> {
    let shown: Vec<bool> = image.pixels().map(|pixel| is_ground(pixel.0, levels)).collect();
    let area = shown.iter().filter(|shown| **shown).count();
    // What fills most of the picture is the page, and what fills little of it no board.
    if !(FEWEST * SMALLEST * SMALLEST..=shown.len() / 2).contains(&area) {
        return Vec::new();
    }
    let joined = crate::joined::joined(&shown, image.width() as usize, (1, 1));
    let tiles = joined.into_iter().filter_map(|patch| {
        let (area, size) = (patch.area, (patch.area.width(), patch.area.height()));
        let is_square = size.0.abs_diff(size.1) <= RAGGED && size.0 >= SMALLEST;
        let middle = (
            (area.left + area.right + 1) as f64 / 2.0,
            (area.top + area.bottom + 1) as f64 / 2.0,
        );
        is_square.then_some(Tile { middle, size, color })
    });
    tiles.collect()
}

/// The board that tiles of one size show, and how many of them do.
fn board(tiles: &[Tile]) -> Option<(usize, BoardRect)> {
    if tiles.len() < FEWEST {
        return None;
    }
    let side = tiles[0].size.0 as f64;
    let of_axis = |of: fn(&Tile) -> f64| rows(tiles.iter().map(of).collect());
    let (across, down) = (of_axis(|tile| tile.middle.0), of_axis(|tile| tile.middle.1));
    let across = eight(&across, side)?;
    let down = eight(&down, side).or_else(|| middle_four(&down, across.period))?;
    let is_even = (across.period / down.period - 1.0).abs() <= UNEVEN;
    let lie_there = tiles.iter().filter_map(|tile| {
        let place = (across.nth(tile.middle.0)?, down.nth(tile.middle.1)?);
        Some((tile.color, place))
    });
    let places: Vec<(usize, (usize, usize))> = lie_there.collect();
    let count = places.len();
    let rect = BoardRect::new(
        across.first - across.period / 2.0,
        down.first - down.period / 2.0,
        8.0 * across.period,
        8.0 * down.period,
    )
    .ok()?;
    let is_board = is_even && (FEWEST..=64).contains(&count) && is_chequered(&places);
    is_board.then_some((count, rect))
}

/// Whether tiles of one colour lie on squares of one colour: those of a table do not.
fn is_chequered(places: &[(usize, (usize, usize))]) -> bool {
    let mut of_colors = [[0; 2]; COLORS];
    for (color, (column, row)) in places {
        of_colors[*color][(column + row) % 2] += 1;
    }
    of_colors
        .iter()
        .all(|[one, other]| one.min(other) * MIXED <= *one.max(other))
}

/// Eight places along one axis.
struct Rows {
    first: f64,
    period: f64,
}

impl Rows {
    /// Which of them a middle has, if it has one.
    fn nth(&self, middle: f64) -> Option<usize> {
        let at = (middle - self.first) / self.period;
        let lies_there = (-0.5..7.5).contains(&at) && (at - at.round()).abs() * self.period <= RAGGED as f64;
        lies_there.then(|| at.round() as usize)
    }
}

/// The middles along one axis in which tiles lie in a row, in order, and how many each row has.
fn rows(mut middles: Vec<f64>) -> Vec<(f64, usize)> {
    middles.sort_by(f64::total_cmp);
    let mut found: Vec<(f64, usize)> = Vec::new();
    for middle in middles {
        match found.last_mut() {
            Some((of_row, count)) if middle - *of_row <= RAGGED as f64 => {
                *of_row += (middle - *of_row) / (*count + 1) as f64;
                *count += 1;
            }
            _ => found.push((middle, 1)),
        }
    }
    // A board has four tiles of a colour in each row; beside it there may be others of its size.
    found.retain(|(_, count)| *count >= 3);
    found
}

/// The eight evenly spaced rows, no farther apart than tiles of this side with a gap, that have most tiles.
fn eight(rows: &[(f64, usize)], side: f64) -> Option<Rows> {
    let places = rows.windows(8).filter_map(|eight| {
        let (middles, counts): (Vec<f64>, Vec<usize>) = eight.iter().copied().unzip();
        let (first, period) = evenly_spaced(&middles, 1.0)?;
        let is_near = (side - RAGGED as f64..=(1.0 + WIDEST_GAP) * side).contains(&period);
        is_near.then(|| (counts.iter().sum::<usize>(), Rows { first, period }))
    });
    places.max_by_key(|(count, _)| *count).map(|(_, rows)| rows)
}

/// The board of which four rows are bare, so far apart, and no others: the pieces of a game that begins may fill their
/// tiles. A first move may be marked.
fn middle_four(rows: &[(f64, usize)], period: f64) -> Option<Rows> {
    let is_bare = rows.len() == 4 && rows.iter().all(|(_, count)| *count >= BARE_IN_ROW);
    let middles: Vec<f64> = rows.iter().map(|(middle, _)| *middle).collect();
    let (first, apart) = evenly_spaced(&middles, 1.0).filter(|_| is_bare)?;
    let is_square = (apart / period - 1.0).abs() <= UNEVEN;
    is_square.then_some(Rows {
        first: first - 2.0 * period,
        period,
    })
}
