//! `torres demo`: everything at once, each part a process of its own.
//!
//! The player (`torres play`) and the site share the screen and the mouse, and nothing else. The site's log is read
//! here, after the game, to report.

mod opponents;
mod playing;
mod report;

use super::site::{self, BotArgs};
use super::{Asked, CliError, CliResult, ClockArg, ColorArg, Exit, args};
use opponents::{Table, opponents};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use torres_desktop::{Browser, BrowserOptions, Display};
use torres_geometry::DesktopRect;
use torres_journal::results::RESULTS_FILE;
use torres_site::levels::LevelNumber;

/// Size of the display that a headless demo starts.
const DISPLAY: (u32, u32) = (1280, 1024);
/// Where the practice site shows its bot's name in a window of [`BrowserOptions::default`]'s size, relative to its client
/// area. The user of another site measures this once; the bot's clock is not part of it.
const PANEL: DesktopRect = DesktopRect {
    x: 642,
    y: 22,
    width: 336,
    height: 48,
};

/// Arguments of `torres demo`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Games to play, one after the other.
    #[arg(long, default_value_t = 1, value_parser = args::some::<u32>())]
    pub games: u32,
    /// Stop after that many plies.
    #[arg(long, value_parser = args::some::<u32>())]
    pub plies: Option<u32>,
    /// The site bot's level, 1 is the weakest; default 3.
    #[arg(long, conflicts_with_all = ["engines", "lichess"], value_parser = args::level)]
    pub level: Option<LevelNumber>,
    /// Engines in place of the site's own bot.
    #[command(flatten)]
    pub bots: BotArgs,
    /// Torres' colour.
    #[arg(long, default_value = "white")]
    pub color: ColorArg,
    /// From game to game, take the other colour and, after two games, the next level or bot and other squares.
    #[arg(long)]
    pub vary: bool,
    /// Both sides' clock, minutes plus seconds a move; default 15+10.
    #[arg(long)]
    pub clock: Option<ClockArg>,
    /// Longest thought per move, in ms; default 1000, and with a --clock as long as that allows.
    #[arg(long, value_parser = args::move_ms())]
    pub move_ms: Option<u64>,
    /// Do not think on the opponent's time.
    #[arg(long)]
    pub no_ponder: bool,
    /// Use the desktop's own display.
    #[arg(long, conflicts_with = "headless")]
    pub headed: bool,
    /// Use a display of its own, also where there is a desktop.
    #[arg(long)]
    pub headless: bool,
    /// Record the frames as a fixture in the output folder.
    #[arg(long)]
    pub record: bool,
    /// A file of UCI moves for the site's bot to reply with.
    #[arg(long)]
    pub script: Option<PathBuf>,
    /// How long the site's bot waits with each reply, in ms.
    #[arg(long, value_parser = site::delay_ms())]
    pub delay_ms: Option<u64>,
    /// The position that the game starts from.
    #[arg(long)]
    pub fen: Option<String>,
    /// Makes the bot's choices repeatable.
    #[arg(long)]
    pub seed: Option<u64>,
    /// A UCI engine's command, in place of Torres' own.
    #[arg(long)]
    pub engine: Option<String>,
    /// Where to leave the game, the journal and the pictures.
    #[arg(long, default_value = "torres-demo")]
    pub out: PathBuf,
}

impl Args {
    /// The arguments of the site that it would be played on.
    fn of_site(&self) -> site::Args {
        site::Args {
            port: 0,
            fen: self.fen.clone(),
            // Torres is the site's player.
            color: self.color,
            level: self.level,
            bots: self.bots.clone(),
            clock: self.clock.unwrap_or(ClockArg::RAPID),
            seed: self.seed,
            script: self.script.clone(),
            delay_ms: self.delay_ms.unwrap_or(site::DEFAULT_DELAY_MS),
            log: None,
        }
    }
}

/// Plays games on the practice site with nobody touching anything.
pub fn run(args: Args) -> CliResult {
    let program = std::env::current_exe().map_err(|e| CliError::failed(format!("cannot find my own program: {e}")))?;
    // The site and the player would say the same, with a display and a browser open by then.
    let opponents = opponents(&args)?;
    site::config(args.of_site())?;
    Asked::by(args.engine.as_deref(), None, None)?;
    let display = if args.headed || (super::has_desktop() && !args.headless) {
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
    let played = match args.games {
        1 => 0,
        _ => games_in(&args.out),
    };
    for number in 1..=args.games {
        let table = Table::of(&args, opponents.as_slice(), played + number);
        let out = match args.games {
            1 => args.out.clone(),
            games => {
                let (color, opponent) = (color_name(table.color), table.opponent.name());
                println!("\ngame {number} of {games}: {color} against {opponent}");
                args.out.join(format!("game-{}", played + number))
            }
        };
        let exit = game(&args, &table, &program, &display, &out)?;
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
    if args.games > 1 {
        println!("\nall {} games", args.games);
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
fn game(args: &Args, table: &Table<'_>, program: &Path, display: &Display, out: &Path) -> CliResult {
    fresh_folder(out)?;
    let log = out.join("site.log");
    let mut site = Site::start(args, table, program, &log)?;
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
    if let Some(fen) = &args.fen {
        calibrate.args(["--fen", fen]);
    }
    calibrated(&mut calibrate)?;
    let mut play = play_command(args, table, display.command(program), &calibration, out);
    let recorder = match args.record {
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
fn play_command(args: &Args, table: &Table<'_>, mut play: Command, calibration: &Path, out: &Path) -> Command {
    play.arg("play")
        .arg(calibration)
        .args(["--opponent", &table.opponent.name()])
        .arg("--results")
        .arg(args.out.join(RESULTS_FILE))
        .arg("--out")
        .arg(out);
    if let Some(clock) = args.clock {
        play.args(["--clock", &clock.to_string()]);
    }
    // On a clock alone the engine would think for half a minute at times: too long for a demonstration.
    if let Some(longest) = args.move_ms.or(args.clock.is_none().then_some(1000)) {
        play.args(["--move-ms", &longest.to_string()]);
    }
    if let Some(plies) = args.plies {
        play.args(["--plies", &plies.to_string()]);
    }
    if args.no_ponder {
        play.arg("--no-ponder");
    }
    if let Some(engine) = &args.engine {
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

fn color_name(color: ColorArg) -> &'static str {
    match color {
        ColorArg::White => "white",
        ColorArg::Black => "black",
    }
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
    fn start(args: &Args, table: &Table<'_>, program: &Path, log: &Path) -> Result<Site, CliError> {
        let failed = |e: std::io::Error| CliError::failed(format!("cannot start the practice site: {e}"));
        let mut command = Command::new(program);
        command
            .args(["site", "--port", "0", "--color", color_name(table.color)])
            .args(table.opponent.arguments())
            .arg("--log")
            .arg(log);
        if let Some(clock) = args.clock {
            command.args(["--clock", &clock.to_string()]);
        }
        if let Some(script) = &args.script {
            command.arg("--script").arg(script);
        }
        if let Some(fen) = &args.fen {
            command.args(["--fen", fen]);
        }
        if let Some(delay) = args.delay_ms {
            command.args(["--delay-ms", &delay.to_string()]);
        }
        if let Some(seed) = args.seed {
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
