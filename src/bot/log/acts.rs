//! What the mouse does, and what was looked at right before.

use super::Log;
use crate::machine::{Aim, PauseReason};
use crate::place::BoardPlace;
use shakmaty::Move;
use torres_chess::uci;
use torres_frame::{Clocks, Frame, Timestamp};
use torres_geometry::{BoardMap, DesktopRect, InputPt};
use torres_journal::{Event, GestureKind, event};
use torres_mouse::{Gesture, Performed};

impl Log {
    /// What was seen right before a move was entered; the contact sheet shows it.
    pub(crate) fn before_gesture(&mut self, frame: &Frame, map: BoardMap) {
        self.before = Some((frame.clone(), map));
    }

    /// What was seen right before the move being entered.
    pub(crate) fn before(&self) -> Option<(&Frame, &BoardMap)> {
        self.before.as_ref().map(|(frame, map)| (frame, map))
    }

    /// A move was shown to the user.
    pub(crate) fn advised(&mut self, advice: Move) {
        self.write(Event::Advised { played: uci(advice) });
    }

    /// The final check let this pass; it was awaited since `poised`.
    pub(crate) fn checked(&mut self, aim: &Aim, board: &BoardPlace, panel: DesktopRect, poised: Timestamp) {
        self.write(Event::Checked(event::Checked {
            played: aim.name(),
            board: board.board().into(),
            stands: aim.needs_position(),
            panel: panel.into(),
            took_ms: Timestamp::now().since(poised).as_secs_f64() * 1e3,
        }));
    }

    pub(crate) fn performed(&mut self, aim: &Aim, gesture: &Gesture, performed: &Performed) {
        let (kind, points): (_, &[InputPt]) = match gesture {
            Gesture::Drag { from, to, .. } => (GestureKind::Drag, &[*from, *to]),
            Gesture::ClickClick { from, to } => (GestureKind::Clicks, &[*from, *to]),
            Gesture::Click(at) | Gesture::MoveTo(at) => match aim {
                Aim::Choose { .. } => (GestureKind::Promotion, &[*at]),
                Aim::Enter { .. } => (GestureKind::Target, &[*at]),
                Aim::Deselect { .. } | Aim::Advise(_) => (GestureKind::Deselect, &[*at]),
            },
        };
        self.gesture(kind, aim.name(), points, performed);
    }

    /// A drag was taken back, since its piece did not follow, and released where it was pressed.
    pub(crate) fn given_up(&mut self, aim: &Aim, gesture: &Gesture, performed: &Performed) {
        let Gesture::Drag { from, to, .. } = *gesture else {
            return;
        };
        self.gesture(GestureKind::GivenUp, aim.name(), &[from, to, from], performed);
    }

    /// The pointer was taken off the board.
    pub(crate) fn taken_aside(&mut self, gesture: &Gesture, performed: &Performed) {
        let Gesture::MoveTo(at) = *gesture else { return };
        self.gesture(GestureKind::Aside, "beside the board".to_owned(), &[at], performed);
    }

    fn gesture(&mut self, kind: GestureKind, played: String, points: &[InputPt], performed: &Performed) {
        let clocks = Clocks::now();
        let gesture = Event::Gesture(event::Gesture {
            kind,
            played,
            points: points.iter().map(|p| (p.x, p.y)).collect(),
            released_t_ms: clocks.wall(performed.released_at),
        });
        self.write_at(&clocks, clocks.moment, gesture);
    }

    /// What was aimed at was not done.
    pub(crate) fn refused(&mut self, aim: &Aim, reason: &PauseReason) {
        self.write(Event::Refused {
            reason: format!("{}: {reason}", aim.name()),
            evidence: None,
        });
    }
}
