//! Whom the demo's games are played against.

use crate::CliError;
use crate::site::BotArgs;
use torres_link::uci::presets::LichessLevel;
use torres_site::levels::LevelNumber;
use torres_site::opponents::{Engines, level_name};

/// A bot of the practice site, as the site is told of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Opponent {
    /// A level of its own bot.
    Level(LevelNumber),
    /// A `--bot`: its name, and all of its text.
    Engine { name: String, text: String },
    /// A level of Lichess' computer.
    Lichess(LichessLevel),
}

impl Opponent {
    /// As the site names it.
    pub(crate) fn name(&self) -> String {
        match self {
            Opponent::Level(level) => level_name(*level),
            Opponent::Engine { name, .. } => name.clone(),
            Opponent::Lichess(level) => level.name(),
        }
    }

    /// What makes the site start with it.
    pub(crate) fn arguments(&self) -> [String; 2] {
        match self {
            Opponent::Level(level) => ["--level".to_owned(), level.get().to_string()],
            Opponent::Engine { text, .. } => ["--bot".to_owned(), text.clone()],
            Opponent::Lichess(level) => ["--lichess".to_owned(), level.to_string()],
        }
    }
}

/// All that the games may be against, the first one's first: the bots that were named, or else the levels.
///
/// # Errors
/// A program is missing, or two bots have the same name.
pub(super) fn opponents(bots: &BotArgs, level: Option<LevelNumber>) -> Result<Vec<Opponent>, CliError> {
    let engines = bots.engines()?;
    if !engines.is_empty() {
        Engines::new(engines).map_err(CliError::usage)?;
        let named = bots.engines.iter().map(|given| Opponent::Engine {
            name: given.bot.name.clone(),
            text: given.text.clone(),
        });
        let lichess = bots.lichess.iter().map(|level| Opponent::Lichess(*level));
        return Ok(named.chain(lichess).collect());
    }
    let first = level.unwrap_or_default();
    // After the last comes the first.
    let levels: Vec<LevelNumber> = LevelNumber::all().collect();
    let (before, from) = levels.split_at(first.get() - 1);
    Ok(from.iter().chain(before).copied().map(Opponent::Level).collect())
}
