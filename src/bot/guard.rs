//! The opponent guard: before every gesture, does the panel still name the bot that the user vouched for?
//!
//! What it knows is what a picture tells: that the panel's pixels are those the user vouched for. It does not read
//! names, and cannot know who moves the pieces behind a panel that looks the same.
//!
//! The panel is where it lies relative to the board, or to the window (a title bar does not move with the board), or in
//! the second place that the user has shown. Where it is not, it is looked for, pixel for pixel the same: above and
//! below, since a page centres its column anew; beside it, by half its width, since a page centres its row anew; in all of
//! its row, where the board has been turned since, for the names may have changed places with the colours; in the whole
//! window where the page was laid out anew (its window resized), or where
//! nobody is named any more in the panel's place. With another name in its place it is not looked for elsewhere: a bot's
//! name in some list names no opponent. What is there twice is not taken. Enlarged or reduced it is not known again: text
//! of another size is drawn anew, and by its pixels names that differ in a letter cannot be told apart.
//!
//! As a game begins, nothing may stand around the name: a longer name would. Once it has begun, the name alone is
//! compared, since sites show captured pieces and speech beside it.

use super::part::{self, Grab};
use super::place::BoardPlace;
use torres_calibration::{Calibration, Opponent, PanelLooks, PanelPicture, PanelVerdict, RelativeRect, TOO_LITTLE};
use torres_frame::{Frame, FrameError};
use torres_geometry::{BoardRect, DesktopPx, DesktopRect, Orientation};

/// Boards whose sides differ by more than this, in pixels, have different sizes.
const SAME_SIZE: f64 = 1.5;

/// What a user may do where colours were swapped.
const SWAPPED: &str = ". The colours are others than when it was shown: where the page names the bot in another place now, or on another ground, show that once \
                       with `torres calibrate NAME --also --opponent-panel X,Y,WIDTH,HEIGHT --opponent-is-a-bot`, and go on";

/// What a user may do about a page that was laid out anew.
const NOT_FOUND: &str = "board or window have another size now, and the panel is not to be seen as it was calibrated; enlarged or reduced, \
                         its name cannot be compared for certain. Zoom or resize the page back and go on, or calibrate again";

/// What a user may do about something beside the name.
const BESIDE_THE_NAME: &str = "the bot's name is there, and beside it is something that was not there when it was shown; if this is the whole name of \
                               the same bot, go on";

/// Why a calibration must not be played with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotVouched {
    /// Nothing says who the opponent is.
    #[error(
        "the calibration names no opponent; Torres plays only computer opponents. \
         Calibrate again with --opponent-panel X,Y,WIDTH,HEIGHT around the bot's name (without its clock) and --opponent-is-a-bot"
    )]
    NoPanel,
    /// The user did not state that it is a bot.
    #[error(
        "the calibration has no statement that the opponent is a bot which you may play with a program; \
         if it is one, calibrate again and say so, with --opponent-panel X,Y,WIDTH,HEIGHT and --opponent-is-a-bot, or when asked at the terminal"
    )]
    NotDeclared,
    /// The panel would look the same whoever plays.
    #[error("the calibration's opponent panel {TOO_LITTLE}, and calibrate again")]
    NotTelling,
}

/// The opponent that a calibration vouches for, or why there is none.
pub fn vouched(calibration: &Calibration) -> Result<&Opponent, NotVouched> {
    match &calibration.opponent {
        None => Err(NotVouched::NoPanel),
        Some(opponent) if !opponent.declared_bot => Err(NotVouched::NotDeclared),
        Some(opponent) if !opponent.is_telling(calibration.noise) => Err(NotVouched::NotTelling),
        Some(opponent) => Ok(opponent),
    }
}

/// What the panel turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Panel {
    /// Where it should be, as it should be.
    Same,
    /// The page was laid out anew; the panel was found in its new place. To be asked for again there before anything is
    /// done.
    Followed,
}

/// Why the panel is not what it should be.
#[derive(Clone, Debug)]
pub struct ChangedPanel {
    /// In words.
    pub why: String,
    /// What was looked at.
    pub seen: Option<Frame>,
    /// It may pass by itself: the page has just been laid out anew and may not be drawn whole yet, or something lies
    /// over the panel or stands beside the name.
    pub may_settle: bool,
}

/// A place where the panel may be, and how it looks there.
#[derive(Clone, Debug)]
struct Spot {
    /// Where board, panel and the corner of the window's content lay when that was known last.
    board: BoardRect,
    panel: DesktopRect,
    corner: (i32, i32),
    looks: PanelLooks,
    /// The colour at the bottom then.
    bottom: Orientation,
    /// The size of the window's content then; `None` before the panel was seen in this game: a calibration does not have
    /// it.
    size: Option<(u32, u32)>,
}

impl Spot {
    fn new(panel: RelativeRect, looks: PanelLooks, calibration: &Calibration) -> Spot {
        Spot {
            board: calibration.board,
            panel: DesktopRect {
                x: panel.x,
                y: panel.y,
                width: panel.width,
                height: panel.height,
            },
            // A calibration counts from there.
            corner: (0, 0),
            looks,
            bottom: calibration.bottom,
            size: None,
        }
    }

    /// Whether board or window have another size than when the panel was seen here last.
    fn is_laid_out_anew(&self, place: &BoardPlace) -> bool {
        let client = place.client();
        (place.board().width() - self.board.width()).abs() > SAME_SIZE
            || self.size.is_some_and(|before| before != (client.width, client.height))
    }

    /// Where it lies if the page has only moved.
    fn expected(&self, place: &BoardPlace) -> DesktopRect {
        let board = place.board();
        DesktopRect {
            x: self.panel.x + (board.x() - self.board.x()).round() as i32,
            y: self.panel.y + (board.y() - self.board.y()).round() as i32,
            ..self.panel
        }
    }

    /// Where it lies if the page has moved the board alone.
    fn expected_in_window(&self, place: &BoardPlace) -> DesktopRect {
        let client = place.client();
        DesktopRect {
            x: self.panel.x + client.x - self.corner.0,
            y: self.panel.y + client.y - self.corner.1,
            ..self.panel
        }
    }

    /// The window's content, and the title bar where it lies in that.
    fn window(&self, place: &BoardPlace) -> DesktopRect {
        let above = (self.corner.1 - self.panel.y).max(0);
        let content = place.client();
        DesktopRect {
            y: content.y - above,
            height: content.height + above.unsigned_abs(),
            ..content
        }
    }

    /// What lies above and below it in the window: a column that is centred anew moves so, and rows that change places.
    fn column(&self, place: &BoardPlace) -> Option<DesktopRect> {
        part::column(self.expected(place), &self.window(place))
    }

    /// What lies beside it in its row: all of that where the colours have been swapped since it was seen last, and else
    /// no more than half its width. A row is centred anew when a button comes up in it; what is in the name's place then
    /// is for the most part the name itself, and nobody else's.
    fn row(&self, place: &BoardPlace) -> Option<DesktopRect> {
        let (expected, window) = (self.expected(place), self.window(place));
        if self.bottom != place.orientation() {
            return part::row(expected, &window);
        }
        let aside = expected.width / 2;
        let near = DesktopRect {
            x: expected.x - aside as i32,
            width: expected.width + 2 * aside,
            ..window
        };
        part::row(expected, &near.intersect(&window)?)
    }

    fn seen(&mut self, place: &BoardPlace, panel: DesktopRect) {
        self.board = place.board();
        self.bottom = place.orientation();
        self.panel = panel;
        let client = place.client();
        self.corner = (client.x, client.y);
        self.size = Some((client.width, client.height));
    }
}

/// What of a window a panel is looked for in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// What lies above and below its place.
    Column,
    /// What lies beside it.
    Row,
    /// All of it.
    Window,
}

/// Follows the panel over the desktop.
#[derive(Clone, Debug)]
pub struct Guard {
    noise: f64,
    /// Where the panel was seen last comes first. There is a second one where the user has shown it: a rematch may
    /// change rows.
    spots: Vec<Spot>,
    /// Whether the game has begun with the panel as it was shown.
    has_begun: bool,
    /// The colour that was at the bottom when the panel was shown, where the user has shown one place only.
    shown_with: Option<Orientation>,
}

impl Guard {
    /// The panel as it was calibrated.
    pub fn new(opponent: &Opponent, calibration: &Calibration) -> Guard {
        let first = Spot::new(opponent.panel, opponent.looks(), calibration);
        let second = opponent.second.as_ref();
        let second = second.map(|it| Spot::new(it.panel, it.picture.clone().into(), calibration));
        Guard {
            noise: calibration.noise,
            has_begun: false,
            shown_with: second.is_none().then_some(calibration.bottom),
            spots: std::iter::once(first).chain(second).collect(),
        }
    }

    /// Takes the second place in which the user has shown the same opponent meanwhile; whether there is one.
    pub(crate) fn shown_anew(&mut self, opponent: &Opponent, calibration: &Calibration) -> bool {
        let known = calibration.opponent.as_ref();
        let is_same = known.is_some_and(|known| known.picture == opponent.picture && opponent.declared_bot);
        if !is_same || opponent.second.is_none() {
            return false;
        }
        *self = Guard::new(opponent, calibration);
        true
    }

    /// From now on the name alone is compared: the game has begun with the panel as it was shown, or the user has seen
    /// what stands beside the name.
    pub fn game_goes_on(&mut self) {
        if !self.has_begun {
            self.has_begun = true;
            for spot in &mut self.spots {
                spot.looks = spot.looks.without_room();
            }
        }
    }

    /// Any other part of the page that must look as it was shown, such as a button.
    pub fn over(panel: RelativeRect, picture: &PanelPicture, calibration: &Calibration) -> Guard {
        Guard {
            noise: calibration.noise,
            spots: vec![Spot::new(panel, picture.clone().into(), calibration)],
            has_begun: false,
            shown_with: None,
        }
    }

    /// Where the panel was seen last.
    pub fn panel(&self) -> DesktopRect {
        self.spots[0].panel
    }

    /// Compares the panel with what is on the screen now, where `grab` takes its pixels from.
    pub fn check(&mut self, place: &BoardPlace, grab: Grab<'_>) -> Result<Panel, Box<ChangedPanel>> {
        let anew = self.spots.iter().any(|spot| spot.is_laid_out_anew(place));
        let refused = |why: String, seen, may_settle| Box::new(ChangedPanel { why, seen, may_settle });
        let unseen = |e: FrameError| refused(e.to_string(), None, anew);
        let (mut first, mut is_bare) = (None, false);
        for index in 0..self.spots.len() {
            let spot = &mut self.spots[index];
            let expected = spot.expected(place);
            let frame = match grab(expected) {
                // The second place may be beyond the screen.
                Err(_) if index > 0 => continue,
                frame => frame.map_err(unseen)?,
            };
            let verdict = spot.looks.compare(&frame.image, self.noise);
            if verdict == PanelVerdict::Same {
                spot.seen(place, expected);
                self.spots.swap(0, index);
                if index > 0 {
                    return Ok(Panel::Followed);
                }
                self.game_goes_on();
                return Ok(Panel::Same);
            }
            if first.is_none() {
                is_bare = !PanelPicture::new(&frame.image).is_telling(self.noise);
                let name = spot.looks.without_room().compare(&frame.image, self.noise);
                first = Some((verdict, name == PanelVerdict::Same, frame));
            }
        }
        if self.has_stayed_in_window(place, grab) || self.follow(place, anew || is_bare, grab).map_err(unseen)? {
            return Ok(Panel::Followed);
        }
        let Some((verdict, has_name, frame)) = first else {
            return Err(refused(NOT_FOUND.to_owned(), None, anew));
        };
        let mut why = match verdict {
            _ if has_name => BESIDE_THE_NAME.to_owned(),
            _ if anew => NOT_FOUND.to_owned(),
            PanelVerdict::OffScreen => "it is not wholly on the screen; bring it into view".to_owned(),
            PanelVerdict::Changed { pixels, .. } => format!(
                "{pixels} pixels of the panel that names the bot look different; if it is still the same bot, calibrate again \
                 (and leave out of the panel what changes by itself, such as a clock)"
            ),
            PanelVerdict::Same => String::new(),
        };
        if self.shown_with.is_some_and(|bottom| bottom != place.orientation()) {
            why += SWAPPED;
        }
        let lies_over = matches!(verdict, PanelVerdict::Changed { from_beyond: true, .. });
        Err(refused(why, Some(frame), anew || has_name || lies_over))
    }

    /// The middle of the panel, where it was seen last.
    pub fn center(&self) -> DesktopPx {
        self.panel().middle()
    }

    /// Where it lies if the page has only moved.
    pub fn expected(&self, place: &BoardPlace) -> DesktopRect {
        self.spots[0].expected(place)
    }

    /// Whether the panel is where it was in the window, though the board has moved in it.
    fn has_stayed_in_window(&mut self, place: &BoardPlace, grab: Grab<'_>) -> bool {
        let stayed = (0..self.spots.len()).find(|&index| {
            let spot = &mut self.spots[index];
            let panel = spot.expected_in_window(place);
            let shows = |frame: Frame| spot.looks.compare(&frame.image, self.noise) == PanelVerdict::Same;
            let stays = panel != spot.expected(place) && grab(panel).is_ok_and(shows);
            if stays {
                spot.seen(place, panel);
            }
            stays
        });
        if let Some(index) = stayed {
            self.spots.swap(0, index);
        }
        stayed.is_some()
    }

    /// Looks for the panel where it is not expected: above and below, in its row, both also as a page draws it anew, and in
    /// the whole window where it may be anywhere. False when it is not there for sure: not at all, or more than once.
    fn follow(&mut self, place: &BoardPlace, anywhere: bool, grab: Grab<'_>) -> Result<bool, FrameError> {
        for part in [Part::Column, Part::Row, Part::Window] {
            if part == Part::Window && !anywhere {
                break;
            }
            for index in 0..self.spots.len() {
                let spot = &mut self.spots[index];
                let within = match part {
                    Part::Column => spot.column(place),
                    Part::Row => spot.row(place),
                    Part::Window => Some(spot.window(place)),
                };
                let Some(within) = within else { continue };
                let frame = grab(within)?;
                let exactly = spot.looks.find_in(&frame.image, self.noise);
                let anew = || spot.looks.find_drawn_anew(&frame.image, self.noise);
                let found = exactly.or_else(|| (part != Part::Window).then(anew)?);
                let Some(at) = found else { continue };
                let panel = part::found(&frame, at, spot.looks.size());
                spot.seen(place, panel);
                self.spots.swap(0, index);
                return Ok(true);
            }
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgba, RgbaImage, imageops};
    use torres_frame::Timestamp;
    use torres_geometry::{DesktopPx, FramePx};
    use torres_picture::text;

    const GROUND: Rgba<u8> = Rgba([38, 36, 33, 255]);

    /// A desktop with a window on it, in which a panel lies beside a board.
    struct Desk {
        picture: RgbaImage,
        place: BoardPlace,
    }

    impl Desk {
        /// Board and panel on a scale each, the panel's distance from the board on its own.
        fn new(board: f64, panel: f64, name: &str) -> Desk {
            let client = DesktopRect {
                x: 50,
                y: 40,
                width: (900.0 * board) as u32,
                height: 700,
            };
            let mut picture = RgbaImage::from_pixel(1200, 900, GROUND);
            let rect = BoardRect::new(70.0, 60.0, 400.0 * board, 400.0 * board).unwrap();
            let at = FramePx {
                x: 70.0 + 400.0 * board + 74.0 * panel,
                y: 60.0 + 14.0 * panel,
            };
            text(&mut picture, at, 20.0 * panel, Rgba([238, 238, 238, 255]), name);
            Desk {
                picture,
                place: BoardPlace::at(rect, client),
            }
        }

        fn grab(&self, region: DesktopRect) -> Frame {
            let (x, y) = (region.x as u32, region.y as u32);
            Frame {
                image: imageops::crop_imm(&self.picture, x, y, region.width, region.height)
                    .to_image()
                    .into(),
                at: Timestamp::default(),
                origin: DesktopPx {
                    x: f64::from(region.x),
                    y: f64::from(region.y),
                },
            }
        }

        fn check(&self, guard: &mut Guard) -> Result<Panel, Box<ChangedPanel>> {
            guard.check(&self.place, &mut |region| Ok(self.grab(region)))
        }
    }

    /// The guard as calibrated on the desk.
    fn guard(desk: &Desk) -> Guard {
        let panel = DesktopRect {
            x: 492,
            y: 62,
            width: 240,
            height: 48,
        };
        Guard {
            noise: 0.0,
            spots: vec![Spot {
                board: desk.place.board(),
                panel,
                corner: (50, 40),
                looks: PanelPicture::new(&desk.grab(panel).image).into(),
                bottom: Orientation::White,
                size: None,
            }],
            has_begun: false,
            shown_with: Some(Orientation::White),
        }
    }

    /// The desk with its column so many pixels lower, and another one's name where the panel was.
    fn shifted(desk: &Desk, by: u32, instead: &str) -> Desk {
        let mut picture = desk.picture.clone();
        let column = imageops::crop_imm(&desk.picture, 480, 50, 400, 70).to_image();
        imageops::replace(&mut picture, &RgbaImage::from_pixel(400, 70, GROUND), 480, 50);
        imageops::replace(&mut picture, &column, 480, i64::from(50 + by));
        let at = FramePx { x: 544.0, y: 74.0 };
        text(&mut picture, at, 20.0, Rgba([238, 238, 238, 255]), instead);
        Desk {
            picture,
            place: desk.place,
        }
    }

    #[test]
    fn a_panel_whose_column_is_centred_anew_is_followed_without_any_resize() {
        let desk = Desk::new(1.0, 1.0, "Robin the bot");
        let mut guard = guard(&desk);
        desk.check(&mut guard).unwrap();
        // Its row may have changed places with the user's.
        for (by, instead) in [(61, ""), (75, "Anonymous")] {
            let moved = shifted(&desk, by, instead);
            assert_eq!(moved.check(&mut guard).ok(), Some(Panel::Followed));
            assert_eq!(moved.check(&mut guard).ok(), Some(Panel::Same));
            assert_eq!(desk.check(&mut guard).ok(), Some(Panel::Followed));
        }
        let other = shifted(&Desk::new(1.0, 1.0, "Robyn the bot"), 61, "");
        assert!(other.check(&mut guard).is_err());
    }

    /// As LLM Chess 1.5.6 does, named in its title bar: its board is centred anew as a list beside it grows.
    #[test]
    fn a_panel_that_stays_where_it_is_in_the_window_while_the_board_moves_is_followed() {
        let desk = Desk::new(1.0, 1.0, "Robin the bot");
        let mut guard = guard(&desk);
        desk.check(&mut guard).unwrap();
        let aside = |desk: Desk| {
            let board = desk.place.board().translated(-80.0, 0.0);
            let place = BoardPlace::at(board, desk.place.client());
            Desk { place, ..desk }
        };
        let moved = aside(Desk::new(1.0, 1.0, "Robin the bot"));
        assert_eq!(moved.check(&mut guard).ok(), Some(Panel::Followed));
        assert_eq!(moved.check(&mut guard).ok(), Some(Panel::Same));
        let other = Desk::new(1.0, 1.0, "Robyn the bot");
        assert!(other.check(&mut guard).is_err());
        assert!(aside(other).check(&mut guard).is_err());
    }

    /// As in a table whose columns are White and Black.
    #[test]
    fn a_panel_that_has_changed_columns_is_followed_where_the_colours_are_swapped_and_only_there() {
        let desk = Desk::new(1.0, 1.0, "Robin the bot");
        let mut guard = guard(&desk);
        desk.check(&mut guard).unwrap();
        let mut swapped = shifted(&desk, 400, "Anonymous");
        let panel = guard.panel();
        let name = imageops::crop_imm(&desk.picture, 492, 62, panel.width, panel.height).to_image();
        imageops::replace(&mut swapped.picture, &RgbaImage::from_pixel(400, 70, GROUND), 480, 450);
        imageops::replace(&mut swapped.picture, &name, 706, 62);
        assert!(swapped.check(&mut guard).is_err(), "somebody else in its place");
        swapped.place = swapped.place.with_orientation(Orientation::Black);
        assert_eq!(swapped.check(&mut guard).ok(), Some(Panel::Followed));
        assert_eq!(swapped.check(&mut guard).ok(), Some(Panel::Same));
        assert_eq!(guard.panel().x, 706);
    }

    /// As `cinder` does when its button for the next game comes up.
    #[test]
    fn a_panel_whose_row_is_centred_anew_is_followed_unless_most_of_its_place_shows_something_else() {
        let beside = |by: i64, name: &str| {
            let mut desk = Desk::new(1.0, 1.0, name);
            let row = imageops::crop_imm(&desk.picture, 492, 62, 240, 48).to_image();
            imageops::replace(&mut desk.picture, &RgbaImage::from_pixel(240, 48, GROUND), 492, 62);
            imageops::replace(&mut desk.picture, &row, 492 + by, 62);
            let button = FramePx { x: 640.0, y: 74.0 };
            text(
                &mut desk.picture,
                button,
                20.0,
                Rgba([238, 238, 238, 255]),
                "Another game",
            );
            desk
        };
        let desk = Desk::new(1.0, 1.0, "Robin the bot");
        let mut guard = guard(&desk);
        desk.check(&mut guard).unwrap();
        assert!(beside(-88, "Robyn the bot").check(&mut guard).is_err());
        assert!(beside(-130, "Robin the bot").check(&mut guard).is_err());
        let moved = beside(-88, "Robin the bot");
        assert_eq!(moved.check(&mut guard).ok(), Some(Panel::Followed));
        assert_eq!(moved.check(&mut guard).ok(), Some(Panel::Same));
        assert_eq!(guard.panel().x, 492 - 88);
    }

    #[test]
    fn a_name_that_is_drawn_anew_where_its_row_is_centred_is_followed_and_another_one_is_not() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/calibration");
        let picture = |name: &str| image::open(format!("{folder}/{name}.png")).unwrap().to_rgba8();
        let name = picture("name-before-its-row-was-centred-anew");
        let mut desk = Desk::new(1.0, 1.0, "");
        // The row's picture begins 134 pixels left of where the name was.
        imageops::replace(&mut desk.picture, &picture("row-centred-anew"), 492 - 134, 62 - 10);
        let guard_over = |name: &RgbaImage| {
            let mut guard = guard(&desk);
            let (width, height) = name.dimensions();
            let panel = guard.spots[0].panel;
            guard.spots[0].panel = DesktopRect { width, height, ..panel };
            guard.spots[0].looks = PanelPicture::new(name).into();
            guard
        };
        let mut guard = guard_over(&name);
        assert_eq!(desk.check(&mut guard).ok(), Some(Panel::Followed));
        assert_eq!(desk.check(&mut guard).ok(), Some(Panel::Same));
        // The name of another: the columns of one letter of it as those of the next.
        for letter in (10..180).step_by(10) {
            let mut other = name.clone();
            let next = imageops::crop_imm(&name, letter + 10, 0, 10, name.height()).to_image();
            imageops::replace(&mut other, &next, i64::from(letter), 0);
            assert!(desk.check(&mut guard_over(&other)).is_err(), "{letter}");
        }
    }

    #[test]
    fn a_panel_that_is_there_twice_is_not_taken_and_neither_is_one_in_a_list_while_another_name_is_in_its_place() {
        let desk = Desk::new(1.0, 1.0, "Robin the bot");
        let mut guard = guard(&desk);
        desk.check(&mut guard).unwrap();
        let list = imageops::crop_imm(&desk.picture, 480, 50, 400, 70).to_image();
        let mut twice = shifted(&desk, 75, "");
        imageops::replace(&mut twice.picture, &list, 480, 300);
        assert!(twice.check(&mut guard).is_err());
        let mut listed = Desk::new(1.0, 1.0, "Robyn the boy");
        imageops::replace(&mut listed.picture, &list, 300, 500);
        assert!(listed.check(&mut guard).is_err());
        // Nobody is named in its place: the page was laid out otherwise.
        let mut elsewhere = shifted(&Desk::new(1.0, 1.0, "Robyn the boy"), 400, "");
        imageops::replace(&mut elsewhere.picture, &list, 300, 300);
        assert_eq!(elsewhere.check(&mut guard).ok(), Some(Panel::Followed));
    }

    #[test]
    fn the_second_place_counts_as_the_first_and_a_swapped_board_without_one_says_what_to_do() {
        let first = Desk::new(1.0, 1.0, "Robin the bot");
        let mut guard = guard(&first);
        let mut second = shifted(&first, 300, "Anonymous");
        // Another ground, and so another picture.
        for pixel in second.picture.pixels_mut() {
            pixel.0[0] = pixel.0[0].saturating_add(40);
        }
        second.place = second.place.with_orientation(Orientation::Black);
        let refused = second.check(&mut guard).unwrap_err();
        assert!(refused.why.contains("--also"), "{}", refused.why);
        let panel = DesktopRect {
            y: 362,
            ..guard.spots[0].panel
        };
        guard.spots.push(Spot {
            board: second.place.board(),
            panel,
            looks: PanelPicture::new(&second.grab(panel).image).into(),
            corner: (50, 40),
            bottom: Orientation::Black,
            size: None,
        });
        assert_eq!(second.check(&mut guard).ok(), Some(Panel::Followed));
        assert_eq!(second.check(&mut guard).ok(), Some(Panel::Same));
        assert_eq!(guard.panel(), panel);
        assert_eq!(first.check(&mut guard).ok(), Some(Panel::Followed));
    }

    #[test]
    fn nobody_is_played_whose_panel_shows_too_little_or_who_is_called_no_bot() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../calibration/practice-site.json");
        let good = Calibration::load(path.as_ref()).unwrap();
        assert!(vouched(&good).is_ok());
        let refused = |change: &dyn Fn(&mut Opponent)| {
            let mut calibration = good.clone();
            calibration.opponent.iter_mut().for_each(change);
            vouched(&calibration).map(drop)
        };
        let plain = PanelPicture::new(&RgbaImage::from_pixel(25, 25, GROUND));
        assert_eq!(refused(&|it| it.picture = plain.clone()), Err(NotVouched::NotTelling));
        assert_eq!(
            refused(&|it| it.also = Some(plain.clone())),
            Err(NotVouched::NotTelling)
        );
        assert_eq!(refused(&|it| it.declared_bot = false), Err(NotVouched::NotDeclared));
        let nobody = Calibration {
            opponent: None,
            ..good.clone()
        };
        assert_eq!(vouched(&nobody).map(drop), Err(NotVouched::NoPanel));
    }

    #[test]
    fn a_panel_that_moves_with_the_board_is_the_same_and_another_name_is_refused() {
        let desk = Desk::new(1.0, 1.0, "Robin the bot");
        let mut guard = guard(&desk);
        assert_eq!(desk.check(&mut guard).ok(), Some(Panel::Same));
        let refused = Desk::new(1.0, 1.0, "Robyn the bot").check(&mut guard).unwrap_err();
        assert!(!refused.may_settle && refused.seen.is_some());
        assert_eq!(desk.check(&mut guard).ok(), Some(Panel::Same));
    }

    /// The desk with something drawn on it, in desktop pixels.
    fn with(desk: &Desk, at: (f64, f64), words: &str) -> Desk {
        let mut picture = desk.picture.clone();
        text(
            &mut picture,
            FramePx { x: at.0, y: at.1 },
            20.0,
            Rgba([238, 238, 238, 255]),
            words,
        );
        Desk {
            picture,
            place: desk.place,
        }
    }

    #[test]
    fn nothing_stands_beside_the_name_as_a_game_begins_and_anything_may_once_it_has_begun() {
        let desk = Desk::new(1.0, 1.0, "Robin the bot");
        let captured = with(&desk, (690.0, 74.0), "xx");
        let mut new = guard(&desk);
        let refused = captured.check(&mut new).unwrap_err();
        assert!(
            refused.may_settle && refused.why.contains("whole name"),
            "{}",
            refused.why
        );
        // The user has seen it, and says to go on.
        new.game_goes_on();
        assert_eq!(captured.check(&mut new).ok(), Some(Panel::Same));

        let mut begun = guard(&desk);
        assert_eq!(desk.check(&mut begun).ok(), Some(Panel::Same));
        assert_eq!(captured.check(&mut begun).ok(), Some(Panel::Same));
        let below = with(&desk, (560.0, 92.0), "xxxx");
        assert_eq!(below.check(&mut begun).ok(), Some(Panel::Same), "a line of its own");
        let moved = shifted(&captured, 61, "");
        assert_eq!(moved.check(&mut begun).ok(), Some(Panel::Followed));
        for other in ["Robyn the bot", "Robin the bots", "Robin"] {
            assert!(Desk::new(1.0, 1.0, other).check(&mut begun).is_err(), "{other}");
        }
    }

    #[test]
    fn what_lies_over_the_name_from_above_may_pass() {
        let desk = Desk::new(1.0, 1.0, "Robin the bot");
        let mut guard = guard(&desk);
        desk.check(&mut guard).unwrap();
        let mut covered = with(&desk, (0.0, 0.0), "");
        imageops::replace(
            &mut covered.picture,
            &RgbaImage::from_pixel(60, 40, Rgba([250; 4])),
            640,
            50,
        );
        let refused = covered.check(&mut guard).unwrap_err();
        assert!(refused.may_settle, "{}", refused.why);
        assert_eq!(desk.check(&mut guard).ok(), Some(Panel::Same));
    }

    #[test]
    fn a_panel_that_a_resized_page_put_elsewhere_is_followed_also_before_the_first_move() {
        let mut guard = guard(&Desk::new(1.0, 1.0, "Robin the bot"));
        let smaller = Desk::new(0.8, 1.0, "Robin the bot");
        // Once found, it has to be there at the next look.
        assert_eq!(smaller.check(&mut guard).ok(), Some(Panel::Followed));
        assert_eq!(smaller.check(&mut guard).ok(), Some(Panel::Same));
        assert!(Desk::new(0.8, 1.0, "Robyn the bot").check(&mut guard).is_err());
    }

    #[test]
    fn a_panel_in_the_title_bar_is_followed_there_when_the_window_is_resized() {
        // The text lies above what is the window's content here.
        let below_the_text = |mut desk: Desk| {
            let client = DesktopRect {
                y: 115,
                ..desk.place.client()
            };
            desk.place = BoardPlace::at(desk.place.board(), client);
            desk
        };
        let desk = below_the_text(Desk::new(1.0, 1.0, "Robin the bot"));
        let mut guard = guard(&desk);
        assert_eq!(desk.check(&mut guard).ok(), Some(Panel::Same));
        let smaller = below_the_text(Desk::new(0.8, 1.0, "Robin the bot"));
        assert_eq!(smaller.check(&mut guard).ok(), Some(Panel::Followed));
        assert_eq!(smaller.check(&mut guard).ok(), Some(Panel::Same));
    }

    #[test]
    fn a_zoomed_panel_is_unknown_whatever_it_names_until_the_page_is_zoomed_back() {
        let desk = Desk::new(1.0, 1.0, "Robin the bot");
        let mut guard = guard(&desk);
        desk.check(&mut guard).unwrap();
        // Text and board, or text alone while the board takes the room.
        for (board, panel) in [(0.75, 0.75), (1.13, 0.8), (1.1, 1.1)] {
            for name in ["Robin the bot", "Robyn the bot"] {
                let refused = Desk::new(board, panel, name).check(&mut guard).unwrap_err();
                assert!(refused.may_settle && refused.why.contains("back"), "{}", refused.why);
            }
        }
        assert_eq!(desk.check(&mut guard).ok(), Some(Panel::Same));
        assert!(Desk::new(1.0, 1.0, "Robyn the bot").check(&mut guard).is_err());
    }
}
