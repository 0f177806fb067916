//! The levels around a pixel: what is drawn anew at another fraction of a pixel stays between them.

use image::{Rgb, RgbImage};

/// The least and the greatest levels of a pixel and its eight neighbours, by channel.
#[derive(Clone, Copy)]
pub struct Around {
    low: [u8; 3],
    high: [u8; 3],
}

/// The same of each pixel of a picture.
pub struct AllAround {
    pixels: Vec<Around>,
    width: u32,
}

impl AllAround {
    /// The levels around a pixel of the picture.
    pub fn at(&self, x: u32, y: u32) -> Around {
        self.pixels[(y * self.width + x) as usize]
    }
}

impl Around {
    /// The levels around each pixel of a picture.
    pub fn each_of(picture: &RgbImage) -> AllAround {
        let of = |(x, y, _): (u32, u32, &Rgb<u8>)| Around::of(picture, x, y);
        AllAround {
            pixels: picture.enumerate_pixels().map(of).collect(),
            width: picture.width(),
        }
    }

    /// The levels around one pixel of a picture.
    pub fn of(picture: &RgbImage, x: u32, y: u32) -> Around {
        let none = Around {
            low: [u8::MAX; 3],
            high: [0; 3],
        };
        let around = (y.saturating_sub(1)..=y + 1).flat_map(|y| (x.saturating_sub(1)..=x + 1).map(move |x| (x, y)));
        let pixels = around.filter_map(|(x, y)| picture.get_pixel_checked(x, y));
        pixels.fold(none, |Around { low, high }, pixel| Around {
            low: std::array::from_fn(|c| low[c].min(pixel.0[c])),
            high: std::array::from_fn(|c| high[c].max(pixel.0[c])),
        })
    }

    /// By how much they differ, in levels of the channel that differs most.
    pub fn contrast(&self) -> u8 {
        let differ = |c: usize| self.high[c].saturating_sub(self.low[c]);
        differ(0).max(differ(1)).max(differ(2))
    }

    /// Whether a colour lies between them, or no farther beyond than this, in levels.
    pub fn holds(&self, color: [u8; 3], tolerance: u8) -> bool {
        let beyond = |c: usize| {
            let below = self.low[c].saturating_sub(color[c]);
            below.max(color[c].saturating_sub(self.high[c]))
        };
        (0..3).all(|c| beyond(c) <= tolerance)
    }
}
