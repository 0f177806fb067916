//! `torres play`: games against the bot that a calibration vouches for.

mod allocator;
mod finish;
mod folders;
mod new_game;
mod session;
mod settings;
mod start;
mod status;
mod user;

use super::console::Console;
use super::{CliError, CliResult, Exit, runtime};
use folders::RunFolders;
use session::{After, Session};
pub(crate) use settings::Args;
use start::Predecessor;
use torres_bot::commands::Commands;
use torres_mouse::{StopFlag, watch_corners, watch_interrupt};
use torres_watch::Watch;
use user::User;

/// Plays against the bot that a calibration names.
pub(crate) fn run(args: Args) -> CliResult {
    allocator::keep_together();
    let (settings, players) = args.check()?;
    let hold = match settings.hands_off {
        true => None,
        false => Some(super::hold(&format!("playing with '{}'", settings.name))?),
    };
    let stop = StopFlag::new();
    watch_interrupt(&stop).map_err(CliError::failed)?;
    watch_corners(&stop).map_err(CliError::failed)?;
    let (folders, before) = RunFolders::open(&settings, &players.calibration)?;
    runtime()?.block_on(async {
        let (remote, commands) = Commands::new(&stop);
        let console = Console::open(&remote);
        // Where nobody can say anything, nobody is waited for.
        let commands = match console.has_keys() || settings.watch.is_some() {
            true => commands,
            false => Commands::none(),
        };
        let watch = match settings.watch {
            Some(port) => Some(
                Watch::open(port, folders.out.clone(), remote)
                    .await
                    .map_err(CliError::failed)?,
            ),
            None => None,
        };
        let mut user = User {
            console,
            feed: watch.as_ref().map(Watch::feed),
            commands,
            stop,
        };
        if let Some(watch) = &watch {
            user.line(&format!("watch     {}", watch.url()));
        }
        let games = settings.games;
        let mut session = Session::new(settings, players, hold.as_ref(), user, (folders, before));
        let mut exit = Exit::Done;
        let mut predecessor = Predecessor::First;
        for _ in 0..games {
            let after = session.game(predecessor).await?;
            allocator::give_back();
            match after {
                After::Next(Exit::Done) => predecessor = Predecessor::Next,
                After::Next(found) => (exit, predecessor) = (found, Predecessor::Again),
                After::End(found) => return Ok(found),
            }
        }
        Ok(exit)
    })
}
