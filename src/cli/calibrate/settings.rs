//! What the user typed (`Args`), and what is to be done (`Task`): checked once, with every default resolved.

use super::CliError;
use crate::{BottomArg, ByArg, RectArg};
use shakmaty::Chess;
use std::path::PathBuf;
use torres_calibration::{By, opening_positions, path_of};
use torres_chess::parse_fen;
use torres_geometry::{DesktopRect, Orientation};

/// Arguments of `torres calibrate`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Name of the calibration (`calibration/NAME.json`), or a path.
    name: String,
    /// A window whose title contains this text.
    #[arg(long, conflicts_with_all = ["monitor", "image"])]
    window: Option<String>,
    /// A monitor, counted from 0.
    #[arg(long, conflicts_with = "image")]
    monitor: Option<usize>,
    /// A screenshot instead of the live screen.
    #[arg(long)]
    image: Option<PathBuf>,
    /// Which colour is at the bottom, the one that Torres plays; and whether the board is a mirror image.
    #[arg(long, default_value = "auto")]
    bottom: BottomArg,
    /// The position on the board; default the start position, or one with White's first move made.
    #[arg(long)]
    fen: Option<String>,
    /// Where the board's 64 squares lie, if they are not found or another board is: X,Y,WIDTH,HEIGHT in desktop pixels
    /// (with --image in pixels of the picture), give or take a few. Without a value you point at two corners.
    #[arg(long, value_name = "RECT", num_args = 0..=1)]
    board: Option<Option<RectArg>>,
    /// Where the site's clocks are, if they are not found: the opponent's and then your own, as X,Y,WIDTH,HEIGHT in
    /// desktop pixels around the digits.
    #[arg(long, value_names = ["OPPONENTS", "OWN"], num_args = 2, conflicts_with_all = ["new_game", "also", "check"])]
    clocks: Option<Vec<RectArg>>,
    /// Where the opponent is named, as X,Y,WIDTH,HEIGHT in desktop pixels (without its clock).
    #[arg(long)]
    opponent_panel: Option<RectArg>,
    /// The --opponent-panel is a second place in which the page names the same opponent, as it may in a rematch with
    /// swapped colours; or the --new-game button is one that the calibration has, with other words: added to a
    /// calibration that is there already.
    #[arg(long, conflicts_with_all = ["window", "monitor", "image", "fen", "board", "by", "opponent_name"])]
    also: bool,
    /// Where the button is that begins the next game, as X,Y,WIDTH,HEIGHT in desktop pixels, or without a value where
    /// you then point: added to a calibration that is there already.
    #[arg(long, value_name = "RECT", num_args = 0..=1, conflicts_with_all = ["window", "monitor", "image", "fen", "board", "by", "opponent_panel", "opponent_is_a_bot"])]
    new_game: Option<Option<RectArg>>,
    /// How the board takes moves: `auto` drags, and clicks where that does not land; `drag` and `clicks` do nothing
    /// else.
    #[arg(long, default_value = "auto", value_name = "HOW")]
    by: ByArg,
    /// Say whether the calibration still holds, and what has changed: on the screen, or with --image in a picture.
    /// Nothing is written.
    #[arg(long, conflicts_with_all = ["window", "monitor", "fen", "board", "by", "opponent_panel", "opponent_is_a_bot", "new_game"])]
    check: bool,
    /// The opponent's name, for the game's files and the results.
    #[arg(long, value_name = "NAME", requires = "opponent_panel", value_parser = crate::args::name)]
    opponent_name: Option<String>,
    /// You state that the opponent named there is a bot that you may play with a program.
    #[arg(long)]
    opponent_is_a_bot: bool,
}

/// What a command line asks for.
pub(super) enum Task {
    /// Whether a calibration still holds, on the screen or in a picture.
    Check {
        /// The calibration.
        path: PathBuf,
        /// The picture.
        image: Option<PathBuf>,
    },
    /// Add the button of the next game to a calibration.
    ShowButton {
        /// The calibration.
        path: PathBuf,
        /// Where the button is; `None`: where the user then points.
        button: Option<DesktopRect>,
        /// Whether it is the one that the calibration has, which looks otherwise now.
        also: bool,
    },
    /// Add a second place in which the page names the same opponent.
    ShowSecondPanel {
        /// The calibration.
        path: PathBuf,
        /// The place.
        panel: DesktopRect,
    },
    /// Make a calibration.
    Calibrate(Box<Settings>),
}

/// How a calibration is made.
pub(super) struct Settings {
    /// The calibration's name, as it was typed.
    pub name: String,
    /// Its file.
    pub path: PathBuf,
    /// A window whose title contains this.
    pub window: Option<String>,
    /// A monitor, from 0.
    pub monitor: Option<usize>,
    /// A picture in place of the screen.
    pub image: Option<PathBuf>,
    /// Which way the board lies, where the user says so.
    pub bottom: Option<Orientation>,
    /// The position on the board, where the user says so.
    pub fen: Option<String>,
    /// What may stand on the board.
    pub positions: Vec<Chess>,
    /// Where the board lies, where the user says so: in numbers, or else by pointing.
    pub board: Option<Option<DesktopRect>>,
    /// Where the clocks are, the opponent's first.
    pub clocks: Option<Vec<DesktopRect>>,
    /// Where the opponent is named.
    pub panel: Option<DesktopRect>,
    /// How the board takes moves.
    pub by: By,
    /// The opponent's name.
    pub opponent_name: Option<String>,
    /// The user's statement that it is a bot.
    pub opponent_is_a_bot: bool,
}

impl Args {
    /// # Errors
    /// What was typed does not go together.
    pub(super) fn check(self) -> Result<Task, CliError> {
        let path = path_of(&self.name);
        let rect = |RectArg(rect): RectArg| rect;
        if self.check {
            let image = self.image;
            return Ok(Task::Check { path, image });
        }
        if let Some(button) = self.new_game {
            let button = button.map(rect);
            let also = self.also;
            return Ok(Task::ShowButton { path, button, also });
        }
        let panel = self.opponent_panel.map(rect);
        if self.also {
            let panel = panel.filter(|_| self.opponent_is_a_bot).ok_or_else(|| {
                CliError::usage("--also needs --opponent-panel X,Y,WIDTH,HEIGHT --opponent-is-a-bot, or --new-game")
            })?;
            return Ok(Task::ShowSecondPanel { path, panel });
        }
        if self.opponent_is_a_bot && panel.is_none() {
            return Err(CliError::usage(
                "--opponent-is-a-bot needs --opponent-panel X,Y,WIDTH,HEIGHT around the bot's name: \
                 that panel is what Torres checks before every move",
            ));
        }
        let positions = match &self.fen {
            Some(fen) => vec![parse_fen(fen).map_err(CliError::usage)?],
            None => opening_positions(),
        };
        Ok(Task::Calibrate(Box::new(Settings {
            path,
            name: self.name,
            window: self.window,
            monitor: self.monitor,
            image: self.image,
            bottom: self.bottom.stated(),
            fen: self.fen,
            positions,
            board: self.board.map(|board| board.map(rect)),
            clocks: self.clocks.map(|clocks| clocks.into_iter().map(rect).collect()),
            panel,
            by: self.by.into(),
            opponent_name: self.opponent_name,
            opponent_is_a_bot: self.opponent_is_a_bot,
        })))
    }
}
