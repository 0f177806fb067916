//! How somebody halts the player and has it go on, and what is looked at meanwhile.

use crate::faults::toast;
use crate::plan::{Moment, Way};
use crate::report::Stop;
use crate::unix_ms;
use rustix::process::Signal;
use std::net::TcpStream;
use std::thread::sleep;
use std::time::{Duration, Instant};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::stream::MaybeTlsStream;
use tokio_tungstenite::tungstenite::{Message, WebSocket, connect};
use torres_test_support::desktop::{Devtools, Pointer};
use torres_test_support::play::{Key, Run};

/// Our gestures are seconds apart at most.
const DRAG_WITHIN: Duration = Duration::from_secs(10);
/// A drag lasts for some 40 ms.
const LOOK_FOR_DRAG_EVERY: Duration = Duration::from_micros(700);
/// The toast lies over the board so long before the stop and after it, in ms.
const TOAST: [u64; 2] = [700, 700];
/// The button must be up so long after a pause or the player's end, and after a kill.
const RELEASED_WITHIN: Duration = Duration::from_millis(50);
const RELEASED_AFTER_KILL: Duration = Duration::from_millis(300);
/// A player that was told to end, or to pause, has done so after this time, on a busy machine too.
const HALTS_WITHIN: Duration = Duration::from_secs(5);

const LEFT_PRESSED: &str = "the button was left pressed";

/// The watch page's socket, by which its buttons speak. A second browser would cost more than the game.
struct Buttons(WebSocket<MaybeTlsStream<TcpStream>>);

impl Buttons {
    /// `None` where the player is not there any more.
    fn of(play: &mut Run) -> Option<Buttons> {
        let url = play.watch_url();
        let (origin, token) = url.split_once("/?").expect("an address with a token");
        let address = format!("{}/ws?{token}", origin.replace("http://", "ws://"));
        let mut request = address.into_client_request().expect("the socket's address");
        let origin = HeaderValue::from_str(origin).expect("the page's origin");
        request.headers_mut().insert("Origin", origin);
        match connect(request) {
            Ok((socket, _)) => Some(Buttons(socket)),
            Err(_) if within(HALTS_WITHIN, || play.has_ended()) => None,
            Err(error) => panic!("the watch page of a player that runs: {error}"),
        }
    }

    fn click(&mut self, name: &str) {
        let message = Message::text(format!(r#"{{"type":"{name}"}}"#));
        self.0.send(message).expect("the watch page's socket takes messages");
    }
}

/// What a stop is made with.
pub struct Hand<'a> {
    pub play: &'a mut Run,
    pub devtools: &'a mut Devtools,
    pub pointer: &'a Pointer,
}

/// A player that was halted.
pub struct Halted {
    by: Way,
    buttons: Option<Buttons>,
    pub stop: Stop,
}

impl Hand<'_> {
    /// Halts the player at the moment and looks whether it obeys; `None` where the moment did not come.
    pub fn halt(&mut self, by: Way, when: Moment, told: String, ply: usize) -> Option<Halted> {
        let mut buttons = match by {
            Way::PagePause | Way::PageStop => Some(Buttons::of(self.play)?),
            _ => None,
        };
        match when {
            Moment::Any => {}
            Moment::InDrag => self.sees_drag().then_some(())?,
            Moment::UnderToast => {
                self.devtools.run(&toast(TOAST.iter().sum()));
                sleep(Duration::from_millis(TOAST[0]));
            }
        }
        let paused_before = self.pauses_told();
        let (at, at_ms) = (Instant::now(), unix_ms());
        match by {
            Way::KeyQ => self.play.press(Key::Q),
            Way::KeyP => self.play.press(Key::P),
            Way::KeyCtrlC => self.play.press(Key::CtrlC),
            Way::PagePause => buttons.as_mut()?.click("pause"),
            Way::PageStop => buttons.as_mut()?.click("stop"),
            Way::Interrupt => self.play.signal(Signal::INT),
            Way::Terminate => self.play.signal(Signal::TERM),
            Way::HangUp => self.play.close_terminal(),
            Way::Kill => self.play.signal(Signal::KILL),
        }
        let mut wrong = Vec::new();
        match by.pauses() {
            true => sleep(RELEASED_WITHIN),
            false => self.ends(by, at, &mut wrong),
        }
        if self.pointer.button_is_down() {
            wrong.push(LEFT_PRESSED.to_owned());
        }
        if by.pauses() && !within(HALTS_WITHIN, || self.pauses_told() > paused_before) {
            wrong.push("no pause was told".to_owned());
        }
        let stop = Stop {
            ply,
            what: told,
            at_ms,
            wrong,
            ..Stop::default()
        };
        Some(Halted { by, buttons, stop })
    }

    /// Waits for the player's end, and for the time within which the button must be up.
    fn ends(&mut self, by: Way, at: Instant, wrong: &mut Vec<String>) {
        if !within(HALTS_WITHIN, || self.play.has_ended()) {
            wrong.push("it did not end".to_owned());
            self.play.signal(Signal::KILL);
            within(HALTS_WITHIN, || self.play.has_ended());
        }
        let code = self.play.ended().and_then(|status| status.code());
        if !matches!(by, Way::HangUp | Way::Kill) && code != Some(3) {
            wrong.push(format!("its exit status was {code:?}"));
        }
        let end = at + RELEASED_AFTER_KILL;
        match by {
            Way::Kill => sleep(end.saturating_duration_since(Instant::now())),
            _ => sleep(RELEASED_WITHIN),
        }
    }

    fn sees_drag(&self) -> bool {
        let deadline = Instant::now() + DRAG_WITHIN;
        while Instant::now() < deadline {
            if self.pointer.button_is_down() {
                return true;
            }
            sleep(LOOK_FOR_DRAG_EVERY);
        }
        false
    }

    fn pauses_told(&self) -> usize {
        self.play.said().matches("PAUSED").count()
    }

    /// What is over: from now on presses are the player's again.
    pub fn undo(&mut self, halted: &mut Halted) {
        let wrong = &mut halted.stop.wrong;
        if self.pointer.button_is_down() && !wrong.iter().any(|what| what == LEFT_PRESSED) {
            wrong.push("the button was pressed meanwhile".to_owned());
        }
        halted.stop.until_ms = unix_ms();
        match (halted.by, &mut halted.buttons) {
            (Way::KeyP, _) => self.play.press(Key::P),
            (Way::PagePause, Some(buttons)) => buttons.click("resume"),
            _ => {}
        }
    }
}

fn within(time: Duration, mut done: impl FnMut() -> bool) -> bool {
    let deadline = Instant::now() + time;
    while !done() {
        if Instant::now() > deadline {
            return false;
        }
        sleep(Duration::from_millis(5));
    }
    true
}
