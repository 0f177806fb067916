//! Whole games with programs that nobody here built: `make programs`, resumed where it was left ([docs/programs.md](../../docs/programs.md)).
//!
//! Each program is started on a display of its own, calibrated as by a user at a terminal, and played with once as White and once as Black. The
//! judge is what went over its engine's wire.
#![cfg(target_os = "linux")]

#[path = "../common/mod.rs"]
mod common;
#[path = "../e2e_support/mod.rs"]
mod e2e_support;
mod hand;
mod judge;
mod report;
mod room;
#[path = "../site_support/mod.rs"]
mod site_support;
mod sitting;

use report::{append, read, table};
use room::PROGRAMS;
use shakmaty::Color;
use sitting::{Players, sit};
use std::path::{Path, PathBuf};

/// How long Torres thinks at each move, in ms.
const MOVE_MS: &str = "100";

/// `ONLY=xboard` plays with the programs whose name has that, also where they were played with already.
#[test]
#[ignore = "takes an hour: make programs"]
fn programs() {
    let only = std::env::var("ONLY").ok().filter(|only| !only.is_empty());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/programs");
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let path = folder.join("games.jsonl");
    let mut lines = read(&path);
    println!("\n{} games played already; {}", lines.len(), path.display());
    for program in &PROGRAMS {
        for color in Color::ALL {
            let name = format!("{} {}", program.name, color.fold_wb("white", "black"));
            let played = lines.iter().filter(|line| line.name() == name).count();
            let is_asked = match &only {
                Some(only) => name.contains(only.as_str()),
                None => played == 0,
            };
            if !is_asked {
                continue;
            }
            let players = Players {
                play: vec!["--move-ms".to_owned(), MOVE_MS.to_owned()],
                engine: None,
            };
            let line = sit(program, color, &players, &free(&folder, &name));
            append(&path, &line);
            println!("{}", line.told());
            lines.push(line);
        }
    }
    let (text, well) = table(&lines);
    println!("{text}");
    assert!(well, "see above; the games are in {}", folder.display());
}

/// A folder for the next game of this name.
fn free(folder: &Path, name: &str) -> PathBuf {
    let name = name.replace([',', ' '], "-").replace("--", "-");
    (1..)
        .map(|number| folder.join(format!("{name}-{number}")))
        .find(|path| !path.exists())
        .expect("numbers do not end")
}
