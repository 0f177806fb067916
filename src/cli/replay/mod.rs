//! `torres replay`.

mod game;

use super::{CliError, CliResult, Exit};
use game::{Compared, Recorded};
use serde::Serialize;
use shakmaty::Square;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;
use torres_chess::{fen, uci_line};
use torres_fixture::decision::{candidates, listed};
use torres_fixture::{BeliefKind, Fault, Fixture, Replay, Score, replay, score};
use torres_printing::printable;
use torres_vision::Doubt;
use torres_vision::appearance::doubt_reasons;

/// Arguments of `torres replay`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Folders of recorded frames, or of games that Torres played.
    #[arg(required = true)]
    pub fixtures: Vec<PathBuf>,
    /// One JSON object per line.
    #[arg(long)]
    pub json: bool,
}

/// A change of belief.
#[derive(Serialize)]
struct EventLine<'a> {
    fixture: &'a str,
    frame: &'a str,
    event: &'static str,
    moves: Vec<String>,
    fen: Option<String>,
}

/// A fixture's last line.
#[derive(Serialize)]
struct ScoreLine<'a> {
    fixture: &'a str,
    plies: Option<usize>,
    correct: Option<usize>,
    missed: Option<usize>,
    wrong: Option<usize>,
    frames: usize,
    seconds: f64,
}

/// A recording of a game compared with the game's journal.
#[derive(Serialize)]
struct JournalLine<'a> {
    fixture: &'a str,
    /// The plies that both have.
    plies: Option<usize>,
    /// What differs, or why the recording has not all of them.
    differs: Option<&'a str>,
    cut_short: Option<&'a str>,
}

/// Play recorded frames through vision and compare with their truth; a game's recordings with its journal.
pub(crate) fn run(args: Args) -> CliResult {
    // All are checked before the first is played.
    let mut fixtures: Vec<(Fixture, Option<Recorded>)> = Vec::new();
    for dir in &args.fixtures {
        match game::is_game(dir) {
            true => {
                for recorded in game::recordings(dir)? {
                    let fixture = Fixture::read(&recorded.dir).map_err(CliError::usage)?;
                    fixtures.push((fixture, Some(recorded)));
                }
            }
            false => fixtures.push((Fixture::read(dir).map_err(CliError::usage)?, None)),
        }
    }
    let mut out = Guarded(io::stdout().lock());
    let mut exit = Exit::Done;
    for (fixture, of_game) in &fixtures {
        let begun = Instant::now();
        let replayed = replay(fixture.into(), &mut fixture.frames()).map_err(CliError::usage)?;
        let seconds = begun.elapsed().as_secs_f64();
        let score = score(fixture, &replayed);
        let decision = fixture.decision.as_ref();
        let differs = decision.is_some_and(|decision| decision.comes_again(&replayed).is_err());
        if differs || score.as_ref().is_some_and(|score| !score.is_perfect()) {
            exit = Exit::Found;
        }
        let printer = Printer {
            fixture,
            name: fixture.dir.display().to_string(),
            json: args.json,
        };
        let unwritable = |e| CliError::failed(format!("cannot write to standard output: {e}"));
        printer
            .print(&mut out, &replayed, score.as_ref(), seconds)
            .map_err(unwritable)?;
        if let Some(recorded) = of_game {
            let compared = recorded.compare(fixture, &replayed);
            if matches!(compared, Compared::Differs(_)) {
                exit = Exit::Found;
            }
            printer.print_compared(&mut out, &compared).map_err(unwritable)?;
        }
    }
    Ok(exit)
}

/// Output that passes text on as it may be printed: names of files and engines stand in it.
struct Guarded<W>(W);

impl<W: Write> Write for Guarded<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // What is formatted comes in whole strings.
        self.0
            .write_all(printable(&String::from_utf8_lossy(bytes)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

struct Printer<'a> {
    fixture: &'a Fixture,
    name: String,
    json: bool,
}

impl Printer<'_> {
    /// What was decided on an evidence folder, and whether the replay comes to the same.
    fn print_decision(&self, out: &mut impl Write, replayed: &Replay) -> io::Result<()> {
        let Some(decision) = &self.fixture.decision else {
            return Ok(());
        };
        let file = self.file(decision.line);
        writeln!(out, "decided on {file}: {} ({})", decision.decision, decision.why)?;
        match decision.comes_again(replayed) {
            Ok(()) => writeln!(out, "the replay comes to the same again"),
            Err(differs) => writeln!(out, "the replay differs: {differs}"),
        }
    }

    fn print(&self, out: &mut impl Write, replayed: &Replay, score: Option<&Score>, seconds: f64) -> io::Result<()> {
        for belief in &replayed.beliefs {
            let line = EventLine {
                fixture: &self.name,
                frame: self.file(belief.frame),
                event: belief.kind.name(),
                moves: uci_line(&belief.moves),
                fen: belief.position.as_ref().map(fen),
            };
            if self.json {
                writeln!(out, "{}", serde_json::to_string(&line)?)?;
            } else {
                let text = format!("{}  {} {}", line.frame, line.event, line.moves.join(" "));
                writeln!(out, "{}", text.trim_end())?;
                if let (BeliefKind::Unknown, Some(doubt)) = (belief.kind, replayed.doubts.get(&belief.frame)) {
                    write!(out, "{}", reasons(doubt))?;
                }
            }
        }
        if !self.json {
            self.print_decision(out, replayed)?;
        }
        let line = ScoreLine {
            fixture: &self.name,
            plies: score.map(|s| s.plies),
            correct: score.map(|s| s.correct),
            missed: score.map(|s| s.missed),
            wrong: score.map(|s| s.wrong),
            frames: self.fixture.shots.len(),
            seconds,
        };
        if self.json {
            return writeln!(out, "{}", serde_json::to_string(&line)?);
        }
        for fault in score.map_or(&[][..], |score| &score.faults) {
            match fault {
                Fault::Missed { frame, played } => writeln!(out, "missed: {played}, shown by {}", self.file(*frame))?,
                Fault::Wrong { frame, believed } => {
                    writeln!(out, "wrong: {believed}, believed at {}", self.file(*frame))?
                }
            }
        }
        let (name, frames) = (&self.name, line.frames);
        match score {
            Some(Score {
                plies,
                correct,
                missed,
                wrong,
                ..
            }) => writeln!(
                out,
                "{name}: {plies} plies, {correct} correct, {missed} missed, {wrong} wrong; {frames} frames in {seconds:.2} s"
            ),
            None => writeln!(
                out,
                "{name}: no truth to compare with; {frames} frames in {seconds:.2} s"
            ),
        }
    }

    /// Whether the replay believes what was believed in the game: Torres' own beliefs, both of them.
    fn print_compared(&self, out: &mut impl Write, compared: &Compared) -> io::Result<()> {
        let (plies, differs, cut_short) = match compared {
            Compared::Same(plies) => (Some(*plies), None, None),
            Compared::AsFar(plies, why) => (Some(*plies), None, Some(why.as_str())),
            Compared::Differs(how) => (None, Some(how.as_str()), None),
        };
        let name = &self.name;
        if self.json {
            let line = JournalLine {
                fixture: name,
                plies,
                differs,
                cut_short,
            };
            return writeln!(out, "{}", serde_json::to_string(&line)?);
        }
        match compared {
            Compared::Same(plies) => writeln!(
                out,
                "{name}: the same {plies} plies as in the journal, which are what Torres believed then and no truth"
            ),
            Compared::AsFar(plies, why) => writeln!(
                out,
                "{name}: {plies} plies as in the journal, where the recording ends: {why}; what the journal has is what Torres believed, no truth"
            ),
            Compared::Differs(how) => writeln!(
                out,
                "{name}: differs from the journal, which is what Torres believed then and no truth: {how}"
            ),
        }
    }

    fn file(&self, frame: usize) -> &str {
        self.fixture.shots.get(frame).map_or("", |shot| &shot.file)
    }
}

/// Why a frame is not understood: which squares, what is wrong with them, and which lines come nearest.
fn reasons(doubt: &Doubt) -> String {
    let names = |squares: &[Square]| squares.iter().map(Square::to_string).collect::<Vec<_>>().join(" ");
    let doubtful = doubt.reading.doubtful();
    let one = |square: &Square| {
        let why: Vec<&str> = doubt_reasons(&doubt.scores[*square])
            .iter()
            .map(|why| why.name())
            .collect();
        format!("{square} ({})", why.join(", "))
    };
    let mut text = format!("    read     {}\n", doubt.reading.board());
    match doubt.changed.len() {
        64 => text += "    changed  every square, or nothing was understood before\n",
        _ => text += &format!("    changed  {}\n", names(&doubt.changed)),
    }
    if !doubtful.is_empty() {
        text += &format!(
            "    doubtful {}\n",
            doubtful.iter().map(one).collect::<Vec<_>>().join(", ")
        );
    }
    text + &format!("    nearest  {}\n", listed(&candidates(doubt)))
}
