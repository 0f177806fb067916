//! Showing Torres the button that begins the next game.

use super::asking::Terminal;
use super::vouching::{inside, pixels_of};
use crate::{CliError, CliResult, Exit};
use shakmaty::Square;
use std::path::Path;
use std::time::{Duration, Instant};
use torres_bot::place::{BoardPlace, Lost, open_screen};
use torres_calibration::{Button, Calibration, PanelPicture, RelativeRect, annotate_button, drawn_at};
use torres_frame::{Frame, FrameSource};
use torres_geometry::{BoardMap, BoardRect, DesktopPx, DesktopRect, FramePx, FrameRect, InputScale};
use torres_mouse::Mouse;
use torres_screen::LiveScreen;
use torres_vision::histogram::of_square;

/// By how much the colours of a square differ from those that it would show (L1, 0 to 2) where something lies over it,
/// as under a promotion's dialog.
const COVERED: f32 = 0.5;
/// How long the pointer may stay on the button, which looks otherwise under it.
const LEAVES_WITHIN: Duration = Duration::from_secs(30);
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// How far from where it pointed, in pixels, it has left the button.
const AWAY: f64 = 150.0;
/// What fades when the pointer has left has done so by then.
const FADES: Duration = Duration::from_millis(600);

/// How many ways are kept in which a button looks otherwise: the latest.
const OTHER_LOOKS: usize = 3;

/// Adds the button to a calibration, as the screen shows it now: at a rectangle of the desktop, or where the person at
/// the terminal points. `also`: the calibration has it as it looks at other times.
pub(super) fn show(path: &Path, button: Option<DesktopRect>, also: bool) -> CliResult {
    let mut calibration = Calibration::load(path).map_err(CliError::usage)?;
    if also && calibration.new_game.is_none() {
        return Err(CliError::usage(
            "the calibration has no button yet: show it without --also",
        ));
    }
    let mut screen = open_screen(&calibration).map_err(CliError::failed)?;
    let place = BoardPlace::find(&calibration, &mut screen).or_else(|error| match error {
        // A notice with the button may hide the board.
        Lost::NoBoard => BoardPlace::presumed(&calibration, &screen),
        other => Err(other),
    });
    let place = place.map_err(CliError::failed)?;
    let (button, at) = match button {
        Some(button) => (button, None),
        None => {
            let (button, at) = pointed_at(&calibration, &place, &mut screen)?;
            (button, Some(at))
        }
    };
    // One picture of both: a notice with the button may come up between two.
    screen.set_region(Some(place.client().around(&button)));
    let frame = screen.next_frame().map_err(CliError::failed)?;
    if pixels_of(&frame).intersect(&button) != Some(button) {
        return Err(CliError::usage(format!(
            "the button {},{},{},{} is not wholly on the screen; bring it into view, and show it again",
            button.x, button.y, button.width, button.height
        )));
    }
    let lies = inside(&button, &frame);
    let picture = PanelPicture::of_part(&frame.image, &lies);
    if shows_squares(&lies, &calibration, &place, &frame)? {
        return Err(CliError::usage(
            "the rectangle lies on the board; draw it around the button that begins the next game",
        ));
    }
    if picture.is_plain() {
        return Err(CliError::usage(
            "the rectangle shows next to nothing by which a button could be known again; draw it around the button's words",
        ));
    }
    // The window may have been moved since it was calibrated: what counts is where the button lies from the board.
    let (then, now) = (calibration.board, place.board());
    let rect = RelativeRect {
        x: button.x - (now.x() - then.x()).round() as i32,
        y: button.y - (now.y() - then.y()).round() as i32,
        width: button.width,
        height: button.height,
    };
    keep(&mut calibration, Button { rect, picture, at }, also);
    calibration.save(path).map_err(CliError::failed)?;
    println!(
        "new game  the button is kept: it is clicked once after each game of `torres play --games N`, while it looks like this"
    );
    println!("saved     {}", path.display());
    draw(path, &calibration, rect)?;
    Ok(Exit::Done)
}

/// Makes it the calibration's button, beside the one that was, or in its place.
fn keep(calibration: &mut Calibration, button: Button, also: bool) {
    let before = calibration.new_game.replace(button);
    let others = &mut calibration.new_game_also;
    match also {
        true => others.extend(before),
        false => others.clear(),
    }
    others.drain(..others.len().saturating_sub(OTHER_LOOKS));
}

/// Draws the button into the calibration's picture, where there is one.
fn draw(path: &Path, calibration: &Calibration, rect: RelativeRect) -> Result<(), CliError> {
    let drawn = path.with_extension("png");
    if let Ok(mut annotated) = torres_frame::decode::picture_in(&drawn) {
        // The picture begins with the window's content, or with the title bar where the panel lies there.
        let (left, top) = match &calibration.opponent {
            Some(opponent) => (opponent.panel.x.min(0), opponent.panel.y.min(0)),
            None => (0, 0),
        };
        let within = FrameRect {
            x: f64::from(rect.x - left),
            y: f64::from(rect.y - top),
            width: f64::from(rect.width),
            height: f64::from(rect.height),
        };
        annotate_button(&mut annotated, within);
        annotated
            .save(&drawn)
            .map_err(|e| CliError::failed(format!("cannot write the picture {}: {e}", drawn.display())))?;
        println!("picture   {}", drawn.display());
    }
    Ok(())
}

/// Whether a rectangle of the frame lies on the board and shows its squares. A notice of the game's end may lie
/// there, with the button in it.
fn shows_squares(
    button: &FrameRect,
    calibration: &Calibration,
    place: &BoardPlace,
    frame: &Frame,
) -> Result<bool, CliError> {
    let map = place.map(frame);
    let is_under = |square: &Square| {
        let lies = map.square_rect(*square);
        button.x < lies.x + lies.width
            && lies.x < button.x + button.width
            && button.y < lies.y + lies.height
            && lies.y < button.y + button.height
    };
    let bare = calibration.appearance.draw(
        &calibration.appearance.read(&frame.image, &map).board(),
        map.orientation,
    );
    let whole = BoardRect::new(0.0, 0.0, f64::from(bare.width()), f64::from(bare.height()));
    let whole = BoardMap {
        rect: whole.map_err(CliError::failed)?,
        orientation: map.orientation,
    };
    let is_bare = |square| of_square(&bare, &whole, square).l1(&of_square(&frame.image, &map, square)) < COVERED;
    let mut under = Square::ALL.into_iter().filter(is_under).peekable();
    Ok(under.peek().is_some() && under.all(is_bare))
}

/// Has the person at the terminal point at the button. Says where it is, and where in it the pointer was.
fn pointed_at(
    calibration: &Calibration,
    place: &BoardPlace,
    screen: &mut LiveScreen,
) -> Result<(DesktopRect, [u32; 2]), CliError> {
    let terminal = Terminal::attended().ok_or_else(|| {
        CliError::usage(
            "nobody is at the terminal to point at the button: say where it is with --new-game X,Y,WIDTH,HEIGHT",
        )
    })?;
    let scale = calibration.input_per_pixel.unwrap_or(InputScale::IDENTITY);
    let mut mouse = Mouse::open(scale).map_err(CliError::failed)?;
    let mut pointer = || -> Result<DesktopPx, CliError> {
        let at = mouse.position().map_err(CliError::failed)?;
        Ok(DesktopPx {
            x: f64::from(at.x) / scale.get(),
            y: f64::from(at.y) / scale.get(),
        })
    };
    terminal.ask("Put the pointer on the button that begins the next game, leave it there, and press Enter here.")?;
    let at = pointer()?;
    println!("Now move the pointer away from it.");
    let began = Instant::now();
    loop {
        let now = pointer()?;
        if (now.x - at.x).hypot(now.y - at.y) > AWAY {
            break;
        }
        if began.elapsed() > LEAVES_WITHIN {
            return Err(CliError::failed(
                "the pointer is still on the button, which looks otherwise under it; try again",
            ));
        }
        std::thread::sleep(LOOK_EVERY);
    }
    std::thread::sleep(FADES);
    screen.set_region(Some(place.client()));
    let frame = screen.next_frame().map_err(CliError::failed)?;
    let inside = FramePx {
        x: at.x - frame.origin.x,
        y: at.y - frame.origin.y,
    };
    let rect = drawn_at(&frame.image, &place.map(&frame).rect, inside).ok_or_else(|| {
        CliError::failed(format!(
            "no button is seen where the pointer was, at {:.0},{:.0}; say where it is with --new-game X,Y,WIDTH,HEIGHT",
            at.x, at.y
        ))
    })?;
    let within = |at: f64, from: f64, length: f64| (at - from).clamp(0.0, length) as u32;
    let at = [
        within(inside.x, rect.x, rect.width),
        within(inside.y, rect.y, rect.height),
    ];
    let button = DesktopRect {
        x: (frame.origin.x + rect.x) as i32,
        y: (frame.origin.y + rect.y) as i32,
        width: rect.width as u32,
        height: rect.height as u32,
    };
    Ok((button, at))
}
