//! The engine behind the socket: [`link`](crate::link)'s messages in, searches out.

use super::{Clock, Engine, Game, Options, Position, Score, SearchControl, SearchInfo, SearchLimits};
use crate::link::messages::{self, BestMove, Go, Info};
use crate::link::server::{Control, Identity, Session};
use std::time::Duration;

/// What `hello` tells.
pub fn identity() -> Identity {
    Identity {
        name: env!("CARGO_PKG_NAME").to_string(),
        version: env!("CARGO_PKG_VERSION").to_string(),
    }
}

/// One connection's engine.
pub struct EngineSession {
    engine: Engine,
}

impl EngineSession {
    /// An engine with a transposition table of so many MiB and so many search threads.
    pub fn new(hash_mib: usize, threads: usize) -> EngineSession {
        let mut engine = Engine::new(hash_mib);
        engine.set_options(Options {
            threads,
            ..Options::default()
        });
        EngineSession { engine }
    }
}

impl Control for SearchControl {
    fn stop(&self) {
        SearchControl::stop(self);
    }

    fn ponder_hit(&self) {
        SearchControl::ponder_hit(self);
    }
}

impl Session for EngineSession {
    type Control = SearchControl;

    fn new_game(&mut self) {
        self.engine.new_game();
    }

    fn search(&mut self, go: &Go, control: &SearchControl, report: &mut dyn FnMut(Info)) -> Result<BestMove, String> {
        let game = game(go)?;
        let limits = limits(go);
        let options = self.engine.options();
        if options.elo != go.elo {
            self.engine.set_options(Options { elo: go.elo, ..options });
        }
        let result = self
            .engine
            .search(&game, &limits, control, &mut |info| report(said(go.id, &info)));
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
