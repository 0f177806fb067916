//! The user: what they read, at the terminal and on the watch page, and what they say.

use super::status::StatusText;
use crate::CliError;
use crate::console::Console;
use std::time::Duration;
use torres_bot::commands::{Command, Commands, Said};
use torres_bot::driver::{PAUSE_ENDS, Progress};
use torres_bot::machine::PauseReason;
use torres_frame::Timestamp;
use torres_mouse::StopFlag;
use torres_watch::WatchFeed;

/// The ways to the user and from them.
pub(super) struct User {
    /// The terminal.
    pub console: Console,
    /// The watch page, where there is one.
    pub feed: Option<WatchFeed>,
    /// What they say.
    pub commands: Commands,
    /// Stops all input.
    pub stop: StopFlag,
}

impl User {
    /// Prints a line.
    pub(crate) fn line(&mut self, text: &str) {
        self.console.line(text);
    }

    /// Says what goes on while no game is played.
    pub(crate) fn tell(&mut self, progress: &Progress<'_>) {
        if let Some(feed) = &mut self.feed {
            feed.tell(progress);
        }
        StatusText::default().tell(&mut self.console, progress);
    }

    /// Obeys while no game is played: a pause lasts until somebody resumes. Returns how long it lasted.
    ///
    /// # Errors
    /// Nobody resumed.
    pub(crate) async fn obey_between_games(&mut self, said: Option<Said>) -> Result<Duration, CliError> {
        match said.map(|said| said.command) {
            Some(Command::Pause | Command::PauseOrResume) => {}
            Some(Command::Resume) | None => return Ok(Duration::ZERO),
        }
        let since = Timestamp::now();
        self.tell(&Progress::Paused {
            reason: &PauseReason::User,
            evidence: None,
        });
        let nobody = || CliError::failed("paused, and nobody resumed");
        loop {
            tokio::select! {
                biased;
                _ = self.stop.tripped() => break,
                said = self.commands.next() => match said.map(|said| said.command) {
                    Some(Command::Resume | Command::PauseOrResume) => break,
                    Some(Command::Pause) => {}
                    None => return Err(nobody()),
                },
                () = tokio::time::sleep(PAUSE_ENDS) => return Err(nobody()),
            }
        }
        self.tell(&Progress::Resumed);
        Ok(Timestamp::now().since(since))
    }
}
