//! `torres ladder`.

use super::args::{self, SeriesArgs};
use super::status_line::StatusLine;
use super::{CliError, CliResult, Exit, own_program, runtime};
use std::path::{Path, PathBuf};
use std::time::Instant;
use torres_arena::contender::Contender;
use torres_arena::game::Adjudication;
use torres_arena::limits::SideLimits;
use torres_arena::matches::Plan;
use torres_arena::record::{GAMES_FILE, GameRecord, Store};
use torres_arena::sprt::{Sprt, Standing};
use torres_arena::{plot, report};
use torres_engine::Engine;
use torres_link::uci::{UciCommand, presets};

/// Search threads of each engine where nothing is said.
const THREADS: u16 = 1;
/// Games against each opponent where nothing is said, and the most that a sequential test takes.
const GAMES: usize = 100;
const GAMES_OF_TEST: usize = 40_000;
/// Transposition table of each engine in MiB where nothing is said.
const HASH_MIB: u32 = 16;

/// Arguments of `torres ladder`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Folder for games, table and plot; a rerun with the same folder goes on where the last one ended.
    #[arg(long)]
    out: PathBuf,
    /// An opponent's command; may be said several times.
    #[arg(long, value_name = "CMD")]
    against: Vec<String>,
    /// A level of Lichess' computer as opponent, with its own limits; may be said several times.
    #[arg(long, value_name = "1-8")]
    lichess: Vec<presets::LichessLevel>,
    /// The Fairy-Stockfish that plays Lichess' levels.
    #[arg(long, value_name = "CMD", default_value = presets::FAIRY)]
    fairy: String,
    /// The engine that is measured; default this program's own.
    #[arg(long, value_name = "CMD")]
    engine: Option<String>,
    /// Its name in tables.
    #[arg(long)]
    name: Option<String>,
    /// The opponents' name in tables, where there is one.
    #[arg(long)]
    their_name: Option<String>,
    /// Games against each opponent; default 100, and with --sprt the most that it may take, 40,000.
    #[arg(long, value_parser = args::some::<usize>())]
    games: Option<usize>,
    /// Two differences in Elo, such as 0,5: the match ends when its games tell which is the likelier one (SPRT, 5 %
    /// errors).
    #[arg(long, value_name = "LOW,HIGH", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// SECONDS+SECONDS, movetime=MS, depth=PLIES, nodes=N, or several with commas between.
    #[arg(long, default_value = "8+0.08")]
    limits: SideLimits,
    /// The opponents' limits; default the same.
    #[arg(long)]
    their_limits: Option<SideLimits>,
    /// Openings, their order, and games at once.
    #[command(flatten)]
    series: SeriesArgs,
    /// A UCI option of the measured engine, NAME=VALUE; may be said several times.
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<OptionArg>,
    /// A UCI option of the opponents named with --against.
    #[arg(long = "their-option", value_name = "NAME=VALUE")]
    their_options: Vec<OptionArg>,
    /// Transposition table of each engine that has one, in MiB; default 16.
    #[arg(long, value_name = "MIB", value_parser = args::hash_mib)]
    hash: Option<u32>,
    /// Search threads of each engine; default 1.
    #[arg(long, value_parser = args::some::<u16>())]
    threads: Option<u16>,
    /// End games early when both engines' scores agree that they are decided: the table then says so.
    #[arg(long)]
    adjudicate: bool,
}

/// `NAME=VALUE`; the name may contain blanks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OptionArg(String, String);

impl std::str::FromStr for OptionArg {
    type Err = String;
    fn from_str(text: &str) -> Result<OptionArg, String> {
        match text.split_once('=') {
            Some((name, value)) if !name.trim().is_empty() => {
                Ok(OptionArg(name.trim().to_owned(), value.trim().to_owned()))
            }
            _ => Err(format!("'{text}' is not NAME=VALUE, such as 'Skill Level=5'")),
        }
    }
}

/// What is to be played, and where it is written down.
struct Settings {
    plan: Plan,
    out: PathBuf,
}

impl Args {
    /// Checks everything, and starts each engine once.
    ///
    /// # Errors
    /// What was typed is not right, an engine does not start, or memory is too small for the tables.
    async fn check(self) -> Result<Settings, CliError> {
        let plan = self.plan()?;
        self.tried(&plan).await?;
        Ok(Settings { plan, out: self.out })
    }

    /// Starts each engine once: only it knows what it takes. Both engines of all tables must have memory for what was
    /// said.
    async fn tried(&self, plan: &Plan) -> Result<(), CliError> {
        let at_once = 2 * u64::from(self.series.concurrency).min(plan.games as u64);
        let (wanted, most) = (
            at_once * u64::from(self.hash.unwrap_or(HASH_MIB)),
            Engine::largest_hash_mib(0) as u64,
        );
        if wanted > most {
            return Err(CliError::usage(format!(
                "--hash: {at_once} engines at once would have tables of {wanted} MiB, and memory gives {most} MiB just now"
            )));
        }
        for contender in std::iter::once(&plan.engine).chain(&plan.opponents) {
            let said = UciCommand {
                threads: self.threads,
                hash_mib: self.hash,
                ..contender.command.clone()
            };
            let wrong = |why| CliError::usage(format!("{}: {why}", contender.name));
            said.tried().await.map_err(wrong)?;
        }
        Ok(())
    }

    fn plan(&self) -> Result<Plan, CliError> {
        let own = || -> Result<UciCommand, CliError> { Ok(command_of(&own_program()?, &["uci"])) };
        let of = |line: &str| -> Result<UciCommand, CliError> { line.parse().map_err(CliError::usage) };
        let with = |command: UciCommand, options: &[OptionArg]| UciCommand {
            threads: self.threads.or(Some(THREADS)),
            hash_mib: self.hash.or(Some(HASH_MIB)),
            options: options
                .iter()
                .map(|OptionArg(name, value)| (name.clone(), value.clone()))
                .collect(),
            ..command
        };
        let engine = match &self.engine {
            Some(line) => of(line)?,
            None => own()?,
        };
        let contender =
            |name: Option<String>, command, limits| Contender::new(name, command, limits).map_err(CliError::usage);
        let engine = contender(self.name.clone(), with(engine, &self.options), self.limits)?;
        let mut opponents = Vec::new();
        for line in &self.against {
            let limits = self.their_limits.unwrap_or(self.limits);
            opponents.push(contender(
                self.their_name.clone(),
                with(of(line)?, &self.their_options),
                limits,
            )?);
        }
        for &level in &self.lichess {
            let (options, limits) = level.settings();
            let options: Vec<OptionArg> = options
                .into_iter()
                .map(|(name, value)| OptionArg(name, value))
                .collect();
            opponents.push(contender(
                Some(level.name()),
                with(of(&self.fairy)?, &options),
                limits.into(),
            )?);
        }
        if self.sprt.is_some() && opponents.len() > 1 {
            return Err(CliError::usage("--sprt: a sequential test has one opponent"));
        }
        Ok(Plan {
            engine,
            opponents,
            games: self
                .games
                .unwrap_or(if self.sprt.is_some() { GAMES_OF_TEST } else { GAMES }),
            openings: self.series.start.openings()?,
            concurrency: usize::from(self.series.concurrency),
            adjudication: self.adjudicate.then(Adjudication::default),
            sprt: self.sprt,
        })
    }
}

/// Play matches between engines and say how strong one is.
pub(crate) fn run(args: Args) -> CliResult {
    let Settings { plan, out } = runtime()?.block_on(args.check())?;
    let mut store = Store::open(&out).map_err(CliError::usage)?;
    let mut progress = Progress::start();
    progress.line(&format!("games go to {}", out.join(GAMES_FILE).display()));
    if plan.adjudication.is_some() {
        progress.line("games are adjudicated: some end before the rules end them");
    }
    let mut on_game = |record: &GameRecord, store: &Store, to_come| {
        progress.game(record, store, to_come, standing(&plan, store));
    };
    let ended = runtime()?.block_on(async {
        tokio::select! {
            result = plan.play(&mut store, &mut on_game) => Some(result),
            _ = tokio::signal::ctrl_c() => None,
        }
    });
    progress.close();
    let told = tell(&store, &out);
    if let Some(standing) = standing(&plan, &store) {
        println!("{standing}");
    }
    match ended {
        Some(Ok(())) => told.map(|()| Exit::Done),
        Some(Err(problem)) => Err(CliError::failed(problem)),
        None => told.map(|()| Exit::Stopped),
    }
}

fn command_of(program: &Path, arguments: &[&str]) -> UciCommand {
    UciCommand {
        program: program.to_string_lossy().into_owned(),
        arguments: arguments.iter().map(|&argument| argument.to_owned()).collect(),
        threads: None,
        hash_mib: None,
        ponder: false,
        options: Vec::new(),
    }
}

/// How the sequential test stands, where there is one.
fn standing(plan: &Plan, store: &Store) -> Option<Standing> {
    let sprt = plan.sprt?;
    Some(sprt.standing(&store.tally(plan.pairings().first()?)))
}

/// Prints the table and writes it and the plot beside the games.
fn tell(store: &Store, folder: &Path) -> Result<(), CliError> {
    if store.records().is_empty() {
        println!("no game was finished");
        return Ok(());
    }
    let table = report::table(store);
    print!("{table}");
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|error| CliError::failed(format!("'{}': {error}", path.display())))
    };
    write("table.md", &table)?;
    write(
        "ladder.svg",
        &plot::svg(&plot::of_matches(store)).map_err(CliError::failed)?,
    )
}

/// What the user reads meanwhile, on standard error: faults at once and for good, the score in place.
struct Progress {
    status: StatusLine,
    started: Instant,
    games: usize,
}

impl Progress {
    fn start() -> Progress {
        Progress {
            status: StatusLine::default(),
            started: Instant::now(),
            games: 0,
        }
    }

    fn line(&mut self, text: &str) {
        self.status.line(text);
    }

    fn game(&mut self, record: &GameRecord, store: &Store, to_come: usize, standing: Option<Standing>) {
        self.games += 1;
        let pairing = &record.pairing;
        if let Some(name) = record.at_fault() {
            let detail = record.detail.as_deref().unwrap_or_default();
            self.line(&format!(
                "game {} against {}: {} of {name}: {detail}",
                record.number + 1,
                pairing.opponent.name,
                record.end.words()
            ));
        }
        let tally = store.tally(pairing);
        let left = self.started.elapsed().mul_f64(to_come as f64 / self.games as f64);
        let elo = tally.elo().map_or_else(String::new, |elo| elo.to_elo_text());
        let rest = match standing {
            Some(standing) => standing.to_string(),
            None => format!("{to_come} to come, about {} min", left.as_secs().div_ceil(60)),
        };
        let status = format!(
            "{}: {} of {} games, +{} ={} -{}, Elo {elo}; {rest}",
            pairing.opponent.name,
            tally.points(),
            tally.games(),
            tally.wins,
            tally.draws,
            tally.losses,
        );
        self.status.show(to_come == 0, || status);
    }

    fn close(&mut self) {
        self.status.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_have_a_name_and_a_value() {
        let option: OptionArg = "Skill Level=-9".parse().unwrap();
        assert_eq!(option, OptionArg("Skill Level".to_owned(), "-9".to_owned()));
        assert!("=5".parse::<OptionArg>().is_err());
        assert!("Hash".parse::<OptionArg>().is_err());
    }
}
