//! Whether a move whose piece may only be passing has ended: evidence, added up.
//!
//! A piece is seen on a square from which it could go on. Two hypotheses explain that: it has *landed* there, or it is
//! *passing* on its way to one of the goals beyond. Each sign in the picture is likelier under one of them; the
//! logarithms of these ratios (in nats) are added to the odds that hold before anything is known (Bayes' rule, signs
//! taken as independent). Time tells too: a piece in passing moves on. The move is believed once the odds are [`SURE`].
//!
//! `docs/vision.md` says where each figure comes from.

use std::time::Duration;

/// The odds at which a move is believed, 1000 to 1, in nats.
const SURE: f64 = 6.9;

/// How long a piece in passing looks as if it stood on a square, in ms: that long it is within a pixel or two of the
/// middle.
const WINDOW_MS: f64 = 5.0;

/// A frame may come because the piece moves: a longer time without one than 100 ms says no more.
const LEAST_CAUGHT: f64 = 5e-2;

/// A piece in passing moves on with the screen's next frame: the mean time for which its picture stays, in ms.
const MOVES_ON_MS: f64 = 6.0;

/// The same as a share of the longest time that this motion has stood still so far, where every change of the screen is
/// seen: a busy page draws fewer frames. At 60 Hz both are the same.
const MOVES_ON: f64 = 0.36;

/// Unless the page or the screen hangs just then: how likely that is, and for how long it hangs on average, in ms.
const HANGS: f64 = 2e-3;
const HANGS_MS: f64 = 60.0;

/// How likely a piece in passing lets the square under it look marked as moves are.
const MARKS_FALSELY: f64 = 0.02;

/// The same for both squares of its move, of which the other is empty, while no goal beyond is marked.
const MARKS_BOTH_FALSELY: f64 = 1e-4;

/// So many squares elsewhere that look marked like a move's end take the certainty from one at a goal beyond: such marks
/// come from something else, too (a judgement). A selection and a premove are two.
const STRAYS: usize = 3;

/// Squares that are neither of a move nor its goal, about.
const ELSEWHERE: f64 = 60.0;

/// How likely a page that marks moves has marked only the end of one that has ended, when its origin is seen to be
/// bare.
const ORIGIN_STAYS_BARE: f64 = 2e-3;

/// The same when the origin is hidden or has something else on top.
const ORIGIN_IS_HIDDEN: f64 = 0.02;

/// The same for an end that is hidden or has something else on top.
const END_IS_HIDDEN: f64 = 0.02;

/// How likely a page marks a move when its piece sets out, not when it lands: pages do either.
const MARKS_AT_ONCE: f64 = 0.5;

/// How likely a page that has just marked a move still shows the marks of the one before.
const OLD_MARKS_STAY: f64 = 0.02;

/// A page is taken to mark moves if it has marked this share of them, or if nothing is known of it.
const MARKS_MOVES: f64 = 0.5;

/// How likely the picture of a piece that could be taken farther on changes, when nothing takes it and when something
/// does (pages let what is taken vanish, fade, or stay to the end).
const CHANGES_BY_CHANCE: f64 = 0.03;
const FADES: f64 = 0.5;

/// A piece that has landed lies farther beside its place than `x` cells as `exp(-x / (ASIDE · mean))` says, the mean
/// being that of this board's pieces. However far it lies, that is as likely as `OVERLAID`: what lies over it may make
/// it seem so.
const ASIDE: f64 = 2.0;
const OVERLAID: f64 = 5e-3;

/// In passing it is anywhere up to so many cells aside where it is read as if it stood there.
const READ_ASIDE: f64 = 1.5;

/// How likely it seems to lie farther than that.
const FARTHER: f64 = 0.15;

/// How likely a motion lasts longer than the longest of those seen.
const LASTS_LONGER: f64 = 1e-3;

/// How likely a move of a page that animates it is not seen under way, where frames come one by one: at least this, and
/// the share of the time between two frames that an animation of this length, in ms, leaves.
const SEEN_AT_ITS_END: f64 = 0.3;
const ANIMATION_MS: f64 = 200.0;

/// How the squares of a move are marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marked {
    /// Both of its squares, in one way; no square beyond is.
    Both,
    /// The same, and it is not known how the page marks moves.
    Alike,
    /// The end alone.
    End {
        /// The origin is seen to be bare.
        origin_is_bare: bool,
    },
    /// The origin alone; the end's mark is hidden, or not there.
    Origin,
    /// Neither of them.
    Neither,
    /// A goal beyond is newly marked as the end of a move: a contradiction, where the page marks moves.
    Beyond,
}

/// What the animations seen so far say of a piece that is seen in a frame that came alone.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Animation {
    /// Nothing.
    #[default]
    Unknown,
    /// This motion has lasted as long as the longest of those seen.
    Over,
    /// None of this side's moves was seen under way, and that those seen at their end were, had the page animated them,
    /// is so unlikely: in nats.
    Still(f64),
}

/// What a picture shows of a move that has landed or is passing.
#[derive(Clone, Copy, Debug)]
pub struct Odds {
    /// How many squares the piece could still go on to; 1 at least.
    pub goals: usize,
    /// How long before the first frame with this picture another one was taken; `None` if none was.
    pub gap: Option<Duration>,
    /// How the move is marked.
    pub marked: Marked,
    /// How many squares elsewhere are newly marked like its end.
    pub strays: usize,
    /// The share of moves so far that the page has marked, 0 to 1: [`share`].
    pub marks_moves: f64,
    /// The marks of the move before still stand, all of them.
    pub old_marks_stand: bool,
    /// How likely they do so where a move has landed and is not marked, 0 to 1: [`old_marks_stay`].
    pub old_marks_stay: f64,
    /// The picture of a piece that could be taken farther on has changed.
    pub prey_changes: bool,
    /// How far the piece lies beside its place, in cells (a square has 24).
    pub aside: f32,
    /// The same of this board's pieces in the mean, when they have landed.
    pub usually_aside: f32,
    /// What earlier motions say.
    pub animation: Animation,
    /// The longest time between two pictures of this motion, where every change of the screen is seen; zero where that
    /// is not known.
    pub page_frame: Duration,
}

/// The share of a kind of which `seen` of `all` were, by Laplace's rule of succession: `(seen + 1) / (all + 2)`.
pub fn share(seen: u32, all: u32) -> f64 {
    (f64::from(seen) + 1.0) / (f64::from(all) + 2.0)
}

/// How likely the marks of the move before stand where a move has landed and is not marked, 0 to 1. After `stood` of `bare`
/// such moves they did; before any of them it is as likely as that the page marks no move at all, and that what looks
/// marked there is something else.
pub fn old_marks_stay((stood, bare): (u32, u32), marks_moves: f64) -> f64 {
    let expected = 1.0 - marks_moves + marks_moves * OLD_MARKS_STAY;
    (f64::from(stood) + 2.0 * expected) / (f64::from(bare) + 2.0)
}

/// What it says against animations that a move was seen at its end only, the frame before having come so much earlier,
/// in nats.
pub fn seen_at_its_end(gap: Duration) -> f64 {
    let missed = 1.0 - ANIMATION_MS / (gap.as_secs_f64() * 1e3).max(1.0);
    -missed.max(SEEN_AT_ITS_END).ln()
}

/// For how long a picture must have stood to tell that no piece is on its way in it. `page_frame`: see
/// [`Odds::page_frame`].
pub fn at_rest_after(page_frame: Duration) -> Duration {
    standing_that_tells(SURE, page_frame)
}

impl Odds {
    /// For how long the piece must have stood there to be believed to have landed; `None`: the picture contradicts it.
    pub fn wait(&self) -> Option<Duration> {
        match self.marked {
            Marked::Beyond if self.marks_moves >= MARKS_MOVES && self.strays < STRAYS => None,
            _ => Some(standing_that_tells(SURE - self.log_odds(), self.page_frame)),
        }
    }

    /// How much likelier it is that the piece has landed than that it is passing, in nats, by one picture alone.
    pub fn log_odds(&self) -> f64 {
        self.before_anything() + self.by_marks() + self.by_prey() + self.by_place() + self.by_habit()
    }

    /// Each square of the way is as likely an end as another. Landed, a piece is always seen; passing, only if a frame
    /// falls into the time at which it is over the square: `1 / (goals · min(1, window / gap))`.
    fn before_anything(&self) -> f64 {
        let gap_ms = self.gap.map_or(f64::INFINITY, |gap| gap.as_secs_f64() * 1e3);
        let is_caught = (WINDOW_MS / gap_ms).clamp(LEAST_CAUGHT, 1.0);
        -(self.goals.max(1) as f64 * is_caught).ln()
    }

    fn by_marks(&self) -> f64 {
        let (marks, not) = (self.marks_moves, 1.0 - self.marks_moves);
        // What looks marked elsewhere tells how often a square does so for another reason.
        let strays = self.strays as f64 / ELSEWHERE;
        let falsely = strays.max(MARKS_FALSELY);
        let both_falsely = strays.powi(2).max(MARKS_BOTH_FALSELY);
        // Of a move's two marks each is seen as often as the other.
        let seen = marks.sqrt();
        // The goal's mark would be seen, had the page marked the move already.
        let unmarked_in_passing = not + marks * (1.0 - MARKS_AT_ONCE);
        let (landed, passing) = match self.marked {
            Marked::Both => (marks, both_falsely),
            // Pages mark all moves or none: the more went by without marks, the less likely the first is marked, and a
            // piece that comes or goes may change the edges of its square.
            Marked::Alike => (marks.powi(3), both_falsely),
            Marked::End { origin_is_bare: true } => {
                let (landed, passing) = match self.old_marks_stand {
                    true => (marks * OLD_MARKS_STAY, 1.0),
                    false => (marks, 1.0),
                };
                (
                    landed * ORIGIN_STAYS_BARE + not * falsely,
                    passing * unmarked_in_passing * falsely,
                )
            }
            Marked::End { origin_is_bare: false } => (marks * ORIGIN_IS_HIDDEN, falsely * ORIGIN_IS_HIDDEN * falsely),
            // A mark that was missed so often before may be missed at the goal, too.
            Marked::Origin => (
                seen * (1.0 - seen + END_IS_HIDDEN),
                MARKS_AT_ONCE * seen * (1.0 - seen) + both_falsely,
            ),
            Marked::Neither if self.old_marks_stand => (not * self.old_marks_stay, unmarked_in_passing),
            Marked::Neither => (not, unmarked_in_passing),
            // Of a page that marks no move, something else looked like a mark there.
            Marked::Beyond => (not * falsely + marks * strays, marks + not * falsely),
        };
        (landed / passing).ln()
    }

    fn by_prey(&self) -> f64 {
        match self.prey_changes {
            // Only one of the goals is that piece's square.
            true => (CHANGES_BY_CHANCE * self.goals.max(1) as f64 / FADES).ln().min(0.0),
            false => 0.0,
        }
    }

    fn by_place(&self) -> f64 {
        let (aside, usual) = (f64::from(self.aside), f64::from(self.usually_aside));
        let landed = (-aside / (ASIDE * usual)).exp().max(OVERLAID);
        let passing = (1.0 - aside / READ_ASIDE).max(FARTHER);
        (landed / passing).ln().min(0.0)
    }

    fn by_habit(&self) -> f64 {
        match self.animation {
            Animation::Unknown => 0.0,
            Animation::Over => -LASTS_LONGER.ln(),
            Animation::Still(nats) => nats,
        }
    }
}

/// What it says that a piece has stood still for `ms`: minus the logarithm of the chance that one in passing would
/// have.
fn by_standing(ms: f64, page_frame: Duration) -> f64 {
    let moves_on_ms = MOVES_ON_MS.max(MOVES_ON * page_frame.as_secs_f64() * 1e3);
    let hangs_ms = HANGS_MS.max(moves_on_ms);
    -((1.0 - HANGS) * (-ms / moves_on_ms).exp() + HANGS * (-ms / hangs_ms).exp()).ln()
}

/// For how long a piece must have stood still for that to say `nats`.
fn standing_that_tells(nats: f64, page_frame: Duration) -> Duration {
    if nats <= 0.0 {
        return Duration::ZERO;
    }
    // What stands for so long has told more than any evidence asks for.
    let (mut low, mut high) = (0.0, 10_000.0);
    for _ in 0..32 {
        let middle = (low + high) / 2.0;
        match by_standing(middle, page_frame) < nats {
            true => low = middle,
            false => high = middle,
        }
    }
    Duration::from_secs_f64(high / 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A slider with two goals beyond, frames coming at 60 Hz, on a page that has marked each of twenty moves.
    fn usual() -> Odds {
        Odds {
            goals: 2,
            gap: Some(Duration::from_millis(16)),
            marked: Marked::Both,
            strays: 0,
            marks_moves: share(20, 20),
            old_marks_stand: false,
            old_marks_stay: 1.0,
            prey_changes: false,
            aside: 0.0,
            usually_aside: 0.1,
            animation: Animation::Unknown,
            page_frame: Duration::ZERO,
        }
    }

    fn wait_ms(evidence: Odds) -> u128 {
        evidence.wait().expect("no contradiction").as_millis()
    }

    #[test]
    fn a_marked_move_is_believed_at_once() {
        assert_eq!(wait_ms(usual()), 0);
        let hidden = Marked::End { origin_is_bare: false };
        assert!(
            wait_ms(Odds {
                marked: hidden,
                ..usual()
            }) < 10
        );
    }

    #[test]
    fn an_unmarked_move_waits_the_longer_the_more_moves_the_page_has_marked() {
        let after = |marked, all| {
            wait_ms(Odds {
                marked: Marked::Neither,
                marks_moves: share(marked, all),
                ..usual()
            })
        };
        let waits = [after(0, 20), after(10, 20), after(5, 5), after(20, 20), after(60, 60)];
        assert!(waits.is_sorted() && waits[0] < 60 && waits[4] > 200, "{waits:?}");
    }

    /// A page that had marked 18 moves, one of them late, hung for a quarter of a second while a bishop passed e6. The marks of
    /// the move before stood: c8e6 was believed.
    #[test]
    fn an_unmarked_move_waits_longer_while_the_marks_of_the_one_before_stand() {
        let after = |stood_of_bare, marks_moves| {
            wait_ms(Odds {
                goals: 3,
                marked: Marked::Neither,
                marks_moves,
                old_marks_stand: true,
                old_marks_stay: old_marks_stay(stood_of_bare, marks_moves),
                ..usual()
            })
        };
        let (all, half, none) = (share(18, 18), share(9, 18), share(0, 18));
        assert!(after((0, 0), all) > 300, "{}", after((0, 0), all));
        // Of a page that marks one side's moves this is learned.
        let waits = [after((9, 9), half), after((0, 9), half)];
        assert!(waits[0] < 100 && waits[1] > 200, "{waits:?}");
        // What looks marked on a page without marks is nothing that would move on.
        assert!(after((0, 0), none) < 60, "{}", after((0, 0), none));
    }

    /// A pawn almost half-way to a4 was read on a3, 0.93 of a cell aside, on a page whose moves had been seen at their
    /// end only (`tuned-61-020`).
    #[test]
    fn a_piece_beside_its_place_waits() {
        let still = Odds {
            goals: 1,
            gap: Some(Duration::from_millis(100)),
            marked: Marked::Neither,
            marks_moves: share(0, 0),
            animation: Animation::Still(4.0 * seen_at_its_end(Duration::from_millis(100))),
            ..usual()
        };
        assert_eq!(wait_ms(still), 0);
        assert_eq!(wait_ms(Odds { aside: 0.1, ..still }), 0);
        assert!(wait_ms(Odds { aside: 0.93, ..still }) > 10);
    }

    /// A bishop three quarters on its way to b4 was read on c5, 0.31 of a cell aside, where pieces at rest lay 0.01
    /// aside (`tuned-66-064`).
    #[test]
    fn a_piece_lies_aside_by_what_is_usual_on_its_board() {
        let shown = |usually_aside| Odds {
            goals: 2,
            gap: Some(Duration::from_millis(100)),
            marked: Marked::Neither,
            marks_moves: share(0, 10),
            aside: 0.31,
            usually_aside,
            animation: Animation::Still(4.0 * seen_at_its_end(Duration::from_millis(100))),
            ..usual()
        };
        assert_eq!(wait_ms(shown(0.3)), 0);
        assert!(wait_ms(shown(0.05)) > 10);
    }

    #[test]
    fn a_goal_that_is_marked_contradicts_on_a_page_that_marks_moves() {
        let beyond = |marked_moves, moves| Odds {
            marked: Marked::Beyond,
            marks_moves: share(marked_moves, moves),
            ..usual()
        };
        assert_eq!(beyond(0, 0).wait(), None);
        assert_eq!(beyond(9, 9).wait(), None);
        // Of 18 moves none was marked. A queen stood on c1, the wood of b1 looked marked, and Torres paused.
        let wait = beyond(0, 18).wait().unwrap();
        assert!(wait > Duration::ZERO && wait < Duration::from_millis(200), "{wait:?}");
    }

    /// Page `isobar` tints each square by who controls it: eighteen squares looked marked after b2b3, b4 among them.
    #[test]
    fn a_goal_that_is_marked_is_no_contradiction_where_many_squares_are() {
        let with = |marked, strays| Odds {
            marked,
            strays,
            ..usual()
        };
        assert_eq!(with(Marked::Beyond, 2).wait(), None);
        let wait = with(Marked::Beyond, 16).wait().unwrap();
        assert!(
            wait > Duration::from_millis(50) && wait < Duration::from_millis(500),
            "{wait:?}"
        );
        // And what looks like the move's own marks tells less.
        let both = |strays| with(Marked::Both, strays).log_odds();
        assert!(
            both(0) > both(3) && both(3) > both(16),
            "{} {} {}",
            both(0),
            both(3),
            both(16)
        );
    }

    /// `misread-c8f5-really-c8h3`: the bishop's foot looks like a mark of f5, c8 is bare, the old marks stand, the pawn
    /// on h3 fades.
    #[test]
    fn an_end_that_looks_marked_beside_a_bare_origin_waits() {
        let end = Odds {
            marked: Marked::End { origin_is_bare: true },
            ..usual()
        };
        let old = Odds {
            old_marks_stand: true,
            ..end
        };
        let fading = Odds {
            prey_changes: true,
            ..old
        };
        let waits = [end, old, fading].map(wait_ms);
        assert!(waits.is_sorted() && waits[0] > 50 && waits[2] > 250, "{waits:?}");
    }

    /// Marks so faint that half of them are missed: a pawn half-way to g4 was believed on g3, where g2 alone looked
    /// marked (`unseen-57-005`).
    #[test]
    fn an_origin_that_alone_looks_marked_waits_where_marks_are_missed() {
        let origin = |marked, all| {
            wait_ms(Odds {
                goals: 1,
                gap: Some(Duration::from_millis(54)),
                marked: Marked::Origin,
                marks_moves: share(marked, all),
                ..usual()
            })
        };
        assert!(origin(8, 14) > 20, "{}", origin(8, 14));
        assert!(origin(60, 60) < origin(8, 14));
    }

    #[test]
    fn where_frames_come_one_by_one_habits_decide() {
        let alone = Odds {
            gap: Some(Duration::from_millis(200)),
            marked: Marked::Neither,
            marks_moves: share(0, 20),
            ..usual()
        };
        assert!(wait_ms(alone) > 0);
        assert_eq!(
            wait_ms(Odds {
                animation: Animation::Over,
                ..alone
            }),
            0
        );
        assert!(
            wait_ms(Odds {
                animation: Animation::Still(seen_at_its_end(Duration::from_millis(100))),
                ..alone
            }) > 0
        );
        assert_eq!(
            wait_ms(Odds {
                animation: Animation::Still(6.0 * seen_at_its_end(Duration::from_millis(100))),
                ..alone
            }),
            0
        );
    }

    #[test]
    fn standing_tells_the_more_the_longer_it_lasts() {
        for nats in [0.5, 3.0, 7.0, 12.0] {
            let ms = standing_that_tells(nats, Duration::ZERO).as_secs_f64() * 1e3;
            assert!(
                (by_standing(ms, Duration::ZERO) - nats).abs() < 1e-3,
                "{nats} nats after {ms} ms"
            );
        }
        assert_eq!(standing_that_tells(-1.0, Duration::ZERO), Duration::ZERO);
    }

    /// A busy machine drew a rook on its way along the first rank every 70 to 200 ms, once right over b1 for 31 ms.
    #[test]
    fn a_page_that_draws_few_frames_is_given_the_time_of_as_many() {
        let unmarked = Odds {
            marked: Marked::Neither,
            marks_moves: share(0, 20),
            ..usual()
        };
        let every = |ms| {
            wait_ms(Odds {
                page_frame: Duration::from_millis(ms),
                ..unmarked
            })
        };
        assert_eq!(every(16), wait_ms(unmarked));
        assert!(every(70) > 120 && every(200) > 400, "{} {}", every(70), every(200));
    }
}
