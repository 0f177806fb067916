//! Who can be played on the site: the levels of its own bot, and UCI engines that it was told of.

use super::levels::LevelNumber;
use std::str::FromStr;
use torres_link::messages::{LONGEST_MOVE_MS, Limits};
use torres_link::uci::UciCommand;
use torres_link::uci::presets::{FAIRY, LichessLevel};
use torres_printing::shortened;

/// The longest thought of an engine that was given no limit, in ms.
const MOVE_MS: u64 = 1_000;
/// Transposition table of each engine that has one, in MiB, unless its options say otherwise.
const HASH_MIB: u32 = 16;
/// The longest name, in letters: it has to fit into the page's panel.
const LONGEST_NAME: usize = 24;

/// The most letters that are quoted of a wrong part.
const LONGEST_PART: usize = 200;

/// How strongly a bot plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// As a level of the site's own bot.
    Level(LevelNumber),
    /// As an engine does within these limits.
    Limits(Limits),
}

/// Who sits at the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// The site's own bot at this level.
    Level(LevelNumber),
    /// One of the engines, by its place in their list.
    Engine(usize),
}

/// A UCI engine as an opponent. As text, `NAME=COMMAND;Option=value;movetime=1000;depth=22;nodes=5000`: UCI options by
/// name, and limits for each move, of which the first reached counts. Without a limit it is a second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineBot {
    /// As the page shows it.
    pub name: String,
    /// How the engine is started.
    pub command: UciCommand,
    /// What it may use for a move.
    pub limits: Limits,
}

impl EngineBot {
    /// A level of Lichess' computer.
    pub fn lichess(level: LichessLevel) -> EngineBot {
        let (options, limits) = level.settings();
        EngineBot {
            name: level.name(),
            command: UciCommand {
                program: FAIRY.to_owned(),
                arguments: Vec::new(),
                threads: Some(1),
                hash_mib: Some(HASH_MIB),
                ponder: false,
                options,
            },
            limits,
        }
    }
}

impl FromStr for EngineBot {
    type Err = String;
    fn from_str(text: &str) -> Result<EngineBot, String> {
        let named = |part: &str| shortened(part, LONGEST_PART);
        let mut parts = text.split(';').map(str::trim);
        let first = parts.next().unwrap_or_default();
        let (name, command) = first
            .split_once('=')
            .ok_or_else(|| format!("'{}' is not NAME=COMMAND, such as Stockfish=stockfish", named(first)))?;
        let (name, command) = (name.trim().to_owned(), command.trim());
        if name.is_empty() || name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
            let name = named(&name);
            return Err(format!("the name '{name}' is not one of 1 to {LONGEST_NAME} letters"));
        }
        let command: UciCommand = command
            .parse()
            .map_err(|why: String| format!("{name}: {}", named(&why)))?;
        let (mut options, mut limits) = (Vec::new(), Limits::default());
        for part in parts {
            let shown = named(part);
            let (key, value) = part
                .split_once('=')
                .map(|(key, value)| (key.trim(), value.trim()))
                .filter(|(key, _)| !key.is_empty())
                .ok_or_else(|| {
                    format!("{name}: '{shown}' is neither Option=value nor a limit such as movetime=1000")
                })?;
            let number = || -> Result<u64, String> {
                let number = value.parse().ok().filter(|number| *number > 0);
                number.ok_or_else(|| format!("{name}: '{shown}' needs a whole number above 0"))
            };
            match key {
                "movetime" => {
                    let ms = Some(number()?).filter(|ms| *ms <= LONGEST_MOVE_MS);
                    limits.move_ms = Some(ms.ok_or_else(|| format!("{name}: '{shown}' is more than a day"))?);
                }
                "nodes" => limits.nodes = Some(number()?),
                "depth" => {
                    let depth = u32::try_from(number()?);
                    limits.depth = Some(depth.map_err(|_| format!("{name}: '{shown}' is too deep"))?);
                }
                _ => options.push((key.to_owned(), value.to_owned())),
            }
        }
        if limits == Limits::default() {
            limits.move_ms = Some(MOVE_MS);
        }
        Ok(EngineBot {
            name,
            command: UciCommand {
                threads: Some(1),
                hash_mib: Some(HASH_MIB),
                options,
                ..command
            },
            limits,
        })
    }
}

/// The engines that can be played, each with a name of its own.
#[derive(Clone, Debug, Default)]
pub struct Engines(Vec<EngineBot>);

impl Engines {
    /// These engines, in this order.
    ///
    /// # Errors
    /// Two have the same name.
    pub fn new(engines: Vec<EngineBot>) -> Result<Engines, String> {
        for (index, engine) in engines.iter().enumerate() {
            if engines[..index].iter().any(|other| other.name == engine.name) {
                return Err(format!(
                    "two bots are named '{}'; give each a name of its own",
                    engine.name
                ));
            }
        }
        Ok(Engines(engines))
    }

    /// In their order.
    pub fn iter(&self) -> impl Iterator<Item = &EngineBot> {
        self.0.iter()
    }

    /// The first, if there is one.
    pub fn first(&self) -> Option<Opponent> {
        (!self.0.is_empty()).then_some(Opponent::Engine(0))
    }

    /// The one of that name.
    ///
    /// # Errors
    /// There is none.
    pub fn named(&self, name: &str) -> Result<Opponent, String> {
        let index = self.0.iter().position(|engine| engine.name == name);
        index
            .map(Opponent::Engine)
            .ok_or_else(|| format!("there is no bot '{name}' on this site"))
    }

    /// As the page names the opponent.
    pub(crate) fn name_of(&self, opponent: Opponent) -> String {
        match opponent {
            Opponent::Level(level) => level_name(level),
            Opponent::Engine(index) => self.0.get(index).map_or_else(String::new, |engine| engine.name.clone()),
        }
    }

    /// How strongly the opponent plays.
    pub(super) fn strength_of(&self, opponent: Opponent) -> Strength {
        match opponent {
            Opponent::Level(level) => Strength::Level(level),
            Opponent::Engine(index) => {
                Strength::Limits(self.0.get(index).map(|engine| engine.limits).unwrap_or_default())
            }
        }
    }
}

/// The site's own bot as the page names it.
pub fn level_name(level: LevelNumber) -> String {
    format!("Torres bot level {}", level.get())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bot_is_a_name_a_command_options_and_limits() {
        let bot: EngineBot = "My bot = '/opt/my engine' --uci ; Skill Level=-9;movetime=50; depth = 5;nodes=7"
            .parse()
            .unwrap();
        assert_eq!(bot.name, "My bot");
        assert_eq!(bot.command.program, "/opt/my engine");
        assert_eq!(bot.command.arguments, ["--uci"]);
        assert_eq!(bot.command.options, [("Skill Level".to_owned(), "-9".to_owned())]);
        let limits = bot.limits;
        assert_eq!(
            (limits.move_ms, limits.depth, limits.nodes),
            (Some(50), Some(5), Some(7))
        );
        let plain: EngineBot = "a=b".parse().unwrap();
        assert_eq!((plain.limits.move_ms, plain.limits.depth), (Some(1000), None));
        // An option may be empty, and a command have an equals sign.
        let odd: EngineBot = "a=env X=1 b;Book=".parse().unwrap();
        assert_eq!(
            (odd.command.program.as_str(), odd.command.options[0].1.as_str()),
            ("env", "")
        );
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, part) in [
            ("", "NAME=COMMAND"),
            ("stockfish", "'stockfish' is not NAME=COMMAND"),
            ("=stockfish", "the name ''"),
            ("a name that is longer than the panel=stockfish", "the name 'a name"),
            ("a=", "a: the engine's command is empty"),
            ("a='b", "a: the command ''b' has an open quote"),
            ("a=b;depth", "a: 'depth' is neither"),
            ("a=b;", "a: '' is neither"),
            ("a=b;=3", "a: '=3' is neither"),
            ("a=b;movetime=0", "a: 'movetime=0' needs"),
            ("a=b;nodes=many", "a: 'nodes=many' needs"),
            ("a=b;depth=4294967296", "a: 'depth=4294967296' is too deep"),
        ] {
            let why = text.parse::<EngineBot>().unwrap_err();
            assert!(why.contains(part), "{text}: {why}");
        }
    }

    #[test]
    fn bots_are_found_by_names_of_their_own() {
        let bots = |texts: &[&str]| Engines::new(texts.iter().map(|text| text.parse().unwrap()).collect());
        let engines = bots(&["a=x;depth=3", "b=x"]).unwrap();
        let b = engines.named("b").unwrap();
        assert_eq!((b, engines.name_of(b)), (Opponent::Engine(1), "b".to_owned()));
        assert!(engines.named("c").unwrap_err().contains("'c'"));
        assert_eq!(engines.first(), Some(Opponent::Engine(0)));
        assert_eq!(Engines::default().first(), None);
        let level = Opponent::Level(LevelNumber::try_from(3).unwrap());
        assert_eq!(engines.name_of(level), "Torres bot level 3");
        assert!(bots(&["a=x", "a=y"]).unwrap_err().contains("'a'"));
    }

    #[test]
    fn lichess_levels_are_the_presets() {
        let bot = EngineBot::lichess("6".parse().unwrap());
        assert_eq!(
            (bot.name.as_str(), bot.command.program.as_str()),
            ("Lichess level 6", "fairy-stockfish")
        );
        assert_eq!(bot.command.options, [("Skill Level".to_owned(), "11".to_owned())]);
        assert_eq!((bot.limits.move_ms, bot.limits.depth), (Some(400), Some(8)));
    }
}
