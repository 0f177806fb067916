//! Windows that the program with the board has opened since a gesture: some ask for the piece of a promotion in a window
//! of its own, beside the one with the board.

use image::imageops::{crop, invert, replace};
use torres_frame::Frame;
use torres_geometry::DesktopRect;
use torres_screen::{WindowInfo, windows_beside};

/// The board and the window around it right before a gesture, and which windows the program had open then.
#[derive(Debug)]
pub struct Surroundings {
    frame: Frame,
    /// Where the window's content lay.
    client: DesktopRect,
    open: Vec<u32>,
}

impl Surroundings {
    /// What surrounds the board in this window now, whose content lies there.
    pub fn new(frame: Frame, window: Option<u32>, client: DesktopRect) -> Surroundings {
        Surroundings {
            frame,
            client,
            open: beside(window).iter().map(|other| other.id).collect(),
        }
    }

    /// Where the windows lie that the program has opened since.
    pub fn opened(&self, window: Option<u32>) -> Vec<DesktopRect> {
        let since = beside(window)
            .into_iter()
            .filter(|other| !self.open.contains(&other.id));
        since.map(|other| other.client).collect()
    }

    /// What a picture of this part of the desktop, which is as large or larger, would have shown then, had the window's
    /// content lain where it lies now: no window that was opened since, so each pixel of those differs. `None` where the
    /// content has another size now.
    pub fn before(&self, now: &Frame, opened: &[DesktopRect], client: DesktopRect) -> Option<Frame> {
        let then = self.client;
        if (then.width, then.height) != (client.width, client.height) {
            return None;
        }
        let (right, down) = (f64::from(client.x - then.x), f64::from(client.y - then.y));
        let mut image = (*now.image).clone();
        let offset = |at: f64, origin: f64| (at - origin).round() as i64;
        for rect in opened {
            let (x, y) = (
                offset(f64::from(rect.x), now.origin.x),
                offset(f64::from(rect.y), now.origin.y),
            );
            let (left, top) = (x.max(0) as u32, y.max(0) as u32);
            let mut part = crop(&mut image, left, top, rect.width, rect.height).to_image();
            invert(&mut part);
            replace(&mut image, &part, i64::from(left), i64::from(top));
        }
        let (x, y) = (
            offset(self.frame.origin.x + right, now.origin.x),
            offset(self.frame.origin.y + down, now.origin.y),
        );
        replace(&mut image, &*self.frame.image, x, y);
        Some(Frame {
            image: image.into(),
            ..*now
        })
    }
}

/// The other windows of the program that shows this one, as far as they are to be seen.
fn beside(window: Option<u32>) -> Vec<WindowInfo> {
    let all = window.map(windows_beside).and_then(Result::ok).unwrap_or_default();
    all.into_iter().filter(|other| !other.minimised).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgba, RgbaImage};
    use torres_frame::Timestamp;
    use torres_geometry::DesktopPx;

    fn frame(origin: (f64, f64), image: RgbaImage) -> Frame {
        Frame {
            image: image.into(),
            at: Timestamp::default(),
            origin: DesktopPx {
                x: origin.0,
                y: origin.1,
            },
        }
    }

    #[test]
    fn before_a_window_was_opened_each_of_its_pixels_looked_otherwise_and_none_elsewhere_did() {
        let grey = |width, height, level| RgbaImage::from_pixel(width, height, Rgba([level, level, level, 255]));
        let rect = |x, y, width, height| DesktopRect { x, y, width, height };
        let surroundings = Surroundings {
            frame: frame((10.0, 20.0), grey(4, 4, 10)),
            client: rect(10, 20, 4, 4),
            open: Vec::new(),
        };
        // The part that shows a window beside it too, and something that neither is; also once both have been moved.
        for (right, down) in [(0, 0), (7, -3)] {
            let origin = (10.0 + f64::from(right), 20.0 + f64::from(down));
            let now = frame(origin, grey(9, 5, 200));
            let opened = rect(12 + right, 22 + down, 4, 2);
            let before = surroundings.before(&now, &[opened], rect(10 + right, 20 + down, 4, 4));
            let before = before.expect("it has the same size");
            assert_eq!((before.origin, before.image.dimensions()), (now.origin, (9, 5)));
            let rows = before
                .image
                .rows()
                .map(|row| row.map(|pixel| pixel[0]).collect::<Vec<u8>>());
            assert_eq!(
                rows.collect::<Vec<_>>(),
                [
                    vec![10, 10, 10, 10, 200, 200, 200, 200, 200],
                    vec![10, 10, 10, 10, 200, 200, 200, 200, 200],
                    vec![10, 10, 10, 10, 55, 55, 200, 200, 200],
                    vec![10, 10, 10, 10, 55, 55, 200, 200, 200],
                    vec![200; 9],
                ]
            );
        }
        let now = frame((10.0, 20.0), grey(9, 5, 200));
        assert!(surroundings.before(&now, &[], rect(10, 20, 5, 4)).is_none());
    }
}
