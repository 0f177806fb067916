//! Test suites: positions whose best moves are known, so much time or so many nodes for each, and a table of what was
//! found.
//!
//!     cargo run --release --example suites -- movetime=1000 target/suites.jsonl ../shared/data/epd/wacnew.epd
//!
//! Answers go to the file as they come, one JSON object a line; a rerun asks what is missing. Lines of the suites are
//! EPD: `bm` lists the moves that solve a position (one point); where `c8` and `c9` give points for UCI moves, as the
//! Strategic Test Suite does, those count. Exit status 2 when the arguments or files are wrong.

use serde::{Deserialize, Serialize};
use shakmaty::san::San;
use shakmaty::{CastlingMode, Chess, fen::Fen};
use std::collections::HashSet;
use std::fmt::Display;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;
use torres::engine::{Engine, Game, SearchControl, SearchLimits};

const USAGE: &str = "usage: suites movetime=MS|nodes=N ANSWERS SUITE...";
/// Transposition table, in MiB; it is emptied before each position.
const HASH_MIB: usize = 64;

struct Problem {
    name: String,
    fen: String,
    /// UCI moves and their points.
    worth: Vec<(String, u32)>,
}

impl Problem {
    fn most(&self) -> u32 {
        self.worth.iter().map(|&(_, points)| points).max().unwrap_or(0)
    }

    fn points(&self, mv: &str) -> u32 {
        self.worth
            .iter()
            .find(|(worth, _)| worth == mv)
            .map_or(0, |&(_, points)| points)
    }
}

/// What an engine played in a position. The moves' points are in the suite.
#[derive(Serialize, Deserialize)]
struct Answer {
    suite: String,
    limits: String,
    problem: String,
    mv: String,
    points: u32,
    most: u32,
    depth: u32,
    nodes: u64,
}

/// What an EPD line says in its operation of this name.
fn operation<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(&format!(" {name} "))?;
    Some(rest.split_once(';')?.0.trim().trim_matches('"'))
}

/// A line's problem; `None` when it names no good moves.
fn problem(line: &str, number: usize) -> Result<Option<Problem>, String> {
    let fen = line.split(' ').take(4).collect::<Vec<_>>().join(" ");
    let worth = if let (Some(points), Some(moves)) = (operation(line, "c8"), operation(line, "c9")) {
        let points = points
            .split_whitespace()
            .map(|text| text.parse().map_err(|_| format!("'{text}' is no number of points")));
        moves
            .split_whitespace()
            .map(str::to_owned)
            .zip(points.collect::<Result<Vec<u32>, String>>()?)
            .collect()
    } else if let Some(best) = operation(line, "bm") {
        let position: Chess = fen
            .parse::<Fen>()
            .map_err(|error| error.to_string())?
            .into_position(CastlingMode::Standard)
            .map_err(|error| error.to_string())?;
        let uci = |san: &str| -> Result<(String, u32), String> {
            let mv = san
                .parse::<San>()
                .map_err(|error| error.to_string())?
                .to_move(&position)
                .map_err(|error| format!("{san}: {error}"))?;
            Ok((mv.to_uci(CastlingMode::Standard).to_string(), 1))
        };
        best.split_whitespace().map(uci).collect::<Result<_, _>>()?
    } else {
        return Ok(None);
    };
    let name = operation(line, "id").map_or_else(|| number.to_string(), str::to_owned);
    Ok(Some(Problem { name, fen, worth }))
}

fn problems(path: &str) -> Result<Vec<Problem>, String> {
    let text = std::fs::read_to_string(path).map_err(naming(path))?;
    let mut problems = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let wrong = |error| format!("{path}, line {}: {error}", index + 1);
        problems.extend(problem(line, index + 1).map_err(wrong)?);
    }
    Ok(problems)
}

/// An error that says which file it is about.
fn naming<E: Display>(path: &str) -> impl Fn(E) -> String {
    move |error| format!("'{path}': {error}")
}

fn limits(text: &str) -> Result<SearchLimits, String> {
    let (kind, number) = text.split_once('=').ok_or(USAGE)?;
    let number: u64 = number.parse().map_err(|_| USAGE)?;
    match kind {
        "movetime" => Ok(SearchLimits {
            move_time: Some(Duration::from_millis(number)),
            ..SearchLimits::default()
        }),
        "nodes" => Ok(SearchLimits {
            nodes: Some(number),
            ..SearchLimits::default()
        }),
        _ => Err(USAGE.to_owned()),
    }
}

/// Answers given before; a last line that was cut off is left out.
fn earlier(path: &str) -> Result<Vec<Answer>, String> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(naming(path)(error)),
    }
}

fn run(arguments: &[String]) -> Result<(), String> {
    let [asked, answers_file, suites @ ..] = arguments else {
        return Err(USAGE.to_owned());
    };
    let limits = limits(asked)?;
    let mut answers = earlier(answers_file)?;
    let given: HashSet<(String, String, String)> = answers
        .iter()
        .map(|answer| (answer.suite.clone(), answer.limits.clone(), answer.problem.clone()))
        .collect();
    let mut out = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(answers_file)
        .map_err(naming(answers_file))?;
    let mut engine = Engine::new(HASH_MIB);
    for path in suites {
        let suite = Path::new(path)
            .file_stem()
            .map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        for problem in problems(path)? {
            if given.contains(&(suite.clone(), asked.clone(), problem.name.clone())) {
                continue;
            }
            engine.new_game();
            let game = Game::from_fen_and_moves(&problem.fen, [""; 0]).map_err(naming(&problem.name))?;
            let result = engine.search(&game, &limits, &SearchControl::new(), &mut |_| {});
            let mv = result.best.map_or_else(String::new, |mv| mv.to_string());
            let answer = Answer {
                suite: suite.clone(),
                limits: asked.clone(),
                points: problem.points(&mv),
                most: problem.most(),
                problem: problem.name,
                mv,
                depth: result.depth,
                nodes: result.nodes,
            };
            let line = serde_json::to_string(&answer).map_err(|error| error.to_string())?;
            writeln!(out, "{line}").map_err(naming(answers_file))?;
            answers.push(answer);
        }
        let of_suite: Vec<&Answer> = answers
            .iter()
            .filter(|answer| answer.suite == suite && answer.limits == *asked)
            .collect();
        tell(&suite, asked, &of_suite);
    }
    Ok(())
}

fn tell(suite: &str, limits: &str, answers: &[&Answer]) {
    let total = |of: &dyn Fn(&Answer) -> u64| answers.iter().map(|answer| of(answer)).sum::<u64>();
    let count = answers.len().max(1) as f64;
    let (points, most) = (
        total(&|answer| answer.points.into()),
        total(&|answer| answer.most.into()),
    );
    println!(
        "{suite}, {limits}: {points} of {most} points ({:.1} %) in {} positions; mean depth {:.1}, {:.0} nodes",
        100.0 * points as f64 / most.max(1) as f64,
        answers.len(),
        total(&|answer| answer.depth.into()) as f64 / count,
        total(&|answer| answer.nodes) as f64 / count,
    );
    // Where every answer is right or wrong, the wrong ones can be looked at.
    if answers.iter().all(|answer| answer.most == 1) {
        let missed = answers.iter().filter(|answer| answer.points == 0);
        let missed: Vec<String> = missed
            .map(|answer| format!("{} {}", answer.problem, answer.mv))
            .collect();
        println!("missed: {}", missed.join(", "));
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
