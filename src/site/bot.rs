//! The site's computer opponent: what it replies, and why.
//!
//! A reply comes from the first of these that has one: the script, a small table of first moves (so that games differ),
//! a slip (weak levels), and the engine within the level's bounds. An engine that plays under its own name makes all of
//! its moves itself, unless a script stages the game.

use super::chance::Chance;
use super::levels::LevelNumber;
use super::opponents::{Opponent, Strength};
use super::script::Script;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Position};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;
use torres_link::messages::{Go, Score};
use torres_link::{ThinkError, ThinkEvent, Thinker};

/// A bot uses for a move at most what it has left divided by this: that keeps its flag up even where a level's bounds
/// would not.
pub const SHARE_OF_CLOCK: u32 = 10;

/// The bot's choices for its first move from the standard start, by what was played before.
const FIRST_MOVES: [(&str, &[&str]); 5] = [
    ("", &["e2e4", "d2d4", "c2c4", "g1f3"]),
    ("e2e4", &["e7e5", "c7c5", "e7e6", "c7c6"]),
    ("d2d4", &["d7d5", "g8f6", "e7e6"]),
    ("c2c4", &["e7e5", "c7c5", "g8f6"]),
    ("g1f3", &["d7d5", "g8f6", "c7c5"]),
];

/// A position in which the bot has the move.
#[derive(Clone, Debug)]
pub struct Turn {
    /// Which game since the site was started.
    pub game: u32,
    /// How strongly to play.
    pub strength: Strength,
    /// Where the game started.
    pub start_fen: String,
    /// UCI moves since.
    pub moves: Vec<String>,
    /// The present position.
    pub position: Chess,
    /// How many moves the bot itself has played.
    pub own_moves: usize,
    /// What the bot's clock has left.
    pub time_left: Duration,
}

/// What the bot plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// A legal move.
    pub uci: UciMove,
    /// Where it comes from, for the log.
    pub detail: String,
}

/// Why the bot has no reply.
#[derive(Debug, thiserror::Error)]
pub enum BotError {
    /// The engine cannot be made to answer.
    #[error(transparent)]
    Think(#[from] ThinkError),
    /// The engine answered with a move that is not legal here.
    #[error("the engine answered {answer} in {fen}, which is not a legal move")]
    Illegal {
        /// Its move.
        answer: String,
        /// The position it says it answered for.
        fen: String,
    },
}

/// A computer opponent that asks `T` for its moves.
#[derive(Debug)]
pub struct Bot<T> {
    thinker: T,
    script: Script,
    seed: u64,
    next_id: u64,
}

impl<T: Thinker> Bot<T> {
    /// A bot whose choices follow from `seed`, and which follows `script` from the start of each game.
    pub fn new(thinker: T, script: Script, seed: u64) -> Bot<T> {
        Bot {
            thinker,
            script,
            seed,
            next_id: 1,
        }
    }

    /// Forgets the last game.
    pub async fn new_game(&mut self) -> Result<(), BotError> {
        Ok(self.thinker.new_game().await?)
    }

    /// The bot's move in `turn`. Its position has a legal move.
    pub async fn reply(&mut self, turn: &Turn) -> Result<Reply, BotError> {
        let mut remarks = String::new();
        match self.scripted(turn) {
            Some(Ok(reply)) => return Ok(reply),
            Some(Err(illegal)) => remarks = format!("script's move {illegal} is not legal here; "),
            None => {}
        }
        let mut chance = Chance::new(self.seed, turn.game.into(), turn.moves.len() as u64);
        if let Strength::Level(level) = turn.strength
            && let Some(reply) = first_move(turn, &mut chance).or_else(|| slip(turn, level, &mut chance))
        {
            return Ok(reply.after(&remarks));
        }
        Ok(self.think(turn).await?.after(&remarks))
    }

    /// The script's move, or the one that cannot be played. Once one could not, the script is out of step with the
    /// game, and whatever follows it is legal only by accident; the log says so each time.
    fn scripted(&self, turn: &Turn) -> Option<Result<Reply, UciMove>> {
        let uci = *self.script.get(turn.own_moves)?;
        Some(match uci.to_move(&turn.position) {
            Ok(mv) => Ok(Reply {
                uci: UciMove::from_standard(mv),
                detail: "script".into(),
            }),
            Err(_) => Err(uci),
        })
    }

    async fn think(&mut self, turn: &Turn) -> Result<Reply, BotError> {
        let mut limits = match turn.strength {
            Strength::Level(level) => level.level().limits(),
            Strength::Limits(limits) => limits,
        };
        let affordable = u64::try_from(turn.time_left.as_millis() / u128::from(SHARE_OF_CLOCK))
            .unwrap_or(u64::MAX)
            .max(1);
        limits.move_ms = Some(limits.move_ms.map_or(affordable, |ms| ms.min(affordable)));
        let go = Go {
            id: self.next_id,
            fen: turn.start_fen.clone(),
            moves: turn.moves.clone(),
            limits,
            ..Go::default()
        };
        self.next_id += 1;
        let mut detail = String::from("engine");
        let mut restarts = String::new();
        let mut listen = |event| match event {
            ThinkEvent::Info(info) => {
                let score = match info.score {
                    Score::Cp(cp) => format!("cp {cp}"),
                    Score::Mate(moves) => format!("mate {moves}"),
                };
                detail = format!("engine depth {} {score} nodes {}", info.depth, info.nodes);
            }
            ThinkEvent::Restarted(why) => restarts.push_str(&format!("; engine restarted: {why}")),
        };
        let answer = self.thinker.think(go, &mut listen).await?;
        let illegal = || BotError::Illegal {
            answer: answer.best.clone().unwrap_or_else(|| "no move".into()),
            fen: answer.fen.clone(),
        };
        let uci: UciMove = answer
            .best
            .as_deref()
            .unwrap_or_default()
            .parse()
            .map_err(|_| illegal())?;
        let mv = uci.to_move(&turn.position).map_err(|_| illegal())?;
        Ok(Reply {
            uci: UciMove::from_standard(mv),
            detail: detail + &restarts,
        })
    }
}

impl Reply {
    fn after(mut self, remarks: &str) -> Reply {
        self.detail.insert_str(0, remarks);
        self
    }
}

/// The bots, each with an engine of its own behind it.
pub struct Seats<T> {
    /// The site's own, with its levels.
    pub own: Arc<Mutex<Bot<T>>>,
    /// Those that play under their own names, in their order.
    pub engines: Vec<Arc<Mutex<Bot<T>>>>,
}

impl<T> Seats<T> {
    /// The bot that plays as this opponent.
    pub fn of(&self, opponent: Opponent) -> &Arc<Mutex<Bot<T>>> {
        match opponent {
            Opponent::Level(_) => &self.own,
            // An engine that is on the list has its seat.
            Opponent::Engine(index) => self.engines.get(index).unwrap_or(&self.own),
        }
    }
}

fn first_move(turn: &Turn, chance: &mut Chance) -> Option<Reply> {
    if turn.start_fen != torres_chess::fen(&Chess::default()) {
        return None;
    }
    let played = turn.moves.join(" ");
    let (_, choices) = FIRST_MOVES.iter().find(|(before, _)| *before == played)?;
    Some(Reply {
        uci: chance.pick(choices)?.parse().ok()?,
        detail: "first moves".into(),
    })
}

fn slip(turn: &Turn, level: LevelNumber, chance: &mut Chance) -> Option<Reply> {
    if !chance.happens(level.level().slip_percent) {
        return None;
    }
    Some(Reply {
        uci: UciMove::from_standard(*chance.pick(&turn.position.legal_moves())?),
        detail: "slip".into(),
    })
}
