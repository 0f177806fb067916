//! A journal as a story: of every ply, what was seen, decided, done and verified. Pure: entries in, plain values out.

mod teller;

#[cfg(test)]
use super::event::PonderEnd;
use super::event::{Entry, Eval, Event, GestureKind, Place, Verdict};
use serde_json::Value;
use shakmaty::Color;
use teller::Teller;
use torres_frame::WallTime;
use torres_geometry::Orientation;

/// When something happened: the journal's lines have the order, also where the wall clock was set between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct When {
    /// The journal's line, from 1.
    pub line: usize,
    /// What the wall clock showed.
    pub wall: WallTime,
}

/// The move was seen: it is believed from then on.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// When it was known.
    pub at: When,
    /// When the frame that told it was captured.
    pub captured: WallTime,
    /// How sure the least sure square is, 0 to 1.
    pub confidence: f64,
    /// All moves that this one look explained, UCI; more than one where two sides were quick.
    pub together: Vec<String>,
}

/// The engine was asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Decided {
    /// The question's number.
    pub id: u64,
    /// When.
    pub at: When,
    /// The position it was asked about, FEN.
    pub fen: String,
    /// The limits, as they went over the socket.
    pub limits: Value,
    /// Asked on the opponent's time, expecting this move of theirs, UCI. After a hit it is told once more, with our move.
    pub ponder: Option<String>,
    /// Its answer, if one came.
    pub answer: Option<Answer>,
}

/// What the engine said.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// When.
    pub at: When,
    /// UCI; `None` when it has no move.
    pub best: Option<String>,
    /// White's view.
    pub eval: Option<Eval>,
    /// Completed depth in plies.
    pub depth: Option<u32>,
    /// Nodes visited.
    pub nodes: Option<u64>,
    /// What it expects, UCI.
    pub pv: Vec<String>,
    /// Time from question to answer.
    pub took_ms: f64,
    /// Why it was dropped, if it was.
    pub dropped: Option<String>,
}

/// A step on the way to our move.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// The last look before a gesture let it pass.
    Checked {
        /// Where the board lay.
        board: Place,
        /// The position believed stood there; `false`: the promotion dialog was open.
        stands: bool,
        /// Where the opponent panel was compared.
        panel: Place,
        /// From the wish to act to the leave to.
        took_ms: f64,
    },
    /// The mouse acted.
    Gesture {
        /// How.
        kind: GestureKind,
        /// For which move, or on which square.
        what: String,
        /// The points it went through, in input units.
        points: Vec<(i32, i32)>,
        /// When the button was released.
        released: WallTime,
    },
    /// The move was shown to the user, who makes it.
    Advised {
        /// UCI.
        what: String,
    },
    /// The gesture changed nothing; it follows once more.
    Retry {
        /// By which gesture.
        by: GestureKind,
        /// The frames behind it.
        evidence: Option<String>,
    },
}

/// What became of our move.
#[derive(Clone, Debug, PartialEq)]
pub struct Verified {
    /// When.
    pub at: When,
    /// What was seen.
    pub verdict: Verdict,
    /// From the button's release.
    pub took_ms: f64,
    /// The frames behind a verdict other than landed.
    pub evidence: Option<String>,
}

/// Anything else, at its moment: a pause, a restart, a board that moved.
#[derive(Clone, Debug, PartialEq)]
pub struct Happening {
    /// When.
    pub at: When,
    /// What.
    pub event: Event,
}

/// What led to a ply, or to none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Work {
    /// Every question to the engine.
    pub decided: Vec<Decided>,
    /// Every step of the hand.
    pub done: Vec<(When, Act)>,
    /// What came between.
    pub happened: Vec<Happening>,
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
    pub seen: Option<Seen>,
    /// What led to it.
    pub work: Work,
    /// What became of our gesture.
    pub verified: Option<Verified>,
    /// When the whole board at rest confirmed it, and how many ms after it was known.
    pub confirmed: Option<(When, f64)>,
    /// What it took, and what was left on the mover's clock after it, in ms.
    pub clock_ms: Option<(f64, f64)>,
    /// It was taken back later: another ply has its number.
    pub taken_back: bool,
}

/// How a game began.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Beginning {
    /// When.
    pub at: Option<When>,
    /// The program's version and command, such as `play`.
    pub program: Option<(String, String)>,
    /// Its first position, FEN; `None` where the game never began.
    pub fen: Option<String>,
    /// Torres' colour.
    pub color: Option<Orientation>,
    /// The time control, such as `900+10`.
    pub clock: Option<String>,
    /// Who plays against it.
    pub opponent: Option<String>,
    /// What the user vouched for; more than one where the game went on with another calibration.
    pub vouched: Vec<Vouched>,
}

/// What the user vouched for: that a panel names a bot.
#[derive(Clone, Debug, PartialEq)]
pub struct Vouched {
    /// The bot's name, where the user gave one.
    pub name: Option<String>,
    /// Where the panel lay in its window's content.
    pub panel: Place,
    /// The user's statement that it is a bot.
    pub declared_bot: bool,
    /// Pictures of it, beside the journal: one for each of its looks.
    pub pictures: Vec<String>,
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
    pub beginning: Beginning,
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
            (Event::GameStarted { .. }, Some(teller)) => teller.game.beginning.fen.is_some(),
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
