//! The order in which a node's moves are tried: the hash move, captures that win or hold (most valuable victim, least
//! valuable attacker), killers and the counter move, quiet moves by history and by what they flee, captures that lose.
//!
//! Moves are generated only when their turn comes.

use super::super::movegen::Wanted;
use super::super::see::role_value;
use super::super::{Move, Piece, Position, Promotion, Role};
use super::history::{Capture, History, PieceTo, Trail};
use super::params::CAPTURE_VALUE_WEIGHT;
use super::threats::Threats;

#[derive(Clone, Copy)]
struct Scored {
    mv: Move,
    score: i32,
}

/// Where in its order a picker is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Hash,
    GenerateNoisy,
    Noisy,
    Refutations(usize),
    GenerateQuiet,
    Quiet,
    Losing,
    Done,
}

/// Hands out a node's moves, each once.
pub(super) struct MovePicker {
    stage: Stage,
    hash: Option<Move>,
    /// Two killers and the counter move.
    refutations: [Option<Move>; 3],
    trail: Trail,
    moves: Vec<Scored>,
    losing: Vec<Move>,
    noisy_only: bool,
    skip_quiets: bool,
}

/// Lists of a finished picker, to be used again: making new ones at each node costs time.
#[derive(Default)]
pub(super) struct Lists {
    moves: Vec<Scored>,
    losing: Vec<Move>,
}

impl MovePicker {
    /// For all moves.
    pub(super) fn new(
        position: &Position,
        hash: Option<Move>,
        killers: [Option<Move>; 2],
        trail: Trail,
        history: &History,
        lists: Lists,
    ) -> MovePicker {
        let counter = history.counter(trail);
        let hash = hash.filter(|&mv| position.is_legal(mv));
        let mut refutations = [killers[0], killers[1], counter];
        for index in 0..refutations.len() {
            let doubled = refutations[..index].contains(&refutations[index]) || refutations[index] == hash;
            refutations[index] = refutations[index].filter(|mv| !doubled && mv.is_quiet());
        }
        MovePicker::with(hash, refutations, trail, lists)
    }

    /// For captures and promotions to a queen whose exchange loses nothing.
    pub(super) fn noisy(position: &Position, hash: Option<Move>, lists: Lists) -> MovePicker {
        let hash = hash.filter(|&mv| !mv.is_quiet() && position.is_legal(mv));
        MovePicker {
            noisy_only: true,
            ..MovePicker::with(hash, [None; 3], [None; 3], lists)
        }
    }

    fn with(hash: Option<Move>, refutations: [Option<Move>; 3], trail: Trail, mut lists: Lists) -> MovePicker {
        lists.moves.clear();
        lists.losing.clear();
        MovePicker {
            stage: Stage::Hash,
            hash,
            refutations,
            trail,
            moves: lists.moves,
            losing: lists.losing,
            noisy_only: false,
            skip_quiets: false,
        }
    }

    /// Gives the lists back.
    pub(super) fn into_lists(self) -> Lists {
        Lists {
            moves: self.moves,
            losing: self.losing,
        }
    }

    /// From now on no quiet move is wanted any more.
    pub(super) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// Whether the last move came as a killer or the counter move.
    pub(super) fn is_refutation(&self) -> bool {
        matches!(self.stage, Stage::Refutations(_))
    }

    /// Whether the last move was a capture whose exchange loses.
    pub(super) fn is_losing(&self) -> bool {
        self.stage == Stage::Losing
    }

    /// The next move to try.
    pub(super) fn next(&mut self, position: &Position, history: &History) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Hash => {
                    self.stage = Stage::GenerateNoisy;
                    if self.hash.is_some() {
                        return self.hash;
                    }
                }
                Stage::GenerateNoisy => {
                    self.generate_noisy(position, history);
                    self.stage = Stage::Noisy;
                }
                Stage::Noisy => match self.take_best() {
                    Some(mv) if position.exchange_wins(mv, 0) => return Some(mv),
                    // Quiescence does not look at captures that lose.
                    Some(mv) if !self.noisy_only => self.losing.push(mv),
                    Some(_) => {}
                    None if self.noisy_only => self.stage = Stage::Done,
                    None => self.stage = Stage::Refutations(0),
                },
                Stage::Refutations(_) if self.skip_quiets => {
                    self.losing.reverse();
                    self.stage = Stage::Losing;
                }
                Stage::Refutations(number) => match self.refutations.get(number) {
                    Some(&refutation) => {
                        self.stage = Stage::Refutations(number + 1);
                        if let Some(mv) = refutation.filter(|&mv| position.is_legal(mv)) {
                            return Some(mv);
                        }
                    }
                    None => self.stage = Stage::GenerateQuiet,
                },
                Stage::GenerateQuiet => {
                    self.generate_quiet(position, history);
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => match self.take_best().filter(|_| !self.skip_quiets) {
                    Some(mv) => return Some(mv),
                    None => {
                        // They are taken from the end.
                        self.losing.reverse();
                        self.stage = Stage::Losing;
                    }
                },
                Stage::Losing => match self.losing.pop() {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    fn generate_noisy(&mut self, position: &Position, history: &History) {
        let (hash, noisy_only, moves) = (self.hash, self.noisy_only, &mut self.moves);
        position.for_each_move(Wanted::noisy(position), |mv| {
            let to_less_than_queen = mv.promotion().is_some_and(|to| to != Promotion::Queen);
            if Some(mv) != hash && !(noisy_only && to_less_than_queen) {
                moves.push(Scored {
                    mv,
                    score: capture_score(position, history, mv),
                });
            }
        });
    }

    fn generate_quiet(&mut self, position: &Position, history: &History) {
        let (hash, refutations, trail, moves) = (self.hash, self.refutations, self.trail, &mut self.moves);
        let (color, threats) = (position.turn(), Threats::of(position));
        position.for_each_move(Wanted::quiet(position), |mv| {
            if Some(mv) != hash && !refutations.contains(&Some(mv)) {
                let score = history.quiet(color, mv, moved(position, mv), trail) + threats.bonus(position, mv);
                moves.push(Scored { mv, score });
            }
        });
    }

    /// One step of a selection sort: most nodes need only a few moves.
    fn take_best(&mut self) -> Option<Move> {
        let best = self.moves.iter().enumerate().max_by_key(|(_, scored)| scored.score)?.0;
        Some(self.moves.swap_remove(best).mv)
    }
}

/// Which piece a legal move moves, and where to.
pub(super) fn moved(position: &Position, mv: Move) -> PieceTo {
    let role = position.board().role_at(mv.from()).unwrap_or(Role::Pawn);
    PieceTo::new(
        Piece {
            color: position.turn(),
            role,
        },
        mv.to(),
    )
}

/// What ordering knows a capture by; a promotion without a capture counts as taking a pawn.
#[inline]
pub(super) fn capture(position: &Position, mv: Move) -> Capture {
    (moved(position, mv), position.captured(mv).unwrap_or(Role::Pawn))
}

/// Most valuable victim first, then what has been good, then the least valuable attacker.
fn capture_score(position: &Position, history: &History, mv: Move) -> i32 {
    let victim = position.captured(mv).map_or(0, role_value);
    let promoted = mv.promotion().map_or(0, |to| role_value(to.role()));
    let attacker = position.board().role_at(mv.from()).map_or(0, |role| role as i32);
    (victim + promoted) * CAPTURE_VALUE_WEIGHT + history.capture(capture(position, mv)) - attacker
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn picked(mut picker: MovePicker, position: &Position, history: &History) -> Vec<Move> {
        std::iter::from_fn(|| picker.next(position, history)).collect()
    }

    const POSITIONS: [&str; 3] = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        "4k3/8/8/8/8/5n2/8/R3K2R w KQ - 0 1",
    ];

    #[test]
    fn every_legal_move_comes_once_whatever_the_hints() {
        let history = History::new();
        for fen in POSITIONS {
            let position = Position::from_fen(fen).unwrap();
            let legal: HashSet<Move> = position.legal_moves().into_iter().collect();
            let mut hints: Vec<Option<Move>> = legal.iter().copied().map(Some).collect();
            // Moves of another position may be in the hash table or among the killers.
            hints.extend(Position::start().legal_moves().into_iter().map(Some));
            hints.push(None);
            for (index, &hash) in hints.iter().enumerate() {
                let killers = [hints[(index + 1) % hints.len()], hints[(index + 7) % hints.len()]];
                let picker = MovePicker::new(&position, hash, killers, [None; 3], &history, Lists::default());
                let moves = picked(picker, &position, &history);
                assert_eq!(moves.len(), legal.len(), "{fen} {hash:?} {killers:?}");
                assert_eq!(moves.iter().copied().collect::<HashSet<_>>(), legal, "{fen}");
            }
        }
    }

    #[test]
    fn the_cheapest_piece_takes_the_dearest_first_and_losing_captures_come_last() {
        let position = Position::from_fen("4k3/2p5/3p4/q3p3/1P1Q4/8/8/R3K3 w - - 0 1").unwrap();
        let history = History::new();
        let picker = MovePicker::new(&position, None, [None; 2], [None; 3], &history, Lists::default());
        let moves: Vec<String> = picked(picker, &position, &history)
            .iter()
            .map(Move::to_string)
            .collect();
        assert_eq!(moves[..2], ["b4a5", "a1a5"]);
        let last = &moves[moves.len() - 2..];
        assert!(
            last.contains(&"d4e5".to_owned()) && last.contains(&"d4d6".to_owned()),
            "{moves:?}"
        );
    }

    #[test]
    fn quiescence_gets_only_what_wins_or_holds() {
        let position = Position::from_fen("4k3/2p5/3p4/q3p3/1P1Q4/8/8/R3K3 w - - 0 1").unwrap();
        let moves = picked(
            MovePicker::noisy(&position, None, Lists::default()),
            &position,
            &History::new(),
        );
        let names: Vec<String> = moves.iter().map(Move::to_string).collect();
        assert_eq!(names, ["b4a5", "a1a5"]);
    }
}
