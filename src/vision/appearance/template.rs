//! How one piece appears, apart from the square beneath it.

use super::super::patch::{CELLS, N, Patch, distance};
use super::cells::{grown, parts};
use super::ground::from_border;
use super::picture_text::{decoded, encoded};
use image::ExtendedColorType;
use serde::{Deserialize, Serialize};

/// A piece smaller than this many cells is not there.
const SMALLEST: usize = CELLS / 50;

/// How far beside a piece, in cells, its edge or its shadow may lie unseen on a square of its own colour.
pub const ITS_EDGE: usize = 2;

/// So many cells that are half transparent and lie farther from a piece than its edge are a glow.
const HAZE: usize = CELLS / 10;

/// From this opacity on a cell belongs to the piece's body.
const BODY: u8 = 160;

/// The same for a piece drawn in lines of which none fills a cell, as characters of a font are.
const LINE: u8 = 64;

/// From this opacity on a cell goes on with such a line, where it runs between two cells (hysteresis thresholding, Canny
/// 1986).
const FAINT: u8 = 28;

/// How many joined cells must look like the bare square for it to show between the points of a crown.
pub const POCKET: usize = 4;

/// On which square colours a piece has been seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenOn {
    /// On a light square.
    pub light: bool,
    /// On a dark square.
    pub dark: bool,
}

impl SeenOn {
    /// Seen on squares of one colour.
    pub fn one(dark: bool) -> SeenOn {
        SeenOn { light: !dark, dark }
    }

    /// Seen on both: the opacity is measured, not guessed.
    pub const BOTH: SeenOn = SeenOn {
        light: true,
        dark: true,
    };

    /// Whether it was seen on squares of that colour.
    pub fn has(self, dark: bool) -> bool {
        if dark { self.dark } else { self.light }
    }
}

/// A piece's picture: colour already multiplied by opacity, so that piece over square is `color + (1 - opacity) ·
/// square`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "TemplateFile", into = "TemplateFile")]
pub struct Template {
    /// Opacity of every cell, 0 to 255.
    pub opacity: [u8; CELLS],
    /// Red, green and blue of every cell, multiplied by opacity.
    pub color: [[u8; CELLS]; 3],
    /// On which square colours it was seen.
    pub seen_on: SeenOn,
}

impl Template {
    /// The piece through a veil of this grey level, 0 to 255, with this opacity, 0 to 1.
    pub fn veiled(&self, level: u8, opacity: f32) -> Template {
        let through = |color: u8, own: u8| {
            let veil = f32::from(level) * f32::from(own) / 255.0;
            (f32::from(color) * (1.0 - opacity) + veil * opacity).round() as u8
        };
        let plane = |plane: [u8; CELLS]| std::array::from_fn(|k| through(plane[k], self.opacity[k]));
        Template {
            color: self.color.map(plane),
            ..self.clone()
        }
    }

    /// The cells that show something of the piece.
    pub fn cells(&self) -> impl Iterator<Item = usize> + Clone {
        (0..CELLS).filter(|cell| self.opacity[*cell] > 0)
    }

    /// Whether what was learned of the same piece on another ground lies in much that was not there before and is half
    /// transparent: a glow around it, which marks its square.
    pub fn is_in_a_haze(&self, learned: &Template) -> bool {
        let near = grown(&self.opacity.map(|opacity| opacity > 0), ITS_EDGE);
        let hazy = (0..CELLS).filter(|cell| !near[*cell] && (1..255).contains(&learned.opacity[*cell]));
        hazy.count() > HAZE
    }

    /// Takes a cell off the piece.
    pub fn clear(&mut self, cell: usize) {
        self.opacity[cell] = 0;
        self.color.iter_mut().for_each(|plane| plane[cell] = 0);
    }

    /// The piece over a bare square.
    pub fn over(&self, ground: &Patch) -> Patch {
        let mut patch = Patch {
            planes: [[0; CELLS]; 3],
        };
        for ((plane, color), ground) in patch.planes.iter_mut().zip(&self.color).zip(&ground.planes) {
            for (((cell, &c), &opacity), level) in plane.iter_mut().zip(color).zip(&self.opacity).zip(ground) {
                let level = (*level).clamp(0, 255) as u16;
                // The usual exact division by 255 of what fits 16 bits.
                let through = u16::from(255 - opacity).wrapping_mul(level).wrapping_add(128);
                let through = through.wrapping_add(through >> 8) >> 8;
                *cell = u16::from(c).wrapping_add(through).min(255) as i16;
            }
        }
        patch
    }

    /// The same piece some cells to the right and down; what leaves its square is cut off.
    pub fn moved(&self, dx: i32, dy: i32) -> Template {
        let mut out = Template {
            opacity: [0; CELLS],
            color: [[0; CELLS]; 3],
            seen_on: self.seen_on,
        };
        let n = N as i32;
        let planes = out.color.iter_mut().zip(&self.color);
        for (to, from) in planes.chain(std::iter::once((&mut out.opacity, &self.opacity))) {
            let (from_x, columns) = ((-dx).max(0), (n - dx.abs()).max(0) as usize);
            for y in (0..n).filter(|y| (0..n).contains(&(y - dy))) {
                let (start, source) = ((y * n + dx.max(0)) as usize, ((y - dy) * n + from_x) as usize);
                to[start..start + columns].copy_from_slice(&from[source..source + columns]);
            }
        }
        out
    }

    /// Whether there is anything to recognise: a picture whose ground is taken for most of it leaves nothing of the
    /// piece. Where no cell is filled it is a line that is long enough: the noise of a texture hangs together nowhere.
    /// The outermost cells do not count: a square that ends between two pixels has some of the next one's colour there.
    pub fn is_there(&self) -> bool {
        let lines = parts(&self.opacity.map(|opacity| opacity >= FAINT));
        let is_line = |cell: usize| self.opacity[cell] >= LINE && from_border(cell) > 0;
        let length = |line: &[usize]| line.iter().filter(|cell| is_line(**cell)).count();
        self.fills_cells() || lines.iter().any(|line| length(line) >= SMALLEST)
    }

    /// Whether a cell belongs to the piece's body.
    pub fn body(&self) -> impl Fn(usize) -> bool {
        let from = if self.fills_cells() { BODY } else { LINE };
        move |cell| self.opacity[cell] >= from
    }

    fn fills_cells(&self) -> bool {
        self.opacity.iter().filter(|o| **o >= BODY).count() >= SMALLEST
    }

    /// The same piece without what looks like the square on which alone it was seen, within `tolerance` levels: between
    /// the points of a crown a piece is enclosed and may be open. `None` where it was seen on both, or nothing looks so.
    /// `grounds` are the bare squares, light and dark.
    pub fn opened(&self, grounds: [&Patch; 2], tolerance: i16) -> Option<Template> {
        let ground = match self.seen_on {
            SeenOn::BOTH => return None,
            SeenOn { dark, .. } => grounds[usize::from(dark)],
        };
        let color = |cell: usize| [0, 1, 2].map(|c| i16::from(self.color[c][cell]));
        let is_like_it = |cell| self.opacity[cell] == 255 && distance(color(cell), ground.color(cell)) <= tolerance;
        let open = parts(&std::array::from_fn::<bool, CELLS, _>(is_like_it));
        let open = open.into_iter().filter(|part| part.len() >= POCKET);
        let mut opened = None;
        for cell in open.flatten() {
            let template = opened.get_or_insert_with(|| self.clone());
            template.opacity[cell] = 0;
            template.color.iter_mut().for_each(|plane| plane[cell] = 0);
        }
        opened
    }

    /// The mean colour of the body, 0 to 255 each; black where there is none.
    pub fn mean_color(&self) -> [f32; 3] {
        let mass: f32 = self.opacity.iter().map(|opacity| f32::from(*opacity) / 255.0).sum();
        let sum = |c: usize| self.color[c].iter().map(|level| f32::from(*level)).sum::<f32>();
        [0, 1, 2].map(|c| if mass > 0.0 { sum(c) / mass } else { 0.0 })
    }
}

/// A template as it stands in a file: an RGBA picture (PNG, base64) and where it was seen.
#[derive(Serialize, Deserialize)]
struct TemplateFile {
    png: String,
    seen_on: SeenOn,
}

impl From<Template> for TemplateFile {
    fn from(template: Template) -> TemplateFile {
        let cell = |k: usize| {
            let [r, g, b] = [0, 1, 2].map(|c| template.color[c][k]);
            [r, g, b, template.opacity[k]]
        };
        let pixels: Vec<u8> = (0..CELLS).flat_map(cell).collect();
        TemplateFile {
            png: encoded(&pixels, (N as u32, N as u32), ExtendedColorType::Rgba8).unwrap_or_default(),
            seen_on: template.seen_on,
        }
    }
}

impl TryFrom<TemplateFile> for Template {
    type Error = String;

    fn try_from(file: TemplateFile) -> Result<Template, String> {
        let picture = decoded("a piece's picture", &file.png, (N as u32, N as u32))?;
        let mut template = Template {
            opacity: [0; CELLS],
            color: [[0; CELLS]; 3],
            seen_on: file.seen_on,
        };
        for (k, pixel) in picture.pixels().enumerate() {
            let [r, g, b, a] = pixel.0;
            template.opacity[k] = a;
            for (plane, value) in template.color.iter_mut().zip([r, g, b]) {
                plane[k] = value;
            }
        }
        Ok(template)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(opacity: u8, cells: impl Fn(usize) -> bool) -> Template {
        Template {
            opacity: std::array::from_fn(|k| if cells(k) { opacity } else { 0 }),
            color: [[0; CELLS]; 3],
            seen_on: SeenOn::BOTH,
        }
    }

    #[test]
    fn a_faint_line_is_a_piece_and_as_many_faint_cells_that_do_not_hang_together_are_none() {
        let row = |k: usize| k / N == 12 && (1..=SMALLEST).contains(&(k % N));
        let scattered = |k: usize| k.is_multiple_of(2) && (k / N).is_multiple_of(2);
        assert!(with(LINE, row).is_there());
        assert_eq!((0..CELLS).filter(|k| with(LINE, row).body()(*k)).count(), SMALLEST);
        assert!(!with(LINE, scattered).is_there());
        assert!(!with(LINE - 1, row).is_there());
        // Between two cells a line is faint in both; the faint cells alone are none.
        let broken = |between: u8| Template {
            opacity: std::array::from_fn(|k| match k {
                k if k / N != 12 => 0,
                k if k.is_multiple_of(2) => LINE,
                _ => between,
            }),
            ..with(0, |_| false)
        };
        assert!(broken(FAINT).is_there());
        assert!(!broken(FAINT - 1).is_there());
        assert!(with(BODY, scattered).is_there());
    }
}
