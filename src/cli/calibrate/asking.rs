//! Asking the person at the terminal what a picture cannot tell. Where nobody sits there, nothing is asked.

use crate::CliError;
use std::io::{IsTerminal, Write};

/// A terminal with a person at it.
#[derive(Clone, Copy)]
pub(super) struct Terminal(());

impl Terminal {
    /// The terminal, where both what is asked can be seen and an answer be given.
    pub(crate) fn attended() -> Option<Terminal> {
        (std::io::stdin().is_terminal() && std::io::stdout().is_terminal()).then_some(Terminal(()))
    }

    /// One line in answer to a question, without the spaces around it.
    ///
    /// # Errors
    /// The terminal was closed.
    pub(crate) fn ask(self, question: &str) -> Result<String, CliError> {
        let failed = |e: std::io::Error| CliError::failed(format!("the terminal does not answer: {e}"));
        print!("{question} ");
        std::io::stdout().flush().map_err(failed)?;
        let mut line = String::new();
        match std::io::stdin().read_line(&mut line).map_err(failed)? {
            0 => Err(CliError::failed("the terminal was closed; nothing is saved")),
            _ => Ok(line.trim().to_owned()),
        }
    }

    /// One of several things, by its number; asked until it is one. Enter takes the first.
    pub(crate) fn choose(self, question: &str, things: &[String]) -> Result<usize, CliError> {
        for (number, thing) in (1..).zip(things) {
            println!("  {number}  {thing}");
        }
        loop {
            match choice(&self.ask(&format!("{question} [1]"))?, things.len()) {
                Some(index) => return Ok(index),
                None => println!("a number from 1 to {}, please", things.len()),
            }
        }
    }

    /// A plain yes or no; asked until it is one of the two.
    pub(crate) fn confirms(self, question: &str) -> Result<bool, CliError> {
        loop {
            match statement(&self.ask(&format!("{question} (yes/no)"))?) {
                Some(said) => return Ok(said),
                None => println!("the whole word, please: yes or no"),
            }
        }
    }
}

/// The index that a number from 1 on means; nothing said is the first.
fn choice(said: &str, among: usize) -> Option<usize> {
    match said {
        "" => (among > 0).then_some(0),
        number => number
            .parse::<usize>()
            .ok()?
            .checked_sub(1)
            .filter(|index| *index < among),
    }
}

/// A statement is made by the whole word only: nobody vouches for a bot with a stray key.
fn statement(said: &str) -> Option<bool> {
    match said.to_ascii_lowercase().as_str() {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_a_number_of_the_list() {
        assert_eq!(choice("", 3), Some(0));
        assert_eq!(choice("3", 3), Some(2));
        for wrong in ["0", "4", "-1", "two", "1 2"] {
            assert_eq!(choice(wrong, 3), None, "{wrong}");
        }
        assert_eq!(choice("", 0), None);
    }

    #[test]
    fn only_the_whole_word_is_a_statement() {
        assert_eq!(
            (statement("yes"), statement("YES"), statement("No")),
            (Some(true), Some(true), Some(false))
        );
        for neither in ["y", "Y", "", "yes, I think", "maybe"] {
            assert_eq!(statement(neither), None, "{neither}");
        }
    }
}
