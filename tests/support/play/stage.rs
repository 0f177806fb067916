//! A display with a browser on it, a folder, and Torres' commands started there.

use super::{GAME, Run};
use crate::desktop::{Devtools, Pointer};
use crate::{program, wait_for};
use image::{Rgba, RgbaImage};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use torres_desktop::{Browser, BrowserOptions, Display};
use torres_geometry::DesktopRect;
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{ConnectionExt, ImageFormat};

/// A page that has not changed for so long is whole.
const REST: Duration = Duration::from_millis(500);

/// What is needed of a page to calibrate on it.
pub struct Shown {
    /// Its title.
    pub title: &'static str,
    /// Where it names the opponent, relative to the window's content when that is 1000 × 780.
    pub panel: DesktopRect,
}

/// A display for one test alone, with a browser on it. Everything ends with it.
pub struct Stage {
    browser: Option<Browser>,
    display: Display,
    dir: TempDir,
    shown: Shown,
}

impl Stage {
    /// Opens a page, on a display of 1280 × 1024.
    pub fn open(url: &str, shown: Shown) -> Stage {
        Stage::open_on((1280, 1024), BrowserOptions::default(), url, shown)
    }

    /// Opens a page on a display of this size, in a window as `options` has it.
    pub fn open_on((width, height): (u32, u32), options: BrowserOptions, url: &str, shown: Shown) -> Stage {
        let display = Display::headless(width, height).unwrap_or_else(|e| panic!("no display for the test: {e}"));
        let options = BrowserOptions {
            devtools: true,
            ..options
        };
        let browser = Browser::open(&display, url, options);
        Stage {
            browser: Some(browser.unwrap_or_else(|e| panic!("no browser for the test: {e}"))),
            display,
            dir: tempfile::tempdir().expect("a folder for the test"),
            shown,
        }
    }

    /// The display.
    pub fn display(&self) -> &Display {
        &self.display
    }

    /// The browser on the page.
    pub fn browser(&self) -> &Browser {
        self.browser.as_ref().expect("the browser is open until the end")
    }

    /// The page's inside.
    pub fn devtools(&self) -> Devtools {
        Devtools::of(self.browser())
    }

    /// A file or folder of the test's own.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Where `calibrate` leaves its file.
    pub fn calibration(&self) -> PathBuf {
        self.path("board.json")
    }

    /// Where `play` leaves the game.
    pub fn out(&self) -> PathBuf {
        self.path("game")
    }

    /// Where the window's content lies.
    pub fn client(&self) -> DesktopRect {
        self.browser().window().unwrap().client().unwrap()
    }

    /// Where an element of the page lies on the desktop.
    pub fn lies(&self, devtools: &mut Devtools, selector: &str) -> DesktopRect {
        let lies = devtools.run(&format!(
            "{{ const lies = document.querySelector('{selector}').getBoundingClientRect();
               [lies.x, lies.y, lies.width, lies.height].map(Math.round) }}"
        ));
        let client = self.client();
        let number = |index: usize| lies[index].as_i64().expect("a number of pixels") as i32;
        DesktopRect {
            x: client.x + number(0),
            y: client.y + number(1),
            width: number(2) as u32,
            height: number(3) as u32,
        }
    }

    /// `--opponent-panel`'s value for the window as it lies now.
    pub fn panel(&self) -> String {
        let (client, panel) = (self.client(), self.shown.panel);
        let (x, y) = (client.x + panel.x, client.y + panel.y);
        format!("{x},{y},{},{}", panel.width, panel.height)
    }

    /// `torres` with these arguments on the display, not yet started.
    pub fn torres(&self, args: &[&str]) -> Command {
        // Whoever runs the tests with hang-ups ignored (nohup) would hand that down.
        let mut command = self.display.command("env");
        command.args(["--default-signal=HUP", program()]);
        command.args(args).current_dir(self.dir.path());
        command
    }

    /// Runs `torres` with these arguments to its end; its exit status and what it said.
    pub fn run(&self, args: &[&str]) -> (i32, String) {
        let mut run = Run::start(self.torres(args), self.path("said"));
        (run.status(super::GAME), run.said())
    }

    /// What the whole display shows when it has not changed for a while: a page's pictures may come after its text.
    pub fn resting_screenshot(&self) -> RgbaImage {
        let mut last = picture_of(self.display.name());
        let mut since = Instant::now();
        wait_for("the display to come to rest", || {
            let now = picture_of(self.display.name());
            if now != last {
                (last, since) = (now, Instant::now());
            }
            (since.elapsed() >= REST).then_some(())
        });
        last
    }

    /// Starts `torres` with a line of arguments at a terminal where somebody types these answers.
    pub fn at_a_terminal(&self, arguments: &str, answers: &str) -> Run {
        let arguments = shlex::split(arguments).expect("a line whose quotes are closed");
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let run = Run::at_a_terminal(&self.torres(&arguments), self.path("terminal.said"));
        run.terminal().type_text(answers);
        run
    }

    /// Shows the calibration the button of the next game with the pointer, as a user does at a terminal.
    pub fn point_at_next_game(&self, button: &DesktopRect) {
        let pointer = Pointer::of(self.display().name());
        let (x, y) = (button.x + button.width as i32 / 2, button.y + button.height as i32 / 2);
        pointer.move_to(x as i16, y as i16);
        let line = format!("calibrate '{}' --new-game", text(&self.calibration()));
        let mut run = self.at_a_terminal(&line, "\n");
        wait_for("Torres to have seen where", || {
            run.said().contains("move the pointer away").then_some(())
        });
        pointer.move_to(x as i16 - 400, y as i16 - 200);
        run.ends_with(0, GAME);
    }

    /// Calibrates on the page, with panel and statement.
    pub fn calibrate(&self, more: &[&str]) {
        let panel = self.panel();
        let mut args = vec!["--opponent-is-a-bot", "--opponent-panel", &panel];
        args.extend(more);
        self.calibrate_plainly(&args);
    }

    /// Calibrates on the page without panel and statement.
    pub fn calibrate_plainly(&self, more: &[&str]) {
        let path = self.calibration();
        let mut args = vec!["calibrate", text(&path), "--window", self.shown.title];
        args.extend(more);
        let (status, said) = self.run(&args);
        assert_eq!(status, 0, "calibrate: {said}");
    }

    /// Starts `play` with what was calibrated.
    pub fn play(&self, more: &[&str]) -> Run {
        let (calibration, out) = (self.calibration(), self.out());
        let mut args = vec!["play", text(&calibration), "--out", text(&out)];
        args.extend(more);
        Run::start(self.torres(&args), self.path("play.said"))
    }

    /// The same at a terminal, with the game's files in this folder of the test's own.
    pub fn play_at_a_terminal(&self, out: &str, more: &[&str]) -> Run {
        let (calibration, out) = (self.calibration(), self.path(out));
        let mut args = vec!["play", text(&calibration), "--out", text(&out)];
        args.extend(more);
        Run::at_a_terminal(&self.torres(&args), out.with_extension("said"))
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        // A failed test keeps its evidence, where it is asked for.
        if std::thread::panicking()
            && let Some(keep) = std::env::var_os("TORRES_TEST_KEEP")
        {
            let to = Path::new(&keep).join(self.dir.path().file_name().unwrap_or_default());
            let copied = Command::new("cp").arg("-r").args([self.dir.path(), &to]).status();
            eprintln!("the test's folder is kept as {}: {copied:?}", to.display());
        }
        // The browser before its display.
        drop(self.browser.take());
    }
}

/// All pixels of a display, over an X connection of the test's own.
pub fn picture_of(display: &str) -> RgbaImage {
    let (connection, number) = x11rb::connect(Some(display)).expect("the display takes connections");
    let screen = &connection.setup().roots[number];
    let (width, height) = (screen.width_in_pixels, screen.height_in_pixels);
    let request = connection.get_image(ImageFormat::Z_PIXMAP, screen.root, 0, 0, width, height, u32::MAX);
    let bytes = request
        .expect("the display takes requests")
        .reply()
        .expect("its pixels")
        .data;
    RgbaImage::from_fn(width.into(), height.into(), |x, y| {
        let at = 4 * (y as usize * usize::from(width) + x as usize);
        Rgba([bytes[at + 2], bytes[at + 1], bytes[at], 255])
    })
}

/// A path as an argument.
pub fn text(path: &Path) -> &str {
    path.to_str().expect("a path of plain letters")
}
