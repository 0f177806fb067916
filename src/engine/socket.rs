//! The engine behind the socket: [`link`](crate::link)'s messages in, searches out.

use super::{Clock, Engine, Game, Position, Score, SearchControl, SearchInfo, SearchLimits};
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
    /// An engine with a transposition table of so many MiB.
    pub fn new(hash_mib: usize) -> EngineSession {
        EngineSession {
            engine: Engine::new(hash_mib),
        }
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
    let limits = SearchLimits {
        white: clock(asked.white_ms, asked.white_inc_ms),
        black: clock(asked.black_ms, asked.black_inc_ms),
        moves_to_go: None,
        move_time: asked.move_ms.map(Duration::from_millis),
        depth: asked.depth,
        nodes: asked.nodes,
        infinite: go.infinite,
        ponder: go.ponder,
    };
    match go.elo.and_then(nodes_for) {
        Some(nodes) => SearchLimits {
            nodes: Some(limits.nodes.map_or(nodes, |asked| asked.min(nodes))),
            ..limits
        },
        None => limits,
    }
}

/// How many nodes a player of this Elo may visit; `None` is any number.
///
/// A first, rough form: 16 nodes at 600 and below, twice as many for each further 125 points, full strength from 3000
/// on. It orders levels; it does not measure them.
fn nodes_for(elo: u32) -> Option<u64> {
    (elo < 3000).then(|| {
        let doublings = f64::from(elo.saturating_sub(600)) / 125.0;
        (16.0 * doublings.exp2()) as u64
    })
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

    #[test]
    fn more_elo_is_never_fewer_nodes() {
        let ladder: Vec<u64> = (0..3000).step_by(50).map(|elo| nodes_for(elo).unwrap()).collect();
        assert!(ladder.is_sorted());
        assert_eq!(ladder[0], 16);
        assert_eq!(nodes_for(725), Some(32));
        assert_eq!(nodes_for(3000), None);
    }

    #[test]
    fn an_elo_never_loosens_the_limits_asked_for() {
        let go = |nodes| Go {
            id: 1,
            fen: String::new(),
            moves: vec![],
            limits: messages::Limits {
                nodes,
                ..Default::default()
            },
            elo: Some(725),
            style: None,
            ponder: false,
            infinite: false,
        };
        assert_eq!(limits(&go(None)).nodes, Some(32));
        assert_eq!(limits(&go(Some(10))).nodes, Some(10));
        assert_eq!(limits(&go(Some(1000))).nodes, Some(32));
    }
}
