//! Child processes that end with this process: each leads a process group of its own, and a small shell watches over
//! it.
//!
//! The shell waits for the program, and reads a pipe whose other end only we hold. When that end closes, because a
//! [`Guarded`] is dropped or because this process is gone (`kill -9` included), the shell ends the program, gently
//! first, and then whatever the program has left behind in the group. The kernel's parent-death signal would need
//! `unsafe`, and would depend on which of our threads started the program.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};

/// Descriptor 3 is the pipe from us: a background process would have its standard input replaced.
#[cfg(unix)]
const GUARD: &str = r#"
exec 3<&0
"$@" 3<&- </dev/null &
program=$!
(read -r _ <&3; kill -TERM $program; sleep 2; kill -KILL 0) >/dev/null 2>&1 &
exec 3<&- </dev/null >/dev/null 2>&1
wait $program
kill -KILL 0
"#;

/// A running program with its descendants; dropping it ends them all and waits until they have been told.
#[derive(Debug)]
pub(super) struct Guarded {
    child: Child,
    alive: Option<ChildStdin>,
}

/// A command that [`Guarded::spawn`] can start; arguments, environment and output are the caller's to add.
pub(super) fn guarded(program: &Path) -> Command {
    #[cfg(unix)]
    {
        let mut command = Command::new("/bin/sh");
        command.args([OsStr::new("-c"), OsStr::new(GUARD), OsStr::new("torres-guard")]);
        command.arg(program);
        command
    }
    #[cfg(not(unix))]
    {
        Command::new(program)
    }
}

impl Guarded {
    /// Starts a command made by [`guarded`].
    pub(crate) fn spawn(mut command: Command) -> io::Result<Guarded> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.stdin(Stdio::piped()).spawn()?;
        let alive = child.stdin.take();
        Ok(Guarded { child, alive })
    }

    /// The pipe on which the program writes, if the command asked for one.
    pub(crate) fn stdout(&mut self) -> Option<std::process::ChildStdout> {
        self.child.stdout.take()
    }

    /// On Unix the number of the process group, elsewhere of the process.
    pub(crate) fn group(&self) -> u32 {
        self.child.id()
    }

    /// How the program ended, if it has.
    pub(crate) fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        drop(self.alive.take());
        if cfg!(not(unix)) {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}

/// The first of the programs that the search path has.
pub(super) fn find_program(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    names.iter().find_map(|name| {
        let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        folders.iter().map(|folder| folder.join(&file)).find(|p| p.is_file())
    })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader};
    use std::time::{Duration, Instant};

    /// Whether a process exists and is not merely waiting for its parent to take note of its end.
    fn runs(pid: &str) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
        stat.rsplit_once(')')
            .is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
    }

    fn ends(pid: &str) -> bool {
        let deadline = Instant::now() + Duration::from_secs(10);
        while runs(pid) && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(5));
        }
        !runs(pid)
    }

    fn shell(script: &str) -> (Guarded, BufReader<std::process::ChildStdout>) {
        let mut command = guarded(Path::new("/bin/sh"));
        command.args(["-c", script]).stdout(Stdio::piped());
        let mut process = Guarded::spawn(command).unwrap();
        let output = BufReader::new(process.stdout().unwrap());
        (process, output)
    }

    #[test]
    fn dropping_ends_the_program_and_what_it_left_behind() {
        let (process, mut output) = shell("sleep 1000 & echo $! $$; wait");
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let (descendant, program) = line.split_once(' ').unwrap();
        assert!(runs(descendant) && runs(program));
        drop(process);
        assert!(ends(descendant) && ends(program));
    }

    #[test]
    fn a_program_that_ignores_being_told_is_ended_all_the_same() {
        let (process, mut output) = shell("trap '' TERM; echo $$; while :; do sleep 1000; done");
        let mut pid = String::new();
        output.read_line(&mut pid).unwrap();
        drop(process);
        assert!(ends(&pid));
    }

    #[test]
    fn a_program_that_ends_by_itself_is_noticed_and_leaves_nothing() {
        let (mut process, mut output) = shell("sleep 1000 & echo $!");
        let mut descendant = String::new();
        output.read_line(&mut descendant).unwrap();
        let deadline = Instant::now() + Duration::from_secs(10);
        while process.ended().is_none() {
            assert!(Instant::now() < deadline, "the guard still waits");
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(ends(&descendant));
    }
}
