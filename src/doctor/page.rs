//! A page of the doctor's own, served on loopback: it shows two squares and reports what it received of the mouse.

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse};
use axum::routing::{get, post};
use serde::Deserialize;
use std::sync::mpsc::{Receiver, Sender, channel};
use tokio::runtime::Runtime;
use torres_loopback::{self as loopback, Doorkeeper, Loopback};

/// The longest report that the page may send, in bytes.
const MAX_REPORT: usize = 4096;
/// The squares' colours as the page has them.
pub(super) const FROM_COLOR: [u8; 3] = [0xd0, 0x00, 0x6f];
pub(super) const TO_COLOR: [u8; 3] = [0x00, 0x57, 0xd0];

/// A square of the page, in its own (CSS) pixels.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub(super) struct PageSquare {
    pub x: f64,
    pub y: f64,
    pub side: f64,
}

/// What the page says when it is shown.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(super) struct Ready {
    pub from: PageSquare,
    pub to: PageSquare,
    /// Captured pixels per pixel of the page, as the browser has it.
    pub ratio: f64,
    /// The browser's.
    pub version: String,
}

/// A button went down or up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    Down,
    Up,
}

/// What the page received, at a place in its own pixels.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub(super) struct Event {
    #[serde(rename = "type")]
    pub kind: Kind,
    pub x: f64,
    pub y: f64,
    /// The page's number for it: 0 is the left one.
    pub button: i32,
}

/// What the page reports.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(super) enum Report {
    Ready(Ready),
    #[serde(untagged)]
    Touched(Event),
}

/// The page, served as long as this is there.
pub(super) struct Page {
    pub url: String,
    pub reports: Receiver<Report>,
    _runtime: Runtime,
}

#[derive(Clone)]
struct Doors {
    keeper: Doorkeeper,
    reports: Sender<Report>,
}

impl Page {
    /// Serves it on a free port.
    pub(crate) fn serve() -> std::io::Result<Page> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()?;
        let (tell, reports) = channel();
        let Loopback { listener, port, keeper } = runtime.block_on(loopback::listen(0))?;
        let url = format!("http://127.0.0.1:{port}/");
        let doors = Doors {
            keeper: keeper.clone(),
            reports: tell,
        };
        let router = Router::new()
            .route("/", get(page))
            .route("/report", post(report))
            .layer(DefaultBodyLimit::max(MAX_REPORT))
            .with_state(doors);
        let router = keeper.guard(router);
        runtime.spawn(async move {
            // Without a server no report comes, which is told.
            let _ = axum::serve(listener, router).await;
        });
        Ok(Page {
            url,
            reports,
            _runtime: runtime,
        })
    }
}

async fn page() -> impl IntoResponse {
    let headers = [(CACHE_CONTROL, "no-store"), (CONTENT_TYPE, "text/html; charset=utf-8")];
    (headers, Html(include_str!("assets/page.html")))
}

async fn report(State(doors): State<Doors>, headers: HeaderMap, body: Bytes) -> StatusCode {
    if !doors.keeper.is_own_page(&headers) {
        return StatusCode::FORBIDDEN;
    }
    match serde_json::from_slice(&body) {
        Ok(report) => {
            // Nobody listens any more when the doctor has seen enough.
            let _ = doors.reports.send(report);
            StatusCode::NO_CONTENT
        }
        Err(_) => StatusCode::BAD_REQUEST,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_read_and_the_colours_are_the_pages() {
        let ready =
            r#"{"type":"ready","from":{"x":1,"y":2,"side":3},"to":{"x":4,"y":5,"side":3},"ratio":1.5,"version":"1.2"}"#;
        assert!(matches!(serde_json::from_str(ready), Ok(Report::Ready(Ready { ratio, .. })) if ratio == 1.5));
        let up: Report = serde_json::from_str(r#"{"type":"up","x":1.5,"y":2,"button":2}"#).unwrap();
        let expected = Event {
            kind: Kind::Up,
            x: 1.5,
            y: 2.0,
            button: 2,
        };
        assert_eq!(up, Report::Touched(expected));
        let html = include_str!("assets/page.html");
        for [red, green, blue] in [FROM_COLOR, TO_COLOR] {
            assert!(html.contains(&format!("#{red:02x}{green:02x}{blue:02x}")));
        }
    }
}
