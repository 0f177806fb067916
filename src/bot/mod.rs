//! The game being played: `Game`, `GameClock`, the pure state machine, the driver that feeds it, the opponent guard.
