//! Remembers what a user clicked when a page asked what a pawn becomes in a way that Torres cannot read, such as in
//! words.

use super::panel::{PanelPicture, PanelVerdict};
use image::{RgbaImage, imageops};
use serde::{Deserialize, Serialize};
use shakmaty::Role;
use torres_geometry::{BoardRect, DesktopRect};

/// What is kept around a click, in sides of a square: a word and the edges of its button.
const WIDTH: f64 = 1.6;
const HEIGHT: f64 = 0.6;

/// A piece, and what was clicked for it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct PromotionChoice {
    /// The piece.
    pub role: Role,
    /// The picture around the place of the click, from before the pointer came.
    pub picture: PanelPicture,
    /// Where in that picture it was clicked.
    pub at: (u32, u32),
    /// Where that picture's corner lay, in pixels from the board's.
    pub from_board: (i32, i32),
}

/// The same as the file has it.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Written {
    piece: String,
    x: i32,
    y: i32,
    picture: PanelPicture,
    click: (u32, u32),
}

/// The pieces that a pawn becomes, as the file names them.
const NAMES: [(Role, &str); 4] = [
    (Role::Queen, "queen"),
    (Role::Rook, "rook"),
    (Role::Bishop, "bishop"),
    (Role::Knight, "knight"),
];

impl TryFrom<Written> for PromotionChoice {
    type Error = String;

    fn try_from(written: Written) -> Result<PromotionChoice, String> {
        let named = NAMES.into_iter().find(|(_, name)| *name == written.piece);
        let Some((role, _)) = named else {
            return Err(format!("no pawn becomes a '{}'", written.piece));
        };
        let (width, height) = written.picture.size();
        if written.click.0 >= width || written.click.1 >= height {
            return Err(format!("the click for the {} lies beside its picture", written.piece));
        }
        if [written.x, written.y]
            .iter()
            .any(|at| f64::from(*at).abs() > BoardRect::FARTHEST)
        {
            return Err(format!("the {} lies on no screen", written.piece));
        }
        Ok(PromotionChoice {
            role,
            picture: written.picture,
            at: written.click,
            from_board: (written.x, written.y),
        })
    }
}

impl From<PromotionChoice> for Written {
    fn from(choice: PromotionChoice) -> Written {
        let name = NAMES.into_iter().find(|(role, _)| *role == choice.role);
        Written {
            piece: name.map_or("queen", |(_, name)| name).to_owned(),
            x: choice.from_board.0,
            y: choice.from_board.1,
            picture: choice.picture,
            click: choice.at,
        }
    }
}

impl PromotionChoice {
    /// The click on a point of this picture, in which the board lies there; `None` where next to nothing is to be seen
    /// around it.
    pub fn made(role: Role, shown: &RgbaImage, board: &BoardRect, (x, y): (u32, u32)) -> Option<PromotionChoice> {
        let side = board.width() / 8.0;
        let span = |at: u32, share: f64, whole: u32| {
            let half = (share * side / 2.0).round() as u32;
            let from = at.saturating_sub(half);
            (from, (at + half).min(whole).saturating_sub(from))
        };
        let ((left, width), (top, height)) = (span(x, WIDTH, shown.width()), span(y, HEIGHT, shown.height()));
        if !(left..left + width).contains(&x) || !(top..top + height).contains(&y) {
            return None;
        }
        let picture = PanelPicture::new(&imageops::crop_imm(shown, left, top, width, height).to_image());
        (!picture.is_plain()).then(|| PromotionChoice {
            role,
            picture,
            at: (x - left, y - top),
            from_board: (
                (f64::from(left) - board.x()).round() as i32,
                (f64::from(top) - board.y()).round() as i32,
            ),
        })
    }

    /// Where to click in a picture of this part of the desktop, on which the board lies there, in its pixels: where it
    /// was clicked, or else in the only place that shows the same. `noise` is the calibration's.
    pub fn find_in(&self, shown: &RgbaImage, board: &BoardRect, noise: f64) -> Option<(u32, u32)> {
        let (width, height) = self.picture.size();
        let corner = (
            board.x().round() as i32 + self.from_board.0,
            board.y().round() as i32 + self.from_board.1,
        );
        let usual = u32::try_from(corner.0).ok().zip(u32::try_from(corner.1).ok());
        let is_there = |(x, y): &(u32, u32)| {
            let part = DesktopRect {
                x: *x as i32,
                y: *y as i32,
                width,
                height,
            };
            let whole = DesktopRect {
                x: 0,
                y: 0,
                width: shown.width(),
                height: shown.height(),
            };
            let now = imageops::crop_imm(shown, *x, *y, width, height).to_image();
            part.intersect(&whole) == Some(part) && self.picture.compare(&now, noise) == PanelVerdict::Same
        };
        let found = usual.filter(is_there).or_else(|| self.picture.find_in(shown, noise));
        found.map(|(x, y)| (x + self.at.0, y + self.at.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgba;
    use torres_geometry::FramePx;
    use torres_picture::text;

    const WORDS: [&str; 4] = ["Queen", "Rook", "Bishop", "Knight"];

    fn board() -> BoardRect {
        BoardRect::new(40.0, 30.0, 400.0, 400.0).unwrap()
    }

    /// A dialog with these words, one below the other, its corner there.
    fn dialog(words: [&str; 4], (left, top): (f64, f64)) -> RgbaImage {
        let mut picture = RgbaImage::from_pixel(600, 500, Rgba([120, 140, 90, 255]));
        for (nth, word) in words.iter().enumerate() {
            let at = FramePx {
                x: left,
                y: top + 40.0 * nth as f64,
            };
            text(&mut picture, at, 18.0, Rgba([250, 250, 250, 255]), word);
        }
        picture
    }

    fn clicked(words: [&str; 4], nth: u32) -> PromotionChoice {
        let shown = dialog(words, (200.0, 150.0));
        PromotionChoice::made(Role::Queen, &shown, &board(), (220, 160 + 40 * nth)).unwrap()
    }

    #[test]
    fn the_same_word_is_found_where_it_was_and_elsewhere_and_another_one_is_not() {
        let queen = clicked(WORDS, 0);
        let find = |words, at| queen.find_in(&dialog(words, at), &board(), 0.0);
        assert_eq!(find(WORDS, (200.0, 150.0)), Some((220, 160)));
        assert_eq!(
            find(WORDS, (170.0, 190.0)),
            Some((190, 200)),
            "the dialog lies elsewhere"
        );
        assert_eq!(find(["Dame", "Turm", "Springer", "Bauer"], (200.0, 150.0)), None);
        let rook = clicked(WORDS, 1);
        assert_eq!(
            rook.find_in(&dialog(WORDS, (200.0, 150.0)), &board(), 0.0),
            Some((220, 200))
        );
    }

    #[test]
    fn of_two_places_that_show_it_none_is_taken_but_where_it_was() {
        let twice = ["Queen", "Rook", "Queen", "Rook"];
        let small = clicked(["Queen", "", "", ""], 0);
        assert!(small.find_in(&dialog(twice, (200.0, 150.0)), &board(), 0.0).is_some());
        assert_eq!(
            small.find_in(&dialog(["Queen", "", "Queen", ""], (201.0, 151.0)), &board(), 0.0),
            None
        );
    }

    #[test]
    fn a_click_on_nothing_is_no_choice_and_one_at_the_edge_is() {
        let shown = dialog(WORDS, (200.0, 150.0));
        assert!(PromotionChoice::made(Role::Queen, &shown, &board(), (500, 400)).is_none());
        assert!(PromotionChoice::made(Role::Queen, &dialog(WORDS, (2.0, 2.0)), &board(), (10, 10)).is_some());
        assert!(PromotionChoice::made(Role::Queen, &shown, &board(), (700, 10)).is_none());
    }

    #[test]
    fn what_is_written_is_read_again_and_nonsense_is_refused() {
        let knight = PromotionChoice {
            role: Role::Knight,
            ..clicked(WORDS, 3)
        };
        let written = serde_json::to_value(&knight).unwrap();
        assert_eq!(written["piece"], "knight");
        let read: PromotionChoice = serde_json::from_value(written.clone()).unwrap();
        assert_eq!(
            (read.role, read.at, read.from_board),
            (knight.role, knight.at, knight.from_board)
        );
        for (field, value) in [
            ("piece", "king".into()),
            ("click", vec![500, 1].into()),
            ("x", 1e9.into()),
        ] {
            let mut damaged = written.clone();
            damaged[field] = value;
            assert!(serde_json::from_value::<PromotionChoice>(damaged).is_err(), "{field}");
        }
    }
}
