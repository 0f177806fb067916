//! Whether a calibration still holds, and what has changed since. Looks only: neither mouse nor file is touched.

use super::vouching::suspicions_now;
use crate::{CliError, CliResult, Exit};
use shakmaty::{Piece, Position, Square};
use std::path::Path;
use torres_bot::guard::{Guard, Panel};
use torres_bot::part::Grab;
use torres_bot::place::{BoardPlace, Lost, READ, open_screen};
use torres_calibration::{Calibration, WindowName};
use torres_frame::{Frame, FrameSource};
use torres_geometry::{BoardMap, BoardRect, DesktopRect, FrameRect, InputScale};
use torres_mouse::{MouseError, may_simulate};
use torres_screen::windows;
use torres_vision::locate::still_there;
use torres_vision::{BoardReading, read_at, recognise};

/// Boards whose edges differ by more than this, in pixels, have another place or size.
const SAME: f64 = 1.5;
/// A board with this many doubtful squares has other pieces or another theme.
const DOUBTFUL: usize = 4;

/// What became of something that was compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    AsItWas,
    Changed,
    /// It holds, and should be looked at all the same.
    Suspicious,
}

/// What was compared, what became of it, and what to say of it.
struct Findings(Vec<(Found, &'static str, String)>);

impl Findings {
    fn add(&mut self, holds: bool, of: &'static str, says: impl Into<String>) {
        let found = if holds { Found::AsItWas } else { Found::Changed };
        self.0.push((found, of, says.into()));
    }

    fn warn(&mut self, of: &'static str, says: impl Into<String>) {
        self.0.push((Found::Suspicious, of, says.into()));
    }
}

/// Compares a calibration with the live screen, or with a picture of what it was made for.
pub(super) fn check(path: &Path, picture: Option<&Path>) -> CliResult {
    let calibration = Calibration::load(path).map_err(CliError::usage)?;
    let findings = match picture {
        Some(picture) => in_picture(&calibration, picture)?,
        None => on_screen(&calibration, &path.with_extension("png"))?,
    };
    for (found, of, says) in &findings.0 {
        let word = match found {
            Found::AsItWas => "ok     ",
            Found::Changed => "CHANGED",
            Found::Suspicious => "warning",
        };
        println!("{word} {of:<9} {says}");
    }
    if findings.0.iter().all(|(found, ..)| *found != Found::Changed) {
        println!("{} holds (made {}).", path.display(), calibration.made.date);
        return Ok(Exit::Done);
    }
    println!(
        "{} does not hold any more: calibrate again, or put back what has changed.",
        path.display()
    );
    Ok(Exit::Found)
}

fn in_picture(calibration: &Calibration, path: &Path) -> Result<Findings, CliError> {
    let frame = super::picture_at(path)?;
    let mut findings = Findings(Vec::new());
    let map = BoardMap {
        rect: calibration.board,
        orientation: calibration.bottom,
    };
    let stated = calibration.stated && read_at(&frame.image, &calibration.appearance, &map) >= READ;
    let there = stated.then_some(calibration.board);
    let there = there
        .or_else(|| still_there(&frame.image, &calibration.board))
        .or_else(|| {
            let found = recognise(&frame.image, &calibration.appearance, None, calibration.bottom)?;
            Some(found.map.rect)
        });
    match there {
        None => findings.add(false, "board", "not to be found in the picture"),
        Some(rect) => {
            board(&mut findings, &calibration.board, &rect);
            look(&mut findings, calibration, &frame, &rect);
        }
    }
    Ok(findings)
}

fn on_screen(calibration: &Calibration, picture: &Path) -> Result<Findings, CliError> {
    let mut findings = Findings(Vec::new());
    let mut screen = open_screen(calibration).map_err(CliError::failed)?;
    let place = match BoardPlace::find(calibration, &mut screen) {
        Ok(place) => place,
        Err(error @ Lost::Screen(_)) => return Err(CliError::failed(error)),
        Err(Lost::NoBoard) => {
            findings.add(
                false,
                "board",
                "not to be seen in its window: it is covered, minimised, or looks otherwise",
            );
            return Ok(findings);
        }
        Err(error @ Lost::WindowGone(_)) => {
            findings.add(false, "window", format!("{error}: open it, or calibrate again"));
            return Ok(findings);
        }
    };
    let title = match &calibration.window {
        Some(name) => shown_window(&mut findings, name, &place)?,
        None => None,
    };
    let client = place.client();
    let now = place.board().translated(-f64::from(client.x), -f64::from(client.y));
    board(&mut findings, &calibration.board, &now);
    let mut grab = |region: DesktopRect| {
        screen.set_region(Some(region));
        screen.next_frame()
    };
    let frame = grab(place.region()).map_err(CliError::failed)?;
    look(&mut findings, calibration, &frame, &place.map(&frame).rect);
    opponent(&mut findings, calibration, &place, (title, picture), &mut grab)?;
    if calibration.new_game.is_some() {
        let is_seen = calibration.buttons().any(|button| {
            let mut guard = Guard::over(button.rect, &button.picture, calibration);
            guard.check(&place, &mut grab).is_ok()
        });
        // A page may show it after a game only.
        let says = if is_seen {
            "its button looks as it did"
        } else {
            "its button is not to be seen now"
        };
        findings.add(true, "new game", says);
    }
    let (holds, says) = mouse_says(calibration.input_per_pixel, may_simulate(), screen.is_the_server_s());
    findings.add(holds, "mouse", says);
    Ok(findings)
}

/// The window's name, against the one that was calibrated. Returns its title.
fn shown_window(findings: &mut Findings, name: &WindowName, place: &BoardPlace) -> Result<Option<String>, CliError> {
    let all = windows().map_err(CliError::failed)?;
    let same = all.iter().any(|w| w.app == name.app && w.title == name.title);
    let says = match same {
        true => format!("'{}' of {}", name.title, name.app),
        false => format!("the only one of {}, with another title than '{}'", name.app, name.title),
    };
    findings.add(true, "window", says);
    let shown = all
        .into_iter()
        .find(|w| w.app == name.app && w.client == place.client());
    Ok(shown.map(|w| w.title))
}

/// The opponent's panel, in a window of that title; `picture` is where the user sees it. Where `play` would refuse the
/// opponent, it does not hold.
fn opponent(
    findings: &mut Findings,
    calibration: &Calibration,
    place: &BoardPlace,
    (title, picture): (Option<String>, &Path),
    grab: Grab<'_>,
) -> Result<(), CliError> {
    let Some(opponent) = &calibration.opponent else {
        let says = "none was shown: `torres play` refuses; calibrate with --opponent-panel and --opponent-is-a-bot";
        findings.add(false, "opponent", says);
        return Ok(());
    };
    if !opponent.declared_bot {
        let says = "nobody stated that it is a bot: `torres play` refuses; calibrate with --opponent-is-a-bot";
        findings.add(false, "opponent", says);
    }
    match Guard::new(opponent, calibration).check(place, grab) {
        Ok(Panel::Same) => findings.add(true, "opponent", "its panel looks as it did"),
        Ok(Panel::Followed) => findings.add(true, "opponent", "its panel is elsewhere now, and looks as it did"),
        Err(changed) => findings.add(false, "opponent", changed.why),
    }
    let frame = grab(place.client()).map_err(CliError::failed)?;
    let rect = place.map(&frame).rect;
    let then = calibration.board;
    let panel = FrameRect {
        x: f64::from(opponent.panel.x) + rect.x() - then.x(),
        y: f64::from(opponent.panel.y) + rect.y() - then.y(),
        width: f64::from(opponent.panel.width),
        height: f64::from(opponent.panel.height),
    };
    for suspicion in suspicions_now(&frame.image, (&rect, &panel), title, opponent.name.as_deref()) {
        let says = format!("its panel: {suspicion}; look at {}", picture.display());
        findings.warn("opponent", says);
    }
    Ok(())
}

/// Whether `play` would have its mouse, and what to say of it: programs may move it, and its scale is known, or the
/// display server tells where the pointer is (`server_tells`), so that no click is needed to measure it.
fn mouse_says(scale: Option<InputScale>, may_move: Result<bool, MouseError>, server_tells: bool) -> (bool, String) {
    match (may_move, scale) {
        (Err(error), _) => (false, error.to_string()),
        (Ok(false), _) => (
            false,
            "programs may not move it here: `torres doctor` says what to do".to_owned(),
        ),
        (Ok(true), Some(scale)) => (
            true,
            format!("{:.3} input units a pixel, not measured again", scale.get()),
        ),
        (Ok(true), None) if server_tells => (
            true,
            "not measured yet: `torres play` puts the pointer over the board and asks where it is, before its first move".to_owned(),
        ),
        (Ok(true), None) => (
            false,
            "not measured: `torres play` would click a piece, and end if that shows nothing; calibrate with --window while it is your turn".to_owned(),
        ),
    }
}

fn board(findings: &mut Findings, then: &BoardRect, now: &BoardRect) {
    let (moved, grown) = ((now.x() - then.x(), now.y() - then.y()), now.width() - then.width());
    let size = format!(
        "{:.1} × {:.1} px at {:.1}, {:.1}",
        now.width(),
        now.height(),
        now.x(),
        now.y()
    );
    if grown.abs() > SAME {
        let then = format!("{:.1} × {:.1}", then.width(), then.height());
        // Torres plays on it all the same, except that no panel of another size can be compared.
        findings.add(false, "board", format!("{size}; it was {then}"));
    } else if moved.0.abs() > SAME || moved.1.abs() > SAME {
        findings.add(
            true,
            "board",
            format!("{size}; moved by {:.0}, {:.0}, which Torres follows", moved.0, moved.1),
        );
    } else {
        findings.add(true, "board", size);
    }
}

/// The pieces of the calibrated position that were not learned, by their FEN letters.
fn missing(calibration: &Calibration) -> String {
    let shown = calibration.shown().unwrap_or_default();
    let stood = |piece: &Piece| shown.board().iter().any(|(_, there)| there == *piece);
    let missing = calibration.appearance.unlearned().into_iter().filter(stood);
    let letters: Vec<String> = missing.map(|piece| piece.char().to_string()).collect();
    letters.join(", ")
}

fn look(findings: &mut Findings, calibration: &Calibration, frame: &Frame, rect: &BoardRect) {
    let map = BoardMap {
        rect: *rect,
        orientation: calibration.bottom,
    };
    let missing = missing(calibration);
    if !missing.is_empty() {
        findings.add(
            false,
            "look",
            format!("the file has no picture of {missing}, though it stood on the board; calibrate again"),
        );
        return;
    }
    let reading: BoardReading = calibration.appearance.read(&frame.image, &map);
    let doubtful: Vec<String> = Square::ALL
        .into_iter()
        .filter(|square| reading.squares[*square].doubtful)
        .map(|square| square.to_string())
        .collect();
    match doubtful.len() {
        0 => findings.add(true, "look", "all 64 squares can be read"),
        few @ 1..DOUBTFUL => findings.add(
            true,
            "look",
            format!(
                "{} of 64 squares can be read; doubtful: {}",
                64 - few,
                doubtful.join(", ")
            ),
        ),
        many => findings.add(
            false,
            "look",
            format!(
                "{many} of 64 squares cannot be read for sure: other pieces, another theme, or something lies over them"
            ),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mouse_that_play_could_not_measure_does_not_hold() {
        let holds = |scale, may_move, server_tells| mouse_says(scale, may_move, server_tells).0;
        let known = Some(InputScale::IDENTITY);
        assert!(holds(known, Ok(true), false));
        assert!(holds(None, Ok(true), true), "no click is needed to measure it");
        assert!(!holds(None, Ok(true), false));
        assert!(!holds(known, Ok(false), true));
        let error = MouseError::Open("no display".to_owned());
        assert!(!holds(known, Err(error), true));
    }
}
