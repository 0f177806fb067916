//! The live picture: the board as it was captured, and what is read on it.

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder};
use serde_json::{Value, json};
use shakmaty::Square;
use torres_frame::{Frame, WallTime};
use torres_geometry::BoardMap;
use torres_vision::BoardReading;

/// Something to be shown.
pub(super) struct Snapshot {
    pub frame: Frame,
    pub map: BoardMap,
    pub reading: BoardReading,
    /// What vision said of it, in a word.
    pub said: &'static str,
}

impl Snapshot {
    /// One message: the length of a JSON header in four bytes, big end first; the header; the picture as PNG. `None`
    /// for a picture that cannot be encoded.
    pub(crate) fn message(&self) -> Option<Vec<u8>> {
        let header = serde_json::to_vec(&self.header()).ok()?;
        let mut message = u32::try_from(header.len()).ok()?.to_be_bytes().to_vec();
        message.extend(header);
        let (width, height) = self.frame.image.dimensions();
        PngEncoder::new_with_quality(&mut message, CompressionType::Fast, FilterType::Sub)
            .write_image(self.frame.image.as_raw(), width, height, ExtendedColorType::Rgba8)
            .ok()?;
        Some(message)
    }

    fn header(&self) -> Value {
        let squares = Square::ALL.into_iter().map(|square| {
            let read = self.reading.squares[square];
            let confidence = (read.confidence * 1e3).round() / 1e3;
            json!([
                square.to_string(),
                read.content.map(|piece| piece.char()),
                confidence,
                read.doubtful
            ])
        });
        let rect = self.map.rect;
        json!({
            "t_ms": WallTime::of(self.frame.at).as_ms(),
            "said": self.said,
            "bottom": self.map.orientation,
            "board": {"x": rect.x(), "y": rect.y(), "width": rect.width(), "height": rect.height()},
            "squares": squares.collect::<Vec<_>>(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgba, RgbaImage};
    use shakmaty::Color;
    use torres_frame::Timestamp;
    use torres_geometry::{BoardRect, BySquare, DesktopPx, Orientation};
    use torres_vision::appearance::SquareReading;

    #[test]
    fn a_message_has_the_picture_and_what_is_read_on_it() {
        let mut image = RgbaImage::from_pixel(240, 240, Rgba([1, 2, 3, 255]));
        image.put_pixel(7, 9, Rgba([200, 100, 50, 255]));
        let reading = BoardReading {
            squares: BySquare::from_fn(|square| SquareReading {
                content: (square == Square::E4).then_some(Color::White.pawn()),
                confidence: 0.98765,
                doubtful: square == Square::A1,
            }),
        };
        let snapshot = Snapshot {
            frame: Frame {
                image: image.clone().into(),
                at: Timestamp::from_ms(1e12),
                origin: DesktopPx::default(),
            },
            map: BoardMap {
                rect: BoardRect::new(4.0, 5.0, 200.0, 200.0).unwrap(),
                orientation: Orientation::Black,
            },
            reading,
            said: "seen",
        };
        let message = snapshot.message().unwrap();
        let length = u32::from_be_bytes(message[..4].try_into().unwrap()) as usize;
        let header: Value = serde_json::from_slice(&message[4..4 + length]).unwrap();
        assert_eq!(
            (&header["bottom"], &header["board"]["y"]),
            (&json!("black"), &json!(5.0))
        );
        let square = |name: &str| {
            header["squares"]
                .as_array()
                .unwrap()
                .iter()
                .find(|s| s[0] == name)
                .unwrap()
                .clone()
        };
        assert_eq!(square("e4"), json!(["e4", "P", 0.988, false]));
        assert_eq!(square("a1"), json!(["a1", null, 0.988, true]));
        let picture = image::load_from_memory(&message[4 + length..]).unwrap().into_rgba8();
        assert_eq!(picture, image);
    }
}
