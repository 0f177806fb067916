//! A page served on loopback that reports the events it received: the judge of what the mouse did.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// Sends every mouse event to the server, in order, with the target's id and the place in the window's content.
///
/// `ready` comes with the first picture that has some content, since Chromium drops all input before that.
const REPORT: &str = r#"<script>
let sent = Promise.resolve();
function report(event) {
  sent = sent.then(() => fetch('/event', {method: 'POST', body: JSON.stringify(event)}));
}
for (const type of ['mousedown', 'mouseup', 'click', 'mousemove'])
  addEventListener(type, e => report({type, id: e.target.id, x: e.clientX, y: e.clientY, buttons: e.buttons}));
new PerformanceObserver(list => {
  for (const entry of list.getEntriesByName('first-contentful-paint'))
    requestAnimationFrame(() => report({type: 'ready', width: innerWidth, height: innerHeight}));
}).observe({type: 'paint', buffered: true});
</script>"#;

/// Something to paint in a corner where no test looks: coloured boxes alone do not count as content.
const CORNER: &str = "<small style='position:fixed;right:0;bottom:0'>Torres</small>";

/// A page and the events that it has reported so far.
pub struct Page {
    url: String,
    events: Arc<Mutex<Vec<Value>>>,
}

impl Page {
    /// Serves a page with this title and body until the process ends.
    pub fn serve(title: &str, body: &str) -> Page {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port on loopback");
        let url = format!("http://{}/", listener.local_addr().expect("its address"));
        let html = format!("<!doctype html><meta charset=utf-8><title>{title}</title>{body}{CORNER}{REPORT}");
        let events = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&events);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (html, log) = (html.clone(), Arc::clone(&log));
                std::thread::spawn(move || answer(stream, &html, &log));
            }
        });
        Page { url, events }
    }

    /// Where it is served.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// All events reported so far, in order.
    pub fn events(&self) -> Vec<Value> {
        self.events.lock().expect("the log").clone()
    }

    /// The events of that type reported so far.
    pub fn events_of(&self, kind: &str) -> Vec<Value> {
        let mut events = self.events();
        events.retain(|event| event["type"] == kind);
        events
    }

    /// Waits until the page has reported so many events of a type, and returns them.
    pub fn wait_for(&self, kind: &str, count: usize) -> Vec<Value> {
        crate::wait_for(&format!("{count} × {kind} from the page"), || {
            let events = self.events_of(kind);
            (events.len() >= count).then_some(events)
        })
    }
}

/// Answers the requests of one connection, one after the other.
fn answer(stream: TcpStream, html: &str, log: &Mutex<Vec<Value>>) {
    let mut reader = BufReader::new(&stream);
    loop {
        let mut request = String::new();
        let mut length = 0;
        if reader.read_line(&mut request).unwrap_or(0) == 0 {
            return;
        }
        loop {
            let mut header = String::new();
            if reader.read_line(&mut header).unwrap_or(0) == 0 {
                return;
            }
            let header = header.trim().to_lowercase();
            if header.is_empty() {
                break;
            }
            if let Some(value) = header.strip_prefix("content-length:") {
                length = value.trim().parse().unwrap_or(0);
            }
        }
        let mut body = vec![0; length];
        if reader.read_exact(&mut body).is_err() {
            return;
        }
        let (status, text) = if request.starts_with("POST") {
            if let Ok(event) = serde_json::from_slice(&body) {
                log.lock().expect("the log").push(event);
            }
            ("200 OK", "")
        } else if request.starts_with("GET / ") {
            ("200 OK", html)
        } else {
            ("404 Not Found", "")
        };
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: text/html\r\nCache-Control: no-store\r\nContent-Length: {}\r\n\r\n",
            text.len()
        );
        if (&stream).write_all(head.as_bytes()).is_err() || (&stream).write_all(text.as_bytes()).is_err() {
            return;
        }
    }
}
