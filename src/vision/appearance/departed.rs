//! Pieces that were seen on squares of one colour only, cut out anew as they leave such a square. What a square shows with
//! the piece and does not show without it is the piece, whatever texture the square has; the common ground of its colour
//! does not tell the two apart there.

use super::super::patch::{CELLS, N, Patch};
use super::cells::parts;
use super::ground::from_border;
use super::matting::{Instance, outline, tolerance};
use super::template::Template;
use super::{Appearance, cut, index, learn};
use image::RgbaImage;
use shakmaty::{Bitboard, Board, Square};
use std::ops::RangeInclusive;
use torres_geometry::{BoardMap, BySquare};

/// A square that is no farther from its colour's ground around the piece has no texture of its own, in levels of the channel
/// that differs most, as a mean: an edge that falls between two pixels makes one or two.
const LIKE_OTHERS: f32 = 3.0;

/// How far a piece may reach beyond what is known of it, in cells.
const BEYOND: usize = 1;

/// The rim of a square, in cells.
const RIM: usize = 2;

/// Around the piece at most one cell in so many shows something else without it: else the square is marked.
const OTHER: usize = 10;

/// Of a piece that was seen on a texture only, a few lines may be known. Where less than one cell in so many is, they do
/// not tell how far it reaches.
const FEW: usize = 3;

/// From this far from the border on a cell lies in the square's middle, where pieces stand.
const MIDDLE: usize = N / 4;

/// A mark within a margin begins this far from the border at most. A disc as wide as its square has all sides of a square
/// from one cell farther on.
const MARGIN: usize = 2;

/// How many cells lie along a square's border.
const BORDER: usize = 4 * (N - 1);

/// A piece fills less of the rectangle that encloses it than a mark, even one with round corners, does. (A disc fills 0.79.)
const FULL: f32 = 0.9;

/// Which piece was seen at rest on a square, by index, and the picture, if the square has a texture.
type Stood = Option<(usize, Option<Box<Patch>>)>;

/// Squares on which pieces that were seen on one colour only stood at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Departures {
    stood: BySquare<Stood>,
}

impl Default for Departures {
    fn default() -> Departures {
        Departures {
            stood: BySquare::from_fn(|_| None),
        }
    }
}

impl Departures {
    /// Remembers what stands at rest on these squares of a picture known to show `board`. The first picture of a piece on
    /// its square decides: in later ones it may be about to leave.
    pub fn remember(
        &mut self,
        appearance: &Appearance,
        image: &RgbaImage,
        map: &BoardMap,
        board: &Board,
        squares: Bitboard,
    ) {
        for square in squares & board.occupied() {
            let k = index(board.piece_at(square));
            if !appearance.is_seen_only_on(k, square.is_dark()) {
                self.stood[square] = None;
            } else if self.stood[square].as_ref().is_none_or(|(known, _)| *known != k) {
                let stood = Box::new(cut(map, square).take(image));
                let has_texture = appearance.has_own_texture(k, &stood, square);
                self.stood[square] = Some((k, has_texture.then_some(stood)));
            }
        }
    }

    /// The squares of which a picture is remembered.
    pub fn squares(&self) -> Bitboard {
        let pictured = |stood: &Stood| matches!(stood, Some((_, Some(_))));
        let squares = self.stood.iter().filter(|(_, stood)| pictured(stood));
        squares.map(|(s, _)| s).collect()
    }

    /// Learns from the squares of a picture that are known to be bare in it. Says whether the appearance changed.
    pub fn take(&mut self, appearance: &mut Appearance, image: &RgbaImage, map: &BoardMap, bare: Bitboard) -> bool {
        let mut changed = false;
        for square in bare & self.squares() {
            let Some((k, Some(stood))) = self.stood[square].take() else {
                continue;
            };
            // What is known on both colours by now is forgotten.
            if appearance.is_seen_only_on(k, square.is_dark()) {
                let cut_out = appearance.cut_out(k, &stood, &cut(map, square).take(image), square);
                changed |= cut_out;
                // A square that is marked now may be seen without the mark.
                self.stood[square] = (!cut_out).then_some((k, Some(stood)));
            }
        }
        if changed {
            appearance.remake();
        }
        changed
    }
}

impl Appearance {
    /// Whether the piece at index `k` was seen on squares of this colour, and on none of the other.
    fn is_seen_only_on(&self, k: usize, dark: bool) -> bool {
        let template = self.templates[k].as_ref();
        template.is_some_and(|t| t.seen_on.has(dark) && !t.seen_on.has(!dark))
    }

    /// How far the piece at index `k` reaches, by what is known of it.
    fn reach(&self, k: usize) -> Extent {
        Extent::of(self.templates[k].iter().flat_map(Template::cells))
    }

    /// The cells around a piece: the square's rim, and what lies beyond its reach.
    fn around(&self, k: usize) -> Vec<usize> {
        let reach = self.reach(k);
        let is_around = |cell: &usize| from_border(*cell) < RIM || !reach.is_near(*cell);
        (0..CELLS).filter(is_around).collect()
    }

    /// Whether a square on which this piece `stood` looks unlike its colour's ground around it.
    fn has_own_texture(&self, k: usize, stood: &Patch, square: Square) -> bool {
        let (around, ground) = (self.around(k), self.ground_beneath(stood, square));
        let texture: f32 = around.iter().map(|k| f32::from(stood.distance(&ground, *k))).sum();
        texture > LIKE_OTHERS * around.len() as f32
    }

    /// Learns the piece at index `k` from a square that `stood` with it and is `bare` now. Says whether it did.
    fn cut_out(&mut self, k: usize, stood: &Patch, bare: &Patch, square: Square) -> bool {
        let seen = Instance {
            patch: stood,
            ground: bare,
        };
        let palette = learn::palette(&self.templates, k);
        let template = outline(&seen, tolerance(0.0), square.is_dark(), &palette);
        let known = self.templates[k].iter().flat_map(Template::cells).count();
        let unmarked = match FEW * known < template.cells().count() {
            true => without_marks(template),
            false => {
                let around = self.around(k);
                let other = around.iter().filter(|k| stood.distance(bare, **k) > tolerance(0.0));
                (OTHER * other.count() <= around.len()).then_some(template)
            }
        };
        let learned = unmarked.filter(Template::is_there);
        let is_learned = learned.is_some();
        self.templates[k] = learned.or(self.templates[k].take());
        is_learned
    }
}

/// Whether a mark may lie in these cells, as it reaches along the square's border, fills a rectangle, or has all sides of
/// one within the square, which a crown may stick out of.
fn may_be_mark(piece: &[usize]) -> bool {
    let at = |depth: usize| piece.iter().filter(|cell| from_border(**cell) == depth).count();
    let is_ring = |depth: usize| at(depth) as f32 > FULL * (BORDER - 8 * depth) as f32;
    let filled = FULL * Extent::of(piece.iter().copied()).cells() as f32;
    OTHER * at(0) > BORDER || piece.len() as f32 > filled || (1..=MARGIN).any(is_ring)
}

/// What a square shows no more, without what marks beside its middle hide. `None` where a mark may lie in its middle, too.
fn without_marks(mut shown: Template) -> Option<Template> {
    let is_shown: Vec<bool> = shown.opacity.iter().map(|opacity| *opacity > 0).collect();
    let in_middle = |part: &Vec<usize>| part.iter().any(|cell| from_border(*cell) >= MIDDLE);
    let (piece, marks): (Vec<_>, Vec<_>) = parts(&is_shown).into_iter().partition(in_middle);
    marks.into_iter().flatten().for_each(|cell| shown.clear(cell));
    let piece = piece.concat();
    (!may_be_mark(&piece)).then_some(shown)
}

/// Some columns and rows of cells.
struct Extent {
    columns: RangeInclusive<usize>,
    rows: RangeInclusive<usize>,
}

impl Extent {
    /// Those that enclose these cells; all where there are none.
    fn of(cells: impl Iterator<Item = usize> + Clone) -> Extent {
        let span = |line: fn(usize) -> usize| {
            let lines = cells.clone().map(line);
            lines.clone().min().unwrap_or(0)..=lines.max().unwrap_or(N - 1)
        };
        Extent {
            columns: span(|cell| cell % N),
            rows: span(|cell| cell / N),
        }
    }

    /// Whether a cell lies in it, or no farther beyond than a piece may.
    fn is_near(&self, cell: usize) -> bool {
        let near = |lines: &RangeInclusive<usize>, line: usize| {
            line + BEYOND >= *lines.start() && line <= lines.end() + BEYOND
        };
        near(&self.columns, cell % N) && near(&self.rows, cell / N)
    }

    fn cells(&self) -> usize {
        self.columns.clone().count() * self.rows.clone().count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgba;
    use shakmaty::{Color, Role};
    use std::path::Path;
    use torres_geometry::{BoardRect, Orientation};

    /// A part of the reported game.
    const FOLDER: &str = "../../tests/data/vision/queen-on-a-tile";
    /// Its first position.
    const WITH_QUEEN: &str = "rnbqkb1r/pp3ppp/5n2/3pN3/3ppP2/N7/PPP1P1PP/R1BQKB1R";

    fn map() -> BoardMap {
        BoardMap {
            rect: BoardRect::new(8.0, 8.0, 652.0, 652.0).unwrap(),
            orientation: Orientation::Black,
        }
    }

    fn file(name: &str) -> std::path::PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER).join(name)
    }

    fn frame(number: u32) -> RgbaImage {
        image::open(file(&format!("frames/{number:04}.png")))
            .unwrap()
            .to_rgba8()
    }

    fn calibrated() -> Appearance {
        let text = std::fs::read_to_string(file("calibration.json")).unwrap();
        let calibration: serde_json::Value = serde_json::from_str(&text).unwrap();
        serde_json::from_value(calibration["look"].clone()).unwrap()
    }

    /// How much the white queen and the white king cost on d4, where the queen stands, when `without` shows d1 without her.
    fn costs_on_d4(mut appearance: Appearance, without: Option<&RgbaImage>) -> [f32; 2] {
        let mut departures = Departures::default();
        let board = WITH_QUEEN.parse().unwrap();
        departures.remember(&appearance, &frame(0), &map(), &board, Bitboard::FULL);
        if let Some(image) = without {
            departures.take(&mut appearance, image, &map(), Square::D1.into());
        }
        let scores = appearance.reader(&map()).scores(&frame(4), Square::D4);
        [Role::Queen, Role::King].map(|role| scores.cost[index(Some(role.of(Color::White)))])
    }

    /// What is calibrated, but of the white queen her foot alone.
    fn with_a_queens_foot() -> Appearance {
        let mut appearance = calibrated();
        let queen = appearance.templates[index(Some(Role::Queen.of(Color::White)))]
            .as_mut()
            .unwrap();
        (0..CELLS * 3 / 4).for_each(|cell| queen.clear(cell));
        appearance.remake();
        appearance
    }

    /// The board without the queen, tinted where `is_marked` says so of how far a pixel lies from the nearer edges of its
    /// square, as a share of its side.
    fn marked(is_marked: impl Fn(f64) -> bool) -> RgbaImage {
        let mut image = frame(3);
        for (x, y, Rgba([red, green, blue, _])) in image.enumerate_pixels_mut() {
            let from_edge = |at: u32| {
                let within = ((f64::from(at) - 8.0) / 81.5).rem_euclid(1.0);
                within.min(1.0 - within)
            };
            if is_marked(from_edge(x).min(from_edge(y))) {
                (*red, *green, *blue) = (*red / 2 + 100, *green / 2 + 100, *blue / 2);
            }
        }
        image
    }

    #[test]
    fn a_piece_that_has_left_a_square_with_a_texture_is_known_on_the_other_colour() {
        for appearance in [calibrated(), with_a_queens_foot()] {
            let [queen, king] = costs_on_d4(appearance.clone(), None);
            assert!(king < queen, "queen {queen}, king {king}");
            let [queen, king] = costs_on_d4(appearance, Some(&frame(3)));
            assert!(queen < king / 2.0, "queen {queen}, king {king}");
        }
    }

    #[test]
    fn a_square_that_is_marked_as_the_piece_leaves_it_teaches_nothing() {
        // Its corners are red.
        assert_eq!(
            costs_on_d4(calibrated(), Some(&frame(4))),
            costs_on_d4(calibrated(), None)
        );
        for appearance in [calibrated(), with_a_queens_foot()] {
            let before = costs_on_d4(appearance.clone(), None);
            for (mark, is_marked) in [("all", 0.0), ("within", 0.1)] {
                let image = marked(|from_edge| from_edge >= is_marked);
                assert_eq!(costs_on_d4(appearance.clone(), Some(&image)), before, "{mark}");
            }
        }
    }

    /// Page `jasper`: a king left a square that was then lit within a thin frame. His crown reached beyond that.
    #[test]
    fn a_frame_out_of_which_a_crown_sticks_is_a_mark_and_a_disc_is_none() {
        let within = |depth: usize| (0..CELLS).filter(move |cell| from_border(*cell) >= depth);
        // And a tile's edge showed beside it.
        let crowned = |depth: usize| {
            within(depth)
                .chain([N / 2 - 1, N / 2, N * 3 / 4 * N])
                .collect::<Vec<_>>()
        };
        for depth in 1..=MARGIN {
            assert!(may_be_mark(&crowned(depth)), "{depth} cells within");
        }
        let middle = (N as f32 - 1.0) / 2.0;
        let is_on_disc = |cell: &usize| {
            let (x, y) = ((cell % N) as f32 - middle, (cell / N) as f32 - middle);
            x.hypot(y) < middle
        };
        assert!(!may_be_mark(&(0..CELLS).filter(is_on_disc).collect::<Vec<_>>()));
    }

    #[test]
    fn marks_in_the_corners_of_a_square_are_no_part_of_a_piece_of_which_little_was_known() {
        let [queen, king] = costs_on_d4(with_a_queens_foot(), Some(&frame(4)));
        assert!(queen < king / 2.0, "queen {queen}, king {king}");
    }
}
