//! What the engine's side of one connection says to what it hears: pure, without sockets or threads.

use super::framing::{Line, NotAMessage, QUOTED, decode};
use super::messages::{BestMove, FromEngine, Go, PROTOCOL, ToEngine};
use torres_printing::shortened;

/// What the server has to do about a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reaction {
    /// Say this.
    Say(FromEngine),
    /// Forget the last game.
    NewGame,
    /// Search; the conversation is told the end by [`Conversation::answered`] or [`Conversation::refused`].
    Search(Go),
    /// Tell the running search that its pondered move was played.
    PonderHit,
    /// Tell the running search to answer now.
    Stop,
    /// Nothing: the answer is on its way already.
    Nothing,
}

/// A running search.
#[derive(Clone, Copy, Debug)]
struct Running {
    id: u64,
    pondering: bool,
}

/// The state of one connection. Each `go` is followed by exactly one `bestmove` or one `error` with its id.
#[derive(Debug)]
pub(super) struct Conversation {
    name: String,
    version: String,
    greeted: bool,
    running: Option<Running>,
    /// The last `go` that was answered.
    answered: Option<u64>,
}

impl Conversation {
    /// A connection on which nothing was said yet, to an engine of this name and version.
    pub(crate) fn new(name: &str, version: &str) -> Conversation {
        let (name, version) = (name.to_string(), version.to_string());
        Conversation {
            name,
            version,
            greeted: false,
            running: None,
            answered: None,
        }
    }

    /// Hears a line.
    pub(crate) fn hear(&mut self, line: &Line) -> Reaction {
        match decode(line) {
            Ok(ToEngine::Hello { protocol }) => self.greet(protocol),
            Ok(message) if !self.greeted => {
                let problem = format!(r#"say {{"type":"hello","protocol":{PROTOCOL}}} first"#);
                error(id_of(&message), problem)
            }
            Ok(message) => self.follow(message),
            Err(NotAMessage { id, problem }) => error(id, problem),
        }
    }

    fn greet(&mut self, protocol: u32) -> Reaction {
        if protocol != PROTOCOL {
            return error(
                None,
                format!("protocol {protocol} is not spoken here; say hello with protocol {PROTOCOL}"),
            );
        }
        self.greeted = true;
        let (name, version) = (self.name.clone(), self.version.clone());
        Reaction::Say(FromEngine::Hello {
            protocol: PROTOCOL,
            name,
            version,
        })
    }

    fn follow(&mut self, message: ToEngine) -> Reaction {
        match (message, self.running) {
            (ToEngine::Ping { id }, _) => Reaction::Say(FromEngine::Pong { id }),
            (ToEngine::NewGame, None) => Reaction::NewGame,
            (ToEngine::NewGame, Some(running)) => error(
                None,
                format!(
                    "search {} is running; stop it and wait for its bestmove before newgame",
                    running.id
                ),
            ),
            (ToEngine::Go(go), None) => {
                self.running = Some(Running {
                    id: go.id,
                    pondering: go.ponder,
                });
                Reaction::Search(go)
            }
            (ToEngine::Go(go), Some(running)) => error(
                Some(go.id),
                format!(
                    "search {} is running; stop it and wait for its bestmove before the next go",
                    running.id
                ),
            ),
            (ToEngine::Stop { id }, Some(running)) if running.id == id => Reaction::Stop,
            // The stop and the bestmove that answers it crossed on the way.
            (ToEngine::Stop { id }, _) if self.answered == Some(id) => Reaction::Nothing,
            (ToEngine::PonderHit { id }, Some(running)) if running.id == id && running.pondering => {
                self.running = Some(Running {
                    pondering: false,
                    ..running
                });
                Reaction::PonderHit
            }
            (ToEngine::PonderHit { id }, _) => error(Some(id), format!("no search {id} is pondering")),
            (ToEngine::Stop { id }, _) => error(Some(id), format!("no search {id} is running")),
            (ToEngine::Hello { protocol }, _) => self.greet(protocol),
        }
    }

    /// The search has its result.
    pub(crate) fn answered(&mut self, answer: BestMove) -> FromEngine {
        self.running = None;
        self.answered = Some(answer.id);
        FromEngine::BestMove(answer)
    }

    /// The search cannot be made.
    pub(crate) fn refused(&mut self, id: u64, message: String) -> FromEngine {
        self.running = None;
        self.answered = Some(id);
        let message = shortened(&message, QUOTED);
        FromEngine::Error { id: Some(id), message }
    }

    /// Whether an answer is owed.
    pub(crate) fn is_searching(&self) -> bool {
        self.running.is_some()
    }
}

fn error(id: Option<u64>, message: String) -> Reaction {
    Reaction::Say(FromEngine::Error { id, message })
}

fn id_of(message: &ToEngine) -> Option<u64> {
    match message {
        ToEngine::Hello { .. } | ToEngine::NewGame => None,
        ToEngine::Go(go) => Some(go.id),
        ToEngine::PonderHit { id } | ToEngine::Stop { id } | ToEngine::Ping { id } => Some(*id),
    }
}

#[cfg(test)]
mod tests {
    use super::super::framing::encode;
    use super::super::messages::MAX_LINE;
    use super::*;

    fn say(conversation: &mut Conversation, text: &str) -> Reaction {
        conversation.hear(&Line::Whole(text.into()))
    }

    fn greeted() -> Conversation {
        let mut conversation = Conversation::new("torres", "1.2.3");
        let hello = say(&mut conversation, r#"{"type":"hello","protocol":1}"#);
        assert!(
            matches!(hello, Reaction::Say(FromEngine::Hello { protocol: 1, ref name, ref version })
            if name == "torres" && version == "1.2.3")
        );
        conversation
    }

    fn error_id(reaction: Reaction) -> Option<u64> {
        match reaction {
            Reaction::Say(FromEngine::Error { id, .. }) => id,
            other => panic!("{other:?} is no error"),
        }
    }

    fn answer(id: u64) -> BestMove {
        BestMove {
            id,
            best: None,
            ponder: None,
            fen: String::new(),
        }
    }

    const GO: &str = r#"{"type":"go","id":7,"fen":"x"}"#;

    #[test]
    fn hello_comes_first_and_in_our_protocol() {
        let mut conversation = Conversation::new("torres", "0");
        assert_eq!(error_id(say(&mut conversation, GO)), Some(7));
        assert_eq!(
            error_id(say(&mut conversation, r#"{"type":"hello","protocol":2}"#)),
            None
        );
        assert_eq!(error_id(say(&mut conversation, r#"{"type":"ping","id":3}"#)), Some(3));
        assert!(!conversation.is_searching());
    }

    #[test]
    fn one_search_at_a_time() {
        let mut conversation = greeted();
        assert!(matches!(say(&mut conversation, GO), Reaction::Search(go) if go.id == 7));
        assert_eq!(
            error_id(say(&mut conversation, r#"{"type":"go","id":8,"fen":"x"}"#)),
            Some(8)
        );
        assert_eq!(error_id(say(&mut conversation, r#"{"type":"newgame"}"#)), None);
        assert!(conversation.is_searching());
        conversation.answered(answer(7));
        assert!(matches!(say(&mut conversation, GO), Reaction::Search(_)));
    }

    #[test]
    fn stop_is_for_the_running_search() {
        let mut conversation = greeted();
        assert_eq!(error_id(say(&mut conversation, r#"{"type":"stop","id":7}"#)), Some(7));
        say(&mut conversation, GO);
        assert_eq!(error_id(say(&mut conversation, r#"{"type":"stop","id":6}"#)), Some(6));
        assert_eq!(say(&mut conversation, r#"{"type":"stop","id":7}"#), Reaction::Stop);
        conversation.answered(answer(7));
        assert_eq!(
            say(&mut conversation, r#"{"type":"stop","id":7}"#),
            Reaction::Nothing,
            "they crossed"
        );
    }

    #[test]
    fn ponderhit_is_for_a_pondering_search_and_once() {
        let mut conversation = greeted();
        say(&mut conversation, GO);
        assert_eq!(
            error_id(say(&mut conversation, r#"{"type":"ponderhit","id":7}"#)),
            Some(7)
        );
        conversation.answered(answer(7));
        say(&mut conversation, r#"{"type":"go","id":9,"fen":"x","ponder":true}"#);
        assert_eq!(
            say(&mut conversation, r#"{"type":"ponderhit","id":9}"#),
            Reaction::PonderHit
        );
        assert_eq!(
            error_id(say(&mut conversation, r#"{"type":"ponderhit","id":9}"#)),
            Some(9)
        );
    }

    #[test]
    fn a_ping_is_answered_whatever_runs() {
        let mut conversation = greeted();
        say(&mut conversation, GO);
        assert_eq!(
            say(&mut conversation, r#"{"type":"ping","id":5}"#),
            Reaction::Say(FromEngine::Pong { id: 5 })
        );
    }

    #[test]
    fn a_refusal_fits_a_line_however_long_the_question() {
        let mut conversation = greeted();
        say(&mut conversation, GO);
        let refusal = conversation.refused(7, "a quote ".repeat(MAX_LINE / 8));
        assert!(encode(&refusal).is_ok());
        let kind = "x".repeat(MAX_LINE - 30);
        match say(&mut conversation, &format!(r#"{{"type":"{kind}","id":9}}"#)) {
            Reaction::Say(reply) => assert!(encode(&reply).is_ok()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_refused_search_leaves_room_for_the_next() {
        let mut conversation = greeted();
        say(&mut conversation, GO);
        assert!(matches!(
            conversation.refused(7, "no".into()),
            FromEngine::Error { id: Some(7), .. }
        ));
        assert!(matches!(say(&mut conversation, GO), Reaction::Search(_)));
    }
}
