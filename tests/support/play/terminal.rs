//! A pseudo-terminal: a command runs on it as on its user's, a test types, and closes it.

use rustix::event::{PollFd, PollFlags, poll};
use rustix::fd::OwnedFd;
use rustix::pty::{OpenptFlags, grantpt, ioctl_tiocgptpeer, openpt, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};
use std::fs::File;
use std::io::{PipeWriter, Read, Write};
use std::process::{Child, Command};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// What an ended command said is read from its terminal within this time.
const DRAINS_WITHIN: Duration = Duration::from_secs(2);

/// Its size, as most windows have it.
const SIZE: Winsize = Winsize {
    ws_row: 24,
    ws_col: 80,
    ws_xpixel: 0,
    ws_ypixel: 0,
};

/// What a user types to a game. In raw mode Ctrl-C is a key like the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// Pauses and resumes.
    P,
    /// Ends.
    Q,
    /// Ends.
    CtrlC,
}

impl Key {
    fn bytes(self) -> &'static str {
        match self {
            Key::P => "p",
            Key::Q => "q",
            Key::CtrlC => "\x03",
        }
    }
}

/// The user's end of the terminal. Dropped, the terminal is gone: whoever runs on it gets SIGHUP.
pub struct Terminal {
    // Before the keyboard: the reader has it too, and ends when this is closed.
    reader: Option<(PipeWriter, JoinHandle<()>)>,
    keyboard: Arc<File>,
}

impl Terminal {
    /// Starts a command in a session of its own, with this as its controlling terminal; what it shows goes into a file.
    pub fn start(command: &Command, shown: File) -> std::io::Result<(Child, Terminal)> {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let keyboard = openpt(flags)?;
        grantpt(&keyboard)?;
        unlockpt(&keyboard)?;
        tcsetwinsize(&keyboard, SIZE)?;
        let screen: OwnedFd = ioctl_tiocgptpeer(&keyboard, flags)?;
        let child = in_a_session(command)
            .stdin(screen.try_clone()?)
            .stdout(screen.try_clone()?)
            .stderr(screen)
            .spawn()?;
        let keyboard = Arc::new(File::from(keyboard));
        let (closing, close) = std::io::pipe()?;
        let shows = Arc::clone(&keyboard);
        let reader = std::thread::spawn(move || copy(&shows, &closing, shown));
        let terminal = Terminal {
            reader: Some((close, reader)),
            keyboard,
        };
        Ok((child, terminal))
    }

    /// Types a key.
    pub fn press(&self, key: Key) {
        self.type_text(key.bytes());
    }

    /// Types a text.
    pub fn type_text(&self, text: &str) {
        (&*self.keyboard)
            .write_all(text.as_bytes())
            .expect("the terminal takes keys");
    }

    /// Waits until all is shown that a command said which has ended; for a moment at most, since others may have the
    /// terminal still.
    pub fn shows_all(&self) {
        let began = Instant::now();
        let is_open = || matches!(&self.reader, Some((_, reader)) if !reader.is_finished());
        while is_open() && began.elapsed() < DRAINS_WITHIN {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Whether each key goes to the command as it is typed.
    pub fn is_raw(&self) -> bool {
        let modes = tcgetattr(&*self.keyboard).expect("a terminal's modes").local_modes;
        !modes.contains(LocalModes::ICANON)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if let Some((close, reader)) = self.reader.take() {
            drop(close);
            let _ = reader.join();
        }
    }
}

/// `setsid` becomes the command, which has the process's number then; no code of ours runs between fork and exec.
fn in_a_session(command: &Command) -> Command {
    let mut session = Command::new("setsid");
    session
        .arg("--ctty")
        .arg(command.get_program())
        .args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => session.env(name, value),
            None => session.env_remove(name),
        };
    }
    if let Some(folder) = command.get_current_dir() {
        session.current_dir(folder);
    }
    session
}

/// Copies what is shown until nobody has the terminal any more, or it is closed here.
fn copy(terminal: &File, closing: &std::io::PipeReader, mut shown: File) {
    let mut buffer = [0; 4096];
    loop {
        let mut ends = [
            PollFd::new(terminal, PollFlags::IN),
            PollFd::new(closing, PollFlags::IN),
        ];
        if poll(&mut ends, None).is_err() || !ends[1].revents().is_empty() {
            return;
        }
        let mut terminal = terminal;
        match terminal.read(&mut buffer) {
            Ok(0) | Err(_) => return,
            Ok(count) => shown.write_all(&buffer[..count]).expect("the file takes what is shown"),
        }
    }
}

/// What a terminal showed, as lines: what was overwritten in place is a line of its own.
pub(crate) fn as_lines(shown: &str) -> String {
    shown.replace("\r\n", "\n").replace("\x1b[K", "").replace('\r', "\n")
}
