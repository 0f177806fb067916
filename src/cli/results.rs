//! `torres results`.

use super::{CliError, CliResult, Exit};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use torres_arena::plot;
use torres_arena::standings::{series, standings, table};
use torres_journal::results::{GameResult, RESULTS_FILE, files_in, read};
use torres_printing::one_line;

/// Where `torres play` leaves its games when nothing else is said.
pub(super) const GAMES_FOLDER: &str = "torres-games";

/// Arguments of `torres results`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Results files, or folders with one in them or one level down.
    #[arg(value_name = "FILE|DIR", default_value = GAMES_FOLDER)]
    pub from: Vec<PathBuf>,
    /// Where to draw the plot; default `results.svg` beside the first results file.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Print a JSON object a line for each opponent and one for all; the plot is drawn with --svg only.
    #[arg(long)]
    pub json: bool,
}

/// Adds up the games that were played.
pub(crate) fn run(args: Args) -> CliResult {
    let files = files(&args.from)?;
    let games = games(&files)?;
    let standings = standings(&games);
    if args.json {
        for standing in &standings {
            let line = serde_json::to_string(&standing.numbers()).map_err(CliError::failed)?;
            println!("{line}");
        }
    } else {
        print!("{}", table(&standings));
    }
    let beside = || files.first().map(|file| file.with_extension("svg"));
    let Some(path) = args.svg.or_else(|| (!args.json).then(beside).flatten()) else {
        return Ok(Exit::Done);
    };
    let series = series(&standings);
    if series.is_empty() {
        eprintln!("torres: no game has ended yet: there is nothing to draw");
        return Ok(Exit::Done);
    }
    let svg = plot::svg(&series).map_err(CliError::failed)?;
    std::fs::write(&path, svg).map_err(|error| {
        CliError::failed(format!(
            "cannot draw the plot {}: {error}; say with --svg where it may be",
            path.display()
        ))
    })?;
    if !args.json {
        println!("\nplot {}", path.display());
    }
    Ok(Exit::Done)
}

/// All results files, each once.
fn files(from: &[PathBuf]) -> Result<Vec<PathBuf>, CliError> {
    let mut known = BTreeSet::new();
    let mut files = Vec::new();
    for path in from {
        let found = files_in(path);
        if found.is_empty() {
            return Err(nothing_in(path));
        }
        for file in found {
            let real = file.canonicalize().unwrap_or_else(|_| file.clone());
            if known.insert(real) {
                files.push(file);
            }
        }
    }
    Ok(files)
}

fn nothing_in(path: &Path) -> CliError {
    let what = if path.is_dir() {
        format!("no {RESULTS_FILE} in {} or in a folder there", path.display())
    } else {
        format!("no results file {}", path.display())
    };
    CliError::usage(format!(
        "there is {what}; play a game with `torres play` or `torres demo`, or name the --out of those that were played"
    ))
}

/// The files' games in the order in which they ended. Damaged lines are told and left out.
fn games(files: &[PathBuf]) -> Result<Vec<GameResult>, CliError> {
    let mut games = Vec::new();
    for file in files {
        let results = read(file)
            .map_err(|error| CliError::usage(format!("cannot read the results {}: {error}", file.display())))?;
        games.extend(results.games.into_iter().map(in_one_line));
        for damaged in results.damaged {
            eprintln!("torres: {damaged}; the line is left out");
        }
    }
    if games.is_empty() {
        let named: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        return Err(CliError::usage(format!(
            "there is no game in {}; play one with `torres play` or `torres demo`",
            named.join(", ")
        )));
    }
    games.sort_by_key(|game: &GameResult| game.ended.timestamp());
    Ok(games)
}

/// A row of the table is a line, whatever the names in the file.
fn in_one_line(mut game: GameResult) -> GameResult {
    let names = [&mut game.opponent, &mut game.version, &mut game.clock];
    for name in names.into_iter().chain(&mut game.engine) {
        *name = one_line(name).into_owned();
    }
    game
}
