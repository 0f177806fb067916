//! How this board's squares and pieces appear, learned from one known position.

mod alike;
mod cells;
mod compare;
mod content;
mod departed;
mod doubt_reason;
mod draw;
mod edges;
mod filtered;
mod ground;
mod judge;
mod learn;
mod marked;
mod matting;
mod noise;
mod own;
mod picture_text;
mod reader;
mod relearn;
mod scores;
mod search;
mod template;

use super::patch::{Cut, Patch};
pub use alike::Alike;
use compare::Comparer;
pub use content::{CONTENTS, EMPTY, content, index};
pub use departed::Departures;
pub use doubt_reason::{DoubtReason, doubt_reasons};
use ground::Ground;
use image::RgbaImage;
pub use judge::{BoardReading, HIDDEN, SquareReading, distinguishes, judge};
pub(crate) use judge::{CERTAIN, is_covered, is_painted_over, is_read_under_paint, log_likelihood_ratio};
pub(crate) use learn::is_attacked_king;
use marked::Marked;
pub use marked::MarkedSquares;
use matting::Instance;
use noise::Noise;
pub use own::BareSquares;
pub(crate) use reader::Light;
pub use reader::{CloserLook, SquareReader};
pub use relearn::Relearning;
pub(crate) use scores::{CORNERS, SIDES};
pub use scores::{Motion, SquareScores};
pub use search::FoundPiece;
use serde::{Deserialize, Serialize};
use shakmaty::{Bitboard, Board, Chess, Piece, Square};
use std::collections::BTreeMap;
use std::sync::Arc;
use template::Template;
use torres_geometry::{BoardMap, BySquare, FramePx, FrameRect, Orientation};

/// Why an appearance cannot be learned from a picture.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LearnError {
    /// The board does not lie wholly inside the picture.
    #[error("the board is not wholly inside the picture")]
    OutOfPicture,
    /// The picture does not show the position that it is said to show.
    #[error("the picture does not show the stated position: {0}")]
    NotThatPosition(String),
}

/// A piece that was learned on one square colour.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LearnedPiece {
    /// Which.
    pub piece: Piece,
    /// On which colour.
    pub dark: bool,
    /// What was known of it before.
    old: Option<Template>,
}

/// A square that differs by more than this from what is expected (glow, arrow, cursor) teaches nothing.
const CLEAN: f32 = 0.05;

/// How this board's squares and pieces appear.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "AppearanceFile", into = "AppearanceFile")]
pub struct Appearance {
    /// How bare light and dark squares look.
    grounds: [Ground; 2],
    /// Bare squares that look unlike the others of their colour.
    own: BySquare<Option<Arc<Patch>>>,
    /// Bare squares under the page's mark of a move.
    marked: Marked,
    noise: Noise,
    // Pictures lie on the heap: an appearance is moved about, and a thread's stack is small.
    templates: Box<[Option<Template>; 12]>,
    comparer: Arc<Comparer>,
}

impl Appearance {
    fn new(grounds: [Ground; 2], noise: Noise, templates: [Option<Template>; 12]) -> Appearance {
        let own = BySquare::from_fn(|_| None);
        Appearance::with_grounds((grounds, own, [None, None]), noise, templates)
    }

    fn with_grounds(
        (grounds, own, marked): ([Ground; 2], BySquare<Option<Arc<Patch>>>, Marked),
        noise: Noise,
        templates: [Option<Template>; 12],
    ) -> Appearance {
        let comparer = Arc::new(Comparer::new((&grounds, &own, &marked), noise, &templates));
        Appearance {
            grounds,
            own,
            marked,
            noise,
            templates: Box::new(templates),
            comparer,
        }
    }

    /// Learns from a picture that shows `board` at `map`.
    pub fn learn(image: &RgbaImage, map: &BoardMap, board: &Board) -> Result<Appearance, LearnError> {
        learn::learn(image, map, board, false)
    }

    /// The same where which way the board is turned is the user's word: white pieces may then be somewhat darker than
    /// black ones, as on a board of neon.
    pub fn learn_turned(image: &RgbaImage, map: &BoardMap, board: &Board) -> Result<Appearance, LearnError> {
        learn::learn(image, map, board, true)
    }

    /// Learns from a picture that shows a position by the user's word: what cannot be read back is no reason to doubt
    /// it, as long as the picture does not show another position. Returns the squares that differ, too. With
    /// `sides_are_stated`, which way the board is turned is the user's word as well.
    pub fn learn_stated(
        image: &RgbaImage,
        map: &BoardMap,
        position: &Chess,
        sides_are_stated: bool,
    ) -> Result<(Appearance, Vec<Square>), LearnError> {
        learn::learn_stated(image, map, position, sides_are_stated)
    }

    /// Learns, from a picture known to show `board`, the pieces not seen before or seen on one square colour only. Of
    /// these, a picture teaches what agrees with what is known: the two of them must be pictures of one piece, and nothing
    /// else lies around it, as a mark that glows does. Only these squares teach. Returns what was learned.
    pub(crate) fn learn_more(
        &mut self,
        image: &RgbaImage,
        map: &BoardMap,
        board: &Board,
        squares: Bitboard,
    ) -> Vec<LearnedPiece> {
        let mut learned = Vec::new();
        for (square, piece) in board.iter().filter(|(square, _)| squares.contains(*square)) {
            let (k, dark) = (index(Some(piece)), square.is_dark());
            let old = self.templates[k].clone();
            if old.as_ref().is_some_and(|t| t.seen_on.has(dark)) {
                continue;
            }
            let patch = self.reader(map).closely_aligned(image, square).0;
            let agrees = |composed: &Composed| match &old {
                None => true,
                Some(old) => composed.cost <= CLEAN && !old.is_in_a_haze(&composed.template),
            };
            if self.set_template(k, self.compose(k, &patch, square).filter(agrees)) {
                learned.push(LearnedPiece { piece, dark, old });
            }
        }
        if !learned.is_empty() {
            self.remake();
        }
        learned
    }

    /// Forgets what was learned: the piece is known as it was before.
    pub(crate) fn forget(&mut self, learned: &LearnedPiece) {
        self.templates[index(Some(learned.piece))].clone_from(&learned.old);
        self.remake();
    }

    /// Learns pieces anew: each by its index, its picture, and the square on which it was taken. Says whether anything
    /// was learned.
    fn relearn(&mut self, seen: &[(usize, Patch, Square)]) -> bool {
        let mut learned = false;
        for (k, patch, square) in seen {
            let composed = self.compose(*k, patch, *square);
            learned |= self.set_template(*k, composed);
        }
        if learned {
            self.remake();
        }
        learned
    }

    /// How a bare square of this colour looks.
    fn ground(&self, dark: bool) -> &Patch {
        &self.grounds[usize::from(dark)].patch
    }

    /// How this square looks when it is bare, where it looks unlike the others of its colour.
    fn own_ground(&self, square: Square) -> Option<&Patch> {
        self.own[square].as_deref()
    }

    /// Sets how these squares look when they are bare; with `None` a square looks like the others of its colour. Says
    /// whether there are any.
    fn set_own_grounds(&mut self, grounds: Vec<(Square, Option<Patch>)>) -> bool {
        let changed = !grounds.is_empty();
        for (square, patch) in grounds {
            self.own[square] = patch.map(Arc::new);
        }
        if changed {
            self.remake();
        }
        changed
    }

    /// Sets how bare squares of a colour look under the page's mark.
    fn set_marked(&mut self, dark: bool, patch: Patch) {
        self.marked[usize::from(dark)] = Some(Arc::new(patch));
        self.remake();
    }

    /// Takes a piece that was composed as what is known of it; says whether there is one. The comparer must be remade
    /// after it.
    fn set_template(&mut self, k: usize, composed: Option<Composed>) -> bool {
        let is_there = composed.is_some();
        if let Some(Composed { template, .. }) = composed {
            self.templates[k] = Some(template);
        }
        is_there
    }

    /// The piece at index `k`, from its picture on a square and what is known of it on the other colour.
    fn compose(&self, k: usize, patch: &Patch, square: Square) -> Option<Composed> {
        let dark = square.is_dark();
        let ground = &self.ground_beneath(patch, square);
        let seen = Some(Instance { patch, ground });
        let old = self.templates[k].as_ref().filter(|old| old.seen_on.has(!dark));
        let other = self.ground(!dark);
        let before = old.map(|old| old.over(other));
        let known = before.as_ref().map(|patch| Instance { patch, ground: other });
        let (light, on_dark) = if dark { (known, seen) } else { (seen, known) };
        let palette = learn::palette(&self.templates, k);
        let template = learn::compose(light, on_dark, self.noise, &palette).filter(Template::is_there)?;
        let cost = |picture: Option<Instance>, dark| {
            let of = |Instance { patch, ground }| self.comparer.cost_of(patch, &template.over(ground), dark);
            picture.map_or(0.0, of)
        };
        let cost = cost(light, false).max(cost(on_dark, true));
        Some(Composed { template, cost })
    }

    /// The bare square beneath a square's picture, with the tint that it has.
    fn ground_beneath(&self, patch: &Patch, square: Square) -> Patch {
        let common = &self.grounds[usize::from(square.is_dark())];
        let own = self.own[square].as_ref().map(|patch| Ground {
            patch: Patch::clone(patch),
            color: common.color,
        });
        own.as_ref().unwrap_or(common).beneath(patch)
    }

    /// Makes the templates ready for comparison.
    fn remake(&mut self) {
        let bare = (&self.grounds, &self.own, &self.marked);
        self.comparer = Arc::new(Comparer::new(bare, self.noise, &self.templates));
    }

    /// The pieces that have not been seen yet.
    pub fn unlearned(&self) -> Vec<Piece> {
        (0..12)
            .filter(|k| self.templates[*k].is_none())
            .filter_map(content)
            .collect()
    }

    /// How uneven the texture of bare squares is, in levels.
    pub fn noise(&self) -> f32 {
        self.noise.of_board
    }

    /// Reads all 64 squares.
    pub fn read(&self, image: &RgbaImage, map: &BoardMap) -> BoardReading {
        let reader = self.reader(map);
        BoardReading {
            squares: BySquare::from_fn(|s| {
                let scores = reader.scores(image, s);
                let read = judge(&scores);
                let shared = scores.alike.is_shared(index(read.content));
                SquareReading {
                    doubtful: read.doubtful || shared,
                    ..read
                }
            }),
        }
    }

    /// Pieces that look the same: their squares are followed from a known start, not read.
    pub fn alike(&self) -> Alike {
        self.comparer.alike()
    }

    /// The colours of bare light and dark squares.
    pub fn plain(&self) -> [[i16; 3]; 2] {
        self.grounds.each_ref().map(|ground| ground.color)
    }

    /// Looks once more at single squares of a picture.
    pub(crate) fn closer_look<'a>(&self, map: &BoardMap, image: &'a RgbaImage) -> CloserLook<'a> {
        CloserLook::new(Arc::clone(&self.comparer), *map, image)
    }

    /// Reads single squares of boards that lie at `map`.
    pub fn reader(&self, map: &BoardMap) -> SquareReader<'_> {
        SquareReader::new(self, *map)
    }

    /// The board as it looks, as sharp as it was learned: eight squares of 24 pixels a side. A piece that was never
    /// seen leaves its square empty.
    pub fn draw(&self, board: &Board, orientation: Orientation) -> RgbaImage {
        draw::draw(self, board, orientation)
    }

    /// The place in a part of a picture where a piece fits best, drawn as on a square with this side, in pixels. The
    /// middle of its square lies in that part, within a pixel or two of a point that may be. `None` for a piece that
    /// was never seen, or where no point may be.
    pub fn find_piece(
        &self,
        picture: (&RgbaImage, &FrameRect),
        may_be: &impl Fn(FramePx) -> bool,
        piece: Piece,
        side: f64,
    ) -> Option<FoundPiece> {
        search::find_piece(self, picture, may_be, piece, side)
    }

    /// How far each square is from showing this position through a filter that lies evenly over the board, such as one
    /// that greys or darkens it: 0 where it shows just that, 1 where as much differs as the board's own colours do.
    pub fn unlike_through_filter(&self, image: &RgbaImage, map: &BoardMap, board: &Board) -> BySquare<f32> {
        filtered::unlike(self, image, map, board)
    }

    /// The best fit of a piece at most `distance` pixels away from a place.
    pub fn piece_near(&self, image: &RgbaImage, around: FramePx, distance: f64, piece: Piece, side: f64) -> FoundPiece {
        search::piece_near(self, image, around, distance, piece, side)
    }

    /// The pieces as they look through a veil of this grey level, 0 to 255, with this opacity, 0 to 1; the bare squares as
    /// they are.
    pub fn veiled(&self, level: u8, opacity: f32) -> Appearance {
        let templates = self
            .templates
            .each_ref()
            .map(|known| known.as_ref().map(|template| template.veiled(level, opacity)));
        let bare = (self.grounds.clone(), self.own.clone(), self.marked.clone());
        Appearance::with_grounds(bare, self.noise, templates)
    }

    fn template(&self, index: usize) -> Option<&Template> {
        self.templates.get(index)?.as_ref()
    }
}

/// A piece made from its pictures on one square colour or both.
struct Composed {
    template: Template,
    /// What it costs on that of these pictures that it explains worse, 0 to 1. The pictures of two different pieces, or
    /// of one with something over it, have no piece in common that explains both.
    cost: f32,
}

/// A board whose marks glow, for tests.
#[cfg(test)]
pub(crate) use marked::tests as glowing;

fn cut(map: &BoardMap, square: Square) -> Cut {
    Cut::of(map.square_rect(square))
}

fn patches(image: &RgbaImage, map: &BoardMap) -> BySquare<Patch> {
    BySquare::from_fn(|s| cut(map, s).take(image))
}

/// An appearance as it stands in a calibration file.
#[derive(Serialize, Deserialize)]
struct AppearanceFile {
    light: [u8; 3],
    dark: [u8; 3],
    noise: f32,
    /// That of light and dark squares, where it is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    noise_of_color: Option<[f32; 2]>,
    /// The pictures of bare light and dark squares, where these are more than colours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    grounds: Option<String>,
    /// The pictures of the squares that look unlike the others of their colour, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    squares: Option<String>,
    /// The pictures of bare light and dark squares under the page's mark of a move, where that is more than a tint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    marked: Option<String>,
    /// By FEN letter.
    pieces: BTreeMap<char, Template>,
}

impl From<Appearance> for AppearanceFile {
    fn from(appearance: Appearance) -> AppearanceFile {
        let [light, dark] = appearance.plain().map(|color| color.map(|v| v.clamp(0, 255) as u8));
        let (noise, pieces) = (appearance.noise, appearance.templates.into_iter().enumerate());
        AppearanceFile {
            light,
            dark,
            noise: noise.of_board,
            noise_of_color: (noise != Noise::even(noise.of_board)).then_some(noise.of_color),
            grounds: ground::to_file(&appearance.grounds),
            squares: own::to_file(&appearance.own),
            marked: marked::to_file(&appearance.marked),
            pieces: pieces.filter_map(|(k, t)| Some((content(k)?.char(), t?))).collect(),
        }
    }
}

impl TryFrom<AppearanceFile> for Appearance {
    type Error = String;

    fn try_from(file: AppearanceFile) -> Result<Appearance, String> {
        let mut templates: [Option<Template>; 12] = Default::default();
        for (letter, template) in file.pieces {
            let piece = Piece::from_char(letter).ok_or_else(|| format!("{letter:?} is not a piece's FEN letter"))?;
            templates[index(Some(piece))] = Some(template);
        }
        let of_color = file.noise_of_color.unwrap_or([file.noise; 2]);
        if let Some(level) = [file.noise]
            .iter()
            .chain(&of_color)
            .find(|level| !(0.0..=64.0).contains(*level))
        {
            return Err(format!("a texture noise of {level} levels is not between 0 and 64"));
        }
        let noise = Noise {
            of_board: file.noise,
            of_color,
        };
        let plain = [file.light, file.dark].map(|color| color.map(i16::from));
        let grounds = ground::from_file(file.grounds.as_deref(), plain)?;
        let own = own::from_file(file.squares.as_deref())?;
        let marked = marked::from_file(file.marked.as_deref())?;
        Ok(Appearance::with_grounds((grounds, own, marked), noise, templates))
    }
}
