//! A page's inside, through Chromium's DevTools protocol (<https://chromedevtools.github.io/devtools-protocol/>): tests
//! hurt pages with it, and ask them what they show. Torres itself never looks in here.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use tokio_tungstenite::tungstenite::stream::MaybeTlsStream;
use tokio_tungstenite::tungstenite::{Message, WebSocket, connect};
use torres_desktop::Browser;

/// A connection to the one page of a browser that was opened with `devtools`.
pub struct Devtools {
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    last_id: u64,
}

impl Devtools {
    /// Connects to the browser's page.
    pub fn of(browser: &Browser) -> Devtools {
        let file = browser.profile().expect("a running browser").join("DevToolsActivePort");
        let port: u16 = crate::wait_for("the browser's DevTools", || {
            let text = std::fs::read_to_string(&file).ok()?;
            text.lines().next()?.parse().ok()
        });
        let url = crate::wait_for("the page in DevTools", || {
            let list: Value = serde_json::from_str(&get(port, "/json/list")?).ok()?;
            let page = list.as_array()?.iter().find(|target| target["type"] == "page")?.clone();
            page["webSocketDebuggerUrl"].as_str().map(str::to_owned)
        });
        let (socket, _) = connect(url).expect("DevTools takes connections");
        let mut devtools = Devtools { socket, last_id: 0 };
        crate::wait_for("the page to be loaded", || {
            let loaded = devtools.run("document.readyState === 'complete' && location.protocol !== 'about:'");
            (loaded == true).then_some(())
        });
        devtools
    }

    /// Runs a script in the page and returns its value, awaited if it is a promise. Panics where the script throws.
    pub fn run(&mut self, script: &str) -> Value {
        let arguments = json!({"expression": script, "returnByValue": true, "awaitPromise": true, "userGesture": true});
        let answer = self.call("Runtime.evaluate", arguments);
        assert!(answer["exceptionDetails"].is_null(), "{script}: {answer}");
        answer["result"]["value"].clone()
    }

    /// What a script says, or nothing while it cannot say it: its page is not there yet, or just goes.
    pub fn ask(&mut self, script: &str) -> Option<Value> {
        let arguments = json!({"expression": script, "returnByValue": true, "awaitPromise": true});
        let answer = self.answer("Runtime.evaluate", arguments).ok()?;
        answer["exceptionDetails"]
            .is_null()
            .then(|| answer["result"]["value"].clone())
    }

    /// Has every document of this page run a script before its own, from the next one on.
    pub fn run_in_each_document(&mut self, script: &str) {
        self.call("Page.enable", json!({}));
        self.call("Page.addScriptToEvaluateOnNewDocument", json!({"source": script}));
    }

    /// Loads the page again, as a user does.
    pub fn reload(&mut self) {
        self.call("Page.reload", json!({}));
    }

    /// Goes to another page.
    pub fn go_to(&mut self, url: &str) {
        self.call("Page.navigate", json!({"url": url}));
    }

    /// Does something with the mouse at a place of the page, in CSS pixels: `mouseMoved`, or the left button
    /// `mousePressed` or `mouseReleased`.
    pub fn mouse(&mut self, kind: &str, (x, y): (f64, f64)) {
        let button = if kind == "mouseMoved" { "none" } else { "left" };
        let count = u8::from(kind != "mouseMoved");
        let arguments = json!({"type": kind, "x": x, "y": y, "button": button, "clickCount": count});
        self.call("Input.dispatchMouseEvent", arguments);
    }

    /// Shows the page as on a screen of this size in CSS pixels, with the light or the dark scheme.
    pub fn screen(&mut self, (width, height): (u32, u32), dark: bool) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", size);
        let scheme = if dark { "dark" } else { "light" };
        let media = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        self.call("Emulation.setEmulatedMedia", media);
    }

    /// Presses a key by its name, such as `Enter`, `Tab` or `ArrowUp`.
    pub fn key(&mut self, name: &str) {
        let text = if name == "Enter" { "\r" } else { "" };
        let code = match name {
            "Tab" => 9,
            "Enter" => 13,
            "Home" => 36,
            _ => 0,
        };
        for kind in ["keyDown", "keyUp"] {
            let text = if kind == "keyDown" { text } else { "" };
            let arguments =
                json!({"type": kind, "key": name, "code": name, "windowsVirtualKeyCode": code, "text": text});
            self.call("Input.dispatchKeyEvent", arguments);
        }
    }

    /// Clicks in the middle of the first element of that selector.
    pub fn click(&mut self, selector: &str) {
        let at = self.run(&format!(
            "(() => {{ const e = document.querySelector({selector:?}); e.scrollIntoView({{block: 'nearest'}}); \
             const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()"
        ));
        self.click_at((at[0].as_f64().expect("a place"), at[1].as_f64().expect("a place")));
    }

    /// Clicks at a place of the page, in CSS pixels.
    pub fn click_at(&mut self, at: (f64, f64)) {
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            self.mouse(kind, at);
        }
    }

    /// Taps a place of the page with a finger, in CSS pixels.
    pub fn tap(&mut self, (x, y): (f64, f64)) {
        self.call("Emulation.setTouchEmulationEnabled", json!({"enabled": true}));
        for (kind, points) in [("touchStart", json!([{"x": x, "y": y}])), ("touchEnd", json!([]))] {
            self.call("Input.dispatchTouchEvent", json!({"type": kind, "touchPoints": points}));
        }
    }

    /// Types a text where the page's cursor is.
    pub fn type_text(&mut self, text: &str) {
        self.call("Input.insertText", json!({"text": text}));
    }

    /// What the page looks like, as PNG.
    pub fn picture(&mut self) -> Vec<u8> {
        let answer = self.call("Page.captureScreenshot", json!({"format": "png"}));
        let text = answer["data"].as_str().expect("a picture");
        STANDARD.decode(text).expect("a picture in base64")
    }

    /// Calls a method of the protocol.
    fn call(&mut self, method: &str, arguments: Value) -> Value {
        match self.answer(method, arguments) {
            Ok(result) => result,
            Err(error) => panic!("{method}: {error}"),
        }
    }

    /// The result of a method of the protocol, or why there is none.
    fn answer(&mut self, method: &str, arguments: Value) -> Result<Value, Value> {
        self.last_id += 1;
        let question = json!({"id": self.last_id, "method": method, "params": arguments});
        self.socket
            .send(Message::text(question.to_string()))
            .expect("DevTools takes questions");
        loop {
            let Message::Text(text) = self.socket.read().expect("DevTools answers") else {
                continue;
            };
            let answer: Value = serde_json::from_str(&text).expect("DevTools speaks JSON");
            if answer["id"] == self.last_id {
                return match answer["error"].is_null() {
                    true => Ok(answer["result"].clone()),
                    false => Err(answer["error"].clone()),
                };
            }
        }
    }
}

/// The body of an answer over HTTP; its length is announced, and the connection stays open.
fn get(port: u16, path: &str) -> Option<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    write!(stream, "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n").ok()?;
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        match line.trim_end().split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => length = value.trim().parse().ok()?,
            Some(_) => {}
            None if line.trim_end().is_empty() => break,
            None => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    String::from_utf8(body).ok()
}
