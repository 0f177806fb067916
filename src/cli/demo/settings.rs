//! What the user typed (`Args`), and what the demo needs (`Settings`): checked once, with every default resolved.

use super::opponents::{Opponent, opponents};
use crate::reach::ReachArgs;
use crate::site::{self, BotArgs, LogForm};
use crate::{Asked, CliError, ColorArg, args};
use shakmaty::Color;
use std::path::PathBuf;
use torres_chess::TimeControl;
use torres_site::levels::LevelNumber;
use torres_store::Place;

/// Longest thought where neither a time nor a clock is given, in ms. On a clock alone the engine would think for half a
/// minute at times: too long for a demonstration.
const MOVE_MS: u64 = 1000;

/// Arguments of `torres demo`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Games to play, one after the other.
    #[arg(long, default_value_t = 1, value_parser = args::some::<u32>())]
    games: u32,
    /// Stop after that many plies.
    #[arg(long, value_parser = args::some::<u32>())]
    plies: Option<u32>,
    /// The site bot's level, 1 is the weakest; default 3.
    #[arg(long, conflicts_with_all = ["engines", "lichess"], value_parser = args::level)]
    level: Option<LevelNumber>,
    /// Engines in place of the site's own bot.
    #[command(flatten)]
    bots: BotArgs,
    /// Torres' colour.
    #[arg(long, default_value = "white")]
    color: ColorArg,
    /// From game to game, take the other colour and, after two games, the next level or bot and other squares.
    #[arg(long)]
    vary: bool,
    /// Both sides' clock, minutes plus seconds a move; default 15+10.
    #[arg(long)]
    clock: Option<TimeControl>,
    /// Longest thought per move, in ms; default 1000, and with a --clock as long as that allows.
    #[arg(long, value_parser = args::move_ms())]
    move_ms: Option<u64>,
    /// Do not think on the opponent's time.
    #[arg(long)]
    no_ponder: bool,
    /// Use the desktop's own display.
    #[arg(long, conflicts_with = "headless")]
    headed: bool,
    /// Use a display of its own, also where there is a desktop.
    #[arg(long)]
    headless: bool,
    /// Record the frames as a fixture in the output folder.
    #[arg(long)]
    record: bool,
    /// A file of UCI moves for the site's bot to reply with.
    #[arg(long)]
    script: Option<PathBuf>,
    /// How long the site's bot waits with each reply, in ms.
    #[arg(long, value_parser = site::delay_ms())]
    delay_ms: Option<u64>,
    /// The position that the game starts from.
    #[arg(long)]
    fen: Option<String>,
    /// Makes the bot's choices repeatable.
    #[arg(long)]
    seed: Option<u64>,
    /// A UCI engine's command, in place of Torres' own.
    #[arg(long)]
    engine: Option<String>,
    /// Where to leave the game, the journal and the pictures.
    #[arg(long, default_value = "torres-demo")]
    out: PathBuf,
}

/// What holds for all games of a demo. What is an `Option` is left to the site or the player where it is `None`.
#[derive(Debug)]
pub(super) struct Settings {
    /// Games to play.
    pub games: u32,
    /// Plies after which a game is stopped.
    pub plies: Option<u32>,
    /// Whom the games may be against, the first one's first; at least one.
    pub opponents: Vec<Opponent>,
    /// Torres' colour, in the first game where they vary.
    pub color: Color,
    /// Colour, opponent and squares change from game to game.
    pub vary: bool,
    /// Both sides' clock, as the commands read it.
    pub clock: Option<String>,
    /// Longest thought per move, in ms.
    pub move_ms: Option<u64>,
    /// Think on the opponent's time too.
    pub ponder: bool,
    /// On the desktop's own display, in place of one that is started.
    pub headed: bool,
    /// Record the frames.
    pub record: bool,
    /// The file of moves that the bot replies with.
    pub script: Option<PathBuf>,
    /// How long the bot waits with each reply, in ms.
    pub delay_ms: Option<u64>,
    /// The position that the game starts from.
    pub fen: Option<String>,
    /// Makes the bot's choices repeatable.
    pub seed: Option<u64>,
    /// The command of the engine that plays in place of Torres' own.
    pub engine: Option<String>,
    /// Where everything is left.
    pub out: PathBuf,
}

impl Args {
    /// Checks what the site and the player would check, but before a display and a browser are open.
    ///
    /// # Errors
    /// A program, a file or a position is not there or not right, or an engine does not start.
    pub(super) fn check(self) -> Result<Settings, CliError> {
        Asked::by(self.engine.as_deref(), None, None)?;
        let settings = Settings {
            games: self.games,
            plies: self.plies,
            opponents: opponents(&self.bots, self.level)?,
            color: self.color.into(),
            vary: self.vary,
            clock: self.clock.map(|clock| clock.to_string()),
            move_ms: self.move_ms.or(self.clock.is_none().then_some(MOVE_MS)),
            ponder: !self.no_ponder,
            headed: self.headed || (crate::has_desktop() && !self.headless),
            record: self.record,
            script: self.script.clone(),
            delay_ms: self.delay_ms,
            fen: self.fen.clone(),
            seed: self.seed,
            engine: self.engine,
            out: self.out,
        };
        // Torres is the site's player.
        let site = site::Args {
            port: 0,
            fen: self.fen,
            color: self.color,
            level: self.level,
            bots: self.bots,
            clock: self.clock.unwrap_or(TimeControl::RAPID),
            seed: self.seed,
            script: self.script,
            delay_ms: self.delay_ms.unwrap_or(site::DEFAULT_DELAY_MS),
            log: None,
            data: Some(Place::Memory),
            reach: ReachArgs::default(),
            stderr: LogForm::Text,
        };
        site.check()?;
        Ok(settings)
    }
}
