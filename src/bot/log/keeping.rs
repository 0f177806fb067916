//! Frames that are kept: the recording, and the film.

use super::Log;
use crate::eye::Observation;
use crate::game::Game;
use crate::recording::{Recorded, Recording, Recordings};
use shakmaty::{Move, Position};
use torres_fixture::decision::ReadingKind;
use torres_frame::Frame;
use torres_geometry::{BoardMap, Orientation};
use torres_journal::{Event, Film};

impl Log {
    /// The colour at the bottom.
    pub fn bottom(&self) -> Orientation {
        self.bottom
    }

    /// Frames that are looked at go into this recording from now on.
    pub fn record(&mut self, recording: Recording) {
        self.write(Event::Recording {
            folder: recording.name().to_owned(),
        });
        self.recording = Some(recording);
    }

    /// A frame was read.
    pub(crate) fn offer(&mut self, seen: &Observation, map: &BoardMap) {
        if let Some(recording) = &mut self.recording {
            let decisive = matches!(
                ReadingKind::from(&seen.reading),
                ReadingKind::Seen | ReadingKind::Recalled
            );
            recording.offer(&seen.frame, map, decisive);
        }
    }

    /// Ends the recording, if there is one, and waits until it is on the disk.
    pub fn end_recording(&mut self, recordings: &mut Recordings) -> Option<Recorded> {
        let recorded = recordings.end(self.recording.take()?);
        self.write(Event::Recorded {
            folder: recorded.name.clone(),
            frames: recorded.frames,
            bytes: recorded.bytes,
            left_out: recorded.left_out,
            cut_short: recorded.cut_short.clone(),
        });
        Some(recorded)
    }

    /// The film so far.
    pub fn film(&self) -> &Film {
        &self.film
    }

    /// Moves made before we came were seen by nobody.
    pub(super) fn film_begins(&mut self, game: &Game) {
        let mut position = game.start().clone();
        for &played in game.moves() {
            position.play_unchecked(played);
            self.film.played(played, position.board());
        }
    }

    /// A line was seen: the frame shows the board after its last move.
    pub(super) fn filmed(&mut self, line: &[Move], frame: &Frame, map: &BoardMap) {
        let mut position = self.position.clone();
        for &played in line {
            position.play_unchecked(played);
            self.film.played(played, position.board());
        }
        self.film.known_by(&frame.image, map);
    }
}
