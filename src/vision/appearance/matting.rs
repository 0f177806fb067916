//! Separating a piece from the square beneath it.
//!
//! A piece seen on both square colours gives its opacity directly (*triangulation matting*, Smith and Blinn 1996):
//! where the two pictures agree it is opaque, where they differ as much as the squares do it is transparent. A piece
//! seen on one colour only (kings and queens at the start) is what cannot be reached from the border over cells that
//! look like the bare square.

use super::super::patch::{CELLS, N, Patch, distance};
use super::cells::{neighbours, parts};
use super::ground::from_border;
use super::template::{POCKET, SeenOn, Template};

/// A picture of a piece and that of its bare square.
#[derive(Clone, Copy)]
pub struct Instance<'a> {
    /// The square's picture.
    pub patch: &'a Patch,
    /// The bare square.
    pub ground: &'a Patch,
}

impl Instance<'_> {
    /// How far a cell is from its bare square, in levels of the channel that differs most.
    fn distance(&self, cell: usize) -> i16 {
        self.patch.distance(self.ground, cell)
    }

    /// By how much what lies over the bare square changes from one cell to another, in levels of the channel that
    /// changes most.
    fn step(&self, from: usize, to: usize) -> i16 {
        let over = |cell: usize| [0, 1, 2].map(|c| self.patch.planes[c][cell] - self.ground.planes[c][cell]);
        distance(over(from), over(to))
    }
}

/// Opacities this near to 0 or 1 are taken as such: noise of textured squares.
const SOLID: f32 = 0.1;

/// Grounds nearer to each other than this (squared levels, over the three channels) do not tell what shines through.
const ALIKE: f32 = 600.0;

/// Nor do grounds that are nearer to each other than so many times the noise of their texture: the texture would pass
/// for a part of the piece.
const ABOVE_NOISE: f32 = 4.0;

/// How far the two grounds are from each other in a cell, in squared levels over the three channels.
fn grounds_apart(light: &Instance, dark: &Instance, cell: usize) -> f32 {
    let (on_light, on_dark) = (light.ground.color(cell), dark.ground.color(cell));
    (0..3).map(|c| f32::from(on_light[c] - on_dark[c]).powi(2)).sum()
}

/// Whether the grounds are nearer to each other than this in most cells, in squared levels.
fn are_nearer(light: &Instance, dark: &Instance, than: f32) -> bool {
    let near = (0..CELLS).filter(|cell| grounds_apart(light, dark, *cell) < than);
    near.count() * 2 > CELLS
}

/// From a piece seen on a light and on a dark square. `None` when the two grounds are too alike to tell; where they are
/// alike in some cells only, as in a gap between the squares, what is within `tolerance` levels of both is bare.
pub fn triangulate(light: &Instance, dark: &Instance, tolerance: i16) -> Option<Template> {
    if are_nearer(light, dark, ALIKE) {
        return None;
    }
    let mut template = blank(SeenOn::BOTH);
    for cell in 0..CELLS {
        let (on_light, on_dark) = (light.patch.color(cell), dark.patch.color(cell));
        let (bare_light, bare_dark) = (light.ground.color(cell), dark.ground.color(cell));
        let shown = |c: usize| f32::from(on_light[c] - on_dark[c]) * f32::from(bare_light[c] - bare_dark[c]);
        let is_bare = light.distance(cell).max(dark.distance(cell)) <= tolerance;
        let apart = grounds_apart(light, dark, cell);
        let opacity = match 1.0 - (0..3).map(shown).sum::<f32>() / apart {
            _ if apart < ALIKE => f32::from(u8::from(!is_bare)),
            o if o < SOLID => 0.0,
            o if o > 1.0 - SOLID => 1.0,
            o => o,
        };
        template.opacity[cell] = (opacity * 255.0 + 0.5) as u8;
        for c in 0..3 {
            let seen = f32::from(on_light[c] + on_dark[c]) / 2.0;
            let through = (1.0 - opacity) * f32::from(bare_light[c] + bare_dark[c]) / 2.0;
            let color = if opacity == 0.0 { 0.0 } else { seen - through };
            template.color[c][cell] = color.clamp(0.0, 255.0 * opacity) as u8;
        }
    }
    Some(template)
}

/// From a piece seen on a light and on a dark square whose texture of this noise, in levels, hides how far the two are
/// apart: its outline on the square that is calmer there. `None` where the grounds are far enough apart, or where
/// nothing of the piece stands out.
pub fn on_the_calmer(light: &Instance, dark: &Instance, noise: f32, palette: &Palette) -> Option<Template> {
    if !are_nearer(light, dark, (ABOVE_NOISE * noise).powi(2)) {
        return None;
    }
    // Pieces hardly reach there.
    let along_border: Vec<usize> = (0..CELLS).filter(|k| (1..=2).contains(&from_border(*k))).collect();
    let own_noise = [light, dark].map(|seen| seen.patch.deviation(seen.ground, &along_border));
    let is_dark = own_noise[1] < own_noise[0];
    let (calmer, own_noise) = if is_dark {
        (dark, own_noise[1])
    } else {
        (light, own_noise[0])
    };
    let mut template = outline(calmer, tolerance(own_noise.into()), is_dark, palette);
    template.seen_on = SeenOn::BOTH;
    template.is_there().then_some(template)
}

/// Cells this many times the tolerance away from the square's colour may still be bare, if the colour changes slowly up
/// to them: a texture's light and shade.
const SHADED: i16 = 4;

/// A part of the outline smaller than this, apart from the largest and beside a corner, is a coordinate.
const LETTER: usize = CELLS / 16;

/// A frame around a square reaches no farther from its border, in cells: a sixth of its side.
const FRAME: usize = 4;

/// Colours that pieces of one side are known to have where nothing shines through.
#[derive(Clone, Debug, Default)]
pub struct Palette(Vec<[i16; 3]>);

/// Levels by which a colour of a palette may be missed.
const LIKE: i16 = 16;

/// A colour that fewer cells have is a thin line's, mixed with the square's.
const SEVERAL: usize = 6;

/// A colour is a piece's if it is this many times nearer to it than to the square's.
const NEARER: i16 = 3;

/// Cells this near to the square's colour, in levels, and those of its noise, are bare whatever colours the pieces
/// have.
const SURELY_BARE: i16 = 4;

/// Levels by which a mixture of a piece's colour and the square's may be missed.
const MIXED: f32 = 6.0;

impl Palette {
    /// From pieces that were seen on both square colours. In the corners coordinates are written, one in the other's
    /// square colour.
    pub fn of<'t>(templates: impl Iterator<Item = &'t Template>) -> Palette {
        let measured = templates.filter(|t| t.seen_on == SeenOn::BOTH);
        let solid = measured.flat_map(|t| {
            let cells = (0..CELLS).filter(|cell| t.opacity[*cell] == 255 && !is_in_corner(*cell));
            cells.map(|cell| [0, 1, 2].map(|c| i16::from(t.color[c][cell])))
        });
        Palette(solid.collect())
    }

    /// Whether pieces are known, and none has this colour.
    pub fn lacks(&self, color: [i16; 3]) -> bool {
        !self.0.is_empty() && !self.has(color)
    }

    /// How much of a colour is a piece's where the rest is the square's that shows through, as between the points of a
    /// crown: 0 to 1. `None` where it is no mixture of the two, or where pieces are of the square's colour themselves.
    fn share(&self, color: [i16; 3], square: [i16; 3]) -> Option<f32> {
        if !self.lacks(square) || self.has(color) {
            return None;
        }
        let apart = |a: [i16; 3], b: [i16; 3]| [0, 1, 2].map(|c| f32::from(a[c] - b[c]));
        let dot = |a: [f32; 3], b: [f32; 3]| (0..3).map(|c| a[c] * b[c]).sum::<f32>();
        let mixed = apart(color, square);
        // Of several pieces' colours that fit, the one farthest from the square's: an outline, mostly.
        let fitting = self.0.iter().filter_map(|own| {
            let whole = apart(*own, square);
            let share = dot(mixed, whole) / dot(whole, whole).max(1.0);
            let fits = (0..3).all(|c| (mixed[c] - share * whole[c]).abs() <= MIXED);
            (fits && (0.0..1.0).contains(&share)).then_some(share)
        });
        fitting.min_by(f32::total_cmp)
    }

    /// Whether a colour is much nearer to one of the pieces' than to the bare square's: where pieces hardly stand out,
    /// a fixed number of levels takes them for the square.
    fn claims(&self, color: [i16; 3], bare: [i16; 3]) -> bool {
        let own = self
            .0
            .iter()
            .filter(|own| NEARER * distance(**own, color) < distance(color, bare));
        own.take(SEVERAL).count() == SEVERAL
    }

    /// Whether a piece has this colour.
    fn has(&self, color: [i16; 3]) -> bool {
        let like = |a: &&[i16; 3]| (0..3).all(|c| (a[c] - color[c]).abs() <= LIKE);
        self.0.iter().filter(like).take(SEVERAL).count() == SEVERAL
    }
}

/// The tolerance of squares without any noise, in levels.
const CLEAN_TOLERANCE: i16 = 12;

/// Levels by which a bare cell may differ from its square, whose texture has this noise.
pub fn tolerance(noise: f32) -> i16 {
    CLEAN_TOLERANCE + (3.0 * noise) as i16
}

/// From a piece seen on one square colour. Cells within `tolerance` levels of the square look bare, and so do those
/// that a slow change of colour leads to. What looks bare and is enclosed is a part of the piece, unless no piece of
/// the `palette` has that colour.
pub fn outline(instance: &Instance, tolerance: i16, dark: bool, palette: &Palette) -> Template {
    let color = |cell: usize| instance.patch.color(cell);
    let bare = |cell: usize| instance.ground.color(cell);
    let distance = |cell: usize| instance.distance(cell);
    let sure = SURELY_BARE + tolerance - CLEAN_TOLERANCE;
    let is_claimed = |cell: usize| distance(cell) > sure && palette.claims(color(cell), bare(cell));
    let frame = frame(&std::array::from_fn(distance), tolerance);
    let mut outside = reached_from_border(|from, to| {
        let slowly = from.is_some_and(|from| instance.step(from, to) <= tolerance / 3);
        let shaded = distance(to) <= SHADED * tolerance && (slowly || from.is_none());
        let near = distance(to) <= tolerance && !is_claimed(to);
        near || frame[to] || (shaded && !palette.has(color(to)))
    });
    leave_out_letters(&mut outside);
    let enclosed: Vec<bool> = (0..CELLS)
        .map(|cell| !outside[cell] && distance(cell) <= tolerance && palette.lacks(bare(cell)) && !is_claimed(cell))
        .collect();
    // The cells' noise is averaged out of their middle colour: it tells where single cells do not.
    let is_piece = |pocket: &[usize]| {
        let middle = |plane: &dyn Fn(usize) -> [i16; 3]| -> [i16; 3] {
            std::array::from_fn(|c| {
                let mut levels: Vec<i16> = pocket.iter().map(|cell| plane(*cell)[c]).collect();
                let middle = levels.len() / 2;
                *levels.select_nth_unstable(middle).1
            })
        };
        palette.claims(middle(&color), middle(&bare))
    };
    for pocket in parts(&enclosed).iter().filter(|p| p.len() >= POCKET && !is_piece(p)) {
        pocket.iter().for_each(|cell| outside[*cell] = true);
    }
    let mut template = blank(SeenOn::one(dark));
    for cell in 0..CELLS {
        if outside[cell] {
            continue;
        }
        let on_rim = neighbours(cell).any(|n| outside[n]);
        // A rim cell mixes the outline and the square; how much is told by the strongest outline beside it.
        let strongest = neighbours(cell).map(distance).max().unwrap_or(1).max(1);
        let opacity = if on_rim {
            (f32::from(distance(cell)) / f32::from(strongest)).clamp(0.2, 1.0)
        } else {
            palette.share(color(cell), bare(cell)).unwrap_or(1.0)
        };
        template.opacity[cell] = (opacity * 255.0) as u8;
        let color = instance.patch.color(cell);
        for ((plane, seen), square) in template.color.iter_mut().zip(color).zip(bare(cell)) {
            let through = (1.0 - opacity) * f32::from(square);
            plane[cell] = (f32::from(seen) - through).clamp(0.0, 255.0 * opacity) as u8;
        }
    }
    template
}

fn blank(seen_on: SeenOn) -> Template {
    Template {
        opacity: [0; CELLS],
        color: [[0; CELLS]; 3],
        seen_on,
    }
}

/// Flood fill from the patch's border: `goes(from, to)` says whether a cell is bare as seen from a bare one, or from
/// outside.
pub fn reached_from_border(goes: impl Fn(Option<usize>, usize) -> bool) -> Vec<bool> {
    let mut reached = vec![false; CELLS];
    let mut open: Vec<usize> = (0..CELLS)
        .filter(|cell| {
            let (x, y) = (cell % N, cell / N);
            (x == 0 || y == 0 || x == N - 1 || y == N - 1) && goes(None, *cell)
        })
        .collect();
    open.iter().for_each(|cell| reached[*cell] = true);
    while let Some(cell) = open.pop() {
        for next in neighbours(cell) {
            if !reached[next] && goes(Some(cell), next) {
                reached[next] = true;
                open.push(next);
            }
        }
    }
    reached
}

/// What lies along all four sides of a square, in one part or several, stands out somewhere, and is not its largest part:
/// the mark of a move, which encloses the piece and what is bare around it. `distances` from the bare square are in
/// levels. A faint rim is a piece's.
fn frame(distances: &[i16; CELLS], tolerance: i16) -> Vec<bool> {
    let drawn: Vec<bool> = distances.iter().map(|distance| *distance > tolerance).collect();
    let mut parts = parts(&drawn);
    parts.sort_by_key(|part| std::cmp::Reverse(part.len()));
    let is_along_border = |part: &&Vec<usize>| part.iter().all(|cell| from_border(*cell) < FRAME);
    let mut frame = vec![false; CELLS];
    for part in parts.iter().skip(1).filter(is_along_border) {
        part.iter().for_each(|cell| frame[*cell] = true);
    }
    let ways: [fn(usize) -> usize; 4] = [|k| k % N, |k| N - 1 - k % N, |k| k / N, |k| N - 1 - k / N];
    let lies_along = |way: &fn(usize) -> usize| (0..CELLS).any(|cell| frame[cell] && way(cell) < FRAME);
    let stands_out = (0..CELLS).any(|cell| frame[cell] && distances[cell] > SHADED * tolerance);
    match stands_out && ways.iter().all(lies_along) {
        true => frame,
        false => vec![false; CELLS],
    }
}

/// Whether a cell lies where coordinates are written.
fn is_in_corner(cell: usize) -> bool {
    let from_side = |k: usize| k.min(N - 1 - k);
    from_side(cell % N) < N / 3 && from_side(cell / N) < N / 3
}

/// Takes small parts in the corners, where coordinates are written, for a part of the square.
fn leave_out_letters(outside: &mut [bool]) {
    let inside: Vec<bool> = outside.iter().map(|o| !o).collect();
    let parts = parts(&inside);
    let largest = parts.iter().map(Vec::len).max().unwrap_or(0);
    for part in parts.iter().filter(|p| p.len() < largest.min(LETTER)) {
        if part.iter().all(|cell| is_in_corner(*cell)) {
            part.iter().for_each(|c| outside[*c] = true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use super::super::ground::even;

    const SQUARE: [i16; 3] = [240, 217, 181];
    const FILL: [i16; 3] = [255, 255, 255];

    /// A black ring around a pocket of the square's colour, with a white core.
    fn ring() -> Patch {
        let color = |cell: usize| {
            let (x, y) = ((cell % N) as f32 - 11.5, (cell / N) as f32 - 11.5);
            match x.hypot(y) {
                0.0..2.0 => FILL,
                2.0..6.0 => SQUARE,
                6.0..9.0 => [0; 3],
                _ => SQUARE,
            }
        };
        Patch {
            planes: std::array::from_fn(|c| std::array::from_fn(|cell| color(cell)[c])),
        }
    }

    /// A grey disc with a black outline on a square of this colour, every fourth row of which is lighter by so many levels.
    fn disc_on(ground: [i16; 3], lighter: i16) -> Patch {
        let color = |cell: usize| {
            let (x, y) = ((cell % N) as f32 - 11.5, (cell / N) as f32 - 11.5);
            match x.hypot(y) {
                0.0..6.0 => [80, 75, 70],
                6.0..8.0 => [0; 3],
                _ => ground.map(|level| level + if (cell / N).is_multiple_of(4) { lighter } else { 0 }),
            }
        };
        Patch {
            planes: std::array::from_fn(|c| std::array::from_fn(|cell| color(cell)[c])),
        }
    }

    #[test]
    fn where_grain_hides_how_far_the_grounds_are_apart_the_calmer_square_shows_the_piece() {
        let (grey, brown) = ([73, 64, 56], [96, 69, 47]);
        let grounds = [even(grey), even(brown)];
        let (on_grey, on_brown) = (disc_on(grey, 40), disc_on(brown, 5));
        let light = Instance {
            patch: &on_grey,
            ground: &grounds[0],
        };
        let dark = Instance {
            patch: &on_brown,
            ground: &grounds[1],
        };
        let is_disc = |cell: usize| ((cell % N) as f32 - 11.5).hypot((cell / N) as f32 - 11.5) < 8.0;
        let wrong = |template: &Template| {
            (0..CELLS)
                .filter(|k| (template.opacity[*k] >= 128) != is_disc(*k))
                .count()
        };
        let outlined = on_the_calmer(&light, &dark, 11.0, &Palette::default()).expect("it stands out on brown");
        assert_eq!(wrong(&outlined), 0);
        // The lighter rows pass for a part of the piece otherwise.
        let mixed = triangulate(&light, &dark, tolerance(11.0)).expect("the grounds differ");
        assert!(wrong(&mixed) > 60, "{}", wrong(&mixed));
        assert_eq!(on_the_calmer(&light, &dark, 2.0, &Palette::default()), None);
    }

    /// A piece that has each of these colours in several cells, from this one on.
    fn seen_on_both(first: usize, colors: &[[i16; 3]]) -> Template {
        let mut template = blank(SeenOn::BOTH);
        for (k, color) in colors.iter().flat_map(|color| [color; SEVERAL]).enumerate() {
            template.opacity[first + k] = 255;
            (0..3).for_each(|c| template.color[c][first + k] = color[c] as u8);
        }
        template
    }

    fn palette(colors: &[[i16; 3]]) -> Palette {
        Palette::of([&seen_on_both(N / 2 * N, colors)].into_iter())
    }

    /// The opacity of the pocket's and of the core's middle.
    fn opacities(palette: &Palette) -> (u8, u8) {
        let patch = ring();
        let instance = Instance {
            patch: &patch,
            ground: &even(SQUARE),
        };
        let template = outline(&instance, 12, false, palette);
        (template.opacity[11 * N + 7], template.opacity[11 * N + 11])
    }

    #[test]
    fn the_square_shows_through_a_pocket_that_has_no_piece_s_colour() {
        assert_eq!(opacities(&palette(&[[0; 3], FILL])), (0, 255));
    }

    #[test]
    fn a_pocket_in_a_colour_of_the_pieces_is_a_part_of_the_piece() {
        assert_eq!(opacities(&palette(&[[0; 3], SQUARE])), (255, 255));
        // And so it is where nothing is known of the pieces.
        assert_eq!(opacities(&Palette::default()), (255, 255));
    }

    #[test]
    fn colours_in_a_corner_or_in_few_cells_are_no_piece_s() {
        let letter = Palette::of([&seen_on_both(0, &[FILL])].into_iter());
        assert!(!letter.has(FILL));
        let known = palette(&[[0; 3], FILL]);
        assert!(known.has(FILL) && known.lacks(SQUARE));
        let line = Palette(known.0.iter().copied().chain([SQUARE; SEVERAL - 1]).collect());
        assert!(line.lacks(SQUARE));
    }

    #[test]
    fn a_mixture_with_the_square_s_colour_tells_how_much_of_it_is_the_piece_s() {
        let quarter = SQUARE.map(|v| v * 3 / 4);
        let black = palette(&[[0; 3]]);
        let share = black.share(quarter, SQUARE).unwrap();
        assert!((share - 0.25).abs() < 0.02, "{share}");
        // On no way from the square's colour to the piece's.
        assert_eq!(black.share([200, 60, 60], SQUARE), None);
        // The piece's own colour, or a piece of the square's.
        assert_eq!(black.share([3; 3], SQUARE), None);
        assert_eq!(palette(&[[0; 3], SQUARE]).share(quarter, SQUARE), None);
        // The pocket of the ring lets three quarters of the square through.
        let mut patch = ring();
        for (plane, (fill, mixed)) in patch.planes.iter_mut().zip(FILL.into_iter().zip(quarter)) {
            plane.iter_mut().filter(|v| **v == fill).for_each(|v| *v = mixed);
        }
        let instance = Instance {
            patch: &patch,
            ground: &even(SQUARE),
        };
        let opacity = outline(&instance, 12, false, &black).opacity[11 * N + 11];
        assert!(opacity.abs_diff(64) < 5, "{opacity}");
    }

    /// White in a black outline, on white squares: nothing but the outline tells the piece from what is bare.
    #[test]
    fn a_frame_around_a_square_encloses_no_part_of_its_piece() {
        let piece = ring();
        let white = |patch: &Patch| Patch {
            planes: std::array::from_fn(|c| {
                std::array::from_fn(|k| {
                    if patch.color(k) == SQUARE {
                        255
                    } else {
                        patch.planes[c][k]
                    }
                })
            }),
        };
        let (plain, ground) = (white(&piece), even(FILL));
        let framed = |solid: bool| {
            let mut patch = plain.clone();
            for cell in
                (0..CELLS).filter(|cell| from_border(*cell) == 1 && (solid || cell % N % 5 < 3 && cell / N % 5 < 3))
            {
                for (plane, level) in patch.planes.iter_mut().zip([170, 60, 45]) {
                    plane[cell] = level;
                }
            }
            patch
        };
        let opaque = |patch: &Patch| {
            let instance = Instance { patch, ground: &ground };
            let template = outline(&instance, tolerance(0.0), false, &Palette::default());
            (0..CELLS).filter(|cell| template.opacity[*cell] > 0).count()
        };
        let expected = opaque(&plain);
        assert!((100..350).contains(&expected), "{expected} cells");
        for solid in [false, true] {
            assert_eq!(opaque(&framed(solid)), expected, "solid: {solid}");
        }
    }
}
