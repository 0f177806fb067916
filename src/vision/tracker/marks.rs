//! Marked squares: the tint or frame with which most sites show the last move.
//!
//! The tint lies under the pieces and appears together with the move, while pieces may still slide. A piece seen
//! exactly over a square that it only passes stands on an unmarked square, and the real target is marked: that is how
//! the two are told apart from a single frame.

use super::super::appearance::{CORNERS, SIDES, SquareScores};
use super::explain::{castling_king, differing, successors};
use super::odds::{Marked, old_marks_stay, share};
use serde::{Deserialize, Serialize};
use shakmaty::{Bitboard, Board, Chess, Move, Position, Role, Square, attacks};
use std::collections::VecDeque;
use std::ops::Range;
use torres_geometry::BySquare;

/// A square is marked when its colour lies farther than this from its plain one, in levels.
const MARKED: i16 = 11;

/// At most this many squares are tinted when a game is joined: two of a move, a check, two of a premove.
const MOST_TINTED: usize = 5;

/// Two marks are the same when they shift the colour alike, within this many levels, on a board without texture.
const ALIKE: i16 = 14;

/// What a square's margin and outermost ring look like.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Ground {
    margin: [i16; 3],
    ring: [i16; 3],
    /// Each side of the ring; older evidence has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sides: Option<[[i16; 3]; SIDES]>,
    /// Each of its corners; older evidence has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    corners: Option<[[i16; 3]; CORNERS]>,
}

/// How many marked origins tell how a move's squares are marked.
const ORIGINS: usize = 5;

/// By how much a mark changes margin and ring.
type Shift = [i16; 6];

impl Ground {
    fn of(scores: &SquareScores) -> Ground {
        Ground {
            margin: scores.margin,
            ring: scores.ring,
            sides: scores.sides,
            corners: scores.corners,
        }
    }

    fn levels(&self) -> Shift {
        let [a, b, c] = self.margin;
        let [d, e, f] = self.ring;
        [a, b, c, d, e, f]
    }

    /// What a mark has changed here: the margin, and the ring's sides or corners, whichever are changed more, since a
    /// frame may be drawn as brackets. Squares share their borders: a frame around one colours a side and two corners
    /// of the next square too, and where the frame is one pixel wide and the squares are cut through its middle, half
    /// of its own sides. So the sides are shifted as the one that is shifted second most, the corners as the one that
    /// is shifted third most.
    fn shift(&self, from: &Ground) -> Shift {
        let apart = |here: [i16; 3], there: [i16; 3]| -> [i16; 3] { std::array::from_fn(|c| here[c] - there[c]) };
        let far = |shift: &[i16; 3]| shift.iter().map(|d| d.abs()).max();
        let (here, there) = (self.each_side(), from.each_side());
        let mut sides: [[i16; 3]; SIDES] = std::array::from_fn(|side| apart(here[side], there[side]));
        sides.sort_by_key(far);
        let mut ring = sides[SIDES - 2];
        if let (Some(here), Some(there)) = (self.corners, from.corners) {
            let mut corners: [[i16; 3]; CORNERS] = std::array::from_fn(|corner| apart(here[corner], there[corner]));
            corners.sort_by_key(far);
            ring = std::cmp::max_by_key(corners[CORNERS - 3], ring, far);
        }
        let ([a, b, c], [d, e, f]) = (apart(self.margin, from.margin), ring);
        [a, b, c, d, e, f]
    }

    fn each_side(&self) -> [[i16; 3]; SIDES] {
        self.sides.unwrap_or([self.ring; SIDES])
    }
}

/// The middle value of each level; of two the lesser.
fn middle<'a>(shifts: impl Iterator<Item = &'a Shift>) -> Option<Shift> {
    let shifts: Vec<&Shift> = shifts.collect();
    let last = shifts.len().checked_sub(1)?;
    Some(std::array::from_fn(|part| {
        let mut levels: Vec<i16> = shifts.iter().map(|shift| shift[part]).collect();
        levels.sort_unstable();
        levels[last / 2]
    }))
}

/// Whether a mark changes the margin, or the ring.
fn changes(shift: Shift, part: Range<usize>) -> bool {
    shift[part].iter().any(|d| d.abs() > MARKED)
}

fn alike(a: &[i16], b: &[i16], tolerance: i16) -> bool {
    a.iter().zip(b).all(|(x, y)| (x - y).abs() <= tolerance)
}

/// How many levels a shift may differ from the usual one of the same part and still be that mark: no more than half of what
/// the mark changes most, or it would be as near to none: a texture's noise is large beside a faint mark. A part that the
/// mark does not change has nothing to tell from none.
fn tolerance_to(usual: &[i16], tolerance: i16) -> i16 {
    let strength = usual.iter().map(|d| d.abs()).max().unwrap_or(0);
    match strength > MARKED {
        true => tolerance.min(ALIKE.max(strength / 2)),
        false => tolerance,
    }
}

/// Whether a shift of a part is the usual one there.
fn is_usual(shift: &[i16], usual: &[i16], tolerance: i16) -> bool {
    alike(shift, usual, tolerance_to(usual, tolerance))
}

/// Whether one colour of one opacity, laid over two grounds, may shift them like this: `shift = opacity · (colour -
/// ground)`.
fn one_overlay(a: Shift, on: &Ground, b: Shift, under: &Ground, tolerance: i16) -> bool {
    let (ga, gb) = (on.levels(), under.levels());
    // A frame shifts the ring alone: margin and ring may have opacities of their own.
    [0..3, 3..6]
        .into_iter()
        .any(|part| overlaid(&a, &ga, &b, &gb, part, tolerance))
}

/// The same for the margin, or the ring, alone.
fn overlaid(a: &Shift, on: &Shift, b: &Shift, under: &Shift, part: Range<usize>, tolerance: i16) -> bool {
    (0..=20).any(|k| {
        let apart = |i: usize| f32::from(a[i] - b[i]) - k as f32 / 20.0 * f32::from(under[i] - on[i]);
        part.clone().all(|i| apart(i).abs() <= f32::from(tolerance))
    })
}

/// What is known of this board's marks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Marks {
    plain: BySquare<Ground>,
    /// Marks are alike within this many levels, by the texture's noise.
    tolerance: i16,
    /// Marked squares when the last move was believed.
    #[serde(with = "by_name")]
    before: Bitboard,
    /// How these squares were shifted then, in the order of the squares; older evidence has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    shifts_before: Vec<Shift>,
    /// How a move's squares are shifted, light and dark, once seen.
    usual: [Option<Shift>; 2],
    /// The same on the last origins of marked moves, where no piece disturbs it: what is usual is the middle of these.
    #[serde(default)]
    origins: [VecDeque<Shift>; 2],
    /// Moves believed so far whose squares were marked, and were not.
    marked_moves: u32,
    bare_moves: u32,
    /// Of the latter, those after which the marks of the move before them stood.
    #[serde(default)]
    left_standing: u32,
    /// The last move, where it was believed bare: a page may mark it after its piece has landed.
    #[serde(skip)]
    awaited: Option<Awaited>,
}

/// A move that was believed while its squares were bare.
#[derive(Clone, Debug, PartialEq)]
struct Awaited {
    played: Move,
    /// Whether the marks of the move before it stood.
    old_stood: bool,
}

/// What is marked in a picture, around the last move of a line.
struct OfLine {
    shifts: BySquare<Shift>,
    marked: Bitboard,
    /// Where the move starts, and the squares one of which is marked as its end.
    origin: Square,
    ends: Bitboard,
    /// What was marked before the move.
    before: Bitboard,
}

impl Marks {
    /// From the first understood frame. Squares that look tinted there are taken to be like the others of their colour.
    pub fn new(scores: &BySquare<SquareScores>, plain: [[i16; 3]; 2], noise: f32) -> Marks {
        let least_odd = 2 * (MARKED + (2.0 * noise) as i16);
        let usual = |s: Square| {
            let color = plain[usize::from(s.is_dark())];
            Ground {
                margin: color,
                ring: color,
                sides: None,
                corners: None,
            }
        };
        let unusual = |s: &Square| {
            let apart = Ground::of(&scores[*s]).shift(&usual(*s));
            apart.into_iter().any(|d| d.abs() > least_odd)
        };
        // A few odd squares are tinted; many are the light and shade of a texture.
        let odd: Bitboard = Square::ALL.into_iter().filter(unusual).collect();
        let tinted = if odd.count() <= MOST_TINTED {
            odd
        } else {
            Bitboard::EMPTY
        };
        let plain = BySquare::from_fn(|s| {
            if tinted.contains(s) {
                usual(s)
            } else {
                Ground::of(&scores[s])
            }
        });
        let mut marks = Marks {
            plain,
            tolerance: ALIKE + (2.0 * noise) as i16,
            before: Bitboard::EMPTY,
            shifts_before: Vec::new(),
            usual: [None; 2],
            origins: Default::default(),
            marked_moves: 0,
            bare_moves: 0,
            left_standing: 0,
            awaited: None,
        };
        marks.stands(scores);
        marks
    }

    /// How each square differs from its plain self, beyond what most squares of its colour do: a page may lay a veil
    /// over the whole board, and take it off.
    fn shifts(&self, scores: &BySquare<SquareScores>) -> BySquare<Shift> {
        let shifts = BySquare::from_fn(|s| Ground::of(&scores[s]).shift(&self.plain[s]));
        let veil = [false, true].map(|is_dark| {
            let is_shifted =
                |s: &Square| s.is_dark() == is_dark && scores[*s].sides.is_some() && changes(shifts[*s], 0..6);
            let shifted: Vec<&Shift> = Square::ALL
                .iter()
                .filter(|s| is_shifted(s))
                .map(|s| &shifts[*s])
                .collect();
            let is_veiled = shifted.len() > Square::ALL.len() / 4;
            middle(shifted.into_iter()).filter(|_| is_veiled).unwrap_or_default()
        });
        BySquare::from_fn(|s| {
            let veil = veil[usize::from(s.is_dark())];
            std::array::from_fn(|part| shifts[s][part] - veil[part])
        })
    }

    /// Squares that are marked now, by anything.
    fn marked(&self, shifts: &BySquare<Shift>) -> Bitboard {
        let far = |s: &Square| changes(shifts[*s], 0..6);
        Square::ALL.into_iter().filter(far).collect()
    }

    /// How the last move of a line is marked, when its piece could be on its way to one of the squares `goals`, and how
    /// many squares elsewhere are newly marked like its end. Only the goals tell a piece at rest from one in passing:
    /// whatever else is coloured has another reason. `free` are the squares seen to be empty.
    pub(crate) fn marked_squares(
        &self,
        scores: &BySquare<SquareScores>,
        line: &[Move],
        goals: Bitboard,
        free: Bitboard,
    ) -> (Marked, usize) {
        let of_line = self.of_line(scores, line);
        of_line.map_or((Marked::Neither, 0), |of_line| {
            (self.marked_in(&of_line, goals, free), self.strays(&of_line, goals))
        })
    }

    fn marked_in(&self, of_line: &OfLine, goals: Bitboard, free: Bitboard) -> Marked {
        let (shifts, marked, origin) = (&of_line.shifts, of_line.marked, of_line.origin);
        let (ends, before) = (of_line.ends, of_line.before);
        let origin_is_marked = marked.contains(origin);
        // A page that has marked this move's origin and not its end marks the move before no more.
        let marks_this = origin_is_marked && !before.contains(origin) && self.is_move_mark(shifts, origin);
        let old = match marks_this && (ends & marked).is_empty() {
            true => Bitboard::EMPTY,
            false => before,
        };
        if (goals & marked & !old).into_iter().any(|s| self.is_end(of_line, s)) {
            return Marked::Beyond;
        }
        let is_known = self.are_used() && self.known();
        match (ends & marked).into_iter().next() {
            Some(end) if origin_is_marked && self.is_pair(shifts, origin, end) => {
                match [origin, end].iter().all(|s| self.usual_on(*s).is_some()) {
                    true => Marked::Both,
                    false => Marked::Alike,
                }
            }
            // The origin may be covered, or carry something else on top.
            Some(end) if !origin_is_marked || !self.is_move_mark(shifts, origin) => {
                match is_known && self.is_move_mark(shifts, end) && !before.contains(end) {
                    true => Marked::End {
                        origin_is_bare: !origin_is_marked && free.contains(origin),
                    },
                    false => Marked::Neither,
                }
            }
            None if is_known
                && origin_is_marked
                && self.is_move_mark(shifts, origin)
                && (marked & goals).is_empty() =>
            {
                Marked::Origin
            }
            _ => Marked::Neither,
        }
    }

    /// How many squares elsewhere are newly marked like the end of a line's last move: neither its own, nor `goals`. A
    /// page that colours squares for a reason of its own, as a map of who controls them does, has many.
    fn strays(&self, of_line: &OfLine, goals: Bitboard) -> usize {
        let own = Bitboard::from(of_line.origin) | of_line.ends;
        let elsewhere = of_line.marked & !own & !goals & !of_line.before;
        elsewhere.into_iter().filter(|s| self.is_end(of_line, *s)).count()
    }

    /// What is marked around a line's last move; `None` for a line without one.
    fn of_line(&self, scores: &BySquare<SquareScores>, line: &[Move]) -> Option<OfLine> {
        let shifts = self.shifts(scores);
        let (last, earlier) = line.split_last()?;
        let (origin, ends) = squares(last);
        let before = self.old(&shifts) | self.marks_of_the_move_before(&shifts, last, earlier);
        let marked = self.marked(&shifts);
        Some(OfLine {
            shifts,
            marked,
            origin,
            ends,
            before,
        })
    }

    /// Whether a marked square is marked like the end of a line's last move. A mark that the page left standing from the
    /// move before may lie there, too. Before marks are known, anything may: the origin must have one of the same kind.
    fn is_end(&self, of_line: &OfLine, square: Square) -> bool {
        let (shifts, origin) = (&of_line.shifts, of_line.origin);
        match self.usual_on(square) {
            Some(usual) => self.is_the_same(shifts[square], usual),
            None => of_line.marked.contains(origin) && self.is_pair(shifts, origin, square),
        }
    }

    /// The squares that the move before the last of a line has marked, where the page shows its marks still: both of
    /// its squares are marked, and the origin of the last move is not. They say nothing of that move, also where its
    /// piece stands on one of them.
    fn marks_of_the_move_before(&self, shifts: &BySquare<Shift>, last: &Move, earlier: &[Move]) -> Bitboard {
        let Some(previous) = earlier.last() else {
            return Bitboard::EMPTY;
        };
        let marked = self.marked(shifts);
        let (origin, ends) = squares(previous);
        let both = marked.contains(origin) && !(ends & marked).is_empty();
        match both && !marked.contains(squares(last).0) {
            true => (Bitboard::from(origin) | ends) & marked,
            false => Bitboard::EMPTY,
        }
    }

    /// The squares that were marked when the last move was believed.
    pub fn before(&self) -> Bitboard {
        self.before
    }

    /// Whether all squares that were marked when the last move was believed are marked still, if any was.
    pub(crate) fn old_stand(&self, scores: &BySquare<SquareScores>) -> bool {
        let shifts = &self.shifts(scores);
        !self.before.is_empty() && (self.before & !self.marked(shifts)).is_empty()
    }

    /// The share of moves that the page has marked, 0 to 1.
    pub(crate) fn share_of_moves(&self) -> f64 {
        share(self.marked_moves, self.marked_moves + self.bare_moves)
    }

    /// How likely the marks of the move before stand where a move has landed and is not marked, 0 to 1.
    pub(crate) fn old_marks_stay(&self) -> f64 {
        old_marks_stay((self.left_standing, self.bare_moves), self.share_of_moves())
    }

    /// Whether both squares of a move are marked as moves are known to be, its end in one of the ways that sites have.
    /// Stricter than [`Marks::marked_squares`], and without a look at other squares.
    pub fn mark(&self, scores: &BySquare<SquareScores>, played: &Move) -> bool {
        let shifts = &self.shifts(scores);
        let (origin, ends) = squares(played);
        let is_known = |s: &Square| {
            let known = self.usual_on(*s);
            let shift = shifts[*s];
            known.is_some_and(|usual| {
                [0..3, 3..6]
                    .into_iter()
                    .all(|part| is_usual(&shift[part.clone()], &usual[part], self.tolerance))
            })
        };
        is_known(&origin) && ends.into_iter().any(|s| is_known(&s))
    }

    /// How a move's square of this colour is marked, once seen.
    fn usual_on(&self, square: Square) -> Option<Shift> {
        self.usual[usize::from(square.is_dark())]
    }

    /// Whether both square colours' marks are known.
    fn known(&self) -> bool {
        self.usual.iter().all(Option::is_some)
    }

    /// Whether an origin `a` and a target `b`, both marked, are marked as the two of a move: the target in the way that
    /// is known, or else both in one way. The origin may carry something else on top.
    fn is_pair(&self, shifts: &BySquare<Shift>, a: Square, b: Square) -> bool {
        let known = |s: Square| self.usual_on(s).is_some();
        if known(a) && known(b) {
            // The target decides: a piece that slides over a square disturbs its margin, which then looks marked
            // somehow.
            return self.is_move_mark(shifts, b) && !self.are_of_another_kind(shifts, a, b);
        }
        let (of_a, of_b) = (shifts[a], shifts[b]);
        match a.is_dark() == b.is_dark() {
            true => alike(&of_a, &of_b, self.tolerance),
            false => one_overlay(of_a, &self.plain[a], of_b, &self.plain[b], self.tolerance),
        }
    }

    /// Whether two squares have margins, or rings, that are not as known, but marked in one way: a drag's or a
    /// selection's frames. What lies over a square by chance does not look the same on two.
    fn are_of_another_kind(&self, shifts: &BySquare<Shift>, a: Square, b: Square) -> bool {
        let [on_a, on_b] = [a, b].map(|s| (shifts[s], self.usual_on(s), self.plain[s].levels()));
        let ((a, Some(usual_a), ground_a), (b, Some(usual_b), ground_b)) = (on_a, on_b) else {
            return false;
        };
        [0..3, 3..6].into_iter().any(|part: Range<usize>| {
            let is_known = |shift: Shift, usual: Shift| {
                is_usual(&shift[part.clone()], &usual[part.clone()], self.tolerance)
                    || (part.start == 0 && self.is_usual_frame(shift, usual))
            };
            let is_bare = |shift: Shift| !changes(shift, part.clone());
            let odd = |shift, usual| !is_known(shift, usual) && !is_bare(shift);
            odd(a, usual_a) && odd(b, usual_b) && overlaid(&a, &ground_a, &b, &ground_b, part.clone(), self.tolerance)
        })
    }

    /// Whether the ring is marked in the known way, and the margin by a part of that: where a square begins between two
    /// pixels, its frame reaches farther in.
    fn is_usual_frame(&self, shift: Shift, usual: Shift) -> bool {
        let reaches = |k: i16| {
            let part = |i: usize| usual[i] + (usual[i + 3] - usual[i]) * k / 10;
            alike(&shift[..3], &[0, 1, 2].map(part), self.tolerance)
        };
        is_usual(&shift[3..], &usual[3..], self.tolerance) && (0..=10).any(reaches)
    }

    /// Whether the marks alone name this move: its two squares are newly marked as this board is known to mark moves,
    /// or in one way while that is not known, and no other is. A move to a square that was marked before must have left
    /// no other mark of then, and its piece `may_have_arrived` there: a page that is drawn in part still has old marks.
    pub fn name(&self, scores: &BySquare<SquareScores>, m: &Move, may_have_arrived: bool) -> bool {
        let shifts = &self.shifts(scores);
        let (origin, targets) = squares(m);
        let is_known = |s: Square| self.usual_on(s).is_some();
        if !self.are_used() {
            return false;
        }
        if !is_known(origin) || !targets.into_iter().all(is_known) {
            let own = (targets | Bitboard::from(origin)) & self.marked(shifts);
            return self.point_at(scores, m) && own.into_iter().all(|s| self.is_move_mark(shifts, s));
        }
        let marked = self.marked(shifts).into_iter();
        let as_moves_are: Bitboard = marked.filter(|s| self.is_move_mark(shifts, *s)).collect();
        let new = as_moves_are & !self.old(shifts);
        let ends = match (new & targets).is_empty() {
            true if !may_have_arrived => return false,
            true => as_moves_are,
            false => new,
        };
        let own = targets | Bitboard::from(origin);
        let is_drag = |s: Square| self.are_of_another_kind(shifts, origin, s);
        new.contains(origin)
            && !(ends & targets).is_empty()
            && (ends & !own).is_empty()
            && !(ends & targets).into_iter().any(is_drag)
    }

    /// Whether another move than this one is marked as the last: two squares newly, as this board is known to mark
    /// moves, and neither is of it.
    pub(crate) fn name_another(&self, scores: &BySquare<SquareScores>, m: &Move) -> bool {
        let shifts = &self.shifts(scores);
        let (origin, ends) = squares(m);
        let new = self.marked(shifts) & !self.old(shifts) & !ends & !Bitboard::from(origin);
        let marks = new.into_iter().filter(|s| self.is_move_mark(shifts, *s));
        self.known() && marks.count() == 2
    }

    /// Whether the marks point at this move: its two squares are newly marked in one way, and no other square is.
    pub fn point_at(&self, scores: &BySquare<SquareScores>, m: &Move) -> bool {
        let shifts = &self.shifts(scores);
        let marked = self.marked(shifts);
        let (origin, targets) = squares(m);
        let Some(target) = (targets & marked).into_iter().next() else {
            return false;
        };
        let others = marked & !self.before & !(targets | Bitboard::from(origin));
        let is_another = |s| self.is_pair(shifts, origin, s);
        marked.contains(origin) && self.is_pair(shifts, origin, target) && !others.into_iter().any(is_another)
    }

    /// A move was believed while the board looked like this.
    pub fn believe(&mut self, scores: &BySquare<SquareScores>, last: &Move) {
        self.awaited = None;
        if !self.learn(scores, last) {
            let old_stood = self.old_stand(scores);
            self.bare_moves += 1;
            self.left_standing += u32::from(old_stood);
            self.awaited = Some(Awaited {
                played: *last,
                old_stood,
            });
        }
        self.stands(scores);
    }

    /// The position stands after the last move: where that is marked only now, it counts as marked.
    pub fn look_for_late_marks(&mut self, scores: &BySquare<SquareScores>) {
        let Some(awaited) = self.awaited.take() else { return };
        if self.learn(scores, &awaited.played) {
            self.bare_moves -= 1;
            self.left_standing -= u32::from(awaited.old_stood);
            self.stands(scores);
        } else {
            self.awaited = Some(awaited);
        }
    }

    /// Learns from a move whose squares are both marked, in one way; `false` where they are not.
    fn learn(&mut self, scores: &BySquare<SquareScores>, played: &Move) -> bool {
        let shifts = &self.shifts(scores);
        let marked = self.marked(shifts);
        let (origin, targets) = squares(played);
        let Some(target) = (targets & marked).into_iter().next() else {
            return false;
        };
        if !marked.contains(origin) || !self.is_pair(shifts, origin, target) {
            return false;
        }
        self.marked_moves += 1;
        let shift = shifts[target];
        self.usual[usize::from(target.is_dark())].get_or_insert(shift);
        // The mover may still slide over its target's margin: what the empty origin shows goes before it. A letter, a
        // pointer or a piece beside it may disturb that, too: what most origins show counts.
        let (kind, shift) = (usize::from(origin.is_dark()), shifts[origin]);
        self.origins[kind].truncate(ORIGINS - 1);
        self.origins[kind].push_front(shift);
        self.usual[kind] = middle(self.origins[kind].iter());
        true
    }

    /// A position was understood without a move: what is marked now is no news.
    pub fn stands(&mut self, scores: &BySquare<SquareScores>) {
        let shifts = &self.shifts(scores);
        self.before = self.marked(shifts);
        self.shifts_before = self.before.into_iter().map(|s| shifts[s]).collect();
    }

    /// Squares that bear what they bore when the last move was believed: the mark of a move, or anything that has not
    /// changed. A piece that covers the edge of its square looks marked, too; a mark that has come there since is new.
    fn old(&self, shifts: &BySquare<Shift>) -> Bitboard {
        if self.shifts_before.len() != self.before.count() {
            return self.before;
        }
        let with_shifts = self.before.into_iter().zip(&self.shifts_before);
        let is_old = |s: Square, then: Shift| self.is_move_shift(then, s) || alike(&then, &shifts[s], self.tolerance);
        with_shifts
            .filter(|(s, then)| is_old(*s, **then))
            .map(|(s, _)| s)
            .collect()
    }

    /// Whether this board is known to mark moves.
    pub(crate) fn are_used(&self) -> bool {
        self.marked_moves > self.bare_moves
    }

    /// Whether a square is marked as this board marks moves, as far as that is known. A pointer may disturb the margin
    /// or the ring, here or where the mark was learned: one of them will do, if it is what the mark changes.
    fn is_move_mark(&self, shifts: &BySquare<Shift>, square: Square) -> bool {
        self.is_move_shift(shifts[square], square)
    }

    /// The same for what a mark has changed there.
    fn is_move_shift(&self, shift: Shift, square: Square) -> bool {
        let Some(usual) = self.usual_on(square) else {
            return self.is_of_the_kind(shift, square);
        };
        let is_alike = |part: Range<usize>| {
            let both_changed = [usual, shift].iter().all(|it| changes(*it, part.clone()));
            both_changed && is_usual(&shift[part.clone()], &usual[part], self.tolerance)
        };
        is_alike(0..3) || is_alike(3..6)
    }

    /// Whether a mark of a square may be what is known of squares of the other colour; anything, if nothing is known.
    fn is_of_the_kind(&self, shift: Shift, square: Square) -> bool {
        let Some(usual) = self.usual[usize::from(square.is_light())] else {
            return true;
        };
        let other = Square::ALL.into_iter().find(|s| s.is_dark() != square.is_dark());
        let under = &self.plain[other.unwrap_or(square)];
        let same_parts = [0..3, 3..6].map(|part| changes(shift, part.clone()) == changes(usual, part));
        same_parts == [true; 2] && one_overlay(shift, &self.plain[square], usual, under, self.tolerance)
    }

    /// Whether a square is marked in a known way, by its margin if the mark changes that: what lies over a corner is no
    /// mark.
    fn is_the_same(&self, shift: Shift, usual: Shift) -> bool {
        let part = if changes(usual, 0..3) { 0..3 } else { 3..6 };
        changes(shift, part.clone()) && is_usual(&shift[part.clone()], &usual[part], self.tolerance)
    }
}

/// Where a move starts, and the squares one of which is marked as its end: for castling sites differ.
pub fn squares(m: &Move) -> (Square, Bitboard) {
    match m {
        Move::Castle { king, rook } => {
            let mut ends = Bitboard::from(*rook);
            ends.extend(castling_king(m));
            (*king, ends)
        }
        _ => (m.from().unwrap_or(m.to()), Bitboard::from(m.to())),
    }
}

/// Where a piece on its way in this very picture could be going, so that a line of several moves is made up around it:
/// fewer moves, and one more whose piece is seen over a square between its own. `shown` is the board at the line's end.
pub fn passing_after_fewer(before: &Chess, line: &[Move], shown: &Board) -> Bitboard {
    let mut goals = Bitboard::EMPTY;
    if line.len() < 2 {
        return goals;
    }
    let passing = |at: &Chess, goals: &mut Bitboard| {
        let differ = differing(at.board(), shown);
        for m in at.legal_moves() {
            let Move::Normal { role, from, to, .. } = m else {
                continue;
            };
            // Its own square is empty, it is seen on one of those on its way, and what it takes may be gone: nothing
            // else differs.
            let over = differ & !Bitboard::from(from) & !Bitboard::from(to);
            let Some(square) = over.single_square() else { continue };
            let is_seen = shown.piece_at(from).is_none() && shown.piece_at(square) == Some(role.of(at.turn()));
            let awaits = !differ.contains(to) || shown.piece_at(to).is_none();
            if is_seen && awaits && is_on_the_way(from, square, to) {
                goals.add(to);
            }
        }
    };
    passing(before, &mut goals);
    // A line of two moves whose last piece goes on is looked at by itself.
    for (_, next) in successors(before) {
        if (2..=3).contains(&differing(next.board(), shown).count()) {
            passing(&next, &mut goals);
        }
    }
    goals
}

/// Whether the middle of a square lies within half a square of the straight line from one to another: pieces are drawn
/// along it, knights too.
fn is_on_the_way(from: Square, over: Square, to: Square) -> bool {
    let place = |square: Square| (f64::from(u32::from(square.file())), f64::from(u32::from(square.rank())));
    let ((x, y), (a, b), (c, d)) = (place(from), place(over), place(to));
    let (dx, dy) = (c - x, d - y);
    let length = dx.hypot(dy);
    let (along, aside) = (
        ((a - x) * dx + (b - y) * dy) / length,
        ((a - x) * dy - (b - y) * dx) / length,
    );
    aside.abs() <= 0.5 && along > 0.0 && along < length
}

/// Squares as a list of their names.
mod by_name {
    use serde::{Deserialize, Deserializer, Serializer, de};
    use shakmaty::{Bitboard, Square};

    pub fn serialize<S: Serializer>(squares: &Bitboard, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(squares.into_iter().map(|square| square.to_string()))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Bitboard, D::Error> {
        let names = Vec::<String>::deserialize(deserializer)?;
        let squares = names
            .iter()
            .map(|name| name.parse::<Square>().map_err(de::Error::custom));
        squares.collect()
    }
}

/// Where a piece seen at the end of the move may still be going: a slider that could go on, a pawn on its way to two
/// squares ahead, a rook or a king on its way to castle. Empty for a piece that can only have arrived.
pub fn beyond(before: &Chess, m: &Move) -> Bitboard {
    let Move::Normal { role, from, to, .. } = *m else {
        return Bitboard::EMPTY;
    };
    if role == Role::Knight {
        return Bitboard::EMPTY;
    }
    let others = before.legal_moves();
    let mut farther = Bitboard::EMPTY;
    for other in others.iter() {
        match *other {
            Move::Normal {
                from: start, to: end, ..
            } if start == from && attacks::between(from, end).contains(to) => {
                farther.add(end);
            }
            Move::Castle { king, .. } if king == from => {
                let end = castling_king(other);
                if end.is_some_and(|end| attacks::between(from, end).contains(to)) {
                    farther |= squares(other).1;
                }
            }
            Move::Castle { king, rook } if rook == from && role == Role::Rook => {
                farther |= Bitboard::from(king) | squares(other).1;
            }
            _ => {}
        }
    }
    farther & !(Bitboard::from(from) | Bitboard::from(to))
}

/// Where the piece that a line of several moves ends with could have been going in a single one: then it may be
/// passing, and the other moves be made up.
pub fn passing_at_once(before: &Chess, line: &[Move]) -> Bitboard {
    let Some((last, earlier)) = line.split_last() else {
        return Bitboard::EMPTY;
    };
    let Some(mut origin) = last.from().filter(|_| !earlier.is_empty()) else {
        return Bitboard::EMPTY;
    };
    for m in earlier.iter().rev() {
        if m.to() == origin {
            origin = m.from().unwrap_or(origin);
        }
    }
    let moves = before.legal_moves();
    let ends = moves.iter().filter(|m| m.from() == Some(origin)).map(|m| m.to());
    ends.filter(|end| attacks::between(origin, *end).contains(last.to()))
        .collect()
}
