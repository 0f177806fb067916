//! Does the engine answer?

use super::Check;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// Longest time until the engine must have said hello and ended.
const ANSWER_TIME: Duration = Duration::from_secs(10);

/// Whether `torres uci` says hello.
pub(super) fn starts(torres: &Path) -> Check {
    let name = "engine";
    match hello(torres) {
        Ok(()) => Check::works(name, format!("{} answers", torres.display())),
        Err(reason) => Check::fails(
            name,
            format!("{} uci: {reason}", torres.display()),
            "build it again (`cargo build --release`), and run `torres uci` to see what it says",
        ),
    }
}

fn hello(torres: &Path) -> Result<(), String> {
    let mut engine = Command::new(torres)
        .arg("uci")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|e| e.to_string())?;
    let answer = converse(&mut engine);
    // It has ended by itself if all is well.
    let _ = engine.kill();
    let _ = engine.wait();
    answer
}

fn converse(engine: &mut Child) -> Result<(), String> {
    let (Some(mut input), Some(mut output)) = (engine.stdin.take(), engine.stdout.take()) else {
        return Err("it has no input and output".to_owned());
    };
    let (send, received) = mpsc::channel();
    std::thread::spawn(move || {
        let mut text = String::new();
        let read = output.read_to_string(&mut text);
        send.send(read.map(|_| text))
    });
    // An engine that has died already shows in what it did not say.
    let _ = input.write_all(b"uci\nquit\n");
    drop(input);
    let text = received
        .recv_timeout(ANSWER_TIME)
        .map_err(|_| format!("no answer within {ANSWER_TIME:?}"))?
        .map_err(|e| e.to_string())?;
    if text.lines().any(|line| line.trim() == "uciok") {
        Ok(())
    } else {
        Err("it did not say `uciok`".to_owned())
    }
}
