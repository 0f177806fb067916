//! Sets games apart: what is learned from the others is tried on these.

use super::file::{DataError, NewFile};
use super::source::{Amount, LeftOut, each_game};
use std::path::{Path, PathBuf};

/// How the games were divided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// To learn from.
    pub training: Amount,
    /// Set apart.
    pub validation: Amount,
    /// What was left out.
    pub left_out: LeftOut,
}

/// Writes each game of some files into one of two new ones: such a share of all games, 0 to 1, is set apart for
/// validation. Games stay whole, since the positions of one game are much alike. Which games are set apart depends on
/// the game alone, so that games made later do not change it.
///
/// # Errors
/// A file cannot be read or written, is damaged, or shuffled already; or one to be written is there.
pub fn split(files: &[PathBuf], training: &Path, validation: &Path, share: f64) -> Result<Split, DataError> {
    if training == validation {
        return Err(DataError::Exists(validation.to_owned()));
    }
    let (mut learn, mut apart) = (NewFile::create(training)?, NewFile::create(validation)?);
    let (mut learned, mut set_apart) = (Amount::default(), Amount::default());
    let left_out = each_game(files, |game| {
        let (file, amount) = if game.game().is_set_apart(share) {
            (&mut apart, &mut set_apart)
        } else {
            (&mut learn, &mut learned)
        };
        amount.add(&game);
        file.append(&game)
    })?;
    learn.finish()?;
    apart.finish()?;
    Ok(Split {
        training: learned,
        validation: set_apart,
        left_out,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Block, GameFile, Outcome, Record};
    use torres_engine::Position;

    fn games(path: &Path, run: u64, numbers: std::ops::Range<u32>) {
        let mut file = GameFile::open(path, run).unwrap();
        for number in numbers {
            let record = Record::new(&Position::start(), number as i16, Outcome::Draw);
            file.append(number, vec![record; 1 + number as usize % 3]).unwrap();
        }
    }

    fn read(path: &Path) -> Vec<Block> {
        let mut blocks = Vec::new();
        each_game(&[path.to_owned()], |game| {
            blocks.push(game);
            Ok(())
        })
        .unwrap();
        blocks
    }

    #[test]
    fn every_game_goes_whole_to_one_side_and_stays_there() {
        let folder = torres_fuzz::folder();
        let at = |name: &str| folder.path().join(name);
        games(&at("a"), 1, 0..300);
        games(&at("b"), 2, 0..300);
        let split_into = |files: &[&str], name: &str| {
            let files: Vec<PathBuf> = files.iter().map(|name| at(name)).collect();
            let names = (at(&format!("{name}-training")), at(&format!("{name}-validation")));
            let split = split(&files, &names.0, &names.1, 0.2).unwrap();
            (split, read(&names.0), read(&names.1))
        };
        let (both, training, validation) = split_into(&["a", "b"], "both");
        assert_eq!(
            (both.training.games, both.validation.games),
            (training.len() as u64, validation.len() as u64)
        );
        assert_eq!(training.len() + validation.len(), 600);
        assert!((80..160).contains(&validation.len()), "{}", validation.len());
        let all: Vec<Block> = read(&at("a")).into_iter().chain(read(&at("b"))).collect();
        assert!(
            all.iter()
                .all(|game| training.contains(game) != validation.contains(game))
        );

        // One file alone, the other way round, and with a game twice: each game goes where it went.
        let (alone, _, alone_validation) = split_into(&["b", "b"], "alone");
        assert_eq!(alone.left_out.repeated, 300);
        let of_b: Vec<Block> = validation.into_iter().filter(|game| game.run == 2).collect();
        assert_eq!(alone_validation, of_b);
    }

    #[test]
    fn nothing_is_written_where_something_is_wrong() {
        let folder = torres_fuzz::folder();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("foreign"), "no positions").unwrap();
        let refused = split(&[at("foreign")], &at("training"), &at("validation"), 0.1).unwrap_err();
        assert!(matches!(refused, DataError::Foreign(_)), "{refused}");
        games(&at("games"), 1, 0..3);
        std::fs::write(at("there"), "something dear").unwrap();
        let refused = split(&[at("games")], &at("training"), &at("there"), 0.1).unwrap_err();
        assert!(matches!(refused, DataError::Exists(_)), "{refused}");
        let mut left: Vec<_> = std::fs::read_dir(folder.path())
            .unwrap()
            .map(|e| e.unwrap().file_name())
            .collect();
        left.sort();
        assert_eq!(left, ["foreign", "games", "there"]);
    }
}
