//! The browser on the doctor's own page, a click and a drag there with the real mouse, and what came of them.

use super::check::Check;
use super::mouse::WorkingMouse;
use super::page::{Event, FROM_COLOR, Page, Ready, Report, TO_COLOR};
use super::place::{FoundSquare, find};
use super::received::{self, Aim, EVENTS};
use super::{browser, mouse};
use std::time::{Duration, Instant};
use torres_desktop::{Browser, BrowserOptions, Display, browser_program};
use torres_frame::FrameSource;
use torres_geometry::{DesktopPx, DesktopRect, InputPt};
use torres_mouse::{Gesture, Mouse, MouseError, StopFlag};
use torres_screen::{self as screen, LiveScreen};

/// How large the window is, in its own pixels.
const WINDOW: (u32, u32) = (640, 460);
/// How far the window lies from the first monitor's corner, in pixels.
const INSET: i32 = 60;
/// A window drawn larger would not fit on the monitors there are.
const LARGEST_SCALE: f64 = 3.0;
/// Longest time until the page is shown, on a machine that is busy.
const SHOWN_WITHIN: Duration = Duration::from_secs(30);
/// Longest time until its squares are on the screen after that.
const SEEN_WITHIN: Duration = Duration::from_secs(5);
/// Longest time until it has reported what it received.
const TOLD_WITHIN: Duration = Duration::from_secs(3);
/// A browser that has just opened its window on a busy machine drops presses, or some of them: how often click and drag
/// are made at most.
const TRIES: u32 = 2;
const LOOK_EVERY: Duration = Duration::from_millis(20);

const INPUT: &str = "input";

/// Nothing was tried, and why.
pub(super) fn not_tried(why: &str) -> Vec<Check> {
    let advice = "do what is said of that first, and run this again";
    let check = Check::fails(INPUT, format!("not tried on a page: {why}"), advice);
    vec![browser::found(), check]
}

/// Opens the page, acts on it, and closes it again; the pointer is put back.
pub(super) fn run(display: &Display, mut working: WorkingMouse, stop: &StopFlag) -> Vec<Check> {
    // What the site of a demo needs too.
    let page = match Page::serve() {
        Ok(page) => page,
        Err(error) => {
            let advice = "see that programs may listen on the loopback address (`ip addr show lo`)";
            let check = Check::fails(INPUT, format!("no page can be served: {error}"), advice);
            return vec![browser::found(), check];
        }
    };
    let program = match browser_program() {
        Ok(program) => program,
        Err(error) => return vec![browser::fails(error)],
    };
    let began = Instant::now();
    let first = screen::monitors().ok().and_then(|all| all.into_iter().next());
    let (x, y) = first
        .as_ref()
        .map_or((0, 0), |monitor| (monitor.rect.x, monitor.rect.y));
    let scale = first.map_or(1.0, |monitor| monitor.scale);
    let options = BrowserOptions {
        position: (x + INSET, y + INSET),
        size: WINDOW,
        // As the desktop's other windows are drawn.
        scale: scale.clamp(1.0, LARGEST_SCALE),
        ..BrowserOptions::default()
    };
    let browser = match Browser::open(display, &page.url, options) {
        Ok(browser) => browser,
        Err(error) => return vec![browser::fails(error)],
    };
    let Some(ready) = shown(&page, stop) else {
        let detail = format!(
            "{} opens a window and shows no page within {SHOWN_WITHIN:?}",
            program.display()
        );
        let advice = "see that no proxy stands between it and this machine (`echo $http_proxy`), and run this again";
        return vec![Check::fails(browser::NAME, detail, advice)];
    };
    let detail = format!(
        "{}, version {}, shows a page after {:.1} s",
        program.display(),
        ready.version,
        began.elapsed().as_secs_f64()
    );
    let mut checks = vec![Check::works(browser::NAME, detail)];
    checks.extend(touched(&browser, &page, &ready, scale, &mut working.mouse, stop));
    // Where the user had it.
    if let Err(error) = working.mouse.perform(&Gesture::MoveTo(working.here), stop) {
        checks.push(Check::fails("mouse", &error, mouse::advice(&error)));
    }
    checks
}

fn shown(page: &Page, stop: &StopFlag) -> Option<Ready> {
    let deadline = Instant::now() + SHOWN_WITHIN;
    while Instant::now() < deadline && stop.reason().is_none() {
        if let Ok(Report::Ready(ready)) = page.reports.recv_timeout(LOOK_EVERY) {
            return Some(ready);
        }
    }
    None
}

/// Finds the squares on the screen, clicks and drags, and judges.
fn touched(
    browser: &Browser,
    page: &Page,
    ready: &Ready,
    desktop: f64,
    mouse: &mut Mouse,
    stop: &StopFlag,
) -> Vec<Check> {
    let squares = match squares(browser) {
        Ok(squares) => squares,
        Err(why) => {
            let advice = "see that nothing covers the window that opens, and switch off what changes the screen's colours (night light, a colour filter)";
            return vec![Check::fails(INPUT, why, advice)];
        }
    };
    let put = squares.map(|(place, _)| mouse.point(place));
    let aim = Aim {
        seen: squares.map(|(_, seen)| seen),
        put,
    };
    let mut tries = 1;
    loop {
        if let Err(error) = act(mouse, put, stop) {
            return vec![Check::fails(INPUT, &error, mouse::advice(&error))];
        }
        let events = told(page);
        let input = received::input(&events);
        if input.ok {
            return vec![received::scale(ready, &aim, &events, desktop), input];
        }
        if tries == TRIES {
            return vec![input];
        }
        tries += 1;
    }
}

fn act(mouse: &mut Mouse, [from, to]: [InputPt; 2], stop: &StopFlag) -> Result<(), MouseError> {
    mouse.perform(&Gesture::Click(from), stop)?;
    mouse.perform(&Gesture::drag(from, to), stop)?;
    Ok(())
}

/// Both squares, on the desktop and as they were seen.
fn squares(browser: &Browser) -> Result<[(DesktopPx, FoundSquare); 2], String> {
    let region = window_of(browser)?;
    let mut screen = LiveScreen::showing(&region).map_err(|e| e.to_string())?;
    screen.set_region(Some(region));
    let deadline = Instant::now() + SEEN_WITHIN;
    loop {
        let frame = screen.next_frame().map_err(|e| e.to_string())?;
        let found = [FROM_COLOR, TO_COLOR].map(|color| find(&frame.image, color));
        if let [Some(from), Some(to)] = found {
            return Ok([from, to].map(|seen| (frame.to_desktop(seen.center), seen)));
        }
        if Instant::now() > deadline {
            return Err("the test page says that it is shown, and its squares are not seen on the screen".to_owned());
        }
        std::thread::sleep(LOOK_EVERY);
    }
}

/// Where the browser's window lies.
#[cfg(target_os = "linux")]
fn window_of(browser: &Browser) -> Result<DesktopRect, String> {
    let window = browser.window().map_err(|e| e.to_string())?;
    window.client().map_err(|e| e.to_string())
}

#[cfg(not(target_os = "linux"))]
fn window_of(_browser: &Browser) -> Result<DesktopRect, String> {
    let window = screen::find_window("Torres doctor").map_err(|e| e.to_string())?;
    Ok(window.client)
}

/// What the page reports, until it has all or the time is up.
fn told(page: &Page) -> Vec<Event> {
    let deadline = Instant::now() + TOLD_WITHIN;
    let mut events = Vec::new();
    while events.len() < EVENTS {
        let left = deadline.saturating_duration_since(Instant::now());
        match page.reports.recv_timeout(left) {
            Ok(Report::Touched(event)) => events.push(event),
            Ok(Report::Ready(_)) => {}
            Err(_) => break,
        }
    }
    events
}
