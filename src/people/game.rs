//! One game of two people, as values.
//!
//! A [`PeopleGame`] is the sum of its [`Change`]s. [`decide`](PeopleGame::decide) says what a [`Command`] changes, or
//! why it is refused, and alters nothing. [`apply`](PeopleGame::apply) takes a change in. Between the two the change is
//! kept on disk: what a client was told of is never lost, and the game that is read from disk is the game that was
//! played.
//!
//! The rules of two people over a network are those of thesis 001, chapter 2.2, with what it lacks: the server owns
//! board and clocks, and a seat belongs to a person, not to a name.

use super::change::{Change, End, Reason, Times};
use super::command::{Claim, Command, Offer, Refusal};
use super::game_id::GameId;
use super::person::{Owned, Person, PersonId};
use shakmaty::uci::UciMove;
use shakmaty::{ByColor, Chess, Color, Position};
use std::time::Duration;
use torres_chess::Side;
use torres_chess::TimeControl;
use torres_frame::Timestamp;
use torres_site::clock::Clock;
use torres_site::game::Game;

/// Both sides' first moves are free: clocks run from this ply on, as on the practice site.
const FIRST_TIMED_PLY: usize = 2;
/// A player who has been away for this long may be replaced, if the other agrees.
pub const REPLACED_AFTER: Duration = Duration::from_secs(10);
/// A player who has been away for this long has abandoned the game, if the other says so.
pub const ABANDONED_AFTER: Duration = Duration::from_secs(60);
/// A game against a computer whose clock runs, or in which computers play each other, is paused when its owner has been
/// away for this long.
pub const PAUSED_AFTER: Duration = Duration::from_secs(15);

/// What stands offered, and by whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Offers {
    /// A draw.
    pub draw: Option<Color>,
    /// A takeback.
    pub takeback: Option<Color>,
    /// A rematch.
    pub rematch: Option<Color>,
}

impl Offers {
    fn slot(&mut self, offer: Offer) -> &mut Option<Color> {
        match offer {
            Offer::Draw => &mut self.draw,
            Offer::Takeback => &mut self.takeback,
            Offer::Rematch => &mut self.rematch,
        }
    }

    /// Who offers this.
    pub fn by(mut self, offer: Offer) -> Option<Color> {
        *self.slot(offer)
    }
}

/// A game of two people: what its changes add up to, and who is there.
#[derive(Clone, Debug)]
pub struct PeopleGame {
    seats: ByColor<Option<Person>>,
    game: Game,
    clock: Option<Clock>,
    control: Option<TimeControl>,
    turn: u32,
    offers: Offers,
    /// When a side last offered a draw, as a turn: it offers none again before it has moved.
    draw_offered: ByColor<Option<u32>>,
    asked: Option<(Color, Person)>,
    end: Option<End>,
    next: Option<GameId>,
    seq: u64,
    away_since: ByColor<Option<Timestamp>>,
    owned: Option<Owned>,
    owner_away_since: Option<Timestamp>,
    paused: bool,
}

impl PeopleGame {
    /// A game without players, at its start.
    pub fn new(start: Chess, control: Option<TimeControl>, now: Timestamp) -> PeopleGame {
        PeopleGame {
            seats: ByColor::default(),
            game: Game::new(start),
            clock: control.map(Clock::new),
            control,
            turn: 0,
            offers: Offers::default(),
            draw_offered: ByColor::default(),
            asked: None,
            end: None,
            next: None,
            seq: 0,
            away_since: ByColor::new_with(|_| Some(now)),
            owned: None,
            owner_away_since: Some(now),
            paused: false,
        }
    }

    /// The game that was kept. Its running clock goes on as if the last change had been at `last`.
    ///
    /// # Errors
    /// A change does not follow from those before it: the number of that change.
    pub fn restored<'a>(
        start: Chess,
        control: Option<TimeControl>,
        changes: impl IntoIterator<Item = &'a Change>,
        last: Timestamp,
    ) -> Result<PeopleGame, u64> {
        let mut game = PeopleGame::new(start, control, last);
        for change in changes {
            if !game.apply(change, last) {
                return Err(game.seq + 1);
            }
        }
        Ok(game)
    }

    /// Who has which seat.
    pub fn seats(&self) -> &ByColor<Option<Person>> {
        &self.seats
    }

    /// The seat of a person; of whoever has both, the one whose turn it is.
    pub fn seat_of(&self, id: &PersonId) -> Option<Color> {
        let has = |color: &Color| self.seats[*color].as_ref().is_some_and(|person| person.id == *id);
        let mut own = Color::ALL.into_iter().filter(has);
        let first = own.next()?;
        Some(own.next().map_or(first, |_| self.game.position().turn()))
    }

    /// Which computer has a seat.
    pub fn computer(&self, color: Color) -> Option<&str> {
        self.seats[color].as_ref()?.computer_id()
    }

    /// What it has beside others, where a computer may play in it.
    pub fn owned(&self) -> Option<&Owned> {
        self.owned.as_ref()
    }

    /// Whether this person made it, and a computer may play in it.
    pub fn is_owner(&self, id: &PersonId) -> bool {
        self.owned.as_ref().is_some_and(|owned| owned.by == *id)
    }

    /// Whether it is paused.
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// The seat that nobody has, where exactly one is free.
    pub fn free_seat(&self) -> Option<Color> {
        let mut free = Color::ALL.into_iter().filter(|&color| self.seats[color].is_none());
        free.next().filter(|_| free.next().is_none())
    }

    /// Moves and position.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The clocks; `None` in a game without.
    pub fn clock(&self) -> Option<&Clock> {
        self.clock.as_ref()
    }

    /// How the game is timed; `None` for a game without clocks.
    pub fn control(&self) -> Option<TimeControl> {
        self.control
    }

    /// Counts the moves played and the takebacks: it never has the same value in two positions of a game.
    pub fn turn(&self) -> u32 {
        self.turn
    }

    /// What stands offered.
    pub fn offers(&self) -> Offers {
        self.offers
    }

    /// Who asks for a seat whose owner is away.
    pub fn asked(&self) -> Option<(Color, &Person)> {
        let (seat, person) = self.asked.as_ref()?;
        self.away_since[*seat].is_some().then_some((*seat, person))
    }

    /// How it ended.
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// The rematch.
    pub fn next(&self) -> Option<&GameId> {
        self.next.as_ref()
    }

    /// How many changes it has seen.
    pub fn seq(&self) -> u64 {
        self.seq
    }

    /// Whether both have joined and it is not over.
    pub fn is_on(&self) -> bool {
        self.end.is_none() && self.seats.white.is_some() && self.seats.black.is_some()
    }

    /// Since when a side's player has been away; `None` while there.
    pub fn away_since(&self, color: Color) -> Option<Timestamp> {
        self.away_since[color]
    }

    /// A seat's player is there from now on.
    pub fn arrive(&mut self, color: Color) {
        self.away_since[color] = None;
    }

    /// A seat's player is away from now on.
    pub fn depart(&mut self, color: Color, now: Timestamp) {
        self.away_since[color].get_or_insert(now);
    }

    /// Whoever made it is there from now on.
    pub fn owner_arrives(&mut self) {
        self.owner_away_since = None;
    }

    /// Whoever made it is away from now on.
    pub fn owner_departs(&mut self, now: Timestamp) {
        self.owner_away_since.get_or_insert(now);
    }

    /// When something happens by itself: a flag falls, or a game whose owner has left is paused.
    pub fn due(&self) -> Option<Timestamp> {
        let flag = self.flag().map(|(_, at)| at);
        flag.into_iter().chain(self.left_at()).min()
    }

    /// What has happened by itself by now.
    pub fn passed(&self, now: Timestamp) -> Option<Change> {
        if let Some((loser, _)) = self.flag().filter(|(_, at)| *at <= now) {
            return Some(self.ended(self.game.flagged(loser).into(), now));
        }
        let times = self.times(now);
        self.left_at().filter(|at| *at <= now).map(|_| Change::Paused { times })
    }

    fn flag(&self) -> Option<(Color, Timestamp)> {
        self.clock.as_ref().and_then(Clock::flag)
    }

    /// When a game whose owner is away is paused: where the owner loses time by it, or nobody looks on.
    fn left_at(&self) -> Option<Timestamp> {
        let away = self.owned.as_ref().and(self.owner_away_since)?;
        let runs = self.clock.as_ref().is_some_and(|clock| clock.running().is_some());
        let computers = Color::ALL.into_iter().all(|color| self.computer(color).is_some());
        (self.is_on() && !self.paused && (runs || computers)).then(|| away + PAUSED_AFTER)
    }

    /// What both clocks show.
    pub fn times(&self, now: Timestamp) -> Option<Times> {
        self.clock.as_ref().map(|clock| times_of(clock, now))
    }

    /// What a command of a person changes; `fresh` names the next game, should there be one. Nothing is altered yet.
    ///
    /// # Errors
    /// Why it is refused.
    pub fn decide(
        &self,
        person: &Person,
        command: &Command,
        now: Timestamp,
        fresh: &GameId,
    ) -> Result<Vec<Change>, Refusal> {
        let seat = self.seat_of(&person.id);
        let player = || seat.ok_or(Refusal::Watching);
        if self.flag().is_some_and(|(_, at)| at <= now) {
            return Err(Refusal::Over);
        }
        Ok(match command {
            Command::Join => vec![self.joined(person)?],
            Command::AskSeat(color) => vec![self.seat_asked(person, *color, now)?],
            Command::Withdraw => {
                player()?;
                self.not_over()?;
                match self.is_on() {
                    true => return Err(Refusal::Begun),
                    false => vec![self.ended_by(Reason::Withdrawn, None, now)],
                }
            }
            Command::Offer(Offer::Rematch) => vec![self.rematch_offered(player()?, fresh)?],
            Command::Accept(Offer::Rematch) => match (self.offers.rematch, player()?) {
                (Some(by), seat) if by != seat && self.next.is_none() => vec![Change::Rematch { game: fresh.clone() }],
                _ => return Err(Refusal::Nothing),
            },
            Command::Decline(offer) => {
                let by = player()?;
                match self.offers.by(*offer) {
                    Some(_) => vec![Change::Declined {
                        by: by.into(),
                        offer: *offer,
                    }],
                    None => return Err(Refusal::Nothing),
                }
            }
            Command::Undo | Command::Pause | Command::Resume => match self.is_owner(&person.id) {
                true => vec![self.managed(seat, command, now)?],
                false => return Err(Refusal::NotOwner),
            },
            playing => {
                let seat = player()?;
                self.not_over()?;
                if !self.is_on() {
                    return Err(Refusal::NotBegun);
                }
                if self.paused {
                    return Err(Refusal::Paused);
                }
                self.played(seat, playing, now)?
            }
        })
    }

    /// What the offer of a rematch changes: a computer takes it at once, as does whoever has offered one too.
    fn rematch_offered(&self, by: Color, fresh: &GameId) -> Result<Change, Refusal> {
        match self.end {
            None => Err(Refusal::NotOver),
            Some(end) if end.reason == Reason::Withdrawn => Err(Refusal::Nothing),
            Some(_) if self.next.is_some() => Err(Refusal::Over),
            Some(_) if self.offers.rematch == Some(by) => Err(Refusal::Offered),
            Some(_) if self.offers.rematch.is_some() || self.owned.is_some() => {
                Ok(Change::Rematch { game: fresh.clone() })
            }
            Some(_) => Ok(offered(by, Offer::Rematch)),
        }
    }

    /// What a command of its owner changes in a game in which a computer may play.
    fn managed(&self, seat: Option<Color>, command: &Command, now: Timestamp) -> Result<Change, Refusal> {
        let times = self.times(now);
        match (command, self.end) {
            (Command::Undo, None) if self.paused => Err(Refusal::Paused),
            (Command::Undo, end) => {
                if self.next.is_some() || end.is_some_and(|end| !end.reason.is_on_the_board()) {
                    return Err(Refusal::Over);
                }
                let plies = self.plies_undone(seat.ok_or(Refusal::Watching)?);
                let plies = plies.ok_or(Refusal::Nothing)?;
                Ok(Change::TookBack { plies, times })
            }
            (_, Some(_)) => Err(Refusal::Over),
            (Command::Pause, None) if !self.paused => Ok(Change::Paused { times }),
            (Command::Resume, None) if self.paused => Ok(Change::Resumed { times }),
            _ => Err(Refusal::Nothing),
        }
    }

    /// How many plies one's own last move lies back: the computer's reply goes with it. Whoever has both sides takes
    /// back one.
    fn plies_undone(&self, seat: Color) -> Option<usize> {
        let both = Color::ALL.into_iter().all(|color| self.computer(color).is_none());
        let back = match both {
            true => Some(1),
            false => self.plies_back(seat),
        };
        let before = self.owned.as_ref().map_or(0, |owned| owned.before);
        back.filter(|back| self.game.plies().len() >= before + back)
    }

    /// What a player's command changes in a game that is on.
    fn played(&self, seat: Color, command: &Command, now: Timestamp) -> Result<Vec<Change>, Refusal> {
        let other = seat.other();
        Ok(match command {
            Command::Move { turn, uci } => return self.moved(seat, *turn, uci, now),
            Command::Resign => vec![self.ended_by(Reason::Resignation, Some(other), now)],
            Command::Offer(Offer::Draw) if self.offers.draw == Some(other) => vec![self.drawn(now)],
            Command::Accept(Offer::Draw) if self.offers.draw == Some(other) => vec![self.drawn(now)],
            Command::Offer(Offer::Draw) => match self.draw_offered[seat] {
                Some(turn) if self.turn < turn + 2 => return Err(Refusal::Offered),
                _ => vec![offered(seat, Offer::Draw)],
            },
            // It is undone without a question.
            Command::Offer(Offer::Takeback) if self.owned.is_some() => return Err(Refusal::Nothing),
            Command::Offer(Offer::Takeback) => match (self.offers.takeback, self.plies_back(seat)) {
                (_, None) => return Err(Refusal::Nothing),
                (None, Some(_)) => vec![offered(seat, Offer::Takeback)],
                (Some(_), Some(_)) => return Err(Refusal::Offered),
            },
            Command::Accept(Offer::Takeback) if self.offers.takeback == Some(other) => {
                let plies = self.plies_back(other).ok_or(Refusal::Nothing)?;
                let times = self.times(now);
                vec![Change::TookBack { plies, times }]
            }
            Command::Claim(claim) => {
                let away = self.away_since[other].map(|since| now.since(since));
                if away.is_none_or(|away| away < ABANDONED_AFTER) {
                    return Err(Refusal::NotAway);
                }
                // Whose opponent never came has won nothing.
                let begun = self.game.plies().len() >= FIRST_TIMED_PLY;
                match (claim, begun) {
                    (_, false) => vec![self.ended_by(Reason::Withdrawn, None, now)],
                    (Claim::Win, true) => vec![self.ended_by(Reason::Abandoned, Some(seat), now)],
                    (Claim::Draw, true) => vec![self.ended_by(Reason::Abandoned, None, now)],
                }
            }
            Command::GiveSeat | Command::KeepSeat => match self.asked() {
                Some((asked, person)) if asked == other => match command {
                    Command::KeepSeat => vec![Change::SeatKept { seat: asked.into() }],
                    _ => vec![Change::Replaced {
                        seat: asked.into(),
                        person: person.clone(),
                    }],
                },
                _ => return Err(Refusal::Nothing),
            },
            _ => return Err(Refusal::Nothing),
        })
    }

    fn moved(&self, seat: Color, turn: u32, uci: &UciMove, now: Timestamp) -> Result<Vec<Change>, Refusal> {
        if turn != self.turn {
            return Err(Refusal::Stale);
        }
        if seat != self.game.position().turn() {
            return Err(Refusal::NotYourTurn);
        }
        let mut after = self.game.clone();
        let played = after.play(uci).ok_or(Refusal::Illegal)?.uci.to_string();
        let clock = self.clock.clone().map(|mut clock| {
            if after.plies().len() >= FIRST_TIMED_PLY {
                clock.switch_to(seat.other(), now);
            }
            clock
        });
        let times = clock.as_ref().map(|clock| times_of(clock, now));
        let mut changes = vec![Change::Moved { uci: played, times }];
        if let Some(ending) = after.ending() {
            let end = ending.into();
            changes.push(Change::Ended { end, times });
        }
        Ok(changes)
    }

    fn joined(&self, person: &Person) -> Result<Change, Refusal> {
        self.not_over()?;
        if self.seat_of(&person.id).is_some() {
            return Err(Refusal::OwnGame);
        }
        let seat = self.free_seat().ok_or(Refusal::SeatTaken)?.into();
        let person = person.clone();
        Ok(Change::Joined { seat, person })
    }

    fn seat_asked(&self, person: &Person, color: Color, now: Timestamp) -> Result<Change, Refusal> {
        self.not_over()?;
        if self.seat_of(&person.id).is_some() {
            return Err(Refusal::OwnGame);
        }
        if !self.is_on() {
            return Err(Refusal::NotBegun);
        }
        let away = self.away_since[color].map(|since| now.since(since));
        if self.owned.is_some() || away.is_none_or(|away| away < REPLACED_AFTER) {
            return Err(Refusal::SeatTaken);
        }
        if self.asked().is_some() {
            return Err(Refusal::Offered);
        }
        let (seat, person) = (color.into(), person.clone());
        Ok(Change::SeatAsked { seat, person })
    }

    fn not_over(&self) -> Result<(), Refusal> {
        self.end.is_none().then_some(()).ok_or(Refusal::Over)
    }

    /// How many plies a side's takeback undoes: up to its own last move.
    fn plies_back(&self, seat: Color) -> Option<usize> {
        let plies = self.game.plies();
        let back = plies.iter().rev().position(|ply| ply.mover == seat)? + 1;
        (back <= 2).then_some(back)
    }

    fn drawn(&self, now: Timestamp) -> Change {
        self.ended_by(Reason::Agreement, None, now)
    }

    fn ended_by(&self, reason: Reason, winner: Option<Color>, now: Timestamp) -> Change {
        let winner = winner.map(Side::from);
        self.ended(End { reason, winner }, now)
    }

    fn ended(&self, end: End, now: Timestamp) -> Change {
        let times = self.times(now);
        Change::Ended { end, times }
    }

    /// Takes a change in, which [`decide`](Self::decide) or [`passed`](Self::passed) gave, or the disk. False, and
    /// nothing is altered, where it cannot follow what was before.
    pub fn apply(&mut self, change: &Change, now: Timestamp) -> bool {
        if !self.take(change, now) {
            return false;
        }
        self.seq += 1;
        true
    }

    #[expect(clippy::too_many_lines, reason = "an arm for each change")]
    fn take(&mut self, change: &Change, now: Timestamp) -> bool {
        match change {
            Change::Opened(owned) => {
                if self.seq > 0 {
                    return false;
                }
                self.owned = Some(owned.clone());
            }
            Change::Joined { seat, person } => {
                let seat = Color::from(*seat);
                if self.seats[seat].is_some() {
                    return false;
                }
                self.seats[seat] = Some(person.clone());
            }
            Change::Moved { uci, times } => {
                if !uci.parse().is_ok_and(|uci| self.game.play(&uci).is_some()) {
                    return false;
                }
                self.turn += 1;
                self.offers = Offers::default();
                self.set_clock(*times, now);
            }
            Change::Offered { by, offer } => {
                let by = Color::from(*by);
                *self.offers.slot(*offer) = Some(by);
                if *offer == Offer::Draw {
                    self.draw_offered[by] = Some(self.turn);
                }
            }
            Change::Declined { offer, .. } => *self.offers.slot(*offer) = None,
            Change::TookBack { plies, times } => {
                self.game.take_back(*plies);
                self.end = None;
                self.turn += 1;
                self.offers = Offers::default();
                self.set_clock(*times, now);
            }
            Change::SeatAsked { seat, person } => self.asked = Some(((*seat).into(), person.clone())),
            Change::SeatKept { .. } => self.asked = None,
            Change::Replaced { seat, person } => {
                let seat = Color::from(*seat);
                self.asked = None;
                self.offers = Offers::default();
                self.seats[seat] = Some(person.clone());
                self.away_since[seat] = Some(now);
            }
            Change::Ended { end, times } => {
                self.end = Some(*end);
                self.offers = Offers::default();
                self.asked = None;
                self.set_clock(*times, now);
            }
            Change::Rematch { game } => {
                self.offers.rematch = None;
                self.next = Some(game.clone());
            }
            Change::Paused { times } => {
                self.paused = true;
                self.set_clock(*times, now);
            }
            Change::Resumed { times } => {
                self.paused = false;
                self.set_clock(*times, now);
            }
        }
        true
    }

    /// Sets the clocks; the one of the side to move runs from now on, once both have moved.
    fn set_clock(&mut self, times: Option<Times>, now: Timestamp) {
        let runs = self.end.is_none() && !self.paused && self.game.plies().len() >= FIRST_TIMED_PLY;
        let running = runs.then(|| (self.game.position().turn(), now));
        if let (Some(clock), Some(times)) = (&mut self.clock, times) {
            clock.set(times.into(), running);
        }
    }
}

fn offered(by: Color, offer: Offer) -> Change {
    Change::Offered { by: by.into(), offer }
}

fn times_of(clock: &Clock, now: Timestamp) -> Times {
    let ms = |color| u64::try_from(clock.remaining(color, now).as_millis()).unwrap_or(u64::MAX);
    Times {
        white_ms: ms(Color::White),
        black_ms: ms(Color::Black),
    }
}
