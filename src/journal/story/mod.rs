//! A journal as a story: of every ply, what was seen, decided, done and verified. Pure: entries in, plain values out.

mod teller;

use super::event::{Answer, Calibrated, Entry, Event, GameStarted, Seen, Think, Verification, Vouched};
use shakmaty::Color;
use teller::Teller;
use torres_frame::WallTime;

/// When something happened: the journal's lines have the order, also where the wall clock was set between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct When {
    /// The journal's line, from 1.
    pub line: usize,
    /// What the wall clock showed.
    pub wall: WallTime,
}

/// A question to the engine.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// When it was asked; after a hit, when the expected move was seen.
    pub at: When,
    /// What was asked. A question on the opponent's time is told once more after a hit, with our move and without
    /// `ponder`.
    pub asked: Think,
    /// The answer, if one came.
    pub answer: Option<(When, Answer)>,
}

/// What led to a ply, or to none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Work {
    /// Every question to the engine.
    pub questions: Vec<Question>,
    /// What was looked at and done for our move, and what came between: a pause, a restart, a board that moved.
    pub happened: Vec<(When, Event)>,
    /// The journal's lines about it, from 1.
    pub lines: Vec<usize>,
}

/// One move of one side.
#[derive(Clone, Debug, PartialEq)]
pub struct PlyStory {
    /// Its number in the game, from 1.
    pub number: usize,
    /// UCI.
    pub played: String,
    /// As a reader of chess writes it: `12... Nf6`; UCI where the position before does not allow it.
    pub caption: String,
    /// Whose.
    pub by: Color,
    /// It is Torres' own.
    pub ours: bool,
    /// The positions before and after it, FEN.
    pub fens: (String, String),
    /// How it was seen; `None` for a move made before Torres came.
    pub seen: Option<(When, Seen)>,
    /// What led to it.
    pub work: Work,
    /// What became of our gesture.
    pub verified: Option<(When, Verification)>,
    /// When the whole board at rest confirmed it, and how many ms after it was known.
    pub confirmed: Option<(When, f64)>,
    /// What it took, and what was left on the mover's clock after it, in ms.
    pub clock_ms: Option<(f64, f64)>,
    /// It was taken back later: another ply has its number.
    pub taken_back: bool,
}

/// How a game began.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameHeader {
    /// When.
    pub at: Option<When>,
    /// The program's version and command, such as `play`.
    pub program: Option<(String, String)>,
    /// Its first position, who plays which colour, and the clock; `None` where the game never began.
    pub started: Option<GameStarted>,
    /// The calibrations that it was played with, in their order.
    pub calibrated: Vec<Calibrated>,
    /// What the user vouched for; more than one where the game went on with another calibration.
    pub vouched: Vec<Vouched>,
}

impl GameHeader {
    /// Torres' colour.
    pub fn own(&self) -> Option<Color> {
        self.started.as_ref().map(|started| started.color.into())
    }
}

/// A recording of a game or, where Torres was ended in the middle of it and started again, of a part.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordingStory {
    /// The folder, beside the journal.
    pub folder: String,
    /// The plies that the game had when it began.
    pub from: usize,
    /// Why it ended before the game did, if it did.
    pub cut_short: Option<String>,
    /// Frames that it left out.
    pub left_out: u64,
}

/// One game of a journal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameStory {
    /// How it began.
    pub header: GameHeader,
    /// Its recordings, one after the other.
    pub recordings: Vec<RecordingStory>,
    /// Its plies, also those taken back.
    pub plies: Vec<PlyStory>,
    /// What came after the last of them.
    pub rest: Work,
    /// Result and how it came to that; `None` where the journal breaks off.
    pub result: Option<(String, String)>,
}

impl GameStory {
    /// The moves that were believed in the end, UCI: plies taken back are left out.
    pub fn moves(&self) -> Vec<&str> {
        let stands = self.plies.iter().filter(|ply| !ply.taken_back);
        stands.map(|ply| ply.played.as_str()).collect()
    }
}

/// The games of a journal, in order; `entries` are its lines by number.
pub fn games(entries: &[(usize, Entry)]) -> Vec<GameStory> {
    let mut tellers: Vec<Teller> = Vec::new();
    for (line, entry) in entries {
        // A run begins a game, and so does a second game within one.
        let begins = match (&entry.event, tellers.last()) {
            (Event::Started { .. }, _) | (_, None) => true,
            (Event::GameStarted(_), Some(teller)) => teller.game.header.started.is_some(),
            _ => false,
        };
        if begins {
            tellers.push(Teller::default());
        }
        if let Some(teller) = tellers.last_mut() {
            teller.take(*line, entry);
        }
    }
    tellers.into_iter().map(Teller::end).collect()
}

#[cfg(test)]
mod tests;
