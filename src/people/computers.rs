//! The engines behind the computers' seats. A game asks for a move; which process answers, and whether it had to be
//! restarted, is not its business.
//!
//! Games do not wait for one another's searches. As many processes think at once as this machine has processors,
//! whoever asked first is served first, and where more ask than can be served, each search is shorter ([`share`]).
//! Small searches wait for small ones alone.

use super::computer::Computer;
use futures_util::future::BoxFuture;
use shakmaty::uci::UciMove;
use std::collections::HashMap;
use std::sync::{Arc, Mutex as StdMutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Mutex, Semaphore};
use tokio::time::Instant;
use torres_link::messages::{Go, Limits, Score};
use torres_link::{ThinkEvent, Thinker};
use torres_site::bot::{Bot, SHARE_OF_CLOCK, Turn};
use torres_site::opponents::{Engines, Strength};
use torres_site::script::Script;

/// What a character may use for a move: the nodes with which its strength was measured (docs/characters.md), so that it
/// is as strong on any machine; the time ends what takes too long.
const CHARACTER: Limits = Limits {
    move_ms: Some(1_000),
    depth: None,
    nodes: Some(100_000),
    white_ms: None,
    black_ms: None,
    white_inc_ms: None,
    black_inc_ms: None,
};
/// What the analysis of a position may use: for a hint, an evaluation, the answer to an offer.
const ANALYSIS: Limits = Limits {
    depth: Some(18),
    nodes: Some(150_000),
    move_ms: Some(1_500),
    white_ms: None,
    black_ms: None,
    white_inc_ms: None,
    black_inc_ms: None,
};

/// What a quick analysis may use: at each of a position's moves.
const QUICK_ANALYSIS: Limits = Limits {
    nodes: Some(30_000),
    ..ANALYSIS
};
/// How long whoever asks for a move waits for it, as far as [`SHORTEST`] allows that.
const ANSWERED: Duration = Duration::from_secs(3);
/// A search of no more nodes is small: it takes a tenth of a second or so.
const SMALL: u64 = 100_000;
/// No search is shorter than this on account of others.
const SHORTEST: Duration = Duration::from_millis(50);

/// Analyses that are remembered.
const REMEMBERED: usize = 4_096;
/// Analyses that may wait for their turn.
const WAITING: usize = 32;

/// Which engine is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mind {
    /// Torres' own, for the levels.
    Levels,
    /// Torres' own, at full strength, to analyse positions.
    Analyses,
    /// The character with this id.
    Character(&'static str),
    /// The engine in this place of the site's list.
    Engine(usize),
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

/// What the analysis of a position found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// From the side to move's view.
    pub score: Score,
    /// The best line, UCI moves.
    pub line: Vec<String>,
    /// How deep it searched, in plies.
    pub depth: u32,
}

/// The engines behind the seats.
#[derive(Clone)]
pub struct Computers {
    engines: Arc<[Computer]>,
    minds: Arc<dyn Minds>,
}

impl Computers {
    /// Those of every site, and these engines. Each mind is made by `thinker_of` when it is asked, and once more where
    /// it is asked again while it thinks.
    pub fn new<T: Thinker + 'static>(
        seed: u64,
        engines: &Engines,
        thinker_of: impl Fn(Mind) -> T + Send + Sync + 'static,
    ) -> Computers {
        let at_once = std::thread::available_parallelism().map_or(1, usize::from).max(2);
        let engines = engines.iter().enumerate();
        Computers {
            engines: engines
                .map(|(index, engine)| Computer::Engine(index, Arc::new(engine.clone())))
                .collect(),
            minds: Arc::new(Processes {
                seed,
                thinker_of,
                at_once,
                small: Lane::new(at_once),
                large: Lane::new(at_once),
                resting: StdMutex::default(),
                waiting: Semaphore::new(WAITING),
                analyses: Mutex::new(Analyses {
                    thinker: None,
                    last_id: 0,
                    remembered: HashMap::new(),
                }),
            }),
        }
    }

    /// All that can be played here: the levels, the weakest first, the characters, then the engines.
    pub fn all(&self) -> Vec<Computer> {
        Computer::of_every_site().chain(self.engines.iter().cloned()).collect()
    }

    /// The one with this id.
    pub fn find(&self, id: &str) -> Option<Computer> {
        Computer::find(id).or_else(|| self.engines.iter().find(|engine| engine.id() == id).cloned())
    }

    /// A computer's move in a position that has one.
    ///
    /// # Errors
    /// Its engine does not answer, or nonsense.
    pub(super) async fn reply(&self, computer: Computer, asked: Asked) -> Result<UciMove, String> {
        self.minds.reply(computer, asked).await
    }

    /// What Torres thinks of a position that has a legal move.
    ///
    /// # Errors
    /// The engine does not answer.
    pub(super) async fn analyse(&self, start_fen: String, moves: Vec<String>) -> Result<Analysis, String> {
        self.minds.analyse(start_fen, moves, ANALYSIS).await
    }

    /// What Torres thinks of it after a short search.
    ///
    /// # Errors
    /// The engine does not answer.
    pub(super) async fn analyse_quickly(&self, start_fen: String, moves: Vec<String>) -> Result<Analysis, String> {
        self.minds.analyse(start_fen, moves, QUICK_ANALYSIS).await
    }
}

trait Minds: Send + Sync {
    fn reply(&self, computer: Computer, asked: Asked) -> BoxFuture<'_, Result<UciMove, String>>;
    fn analyse(&self, start_fen: String, moves: Vec<String>, limits: Limits)
    -> BoxFuture<'_, Result<Analysis, String>>;
}

struct Processes<T, F> {
    seed: u64,
    thinker_of: F,
    /// How many think at once in each lane.
    at_once: usize,
    small: Lane,
    large: Lane,
    /// Those that do not think.
    resting: StdMutex<HashMap<Mind, Vec<Bot<T>>>>,
    waiting: Semaphore,
    analyses: Mutex<Analyses<T>>,
}

/// Searches of about one size, which wait for one another.
struct Lane {
    thinking: Semaphore,
    /// Games that wait for their turn.
    queue: StdMutex<Queue>,
}

impl Lane {
    fn new(at_once: usize) -> Lane {
        Lane {
            thinking: Semaphore::new(at_once),
            queue: StdMutex::default(),
        }
    }
}

/// Who waits, in the order in which they came.
#[derive(Default)]
struct Queue {
    last: u64,
    /// A number, and until when an answer is due.
    waiting: Vec<(u64, Instant)>,
}

/// A place in the queue, left when this is dropped.
struct Place<'a> {
    queue: &'a StdMutex<Queue>,
    number: u64,
}

impl<'a> Place<'a> {
    fn take(queue: &'a StdMutex<Queue>, due: Instant) -> Place<'a> {
        let mut all = lock(queue);
        all.last += 1;
        let number = all.last;
        all.waiting.push((number, due));
        Place { queue, number }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        lock(self.queue).waiting.retain(|(number, _)| *number != self.number);
    }
}

/// How long a search may take that begins now, where so many think at once: its own answer is `due`, and those of who
/// waits, in this order. Each search behind it is counted as long as this one.
fn share(now: Instant, due: Instant, waiting: &[(u64, Instant)], at_once: usize) -> Duration {
    let all = std::iter::once(due).chain(waiting.iter().map(|(_, due)| *due));
    let shares = all.enumerate().map(|(place, due)| {
        let searches = 1 + place.div_ceil(at_once.max(1));
        due.saturating_duration_since(now) / u32::try_from(searches).unwrap_or(u32::MAX)
    });
    shares.min().unwrap_or_default().max(SHORTEST)
}

fn lock<T>(mutex: &StdMutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A bot that thinks for somebody; afterwards, also where nobody waits any more for what it thinks, it rests.
struct Lent<'a, T> {
    mind: Mind,
    bot: Option<Bot<T>>,
    resting: &'a StdMutex<HashMap<Mind, Vec<Bot<T>>>>,
}

impl<T> Drop for Lent<'_, T> {
    fn drop(&mut self) {
        lock(self.resting).entry(self.mind).or_default().extend(self.bot.take());
    }
}

struct Analyses<T> {
    thinker: Option<T>,
    last_id: u64,
    /// By start and moves.
    remembered: HashMap<String, Analysis>,
}

impl<T: Thinker + 'static, F: Fn(Mind) -> T + Send + Sync> Minds for Processes<T, F> {
    fn reply(&self, computer: Computer, asked: Asked) -> BoxFuture<'_, Result<UciMove, String>> {
        let (mind, strength) = match computer {
            Computer::Level(level) => (Mind::Levels, Strength::Level(level)),
            Computer::Character(character) => (Mind::Character(character.id), Strength::Limits(CHARACTER)),
            Computer::Engine(index, engine) => (Mind::Engine(index), Strength::Limits(engine.limits)),
        };
        let nodes = match strength {
            Strength::Level(level) => Some(level.level().nodes),
            Strength::Limits(limits) => limits.nodes,
        };
        let lane = match nodes.is_some_and(|nodes| nodes <= SMALL) {
            true => &self.small,
            false => &self.large,
        };
        Box::pin(async move {
            let came = Instant::now();
            let due = came + ANSWERED;
            let place = Place::take(&lane.queue, due);
            let _thinks = lane.thinking.acquire().await.map_err(|error| error.to_string())?;
            drop(place);
            let rested = lock(&self.resting).get_mut(&mind).and_then(Vec::pop);
            let mut lent = Lent {
                mind,
                bot: None,
                resting: &self.resting,
            };
            let made = || Bot::new((self.thinker_of)(mind), Script::default(), self.seed);
            let bot = lent.bot.insert(rested.unwrap_or_else(made));
            // What a bot uses is a part of what it is told to have left.
            let share = share(Instant::now(), due, &lock(&lane.queue).waiting, self.at_once) * SHARE_OF_CLOCK;
            let left = asked
                .time_left
                .map_or(share, |left| left.saturating_sub(came.elapsed()).min(share));
            let turn = Turn {
                game: asked.chance,
                strength,
                start_fen: asked.start_fen,
                moves: asked.moves,
                position: asked.position,
                own_moves: 0,
                time_left: left,
            };
            let reply = bot.reply(&turn).await;
            reply.map(|reply| reply.uci).map_err(|error| error.to_string())
        })
    }

    fn analyse(
        &self,
        start_fen: String,
        moves: Vec<String>,
        limits: Limits,
    ) -> BoxFuture<'_, Result<Analysis, String>> {
        Box::pin(async move {
            let _waits = self
                .waiting
                .try_acquire()
                .map_err(|_| "too many positions are being analysed; try again soon")?;
            let mut analyses = self.analyses.lock().await;
            let key = format!("{start_fen} {}", moves.join(" "));
            if let Some(analysis) = analyses.remembered.get(&key) {
                return Ok(analysis.clone());
            }
            analyses.last_id += 1;
            let id = analyses.last_id;
            let thinker = analyses
                .thinker
                .get_or_insert_with(|| (self.thinker_of)(Mind::Analyses));
            let go = Go {
                id,
                fen: start_fen,
                moves,
                limits,
                ..Go::default()
            };
            let mut found = None;
            let mut listen = |event| {
                if let ThinkEvent::Info(info) = event {
                    found = Some(Analysis {
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
            let analysis = found
                .filter(|analysis| !analysis.line.is_empty())
                .ok_or("the engine said nothing of this position")?;
            if limits == ANALYSIS {
                if analyses.remembered.len() >= REMEMBERED {
                    analyses.remembered.clear();
                }
                analyses.remembered.insert(key, analysis.clone());
            }
            Ok(analysis)
        })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use futures_util::FutureExt;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use torres_link::ThinkError;
    use torres_link::messages::BestMove;

    /// Plays a2a3 at once where it may think for at most 100 ms, and else never.
    struct QuickOrNever;

    impl Thinker for QuickOrNever {
        async fn new_game(&mut self) -> Result<(), ThinkError> {
            Ok(())
        }

        async fn think(&mut self, go: Go, _: &mut (dyn FnMut(ThinkEvent) + Send)) -> Result<BestMove, ThinkError> {
            if go.limits.move_ms.is_none_or(|ms| ms > 100) {
                std::future::pending::<()>().await;
            }
            Ok(BestMove {
                id: go.id,
                best: Some("a2a3".into()),
                ponder: None,
                fen: go.fen,
            })
        }

        fn can_ponder(&self) -> bool {
            false
        }

        async fn ponder(
            &mut self,
            _: Go,
            _: impl Future<Output = Instant> + Send,
            _: &mut (dyn FnMut(ThinkEvent) + Send),
        ) -> Result<BestMove, ThinkError> {
            std::future::pending().await
        }
    }

    /// The computers of a site that was told of these engines.
    pub fn computers(engines: &[&str]) -> Computers {
        counted(engines).0
    }

    /// With the number of processes that were made.
    fn counted(engines: &[&str]) -> (Computers, Arc<AtomicUsize>) {
        let engines = engines.iter().map(|text| text.parse().unwrap()).collect();
        let made = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&made);
        let computers = Computers::new(1, &Engines::new(engines).unwrap(), move |_| {
            count.fetch_add(1, Ordering::Relaxed);
            QuickOrNever
        });
        (computers, made)
    }

    fn asked() -> Asked {
        let start_fen = "4k3/8/8/8/8/8/P7/4K3 w - - 0 1".to_owned();
        Asked {
            chance: 1,
            position: torres_chess::parse_fen(&start_fen).unwrap(),
            start_fen,
            moves: Vec::new(),
            time_left: None,
        }
    }

    #[test]
    fn a_search_is_shorter_the_more_wait_behind_it() {
        let now = Instant::now();
        let waiting = |count: u64| (0..count).map(|number| (number, now + ANSWERED)).collect::<Vec<_>>();
        let before = |count| share(now, now + ANSWERED, &waiting(count), 2);
        assert_eq!(before(0), ANSWERED);
        assert_eq!(before(2), ANSWERED / 2);
        assert_eq!(before(18), ANSWERED / 10);
        // Who waits behind another is due when it is due.
        let first = [(1, now + ANSWERED / 3)];
        assert_eq!(share(now, now + ANSWERED, &first, 2), ANSWERED / 6);
        assert_eq!(share(now + 9 * ANSWERED, now, &[], 2), SHORTEST);
    }

    /// Twenty games ask at once, each for a search of two seconds. One after another they took 40 s.
    #[test]
    fn twenty_games_at_the_highest_level_are_all_answered_in_time() {
        let began = Instant::now();
        let wanted = Duration::from_secs(2);
        for at_once in [2, 3, 8, 16] {
            let mut waiting: Vec<(u64, Instant)> = (0..20).map(|number| (number, began + ANSWERED)).collect();
            // When each process is free.
            let mut free = vec![began; at_once];
            while !waiting.is_empty() {
                let (_, due) = waiting.remove(0);
                let next = free.iter_mut().min().unwrap();
                *next += wanted.min(share(*next, due, &waiting, at_once));
                assert!(*next <= due + SHORTEST, "{at_once} at once, {} wait", waiting.len());
            }
        }
    }

    #[tokio::test]
    async fn a_search_that_does_not_end_holds_no_other_game() {
        let (computers, made) = counted(&["never=x;movetime=5000", "quick=x;movetime=50"]);
        let [never, quick] = ["engine-never", "engine-quick"].map(|id| computers.find(id).unwrap());
        let mut first = Box::pin(computers.reply(never.clone(), asked()));
        assert!(first.as_mut().now_or_never().is_none());
        for _ in 0..3 {
            assert_eq!(
                computers.reply(quick.clone(), asked()).await.unwrap().to_string(),
                "a2a3"
            );
        }
        // The one that was quick has played all three. One whose answer nobody wants any more is asked again.
        assert_eq!(made.load(Ordering::Relaxed), 2);
        drop(first);
        assert!(computers.reply(never, asked()).now_or_never().is_none());
        assert_eq!(made.load(Ordering::Relaxed), 2);
    }

    #[tokio::test]
    async fn who_waits_and_goes_away_leaves_the_queue() {
        let (computers, made) = counted(&["never=x;movetime=5000", "quick=x;movetime=50"]);
        let [never, quick] = ["engine-never", "engine-quick"].map(|id| computers.find(id).unwrap());
        let at_once = std::thread::available_parallelism().map_or(1, usize::from).max(2);
        let mut all: Vec<_> = (0..at_once + 2)
            .map(|_| Box::pin(computers.reply(never.clone(), asked())))
            .collect();
        for one in &mut all {
            assert!(one.as_mut().now_or_never().is_none());
        }
        assert_eq!(made.load(Ordering::Relaxed), at_once);
        drop(all);
        computers.reply(quick, asked()).await.unwrap();
    }

    #[tokio::test]
    async fn a_small_search_waits_for_no_large_one() {
        let (computers, _) = counted(&["never=x;movetime=5000", "small=x;movetime=50;nodes=5000"]);
        let [never, small] = ["engine-never", "engine-small"].map(|id| computers.find(id).unwrap());
        let at_once = std::thread::available_parallelism().map_or(1, usize::from).max(2);
        let mut large: Vec<_> = (0..at_once + 1)
            .map(|_| Box::pin(computers.reply(never.clone(), asked())))
            .collect();
        for one in &mut large {
            assert!(one.as_mut().now_or_never().is_none());
        }
        assert_eq!(computers.reply(small, asked()).await.unwrap().to_string(), "a2a3");
    }
}
