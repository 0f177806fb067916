//! The engines behind the computers' seats. A game asks for a move; which process answers, and whether it had to be restarted, is not its
//! business.

use super::computer::Computer;
use futures_util::future::BoxFuture;
use shakmaty::uci::UciMove;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Mutex, Semaphore};
use torres_link::messages::{Go, Limits, Score};
use torres_link::{ThinkEvent, Thinker};
use torres_site::bot::{Bot, Turn};
use torres_site::opponents::Strength;
use torres_site::script::Script;

/// What a character may use for a move.
const CHARACTER: Limits = Limits {
    move_ms: Some(1_000),
    depth: None,
    nodes: None,
    white_ms: None,
    black_ms: None,
    white_inc_ms: None,
    black_inc_ms: None,
};
/// What a look at a position may use: for a hint, an evaluation, the answer to an offer.
const LOOK: Limits = Limits {
    depth: Some(18),
    nodes: Some(150_000),
    move_ms: Some(1_500),
    white_ms: None,
    black_ms: None,
    white_inc_ms: None,
    black_inc_ms: None,
};

/// Looks that are remembered.
const REMEMBERED: usize = 4_096;
/// Looks that may wait for their turn.
const WAITING: usize = 32;

/// Which engine is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mind {
    /// Torres' own, for the levels.
    Levels,
    /// Torres' own, at full strength, to look at positions.
    Looks,
    /// The character with this id.
    Character(&'static str),
}

/// A position in a game that goes on.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Differs between games, and between positions of a game.
    pub chance: u32,
    /// Where the game started, as FEN.
    pub start_fen: String,
    /// UCI moves since.
    pub moves: Vec<String>,
    /// Where that leads.
    pub position: shakmaty::Chess,
    /// What the clock of the side to move has left; `None` without clocks.
    pub time_left: Option<Duration>,
}

/// What a look at a position found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// From the side to move's view.
    pub score: Score,
    /// The best line, UCI moves.
    pub line: Vec<String>,
    /// How deep it looked, in plies.
    pub depth: u32,
}

/// The engines behind the seats.
#[derive(Clone)]
pub struct Computers(Arc<dyn Minds>);

impl Computers {
    /// Each mind is made by `thinker_of` when it is first asked.
    pub fn new<T: Thinker + 'static>(seed: u64, thinker_of: impl Fn(Mind) -> T + Send + Sync + 'static) -> Computers {
        Computers(Arc::new(Processes {
            seed,
            thinker_of,
            bots: Mutex::default(),
            waiting: Semaphore::new(WAITING),
            looks: Mutex::new(Looks {
                thinker: None,
                last_id: 0,
                remembered: HashMap::new(),
            }),
        }))
    }

    /// A computer's move in a position that has one.
    ///
    /// # Errors
    /// Its engine does not answer, or nonsense.
    pub(super) async fn reply(&self, computer: Computer, asked: Asked) -> Result<UciMove, String> {
        self.0.reply(computer, asked).await
    }

    /// What Torres thinks of a position that has a legal move.
    ///
    /// # Errors
    /// The engine does not answer.
    pub(super) async fn look(&self, start_fen: String, moves: Vec<String>) -> Result<Look, String> {
        self.0.look(start_fen, moves).await
    }
}

trait Minds: Send + Sync {
    fn reply(&self, computer: Computer, asked: Asked) -> BoxFuture<'_, Result<UciMove, String>>;
    fn look(&self, start_fen: String, moves: Vec<String>) -> BoxFuture<'_, Result<Look, String>>;
}

struct Processes<T, F> {
    seed: u64,
    thinker_of: F,
    bots: Mutex<HashMap<Mind, Arc<Mutex<Bot<T>>>>>,
    waiting: Semaphore,
    looks: Mutex<Looks<T>>,
}

struct Looks<T> {
    thinker: Option<T>,
    last_id: u64,
    /// By start and moves.
    remembered: HashMap<String, Look>,
}

impl<T: Thinker + 'static, F: Fn(Mind) -> T + Send + Sync> Minds for Processes<T, F> {
    fn reply(&self, computer: Computer, asked: Asked) -> BoxFuture<'_, Result<UciMove, String>> {
        let (mind, strength) = match computer {
            Computer::Level(level) => (Mind::Levels, Strength::Level(level)),
            Computer::Character(character) => (Mind::Character(character.id), Strength::Limits(CHARACTER)),
        };
        let turn = Turn {
            game: asked.chance,
            strength,
            start_fen: asked.start_fen,
            moves: asked.moves,
            position: asked.position,
            own_moves: 0,
            time_left: asked.time_left.unwrap_or(Duration::from_secs(3600)),
        };
        Box::pin(async move {
            let mut bots = self.bots.lock().await;
            let made = || Bot::new((self.thinker_of)(mind), Script::default(), self.seed);
            let bot = Arc::clone(bots.entry(mind).or_insert_with(|| Arc::new(Mutex::new(made()))));
            drop(bots);
            let reply = bot.lock().await.reply(&turn).await;
            reply.map(|reply| reply.uci).map_err(|error| error.to_string())
        })
    }

    fn look(&self, start_fen: String, moves: Vec<String>) -> BoxFuture<'_, Result<Look, String>> {
        Box::pin(async move {
            let _waits = self
                .waiting
                .try_acquire()
                .map_err(|_| "too many positions are looked at; try again soon")?;
            let mut looks = self.looks.lock().await;
            let key = format!("{start_fen} {}", moves.join(" "));
            if let Some(look) = looks.remembered.get(&key) {
                return Ok(look.clone());
            }
            looks.last_id += 1;
            let id = looks.last_id;
            let thinker = looks.thinker.get_or_insert_with(|| (self.thinker_of)(Mind::Looks));
            let go = Go {
                id,
                fen: start_fen,
                moves,
                limits: LOOK,
                ..Go::default()
            };
            let mut found = None;
            let mut listen = |event| {
                if let ThinkEvent::Info(info) = event {
                    found = Some(Look {
                        score: info.score,
                        line: info.pv,
                        depth: info.depth,
                    });
                }
            };
            thinker
                .think(go, &mut listen)
                .await
                .map_err(|error| error.to_string())?;
            let look = found
                .filter(|look| !look.line.is_empty())
                .ok_or("the engine said nothing of this position")?;
            if looks.remembered.len() >= REMEMBERED {
                looks.remembered.clear();
            }
            looks.remembered.insert(key, look.clone());
            Ok(look)
        })
    }
}
