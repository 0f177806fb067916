//! How `torres engine` is started, and the process that runs it.

use super::Launch;
use super::address::SocketName;
use super::client::EngineClient;
use super::group::EngineGroup;
use futures_util::future::BoxFuture;
use std::path::PathBuf;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{ChildStdout, Command};
use tokio::time::timeout;

/// What `torres engine` prints before the socket's name when it can be connected to.
pub const READY: &str = "torres engine listens on ";

/// How long `torres engine` may take to listen.
const START: Duration = Duration::from_secs(10);

/// How to start `torres engine`.
#[derive(Clone, Debug)]
pub struct EngineCommand {
    /// The `torres` binary.
    pub program: PathBuf,
    /// Search threads.
    pub threads: u16,
    /// Transposition table in MiB.
    pub hash_mib: u32,
}

impl EngineCommand {
    /// The engine in a given `torres` binary, with one thread and 64 MiB.
    pub fn of(program: impl Into<PathBuf>) -> EngineCommand {
        EngineCommand {
            program: program.into(),
            threads: 1,
            hash_mib: 64,
        }
    }

    /// Starts the engine and waits until it listens.
    ///
    /// # Errors
    /// It cannot be started, or does not listen within ten seconds; with what it said last.
    pub async fn spawn(&self) -> Result<EngineProcess, String> {
        let mut command = Command::new(&self.program);
        command.args(["engine", "--until-stdin-closes", "--threads", &self.threads.to_string()]);
        command.args(["--hash", &self.hash_mib.to_string()]);
        let (mut group, stdin, stdout) = EngineGroup::spawn(&mut command)?;
        match timeout(START, read_ready(stdout)).await {
            Ok(Some((socket, stdout))) => {
                group.socket = Some(socket.clone());
                group.pipes = Some((stdin, stdout));
                Ok(EngineProcess { socket, group })
            }
            Ok(None) => Err(format!(
                "{} engine did not start: {}",
                self.program.display(),
                group.post_mortem().await
            )),
            Err(_) => Err(format!(
                "{} engine did not listen within {START:?}",
                self.program.display()
            )),
        }
    }
}

async fn read_ready(stdout: ChildStdout) -> Option<(SocketName, BufReader<ChildStdout>)> {
    let mut stdout = BufReader::new(stdout);
    let mut line = String::new();
    (&mut stdout).take(4096).read_line(&mut line).await.ok()?;
    Some((line.strip_prefix(READY)?.trim_end().parse().ok()?, stdout))
}

impl Launch for EngineCommand {
    fn launch(&mut self) -> BoxFuture<'_, Result<EngineClient, String>> {
        Box::pin(async move {
            let process = self.spawn().await?;
            let client = EngineClient::connect(process.socket()).await?;
            Ok(client.owning(process.group))
        })
    }
}

/// A running `torres engine`, killed when dropped. It also ends by itself when this process does, however that ends.
#[derive(Debug)]
pub struct EngineProcess {
    socket: SocketName,
    group: EngineGroup,
}

impl EngineProcess {
    /// Where it listens; any number of [`EngineClient`]s may connect.
    pub fn socket(&self) -> &SocketName {
        &self.socket
    }

    /// The process's id; `None` when it has ended and was waited for.
    pub fn id(&self) -> Option<u32> {
        self.group.id()
    }
}
