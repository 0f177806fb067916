//! The saved calibration file, and the procedure that makes and checks it.
//!
//! A calibration says which window to watch, where in it the board lies, how its squares and pieces look, how input
//! units relate to pixels, how the board takes moves, and which panel names the bot. It is made once and then read by
//! `play`, `record` and `see`. It decides nothing about a game: that is `bot`'s.

#[cfg(test)]
#[macro_use]
extern crate torres_printing;

mod annotate;
mod around;
mod beneath;
mod clocks;
mod dots;
mod drawings;
mod exchanged;
mod explained;
mod file;
mod fuzz_tests;
mod letters;
mod line;
mod live;
mod matte;
mod move_input;
mod nearness;
mod panel;
mod procedure;
mod promotion;
mod proposal;
mod running;
mod scale;
mod shade;
mod suspicion;

pub use annotate::{PanelNote, Proposal, annotate_button, annotate_proposals, annotated};
pub use clocks::{around_clock, clock_at, place_tells_whose, propose_clocks};
pub use exchanged::look_exchanged;
pub use explained::{Explained, explained};
pub use file::{
    Button, Calibration, CalibrationError, Clocks, FORMAT, Made, Opponent, RelativeRect, Second, TOO_LITTLE,
    WindowName, path_of,
};
pub use live::{LiveError, Measured, measure_mouse, resting_frame};
pub use move_input::{By, Deselects, MoveInput, Way};
pub use panel::{PanelLooks, PanelPicture, PanelVerdict};
pub use procedure::{BoardFinding, FindError, Stated, find_board, find_stated, learn_found, opening_positions};
pub use promotion::PromotionChoice;
pub use proposal::{drawn_at, has_clock, is_on_board, propose_panels, propose_title};
pub use scale::{ScaleProbe, idle_square};
pub use suspicion::{Suspicion, suspicions};

/// A picture of `tests/data/calibration`.
#[cfg(test)]
fn test_picture(name: &str) -> image::RgbaImage {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/calibration");
    image::open(format!("{folder}/{name}")).unwrap().into_rgba8()
}
