//! A search on the opponent's time: whatever becomes of it, nothing is said of it before the move that it expects is
//! played.

use super::{AttemptError, Before, Supervisor, asked_about, with_id};
use crate::messages::{BestMove, Go};
use crate::{ThinkError, ThinkEvent};
use std::pin::Pin;
use tokio::time::Instant;

/// The move that the opponent is expected to play.
pub(super) struct Expected<'a> {
    hit: Pin<&'a mut (dyn Future<Output = Instant> + Send)>,
    since: Option<Instant>,
}

impl<'a> Expected<'a> {
    /// It has been played when this resolves, to the moment since which it has.
    pub(crate) fn by(hit: Pin<&'a mut (dyn Future<Output = Instant> + Send)>) -> Expected<'a> {
        Expected { hit, since: None }
    }

    /// Whether it was seen played.
    pub(crate) fn has_come(&self) -> bool {
        self.since.is_some()
    }

    /// Waits until it is played; since when it is. Cancel-safe.
    async fn come(&mut self) -> Instant {
        match self.since {
            Some(since) => since,
            None => {
                let since = self.hit.as_mut().await;
                self.since = Some(since);
                since
            }
        }
    }
}

/// Waits for the expected move, if one is expected. Cancel-safe.
pub(super) async fn until_hit(expected: &mut Option<&mut Expected<'_>>) -> Instant {
    match expected {
        Some(expected) => expected.come().await,
        None => std::future::pending().await,
    }
}

impl Supervisor {
    /// Asks on the opponent's time, and after the hit until there is an answer.
    pub(super) async fn ponder_until(
        &mut self,
        go: &Go,
        mut expected: Expected<'_>,
        on_event: &mut (dyn FnMut(ThinkEvent) + Send),
    ) -> Result<BestMove, ThinkError> {
        self.failures = 0;
        let [pondered, asked] = [true, false].map(|ponder| Go { ponder, ..go.clone() });
        let position = match asked_about(&asked) {
            Ok(position) => position,
            Err(error) => {
                expected.come().await;
                return Err(error);
            }
        };
        let error = {
            let mut on_event = with_id(go.id, on_event);
            let expected = Some(&mut expected);
            match self.ask(&pondered, &position, expected, &mut on_event).await {
                Ok(answer) => return Ok(BestMove { id: go.id, ..answer }),
                Err(error) => error,
            }
        };
        let before = match expected.since {
            Some(since) => Before {
                since: Some(since),
                error: Some(error),
            },
            None => {
                self.replace(error, on_event).await;
                Before {
                    since: Some(expected.come().await),
                    error: None,
                }
            }
        };
        self.insist(&asked, &position, before, on_event).await
    }

    /// Starts another engine for one that failed before its answer could be of use. It is not asked to ponder again:
    /// what made the first one fail may make the second. Where the opponent moves meanwhile, or none can be started,
    /// the next question does it.
    async fn replace(&mut self, error: AttemptError, on_event: &mut (dyn FnMut(ThinkEvent) + Send)) {
        let AttemptError::Failed(fault) = error else { return };
        self.end_engine(fault).await;
        if self.ready().await.is_ok()
            && let Some(why) = self.unreported.take()
        {
            on_event(ThinkEvent::Restarted(why));
        }
    }
}
