//! When to stop: counts nodes, and now and then looks at the clock and at the [`SearchControl`].

use super::super::time::{Budget, Progress, allocate, stretch};
use super::super::{Color, SearchControl, SearchLimits};
use super::outcome::Outcome;
use super::params::{FIRST_ITERATION_NODES, POLL_INTERVAL};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The search was told to stop, or has reached a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stopped;

/// Time kept back from a stated move time, so that it is an upper bound of the answer's time too.
const ANSWER_TIME: Duration = Duration::from_millis(2);

/// What the threads of one search tell each other.
pub(super) struct Team {
    /// The first thread has its answer.
    done: AtomicBool,
    /// Nodes visited by each thread, as last told.
    nodes: Vec<AtomicU64>,
    /// The deepest iteration that any thread has completed, and what it found.
    deepest: AtomicI32,
    found: Mutex<Option<Outcome>>,
}

impl Team {
    pub(super) fn new(threads: usize) -> Team {
        Team {
            done: AtomicBool::new(false),
            nodes: std::iter::repeat_with(AtomicU64::default).take(threads).collect(),
            deepest: AtomicI32::new(0),
            found: Mutex::new(None),
        }
    }

    /// Tells the helpers to end.
    pub(super) fn finish(&self) {
        self.done.store(true, Relaxed);
    }
}

/// Watches over one thread's search. The first thread looks at limits, clock and control; the others at the first and
/// at the nodes.
pub(super) struct Watch<'a> {
    control: &'a SearchControl,
    team: &'a Team,
    /// The thread's number; 0 is the first.
    thread: usize,
    /// The iteration that the thread is at, when it may be taken over from another; no depth is deeper otherwise.
    iteration: i32,
    started: Instant,
    nodes: u64,
    /// At this count the next look is due.
    next_look: u64,
    /// Whether there is a move to answer with.
    answerable: bool,
    /// Since when limits count; `None` while pondering and when they do not.
    counting: Option<Counting>,
    node_limit: Option<u64>,
    budget: Option<Budget>,
    move_time: Option<Duration>,
    ponders: bool,
}

#[derive(Clone, Copy)]
struct Counting {
    since: Instant,
    /// Nodes visited before.
    nodes: u64,
}

impl<'a> Watch<'a> {
    /// A search begins now.
    pub(super) fn new(
        limits: &SearchLimits,
        turn: Color,
        overhead: Duration,
        control: &'a SearchControl,
        team: &'a Team,
        thread: usize,
    ) -> Watch<'a> {
        let started = Instant::now();
        let clock = match turn {
            Color::White => limits.white,
            Color::Black => limits.black,
        };
        let ponders = limits.ponder && !limits.infinite;
        let counts = !limits.infinite && !limits.ponder;
        let mut watch = Watch {
            control,
            team,
            thread,
            iteration: i32::MAX,
            started,
            nodes: 0,
            next_look: 0,
            answerable: false,
            counting: counts.then_some(Counting {
                since: started,
                nodes: 0,
            }),
            node_limit: limits.nodes,
            budget: clock.map(|clock| allocate(clock, limits.moves_to_go, overhead)),
            move_time: limits.move_time.map(|time| time.saturating_sub(ANSWER_TIME)),
            ponders,
        };
        watch.plan_next_look();
        watch
    }

    /// Nodes visited by this thread.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Nodes visited by all threads, as far as they have told.
    pub(super) fn total_nodes(&self) -> u64 {
        let others = self
            .team
            .nodes
            .iter()
            .enumerate()
            .filter(|&(thread, _)| thread != self.thread);
        self.nodes + others.map(|(_, nodes)| nodes.load(Relaxed)).sum::<u64>()
    }

    /// Time since the search began.
    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Counts a node, and now and then finds out whether to go on.
    #[inline(always)]
    pub(super) fn visit(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        if self.nodes >= self.next_look {
            self.look()
        } else {
            Ok(())
        }
    }

    /// An iteration begins, in which other threads are at the same task when `shared`.
    pub(super) fn begin_iteration(&mut self, depth: i32, shared: bool) {
        self.iteration = if shared { depth } else { i32::MAX };
    }

    /// An iteration is complete: threads that are still at it need not finish it.
    pub(super) fn share(&self, outcome: &Outcome) {
        let mut found = self.team.found.lock().unwrap_or_else(PoisonError::into_inner);
        if outcome.depth > self.team.deepest.load(Relaxed) {
            *found = Some(outcome.clone());
            self.team.deepest.store(outcome.depth, Relaxed);
        }
    }

    /// What another thread has found in this iteration or a deeper one, unless the search must end.
    pub(super) fn take_over(&self) -> Option<Outcome> {
        if self.must_stop() || !self.is_overtaken() {
            return None;
        }
        self.team.found.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn is_overtaken(&self) -> bool {
        self.team.deepest.load(Relaxed) >= self.iteration
    }

    /// The first iteration is complete: from now on there is a move to answer with.
    pub(super) fn answer_is_ready(&mut self) {
        self.answerable = true;
        self.plan_next_look();
    }

    /// Whether to begin no further iteration, as it went so far, and whether there is only one legal move.
    pub(super) fn is_enough(&mut self, progress: Progress, forced: bool) -> bool {
        self.notice_ponder_hit();
        let (Some(counting), Some(budget)) = (self.counting, self.budget) else {
            return self.must_stop();
        };
        let share = if forced { FORCED_SHARE } else { stretch(progress) };
        self.must_stop() || counting.since.elapsed() >= budget.planned.mul_f64(share).min(budget.most)
    }

    /// Whether time is all that limits the search, and counts already: then a sure result need not be searched on.
    pub(super) fn is_timed(&self) -> bool {
        self.counting.is_some() && (self.budget.is_some() || self.move_time.is_some())
    }

    #[cold]
    fn look(&mut self) -> Result<(), Stopped> {
        self.notice_ponder_hit();
        self.plan_next_look();
        if let Some(told) = self.team.nodes.get(self.thread) {
            told.store(self.nodes, Relaxed);
        }
        let may_stop = self.answerable || self.nodes >= FIRST_ITERATION_NODES;
        if may_stop && self.must_stop() || self.is_overtaken() {
            Err(Stopped)
        } else {
            Ok(())
        }
    }

    fn must_stop(&self) -> bool {
        let is_over = match self.thread {
            0 => self.control.is_stopped(),
            _ => self.team.done.load(Relaxed),
        };
        let Some(counting) = self.counting.filter(|_| !is_over) else {
            return is_over;
        };
        // Each thread sees to the nodes: the first one may have to wait for a processor.
        let out_of_nodes = self
            .node_limit
            .is_some_and(|most| self.total_nodes() >= counting.nodes.saturating_add(most));
        if self.thread > 0 {
            return out_of_nodes;
        }
        let used = counting.since.elapsed();
        let out_of_time =
            self.budget.is_some_and(|budget| used >= budget.most) || self.move_time.is_some_and(|most| used >= most);
        out_of_nodes || out_of_time
    }

    fn notice_ponder_hit(&mut self) {
        if self.ponders
            && self.counting.is_none()
            && let Some(since) = self.control.ponder_hit_at()
        {
            self.counting = Some(Counting {
                since,
                nodes: self.total_nodes(),
            });
        }
    }

    /// Never more than the interval ahead, and never beyond the node limit.
    fn plan_next_look(&mut self) {
        let poll = self.nodes + POLL_INTERVAL;
        self.next_look = match (self.counting, self.node_limit) {
            (Some(counting), Some(most)) => {
                let left = counting.nodes.saturating_add(most).saturating_sub(self.total_nodes());
                poll.min(self.nodes.saturating_add(left.max(1)))
            }
            _ => poll,
        };
    }
}

/// Part of the planned time for the only legal move: enough to know what to expect next.
const FORCED_SHARE: f64 = 0.1;

#[cfg(test)]
mod tests {
    use super::super::super::Clock;
    use super::*;

    fn watch<'a>(limits: &SearchLimits, control: &'a SearchControl, team: &'a Team) -> Watch<'a> {
        Watch::new(limits, Color::White, Duration::ZERO, control, team, 0)
    }

    fn nodes_until_stopped(watch: &mut Watch) -> u64 {
        let before = watch.nodes();
        while watch.visit().is_ok() {
            assert!(watch.nodes() - before < 10 * POLL_INTERVAL, "nothing stops it");
        }
        watch.nodes() - before
    }

    #[test]
    fn stop_is_heard_within_the_poll_interval() {
        for limits in [
            SearchLimits::default(),
            SearchLimits {
                infinite: true,
                ..SearchLimits::default()
            },
            SearchLimits {
                ponder: true,
                ..SearchLimits::default()
            },
            SearchLimits {
                nodes: Some(u64::MAX),
                ..SearchLimits::default()
            },
        ] {
            let (control, team) = (SearchControl::new(), Team::new(1));
            let mut watch = watch(&limits, &control, &team);
            watch.answer_is_ready();
            for _ in 0..5000 {
                watch.visit().unwrap();
            }
            control.stop();
            assert!(nodes_until_stopped(&mut watch) <= POLL_INTERVAL, "{limits:?}");
        }
    }

    #[test]
    fn the_node_limit_is_exact() {
        let (control, team) = (SearchControl::new(), Team::new(1));
        let mut watch = watch(
            &SearchLimits {
                nodes: Some(3000),
                ..SearchLimits::default()
            },
            &control,
            &team,
        );
        watch.answer_is_ready();
        assert_eq!(nodes_until_stopped(&mut watch), 3000);
    }

    #[test]
    fn nothing_stops_the_first_iteration_but_its_own_bound() {
        let (control, team) = (SearchControl::new(), Team::new(1));
        control.stop();
        let mut watch = watch(
            &SearchLimits {
                nodes: Some(1),
                ..SearchLimits::default()
            },
            &control,
            &team,
        );
        let nodes = nodes_until_stopped(&mut watch);
        assert!(
            (FIRST_ITERATION_NODES..FIRST_ITERATION_NODES + POLL_INTERVAL).contains(&nodes),
            "{nodes}"
        );
    }

    #[test]
    fn an_iteration_that_another_thread_has_completed_is_taken_over() {
        let (control, team) = (SearchControl::new(), Team::new(2));
        let mut slow = watch(&SearchLimits::default(), &control, &team);
        let fast = Watch::new(
            &SearchLimits::default(),
            Color::White,
            Duration::ZERO,
            &control,
            &team,
            1,
        );
        let outcome = |depth| Outcome {
            line: Vec::new(),
            value: 10 * depth,
            depth,
        };
        slow.begin_iteration(7, true);
        fast.share(&outcome(6));
        for _ in 0..5 * POLL_INTERVAL {
            slow.visit().unwrap();
        }
        assert!(slow.take_over().is_none());
        fast.share(&outcome(8));
        assert!(nodes_until_stopped(&mut slow) <= POLL_INTERVAL);
        // A result that comes late does not push out a deeper one.
        fast.share(&outcome(7));
        assert_eq!(slow.take_over().map(|found| (found.depth, found.value)), Some((8, 80)));
        slow.begin_iteration(9, true);
        assert!(slow.take_over().is_none());
        // Several lines are nobody else's task.
        slow.begin_iteration(7, false);
        assert!(slow.take_over().is_none());
        slow.begin_iteration(7, true);
        control.stop();
        assert!(slow.take_over().is_none());
    }

    #[test]
    fn limits_count_from_the_ponder_hit() {
        let (control, team) = (SearchControl::new(), Team::new(1));
        let limits = SearchLimits {
            nodes: Some(2000),
            ponder: true,
            ..SearchLimits::default()
        };
        let mut watch = watch(&limits, &control, &team);
        watch.answer_is_ready();
        for _ in 0..5 * 1024 {
            watch.visit().unwrap();
        }
        control.ponder_hit();
        let nodes = nodes_until_stopped(&mut watch);
        assert!((2000..=2000 + POLL_INTERVAL).contains(&nodes), "{nodes}");
    }

    /// How long an iteration goes on that finds no end of its own, once there is something to answer.
    fn cut_off_after(limits: &SearchLimits) -> Duration {
        let (control, team) = (SearchControl::new(), Team::new(1));
        let began = Instant::now();
        let mut watch = watch(limits, &control, &team);
        watch.answer_is_ready();
        while watch.visit().is_ok() {
            assert!(
                began.elapsed() < Duration::from_secs(20),
                "nothing stops it: {limits:?}"
            );
        }
        began.elapsed()
    }

    #[test]
    fn an_iteration_without_end_is_cut_off_at_the_largest_time_and_not_before() {
        let ms = Duration::from_millis;
        let clock = |remaining| {
            Some(Clock {
                remaining: ms(remaining),
                increment: ms(0),
            })
        };
        // A quarter of 400 ms is less than four times the 26th part of it; of 4 s it is the other way round, and so
        // with an increment.
        for (limits, most) in [
            (
                SearchLimits {
                    move_time: Some(ms(80)),
                    ..SearchLimits::default()
                },
                ms(78),
            ),
            (
                SearchLimits {
                    white: clock(520),
                    ..SearchLimits::default()
                },
                ms(520) * 4 / 26,
            ),
            (
                SearchLimits {
                    white: clock(520),
                    move_time: Some(ms(30)),
                    ..SearchLimits::default()
                },
                ms(28),
            ),
            (
                SearchLimits {
                    white: clock(520),
                    move_time: Some(ms(10_000)),
                    ..SearchLimits::default()
                },
                ms(520) * 4 / 26,
            ),
            (
                SearchLimits {
                    white: clock(200),
                    moves_to_go: Some(1),
                    ..SearchLimits::default()
                },
                ms(100),
            ),
        ] {
            let took = cut_off_after(&limits);
            assert!(took >= most, "{took:?}, at most {most:?}: {limits:?}");
            // A machine that is busy may look away, but not for as long as anything here would run on.
            assert!(
                took < most + Duration::from_secs(5),
                "{took:?}, at most {most:?}: {limits:?}"
            );
        }
    }

    #[test]
    fn no_iteration_is_begun_after_the_largest_time_however_much_speaks_for_it() {
        let (control, team) = (SearchControl::new(), Team::new(1));
        let increment = Duration::from_secs(3600);
        let white = Some(Clock {
            remaining: Duration::from_millis(200),
            increment,
        });
        let mut watch = watch(
            &SearchLimits {
                white,
                ..SearchLimits::default()
            },
            &control,
            &team,
        );
        watch.answer_is_ready();
        // Its share of the increment would be half an hour; a quarter of what is left is 50 ms.
        while watch.visit().is_ok() {
            assert!(watch.elapsed() < Duration::from_secs(20), "nothing stops it");
        }
        let doubtful = Progress {
            stable_iterations: 0,
            fall: 100,
            best_share: 0.0,
        };
        assert!(watch.is_enough(doubtful, false));
    }
}
