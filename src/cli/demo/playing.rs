//! Runs the player's process, and watches the site's log meanwhile.

use crate::{CliError, CliResult, Exit};
use serde_json::Value;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::time::Duration;

/// How often the site's log is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// Runs the player to its end. A bot that fails ends the game on the site without a result. The player cannot see that on
/// the board and would wait for a move that never comes. So it is stopped, as by Ctrl-C.
pub(super) fn played(player: &mut Command, log: &Path) -> CliResult {
    let lost = |error| CliError::failed(format!("cannot run `torres play`: {error}"));
    let mut player = player.spawn().map_err(lost)?;
    loop {
        if let Some(status) = player.try_wait().map_err(lost)? {
            return ended(status);
        }
        if let Some(why) = broken_off(&std::fs::read_to_string(log).unwrap_or_default()) {
            interrupt(&mut player);
            player.wait().map_err(lost)?;
            return Err(CliError::failed(format!(
                "the game was broken off on the site: {why}; it counts as unfinished"
            )));
        }
        std::thread::sleep(LOOK_EVERY);
    }
}

fn ended(status: ExitStatus) -> CliResult {
    match status.code() {
        Some(0) => Ok(Exit::Done),
        Some(1) => Ok(Exit::Found),
        Some(3) => Ok(Exit::Stopped),
        _ => Err(CliError::failed(format!(
            "`torres play` ended with {status}; its message is above"
        ))),
    }
}

/// Why the site's log has a game without a result, if it has.
fn broken_off(log: &str) -> Option<String> {
    let events = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut results = events.filter(|event| event["event"] == "result");
    results.find_map(|event| Some(event["detail"].as_str()?.strip_prefix("* ")?.to_owned()))
}

#[cfg(unix)]
fn interrupt(player: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process};
    // It has not been waited for, so the id is its own. An error says that it is gone already.
    if let Some(pid) = i32::try_from(player.id()).ok().and_then(Pid::from_raw) {
        kill_process(pid, Signal::INT).ok();
    }
}

#[cfg(not(unix))]
fn interrupt(player: &mut Child) {
    player.kill().ok();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_game_without_a_result_is_broken_off() {
        let line = |detail: &str| format!("{{\"event\":\"result\",\"detail\":\"{detail}\"}}\n");
        let moved = "{\"event\":\"move\",\"detail\":\"* x\"}\n";
        assert_eq!(broken_off(&format!("{moved}{}torn", line("1-0 checkmate"))), None);
        let failed = format!("{moved}{}", line("* engine failed: gone"));
        assert_eq!(broken_off(&failed).as_deref(), Some("engine failed: gone"));
    }
}
