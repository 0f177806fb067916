//! What the hand does, and what was looked at right before.

use super::Log;
use crate::bot::game::uci;
use crate::bot::place::Place;
use crate::bot::terms::PauseReason;
use crate::frame::{Clocks, Frame, Timestamp};
use crate::geometry::{BoardMap, DesktopRect, InputPt};
use crate::journal::{Event, GestureKind};
use crate::mouse::{Gesture, Performed};
use shakmaty::Move;

impl Log {
    /// What the next gesture is for: a move, or the square of a click.
    pub(in crate::bot) fn entering(&mut self, what: String) {
        self.entering = what;
    }

    /// What was seen right before a move was entered; the contact sheet shows it.
    pub(in crate::bot) fn before_gesture(&mut self, frame: &Frame, map: BoardMap) {
        self.before = Some((frame.clone(), map));
    }

    /// What was seen right before the move being entered.
    pub(in crate::bot) fn before(&self) -> Option<(&Frame, &BoardMap)> {
        self.before.as_ref().map(|(frame, map)| (frame, map))
    }

    /// A move was shown to the user.
    pub(in crate::bot) fn advised(&mut self, advice: Move) {
        self.write(Event::Advised { played: uci(advice) });
    }

    /// The last look before a gesture, begun at `began`, let it pass.
    pub(in crate::bot) fn checked(&mut self, board: &Place, stands: bool, panel: DesktopRect, began: Timestamp) {
        self.write(Event::Checked {
            played: self.entering.clone(),
            board: board.board().into(),
            stands,
            panel: panel.into(),
            took_ms: Timestamp::now().since(began).as_secs_f64() * 1e3,
        });
    }

    pub(in crate::bot) fn performed(&mut self, kind: GestureKind, gesture: &Gesture, performed: &Performed) {
        let points: &[InputPt] = match gesture {
            Gesture::Drag { from, to } | Gesture::ClickClick { from, to } => &[*from, *to],
            Gesture::Click(at) | Gesture::MoveTo(at) => &[*at],
        };
        let points = points.iter().map(|p| (p.x, p.y)).collect();
        let clocks = Clocks::now();
        let gesture = Event::Gesture {
            kind,
            played: self.entering.clone(),
            points,
            released_t_ms: clocks.wall(performed.released_at),
        };
        self.write_at(&clocks, clocks.moment, gesture);
    }

    pub(in crate::bot) fn refused(&mut self, reason: &PauseReason) {
        self.write(Event::Refused {
            reason: format!("{}: {reason}", self.entering),
            evidence: None,
        });
    }
}
