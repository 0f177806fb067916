//! Another process that lets go of the button where this one ends in the middle of a press.
//!
//! An X server keeps a button pressed by a program that is gone. Signals and panics let go by themselves; of `kill -9`
//! and of an abort nothing in the process can know. So the holder of the mouse starts `torres watchdog` and writes to
//! its standard input when the button goes down and when it is up. The end of that pipe is the end of the holder,
//! however it came; had the button been down, the watchdog releases it. Then it ends too.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// Sent before the button goes down.
pub(super) const PRESSED: u8 = b'p';
/// Sent when it is up.
const RELEASED: u8 = b'r';

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
