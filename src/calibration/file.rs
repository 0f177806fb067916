//! `calibration/NAME.json`: checked when it is read, and written whole or not at all.

use super::move_input::MoveInput;
use super::panel::{PanelLooks, PanelPicture};
use super::promotion::PromotionChoice;
use serde::{Deserialize, Serialize};
use shakmaty::Chess;
use std::io::Write;
use std::path::{Path, PathBuf};
use torres_chess::parse_fen;
use torres_geometry::{BoardRect, DesktopPx, DesktopRect, FrameRect, InputScale, Orientation};
use torres_printing::shortened;
use torres_vision::Appearance;
use torres_vision::clock::Digits;

/// The format that this version writes, and the newest it reads.
pub const FORMAT: u32 = 1;

/// The most characters in which it is told what is wrong with a file, whatever is quoted.
const QUOTED: usize = 1000;

/// A saved calibration.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Calibration {
    /// Always [`FORMAT`].
    pub format: u32,
    /// What made it, and when.
    pub made: Made,
    /// The window that shows the board; `None` when it was made from a monitor or a picture.
    pub window: Option<WindowName>,
    /// Where the board lies, relative to the window's client area (or the monitor, or the picture).
    pub board: BoardRect,
    /// The user said where it lies, and its squares' edges are too faint to be found again: it is taken to lie there as
    /// long as its squares can be read.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stated: bool,
    /// Which colour is at the bottom: the colour that Torres plays.
    pub bottom: Orientation,
    /// Input units per captured pixel, `None` until it was measured.
    pub input_per_pixel: Option<InputScale>,
    /// How the squares and pieces appear.
    #[serde(rename = "look")]
    pub appearance: Appearance,
    /// How much a resting picture differs from one capture to the next, in levels of 255.
    pub noise: f64,
    /// The position that the board showed when it was calibrated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The opponent, where the user vouched for one.
    pub opponent: Option<Opponent>,
    /// What begins the next game, where the user showed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_game: Option<Button>,
    /// How that looks otherwise, where the user showed it again: its words may name the colour of the next game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub new_game_also: Vec<Button>,
    /// The site's clocks, where they were seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<Clocks>,
    /// What the user clicked for the piece that a pawn became, where the page asks in a way that is not read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub promotions: Vec<PromotionChoice>,
    /// How the board takes moves; older files are without it.
    #[serde(default, rename = "hand", skip_serializing_if = "MoveInput::is_plain")]
    pub move_input: MoveInput,
}

/// What made a calibration, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    /// Torres' version.
    pub version: String,
    /// The date, as in 2026-11-20.
    pub date: String,
}

/// Title and program, by which a window is found again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WindowName {
    /// Its title.
    pub title: String,
    /// The program that owns it.
    pub app: String,
}

/// A rectangle relative to the window's client area, in captured pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RelativeRect {
    /// Left edge.
    pub x: i32,
    /// Upper edge.
    pub y: i32,
    /// Width.
    pub width: u32,
    /// Height.
    pub height: u32,
}

impl RelativeRect {
    /// The same pixels of the desktop, as seen from a client area.
    pub fn of(rect: DesktopRect, client: DesktopRect) -> RelativeRect {
        RelativeRect {
            x: rect.x - client.x,
            y: rect.y - client.y,
            width: rect.width,
            height: rect.height,
        }
    }

    /// The same, with sides of whole pixels.
    pub fn rounded(rect: FrameRect) -> RelativeRect {
        RelativeRect {
            x: rect.x.round() as i32,
            y: rect.y.round() as i32,
            width: rect.width.round() as u32,
            height: rect.height.round() as u32,
        }
    }

    /// Where it lies on the desktop when the client area's corner is at `origin`.
    pub fn on_desktop(&self, origin: DesktopPx) -> DesktopRect {
        DesktopRect {
            x: self.x + origin.x as i32,
            y: self.y + origin.y as i32,
            width: self.width,
            height: self.height,
        }
    }
}

impl From<RelativeRect> for FrameRect {
    fn from(rect: RelativeRect) -> FrameRect {
        FrameRect {
            x: f64::from(rect.x),
            y: f64::from(rect.y),
            width: f64::from(rect.width),
            height: f64::from(rect.height),
        }
    }
}

/// The opponent that the user vouched for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Opponent {
    /// Where it is named, its running clock left out.
    pub panel: RelativeRect,
    /// How the panel looked.
    pub picture: PanelPicture,
    /// Its second look, where it has one: a window's title bar changes when the window gets the keyboard, or loses it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub also: Option<PanelPicture>,
    /// A second place in which the page names it, where the user showed one: a rematch with swapped colours may change
    /// rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second: Option<Second>,
    /// Its name, where the user gave one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The user's statement that it is a bot which a program may play.
    pub declared_bot: bool,
}

/// A second place in which the opponent is named.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Second {
    /// Where, its running clock left out.
    pub panel: RelativeRect,
    /// How the panel looks there.
    pub picture: PanelPicture,
}

impl Opponent {
    /// Every look under which the panel in its first place still names the opponent.
    pub fn looks(&self) -> PanelLooks {
        PanelLooks::new(self.picture.clone(), self.also.clone())
    }

    /// Whether each of its pictures shows enough to name somebody; `noise` is the calibration's.
    pub fn is_telling(&self, noise: f64) -> bool {
        let second = self.second.as_ref().map(|it| &it.picture);
        std::iter::once(&self.picture)
            .chain(&self.also)
            .chain(second)
            .all(|appearance| appearance.is_telling(noise))
    }
}

/// Why a panel is refused, and what to do about it.
pub const TOO_LITTLE: &str = "shows too little to be known by: no line of letters is seen in it, and it would look the same whoever plays. Draw it around \
                              the bot's name, with a little room on each side; a name of one or two letters needs what stands beside it too, such as a rating";

/// A button of the page.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Button {
    /// Where it is.
    pub rect: RelativeRect,
    /// How it looked.
    pub picture: PanelPicture,
    /// Where in it the user pointed, in pixels from its upper left corner: the words of two buttons beside each other may
    /// be one line. `None`: its middle is clicked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<[u32; 2]>,
}

/// The site's clocks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Clocks {
    /// Where the upper one's characters stand. It is the opponent's where it stands well above the other one;
    /// else it shows in a game whose it is.
    pub upper: RelativeRect,
    /// And the other one's.
    pub lower: RelativeRect,
    /// Their digits, once a game has shown which is which.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digits: Option<Digits>,
}

/// Why a calibration cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CalibrationError {
    /// There is no such file, or it cannot be read.
    #[error("cannot read the calibration {path}: {why}; make one with `torres calibrate`", path = .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        why: std::io::Error,
    },
    /// It is not what a calibration should be.
    #[error("the calibration {path} is damaged: {why}; make it again with `torres calibrate`", path = .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong, with line and column.
        why: String,
    },
    /// A newer Torres wrote it.
    #[error(
        "the calibration {path} has format {found}, this version reads up to {FORMAT}; update Torres or calibrate again",
        path = .path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u64,
    },
    /// It could not be written.
    #[error(
        "cannot write the calibration {path}: {why}; see that its folder may be written and has room",
        path = .path.display()
    )]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        why: std::io::Error,
    },
}

/// The file that a calibration's name stands for: `calibration/NAME.json`, or the path itself.
pub fn path_of(name: &str) -> PathBuf {
    let is_path = name.contains(['/', '\\']) || name.ends_with(".json");
    if is_path {
        PathBuf::from(name)
    } else {
        Path::new("calibration").join(format!("{name}.json"))
    }
}

impl Calibration {
    /// The button of the next game, in each of the ways in which the user showed it.
    pub fn buttons(&self) -> impl Iterator<Item = &Button> {
        self.new_game.iter().chain(&self.new_game_also)
    }

    /// The position that the board showed when it was calibrated, where the file says it.
    pub fn shown(&self) -> Option<Chess> {
        parse_fen(self.position.as_deref()?).ok()
    }

    /// Reads and checks a calibration.
    pub fn load(path: &Path) -> Result<Calibration, CalibrationError> {
        let bytes = std::fs::read(path).map_err(|why| CalibrationError::Unreadable {
            path: path.to_owned(),
            why,
        })?;
        Calibration::parse(&bytes, path)
    }

    /// Checks the bytes of a calibration; `path` is where they are from.
    pub fn parse(bytes: &[u8], path: &Path) -> Result<Calibration, CalibrationError> {
        let damaged = |why: String| CalibrationError::Damaged {
            path: path.to_owned(),
            why: shortened(&why, QUOTED),
        };
        // The format is looked at first: a newer file may differ in everything else.
        let value: serde_json::Value = serde_json::from_slice(bytes).map_err(|e| damaged(e.to_string()))?;
        match value.get("format").and_then(serde_json::Value::as_u64) {
            Some(found) if found > u64::from(FORMAT) => {
                return Err(CalibrationError::Newer {
                    path: path.to_owned(),
                    found,
                });
            }
            Some(found) if found == u64::from(FORMAT) => {}
            _ => return Err(damaged("it has no known format number".to_owned())),
        }
        // The message begins with where in the file it is: `look.pieces.q: …`.
        let calibration: Calibration = serde_path_to_error::deserialize(value).map_err(|e| damaged(e.to_string()))?;
        let problems = calibration.problems();
        if problems.is_empty() {
            Ok(calibration)
        } else {
            Err(damaged(problems.join("; ")))
        }
    }

    /// What is wrong with its values, all of it.
    fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        if !(0.0..=64.0).contains(&self.noise) {
            problems.push(format!("a noise of {} is not between 0 and 64", self.noise));
        }
        if let Some(fen) = &self.position
            && parse_fen(fen).is_err()
        {
            problems.push(format!("its position '{fen}' is not a legal FEN"));
        }
        if let Some(opponent) = &self.opponent
            && !opponent.is_telling(self.noise)
        {
            problems.push(format!("the opponent's panel {TOO_LITTLE}"));
        }
        if self.buttons().any(|button| button.picture.is_plain()) {
            problems.push("the new game's button shows next to nothing by which it could be known again".to_owned());
        }
        let panel = self.opponent.iter().flat_map(|it| {
            let looks = std::iter::once(&it.picture).chain(&it.also);
            let second = it.second.iter();
            let second = second.map(|it| ("the opponent's second panel", it.panel, &it.picture));
            looks
                .map(|appearance| ("the opponent's panel", it.panel, appearance))
                .chain(second)
        });
        let buttons = self.buttons();
        let buttons = buttons.map(|it| ("the new game's button", it.rect, &it.picture));
        for (name, rect, picture) in panel.chain(buttons) {
            let (width, height) = picture.size();
            if (width, height) != (rect.width, rect.height) {
                problems.push(format!(
                    "the picture of {name} is {width} × {height} px, its rectangle {} × {}",
                    rect.width, rect.height
                ));
            }
            if [rect.x, rect.y]
                .iter()
                .any(|v| f64::from(*v).abs() > BoardRect::FARTHEST)
            {
                problems.push(format!("{name} at {},{} lies on no screen", rect.x, rect.y));
            }
        }
        problems
    }

    /// Writes it whole or not at all: into a new file beside it, which then takes its place.
    pub fn save(&self, path: &Path) -> Result<(), CalibrationError> {
        let unwritable = |why| CalibrationError::Unwritable {
            path: path.to_owned(),
            why,
        };
        let folder = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        std::fs::create_dir_all(folder).map_err(unwritable)?;
        let mut file = tempfile::NamedTempFile::new_in(folder).map_err(unwritable)?;
        serde_json::to_writer(&mut file, self).map_err(|e| unwritable(e.into()))?;
        file.write_all(b"\n").map_err(unwritable)?;
        file.as_file().sync_all().map_err(unwritable)?;
        file.persist(path).map_err(|e| unwritable(e.error))?;
        Ok(())
    }
}
