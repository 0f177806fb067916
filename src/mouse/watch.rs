//! Threads that trip a [`StopFlag`]: the pointer in a corner, and Ctrl-C.

use super::device::{Device, EnigoDevice};
use super::{Corners, MouseError, StopFlag, StopReason};
use std::thread;
use std::time::Duration;

/// Time between two looks at the pointer: a throw is noticed within 20 ms even when no gesture is performed.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Watches the pointer from a thread of its own, and trips the flag when it is in a corner of the screen into which
/// no gesture has put it. The thread ends when the flag is tripped, dropped everywhere else, or the display is gone.
pub fn watch_corners(stop: &StopFlag) -> Result<(), MouseError> {
    let mut device = EnigoDevice::open()?;
    let corners = Corners::of_desktop(&device)?;
    let flag = stop.downgrade();
    spawn("corners", move || {
        while let Some(stop) = flag.upgrade() {
            let Ok(pointer) = device.position() else { return };
            if corners.thrown_into(pointer, stop.put()) {
                stop.trip(StopReason::Corner);
            }
            if stop.reason().is_some() {
                return;
            }
            drop(stop);
            thread::sleep(LOOK_EVERY);
        }
    })
}

/// Trips the flag on Ctrl-C, and on Unix on `SIGTERM`; a second one ends the process with status 3.
///
/// Needed for the button to be released: by itself, a signal would end the process in the middle of a drag.
/// A panic hook cannot help there, and the X server keeps a button pressed that nobody releases.
pub fn watch_interrupt(stop: &StopFlag) -> Result<(), MouseError> {
    let flag = stop.downgrade();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()
        .map_err(|e| MouseError::Open(format!("cannot wait for Ctrl-C: {e}")))?;
    // Entered, not blocked on: the caller may be inside a runtime of its own.
    let entered = runtime.enter();
    let mut signals = Interrupts::new().map_err(|e| MouseError::Open(format!("cannot wait for Ctrl-C: {e}")))?;
    drop(entered);
    spawn("interrupt", move || {
        while runtime.block_on(signals.next()) {
            match flag.upgrade() {
                Some(stop) if stop.reason().is_none() => stop.trip(StopReason::CtrlC),
                _ => std::process::exit(3),
            }
        }
    })
}

fn spawn(name: &str, body: impl FnOnce() + Send + 'static) -> Result<(), MouseError> {
    let thread = thread::Builder::new().name(format!("torres-{name}")).spawn(body);
    thread
        .map(drop)
        .map_err(|e| MouseError::Open(format!("cannot start a watching thread: {e}")))
}

#[cfg(unix)]
struct Interrupts {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Interrupts {
    fn new() -> std::io::Result<Interrupts> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Interrupts {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    /// Waits for the next one; false if there can be none any more.
    async fn next(&mut self) -> bool {
        tokio::select! {
            received = self.interrupt.recv() => received.is_some(),
            received = self.terminate.recv() => received.is_some(),
        }
    }
}

#[cfg(not(unix))]
struct Interrupts;

#[cfg(not(unix))]
impl Interrupts {
    fn new() -> std::io::Result<Interrupts> {
        Ok(Interrupts)
    }

    async fn next(&mut self) -> bool {
        tokio::signal::ctrl_c().await.is_ok()
    }
}
