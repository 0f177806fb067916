//! What every page but the game's has around it: head, header, stylesheet, policy.

use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use maud::{DOCTYPE, Markup, html};

/// Only what this server itself serves may be loaded, spoken to or run; no script or style stands in a page. Pieces are `data:`
/// images of chessground's stylesheet.
const POLICY: &str =
    "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// Where in the site a page belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    /// The lessons.
    Learn,
    /// The coordinates trainer.
    Coordinates,
    /// The puzzles.
    Puzzles,
}

/// The header's links.
const SECTIONS: [(Option<Section>, &str, &str); 5] = [
    (None, "/play", "Play"),
    (None, "/people", "People"),
    (Some(Section::Learn), "/learn", "Learn"),
    (Some(Section::Puzzles), "/puzzles", "Puzzles"),
    (Some(Section::Coordinates), "/learn/coordinates", "Coordinates"),
];

/// A page of the site.
pub(crate) struct Page<'a> {
    /// What stands in the browser's tab, before the site's name.
    pub title: &'a str,
    /// Which link of the header is marked.
    pub section: Section,
    /// The module that moves what moves on it.
    pub script: Option<&'static str>,
    /// Whether there is a board on it.
    pub board: bool,
    /// What is in its middle.
    pub main: Markup,
}

impl IntoResponse for Page<'_> {
    fn into_response(self) -> Response {
        answer(StatusCode::OK, self.markup())
    }
}

impl Page<'_> {
    fn markup(&self) -> Markup {
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (self.title) " · Torres" }
                    link rel="icon" href="/icon.svg";
                    @if self.board {
                        link rel="stylesheet" href="/vendor/chessground/chessground.base.css";
                        link rel="stylesheet" href="/vendor/chessground/chessground.cburnett.css";
                    }
                    link rel="stylesheet" href="/pages.css";
                    @if let Some(script) = self.script {
                        script type="module" src=(script) {}
                    }
                }
                body {
                    a class="skip" href="#main" { "Skip to the page" }
                    header class="site" {
                        a class="name" href="/learn" aria-label="Torres" {
                            img src="/icon.svg" alt="" width="28" height="28";
                            span { "Torres" }
                        }
                        nav aria-label="Site" {
                            @for (section, address, name) in SECTIONS {
                                a href=(address) aria-current=[(section == Some(self.section)).then_some("page")] { (name) }
                            }
                        }
                    }
                    main id="main" { (self.main) }
                }
            }
        }
    }
}

/// A page that says what is not there, or did not work.
pub(crate) fn trouble(status: StatusCode, title: &str, what: &str) -> Response {
    let page = Page {
        title,
        section: Section::Learn,
        script: None,
        board: false,
        main: html! {
            div class="narrow" {
                h1 { (title) }
                p { (what) }
                p { a class="button" href="/learn" { "To the lessons" } }
            }
        },
    };
    answer(status, page.markup())
}

fn answer(status: StatusCode, markup: Markup) -> Response {
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
        // What a page shows belongs to one learner, and changes.
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (status, headers, markup.into_string()).into_response()
}
