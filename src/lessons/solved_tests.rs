//! The check of the lessons: each is solved by the judge's own rules, and what it calls right is held against the
//! engine.

use super::{
    Accept, Claim, Input, Lesson, Outcome, Ply, Progress, Step, Still, Task, Wish, judge, mates_within, parse, shelf,
};
use shakmaty::uci::UciMove;
use shakmaty::{Bitboard, Chess, Move, Position, Square};
use std::collections::HashSet;
use torres_engine::{Engine, Game, Score, SearchControl, SearchLimits};

/// Plies that the engine looks ahead when it judges a move, and when it plays a game of a lesson.
const DEPTH: u32 = 12;
const GAME_DEPTH: u32 = 16;
/// By how many centipawns each refused move is worse than each accepted one, where a lesson claims that they are the
/// best.
const MARGIN: i32 = 150;
/// How many centipawns a move may be worse than the best where a lesson still calls it good.
const GOOD: i32 = 100;

/// What is wrong with a lesson, a line each: `STEP'S LINE: what`.
fn flaws(lesson: &Lesson) -> Vec<String> {
    let mut solver = Solver {
        engine: Engine::new(16),
    };
    let told = lesson.steps.iter().flat_map(|step| {
        let line = step.line;
        let found = solver.flaws(step);
        found.into_iter().map(move |flaw| format!("{line}: {flaw}"))
    });
    told.collect()
}

struct Solver {
    engine: Engine,
}

impl Solver {
    fn flaws(&mut self, step: &Step) -> Vec<String> {
        match &step.task {
            Task::Walk {
                board,
                wish,
                moves,
                safe,
            } => walk_flaws(step, board, wish, *moves, *safe),
            Task::Line { start, plies } => self.line_flaws(step, start, plies),
            Task::Mate { start, moves } => mate_flaws(step, start, *moves),
            Task::Against { start, .. } => self.game_flaws(step, start),
            Task::Choose { squares, .. } => choose_flaws(step, *squares),
            Task::Answer { options, .. } => {
                let right = |index: &usize| {
                    let outcome = judge(step, &Progress::default(), &Input::Option(*index))
                        .unwrap()
                        .outcome;
                    matches!(outcome, Outcome::Finished { .. })
                };
                let count = (0..options.len()).filter(right).count();
                told(count == 1, || format!("{count} answers are right"))
            }
        }
    }

    /// The engine's best move among these, and its score in centipawns for the side to move; a mate counts more the
    /// nearer it is.
    fn best(&mut self, position: &Chess, among: &[Move], depth: u32) -> (Move, i32) {
        let game = Game::from_fen_and_moves::<&str>(&torres_chess::fen(position), []).unwrap();
        self.best_in(&game, position, among, depth)
    }

    /// The same in a game that stands at this position.
    fn best_in(&mut self, game: &Game, position: &Chess, among: &[Move], depth: u32) -> (Move, i32) {
        let named = |played: &Move| game.position().parse_uci(&torres_chess::uci(*played)).unwrap();
        let limits = SearchLimits {
            depth: Some(depth),
            search_moves: among.iter().map(named).collect(),
            ..SearchLimits::default()
        };
        self.engine.new_game();
        let result = self.engine.search(game, &limits, &SearchControl::new(), &mut |_| {});
        let best = torres_chess::parse_move(&result.best.unwrap().to_string(), position).unwrap();
        let score = match result.score {
            Score::Cp(score) => score.clamp(-2000, 2000),
            Score::Mate(moves) if moves > 0 => 3000 - moves,
            Score::Mate(moves) => -3000 - moves,
        };
        (best, score)
    }

    fn line_flaws(&mut self, step: &Step, start: &Chess, plies: &[Ply]) -> Vec<String> {
        let (mut position, mut progress, mut found) = (start.clone(), Progress::default(), Vec::new());
        for ply in plies {
            let legal: Vec<Move> = position.legal_moves().into_iter().collect();
            let (accepted, refused): (Vec<Move>, Vec<Move>) = legal
                .into_iter()
                .partition(|&played| ply.accept.takes(&position, played));
            found.extend(told(!refused.is_empty(), || {
                "every legal move is right, so nothing is asked".into()
            }));
            found.extend(self.claim_flaws(&position, ply.claim, &accepted, &refused));
            for &played in &refused {
                let verdict = judge(step, &progress, &Input::Move(UciMove::from_standard(played))).unwrap();
                assert_eq!(verdict.outcome, Outcome::Wrong);
            }
            let played = UciMove::from_standard(accepted[0]);
            let verdict = judge(step, &progress, &Input::Move(played)).unwrap();
            progress = verdict.progress;
            for named in [Some(played), ply.reply].into_iter().flatten() {
                let played = named.to_move(&position).unwrap();
                position.play_unchecked(played);
            }
        }
        found.extend(told(progress.finished, || {
            "the line is played and the step not done".into()
        }));
        found
    }

    fn claim_flaws(&mut self, position: &Chess, claim: Claim, accepted: &[Move], refused: &[Move]) -> Vec<String> {
        let every: Vec<Move> = accepted.iter().chain(refused).copied().collect();
        let bound = match claim {
            Claim::Asked => return Vec::new(),
            Claim::Best if refused.is_empty() => return Vec::new(),
            Claim::Best => {
                let (best, score) = self.best(position, refused, DEPTH);
                (best, score + MARGIN)
            }
            Claim::Good => {
                let (best, score) = self.best(position, &every, DEPTH);
                (best, score - GOOD)
            }
        };
        let (rival, least) = bound;
        accepted
            .iter()
            .filter_map(|&played| {
                let (_, score) = self.best(position, &[played], DEPTH);
                let (name, rival) = (torres_chess::uci(played), torres_chess::uci(rival));
                (score < least).then(|| format!("{name} is worth {score}, and must be worth {least} beside {rival}"))
            })
            .collect()
    }

    /// The engine plays both sides. It knows the moves before, so it does not repeat itself where it wins.
    fn game_flaws(&mut self, step: &Step, start: &Chess) -> Vec<String> {
        let (mut position, mut progress) = (start.clone(), Progress::default());
        loop {
            let moves: Vec<String> = progress.moves.iter().map(UciMove::to_string).collect();
            let game = Game::from_fen_and_moves(&torres_chess::fen(start), &moves).unwrap();
            let (best, _) = self.best_in(&game, &position, &[], GAME_DEPTH);
            let named = UciMove::from_standard(best);
            let input = match progress.moves.len() % 2 {
                0 => Input::Move(named),
                _ => Input::Reply(named),
            };
            let verdict = judge(step, &progress, &input).unwrap();
            match verdict.outcome {
                Outcome::Ask { .. } | Outcome::Replied => {}
                Outcome::Finished { .. } => return Vec::new(),
                other => {
                    return vec![format!(
                        "the engine fails: {other:?} {:?} after {}",
                        verdict.said,
                        moves.join(" ")
                    )];
                }
            }
            position.play_unchecked(best);
            progress = verdict.progress;
        }
    }
}

fn told(holds: bool, what: impl FnOnce() -> String) -> Vec<String> {
    if holds { Vec::new() } else { vec![what()] }
}

fn choose_flaws(step: &Step, squares: Bitboard) -> Vec<String> {
    let mut progress = Progress::default();
    for square in Square::ALL {
        let verdict = judge(step, &progress, &Input::Click(square)).unwrap();
        assert_eq!(
            verdict.outcome == Outcome::Wrong,
            !squares.contains(square) && !progress.finished
        );
        progress = Progress {
            mistakes: 0,
            ..verdict.progress
        };
    }
    told(progress.finished, || {
        "all squares are chosen and the step not done".into()
    })
}

/// The fewest moves, found breadth first; then the judge is shown them.
fn walk_flaws(step: &Step, board: &Still, wish: &Wish, most: Option<u32>, safe: bool) -> Vec<String> {
    let squares = match *wish {
        Wish::Free(_) => Bitboard::EMPTY,
        Wish::Reach(squares) | Wish::Capture(squares) => squares,
    };
    let mut seen = HashSet::new();
    let mut ways: Vec<(Still, Bitboard, Vec<UciMove>)> = vec![(board.clone(), Bitboard::EMPTY, Vec::new())];
    for _ in 0..most.unwrap_or(10) {
        let mut next = Vec::new();
        for (board, reached, way) in &ways {
            for played in board.moves() {
                let after = board.after(played);
                if safe && after.is_attacked(played.to()) {
                    continue;
                }
                let reached = (*reached).with(played.to()) & squares;
                let way: Vec<UciMove> = way.iter().copied().chain([UciMove::from_standard(played)]).collect();
                let mut progress = Progress::default();
                for &named in &way {
                    progress = judge(step, &progress, &Input::Move(named)).unwrap().progress;
                }
                if progress.finished {
                    let needed = way.len();
                    return told(most.is_none_or(|most| most as usize == needed), || {
                        format!("{needed} moves are enough; write moves = {needed}")
                    });
                }
                let fresh = matches!(wish, Wish::Free(_)) && next.is_empty();
                if fresh || seen.insert((after.clone(), reached)) {
                    next.push((after, reached, way));
                }
            }
        }
        ways = next;
    }
    vec!["the goal cannot be reached in the moves that are given".into()]
}

/// Every move that the judge takes leads to mate, whatever is replied; and no mate is nearer.
fn mate_flaws(step: &Step, start: &Chess, moves: u32) -> Vec<String> {
    let mut found = told(!mates_within(start, moves).is_empty(), || {
        format!("there is no mate in {moves}")
    });
    found.extend(told(mates_within(start, moves - 1).is_empty(), || {
        format!("there is a mate in {}", moves - 1)
    }));
    let mut open = vec![(start.clone(), Progress::default())];
    while let Some((position, progress)) = open.pop() {
        let before = open.len();
        let mut mated = false;
        for played in position.legal_moves() {
            let verdict = judge(step, &progress, &Input::Move(UciMove::from_standard(played))).unwrap();
            let mut after = position.clone();
            after.play_unchecked(played);
            mated |= matches!(verdict.outcome, Outcome::Finished { .. });
            assert_eq!(
                matches!(verdict.outcome, Outcome::Finished { .. }),
                after.is_checkmate()
            );
            if let Outcome::Ask { .. } = verdict.outcome {
                for reply in after.legal_moves() {
                    let input = Input::Reply(UciMove::from_standard(reply));
                    let mut next = after.clone();
                    next.play_unchecked(reply);
                    open.push((next, judge(step, &verdict.progress, &input).unwrap().progress));
                }
            }
        }
        found.extend(told(mated || open.len() > before, || "the judge takes no move".into()));
    }
    found
}

fn shelf_lesson(index: usize) -> Lesson {
    let (file, text) = shelf::FILES[index];
    parse(file, text).unwrap_or_else(|faults| panic!("{faults}"))
}

#[test]
fn every_lesson_of_the_shelf_can_be_solved_and_is_right() {
    let mut found = Vec::new();
    for (file, text) in shelf::FILES {
        match parse(&format!("assets/lessons/{file}"), text) {
            Ok(lesson) => found.extend(
                flaws(&lesson)
                    .iter()
                    .map(|flaw| format!("assets/lessons/{file}:{flaw}")),
            ),
            Err(faults) => found.push(faults.to_string()),
        }
    }
    assert!(found.is_empty(), "{} flaws\n{}", found.len(), found.join("\n"));
}

#[test]
fn the_shelf_holds_every_file_of_the_folder_once() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/lessons");
    let entries = std::fs::read_dir(folder).unwrap();
    let mut lying: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let mut listed: Vec<String> = shelf::FILES.iter().map(|(file, _)| (*file).to_owned()).collect();
    lying.sort();
    listed.sort();
    assert_eq!(lying, listed, "assets/lessons/ and src/lessons/shelf.rs");
    assert_eq!(shelf::lessons().len(), listed.len());
    for index in 0..listed.len() {
        let steps = shelf_lesson(index).steps.len();
        assert!((3..=8).contains(&steps), "{} has {steps} steps", shelf::FILES[index].0);
    }
}

fn one_step(board: &str, goal: &str) -> Lesson {
    let text = format!(
        "id = \"broken\"\npart = \"basic\"\ntitle = \"Broken\"\ntext = [\"A lesson.\"]\n[[step]]\nboard = \"{board}\"\nask = \"Do it.\"\n\
         goal = {goal}\nhints = [{{ say = \"Try.\" }}]\nwrong = \"No.\"\nright = \"Yes.\"\n"
    );
    parse("broken.toml", &text).unwrap_or_else(|faults| panic!("{faults}"))
}

#[test]
fn a_pawn_that_costs_the_last_piece_need_not_be_promoted() {
    let text = |board: &str| {
        format!(
            "id = \"king-and-rook\"\npart = \"advanced\"\ntitle = \"Bridge\"\ntext = [\"One step.\"]\n[[step]]\nboard = \"{board} w - - 0 1\"\nask = \"Bring the pawn through.\"\n\
             goal = {{ against = {{ until = \"promotion\", moves = 3 }} }}\nhints = [{{ say = \"Go.\" }}]\nwrong = \"Again.\"\nright = \"Well.\""
        )
    };
    let ends = |board: &str, moves: [&str; 3]| {
        let lesson = parse("king-and-rook.toml", &text(board)).unwrap();
        let mut progress = Progress::default();
        let mut outcome = Outcome::Replied;
        for (ply, named) in moves.into_iter().enumerate() {
            let named = named.parse().unwrap();
            let input = if ply % 2 == 0 {
                Input::Move(named)
            } else {
                Input::Reply(named)
            };
            let verdict = judge(&lesson.steps[0], &progress, &input).unwrap();
            (progress, outcome) = (verdict.progress, verdict.outcome);
        }
        matches!(outcome, Outcome::Finished { .. })
    };
    assert!(ends("K7/1P6/1r1k4/8/8/8/8/2R5", ["c1c2", "b6b7", "a8b7"]));
    // That is stalemate.
    assert!(!ends("k7/2K5/1P6/8/1r6/8/8/1R6", ["b6b7", "b4b7", "b1b7"]));
    // The rook's side has a piece left, or the learner none that mates.
    assert!(!ends("K7/1P6/1r1k3n/8/8/8/8/2R5", ["c1c2", "b6b7", "a8b7"]));
    assert!(!ends("K7/1P6/1r1k4/8/8/8/8/2N5", ["c1e2", "b6b7", "a8b7"]));
}

#[test]
fn a_broken_lesson_is_found() {
    let fork = "2q3k1/5ppp/8/3N4/8/8/5PPP/6K1 w - - 0 1";
    let ladder = "7k/8/8/8/8/8/1R6/R5K1 w - - 0 1";
    let rook = "8/8/8/8/4R3/8/8/8 w - - 0 1";
    for (board, goal, flaw) in [
        (fork, r#"{ play = [{ accept = ["d5e7"] }] }"#, None),
        (fork, r#"{ play = [{ accept = ["d5b6"] }] }"#, Some("must be worth")),
        (
            fork,
            r#"{ play = [{ accept = ["d5e7", "d5b6"] }] }"#,
            Some("must be worth"),
        ),
        (
            fork,
            r#"{ play = [{ accept = ["g1f1"], claim = "good" }] }"#,
            Some("must be worth"),
        ),
        (fork, r#"{ play = [{ avoid = ["d5e7"] }] }"#, Some("must be worth")),
        // Either rook gives this mate: the other move must not be refused.
        (ladder, r#"{ mate = { moves = 2 } }"#, None),
        (ladder, r#"{ play = [{ accept = ["a1a7"] }] }"#, Some("must be worth")),
        (ladder, r#"{ mate = { moves = 1 } }"#, Some("there is no mate in 1")),
        (ladder, r#"{ mate = { moves = 3 } }"#, Some("there is a mate in 2")),
        (ladder, r#"{ against = { until = "mate", moves = 6 } }"#, None),
        (
            ladder,
            r#"{ against = { until = "mate", moves = 1 } }"#,
            Some("the engine fails"),
        ),
        (rook, r#"{ reach = { squares = ["a8"], moves = 2 } }"#, None),
        (
            rook,
            r#"{ reach = { squares = ["a8"], moves = 1 } }"#,
            Some("cannot be reached"),
        ),
        (
            rook,
            r#"{ reach = { squares = ["a8"], moves = 4 } }"#,
            Some("write moves = 2"),
        ),
        (rook, r#"{ free = { moves = 5 } }"#, None),
        (
            "8/8/8/8/4B3/8/8/8 w - - 0 1",
            r#"{ reach = { squares = ["a1"] } }"#,
            Some("cannot be reached"),
        ),
        (
            "k7/8/2K5/8/8/8/8/7R b - - 0 1",
            r#"{ play = [{ every = "king-move", claim = "asked" }] }"#,
            Some("nothing is asked"),
        ),
    ] {
        let found = flaws(&one_step(board, goal));
        match flaw {
            None => assert!(found.is_empty(), "{goal}: {found:?}"),
            Some(flaw) => assert!(found.iter().any(|told| told.contains(flaw)), "{goal}: {found:?}"),
        }
    }
}

/// What a learner meets in a step, from the first mistake to the end.
#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn the_judge_says_what_the_lesson_says() {
    let lesson = parse("king-and-rook.toml", include_str!("judge_test.toml")).unwrap();
    let play = |step: usize, progress: &Progress, named: &str| {
        judge(&lesson.steps[step], progress, &Input::Move(named.parse().unwrap())).unwrap()
    };
    let begin = Progress::default();

    // A line: illegal, wrong with words of its own, wrong, right with a reply, done.
    let illegal = play(0, &begin, "d5d6");
    assert_eq!((illegal.outcome, illegal.progress.mistakes), (Outcome::Illegal, 0));
    assert!(illegal.said.unwrap().starts_with("A knight jumps"));
    assert_eq!(play(0, &begin, "d5f6").said.unwrap(), "The pawn takes it.");
    let wrong = play(0, &begin, "g1f1");
    assert_eq!(
        (&wrong.outcome, wrong.said.as_deref(), wrong.progress.mistakes),
        (&Outcome::Wrong, Some("No fork."), 1)
    );
    let right = play(0, &wrong.progress, "d5e7");
    assert_eq!(
        right.outcome,
        Outcome::Right {
            reply: "g8f8".parse().ok()
        }
    );
    let hint = judge(&lesson.steps[0], &right.progress, &Input::Hint).unwrap();
    assert_eq!(
        (&hint.outcome, hint.said.as_deref()),
        (&Outcome::Hint(0), Some("Knight!"))
    );
    let kept: Progress = serde_json::from_str(&serde_json::to_string(&hint.progress).unwrap()).unwrap();
    let done = play(0, &kept, "e7c8");
    assert_eq!(
        (&done.outcome, done.said.as_deref()),
        (&Outcome::Finished { reply: None }, Some("A queen!"))
    );
    assert_eq!(play(0, &done.progress, "c8a7").outcome, Outcome::Ignored);
    assert!(
        judge(&lesson.steps[1], &done.progress, &Input::Click(Square::A1)).is_ok_and(|v| v.outcome == Outcome::Ignored)
    );

    // Against the engine: it is asked for its move, a stalemate begins anew.
    let asked = play(1, &begin, "c1c6");
    assert!(matches!(asked.outcome, Outcome::Ask { .. }), "{:?}", asked.outcome);
    assert_eq!(play(1, &asked.progress, "c6c8").outcome, Outcome::Ignored);
    let replied = judge(
        &lesson.steps[1],
        &asked.progress,
        &Input::Reply("a8b8".parse().unwrap()),
    )
    .unwrap();
    assert_eq!(replied.outcome, Outcome::Replied);
    assert!(
        judge(
            &lesson.steps[1],
            &asked.progress,
            &Input::Reply("a8h1".parse().unwrap())
        )
        .is_err()
    );
    let stalemate = play(1, &begin, "c1c7");
    assert_eq!(
        (&stalemate.outcome, &stalemate.progress.moves[..]),
        (&Outcome::Again, &[][..])
    );
    assert!(stalemate.said.unwrap().starts_with("That is stalemate"));
    assert_eq!(play(1, &begin, "c1c8").outcome, Outcome::Finished { reply: None });

    // A walk that must be safe, and short.
    assert_eq!(play(2, &begin, "a1a8").outcome, Outcome::Wrong);
    let aside = play(2, &begin, "a1b1");
    assert_eq!(aside.outcome, Outcome::Right { reply: None });
    assert_eq!(play(2, &aside.progress, "b1c1").outcome, Outcome::Again);
    assert_eq!(play(2, &begin, "a1e1").outcome, Outcome::Right { reply: None });
    let stale = Progress {
        moves: vec!["a1b2".parse().unwrap()],
        ..Progress::default()
    };
    let rook_moved: UciMove = "a1b1".parse().unwrap();
    assert!(judge(&lesson.steps[2], &stale, &Input::Move(rook_moved)).is_err());
}

#[test]
fn a_property_is_what_the_rules_say() {
    let position = torres_chess::parse_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
    let named = |property| -> Vec<String> {
        let legal = position.legal_moves().into_iter();
        let accept = Accept::Every(property);
        legal
            .filter(|&played| accept.takes(&position, played))
            .map(torres_chess::uci)
            .collect()
    };
    use super::Property::*;
    assert_eq!(named(Castling), ["e1g1", "e1c1"]);
    assert_eq!(named(Capture), ["a1a8", "h1h8"]);
    assert_eq!(named(Check), ["a1a8", "h1h8"]);
    assert!(named(KingMove).iter().all(|name| name.starts_with("e1")) && named(KingMove).len() == 5);
    assert!(named(Block).is_empty() && named(Promotion).is_empty());
}
