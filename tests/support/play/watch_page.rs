//! The watch page of a game, in a browser on a display of its own, so that it covers no board.

use crate::desktop::Devtools;
use crate::wait_for;
use std::path::Path;
use torres_desktop::{Browser, BrowserOptions, Display};

/// The page's clock at a click, in Unix time as the practice site has it of the pointer.
const CLICKS: &str = "addEventListener('click', (event) => {
    window.clickedAt = Date.now() - (performance.now() - event.timeStamp);
}, { capture: true })";

/// One of the page's buttons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Button {
    /// Halts all input.
    Pause,
    /// Goes on after a pause.
    Resume,
    /// Ends the run.
    Stop,
}

impl Button {
    fn id(self) -> &'static str {
        match self {
            Button::Pause => "pause",
            Button::Resume => "resume",
            Button::Stop => "stop",
        }
    }
}

/// The page.
pub struct WatchPage {
    devtools: Devtools,
    /// The middle of the button on which the mouse is held down.
    held: (f64, f64),
    // The browser before its display.
    browser: Browser,
    _display: Display,
}

impl WatchPage {
    /// Opens it at an address that a game has printed.
    pub fn open(url: &str) -> WatchPage {
        let display = Display::headless(1400, 1000).unwrap_or_else(|e| panic!("no display for the page: {e}"));
        let options = BrowserOptions {
            position: (0, 0),
            size: (1380, 960),
            devtools: true,
            ..BrowserOptions::default()
        };
        let browser = Browser::open(&display, url, options).unwrap_or_else(|e| panic!("no browser for the page: {e}"));
        let mut page = WatchPage {
            devtools: Devtools::of(&browser),
            held: (0.0, 0.0),
            browser,
            _display: display,
        };
        page.devtools.run_in_each_document(CLICKS);
        page.devtools.run(CLICKS);
        page
    }

    /// Goes to the page of another run, and waits until that has told it something.
    pub fn go_to(&mut self, url: &str) {
        self.devtools.go_to(url);
        let told = format!(
            "location.href === '{url}' && document.readyState === 'complete' && typeof clickedAt === 'undefined' && \
             document.getElementById('doing').textContent !== 'connecting…'"
        );
        self.until("the watch page to be told what goes on", &told);
    }

    /// Waits until a script says `true`.
    pub fn until(&mut self, what: &str, script: &str) {
        wait_for(what, || (self.devtools.run(script) == true).then_some(()));
    }

    /// The page's inside.
    pub fn devtools(&mut self) -> &mut Devtools {
        &mut self.devtools
    }

    /// The browser's profile, which tells where it is.
    pub fn profile(&self) -> Option<&Path> {
        self.browser.profile()
    }

    /// Whether the page lets a button be clicked now.
    pub fn offers(&mut self, button: Button) -> bool {
        let disabled = format!("document.getElementById('{}').disabled", button.id());
        self.devtools.run(&disabled) == false
    }

    /// Presses the mouse on a button, once it can be clicked: [`WatchPage::let_go`] makes it a click.
    pub fn hold(&mut self, button: Button) {
        let id = button.id();
        wait_for(&format!("the button {id}"), || self.offers(button).then_some(()));
        let middle = self.devtools.run(&format!(
            "{{ delete window.clickedAt; const lies = document.getElementById('{id}').getBoundingClientRect();
               [lies.x + lies.width / 2, lies.y + lies.height / 2] }}"
        ));
        let number = |index: usize| middle[index].as_f64().expect("a place on the page");
        self.held = (number(0), number(1));
        self.devtools.mouse("mouseMoved", self.held);
        self.devtools.mouse("mousePressed", self.held);
    }

    /// Lets the mouse go, which clicks; the Unix time in ms at which the page had the click.
    pub fn let_go(&mut self) -> f64 {
        self.devtools.mouse("mouseReleased", self.held);
        wait_for("the click", || self.devtools.run("window.clickedAt").as_f64())
    }

    /// Clicks a button; the Unix time in ms of the click.
    pub fn click(&mut self, button: Button) -> f64 {
        self.hold(button);
        self.let_go()
    }
}
