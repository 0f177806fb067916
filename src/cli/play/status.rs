//! What the user reads while a game is played: a line a move, and below it what is going on.

use crate::console::Console;
use shakmaty::san::SanPlus;
use shakmaty::{Color, Position};
use std::time::Duration;
use torres_bot::driver::Progress;
use torres_bot::log::eval;
use torres_bot::machine::{Machine, Phase};
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
        let doing = if machine.game().position().turn() == machine.own() {
            match machine.phase() {
                Phase::Advised(_) => "your move".to_owned(),
                _ => "Torres thinks".to_owned(),
            }
        } else if let Some(pondering) = machine.pondering() {
            let san = SanPlus::from_move(machine.game().position().clone(), pondering.reply);
            format!("the bot is to move, Torres ponders on {san}")
        } else {
            "the bot is to move".to_owned()
        };
        let thought = thought.map_or(String::new(), |t| format!("   {}  depth {}", eval(t.score), t.depth));
        console.status(&format!("{}   {doing}{thought}", self.line));
    }
}

fn minutes(left: Duration) -> String {
    format!("{}:{:02}", left.as_secs() / 60, left.as_secs() % 60)
}
