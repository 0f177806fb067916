//! `torres train`.

use super::status_line::StatusLine;
use super::{CliError, CliResult, Exit, args, cores, stop_flag};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use torres_data::DataError;
use torres_engine::nnue::{Network, SCALE};
use torres_train::{Point, Progress, Run, TrainError, checkpoint::write_whole, example::Target, plot};

/// Arguments of `torres train`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Shuffled files of positions (torres data shuffle).
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The new network.
    #[arg(long)]
    pub out: PathBuf,
    /// Positions that nothing is learned from, of whole games set apart (torres data split); of more than a million the
    /// first million.
    #[arg(long, value_name = "FILE")]
    pub validation: Option<PathBuf>,
    /// Learns on from a network, instead of from nothing.
    #[arg(long, value_name = "FILE", conflicts_with = "hidden")]
    pub from: Option<PathBuf>,
    /// Hidden units of each side, a multiple of 64.
    #[arg(long, default_value_t = 256, value_parser = hidden)]
    pub hidden: usize,
    /// Passes over all positions.
    #[arg(long, default_value_t = 20, value_parser = args::some::<u32>())]
    pub epochs: u32,
    /// Positions of a batch.
    #[arg(long, default_value_t = 16_384, value_parser = batch)]
    pub batch: usize,
    /// The widest step.
    #[arg(long, default_value_t = 0.001, value_parser = args::rate)]
    pub rate: f32,
    /// Centipawns of score at which 73 % of the points are expected: 1 / (1 + 1/e).
    #[arg(long, default_value_t = SCALE as f32, value_parser = scale)]
    pub scale: f32,
    /// How much the game's result counts beside the search's score, 0 to 1.
    #[arg(long, default_value_t = 0.0, value_parser = args::share)]
    pub result_share: f32,
    /// What a centipawn of the data counts in the network's values, more than 0, at most 1.
    #[arg(long, default_value_t = 1.0, value_parser = value_factor)]
    pub value_factor: f32,
    /// Decides the weights at the start and the order of positions.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Default as many as there are processor cores. More than 8 are of no more use. The network is the same for any
    /// number.
    #[arg(long, value_parser = args::at_once())]
    pub threads: Option<u16>,
    /// Batches between two checkpoints, at which the network is also judged.
    #[arg(long, default_value_t = 200, value_parser = args::some::<u64>())]
    pub every: u64,
    /// The run's file, from which the same command goes on; default OUT.run. It is removed when the network is written.
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Draws how the errors fell.
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
}

/// What is learned, from what, and where it is written.
struct Settings {
    files: Vec<PathBuf>,
    out: PathBuf,
    validation: Option<PathBuf>,
    from: Option<Network>,
    train: torres_train::Settings,
    threads: usize,
    checkpoint: PathBuf,
    plot: Option<PathBuf>,
}

impl Args {
    /// Checks everything, and resolves every default.
    ///
    /// # Errors
    /// The new network is there already, or the one to learn on from cannot be read.
    fn check(self) -> Result<Settings, CliError> {
        is_new(&self.out)?;
        let read = |path: &PathBuf| {
            Network::read(path).map_err(|error| CliError::usage(format!("--from: '{}': {error}", path.display())))
        };
        let from = self.from.as_ref().map(read).transpose()?;
        Ok(Settings {
            train: torres_train::Settings {
                hidden: from.as_ref().map_or(self.hidden, Network::hidden),
                epochs: self.epochs,
                batch: self.batch,
                rate: self.rate,
                target: Target {
                    scale: self.scale,
                    result_share: self.result_share,
                },
                value_factor: self.value_factor,
                seed: self.seed,
                every: self.every,
            },
            from,
            threads: self.threads.map_or_else(cores, usize::from),
            checkpoint: self.checkpoint.unwrap_or_else(|| {
                let mut name = self.out.clone().into_os_string();
                name.push(".run");
                name.into()
            }),
            files: self.files,
            out: self.out,
            validation: self.validation,
            plot: self.plot,
        })
    }
}

/// Teach a network from positions.
pub(crate) fn run(args: Args) -> CliResult {
    let settings = args.check()?;
    let (out, checkpoint) = (&settings.out, &settings.checkpoint);
    let batch = settings.train.batch;
    let mut run = Run::open(
        settings.train,
        settings.from.as_ref(),
        &settings.files,
        settings.validation.as_ref(),
        checkpoint.clone(),
    )
    .map_err(of_training)?;
    println!("{}", run.description());
    if run.done() > 0 {
        println!(
            "'{}' has {} of {} batches; going on",
            checkpoint.display(),
            run.done(),
            run.batches()
        );
    }
    let stopped = stop_flag()?;
    let mut shown = Shown::start(&run, batch);
    let ended = run.go_on(settings.threads, &stopped, |progress| shown.batch(progress));
    shown.status.close();
    ended.map_err(of_training)?;
    if let Some(file) = &settings.plot {
        match plot::svg(run.curve(), run.description()) {
            Ok(picture) => write_whole(file, picture.as_bytes()).map_err(of_training)?,
            Err(why) => eprintln!("no plot: {why}"),
        }
    }
    if run.done() < run.batches() {
        println!(
            "stopped after {} of {} batches; the same command goes on from '{}'",
            run.done(),
            run.batches(),
            checkpoint.display()
        );
        return Ok(Exit::Stopped);
    }
    let network = run.quantised().map_err(CliError::failed)?;
    write_whole(out, &network.to_bytes()).map_err(of_training)?;
    println!("{} written, after {}", out.display(), shown.summary());
    remove(checkpoint)?;
    Ok(Exit::Done)
}

fn remove(checkpoint: &Path) -> Result<(), CliError> {
    std::fs::remove_file(checkpoint)
        .map_err(|error| CliError::failed(format!("'{}' cannot be removed: {error}", checkpoint.display())))
}

/// A disk that is full is no fault of the arguments.
fn of_training(error: TrainError) -> CliError {
    match &error {
        TrainError::Io { error: said, .. } | TrainError::Data(DataError::Io { error: said, .. })
            if said.kind() != ErrorKind::NotFound =>
        {
            CliError::failed(error)
        }
        TrainError::Changed => CliError::failed(error),
        _ => CliError::usage(error),
    }
}

/// What the user sees meanwhile.
struct Shown {
    status: StatusLine,
    started: Instant,
    /// Batches done before.
    first: u64,
    /// Batches done since.
    done: u64,
    batch: usize,
    per_epoch: f64,
    judged: Option<f64>,
}

impl Shown {
    fn start(run: &Run, batch: usize) -> Shown {
        Shown {
            status: StatusLine::default(),
            started: Instant::now(),
            first: run.done(),
            done: 0,
            batch,
            per_epoch: run.positions().0 as f64 / batch as f64,
            judged: None,
        }
    }

    fn batch(&mut self, progress: &Progress) {
        self.done = progress.batch - self.first;
        if let Some(point) = progress.point {
            self.judged = point.judged.map(|errors| errors.target);
            self.status.line(&self.point(&point, progress));
        }
        let elapsed = self.started.elapsed();
        let to_come = progress.batches - progress.batch;
        let left = elapsed.mul_f64(to_come as f64 / self.done.max(1) as f64);
        let judged = self
            .judged
            .map_or(String::new(), |error| format!(", {error:.6} set apart"));
        let rate = self.rate();
        self.status.show(to_come == 0, || {
            format!(
                "batch {} of {}, error {:.6} learned from{judged}, {:.2} M positions/s, about {} to go",
                progress.batch,
                progress.batches,
                progress.learned,
                rate / 1e6,
                rounded(left)
            )
        });
    }

    fn point(&self, point: &Point, progress: &Progress) -> String {
        let judged = point.judged.map_or(String::new(), |errors| {
            format!(
                ", {:.6} set apart ({:.6} against the score, {:.6} against the result)",
                errors.target, errors.score, errors.result
            )
        });
        format!(
            "batch {} of {}, epoch {:.1}: error {:.6} learned from{judged}",
            point.batch,
            progress.batches,
            point.batch as f64 / self.per_epoch,
            point.learned
        )
    }

    /// Positions a second since the program began.
    fn rate(&self) -> f64 {
        self.done as f64 * self.batch as f64 / self.started.elapsed().as_secs_f64().max(1e-3)
    }

    fn summary(&self) -> String {
        format!(
            "{:.0} s, {:.2} M positions/s",
            self.started.elapsed().as_secs_f64(),
            self.rate() / 1e6
        )
    }
}

/// No network is written over.
///
/// # Errors
/// There is something of this name.
pub(super) fn is_new(out: &Path) -> Result<(), CliError> {
    match out.exists() {
        true => Err(CliError::usage(format!(
            "'{}' is there already; choose another name, or remove it",
            out.display()
        ))),
        false => Ok(()),
    }
}

/// A time that is still to go.
fn rounded(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..120 => format!("{seconds} s"),
        seconds => format!("{} min", seconds.div_ceil(60)),
    }
}

fn hidden(text: &str) -> Result<usize, String> {
    let number: Option<usize> = text.parse().ok();
    number
        .filter(|number| torres_engine::nnue::is_hidden(*number))
        .ok_or_else(|| format!("it is no multiple of 64 up to {}", torres_engine::nnue::MOST_HIDDEN))
}

fn scale(text: &str) -> Result<f32, String> {
    args::fraction(text, 10.0..=SCALE as f32, false)
}

fn value_factor(text: &str) -> Result<f32, String> {
    args::fraction(text, 0.1..=1.0, false)
}

fn batch(text: &str) -> Result<usize, String> {
    let number: Option<usize> = text.parse().ok();
    number
        .filter(|number| (1..=1 << 20).contains(number))
        .ok_or_else(|| "it is no whole number from 1 to 1,048,576".to_owned())
}
