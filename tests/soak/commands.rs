//! The commands of Torres that a table runs to their end.

use std::path::Path;
use torres_test_support::play::Stage;

/// Runs a command to its end; what it said, which `NAME.said` in the table's folder keeps.
pub fn run(stage: &Stage, folder: &Path, name: &str, arguments: &[&str]) -> Result<String, String> {
    let (status, said) = stage.run(arguments);
    std::fs::write(folder.join(format!("{name}.said")), &said).expect("what it said can be written");
    let last = said.lines().last().unwrap_or_default();
    match status {
        0 => Ok(said),
        _ => Err(format!("{name} ended with {status}: {last}")),
    }
}
