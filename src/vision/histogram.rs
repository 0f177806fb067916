//! stand-in
#![allow(missing_docs)]
use crate::geometry::{BoardMap, BySquare};
use image::RgbaImage;
use shakmaty::Square;
#[derive(Clone, Debug)]
pub struct BoardHistograms(BySquare<[f32; 48]>);
impl BoardHistograms {
    pub fn of(image: &RgbaImage, map: &BoardMap) -> Option<Self> {
        Some(Self(BySquare::from_fn(|s| {
            let r = map.square_rect(s);
            let mut h = [0f32; 48];
            let mut n = 0f32;
            for y in r.y.ceil() as u32 + 1..(r.y + r.height) as u32 - 1 {
                for x in r.x.ceil() as u32 + 1..(r.x + r.width) as u32 - 1 {
                    let p = image.get_pixel(x, y).0;
                    for c in 0..3 {
                        h[c * 16 + usize::from(p[c] / 16)] += 1.0;
                    }
                    n += 3.0;
                }
            }
            h.map(|v| v / n)
        })))
    }
    pub fn distance(&self, o: &Self, s: Square) -> f32 {
        self.0[s].iter().zip(&o.0[s]).map(|(a, b)| (a - b).abs()).sum()
    }
}
