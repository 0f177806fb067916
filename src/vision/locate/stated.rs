//! A board whose place somebody states: where its edges lie exactly, near to what was said.
//!
//! Only the position tells what the squares show: squares on which the same stands look the same where the grid is
//! right. Lines that run along the whole board, the border and what separates the squares, say where the edges are to
//! the pixel.

use super::super::patch::{CELLS, Cut, Patch};
use super::border::steps;
use super::still_there;
use image::RgbaImage;
use shakmaty::{Board, Square};
use torres_geometry::{BoardMap, BoardRect, BySquare, Orientation};

/// How far from where it was said to be an edge may lie: a share of a square's side, and the most in pixels.
const REACH: f64 = 0.4;
const FARTHEST: f64 = 30.0;

/// How many lines are tried for each edge, the strongest ones.
const LINES: usize = 6;

/// A line's step, in levels of the strongest channel, from which on it may be an edge.
const STEP: f64 = 3.0;

/// How many of all rectangles between such lines are compared by what stands on their squares.
const COMPARED: usize = 60;

/// How many of those are returned, the best ones.
const BEST: usize = 4;

/// Rectangles whose sides lie closer together than this, in pixels, are one.
const SAME: f64 = 1.0;

/// What a pixel of difference between width and height costs, in levels.
const OBLONG: f64 = 1.0;

/// What a level of a step along the border is worth, beside one along the lines between the squares, and how many
/// levels count at most: a frame has a step on its far side too, perhaps a higher one.
const BORDER: f64 = 0.1;
const STEEP: f64 = 20.0;

/// What a pixel of distance to what was said costs, in levels: of equals the nearest.
const AWAY: f64 = 0.05;

/// The rectangles that a board stated to lie there may have, the likeliest first: the last one is what was stated.
/// `board` stands on it, turned this way.
///
/// Returns each with its cost, in levels: how much squares differ on which the same stands, less how clear the lines
/// between squares are.
pub fn as_stated(
    image: &RgbaImage,
    stated: &BoardRect,
    board: &Board,
    orientation: Orientation,
) -> Vec<(BoardRect, f64)> {
    let across = Lines::of(image, (stated.y(), stated.height()), true);
    let down = Lines::of(image, (stated.x(), stated.width()), false);
    let reach = (REACH * stated.width() / 8.0).min(FARTHEST);
    let sides = |lines: &Lines, from: f64, length: f64| -> Vec<Side> {
        let (starts, ends) = (lines.near(from, reach), lines.near(from + length, reach));
        let pairs = starts
            .iter()
            .flat_map(|start| ends.iter().map(move |end| (*start, *end)));
        pairs.map(|(start, end)| lines.side(start, end)).collect()
    };
    let (columns, rows) = (
        sides(&across, stated.x(), stated.width()),
        sides(&down, stated.y(), stated.height()),
    );
    let mut rects: Vec<(BoardRect, f64)> = Vec::new();
    for x in &columns {
        for y in &rows {
            if let Ok(rect) = BoardRect::new(x.start, y.start, x.length, y.length) {
                let oblong = (x.length - y.length).abs();
                let cost = OBLONG * oblong + AWAY * rect.distance(stated) - x.clear - y.clear;
                rects.push((rect, cost));
            }
        }
    }
    rects.sort_by(|a, b| a.1.total_cmp(&b.1));
    rects.truncate(COMPARED);
    for (rect, cost) in &mut rects {
        let map = BoardMap {
            rect: *rect,
            orientation,
        };
        *cost += unlike(image, &map, board);
    }
    rects.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut best: Vec<(BoardRect, f64)> = Vec::new();
    for (rect, cost) in rects {
        if best.len() < BEST && best.iter().all(|(other, _)| other.distance(&rect) > SAME) {
            best.push((rect, cost));
        }
    }
    // Squares of two colours tell more than whole pixels.
    for (rect, _) in &mut best {
        *rect = still_there(image, rect).unwrap_or(*rect);
    }
    best.push((*stated, f64::INFINITY));
    best
}

/// Start and length of a board along one axis, in pixels, and how clear its lines are, in levels.
struct Side {
    start: f64,
    length: f64,
    clear: f64,
}

/// A line of pixels that crosses the board.
#[derive(Clone, Copy, Default)]
struct Line {
    /// The step, in levels, that half of it reaches: at an edge, or at the feet of a row of pieces.
    half: f64,
    /// The step that seven eighths of it reach: only at what runs along the whole board.
    most: f64,
}

/// Every line of pixels in one direction.
struct Lines(Vec<Line>);

impl Lines {
    /// Vertical lines, or horizontal ones, of the length of a board that begins there.
    fn of(image: &RgbaImage, along: (f64, f64), vertical: bool) -> Lines {
        let limit = if vertical { image.width() } else { image.height() };
        let line = |edge: u32| {
            let steps = match (1..limit).contains(&edge) {
                true => steps(image, edge, along, vertical),
                false => Vec::new(),
            };
            let at = |index: usize| steps.get(index).map_or(0.0, |step| f64::from(*step));
            Line {
                half: at(steps.len() / 2),
                most: at(steps.len() / 8),
            }
        };
        Lines((0..=limit).map(line).collect())
    }

    /// Where an edge may lie: on the strongest lines near a place, at the picture's own border, or at that very place.
    fn near(&self, place: f64, reach: f64) -> Vec<f64> {
        let last = self.0.len().saturating_sub(1) as f64;
        let from = (place - reach).ceil().clamp(0.0, last) as usize;
        let to = (place + reach).floor().clamp(0.0, last) as usize;
        let mut lines: Vec<usize> = (from..=to).filter(|edge| self.0[*edge].half >= STEP).collect();
        lines.sort_by(|a, b| self.0[*b].half.total_cmp(&self.0[*a].half));
        lines.truncate(LINES);
        lines.extend([0, last as usize].into_iter().filter(|edge| (from..=to).contains(edge)));
        lines.sort_unstable();
        lines.dedup();
        let mut places: Vec<f64> = lines.into_iter().map(|edge| edge as f64).collect();
        if !places.contains(&place.round()) {
            places.push(place);
        }
        places
    }

    /// The strongest step within a pixel of a place: pages round fractional squares in different ways.
    fn at(&self, place: f64) -> f64 {
        let middle = place.round() as usize;
        let around = middle.saturating_sub(1)..=middle + 1;
        around
            .filter_map(|edge| self.0.get(edge))
            .fold(0.0, |most, line| line.most.max(most))
    }

    fn side(&self, start: f64, end: f64) -> Side {
        let length = end - start;
        let between = (1..8).map(|k| self.at(start + length * f64::from(k) / 8.0));
        let border = [start, end].map(|edge| self.0.get(edge as usize).map_or(0.0, |line| line.most.min(STEEP)));
        Side {
            start,
            length,
            clear: between.sum::<f64>() / 7.0 / 2.0 + BORDER * (border[0] + border[1]) / 2.0,
        }
    }
}

/// How much squares differ on which the same stands, and which have the same colour, in levels; 0 on drawn boards whose
/// grid is right.
fn unlike(image: &RgbaImage, map: &BoardMap, board: &Board) -> f64 {
    let patches = BySquare::from_fn(|square| Cut::of(map.square_rect(square)).take(image));
    let kind = |square: Square| (board.piece_at(square).map(|piece| piece.char()), square.is_dark());
    let mut squares = Square::ALL;
    squares.sort_by_key(|square| kind(*square));
    let groups = squares.chunk_by(|a, b| kind(*a) == kind(*b));
    let (mut apart, mut count) = (0i64, 0i64);
    for group in groups.filter(|group| group.len() > 1) {
        let group: Vec<&Patch> = group.iter().map(|square| &patches[*square]).collect();
        for (plane, cell) in (0..3).flat_map(|plane| (0..CELLS).map(move |cell| (plane, cell))) {
            let levels = group.iter().map(|patch| i64::from(patch.planes[plane][cell]));
            let mean = levels.clone().sum::<i64>() / group.len() as i64;
            apart += levels.map(|level| (level - mean).abs()).sum::<i64>();
            count += group.len() as i64;
        }
    }
    apart as f64 / count.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgba;
    use shakmaty::{Chess, Position};

    const PAGE: Rgba<u8> = Rgba([240, 240, 236, 255]);
    const FRAME: Rgba<u8> = Rgba([60, 50, 40, 255]);
    const SQUARE: Rgba<u8> = Rgba([185, 199, 174, 255]);

    /// A board whose squares are all of one colour, within a frame of `frame` pixels; pieces are blots of a shape for
    /// each kind, all on a broad foot.
    fn one_color(rect: &BoardRect, frame: f64) -> RgbaImage {
        let map = BoardMap {
            rect: *rect,
            orientation: Orientation::White,
        };
        let position = Chess::default();
        RgbaImage::from_fn(700, 640, |x, y| {
            let at = torres_geometry::FramePx {
                x: f64::from(x) + 0.5,
                y: f64::from(y) + 0.5,
            };
            let Some(square) = map.square_at(at) else {
                let beyond = |v: f64, from: f64, length: f64| (from - v).max(v - from - length);
                let outside = beyond(at.x, rect.x(), rect.width()).max(beyond(at.y, rect.y(), rect.height()));
                return if outside <= frame { FRAME } else { PAGE };
            };
            let Some(piece) = position.board().piece_at(square) else {
                return SQUARE;
            };
            let middle = map.center(square);
            let (dx, dy) = ((at.x - middle.x).abs(), (at.y - middle.y).abs());
            let size = rect.width() / 8.0 * 0.38;
            let foot = dx < size && (at.y - middle.y - size).abs() < 3.0;
            let inside = foot
                || match piece.role as u32 % 3 {
                    0 => dx.hypot(dy) < size,
                    1 => dx + dy < size,
                    _ => dx.max(dy * 1.4) < size,
                };
            match (inside, piece.color.is_white()) {
                (false, _) => SQUARE,
                (true, true) => Rgba([250, 250, 250, 255]),
                (true, false) => Rgba([30, 30, 30, 255]),
            }
        })
    }

    #[test]
    fn a_board_of_one_colour_is_found_to_the_pixel_from_a_place_that_is_wrong_by_several() {
        let pieces = Chess::default();
        for (side, frame) in [(400.0, 0.0), (440.0, 3.0), (513.0, 6.0)] {
            let truth = BoardRect::new(83.0, 57.0, side, side).unwrap();
            let picture = one_color(&truth, frame);
            for (dx, dy, grown) in [(0.0, 0.0, 0.0), (5.0, -4.0, 3.0), (-7.0, 6.0, -5.0), (9.0, 9.0, 0.0)] {
                let stated = BoardRect::new(83.0 + dx, 57.0 + dy, side + grown, side + grown).unwrap();
                let found = as_stated(&picture, &stated, pieces.board(), Orientation::White);
                assert!(
                    found[0].0.distance(&truth) <= 1.0,
                    "{side}, frame {frame}, off by {dx}, {dy}, {grown}: {:?}",
                    found[0]
                );
            }
        }
    }

    #[test]
    fn what_was_stated_comes_last_where_nothing_tells_better() {
        let picture = RgbaImage::from_pixel(500, 500, SQUARE);
        let stated = BoardRect::new(31.0, 42.0, 400.0, 400.0).unwrap();
        let found = as_stated(&picture, &stated, &Board::default(), Orientation::White);
        assert_eq!(found.last().map(|(rect, _)| *rect), Some(stated));
        assert_eq!(found[0].0, stated);
    }
}
