//! Asks an engine for moves, and replaces it when it dies, falls silent or babbles.

use super::answer;
use super::client::EngineClient;
use super::framing::encode;
use super::messages::{BestMove, FromEngine, Go, Limits, ToEngine};
use super::{Fault, Launch, ThinkError, ThinkEvent, Thinker};
use shakmaty::{Chess, Color, Position};
use std::time::Duration;
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep_until, timeout};

/// How patient a supervisor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// How often a thinking engine is pinged.
    pub ping_every: Duration,
    /// After how many times that long without an answer it counts as frozen. Counted in our own ticks, so that time
    /// in which this process itself did not run is not held against the engine.
    pub patience: u32,
    /// How far past its limits a search may go before it is told to stop.
    pub grace: Duration,
    /// How long it may take to answer after that.
    pub after_stop: Duration,
    /// After how many failures in a row to give up.
    pub failures: u32,
}

impl Default for Policy {
    /// Frozen after 1 to 1.25 s of silence; told to stop 300 ms past its limits, lost 500 ms later; three failures.
    fn default() -> Policy {
        Policy {
            ping_every: Duration::from_millis(250),
            patience: 4,
            grace: Duration::from_millis(300),
            after_stop: Duration::from_millis(500),
            failures: 3,
        }
    }
}

/// A further check of answers: what is wrong with this one to this question.
pub type Validator = Box<dyn Fn(&Go, &BestMove) -> Result<(), String> + Send + Sync>;

/// A [`Thinker`] that keeps an engine running and gets an answer out of it.
///
/// The engine is started when it is first needed. Answers for another position and illegal moves count as babble, so
/// what [`think`](Thinker::think) returns has been checked by [`answer::check`]. Any [`Launch`] can be supervised:
/// both our engine and a UCI one are plain `Supervisor`s.
pub struct Supervisor {
    launcher: Box<dyn Launch>,
    policy: Policy,
    validator: Option<Validator>,
    engine: Option<EngineClient>,
    /// Ids of searches and pings count up through all engines, so that a late answer is known as such.
    next_id: u64,
    /// A search whose user is gone and whose answer is still to come.
    unanswered: Option<u64>,
}

/// Why one attempt gave no answer.
enum Setback {
    /// The engine failed: replace it.
    Failed(String),
    /// There is no engine.
    NotStarted(String),
    /// The engine is well and does not want to.
    Refused(String),
}

impl Supervisor {
    /// A supervisor of the engines that this launcher starts.
    pub fn new(launcher: impl Launch + 'static) -> Supervisor {
        Supervisor {
            launcher: Box::new(launcher),
            policy: Policy::default(),
            validator: None,
            engine: None,
            next_id: 1,
            unanswered: None,
        }
    }

    /// With another patience.
    pub fn with_policy(self, policy: Policy) -> Supervisor {
        Supervisor { policy, ..self }
    }

    /// With a further check of its answers; an answer that fails it counts as babble.
    pub fn with_validator(
        self,
        validator: impl Fn(&Go, &BestMove) -> Result<(), String> + Send + Sync + 'static,
    ) -> Supervisor {
        Supervisor {
            validator: Some(Box::new(validator)),
            ..self
        }
    }

    /// The process id of the running engine, if there is one.
    pub fn engine_process(&self) -> Option<u32> {
        self.engine.as_ref().and_then(EngineClient::process_id)
    }

    /// The name of the running engine, if there is one.
    pub fn engine_name(&self) -> Option<&str> {
        self.engine.as_ref().map(EngineClient::name)
    }

    fn fresh_id(&mut self) -> u64 {
        self.next_id += 1;
        self.next_id - 1
    }

    /// Sees to it that an engine runs and owes no answer.
    async fn ready(&mut self) -> Result<(), Setback> {
        if let Some(id) = self.unanswered {
            self.settle(id).await?;
            self.unanswered = None;
        }
        if self.engine.is_none() {
            self.engine = Some(self.launcher.launch().await.map_err(Setback::NotStarted)?);
        }
        Ok(())
    }

    /// Waits for the end of a search that was told to stop.
    async fn settle(&mut self, id: u64) -> Result<(), Setback> {
        let Some(engine) = &mut self.engine else { return Ok(()) };
        let answered = async {
            loop {
                match engine.receive().await {
                    Ok(FromEngine::BestMove(answer)) if answer.id == id => return Ok(()),
                    Ok(FromEngine::Error { id: of, .. }) if of == Some(id) => return Ok(()),
                    Ok(_) => {}
                    Err(fault) => return Err(Setback::Failed(fault.to_string())),
                }
            }
        };
        let late = || Setback::Failed(format!("the engine did not stop within {:?}", self.policy.after_stop));
        timeout(self.policy.after_stop, answered)
            .await
            .unwrap_or_else(|_| Err(late()))
    }

    /// Ends the engine; the reason, with how the process ended where it did so by itself.
    async fn bury(&mut self, reason: String) -> String {
        self.unanswered = None;
        let gone = reason == Fault::Gone.to_string();
        match self.engine.take() {
            Some(engine) if gone => match engine.post_mortem().await {
                Some(ended) => format!("{reason}: {ended}"),
                None => reason,
            },
            // Dropping it kills it.
            _ => reason,
        }
    }

    /// Asks once. `replaced` is why the engine before this one was given up.
    async fn ask(
        &mut self,
        go: &Go,
        position: &Chess,
        replaced: &mut Option<String>,
        on_event: &mut (dyn FnMut(ThinkEvent) + Send),
    ) -> Result<BestMove, Setback> {
        self.ready().await?;
        let go = Go {
            id: self.fresh_id(),
            ..go.clone()
        };
        let failed = |fault: Fault| Setback::Failed(fault.to_string());
        let engine = self.engine.as_ref().ok_or_else(|| failed(Fault::Gone))?;
        let stop = engine.stop_on_drop(go.id);
        engine.go(go.clone()).map_err(failed)?;
        self.unanswered = Some(go.id);
        if let Some(reason) = replaced.take() {
            on_event(ThinkEvent::Restarted(reason));
        }
        let answer = self.watch(&go, position.turn(), on_event).await?;
        stop.disarm();
        self.unanswered = None;
        answer::check(position, &answer).map_err(|why| failed(Fault::Babble(why)))?;
        if let Some(validator) = &self.validator {
            validator(&go, &answer).map_err(|why| failed(Fault::Babble(why)))?;
        }
        Ok(answer)
    }

    /// Waits for the answer, with an eye on the clock and an ear for signs of life.
    async fn watch(
        &mut self,
        go: &Go,
        turn: Color,
        on_event: &mut (dyn FnMut(ThinkEvent) + Send),
    ) -> Result<BestMove, Setback> {
        let policy = self.policy;
        let began = Instant::now();
        let mut pings = interval_at(began + policy.ping_every, policy.ping_every);
        pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut unheard: Option<(u64, u32)> = None;
        let mut deadline = longest(go, turn, policy.grace).map(|longest| began + longest);
        let mut told_to_stop = false;
        loop {
            let newest = self.next_id;
            let Some(engine) = &mut self.engine else {
                return Err(Setback::Failed(Fault::Gone.to_string()));
            };
            tokio::select! {
                message = engine.receive() => match message {
                    Ok(FromEngine::BestMove(answer)) if answer.id == go.id => return Ok(answer),
                    Ok(FromEngine::Info(info)) if info.id == go.id => on_event(ThinkEvent::Info(info)),
                    Ok(FromEngine::Error { id: Some(id), message }) if id == go.id => {
                        self.unanswered = None;
                        return Err(Setback::Refused(message));
                    }
                    Ok(FromEngine::Pong { id }) if unheard.is_some_and(|(ping, _)| ping == id) => unheard = None,
                    Ok(other) => no_surprise(&other, newest)?,
                    Err(fault) => return Err(Setback::Failed(fault.to_string())),
                },
                _ = pings.tick() => match &mut unheard {
                    Some((_, ticks)) => {
                        *ticks += 1;
                        if *ticks >= policy.patience {
                            let silence = policy.ping_every * policy.patience;
                            return Err(Setback::Failed(format!("the engine did not answer a ping for {silence:?}")));
                        }
                    }
                    None => {
                        let id = self.next_id;
                        self.next_id += 1;
                        unheard = Some((id, 0));
                        engine.ping(id).map_err(|fault| Setback::Failed(fault.to_string()))?;
                    }
                },
                () = sleep_until(deadline.unwrap_or(began)), if deadline.is_some() => {
                    if told_to_stop {
                        let spent = began.elapsed();
                        return Err(Setback::Failed(format!("the engine did not answer in time, nor to stop ({spent:?})")));
                    }
                    told_to_stop = true;
                    deadline = Some(Instant::now() + policy.after_stop);
                    engine.stop(go.id).map_err(|fault| Setback::Failed(fault.to_string()))?;
                }
            }
        }
    }
}

/// Late answers to earlier questions are dropped; answers to questions never asked are babble.
fn no_surprise(message: &FromEngine, newest: u64) -> Result<(), Setback> {
    let babble = |what: String| Err(Setback::Failed(Fault::Babble(what).to_string()));
    match message {
        FromEngine::Hello { .. } => Ok(()),
        FromEngine::Error { id: None, message } => babble(format!("it does not understand us ({message})")),
        FromEngine::Info(super::messages::Info { id, .. })
        | FromEngine::BestMove(BestMove { id, .. })
        | FromEngine::Pong { id }
        | FromEngine::Error { id: Some(id), .. } => {
            if *id < newest {
                return Ok(());
            }
            babble(format!("it answers question {id}, which was not asked"))
        }
    }
}

/// After what time a search is told to stop, counted from the question; `None` where no limit of time was given.
///
/// No engine that manages its time should want more than half of what is left on the clock for one move.
fn longest(go: &Go, turn: Color, grace: Duration) -> Option<Duration> {
    if go.ponder || go.infinite {
        return None;
    }
    let clock = turn.fold_wb(go.limits.white_ms, go.limits.black_ms);
    let half = clock.map(|left| Duration::from_millis(left / 2));
    let asked = go.limits.move_ms.map(|asked| Duration::from_millis(asked) + grace);
    half.into_iter().chain(asked).min()
}

/// The limits when a part of the time has gone already; something always remains to answer in.
fn reduced(limits: Limits, turn: Color, gone: Duration) -> Limits {
    /// A quick look, in ms.
    const LEAST: u64 = 100;
    let gone = u64::try_from(gone.as_millis()).unwrap_or(u64::MAX);
    let less = |time: Option<u64>| time.map(|time| time.saturating_sub(gone).max(time.min(LEAST)));
    let mut limits = Limits {
        move_ms: less(limits.move_ms),
        ..limits
    };
    match turn {
        Color::White => limits.white_ms = less(limits.white_ms),
        Color::Black => limits.black_ms = less(limits.black_ms),
    }
    limits
}

impl Thinker for Supervisor {
    async fn new_game(&mut self) -> Result<(), ThinkError> {
        let mut last = String::new();
        for _ in 0..self.policy.failures {
            match self.ready().await {
                Ok(()) => match self.engine.as_ref().map(|engine| engine.send(ToEngine::NewGame)) {
                    Some(Ok(())) => return Ok(()),
                    _ => last = self.bury(Fault::Gone.to_string()).await,
                },
                Err(Setback::NotStarted(why)) => return Err(ThinkError::Start(why)),
                Err(Setback::Failed(why) | Setback::Refused(why)) => last = self.bury(why).await,
            }
        }
        Err(ThinkError::GaveUp {
            failures: self.policy.failures,
            last,
        })
    }

    async fn think(&mut self, go: Go, on_event: &mut (dyn FnMut(ThinkEvent) + Send)) -> Result<BestMove, ThinkError> {
        let position = answer::position_of(&go).map_err(ThinkError::Refused)?;
        encode(&ToEngine::Go(Go {
            id: u64::MAX,
            ..go.clone()
        }))
        .map_err(ThinkError::Refused)?;
        let id = go.id;
        let mut on_event = |event| {
            on_event(match event {
                ThinkEvent::Info(info) => ThinkEvent::Info(super::messages::Info { id, ..info }),
                restarted => restarted,
            });
        };
        let began = Instant::now();
        let mut replaced = None;
        let mut failures = 0;
        loop {
            let limits = if failures == 0 {
                go.limits
            } else {
                reduced(go.limits, position.turn(), began.elapsed())
            };
            let asked = Go { limits, ..go.clone() };
            let setback = match self.ask(&asked, &position, &mut replaced, &mut on_event).await {
                Ok(answer) => return Ok(BestMove { id, ..answer }),
                Err(setback) => setback,
            };
            failures += 1;
            let last = failures >= self.policy.failures;
            match setback {
                Setback::Refused(why) => return Err(ThinkError::Refused(why)),
                Setback::NotStarted(why) if last => return Err(ThinkError::Start(why)),
                Setback::NotStarted(why) => drop(replaced.get_or_insert(why)),
                Setback::Failed(why) => {
                    let why = self.bury(why).await;
                    if last {
                        return Err(ThinkError::GaveUp { failures, last: why });
                    }
                    replaced = Some(why);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(limits: Limits) -> Go {
        Go {
            id: 1,
            fen: String::new(),
            moves: vec![],
            limits,
            elo: None,
            style: None,
            ponder: false,
            infinite: false,
        }
    }

    #[test]
    fn the_nearer_limit_of_time_decides_when_to_stop() {
        let grace = Duration::from_millis(300);
        let clocks = Limits {
            white_ms: Some(60_000),
            black_ms: Some(1_000),
            ..Limits::default()
        };
        assert_eq!(longest(&go(clocks), Color::White, grace), Some(Duration::from_secs(30)));
        assert_eq!(
            longest(&go(clocks), Color::Black, grace),
            Some(Duration::from_millis(500))
        );
        let both = Limits {
            move_ms: Some(1_000),
            ..clocks
        };
        assert_eq!(
            longest(&go(both), Color::White, grace),
            Some(Duration::from_millis(1_300))
        );
        assert_eq!(
            longest(&go(both), Color::Black, grace),
            Some(Duration::from_millis(500))
        );
        assert_eq!(
            longest(
                &go(Limits {
                    depth: Some(9),
                    ..Limits::default()
                }),
                Color::White,
                grace
            ),
            None
        );
        assert_eq!(
            longest(
                &Go {
                    ponder: true,
                    ..go(both)
                },
                Color::White,
                grace
            ),
            None
        );
        assert_eq!(
            longest(
                &Go {
                    infinite: true,
                    ..go(both)
                },
                Color::White,
                grace
            ),
            None
        );
    }

    #[test]
    fn time_that_is_gone_is_taken_from_the_side_to_move_only() {
        let limits = Limits {
            white_ms: Some(5_000),
            black_ms: Some(5_000),
            white_inc_ms: Some(10),
            move_ms: Some(1_000),
            ..Limits::default()
        };
        let after = reduced(limits, Color::White, Duration::from_millis(600));
        assert_eq!(
            after,
            Limits {
                white_ms: Some(4_400),
                move_ms: Some(400),
                ..limits
            }
        );
        let late = reduced(limits, Color::Black, Duration::from_secs(60));
        assert_eq!(
            late,
            Limits {
                black_ms: Some(100),
                move_ms: Some(100),
                ..limits
            }
        );
        let short = Limits {
            move_ms: Some(20),
            ..Limits::default()
        };
        assert_eq!(
            reduced(short, Color::White, Duration::from_secs(60)),
            short,
            "never more than was asked"
        );
    }

    #[test]
    fn late_answers_are_dropped_and_unasked_ones_are_babble() {
        let pong = |id| FromEngine::Pong { id };
        assert!(no_surprise(&pong(4), 5).is_ok());
        assert!(no_surprise(&pong(5), 5).is_err());
        let error = |id| FromEngine::Error {
            id,
            message: String::new(),
        };
        assert!(no_surprise(&error(Some(4)), 5).is_ok());
        assert!(no_surprise(&error(None), 5).is_err());
    }
}
