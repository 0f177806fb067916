//! What the games over the screen say: wins, draws and losses against each opponent, as a table, numbers and a picture.

use super::plot::Series;
use super::score::{Estimate, Tally};
use serde::Serialize;
use std::collections::BTreeSet;
use torres_journal::results::GameResult;

/// The games against one opponent, or all of them, the oldest first.
#[derive(Clone, Debug)]
pub struct Standing<'a> {
    /// Against whom, and which engine thought for us where it was not our own; `None` for all games.
    pairing: Option<(&'a str, Option<&'a str>)>,
    games: Vec<&'a GameResult>,
}

/// A line of `torres results --json`. Shares of the points are 0 to 1; what is infinite or unknown is null.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Numbers {
    /// The opponent; null for all games.
    pub opponent: Option<String>,
    /// The command of the engine that thought for us; null for our own, and for all games.
    pub engine: Option<String>,
    /// Games with a result.
    pub games: u32,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Games without a result, in none of the numbers above and below.
    pub unfinished: u32,
    /// Share of the points.
    pub score: Option<f64>,
    /// Lower end of its 95 % interval.
    pub score_low: Option<f64>,
    /// Upper end.
    pub score_high: Option<f64>,
    /// The score as a difference in Elo.
    pub elo: Option<f64>,
    /// Lower end of its 95 % interval.
    pub elo_low: Option<f64>,
    /// Upper end.
    pub elo_high: Option<f64>,
}

/// The opponents in the order in which they were first met, and all games last.
pub fn standings(games: &[GameResult]) -> Vec<Standing<'_>> {
    let mut standings: Vec<Standing> = Vec::new();
    for game in games {
        let pairing = Some((game.opponent.as_str(), game.engine.as_deref()));
        match standings.iter_mut().find(|standing| standing.pairing == pairing) {
            Some(standing) => standing.games.push(game),
            None => standings.push(Standing {
                pairing,
                games: vec![game],
            }),
        }
    }
    standings.push(Standing {
        pairing: None,
        games: games.iter().collect(),
    });
    standings
}

impl Standing<'_> {
    /// The opponent, with the engine in brackets where it was not our own; `None` for all games.
    pub fn name(&self) -> Option<String> {
        self.pairing.map(|(opponent, engine)| match engine {
            None => opponent.to_owned(),
            Some(engine) => format!("{opponent} ({engine} thinks)"),
        })
    }

    fn points(&self) -> Vec<f64> {
        self.games.iter().filter_map(|game| game.points()).collect()
    }

    /// Wins, draws and losses.
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for points in self.points() {
            tally.add(points);
        }
        tally
    }

    /// Everything that the table says, as numbers.
    pub fn numbers(&self) -> Numbers {
        let tally = self.tally();
        let (score, elo) = (tally.score(), tally.elo());
        let part = |estimate: Option<Estimate>, part: fn(Estimate) -> f64| estimate.map(part).filter(|n| n.is_finite());
        Numbers {
            opponent: self.pairing.map(|(opponent, _)| opponent.to_owned()),
            engine: self.pairing.and_then(|(_, engine)| engine).map(str::to_owned),
            games: tally.games(),
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            unfinished: self.games.len() as u32 - tally.games(),
            score: part(score, |score| score.value),
            score_low: part(score, |score| score.low),
            score_high: part(score, |score| score.high),
            elo: part(elo, |elo| elo.value),
            elo_low: part(elo, |elo| elo.low),
            elo_high: part(elo, |elo| elo.high),
        }
    }

    fn row(&self) -> [String; 7] {
        let numbers = self.numbers();
        let tally = self.tally();
        let dash = || "–".to_owned();
        let (score, interval) = match tally.score() {
            None => (dash(), dash()),
            Some(score) => (
                format!("{:.1} %", 100.0 * score.value),
                format!("{:.1} to {:.1} %", 100.0 * score.low, 100.0 * score.high),
            ),
        };
        [
            self.name().unwrap_or_else(|| "all games".to_owned()),
            numbers.games.to_string(),
            format!("{} {} {}", numbers.wins, numbers.draws, numbers.losses),
            numbers.unfinished.to_string(),
            score,
            interval,
            tally.elo().map_or_else(dash, Estimate::to_elo_text),
        ]
    }

    /// How the games were played: versions, clocks, longest thoughts.
    fn settings(&self) -> String {
        let each: BTreeSet<String> = self
            .games
            .iter()
            .map(|game| {
                let thought = game
                    .move_ms
                    .map_or_else(String::new, |ms| format!(", at most {ms} ms a move"));
                format!("Torres {}, {}{thought}", game.version, game.clock)
            })
            .collect();
        each.into_iter().collect::<Vec<_>>().join("; ")
    }
}

/// The table, as Markdown with its columns in line, and below it how the games were played.
pub fn table(standings: &[Standing<'_>]) -> String {
    let heading = ["opponent", "games", "+ = −", "unfinished", "score", "95 %", "Elo"].map(str::to_owned);
    let rows: Vec<[String; 7]> = std::iter::once(heading)
        .chain(standings.iter().map(Standing::row))
        .collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; 7] = std::array::from_fn(width);
    let mut text = String::new();
    for (index, row) in rows.iter().enumerate() {
        for (cell, width) in row.iter().zip(widths) {
            text.push_str(&format!("| {cell:<width$} "));
        }
        text.push_str("|\n");
        if index == 0 {
            for width in widths {
                text.push_str(&format!("|{}", "-".repeat(width + 2)));
            }
            text.push_str("|\n");
        }
    }
    text.push('\n');
    for standing in standings {
        if let Some(name) = standing.name() {
            text.push_str(&format!("- {name}: {}\n", standing.settings()));
        }
    }
    text
}

/// The opponents against whom a game has ended, as they are drawn.
pub fn series(standings: &[Standing<'_>]) -> Vec<Series> {
    let opponents = standings.iter().filter_map(|standing| {
        let name = standing.name()?;
        let points = standing.points();
        (!points.is_empty()).then(|| Series::new(name, &points, &standing.tally()))
    });
    opponents.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::svg;
    use torres_chess::Side::{self, Black, White};
    use torres_journal::results::Score::{self, BlackWins, Draw, Unfinished, WhiteWins};

    /// A game against this opponent.
    fn game(opponent: &str, color: Side, result: Score) -> GameResult {
        let line = serde_json::json!({
            "format": 1, "started": "2026-11-21T22:04:05+01:00", "ended": "2026-11-21T22:31:00+01:00", "site": "site",
            "calibration": "site", "opponent": opponent, "color": color, "result": result, "termination": "checkmate",
            "plies": 61, "clock": "15+10", "move_ms": 1000, "version": "0.1.0", "engine": null, "folder": "game-1",
            "times": { "own_ms": 31_000, "opponent_ms": 30_500, "longest_own_ms": 1_350 }, "pgn": "game.pgn",
        });
        serde_json::from_value(line).unwrap()
    }

    /// Against `alpha` 3 won, 2 drawn, 1 lost, 1 without an end; against `beta` 2 lost; against `gamma` nothing ended.
    fn games() -> Vec<GameResult> {
        let of = |opponent: &str, games: &[(Side, Score)]| -> Vec<GameResult> {
            games
                .iter()
                .map(|(color, score)| game(opponent, *color, *score))
                .collect()
        };
        [
            of(
                "alpha",
                &[
                    (White, WhiteWins),
                    (Black, BlackWins),
                    (White, Draw),
                    (Black, WhiteWins),
                ],
            ),
            of("beta", &[(White, BlackWins), (Black, WhiteWins)]),
            of("alpha", &[(White, WhiteWins), (Black, Draw), (Black, Unfinished)]),
            of("gamma", &[(White, Unfinished)]),
        ]
        .concat()
    }

    #[test]
    fn the_table_has_a_row_for_each_opponent_and_one_for_all() {
        let games = games();
        let text = table(&standings(&games));
        let rows: Vec<Vec<&str>> = text
            .lines()
            .filter(|line| line.starts_with('|'))
            .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
            .collect();
        // Worked out apart from this program, with Python: Wilson's interval (1927) for the score p = 4/6 and
        // n = 6 · q(1-q)/v tosses, where q = 4.5/7 and v, the variance of a game, come from the games and half a win
        // and half a loss beside them: v = (3.5 · (1-q)² + 2 · (0.5-q)² + 1.5 · q²) / 7.
        // Elo = -400 · log10(1/p - 1), and ± half of what lies between the same of the interval's ends.
        assert_eq!(
            rows[2],
            [
                "alpha",
                "6",
                "3 2 1",
                "1",
                "66.7 %",
                "35.0 to 88.1 %",
                "+120 ± 228 (0 is inside)"
            ]
        );
        assert_eq!(rows[3][..5], ["beta", "2", "0 0 2", "0", "0.0 %"]);
        assert!(rows[3][6].starts_with("< "), "{text}");
        assert_eq!(rows[4], ["gamma", "0", "0 0 0", "1", "–", "–", "–"]);
        assert_eq!(rows[5][..5], ["all games", "8", "3 2 3", "2", "50.0 %"]);
        assert!(rows[5][6].ends_with("(0 is inside)"), "{text}");
        let lengths: BTreeSet<usize> = text
            .lines()
            .filter(|line| line.starts_with('|'))
            .map(|line| line.chars().count())
            .collect();
        assert_eq!(lengths.len(), 1, "columns in line:\n{text}");
        assert!(
            text.contains("- alpha: Torres 0.1.0, 15+10, at most 1000 ms a move\n"),
            "{text}"
        );
    }

    #[test]
    fn another_engine_is_another_row() {
        let mut games = games();
        games[0].engine = Some("stockfish".to_owned());
        let standings = standings(&games);
        let names: Vec<Option<String>> = standings.iter().map(Standing::name).collect();
        let expected = ["alpha (stockfish thinks)", "alpha", "beta", "gamma"];
        assert_eq!(names[..4], expected.map(|name| Some(name.to_owned())));
        assert_eq!(names[4..], [None]);
        let first = standings[0].numbers();
        assert_eq!(
            (first.opponent.as_deref(), first.engine.as_deref()),
            (Some("alpha"), Some("stockfish"))
        );
    }

    #[test]
    fn numbers_are_the_tables_and_what_is_infinite_is_null() {
        let games = games();
        let numbers: Vec<Numbers> = standings(&games).iter().map(Standing::numbers).collect();
        assert_eq!((numbers[0].wins, numbers[0].draws, numbers[0].losses), (3, 2, 1));
        assert_eq!(numbers[0].score, Some(4.0 / 6.0));
        // 400 · log10(2): two points for each lost one.
        assert!((numbers[0].elo.unwrap() - 120.412).abs() < 1e-3, "{numbers:?}");
        assert_eq!(
            (numbers[1].score, numbers[1].elo, numbers[1].elo_low),
            (Some(0.0), None, None)
        );
        assert!(numbers[1].elo_high.is_some());
        assert_eq!(
            (numbers[2].games, numbers[2].unfinished, numbers[2].score),
            (0, 1, None)
        );
        assert_eq!((numbers[3].opponent.as_ref(), numbers[3].games), (None, 8));
    }

    #[test]
    fn only_opponents_with_a_result_are_drawn() {
        let games = games();
        let text = svg(&series(&standings(&games))).unwrap();
        assert_eq!(
            text.matches("alpha").count(),
            2,
            "in the rows above and in the legend below"
        );
        assert!(text.contains("beta") && !text.contains("gamma"));
        assert!(svg(&series(&standings(&games[9..]))).is_err(), "nothing to draw");
    }
}
