//! The terminal while Torres plays: a line that changes in place, lines that stay, and single keys.
//!
//! Where output is no terminal, only the lines that stay are printed. Where input is no terminal, nobody can answer.

use crate::bot::driver::Command;
use crate::picture::{one_line, printable};
use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers};
use crossterm::terminal;
use std::io::{IsTerminal, Write};
use std::time::Duration;
use tokio::sync::mpsc::UnboundedSender;

/// How long a wait for a key lasts before the thread looks whether anybody still listens.
const KEY_WAIT: Duration = Duration::from_millis(200);

/// The terminal of a running game; dropped, it is as it was.
pub struct Console {
    raw: bool,
    in_place: bool,
    pending: bool,
}

impl Console {
    /// Takes the terminal, where there is one, and tells what its user types.
    pub fn open(tell: &UnboundedSender<Command>) -> Console {
        let in_place = std::io::stdout().is_terminal();
        let raw = std::io::stdin().is_terminal() && terminal::enable_raw_mode().is_ok();
        if raw {
            keys(tell.clone());
        }
        Console {
            raw,
            in_place,
            pending: false,
        }
    }

    /// Prints a line that stays.
    pub fn line(&mut self, text: &str) {
        let start = if self.pending { "\r\x1b[K" } else { "" };
        self.pending = false;
        let end = if self.raw { "\r\n" } else { "\n" };
        let mut out = std::io::stdout();
        let _ = write!(out, "{start}{}{end}", printable(text).replace('\n', end));
        let _ = out.flush();
    }

    /// Shows what holds right now, in place of what was shown before.
    pub fn status(&mut self, text: &str) {
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
    pub fn has_keys(&self) -> bool {
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

/// A thread that waits for keys until nobody listens any more.
fn keys(tell: UnboundedSender<Command>) {
    std::thread::spawn(move || {
        while !tell.is_closed() {
            let Ok(true) = crossterm::event::poll(KEY_WAIT) else {
                continue;
            };
            let Ok(Event::Key(key)) = crossterm::event::read() else {
                continue;
            };
            if key.kind != KeyEventKind::Press {
                continue;
            }
            // In raw mode Ctrl-C is a key like any other.
            let command = match key.code {
                KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => Command::Quit,
                KeyCode::Char('q') => Command::Quit,
                KeyCode::Char('p') => Command::PauseOrResume,
                _ => continue,
            };
            if tell.send(command).is_err() {
                return;
            }
        }
    });
}
