//! Who asks: a cookie says it, and a guest is made of whoever has none.

use super::Learn;
use crate::layout::trouble;
use axum::extract::FromRequestParts;
use axum::http::header::{COOKIE, SET_COOKIE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use torres_frame::WallTime;
use torres_store::{LearnerId, StoreError, Token};

/// The cookie's name.
const COOKIE_NAME: &str = "torres_learner";

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
        let shown = token(&parts.headers);
        if let Some(token) = &shown
            && let Some(learner) = store.learner(token).await.map_err(failed)?
        {
            return Ok(Visitor { learner, fresh: None });
        }
        // A token of another of this machine's sites, all of which share their cookies, stays valid there too.
        let token = match shown {
            Some(token) => token,
            None => Token::random().map_err(|error| {
                eprintln!("no guest can be made: {error}");
                trouble(
                    StatusCode::SERVICE_UNAVAILABLE,
                    "Not now",
                    "Please try again in a moment.",
                )
            })?,
        };
        let learner = store.make_learner(&token, WallTime::now()).await.map_err(failed)?;
        let cookie = format!(
            "{COOKIE_NAME}={}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax",
            token.as_str()
        );
        Ok(Visitor {
            learner,
            fresh: HeaderValue::from_str(&cookie).ok(),
        })
    }
}

/// The token among the cookies.
fn token(headers: &HeaderMap) -> Option<Token> {
    let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    cookies
        .flat_map(|line| line.split(';'))
        .filter_map(|cookie| cookie.trim().split_once('='))
        .find(|(name, _)| *name == COOKIE_NAME)
        .and_then(|(_, token)| token.parse().ok())
}

/// The database failed: the person at the server is told why, the learner that it did not work.
pub(super) fn failed(error: StoreError) -> Response {
    eprintln!("{error}");
    trouble(
        StatusCode::SERVICE_UNAVAILABLE,
        "Not now",
        "What you did could not be kept. Please try again in a moment.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_is_found_among_other_cookies() {
        let made = Token::random().unwrap();
        let headers = |text: String| HeaderMap::from_iter([(COOKIE, HeaderValue::from_str(&text).unwrap())]);
        let found = |text: String| token(&headers(text));
        let (name, text) = (COOKIE_NAME, made.as_str());
        assert_eq!(found(format!("a=b; {name}={text}; c")), Some(made.clone()));
        for foreign in [
            format!("x{name}={text}"),
            format!("{name}={text}0"),
            format!("{name}="),
            "=".into(),
        ] {
            assert_eq!(found(foreign), None);
        }
    }
}
