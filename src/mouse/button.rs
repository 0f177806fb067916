//! Says whether a mouse of this process has the button down. Who ends the process asks it first.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Longest time that the end of the process waits for the button: a gesture that is told to stop lets go within some
/// 10 ms. One that does not is held up by its display, and the watchdog lets go in its place.
const UP_WITHIN: Duration = Duration::from_secs(1);

static DOWN: Mutex<u32> = Mutex::new(0);
static UP: Condvar = Condvar::new();

/// The button is down, or about to be, until this is dropped.
pub(super) struct Down(());

impl Down {
    /// Takes it; must be called before the button is pressed. Waits for ever once the process ends.
    pub(crate) fn begin() -> Down {
        *down() += 1;
        Down(())
    }
}

impl Drop for Down {
    fn drop(&mut self) {
        *down() -= 1;
        UP.notify_all();
    }
}

/// Ends the process with this status when the button is up; from now on nobody presses it.
pub(super) fn end_process(status: i32) -> ! {
    let none_down = UP.wait_timeout_while(down(), UP_WITHIN, |down| *down > 0);
    // Kept until the end, so that nobody presses meanwhile.
    let _kept = none_down.unwrap_or_else(PoisonError::into_inner);
    std::process::exit(status)
}

fn down() -> MutexGuard<'static, u32> {
    // Every change is a single step, so that a panic elsewhere cannot have left half of one.
    DOWN.lock().unwrap_or_else(PoisonError::into_inner)
}
