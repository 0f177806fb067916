//! What vision costs per frame, on one core: `cargo bench --bench vision`.
//!
//! The frames are those of `tests/data/vision`, brought to the sizes that the figures are stated for.

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use image::imageops::{self, FilterType};
use image::{Rgba, RgbaImage};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};
use std::hint::black_box;
use torres::frame::{Frame, Timestamp};
use torres::geometry::{BoardMap, BoardRect, DesktopPx, Orientation};
use torres::vision::histogram::histograms;
use torres::vision::locate::still_there;
use torres::vision::{Appearance, Reading, Tracker, locate};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn picture(path: &str) -> RgbaImage {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/vision/");
    image::open(format!("{folder}{path}")).unwrap().to_rgba8()
}

/// A game's frame, its board brought to 600×600 pixels.
fn board(path: &str, ms: f64) -> Frame {
    let cropped = imageops::crop_imm(&picture(path), 8, 8, 272, 272).to_image();
    Frame {
        image: imageops::resize(&cropped, 600, 600, FilterType::Triangle).into(),
        at: Timestamp::from_ms(ms),
        origin: DesktopPx::default(),
    }
}

fn map() -> BoardMap {
    BoardMap {
        rect: BoardRect::new(0.0, 0.0, 600.0, 600.0).unwrap(),
        orientation: Orientation::White,
    }
}

fn start() -> Chess {
    START
        .parse::<Fen>()
        .unwrap()
        .into_position(CastlingMode::Standard)
        .unwrap()
}

/// A tracker that has understood the start position.
fn awake() -> Tracker {
    let first = board("game/00-stable.png", 0.0);
    let appearance = Appearance::learn(&first.image, &map(), start().board()).unwrap();
    let mut tracker = Tracker::new(appearance, map());
    assert!(matches!(tracker.step(&first, &start()), Reading::Stands));
    tracker
}

fn following(c: &mut Criterion) {
    let mut group = c.benchmark_group("frame 600x600");
    let position = start();
    let still = board("game/00-stable.png", 20.0);
    let mut tracker = awake();
    group.bench_function("unchanged", |b| {
        b.iter(|| assert!(matches!(tracker.step(black_box(&still), &position), Reading::Unchanged)));
    });
    let moved = board("game/01-stable.png", 40.0);
    let tracker = awake();
    group.bench_function("one move's squares changed", |b| {
        b.iter_batched_ref(
            || tracker.clone(),
            |t| assert!(matches!(t.step(black_box(&moved), &position), Reading::Played(s) if s.line.len() == 1)),
            BatchSize::LargeInput,
        );
    });
    let sliding = board("game/07-anim.png", 60.0);
    group.bench_function("mid-animation, not understood", |b| {
        b.iter_batched_ref(
            || tracker.clone(),
            |t| t.step(black_box(&sliding), &position),
            BatchSize::LargeInput,
        );
    });
    group.finish();
}

fn reading(c: &mut Criterion) {
    let mut group = c.benchmark_group("reading 600x600");
    let first = board("game/00-stable.png", 0.0);
    let appearance = Appearance::learn(&first.image, &map(), start().board()).unwrap();
    let later = board("game/25-stable.png", 0.0);
    group.bench_function("64 squares", |b| {
        b.iter(|| appearance.read(black_box(&later.image), &map()))
    });
    group.bench_function("64 histograms", |b| {
        b.iter(|| histograms(black_box(&later.image), &map()))
    });
    group.finish();
}

fn finding(c: &mut Criterion) {
    let mut group = c.benchmark_group("locate");
    // The page grown to a full screen: its content again where it does not reach.
    let page = picture("page.png");
    let screen = RgbaImage::from_fn(1920, 1080, |x, y| match (x < 1366, y < 768) {
        (true, true) => *page.get_pixel(x, y),
        (false, true) => *page.get_pixel((x - 1366) % 320, y),
        (true, false) => *page.get_pixel(x, (y - 768) % 140),
        (false, false) => Rgba([40, 40, 40, 255]),
    });
    let found = locate(&screen);
    assert_eq!(found.len(), 2);
    group.bench_function("screenshot 1920x1080", |b| b.iter(|| locate(black_box(&screen))));
    let was = found[0].rect;
    group.bench_function("still there", |b| b.iter(|| still_there(black_box(&screen), &was)));
    group.finish();
}

criterion_group!(benches, following, reading, finding);
criterion_main!(benches);
