//! The bot's side of a conversation with an engine, whichever way its words travel.

use super::Fault;
use super::address::SocketName;
use super::framing::{LineDecoder, decode, encode};
use super::group::EngineGroup;
use super::messages::{FromEngine, Go, PROTOCOL, ToEngine};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::timeout;

/// How long an engine may take to answer `hello`.
const HELLO: Duration = Duration::from_secs(5);

/// How many messages may wait unread before the engine is no longer listened to.
const WAITING_MESSAGES: usize = 256;

/// A connection to an engine that has said hello.
///
/// Messages are sent without waiting; what comes back is taken one by one with [`receive`](Self::receive). Nothing is
/// interpreted: [`Supervisor`](super::supervisor::Supervisor) does that.
pub struct EngineClient {
    name: String,
    version: String,
    outgoing: mpsc::UnboundedSender<ToEngine>,
    incoming: mpsc::Receiver<Result<FromEngine, Fault>>,
    /// Carry the words; aborted when dropped.
    _carriers: JoinSet<()>,
    /// Killed with the connection.
    process: Option<EngineGroup>,
    can_ponder: bool,
}

impl EngineClient {
    /// Connects to an engine's socket and exchanges hellos.
    ///
    /// # Errors
    /// Nobody listens there, it does not say hello within five seconds, or it speaks another protocol.
    pub async fn connect(socket: &SocketName) -> Result<EngineClient, String> {
        let stream = socket
            .connect()
            .await
            .map_err(|error| format!("cannot connect to {socket}: {error}"))?;
        match timeout(HELLO, EngineClient::greet(stream)).await {
            Ok(client) => client.map_err(|fault| format!("{socket}: {fault}")),
            Err(_) => Err(format!("{socket} did not say hello within {HELLO:?}")),
        }
    }

    async fn greet(stream: impl AsyncRead + AsyncWrite + Send + 'static) -> Result<EngineClient, Fault> {
        let (reader, writer) = tokio::io::split(stream);
        let (outgoing, outbox) = mpsc::unbounded_channel();
        let (inbox, incoming) = mpsc::channel(WAITING_MESSAGES);
        let mut carriers = JoinSet::new();
        carriers.spawn(write_all(writer, outbox));
        carriers.spawn(read_all(reader, inbox));
        let mut client = EngineClient {
            // Known when it has said hello.
            name: String::new(),
            version: String::new(),
            outgoing,
            incoming,
            _carriers: carriers,
            process: None,
            // It belongs to the protocol.
            can_ponder: true,
        };
        client.send(ToEngine::Hello { protocol: PROTOCOL })?;
        match client.receive().await? {
            FromEngine::Hello {
                protocol: PROTOCOL,
                name,
                version,
            } => Ok(EngineClient {
                name,
                version,
                ..client
            }),
            FromEngine::Hello { protocol, .. } => Err(Fault::Babble(format!(
                "it speaks protocol {protocol}, we speak {PROTOCOL}"
            ))),
            FromEngine::Error { message, .. } => Err(Fault::Babble(message)),
            _ => Err(Fault::Babble("it did not say hello first".to_string())),
        }
    }

    /// A client whose words are carried by a task that translates them for an engine of another language; it cannot
    /// ponder unless [`pondering`](Self::pondering) says so.
    pub(super) fn translated<F>(
        name: String,
        process: EngineGroup,
        carrier: impl FnOnce(mpsc::UnboundedReceiver<ToEngine>, mpsc::Sender<Result<FromEngine, Fault>>) -> F,
    ) -> EngineClient
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let (outgoing, outbox) = mpsc::unbounded_channel();
        let (inbox, incoming) = mpsc::channel(WAITING_MESSAGES);
        let mut carriers = JoinSet::new();
        carriers.spawn(carrier(outbox, inbox));
        let version = String::new();
        EngineClient {
            name,
            version,
            outgoing,
            incoming,
            _carriers: carriers,
            process: Some(process),
            can_ponder: false,
        }
    }

    /// Notes whether the engine thinks on the opponent's time when asked to.
    pub(super) fn pondering(self, can_ponder: bool) -> EngineClient {
        EngineClient { can_ponder, ..self }
    }

    /// Ties a process to this connection: it is killed when the connection is dropped.
    pub(super) fn owning(self, process: EngineGroup) -> EngineClient {
        EngineClient {
            process: Some(process),
            ..self
        }
    }

    /// The engine's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The engine's version; empty when it tells none.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Whether the engine thinks on the opponent's time when asked to.
    pub fn can_ponder(&self) -> bool {
        self.can_ponder
    }

    /// The engine's process, if it belongs to this connection.
    pub(crate) fn process_id(&self) -> Option<u32> {
        self.process.as_ref().and_then(EngineGroup::id)
    }

    /// Ends the connection and its process; how the process ended, if it did so by itself.
    pub(super) async fn post_mortem(self) -> Option<String> {
        Some(self.process?.post_mortem().await)
    }

    /// Sends `stop` for this search when dropped, unless it is disarmed.
    pub(super) fn stop_on_drop(&self, id: u64) -> StopOnDrop {
        StopOnDrop(Some((self.outgoing.clone(), id)))
    }

    /// Sends a message, without waiting until it is gone.
    ///
    /// # Errors
    /// The connection is closed.
    pub fn send(&self, message: ToEngine) -> Result<(), Fault> {
        self.outgoing.send(message).map_err(|_| Fault::Gone)
    }

    /// Asks for a move. Its `info`s and `bestmove` (or `error`) come with [`receive`](Self::receive).
    ///
    /// # Errors
    /// The connection is closed.
    pub fn go(&self, go: Go) -> Result<(), Fault> {
        self.send(ToEngine::Go(go))
    }

    /// Asks for the answer now.
    ///
    /// # Errors
    /// The connection is closed.
    pub fn stop(&self, id: u64) -> Result<(), Fault> {
        self.send(ToEngine::Stop { id })
    }

    /// Tells that the move which was pondered on has been played: the search's limits count from now.
    ///
    /// # Errors
    /// The connection is closed.
    pub fn ponder_hit(&self, id: u64) -> Result<(), Fault> {
        self.send(ToEngine::PonderHit { id })
    }

    /// Asks for a sign of life.
    ///
    /// # Errors
    /// The connection is closed.
    pub fn ping(&self, id: u64) -> Result<(), Fault> {
        self.send(ToEngine::Ping { id })
    }

    /// The next message. Cancel-safe.
    ///
    /// # Errors
    /// [`Fault::Babble`] for a line that is no message, after which further ones may come; [`Fault::Gone`] when the
    /// connection is closed.
    pub async fn receive(&mut self) -> Result<FromEngine, Fault> {
        self.incoming.recv().await.unwrap_or(Err(Fault::Gone))
    }
}

/// See [`EngineClient::stop_on_drop`].
pub(super) struct StopOnDrop(Option<(mpsc::UnboundedSender<ToEngine>, u64)>);

impl StopOnDrop {
    /// There is nothing to stop any more.
    pub(crate) fn disarm(mut self) {
        self.0 = None;
    }
}

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        if let Some((outgoing, id)) = self.0.take() {
            // A connection that is closed needs no stop.
            outgoing.send(ToEngine::Stop { id }).ok();
        }
    }
}

/// Writes what is sent, until nobody sends or nobody reads.
async fn write_all(mut writer: impl AsyncWrite + Unpin, mut outbox: mpsc::UnboundedReceiver<ToEngine>) {
    while let Some(message) = outbox.recv().await {
        match encode(&message) {
            Ok(line) => {
                if writer.write_all(&line).await.is_err() {
                    return;
                }
            }
            // The supervisor checks the length of what can be long before it sends it.
            Err(problem) => eprintln!("torres: not sent to the engine: {problem}"),
        }
    }
}

/// Reads messages until the connection closes or nobody listens.
async fn read_all(mut reader: impl AsyncRead + Unpin, inbox: mpsc::Sender<Result<FromEngine, Fault>>) {
    let mut decoder = LineDecoder::default();
    let mut chunk = vec![0; 16 * 1024];
    loop {
        let bytes = reader.read(&mut chunk).await.unwrap_or(0);
        if bytes == 0 {
            return;
        }
        for line in decoder.feed(&chunk[..bytes]) {
            let message = decode(&line).map_err(|refusal| Fault::Babble(refusal.problem));
            if inbox.send(message).await.is_err() {
                return;
            }
        }
    }
}
