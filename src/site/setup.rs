//! A new game as a page asks for it, checked.

use super::GameSetup;
use super::clock::TimeControl;
use super::opponents::Opponent;
use super::protocol::ClockSetup;
use shakmaty::Chess;
use std::time::Duration;
use torres_chess::{Side, parse_fen};

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
        Some(text) => parse_fen(text)?,
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
