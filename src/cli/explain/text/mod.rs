//! A game's story in words: a block a ply, a line for each moment of it.

use jiff::tz::TimeZone;
use std::fmt::Write;
use std::path::Path;
use torres_frame::WallTime;
use torres_journal::story::{Act, Answer, Decided, GameStory, PlyStory, Vouched, When, Work};
use torres_journal::{Event, GestureKind, Place, PonderEnd, Verdict};
use torres_printing::one_line;

/// Moves of an expected line that the account of a whole game shows.
const EXPECTED: usize = 6;

/// How times and paths are written.
pub(super) struct Text<'a> {
    /// The journal's folder: evidence and recordings lie beside it.
    pub beside: &'a Path,
    /// Where the reader lives.
    pub zone: TimeZone,
}

/// A moment: when, a word for what it is, the words.
type Moment = (When, &'static str, String);

impl Text<'_> {
    /// The account of a whole game.
    pub fn game(&self, game: &GameStory, number: usize, of: usize) -> String {
        let mut out = self.heading(game, number, of);
        for ply in &game.plies {
            out += &self.block(ply, false);
        }
        let rest = self.work(&game.rest, false);
        if !rest.is_empty() {
            out += "\nafter the last ply\n";
            self.list(&mut out, rest);
        }
        let _ = match &game.result {
            Some((result, how)) => writeln!(out, "\nresult {}: {}", one_line(result), one_line(how)),
            None => writeln!(out, "\nno result: the journal breaks off here"),
        };
        out
    }

    /// Everything about a ply; all plies that had this number, where some were taken back.
    pub fn ply(&self, game: &GameStory, number: usize) -> Option<String> {
        let plies = game.plies.iter().filter(|ply| ply.number == number);
        let blocks: Vec<String> = plies.map(|ply| self.block(ply, true)).collect();
        // The part that it is in.
        let mut parts = game.recordings.iter().rev();
        let recording = parts.find(|part| part.from < number).map(|part| {
            let path = self.beside.join(&part.folder);
            format!("\nwhat the board showed: torres replay {}\n", path.display())
        });
        (!blocks.is_empty()).then(|| blocks.concat().trim_start().to_owned() + &recording.unwrap_or_default())
    }

    fn heading(&self, game: &GameStory, number: usize, of: usize) -> String {
        let beginning = &game.beginning;
        let mut out = format!("game {number} of {of}");
        if let Some(at) = beginning.at {
            let _ = write!(out, ", {}", self.date(at.wall));
        }
        if let Some((version, command)) = &beginning.program {
            let _ = write!(out, ", by torres {} {}", one_line(version), one_line(command));
        }
        out.push('\n');
        if let Some(fen) = &beginning.fen {
            let color = beginning.color.map_or("?", |color| color.name());
            let opponent = beginning.opponent.as_deref().unwrap_or("an unnamed opponent");
            let _ = write!(out, "Torres has {color} against {}", one_line(opponent));
            if let Some(clock) = &beginning.clock {
                let _ = write!(out, ", {} s", one_line(clock));
            }
            let _ = writeln!(out, "\nfrom {}", one_line(fen));
        }
        for vouched in &beginning.vouched {
            out += &self.vouched(vouched);
        }
        for recording in &game.recordings {
            let path = self.beside.join(&recording.folder);
            let _ = write!(out, "recorded: torres replay {}", path.display());
            if let Some(why) = &recording.cut_short {
                let _ = write!(out, " (not to the end: {})", one_line(why));
            }
            out.push('\n');
        }
        out
    }

    /// What the user vouched for, and where it can be looked at.
    fn vouched(&self, vouched: &Vouched) -> String {
        let who = match (&vouched.name, vouched.declared_bot) {
            (Some(name), true) => format!("'{name}', a bot"),
            (None, true) => "a bot".to_owned(),
            (Some(name), false) => format!("'{name}', of whom nobody said that it is a bot"),
            (None, false) => "somebody of whom nobody said that it is a bot".to_owned(),
        };
        let pictures = vouched
            .pictures
            .iter()
            .map(|name| self.beside.join(name).display().to_string());
        let pictures: Vec<String> = pictures.collect();
        format!(
            "vouched for by the user: the panel at {} of the window names {who}; it looked like {}\n",
            rect(&vouched.panel),
            pictures.join(" or ")
        )
    }

    fn block(&self, ply: &PlyStory, full: bool) -> String {
        let who = if ply.ours { "Torres" } else { "the opponent" };
        let mut out = format!("\nply {}   {}   {who}", ply.number, ply.caption);
        out += if ply.taken_back { "   taken back later\n" } else { "\n" };
        if full {
            let _ = writeln!(out, "  before  {}", ply.fens.0);
        }
        let mut moments = self.work(&ply.work, full);
        match &ply.seen {
            None if ply.clock_ms.is_none() => out += "  made before Torres came\n",
            None => out += "  found on the board after moves were taken back\n",
            Some(seen) => {
                let mut text = format!("{}, least sure square {:.3}", ply.played, seen.confidence);
                let _ = write!(
                    text,
                    ", frame {:.0} ms old",
                    seen.at.wall.as_ms() - seen.captured.as_ms()
                );
                if seen.together.len() > 1 {
                    let _ = write!(text, ", together: {}", seen.together.join(" "));
                }
                moments.push((seen.at, "seen", text));
            }
        }
        if let Some(verified) = &ply.verified {
            let verdict = match verified.verdict {
                Verdict::Landed => format!("landed, {:.0} ms after the release", verified.took_ms),
                Verdict::NotLanded => format!("not landed, {:.0} ms after the release", verified.took_ms),
                Verdict::Other => "a move that Torres had not ordered; taken as played".to_owned(),
                Verdict::Unknown => "not clear".to_owned(),
            };
            moments.push((
                verified.at,
                "verified",
                verdict + &self.evidence(verified.evidence.as_deref()),
            ));
        }
        if let Some((confirmed, later)) = ply.confirmed {
            let text = format!("the whole board at rest, {later:.0} ms after the move was known");
            moments.push((confirmed, "confirmed", text));
        }
        self.list(&mut out, moments);
        if let Some((took, left)) = ply.clock_ms {
            let _ = writeln!(
                out,
                "                clock     {:.1} s used, {} left",
                took / 1e3,
                minutes(left)
            );
        }
        if full {
            let lines: Vec<String> = ply.work.lines.iter().map(ToString::to_string).collect();
            let _ = writeln!(out, "  after   {}\n  journal lines {}", ply.fens.1, lines.join(" "));
        }
        out
    }

    fn list(&self, out: &mut String, mut moments: Vec<Moment>) {
        moments.sort_by_key(|(at, ..)| at.line);
        for (at, word, text) in moments {
            let _ = writeln!(out, "  {}  {word:<9} {}", self.time(at.wall), one_line(&text));
        }
    }

    fn work(&self, work: &Work, full: bool) -> Vec<Moment> {
        let mut moments = Vec::new();
        for decided in &work.decided {
            moments.extend(questions(decided, full));
        }
        for (at, act) in &work.done {
            let (word, text) = self.act(act, full);
            moments.push((*at, word, text));
        }
        for happening in &work.happened {
            let (word, text) = self.happening(&happening.event);
            moments.push((happening.at, word, text));
        }
        moments
    }

    fn act(&self, act: &Act, full: bool) -> (&'static str, String) {
        match act {
            Act::Checked {
                board,
                stands,
                panel,
                took_ms,
            } => {
                let board = match (stands, full) {
                    (true, true) => format!("the board stood as believed at {}", rect(board)),
                    (false, true) => format!("the dialog was open over the board at {}", rect(board)),
                    (true, false) => "the board stood as believed".to_owned(),
                    (false, false) => "the dialog was open".to_owned(),
                };
                let panel = if full {
                    format!(" at {}", rect(panel))
                } else {
                    String::new()
                };
                (
                    "checked",
                    format!("{board}, the opponent panel{panel} as vouched for, in {took_ms:.0} ms"),
                )
            }
            Act::Gesture {
                kind,
                what,
                points,
                released,
            } => {
                let mut text = format!("{what} by {}", manner(*kind));
                if full {
                    let points: Vec<String> = points.iter().map(|(x, y)| format!("{x},{y}")).collect();
                    let _ = write!(text, ", {} in input units", points.join(" to "));
                    let _ = write!(text, ", button released {}", self.time(*released));
                }
                ("done", text)
            }
            Act::Advised { what } => ("done", format!("{what} was shown to the user, who makes it")),
            Act::Retry { by, evidence } => {
                let text = format!("the board stood as before; once more by {}", manner(*by));
                ("verified", text + &self.evidence(evidence.as_deref()))
            }
        }
    }

    fn happening(&self, event: &Event) -> (&'static str, String) {
        match event {
            Event::Unknown { changed, evidence } => {
                let squares = match changed.len() {
                    0 => String::new(),
                    64 => ", every square changed".to_owned(),
                    _ => format!(", changed squares {}", changed.join(" ")),
                };
                let text = format!("nothing explains what the board shows{squares}");
                ("seen", text + &self.evidence(evidence.as_deref()))
            }
            Event::BoardMoved { to: Some(to), .. } => ("seen", format!("the board lies at {} now", rect(to))),
            Event::BoardMoved { to: None, evidence } => {
                let text = "the board is not where it was".to_owned();
                ("seen", text + &self.evidence(evidence.as_deref()))
            }
            Event::DrawClaimable { rule } => (
                "draw",
                format!("{rule} stands on the board: either side may claim a draw; played on while the board lets it"),
            ),
            Event::Pause { reason, evidence } => ("paused", reason.clone() + &self.evidence(evidence.as_deref())),
            Event::Abandoned { evidence } => {
                let text = "abandoned: the board shows another game".to_owned();
                ("stopped", text + &self.evidence(evidence.as_deref()))
            }
            Event::Resume { paused_ms } => ("resumed", format!("after {:.1} s", paused_ms / 1e3)),
            Event::EngineRestarted { reason, pondering } => (
                "restarted",
                match pondering {
                    true => format!("the engine was replaced while it pondered: {reason}"),
                    false => format!("the engine was replaced and asked again: {reason}"),
                },
            ),
            Event::Pondered {
                expected, end, took_ms, ..
            } => ("pondered", pondered(expected, *end, *took_ms)),
            Event::Refused { reason, evidence } => ("refused", reason.clone() + &self.evidence(evidence.as_deref())),
            Event::Stopped { reason } => ("stopped", reason.clone()),
            Event::TakenBack { plies, fen } => ("seen", format!("taken back on the board, plies: {plies}, to {fen}")),
            Event::Note { text } => ("note", text.clone()),
            other => ("note", serde_json::to_string(other).unwrap_or_default()),
        }
    }

    /// Where the evidence lies, and the command that looks at it.
    fn evidence(&self, folder: Option<&str>) -> String {
        folder.map_or(String::new(), |folder| {
            let path = self.beside.join(folder);
            match folder.ends_with("-opponent") {
                true => format!("; evidence: the panel's picture in {}", path.join("frames").display()),
                false => format!("; evidence: torres see {} --explain", path.display()),
            }
        })
    }

    fn time(&self, at: WallTime) -> String {
        self.written(at, "%H:%M:%S%.3f")
    }

    fn date(&self, at: WallTime) -> String {
        self.written(at, "%Y-%m-%d %H:%M:%S")
    }

    fn written(&self, at: WallTime, format: &str) -> String {
        let moment = jiff::Timestamp::from_millisecond(at.as_ms().round() as i64);
        moment.map_or_else(
            |_| format!("{:.3}", at.as_ms()),
            |moment| moment.to_zoned(self.zone.clone()).strftime(format).to_string(),
        )
    }
}

/// Question and answer; the question is a line of its own where every detail counts, or no answer came.
fn questions(decided: &Decided, full: bool) -> Vec<Moment> {
    let asked = || {
        (
            decided.at,
            "asked",
            format!("about {} with {}", decided.fen, decided.limits),
        )
    };
    if let Some(reply) = &decided.ponder {
        let text = format!("on {reply}: the engine thinks on the opponent's time");
        let mut moments = vec![(decided.at, "pondering", text)];
        moments.extend(full.then(asked));
        return moments;
    }
    match &decided.answer {
        None => vec![(decided.at, "asked", "the engine; no answer was used".to_owned())],
        Some(answer) if full => vec![asked(), answered(answer, usize::MAX)],
        Some(answer) => vec![answered(answer, EXPECTED)],
    }
}

fn pondered(expected: &str, end: PonderEnd, took_ms: f64) -> String {
    let thought = format!("what was thought about it for {:.1} s", took_ms / 1e3);
    match end {
        PonderEnd::Hit => format!("{expected} was expected and played: {thought} counts, and the search goes on"),
        PonderEnd::Miss => format!("{expected} was expected and not played: {thought} is not used"),
        PonderEnd::Dropped => format!("{expected} was expected; {thought} was given up before the opponent moved"),
    }
}

fn answered(answer: &Answer, expected: usize) -> Moment {
    let mut text = answer.best.clone().unwrap_or("no move".to_owned());
    if let Some(eval) = answer.eval {
        let _ = write!(text, " {eval} for White");
    }
    if let Some(depth) = answer.depth {
        let _ = write!(text, " at depth {depth}");
    }
    let _ = write!(text, " after {:.0} ms", answer.took_ms);
    if let Some(nodes) = answer.nodes.filter(|_| expected == usize::MAX) {
        let _ = write!(text, " and {nodes} nodes");
    }
    let line: Vec<&str> = answer.pv.iter().skip(1).take(expected).map(String::as_str).collect();
    if !line.is_empty() {
        let _ = write!(text, ", expecting {}", line.join(" "));
    }
    if let Some(why) = &answer.dropped {
        let _ = write!(text, "; dropped: {why}");
    }
    (answer.at, "decided", text)
}

fn manner(kind: GestureKind) -> &'static str {
    match kind {
        GestureKind::Drag => "a drag",
        GestureKind::Clicks => "two clicks",
        GestureKind::Target => "a click on its target, the piece being selected",
        GestureKind::Promotion => "a click in the promotion dialog",
        GestureKind::Deselect => "a click that drops the selection",
        GestureKind::Aside => "the pointer, taken off the board",
    }
}

fn rect(place: &Place) -> String {
    let whole = |v: f64| format!("{:.1}", v).trim_end_matches(".0").to_owned();
    let Place { x, y, width, height } = *place;
    format!("{},{} ({} × {})", whole(x), whole(y), whole(width), whole(height))
}

/// `14:58.8`, minutes and seconds.
fn minutes(ms: f64) -> String {
    let tenths = (ms / 100.0).round().max(0.0) as u64;
    format!("{}:{:02}.{}", tenths / 600, tenths / 10 % 60, tenths % 10)
}

#[cfg(test)]
pub(super) mod tests;
