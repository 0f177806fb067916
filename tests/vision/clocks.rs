//! Clocks in the type of many pages, as Chromium draws them (`tests/data/vision/clocks`): their digits are learned by
//! watching, then read.

use image::RgbaImage;
use std::path::PathBuf;
use std::time::Duration;
use torres::calibration::clock_at;
use torres::frame::Timestamp;
use torres::geometry::FrameRect;
use torres::vision::clock::{ClockText, Digits, Learner, Mark, Shape, Turn};

/// Each picture shows these times, one below the other, in milliseconds: 10:05 to 9:41, 1:00:01 and 1:00:00, 59:59 and
/// 59:58, 0:13 to 0:10, then tenths.
fn times() -> Vec<u64> {
    let seconds = (581..=605).rev().chain([3601, 3600, 3599, 3598, 13, 12, 11, 10]);
    let tenths = [99, 98, 97, 96, 95, 94, 93, 92, 91, 90, 89, 67, 31, 5, 0];
    seconds.map(|s| 1000 * s).chain(tenths.map(|t| 100 * t)).collect()
}

/// The pictures by name, each cut into the looks at its clock.
fn looks() -> Vec<(String, Vec<RgbaImage>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/vision/clocks");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "png"));
    files.sort();
    let cut = |file: PathBuf| {
        let sheet = image::open(&file).unwrap().into_rgba8();
        let count = times().len() as u32;
        let high = sheet.height() / count;
        let looks =
            (0..count).map(|nth| image::imageops::crop_imm(&sheet, 0, nth * high, sheet.width(), high).to_image());
        (
            file.file_stem().unwrap().to_string_lossy().into_owned(),
            looks.collect(),
        )
    };
    files.into_iter().map(cut).collect()
}

/// Where a clock's characters stand in a look of which only the box's corner is known.
fn first_place(look: &RgbaImage) -> Option<FrameRect> {
    let scale = f64::from(look.width()) / 200.0;
    let about = |(width, height): (f64, f64)| FrameRect {
        x: 30.0 * scale,
        y: 8.0 * scale,
        width: width * scale,
        height: height * scale,
    };
    let sizes = [
        (24.0, 9.0),
        (30.0, 14.0),
        (40.0, 18.0),
        (60.0, 24.0),
        (80.0, 30.0),
        (110.0, 40.0),
    ]
    .map(about);
    sizes
        .into_iter()
        .find_map(|place| clock_at(look, &place))
        .map(|(_, place)| place)
}

/// The clock's line at each look, found from where it stood in the look before.
fn lines(looks: &[RgbaImage]) -> Vec<Option<ClockText>> {
    let mut place = first_place(&looks[0]).expect("the first look shows a clock");
    let mut line = |look| {
        let (line, now) = clock_at(look, &place)?;
        place = now;
        Some(line)
    };
    looks.iter().map(&mut line).collect()
}

/// The digits as they are learned from a clock that runs.
fn learned(lines: &[Option<ClockText>]) -> Option<Digits> {
    let mut learner = Learner::default();
    // One's own, to which moves add time.
    let turn = Turn {
        runs: true,
        increment: Duration::from_secs(1),
        moves: 0,
        is_prompt: false,
    };
    for (nth, line) in lines.iter().take(25).enumerate() {
        let second = Duration::from_secs(nth as u64);
        for look in 0..4 {
            let at = Timestamp(second + Duration::from_millis(250 * look));
            learner.saw(0, line.as_ref(), at, turn);
        }
    }
    learner.digits()
}

/// Script, of which the characters overlap, and type of 12 px: not every time is read, and none wrongly.
const HARD: [&str; 2] = ["p-chancery", "p-mono-tiny"];

#[test]
fn every_time_is_read_in_the_type_of_every_page() {
    let all = looks();
    assert_eq!(all.len(), 22);
    let mut failures = Vec::new();
    for (name, looks) in all {
        let lines = lines(&looks);
        let Some(digits) = learned(&lines) else {
            failures.push(format!("{name}: not learned"));
            continue;
        };
        for (line, time) in lines.iter().zip(times()) {
            let read = line.as_ref().and_then(|line| digits.read(line));
            let shown = read.map(|shown| shown.left.as_millis() as u64);
            if shown != Some(time) {
                assert_eq!(shown, None, "{name}: {time} ms");
                failures.push(format!("{name}: {time} ms"));
            }
        }
    }
    failures.retain(|failure| !HARD.iter().any(|hard| failure.starts_with(hard)));
    assert!(failures.is_empty(), "not read:\n{}", failures.join("\n"));
}

#[test]
fn a_clock_is_found_from_a_part_of_it_however_bold_its_digits_are() {
    for (name, looks) in looks() {
        let place = first_place(&looks[0]).expect("the first look shows a clock");
        let last_digits = FrameRect {
            x: place.x + 0.55 * place.width,
            width: 0.45 * place.width,
            ..place
        };
        assert!(clock_at(&looks[0], &last_digits).is_some(), "{name}: {last_digits:?}");
    }
}

/// The digits that a time shows, from left to right.
fn digits_of(ms: u64) -> Vec<u64> {
    let (seconds, tenths) = (ms / 1000, ms / 100 % 10);
    let text = match seconds {
        3600.. => format!("{}{:02}{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60),
        10.. => format!("{}{:02}", seconds / 60, seconds % 60),
        _ => format!("{}{:02}{tenths}", seconds / 60, seconds),
    };
    text.bytes().map(|digit| u64::from(digit - b'0')).collect()
}

#[test]
#[ignore = "prints figures of docs/vision.md: `cargo test --test vision figures_of_digits -- --ignored --nocapture`"]
fn figures_of_digits() {
    for (name, looks) in looks() {
        let mut shapes = Vec::new();
        for (line, time) in lines(&looks).into_iter().zip(times()) {
            let marks = line.into_iter().flat_map(|line| line.marks);
            let drawn = marks.filter_map(|mark| match mark {
                Mark::Digit(shape) => Some(shape),
                _ => None,
            });
            let drawn: Vec<Shape> = drawn.collect();
            let digits = digits_of(time);
            if drawn.len() == digits.len() {
                shapes.extend(digits.into_iter().zip(drawn));
            }
        }
        let (mut within, mut between) = (0.0f64, f64::INFINITY);
        for (nth, (digit, shape)) in shapes.iter().enumerate() {
            for (other, its) in &shapes[..nth] {
                let apart = shape.distance(its);
                match digit == other {
                    true => within = within.max(apart),
                    false => between = between.min(apart),
                }
            }
        }
        println!(
            "{name:<18} {:>4} digits: one digit up to {within:.3}, two digits from {between:.3}",
            shapes.len()
        );
        assert!(!shapes.is_empty() || HARD.contains(&name.as_str()), "{name}");
    }
}
