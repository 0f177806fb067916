//! The Universal Chess Interface: the door through which chess programs and tournament managers reach the engine.
//!
//! Commands are read on the calling thread and answered at once; a search runs on a thread of its own, and whatever
//! needs the engine stops it first. Unknown commands and words are ignored, as the protocol wants; what cannot be done
//! is told in an `info string`.

mod fuzz_tests;
mod lines;
mod options;

use super::nnue::{Network, NetworkError, instruction_set};
use super::{Engine, Game, Options, SearchControl, SearchInfo, SearchLimits, SearchResult};
use lines::{best_move_line, info_line, parse_limits};
use options::{Setting, default_hash_mib};
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

/// Characters of a message about what was asked, which may quote it.
const LONGEST_MESSAGE: usize = 1000;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Who answers: the engine, or somebody who has it and more options.
pub trait Player: Send + 'static {
    /// The engine, to which the options of [`Options`] go.
    fn engine(&mut self) -> &mut Engine;

    /// Options beside the engine's, as UCI declares them.
    fn more_options(&self) -> Vec<String> {
        Vec::new()
    }

    /// Sets one of them, named in lower case; `None` where there is none of that name.
    fn set_option(&mut self, _name: &str, _value: &str) -> Option<Result<(), String>> {
        None
    }

    /// Thinks, as [`Engine::search`] does.
    fn search(
        &mut self,
        game: &Game,
        limits: &SearchLimits,
        control: &SearchControl,
        report: &mut dyn FnMut(SearchInfo),
    ) -> SearchResult {
        self.engine().search(game, limits, control, report)
    }
}

impl Player for Engine {
    fn engine(&mut self) -> &mut Engine {
        self
    }
}

/// Serves UCI for the player that `player` makes of an engine, until `quit` or the end of the input; a search that
/// still runs is then stopped and answered.
///
/// # Errors
/// The input cannot be read, or the output not written.
pub fn serve<P: Player>(
    mut input: impl BufRead,
    output: impl Write + Send + 'static,
    player: impl FnOnce(Engine) -> P,
) -> io::Result<()> {
    let output = Output(Arc::new(Mutex::new(output)));
    let hash_mib = default_hash_mib(0);
    let player = player(Engine::new(hash_mib));
    let mut session = Session {
        more_options: player.more_options(),
        player: Arc::new(Mutex::new(player)),
        hash_mib,
        running: None,
        game: Game::default(),
        show_wdl: false,
        limit_strength: false,
        elo: Engine::MAX_ELO,
        output,
    };
    let mut bytes = Vec::new();
    while input.read_until(b'\n', &mut bytes)? > 0 {
        let then = match std::str::from_utf8(&bytes) {
            Ok(line) => session.obey(line)?,
            Err(_) => session.tell("a line that is not text (UTF-8) is left out")?,
        };
        if then == Then::Quit {
            break;
        }
        bytes.clear();
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

struct Session<P, W> {
    /// Held by the search thread while it searches.
    player: Arc<Mutex<P>>,
    /// Its options beside the engine's.
    more_options: Vec<String>,
    /// The size of its table.
    hash_mib: usize,
    running: Option<Running>,
    game: Game,
    /// Whether scores are told as chances too.
    show_wdl: bool,
    limit_strength: bool,
    elo: u32,
    output: Output<W>,
}

struct Running {
    control: SearchControl,
    thread: JoinHandle<io::Result<()>>,
}

impl<P: Player, W: Write + Send + 'static> Session<P, W> {
    fn obey(&mut self, line: &str) -> io::Result<Then> {
        let mut words = line.split_whitespace();
        match words.next().unwrap_or_default() {
            "uci" => self.introduce()?,
            "isready" => self.output.line("readyok")?,
            "ucinewgame" => self.idle_player()?.engine().new_game(),
            "setoption" => return self.set_option(line),
            "position" => return self.set_position(words.collect()),
            "go" => self.go(words.collect())?,
            "ponderhit" => self.running.iter().for_each(|running| running.control.ponder_hit()),
            "stop" => self.running.iter().for_each(|running| running.control.stop()),
            "quit" => return Ok(Then::Quit),
            _ => {}
        }
        Ok(Then::GoOn)
    }

    /// Something that cannot be done, in one line of bounded length whatever was asked.
    fn tell(&self, message: &str) -> io::Result<Then> {
        let shown: String = message
            .chars()
            .filter(|c| !c.is_control())
            .take(LONGEST_MESSAGE)
            .collect();
        self.output.line(format_args!("info string {shown}"))?;
        Ok(Then::GoOn)
    }

    fn introduce(&self) -> io::Result<()> {
        self.output
            .line(concat!("id name Torres ", env!("CARGO_PKG_VERSION")))?;
        self.output
            .line("id author the Torres authors; its network learned from Torres' own games")?;
        for option in options::declared(self.hash_mib) {
            self.output.line(option)?;
        }
        for option in &self.more_options {
            self.output.line(option)?;
        }
        self.output.line("uciok")
    }

    /// `setoption name Hash value 128`; names may have spaces and any case.
    fn set_option(&mut self, line: &str) -> io::Result<Then> {
        match options::parse(line) {
            Ok(Setting::Hash(mib)) => {
                let resized = self.idle_player()?.engine().resize_hash(mib);
                if let Err(error) = resized {
                    return self.tell(&format!("{error}; Hash is unchanged"));
                }
                self.hash_mib = mib;
            }
            Ok(Setting::EvalFile(file)) => return self.set_network(file),
            Ok(Setting::ClearHash) => self.idle_player()?.engine().new_game(),
            Ok(Setting::ShowWdl(shown)) => self.show_wdl = shown,
            Ok(Setting::LimitStrength(limited)) => self.limit_strength = limited,
            Ok(Setting::Elo(elo)) => self.elo = elo,
            Ok(Setting::Nothing) => {}
            Ok(Setting::Engine(change)) => {
                let mut player = self.idle_player()?;
                let options = change.apply(player.engine().options());
                player.engine().set_options(options);
            }
            Ok(Setting::Other(name, value)) => {
                let set = self.idle_player()?.set_option(&name, &value);
                match set.unwrap_or_else(|| Err(format!("there is no option '{name}'"))) {
                    Ok(()) => return Ok(Then::GoOn),
                    Err(message) => return self.tell(&message),
                }
            }
            Err(message) => return self.tell(&message),
        }
        // Strength is two options of the protocol and one of the engine.
        let elo = self.limit_strength.then_some(self.elo);
        let mut player = self.idle_player()?;
        let options = player.engine().options();
        if options.elo != elo {
            player.engine().set_options(Options { elo, ..options });
        }
        Ok(Then::GoOn)
    }

    /// Takes the network in a file, or the one that comes with the program, and tells what it is.
    fn set_network(&mut self, file: Option<PathBuf>) -> io::Result<Then> {
        let name = file
            .as_ref()
            .map_or_else(|| "embedded".to_owned(), |path| path.display().to_string());
        let network = match &file {
            Some(path) => Network::read(path).map(Arc::new),
            None => Network::embedded().ok_or(NetworkError::Damaged),
        };
        match network {
            Ok(network) => {
                let (hidden, made) = (network.hidden(), network.made().to_owned());
                self.idle_player()?.engine().set_network(network);
                self.tell(&format!(
                    "{name}: {hidden} hidden units, summed by {}; {made}",
                    instruction_set()
                ))
            }
            Err(error) => self.tell(&format!("{name}: {error}; the network is unchanged")),
        }
    }

    /// `position startpos moves e2e4` or `position fen … moves …`; when refused, the position stays as it was.
    fn set_position(&mut self, words: Vec<&str>) -> io::Result<Then> {
        let mut parts = words.split(|&word| word == "moves");
        let (setup, moves) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let fen = match setup {
            ["startpos", ..] => START.to_owned(),
            ["fen", fields @ ..] => fields.join(" "),
            _ => return self.tell("a position begins with 'startpos' or 'fen'"),
        };
        match Game::from_fen_and_moves(&fen, moves) {
            Ok(game) => {
                self.game = game;
                Ok(Then::GoOn)
            }
            Err(error) => self.tell(&error.to_string()),
        }
    }

    fn go(&mut self, words: Vec<&str>) -> io::Result<()> {
        self.finish_search()?;
        let (limits, control) = (parse_limits(&words, self.game.position()), SearchControl::new());
        let show_wdl = self.show_wdl;
        let (player, game, output) = (Arc::clone(&self.player), self.game.clone(), self.output.clone());
        let for_search = control.clone();
        let search = move || {
            let mut written = Ok(());
            let mut player = player.lock().unwrap_or_else(PoisonError::into_inner);
            let result = player.search(&game, &limits, &for_search, &mut |info| {
                if written.is_ok() {
                    written = output.line(info_line(&info, show_wdl));
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

    fn idle_player(&mut self) -> io::Result<MutexGuard<'_, P>> {
        self.finish_search()?;
        Ok(self.player.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
