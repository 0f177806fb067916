//! Many games in a row while things go wrong at random: `make soak GAMES=100 SEED=1`, resumed where it was left ([docs/faults.md](../../docs/faults.md)).
//!
//! A player plays all games at one table, so that what it loses from game to game shows in its memory. The judge is the site's log.
#![cfg(target_os = "linux")]

#[path = "../common/mod.rs"]
mod common;
#[path = "../e2e_support/mod.rs"]
mod e2e_support;
mod faults;
mod logs;
mod plan;
mod report;
#[path = "../site_support/mod.rs"]
mod site_support;
mod tables;

use common::Devtools;
use e2e_support::{Practice, Run, text};
use faults::{Afterwards, Table};
use logs::{Believed, Journal, Site, SiteGame};
use plan::{Fault, Planned, plan};
use report::{GameLine, Suffered, append, read, table};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tables::color_of;

/// A game that runs and in which nothing was played for so long is hung.
const HUNG: Duration = Duration::from_secs(90);
/// How long the bot waits with its reply, in ms: long enough for what needs a calm moment.
const DELAY_MS: &str = "400";
/// How long the player thinks, in ms.
const MOVE_MS: &str = "200";
/// Memory is compared at this ply of each game.
const MEASURED_AT: usize = 10;
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// What was asked for, by the environment.
struct Asked {
    games: u32,
    seed: u64,
    folder: PathBuf,
}

impl Asked {
    fn read() -> Asked {
        let number = |name: &str, default: u64| match std::env::var(name) {
            Ok(text) if !text.is_empty() => text.parse().unwrap_or_else(|_| panic!("{name}={text} is not a number")),
            _ => default,
        };
        let seed = number("SEED", 1);
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("target/soak/{seed}"));
        std::fs::create_dir_all(&folder).expect("the folder can be made");
        Asked {
            games: u32::try_from(number("GAMES", 100)).expect("not that many games"),
            seed,
            folder,
        }
    }
}

#[test]
#[ignore = "takes an hour: make soak"]
fn soak() {
    let asked = Asked::read();
    let path = asked.folder.join("games.jsonl");
    let mut lines = read(&path);
    println!(
        "\n{} games with faults of seed {}, {} of them played already; {}",
        asked.games,
        asked.seed,
        lines.len(),
        path.display()
    );
    while (lines.len() as u32) < asked.games {
        let run = lines.last().map_or(1, |line| line.run + 1);
        let first = lines.len() as u32 + 1;
        let last = tables::last_beside(first).min(asked.games);
        let mut player = Player::start(&asked, run, first, last);
        while (lines.len() as u32) < last {
            let line = player.game(lines.len() as u32 + 1);
            append(&path, &line);
            println!("{}", told(&line, asked.games));
            let over = line.problem.is_some();
            lines.push(line);
            if over {
                break;
            }
        }
        player.end();
    }
    let (text, well) = table(&lines);
    println!("{text}");
    assert!(well, "see above; the games are in {}", asked.folder.display());
}

fn told(line: &GameLine, games: u32) -> String {
    let faults: Vec<String> = line
        .faults
        .iter()
        .map(|suffered| {
            let went_on = suffered
                .went_on_ms
                .map_or("over".to_owned(), |ms| format!("{ms:.0} ms"));
            format!("{} at ply {} ({went_on})", suffered.fault, suffered.ply)
        })
        .collect();
    let complaints = line.complaints();
    format!(
        "game {} of {games}: {} on {} against level {}, {}, {} plies, {:.0} s, {} MiB; {}{}",
        line.game,
        line.color,
        line.board,
        line.level,
        line.result.as_deref().unwrap_or("*"),
        line.plies,
        line.seconds,
        line.rss_kib.unwrap_or_default() / 1024,
        faults.join("; "),
        if complaints.is_empty() {
            String::new()
        } else {
            format!("; WRONG: {}", complaints.join(", "))
        }
    )
}

/// One process of the player with its site and browser, from its first game on.
struct Player {
    seed: u64,
    run: u32,
    table: tables::Table,
    folder: PathBuf,
    // Ended before the site and the browser.
    play: Run,
    devtools: Devtools,
    practice: Practice,
    site: Site,
    journal: Journal,
    /// Games of the site that are over.
    over: usize,
}

impl Player {
    fn start(asked: &Asked, run: u32, first: u32, last: u32) -> Player {
        let table = tables::table_of(first);
        let (seed, games) = (asked.seed.to_string(), (last - first + 1).to_string());
        let level = table.level.to_string();
        let first_color = color_of(first);
        let practice = Practice::open_at(
            &table.address(),
            "",
            &[
                "--level",
                &level,
                "--delay-ms",
                DELAY_MS,
                "--seed",
                &seed,
                "--color",
                first_color,
            ],
        );
        practice.stage.calibrate(&["--bottom", first_color]);
        let mut devtools = practice.stage.devtools();
        show_button(&practice, &mut devtools);
        let folder = asked.folder.join(format!("run-{run}"));
        let _ = std::fs::remove_dir_all(&folder);
        let calibration = practice.stage.calibration();
        let mut command = practice
            .stage
            .torres(&["play", text(&calibration), "--move-ms", MOVE_MS]);
        command.args(["--games", &games, "--out", text(&folder)]);
        let play = Run::start(command, asked.folder.join(format!("run-{run}.said")));
        Player {
            seed: asked.seed,
            run,
            table,
            site: Site::of(practice.site.log_path()),
            journal: Journal::of(folder.join("journal.jsonl")),
            folder,
            play,
            devtools,
            practice,
            over: 0,
        }
    }

    /// Plays the next game to its end, or to the trouble that stops it.
    fn game(&mut self, number: u32) -> GameLine {
        let mut line = GameLine {
            game: number,
            seed: self.seed,
            run: self.run,
            level: self.table.level,
            board: self.table.board.to_owned(),
            ..GameLine::default()
        };
        let began = Instant::now();
        line.problem = self.play_through(number, &mut line).err();
        line.seconds = began.elapsed().as_secs_f64();
        line.rss_end_kib = rss(self.play.id());
        let (game, believed) = self.current();
        line.plies = game.moves.len();
        line.wrong = believed.wrong(&game);
        line.unseen = believed.unseen(&game);
        line.refused = game.refused.len();
        line.color = game.color;
        line.result = game.result;
        self.over += 1;
        line
    }

    /// The game that is played, by the site and by the journal.
    fn current(&mut self) -> (SiteGame, Believed) {
        self.site.read();
        self.journal.read();
        let game = self.site.games.get(self.over).cloned();
        let believed = self.journal.games.get(self.over).cloned();
        (game.unwrap_or_default(), believed.unwrap_or_default())
    }

    fn play_through(&mut self, number: u32, line: &mut GameLine) -> Result<(), String> {
        let mut planned = plan(self.seed, number).into_iter().peekable();
        let mut suffering: Option<Suffering> = None;
        let (mut plies, mut since) = (0, Instant::now());
        loop {
            let (game, believed) = self.current();
            let moved = game.moves.len() != plies;
            if moved {
                (plies, since) = (game.moves.len(), Instant::now());
            }
            if plies >= MEASURED_AT && line.rss_kib.is_none() {
                line.rss_kib = rss(self.play.id());
            }
            if let Some(ms) = suffering.as_ref().and_then(|now| now.gone_on(&game))
                && let Some(over) = suffering.take()
            {
                over.afterwards.undo(&self.practice);
                line.faults[over.index].went_on_ms = Some(ms);
            }
            if let (Some(how), Some(result)) = (&game.result, &believed.result) {
                if let Some(left) = suffering.take() {
                    left.afterwards.undo(&self.practice);
                }
                if how.split(' ').next() != Some(result) {
                    return Err(format!("{how} on the site, {} by Torres", believed.termination));
                }
                self.next_color(number + 1);
                return Ok(());
            }
            if let (None, Some(result)) = (&game.result, &believed.result) {
                return Err(format!("given up, {result} ({})", believed.termination));
            }
            if self.play.has_ended() {
                return Err("the player ended; see its .said".to_owned());
            }
            if since.elapsed() > HUNG {
                return Err(format!("hung: nothing was played for {HUNG:?}"));
            }
            let due = planned.peek().filter(|next| plies >= next.ply).copied();
            if let (Some(next), None, None) = (due, &suffering, &game.result) {
                let calm = moved && game.moves.last().is_some_and(|(_, _, by_player)| *by_player);
                if calm || !next.fault.needs_calm() {
                    planned.next();
                    suffering = Some(self.suffer(next, plies, line));
                    since = Instant::now();
                }
            }
            sleep(LOOK_EVERY);
        }
    }

    fn suffer(&mut self, planned: Planned, ply: usize, line: &mut GameLine) -> Suffering {
        let fault = planned.fault;
        if !fault.needs_calm() {
            sleep(Duration::from_millis(planned.delay_ms));
        }
        let mut table = Table {
            practice: &self.practice,
            devtools: &mut self.devtools,
            play: &self.play,
        };
        let afterwards = faults::apply(fault, &mut table);
        line.made_to_refuse += usize::from(fault == Fault::MoveRefused);
        line.faults.push(Suffered {
            ply,
            fault: fault.to_string(),
            kind: fault.kind().to_owned(),
            went_on_ms: None,
        });
        Suffering {
            index: line.faults.len() - 1,
            ended_ms: unix_ms(),
            afterwards,
        }
    }

    /// The form asks for the next game's colour; the player presses its button by itself.
    fn next_color(&mut self, number: u32) {
        let color = color_of(number);
        let script = format!("document.querySelector('#new-game input[value={color}]').checked = true");
        self.devtools.run(&script);
    }

    /// Ends everything, and keeps the site's log beside the games.
    fn end(self) {
        drop(self.play);
        let log = self.folder.join("site.jsonl");
        if let Err(error) = std::fs::copy(self.practice.site.log_path(), log) {
            println!("the site's log is not kept: {error}");
        }
    }
}

/// A fault that the game has not gone on from yet.
struct Suffering {
    /// In the game's line.
    index: usize,
    /// Unix time.
    ended_ms: f64,
    afterwards: Afterwards,
}

impl Suffering {
    /// How long it took until the player moved again.
    fn gone_on(&self, game: &SiteGame) -> Option<f64> {
        let own = game.moves.iter().filter(|(_, _, by_player)| *by_player);
        let mut later = own.map(|(_, at, _)| at - self.ended_ms).filter(|ms| *ms >= 0.0);
        later.next()
    }
}

fn unix_ms() -> f64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .expect("a clock after 1970");
    since.as_secs_f64() * 1e3
}

/// Shows the calibration the button that begins the next game.
fn show_button(practice: &Practice, devtools: &mut Devtools) {
    let lies = devtools.run(
        "const lies = document.querySelector('#new-game button').getBoundingClientRect();
         [lies.x, lies.y, lies.width, lies.height].map(Math.round)",
    );
    let number = |index: usize| lies[index].as_i64().expect("a number of pixels") as i32;
    let client = practice.stage.client();
    let (x, y) = (client.x + number(0), client.y + number(1));
    let rectangle = format!("{x},{y},{},{}", number(2), number(3));
    let calibration = practice.stage.calibration();
    let (status, said) = practice
        .stage
        .run(&["calibrate", text(&calibration), "--new-game", &rectangle]);
    assert_eq!(status, 0, "{said}");
}

/// A process's resident memory, in KiB.
fn rss(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().trim_end_matches("kB").trim().parse().ok()
}
