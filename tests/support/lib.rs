//! What the tests in `tests/` share. Each program there takes what it needs; nothing else uses it.

pub mod desktop;
mod faulty_engine;
#[cfg(unix)]
pub mod link;
pub mod people;
#[cfg(target_os = "linux")]
pub mod play;
mod program;
pub mod site;

pub use faulty_engine::faulty_engine;
pub use program::{ROLE, itself, program, torres};

use std::time::{Duration, Instant};

/// Longest time that a condition may take to come true, on a machine busy with other tests.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// Asks again and again until there is an answer; panics when there is none in time.
pub fn wait_for<T>(what: &str, answer: impl FnMut() -> Option<T>) -> T {
    wait_within(PATIENCE, what, answer)
}

/// The same for what takes its time.
pub fn wait_within<T>(patience: Duration, what: &str, mut answer: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + patience;
    loop {
        if let Some(found) = answer() {
            return found;
        }
        assert!(Instant::now() < deadline, "waited {patience:?} in vain for {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}
