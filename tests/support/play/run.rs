//! One of Torres' commands while it runs.

use super::terminal::{Key, Terminal, as_lines};
use crate::desktop::Pointer;
use crate::{PATIENCE, wait_for};
use std::fs::File;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// A running command; dropping it kills it.
pub struct Run {
    name: String,
    child: Child,
    terminal: Option<Terminal>,
    said: PathBuf,
}

impl Run {
    /// Starts it without a terminal; what it says goes into a file.
    pub fn start(mut command: Command, said: PathBuf) -> Run {
        let file = File::create(&said).expect("a file for what the command says");
        let name = format!("{command:?}");
        command.stdin(Stdio::null());
        command.stdout(file.try_clone().expect("the file twice")).stderr(file);
        let child = command.spawn().unwrap_or_else(|e| panic!("{name}: {e}"));
        Run {
            name,
            child,
            terminal: None,
            said,
        }
    }

    /// Starts it on a terminal of its own.
    pub fn at_a_terminal(command: &Command, said: PathBuf) -> Run {
        let file = File::create(&said).expect("a file for what the command shows");
        let name = format!("{command:?}");
        let (child, terminal) = Terminal::start(command, file).unwrap_or_else(|e| panic!("{name}: {e}"));
        Run {
            name,
            child,
            terminal: Some(terminal),
            said,
        }
    }

    /// The terminal on which it was started.
    pub fn terminal(&self) -> &Terminal {
        self.terminal.as_ref().expect("it runs on a terminal that is open")
    }

    /// Types a key.
    pub fn press(&self, key: Key) {
        self.terminal().press(key);
    }

    /// Closes its terminal, as a user closes the window.
    pub fn close_terminal(&mut self) {
        self.terminal = None;
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// All that it has said so far.
    pub fn said(&self) -> String {
        let said = std::fs::read(&self.said).expect("what the command says");
        as_lines(&String::from_utf8_lossy(&said))
    }

    /// The address of its watch page, as it prints it.
    pub fn watch_url(&self) -> String {
        wait_for("the watch page's address", || {
            let said = self.said();
            let line = said.lines().find_map(|line| line.strip_prefix("watch     "))?;
            Some(line.to_owned())
        })
    }

    /// Waits for its end and returns its exit status; panics when it does not end in time or a signal ended it.
    pub fn status(&mut self, within: Duration) -> i32 {
        let deadline = Instant::now() + within;
        loop {
            if let Some(status) = self.ended() {
                self.terminal.iter().for_each(Terminal::shows_all);
                return status
                    .code()
                    .unwrap_or_else(|| panic!("{status}: {}\n{}", self.name, self.said()));
            }
            assert!(
                Instant::now() < deadline,
                "still running after {within:?}: {}\n{}",
                self.name,
                self.said()
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits for its end and compares its exit status.
    pub fn ends_with(&mut self, expected: i32, within: Duration) {
        let status = self.status(within);
        assert_eq!(status, expected, "{}\n{}", self.name, self.said());
    }

    /// Sends it a signal.
    pub fn signal(&self, signal: rustix::process::Signal) {
        signal_process(self.id(), signal);
    }

    /// Waits for the process of `torres engine` that thinks for it, other than `not`.
    pub fn engine(&self, not: Option<u32>) -> u32 {
        self.child("engine", not)
    }

    /// Waits for the process of `torres watchdog` that guards its mouse button, other than `not`.
    pub fn watchdog(&self, not: Option<u32>) -> u32 {
        self.child("watchdog", not)
    }

    /// Waits for a child process, other than `not`, whose first argument this is.
    pub fn child(&self, argument: &str, not: Option<u32>) -> u32 {
        wait_for(&format!("the process with the argument {argument}"), || {
            let children = children_of(self.id()).into_iter();
            let mut found = children.filter(|pid| runs(*pid, argument) && Some(*pid) != not);
            found.next()
        })
    }

    /// Whether it has ended.
    pub fn has_ended(&mut self) -> bool {
        self.ended().is_some()
    }

    /// How it ended, if it has.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().expect("its state")
    }
}

impl Drop for Run {
    /// Ends it; where the test fails, what it said is shown.
    fn drop(&mut self) {
        if std::thread::panicking() {
            let said = std::fs::read(&self.said).unwrap_or_default();
            eprintln!("{}:\n{}", self.name, as_lines(&String::from_utf8_lossy(&said)));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Stops a process in the middle of a press: from then on, it does not release the button by itself.
pub fn freeze_in_a_press(pid: u32, pointer: &Pointer) {
    let deadline = Instant::now() + PATIENCE;
    loop {
        while !pointer.button_is_down() {
            assert!(Instant::now() < deadline, "process {pid} presses nothing");
            std::thread::sleep(Duration::from_micros(300));
        }
        signal_process(pid, rustix::process::Signal::STOP);
        wait_for("the process to stand still", || stands_still(pid).then_some(()));
        if pointer.button_is_down() {
            return;
        }
        signal_process(pid, rustix::process::Signal::CONT);
    }
}

/// Whether all threads of a process are stopped.
fn stands_still(pid: u32) -> bool {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).expect("the process is there");
    threads.flatten().all(|thread| {
        let stat = std::fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
        stat.rsplit_once(')')
            .is_none_or(|(_, rest)| rest.trim_start().starts_with('T'))
    })
}

/// Sends a signal to a process.
pub fn signal_process(pid: u32, signal: rustix::process::Signal) {
    let pid = rustix::process::Pid::from_raw(pid as i32).expect("a process id");
    rustix::process::kill_process(pid, signal).expect("the process takes signals");
}

/// Sends a signal to all processes of a group.
pub fn signal_group(group: u32, signal: rustix::process::Signal) {
    let group = rustix::process::Pid::from_raw(group as i32).expect("a process group");
    rustix::process::kill_process_group(group, signal).expect("the group takes signals");
}

/// The processes whose parent this is, from `/proc`.
pub fn children_of(parent: u32) -> Vec<u32> {
    let all = std::fs::read_dir("/proc").expect("/proc").flatten();
    let pids = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.filter(|pid| parent_of(*pid) == Some(parent)).collect()
}

fn parent_of(pid: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, after_name) = stat.rsplit_once(')')?;
    after_name.split_whitespace().nth(1)?.parse().ok()
}

fn runs(pid: u32, argument: &str) -> bool {
    let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    line.split(|byte| *byte == 0).nth(1) == Some(argument.as_bytes())
}
