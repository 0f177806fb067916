//! Servers for one's own browser on this machine: what they answer, and to whom. Here live the checks that keep other
//! sites' pages and foreign names out; what is served, and who is told what, is the business of the room that serves.

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use std::io;
use std::net::Ipv4Addr;
use tokio::net::TcpListener;

/// Listens on the loopback address, and says on which port; port 0 takes a free one. Must be called on a runtime.
///
/// # Errors
/// The port is taken.
pub async fn listen(port: u16) -> io::Result<(TcpListener, Doorkeeper)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
    let port = listener.local_addr()?.port();
    Ok((listener, Doorkeeper { port }))
}

/// Knows which requests are meant for this server, and which come from its own page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Doorkeeper {
    port: u16,
}

impl Doorkeeper {
    /// The port that is listened on.
    pub fn port(self) -> u16 {
        self.port
    }

    /// Refuses, with 403, whatever is not asked of this server by its own name. A foreign name that resolves to this
    /// machine is not ours: no other site's script may read the page through it.
    pub fn guard(self, router: Router) -> Router {
        router.layer(middleware::from_fn_with_state(self, only_our_host))
    }

    /// Whether the server's own page sent a request: any other page's browser names another origin, or none.
    pub fn is_own_page(self, headers: &HeaderMap) -> bool {
        let ours = self.authority(headers).map(|host| format!("http://{host}"));
        let origin = headers.get(ORIGIN).and_then(|value| value.to_str().ok());
        ours.is_some() && ours.as_deref() == origin
    }

    /// The request's `Host` if it names this server.
    fn authority(self, headers: &HeaderMap) -> Option<&str> {
        let host = headers.get(HOST)?.to_str().ok()?;
        let (name, port_text) = host.rsplit_once(':').unwrap_or((host, "80"));
        (matches!(name, "127.0.0.1" | "localhost") && port_text.parse() == Ok(self.port)).then_some(host)
    }
}

async fn only_our_host(State(keeper): State<Doorkeeper>, request: Request, next: Next) -> Response {
    match keeper.authority(request.headers()) {
        Some(_) => next.run(request).await,
        None => (StatusCode::FORBIDDEN, "this address serves its own page only\n").into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(host: Option<&str>, origin: Option<&str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in [(HOST, host), (ORIGIN, origin)] {
            if let Some(value) = value {
                headers.insert(name, value.parse().unwrap());
            }
        }
        headers
    }

    #[test]
    fn only_the_page_of_this_very_server_is_its_own() {
        let keeper = Doorkeeper { port: 8017 };
        let own = |host, origin| keeper.is_own_page(&headers(host, origin));
        assert!(own(Some("127.0.0.1:8017"), Some("http://127.0.0.1:8017")));
        assert!(own(Some("localhost:8017"), Some("http://localhost:8017")));
        for (host, origin) in [
            (Some("127.0.0.1:8017"), None),
            (None, Some("http://127.0.0.1:8017")),
            (None, None),
            (Some("127.0.0.1:8017"), Some("http://127.0.0.1:8018")),
            (Some("127.0.0.1:8017"), Some("https://127.0.0.1:8017")),
            (Some("127.0.0.1:8018"), Some("http://127.0.0.1:8018")),
            (Some("evil.example:8017"), Some("http://evil.example:8017")),
            (Some("127.0.0.1"), Some("http://127.0.0.1")),
        ] {
            assert!(!own(host, origin), "{host:?} {origin:?}");
        }
        let http = Doorkeeper { port: 80 };
        assert!(http.is_own_page(&headers(Some("localhost"), Some("http://localhost"))));
    }
}
