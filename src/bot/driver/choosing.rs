//! A promotion that is asked for in a way that Torres cannot read, such as in words: while the game is paused for it,
//! it is watched what the user clicks, and that is remembered.

use super::{Driver, DriverState, Progress};
use crate::dialog::{Offer, Offered};
use crate::eye::Observation;
use crate::notice::LEAST;
use crate::opened::Surroundings;
use crate::part::found;
use shakmaty::Role;
use torres_calibration::PromotionChoice;
use torres_frame::Frame;
use torres_geometry::{DesktopPx, DesktopRect, FramePx};
use torres_mouse::{Mouse, Presses};
use torres_vision::differ::differing_squares;

/// What is told of a dialog that opens, or changes, after the question.
const DIALOG_CHANGED: &str = "the dialog has changed since the question: the click in it is watched";

/// What is seen of a dialog while its user chooses.
#[derive(Debug)]
pub(super) struct Asked {
    /// The window with the dialog open, before the user's pointer came.
    shown: Frame,
    /// Where the button is pressed since.
    presses: Presses,
    /// Where the pointer was in that picture.
    pointer: Option<DesktopPx>,
    /// The dialog has changed since the question, and that was told: one whose pieces move changes in every look.
    has_changed: bool,
}

impl Driver<'_> {
    /// Begins to watch what the user does, before the user is asked to choose a piece. `None` where that cannot be
    /// seen.
    pub(super) fn will_ask(&mut self, state: &DriverState) -> Option<Asked> {
        self.mouse.as_ref()?;
        let presses = Presses::watch().ok()?;
        let shown = self.eye.grab(self.around_window(&self.opened(state))).ok()?;
        Some(Asked {
            shown,
            presses,
            pointer: self.pointer(),
            has_changed: false,
        })
    }

    /// A dialog may open after the user was asked: what changes as many squares, before anything was pressed, is what
    /// the user chooses in. What lights up under the user's pointer is no other dialog.
    pub(super) fn look_for_late_dialog(&mut self, asked: &mut Asked) {
        let Ok(now) = self.eye.grab(region(&asked.shown)) else {
            return;
        };
        let (place, pointer) = (*self.eye.place(), self.pointer());
        let (shown, map) = ((&*asked.shown.image, &place.map(&asked.shown)), place.map(&now));
        let changed = differing_squares(shown, (&now.image, &map));
        let moved = pointer.filter(|at| asked.pointer != Some(*at));
        let beneath = moved.and_then(|at| map.square_at(now.to_frame(at)));
        let is_lit = beneath.is_some_and(|square| changed.contains(square));
        if changed.count() >= LEAST && !is_lit && asked.presses.seen().is_empty() {
            (asked.shown, asked.pointer) = (now, pointer);
            if !std::mem::replace(&mut asked.has_changed, true) {
                (self.tell)(Progress::Note(DIALOG_CHANGED));
                self.log.learned(DIALOG_CHANGED);
            }
        }
    }

    /// Where the pointer is.
    fn pointer(&mut self) -> Option<DesktopPx> {
        let mouse = self.mouse.as_mut()?;
        let at = mouse.position().ok()?;
        Some(mouse.scale().desktop(at))
    }

    /// Where windows lie that the program with the board has opened since our pawn's last step.
    pub(super) fn opened(&self, state: &DriverState) -> Vec<DesktopRect> {
        let opened = |before: &Surroundings| before.opened(self.eye.place().window());
        state.around.as_ref().map(opened).unwrap_or_default()
    }

    /// The window, what of the board lies beyond it, and these windows of its program.
    pub(super) fn around_window(&self, opened: &[DesktopRect]) -> DesktopRect {
        let place = self.eye.place();
        let around = place.client().around(&place.region());
        opened.iter().fold(around, |all, window| all.around(window))
    }

    /// Whether the board looks as it did under the dialog, but for what a pointer over it changes.
    pub(super) fn is_open_still(&self, asked: &Asked, seen: &Observation) -> bool {
        let shown = (&*asked.shown.image, &self.eye.place().map(&asked.shown));
        let now = (&*seen.frame.image, &seen.map);
        differing_squares(shown, now).count() < LEAST
    }

    /// Our pawn has become this piece, after the user was asked to choose it: what was clicked for it is remembered.
    pub(super) fn remember_choice(&mut self, role: Role, asked: &Asked) {
        let Some(scale) = self.mouse.as_ref().map(Mouse::scale) else {
            return;
        };
        let Ok(now) = self.eye.grab(region(&asked.shown)) else {
            return;
        };
        let (shown, place) = (&asked.shown, *self.eye.place());
        let board = place.map(shown).rect;
        let made = asked.presses.settled().into_iter().filter_map(|point| {
            let FramePx { x, y } = shown.to_frame(scale.desktop(point));
            if x < 0.0 || y < 0.0 {
                return None;
            }
            let choice = PromotionChoice::made(role, &shown.image, &board, (x as u32, y as u32))?;
            let is_there = choice.find_in(&now.image, &place.map(&now).rect, self.calibration.noise);
            Some((choice, is_there.is_some()))
        });
        let mut made = that_chose(made.collect());
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
    pub(super) fn remembered(&mut self, role: Role, state: &DriverState) -> Option<Offer> {
        if !self.choices.iter().any(|choice| choice.role == role) {
            return None;
        }
        let shown = self.eye.grab(self.around_window(&self.opened(state))).ok()?;
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

/// What of the desktop a frame shows.
fn region(frame: &Frame) -> DesktopRect {
    found(frame, (0, 0), frame.image.dimensions())
}

/// What has chosen the piece, of all that was clicked, each with whether it is still there. What is still there has
/// closed no dialog. Where nothing else was clicked, it counts all the same: it may be a key that stays.
fn that_chose(clicked: Vec<(PromotionChoice, bool)>) -> Vec<PromotionChoice> {
    let is_single = clicked.len() == 1;
    let chose = clicked.into_iter().filter(|(_, is_there)| !is_there || is_single);
    chose.map(|(choice, _)| choice).collect()
}
