//! The engine behind the socket: `link`'s messages in, searches out.

use std::time::Duration;
use torres_engine::{Clock, Engine, Game, NoMemory, Options, Position, Score, SearchControl, SearchInfo, SearchLimits};
use torres_link::messages::{self, BestMove, Go, Info};
use torres_link::server::{Control, Identity, Session};

/// What `hello` tells.
pub(crate) fn identity() -> Identity {
    Identity {
        name: "torres".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_string(),
    }
}

/// One connection's engine, where there is memory for it.
pub(crate) struct EngineSession {
    engine: Result<Engine, NoMemory>,
}

impl EngineSession {
    /// An engine with a transposition table of so many MiB and so many search threads. Other connections may have taken
    /// the memory meanwhile: then its searches are refused with that as the reason.
    pub(crate) fn new(hash_mib: usize, threads: usize) -> EngineSession {
        let mut engine = Engine::try_new(hash_mib);
        if let Ok(engine) = &mut engine {
            engine.set_options(Options {
                threads,
                ..Options::default()
            });
        }
        EngineSession { engine }
    }
}

/// The engine's control of one search, as the link knows it.
#[derive(Clone, Default)]
pub(crate) struct Running(SearchControl);

impl Control for Running {
    fn stop(&self) {
        self.0.stop();
    }

    fn ponder_hit(&self) {
        self.0.ponder_hit();
    }
}

impl Session for EngineSession {
    type Control = Running;

    fn new_game(&mut self) {
        if let Ok(engine) = &mut self.engine {
            engine.new_game();
        }
    }

    fn search(&mut self, go: &Go, control: &Running, report: &mut dyn FnMut(Info)) -> Result<BestMove, String> {
        let game = game(go)?;
        let limits = limits(go);
        let engine = self.engine.as_mut().map_err(|error| error.to_string())?;
        let options = engine.options();
        if options.elo != go.elo {
            engine.set_options(Options { elo: go.elo, ..options });
        }
        let result = engine.search(&game, &limits, &control.0, &mut |info| report(said(go.id, &info)));
        Ok(BestMove {
            id: go.id,
            best: result.best.map(|best| best.to_string()),
            ponder: result.ponder.map(|reply| reply.to_string()),
            fen: game.position().fen(),
        })
    }
}

/// The position asked about, and those before it that may be repeated.
fn game(go: &Go) -> Result<Game, String> {
    let start = Position::from_fen(&go.fen).map_err(|error| format!("the position '{}': {error}", go.fen))?;
    let mut game = Game::new(start);
    for (index, text) in go.moves.iter().enumerate() {
        game.play_uci(text)
            .map_err(|error| format!("move {} of the moves: {error}", index + 1))?;
    }
    Ok(game)
}

fn limits(go: &Go) -> SearchLimits {
    let asked = go.limits;
    let clock = |remaining: Option<u64>, increment: Option<u64>| {
        remaining.map(|remaining| Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment.unwrap_or(0)),
        })
    };
    SearchLimits {
        white: clock(asked.white_ms, asked.white_inc_ms),
        black: clock(asked.black_ms, asked.black_inc_ms),
        moves_to_go: None,
        move_time: asked.move_ms.map(Duration::from_millis),
        depth: asked.depth,
        nodes: asked.nodes,
        mate: None,
        search_moves: Vec::new(),
        infinite: go.infinite,
        ponder: go.ponder,
    }
}

fn said(id: u64, info: &SearchInfo) -> Info {
    Info {
        id,
        depth: info.depth,
        score: match info.score {
            Score::Cp(cp) => messages::Score::Cp(cp),
            Score::Mate(moves) => messages::Score::Mate(moves),
        },
        nodes: info.nodes,
        nps: info.nps(),
        pv: info.pv.iter().map(ToString::to_string).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(limits: messages::Limits) -> Go {
        Go {
            id: 7,
            fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(),
            moves: Vec::new(),
            limits,
            ..Go::default()
        }
    }

    #[test]
    fn limits_arrive_as_they_were_asked_for() {
        let ms = Duration::from_millis;
        let asked = messages::Limits {
            white_ms: Some(60_000),
            black_ms: Some(50_000),
            white_inc_ms: Some(1000),
            black_inc_ms: None,
            move_ms: Some(250),
            depth: Some(9),
            nodes: Some(1234),
        };
        let expected = SearchLimits {
            white: Some(Clock {
                remaining: ms(60_000),
                increment: ms(1000),
            }),
            black: Some(Clock {
                remaining: ms(50_000),
                increment: ms(0),
            }),
            move_time: Some(ms(250)),
            depth: Some(9),
            nodes: Some(1234),
            ..SearchLimits::default()
        };
        assert_eq!(limits(&go(asked)), expected);
    }

    #[test]
    fn without_memory_a_search_is_refused_with_the_reason() {
        // No machine has a pebibyte free.
        let mut session = EngineSession::new(1 << 30, 1);
        session.new_game();
        let limits = messages::Limits {
            depth: Some(1),
            ..messages::Limits::default()
        };
        let refused = session
            .search(&go(limits), &Running::default(), &mut |_| {})
            .unwrap_err();
        assert!(refused.contains("no memory for a table"), "{refused}");
        let answer = EngineSession::new(1, 1).search(&go(limits), &Running::default(), &mut |_| {});
        assert!(answer.unwrap().best.is_some());
    }
}
