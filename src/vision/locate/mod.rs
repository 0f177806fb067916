//! Finds boards in a screenshot without being told their colours.
//!
//! The inner crossings of the 8×8 pattern are found as saddles of the brightness in reduced pictures ([`crossings`]),
//! gathered into lattices of one period and alternating kind ([`lattice`]), and the edges between the squares then give
//! the rectangle to a fraction of a pixel ([`refine`]). What stands on the squares tells which way the board is turned
//! ([`content`]), and where that does not, the coordinates do ([`coordinates`]). Where nothing is chequered, one colour
//! and the pieces on it may be a board ([`unchequered`]), by its lines where the page has that colour too ([`grid`]).
//! Squares that do not touch are found one by one ([`tiles`]). Where all that fails, somebody may say where the board
//! lies ([`stated`]).

mod border;
mod content;
mod coordinates;
mod crossings;
mod gray;
mod grid;
mod lattice;
mod refine;
mod stated;
mod tiles;
mod unchequered;

use content::Content;
pub use coordinates::files_in_order;
use crossings::CrossingMap;
use gray::{Level, VIEWS};
use image::RgbaImage;
use refine::Squares;
pub use stated::as_stated;
use torres_geometry::{BoardRect, Orientation};
use unchequered::Unchequered;

/// Grey levels by which a crossing's bright squares must exceed its dark ones, at half the size and below (where noise
/// is averaged out).
const CONTRAST: u8 = 5;
const CONTRAST_REDUCED: u8 = 3;

/// A lattice's lines are right to this many pixels of the reduced picture.
const SLACK: f64 = 1.25;

/// A lattice must keep this many of its 49 crossings at full resolution.
const MIN_CONFIRMED: usize = 24;

/// Where a board is known to have been, so many tell that it is there still: a third. What lies there by chance keeps
/// few of them.
const MIN_CONFIRMED_AGAIN: usize = 16;

/// With this many confirmed there is nothing to gain from another view.
const PLENTY: usize = 40;

/// How far a board may stick out of the picture, in pixels: a page of a fractional scale is a pixel wider than its
/// window, and so much does measuring err.
const OUTSIDE: f64 = 2.0;

/// A board closer than this to where it was has not moved, in pixels: half the error of one measurement.
const UNMOVED: f64 = 0.4;

/// How far [`still_there`] looks, in pixels.
const NEAR: f64 = 2.0;

/// How far around its old place [`find_again`] looks first, as a share of the board's side.
const AROUND: f64 = 0.3;

/// A board that grew or shrank by at most this factor around its old place is the same one.
const SAME: f64 = 1.25;

/// A board found in a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoundBoard {
    /// Where it lies, in pixels of the picture.
    pub rect: BoardRect,
    /// Which way it is turned, where its pieces or its coordinates tell.
    pub orientation: Option<Orientation>,
    /// How much it looks like the board to play on, 0 to 1: how certain the pattern is, times its size beside the
    /// largest board's.
    pub score: f64,
}

/// A board measured, before it is compared with the others.
struct Candidate {
    rect: BoardRect,
    hits: usize,
    content: Content,
}

/// All boards in the picture, best first.
pub fn locate(image: &RgbaImage) -> Vec<FoundBoard> {
    let found = locate_quickly(image);
    // What takes longest comes last.
    match found.is_empty() {
        true => of_tiles(image).map_or_else(
            || without_chequer(image, unchequered::find_by_lines),
            |board| vec![board],
        ),
        false => found,
    }
}

/// The same but for boards that are found only by much work: tiles, and lines on a page of their colour.
fn locate_quickly(image: &RgbaImage) -> Vec<FoundBoard> {
    let mut candidates: Vec<Candidate> = Vec::new();
    for level in gray::levels(image) {
        collect(image, &level, &mut candidates);
    }
    let widest = |found: f64| candidates.iter().map(|c| c.rect.width()).fold(found, f64::max);
    // Beside a small chequered board, the one that is played on may have none.
    let mut others = match widest(0.0) < SMALL * f64::from(image.width().min(image.height())) {
        true => without_chequer(image, unchequered::find),
        false => Vec::new(),
    };
    let is_found = |board: &FoundBoard| {
        let rect = board.rect;
        let rough = [rect.x(), rect.y(), rect.width(), rect.height()];
        candidates.iter().any(|c| overlaps(&c.rect, rough))
    };
    others.retain(|board| !is_found(board));
    let largest = widest(others.iter().map(|board| board.rect.width()).fold(0.0, f64::max));
    let mut found: Vec<FoundBoard> = candidates
        .iter()
        .map(|c| FoundBoard {
            rect: c.rect,
            orientation: c
                .content
                .orientation()
                .or_else(|| coordinates::orientation(image, &c.rect)),
            score: score(c.hits, c.rect.width() / largest),
        })
        .chain(others)
        .collect();
    found.sort_by(|a, b| b.score.total_cmp(&a.score));
    found
}

/// Where no chequered board has this share of the picture's shorter side, one without a chequer is looked for.
const SMALL: f64 = 0.5;

/// How certain a board is that its pieces alone tell, and one that lines show too.
const TOLD_BY_PIECES: f64 = 0.5;
const TOLD_BY_LINES: f64 = 0.97;

/// A board whose squares do not touch.
fn of_tiles(image: &RgbaImage) -> Option<FoundBoard> {
    let rect = tiles::find(image)?;
    let content = Content::of(image, &rect);
    (content.is_position() || content.is_beginning()).then(|| FoundBoard {
        rect,
        orientation: content.orientation().or_else(|| coordinates::orientation(image, &rect)),
        score: TOLD_BY_LINES,
    })
}

/// Boards whose squares have all one colour.
fn without_chequer(image: &RgbaImage, find: fn(&RgbaImage) -> Vec<Unchequered>) -> Vec<FoundBoard> {
    let told = find(image).into_iter().filter(|board| board.is_told_by_pieces);
    let found = told.map(|board| FoundBoard {
        rect: board.rect,
        orientation: Content::of(image, &board.rect)
            .orientation()
            .or_else(|| coordinates::orientation(image, &board.rect)),
        score: if board.is_lined { TOLD_BY_LINES } else { TOLD_BY_PIECES },
    });
    found.collect()
}

/// Which colour is at the bottom of a board that lies there: by its coordinates, or else by where the brighter pieces
/// stand; `None` where neither tells. The coordinates come first, other than where a board is looked for: in the middle
/// of a game the brighter pieces may stand anywhere.
pub fn orientation(image: &RgbaImage, rect: &BoardRect) -> Option<Orientation> {
    coordinates::orientation(image, rect).or_else(|| Content::of(image, rect).orientation())
}

/// Adds the boards that one reduced picture shows; of two in one place the one with more crossings stays.
fn collect(image: &RgbaImage, level: &Level, candidates: &mut Vec<Candidate>) {
    let scale = f64::from(level.scale);
    // Pixels of the reduced picture are counted by their middles.
    let full = |v: f32| scale * (f64::from(v) + 0.5);
    let contrast = if level.scale == 2 { CONTRAST } else { CONTRAST_REDUCED };
    let map = CrossingMap::of(&level.gray, contrast);
    // What lies on a board that is known well need not be looked at again.
    let known: Vec<BoardRect> = candidates.iter().filter(|c| c.hits >= PLENTY).map(|c| c.rect).collect();
    let mut crossings = map.all();
    crossings.retain(|c| !known.iter().any(|rect| rect.contains(full(c.x), full(c.y))));
    let max_period = level.gray.width().min(level.gray.height()) as f32 / 8.0 + 1.0;
    for l in lattice::find(&map, &crossings, max_period) {
        let side = |period: f32| 8.0 * scale * f64::from(period);
        let rough = [full(l.x), full(l.y), side(l.period_x), side(l.period_y)];
        let rival = candidates.iter().position(|c| overlaps(&c.rect, rough));
        if rival.is_some_and(|r| candidates[r].hits >= PLENTY) {
            continue;
        }
        let refined = |squares| refine::refine(image, (level.view, squares), rough, SLACK * scale, l.bright_corner);
        let Some(refined) = refined(Squares::Touching).or_else(|| refined(Squares::Apart)) else {
            continue;
        };
        let least = rival.map_or(MIN_CONFIRMED, |r| candidates[r].hits + 1);
        let content = Content::of(image, &refined.rect);
        let is_used = content.is_position() || (refined.hits >= PLENTY && content.has_rows_of_pawns());
        if refined.hits < least || !is_inside(image, &refined.rect) || !is_used {
            continue;
        }
        let candidate = Candidate {
            rect: refined.rect,
            hits: refined.hits,
            content,
        };
        match rival {
            Some(r) => candidates[r] = candidate,
            None => candidates.push(candidate),
        }
    }
}

/// Whether a board lies in a picture, but for what measuring errs.
pub(crate) fn is_inside(image: &RgbaImage, rect: &BoardRect) -> bool {
    let fits = |from: f64, side: f64, limit: u32| from > -OUTSIDE && from + side < f64::from(limit) + OUTSIDE;
    fits(rect.x(), rect.width(), image.width()) && fits(rect.y(), rect.height(), image.height())
}

/// Whether the middle of one lies within half the larger one's side of the other's.
fn overlaps(rect: &BoardRect, [x, y, width, height]: [f64; 4]) -> bool {
    let dx = (rect.x() + rect.width() / 2.0) - (x + width / 2.0);
    let dy = (rect.y() + rect.height() / 2.0) - (y + height / 2.0);
    dx.abs().max(dy.abs()) < rect.width().max(width) / 2.0
}

/// How certain the pattern is, times its size beside the largest one's.
///
/// Crossings that a notice covers count little: the large board below it is still the one to play on.
fn score(hits: usize, relative_size: f64) -> f64 {
    let unseen = 1.0 - hits as f64 / 49.0;
    (1.0 - unseen * unseen) * relative_size
}

/// The board's exact place now, if it still lies within two pixels of where it was; cheap.
///
/// A board that moved by less than a measurement's error is reported exactly where it was. So is one that seems to have
/// grown or shrunk though the lines between its squares may lie where they did: a program that draws frames around
/// squares draws them along the border too.
pub fn still_there(image: &RgbaImage, was: &BoardRect) -> Option<BoardRect> {
    let apart = || chequered_at(image, was, Squares::Apart).filter(|found| found.rect.distance(was) <= NEAR);
    let chequered = chequered_at(image, was, Squares::Touching).or_else(apart);
    if chequered.as_ref().is_some_and(|found| is_framed(found, was)) {
        return Some(*was);
    }
    let rect = chequered
        .map(|found| found.rect)
        .or_else(|| unchequered_at(image, was))?;
    if rect.distance(was) > NEAR {
        return None;
    }
    Some(if rect.distance(was) < UNMOVED { *was } else { rect })
}

/// A chequered board that lies about there, its squares meeting like this.
fn chequered_at(image: &RgbaImage, was: &BoardRect, squares: Squares) -> Option<refine::Refined> {
    let rough = [was.x(), was.y(), was.width(), was.height()];
    // The upper left square is a light one whichever way the board is turned; only odd themes need the other tries.
    let tries = VIEWS
        .iter()
        .flat_map(|view| [true, false].map(|bright| (*view, bright)));
    let mut best: Option<refine::Refined> = None;
    for (view, bright_corner) in tries {
        let Some(refined) = refine::refine(image, (view, squares), rough, NEAR, bright_corner) else {
            continue;
        };
        if best.as_ref().is_none_or(|b| refined.hits > b.hits) {
            best = Some(refined);
        }
        if best.as_ref().is_some_and(|b| b.hits >= PLENTY) {
            break;
        }
    }
    best.filter(|best| best.hits >= MIN_CONFIRMED_AGAIN)
}

/// Whether a board that keeps its size when it moves seems to have another one, though its lines may lie where they
/// did.
fn is_framed(found: &refine::Refined, was: &BoardRect) -> bool {
    let (wider, higher) = (found.rect.width() - was.width(), found.rect.height() - was.height());
    wider.abs().max(higher.abs()) >= UNMOVED && found.may_be(was, 2.0 * UNMOVED)
}

/// A board without a chequer, or of tiles, that lies about there. That it is a board is known.
fn unchequered_at(image: &RgbaImage, was: &BoardRect) -> Option<BoardRect> {
    let rects = |boards: Vec<Unchequered>| boards.into_iter().map(|board| board.rect).collect::<Vec<_>>();
    let nearest = |found: Vec<BoardRect>| {
        let nearest = found
            .into_iter()
            .min_by(|a, b| a.distance(was).total_cmp(&b.distance(was)));
        nearest.filter(|rect| rect.distance(was) <= NEAR)
    };
    nearest(rects(unchequered::find(image))).or_else(|| {
        // The others take longer: they are looked for around their place only.
        let (part, (left, top)) = around(image, was, was.width() / 16.0);
        let there = |found: Vec<BoardRect>| {
            let moved = found.into_iter().map(|rect| rect.translated(left, top));
            nearest(moved.collect())
        };
        there(rects(unchequered::find_by_lines(&part)))
            .or_else(|| {
                there(
                    tiles::find_again(&part, &was.translated(-left, -top))
                        .into_iter()
                        .collect(),
                )
            })
            .or_else(|| there(tiles::find(&part).into_iter().collect()))
    })
}

/// What a picture shows so many pixels around a board, and where that begins.
fn around(image: &RgbaImage, rect: &BoardRect, reach: f64) -> (RgbaImage, (f64, f64)) {
    let pixel = |at: f64, limit: u32| (at.max(0.0) as u32).min(limit);
    let (left, top) = (
        pixel(rect.x() - reach, image.width()),
        pixel(rect.y() - reach, image.height()),
    );
    let right = pixel(rect.x() + rect.width() + reach, image.width());
    let bottom = pixel(rect.y() + rect.height() + reach, image.height());
    let part = torres_frame::crop(image, (left, top), (right - left, bottom - top));
    (part, (f64::from(left), f64::from(top)))
}

/// A known board's place in a new picture: where it was, or else nearby, or else anywhere; `None` when there is no
/// board. One that takes much work to find is looked for where it was and nearby: a lost board is asked for again and
/// again.
///
/// Of several boards the one whose size is most like the known one's is taken: a page keeps its proportions when its
/// window moves or is resized.
pub fn find_again(image: &RgbaImage, was: &BoardRect) -> Option<BoardRect> {
    still_there(image, was)
        .or_else(|| nearby(image, was))
        .or_else(|| most_alike(&locate_quickly(image), was))
}

/// The known board, moved or resized a little: only the pixels around its old place are looked at.
fn nearby(image: &RgbaImage, was: &BoardRect) -> Option<BoardRect> {
    let (part, (left, top)) = around(image, was, AROUND * was.width());
    most_alike(&locate(&part), was)
        .filter(|rect| (1.0 / SAME..=SAME).contains(&(rect.width() / was.width())))
        .map(|rect| rect.translated(left, top))
}

fn most_alike(found: &[FoundBoard], was: &BoardRect) -> Option<BoardRect> {
    let unlike = |rect: &BoardRect| (rect.width() / was.width()).ln().abs();
    let rects = found.iter().map(|f| f.rect);
    rects.min_by(|a, b| unlike(a).total_cmp(&unlike(b)))
}
