//! Display, window manager, monitors, capture, mouse and browser.

use super::{Check, Report};
use crate::desktop::{Display, browser_program};
use crate::frame::FrameSource;
use crate::geometry::{DesktopRect, InputPt, InputScale};
use crate::mouse::{Gesture, Mouse, MouseError, StopFlag};
use crate::screen::{self, CaptureKind, LiveScreen, ScreenError};
use std::path::Path;
use std::time::{Duration, Instant};

/// Side of the picture that is captured for the time that it takes, in pixels: about a board.
const PICTURE: u32 = 600;
/// How many pictures are captured.
const PICTURES: usize = 51;
/// How far the pointer is moved away and back, in input units.
const STEP: i32 = 40;

/// What kind of desktop this process belongs to.
pub(super) enum Session {
    /// One that can be used.
    Desktop(Check),
    /// None at all.
    None,
    /// One that cannot be used, and why.
    Unusable(Check),
}

pub(super) fn session() -> Session {
    let name = "display";
    if screen::is_wayland() {
        return Session::Unusable(Check::fails(
            name,
            "this is a Wayland session, which keeps programs from seeing the screen and moving the mouse",
            "only X11 is supported today: log in to an X11 session, or run `torres demo --headless`",
        ));
    }
    let Ok(display) = Display::current() else {
        return Session::None;
    };
    match screen::monitors() {
        Err(error) => Session::Unusable(Check::fails(
            name,
            format!("{}: {error}", display.name()),
            "set DISPLAY to a running X server, or unset it for a headless display",
        )),
        Ok(_) => Session::Desktop(Check::works(name, display.name())),
    }
}

/// Starts a display of our own and has `torres doctor` examine it.
pub(super) fn on_headless_display(torres: &Path) -> Result<Report, Check> {
    let name = "display";
    let complaint = |detail: String, advice: &str| Check::fails(name, format!("no DISPLAY; {detail}"), advice);
    let display = Display::headless(1920, 1080).map_err(|e| {
        complaint(
            e.to_string(),
            "start this on a desktop, or `apt-get install xvfb openbox`",
        )
    })?;
    let failed = |e: String| {
        complaint(
            format!("the doctor does not run on a headless display: {e}"),
            "run it again",
        )
    };
    let output = display.command(torres).args(["doctor", "--json"]).output();
    let output = output.map_err(|e| failed(e.to_string()))?;
    let mut report: Report = serde_json::from_slice(&output.stdout).map_err(|e| failed(e.to_string()))?;
    if let Some(check) = report.checks.iter_mut().find(|check| check.name == name && check.ok) {
        check.detail = "none, so that a headless one is started: good for `torres demo` and the tests".to_owned();
    }
    Ok(report)
}

/// What can only be tried on a display.
pub(super) fn of_display() -> Vec<Check> {
    vec![window_manager(), monitors(), capture(), waking(), mouse()]
}

fn window_manager() -> Check {
    let name = "windows";
    match screen::windows() {
        Ok(windows) => Check::works(name, format!("{} on the desktop", windows.len())),
        Err(error) => Check::fails(name, error, "start a window manager, for example `openbox &`"),
    }
}

fn monitors() -> Check {
    let name = "monitors";
    let describe = |m: &screen::MonitorInfo| {
        let DesktopRect { x, y, width, height } = m.rect;
        format!("{}: {} {width}×{height} at {x}, {y}", m.index, m.name)
    };
    match screen::monitors() {
        Ok(all) if !all.is_empty() => Check::works(name, all.iter().map(describe).collect::<Vec<_>>().join("; ")),
        Ok(_) => Check::fails(name, "none is switched on", "switch a monitor on (`xrandr` lists them)"),
        Err(error) => Check::fails(name, error, "set DISPLAY to a running X server"),
    }
}

fn capture() -> Check {
    let name = "capture";
    match median_capture() {
        Ok((kind, size, median)) => {
            let ms = median.as_secs_f64() * 1e3;
            Check::works(name, format!("{kind}, {}×{} px in {ms:.2} ms", size.0, size.1))
        }
        Err(error) => Check::fails(
            name,
            error,
            "see that nothing locks the screen, and that DISPLAY is right",
        ),
    }
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
fn waking() -> Check {
    let name = "waking";
    match screen::prove_changes() {
        Ok(took) => {
            let ms = took.as_secs_f64() * 1e3;
            Check::works(name, format!("wakes by X Damage, {ms:.1} ms after a change"))
        }
        Err(reason) => Check::works(name, format!("polls: {reason}")),
    }
}

fn mouse() -> Check {
    let name = "mouse";
    match pointer_moves_and_returns() {
        Ok(()) => Check::works(name, "the pointer goes where it is put, and back"),
        Err(error @ MouseError::Stopped(_)) => Check::fails(name, error, "move the pointer out of the corner"),
        Err(error @ (MouseError::Interfered { .. } | MouseError::Held(_))) => Check::fails(
            name,
            error,
            "leave the mouse alone, close open menus, and run this again",
        ),
        Err(error) => Check::fails(
            name,
            error,
            "allow simulated input: on X11 the server needs the XTEST extension",
        ),
    }
}

fn pointer_moves_and_returns() -> Result<(), MouseError> {
    let mut mouse = Mouse::open(InputScale::IDENTITY)?;
    let stop = StopFlag::new();
    let here = mouse.position()?;
    let step = |sign: i32| InputPt {
        x: here.x + sign * STEP,
        y: here.y,
    };
    match mouse.perform(&Gesture::MoveTo(step(1)), &stop) {
        Err(MouseError::OffScreen(_)) => mouse.perform(&Gesture::MoveTo(step(-1)), &stop)?,
        other => other?,
    };
    mouse.perform(&Gesture::MoveTo(here), &stop)?;
    Ok(())
}

/// The browser that the demo and the tests open.
pub(super) fn browser() -> Check {
    let name = "browser";
    match browser_program() {
        Ok(path) => Check::works(name, path.display()),
        Err(error) => Check::fails(
            name,
            error,
            "`apt-get install chromium`; the demo and the tests need it",
        ),
    }
}
