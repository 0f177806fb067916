//! The figures of a game, from the player's journal and the site's log.

use serde::Deserialize;
use std::path::Path;
use torres_journal::{Entry, Event, Verdict, event};

/// A line of the practice site's log, as far as it is needed here.
#[derive(Deserialize)]
struct SiteLine {
    t_ms: f64,
    event: String,
    by: Option<String>,
    #[serde(rename = "move")]
    played: Option<String>,
    fen: Option<String>,
    detail: Option<serde_json::Value>,
}

/// What one or more games came to.
#[derive(Debug, Default)]
pub(crate) struct Figures {
    results: Vec<String>,
    plies: usize,
    plies_seen: usize,
    misread: usize,
    refused: usize,
    first_try: usize,
    after_retry: usize,
    otherwise: usize,
    /// The opponent's moves, timed or not.
    replies: usize,
    /// Known minus at rest, ms, for each of the opponent's moves that was read and of which the page reported the rest.
    recognition: Vec<f64>,
    /// Confirmed (the whole board at rest in that position) minus at rest, ms, for those of them that were.
    confirmation: Vec<f64>,
    /// Proven landed minus released, ms, for each of our own.
    landing: Vec<f64>,
}

/// What was believed of a game's moves, by its journal.
#[derive(Default)]
struct Believed {
    /// Every move, with the moment from which on it was believed.
    moves: Vec<(String, f64)>,
    /// Move, the moment from which on it was known, and when the board at rest confirmed it.
    confirmed: Vec<(String, f64, f64)>,
}

impl Figures {
    /// Reads a game's journal and site log from its folder.
    pub(crate) fn of(out: &Path) -> Result<Figures, String> {
        let site: Vec<SiteLine> = lines(&out.join("site.log"))?;
        let journal: Vec<Entry> = lines(&out.join("journal.jsonl"))?;
        let mut figures = Figures::default();
        let believed = figures.read(&journal);
        figures.compare(&site, &believed);
        if let Some(result) = site.iter().rev().find(|line| line.event == "result") {
            let detail = result.detail.as_ref().map_or(String::new(), text);
            figures.results.push(format!("by the site: {detail}"));
        }
        Ok(figures)
    }

    /// Takes in what the journal says; returns what was believed.
    fn read(&mut self, journal: &[Entry]) -> Believed {
        let mut believed = Believed::default();
        let mut retrying = false;
        for entry in journal {
            match &entry.event {
                Event::Seen(event::Seen { moves, .. }) => believed
                    .moves
                    .extend(moves.iter().map(|m| (m.clone(), entry.t_ms.as_ms()))),
                Event::Confirmed { played, known_t_ms, .. } => {
                    believed
                        .confirmed
                        .push((played.clone(), known_t_ms.as_ms(), entry.t_ms.as_ms()))
                }
                Event::Retry(_) => retrying = true,
                Event::Verdict(event::Verification { verdict, took_ms, .. }) => {
                    match (verdict, retrying) {
                        (Verdict::Landed, false) => self.first_try += 1,
                        (Verdict::Landed, true) => self.after_retry += 1,
                        _ => self.otherwise += 1,
                    }
                    if *verdict == Verdict::Landed {
                        self.landing.push(*took_ms);
                    }
                    retrying = false;
                }
                Event::Result {
                    result, termination, ..
                } => self.results.push(format!("{result} ({termination})")),
                _ => {}
            }
        }
        believed
    }

    /// Compares what was believed with what the site's log has.
    fn compare(&mut self, site: &[SiteLine], believed: &Believed) {
        let Believed {
            moves: believed,
            confirmed,
        } = believed;
        let moves: Vec<&SiteLine> = site.iter().filter(|line| line.event == "move").collect();
        self.plies = moves.len();
        self.refused = site.iter().filter(|line| line.event == "refused").count();
        // A calibration in the middle of a game knows the moves before it from the board alone.
        let known_before = moves.len().saturating_sub(believed.len());
        let known_before = (0..=known_before)
            .find(|skip| {
                let rest = moves
                    .iter()
                    .skip(*skip)
                    .map(|line| line.played.as_deref().unwrap_or(""));
                rest.zip(believed).all(|(played, (seen, _))| played == seen)
            })
            .unwrap_or(0);
        self.plies_seen = believed.len() + known_before;
        let on_site = &moves[known_before..];
        self.replies = on_site.iter().filter(|line| line.by.as_deref() == Some("bot")).count();
        // What was believed beyond the site's last move was not played.
        self.misread += believed.len().saturating_sub(on_site.len());
        for (line, (seen, known)) in on_site.iter().zip(believed) {
            if line.played.as_deref() != Some(seen) {
                self.misread += 1;
                continue;
            }
            if line.by.as_deref() == Some("bot") {
                let rest = site
                    .iter()
                    .find(|other| other.event == "at_rest" && other.fen == line.fen && other.t_ms >= line.t_ms - 50.0);
                if let Some(rest) = rest {
                    self.recognition.push(known - rest.t_ms);
                    let of_this = |(played, at, _): &&(String, f64, f64)| played == seen && (at - known).abs() < 1.0;
                    let later = confirmed.iter().find(of_this).map(|(_, _, at)| at - rest.t_ms);
                    self.confirmation.extend(later);
                }
            }
        }
    }

    /// Adds another game's figures.
    pub(crate) fn add(&mut self, game: Figures) {
        self.results.extend(game.results);
        self.plies += game.plies;
        self.plies_seen += game.plies_seen;
        self.misread += game.misread;
        self.refused += game.refused;
        self.first_try += game.first_try;
        self.after_retry += game.after_retry;
        self.otherwise += game.otherwise;
        self.replies += game.replies;
        self.recognition.extend(game.recognition);
        self.confirmation.extend(game.confirmation);
        self.landing.extend(game.landing);
    }

    /// Prints the figures of one game and where its files are.
    pub(crate) fn print(&self, out: &Path) {
        println!();
        for (index, result) in self.results.iter().enumerate() {
            println!("{:<12}{result}", if index == 0 { "result" } else { "" });
        }
        self.print_all();
        println!("{:<12}{}", "game", out.join("game.pgn").display());
        println!("{:<12}{}", "picture", out.join("game.png").display());
        println!("{:<12}{}", "journal", out.join("journal.jsonl").display());
    }

    /// Prints the figures alone.
    pub(crate) fn print_all(&self) {
        println!(
            "{:<12}{} on the site, {} seen, {} misread, {} refused by the site",
            "plies", self.plies, self.plies_seen, self.misread, self.refused
        );
        println!(
            "{:<12}{} landed at first try, {} after a retry, {} otherwise",
            "own moves", self.first_try, self.after_retry, self.otherwise
        );
        print_times("at rest to known", &self.recognition, self.replies);
        print_times("at rest to confirmed", &self.confirmation, self.replies);
        let own = self.first_try + self.after_retry + self.otherwise;
        print_times("released to landed", &self.landing, own);
    }
}

/// Median, 99th percentile and worst of the times in ms, and of how many of all moves they are known.
fn print_times(what: &str, times: &[f64], all: usize) {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let index = ((sorted.len() as f64 * share).ceil() as usize).saturating_sub(1);
        sorted.get(index)
    };
    match (at(0.5), at(0.99), sorted.last()) {
        (Some(median), Some(high), Some(worst)) => println!(
            "{what}: median {median:.0} ms, 99th percentile {high:.0} ms, worst {worst:.0} ms ({} of {all} moves)",
            sorted.len()
        ),
        _ => println!("{what}: no moves"),
    }
}

fn text(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn lines<T: serde::de::DeserializeOwned>(path: &Path) -> Result<Vec<T>, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    text.lines()
        .enumerate()
        .map(|(index, line)| {
            serde_json::from_str(line).map_err(|e| format!("{}, line {}: {e}", path.display(), index + 1))
        })
        .collect()
}
