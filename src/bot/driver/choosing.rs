//! A promotion that is asked for in a way that Torres cannot read, such as in words: while the game is paused for it,
//! it is watched what the user clicks, and that is remembered.

use super::{Driver, DriverState, Progress};
use crate::dialog::{Offer, Offered};
use crate::eye::Observation;
use crate::notice::LEAST;
use shakmaty::{Role, Square};
use torres_calibration::PromotionChoice;
use torres_frame::Frame;
use torres_geometry::{DesktopPx, DesktopRect, FramePx};
use torres_vision::differ::differs;

/// Presses beyond these are not kept.
const PRESSES: usize = 32;

/// What is seen of a dialog while its user chooses.
#[derive(Debug)]
pub(super) struct Asked {
    /// The window with the dialog open, before the user's pointer came.
    shown: Frame,
    /// Where the button was pressed since.
    pressed: Vec<DesktopPx>,
    /// It was down when it was looked at last.
    is_down: bool,
}

impl Driver<'_> {
    /// The game is paused, since the user has to choose a piece.
    pub(super) fn asks(&mut self, state: &mut DriverState) {
        state.asked = None;
        if self.mouse.is_none() {
            return;
        }
        if let Ok(shown) = self.eye.grab(self.around_window()) {
            state.asked = Some(Asked {
                shown,
                pressed: Vec::new(),
                is_down: false,
            });
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
        let Ok(point) = mouse.pressed_by_others() else { return };
        let was_down = std::mem::replace(&mut asked.is_down, point.is_some());
        if let Some(point) = point.filter(|_| !was_down && asked.pressed.len() < PRESSES) {
            asked.pressed.push(scale.desktop(point));
        }
    }

    /// Whether the board looks as it did under the dialog, but for what a pointer over it changes.
    pub(super) fn is_open_still(&self, asked: &Asked, seen: &Observation) -> bool {
        let shown = (&*asked.shown.image, &self.eye.place().map(&asked.shown));
        let now = (&*seen.frame.image, &seen.map);
        let differ = Square::ALL.into_iter().filter(|square| differs(shown, now, *square));
        differ.count() < LEAST
    }

    /// Our pawn has become this piece, after the user was asked to choose it: what was clicked for it is remembered.
    pub(super) fn remember_choice(&mut self, role: Role, asked: &Asked) {
        let Ok(now) = self.eye.grab(self.around_window()) else {
            return;
        };
        let (shown, place) = (&asked.shown, *self.eye.place());
        let board = place.map(shown).rect;
        let made = asked.pressed.iter().filter_map(|at| {
            let (x, y) = (at.x - shown.origin.x, at.y - shown.origin.y);
            if x < 0.0 || y < 0.0 {
                return None;
            }
            let choice = PromotionChoice::made(role, &shown.image, &board, (x as u32, y as u32))?;
            // What is still there has closed no dialog.
            let is_there = choice.find_in(&now.image, &place.map(&now).rect, self.calibration.noise);
            is_there.is_none().then_some(choice)
        });
        let mut made: Vec<PromotionChoice> = made.collect();
        made.dedup_by(|one, other| one.picture == other.picture);
        let name = format!("{role:?}").to_lowercase();
        let note = match &made[..] {
            [choice] => {
                self.choices.push(choice.clone());
                format!("what was clicked for the {name} is remembered")
            }
            [] => format!("it was not seen what was clicked for the {name}"),
            // What the first click has chosen is not to be seen at the last one's place.
            _ => format!("the {name} took more than one click: that is not remembered"),
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
