//! `torres calibrate`.

mod asking;
mod check;
mod clocks;
mod corners;
mod mirror;
mod moving_ground;
mod new_game;
mod opponent;
mod report;
mod second;
mod settings;
mod standing;
mod vouching;

use super::{CliError, CliResult, Exit};
use asking::Terminal;
use clocks::clocks_in;
use mirror::as_the_user_sees;
use opponent::{Answer, Proposals, proposed, stated};
use report::report;
pub(crate) use settings::Args;
use settings::{Settings, Task};
use standing::standing_board;
use std::path::Path;
use std::time::Duration;
use torres_calibration::{
    BoardFinding, Calibration, FORMAT, FindError, Made, Measured, MoveInput, Stated, WindowName, find_stated,
    idle_square, learn_found, measure_mouse,
};
use torres_frame::{Frame, FrameSource, Timestamp};
use torres_geometry::{BoardRect, DesktopPx, DesktopRect, InputScale};
use torres_mouse::{Gesture, Mouse, StopFlag, watch_corners, watch_interrupt};
use torres_screen::{LiveScreen, WindowInfo, find_window, monitors, windows};
use torres_vision::locate::still_there;
use vouching::{Scene, inside, pixels_of};

/// How long the named window may take to appear.
const WINDOW_WITHIN: Duration = Duration::from_secs(8);
/// Time between two looks for it.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Finds the board and learns how it looks.
pub(crate) fn run(args: Args) -> CliResult {
    let settings = match args.check()? {
        Task::Check { path, image } => return check::check(&path, image.as_deref()),
        Task::ShowButton { path, button, also } => return new_game::show(&path, button, also),
        Task::ShowSecondPanel { path, panel } => return second::show(&path, panel),
        Task::Calibrate(settings) => *settings,
    };
    let found = match &settings.image {
        Some(image) => from_image(&settings, image)?,
        None => from_screen(&settings)?,
    };
    let Found { scene, answer, .. } = &found;
    let calibration = calibration(&settings, &found);
    calibration.save(&scene.path).map_err(CliError::failed)?;
    scene
        .save(&answer.draw(scene))
        .map_err(|e| CliError::failed(format!("the calibration is saved, but not its picture: {e}")))?;
    report(&calibration, &found);
    Ok(match found.mouse {
        Some(Measured::Unknown) => Exit::Found,
        _ => Exit::Done,
    })
}

/// What was found, and stated.
struct Found {
    scene: Scene,
    answer: Answer,
    /// What is known of the mouse; `None` for a picture, which has none.
    mouse: Option<Measured>,
}

/// A picture in place of the screen.
fn picture_at(path: &Path) -> Result<Frame, CliError> {
    let image = super::locate::read_image(path)?;
    Ok(Frame {
        image: image.into(),
        at: Timestamp::now(),
        origin: DesktopPx::default(),
    })
}

fn from_image(settings: &Settings, image: &Path) -> Result<Found, CliError> {
    let frame = picture_at(image)?;
    let place = stated_place(settings, || {
        Err(CliError::usage(
            "a picture has no corners to point at: say where its board lies with --board X,Y,WIDTH,HEIGHT",
        ))
    })?;
    let finding = find_stated(&frame.image, &said(settings, place, &frame)).map_err(CliError::failed)?;
    let finding = as_the_user_sees(finding, &frame, settings)?;
    let scene = Scene {
        clocks: clocks_in(&frame, &finding.map.rect, settings.clocks.as_deref())?,
        client: pixels_of(&frame),
        monitor: pixels_of(&frame),
        frame,
        finding,
        noise: 0.0,
        window: None,
        path: settings.path.clone(),
    };
    let mut beyond = |_| Err(CliError::usage("a picture shows nothing beyond its edges"));
    let answer = match settings.panel {
        Some(panel) => stated(settings, panel, &scene, &mut beyond)?,
        None => Answer::Open(Proposals::default()),
    };
    Ok(Found {
        scene,
        answer,
        mouse: None,
    })
}

fn from_screen(settings: &Settings) -> Result<Found, CliError> {
    let hold = super::hold(&format!("calibrating '{}'", settings.name))?;
    let stop = StopFlag::new();
    watch_interrupt(&stop).map_err(CliError::failed)?;
    watch_corners(&stop).map_err(CliError::failed)?;
    let place = stated_place(settings, corners::pointed_at)?;
    let window = match place.filter(|_| settings.window.is_none()) {
        Some(place) => window_around(settings, &place)?,
        None => chosen_window(settings)?,
    };
    let mut screen = match (&window, settings.monitor) {
        (Some(window), _) => LiveScreen::showing(&window.client).map_err(CliError::failed)?,
        (None, number) => LiveScreen::monitor(number.unwrap_or(0)).map_err(CliError::usage)?,
    };
    let client = window.as_ref().map_or(screen.info().rect, |w| w.client);
    match &window {
        Some(window) => println!("window    '{}' of {}", window.title, window.app),
        None => println!("monitor   {}", screen.info().name),
    }
    screen.set_region(Some(client));
    let (frame, noise, mut finding) = standing_board(&mut screen, &stop, |frame| said(settings, place, frame))?;
    if place.is_none() {
        finding = chosen_board(finding, &frame, settings)?;
    }
    finding = as_the_user_sees(finding, &frame, settings)?;
    let scene = Scene {
        clocks: clocks_in(&frame, &finding.map.rect, settings.clocks.as_deref())?,
        frame,
        finding,
        noise,
        client,
        monitor: screen.info().rect,
        window,
        path: settings.path.clone(),
    };
    let mut grab = |region| {
        screen.set_region(Some(region));
        screen.next_frame().map_err(CliError::failed)
    };
    let mut answer = match settings.panel {
        Some(panel) => stated(settings, panel, &scene, &mut grab)?,
        None => proposed(settings, &scene, &mut grab)?,
    };
    screen.set_region(Some(client));
    let mut mouse = hold.mouse(InputScale::IDENTITY).map_err(CliError::failed)?;
    let (position, map, origin) = (&scene.finding.position, &scene.finding.map, scene.frame.origin);
    let measured = measure_mouse(&mut screen, &mut mouse, &stop, position, map, origin).map_err(CliError::failed)?;
    if let Answer::Vouched(vouched) = &mut answer {
        if vouched.is_in_the_title_bar() {
            // A title bar looks otherwise once its window has the keyboard, as it has in a game.
            click_into(&scene, &mut mouse, measured.scale(), &stop)?;
        }
        vouched.look_again(&scene, &mut |region| {
            screen.set_region(Some(region));
            screen.next_frame().map_err(CliError::failed)
        })?;
    }
    Ok(Found {
        scene,
        answer,
        mouse: Some(measured),
    })
}

/// A click on an empty square to which no piece can go: it gives the window the keyboard and does nothing else.
fn click_into(scene: &Scene, mouse: &mut Mouse, scale: Option<InputScale>, stop: &StopFlag) -> Result<(), CliError> {
    let Some(square) = idle_square(&scene.finding.position) else {
        return Ok(());
    };
    let at = scene.frame.to_desktop(scene.finding.map.center(square));
    let click = Gesture::Click(scale.unwrap_or(InputScale::IDENTITY).input(at));
    mouse.perform(&click, stop).map_err(CliError::failed)?;
    Ok(())
}

/// Where the user says that the board lies, if at all: in numbers, or else by pointing.
fn stated_place(
    settings: &Settings,
    pointed: impl FnOnce() -> Result<DesktopRect, CliError>,
) -> Result<Option<DesktopRect>, CliError> {
    match settings.board {
        Some(Some(place)) => Ok(Some(place)),
        Some(None) => pointed().map(Some),
        None => Ok(None),
    }
}

/// What the user says of the board in a frame.
fn said(settings: &Settings, place: Option<DesktopRect>, frame: &Frame) -> Stated {
    Stated {
        positions: settings.positions.clone(),
        is_certain: settings.fen.is_some(),
        bottom: settings.bottom,
        place: place.map(|place| inside(&place, frame)),
    }
}

/// How far beyond its window's content the stated board may reach, in pixels.
const BEYOND_WINDOW: u32 = 2;

/// The window whose content has all of a rectangle, where only one does; none for a monitor.
fn window_around(settings: &Settings, place: &DesktopRect) -> Result<Option<WindowInfo>, CliError> {
    if settings.monitor.is_some() {
        return Ok(None);
    }
    // A board may end between two pixels, and where it is said to end is a guess.
    let has_all =
        |part: DesktopRect| part.width + BEYOND_WINDOW >= place.width && part.height + BEYOND_WINDOW >= place.height;
    let around = |window: &WindowInfo| !window.minimised && window.client.intersect(place).is_some_and(has_all);
    let mut windows: Vec<WindowInfo> = windows()
        .map_err(CliError::failed)?
        .into_iter()
        .filter(around)
        .collect();
    match windows.len() {
        1 => Ok(windows.pop()),
        0 => Err(CliError::usage(
            "no window shows all of the --board; say which is meant with --window TEXT, or --monitor N",
        )),
        _ => Err(CliError::usage(
            "several windows lie where the --board is; say which is meant with --window TEXT",
        )),
    }
}

/// The window to watch: the one named, none for a monitor, otherwise the only one that shows a board.
fn chosen_window(settings: &Settings) -> Result<Option<WindowInfo>, CliError> {
    if settings.monitor.is_some() {
        return Ok(None);
    }
    if let Some(title) = &settings.window {
        // A browser just opened shows its page's title a moment later.
        let began = Timestamp::now();
        loop {
            match find_window(title) {
                Ok(window) => return Ok(Some(window)),
                Err(error) if Timestamp::now().since(began) > WINDOW_WITHIN => return Err(CliError::usage(error)),
                Err(_) => std::thread::sleep(LOOK_EVERY),
            }
        }
    }
    let (mut with_board, mut refusals) = (Vec::new(), Vec::new());
    for window in windows().map_err(CliError::failed)? {
        if window.minimised {
            continue;
        }
        let mut screen = LiveScreen::showing(&window.client).map_err(CliError::failed)?;
        screen.set_region(Some(window.client));
        let Ok(frame) = screen.next_frame() else { continue };
        match find_stated(&frame.image, &said(settings, None, &frame)) {
            Ok(_) => with_board.push(window),
            Err(refusal @ FindError::NotThatPosition { .. }) => refusals.push((window.title, refusal)),
            Err(_) => {}
        }
    }
    match with_board.len() {
        0 => Err(CliError::failed(match &refusals[..] {
            [(title, refusal)] => format!("in the window '{title}' {refusal}"),
            _ => format!(
                "no window shows a board in its start position on {}; open one, or say which with --window TEXT or --monitor N, \
                 and where its board lies with --board X,Y,WIDTH,HEIGHT",
                monitors().map_or_else(|_| "the desktop".to_owned(), |m| format!("{} monitor(s)", m.len()))
            ),
        })),
        1 => Ok(with_board.pop()),
        _ => {
            let titles: Vec<String> = with_board.iter().map(|w| format!("'{}'", w.title)).collect();
            if let Some(terminal) = Terminal::attended() {
                println!("Several windows show a board:");
                let index = terminal.choose("Which one?", &titles)?;
                return Ok(Some(with_board.swap_remove(index)));
            }
            Err(CliError::usage(format!(
                "several windows show a board: {}; say which with --window TEXT",
                titles.join(", ")
            )))
        }
    }
}

/// The board that is meant where the window shows several: the one that looks most like one, unless somebody says
/// otherwise.
fn chosen_board(found: BoardFinding, frame: &Frame, settings: &Settings) -> Result<BoardFinding, CliError> {
    let rivals: Vec<BoardFinding> = found
        .rivals
        .iter()
        .filter_map(|rival| learn_found(&frame.image, rival, &settings.positions, settings.bottom).ok())
        .collect();
    if rivals.is_empty() {
        return Ok(found);
    }
    let describe = |rect: &BoardRect| {
        let (x, y) = (frame.origin.x + rect.x(), frame.origin.y + rect.y());
        format!(
            "{:.0} × {:.0} px at {x:.0}, {y:.0} of the desktop",
            rect.width(),
            rect.height()
        )
    };
    let mut all: Vec<BoardFinding> = std::iter::once(found).chain(rivals).collect();
    let names: Vec<String> = all.iter().map(|board| describe(&board.map.rect)).collect();
    match Terminal::attended() {
        Some(terminal) => {
            println!("The window shows several boards:");
            let index = terminal.choose("Which one?", &names)?;
            Ok(all.swap_remove(index))
        }
        None => {
            println!("boards    several; taken is {}", names.join(", not "));
            Ok(all.swap_remove(0))
        }
    }
}

fn calibration(settings: &Settings, found: &Found) -> Calibration {
    let scene = &found.scene;
    let origin = scene.frame.origin;
    let offset = (
        origin.x - f64::from(scene.client.x),
        origin.y - f64::from(scene.client.y),
    );
    let finding = &scene.finding;
    Calibration {
        format: FORMAT,
        made: Made {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            date: jiff::Zoned::now().strftime("%Y-%m-%d").to_string(),
        },
        window: scene.window.as_ref().map(|w| WindowName {
            title: w.title.clone(),
            app: w.app.clone(),
        }),
        board: finding.map.rect.translated(offset.0, offset.1),
        stated: settings.board.is_some() && still_there(&scene.frame.image, &finding.map.rect).is_none(),
        bottom: finding.map.orientation,
        input_per_pixel: found.mouse.and_then(Measured::scale),
        appearance: finding.appearance.clone(),
        noise: scene.noise,
        position: settings.fen.clone(),
        opponent: found.answer.vouched().map(|it| it.opponent.clone()),
        new_game: None,
        new_game_also: Vec::new(),
        promotions: Vec::new(),
        clocks: clocks::kept(scene),
        move_input: MoveInput {
            by: settings.by,
            deselects: found.mouse.and_then(Measured::deselects),
            ..MoveInput::default()
        },
    }
}
