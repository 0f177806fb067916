//! The page's files, part of the binary: nothing is fetched from anywhere else.

use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

/// A file under `assets/`, served at its path there.
macro_rules! asset {
    ($kind:expr, $file:literal) => {
        (concat!("/", $file), $kind, include_bytes!($file))
    };
}

/// Path, content type, content.
const ASSETS: &[(&str, &str, &[u8])] = &[
    ("/", HTML, include_bytes!("index.html")),
    asset!(CSS, "site.css"),
    asset!(SVG, "icon.svg"),
    asset!(CSS, "base.css"),
    asset!(CSS, "board.css"),
    asset!(CSS, "learn.css"),
    asset!(JS, "main.js"),
    asset!(JS, "board.js"),
    asset!(JS, "clocks.js"),
    asset!(JS, "connection.js"),
    asset!(JS, "controls.js"),
    asset!(JS, "observer.js"),
    asset!(JS, "panel.js"),
    asset!(JS, "promotion.js"),
    asset!(JS, "coordinates.js"),
    asset!(JS, "door.js"),
    asset!(JS, "keys.js"),
    asset!(JS, "lesson_board.js"),
    asset!(JS, "step.js"),
    asset!(JS, "vendor/chessground/chessground.min.js"),
    asset!(CSS, "vendor/chessground/chessground.base.css"),
    asset!(CSS, "vendor/chessground/chessground.cburnett.css"),
];

/// Only what this server itself serves may be loaded, spoken to or run; pieces and squares are `data:` images. Styles
/// may be inline: chessground asks for `color-scheme` so, and who tests with this page stages other looks of it so.
const POLICY: &str = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The file at `path`, if there is one.
pub fn serve(path: &str) -> Option<Response> {
    let &(_, kind, content) = ASSETS.iter().find(|(at, ..)| *at == path)?;
    // Another build of the site may serve another page from the same port.
    let headers = [
        (CONTENT_TYPE, kind),
        (CONTENT_SECURITY_POLICY, POLICY),
        (CACHE_CONTROL, "no-store"),
    ];
    Some((headers, content).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_the_page_names_is_served() {
        let mut named = 0;
        for (path, kind, content) in ASSETS.iter().filter(|(path, ..)| !path.contains("vendor")) {
            let text = String::from_utf8_lossy(content);
            let opening = if *kind == HTML {
                ["src=\"/", "href=\"/"]
            } else {
                ["from \"./", "import \"./"]
            };
            for target in opening.iter().flat_map(|opening| text.split(opening).skip(1)) {
                let target = target.split('"').next().unwrap();
                // A page that the server makes, not a file.
                if target == "learn" {
                    continue;
                }
                assert!(serve(&format!("/{target}")).is_some(), "{path} names {target}");
                named += 1;
            }
        }
        assert!(named >= 15, "only {named} references found");
    }
}
