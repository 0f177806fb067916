//! A promotion that is asked for in a way that Torres cannot read, such as in words: while the game is paused for it, it is watched what the user clicks, and
//! that is remembered.

use super::{Driver, Moment, Progress};
use crate::bot::dialog::{Offer, Offered};
use crate::calibration::Choice;
use crate::frame::Frame;
use crate::geometry::{DesktopPx, DesktopRect, FramePx};
use shakmaty::Role;

/// Presses beyond these are not kept: the last ones count.
const PRESSES: usize = 32;

/// What is seen of a dialog while its user chooses.
#[derive(Debug)]
pub(super) struct Asked {
    /// The window with the dialog open, before the user's pointer came.
    shown: Frame,
    /// Where the button was pressed since, each place once.
    pressed: Vec<DesktopPx>,
}

impl Driver<'_> {
    /// The game is paused, since the user has to choose a piece.
    pub(super) fn asks(&mut self, moment: &mut Moment) {
        moment.asked = None;
        if self.mouse.is_none() {
            return;
        }
        if let Ok(shown) = self.eye.grab(self.around_window()) {
            let pressed = Vec::new();
            moment.asked = Some(Asked { shown, pressed });
            let note =
                "what is clicked for it is remembered, and clicked by itself where the page shows the same again";
            (self.tell)(Progress::Note(note));
        }
    }

    /// The window, and what of the board lies beyond it.
    fn around_window(&self) -> DesktopRect {
        let place = self.eye.place();
        place.client().around(&place.region())
    }

    /// Whether the user has the button down, and where.
    pub(super) fn watch_choice(&mut self, asked: &mut Asked) {
        let Some(mouse) = &mut self.mouse else { return };
        let scale = mouse.scale();
        if let Ok(Some(point)) = mouse.pressed_by_others() {
            let at = scale.desktop(point);
            if asked.pressed.last() != Some(&at) && asked.pressed.len() < PRESSES {
                asked.pressed.push(at);
            }
        }
    }

    /// Our pawn has become this piece, after the user was asked to choose it: what was clicked for it is remembered.
    pub(super) fn remember_choice(&mut self, role: Role, asked: &Asked) {
        let Ok(now) = self.eye.grab(self.around_window()) else {
            return;
        };
        let (shown, place) = (&asked.shown, *self.eye.place());
        let board = place.map(shown).rect;
        let made = asked.pressed.iter().rev().find_map(|at| {
            let (x, y) = (at.x - shown.origin.x, at.y - shown.origin.y);
            if x < 0.0 || y < 0.0 {
                return None;
            }
            let choice = Choice::made(role, &shown.image, &board, (x as u32, y as u32))?;
            // What is still there has closed no dialog.
            let is_there = choice.find_in(&now.image, &place.map(&now).rect, self.calibration.noise);
            is_there.is_none().then_some(choice)
        });
        let name = format!("{role:?}").to_lowercase();
        let note = match made {
            Some(choice) => {
                self.choices.push(choice);
                format!("what was clicked for the {name} is remembered")
            }
            None => format!("it was not seen what was clicked for the {name}"),
        };
        self.log.learned(&note);
        (self.tell)(Progress::Note(&note));
    }

    /// Where the page shows what the user clicked for that piece before.
    pub(super) fn remembered(&mut self, role: Role) -> Option<Offer> {
        if !self.choices.iter().any(|choice| choice.role == role) {
            return None;
        }
        let shown = self.eye.grab(self.around_window()).ok()?;
        let map = self.eye.place().map(&shown);
        let mut of_role = self.choices.iter().filter(|choice| choice.role == role);
        let (x, y) = of_role.find_map(|choice| choice.find_in(&shown.image, &map.rect, self.calibration.noise))?;
        let at = FramePx {
            x: f64::from(x),
            y: f64::from(y),
        };
        let offered = Offered {
            at: map.board_point(at),
            over: map.square_at(at),
        };
        Some(Offer::of_one(role, offered))
    }
}
