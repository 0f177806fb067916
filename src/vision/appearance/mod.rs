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
mod learn;
mod marked;
mod matting;
mod own;
mod picture_text;
mod relearn;
mod search;
mod template;

use super::patch::{Cut, Patch, distance};
pub use alike::Alike;
use compare::Comparer;
pub(crate) use compare::{CORNERS, SIDES};
pub use compare::{Motion, SquareScores};
pub use content::{CONTENTS, EMPTY, content, index};
pub use departed::Departures;
pub use doubt_reason::{DoubtReason, doubt_reasons};
use edges::Edges;
use ground::Ground;
use image::RgbaImage;
pub(crate) use learn::is_attacked_king;
use marked::Marked;
pub use marked::MarkedSquares;
use matting::Instance;
pub use own::BareSquares;
pub use relearn::Relearning;
pub use search::FoundPiece;
use serde::{Deserialize, Serialize};
use shakmaty::{Bitboard, Board, Chess, Piece, Square};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use template::Template;
use torres_geometry::{BoardMap, BySquare, FramePx, FrameRect, Orientation};

/// What stands on a square, and how sure that is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SquareReading {
    /// The piece seen, `None` for an empty square.
    pub content: Option<Piece>,
    /// 0 to 1.
    pub confidence: f64,
    /// Covered, or too like something else, to be believed.
    pub doubtful: bool,
}

/// What stands on every square.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardReading {
    /// Square by square.
    pub squares: BySquare<SquareReading>,
}

impl BoardReading {
    /// The pieces as read, doubtful squares by their best guess.
    pub fn board(&self) -> Board {
        let pieces = self.squares.iter().filter_map(|(s, r)| Some((s, r.content?)));
        pieces.collect()
    }

    /// The least sure square's confidence.
    pub fn confidence(&self) -> f64 {
        self.squares.iter().map(|(_, r)| r.confidence).fold(1.0, f64::min)
    }

    /// The squares not to be believed.
    pub fn doubtful(&self) -> Vec<Square> {
        self.squares
            .iter()
            .filter(|(_, r)| r.doubtful)
            .map(|(s, _)| s)
            .collect()
    }
}

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

/// A square whose best content costs less than this fits well, as a mean over the square.
const WELL: f32 = 0.03;

/// A square whose outermost ring is so many levels from what lies within it has a frame.
const FRAMED: i16 = 24;

/// A square taken a pixel away must cost less than this share to be preferred.
const SHIFTED: f32 = 0.8;

/// A piece of whose body (or an empty square of whose middle) more than this share is hidden is covered.
const COVERED: f32 = 0.5;

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

/// The second best content must cost this much more, as a mean over the square.
const GAP: f32 = 0.012;

/// Where the two look so alike on that ground that no picture shows such a difference, this share of the one that there
/// is, but not less than the least.
const SHARE_OF_GAP: f32 = 0.5;
const LEAST_GAP: f32 = 0.003;

/// It must also cost more by this share of what the best one leaves open: half of a picture that nothing explains may
/// be two pieces in a capture.
const GAP_PER_OPEN: f32 = 0.45;

/// The same for an empty square, over which only arrows and notices lie.
const GAP_PER_OPEN_EMPTY: f32 = 0.3;

/// The same for an empty square under a tint: the tint is what is seen at the margin, and the same pointer or notice
/// that leaves the rest open may lie there. Twice what any content needs (a judgement).
const GAP_PER_OPEN_TINTED: f32 = 0.9;

/// Farther from its plain colour than this, in levels, an empty square is tinted, or covered.
const TINTED: i16 = 24;

/// A square that is evenly this many levels away from its colour may as well be covered by something opaque.
const OPAQUE: i16 = 130;

/// A square that differs by more than this from what is expected (glow, arrow, cursor) teaches nothing.
const CLEAN: f32 = 0.05;

/// A square whose best content costs more than this is hidden: it is evidence for no content.
pub const HIDDEN: f32 = 0.38;

/// The evidence of a square that is read for certain, in nats: as much as it takes to believe a move (1000 to 1).
pub(crate) const CERTAIN: f32 = 6.9;

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
    noise: f32,
    // Pictures lie on the heap: an appearance is moved about, and a thread's stack is small.
    templates: Box<[Option<Template>; 12]>,
    comparer: Arc<Comparer>,
}

impl Appearance {
    fn new(grounds: [Ground; 2], noise: f32, templates: [Option<Template>; 12]) -> Appearance {
        let own = BySquare::from_fn(|_| None);
        Appearance::with_grounds((grounds, own, [None, None]), noise, templates)
    }

    fn with_grounds(
        (grounds, own, marked): ([Ground; 2], BySquare<Option<Arc<Patch>>>, Marked),
        noise: f32,
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
        learn::learn(image, map, board)
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
    /// these, a picture teaches what agrees with what is known: the two of them must be pictures of one piece. Only these
    /// squares teach. Returns what was learned.
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
            let composed = self.compose(k, &patch, square);
            if self.set_template(k, composed.filter(|composed| old.is_none() || composed.cost <= CLEAN)) {
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
        self.noise
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
        CloserLook {
            comparer: Arc::clone(&self.comparer),
            map: *map,
            image,
            known: RefCell::default(),
        }
    }

    /// Reads single squares of boards that lie at `map`.
    pub fn reader(&self, map: &BoardMap) -> SquareReader<'_> {
        SquareReader {
            appearance: self,
            map: *map,
        }
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

impl SquareReader<'_> {
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
    fn closely_aligned(&self, image: &RgbaImage, square: Square) -> (Patch, SquareScores) {
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
}

impl CloserLook<'_> {
    /// How far a piece lies beside its place, in cells, to the side or up and down, whichever is more: good for a cell
    /// or so. `None` where that cannot be told.
    pub fn aside(&self, square: Square, piece: Piece) -> Option<f32> {
        let patch = cut(&self.map, square).take(self.image);
        let [x, y] = self.comparer.aside(&patch, square, index(Some(piece)))?;
        Some(x.abs().max(y.abs()))
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

/// The arguments for and against the best content of a square.
struct Weighed {
    best: usize,
    /// Above 1: so much of it is hidden that it is a guess.
    covered: f32,
    /// Below 1: something else may as well stand there.
    clear: f32,
    /// The square is painted over.
    painted_over: bool,
}

fn weigh(scores: &SquareScores) -> Weighed {
    let (best, gap) = scores.best();
    // What covers a part of the square is evidence for no content, so the rest must tell them further apart. A tint
    // leaves little open.
    let gap_per_open = match best == EMPTY {
        true if scores.tint > TINTED => GAP_PER_OPEN_TINTED,
        true => GAP_PER_OPEN_EMPTY,
        false => GAP_PER_OPEN,
    };
    let open = open(scores, best);
    Weighed {
        best,
        covered: scores.body[best] / COVERED,
        clear: gap / (needed_gap(scores) + gap_per_open * open),
        painted_over: best == EMPTY && scores.tint > OPAQUE,
    }
}

/// What a content leaves open, as a mean cost. What lies beside a body that fits, a cursor say, is no argument against
/// it; but a square under a tint is tinted all over, and what is left open beside its middle lies over it.
fn open(scores: &SquareScores, content: usize) -> f32 {
    match content == EMPTY && scores.tint > TINTED {
        true => scores.cost[content],
        false => scores.cost[content].min(scores.body[content]),
    }
}

/// By how much the next content must cost more than the best.
fn needed_gap(scores: &SquareScores) -> f32 {
    let possible = scores.apart.map_or(GAP, |apart| SHARE_OF_GAP * apart);
    possible.clamp(LEAST_GAP, GAP)
}

/// This much of a piece's body may be hidden when it is to be told from a few others only.
const PARTLY_COVERED: f32 = 0.65;

/// The same for the middle of an empty square.
const EMPTY_COVERED: f32 = 0.8;

/// To tell what one legal move leads to from what others lead to takes this share of what a certain reading needs: 4.6
/// nats (100 to 1), since the others are few.
const DISTINGUISHED: f32 = 4.6 / CERTAIN;

/// Whether a square's picture tells this content from these others, whatever else it resembles. A picture in motion
/// tells nothing.
pub fn distinguishes(scores: &SquareScores, content: Option<Piece>, others: &[Option<Piece>]) -> bool {
    let k = index(content);
    let others = others.iter().map(|o| index(*o)).filter(|o| !scores.alike.same(*o, k));
    let next = others.map(|o| scores.cost[o]).fold(f32::INFINITY, f32::min);
    let gap_per_open = if k == EMPTY { GAP_PER_OPEN_EMPTY } else { GAP_PER_OPEN };
    let open = open(scores, k);
    let hidden = if k == EMPTY { EMPTY_COVERED } else { PARTLY_COVERED };
    let seen = scores.motion.is_none() && scores.body[k] <= hidden && scores.least() <= HIDDEN;
    seen && next - scores.cost[k] >= DISTINGUISHED * (GAP + gap_per_open * open)
}

/// By how many nats a square's picture speaks for one content against another: [`CERTAIN`] where the two are apart by
/// as much as a square that is read for certain has between its best content and the next. A picture that nothing
/// explains is no evidence.
pub(crate) fn log_likelihood_ratio(scores: &SquareScores, this: usize, other: usize) -> f32 {
    if scores.alike.same(this, other) || scores.least() > HIDDEN {
        return 0.0;
    }
    let best = scores.best().0;
    let gap_per_open = if best == EMPTY {
        GAP_PER_OPEN_EMPTY
    } else {
        GAP_PER_OPEN
    };
    let open = open(scores, best);
    // A piece that is not learned costs everything.
    let cost = |k: usize| scores.cost[k].min(1.0);
    CERTAIN * (cost(other) - cost(this)) / (needed_gap(scores) + gap_per_open * open)
}

/// Whether the whole square has another colour, as something opaque would give it.
pub(crate) fn is_painted_over(scores: &SquareScores) -> bool {
    weigh(scores).painted_over
}

/// Whether something lies over what stands on the square, by half of it or more: a click there would hit that.
pub(super) fn is_covered(scores: &SquareScores, content: Option<Piece>) -> bool {
    scores.body[index(content)] > COVERED
}

/// Whether a square is read for certain, if what it is evenly painted with is its mark.
pub(crate) fn is_read_under_paint(scores: &SquareScores) -> bool {
    let Weighed { covered, clear, .. } = weigh(scores);
    covered <= 1.0 && clear >= 1.0 && scores.motion.is_none()
}

/// What the scores of a square say stands there.
pub fn judge(scores: &SquareScores) -> SquareReading {
    let Weighed {
        best,
        covered,
        clear,
        painted_over,
    } = weigh(scores);
    SquareReading {
        content: content(scores.alike.first(best)),
        confidence: f64::from((1.0 - covered / 2.0).clamp(0.0, 1.0) * (clear / 2.0).clamp(0.0, 1.0)),
        doubtful: !is_read_under_paint(scores) || painted_over,
    }
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
        let pieces = appearance.templates.into_iter().enumerate();
        AppearanceFile {
            light,
            dark,
            noise: appearance.noise,
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
        if !(0.0..=64.0).contains(&file.noise) {
            return Err(format!(
                "a texture noise of {} levels is not between 0 and 64",
                file.noise
            ));
        }
        let plain = [file.light, file.dark].map(|color| color.map(i16::from));
        let grounds = ground::from_file(file.grounds.as_deref(), plain)?;
        let own = own::from_file(file.squares.as_deref())?;
        let marked = marked::from_file(file.marked.as_deref())?;
        Ok(Appearance::with_grounds((grounds, own, marked), file.noise, templates))
    }
}
