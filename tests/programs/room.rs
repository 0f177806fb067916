//! The programs, and how a user starts a game against the computer in each.

use crate::hand::{User, soon};
use crate::judge::Wire;
use rustix::process::{Pid, Signal, kill_process_group};
use shakmaty::{Color, Role, Square};
use std::fs::File;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use torres::desktop::Display;
use torres_test_support::desktop::BareWindow;

/// A chess program in one of its looks.
pub struct Program {
    /// Its name, and that of the look.
    pub name: &'static str,
    /// What is started.
    binary: &'static str,
    /// Where Debian has it.
    package: &'static str,
    /// The engine that plays in it, unless a game says another: a command.
    engine: &'static str,
    open: fn(&Program, &Room, Color) -> Result<Opened, String>,
}

/// Those that `make programs` plays with, in order.
pub const PROGRAMS: [Program; 8] = [
    Program {
        name: "xboard, plain",
        binary: "xboard",
        package: "xboard",
        engine: "fairymax",
        open: |program, room, color| {
            xboard(
                program,
                room,
                color,
                "-useBoardTexture false -lightSquareColor #C8C365 -darkSquareColor #77A26D",
            )
        },
    },
    Program {
        name: "xboard, wood",
        binary: "xboard",
        package: "xboard",
        engine: "fairymax",
        open: |program, room, color| xboard(program, room, color, "-useBoardTexture true"),
    },
    Program {
        name: "gnome-chess, simple",
        binary: "gnome-chess",
        package: "gnome-chess",
        engine: "fairymax",
        open: |program, room, color| gnome_chess(program, room, color, "simple"),
    },
    Program {
        name: "gnome-chess, fancy",
        binary: "gnome-chess",
        package: "gnome-chess",
        engine: "fairymax",
        open: |program, room, color| gnome_chess(program, room, color, "fancy"),
    },
    Program {
        name: "eboard, wood",
        binary: "eboard",
        package: "eboard",
        engine: "fairymax",
        open: |program, room, color| eboard(program, room, color, false),
    },
    Program {
        name: "eboard, plain",
        binary: "eboard",
        package: "eboard",
        engine: "fairymax",
        open: |program, room, color| eboard(program, room, color, true),
    },
    Program {
        name: "pychess",
        binary: "pychess",
        package: "pychess",
        engine: "fairymax",
        open: pychess,
    },
    Program {
        name: "knights",
        binary: "knights",
        package: "knights",
        engine: "fairymax",
        open: knights,
    },
];

/// What names the opponent.
#[derive(Clone, Debug)]
pub enum Panel {
    /// The window's title bar.
    Title,
    /// What is shown at this point of the desktop.
    At(i32, i32),
}

/// A program that shows a game.
pub struct Opened {
    /// Part of its window's title.
    pub title: &'static str,
    pub panel: Panel,
    /// The opponent's name as the panel writes it.
    pub opponent: Option<String>,
    /// The position that is shown, where it is not the start or one with White's first move.
    pub fen: Option<String>,
    /// Ends with it.
    _processes: Vec<Processes>,
    /// What the user has put beside the board.
    _note: Option<BareWindow>,
}

impl Opened {
    /// The user chooses what a pawn becomes, in the dialog that asks for it: pieces with their names, in a row. False
    /// where none is open.
    pub fn promotes(&self, user: &User, role: Role) -> bool {
        const ROW: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
        let nth = ROW.iter().position(|of| *of == role).unwrap_or(0) as i32;
        let Some(dialog) = user.window_now("Promotion") else {
            return false;
        };
        let (width, height) = (dialog.width as i32, dialog.height as i32);
        // Knights has the queen chosen already, and a button that says so.
        let (x, y) = match user.window_now("Promotion — Knights") {
            Some(_) if nth == 0 => (width * 3 / 5, height * 4 / 5),
            Some(_) => return false,
            None => (width * (2 * nth + 1) / 8, height * 3 / 4),
        };
        user.click(dialog.x + x, dialog.y + y);
        soon("the dialog to close", || {
            user.window_now("Promotion").is_none().then_some(())
        })
        .is_ok()
    }
}

impl Program {
    /// Whether it and its engine can be started here.
    fn is_installed(&self) -> bool {
        let engine = self.engine.split(' ').next().unwrap_or_default();
        [self.binary, engine].into_iter().all(|name| found(name).is_some())
    }

    /// Whether it can be started here with another engine than its usual one.
    pub fn is_installed_without_engine(&self) -> bool {
        found(self.binary).is_some()
    }

    /// Starts it with a game in which Torres has this colour.
    pub fn open(&self, room: &Room, color: Color) -> Result<Opened, String> {
        let is_ready = match room.engine {
            Some(_) => self.is_installed_without_engine(),
            None => self.is_installed(),
        };
        if !is_ready {
            return Err(format!(
                "{} or its engine {} is not installed: apt-get install {}",
                self.binary, self.engine, self.package
            ));
        }
        room.write_engine(self.engine, "");
        (self.open)(self, room, color)
    }
}

/// The folder and the display of one game.
pub struct Room<'a> {
    display: &'a Display,
    folder: &'a Path,
    engine: Option<&'a str>,
}

impl<'a> Room<'a> {
    /// With this engine in place of the program's usual one.
    pub fn new(display: &'a Display, folder: &'a Path, engine: Option<&'a str>) -> Room<'a> {
        for name in ["home/.config", "bin", "wire"] {
            std::fs::create_dir_all(folder.join(name)).expect("a home can be made");
        }
        Room {
            display,
            folder,
            engine,
        }
    }

    /// The folder of what went over the engine's wire.
    pub fn wire(&self) -> PathBuf {
        self.folder.join("wire")
    }

    /// The user's hand.
    fn user(&self) -> User<'_> {
        User::at(self.display.name())
    }

    /// Waits until the engine was told to begin a game.
    fn has_begun(&self) -> Result<(), String> {
        soon("the engine", || Wire::read(&self.wire()).has_begun.then_some(()))
    }

    /// Waits until the engine's game has so many plies.
    fn has_played(&self, plies: usize) -> Result<Wire, String> {
        soon(&format!("{plies} plies on the engine's wire"), || {
            let wire = Wire::read(&self.wire());
            (wire.moves.len() >= plies).then_some(wire)
        })
    }

    /// The user makes White's first move by hand; the position after the engine's reply.
    fn begins_with_e4(&self) -> Result<String, String> {
        self.has_begun()?;
        let user = self.user();
        user.plays(&user.board(Color::White)?, Square::E2, Square::E4);
        Ok(self.has_played(2)?.fen())
    }

    /// Puts an engine of the usual one's name where the program looks first; it writes its wire down. `through` is a
    /// command that it is started by.
    fn write_engine(&self, usual: &str, through: &str) {
        let wire = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/wire.sh");
        let name = usual.split(' ').next().unwrap_or_default();
        let own = found(name).unwrap_or_default();
        let command = match self.engine {
            Some(engine) => engine.to_owned(),
            None => usual.replacen(name, &own.display().to_string(), 1),
        };
        let (file, log) = (self.bin().join(name), self.wire());
        let script = format!(
            "#!/bin/sh\nexec sh '{wire}' '{}' {through} {command} \"$@\"\n",
            log.display()
        );
        std::fs::write(&file, script).expect("the engine can be written");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).expect("it can be made executable");
    }

    /// Where that engine lies.
    fn bin(&self) -> PathBuf {
        self.folder.join("bin")
    }

    /// Writes a file of the program's home.
    fn writes(&self, name: &str, text: &str) -> Result<(), String> {
        let file = self.home(name);
        let folder = file.parent().map_or(Ok(()), std::fs::create_dir_all);
        folder
            .and_then(|()| std::fs::write(&file, text))
            .map_err(|e| format!("{}: {e}", file.display()))
    }

    /// A file of the home that the program has for itself.
    fn home(&self, name: &str) -> PathBuf {
        self.folder.join("home").join(name)
    }

    /// Starts a program with that home.
    fn start(&self, program: &str, args: &[&str]) -> Result<Processes, String> {
        let said = File::create(self.folder.join("program.said")).map_err(|e| e.to_string())?;
        let mut command = self.display.command(found(program).unwrap_or_else(|| program.into()));
        command
            .args(args)
            .current_dir(self.folder)
            .env("HOME", self.home(""))
            // No other engine is found there: a program that looks for some takes long to try them all.
            .env("PATH", format!("{}:/usr/bin:/bin", self.bin().display()))
            .env("LC_ALL", "C.UTF-8")
            // Settings lie in files of that home, and no accessibility bus is started.
            .env("GSETTINGS_BACKEND", "keyfile")
            .env("NO_AT_BRIDGE", "1")
            .env("GTK_A11Y", "none");
        for name in [
            "XDG_CONFIG_HOME",
            "XDG_DATA_HOME",
            "XDG_CACHE_HOME",
            "DBUS_SESSION_BUS_ADDRESS",
        ] {
            command.env_remove(name);
        }
        command
            .stdin(Stdio::null())
            .stdout(said.try_clone().map_err(|e| e.to_string())?);
        command.stderr(said).process_group(0);
        command.spawn().map(Processes).map_err(|e| format!("{program}: {e}"))
    }
}

/// A program with all that it started; ended when dropped.
pub struct Processes(Child);

impl Drop for Processes {
    fn drop(&mut self) {
        if let Some(group) = i32::try_from(self.0.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::TERM);
            let deadline = Instant::now() + Duration::from_secs(3);
            while matches!(self.0.try_wait(), Ok(None)) && Instant::now() < deadline {
                std::thread::sleep(Duration::from_millis(20));
            }
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.0.wait();
    }
}

/// Where programs are looked for: Debian has games in a folder that a service's path lacks.
fn path() -> String {
    let path = std::env::var("PATH").unwrap_or_default();
    format!("{path}:/usr/games")
}

fn found(name: &str) -> Option<PathBuf> {
    let path = path();
    path.split(':')
        .map(|folder| Path::new(folder).join(name))
        .find(|file| file.is_file())
}

/// The ground of xboard's tip.
const TIP: [u8; 4] = [0xcc, 0xcc, 0x66, 0xff];

/// xboard names its engine in the title; it begins to play White by itself where it is told to.
fn xboard(program: &Program, room: &Room, color: Color, look: &str) -> Result<Opened, String> {
    let mut args = vec![
        "-fcp",
        program.engine,
        "-searchDepth",
        "3",
        "-tc",
        "60",
        "-autoSaveGames",
        "true",
        "-saveGameFile",
        "saved.pgn",
    ];
    args.extend(look.split(' '));
    if color == Color::Black {
        args.extend(["-mode", "MachineWhite"]);
    }
    let process = room.start(program.binary, &args)?;
    // A tip lies on the board until something is clicked, and the title names the opponent from the first move on.
    let fen = match color {
        Color::White => Some(room.begins_with_e4()?),
        Color::Black => {
            room.has_played(1)?;
            let user = room.user();
            let board = user.board(Color::Black)?;
            soon("the tip to go", || {
                // A piece is taken up and put down again.
                user.plays(&board, Square::G8, Square::G8);
                let middle = board.center(Square::D5);
                let colour = user.sees().get_pixel(middle.x as u32, middle.y as u32).0;
                (colour != TIP).then_some(())
            })?;
            None
        }
    };
    Ok(Opened {
        title: "Fairy-Max",
        panel: Panel::Title,
        opponent: Some("Fairy-Max 5.0b".to_owned()),
        fen,
        _processes: vec![process],
        _note: None,
    })
}

/// GNOME Chess begins a game with its settings when it is started. It names its opponent nowhere, so the user puts a
/// note beside the board.
fn gnome_chess(program: &Program, room: &Room, color: Color, theme: &str) -> Result<Opened, String> {
    let own = color.fold_wb("white", "black");
    room.writes(
        ".config/glib-2.0/settings/keyfile",
        &format!(
            "[org/gnome/Chess]\nopponent='Fairy-Max'\ndifficulty='normal'\nplay-as='{own}'\npiece-theme='{theme}'\n"
        ),
    )?;
    let process = room.start(program.binary, &[])?;
    let user = room.user();
    // The title says whose turn it is.
    let window = user.window("to Move")?;
    if color == Color::Black {
        room.has_played(1)?;
    }
    user.sees();
    let at = (window.x + 14, window.y + 120);
    let note = user.notes("Fairy-Max", at);
    Ok(Opened {
        title: "to Move",
        panel: Panel::At(at.0 + 50, at.1 + 12),
        opponent: Some("Fairy-Max".to_owned()),
        fen: None,
        _processes: vec![process],
        _note: Some(note),
    })
}

/// PyChess looks for engines first; the title names both sides once a game has begun.
fn pychess(_: &Program, room: &Room, color: Color) -> Result<Opened, String> {
    room.writes(
        ".config/pychess/config",
        "[General]\nshow_tip_at_startup = False\ndont_show_externals_at_startup = True\nnewgametasker_playercombo = 1\n\
         taskerskillslider = 3\nfirstname = Torres\nuse_sounds = False\n",
    )?;
    let process = room.start("dbus-run-session", &["--", "/usr/games/pychess"])?;
    let user = room.user();
    let window = user.window("Welcome - PyChess")?;
    user.window("pychess")?;
    soon("the search for engines to end", || {
        user.window_now("pychess").is_none().then_some(())
    })?;
    user.sees();
    // What is offered is spread over the window's height.
    let at = |y: i32| window.y + y + (window.height as i32 - 675) / 3;
    if color == Color::Black {
        user.click(window.x + 234, at(202));
        user.sees();
        user.press(&[], keys::DOWN);
        user.press(&[], keys::RETURN);
        user.sees();
    }
    user.click(window.x + 196, at(310));
    room.has_begun()?;
    if color == Color::Black {
        room.has_played(1)?;
    }
    user.window("Torres")?;
    Ok(Opened {
        title: "Torres",
        panel: Panel::Title,
        opponent: Some("fairymax".to_owned()),
        fen: None,
        _processes: vec![process],
        _note: None,
    })
}

/// Knights begins a game in a dialog that remembers what was chosen last; the title names both sides.
fn knights(program: &Program, room: &Room, color: Color) -> Result<Opened, String> {
    let own = color.fold_wb("White", "Black");
    let begin = concat!("sh '", env!("CARGO_MANIFEST_DIR"), "/tests/programs/begin.sh'");
    room.write_engine(program.engine, begin);
    room.writes(
        ".config/knightsrc",
        &format!(
            "[Protocols]\ncolor={own}\nengineConfigurations=Fairy-Max:{}:xboard\nplayer2Protocol=XBoard\nplayer2Program=Fairy-Max\n",
            program.engine
        ),
    )?;
    let process = room.start("dbus-run-session", &["--", "/usr/games/knights"])?;
    let user = room.user();
    user.window("Knights")?;
    user.sees();
    user.press(&[keys::CONTROL], keys::N);
    user.window("New Game")?;
    user.sees();
    user.press(&[], keys::RETURN);
    // Black's engine is told nothing more until it is to move.
    soon("the engine", || Wire::read(&room.wire()).is_there.then_some(()))?;
    if color == Color::Black {
        room.has_played(1)?;
    }
    Ok(Opened {
        title: "Knights",
        panel: Panel::Title,
        opponent: None,
        fen: None,
        _processes: vec![process],
        _note: None,
    })
}

/// eboard names both sides beside the board; an engine is started from its menu of bookmarks.
fn eboard(program: &Program, room: &Room, color: Color, plain: bool) -> Result<Opened, String> {
    let (human_is_white, plain) = (color.fold_wb(1, 0), u8::from(plain));
    room.writes(".eboard/eng-out/none", "")?;
    room.writes(
        ".eboard/eboard.conf",
        &format!(
            "PlainSquares::{plain}\nEngineBookmark^Fairy-Max^~/.eboard/eng-out^{}^{human_is_white}^/0/20/0^2^0^0^0\n",
            program.engine
        ),
    )?;
    let process = room.start(program.binary, &[])?;
    let user = room.user();
    let window = user.window("eboard")?;
    user.sees();
    // Peer, Engine Bookmarks, the last of the list.
    user.press(&[keys::ALT], keys::P);
    for key in [keys::O, keys::UP, keys::RETURN] {
        user.sees();
        user.press(&[], key);
    }
    room.has_begun()?;
    if color == Color::Black {
        room.has_played(1)?;
    }
    Ok(Opened {
        title: "eboard",
        panel: Panel::At(window.x + 500, window.y + 122),
        opponent: Some("Fairy-Max 5.0b".to_owned()),
        fen: None,
        _processes: vec![process],
        _note: None,
    })
}

/// X's numbers for keys (keysymdef.h).
mod keys {
    pub const ALT: u32 = 0xffe9;
    pub const CONTROL: u32 = 0xffe3;
    pub const DOWN: u32 = 0xff54;
    pub const N: u32 = 0x6e;
    pub const RETURN: u32 = 0xff0d;
    pub const UP: u32 = 0xff52;
    pub const O: u32 = 0x6f;
    pub const P: u32 = 0x70;
}
