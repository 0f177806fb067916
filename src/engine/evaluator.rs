//! Which evaluation a search asks, and what a thread remembers for it.

use super::Position;
use super::eval::{HandMade, with_known_endings};
use super::nnue::{Accumulators, Network};
use super::value::{EVAL_LIMIT, Value};
use std::str::FromStr;
use std::sync::Arc;

/// Which evaluation a search asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Evaluation {
    /// The network; the one made by hand where there is no network.
    #[default]
    Network,
    /// Features with weights.
    HandMade,
}

/// `network` or `hand-made`.
impl FromStr for Evaluation {
    type Err = String;
    fn from_str(text: &str) -> Result<Evaluation, String> {
        match text {
            "network" => Ok(Evaluation::Network),
            "hand-made" => Ok(Evaluation::HandMade),
            _ => Err(format!("'{text}' is no evaluation: network and hand-made are")),
        }
    }
}

/// Values positions without looking ahead. Each searching thread has its own.
pub(super) enum Evaluator {
    HandMade(HandMade),
    Network(Box<Accumulators>),
}

impl Evaluator {
    /// One that has seen nothing yet.
    pub(super) fn new(evaluation: Evaluation, network: Option<&Arc<Network>>) -> Evaluator {
        match (evaluation, network) {
            (Evaluation::Network, Some(network)) => {
                Evaluator::Network(Box::new(Accumulators::new(Arc::clone(network))))
            }
            _ => Evaluator::HandMade(HandMade::default()),
        }
    }

    /// The position's value in centipawns, from the side to move's view; never within the range of mates. The network
    /// finds a position near this one so many plies from the root, whatever was searched there.
    #[inline]
    pub(super) fn value(&mut self, position: &Position, ply: usize) -> Value {
        match self {
            Evaluator::HandMade(evaluation) => evaluation.value(position),
            Evaluator::Network(accumulators) => {
                let value = accumulators.value(position, ply);
                with_known_endings(position, value).clamp(-EVAL_LIMIT, EVAL_LIMIT)
            }
        }
    }
}
