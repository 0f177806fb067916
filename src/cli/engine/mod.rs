//! `torres engine`.

mod socket;

use super::{CliError, CliResult, Exit, args, runtime};
use socket::{EngineSession, identity};
use std::io::{Read, Write};
use tokio::sync::oneshot;
use torres_link::address::SocketName;
use torres_link::process::READY;
use torres_link::server::serve;

/// Arguments of `torres engine`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The socket's name or path; without it a free one is chosen. It is printed once it can be connected to.
    #[arg(long)]
    pub socket: Option<String>,
    /// Search threads of each connection.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
    /// Transposition table of each connection, in MiB.
    #[arg(long, default_value_t = 64, value_name = "MIB", value_parser = args::hash_mib)]
    pub hash: u32,
    /// End when standard input closes: this process then never outlives the one that started it.
    #[arg(long, hide = true)]
    pub until_stdin_closes: bool,
}

/// Serve the engine on a local socket.
pub(crate) fn run(args: Args) -> CliResult {
    let name = match &args.socket {
        Some(text) => text
            .parse()
            .map_err(|error| CliError::usage(format!("--socket: {error}")))?,
        None => SocketName::unused().map_err(CliError::failed)?,
    };
    let (hash_mib, threads) = (args.hash as usize, usize::from(args.threads));
    runtime()?.block_on(async move {
        let listener = name
            .listen()
            .await
            .map_err(|error| CliError::failed(format!("cannot listen on {name}: {error}")))?;
        let end = end_signal(args.until_stdin_closes)
            .map_err(|error| CliError::failed(format!("cannot listen to signals: {error}")))?;
        // Nobody may be reading; the socket is there all the same.
        let mut stdout = std::io::stdout();
        writeln!(stdout, "{READY}{name}").and_then(|()| stdout.flush()).ok();
        serve(listener, identity(), move || EngineSession::new(hash_mib, threads), end).await;
        Ok(Exit::Done)
    })
}

/// Resolves when the process should end: on Ctrl-C, on the system's polite signals, or when standard input closes.
fn end_signal(until_stdin_closes: bool) -> std::io::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    let (mut terminate, mut interrupt, mut hangup) = {
        use tokio::signal::unix::{SignalKind, signal};
        // A process stopped by SIGSTOP whose parent dies gets SIGHUP and goes on: that ends it, too.
        (
            signal(SignalKind::terminate())?,
            signal(SignalKind::interrupt())?,
            signal(SignalKind::hangup())?,
        )
    };
    let (closed, stdin_closed) = oneshot::channel();
    let mut unused = Some(closed);
    if let Some(closed) = unused.take_if(|_| until_stdin_closes) {
        // A thread of its own: the runtime could not end while a read of its own waits.
        std::thread::spawn(move || {
            let mut sink = [0; 256];
            while matches!(std::io::stdin().read(&mut sink), Ok(bytes) if bytes > 0) {}
            closed.send(()).ok();
        });
    }
    Ok(async move {
        // While it is held, `stdin_closed` waits.
        let _unused = unused;
        #[cfg(unix)]
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
            _ = hangup.recv() => {}
            _ = stdin_closed => {}
        }
        #[cfg(not(unix))]
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = stdin_closed => {}
        }
    })
}
