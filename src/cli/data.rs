//! `torres data`.

use super::{CliError, CliResult, Exit, args};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use torres_data::block::{Block, Kind};
use torres_data::histogram::Histogram;
use torres_data::record::Record;
use torres_data::shuffle::shuffle;
use torres_data::source::{Amount, LeftOut, each_block};
use torres_data::split::split;
use torres_data::{DataError, file::Blocks};

/// Arguments of `torres data`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// What is to be done.
    #[command(subcommand)]
    pub task: Task,
}

/// What can be done with files of positions. Every task reads the files that `torres selfplay` and `torres data` write;
/// a game that is there more than once counts once.
#[derive(clap::Subcommand, Debug)]
pub(crate) enum Task {
    /// Say how many games and positions files hold, and check that they are whole.
    Count(Files),
    /// Show how positions are distributed: results, scores, material, move numbers.
    Histogram(Files),
    /// Put all positions of some files into one, in an order by chance.
    Shuffle(Shuffle),
    /// Set whole games apart for validation.
    Split(Split),
    /// Print positions: FEN, score and result from White's view, and the game.
    Show(Show),
}

/// The files to be read.
#[derive(clap::Args, Debug)]
pub(crate) struct Files {
    /// Files of positions.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// Arguments of `torres data shuffle`.
#[derive(clap::Args, Debug)]
pub(crate) struct Shuffle {
    /// Files to be read.
    #[command(flatten)]
    pub files: Files,
    /// The new file.
    #[arg(long)]
    pub out: PathBuf,
    /// Decides the order.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Memory for positions in MiB; where that is less than there are, as much is needed on the disk beside the new
    /// file.
    #[arg(long, default_value_t = 1024, value_parser = args::some::<u32>())]
    pub memory: u32,
}

/// Arguments of `torres data split`.
#[derive(clap::Args, Debug)]
pub(crate) struct Split {
    /// Files to be read; games, not yet shuffled.
    #[command(flatten)]
    pub files: Files,
    /// The new file of games to learn from.
    #[arg(long, value_name = "FILE")]
    pub training: PathBuf,
    /// The new file of games set apart.
    #[arg(long, value_name = "FILE")]
    pub validation: PathBuf,
    /// The share of games that is set apart, 0 to 1.
    #[arg(long, default_value_t = 0.02, value_parser = args::share)]
    pub share: f32,
}

/// Arguments of `torres data show`.
#[derive(clap::Args, Debug)]
pub(crate) struct Show {
    /// A file of positions.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The first position, counted from 0 through the whole file.
    #[arg(long, default_value_t = 0)]
    pub at: u64,
    /// How many positions.
    #[arg(long, default_value_t = 10, value_parser = args::some::<u64>())]
    pub count: u64,
}

/// Count, describe, shuffle, split and show positions to learn from.
pub(crate) fn run(args: Args) -> CliResult {
    match args.task {
        Task::Count(files) => count(&files.files),
        Task::Histogram(files) => histogram(&files.files),
        Task::Shuffle(args) => run_shuffle(&args),
        Task::Split(args) => run_split(&args),
        Task::Show(args) => return show(&args).map(|()| Exit::Done),
    }
    .map_err(of_data)?;
    Ok(Exit::Done)
}

/// A disk that is full is no fault of the arguments.
fn of_data(error: DataError) -> CliError {
    match &error {
        DataError::Io { error: said, .. } if said.kind() != ErrorKind::NotFound => CliError::failed(error),
        _ => CliError::usage(error),
    }
}

/// Tells what was left out, beside the results.
fn tell(left_out: &LeftOut) {
    eprint!("{left_out}");
}

fn amount(amount: Amount) -> String {
    let Amount { games, positions } = amount;
    match games {
        0 => format!("{positions} positions"),
        games => format!(
            "{positions} positions of {games} games, {:.1} a game",
            positions as f64 / games as f64
        ),
    }
}

fn count(files: &[PathBuf]) -> Result<(), DataError> {
    let mut all = Amount::default();
    let mut each: BTreeMap<&Path, (Amount, BTreeSet<u64>)> = BTreeMap::new();
    files.iter().for_each(|file| {
        each.entry(file).or_default();
    });
    let left_out = each_block(files, |file, block| {
        all.add(&block);
        if let Some((amount, runs)) = each.get_mut(file) {
            amount.add(&block);
            runs.extend((block.kind == Kind::Game).then_some(block.run));
        }
        Ok(())
    })?;
    for (file, (its, runs)) in &each {
        let runs: Vec<String> = runs.iter().map(|run| format!(", run {run:016x}")).collect();
        println!("{}: {}{}", file.display(), amount(*its), runs.concat());
    }
    if each.len() > 1 {
        println!("all: {}", amount(all));
    }
    tell(&left_out);
    Ok(())
}

fn histogram(files: &[PathBuf]) -> Result<(), DataError> {
    let mut histogram = Histogram::default();
    let left_out = each_block(files, |_, block| {
        block.records.iter().for_each(|record| histogram.add(record));
        Ok(())
    })?;
    print!("{histogram}");
    tell(&left_out);
    Ok(())
}

fn run_shuffle(args: &Shuffle) -> Result<(), DataError> {
    let memory = u64::from(args.memory) << 20;
    let shuffled = shuffle(&args.files.files, &args.out, args.seed, memory)?;
    println!("{}: {}", args.out.display(), amount(shuffled.amount));
    tell(&shuffled.left_out);
    Ok(())
}

fn run_split(args: &Split) -> Result<(), DataError> {
    let share = f64::from(args.share);
    let split = split(&args.files.files, &args.training, &args.validation, share)?;
    println!("{}: {}", args.training.display(), amount(split.training));
    println!("{}: {}", args.validation.display(), amount(split.validation));
    tell(&split.left_out);
    Ok(())
}

fn show(args: &Show) -> Result<(), CliError> {
    let end = args.at.saturating_add(args.count);
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut index = 0;
    for block in Blocks::open(&args.file).map_err(of_data)? {
        let block = block.map_err(of_data)?;
        for record in &block.records {
            if (args.at..end).contains(&index) {
                match writeln!(out, "{}", line(&block, record, index)) {
                    // Whoever reads no further has seen enough.
                    Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(()),
                    written => written.map_err(unwritten)?,
                }
            }
            index += 1;
        }
        if index >= end {
            break;
        }
    }
    if index <= args.at {
        let name = args.file.display();
        return Err(CliError::usage(format!(
            "--at: '{name}' has {index} positions, counted from 0"
        )));
    }
    match out.flush() {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        flushed => flushed.map_err(unwritten),
    }
}

fn unwritten(error: std::io::Error) -> CliError {
    CliError::failed(format!("cannot write to standard output: {error}"))
}

fn line(block: &Block, record: &Record, index: u64) -> String {
    let position = match record.position() {
        Ok(position) => position.fen(),
        Err(error) => error.to_string(),
    };
    let outcome = record
        .outcome()
        .map_or("no result".to_owned(), |outcome| outcome.to_string());
    let game = match block.kind {
        Kind::Game => format!(" | game {} of run {:016x}", block.number, block.run),
        Kind::Shuffled => String::new(),
    };
    format!("{index} | {position} | {:+} | {outcome}{game}", record.score())
}
