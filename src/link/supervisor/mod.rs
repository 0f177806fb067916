//! Asks an engine for moves, and replaces it when it dies, falls silent or babbles.

mod pondering;

use super::answer;
use super::client::EngineClient;
use super::framing::encode;
use super::messages::{BestMove, FromEngine, Go, Info, ToEngine};
use super::policy::{Policy, longest, reduced};
use super::{Fault, Launch, ThinkError, ThinkEvent, Thinker};
use pondering::{Expected, until_hit};
use shakmaty::{Chess, Position};
use std::time::Duration;
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep_until, timeout};

/// A [`Thinker`] that keeps an engine running and gets an answer out of it.
///
/// The engine is started when it is first needed. Answers for another position and illegal moves count as babble, so
/// what [`think`](Thinker::think) returns has been checked by [`answer::check`]. Any [`Launch`] can be supervised:
/// both our engine and a UCI one are plain `Supervisor`s.
pub struct Supervisor {
    launcher: Box<dyn Launch>,
    policy: Policy,
    engine: Option<EngineClient>,
    /// Ids of searches and pings count up through all engines, so that a late answer is known as such.
    next_id: u64,
    /// A search whose user is gone and whose answer is still to come.
    unanswered: Option<u64>,
    /// How often the present question has failed.
    failures: u32,
    /// Why the last engine was given up, if nobody has been told yet: who asked may have gone meanwhile.
    unreported: Option<String>,
}

/// Why one attempt gave no answer.
enum AttemptError {
    /// The engine failed: replace it.
    Failed(Fault),
    /// There is no engine.
    NotStarted(String),
    /// The engine is well and does not want to.
    Refused(String),
}

impl From<Fault> for AttemptError {
    fn from(fault: Fault) -> AttemptError {
        AttemptError::Failed(fault)
    }
}

impl Supervisor {
    /// A supervisor of the engines that this launcher starts.
    pub fn new(launcher: impl Launch + 'static) -> Supervisor {
        Supervisor {
            launcher: Box::new(launcher),
            policy: Policy::default(),
            engine: None,
            next_id: 1,
            unanswered: None,
            failures: 0,
            unreported: None,
        }
    }

    /// With another patience.
    pub fn with_policy(self, policy: Policy) -> Supervisor {
        Supervisor { policy, ..self }
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
    async fn ready(&mut self) -> Result<(), AttemptError> {
        if let Some(id) = self.unanswered {
            self.settle(id).await?;
            self.unanswered = None;
        }
        if self.engine.is_none() {
            self.engine = Some(self.launcher.launch().await.map_err(AttemptError::NotStarted)?);
        }
        Ok(())
    }

    /// Waits for the end of a search that was told to stop.
    async fn settle(&mut self, id: u64) -> Result<(), Fault> {
        let Some(engine) = &mut self.engine else { return Ok(()) };
        let answered = async {
            loop {
                match engine.receive().await? {
                    FromEngine::BestMove(answer) if answer.id == id => return Ok(()),
                    FromEngine::Error { id: of, .. } if of == Some(id) => return Ok(()),
                    _ => {}
                }
            }
        };
        let late = || Fault::Silent(format!("it did not stop within {:?}", self.policy.after_stop));
        timeout(self.policy.after_stop, answered)
            .await
            .unwrap_or_else(|_| Err(late()))
    }

    /// Ends the engine and returns why, with how the process ended where it did so by itself.
    async fn end_engine(&mut self, fault: Fault) -> String {
        self.unanswered = None;
        let mut why = fault.to_string();
        self.unreported = Some(why.clone());
        // Dropping it kills it.
        if let (Some(engine), Fault::Gone) = (self.engine.take(), fault)
            && let Some(ended) = engine.post_mortem().await
        {
            why = format!("{why}: {ended}");
            self.unreported = Some(why.clone());
        }
        why
    }

    /// Asks once; on the opponent's time where something is `expected` of them.
    async fn ask(
        &mut self,
        go: &Go,
        position: &Chess,
        expected: Option<&mut Expected<'_>>,
        on_event: &mut (dyn FnMut(ThinkEvent) + Send),
    ) -> Result<BestMove, AttemptError> {
        self.ready().await?;
        let id = self.fresh_id();
        let go = Go { id, ..go.clone() };
        let engine = self.engine.as_ref().ok_or(Fault::Gone)?;
        // From here on the search ends with this future, whatever becomes of it.
        let stop = engine.stop_on_drop(id);
        engine.go(go.clone())?;
        self.unanswered = Some(id);
        if let Some(reason) = self.unreported.take() {
            on_event(ThinkEvent::Restarted(reason));
        }
        let answer = self.watch(&go, position, expected, on_event).await?;
        stop.disarm();
        Ok(answer)
    }

    /// Waits for the answer: stops a search that takes too long, pings the engine and gives up one that does not reply.
    async fn watch(
        &mut self,
        go: &Go,
        position: &Chess,
        mut expected: Option<&mut Expected<'_>>,
        on_event: &mut (dyn FnMut(ThinkEvent) + Send),
    ) -> Result<BestMove, AttemptError> {
        let clock = position.turn().fold_wb(go.limits.white_ms, go.limits.black_ms);
        let policy = self.policy.after(self.failures, clock.map(Duration::from_millis));
        let began = Instant::now();
        let mut pings = interval_at(began + policy.ping_every, policy.ping_every);
        pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut unheard: Option<UnheardPing> = None;
        let mut deadline = longest(go, position.turn(), policy.grace).map(|longest| began + longest);
        let mut told_to_stop = false;
        // An answer that came before the opponent's move: it is good for nothing until that is the expected one.
        let mut early: Option<BestMove> = None;
        loop {
            let engine = self.engine.as_mut().ok_or(Fault::Gone)?;
            tokio::select! {
                message = engine.receive() => match message? {
                    FromEngine::BestMove(answer) if answer.id == go.id && early.is_none() => {
                        self.unanswered = None;
                        answer::check(position, &answer).map_err(Fault::Babble)?;
                        match &expected {
                            Some(waiting) if !waiting.has_come() => early = Some(answer),
                            _ => return Ok(answer),
                        }
                    }
                    FromEngine::Info(info) if info.id == go.id => on_event(ThinkEvent::Info(info)),
                    FromEngine::Error { id, message } if id == Some(go.id) => {
                        self.unanswered = None;
                        return Err(AttemptError::Refused(message));
                    }
                    FromEngine::Pong { id } if unheard.as_ref().is_some_and(|ping| ping.id == id) => unheard = None,
                    other => no_surprise(&other, self.next_id)?,
                },
                since = until_hit(&mut expected), if expected.as_ref().is_some_and(|waiting| !waiting.has_come()) => {
                    if let Some(answer) = early.take() {
                        return Ok(answer);
                    }
                    let counting = Go { ponder: false, ..go.clone() };
                    deadline = longest(&counting, position.turn(), policy.grace).map(|longest| since + longest);
                    engine.ponder_hit(go.id)?;
                }
                _ = pings.tick() => self.ping(&mut unheard, &policy)?,
                () = sleep_until(deadline.unwrap_or(began)), if deadline.is_some() => {
                    if told_to_stop {
                        let spent = began.elapsed().as_millis();
                        return Err(Fault::Silent(format!("it answered neither in time nor to stop, {spent} ms")).into());
                    }
                    told_to_stop = true;
                    deadline = Some(Instant::now() + policy.after_stop);
                    engine.stop(go.id)?;
                }
            }
        }
    }

    /// A ping is due: it is sent, or counted where the one before is not answered yet.
    fn ping(&mut self, unheard: &mut Option<UnheardPing>, policy: &Policy) -> Result<(), AttemptError> {
        match unheard {
            Some(ping) => {
                ping.ticks += 1;
                if ping.ticks >= policy.patience {
                    let silence = policy.ping_every * policy.patience;
                    return Err(Fault::Silent(format!("it did not answer a ping for {silence:?}")).into());
                }
            }
            None => {
                let id = self.fresh_id();
                *unheard = Some(UnheardPing { id, ticks: 0 });
                self.engine.as_ref().ok_or(Fault::Gone)?.ping(id)?;
            }
        }
        Ok(())
    }
}

/// A ping without its pong, and for how many ticks so far.
struct UnheardPing {
    id: u64,
    ticks: u32,
}

/// Late answers to earlier questions are dropped; answers to questions never asked are babble.
fn no_surprise(message: &FromEngine, next_id: u64) -> Result<(), Fault> {
    let id = match message {
        FromEngine::Hello { .. } => return Ok(()),
        FromEngine::Error { id: None, message } => {
            return Err(Fault::Babble(format!("it does not understand us ({message})")));
        }
        FromEngine::Error { id: Some(id), .. } | FromEngine::Pong { id } => *id,
        FromEngine::Info(info) => info.id,
        FromEngine::BestMove(answer) => answer.id,
    };
    if id < next_id {
        return Ok(());
    }
    Err(Fault::Babble(format!("it answers question {id}, which was not asked")))
}

impl Thinker for Supervisor {
    async fn new_game(&mut self) -> Result<(), ThinkError> {
        let mut last = String::new();
        for _ in 0..self.policy.failures {
            match self.ready().await {
                Ok(()) => match self.engine.as_ref().map(|engine| engine.send(ToEngine::NewGame)) {
                    Some(Ok(())) => return Ok(()),
                    _ => last = self.end_engine(Fault::Gone).await,
                },
                Err(AttemptError::NotStarted(why)) => return Err(ThinkError::Start(why)),
                Err(AttemptError::Refused(why)) => return Err(ThinkError::Refused(why)),
                Err(AttemptError::Failed(fault)) => last = self.end_engine(fault).await,
            }
        }
        Err(ThinkError::GaveUp {
            failures: self.policy.failures,
            last,
        })
    }

    async fn think(&mut self, go: Go, on_event: &mut (dyn FnMut(ThinkEvent) + Send)) -> Result<BestMove, ThinkError> {
        let position = asked_about(&go)?;
        self.insist(&go, &position, Before::default(), on_event).await
    }

    fn can_ponder(&self) -> bool {
        self.engine.as_ref().is_some_and(EngineClient::can_ponder)
    }

    async fn ponder(
        &mut self,
        go: Go,
        hit: impl Future<Output = Instant> + Send,
        on_event: &mut (dyn FnMut(ThinkEvent) + Send),
    ) -> Result<BestMove, ThinkError> {
        let mut hit = std::pin::pin!(hit);
        self.ponder_until(&go, Expected::by(hit.as_mut()), on_event).await
    }
}

/// What has gone before a question is asked.
#[derive(Default)]
struct Before {
    /// Since when its limits count, where that is not now.
    since: Option<Instant>,
    /// Why it has not been answered yet.
    error: Option<AttemptError>,
}

impl Supervisor {
    /// Asks until there is an answer, or it has been tried often enough.
    async fn insist(
        &mut self,
        go: &Go,
        position: &Chess,
        before: Before,
        on_event: &mut (dyn FnMut(ThinkEvent) + Send),
    ) -> Result<BestMove, ThinkError> {
        let mut on_event = with_id(go.id, on_event);
        let Before { since, mut error } = before;
        let began = since.unwrap_or_else(Instant::now);
        self.failures = 0;
        loop {
            if let Some(error) = error.take() {
                self.failures += 1;
                let failures = self.failures;
                let last = failures >= self.policy.failures;
                match error {
                    AttemptError::Refused(why) => return Err(ThinkError::Refused(why)),
                    AttemptError::NotStarted(why) if last => return Err(ThinkError::Start(why)),
                    AttemptError::NotStarted(why) => drop(self.unreported.get_or_insert(why)),
                    AttemptError::Failed(fault) => {
                        let why = self.end_engine(fault).await;
                        if last {
                            self.unreported = None;
                            return Err(ThinkError::GaveUp { failures, last: why });
                        }
                    }
                }
            }
            let limits = match self.failures {
                0 if since.is_none() => go.limits,
                _ => reduced(go.limits, position.turn(), began.elapsed()),
            };
            let asked = Go { limits, ..go.clone() };
            match self.ask(&asked, position, None, &mut on_event).await {
                Ok(answer) => return Ok(BestMove { id: go.id, ..answer }),
                Err(why) => error = Some(why),
            }
        }
    }
}

/// The position that a question is about, if it can be asked.
fn asked_about(go: &Go) -> Result<Chess, ThinkError> {
    let position = answer::position_of(go).map_err(ThinkError::Refused)?;
    let longest_id = Go {
        id: u64::MAX,
        ..go.clone()
    };
    encode(&ToEngine::Go(longest_id)).map_err(ThinkError::Refused)?;
    Ok(position)
}

/// Tells how a search goes under the asker's id.
fn with_id(id: u64, on_event: &mut (dyn FnMut(ThinkEvent) + Send)) -> impl FnMut(ThinkEvent) + Send {
    move |event| {
        on_event(match event {
            ThinkEvent::Info(info) => ThinkEvent::Info(Info { id, ..info }),
            restarted => restarted,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
