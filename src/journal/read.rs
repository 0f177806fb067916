//! A journal read back from disk, line by line: what is damaged is named, and the rest is read all the same.

use super::event::Entry;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use torres_frame::folder::naming;
use torres_printing::shortened;

/// The most characters in which it is told what is wrong with a line, whatever is quoted.
const QUOTED: usize = 300;

/// A line that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it, and where in it.
    pub why: String,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.why)
    }
}

/// What `journal.jsonl` holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Entries {
    /// The lines that can be read, by number, from 1.
    pub entries: Vec<(usize, Entry)>,
    /// The lines that cannot.
    pub damaged: Vec<Damage>,
}

/// The journal that a path means: itself, or the one in that folder.
pub fn journal_of(path: &Path) -> PathBuf {
    match path.is_dir() {
        true => path.join("journal.jsonl"),
        false => path.to_path_buf(),
    }
}

impl Entries {
    /// Reads a journal's file; the error names it.
    pub fn read(path: &Path) -> io::Result<Entries> {
        std::fs::read(path)
            .map(|bytes| Entries::parse(&bytes))
            .map_err(naming(path))
    }

    /// Reads a journal's bytes. Empty lines are passed over.
    pub fn parse(bytes: &[u8]) -> Entries {
        let mut read = Entries::default();
        let lines = bytes.split_inclusive(|byte| *byte == b'\n');
        for (line, text) in (1..).zip(lines) {
            if text.trim_ascii().is_empty() {
                continue;
            }
            match parse_line(text) {
                Ok(entry) => read.entries.push((line, entry)),
                // Every line is written with its end: without one the program was ended while it wrote.
                Err(_) if !text.ends_with(b"\n") => read.damaged.push(Damage {
                    line,
                    why: "it is cut off; the program was ended while it wrote it".to_owned(),
                }),
                Err(why) => read.damaged.push(Damage {
                    line,
                    why: shortened(&why, QUOTED),
                }),
            }
        }
        read
    }
}

fn parse_line(line: &[u8]) -> Result<Entry, String> {
    let text =
        std::str::from_utf8(line.trim_ascii_end()).map_err(|e| format!("byte {} is no UTF-8", e.valid_up_to() + 1))?;
    // An event is read in two steps, of which only the first knows columns.
    let value: serde_json::Value =
        serde_json::from_str(text).map_err(|e| format!("it is no JSON ({})", message(&e.to_string())))?;
    let event = value
        .get("event")
        .and_then(serde_json::Value::as_str)
        .unwrap_or("?")
        .to_owned();
    let entry: Entry = serde_json::from_value(value).map_err(|e| match e.to_string() {
        unknown if unknown.starts_with("unknown variant") && unknown.contains(&format!("`{event}`")) => {
            format!("the event '{event}' is not known to this version")
        }
        other => format!("it is no journal entry (event '{event}': {other})"),
    })?;
    match entry.t_ms.as_ms() {
        t if (0.0..=LATEST_MS).contains(&t) => Ok(entry),
        t => Err(format!("t_ms {t} is not a time")),
    }
}

/// The end of the year 9999, as Unix time in ms.
const LATEST_MS: f64 = 253_402_300_799_999.0;

/// A message of the JSON reader, which counts lines within what it is given: here always the first.
fn message(text: &str) -> String {
    text.replace(" at line 1 column ", " at column ")
}

#[cfg(test)]
mod tests {
    use super::super::event::Event;
    use super::*;
    use torres_frame::WallTime;

    const NOTE: &str = "{\"t_ms\":1.5,\"event\":\"note\",\"text\":\"a\"}\n";

    #[test]
    fn a_damaged_line_names_itself_and_the_rest_is_read() {
        let bytes = [
            NOTE.as_bytes(),
            b"{\"t_ms\":2,\"event\":\n",
            b"\n",
            b"{\"t_ms\":2,\"event\":\"dance\"}\n",
            b"{\"t_ms\":2,\"event\":\"note\"}\n",
            b"{\"t_ms\":-2,\"event\":\"note\",\"text\":\"\"}\n",
            b"{\"t_ms\":2,\"event\":\"note\",\"text\":\"\xff\"}\n",
            b"{\"event\":\"note\",\"text\":\"\"}\n",
            NOTE.as_bytes(),
        ];
        let read = Entries::parse(&bytes.concat());
        let note = Entry {
            t_ms: WallTime::from_ms(1.5),
            boot_ms: None,
            event: Event::Note { text: "a".into() },
        };
        assert_eq!(read.entries, [(1, note.clone()), (9, note)]);
        let said: Vec<String> = read.damaged.iter().map(ToString::to_string).collect();
        let expected = [
            ("line 2: ", "column 18"),
            ("line 4: ", "'dance' is not known"),
            ("line 5: ", "'note': missing field `text`"),
            ("line 6: ", "t_ms -2"),
            ("line 7: ", "byte 34 is no UTF-8"),
            ("line 8: ", "missing field `t_ms`"),
        ];
        assert_eq!(said.len(), expected.len(), "{said:#?}");
        for (said, (line, word)) in said.iter().zip(expected) {
            assert!(said.starts_with(line) && said.contains(word), "{said}");
        }
    }

    #[test]
    fn a_line_that_was_being_written_says_so() {
        let cut = &NOTE[..NOTE.len() - 10];
        let read = Entries::parse(format!("{NOTE}{cut}").as_bytes());
        assert_eq!(read.entries.len(), 1);
        assert!(
            read.damaged[0].to_string().starts_with("line 2: it is cut off"),
            "{read:?}"
        );
        // Only its end is missing: all is there.
        assert_eq!(Entries::parse(NOTE.trim_end().as_bytes()).entries.len(), 1);
    }

    #[test]
    fn a_folder_stands_for_the_journal_in_it() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("journal.jsonl");
        assert_eq!(journal_of(dir.path()), file);
        assert_eq!(journal_of(&file), file);
        let error = Entries::read(&file).unwrap_err();
        assert!(error.to_string().contains("journal.jsonl"), "{error}");
    }
}
