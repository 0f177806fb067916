//! Evidence of doubtful decisions, as the game goes on.

use super::Log;
use crate::evidence;
use crate::eye::Observation;
use crate::machine::PauseReason;
use serde_json::json;
use std::path::PathBuf;
use torres_chess::fen;
use torres_fixture::Decided;
use torres_frame::Frame;
use torres_journal::{Event, Evidence};
use torres_vision::{BoardReading, Reading, Tracker};

impl Log {
    /// A frame was looked at.
    pub fn looked(&mut self, seen: &Observation, tracker: &Tracker) {
        let begins = self.recent.look(&seen.frame, &seen.reading, &tracker.map().rect);
        if let Some(decided) = begins {
            self.doubted(decided, seen, tracker);
        }
    }

    /// The board is not where it was.
    pub fn lost(&mut self, seen: &Observation, tracker: &Tracker) {
        if let Some(decided) = self.recent.lose() {
            self.doubted(decided, seen, tracker);
        }
    }

    /// A doubt begins: its evidence is taken now, whatever becomes of it.
    fn doubted(&mut self, decided: Decided, seen: &Observation, tracker: &Tracker) {
        let why = match decided {
            Decided::Lost => "the board is not where it was",
            _ => "no legal line explains what the board shows, or more than one does",
        };
        let left = self.leave((decided, why), Some(seen), tracker);
        let evidence = left.as_ref().map(|path| path.display().to_string());
        self.doubt = left.map(|path| (path, read(&seen.reading).cloned()));
        let changed = match &seen.reading {
            Reading::Unknown(doubt) => doubt.changed.iter().map(ToString::to_string).collect(),
            _ => Vec::new(),
        };
        self.write(match decided {
            Decided::Lost => Event::BoardMoved { to: None, evidence },
            _ => Event::Unknown { changed, evidence },
        });
    }

    /// The picture of the panel that is not as it was vouched for; the pause that follows names it.
    pub(crate) fn guard_refused(&mut self, panel: &Frame) {
        let written = self.journal.evidence(Evidence {
            kind: "opponent".to_owned(),
            frames: vec![panel.clone()],
            bottom: self.bottom,
            fen: fen(&self.position),
            calibration: Some(self.calibration.clone()),
            decision: json!({"why": "the opponent panel changed"}),
        });
        self.panel_left = self.keep_failure(written);
    }

    /// Evidence of a pause: what was left when the doubt began, if the same was read ever since.
    pub(super) fn stopped_by(
        &mut self,
        reason: &PauseReason,
        last: Option<&Observation>,
        tracker: &Tracker,
    ) -> Option<PathBuf> {
        if matches!(
            reason,
            PauseReason::Unknown
                | PauseReason::Notice
                | PauseReason::Promotion(_)
                | PauseReason::PromotionOverPanel(_)
                | PauseReason::PromotionNotConfirmed(_)
                | PauseReason::BoardLost
        ) && let (Some((path, was)), Some(doubt)) = (&self.doubt, self.recent.doubt())
            && (doubt == Decided::Lost || was.as_ref() == last.and_then(|last| read(&last.reading)))
        {
            return Some(path.clone());
        }
        self.leave((Decided::Pause, &reason.to_string()), last, tracker)
    }

    /// Leaves the frames and scores behind a doubtful decision; the folder, unless the game has left enough of them.
    pub(super) fn leave(
        &mut self,
        decided: (Decided, &str),
        last: Option<&Observation>,
        tracker: &Tracker,
    ) -> Option<PathBuf> {
        let Observation { frame, reading, .. } = last?;
        if !self.budget.allows(decided.0) {
            return None;
        }
        let frames = self.recent.frames(frame);
        let decision = evidence::decision(decided, &frames, reading, &self.position, tracker)?;
        let mut calibration = self.calibration.clone();
        if let Some(all) = calibration.as_object_mut() {
            // What the game has taught since belongs to what was decided.
            all.insert(
                "look".into(),
                serde_json::to_value(tracker.appearance()).unwrap_or_default(),
            );
        }
        let written = self.journal.evidence(Evidence {
            kind: decided.0.to_string(),
            frames: frames.into_iter().map(|kept| kept.frame).collect(),
            bottom: self.bottom,
            fen: fen(&self.position),
            calibration: Some(calibration),
            decision: serde_json::to_value(decision).unwrap_or_default(),
        });
        self.keep_failure(written)
    }
}

/// What was read where it was not understood.
fn read(reading: &Reading) -> Option<&BoardReading> {
    match reading {
        Reading::Unknown(doubt) => Some(&doubt.reading),
        _ => None,
    }
}
