//! Games over the screen and how they ended, a line each: the file that `torres results` adds up.
//!
//! Only what a table of results needs stands here, and where the game's own files are; the decisions are the
//! journal's. What the games say about strength is the arena's.

use super::event::KnownBy;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use torres_chess::Side;
use torres_frame::folder::naming;
use torres_printing::shortened;

/// The file's name in its folder.
pub const RESULTS_FILE: &str = "results.jsonl";

/// The format that this version writes, and the newest it reads.
pub const FORMAT: u32 = 1;

/// The most characters in which it is told what is wrong with a line, whatever is quoted.
const QUOTED: usize = 300;

/// One game, as `docs/contracts.md` writes its line down.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameResult {
    /// Always [`FORMAT`].
    pub format: u32,
    /// When it began, to the second.
    #[serde(with = "rfc3339")]
    pub started: jiff::Zoned,
    /// When it ended, to the second.
    #[serde(with = "rfc3339")]
    pub ended: jiff::Zoned,
    /// Where it was played: the window's title, or else the calibration's name.
    pub site: String,
    /// The calibration that it was played with.
    pub calibration: String,
    /// Who played against us, as far as is known.
    pub opponent: String,
    /// Our colour.
    pub color: Side,
    /// The result.
    pub result: Score,
    /// How it ended, in words.
    pub termination: String,
    /// Plies of the game, those before we joined it aside.
    pub plies: u32,
    /// Minutes and seconds a move, such as `15+10`.
    pub clock: String,
    /// Longest thought for each of our moves, in ms, where one was set.
    pub move_ms: Option<u64>,
    /// What the moves took.
    pub times: Times,
    /// The version that played.
    pub version: String,
    /// The command of the engine that thought; `None` for our own.
    pub engine: Option<String>,
    /// Where the game's files are; a relative path starts at the results file's folder.
    pub folder: PathBuf,
    /// The game's own file there.
    pub pgn: String,
    /// What is known of the end; `None` where there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known_by: Option<KnownBy>,
}

/// Times of a game, in ms, by our own clock: ours from their move known to our move landed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Times {
    /// All of our moves.
    pub own_ms: u64,
    /// All of theirs.
    pub opponent_ms: u64,
    /// Our longest move, thought and gesture together.
    pub longest_own_ms: u64,
}

/// A result as PGN writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Score {
    /// White won.
    #[serde(rename = "1-0")]
    WhiteWins,
    /// Black won.
    #[serde(rename = "0-1")]
    BlackWins,
    /// Nobody won.
    #[serde(rename = "1/2-1/2")]
    Draw,
    /// The game was not played to its end.
    #[serde(rename = "*")]
    Unfinished,
}

impl GameResult {
    /// Our points: 1, 0.5 or 0; `None` for a game without an end.
    pub fn points(&self) -> Option<f64> {
        let white = match self.result {
            Score::WhiteWins => 1.0,
            Score::BlackWins => 0.0,
            Score::Draw => 0.5,
            Score::Unfinished => return None,
        };
        Some(match self.color {
            Side::White => white,
            Side::Black => 1.0 - white,
        })
    }
}

/// Appends a game, whole and with one write, so that other processes may append meanwhile. A last line that was broken
/// off is ended first: it shall not swallow this one. Folders on the way are made.
///
/// # Errors
/// The file cannot be written; the error names it.
pub fn append(path: &Path, game: &GameResult) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(naming(path))?;
    }
    let mut file = File::options()
        .create(true)
        .append(true)
        .read(true)
        .open(path)
        .map_err(naming(path))?;
    let mut line = Vec::new();
    if is_broken_off(&mut file).map_err(naming(path))? {
        line.push(b'\n');
    }
    serde_json::to_writer(&mut line, game)?;
    line.push(b'\n');
    file.write_all(&line)
        .and_then(|()| file.sync_data())
        .map_err(naming(path))
}

fn is_broken_off(file: &mut File) -> io::Result<bool> {
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(false);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
}

/// What a results file holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Results {
    /// The games, in the file's order.
    pub games: Vec<GameResult>,
    /// Lines that are no games, each with file, number and what is wrong.
    pub damaged: Vec<String>,
}

impl Results {
    /// A game that was left and went on has a line for each time that it ended: the last one counts.
    fn take(&mut self, game: GameResult) {
        let left = |earlier: &GameResult| {
            earlier.result == Score::Unfinished && (&earlier.folder, &earlier.pgn) == (&game.folder, &game.pgn)
        };
        self.games.retain(|earlier| !left(earlier));
        self.games.push(game);
    }
}

/// Reads a results file. A damaged line costs that line only.
///
/// # Errors
/// The file cannot be read.
pub fn read(path: &Path) -> io::Result<Results> {
    let bytes = fs::read(path)?;
    let mut results = Results::default();
    for (number, line) in (1..).zip(bytes.split(|byte| *byte == b'\n')) {
        if line.trim_ascii().is_empty() {
            continue;
        }
        match game_of(line) {
            Ok(game) => results.take(game),
            Err(why) => {
                let why = shortened(&why, QUOTED);
                results
                    .damaged
                    .push(format!("{}, line {number}: {why}", path.display()));
            }
        }
    }
    Ok(results)
}

pub(super) fn game_of(line: &[u8]) -> Result<GameResult, String> {
    // The format is looked at first: a newer line may differ in everything else.
    let value: serde_json::Value = serde_json::from_slice(line).map_err(|error| format!("it is not JSON: {error}"))?;
    match value.get("format").and_then(serde_json::Value::as_u64) {
        Some(found) if found > u64::from(FORMAT) => Err(format!(
            "it has format {found}, this version reads up to {FORMAT}; update Torres"
        )),
        Some(found) if found == u64::from(FORMAT) => {
            serde_json::from_value(value).map_err(|error| format!("it is no game: {error}"))
        }
        _ => Err("it has no known format number".to_owned()),
    }
}

/// The results files that a path stands for: itself, or those of a folder and of the folders in it.
pub fn files_in(path: &Path) -> Vec<PathBuf> {
    if !path.is_dir() {
        return if path.is_file() {
            vec![path.to_owned()]
        } else {
            Vec::new()
        };
    }
    let inside = fs::read_dir(path).into_iter().flatten().flatten();
    let mut below: Vec<PathBuf> = inside.map(|entry| entry.path().join(RESULTS_FILE)).collect();
    below.sort();
    let mut files = vec![path.join(RESULTS_FILE)];
    files.append(&mut below);
    files.retain(|file| file.is_file());
    files
}

/// `2026-11-21T22:04:05+01:00`: the user's time of day and its distance from UTC.
mod rfc3339 {
    use jiff::Zoned;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    const FORM: &str = "%Y-%m-%dT%H:%M:%S%:z";

    pub(crate) fn serialize<S: Serializer>(moment: &Zoned, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&moment.strftime(FORM))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Zoned, D::Error> {
        let text = String::deserialize(from)?;
        Zoned::strptime(FORM, &text)
            .map_err(|_| Error::custom(format!("'{text}' is not a time such as 2026-11-21T22:04:05+01:00")))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// A game against this opponent.
    pub(crate) fn game(opponent: &str, color: Side, result: Score) -> GameResult {
        GameResult {
            format: FORMAT,
            started: "2026-11-21T22:04:05+01:00[Europe/Madrid]".parse().unwrap(),
            ended: "2026-11-21T22:31:00+01:00[Europe/Madrid]".parse().unwrap(),
            site: "A site's \"title\"".to_owned(),
            calibration: "site".to_owned(),
            opponent: opponent.to_owned(),
            color,
            result,
            termination: "1-0 by checkmate".to_owned(),
            plies: 61,
            clock: "15+10".to_owned(),
            move_ms: Some(1000),
            times: Times {
                own_ms: 31_000,
                opponent_ms: 30_500,
                longest_own_ms: 1_350,
            },
            version: "0.1.0".to_owned(),
            engine: None,
            folder: PathBuf::from("game-1"),
            pgn: "game.pgn".to_owned(),
            known_by: (result != Score::Unfinished).then_some(KnownBy::Board),
        }
    }

    #[test]
    fn a_line_is_what_the_design_says_and_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("made/on/the/way").join(RESULTS_FILE);
        let mut games = vec![
            game("a", Side::White, Score::WhiteWins),
            game("b", Side::Black, Score::Unfinished),
        ];
        games[1].engine = Some("stockfish".to_owned());
        games[1].move_ms = None;
        for game in &games {
            append(&path, game).unwrap();
        }
        let text = fs::read_to_string(&path).unwrap();
        let first = r#"{"format":1,"started":"2026-11-21T22:04:05+01:00","ended":"2026-11-21T22:31:00+01:00","#
            .to_owned()
            + r#""site":"A site's \"title\"","calibration":"site","opponent":"a","color":"white","result":"1-0","#
            + r#""termination":"1-0 by checkmate","plies":61,"clock":"15+10","move_ms":1000,"#
            + r#""times":{"own_ms":31000,"opponent_ms":30500,"longest_own_ms":1350},"#
            + r#""version":"0.1.0","engine":null,"folder":"game-1","pgn":"game.pgn","known_by":"board"}"#;
        assert_eq!(text.lines().next(), Some(first.as_str()));
        assert!(!text.lines().nth(1).unwrap().contains("known_by"), "{text}");
        let results = read(&path).unwrap();
        assert_eq!((results.games, results.damaged), (games, Vec::new()));
    }

    #[test]
    fn a_damaged_line_is_named_and_costs_only_itself() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(RESULTS_FILE);
        let whole = game("a", Side::White, Score::Draw);
        append(&path, &whole).unwrap();
        let mut file = File::options().append(true).open(&path).unwrap();
        let newer = serde_json::to_string(&whole)
            .unwrap()
            .replace(r#""format":1"#, r#""format":2"#);
        let undated = serde_json::to_string(&whole)
            .unwrap()
            .replace("2026-11-21T22:31:00+01:00", "soon");
        let result = serde_json::to_string(&whole).unwrap().replace("1/2-1/2", "2-0");
        write!(
            file,
            "\n{newer}\n{undated}\n{result}\n\u{0}\u{0}\n{{}}\n{{\"format\":1,\"start"
        )
        .unwrap();
        // Broken off in the middle of a line; the next game has a line of its own all the same.
        append(&path, &whole).unwrap();
        let results = read(&path).unwrap();
        assert_eq!(results.games, [whole.clone(), whole]);
        let reasons = ["format 2", "'soon'", "2-0", "not JSON", "format number", "not JSON"];
        assert_eq!(results.damaged.len(), reasons.len(), "{:?}", results.damaged);
        for ((line, reason), told) in (3..).zip(reasons).zip(&results.damaged) {
            let start = format!("{}, line {line}: ", path.display());
            assert!(told.starts_with(&start) && told.contains(reason), "{told}");
        }
    }

    #[test]
    fn of_a_game_that_was_left_and_went_on_the_last_line_counts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(RESULTS_FILE);
        let in_file = |pgn: &str, result: Score| GameResult {
            pgn: pgn.to_owned(),
            ..game("a", Side::White, result)
        };
        let left = in_file("game-2.pgn", Score::Unfinished);
        let lines = [
            in_file("game.pgn", Score::Unfinished),
            left.clone(),
            left,
            in_file("game-2.pgn", Score::Draw),
        ];
        for line in &lines {
            append(&path, line).unwrap();
        }
        assert_eq!(read(&path).unwrap().games, [lines[0].clone(), lines[3].clone()]);
    }

    #[test]
    fn several_writers_leave_whole_lines() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(RESULTS_FILE);
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let path = &path;
                scope.spawn(move || {
                    for number in 0..50 {
                        let mut line = game(&format!("{writer} {number}"), Side::White, Score::Draw);
                        // Longer than any buffer on the way.
                        line.termination = "x".repeat(20_000);
                        append(path, &line).unwrap();
                    }
                });
            }
        });
        let results = read(&path).unwrap();
        assert_eq!(results.damaged, Vec::<String>::new());
        let names: BTreeSet<&str> = results.games.iter().map(|game| game.opponent.as_str()).collect();
        assert_eq!((results.games.len(), names.len()), (200, 200));
    }

    #[test]
    fn points_are_ours() {
        use Score::{BlackWins, Draw, Unfinished, WhiteWins};
        use Side::{Black, White};
        let points = |color, result| game("a", color, result).points();
        assert_eq!(
            [points(White, WhiteWins), points(White, BlackWins)],
            [Some(1.0), Some(0.0)]
        );
        assert_eq!(
            [points(Black, WhiteWins), points(Black, BlackWins)],
            [Some(0.0), Some(1.0)]
        );
        assert_eq!([points(White, Draw), points(Black, Draw)], [Some(0.5), Some(0.5)]);
        assert_eq!([points(White, Unfinished), points(Black, Unfinished)], [None, None]);
    }

    #[test]
    fn a_folder_stands_for_its_own_file_and_those_one_level_down() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "").unwrap();
            path
        };
        assert_eq!(files_in(folder.path()), Vec::<PathBuf>::new());
        let (b, a) = (write("b/results.jsonl"), write("a/results.jsonl"));
        write("a/deeper/results.jsonl");
        write("a/other.jsonl");
        assert_eq!(files_in(folder.path()), [a.clone(), b.clone()]);
        let own = write("results.jsonl");
        assert_eq!(files_in(folder.path()), [own.clone(), a.clone(), b]);
        assert_eq!(files_in(&a), [a]);
        assert_eq!(files_in(&own.with_file_name("none.jsonl")), Vec::<PathBuf>::new());
    }
}
