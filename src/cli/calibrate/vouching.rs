//! A panel that is to be vouched for: what makes it impossible, what speaks against it, and the picture in which it is
//! looked at.

use super::moving_ground::learn_name;
use crate::CliError;
use image::RgbaImage;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use torres_calibration::{
    BoardFinding, Calibration, Opponent, PanelNote, PanelPicture, PanelVerdict, RelativeRect, Suspicion, TOO_LITTLE,
    annotated, has_clock, is_on_board, suspicions,
};
use torres_frame::Frame;
use torres_geometry::{BoardMap, BoardRect, DesktopRect, FrameRect};
use torres_screen::{WindowInfo, outer_frame, window};

/// How long a panel is watched: a clock in it changes meanwhile, and a title bar whose window got the keyboard.
const WATCHED: Duration = Duration::from_millis(1200);
/// Time between two looks at it.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Takes them, with errors of the command.
pub(super) type Grab<'a> = torres_bot::part::Grab<'a, CliError>;

/// What is calibrated: a window's content, a monitor or a picture, with a board in it.
pub(super) struct Scene {
    /// What it shows.
    pub frame: Frame,
    /// The board there.
    pub finding: BoardFinding,
    /// The opponent's clock and one's own there, where they are seen or stated.
    pub clocks: Option<[FrameRect; 2]>,
    /// How much a resting picture differs from one capture to the next, in levels of 255.
    pub noise: f64,
    /// The content on the desktop, also where it reaches beyond the monitor.
    pub client: DesktopRect,
    /// What of the desktop can be looked at.
    pub monitor: DesktopRect,
    /// The window, where it is one.
    pub window: Option<WindowInfo>,
    /// Where the calibration goes, and its picture beside it.
    pub path: PathBuf,
}

impl Scene {
    /// Where the annotated picture goes.
    pub(crate) fn picture_path(&self) -> PathBuf {
        self.path.with_extension("png")
    }

    /// Writes the annotated picture.
    pub(crate) fn save(&self, picture: &RgbaImage) -> Result<(), CliError> {
        let path = self.picture_path();
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder)
                .map_err(|e| CliError::failed(format!("cannot make the folder {}: {e}", folder.display())))?;
        }
        picture
            .save(&path)
            .map_err(|e| CliError::failed(format!("cannot write the picture {}: {e}", path.display())))
    }

    /// The window with its frame; without a window what is looked at.
    pub(crate) fn outer(&self) -> DesktopRect {
        self.window.as_ref().map_or_else(|| pixels_of(&self.frame), outer_frame)
    }

    /// The same board in another frame of this desktop.
    fn finding_in(&self, frame: &Frame) -> BoardFinding {
        let (dx, dy) = (
            self.frame.origin.x - frame.origin.x,
            self.frame.origin.y - frame.origin.y,
        );
        let map = self.finding.map;
        BoardFinding {
            map: BoardMap {
                rect: map.rect.translated(dx, dy),
                ..map
            },
            ..self.finding.clone()
        }
    }

    /// The window's title as it is now, where it is a window.
    fn title(&self) -> Option<String> {
        let id = self.window.as_ref()?.id;
        Some(window(id).ok()??.title)
    }
}

/// What the user says of the opponent.
#[derive(Clone, Debug, Default)]
pub(super) struct Statement {
    /// Its name, where one is given.
    pub name: Option<String>,
    /// That it is a bot.
    pub is_a_bot: bool,
}

/// A panel that shows enough to be vouched for.
pub(super) struct Vouched {
    /// What the calibration keeps.
    pub opponent: Opponent,
    /// Where it lies on the desktop.
    pub panel: DesktopRect,
    /// What it was taken from: the content, and of the window's frame what the panel reaches.
    shown: Frame,
    suspicions: Vec<Suspicion>,
    /// The title while it was taken, where it lies in the title bar.
    title: Option<String>,
}

/// The content with what of its window's frame a panel reaches.
///
/// # Errors
/// The panel is beside the window, or off the screen.
fn beyond_content(scene: &Scene, panel: DesktopRect, grab: Grab) -> Result<Frame, CliError> {
    let outer = scene.outer();
    let beside = || {
        CliError::usage(format!(
            "the opponent panel {} is not wholly inside the window at {},{} ({} × {} px with its frame) and on the screen",
            name(&panel),
            outer.x,
            outer.y,
            outer.width,
            outer.height
        ))
    };
    if panel.intersect(&outer) != Some(panel) {
        return Err(beside());
    }
    let frame = grab(pixels_of(&scene.frame).around(&panel))?;
    match panel.intersect(&pixels_of(&frame)) == Some(panel) {
        true => Ok(frame),
        false => Err(beside()),
    }
}

impl Vouched {
    /// Takes the panel's picture.
    ///
    /// # Errors
    /// It cannot be meant: it is beside the window or on the board, or shows too little.
    pub(crate) fn take(scene: &Scene, panel: DesktopRect, said: &Statement, grab: Grab) -> Result<Vouched, CliError> {
        let content = pixels_of(&scene.frame);
        let within = panel.intersect(&content);
        let is_content = within == Some(panel);
        let before = scene.title();
        let shown = match is_content {
            true => scene.frame.clone(),
            false => beyond_content(scene, panel, grab)?,
        };
        // The title was the same before and after, so it is what the picture shows.
        let title = scene
            .title()
            .filter(|title| !is_content && before.as_ref() == Some(title));
        let (rect, board) = (inside(&panel, &shown), scene.finding_in(&shown).map.rect);
        // A board that fills its window may be found to reach a pixel beyond it; a title bar lies on none.
        if within.is_some_and(|part| is_on_board(&inside(&part, &shown), &board)) {
            return Err(CliError::usage(format!(
                "the opponent panel {} lies on the board, which changes with every move; it belongs around the bot's name",
                name(&panel)
            )));
        }
        let picture = PanelPicture::of_part(&shown.image, &rect);
        if !picture.is_telling(scene.noise) {
            return Err(CliError::usage(format!(
                "the opponent panel {} {TOO_LITTLE}",
                name(&panel)
            )));
        }
        if picture.dots() > 0 {
            println!("note      a dot beside the name is left out of what is compared: it may change by itself");
        }
        if has_clock(&shown.image, &board, &rect) {
            println!(
                "note      in the opponent panel something looks like a clock: once it runs the panel looks different and Torres pauses; leave it out"
            );
        }
        let mut vouched = Vouched {
            opponent: Opponent {
                panel: RelativeRect::of(panel, scene.client),
                picture,
                also: None,
                second: None,
                name: None,
                declared_bot: false,
            },
            panel,
            shown,
            suspicions: Vec::new(),
            title,
        };
        vouched.says(scene, said);
        Ok(vouched)
    }

    /// Takes what the user says of it, and what speaks against that.
    pub(crate) fn says(&mut self, scene: &Scene, said: &Statement) {
        self.opponent.name = said.name.clone();
        self.opponent.declared_bot = said.is_a_bot;
        let (rect, board) = (inside(&self.panel, &self.shown), scene.finding_in(&self.shown).map.rect);
        self.suspicions = match self.title.clone() {
            Some(title) => suspicions_of_title(title, said.name.as_deref()).into_iter().collect(),
            None => suspicions(&self.shown.image, &board, &rect),
        };
        let elsewhere = same_elsewhere(&scene.path, &self.opponent);
        self.suspicions.extend(elsewhere);
    }

    /// Says what speaks against it.
    pub(crate) fn warn(&self, picture: &Path) {
        for suspicion in &self.suspicions {
            println!(
                "warning   the opponent panel: {suspicion}; look at {}",
                picture.display()
            );
        }
    }

    /// The annotated picture.
    pub(crate) fn draw(&self, scene: &Scene) -> RgbaImage {
        let note = PanelNote {
            rect: inside(&self.panel, &self.shown),
            also: self.opponent.also.as_ref(),
            name: self.opponent.name.as_deref(),
            suspicions: &self.suspicions,
        };
        annotated(
            &self.shown.image,
            &scene.finding_in(&self.shown),
            scene.clocks.as_ref(),
            Some(note),
        )
    }

    /// Looks at it for a while longer, a title bar's window having the keyboard now: a title bar's other look is kept
    /// where the title is still what it was, since that is what a title bar shows; any other change is told.
    pub(crate) fn look_again(&mut self, scene: &Scene, grab: Grab) -> Result<(), CliError> {
        let before = scene.title();
        let began = Instant::now();
        let is_same = |frame: &Frame| self.opponent.picture.compare(&frame.image, scene.noise) == PanelVerdict::Same;
        // The last picture that differs: a title is drawn in part first, and a page may change it once it has the
        // keyboard.
        let mut now = grab(self.panel)?;
        let mut with_dots = None;
        while began.elapsed() < WATCHED {
            std::thread::sleep(LOOK_EVERY);
            let next = grab(self.panel)?;
            let other = PanelPicture::new(&next.image);
            if other.dots() > self.opponent.picture.dots()
                && other.compare(&self.opponent.picture.to_rgba(), scene.noise) == PanelVerdict::Same
            {
                with_dots = Some(other);
            }
            if is_same(&now) || !is_same(&next) {
                now = next;
            }
        }
        if let Some(with_dots) = with_dots {
            // A ring that became a dot: nothing else differs, and only as a dot it is told from a letter.
            self.opponent.picture = with_dots;
            println!("note      a dot beside the name is left out of what is compared: it changes by itself");
        }
        let same_title = self.title.is_some() && before == self.title && scene.title() == self.title;
        match self.opponent.picture.compare(&now.image, scene.noise) {
            PanelVerdict::Changed { .. } if same_title => {
                let also = PanelPicture::new(&now.image);
                if also.is_telling(scene.noise) {
                    self.opponent.also = Some(also);
                    println!(
                        "note      the title bar is drawn in two ways, with the keyboard in its window and without; both are kept"
                    );
                } else {
                    println!(
                        "note      with the keyboard in its window the title bar is too faint to be known by, and the game will pause"
                    );
                }
            }
            PanelVerdict::Same if self.title.is_some() => println!(
                "note      the title bar was seen in one look only: should it be drawn otherwise once the window gets or loses the keyboard, \
                 the game pauses. Calibrate from another window, such as a terminal, and both looks are seen"
            ),
            PanelVerdict::Same if !self.opponent.picture.has_moved(&now.image, scene.noise) => {}
            PanelVerdict::Same | PanelVerdict::Changed { .. } => match learn_name(self.panel, scene.noise, grab)? {
                Some(name) => {
                    self.opponent.picture = name;
                    println!("note      the ground behind the name moves; the name alone is compared");
                }
                None => println!(
                    "warning   the opponent panel does not stay as it is, and a game would pause; leave out of it what changes by itself"
                ),
            },
            PanelVerdict::OffScreen => println!("warning   the opponent panel is not on the screen any more"),
        }
        Ok(())
    }

    /// Whether it lies in the window's title bar.
    pub(crate) fn is_in_the_title_bar(&self) -> bool {
        self.title.is_some()
    }

    /// What the user vouches for, in a line.
    pub(crate) fn in_words(&self) -> String {
        let who = match &self.opponent.name {
            Some(name) => format!("'{name}', a bot"),
            None => "a bot".to_owned(),
        };
        format!("you vouch that {} names {who}; it is watched", name(&self.panel))
    }
}

/// What a title tells against a title bar.
pub(super) fn suspicions_of_title(title: String, name: Option<&str>) -> Option<Suspicion> {
    match name {
        Some(name) if title.to_lowercase().contains(&name.to_lowercase()) => None,
        Some(name) => Some(Suspicion::OtherTitle {
            title,
            name: name.to_owned(),
        }),
        None => Some(Suspicion::TitleBar { title }),
    }
}

/// Other calibrations beside it, the one of the same name too, in which the same picture stands for another name.
fn same_elsewhere(path: &Path, opponent: &Opponent) -> Vec<Suspicion> {
    let Some(name) = &opponent.name else {
        return Vec::new();
    };
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let picture = opponent.picture.to_rgba();
    let other = |path: PathBuf| {
        let calibration = Calibration::load(&path).ok()?;
        let other = calibration.opponent?;
        let other_name = other.name.clone().filter(|other| other != name)?;
        let same = other.looks().compare(&picture, calibration.noise) == PanelVerdict::Same;
        same.then(|| Suspicion::SameAs {
            file: path.display().to_string(),
            name: other_name,
        })
    };
    let files = files.map(|entry| entry.path());
    files
        .filter(|path| path.extension().is_some_and(|it| it == "json"))
        .filter_map(other)
        .collect()
}

/// What speaks against the panel of a calibration where its window shows it now; `board` and `panel` as they lie in the
/// picture of the window's content, beyond which a title bar lies.
pub(super) fn suspicions_now(
    picture: &RgbaImage,
    (board, panel): (&BoardRect, &FrameRect),
    title: Option<String>,
    name: Option<&str>,
) -> Vec<Suspicion> {
    match title {
        Some(title) if panel.y < 0.0 => suspicions_of_title(title, name).into_iter().collect(),
        _ => suspicions(picture, board, panel),
    }
}

/// The pixels of the desktop that a frame shows.
pub(super) fn pixels_of(frame: &Frame) -> DesktopRect {
    DesktopRect {
        x: frame.origin.x as i32,
        y: frame.origin.y as i32,
        width: frame.image.width(),
        height: frame.image.height(),
    }
}

/// A rectangle of the desktop in a frame's own pixels.
pub(super) fn inside(panel: &DesktopRect, frame: &Frame) -> FrameRect {
    FrameRect {
        x: f64::from(panel.x) - frame.origin.x,
        y: f64::from(panel.y) - frame.origin.y,
        width: f64::from(panel.width),
        height: f64::from(panel.height),
    }
}

/// As `--opponent-panel` takes it.
pub(super) fn name(panel: &DesktopRect) -> String {
    format!("{},{},{},{}", panel.x, panel.y, panel.width, panel.height)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_bar_is_above_suspicion_only_where_its_title_has_the_name() {
        let of = |name| suspicions_of_title("Knights - Robin the Bot".to_owned(), name);
        assert_eq!(of(Some("robin the bot")), None);
        assert!(matches!(of(Some("Robyn")), Some(Suspicion::OtherTitle { .. })));
        assert!(matches!(of(None), Some(Suspicion::TitleBar { .. })));
    }

    #[test]
    fn content_and_title_bar_are_taken_together() {
        let rect = |x, y, width, height| DesktopRect { x, y, width, height };
        let content = rect(100, 120, 600, 400);
        assert_eq!(content.around(&rect(300, 102, 90, 16)), rect(100, 102, 600, 418));
        assert_eq!(content.around(&rect(90, 130, 700, 16)), rect(90, 120, 700, 400));
        assert_eq!(name(&content), "100,120,600,400");
    }
}
