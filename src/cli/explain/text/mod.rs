//! A game's story in words: a block a ply, a line for each moment of it.

use jiff::tz::TimeZone;
use shakmaty::Color;
use std::fmt::Write;
use std::path::Path;
use torres_frame::WallTime;
use torres_journal::event::{Answer, Checked, Gesture, Rect, Verification, Vouched};
use torres_journal::story::{GameStory, PlyStory, Question, When, Work};
use torres_journal::{Event, GestureKind, PonderEnd, Verdict};
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
    pub(crate) fn game(&self, game: &GameStory, number: usize, of: usize) -> String {
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
    pub(crate) fn ply(&self, game: &GameStory, number: usize) -> Option<String> {
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
        let header = &game.header;
        let mut out = format!("game {number} of {of}");
        if let Some(at) = header.at {
            let _ = write!(out, ", {}", self.date(at.wall));
        }
        if let Some((version, command)) = &header.program {
            let _ = write!(out, ", by torres {} {}", one_line(version), one_line(command));
        }
        out.push('\n');
        if let Some(started) = &header.started {
            let opponent = started.opponent.as_deref().unwrap_or("an unnamed opponent");
            let _ = write!(
                out,
                "Torres has {} against {}",
                Color::from(started.color),
                one_line(opponent)
            );
            if let Some(clock) = &started.clock {
                let _ = write!(out, ", {} s", one_line(clock));
            }
            let _ = writeln!(out, "\nfrom {}", one_line(&started.fen));
        }
        for calibrated in &header.calibrated {
            let _ = writeln!(
                out,
                "calibrated by {}: the board at {} of the desktop, {}",
                one_line(&calibrated.source),
                rect(&calibrated.board),
                calibrated.bottom
            );
        }
        for vouched in &header.vouched {
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
        let pictures = [Some(&vouched.picture), vouched.also.as_ref(), vouched.second.as_ref()];
        let pictures = pictures.into_iter().flatten();
        let pictures: Vec<String> = pictures
            .map(|name| self.beside.join(name).display().to_string())
            .collect();
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
            Some((at, seen)) => {
                let mut text = format!("{}, least sure square {:.3}", ply.played, seen.confidence);
                let age = at.wall.as_ms() - seen.frame_t_ms.as_ms();
                let _ = write!(text, ", frame {age:.0} ms old");
                if seen.moves.len() > 1 {
                    let _ = write!(text, ", together: {}", seen.moves.join(" "));
                }
                moments.push((*at, "seen", text));
            }
        }
        if let Some((at, verified)) = &ply.verified {
            moments.push((*at, "verified", self.verified(verified)));
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
        for question in &work.questions {
            moments.extend(questions(question, full));
        }
        for (at, event) in &work.happened {
            let (word, text) = self.happened(event, full);
            moments.push((*at, word, text));
        }
        moments
    }

    fn verified(&self, verified: &Verification) -> String {
        let verdict = match verified.verdict {
            Verdict::Landed => format!("landed, {:.0} ms after the release", verified.took_ms),
            Verdict::NotLanded => format!("not landed, {:.0} ms after the release", verified.took_ms),
            Verdict::Other => "a move that Torres had not ordered; taken as played".to_owned(),
            Verdict::Unknown => "not clear".to_owned(),
        };
        verdict + &self.evidence(verified.evidence.as_deref())
    }

    fn gesture(&self, gesture: &Gesture, full: bool) -> String {
        let mut text = format!("{} by {}", gesture.played, manner(gesture.kind));
        if full {
            let points: Vec<String> = gesture.points.iter().map(|(x, y)| format!("{x},{y}")).collect();
            let _ = write!(text, ", {} in input units", points.join(" to "));
            let _ = write!(text, ", button released {}", self.time(gesture.released_t_ms));
        }
        text
    }

    fn happened(&self, event: &Event, full: bool) -> (&'static str, String) {
        match event {
            Event::Checked(look) => ("checked", checked(look, full)),
            Event::Gesture(gesture) => ("done", self.gesture(gesture, full)),
            Event::Advised { played } => ("done", format!("{played} was shown to the user, who makes it")),
            Event::Retry(retry) => {
                let text = format!("the board stood as before; once more by {}", manner(retry.by));
                ("verified", text + &self.evidence(retry.evidence.as_deref()))
            }
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
fn questions(question: &Question, full: bool) -> Vec<Moment> {
    let (at, asked) = (question.at, &question.asked);
    let line = || (at, "asked", format!("about {} with {}", asked.fen, asked.limits));
    if let Some(reply) = &asked.ponder {
        let text = format!("on {reply}: the engine thinks on the opponent's time");
        let mut moments = vec![(at, "pondering", text)];
        moments.extend(full.then(line));
        return moments;
    }
    let decided = |(at, answer): &(When, Answer), expected| (*at, "decided", answered(answer, expected));
    match &question.answer {
        None => vec![(at, "asked", "the engine; no answer was used".to_owned())],
        Some(answer) if full => vec![line(), decided(answer, usize::MAX)],
        Some(answer) => vec![decided(answer, EXPECTED)],
    }
}

fn checked(look: &Checked, full: bool) -> String {
    let board = match look.stands {
        true => "the board stood as believed",
        false if full => "the dialog was open over the board",
        false => "the dialog was open",
    };
    let at = |part: &Rect| match full {
        true => format!(" at {}", rect(part)),
        false => String::new(),
    };
    format!(
        "{board}{}, the opponent panel{} as vouched for, in {:.0} ms",
        at(&look.board),
        at(&look.panel),
        look.took_ms
    )
}

fn pondered(expected: &str, end: PonderEnd, took_ms: f64) -> String {
    let thought = format!("what was thought about it for {:.1} s", took_ms / 1e3);
    match end {
        PonderEnd::Hit => format!("{expected} was expected and played: {thought} counts, and the search goes on"),
        PonderEnd::Miss => format!("{expected} was expected and not played: {thought} is not used"),
        PonderEnd::Dropped => format!("{expected} was expected; {thought} was given up before the opponent moved"),
    }
}

fn answered(answer: &Answer, expected: usize) -> String {
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
    text
}

fn manner(kind: GestureKind) -> &'static str {
    match kind {
        GestureKind::Drag => "a drag",
        GestureKind::GivenUp => "a drag that was given up on its square, since the piece did not follow the pointer",
        GestureKind::Clicks => "two clicks",
        GestureKind::Target => "a click on its target, the piece being selected",
        GestureKind::Promotion => "a click in the promotion dialog",
        GestureKind::Deselect => "a click that drops the selection",
        GestureKind::Aside => "the pointer, taken off the board",
    }
}

fn rect(rect: &Rect) -> String {
    let whole = |v: f64| format!("{:.1}", v).trim_end_matches(".0").to_owned();
    let Rect { x, y, width, height } = *rect;
    format!("{},{} ({} × {})", whole(x), whole(y), whole(width), whole(height))
}

/// `14:58.8`, minutes and seconds.
fn minutes(ms: f64) -> String {
    let tenths = (ms / 100.0).round().max(0.0) as u64;
    format!("{}:{:02}.{}", tenths / 600, tenths / 10 % 60, tenths % 10)
}

#[cfg(test)]
pub(super) mod tests;
