//! Which way a board is turned, by the coordinates drawn in it or beside it.
//!
//! Nothing is read letter by letter. Of the digits, the 8 has the most ink and the 1 the least, and a 2 has more than a
//! 7; of the letters a to h, every second one is tall. Both hold in any usual typeface, and turned round they are
//! wrong.

use image::{GrayImage, Luma, RgbaImage};
use imageproc::region_labelling::{Connectivity, connected_components};
use torres_geometry::{BoardRect, Orientation};

/// Where the eight labels of a row or column may be, each as a box in squares from its own square's upper left corner.
struct LabelRow {
    /// Files are labelled from left to right in this row of squares, or ranks from top to bottom in this column.
    line: Line,
    /// Left, upper, right and lower edge of the box.
    place: [f64; 4],
}

enum Line {
    Row(f64),
    Column(f64),
}

impl Line {
    fn is_of_ranks(&self) -> bool {
        matches!(self, Line::Column(_))
    }

    fn is_of_files(&self) -> bool {
        matches!(self, Line::Row(_))
    }

    /// How far a label lies from the board's edge, in pixels; less than 0 on the board.
    fn off_board(&self, label: &Label, rect: &BoardRect) -> f64 {
        match self {
            Line::Row(_) => (label.top - rect.y() - rect.height()).max(rect.y() - label.top - label.height),
            Line::Column(_) => (label.x - rect.x() - rect.width()).max(rect.x() - label.x),
        }
    }
}

const LABEL_ROWS: [LabelRow; 9] = [
    // Ranks: beside the board, and in the upper corners of its outer columns.
    LabelRow {
        line: Line::Column(-1.0),
        place: [0.2, 0.1, 0.98, 0.9],
    },
    LabelRow {
        line: Line::Column(8.0),
        place: [0.02, 0.1, 0.8, 0.9],
    },
    LabelRow {
        line: Line::Column(0.0),
        place: [0.01, 0.01, 0.3, 0.4],
    },
    LabelRow {
        line: Line::Column(7.0),
        place: [0.7, 0.01, 0.99, 0.4],
    },
    // Files: below and above the board, and in the lower corners of its lowest row.
    LabelRow {
        line: Line::Row(8.0),
        place: [0.1, 0.02, 0.9, 0.8],
    },
    LabelRow {
        line: Line::Row(-1.0),
        place: [0.1, 0.2, 0.9, 0.98],
    },
    LabelRow {
        line: Line::Row(7.0),
        place: [0.01, 0.6, 0.3, 0.99],
    },
    LabelRow {
        line: Line::Row(7.0),
        place: [0.7, 0.6, 0.99, 0.99],
    },
    // Ranks in the lower left corners.
    LabelRow {
        line: Line::Column(0.0),
        place: [0.01, 0.6, 0.3, 0.99],
    },
];

/// From this many levels of one channel on a pixel is not of its background.
const INK: u8 = 16;

/// The least height of a label, in pixels.
const MIN_HEIGHT: u32 = 5;

/// The labels of a line stand in line: their middles differ by at most this share of a square.
const OUT_OF_LINE: f64 = 0.12;

/// Labels are alike in height: within this factor of the middle one.
const HEIGHTS: std::ops::RangeInclusive<f64> = 0.6..=1.6;

/// How much more ink an 8 has than a 1, at least, as a share of the mean.
const MORE_INK: f64 = 0.2;

/// By how much of its height a tall letter is taller than a low one.
const TALLER: f64 = 0.12;

/// How many of the eight labels must be seen.
const MIN_SEEN: usize = 6;

/// A label: its box in pixels of the picture, and its ink, in pixels.
#[derive(Clone, Copy, Debug)]
struct Label {
    x: f64,
    top: f64,
    height: f64,
    ink: f64,
    pixels: u32,
}

/// Which way the board lies, if coordinates say so and no others of their kind contradict. Where ranks and files
/// contradict each other, the board is a mirror image.
pub fn orientation(image: &RgbaImage, rect: &BoardRect) -> Option<Orientation> {
    let square = rect.width() / 8.0;
    let ranks = told_by(image, rect, Line::is_of_ranks, |labels| by_digits(labels, square)).ok()?;
    let files = told_by(image, rect, Line::is_of_files, by_letters).ok()?;
    match (ranks, files) {
        (Some(ranks), Some(files)) if ranks != files => Some(ranks.mirrored()),
        (ranks, files) => ranks.or(files),
    }
}

/// Which board, one that is no mirror image, has its files in the order in which they are labelled.
pub fn files_in_order(image: &RgbaImage, rect: &BoardRect) -> Option<Orientation> {
    told_by(image, rect, Line::is_of_files, by_letters).ok()?
}

/// Two lines of labels of one kind say different things.
struct Contradiction;

/// What the lines of labels of one kind say, if any can be read. Of what stands in a label's place the largest is taken, or
/// else what is nearest to the board: words may stand below.
fn told_by(
    image: &RgbaImage,
    rect: &BoardRect,
    is_of_kind: fn(&Line) -> bool,
    read: impl Fn(&[Option<Label>; 8]) -> Option<Orientation>,
) -> Result<Option<Orientation>, Contradiction> {
    let mut told = None;
    for place in LABEL_ROWS.iter().filter(|place| is_of_kind(&place.line)) {
        let found: [Vec<Label>; 8] = std::array::from_fn(|k| labels(image, rect, place, k as f64));
        let largest = |all: &Vec<Label>| all.iter().copied().max_by_key(|label| label.pixels);
        let off = |label: &Label| place.line.off_board(label, rect);
        let nearest = |all: &Vec<Label>| all.iter().copied().min_by(|a, b| off(a).total_cmp(&off(b)));
        let one = read(&found.each_ref().map(largest)).or_else(|| read(&found.each_ref().map(nearest)));
        match (told, one) {
            (Some(before), Some(one)) if before != one => return Err(Contradiction),
            (None, Some(_)) => told = one,
            _ => {}
        }
    }
    Ok(told)
}

/// The ranks' digits from top to bottom: 8 to 1 if White is at the bottom.
fn by_digits(labels: &[Option<Label>; 8], square: f64) -> Option<Orientation> {
    let seen = alike(labels)?;
    let x = median(seen.iter().map(|l| l.x).collect());
    if seen.iter().any(|l| (l.x - x).abs() > OUT_OF_LINE * square) {
        return None;
    }
    let mean = seen.iter().map(|l| l.ink).sum::<f64>() / seen.len() as f64;
    let more = |a: usize, b: usize| Some((labels[a]?.ink - labels[b]?.ink) / mean);
    let (eight_over_one, two_over_seven) = (more(0, 7)?, more(6, 1)?);
    if eight_over_one > MORE_INK && two_over_seven > 0.0 {
        Some(Orientation::White)
    } else if eight_over_one < -MORE_INK && two_over_seven < 0.0 {
        Some(Orientation::Black)
    } else {
        None
    }
}

/// The files' letters from left to right: low and tall in turn (a b c d e f g h) if White is at the bottom.
fn by_letters(labels: &[Option<Label>; 8]) -> Option<Orientation> {
    let seen = alike(labels)?;
    let height = seen.iter().map(|l| l.height).fold(0.0, f64::max);
    let tops = |parity: usize| labels.iter().skip(parity).step_by(2).flatten().map(|l| l.top);
    let highest = |parity| tops(parity).fold(f64::INFINITY, f64::min);
    let lowest = |parity| tops(parity).fold(f64::NEG_INFINITY, f64::max);
    if lowest(1) + TALLER * height < highest(0) {
        Some(Orientation::White)
    } else if lowest(0) + TALLER * height < highest(1) {
        Some(Orientation::Black)
    } else {
        None
    }
}

/// The labels seen, if there are enough and of about one height.
fn alike(labels: &[Option<Label>; 8]) -> Option<Vec<Label>> {
    let seen: Vec<Label> = labels.iter().flatten().copied().collect();
    let height = median(seen.iter().map(|l| l.height).collect());
    let similar = seen.iter().all(|l| HEIGHTS.contains(&(l.height / height)));
    (seen.len() >= MIN_SEEN && similar).then_some(seen)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// The connected things in a label's box that do not reach the box's border, as pieces and frames do.
fn labels(image: &RgbaImage, rect: &BoardRect, place: &LabelRow, k: f64) -> Vec<Label> {
    let (width, height) = (rect.width() / 8.0, rect.height() / 8.0);
    let (column, row) = match place.line {
        Line::Row(row) => (k, row),
        Line::Column(column) => (column, k),
    };
    let [left, top, right, bottom] = place.place;
    let start = |at: f64, limit: u32| (at.ceil().max(0.0) as u32).min(limit);
    let (x0, x1) = (rect.x() + (column + left) * width, rect.x() + (column + right) * width);
    let (y0, y1) = (rect.y() + (row + top) * height, rect.y() + (row + bottom) * height);
    let (x0, x1) = (start(x0, image.width()), start(x1, image.width()));
    let (y0, y1) = (start(y0, image.height()), start(y1, image.height()));
    if x1 < x0 + 3 || y1 < y0 + MIN_HEIGHT {
        return Vec::new();
    }
    let strength = strengths(image, [x0, y0, x1, y1]);
    let ink = GrayImage::from_fn(strength.width(), strength.height(), |x, y| {
        Luma([u8::from(strength.get_pixel(x, y).0[0] > INK)])
    });
    let parts = connected_components(&ink, Connectivity::Eight, Luma([0]));
    let count = parts.iter().max().copied().unwrap_or_default() as usize;
    let mut boxes = vec![Part::default(); count + 1];
    for (x, y, part) in parts.enumerate_pixels() {
        boxes[part.0[0] as usize].add(x, y, strength.get_pixel(x, y).0[0]);
    }
    let inner = |p: &&Part| {
        p.left > 0 && p.top > 0 && p.right + 1 < ink.width() && p.bottom + 1 < ink.height() && p.height() >= MIN_HEIGHT
    };
    let labels = boxes.iter().skip(1).filter(inner).map(|part| Label {
        x: f64::from(x0) + f64::from(part.left + part.right) / 2.0,
        top: f64::from(y0 + part.top),
        height: f64::from(part.height()),
        ink: part.sum as f64 / f64::from(part.strongest),
        pixels: part.pixels,
    });
    labels.collect()
}

/// A connected part of a label's box.
#[derive(Clone)]
struct Part {
    left: u32,
    right: u32,
    top: u32,
    bottom: u32,
    pixels: u32,
    sum: u64,
    strongest: u8,
}

impl Default for Part {
    fn default() -> Part {
        Part {
            left: u32::MAX,
            right: 0,
            top: u32::MAX,
            bottom: 0,
            pixels: 0,
            sum: 0,
            strongest: 1,
        }
    }
}

impl Part {
    fn add(&mut self, x: u32, y: u32, strength: u8) {
        self.left = self.left.min(x);
        self.right = self.right.max(x);
        self.top = self.top.min(y);
        self.bottom = self.bottom.max(y);
        self.pixels += 1;
        self.sum += u64::from(strength);
        self.strongest = self.strongest.max(strength);
    }

    fn height(&self) -> u32 {
        self.bottom + 1 - self.top
    }
}

/// How far each pixel of a box is from the box's middle colour, in levels of the most different channel.
fn strengths(image: &RgbaImage, [x0, y0, x1, y1]: [u32; 4]) -> GrayImage {
    let middle: [u8; 3] = std::array::from_fn(|c| {
        let mut values: Vec<u8> = (y0..y1)
            .flat_map(|y| (x0..x1).map(move |x| image.get_pixel(x, y).0[c]))
            .collect();
        let half = values.len() / 2;
        *values.select_nth_unstable(half).1
    });
    GrayImage::from_fn(x1 - x0, y1 - y0, |x, y| {
        let p = image.get_pixel(x0 + x, y0 + y).0;
        Luma([(0..3).map(|c| p[c].abs_diff(middle[c])).max().unwrap_or_default()])
    })
}
