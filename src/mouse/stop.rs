//! The flag that stops all input, for good or for as long as somebody wants a pause.

use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use tokio::sync::Notify;
use torres_geometry::InputPt;

/// Who asked to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The pointer was thrown into a screen corner.
    Corner,
    /// Ctrl-C.
    CtrlC,
    /// The terminal was closed.
    HungUp,
    /// The process was told to end.
    Terminated,
    /// A thread of this process panicked.
    Panicked,
    /// The window with the board was closed.
    WindowClosed,
    /// The user said so by other means.
    User,
}

impl std::fmt::Display for StopReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            StopReason::Corner => "the pointer is in a screen corner (move it out of there to start again)",
            StopReason::CtrlC => "Ctrl-C",
            StopReason::HungUp => "the terminal was closed",
            StopReason::Terminated => "the process was told to end",
            StopReason::Panicked => "a part of Torres failed; its message says which",
            StopReason::WindowClosed => "the window was closed",
            StopReason::User => "the user asked for it",
        })
    }
}

/// Why a gesture must not begin or go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// All input is stopped for good.
    Stopped(StopReason),
    /// Somebody wants a pause.
    Paused,
}

/// Stops all input once it is tripped; clones are the same flag. A tripped flag cannot be reset; a pause lasts as long
/// as somebody [wants](StopFlag::pause) it.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    /// Wakes those who wait for the flag.
    tripped: Notify,
}

#[derive(Debug, Default)]
struct State {
    reason: Option<StopReason>,
    /// How many want a pause.
    pauses: usize,
    /// The last two places where gestures have put the pointer, the last one first: the pointer may still be at the
    /// first place while it is on its way to the second.
    put: [Option<InputPt>; 2],
}

impl StopFlag {
    /// A flag that nobody has tripped yet.
    pub fn new() -> StopFlag {
        StopFlag::default()
    }

    /// Stops all input. The first reason stays.
    pub fn trip(&self, reason: StopReason) {
        self.state().reason.get_or_insert(reason);
        self.0.tripped.notify_waiters();
    }

    /// Halts all input until what is returned is dropped.
    pub fn pause(&self) -> Pause {
        self.state().pauses += 1;
        Pause(self.clone())
    }

    /// Why no gesture may begin or go on now; `None` where it may.
    pub fn halt(&self) -> Option<Halt> {
        let state = self.state();
        let paused = (state.pauses > 0).then_some(Halt::Paused);
        state.reason.map(Halt::Stopped).or(paused)
    }

    /// Waits until the flag is tripped.
    pub async fn tripped(&self) -> StopReason {
        loop {
            let mut tripped = pin!(self.0.tripped.notified());
            // From here on a trip wakes this task: a trip after the reason was looked at is not missed.
            tripped.as_mut().enable();
            if let Some(reason) = self.reason() {
                return reason;
            }
            tripped.await;
        }
    }

    /// Why input is stopped; `None` while it is not.
    pub fn reason(&self) -> Option<StopReason> {
        self.state().reason
    }

    /// Remembers where the pointer is about to be put, so that it is not taken for a throw.
    pub(super) fn will_put(&self, point: InputPt) {
        let mut state = self.state();
        state.put = [Some(point), state.put[0]];
    }

    /// Where gestures have put the pointer lately.
    pub(super) fn put(&self) -> [Option<InputPt>; 2] {
        self.state().put
    }

    pub(super) fn downgrade(&self) -> WeakStopFlag {
        WeakStopFlag(Arc::downgrade(&self.0))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Every change is a single assignment, so that a panic elsewhere cannot have left half of one.
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Input is halted as long as this is there.
#[derive(Debug)]
#[must_use = "input goes on when this is dropped"]
pub struct Pause(StopFlag);

impl Drop for Pause {
    fn drop(&mut self) {
        self.0.state().pauses -= 1;
    }
}

/// A watcher's reference to the flag. It does not keep the flag alive: a watcher ends when nobody else has the flag.
pub(super) struct WeakStopFlag(Weak<Shared>);

impl WeakStopFlag {
    pub(crate) fn upgrade(&self) -> Option<StopFlag> {
        self.0.upgrade().map(StopFlag)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    #[test]
    fn the_first_reason_stays_and_clones_see_it() {
        let flag = StopFlag::new();
        let clone = flag.clone();
        assert_eq!(clone.reason(), None);
        flag.trip(StopReason::Corner);
        flag.trip(StopReason::CtrlC);
        assert_eq!(clone.reason(), Some(StopReason::Corner));
    }

    #[test]
    fn input_is_halted_while_anybody_wants_a_pause_and_for_good_once_the_flag_is_tripped() {
        let flag = StopFlag::new();
        let (first, second) = (flag.pause(), flag.clone().pause());
        drop(first);
        assert_eq!(flag.halt(), Some(Halt::Paused));
        drop(second);
        assert_eq!(flag.halt(), None);
        let pause = flag.pause();
        flag.trip(StopReason::User);
        assert_eq!(flag.halt(), Some(Halt::Stopped(StopReason::User)));
        drop(pause);
        assert_eq!(flag.halt(), Some(Halt::Stopped(StopReason::User)));
    }

    #[test]
    fn whoever_waits_is_woken() {
        let flag = StopFlag::new();
        let mut waiting = Box::pin(flag.tripped());
        assert_eq!(waiting.as_mut().now_or_never(), None);
        flag.clone().trip(StopReason::User);
        assert_eq!(waiting.now_or_never(), Some(StopReason::User));
        assert_eq!(flag.tripped().now_or_never(), Some(StopReason::User));
    }
}
