//! The program under test, and the test program itself.

use std::process::Command;
use std::sync::OnceLock;

/// The path of `torres`.
///
/// Cargo tells it to the test programs only (`CARGO_BIN_EXE_torres`), and this is a library. But cargo builds `torres`
/// before it runs a test program, into the folder above the test programs: `target/PROFILE/torres` stands beside
/// `target/PROFILE/deps/TEST-HASH`.
pub fn program() -> &'static str {
    static PROGRAM: OnceLock<String> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let test = std::env::current_exe().expect("the test program has a path");
        let profile = test.parent().and_then(|deps| deps.parent());
        let profile = profile.unwrap_or_else(|| panic!("{} is not in target/PROFILE/deps", test.display()));
        let program = profile.join("torres").with_extension(std::env::consts::EXE_EXTENSION);
        assert!(program.is_file(), "cargo has built no {}", program.display());
        program.into_os_string().into_string().expect("a path of plain letters")
    })
}

/// `torres` with these arguments.
pub fn torres(args: &[&str]) -> Command {
    let mut command = Command::new(program());
    command.args(args);
    command
}

/// Set in the process that plays a part in a test, and not the test itself; its value is what that part needs.
pub const ROLE: &str = "TORRES_TEST_ROLE";

/// This test program, told to run one test alone. Its name begins with its file's: `mouse_stop::drags_until_stopped`.
pub fn itself(test: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("the test program has a path"));
    command.args(["--exact", test, "--nocapture", "--include-ignored"]);
    command
}
