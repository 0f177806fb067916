//! What every page but the practice board has around it: head, header, stylesheets, policy.

use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use maud::{DOCTYPE, Markup, html};

/// Only what this server itself serves may be loaded, spoken to or run; no script or style stands in a page. Pieces are
/// `data:` images of chessground's stylesheet.
const POLICY: &str = "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; \
                      frame-ancestors 'none'; object-src 'none'";

/// What a page with a board shows it with.
const BOARD: [&str; 3] = [
    "/vendor/chessground/chessground.base.css",
    "/vendor/chessground/chessground.cburnett.css",
    "/board.css",
];

/// Where in the site a page belongs: a link of the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// The lessons, and the coordinates trainer.
    Learn,
    /// The puzzles.
    Puzzles,
    /// Games against computers.
    Play,
    /// Games of two people.
    People,
    /// The account.
    Account,
}

/// The header's links.
const SECTIONS: [(Section, &str, &str); 5] = [
    (Section::Learn, "/learn", "Learn"),
    (Section::Puzzles, "/puzzles", "Puzzles"),
    (Section::Play, "/play", "Play"),
    (Section::People, "/people", "People"),
    (Section::Account, "/account", "Account"),
];

/// A page of the site.
#[derive(Debug)]
pub struct Page<'a> {
    /// What stands in the browser's tab, before the site's name.
    pub title: &'a str,
    /// Which link of the header is marked.
    pub section: Section,
    /// Stylesheets beside the one that all pages have, and a board's.
    pub styles: &'a [&'a str],
    /// The module that moves what moves on it.
    pub script: Option<&'a str>,
    /// Whether there is a board on it.
    pub board: bool,
    /// What is in its middle.
    pub main: Markup,
}

impl IntoResponse for Page<'_> {
    fn into_response(self) -> Response {
        served("text/html; charset=utf-8", self.markup().into_string())
    }
}

impl Page<'_> {
    fn markup(&self) -> Markup {
        let board = BOARD.iter().filter(|_| self.board);
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (self.title) " · Torres" }
                    link rel="icon" href="/icon.svg";
                    link rel="stylesheet" href="/base.css";
                    @for style in board.chain(self.styles) { link rel="stylesheet" href=(style); }
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
                                a href=(address) aria-current=[(section == self.section).then_some("true")] { (name) }
                            }
                        }
                    }
                    main id="main" { (self.main) }
                }
            }
        }
    }
}

/// A page that says what is not there, or did not work, and where to go on.
pub fn trouble(
    section: Section,
    status: StatusCode,
    title: &str,
    what: &str,
    (address, way): (&str, &str),
) -> Response {
    let page = Page {
        title,
        section,
        styles: &[],
        script: None,
        board: false,
        main: html! {
            div class="narrow" {
                h1 { (title) }
                p { (what) }
                p { a class="button" href=(address) { (way) } }
            }
        },
    };
    (status, page).into_response()
}

/// A page or a file of one, as browsers are given it.
pub fn served(kind: &'static str, content: String) -> Response {
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static(kind)),
        (CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        // A game's address lets whoever knows it in: it is told to no other site.
        (REFERRER_POLICY, HeaderValue::from_static("same-origin")),
        // What a page shows belongs to one visitor, and changes.
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (headers, content).into_response()
}
