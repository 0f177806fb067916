//! Reads squares of a picture, each where it fits best.

use super::compare::Comparer;
use super::content::{EMPTY, index};
use super::edges::Edges;
use super::judge::{COVERED, TINTED, WELL};
use super::scores::SquareScores;
use super::{Appearance, cut};
use crate::patch::{Cut, Patch, distance};
use image::RgbaImage;
use shakmaty::{Piece, Square};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use torres_geometry::BoardMap;

/// A square whose outermost ring is so many levels from what lies within it has a frame.
const FRAMED: i16 = 24;

/// A square taken a pixel away must cost less than this share to be preferred.
const SHIFTED: f32 = 0.8;

/// The same where its middle is hidden. What a user draws over a piece hides less of it (arrows up to 0.26 in the
/// recorded games), and takes no click; notices that just reach the middle hide 0.36 and more.
const MIDDLE_COVERED: f32 = 0.3;

/// The lines of a piece that is seen agree with those expected by this much at least, -1 to 1. (Glass kings in a red
/// glow: 0.49 and 0.79; under a notice: 0.04 at most.)
const ITS_LINES: f32 = 0.3;

/// The same where nothing is hidden and the light is another. (Pieces of a board that is darkened towards its corners:
/// 0.95 and more; half of one that a notice hides: a judgement.)
const ALL_ITS_LINES: f32 = 0.9;

/// From this share on a piece looks otherwise since its ground does. (A hollow queen on a mark: 1.00; a knight
/// under a veil that covers its square: 0.25.)
const HOLLOW: f32 = 0.6;

/// What has this many cells of a square's 24 to each side is broader than a line (a judgement: where three strokes of a
/// page's arrow met they had 7, and a notice that reaches a square's middle has 12).
const BROAD: usize = 8;

/// Nothing that may stand on the square explains at least this share of what a line over it costs. (0.95 under an arrow.)
const FOREIGN: f32 = 0.8;

/// Why a piece may look otherwise than it was learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Light {
    /// It is an attacked king: pages let it glow.
    MayGlow,
    /// Its square is marked: a hollow piece that was seen on one ground only has that ground in it.
    Marked,
    /// The board is shaded, say.
    Other,
}

/// Reads squares at one place of the frames.
pub struct SquareReader<'a> {
    appearance: &'a Appearance,
    map: BoardMap,
}

impl<'a> SquareReader<'a> {
    /// Reads as this appearance says, on boards that lie at `map`.
    pub(super) fn new(appearance: &'a Appearance, map: BoardMap) -> SquareReader<'a> {
        SquareReader { appearance, map }
    }

    /// How a square compares with everything that may stand on it.
    pub fn scores(&self, image: &RgbaImage, square: Square) -> SquareScores {
        let (patch, mut best) = self.aligned(image, square);
        if best.least() > WELL || self.appearance.comparer.may_be_overlaid(&best) {
            self.appearance.comparer.look_for_motion(&patch, square, &mut best);
        }
        best.edges = Edges::of(&patch, self.map.orientation);
        best
    }

    /// Whether something lies over the middle of a square with this piece, where a click goes, and over a third of the
    /// piece.
    pub(crate) fn is_middle_covered(&self, image: &RgbaImage, square: Square, piece: Piece) -> bool {
        let comparer = &self.appearance.comparer;
        let (patch, scores) = self.closely_aligned(image, square);
        let cost = comparer.cost_of_click(&patch, square, &scores, index(Some(piece)));
        cost.is_some_and(|cost| cost > COVERED) && scores.body[index(Some(piece))] > MIDDLE_COVERED
    }

    /// Whether nothing lies over a square with this content that is broader than a line.
    pub(crate) fn is_under_lines(&self, image: &RgbaImage, square: Square, content: Option<Piece>) -> bool {
        let (comparer, content) = (&self.appearance.comparer, index(content));
        let (patch, scores) = self.closely_aligned(image, square);
        let broadest = comparer.broadest_over(&patch, square, &scores, content);
        let is_narrow = broadest.is_some_and(|cells| cells < BROAD);
        is_narrow && scores.unexplained >= FOREIGN * scores.cost[content]
    }

    /// Whether this piece is seen on the square, though in another light than it was learned in. Its lines are seen: all
    /// of them over a square that is as bare as ever, since nothing lies over a piece alone, or is marked; most of them
    /// where a king may glow.
    pub(crate) fn shows_itself(&self, image: &RgbaImage, square: Square, piece: Piece, light: Light) -> bool {
        let (patch, scores) = self.closely_aligned(image, square);
        let (comparer, content) = (&self.appearance.comparer, index(Some(piece)));
        let at_least = |least: f32| move |share: f32| share >= least;
        let shows_ground = || comparer.shows_ground(&patch, square, &scores, content);
        let least = match light {
            Light::MayGlow => ITS_LINES,
            _ if scores.tint <= TINTED => ALL_ITS_LINES,
            Light::Marked if shows_ground().is_some_and(at_least(HOLLOW)) => ALL_ITS_LINES,
            Light::Marked | Light::Other => return false,
        };
        let agree = comparer.lines_agree(&patch, square, content);
        agree.is_some_and(at_least(least))
    }

    /// Whether a piece has left its place, but not its square.
    pub(crate) fn has_set_out(&self, image: &RgbaImage, square: Square, piece: Piece) -> bool {
        let patch = cut(&self.map, square).take(image);
        self.appearance.comparer.has_set_out(&patch, index(Some(piece)), square)
    }

    fn aligned(&self, image: &RgbaImage, square: Square) -> (Patch, SquareScores) {
        aligned(&self.appearance.comparer, &self.map, image, square)
    }

    /// The same with each edge tried by itself, for what is learned or clicked. Where all squares were read so, a board
    /// drawn by hand lost moves (`docs/programs.md`, hand-34-006).
    pub(super) fn closely_aligned(&self, image: &RgbaImage, square: Square) -> (Patch, SquareScores) {
        let ways = [Cut::beside, Cut::stretched, Cut::stretched_back];
        aligned_in(&ways, &self.appearance.comparer, &self.map, image, square)
    }
}

/// A square, a piece, and the indices of what else may be there.
type Question = (Square, Piece, Vec<usize>);

/// A picture of which single squares are looked at once more, where what is read of them is not certain.
pub struct CloserLook<'a> {
    comparer: Arc<Comparer>,
    map: BoardMap,
    image: &'a RgbaImage,
    /// What was asked before.
    known: RefCell<HashMap<Question, bool>>,
    /// What guesses cost.
    guessed: RefCell<HashMap<(Square, Piece), Option<f32>>>,
}

impl<'a> CloserLook<'a> {
    /// A look at a picture of a board that lies at `map`.
    pub(super) fn new(comparer: Arc<Comparer>, map: BoardMap, image: &'a RgbaImage) -> CloserLook<'a> {
        CloserLook {
            comparer,
            map,
            image,
            known: RefCell::default(),
            guessed: RefCell::default(),
        }
    }

    /// How far a piece lies beside its place, in cells, to the side or up and down, whichever is more: good for a cell
    /// or so. `None` where that cannot be told.
    pub fn aside(&self, square: Square, piece: Piece) -> Option<f32> {
        let patch = cut(&self.map, square).take(self.image);
        let [x, y] = self.comparer.aside(&patch, square, index(Some(piece)))?;
        Some(x.abs().max(y.abs()))
    }

    /// What it costs, as a mean over the square's cells, that a piece stands there which was seen on squares of the other
    /// colour only, where all that its picture leaves open is granted; `None` for any other piece.
    pub fn cost_of_guess(&self, square: Square, piece: Piece) -> Option<f32> {
        let cost = || {
            let (patch, _) = aligned(&self.comparer, &self.map, self.image, square);
            self.comparer.cost_of_guess(&patch, square, index(Some(piece)))
        };
        *self.guessed.borrow_mut().entry((square, piece)).or_insert_with(cost)
    }

    /// Whether what is seen of a square shows this piece at rest there, rather than anything of `others`, nothing, or
    /// the piece beside its place, whatever lies over the remainder.
    pub fn rests(&self, square: Square, piece: Piece, others: &[Option<Piece>]) -> bool {
        let mut others: Vec<usize> = others.iter().map(|other| index(*other)).collect();
        others.sort_unstable();
        others.dedup();
        let mut known = self.known.borrow_mut();
        *known
            .entry((square, piece, others))
            .or_insert_with_key(|(_, _, others)| {
                let (patch, scores) = aligned(&self.comparer, &self.map, self.image, square);
                self.comparer.rests(&patch, square, &scores, index(Some(piece)), others)
            })
    }
}

/// The square's picture where it fits best, and its scores but for motion.
///
/// Pages round fractional squares in different ways, and draw pieces a pixel larger on some than on others: a square
/// that fits nothing well is tried a pixel to each side, and larger and smaller by one.
fn aligned(comparer: &Comparer, map: &BoardMap, image: &RgbaImage, square: Square) -> (Patch, SquareScores) {
    aligned_in(&[Cut::beside, Cut::stretched], comparer, map, image, square)
}

/// The same, with these ways to cut it tried one after another.
fn aligned_in(
    ways: &[fn(Cut) -> [Cut; 8]],
    comparer: &Comparer,
    map: &BoardMap,
    image: &RgbaImage,
    square: Square,
) -> (Patch, SquareScores) {
    let at = |place: Cut| {
        let patch = place.take(image);
        let scores = comparer.scores(&patch, square);
        (place, patch, scores)
    };
    let mut best = at(cut(map, square));
    // Marks are looked for where the square lies: a piece may rest beside its place, and a pixel farther on the next
    // square begins.
    let (ring, sides, corners) = (best.2.ring, best.2.sides, best.2.corners);
    let try_all = |best: &mut (Cut, Patch, SquareScores), others: &[Cut]| {
        for other in others {
            if best.2.least() <= WELL {
                break;
            }
            let other = at(*other);
            if fits_better(&other.2, &best.2) {
                *best = other;
            }
        }
    };
    for others in ways {
        let others = others(best.0);
        try_all(&mut best, &others);
    }
    // A border around a square pushes what is in it aside by its width.
    if distance(ring, best.2.margin) > FRAMED {
        try_all(&mut best, &cut(map, square).pushed());
    }
    if best.2.least() > WELL
        && let Some(between) = between_pixels(comparer, square, &best)
        && fits_better(&between.1, &best.2)
    {
        (best.1, best.2) = between;
    }
    (best.2.ring, best.2.sides, best.2.corners) = (ring, sides, corners);
    (best.1, best.2)
}

/// The same taken up to a pixel aside, where the best piece would lie on its place: pieces that a page draws as vectors
/// lie between two pixels where its squares do.
fn between_pixels(
    comparer: &Comparer,
    square: Square,
    (place, patch, scores): &(Cut, Patch, SquareScores),
) -> Option<(Patch, SquareScores)> {
    let [x, y] = comparer.aside(patch, square, scores.best().0)?;
    let [across, down] = place.pixels(x, y);
    if across.abs().max(down.abs()) > 1.0 {
        return None;
    }
    let between = patch.seen_from(x, y);
    let scores = comparer.scores(&between, square);
    Some((between, scores))
}

/// Whether a square taken elsewhere fits clearly better. What lies over a piece is the same in both places; of an empty
/// square nothing tells where it is.
fn fits_better(other: &SquareScores, best: &SquareScores) -> bool {
    let shows_piece = other.best().0 != EMPTY && other.least() < best.least();
    other.least() < SHIFTED * best.least() || (shows_piece && other.left_open() < SHIFTED * best.left_open())
}
