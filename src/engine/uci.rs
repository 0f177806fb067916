//! The Universal Chess Interface: the door through which chess programs and tournament managers reach the engine.
//!
//! Commands are read on the calling thread and answered at once; a search runs on a thread of its own, and whatever needs
//! the engine stops it first. Unknown commands and words are ignored, as the protocol wants; what cannot be done is told
//! in an `info string`.

use super::{Clock, Engine, Game, Score, SearchControl, SearchInfo, SearchLimits, SearchResult};
use std::io::{self, BufRead, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Transposition table at the start, in MiB.
const DEFAULT_HASH_MIB: usize = 64;
/// Most threads that the option accepts; the search uses one.
const MAX_THREADS: usize = 256;
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Serves UCI until `quit` or the end of the input; a search that still runs is then stopped and answered.
///
/// # Errors
/// The input cannot be read, or the output not written.
pub fn serve(input: impl BufRead, output: impl Write + Send + 'static) -> io::Result<()> {
    let output = Output(Arc::new(Mutex::new(output)));
    let engine = Arc::new(Mutex::new(Engine::new(DEFAULT_HASH_MIB)));
    let mut session = Session {
        engine,
        running: None,
        game: Game::default(),
        output,
    };
    for line in input.lines() {
        if session.obey(&line?)? == Then::Quit {
            break;
        }
    }
    session.finish_search()
}

/// Whole lines from two threads.
struct Output<W>(Arc<Mutex<W>>);

impl<W> Clone for Output<W> {
    fn clone(&self) -> Self {
        Output(Arc::clone(&self.0))
    }
}

impl<W: Write> Output<W> {
    fn line(&self, text: impl std::fmt::Display) -> io::Result<()> {
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        writeln!(output, "{text}")?;
        output.flush()
    }
}

#[derive(PartialEq, Eq)]
enum Then {
    GoOn,
    Quit,
}

struct Session<W> {
    /// Held by the search thread while it searches.
    engine: Arc<Mutex<Engine>>,
    running: Option<Running>,
    game: Game,
    output: Output<W>,
}

struct Running {
    control: SearchControl,
    thread: JoinHandle<io::Result<()>>,
}

impl<W: Write + Send + 'static> Session<W> {
    fn obey(&mut self, line: &str) -> io::Result<Then> {
        let mut words = line.split_whitespace();
        match words.next().unwrap_or_default() {
            "uci" => self.introduce()?,
            "isready" => self.output.line("readyok")?,
            "ucinewgame" => self.idle_engine()?.new_game(),
            "setoption" => self.set_option(line)?,
            "position" => self.set_position(words.collect())?,
            "go" => self.go(words.collect())?,
            "ponderhit" => self.running.iter().for_each(|running| running.control.ponder_hit()),
            "stop" => self.running.iter().for_each(|running| running.control.stop()),
            "quit" => return Ok(Then::Quit),
            _ => {}
        }
        Ok(Then::GoOn)
    }

    fn introduce(&self) -> io::Result<()> {
        self.output
            .line(concat!("id name Torres ", env!("CARGO_PKG_VERSION")))?;
        self.output.line("id author the Torres authors")?;
        let most = Engine::MAX_HASH_MIB;
        self.output.line(format_args!(
            "option name Hash type spin default {DEFAULT_HASH_MIB} min 1 max {most}"
        ))?;
        self.output.line(format_args!(
            "option name Threads type spin default 1 min 1 max {MAX_THREADS}"
        ))?;
        self.output.line("option name Clear Hash type button")?;
        self.output.line("option name Ponder type check default false")?;
        self.output.line("uciok")
    }

    /// `setoption name Hash value 128`; names may have spaces and any case.
    fn set_option(&mut self, line: &str) -> io::Result<()> {
        let after_name = line.split_once("name").map_or("", |(_, rest)| rest);
        let (name, value) = after_name.split_once(" value ").unwrap_or((after_name, ""));
        let (name, value) = (name.trim().to_ascii_lowercase(), value.trim());
        let number = value.parse::<usize>().ok().filter(|&number| number >= 1);
        match (name.as_str(), number) {
            ("hash", Some(mib)) if mib <= Engine::MAX_HASH_MIB => self.idle_engine()?.resize_hash(mib),
            ("threads", Some(threads)) if threads <= MAX_THREADS => {}
            ("clear hash", _) => self.idle_engine()?.new_game(),
            ("ponder", _) => {}
            ("hash" | "threads", _) => {
                self.output.line(format_args!(
                    "info string '{value}' is not a value for {name}; it is unchanged"
                ))?;
            }
            _ => self
                .output
                .line(format_args!("info string there is no option '{name}'"))?,
        }
        Ok(())
    }

    /// `position startpos moves e2e4` or `position fen … moves …`; when refused, the position stays as it was.
    fn set_position(&mut self, words: Vec<&str>) -> io::Result<()> {
        let mut parts = words.split(|&word| word == "moves");
        let (setup, moves) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let fen = match setup {
            ["startpos", ..] => START.to_owned(),
            ["fen", fields @ ..] => fields.join(" "),
            _ => {
                return self
                    .output
                    .line("info string a position begins with 'startpos' or 'fen'");
            }
        };
        match Game::from_fen_and_moves(&fen, moves) {
            Ok(game) => {
                self.game = game;
                Ok(())
            }
            Err(error) => self.output.line(format_args!("info string {error}")),
        }
    }

    fn go(&mut self, words: Vec<&str>) -> io::Result<()> {
        self.finish_search()?;
        let (limits, control) = (parse_limits(&words), SearchControl::new());
        let (engine, game, output) = (Arc::clone(&self.engine), self.game.clone(), self.output.clone());
        let for_search = control.clone();
        let search = move || {
            let mut written = Ok(());
            let mut engine = engine.lock().unwrap_or_else(PoisonError::into_inner);
            let result = engine.search(&game, &limits, &for_search, &mut |info| {
                if written.is_ok() {
                    written = output.line(info_line(&info));
                }
            });
            written.and_then(|()| output.line(best_move_line(&result)))
        };
        let thread = thread::Builder::new().name("search".into()).spawn(search)?;
        self.running = Some(Running { control, thread });
        Ok(())
    }

    /// Stops a search that still runs and waits for its answer.
    fn finish_search(&mut self) -> io::Result<()> {
        let Some(Running { control, thread }) = self.running.take() else {
            return Ok(());
        };
        control.stop();
        thread.join().map_err(|_| io::Error::other("the search broke down"))?
    }

    fn idle_engine(&mut self) -> io::Result<MutexGuard<'_, Engine>> {
        self.finish_search()?;
        Ok(self.engine.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Words that are not understood are skipped; a negative time is none left.
fn parse_limits(words: &[&str]) -> SearchLimits {
    let value = |name: &str| -> Option<u64> {
        let at = words.iter().position(|&word| word == name)?;
        words
            .get(at + 1)?
            .parse::<i64>()
            .ok()
            .map(|number| number.max(0).unsigned_abs())
    };
    let ms = |name| value(name).map(Duration::from_millis);
    let clock = |time, increment| {
        ms(time).map(|remaining| Clock {
            remaining,
            increment: ms(increment).unwrap_or_default(),
        })
    };
    let small = |name| value(name).map(|number| u32::try_from(number).unwrap_or(u32::MAX));
    SearchLimits {
        white: clock("wtime", "winc"),
        black: clock("btime", "binc"),
        moves_to_go: small("movestogo").filter(|&moves| moves > 0),
        move_time: ms("movetime"),
        depth: small("depth"),
        nodes: value("nodes"),
        infinite: words.contains(&"infinite"),
        ponder: words.contains(&"ponder"),
    }
}

fn info_line(info: &SearchInfo) -> String {
    let score = match info.score {
        Score::Cp(centipawns) => format!("cp {centipawns}"),
        Score::Mate(moves) => format!("mate {moves}"),
    };
    let mut line = format!(
        "info depth {} seldepth {} score {score} nodes {} nps {} hashfull {} time {} pv",
        info.depth,
        info.selective_depth,
        info.nodes,
        info.nps(),
        info.hash_full,
        info.time.as_millis(),
    );
    for mv in &info.pv {
        line.push_str(&format!(" {mv}"));
    }
    line
}

/// `0000` says that there is no legal move.
fn best_move_line(result: &SearchResult) -> String {
    match (result.best, result.ponder) {
        (Some(best), Some(ponder)) => format!("bestmove {best} ponder {ponder}"),
        (Some(best), None) => format!("bestmove {best}"),
        (None, _) => "bestmove 0000".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(text: &str) -> SearchLimits {
        parse_limits(&text.split_whitespace().collect::<Vec<_>>())
    }

    #[test]
    fn limits_are_read_in_any_order() {
        let ms = Duration::from_millis;
        let read = limits("binc 20 wtime 1000 movestogo 7 btime -5 nodes 99 searchmoves x depth 3 movetime 40");
        assert_eq!(
            read.white,
            Some(Clock {
                remaining: ms(1000),
                increment: ms(0)
            })
        );
        assert_eq!(
            read.black,
            Some(Clock {
                remaining: ms(0),
                increment: ms(20)
            })
        );
        assert_eq!((read.moves_to_go, read.nodes, read.depth), (Some(7), Some(99), Some(3)));
        assert_eq!(read.move_time, Some(ms(40)));
        assert!(!read.infinite && !read.ponder);
        assert!(limits("infinite").infinite && limits("ponder wtime 1").ponder);
        assert_eq!(limits("depth x nodes movestogo 0"), SearchLimits::default());
    }
}
