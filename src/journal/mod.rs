//! What Torres decided and why, written down for people and for later runs.
//!
//! A [`Journal`] takes one JSON line per decision and the evidence behind the doubtful ones; [`pgn`] writes the game;
//! [`ContactSheet`] draws what was seen at each of our moves, and [`Film`] shows the whole game in ten seconds.
//! [`Entries`] reads a journal back, and [`story`] tells from it what was seen, decided, done and verified at every
//! ply. Everything comes in as plain values: the journal knows no other room but the frames it stores, and nothing here
//! decides anything.

mod board_picture;
mod contact_sheet;
pub mod event;
mod evidence;
mod film;
mod fuzz_tests;
pub mod pgn;
mod read;
pub mod results;
pub mod story;

pub use contact_sheet::ContactSheet;
pub use event::{Entry, Eval, Event, GestureKind, KnownBy, PonderEnd, Verdict};
pub use evidence::Evidence;
pub use film::Film;
pub use read::{Damage, Entries, journal_of};

use evidence::{Writer, folder_name, highest_number};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use torres_frame::folder::naming;
use torres_frame::{Clocks, Timestamp};

/// `journal.jsonl` and `evidence/` in an output folder. Each line is on its way to the disk when a call returns.
#[derive(Debug)]
pub struct Journal {
    dir: PathBuf,
    file: File,
    next_evidence: u32,
    writer: Option<Writer>,
}

impl Journal {
    /// Opens the journal of a folder, which is made if it is not there. What an earlier run left is kept and added to.
    pub fn open(dir: &Path) -> io::Result<Journal> {
        fs::create_dir_all(dir).map_err(naming(dir))?;
        let path = dir.join("journal.jsonl");
        let file = File::options()
            .create(true)
            .append(true)
            .open(&path)
            .map_err(naming(&path))?;
        Ok(Journal {
            dir: dir.to_path_buf(),
            file,
            next_evidence: highest_number(&dir.join("evidence")) + 1,
            writer: None,
        })
    }

    /// Writes down what happened just now.
    pub fn write(&mut self, event: Event) -> io::Result<()> {
        let clocks = Clocks::now();
        self.write_at(&clocks, clocks.moment, event)
    }

    /// Writes down what happened at another moment. All times of a line, the event's own too, are told by one reading
    /// of the clocks.
    pub fn write_at(&mut self, clocks: &Clocks, at: Timestamp, event: Event) -> io::Result<()> {
        let entry = Entry {
            t_ms: clocks.wall(at),
            boot_ms: Some((at.as_ms() * 1e3).round() / 1e3),
            event,
        };
        let mut line = serde_json::to_vec(&entry)?;
        line.push(b'\n');
        self.file
            .write_all(&line)
            .map_err(naming(&self.dir.join("journal.jsonl")))
    }

    /// Stores evidence as `evidence/NNNN-kind/`, a folder in the fixture format with `decision.json` beside the frames,
    /// and returns its path relative to the journal at once: the folder is written by another thread and has its name
    /// when it is whole.
    pub fn evidence(&mut self, evidence: Evidence) -> io::Result<PathBuf> {
        let name = Path::new("evidence").join(folder_name(self.next_evidence, &evidence.kind));
        self.next_evidence += 1;
        let writer = match &mut self.writer {
            Some(writer) => writer,
            none => none.insert(Writer::start()?),
        };
        writer.write(self.dir.join(&name), evidence);
        Ok(name)
    }

    /// Waits until all evidence is on the disk; the first thing that could not be written is the error.
    pub fn settle(&mut self) -> io::Result<()> {
        self.writer.take().map_or(Ok(()), Writer::finish)
    }

    /// The output folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgba, RgbaImage};
    use serde_json::json;
    use torres_frame::{Frame, WallTime};
    use torres_geometry::{DesktopPx, Orientation};

    fn frame(shade: u8, ms: f64) -> Frame {
        Frame {
            image: RgbaImage::from_pixel(16, 16, Rgba([shade, shade, shade, 255])).into(),
            at: Timestamp::from_ms(1_000_000.0 + ms),
            origin: DesktopPx::default(),
        }
    }

    fn note(text: &str) -> Event {
        Event::Note { text: text.into() }
    }

    fn entries(dir: &Path) -> Vec<Entry> {
        let text = fs::read_to_string(dir.join("journal.jsonl")).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn each_decision_is_a_line_that_is_there_at_once_and_a_second_run_adds_to_it() {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("made/on/demand");
        let mut journal = Journal::open(&out).unwrap();
        let clocks = Clocks {
            moment: Timestamp::from_ms(90_000.0),
            wall: WallTime::from_ms(1_700_000_000_123.4),
        };
        let at = Timestamp::from_ms(89_000.5);
        journal.write_at(&clocks, at, note("one\nline")).unwrap();
        assert_eq!(
            entries(&out),
            [Entry {
                t_ms: WallTime::from_ms(1_699_999_999_123.9),
                boot_ms: Some(89_000.5),
                event: note("one\nline")
            }]
        );
        drop(journal);
        Journal::open(&out).unwrap().write(note("two")).unwrap();
        assert_eq!(entries(&out).len(), 2);
    }

    #[test]
    fn evidence_is_a_fixture_with_the_details_beside_it() {
        let dir = tempfile::tempdir().unwrap();
        let mut journal = Journal::open(dir.path()).unwrap();
        let (a, b) = (frame(10, 0.0), frame(20, 17.5));
        let (calibration, decision) = (
            json!({"look": {}}),
            json!({"candidates": [{"moves": ["e2e4"], "cost": 0.4}]}),
        );
        let evidence = Evidence {
            kind: "not landed/?".into(),
            frames: vec![a.clone(), a, b.clone()],
            bottom: Orientation::Black,
            fen: "8/8/8/8/8/8/8/8 w - - 0 1".into(),
            calibration: Some(calibration.clone()),
            decision: decision.clone(),
        };
        assert_eq!(
            journal.evidence(evidence.clone()).unwrap(),
            Path::new("evidence/0001-not_landed__")
        );
        journal.settle().unwrap();
        let folder = dir.path().join("evidence/0001-not_landed__");
        let json = |name: &str| -> serde_json::Value {
            serde_json::from_str(&fs::read_to_string(folder.join(name)).unwrap()).unwrap()
        };
        assert_eq!(json("fixture.json")["calibration"], "calibration.json");
        assert_eq!(json("fixture.json")["bottom"], "black");
        assert_eq!(json("calibration.json"), calibration);
        assert_eq!(json("decision.json"), decision);
        let lines = fs::read_to_string(folder.join("frames.jsonl")).unwrap();
        let last: serde_json::Value = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
        assert_eq!(
            (&last["file"], &last["t_ms"]),
            (&json!("frames/0001.png"), &json!(17.5))
        );
        assert_eq!(
            image::open(folder.join("frames/0001.png")).unwrap().into_rgba8(),
            *b.image
        );

        // Another run does not write over it.
        let mut later = Journal::open(dir.path()).unwrap();
        let name = later.evidence(evidence).unwrap();
        assert_eq!(name, Path::new("evidence/0002-not_landed__"));
        drop(later);
        assert!(dir.path().join(name).join("decision.json").exists());
    }

    #[test]
    fn evidence_that_cannot_be_written_is_told_when_all_is_settled() {
        let dir = tempfile::tempdir().unwrap();
        let mut journal = Journal::open(dir.path()).unwrap();
        fs::write(dir.path().join("evidence"), "in the way").unwrap();
        let evidence = Evidence {
            kind: "unknown".into(),
            frames: vec![frame(10, 0.0)],
            bottom: Orientation::White,
            fen: String::new(),
            calibration: None,
            decision: json!({}),
        };
        journal.evidence(evidence).unwrap();
        let error = journal.settle().unwrap_err();
        assert!(error.to_string().contains("0001-unknown"), "{error}");
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_an_error_that_names_it() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("file"), "in the way").unwrap();
        let error = Journal::open(&dir.path().join("file")).unwrap_err();
        assert!(error.to_string().contains("file"), "{error}");
    }
}
