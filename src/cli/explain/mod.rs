//! `torres explain`.

mod fuzz_tests;
mod text;

use super::{CliError, CliResult, Exit, args};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use text::Text;
use torres_journal::story::{self, GameStory};
use torres_journal::{Entries, journal_of};
use torres_printing::printable;

/// Arguments of `torres explain`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// A game's journal.jsonl, or the folder that holds it.
    pub journal: PathBuf,
    /// Everything about that ply alone, counted from 1.
    #[arg(long, value_parser = args::some::<usize>())]
    pub ply: Option<usize>,
    /// Which of the journal's games, counted from 1; without it the last one.
    #[arg(long, value_parser = args::some::<usize>())]
    pub game: Option<usize>,
}

/// Print what was seen, decided, done and verified in a game.
pub(crate) fn run(args: Args) -> CliResult {
    let path = journal_of(&args.journal);
    let read = Entries::read(&path).map_err(|e| {
        CliError::usage(format!(
            "cannot read the journal {e}; name a game's folder, such as one of those in torres-games/"
        ))
    })?;
    let games = story::games(&read.entries);
    let (number, game) = chosen(&games, args.game, &path)?;
    let text = Text {
        beside: path.parent().unwrap_or(Path::new("")),
        zone: jiff::tz::TimeZone::system(),
    };
    let told = match args.ply {
        None => text.game(game, number, games.len()),
        Some(ply) => text.ply(game, ply).ok_or_else(|| no_such_ply(game, ply, &path))?,
    };
    let mut out = io::stdout().lock();
    let damage = read
        .damaged
        .iter()
        .map(|damage| format!("{} {damage}\n", path.display()));
    let all = std::iter::once(told).chain(damage).collect::<String>();
    match out.write_all(printable(&all).as_bytes()) {
        // Whoever reads no further has seen enough.
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => {
            return Err(CliError::failed(format!("cannot write to standard output: {e}")));
        }
        _ => {}
    }
    Ok(match read.damaged.is_empty() {
        true => Exit::Done,
        false => Exit::Found,
    })
}

fn chosen<'a>(games: &'a [GameStory], wanted: Option<usize>, path: &Path) -> Result<(usize, &'a GameStory), CliError> {
    let number = wanted.unwrap_or(games.len());
    let game = number.checked_sub(1).and_then(|index| games.get(index));
    game.map(|game| (number, game)).ok_or_else(|| {
        CliError::usage(match (games.len(), wanted) {
            (0, _) => format!(
                "{} holds no game that can be read; name a game's folder, such as one of those in torres-games/",
                path.display()
            ),
            (count, _) => format!("there is no game {number} in {}; choose 1 to {count}", path.display()),
        })
    })
}

fn no_such_ply(game: &GameStory, ply: usize, path: &Path) -> CliError {
    let plies = game.moves().len();
    CliError::usage(format!(
        "there is no ply {ply} of the game in {}, which has {plies}; choose one of those, or leave out --ply",
        path.display()
    ))
}
