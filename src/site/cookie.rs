//! The cookie by which a browser is known to the pages of learning and of people.

use axum::http::header::{COOKIE, HeaderMap, HeaderValue};
use std::time::Duration;
use torres_loopback::Doorkeeper;
use torres_store::Token;

/// Who a browser's learner is.
pub const LEARNER: &str = "torres_learner";
/// How long a browser is known.
pub const KNOWN_FOR: Duration = Duration::from_secs(365 * 24 * 3600);

/// The token that a request shows under a name.
pub fn token(headers: &HeaderMap, name: &str) -> Option<Token> {
    let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    cookies
        .flat_map(|line| line.split(';'))
        .filter_map(|cookie| cookie.trim().split_once('='))
        .find(|(named, _)| *named == name)
        .and_then(|(_, token)| token.parse().ok())
}

/// What gives a browser a token for a time, as the value of `Set-Cookie`. No script reads it, no other site's page
/// sends it, and where there is TLS it never travels without.
pub fn set(keeper: &Doorkeeper, name: &str, token: &Token, time: Duration) -> Option<HeaderValue> {
    written(keeper, name, token.as_str(), time)
}

/// What takes a token from a browser.
pub fn unset(keeper: &Doorkeeper, name: &str) -> Option<HeaderValue> {
    written(keeper, name, "", Duration::ZERO)
}

fn written(keeper: &Doorkeeper, name: &str, value: &str, time: Duration) -> Option<HeaderValue> {
    let secure = if keeper.has_tls() { "; Secure" } else { "" };
    let seconds = time.as_secs();
    let cookie = format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    HeaderValue::from_str(&cookie).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_is_found_among_other_cookies() {
        let made = Token::random().unwrap();
        let headers = |text: String| HeaderMap::from_iter([(COOKIE, HeaderValue::from_str(&text).unwrap())]);
        let found = |text: String| token(&headers(text), LEARNER);
        let (name, text) = (LEARNER, made.as_str());
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

    #[test]
    fn where_there_is_tls_a_token_never_travels_without() {
        let token = Token::random().unwrap();
        for tls in [true, false] {
            let keeper = Doorkeeper::of_network(tls, []);
            let value = set(&keeper, LEARNER, &token, KNOWN_FOR).unwrap();
            let value = value.to_str().unwrap();
            assert!(
                value.contains("; HttpOnly; SameSite=Lax") && value.contains("Max-Age=31536000;"),
                "{value}"
            );
            assert_eq!(value.ends_with("; Secure"), tls, "{value}");
        }
    }
}
