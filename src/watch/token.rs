//! The word in the page's address by which it is known to have been printed for the user.

/// 128 random bits, in hexadecimal digits.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Token(String);

impl Token {
    /// A new one, from the system's source of randomness.
    ///
    /// # Errors
    /// The system has none.
    pub(crate) fn new() -> Result<Token, getrandom::Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        Ok(Token(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// As it stands in the address.
    pub(crate) fn text(&self) -> &str {
        &self.0
    }

    /// Whether an address' query, such as `token=…&x=1`, has it.
    pub(crate) fn is_in(&self, query: Option<&str>) -> bool {
        let parts = query.unwrap_or_default().split('&');
        parts
            .filter_map(|part| part.strip_prefix("token="))
            .any(|word| word == self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_must_have_the_whole_token() {
        let token = Token::new().unwrap();
        let text = token.text().to_owned();
        assert_eq!(text.len(), 32);
        assert!(token.is_in(Some(&format!("x=1&token={text}"))));
        for wrong in [
            None,
            Some(""),
            Some("token="),
            Some(&*format!("token={}", &text[1..])),
            Some(&*text),
            Some(&*format!(
                "token={}{}",
                &text[..31],
                if text.ends_with('0') { '1' } else { '0' }
            )),
        ] {
            assert!(!token.is_in(wrong), "{wrong:?}");
        }
        assert!(
            !Token::new().unwrap().is_in(Some(&format!("token={text}"))),
            "every run has its own"
        );
    }
}
