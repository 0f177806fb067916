//! The opponent guard: before every gesture, does the panel still name the bot that the user vouched for?
//!
//! What it knows is what a picture tells: that the panel's pixels are those the user vouched for. It does not read
//! names, and cannot know who moves the pieces behind a panel that looks the same.

use crate::calibration::{Opponent, PanelVerdict};
use image::RgbaImage;

/// Why a calibration must not be played with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotVouched {
    /// Nothing says who the opponent is.
    #[error(
        "the calibration names no opponent; Torres plays only computer opponents. \
         Calibrate again with --opponent-panel X,Y,WIDTH,HEIGHT around the bot's name (without its clock) and --opponent-is-a-bot"
    )]
    NoPanel,
    /// The user did not state that it is a bot.
    #[error(
        "the calibration has no statement that the opponent is a bot which you may play with a program; \
         if it is one, calibrate again with --opponent-is-a-bot"
    )]
    NotDeclared,
}

/// The opponent that a calibration vouches for, or why there is none.
pub fn vouched(opponent: Option<&Opponent>) -> Result<&Opponent, NotVouched> {
    match opponent {
        None => Err(NotVouched::NoPanel),
        Some(opponent) if !opponent.declared_bot => Err(NotVouched::NotDeclared),
        Some(opponent) => Ok(opponent),
    }
}

/// Compares the panel with what is on the screen now; the error says what is different.
pub fn check(opponent: &Opponent, now: &RgbaImage, noise: f64) -> Result<(), String> {
    match opponent.picture.compare(now, noise) {
        PanelVerdict::Same => Ok(()),
        PanelVerdict::Changed { pixels } => Err(format!(
            "{pixels} pixels of the panel that names the bot look different; \
             if it is still the same bot, calibrate again"
        )),
        PanelVerdict::OffScreen => Err("it is not wholly on the screen".to_owned()),
    }
}
