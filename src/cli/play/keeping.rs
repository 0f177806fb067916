//! What is kept of a game besides its record: the frames that were looked at, and the film made of them.

use super::session::Session;
use crate::CliError;
use std::path::Path;
use torres_bot::game::Game;
use torres_bot::log::Log;
use torres_bot::recording::{Recorded, RecordingStart};
use torres_geometry::Orientation;

impl Session<'_> {
    /// Begins the recording of the present game, or of another part of one that goes on, and says where it is. A game is
    /// played without one, should it not be possible.
    pub(super) fn record(&mut self, goes_on: bool, game: &Game, log: &mut Log) {
        let calibration = serde_json::to_value(&self.calibration).unwrap_or_default();
        let start = RecordingStart {
            number: self.games,
            goes_on,
            position: game.position(),
            bottom: log.bottom(),
            calibration: &calibration,
        };
        match self.recordings.begin(&start) {
            Ok(Some(recording)) => {
                let folder = self.folders.out.join(recording.name());
                let most = self.args.record_mib;
                self.console.line(&format!(
                    "recording into {} (at most {most} MiB; --record-mib 0 turns it off)",
                    folder.display()
                ));
                log.record(recording);
            }
            Ok(None) => {}
            Err(error) => self
                .console
                .line(&format!("note      the game is not recorded: {error}")),
        }
    }

    /// Writes the film.
    pub(super) fn keep_film(&self, log: &mut Log, path: &Path, orientation: Orientation) -> Result<(), CliError> {
        if log.film().is_empty() {
            return Ok(());
        }
        let look = &self.calibration.look;
        log.film()
            .save(path, |board| (look.draw(board, orientation), orientation))
            .map_err(|e| CliError::failed(format!("cannot write {}: {e}", path.display())))
    }

    /// Says what was recorded.
    pub(super) fn tell_recorded(&mut self, recorded: &Recorded) {
        let folder = self.folders.out.join(&recorded.name);
        let mib = recorded.bytes as f64 / f64::from(1 << 20);
        let mut text = format!(
            "recording {}: {} frames, {mib:.1} MiB",
            folder.display(),
            recorded.frames
        );
        if recorded.left_out > 0 {
            text += &format!("; {} left out, the disk was too slow", recorded.left_out);
        }
        if let Some(why) = &recorded.cut_short {
            text += &format!("; it ended before the game did: {why}");
        }
        self.console.line(&text);
    }
}
