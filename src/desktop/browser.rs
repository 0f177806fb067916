//! A Chromium window of our own.

use super::DesktopError;
use super::display::{Display, on_display};
use super::process::{Guarded, find_program, guarded};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tempfile::TempDir;

/// The names under which Chromium and its kin are installed, the one in Debian first.
const PROGRAMS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Longest time until the first window.
#[cfg(target_os = "linux")]
const START_TIME: std::time::Duration = std::time::Duration::from_secs(60);

/// They prevent first-run pages, background traffic, and everything that could cover the page.
const FLAGS: [&str; 13] = [
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-breakpad",
    "--disable-component-update",
    "--disable-features=Translate",
    "--disable-gpu",
    "--disable-quic",
    "--disable-renderer-backgrounding",
    "--disable-sync",
    "--no-default-browser-check",
    "--no-first-run",
    "--password-store=basic",
];

/// Where the window opens and how large a CSS pixel is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BrowserOptions {
    /// Left and upper edge of the window on the desktop, in pixels.
    pub position: (i32, i32),
    /// Width and height of the window in CSS pixels.
    pub size: (u32, u32),
    /// Captured pixels per CSS pixel.
    pub scale: f64,
    /// Whether the page can be reached through Chromium's DevTools, on a port that the profile's `DevToolsActivePort`
    /// names. For tests that hurt a page; nothing that plays uses it.
    pub devtools: bool,
}

impl Default for BrowserOptions {
    fn default() -> BrowserOptions {
        BrowserOptions {
            position: (100, 120),
            size: (1000, 780),
            scale: 1.0,
            devtools: false,
        }
    }
}

/// A browser with one window and a new profile; dropping it ends all its processes and removes the profile.
#[derive(Debug)]
pub struct Browser {
    process: Option<Guarded>,
    profile: Option<TempDir>,
    #[cfg(target_os = "linux")]
    display: String,
}

/// The Chromium that is installed here.
pub fn browser_program() -> Result<PathBuf, DesktopError> {
    find_program(&PROGRAMS).ok_or(DesktopError::Missing {
        program: "Chromium",
        package: "chromium",
    })
}

impl Browser {
    /// Opens a page in a window of its own, and on X11 waits until that is there.
    pub fn open(display: &Display, url: &str, options: BrowserOptions) -> Result<Browser, DesktopError> {
        let program = browser_program()?;
        let failed = |e: std::io::Error| DesktopError::failed("Chromium", e);
        let profile = tempfile::Builder::new()
            .prefix("torres-browser-")
            .tempdir()
            .map_err(failed)?;
        let log = std::fs::File::create(log_file(profile.path())).map_err(failed)?;

        let mut command = guarded(&program);
        on_display(&mut command, display.name());
        // Chromium keeps a socket there, which it leaves behind when it is ended.
        command.env("TMPDIR", profile.path());
        command.args(FLAGS);
        if runs_as_root() {
            // Chromium's sandbox refuses root; the second flag hides the bar that would say so above the page.
            command.args(["--no-sandbox", "--test-type"]);
        }
        command.arg(format!("--user-data-dir={}", profile.path().display()));
        command.arg(format!("--force-device-scale-factor={}", options.scale));
        command.arg(format!(
            "--window-position={},{}",
            options.position.0, options.position.1
        ));
        command.arg(format!("--window-size={},{}", options.size.0, options.size.1));
        if options.devtools {
            command.arg("--remote-debugging-port=0");
        }
        command.arg(format!("--app={url}"));
        command.stdout(Stdio::null()).stderr(log);
        #[cfg_attr(not(target_os = "linux"), expect(unused_mut))]
        let mut browser = Browser {
            process: Some(Guarded::spawn(command).map_err(failed)?),
            profile: Some(profile),
            #[cfg(target_os = "linux")]
            display: display.name().to_owned(),
        };
        #[cfg(target_os = "linux")]
        browser.wait_for_window()?;
        Ok(browser)
    }

    /// The number of the process group that all of the browser's processes belong to.
    pub fn group(&self) -> Option<u32> {
        self.process.as_ref().map(Guarded::group)
    }

    /// The folder of its profile.
    pub fn profile(&self) -> Option<&Path> {
        self.profile.as_ref().map(TempDir::path)
    }
}

#[cfg(target_os = "linux")]
impl Browser {
    /// The browser's window, to be moved about; [`DesktopError::Closed`] if it was closed.
    pub fn window(&self) -> Result<super::BrowserWindow, DesktopError> {
        let group = self.group().ok_or(DesktopError::Closed)?;
        super::BrowserWindow::of_group(&self.display, group)?.ok_or(DesktopError::Closed)
    }

    fn wait_for_window(&mut self) -> Result<(), DesktopError> {
        let deadline = std::time::Instant::now() + START_TIME;
        loop {
            match self.window() {
                Err(DesktopError::Closed) => {}
                other => return other.map(drop),
            }
            if self.process.as_mut().and_then(Guarded::ended).is_some() {
                return Err(DesktopError::failed(
                    "Chromium",
                    format!("it ended: {}", self.last_words()),
                ));
            }
            if std::time::Instant::now() > deadline {
                let reason = format!("no window after {START_TIME:?}: {}", self.last_words());
                return Err(DesktopError::failed("Chromium", reason));
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }

    /// The last lines that the browser wrote.
    fn last_words(&self) -> String {
        let log = self.profile().map(|profile| std::fs::read_to_string(log_file(profile)));
        let log = log.and_then(Result::ok).unwrap_or_default();
        let lines: Vec<&str> = log.lines().filter(|line| !line.trim().is_empty()).collect();
        lines[lines.len().saturating_sub(3)..].join(" / ")
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The processes first, since they write into the profile.
        drop(self.process.take());
        let Some(profile) = self.profile.take() else { return };
        let path = profile.keep();
        // A process that was told to end may still finish a write.
        for _ in 0..50 {
            if std::fs::remove_dir_all(&path).is_ok() || !path.exists() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    }
}

fn log_file(profile: &Path) -> PathBuf {
    profile.join("browser.log")
}

/// Whether this process belongs to root, by the owner of its own entry in `/proc`.
fn runs_as_root() -> bool {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::fs::MetadataExt;
        std::fs::metadata("/proc/self").is_ok_and(|entry| entry.uid() == 0)
    }
    #[cfg(not(target_os = "linux"))]
    {
        false
    }
}
