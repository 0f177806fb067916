//! Who plays whom in each game of a demo, and with which colours.

use super::opponents::Opponent;
use super::settings::Settings;
use shakmaty::Color;

/// Who plays whom in one game.
#[derive(Clone, Debug)]
pub(super) struct Table<'a> {
    /// Torres' colour.
    pub color: Color,
    /// Whom it plays.
    pub opponent: &'a Opponent,
    /// The colours of the page's squares, by their name in its address.
    pub board: &'static str,
}

/// All that the practice site's page knows.
const BOARDS: [&str; 4] = ["brown", "blue", "green", "grey"];

impl<'a> Table<'a> {
    /// Of the game of this number, counted from 1. Varied, two games are played against each, one with each colour and
    /// both on squares of the same colours.
    pub(crate) fn of(settings: &'a Settings, number: u32) -> Table<'a> {
        let opponents = &settings.opponents;
        if !settings.vary {
            return Table {
                color: settings.color,
                opponent: &opponents[0],
                board: BOARDS[0],
            };
        }
        let turned = number.is_multiple_of(2);
        let color = if turned { settings.color.other() } else { settings.color };
        let round = (number - 1) as usize / 2;
        Table {
            color,
            opponent: &opponents[round % opponents.len()],
            board: BOARDS[round % BOARDS.len()],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::Args;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    fn settings<S: AsRef<str>>(words: &[S]) -> Settings {
        let words = words.iter().map(AsRef::as_ref);
        Line::try_parse_from(words).unwrap().args.check().unwrap()
    }

    fn games(line: &str) -> Vec<String> {
        let settings = settings(&shlex::split(line).unwrap());
        (1..=5)
            .map(|number| {
                let table = Table::of(&settings, number);
                format!("{} {}", table.color, table.opponent.name())
            })
            .collect()
    }

    #[test]
    fn games_vary_in_colour_and_opponent_only_when_asked() {
        assert_eq!(games("demo"), vec!["white Torres bot level 3"; 5]);
        let levels = ["white 7", "black 7", "white 8", "black 8", "white 1"];
        let levels = levels.map(|game| game.replace(' ', " Torres bot level "));
        assert_eq!(games("demo --vary --level 7"), levels);
        let settings = settings(&["demo", "--vary"]);
        let boards = (1..=9).map(|number| Table::of(&settings, number).board);
        let pairs = [
            "brown", "brown", "blue", "blue", "green", "green", "grey", "grey", "brown",
        ];
        assert!(boards.eq(pairs));
        let bots = "demo --color black --bot 'b=sh -c x;depth=1' --bot a=sh";
        assert_eq!(games(bots), vec!["black b"; 5]);
        let varied = games(&format!("{bots} --vary"));
        assert_eq!(varied, ["black b", "white b", "black a", "white a", "black b"]);
    }

    #[test]
    fn the_site_is_told_what_the_demo_was_told() {
        let settings = settings(&["demo", "--bot", "b=sh -c x;depth=1"]);
        assert_eq!(settings.opponents[0].arguments(), ["--bot", "b=sh -c x;depth=1"]);
        assert_eq!(Opponent::Lichess("5".parse().unwrap()).arguments(), ["--lichess", "5"]);
        assert!(
            Line::try_parse_from(["demo", "--level", "2", "--bot", "b=sh"]).is_err(),
            "a level or a bot"
        );
        let gone = Line::try_parse_from(["demo", "--bot", "b=no-such-program"])
            .unwrap()
            .args;
        assert!(gone.check().unwrap_err().to_string().contains("no-such-program"));
    }
}
