//! Engine processes: started in a group of their own, killed with all of it, never left behind.

use super::address::SocketName;
use std::collections::VecDeque;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// How long a process that closed its door may take to end, and what it said to arrive.
const LAST_MOMENTS: Duration = Duration::from_millis(100);

/// How much of what a process writes to standard error is kept, in lines.
const LAST_WORDS: usize = 5;

/// A child process with its own process group, killed (`SIGKILL`, which also ends stopped ones) when dropped.
#[derive(Debug)]
pub(super) struct EngineGroup {
    child: Child,
    last_words: LastWords,
    /// Done when nothing more can be said.
    listener: JoinHandle<()>,
    /// Removed with the process, which cannot do it when killed.
    pub socket: Option<SocketName>,
    /// Held open: the end of its standard input is how an engine learns that we are gone.
    pub pipes: Option<(ChildStdin, BufReader<ChildStdout>)>,
}

/// The last lines of a process's standard error.
#[derive(Clone, Debug, Default)]
struct LastWords(Arc<Mutex<VecDeque<String>>>);

impl EngineGroup {
    /// Starts it with pipes for standard input and output.
    pub(crate) fn spawn(command: &mut Command) -> Result<(EngineGroup, ChildStdin, ChildStdout), String> {
        let program = command.as_std().get_program().to_string_lossy().into_owned();
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        #[cfg(unix)]
        command.process_group(0);
        let mut child = command
            .spawn()
            .map_err(|error| format!("'{program}' cannot be started: {error}; is it there and executable?"))?;
        let last_words = LastWords::default();
        match (child.stdin.take(), child.stdout.take(), child.stderr.take()) {
            (Some(stdin), Some(stdout), Some(stderr)) => {
                let listener = tokio::spawn(last_words.clone().collect(stderr));
                Ok((
                    EngineGroup {
                        child,
                        last_words,
                        listener,
                        socket: None,
                        pipes: None,
                    },
                    stdin,
                    stdout,
                ))
            }
            _ => Err(format!("'{program}' was started without pipes")),
        }
    }

    /// The process's id; `None` when it has ended and was waited for.
    pub(crate) fn id(&self) -> Option<u32> {
        self.child.id()
    }

    /// Kills the group at once, whatever state it is in.
    fn kill(&mut self) {
        // The child is not waited for before this, so its id still names its group and nothing else.
        #[cfg(unix)]
        if let Some(group) = self.child.id().and_then(|id| rustix::process::Pid::from_raw(id as i32)) {
            // An error says that it is gone already.
            rustix::process::kill_process_group(group, rustix::process::Signal::KILL).ok();
        }
        self.child.start_kill().ok();
        if let Some(socket) = self.socket.take() {
            socket.remove();
        }
    }

    /// How it ended and what it said last, for an error message. Kills it if it has not ended.
    pub(crate) async fn post_mortem(mut self) -> String {
        // One that closed its door is ending; its own status says more than ours of a kill.
        let status = match timeout(LAST_MOMENTS, self.child.wait()).await {
            Ok(Ok(status)) => format!("it ended with {status}"),
            _ => "it did not end and was killed".to_string(),
        };
        // What it wrote at the very end may not have been read yet; a child of its own may keep the pipe open.
        timeout(LAST_MOMENTS, &mut self.listener).await.ok();
        let said = self.last_words.text();
        if said.is_empty() {
            status
        } else {
            format!("{status} and said: {said}")
        }
    }
}

impl Drop for EngineGroup {
    fn drop(&mut self) {
        self.kill();
    }
}

impl LastWords {
    async fn collect(self, stderr: impl AsyncRead + Unpin) {
        let mut lines = BufReader::new(stderr);
        let mut line = Vec::new();
        loop {
            line.clear();
            // A line without end is cut rather than kept whole.
            match (&mut lines).take(4096).read_until(b'\n', &mut line).await {
                Ok(bytes) if bytes > 0 => {
                    let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
                    kept.push_back(String::from_utf8_lossy(&line).trim_end().to_string());
                    if kept.len() > LAST_WORDS {
                        kept.pop_front();
                    }
                }
                _ => return,
            }
        }
    }

    fn text(&self) -> String {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().cloned().collect::<Vec<_>>().join(" / ")
    }
}
