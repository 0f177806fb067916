//! Text in DejaVu Sans, whose licence lies beside it in `assets/fonts`.

use super::{Color, blend};
use ab_glyph::{Font, FontRef, Glyph, PxScale, ScaleFont, point};
use image::RgbaImage;
use std::sync::LazyLock;
use torres_geometry::FramePx;

static FONT: LazyLock<FontRef<'static>> = LazyLock::new(|| {
    // The bytes are part of the program: whether they are a font was decided when it was built and tested.
    FontRef::try_from_slice(include_bytes!("../../assets/fonts/DejaVuSans.ttf")).expect("the font in assets is damaged")
});

/// Writes one line of text, `at` being the upper left corner of its line and `size` the line's height in pixels.
pub fn text(image: &mut RgbaImage, at: FramePx, size: f64, color: Color, line: &str) {
    for glyph in layout(line, size).0 {
        let Some(outline) = FONT.outline_glyph(glyph) else {
            continue;
        };
        let corner = outline.px_bounds().min;
        outline.draw(|x, y, coverage| {
            let x = f64::from(corner.x) + f64::from(x) + at.x.round();
            let y = f64::from(corner.y) + f64::from(y) + at.y.round();
            if x >= 0.0 && y >= 0.0 {
                blend(image, x as u32, y as u32, color, f64::from(coverage));
            }
        });
    }
}

/// How wide a line of text is, in pixels.
pub fn text_width(size: f64, line: &str) -> f64 {
    f64::from(layout(line, size).1)
}

/// Breaks a text between words into lines no wider than `width` pixels; a word that is wider has a line of its own.
pub fn wrapped(size: f64, width: f64, text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if text_width(size, &format!("{line} {word}")) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// The glyphs of a line at their places, and its width.
fn layout(line: &str, size: f64) -> (Vec<Glyph>, f32) {
    let scale = PxScale::from(size as f32);
    let font = FONT.as_scaled(scale);
    let mut x = 0.0;
    let mut previous = None;
    let glyphs = line
        .chars()
        .map(|c| {
            let id = font.glyph_id(c);
            x += previous.map_or(0.0, |p| font.kern(p, id));
            previous = Some(id);
            let glyph = id.with_scale_and_position(scale, point(x, font.ascent()));
            x += font.h_advance(id);
            glyph
        })
        .collect();
    (glyphs, x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgba;

    #[test]
    fn long_text_is_broken_between_words() {
        let text = "the quick brown fox jumps over the lazy dog";
        let lines = wrapped(16.0, 120.0, text);
        assert!(lines.len() > 2, "{lines:?}");
        assert!(lines.iter().all(|line| text_width(16.0, line) <= 120.0), "{lines:?}");
        assert_eq!(lines.join(" "), text);
        assert_eq!(
            wrapped(16.0, 10.0, "Pneumonoultramicroscopic"),
            ["Pneumonoultramicroscopic"]
        );
    }

    #[test]
    fn text_leaves_ink_within_its_line_and_width() {
        let (size, line) = (20.0, "12. Nf3 +0.31");
        let mut image = RgbaImage::from_pixel(300, 60, Rgba([0, 0, 0, 255]));
        text(&mut image, FramePx { x: 30.0, y: 10.0 }, size, Rgba([255; 4]), line);
        let inked: Vec<(u32, u32)> = image
            .enumerate_pixels()
            .filter(|(_, _, p)| p.0[0] > 128)
            .map(|(x, y, _)| (x, y))
            .collect();
        assert!(inked.len() > 100, "{} inked pixels", inked.len());
        let right = 30 + text_width(size, line).ceil() as u32;
        assert!(
            inked
                .iter()
                .all(|&(x, y)| (30..=right).contains(&x) && (10..=30).contains(&y))
        );
        assert!(
            inked.iter().any(|&(x, _)| x > right - 8),
            "the last digit stands at the end"
        );
    }
}
