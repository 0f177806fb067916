//! Many games in a row while things go wrong at random: `make soak-faults GAMES=100 SEED=1`, resumed where it was left
//! ([docs/faults.md](../../docs/faults.md)).
//!
//! A player plays all games at one table, so that what it loses from game to game shows in its memory; at every second
//! table players are ended within games too, and started again. The judge is the site's log.
//!
//! Beside it: games on pages of any look (`looks`), and on pages that somebody else made (`strangers`).
#![cfg(target_os = "linux")]

mod asked;
mod commands;
mod faults;
mod follow;
mod logs;
mod looks;
mod naming;
mod plan;
mod report;
mod stops;
mod strangers;
mod tables;

use asked::number;
use faults::{Afterwards, Table, WallClock};
use logs::{Believed, Journal, Site, SiteGame};
use plan::{Fault, Moment, Planned, Way, plan};
use report::{GameLine, Suffered, append, read, table};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use stops::Hand;
use tables::color_of;
use torres_test_support::desktop::{Devtools, Pointer};
use torres_test_support::play::{Practice, Run, text};
use torres_test_support::wait_for;

/// A game that runs and in which nothing was played for so long is hung.
const HUNG: Duration = Duration::from_secs(90);
/// The player may see a mate before the site's log has it.
const LOGGED_WITHIN: Duration = Duration::from_secs(2);
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
    /// The stops in each game, where it suffers nothing else.
    stops: Option<u32>,
    folder: PathBuf,
}

impl Asked {
    fn read() -> Asked {
        let (seed, stops) = (number("SEED").unwrap_or(1), number("STOPS"));
        let name = match stops {
            Some(stops) => format!("{seed}-stops-{stops}"),
            None => seed.to_string(),
        };
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/soak").join(name);
        std::fs::create_dir_all(&folder).expect("the folder can be made");
        Asked {
            games: number("GAMES").unwrap_or(100),
            seed: seed.into(),
            stops,
            folder,
        }
    }
}

#[test]
#[ignore = "takes an hour: make soak-faults"]
fn soak() {
    let asked = Asked::read();
    let path = asked.folder.join("games.jsonl");
    let mut lines: Vec<GameLine> = read(&path);
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
    let stops = match line.stops.len() {
        0 => String::new(),
        stops => format!("; {stops} stops"),
    };
    format!(
        "game {} of {games}: {} on {} against level {}, {}, {} plies, {:.0} s, {} MiB; {}{stops}{}",
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

/// The players of one table with its site and browser, one after the other where they are stopped.
struct Player {
    seed: u64,
    stops: Option<u32>,
    run: u32,
    table: tables::Table,
    /// The last game that it plays.
    last: u32,
    /// Its journal and games.
    folder: PathBuf,
    // Ended before the site and the browser.
    play: Run,
    /// How many players there have been, this one counted.
    process: u32,
    devtools: Devtools,
    pointer: Pointer,
    practice: Practice,
    clock: WallClock,
    site: Site,
    journal: Journal,
    /// What they believe of the game that is played.
    believed: Believed,
    /// Games of the site that are over.
    over: usize,
}

impl Player {
    fn start(asked: &Asked, run: u32, first: u32, last: u32) -> Player {
        let table = tables::table_of(first);
        let (seed, level) = (asked.seed.to_string(), table.level.to_string());
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
        practice.calibrate_new_game(&mut devtools);
        let folder = asked.folder.join(format!("run-{run}"));
        let _ = std::fs::remove_dir_all(&folder);
        let clock = WallClock::right(practice.stage.path("clock"));
        Player {
            seed: asked.seed,
            stops: asked.stops,
            run,
            table,
            last,
            play: started(&practice, &clock, &folder, 1, last - first + 1),
            process: 1,
            site: Site::of(practice.site.log_path()),
            journal: Journal::of(folder.join("journal.jsonl")),
            folder,
            devtools,
            pointer: Pointer::of(practice.stage.display().name()),
            practice,
            clock,
            believed: Believed::default(),
            over: 0,
        }
    }

    /// Another player takes the place of one that ended, from this game on.
    fn start_again(&mut self, from: u32) {
        // The colour at the bottom is the player's when it comes.
        let turned = format!(
            "{{ const turned = !document.querySelector('.cg-wrap').classList.contains('orientation-{}');
               if (turned) document.getElementById('flip').click(); }} 0",
            color_of(from)
        );
        self.devtools.run(&turned);
        self.process += 1;
        self.play = started(
            &self.practice,
            &self.clock,
            &self.folder,
            self.process,
            self.last - from + 1,
        );
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
        self.believed = Believed::default();
        let (left, problem) = match self.play_through(number, &mut line) {
            Ok(end) => (end == End::WhileStopped, None),
            Err(problem) => (false, Some(problem)),
        };
        line.problem = problem;
        line.seconds = began.elapsed().as_secs_f64();
        line.rss_end_kib = rss(self.play.id());
        let game = self.current();
        for stop in &mut line.stops {
            let during = self
                .site
                .presses
                .iter()
                .filter(|at| (stop.at_ms..stop.until_ms).contains(at));
            stop.presses_ms = during.map(|at| at - stop.at_ms).collect();
        }
        let compared = self.believed.compared(&game, left);
        line.plies = game.moves.len();
        (line.wrong, line.unseen, line.passed_over) = (compared.wrong, compared.unseen, compared.passed_over);
        line.refused = game.refused.len();
        line.color = game.color;
        line.result = game.result;
        self.over += 1;
        line
    }

    /// The game that is played, by the site; what is believed of it is read on too.
    fn current(&mut self) -> SiteGame {
        self.site.read();
        self.journal.read(&mut self.believed);
        self.site.games.get(self.over).cloned().unwrap_or_default()
    }

    fn play_through(&mut self, number: u32, line: &mut GameLine) -> Result<End, String> {
        let mut planned = plan(self.seed, number, self.stops).into_iter().peekable();
        let mut suffering: Option<Suffering> = None;
        let (mut plies, mut since) = (0, Instant::now());
        let mut ended = None;
        loop {
            let game = self.current();
            let moved = game.moves.len() != plies;
            if moved {
                (plies, since) = (game.moves.len(), Instant::now());
            }
            if plies >= MEASURED_AT && line.rss_kib.is_none() {
                line.rss_kib = rss(self.play.id());
                line.process = self.process;
            }
            if let Some(ms) = suffering.as_ref().and_then(|now| now.gone_on(&game))
                && let Some(over) = suffering.take()
            {
                over.afterwards.undo(&self.practice);
                line.faults[over.index].went_on_ms = Some(ms);
            }
            let believed = &self.believed;
            if let (Some(how), Some(result)) = (&game.result, &believed.result) {
                if let Some(left) = suffering.take() {
                    left.afterwards.undo(&self.practice);
                }
                // A flag that fell on Torres' own clock is no result to it.
                let is_flagged = how.ends_with("time") && result == "*";
                if how.split(' ').next() != Some(result) && !is_flagged {
                    return Err(format!("{how} on the site, {} by Torres", believed.termination));
                }
                self.next_color(number + 1);
                return Ok(End::Seen);
            }
            if let (None, Some(result)) = (&game.result, &believed.result)
                && ended.get_or_insert_with(Instant::now).elapsed() > LOGGED_WITHIN
            {
                return Err(format!("given up, {result} ({})", believed.termination));
            }
            if let Some(reason) = &believed.paused {
                return Err(format!("given up, paused: {reason}"));
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
                    suffering = match next.fault {
                        Fault::Stopped { by, when, for_ms } => {
                            let Some(suffering) = self.stop(next, (by, when, for_ms), number, line) else {
                                return Ok(End::WhileStopped);
                            };
                            suffering
                        }
                        _ => Some(self.suffer(next, plies, line)),
                    };
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
            clock: &mut self.clock,
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

    /// Halts the player, and has it go on, or another one after it. `None` where the game was over before it could, and
    /// `Some(None)` where the moment for it did not come.
    fn stop(
        &mut self,
        planned: Planned,
        (by, when, for_ms): (Way, Moment, u64),
        number: u32,
        line: &mut GameLine,
    ) -> Option<Option<Suffering>> {
        if when != Moment::InDrag {
            sleep(Duration::from_millis(planned.delay_ms));
        }
        let ply = self.current().moves.len();
        let mut hand = Hand {
            play: &mut self.play,
            devtools: &mut self.devtools,
            pointer: &self.pointer,
        };
        let Some(mut halted) = hand.halt(by, when, planned.fault.to_string(), ply) else {
            return Some(None);
        };
        let until = halted.stop.at_ms + for_ms as f64;
        sleep(Duration::from_secs_f64((until - unix_ms()).max(0.0) / 1e3));
        hand.undo(&mut halted);
        let ended_ms = halted.stop.until_ms;
        line.stops.push(halted.stop);
        line.faults.push(Suffered {
            ply,
            fault: planned.fault.to_string(),
            kind: planned.fault.kind().to_owned(),
            went_on_ms: None,
        });
        if !by.pauses() {
            if self.current().result.is_some() {
                self.begin_next(number + 1);
                return None;
            }
            self.believed.is_taken_up();
            self.start_again(number);
        }
        Some(Some(Suffering {
            index: line.faults.len() - 1,
            ended_ms,
            afterwards: Afterwards::Nothing,
        }))
    }

    /// A game that was over when no player was there is not followed by the next one by itself.
    fn begin_next(&mut self, number: u32) {
        if number > self.last {
            return;
        }
        self.next_color(number);
        self.devtools.run("document.querySelector('#new-game button').click()");
        wait_for("the site's next game", || {
            self.site.read();
            (self.site.games.len() > self.over + 1).then_some(())
        });
        self.start_again(number);
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

/// How a game came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// The player saw it.
    Seen,
    /// It was over before another player took the place of one that was stopped.
    WhileStopped,
}

/// A player on a terminal of its own, for so many games.
fn started(practice: &Practice, clock: &WallClock, folder: &Path, process: u32, games: u32) -> Run {
    let calibration = practice.stage.calibration();
    let mut command = practice
        .stage
        .torres(&["play", text(&calibration), "--move-ms", MOVE_MS, "--watch"]);
    command.args(["--games", &games.to_string(), "--out", text(folder)]);
    clock.of(&mut command);
    let said = match process {
        1 => folder.with_extension("said"),
        _ => folder.with_extension(format!("{process}.said")),
    };
    Run::at_a_terminal(&command, said)
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

/// Unix time in ms.
fn unix_ms() -> f64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .expect("a clock after 1970");
    since.as_secs_f64() * 1e3
}

/// A process's resident memory, in KiB.
fn rss(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().trim_end_matches("kB").trim().parse().ok()
}
