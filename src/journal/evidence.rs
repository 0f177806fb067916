//! Evidence folders, written beside the game: encoding the pictures takes longer than a look at the board may.

use serde_json::Value;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle};
use torres_frame::Frame;
use torres_frame::Timestamp;
use torres_frame::folder::{FORMAT, FolderWriter, Header, naming};
use torres_geometry::Orientation;

/// What a doubtful decision rests on, stored so that `torres replay` can look at it again.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// A word for the folder's name, such as `unknown` or `retry`.
    pub kind: String,
    /// The frames, oldest first; the first should show the position believed, the last is the one that was decided on.
    pub frames: Vec<Frame>,
    /// The colour at the bottom.
    pub bottom: Orientation,
    /// The position believed before, as FEN.
    pub fen: String,
    /// The calibration in use, as its file has it.
    pub calibration: Option<Value>,
    /// What was decided, with candidates, every square's scores, and whatever else explains it.
    pub decision: Value,
}

/// A thread that writes one folder after the other.
#[derive(Debug)]
pub(super) struct Writer {
    jobs: Option<Sender<(PathBuf, Evidence)>>,
    thread: Option<JoinHandle<io::Result<()>>>,
}

impl Writer {
    pub(crate) fn start() -> io::Result<Writer> {
        let (jobs, waiting) = channel();
        let thread = Builder::new().name("evidence".into()).spawn(move || work(&waiting))?;
        Ok(Writer {
            jobs: Some(jobs),
            thread: Some(thread),
        })
    }

    /// Leaves evidence to be written to that folder.
    pub(crate) fn write(&self, dir: PathBuf, evidence: Evidence) {
        if let Some(jobs) = &self.jobs {
            // The thread lives as long as this sender; should it have died, `finish` says so.
            let _ = jobs.send((dir, evidence));
        }
    }

    /// Waits until everything is written; the first failure, if any.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.join()
    }

    fn join(&mut self) -> io::Result<()> {
        self.jobs = None;
        match self.thread.take().map(JoinHandle::join) {
            None => Ok(()),
            Some(Ok(written)) => written,
            Some(Err(_)) => Err(io::Error::other("the thread that writes evidence ended early")),
        }
    }
}

/// What is under way is still written.
impl Drop for Writer {
    fn drop(&mut self) {
        let _ = self.join();
    }
}

fn work(waiting: &Receiver<(PathBuf, Evidence)>) -> io::Result<()> {
    let mut all = Ok(());
    for (dir, evidence) in waiting {
        let written = write(&dir, &evidence);
        all = all.and(written);
    }
    all
}

/// Writes a folder; it has its name only once it is whole.
fn write(dir: &Path, evidence: &Evidence) -> io::Result<()> {
    let part = dir.with_extension("part");
    let header = Header {
        format: FORMAT,
        calibration: evidence.calibration.as_ref().map(|_| "calibration.json".to_owned()),
        bottom: evidence.bottom,
        start_fen: evidence.fen.clone(),
        source: format!("Torres' evidence of a decision: {}. Without truth.", evidence.kind),
    };
    let mut folder = FolderWriter::create(&part, &header)?;
    let start = evidence.frames.first().map_or(Timestamp::default(), |f| f.at);
    for frame in &evidence.frames {
        folder.push(&frame.image, frame.at.since(start).as_secs_f64() * 1e3, None)?;
    }
    if let Some(calibration) = &evidence.calibration {
        write_json(&part.join("calibration.json"), calibration)?;
    }
    write_json(&part.join("decision.json"), &evidence.decision)?;
    fs::rename(&part, dir).map_err(naming(dir))
}

fn write_json(path: &Path, value: &Value) -> io::Result<()> {
    fs::write(path, format!("{value:#}\n")).map_err(naming(path))
}

/// The name of a folder of that number and kind: `0007-unknown`.
pub(super) fn folder_name(number: u32, kind: &str) -> String {
    // What a name on any system may hold.
    let word = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    format!("{number:04}-{}", kind.chars().map(word).collect::<String>())
}

/// The highest NNNN of the folders `NNNN-kind`, 0 if there is none.
pub(super) fn highest_number(dir: &Path) -> u32 {
    let Ok(entries) = fs::read_dir(dir) else { return 0 };
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.split('-').next()?.parse().ok())
        .max()
        .unwrap_or(0)
}
