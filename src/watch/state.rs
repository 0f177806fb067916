//! What the page shows beside the picture, as it goes over the socket.

use serde::Serialize;
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Color, Position};
use std::collections::VecDeque;
use std::path::Path;
use torres_bot::driver::Progress;
use torres_bot::log::eval;
use torres_bot::machine::Machine;
use torres_bot::thinking::Thought;
use torres_chess::{Side, fen, parse_move, uci};
use torres_frame::{Timestamp, WallTime};
use torres_journal::Eval;

/// How many lines of the log are kept for the page.
const LINES: usize = 200;

/// The page's state; one message.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct State {
    /// Torres' version.
    pub version: String,
    /// Who plays against us.
    pub opponent: String,
    /// The page that is played on.
    pub site: String,
    /// The game's number in this run, from 1, and how many are to be played.
    pub number: u32,
    pub of: u32,
    /// Our colour.
    pub color: Option<Side>,
    /// What is going on, in words.
    pub doing: String,
    /// Why all input is stopped, if it is.
    pub paused: Option<String>,
    /// FEN of the position believed.
    pub fen: String,
    pub moves: Vec<Ply>,
    pub clock: Option<Clock>,
    pub thought: Option<Thinking>,
    /// What is thought about on the opponent's time: no thought of a move to be played.
    pub pondering: Option<Pondering>,
    /// The last thing that was decided in doubt, and the folder of its evidence.
    pub decision: Option<Decision>,
    pub log: VecDeque<LogEntry>,
    pub games: Vec<Finished>,
}

/// A move of the game.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Ply {
    pub san: String,
    pub uci: String,
    /// White's view, where the engine thought about it.
    pub eval: Option<Eval>,
}

/// Both clocks, as Torres keeps them.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Clock {
    pub white_ms: u64,
    pub black_ms: u64,
    /// Whose runs.
    pub turn: Side,
    /// When it was so, Unix time in ms.
    pub at_ms: f64,
}

/// How the engine sees it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Thinking {
    /// White's view.
    pub eval: Eval,
    pub depth: u32,
    /// What it expects, SAN.
    pub pv: Vec<String>,
}

impl Thinking {
    /// A thought about a position, and the line expected there (UCI).
    fn about(position: &Chess, thought: Thought, pv: &[String]) -> Thinking {
        Thinking {
            eval: eval(thought.score),
            depth: thought.depth,
            pv: sans(position, pv),
        }
    }
}

/// A thought on the opponent's time.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Pondering {
    /// The move that they are expected to play, SAN.
    pub expected: String,
    /// About the position after it; `None` before the engine said something.
    pub thought: Option<Thinking>,
}

/// Something decided in doubt.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Decision {
    pub why: String,
    /// Its folder, beside the journal.
    pub evidence: Option<String>,
}

/// A line of the log.
#[derive(Clone, Debug, Serialize)]
pub(super) struct LogEntry {
    pub t_ms: f64,
    pub text: String,
}

/// A game that is over.
#[derive(Clone, Debug, Serialize)]
pub struct Finished {
    /// Its number in this run's folder.
    pub number: u32,
    /// Who played against us.
    pub opponent: String,
    /// Our colour.
    pub color: Side,
    /// As PGN writes it.
    pub result: String,
    /// In words.
    pub how: String,
    /// What may be looked at.
    pub files: Vec<GameFile>,
}

/// A file or folder of a game.
#[derive(Clone, Debug, Serialize)]
pub struct GameFile {
    /// What it is.
    pub name: String,
    /// Where it is, from the run's folder.
    pub path: String,
}

impl State {
    /// Takes in what the driver tells.
    pub(crate) fn take(&mut self, progress: &Progress<'_>) {
        match progress {
            Progress::State(machine) => self.follow(machine),
            Progress::Played { machine, ply, thought } => {
                self.follow(machine);
                if let (Some(ply), Some(thought)) = (self.moves.get_mut(*ply), thought) {
                    ply.eval = Some(eval(thought.score));
                }
            }
            Progress::Thinking(machine, thought, pv) => {
                self.thought = Some(Thinking::about(machine.game().position(), *thought, pv));
            }
            Progress::Pondering(machine, thought, pv) => self.ponder(machine, Some(*thought), pv),
            Progress::Advice(machine, advice, _) => {
                self.follow(machine);
                let san = SanPlus::from_move(machine.game().position().clone(), *advice);
                self.doing = format!("your move: Torres would play {san}");
                self.say(format!("Torres would play {san}"));
            }
            Progress::Note(text) => self.say((*text).to_owned()),
            Progress::Paused { reason, evidence } => {
                let why = reason.to_string();
                self.say(format!("paused: {why}"));
                if let Some(folder) = evidence {
                    self.say(format!("evidence: {}", folder.display()));
                }
                self.doing = "paused".to_owned();
                self.pondering = None;
                self.decision = Some(Decision {
                    why: why.clone(),
                    evidence: evidence
                        .and_then(Path::file_name)
                        .map(|name| format!("evidence/{}", name.to_string_lossy())),
                });
                self.paused = Some(why);
            }
            Progress::Resumed => {
                self.paused = None;
                self.say("resumed".to_owned());
            }
            Progress::Observation(..) => {}
        }
    }

    fn follow(&mut self, machine: &Machine) {
        let (game, now) = (machine.game(), Timestamp::now());
        self.doing = machine.doing().to_owned();
        self.ponder(machine, None, &[]);
        self.fen = fen(game.position());
        self.moves.truncate(game.plies());
        // A takeback and another move may have come together.
        let agreeing = self
            .moves
            .iter()
            .zip(game.moves())
            .take_while(|(ply, played)| ply.uci == uci(**played));
        let agreeing = agreeing.count();
        self.moves.truncate(agreeing);
        for (index, played) in game.moves().iter().enumerate().skip(agreeing) {
            self.moves.push(Ply {
                san: SanPlus::from_move(game.position_before(index), *played).to_string(),
                uci: uci(*played),
                eval: None,
            });
        }
        let left = |color| machine.clock().left(color, now).as_millis() as u64;
        self.clock = Some(Clock {
            white_ms: left(Color::White),
            black_ms: left(Color::Black),
            turn: game.position().turn().into(),
            at_ms: WallTime::now().as_ms(),
        });
    }

    fn ponder(&mut self, machine: &Machine, thought: Option<Thought>, pv: &[String]) {
        let position = machine.game().position();
        self.pondering = machine.pondering().map(|pondering| {
            let mut after = position.clone();
            let expected = SanPlus::from_move_and_play_unchecked(&mut after, pondering.reply).to_string();
            let thought = thought.map(|thought| Thinking::about(&after, thought, pv));
            Pondering { expected, thought }
        });
    }

    /// Adds a line to the log.
    pub(crate) fn say(&mut self, text: String) {
        if self.log.len() >= LINES {
            self.log.pop_front();
        }
        self.log.push_back(LogEntry {
            t_ms: WallTime::now().as_ms(),
            text,
        });
    }
}

/// A line of UCI moves from a position, as far as it is legal.
fn sans(position: &Chess, pv: &[String]) -> Vec<String> {
    let mut position = position.clone();
    pv.iter()
        .map_while(|text| {
            let played = parse_move(text, &position).ok()?;
            Some(SanPlus::from_move_and_play_unchecked(&mut position, played).to_string())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use torres_bot::clock::GameClock;
    use torres_bot::game::Game;
    use torres_bot::machine::{Event, FinalCheck, Settings};
    use torres_chess::TimeControl;
    use torres_link::messages::{BestMove, Score};
    use torres_vision::{ExplainedLine, Reading};

    /// The board shows this move.
    fn sees(machine: &mut Machine, text: &str) {
        let mut position = machine.game().position().clone();
        let played = parse_move(text, &position).unwrap();
        position.play_unchecked(played);
        let reading = Reading::Played(ExplainedLine {
            line: vec![played],
            position,
            confidence: 1.0,
            only: true,
        });
        machine.on(Event::Saw(&reading), Timestamp::now());
    }

    #[test]
    fn a_thought_on_the_bots_time_is_not_shown_as_that_of_a_move_to_be_played() {
        let control = TimeControl {
            initial: Duration::from_secs(900),
            increment: Duration::ZERO,
        };
        let settings = Settings {
            ponder: true,
            ..Settings::default()
        };
        let game = Game::new(Chess::default());
        let mut machine = Machine::new(game, GameClock::new(control), Color::White, settings);
        machine.begin(Timestamp::now());
        let answer = BestMove {
            id: 1,
            best: Some("e2e4".into()),
            ponder: Some("e7e5".into()),
            fen: fen(machine.game().position()),
        };
        machine.on(Event::Answered(&answer), Timestamp::now());
        machine.on(Event::FinalCheck(FinalCheck::Clear), Timestamp::now());
        machine.on(Event::Performed(Timestamp::now()), Timestamp::now());
        sees(&mut machine, "e2e4");

        let mut state = State::default();
        let thought = |cp, depth| Thought {
            score: Score::Cp(cp),
            depth,
        };
        state.take(&Progress::Played {
            machine: &machine,
            ply: 0,
            thought: Some(thought(31, 9)),
        });
        assert_eq!(state.doing, "waiting for the bot's move, pondering");
        assert!(
            state
                .pondering
                .as_ref()
                .is_some_and(|it| it.expected == "e5" && it.thought.is_none())
        );
        let line = ["g1f3".to_owned(), "b8c6".to_owned()];
        state.take(&Progress::Pondering(&machine, thought(40, 12), &line));
        assert!(state.thought.is_none(), "{:?}", state.thought);
        assert_eq!(
            state.moves[0].eval,
            Some(Eval::Cp(31)),
            "what was thought of e4 when it was played"
        );
        let shown = state.pondering.as_ref().and_then(|it| it.thought.as_ref()).unwrap();
        assert_eq!((shown.eval, shown.depth), (Eval::Cp(40), 12));
        assert_eq!(shown.pv, ["Nf3", "Nc6"]);

        sees(&mut machine, "e7e5");
        state.take(&Progress::State(&machine));
        assert!(state.pondering.is_none());
        state.take(&Progress::Thinking(&machine, thought(40, 12), &line));
        assert_eq!(state.thought.as_ref().unwrap().pv, ["Nf3", "Nc6"]);
        assert_eq!(state.doing, "thinking");
    }
}
