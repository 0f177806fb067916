//! What vision costs on one core, on two scenes rendered for it: one of a 600×600 board, one of a 1920×1080 page.

use crate::scene::{Frames, Scene};
use image::imageops;
use shakmaty::Position;
use std::hint::black_box;
use std::time::Instant;
use torres::fixture::replay;
use torres::frame::{Frame, Timestamp};
use torres::geometry::{BoardMap, BoardRect, DesktopPx};
use torres::vision::{Appearance, Tracker, locate};

/// Pixels left around the board when the small scene is cropped.
const MARGIN: f64 = 8.0;

const REPEATS: usize = 60;

/// The figures that a scene serves for.
pub fn measure(scene: &Scene) -> Vec<(String, String)> {
    let size = scene.frames[0].image.dimensions();
    if scene.name == "figure-page" {
        let ms = median(|| {
            black_box(locate(&scene.frames[0].image));
        });
        return vec![(format!("locating in {}×{}", size.0, size.1), format!("{ms:.2} ms"))];
    }
    let Some(map) = scene.true_map(0) else {
        return Vec::new();
    };
    // As a running capture would see it.
    let (left, top) = ((map.rect.x() - MARGIN).max(0.0), (map.rect.y() - MARGIN).max(0.0));
    let side = (map.rect.width() + 2.0 * MARGIN) as u32;
    let cropped = |frame: usize| Frame {
        image: imageops::crop_imm(&*scene.frames[frame].image, left as u32, top as u32, side, side)
            .to_image()
            .into(),
        at: Timestamp::from_ms(scene.frames[frame].t_ms),
        origin: DesktopPx::default(),
    };
    let frames: Vec<Frame> = (0..scene.frames.len()).map(cropped).collect();
    let Ok(rect) = BoardRect::new(
        map.rect.x() - left,
        map.rect.y() - top,
        map.rect.width(),
        map.rect.height(),
    ) else {
        return Vec::new();
    };
    let map = BoardMap { rect, ..map };
    let Ok(appearance) = Appearance::learn(&frames[0].image, &map, scene.fixture.start.board()) else {
        return vec![("the 600×600 scene".into(), "cannot be learned".into())];
    };
    let reading = median(|| {
        black_box(appearance.read(&frames[0].image, &map));
    });
    let mut tracker = Tracker::new(appearance, map);
    let mut still = frames[0].clone();
    // Until it has understood the position and settled.
    for ms in (0..10).map(|n| f64::from(n) * 100.0) {
        still.at = Timestamp::from_ms(ms);
        tracker.step(&still, &scene.fixture.start);
    }
    let unchanged = median(|| {
        black_box(tracker.step(&still, &scene.fixture.start));
    });
    let count = frames.len();
    let begun = Instant::now();
    let replayed = replay(scene.opening(), &mut Frames::of(frames));
    let seconds = begun.elapsed().as_secs_f64();
    let rate = replayed.map_or("failed".into(), |_| format!("{:.0} frames/s", count as f64 / seconds));
    let board = format!("{0:.0}×{0:.0}", map.rect.width());
    vec![
        (
            format!("unchanged {board} frame, capture aside"),
            format!("{unchanged:.3} ms"),
        ),
        (
            format!("full reading of 64 squares, {board}"),
            format!("{reading:.2} ms"),
        ),
        (format!("replaying {count} frames, {board}, PNG decoding aside"), rate),
    ]
}

/// The median time of a call, in ms.
fn median(mut call: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..REPEATS)
        .map(|_| {
            let begun = Instant::now();
            call();
            begun.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[REPEATS / 2]
}
