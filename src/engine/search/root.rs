//! The root: iterative deepening with aspiration windows, one or several best lines, and what is told of them.

use super::super::time::Progress;
use super::super::value::{DRAW, MATE, Value, is_mate, to_score};
use super::super::{Move, Position, Promotion, SearchInfo, SearchLimits, SearchResult};
use super::outcome::Outcome;
use super::params::*;
use super::watch::Stopped;
use super::{Search, Window};

/// Who hears of completed iterations.
pub(super) enum Reporting<'a> {
    To(&'a mut dyn FnMut(SearchInfo)),
    Silent,
}

impl Reporting<'_> {
    pub(super) fn tell(&mut self, info: impl FnOnce() -> SearchInfo) {
        if let Reporting::To(report) = self {
            report(info());
        }
    }
}

/// The moves at the root and the nodes spent on each.
pub(super) struct Root {
    moves: Vec<(Move, u64)>,
    /// Best moves of the lines found already, when several are asked for.
    found: Vec<Move>,
    /// Whether only some of the legal moves are searched.
    restricted: bool,
    /// The best move of the iteration before.
    expected: Option<Move>,
}

impl Root {
    /// All legal moves, or those of them that were asked for.
    pub(super) fn new(position: &Position, asked: &[Move]) -> Root {
        let legal = position.legal_moves();
        let mut moves: Vec<(Move, u64)> = legal.iter().map(|&mv| (mv, 0)).collect();
        if asked.iter().any(|mv| legal.contains(mv)) {
            moves.retain(|(mv, _)| asked.contains(mv));
        }
        Root {
            restricted: moves.len() < legal.len(),
            moves,
            found: Vec::new(),
            expected: None,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Whether a move is to be searched.
    pub(super) fn is_wanted(&self, mv: Move) -> bool {
        !self.found.contains(&mv) && self.moves.iter().any(|&(wanted, _)| wanted == mv)
    }

    /// Whether some legal move is left out.
    pub(super) fn is_partial(&self) -> bool {
        self.restricted || !self.found.is_empty()
    }

    pub(super) fn expected(&self) -> Option<Move> {
        self.expected
    }

    /// Adds the nodes that a move's search took.
    pub(super) fn count(&mut self, mv: Move, nodes: u64) {
        if let Some((_, spent)) = self.moves.iter_mut().find(|(counted, _)| *counted == mv) {
            *spent += nodes;
        }
    }

    /// The part of all nodes that went into a move, 0 to 1.
    fn share(&self, mv: Option<&Move>) -> f64 {
        let all: u64 = self.moves.iter().map(|(_, nodes)| nodes).sum();
        let its = self.moves.iter().find(|(counted, _)| Some(counted) == mv);
        its.map_or(0.0, |&(_, nodes)| nodes as f64 / all.max(1) as f64)
    }
}

impl Search<'_> {
    /// Iterative deepening: each iteration searches one ply deeper, with what the ones before have learned.
    pub(super) fn deepen(
        &mut self,
        position: &Position,
        limits: &SearchLimits,
        lines: usize,
        mut reporting: Reporting,
    ) -> Outcome {
        let most = limits
            .depth
            .filter(|_| !limits.infinite)
            .map_or(MAX_DEPTH, |depth| depth.clamp(1, 100) as i32);
        let forced = self.root.moves.len() == 1;
        let lines = lines.clamp(1, self.root.moves.len());
        let mut best: Vec<Outcome> = Vec::new();
        let mut stable_iterations = 0;
        let earlier_keys = self.keys.len();
        let mut depth = 0;
        while depth < most {
            depth += 1;
            self.watch.begin_iteration(depth, lines == 1 && self.deferral.is_some());
            let found = self.search_lines(position, depth, lines, &best).ok();
            if let Some(found) = &found
                && lines == 1
            {
                self.watch.share(&found[0]);
            }
            // Another thread may have been faster: what it found is as good.
            let Some(found) = found.or_else(|| self.watch.take_over().map(|outcome| vec![outcome])) else {
                self.keep_begun(best.first_mut());
                break;
            };
            self.keys.truncate(earlier_keys);
            depth = found[0].depth;
            let same = best.first().map(|before| before.line[0]) == Some(found[0].line[0]);
            stable_iterations = if same { stable_iterations + 1 } else { 0 };
            let fall = best.first().map_or(0, |before| before.value - found[0].value);
            best = found;
            self.root.expected = Some(best[0].line[0]);
            self.watch.answer_is_ready();
            for (number, outcome) in best.iter().enumerate() {
                reporting.tell(|| self.info(outcome, number + 1));
            }
            let progress = Progress {
                stable_iterations,
                fall,
                best_share: self.root.share(best[0].line.first()),
            };
            if self.watch.is_enough(progress, forced) || self.is_settled(&best[0], limits) {
                break;
            }
        }
        best.into_iter().next().unwrap_or_else(|| Outcome {
            line: self.root.moves.first().map(|&(mv, _)| vec![mv]).unwrap_or_default(),
            value: DRAW,
            depth: 0,
        })
    }

    /// An iteration was not finished: where it has found a better move than the one before, that is better.
    fn keep_begun(&mut self, best: Option<&mut Outcome>) {
        let begun = std::mem::take(&mut self.stack[0].pv);
        if !begun.is_empty()
            && self.root.found.is_empty()
            && let Some(best) = best
        {
            best.line = begun;
        }
    }

    /// The best lines of an iteration, the best first: each is searched without the first moves of the better ones.
    fn search_lines(
        &mut self,
        position: &Position,
        depth: i32,
        lines: usize,
        before: &[Outcome],
    ) -> Result<Vec<Outcome>, Stopped> {
        self.root.found.clear();
        self.root_depth = depth;
        self.selective_depth = 0;
        let mut outcomes: Vec<Outcome> = Vec::with_capacity(lines);
        for number in 0..lines {
            let expected = before.get(number);
            self.root.expected = expected.map(|outcome| outcome.line[0]);
            let value = self.aspire(position, depth, expected.map(|outcome| outcome.value))?;
            let line = std::mem::take(&mut self.stack[0].pv);
            let Some(&first) = line.first() else { break };
            self.root.found.push(first);
            outcomes.push(Outcome { line, value, depth });
        }
        self.root.found.clear();
        outcomes.sort_by_key(|outcome| std::cmp::Reverse(outcome.value));
        if outcomes.is_empty() {
            return Err(Stopped);
        }
        Ok(outcomes)
    }

    /// Aspiration windows: searches in a narrow window around the value of the iteration before, wider until the value
    /// lies inside.
    fn aspire(&mut self, position: &Position, depth: i32, expected: Option<Value>) -> Result<Value, Stopped> {
        let Some(expected) = expected.filter(|_| depth >= ASPIRATION_DEPTH) else {
            return self.search_node(position, 0, depth, Window::FULL, false);
        };
        let (mut below, mut above) = (ASPIRATION_WIDTH, ASPIRATION_WIDTH);
        let mut reduction = 0;
        loop {
            let window = Window::around(expected, below, above);
            let value = self.search_node(position, 0, (depth - reduction).max(1), window, false)?;
            if value <= window.alpha {
                below *= 3;
                reduction = 0;
            } else if value >= window.beta {
                above *= 3;
                reduction = (reduction + 1).min(ASPIRATION_REDUCTION_MOST);
            } else {
                return Ok(value);
            }
        }
    }

    fn info(&self, outcome: &Outcome, number: usize) -> SearchInfo {
        SearchInfo {
            depth: outcome.depth as u32,
            selective_depth: self.selective_depth as u32,
            line: number as u32,
            score: to_score(outcome.value),
            nodes: self.watch.total_nodes(),
            time: self.watch.elapsed(),
            hash_full: self.table.full(),
            pv: outcome.line.clone(),
        }
    }

    /// The mate that was asked for; or one that was searched twice as deep as it is long, which is not worth the
    /// clock's time.
    fn is_settled(&self, best: &Outcome, limits: &SearchLimits) -> bool {
        let plies = MATE - best.value.abs();
        let asked = limits
            .mate
            .is_some_and(|moves| is_mate(best.value) && best.value > 0 && plies < 2 * moves.min(1000) as i32);
        asked && !limits.infinite || self.watch.is_timed() && is_mate(best.value) && best.depth > 2 * plies
    }

    /// As the engine's users see it.
    pub(super) fn answer(&self, position: &Position, outcome: Outcome) -> SearchResult {
        let asked = self.root.moves.iter().map(|&(mv, _)| mv);
        let best = queen_instead(&outcome.line, asked).or(outcome.line.first().copied());
        let ponder = outcome.line.get(1).copied().or_else(|| {
            let next = position.play(best?);
            // What the transposition table expects to be played.
            self.table.probe(next.key(), 1)?.mv.filter(|&mv| next.is_legal(mv))
        });
        SearchResult {
            best,
            ponder,
            score: to_score(outcome.value),
            depth: outcome.depth as u32,
            nodes: self.watch.total_nodes(),
        }
    }
}

/// The queen in place of a rook or a bishop that a pawn becomes and that is taken at once. All come to the same, and what
/// plays the moves on a board may be offered only a queen, or be asked which.
pub(super) fn queen_instead(line: &[Move], mut asked: impl Iterator<Item = Move>) -> Option<Move> {
    let &[first, reply, ..] = line else { return None };
    let becomes_less = matches!(first.promotion(), Some(Promotion::Rook | Promotion::Bishop));
    let is_queen =
        |mv: &Move| (mv.from(), mv.to()) == (first.from(), first.to()) && mv.promotion() == Some(Promotion::Queen);
    let is_taken = reply.to() == first.to();
    (becomes_less && is_taken).then(|| asked.find(is_queen)).flatten()
}
