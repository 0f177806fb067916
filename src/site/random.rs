//! A [`Thinker`] that looks at nothing: any legal move, chosen by the position alone.

use super::chance::Chance;
use super::game;
use super::table::position_from;
use crate::link::messages::{BestMove, Go};
use crate::link::{ThinkError, ThinkEvent, Thinker};
use shakmaty::Position;
use shakmaty::uci::UciMove;

/// Answers with a random legal move, equal for equal questions.
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomMover;

impl Thinker for RandomMover {
    async fn new_game(&mut self) -> Result<(), ThinkError> {
        Ok(())
    }

    async fn think(&mut self, go: Go, _on_event: &mut (dyn FnMut(ThinkEvent) + Send)) -> Result<BestMove, ThinkError> {
        let mut position = position_from(&go.fen).map_err(ThinkError::Refused)?;
        for text in &go.moves {
            let refused = || ThinkError::Refused(format!("{text} is not a legal move"));
            let uci: UciMove = text.parse().map_err(|_| refused())?;
            let mv = uci.to_move(&position).map_err(|_| refused())?;
            position.play_unchecked(mv);
        }
        let mut chance = Chance::new(go.moves.len() as u64, 0, 0);
        Ok(BestMove {
            id: go.id,
            best: chance
                .pick(&position.legal_moves())
                .map(|&mv| game::to_uci(mv).to_string()),
            ponder: None,
            fen: game::fen(&position),
        })
    }
}
