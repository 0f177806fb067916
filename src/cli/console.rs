//! The terminal while Torres plays: a line that changes in place, lines that stay, and single keys.
//!
//! Where output is no terminal, only the lines that stay are printed. Where input is no terminal, nobody can answer.

use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::terminal;
use std::io::{IsTerminal, Write};
use std::time::Duration;
use torres_bot::commands::{Command, Remote};
use torres_mouse::StopReason;
use torres_printing::{one_line, printable};

/// How long a wait for a key lasts before the thread looks whether anybody still listens.
const KEY_WAIT: Duration = Duration::from_millis(200);

/// The terminal of a running game; dropped, it is as it was.
pub(crate) struct Console {
    raw: bool,
    in_place: bool,
    pending: bool,
}

impl Console {
    /// Takes the terminal, where there is one, and passes on what its user types.
    pub(crate) fn open(remote: &Remote) -> Console {
        let in_place = std::io::stdout().is_terminal();
        let raw = std::io::stdin().is_terminal() && terminal::enable_raw_mode().is_ok();
        if raw {
            keys(remote.clone());
        }
        Console {
            raw,
            in_place,
            pending: false,
        }
    }

    /// Prints a line that stays.
    pub(crate) fn line(&mut self, text: &str) {
        let start = if self.pending { "\r\x1b[K" } else { "" };
        self.pending = false;
        let end = if self.raw { "\r\n" } else { "\n" };
        let mut out = std::io::stdout();
        let _ = write!(out, "{start}{}{end}", printable(text).replace('\n', end));
        let _ = out.flush();
    }

    /// Shows what holds right now, in place of what was shown before.
    pub(crate) fn status(&mut self, text: &str) {
        if !self.in_place {
            return;
        }
        let width = terminal::size().map_or(80, |(columns, _)| usize::from(columns));
        let shown: String = one_line(text).chars().take(width.saturating_sub(1)).collect();
        let mut out = std::io::stdout();
        let _ = write!(out, "\r\x1b[K{shown}");
        let _ = out.flush();
        self.pending = true;
    }

    /// Whether a user can press keys.
    pub(crate) fn has_keys(&self) -> bool {
        self.raw
    }
}

impl Drop for Console {
    fn drop(&mut self) {
        if self.pending {
            self.line("");
        }
        if self.raw {
            let _ = terminal::disable_raw_mode();
        }
    }
}

/// A thread that waits for keys until nobody obeys any more, or the terminal is closed.
fn keys(remote: Remote) {
    std::thread::spawn(move || {
        while !remote.is_closed() {
            match wait() {
                Wait::Nothing => {}
                Wait::Closed => return remote.stop(StopReason::HungUp),
                Wait::Typed => {
                    while let Some(typed) = typed() {
                        press(typed, &remote);
                    }
                }
            }
        }
    });
}

fn press(key: KeyEvent, remote: &Remote) {
    match key.code {
        // In raw mode Ctrl-C is a key like any other.
        KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => remote.stop(StopReason::CtrlC),
        KeyCode::Char('q') => remote.quit(),
        KeyCode::Char('p') => remote.say(Command::PauseOrResume),
        _ => {}
    }
}

/// The next key of those typed so far.
fn typed() -> Option<KeyEvent> {
    while event::poll(Duration::ZERO).is_ok_and(|more| more) {
        match event::read() {
            Ok(Event::Key(key)) if key.kind == KeyEventKind::Press => return Some(key),
            Ok(_) => {}
            Err(_) => return None,
        }
    }
    None
}

/// What a wait for keys brought.
enum Wait {
    Nothing,
    Typed,
    /// The terminal is gone.
    Closed,
}

/// Waits for keys. The terminal is asked itself: crossterm's own wait would never return from one that is closed, where
/// `SIGHUP` is ignored.
#[cfg(unix)]
fn wait() -> Wait {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdin = std::io::stdin();
    let mut terminal = [PollFd::new(&stdin, PollFlags::IN)];
    let Ok(patience) = Timespec::try_from(KEY_WAIT) else {
        return Wait::Nothing;
    };
    match poll(&mut terminal, Some(&patience)) {
        Ok(0) | Err(rustix::io::Errno::INTR) => return Wait::Nothing,
        Ok(_) => {}
        Err(_) => return Wait::Closed,
    }
    let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
    match terminal[0].revents().intersects(gone) {
        true => Wait::Closed,
        false => Wait::Typed,
    }
}

#[cfg(not(unix))]
fn wait() -> Wait {
    match event::poll(KEY_WAIT) {
        Ok(false) => Wait::Nothing,
        Ok(true) => Wait::Typed,
        Err(_) => Wait::Closed,
    }
}
