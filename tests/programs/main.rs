//! Whole games with programs that nobody here built: `make programs`, resumed where it was left
//! ([docs/programs.md](../../docs/programs.md)).
//!
//! Each program is started on a display of its own, calibrated as by a user at a terminal, and played with once as
//! White and once as Black. The judge is what went over its engine's wire.
#![cfg(target_os = "linux")]

mod hand;
mod judge;
mod report;
mod room;
mod sitting;

use report::{append, read, table};
use room::PROGRAMS;
use shakmaty::Color;
use sitting::{Players, sit};
use std::path::{Path, PathBuf};
use torres_test_support::play::{Script, engine_for};

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

/// Castling both ways, captures and two replies that come from afar.
const WHITE: &str = "e2e4 d7d5 e4d5 d8d5 b1c3 d5a5 g1f3 b8c6 f1c4 c8g4 e1g1 e8c8 a2a3 e7e5";

/// A fool's mate, with a castling before it.
const BLACK: &str = "g1f3 e7e5 f3g1 g8f6 f2f3 f8c5 a2a3 e8g8 g2g4 f6e4 f3e4 d8h4";

/// A game whose moves are all given, of both sides: the program's engine and Torres' play them.
fn plays(name: &str, color: Color, moves: &str) {
    let program = PROGRAMS.iter().find(|program| program.name == name);
    let program = program.expect("one of the programs");
    if !program.is_installed_without_engine() {
        println!("{name} is not installed; tools/install-packages.sh test installs it");
        return;
    }
    let script = Script::new(moves);
    let scripted = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/scripted.sh");
    let players = Players {
        play: ["--engine", &engine_for(&script, color), "--plies", &script.plies()]
            .map(str::to_owned)
            .to_vec(),
        engine: Some(format!("sh '{scripted}' {}", script.moves_of(color.other()).join(" "))),
    };
    // What a failed test leaves is kept.
    let folder = tempfile::tempdir().expect("a folder for the test").keep();
    let line = sit(program, color, &players, &folder);
    let told = format!("{}\n{}", line.told(), folder.display());
    println!("{told}");
    // The game ends where the script does, by a mate or not.
    let is_over = line
        .problem
        .as_deref()
        .is_none_or(|problem| problem == sitting::NO_RESULT);
    let said = std::fs::read_to_string(folder.join("play.said")).unwrap_or_default();
    assert!(is_over, "{told}\n{said}");
    assert_eq!((line.wrong, line.missed, line.pauses), (0, 0, 0), "{told}\n{said}");
    assert_eq!(line.plies, script.moves().len(), "{told}\n{said}");
    // The first drag may teach that the board takes clicks alone.
    assert!(line.retries <= 1, "{told}\n{said}");
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn white_plays_in_gnome_chess() {
    plays("gnome-chess, simple", Color::White, WHITE);
}

#[test]
fn black_plays_in_xboard() {
    plays("xboard, wood", Color::Black, BLACK);
}

/// A folder for the next game of this name.
fn free(folder: &Path, name: &str) -> PathBuf {
    let name = name.replace([',', ' '], "-").replace("--", "-");
    (1..)
        .map(|number| folder.join(format!("{name}-{number}")))
        .find(|path| !path.exists())
        .expect("numbers do not end")
}
