//! `torres` in a folder of its own.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;
use torres_test_support::program;

/// Nothing here takes longer, however loaded the machine.
pub const PATIENCE: Duration = Duration::from_secs(180);

pub fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(program());
    command.args(args).current_dir(folder).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs it to its end: exit status, standard output, standard error.
pub fn torres(folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    told(command(folder, args).output().unwrap())
}

pub fn told(output: Output) -> (Option<i32>, String, String) {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// The arguments of quick games.
pub fn selfplay<'a>(out: &'a str, games: &'a str, threads: &'a str) -> [&'a str; 11] {
    [
        "selfplay",
        "--out",
        out,
        "--games",
        games,
        "--nodes",
        "300",
        "--seed",
        "5",
        "--threads",
        threads,
    ]
}

/// The bytes of a file; 0 where there is none.
pub fn length(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |file| file.len())
}
