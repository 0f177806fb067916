//! The mean of several networks.
//!
//! Networks that learned on from the same one differ by what each of them happened to see last. The mean of their
//! weights is often better than each (Izmailov et al. 2018, "Averaging Weights Leads to Wider Optima and Better
//! Generalization"; Wortsman et al. 2022, "Model soups").

use super::run::name_of;
use torres_engine::nnue::{Network, NetworkError, Weights};

/// Why networks have no mean.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AverageError {
    /// A mean of nothing, or of one network, is asked for.
    #[error("two networks or more are needed")]
    TooFew,
    /// One has more hidden units than another.
    #[error("one has {first} hidden units and another {other}")]
    Sizes {
        /// Of the first network.
        first: usize,
        /// Of one behind it.
        other: usize,
    },
    /// The mean is refused.
    #[error(transparent)]
    Network(#[from] NetworkError),
}

/// The network of which each weight is the mean of theirs, to the nearest whole number.
///
/// # Errors
/// There are fewer than two, or they differ in size.
pub fn average(networks: &[Network]) -> Result<Network, AverageError> {
    let [first, _, ..] = networks else {
        return Err(AverageError::TooFew);
    };
    if let Some(other) = networks.iter().find(|other| other.hidden() != first.hidden()) {
        let (first, other) = (first.hidden(), other.hidden());
        return Err(AverageError::Sizes { first, other });
    }
    let all: Vec<Weights> = networks.iter().map(Network::weights).collect();
    let rows = |part: fn(&Weights) -> &[i16]| -> Vec<i16> {
        let of_one = |at: usize| mean(all.iter().map(|weights| f64::from(part(weights)[at]))) as i16;
        (0..part(&all[0]).len()).map(of_one).collect()
    };
    let weights = Weights {
        inputs: rows(|weights| &weights.inputs),
        input_bias: rows(|weights| &weights.input_bias),
        outputs: rows(|weights| &weights.outputs),
        output_bias: std::array::from_fn(|bucket| {
            mean(all.iter().map(|weights| f64::from(weights.output_bias[bucket]))) as i32
        }),
    };
    let parts = networks
        .iter()
        .map(|part| format!("{} ({})", name_of(part), part.made()));
    let made = format!("the mean of {}", parts.collect::<Vec<_>>().join("; "));
    Ok(Network::new(&weights, &made)?)
}

/// The mean of whole numbers, to the nearest one.
fn mean(numbers: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = numbers.len() as f64;
    (numbers.sum::<f64>() / count).round()
}

#[cfg(test)]
mod tests {
    use super::*;
    use torres_engine::nnue::{BUCKETS, INPUTS};

    fn network(hidden: usize, by: i16) -> Network {
        let numbers = |count: usize| (0..count).map(|at| (at % 7) as i16 + by).collect();
        let weights = Weights {
            inputs: numbers(INPUTS * hidden),
            input_bias: numbers(hidden),
            outputs: numbers(BUCKETS * 2 * hidden),
            output_bias: std::array::from_fn(|bucket| 1_000 * bucket as i32 + i32::from(by)),
        };
        Network::new(&weights, "a test").unwrap()
    }

    #[test]
    fn each_weight_is_the_mean_to_the_nearest_whole_number() {
        let three = [network(64, -8), network(64, 0), network(64, 6)];
        // A third of -2 is -0.67.
        assert_eq!(average(&three).unwrap().weights(), network(64, -1).weights());
        let four = [network(64, 1), network(64, 2), network(64, 3), network(64, 6)];
        assert_eq!(average(&four).unwrap().weights(), network(64, 3).weights());
        let made = average(&four).unwrap().made().to_owned();
        assert!(
            made.starts_with("the mean of ") && made.matches("(a test)").count() == 4,
            "{made}"
        );
    }

    #[test]
    fn one_network_has_no_mean_and_neither_have_two_of_different_sizes() {
        let one = network(64, 0);
        assert_eq!(average(std::slice::from_ref(&one)).unwrap_err(), AverageError::TooFew);
        let sizes = AverageError::Sizes { first: 64, other: 128 };
        assert_eq!(average(&[one, network(128, 0)]).unwrap_err(), sizes);
    }
}
