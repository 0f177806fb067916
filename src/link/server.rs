//! The engine's side of the socket: many connections, each with a session and a search thread of its own.

use super::conversation::{Conversation, Reaction};
use super::framing::{LineDecoder, encode};
use super::messages::{BestMove, FromEngine, Go, Info};
use interprocess::local_socket::tokio::{Listener, Stream, prelude::*};
use std::future::Future;
use std::sync::Arc;
use std::sync::mpsc as blocking;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;

/// How many connections are served at a time; each may hold a transposition table.
const MAX_CONNECTIONS: usize = 64;

/// How many reports of a search may wait for a slow reader before further ones are left out.
const WAITING_EVENTS: usize = 64;

/// The control of a running search. Cloning shares it.
pub trait Control: Clone + Default + Send + 'static {
    /// Answer now; also heard when the search has not begun yet.
    fn stop(&self);
    /// The pondered move was played: the limits count from now.
    fn ponder_hit(&self);
}

/// What plays behind one connection. It is made and used on a thread of its own, when it is first needed.
pub trait Session: 'static {
    /// How its searches are told to end; a new one for each search.
    type Control: Control;

    /// Forgets what was learned of the last game.
    fn new_game(&mut self);

    /// Searches and returns the answer; `report` hears how it goes.
    ///
    /// With `go.infinite` it returns only after `stop`, with `go.ponder` only after `ponder_hit` or `stop`.
    ///
    /// # Errors
    /// What is wrong with the request, such as a position that is none.
    fn search(&mut self, go: &Go, control: &Self::Control, report: &mut dyn FnMut(Info)) -> Result<BestMove, String>;
}

/// The name and version that the engine's hello tells.
#[derive(Clone, Debug)]
pub struct Identity {
    /// The engine's name.
    pub name: String,
    /// The engine's version.
    pub version: String,
}

/// Serves connections until `end` resolves; then searches are stopped, connections closed and the socket removed.
///
/// `open` makes the session of a connection, on that connection's search thread.
pub async fn serve<S: Session>(
    listener: Listener,
    identity: Identity,
    open: impl Fn() -> S + Send + Sync + 'static,
    end: impl Future<Output = ()>,
) {
    let open = Arc::new(open);
    let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    // Dropped at the end of this function, and every connection with it.
    let mut connections = JoinSet::new();
    tokio::pin!(end);
    loop {
        let stream = tokio::select! {
            () = &mut end => return,
            Some(_) = connections.join_next() => continue,
            accepted = listener.accept() => match accepted {
                Ok(stream) => stream,
                Err(error) => {
                    // Out of file handles, say: those that are served go on, and some will end.
                    eprintln!("torres: a connection could not be accepted: {error}");
                    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
                    continue;
                }
            },
        };
        let place = places.clone().try_acquire_owned();
        let (identity, open) = (identity.clone(), open.clone());
        connections.spawn(async move {
            match place {
                Ok(_place) => converse(stream, &identity, open).await,
                Err(_) => turn_away(stream).await,
            }
        });
    }
}

async fn turn_away(mut stream: Stream) {
    let message = format!("{MAX_CONNECTIONS} connections are open already; close one");
    if let Ok(line) = encode(&FromEngine::Error { id: None, message }) {
        // They may be gone already.
        stream.write_all(&line).await.ok();
    }
}

/// Serves one connection to its end: when the other side closes it or cannot be written to.
async fn converse<S: Session>(
    stream: impl AsyncRead + AsyncWrite,
    identity: &Identity,
    open: Arc<impl Fn() -> S + Send + Sync + 'static>,
) {
    let (mut reader, mut writer) = tokio::io::split(stream);
    let mut conversation = Conversation::new(&identity.name, &identity.version);
    let mut decoder = LineDecoder::default();
    let (mut searcher, mut events) = Searcher::start(open);
    let mut chunk = vec![0; 16 * 1024];
    let mut hears = true;
    // When the other side has said its last word, an answer that is owed is still given, at once.
    while hears || conversation.is_searching() {
        let mut replies = Vec::new();
        tokio::select! {
            read = reader.read(&mut chunk), if hears => {
                let bytes = read.unwrap_or(0);
                if bytes == 0 {
                    hears = false;
                    searcher.control.stop();
                }
                for line in decoder.feed(&chunk[..bytes]) {
                    match conversation.hear(&line) {
                        Reaction::Say(message) => replies.push(message),
                        Reaction::NewGame => searcher.new_game(),
                        Reaction::Search(go) => searcher.search(go),
                        Reaction::PonderHit => searcher.control.ponder_hit(),
                        Reaction::Stop => searcher.control.stop(),
                        Reaction::Nothing => {}
                    }
                }
            }
            event = events.recv() => match event {
                Some(Event::Info(info)) => replies.push(FromEngine::Info(info)),
                Some(Event::Answer(answer)) => replies.push(conversation.answered(answer)),
                Some(Event::Refused(id, why)) => replies.push(conversation.refused(id, why)),
                // The session panicked. Closing tells the other side to start a new engine.
                None => return,
            },
        }
        for reply in &replies {
            let Ok(line) = encode(reply) else { continue };
            if writer.write_all(&line).await.is_err() {
                return;
            }
        }
    }
    // The connection is over in any case.
    writer.shutdown().await.ok();
}

/// What comes from the search thread.
enum Event {
    Info(Info),
    Answer(BestMove),
    Refused(u64, String),
}

/// What goes to the search thread.
enum Order<C> {
    NewGame,
    Search(Go, C),
}

/// The connection's hold on its search thread. Dropping it ends both search and thread.
struct Searcher<C: Control> {
    orders: blocking::Sender<Order<C>>,
    /// Of the last search.
    control: C,
}

impl<C: Control> Searcher<C> {
    fn start<S: Session<Control = C>>(
        open: Arc<impl Fn() -> S + Send + Sync + 'static>,
    ) -> (Searcher<C>, mpsc::Receiver<Event>) {
        let (orders, inbox) = blocking::channel();
        let (outbox, events) = mpsc::channel(WAITING_EVENTS);
        std::thread::spawn(move || {
            let mut session = None;
            for order in inbox {
                let session = session.get_or_insert_with(|| open());
                let event = match order {
                    Order::NewGame => {
                        session.new_game();
                        continue;
                    }
                    Order::Search(go, control) => {
                        // A reader that is too slow misses some reports, never the answer.
                        let mut report = |info| drop(outbox.try_send(Event::Info(info)));
                        match session.search(&go, &control, &mut report) {
                            Ok(answer) => Event::Answer(BestMove { id: go.id, ..answer }),
                            Err(why) => Event::Refused(go.id, why),
                        }
                    }
                };
                if outbox.blocking_send(event).is_err() {
                    return;
                }
            }
        });
        (
            Searcher {
                orders,
                control: C::default(),
            },
            events,
        )
    }

    fn new_game(&self) {
        self.send(Order::NewGame);
    }

    fn search(&mut self, go: Go) {
        self.control = C::default();
        self.send(Order::Search(go, self.control.clone()));
    }

    fn send(&self, order: Order<C>) {
        // A thread that is gone shows as the end of its events.
        self.orders.send(order).ok();
    }
}

impl<C: Control> Drop for Searcher<C> {
    fn drop(&mut self) {
        self.control.stop();
    }
}

#[cfg(test)]
mod tests {
    use super::super::framing::decode;
    use super::super::messages::Score;
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;
    use tokio::io::{DuplexStream, duplex};
    use tokio::time::timeout;

    #[derive(Clone, Default)]
    struct Flag(Arc<AtomicBool>);

    impl Control for Flag {
        fn stop(&self) {
            self.0.store(true, Ordering::Relaxed);
        }
        fn ponder_hit(&self) {}
    }

    /// Reports as often as the depth asked for, then answers; panics at depth 0.
    struct Fake;

    impl Session for Fake {
        type Control = Flag;
        fn new_game(&mut self) {}
        fn search(&mut self, go: &Go, _: &Flag, report: &mut dyn FnMut(Info)) -> Result<BestMove, String> {
            let depth = go.limits.depth.unwrap_or(0);
            assert!(depth > 0, "a bug in the engine");
            let (id, score, pv) = (go.id, Score::Cp(0), vec!["e2e4".to_string(); 100]);
            for depth in 1..=depth {
                report(Info {
                    id,
                    depth,
                    score,
                    nodes: 0,
                    nps: 0,
                    pv: pv.clone(),
                });
            }
            Ok(BestMove {
                id: 0,
                best: None,
                ponder: None,
                fen: String::new(),
            })
        }
    }

    fn connect() -> DuplexStream {
        let (ours, theirs) = duplex(4096);
        tokio::spawn(async move {
            let identity = Identity {
                name: "fake".into(),
                version: "0".into(),
            };
            converse(theirs, &identity, Arc::new(|| Fake)).await;
        });
        ours
    }

    /// Everything that is heard until the connection closes or this is the last message.
    async fn hear(stream: &mut DuplexStream, until: impl Fn(&FromEngine) -> bool) -> Vec<FromEngine> {
        let mut decoder = LineDecoder::default();
        let mut heard = Vec::new();
        let mut chunk = [0; 1000];
        loop {
            let read = timeout(Duration::from_secs(30), stream.read(&mut chunk))
                .await
                .expect("something is heard");
            let bytes = read.unwrap();
            heard.extend(decoder.feed(&chunk[..bytes]).iter().map(|line| decode(line).unwrap()));
            if bytes == 0 || heard.last().is_some_and(&until) {
                return heard;
            }
        }
    }

    const HELLO: &str = r#"{"type":"hello","protocol":1}"#;

    #[tokio::test]
    async fn a_slow_reader_misses_reports_and_never_the_answer() {
        let mut stream = connect();
        let go = r#"{"type":"go","id":7,"fen":"x","limits":{"depth":10000}}"#;
        stream.write_all(format!("{HELLO}\n{go}\n").as_bytes()).await.unwrap();
        let heard = hear(&mut stream, |message| matches!(message, FromEngine::BestMove(_))).await;
        assert!(
            matches!(heard.last(), Some(FromEngine::BestMove(BestMove { id: 7, .. }))),
            "under the asked id"
        );
        assert!(heard.len() < 9_000, "{} lines waited for a reader", heard.len());
    }

    #[tokio::test]
    async fn a_session_that_panics_closes_its_connection() {
        let mut stream = connect();
        stream
            .write_all(format!("{HELLO}\n{{\"type\":\"go\",\"id\":7,\"fen\":\"x\"}}\n").as_bytes())
            .await
            .unwrap();
        let heard = hear(&mut stream, |_| false).await;
        assert!(matches!(heard[..], [FromEngine::Hello { .. }]), "{heard:?}");
    }
}
