//! The hall: what all games of this server share, and the list from which they are joined. Each game has a task of its
//! own ([`host`](super::host)), which is started when somebody comes ([`attendance`](super::attendance)) and ends when
//! nobody is there and no clock runs.

use super::announcement::{Announcement, Said, ServerName};
use super::change::Change;
use super::computers::Computers;
use super::game_id::GameId;
use super::keeper::{Keeper, NotKept};
use super::person::{Owned, Person};
use super::to_host::ToHost;
use serde::Serialize;
use shakmaty::{Chess, Color};
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;
use torres_chess::Side;
use torres_chess::TimeControl;
use torres_frame::WallTime;
use torres_store::{KeptChange, MadeGame, Store, StoreError};

/// Messages that may wait for a game before a client has to.
const QUEUE: usize = 32;
/// The longest time or increment of a game.
const LONGEST_CLOCK: Duration = Duration::from_secs(24 * 3600);
/// The name of a server that shares its store with no other.
const ALONE: &str = "one";
/// How long those who are there may take to let go when the server ends.
const GOODBYE: Duration = Duration::from_secs(2);
/// Games in a list at most.
const LISTED: usize = 100;

/// A game that somebody wants to make.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The colour of whoever makes it; `None` leaves it to chance.
    pub color: Option<Color>,
    /// How it is timed; `None` without clocks.
    pub control: Option<TimeControl>,
    /// Whether it stands in the list; else it is known by its address alone.
    pub listed: bool,
    /// Where it starts.
    pub start: Chess,
    /// The moves that were played before anybody sat down, UCI.
    pub moves: Vec<String>,
    /// What it has beside others, where a computer may play in it.
    pub owned: Option<Owned>,
}

/// A player of a game in the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "(String, bool, bool)")]
pub struct ListedPlayer {
    /// Their name.
    pub name: String,
    /// Whether a program plays for them.
    pub program: bool,
    /// Whether the name is no account's.
    pub guest: bool,
}

impl From<ListedPlayer> for (String, bool, bool) {
    fn from(player: ListedPlayer) -> (String, bool, bool) {
        (player.name, player.program, player.guest)
    }
}

impl From<&Person> for ListedPlayer {
    fn from(person: &Person) -> ListedPlayer {
        ListedPlayer {
            name: person.name.clone(),
            program: person.program,
            guest: person.guest,
        }
    }
}

/// A game in the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ListedGame {
    /// Its id.
    pub id: GameId,
    /// White's player; `None` for a free seat.
    pub white: Option<ListedPlayer>,
    /// Black's.
    pub black: Option<ListedPlayer>,
    /// Such as `15+10`; `None` without clocks.
    pub clock: Option<String>,
}

impl ListedGame {
    /// The seat that is free.
    pub fn free(&self) -> Option<Side> {
        match (&self.white, &self.black) {
            (None, Some(_)) => Some(Side::White),
            (Some(_), None) => Some(Side::Black),
            _ => None,
        }
    }
}

/// Why a game cannot be made or attended.
#[derive(Debug, thiserror::Error)]
pub enum HallError {
    /// No clock runs so long.
    #[error("a clock of {0} cannot be played; choose up to 24 hours, and some time for the first move")]
    Clock(TimeControl),
    /// What was to be kept could not be.
    #[error("the server could not write the game down; try again")]
    NotKept,
    /// There is no randomness on this machine.
    #[error("this machine gives no random numbers: {0}")]
    Random(#[from] getrandom::Error),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// All games on this server.
pub struct Hall {
    /// The server's name among those that share the store.
    name: ServerName,
    store: Store,
    pub(super) keeper: Keeper,
    pub(super) computers: Computers,
    /// When the server that was here before was last alive.
    before: Option<WallTime>,
    games: Mutex<HashMap<GameId, mpsc::Sender<ToHost>>>,
    list: Mutex<BTreeMap<GameId, ListedGame>>,
    listed: watch::Sender<()>,
    connections: AtomicU64,
    /// The way to other servers.
    to_others: Option<mpsc::UnboundedSender<String>>,
    stopping: watch::Sender<bool>,
}

impl Hall {
    /// A hall of which nobody has heard yet. Where it `shares` its store with other servers it has a name of its own.
    pub(super) async fn new(store: Store, computers: Computers, shares: bool) -> Result<Hall, HallError> {
        let before = store.last_alive().await?;
        let name = match shares {
            true => fresh_id()?.to_string(),
            false => ALONE.to_owned(),
        };
        Ok(Hall {
            keeper: Keeper::start(store.clone(), name.clone()),
            to_others: shares.then(|| announce_from(store.clone())),
            name,
            store,
            computers,
            before,
            games: Mutex::default(),
            list: Mutex::default(),
            listed: watch::channel(()).0,
            connections: AtomicU64::new(0),
            stopping: watch::channel(false).0,
        })
    }

    /// Ends the hall: whoever is there is told, and what happened is kept.
    pub async fn close(&self) {
        self.stopping.send_replace(true);
        if timeout(GOODBYE, self.stopping.closed()).await.is_err() {
            tracing::warn!("somebody did not let go in time");
        }
        // What waits to be kept is kept before this.
        let _ = self.keeper.keep(None, Vec::new()).await;
        self.announce(Said::Gone);
        if let Err(error) = self.store.keep_alive(&self.name, WallTime::now()).await {
            tracing::error!("{error}");
        }
    }

    /// Becomes true when the hall ends; it waits for whoever has this.
    pub(super) fn stopping(&self) -> watch::Receiver<bool> {
        self.stopping.subscribe()
    }

    /// The server's name among those that share the store.
    pub(super) fn name(&self) -> &ServerName {
        &self.name
    }

    /// Whether other servers lead the same games.
    pub(super) fn is_shared(&self) -> bool {
        self.to_others.is_some()
    }

    /// Tells other servers, where there are any.
    pub(super) fn announce(&self, said: Said) {
        if let Some(others) = &self.to_others {
            // Nobody listens at the end.
            let _ = others.send(Announcement::text(&self.name, said));
        }
    }

    /// The way to a game's task, if it runs.
    pub(super) fn host(&self, id: &GameId) -> Option<mpsc::Sender<ToHost>> {
        lock(&self.games).get(id).filter(|host| !host.is_closed()).cloned()
    }

    /// The way to a game's task, and where it does not run the inbox with which it is to be started.
    pub(super) fn host_or_inbox(&self, id: &GameId) -> (mpsc::Sender<ToHost>, Option<mpsc::Receiver<ToHost>>) {
        let mut games = lock(&self.games);
        if let Some(host) = games.get(id).filter(|host| !host.is_closed()) {
            return (host.clone(), None);
        }
        let (to_host, inbox) = mpsc::channel(QUEUE);
        games.insert(id.clone(), to_host.clone());
        (to_host, Some(inbox))
    }

    /// A number that names a client, and no other.
    pub(super) fn fresh_connection(&self) -> u64 {
        self.connections.fetch_add(1, Ordering::Relaxed)
    }

    /// Tells all games' tasks.
    pub(super) fn tell_all(&self, said: impl Fn() -> ToHost) {
        for host in lock(&self.games).values() {
            pass_on(host, said());
        }
    }

    /// When the server that was here before was last alive.
    pub(super) fn before(&self) -> Option<WallTime> {
        self.before
    }

    /// Until when the clock of a game ran that nobody leads here: where others lead games too, until now.
    pub(super) fn alive(&self) -> Option<WallTime> {
        match self.is_shared() {
            true => Some(WallTime::now()),
            false => self.before,
        }
    }

    /// What is kept.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Makes a game with its first player.
    ///
    /// # Errors
    /// Its clock cannot be played, or it cannot be kept.
    pub async fn make(&self, person: &Person, wanted: &Wanted) -> Result<GameId, HallError> {
        let chance = || getrandom::u32().map(|number| Color::from_white(number % 2 == 0));
        let color = wanted.color.map_or_else(chance, Ok)?;
        self.make_with(wanted, vec![(color, person.clone())]).await
    }

    /// Makes a game with these players.
    ///
    /// # Errors
    /// Its clock cannot be played, or it cannot be kept.
    pub async fn make_with(&self, wanted: &Wanted, players: Vec<(Color, Person)>) -> Result<GameId, HallError> {
        if let Some(control) = wanted.control
            && (control.initial.is_zero() || control.initial.max(control.increment) > LONGEST_CLOCK)
        {
            return Err(HallError::Clock(control));
        }
        let id = fresh_id()?;
        let kept = self.keep_new(&id, wanted, players).await;
        kept.map(|()| id).map_err(|_| HallError::NotKept)
    }

    /// Makes the next game of two players.
    pub(super) async fn make_rematch(
        &self,
        id: &GameId,
        wanted: &Wanted,
        players: Vec<(Color, Person)>,
    ) -> Result<(), NotKept> {
        self.keep_new(id, wanted, players).await
    }

    async fn keep_new(&self, id: &GameId, wanted: &Wanted, players: Vec<(Color, Person)>) -> Result<(), NotKept> {
        let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let made = MadeGame {
            id: id.to_string(),
            start_fen: torres_chess::fen(&wanted.start),
            clock_ms: wanted
                .control
                .map(|control| (ms(control.initial), ms(control.increment))),
            listed: wanted.listed,
        };
        let joined = players.into_iter().map(|(color, person)| Change::Joined {
            seat: color.into(),
            person,
        });
        let moved = wanted.moves.iter().map(|uci| Change::Moved {
            uci: uci.clone(),
            times: None,
        });
        let opened = wanted.owned.clone().map(Change::Opened);
        let changes = opened
            .into_iter()
            .chain(joined)
            .chain(moved)
            .zip(1..)
            .map(|(change, seq)| kept(id, seq, &change))
            .collect();
        self.keeper.keep(Some(made), changes).await
    }

    /// Whether a computer may play in the game of this id; `None` where there is no such game.
    ///
    /// # Errors
    /// The store failed.
    pub async fn is_owned(&self, id: &GameId) -> Result<Option<bool>, StoreError> {
        let kept = self.store.people_game(id.as_str()).await?;
        Ok(kept.map(|kept| {
            let first = kept
                .changes
                .first()
                .and_then(|(_, change)| serde_json::from_str(change).ok());
            matches!(first, Some(Change::Opened(_)))
        }))
    }

    /// The games that are listed: those that can be joined first.
    pub fn list(&self) -> Vec<ListedGame> {
        let list = lock(&self.list);
        let (free, on): (Vec<_>, Vec<_>) = list.values().partition(|game| game.free().is_some());
        free.into_iter().chain(on).take(LISTED).cloned().collect()
    }

    /// Says when the list has changed.
    pub fn list_changes(&self) -> watch::Receiver<()> {
        self.listed.subscribe()
    }

    /// Puts a game into the list, or takes it off.
    pub(super) fn set_listed(&self, id: &GameId, game: Option<ListedGame>) {
        let mut list = lock(&self.list);
        let changed = match game {
            Some(game) => {
                list.get(id) != Some(&game) && {
                    list.insert(id.clone(), game);
                    true
                }
            }
            None => list.remove(id).is_some(),
        };
        drop(list);
        if changed {
            self.listed.send_replace(());
        }
    }

    /// Ends a game's task, unless somebody has just come.
    pub(super) fn dismiss(&self, id: &GameId, inbox: &mut mpsc::Receiver<ToHost>) -> bool {
        let mut games = lock(&self.games);
        if !inbox.is_empty() {
            return false;
        }
        // Whoever got the way to this task from the map, and has not used it yet, finds it closed and asks again.
        inbox.close();
        games.remove(id);
        true
    }
}

/// Lets a task tell other servers one thing after the other.
fn announce_from(store: Store) -> mpsc::UnboundedSender<String> {
    let (to_others, mut waiting) = mpsc::unbounded_channel::<String>();
    tokio::spawn(async move {
        while let Some(text) = waiting.recv().await {
            if let Err(error) = store.announce(&text).await {
                tracing::warn!("other servers cannot be told: {error}");
            }
        }
    });
    to_others
}

/// Tells a game's task; one that is busy hears it later.
pub(super) fn pass_on(host: &mpsc::Sender<ToHost>, said: ToHost) {
    if let Err(TrySendError::Full(said)) = host.try_send(said) {
        let host = host.clone();
        tokio::spawn(async move { host.send(said).await });
    }
}

/// A change as it is kept.
pub(super) fn kept(game: &GameId, seq: u64, change: &Change) -> KeptChange {
    let player = match change {
        Change::Joined { person, .. } | Change::Replaced { person, .. } => Some(person),
        _ => None,
    };
    let player = player.filter(|person| person.computer_id().is_none());
    let player = player.map(|person| &person.id).or(match change {
        Change::Opened(owned) => Some(&owned.by),
        _ => None,
    });
    KeptChange {
        game: game.to_string(),
        seq,
        at: WallTime::now(),
        change: serde_json::to_string(change).unwrap_or_default(),
        player: player.map(|id| id.0.clone()),
        over: match change {
            Change::Ended { .. } => Some(true),
            // An end on the board is lifted with the move that led to it.
            Change::TookBack { .. } => Some(false),
            _ => None,
        },
    }
}

/// A clock as it is kept.
pub(super) fn control((initial, increment): (u64, u64)) -> TimeControl {
    TimeControl {
        initial: Duration::from_millis(initial),
        increment: Duration::from_millis(increment),
    }
}

/// An id that no game has.
pub(super) fn fresh_id() -> Result<GameId, getrandom::Error> {
    // Of 64 bytes more than ten are below 248, but for one time in 10^60.
    let mut bytes = [0; 64];
    getrandom::fill(&mut bytes)?;
    Ok(GameId::from_random(bytes.into_iter()))
}

/// Nothing here panics while it holds a lock; what a panic elsewhere left is whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
