//! The end of a game: how it ended, and the files that it leaves.

use super::folders::RunFolders;
use super::settings::Settings;
use crate::CliError;
use shakmaty::{Color, KnownOutcome, Outcome, Position};
use std::path::PathBuf;
use torres_bot::driver::Ended;
use torres_bot::log::Log;
use torres_bot::machine::Machine;
use torres_calibration::Calibration;
use torres_geometry::Orientation;
use torres_journal::pgn::{self, Ply};
use torres_journal::results::{self, FORMAT, GameResult, Score, Times};
use torres_journal::{Event, KnownBy};
use torres_watch::{Finished, GameFile};

/// How a game ended.
pub(super) struct GameEnd {
    /// As PGN writes it.
    pub result: &'static str,
    /// In words.
    pub how: String,
    /// Who won, as far as that is known.
    pub outcome: Outcome,
    /// What is known of it; `None` where there was no end.
    pub known_by: Option<KnownBy>,
}

impl GameEnd {
    /// From how the driver came to its end.
    pub(crate) fn of(ended: &Ended, machine: &Machine) -> GameEnd {
        let known_by = match ended {
            Ended::Game(Some(_)) if machine.is_end_unseen() => Some(KnownBy::OwnMove),
            Ended::Game(end) => end.map(|end| end.known_by()),
            _ => None,
        };
        let how = match ended {
            Ended::Game(Some(end)) => {
                return GameEnd {
                    result: end.result(),
                    how: end.to_string(),
                    outcome: end.outcome(),
                    known_by,
                };
            }
            Ended::Game(None) => format!("stopped after {} plies, as asked", machine.game().plies()),
            Ended::Abandoned => "abandoned: the board shows another game".to_owned(),
            Ended::Paused(reason) => format!("paused, and nobody resumed: {reason}"),
            Ended::Stopped(reason) => format!("stopped: {reason}"),
        };
        GameEnd {
            result: "*",
            how,
            outcome: Outcome::Unknown,
            known_by,
        }
    }

    /// The journal's last lines of the game.
    pub(crate) fn write_to(&self, log: &mut Log, ended: &Ended, machine: &Machine) {
        if let Ended::Stopped(reason) = ended {
            log.write(Event::Stopped {
                reason: reason.to_string(),
            });
        }
        log.write(Event::Result {
            result: self.result.to_owned(),
            termination: self.how.clone(),
            plies: machine.game().plies() as u32,
            known_by: self.known_by,
        });
    }
}

/// The pictures of a game, by their names in the run's folder; they are of this run's part of it.
pub(super) struct Pictures {
    sheet: String,
    film: String,
}

/// Where a game's files lie, and what they say besides its moves.
pub(super) struct GameFiles<'a> {
    pub folders: &'a RunFolders,
    pub settings: &'a Settings,
    pub calibration: &'a Calibration,
    /// Its number in the journal, from 1.
    pub number: u32,
    /// Torres' colour.
    pub own: Color,
}

impl GameFiles<'_> {
    fn name(&self, extension: &str) -> String {
        match self.number {
            1 => format!("game.{extension}"),
            number => format!("game-{number}.{extension}"),
        }
    }

    /// White and Black.
    fn players(&self) -> (&str, &str) {
        match self.own {
            Color::White => ("Torres", self.folders.player()),
            Color::Black => (self.folders.player(), "Torres"),
        }
    }

    /// Appends the game to the results.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn append_result(
        &self,
        began: jiff::Zoned,
        end: &GameEnd,
        machine: &Machine,
        plies: &[Ply],
    ) -> Result<(), CliError> {
        let game = machine.game();
        let window = self.calibration.window.as_ref();
        let line = GameResult {
            format: FORMAT,
            started: began,
            ended: jiff::Zoned::now(),
            site: window.map_or_else(|| self.folders.calibration.clone(), |window| window.title.clone()),
            calibration: self.settings.name.clone(),
            opponent: self.folders.opponent(),
            color: self.own.into(),
            result: score(end.outcome),
            termination: end.how.clone(),
            plies: u32::try_from(game.plies()).unwrap_or(u32::MAX),
            clock: self.settings.clock.clone(),
            move_ms: self.settings.move_ms,
            times: times(plies, game.start().turn(), self.own),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            engine: self.settings.engine.clone(),
            folder: self.folders.seen_from_results(),
            pgn: self.name("pgn"),
            known_by: end.known_by,
        };
        results::append(&self.folders.results, &line)
            .map_err(|error| CliError::failed(format!("the game's result cannot be kept: {error}")))
    }

    /// Writes the game as PGN, the whole of it.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn write_pgn(
        &self,
        began: jiff::Zoned,
        end: &GameEnd,
        machine: &Machine,
        plies: &[Ply],
    ) -> Result<PathBuf, CliError> {
        let (white, black) = self.players();
        let window = self.calibration.window.as_ref();
        let record = pgn::Game {
            event: "Torres against a site's bot".to_owned(),
            site: window.map_or("?".to_owned(), |window| window.title.clone()),
            started: began,
            round: Some(self.number),
            white: white.to_owned(),
            black: black.to_owned(),
            time_control: Some(machine.clock().control()),
            start: machine.game().start().clone(),
            plies: plies.to_vec(),
            outcome: end.outcome,
            termination: end.how.clone(),
        };
        let path = self.folders.out.join(self.name("pgn"));
        std::fs::write(&path, pgn::write(&record))
            .map_err(|e| CliError::failed(format!("cannot write {}: {e}", path.display())))?;
        Ok(path)
    }

    /// Writes the contact sheet and the film, where there is something to show.
    ///
    /// # Errors
    /// A file cannot be written.
    pub(crate) fn write_pictures(&self, log: &Log, end: &GameEnd) -> Result<Pictures, CliError> {
        let pictures = Pictures {
            sheet: self.folders.free(&self.name("png")),
            film: self.folders.free(&self.name("gif")),
        };
        let sheet = self.folders.out.join(&pictures.sheet);
        if !log.sheet().is_empty() {
            let (white, black) = self.players();
            log.sheet()
                .save(&sheet, &format!("{white} – {black}   {}", end.result), &end.how)
                .map_err(|e| CliError::failed(format!("cannot write {}: {e}", sheet.display())))?;
        }
        let film = self.folders.out.join(&pictures.film);
        if !log.film().is_empty() {
            let (appearance, orientation) = (&self.calibration.appearance, Orientation::with_bottom(self.own));
            log.film()
                .save(&film, |board| (appearance.draw(board, orientation), orientation))
                .map_err(|e| CliError::failed(format!("cannot write {}: {e}", film.display())))?;
        }
        Ok(pictures)
    }

    /// The game as the watch page lists it.
    pub(crate) fn finished(&self, end: &GameEnd, pictures: &Pictures) -> Finished {
        let files = [
            ("PGN", self.name("pgn")),
            ("film", pictures.film.clone()),
            ("pictures", pictures.sheet.clone()),
            ("journal", "journal.jsonl".to_owned()),
            ("evidence", "evidence/".to_owned()),
        ];
        let there = files
            .into_iter()
            .filter(|(_, path)| self.folders.out.join(path).exists());
        Finished {
            number: self.number,
            opponent: self.folders.opponent(),
            color: self.own.into(),
            result: end.result.to_owned(),
            how: end.how.clone(),
            files: there
                .map(|(name, path)| GameFile {
                    name: name.to_owned(),
                    path,
                })
                .collect(),
        }
    }
}

fn score(outcome: Outcome) -> Score {
    match outcome {
        Outcome::Known(KnownOutcome::Decisive { winner }) => winner.fold_wb(Score::WhiteWins, Score::BlackWins),
        Outcome::Known(KnownOutcome::Draw) => Score::Draw,
        Outcome::Unknown => Score::Unfinished,
    }
}

/// What the moves took; `first` made the first of them.
fn times(plies: &[Ply], first: Color, own: Color) -> Times {
    let mut times = Times::default();
    let mut mover = first;
    for ply in plies {
        let ms = ply.elapsed.map_or(0, |elapsed| elapsed.as_millis() as u64);
        if mover == own {
            times.own_ms += ms;
            times.longest_own_ms = times.longest_own_ms.max(ms);
        } else {
            times.opponent_ms += ms;
        }
        mover = !mover;
    }
    times
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Chess;
    use std::time::Duration;

    #[test]
    fn times_are_shared_out_by_who_moved() {
        let played = Chess::default().legal_moves()[0];
        let ply = |ms: Option<u64>| Ply {
            elapsed: ms.map(Duration::from_millis),
            ..Ply::bare(played)
        };
        // The first move was made before anybody looked.
        let plies = [None, Some(1200), Some(300), Some(800), Some(40)].map(ply);
        let own = times(&plies, Color::White, Color::Black);
        assert_eq!((own.own_ms, own.opponent_ms, own.longest_own_ms), (2000, 340, 1200));
        let other = times(&plies, Color::White, Color::White);
        assert_eq!(
            (other.own_ms, other.opponent_ms, other.longest_own_ms),
            (340, 2000, 300)
        );
    }
}
