//! What every request to the hall may use, and who sent it.

use super::accounts::{LogIns, Trier};
use super::hall::{Hall, HallError};
use super::person::{NAMELESS, Person, PersonId};
use super::protocol::{self, ToClient};
use axum::body::Bytes;
use axum::extract::{ConnectInfo, FromRequest, FromRequestParts, Request};
use axum::http::header::{CONTENT_TYPE, HeaderValue, SET_COOKIE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::net::SocketAddr;
use std::sync::Arc;
use torres_frame::WallTime;
use torres_loopback::Doorkeeper;
use torres_site::cookie::{self, KNOWN_FOR, LEARNER};
use torres_store::{KeptAccount, LearnerId, Token};

/// The longest request to make a game, in bytes.
pub(super) const LONGEST_REQUEST: usize = 4 * 1024;
/// The cookie by which a browser is known in which somebody has logged in.
pub(super) const BROWSER: &str = "torres_browser";

/// What every request may use.
#[derive(Clone)]
pub(super) struct Doors {
    pub hall: Arc<Hall>,
    pub log_ins: Arc<LogIns>,
    /// Where others come in.
    pub elsewhere: Option<Arc<str>>,
}

/// A request that cannot be followed, and why.
pub(super) struct Refused(pub StatusCode, pub String);

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        json(self.0, &ToClient::Error { message: self.1 })
    }
}

impl From<torres_store::StoreError> for Refused {
    fn from(error: torres_store::StoreError) -> Refused {
        Refused(StatusCode::SERVICE_UNAVAILABLE, error.to_string())
    }
}

impl From<HallError> for Refused {
    fn from(error: HallError) -> Refused {
        let status = match error {
            HallError::Clock(_) => StatusCode::BAD_REQUEST,
            _ => StatusCode::SERVICE_UNAVAILABLE,
        };
        Refused(status, error.to_string())
    }
}

pub(super) fn json(status: StatusCode, body: &impl Serialize) -> Response {
    let body = serde_json::to_string(body).unwrap_or_default();
    (status, [(CONTENT_TYPE, "application/json")], body).into_response()
}

#[derive(Serialize)]
struct Done {
    done: bool,
}

pub(super) fn done() -> Response {
    json(StatusCode::OK, &Done { done: true })
}

pub(super) fn bad(why: &str) -> Refused {
    let why = torres_printing::shortened(why, 300);
    Refused(StatusCode::BAD_REQUEST, why)
}

pub(super) fn too_often() -> Refused {
    Refused(StatusCode::TOO_MANY_REQUESTS, "too many tries; wait a minute".into())
}

pub(super) fn unavailable(why: String) -> Refused {
    Refused(StatusCode::SERVICE_UNAVAILABLE, why)
}

/// A request of the site's own page, and who let it in.
pub(super) struct OwnPage(pub Doorkeeper);

impl FromRequestParts<Doors> for OwnPage {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, doors: &Doors) -> Result<OwnPage, Refused> {
        let keeper = Doorkeeper::from_request_parts(parts, doors).await;
        let why = "only the site's own page may ask this";
        keeper
            .ok()
            .filter(|keeper| keeper.is_own_page(&parts.headers))
            .map(OwnPage)
            .ok_or_else(|| Refused(StatusCode::FORBIDDEN, why.into()))
    }
}

/// What a page of the site's own sends.
pub(super) struct OwnPost {
    /// Who let it in.
    pub keeper: Doorkeeper,
    /// Its head.
    pub headers: HeaderMap,
    /// Where it comes from.
    pub address: SocketAddr,
    /// What it says.
    pub body: Bytes,
}

impl FromRequest<Doors> for OwnPost {
    type Rejection = Refused;

    async fn from_request(request: Request, doors: &Doors) -> Result<OwnPost, Refused> {
        let (mut parts, body) = request.into_parts();
        let OwnPage(keeper) = OwnPage::from_request_parts(&mut parts, doors).await?;
        let peer = ConnectInfo::from_request_parts(&mut parts, doors).await;
        let ConnectInfo(address) = peer.map_err(|error| unavailable(error.to_string()))?;
        let headers = parts.headers.clone();
        let body = Bytes::from_request(Request::from_parts(parts, body), doors).await;
        Ok(OwnPost {
            keeper,
            headers,
            address,
            body: body.map_err(|error| Refused(error.status(), error.body_text()))?,
        })
    }
}

/// Who sent a request.
pub(super) struct Visitor {
    pub learner: LearnerId,
    /// The account, if there is one.
    pub account: Option<KeptAccount>,
    /// The cookie that the browser does not have yet.
    fresh: Option<HeaderValue>,
}

impl Visitor {
    /// What the account is called, if there is one.
    pub fn account_name(&self) -> Option<&str> {
        self.account.as_ref().map(|account| account.name.as_str())
    }

    pub fn person(&self, name: Option<String>, program: bool) -> Person {
        let account = self.account_name().map(str::to_owned);
        Person {
            id: PersonId(self.learner.as_str().to_owned()),
            guest: account.is_none(),
            name: account.or(name).unwrap_or_else(|| NAMELESS.into()),
            program,
        }
    }

    /// Gives the browser its cookie along with an answer.
    pub fn greet(&self, answer: Response) -> Response {
        with_cookie(answer, self.fresh.clone())
    }
}

pub(super) fn with_cookie(mut answer: Response, cookie: Option<HeaderValue>) -> Response {
    if let Some(cookie) = cookie {
        answer.headers_mut().append(SET_COOKIE, cookie);
    }
    answer
}

impl Doors {
    /// Of this hall; others come in at `elsewhere`.
    pub fn new(hall: Arc<Hall>, elsewhere: Option<&str>) -> Doors {
        Doors {
            hall,
            log_ins: Arc::new(LogIns::new()),
            elsewhere: elsewhere.map(Arc::from),
        }
    }

    /// Who tries a password at an account.
    pub async fn trier(&self, asked: &OwnPost, account: &KeptAccount) -> Result<Trier, Refused> {
        let known = match cookie::token(&asked.headers, BROWSER) {
            Some(token) => self.hall.store().knows_browser(&token, &account.learner).await?,
            None => false,
        };
        Ok(match known {
            true => Trier::Known(account.learner.as_str().to_owned()),
            false => Trier::at(asked.address.ip()),
        })
    }

    /// The name that a guest wants, if it is one that they may have: an account's name is its own.
    pub async fn guest_name(&self, visitor: &Visitor, wanted: Option<&str>) -> Result<Option<String>, Refused> {
        let Some(name) = wanted
            .and_then(protocol::cleaned_name)
            .filter(|_| visitor.account.is_none())
        else {
            return Ok(None);
        };
        match self.hall.store().account_named(&name).await? {
            None => Ok(Some(name)),
            Some(_) => {
                let why = format!("{name} is the name of an account; log in to use it, or choose another");
                Err(Refused(StatusCode::CONFLICT, why))
            }
        }
    }

    /// Whether a password is an account's.
    pub async fn fits(&self, who: &Trier, account: &KeptAccount, password: String) -> Result<bool, Refused> {
        if !self.log_ins.allows(who, &account.name) {
            return Err(too_often());
        }
        let fits = self.log_ins.fits(who, password, account.password.clone()).await;
        if fits {
            self.log_ins.forgive(who, &account.name);
        }
        Ok(fits)
    }

    /// Lets the browser be a learner's from now on, and be known to them for longer.
    pub async fn logged_in(
        &self,
        keeper: &Doorkeeper,
        learner: &LearnerId,
        is_known: bool,
    ) -> Result<Response, Refused> {
        let token = || Token::random().map_err(|error| unavailable(error.to_string()));
        let (session, browser) = (token()?, token()?);
        let now = WallTime::now();
        let store = self.hall.store();
        store.make_session(&session, learner, now, now + KNOWN_FOR).await?;
        let answer = with_cookie(done(), cookie::set(keeper, LEARNER, &session, KNOWN_FOR));
        if is_known {
            return Ok(answer);
        }
        store.know_browser(&browser, learner, now).await?;
        Ok(with_cookie(answer, cookie::set(keeper, BROWSER, &browser, KNOWN_FOR)))
    }

    /// Who has the token that a request shows.
    pub async fn known(&self, headers: &HeaderMap) -> Result<Option<Visitor>, Refused> {
        let store = self.hall.store();
        let Some(token) = cookie::token(headers, LEARNER) else {
            return Ok(None);
        };
        let Some(learner) = store.learner(&token).await? else {
            return Ok(None);
        };
        Ok(Some(Visitor {
            account: store.account_of(&learner).await?,
            learner,
            fresh: None,
        }))
    }

    /// Who has the token that a request shows; a new learner where there is none.
    pub async fn visitor(&self, keeper: &Doorkeeper, headers: &HeaderMap) -> Result<Visitor, Refused> {
        if let Some(visitor) = self.known(headers).await? {
            return Ok(visitor);
        }
        let store = self.hall.store();
        let token = Token::random().map_err(|error| unavailable(error.to_string()))?;
        let learner = store.make_learner(&token, WallTime::now()).await?;
        Ok(Visitor {
            learner,
            account: None,
            fresh: cookie::set(keeper, LEARNER, &token, KNOWN_FOR),
        })
    }
}
