//! Showing Torres the button that begins the next game.

use crate::bot::place::{Place, open_screen};
use crate::calibration::{Button, Calibration, PanelPicture, RelativeRect, annotate_button};
use crate::cli::{CliError, CliResult, Exit};
use crate::frame::FrameSource;
use crate::geometry::{DesktopRect, FrameRect};
use std::path::Path;

/// Adds the button to a calibration, as the screen shows it now.
pub(super) fn show(path: &Path, button: DesktopRect) -> CliResult {
    let mut calibration = Calibration::load(path).map_err(CliError::usage)?;
    let mut screen = open_screen(&calibration).map_err(CliError::failed)?;
    let place = Place::find(&calibration, &mut screen).map_err(CliError::failed)?;
    screen.set_region(Some(button));
    let frame = screen.next_frame().map_err(CliError::failed)?;
    if frame.image.dimensions() != (button.width, button.height) {
        return Err(CliError::usage(format!(
            "the button {},{},{},{} is not wholly on the screen",
            button.x, button.y, button.width, button.height
        )));
    }
    let picture = PanelPicture::new(&frame.image);
    if !picture.is_telling() {
        return Err(CliError::usage(
            "the rectangle shows next to nothing by which a button could be known again; draw it around the button's words",
        ));
    }
    // The window may have been moved since it was calibrated: what counts is where the button lies from the board.
    let (then, now) = (calibration.board, place.board());
    let rect = RelativeRect {
        x: button.x - (now.x() - then.x()).round() as i32,
        y: button.y - (now.y() - then.y()).round() as i32,
        width: button.width,
        height: button.height,
    };
    calibration.new_game = Some(Button { rect, picture });
    calibration.save(path).map_err(CliError::failed)?;
    println!(
        "new game  the button is kept: it is clicked once after each game of `torres play --games N`, while it looks like this"
    );
    println!("saved     {}", path.display());
    let drawn = path.with_extension("png");
    if let Ok(annotated) = image::open(&drawn) {
        let mut annotated = annotated.into_rgba8();
        let within = FrameRect {
            x: f64::from(rect.x),
            y: f64::from(rect.y),
            width: f64::from(rect.width),
            height: f64::from(rect.height),
        };
        annotate_button(&mut annotated, within);
        annotated
            .save(&drawn)
            .map_err(|e| CliError::failed(format!("cannot write the picture {}: {e}", drawn.display())))?;
        println!("picture   {}", drawn.display());
    }
    Ok(Exit::Done)
}
