//! `torres uci`, `torres perft` and `torres bench` as another program sees them.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use torres_engine::nnue::{BUCKETS, INPUT_ONE, INPUTS, Network, OUTPUT_ONE, Weights};
use torres_test_support::program;

/// No answer takes longer, however loaded the machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running `torres uci`.
struct Uci {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Uci {
    fn start() -> Uci {
        Uci::of(Command::new(program()).arg("uci"))
    }

    fn of(command: &mut Command) -> Uci {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            output
                .lines()
                .map_while(Result::ok)
                .try_for_each(|line| sender.send(line))
        });
        Uci {
            input: child.stdin.take(),
            child,
            lines,
        }
    }

    fn say(&mut self, line: &str) {
        self.send(format!("{line}\n").as_bytes());
    }

    fn send(&mut self, bytes: &[u8]) {
        self.input.as_mut().unwrap().write_all(bytes).unwrap();
    }

    /// Reads up to the line that begins so; all lines read, that one last.
    fn until(&mut self, beginning: &str) -> Vec<String> {
        let mut seen = Vec::new();
        loop {
            let line = self
                .lines
                .recv_timeout(PATIENCE)
                .unwrap_or_else(|_| panic!("no '{beginning}' after {seen:?}"));
            seen.push(line);
            if seen.last().is_some_and(|line| line.starts_with(beginning)) {
                return seen;
            }
        }
    }

    fn best_move(&mut self) -> String {
        let lines = self.until("bestmove");
        lines.last().unwrap().split(' ').nth(1).unwrap().to_owned()
    }

    /// Whether the next thing said to it is answered before any best move: it is still searching.
    fn is_searching(&mut self) -> bool {
        self.say("isready");
        !self.until("readyok").iter().any(|line| line.starts_with("bestmove"))
    }

    fn ends_well(mut self) {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            if let Some(status) = self.child.try_wait().unwrap() {
                assert!(status.success(), "{status}");
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        self.child.kill().unwrap();
        panic!("it does not end");
    }
}

#[test]
fn it_introduces_itself() {
    let mut uci = Uci::start();
    uci.say("uci");
    let lines = uci.until("uciok");
    for expected in [
        "id name Torres",
        "id author",
        "option name Hash type spin",
        "option name Threads type spin",
        "option name Ponder type check",
        "option name MultiPV type spin",
        "option name Move Overhead type spin",
        "option name NodeBudget type check",
        "option name Character type combo default none var none var alv1",
        "option name Contempt type spin",
        "option name UCI_LimitStrength type check",
        "option name UCI_Elo type spin",
        "option name UCI_ShowWDL type check",
        "option name Evaluation type combo default network var network var hand-made",
        "option name EvalFile type string",
    ] {
        assert!(
            lines.iter().any(|line| line.starts_with(expected)),
            "{expected} is not in {lines:?}"
        );
    }
    uci.say("quit");
    uci.ends_well();
}

#[test]
fn it_finds_the_mate_in_the_position_after_the_moves() {
    let mut uci = Uci::start();
    for option in ["name Hash value 8", "name Threads value 2", "name Clear Hash"] {
        uci.say(&format!("setoption {option}"));
    }
    uci.say("ucinewgame");
    uci.say("position startpos moves f2f3 e7e5 g2g4");
    uci.say("go depth 4");
    let lines = uci.until("bestmove");
    assert_eq!(lines.last().unwrap(), "bestmove d8h4");
    let info = &lines[lines.len() - 2];
    assert!(info.contains(" score mate 1 ") && info.ends_with(" pv d8h4"), "{info}");
    assert!(!lines.iter().any(|line| line.contains("info string")), "{lines:?}");
    uci.say("position startpos moves f2f3 e7e5 g2g4 d8h4");
    uci.say("go movetime 1000");
    assert_eq!(uci.best_move(), "(none)");
}

/// The scores are the rules' own, and the form is Stockfish's: `info depth 0 score mate 0`, `info depth 0 score cp 0`,
/// `bestmove (none)`.
#[test]
fn a_game_that_is_over_has_a_score_and_no_move() {
    let mut uci = Uci::start();
    for (fen, score) in [
        ("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "mate 0"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0"),
    ] {
        uci.say(&format!("position fen {fen}"));
        for go in [
            "go depth 5",
            "go wtime 1000 btime 1000",
            "go movetime 60000",
            "go nodes 1",
        ] {
            uci.say(go);
            let lines = uci.until("bestmove");
            let [info, best] = &lines[..] else { panic!("{lines:?}") };
            assert!(
                info.starts_with("info depth 0 ") && info.contains(&format!(" score {score} ")),
                "{info}"
            );
            assert!(!info.contains(" pv"), "{info}");
            assert_eq!(best, "bestmove (none)");
        }
        // Told at once, and answered when asked for.
        uci.say("go infinite");
        uci.until("info depth 0");
        assert!(uci.is_searching());
        uci.say("stop");
        assert_eq!(uci.best_move(), "(none)");
    }
}

#[test]
fn bytes_that_are_no_text_are_left_out_and_the_engine_goes_on() {
    let mut uci = Uci::start();
    uci.say("position startpos moves f2f3 e7e5 g2g4");
    for bytes in [
        &b"\xff\xfe\n"[..],
        b"position fen \xe9\n",
        b"isready\0\x80\r\n",
        b"\xc3\n",
    ] {
        uci.send(bytes);
        assert!(uci.until("info string").last().unwrap().contains("UTF-8"));
    }
    // What is text and no command says nothing; the position is as it was.
    uci.send(b"\0\x01\n\r\n\xc3\xa9\n");
    uci.say("isready");
    assert_eq!(uci.until("readyok"), ["readyok"]);
    uci.say("go depth 3");
    assert_eq!(uci.best_move(), "d8h4");
    // Also as the last words, without a line's end.
    uci.send(b"quit\xff");
    uci.input = None;
    uci.until("info string");
    uci.ends_well();
}

#[test]
fn the_time_for_a_move_is_the_most_that_it_takes() {
    let mut uci = Uci::start();
    uci.say("position startpos");
    for go in [
        "go movetime 100",
        "go movetime 100 depth 100 nodes 1000000000000",
        "go wtime 60000000 btime 60000000 movetime 100",
    ] {
        let asked = Instant::now();
        uci.say(go);
        let lines = uci.until("bestmove");
        // However loaded the machine: without it the search would go on for hours.
        assert!(asked.elapsed() < PATIENCE, "{go}");
        assert!(lines.len() > 1, "{lines:?}");
    }
}

/// A table that the process may not have is refused; what it had stays, and it goes on.
#[cfg(target_os = "linux")]
#[test]
fn a_table_beyond_memory_is_refused_and_no_larger_one_is_declared() {
    let limited = format!("ulimit -v 700000; exec '{}' uci", program());
    let mut uci = Uci::of(Command::new("sh").args(["-c", &limited]));
    let most = |uci: &mut Uci| -> u64 {
        uci.say("uci");
        let lines = uci.until("uciok");
        let hash = lines.iter().find(|line| line.starts_with("option name Hash ")).unwrap();
        hash.rsplit(' ').next().unwrap().parse().unwrap()
    };
    let declared = most(&mut uci);
    assert!((100..700).contains(&declared), "{declared} of 683 MiB");
    uci.say("setoption name Hash value 8");
    uci.say("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
    for wrong in [declared * 2, 32_768, 1_048_576] {
        uci.say(&format!("setoption name Hash value {wrong}"));
        let lines = uci.until("info string");
        let reason = lines.last().unwrap();
        assert!(
            reason.contains(&format!("no memory for a table of {wrong} MiB")) && reason.contains("unchanged"),
            "{reason}"
        );
        uci.say("go depth 3");
        assert_eq!(uci.best_move(), "a1a8");
    }
    // What is declared can be had, and as much again when it is there already.
    let declared = most(&mut uci);
    for size in [declared, 1, declared - 1] {
        uci.say(&format!("setoption name Hash value {size}"));
        uci.say("isready");
        assert_eq!(uci.until("readyok"), ["readyok"], "{size} of {declared}");
    }
    uci.say("go depth 3");
    assert_eq!(uci.best_move(), "a1a8");
}

#[test]
fn castling_is_understood_in_both_forms() {
    let mut uci = Uci::start();
    for castling in ["e1g1", "e1h1"] {
        // Castling gave check on the f-file; had it been refused, White would still be to move.
        uci.say(&format!("position fen 5k2/8/8/8/8/8/8/4K2R w K - 0 1 moves {castling}"));
        uci.say("go depth 2");
        let lines = uci.until("bestmove");
        assert!(!lines.iter().any(|line| line.contains("info string")), "{lines:?}");
        assert!(["f8e7", "f8e8", "f8g7", "f8g8"].contains(&lines.last().unwrap().split(' ').nth(1).unwrap()));
    }
}

#[test]
fn an_endless_search_goes_on_until_stop() {
    let mut uci = Uci::start();
    uci.say("position fen 8/8/8/8/8/8/8/K1k4R w - - 0 1");
    uci.say("go infinite");
    uci.until("info depth 5");
    assert!(uci.is_searching());
    uci.say("stop");
    assert_ne!(uci.best_move(), "(none)");
    // A stop when nothing runs is nothing.
    uci.say("stop");
    assert!(uci.is_searching());
}

#[test]
fn pondering_waits_for_the_hit() {
    let mut uci = Uci::start();
    uci.say("position startpos moves e2e4");
    uci.say("go ponder wtime 100 btime 100 depth 3");
    uci.until("info depth 3");
    assert!(uci.is_searching());
    uci.say("ponderhit");
    assert_ne!(uci.best_move(), "(none)");
}

#[test]
fn the_clock_is_kept() {
    let mut uci = Uci::start();
    uci.say("position startpos");
    uci.say("go wtime 200 btime 200 winc 0 binc 0");
    assert_ne!(uci.best_move(), "(none)");
}

#[test]
fn options_show_in_what_is_answered() {
    let mut uci = Uci::start();
    uci.say("setoption name MultiPV value 3");
    uci.say("setoption name UCI_ShowWDL value true");
    uci.say("position startpos");
    uci.say("go depth 5");
    let lines = uci.until("bestmove");
    for line in 1..=3 {
        let told = lines
            .iter()
            .filter(|text| text.contains(" depth 5 ") && text.contains(&format!(" multipv {line} ")))
            .collect::<Vec<_>>();
        assert_eq!(told.len(), 1, "{lines:?}");
        assert!(told[0].contains(" wdl "), "{told:?}");
    }
    uci.say("setoption name MultiPV value 1");
    uci.say("go depth 4 searchmoves a2a3 h2h3");
    let best = uci.best_move();
    assert!(["a2a3", "h2h3"].contains(&best.as_str()), "{best}");
    uci.say("position fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
    uci.say("go mate 2");
    assert_eq!(uci.best_move(), "a1a6");
    uci.say("setoption name NodeBudget value true");
    uci.say("go nodes 20000");
    assert_eq!(uci.best_move(), "a1a6");
    uci.say("setoption name NodeBudget value false");
    uci.say("setoption name Contempt value 30");
    uci.say("position fen 4k3/8/8/8/8/8/8/4K2N w - - 0 1");
    uci.say("go depth 3");
    let lines = uci.until("bestmove");
    assert!(lines.iter().any(|line| line.contains(" score cp -30 ")), "{lines:?}");
}

#[test]
fn a_weak_level_answers_at_once_with_some_legal_move() {
    let mut uci = Uci::start();
    uci.say("setoption name UCI_Elo value 600");
    uci.say("setoption name UCI_LimitStrength value true");
    uci.say("position startpos moves e2e4");
    uci.say("go movetime 60000");
    let asked = Instant::now();
    let best = uci.best_move();
    assert!(
        asked.elapsed() < PATIENCE / 2,
        "its few nodes end the search, not the time"
    );
    assert_eq!(best.len(), 4);
}

#[test]
fn what_is_wrong_is_said_and_changes_nothing() {
    let mut uci = Uci::start();
    uci.say("position startpos moves f2f3 e7e5 g2g4");
    for wrong in [
        "position startpos moves e2e5",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position",
        "setoption name Hash value 0",
        "setoption name Hash value many",
        "setoption name Nonsense value 1",
    ] {
        uci.say(wrong);
        uci.until("info string");
    }
    uci.say("");
    uci.say("flurb 3");
    uci.say("go depth 3");
    assert_eq!(uci.best_move(), "d8h4");
}

#[test]
fn the_end_of_the_input_ends_it_even_while_it_searches() {
    for last in ["go infinite", "go ponder depth 1", "isready"] {
        let mut uci = Uci::start();
        uci.say("position startpos");
        uci.say(last);
        uci.input = None;
        if last.starts_with("go") {
            uci.until("bestmove");
        }
        uci.ends_well();
    }
}

fn torres(args: &[&str]) -> Output {
    Command::new(program()).args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn perft_counts_and_divides() {
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    assert_eq!(text(&torres(&["perft", "3"]).stdout), "8902\n");
    assert_eq!(text(&torres(&["perft", "2", kiwipete]).stdout), "2039\n");
    let divided = text(&torres(&["perft", "2", kiwipete, "--divide"]).stdout);
    let lines: Vec<&str> = divided.lines().collect();
    assert_eq!(lines.len(), 48 + 1);
    assert!(lines.contains(&"e1g1: 43"), "{divided}");
    assert_eq!(lines.last(), Some(&"2039"));
}

#[test]
fn perft_refuses_what_is_no_position() {
    let refused = torres(&["perft", "2", "8/8/8/8/8/8/8/8 w - - 0 1"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(refused.stdout.is_empty());
    let message = text(&refused.stderr);
    assert!(
        message.contains("White has 0 kings") && message.contains("Black has 0 kings"),
        "{message}"
    );
}

#[test]
fn bench_ends_with_nodes_and_speed() {
    let nodes = |options: &[&str]| -> u64 {
        let bench = torres(&[&["bench", "5"], options].concat());
        assert!(bench.status.success());
        let output = text(&bench.stdout);
        let words: Vec<String> = output.lines().last().unwrap().split(' ').map(str::to_owned).collect();
        assert_eq!((words.len(), words[1].as_str(), words[3].as_str()), (4, "nodes", "nps"));
        assert!(words[2].parse::<u64>().unwrap() > 0);
        words[0].parse().unwrap()
    };
    assert_eq!(nodes(&[]), nodes(&[]));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("n.tnet");
    std::fs::write(&file, ignorant_network().to_bytes()).unwrap();
    let file = file.display().to_string();
    assert_ne!(nodes(&["--eval-file", &file]), nodes(&["--evaluation", "hand-made"]));
    let missing = torres(&["bench", "5", "--eval-file", &format!("{file}.not")]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(text(&missing.stderr).contains("cannot be read"), "{missing:?}");
}

/// It knows nothing but that the side to move is half an output ahead: 200 centipawns.
fn ignorant_network() -> Network {
    let half = i32::midpoint(0, INPUT_ONE * OUTPUT_ONE);
    let weights = Weights {
        inputs: vec![0; INPUTS * 64],
        input_bias: vec![0; 64],
        outputs: vec![0; BUCKETS * 2 * 64],
        output_bias: [half; BUCKETS],
    };
    Network::new(&weights, "knows nothing").unwrap()
}

#[test]
fn another_network_is_taken_and_a_damaged_one_is_not() {
    let mut bytes = ignorant_network().to_bytes();
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.display().to_string()
    };
    let whole = file("whole.tnet", &bytes);
    bytes[100] ^= 1;
    let damaged = file("damaged.tnet", &bytes);

    let mut uci = Uci::start();
    let mut told = |path: &str| {
        uci.say(&format!("setoption name EvalFile value {path}"));
        uci.until("info string").pop().unwrap_or_default()
    };
    let taken = told(&whole);
    assert!(
        taken.contains("64 hidden units") && taken.contains("knows nothing"),
        "{taken}"
    );
    let refused = told(&damaged);
    assert!(
        refused.contains("damaged") && refused.contains("unchanged"),
        "{refused}"
    );
    let missing = told(&format!("{whole}.not"));
    assert!(missing.contains("cannot be read"), "{missing}");
    let own = told("<embedded>");
    assert!(own.contains("positions"), "{own}");
    told(&whole);

    let mut score = |evaluation: &str| {
        uci.say(&format!("setoption name Evaluation value {evaluation}"));
        uci.say("position startpos");
        uci.say("go depth 1");
        uci.until("bestmove").join("\n")
    };
    assert!(score("network").contains(" score cp -200 "));
    assert!(!score("hand-made").contains(" score cp -200 "));
    assert!(score("network").contains(" score cp -200 "));
}
