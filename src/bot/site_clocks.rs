//! The site's clocks over the games of a run: where they stand, what they show, and how many looks found them readable.

use super::part::Grab;
use super::place::BoardPlace;
use image::RgbaImage;
use shakmaty::{ByColor, Color};
use std::sync::Arc;
use std::time::Duration;
use torres_calibration::{
    Calibration, Clocks, RelativeRect, around_clock, clock_at, place_tells_whose, propose_clocks,
};
use torres_frame::Timestamp;
use torres_geometry::{BoardRect, DesktopRect, FrameRect};
use torres_vision::clock::{ClockReader, ClockText, ClockTime, Turn};

/// Clocks are read no more often than this: a tenth of a second is the least that they show.
const EVERY: Duration = Duration::from_millis(50);
/// Clocks of which neither is seen for this long are looked for in the whole window, and then less and less often.
const GONE: Duration = Duration::from_secs(2);
const SEARCH_AT_MOST: Duration = Duration::from_secs(60);

/// So many changes of the clocks tell whose each is, if they are also this many times as many as those that say the
/// opposite.
const CERTAIN: u32 = 3;

/// Looks at the clocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Looks {
    /// Looks at a clock whose digits were known.
    pub made: u32,
    /// Those in which it was read.
    pub read: u32,
}

/// Reads the two clocks beside a board.
#[derive(Clone, Debug)]
pub struct SiteClocks {
    /// Where they stand, in pixels from the board's upper left corner; `None` where that is not known.
    places: Option<[FrameRect; 2]>,
    owners: Owners,
    reader: ClockReader,
    /// What was seen last: the same pixels show the same.
    seen: [Option<(Arc<RgbaImage>, Option<ClockText>)>; 2],
    looked: Timestamp,
    /// When a clock was seen last.
    there: Timestamp,
    searched: Timestamp,
    patience: Duration,
    looks: Looks,
    /// A clock was read in this run, or its digits were known before.
    can_be_read: bool,
}

/// What a look has to know of the game.
#[derive(Clone, Copy, Debug)]
pub struct Running {
    /// The colour that Torres plays.
    pub own: Color,
    /// Whose clock should be running.
    pub turn: Option<Color>,
    /// What a move adds to the mover's clock.
    pub increment: Duration,
    /// How many moves of both sides are known.
    pub moves: u32,
}

/// What a look at a clock found.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClockLook {
    /// Whether it shows what it showed at the look before; `None` where it was not seen.
    pub is_same: Option<bool>,
    /// What it was read to show; `None` where that is not certain.
    pub shown: Option<ClockTime>,
}

impl SiteClocks {
    /// Those that the calibration shows; others are looked for.
    pub fn new(calibration: &Calibration) -> SiteClocks {
        let known = calibration.clocks.as_ref();
        let beside = |clock: RelativeRect| beside_board(clock.into(), &calibration.board);
        SiteClocks {
            places: known.map(|clocks| [beside(clocks.upper), beside(clocks.lower)]),
            owners: Owners::default(),
            reader: ClockReader::new(known.and_then(|clocks| clocks.digits.clone())),
            seen: [None, None],
            looked: Timestamp::default(),
            there: Timestamp::now(),
            searched: Timestamp::default(),
            patience: GONE,
            looks: Looks::default(),
            can_be_read: known.is_some_and(|clocks| clocks.digits.is_some()),
        }
    }

    /// Another game begins.
    pub fn new_game(&mut self) {
        self.reader.new_game();
        self.owners = Owners::default();
        self.looks = Looks::default();
    }

    /// Where they stand and how their digits look, for the games to come; `None` where that is not known.
    pub fn learned(&self, calibration: &Calibration) -> Option<Clocks> {
        let digits = self.reader.digits().filter(|_| self.can_be_read)?;
        let places = self.places?;
        let of_window = |clock: FrameRect| {
            RelativeRect::rounded(FrameRect {
                x: clock.x + calibration.board.x().round(),
                y: clock.y + calibration.board.y().round(),
                ..clock
            })
        };
        Some(Clocks {
            upper: of_window(places[0]),
            lower: of_window(places[1]),
            digits: Some(digits.clone()),
        })
    }

    /// Whether the digits are known, and what they show was believed: times that count up teach wrong ones.
    pub fn can_be_read(&self) -> bool {
        self.can_be_read
    }

    /// Looks at the clocks in this game.
    pub fn looks(&self) -> Looks {
        self.looks
    }

    /// Looks at both clocks, if it is time to.
    pub fn look(&mut self, place: &BoardPlace, running: Running, now: Timestamp, grab: Grab<'_>) -> ByColor<ClockLook> {
        let mut looks = ByColor::<ClockLook>::default();
        if now.since(self.looked) < EVERY {
            return looks;
        }
        self.looked = now;
        if now.since(self.there) > self.patience && now.since(self.searched) > self.patience {
            self.searched = now;
            self.patience = (2 * self.patience).min(SEARCH_AT_MOST);
            self.search(place, grab);
        }
        let Some(places) = self.places else { return looks };
        let own = running.own;
        let is_below = own == place.orientation().bottom();
        let presumed = is_below && place_tells_whose(&places, place.board().height());
        let first_is_theirs = self.owners.first_is_theirs(presumed);
        // That both stand is seen whosever they are.
        let rather = first_is_theirs.unwrap_or_else(|| self.owners.rather(presumed));
        for (index, about) in places.into_iter().enumerate() {
            let of = |first_is_theirs: bool| if first_is_theirs == (index == 0) { !own } else { own };
            let color = first_is_theirs.map(of);
            let before = self.seen[index].as_ref().and_then(|(_, line)| line.clone());
            let line = self.line(index, about, place, grab);
            let is_same = before.zip(line.as_ref()).map(|(before, line)| before.is_like(line));
            if line.is_some() {
                (self.there, self.patience) = (now, GONE);
            }
            if let (Some(false), Some(turn)) = (is_same, running.turn) {
                self.owners.ran(index, turn != own);
            }
            let turn = Turn {
                runs: running.turn.is_some_and(|turn| color.is_none_or(|color| turn == color)),
                increment: running.increment,
                moves: running.moves,
                is_prompt: color == Some(!own),
            };
            let known = self.reader.digits().is_some();
            let shown = self.reader.look(index, line.as_ref(), now, turn);
            let shown = shown.filter(|_| color.is_some());
            looks[of(rather)] = ClockLook {
                is_same: line.map(|_| is_same.unwrap_or(false)),
                shown,
            };
            if color.is_none() {
                continue;
            }
            self.looks.made += u32::from(known);
            self.looks.read += u32::from(shown.is_some());
            self.can_be_read |= shown.is_some();
        }
        looks
    }

    /// The characters of a clock, where it should stand.
    fn line(&mut self, index: usize, about: FrameRect, place: &BoardPlace, grab: Grab<'_>) -> Option<ClockText> {
        let corner = (place.board().x().round(), place.board().y().round());
        let around = around_clock(&about);
        let region = DesktopRect {
            x: (around.x + corner.0) as i32,
            y: (around.y + corner.1) as i32,
            width: around.width as u32,
            height: around.height as u32,
        };
        let frame = grab(region.intersect(&place.client())?).ok()?;
        if let Some((image, line)) = &self.seen[index]
            && **image == *frame.image
        {
            return line.clone();
        }
        let about = FrameRect {
            x: about.x + corner.0 - frame.origin.x,
            y: about.y + corner.1 - frame.origin.y,
            ..about
        };
        let line = clock_at(&frame.image, &about).map(|(line, _)| line);
        self.seen[index] = Some((frame.image, line.clone()));
        line
    }

    /// Looks for the clocks in the whole window.
    fn search(&mut self, place: &BoardPlace, grab: Grab<'_>) {
        let Ok(frame) = grab(place.client()) else { return };
        let board = place.board().translated(-frame.origin.x, -frame.origin.y);
        let Some(found) = propose_clocks(&frame.image, &board) else {
            return;
        };
        self.places = Some(found.map(|clock| beside_board(clock, &board)));
        self.owners = Owners::default();
        self.seen = [None, None];
    }
}

/// Whose the two clocks are, by the turn in which each of them changes. Moves are known a little late, and add time: some
/// changes speak for the wrong side.
#[derive(Clone, Copy, Debug, Default)]
struct Owners {
    /// Changes that say that the first clock is the opponent's, and those that say that it is our own.
    theirs: u32,
    ours: u32,
}

impl Owners {
    /// A clock changed, in the opponent's turn or in ours.
    fn ran(&mut self, index: usize, in_their_turn: bool) {
        match in_their_turn == (index == 0) {
            true => self.theirs += 1,
            false => self.ours += 1,
        }
    }

    /// Whether the first clock is the opponent's; `None` where that is not known. `presumed` is whether its place says
    /// that it is.
    fn first_is_theirs(self, presumed: bool) -> Option<bool> {
        let theirs = self.for_theirs(presumed);
        let outweighs = |one: u32, other: u32| one >= CERTAIN.max(CERTAIN * other);
        match (outweighs(theirs, self.ours), outweighs(self.ours, theirs)) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        }
    }

    /// Whether the first clock is rather the opponent's.
    fn rather(self, presumed: bool) -> bool {
        self.for_theirs(presumed) >= self.ours
    }

    fn for_theirs(self, presumed: bool) -> u32 {
        self.theirs + if presumed { 2 * CERTAIN } else { 0 }
    }
}

/// A rectangle as it lies from a board's corner.
fn beside_board(rect: FrameRect, board: &BoardRect) -> FrameRect {
    FrameRect {
        x: rect.x - board.x().round(),
        y: rect.y - board.y().round(),
        ..rect
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is known of the first clock after so many changes of it in the opponent's turn and in ours.
    fn first_is_theirs(theirs: u32, ours: u32, presumed: bool) -> Option<bool> {
        let mut owners = Owners::default();
        (0..theirs).for_each(|_| owners.ran(0, true));
        (0..ours).for_each(|_| owners.ran(0, false));
        owners.first_is_theirs(presumed)
    }

    #[test]
    fn whose_a_clock_is_shows_by_the_turn_in_which_it_runs() {
        for (theirs, ours, known) in [
            (2, 0, None),
            (3, 0, Some(true)),
            (3, 1, Some(true)),
            (5, 2, None),
            (6, 2, Some(true)),
            (1, 3, Some(false)),
        ] {
            assert_eq!(first_is_theirs(theirs, ours, false), known, "{theirs} and {ours}");
        }
        // Rather one than the other, while that is not known.
        let rather = |theirs, ours| Owners { theirs, ours }.rather(false);
        assert_eq!((rather(5, 2), rather(2, 3)), (true, false));
        // The other clock speaks of this one too.
        let mut owners = Owners::default();
        (0..3).for_each(|_| owners.ran(1, false));
        assert_eq!(owners.first_is_theirs(false), Some(true));
    }

    #[test]
    fn a_place_that_says_whose_a_clock_is_may_be_wrong() {
        for (theirs, ours, known) in [
            (0, 0, Some(true)),
            (0, 2, Some(true)),
            (0, 9, None),
            (0, 18, Some(false)),
        ] {
            assert_eq!(first_is_theirs(theirs, ours, true), known, "{theirs} and {ours}");
        }
    }
}
