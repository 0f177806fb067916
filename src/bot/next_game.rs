//! The button that begins the next game, where the user showed it: wherever in the window it is now, it is known by its
//! picture.
//!
//! On many pages it is there only once a game has ended. Then it tells of an end that the board does not show. Where it
//! is there all the time it tells nothing, so it has to be seen missing first.

use super::part::{self, Grab};
use super::place::BoardPlace;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};
use torres_calibration::{Button, Calibration, PanelPicture};
use torres_frame::{Frame, FrameError, Timestamp};
use torres_geometry::{DesktopPx, DesktopRect};

/// In its column it is looked for this often.
const LOOK_EVERY: Duration = Duration::from_millis(300);
/// In the whole window it is looked for this often, and this often where something is strange.
const SEARCH_EVERY: Duration = Duration::from_secs(4);
const SEARCH_AGAIN: Duration = Duration::from_millis(200);
/// How long it must be missing before its appearing tells something, unless it was in a game before: something may pass
/// over it. Where this game has shown it, a notice of the game's begin may lie over it.
const MISSING: Duration = Duration::from_millis(500);
const MISSING_AGAIN: Duration = Duration::from_secs(5);
/// Where it is still there this long after a game has begun, it is there all the time: what is left of the game before
/// goes sooner.
const LINGERS: Duration = Duration::from_secs(3);
/// What its being there tells in this game.
#[derive(Clone, Copy, Debug, PartialEq)]
enum ShownWhen {
    /// Not known yet: when it was looked for first, since when it is missing, and whether this game has shown it.
    Unknown {
        first: Option<Timestamp>,
        missing: Option<Timestamp>,
        seen: bool,
    },
    /// It was missing: when it appears, the game is over.
    AfterGames,
    /// It is there all the time.
    Always,
}

impl ShownWhen {
    const NEW: ShownWhen = ShownWhen::Unknown {
        first: None,
        missing: None,
        seen: false,
    };

    /// What a look adds that shows it or does not; `comes_after_games`: it was missing in a game before.
    fn after(self, shown: bool, comes_after_games: bool, now: Timestamp) -> ShownWhen {
        let ShownWhen::Unknown { first, missing, seen } = self else {
            return self;
        };
        let (first, since) = (first.unwrap_or(now), missing.unwrap_or(now));
        let missing_for = match (comes_after_games, seen) {
            (true, _) => Duration::ZERO,
            (false, true) => MISSING_AGAIN,
            (false, false) => MISSING,
        };
        match shown {
            true if now.since(first) >= LINGERS => ShownWhen::Always,
            false if now.since(since) >= missing_for => ShownWhen::AfterGames,
            _ => ShownWhen::Unknown {
                first: Some(first),
                missing: (!shown).then_some(since),
                seen: seen || shown,
            },
        }
    }
}

/// It, as the user showed it once: its words may name the colour of the next game.
#[derive(Clone, Debug, PartialEq)]
struct ShownButton {
    picture: PanelPicture,
    /// Where it was shown, from the board's upper left corner.
    from_board: (i32, i32),
    /// Where in it the user pointed, from its upper left corner.
    at: Option<[u32; 2]>,
}

/// Where the button is now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// Which of those that were shown it is, from 0.
    pub nth: usize,
    /// All of it.
    pub lies: DesktopRect,
    /// Where it is clicked.
    pub point: DesktopPx,
}

/// The button, and what is known of it.
#[derive(Clone, Debug)]
pub struct NextGame {
    shown: Vec<ShownButton>,
    noise: f64,
    shown_when: ShownWhen,
    /// It was missing in a game before.
    comes_after_games: bool,
    looked: Timestamp,
    searched: Timestamp,
}

impl NextGame {
    /// The button that a calibration has.
    pub fn of(calibration: &Calibration) -> Option<NextGame> {
        let board = calibration.board;
        let shown_button = |Button { rect, picture, at }: &Button| ShownButton {
            picture: picture.clone(),
            from_board: (rect.x - board.x().round() as i32, rect.y - board.y().round() as i32),
            at: *at,
        };
        let shown: Vec<ShownButton> = calibration.buttons().map(shown_button).collect();
        (!shown.is_empty()).then(|| NextGame {
            shown,
            noise: calibration.noise,
            shown_when: ShownWhen::NEW,
            comes_after_games: false,
            looked: Timestamp::default(),
            searched: Timestamp::default(),
        })
    }

    /// It was not there as the game began: when it appears, the game is over.
    fn was_missing(mut self) -> NextGame {
        (self.shown_when, self.comes_after_games) = (ShownWhen::AfterGames, true);
        self
    }

    /// Whether the user has shown the same at the same place, whatever is known of it by now.
    pub fn is_same(&self, other: &NextGame) -> bool {
        self.shown == other.shown
    }

    /// A game begins.
    pub fn game_begins(&mut self) {
        self.shown_when = ShownWhen::NEW;
    }

    /// Whether it is there between games only, as far as is known.
    pub fn comes_after_games(&self) -> bool {
        self.comes_after_games
    }

    /// Looks for it, if it is time to; sooner, and in the whole window, where something is `strange`. Whether it is
    /// shown, where that tells something.
    pub fn look(&mut self, place: &BoardPlace, strange: bool, now: Timestamp, grab: Grab<'_>) -> Option<bool> {
        if self.shown_when == ShownWhen::Always {
            return None;
        }
        let is_unknown = self.shown_when != ShownWhen::AfterGames;
        let search_every = if strange { SEARCH_AGAIN } else { SEARCH_EVERY };
        let searches = now.since(self.searched) >= search_every;
        if now.since(self.looked) < LOOK_EVERY && !(searches && strange) {
            return None;
        }
        self.looked = now;
        let found = match searches || is_unknown {
            true => {
                self.searched = now;
                self.find(place, grab)
            }
            false => self.in_its_column(place, grab),
        };
        let shown = found.ok()?.is_some();
        self.shown_when = self.shown_when.after(shown, self.comes_after_games, now);
        self.comes_after_games |= self.shown_when == ShownWhen::AfterGames;
        (!is_unknown).then_some(shown)
    }

    /// Where it is now in the window: the only place that shows it.
    pub fn find(&self, place: &BoardPlace, grab: Grab<'_>) -> Result<Option<Found>, FrameError> {
        let frame = grab(place.client())?;
        let found = |(nth, shown): (usize, &ShownButton)| Some(shown.found(nth, &shown.find_in(&frame, self.noise)?));
        match self.shown.iter().enumerate().find_map(found) {
            Some(found) => Ok(Some(found)),
            None => self.in_its_column(place, grab),
        }
    }

    /// Whether more than one was shown.
    pub fn are_several(&self) -> bool {
        self.shown.len() > 1
    }

    /// Above and below where it was shown.
    fn in_its_column(&self, place: &BoardPlace, grab: Grab<'_>) -> Result<Option<Found>, FrameError> {
        for (nth, shown) in self.shown.iter().enumerate() {
            if let Some(lies) = shown.find_in_its_column(place, self.noise, grab)? {
                return Ok(Some(shown.found(nth, &lies)));
            }
        }
        Ok(None)
    }

    /// Whether a frame of the window shows it.
    fn is_in(&self, frame: &Frame) -> bool {
        self.shown
            .iter()
            .any(|shown| shown.find_in(frame, self.noise).is_some())
    }
}

impl ShownButton {
    /// Where a frame of the window shows it.
    fn find_in(&self, frame: &Frame, noise: f64) -> Option<DesktopRect> {
        let at = self.picture.find_in(&frame.image, noise)?;
        Some(part::found(frame, at, self.picture.size()))
    }

    /// Above and below where it was shown: a column that is centred anew moves so, and is drawn anew then.
    fn find_in_its_column(
        &self,
        place: &BoardPlace,
        noise: f64,
        grab: Grab<'_>,
    ) -> Result<Option<DesktopRect>, FrameError> {
        let (width, height) = self.picture.size();
        let shown = DesktopRect {
            x: place.board().x().round() as i32 + self.from_board.0,
            y: place.board().y().round() as i32 + self.from_board.1,
            width,
            height,
        };
        let Some(column) = part::column(shown, &place.client()) else {
            return Ok(None);
        };
        let frame = grab(column)?;
        let found = self.picture.find_in(&frame.image, noise);
        let found = found.or_else(|| self.picture.find_drawn_anew(&frame.image, noise));
        Ok(found.map(|at| part::found(&frame, at, self.picture.size())))
    }

    /// It, where it lies on the desktop.
    fn found(&self, nth: usize, lies: &DesktopRect) -> Found {
        let lies = *lies;
        let point = match self.at {
            Some([x, y]) => DesktopPx {
                x: f64::from(lies.x) + f64::from(x),
                y: f64::from(lies.y) + f64::from(y),
            },
            None => lies.middle(),
        };
        Found { nth, lies, point }
    }
}

/// Notices that the user shows the button while a game is played, as a hint that it is over.
#[derive(Debug)]
pub struct ShownInGame {
    /// The calibration's file, and when it was written last.
    file: PathBuf,
    written: Option<SystemTime>,
    /// The window as the game began.
    began: Option<Frame>,
    looked: Timestamp,
}

impl ShownInGame {
    /// A game begins in a window that looks so.
    pub fn new(file: PathBuf, began: Option<Frame>) -> ShownInGame {
        ShownInGame {
            written: written(&file),
            file,
            began,
            looked: Timestamp::default(),
        }
    }

    /// The button that was shown since, if it is time to ask. One that was there as the game began may be there all the
    /// time.
    pub fn look(&mut self, now: Timestamp) -> Option<NextGame> {
        if now.since(self.looked) < LOOK_EVERY {
            return None;
        }
        self.looked = now;
        let written = written(&self.file);
        if written == self.written {
            return None;
        }
        let calibration = Calibration::load(&self.file).ok()?;
        self.written = written;
        let button = NextGame::of(&calibration)?;
        let began = self.began.as_ref()?;
        let was_there = button.is_in(began);
        Some(if was_there { button } else { button.was_missing() })
    }
}

fn written(file: &PathBuf) -> Option<SystemTime> {
    fs::metadata(file).ok()?.modified().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgba, RgbaImage};
    use torres_calibration::RelativeRect;
    use torres_geometry::FramePx;
    use torres_picture::text;

    fn at(ms: u64) -> Timestamp {
        Timestamp(Duration::from_secs(100) + Duration::from_millis(ms))
    }

    /// What is known after looks at these times, in ms, each of which shows it or does not.
    fn shown_when(looks: &[(u64, bool)]) -> ShownWhen {
        looks.iter().fold(ShownWhen::NEW, |shown_when, (ms, shown)| {
            shown_when.after(*shown, false, at(*ms))
        })
    }

    /// A page on which something always moves is looked at every few milliseconds.
    #[test]
    fn a_button_that_is_shown_in_a_game_is_noticed_and_one_that_was_there_from_the_beginning_tells_nothing_yet() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../calibration/practice-site.json");
        let mut calibration = Calibration::load(path.as_ref()).unwrap();
        let mut words = RgbaImage::from_pixel(80, 24, Rgba([90, 90, 90, 255]));
        text(
            &mut words,
            FramePx { x: 8.0, y: 4.0 },
            14.0,
            Rgba([240, 240, 240, 255]),
            "New game",
        );
        let bare = RgbaImage::from_pixel(300, 200, Rgba([90, 90, 90, 255]));
        let mut with_button = bare.clone();
        image::imageops::replace(&mut with_button, &words, 60, 40);
        for (began, shown_when) in [(bare, ShownWhen::AfterGames), (with_button, ShownWhen::NEW)] {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("page.json");
            calibration.new_game = None;
            calibration.save(&file).unwrap();
            let began = Frame {
                image: began.into(),
                at: at(0),
                origin: DesktopPx { x: 0.0, y: 0.0 },
            };
            let mut shown = ShownInGame::new(file.clone(), Some(began));
            assert!(shown.look(at(1000)).is_none());
            let rect = RelativeRect {
                x: 60,
                y: 40,
                width: 80,
                height: 24,
            };
            let picture = PanelPicture::new(&words);
            calibration.new_game = Some(Button {
                rect,
                picture,
                at: None,
            });
            calibration.save(&file).unwrap();
            let button = (1..100).find_map(|look| shown.look(at(1000 + 10 * look)));
            assert_eq!(button.expect("the button").shown_when, shown_when);
        }
    }

    #[test]
    fn a_button_that_was_missing_for_its_time_comes_after_games_and_one_that_stays_is_there_always() {
        assert_eq!(
            shown_when(&[(0, false), (300, false), (600, false)]),
            ShownWhen::AfterGames
        );
        assert_eq!(shown_when(&[(0, true), (1500, true), (3000, true)]), ShownWhen::Always);
        // What is left of the game before goes, and does not come back soon.
        let lingers = [(0, true), (2500, true), (2900, false), (7800, false), (7900, false)];
        assert_eq!(shown_when(&lingers), ShownWhen::AfterGames);
        // Something passed over it, or lay over it as the game began.
        let covered = [(0, true), (400, false), (800, false), (1200, true), (3100, true)];
        assert_eq!(shown_when(&covered), ShownWhen::Always);
        let greeted = [(0, true), (300, false), (4000, false), (4300, true)];
        assert_eq!(shown_when(&greeted), ShownWhen::Always);
        assert!(matches!(
            shown_when(&[(0, false), (499, false)]),
            ShownWhen::Unknown { .. }
        ));
    }
}
