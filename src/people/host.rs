//! One game's task: it alone changes the game. A command is decided, what it changes is kept on disk, and only then is
//! anybody told.

use super::announcement::{Guest, Guests, Said, ServerName, ping_differs, thinks};
use super::change::Change;
use super::command::{Command, Refusal};
use super::game::PeopleGame;
use super::game_id::GameId;
use super::hall::{Hall, ListedGame, ListedPlayer, Wanted, control, fresh_id, kept};
use super::keeper::NotKept;
use super::person::{Owned, Person};
use super::protocol::{self, Both, Here, Presence, ShownChange, ToClient};
use super::thought::Posed;
use super::to_host::ToHost;
use axum::extract::ws::Utf8Bytes;
use futures_util::future::BoxFuture;
use shakmaty::Color;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::sync::mpsc;
use torres_chess::Side;
use torres_frame::{Timestamp, WallTime};
use torres_site::game::Ply;
use torres_site::protocol::ClockSetup;

/// How often a command is decided anew because other servers were faster.
const TRIES: usize = 5;
/// How long a flag may hang after the machine has slept.
const ASKED_EVERY: Duration = Duration::from_secs(1);
/// A game that nobody attends and whose clocks stand is put away after this time.
const IDLE: Duration = Duration::from_secs(30);
/// Whoever has missed more changes than this is shown the whole game.
const MOST_MISSED: u64 = 32;

/// A computer that thinks about what it was asked.
struct Thought {
    posed: Posed,
    answer: BoxFuture<'static, Result<Command, String>>,
}

struct Client {
    connection: u64,
    person: Person,
    ping_ms: Option<u32>,
    sender: mpsc::Sender<Utf8Bytes>,
}

/// A game and whoever attends it.
pub(super) struct Host {
    hall: Arc<Hall>,
    id: GameId,
    listed: bool,
    game: PeopleGame,
    changes: Vec<Change>,
    clients: Vec<Client>,
    shown_here: Here,
    /// Who is at the game by way of other servers.
    there: HashMap<ServerName, Guests>,
    /// What other servers know of who is here.
    announced: Guests,
    counted_as_running: bool,
    thought: Option<Thought>,
}

impl Host {
    /// Serves a game until nobody needs it. Its clock ran until the server, or one of those that share the store, was
    /// last `alive`.
    pub async fn serve(hall: Arc<Hall>, id: GameId, alive: Option<WallTime>, mut inbox: mpsc::Receiver<ToHost>) {
        match Host::load(Arc::clone(&hall), id.clone(), alive).await {
            Ok(host) => host.run(inbox).await,
            Err(why) => {
                // Whoever came is told; whoever comes later asks anew.
                while !hall.dismiss(&id, &mut inbox) {
                    if let Ok(ToHost::Arrive { client, .. }) = inbox.try_recv() {
                        tell(&client, &ToClient::Error { message: why.clone() });
                    }
                }
            }
        }
    }

    async fn load(hall: Arc<Hall>, id: GameId, alive: Option<WallTime>) -> Result<Host, String> {
        let kept = hall.store().people_game(id.as_str()).await;
        let kept = kept
            .map_err(|error| error.to_string())?
            .ok_or("there is no such game")?;
        let broken = |what: String| format!("what is kept of this game cannot be read: {what}");
        let start = torres_chess::parse_fen(&kept.made.start_fen).map_err(broken)?;
        let control = kept.made.clock_ms.map(control);
        let read = kept.changes.iter().map(|(_, change)| serde_json::from_str(change));
        let changes: Vec<Change> = read.collect::<Result<_, _>>().map_err(|e| broken(e.to_string()))?;
        // A clock ran until the server was last alive, and stood from then on.
        let last = kept.changes.last().map_or(WallTime::from_ms(0.0), |(at, _)| *at);
        let ran = alive.map_or(Duration::ZERO, |alive| alive.since(last));
        let now = Timestamp::now();
        let game = PeopleGame::restored(start, control, &changes, Timestamp(now.0.saturating_sub(ran)));
        let mut game = game.map_err(|seq| broken(format!("change {seq}")))?;
        for color in Color::ALL {
            game.arrive(color);
            game.depart(color, now);
        }
        Ok(Host {
            hall,
            id,
            listed: kept.made.listed,
            game,
            changes,
            clients: Vec::new(),
            shown_here: Here::default(),
            there: HashMap::new(),
            announced: Guests::default(),
            counted_as_running: false,
            thought: None,
        })
    }

    async fn run(mut self, mut inbox: mpsc::Receiver<ToHost>) {
        let game = Some(self.id.clone());
        self.hall.announce(Said::WhoIsAt { game });
        self.count_and_list();
        loop {
            self.ask_computer();
            let due = self.game.due();
            let idle = self.clients.is_empty() && self.there.is_empty() && due.is_none() && self.thought.is_none();
            tokio::select! {
                said = inbox.recv() => match said {
                    Some(said) => self.hear(said).await,
                    None => return,
                },
                () = until(due) => self.pass().await,
                answer = answer(&mut self.thought) => self.answered(answer).await,
                () = tokio::time::sleep(IDLE), if idle => {
                    if self.hall.dismiss(&self.id, &mut inbox) {
                        return;
                    }
                }
            }
            self.count_and_list();
        }
    }

    /// Asks the computer that has something to say; one that no longer has is not listened to.
    fn ask_computer(&mut self) {
        let thinks = !self.hall.is_shared() || thinks(self.hall.name(), self.is_owner_here(), &self.there);
        let posed = Posed::of(&self.game).filter(|_| thinks);
        if self.thought.as_ref().map(|thought| thought.posed) == posed {
            return;
        }
        self.thought = posed.map(|posed| Thought {
            posed,
            answer: posed.ask(&self.game, &self.id, &self.hall.computers),
        });
    }

    fn is_owner_here(&self) -> bool {
        let mut here = self.clients.iter();
        here.any(|client| self.game.is_owner(&client.person.id))
    }

    /// Does what a computer says. Where it says nothing the game is paused: its owner may try again.
    async fn answered(&mut self, answer: Result<Command, String>) {
        let Some(thought) = self.thought.take() else { return };
        let Some(person) = self.game.seats()[thought.posed.color].clone() else {
            return;
        };
        match answer {
            Ok(command) => {
                if self.obey(&person, &command).await == Err(Refusal::NotKept) {
                    // The disk is full: it is asked again.
                    tokio::time::sleep(ASKED_EVERY).await;
                }
            }
            Err(why) => {
                let message = format!("{} does not answer: {why}", person.name);
                for client in &self.clients {
                    let message = message.clone();
                    tell(&client.sender, &ToClient::Error { message });
                }
                let now = Timestamp::now();
                let times = self.game.times(now);
                if self.keep(vec![Change::Paused { times }], now).await.is_err() {
                    tokio::time::sleep(ASKED_EVERY).await;
                }
            }
        }
    }

    async fn hear(&mut self, said: ToHost) {
        match said {
            ToHost::Arrive {
                connection,
                person,
                seen,
                client,
            } => {
                self.clients.push(Client {
                    connection,
                    person,
                    ping_ms: None,
                    sender: client,
                });
                self.meet();
                self.show(self.clients.len() - 1, seen);
            }
            ToHost::Command {
                connection,
                id,
                command,
            } => self.answer(connection, id, &command).await,
            ToHost::Pinged { connection, ms } => {
                if let Some(client) = self.clients.iter_mut().find(|client| client.connection == connection) {
                    client.ping_ms = Some(ms);
                }
                self.meet();
            }
            ToHost::Gone { connection } => {
                self.clients.retain(|client| client.connection != connection);
                self.meet();
            }
            ToHost::ChangedElsewhere { live } => self.catch_up(live).await,
            ToHost::There { server, guests } => {
                match guests.is_nobody() {
                    true => self.there.remove(&server),
                    false => self.there.insert(server, guests),
                };
                self.meet();
            }
            ToHost::Announce => self.announce(),
        }
    }

    /// Obeys a command, or refuses it, and says so to the client that gave it.
    async fn answer(&mut self, connection: u64, id: u32, command: &Command) {
        let is_its = |client: &&Client| client.connection == connection;
        let Some(person) = self.clients.iter().find(is_its).map(|client| client.person.clone()) else {
            return;
        };
        let answer = match self.obey(&person, command).await {
            Ok(()) => ToClient::Ack {
                id,
                seq: self.game.seq(),
            },
            Err(reason) => ToClient::Refused {
                id,
                reason,
                message: reason.to_string(),
            },
        };
        if let Some(client) = self.clients.iter().find(is_its) {
            tell(&client.sender, &answer);
        }
    }

    async fn obey(&mut self, person: &Person, command: &Command) -> Result<(), Refusal> {
        for _ in 0..TRIES {
            self.pass().await;
            let now = Timestamp::now();
            let fresh = fresh_id().map_err(|_| Refusal::NotKept)?;
            let changes = self.game.decide(person, command, now, &fresh)?;
            if changes.iter().any(|change| matches!(change, Change::Rematch { .. })) {
                let made = self.make_rematch(&fresh).await;
                made.map_err(|_| Refusal::NotKept)?;
            }
            match self.keep(changes, now).await {
                Ok(()) => return Ok(()),
                Err(NotKept::Failed) => break,
                // Another server was faster: what it did comes first.
                Err(NotKept::Taken) => self.catch_up(true).await,
            }
        }
        Err(Refusal::NotKept)
    }

    /// Lets happen what happens by itself.
    async fn pass(&mut self) {
        let now = Timestamp::now();
        let Some(change) = self.game.passed(now) else { return };
        match self.keep(vec![change], now).await {
            Ok(()) => {}
            Err(NotKept::Taken) => self.catch_up(true).await,
            // The disk is full: the flag hangs until it is not.
            Err(NotKept::Failed) => tokio::time::sleep(ASKED_EVERY).await,
        }
    }

    /// Takes in what other servers have kept of this game.
    async fn catch_up(&mut self, live: bool) {
        let missed = self.hall.store().changes_after(self.id.as_str(), self.game.seq()).await;
        let missed = match missed {
            Ok(missed) => missed,
            Err(error) => {
                tracing::error!(game = %self.id, "{error}");
                return tokio::time::sleep(ASKED_EVERY).await;
            }
        };
        let now = Timestamp::now();
        let ago = |at: WallTime| match live {
            true => Duration::ZERO,
            false => WallTime::now().since(at),
        };
        let mut changes = Vec::new();
        for (at, change) in missed {
            match serde_json::from_str(&change) {
                Ok(change) => changes.push((change, Timestamp(now.0.saturating_sub(ago(at))))),
                Err(error) => {
                    tracing::error!(game = %self.id, "a change cannot be read: {error}");
                    break;
                }
            }
        }
        self.take_in(changes);
    }

    /// The next game of the same two, colours swapped.
    async fn make_rematch(&mut self, id: &GameId) -> Result<(), NotKept> {
        let wanted = Wanted {
            color: None,
            control: self.game.control(),
            listed: self.listed,
            start: self.game.game().start().clone(),
            moves: Vec::new(),
            owned: self.game.owned().map(|owned| Owned {
                before: 0,
                ..owned.clone()
            }),
        };
        let seated = |color: Color| Some((color.other(), self.game.seats()[color].clone()?));
        let players = Color::ALL.into_iter().filter_map(seated).collect();
        self.hall.make_rematch(id, &wanted, players).await
    }

    /// Keeps changes, takes them in, and tells everybody.
    async fn keep(&mut self, changes: Vec<Change>, now: Timestamp) -> Result<(), NotKept> {
        let numbered = changes.iter().zip(self.game.seq() + 1..);
        let rows = numbered.map(|(change, seq)| kept(&self.id, seq, change)).collect();
        self.hall.keeper.keep(None, rows).await?;
        self.take_in(changes.into_iter().map(|change| (change, now)).collect());
        Ok(())
    }

    /// Takes changes in that are kept, each at its time, and tells everybody.
    fn take_in(&mut self, changes: Vec<(Change, Timestamp)>) {
        let count = changes.len();
        for (index, (change, at)) in changes.into_iter().enumerate() {
            if !self.game.apply(&change, at) {
                tracing::error!(game = %self.id, "a change does not fit: {change:?}");
                break;
            }
            let last = index + 1 == count;
            let seats = matches!(change, Change::Joined { .. } | Change::Replaced { .. });
            let ply = self.game.game().plies().last();
            let ply = ply.filter(|_| matches!(change, Change::Moved { .. }));
            let state = last.then(|| protocol::now(&self.game, Timestamp::now()));
            let message = ToClient::Change {
                seq: self.game.seq(),
                change: ShownChange::of(&change, ply),
                now: state.as_ref(),
            };
            let text = text(&message);
            self.clients
                .retain(|client| client.sender.try_send(text.clone()).is_ok());
            if seats {
                self.tell_seats();
            }
            self.changes.push(change);
        }
        self.meet();
    }

    /// Tells each client which seat it has.
    fn tell_seats(&self) {
        for client in &self.clients {
            let seat = self.game.seat_of(&client.person.id).map(Side::from);
            tell(&client.sender, &ToClient::You { seat });
        }
    }

    /// Shows a client what it has not seen.
    fn show(&self, index: usize, seen: u64) {
        let client = &self.clients[index];
        let seat = self.game.seat_of(&client.person.id).map(Side::from);
        let now = protocol::now(&self.game, Timestamp::now());
        let missed = self
            .game
            .seq()
            .checked_sub(seen)
            .filter(|&missed| missed <= MOST_MISSED);
        let Some(_) = missed.filter(|_| seen > 0) else {
            let shown = protocol::Shown {
                id: &self.id,
                seq: self.game.seq(),
                you: seat,
                owner: self.game.is_owner(&client.person.id),
                natural: self.game.owned().map(|owned| owned.natural),
                before: self.game.owned().map_or(0, |owned| owned.before),
                clock: self.game.control().map(ClockSetup::from),
                start_fen: torres_chess::fen(self.game.game().start()),
                moves: protocol::moves(self.game.game()),
                now,
                here: self.shown_here,
            };
            tell(&client.sender, &ToClient::Game(Box::new(shown)));
            return;
        };
        tell(&client.sender, &ToClient::You { seat });
        let plies = self.standing_plies();
        let missed = self
            .changes
            .iter()
            .zip(1..)
            .skip(usize::try_from(seen).unwrap_or(usize::MAX));
        for (change, seq) in missed {
            let message = ToClient::Change {
                seq,
                change: ShownChange::of(change, plies.get(seq as usize - 1).copied().flatten()),
                now: (seq == self.game.seq()).then_some(&now),
            };
            tell(&client.sender, &message);
        }
        tell(&client.sender, &ToClient::Here(self.shown_here));
    }

    /// For each change its ply, where it is a move that was not taken back.
    fn standing_plies(&self) -> Vec<Option<&Ply>> {
        let mut standing = Vec::new();
        for (index, change) in self.changes.iter().enumerate() {
            match change {
                Change::Moved { .. } => standing.push(index),
                Change::TookBack { plies, .. } => standing.truncate(standing.len().saturating_sub(*plies)),
                _ => {}
            }
        }
        let mut plies = vec![None; self.changes.len()];
        for (index, ply) in standing.into_iter().zip(self.game.game().plies()) {
            plies[index] = Some(ply);
        }
        plies
    }

    /// Sees who is there, and tells everybody if that has changed.
    fn meet(&mut self) {
        let now = Timestamp::now();
        for color in Color::ALL {
            let there = self.there.values().any(|guests| guests.player(color).is_some());
            let here = there || self.game.computer(color).is_some() || self.clients_of(color).next().is_some();
            match here {
                true => self.game.arrive(color),
                false => self.game.depart(color, now),
            }
        }
        match self.is_owner_here() || self.there.values().any(|guests| guests.owner) {
            true => self.game.owner_arrives(),
            false => self.game.owner_departs(now),
        }
        let presence = |color| Presence {
            here: self.game.away_since(color).is_none(),
            away_ms: self.game.away_since(color).map(|since| ms(now.since(since))),
            ping_ms: self.ping_of(color).or_else(|| {
                let there = self.there.values().filter_map(|guests| guests.player(color));
                there.filter_map(|guest| guest.ping_ms).min()
            }),
        };
        let players = Both {
            white: presence(Color::White),
            black: presence(Color::Black),
        };
        let there: usize = self.there.values().map(|guests| guests.watchers).sum();
        let watchers = self.watchers() + there;
        let here = Here { players, watchers };
        if differs(&self.shown_here, &here) {
            self.shown_here = here;
            let text = text(&ToClient::Here(here));
            self.clients
                .retain(|client| client.sender.try_send(text.clone()).is_ok());
        }
        self.meet_others();
    }

    /// Lets other servers know who is here, if that has changed.
    fn meet_others(&mut self) {
        let guests = self.guests();
        if self.hall.is_shared() && guests.differ(&self.announced) {
            self.announce();
        }
    }

    fn announce(&mut self) {
        self.announced = self.guests();
        self.hall.announce(Said::Here {
            game: self.id.clone(),
            listed: self.listed && self.game.end().is_none(),
            guests: self.announced,
        });
    }

    /// Who is at the game by way of this server.
    fn guests(&self) -> Guests {
        let guest = |color| {
            let ping_ms = self.ping_of(color);
            self.clients_of(color).next().map(|_| Guest { ping_ms })
        };
        Guests {
            white: guest(Color::White),
            black: guest(Color::Black),
            watchers: self.watchers(),
            owner: self.is_owner_here(),
        }
    }

    fn watchers(&self) -> usize {
        let watches = |client: &&Client| self.game.seat_of(&client.person.id).is_none();
        self.clients.iter().filter(watches).count()
    }

    fn ping_of(&self, color: Color) -> Option<u32> {
        self.clients_of(color).filter_map(|client| client.ping_ms).min()
    }

    fn clients_of(&self, color: Color) -> impl Iterator<Item = &Client> {
        let owner = self.game.seats()[color].as_ref().map(|person| &person.id);
        self.clients
            .iter()
            .filter(move |client| owner == Some(&client.person.id))
    }

    /// Keeps the hall's count of running clocks and its list up to date.
    fn count_and_list(&mut self) {
        let running = self.game.due().is_some();
        if running != self.counted_as_running {
            self.counted_as_running = running;
            let count = &self.hall.keeper.running;
            match running {
                true => count.fetch_add(1, Ordering::Relaxed),
                false => count.fetch_sub(1, Ordering::Relaxed),
            };
        }
        if self.listed {
            let listed = self.listing();
            self.hall.set_listed(&self.id, listed);
        }
    }

    /// The game as it stands in the list: while it goes on, and one of its players is there.
    fn listing(&self) -> Option<ListedGame> {
        let here = Color::ALL
            .into_iter()
            .any(|color| self.game.away_since(color).is_none());
        let named = |color: Color| self.game.seats()[color].as_ref().map(ListedPlayer::from);
        (self.game.end().is_none() && here).then(|| ListedGame {
            id: self.id.clone(),
            white: named(Color::White),
            black: named(Color::Black),
            clock: self.game.control().map(|control| control.to_string()),
        })
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        if self.counted_as_running {
            self.hall.keeper.running.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// Whether it is worth telling: somebody came or went, or a way has become a good deal longer or shorter.
fn differs(shown: &Here, now: &Here) -> bool {
    let changed = |a: Presence, b: Presence| a.here != b.here || ping_differs(a.ping_ms, b.ping_ms);
    changed(shown.players.white, now.players.white)
        || changed(shown.players.black, now.players.black)
        || shown.watchers != now.watchers
}

fn ms(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A message as it is sent.
pub(super) fn text(message: &ToClient<'_>) -> Utf8Bytes {
    serde_json::to_string(message).unwrap_or_default().into()
}

/// Sends to a client; one that reads too slowly finds out by its number what it missed.
fn tell(client: &mpsc::Sender<Utf8Bytes>, message: &ToClient<'_>) {
    let _ = client.try_send(text(message));
}

/// What a computer answers, once it does.
async fn answer(thought: &mut Option<Thought>) -> Result<Command, String> {
    match thought {
        Some(thought) => (&mut thought.answer).await,
        None => std::future::pending().await,
    }
}

async fn until(due: Option<Timestamp>) {
    match due {
        Some(due) => tokio::time::sleep(due.since(Timestamp::now()).min(ASKED_EVERY)).await,
        None => std::future::pending().await,
    }
}
