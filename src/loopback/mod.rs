//! Whom a server answers. Mostly it is one's own browser on this machine: checks keep other sites' pages and foreign
//! names out. A server that others may reach has checks of its own, in the same place. What is served, and who is told
//! what, is the business of the room that serves.

use axum::Router;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::header::{HOST, ORIGIN};
use axum::http::request::Parts;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use tokio::net::TcpListener;

/// A listener on the loopback address.
#[derive(Debug)]
pub struct Loopback {
    /// Takes the connections.
    pub listener: TcpListener,
    /// The port that is listened on.
    pub port: u16,
    /// Whom it answers.
    pub keeper: Doorkeeper,
}

/// Listens on the loopback address; port 0 takes a free one. Must be called on a runtime.
///
/// # Errors
/// The port is taken.
pub async fn listen(port: u16) -> io::Result<Loopback> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
    let port = listener.local_addr()?.port();
    Ok(Loopback {
        listener,
        port,
        keeper: Doorkeeper(Reach::Loopback { port }),
    })
}

/// Knows which requests are meant for this server, and which come from its own pages. The handlers behind its
/// [guard](Doorkeeper::guard) may ask for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doorkeeper(Reach);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Reach {
    /// This machine, on this port.
    Loopback { port: u16 },
    /// Whoever finds the way.
    Network { tls: bool, names: Arc<[String]> },
}

impl Doorkeeper {
    /// One for a server that others may reach, with TLS or without, under these names.
    ///
    /// A page of another site, whose name is made to resolve to this server, must not be taken for our own. With TLS
    /// the certificate keeps it out. Without, requests must name the server by a number, by `localhost` or by one of
    /// the names.
    pub fn of_network(tls: bool, names: impl IntoIterator<Item = String>) -> Doorkeeper {
        let names = names.into_iter().collect();
        Doorkeeper(Reach::Network { tls, names })
    }

    /// Whether what passes is encrypted all the way.
    pub fn has_tls(&self) -> bool {
        matches!(self.0, Reach::Network { tls: true, .. })
    }

    /// Refuses, with 403, whatever is not asked of this server by its own name. A foreign name that resolves to this
    /// machine is not ours: no other site's script may read the page through it.
    pub fn guard(&self, router: Router) -> Router {
        router.layer(middleware::from_fn_with_state(self.clone(), only_our_host))
    }

    /// Whether the server's own page sent a request: any other page's browser names another origin, or none.
    pub fn is_own_page(&self, headers: &HeaderMap) -> bool {
        let scheme = if self.has_tls() { "https" } else { "http" };
        let ours = self.authority(headers).map(|host| format!("{scheme}://{host}"));
        let origin = headers.get(ORIGIN).and_then(|value| value.to_str().ok());
        ours.is_some() && ours.as_deref() == origin
    }

    /// The request's `Host` if it names this server.
    fn authority<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        let host = headers.get(HOST)?.to_str().ok()?;
        let ours = match &self.0 {
            Reach::Loopback { port } => {
                let (name, port_text) = host.rsplit_once(':').unwrap_or((host, "80"));
                matches!(name, "127.0.0.1" | "localhost") && port_text.parse() == Ok(*port)
            }
            Reach::Network { tls, names } => {
                let named: Authority = host.parse().ok()?;
                let name = named.host().trim_start_matches('[').trim_end_matches(']');
                let rest = host.strip_prefix(named.host())?;
                let has_port = || rest.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok());
                let is_known = || {
                    let known = names.iter().map(String::as_str).chain(["localhost"]);
                    name.parse::<IpAddr>().is_ok() || known.into_iter().any(|known| known.eq_ignore_ascii_case(name))
                };
                !name.is_empty() && (rest.is_empty() || has_port()) && (*tls || is_known())
            }
        };
        ours.then_some(host)
    }
}

/// The doorkeeper that let a request in.
impl<S: Sync> FromRequestParts<S> for Doorkeeper {
    type Rejection = StatusCode;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Doorkeeper, StatusCode> {
        let keeper = parts.extensions.get::<Doorkeeper>();
        keeper.cloned().ok_or(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

async fn only_our_host(State(keeper): State<Doorkeeper>, mut request: Request, next: Next) -> Response {
    if keeper.authority(request.headers()).is_none() {
        return (StatusCode::FORBIDDEN, "this address serves its own page only\n").into_response();
    }
    request.extensions_mut().insert(keeper);
    next.run(request).await
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

    fn of_loopback(port: u16) -> Doorkeeper {
        Doorkeeper(Reach::Loopback { port })
    }

    #[test]
    fn only_the_page_of_this_very_server_is_its_own() {
        let keeper = of_loopback(8017);
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
        assert!(of_loopback(80).is_own_page(&headers(Some("localhost"), Some("http://localhost"))));
    }

    #[test]
    fn a_server_for_others_knows_its_pages_by_number_or_name() {
        let plain = Doorkeeper::of_network(false, ["Chess.Club".to_owned()]);
        let own = |host: &str, origin: &str| plain.is_own_page(&headers(Some(host), Some(origin)));
        for host in [
            "192.0.2.7:8443",
            "192.0.2.7",
            "[2001:db8::1]:8443",
            "localhost:1",
            "chess.club:80",
        ] {
            assert!(own(host, &format!("http://{host}")), "{host}");
            assert!(!own(host, &format!("https://{host}")) && !own(host, "null"), "{host}");
        }
        for host in [
            "evil.example:8443",
            "",
            "a@192.0.2.7",
            "192.0.2.7:x",
            "[]:1",
            "chess.club.evil.example",
        ] {
            assert!(!own(host, &format!("http://{host}")), "{host}");
        }
        let tls = Doorkeeper::of_network(true, []);
        let own = |host: &str, origin: &str| tls.is_own_page(&headers(Some(host), Some(origin)));
        assert!(own("chess.example", "https://chess.example"));
        assert!(!own("chess.example", "http://chess.example") && !own("chess.example", "https://evil.example"));
    }
}
