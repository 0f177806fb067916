//! Our own move, from the gesture to the proof: the piece of a promotion, and the next try. The verdict follows the
//! table *Verification* of `docs/contracts.md`; in which manner the next try is made is known in `habits`.

use super::super::dialog::Offer;
use super::super::game::{End, Standstill};
use super::super::gesture::{endpoints, idle_square};
use super::draws::not_taken;
use super::habits::ATTEMPTS;
use super::{Aim, Attempt, Fact, LOOKED_AWAY, Machine, Order, PauseReason, Phase, Standing};
use shakmaty::{Chess, Move, Role, Square};
use torres_calibration::{By, Deselects, Way};
use torres_frame::Timestamp;

/// An attempt that the board's moving broke off this often is given up.
const MAX_WITHDRAWN: u8 = 10;

impl Machine {
    /// The promotion whose dialog must be open before the piece is chosen. It may be open already where a gesture is
    /// only meant: another run was stopped in it, or this one before a pause.
    pub(crate) fn awaited_dialog(&self) -> Option<Square> {
        self.awaited_promotion().map(|played| played.to())
    }

    /// The piece that is to be chosen in it.
    pub(crate) fn awaited_piece(&self) -> Option<Role> {
        self.awaited_promotion()?.promotion()
    }

    fn awaited_promotion(&self) -> Option<Move> {
        let attempt = self.under_way()?;
        let waits = attempt.played.promotion().is_some() && !attempt.chosen;
        waits.then_some(attempt.played)
    }

    /// The piece that our pawn is to become, where the page has had a gesture that moves it: its dialog may open late.
    pub(crate) fn promotes(&self) -> Option<Role> {
        self.touched().and(self.awaited_piece())
    }

    /// The attempt that is meant, or was made and is not seen for certain.
    fn under_way(&self) -> Option<Attempt> {
        match self.phase {
            Phase::Poised(Aim::Enter { attempt, .. } | Aim::Choose { attempt, .. }, _) => Some(attempt),
            _ => self.touched(),
        }
    }

    /// The move that was made by our gesture, as long as it is not seen for certain.
    pub fn entered(&self) -> Option<Move> {
        match &self.phase {
            Phase::Verifying { attempt, .. } => Some(attempt.played),
            _ => None,
        }
    }

    /// Whether that is a promotion whose piece was chosen on the page, by Torres or by the user who was asked to.
    pub(crate) fn is_piece_chosen(&self) -> bool {
        match &self.phase {
            Phase::Verifying { attempt, .. } => attempt.played.is_promotion() && attempt.is_piece_chosen(),
            _ => false,
        }
    }

    /// The position beneath a notice that tells of an end: the one after the move that was entered, where that ends the
    /// game by the rules, or the one believed, where a draw may be claimed (many pages give it by themselves).
    pub(crate) fn may_end_beneath_notice(&self) -> Option<Chess> {
        let is_played = !matches!(self.phase, Phase::Acting(_) | Phase::Paused(_) | Phase::Over(_));
        let drawn = || {
            let claim = self.game.claimable().filter(|_| is_played);
            claim.map(|_| self.game.position().clone())
        };
        self.entered_end().or_else(drawn)
    }

    /// The position after the move that was entered, where it ends the game by the rules.
    pub(crate) fn entered_end(&self) -> Option<Chess> {
        let Phase::Verifying { attempt, .. } = self.phase else {
            return None;
        };
        let is_whole = !attempt.played.is_promotion() || attempt.is_piece_chosen();
        let played = Some(attempt.played).filter(|_| is_whole)?;
        let mut after = self.game.clone();
        after.play(played).ok()?;
        after.end().map(|_| after.position().clone())
    }

    /// The end, where the board has been out of sight since our move, which ends the game by the rules: a page may put
    /// what it says of the end over all of it.
    pub(super) fn out_of_sight(&self, reason: &PauseReason) -> Option<End> {
        let ends = *reason == PauseReason::BoardLost && self.unanswered_end().is_some();
        ends.then_some(End::OutOfSight)
    }

    /// The move that was entered, where it ends the game by the rules and the position before was not seen again since its
    /// release.
    fn unanswered_end(&self) -> Option<Move> {
        let Phase::Verifying { attempt, standing, .. } = &self.phase else {
            return None;
        };
        let is_unseen = *standing == Standing::default() && self.entered_end().is_some();
        is_unseen.then_some(attempt.played)
    }

    /// Whether the game's last move was not seen on the board, since a notice lay over it.
    pub fn is_end_unseen(&self) -> bool {
        self.unseen_end
    }

    /// Whether a notice lies over the board where it would tell of an end. One that stays, while the position before was
    /// not seen again since the release of a move that ends the game, was laid there at the end. So was one that stays
    /// twice as long where a draw may be claimed.
    pub(super) fn notice(&mut self, over: bool, now: Timestamp, orders: &mut Vec<Order>) {
        let ending = self.unanswered_end();
        let claim = self.game.claimable();
        if !over || (ending.is_none() && claim.is_none()) {
            self.noticed = None;
            return;
        }
        let since = match self.noticed {
            Some((since, last)) if now.since(last) < LOOKED_AWAY => since,
            _ => now,
        };
        self.noticed = Some((since, now));
        let stayed = now.since(since);
        let patience = self.settings.patience.notice;
        match (ending, claim) {
            (Some(played), _) if stayed >= patience => {
                self.unseen_end = true;
                orders.push(Order::Tell(Fact::EndUnderNotice));
                self.take(&[played], now, orders);
            }
            (None, Some(claim)) if stayed >= 2 * patience => {
                self.finish(Some(End::StoodStill(claim, Standstill::Covered)), now, orders);
            }
            _ => {}
        }
    }

    /// The attempt that may have left its piece selected.
    pub fn touched(&self) -> Option<Attempt> {
        match self.phase {
            Phase::Verifying { attempt, .. } => Some(attempt),
            Phase::Deselected { made, .. } | Phase::Poised(Aim::Deselect { made, .. }, _) => Some(made),
            Phase::Poised(Aim::Enter { attempt, .. }, _) => (!attempt.is_untouched()).then_some(attempt),
            _ => None,
        }
    }

    pub(super) fn enter(&mut self, attempt: Attempt, now: Timestamp, orders: &mut Vec<Order>) {
        self.choosing_since = None;
        match endpoints(self.game.position(), attempt.played) {
            Some((from, usual)) => {
                let to = if attempt.onto_rook { attempt.played.to() } else { usual };
                self.poise(Aim::Enter { attempt, from, to }, now);
            }
            None => {
                let reason = PauseReason::Engine("its move begins on no square".to_owned());
                self.pause(reason, now, orders);
            }
        }
    }

    /// The dialog is open: the piece is chosen in it, unless the user was asked to.
    pub(super) fn choose(&mut self, offer: Offer, now: Timestamp, orders: &mut Vec<Order>) {
        let Some(attempt) = self.under_way() else { return };
        let Some(role) = attempt.played.promotion().filter(|_| !attempt.chosen) else {
            return;
        };
        if attempt.asked {
            // They have gone on and not chosen yet.
            if self.has_offered_for_long(now) {
                let asked = self.asked_for.take();
                self.pause(asked.unwrap_or(PauseReason::Promotion(role)), now, orders);
            }
            return;
        }
        let Some(offered) = offer.place(role) else { return };
        let aim = Aim::Choose { attempt, offered };
        match self.aim() {
            Some(Aim::Choose { offered: before, .. }) if before.is_at(&offered) => {}
            // A piece that is found at another place in each look is not found.
            Some(Aim::Choose { .. }) => {
                self.aim_elsewhere(aim);
                self.not_understood(PauseReason::Promotion(role), now, orders);
            }
            // Pieces that are offered in one look, and in the next one not, are not clicked.
            _ if self.has_offered_for_long(now) => {
                self.pause(PauseReason::Promotion(role), now, orders);
            }
            _ => self.poise(aim, now),
        }
    }

    /// Whether the pieces of our promotion have been offered for so long without one that was clicked.
    fn has_offered_for_long(&mut self, now: Timestamp) -> bool {
        now.since(*self.choosing_since.get_or_insert(now)) >= self.settings.patience.unknown
    }

    pub(super) fn performed(&mut self, released: Timestamp, orders: &mut Vec<Order>) {
        self.touched_board(orders);
        match self.phase {
            Phase::Acting(Aim::Enter { attempt, .. }) => self.verify(attempt, released),
            Phase::Acting(Aim::Choose { attempt, .. }) => {
                self.choosing_since = None;
                let chosen = Attempt {
                    chosen: true,
                    ..attempt
                };
                self.verify(chosen, released);
            }
            Phase::Acting(Aim::Deselect { made, next, square }) => self.await_deselected(made, next, Some(square)),
            _ => {}
        }
        self.selected = false;
    }

    /// The user goes on. After a promotion whose piece they were asked to choose, Torres looks for the piece that they
    /// chose; else the board is what counts.
    pub(super) fn resumed(&mut self, reason: &PauseReason, now: Timestamp, orders: &mut Vec<Order>) {
        (self.strange, self.choosing_since) = (None, None);
        (self.last_change, self.change_began) = (now, now);
        match self.interrupted {
            Some((attempt, _)) if reason.asks_for_piece() => {
                self.interrupted = None;
                self.asked_for = Some(reason.clone());
                let asked = Attempt {
                    asked: true,
                    chosen: false,
                    ..attempt
                };
                self.verify(asked, now);
            }
            _ => self.next_turn(now, orders),
        }
    }

    /// Looks for what became of the gesture.
    pub(super) fn verify(&mut self, attempt: Attempt, released: Timestamp) {
        self.lag.made(attempt, released);
        self.phase = Phase::Verifying {
            attempt,
            released,
            standing: Standing::default(),
        };
    }

    /// The board moved during the gesture, and the piece was put back. It may be selected now.
    pub(super) fn withdrawn(&mut self, now: Timestamp, orders: &mut Vec<Order>) {
        let Phase::Acting(Aim::Enter { attempt, .. }) = self.phase else {
            return;
        };
        if attempt.withdrawn >= MAX_WITHDRAWN {
            return self.pause(PauseReason::BoardMoves, now, orders);
        }
        self.selected = false;
        self.touched_board(orders);
        orders.push(Order::Tell(Fact::Withdrawn(attempt)));
        let again = Attempt {
            withdrawn: attempt.withdrawn + 1,
            ..attempt
        };
        self.deselect(again, again, now);
    }

    /// The piece did not follow the pointer, and was put back: to a board that takes clicks, that was the first of two.
    pub(super) fn not_followed(&mut self, released: Timestamp, orders: &mut Vec<Order>) {
        let Phase::Acting(Aim::Enter { attempt, .. }) = self.phase else {
            return;
        };
        self.selected = false;
        self.touched_board(orders);
        orders.push(Order::Tell(Fact::GivenUp(attempt)));
        let rest = Attempt {
            manner: self.habits.given_up(&attempt),
            withdrawn: attempt.withdrawn + 1,
            ..attempt
        };
        self.enter(rest, released, orders);
    }

    /// The position from before our move stands on the board though the gesture is done.
    pub(super) fn stands_after_gesture(&mut self, now: Timestamp, orders: &mut Vec<Order>) {
        let patience = self.settings.patience;
        match &mut self.phase {
            Phase::Verifying { attempt, standing, .. } => {
                let made = *attempt;
                if standing.seen(now) >= self.lag.patience(patience.not_landed, patience.unanswered) {
                    self.not_landed(made, now, orders);
                }
            }
            Phase::Deselected {
                made,
                next,
                clicked,
                selected,
                standing,
            } => {
                let (made, next, clicked, selected) = (*made, *next, *clicked, *selected);
                if standing.seen(now) >= patience.deselected {
                    self.deselected((made, next), clicked, selected, now, orders);
                }
            }
            _ => {}
        }
    }

    fn not_landed(&mut self, made: Attempt, now: Timestamp, orders: &mut Vec<Order>) {
        if made.number >= ATTEMPTS {
            let untaken = self.settings.patience.clocks_stand_untaken;
            if let Some(end) = not_taken(&self.game).or_else(|| self.clocks_stand(untaken, now)) {
                return self.finish(Some(end), now, orders);
            }
            return self.pause(self.why_not_landed(&made), now, orders);
        }
        let follows = self.habits.missed(made, self.selected, self.lag.has_drawn());
        let next = made.next(follows.manner);
        orders.push(Order::Tell(Fact::NotLanded { made, next }));
        match follows.deselect {
            true => self.deselect(made, next, now),
            false => self.enter(next, now, orders),
        }
    }

    /// What to say of a board that stands as before. A pawn stays where it is on pages that ask in words beside the board
    /// what it is to become, and until a button is pressed where the page wants the choice confirmed.
    fn why_not_landed(&self, made: &Attempt) -> PauseReason {
        if let Some(role) = made.played.promotion().filter(|_| made.chosen) {
            return PauseReason::PromotionNotConfirmed(role);
        }
        match (self.promotes(), self.habits.move_input().by) {
            (Some(role), _) => PauseReason::Promotion(role),
            (None, By::Auto) => PauseReason::NotLanded,
            (None, By::Drag) => PauseReason::NotLandedBy(Way::Drag),
            (None, By::Clicks) => PauseReason::NotLandedBy(Way::Clicks),
        }
    }

    /// Drops what the attempt that was made may have left selected; the next one follows.
    fn deselect(&mut self, made: Attempt, next: Attempt, now: Timestamp) {
        // A click on a piece that is not selected would select it.
        let by_piece = self.selected && self.habits.move_input().deselects == Some(Deselects::Piece);
        let on_piece = made.played.from().filter(|_| by_piece);
        match on_piece.or_else(|| idle_square(self.game.position())) {
            Some(square) => self.poise(Aim::Deselect { made, next, square }, now),
            // A board without such a square: the next gesture begins on the same piece anyway.
            None => self.await_deselected(made, next, None),
        }
    }

    fn await_deselected(&mut self, made: Attempt, next: Attempt, clicked: Option<Square>) {
        self.phase = Phase::Deselected {
            made,
            next,
            clicked,
            selected: self.selected,
            standing: Standing::default(),
        };
    }

    /// The board has stood after the deselecting click. A piece that is still selected is clicked itself, once.
    fn deselected(
        &mut self,
        (made, next): (Attempt, Attempt),
        clicked: Option<Square>,
        was_selected: bool,
        now: Timestamp,
        orders: &mut Vec<Order>,
    ) {
        let piece = made.played.from();
        let how = match clicked == piece {
            true => Deselects::Piece,
            false => Deselects::Empty,
        };
        if was_selected && !self.selected && clicked.is_some() {
            let habit = self.habits.deselected_by(how);
            orders.extend(habit.map(|habit| Order::Tell(Fact::Learned(habit))));
        }
        match piece.filter(|_| self.selected && how == Deselects::Empty) {
            Some(square) => self.poise(Aim::Deselect { made, next, square }, now),
            None => self.enter(next, now, orders),
        }
    }
}
