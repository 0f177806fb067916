//! A board as a page shows it.

use serde::Serialize;
use shakmaty::uci::UciMove;
use shakmaty::{Color, Square};
use std::collections::BTreeMap;
use torres_lessons::{Marks, Progress, Situation, Stale, Step, Task, situation};

/// What a page shows of a step, as `step.js` reads it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct View {
    /// Piece placement.
    fen: String,
    /// Who is to move.
    turn: &'static str,
    /// Whose side is at the bottom.
    bottom: &'static str,
    /// What the learner does: `move`, `click` or `answer`.
    does: &'static str,
    /// From each square the squares that the learner may move to.
    dests: BTreeMap<String, Vec<String>>,
    check: bool,
    /// The last move's two squares.
    last: Option<(String, String)>,
    /// Squares that were pointed at.
    clicked: Vec<String>,
    squares: Vec<String>,
    arrows: Vec<(String, String)>,
    finished: bool,
}

impl View {
    /// What is shown of a step, with these marks. `before` is a move that was made before the step began.
    pub fn of(step: &Step, progress: &Progress, marks: &Marks, before: Option<UciMove>) -> Result<View, Stale> {
        let Situation {
            board,
            turn,
            moves,
            check,
        } = situation(step, progress)?;
        let mut dests: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for uci in moves.into_iter().map(UciMove::from_standard) {
            if let Some((from, to)) = uci.from().zip(uci.to()) {
                let targets = dests.entry(from.to_string()).or_default();
                targets.push(to.to_string());
                // The four promotions are one way to go.
                targets.dedup();
            }
        }
        let last = progress.moves.last().copied().or(before);
        Ok(View {
            fen: board.to_string(),
            turn: name(turn),
            bottom: name(step.task.learner()),
            does: match step.task {
                Task::Walk { .. } | Task::Line { .. } | Task::Mate { .. } | Task::Against { .. } => "move",
                Task::Choose { .. } => "click",
                Task::Answer { .. } => "answer",
            },
            dests,
            check,
            last: last.and_then(|uci| Some((uci.from()?.to_string(), uci.to()?.to_string()))),
            clicked: texts(&progress.clicked),
            squares: texts(&marks.squares),
            arrows: marks
                .arrows
                .iter()
                .map(|(from, to)| (from.to_string(), to.to_string()))
                .collect(),
            finished: progress.finished,
        })
    }

    /// As the page's attribute holds it.
    pub fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

fn texts(squares: &[Square]) -> Vec<String> {
    squares.iter().map(Square::to_string).collect()
}

fn name(color: Color) -> &'static str {
    color.fold_wb("white", "black")
}
