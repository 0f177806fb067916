//! Keeps the frames that are looked at while a game is played: a fixture without truth, beside the game.
//!
//! Looking never waits for it. A frame goes to a thread of its own; one that finds that thread busy is left out and
//! counted. What a run keeps is bounded: when it is full the oldest game's recording goes first, and when there is no
//! older one the recording ends.

use serde_json::Value;
use shakmaty::Chess;
use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::{Builder, JoinHandle};
use torres_fixture::{Recorder, RecorderSetup};
use torres_frame::{Frame, WallTime};
use torres_geometry::{BoardMap, Orientation};

/// Frames that may wait for the thread: some 20 MB of a board of 600 px.
const WAITING: usize = 16;

/// The recordings of a run.
#[derive(Debug)]
pub struct Recordings {
    /// Where their folders lie.
    out: PathBuf,
    /// For all of them, in bytes; 0: nothing is recorded.
    limit: u64,
    /// Of games that are over, the oldest first.
    kept: VecDeque<StoredRecording>,
}

#[derive(Debug)]
struct StoredRecording {
    dir: PathBuf,
    bytes: u64,
}

/// What a recording begins with.
#[derive(Debug)]
pub struct RecordingStart<'a> {
    /// The game's number in the run, from 1.
    pub number: u32,
    /// The game was recorded before, and then left.
    pub goes_on: bool,
    /// The position when it begins.
    pub position: &'a Chess,
    /// The colour at the bottom.
    pub bottom: Orientation,
    /// The calibration in use, as its file has it.
    pub calibration: &'a Value,
}

/// A frame that was looked at.
#[derive(Debug)]
struct RecordedFrame {
    frame: Frame,
    map: BoardMap,
    /// Something was decided on it.
    decisive: bool,
}

/// A recording under way.
#[derive(Debug)]
pub struct Recording {
    name: String,
    frames: SyncSender<RecordedFrame>,
    thread: JoinHandle<Written>,
    left_out: u64,
}

/// What became of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// Its folder's name.
    pub name: String,
    /// Frames in it.
    pub frames: usize,
    /// What it takes on disk, in bytes.
    pub bytes: u64,
    /// Frames that were left out.
    pub left_out: u64,
    /// Why it ended before the game did.
    pub cut_short: Option<String>,
}

impl Recordings {
    /// Keeps at most `limit` bytes beside the games in `out`; 0 keeps nothing.
    pub fn new(out: &Path, limit: u64) -> Recordings {
        Recordings {
            out: out.to_path_buf(),
            limit,
            kept: VecDeque::new(),
        }
    }

    /// Begins the recording of a game, in `recording/` or `recording-2/` and so on; one of that name that an earlier
    /// run left goes. Of a game that goes on, the next part is recorded into `recording-part-2/` and so on. `None` when
    /// nothing is to be recorded.
    pub fn begin(&mut self, start: &RecordingStart) -> io::Result<Option<Recording>> {
        if self.limit == 0 {
            return Ok(None);
        }
        let mut name = match start.number {
            1 => "recording".to_owned(),
            number => format!("recording-{number}"),
        };
        if start.goes_on {
            let mut parts = (2u32..).map(|part| format!("{name}-part-{part}"));
            let free = parts.find(|name| !self.out.join(name).exists());
            name = free.unwrap_or(name);
        }
        let dir = self.out.join(&name);
        // Only what is a recording: anything else is somebody's.
        if dir.join("frames.jsonl").is_file() {
            fs::remove_dir_all(&dir)?;
        }
        let setup = RecorderSetup {
            start: start.position,
            bottom: start.bottom,
            calibration: Some(start.calibration),
            source: "torres play: the frames that were looked at while the game was played. Without truth.",
            wall: WallTime::of,
        };
        let recorder = Recorder::create(&dir, &setup)?;
        let written = Written {
            dir,
            limit: self.limit,
            kept: std::mem::take(&mut self.kept),
            fixed: fs::metadata(self.out.join(&name).join("calibration.json")).map_or(0, |file| file.len()),
            frames: 0,
            bytes: 0,
            cut_short: None,
        };
        let (frames, incoming) = sync_channel(WAITING);
        let thread = Builder::new()
            .name("recording".into())
            .spawn(move || written.all(recorder, &incoming))?;
        Ok(Some(Recording {
            name,
            frames,
            thread,
            left_out: 0,
        }))
    }

    /// Ends a recording: waits until it is on the disk.
    pub fn end(&mut self, recording: Recording) -> Recorded {
        let Recording {
            name,
            frames,
            thread,
            left_out,
        } = recording;
        drop(frames);
        let Ok(written) = thread.join() else {
            return Recorded {
                name,
                frames: 0,
                bytes: 0,
                left_out,
                cut_short: Some("the thread that writes it broke off".to_owned()),
            };
        };
        self.kept = written.kept;
        self.kept.push_back(StoredRecording {
            dir: written.dir,
            bytes: written.bytes,
        });
        Recorded {
            name,
            frames: written.frames,
            bytes: written.bytes,
            left_out,
            cut_short: written.cut_short,
        }
    }
}

impl Recording {
    /// Its folder's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Takes a frame that was looked at, where there is room for it; the board lies at `map`. One on which something
    /// was decided is not thinned out.
    pub fn offer(&mut self, frame: &Frame, map: &BoardMap, decisive: bool) {
        let looked = RecordedFrame {
            frame: frame.clone(),
            map: *map,
            decisive,
        };
        match self.frames.try_send(looked) {
            Ok(()) => {}
            Err(TrySendError::Full(_)) => self.left_out += 1,
            // It ended early, and says why at the end.
            Err(TrySendError::Disconnected(_)) => {}
        }
    }
}

/// The thread's side: what is written, and what it costs.
#[derive(Debug)]
struct Written {
    dir: PathBuf,
    limit: u64,
    kept: VecDeque<StoredRecording>,
    /// What the folder holds besides frames, in bytes.
    fixed: u64,
    frames: usize,
    bytes: u64,
    cut_short: Option<String>,
}

impl Written {
    fn all(mut self, mut recorder: Recorder, incoming: &Receiver<RecordedFrame>) -> Written {
        let taken = self.take(&mut recorder, incoming);
        let last = match &self.cut_short {
            None => recorder.store_last(),
            Some(_) => Ok(()),
        };
        self.bytes = self.fixed + recorder.bytes();
        let finished = recorder.finish(None).map(|recording| {
            self.frames = recording.frames;
            // What was an estimate while pictures waited is known now.
            self.bytes = self.fixed + recording.bytes;
        });
        if let Err(error) = taken.and(last).and(finished) {
            self.cut_short.get_or_insert(error.to_string());
        }
        self
    }

    fn take(&mut self, recorder: &mut Recorder, incoming: &Receiver<RecordedFrame>) -> io::Result<()> {
        for RecordedFrame { frame, map, decisive } in incoming {
            let stored = match decisive {
                true => recorder.take_decisive(&frame, &map)?,
                false => recorder.take(&frame, &map)?,
            };
            if stored && !self.has_room(recorder.bytes()) {
                let mib = self.limit >> 20;
                self.cut_short = Some(format!("{mib} MiB are full (--record-mib)"));
                return Ok(());
            }
        }
        Ok(())
    }

    /// Whether all recordings together are within the limit, once the oldest have gone that may go.
    fn has_room(&mut self, bytes: u64) -> bool {
        let mut all = self.fixed + bytes + self.kept.iter().map(|kept| kept.bytes).sum::<u64>();
        while all > self.limit
            && let Some(oldest) = self.kept.pop_front()
        {
            // One that cannot be removed counts no more either: there is nothing else to be done about it.
            let _ = fs::remove_dir_all(&oldest.dir);
            all -= oldest.bytes;
        }
        all <= self.limit
    }
}

#[cfg(test)]
mod tests;
