//! The final check before a gesture, as a state: the gesture is meant, and the look that lets it pass is awaited. Until
//! that look nothing is pressed; a pause, a stop or news from the board end the wait at once.

use super::{Aim, Attempt, FinalCheck, Machine, Order, PauseReason, Phase};
use torres_frame::Timestamp;

/// The most steps in which a page is laid out anew.
const MAX_PANEL_MOVES: u32 = 4;

/// How the wait for the final check goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Poise {
    /// Since when the look is awaited.
    since: Timestamp,
    /// Since when the opponent panel has looked different without a break.
    refused: Option<Timestamp>,
    /// How often the panel was found at another place.
    panel_moves: u32,
}

impl Poise {
    fn new(now: Timestamp) -> Poise {
        Poise {
            since: now,
            refused: None,
            panel_moves: 0,
        }
    }

    /// The opponent panel has to look different for its whole time again.
    pub(super) fn forget_refusal(&mut self) {
        self.refused = None;
    }
}

impl Machine {
    /// What is meant to be done, while the look that lets it pass is awaited.
    pub fn aim(&self) -> Option<Aim> {
        match self.phase {
            Phase::Poised(aim, _) => Some(aim),
            _ => None,
        }
    }

    /// Awaits the look that lets this pass.
    pub(super) fn poise(&mut self, aim: Aim, now: Timestamp) {
        self.strange = None;
        self.phase = Phase::Poised(aim, Poise::new(now));
    }

    /// The same is meant at another place; the wait goes on.
    pub(super) fn aim_elsewhere(&mut self, aim: Aim) {
        if let Phase::Poised(_, poise) = self.phase {
            self.phase = Phase::Poised(aim, poise);
        }
    }

    /// The board stands as the aim needs it. Whether the rest does too.
    pub(super) fn final_check(&mut self, check: FinalCheck, now: Timestamp, orders: &mut Vec<Order>) {
        self.forgive_absence(now);
        let Phase::Poised(aim, mut poise) = self.phase else {
            return;
        };
        if self.offered.is_shown() {
            return self.stands_while_offered(now, orders);
        }
        match check {
            FinalCheck::Stirring if self.waits_for_rest(aim, poise, now) => self.understood(now, orders),
            FinalCheck::Clear | FinalCheck::Stirring if self.waits_for_page(aim, now) => self.understood(now, orders),
            FinalCheck::Clear | FinalCheck::Stirring => {
                self.understood(now, orders);
                let aim = match aim {
                    Aim::Enter { attempt, from, to } => {
                        let hasty = check == FinalCheck::Stirring;
                        let after = now.since(self.change_began);
                        let attempt = Attempt {
                            hasty,
                            after,
                            ..attempt
                        };
                        Aim::Enter { attempt, from, to }
                    }
                    other => other,
                };
                self.phase = match aim {
                    Aim::Advise(played) => Phase::Advised(played),
                    gesture => Phase::Acting(gesture),
                };
                orders.push(Order::Perform(aim, poise.since));
            }
            FinalCheck::BoardMoved => self.not_understood(PauseReason::BoardMoves, now, orders),
            FinalCheck::Covered(square) => self.not_understood(PauseReason::Covered(square), now, orders),
            FinalCheck::PanelMoved if poise.panel_moves >= MAX_PANEL_MOVES => {
                let reason = PauseReason::Opponent("it does not stand still; go on when the page does".to_owned());
                self.pause(reason, now, orders);
            }
            FinalCheck::PanelMoved => {
                // To look for it takes its time, which is no patience spent.
                self.strange = None;
                poise.panel_moves += 1;
                poise.refused = None;
                self.phase = Phase::Poised(aim, poise);
            }
            FinalCheck::PanelChanged { why, may_settle: true } => {
                self.not_understood(why_refused(aim, why), now, orders);
            }
            FinalCheck::PanelChanged { why, may_settle: false } => {
                let since = *poise.refused.get_or_insert(now);
                self.phase = Phase::Poised(aim, poise);
                if now.since(since) >= self.settings.patience.panel {
                    self.pause(why_refused(aim, why), now, orders);
                }
            }
        }
    }

    /// Whether the board is to rest first, and has not had its time for that. Some boards lose what comes before, or
    /// draw it wrongly: no hand is as quick.
    fn waits_for_rest(&self, aim: Aim, poise: Poise, now: Timestamp) -> bool {
        let patience = &self.settings.patience;
        let touches = !matches!(aim, Aim::Advise(_));
        let has_time = self.clock.at_least(self.own, now) >= patience.hurry;
        touches && (has_time || self.habits.move_input().at_rest) && now.since(poise.since) < patience.rest
    }

    /// Whether the page has lost a move that was entered so soon after the opponent's.
    fn waits_for_page(&self, aim: Aim, now: Timestamp) -> bool {
        let is_first = matches!(aim, Aim::Enter { attempt, .. } if attempt.number == 1);
        is_first && now.since(self.change_began) < self.habits.move_input().ready_after
    }

    /// The board has news: what was aimed at is not done. If the page already has a part of a move, Torres looks for
    /// what became of that move. True if something was aimed at.
    pub(super) fn lower(&mut self, now: Timestamp) -> bool {
        let made = match self.phase {
            Phase::Poised(Aim::Enter { attempt, .. }, _) if attempt.is_untouched() => None,
            Phase::Poised(Aim::Enter { attempt, .. } | Aim::Choose { attempt, .. }, _) => Some(attempt),
            Phase::Poised(Aim::Deselect { made, .. }, _) => Some(made),
            Phase::Poised(Aim::Advise(_), _) => None,
            _ => return false,
        };
        match made {
            Some(attempt) => self.verify(attempt, now),
            None => self.phase = Phase::Waiting,
        }
        true
    }
}

/// Why a panel that looks otherwise stops what is aimed at. The dialog of our promotion may lie over it, and stays until
/// somebody chooses: the user is asked to.
fn why_refused(aim: Aim, why: String) -> PauseReason {
    let role = match aim {
        Aim::Choose { attempt, .. } => attempt.played.promotion(),
        _ => None,
    };
    role.map_or(PauseReason::Opponent(why), PauseReason::PromotionOverPanel)
}
