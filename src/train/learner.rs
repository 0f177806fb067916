//! A network that learns batch by batch, on several threads.
//!
//! A batch is cut into [`PARTS`] at most, whatever the number of threads, and a thread takes the next part when it has
//! done its last. Each part has a gradient of its own; these are added up in the parts' order. So the bits are the same
//! on any number of threads.

use super::example::Target;
use super::kernel::{Errors, Kernel, Part, Step, Stray};
use super::parameters::Parameters;
use std::sync::Mutex;
use torres_data::Record;

/// Parts of a batch, at most, and threads that can be of use.
pub(crate) const PARTS: usize = 8;
/// Positions of a part, at least: of smaller ones, adding up the gradients would cost more than it brings.
const IN_PART: usize = 1024;
/// Rows of a thread's task while a step is taken.
const ROWS: usize = 1024;
/// Positions of a thread's task while a network is judged.
const JUDGED: usize = 4096;

/// Parameters, and what AdamW remembers.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The network.
    pub parameters: Parameters,
    /// The running mean of each parameter's gradient.
    pub mean: Parameters,
    /// The running mean of its square.
    pub square: Parameters,
    /// How many batches it has learned from.
    pub steps: u64,
}

impl State {
    /// A network before its first step.
    pub fn new(parameters: Parameters) -> State {
        let zero = Parameters::zero(parameters.hidden());
        State {
            mean: zero.clone(),
            square: zero,
            parameters,
            steps: 0,
        }
    }
}

/// What a network learns with: threads, and room for their gradients.
pub(crate) struct Learner {
    kernel: Kernel,
    threads: usize,
    /// One for each part; all zero between two batches.
    gradients: Vec<Parameters>,
}

impl Learner {
    /// For networks with so many hidden units, on so many threads.
    pub(crate) fn new(hidden: usize, threads: usize) -> Learner {
        Learner::on(Kernel::best(), hidden, threads)
    }

    /// On a kernel of one's choice.
    pub(super) fn on(kernel: Kernel, hidden: usize, threads: usize) -> Learner {
        Learner {
            kernel,
            threads,
            gradients: vec![Parameters::zero(hidden); PARTS],
        }
    }

    /// Learns from a batch: one step, `rate` wide, down the mean squared error between the expected points and the
    /// target. The errors before the step.
    ///
    /// # Errors
    /// A record is no position with a result. The network is as it was; this learner is worth nothing any more.
    pub(crate) fn learn(
        &mut self,
        state: &mut State,
        batch: &[Record],
        rate: f32,
        target: Target,
    ) -> Result<Errors, Stray> {
        let Learner {
            kernel,
            threads,
            gradients,
        } = self;
        let network = &state.parameters;
        let length = batch.len().div_ceil(PARTS).max(IN_PART);
        let parts = batch.chunks(length).zip(&mut *gradients).enumerate();
        let learned = share_out(*threads, parts, |(index, (records, gradient))| {
            let errors = kernel.learn(network, records, target, gradient);
            errors.map_err(|Stray(at)| Stray(index * length + at))
        });
        let errors = sum(learned)?;

        state.steps += 1;
        let known = |beta: f32| (1.0 - f64::from(beta).powf(state.steps as f64)) as f32;
        let step = Step {
            rate,
            share: 1.0 / batch.len().max(1) as f32,
            known: (known(Step::BETA.0), known(Step::BETA.1)),
        };
        let used = gradients.iter_mut().take(batch.len().div_ceil(length));
        let mut gradients: Vec<_> = used.map(|part| part.rows.chunks_mut(ROWS)).collect();
        let parameters = state.parameters.rows.chunks_mut(ROWS);
        let means = state.mean.rows.chunks_mut(ROWS).zip(state.square.rows.chunks_mut(ROWS));
        let tasks = parameters.zip(means).map(|(parameters, (mean, square))| Part {
            parameters,
            mean,
            square,
            gradients: gradients.iter_mut().filter_map(Iterator::next).collect(),
        });
        share_out(*threads, tasks, |part| kernel.step(step, part));
        Ok(errors)
    }

    /// The errors of a network, on positions that it may have learned from or not.
    ///
    /// # Errors
    /// A record is no position with a result.
    pub(crate) fn judge(&self, network: &Parameters, records: &[Record], target: Target) -> Result<Errors, Stray> {
        let tasks = records.chunks(JUDGED).enumerate();
        sum(share_out(self.threads, tasks, |(index, records)| {
            let errors = self.kernel.judge(network, records, target);
            errors.map_err(|Stray(at)| Stray(index * JUDGED + at))
        }))
    }
}

fn sum(parts: Vec<Result<Errors, Stray>>) -> Result<Errors, Stray> {
    let mut all = Errors::default();
    for part in parts {
        all += part?;
    }
    Ok(all)
}

/// Does tasks on some threads, of which the caller's is one; what came of each, in the tasks' order.
fn share_out<T, R: Send>(threads: usize, tasks: impl Iterator<Item = T> + Send, run: impl Fn(T) -> R + Sync) -> Vec<R> {
    let tasks = Mutex::new(tasks.enumerate());
    let work = || {
        let mut done = Vec::new();
        // No task runs while the lock is held.
        while let Some((index, task)) = tasks.lock().ok().and_then(|mut tasks| tasks.next()) {
            done.push((index, run(task)));
        }
        done
    };
    let mut done = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut done = work();
        for other in others {
            match other.join() {
                Ok(more) => done.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    done.sort_unstable_by_key(|&(index, _)| index);
    done.into_iter().map(|(_, result)| result).collect()
}
