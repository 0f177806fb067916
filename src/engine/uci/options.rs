//! The options that the engine declares, and what setting one means.

use crate::{Engine, Evaluation, Options};
use std::path::PathBuf;
use std::time::Duration;

/// Transposition table at the start, in MiB, where memory gives as much.
const DEFAULT_HASH_MIB: usize = 64;
const MOST_LINES: usize = 256;
const MOST_OVERHEAD_MS: i64 = 5000;

/// The table at the start, in MiB, of an engine that has one of `held_mib`.
pub(super) fn default_hash_mib(held_mib: usize) -> usize {
    DEFAULT_HASH_MIB.min(Engine::largest_hash_mib(held_mib))
}

/// As `uci` lists them, for an engine with a table of `hash_mib`: no larger one is declared than memory gives.
pub(super) fn declared(hash_mib: usize) -> impl Iterator<Item = String> {
    let (default, most) = (default_hash_mib(hash_mib), Engine::largest_hash_mib(hash_mib));
    let hash = format!("option name Hash type spin default {default} min 1 max {most}");
    std::iter::once(hash).chain(FIXED.map(str::to_owned))
}

/// The value of `EvalFile` for the network that comes with the program.
const EMBEDDED: &str = "<embedded>";

/// Those that are the same on every machine.
const FIXED: [&str; 11] = [
    "option name Threads type spin default 1 min 1 max 256",
    "option name Clear Hash type button",
    "option name Ponder type check default false",
    "option name MultiPV type spin default 1 min 1 max 256",
    "option name Move Overhead type spin default 30 min 0 max 5000",
    "option name UCI_LimitStrength type check default false",
    "option name UCI_Elo type spin default 3000 min 600 max 3000",
    "option name Contempt type spin default 0 min -100 max 100",
    "option name UCI_ShowWDL type check default false",
    "option name Evaluation type combo default network var network var hand-made",
    "option name EvalFile type string default <embedded>",
];

/// What setting an option asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    /// MiB.
    Hash(usize),
    ClearHash,
    ShowWdl(bool),
    LimitStrength(bool),
    Elo(u32),
    /// The network in this file, or the one that comes with the program.
    EvalFile(Option<PathBuf>),
    /// Another way of searching.
    Engine(EngineOption),
    /// Understood, and nothing to do.
    Nothing,
    /// None of the engine's: its name in lower case, and the value.
    Other(String, String),
}

/// A change of one of the engine's [`Options`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EngineOption {
    Threads(usize),
    MultiPv(usize),
    Overhead(Duration),
    /// Centipawns.
    Contempt(i32),
    Evaluation(Evaluation),
}

impl EngineOption {
    pub(super) fn apply(self, mut options: Options) -> Options {
        match self {
            EngineOption::Threads(threads) => options.threads = threads,
            EngineOption::MultiPv(lines) => options.multi_pv = lines,
            EngineOption::Overhead(time) => options.move_overhead = time,
            EngineOption::Contempt(centipawns) => options.contempt = centipawns,
            EngineOption::Evaluation(evaluation) => options.evaluation = evaluation,
        }
        options
    }
}

/// `setoption name Hash value 128`; names may have spaces and any case. What cannot be done is told.
pub(super) fn parse(line: &str) -> Result<Setting, String> {
    let after_name = line.split_once("name").map_or("", |(_, rest)| rest);
    let (name, value) = after_name.split_once(" value ").unwrap_or((after_name, ""));
    let (name, value) = (name.trim().to_ascii_lowercase(), value.trim());
    let refused = || format!("'{value}' is not a value for {name}; it is unchanged");
    let number = |least: i64, most: i64| match value.parse::<i64>() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(refused()),
    };
    let most_contempt = i64::from(Engine::MAX_CONTEMPT);
    let check = || match value.to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(refused()),
    };
    Ok(match name.as_str() {
        "hash" => Setting::Hash(number(1, Engine::MAX_HASH_MIB as i64)? as usize),
        "threads" => Setting::Engine(EngineOption::Threads(number(1, Engine::MAX_THREADS as i64)? as usize)),
        "clear hash" => Setting::ClearHash,
        "ponder" => Setting::Nothing,
        "multipv" => Setting::Engine(EngineOption::MultiPv(number(1, MOST_LINES as i64)? as usize)),
        "move overhead" => Setting::Engine(EngineOption::Overhead(Duration::from_millis(
            number(0, MOST_OVERHEAD_MS)? as u64,
        ))),
        "uci_limitstrength" => Setting::LimitStrength(check()?),
        "uci_elo" => Setting::Elo(number(i64::from(Engine::MIN_ELO), i64::from(Engine::MAX_ELO))? as u32),
        "contempt" => Setting::Engine(EngineOption::Contempt(number(-most_contempt, most_contempt)? as i32)),
        "uci_showwdl" => Setting::ShowWdl(check()?),
        "evaluation" => Setting::Engine(EngineOption::Evaluation(value.parse().map_err(|_| refused())?)),
        "evalfile" => Setting::EvalFile(Some(value).filter(|&value| value != EMBEDDED).map(PathBuf::from)),
        _ => Setting::Other(name, value.to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_declared_is_what_is_accepted() {
        let declared: Vec<String> = declared(64).collect();
        for line in &declared {
            let words: Vec<&str> = line.split_whitespace().collect();
            let at = |word: &str| words.iter().position(|&other| other == word);
            let name = words[at("name").unwrap() + 1..at("type").unwrap()].join(" ");
            let set = |value: &str| parse(&format!("setoption name {name} value {value}"));
            let value = |word: &str| words[at(word).unwrap() + 1];
            match value("type") {
                "spin" => {
                    for word in ["default", "min", "max"] {
                        assert!(set(value(word)).is_ok(), "{line}: {word}");
                    }
                    let least = value("min").parse::<i64>().unwrap();
                    // What memory gives just now is asked when a table is wanted, and not before.
                    let most = match name.as_str() {
                        "Hash" => Engine::MAX_HASH_MIB as i64,
                        _ => value("max").parse().unwrap(),
                    };
                    for number in [least - 1, most + 1] {
                        assert!(set(&number.to_string()).is_err(), "{line}: {number}");
                    }
                }
                "check" => assert!(set("true").is_ok() && set("false").is_ok(), "{line}"),
                "combo" => {
                    assert!(set(value("default")).is_ok() && set(value("var")).is_ok(), "{line}");
                    assert!(set("neither").is_err(), "{line}");
                }
                "string" => assert!(set(value("default")).is_ok(), "{line}"),
                "button" => assert!(parse(&format!("setoption name {name}")).is_ok(), "{line}"),
                other => panic!("{line}: {other}"),
            }
        }
        assert!(declared[0].contains(&format!("default {DEFAULT_HASH_MIB} min 1 ")));
        assert!(declared[7].contains(&format!("min {} max {}", Engine::MIN_ELO, Engine::MAX_ELO)));
        let overhead = Options::default().move_overhead.as_millis();
        assert!(declared[5].contains(&format!("default {overhead} ")));
    }

    #[test]
    fn names_have_any_case_and_what_is_wrong_is_told() {
        assert_eq!(parse("setoption name hASH value 7"), Ok(Setting::Hash(7)));
        assert_eq!(
            parse("setoption name move overhead value 100"),
            Ok(Setting::Engine(EngineOption::Overhead(Duration::from_millis(100))))
        );
        for wrong in ["Hash value x", "Hash value -1", "Threads value 0"] {
            assert!(parse(&format!("setoption name {wrong}")).is_err(), "{wrong}");
        }
    }
}
