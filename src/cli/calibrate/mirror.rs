//! A board on which king and queen look exchanged: the user says whether it is a mirror image.

use super::asking::Terminal;
use super::settings::Settings;
use crate::CliError;
use shakmaty::{Color, Position};
use torres_calibration::{BoardFinding, learn_found, look_exchanged};
use torres_frame::Frame;
use torres_vision::FoundBoard;
use torres_vision::locate::files_in_order;

/// The board as the user sees it, where king and queen look exchanged and nothing was said of how it lies.
///
/// # Errors
/// Nobody is there to say it.
pub(super) fn as_the_user_sees(
    finding: BoardFinding,
    frame: &Frame,
    settings: &Settings,
) -> Result<BoardFinding, CliError> {
    let (map, pieces) = (finding.map, finding.position.board());
    let is_told = || {
        settings.bottom.is_some()
            || map.orientation.is_mirrored()
            || files_in_order(&frame.image, &map.rect) == Some(map.orientation)
    };
    if is_told() || !look_exchanged(&frame.image, &map, pieces) {
        return Ok(finding);
    }
    let mirrored = map.orientation.mirrored();
    let Some(terminal) = Terminal::attended() else {
        return Err(CliError::usage(format!(
            "king and queen look exchanged: if the board is a mirror image, say --bottom {}, or else --bottom {}",
            mirrored.name(),
            map.orientation.name()
        )));
    };
    println!("note      king and queen look exchanged: some programs show a mirror image of a board");
    let (mirror, board) = match map.orientation.bottom() {
        Color::White => ("h1", "a1"),
        Color::Black => ("a8", "h8"),
    };
    if !terminal.confirms(&format!("Is the lower left square {mirror}, and not {board}?"))? {
        return Ok(finding);
    }
    let board = FoundBoard {
        rect: map.rect,
        orientation: Some(mirrored),
        score: 1.0,
    };
    learn_found(&frame.image, &board, &settings.positions, Some(mirrored)).map_err(CliError::failed)
}
