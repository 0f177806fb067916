//! The end: the game's files, and what the user reads of it.

use super::folders::Ending;
use super::session::{After, Session};
use crate::{CliError, Exit};
use shakmaty::{Color, Outcome};
use torres_bot::driver::Ended;
use torres_bot::log::{Log, pgn_control};
use torres_bot::machine::Machine;
use torres_geometry::Orientation;
use torres_journal::{Event, KnownBy, pgn};
use torres_watch::{Finished, GameFile};

impl Session<'_> {
    pub(super) fn finish(
        &mut self,
        number: u32,
        began: jiff::Zoned,
        ended: &Ended,
        machine: &Machine,
        mut log: Log,
    ) -> Result<After, CliError> {
        let (result, how, outcome) = match ended {
            Ended::Game(Some(end)) => (end.result(), end.to_string(), end.outcome()),
            Ended::Game(None) => (
                "*",
                format!("stopped after {} plies, as asked", machine.game().plies()),
                Outcome::Unknown,
            ),
            Ended::Abandoned => (
                "*",
                "abandoned: the board shows another game".to_owned(),
                Outcome::Unknown,
            ),
            Ended::Paused(reason) => ("*", format!("paused, and nobody resumed: {reason}"), Outcome::Unknown),
            Ended::Stopped(reason) => ("*", format!("stopped: {reason}"), Outcome::Unknown),
        };
        let known_by = match ended {
            Ended::Game(Some(_)) if machine.is_end_unseen() => Some(KnownBy::OwnMove),
            Ended::Game(end) => end.map(|end| end.known_by()),
            _ => None,
        };
        if let Ended::Stopped(reason) = ended {
            log.write(Event::Stopped {
                reason: reason.to_string(),
            });
        }
        log.write(Event::Result {
            result: result.to_owned(),
            termination: how.clone(),
            plies: machine.game().plies() as u32,
            known_by,
        });
        let own = machine.own();
        let name = |extension: &str| match number {
            1 => format!("game.{extension}"),
            _ => format!("game-{number}.{extension}"),
        };
        let ending = Ending {
            began: began.clone(),
            outcome,
            known_by,
            how: &how,
            pgn: name("pgn"),
        };
        // The result is kept first and told last: whatever else cannot be written, the result shall be.
        let kept = self
            .folders
            .append(self.args, &self.calibration, own, machine.game(), log.plies(), ending);
        let (white, black) = match own {
            Color::White => ("Torres", self.folders.player()),
            Color::Black => (self.folders.player(), "Torres"),
        };
        let record = pgn::Game {
            event: "Torres against a site's bot".to_owned(),
            site: self
                .calibration
                .window
                .as_ref()
                .map_or("?".to_owned(), |w| w.title.clone()),
            started: began,
            round: Some(number),
            white: white.to_owned(),
            black: black.to_owned(),
            time_control: Some(pgn_control(machine.clock().control())),
            start: machine.game().start().clone(),
            plies: log.plies().to_vec(),
            outcome,
            termination: how.clone(),
        };
        let pgn_path = self.folders.out.join(name("pgn"));
        std::fs::write(&pgn_path, pgn::write(&record))
            .map_err(|e| CliError::failed(format!("cannot write {}: {e}", pgn_path.display())))?;
        // The record is of the whole game; pictures are of this part of it.
        let pictured = |extension: &str| self.folders.free(&name(extension));
        let (sheet, film) = (pictured("png"), pictured("gif"));
        let sheet_path = self.folders.out.join(&sheet);
        if !log.sheet().is_empty() {
            log.sheet()
                .save(&sheet_path, &format!("{white} – {black}   {result}"), &how)
                .map_err(|e| CliError::failed(format!("cannot write {}: {e}", sheet_path.display())))?;
        }
        let orientation = Orientation::with_bottom(own);
        self.keep_film(&mut log, &self.folders.out.join(&film), orientation)?;
        let recorded = log.end_recording(&mut self.recordings);
        log.settle();
        let landings = log.landings();
        self.console.line(&format!("result    {how}"));
        self.console.line(&format!("plies     {}", machine.game().plies()));
        self.console.line(&format!(
            "own moves {} landed at first try, {} after a retry, {} otherwise",
            landings.first_try, landings.after_retry, landings.other
        ));
        self.console.line(&format!("game      {}", pgn_path.display()));
        if let Some(recorded) = recorded {
            self.tell_recorded(&recorded);
        }
        if let Some(failure) = log.failure() {
            self.console
                .line(&format!("note      not everything could be written: {failure}"));
        }
        self.show_finished(number, own, result, &how, [name("pgn"), film, sheet]);
        kept?;
        Ok(match ended {
            Ended::Game(_) => After::Next(Exit::Done),
            Ended::Abandoned => After::Next(Exit::Found),
            Ended::Paused(_) => After::End(Exit::Found),
            Ended::Stopped(_) => After::End(Exit::Stopped),
        })
    }
}

impl Session<'_> {
    /// Lets the watch page have the game's files.
    fn show_finished(&mut self, number: u32, own: Color, result: &str, how: &str, [pgn, film, pictures]: [String; 3]) {
        let Some(feed) = &mut self.feed else { return };
        let files = [
            ("PGN", pgn),
            ("film", film),
            ("pictures", pictures),
            ("journal", "journal.jsonl".to_owned()),
            ("evidence", "evidence/".to_owned()),
        ];
        let there = files
            .into_iter()
            .filter(|(_, path)| self.folders.out.join(path).exists());
        feed.game_is_over(Finished {
            number,
            opponent: self.folders.opponent(),
            color: Orientation::with_bottom(own),
            result: result.to_owned(),
            how: how.to_owned(),
            files: there
                .map(|(name, path)| GameFile {
                    name: name.to_owned(),
                    path,
                })
                .collect(),
        });
    }
}
