//! Trips a [`StopFlag`] when the pointer is in a corner, on signals, and on panics.

use super::device::{Device, EnigoDevice};
use super::stop::WeakStopFlag;
use super::{Corners, MouseError, StopFlag, StopReason, button};
use std::panic;
use std::sync::{Mutex, Once, PoisonError};
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

/// Trips the flag when the process is to end or cannot be trusted any more: on Ctrl-C, on Unix also on `SIGHUP` (unless
/// it is ignored, as `nohup` has it), `SIGTERM` and `SIGQUIT`, and when any thread panics. A second signal ends the
/// process with status 3, when the button is up.
///
/// Needed for the button to be released: by itself, a signal would end the process in the middle of a drag, and the X
/// server keeps a button pressed that nobody releases.
pub fn watch_interrupt(stop: &StopFlag) -> Result<(), MouseError> {
    watch_panics(stop);
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
        while let Some(reason) = runtime.block_on(signals.next()) {
            match flag.upgrade() {
                Some(stop) if stop.reason().is_none() => stop.trip(reason),
                // The shell passes on a hang-up that the terminal has sent already: this one does not ask a second
                // time.
                Some(_) if reason == StopReason::HungUp => {}
                _ => button::end_process(3),
            }
        }
    })
}

/// The flags that a panic trips.
static WATCHED: Mutex<Vec<WeakStopFlag>> = Mutex::new(Vec::new());

/// Has a panic of any thread trip the flag, before its message is printed as ever. A gesture's own thread lets go of
/// the button as it unwinds; this is for the gestures of the others, which go on.
fn watch_panics(stop: &StopFlag) {
    static HOOKED: Once = Once::new();
    let mut watched = WATCHED.lock().unwrap_or_else(PoisonError::into_inner);
    watched.retain(|flag| flag.upgrade().is_some());
    watched.push(stop.downgrade());
    drop(watched);
    HOOKED.call_once(|| {
        let message = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let watched = WATCHED.lock().unwrap_or_else(PoisonError::into_inner);
            let flags: Vec<StopFlag> = watched.iter().filter_map(WeakStopFlag::upgrade).collect();
            drop(watched);
            flags.iter().for_each(|stop| stop.trip(StopReason::Panicked));
            message(info);
        }));
    });
}

pub(super) fn spawn(name: &str, body: impl FnOnce() + Send + 'static) -> Result<(), MouseError> {
    let thread = thread::Builder::new().name(format!("torres-{name}")).spawn(body);
    thread
        .map(drop)
        .map_err(|e| MouseError::Open(format!("cannot start a watching thread: {e}")))
}

#[cfg(unix)]
struct Interrupts {
    interrupt: tokio::signal::unix::Signal,
    /// `None` where the user wants to outlive the terminal (`nohup`).
    hang_up: Option<tokio::signal::unix::Signal>,
    terminate: tokio::signal::unix::Signal,
    quit: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Interrupts {
    fn new() -> std::io::Result<Interrupts> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Interrupts {
            interrupt: signal(SignalKind::interrupt())?,
            hang_up: match hang_up_is_ignored() {
                true => None,
                false => Some(signal(SignalKind::hangup())?),
            },
            terminate: signal(SignalKind::terminate())?,
            quit: signal(SignalKind::quit())?,
        })
    }

    /// Waits for the next signal and says what it means; `None` if no further one can come.
    async fn next(&mut self) -> Option<StopReason> {
        let hang_up = async {
            match &mut self.hang_up {
                Some(signal) => signal.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            received = self.interrupt.recv() => received.map(|()| StopReason::CtrlC),
            received = hang_up => received.map(|()| StopReason::HungUp),
            received = self.terminate.recv() => received.map(|()| StopReason::Terminated),
            received = self.quit.recv() => received.map(|()| StopReason::Terminated),
        }
    }
}

/// Whether whoever started us had hang-ups ignored, as far as the system tells.
#[cfg(unix)]
fn hang_up_is_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    // The lowest bit is that of signal number 1, which is this one.
    mask.is_some_and(|mask| mask & 1 != 0)
}

#[cfg(not(unix))]
struct Interrupts;

#[cfg(not(unix))]
impl Interrupts {
    fn new() -> std::io::Result<Interrupts> {
        Ok(Interrupts)
    }

    async fn next(&mut self) -> Option<StopReason> {
        tokio::signal::ctrl_c().await.ok().map(|()| StopReason::CtrlC)
    }
}
