//! Shapes as signed distance functions: negative inside, in pixels; a pixel is covered by as much as its
//! middle lies inside. (Inigo Quilez, "2D distance functions", <https://iquilezles.org/articles/distfunctions2d/>.)

use super::{Color, blend};
use image::RgbaImage;
use torres_geometry::{FramePx, FrameRect};

/// Fills a rectangle; edges between pixels are antialiased.
pub fn fill_rect(image: &mut RgbaImage, rect: FrameRect, color: Color) {
    fill(image, rect, color, |p| rect_distance(p, rect));
}

/// Draws a rectangle's outline, `thickness` pixels wide, centred on its edges.
pub fn outline(image: &mut RgbaImage, rect: FrameRect, thickness: f64, color: Color) {
    let half = thickness / 2.0;
    fill(image, grown(rect, half), color, |p| rect_distance(p, rect).abs() - half);
}

/// Fills a rectangle with diagonal lines, `thickness` pixels wide and `apart` pixels from each other along the edges.
pub fn hatch(image: &mut RgbaImage, rect: FrameRect, apart: f64, thickness: f64, color: Color) {
    let apart = apart.max(1.0);
    fill(image, rect, color, |p| {
        let along = (p.x - rect.x + p.y - rect.y).rem_euclid(apart);
        // Measured along an edge, a diagonal line lies √2 times as far.
        let line = along.min(apart - along) / std::f64::consts::SQRT_2 - thickness / 2.0;
        line.max(rect_distance(p, rect))
    });
}

/// Draws an arrow from point to point, its shaft `width` pixels wide and its head three times that.
///
/// Nothing is drawn where both points are the same.
pub fn arrow(image: &mut RgbaImage, from: FramePx, to: FramePx, width: f64, color: Color) {
    if let Some(corners) = arrow_corners(from, to, width) {
        fill(image, bounds(&corners), color, |p| polygon_distance(p, &corners));
    }
}

/// Draws the outline of that arrow, `thickness` pixels wide.
pub fn arrow_rim(image: &mut RgbaImage, from: FramePx, to: FramePx, width: f64, thickness: f64, color: Color) {
    if let Some(corners) = arrow_corners(from, to, width) {
        let half = thickness / 2.0;
        let area = grown(bounds(&corners), half);
        fill(image, area, color, |p| polygon_distance(p, &corners).abs() - half);
    }
}

fn arrow_corners(from: FramePx, to: FramePx, width: f64) -> Option<[FramePx; 7]> {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let length = dx.hypot(dy);
    if length < 1e-6 {
        return None;
    }
    let (ux, uy) = (dx / length, dy / length);
    let at = |along: f64, across: f64| FramePx {
        x: from.x + ux * along - uy * across,
        y: from.y + uy * along + ux * across,
    };
    let head = (2.4 * width).min(length);
    let (shaft, wing, neck) = (width / 2.0, 1.5 * width, length - head);
    Some([
        at(0.0, -shaft),
        at(neck, -shaft),
        at(neck, -wing),
        at(length, 0.0),
        at(neck, wing),
        at(neck, shaft),
        at(0.0, shaft),
    ])
}

/// Covers every pixel near `area` by how far its middle lies inside the shape.
fn fill(image: &mut RgbaImage, area: FrameRect, color: Color, distance: impl Fn(FramePx) -> f64) {
    let clip = |v: f64, end: u32| v.clamp(0.0, f64::from(end)) as u32;
    let columns = clip(area.x.floor() - 1.0, image.width())..clip((area.x + area.width).ceil() + 1.0, image.width());
    let rows = clip(area.y.floor() - 1.0, image.height())..clip((area.y + area.height).ceil() + 1.0, image.height());
    for y in rows {
        for x in columns.clone() {
            let middle = FramePx {
                x: f64::from(x) + 0.5,
                y: f64::from(y) + 0.5,
            };
            let coverage = 0.5 - distance(middle);
            if coverage > 0.0 {
                blend(image, x, y, color, coverage);
            }
        }
    }
}

fn rect_distance(p: FramePx, rect: FrameRect) -> f64 {
    let dx = (p.x - rect.x - rect.width / 2.0).abs() - rect.width / 2.0;
    let dy = (p.y - rect.y - rect.height / 2.0).abs() - rect.height / 2.0;
    dx.max(0.0).hypot(dy.max(0.0)) + dx.max(dy).min(0.0)
}

fn polygon_distance(p: FramePx, corners: &[FramePx]) -> f64 {
    let previous = corners.iter().cycle().skip(corners.len().saturating_sub(1));
    let mut nearest = f64::INFINITY;
    let mut inside = false;
    for (a, b) in corners.iter().zip(previous) {
        let (ex, ey) = (b.x - a.x, b.y - a.y);
        let (wx, wy) = (p.x - a.x, p.y - a.y);
        let along = ((wx * ex + wy * ey) / (ex * ex + ey * ey)).clamp(0.0, 1.0);
        nearest = nearest.min((wx - ex * along).hypot(wy - ey * along));
        // Even-odd rule: does a ray to the right cross this edge?
        if (a.y > p.y) != (b.y > p.y) && p.x < a.x + ex * (p.y - a.y) / ey {
            inside = !inside;
        }
    }
    if inside { -nearest } else { nearest }
}

pub(super) fn grown(rect: FrameRect, by: f64) -> FrameRect {
    FrameRect {
        x: rect.x - by,
        y: rect.y - by,
        width: rect.width + 2.0 * by,
        height: rect.height + 2.0 * by,
    }
}

fn bounds(points: &[FramePx]) -> FrameRect {
    let least = |f: fn(&FramePx) -> f64| points.iter().map(f).fold(f64::INFINITY, f64::min);
    let most = |f: fn(&FramePx) -> f64| points.iter().map(f).fold(f64::NEG_INFINITY, f64::max);
    let (x, y) = (least(|p| p.x), least(|p| p.y));
    FrameRect {
        x,
        y,
        width: most(|p| p.x) - x,
        height: most(|p| p.y) - y,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgba;

    const BLACK: Color = Rgba([0, 0, 0, 255]);
    const RED: Color = Rgba([255, 0, 0, 255]);

    fn canvas() -> RgbaImage {
        RgbaImage::from_pixel(100, 100, BLACK)
    }

    fn px(x: f64, y: f64) -> FramePx {
        FramePx { x, y }
    }

    #[test]
    fn an_arrow_covers_its_shaft_and_a_wider_head_and_nothing_else() {
        let mut image = canvas();
        arrow(&mut image, px(10.0, 50.0), px(90.0, 50.0), 8.0, RED);
        assert_eq!(*image.get_pixel(20, 50), RED, "shaft");
        assert_eq!(*image.get_pixel(73, 42), RED, "wing of the head");
        assert_eq!(*image.get_pixel(20, 42), BLACK, "beside the shaft");
        assert_eq!(*image.get_pixel(95, 50), BLACK, "beyond the tip");
        assert_eq!(*image.get_pixel(5, 50), BLACK, "before the start");
    }

    #[test]
    fn a_translucent_arrow_covers_every_pixel_once() {
        let mut image = canvas();
        arrow(&mut image, px(10.0, 10.0), px(90.0, 80.0), 8.0, Rgba([255, 0, 0, 100]));
        assert_eq!(image.pixels().map(|p| p.0[0]).max(), Some(100));
    }

    #[test]
    fn half_a_covered_pixel_is_half_as_strong() {
        let mut image = canvas();
        let rect = FrameRect {
            x: 10.5,
            y: 10.0,
            width: 20.0,
            height: 20.0,
        };
        fill_rect(&mut image, rect, RED);
        assert_eq!(image.get_pixel(10, 20).0[0], 128);
        assert_eq!(*image.get_pixel(11, 20), RED);
        assert_eq!(image.get_pixel(30, 20).0[0], 128);
    }

    #[test]
    fn a_hatch_leaves_most_of_its_rectangle_visible_and_all_around_it() {
        let mut image = canvas();
        let rect = FrameRect {
            x: 20.0,
            y: 20.0,
            width: 60.0,
            height: 60.0,
        };
        hatch(&mut image, rect, 10.0, 1.5, RED);
        let inked = |x: u32, y: u32| *image.get_pixel(x, y) != BLACK;
        let inside = (20..80)
            .flat_map(|y| (20..80).map(move |x| (x, y)))
            .filter(|&(x, y)| inked(x, y));
        let share = inside.count() as f64 / 3600.0;
        assert!((0.1..0.45).contains(&share), "{share}");
        assert!((0..100).all(|k| !inked(k, 10) && !inked(10, k) && !inked(k, 90)));
    }

    #[test]
    fn shapes_outside_the_picture_are_cut_off() {
        let mut image = canvas();
        arrow(&mut image, px(-50.0, 50.0), px(150.0, 50.0), 8.0, RED);
        assert_eq!(*image.get_pixel(0, 50), RED);
        assert_eq!(*image.get_pixel(99, 50), RED);
    }
}
