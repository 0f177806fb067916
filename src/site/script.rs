//! The bot's replies from a file, so that any game can be staged.

use shakmaty::uci::UciMove;

/// The bot's moves in order. As text: UCI moves between white space, `#` starts a comment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script(Vec<UciMove>);

/// A word of a script that is not a move.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: '{word}' is not a UCI move such as e2e4 or e7e8q")]
pub struct ScriptError {
    /// Counted from 1.
    pub line: usize,
    /// The word.
    pub word: String,
}

impl Script {
    /// The bot's move number `index`, counted from 0.
    pub fn get(&self, index: usize) -> Option<&UciMove> {
        self.0.get(index)
    }
}

impl std::str::FromStr for Script {
    type Err = ScriptError;

    fn from_str(text: &str) -> Result<Script, ScriptError> {
        let mut moves = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let code = line.split('#').next().unwrap_or_default();
            for word in code.split_whitespace() {
                let wrong = || ScriptError {
                    line: index + 1,
                    word: word.to_owned(),
                };
                let uci: UciMove = word.parse().map_err(|_| wrong())?;
                match uci {
                    UciMove::Normal { .. } => moves.push(uci),
                    UciMove::Put { .. } | UciMove::Null => return Err(wrong()),
                }
            }
        }
        Ok(Script(moves))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_moves_and_comments_are_not() {
        let script: Script = "e7e5 g8f6 # a comment e2e4\n\n# another\nb7b8q".parse().unwrap();
        let words: Vec<String> = (0..4).filter_map(|i| script.get(i)).map(|m| m.to_string()).collect();
        assert_eq!(words, ["e7e5", "g8f6", "b7b8q"]);
    }

    #[test]
    fn a_wrong_word_is_named_with_its_line() {
        for word in ["e4", "0000", "Q@e4", "e7e9"] {
            let error = format!("e7e5\n{word}").parse::<Script>().unwrap_err();
            assert_eq!((error.line, error.word.as_str()), (2, word));
        }
    }
}
