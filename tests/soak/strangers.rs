//! First runs on pages that somebody else made: `make strangers PAGES=folder GAMES=3` (docs/programs.md says what the
//! folder has to hold).
//!
//! Each page is calibrated as the README says and played on from White's side and from Black's, each time in a browser
//! of its own; with more than one game the page's button begins the next, with the colours exchanged. The judge is the
//! page's own log. Nothing is played again: what is there already is a first run.

use crate::asked::number;
use crate::commands::run;
use crate::follow::{Followed, follow};
use crate::logs::{Journal, SiteGame};
use crate::naming::{NOWHERE, around, naming};
use crate::report::{append, read};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::thread::sleep;
use std::time::{Duration, Instant};
use torres::chess::{fen, parse_fen, position_after};
use torres::desktop::BrowserOptions;
use torres::geometry::DesktopRect;
use torres_test_support::desktop::Devtools;
use torres_test_support::play::{Run, Shown, Stage, picture_of, rectangle, text};
use torres_test_support::wait_for;

/// So many pages are played on at once; a page's two tables one after the other, since its logs are numbered.
const AT_ONCE: usize = 2;
/// A page shows the bot's name, or the button of its next game, within this time.
const SHOWN_WITHIN: Duration = Duration::from_secs(30);
/// How long the player thinks, in ms.
const MOVE_MS: &str = "100";
/// What has stayed in its place for so long stands there.
const AT_REST: Duration = Duration::from_millis(500);
const LOOK_EVERY: Duration = Duration::from_millis(50);
const DISPLAY: (u32, u32) = (1720, 1200);
/// Of the browser's window, in pixels of the desktop.
const WINDOW: (f64, f64) = (1600.0, 1000.0);
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// `pages.json` of the strangers' folder.
#[derive(Debug, Deserialize)]
struct Pages {
    /// On which `node server.mjs` serves them.
    port: u16,
    pages: Vec<Page>,
}

#[derive(Clone, Debug, Deserialize)]
struct Page {
    /// The page is `/NAME/?color=white`, its logs are `logs/NAME-N.json`.
    name: String,
    /// What the window's title has.
    title: String,
    /// Text of the page that names the bot; or where the name is drawn, in CSS pixels.
    bot: Name,
    /// The words on the button of the next game.
    again: String,
    /// The words on the button of a notice of the game's end that has to be closed first, where there is one.
    close: Option<String>,
    /// Captured pixels per CSS pixel.
    #[serde(default = "one")]
    scale: f64,
}

fn one() -> f64 {
    1.0
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Name {
    Words(String),
    Drawn { white: [f64; 4], black: [f64; 4] },
}

/// A game as the page wrote it down.
#[derive(Debug, Default, Deserialize)]
struct Log {
    human: String,
    moves: Vec<String>,
    result: Option<String>,
}

/// What became of a game.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Line {
    page: String,
    /// The player's colour in the first game on this page.
    began_as: String,
    /// From 1.
    game: usize,
    color: String,
    /// Which of the proposed panels names the bot, from 1.
    proposed: Option<usize>,
    result: Option<String>,
    plies: usize,
    wrong: usize,
    unseen: usize,
    retries: usize,
    seconds: f64,
    problem: Option<String>,
}

impl Line {
    fn is_well(&self) -> bool {
        self.wrong == 0 && self.unseen == 0 && self.problem.is_none()
    }
}

#[test]
#[ignore = "needs pages of strangers: make strangers PAGES=folder"]
fn strangers() {
    let folder = std::env::var("PAGES").unwrap_or_default();
    assert!(!folder.is_empty(), "say which: make strangers PAGES=folder");
    let folder = std::fs::canonicalize(&folder).unwrap_or_else(|e| panic!("{folder}: {e}"));
    let only = std::env::var("ONLY").unwrap_or_default();
    let games = number("GAMES").unwrap_or(1) as usize;
    let pages = std::fs::read_to_string(folder.join("pages.json")).expect("the folder has a pages.json");
    let pages: Pages = serde_json::from_str(&pages).expect("pages.json is as docs/programs.md says");
    let name = folder.file_name().expect("a folder with a name");
    let out = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("target/soak/strangers")
        .join(name);
    std::fs::create_dir_all(&out).expect("the folder can be made");
    let path = out.join(format!("games-{games}.jsonl"));
    let played: Vec<Line> = read(&path);
    let is_new = |page: &str, color| !played.iter().any(|line| line.page == page && line.began_as == color);
    let asked = pages.pages.iter().filter(|page| page.name.contains(&only)).cloned();
    let waiting: Mutex<VecDeque<Page>> = Mutex::new(asked.collect());
    let _server = Server::start(&folder, pages.port);
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(page) = { waiting.lock().expect("no panic beside").pop_front() } {
                    for color in ["white", "black"]
                        .into_iter()
                        .filter(|color| is_new(&page.name, *color))
                    {
                        let table = Table {
                            page: page.clone(),
                            color,
                            out: out.join(format!("{}-{color}-{games}", page.name)),
                            logs: folder.join("logs"),
                            port: pages.port,
                        };
                        for line in table.play(games) {
                            append(&path, &line);
                            println!("{}", told(&line));
                        }
                    }
                }
            });
        }
    });
    let lines: Vec<Line> = read(&path);
    println!("{}", summary(&lines));
    assert!(lines.iter().all(Line::is_well), "see {}", out.display());
}

fn told(line: &Line) -> String {
    let proposed = line.proposed.map_or("not proposed".to_owned(), |nth| nth.to_string());
    let result = line.result.as_deref().unwrap_or("*");
    let mut told = format!(
        "{} as {}, game {}, panel {proposed}: {result}, {} plies, {} made again, {:.0} s",
        line.page, line.color, line.game, line.plies, line.retries, line.seconds
    );
    for (count, what) in [(line.wrong, "wrong"), (line.unseen, "not seen")] {
        if count > 0 {
            told += &format!("; {count} {what}");
        }
    }
    if let Some(problem) = &line.problem {
        told += &format!("; {problem}");
    }
    told
}

fn summary(lines: &[Line]) -> String {
    let sum = |of: fn(&Line) -> usize| lines.iter().map(of).sum::<usize>();
    format!(
        "\n{} games, {} began, {} to their end, {} plies: {} believed wrongly, {} made again",
        lines.len(),
        sum(|line| usize::from(line.plies > usize::from(line.color == "black"))),
        sum(|line| usize::from(line.problem.is_none())),
        sum(|line| line.plies),
        sum(|line| line.wrong),
        sum(|line| line.retries),
    )
}

/// The strangers' server; it ends with this.
struct Server(Child);

impl Server {
    fn start(folder: &Path, port: u16) -> Server {
        let mut command = Command::new("node");
        command
            .arg("server.mjs")
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        // What is there is of earlier runs.
        let _ = std::fs::remove_dir_all(folder.join("logs"));
        std::fs::create_dir_all(folder.join("logs")).expect("the folder of the logs can be made");
        let server = Server(command.spawn().expect("node serves the pages"));
        wait_for("the strangers' server", || {
            std::net::TcpStream::connect(("127.0.0.1", port)).ok()
        });
        server
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// One page with a player at it, who begins with one colour.
struct Table {
    page: Page,
    color: &'static str,
    out: PathBuf,
    logs: PathBuf,
    port: u16,
}

impl Table {
    fn play(&self, games: usize) -> Vec<Line> {
        let _ = std::fs::remove_dir_all(&self.out);
        std::fs::create_dir_all(&self.out).expect("the table's folder can be made");
        let url = format!(
            "http://127.0.0.1:{}/{}/?color={}",
            self.port, self.page.name, self.color
        );
        let size = (WINDOW.0 / self.page.scale, WINDOW.1 / self.page.scale);
        let options = BrowserOptions {
            position: (20, 40),
            size: (size.0 as u32, size.1 as u32),
            scale: self.page.scale,
            ..BrowserOptions::default()
        };
        let before = self.numbers();
        let shown = Shown {
            title: "",
            panel: NOWHERE,
        };
        let stage = Stage::open_on(DISPLAY, options, &url, shown);
        let mut devtools = stage.devtools();
        let mut line = Line {
            page: self.page.name.clone(),
            began_as: self.color.to_owned(),
            color: self.color.to_owned(),
            game: 1,
            ..Line::default()
        };
        match self.calibrate(&stage, &mut devtools) {
            Ok(proposed) => line.proposed = proposed,
            Err(problem) => {
                return vec![Line {
                    problem: Some(problem),
                    ..line
                }];
            }
        }
        let calibration = stage.calibration();
        let mut command = stage.torres(&["play", text(&calibration), "--move-ms", MOVE_MS]);
        command.args(["--games", &games.to_string(), "--out", text(&self.out.join("played"))]);
        let mut play = Run::at_a_terminal(&command, self.out.join("play.said"));
        let mut journal = Journal::of(self.out.join("played/journal.jsonl"));
        let (mut lines, mut buttons): (Vec<Line>, Vec<String>) = Default::default();
        for game in 1..=games {
            let followed = follow(&mut play, &mut journal, || self.game(&before, game));
            let is_over = followed.problem.is_some();
            lines.push(Line {
                game,
                ..of(followed, &line)
            });
            if is_over || game == games {
                break;
            }
            // A button that names the colour of the next game is another one after a game as Black.
            if game <= 2
                && let Err(problem) = self.show_the_buttons(&stage, &mut devtools, &mut buttons)
            {
                lines.push(Line {
                    game: game + 1,
                    problem: Some(problem),
                    ..line
                });
                break;
            }
        }
        drop(play);
        let _ = std::fs::copy(stage.calibration(), self.out.join("board.json"));
        picture_of(stage.display().name())
            .save(self.out.join("end.png"))
            .expect("the picture can be written");
        lines
    }

    /// As the README says, with the proposal that names the bot; which one that is.
    fn calibrate(&self, stage: &Stage, devtools: &mut Devtools) -> Result<Option<usize>, String> {
        let path = stage.calibration();
        let plain = [
            "calibrate",
            text(&path),
            "--window",
            &self.page.title,
            "--bottom",
            self.color,
        ];
        let name = match &self.page.bot {
            Name::Words(words) => shown(stage, devtools, words)?.0,
            Name::Drawn { white, black } => {
                let drawn = if self.color == "white" { white } else { black };
                on_the_desktop(stage, *drawn, self.page.scale)
            }
        };
        let page = picture_of(stage.display().name());
        page.save(self.out.join("page.png"))
            .expect("the picture can be written");
        let said = run(stage, &self.out, "calibrate-plainly", &plain)?;
        let panel = naming(&said, &name);
        let rect = rectangle(&panel.map_or(around(name), |(_, rect)| rect));
        let vouched = ["--opponent-is-a-bot", "--opponent-panel", &rect];
        run(stage, &self.out, "calibrate", &[&plain[..], &vouched].concat())?;
        Ok(panel.map(|(nth, _)| nth))
    }

    /// Shows the player the button of the next game, while it waits for it, and before that the one of a notice that has
    /// to be closed; `before` are those that it has been shown.
    fn show_the_buttons(&self, stage: &Stage, devtools: &mut Devtools, before: &mut Vec<String>) -> Result<(), String> {
        let close = self.page.close.as_ref().filter(|_| before.is_empty());
        let mut words = close.into_iter().chain([&self.page.again]);
        words.try_for_each(|words| self.show_the_button(stage, devtools, words, before))
    }

    fn show_the_button(
        &self,
        stage: &Stage,
        devtools: &mut Devtools,
        words: &str,
        before: &mut Vec<String>,
    ) -> Result<(), String> {
        let (button, words) = shown(stage, devtools, words)?;
        if before.contains(&words) {
            return Ok(());
        }
        let (path, button) = (stage.calibration(), rectangle(&button));
        let mut arguments = vec!["calibrate", text(&path), "--new-game", &button];
        if !before.is_empty() {
            arguments.push("--also");
        }
        run(stage, &self.out, "new-game", &arguments)?;
        before.push(words);
        Ok(())
    }

    /// The numbers of the games on this page that are written down.
    fn numbers(&self) -> BTreeSet<u32> {
        let files = std::fs::read_dir(&self.logs).into_iter().flatten().flatten();
        let names = files.filter_map(|file| file.file_name().into_string().ok());
        let number = |name: String| -> Option<u32> {
            let number = name.strip_prefix(&self.page.name)?.strip_prefix('-')?;
            number.strip_suffix(".json")?.parse().ok()
        };
        names.filter_map(number).collect()
    }

    /// The page's log of a game, counted from 1 after those that were there before. Empty where it is not there yet,
    /// or just written.
    fn game(&self, before: &BTreeSet<u32>, game: usize) -> SiteGame {
        let numbers = self.numbers();
        let Some(number) = numbers.difference(before).nth(game - 1) else {
            return SiteGame::default();
        };
        let log = std::fs::read_to_string(self.logs.join(format!("{}-{number}.json", self.page.name)));
        let log = log.ok().and_then(|log| serde_json::from_str(&log).ok());
        log.map(|log: Log| game_of(&log)).unwrap_or_default()
    }
}

fn of(followed: Followed, line: &Line) -> Line {
    let compared = followed.believed.compared(&followed.game, false);
    Line {
        color: followed.game.color,
        result: followed.game.result,
        plies: followed.game.moves.len(),
        wrong: compared.wrong,
        unseen: compared.unseen,
        retries: followed.believed.retries,
        seconds: followed.seconds,
        problem: followed.problem,
        ..line.clone()
    }
}

/// Panics where the page let a move through that is none: then its log is no judge.
fn game_of(log: &Log) -> SiteGame {
    let mut game = SiteGame {
        color: log.human.clone(),
        result: log.result.clone(),
        ..SiteGame::default()
    };
    let start = parse_fen(START).expect("the start position");
    game.positions.push(fen(&start));
    for (index, played) in log.moves.iter().enumerate() {
        let position = position_after(start.clone(), &log.moves[..=index]);
        game.moves.push((played.clone(), 0.0, false));
        game.positions
            .push(fen(&position.unwrap_or_else(|e| panic!("the page's log: {e}"))));
    }
    game
}

/// Whether both are one text around one middle, a pixel of rounding apart.
fn is_in_place((now, text): &(DesktopRect, String), (then, before): &(DesktopRect, String)) -> bool {
    let (now, then) = (now.middle(), then.middle());
    text == before && (now.x - then.x).abs() <= 1.0 && (now.y - then.y).abs() <= 1.0
}

/// Where these words lie when they have come up and come to rest, and the text that they belong to. A button that grows
/// and shrinks in its place rests.
fn shown(stage: &Stage, devtools: &mut Devtools, words: &str) -> Result<(DesktopRect, String), String> {
    let began = Instant::now();
    let (mut last, mut since) = (None, began);
    while began.elapsed() < SHOWN_WITHIN {
        // What blinks rests too: it comes up again where it was.
        if let Some(lies) = element_with(stage, devtools, words) {
            if !last.as_ref().is_some_and(|then| is_in_place(&lies, then)) {
                since = Instant::now();
            }
            if since.elapsed() >= AT_REST {
                return Ok(lies);
            }
            last = Some(lies);
        }
        sleep(LOOK_EVERY);
    }
    Err(format!("the page does not say {words:?}"))
}

/// Where the innermost element with these words lies, and its text, if it has come up whole.
fn element_with(stage: &Stage, devtools: &mut Devtools, words: &str) -> Option<(DesktopRect, String)> {
    let words = serde_json::to_string(words).expect("a string");
    let lies = devtools.run(&format!(
        "{{ const words = {words};
           const text = (e) => (e.innerText || e.textContent || e.value || '').replace(/\\s+/g, ' ');
           const says = (e) => text(e).includes(words);
           const stands = (e) => {{
             for (let up = e; up; up = up.parentElement) if (getComputedStyle(up).opacity < 0.99) return false;
             return e.checkVisibility({{ visibilityProperty: true }});
           }};
           const all = [...document.querySelectorAll('body *')].filter((e) => !['SCRIPT', 'STYLE'].includes(e.tagName));
           const innermost = all.filter((e) => says(e) && ![...e.children].some(says) && stands(e));
           // A heading may be as wide as its column; its words are what a person looks at. Buttons are seen whole.
           const lies = (e) => {{
             if (['BUTTON', 'A', 'INPUT'].includes(e.tagName)) return e.getBoundingClientRect();
             const words = document.createRange();
             words.selectNodeContents(e);
             return words.getBoundingClientRect();
           }};
           const seen = innermost.map((e) => [lies(e), text(e)]).filter(([r]) => r.width && r.height);
           seen.sort(([a], [b]) => a.width * a.height - b.width * b.height);
           const [r, said] = seen[0] ?? [];
           r && [[r.x, r.y, r.width, r.height, devicePixelRatio], said] }}"
    ));
    let said = lies[1].as_str()?.to_owned();
    let numbers: Vec<f64> = lies[0]
        .as_array()?
        .iter()
        .filter_map(serde_json::Value::as_f64)
        .collect();
    let [x, y, width, height, scale] = numbers.try_into().ok()?;
    Some((on_the_desktop(stage, [x, y, width, height], scale), said))
}

fn on_the_desktop(stage: &Stage, css: [f64; 4], scale: f64) -> DesktopRect {
    let client = stage.client();
    let [x, y, width, height] = css.map(|length| (length * scale).round() as i32);
    DesktopRect {
        x: client.x + x,
        y: client.y + y,
        width: width as u32,
        height: height as u32,
    }
}
