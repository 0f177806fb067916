//! What the user reads while a game is played: a line a move, and below it what is going on.

use crate::console::Console;
use shakmaty::san::SanPlus;
use shakmaty::{Color, Position};
use std::time::Duration;
use torres_bot::driver::Progress;
use torres_bot::log::eval;
use torres_bot::machine::Machine;
use torres_bot::thinking::Thought;
use torres_frame::Timestamp;

/// What the user was told last.
#[derive(Default)]
pub(super) struct StatusText {
    plies: usize,
    line: String,
}

impl StatusText {
    pub(crate) fn tell(&mut self, console: &mut Console, progress: &Progress<'_>) {
        match *progress {
            Progress::Note(text) => console.line(&format!("  {text}")),
            Progress::Paused { reason, evidence } => {
                let keys = if console.has_keys() {
                    "; p resumes after a fresh look, q ends"
                } else {
                    ""
                };
                console.line(&format!("PAUSED: {reason}{keys}"));
                if let Some(folder) = evidence {
                    console.line(&format!("  evidence: {}", folder.display()));
                }
            }
            Progress::Resumed => console.line("resumed"),
            Progress::Advice(machine, advice, thought) => {
                let position = machine.game().position();
                let san = SanPlus::from_move(position.clone(), advice);
                let dots = position.turn().fold_wb(".", "...");
                let thought = thought.map_or(String::new(), |t| format!("   {}  depth {}", eval(t.score), t.depth));
                console.line(&format!(
                    "  Torres would play {}{dots} {san}{thought}",
                    position.fullmoves()
                ));
            }
            Progress::Observation(..) => {}
            Progress::Thinking(machine, thought, _) | Progress::Pondering(machine, thought, _) => {
                self.status(console, machine, Some(thought))
            }
            Progress::State(machine) => self.moved_on(console, machine, None),
            Progress::Played { machine, thought, .. } => self.moved_on(console, machine, thought),
        }
    }

    /// A line for each move that is new, and what goes on now.
    fn moved_on(&mut self, console: &mut Console, machine: &Machine, thought: Option<Thought>) {
        let game = machine.game();
        while self.plies < game.plies() {
            let before = game.position_before(self.plies);
            let mut after = before.clone();
            let san = SanPlus::from_move_and_play_unchecked(&mut after, game.moves()[self.plies]);
            if before.turn() == Color::White {
                self.line = format!("{:>3}. {:<8}", before.fullmoves(), san.to_string());
            } else if self.line.is_empty() {
                self.line = format!("{:>3}. {:<8} {:<8}", before.fullmoves(), "…", san.to_string());
            } else {
                self.line = format!("{} {:<8}", self.line, san.to_string());
            }
            if before.turn() == Color::Black {
                let left = |color| minutes(machine.clock().left(color, Timestamp::now()));
                console.line(&format!(
                    "{}   {} – {}",
                    self.line,
                    left(Color::White),
                    left(Color::Black)
                ));
                self.line.clear();
            }
            self.plies += 1;
        }
        self.status(console, machine, thought);
    }

    /// What goes on right now.
    fn status(&self, console: &mut Console, machine: &Machine, thought: Option<Thought>) {
        let doing = doing(machine);
        let thought = thought.map_or(String::new(), |t| format!("   {}  depth {}", eval(t.score), t.depth));
        console.status(&format!("{}   {doing}{thought}", self.line));
    }
}

/// What Torres is doing, and the move that it ponders on.
fn doing(machine: &Machine) -> String {
    let reply = machine.pondering().map_or(String::new(), |pondering| {
        let san = SanPlus::from_move(machine.game().position().clone(), pondering.reply);
        format!(" on {san}")
    });
    format!("{}{reply}", machine.doing())
}

fn minutes(left: Duration) -> String {
    format!("{}:{:02}", left.as_secs() / 60, left.as_secs() % 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Chess;
    use torres_bot::clock::GameClock;
    use torres_bot::game::Game;
    use torres_bot::machine::{Event, FinalCheck, Settings};
    use torres_chess::{TimeControl, fen, parse_move};
    use torres_link::messages::BestMove;
    use torres_vision::{ExplainedLine, Reading};

    #[test]
    fn the_terminal_tells_thinking_from_what_comes_after_it() {
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
        let now = Timestamp::now;
        machine.begin(now());
        assert_eq!(doing(&machine), "thinking");

        let answer = BestMove {
            id: 1,
            best: Some("e2e4".into()),
            ponder: Some("e7e5".into()),
            fen: fen(machine.game().position()),
        };
        machine.on(Event::Answered(&answer), now());
        assert_eq!(doing(&machine), "looking once more before the move");
        machine.on(Event::FinalCheck(FinalCheck::Clear), now());
        assert_eq!(doing(&machine), "moving the piece");
        machine.on(Event::Performed(now()), now());
        assert_eq!(doing(&machine), "looking whether the move landed");

        let mut position = Chess::default();
        let played = parse_move("e2e4", &position).unwrap();
        position.play_unchecked(played);
        let landed = Reading::Played(ExplainedLine {
            line: vec![played],
            position,
            confidence: 1.0,
            only: true,
        });
        machine.on(Event::Saw(&landed), now());
        assert_eq!(doing(&machine), "waiting for the bot's move, pondering on e5");
        machine.on(Event::PauseWanted, now());
        assert_eq!(doing(&machine), "paused");
    }
}
