//! The table: one game, its clocks, its bot and its log, changed by one task only.

use super::bot::{Bot, BotError, Reply, Seats, Turn};
use super::clock::Clock;
use super::game::{Ending, Game, Over};
use super::levels::LevelNumber;
use super::log::{By, Event, EventKind, EventLog, now_ms};
use super::opponents::{Engines, Opponent};
use super::protocol::{FromPage, Pointer, ToPage};
use super::setup::{GameSetup, setup_from};
use shakmaty::uci::UciMove;
use shakmaty::{Color, Position};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;
use torres_chess::TimeControl;
use torres_frame::Timestamp;
use torres_link::Thinker;

/// How long a flag may hang after the machine has slept.
const ASKED_EVERY: Duration = Duration::from_secs(1);

/// Both sides' first moves are free: clocks run from this ply on.
const FIRST_TIMED_PLY: usize = 2;

/// What the table is told.
pub enum Command {
    /// A page connected and wants to be shown the game.
    PageOpened,
    /// A page said something; what is wrong with it, if anything, is answered.
    Page(FromPage, oneshot::Sender<String>),
    /// Someone wants the log's lines.
    Log(oneshot::Sender<String>),
}

/// The bot's answer, with the position it is for.
struct Answer {
    game: u32,
    ply: usize,
    reply: Result<Reply, BotError>,
}

/// One game at a time, with everything that belongs to it.
pub struct Table<T> {
    /// Counts the games, from 1.
    number: u32,
    setup: GameSetup,
    game: Game,
    clock: Clock,
    over: Option<Over>,
    delay: Duration,
    /// The clock of games that ask for none.
    usual: TimeControl,
    engines: Engines,
    seats: Seats<T>,
    /// The bot's present thought, if it has one; a new set forgets it.
    thought: JoinSet<Answer>,
    /// Whether a page was ever open: before that there is nobody to move for.
    attended: bool,
    log: EventLog,
    inbox: mpsc::Receiver<Command>,
    shown: watch::Sender<Arc<str>>,
}

impl<T: Thinker + 'static> Table<T> {
    /// A table with its first game set up; pages are shown what the receiver holds.
    pub fn new(
        first: GameSetup,
        delay: Duration,
        engines: Engines,
        seats: Seats<T>,
        log: EventLog,
        inbox: mpsc::Receiver<Command>,
    ) -> (Table<T>, watch::Receiver<Arc<str>>) {
        let (shown, receiver) = watch::channel(Arc::from(""));
        let table = Table {
            number: 0,
            game: Game::new(first.start.clone()),
            clock: Clock::new(first.time_control),
            usual: first.time_control,
            setup: first,
            over: None,
            delay,
            engines,
            seats,
            thought: JoinSet::new(),
            attended: false,
            log,
            inbox,
            shown,
        };
        (table, receiver)
    }

    /// Serves the table until nobody can speak to it any more.
    pub async fn run(mut self) {
        self.start_game(self.setup.clone());
        loop {
            let flag = self.clock.flag();
            tokio::select! {
                command = self.inbox.recv() => match command {
                    Some(command) => self.obey(command),
                    None => return,
                },
                Some(answer) = self.thought.join_next() => {
                    if let Ok(answer) = answer {
                        self.bot_answered(answer);
                    }
                }
                () = until(flag.map(|(_, at)| at)) => {
                    self.drop_flag();
                    self.publish();
                }
            }
        }
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::PageOpened => {
                self.attended = true;
                self.wake_bot();
                self.publish();
            }
            Command::Log(ask) => {
                // Nobody waits any more: nothing to tell.
                let _ = ask.send(self.log.lines().to_owned());
            }
            Command::Page(message, ask) => {
                if let Err(wrong) = self.hear(message) {
                    let _ = ask.send(wrong);
                }
            }
        }
    }

    fn hear(&mut self, message: FromPage) -> Result<(), String> {
        match message {
            FromPage::Move { game, ply, uci } => self.player_moves(game, ply, &uci),
            FromPage::Resign { game } if game == self.number && self.over.is_none() => {
                let winner = self.setup.player.other();
                self.finish(Ending::Resignation { winner });
                self.publish();
            }
            FromPage::Resign { .. } => return Err("that game is over".into()),
            FromPage::NewGame {
                color,
                level,
                bot,
                clock,
                fen,
            } => {
                let opponent = self.opponent_from(level, bot.as_deref())?;
                let setup = setup_from(color, opponent, clock, self.usual, fen.as_deref())?;
                self.start_game(setup);
            }
            FromPage::AtRest { game, ply, t_ms, fresh } => self.page_at_rest(game, ply, t_ms, fresh),
            FromPage::Pointer { t_ms, pointer } => self.pointer(t_ms, &pointer),
        }
        Ok(())
    }

    fn start_game(&mut self, setup: GameSetup) {
        self.number += 1;
        self.game = Game::new(setup.start.clone());
        self.clock = Clock::new(setup.time_control);
        self.setup = setup;
        self.over = None;
        self.thought = JoinSet::new();
        let opponent = match self.setup.opponent {
            Opponent::Level(level) => format!("level {}", level.get()),
            engine => format!("bot {}", self.engines.name_of(engine)),
        };
        let detail = format!(
            "player {}, {opponent}, clock {}",
            self.setup.player, self.setup.time_control
        );
        self.record(EventKind::Game, None, None, detail);
        self.end_by_rules();
        self.wake_bot();
        self.publish();
    }

    fn player_moves(&mut self, game: u32, ply: usize, text: &str) {
        self.drop_flag();
        let reason = if game != self.number {
            "another game is on the board"
        } else if self.over.is_some() {
            "the game is over"
        } else if ply != self.game.plies().len() {
            "the position has changed"
        } else if self.game.position().turn() != self.setup.player {
            "it is the bot's turn"
        } else if text.parse().is_ok_and(|uci| self.play(&uci, By::Player, String::new())) {
            self.publish();
            return;
        } else {
            "not a legal move"
        };
        self.record(EventKind::Refused, Some(By::Player), Some(text.into()), reason.into());
        // The page has the move on its board: it is shown the truth.
        self.publish();
    }

    fn bot_answered(&mut self, answer: Answer) {
        if answer.game != self.number || answer.ply != self.game.plies().len() || self.over.is_some() {
            return;
        }
        self.drop_flag();
        if self.over.is_none() {
            match answer.reply {
                Ok(reply) => {
                    self.play(&reply.uci, By::Bot, reply.detail);
                }
                Err(error) => {
                    let name = self.engines.name_of(self.setup.opponent);
                    eprintln!("torres: {name} cannot go on: {error}");
                    self.end(Ending::EngineFailed, Some(error.to_string()));
                }
            }
        }
        self.publish();
    }

    /// Plays a legal move and all that follows from it; false if it is not legal.
    fn play(&mut self, uci: &UciMove, by: By, detail: String) -> bool {
        let Some(ply) = self.game.play(uci) else {
            return false;
        };
        let played = ply.uci.to_string();
        if self.game.plies().len() >= FIRST_TIMED_PLY {
            self.clock.switch_to(self.game.position().turn(), Timestamp::now());
        }
        self.record(EventKind::Move, Some(by), Some(played), detail);
        self.end_by_rules();
        self.wake_bot();
        true
    }

    fn end_by_rules(&mut self) {
        if let Some(ending) = self.game.ending() {
            self.finish(ending);
        }
    }

    /// Ends the game if a flag has fallen by now.
    fn drop_flag(&mut self) {
        if let Some((color, at)) = self.clock.flag()
            && at <= Timestamp::now()
        {
            self.finish(self.game.flagged(color));
        }
    }

    fn finish(&mut self, ending: Ending) {
        self.end(ending, None);
    }

    fn end(&mut self, ending: Ending, why: Option<String>) {
        self.clock.stop(Timestamp::now());
        self.thought = JoinSet::new();
        let over = Over { ending, why };
        self.record(EventKind::Result, None, None, over.to_string());
        self.over = Some(over);
    }

    fn opponent_from(&self, level: Option<u8>, bot: Option<&str>) -> Result<Opponent, String> {
        match (level, bot) {
            (_, Some(name)) => self.engines.named(name),
            (Some(level), None) => Ok(Opponent::Level(
                LevelNumber::try_from(level).map_err(|e| e.to_string())?,
            )),
            (None, None) => Err("a new game needs a level or a bot's name".into()),
        }
    }

    /// Lets the bot think if it has the move and does not think already.
    fn wake_bot(&mut self) {
        let color = self.setup.player.other();
        let position = self.game.position();
        if !self.attended || self.over.is_some() || position.turn() != color || !self.thought.is_empty() {
            return;
        }
        let plies = self.game.plies();
        let turn = Turn {
            game: self.number,
            strength: self.engines.strength_of(self.setup.opponent),
            start_fen: torres_chess::fen(self.game.start()),
            moves: plies.iter().map(|ply| ply.uci.to_string()).collect(),
            position: position.clone(),
            own_moves: plies.iter().filter(|ply| ply.mover == color).count(),
            time_left: self.clock.remaining(color, Timestamp::now()),
        };
        let bot = Arc::clone(self.seats.of(self.setup.opponent));
        let due = Instant::now() + self.delay;
        self.thought.spawn(async move {
            let (game, ply) = (turn.game, turn.moves.len());
            let reply = reply(&mut *bot.lock().await, &turn).await;
            tokio::time::sleep_until(due).await;
            Answer { game, ply, reply }
        });
    }

    fn page_at_rest(&mut self, game: u32, ply: usize, t_ms: u64, fresh: bool) {
        // A page may report a move that was refused meanwhile, or a game that is no more.
        let Some(fen) = self.game.fen_at(ply).filter(|_| game == self.number) else {
            return;
        };
        let moved = ply
            .checked_sub(1)
            .and_then(|index| self.game.plies().get(index))
            .filter(|_| !fresh);
        let event = Event {
            t_ms,
            event: EventKind::AtRest,
            by: moved.map(|ply| self.by(ply.mover)),
            uci: moved.map(|ply| ply.uci.to_string()),
            fen,
            detail: String::from(if fresh { "shown anew" } else { "" }),
        };
        self.log.write(&event);
    }

    fn pointer(&mut self, t_ms: u64, pointer: &Pointer) {
        self.log.write(&Event {
            t_ms,
            event: EventKind::Pointer,
            by: Some(By::Player),
            uci: None,
            fen: self.game.fen(),
            detail: serde_json::to_string(pointer).unwrap_or_default(),
        });
    }

    fn by(&self, mover: Color) -> By {
        if mover == self.setup.player {
            By::Player
        } else {
            By::Bot
        }
    }

    fn record(&mut self, event: EventKind, by: Option<By>, uci: Option<String>, detail: String) {
        self.log.write(&Event {
            t_ms: now_ms(),
            event,
            by,
            uci,
            fen: self.game.fen(),
            detail,
        });
    }

    fn publish(&self) {
        let state = super::view::state(
            self.number,
            (&self.setup, &self.engines),
            &self.game,
            &self.clock,
            self.over.as_ref(),
        );
        if let Ok(text) = serde_json::to_string(&ToPage::State(Box::new(state))) {
            self.shown.send_replace(text.into());
        }
    }
}

async fn reply<T: Thinker>(bot: &mut Bot<T>, turn: &Turn) -> Result<Reply, BotError> {
    if turn.own_moves == 0 {
        bot.new_game().await?;
    }
    bot.reply(turn).await
}

/// Waits until `at`, or for ever. Timers stand still while the machine sleeps, so that the clock is asked again now and
/// then.
async fn until(at: Option<Timestamp>) {
    let Some(at) = at else {
        return std::future::pending().await;
    };
    loop {
        let left = at.since(Timestamp::now());
        if left.is_zero() {
            return;
        }
        tokio::time::sleep(left.min(ASKED_EVERY)).await;
    }
}
