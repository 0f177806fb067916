//! The bot's replies from a file, so that any game can be staged.

use shakmaty::uci::UciMove;
use shakmaty::{Bitboard, Chess, Color, Position, Rank, Role, attacks};

/// The bot's moves in order. As text: UCI moves between white space, `#` starts a comment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script(Vec<Scripted>);

/// A move and the line that it stands in, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Scripted {
    uci: UciMove,
    line: usize,
}

/// A word of a script that cannot be played.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScriptError {
    /// It is not a move.
    #[error("line {line}: '{word}' is not a UCI move such as e2e4 or e7e8q")]
    NotAMove {
        /// Counted from 1.
        line: usize,
        /// The word.
        word: String,
    },
    /// Whatever has been played before, the bot cannot play it.
    #[error("line {line}: {word} is never legal for {bot}, which the bot has")]
    NeverLegal {
        /// Counted from 1.
        line: usize,
        /// The move.
        word: String,
        /// The bot's colour.
        bot: Color,
    },
    /// It is the game's first move, and not legal.
    #[error("line {line}: {word} is not legal in the position that the game starts from")]
    NotLegal {
        /// Counted from 1.
        line: usize,
        /// The move.
        word: String,
    },
}

impl Script {
    /// The bot's move number `index`, counted from 0.
    pub fn get(&self, index: usize) -> Option<&UciMove> {
        self.0.get(index).map(|scripted| &scripted.uci)
    }

    /// The script, if the bot of this colour can play it as far as can be known before the other side has moved.
    ///
    /// # Errors
    /// A move is not legal, wherever the pieces stand or as the first of the game.
    pub fn checked(self, start: &Chess, bot: Color) -> Result<Script, ScriptError> {
        let first = self.0.first().filter(|_| start.turn() == bot);
        if let Some(Scripted { uci, line }) = first.filter(|first| first.uci.to_move(start).is_err()) {
            let (line, word) = (*line, uci.to_string());
            return Err(ScriptError::NotLegal { line, word });
        }
        match self.0.iter().find(|scripted| !is_ever_legal(&scripted.uci, bot)) {
            Some(Scripted { uci, line }) => Err(ScriptError::NeverLegal {
                line: *line,
                word: uci.to_string(),
                bot,
            }),
            None => Ok(self),
        }
    }
}

/// Whether some piece goes from one square to the other, and a pawn of that side becomes what it is to become.
fn is_ever_legal(uci: &UciMove, color: Color) -> bool {
    let UciMove::Normal { from, to, promotion } = *uci else {
        return false;
    };
    match promotion {
        None => (attacks::queen_attacks(from, Bitboard::EMPTY) | attacks::knight_attacks(from)).contains(to),
        Some(role) => {
            from.rank() == color.relative_rank(Rank::Seventh)
                && to.rank() == color.relative_rank(Rank::Eighth)
                && from.file().distance(to.file()) <= 1
                && !matches!(role, Role::Pawn | Role::King)
        }
    }
}

impl std::str::FromStr for Script {
    type Err = ScriptError;

    fn from_str(text: &str) -> Result<Script, ScriptError> {
        let mut moves = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let code = line.split('#').next().unwrap_or_default();
            for word in code.split_whitespace() {
                let line = index + 1;
                let wrong = || ScriptError::NotAMove {
                    line,
                    word: word.to_owned(),
                };
                let uci: UciMove = word.parse().map_err(|_| wrong())?;
                match uci {
                    UciMove::Normal { .. } => moves.push(Scripted { uci, line }),
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
            assert_eq!(
                error.to_string(),
                format!("line 2: '{word}' is not a UCI move such as e2e4 or e7e8q")
            );
        }
    }

    #[test]
    fn a_move_that_the_bot_can_never_play_is_named_with_its_line() {
        let check = |text: &str, bot| {
            let script: Script = text.parse().unwrap();
            script
                .checked(&Chess::default(), bot)
                .map(drop)
                .map_err(|error| error.to_string())
        };
        for (text, bot) in [
            ("e7e5 a1a8 g8f6 e8g8 e8h8 a2b1n", Color::Black),
            ("e2e4 h1a8 a7b8q", Color::White),
            ("", Color::White),
        ] {
            assert_eq!(check(text, bot), Ok(()), "{text}");
        }
        for (word, bot) in [
            ("e7e7", Color::Black),
            ("e7d2", Color::Black),
            ("a2a1k", Color::Black),
            ("a7a8q", Color::Black),
            ("a2c1q", Color::Black),
            ("e4e5q", Color::White),
        ] {
            let said = check(
                &format!("{}\n{word}", if bot == Color::White { "e2e4" } else { "" }),
                bot,
            )
            .unwrap_err();
            assert!(
                said.starts_with(&format!("line 2: {word} is never legal for ")),
                "{said}"
            );
        }
        // White begins, and may do so anyhow where it is no bot.
        assert!(
            check("e2e5", Color::White)
                .unwrap_err()
                .starts_with("line 1: e2e5 is not legal")
        );
        assert_eq!(check("e2e5", Color::Black), Ok(()));
    }
}
