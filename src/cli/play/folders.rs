//! Where a run leaves its games, and under whose name.

use super::settings::Settings;
use crate::CliError;
use crate::results::GAMES_FOLDER;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use torres_bot::unfinished::{LastGame, Now, last_game};
use torres_calibration::Calibration;
use torres_chess::TimeControl;
use torres_frame::{Clocks, boot_id};
use torres_journal::results::RESULTS_FILE;
use torres_journal::{Entries, journal_of};

/// The folders and names of a run.
pub(crate) struct RunFolders {
    /// The folder of its games.
    pub out: PathBuf,
    /// The file of results.
    pub results: PathBuf,
    /// Made for this run alone.
    own_folder: bool,
    /// The calibration's name.
    pub calibration: String,
    opponent: Option<String>,
}

impl RunFolders {
    /// Makes the run's folder: the one that was named, or one of its own among the games, which no later run writes
    /// over. With it comes what the folder's journal says of games before.
    pub(crate) fn open(settings: &Settings, calibration: &Calibration) -> Result<(RunFolders, LastGame), CliError> {
        let file = &settings.file;
        let stem = file
            .file_stem()
            .unwrap_or(file.as_os_str())
            .to_string_lossy()
            .into_owned();
        let cannot = |folder: &Path, error: std::io::Error| {
            CliError::usage(format!("cannot make the folder {}: {error}", folder.display()))
        };
        let (out, before, among) = match &settings.out {
            Some(out) => {
                std::fs::create_dir_all(out).map_err(|error| cannot(out, error))?;
                (out.clone(), before(out, settings.control), out.as_path())
            }
            None => {
                let games = Path::new(GAMES_FOLDER);
                let (out, before) = match left_behind(games, &stem, settings.control) {
                    Some(left) => left,
                    None => {
                        let made = new_folder(games, &jiff::Zoned::now(), &stem);
                        (made.map_err(|error| cannot(games, error))?, LastGame::default())
                    }
                };
                (out, before, games)
            }
        };
        let of_calibration = calibration.opponent.as_ref().and_then(|opponent| opponent.name.clone());
        let folders = RunFolders {
            results: settings.results.clone().unwrap_or_else(|| among.join(RESULTS_FILE)),
            out,
            own_folder: settings.out.is_none(),
            calibration: stem,
            opponent: settings.opponent.clone().or(of_calibration),
        };
        Ok((folders, before))
    }

    /// The opponent as a player of the game.
    pub(crate) fn player(&self) -> &str {
        self.opponent.as_deref().unwrap_or("Site bot")
    }

    /// The opponent as tables name it.
    pub(crate) fn opponent(&self) -> String {
        let unknown = || format!("the bot of calibration {}", self.calibration);
        self.opponent.clone().unwrap_or_else(unknown)
    }

    /// A file's name as nothing in the folder has it yet: `game.gif`, or `game-part-2.gif` and so on of a game that
    /// went on.
    pub(crate) fn free(&self, name: &str) -> String {
        let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
        let later = (2u32..).map(|part| format!("{stem}-part-{part}.{extension}"));
        let mut names = std::iter::once(name.to_owned()).chain(later);
        let free = names.find(|name| !self.out.join(name).exists());
        free.unwrap_or_else(|| name.to_owned())
    }

    /// The run's folder as the results file names it.
    pub(crate) fn seen_from_results(&self) -> PathBuf {
        seen_from(&self.out, &self.results)
    }
}

impl Drop for RunFolders {
    fn drop(&mut self) {
        if self.own_folder {
            // Nothing was played: nothing is left. A folder with a game in it stays, since it is not empty.
            let _ = std::fs::remove_dir(&self.out);
        }
    }
}

/// The newest run of this calibration, where it ended in the middle of a game that may still go on.
fn left_behind(games: &Path, name: &str, control: TimeControl) -> Option<(PathBuf, LastGame)> {
    let entries = std::fs::read_dir(games).ok()?.flatten();
    let folders = entries.map(|entry| entry.path()).filter(|path| {
        let folder = path.file_name().unwrap_or_default().to_string_lossy();
        // DATE-TIME-NAME, and -NUMBER behind it where there were two in one second.
        let of_run = folder.splitn(3, '-').nth(2);
        let number = |rest: &str| {
            rest.strip_prefix('-')
                .is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()))
        };
        of_run.is_some_and(|run| run == name || run.strip_prefix(name).is_some_and(number))
    });
    let newest = folders.max()?;
    let before = before(&newest, control);
    before.unfinished.is_some().then_some((newest, before))
}

/// What a folder's journal says of its last game; nothing where there is none.
fn before(folder: &Path, control: TimeControl) -> LastGame {
    let path = journal_of(folder);
    // What is no plain file may have no end.
    let plain = std::fs::metadata(&path).is_ok_and(|file| file.is_file());
    let Some(read) = plain.then(|| Entries::read(&path).ok()).flatten() else {
        return LastGame::default();
    };
    let now = Now {
        clocks: Clocks::now(),
        boot: boot_id(),
    };
    last_game(read.entries.iter().map(|(_, entry)| entry), control, &now)
}

/// `DATE-TIME-NAME` among the games, with a number behind it where there is one already.
fn new_folder(games: &Path, now: &jiff::Zoned, name: &str) -> std::io::Result<PathBuf> {
    std::fs::create_dir_all(games)?;
    let first = format!("{}-{name}", now.strftime("%Y%m%d-%H%M%S"));
    let mut number = 1;
    loop {
        let folder = games.join(match number {
            1 => first.clone(),
            _ => format!("{first}-{number}"),
        });
        match std::fs::create_dir(&folder) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
            made => return made.map(|()| folder),
        }
    }
}

/// The folder as a path from the results file's own, where it lies in that; otherwise from the root.
fn seen_from(folder: &Path, results: &Path) -> PathBuf {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let (folder, results) = (absolute(folder), absolute(results));
    let inside = results.parent().and_then(|parent| folder.strip_prefix(parent).ok());
    match inside {
        Some(inside) if inside.as_os_str().is_empty() => PathBuf::from("."),
        Some(inside) => inside.to_owned(),
        None => folder,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_run_has_a_folder_of_its_own() {
        let games = tempfile::tempdir().unwrap();
        let now: jiff::Zoned = "2026-11-21T22:04:05+01:00[Europe/Madrid]".parse().unwrap();
        let among = games.path().join("games");
        let made: Vec<String> = (0..3)
            .map(|_| new_folder(&among, &now, "my site").unwrap())
            .map(|folder| folder.file_name().unwrap().to_string_lossy().into_owned())
            .collect();
        let first = "20261121-220405-my site";
        assert_eq!(made, [first.to_owned(), format!("{first}-2"), format!("{first}-3")]);
    }

    #[test]
    fn a_folder_is_named_from_where_the_results_are() {
        let seen = |folder: &str, results: &str| seen_from(Path::new(folder), Path::new(results));
        assert_eq!(seen("out", "out/results.jsonl"), Path::new("."));
        assert_eq!(seen("out/game-3", "out/results.jsonl"), Path::new("game-3"));
        assert_eq!(seen("/a/b", "/c/results.jsonl"), Path::new("/a/b"));
        assert_eq!(seen(".", "results.jsonl"), Path::new("."));
    }

    #[test]
    fn an_opponent_without_a_name_is_told_by_its_calibration() {
        let folders = |opponent: Option<&str>| RunFolders {
            out: PathBuf::from("out"),
            results: PathBuf::from("out/results.jsonl"),
            own_folder: false,
            calibration: "my-site".to_owned(),
            opponent: opponent.map(str::to_owned),
        };
        let names = |folders: &RunFolders| (folders.player().to_owned(), folders.opponent());
        let unnamed = ("Site bot".to_owned(), "the bot of calibration my-site".to_owned());
        assert_eq!(names(&folders(None)), unnamed);
        assert_eq!(
            names(&folders(Some("Stella"))),
            ("Stella".to_owned(), "Stella".to_owned())
        );
    }
}
