//! Does the engine answer, and with a legal move?

use super::check::Check;
use shakmaty::Chess;
use std::path::Path;
use std::time::{Duration, Instant};
use torres_link::messages::{Go, Limits};
use torres_link::policy::Policy;
use torres_link::process::EngineCommand;
use torres_link::supervisor::Supervisor;
use torres_link::uci::UciCommand;
use torres_link::{Launch, Thinker};

const NAME: &str = "engine";
/// Longest time until an engine must have started and answered.
pub(super) const ANSWER_TIME: Duration = Duration::from_secs(10);
/// How deep it looks, in plies: enough for a move.
const DEPTH: u32 = 4;
/// One try, since the second would say the same; a machine busy with starting a browser is waited for.
const ONCE: Policy = Policy {
    ping_every: Duration::from_millis(250),
    patience: 20,
    grace: Duration::from_secs(5),
    after_stop: Duration::from_secs(1),
    failures: 1,
};

/// Torres' own engine: over its socket, as `play` asks it, and as UCI. Each time it must have answered `within` this
/// time.
pub(super) fn own(torres: &Path, within: Duration) -> Check {
    let shown = torres.display();
    let program = torres.to_string_lossy().into_owned();
    let uci = UciCommand {
        program,
        arguments: vec!["uci".to_owned()],
        threads: None,
        hash_mib: None,
        options: Vec::new(),
        ponder: false,
    };
    let advice = "build it again (`cargo build --release`), and run `torres uci` to see what it says";
    let by_socket = match answer(EngineCommand::of(torres), within) {
        Ok(answer) => answer,
        Err(why) => return Check::fails(NAME, format!("{shown} engine: {why}"), advice),
    };
    match answer(uci, within) {
        Ok(by_uci) => Check::works(
            NAME,
            format!("{shown} answers {by_socket} over its socket, {by_uci} as UCI"),
        ),
        Err(why) => Check::fails(NAME, format!("{shown} uci: {why}"), advice),
    }
}

/// A UCI engine that the user named.
pub(super) fn of_user(command: &str) -> Check {
    let advice = "start it by hand and type `uci`: it should answer `uciok`; name another engine, or leave --engine out for Torres' own";
    let found = command.parse::<UciCommand>().and_then(|uci| uci.find().map(|_| uci));
    match found.and_then(|uci| answer(uci, ANSWER_TIME)) {
        Ok(answer) => Check::works(NAME, format!("{command} answers {answer} as UCI")),
        Err(why) => Check::fails(NAME, format!("{command}: {why}"), advice),
    }
}

/// Its move in the start position and the time that it took, its start included; the link has checked that the move is
/// legal.
fn answer(launcher: impl Launch + 'static, within: Duration) -> Result<String, String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| format!("cannot start the async runtime: {e}"))?;
    let limits = Limits {
        depth: Some(DEPTH),
        ..Limits::default()
    };
    let go = Go {
        id: 1,
        fen: torres_chess::fen(&Chess::default()),
        moves: Vec::new(),
        limits,
        ..Go::default()
    };
    let began = Instant::now();
    runtime.block_on(async {
        let mut engine = Supervisor::new(launcher).with_policy(ONCE);
        let thought = tokio::time::timeout(within, engine.think(go, &mut |_| ())).await;
        let answer = thought
            .map_err(|_| format!("it said nothing within {within:?}"))?
            .map_err(|e| e.to_string())?;
        let best = answer.best.ok_or("it has no move in the start position")?;
        Ok(format!("{best} in {} ms", began.elapsed().as_millis()))
    })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// A program in place of `torres` that does this, whatever it is asked for.
    fn instead(script: &str, within: Duration) -> Check {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("torres");
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        own(&path, within)
    }

    #[test]
    fn an_engine_that_says_nothing_is_a_complaint() {
        let check = instead("exec cat", Duration::from_millis(200));
        assert!(
            !check.ok && check.detail.contains("said nothing within 200ms"),
            "{}",
            check.detail
        );
        assert!(check.advice.unwrap().contains("build it again"));
    }

    #[test]
    fn an_engine_that_ends_is_a_complaint() {
        let check = instead("exit 4", ANSWER_TIME);
        let said = &check.detail;
        assert!(!check.ok && said.contains("engine did not start: "), "{said}");
    }
}
