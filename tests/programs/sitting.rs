//! One game with one program: started on a display of its own, calibrated as by a user at a terminal, played to its end
//! and judged.

use crate::hand::User;
use crate::judge::{Compared, Wire, compare};
use crate::report::Line;
use crate::room::{Opened, Panel, Program, Room};
use serde_json::Value;
use shakmaty::{Color, Role};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant, SystemTime};
use torres::desktop::Display;
use torres::journal::{Event, GestureKind, event};
use torres_test_support::desktop::{BareWindow, Pointer};
use torres_test_support::play::{Key, Run, journal, picture_of, text};
use torres_test_support::{PATIENCE, program};

/// A game in which nothing was written down for so long is hung.
const HUNG: Duration = Duration::from_secs(120);
/// Longest game.
const LONGEST: Duration = Duration::from_secs(20 * 60);
/// The engine may write down its move later than Torres sees the game's end.
const LOGGED_WITHIN: Duration = Duration::from_secs(3);
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// The problem of a game that was ended by nothing but its number of plies.
pub const NO_RESULT: &str = "no result";
/// Of the display.
const SIZE: (u32, u32) = (1280, 1024);

/// Who plays: what `torres play` is told beside its calibration and folder, and the program's engine, where it is not
/// its usual one.
#[derive(Clone, Debug, Default)]
pub struct Players {
    pub play: Vec<String>,
    pub engine: Option<String>,
}

/// Plays a game in which Torres has this colour; everything that is left of it lies in the folder.
pub fn sit(program: &Program, color: Color, players: &Players, folder: &Path) -> Line {
    let began = Instant::now();
    let mut line = Line {
        program: program.name.to_owned(),
        color: color.fold_wb("white", "black").to_owned(),
        date: date(),
        commit: commit(),
        ..Line::default()
    };
    std::fs::create_dir_all(folder).expect("the game's folder can be made");
    let display = Display::headless(SIZE.0, SIZE.1).unwrap_or_else(|e| panic!("no display: {e}"));
    let room = Room::new(&display, folder, players.engine.as_deref());
    let opened = match program.open(&room, color) {
        Ok(opened) => opened,
        Err(why) => {
            save(&display, &folder.join("not-opened.png"));
            line.problem = Some(format!("not started: {why}"));
            return line;
        }
    };
    let table = Table {
        display: &display,
        folder,
    };
    // The user's terminal, in which the commands are typed: it has the keyboard while they calibrate.
    let terminal = BareWindow::framed(display.name(), "A terminal", (1130, 900), (140, 100));
    terminal.take_keyboard();
    Pointer::of(display.name()).move_to(1200, 950);
    User::at(display.name()).sees();
    let picture = |name: &str| save(&display, &folder.join(name));
    line.problem = table.calibrate(&opened).err();
    picture("calibrated.png");
    if line.problem.is_none() {
        line.problem = table.play(&opened, &players.play).err();
    }
    picture("ended.png");
    table.judge(&room.wire(), &mut line);
    line.seconds = began.elapsed().as_secs_f64();
    line
}

/// Keeps what a display shows.
fn save(display: &Display, path: &Path) {
    let saved = picture_of(display.name()).save(path);
    saved.expect("the picture can be written");
}

/// A display, and the folder of a game on it.
struct Table<'a> {
    display: &'a Display,
    folder: &'a Path,
}

impl Table<'_> {
    fn torres(&self, args: &[&str]) -> Command {
        let mut command = self.display.command(program());
        command.args(args).current_dir(self.folder);
        command
    }

    fn out(&self) -> PathBuf {
        self.folder.join("game")
    }

    /// As the README says: `torres calibrate` at a terminal, and its questions answered.
    fn calibrate(&self, opened: &Opened) -> Result<(), String> {
        let mut args = vec!["calibrate", "board", "--window", opened.title];
        if let Some(fen) = &opened.fen {
            args.extend(["--fen", fen]);
        }
        let command = self.torres(&args);
        let mut run = Run::at_a_terminal(&command, self.folder.join("calibrate.said"));
        let mut answered = 0;
        let deadline = Instant::now() + 2 * PATIENCE;
        loop {
            let said = run.said();
            let new = &said[answered.min(said.len())..];
            if let Some(answer) = answer_to(new, opened)? {
                answered = said.len();
                run.terminal().type_text(&format!("{answer}\n"));
            }
            if let Some(status) = run.ended() {
                return match status.code() {
                    Some(0) => Ok(()),
                    _ => Err(format!("calibrate: {status}: {}", last_of(&run.said()))),
                };
            }
            if Instant::now() > deadline {
                return Err(format!("calibrate hangs: {}", last_of(&said)));
            }
            std::thread::sleep(LOOK_EVERY);
        }
    }

    fn play(&self, opened: &Opened, more: &[String]) -> Result<(), String> {
        let out = self.out();
        let mut args = vec!["play", "board", "--out", text(&out), "--clock", "60+10"];
        args.extend(more.iter().map(String::as_str));
        let mut run = Run::at_a_terminal(&self.torres(&args), self.folder.join("play.said"));
        let (mut pauses, user) = (0, User::at(self.display.name()));
        let (began, journal) = (Instant::now(), out.join("journal.jsonl"));
        let mut moved = Instant::now();
        let mut length = 0;
        loop {
            if let Some(status) = run.ended() {
                return match status.code() {
                    Some(0) => Ok(()),
                    _ => Err(format!("play: {status}: {}", last_of(&run.said()))),
                };
            }
            // The user chooses what they are asked for, and ends the game at any other pause.
            let said = run.said();
            if let Some(asked) = said
                .lines()
                .filter_map(|line| line.strip_prefix("PAUSED: "))
                .nth(pauses)
            {
                pauses += 1;
                save(self.display, &self.folder.join(format!("paused-{pauses}.png")));
                let chosen = piece_asked(asked).is_some_and(|role| opened.promotes(&user, role));
                run.press(if chosen { Key::P } else { Key::Q });
            }
            let now = std::fs::metadata(&journal).map_or(0, |file| file.len());
            if now != length {
                (length, moved) = (now, Instant::now());
            }
            if moved.elapsed() > HUNG || began.elapsed() > LONGEST {
                return Err(format!("hung after {:.0} s", began.elapsed().as_secs_f64()));
            }
            std::thread::sleep(LOOK_EVERY);
        }
    }

    /// Whether the game taught how the board takes moves: that takes a drag that does not land.
    fn learned_how(&self) -> bool {
        let file = std::fs::read(self.folder.join("calibration/board.json")).unwrap_or_default();
        let calibration: Value = serde_json::from_slice(&file).unwrap_or_default();
        calibration["hand"]["takes"] == "clicks"
    }

    /// Everything that is known of the game now.
    fn judge(&self, wire: &Path, line: &mut Line) {
        let out = self.out();
        let began = Instant::now();
        let mut compared = compare(&out, &Wire::read(wire));
        while compared.plies > compared.judged + 1 && began.elapsed() < LOGGED_WITHIN {
            std::thread::sleep(LOOK_EVERY);
            compared = compare(&out, &Wire::read(wire));
        }
        let Compared {
            judged,
            plies,
            wrong,
            missed,
        } = compared;
        (line.judged, line.plies, line.wrong, line.missed) = (judged, plies, wrong, missed);
        for entry in journal(&out) {
            match entry.event {
                Event::Retry(_) => line.retries += 1,
                Event::Unknown { .. } => line.unknown += 1,
                Event::Pause { .. } => line.pauses += 1,
                Event::Gesture(event::Gesture {
                    kind: GestureKind::Drag | GestureKind::Clicks | GestureKind::Target,
                    ..
                }) => line.own += 1,
                Event::Result {
                    result, termination, ..
                } => line.result = Some(format!("{result} ({termination})")),
                _ => {}
            }
        }
        line.own -= line.retries.min(line.own);
        line.taught = line.retries.min(usize::from(self.learned_how()));
        if line.problem.is_none() && line.result.as_deref().is_none_or(|result| result.starts_with('*')) {
            line.problem = Some(NO_RESULT.to_owned());
        }
    }
}

/// The piece that a pause asks the user to choose.
fn piece_asked(reason: &str) -> Option<Role> {
    let (_, piece) = reason.split_once("choose the ")?;
    let roles = [
        ("queen", Role::Queen),
        ("rook", Role::Rook),
        ("bishop", Role::Bishop),
        ("knight", Role::Knight),
    ];
    roles
        .into_iter()
        .find(|(name, _)| piece.starts_with(name))
        .map(|(_, role)| role)
}

/// What a user answers to the last question of `calibrate`, if it is one.
fn answer_to(said: &str, opened: &Opened) -> Result<Option<String>, String> {
    let Some(question) = said.lines().last().map(str::trim_end) else {
        return Ok(None);
    };
    let answer = if question.ends_with("or Enter for none:") {
        numbered(said, &opened.panel)?
    } else if question.ends_with("Enter for none):") {
        opened.opponent.clone().unwrap_or_default()
    } else if question.ends_with("(yes/no)") {
        "yes".to_owned()
    } else if question.ends_with("[1]") {
        String::new()
    } else {
        return Ok(None);
    };
    Ok(Some(answer))
}

/// The number of the proposal that is meant.
fn numbered(said: &str, panel: &Panel) -> Result<String, String> {
    for line in said.lines() {
        let mut words = line.split_whitespace();
        let (Some(number), Some(rect)) = (words.next().and_then(|word| word.parse::<u32>().ok()), words.next()) else {
            continue;
        };
        let sides: Vec<i32> = rect.split(',').filter_map(|side| side.parse().ok()).collect();
        let is_meant = match panel {
            Panel::Title => line.ends_with("the title bar"),
            Panel::At(x, y) => matches!(sides[..], [left, top, width, height]
                if (left..left + width).contains(x) && (top..top + height).contains(y)),
        };
        if is_meant {
            return Ok(number.to_string());
        }
    }
    Err(format!("the panel {panel:?} is not proposed: {}", last_of(said)))
}

/// The last lines of what was said.
fn last_of(said: &str) -> String {
    let lines: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines[lines.len().saturating_sub(4)..].join(" / ")
}

fn date() -> String {
    let now = SystemTime::now();
    let output = Command::new("date").arg("+%Y-%m-%dT%H:%M:%S%:z").output();
    output.map_or_else(
        |_| format!("{now:?}"),
        |o| String::from_utf8_lossy(&o.stdout).trim().to_owned(),
    )
}

/// Which Torres plays: `git`'s short name of the commit, with a `+` where more was changed.
fn commit() -> String {
    let git = |args: &[&str]| {
        let output = Command::new("git")
            .args(args)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output();
        output.map_or_else(
            |_| String::new(),
            |o| String::from_utf8_lossy(&o.stdout).trim().to_owned(),
        )
    };
    let changed = if git(&["status", "--porcelain", "src"]).is_empty() {
        ""
    } else {
        "+"
    };
    format!("{}{changed}", git(&["rev-parse", "--short", "HEAD"]))
}
