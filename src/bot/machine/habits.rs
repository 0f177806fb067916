//! How this board takes moves, as its game shows it: which manner comes next, and what is learned when a move lands.
//!
//! A board may take drags, clicks or both. On one that takes clicks only, a drag's press may select the piece: a click
//! on it would then take the selection back, and a click on its target make the move. So the first drag is watched:
//! where its piece does not follow the pointer, it is given up on the piece's square, which makes it a click, and the
//! second click follows. A board may also lose a press that comes while a piece slides.

use super::super::gesture::Manner;
use super::{Attempt, Habit};
use shakmaty::Move;
use std::time::Duration;
use torres_calibration::{By, Deselects, MoveInput, Way};

/// How often a move is entered at most.
pub(super) const ATTEMPTS: u8 = 3;

/// Once so many drags have landed in steps, all drags are made so: a busy machine loses single drags. One is
/// enough where no drag has landed before.
const STEPPED: u8 = 2;

/// A page that lost a press is given half as long again, and twice as long where it loses one more. It is given the one at
/// least (a judgement: it was pressed early, and how long it takes nothing is not known), and the other at most: later
/// presses are lost for another reason.
const READY_AT_LEAST: Duration = Duration::from_millis(300);
const READY_AT_MOST: Duration = Duration::from_secs(1);

/// When a move began to show, and when the page had a press, is known no better than this.
const JITTER: Duration = Duration::from_millis(100);

/// Once so many second clicks were lost, the pointer rests before each: a busy page loses single clicks.
const LOST_CLICKS: u8 = 2;

/// What a drag that did not land counts where it left its piece selected: the board has had the press.
const TELLING: u8 = 2;
/// So much against drags is enough to enter all moves by clicks, while no drag has landed.
const ENOUGH: u8 = 2;

/// The first attempt at a move, which did not land.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Miss {
    way: Way,
    onto_rook: bool,
    hasty: bool,
    /// How long after the opponent's move began to show it was made.
    after: Duration,
    selected: bool,
    /// The page has drawn something on the board since.
    drawn: bool,
    /// A drag that was given up, since its piece did not follow the pointer: not even tried to its end.
    given_up: bool,
}

/// What is known of how this board takes moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Habits {
    move_input: MoveInput,
    /// A drag has landed in this game.
    drags_land: bool,
    /// A drag has landed that was neither watched nor made in steps: both are slow.
    quick_drags_land: bool,
    /// How many drags have landed that were made again in steps, or needed them.
    stepped: u8,
    /// How long after the opponent's move began to show a first attempt was made that landed, at the soonest.
    soonest: Option<Duration>,
    /// What speaks against drags.
    against_drags: u8,
    /// The first attempt at the move that is being entered, if it did not land.
    miss: Option<Miss>,
    /// The last drag was made in steps.
    in_steps: bool,
    /// Two clicks have landed between which the pointer did not rest.
    quick_clicks_land: bool,
    /// How often the second of two clicks was lost between which the pointer did not rest: the first had selected the piece.
    second_clicks_lost: u8,
}

/// What comes before the next attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Next {
    /// Whether what may be selected is put down first.
    pub deselect: bool,
    /// How the move is entered then.
    pub manner: Manner,
}

impl Habits {
    /// From what is said and known before the game.
    pub fn new(move_input: MoveInput) -> Habits {
        Habits {
            move_input,
            ..Habits::default()
        }
    }

    /// What is said and known by now.
    pub fn move_input(&self) -> MoveInput {
        self.move_input
    }

    /// Whether the piece is watched in this attempt: it is a drag, what becomes of it says much, and nothing is known
    /// yet of how this board takes drags.
    pub fn is_tried_out(&self, attempt: &Attempt) -> bool {
        let says_much = attempt.manner == Manner::Drag && attempt.is_untouched() && !attempt.hasty;
        let is_known = self.drags_land || self.move_input.takes.is_some() || self.move_input.steps;
        says_much && self.move_input.by == By::Auto && !is_known
    }

    /// Whether a drag is made in steps: where it is known to need them, and where it is made again.
    pub fn drags_in_steps(&self, attempt: &Attempt) -> bool {
        self.move_input.steps || attempt.number > 1
    }

    /// Whether the pointer rests between two clicks: where it is known to be needed, and where they are made again.
    pub fn rests_between_clicks(&self, attempt: &Attempt) -> bool {
        self.move_input.rests || attempt.number > 1
    }

    /// The drag that is being verified now was made in steps.
    pub fn dragged_in_steps(&mut self) {
        self.in_steps = true;
    }

    /// How a move is entered first.
    pub fn first(&mut self, played: Move) -> Attempt {
        self.miss = None;
        self.in_steps = false;
        Attempt {
            onto_rook: played.is_castle() && self.move_input.onto_rook,
            ..Attempt::first(played, self.move_input.first().into())
        }
    }

    /// The drag was given up on the piece's square: a click there, as a board that takes clicks sees it. How the move
    /// goes on.
    pub fn given_up(&mut self, attempt: &Attempt) -> Manner {
        self.miss = Some(Miss {
            way: Way::Drag,
            onto_rook: attempt.onto_rook,
            hasty: false,
            after: Duration::ZERO,
            selected: true,
            drawn: true,
            given_up: true,
        });
        Manner::Target
    }

    /// The attempt did not land; `selected`: its piece was left selected; `drawn`: the page has drawn something on the
    /// board since. What follows.
    pub fn missed(&mut self, made: Attempt, selected: bool, drawn: bool) -> Next {
        let miss = *self.miss.get_or_insert(Miss {
            way: made.manner.way(),
            onto_rook: made.onto_rook,
            hasty: made.hasty,
            after: made.after,
            selected,
            drawn,
            given_up: false,
        });
        let by_drag = Next {
            deselect: true,
            manner: Manner::Drag,
        };
        // A drag that was given up, and was no click either, is made to its end.
        let is_owed = miss.given_up && made.number == 1;
        if self.move_input.by == By::Drag || is_owed {
            return by_drag;
        }
        if selected && made.manner != Manner::Target {
            return Next {
                deselect: false,
                manner: Manner::Target,
            };
        }
        // The way is known: what the board may not take is where the king was put.
        if made.played.is_castle() && made.number == 1 && self.lands_by(made.manner.way()) {
            return Next {
                deselect: made.manner == Manner::Drag,
                manner: made.manner,
            };
        }
        // A drag has landed that was slow, since its piece was watched: it is made in steps.
        let (is_drag, is_auto) = (made.manner == Manner::Drag, self.move_input.by == By::Auto);
        if is_auto && is_drag && !self.in_steps && self.drags_land && !self.quick_drags_land {
            return by_drag;
        }
        // The last attempt is made in the way in which moves have landed, or which was not tried.
        let is_last = made.number + 1 >= ATTEMPTS;
        let drags = (self.drags_land && !is_drag) || miss.way == Way::Clicks;
        if is_auto && is_last && drags {
            return by_drag;
        }
        // Clicks that did not land may have taken a selection back that nobody sees: the same once more selects and
        // moves.
        Next {
            deselect: selected || made.manner == Manner::Drag,
            manner: Manner::ClickClick,
        }
    }

    /// The attempt landed. What that teaches.
    pub fn landed(&mut self, made: Attempt) -> Vec<Habit> {
        let tried_out = self.is_tried_out(&made);
        let miss = self.miss.take();
        if miss.is_some_and(|miss| miss.onto_rook != made.onto_rook) {
            self.move_input.onto_rook = made.onto_rook;
            return made.onto_rook.then_some(Habit::OntoRook).into_iter().collect();
        }
        let mut habits = Vec::new();
        let hasty = miss.is_some_and(|miss| miss.hasty);
        let rests = self
            .landed_with_rest(&made, miss)
            .or_else(|| self.lost_second_click(&made, miss));
        let too_soon = miss.filter(|miss| rests.is_none() && self.came_too_soon(miss, made.manner.way()));
        habits.extend(rests);
        if made.manner == Manner::Drag && self.in_steps && !hasty && too_soon.is_none() {
            let enough = if self.drags_land { STEPPED } else { 1 };
            habits.extend(self.needed_steps(enough));
        }
        self.quick_drags_land |= made.manner == Manner::Drag && !self.in_steps && !tried_out;
        // Two clicks that do nothing, and land when they are made again, have first taken back a selection that nobody
        // saw.
        let selected = made.manner == Manner::ClickClick && made.number == ATTEMPTS;
        let miss = miss.map(|miss| Miss {
            selected: miss.selected || (selected && miss.way == Way::Drag),
            ..miss
        });
        let late = self.against_drags == 0 && miss.is_some_and(|miss| miss.hasty && !miss.selected);
        if late && !self.move_input.at_rest {
            self.move_input.at_rest = true;
            habits.push(Habit::AtRest);
        }
        if miss.is_none() {
            self.soonest = Some(self.soonest.map_or(made.after, |soonest| soonest.min(made.after)));
        }
        if let Some(miss) = too_soon {
            let longer = (miss.after * 3 / 2).max(self.move_input.ready_after * 2);
            self.move_input.ready_after = longer.clamp(READY_AT_LEAST, READY_AT_MOST);
            habits.push(Habit::Ready(self.move_input.ready_after));
        }
        match (self.move_input.by, made.manner.way()) {
            (By::Auto, Way::Drag) => habits.extend(self.landed_by_drag(miss)),
            (By::Auto, Way::Clicks) => {
                let dragged = miss.filter(|miss| miss.way == Way::Drag && !late);
                habits.extend(dragged.and_then(|miss| self.landed_by_clicks_only(&miss)));
            }
            _ => {}
        }
        habits
    }

    /// Whether moves have landed in this way.
    fn lands_by(&self, way: Way) -> bool {
        match way {
            Way::Drag => self.drags_land,
            Way::Clicks => self.move_input.takes == Some(Way::Clicks),
        }
    }

    /// Two clicks that landed with a rest between them, after two that did not without one. They may have come too soon as
    /// well: that is tried first, since one wait a move is less than a rest for good.
    fn landed_with_rest(&mut self, made: &Attempt, miss: Option<Miss>) -> Option<Habit> {
        let are_clicks = made.manner == Manner::ClickClick;
        self.quick_clicks_land |= are_clicks && !self.rests_between_clicks(made);
        let missed = miss.filter(|miss| are_clicks && miss.way == Way::Clicks && !miss.hasty)?;
        let is_news = self.was_waited_for(&missed) && !self.quick_clicks_land && !self.move_input.rests;
        self.move_input.rests |= is_news;
        is_news.then_some(Habit::Rests)
    }

    /// A click on the target has landed, after two clicks of which the first alone was taken: the second came too soon.
    fn lost_second_click(&mut self, made: &Attempt, miss: Option<Miss>) -> Option<Habit> {
        let missed = miss.filter(|miss| made.manner == Manner::Target && miss.way == Way::Clicks && miss.selected)?;
        if missed.hasty || self.move_input.rests {
            return None;
        }
        self.second_clicks_lost += 1;
        self.move_input.rests = self.second_clicks_lost >= LOST_CLICKS;
        self.move_input.rests.then_some(Habit::Rests)
    }

    /// A drag has landed in steps, or would have; so many are enough to make all so.
    fn needed_steps(&mut self, enough: u8) -> Option<Habit> {
        self.stepped = self.stepped.saturating_add(1);
        let is_news = self.stepped >= enough && !self.quick_drags_land && !self.move_input.steps;
        self.move_input.steps |= is_news;
        is_news.then_some(Habit::Steps)
    }

    fn landed_by_drag(&mut self, miss: Option<Miss>) -> Option<Habit> {
        self.drags_land = true;
        let unexpected = miss.is_some_and(|miss| miss.given_up) || self.move_input.takes == Some(Way::Clicks);
        if unexpected {
            self.move_input.takes = Some(Way::Drag);
        }
        unexpected.then_some(Habit::Drags)
    }

    /// A drag did not land, and clicks did.
    fn landed_by_clicks_only(&mut self, drag: &Miss) -> Option<Habit> {
        let tells = drag.selected && !drag.hasty;
        self.against_drags = self.against_drags.saturating_add(if tells { TELLING } else { 1 });
        if self.against_drags >= ENOUGH && !self.drags_land {
            self.move_input.takes = Some(Way::Clicks);
            return Some(Habit::Clicks);
        }
        // The page took the quick drag for a click, and has taken a slow one.
        let needs_steps = tells && self.drags_land && !self.in_steps;
        let learned = needs_steps.then(|| self.needed_steps(STEPPED)).flatten();
        if learned.is_some() {
            // Whether drags in steps land is to be seen.
            (self.drags_land, self.against_drags) = (false, 0);
        }
        learned
    }

    /// Whether a first attempt did not land since it came too soon after the opponent's move, though the board was at
    /// rest: the page takes moves in its way, took none so soon, and has drawn nothing. The move has landed in this way
    /// now.
    fn came_too_soon(&self, miss: &Miss, landed: Way) -> bool {
        let takes_its_way = miss.way == landed || (miss.way == Way::Drag && self.drags_land);
        let is_lost = !miss.hasty && !miss.selected && !miss.drawn;
        let is_soonest = self.soonest.is_none_or(|soonest| miss.after < soonest + JITTER);
        takes_its_way && is_lost && is_soonest && miss.after < READY_AT_MOST
    }

    /// Whether a first attempt that did not land came as late as the page is known to need.
    fn was_waited_for(&self, miss: &Miss) -> bool {
        let is_known = !self.move_input.ready_after.is_zero() && miss.after >= self.move_input.ready_after;
        is_known || miss.after >= READY_AT_MOST
    }

    /// The page has made a queen of a pawn that was to become another piece, without asking. Whether that is news.
    pub fn queened(&mut self) -> Option<Habit> {
        let known = std::mem::replace(&mut self.move_input.queens, true);
        (!known).then_some(Habit::Queens)
    }

    /// The pointer, taken off the board, has let what was not understood be understood. Whether that is news.
    pub fn cleared_by_going_aside(&mut self) -> Option<Habit> {
        let known = std::mem::replace(&mut self.move_input.aside, true);
        (!known).then_some(Habit::Aside)
    }

    /// A click of that kind put a selected piece down. Whether that is news.
    pub fn deselected_by(&mut self, how: Deselects) -> Option<Habit> {
        let news = self.move_input.deselects.replace(how) != Some(how);
        news.then_some(Habit::Deselects(how))
    }
}
