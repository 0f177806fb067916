//! Capturing the board, reading it, and finding it again when it is lost.

use super::dropped::SHOWN_WITHIN;
use super::{Driver, Ended, Look, Moment, PAUSE_ENDS, Progress};
use crate::bot::dialog::{Offer, offer};
use crate::bot::machine::{Event, Phase};
use crate::bot::place::Lost;
use crate::bot::waking::Pace;
use crate::frame::{Frame, FrameSource, Timestamp};
use crate::mouse::StopReason;
use crate::vision::Reading;
use shakmaty::{Position, Square};
use std::time::Duration;
use tokio::time::Instant;

/// A lost board is looked for this often.
const SEARCH_EVERY: Duration = Duration::from_millis(250);

/// What a look brought.
enum Sight {
    /// There is no board.
    Nothing,
    /// What became of our drag is not on the screen yet.
    TooEarly,
    /// The board, read.
    Board(Box<(Frame, Reading)>),
}

impl Driver<'_> {
    pub(super) fn look(&mut self, moment: &mut Moment) -> Option<Ended> {
        moment.waking.looking_at(self.place.region());
        if let Some((reason, since)) = &moment.paused {
            let waited = Timestamp::now().since(*since);
            let ended = (waited >= PAUSE_ENDS).then(|| Ended::Paused(reason.clone()));
            moment.waking.looked(false, Pace::Resting, Instant::now());
            return ended;
        }
        let (frame, reading) = match self.see(moment) {
            Sight::Board(seen) => *seen,
            Sight::TooEarly => {
                moment.waking.looked(false, Pace::Quick, Instant::now());
                return None;
            }
            Sight::Nothing => {
                moment.waking.looked(false, Pace::Expectant, Instant::now());
                return self.feed(Event::Saw(&Reading::Lost), Timestamp::now(), moment);
            }
        };
        let at = Timestamp::now();
        if let Some(promotion) = self.machine.awaited_dialog()
            && let Some(offer) = self.offered(&frame, promotion)
        {
            moment.last = Some((frame, reading));
            return self.feed(Event::DialogOpen(offer), at, moment);
        }
        (self.tell)(Progress::Looked(Look {
            frame: &frame,
            reading: &reading,
            tracker: &self.tracker,
        }));
        self.log.looked(&frame, &reading, &self.tracker);
        self.log.seen(&frame, &reading, self.tracker.map(), at);
        self.confirm(&frame, &reading, at);
        let orders = self.machine.on(Event::Saw(&reading), at);
        if moment.waking.looked(
            !matches!(reading, Reading::Unchanged),
            self.pace(&reading),
            Instant::now(),
        ) {
            let note = "the screen changes without telling (X Damage); looking all the time instead";
            (self.tell)(Progress::Note(note));
        }
        moment.last = Some((frame, reading));
        self.obey(orders, moment)
    }

    /// Moves that are known are confirmed once the whole board rests in the position after them.
    fn confirm(&mut self, frame: &Frame, reading: &Reading, at: Timestamp) {
        let position = match reading {
            Reading::Seen(sighting) => &sighting.position,
            Reading::Unchanged => self.machine.game().position(),
            _ => return,
        };
        if self.log.awaits_confirmation()
            && let Some(still) = self.tracker.stands(frame, position)
        {
            self.log.stands((frame, self.tracker.map()), still, at);
        }
    }

    /// How soon to look again, changes aside: vision and machine count how long a picture stands.
    fn pace(&self, reading: &Reading) -> Pace {
        match (reading, self.machine.phase()) {
            (Reading::Moving, _) => Pace::Quick,
            (Reading::Unknown(_) | Reading::Lost, _) => Pace::Expectant,
            (_, Phase::Verifying { .. } | Phase::Deselected { .. }) => Pace::Expectant,
            _ if self.log.awaits_confirmation() => Pace::Expectant,
            _ => Pace::Resting,
        }
    }

    /// Captures the board and reads it.
    fn see(&mut self, moment: &mut Moment) -> Sight {
        if moment.lost_since.is_some() && !self.search(moment) {
            return Sight::Nothing;
        }
        self.screen.set_region(Some(self.place.region()));
        let Ok(frame) = self.screen.next_frame() else {
            moment.lost_since.get_or_insert(Timestamp::now());
            return Sight::Nothing;
        };
        let map = self.place.map(&frame);
        if map != *self.tracker.map() {
            self.tracker.moved_to(map);
        }
        if !self.drop_is_shown(&frame, moment) {
            return Sight::TooEarly;
        }
        let mut reading = self.tracker.step(&frame, self.machine.game().position());
        self.log.offer(&frame, &reading, &map);
        self.follow_turn(&reading);
        if let Reading::Seen(sighting) = &mut reading {
            self.machine.prefer_ordered(&mut sighting.line);
        }
        // What is no board at all may look like one in doubt: something else of one colour, say.
        let lost = match &reading {
            Reading::Lost => true,
            Reading::Unknown(_) => self.place.confirmed(&frame).is_none(),
            _ => false,
        };
        if lost {
            self.log.lost(&frame, &reading, &self.tracker);
            moment.lost_since.get_or_insert(Timestamp::now());
            return Sight::Nothing;
        }
        moment.lost_since = None;
        Sight::Board(Box::new((frame, reading)))
    }

    /// A board that was turned round is played on from its other side.
    pub(super) fn follow_turn(&mut self, reading: &Reading) {
        if matches!(reading, Reading::Recalled(recall) if recall.turned) {
            let orientation = self.tracker.map().orientation;
            self.place = self.place.with_orientation(orientation);
            self.log.turned(orientation);
        }
    }

    /// Whether a frame can show what became of our drag, if it is still being proved.
    fn drop_is_shown(&self, frame: &Frame, moment: &mut Moment) -> bool {
        let Phase::Verifying { attempt, released, .. } = self.machine.phase() else {
            moment.drop = None;
            return true;
        };
        let Some(drop) = &moment.drop else { return true };
        let shown =
            frame.at.since(*released) >= SHOWN_WITHIN || drop.is_shown_by(self.tracker.glimpse(frame, &attempt.played));
        if shown {
            moment.drop = None;
        }
        shown
    }

    /// Looks for a lost board every now and then. A closed window stops everything.
    fn search(&mut self, moment: &mut Moment) -> bool {
        let now = Timestamp::now();
        if now.since(moment.searched) < SEARCH_EVERY {
            return false;
        }
        moment.searched = now;
        self.find_again()
    }

    /// Looks for the board on the whole window; true when it is there. A closed window stops everything.
    pub(super) fn find_again(&mut self) -> bool {
        let pieces = Some(self.machine.game().position().board());
        match self.place.find_again(pieces, self.calibration, &mut self.screen) {
            Ok(place) => {
                if place != self.place {
                    (self.tell)(Progress::Note("the board was found at another place"));
                    self.log.board_found(&place);
                }
                self.place = place;
                true
            }
            Err(Lost::WindowGone(_)) => {
                self.stop.trip(StopReason::WindowClosed);
                false
            }
            Err(_) => false,
        }
    }

    /// What the promotion dialog offers, if it is open.
    fn offered(&self, frame: &Frame, promotion: Square) -> Option<Offer> {
        let (before, map) = self.log.before()?;
        let pawn = (promotion, self.machine.own());
        let now = (&*frame.image, self.tracker.map());
        offer((&before.image, map), now, pawn, &self.calibration.look)
    }
}
