//! Pieces that were seen on squares of one colour only, cut out anew as they leave such a square. What a square shows with
//! the piece and does not show without it is the piece, whatever texture the square has; the common ground of its colour
//! does not tell the two apart there.

use super::super::patch::{CELLS, N, Patch};
use super::ground::from_border;
use super::matting::{Instance, outline, tolerance};
use super::template::Template;
use super::{Appearance, cut, index, learn};
use image::RgbaImage;
use shakmaty::{Bitboard, Board, Square};
use torres_geometry::{BoardMap, BySquare};

/// A square that is no farther from its colour's ground around the piece has no texture of its own, in levels of the channel
/// that differs most, as a mean: an edge that falls between two pixels makes one or two.
const LIKE_OTHERS: f32 = 3.0;

/// How far around a piece it may reach beyond what is known of it, in cells.
const AROUND: usize = 1;

/// The rim of a square, in cells.
const RIM: usize = 2;

/// Around the piece at most one cell in so many shows something else without it: else the square is marked.
const OTHER: usize = 10;

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

    /// The cells around a piece: the square's rim, and what lies beyond the rectangle that encloses what is known of it.
    fn around(&self, k: usize) -> Vec<usize> {
        let is_known = |cell: &usize| self.templates[k].as_ref().is_some_and(|t| t.opacity[*cell] > 0);
        let side = |way: fn(usize) -> usize| {
            let lines = || (0..CELLS).filter(is_known).map(way);
            let first = lines().min().unwrap_or(0).saturating_sub(AROUND);
            first..=lines().max().unwrap_or(N) + AROUND
        };
        let (columns, rows) = (side(|cell| cell % N), side(|cell| cell / N));
        let is_around = |cell: &usize| {
            let is_within = columns.contains(&(cell % N)) && rows.contains(&(cell / N));
            !is_within || from_border(*cell) < RIM
        };
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
        let around = self.around(k);
        let other = around.iter().filter(|k| stood.distance(bare, **k) > tolerance(0.0));
        if OTHER * other.count() > around.len() {
            return false;
        }
        let seen = Instance {
            patch: stood,
            ground: bare,
        };
        let palette = learn::palette(&self.templates, k);
        let template = outline(&seen, tolerance(0.0), square.is_dark(), &palette);
        let is_there = Template::is_there(&template);
        if is_there {
            self.templates[k] = Some(template);
        }
        is_there
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
    fn costs_on_d4(without: Option<&RgbaImage>) -> [f32; 2] {
        let mut appearance = calibrated();
        let mut departures = Departures::default();
        let board = WITH_QUEEN.parse().unwrap();
        departures.remember(&appearance, &frame(0), &map(), &board, Bitboard::FULL);
        if let Some(image) = without {
            departures.take(&mut appearance, image, &map(), Square::D1.into());
        }
        let scores = appearance.reader(&map()).scores(&frame(4), Square::D4);
        [Role::Queen, Role::King].map(|role| scores.cost[index(Some(role.of(Color::White)))])
    }

    #[test]
    fn a_piece_that_has_left_a_square_with_a_texture_is_known_on_the_other_colour() {
        let [queen, king] = costs_on_d4(None);
        assert!(king < queen, "queen {queen}, king {king}");
        let [queen, king] = costs_on_d4(Some(&frame(3)));
        assert!(queen < king / 2.0, "queen {queen}, king {king}");
    }

    #[test]
    fn a_square_that_is_marked_as_the_piece_leaves_it_teaches_nothing() {
        // Its corners are red.
        assert_eq!(costs_on_d4(Some(&frame(4))), costs_on_d4(None));
        let mut painted = frame(3);
        for Rgba([red, green, blue, _]) in painted.pixels_mut() {
            (*red, *green, *blue) = (*red / 2 + 100, *green / 2 + 100, *blue / 2);
        }
        assert_eq!(costs_on_d4(Some(&painted)), costs_on_d4(None));
    }
}
