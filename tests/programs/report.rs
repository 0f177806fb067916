//! A line for each game, and the table of all.

use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::Path;

/// Own moves of a hundred that may have been entered again.
const RETRIES_ALLOWED: f64 = 1.0;

/// One game with one program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Program and look.
    pub program: String,
    /// Torres' colour.
    pub color: String,
    /// When, as the wall clock showed it.
    pub date: String,
    /// Of Torres.
    pub commit: String,
    /// As Torres wrote it down.
    pub result: Option<String>,
    /// Plies that Torres wrote down, and that the engine had.
    pub plies: usize,
    pub judged: usize,
    /// Believed and not played.
    pub wrong: usize,
    /// Played and not seen.
    pub missed: usize,
    /// Moves of Torres, and how many times one was entered again.
    pub own: usize,
    pub retries: usize,
    /// Of these the one that taught how the board takes moves, once for each calibration.
    #[serde(default)]
    pub taught: usize,
    /// Moments that nothing explained, and pauses.
    pub unknown: usize,
    pub pauses: usize,
    pub seconds: f64,
    /// Why the game did not come to its end.
    pub problem: Option<String>,
}

impl Line {
    /// What it stands for: the last line of a name counts.
    pub fn name(&self) -> String {
        format!("{} {}", self.program, self.color)
    }

    /// What is wrong with it.
    pub fn complaints(&self) -> Vec<String> {
        let mut complaints: Vec<String> = self.problem.iter().cloned().collect();
        for (count, what) in [
            (self.wrong, "believed wrongly"),
            (self.missed, "not seen"),
            (self.pauses, "pauses"),
        ] {
            if count > 0 {
                complaints.push(format!("{count} {what}"));
            }
        }
        if (self.retries - self.taught.min(self.retries)) as f64 * 100.0 > self.own as f64 * RETRIES_ALLOWED {
            complaints.push(format!("{} of {} moves entered again", self.retries, self.own));
        }
        complaints
    }

    /// In one line.
    pub fn told(&self) -> String {
        let complaints = self.complaints();
        format!(
            "{:<24} {:<6} {:>4} plies, {:>4} by the engine, {:>2} wrong, {:>2} not seen, {:>2} of {:>3} entered again, {:>2} unknown, {:>4.0} s, {}{}",
            self.program,
            self.color,
            self.plies,
            self.judged,
            self.wrong,
            self.missed,
            self.retries,
            self.own,
            self.unknown,
            self.seconds,
            self.result.as_deref().unwrap_or("*"),
            if complaints.is_empty() {
                String::new()
            } else {
                format!("; WRONG: {}", complaints.join(", "))
            }
        )
    }
}

/// The lines of earlier runs; one that was not written whole is none.
pub fn read(path: &Path) -> Vec<Line> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

/// Appends a line.
pub fn append(path: &Path, line: &Line) {
    let text = serde_json::to_string(line).expect("a line of JSON");
    let file = std::fs::File::options().create(true).append(true).open(path);
    writeln!(file.expect("the file of games can be written"), "{text}").expect("the file of games can be written");
}

/// The first and the last game of each name, and whether the last ones are as they should be.
pub fn table(lines: &[Line]) -> (String, bool) {
    let mut names: Vec<String> = Vec::new();
    for line in lines {
        if !names.contains(&line.name()) {
            names.push(line.name());
        }
    }
    let (mut text, mut well) = (String::from("\n"), true);
    let (mut plies, mut wrong) = (0, 0);
    for name in &names {
        let games: Vec<&Line> = lines.iter().filter(|line| line.name() == *name).collect();
        let last = games[games.len() - 1];
        if games.len() > 1 {
            text += &format!("first  {} ({})\n", games[0].told(), games[0].commit);
        }
        text += &format!("game {} {} ({})\n", games.len(), last.told(), last.commit);
        well &= last.complaints().is_empty();
        plies += last.judged;
        wrong += last.wrong;
    }
    text += &format!(
        "{} programs and colours, {plies} plies, {wrong} believed wrongly; {}\n",
        names.len(),
        if well { "nothing is wrong" } else { "something is wrong" }
    );
    (text, well)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line() -> Line {
        Line {
            program: "xboard, wood".to_owned(),
            color: "white".to_owned(),
            own: 30,
            plies: 60,
            judged: 60,
            ..Line::default()
        }
    }

    #[test]
    fn every_shortcoming_is_told_and_the_last_game_of_a_name_counts() {
        let bad = [
            Line { wrong: 1, ..line() },
            Line { missed: 1, ..line() },
            Line { pauses: 1, ..line() },
            Line {
                retries: 2,
                taught: 1,
                ..line()
            },
            Line {
                problem: Some("hung".to_owned()),
                ..line()
            },
        ];
        for bad in bad {
            assert_eq!(bad.complaints().len(), 1, "{bad:?}");
            assert!(!table(&[line(), bad.clone()]).1);
            assert!(table(&[bad, line()]).1);
        }
        let taught = Line {
            retries: 1,
            taught: 1,
            ..line()
        };
        assert_eq!(taught.complaints(), Vec::<String>::new());
        let hundred = Line { own: 100, ..line() };
        assert!(table(&[Line { retries: 1, ..hundred }]).1);
    }

    #[test]
    fn a_line_reads_back() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("games.jsonl");
        append(&path, &line());
        append(&path, &line());
        assert_eq!(read(&path), [line(), line()]);
    }
}
