//! A new game as a page asks for it, checked.

use super::GameSetup;
use super::clock::TimeControl;
use super::opponents::Opponent;
use super::protocol::{ClockSetup, Side};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};
use std::time::Duration;
use torres_printing::shortened;

/// The longest time or increment that a page may ask for.
const LONGEST_CLOCK: Duration = Duration::from_secs(24 * 3600);

/// The game that is asked for, or what is wrong with it; with the `usual` clock where it asks for none.
pub(super) fn setup_from(
    color: Side,
    opponent: Opponent,
    clock: Option<ClockSetup>,
    usual: TimeControl,
    fen: Option<&str>,
) -> Result<GameSetup, String> {
    let start = match fen {
        None => Chess::default(),
        Some(text) => position_from(text)?,
    };
    let time_control = match clock {
        None => usual,
        Some(clock) => TimeControl {
            initial: Duration::from_millis(clock.initial_ms),
            increment: Duration::from_millis(clock.increment_ms),
        },
    };
    if time_control.initial.is_zero() || time_control.initial.max(time_control.increment) > LONGEST_CLOCK {
        return Err(format!(
            "a clock of {time_control} cannot be played; choose up to 24 hours"
        ));
    }
    Ok(GameSetup {
        start,
        player: color.into(),
        opponent,
        time_control,
    })
}

/// The legal position that a FEN describes, or what is wrong with it.
pub fn position_from(text: &str) -> Result<Chess, String> {
    let shown = || shortened(text, 200);
    let fen: Fen = text.parse().map_err(|e| format!("'{}' is not a FEN: {e}", shown()))?;
    fen.into_position(CastlingMode::Standard)
        .map_err(|e| format!("'{}' is not a legal position: {e}", shown()))
}
