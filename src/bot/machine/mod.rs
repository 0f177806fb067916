//! The state machine: what was seen, answered and done goes in, what to do next comes out. No I/O, no waiting.
//!
//! It is one thing, its phase: what moves it from one to the next stands here and in three chapters. The final check is
//! in `poised`, our own move in `own_move`, thinking on the opponent's time in `pondering`. What can be told apart is a
//! type of its own: draws, habits, the pointer aside, the button of the next game. Time is what the events carry.

mod aim;
mod aside;
mod awaited;
mod doing;
mod draws;
mod event;
mod fact;
mod habits;
mod lag;
mod offered;
mod order;
mod own_move;
mod pause;
mod phase;
mod poised;
mod pondering;
mod settings;
mod standing;

use super::clock::GameClock;
use super::game::{End, Game, Standstill};
use super::gesture::Manner;
use super::notice::lies_over;
pub use aim::{Aim, Attempt, describe};
use aside::Aside;
use awaited::Awaited;
use draws::Draws;
pub use event::{Event, FinalCheck};
pub use fact::{Fact, Habit, Origin};
use habits::Habits;
use lag::Lag;
use offered::Offered;
pub use order::Order;
pub use pause::PauseReason;
pub use phase::Phase;
pub use poised::Poise;
use pondering::Expectation;
pub use pondering::Pondering;
pub use settings::{Patience, Settings};
use shakmaty::{Color, Move, Position, Role};
pub use standing::Standing;
use std::time::Duration;
use torres_calibration::MoveInput;
use torres_chess::{describes, parse_move, uci};
use torres_frame::Timestamp;
use torres_link::messages::{BestMove, Go, Limits};
use torres_vision::{PastMatch, Reading, RecallKind};

/// The game being played.
#[derive(Clone, Debug)]
pub struct Machine {
    game: Game,
    clock: GameClock,
    own: Color,
    settings: Settings,
    phase: Phase,
    next_id: u64,
    /// Questions asked in this position without a playable answer.
    asked: u32,
    /// What the engine expects after its last move.
    expected: Option<Expectation>,
    /// What it thinks about on the opponent's time; only while waiting.
    pondering: Option<Pondering>,
    /// Since when what is seen has not been understood, or keeps a gesture from being made.
    strange: Option<(Timestamp, PauseReason)>,
    /// Since when pieces have been offered for our pawn and none of them was clicked.
    choosing_since: Option<Timestamp>,
    /// How the user was asked to choose the piece of that promotion.
    asked_for: Option<PauseReason>,
    /// A gesture that the pause came upon, and when: it may land all the same.
    interrupted: Option<(Attempt, Timestamp)>,
    /// When something was last understood to have moved.
    last_change: Timestamp,
    /// When that began to show, at the latest: a page may count from there.
    change_began: Timestamp,
    /// When the board was last looked at.
    looked_at: Timestamp,
    draws: Draws,
    awaited: Awaited,
    offered: Offered,
    aside: Aside,
    habits: Habits,
    lag: Lag,
    /// Since when, and when last, a notice was seen over the board where it would tell of an end.
    noticed: Option<(Timestamp, Timestamp)>,
    /// The game's last move was not seen: a notice lay over it.
    unseen_end: bool,
    /// The last look shows the piece of the move that was entered selected.
    selected: bool,
}

/// Between two looks that lie further apart than this the whole machine stood still, or a gesture was made: what both
/// looks show was not seen all the while.
const LOOKED_AWAY: Duration = Duration::from_secs(1);

/// A move that was made before a flag fell is seen within this time.
const MOVE_ON_ITS_WAY: Duration = Duration::from_millis(1500);

/// Unplayable answers in one position before Torres pauses.
const MAX_ASKED: u32 = 3;

impl Machine {
    /// A game about to be played by `own`; [`Machine::begin`] starts it.
    pub fn new(game: Game, clock: GameClock, own: Color, settings: Settings) -> Machine {
        Machine {
            game,
            clock,
            own,
            settings,
            phase: Phase::Waiting,
            next_id: 1,
            asked: 0,
            expected: None,
            pondering: None,
            strange: None,
            interrupted: None,
            last_change: Timestamp::default(),
            change_began: Timestamp::default(),
            choosing_since: None,
            asked_for: None,
            looked_at: Timestamp::default(),
            draws: Draws::default(),
            awaited: Awaited::default(),
            offered: Offered::default(),
            aside: Aside::default(),
            habits: Habits::new(settings.move_input),
            lag: Lag::default(),
            noticed: None,
            unseen_end: false,
            selected: false,
        }
    }

    /// The game so far.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The clocks.
    pub fn clock(&self) -> &GameClock {
        &self.clock
    }

    /// What it is doing.
    pub fn phase(&self) -> &Phase {
        &self.phase
    }

    /// The colour that Torres plays.
    pub fn own(&self) -> Color {
        self.own
    }

    /// How the board takes moves, as far as is said and known by now.
    pub fn move_input(&self) -> MoveInput {
        self.habits.move_input()
    }

    /// Whether the piece of this attempt must be seen to follow the pointer: a drag, on a board of which it is not
    /// known yet that it takes drags.
    pub(crate) fn is_tried_out(&self, attempt: &Attempt) -> bool {
        self.habits.is_tried_out(attempt)
    }

    /// Whether the pointer makes some more motions at the target of this attempt.
    pub fn is_dragged_in_steps(&self, attempt: &Attempt) -> bool {
        attempt.manner == Manner::Drag && self.habits.drags_in_steps(attempt)
    }

    /// Whether the pointer rests between the two clicks of this attempt.
    pub fn rests_between_clicks(&self, attempt: &Attempt) -> bool {
        attempt.manner == Manner::ClickClick && self.habits.rests_between_clicks(attempt)
    }

    /// Starts clock and game.
    pub fn begin(&mut self, now: Timestamp) -> Vec<Order> {
        (self.last_change, self.change_began, self.looked_at) = (now, now, now);
        self.clock.start(self.game.position().turn(), now);
        let mut orders = Vec::new();
        self.touched_board(&mut orders);
        self.next_turn(now, &mut orders);
        orders
    }

    /// Takes an event at a moment and says what to do.
    pub fn on(&mut self, event: Event<'_>, now: Timestamp) -> Vec<Order> {
        let mut orders = Vec::new();
        if matches!(self.phase, Phase::Over(_)) {
            return orders;
        }
        match event {
            Event::Saw(reading) => self.saw(reading, now, &mut orders),
            Event::Selected(selected) => self.selected = selected,
            Event::ClockSeen { color, is_same } => self.clock.seen(color, is_same, now),
            Event::ClockRead(color, shown) => self.clock.read(color, shown, now),
            Event::Notice(over) => self.notice(over, now, &mut orders),
            Event::OpponentNamed(named) => self.awaited.named(named, now),
            Event::PageChanged(is_new) => self.awaited.page_changed(is_new),
            Event::NextGame(shown) => self.offered.is(shown, now),
            Event::DialogOpen(offer) => self.choose(offer, now, &mut orders),
            Event::DialogUnread => {
                self.forgive_absence(now);
                self.not_understood(self.why_unknown(), now, &mut orders);
            }
            Event::DialogWaits => {
                self.forgive_absence(now);
                self.strange = None;
            }
            Event::FinalCheck(check) => self.final_check(check, now, &mut orders),
            Event::Answered(answer) => self.answered(answer, now, &mut orders),
            Event::EngineFailed(why) => self.pause(PauseReason::Engine(why), now, &mut orders),
            Event::Performed(released) => self.performed(released, &mut orders),
            Event::Drew => self.lag.drew(),
            Event::Hangs(hangs) => {
                if self.lag.hangs(hangs, now) {
                    self.forget_what_stood();
                }
            }
            Event::DraggedInSteps => self.habits.dragged_in_steps(),
            Event::Withdrawn => self.withdrawn(now, &mut orders),
            Event::NotFollowed(released) => self.not_followed(released, &mut orders),
            Event::Failed(reason) => self.pause(reason, now, &mut orders),
            Event::TakenAside(moved) => self.aside.taken(moved, self.strange.is_some(), now),
            Event::ChangedUnderPointer(alone) => self.aside.changed(alone),
            Event::PauseWanted => self.pause(PauseReason::User, now, &mut orders),
            Event::Resumed => {
                if let Phase::Paused(reason) = self.phase.clone() {
                    self.resumed(&reason, now, &mut orders);
                }
            }
        }
        orders
    }

    fn saw(&mut self, reading: &Reading, now: Timestamp, orders: &mut Vec<Order>) {
        self.forgive_absence(now);
        if matches!(self.phase, Phase::Paused(_) | Phase::Acting(_)) {
            return;
        }
        match reading {
            Reading::Played(explained) => {
                self.change_began = self.strange.as_ref().map_or(now, |(since, _)| *since);
                self.understood(now, orders);
                self.last_change = now;
                self.offered.begin_again(now);
                self.lower(now);
                self.take(&explained.line, now, orders);
            }
            Reading::Stands | Reading::Unchanged => {
                self.understood(now, orders);
                self.stands(now, orders);
            }
            Reading::Recalled(recall) => {
                self.understood(now, orders);
                (self.last_change, self.change_began) = (now, now);
                self.offered.begin_again(now);
                let lowered = self.lower(now);
                self.recalled(recall, now, orders);
                if lowered && self.phase == Phase::Waiting && self.game.position().turn() == self.own {
                    self.next_turn(now, orders);
                }
            }
            Reading::Moving => self.not_understood(self.why_unknown(), now, orders),
            Reading::Unknown(doubt) => {
                let is_notice = lies_over(&doubt.reading, self.game.position().board());
                let reason = match (self.why_unknown(), is_notice) {
                    (PauseReason::Unknown, true) => PauseReason::Notice,
                    (reason, _) => reason,
                };
                self.not_understood(reason, now, orders);
            }
            Reading::Lost => self.not_understood(self.why_lost(), now, orders),
        }
    }

    /// Vision explains the board by these moves: they are the game's.
    fn take(&mut self, line: &[Move], now: Timestamp, orders: &mut Vec<Order>) {
        let interrupted = self.interrupted.take();
        let made = self.lag.take();
        // A move that the user has completed says nothing of ours.
        let is_ours = made.is_some_and(|(attempt, _)| !attempt.asked);
        let mut ordered = made.or(interrupted);
        if matches!(self.phase, Phase::Thinking { .. }) {
            orders.push(Order::StopThinking);
        }
        let mut habits = Vec::new();
        for &played in line {
            let by = self.game.position().turn();
            let origin = match ordered.take() {
                Some((attempt, released)) if attempt.played == played => {
                    if is_ours {
                        self.lag.landed(released);
                        habits = self.habits.landed(attempt);
                    }
                    Origin::Landed {
                        attempt: attempt.number,
                        after: now.since(released),
                    }
                }
                Some((attempt, _)) if is_ours && made_a_queen(&attempt, played) => {
                    habits.extend(self.habits.queened());
                    Origin::NotOurs
                }
                _ if by == self.own && self.settings.hands_off => Origin::ByHand,
                _ if by == self.own => Origin::NotOurs,
                _ => Origin::Opponent,
            };
            if self.game.play(played).is_err() {
                // Vision only offers legal lines; should it not, nothing of the rest is believed.
                return self.pause(PauseReason::Unknown, now, orders);
            }
            let took = self.clock.moved(by, now);
            if by != self.own {
                self.awaited.came_after(took);
            }
            orders.push(Order::Tell(Fact::Played {
                played,
                by,
                took,
                left: self.clock.left(by, now),
                origin,
            }));
        }
        orders.extend(habits.into_iter().map(|habit| Order::Tell(Fact::Learned(habit))));
        self.asked = 0;
        self.next_turn(now, orders);
    }

    /// The board shows what moves do not lead to. A takeback and a turned board are followed; where another game
    /// begins, this one is over without a result.
    fn recalled(&mut self, recall: &PastMatch, now: Timestamp, orders: &mut Vec<Order>) {
        match recall.kind {
            RecallKind::Turned if self.game.plies() > 0 || self.has_entered(&recall.line) => {
                orders.push(Order::Tell(Fact::Turned));
                if !recall.line.is_empty() {
                    self.take(&recall.line, now, orders);
                }
            }
            RecallKind::Takeback(plies) if !recall.turned && self.game.take_back(plies) => {
                self.drop_thought(now, orders);
                self.expected = None;
                self.phase = Phase::Waiting;
                orders.push(Order::Tell(Fact::TakenBack(plies)));
                self.clock.turn(self.game.position().turn(), now);
                self.take(&recall.line, now, orders);
            }
            RecallKind::Takeback(_) if !recall.turned => self.pause(PauseReason::Unknown, now, orders),
            // Turned at its very beginning, it is another game too: we have the other colour.
            _ => self.abandon(now, orders),
        }
    }

    /// Whether a line begins with the move that was entered on the board.
    fn has_entered(&self, line: &[Move]) -> bool {
        let entered = self.touched().map(|attempt| attempt.played);
        entered.is_some() && line.first().copied() == entered
    }

    /// The position believed stands on the board.
    fn stands(&mut self, now: Timestamp, orders: &mut Vec<Order>) {
        self.lag.stands(now);
        let is_played = !matches!(self.phase, Phase::Acting(_) | Phase::Paused(_) | Phase::Over(_));
        let patience = self.settings.patience.clocks_stand;
        if is_played && let Some(end) = self.flag_seen(now).or_else(|| self.clocks_stand(patience, now)) {
            return self.finish(Some(end), now, orders);
        }
        if self.offered.is_shown() {
            return self.stands_while_offered(now, orders);
        }
        match self.phase {
            Phase::Verifying { .. } | Phase::Deselected { .. } => self.stands_after_gesture(now, orders),
            Phase::Waiting | Phase::Thinking { .. } | Phase::Advised(_) => {
                // A flag just fallen waits for the move that may be on its way.
                let patience = self.settings.patience.flag;
                let earlier = Timestamp(now.0.saturating_sub(patience));
                if now.since(self.last_change) >= patience
                    && let Some(loser) = self.clock.flag(earlier)
                {
                    self.finish(Some(End::Flag(loser)), now, orders);
                } else if self.phase == Phase::Waiting {
                    self.no_move_comes(now, orders);
                }
            }
            Phase::Poised(Aim::Choose { attempt, .. }, _) => self.verify(attempt, now),
            Phase::Poised(..) | Phase::Acting(_) | Phase::Paused(_) | Phase::Over(_) => {}
        }
    }

    /// The position stands in which the opponent is to move: for long, perhaps.
    fn no_move_comes(&mut self, now: Timestamp, orders: &mut Vec<Order>) {
        let patience = self.settings.patience;
        let by_draw = self.awaited.for_long(patience.no_reply, now);
        if let Some(end) = by_draw.and_then(|waited| draws::no_reply(&self.game, waited)) {
            return self.finish(Some(end), now, orders);
        }
        let is_unnamed = self.awaited.unnamed_for(now) >= patience.unnamed;
        // Where the site has clocks, they tell.
        let is_told_by_page = self.awaited.is_told_by_page() && !self.clock.are_both_seen(now);
        let leave = match self.settings.another_follows {
            _ if is_unnamed => patience.leave_unnamed,
            _ if is_told_by_page => patience.leave_changed,
            true => patience.leave,
            false => patience.leave_last,
        };
        let in_vain = self
            .awaited
            .in_vain(leave, now)
            .filter(|_| !self.clock.is_seen_running(now));
        if let Some(waited) = in_vain {
            let seconds = waited.as_secs();
            let end = if is_unnamed {
                End::Unnamed(seconds)
            } else if is_told_by_page {
                End::PageChanged(seconds)
            } else {
                End::NoReply(seconds)
            };
            return self.finish(Some(end), now, orders);
        }
        let newly_long = self.awaited.newly_long(patience.no_reply, now);
        orders.extend(newly_long.map(|waited| Order::Tell(Fact::NoReply(waited.as_secs()))));
    }

    /// For how long the opponent's move has been waited for.
    pub(crate) fn waited(&self, now: Timestamp) -> Option<Duration> {
        (self.phase == Phase::Waiting).then(|| self.awaited.waited(now))
    }

    /// Whether the opponent's move has been waited for so long that it matters whether the page names the opponent still.
    pub(crate) fn waits_for_long(&self, now: Timestamp) -> bool {
        self.phase == Phase::Waiting && self.awaited.for_long(self.settings.patience.unnamed / 2, now).is_some()
    }

    /// The page shows the button of the next game: no gesture is made, none is made again.
    fn stands_while_offered(&mut self, now: Timestamp, orders: &mut Vec<Order>) {
        let is_played = !matches!(self.phase, Phase::Acting(_) | Phase::Paused(_) | Phase::Over(_));
        if let Some(end) = self.ended_elsewhere(now).filter(|_| is_played) {
            self.finish(Some(end), now, orders);
        }
    }

    fn ended_elsewhere(&self, now: Timestamp) -> Option<End> {
        self.offered.ended(&self.game, self.settings.patience.offered, now)
    }

    /// The end, where the site's clock of a side has been seen at zero while nothing moved, and the other side could
    /// mate by some moves.
    fn flag_seen(&self, now: Timestamp) -> Option<End> {
        let loser = self
            .clock
            .flag_seen(now)
            .filter(|_| now.since(self.last_change) >= MOVE_ON_ITS_WAY)?;
        let mates = !self.game.position().has_insufficient_material(!loser);
        Some(if mates { End::FlagSeen(loser) } else { End::Elsewhere })
    }

    /// The end, where the site's clocks have stood for `patience`, as has the board: resigned, aborted, or agreed; a draw
    /// where one could be claimed, as sites give it then.
    fn clocks_stand(&self, patience: Duration, now: Timestamp) -> Option<End> {
        let stood = self.clock.stand_for(now)?.min(now.since(self.last_change));
        let end = match self.game.claimable() {
            Some(claim) => End::StoodStill(claim, Standstill::Clocks),
            None => End::ClocksStand,
        };
        (stood >= patience).then_some(end)
    }

    /// Time in which nobody looked is no time in which the board showed something: patience begins where the looks do.
    fn forgive_absence(&mut self, now: Timestamp) {
        let away = now.since(std::mem::replace(&mut self.looked_at, now));
        if away < LOOKED_AWAY {
            return;
        }
        let waits = self.strange.as_mut().map(|(since, _)| since).into_iter();
        waits.chain(&mut self.choosing_since).for_each(|since| since.0 += away);
        self.awaited.forgive(away);
        self.offered.begin_again(now);
        self.forget_what_stood();
    }

    /// The last look took so long for what was read and searched for in it: nobody was away in that time.
    pub(crate) fn worked_for(&mut self, time: Duration) {
        let noticed = self.noticed.as_mut().map(|(_, last)| last).into_iter();
        noticed.chain([&mut self.looked_at]).for_each(|last| last.0 += time);
    }

    /// What was seen standing has to be seen again for its whole time.
    fn forget_what_stood(&mut self) {
        match &mut self.phase {
            Phase::Verifying { standing, .. } | Phase::Deselected { standing, .. } => *standing = Standing::default(),
            Phase::Poised(_, poise) => poise.forget_refusal(),
            _ => {}
        }
    }

    /// The pointer may lie over the board: the game begins, or a gesture was made.
    fn touched_board(&mut self, orders: &mut Vec<Order>) {
        self.aside = Aside::default();
        if self.habits.move_input().aside && !self.settings.hands_off {
            orders.push(Order::TakeAside);
        }
    }

    /// What is seen is understood.
    fn understood(&mut self, now: Timestamp, orders: &mut Vec<Order>) {
        self.strange = None;
        if self.aside.helped(now) {
            let habit = self.habits.cleared_by_going_aside();
            orders.extend(habit.map(|habit| Order::Tell(Fact::Learned(habit))));
        }
    }

    /// What to say of a board that no line explains.
    fn why_unknown(&self) -> PauseReason {
        self.promotes().map_or(PauseReason::Unknown, PauseReason::Promotion)
    }

    /// What to say of a board that is not to be seen: a dialog may hide it.
    fn why_lost(&self) -> PauseReason {
        self.promotes().map_or(PauseReason::BoardLost, PauseReason::Promotion)
    }

    fn not_understood(&mut self, reason: PauseReason, now: Timestamp, orders: &mut Vec<Order>) {
        match &mut self.phase {
            // A board that is not seen is not one that moves: where it is found again, the count goes on. A window that
            // is dragged about would keep it from ever being complete.
            Phase::Verifying { standing, .. } | Phase::Deselected { standing, .. }
                if reason == PauseReason::BoardLost =>
            {
                standing.interrupt();
            }
            _ => self.forget_what_stood(),
        }
        let since = match &self.strange {
            Some((since, _)) => *since,
            None => now,
        };
        self.strange = Some((since, reason.clone()));
        let patience = self.settings.patience;
        if !self.settings.hands_off && self.aside.is_worth_trying((since, &reason), patience.aside, now) {
            orders.push(Order::TakeAside);
        }
        if now.since(since) >= patience.unknown {
            let both_stand = |stood| {
                let both = self.clock.are_both_seen(now);
                self.clocks_stand(stood, now).filter(|_| both)
            };
            let by_clocks = || self.flag_seen(now).or_else(|| both_stand(patience.clocks_stand));
            let elsewhere = self.ended_elsewhere(now).or_else(by_clocks);
            match elsewhere.or_else(|| self.out_of_sight(&reason)) {
                // A page may put the end, and the next game's button, over the board.
                Some(end) => self.finish(Some(end), now, orders),
                None if both_stand(patience.clocks_stand_untaken).is_some() => {}
                None => self.pause(reason, now, orders),
            }
        }
    }

    fn answered(&mut self, answer: &BestMove, now: Timestamp, orders: &mut Vec<Order>) {
        let Phase::Thinking { id } = self.phase else {
            return;
        };
        if answer.id != id {
            return;
        }
        let playable = self.playable(answer);
        if let Ok(played) = playable {
            self.expect(played, answer);
        }
        match playable {
            Ok(played) if self.settings.hands_off => self.poise(Aim::Advise(played), now),
            Ok(played) => {
                let played = self.as_promoted_here(played);
                let first = self.habits.first(played);
                self.enter(first, now, orders);
            }
            Err(_) if self.asked < MAX_ASKED => self.think(now, orders),
            Err(why) => self.pause(PauseReason::Engine(why), now, orders),
        }
    }

    /// The answer's move, if it is for this position and legal in it.
    fn playable(&self, answer: &BestMove) -> Result<Move, String> {
        let position = self.game.position();
        if !describes(&answer.fen, position) {
            return Err(format!("it answered for another position, {}", answer.fen));
        }
        let text = answer.best.as_deref().ok_or("it says that there is no legal move")?;
        parse_move(text, position)
    }

    /// The move as this page takes it: one that makes a queen of every pawn is not asked for another piece.
    fn as_promoted_here(&self, played: Move) -> Move {
        let queens = self.habits.move_input().queens;
        as_queen(played).filter(|_| queens).unwrap_or(played)
    }

    /// The line in which our pawn became a queen, where the piece that it was to become was taken before it was seen,
    /// and nobody chose it: a page that does not ask makes queens.
    pub(crate) fn with_queen(&self, line: &[Move]) -> Option<Vec<Move>> {
        let Phase::Verifying { attempt, .. } = self.phase else {
            return None;
        };
        let [made, taken, ..] = line else { return None };
        let is_unseen = *made == attempt.played && !attempt.chosen && taken.is_capture() && taken.to() == made.to();
        let queen = as_queen(*made).filter(|queen| is_unseen && queen != made)?;
        let mut game = self.game.clone();
        game.play(queen).ok()?;
        let mut with_queen = vec![queen];
        for played in &line[1..] {
            let played = parse_move(&uci(*played), game.position()).ok()?;
            game.play(played).ok()?;
            with_queen.push(played);
        }
        Some(with_queen)
    }

    fn think(&mut self, now: Timestamp, orders: &mut Vec<Order>) {
        if self.was_pondered(now, orders) {
            return;
        }
        let go = self.question(self.game.uci_moves(), now);
        self.next_id += 1;
        self.asked += 1;
        self.phase = Phase::Thinking { id: go.id };
        orders.push(Order::Think(go));
    }

    /// The next question to the engine, about the game with these moves.
    fn question(&self, moves: Vec<String>, now: Timestamp) -> Go {
        let left = |color| match color == self.own {
            true => self.clock.at_least(color, now).as_millis() as u64,
            false => self.clock.left(color, now).as_millis() as u64,
        };
        let increment = self.clock.control().increment.as_millis() as u64;
        Go {
            id: self.next_id,
            fen: self.game.start_fen(),
            moves,
            limits: Limits {
                white_ms: Some(left(Color::White)),
                black_ms: Some(left(Color::Black)),
                white_inc_ms: Some(increment),
                black_inc_ms: Some(increment),
                move_ms: self.settings.move_ms,
                depth: None,
                nodes: None,
            },
            ..Go::default()
        }
    }

    fn next_turn(&mut self, now: Timestamp, orders: &mut Vec<Order>) {
        if let Some(end) = self.game.end() {
            return self.finish(Some(end), now, orders);
        }
        if self.settings.plies.is_some_and(|plies| self.game.plies() >= plies) {
            return self.finish(None, now, orders);
        }
        self.awaited.next_turn(now);
        if let Some(claim) = self.draws.next_turn(&self.game) {
            orders.push(Order::Tell(Fact::DrawClaimable(claim)));
        }
        if self.game.position().turn() == self.own {
            self.think(now, orders);
        } else {
            self.await_opponent(now, orders);
        }
    }

    fn finish(&mut self, end: Option<End>, now: Timestamp, orders: &mut Vec<Order>) {
        self.drop_thought(now, orders);
        self.clock.stop(now);
        self.phase = Phase::Over(end);
        orders.push(Order::Finish(end));
    }

    /// The game will not go on: its board shows another one.
    fn abandon(&mut self, now: Timestamp, orders: &mut Vec<Order>) {
        self.drop_thought(now, orders);
        self.clock.stop(now);
        self.phase = Phase::Over(None);
        orders.push(Order::Abandon);
    }

    fn pause(&mut self, reason: PauseReason, now: Timestamp, orders: &mut Vec<Order>) {
        if matches!(self.phase, Phase::Paused(_)) {
            return;
        }
        self.drop_thought(now, orders);
        self.strange = None;
        self.asked = 0;
        if let Some(aim) = self.aim() {
            orders.push(Order::Tell(Fact::Refused(aim, reason.clone())));
        }
        // The page has had a gesture: it may land all the same.
        let late = self.lag.take();
        let made = match self.phase {
            Phase::Acting(Aim::Enter { attempt, .. } | Aim::Choose { attempt, .. }) => Some((attempt, now)),
            _ => late.or_else(|| self.touched().map(|attempt| (attempt, now))),
        };
        self.interrupted = made.or(self.interrupted);
        self.phase = Phase::Paused(reason.clone());
        orders.push(Order::Pause(reason));
    }
}

/// The same promotion to a queen; `None` of a move that promotes nothing.
fn as_queen(played: Move) -> Option<Move> {
    match played {
        Move::Normal {
            role,
            from,
            capture,
            to,
            promotion: Some(_),
        } => Some(Move::Normal {
            role,
            from,
            capture,
            to,
            promotion: Some(Role::Queen),
        }),
        _ => None,
    }
}

/// Whether the page has made a queen of the pawn that was to become another piece, without asking.
fn made_a_queen(attempt: &Attempt, played: Move) -> bool {
    let meant = attempt.played;
    let is_other = meant.promotion().is_some_and(|role| role != Role::Queen);
    let is_queen = played.promotion() == Some(Role::Queen);
    is_other && is_queen && !attempt.chosen && (meant.from(), meant.to()) == (played.from(), played.to())
}

#[cfg(test)]
mod tests;
