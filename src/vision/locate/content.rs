//! What a located board carries, before anything is known of its pieces: which squares hold something, and which
//! side of the board the brighter army stands on.

use super::gray::LUMA;
use image::RgbaImage;
use torres_geometry::{BoardRect, Orientation};

/// Samples per side in the middle of a square.
const GRID: usize = 9;

/// How much of a square's side the samples span.
const SPAN: f64 = 0.62;

/// A sample surely differs from the square's own colour from this many levels of one channel on.
const DIFFERENT: u8 = 26;

/// On a plain square this many levels are enough, since dark pieces on dark squares differ by no more; on a woven one
/// it takes three times what its own samples differ by.
const FAINT: u8 = 12;

/// The share of differing samples from which on a square holds something.
const HELD: f64 = 0.12;

/// How far a square's own colour may be from that of most squares of its kind, in levels of one channel; a tint
/// takes it farther.
const OWN_COLOR: u8 = 40;

/// Of a square's four corners a piece reaches none, or the lower two with its foot, and a mark, an arrow or a coordinate
/// one; a notice that ends on the square covers two.
const CORNERS_REACHED: usize = 1;

/// The share of differing samples from which on what a square holds fills its middle.
const FILLED: f64 = 0.8;

/// Where in a square its own colour is looked for: a grid of these places, of which those near the border count.
const BORDER: [f64; 6] = [0.09, 0.3, 0.44, 0.52, 0.7, 0.91];

/// Of the points near the border, counted row by row: the upper corners, the lower ones, and the pairs that face each
/// other left and right.
const CORNERS: [[usize; 2]; 2] = [[0, 5], [14, 19]];
const ACROSS: [[usize; 2]; 4] = [[6, 7], [8, 9], [10, 11], [12, 13]];

/// Points near a square's border.
const AROUND: usize = 20;

/// The correlation between a piece's brightness and its row from which on the pieces tell the orientation, if there are
/// so many. Armies in the middle of a game face each other; fewer pieces may have passed each other, unless they stand
/// as if the game had not begun.
const TELLING: [(usize, f64); 2] = [(20, 0.35), (14, 0.88)];

/// A board in use holds at least two kings and at most 32 pieces; marks may add some.
const STANDING: std::ops::RangeInclusive<usize> = 2..=48;

/// From this many squares of one colour on, of 32, it is the squares' own pattern that they seem to hold.
const HATCHED: usize = 30;

/// Of what the squares hold, at least this share stands in the middle of its square, if it is pieces.
const PIECES: f64 = 0.4;

/// Squares of one colour show the same piece when their samples differ by no more than so many levels, in the mean; and
/// something else from twice as many on.
const SAME_PIECE: f64 = 8.0;

/// Of four pawns on squares of one colour one may have moved, or lie under the page's mark.
const PAWNS: usize = 3;

/// The rows of the pawns when a game begins, and those between them.
const PAWN_ROWS: [usize; 2] = [1, 6];
const BARE_ROWS: std::ops::Range<usize> = 2..6;
const BARE_OF_COLOR: usize = 16;

/// What lies in each of the 64 cells, row by row from the upper left.
pub struct Content {
    cells: Vec<Cell>,
}

/// How bare squares of one colour look along their border.
struct Usual {
    own: [u8; 3],
    border: [[u8; 3]; AROUND],
}

#[derive(Clone, Copy)]
struct Cell {
    row: usize,
    dark: bool,
    held: bool,
    /// Whether that fills its middle, as a disc does.
    filled: bool,
    /// Whether it holds something, perhaps hardly to be seen.
    faint: bool,
    /// The square's own colour.
    own: [u8; 3],
    /// The colours of the points near its border.
    border: [[u8; 3]; AROUND],
    brightness: f64,
    /// The colours of the samples in its middle.
    samples: [[u8; 3]; GRID * GRID],
}

impl Content {
    /// Looks at every square of a board.
    pub fn of(image: &RgbaImage, rect: &BoardRect) -> Content {
        let cells = (0..64).map(|index| cell(image, rect, index / 8, index % 8)).collect();
        Content { cells }
    }

    /// The squares of one colour.
    fn squares(&self, dark: bool) -> impl Iterator<Item = &Cell> {
        self.cells.iter().filter(move |c| c.dark == dark)
    }

    /// How most squares of a kind look.
    fn usual(&self, dark: bool) -> Usual {
        let of_most = |color: &dyn Fn(&Cell) -> [u8; 3]| middle(&self.squares(dark).map(color).collect::<Vec<_>>());
        Usual {
            own: of_most(&|c| c.own),
            border: std::array::from_fn(|k| of_most(&|c| c.border[k])),
        }
    }

    /// Whether the squares look as if pieces stood on some of them: rather than nothing, or a text across them, or a
    /// picture in each.
    pub fn is_position(&self) -> bool {
        // Per square colour: how many squares hold something, and on how many it stands like a piece.
        let counts = [false, true].map(|dark| {
            let usual = self.usual(dark);
            let held = self.squares(dark).filter(|c| c.held).count();
            (held, self.squares(dark).filter(|c| c.is_piece(&usual)).count())
        });
        // Hatched squares all seem to hold something: then the others tell.
        let hatched = |(held, _): &(usize, usize)| *held >= HATCHED;
        let telling = counts.iter().filter(|c| !hatched(c));
        let (held, standing) = telling.fold((0, 0), |sum, c| (sum.0 + c.0, sum.1 + c.1));
        let pieces = counts[0].1 + counts[1].1;
        // Where all squares are hatched, none tells, and all of them count.
        let most = if held > 0 { standing } else { pieces };
        pieces >= *STANDING.start() && most <= *STANDING.end() && standing as f64 >= PIECES * held as f64
    }

    /// Whether just those squares hold something on which pieces stand as a game begins, but for a first move. They may
    /// fill their squares.
    pub fn is_beginning(&self) -> bool {
        let otherwise = self.cells.iter().filter(|c| c.held == (2..6).contains(&c.row));
        otherwise.count() <= 2
    }

    /// Whether rows of pawns stand where they do when a game begins: all alike, and unlike what lies between them. So a
    /// board is known whose bare squares have pictures of their own.
    pub fn has_rows_of_pawns(&self) -> bool {
        let on = |row: usize, dark: bool| self.squares(dark).filter(move |cell| cell.row == row);
        PAWN_ROWS.into_iter().all(|row| {
            [false, true].into_iter().all(|dark| {
                let alike = |pawn: &Cell| on(row, dark).filter(|cell| cell.apart(pawn) <= SAME_PIECE).count();
                let Some(pawn) = on(row, dark).max_by_key(|cell| alike(cell)) else {
                    return false;
                };
                let bare = BARE_ROWS.flat_map(|row| on(row, dark));
                let unlike = bare.filter(|cell| cell.apart(pawn) >= 2.0 * SAME_PIECE).count();
                alike(pawn) >= PAWNS && unlike >= BARE_OF_COLOR - 1
            })
        })
    }

    /// White at the bottom if the brighter pieces stand lower, Black if they stand higher, `None` if that does not
    /// tell.
    pub fn orientation(&self) -> Option<Orientation> {
        let mut points: Vec<(f64, f64)> = Vec::new();
        for dark in [false, true] {
            let usual = self.usual(dark);
            let held: Vec<&Cell> = self.squares(dark).filter(|c| c.faint && c.is_free(&usual)).collect();
            let mean = held.iter().map(|c| c.brightness).sum::<f64>() / held.len().max(1) as f64;
            points.extend(held.iter().map(|c| (c.row as f64 - 3.5, c.brightness - mean)));
        }
        let (mut cov, mut rows, mut levels) = (0.0, 0.0, 0.0);
        for (row, level) in &points {
            cov += row * level;
            rows += row * row;
            levels += level * level;
        }
        let flat = levels / (points.len().max(1) as f64) < 9.0;
        let correlation = cov / (rows * levels).sqrt();
        let tells = |&(count, least): &(usize, f64)| points.len() >= count && correlation.abs() >= least;
        if flat || !TELLING.iter().any(tells) {
            return None;
        }
        Some(if correlation > 0.0 {
            Orientation::White
        } else {
            Orientation::Black
        })
    }
}

impl Cell {
    /// By how many levels its middle differs from another one's, in the mean.
    fn apart(&self, other: &Cell) -> f64 {
        let levels = self.samples.as_flattened().iter().zip(other.samples.as_flattened());
        let sum: u32 = levels.map(|(a, b)| u32::from(a.abs_diff(*b))).sum();
        f64::from(sum) / (3 * GRID * GRID) as f64
    }

    /// Whether something stands in the middle of the square, as a piece does and a notice does not.
    fn is_piece(&self, usual: &Usual) -> bool {
        self.held && self.is_free(usual)
    }

    /// Whether the square around whatever it holds is bare.
    fn is_free(&self, usual: &Usual) -> bool {
        let other = |&k: &usize| self.has_another_color(k, usual);
        let [upper, lower] = CORNERS.map(|pair| pair.iter().filter(|k| other(k)).count());
        // What reaches from the left to the right, at two heights, is a finer checker pattern; a wide disc does so about
        // its middle alone.
        let reaches = ACROSS.map(|pair| pair.iter().all(&other));
        let across = reaches.iter().filter(|reaches| **reaches).count() > 1;
        let is_disc = self.filled && !reaches[0] && !reaches[3];
        // Above its foot a piece is narrower.
        let is_foot = reaches.iter().all(|reaches| !reaches);
        let corners = upper + if is_foot { 0 } else { lower };
        (!across || is_disc) && corners <= CORNERS_REACHED && !differs(self.own, usual.own, OWN_COLOR)
    }

    /// Whether a point near the border has another colour than the square itself, by more than it has on most squares:
    /// grain and bevels are the same on all squares of a kind.
    fn has_another_color(&self, k: usize, usual: &Usual) -> bool {
        let from_own = |c: usize| i16::from(self.border[k][c]) - i16::from(self.own[c]);
        let usually = |c: usize| i16::from(usual.border[k][c]) - i16::from(usual.own[c]);
        (0..3).any(|c| (from_own(c) - usually(c)).unsigned_abs() > u16::from(DIFFERENT))
    }
}

/// The middle value, channel by channel.
fn middle(colors: &[[u8; 3]]) -> [u8; 3] {
    std::array::from_fn(|c| {
        let mut values: Vec<u8> = colors.iter().map(|p| p[c]).collect();
        values.sort_unstable();
        values.get(values.len() / 2).copied().unwrap_or_default()
    })
}

/// Whether two colours are more than `by` levels apart in a channel.
fn differs(a: [u8; 3], b: [u8; 3], by: u8) -> bool {
    (0..3).any(|c| a[c].abs_diff(b[c]) > by)
}

fn color([red, green, blue, _]: [u8; 4]) -> [u8; 3] {
    [red, green, blue]
}

fn cell(image: &RgbaImage, rect: &BoardRect, row: usize, column: usize) -> Cell {
    let (sx, sy) = (rect.width() / 8.0, rect.height() / 8.0);
    let (x, y) = (rect.x() + column as f64 * sx, rect.y() + row as f64 * sy);
    // Means of 3×3 pixels: the weave of a textured board is not a piece.
    let pixel = |fx: f64, fy: f64| {
        let (px, py) = ((x + fx * sx) as u32, (y + fy * sy) as u32);
        let mut sum = [0u32; 4];
        for (dx, dy) in (0..9).map(|k| (k % 3, k / 3)) {
            let at_x = (px + dx).saturating_sub(1).min(image.width().saturating_sub(1));
            let at_y = (py + dy).saturating_sub(1).min(image.height().saturating_sub(1));
            let p = image.get_pixel(at_x, at_y).0;
            (0..4).for_each(|c| sum[c] += u32::from(p[c]));
        }
        sum.map(|s| (s / 9) as u8)
    };
    // The square's own colour: the middle one of the points of a 6×6 grid that lie near its border.
    let outer: Vec<[u8; 3]> = (0..36)
        .filter(|k| k % 6 % 5 == 0 || k / 6 % 5 == 0)
        .map(|k| color(pixel(BORDER[k % 6], BORDER[k / 6])))
        .collect();
    let own = middle(&outer);
    let mut scatter: Vec<u8> = outer
        .iter()
        .filter_map(|p| (0..3).map(|c| p[c].abs_diff(own[c])).max())
        .collect();
    scatter.sort_unstable();
    let weave = scatter.get(scatter.len() / 2).copied().unwrap_or_default();
    let least = weave.saturating_mul(3).clamp(FAINT, DIFFERENT);
    let (mut different, mut faint, mut sum) = (0, 0, 0.0);
    let mut inner = [[0; 3]; GRID * GRID];
    for j in 0..GRID {
        for i in 0..GRID {
            let place = |k: usize| 0.5 + SPAN * ((k as f64 + 0.5) / GRID as f64 - 0.5);
            let p = pixel(place(i), place(j));
            inner[j * GRID + i] = color(p);
            sum += f64::from(LUMA.of(p));
            different += usize::from(differs(color(p), own, DIFFERENT));
            faint += usize::from(differs(color(p), own, least));
        }
    }
    let samples = (GRID * GRID) as f64;
    Cell {
        row,
        dark: (row + column) % 2 == 1,
        held: different as f64 / samples > HELD,
        filled: different as f64 / samples > FILLED,
        faint: faint as f64 / samples > HELD,
        own,
        border: std::array::from_fn(|k| outer.get(k).copied().unwrap_or(own)),
        brightness: sum / samples,
        samples: inner,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgba;

    const SIDE: u32 = 60;

    /// The start position with pieces that are so wide above their feet, or below a height, both as shares of the side,
    /// and coordinates in the upper left corners.
    fn board(is_drawn: impl Fn(f64, f64) -> bool) -> Content {
        let picture = RgbaImage::from_fn(8 * SIDE, 8 * SIDE, |x, y| {
            let (column, row) = (x / SIDE, y / SIDE);
            let (dx, dy) = (f64::from(x % SIDE) / 60.0, f64::from(y % SIDE) / 60.0);
            if !(2..=5).contains(&row) && is_drawn((dx - 0.5).abs(), dy) {
                return if row < 2 {
                    Rgba([20, 20, 20, 255])
                } else {
                    Rgba([250, 250, 250, 255])
                };
            }
            if column == 0 && dx < 0.15 && dy < 0.2 {
                return Rgba([60, 60, 60, 255]);
            }
            match (column + row) % 2 {
                1 => Rgba([122, 143, 168, 255]),
                _ => Rgba([200, 196, 180, 255]),
            }
        });
        let side = f64::from(8 * SIDE);
        Content::of(&picture, &BoardRect::new(0.0, 0.0, side, side).unwrap())
    }

    #[test]
    fn squares_whose_pattern_seems_to_be_a_piece_do_not_count_as_pieces() {
        // A dot on each dark square, and a pawn of White's moved from a dark square to a light one.
        let shows = |(column, row): (u32, u32), from_middle: f64| match (row, (column + row) % 2) {
            _ if (column, row) == (1, 6) => false,
            _ if (column, row) == (1, 5) => from_middle < 0.3,
            (0 | 1 | 6 | 7, _) => from_middle < 0.3,
            _ => false,
        };
        let picture = RgbaImage::from_fn(8 * SIDE, 8 * SIDE, |x, y| {
            let (column, row) = (x / SIDE, y / SIDE);
            let aside = |at: u32| f64::from(at % SIDE) / 60.0 - 0.5;
            let from_middle = aside(x).hypot(aside(y));
            match ((column + row) % 2, from_middle < 0.2) {
                _ if shows((column, row), from_middle) && row < 2 => Rgba([20, 20, 60, 255]),
                _ if shows((column, row), from_middle) => Rgba([250, 250, 250, 255]),
                (1, true) => Rgba([107, 182, 177, 255]),
                (1, false) => Rgba([80, 163, 161, 255]),
                _ => Rgba([245, 232, 208, 255]),
            }
        });
        let side = f64::from(8 * SIDE);
        let content = Content::of(&picture, &BoardRect::new(0.0, 0.0, side, side).unwrap());
        assert!(content.is_position());
    }

    #[test]
    fn pieces_whose_feet_reach_the_corners_of_their_squares_are_pieces_and_what_covers_half_of_each_is_not() {
        let with_feet = board(|aside, down| down > 0.2 && aside < if down > 0.8 { 0.47 } else { 0.25 });
        assert!(with_feet.is_position());
        assert_eq!(with_feet.orientation(), Some(Orientation::White));
        let half = board(|_, down| down > 0.5);
        assert!(!half.is_position());
    }
}
