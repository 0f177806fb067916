//! A look: the board is captured and read, and the machine is told what that shows.

use super::hanging::ASKED_AFTER;
use super::{Driver, DriverState, Ended, PAUSE_ENDS, Progress};
use crate::dialog::{Offer, is_open_over, may_cover, offer, offer_beside, offer_elsewhere, offer_over, through_veil};
use crate::eye::{CaptureError, Observation, Shot};
use crate::look_timer::Pace;
use crate::machine::{Aim, Attempt, Event, Order, Phase};
use crate::notice::{lies_over, shows_through_filter};
use crate::page_change::PageChange;
use crate::selection::{Pictured, has_answered, is_selected};
use crate::site_clocks::Running;
use shakmaty::{Bitboard, Color, Position, Square};
use std::time::Duration;
use tokio::time::Instant;
use torres_frame::{Frame, Timestamp};
use torres_mouse::StopReason;
use torres_vision::differ::differing_squares;
use torres_vision::tracker::examine;
use torres_vision::{Appearance, OwnSide, Reading};

/// How often the page beside the board is looked at where no move comes.
const PAGE_EVERY: Duration = Duration::from_secs(1);
/// So long after our move the page has answered it: moves are listed, and names of openings.
const ANSWERED_AFTER: Duration = Duration::from_millis(400);

/// How soon a promotion's pieces are looked for once more beside a board that has not changed.
const SEARCH_AGAIN: Duration = Duration::from_millis(300);

/// Where so many squares differ from one picture to the next, the board lies elsewhere in it.
const MOVED: usize = 24;

/// A window before our pawn went and now, both of one size.
struct Around {
    before: Frame,
    now: Frame,
}

/// One search for the pieces that a dialog offers.
pub(super) struct Search {
    /// The board alone in which they were looked for.
    board: Frame,
    /// The window around it.
    around: Option<Frame>,
    found: Option<Offer>,
    at: Instant,
}

impl Search {
    /// Whether it was made in this same picture of the window.
    fn is_of(&self, around: Option<&Around>) -> bool {
        let images = (self.around.as_ref(), around.map(|around| &around.now));
        matches!(images, (Some(searched), Some(now)) if searched.image == now.image)
    }
}

impl Driver<'_> {
    pub(super) fn look(&mut self, state: &mut DriverState) -> Option<Ended> {
        state.timer.looking_at(self.eye.place().region());
        if state.paused.is_some() {
            return self.look_while_paused(state);
        }
        let begun = Instant::now();
        (state.worked, state.acted) = (false, Duration::ZERO);
        let ended = self.look_at_board(state);
        // A look at what is understood is short: a long one stood still.
        if state.worked {
            self.machine.worked_for(begun.elapsed().saturating_sub(state.acted));
        }
        ended
    }

    fn look_at_board(&mut self, state: &mut DriverState) -> Option<Ended> {
        let aim = self.machine.aim();
        let position = self.machine.game().position();
        let guard = aim.is_some().then_some(&self.guard);
        let awaited = self.machine.awaited_dialog().is_some();
        let shot = match self.eye.capture(position.board(), guard, awaited) {
            Ok(shot) => shot,
            Err(CaptureError::NoBoard) => {
                state.worked = true;
                return self.covered_or_gone(state);
            }
            Err(CaptureError::WindowClosed) => {
                self.stop.trip(StopReason::WindowClosed);
                return Some(Ended::Stopped(StopReason::WindowClosed));
            }
        };
        if shot.found {
            (self.tell)(Progress::Note("the board was found at another place"));
            self.log.board_found(self.eye.place());
        }
        self.look_for_answer(&shot, state);
        if !self.drop_is_shown(&shot.board, state) {
            state.timer.looked(false, Pace::Quick, Instant::now());
            return None;
        }
        if state
            .aside
            .as_ref()
            .is_some_and(|drop| drop.is_answered_by(&shot.board))
        {
            state.aside = None;
            // What lay under the pointer may look otherwise now.
            return self.take_aside(state);
        }
        let own = self.mouse.is_some().then(|| OwnSide {
            color: self.machine.own(),
            entered: self.machine.entered(),
            chosen: self.machine.is_piece_chosen(),
        });
        let seen = self.eye.read(&shot, self.machine.game().position(), awaited, own);
        state.worked |= !seen.reading.is_understood();
        self.log.offer(&seen, &shot.map);
        state.strange |= matches!(seen.reading, Reading::Unknown(_) | Reading::Lost);
        self.look_for_next_game(state);
        if let Some(ended) = self.look_for_notice(&seen, state) {
            return Some(ended);
        }
        if !seen.board_present {
            self.log.lost(&seen, self.eye.tracker());
            return self.no_board(state);
        }
        self.seen(seen, &shot, aim, state)
    }

    /// Looks for what the user is asked to show, and ends a pause that lasted for too long.
    fn look_while_paused(&mut self, state: &mut DriverState) -> Option<Ended> {
        if let Some(asked) = &mut state.asked {
            self.look_for_late_dialog(asked);
        }
        state.timer.looked(false, Pace::Resting, Instant::now());
        let (reason, since) = state.paused.as_ref()?;
        let waited = Timestamp::now().since(*since);
        (waited >= PAUSE_ENDS).then(|| Ended::Paused(reason.clone()))
    }

    /// Whether the page has drawn anything since our gesture that may be its answer.
    fn look_for_answer(&mut self, shot: &Shot, state: &mut DriverState) {
        let now = (&*shot.board.image, &shot.map);
        let game = self.machine.game();
        let has_drawn = |before: &Frame| {
            let pictures = ((&*before.image, &shot.map), now);
            match self.machine.touched() {
                Some(Attempt { played, .. }) if before.image.dimensions() == now.0.dimensions() => {
                    has_answered(pictures, game.position(), played, game.moves())
                }
                _ => before.image != shot.board.image,
            }
        };
        if state.undrawn.take_if(|before| has_drawn(before)).is_some() {
            self.machine.on(Event::Drew, Timestamp::now());
        }
        let is_late = |before: &Frame| shot.board.at.since(before.at) >= ASKED_AFTER;
        if state.undrawn.as_ref().is_some_and(is_late) {
            let hangs = state.hanging.look(self.eye.place().window());
            self.machine.on(Event::Hangs(hangs), Timestamp::now());
        }
    }

    /// Whether the page shows the button of the next game by now.
    fn look_for_next_game(&mut self, state: &mut DriverState) {
        let (now, place) = (Timestamp::now(), *self.eye.place());
        if self.next_game.is_none() {
            *self.next_game = state.shown_in_game.look(now);
        }
        let Some(next_game) = self.next_game.as_mut() else {
            return;
        };
        let eye = &mut self.eye;
        let told = next_game.look(&place, state.strange, now, &mut |region| eye.grab(region));
        let Some(shown) = told else { return };
        state.strange = false;
        if shown && !state.offered {
            (self.tell)(Progress::Note("the page shows the button of the next game"));
        }
        state.offered = shown;
        self.machine.on(Event::NextGame(shown), now);
    }

    /// Whether a notice lies over the board, where it would tell of an end.
    fn look_for_notice(&mut self, seen: &Observation, state: &mut DriverState) -> Option<Ended> {
        let after = self.machine.may_end_beneath_notice()?;
        let tracker = self.eye.tracker();
        // Where a draw may be claimed the position beneath is the one believed: it may be understood all the same.
        let may_be = self.machine.entered_end().is_none() || !seen.reading.is_understood();
        state.worked |= may_be;
        let over = may_be && {
            let (appearance, picture) = (tracker.appearance(), (&*seen.frame.image, &seen.map));
            let shown = examine(appearance, picture.0, picture.1, &after, None);
            let before = self.machine.game().position();
            lies_over(&shown.seen.reading, after.board())
                || shows_through_filter(appearance, picture, (before.board(), after.board()))
        };
        // The dialog that the user was asked to choose in may lie there still.
        let over = over
            && !state
                .asked
                .as_ref()
                .is_some_and(|asked| self.is_open_still(asked, seen));
        self.feed(Event::Notice(over), Timestamp::now(), state)
    }

    /// No board is found. A notice may leave too little of it to be found by, and enough to know where the game ends.
    fn covered_or_gone(&mut self, state: &mut DriverState) -> Option<Ended> {
        if self.machine.may_end_beneath_notice().is_some()
            && let Some(unfound) = self.eye.unfound()
            && let Some(ended) = self.look_for_notice(&unfound, state)
        {
            return Some(ended);
        }
        self.no_board(state)
    }

    /// There is no board to be read. What lies over it may tell of an end, and so may the clocks beside it.
    fn no_board(&mut self, state: &mut DriverState) -> Option<Ended> {
        state.timer.looked(false, Pace::Expectant, Instant::now());
        self.look_for_next_game(state);
        self.read_clocks(Timestamp::now(), false);
        self.feed(Event::Saw(&Reading::Lost), Timestamp::now(), state)
    }

    /// The board was read.
    fn seen(&mut self, mut seen: Observation, shot: &Shot, aim: Option<Aim>, state: &mut DriverState) -> Option<Ended> {
        let at = Timestamp::now();
        if let Reading::Played(explained) = &mut seen.reading
            && let Some(line) = self.machine.with_queen(&explained.line)
        {
            explained.line = line;
        }
        if matches!(&seen.reading, Reading::Recalled(recall) if recall.turned) {
            self.log.turned(seen.map.orientation);
        }
        if let Some(promotion) = self.machine.awaited_dialog()
            && let Some(offer) = self.offered(&seen, promotion, state)
        {
            state.last = Some(seen);
            state.timer.looked(true, Pace::Quick, Instant::now());
            return self.dialog_is_open(offer, shot, aim, state);
        }
        if self.waits_in_a_dialog(&seen) {
            state.last = Some(seen);
            state.timer.looked(true, Pace::Expectant, Instant::now());
            return self.feed(Event::DialogWaits, at, state);
        }
        (self.tell)(Progress::Observation(&seen, self.eye.tracker()));
        self.log.looked(&seen, self.eye.tracker());
        self.log.seen(&seen, at);
        self.confirm(&seen, at);
        self.read_clocks(at, true);
        self.look_at_page(at, state);
        if seen.reading.is_understood()
            && let Some((left, before)) = state.left.take()
        {
            let changed = differing_squares((&before.frame.image, &before.map), (&seen.frame.image, &seen.map));
            let alone = changed == Bitboard::from_square(left);
            self.machine.on(Event::ChangedUnderPointer(alone), at);
        }
        if let Some(selected) = self.leaves_selected(&seen, state) {
            self.machine.on(Event::Selected(selected), at);
        }
        let orders = match aim {
            _ if self.hides_the_promotion(&seen) => self.machine.on(Event::DialogUnread, at),
            Some(aim) if aim.needs_position() && seen.reading.stands() => {
                let check = self.final_check(&aim, shot, state);
                self.machine.on(Event::FinalCheck(check), at)
            }
            _ => self.machine.on(Event::Saw(&seen.reading), at),
        };
        let changed = !matches!(seen.reading, Reading::Unchanged);
        if state
            .timer
            .looked(changed, self.pace(&seen.reading, state), Instant::now())
        {
            let note = "the screen changes without telling (X Damage); looking all the time instead";
            (self.tell)(Progress::Note(note));
        }
        state.last = Some(seen);
        self.obey(orders, state)
    }

    /// Whether the page names the opponent still, and what is new on it, where the opponent's move has been waited for: an
    /// end may lie over the name, or stand beside the board.
    fn look_at_page(&mut self, at: Timestamp, state: &mut DriverState) {
        if self.machine.waited(at).is_none_or(|waited| waited < ANSWERED_AFTER) {
            return;
        }
        let place = *self.eye.place();
        if !self.is_page_known(state) {
            let page = self.eye.grab(place.client()).ok();
            let turn = self.machine.game().plies();
            state.page_change = page.map(|page| PageChange::new(turn, page));
        }
        if !self.machine.waits_for_long(at) || at.since(state.page_looked_at) < PAGE_EVERY {
            return;
        }
        state.page_looked_at = at;
        let eye = &mut self.eye;
        let named = self.guard.check(&place, &mut |region| eye.grab(region)).is_ok();
        self.machine.on(Event::OpponentNamed(named), at);
        if let Ok(page) = eye.grab(place.client())
            && let Some(change) = &mut state.page_change
        {
            let is_new = change.look(page, &place.board());
            self.machine.on(Event::PageChanged(is_new), at);
        }
    }

    /// Whether it was seen how the page looks after our last move.
    fn is_page_known(&self, state: &DriverState) -> bool {
        let turn = self.machine.game().plies();
        state.page_change.as_ref().is_some_and(|change| change.is_of(turn))
    }

    /// Reads the site's clocks, for the machine and the journal. Where no board is seen, what stands in their places is a
    /// clock only if it is read: something else may lie over the page.
    fn read_clocks(&mut self, at: Timestamp, board_is_seen: bool) {
        let clock = self.machine.clock();
        let running = Running {
            own: self.machine.own(),
            turn: clock.runs(),
            increment: clock.control().increment,
            moves: clock.moves(),
        };
        let (place, eye) = (*self.eye.place(), &mut self.eye);
        let could_read = self.clocks.can_be_read();
        let looks = self.clocks.look(&place, running, at, &mut |region| eye.grab(region));
        for (color, look) in [(Color::White, looks.white), (Color::Black, looks.black)] {
            if let Some(is_same) = look.is_same.filter(|_| board_is_seen || look.shown.is_some()) {
                self.machine.on(Event::ClockSeen { color, is_same }, at);
            }
            if let Some(shown) = look.shown {
                self.machine.on(Event::ClockRead(color, shown), at);
            }
        }
        let shown = looks.map(|look| look.shown);
        if !could_read && self.clocks.can_be_read() {
            (self.tell)(Progress::Note("the site's clocks can be read now"));
        }
        self.log.clocks(shown, &self.machine, at);
    }

    /// The dialog of a promotion is open. Where its piece was aimed at already, this is the final check before the
    /// click.
    fn dialog_is_open(
        &mut self,
        offer: Offer,
        shot: &Shot,
        aim: Option<Aim>,
        state: &mut DriverState,
    ) -> Option<Ended> {
        let at = Timestamp::now();
        let mut orders: Vec<Order> = self.machine.on(Event::DialogOpen(offer), at);
        if let Some(aim) = aim.filter(|aim| self.machine.aim() == Some(*aim)) {
            let check = self.final_check(&aim, shot, state);
            orders.extend(self.machine.on(Event::FinalCheck(check), at));
        }
        self.obey(orders, state)
    }

    /// Whether our gesture has left its piece selected, where one was made and the board stands as before.
    fn leaves_selected(&self, seen: &Observation, state: &DriverState) -> Option<bool> {
        let attempt = self.machine.touched().filter(|_| seen.reading.stands())?;
        let (before, map) = state.untouched.as_ref()?;
        let (before, now) = ((&*before.image, map), (&*seen.frame.image, &seen.map));
        let game = self.machine.game();
        Some(is_selected(
            (before, now),
            game.position(),
            attempt.played,
            game.moves(),
        ))
    }

    /// Moves that are known are confirmed once the whole board rests in the position after them.
    fn confirm(&mut self, seen: &Observation, at: Timestamp) {
        let position = match &seen.reading {
            Reading::Played(explained) => &explained.position,
            Reading::Unchanged | Reading::Stands => self.machine.game().position(),
            _ => return,
        };
        if self.log.awaits_confirmation()
            && let Some(still) = self.eye.stands(&seen.frame, position)
        {
            self.log.stands((&seen.frame, &seen.map), still, at);
        }
    }

    /// How soon to look again, changes aside: vision and machine count how long a picture stands.
    fn pace(&self, reading: &Reading, state: &DriverState) -> Pace {
        match (reading, self.machine.phase()) {
            (Reading::Moving, _) | (_, Phase::Poised(..)) => Pace::Quick,
            (Reading::Unknown(_) | Reading::Lost, _) => Pace::Expectant,
            (_, Phase::Verifying { .. } | Phase::Deselected { .. }) => Pace::Expectant,
            _ if self.log.awaits_confirmation() => Pace::Expectant,
            // The page is to be seen before the opponent has done anything.
            (_, Phase::Waiting) if !self.is_page_known(state) => Pace::Expectant,
            _ => Pace::Resting,
        }
    }

    /// Whether a frame can show what became of our last drag.
    fn drop_is_shown(&self, frame: &Frame, state: &mut DriverState) -> bool {
        let Some(drop) = &state.drop else { return true };
        let shown = drop.is_shown_by(self.eye.tracker().move_signs(frame, drop.played()), frame.at);
        if shown {
            state.drop = None;
        }
        shown
    }

    /// Whether the position before our promotion is seen around something of a dialog's size.
    fn hides_the_promotion(&mut self, seen: &Observation) -> bool {
        let pieces = self.machine.game().position().board();
        self.machine.promotes().is_some()
            && seen.reading.stands()
            && may_cover(self.eye.covered(&seen.frame, pieces).squares)
    }

    /// Whether a dialog that an earlier move of ours left open waits for the piece that is being thought about.
    fn waits_in_a_dialog(&self, seen: &Observation) -> bool {
        let thinks = matches!(self.machine.phase(), Phase::Thinking { .. });
        let now = (&*seen.frame.image, &seen.map);
        thinks
            && matches!(seen.reading, Reading::Unknown(_) | Reading::Moving)
            && is_open_over(self.machine.game().position(), now, &self.calibration.appearance)
    }

    /// The window, as it was before our pawn went and as it is now: a dialog may reach beyond what is captured of the board,
    /// or be a window of its own. `None` where the window was moved since the board was captured.
    fn around(&mut self, seen: &Observation, state: &DriverState) -> Option<Around> {
        let opened = self.opened(state);
        let now = self.eye.grab(self.around_window(&opened)).ok()?;
        let place = self.eye.place();
        let changed = differing_squares((&seen.frame.image, &seen.map), (&now.image, &place.map(&now)));
        if changed.count() >= MOVED {
            return None;
        }
        let before = state.around.as_ref()?.before(&now, &opened, place.client())?;
        Some(Around { before, now })
    }

    /// What is offered anywhere in the window, after the board alone was searched.
    fn offered_around(&self, Around { before, now }: &Around) -> Option<Offer> {
        let place = self.eye.place();
        let (before, now) = ((&*before.image, &place.map(before)), (&*now.image, &place.map(now)));
        offer_beside(before, now, self.machine.own(), &self.calibration.appearance)
    }

    /// What is offered in this picture of the board, or else around it, or else on it by pieces that are half transparent.
    fn offered_anywhere(&self, now: Pictured<'_>, around: Option<&Around>) -> Option<Offer> {
        let on_board = |driver: &Self, look: &Appearance| {
            let (before, map) = driver.log.before()?;
            offer_elsewhere((&before.image, map), now, driver.machine.own(), look)
        };
        on_board(self, &self.calibration.appearance)
            .or_else(|| self.offered_around(around?))
            .or_else(|| on_board(self, &through_veil(&self.calibration.appearance)))
    }

    /// What the promotion dialog offers, if it is open. A column over the promotion's file is looked for first; then, in a
    /// picture at rest or the same as the one before, what the user once clicked for the piece; last, in a picture at
    /// rest, pieces wherever it has changed. At rest is one that nothing explains after it has stood, or one that is the
    /// same as the one before and shows no board any more, or the position from before the move.
    fn offered(&mut self, seen: &Observation, promotion: Square, state: &mut DriverState) -> Option<Offer> {
        let now = (&*seen.frame.image, &seen.map);
        let (own, look) = (self.machine.own(), &self.calibration.appearance);
        let Some((before, map)) = self.log.before() else {
            return offer_over(self.machine.game().position(), promotion, now, look);
        };
        if let Some(offer) = offer((&before.image, map), now, (promotion, own), look) {
            return Some(offer);
        }
        let is_same = |frame: Option<&Frame>| frame.is_some_and(|frame| frame.image == seen.frame.image);
        let is_again = is_same(state.last.as_ref().map(|last| &last.frame));
        // Under a shade that leaves all squares readable, the position from before the move stands.
        let at_rest = match &seen.reading {
            Reading::Unknown(_) => true,
            reading => is_again && (matches!(reading, Reading::Lost) || reading.stands()),
        };
        if !(at_rest || is_again) {
            return None;
        }
        let wanted = self.machine.awaited_piece();
        if let Some(offer) = wanted.and_then(|role| self.remembered(role, state)) {
            return Some(offer);
        }
        if !at_rest {
            return None;
        }
        // It takes long, and what it found on this board it finds again, though a clock may run beside it. What it has not
        // found may have come beside the board since, and only there.
        let board = self.eye.place().board_alone(&seen.frame);
        let before = state.searched.as_ref();
        let before = before.filter(|search| search.board.image == board.image);
        if let Some(search) = before
            && (search.found.is_some() || search.at.elapsed() < SEARCH_AGAIN)
        {
            return search.found;
        }
        let around = self.around(seen, state);
        let found = match before {
            Some(search) if search.is_of(around.as_ref()) => None,
            Some(_) => around.as_ref().and_then(|around| self.offered_around(around)),
            None => self.offered_anywhere(now, around.as_ref()),
        };
        let found = found.filter(|offer| wanted.is_none_or(|role| offer.place(role).is_some()));
        state.worked = true;
        state.searched = Some(Search {
            board,
            around: around.map(|around| around.now),
            found,
            at: Instant::now(),
        });
        found
    }
}
