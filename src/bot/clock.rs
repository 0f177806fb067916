//! Both sides' clocks: kept by Torres itself, and what the site's own clocks were read to show.

use shakmaty::{ByColor, Color};
use std::time::Duration;
use torres_chess::TimeControl;
use torres_frame::Timestamp;
use torres_vision::clock::ClockTime;

/// A site's clock runs from the opponent's move on, ours from when that is known: after its animation and its way over
/// the screen, some 130 ms on the practice site (of 55 moves at 1+0, by its log). As much may be missing for each of
/// our moves where the site's clock cannot be read.
const UNSEEN: Duration = Duration::from_millis(150);

/// How long a reading of the site's clock holds, less the time passed.
const HOLDS: Duration = Duration::from_secs(60);

/// How long a reading counts as of now.
const FRESH: Duration = Duration::from_secs(2);
/// A clock that has changed as often as this on its side's turn runs in this game: what a move adds is one change.
const RAN: u32 = 2;
/// A clock that has shown zero for this long has nothing left.
const ZERO: Duration = Duration::from_millis(1500);

/// What both sides have left. The opponent's time runs from our move *landed* to theirs *known*, ours from theirs
/// *known* to ours *landed*.
#[derive(Clone, Debug)]
pub struct GameClock {
    control: TimeControl,
    left: ByColor<Duration>,
    /// Moves that were timed.
    moves: ByColor<u32>,
    /// Whose clock runs, and since when; none before the first move and after the last.
    running: Option<(Color, Timestamp)>,
    site: ByColor<Site>,
}

/// What is known of one of the site's clocks.
#[derive(Clone, Copy, Debug, Default)]
struct Site {
    /// The last reading.
    read: Option<Read>,
    /// How much more our clock had left at the last reading than the site's had at least, and how many moves had been
    /// timed by then.
    ahead: (Duration, u32),
    /// When this side's last move was booked: what was read before is of the past.
    moved: Timestamp,
    /// Since when it has been read to show nothing but zero, having had time before.
    zero: Option<Timestamp>,
    /// When it was seen last, read or not.
    seen: Option<Timestamp>,
    /// How often it changed while it was this side's turn.
    ticks: u32,
    /// Since when it has been seen, without a break, to show the same.
    same: Timestamp,
}

/// A reading of a site's clock.
#[derive(Clone, Copy, Debug)]
struct Read {
    shown: ClockTime,
    at: Timestamp,
    /// What the clock had then at least: digits may be rounded up or down.
    least: Duration,
}

impl GameClock {
    /// Both clocks full and standing.
    pub fn new(control: TimeControl) -> GameClock {
        GameClock {
            control,
            left: ByColor::new_with(|_| control.initial),
            moves: ByColor::default(),
            running: None,
            site: ByColor::default(),
        }
    }

    /// Clocks in the middle of a game, after `moves` that were timed: whose runs, and since when; until then both had
    /// this left.
    pub fn resumed(
        control: TimeControl,
        left: ByColor<Duration>,
        moves: ByColor<u32>,
        running: (Color, Timestamp),
    ) -> GameClock {
        GameClock {
            control,
            left,
            moves,
            running: Some(running),
            site: ByColor::default(),
        }
    }

    /// The time control.
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// Starts the clock of the side to move; one that runs already goes on.
    pub fn start(&mut self, turn: Color, now: Timestamp) {
        self.running.get_or_insert((turn, now));
    }

    /// It is that side's turn from now on, whatever was booked before.
    pub fn turn(&mut self, turn: Color, now: Timestamp) {
        self.stop(now);
        self.start(turn, now);
    }

    /// Books a move of `mover` at that moment: its time is taken, the increment given, the other clock started.
    /// Returns what the move took.
    pub fn moved(&mut self, mover: Color, at: Timestamp) -> Duration {
        let took = match self.running {
            Some((turn, since)) if turn == mover => at.since(since),
            _ => Duration::ZERO,
        };
        let left = self.left[mover].saturating_sub(took);
        // A flag that fell stays down: the increment does not raise it again.
        self.left[mover] = if left.is_zero() {
            left
        } else {
            left + self.control.increment
        };
        self.moves[mover] += 1;
        self.site[mover].moved = at;
        self.running = Some((!mover, at));
        took
    }

    /// Stops both clocks.
    pub fn stop(&mut self, now: Timestamp) {
        if let Some((turn, _)) = self.running {
            self.left[turn] = self.left(turn, now);
        }
        self.running = None;
    }

    /// What a side has left at that moment.
    pub fn left(&self, color: Color, now: Timestamp) -> Duration {
        match self.running {
            Some((turn, since)) if turn == color => self.left[color].saturating_sub(now.since(since)),
            _ => self.left[color],
        }
    }

    /// Whose clock runs.
    pub fn runs(&self) -> Option<Color> {
        self.running.map(|(turn, _)| turn)
    }

    /// The site's clock of a side was seen at that moment, whether its digits are known or not: it shows what it showed at
    /// the look before, or something else.
    pub fn seen(&mut self, color: Color, is_same: bool, at: Timestamp) {
        let site = &mut self.site[color];
        let goes_on = site.is_seen(at);
        let its_turn = self
            .running
            .filter(|(turn, since)| *turn == color && site.seen >= Some(*since));
        site.ticks += u32::from(goes_on && !is_same && its_turn.is_some());
        if !(goes_on && is_same) {
            site.same = at;
        }
        site.seen = Some(at);
    }

    /// The site's clock of a side was read at that moment.
    ///
    /// A page may show 7 from 7.99 s down to 7.00, or from 7.00 down to 6.01: it has a second less than shown at least.
    /// When the digits have just gone down by one, it had what they show, or more, since the look before.
    pub fn read(&mut self, color: Color, shown: ClockTime, at: Timestamp) {
        let site = self.site[color];
        let before = site.of_this_turn();
        let mut least = shown.left.saturating_sub(shown.step);
        if let Some(before) = before {
            if before.shown.left == shown.left + shown.step {
                least = least.max(shown.left.saturating_sub(at.since(before.at)));
            }
            // What was known before still holds, less the time passed.
            least = least.max(self.passed(color, before, at)).min(shown.left);
        }
        let had_time = site.read.is_some_and(|read| !read.shown.left.is_zero());
        let began = site.zero.or(had_time.then_some(at));
        self.site[color] = Site {
            read: Some(Read { shown, at, least }),
            ahead: (self.left(color, at).saturating_sub(least), self.moves[color]),
            zero: began.filter(|_| shown.left.is_zero()),
            ..site
        };
    }

    /// What the site's clock of a side showed last, and when; `None` where it was not read since that side's last move.
    pub fn shown(&self, color: Color) -> Option<(ClockTime, Timestamp)> {
        let read = self.site[color].of_this_turn()?;
        Some((read.shown, read.at))
    }

    /// What a side has at least at a later moment, by a reading.
    fn passed(&self, color: Color, read: Read, now: Timestamp) -> Duration {
        match self.running {
            // The site's clock ran before we knew of the move that started it.
            Some((turn, since)) if turn == color && read.at < since => {
                read.least.saturating_sub(now.since(since) + UNSEEN)
            }
            Some((turn, _)) if turn == color => read.least.saturating_sub(now.since(read.at)),
            _ => read.least,
        }
    }

    /// What a side that sees the other's moves on the screen may count on: what the site's clock shows, less what has
    /// passed since. Where it cannot be read, our clock, less what it was ahead by when the site's was read last and
    /// what the site may have counted unseen since.
    pub(crate) fn at_least(&self, color: Color, now: Timestamp) -> Duration {
        let left = self.left(color, now);
        let site = self.site[color];
        let (ahead, then) = site.ahead;
        let by_own = left.saturating_sub(ahead);
        match site.of_this_turn().filter(|read| now.since(read.at) <= HOLDS) {
            Some(read) => self.passed(color, read, now),
            None => by_own
                .saturating_sub(UNSEEN * (self.moves[color] - then))
                .max(by_own / 10),
        }
    }

    /// Whose flag is down at that moment by our own clock, where the site's is not read to know better: it shows time, or
    /// zero of late, and will be seen to stand there.
    pub fn flag(&self, now: Timestamp) -> Option<Color> {
        let is_known = |color: Color| {
            let site = self.site[color];
            let read = site.of_now(now);
            read.is_some_and(|read| !read.shown.left.is_zero() || site.zero.is_some())
        };
        Color::ALL
            .into_iter()
            .find(|c| self.left(*c, now).is_zero() && !is_known(*c))
    }

    /// Whose flag has been seen down on the site's clock: it had time, has shown zero since for longer than the second
    /// in which it may be rounded down to that, and is the one that runs. A clock that shows zero from the beginning is
    /// none, and one that is zero out of turn is the other side's.
    pub(crate) fn flag_seen(&self, now: Timestamp) -> Option<Color> {
        let turn = self.runs()?;
        let site = self.site[turn];
        let since = site.zero.filter(|_| site.of_now(now).is_some())?;
        (now.since(since) >= ZERO).then_some(turn)
    }

    /// How many moves of both sides were timed.
    pub fn moves(&self) -> u32 {
        self.moves.white + self.moves.black
    }

    /// For how long neither of the site's clocks has changed, though the one whose turn it is ran before in this game.
    /// `None` where that one has not run or is not seen, the other was never seen, or one of them shows zero. The other
    /// may look otherwise since it stands. No digit need be known for it.
    pub(crate) fn stand_for(&self, now: Timestamp) -> Option<Duration> {
        let (turn, since) = self.running?;
        let stands = |color: Color| {
            let site = self.site[color];
            let is_zero = site.read.is_some_and(|read| read.shown.left.is_zero());
            site.seen.filter(|_| !is_zero).map(|_| site.same)
        };
        let both = stands(turn)?.max(stands(!turn)?).max(since);
        let site = self.site[turn];
        site.has_run(now).then(|| now.since(both))
    }

    /// Whether the site's clock of the side to move is seen to run.
    pub(crate) fn is_seen_running(&self, now: Timestamp) -> bool {
        self.runs().is_some_and(|turn| {
            let site = self.site[turn];
            site.has_run(now) && now.since(site.same) <= FRESH
        })
    }

    /// Whether both of the site's clocks are seen.
    pub(crate) fn are_both_seen(&self, now: Timestamp) -> bool {
        Color::ALL.into_iter().all(|color| self.site[color].is_seen(now))
    }
}

impl Site {
    /// The last reading, if it was made since this side's last move.
    fn of_this_turn(&self) -> Option<Read> {
        self.read.filter(|read| read.at >= self.moved)
    }

    /// Whether it is seen, and has run in this game.
    fn has_run(&self, now: Timestamp) -> bool {
        self.ticks >= RAN && self.is_seen(now)
    }

    fn is_seen(&self, now: Timestamp) -> bool {
        self.seen.is_some_and(|seen| now.since(seen) <= FRESH)
    }

    /// The last reading, if it is of now.
    fn of_now(&self, now: Timestamp) -> Option<Read> {
        self.read.filter(|read| now.since(read.at) <= FRESH)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Timestamp {
        Timestamp(Duration::from_secs(seconds))
    }

    fn clock() -> GameClock {
        clock_of(60, 5)
    }

    fn clock_of(initial: u64, increment: u64) -> GameClock {
        GameClock::new(TimeControl {
            initial: Duration::from_secs(initial),
            increment: Duration::from_secs(increment),
        })
    }

    #[test]
    fn a_move_costs_its_time_and_earns_the_increment() {
        let mut clock = clock();
        clock.start(Color::White, at(100));
        assert_eq!(clock.moved(Color::White, at(110)), Duration::from_secs(10));
        assert_eq!(clock.left(Color::White, at(200)), Duration::from_secs(55));
        assert_eq!(clock.left(Color::Black, at(130)), Duration::from_secs(40));
    }

    #[test]
    fn a_fallen_flag_stays_down() {
        let mut clock = clock();
        clock.start(Color::White, at(0));
        assert_eq!(clock.flag(at(59)), None);
        assert_eq!(clock.flag(at(60)), Some(Color::White));
        clock.moved(Color::White, at(61));
        assert_eq!(clock.flag(at(61)), Some(Color::White));
    }

    #[test]
    fn what_a_site_may_have_counted_unseen_is_not_thought_with() {
        let mut clock = clock_of(60, 0);
        clock.start(Color::White, at(0));
        assert_eq!(clock.at_least(Color::White, at(0)).as_millis(), 60_000);
        for move_number in 0..40 {
            clock.moved(Color::White, at(2 * move_number + 1));
            clock.moved(Color::Black, at(2 * move_number + 2));
        }
        assert_eq!(clock.left(Color::White, at(80)).as_millis(), 20_000);
        assert_eq!(clock.at_least(Color::White, at(80)).as_millis(), 14_000);
        // Something always remains to move in.
        assert_eq!(clock.at_least(Color::White, at(95)).as_millis(), 500);
    }

    fn seconds(left: u64) -> ClockTime {
        ClockTime {
            left: Duration::from_secs(left),
            step: Duration::from_secs(1),
        }
    }

    #[test]
    fn what_the_sites_clock_shows_is_thought_with() {
        let mut clock = clock();
        clock.start(Color::White, at(100));
        // Half a second later digits went down by one: it has what they show, whichever way they are rounded, less that
        // half second.
        clock.read(Color::White, seconds(41), at(110));
        assert_eq!(clock.at_least(Color::White, at(110)), Duration::from_secs(40));
        let half = at(110) + Duration::from_millis(500);
        clock.read(Color::White, seconds(40), half);
        assert_eq!(clock.at_least(Color::White, half).as_millis(), 39_500);
        assert_eq!(
            clock.at_least(Color::White, half + Duration::from_secs(5)).as_millis(),
            34_500
        );
        // The move is of the past; what is known by then is by how much our clock was ahead.
        assert_eq!(clock.moved(Color::White, at(120)), Duration::from_secs(20));
        assert_eq!(clock.shown(Color::White), None);
        let ahead = 49_500 - 39_500;
        assert_eq!(clock.at_least(Color::White, at(121)).as_millis(), 45_000 - ahead - 150);
    }

    /// The user said 15 minutes of a site that gives one.
    #[test]
    fn a_clock_that_was_read_once_is_not_thought_to_have_more_while_it_is_not() {
        let mut clock = clock_of(900, 0);
        clock.start(Color::White, at(0));
        clock.read(Color::White, seconds(45), at(15));
        clock.moved(Color::White, at(16));
        clock.moved(Color::Black, at(17));
        let least = clock.at_least(Color::White, at(17));
        assert_eq!(least.as_millis(), 43_000 - 150);
    }

    #[test]
    fn a_site_that_counted_before_its_move_was_seen_has_less() {
        let mut clock = clock();
        clock.start(Color::White, at(0));
        clock.moved(Color::White, at(1));
        clock.read(Color::White, seconds(50), at(2));
        clock.moved(Color::Black, at(3));
        assert_eq!(clock.at_least(Color::White, at(4)).as_millis(), 49_000 - 1_150);
        assert_eq!(clock.shown(Color::White), Some((seconds(50), at(2))));
    }

    #[test]
    fn a_flag_is_seen_where_the_sites_clock_stands_at_zero_and_not_fallen_where_it_has_time() {
        let mut clock = clock();
        clock.start(Color::White, at(0));
        clock.read(Color::White, seconds(5), at(61));
        assert_eq!(
            (clock.flag(at(62)), clock.flag_seen(at(62))),
            (None, None),
            "the site gave more time"
        );
        for (second, seen) in [(66, None), (67, None), (68, Some(Color::White))] {
            clock.read(Color::White, seconds(0), at(second));
            assert_eq!(clock.flag_seen(at(second)), seen, "at {second}");
            assert_eq!(clock.flag(at(second)), None, "the site's clock will tell");
        }
        assert_eq!(clock.flag_seen(at(75)), None, "nobody has looked since");
        assert_eq!(clock.flag(at(75)), Some(Color::White), "our own tells then");
    }

    #[test]
    fn clocks_stand_where_neither_moves_though_one_ran_before() {
        let mut clock = clock();
        clock.start(Color::White, at(0));
        let mut before = (0, 0);
        let mut look = |clock: &mut GameClock, second: u64, shown: (u64, u64)| {
            clock.seen(Color::White, shown.0 == before.0, at(second));
            clock.seen(Color::Black, shown.1 == before.1, at(second));
            before = shown;
            clock.stand_for(at(second)).map(|stood| stood.as_secs())
        };
        // It never ran: some sites let clocks run from the second move on.
        assert_eq!(look(&mut clock, 1, (60, 60)), None);
        assert_eq!(look(&mut clock, 2, (60, 60)), None);
        assert_eq!(look(&mut clock, 3, (59, 60)), None, "time may have been added");
        assert_eq!(look(&mut clock, 4, (58, 60)), Some(0));
        assert_eq!(look(&mut clock, 5, (58, 60)), Some(1));
        assert_eq!(look(&mut clock, 6, (58, 60)), Some(2));
        // The other one runs: a move was played that is not known yet.
        assert_eq!(look(&mut clock, 7, (58, 59)), Some(0));
        assert_eq!(look(&mut clock, 8, (58, 59)), Some(1));
        // Nobody looked, so it may have moved meanwhile.
        assert_eq!(look(&mut clock, 20, (58, 59)), Some(0));
        // Each turn counts for itself.
        clock.moved(Color::White, at(21));
        assert_eq!(look(&mut clock, 22, (58, 59)), None);
        assert_eq!(look(&mut clock, 23, (58, 58)), None);
        assert_eq!(look(&mut clock, 24, (58, 57)), Some(0));
        assert_eq!(look(&mut clock, 25, (58, 57)), Some(1));
        assert_eq!(clock.stand_for(at(28)), None, "not seen of late");
        // The one that waits is not seen any more.
        for second in 29..33 {
            clock.seen(Color::Black, true, at(second));
        }
        assert_eq!(clock.stand_for(at(32)).map(|stood| stood.as_secs()), Some(3));
        assert!(!clock.are_both_seen(at(32)));
        // One that is read to show zero tells who has lost.
        clock.read(Color::Black, seconds(0), at(32));
        assert_eq!(clock.stand_for(at(32)), None);
    }

    #[test]
    fn a_clock_that_shows_zero_all_the_time_or_out_of_turn_has_no_flag() {
        let mut clock = clock();
        clock.start(Color::White, at(0));
        clock.read(Color::Black, seconds(5), at(1));
        for second in 2..9 {
            clock.read(Color::White, seconds(0), at(second));
            clock.read(Color::Black, seconds(0), at(second));
            assert_eq!(clock.flag_seen(at(second)), None, "at {second}");
        }
    }
}
