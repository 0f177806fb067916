//! The engine's task: one question at a time, dropped as soon as the next one comes.

use crate::link::messages::{BestMove, Go};
use crate::link::{ThinkError, ThinkEvent, Thinker};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// What the task is told.
#[derive(Debug)]
enum Question {
    NewGame,
    Go(Go),
    Drop,
}

/// What the task tells.
#[derive(Debug)]
pub enum News {
    /// How the search goes, or that the engine was replaced.
    Event(ThinkEvent),
    /// The answer to the last question.
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

    /// Asks; a question still open is dropped.
    pub fn ask(&self, go: Go) {
        self.send(Question::Go(go));
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
            Question::Drop => continue,
            Question::NewGame => match thinker.new_game().await {
                Ok(()) => continue,
                Err(error) => News::Failed(error),
            },
            Question::Go(go) => {
                let mut on_event = |event| {
                    let _ = tell.send(News::Event(event));
                };
                tokio::select! {
                    answer = thinker.think(go, &mut on_event) => match answer {
                        Ok(best) => News::Answer(best),
                        Err(error) => News::Failed(error),
                    },
                    next = asked.recv() => match next {
                        Some(next) => {
                            waiting = Some(next);
                            continue;
                        }
                        None => return,
                    },
                }
            }
        };
        if tell.send(news).is_err() {
            return;
        }
    }
}
