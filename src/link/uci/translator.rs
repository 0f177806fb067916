//! What is said in the link's words and in UCI's, each in the other's: pure, without pipes.

use crate::Fault;
use crate::answer::position_of;
use crate::messages::{BestMove, FromEngine, Go, Info, Score, ToEngine};
use std::collections::VecDeque;
use std::ops::RangeInclusive;
use torres_chess::fen;
use torres_printing::shortened;

/// What an engine says of itself between `uci` and `uciok`.
#[derive(Debug, Default)]
pub(super) struct Introduction {
    /// Its name, if it told one.
    pub name: Option<String>,
    /// Its options by their names in lower case (the protocol does not tell cases apart), and what those that are
    /// numbers take.
    options: Vec<(String, Option<RangeInclusive<i64>>)>,
}

impl Introduction {
    /// Hears a line; says whether it was the last.
    pub(crate) fn hear(&mut self, line: &str) -> bool {
        if let Some(told) = line.strip_prefix("id name ") {
            self.name = Some(told.to_string());
        } else if let Some(option) = line.strip_prefix("option name ") {
            let (name, kind) = option.split_once(" type ").unwrap_or((option, ""));
            self.options.push((name.to_lowercase(), range_of(kind)));
        }
        line == "uciok"
    }

    /// Whether it has an option of that name.
    pub(crate) fn offers(&self, option: &str) -> bool {
        self.options.iter().any(|(name, _)| *name == option.to_lowercase())
    }

    /// What an option takes that is a number and says so.
    fn range(&self, option: &str) -> Option<&RangeInclusive<i64>> {
        let (_, range) = self.options.iter().find(|(name, _)| *name == option.to_lowercase())?;
        range.as_ref()
    }

    /// The number next to this one that the option takes.
    pub(crate) fn nearest(&self, option: &str, number: i64) -> i64 {
        self.range(option)
            .map_or(number, |range| number.clamp(*range.start(), *range.end()))
    }

    /// Says of a value that the option does not take what it does.
    pub(crate) fn takes(&self, option: &str, value: &str) -> Result<(), String> {
        let Some(range) = self.range(option) else {
            return Ok(());
        };
        match value.parse().is_ok_and(|number| range.contains(&number)) {
            true => Ok(()),
            false => Err(format!(
                "its option {option} takes {} to {}, not {value}",
                range.start(),
                range.end()
            )),
        }
    }
}

/// The bounds in `spin default 1 min 1 max 512`; `None` where there are none that make sense.
fn range_of(kind: &str) -> Option<RangeInclusive<i64>> {
    let mut words = kind.split_whitespace();
    if words.next() != Some("spin") {
        return None;
    }
    let words: Vec<&str> = words.collect();
    let after = |name: &str| words.iter().skip_while(|word| **word != name).nth(1)?.parse().ok();
    let (least, most) = (after("min")?, after("max")?);
    (least <= most).then_some(least..=most)
}

/// A UCI conversation after its opening.
#[derive(Debug, Default)]
pub(super) struct Translator {
    /// The engine has `UCI_LimitStrength` and `UCI_Elo`.
    limits_strength: bool,
    /// The strength it was set to.
    elo: Option<u32>,
    /// The `go` that runs, and the position it is about.
    running: Option<(u64, String)>,
    /// Pings that `readyok` answers, oldest first.
    pings: VecDeque<u64>,
}

impl Translator {
    /// For an engine that has the options `UCI_LimitStrength` and `UCI_Elo`, or has not.
    pub(crate) fn new(limits_strength: bool) -> Translator {
        Translator {
            limits_strength,
            ..Translator::default()
        }
    }

    /// The lines that say this in UCI, or the reply where there is nothing to say to the engine.
    pub(crate) fn say(&mut self, message: ToEngine) -> Result<Vec<String>, FromEngine> {
        let running = self.running.as_ref().map(|(id, _)| *id);
        Ok(match message {
            ToEngine::Hello { .. } => vec![],
            ToEngine::NewGame => vec!["ucinewgame".to_string()],
            ToEngine::Ping { id } => {
                self.pings.push_back(id);
                vec!["isready".to_string()]
            }
            ToEngine::Stop { id } if running == Some(id) => vec!["stop".to_string()],
            ToEngine::PonderHit { id } if running == Some(id) => vec!["ponderhit".to_string()],
            // They crossed with the answer.
            ToEngine::Stop { .. } | ToEngine::PonderHit { .. } => vec![],
            ToEngine::Go(go) => {
                let refused = |message| FromEngine::Error {
                    id: Some(go.id),
                    message,
                };
                if let Some(id) = running {
                    return Err(refused(format!("search {id} is running; stop it first")));
                }
                let position = position_of(&go).map_err(refused)?;
                let fen = fen(&position);
                self.running = Some((go.id, fen));
                let mut lines = self.set_strength(go.elo);
                lines.extend([position_line(&go), go_line(&go)]);
                lines
            }
        })
    }

    fn set_strength(&mut self, elo: Option<u32>) -> Vec<String> {
        if !self.limits_strength || elo == self.elo {
            return vec![];
        }
        self.elo = elo;
        match elo {
            Some(elo) => vec![
                "setoption name UCI_LimitStrength value true".to_string(),
                format!("setoption name UCI_Elo value {elo}"),
            ],
            None => vec!["setoption name UCI_LimitStrength value false".to_string()],
        }
    }

    /// What this line of the engine's says; `None` when it says nothing to us.
    pub(crate) fn hear(&mut self, line: &str) -> Option<Result<FromEngine, Fault>> {
        let mut words = line.split_whitespace();
        match words.next()? {
            "readyok" => Some(Ok(FromEngine::Pong {
                id: self.pings.pop_front()?,
            })),
            "info" => Some(Ok(FromEngine::Info(read_info(self.running.as_ref()?.0, words)?))),
            "bestmove" => Some(match words.next().and_then(|best| Some((self.running.take()?, best))) {
                Some(((id, fen), best)) => {
                    let best = Some(best).filter(|best| !matches!(*best, "(none)" | "0000" | "NULL"));
                    let ponder = words.next().filter(|word| *word == "ponder").and_then(|_| words.next());
                    let (best, ponder) = (best.map(str::to_string), ponder.map(str::to_string));
                    Ok(FromEngine::BestMove(BestMove { id, best, ponder, fen }))
                }
                None => Err(Fault::Babble(format!("'{}' answers nothing", shortened(line, 100)))),
            }),
            _ => None,
        }
    }
}

fn position_line(go: &Go) -> String {
    let moves = if go.moves.is_empty() {
        String::new()
    } else {
        format!(" moves {}", go.moves.join(" "))
    };
    format!("position fen {}{moves}", go.fen)
}

fn go_line(go: &Go) -> String {
    if go.infinite {
        return "go infinite".to_string();
    }
    let limits = go.limits;
    let numbers = [
        ("wtime", limits.white_ms),
        ("btime", limits.black_ms),
        ("winc", limits.white_inc_ms),
        ("binc", limits.black_inc_ms),
        ("movetime", limits.move_ms),
        ("depth", limits.depth.map(u64::from)),
        ("nodes", limits.nodes),
    ];
    let mut line = String::from(if go.ponder { "go ponder" } else { "go" });
    let bare = line.len();
    for (word, number) in numbers {
        if let Some(number) = number {
            line.push_str(&format!(" {word} {number}"));
        }
    }
    if line.len() == bare && !go.ponder {
        "go infinite".to_string()
    } else {
        line
    }
}

/// An `info` line with a depth and an exact score of the best line; others are of no use to us.
fn read_info<'a>(id: u64, mut words: impl Iterator<Item = &'a str>) -> Option<Info> {
    let (mut depth, mut score, mut nodes, mut nps, mut pv) = (None, None, 0, 0, Vec::new());
    while let Some(word) = words.next() {
        match word {
            "depth" => depth = words.next()?.parse().ok(),
            "nodes" => nodes = words.next()?.parse().ok()?,
            "nps" => nps = words.next()?.parse().ok()?,
            "multipv" if words.next()? != "1" => return None,
            "lowerbound" | "upperbound" | "string" => return None,
            "score" => {
                let kind = words.next()?;
                let value = words.next()?.parse().ok()?;
                score = Some(if kind == "mate" {
                    Score::Mate(value)
                } else {
                    Score::Cp(value)
                });
            }
            "pv" => pv.extend(words.by_ref().map(str::to_string)),
            _ => {}
        }
    }
    Some(Info {
        id,
        depth: depth?,
        score: score?,
        nodes,
        nps,
        pv,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::Limits;

    const START_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn go(limits: Limits) -> Go {
        let (fen, moves) = (START_FEN.to_string(), vec!["e2e4".to_string()]);
        Go {
            id: 7,
            fen,
            moves,
            limits,
            ..Go::default()
        }
    }

    #[test]
    fn an_option_that_is_a_number_takes_what_it_says() {
        let mut introduction = Introduction::default();
        for line in [
            "option name Hash type spin default 16 min 1 max 1024",
            "option name Skill Level type spin min -20 default 20 max 20",
            "option name Odd type spin default 1 min 5 max 2",
            "option name Open type spin default 1",
            "option name Style type combo default Solid var Solid var 7",
            "option name min type string default max 3",
        ] {
            assert!(!introduction.hear(line));
        }
        assert!(introduction.offers("skill level") && !introduction.offers("Threads"));
        assert_eq!(introduction.takes("HASH", "1024"), Ok(()));
        assert_eq!(introduction.takes("Skill Level", "-20"), Ok(()));
        for (option, value) in [
            ("Hash", "0"),
            ("Hash", "1025"),
            ("Hash", "many"),
            ("Skill Level", "-21"),
        ] {
            let refused = introduction.takes(option, value).unwrap_err();
            assert!(refused.contains(option) && refused.ends_with(value), "{refused}");
        }
        // What says no range takes what it likes.
        for (option, value) in [
            ("Odd", "9"),
            ("Open", "9"),
            ("Style", "Wild"),
            ("min", "9"),
            ("Threads", "0"),
        ] {
            assert_eq!(introduction.takes(option, value), Ok(()), "{option}");
        }
        let nearest = [0, 64, 4096].map(|mib| introduction.nearest("Hash", mib));
        assert_eq!((nearest, introduction.nearest("Threads", 7)), ([1, 64, 1024], 7));
        assert!(introduction.hear("uciok"));
    }

    #[test]
    fn a_question_and_its_answer() {
        let mut translator = Translator::default();
        let clocks = Limits {
            white_ms: Some(1),
            black_ms: Some(2),
            white_inc_ms: Some(3),
            black_inc_ms: Some(4),
            move_ms: Some(5),
            depth: Some(6),
            nodes: Some(8),
        };
        let lines = translator.say(ToEngine::Go(go(clocks))).unwrap();
        let position = format!("position fen {START_FEN} moves e2e4");
        assert_eq!(
            lines,
            [&position, "go wtime 1 btime 2 winc 3 binc 4 movetime 5 depth 6 nodes 8"]
        );
        let told = translator.hear("info depth 9 seldepth 12 multipv 1 score mate -3 nodes 10 nps 20 pv e7e5 g1f3");
        let pv = vec!["e7e5".to_string(), "g1f3".to_string()];
        let info = Info {
            id: 7,
            depth: 9,
            score: Score::Mate(-3),
            nodes: 10,
            nps: 20,
            pv,
        };
        assert_eq!(told, Some(Ok(FromEngine::Info(info))));
        for useless in [
            "info string depth 3",
            "info depth 3 score cp 5 lowerbound",
            "info currmove e7e5",
            "Hello!",
            "",
        ] {
            assert_eq!(translator.hear(useless), None, "{useless}");
        }
        let Some(Ok(FromEngine::BestMove(answer))) = translator.hear("bestmove e7e5 ponder g1f3") else {
            panic!("no answer");
        };
        assert_eq!(
            (answer.id, answer.best.as_deref(), answer.ponder.as_deref()),
            (7, Some("e7e5"), Some("g1f3"))
        );
        assert!(
            answer
                .fen
                .starts_with("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -")
        );
        assert!(
            matches!(translator.hear("bestmove e7e5"), Some(Err(Fault::Babble(_)))),
            "answered twice"
        );
    }

    #[test]
    fn an_answer_without_a_move_leaves_the_question_open() {
        let mut translator = Translator::default();
        translator.say(ToEngine::Go(go(Limits::default()))).unwrap();
        assert!(matches!(translator.hear("bestmove"), Some(Err(Fault::Babble(_)))));
        assert!(matches!(
            translator.hear("bestmove e7e5"),
            Some(Ok(FromEngine::BestMove(_)))
        ));
    }

    #[test]
    fn pings_are_answered_in_order() {
        let mut translator = Translator::default();
        for id in [4, 5] {
            assert_eq!(translator.say(ToEngine::Ping { id }).unwrap(), ["isready"]);
        }
        assert_eq!(translator.hear("readyok"), Some(Ok(FromEngine::Pong { id: 4 })));
        assert_eq!(translator.hear("readyok"), Some(Ok(FromEngine::Pong { id: 5 })));
        assert_eq!(translator.hear("readyok"), None);
    }

    #[test]
    fn stop_is_said_only_to_a_running_search() {
        let mut translator = Translator::default();
        assert!(translator.say(ToEngine::Stop { id: 7 }).unwrap().is_empty());
        translator
            .say(ToEngine::Go(Go {
                infinite: true,
                ..go(Limits::default())
            }))
            .unwrap();
        assert!(
            translator.say(ToEngine::Go(go(Limits::default()))).is_err(),
            "one at a time"
        );
        assert_eq!(translator.say(ToEngine::Stop { id: 7 }).unwrap(), ["stop"]);
    }

    #[test]
    fn strength_is_set_where_the_engine_can_and_when_it_changes() {
        let ask = |elo| {
            ToEngine::Go(Go {
                elo,
                ..go(Limits::default())
            })
        };
        let mut translator = Translator::new(true);
        let lines = translator.say(ask(Some(1600))).unwrap();
        assert_eq!(
            lines[..2],
            [
                "setoption name UCI_LimitStrength value true",
                "setoption name UCI_Elo value 1600"
            ]
        );
        translator.hear("bestmove e7e5");
        assert_eq!(translator.say(ask(Some(1600))).unwrap().len(), 2, "unchanged");
        translator.hear("bestmove e7e5");
        assert_eq!(
            translator.say(ask(None)).unwrap()[0],
            "setoption name UCI_LimitStrength value false"
        );
        let mut fixed = Translator::default();
        assert_eq!(fixed.say(ask(Some(1600))).unwrap().len(), 2);
    }

    #[test]
    fn mate_and_stalemate_have_no_move() {
        for none in ["(none)", "0000"] {
            let mut translator = Translator::default();
            translator.say(ToEngine::Go(go(Limits::default()))).unwrap();
            let told = translator.hear(&format!("bestmove {none}"));
            assert!(matches!(
                told,
                Some(Ok(FromEngine::BestMove(BestMove { best: None, .. })))
            ));
        }
    }
}
