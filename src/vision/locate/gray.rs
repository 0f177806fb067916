//! One-channel views of a colour picture: what the crossing detector and the edge fit work on.

use image::{GrayImage, RgbaImage};

/// How red, green and blue are added up, in 256ths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights(pub u32, pub u32, pub u32);

/// Brightness (ITU-R BT.601 luma).
pub const LUMA: Weights = Weights(77, 150, 29);

/// Views in which to look for a board, the usual one first. The others tell boards whose two colours are about equally
/// bright.
pub const VIEWS: [Weights; 3] = [LUMA, Weights(256, 0, 0), Weights(0, 0, 256)];

impl Weights {
    /// The value of one pixel, 0 to 255.
    #[inline]
    pub fn of(self, pixel: [u8; 4]) -> u8 {
        self.sum([pixel[0], pixel[1], pixel[2]].map(u32::from))
    }

    /// The same of red, green and blue, each 0 to 255.
    #[inline]
    fn sum(self, [red, green, blue]: [u32; 3]) -> u8 {
        ((red * self.0 + green * self.1 + blue * self.2) >> 8) as u8
    }
}

/// A reduced picture in one view.
pub struct Level {
    /// The picture, each pixel the mean of `scale` × `scale` of the full one.
    pub gray: GrayImage,
    /// What its values are.
    pub view: Weights,
    /// Pixels of the full picture per pixel of this one.
    pub scale: u32,
}

/// What boards are looked for in: brightness at a half, a quarter and an eighth of the size, red and blue at a quarter.
///
/// Small and crisp boards show at half the size; a weave, a hatching, lines between the squares and shading along their
/// edges average out in the smaller pictures.
pub fn levels(image: &RgbaImage) -> Vec<Level> {
    let [luma, red, blue] = half_size(image);
    let level = |gray, view, scale| Level { gray, view, scale };
    let quarter = halve(&luma);
    let eighth = halve(&quarter);
    vec![
        level(luma, VIEWS[0], 2),
        level(quarter, VIEWS[0], 4),
        level(eighth, VIEWS[0], 8),
        level(halve(&red), VIEWS[1], 4),
        level(halve(&blue), VIEWS[2], 4),
    ]
}

/// Where red and blue lie in a pixel's word.
const RED_BLUE: u32 = 0x00ff_00ff;

/// The three [`VIEWS`] of the picture at half its size, each pixel the mean of four. An odd last row or column is
/// dropped.
fn half_size(image: &RgbaImage) -> [GrayImage; 3] {
    let (width, height) = (image.width() as usize / 2, image.height() as usize / 2);
    let stride = image.width() as usize * 4;
    let mut planes = [(); 3].map(|()| vec![0u8; width * height]);
    for y in 0..height {
        let row = |y: usize| image.as_raw()[y * stride..][..stride].as_chunks::<8>().0;
        let [luma, red, blue] = planes.each_mut().map(|plane| &mut plane[y * width..][..width]);
        let pixels = luma.iter_mut().zip(red).zip(blue);
        for (((luma, red), blue), (upper, lower)) in pixels.zip(row(2 * y).iter().zip(row(2 * y + 1))) {
            // Whole words are added up, red and blue at once: the compiler makes vectors of that, and none of bytes.
            let words = [upper, lower].map(|two| two.as_chunks::<4>().0.iter().map(|p| u32::from_le_bytes(*p)));
            let words = words.into_iter().flatten();
            let (red_blue, green) = words.fold((0, 0), |(red_blue, green), word| {
                (red_blue + (word & RED_BLUE), green + (word >> 8 & 0xff))
            });
            let mean = [(red_blue & 0xffff) >> 2, green >> 2, red_blue >> 18];
            *luma = LUMA.sum(mean);
            *red = mean[0] as u8;
            *blue = mean[2] as u8;
        }
    }
    planes.map(|plane| GrayImage::from_raw(width as u32, height as u32, plane).unwrap_or_default())
}

/// Half the size, each pixel the mean of four.
fn halve(gray: &GrayImage) -> GrayImage {
    let (width, height) = (gray.width() as usize / 2, gray.height() as usize / 2);
    let stride = gray.width() as usize;
    let raw = gray.as_raw();
    let mut out = vec![0u8; width * height];
    for (y, row) in out.chunks_exact_mut(width.max(1)).enumerate() {
        let upper = raw[2 * y * stride..][..stride].as_chunks::<2>().0;
        let lower = raw[(2 * y + 1) * stride..][..stride].as_chunks::<2>().0;
        for ((value, a), b) in row.iter_mut().zip(upper).zip(lower) {
            let sum = [a[0], a[1], b[0], b[1]].map(u16::from).iter().sum::<u16>();
            *value = ((sum + 2) >> 2) as u8;
        }
    }
    GrayImage::from_raw(width as u32, height as u32, out).unwrap_or_default()
}

/// A part of the picture in one channel; the part is cut to the picture.
pub fn crop(image: &RgbaImage, x: u32, y: u32, width: u32, height: u32, weights: Weights) -> GrayImage {
    let width = width.min(image.width().saturating_sub(x));
    let height = height.min(image.height().saturating_sub(y));
    GrayImage::from_fn(width, height, |cx, cy| {
        image::Luma([weights.of(image.get_pixel(x + cx, y + cy).0)])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn at_half_the_size_each_pixel_is_the_view_of_the_mean_of_four(
            pixels in proptest::collection::vec(any::<[u8; 4]>(), 7 * 5),
        ) {
            let image = RgbaImage::from_raw(7, 5, pixels.concat()).unwrap();
            let halved = half_size(&image);
            for (x, y) in (0..2).flat_map(|y| (0..3).map(move |x| (x, y))) {
                let four = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(dx, dy)| image.get_pixel(2 * x + dx, 2 * y + dy).0);
                let mean: [u8; 4] =
                    std::array::from_fn(|c| (four.iter().map(|p| u32::from(p[c])).sum::<u32>() / 4) as u8);
                for (view, plane) in VIEWS.iter().zip(&halved) {
                    prop_assert_eq!(plane.dimensions(), (3, 2));
                    prop_assert_eq!(plane.get_pixel(x, y).0, [view.of(mean)]);
                }
            }
        }
    }
}
