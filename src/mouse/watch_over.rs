//! What the watchdog's process does: it releases the button where the holder of the mouse has ended in a press.

use super::device::{Device, EnigoDevice};
use super::error::HoldError;
use super::hold::Lock;
use super::watchdog::PRESSED;
use std::io::BufRead;
use std::thread;
use std::time::{Duration, Instant};

/// How long the last press of a holder that has ended may take to reach the display.
const LATE: Duration = Duration::from_millis(200);
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// Guards the button: `told` is the pipe from the holder, `holder` what the mouse's lock says of it.
///
/// Ends when the holder has ended, and the button is up.
pub fn watch_over(told: impl BufRead, holder: &str) -> Result<(), HoldError> {
    // Connected now: when the holder is killed it is too late.
    let mut device = EnigoDevice::open()?;
    let mut lock = Lock::open()?;
    if !ended_pressed(told) {
        return Ok(());
    }
    // If another Torres has the mouse, it has released the button already, and a press is its own.
    let label = format!("process {}, letting go for {holder}", std::process::id());
    if lock.take(&label, Some(holder))?.is_some_and(|by| by != holder) {
        return Ok(());
    }
    let began = Instant::now();
    device.release()?;
    while began.elapsed() < LATE {
        if !device.button_settled()? {
            device.release()?;
        }
        thread::sleep(LOOK_EVERY);
    }
    Ok(())
}

/// Waits for the holder's end; whether it had the button down.
fn ended_pressed(told: impl BufRead) -> bool {
    told.bytes().map_while(Result::ok).last() == Some(PRESSED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_holder_that_ends_in_a_press_leaves_the_button_down() {
        assert!(!ended_pressed(&b""[..]));
        assert!(!ended_pressed(&b"pr"[..]));
        assert!(ended_pressed(&b"p"[..]));
        assert!(ended_pressed(&b"prp"[..]));
    }
}
