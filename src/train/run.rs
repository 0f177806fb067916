//! A run: batches from the files to the learner, the network judged now and then, and checkpoints.

use super::checkpoint::{Checkpoint, write_whole};
use super::example::Target;
use super::kernel::{Errors, Stray};
use super::learner::{Learner, State};
use super::parameters::Parameters;
use super::quantised::{parameters, quantised};
use super::schedule;
use super::source::{Source, read_all};
use super::{Point, Sum, TrainError};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use torres_data::Record;
use torres_engine::nnue::{Network, NetworkError};

/// Positions that a network is judged by, at most: the first of the file.
const MOST_JUDGED: usize = 1 << 20;

/// How a network is to be taught. Together with the positions they decide every bit of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Hidden units of each side; 64 divides it.
    pub hidden: usize,
    /// Passes over all positions.
    pub epochs: u32,
    /// Positions of a batch.
    pub batch: usize,
    /// The widest step.
    pub rate: f32,
    /// What it is taught to say.
    pub target: Target,
    /// What a centipawn of the data counts in the network's values. Scores of searches are wider than the values that
    /// the searches asked, so a network that learns from its own grows wider than the search's margins were made for.
    pub value_factor: f32,
    /// Decides the weights at the start, and the order of positions.
    pub seed: u64,
    /// Batches between two points of the curve, and between two checkpoints.
    pub every: u64,
}

impl Settings {
    /// Centipawns of the engine that an output of 1.0 means.
    fn centipawns(&self) -> f32 {
        self.target.scale * self.value_factor
    }
}

/// A run that can begin or go on.
pub struct Run {
    settings: Settings,
    source: Source,
    validation: Vec<Record>,
    file: PathBuf,
    at: Checkpoint,
    batches: u64,
}

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Batches learned from.
    pub batch: u64,
    /// Batches there will be.
    pub batches: u64,
    /// The mean error in the batches since the last point of the curve.
    pub learned: f64,
    /// What was just judged.
    pub point: Option<Point>,
}

impl Run {
    /// Reads all files once, and the checkpoint, where there is one: then the run goes on from it. A new run begins
    /// with what a network has learned, where one is given, and else with nothing.
    ///
    /// # Errors
    /// A file cannot be read or learned from; there are fewer positions than a batch has; or the checkpoint is of
    /// another run.
    pub fn open(
        settings: Settings,
        from: Option<&Network>,
        files: &[PathBuf],
        validation: Option<&PathBuf>,
        checkpoint: PathBuf,
    ) -> Result<Run, TrainError> {
        let source = Source::open(files)?;
        let validation = match validation {
            Some(file) => read_all(file, MOST_JUDGED)?,
            None => Vec::new(),
        };
        let positions = source.positions() * u64::from(settings.epochs);
        let batches = positions / settings.batch as u64;
        if batches == 0 {
            return Err(TrainError::TooFew {
                positions,
                batch: settings.batch,
            });
        }
        let run = describe(&settings, from, &source, &validation);
        let at = match Checkpoint::read(&checkpoint)? {
            Some(saved) if saved.run != run => {
                return Err(TrainError::OtherRun {
                    file: checkpoint,
                    saved: saved.run,
                    asked: run,
                });
            }
            Some(saved) => saved,
            None => Checkpoint {
                run,
                curve: Vec::new(),
                since: Sum::default(),
                state: State::new(match from {
                    Some(network) => parameters(&network.weights(), settings.centipawns()),
                    None => Parameters::random(settings.hidden, settings.seed),
                }),
            },
        };
        Ok(Run {
            settings,
            source,
            validation,
            file: checkpoint,
            at,
            batches,
        })
    }

    /// Settings and positions, in words.
    pub fn description(&self) -> &str {
        &self.at.run
    }

    /// How many batches were learned from.
    pub fn done(&self) -> u64 {
        self.at.state.steps
    }

    /// How many batches there are in all.
    pub fn batches(&self) -> u64 {
        self.batches
    }

    /// Positions to learn from, and to judge by.
    pub fn positions(&self) -> (u64, usize) {
        (self.source.positions(), self.validation.len())
    }

    /// How the errors fell.
    pub fn curve(&self) -> &[Point] {
        &self.at.curve
    }

    /// The network as it is.
    pub fn network(&self) -> &Parameters {
        &self.at.state.parameters
    }

    /// The network as the engine takes it.
    ///
    /// # Errors
    /// Sums could leave the numbers that the engine keeps them in.
    pub fn quantised(&self) -> Result<Network, NetworkError> {
        Network::new(
            &quantised(self.network(), self.settings.centipawns()),
            self.description(),
        )
    }

    /// Learns until all is done or `stopped` is set, and leaves a checkpoint either way.
    ///
    /// # Errors
    /// A file cannot be read or written, or is no longer what it was.
    pub fn go_on(
        &mut self,
        threads: usize,
        stopped: &AtomicBool,
        mut on_batch: impl FnMut(&Progress),
    ) -> Result<(), TrainError> {
        let Settings {
            batch: size,
            rate,
            target,
            seed,
            every,
            ..
        } = self.settings;
        let mut batches = self.source.batches(self.done()..self.batches, size, seed);
        let mut learner = Learner::new(self.settings.hidden, threads);
        while !stopped.load(Ordering::Relaxed) {
            let Some(records) = batches.next_batch()? else { break };
            let width = schedule::rate(self.done(), self.batches, rate);
            let errors = learner
                .learn(&mut self.at.state, records, width, target)
                .map_err(|Stray(_)| TrainError::Changed)?;
            self.at.since.add(errors.target, records.len());
            let learned = self.at.since.mean();
            let is_due = self.done().is_multiple_of(every) || self.done() == self.batches;
            if is_due {
                self.at.curve.push(Point {
                    batch: self.done(),
                    learned,
                    judged: self.judge(&learner)?,
                });
                self.at.since = Sum::default();
                self.save()?;
            }
            on_batch(&Progress {
                batch: self.done(),
                batches: self.batches,
                learned,
                point: self.at.curve.last().filter(|_| is_due).copied(),
            });
        }
        self.save()
    }

    /// Mean errors on the positions set apart; `None` where there are none.
    fn judge(&self, learner: &Learner) -> Result<Option<Errors>, TrainError> {
        if self.validation.is_empty() {
            return Ok(None);
        }
        let count = self.validation.len() as f64;
        let Errors { target, score, result } = learner
            .judge(self.network(), &self.validation, self.settings.target)
            .map_err(|Stray(_)| TrainError::Changed)?;
        Ok(Some(Errors {
            target: target / count,
            score: score / count,
            result: result / count,
        }))
    }

    fn save(&self) -> Result<(), TrainError> {
        write_whole(&self.file, &self.at.bytes())
    }
}

/// What a network is called in the text of those that come of it: its file's checksum.
pub(crate) fn name_of(network: &Network) -> String {
    format!("{:08x}", crc32fast::hash(&network.to_bytes()))
}

/// What decides a run's outcome, in words.
fn describe(settings: &Settings, from: Option<&Network>, source: &Source, validation: &[Record]) -> String {
    let Settings {
        hidden,
        epochs,
        batch,
        rate,
        target: Target { scale, result_share },
        value_factor,
        seed,
        every,
    } = settings;
    let mut judged_by = crc32fast::Hasher::new();
    for record in validation {
        judged_by.update(record.bytes());
    }
    let from = from.map_or_else(String::new, |network| {
        format!(", learning on from the network {}", name_of(network))
    });
    format!(
        "{} positions ({:08x}), {hidden} hidden units, {epochs} epochs, batch {batch}, rate {rate}, scale {scale}, \
         result share {result_share}, value factor {value_factor}, seed {seed}{from}; every {every} batches judged by {} positions ({:08x})",
        source.positions(),
        source.checksum(),
        validation.len(),
        judged_by.finalize(),
    )
}
