//! Why the mouse cannot be taken, or a gesture was not performed.

use super::stop::StopReason;
use torres_geometry::InputPt;

/// Why a gesture was not performed to its end. The button is up again in every case.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MouseError {
    /// There is no mouse to move.
    #[error("cannot move the mouse: {0}; check that DISPLAY names a running X server (`torres doctor` says more)")]
    Open(String),
    /// The input system failed in the middle.
    #[error("the mouse failed: {0}; `torres doctor` says more")]
    Device(String),
    /// The point is on no monitor.
    #[error("the point {}, {} is outside of the screen; move its window wholly into view", .0.x, .0.y)]
    OffScreen(InputPt),
    /// Somebody asked to stop.
    #[error("stopped: {0}")]
    Stopped(StopReason),
    /// Somebody wants a pause.
    #[error("the user asked for a pause")]
    Paused,
    /// The input system took what was asked, but the pointer or its button did not move.
    #[error(
        "the pointer stays at {}, {}: something on the desktop holds it, such as an open menu or a locked screen; \
         close that",
        .0.x, .0.y
    )]
    Held(InputPt),
    /// The left button is down and does not come up.
    #[error("the left mouse button is held down; let go of it, and start again")]
    Pressed,
    /// The pointer is not where it was put: somebody else moves the mouse.
    #[error(
        "the pointer is at {}, {} though it was put at {}, {}: somebody moves the mouse; leave it alone",
        .found.x, .found.y, .expected.x, .expected.y
    )]
    Interfered {
        /// Where it was put.
        expected: InputPt,
        /// Where it is.
        found: InputPt,
    },
}

/// Why this process cannot take the mouse.
#[derive(Debug, thiserror::Error)]
pub enum HoldError {
    /// Another Torres has it.
    #[error("another Torres ({by}) has this desktop's mouse; end it first, or play without the mouse: --hands-off")]
    Taken {
        /// What the other one says of itself.
        by: String,
    },
    /// Whether another Torres has it cannot be found out.
    #[error("cannot tell whether another Torres has the mouse: {place}: {why}")]
    Unknown {
        /// The lock, which should say it.
        place: String,
        /// What is wrong with it, and what to do.
        why: String,
    },
    /// The watchdog, which would release the button, does not start.
    #[error(
        "cannot start the watchdog that lets go of the mouse button should this process be killed: {program}: {why}; \
         see that this file is there and may be run"
    )]
    Unguarded {
        /// The program whose subcommand it is.
        program: String,
        /// What the system says.
        why: std::io::Error,
    },
    /// The mouse itself fails.
    #[error(transparent)]
    Mouse(#[from] MouseError),
}
