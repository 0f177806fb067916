//! One game between two running engines, and the referee who ends it.

use super::contender::{Clock, Seat, Thought};
use super::limits::SideLimits;
use super::record::{Effort, End};
use shakmaty::zobrist::Zobrist128;
use shakmaty::{Chess, Color, Position};
use std::time::Duration;
use torres_chess::{fen, parse_fen, parse_move, repetition_key, uci};
use torres_link::Fault;
use torres_link::messages::Score;

/// When a game may be ended before the rules do. Both sides' scores must agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adjudication {
    /// A side is lost below this many centipawns,
    pub lost_below: i32,
    /// after this many plies in a row.
    pub lost_plies: usize,
    /// A game is drawn within this many centipawns,
    pub drawn_within: i32,
    /// after this many plies in a row,
    pub drawn_plies: usize,
    /// but not before this ply.
    pub drawn_from: usize,
}

impl Default for Adjudication {
    /// Six pawns for three moves of both; a tenth of a pawn for eight moves of both after move 40.
    fn default() -> Adjudication {
        Adjudication {
            lost_below: -600,
            lost_plies: 6,
            drawn_within: 10,
            drawn_plies: 16,
            drawn_from: 80,
        }
    }
}

/// A game as it was played.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Played {
    /// White's points: 1, 0.5 or 0.
    pub white_points: f64,
    pub end: End,
    /// What exactly happened, where it is not plain.
    pub detail: Option<String>,
    /// UCI.
    pub moves: Vec<String>,
    /// White's and Black's.
    pub efforts: [Effort; 2],
}

/// Plays a game from a position; White's seat first.
pub(super) async fn play(
    fen: &str,
    seats: [&mut Seat; 2],
    limits: [SideLimits; 2],
    adjudication: Option<Adjudication>,
) -> Result<Played, String> {
    let mut referee = Referee::new(fen, limits)?;
    let [white, black] = seats;
    for (seat, color) in [(&mut *white, Color::White), (&mut *black, Color::Black)] {
        if let Err(fault) = seat.new_game().await {
            return Ok(referee.fault(color, &fault));
        }
    }
    loop {
        if let Some(end) = referee.end_by_rules().or_else(|| referee.adjudge(adjudication?)) {
            return Ok(end);
        }
        let turn = referee.position.turn();
        let seat = turn.fold_wb(&mut *white, &mut *black);
        let thought = seat.think(fen, &referee.moves, referee.clocks, index(turn)).await;
        let ended = match thought {
            Ok(thought) => referee.hear(turn, thought).err(),
            Err(fault) => Some(Box::new(referee.fault(turn, &fault))),
        };
        if let Some(ended) = ended {
            return Ok(*ended);
        }
    }
}

fn index(color: Color) -> usize {
    color.fold_wb(0, 1)
}

/// Keeps position, clocks and what was seen.
struct Referee {
    position: Chess,
    limits: [SideLimits; 2],
    clocks: [Clock; 2],
    moves: Vec<String>,
    /// Keys of all positions so far.
    seen: Vec<Zobrist128>,
    /// Each mover's score, from White's view.
    scores: Vec<Option<Score>>,
    efforts: [Effort; 2],
}

impl Referee {
    fn new(fen: &str, limits: [SideLimits; 2]) -> Result<Referee, String> {
        let position = parse_fen(fen)?;
        Ok(Referee {
            seen: vec![repetition_key(&position)],
            position,
            limits,
            clocks: limits.map(|limits| Clock {
                left_ms: limits.clock.map(|clock| clock.initial_ms),
                increment_ms: limits.clock.map(|clock| clock.increment_ms),
            }),
            moves: Vec::new(),
            scores: Vec::new(),
            efforts: Default::default(),
        })
    }

    /// Takes an answer, or ends the game over it.
    fn hear(&mut self, turn: Color, thought: Thought) -> Result<(), Box<Played>> {
        self.efforts[index(turn)].add(thought.elapsed, thought.info.as_ref());
        self.punch_clock(turn, thought.elapsed)?;
        let played = thought.best.as_deref().unwrap_or("no move").to_owned();
        let Ok(mv) = parse_move(&played, &self.position) else {
            let detail = format!("{played} in {}", fen(&self.position));
            return Err(Box::new(self.lost(turn, End::IllegalMove, Some(detail))));
        };
        self.moves.push(uci(mv));
        self.position.play_unchecked(mv);
        self.seen.push(repetition_key(&self.position));
        let score = thought.info.map(|info| info.score);
        self.scores.push(score.map(|score| turn.fold_wb(score, negated(score))));
        Ok(())
    }

    fn punch_clock(&mut self, turn: Color, elapsed: Duration) -> Result<(), Box<Played>> {
        let clock = &mut self.clocks[index(turn)];
        let Some(left) = clock.left_ms else { return Ok(()) };
        // Parts of a millisecond are the side's own, as on a clock that shows whole ones.
        let used = elapsed.as_millis() as u64;
        if used > left {
            let detail = format!("{used} ms with {left} ms left");
            return Err(Box::new(self.lost(turn, End::TimeLoss, Some(detail))));
        }
        clock.left_ms = Some(left - used + clock.increment_ms.unwrap_or(0));
        Ok(())
    }

    /// An engine that is gone or silent loses; where it had a clock, silence is a loss on time.
    fn fault(&self, color: Color, fault: &Fault) -> Played {
        let end = match fault {
            Fault::Silent(_) if self.limits[index(color)].clock.is_some() => End::TimeLoss,
            Fault::Silent(_) => End::NoAnswer,
            Fault::Gone | Fault::Babble(_) => End::Crash,
        };
        self.lost(color, end, Some(fault.to_string()))
    }

    fn lost(&self, loser: Color, end: End, detail: Option<String>) -> Played {
        self.ended(loser.fold_wb(0.0, 1.0), end, detail)
    }

    fn ended(&self, white_points: f64, end: End, detail: Option<String>) -> Played {
        Played {
            white_points,
            end,
            detail,
            moves: self.moves.clone(),
            efforts: self.efforts,
        }
    }

    fn end_by_rules(&self) -> Option<Played> {
        let position = &self.position;
        if position.is_checkmate() {
            return Some(self.lost(position.turn(), End::Checkmate, None));
        }
        let now = self.seen.last()?;
        let end = if position.is_stalemate() {
            End::Stalemate
        } else if position.is_insufficient_material() {
            End::InsufficientMaterial
        } else if position.halfmoves() >= 100 {
            End::FiftyMoves
        } else if self.seen.iter().filter(|&key| key == now).count() >= 3 {
            End::Repetition
        } else {
            return None;
        };
        Some(self.ended(0.5, end, None))
    }

    fn adjudge(&self, rules: Adjudication) -> Option<Played> {
        let last = |plies: usize| self.scores.len().checked_sub(plies).map(|from| &self.scores[from..]);
        let all = |plies: usize, test: &dyn Fn(i32) -> bool| {
            last(plies).is_some_and(|scores| {
                scores
                    .iter()
                    .all(|score| score.is_some_and(|score| test(centipawns(score))))
            })
        };
        if all(rules.lost_plies, &|white| white < rules.lost_below) {
            return Some(self.ended(0.0, End::Adjudicated, None));
        }
        if all(rules.lost_plies, &|white| -white < rules.lost_below) {
            return Some(self.ended(1.0, End::Adjudicated, None));
        }
        (self.moves.len() >= rules.drawn_from && all(rules.drawn_plies, &|white| white.abs() <= rules.drawn_within))
            .then(|| self.ended(0.5, End::Adjudicated, None))
    }
}

fn negated(score: Score) -> Score {
    match score {
        Score::Cp(value) => Score::Cp(-value),
        Score::Mate(0) => Score::Mate(0),
        Score::Mate(moves) => Score::Mate(-moves),
    }
}

/// A mate is worth more than any other score.
fn centipawns(score: Score) -> i32 {
    match score {
        Score::Cp(value) => value,
        Score::Mate(moves) => 30_000 * moves.signum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use torres_link::messages::Info;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn referee(fen: &str, limits: &str) -> Referee {
        Referee::new(fen, [limits.parse().unwrap(); 2]).unwrap()
    }

    fn thought(best: &str, ms: u64, score: Option<i32>) -> Thought {
        Thought {
            best: Some(best.to_owned()),
            elapsed: Duration::from_millis(ms),
            info: score.map(|cp| Info {
                id: 1,
                depth: 5,
                score: Score::Cp(cp),
                nodes: 100,
                nps: 0,
                pv: vec![],
            }),
        }
    }

    /// Hears moves of 10 ms each, with the mover's scores.
    fn follow(referee: &mut Referee, moves: &str, score_of: impl Fn(usize) -> Option<i32>) -> Option<Played> {
        for (ply, text) in moves.split_whitespace().enumerate() {
            let turn = referee.position.turn();
            referee.hear(turn, thought(text, 10, score_of(ply))).unwrap();
        }
        referee.end_by_rules()
    }

    #[test]
    fn the_rules_end_games() {
        for (fen, moves, end, points) in [
            (START, "f2f3 e7e5 g2g4 d8h4", End::Checkmate, 0.0),
            ("7k/5Q2/8/8/8/8/8/K7 w - - 0 1", "a1a2", End::Stalemate, 0.5),
            ("7k/8/8/8/8/8/1q6/K7 w - - 0 1", "a1b2", End::InsufficientMaterial, 0.5),
            ("7k/8/8/8/8/8/R7/K7 w - - 99 90", "a2b2", End::FiftyMoves, 0.5),
            (START, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", End::Repetition, 0.5),
        ] {
            let ended =
                follow(&mut referee(fen, "nodes=1"), moves, |_| None).unwrap_or_else(|| panic!("{end:?} in {fen}"));
            assert_eq!((ended.end, ended.white_points), (end, points));
        }
        assert_eq!(
            follow(&mut referee(START, "nodes=1"), "g1f3 g8f6 f3g1 f6g8", |_| None),
            None
        );
    }

    #[test]
    fn an_illegal_move_loses_and_is_named() {
        for wrong in ["e2e5", "no move", "e1g1", "e2e4e6"] {
            let ended = referee(START, "nodes=1")
                .hear(Color::White, thought(wrong, 1, None))
                .unwrap_err();
            assert_eq!((ended.end, ended.white_points), (End::IllegalMove, 0.0));
            assert!(ended.detail.unwrap().starts_with(wrong));
        }
    }

    #[test]
    fn clocks_run_and_gain_and_fall() {
        let mut referee = referee(START, "1+0.01");
        referee.hear(Color::White, thought("e2e4", 300, None)).unwrap();
        assert_eq!(referee.clocks.map(|clock| clock.left_ms), [Some(710), Some(1000)]);
        referee.hear(Color::Black, thought("e7e5", 1000, None)).unwrap();
        assert_eq!(referee.clocks[1].left_ms, Some(10));
        let ended = referee.hear(Color::White, thought("g1f3", 711, None)).unwrap_err();
        assert_eq!((ended.end, ended.white_points), (End::TimeLoss, 0.0));
    }

    #[test]
    fn faults_lose_by_their_kind() {
        let silent = Fault::Silent("x".to_owned());
        let kind = |limits: &str, fault: &Fault| referee(START, limits).fault(Color::Black, fault);
        assert_eq!(kind("8+0.08", &silent).end, End::TimeLoss);
        assert_eq!(kind("nodes=5", &silent).end, End::NoAnswer);
        assert_eq!(kind("nodes=5", &Fault::Gone).end, End::Crash);
        assert_eq!(kind("nodes=5", &Fault::Gone).white_points, 1.0);
    }

    #[test]
    fn both_must_agree_before_a_game_is_adjudged() {
        let moves = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6";
        let rules = Adjudication::default();
        let after = |score_of: &dyn Fn(usize) -> Option<i32>| {
            let mut referee = referee(START, "nodes=1");
            follow(&mut referee, moves, score_of);
            referee.adjudge(rules).map(|ended| ended.white_points)
        };
        let white_wins = |ply: usize| Some(if ply.is_multiple_of(2) { 700 } else { -700 });
        assert_eq!(after(&white_wins), Some(1.0));
        assert_eq!(after(&|ply| white_wins(ply).map(|score| -score)), Some(0.0));
        assert_eq!(after(&|_| Some(700)), None, "each thinks it wins");
        assert_eq!(
            after(&|ply| white_wins(ply).filter(|_| ply != 3)),
            None,
            "one was silent"
        );
        assert_eq!(after(&|_| Some(0)), None, "too early for a draw");
        let mut long = referee(START, "nodes=1");
        long.moves = vec![String::new(); rules.drawn_from];
        long.scores = vec![Some(Score::Cp(5)); rules.drawn_plies];
        assert_eq!(long.adjudge(rules).map(|ended| ended.white_points), Some(0.5));
    }
}
