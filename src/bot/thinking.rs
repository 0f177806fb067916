//! The engine's task: one question at a time, dropped as soon as the next one comes.

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tokio::time::Instant;
use torres_link::messages::{BestMove, Go, Score};
use torres_link::{ThinkError, ThinkEvent, Thinker};

/// How the engine sees the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thought {
    /// From White's view.
    pub score: Score,
    /// In plies.
    pub depth: u32,
}

/// What the task is told.
#[derive(Debug)]
enum Question {
    NewGame,
    Go(Go),
    /// The move was played that the search with this id ponders on.
    Hit(u64, Instant),
    Drop,
}

/// What the task tells.
#[derive(Debug)]
pub enum News {
    /// How the search goes, or that the engine was replaced.
    Event(ThinkEvent),
    /// The answer to the last question. It has a reply to ponder on only where the engine can.
    Answer(BestMove),
    /// The engine failed for good.
    Failed(ThinkError),
}

/// A handle to the task. Dropping it ends the task and its engine.
pub struct Thinking {
    questions: UnboundedSender<Question>,
    news: UnboundedReceiver<News>,
}

impl Thinking {
    /// Starts the task on the current runtime.
    pub fn start<T: Thinker + 'static>(thinker: T) -> Thinking {
        let (questions, asked) = unbounded_channel();
        let (tell, news) = unbounded_channel();
        tokio::spawn(serve(thinker, asked, tell));
        Thinking { questions, news }
    }

    /// What was learned of the last game is forgotten.
    pub fn new_game(&self) {
        self.send(Question::NewGame);
    }

    /// Asks; a question still open is dropped. One that ponders has no answer before its
    /// [`ponder_hit`](Self::ponder_hit).
    pub fn ask(&self, go: Go) {
        self.send(Question::Go(go));
    }

    /// The move was played that this question ponders on; its limits count from now. Another question is not touched.
    pub fn ponder_hit(&self, id: u64) {
        self.send(Question::Hit(id, Instant::now()));
    }

    /// Drops the open question.
    pub fn drop_question(&self) {
        self.send(Question::Drop);
    }

    fn send(&self, question: Question) {
        // The task ends only with this handle; after its panic, `next` says so.
        let _ = self.questions.send(question);
    }

    /// The next news; `None` when the task is gone.
    pub async fn next(&mut self) -> Option<News> {
        self.news.recv().await
    }
}

async fn serve<T: Thinker>(mut thinker: T, mut asked: UnboundedReceiver<Question>, tell: UnboundedSender<News>) {
    let mut waiting = None;
    loop {
        let question = match waiting.take() {
            Some(question) => question,
            None => match asked.recv().await {
                Some(question) => question,
                None => return,
            },
        };
        let news = match question {
            Question::Drop | Question::Hit(..) => continue,
            Question::NewGame => match thinker.new_game().await {
                Ok(()) => continue,
                Err(error) => News::Failed(error),
            },
            Question::Go(go) => match answer_or_next(&mut thinker, go, &mut asked, &tell).await {
                Ok(Ok(best)) => News::Answer(BestMove {
                    ponder: best.ponder.filter(|_| thinker.can_ponder()),
                    ..best
                }),
                Ok(Err(error)) => News::Failed(error),
                Err(Some(next)) => {
                    waiting = Some(next);
                    continue;
                }
                Err(None) => return,
            },
        };
        if tell.send(news).is_err() {
            return;
        }
    }
}

/// What comes of a question; or the next one, before which it was dropped (`None`: nobody asks any more).
async fn answer_or_next<T: Thinker>(
    thinker: &mut T,
    go: Go,
    asked: &mut UnboundedReceiver<Question>,
    tell: &UnboundedSender<News>,
) -> Result<Result<BestMove, ThinkError>, Option<Question>> {
    let mut on_event = |event| {
        let _ = tell.send(News::Event(event));
    };
    let id = go.id;
    let (hit, played) = oneshot::channel();
    let mut hit = Some(hit);
    let answer = async {
        match go.ponder {
            true => thinker.ponder(go, moment_of(played), &mut on_event).await,
            false => thinker.think(go, &mut on_event).await,
        }
    };
    tokio::pin!(answer);
    loop {
        tokio::select! {
            answer = &mut answer => return Ok(answer),
            next = asked.recv() => match next {
                Some(Question::Hit(of, at)) => {
                    if let Some(hit) = hit.take_if(|_| of == id) {
                        // Nobody waits for it where nothing is pondered.
                        hit.send(at).ok();
                    }
                }
                next => return Err(next),
            },
        }
    }
}

/// When the expected move was played; never, where nobody can tell any more.
async fn moment_of(played: oneshot::Receiver<Instant>) -> Instant {
    match played.await {
        Ok(at) => at,
        Err(_) => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use torres_link::messages::Limits;

    /// Answers a question that ponders as soon as it is hit, and tells when that was.
    struct AtAHit(UnboundedSender<Instant>);

    impl Thinker for AtAHit {
        async fn new_game(&mut self) -> Result<(), ThinkError> {
            Ok(())
        }

        async fn think(&mut self, _: Go, _: &mut (dyn FnMut(ThinkEvent) + Send)) -> Result<BestMove, ThinkError> {
            std::future::pending().await
        }

        fn can_ponder(&self) -> bool {
            true
        }

        async fn ponder(
            &mut self,
            go: Go,
            hit: impl Future<Output = Instant> + Send,
            _: &mut (dyn FnMut(ThinkEvent) + Send),
        ) -> Result<BestMove, ThinkError> {
            self.0.send(hit.await).expect("somebody listens");
            Ok(BestMove {
                id: go.id,
                best: None,
                ponder: None,
                fen: go.fen,
            })
        }
    }

    #[tokio::test]
    async fn a_hit_of_another_question_does_not_start_this_ones_time() {
        let (tell, mut hits) = unbounded_channel();
        let mut thinking = Thinking::start(AtAHit(tell));
        thinking.ask(Go {
            id: 2,
            fen: String::new(),
            moves: Vec::new(),
            limits: Limits::default(),
            elo: None,
            style: None,
            ponder: true,
            infinite: false,
        });
        thinking.ponder_hit(1);
        let between = Instant::now();
        thinking.ponder_hit(2);
        assert!(hits.recv().await.unwrap() >= between);
        assert!(matches!(thinking.next().await, Some(News::Answer(best)) if best.id == 2));
    }
}
