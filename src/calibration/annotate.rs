//! The annotated picture: what was found, for the user to look at.

use super::procedure::BoardFinding;
use crate::geometry::{BoardMap, FramePx, FrameRect};
use crate::picture::{fill_rect, grid, outline, text, text_width};
use crate::vision::BoardReading;
use image::{Rgba, RgbaImage};
use shakmaty::{Color, Role, Square};

const GRID: Rgba<u8> = Rgba([255, 221, 0, 200]);
const PLATE: Rgba<u8> = Rgba([0, 0, 0, 170]);
const READ: Rgba<u8> = Rgba([140, 255, 140, 255]);
const DOUBTFUL: Rgba<u8> = Rgba([255, 96, 96, 255]);
const PANEL: Rgba<u8> = Rgba([64, 160, 255, 255]);
/// Unlike what buttons are painted with.
const BUTTON: Rgba<u8> = Rgba([255, 120, 220, 255]);
const SAYING: Rgba<u8> = Rgba([255, 255, 255, 255]);

/// Draws the grid, the squares' names, what was read on them, and the opponent's panel onto the picture.
pub fn annotated(picture: &RgbaImage, finding: &BoardFinding, panel: Option<FrameRect>) -> RgbaImage {
    let mut drawn = picture.clone();
    let reading = finding.look.read(picture, &finding.map);
    grid(&mut drawn, &finding.map, GRID);
    for square in Square::ALL {
        name_piece(&mut drawn, &finding.map, &reading, square);
    }
    if let Some(panel) = panel {
        framed(
            &mut drawn,
            panel,
            PANEL,
            "opponent panel: plays only while it looks like this",
        );
    }
    let rect = finding.map.rect;
    let says = format!(
        "board {:.1}, {:.1}   {:.1} × {:.1} px   {} at the bottom",
        rect.x(),
        rect.y(),
        rect.width(),
        rect.height(),
        finding.map.orientation.name()
    );
    let below = rect.y() + rect.height() + 4.0;
    let y = if below + 22.0 < f64::from(drawn.height()) {
        below
    } else {
        (rect.y() - 24.0).max(0.0)
    };
    label(&mut drawn, FramePx { x: rect.x(), y }, 15.0, SAYING, &says);
    drawn
}

/// Draws the button that begins the next game onto an annotated picture.
pub fn annotate_button(drawn: &mut RgbaImage, button: FrameRect) {
    framed(drawn, button, BUTTON, "new game: clicked once after each game");
}

/// Draws numbered rectangles, one of which may name the opponent, onto an annotated picture.
pub fn annotate_proposals(drawn: &mut RgbaImage, proposals: &[FrameRect]) {
    for (number, rect) in (1..).zip(proposals) {
        outline(drawn, *rect, 2.0, PANEL);
        let words = format!("{number}");
        let beside = rect.x - text_width(17.0, &words) - 6.0;
        let at = FramePx {
            x: if beside >= 0.0 {
                beside
            } else {
                rect.x + rect.width + 4.0
            },
            y: rect.y,
        };
        label(drawn, at, 17.0, PANEL, &words);
    }
}

/// An outline with words above it, wholly in the picture where they fit.
fn framed(drawn: &mut RgbaImage, rect: FrameRect, color: Rgba<u8>, words: &str) {
    outline(drawn, rect, 3.0, color);
    let rightmost = f64::from(drawn.width()) - text_width(15.0, words) - 6.0;
    let at = FramePx {
        x: rect.x.min(rightmost).max(0.0),
        y: (rect.y - 22.0).max(0.0),
    };
    label(drawn, at, 15.0, color, words);
}

/// Writes what was read into the lower right corner of a square: white pieces in capitals, as in a FEN.
fn name_piece(drawn: &mut RgbaImage, map: &BoardMap, reading: &BoardReading, square: Square) {
    let seen = reading.squares[square];
    let letter = match seen.content {
        None if !seen.doubtful => return,
        None => "?".to_owned(),
        Some(piece) => {
            let letter = match piece.role {
                Role::Pawn => 'p',
                Role::Knight => 'n',
                Role::Bishop => 'b',
                Role::Rook => 'r',
                Role::Queen => 'q',
                Role::King => 'k',
            };
            match piece.color {
                Color::White => letter.to_ascii_uppercase().to_string(),
                Color::Black => letter.to_string(),
            }
        }
    };
    let rect = map.square_rect(square);
    let size = (rect.height / 3.5).clamp(11.0, 22.0);
    let color = if seen.doubtful { DOUBTFUL } else { READ };
    let at = FramePx {
        x: rect.x + rect.width - text_width(size, &letter) - 6.0,
        y: rect.y + rect.height - size - 4.0,
    };
    label(drawn, at, size, color, &letter);
}

/// Text on a dark plate.
fn label(drawn: &mut RgbaImage, at: FramePx, size: f64, color: Rgba<u8>, says: &str) {
    let plate = FrameRect {
        x: at.x - 2.0,
        y: at.y - 1.0,
        width: text_width(size, says) + 4.0,
        height: size + 4.0,
    };
    fill_rect(drawn, plate, PLATE);
    text(drawn, at, size, color, says);
}
