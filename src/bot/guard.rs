//! The opponent guard: before every gesture, does the panel still name the bot that the user vouched for?
//!
//! What it knows is what a picture tells: that the panel's pixels are those the user vouched for. It does not read
//! names, and cannot know who moves the pieces behind a panel that looks the same.
//!
//! The panel is where it lies relative to the board. When the page was laid out anew (its window resized, its text zoomed), it is looked for:
//! pixel for pixel the same elsewhere in the window, or else, in a game in which it was seen before, enlarged or reduced near the board. Text of
//! another size has other pixels, and by them names that differ in a letter cannot be told apart ([`PanelPicture::unlikeness`]): so much is
//! taken on trust. What was followed is compared pixel for pixel from then on.

use super::place::Place;
use crate::calibration::{Calibration, Opponent, PanelPicture, PanelVerdict};
use crate::frame::{Frame, FrameError};
use crate::geometry::{BoardRect, DesktopRect};
use image::imageops;

/// Boards whose sides differ by more than this, in pixels, have different sizes.
const SAME_SIZE: f64 = 1.5;

/// By how much browsers enlarge and reduce pages. A page that is laid out by its window's size may keep its board's size and not its text's.
const ZOOMS: [f64; 11] = [0.5, 0.67, 0.75, 0.8, 0.9, 1.1, 1.25, 1.33, 1.5, 1.75, 2.0];

/// Boards are rounded to whole squares: an enlarged or reduced panel is looked for so far beside where it should be, in pixels, in
/// steps that [`PanelPicture::unlikeness`] makes up for.
const ACROSS: i32 = 12;
const DOWN: i32 = 4;
const NUDGE: i32 = 4;

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

/// What the panel turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Panel {
    /// Where it should be, as it should be.
    Same,
    /// The page was laid out anew; the panel was found in its new place. To be asked for again there before anything is done.
    Followed,
}

/// Why the panel is not what it should be.
#[derive(Clone, Debug)]
pub struct Refused {
    /// In words.
    pub why: String,
    /// What was looked at.
    pub seen: Option<Frame>,
    /// The page has just been laid out anew: it may not be drawn whole yet.
    pub may_settle: bool,
}

/// Follows the panel over the desktop.
#[derive(Clone, Debug)]
pub struct Guard {
    noise: f64,
    /// Where board and panel lay, and how the panel looked, when that was known last.
    board: BoardRect,
    panel: DesktopRect,
    picture: PanelPicture,
    /// The window's content then; `None` before the panel was seen in this game.
    client: Option<DesktopRect>,
}

impl Guard {
    /// The panel as it was calibrated.
    pub fn new(opponent: &Opponent, calibration: &Calibration) -> Guard {
        let panel = opponent.panel;
        Guard {
            noise: calibration.noise,
            board: calibration.board,
            panel: DesktopRect {
                x: panel.x,
                y: panel.y,
                width: panel.width,
                height: panel.height,
            },
            picture: opponent.picture.clone(),
            client: None,
        }
    }

    /// Compares the panel with what is on the screen now, where `grab` takes its pixels from.
    pub fn check(
        &mut self,
        place: &Place,
        grab: &mut dyn FnMut(DesktopRect) -> Result<Frame, FrameError>,
    ) -> Result<Panel, Box<Refused>> {
        let anew = self.is_laid_out_anew(place);
        let refused = |why: String, seen| {
            Box::new(Refused {
                why,
                seen,
                may_settle: anew,
            })
        };
        let expected = self.expected(place);
        let frame = grab(expected).map_err(|e| refused(e.to_string(), None))?;
        let verdict = self.picture.compare(&frame.image, self.noise);
        if verdict == PanelVerdict::Same {
            self.seen(place, expected);
            return Ok(Panel::Same);
        }
        if anew {
            let whole = grab(place.client()).map_err(|e| refused(e.to_string(), None))?;
            if self.follow(place, &whole) {
                return Ok(Panel::Followed);
            }
        }
        let why = match verdict {
            PanelVerdict::OffScreen => "it is not wholly on the screen".to_owned(),
            PanelVerdict::Changed { pixels } => format!(
                "{pixels} pixels of the panel that names the bot look different; if it is still the same bot, calibrate again"
            ),
            PanelVerdict::Same => String::new(),
        };
        Err(refused(why, Some(frame)))
    }

    /// Whether board or window have another size than when the panel was seen last.
    fn is_laid_out_anew(&self, place: &Place) -> bool {
        let size = |client: DesktopRect| (client.width, client.height);
        (place.board().width() - self.board.width()).abs() > SAME_SIZE
            || self.client.is_some_and(|before| size(before) != size(place.client()))
    }

    /// Where it lies if the page has only moved.
    fn expected(&self, place: &Place) -> DesktopRect {
        let board = place.board();
        DesktopRect {
            x: self.panel.x + (board.x() - self.board.x()).round() as i32,
            y: self.panel.y + (board.y() - self.board.y()).round() as i32,
            ..self.panel
        }
    }

    fn seen(&mut self, place: &Place, panel: DesktopRect) {
        self.board = place.board();
        self.panel = panel;
        self.client = Some(place.client());
    }

    /// Looks for the panel in the window; false when it is not there for sure.
    fn follow(&mut self, place: &Place, whole: &Frame) -> bool {
        let on_desktop = |x: u32, y: u32, width: u32, height: u32| DesktopRect {
            x: whole.origin.x as i32 + x as i32,
            y: whole.origin.y as i32 + y as i32,
            width,
            height,
        };
        if let Some((x, y)) = self.picture.find_in(&whole.image, self.noise) {
            let (width, height) = self.picture.size();
            self.seen(place, on_desktop(x, y, width, height));
            return true;
        }
        // Nothing but the user's word says that a panel of another size, never seen before, is the one vouched for.
        let Some(client) = self.client else { return false };
        let (left, top) = (whole.origin.x as i32, whole.origin.y as i32);
        let inside = |rect: &DesktopRect| {
            let (x, y) = (rect.x - left, rect.y - top);
            let fits = x >= 0
                && y >= 0
                && x as u32 + rect.width <= whole.image.width()
                && y as u32 + rect.height <= whole.image.height();
            fits.then(|| imageops::crop_imm(&whole.image, x as u32, y as u32, rect.width, rect.height))
        };
        let reduced = self.picture.reduced();
        let alike = self.scaled(client, place).into_iter().filter_map(|rect| {
            let part = inside(&rect)?;
            Some((reduced.unlikeness(&*part), rect))
        });
        let best = alike.min_by(|a, b| a.0.total_cmp(&b.0));
        let best = best.filter(|(unlikeness, _)| *unlikeness <= PanelPicture::ALIKE);
        match best.and_then(|(_, rect)| Some((rect, inside(&rect)?.to_image()))) {
            Some((rect, part)) => {
                self.picture = PanelPicture::new(&part);
                self.seen(place, rect);
                true
            }
            None => false,
        }
    }

    /// Where it may lie when it was enlarged or reduced: about as far, on that scale, from one of the corners of board or window
    /// as it was.
    fn scaled(&self, client: DesktopRect, place: &Place) -> Vec<DesktopRect> {
        let (was, is) = (self.board, place.board());
        let corners = |board: &BoardRect, client: DesktopRect| {
            let (x, y) = (f64::from(client.x), f64::from(client.y));
            let client = (x, y, x + f64::from(client.width), y + f64::from(client.height));
            let board = (
                board.x(),
                board.y(),
                board.x() + board.width(),
                board.y() + board.height(),
            );
            [board, client]
                .map(|(left, top, right, bottom)| [(left, top), (right, top), (left, bottom), (right, bottom)])
        };
        let from = corners(&was, client).into_iter().flatten();
        let corners: Vec<_> = from.zip(corners(&is, place.client()).into_iter().flatten()).collect();
        let about = |reach: i32| (-reach..=reach).step_by(NUDGE as usize);
        let mut found = Vec::new();
        for scale in ZOOMS.into_iter().chain([is.width() / was.width()]) {
            let width = (f64::from(self.panel.width) * scale).round() as u32;
            let height = (f64::from(self.panel.height) * scale).round() as u32;
            for (from, to) in &corners {
                let at = |panel: i32, from: f64, to: f64| (to + (f64::from(panel) - from) * scale).round() as i32;
                let (x, y) = (at(self.panel.x, from.0, to.0), at(self.panel.y, from.1, to.1));
                for (dx, dy) in about(ACROSS).flat_map(|dx| about(DOWN).map(move |dy| (dx, dy))) {
                    found.push(DesktopRect {
                        x: x + dx,
                        y: y + dy,
                        width,
                        height,
                    });
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Timestamp;
    use crate::geometry::{DesktopPx, FramePx};
    use crate::picture::text;
    use image::{Rgba, RgbaImage};

    const GROUND: Rgba<u8> = Rgba([38, 36, 33, 255]);

    /// A desktop with a window on it, in which a panel lies beside a board.
    struct Desk {
        picture: RgbaImage,
        place: Place,
    }

    impl Desk {
        /// Board and panel on a scale each, the panel's distance from the board on its own.
        fn new(board: f64, panel: f64, name: &str) -> Desk {
            let client = DesktopRect {
                x: 50,
                y: 40,
                width: (900.0 * board) as u32,
                height: 700,
            };
            let mut picture = RgbaImage::from_pixel(1200, 900, GROUND);
            let rect = BoardRect::new(70.0, 60.0, 400.0 * board, 400.0 * board).unwrap();
            let at = FramePx {
                x: 70.0 + 400.0 * board + 74.0 * panel,
                y: 60.0 + 14.0 * panel,
            };
            text(&mut picture, at, 20.0 * panel, Rgba([238, 238, 238, 255]), name);
            Desk {
                picture,
                place: Place::at(rect, client),
            }
        }

        fn grab(&self, region: DesktopRect) -> Frame {
            let (x, y) = (region.x as u32, region.y as u32);
            Frame {
                image: imageops::crop_imm(&self.picture, x, y, region.width, region.height).to_image(),
                at: Timestamp::default(),
                origin: DesktopPx {
                    x: f64::from(region.x),
                    y: f64::from(region.y),
                },
            }
        }

        fn check(&self, guard: &mut Guard) -> Result<Panel, Box<Refused>> {
            guard.check(&self.place, &mut |region| Ok(self.grab(region)))
        }
    }

    /// The guard as calibrated on the desk.
    fn guard(desk: &Desk) -> Guard {
        let panel = DesktopRect {
            x: 492,
            y: 62,
            width: 240,
            height: 48,
        };
        Guard {
            noise: 0.0,
            board: desk.place.board(),
            panel,
            picture: PanelPicture::new(&desk.grab(panel).image),
            client: None,
        }
    }

    #[test]
    fn a_panel_that_moves_with_the_board_is_the_same_and_another_name_is_refused() {
        let desk = Desk::new(1.0, 1.0, "Robin the bot");
        let mut guard = guard(&desk);
        assert_eq!(desk.check(&mut guard).ok(), Some(Panel::Same));
        let refused = Desk::new(1.0, 1.0, "Robyn the bot").check(&mut guard).unwrap_err();
        assert!(!refused.may_settle && refused.seen.is_some());
        assert_eq!(desk.check(&mut guard).ok(), Some(Panel::Same));
    }

    #[test]
    fn a_panel_that_a_resized_page_put_elsewhere_is_followed_also_before_the_first_move() {
        let mut guard = guard(&Desk::new(1.0, 1.0, "Robin the bot"));
        let smaller = Desk::new(0.8, 1.0, "Robin the bot");
        // Once found, it has to be there at the next look.
        assert_eq!(smaller.check(&mut guard).ok(), Some(Panel::Followed));
        assert_eq!(smaller.check(&mut guard).ok(), Some(Panel::Same));
        assert!(Desk::new(0.8, 1.0, "Robyn the bot").check(&mut guard).is_err());
    }

    #[test]
    fn a_zoomed_panel_is_followed_if_it_was_seen_in_this_game_and_shows_no_other_name() {
        let desk = Desk::new(1.0, 1.0, "Robin the bot");
        let zoomed = Desk::new(0.75, 0.75, "Robin the bot");
        let mut fresh = guard(&desk);
        assert!(zoomed.check(&mut fresh).unwrap_err().may_settle);
        let mut seen = guard(&desk);
        desk.check(&mut seen).unwrap();
        let mut other = seen.clone();
        assert_eq!(zoomed.check(&mut seen).ok(), Some(Panel::Followed));
        assert_eq!(zoomed.check(&mut seen).ok(), Some(Panel::Same));
        // From here on every pixel counts again.
        assert!(Desk::new(0.75, 0.75, "Robyn the bot").check(&mut seen).is_err());
        assert!(Desk::new(0.75, 0.75, "GrandmasterX").check(&mut other).is_err());
    }

    #[test]
    fn a_page_whose_text_was_zoomed_and_whose_board_grew_is_followed_too() {
        let desk = Desk::new(1.0, 1.0, "Robin the bot");
        let mut guard = guard(&desk);
        desk.check(&mut guard).unwrap();
        let zoomed = Desk::new(1.13, 0.8, "Robin the bot");
        assert_eq!(zoomed.check(&mut guard).ok(), Some(Panel::Followed));
    }
}
