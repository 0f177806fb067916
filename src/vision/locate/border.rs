//! The board's outer border, where the squares themselves cannot tell it to the pixel.
//!
//! In a photograph of wood the painted squares are not quite regular, and a line through them may miss the
//! picture's border by a pixel or two. There the border itself, a step along the whole side, is looked for as far
//! around as the squares were uncertain. Drawn boards have exact squares and are left alone.

use image::RgbaImage;

/// Squares whose edges scatter less than this are exact, in pixels.
const EXACT: f64 = 0.25;

/// The farthest the border may lie from where the squares say, in pixels.
const FARTHEST: f64 = 3.0;

/// The standard error of the border's place, as a share of how far single edges scatter: a line through 7 × 7 of them,
/// carried on by a square beyond the last, √(1/49 + 4²/(49 · 4)).
const BY_EDGES: f64 = 0.32;

/// The same as a share of how far the seven lines lie from where they would be at equal distances: √(1/7 + 4²/28).
const BY_LINES: f64 = 0.85;

/// How many standard errors away the border may still be.
pub const SURE: f64 = 3.0;

/// The step between board and page that counts as a border, in grey levels of the strongest channel.
const STEP: f64 = 12.0;

/// A step that is this share of the strongest one is strong, too: the inner edge of a dark line beside dark squares and
/// light ones, in turn.
const NEARLY: f64 = 0.4;

/// Samples along a side.
const SAMPLES: usize = 96;

/// The standard error of the border's place, in pixels, from the mean squares of how far single edges lie from the
/// middle of their line, and the lines from where they would be at equal distances. Zero where edges are exact: lines
/// of drawn squares are aside by rounding only.
pub fn error(edges: f64, lines: f64) -> f64 {
    match edges.sqrt() < EXACT {
        true => 0.0,
        false => (BY_EDGES.powi(2) * edges + BY_LINES.powi(2) * lines).sqrt(),
    }
}

/// Moves each side to the innermost of the strong steps near it; `error` is the standard error of its place (columns,
/// rows), in pixels.
pub fn snap(image: &RgbaImage, [x, y, width, height]: [f64; 4], error: [f64; 2]) -> [f64; 4] {
    let column = |at: f64, is_start: bool| inner_step(image, at, (y, height), error[0], (true, is_start));
    let row = |at: f64, is_start: bool| inner_step(image, at, (x, width), error[1], (false, is_start));
    let (left, right) = (column(x, true), column(x + width, false));
    let (top, bottom) = (row(y, true), row(y + height, false));
    [left, top, right - left, bottom - top]
}

/// The position of the step across a line near `at` that the squares end with, or `at` itself. A line around the board
/// has a step on each side, and the outer one is often the stronger: the squares begin at the inner one. `is_start`:
/// the board lies to the right of the line, or below it.
fn inner_step(
    image: &RgbaImage,
    at: f64,
    (start, length): (f64, f64),
    error: f64,
    (vertical, is_start): (bool, bool),
) -> f64 {
    let reach = (SURE * error).min(FARTHEST);
    if reach == 0.0 {
        return at;
    }
    let limit = if vertical { image.width() } else { image.height() };
    let edges = (at - reach).ceil() as i64..=(at + reach).floor() as i64;
    let mut steps: Vec<(i64, f64)> = edges
        .filter(|edge| (1..i64::from(limit)).contains(edge))
        .map(|edge| (edge, median_step(image, edge as u32, (start, length), vertical)))
        .collect();
    if is_start {
        steps.reverse();
    }
    let strongest = steps.iter().map(|step| step.1).fold(STEP, f64::max);
    let innermost = steps.iter().find(|step| step.1 > STEP && step.1 >= NEARLY * strongest);
    innermost.map_or(at, |step| step.0 as f64)
}

/// The middle one of the steps from pixel `edge - 1` to pixel `edge`, sampled along the side.
fn median_step(image: &RgbaImage, edge: u32, along: (f64, f64), vertical: bool) -> f64 {
    let steps = steps(image, edge, along, vertical);
    steps.get(steps.len() / 2).map_or(0.0, |s| f64::from(*s))
}

/// The steps from pixel `edge - 1` to pixel `edge`, sampled along the side, in levels of the strongest channel; the
/// smallest first.
pub(super) fn steps(image: &RgbaImage, edge: u32, (start, length): (f64, f64), vertical: bool) -> Vec<u8> {
    let mut steps: Vec<u8> = (0..SAMPLES)
        .filter_map(|k| {
            let along = (start + length * (k as f64 + 0.5) / SAMPLES as f64) as u32;
            let pixel = |over: u32| match vertical {
                true => image.get_pixel_checked(over, along),
                false => image.get_pixel_checked(along, over),
            };
            let (a, b) = (pixel(edge - 1)?.0, pixel(edge)?.0);
            (0..3).map(|c| a[c].abs_diff(b[c])).max()
        })
        .collect();
    steps.sort_unstable();
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgba;

    const SIDE: u32 = 20;
    const AT: u32 = 30;

    /// Eight by eight squares on a pale page, with a dark line of this width around them.
    fn board(line: u32) -> RgbaImage {
        let size = 8 * SIDE + 2 * AT;
        let (outer, inner) = (AT - line..AT + 8 * SIDE + line, AT..AT + 8 * SIDE);
        RgbaImage::from_fn(size, size, |x, y| {
            let [r, g, b] = match (
                outer.contains(&x) && outer.contains(&y),
                inner.contains(&x) && inner.contains(&y),
            ) {
                (false, _) => [255, 254, 248],
                (true, false) => [60, 50, 45],
                (true, true) if (x / SIDE + y / SIDE).is_multiple_of(2) => [218, 205, 200],
                (true, true) => [152, 102, 82],
            };
            Rgba([r, g, b, 255])
        })
    }

    #[test]
    fn the_squares_end_inside_the_line_around_them() {
        let (at, side) = (f64::from(AT), f64::from(8 * SIDE));
        for line in 0..3 {
            for off in [-0.6, 0.4] {
                let found = snap(&board(line), [at + off, at - off, side - off, side + off], [0.5; 2]);
                assert_eq!(found, [at, at, side, side], "a line of {line} px, {off} px off");
            }
        }
    }

    #[test]
    fn exact_squares_need_no_border() {
        let measured = [30.4, 29.7, 160.2, 160.1];
        assert_eq!(snap(&board(1), measured, [0.0; 2]), measured);
    }
}
