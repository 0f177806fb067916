//! Lattices: crossings that lie in rows and columns of one period, alternating like a checker pattern.

use super::crossings::{Crossing, CrossingMap, Saddle};

/// The least square side, in pixels of the reduced picture.
const MIN_PERIOD: f32 = 7.0;

/// The least period of a pattern that is followed only to know that it is none, in pixels of the reduced picture.
const MIN_FOLLOWED: f32 = 4.0;

/// Inner crossings of a board in a row.
const INNER: i32 = 7;

/// How far beyond a seed the lattice is followed, in squares: far enough to notice that a pattern has more than 8×8.
const FOLLOW: i32 = 9;

/// How many of the 49 crossings must be seen.
const MIN_HITS: usize = 24;

/// How many of the 14 crossings and forks along each side must be seen.
const MIN_ALONG_SIDE: usize = 4;

/// How many of all 77 crossings and forks must be seen.
const MIN_EVIDENCE: usize = 42;

/// How many crossings must be seen in each of the inner rows and columns.
const MIN_IN_LINE: usize = 2;

/// How far from the two lines that meet in a fork the squares are compared, in squares.
const FORK: f32 = 0.12;

/// How many of the other rows and columns a notice may hide.
const HIDDEN_LINES: usize = 2;

/// By how much of its width a square's height may differ from it: some pages stretch their boards.
const OBLONG: f32 = 0.1;

/// Heights that are tried for a cell lie so far apart, in pixels of the reduced picture: each finds crossings within
/// one pixel.
const HEIGHT_STEP: f32 = 3.0;

/// Fewer squares than this in a row tell their period badly.
const SHORT_SPAN: i32 = 5;

/// How many of the seven next crossings beyond a side make the pattern larger than a board.
const MAX_BEYOND: usize = 3;

/// The 7×7 inner crossings of a board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lattice {
    /// Left edge of the board, in pixels of the reduced picture.
    pub x: f32,
    /// Upper edge.
    pub y: f32,
    /// A square's width.
    pub period_x: f32,
    /// A square's height.
    pub period_y: f32,
    /// Whether the upper left square is of the brighter colour.
    pub bright_corner: bool,
}

impl Lattice {
    fn covers(&self, c: &Crossing) -> bool {
        let (i, j) = ((c.x - self.x) / self.period_x, (c.y - self.y) / self.period_y);
        (-0.5..=8.5).contains(&i) && (-0.5..=8.5).contains(&j)
    }
}

/// A pattern larger than a board: its crossings need not be tried again.
#[derive(Clone, Copy, Debug)]
struct Endless {
    x: (f32, f32),
    y: (f32, f32),
    columns: (f32, f32),
    rows: (f32, f32),
}

impl Endless {
    fn of(nodes: &[Node], x: (f32, f32), y: (f32, f32)) -> Endless {
        let range = |values: &dyn Fn(&Node) -> i32| {
            let (low, high) = nodes
                .iter()
                .map(values)
                .fold((i32::MAX, i32::MIN), |(low, high), v| (low.min(v), high.max(v)));
            (low as f32 - 0.5, high as f32 + 0.5)
        };
        Endless {
            x,
            y,
            columns: range(&|n| n.0),
            rows: range(&|n| n.1),
        }
    }

    /// Whether a crossing with that period is one of the pattern's, or of a coarser one made of the same crossings.
    fn holds(&self, c: &Crossing, period: f32) -> bool {
        let on_line = |at: f32, (offset, width): (f32, f32), (low, high): (f32, f32)| {
            let k = (at - offset) / width;
            (low..=high).contains(&k) && (k - k.round()).abs() * width < 1.5
        };
        // Every third, fifth, … line of a checker pattern makes a checker pattern again.
        let times = period / self.x.1;
        let odd = times.round() % 2.0 == 1.0 && (times - times.round()).abs() * self.x.1 < 1.5;
        odd && on_line(c.x, self.x, self.columns) && on_line(c.y, self.y, self.rows)
    }
}

/// What a seed grew into.
enum Growth {
    Board(Lattice),
    Endless(Endless),
    Nothing,
}

/// All boards' lattices among the crossings.
pub fn find(map: &CrossingMap, crossings: &[Crossing], max_period: f32) -> Vec<Lattice> {
    let mut found: Vec<Lattice> = Vec::new();
    let mut endless: Vec<Endless> = Vec::new();
    for (index, a) in crossings.iter().enumerate() {
        if found.iter().any(|l| l.covers(a)) {
            continue;
        }
        let mut tried = Vec::new();
        for b in row_mates(crossings, index, max_period) {
            let period = b.x - a.x;
            let known = tried.iter().any(|t: &f32| (t - period).abs() < 1.5);
            if known || endless.iter().any(|e| e.holds(a, period)) {
                continue;
            }
            let Some(height) = cell_height(map, a, period) else {
                continue;
            };
            tried.push(period);
            match grow(map, a, (period, height)) {
                Growth::Board(lattice) => {
                    found.retain(|l| !overlaps(l, &lattice));
                    found.push(lattice);
                    break;
                }
                Growth::Endless(pattern) => endless.push(pattern),
                Growth::Nothing => {}
            }
        }
    }
    found
}

fn overlaps(a: &Lattice, b: &Lattice) -> bool {
    let centre = |l: &Lattice| (l.x + 4.0 * l.period_x, l.y + 4.0 * l.period_y);
    let ((ax, ay), (bx, by)) = (centre(a), centre(b));
    let reach = 4.0 * a.period_x.max(b.period_x);
    (ax - bx).abs() < reach && (ay - by).abs() < reach
}

/// Crossings of the other kind to the right in the same row, the nearest first.
fn row_mates(crossings: &[Crossing], index: usize, max_period: f32) -> Vec<&Crossing> {
    let a = crossings[index];
    let before = crossings[..index].iter().rev().take_while(move |b| b.y > a.y - 2.5);
    let after = crossings[index + 1..].iter().take_while(move |b| b.y < a.y + 2.5);
    let mut mates: Vec<&Crossing> = before
        .chain(after)
        .filter(|b| {
            (b.y - a.y).abs() < 1.1 && b.saddle != a.saddle && (MIN_FOLLOWED..=max_period).contains(&(b.x - a.x))
        })
        .collect();
    mates.sort_by(|a, b| a.x.total_cmp(&b.x));
    mates
}

/// The height of the square to the lower right of a crossing, whose width is known, if its other two corners are there.
fn cell_height(map: &CrossingMap, a: &Crossing, width: f32) -> Option<f32> {
    let steps = (OBLONG * width / HEIGHT_STEP).ceil() as i32;
    let heights = (0..=steps).flat_map(|k| [width + HEIGHT_STEP * k as f32, width - HEIGHT_STEP * k as f32]);
    heights
        .filter(|height| (height / width - 1.0).abs() <= OBLONG)
        .find_map(|height| {
            let below = map.near(a.x, a.y + height, a.saddle.opposite(), 1)?;
            map.near(a.x + width, a.y + height, a.saddle, 1)?;
            Some(below.y - a.y)
        })
}

/// One crossing of a lattice: column and row relative to the seed, and where it was found.
type Node = (i32, i32, Crossing);

fn kind_at(seed: &Crossing, i: i32, j: i32) -> Saddle {
    if (i + j) % 2 == 0 {
        seed.saddle
    } else {
        seed.saddle.opposite()
    }
}

/// Follows the pattern from a seed and keeps the 7×7 window that a board would be.
fn grow(map: &CrossingMap, seed: &Crossing, period: (f32, f32)) -> Growth {
    let spread = spread(map, seed, period);
    let Some((x, y)) = fit(&spread).map(|(x, y)| in_proportion(&spread, x, y, period.1 / period.0)) else {
        return Growth::Nothing;
    };
    // Once more on the fitted lattice: crossings behind a gap were not reached.
    let mut nodes = Vec::new();
    for j in -FOLLOW..=FOLLOW {
        for i in -FOLLOW..=FOLLOW {
            let at = (x.0 + x.1 * i as f32, y.0 + y.1 * j as f32);
            if let Some(c) = map.near(at.0, at.1, kind_at(seed, i, j), 1) {
                nodes.push((i, j, c));
            }
        }
    }
    let grid = Grid { map, seed: *seed, x, y };
    let Some((left, top)) = best_window(&grid, &nodes) else {
        return Growth::Nothing;
    };
    if is_endless(map, &nodes, left, top) {
        return Growth::Endless(Endless::of(&nodes, x, y));
    }
    let inside: Vec<Node> = nodes
        .iter()
        .copied()
        .filter(|(i, j, _)| (left..left + INNER).contains(i) && (top..top + INNER).contains(j))
        .collect();
    if x.1.min(y.1) < MIN_PERIOD || !is_board(&inside, left, top, grid.forks(left, top)) {
        return Growth::Nothing;
    }
    let Some((x, y)) = fit(&inside).filter(|(x, y)| (y.1 / x.1 - 1.0).abs() <= OBLONG) else {
        return Growth::Nothing;
    };
    // The crossing at the window's corner lies one square inside the board.
    let corner = kind_at(seed, left, top);
    Growth::Board(Lattice {
        x: x.0 + x.1 * (left - 1) as f32,
        y: y.0 + y.1 * (top - 1) as f32,
        period_x: x.1,
        period_y: y.1,
        bright_corner: corner == Saddle::Falling,
    })
}

/// Columns and rows by the better known of the two periods, where few lines in a row tell the other one badly: all
/// squares are `oblong` times as high as wide. So the lattice reaches across a notice that covers whole rows.
fn in_proportion(nodes: &[Node], x: (f32, f32), y: (f32, f32), oblong: f32) -> ((f32, f32), (f32, f32)) {
    // A pixel is what measuring errs: such squares are square.
    let oblong = if (oblong - 1.0).abs() * x.1 <= 1.0 { 1.0 } else { oblong };
    let span = |index: &dyn Fn(&Node) -> i32| {
        let (low, high) = nodes
            .iter()
            .map(index)
            .fold((0, 0), |(low, high), v| (low.min(v), high.max(v)));
        high - low
    };
    let offset = |period: f32, point: &dyn Fn(&Node) -> (i32, f32)| {
        let sum: f32 = nodes.iter().map(point).map(|(k, at)| at - period * k as f32).sum();
        (sum / nodes.len().max(1) as f32, period)
    };
    let (columns, rows) = (span(&|n| n.0), span(&|n| n.1));
    if rows < SHORT_SPAN && rows < columns {
        (x, offset(x.1 * oblong, &|n| (n.1, n.2.y)))
    } else if columns < SHORT_SPAN && columns < rows {
        (offset(y.1 / oblong, &|n| (n.0, n.2.x)), y)
    } else {
        (x, y)
    }
}

/// Breadth-first from the seed, each crossing predicted from its neighbour and the period seen so far.
fn spread(map: &CrossingMap, seed: &Crossing, (mut period_x, mut period_y): (f32, f32)) -> Vec<Node> {
    let side = (2 * FOLLOW + 1) as usize;
    let mut seen = vec![false; side * side];
    let slot = |i: i32, j: i32| (j + FOLLOW) as usize * side + (i + FOLLOW) as usize;
    let mut nodes: Vec<Node> = vec![(0, 0, *seed)];
    seen[slot(0, 0)] = true;
    let mut next = 0;
    while next < nodes.len() {
        let (i, j, c) = nodes[next];
        next += 1;
        for (di, dj) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let (ni, nj) = (i + di, j + dj);
            if ni.abs() > FOLLOW || nj.abs() > FOLLOW || seen[slot(ni, nj)] {
                continue;
            }
            let at = (c.x + period_x * di as f32, c.y + period_y * dj as f32);
            if let Some(found) = map.near(at.0, at.1, kind_at(seed, ni, nj), 1) {
                seen[slot(ni, nj)] = true;
                nodes.push((ni, nj, found));
                // The longest baseline knows the period best.
                if nj == 0 && ni != 0 {
                    period_x = (found.x - seed.x) / ni as f32;
                } else if ni == 0 && nj != 0 {
                    period_y = (found.y - seed.y) / nj as f32;
                }
            }
        }
    }
    nodes
}

/// Offset and period of columns and of rows, by least squares.
fn fit(nodes: &[Node]) -> Option<((f32, f32), (f32, f32))> {
    let x = line(nodes.iter().map(|(i, _, c)| (*i as f32, c.x)))?;
    let y = line(nodes.iter().map(|(_, j, c)| (*j as f32, c.y)))?;
    (x.1 >= MIN_FOLLOWED && y.1 >= MIN_FOLLOWED).then_some((x, y))
}

/// The straight line `value = a + b·k` through the points.
pub fn line(points: impl Iterator<Item = (f32, f32)> + Clone) -> Option<(f32, f32)> {
    let n = points.clone().count() as f32;
    let (sk, sv) = points.clone().fold((0.0, 0.0), |(a, b), (k, v)| (a + k, b + v));
    let (mk, mv) = (sk / n, sv / n);
    let (cov, var) = points.fold((0.0, 0.0), |(c, v), (k, value)| {
        (c + (k - mk) * (value - mv), v + (k - mk) * (k - mk))
    });
    (var > 0.0).then(|| (mv - cov / var * mk, cov / var))
}

/// A lattice without ends: where its columns and rows lie, as offset and period.
struct Grid<'a> {
    map: &'a CrossingMap<'a>,
    seed: Crossing,
    x: (f32, f32),
    y: (f32, f32),
}

impl Grid<'_> {
    /// Forks seen along the left, right, upper and lower side of the window: the points where an inner line meets the
    /// board's border. Inside of it the two squares differ in brightness; what lies outside does not matter.
    fn forks(&self, left: i32, top: i32) -> [usize; 4] {
        let (width, height) = (self.x.1, self.y.1);
        let (dx, dy) = ((FORK * width).max(2.0), (FORK * height).max(2.0));
        let x = |i: i32| self.x.0 + width * i as f32;
        let y = |j: i32| self.y.0 + height * j as f32;
        let (right, bottom) = (left + INNER - 1, top + INNER - 1);
        let seen = |i: i32, j: i32, one: (f32, f32), other: (f32, f32)| match kind_at(&self.seed, i, j) {
            Saddle::Falling => self.map.is_brighter(one, other),
            Saddle::Rising => self.map.is_brighter(other, one),
        };
        let count = |fork: &dyn Fn(i32) -> bool| (0..INNER).filter(|k| fork(*k)).count();
        // The middle of the reduced picture's pixels next to the border may be half outside: stay clear of it.
        let (edge_x, edge_y) = (dx + 0.5, dy + 0.5);
        [
            count(&|k| {
                let (at, j) = (x(left - 1) + edge_x, top + k);
                seen(left, j, (at, y(j) - dy), (at, y(j) + dy))
            }),
            count(&|k| {
                let (at, j) = (x(right + 1) - edge_x, top + k);
                seen(right, j, (at, y(j) + dy), (at, y(j) - dy))
            }),
            count(&|k| {
                let (i, at) = (left + k, y(top - 1) + edge_y);
                seen(i, top, (x(i) - dx, at), (x(i) + dx, at))
            }),
            count(&|k| {
                let (i, at) = (left + k, y(bottom + 1) - edge_y);
                seen(i, bottom, (x(i) + dx, at), (x(i) - dx, at))
            }),
        ]
    }
}

/// The window of 7×7 crossings that shows most of a board: its crossings, and the forks along its border. Of windows
/// that show as much it is the one with more crossings of one pattern: what lies beside a board may be chequered as
/// widely.
fn best_window(lattice: &Grid, nodes: &[Node]) -> Option<(i32, i32)> {
    let side = (2 * FOLLOW + 1) as usize;
    let inner = INNER as usize;
    let (mut seen, mut even) = (vec![0usize; side * side], vec![0usize; side * side]);
    for (i, j, c) in nodes {
        let slot = (j + FOLLOW) as usize * side + (i + FOLLOW) as usize;
        seen[slot] = 1;
        even[slot] = usize::from(lattice.map.is_even(c));
    }
    let (hits, even) = (sums(&seen, side), sums(&even, side));
    let mut windows = Vec::new();
    for (top, left) in (0..=side - inner).flat_map(|top| (0..=side - inner).map(move |left| (top, left))) {
        let window = (left, top);
        windows.push((hits(window), even(window), left as i32 - FOLLOW, top as i32 - FOLLOW));
    }
    let most = windows.iter().map(|w| w.0).max()?;
    // Forks can make up for a covered row and a covered column, not for more.
    windows.retain(|w| w.0 + 2 * inner >= most && w.0 >= MIN_HITS);
    let evidence = |&(hits, even, left, top): &(usize, usize, i32, i32)| {
        let forks: usize = lattice.forks(left, top).iter().sum();
        (hits + forks, even)
    };
    windows
        .iter()
        .max_by_key(|w| evidence(w))
        .map(|&(_, _, left, top)| (left, top))
}

/// The sum over each window of a square grid whose side is so long, by the window's left and upper edge; by way of the sums
/// over all that lies to the left of and above each place (a *summed-area table*, Crow 1984).
fn sums(grid: &[usize], side: usize) -> impl Fn((usize, usize)) -> usize {
    let (inner, width) = (INNER as usize, side + 1);
    let mut before = vec![0; width * width];
    for (j, row) in grid.chunks(side).enumerate() {
        let mut of_row = 0;
        for (i, value) in row.iter().enumerate() {
            of_row += value;
            before[(j + 1) * width + i + 1] = before[j * width + i + 1] + of_row;
        }
    }
    move |(left, top)| {
        let (upper, lower) = (top * width + left, (top + inner) * width + left);
        before[lower + inner] + before[upper] - before[lower] - before[upper + inner]
    }
}

/// Whether the pattern goes on beyond the window. What lies beside a board may be chequered as widely in other colours:
/// that is another pattern.
fn is_endless(map: &CrossingMap, nodes: &[Node], left: i32, top: i32) -> bool {
    let beyond = [
        (left - 1, true),
        (left + INNER, true),
        (top - 1, false),
        (top + INNER, false),
    ];
    beyond.iter().any(|&(at, is_column)| {
        let beyond = nodes.iter().filter(|(i, j, _)| match is_column {
            true => *i == at && (top..top + INNER).contains(j),
            false => *j == at && (left..left + INNER).contains(i),
        });
        beyond.filter(|(_, _, c)| map.is_even(c)).count() > MAX_BEYOND
    })
}

/// Whether the window shows enough of a board, along each of its sides too.
fn is_board(inside: &[Node], left: i32, top: i32, forks: [usize; 4]) -> bool {
    let column = |k: i32| inside.iter().filter(|(i, _, _)| *i == left + k).count();
    let row = |k: i32| inside.iter().filter(|(_, j, _)| *j == top + k).count();
    let hidden = |line: &dyn Fn(i32) -> usize| (1..INNER - 1).filter(|k| line(*k) < MIN_IN_LINE).count();
    let sides = [column(0), column(INNER - 1), row(0), row(INNER - 1)];
    inside.len() >= MIN_HITS
        && inside.len() + forks.iter().sum::<usize>() >= MIN_EVIDENCE
        && sides
            .iter()
            .zip(forks)
            .all(|(crossings, forks)| crossings + forks >= MIN_ALONG_SIDE)
        && hidden(&column) + hidden(&row) <= HIDDEN_LINES
}
