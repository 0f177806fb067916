//! A game as an animated picture of about ten seconds: what was seen after each ply, the move drawn as an arrow.

use super::board_picture::{arrow_squares, draw_move, thumbnail};
use gif::{DisposalMethod, Encoder, Repeat};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder, RgbaImage, imageops};
use shakmaty::{Board, Move, Square};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use torres_frame::folder::naming;
use torres_geometry::{BoardMap, BoardRect, Orientation};

/// Side of the picture, in pixels.
const SIDE: u32 = 360;

/// How long a whole game is shown, in hundredths of a second, and the bounds between which a ply is; the last one stays
/// longer.
const WHOLE: usize = 1000;
const SHORTEST: u16 = 4;
const LONGEST: u16 = 100;
const LAST: u16 = 200;

/// How coarsely colours are sampled where there are more than a palette holds: 1 is best and slowest, 30 fastest.
const SPEED: i32 = 10;

/// Frames that may wait to be made small. They wait because nobody has time for them when a move has just been seen.
const WAITING: usize = 4;

/// What was seen of a game, small, ply by ply. Frames are kept as PNG, some 50 kB each.
#[derive(Clone, Debug, Default)]
pub struct Film {
    scenes: Vec<Scene>,
    /// Frames of plies that are known by them and may still get a better one.
    waiting: Vec<(usize, RgbaImage, BoardMap)>,
}

#[derive(Clone, Debug)]
struct Scene {
    arrow: Option<(Square, Square)>,
    after: Board,
    /// What was seen, as PNG, and which colour was at its bottom.
    seen: Option<(Vec<u8>, Orientation)>,
}

impl Film {
    /// A move is known, and the board after it.
    pub fn played(&mut self, played: Move, after: &Board) {
        self.scenes.push(Scene {
            arrow: arrow_squares(played),
            after: after.clone(),
            seen: None,
        });
    }

    /// The last ply is known by this frame; its piece may still be on its way.
    pub fn known_by(&mut self, frame: &RgbaImage, map: &BoardMap) {
        if let Some(last) = self.scenes.len().checked_sub(1) {
            // Rather none than one that costs the move its time.
            self.waiting.truncate(WAITING - 1);
            self.waiting.push((last, frame.clone(), *map));
        }
    }

    /// This frame shows the board at rest after the last ply.
    pub fn shown(&mut self, frame: &RgbaImage, map: &BoardMap) {
        let last = self.scenes.len().saturating_sub(1);
        self.waiting.retain(|(ply, ..)| *ply != last);
        for (ply, frame, map) in std::mem::take(&mut self.waiting) {
            self.keep(ply, &frame, &map);
        }
        self.keep(last, frame, map);
    }

    /// The last plies are no part of the game any more.
    pub fn take_back(&mut self, plies: usize) {
        self.scenes.truncate(self.scenes.len().saturating_sub(plies));
        self.waiting.retain(|(ply, ..)| *ply < self.scenes.len());
    }

    fn keep(&mut self, ply: usize, frame: &RgbaImage, map: &BoardMap) {
        if let Some(scene) = self.scenes.get_mut(ply)
            && let Some((small, map)) = thumbnail(frame, map, SIDE)
        {
            scene.seen = packed(&small).map(|png| (png, map.orientation));
        }
    }

    /// How many plies it shows.
    pub fn len(&self) -> usize {
        self.scenes.len()
    }

    /// Whether it shows none.
    pub fn is_empty(&self) -> bool {
        self.scenes.is_empty()
    }

    /// Writes it as a GIF that begins again at its end; `draw` draws a board that no frame showed, and says which
    /// colour is at its bottom.
    pub fn save(&self, path: &Path, draw: impl Fn(&Board) -> (RgbaImage, Orientation)) -> io::Result<()> {
        let file = File::create(path).map_err(naming(path))?;
        let mut out = BufWriter::new(file);
        self.write(&mut out, draw)
            .and_then(|()| out.flush())
            .map_err(naming(path))
    }

    fn write(&self, out: &mut impl Write, draw: impl Fn(&Board) -> (RgbaImage, Orientation)) -> io::Result<()> {
        let mut encoder = Encoder::new(out, SIDE as u16, SIDE as u16, &[]).map_err(io::Error::other)?;
        encoder.set_repeat(Repeat::Infinite).map_err(io::Error::other)?;
        let each = u16::try_from(WHOLE / self.scenes.len().max(1)).unwrap_or(LONGEST);
        let mut canvas: Option<RgbaImage> = None;
        for (number, scene) in (1..).zip(&self.scenes) {
            let picture = self.picture(number - 1, scene, &draw);
            let (left, top, mut part) = match &canvas {
                Some(before) => changed(before, &picture),
                None => (0, 0, picture.clone()),
            };
            let (width, height) = (part.width() as u16, part.height() as u16);
            let frame = gif::Frame {
                delay: if number == self.scenes.len() {
                    LAST
                } else {
                    each.clamp(SHORTEST, LONGEST)
                },
                dispose: DisposalMethod::Keep,
                left: left as u16,
                top: top as u16,
                ..gif::Frame::from_rgba_speed(width, height, &mut part, SPEED)
            };
            encoder.write_frame(&frame).map_err(io::Error::other)?;
            canvas = Some(picture);
        }
        Ok(())
    }

    /// A ply's picture with its arrow: what was seen of it, or what is drawn.
    fn picture(&self, index: usize, scene: &Scene, draw: &impl Fn(&Board) -> (RgbaImage, Orientation)) -> RgbaImage {
        let waiting = self.waiting.iter().find(|(ply, ..)| *ply == index);
        let seen = match &scene.seen {
            Some((png, orientation)) => unpacked(png).map(|picture| (picture, *orientation)),
            None => waiting.and_then(|(_, frame, map)| Some((thumbnail(frame, map, SIDE)?.0, map.orientation))),
        };
        let (mut picture, orientation) = seen.unwrap_or_else(|| {
            let (drawn, orientation) = draw(&scene.after);
            (
                imageops::resize(&drawn, SIDE, SIDE, imageops::FilterType::Triangle),
                orientation,
            )
        });
        let side = f64::from(SIDE);
        if let (Some((from, to)), Ok(rect)) = (scene.arrow, BoardRect::new(0.0, 0.0, side, side)) {
            draw_move(&mut picture, &BoardMap { rect, orientation }, from, to);
        }
        picture
    }
}

fn packed(picture: &RgbaImage) -> Option<Vec<u8>> {
    let mut png = Vec::new();
    let encoder = PngEncoder::new_with_quality(&mut png, CompressionType::Fast, FilterType::Up);
    encoder
        .write_image(picture, picture.width(), picture.height(), ExtendedColorType::Rgba8)
        .ok()?;
    Some(png)
}

fn unpacked(png: &[u8]) -> Option<RgbaImage> {
    let picture = image::load_from_memory_with_format(png, image::ImageFormat::Png).ok()?;
    Some(picture.into_rgba8())
}

/// The smallest rectangle that holds all differences of two pictures of one size: its corner and its pixels. At least
/// one pixel: a GIF has no frame without any.
fn changed(before: &RgbaImage, now: &RgbaImage) -> (u32, u32, RgbaImage) {
    let differ = before
        .enumerate_pixels()
        .zip(now.pixels())
        .filter(|((_, _, was), is)| was != is);
    let (mut left, mut top, mut right, mut bottom) = (u32::MAX, u32::MAX, 0, 0);
    for ((x, y, _), _) in differ {
        (left, top) = (left.min(x), top.min(y));
        (right, bottom) = (right.max(x + 1), bottom.max(y + 1));
    }
    if left >= right {
        (left, top, right, bottom) = (0, 0, 1, 1);
    }
    let part = torres_frame::crop(now, (left, top), (right - left, bottom - top));
    (left, top, part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{AnimationDecoder, Frame, Rgba};
    use shakmaty::{Chess, Position};
    use std::io::Cursor;
    use torres_chess::parse_move;

    const WOOD: Rgba<u8> = Rgba([200, 160, 110, 255]);
    const DRAWN: Rgba<u8> = Rgba([90, 90, 90, 255]);

    fn film(moves: &str) -> Film {
        let (mut film, mut position) = (Film::default(), Chess::default());
        for uci in moves.split_whitespace() {
            let played = parse_move(uci, &position).unwrap();
            position.play_unchecked(played);
            film.played(played, position.board());
        }
        film
    }

    fn map(orientation: Orientation) -> BoardMap {
        BoardMap {
            rect: BoardRect::new(30.0, 20.0, 448.0, 448.0).unwrap(),
            orientation,
        }
    }

    /// What any viewer shows, frame by frame.
    fn frames(film: &Film) -> Vec<Frame> {
        let mut bytes = Vec::new();
        let draw = |_: &Board| (RgbaImage::from_pixel(192, 192, DRAWN), Orientation::White);
        film.write(&mut bytes, draw).unwrap();
        let decoder = image::codecs::gif::GifDecoder::new(Cursor::new(bytes)).unwrap();
        decoder.into_frames().collect_frames().unwrap()
    }

    fn near(pixel: Rgba<u8>, color: Rgba<u8>) -> bool {
        pixel.0.iter().zip(color.0).all(|(a, b)| a.abs_diff(b) <= 8)
    }

    #[test]
    fn each_ply_is_a_frame_that_shows_what_was_seen_or_what_is_drawn() {
        let mut film = film("e2e4 e7e5");
        let frame = RgbaImage::from_pixel(500, 500, WOOD);
        film.shown(&frame, &map(Orientation::White));
        let frames = frames(&film);
        assert_eq!(frames.len(), 2);
        // a1 lies below on the left; no arrow is near it.
        let corner = |n: usize| *frames[n].buffer().get_pixel(10, 350);
        assert!(
            near(corner(0), DRAWN) && near(corner(1), WOOD),
            "{:?} {:?}",
            corner(0),
            corner(1)
        );
        // The arrow of e7e5 ends in the middle of e5.
        let blue = |n: usize, x: u32, y: u32| frames[n].buffer().get_pixel(x, y).0[2] > 150;
        assert!(blue(1, 202, 140) && !blue(1, 202, 240), "on the way of e7e5");
        assert!(blue(0, 202, 230) && !blue(0, 202, 140), "on the way of e2e4");
    }

    #[test]
    fn what_was_taken_for_the_move_serves_until_the_board_rests() {
        let mut film = film("e2e4");
        let (moving, resting) = (
            RgbaImage::from_pixel(500, 500, WOOD),
            RgbaImage::from_pixel(500, 500, Rgba([10, 200, 10, 255])),
        );
        film.known_by(&moving, &map(Orientation::Black));
        assert!(near(*frames(&film)[0].buffer().get_pixel(10, 350), WOOD));
        film.shown(&resting, &map(Orientation::Black));
        assert!(near(
            *frames(&film)[0].buffer().get_pixel(10, 350),
            Rgba([10, 200, 10, 255])
        ));
        // Black at the bottom: e2e4 goes downwards, in the fourth file from the left.
        assert!(frames(&film)[0].buffer().get_pixel(157, 110).0[2] > 150);
        film.take_back(1);
        assert!(film.is_empty() && film.waiting.is_empty());
    }

    #[test]
    fn a_game_takes_about_ten_seconds_and_its_end_stays() {
        for (plies, each) in [(1, LAST), (4, LONGEST), (40, 25), (400, SHORTEST)] {
            let frames = frames(&film(&"g1f3 g8f6 f3g1 f6g8 ".repeat(100)[..plies * 5]));
            assert_eq!(frames.len(), plies);
            let delays: Vec<u32> = frames
                .iter()
                .map(|frame| frame.delay().numer_denom_ms().0 / 10)
                .collect();
            assert_eq!(
                (delays[0], delays[plies - 1]),
                (u32::from(each), u32::from(LAST)),
                "{plies} plies"
            );
        }
    }

    #[test]
    fn two_equal_pictures_leave_one_pixel() {
        let picture = RgbaImage::from_pixel(20, 20, WOOD);
        assert_eq!(changed(&picture, &picture).2.dimensions(), (1, 1));
        let mut other = picture.clone();
        other.put_pixel(3, 4, DRAWN);
        other.put_pixel(7, 5, DRAWN);
        let (left, top, part) = changed(&picture, &other);
        assert_eq!((left, top, part.dimensions()), (3, 4, (5, 2)));
    }
}
