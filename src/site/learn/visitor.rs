//! Who asks: a cookie says it, and a guest is made of whoever has none.

use super::{Learn, trouble};
use crate::cookie::{self, KNOWN_FOR, LEARNER};
use axum::extract::FromRequestParts;
use axum::http::header::SET_COOKIE;
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use torres_frame::WallTime;
use torres_loopback::Doorkeeper;
use torres_store::{LearnerId, StoreError, Token};

/// A learner, and the cookie that their browser is to keep if it is new.
pub(super) struct Visitor {
    pub learner: LearnerId,
    fresh: Option<HeaderValue>,
}

impl Visitor {
    /// The answer, with the cookie where it is new.
    pub fn answered(self, answer: impl IntoResponse) -> Response {
        let mut answer = answer.into_response();
        if let Some(cookie) = self.fresh {
            answer.headers_mut().append(SET_COOKIE, cookie);
        }
        answer
    }
}

impl FromRequestParts<Learn> for Visitor {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, learn: &Learn) -> Result<Visitor, Response> {
        let store = &learn.0.store;
        let keeper = Doorkeeper::from_request_parts(parts, learn).await;
        let keeper = keeper.map_err(IntoResponse::into_response)?;
        let shown = cookie::token(&parts.headers, LEARNER);
        if let Some(token) = &shown
            && let Some(learner) = store.learner(token).await.map_err(failed)?
        {
            return Ok(Visitor { learner, fresh: None });
        }
        // A token of another of this machine's sites, all of which share their cookies, stays valid there too.
        let token = match shown {
            Some(token) => token,
            None => Token::random().map_err(|error| {
                tracing::error!("no guest can be made: {error}");
                trouble(
                    StatusCode::SERVICE_UNAVAILABLE,
                    "Not now",
                    "Please try again in a moment.",
                )
            })?,
        };
        let learner = store.make_learner(&token, WallTime::now()).await.map_err(failed)?;
        Ok(Visitor {
            learner,
            fresh: cookie::set(&keeper, LEARNER, &token, KNOWN_FOR),
        })
    }
}

/// The database failed: the person at the server is told why, the learner that it did not work.
pub(super) fn failed(error: StoreError) -> Response {
    tracing::error!("{error}");
    trouble(
        StatusCode::SERVICE_UNAVAILABLE,
        "Not now",
        "What you did could not be kept. Please try again in a moment.",
    )
}
