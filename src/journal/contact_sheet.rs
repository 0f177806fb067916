//! One picture of a whole game: what Torres saw at each of its moves, the move drawn as an arrow.

use super::board_picture::{PAPER, arrow_squares, draw_move, thumbnail};
use image::{Rgba, RgbaImage, imageops};
use shakmaty::Move;
use std::io;
use std::path::Path;
use torres_frame::folder::write_png;
use torres_geometry::{BoardMap, FramePx};
use torres_picture::{Color, text, text_width};

/// Side of a board on the sheet, in pixels.
const BOARD: u32 = 224;
const GAP: u32 = 14;
const CAPTION: u32 = 22;
const MARGIN: u32 = 24;
const HEADING: u32 = 76;

const INK: Color = Rgba([240, 236, 228, 255]);
const FAINT: Color = Rgba([168, 162, 152, 255]);

/// Collects what was seen, small, and draws the sheet at the end.
#[derive(Clone, Debug, Default)]
pub struct ContactSheet {
    cells: Vec<Cell>,
}

#[derive(Clone, Debug)]
struct Cell {
    picture: RgbaImage,
    caption: String,
    remark: String,
}

impl ContactSheet {
    /// Adds the board of a frame with a move on it. Under it stand the caption, such as `12. Nf3`, on the left, and
    /// the remark, such as `+0.31`, on the right. A board that lies wholly outside the frame is left out.
    pub fn add(&mut self, frame: &RgbaImage, map: &BoardMap, played: Move, caption: &str, remark: &str) {
        let Some((mut picture, map)) = thumbnail(frame, map, BOARD) else {
            return;
        };
        if let Some((from, to)) = arrow_squares(played) {
            draw_move(&mut picture, &map, from, to);
        }
        self.cells.push(Cell {
            picture,
            caption: caption.to_owned(),
            remark: remark.to_owned(),
        });
    }

    /// How many moves are on it.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether no move is on it.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The sheet: a heading of two lines, then the boards row by row.
    pub fn draw(&self, title: &str, subtitle: &str) -> RgbaImage {
        let columns = self.columns();
        let rows = (self.cells.len() as u32).div_ceil(columns).max(1);
        let heading_width = text_width(28.0, title).max(text_width(18.0, subtitle)).ceil() as u32;
        let width = (columns * (BOARD + GAP) - GAP).max(heading_width) + 2 * MARGIN;
        let height = HEADING + rows * (BOARD + CAPTION + GAP) + MARGIN;
        let mut sheet = RgbaImage::from_pixel(width, height, PAPER);
        text(&mut sheet, px(MARGIN, 14), 28.0, INK, title);
        text(&mut sheet, px(MARGIN, 46), 18.0, FAINT, subtitle);
        for (i, cell) in (0u32..).zip(&self.cells) {
            let x = MARGIN + i % columns * (BOARD + GAP);
            let y = HEADING + i / columns * (BOARD + CAPTION + GAP);
            imageops::replace(&mut sheet, &cell.picture, x.into(), y.into());
            text(&mut sheet, px(x, y + BOARD + 3), 17.0, INK, &cell.caption);
            let indent = f64::from(BOARD) - text_width(17.0, &cell.remark);
            let at = FramePx {
                x: f64::from(x) + indent,
                y: f64::from(y + BOARD + 3),
            };
            text(&mut sheet, at, 17.0, FAINT, &cell.remark);
        }
        sheet
    }

    /// Draws the sheet into a PNG file.
    pub fn save(&self, path: &Path, title: &str, subtitle: &str) -> io::Result<()> {
        write_png(path, &self.draw(title, subtitle))
    }

    /// As many boards in a row as make the sheet a little wider than high.
    fn columns(&self) -> u32 {
        let columns = (self.cells.len() as f64 * 1.4).sqrt().ceil() as u32;
        columns.clamp(1, 14).min(self.cells.len().max(1) as u32)
    }
}

fn px(x: u32, y: u32) -> FramePx {
    FramePx {
        x: f64::from(x),
        y: f64::from(y),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Role, Square};
    use torres_geometry::{BoardRect, Orientation};

    const WOOD: Color = Rgba([200, 160, 110, 255]);

    fn quiet(from: Square, to: Square) -> Move {
        Move::Normal {
            role: Role::Knight,
            from,
            capture: None,
            to,
            promotion: None,
        }
    }

    fn map(orientation: Orientation) -> BoardMap {
        BoardMap {
            rect: BoardRect::new(30.0, 20.0, 448.0, 448.0).unwrap(),
            orientation,
        }
    }

    /// Where a point of the first cell's board lies on the sheet.
    fn in_cell(column: f64, row: f64) -> (u32, u32) {
        let side = f64::from(BOARD) / 8.0;
        (MARGIN + (column * side) as u32, HEADING + (row * side) as u32)
    }

    #[test]
    fn the_arrow_lies_on_the_move_as_the_board_is_turned() {
        let frame = RgbaImage::from_pixel(500, 500, WOOD);
        for (orientation, row) in [(Orientation::White, 6.5), (Orientation::Black, 1.5)] {
            let mut sheet = ContactSheet::default();
            sheet.add(
                &frame,
                &map(orientation),
                quiet(Square::B2, Square::G2),
                "1. Nf3",
                "+0.31",
            );
            let picture = sheet.draw("A game", "for a test");
            let (x, y) = in_cell(4.0, row);
            assert!(picture.get_pixel(x, y).0[2] > 150, "blue on the way of {orientation:?}");
            let (x, y) = in_cell(4.0, row + 1.0);
            assert_eq!(*picture.get_pixel(x, y), WOOD, "nothing beside it");
        }
    }

    #[test]
    fn castling_is_drawn_as_the_kings_way() {
        let castle = |rook| Move::Castle { king: Square::E8, rook };
        assert_eq!(arrow_squares(castle(Square::H8)), Some((Square::E8, Square::G8)));
        assert_eq!(arrow_squares(castle(Square::A8)), Some((Square::E8, Square::C8)));
    }

    #[test]
    fn a_board_half_outside_the_frame_keeps_its_place_and_one_wholly_outside_is_left_out() {
        let frame = RgbaImage::from_pixel(254, 500, WOOD);
        let mut sheet = ContactSheet::default();
        sheet.add(&frame, &map(Orientation::White), quiet(Square::A1, Square::A2), "", "");
        let picture = sheet.draw("", "");
        assert_eq!(*picture.get_pixel(in_cell(2.0, 2.0).0, in_cell(2.0, 2.0).1), WOOD);
        assert_eq!(*picture.get_pixel(in_cell(6.0, 2.0).0, in_cell(6.0, 2.0).1), PAPER);
        let away = BoardMap {
            rect: map(Orientation::White).rect.translated(300.0, 0.0),
            ..map(Orientation::White)
        };
        sheet.add(&frame, &away, quiet(Square::A1, Square::A2), "", "");
        assert_eq!(sheet.len(), 1);
    }

    #[test]
    fn a_long_game_stays_a_picture_one_can_open() {
        let mut sheet = ContactSheet::default();
        let frame = RgbaImage::from_pixel(500, 500, WOOD);
        for _ in 0..120 {
            sheet.add(
                &frame,
                &map(Orientation::White),
                quiet(Square::A1, Square::H8),
                "1. Nf3",
                "",
            );
        }
        let picture = sheet.draw("", "");
        let (width, height) = picture.dimensions();
        assert!(width < 3500 && height < 3000, "{width} × {height}");
        assert!(width >= height && width < 2 * height, "{width} × {height}");
    }
}
