//! The site's log: what really happened, one JSON object per line, for tests and recordings to judge by.

use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use torres_frame::WallTime;

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    /// A game began; `fen` is its start, `detail` its colour, level and clock.
    Game,
    /// A move was played; `fen` is the position after it.
    Move,
    /// On the page no piece moves any more; `t_ms` is the page's.
    AtRest,
    /// The player's move was not legal, or too late.
    Refused,
    /// A mouse button went down or up on the page; `detail` is an object as JSON text.
    Pointer,
    /// The game ended; `detail` is score and reason, such as `1-0 checkmate`.
    Result,
}

/// Who did it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// Whoever sits at the page.
    Player,
    /// The site's bot.
    Bot,
}

/// One line of the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// Unix time in ms.
    pub t_ms: u64,
    /// What happened.
    pub event: EventKind,
    /// Who did it, if it was one of the two.
    pub by: Option<By>,
    /// The UCI move that it is about.
    #[serde(rename = "move")]
    pub uci: Option<String>,
    /// The position: after a move, shown at rest, or unchanged.
    pub fen: String,
    /// More, in words.
    pub detail: String,
}

/// Unix time now, in ms.
pub fn now_ms() -> u64 {
    WallTime::now().as_ms() as u64
}

/// Keeps every line, and appends it to a file where one was given.
#[derive(Debug, Default)]
pub struct EventLog {
    file: Option<File>,
    lines: String,
}

impl EventLog {
    /// A log that also appends to `path`.
    pub fn open(path: Option<&Path>) -> io::Result<EventLog> {
        let file = path
            .map(|path| OpenOptions::new().create(true).append(true).open(path))
            .transpose()?;
        Ok(EventLog {
            file,
            lines: String::new(),
        })
    }

    /// Adds a line, whole and at once. A file that cannot be written any more is given up with a word on stderr:
    /// the game goes on.
    pub fn write(&mut self, event: &Event) {
        let Ok(mut line) = serde_json::to_string(event) else {
            return;
        };
        line.push('\n');
        self.lines.push_str(&line);
        if let Some(file) = &mut self.file
            && let Err(error) = file.write_all(line.as_bytes()).and_then(|()| file.flush())
        {
            eprintln!("torres: the site's log cannot be written any more: {error}; free the disk and start again");
            self.file = None;
        }
    }

    /// All lines since the site was started.
    pub fn lines(&self) -> &str {
        &self.lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_what_the_design_says_and_are_appended() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("site.jsonl");
        std::fs::write(&path, "{\"older\":1}\n").unwrap();
        let mut log = EventLog::open(Some(&path)).unwrap();
        log.write(&Event {
            t_ms: 12,
            event: EventKind::AtRest,
            by: Some(By::Bot),
            uci: Some("e7e5".into()),
            fen: "f".into(),
            detail: String::new(),
        });
        let line = r#"{"t_ms":12,"event":"at_rest","by":"bot","move":"e7e5","fen":"f","detail":""}"#;
        assert_eq!(
            std::fs::read_to_string(&path).unwrap(),
            format!("{{\"older\":1}}\n{line}\n")
        );
        assert_eq!(log.lines(), format!("{line}\n"));
    }
}
