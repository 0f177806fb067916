//! Another process that lets go of the button where this one ends in the middle of a press.
//!
//! An X server keeps a button pressed by a program that is gone. Signals and panics let go by themselves; of `kill -9`
//! and of an abort nothing in the process can know. So the holder of the mouse starts `torres watchdog` and writes to
//! its standard input when the button goes down and when it is up. The end of that pipe is the end of the holder,
//! however it came; had the button been down, the watchdog releases it. Then it ends too.

use super::device::{Device, EnigoDevice};
use super::hold::{HoldError, Lock};
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Sent before the button goes down.
const PRESSED: u8 = b'p';
/// Sent when it is up.
const RELEASED: u8 = b'r';

/// How long the last press of a holder that has ended may take to reach the display.
const LATE: Duration = Duration::from_millis(200);
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// Without our console, whose Ctrl-C and end would be its too.
#[cfg(windows)]
const DETACHED_PROCESS: u32 = 0x8;

/// The watchdog, as the watched process sees it.
pub(super) struct Watchdog {
    torres: PathBuf,
    holder: String,
    process: Mutex<Child>,
}

impl Watchdog {
    /// Starts one; `torres` is the program whose subcommand it is, `holder` what the mouse's lock says of this process.
    pub(crate) fn start(torres: &Path, holder: &str) -> io::Result<Watchdog> {
        Ok(Watchdog {
            torres: torres.to_owned(),
            holder: holder.to_owned(),
            process: Mutex::new(spawn(torres, holder)?),
        })
    }

    /// Must be called before the button goes down. Replaces a watchdog that was killed.
    pub(crate) fn will_press(&self) {
        let mut process = self.process.lock().unwrap_or_else(PoisonError::into_inner);
        if tell(&mut process, PRESSED).is_ok() {
            return;
        }
        // The game goes on without a watchdog: signals and panics release the button too.
        if let Ok(another) = spawn(&self.torres, &self.holder) {
            let _ = std::mem::replace(&mut *process, another).try_wait();
            let _ = tell(&mut process, PRESSED);
        }
    }

    /// Must be called when the button is up.
    pub(crate) fn has_released(&self) {
        let mut process = self.process.lock().unwrap_or_else(PoisonError::into_inner);
        // If the watchdog is gone, the next press notices it.
        let _ = tell(&mut process, RELEASED);
    }
}

fn spawn(torres: &Path, holder: &str) -> io::Result<Child> {
    let mut command = Command::new(torres);
    command.args(["watchdog", holder]);
    // A program that reads our output to its end must not wait for the watchdog.
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    // Neither Ctrl-C, nor the terminal's end, nor a signal to our process group goes to a group of its own.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    #[cfg(windows)]
    std::os::windows::process::CommandExt::creation_flags(&mut command, DETACHED_PROCESS);
    command.spawn()
}

fn tell(process: &mut Child, what: u8) -> io::Result<()> {
    let pipe = process.stdin.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
    pipe.write_all(&[what])
}

/// What the watchdog's process does: `told` is the pipe from the holder, `holder` what the mouse's lock says of it.
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
