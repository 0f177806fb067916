//! Who plays: how an engine is started and what it may use, and the running engine in its seat.

use super::limits::SideLimits;
use super::record::Side;
use std::path::Path;
use std::time::{Duration, Instant};
use tokio::time::timeout;
use torres_link::client::EngineClient;
use torres_link::messages::{FromEngine, Go, Info, ToEngine};
use torres_link::uci::UciCommand;
use torres_link::{Fault, Launch};

/// An engine with its settings.
#[derive(Clone, Debug)]
pub struct Contender {
    /// Its name in records and tables.
    pub name: String,
    /// How it is started.
    pub command: UciCommand,
    /// What it may use.
    pub limits: SideLimits,
    build: Option<String>,
}

impl Contender {
    /// An engine that must be found; its name is its program's where none is given.
    ///
    /// # Errors
    /// There is no such program.
    pub fn new(name: Option<String>, command: UciCommand, limits: SideLimits) -> Result<Contender, String> {
        let path = command.find()?;
        let stem = || {
            path.file_stem()
                .map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
        };
        Ok(Contender {
            name: name.unwrap_or_else(stem),
            build: fingerprint(&path),
            command: UciCommand {
                program: path.to_string_lossy().into_owned(),
                ..command
            },
            limits,
        })
    }

    /// As records show it.
    pub fn side(&self) -> Side {
        let command = &self.command;
        let numbers = [("Threads", command.threads.map(u32::from)), ("Hash", command.hash_mib)];
        let mut settings: Vec<String> = numbers
            .iter()
            .filter_map(|(name, value)| value.map(|value| format!("{name}={value}")))
            .collect();
        settings.extend(command.options.iter().map(|(name, value)| format!("{name}={value}")));
        settings.extend((!command.arguments.is_empty()).then(|| command.arguments.join(" ")));
        Side {
            name: self.name.clone(),
            limits: self.limits.to_string(),
            settings: settings.join(", "),
            build: self.build.clone(),
        }
    }
}

/// Tells one build from another: Fowler, Noll and Vo's hash (FNV-1a, 64 bits) of the program's file.
fn fingerprint(path: &Path) -> Option<String> {
    let bytes = std::fs::read(path).ok()?;
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    Some(format!("{hash:016x}"))
}

/// How long an engine may take to get ready for a game.
const READY: Duration = Duration::from_secs(20);
/// Beyond its limit an engine is waited for this long before it is given up: it is late either way, but a late answer
/// spares a restart.
const GRACE: Duration = Duration::from_secs(5);
/// How long a search without any limit in time may take.
const UNTIMED: Duration = Duration::from_secs(600);

/// A running engine.
pub(super) struct Seat {
    client: EngineClient,
    limits: SideLimits,
    questions: u64,
}

/// An engine's answer.
#[derive(Clone, Debug)]
pub(super) struct Thought {
    /// The move, UCI; `None` when the engine says there is none.
    pub best: Option<String>,
    /// From question to answer, as we saw it.
    pub elapsed: Duration,
    /// The last report before it.
    pub info: Option<Info>,
}

impl Seat {
    /// Starts an engine.
    pub(crate) async fn take(contender: &Contender) -> Result<Seat, String> {
        let client = contender
            .command
            .clone()
            .launch()
            .await
            .map_err(|problem| format!("{}: {problem}", contender.name))?;
        Ok(Seat {
            client,
            limits: contender.limits,
            questions: 0,
        })
    }

    /// A new game; waits until the engine is ready for it.
    pub(crate) async fn new_game(&mut self) -> Result<(), Fault> {
        self.questions += 1;
        let id = self.questions;
        self.client.send(ToEngine::NewGame)?;
        self.client.ping(id)?;
        let pong = async {
            loop {
                match self.client.receive().await {
                    Ok(FromEngine::Pong { id: answered }) if answered == id => return Ok(()),
                    Err(Fault::Gone) => return Err(Fault::Gone),
                    // Late words of the last game.
                    _ => {}
                }
            }
        };
        timeout(READY, pong)
            .await
            .unwrap_or_else(|_| Err(Fault::Silent(format!("not ready for a new game within {READY:?}"))))
    }

    /// Asks for a move; `clocks` are what is left to White and Black, in ms, for those that play with one.
    pub(crate) async fn think(
        &mut self,
        fen: &str,
        moves: &[String],
        clocks: [Clock; 2],
        own: usize,
    ) -> Result<Thought, Fault> {
        self.questions += 1;
        let mut limits = self.limits.of_each_move();
        if self.limits.clock.is_some() {
            (limits.white_ms, limits.white_inc_ms) = (clocks[0].left_ms, clocks[0].increment_ms);
            (limits.black_ms, limits.black_inc_ms) = (clocks[1].left_ms, clocks[1].increment_ms);
        }
        let bound = [clocks[own].left_ms, limits.move_ms].into_iter().flatten().min();
        let patience = bound.map_or(UNTIMED, |ms| Duration::from_millis(ms) + GRACE);
        let asked = Instant::now();
        self.client.go(Go {
            id: self.questions,
            fen: fen.to_owned(),
            moves: moves.to_vec(),
            limits,
            ..Go::default()
        })?;
        match timeout(patience, self.answer(asked)).await {
            Ok(thought) => thought,
            Err(_) => Err(Fault::Silent(format!("no move within {patience:.1?}"))),
        }
    }

    async fn answer(&mut self, asked: Instant) -> Result<Thought, Fault> {
        let mut info = None;
        loop {
            match self.client.receive().await? {
                FromEngine::Info(told) => info = Some(told),
                FromEngine::BestMove(answer) => {
                    return Ok(Thought {
                        best: answer.best,
                        elapsed: asked.elapsed(),
                        info,
                    });
                }
                FromEngine::Error { message, .. } => return Err(Fault::Babble(message)),
                _ => {}
            }
        }
    }
}

/// What is left on a clock, in ms; nothing where a side plays without.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Clock {
    pub left_ms: Option<u64>,
    pub increment_ms: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_file_has_another_fingerprint() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            fingerprint(&path).unwrap()
        };
        assert_eq!(write("a", "engine"), write("b", "engine"));
        assert_ne!(write("a", "engine"), write("b", "enginf"));
        // The hash's authors' test vector for "a".
        assert_eq!(write("c", "a"), "af63dc4c8601ec8c");
    }
}
