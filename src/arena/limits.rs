//! What a side may use for its moves: a clock, a time, a depth or a number of nodes for each move, or several of these.

use std::fmt;
use std::str::FromStr;
use torres_link::messages::{LONGEST_MOVE_MS, Limits};

/// One side's limits. At least one is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideLimits {
    /// Time for the whole game.
    pub clock: Option<GameClock>,
    /// Time for each move, in ms.
    pub move_ms: Option<u64>,
    /// Depth of each search, in plies.
    pub depth: Option<u32>,
    /// Nodes of each search.
    pub nodes: Option<u64>,
}

/// Time at the start and what is gained with each move, in ms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameClock {
    /// At the start.
    pub initial_ms: u64,
    /// With each move.
    pub increment_ms: u64,
}

impl SideLimits {
    const NONE: SideLimits = SideLimits {
        clock: None,
        move_ms: None,
        depth: None,
        nodes: None,
    };

    /// What the link is told, clocks aside.
    pub(super) fn of_each_move(&self) -> Limits {
        Limits {
            move_ms: self.move_ms,
            depth: self.depth,
            nodes: self.nodes,
            ..Limits::default()
        }
    }
}

/// What the link was told, clocks aside.
impl From<Limits> for SideLimits {
    fn from(limits: Limits) -> SideLimits {
        SideLimits {
            move_ms: limits.move_ms,
            depth: limits.depth,
            nodes: limits.nodes,
            ..SideLimits::NONE
        }
    }
}

/// `8+0.08` is a clock in seconds; `movetime=100`, `depth=8`, `nodes=5000` bound each move; commas join.
impl FromStr for SideLimits {
    type Err = String;
    fn from_str(text: &str) -> Result<SideLimits, String> {
        let wrong = |part: &str| {
            format!(
                "'{part}' is no limit; say SECONDS+SECONDS such as 8+0.08, movetime=MS, depth=PLIES or nodes=N, joined by commas"
            )
        };
        let mut limits = SideLimits::NONE;
        for part in text.split(',').map(str::trim) {
            match part.split_once('=') {
                None => limits.clock = Some(clock(part).ok_or_else(|| wrong(part))?),
                Some((name, number)) => {
                    let number: u64 = number.parse().ok().filter(|&n| n > 0).ok_or_else(|| wrong(part))?;
                    match name {
                        "movetime" if number <= LONGEST_MOVE_MS => limits.move_ms = Some(number),
                        "depth" => limits.depth = Some(u32::try_from(number).map_err(|_| wrong(part))?),
                        "nodes" => limits.nodes = Some(number),
                        _ => return Err(wrong(part)),
                    }
                }
            }
        }
        Ok(limits)
    }
}

fn clock(text: &str) -> Option<GameClock> {
    let (initial, increment) = text.split_once('+')?;
    let ms = |seconds: &str| -> Option<u64> {
        let seconds: f64 = seconds.parse().ok()?;
        (0.0..=86_400.0)
            .contains(&seconds)
            .then_some((seconds * 1000.0).round() as u64)
    };
    let (initial_ms, increment_ms) = (ms(initial)?, ms(increment)?);
    (initial_ms > 0).then_some(GameClock {
        initial_ms,
        increment_ms,
    })
}

/// As it is read.
impl fmt::Display for SideLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if let Some(clock) = self.clock {
            let seconds = |ms: u64| ms as f64 / 1000.0;
            parts.push(format!("{}+{}", seconds(clock.initial_ms), seconds(clock.increment_ms)));
        }
        let numbers = [
            ("movetime", self.move_ms),
            ("depth", self.depth.map(u64::from)),
            ("nodes", self.nodes),
        ];
        for (name, number) in numbers {
            parts.extend(number.map(|number| format!("{name}={number}")));
        }
        f.write_str(&parts.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_and_written_alike() {
        for text in [
            "8+0.08",
            "1+0.01",
            "movetime=100",
            "nodes=5000",
            "60+0,movetime=300,depth=8",
        ] {
            assert_eq!(text.parse::<SideLimits>().unwrap().to_string(), text);
        }
        let clock = "8+0.08".parse::<SideLimits>().unwrap().clock.unwrap();
        assert_eq!((clock.initial_ms, clock.increment_ms), (8000, 80));
        for wrong in [
            "",
            "8",
            "0+1",
            "movetime=86400001",
            "-1+0",
            "x+y",
            "nodes=0",
            "nodes=",
            "depth=99999999999",
            "speed=3",
            "8+0.08,",
        ] {
            assert!(wrong.parse::<SideLimits>().is_err(), "{wrong}");
        }
    }
}
