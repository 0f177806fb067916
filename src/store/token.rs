//! What a browser shows to be known again.

use sha2::{Digest, Sha256};
use std::fmt;
use std::str::FromStr;

/// 128 random bits that only one browser knows: whoever has them is taken for its user. Only their hash is kept.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

/// The system has no random numbers.
#[derive(Debug, thiserror::Error)]
#[error("the system gives no random numbers: {0}")]
pub struct NoRandomness(getrandom::Error);

/// A text that is no token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a token has 32 hexadecimal digits")]
pub struct NoToken;

impl Token {
    /// A new one.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn random() -> Result<Token, NoRandomness> {
        random_name().map(Token)
    }

    /// What the browser keeps.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What is kept here: SHA-256, in hexadecimal.
    pub fn hash(&self) -> String {
        hexadecimal(&Sha256::digest(self.0.as_bytes()))
    }
}

/// A token is a secret: it is shown nowhere.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

impl FromStr for Token {
    type Err = NoToken;

    fn from_str(text: &str) -> Result<Token, NoToken> {
        let digits = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        (text.len() == 32 && digits)
            .then(|| Token(text.to_owned()))
            .ok_or(NoToken)
    }
}

/// 128 random bits in hexadecimal: no two are equal.
pub(crate) fn random_name() -> Result<String, NoRandomness> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(NoRandomness)?;
    Ok(hexadecimal(&bytes))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_read_back_and_differs_from_the_next() {
        let token = Token::random().unwrap();
        assert_eq!(token.as_str().parse(), Ok(token.clone()));
        assert_ne!(token, Token::random().unwrap());
        assert!(!format!("{token:?}").contains(token.as_str()));
        for text in ["", "ABCDEFABCDEFABCDEFABCDEFABCDEFAB", "0", "é", "../../etc/passwd"] {
            assert_eq!(text.parse::<Token>(), Err(NoToken));
        }
        // The digest that FIPS 180-2 gives for this text.
        assert_eq!(
            Token("abc".into()).hash(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
