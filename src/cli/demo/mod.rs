//! `torres demo`: everything at once, each part a process of its own.
//!
//! The player (`torres play`) and the site share the screen and the mouse, and nothing else. The site's log is read
//! here, after the game, to report.

mod opponents;
mod playing;
mod report;
mod settings;
mod table;

pub(crate) use settings::Args;

use super::{CliError, CliResult, Exit, own_program};

use settings::Settings;
use shakmaty::Color;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use table::Table;
use torres_desktop::{Browser, BrowserOptions, Display};
use torres_geometry::DesktopRect;
use torres_journal::results::RESULTS_FILE;

/// Size of the display that a headless demo starts.
const DISPLAY: (u32, u32) = (1280, 1024);
/// Where the practice site shows its bot's name in a window of [`BrowserOptions::default`]'s size, relative to its
/// client area. The user of another site measures this once; the bot's clock is not part of it.
const PANEL: DesktopRect = DesktopRect {
    x: 642,
    y: 22,
    width: 336,
    height: 48,
};

/// Plays games on the practice site with nobody touching anything.
pub(crate) fn run(args: Args) -> CliResult {
    let program = own_program()?;
    let settings = args.check()?;
    let display = if settings.headed {
        Display::current()
    } else {
        println!(
            "starting a display of {} × {} and a window manager",
            DISPLAY.0, DISPLAY.1
        );
        Display::headless(DISPLAY.0, DISPLAY.1)
    }
    .map_err(CliError::failed)?;
    let mut figures = report::Figures::default();
    let played = match settings.games {
        1 => 0,
        _ => games_in(&settings.out),
    };
    for number in 1..=settings.games {
        let table = Table::of(&settings, played + number);
        let out = match settings.games {
            1 => settings.out.clone(),
            games => {
                let (color, opponent) = (color_name(table.color), table.opponent.name());
                println!("\ngame {number} of {games}: {color} against {opponent}");
                settings.out.join(format!("game-{}", played + number))
            }
        };
        let exit = game(&settings, &table, &program, &display, &out)?;
        match report::Figures::of(&out) {
            Ok(game) => {
                game.print(&out);
                figures.add(game);
            }
            Err(why) => eprintln!("torres: no figures: {why}"),
        }
        if exit != Exit::Done {
            return Ok(exit);
        }
    }
    if settings.games > 1 {
        println!("\nall {} games", settings.games);
        figures.print_all();
    }
    Ok(Exit::Done)
}

/// How many games earlier demos left in the folder; this one's are numbered on, so that none is lost.
fn games_in(out: &Path) -> u32 {
    let entries = std::fs::read_dir(out).into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.strip_prefix("game-")?.parse().ok());
    numbers.max().unwrap_or(0)
}

/// One game: site, browser, calibration, player.
fn game(settings: &Settings, table: &Table<'_>, program: &Path, display: &Display, out: &Path) -> CliResult {
    fresh_folder(out)?;
    let log = out.join("site.log");
    let mut site = Site::start(settings, table, program, &log)?;
    println!("practice site at {}", site.url);
    let browser = Browser::open(
        display,
        &format!("{}?board={}", site.url, table.board),
        BrowserOptions::default(),
    )
    .map_err(CliError::failed)?;
    let client = browser
        .window()
        .and_then(|window| window.client())
        .map_err(CliError::failed)?;
    let calibration = out.join("calibration.json");
    println!("calibrating");
    let mut calibrate = display.command(program);
    calibrate
        .arg("calibrate")
        .arg(&calibration)
        .args(["--window", "Torres practice site", "--opponent-is-a-bot"])
        .args(["--bottom", color_name(table.color)])
        .args(["--opponent-panel", &panel_text(client)]);
    if let Some(fen) = &settings.fen {
        calibrate.args(["--fen", fen]);
    }
    calibrated(&mut calibrate)?;
    let mut play = play_command(settings, table, display.command(program), &calibration, out);
    let recorder = match settings.record {
        true => Some(recording(display, program, &calibration, &log, out)?),
        false => None,
    };
    let exit = playing::played(&mut play, &log);
    // A recorder ends with the window that it watches, and reads the site's log then.
    drop(browser);
    if let Some(mut recorder) = recorder {
        recorder
            .wait()
            .map_err(|e| CliError::failed(format!("the recorder was lost: {e}")))?;
    }
    site.end();
    exit
}

/// The player's command line.
fn play_command(settings: &Settings, table: &Table<'_>, mut play: Command, calibration: &Path, out: &Path) -> Command {
    play.arg("play")
        .arg(calibration)
        .args(["--opponent", &table.opponent.name()])
        .arg("--results")
        .arg(settings.out.join(RESULTS_FILE))
        .arg("--out")
        .arg(out);
    if let Some(clock) = &settings.clock {
        play.args(["--clock", clock]);
    }
    if let Some(longest) = settings.move_ms {
        play.args(["--move-ms", &longest.to_string()]);
    }
    if let Some(plies) = settings.plies {
        play.args(["--plies", &plies.to_string()]);
    }
    if !settings.ponder {
        play.arg("--no-ponder");
    }
    if let Some(engine) = &settings.engine {
        play.args(["--engine", engine]);
    }
    play
}

/// Starts the recorder and waits until it has the first frame: what is played before would not be in the recording.
fn recording(display: &Display, program: &Path, calibration: &Path, log: &Path, out: &Path) -> Result<Child, CliError> {
    let failed = |e| CliError::failed(format!("cannot start `torres record`: {e}"));
    let fixture = out.join("fixture");
    let mut recorder = display
        .command(program)
        .arg("record")
        .arg(calibration)
        .arg("--out")
        .arg(&fixture)
        .arg("--truth")
        .arg(log)
        .stdin(Stdio::null())
        .spawn()
        .map_err(failed)?;
    while !fixture.join("frames/0000.png").exists() {
        if let Some(status) = recorder.try_wait().map_err(failed)? {
            return Err(CliError::failed(format!(
                "`torres record` ended with {status}; its message is above"
            )));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(recorder)
}

/// Makes the folder; files of an earlier demo in it are replaced, anything else is left alone.
fn fresh_folder(out: &Path) -> Result<(), CliError> {
    let cannot = |e: std::io::Error| CliError::usage(format!("cannot write into {}: {e}", out.display()));
    std::fs::create_dir_all(out).map_err(cannot)?;
    for name in [
        "journal.jsonl",
        "site.log",
        "game.pgn",
        "game.png",
        "game.gif",
        "calibration.json",
        "calibration.png",
        "opponent.png",
    ] {
        match std::fs::remove_file(out.join(name)) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(cannot(e)),
            _ => {}
        }
    }
    for name in ["evidence", "fixture", "recording"] {
        match std::fs::remove_dir_all(out.join(name)) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(cannot(e)),
            _ => {}
        }
    }
    Ok(())
}

fn color_name(color: Color) -> &'static str {
    color.fold_wb("white", "black")
}

fn panel_text(client: DesktopRect) -> String {
    format!(
        "{},{},{},{}",
        client.x + PANEL.x,
        client.y + PANEL.y,
        PANEL.width,
        PANEL.height
    )
}

/// Runs the calibration to its end.
fn calibrated(calibrate: &mut Command) -> Result<(), CliError> {
    let status = calibrate
        .status()
        .map_err(|e| CliError::failed(format!("cannot start `torres calibrate`: {e}")))?;
    if status.success() {
        return Ok(());
    }
    Err(CliError::failed(format!(
        "`torres calibrate` ended with {status}; its message is above"
    )))
}

/// The practice site's process; dropping it ends it.
struct Site {
    process: Child,
    url: String,
}

impl Site {
    fn start(settings: &Settings, table: &Table<'_>, program: &Path, log: &Path) -> Result<Site, CliError> {
        let failed = |e: std::io::Error| CliError::failed(format!("cannot start the practice site: {e}"));
        let mut command = Command::new(program);
        command
            .args(["site", "--port", "0", "--color", color_name(table.color)])
            .args(table.opponent.arguments())
            .arg("--log")
            .arg(log);
        if let Some(clock) = &settings.clock {
            command.args(["--clock", clock]);
        }
        if let Some(script) = &settings.script {
            command.arg("--script").arg(script);
        }
        if let Some(fen) = &settings.fen {
            command.args(["--fen", fen]);
        }
        if let Some(delay) = settings.delay_ms {
            command.args(["--delay-ms", &delay.to_string()]);
        }
        if let Some(seed) = settings.seed {
            command.args(["--seed", &seed.to_string()]);
        }
        let mut process = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let mut url = String::new();
        if let Some(stdout) = process.stdout.take() {
            BufReader::new(stdout).read_line(&mut url).map_err(failed)?;
        }
        let url = url.trim().to_owned();
        let mut site = Site { process, url };
        if !site.url.starts_with("http://") {
            site.end();
            return Err(CliError::failed(
                "the practice site did not start; its message is above",
            ));
        }
        Ok(site)
    }

    fn end(&mut self) {
        // Its log is flushed line by line: nothing is lost.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.end();
    }
}
