//! How well each piece explains a square's picture.
//!
//! A hypothesis predicts every cell: the piece's own colour where it is opaque, the bare square's picture ([`Ground`])
//! elsewhere, as it is or under the tint that is measured at the square's margin, whichever fits a cell better; an empty
//! square is tinted in one part, a frame or what lies within, and not in the other. A cell costs its colour difference
//! beyond the noise, cut off at [`WORST`] levels, so that a dot, an arrow or a cursor adds about the same to every
//! hypothesis and the piece still decides: `clamp(max |seen − predicted| − tolerance, 0, WORST)`, the largest of the
//! three channels, over [`WORST`] in the mean of all cells.

use super::super::patch::{CELLS, N, Patch, distance, median};
use super::alike::Alike;
use super::cells::{Cells, grown};
use super::content::{CONTENTS, EMPTY};
use super::edges::Edges;
use super::ground::{Ground, even, from_border};
use super::judge::{GAP, OPAQUE, WELL};
use super::marked::Marked;
use super::matting;
use super::noise::Noise;
use super::scores::{CORNERS, Motion, SIDES, SquareScores};
use super::template::{ITS_EDGE, Template};
use shakmaty::Square;
use std::sync::Arc;
use torres_geometry::BySquare;

/// A square whose margin is this near to its plain colour, in levels, is not tinted.
const EVEN: i16 = 2;

/// Differences beyond this many levels cost no more.
const WORST: i16 = 48;

/// A piece whose body fits this well stands where it belongs.
const STAYS: f32 = 0.06;

/// A piece is displaced if it costs less than this share some cells away, and at most how many.
const BETTER: f32 = 0.8;
const FARTHEST: i32 = 4;

/// A piece that has set out costs less than this share some cells away.
const CLEARLY: f32 = 0.5;

/// The share of a texture's noise that is left open where a square's own ground is known: the piece over it was learned
/// on another square.
const OWN_NOISE: f32 = 0.5;

/// A tint of more levels than this may lie over what stands on the square, which then shows but faintly.
pub(super) const OVERLAID: i16 = 60;

/// Two pieces are superposed if together they leave less than this share open.
const TOGETHER: f32 = 0.4;

/// A ghost has at least this opacity and explains at least this share of what is seen (squared differences).
const FAINT: f32 = 0.12;
const GHOSTLY: f32 = 0.6;

/// What differs as a part of the ground does differs by no more than all of it, but for what measuring errs, and by no
/// more levels otherwise.
const WHOLE: f32 = 1.05;
const BESIDE: f32 = 16.0;

/// A cell shows what is predicted there if it costs no more levels than `SHOWN`, and rather than something else if that
/// costs `RATHER` more.
const SHOWN: i16 = 8;
const RATHER: i16 = 16;

/// A piece that is seen in part rests on its square if at least `FEWEST_CELLS` cells show that rather than anything
/// else, and `TIMES_AS_MANY` times as many as show the other (judgements: half-way between two places both have as
/// many).
const FEWEST_CELLS: usize = 10;
const TIMES_AS_MANY: usize = 2;

/// Levels by which a cell of an even colour may differ from it.
const NO_TEXTURE: i16 = 5;

/// How many cells away from its place it may be instead, to each of eight sides.
const STEPS: [i32; 4] = [2, 4, 8, 12];

/// Two pieces whose pictures cost each other less than this, as a mean over the square, are not told apart.
const SAME: f32 = 0.008;

/// Rings of cells, one within the other.
const RINGS: usize = N / 2;

/// How far a corner reaches along each side, in cells: brackets reach farther.
const CORNER: usize = 4;

/// The largest share of a cell with this colour that may be the square's: what is left for the piece is a colour from 0 to
/// 255.
fn most_through(seen: [i16; 3], ground: [i16; 3]) -> f32 {
    let least_own = (0..3).map(|c| match seen[c] - ground[c] {
        more @ 1.. => f32::from(more) / f32::from(255 - ground[c]).max(1.0),
        less => f32::from(-less) / f32::from(ground[c]).max(1.0),
    });
    1.0 - least_own.fold(0.0, f32::max).min(1.0)
}

/// Shares of a line that are tried.
const TRIED: usize = 8;

/// How far a colour is, in levels of the channel that differs most, from what a cell that looks like `seen` on one ground
/// may look like on another, where a share of the ground between these shows through.
fn from_line(color: [i16; 3], (seen, from, to): ([i16; 3], [i16; 3], [i16; 3]), [least, most]: [f32; 2]) -> i16 {
    let with = |share: f32| [0, 1, 2].map(|c| seen[c] + (share * f32::from(to[c] - from[c])).round() as i16);
    let shares = (0..=TRIED).map(|k| least + (most - least) * k as f32 / TRIED as f32);
    let away = shares.map(|share| distance(color, with(share)));
    away.min().unwrap_or(0)
}

/// Templates made ready for comparison.
#[derive(Clone, Debug)]
pub struct Comparer {
    /// Bare light and dark squares.
    of_color: [Bare; 2],
    /// Squares that look unlike the others of their colour.
    own: BySquare<Option<Arc<Bare>>>,
    /// Light and dark ones under the page's mark of a move.
    marked: [Option<Bare>; 2],
    templates: Vec<Option<Ready>>,
    margin: Vec<usize>,
    ring: Vec<usize>,
    /// Left, right, upper and lower side of the ring, without its corners.
    sides: [Vec<usize>; SIDES],
    /// Upper left, upper right, lower left and lower right corner of the ring.
    corners: [Vec<usize>; CORNERS],
    middle: Cells,
    /// All but the two outermost rings, where frames and coordinates are drawn and pieces hardly reach.
    inner: Cells,
    /// Where a click on the square goes, and a little around it.
    click: Cells,
    /// The same cells by their numbers.
    center: Vec<usize>,
    alike: Alike,
    /// The pieces never seen on light squares, and on dark ones: a bit each.
    guesses: [u16; 2],
}

/// A square without a piece, and each piece over it.
#[derive(Clone, Debug)]
struct Bare {
    ground: Ground,
    /// What it shows at the margin.
    margin: [i16; 3],
    over: Vec<Option<Patch>>,
    /// Levels by which a cell may differ from what is expected at no cost.
    tolerance: i16,
}

/// The square under whatever stands on it.
struct Under<'a> {
    bare: &'a Bare,
    /// How far it is from its plain colour, in levels.
    tint: i16,
    /// The same with the tint that lies over it, if one does.
    tinted: Option<Patch>,
    /// The same under the page's mark of a move, if that may lie over it.
    marked: Option<&'a Bare>,
}

impl Under<'_> {
    /// The square as it is now.
    fn now(&self) -> &Patch {
        self.tinted.as_ref().unwrap_or(&self.bare.ground.patch)
    }
}

#[derive(Clone, Debug)]
struct Ready {
    template: Template,
    body: Cells,
    /// The piece with openings where it may have some, if it may.
    opened: Option<Template>,
}

/// Cells that no piece covers; where pieces cover nearly all, those at a distance of two from the border.
fn margin(templates: &[Option<Template>; 12]) -> Vec<usize> {
    let free = |k: &usize| templates.iter().flatten().all(|t| t.opacity[*k] < 16);
    let mut margin: Vec<usize> = (0..CELLS).filter(|k| from_border(*k) >= 2).filter(free).collect();
    if margin.len() < 16 {
        margin = (0..CELLS).filter(|k| from_border(*k) == 2).collect();
    }
    // Sixty-four values give as good a median as three hundred.
    margin.iter().copied().step_by(margin.len().div_ceil(64)).collect()
}

/// Left, right, upper and lower side of the outermost ring, without its corners.
fn sides() -> [Vec<usize>; SIDES] {
    [
        (1..N - 1).map(|k| k * N).collect(),
        (1..N - 1).map(|k| k * N + N - 1).collect(),
        (1..N - 1).collect(),
        (1..N - 1).map(|k| (N - 1) * N + k).collect(),
    ]
}

/// Upper left, upper right, lower left and lower right corner of the outermost ring.
fn corners() -> [Vec<usize>; CORNERS] {
    [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(down, right)| {
        let along = |k: usize, far: usize| if far == 0 { k } else { N - 1 - k };
        let cells = (0..CELLS).filter(|k| from_border(*k) == 0);
        cells
            .filter(|k| along(k / N, down) < CORNER && along(k % N, right) < CORNER)
            .collect()
    })
}

impl Comparer {
    /// From the bare squares (light, dark), those that look unlike the others of their colour, those under the page's
    /// mark, the noise of their texture, and the pieces known.
    pub fn new(
        (grounds, own, marked): (&[Ground; 2], &BySquare<Option<Arc<Patch>>>, &Marked),
        noise: Noise,
        templates: &[Option<Template>; 12],
    ) -> Comparer {
        let noise = noise.of_pieces();
        let ready = templates.iter().map(|template| {
            template.as_ref().map(|t| Ready {
                body: Cells::of(t.body()),
                opened: t.opened(
                    grounds.each_ref().map(|ground| &ground.patch),
                    matting::tolerance(noise),
                ),
                template: t.clone(),
            })
        });
        let margin = margin(templates);
        let bare = |ground: Ground, noise: f32| Bare {
            tolerance: NO_TEXTURE + (2.5 * noise).round() as i16,
            margin: median(&ground.patch, &margin),
            over: templates
                .iter()
                .map(|t| Some(t.as_ref()?.over(&ground.patch)))
                .collect(),
            ground,
        };
        let comparer = Comparer {
            of_color: grounds.each_ref().map(|ground| bare(ground.clone(), noise)),
            own: BySquare::from_fn(|s| {
                let patch = Patch::clone(own[s].as_ref()?);
                let color = median(&patch, &margin);
                Some(Arc::new(bare(Ground { patch, color }, OWN_NOISE * noise)))
            }),
            marked: marked.each_ref().map(|marked| {
                let patch = Patch::clone(marked.as_ref()?);
                let color = median(&patch, &margin);
                Some(bare(Ground { patch, color }, noise))
            }),
            templates: ready.collect(),
            margin,
            ring: (0..CELLS).filter(|k| from_border(*k) == 0).collect(),
            sides: sides(),
            corners: corners(),
            middle: Cells::of(|k| from_border(k) >= 5),
            inner: Cells::of(|k| from_border(k) >= 2),
            click: Cells::of(|k| from_border(k) >= 9),
            center: (0..CELLS).filter(|k| from_border(*k) >= 9).collect(),
            alike: Alike::default(),
            guesses: [false, true].map(|dark| {
                let is_guess = |k: &usize| templates[*k].as_ref().is_some_and(|t| !t.seen_on.has(dark));
                (0..EMPTY).filter(is_guess).fold(0, |bits, k| bits | 1 << k)
            }),
        };
        let alike = comparer.alike_pairs();
        Comparer {
            alike: Alike::of(alike.into_iter()),
            ..comparer
        }
    }

    /// Which contents look the same.
    pub fn alike(&self) -> Alike {
        self.alike
    }

    /// Pieces that differ so little over a bare square of either colour that none is ever told from the other.
    fn alike_pairs(&self) -> Vec<(usize, usize)> {
        let apart = |j: usize, k: usize| {
            let on = |bare: &Bare| {
                let (a, b) = (bare.over[j].as_ref()?, bare.over[k].as_ref()?);
                Some(self.mean_cost(a, b, bare.tolerance))
            };
            Some(on(&self.of_color[0])?.max(on(&self.of_color[1])?))
        };
        let pairs = (0..EMPTY).flat_map(|k| (0..k).map(move |j| (j, k)));
        pairs.filter(|(j, k)| apart(*j, *k).is_some_and(|a| a < SAME)).collect()
    }

    /// A square without a piece.
    fn bare(&self, s: Square) -> &Bare {
        match &self.own[s] {
            Some(own) => own,
            None => &self.of_color[usize::from(s.is_dark())],
        }
    }

    /// Compares a square's picture with everything that may stand on it. Signs of motion are looked for by
    /// [`Comparer::look_for_motion`] only.
    pub fn scores(&self, patch: &Patch, s: Square) -> SquareScores {
        // Compared with the common ground of its colour, also where the square has its own: marks were learned that
        // way.
        let (seen, others) = (median(patch, &self.margin), &self.of_color[usize::from(s.is_dark())]);
        let by: [i16; 3] = std::array::from_fn(|c| seen[c] - others.margin[c]);
        let margin: [i16; 3] = std::array::from_fn(|c| others.ground.color[c] + by[c]);
        let tint = distance(seen, others.margin);
        let mut square = self.under(s, margin);
        let marked = square.marked.take();
        let mut scores = SquareScores {
            cost: [f32::INFINITY; CONTENTS],
            body: [f32::INFINITY; CONTENTS],
            margin,
            ring: median(patch, &self.ring),
            sides: Some(self.sides.each_ref().map(|side| median(patch, side))),
            corners: Some(self.corners.each_ref().map(|corner| median(patch, corner))),
            tint,
            motion: None,
            alike: self.alike,
            edges: Edges::default(),
            apart: None,
            guesses: self.guesses[usize::from(s.is_dark())],
            even: (tint > OPAQUE).then(|| self.mean_cost(patch, &even(seen), NO_TEXTURE)),
            unexplained: 0.0,
        };
        self.fill_scores(patch, &square, &mut scores);
        // Most squares are explained without a mark, and in half the time.
        if marked.is_some() && scores.least() > WELL {
            square.marked = marked;
            self.fill_scores(patch, &square, &mut scores);
        }
        if scores.best().1 < GAP {
            scores.apart = self.apart_from_next(&scores, s);
        }
        scores
    }

    /// What each content costs on that square, and what none explains.
    fn fill_scores(&self, patch: &Patch, square: &Under, scores: &mut SquareScores) {
        let (mut least, mut costs) = ([WORST; CELLS], [0; CELLS]);
        for k in 0..CONTENTS {
            if self.fill_costs(patch, square, k, &mut costs).is_some() {
                lessen(&mut least, &costs);
                scores.cost[k] = self.inner.mean(&costs, WORST);
                scores.body[k] = self.body(k).mean(&costs, WORST);
            }
        }
        scores.unexplained = self.inner.mean(&least, WORST);
    }

    /// What the best content's picture costs the next one on that square.
    fn apart_from_next(&self, scores: &SquareScores, s: Square) -> Option<f32> {
        let best = scores.best().0;
        let others = (0..CONTENTS).filter(|k| !self.alike.same(*k, best));
        let next = others.min_by(|a, b| scores.cost[*a].total_cmp(&scores.cost[*b]))?;
        Some(self.mean_cost(self.picture(best, s)?, self.picture(next, s)?, self.bare(s).tolerance))
    }

    /// A content on a bare square; `None` for a piece that is not learned.
    fn picture(&self, content: usize, s: Square) -> Option<&Patch> {
        let bare = self.bare(s);
        match bare.over.get(content) {
            Some(over) => over.as_ref(),
            None => Some(&bare.ground.patch),
        }
    }

    /// Mean cost of a cell where a click on the square goes, 0 to 1, if this stands there; `None` for a piece that is
    /// not learned. `scores` are the patch's.
    pub fn cost_of_click(&self, patch: &Patch, s: Square, scores: &SquareScores, content: usize) -> Option<f32> {
        let costs = self.costs(patch, &self.under(s, scores.margin), content)?;
        Some(self.click.mean(&costs, WORST))
    }

    /// The side, in cells, of the largest square part in which nothing of this content is seen; `None` for a piece that is
    /// not learned. `scores` are the patch's.
    pub fn broadest_over(&self, patch: &Patch, s: Square, scores: &SquareScores, content: usize) -> Option<usize> {
        let costs = self.costs(patch, &self.under(s, scores.margin), content)?;
        // Of each cell the side of the largest part whose lower right corner it is.
        let mut sides = [0; CELLS];
        for k in (0..CELLS).filter(|k| costs[*k] > SHOWN) {
            let is_first = k < N || k % N == 0;
            sides[k] = if is_first {
                1
            } else {
                1 + sides[k - 1].min(sides[k - N]).min(sides[k - N - 1])
            };
        }
        sides.into_iter().max()
    }

    /// Mean cost of a cell of a square's picture where another is expected, 0 to 1, the border aside.
    pub fn cost_of(&self, patch: &Patch, expected: &Patch, dark: bool) -> f32 {
        self.mean_cost(patch, expected, self.of_color[usize::from(dark)].tolerance)
    }

    /// Mean cost of a cell of a square's picture, 0 to 1, the border aside, if a piece stands there that was seen on squares of
    /// the other colour only; `None` for any other piece.
    ///
    /// One picture of a piece leaves open how much of each cell is the square's that shows through, between nothing and as
    /// much as leaves a colour from 0 to 255 for the piece (triangulation matting takes two). So a cell of the piece, or
    /// beside it, where its edge or its shadow may lie, may have any colour on a line in the space of colours, and costs
    /// what it is away from that.
    pub fn cost_of_guess(&self, patch: &Patch, s: Square, content: usize) -> Option<f32> {
        let ready = self.templates.get(content)?.as_ref()?;
        let dark = s.is_dark();
        if ready.template.seen_on.has(dark) {
            return None;
        }
        let square = self.under(s, median(patch, &self.margin));
        let (from, to) = (&self.of_color[usize::from(!dark)].ground.patch, square.now());
        let seen = ready.template.over(from);
        let may_be_its = grown(&ready.template.opacity.map(|opacity| opacity > 0), ITS_EDGE);
        let costs: [i16; CELLS] = std::array::from_fn(|cell| {
            let (seen, from) = (seen.color(cell), from.color(cell));
            let shares = match may_be_its[cell] {
                true => [0.0, most_through(seen, from)],
                false => [1.0, 1.0],
            };
            let away = from_line(patch.color(cell), (seen, from, to.color(cell)), shares);
            (away - square.bare.tolerance).clamp(0, WORST)
        });
        Some(self.inner.mean(&costs, WORST))
    }

    /// Mean cost of a cell of a piece's body, 0 to 1, on a ground of any colour, which is measured at the patch's
    /// margin; `None` for a piece that is not learned.
    pub fn cost_of_body(&self, patch: &Patch, content: usize) -> Option<f32> {
        let ready = self.templates.get(content)?.as_ref()?;
        let ground = even(median(patch, &self.margin));
        let costs = |template: &Template| self.cost(patch, &template.over(&ground), self.of_color[0].tolerance);
        let closed = costs(&ready.template);
        let least = ready
            .opened
            .as_ref()
            .map_or(closed, |opened| lesser(&closed, &costs(opened)));
        Some(ready.body.mean(&least, WORST))
    }

    /// A piece as far as it is known not to be open; `None` for one that is not learned.
    pub fn closed(&self, content: usize) -> Option<&Template> {
        let ready = self.templates.get(content)?.as_ref()?;
        Some(ready.opened.as_ref().unwrap_or(&ready.template))
    }

    /// Whether the square seems empty under a tint so strong that a piece beneath it would hardly be seen.
    pub fn may_be_overlaid(&self, scores: &SquareScores) -> bool {
        scores.tint > OVERLAID && scores.best().0 == EMPTY
    }

    /// Adds what the square's picture tells of motion to its scores.
    pub fn look_for_motion(&self, patch: &Patch, s: Square, scores: &mut SquareScores) {
        scores.motion = self.motion(patch, &self.under(s, scores.margin), scores);
    }

    fn under(&self, s: Square, margin: [i16; 3]) -> Under<'_> {
        let others = &self.of_color[usize::from(s.is_dark())];
        self.beneath(
            s,
            std::array::from_fn(|c| margin[c] - others.ground.color[c] + others.margin[c]),
        )
    }

    /// The same, where this is seen at the square's margin.
    fn beneath(&self, s: Square, seen: [i16; 3]) -> Under<'_> {
        let bare = self.bare(s);
        let by: [i16; 3] = std::array::from_fn(|c| seen[c] - bare.margin[c]);
        let tint = distance(seen, bare.margin);
        Under {
            bare,
            tint,
            tinted: (tint > EVEN).then(|| bare.ground.tinted(by)),
            marked: match self.own[s] {
                Some(_) => None,
                None => self.marked[usize::from(s.is_dark())].as_ref(),
            },
        }
    }

    fn body(&self, content: usize) -> &Cells {
        self.templates
            .get(content)
            .and_then(Option::as_ref)
            .map_or(&self.middle, |r| &r.body)
    }

    /// The cost of every cell under one hypothesis; `None` for a piece that is not learned.
    fn costs(&self, patch: &Patch, square: &Under, content: usize) -> Option<[i16; CELLS]> {
        let mut costs = [0; CELLS];
        self.fill_costs(patch, square, content, &mut costs).map(|()| costs)
    }

    /// The same into an array: to hand thirteen of them back by value takes a twentieth of the time of a reading.
    fn fill_costs(&self, patch: &Patch, square: &Under, content: usize, costs: &mut [i16; CELLS]) -> Option<()> {
        let untinted = match square.bare.over.get(content) {
            Some(over) => over.as_ref()?,
            None => &square.bare.ground.patch,
        };
        self.fill_cost(patch, untinted, square.bare.tolerance, costs);
        if let Some(tinted) = &square.tinted {
            match self.templates.get(content) {
                Some(ready) => {
                    let piece = &ready.as_ref()?.template;
                    lessen(costs, &self.cost(patch, &piece.over(tinted), square.bare.tolerance));
                }
                // Cell by cell a dark piece on a light tint is either the tint or a dark square without it.
                None => *costs = tinted_in_part(costs, &self.cost(patch, tinted, square.bare.tolerance)),
            }
        }
        // A mark lies over all of the square or is not there.
        if let Some(marked) = square.marked {
            let over = match marked.over.get(content) {
                Some(over) => over.as_ref()?,
                None => &marked.ground.patch,
            };
            let under_mark = self.cost(patch, over, marked.tolerance);
            if self.inner.mean(&under_mark, WORST) < self.inner.mean(costs, WORST) {
                *costs = under_mark;
            }
        }
        Some(())
    }

    /// Signs of motion in a square whose best content does not fit well.
    fn motion(&self, patch: &Patch, square: &Under, scores: &SquareScores) -> Option<Motion> {
        let (best, _) = scores.best();
        let is_whole = scores.body[best] < STAYS && scores.cost[best] < STAYS;
        if is_whole && (best != EMPTY || scores.tint <= OVERLAID) {
            return None;
        }
        if best == EMPTY {
            return self.is_ghost(patch, square).then_some(Motion::Ghost);
        }
        if self.is_displaced(patch, best, square) {
            return Some(Motion::Displaced);
        }
        self.is_superposed(patch, square, scores).then_some(Motion::Superposed)
    }

    /// Whether the best piece fits clearly better some cells away.
    fn is_displaced(&self, patch: &Patch, best: usize, square: &Under) -> bool {
        self.fits_beside(patch, best, square.now(), FARTHEST, BETTER)
    }

    /// Whether a piece has left its place by up to half of its square, in one of the eight directions of a queen.
    pub fn has_set_out(&self, patch: &Patch, piece: usize, s: Square) -> bool {
        let (seen, bare) = (median(patch, &self.margin), self.bare(s));
        let now = bare.ground.tinted(std::array::from_fn(|c| seen[c] - bare.margin[c]));
        self.fits_beside(patch, piece, &now, N as i32 / 2, CLEARLY)
    }

    /// Whether at most `farthest` cells away a piece costs less than this share of what it costs in its place.
    fn fits_beside(&self, patch: &Patch, piece: usize, ground: &Patch, farthest: i32, share: f32) -> bool {
        let Some(ready) = self.templates.get(piece).and_then(Option::as_ref) else {
            return false;
        };
        let cost = |dx: i32, dy: i32| {
            let predicted = ready.template.moved(dx, dy).over(ground);
            self.mean_cost(patch, &predicted, self.of_color[0].tolerance)
        };
        let in_place = cost(0, 0);
        let ways = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
        (1..=farthest).any(|d| ways.iter().any(|(x, y)| cost(x * d, y * d) < share * in_place))
    }

    /// Whether what is seen of a square shows a piece at rest there, rather than each of these other contents, the bare
    /// square, or the piece beside its place. Cells that show neither of two, since something lies over them, speak for
    /// nothing and against nothing. `scores` are the patch's.
    pub fn rests(&self, patch: &Patch, s: Square, scores: &SquareScores, piece: usize, others: &[usize]) -> bool {
        let square = self.under(s, scores.margin);
        let Some(here) = self.costs(patch, &square, piece) else {
            return false;
        };
        let is_another = |k: &&usize| **k != EMPTY && !self.alike.same(**k, piece);
        let mut contents = others
            .iter()
            .filter(is_another)
            .chain([&EMPTY])
            .filter_map(|k| self.costs(patch, &square, *k));
        let ways = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
        let places = STEPS.iter().flat_map(|d| ways.iter().map(move |(x, y)| (x * d, y * d)));
        contents.all(|other| self.tells(&here, &other))
            && places
                .filter_map(|(dx, dy)| self.costs_beside(patch, &square, piece, dx, dy))
                .all(|other| self.tells(&here, &other))
    }

    /// How far a piece lies beside its place, in cells to the right and down, by least squares on the first derivatives
    /// of its picture (the step of Lucas and Kanade, *An Iterative Image Registration Technique*, 1981). Good for a
    /// cell or so. `None` for a piece that is not learned or shows no edge in one of both directions.
    pub fn aside(&self, patch: &Patch, s: Square, piece: usize) -> Option<[f32; 2]> {
        let square = self.beneath(s, median(patch, &self.margin));
        let template = &self.templates.get(piece)?.as_ref()?.template;
        let at = |dx, dy| template.moved(dx, dy).over(square.now());
        let [here, left, right, up, down] = [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)].map(|(dx, dy)| at(dx, dy));
        let (mut xx, mut xy, mut yy, mut xe, mut ye) = (0f32, 0f32, 0f32, 0f32, 0f32);
        for c in 0..3 {
            let [seen, here, left, right, up, down] =
                [patch, &here, &left, &right, &up, &down].map(|patch| &patch.planes[c]);
            for k in (0..CELLS).filter(|k| self.inner.pick(*k, 1) == 1) {
                let [x, y] = [right[k] - left[k], down[k] - up[k]].map(|d| f32::from(d) / 2.0);
                let open = f32::from(seen[k] - here[k]);
                xx += x * x;
                xy += x * y;
                yy += y * y;
                xe += x * open;
                ye += y * open;
            }
        }
        let determinant = xx * yy - xy * xy;
        (determinant > 1.0).then(|| [(yy * xe - xy * ye) / determinant, (xx * ye - xy * xe) / determinant])
    }

    /// The cost of every cell if a piece stands `dx` and `dy` cells beside its place.
    fn costs_beside(&self, patch: &Patch, square: &Under, piece: usize, dx: i32, dy: i32) -> Option<[i16; CELLS]> {
        let moved = self.templates.get(piece)?.as_ref()?.template.moved(dx, dy);
        let on = |ground: &Patch| self.cost(patch, &moved.over(ground), square.bare.tolerance);
        let plain = on(&square.bare.ground.patch);
        Some(match &square.tinted {
            Some(tinted) => lesser(&plain, &on(tinted)),
            None => plain,
        })
    }

    /// Whether the cells that show one prediction and not the other are many, and those that show the other and not the
    /// one few.
    fn tells(&self, this: &[i16; CELLS], other: &[i16; CELLS]) -> bool {
        let rather = |a: &[i16; CELLS], b: &[i16; CELLS]| {
            let cells = (0..CELLS).filter(|k| self.inner.pick(*k, 1) == 1);
            cells.filter(|k| a[*k] <= SHOWN && b[*k] - a[*k] >= RATHER).count()
        };
        let (of_this, of_other) = (rather(this, other), rather(other, this));
        of_this >= FEWEST_CELLS && of_this >= TIMES_AS_MANY * of_other
    }

    /// Whether two other pieces together explain most of what the best one leaves open.
    fn is_superposed(&self, patch: &Patch, square: &Under, scores: &SquareScores) -> bool {
        let open = TOGETHER * scores.least();
        let (best, _) = scores.best();
        let others = (0..EMPTY).filter(|k| *k != best);
        let all: Vec<[i16; CELLS]> = others.filter_map(|k| self.costs(patch, square, k)).collect();
        let mut pairs = all
            .iter()
            .enumerate()
            .flat_map(|(i, a)| all[..i].iter().map(move |b| (a, b)));
        pairs.any(|(a, b)| self.inner.mean(&lesser(a, b), WORST) < open)
    }

    /// Whether a piece laid faintly over the square, or one over which a strong colour is laid, explains most of what
    /// an empty one leaves open.
    fn is_ghost(&self, patch: &Patch, square: &Under) -> bool {
        let plain = &square.bare.ground.patch;
        // A thick frame colours the margin and leaves the middle as it is.
        let is_framed = distance(median(patch, &self.center), median(plain, &self.center)) <= square.bare.tolerance;
        let (now, tint) = match is_framed {
            true => (plain, 0),
            false => (square.now(), square.tint),
        };
        let known = self.templates.iter().flatten().zip(square.bare.over.iter().flatten());
        known.into_iter().any(|(ready, over)| {
            self.shines(patch, now, &ready.template.over(now), now)
                || (tint > OVERLAID && self.shines(patch, now, over, plain))
        })
    }

    /// Whether a share of what makes one picture another (`full` and `none`) makes the seen one of a bare square's,
    /// `bare`, for the most part. The share is fitted by least squares.
    fn shines(&self, seen: &Patch, bare: &Patch, full: &Patch, none: &Patch) -> bool {
        let (mut along, mut norm, mut energy) = (0f32, 0f32, 0f32);
        for c in 0..3 {
            let [seen, bare, full, none] = [seen, bare, full, none].map(|patch| &patch.planes[c]);
            for k in 0..CELLS {
                let seen = f32::from(self.inner.pick(k, seen[k] - bare[k]));
                let full = f32::from(self.inner.pick(k, full[k] - none[k]));
                along += seen * full;
                norm += full * full;
                energy += seen * seen;
            }
        }
        let opacity = along / norm.max(1.0);
        let explained = along * opacity / energy.max(1.0);
        (FAINT..1.0).contains(&opacity) && explained > GHOSTLY
    }

    /// How well the lines within a piece's body are those of the piece on that square, -1 to 1: the correlation of how
    /// much each cell differs from those to the right and below. What shines through a piece changes slowly. `None` for
    /// a piece that is not learned.
    pub fn lines_agree(&self, patch: &Patch, s: Square, content: usize) -> Option<f32> {
        let expected = self.picture(content, s).filter(|_| content != EMPTY)?;
        let body = self.body(content);
        let (mut together, mut expects, mut sees) = (0f32, 0f32, 0f32);
        for (seen, expected) in patch.planes.iter().zip(&expected.planes) {
            let step = |plane: &[i16; CELLS], k: usize, next: usize| f32::from(plane[next] - plane[k]);
            let right = (0..CELLS).filter(|k| k % N + 1 < N).map(|k| (k, k + 1));
            let down = (0..CELLS - N).map(|k| (k, k + N));
            for (k, next) in right.chain(down).filter(|(k, next)| body.has(*k) && body.has(*next)) {
                let (a, b) = (step(expected, k, next), step(seen, k, next));
                together += a * b;
                expects += a * a;
                sees += b * b;
            }
        }
        Some(together / (expects * sees).sqrt().max(1.0))
    }

    /// Of the cells of a piece's body that look otherwise than they should, the share that differs as a part of the ground
    /// does: there a hollow piece, which was learned on another ground, is a line over it. A veil over both changes what
    /// is brighter than the ground by more. `None` for a piece that is not learned, and where all cells look as they
    /// should.
    pub fn shows_ground(&self, patch: &Patch, s: Square, scores: &SquareScores, content: usize) -> Option<f32> {
        let costs = self.costs(patch, &self.under(s, scores.margin), content)?;
        let (expected, body) = (self.picture(content, s)?, self.body(content));
        let usual = self.of_color[usize::from(s.is_dark())].ground.color;
        let ground: [f32; 3] = std::array::from_fn(|c| f32::from(scores.margin[c] - usual[c]));
        let all = ground.iter().map(|by| by * by).sum::<f32>().max(1.0);
        let is_part = |k: &&usize| {
            let by: [f32; 3] = std::array::from_fn(|c| f32::from(patch.planes[c][**k] - expected.planes[c][**k]));
            let part = by.iter().zip(ground).map(|(by, ground)| by * ground).sum::<f32>() / all;
            let beside = by.iter().zip(ground).map(|(by, ground)| (by - part * ground).abs());
            (0.0..=WHOLE).contains(&part) && beside.fold(0.0, f32::max) <= BESIDE
        };
        let otherwise: Vec<usize> = (0..CELLS).filter(|k| body.has(*k) && costs[*k] > SHOWN).collect();
        let parts = otherwise.iter().filter(is_part).count();
        (!otherwise.is_empty()).then(|| parts as f32 / otherwise.len() as f32)
    }

    /// Mean cost of a cell of a prediction, 0 to 1, the border aside.
    fn mean_cost(&self, patch: &Patch, predicted: &Patch, tolerance: i16) -> f32 {
        self.inner.mean(&self.cost(patch, predicted, tolerance), WORST)
    }

    /// The cost of every cell of a prediction. (Levels lie in 0 to 255, so nothing overflows; unchecked for the speed
    /// of test builds.)
    fn cost(&self, patch: &Patch, predicted: &Patch, tolerance: i16) -> [i16; CELLS] {
        let mut cost = [0; CELLS];
        self.fill_cost(patch, predicted, tolerance, &mut cost);
        cost
    }

    fn fill_cost(&self, patch: &Patch, predicted: &Patch, tolerance: i16, cost: &mut [i16; CELLS]) {
        let [r, g, b] = &patch.planes;
        let [pr, pg, pb] = &predicted.planes;
        let apart = |x: i16, y: i16| x.max(y).wrapping_sub(x.min(y));
        for k in 0..CELLS {
            let most = apart(r[k], pr[k]).max(apart(g[k], pg[k])).max(apart(b[k], pb[k]));
            cost[k] = most.wrapping_sub(tolerance).clamp(0, WORST);
        }
    }
}

/// The costs of an empty square that is tinted in one part and not in the other, whichever parts cost least: a frame of
/// some width and what lies within it.
fn tinted_in_part(plain: &[i16; CELLS], tinted: &[i16; CELLS]) -> [i16; CELLS] {
    let mut sums = [[0i32; RINGS]; 2];
    for k in 0..CELLS {
        sums[0][from_border(k)] += i32::from(plain[k]);
        sums[1][from_border(k)] += i32::from(tinted[k]);
    }
    let parts = (0..=RINGS).flat_map(|width| [(width, 0), (width, 1)]);
    let cost = |(width, outer): &(usize, usize)| {
        let (outer, inner) = (&sums[*outer], &sums[1 - *outer]);
        outer[..*width].iter().sum::<i32>() + inner[*width..].iter().sum::<i32>()
    };
    let (width, outer) = parts.min_by_key(cost).unwrap_or((0, 0));
    let of = [plain, tinted];
    std::array::from_fn(|k| of[if from_border(k) < width { outer } else { 1 - outer }][k])
}

fn lesser(a: &[i16; CELLS], b: &[i16; CELLS]) -> [i16; CELLS] {
    std::array::from_fn(|k| a[k].min(b[k]))
}

/// Makes each the less of the two.
fn lessen(these: &mut [i16; CELLS], others: &[i16; CELLS]) {
    for (this, other) in these.iter_mut().zip(others) {
        *this = (*this).min(*other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::appearance::Appearance;
    use image::{Rgba, RgbaImage};
    use shakmaty::{Board, Chess, File, Piece, Position, Rank};
    use torres_geometry::{BoardMap, BoardRect, Orientation};

    #[test]
    fn a_thick_frame_around_an_empty_square_is_no_faint_piece() {
        const SIDE: u32 = 33;
        let start = Chess::default().board().clone();
        // Pieces as wide as their squares: what is free of them is where the frame is drawn.
        let picture = |board: &Board, framed: Option<Square>| {
            RgbaImage::from_fn(8 * SIDE, 8 * SIDE, |x, y| {
                let at = (x / SIDE, 7 - y / SIDE);
                let s = Square::from_coords(File::new(at.0), Rank::new(at.1));
                let (dx, dy) = (x % SIDE, y % SIDE);
                let to_edge = dx.min(dy).min(SIDE - 1 - dx).min(SIDE - 1 - dy);
                if framed == Some(s) && to_edge < 5 {
                    return Rgba([178, 183, 94, 255]);
                }
                let wide = |piece: Piece| 3 + 2 * (6 - piece.role as u32);
                match board
                    .piece_at(s)
                    .filter(|piece| to_edge >= 4 && dx >= wide(*piece) && dx + wide(*piece) < SIDE)
                {
                    Some(piece) if piece.color.is_white() => Rgba([250, 250, 250, 255]),
                    Some(_) => Rgba([5, 5, 5, 255]),
                    None if s.is_dark() => Rgba([77, 104, 60, 255]),
                    None => Rgba([123, 164, 96, 255]),
                }
            })
        };
        let map = BoardMap {
            rect: BoardRect::new(0.0, 0.0, f64::from(8 * SIDE), f64::from(8 * SIDE)).unwrap(),
            orientation: Orientation::White,
        };
        let appearance = Appearance::learn(&picture(&start, None), &map, &start).unwrap();
        for square in [Square::D4, Square::F6] {
            let scores = appearance.reader(&map).scores(&picture(&start, Some(square)), square);
            assert!(scores.tint > OVERLAID, "the margin is coloured: {}", scores.tint);
            assert_eq!((scores.best().0, scores.motion), (EMPTY, None), "{square}");
        }
    }
}
