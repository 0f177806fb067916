use super::*;
use image::{Rgba, RgbaImage};
use serde_json::json;
use std::time::Instant;
use torres_fixture::Fixture;
use torres_frame::Timestamp;
use torres_geometry::{BoardRect, DesktopPx};

fn map(side: f64) -> BoardMap {
    BoardMap {
        rect: BoardRect::new(10.0, 10.0, side, side).unwrap(),
        orientation: Orientation::White,
    }
}

/// A board of noise, which no PNG makes small, another one for each number.
fn frame(number: u32, side: u32) -> Frame {
    let noise = |x: u32, y: u32| {
        (x.wrapping_mul(31) ^ y.wrapping_mul(57) ^ number.wrapping_mul(91)).wrapping_mul(2_654_435_761) >> 24
    };
    Frame {
        image: RgbaImage::from_fn(side + 20, side + 20, |x, y| {
            Rgba([noise(x, y) as u8, noise(y, x) as u8, 7, 255])
        })
        .into(),
        at: Timestamp::from_ms(1e12 + f64::from(number) * 1000.0),
        origin: DesktopPx::default(),
    }
}

fn begin(recordings: &mut Recordings, number: u32) -> Option<Recording> {
    begin_part(recordings, number, false)
}

fn begin_part(recordings: &mut Recordings, number: u32, goes_on: bool) -> Option<Recording> {
    let calibration = json!({"look": {"light": [1, 2, 3], "dark": [4, 5, 6], "noise": 0.0, "pieces": {}}});
    let start = RecordingStart {
        number,
        goes_on,
        position: &Chess::default(),
        bottom: Orientation::White,
        calibration: &calibration,
    };
    recordings.begin(&start).unwrap()
}

/// Offers so many frames, each when there is room for it.
fn offer_all(recording: &mut Recording, frames: std::ops::Range<u32>) {
    for number in frames {
        let frame = frame(number, 120);
        loop {
            let before = recording.left_out;
            recording.offer(&frame, &map(120.0), false);
            if recording.left_out == before {
                break;
            }
            recording.left_out = before;
            std::thread::yield_now();
        }
    }
}

fn size(dir: &Path) -> u64 {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.path().is_dir() {
            true => size(&entry.path()),
            false => entry.metadata().unwrap().len(),
        })
        .sum()
}

#[test]
fn what_is_looked_at_is_kept_as_a_fixture_with_the_look_beside_it() {
    let dir = tempfile::tempdir().unwrap();
    let mut recordings = Recordings::new(dir.path(), 100 << 20);
    let mut recording = begin(&mut recordings, 1).unwrap();
    offer_all(&mut recording, 0..3);
    let recorded = recordings.end(recording);
    assert_eq!(
        (recorded.name.as_str(), recorded.frames, recorded.cut_short),
        ("recording", 3, None)
    );
    let fixture = Fixture::read(&dir.path().join("recording")).unwrap();
    assert!(fixture.appearance.is_some() && !fixture.has_truth());
    assert_eq!(fixture.shots.len(), 3);
    // The next run's first game takes its place; a folder that is no recording is left alone.
    let mut recordings = Recordings::new(dir.path(), 100 << 20);
    let mut recording = begin(&mut recordings, 1).unwrap();
    offer_all(&mut recording, 0..1);
    assert_eq!(recordings.end(recording).frames, 1);
    assert_eq!(begin(&mut recordings, 2).unwrap().name(), "recording-2");
    fs::create_dir_all(dir.path().join("recording-3")).unwrap();
    fs::write(dir.path().join("recording-3/mine.txt"), "").unwrap();
    drop(begin(&mut recordings, 3));
    assert!(dir.path().join("recording-3/mine.txt").exists());
}

#[test]
fn of_a_game_that_goes_on_every_part_is_kept() {
    let dir = tempfile::tempdir().unwrap();
    let mut recordings = Recordings::new(dir.path(), 100 << 20);
    for (goes_on, name) in [
        (false, "recording-2"),
        (true, "recording-2-part-2"),
        (true, "recording-2-part-3"),
    ] {
        let mut recording = begin_part(&mut recordings, 2, goes_on).unwrap();
        offer_all(&mut recording, 0..1);
        assert_eq!(recordings.end(recording).name, name);
    }
    assert!(Fixture::read(&dir.path().join("recording-2")).is_ok());
}

#[test]
fn nothing_is_kept_where_nothing_may_be() {
    let dir = tempfile::tempdir().unwrap();
    assert!(begin(&mut Recordings::new(dir.path(), 0), 1).is_none());
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn a_full_disk_takes_the_oldest_game_first_and_then_ends_the_recording() {
    let dir = tempfile::tempdir().unwrap();
    let limit = 1_000_000;
    let mut recordings = Recordings::new(dir.path(), limit);
    let mut first = begin(&mut recordings, 1).unwrap();
    offer_all(&mut first, 0..8);
    let first = recordings.end(first);
    assert_eq!(first.cut_short, None);
    let written = size(&dir.path().join("recording")) - size_of_header(dir.path());
    assert_eq!(first.bytes, written, "{first:?}");
    let mut second = begin(&mut recordings, 2).unwrap();
    offer_all(&mut second, 0..60);
    let second = recordings.end(second);
    assert!(!dir.path().join("recording").exists(), "the oldest went");
    assert!(
        second.cut_short.as_ref().is_some_and(|why| why.contains("full")),
        "{second:?}"
    );
    assert!(second.frames > 10 && second.frames < 60, "{second:?}");
    let size = size(dir.path());
    // Within a picture of the limit.
    assert!(size > limit * 3 / 4 && size < limit + 60_000, "{size}");
    assert!(
        Fixture::read(&dir.path().join("recording-2")).is_ok(),
        "and it can be replayed"
    );
}

fn size_of_header(out: &Path) -> u64 {
    fs::metadata(out.join("recording/fixture.json")).unwrap().len()
}

#[test]
fn looking_never_waits_and_what_has_no_room_is_counted() {
    let dir = tempfile::tempdir().unwrap();
    let mut recordings = Recordings::new(dir.path(), 100 << 20);
    let mut recording = begin(&mut recordings, 1).unwrap();
    let frames: Vec<Frame> = (0..4).map(|number| frame(number, 600)).collect();
    let began = Instant::now();
    for index in 0..400 {
        recording.offer(&frames[index % 4], &map(600.0), false);
    }
    // To write one such picture takes longer than to offer a hundred.
    let took = began.elapsed();
    let recorded = recordings.end(recording);
    assert!(recorded.left_out > 100, "{recorded:?} in {took:?}");
    assert_eq!(recorded.cut_short, None);
}

/// What a look pays: `cargo test --lib recording -- --ignored --nocapture`.
#[test]
#[ignore = "a figure, not a check"]
fn what_an_offer_costs() {
    let dir = tempfile::tempdir().unwrap();
    let mut recordings = Recordings::new(dir.path(), 100 << 20);
    let mut recording = begin(&mut recordings, 1).unwrap();
    let still = frame(1, 600);
    let mut times: Vec<f64> = (0..2_000)
        .map(|_| {
            let began = Instant::now();
            recording.offer(&still, &map(600.0), false);
            let took = began.elapsed().as_secs_f64() * 1e3;
            std::thread::sleep(std::time::Duration::from_millis(2));
            took
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!(
        "an offer of 620 × 620 px: median {:.3} ms, 99th percentile {:.3} ms",
        times[1_000], times[1_980]
    );
    println!("{:?}", recordings.end(recording));
}
