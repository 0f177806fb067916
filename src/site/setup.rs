//! What a game begins with; as a page asks for it, checked.

use super::opponents::Opponent;
use super::protocol::ClockSetup;
use shakmaty::{Chess, Color};
use std::time::Duration;
use torres_chess::TimeControl;
use torres_chess::{Side, parse_fen};

/// The longest time or increment that a page may ask for.
const LONGEST_CLOCK: Duration = Duration::from_secs(24 * 3600);

/// The player's colour, the opponent, and where and how fast the game starts.
#[derive(Clone, Debug)]
pub struct GameSetup {
    /// Where the game starts.
    pub start: Chess,
    /// The player's colour; the bot has the other.
    pub player: Color,
    /// Whom the player plays.
    pub opponent: Opponent,
    /// Both clocks at the start.
    pub time_control: TimeControl,
}

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
        Some(clock) => clock.into(),
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
