//! `torres selfplay`.

use super::args::{self, SeriesArgs};
use super::{CliError, CliResult, Exit, runtime};
use crate::arena::selfplay::{GameFile, Player, Settings};
use clap::builder::RangedU64ValueParser;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// Arguments of `torres selfplay`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// File for the games; a rerun with the same file goes on where the last one ended.
    #[arg(long)]
    pub out: PathBuf,
    /// Games in the file when done.
    #[arg(long, default_value_t = 1000, value_parser = args::some::<u64>())]
    pub games: u64,
    /// Nodes of each search.
    #[arg(long, default_value_t = 5000, value_parser = args::some::<u64>())]
    pub nodes: u64,
    /// Plies played by chance after each opening.
    #[arg(long, default_value_t = 4, value_parser = RangedU64ValueParser::<usize>::new().range(..=100))]
    pub random_plies: usize,
    /// Openings, their order, and games at once.
    #[command(flatten)]
    pub series: SeriesArgs,
}

/// How often progress is told.
const INTERVAL: Duration = Duration::from_secs(10);

/// Play games of the engine against itself for `torres tune` to learn from.
pub fn run(args: Args) -> CliResult {
    let settings = Settings {
        nodes: args.nodes,
        random_plies: args.random_plies,
        seed: args.series.seed,
        openings: args.series.openings()?,
        hash_mib: 4,
    };
    let mut file = GameFile::open(&args.out).map_err(CliError::usage)?;
    let stopped = Arc::new(AtomicBool::new(false));
    let on_interrupt = Arc::clone(&stopped);
    let runtime = runtime()?;
    runtime.spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            on_interrupt.store(true, Ordering::Relaxed);
        }
    });
    let first = file.next();
    let counter = AtomicU64::new(first);
    let (started, mut told) = (Instant::now(), Instant::now());
    let (mut played, mut samples) = (0, 0);
    let (sender, receiver) = sync_channel(16);
    std::thread::scope(|scope| -> Result<(), String> {
        for _ in 0..args.series.concurrency {
            let (player, sender) = (Player::new(settings.clone()), sender.clone());
            scope.spawn(|| table(player, &counter, args.games, &stopped, sender));
        }
        drop(sender);
        for game in receiver {
            file.append(&game)
                .inspect_err(|_| stopped.store(true, Ordering::Relaxed))?;
            played += 1;
            samples += game.samples.len();
            if told.elapsed() >= INTERVAL {
                told = Instant::now();
                let left = started
                    .elapsed()
                    .mul_f64(args.games.saturating_sub(first + played) as f64 / played as f64);
                eprintln!(
                    "{} of {} games, {samples} positions from {played}, about {} min to go",
                    first + played,
                    args.games,
                    left.as_secs().div_ceil(60)
                );
            }
        }
        Ok(())
    })
    .map_err(CliError::failed)?;
    println!(
        "{played} games played, {samples} positions, in {:.0} s",
        started.elapsed().as_secs_f64()
    );
    Ok(if stopped.load(Ordering::Relaxed) {
        Exit::Stopped
    } else {
        Exit::Done
    })
}

/// Plays games until there are enough, or nobody takes them any more.
fn table(
    mut player: Player,
    counter: &AtomicU64,
    games: u64,
    stopped: &AtomicBool,
    sender: SyncSender<crate::arena::selfplay::SelfPlayed>,
) {
    while !stopped.load(Ordering::Relaxed) {
        let number = counter.fetch_add(1, Ordering::Relaxed);
        if number >= games {
            return;
        }
        if let Some(game) = player.play(number)
            && sender.send(game).is_err()
        {
            return;
        }
    }
}
