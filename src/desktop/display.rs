//! The display to open windows on: the desktop's own, or a headless one.

use super::DesktopError;
use super::process::{Guarded, find_program, guarded};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Longest time that an X server or a window manager may take to be ready.
const START_TIME: Duration = Duration::from_secs(20);
/// Time that a window manager may take to list a window; then another is shown.
#[cfg(target_os = "linux")]
const LIST_TIME: Duration = Duration::from_millis(500);
/// Time between two looks at whether the window manager is there.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// An X display. A headless one ends, with every program on it, when this is dropped.
#[derive(Debug)]
pub struct Display {
    name: String,
    // Dropped in this order: the window manager before the server that it talks to.
    _window_manager: Option<Guarded>,
    server: Option<Guarded>,
}

impl Display {
    /// The desktop's own display, as `DISPLAY` names it.
    pub fn current() -> Result<Display, DesktopError> {
        match std::env::var("DISPLAY") {
            Ok(name) if !name.is_empty() => Ok(Display {
                name,
                _window_manager: None,
                server: None,
            }),
            _ => Err(DesktopError::NoDisplay),
        }
    }

    /// Starts Xvfb on a free display number, with openbox on it, and waits until both are ready.
    pub fn headless(width: u32, height: u32) -> Result<Display, DesktopError> {
        let server = find_program(&["Xvfb"]).ok_or(DesktopError::Missing {
            program: "Xvfb",
            package: "xvfb",
        })?;
        let manager = find_program(&["openbox"]).ok_or(DesktopError::Missing {
            program: "openbox",
            package: "openbox",
        })?;
        let mut command = guarded(&server);
        command.args(["-displayfd", "1", "-nolisten", "tcp", "-noreset", "-screen", "0"]);
        command.arg(format!("{width}x{height}x24"));
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut server = Guarded::spawn(command).map_err(|e| DesktopError::failed("Xvfb", e))?;
        let name = format!(":{}", display_number(&mut server)?);

        let mut command = guarded(&manager);
        on_display(&mut command, &name);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut manager = Guarded::spawn(command).map_err(|e| DesktopError::failed("openbox", e))?;
        wait_for_window_manager(&name, &mut manager)?;
        Ok(Display {
            name,
            _window_manager: Some(manager),
            server: Some(server),
        })
    }

    /// Its name as `DISPLAY` has it, such as `:99`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the window manager on it calls itself; `None` where none runs that speaks EWMH, or where windows are not
    /// managed that way.
    pub fn window_manager(&self) -> Result<Option<String>, DesktopError> {
        #[cfg(target_os = "linux")]
        return super::window::X11::connect(&self.name)?.window_manager();
        #[cfg(not(target_os = "linux"))]
        Ok(None)
    }

    /// The number of the process group of a headless display's server.
    pub fn group(&self) -> Option<u32> {
        self.server.as_ref().map(Guarded::group)
    }

    /// A command that will open its windows on this display, whatever session this process belongs to.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        on_display(&mut command, &self.name);
        command
    }
}

/// Sets `DISPLAY`, and removes what would make programs prefer a Wayland session.
pub(super) fn on_display(command: &mut Command, name: &str) {
    command.env("DISPLAY", name);
    command.env_remove("WAYLAND_DISPLAY").env_remove("XDG_SESSION_TYPE");
}

/// The number that the X server writes as soon as it takes connections.
fn display_number(server: &mut Guarded) -> Result<u32, DesktopError> {
    let output = server.stdout();
    let output = output.ok_or_else(|| DesktopError::failed("Xvfb", "its output is not there"))?;
    let (send, received) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut line = String::new();
        let read = BufReader::new(output).read_line(&mut line);
        send.send(read.map(|_| line))
    });
    let line = received
        .recv_timeout(START_TIME)
        .map_err(|_| DesktopError::failed("Xvfb", format!("not ready after {START_TIME:?}")))?
        .map_err(|e| DesktopError::failed("Xvfb", e))?;
    line.trim()
        .parse()
        .map_err(|_| DesktopError::failed("Xvfb", "it ended before it was ready; run `Xvfb :99` to see why"))
}

/// Waits until the window manager has taken a window into its list. Openbox says earlier that it runs, and loses a
/// window that is shown before it has started whole.
#[cfg(target_os = "linux")]
fn wait_for_window_manager(display: &str, manager: &mut Guarded) -> Result<(), DesktopError> {
    let x11 = super::window::X11::connect(display)?;
    let deadline = Instant::now() + START_TIME;
    while Instant::now() < deadline {
        let window = x11.show_window()?;
        let listed = happens(LIST_TIME, manager, || x11.lists(window))?;
        x11.destroy_window(window)?;
        if listed && happens(START_TIME, manager, || Ok(!x11.lists(window)?))? {
            return Ok(());
        }
    }
    let why = format!("not ready after {START_TIME:?}");
    Err(DesktopError::failed("openbox", why))
}

/// Whether something happens within a time, while the window manager runs.
#[cfg(target_os = "linux")]
fn happens(
    within: Duration,
    manager: &mut Guarded,
    mut has_happened: impl FnMut() -> Result<bool, DesktopError>,
) -> Result<bool, DesktopError> {
    let deadline = Instant::now() + within;
    while !has_happened()? {
        if manager.ended().is_some() {
            return Err(DesktopError::failed("openbox", "it ended before it was ready"));
        }
        if Instant::now() > deadline {
            return Ok(false);
        }
        std::thread::sleep(LOOK_EVERY);
    }
    Ok(true)
}

#[cfg(not(target_os = "linux"))]
fn wait_for_window_manager(_display: &str, _manager: &mut Guarded) -> Result<(), DesktopError> {
    Err(DesktopError::NoDisplay)
}
