//! A game's folder: its recordings, and whether what they show is what was believed while it was played.

use crate::CliError;
use shakmaty::{Chess, Position};
use std::path::{Path, PathBuf};
use torres_chess::{same_position, uci};
use torres_fixture::{BeliefKind, Fixture, Replay};
use torres_journal::story::{self, GameStory, RecordingStory};
use torres_journal::{Entries, journal_of};

/// A recording and the game that it is of.
pub(super) struct Recorded {
    /// The recording's folder.
    pub dir: PathBuf,
    /// What the journal tells of it.
    pub recording: RecordingStory,
    /// The game as its journal tells it.
    pub game: GameStory,
}

/// Whether a folder is a game's and no recording itself.
pub(super) fn is_game(dir: &Path) -> bool {
    dir.join("journal.jsonl").is_file() && !dir.join("fixture.json").is_file()
}

/// The recordings of a game's folder. Of games that were recorded into the same folder the last one is meant: it took
/// the earlier one's place.
pub(super) fn recordings(dir: &Path) -> Result<Vec<Recorded>, CliError> {
    let path = journal_of(dir);
    let read = Entries::read(&path).map_err(|e| CliError::usage(format!("cannot read the journal {e}")))?;
    for damage in &read.damaged {
        eprintln!("torres: {} {damage}", path.display());
    }
    let mut found: Vec<Recorded> = Vec::new();
    for game in story::games(&read.entries) {
        for recording in &game.recordings {
            let recorded = dir.join(&recording.folder);
            found.retain(|earlier| earlier.dir != recorded);
            // A full disk's oldest recordings are gone, and one may have broken off before its first frame.
            if recorded.join("frames/0000.png").is_file() {
                found.push(Recorded {
                    dir: recorded,
                    recording: recording.clone(),
                    game: game.clone(),
                });
            }
        }
    }
    if found.is_empty() {
        return Err(CliError::usage(format!(
            "{} has a journal but no recording; was the game played with --record-mib 0?",
            dir.display()
        )));
    }
    Ok(found)
}

/// How a replay compares with the journal.
pub(super) enum Compared {
    /// The same moves.
    Same(usize),
    /// The same moves, as far as the recording goes.
    AsFar(usize, String),
    /// Other ones.
    Differs(String),
}

impl Recorded {
    /// Compares what a replay believes with the moves that Torres believed in the end while it played.
    pub(crate) fn compare(&self, fixture: &Fixture, replayed: &Replay) -> Compared {
        let journal: Vec<&str> = self.game.moves().into_iter().skip(self.recording.from).collect();
        let now = match line_of(&fixture.start, replayed) {
            Ok(now) => now,
            Err(frame) => {
                let file = fixture.shots.get(frame).map_or("", |shot| &shot.file);
                return Compared::Differs(format!("at {file} another position is seen, which no moves lead to"));
            }
        };
        if now == journal {
            return Compared::Same(now.len());
        }
        let common = now.iter().zip(&journal).take_while(|(a, b)| a == b).count();
        if let (true, Some(why)) = (common == now.len(), &self.recording.cut_short) {
            return Compared::AsFar(common, why.clone());
        }
        let told = |moves: Vec<&str>| match moves.is_empty() {
            true => "nothing more".to_owned(),
            false => moves.join(" "),
        };
        let (is, was) = (
            told(now.iter().skip(common).take(3).map(String::as_str).collect()),
            told(journal.iter().skip(common).take(3).copied().collect()),
        );
        let gaps = match self.recording.left_out {
            0 => String::new(),
            frames => format!(" ({frames} frames had been left out)"),
        };
        Compared::Differs(format!(
            "after {common} plies the replay sees {is}, the journal has {was}{gaps}"
        ))
    }
}

/// The moves that a replay believes in the end, those taken back left out; the frame that shows a position no moves
/// lead to, where there is one.
fn line_of(start: &Chess, replayed: &Replay) -> Result<Vec<String>, usize> {
    let mut positions = vec![start.clone()];
    let mut moves = Vec::new();
    for belief in &replayed.beliefs {
        let Some(position) = &belief.position else { continue };
        match belief.kind {
            BeliefKind::Move => {}
            // One of the positions before, and moves from there.
            BeliefKind::Takeback | BeliefKind::Resync => {
                let from = (0..positions.len()).rev().find(|&index| {
                    let mut after = positions[index].clone();
                    let legal = belief.moves.iter().all(|played| {
                        after.is_legal(*played) && {
                            after.play_unchecked(*played);
                            true
                        }
                    });
                    legal && same_position(&after, position)
                });
                let index = from.ok_or(belief.frame)?;
                positions.truncate(index + 1);
                moves.truncate(index);
            }
            BeliefKind::NewGame => return Err(belief.frame),
            BeliefKind::Unknown | BeliefKind::Lost => continue,
        }
        for played in &belief.moves {
            let mut after = positions.last().unwrap_or(start).clone();
            after.play_unchecked(*played);
            moves.push(uci(*played));
            positions.push(after);
        }
    }
    Ok(moves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Move;
    use torres_chess::parse_move;
    use torres_fixture::Belief;

    fn belief(kind: BeliefKind, line: &str, news: usize) -> Belief {
        let mut position = Chess::default();
        let mut moves: Vec<Move> = Vec::new();
        for uci in line.split_whitespace() {
            let played = parse_move(uci, &position).unwrap();
            position.play_unchecked(played);
            moves.push(played);
        }
        Belief {
            frame: 7,
            kind,
            moves: moves.split_off(moves.len() - news),
            position: Some(position),
        }
    }

    fn line(beliefs: Vec<Belief>) -> Result<String, usize> {
        let replay = Replay {
            beliefs,
            ..Replay::default()
        };
        line_of(&Chess::default(), &replay).map(|moves| moves.join(" "))
    }

    #[test]
    fn a_replays_moves_are_those_that_stand_in_the_end() {
        let played = line(vec![
            belief(BeliefKind::Move, "e2e4", 1),
            belief(BeliefKind::Move, "e2e4 e7e5 g1f3", 2),
            belief(BeliefKind::Unknown, "", 0),
            belief(BeliefKind::Resync, "e2e4 e7e5 g1f3", 0),
            belief(BeliefKind::Takeback, "e2e4 c7c5", 1),
            belief(BeliefKind::Move, "e2e4 c7c5 b1c3", 1),
        ]);
        assert_eq!(played.as_deref(), Ok("e2e4 c7c5 b1c3"));
        assert_eq!(line(vec![belief(BeliefKind::Resync, "d2d4 d7d5", 0)]), Err(7));
        assert_eq!(line(vec![belief(BeliefKind::NewGame, "", 0)]), Err(7));
    }
}
