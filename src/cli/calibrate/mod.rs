//! `torres calibrate`.

mod asking;
mod check;
mod clocks;
mod corners;
mod new_game;
mod opponent;
mod report;
mod second;
mod vouching;

use super::{BottomArg, ByArg, CliError, CliResult, Exit, RectArg};
use asking::Terminal;
use clocks::clocks_in;
use opponent::{Answer, Proposals, proposed, stated};
use report::report;
use shakmaty::Chess;
use std::path::{Path, PathBuf};
use std::time::Duration;
use torres_calibration::{
    BoardFinding, Calibration, FORMAT, Made, Measured, MoveInput, Stated, WindowName, find_stated, idle_square,
    learn_found, measure_mouse, opening_positions, path_of, resting_frame,
};
use torres_frame::{Frame, FrameSource, Timestamp};
use torres_geometry::{BoardRect, DesktopPx, DesktopRect, InputScale};
use torres_mouse::{Gesture, Mouse, StopFlag, watch_corners, watch_interrupt};
use torres_screen::{LiveScreen, WindowInfo, find_window, monitors, windows};
use torres_vision::locate::still_there;
use vouching::{Scene, inside, pixels_of};

/// How long the board may take to come to rest.
const REST_WITHIN: Duration = Duration::from_secs(15);

/// How long the named window may take to appear.
const WINDOW_WITHIN: Duration = Duration::from_secs(8);
/// Time between two looks for it.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Arguments of `torres calibrate`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Name of the calibration (`calibration/NAME.json`), or a path.
    pub name: String,
    /// A window whose title contains this text.
    #[arg(long, conflicts_with_all = ["monitor", "image"])]
    pub window: Option<String>,
    /// A monitor, counted from 0.
    #[arg(long, conflicts_with = "image")]
    pub monitor: Option<usize>,
    /// A screenshot instead of the live screen.
    #[arg(long)]
    pub image: Option<PathBuf>,
    /// Which colour is at the bottom: the one that Torres plays.
    #[arg(long, default_value = "auto")]
    pub bottom: BottomArg,
    /// The position on the board; default the start position, or one with White's first move made.
    #[arg(long)]
    pub fen: Option<String>,
    /// Where the board's 64 squares lie, as X,Y,WIDTH,HEIGHT in desktop pixels (with --image in pixels of the picture), where they are not found
    /// or another board is; without a value you point at two corners. A few pixels off do not matter.
    #[arg(long, value_name = "RECT", num_args = 0..=1)]
    pub board: Option<Option<RectArg>>,
    /// Where the site's clocks are, the opponent's and then your own, as X,Y,WIDTH,HEIGHT in desktop pixels around their digits, where they are not seen.
    #[arg(long, value_names = ["OPPONENTS", "OWN"], num_args = 2, conflicts_with_all = ["new_game", "also", "check"])]
    pub clocks: Option<Vec<RectArg>>,
    /// Where the opponent is named, as X,Y,WIDTH,HEIGHT in desktop pixels (without its clock).
    #[arg(long)]
    pub opponent_panel: Option<RectArg>,
    /// The --opponent-panel is a second place in which the page names the same opponent, as it may in a rematch with swapped colours: added to a
    /// calibration that is there already.
    #[arg(long, requires_all = ["opponent_panel", "opponent_is_a_bot"], conflicts_with_all = ["window", "monitor", "image", "fen", "board", "by", "new_game", "opponent_name"])]
    pub also: bool,
    /// Where the button is that begins the next game, as X,Y,WIDTH,HEIGHT in desktop pixels, or without a value where you then point: added to a
    /// calibration that is there already.
    #[arg(long, value_name = "RECT", num_args = 0..=1, conflicts_with_all = ["window", "monitor", "image", "fen", "board", "by", "opponent_panel", "opponent_is_a_bot"])]
    pub new_game: Option<Option<RectArg>>,
    /// How the board takes moves: `auto` drags, and clicks where that does not land; `drag` and `clicks` do nothing else.
    #[arg(long, default_value = "auto", value_name = "HOW")]
    pub by: ByArg,
    /// Say whether the calibration still holds, and what has changed: on the screen, or with --image in a picture. Nothing is written.
    #[arg(long, conflicts_with_all = ["window", "monitor", "fen", "board", "by", "opponent_panel", "opponent_is_a_bot", "new_game"])]
    pub check: bool,
    /// The opponent's name, for the game's files and the results.
    #[arg(long, value_name = "NAME", requires = "opponent_panel", value_parser = super::args::name)]
    pub opponent_name: Option<String>,
    /// You state that the opponent named there is a bot that you may play with a program.
    #[arg(long)]
    pub opponent_is_a_bot: bool,
}

/// Finds the board and learns how it looks.
pub fn run(args: Args) -> CliResult {
    let path = path_of(&args.name);
    if args.check {
        return check::check(&path, args.image.as_deref());
    }
    if let Some(button) = args.new_game {
        return new_game::show(&path, button.map(|RectArg(button)| button));
    }
    if let Some(RectArg(panel)) = args.opponent_panel.filter(|_| args.also) {
        return second::show(&path, panel);
    }
    if args.opponent_is_a_bot && args.opponent_panel.is_none() {
        return Err(CliError::usage(
            "--opponent-is-a-bot needs --opponent-panel X,Y,WIDTH,HEIGHT around the bot's name: \
             that panel is what Torres checks before every move",
        ));
    }
    let positions = match &args.fen {
        Some(fen) => vec![torres_chess::parse_fen(fen).map_err(CliError::usage)?],
        None => opening_positions(),
    };
    let found = match &args.image {
        Some(image) => from_image(&args, image, &positions, path)?,
        None => from_screen(&args, &positions, path)?,
    };
    let Found { scene, answer, .. } = &found;
    let calibration = calibration(&args, &found);
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

fn from_image(args: &Args, image: &Path, positions: &[Chess], path: PathBuf) -> Result<Found, CliError> {
    let frame = picture_at(image)?;
    let place = stated_place(args, || {
        Err(CliError::usage(
            "a picture has no corners to point at: say where its board lies with --board X,Y,WIDTH,HEIGHT",
        ))
    })?;
    let finding = find_stated(&frame.image, &said(args, positions, place, &frame)).map_err(CliError::failed)?;
    let scene = Scene {
        clocks: clocks_in(&frame, &finding.map.rect, args.clocks.as_deref())?,
        client: pixels_of(&frame),
        frame,
        finding,
        noise: 0.0,
        window: None,
        path,
    };
    let mut beyond = |_| Err(CliError::usage("a picture shows nothing beyond its edges"));
    let answer = match args.opponent_panel {
        Some(RectArg(panel)) => stated(args, panel, &scene, &mut beyond)?,
        None => Answer::Open(Proposals::default()),
    };
    Ok(Found {
        scene,
        answer,
        mouse: None,
    })
}

fn from_screen(args: &Args, positions: &[Chess], path: PathBuf) -> Result<Found, CliError> {
    let hold = super::hold(&format!("calibrating '{}'", args.name))?;
    let stop = StopFlag::new();
    watch_interrupt(&stop).map_err(CliError::failed)?;
    watch_corners(&stop).map_err(CliError::failed)?;
    let place = stated_place(args, corners::pointed_at)?;
    let window = match place.filter(|_| args.window.is_none()) {
        Some(place) => window_around(args, &place)?,
        None => chosen_window(args, positions)?,
    };
    let mut screen = match (&window, args.monitor) {
        (Some(window), _) => LiveScreen::showing(&window.client).map_err(CliError::failed)?,
        (None, number) => LiveScreen::monitor(number.unwrap_or(0)).map_err(CliError::usage)?,
    };
    let client = window.as_ref().map_or(screen.info().rect, |w| w.client);
    match &window {
        Some(window) => println!("window    '{}' of {}", window.title, window.app),
        None => println!("monitor   {}", screen.info().name),
    }
    screen.set_region(Some(client));
    let (frame, noise, mut finding) = standing_board(&mut screen, &stop, |frame| said(args, positions, place, frame))?;
    if place.is_none() {
        finding = chosen_board(finding, &frame, positions, args)?;
    }
    let scene = Scene {
        clocks: clocks_in(&frame, &finding.map.rect, args.clocks.as_deref())?,
        frame,
        finding,
        noise,
        client,
        window,
        path,
    };
    let mut grab = |region| {
        screen.set_region(Some(region));
        screen.next_frame().map_err(CliError::failed)
    };
    let mut answer = match args.opponent_panel {
        Some(RectArg(panel)) => stated(args, panel, &scene, &mut grab)?,
        None => proposed(args, &scene, &mut grab)?,
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

/// Waits until the board stands, and is what the user says of it: a page may still be loading, or a bot's first move be under way. Returns the
/// picture, its noise in levels of 255, and what was found in it.
///
/// # Errors
/// Stopped, or nothing of the kind came to rest in [`REST_WITHIN`].
fn standing_board(
    screen: &mut LiveScreen,
    stop: &StopFlag,
    said: impl Fn(&Frame) -> Stated,
) -> Result<(Frame, f64, BoardFinding), CliError> {
    let began = Timestamp::now();
    loop {
        let (frame, noise) = resting_frame(screen, REST_WITHIN).map_err(CliError::failed)?;
        match find_stated(&frame.image, &said(&frame)) {
            Ok(finding) => return Ok((frame, noise, finding)),
            Err(error) if Timestamp::now().since(began) > REST_WITHIN => return Err(CliError::failed(error)),
            Err(_) => {}
        }
        if let Some(reason) = stop.reason() {
            return Err(CliError::failed(format!("stopped: {reason}")));
        }
    }
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
    args: &Args,
    pointed: impl FnOnce() -> Result<DesktopRect, CliError>,
) -> Result<Option<DesktopRect>, CliError> {
    match args.board {
        Some(Some(RectArg(place))) => Ok(Some(place)),
        Some(None) => pointed().map(Some),
        None => Ok(None),
    }
}

/// What the user says of the board in a frame.
fn said(args: &Args, positions: &[Chess], place: Option<DesktopRect>, frame: &Frame) -> Stated {
    Stated {
        positions: positions.to_vec(),
        is_certain: args.fen.is_some(),
        bottom: args.bottom.stated(),
        place: place.map(|place| inside(&place, frame)),
    }
}

/// The window whose content has all of a rectangle, where only one does; none for a monitor.
fn window_around(args: &Args, place: &DesktopRect) -> Result<Option<WindowInfo>, CliError> {
    if args.monitor.is_some() {
        return Ok(None);
    }
    let around = |window: &WindowInfo| !window.minimised && window.client.intersect(place) == Some(*place);
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
fn chosen_window(args: &Args, positions: &[Chess]) -> Result<Option<WindowInfo>, CliError> {
    if args.monitor.is_some() {
        return Ok(None);
    }
    if let Some(title) = &args.window {
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
    let mut with_board = Vec::new();
    for window in windows().map_err(CliError::failed)? {
        if window.minimised {
            continue;
        }
        let mut screen = LiveScreen::showing(&window.client).map_err(CliError::failed)?;
        screen.set_region(Some(window.client));
        if let Ok(frame) = screen.next_frame()
            && find_stated(&frame.image, &said(args, positions, None, &frame)).is_ok()
        {
            with_board.push(window);
        }
    }
    match with_board.len() {
        0 => Err(CliError::failed(format!(
            "no window shows a board in its start position on {}; open one, or say which with --window TEXT or --monitor N, \
             and where its board lies with --board X,Y,WIDTH,HEIGHT",
            monitors().map_or_else(|_| "the desktop".to_owned(), |m| format!("{} monitor(s)", m.len()))
        ))),
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

/// The board that is meant where the window shows several: the one that looks most like one, unless somebody says otherwise.
fn chosen_board(
    found: BoardFinding,
    frame: &Frame,
    positions: &[Chess],
    args: &Args,
) -> Result<BoardFinding, CliError> {
    let rivals: Vec<BoardFinding> = found
        .rivals
        .iter()
        .filter_map(|rival| learn_found(&frame.image, rival, positions, args.bottom.stated()).ok())
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

fn calibration(args: &Args, found: &Found) -> Calibration {
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
        stated: args.board.is_some() && still_there(&scene.frame.image, &finding.map.rect).is_none(),
        bottom: finding.map.orientation,
        input_per_pixel: found.mouse.and_then(Measured::scale),
        appearance: finding.appearance.clone(),
        noise: scene.noise,
        position: args.fen.clone(),
        opponent: found.answer.vouched().map(|it| it.opponent.clone()),
        new_game: None,
        promotions: Vec::new(),
        clocks: clocks::kept(scene),
        move_input: MoveInput {
            by: args.by.into(),
            deselects: found.mouse.and_then(Measured::deselects),
            ..MoveInput::default()
        },
    }
}
