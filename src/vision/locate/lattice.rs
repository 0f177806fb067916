//! Lattices: crossings that lie in rows and columns of one period, alternating like a checker pattern.

use super::crossings::{Crossing, CrossingMap, Saddle};

/// The least square side, in pixels of the half-size picture.
const MIN_PERIOD: f32 = 7.0;

/// Inner crossings of a board in a row.
const INNER: i32 = 7;

/// How far beyond a seed the lattice is followed, in squares: far enough to notice that a pattern has more than 8×8.
const FOLLOW: i32 = 9;

/// How many of the 49 crossings must be seen.
const MIN_HITS: usize = 27;

/// How many must be seen in each of the outermost rows and columns, and in the others.
const MIN_OUTER: usize = 3;
const MIN_IN_LINE: usize = 2;

/// How many of the other rows and columns a notice may hide.
const HIDDEN_LINES: usize = 2;

/// How many of the seven next crossings beyond a side make the pattern larger than a board.
const MAX_BEYOND: usize = 3;

/// The 7×7 inner crossings of a board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lattice {
    /// Left edge of the board, in pixels of the half-size picture.
    pub x: f32,
    /// Upper edge.
    pub y: f32,
    /// A square's width.
    pub period_x: f32,
    /// A square's height.
    pub period_y: f32,
    /// Inner crossings seen, of 49.
    pub hits: usize,
    /// Whether the upper left square is of the brighter colour.
    pub bright_corner: bool,
}

impl Lattice {
    fn covers(&self, c: &Crossing) -> bool {
        let (i, j) = ((c.x - self.x) / self.period_x, (c.y - self.y) / self.period_y);
        (-0.5..=8.5).contains(&i) && (-0.5..=8.5).contains(&j)
    }
}

/// All boards' lattices among the crossings.
pub fn find(map: &CrossingMap, crossings: &[Crossing], max_period: f32) -> Vec<Lattice> {
    let mut found: Vec<Lattice> = Vec::new();
    for (index, a) in crossings.iter().enumerate() {
        if found.iter().any(|l| l.covers(a)) {
            continue;
        }
        let mut tried = Vec::new();
        for b in row_mates(crossings, index, max_period) {
            let period = b.x - a.x;
            if tried.iter().any(|t: &f32| (t - period).abs() < 1.5) || !is_cell(map, a, period) {
                continue;
            }
            tried.push(period);
            if let Some(lattice) = grow(map, a, period) {
                found.retain(|l| !overlaps(l, &lattice));
                found.push(lattice);
                break;
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

/// Crossings of the other kind to the right in the same row, in order of the picture's rows.
fn row_mates<'a>(crossings: &'a [Crossing], index: usize, max_period: f32) -> impl Iterator<Item = &'a Crossing> + 'a {
    let a = crossings[index];
    let before = crossings[..index].iter().rev().take_while(move |b| b.y > a.y - 2.5);
    let after = crossings[index + 1..].iter().take_while(move |b| b.y < a.y + 2.5);
    before.chain(after).filter(move |b| {
        (b.y - a.y).abs() < 1.1 && b.saddle != a.saddle && (MIN_PERIOD..=max_period).contains(&(b.x - a.x))
    })
}

/// Whether the square to the lower right of a crossing has its other two corners.
fn is_cell(map: &CrossingMap, a: &Crossing, period: f32) -> bool {
    map.near(a.x, a.y + period, a.saddle.opposite(), 1).is_some()
        && map.near(a.x + period, a.y + period, a.saddle, 1).is_some()
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
fn grow(map: &CrossingMap, seed: &Crossing, period: f32) -> Option<Lattice> {
    let nodes = spread(map, seed, period);
    let (x, y) = fit(&nodes)?;
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
    let (left, top) = best_window(&nodes)?;
    let inside: Vec<Node> = nodes
        .iter()
        .copied()
        .filter(|(i, j, _)| (left..left + INNER).contains(i) && (top..top + INNER).contains(j))
        .collect();
    if !is_board(&nodes, &inside, left, top) {
        return None;
    }
    let (x, y) = fit(&inside)?;
    if (x.1 / y.1 - 1.0).abs() > 0.03 {
        return None;
    }
    // The crossing at the window's corner lies one square inside the board.
    let corner = kind_at(seed, left, top);
    Some(Lattice {
        x: x.0 + x.1 * (left - 1) as f32,
        y: y.0 + y.1 * (top - 1) as f32,
        period_x: x.1,
        period_y: y.1,
        hits: inside.len(),
        bright_corner: corner == Saddle::Falling,
    })
}

/// Breadth-first from the seed, each crossing predicted from its neighbour and the period seen so far.
fn spread(map: &CrossingMap, seed: &Crossing, period: f32) -> Vec<Node> {
    let side = (2 * FOLLOW + 1) as usize;
    let mut seen = vec![false; side * side];
    let slot = |i: i32, j: i32| (j + FOLLOW) as usize * side + (i + FOLLOW) as usize;
    let mut nodes: Vec<Node> = vec![(0, 0, *seed)];
    seen[slot(0, 0)] = true;
    let mut next = 0;
    let (mut period_x, mut period_y) = (period, period);
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
    (x.1 >= MIN_PERIOD && y.1 >= MIN_PERIOD).then_some((x, y))
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

fn best_window(nodes: &[Node]) -> Option<(i32, i32)> {
    let side = (2 * FOLLOW + 1) as usize;
    let mut grid = vec![0u32; side * side];
    for (i, j, _) in nodes {
        grid[(j + FOLLOW) as usize * side + (i + FOLLOW) as usize] = 1;
    }
    let mut best = None;
    for top in 0..=side - INNER as usize {
        for left in 0..=side - INNER as usize {
            let rows = (top..top + INNER as usize).map(|j| &grid[j * side + left..][..INNER as usize]);
            let hits: u32 = rows.flatten().sum();
            if best.is_none_or(|(b, _, _)| hits > b) {
                best = Some((hits, left as i32 - FOLLOW, top as i32 - FOLLOW));
            }
        }
    }
    best.map(|(_, left, top)| (left, top))
}

/// Whether the window is full enough, and ends where a board ends.
fn is_board(nodes: &[Node], inside: &[Node], left: i32, top: i32) -> bool {
    let column = |k: i32| inside.iter().filter(|(i, _, _)| *i == left + k).count();
    let row = |k: i32| inside.iter().filter(|(_, j, _)| *j == top + k).count();
    let outer = |n: usize| n >= MIN_OUTER;
    let hidden = |line: &dyn Fn(i32) -> usize| (1..INNER - 1).filter(|k| line(*k) < MIN_IN_LINE).count();
    let beyond = [
        (left - 1, true),
        (left + INNER, true),
        (top - 1, false),
        (top + INNER, false),
    ];
    let too_many = beyond.iter().any(|&(at, is_column)| {
        let count = nodes.iter().filter(|(i, j, _)| match is_column {
            true => *i == at && (top..top + INNER).contains(j),
            false => *j == at && (left..left + INNER).contains(i),
        });
        count.count() > MAX_BEYOND
    });
    inside.len() >= MIN_HITS
        && !too_many
        && [0, INNER - 1].iter().all(|k| outer(column(*k)) && outer(row(*k)))
        && hidden(&column) + hidden(&row) <= HIDDEN_LINES
}
