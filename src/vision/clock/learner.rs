//! Learns what digits look like from clocks that run.

use super::digits::Digits;
use super::text::{ClockText, Shape};
use std::collections::BTreeMap;
use std::time::Duration;
use torres_frame::Timestamp;

/// Pictures nearer to each other than this ([`Shape::distance`]) are the same.
const SAME: f64 = 0.02;
/// Pictures of one digit differ by at most one of these: a digit is drawn anew at each place. The right one is that
/// with which the pictures follow each other in a ring.
const ONE_DIGIT: [f64; 4] = [0.03, 0.06, 0.09, 0.12];
/// After a longer time between two looks a clock may have ticked twice.
const LOOKED_AWAY: Duration = Duration::from_millis(900);
/// A tick follows the one before after a second, give or take this.
const UNEVEN: Duration = Duration::from_millis(350);
/// What a move adds is followed by that move within this time: a change after which no move is seen for longer is a
/// tick.
const LASTED: Duration = Duration::from_millis(800);
/// If there are more kinds of pictures than this, they are no digits.
const KINDS: usize = 80;

/// What a look at a clock has to know of the game.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// Whether the clock should be running: it is its side's turn, as far as is known.
    pub runs: bool,
    /// What a move adds to it.
    pub increment: Duration,
    /// How many moves of both sides are known.
    pub moves: u32,
    /// Moves of its side are known as soon as they are seen. One's own are not: they are verified first.
    pub is_prompt: bool,
}

/// What follows what where seconds are shown, gathered from both clocks.
///
/// Each tick is a vote that the new picture is the digit below the old one. A tick at which the tens change too is a
/// vote that the new picture is a 9. The digits are known once ten pictures follow each other in a ring and one of them
/// is the 9.
#[derive(Clone, Debug, Default)]
pub struct Learner {
    kinds: Vec<Shape>,
    /// How often the second kind followed the first.
    follows: BTreeMap<(usize, usize), u32>,
    /// How often a kind came as the tens changed.
    nines: BTreeMap<usize, u32>,
    clocks: [Option<Watched>; 2],
}

/// A clock at the look before.
#[derive(Clone, Debug)]
struct Watched {
    /// The kinds of its digits, from left to right.
    kinds: Vec<usize>,
    looked: Timestamp,
    /// When it ticked last, in the stretch that it has been running since.
    ticked: Option<Timestamp>,
    /// A change that a move may have made.
    unproven: Option<ClockChange>,
}

/// A change of a clock.
#[derive(Clone, Debug)]
struct ClockChange {
    /// The kinds of its digits before.
    before: Vec<usize>,
    at: Timestamp,
    /// The moves that were known by then.
    moves: u32,
}

impl Learner {
    /// Takes a look at one of the two clocks; `None` where there is nothing like a clock. Where moves add time to it, not
    /// every change is a tick: only one a second after another one counts then, or one that no move follows.
    pub fn saw(&mut self, clock: usize, line: Option<&ClockText>, at: Timestamp, turn: Turn) {
        let Some(clock) = self.clocks.get(clock).map(|_| clock) else {
            return;
        };
        // Tenths change too quickly.
        let Some((groups, _)) = line.and_then(ClockText::groups) else {
            self.clocks[clock] = None;
            return;
        };
        let kinds: Option<Vec<usize>> = groups.into_iter().flatten().map(|shape| self.kind(shape)).collect();
        let before = self.clocks[clock].take();
        let Some(kinds) = kinds else { return };
        let (mut ticked, mut unproven) = (None, None);
        if let Some(before) = before.filter(|before| before.kinds.len() == kinds.len()) {
            ticked = before.ticked.filter(|_| turn.runs);
            unproven = before.unproven.filter(|change| turn.runs && change.moves == turn.moves);
            if kinds != before.kinds {
                let lasted = before.ticked.map(|ticked| at.since(ticked));
                let second = Duration::from_secs(1);
                let is_even = lasted.is_some_and(|lasted| lasted > second - UNEVEN && lasted < second + UNEVEN);
                unproven = None;
                match at.since(before.looked) < LOOKED_AWAY {
                    true if is_even || turn.increment.is_zero() => self.tick(&before.kinds, &kinds),
                    true if turn.runs && turn.is_prompt => {
                        unproven = Some(ClockChange {
                            before: before.kinds,
                            at,
                            moves: turn.moves,
                        });
                    }
                    _ => {}
                }
                ticked = turn.runs.then_some(at);
            } else if let Some(change) = unproven.take_if(|change| at.since(change.at) >= LASTED) {
                self.tick(&change.before, &kinds);
            }
        }
        self.clocks[clock] = Some(Watched {
            kinds,
            looked: at,
            ticked,
            unproven,
        });
    }

    /// The digits, once they are known.
    pub fn digits(&self) -> Option<Digits> {
        ONE_DIGIT.into_iter().find_map(|one_digit| self.ring(one_digit))
    }

    /// The digits, if pictures that differ by no more than this are of one digit.
    fn ring(&self, one_digit: f64) -> Option<Digits> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut group_of = Vec::new();
        for (kind, shape) in self.kinds.iter().enumerate() {
            let near = |group: &Vec<usize>| {
                group
                    .iter()
                    .any(|&other| self.kinds[other].distance(shape) <= one_digit)
            };
            let group = groups.iter().position(near).unwrap_or(groups.len());
            if group == groups.len() {
                groups.push(Vec::new());
            }
            groups[group].push(kind);
            group_of.push(group);
        }
        let mut follows = BTreeMap::<(usize, usize), u32>::new();
        for (&(was, is), votes) in &self.follows {
            *follows.entry((group_of[was], group_of[is])).or_default() += votes;
        }
        let mut nines = BTreeMap::<usize, u32>::new();
        for (&kind, votes) in &self.nines {
            *nines.entry(group_of[kind]).or_default() += votes;
        }
        let (&nine, _) = nines
            .iter()
            .max_by_key(|(group, votes)| (**votes, usize::MAX - **group))?;
        let mut ring = vec![nine];
        for _ in 0..9 {
            let next = next(&follows, *ring.last()?)?;
            if ring.contains(&next) {
                return None;
            }
            ring.push(next);
        }
        // From 9 down to 0, and round again.
        if next(&follows, *ring.last()?)? != nine {
            return None;
        }
        ring.reverse();
        let digits = <[usize; 10]>::try_from(ring).ok()?;
        Digits::new(digits.map(|group| groups[group].iter().map(|&kind| self.kinds[kind].clone()).collect()))
    }

    fn tick(&mut self, before: &[usize], now: &[usize]) {
        let (Some(&was), Some(&is)) = (before.last(), now.last()) else {
            return;
        };
        let changed = before.iter().zip(now).filter(|(was, is)| was != is).count();
        let tens_changed = before[before.len() - 2] != now[now.len() - 2];
        match (changed, tens_changed) {
            (1, false) => *self.follows.entry((was, is)).or_default() += 1,
            (_, true) if was != is => {
                *self.follows.entry((was, is)).or_default() += 1;
                *self.nines.entry(is).or_default() += 1;
            }
            // Seconds that stay while others change are no tick.
            _ => {}
        }
    }

    fn kind(&mut self, shape: &Shape) -> Option<usize> {
        let nearest = self.kinds.iter().map(|kind| kind.distance(shape)).enumerate();
        match nearest.min_by(|a, b| a.1.total_cmp(&b.1)) {
            Some((kind, distance)) if distance < SAME => Some(kind),
            _ if self.kinds.len() < KINDS => {
                self.kinds.push(shape.clone());
                Some(self.kinds.len() - 1)
            }
            _ => None,
        }
    }
}

/// The picture that follows another: the one with most votes, if it has more than all others together.
fn next(follows: &BTreeMap<(usize, usize), u32>, was: usize) -> Option<usize> {
    let votes = follows.range((was, 0)..=(was, usize::MAX));
    let all: u32 = votes.clone().map(|(_, votes)| votes).sum();
    let ((_, next), most) = votes.max_by_key(|(_, votes)| **votes)?;
    (2 * most > all).then_some(*next)
}
