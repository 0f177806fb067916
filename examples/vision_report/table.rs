//! Counts and how they are printed.

use image::RgbaImage;
use std::collections::BTreeMap;
use std::fmt;

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Row {
    Located,
    Orientation,
    Squares,
    SureSquares,
    Plies,
    Wrong,
    Gaps,
    Altered,
    Recovered,
    Events,
}

impl Row {
    fn title(self) -> &'static str {
        match self {
            Row::Located => "boards located, each side within 1 px (2 px at scale 2)",
            Row::Orientation => "orientation from the start position",
            Row::Squares => "squares read right in stable frames, uncovered squares",
            Row::SureSquares => "  of these read surely",
            Row::Plies => "plies correct",
            Row::Wrong => "wrong moves, over all frames",
            Row::Gaps => "one or two plies' frames lost: right again at the next one",
            Row::Altered => "frames altered against the rules: not believed",
            Row::Recovered => "  understood again at the next true frame",
            Row::Events => "takebacks, new games, a turned board: recognised",
        }
    }
}

/// How many were right, of how many.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub right: usize,
    pub of: usize,
}

/// A question that was answered wrongly.
#[derive(Clone, Debug)]
pub struct Failure {
    pub row: Row,
    pub frame: usize,
    pub what: String,
}

/// What one scene, or a group of scenes, brought.
#[derive(Default)]
pub struct Findings {
    pub tallies: BTreeMap<Row, Tally>,
    pub wrong: usize,
    /// Positions invented after a gap.
    pub gaps_wrong: usize,
    pub frames: usize,
    pub seconds: f64,
    pub failures: Vec<Failure>,
    /// Altered frames that were believed.
    pub altered_pictures: Vec<(usize, RgbaImage)>,
}

impl Findings {
    /// Counts an answer.
    pub fn tally(&mut self, row: Row, right: bool) {
        self.tally_many(row, usize::from(right), 1);
    }

    /// Counts many answers.
    pub fn tally_many(&mut self, row: Row, right: usize, of: usize) {
        let tally = self.tallies.entry(row).or_default();
        tally.right += right;
        tally.of += of;
    }

    /// Counts an answer, and notes what is behind a wrong one.
    pub fn count(&mut self, row: Row, right: bool, frame: usize, what: impl FnOnce() -> String) {
        self.tally(row, right);
        if !right {
            self.fail(row, frame, what());
        }
    }

    /// Notes a failure without counting it.
    pub fn fail(&mut self, row: Row, frame: usize, what: String) {
        self.failures.push(Failure { row, frame, what });
    }

    /// The failures, a few of each row.
    pub fn failures_as_text(&self, scene: &str, listed: usize) -> String {
        let mut rows: BTreeMap<Row, Vec<&Failure>> = BTreeMap::new();
        for failure in &self.failures {
            rows.entry(failure.row).or_default().push(failure);
        }
        let mut text = String::new();
        for (row, failures) in rows {
            for failure in failures.iter().take(listed) {
                text += &format!("{scene} line {}: {row:?}: {}\n", failure.frame + 1, failure.what);
            }
            if let more @ 1.. = failures.len().saturating_sub(listed) {
                text += &format!("{scene}: {row:?}: and {more} more\n");
            }
        }
        text
    }

    fn merge(&mut self, other: Findings) {
        for (row, tally) in other.tallies {
            self.tally_many(row, tally.right, tally.of);
        }
        self.wrong += other.wrong;
        self.gaps_wrong += other.gaps_wrong;
        self.frames += other.frames;
        self.seconds += other.seconds;
        self.failures.extend(other.failures);
    }
}

/// The whole report.
#[derive(Default)]
pub struct Table {
    groups: BTreeMap<String, (usize, Findings)>,
    /// Figures of time: what, and how long.
    pub timings: Vec<(String, String)>,
}

impl Table {
    /// Adds a scene to its group.
    pub fn add(&mut self, group: &str, findings: Findings) {
        let (scenes, sum) = self.groups.entry(group.to_owned()).or_default();
        *scenes += 1;
        sum.merge(findings);
    }
}

const ROWS: [Row; 10] = [
    Row::Located,
    Row::Orientation,
    Row::Squares,
    Row::SureSquares,
    Row::Plies,
    Row::Wrong,
    Row::Gaps,
    Row::Altered,
    Row::Recovered,
    Row::Events,
];

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let heads: Vec<String> = self
            .groups
            .iter()
            .map(|(name, (n, _))| format!("{name}, {n} scenes"))
            .collect();
        writeln!(f, "\n| figure | {} |", heads.join(" | "))?;
        writeln!(f, "|---|{}", "---|".repeat(heads.len()))?;
        for row in ROWS {
            let cells: Vec<String> = self.groups.values().map(|(_, findings)| cell(findings, row)).collect();
            writeln!(f, "| {} | {} |", row.title(), cells.join(" | "))?;
        }
        let speed = |findings: &Findings| format!("{:.0}", findings.frames as f64 / findings.seconds.max(1e-9));
        let speeds: Vec<String> = self.groups.values().map(|(_, findings)| speed(findings)).collect();
        writeln!(
            f,
            "| replaying, frames a second, all sizes, PNG decoding aside | {} |",
            speeds.join(" | ")
        )?;
        for (what, figure) in &self.timings {
            writeln!(f, "| {what} | {figure} |")?;
        }
        Ok(())
    }
}

fn cell(findings: &Findings, row: Row) -> String {
    if row == Row::Wrong {
        return format!(
            "{} (and {} positions invented after a gap)",
            findings.wrong, findings.gaps_wrong
        );
    }
    let Tally { right, of } = findings.tallies.get(&row).copied().unwrap_or_default();
    if of == 0 {
        return "–".into();
    }
    format!("{:.3} % ({right} of {of})", 100.0 * right as f64 / of as f64)
}
