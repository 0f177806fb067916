//! What the user typed (`Args`), and what the site needs (`Settings`): checked once, with every default resolved.

use crate::reach::ReachArgs;
use crate::{CliError, ColorArg, args};
use clap::builder::RangedU64ValueParser;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use torres_chess::TimeControl;
use torres_link::uci::presets::{FAIRY, LichessLevel};
use torres_site::levels::LevelNumber;
use torres_site::opponents::{EngineBot, Engines, Opponent};
use torres_site::script::Script;
use torres_site::{GameSetup, SiteConfig};
use torres_store::Place;

/// How long a reply takes, where nothing else is said.
pub(crate) const DEFAULT_DELAY_MS: u64 = 300;

/// How long a reply may take: an hour at most.
pub(crate) fn delay_ms() -> RangedU64ValueParser {
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
    /// The level of the site's own bot, 1 is the weakest; default 3, or the first --bot or --lichess where there is
    /// one.
    #[arg(long, value_parser = args::level)]
    pub level: Option<LevelNumber>,
    /// Engines that can be played beside the levels.
    #[command(flatten)]
    pub bots: BotArgs,
    /// Both sides' clock, minutes plus seconds a move.
    #[arg(long, default_value = "15+10")]
    pub clock: TimeControl,
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
    /// Where to keep how far learners are: a folder, :memory:, or a postgres:// address; default the folder for
    /// programs' data of this system, or :memory: where a game is staged (--fen, --script, --seed, --delay-ms, --log).
    #[arg(long, value_name = "DIR", visible_alias = "database")]
    pub data: Option<Place>,
    /// How others may reach it.
    #[command(flatten)]
    pub reach: ReachArgs,
    /// How standard error tells what the server does; TORRES_LOG says how much: error, warn, info, debug, trace.
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
    #[arg(long, value_name = "1-8", value_delimiter = ',')]
    pub lichess: Vec<LichessLevel>,
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
            let engine = EngineBot::lichess(*level);
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

/// What is to be served, and how it is told.
pub(crate) struct Settings {
    /// What is to be served.
    pub config: SiteConfig,
    /// How lines of what the server does look.
    pub stderr: LogForm,
}

impl Args {
    /// Checks everything; nothing is touched yet.
    ///
    /// # Errors
    /// A program, a file or a position is not there or not right.
    pub(crate) fn check(self) -> Result<Settings, CliError> {
        let data = match &self.data {
            Some(place) => place.clone(),
            None if self.is_instrument() => Place::Memory,
            None => data_folder()?,
        };
        let start = match &self.fen {
            Some(fen) => torres_chess::parse_fen(fen).map_err(|e| CliError::usage(format!("--fen {e}")))?,
            None => shakmaty::Chess::default(),
        };
        let engines = Engines::new(self.bots.engines()?).map_err(CliError::usage)?;
        let level = self.level.unwrap_or_default();
        let opponent = engines.first().filter(|_| self.level.is_none());
        let player = shakmaty::Color::from(self.color);
        let script = match &self.script {
            Some(path) => read_script(path, &start, player.other())?,
            None => Script::default(),
        };
        let config = SiteConfig {
            port: self.port,
            first: GameSetup {
                start,
                player,
                opponent: opponent.unwrap_or(Opponent::Level(level)),
                time_control: self.clock,
            },
            engines,
            seed: self.seed.unwrap_or_else(seed_of_the_moment),
            script,
            delay: Duration::from_millis(self.delay_ms),
            log: self.log,
            data,
            reach: self.reach.agreed()?,
        };
        Ok(Settings {
            config,
            stderr: self.stderr,
        })
    }

    /// Whether a game is staged, or its log asked for: then nobody learns here.
    fn is_instrument(&self) -> bool {
        let staged = self.fen.is_some() || self.script.is_some() || self.seed.is_some() || self.log.is_some();
        staged || self.delay_ms != DEFAULT_DELAY_MS
    }
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
