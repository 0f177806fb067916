//! Every monitor's picture, how long one takes, and whether changes are heard of.

use super::check::Check;
use std::time::{Duration, Instant};
use torres_frame::FrameSource;
use torres_geometry::DesktopRect;
use torres_screen::{self as screen, CaptureKind, LiveScreen, MonitorInfo, ScreenError};

/// Side of the picture that is captured for the time that it takes, in pixels: about a board.
const PICTURE: u32 = 600;
/// How many pictures are captured.
const PICTURES: usize = 51;
/// A board whose picture takes longer is seen less than 40 times a second: pieces are then missed on their way, and a
/// drag's last look before the release comes late.
const SLOW: Duration = Duration::from_millis(25);

/// Every monitor, and whether a picture of it is as large as the monitor says.
pub(super) fn monitors() -> Check {
    let name = "monitors";
    let all = match screen::monitors() {
        Ok(all) if !all.is_empty() => all,
        Ok(_) => {
            return Check::fails(name, "none is switched on", "switch a monitor on (`xrandr` lists them)");
        }
        Err(error) => return Check::fails(name, error, "set DISPLAY to a running X server"),
    };
    let tried = all.iter().map(|monitor| (monitor, picture_size(monitor.index)));
    judged(name, &tried.collect::<Vec<_>>())
}

/// The size of a picture of a whole monitor, in pixels.
fn picture_size(index: usize) -> Result<(u32, u32), String> {
    let mut screen = LiveScreen::monitor(index).map_err(|e| e.to_string())?;
    Ok(screen.next_frame().map_err(|e| e.to_string())?.image.dimensions())
}

/// A monitor, and the size of its picture in pixels or why there is none.
type Tried<'a> = (&'a MonitorInfo, Result<(u32, u32), String>);

fn judged(name: &str, tried: &[Tried<'_>]) -> Check {
    let mut complaints = Vec::new();
    let mut listed = Vec::new();
    for (monitor, picture) in tried {
        let DesktopRect { x, y, width, height } = monitor.rect;
        let mut line = format!("{}: {} {width}×{height} at {x}, {y}", monitor.index, monitor.name);
        if (monitor.scale - 1.0).abs() > 0.001 {
            line += &format!(", scale {:.2}", monitor.scale);
        }
        match picture {
            Ok(size) if *size == (width, height) => {}
            Ok((wide, high)) => complaints.push(format!(
                "monitor {}'s picture is {wide}×{high} px, not {width}×{height}",
                monitor.index
            )),
            Err(error) => complaints.push(format!("monitor {} cannot be captured: {error}", monitor.index)),
        }
        listed.push(line);
    }
    let listed = listed.join("; ");
    if complaints.is_empty() {
        return Check::works(name, listed);
    }
    Check::fails(
        name,
        format!("{}. There are {listed}", complaints.join("; ")),
        "put the monitor in its place again (`xrandr`, or the desktop's display settings), or play on one that works",
    )
}

/// How a picture is captured, and how long one takes.
pub(super) fn speed() -> Check {
    let name = "capture";
    match median_capture() {
        Ok((kind, size, median)) => judged_speed(name, kind, size, median),
        Err(error) => Check::fails(
            name,
            error,
            "see that nothing locks the screen, and that DISPLAY is right",
        ),
    }
}

fn judged_speed(name: &str, kind: CaptureKind, size: (u32, u32), median: Duration) -> Check {
    let ms = median.as_secs_f64() * 1e3;
    let found = format!("{kind}, {}×{} px in {ms:.2} ms", size.0, size.1);
    if median <= SLOW {
        return Check::works(name, found);
    }
    let why = match kind {
        CaptureKind::SharedMemory => "the machine is busy: end what else runs (`top`), and run this again",
        _ => {
            "shared memory is the quick way: see that /dev/shm can be written, and that DISPLAY is no forwarded or remote X server (`ssh -X`, VNC)"
        }
    };
    Check::fails(name, format!("{found}, which is slow"), why)
}

/// How it is captured, how large a picture, and the median time that it took.
fn median_capture() -> Result<(CaptureKind, (u32, u32), Duration), String> {
    let text = |e: ScreenError| e.to_string();
    let mut screen = LiveScreen::monitor(0).map_err(text)?;
    let monitor = screen.info().rect;
    screen.set_region(Some(DesktopRect {
        width: PICTURE,
        height: PICTURE,
        ..monitor
    }));
    let mut times = Vec::with_capacity(PICTURES);
    let mut size = (0, 0);
    for _ in 0..PICTURES {
        let start = Instant::now();
        size = screen.next_frame().map_err(|e| e.to_string())?.image.dimensions();
        times.push(start.elapsed());
    }
    times.sort_unstable();
    let median = times.get(times.len() / 2).copied().unwrap_or_default();
    Ok((screen.kind(), size, median))
}

/// Whether Torres sleeps until something is drawn. Where it cannot, it looks again and again, which is no complaint.
pub(super) fn waking() -> Check {
    let name = "waking";
    match screen::prove_changes() {
        Ok(took) => {
            let ms = took.as_secs_f64() * 1e3;
            Check::works(name, format!("wakes by X Damage, {ms:.1} ms after a change"))
        }
        Err(reason) => Check::works(name, format!("polls: {reason}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn monitor(index: usize, x: i32, scale: f64) -> MonitorInfo {
        let rect = DesktopRect {
            x,
            y: 0,
            width: 640,
            height: 480,
        };
        MonitorInfo {
            index,
            name: format!("M-{index}"),
            rect,
            scale,
        }
    }

    #[test]
    fn every_monitor_is_listed_and_one_that_fails_is_named() {
        let (left, right) = (monitor(0, 0, 1.0), monitor(1, 640, 1.5));
        let well = judged("monitors", &[(&left, Ok((640, 480))), (&right, Ok((640, 480)))]);
        assert!(well.ok);
        assert_eq!(
            well.detail,
            "0: M-0 640×480 at 0, 0; 1: M-1 640×480 at 640, 0, scale 1.50"
        );
        for (picture, said) in [
            (Ok((320, 240)), "monitor 1's picture is 320×240 px, not 640×480"),
            (Err("no".to_owned()), "monitor 1 cannot be captured: no"),
        ] {
            let check = judged("monitors", &[(&left, Ok((640, 480))), (&right, picture)]);
            assert!(!check.ok && check.advice.is_some());
            assert!(check.detail.starts_with(said), "{}", check.detail);
        }
    }

    #[test]
    fn a_slow_capture_is_a_complaint_with_the_advice_for_its_kind() {
        let judged = |kind, ms| judged_speed("capture", kind, (600, 600), Duration::from_millis(ms));
        assert!(judged(CaptureKind::SharedMemory, 25).ok);
        let busy = judged(CaptureKind::SharedMemory, 26).advice.unwrap();
        assert!(busy.contains("busy"), "{busy}");
        let remote = judged(CaptureKind::Portable, 26).advice.unwrap();
        assert!(remote.contains("/dev/shm"), "{remote}");
    }
}
