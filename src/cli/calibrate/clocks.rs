//! Where the site's clocks are: as stated, or as proposed.

use super::vouching::{Scene, inside};
use crate::CliError;
use torres_calibration::{Clocks, RelativeRect, clock_at, propose_clocks};
use torres_frame::Frame;
use torres_geometry::{BoardRect, DesktopRect, FrameRect};

/// The opponent's clock and one's own in a frame: stated in that order, or those that are seen beside the board.
pub(super) fn clocks_in(
    frame: &Frame,
    board: &BoardRect,
    stated: Option<&[DesktopRect]>,
) -> Result<Option<[FrameRect; 2]>, CliError> {
    let Some(stated) = stated else {
        return Ok(propose_clocks(&frame.image, board));
    };
    let standing = |rect: &DesktopRect| {
        let found = clock_at(&frame.image, &inside(rect, frame)).map(|(_, stands)| stands);
        found.ok_or_else(|| {
            CliError::usage(format!(
                "no clock is seen at {},{},{},{}; draw the rectangle around its digits alone, as in 10:00",
                rect.x, rect.y, rect.width, rect.height
            ))
        })
    };
    let stand: Vec<FrameRect> = stated.iter().map(standing).collect::<Result<_, _>>()?;
    stand
        .try_into()
        .map(Some)
        .map_err(|_| CliError::usage("there are two clocks: the opponent's, then your own"))
}

/// The clocks of a scene as a calibration keeps them.
pub(super) fn kept(scene: &Scene) -> Option<Clocks> {
    let origin = scene.frame.origin;
    let [upper, lower] = scene.clocks?.map(|clock| {
        RelativeRect::rounded(FrameRect {
            x: clock.x + origin.x - f64::from(scene.client.x),
            y: clock.y + origin.y - f64::from(scene.client.y),
            ..clock
        })
    });
    Some(Clocks {
        upper,
        lower,
        digits: None,
    })
}
