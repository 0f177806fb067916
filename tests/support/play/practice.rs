//! The practice site with a staged game, and its log as the judge.

use super::records::{games_of, journal, moves_seen, pgn_of, touches_ordered};
use super::stage::{Shown, Stage, text};
use super::{Touch, scripted_engine};
use crate::desktop::Devtools;
use crate::site::SiteProcess;
use crate::wait_for;
use serde_json::Value;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Color, Position};
use torres_geometry::DesktopRect;

/// The practice site's title and its bot's panel.
const SHOWN: Shown = Shown {
    title: "Torres practice site",
    panel: DesktopRect {
        x: 642,
        y: 22,
        width: 336,
        height: 48,
    },
};

/// A game to be staged, move by move.
pub struct Script {
    fen: Option<String>,
    moves: Vec<(Color, String)>,
}

impl Script {
    /// A game from the start position, as UCI moves between spaces. Panics if one is not legal.
    pub fn new(moves: &str) -> Script {
        Script::read(None, moves)
    }

    /// A game from another position.
    pub fn from(fen: &str, moves: &str) -> Script {
        Script::read(Some(fen), moves)
    }

    fn read(fen: Option<&str>, moves: &str) -> Script {
        let mut position = match fen {
            Some(fen) => {
                let fen: Fen = fen.parse().unwrap();
                fen.into_position(CastlingMode::Standard).unwrap()
            }
            None => Chess::default(),
        };
        let mut read = Vec::new();
        for text in moves.split_whitespace() {
            let uci: UciMove = text.parse().unwrap();
            let played = uci.to_move(&position);
            let played = played.unwrap_or_else(|e| panic!("the test's own game, {text}: {e}"));
            read.push((position.turn(), text.to_owned()));
            position.play_unchecked(played);
        }
        Script {
            fen: fen.map(str::to_owned),
            moves: read,
        }
    }

    /// All moves.
    pub fn moves(&self) -> Vec<String> {
        self.moves.iter().map(|(_, text)| text.clone()).collect()
    }

    /// The moves of one side.
    pub fn moves_of(&self, side: Color) -> Vec<String> {
        let own = self.moves.iter().filter(|(by, _)| *by == side);
        own.map(|(_, text)| text.clone()).collect()
    }

    /// How many plies, as an argument.
    pub fn plies(&self) -> String {
        self.moves.len().to_string()
    }
}

/// The practice site open in a browser.
pub struct Practice {
    /// Display, browser, folder and commands.
    pub stage: Stage,
    /// The site's process and its log.
    pub site: SiteProcess,
    /// How many moves the bot makes before the player's first.
    bot_moves_first: usize,
}

impl Practice {
    /// The site with the bot's side of a script, and `own` for the player.
    pub fn staged(script: &Script, own: Color) -> Practice {
        let mut args = vec!["--delay-ms", "50", "--color", own.fold_wb("white", "black")];
        if let Some(fen) = &script.fen {
            args.extend(["--fen", fen]);
        }
        Practice::open(&script.moves_of(own.other()).join(" "), &args)
    }

    /// The site with a script for its bot and further arguments.
    pub fn open(script: &str, args: &[&str]) -> Practice {
        Practice::open_at("", script, args)
    }

    /// The same, on a page of this address below the site's.
    pub fn open_at(page: &str, script: &str, args: &[&str]) -> Practice {
        let site = SiteProcess::start(script, args);
        let stage = Stage::open(&format!("http://{}/{page}", site.host()), SHOWN);
        // A page that has not heard of its game yet shows a board, and a bot without a name.
        wait_for("the page to show the game", || {
            site.events("at_rest").first().map(|_| ())
        });
        let bot_moves_first = usize::from(args.contains(&"black"));
        Practice {
            stage,
            site,
            bot_moves_first,
        }
    }

    /// All moves of the log.
    pub fn moves(&self) -> Vec<String> {
        let events = self.site.events("move").into_iter();
        events.map(|event| event["move"].as_str().unwrap().to_owned()).collect()
    }

    /// What the page had of the mouse. To measure it, nothing is pressed on X11.
    pub fn touches(&self) -> Vec<Touch> {
        let events = self.site.events("pointer").into_iter();
        events
            .map(|event| {
                let detail: Value = serde_json::from_str(event["detail"].as_str().unwrap()).unwrap();
                Touch::new(&detail)
            })
            .collect()
    }
}

impl Practice {
    /// The moves of each game of the log, in order.
    pub fn games(&self) -> Vec<Vec<String>> {
        games_of(&self.site.all_events(), "event")
    }

    /// When the button was pressed on the page since a moment, none left out; both Unix time in ms.
    pub fn presses_since(&self, moment: f64) -> Vec<f64> {
        let events = self.site.events("pointer").into_iter();
        let presses = events.filter(|event| event["detail"].as_str().unwrap().contains(r#""type":"down""#));
        let times = presses.map(|event| event["t_ms"].as_f64().unwrap());
        times.filter(|at| *at > moment).collect()
    }

    /// Where the button that begins a new game lies on the desktop.
    pub fn new_game_button(&self, devtools: &mut Devtools) -> DesktopRect {
        self.stage.lies(devtools, "#new-game button")
    }

    /// Shows the calibration the button that begins the next game.
    pub fn calibrate_new_game(&self, devtools: &mut Devtools) {
        let button = super::rectangle(&self.new_game_button(devtools));
        let calibration = self.stage.calibration();
        let (status, said) = self
            .stage
            .run(&["calibrate", text(&calibration), "--new-game", &button]);
        assert_eq!(status, 0, "{said}");
        assert!(said.contains("the button is kept"), "{said}");
    }
}

/// The engine's command that plays one side of a script.
pub fn engine_for(script: &Script, own: Color) -> String {
    scripted_engine("", &script.moves_of(own))
}

impl Practice {
    /// Judges a game by the site's log: the moves are the script's, all of them were seen, none refused, and the mouse
    /// did on the page what Torres had ordered and nothing else.
    pub fn shows(&self, script: &Script) {
        assert_eq!(self.moves(), script.moves(), "on the site");
        self.agrees_with_the_journal();
    }

    /// Judges what Torres wrote down by the site's log: every move seen, no move refused, every press and release
    /// over the square that it was meant for.
    pub fn agrees_with_the_journal(&self) {
        let journal = journal(&self.stage.out());
        let (moves, seen) = (self.moves(), moves_seen(&journal));
        // With White, the bot may have moved before Torres came.
        let before = moves.len().saturating_sub(seen.len());
        assert!(
            before <= self.bot_moves_first,
            "{before} moves were not seen: {seen:?} of {moves:?}"
        );
        assert_eq!(seen, moves[before..], "seen, and on the site");
        let written = pgn_of(&self.stage.out().join("game.pgn")).moves;
        assert!(
            written.ends_with(&seen),
            "{written:?} is written down, {seen:?} was seen"
        );
        assert!(moves.ends_with(&written), "{written:?} is written down of {moves:?}");
        assert_eq!(self.site.events("refused"), Vec::<Value>::new());
        let ordered = touches_ordered(&journal);
        // The page reports them a moment later.
        wait_for("the page's report of the mouse", || {
            (self.touches().len() >= ordered.len()).then_some(())
        });
        assert_eq!(self.touches(), ordered, "presses and releases on the page, and ordered");
    }
}
