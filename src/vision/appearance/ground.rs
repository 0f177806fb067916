//! The bare squares of a board: not a colour each but a picture, with what is drawn around and on them.
//!
//! A gap between the squares, a frame, a bevel or a picture of wood that all squares of a colour share is no part of
//! the pieces, and no noise either. A piece is what differs from the picture of its bare square.

use super::super::patch::{CELLS, N, Patch, median};
use super::picture_text::{decoded, encoded};
use image::ExtendedColorType;

/// A picture is the ground if it leaves less than this share of the differences open that an even colour leaves.
/// Squares cut from different places of one grain gain nothing from their middle picture (0.9 to 1.1 on the wooden
/// boards of `tests/scenes`), squares that share one do.
const BETTER: f32 = 0.5;

/// Fewer bare squares of a colour than this do not tell what is common to them.
const SEVERAL: usize = 3;

/// Levels by which a rim's cells may differ from the tint that lies over them.
const EVEN: i16 = 20;

/// The share of the rim that a tint must explain, and of a ring that a frame must.
const SHARE_OF_RIM: f32 = 0.66;
const SHARE_OF_RING: f32 = 0.75;

/// The innermost ring that a frame may colour, counted from the border.
const THICKEST: usize = 3;

/// How bare squares of one colour look.
#[derive(Clone, Debug, PartialEq)]
pub struct Ground {
    /// The picture.
    pub patch: Patch,
    /// Its main colour.
    pub color: [i16; 3],
}

impl Ground {
    /// Squares of an even colour.
    pub fn even(color: [i16; 3]) -> Ground {
        Ground {
            patch: even(color),
            color,
        }
    }

    /// From the bare squares of a colour: their common picture, if it explains them better than the even colour does.
    pub fn of(bare: &[&Patch], color: [i16; 3]) -> Ground {
        let plain = Ground::even(color);
        if bare.len() < SEVERAL {
            return plain;
        }
        let common = Ground {
            patch: typical(bare),
            color,
        };
        let open = |ground: &Ground| bare.iter().map(|patch| patch.mean_distance(&ground.patch)).sum::<f32>();
        if open(&common) < BETTER * open(&plain) {
            common
        } else {
            plain
        }
    }

    /// Whether the ground is nothing but a colour.
    pub fn is_even(&self) -> bool {
        *self == Ground::even(self.color)
    }

    /// The ground under a tint that adds these levels to the channels.
    pub fn tinted(&self, by: [i16; 3]) -> Patch {
        let mut patch = self.patch.clone();
        for (plane, by) in patch.planes.iter_mut().zip(by) {
            plane.iter_mut().for_each(|v| *v = v.wrapping_add(by).clamp(0, 255));
        }
        patch
    }

    /// The ground beneath a piece: bare or tinted as the square's rim is, whichever explains more of the picture, and
    /// with a frame if one is drawn around the square.
    pub fn beneath(&self, patch: &Patch) -> Patch {
        let rim: Vec<usize> = (0..CELLS).filter(|k| (1..=2).contains(&from_border(*k))).collect();
        let bare = framed(patch, self.patch.clone());
        let tinted = match even_shift(patch, &self.patch, &rim, SHARE_OF_RIM) {
            Some(tint) => framed(patch, self.tinted(tint)),
            None => return bare,
        };
        let explained = |ground: &Patch| (0..CELLS).filter(|k| is_within(patch, ground, *k, [0; 3])).count();
        match explained(&tinted) >= explained(&bare) {
            true => tinted,
            false => bare,
        }
    }
}

/// A ground with the frame around it that a picture shows: from the border on, rings that differ from it in one way all
/// around. A piece hides a part of them at most.
fn framed(patch: &Patch, mut ground: Patch) -> Patch {
    for ring in 0..=THICKEST {
        let cells: Vec<usize> = (0..CELLS).filter(|k| from_border(*k) == ring).collect();
        let by = even_shift(patch, &ground, &cells, SHARE_OF_RING).unwrap_or_default();
        // A white piece is nearer to a white square than that.
        if by.iter().all(|level| level.abs() <= EVEN) {
            continue;
        }
        for k in cells
            .into_iter()
            .filter(|k| is_within(patch, &ground, *k, by))
            .collect::<Vec<_>>()
        {
            (0..3).for_each(|c| ground.planes[c][k] = patch.planes[c][k]);
        }
    }
    ground
}

/// By how much a picture differs from a ground in some cells, if it does so evenly in this share of them: in levels,
/// the middle one.
fn even_shift(patch: &Patch, ground: &Patch, cells: &[usize], share: f32) -> Option<[i16; 3]> {
    let mut over = patch.clone();
    for (plane, ground) in over.planes.iter_mut().zip(&ground.planes) {
        plane.iter_mut().zip(ground).for_each(|(v, g)| *v -= g);
    }
    let by = median(&over, cells);
    let even = cells.iter().filter(|k| is_within(patch, ground, **k, by)).count();
    (even as f32 >= share * cells.len() as f32).then_some(by)
}

/// Whether a cell of a picture differs from that of a ground by these levels, give or take [`EVEN`].
fn is_within(patch: &Patch, ground: &Patch, cell: usize, by: [i16; 3]) -> bool {
    (0..3).all(|c| (patch.planes[c][cell] - ground.planes[c][cell] - by[c]).abs() <= EVEN)
}

/// How many cells lie between a cell and the border of its square.
pub fn from_border(cell: usize) -> usize {
    (cell % N).min(cell / N).min(N - 1 - cell % N).min(N - 1 - cell / N)
}

/// A picture of one colour.
pub fn even(color: [i16; 3]) -> Patch {
    Patch {
        planes: color.map(|level| [level; CELLS]),
    }
}

/// The middle value of each cell: what a cursor covers on one of several squares does not count.
pub fn typical(seen: &[&Patch]) -> Patch {
    let mut out = even([0; 3]);
    let mut values = vec![0; seen.len()];
    for (c, plane) in out.planes.iter_mut().enumerate() {
        for (cell, value) in plane.iter_mut().enumerate() {
            values.iter_mut().zip(seen).for_each(|(v, p)| *v = p.planes[c][cell]);
            values.sort_unstable();
            let n = values.len();
            *value = (values[(n - 1) / 2] + values[n / 2]) / 2;
        }
    }
    out
}

/// The pictures of light and dark squares as they stand in a file, side by side (PNG, base64); `None` where both are
/// even colours.
pub fn to_file(grounds: &[Ground; 2]) -> Option<String> {
    if grounds.iter().all(Ground::is_even) {
        return None;
    }
    let cell = |k: usize| {
        let (x, y) = (k % (2 * N), k / (2 * N));
        let color = grounds[x / N].patch.color(y * N + x % N);
        color.map(|level| level.clamp(0, 255) as u8)
    };
    let pixels: Vec<u8> = (0..2 * CELLS).flat_map(cell).collect();
    encoded(&pixels, (2 * N as u32, N as u32), ExtendedColorType::Rgb8)
}

/// The grounds from a file's picture, if it has one, and the colours of the squares.
pub fn from_file(picture: Option<&str>, plain: [[i16; 3]; 2]) -> Result<[Ground; 2], String> {
    let Some(text) = picture else {
        return Ok(plain.map(Ground::even));
    };
    let picture = decoded("the squares' picture", text, (2 * N as u32, N as u32))?;
    let mut grounds = plain.map(Ground::even);
    for (x, y, pixel) in picture.enumerate_pixels() {
        let (x, y) = (x as usize, y as usize);
        for c in 0..3 {
            grounds[x / N].patch.planes[c][y * N + x % N] = i16::from(pixel.0[c]);
        }
    }
    Ok(grounds)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WOOD: [i16; 3] = [120, 60, 30];

    /// A square with a gap around it and a grain that begins somewhere.
    fn grained(shift: usize) -> Patch {
        let mut patch = even(WOOD);
        for k in 0..CELLS {
            let border = from_border(k) == 0;
            let grain = ((k % N + shift) * 7 + k / N * 3) % 23;
            (0..3).for_each(|c| patch.planes[c][k] = if border { 250 } else { WOOD[c] + grain as i16 });
        }
        patch
    }

    #[test]
    fn squares_that_share_a_picture_have_it_as_their_ground_and_others_their_colour() {
        let same = [grained(0), grained(0), grained(0), grained(0)];
        let ground = Ground::of(&same.each_ref(), WOOD);
        assert_eq!(ground.patch, grained(0));
        let two = &same.each_ref()[..2];
        assert!(Ground::of(two, WOOD).is_even(), "two squares tell nothing");
        let noise: Vec<Patch> = (0..6u32)
            .map(|seed| {
                let mut patch = even(WOOD);
                for (k, v) in patch.planes[0].iter_mut().enumerate() {
                    *v += (((k as u32).wrapping_mul(2_654_435_761) ^ seed.wrapping_mul(2_246_822_519))
                        .wrapping_mul(3_266_489_917)
                        >> 16) as i16
                        % 20;
                }
                patch
            })
            .collect();
        let refs: Vec<&Patch> = noise.iter().collect();
        assert!(Ground::of(&refs, WOOD).is_even());
    }

    #[test]
    fn the_ground_under_a_piece_is_tinted_as_the_square_s_rim_is() {
        let ground = Ground {
            patch: grained(3),
            color: WOOD,
        };
        let mut seen = ground.tinted([20, 30, -10]);
        for k in (8 * N..16 * N).filter(|k| (6..18).contains(&(k % N))) {
            (0..3).for_each(|c| seen.planes[c][k] = 5);
        }
        assert_eq!(ground.beneath(&seen), ground.tinted([20, 30, -10]));
    }

    #[test]
    fn a_frame_around_a_piece_is_the_ground_s() {
        let ground = Ground::even(WOOD);
        for thick in 1..=3 {
            let mut seen = ground.patch.clone();
            for k in (0..CELLS).filter(|k| from_border(*k) < thick) {
                (0..3).for_each(|c| seen.planes[c][k] = 80 + WOOD[c]);
            }
            let framed = seen.clone();
            // A piece that reaches over the frame, to the bottom, and hardly stands out from the square.
            for k in (8 * N..CELLS).filter(|k| (6..18).contains(&(k % N))) {
                (0..3).for_each(|c| seen.planes[c][k] = 17 + WOOD[c]);
            }
            let beneath = ground.beneath(&seen);
            let is_piece = |k: &usize| seen.color(*k) == WOOD.map(|level| level + 17);
            let differ: Vec<usize> = (0..CELLS).filter(|k| beneath.color(*k) != framed.color(*k)).collect();
            assert!(differ.iter().all(is_piece), "{thick}: {differ:?}");
            assert_eq!(beneath.color(12 * N + 12), WOOD, "{thick}");
        }
    }

    #[test]
    fn grounds_come_back_from_a_file_and_even_ones_need_no_picture() {
        let even = [Ground::even([200; 3]), Ground::even(WOOD)];
        assert_eq!(to_file(&even), None);
        assert_eq!(from_file(None, [[200; 3], WOOD]), Ok(even.clone()));
        let [light, _] = even;
        let mixed = [
            light,
            Ground {
                patch: grained(1),
                color: WOOD,
            },
        ];
        let text = to_file(&mixed);
        assert_eq!(from_file(text.as_deref(), [[200; 3], WOOD]), Ok(mixed));
        assert!(from_file(Some("nonsense!"), [[200; 3], WOOD]).is_err());
    }
}
