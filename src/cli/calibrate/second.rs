//! Showing Torres a second place in which the page names the same opponent.

use super::moving_ground::learn_name;
use super::vouching::name;
use crate::{CliError, CliResult, Exit};
use std::path::Path;
use torres_bot::place::{BoardPlace, open_screen};
use torres_calibration::{Calibration, PanelPicture, RelativeRect, Second, TOO_LITTLE, is_on_board};
use torres_frame::{Frame, FrameSource};
use torres_geometry::{DesktopRect, FrameRect};

/// Adds the place to a calibration, as the screen shows it now. That it names the same bot is the user's word.
pub(super) fn show(path: &Path, panel: DesktopRect) -> CliResult {
    let mut calibration = Calibration::load(path).map_err(CliError::usage)?;
    let Some(opponent) = calibration.opponent.as_ref().filter(|it| it.declared_bot) else {
        return Err(CliError::usage(
            "the calibration vouches for no opponent yet: calibrate with --opponent-panel and --opponent-is-a-bot first",
        ));
    };
    let mut screen = open_screen(&calibration).map_err(CliError::failed)?;
    let place = BoardPlace::find(&calibration, &mut screen).map_err(CliError::failed)?;
    screen.set_region(Some(panel));
    let frame = screen.next_frame().map_err(CliError::failed)?;
    let client = place.client();
    if frame.image.dimensions() != (panel.width, panel.height) || panel.intersect(&client) != Some(panel) {
        return Err(CliError::usage(format!(
            "the opponent panel {} is not wholly inside the window and on the screen",
            name(&panel)
        )));
    }
    let mut picture = picture_of(&panel, &frame, &place, &calibration)?;
    if opponent.picture.is_on_moving_ground() {
        let mut grab = |region| {
            screen.set_region(Some(region));
            screen.next_frame().map_err(CliError::failed)
        };
        if let Some(name) = learn_name(panel, calibration.noise, &mut grab)? {
            picture = name;
        }
    }
    // The window may have been moved since it was calibrated: what counts is where the panel lies from the board.
    let (then, now) = (calibration.board, place.board());
    let rect = RelativeRect {
        x: panel.x - (now.x() - then.x()).round() as i32,
        y: panel.y - (now.y() - then.y()).round() as i32,
        width: panel.width,
        height: panel.height,
    };
    let who = match &opponent.name {
        Some(name) => format!("'{name}', the bot that you vouched for"),
        None => "the bot that you vouched for".to_owned(),
    };
    let drawn = path.with_extension("second.png");
    picture
        .image()
        .save(&drawn)
        .map_err(|e| CliError::failed(format!("cannot write the picture {}: {e}", drawn.display())))?;
    if let Some(opponent) = &mut calibration.opponent {
        opponent.second = Some(Second { panel: rect, picture });
    }
    calibration.save(path).map_err(CliError::failed)?;
    println!(
        "opponent  you vouch that {} names {who}, too; either place is watched",
        name(&panel)
    );
    println!("saved     {}", path.display());
    println!("picture   {}: look whether it names them", drawn.display());
    Ok(Exit::Done)
}

/// The panel's picture.
///
/// # Errors
/// It lies on the board, or shows too little.
fn picture_of(
    panel: &DesktopRect,
    frame: &Frame,
    place: &BoardPlace,
    calibration: &Calibration,
) -> Result<PanelPicture, CliError> {
    let on_desktop = FrameRect {
        x: f64::from(panel.x),
        y: f64::from(panel.y),
        width: f64::from(panel.width),
        height: f64::from(panel.height),
    };
    if is_on_board(&on_desktop, &place.board()) {
        return Err(CliError::usage(format!(
            "the opponent panel {} lies on the board, which changes with every move; it belongs around the bot's name",
            name(panel)
        )));
    }
    let picture = PanelPicture::new(&frame.image);
    match picture.is_telling(calibration.noise) {
        true => Ok(picture),
        false => Err(CliError::usage(format!(
            "the opponent panel {} {TOO_LITTLE}",
            name(panel)
        ))),
    }
}
