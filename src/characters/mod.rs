//! Opponents of different character: the seven styles of thesis 000, the programs of three other theses, and weak
//! players that err as people do. `docs/characters.md` has their definitions, what was decided where those are silent,
//! and how strong each was measured.
//!
//! [`ALL`] is who there is. [`Cast`] is what `torres uci` speaks for; its option `Character` chooses one, and without
//! it the engine plays, or one of the [studies](torres_study):
//!
//! ```text
//! torres ladder --out alv --option Character=alv3 --against "torres uci" --limits nodes=10000
//! torres site --bot "Alv3=torres uci;Character=alv3;movetime=1000"
//! ```
//!
//! From the bottom up: values ([`value`]), ways to judge a position ([`evaluation`]), what a search is made of
//! ([`style`]), the search ([`search`]) and the agent's ([`agent`]), and the choice among the engine's own lines
//! ([`human`]). Rules are the engine's.

mod agent;
mod evaluation;
mod human;
mod search;
mod style;
#[cfg(test)]
mod tests;
mod value;

use agent::Question;
use human::Target;
use search::{Found, Search};
use std::hash::{BuildHasher, RandomState};
use style::Style;
use torres_engine::uci::Player;
use torres_engine::{Engine, Game, Move, Options, SearchControl, SearchInfo, SearchLimits, SearchResult};
use torres_study::{Study, Watch};

/// An opponent with a way of its own to play.
#[derive(Debug)]
pub struct Character {
    /// What the option calls it: small letters and digits.
    pub id: &'static str,
    /// What people call it.
    pub name: &'static str,
    /// How it plays, in one sentence.
    pub plays: &'static str,
    manner: Manner,
}

#[derive(Clone, Copy, Debug)]
enum Manner {
    Searches(Style),
    SpreadsNodes,
    Errs(Target),
}

/// All of them: the styles, the programs, and the weak ones, weakest first.
pub const ALL: [Character; 14] = [
    alv(
        "alv1",
        "Alv1",
        0,
        "Brings its queen out early, and moves its king more than the others.",
    ),
    alv(
        "alv2",
        "Alv2",
        1,
        "Brings its queen out early, and plays the best of what it has looked at when its time is up.",
    ),
    alv(
        "alv3",
        "Alv3",
        2,
        "Plays like Alv2, and looks at captures first, so that it looks further.",
    ),
    alv(
        "alv4",
        "Alv4",
        3,
        "Puts its pieces on good squares, and keeps its queen at home in the opening.",
    ),
    alv(
        "alv5",
        "Alv5",
        4,
        "Plays like Alv4, and remembers positions that it has looked at.",
    ),
    alv(
        "alv6",
        "Alv6",
        5,
        "Looks most at the centre and at the other king, and so looks less far.",
    ),
    alv(
        "alv7",
        "Alv7",
        6,
        "Plays like Alv6, and looks at captures first, so that it looks further.",
    ),
    Character {
        id: "agent",
        name: "The agent",
        plays: "Follows forced lines far, and wants to attack as many squares as it can.",
        manner: Manner::SpreadsNodes,
    },
    Character {
        id: "fourplies",
        name: "Four plies",
        plays: "Looks two moves of each side ahead and no further, except that it sees every exchange to its end.",
        manner: Manner::Searches(Style::FOUR_PLIES),
    },
    Character {
        id: "guesser",
        name: "The guesser",
        plays: "Trades pieces as soon as it is ahead, and counts pawns rather than chances.",
        manner: Manner::Searches(Style::GUESSER),
    },
    errs(
        "novice",
        "The novice",
        (80, 160),
        "Often takes a worse move than there was, but takes back what was taken.",
    ),
    errs(
        "casual",
        "The casual player",
        (40, 120),
        "Plays sensibly, and slips every few moves.",
    ),
    errs(
        "steady",
        "The steady player",
        (0, 80),
        "Finds the best move half of the time, and a good one mostly.",
    ),
    errs(
        "keen",
        "The keen player",
        (0, 40),
        "Makes small mistakes, and seldom a large one.",
    ),
];

const fn alv(id: &'static str, name: &'static str, index: usize, plays: &'static str) -> Character {
    Character {
        id,
        name,
        plays,
        manner: Manner::Searches(Style::ALVS[index]),
    }
}

/// The third has the target of Lichess' bots.
const fn errs(id: &'static str, name: &'static str, (loss, spread): (i32, i32), plays: &'static str) -> Character {
    Character {
        id,
        name,
        plays,
        manner: Manner::Errs(Target { loss, spread }),
    }
}

/// What a player that errs looks at before it chooses, in nodes for each move that it may choose, whatever a limit of
/// nodes says: it is not weak for want of nodes. Limits of time and depth hold.
const NODES_FOR_EACH_MOVE: u64 = 2_000;

/// The character with this id.
pub fn find(id: &str) -> Option<&'static Character> {
    ALL.iter().find(|character| character.id == id)
}

/// The engine, its studies, or a character in their place.
pub struct Cast {
    study: Study,
    character: Option<&'static Character>,
}

impl Cast {
    /// Nobody but the engine, until an option chooses.
    pub fn new(engine: Engine) -> Cast {
        Cast {
            study: Study::new(engine),
            character: None,
        }
    }

    /// A move of the engine's own choice of lines, as a player that errs takes it.
    fn err(
        &mut self,
        target: Target,
        game: &Game,
        limits: &SearchLimits,
        control: &SearchControl,
        report: &mut dyn FnMut(SearchInfo),
    ) -> SearchResult {
        let moves = game.position().count_legal_moves();
        let limits = SearchLimits {
            nodes: Some(moves * NODES_FOR_EACH_MOVE),
            ..limits.clone()
        };
        let engine = self.study.engine();
        let options = engine.options();
        engine.set_options(Options {
            multi_pv: moves as usize,
            ..options
        });
        let mut infos = Vec::new();
        let result = engine.search(game, &limits, control, &mut |info| infos.push(info));
        engine.set_options(options);
        let taken = game.last_move().filter(|mv| mv.is_capture()).map(Move::to);
        let lines = human::lines(&infos);
        let chosen = human::choose(&lines, taken, target, RandomState::new().hash_one(0));
        let told = infos.into_iter().rev().find(|info| info.pv.first().copied() == chosen);
        match told {
            Some(info) => {
                let result = SearchResult {
                    best: chosen,
                    ponder: info.pv.get(1).copied(),
                    score: info.score,
                    ..result
                };
                report(SearchInfo { line: 1, ..info });
                result
            }
            None => result,
        }
    }

    /// What a search of its own finds, and in how many nodes.
    fn think(&mut self, manner: Manner, game: &Game, limits: &SearchLimits, watch: &Watch) -> Option<(Found, u64)> {
        let position = game.position();
        let mut roots = position.legal_moves();
        if roots.iter().any(|mv| limits.search_moves.contains(mv)) {
            roots.retain(|mv| limits.search_moves.contains(mv));
        }
        let engine = self.study.engine();
        let (threads, hash_mib) = (engine.options().threads, engine.hash_mib());
        let Manner::Searches(style) = manner else {
            let question = Question {
                game,
                roots: &roots,
                limits,
                threads,
                hash_mib,
            };
            return agent::think(&question, watch);
        };
        let most = limits.depth.filter(|_| !limits.infinite).unwrap_or(u32::MAX);
        let mut search = Search::new(style, game, hash_mib, watch);
        let found = search.deepen(position, &roots, most.max(1))?;
        Some((found, search.nodes))
    }
}

impl Player for Cast {
    fn engine(&mut self) -> &mut Engine {
        self.study.engine()
    }

    fn more_options(&self) -> Vec<String> {
        let ids: String = ALL.iter().map(|character| format!(" var {}", character.id)).collect();
        let character = format!("option name Character type combo default none var none{ids}");
        self.study.more_options().into_iter().chain([character]).collect()
    }

    fn set_option(&mut self, name: &str, value: &str) -> Option<Result<(), String>> {
        if name != "character" {
            return self.study.set_option(name, value);
        }
        let id = value.to_ascii_lowercase();
        Some(match (find(&id), id.as_str()) {
            (None, "none") => {
                self.character = None;
                Ok(())
            }
            (None, _) => Err(format!("there is no character '{value}'; it is unchanged")),
            (found, _) => {
                self.character = found;
                Ok(())
            }
        })
    }

    /// Characters do not think on the opponent's time: those with a search of their own begin when the expected move
    /// was played, each with an empty table.
    fn search(
        &mut self,
        game: &Game,
        limits: &SearchLimits,
        control: &SearchControl,
        report: &mut dyn FnMut(SearchInfo),
    ) -> SearchResult {
        let Some(character) = self.character.filter(|_| game.position().count_legal_moves() > 0) else {
            return self.study.search(game, limits, control, report);
        };
        if let Manner::Errs(target) = character.manner {
            return self.err(target, game, limits, control, report);
        }
        if limits.ponder && !limits.infinite {
            control.wait_for_stop_or_hit();
        }
        let for_watch = match character.manner {
            Manner::SpreadsNodes => agent::without_nodes(limits),
            _ => limits.clone(),
        };
        let watch = Watch::new(&for_watch, game.position().turn(), control);
        let Some((found, nodes)) = self.think(character.manner, game, limits, &watch) else {
            return self.study.search(game, limits, control, report);
        };
        let score = value::to_score(found.value);
        report(SearchInfo {
            depth: found.depth,
            selective_depth: found.depth,
            line: 1,
            score,
            nodes,
            time: watch.elapsed(),
            hash_full: 0,
            pv: vec![found.best],
        });
        if limits.infinite {
            control.wait_for_stop();
        }
        SearchResult {
            best: Some(found.best),
            ponder: None,
            score,
            depth: found.depth,
            nodes,
        }
    }
}
