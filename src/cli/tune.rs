//! `torres tune`.

use super::{CliError, CliResult, Exit, args};
use std::path::PathBuf;
use std::time::Instant;
use torres_arena::tuner::{self, Examples, Tuner};
use torres_data::source::each_game;
use torres_engine::tuning;

/// Arguments of `torres tune`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Games written by `torres selfplay`.
    #[arg(required = true, value_name = "GAMES")]
    pub games: Vec<PathBuf>,
    /// Where the weights' source is written; `src/engine/eval/weights.rs` puts them to use at the next build.
    #[arg(long)]
    pub out: PathBuf,
    /// Passes over all positions.
    #[arg(long, default_value_t = 60, value_parser = args::some::<usize>())]
    pub epochs: usize,
    /// Step of a weight, in centipawns; it falls to a tenth by the end.
    #[arg(long, default_value_t = 1.0, value_parser = args::step)]
    pub step: f32,
    /// How much the search's score counts beside the game's result, 0 to 1.
    #[arg(long, default_value_t = 0.3, value_parser = args::share)]
    pub score_share: f32,
    /// Pulls weights to where they began; 0 for not at all.
    #[arg(long, default_value_t = 3e-8, value_parser = args::pull)]
    pub pull: f32,
    /// The most games that are read from each file.
    #[arg(long, value_parser = args::some::<u64>())]
    pub limit: Option<u64>,
}

/// How often the losses are told, in epochs.
const TELL_EVERY: usize = 5;

/// What is learned from, and how.
struct Settings {
    games: Vec<PathBuf>,
    out: PathBuf,
    epochs: usize,
    /// Games of each file that are read.
    limit: u64,
    tuner: tuner::Settings,
}

impl Args {
    /// Resolves every default.
    fn check(self) -> Settings {
        Settings {
            games: self.games,
            out: self.out,
            epochs: self.epochs,
            limit: self.limit.unwrap_or(u64::MAX),
            tuner: tuner::Settings {
                step: self.step,
                score_share: self.score_share,
                pull: self.pull,
            },
        }
    }
}

/// Fit the evaluation's weights to games.
pub(crate) fn run(args: Args) -> CliResult {
    let started = Instant::now();
    let settings = args.check();
    let mut examples = Examples::default();
    let mut games = 0;
    let left_out = each_game(&settings.games, |game| {
        if u64::from(game.number) < settings.limit {
            games += 1;
            examples.add(&game);
        }
        Ok(())
    })
    .map_err(CliError::usage)?;
    eprint!("{left_out}");
    if examples.is_empty() {
        return Err(CliError::usage(
            "there is no position to learn from; play some games with torres selfplay",
        ));
    }
    let (learned, held_out) = examples.len();
    println!("{games} games: {learned} positions to learn from, {held_out} kept aside");
    let mut tuner = Tuner::new(examples, tuning::weights(), settings.tuner);
    println!("steepness {:.5}", tuner.steepness());
    let tell = |epoch: usize, tuner: &Tuner| {
        let loss = tuner.loss();
        println!(
            "epoch {epoch:>4}: error {:.6} learned, {:.6} kept aside",
            loss.learned, loss.held_out
        );
    };
    tell(0, &tuner);
    for epoch in 1..=settings.epochs {
        tuner.epoch(1.0 - 0.9 * epoch as f32 / settings.epochs as f32);
        if epoch % TELL_EVERY == 0 || epoch == settings.epochs {
            tell(epoch, &tuner);
        }
    }
    std::fs::write(&settings.out, tuning::source(tuner.weights()))
        .map_err(|error| CliError::failed(format!("'{}': {error}", settings.out.display())))?;
    println!(
        "{} written, after {:.0} s",
        settings.out.display(),
        started.elapsed().as_secs_f64()
    );
    Ok(Exit::Done)
}
