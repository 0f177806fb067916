//! A line for each game, and what all of them come to.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::Path;

/// No press may come later than this after a stop.
const OBEYED_WITHIN_MS: f64 = 50.0;
/// The share by which the player's memory may grow.
const GROWTH: f64 = 0.05;
/// Games of a process before its memory is compared: its tables fill first.
const WARM_UP: usize = 2;
/// How many games from the first, warm-up aside, are compared with as many up to the last.
const COMPARED: usize = 10;

/// A fault that came, and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Suffered {
    /// Plies that the game had.
    pub ply: usize,
    /// What, with its times and places.
    pub fault: String,
    pub kind: String,
    /// From the end of the fault to the player's next move on the site; `None` if the game was over before.
    pub went_on_ms: Option<f64>,
}

/// A stop that came, and what followed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stop {
    /// Plies that the game had.
    pub ply: usize,
    /// Which way and when.
    pub what: String,
    /// Unix time in ms: when it was made, and when the player was told to go on or started again.
    pub at_ms: f64,
    pub until_ms: f64,
    /// From the stop to each press on the page before the player was told to go on, in ms.
    pub presses_ms: Vec<f64>,
    /// What else was not as it should be.
    pub wrong: Vec<String>,
}

impl Stop {
    fn complaints(&self) -> Vec<String> {
        let told = |what: &str| format!("{} at ply {}: {what}", self.what, self.ply);
        let late = self.presses_ms.iter().filter(|ms| **ms > OBEYED_WITHIN_MS);
        let late = late.map(|ms| told(&format!("a press {ms:.0} ms later")));
        late.chain(self.wrong.iter().map(|what| told(what))).collect()
    }
}

/// One game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GameLine {
    /// Its number, from 1.
    pub game: u32,
    pub seed: u64,
    /// Which site and browser it was played on.
    pub run: u32,
    /// Which of the players there it was measured by: a player that is stopped is started again.
    #[serde(default)]
    pub process: u32,
    pub color: String,
    /// The bot's level and the squares' colours.
    pub level: u8,
    pub board: String,
    /// By the site.
    pub result: Option<String>,
    pub plies: usize,
    /// Moves that were believed and that the site does not have there.
    pub wrong: usize,
    /// Moves of the site that were not seen.
    pub unseen: usize,
    /// Moves of the site made in the moment of a stop or after it: the player started again knows them by the position
    /// it joins.
    #[serde(default)]
    pub passed_over: usize,
    /// Moves that the site refused, and how many of those it was made to.
    pub refused: usize,
    pub made_to_refuse: usize,
    pub faults: Vec<Suffered>,
    #[serde(default)]
    pub stops: Vec<Stop>,
    /// The player's resident memory at a fixed ply and at the game's end, in KiB.
    pub rss_kib: Option<u64>,
    pub rss_end_kib: Option<u64>,
    pub seconds: f64,
    /// Why the game did not come to its end.
    pub problem: Option<String>,
}

impl GameLine {
    /// What is wrong with it.
    pub fn complaints(&self) -> Vec<String> {
        let mut complaints: Vec<String> = self.problem.iter().cloned().collect();
        if self.wrong > 0 {
            complaints.push(format!("{} wrong moves", self.wrong));
        }
        if self.unseen > 0 && self.problem.is_none() {
            complaints.push(format!("{} moves not seen", self.unseen));
        }
        if self.refused > self.made_to_refuse {
            complaints.push(format!("{} moves refused", self.refused - self.made_to_refuse));
        }
        let result = self.result.as_deref().unwrap_or_default();
        let lost = if self.color == "white" { "0-1" } else { "1-0" };
        if result.starts_with(lost) && result.ends_with("time") {
            complaints.push("lost on time".to_owned());
        }
        complaints.extend(self.stops.iter().flat_map(Stop::complaints));
        complaints
    }
}

/// The games of earlier runs; a line that was not written whole is none.
pub fn read<T: DeserializeOwned>(path: &Path) -> Vec<T> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

/// Appends a game.
pub fn append(path: &Path, line: &impl Serialize) {
    let text = serde_json::to_string(line).expect("a line of JSON");
    let mut file = std::fs::File::options()
        .create(true)
        .append(true)
        .open(path)
        .expect("the file of games can be written");
    writeln!(file, "{text}").expect("the file of games can be written");
}

/// How the memory of each process went that played enough: its number, and the means of its first and its last games,
/// in KiB.
pub fn memory(lines: &[GameLine]) -> Vec<((u32, u32), f64, f64)> {
    let mut runs: BTreeMap<(u32, u32), Vec<f64>> = BTreeMap::new();
    for line in lines {
        runs.entry((line.run, line.process))
            .or_default()
            .extend(line.rss_kib.map(|kib| kib as f64));
    }
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
    let judged = |(run, games): ((u32, u32), Vec<f64>)| {
        let games = games.get(WARM_UP..).filter(|games| games.len() >= 2 * COMPARED)?;
        let (first, last) = (&games[..COMPARED], &games[games.len() - COMPARED..]);
        Some((run, mean(first), mean(last)))
    };
    runs.into_iter().filter_map(judged).collect()
}

/// Everything that was found, as a table; and whether it is as it should be.
pub fn table(lines: &[GameLine]) -> (String, bool) {
    let sum = |of: fn(&GameLine) -> usize| lines.iter().map(of).sum::<usize>();
    let mut text = format!(
        "\n{} games, {} plies: {} believed wrongly, {} not seen ({} more at stops), {} refused by the site ({} of them on purpose)\n",
        lines.len(),
        sum(|line| line.plies),
        sum(|line| line.wrong),
        sum(|line| line.unseen),
        sum(|line| line.passed_over),
        sum(|line| line.refused),
        sum(|line| line.made_to_refuse),
    );
    let mut kinds: BTreeMap<&str, Vec<Option<f64>>> = BTreeMap::new();
    for suffered in lines.iter().flat_map(|line| &line.faults) {
        kinds.entry(&suffered.kind).or_default().push(suffered.went_on_ms);
    }
    text += &format!(
        "\n{:<22} {:>6} {:>12} {:>12}\n",
        "fault", "times", "median ms", "worst ms"
    );
    for (kind, times) in kinds {
        let mut known: Vec<f64> = times.iter().flatten().copied().collect();
        known.sort_by(f64::total_cmp);
        let shown = |at: Option<&f64>| at.map_or("–".to_owned(), |ms| format!("{ms:.0}"));
        let (median, worst) = (shown(known.get(known.len() / 2)), shown(known.last()));
        text += &format!("{kind:<22} {:>6} {median:>12} {worst:>12}\n", times.len());
    }
    text += "(from the end of the fault to the player's next move)\n\n";
    text += &stops(lines);
    let mut well = true;
    let processes = memory(lines);
    let too_short = runs(lines).len() - processes.len();
    if too_short > 0 {
        text += &format!("memory: {too_short} processes of the player played too few games to say\n");
    }
    for ((run, process), first, last) in processes {
        let growth = last / first - 1.0;
        well &= growth <= GROWTH;
        text += &format!(
            "memory of the player, process {process} of run {run}: {:.1} MiB in its first {COMPARED} games after {WARM_UP}, {:.1} MiB in its last ({:+.1} %)\n",
            first / 1024.0,
            last / 1024.0,
            100.0 * growth
        );
    }
    for line in lines {
        for complaint in line.complaints() {
            well = false;
            text += &format!("game {}: {complaint}\n", line.game);
        }
    }
    text += if well {
        "nothing is wrong\n"
    } else {
        "something is wrong\n"
    };
    (text, well)
}

/// The processes of the player by which games were measured.
fn runs(lines: &[GameLine]) -> BTreeSet<(u32, u32)> {
    lines.iter().map(|line| (line.run, line.process)).collect()
}

/// What came after the stops, every press counted.
fn stops(lines: &[GameLine]) -> String {
    let stops: Vec<&Stop> = lines.iter().flat_map(|line| &line.stops).collect();
    if stops.is_empty() {
        return String::new();
    }
    let presses = || stops.iter().flat_map(|stop| &stop.presses_ms).copied();
    let worst = presses().fold(None, |worst: Option<f64>, ms| {
        Some(worst.map_or(ms, |worst| worst.max(ms)))
    });
    format!(
        "{} stops: worst press after a stop {}, {} later than {OBEYED_WITHIN_MS} ms\n\n",
        stops.len(),
        worst.map_or("none".to_owned(), |ms| format!("{ms:.0} ms")),
        presses().filter(|ms| *ms > OBEYED_WITHIN_MS).count(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(rss: impl Fn(u32) -> u64, games: u32) -> Vec<GameLine> {
        let line = |game| GameLine {
            game,
            run: 1,
            color: "white".to_owned(),
            result: Some("1-0 checkmate".to_owned()),
            rss_kib: Some(rss(game)),
            ..GameLine::default()
        };
        (1..=games).map(line).collect()
    }

    #[test]
    fn memory_that_grows_is_a_complaint_after_the_warm_up_only() {
        assert!(table(&lines(|game| if game < 3 { 10 } else { 1000 }, 40)).1);
        assert!(!table(&lines(|game| 1000 + 2 * u64::from(game), 40)).1);
        assert_eq!(memory(&lines(|_| 1000, 21)), []);
        assert_eq!(memory(&lines(|_| 1000, 22)), [((1, 0), 1000.0, 1000.0)]);
    }

    #[test]
    fn every_fault_of_a_game_is_a_complaint() {
        let well = || lines(|_| 1000, 1).remove(0);
        assert_eq!(well().complaints(), Vec::<String>::new());
        let allowed = GameLine {
            refused: 1,
            made_to_refuse: 1,
            ..well()
        };
        assert_eq!(allowed.complaints(), Vec::<String>::new());
        let bad = [
            GameLine { wrong: 1, ..well() },
            GameLine { unseen: 1, ..well() },
            GameLine { refused: 1, ..well() },
            GameLine {
                problem: Some("hung".to_owned()),
                ..well()
            },
            stopped(&[12.0, 50.5], &[]),
            stopped(&[], &["the button was left pressed"]),
            GameLine {
                result: Some("0-1 time".to_owned()),
                ..well()
            },
        ];
        for line in bad {
            assert_eq!(line.complaints().len(), 1, "{line:?}");
            assert!(!table(&[line]).1);
        }
    }

    /// A game that was stopped once, with presses so long after it.
    fn stopped(presses_ms: &[f64], wrong: &[&str]) -> GameLine {
        let stop = Stop {
            presses_ms: presses_ms.to_vec(),
            wrong: wrong.iter().map(|what| (*what).to_owned()).collect(),
            ..Stop::default()
        };
        GameLine {
            stops: vec![stop],
            ..lines(|_| 1000, 1).remove(0)
        }
    }

    #[test]
    fn the_worst_press_after_all_stops_is_told() {
        let told = |lines: &[GameLine]| table(lines).0;
        let quiet = [stopped(&[], &[]), stopped(&[], &[])];
        assert!(told(&quiet).contains("2 stops: worst press after a stop none, 0 later than 50 ms"));
        let loud = [stopped(&[3.0, 1800.0], &[]), stopped(&[20.0], &[])];
        assert!(told(&loud).contains("2 stops: worst press after a stop 1800 ms, 1 later than 50 ms"));
    }

    #[test]
    fn a_line_reads_back() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("games.jsonl");
        let line = GameLine {
            stops: stopped(&[1.5], &["the button was left pressed"]).stops,
            faults: vec![Suffered {
                ply: 5,
                fault: "window moved to 1, 2".to_owned(),
                kind: "window moved".to_owned(),
                went_on_ms: Some(812.5),
            }],
            ..lines(|_| 7, 1).remove(0)
        };
        append(&path, &line);
        append(&path, &line);
        assert_eq!(read::<GameLine>(&path), [line.clone(), line]);
    }
}
