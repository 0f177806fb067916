//! `torres site`.

use super::reach::ReachArgs;
use super::{CliError, CliResult, ClockArg, ColorArg, Exit, args, stop_signal};
use clap::builder::RangedU64ValueParser;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use torres_link::Launch;
use torres_link::policy::Policy;
use torres_link::process::EngineCommand;
use torres_link::supervisor::Supervisor;
use torres_link::uci::UciCommand;
use torres_link::uci::presets::FAIRY;
use torres_people::computers::{Computers, Mind};
use torres_people::hall::Hall;
use torres_site::clock::TimeControl;
use torres_site::levels::LevelNumber;
use torres_site::opponents::{EngineBot, Engines, Opponent};
use torres_site::script::Script;
use torres_site::{GameSetup, Site, SiteConfig};
use torres_store::Place;
use tracing::level_filters::LevelFilter;

/// The levels' searches are small.
const ENGINE_HASH_MIB: u32 = 16;
/// A foreign engine may answer no ping while it thinks, and be late on a busy machine: neither ends a game.
const PATIENCE: Policy = Policy {
    ping_every: Duration::from_millis(250),
    patience: 40,
    grace: Duration::from_secs(1),
    after_stop: Duration::from_secs(5),
    failures: 3,
};
/// How long a reply takes, where nothing else is said.
pub(super) const DEFAULT_DELAY_MS: u64 = 300;

/// How long a reply may take: an hour at most.
pub(super) fn delay_ms() -> RangedU64ValueParser {
    RangedU64ValueParser::new().range(..=3_600_000)
}

/// Arguments of `torres site`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Port on the loopback address; 0 takes a free one.
    #[arg(long, default_value_t = 8017)]
    pub port: u16,
    /// Start position of the first game.
    #[arg(long)]
    pub fen: Option<String>,
    /// The player's colour.
    #[arg(long, default_value = "white")]
    pub color: ColorArg,
    /// The level of the site's own bot, 1 is the weakest; default 3, or the first --bot or --lichess where there is one.
    #[arg(long, value_parser = args::level)]
    pub level: Option<LevelNumber>,
    /// Engines that can be played beside the levels.
    #[command(flatten)]
    pub bots: BotArgs,
    /// Both sides' clock, minutes plus seconds a move.
    #[arg(long, default_value = "15+10")]
    pub clock: ClockArg,
    /// Makes the bot's choices repeatable.
    #[arg(long)]
    pub seed: Option<u64>,
    /// A file of UCI moves for the bot to reply with, from the start of each game; `#` starts a comment.
    #[arg(long)]
    pub script: Option<PathBuf>,
    /// How long after a move the bot's reply comes, in ms; later only if it is still thinking.
    #[arg(long, default_value_t = DEFAULT_DELAY_MS, value_parser = delay_ms())]
    pub delay_ms: u64,
    /// Where to write the log, as JSON lines.
    #[arg(long)]
    pub log: Option<PathBuf>,
    /// Where to keep how far learners are: a folder, :memory:, or a postgres:// address; default the folder for programs'
    /// data of this system, or :memory: where a game is staged (--fen, --script, --seed, --delay-ms, --log).
    #[arg(long, value_name = "DIR", visible_alias = "database")]
    pub data: Option<Place>,
    /// How others may reach it.
    #[command(flatten)]
    pub reach: ReachArgs,
    /// How it is told on standard error what the server does; TORRES_LOG says how much: error, warn, info, debug, trace.
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub stderr: LogForm,
}

/// How a line of what the server does looks.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LogForm {
    /// For people.
    Text,
    /// An object in each line.
    Json,
}

/// The engines that a site is told of.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct BotArgs {
    /// A UCI engine as opponent, with options and with limits for each move (movetime, depth, nodes; default
    /// movetime=1000); may be said several times.
    #[arg(long = "bot", value_name = "NAME=COMMAND;Option=value;movetime=1000")]
    pub engines: Vec<BotArg>,
    /// A level of Lichess' computer as opponent, played by `fairy-stockfish`; may be said several times.
    #[arg(long, value_name = "1-8", value_delimiter = ',', value_parser = clap::value_parser!(u8).range(1..=8))]
    pub lichess: Vec<u8>,
}

/// A `--bot`, as it was read and as it was written.
#[derive(Clone, Debug)]
pub(crate) struct BotArg {
    /// What it says.
    pub bot: EngineBot,
    /// Its text.
    pub text: String,
}

impl FromStr for BotArg {
    type Err = String;
    fn from_str(text: &str) -> Result<BotArg, String> {
        let bot = text.parse()?;
        let text = text.to_owned();
        Ok(BotArg { bot, text })
    }
}

impl BotArgs {
    /// Those of --bot, then those of --lichess; their programs must be there.
    pub(crate) fn engines(&self) -> Result<Vec<EngineBot>, CliError> {
        let mut engines = Vec::new();
        for BotArg { bot: engine, .. } in &self.engines {
            let found = engine.command.find();
            engines.push(engine_at(
                engine,
                found.map_err(|why| CliError::usage(format!("--bot {}: {why}", engine.name)))?,
            ));
        }
        for level in &self.lichess {
            let engine =
                EngineBot::lichess(*level).ok_or_else(|| CliError::usage(format!("Lichess has no level {level}")))?;
            let found = engine.command.find().map_err(|_| {
                CliError::usage(format!(
                    "--lichess {level} is played by {FAIRY}, which is not installed; on Debian: apt-get install {FAIRY}"
                ))
            })?;
            engines.push(engine_at(&engine, found));
        }
        Ok(engines)
    }
}

fn engine_at(engine: &EngineBot, program: PathBuf) -> EngineBot {
    let mut engine = engine.clone();
    engine.command.program = program.to_string_lossy().into_owned();
    engine
}

/// Serve the practice site.
pub(crate) fn run(args: Args) -> CliResult {
    let form = args.stderr;
    let config = config(args)?;
    tell_what_happens(form, config.reach.is_some());
    #[cfg(unix)]
    open_as_many_files_as_may_be();
    let command =
        EngineCommand::own().map_err(|e| CliError::failed(format!("cannot find this program's own file: {e}")))?;
    let command = EngineCommand {
        hash_mib: ENGINE_HASH_MIB,
        ..command
    };
    let engine = Supervisor::new(command.clone());
    let engines = config.engines.clone();
    let computers = Computers::new(config.seed, &config.engines, move |mind| {
        thinker(&command, &engines, mind)
    });
    super::runtime()?.block_on(async {
        let stop = stop_signal()?;
        for bot in config.engines.iter() {
            starts(bot).await?;
        }
        let site = Site::bind(config, engine, |bot| {
            Supervisor::new(bot.command.clone()).with_policy(PATIENCE)
        })
        .await
        .map_err(CliError::usage)?;
        let hall = Hall::open(site.store().clone(), computers).await;
        let hall = hall.map_err(CliError::failed)?;
        let people = torres_people::router(Arc::clone(&hall), site.url_for_others());
        let site = site.with(people);
        let stop = async move {
            stop.await;
            tracing::info!("the site stops");
            hall.close().await;
        };
        // One line, at once: whoever started us reads the address from it. A second is for others.
        let mut out = std::io::stdout();
        let lines = [Some(site.url()), site.url_for_others()];
        let lines = lines.into_iter().flatten().map(|url| format!("{url}\n"));
        out.write_all(lines.collect::<String>().as_bytes())
            .and_then(|()| out.flush())
            .map_err(|e| CliError::failed(format!("cannot print the site's address: {e}")))?;
        tracing::info!(
            url = site.url(),
            for_others = site.url_for_others(),
            "the site is served"
        );
        site.run(stop).await;
        tracing::info!("the site has stopped");
        Ok(Exit::Done)
    })
}

/// Tells on standard error what the server does: what goes wrong, and a little more where others come.
fn tell_what_happens(form: LogForm, others_come: bool) {
    let usual = match others_come {
        true => LevelFilter::INFO,
        false => LevelFilter::WARN,
    };
    let asked = std::env::var("TORRES_LOG").ok().and_then(|level| level.parse().ok());
    let told = tracing_subscriber::fmt()
        .with_max_level(asked.unwrap_or(usual))
        .with_writer(std::io::stderr);
    // Somebody else tells it where this fails: there is one who does in a process.
    let _ = match form {
        LogForm::Text => told.with_ansi(false).try_init(),
        LogForm::Json => told.json().try_init(),
    };
}

/// Each connection is an open file, and systems let a program have more than they give it.
#[cfg(unix)]
fn open_as_many_files_as_may_be() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    if let Err(error) = setrlimit(Resource::Nofile, limit) {
        tracing::debug!("the number of open files stays as it is: {error}");
    }
}

/// The engine behind a computer's seat, not started yet.
fn thinker(own: &EngineCommand, engines: &Engines, mind: Mind) -> Supervisor {
    match mind {
        Mind::Levels | Mind::Looks => Supervisor::new(own.clone()),
        Mind::Engine(index) => match engines.iter().nth(index) {
            Some(bot) => Supervisor::new(bot.command.clone()).with_policy(PATIENCE),
            // There is none: a mind is made of this list.
            None => Supervisor::new(own.clone()),
        },
        Mind::Character(id) => Supervisor::new(UciCommand {
            program: own.program.to_string_lossy().into_owned(),
            arguments: vec!["uci".into()],
            threads: Some(1),
            hash_mib: Some(own.hash_mib),
            ponder: false,
            options: vec![("Character".into(), id.into())],
        })
        .with_policy(PATIENCE),
    }
}

/// An engine that does not start, or lacks an option, is better known before the first game.
async fn starts(bot: &EngineBot) -> Result<(), CliError> {
    let started = bot.command.clone().launch().await;
    started
        .map(drop)
        .map_err(|why| CliError::usage(format!("the bot {}: {why}", bot.name)))
}

/// What is to be served; nothing is touched yet.
///
/// # Errors
/// A program, a file or a position is not there or not right.
pub(super) fn config(args: Args) -> Result<SiteConfig, CliError> {
    let data = match &args.data {
        Some(place) => place.clone(),
        None if is_instrument(&args) => Place::Memory,
        None => data_folder()?,
    };
    let start = match &args.fen {
        Some(fen) => torres_chess::parse_fen(fen).map_err(|e| CliError::usage(format!("--fen {e}")))?,
        None => shakmaty::Chess::default(),
    };
    let engines = Engines::new(args.bots.engines()?).map_err(CliError::usage)?;
    let level = args.level.unwrap_or_default();
    let opponent = engines.first().filter(|_| args.level.is_none());
    let player = shakmaty::Color::from(args.color);
    let script = match &args.script {
        Some(path) => read_script(path, &start, player.other())?,
        None => Script::default(),
    };
    Ok(SiteConfig {
        port: args.port,
        first: GameSetup {
            start,
            player,
            opponent: opponent.unwrap_or(Opponent::Level(level)),
            time_control: TimeControl {
                initial: args.clock.initial,
                increment: args.clock.increment,
            },
        },
        engines,
        seed: args.seed.unwrap_or_else(seed_of_the_moment),
        script,
        delay: Duration::from_millis(args.delay_ms),
        log: args.log,
        data,
        reach: args.reach.agreed()?,
    })
}

/// Whether a game is staged, or its log asked for: then nobody learns here.
fn is_instrument(args: &Args) -> bool {
    let staged = args.fen.is_some() || args.script.is_some() || args.seed.is_some() || args.log.is_some();
    staged || args.delay_ms != DEFAULT_DELAY_MS
}

/// Where programs of this system keep their data.
fn data_folder() -> Result<Place, CliError> {
    let folders = directories::ProjectDirs::from("", "", "torres");
    folders
        .map(|folders| Place::Folder(folders.data_dir().to_owned()))
        .ok_or_else(|| CliError::usage("this system names no folder for programs' data; choose one with --data"))
}

/// The moves of the bot, which has this colour and plays from this position on.
fn read_script(path: &Path, start: &shakmaty::Chess, bot: shakmaty::Color) -> Result<Script, CliError> {
    let text = std::fs::read_to_string(path)
        .map_err(|e| CliError::usage(format!("cannot read the script {}: {e}", path.display())))?;
    let script = text.parse().and_then(|script: Script| script.checked(start, bot));
    script.map_err(|e| CliError::usage(format!("the script {}, {e}", path.display())))
}

/// Any number will do; the clock's nanoseconds differ from start to start.
fn seed_of_the_moment() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_secs() ^ u64::from(since.subsec_nanos()).rotate_left(32)
}
