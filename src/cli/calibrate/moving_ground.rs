//! Watching a panel whose ground moves until the name is told from it.

use super::vouching::Grab;
use crate::CliError;
use image::RgbaImage;
use std::time::{Duration, Instant};
use torres_calibration::{PanelPicture, PanelVerdict};
use torres_geometry::DesktopRect;

/// For how long the panel teaches, and for how long it is then compared with what was learned: a gradient takes seconds to
/// wander.
const TAUGHT: Duration = Duration::from_secs(4);
const COMPARED: Duration = Duration::from_secs(2);
/// Time between two looks at it.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// The name in this panel on whatever ground, if a moving ground is all that changes there; `noise` in levels of 255.
///
/// # Errors
/// The screen cannot be looked at.
pub(super) fn learn_name(panel: DesktopRect, noise: f64, grab: Grab) -> Result<Option<PanelPicture>, CliError> {
    let Some(name) = PanelPicture::on_moving_ground(&watched(panel, TAUGHT, grab)?, noise) else {
        return Ok(None);
    };
    let later = watched(panel, COMPARED, grab)?;
    let stays = later.iter().all(|now| name.compare(now, noise) == PanelVerdict::Same);
    Ok(stays.then_some(name))
}

fn watched(panel: DesktopRect, during: Duration, grab: Grab) -> Result<Vec<RgbaImage>, CliError> {
    let began = Instant::now();
    let mut pictures = Vec::new();
    while began.elapsed() < during {
        pictures.push(grab(panel)?.image.as_ref().clone());
        std::thread::sleep(LOOK_EVERY);
    }
    Ok(pictures)
}
