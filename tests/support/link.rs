//! What the link's tests share: a real engine process, and a raw line to its socket.

use crate::program;
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use serde_json::Value;
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};
use torres_link::uci::UciCommand;

/// No test waits longer than this for anything.
pub const DEADLINE: Duration = Duration::from_secs(30);

/// The position before the first move.
pub const START_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Asks again and again until it is so.
pub fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let began = Instant::now();
    while !condition() {
        assert!(began.elapsed() < DEADLINE, "{what}: not within {DEADLINE:?}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Sends a process a signal.
pub fn signal(process: u32, signal: Signal) {
    kill_process(Pid::from_raw(process as i32).unwrap(), signal).unwrap();
}

/// Whether the process runs; one that ended and was not waited for yet does not.
pub fn is_running(process: u32) -> bool {
    state(process) != Some('Z') && test_kill_process(Pid::from_raw(process as i32).unwrap()).is_ok()
}

/// Stops it, and waits until it has stopped.
pub fn freeze(process: u32) {
    signal(process, Signal::STOP);
    if cfg!(target_os = "linux") {
        wait_until("it has stopped", || state(process) == Some('T'));
    }
}

/// `Z` is ended and not waited for, `T` is stopped. Only Linux tells.
fn state(process: u32) -> Option<char> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    stat.rsplit(')').next()?.trim_start().chars().next()
}

/// A `torres engine` of its own, killed at the end of the test.
pub struct Engine {
    /// Its process; its standard output is read already.
    pub child: Child,
    /// Its standard input, for a test to close.
    pub stdin: Option<ChildStdin>,
    /// Where it listens.
    pub socket: PathBuf,
}

impl Engine {
    /// Starts it with these arguments and a small hash, and waits until it listens.
    pub fn start(arguments: &[&str]) -> Engine {
        let mut child = Command::new(program())
            .arg("engine")
            .args(arguments)
            .args(["--hash", "1"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let socket = line.trim().strip_prefix("torres engine listens on ").expect(&line);
        Engine {
            stdin: child.stdin.take(),
            socket: socket.into(),
            child,
        }
    }

    /// A connection on which nothing was said yet.
    pub fn connect(&self) -> Raw {
        Raw::connect(&self.socket)
    }

    /// A connection on which hello was said.
    pub fn greet(&self) -> Raw {
        let mut raw = self.connect();
        raw.say(r#"{"type":"hello","protocol":1}"#);
        assert_eq!(raw.hear()["type"], "hello");
        raw
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
        std::fs::remove_file(&self.socket).ok();
    }
}

/// A socket without a client around it: bytes out, JSON lines in.
pub struct Raw {
    /// The connection itself.
    pub stream: UnixStream,
    lines: BufReader<UnixStream>,
}

impl Raw {
    /// Connects to a socket.
    pub fn connect(socket: &Path) -> Raw {
        let stream = UnixStream::connect(socket).unwrap();
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        Raw {
            lines: BufReader::new(stream.try_clone().unwrap()),
            stream,
        }
    }

    /// Sends bytes as they are.
    pub fn send(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).unwrap();
    }

    /// Sends a line.
    pub fn say(&mut self, line: &str) {
        self.send(format!("{line}\n").as_bytes());
    }

    /// The next line; `None` at the end of the connection.
    pub fn hear_or_end(&mut self) -> Option<Value> {
        let mut line = String::new();
        match self.lines.read_line(&mut line) {
            Ok(0) => None,
            Ok(_) => Some(serde_json::from_str(&line).unwrap_or_else(|error| panic!("{line}: {error}"))),
            Err(error) if error.kind() == ErrorKind::WouldBlock => panic!("nothing heard within {DEADLINE:?}"),
            Err(error) => panic!("{error}"),
        }
    }

    /// The next line; the connection must not end before it.
    pub fn hear(&mut self) -> Value {
        self.hear_or_end().expect("the connection is open")
    }

    /// All up to the first of this type, that one last.
    pub fn hear_until(&mut self, kind: &str) -> Vec<Value> {
        let mut heard = vec![self.hear()];
        while heard.last().is_some_and(|last| last["type"] != kind) {
            heard.push(self.hear());
        }
        heard
    }

    /// Says it and hears an error with this id.
    pub fn refused(&mut self, line: &str, id: impl Into<Value>) {
        self.say(line);
        let error = self.hear();
        assert_eq!(
            (&error["type"], &error["id"]),
            (&"error".into(), &id.into()),
            "{line}: {error}"
        );
        assert!(!error["message"].as_str().unwrap().is_empty());
    }

    /// A ping is answered by its pong and nothing else before.
    pub fn is_quiet(&mut self, id: u64) {
        self.say(&format!(r#"{{"type":"ping","id":{id}}}"#));
        assert_eq!(self.hear(), serde_json::json!({"type": "pong", "id": id}));
    }
}

impl Raw {
    /// Says it and hears an error with this id among the news of a search.
    pub fn refused_amid(&mut self, line: &str, id: u64) {
        self.say(line);
        assert_eq!(self.hear_until("error").pop().unwrap()["id"], id);
    }
}

/// A UCI engine as a shell script in a file of its directory: `on_uci` are its lines before `uciok`, `arms` what it
/// does on the other words. It keeps files in its directory, and writes down what it hears.
pub fn shell_engine(path: &Path, on_uci: &str, arms: &str) -> UciCommand {
    let directory = path.parent().unwrap().display();
    let text = format!(
        r#"cd '{directory}'
while read -r word rest; do
    echo "$word $rest" >> heard
    case $word in
        uci) {on_uci}; echo uciok ;;
        isready) echo readyok ;;
        {arms}
    esac
done
"#
    );
    std::fs::write(path, text).unwrap();
    format!("sh '{}'", path.display()).parse().unwrap()
}
