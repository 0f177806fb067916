//! Many games on pages of every look, widget, layout and manner that the scenes have: `make soak-looks GAMES=300
//! SEED=1`, resumed where it was left.
//!
//! A page is calibrated as the README says and played on twice, with both colours, the second game begun by its button.
//! The judge is the page's own log (`tests/scenes/live.mjs`).

use crate::asked::number;
use crate::commands::run;
use crate::follow::follow;
use crate::logs::{Journal, Site};
use crate::naming::{NOWHERE, around, naming};
use crate::report::{append, read};
use serde::{Deserialize, Serialize};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use torres_test_support::desktop::Devtools;
use torres_test_support::play::{Run, Shown, Stage, picture_of, rectangle, text};
use torres_test_support::wait_for;

const TITLE: &str = "Wandering Board";
/// Games on each page.
const ON_EACH: u32 = 2;
/// How long the player thinks, in ms.
const MOVE_MS: &str = "100";

/// One game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Its number, from 1.
    pub game: u32,
    /// The page, from 1, and what it looks like.
    pub page: u32,
    pub look: String,
    /// Which of the panels that were proposed names the bot, from 1.
    pub proposed: Option<usize>,
    pub color: String,
    /// By the page.
    pub result: Option<String>,
    pub plies: usize,
    /// Moves that were believed and that the page does not have there.
    pub wrong: usize,
    /// Moves of the page that were not seen.
    pub unseen: usize,
    /// Whether Torres knows the score, and not the end alone.
    pub knows_score: bool,
    /// Moves that were made again.
    pub retries: usize,
    pub seconds: f64,
    /// Why the game did not begin, or did not come to its end.
    pub problem: Option<String>,
}

impl Line {
    fn complaints(&self) -> Vec<String> {
        let mut complaints: Vec<String> = self.problem.iter().cloned().collect();
        if self.wrong > 0 {
            complaints.push(format!("{} wrong moves", self.wrong));
        }
        if self.unseen > 0 && self.problem.is_none() {
            complaints.push(format!("{} moves not seen", self.unseen));
        }
        complaints
    }
}

/// The pages' server; it ends with this.
struct Pages {
    process: Child,
    address: String,
    log: PathBuf,
}

impl Pages {
    fn serve(seed: u64, log: PathBuf) -> Pages {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scenes/live.mjs");
        let mut process = Command::new("node")
            .args([script, "--seed", &seed.to_string(), "--log", text(&log)])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("node serves the pages");
        let mut address = String::new();
        let said = process.stdout.take().expect("what it says");
        BufReader::new(said)
            .read_line(&mut address)
            .expect("the server's address");
        let address = address.trim().to_owned();
        assert!(
            address.starts_with("http://"),
            "the server of the pages did not start: {address}"
        );
        Pages { process, address, log }
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
#[ignore = "takes hours, and needs Node: make soak-looks"]
fn looks() {
    let (games, seed) = (number("GAMES").unwrap_or(300), u64::from(number("SEED").unwrap_or(1)));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("target/soak/looks-{seed}"));
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    if let Some(page @ 1..) = number("ONLY") {
        let lines = Table::open(seed, page, &folder).play();
        lines.iter().for_each(|line| println!("{}", told(line)));
        assert!(
            lines.iter().all(|line| line.complaints().is_empty()),
            "see {}",
            folder.display()
        );
        return;
    }
    let path = folder.join("games.jsonl");
    let mut lines: Vec<Line> = read(&path);
    println!(
        "\n{games} games on pages of seed {seed}, {} of them played already; {}",
        lines.len(),
        path.display()
    );
    while (lines.len() as u32) < games {
        let page = lines.last().map_or(1, |line| line.page + 1);
        // What an interrupted run left of a page is played anew.
        let mut table = Table::open(seed, page, &folder);
        for line in table.play() {
            let line = Line {
                game: lines.len() as u32 + 1,
                ..line
            };
            append(&path, &line);
            println!("{}", told(&line));
            lines.push(line);
        }
    }
    let (text, well) = summary(&lines);
    println!("{text}");
    assert!(well, "see above; the games are in {}", folder.display());
}

fn told(line: &Line) -> String {
    let complaints = line.complaints();
    format!(
        "game {}: {} (panel {}) as {}, {}, {} plies, {} made again, {:.0} s{}",
        line.game,
        line.look,
        line.proposed.map_or("not proposed".to_owned(), |nth| nth.to_string()),
        line.color,
        line.result.as_deref().unwrap_or("*"),
        line.plies,
        line.retries,
        line.seconds,
        if complaints.is_empty() {
            String::new()
        } else {
            format!("; WRONG: {}", complaints.join(", "))
        }
    )
}

/// What all games come to, and whether it is as it should be.
fn summary(lines: &[Line]) -> (String, bool) {
    let sum = |of: fn(&Line) -> usize| lines.iter().map(of).sum::<usize>();
    let whole = lines.iter().filter(|line| line.problem.is_none()).count();
    let mut text = format!(
        "\n{} games, {} to their end ({} of them with a score that Torres knew), {} plies: {} believed wrongly, {} made again; the panel that names the bot proposed for {}, as the first for {}\n",
        lines.len(),
        whole,
        sum(|line| usize::from(line.knows_score)),
        sum(|line| line.plies),
        sum(|line| line.wrong),
        sum(|line| line.retries),
        sum(|line| usize::from(line.proposed.is_some())),
        sum(|line| usize::from(line.proposed == Some(1))),
    );
    let mut well = true;
    for line in lines {
        for complaint in line.complaints() {
            well = false;
            text += &format!("game {} (page {}, {}): {complaint}\n", line.game, line.page, line.look);
        }
    }
    (text, well)
}

/// A page with a player at it.
struct Table {
    page: u32,
    look: String,
    proposed: Option<usize>,
    folder: PathBuf,
    site: Site,
    // Ended before the server.
    devtools: Devtools,
    stage: Stage,
    _pages: Pages,
}

impl Table {
    fn open(seed: u64, page: u32, folder: &Path) -> Table {
        let folder = folder.join(format!("page-{page}"));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("the page's folder can be made");
        let pages = Pages::serve(seed, folder.join("site.jsonl"));
        let stage = Stage::open(
            &format!("{}/table/{page}", pages.address),
            Shown {
                title: TITLE,
                panel: NOWHERE,
            },
        );
        let mut devtools = stage.devtools();
        wait_for("the page", || {
            (devtools.run("window.ready === true") == true).then_some(())
        });
        let setup = devtools.run("SETUP");
        let word = |name: &str| setup[name].as_str().unwrap_or("plain").to_owned();
        let yes = |name: &str| {
            if setup[name] == true {
                format!(", {name}")
            } else {
                String::new()
            }
        };
        let look = format!(
            "{}: {}, {} px, {}, dialog {}, {}{}{}{}",
            word("name"),
            word("widget"),
            setup["size"],
            word("manner"),
            word("dialog"),
            setup["pieces"]["name"].as_str().unwrap_or_default(),
            yes("lightsPointer"),
            yes("deafWhileSliding"),
            yes("swapsRows"),
        );
        Table {
            page,
            look,
            proposed: None,
            site: Site::of(pages.log.clone()),
            folder,
            devtools,
            stage,
            _pages: pages,
        }
    }

    /// Both games. What cannot begin is a game too.
    fn play(&mut self) -> Vec<Line> {
        if let Err(problem) = self.calibrate() {
            self.picture("problem");
            let line = Line {
                problem: Some(problem),
                ..self.line()
            };
            return vec![line.clone(), line];
        }
        let (calibration, out) = (self.stage.calibration(), self.folder.join("played"));
        let mut command = self.stage.torres(&["play", text(&calibration), "--move-ms", MOVE_MS]);
        command.args(["--games", &ON_EACH.to_string(), "--out", text(&out)]);
        self.devtools.run("window.waits = false");
        let mut play = Run::at_a_terminal(&command, self.folder.join("play.said"));
        let mut journal = Journal::of(out.join("journal.jsonl"));
        let mut lines: Vec<Line> = Vec::new();
        for number in 0..ON_EACH as usize {
            let line = self.game(number, &mut play, &mut journal);
            let is_over = line.problem.is_some();
            lines.push(line);
            if is_over {
                break;
            }
        }
        drop(play);
        if lines.iter().any(|line| !line.complaints().is_empty()) {
            self.picture("problem");
        } else {
            // What went well is not looked at again.
            let _ = std::fs::remove_dir_all(&self.folder);
        }
        while lines.len() < ON_EACH as usize {
            let problem = Some("the game before it did not come to its end".to_owned());
            lines.push(Line { problem, ..self.line() });
        }
        lines
    }

    fn line(&self) -> Line {
        Line {
            page: self.page,
            look: self.look.clone(),
            proposed: self.proposed,
            ..Line::default()
        }
    }

    fn picture(&self, name: &str) {
        let picture = picture_of(self.stage.display().name());
        picture
            .save(self.folder.join(format!("{name}.png")))
            .expect("the picture can be written");
    }

    /// As the README says: with the proposal that names the bot, and the button of the next game shown once.
    fn calibrate(&mut self) -> Result<(), String> {
        let page = self.stage.resting_screenshot();
        page.save(self.folder.join("page.png"))
            .expect("the picture can be written");
        let path = self.stage.calibration();
        let bottom = self.devtools.run("SETUP.orientation");
        let bottom = bottom.as_str().expect("a colour");
        let plain = ["calibrate", text(&path), "--window", TITLE, "--bottom", bottom];
        let said = self.torres("calibrate-plainly", &plain)?;
        let name = self.stage.lies(&mut self.devtools, ".name.bot");
        let panel = naming(&said, &name);
        self.proposed = panel.map(|(nth, _)| nth);
        let panel = rectangle(&panel.map_or(around(name), |(_, rect)| rect));
        let vouched = ["--opponent-is-a-bot", "--opponent-panel", &panel];
        self.torres("calibrate", &[&plain[..], &vouched].concat())?;
        self.shows_again("block");
        let button = rectangle(&self.stage.lies(&mut self.devtools, "#again"));
        self.torres("new-game", &["calibrate", text(&path), "--new-game", &button])?;
        self.shows_again("none");
        Ok(())
    }

    /// Shows the button of the next game, or hides it; done when that is drawn.
    fn shows_again(&mut self, display: &str) {
        self.devtools.run(&format!(
            "document.getElementById('again').parentElement.style.display = '{display}';
             new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))"
        ));
    }

    /// Runs a command; what it said.
    fn torres(&self, name: &str, arguments: &[&str]) -> Result<String, String> {
        let said = run(&self.stage, &self.folder, name, arguments);
        let _ = std::fs::copy(self.stage.calibration(), self.folder.join("board.json"));
        said
    }

    fn game(&mut self, number: usize, play: &mut Run, journal: &mut Journal) -> Line {
        let site = &mut self.site;
        let followed = follow(play, journal, || {
            site.read();
            site.games.get(number).cloned().unwrap_or_default()
        });
        let compared = followed.believed.compared(&followed.game, false);
        Line {
            color: followed.game.color,
            result: followed.game.result,
            plies: followed.game.moves.len(),
            wrong: compared.wrong,
            unseen: compared.unseen,
            knows_score: followed.believed.result.is_some_and(|result| result != "*"),
            retries: followed.believed.retries,
            seconds: followed.seconds,
            problem: followed.problem,
            ..self.line()
        }
    }
}
