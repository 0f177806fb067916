//! Rendered frames and their truth, and ways to stage what a renderer cannot: squares copied, wiped and tinted.

use image::imageops::FilterType;
use image::{Rgba, RgbaImage, imageops};
use serde::Deserialize;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position, Square};
use std::path::PathBuf;
use torres::frame::{Frame, Timestamp};
use torres::geometry::{BoardMap, BoardRect, DesktopPx, Orientation};
use torres::vision::{Appearance, Reading, Tracker};

/// The folder with the frames.
pub fn data() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/vision")
}

/// A picture of that folder.
pub fn picture(path: &str) -> RgbaImage {
    image::open(data().join(path)).unwrap().to_rgba8()
}

#[derive(Deserialize)]
struct Line {
    file: String,
    kind: String,
    bottom: Orientation,
    fen: String,
    r#move: Option<String>,
    board: BoardRect,
}

/// A rendered frame and its truth.
pub struct Shot {
    pub image: RgbaImage,
    pub kind: String,
    pub position: Chess,
    pub played: Option<String>,
    pub map: BoardMap,
}

/// All frames of a scene, in order.
pub fn scene(name: &str) -> Vec<Shot> {
    let text = std::fs::read_to_string(data().join(name).join("truth.jsonl")).unwrap();
    let shot = |line: &str| {
        let line: Line = serde_json::from_str(line).unwrap();
        Shot {
            image: picture(&format!("{name}/{}", line.file)),
            kind: line.kind,
            position: position(&line.fen),
            played: line.r#move,
            map: BoardMap {
                rect: line.board,
                orientation: line.bottom,
            },
        }
    };
    text.lines().map(shot).collect()
}

/// The same frame on a page that is so many times as wide and as high.
pub fn stretched(shot: &Shot, (sx, sy): (f64, f64)) -> Shot {
    let (w, h) = (f64::from(shot.image.width()), f64::from(shot.image.height()));
    let image = imageops::resize(&shot.image, (sx * w) as u32, (sy * h) as u32, FilterType::CatmullRom);
    let (sx, sy) = (f64::from(image.width()) / w, f64::from(image.height()) / h);
    let r = shot.map.rect;
    let rect = BoardRect::new(sx * r.x(), sy * r.y(), sx * r.width(), sy * r.height()).unwrap();
    Shot {
        image,
        kind: shot.kind.clone(),
        position: shot.position.clone(),
        played: shot.played.clone(),
        map: BoardMap { rect, ..shot.map },
    }
}

/// A position from its FEN.
pub fn position(fen: &str) -> Chess {
    fen.parse::<Fen>()
        .unwrap()
        .into_position(CastlingMode::Standard)
        .unwrap()
}

/// A tracker that learned the look from the scene's first frame.
pub fn tracker(first: &Shot) -> Tracker {
    let appearance = Appearance::learn(&first.image, &first.map, first.position.board()).unwrap();
    Tracker::new(appearance, first.map)
}

/// A frame taken at that many milliseconds.
pub fn frame(image: &RgbaImage, ms: f64) -> Frame {
    Frame {
        image: image.clone().into(),
        at: Timestamp::from_ms(ms),
        origin: DesktopPx::default(),
    }
}

/// The moves that a reading says were played, in UCI: none where the position believed stands. `None` for every other
/// reading.
pub fn seen(reading: &Reading) -> Option<Vec<String>> {
    match reading {
        Reading::Stands => Some(Vec::new()),
        Reading::Played(s) => Some(
            s.line
                .iter()
                .map(|m| m.to_uci(CastlingMode::Standard).to_string())
                .collect(),
        ),
        _ => None,
    }
}

/// Shows one picture until it is at rest, and says what is finally read.
pub fn at_rest(tracker: &mut Tracker, image: &RgbaImage, from_ms: f64, position: &Chess) -> Reading {
    let mut last = tracker.step(&frame(image, from_ms), position);
    for k in 1..=5 {
        if !matches!(last, Reading::Moving) {
            break;
        }
        last = tracker.step(&frame(image, from_ms + 100.0 * f64::from(k)), position);
    }
    last
}

/// A square's corner and size in whole pixels (the scenes' squares are whole).
fn place(map: &BoardMap, square: Square) -> (u32, u32, u32) {
    let r = map.square_rect(square);
    (r.x.round() as u32, r.y.round() as u32, r.width.round() as u32)
}

/// Copies a square of one picture onto a square of another.
pub fn copy(from: &RgbaImage, source: Square, to: &mut RgbaImage, target: Square, map: &BoardMap) {
    let (x, y, side) = place(map, source);
    let piece = imageops::crop_imm(from, x, y, side, side).to_image();
    let (x, y, _) = place(map, target);
    imageops::replace(to, &piece, i64::from(x), i64::from(y));
}

/// Lays a tint over those pixels of a square that have the bare square's colour.
pub fn tint(image: &mut RgbaImage, square: Square, map: &BoardMap, color: [u8; 3], opacity: f64) {
    let (x, y, side) = place(map, square);
    let bare = *image.get_pixel(x + 1, y + 1);
    for (dx, dy) in (0..side).flat_map(|dy| (0..side).map(move |dx| (dx, dy))) {
        if *image.get_pixel(x + dx, y + dy) == bare {
            let mix = |c: usize| (f64::from(bare[c]) * (1.0 - opacity) + f64::from(color[c]) * opacity).round() as u8;
            image.put_pixel(x + dx, y + dy, Rgba([mix(0), mix(1), mix(2), 255]));
        }
    }
}

/// Copies a piece a few pixels away from its square over what is there: as if it slid.
pub fn slide(image: &mut RgbaImage, from: &RgbaImage, source: Square, target: (f64, f64), map: &BoardMap) {
    let (x, y, side) = place(map, source);
    let bare = *from.get_pixel(x + 1, y + 1);
    for (dx, dy) in (0..side).flat_map(|dy| (0..side).map(move |dx| (dx, dy))) {
        let pixel = *from.get_pixel(x + dx, y + dy);
        let (tx, ty) = (target.0 as u32 + dx, target.1 as u32 + dy);
        if pixel != bare && tx < image.width() && ty < image.height() {
            image.put_pixel(tx, ty, pixel);
        }
    }
}

/// The position after a UCI move.
pub fn after(position: &Chess, uci: &str) -> Chess {
    let m = uci
        .parse::<shakmaty::uci::UciMove>()
        .unwrap()
        .to_move(position)
        .unwrap();
    position.clone().play(m).unwrap()
}
