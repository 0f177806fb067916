//! Is this machine ready, and what to do if not.
//!
//! [`examine`] tries each thing that a game needs, really and briefly: it captures every monitor, starts the browser on
//! a page of its own, clicks and drags on that and asks the page what it received, and has the engine look for a move.
//! Every complaint says what to do. Nothing is repaired or installed here. What was found is judged in `capture`,
//! `place` and `received`, without any I/O.

mod browser;
mod capture;
mod check;
mod engine;
mod mouse;
mod page;
mod permissions;
mod place;
mod received;
mod session;
mod trial;
mod windows;

pub use check::{Check, Options, Report};
use std::path::Path;
use torres_desktop::Display;
use torres_mouse::{StopFlag, StopReason, watch_interrupt};

/// Examines this machine; `torres` is the program whose engine is tried, and `tell` hears what is being tried, a few
/// words each.
///
/// Without a `DISPLAY`, a headless one is started as the demo would, and `torres doctor` is run on that. Opens a window
/// for a moment, and moves the pointer there and back. Takes a few seconds. `None` if the user stopped it (Ctrl-C, or a
/// signal).
pub fn examine(torres: &Path, options: Options<'_>, tell: &mut dyn FnMut(&str)) -> Option<Report> {
    tell("the display");
    let mut checks = match session::session() {
        session::Session::Desktop(display, check) => {
            let mut checks = vec![check];
            checks.extend(of_display(&display, torres, options, tell)?);
            checks
        }
        session::Session::None => {
            tell("a headless display");
            match session::on_headless_display(torres, options) {
                // The engine was tried there.
                Ok(report) => return Some(report),
                Err(complaint) => vec![complaint, browser::found()],
            }
        }
        session::Session::Unusable(complaint) => vec![complaint, browser::found()],
    };
    tell("the engine");
    checks.push(match options.engine {
        Some(command) => engine::of_user(command),
        None => engine::own(torres, engine::ANSWER_TIME),
    });
    Some(Report::new(checks))
}

/// What can only be tried on a display; `None` if the user stopped it.
fn of_display(
    display: &Display,
    torres: &Path,
    options: Options<'_>,
    tell: &mut dyn FnMut(&str),
) -> Option<Vec<Check>> {
    let stop = StopFlag::new();
    // Where signals cannot be waited for, they end the process as they always do.
    let _ = watch_interrupt(&stop);
    tell("permissions and windows");
    let mut checks = vec![permissions::check(), windows::check(display)];
    let managed = checks.last().is_some_and(|check| check.ok);
    tell("monitors and capture");
    checks.extend([capture::monitors(), capture::speed(), capture::waking()]);
    tell("the mouse");
    let (mouse, working) = mouse::check(torres, &stop);
    checks.push(mouse);
    if options.quick {
        checks.push(browser::found());
    } else {
        tell("the browser, with clicks on a page of its own");
        checks.extend(match (working, managed) {
            (Some(working), true) => trial::run(display, working, &stop),
            (None, _) => trial::not_tried("the mouse is not to be had; see there"),
            (_, false) => trial::not_tried("no window manager places its window; see there"),
        });
    }
    let told = [StopReason::CtrlC, StopReason::HungUp, StopReason::Terminated];
    (!stop.reason().is_some_and(|reason| told.contains(&reason))).then_some(checks)
}
