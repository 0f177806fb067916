//! What a line of the journal can say.

use serde::{Deserialize, Serialize};
use shakmaty::Color;
use std::fmt;
use torres_chess::Side;
use torres_frame::WallTime;
pub use torres_frame::folder::Rect;
use torres_geometry::Orientation;

/// An evaluation, always from White's view, whoever is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Eval {
    /// Hundredths of a pawn.
    Cp(i32),
    /// Moves to mate; negative when White is mated.
    Mate(i32),
}

impl Eval {
    /// From an engine's score of `cp` hundredths of a pawn, which is from the side to move's view.
    pub fn cp(cp: i32, side_to_move: Color) -> Eval {
        Eval::Cp(side_to_move.fold_wb(cp, cp.saturating_neg()))
    }

    /// From an engine's mate in `moves`, which is from the side to move's view.
    pub fn mate(moves: i32, side_to_move: Color) -> Eval {
        Eval::Mate(side_to_move.fold_wb(moves, moves.saturating_neg()))
    }
}

/// In pawns with a sign, or `#3`, `#-3` for a mate: as captions and progress lines show it.
impl fmt::Display for Eval {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Eval::Cp(cp) => write!(f, "{:+.2}", f64::from(*cp) / 100.0),
            Eval::Mate(moves) => write!(f, "#{moves}"),
        }
    }
}

/// What the frames after our gesture showed; see *Verification* in `docs/contracts.md`. Torres writes `landed` and
/// `other`; the other two have lines of their own, [`Event::Retry`] and [`Event::Unknown`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The position after our move.
    Landed,
    /// The position before it.
    NotLanded,
    /// Our side made a different move.
    Other,
    /// Anything else.
    Unknown,
}

/// How the mouse made a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GestureKind {
    /// Press, move, release.
    Drag,
    /// A drag whose piece did not follow the pointer: taken back, and released where it was pressed.
    GivenUp,
    /// A click on each square.
    Clicks,
    /// A click on the target square alone, the piece being selected already.
    Target,
    /// A click on a piece of the promotion dialog.
    Promotion,
    /// A click that puts down a selected piece.
    Deselect,
    /// The pointer alone, off the board.
    Aside,
}

/// What is known of a game's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KnownBy {
    /// The position seen on the board ends it by the rules.
    Board,
    /// A flag fell on Torres' own clock; nobody saw the game end.
    OwnClock,
    /// A draw could be claimed, and the game did not go on: no further move was taken or came, a notice lay over the
    /// board, the site's clocks stood, or the page showed the button of the next game. Or no draw could be claimed, no
    /// move came for minutes, and the game was left.
    Standstill,
    /// The page showed the button of the next game, or the site's clocks stood, and the board showed no end.
    Page,
    /// The loser's clock on the site was read to stand at zero.
    PageClock,
    /// Torres' own move ends the game by the rules; a notice lay over the board before it was seen there,
    /// or the board was out of sight from then on (who won is not known then).
    OwnMove,
}

/// What became of a search on the opponent's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PonderEnd {
    /// They played the expected move: the search goes on as our thought, and its limits count from now.
    Hit,
    /// They played another one: what it says is not used.
    Miss,
    /// It was given up before they moved: a pause, a takeback, the game's end.
    Dropped,
}

/// A game began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameStarted {
    /// Its first position.
    pub fen: String,
    /// Moves that had been made from there before we came.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
    /// Our colour.
    pub color: Side,
    /// The time control, such as `900+10`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<String>,
    /// Who plays against us, as far as is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opponent: Option<String>,
}

/// The calibration that a game is played with. Written as a game begins, or goes on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibrated {
    /// Where the board lies on the desktop.
    pub board: Rect,
    /// The colour at the bottom.
    pub bottom: Orientation,
    /// The calibration's file.
    pub source: String,
}

/// What the user vouched for: that this panel names a bot which may be played with a program. Written as a game begins,
/// or goes on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Vouched {
    /// The bot's name, where the user gave one.
    pub name: Option<String>,
    /// Where the panel lay in its window's content when it was vouched for, in captured pixels; a title bar lies above
    /// it.
    pub panel: Rect,
    /// The user's statement that it is a bot.
    pub declared_bot: bool,
    /// A picture of the panel, beside the journal.
    pub picture: String,
    /// A picture of its other look, where it has two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub also: Option<String>,
    /// A picture of it in the second place that the user has shown, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second: Option<String>,
}

/// The board was understood and something had changed on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Seen {
    /// Moves since the position believed before; empty when that one stands there still.
    pub moves: Vec<String>,
    /// The position believed now.
    pub fen: String,
    /// How sure the least sure square is, 0 to 1.
    pub confidence: f64,
    /// When the frame was captured.
    pub frame_t_ms: WallTime,
}

/// The engine was asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Think {
    /// Of the question.
    pub id: u64,
    /// The position it is asked about.
    pub fen: String,
    /// The limits, as they went over the socket.
    pub limits: serde_json::Value,
    /// Asked on the opponent's time: the move that they are expected to play, with which the position is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ponder: Option<String>,
}

/// The engine answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Of the question.
    pub id: u64,
    /// Its move; `None` when it has none.
    #[serde(rename = "move")]
    pub best: Option<String>,
    /// White's view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eval: Option<Eval>,
    /// Completed depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Nodes visited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The moves that it expects, its own first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pv: Vec<String>,
    /// Time from question to answer; from the hit, where the question was asked on the opponent's time.
    pub took_ms: f64,
    /// Why it was dropped, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dropped: Option<String>,
}

/// The final check before a gesture let it pass: the board was in its place and the opponent panel as the user vouched
/// for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checked {
    /// The move, or the square of a click.
    #[serde(rename = "move")]
    pub played: String,
    /// Where the board lay on the desktop.
    pub board: Rect,
    /// The position believed stood there; `false` where the open promotion dialog was seen instead.
    pub stands: bool,
    /// Where the opponent panel was compared.
    pub panel: Rect,
    /// From the wish to act to the leave to.
    pub took_ms: f64,
}

/// The mouse acted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gesture {
    /// How.
    pub kind: GestureKind,
    /// For which move.
    #[serde(rename = "move")]
    pub played: String,
    /// The points it went through, in input units.
    pub points: Vec<(i32, i32)>,
    /// When the button was released for the last time.
    pub released_t_ms: WallTime,
}

/// What became of our move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verification {
    /// The move.
    #[serde(rename = "move")]
    pub played: String,
    /// What was seen.
    pub verdict: Verdict,
    /// Time from the button's release to this verdict.
    pub took_ms: f64,
    /// The frames behind a verdict other than landed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
}

/// The move is tried once more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Retry {
    /// The move.
    #[serde(rename = "move")]
    pub played: String,
    /// By which gesture.
    pub by: GestureKind,
    /// The frames behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
}

/// A decision, or what one rests on. Moves are UCI, positions FEN, times ms, evidence a folder beside the journal.
/// What the [story](crate::story) of a game takes over whole is a struct of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A run of the program began; a journal may hold several.
    Started {
        /// The program's version.
        version: String,
        /// The command, such as `demo`.
        command: String,
        /// Which start of the machine `boot_ms` counts from, in this line and those that follow.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        boot: Option<String>,
    },
    /// The board's place and look are known.
    Calibrated(Calibrated),
    /// A game began.
    GameStarted(GameStarted),
    /// What the user vouched for: that this panel names a bot which may be played with a program. Written as a game
    /// begins, or goes on.
    Vouched(Vouched),
    /// The frames that are looked at are kept.
    Recording {
        /// Where, beside the journal.
        folder: String,
    },
    /// The recording of a game ended.
    Recorded {
        /// Where it lies, beside the journal.
        folder: String,
        /// Frames in it.
        frames: usize,
        /// What it takes on disk, in bytes.
        bytes: u64,
        /// Frames that were left out because the disk was slower than the board.
        left_out: u64,
        /// Why it ended before the game did, if it did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cut_short: Option<String>,
    },
    /// The board was understood and something had changed on it.
    Seen(Seen),
    /// The whole board rests in a position after a move that was known before, perhaps while its piece still moved.
    Confirmed {
        /// The move.
        #[serde(rename = "move")]
        played: String,
        /// When it was known: the time of the line that says so.
        known_t_ms: WallTime,
        /// What passed since then, in ms: also where the wall clock was set meanwhile.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after_ms: Option<f64>,
    },
    /// Moves were taken back on the board.
    TakenBack {
        /// How many.
        plies: usize,
        /// The position believed now.
        fen: String,
    },
    /// The engine was asked.
    Think(Think),
    /// A search on the opponent's time came to its end as such; after a hit its answer follows under the same id.
    Pondered {
        /// Of the question.
        id: u64,
        /// The move that they were expected to play.
        expected: String,
        /// What became of it.
        end: PonderEnd,
        /// What was thought on their time.
        took_ms: f64,
    },
    /// How the search is going. Torres does not write it: the answer has the last such report.
    Info {
        /// Of the question.
        id: u64,
        /// Completed depth in plies.
        depth: u32,
        /// White's view.
        eval: Eval,
        /// Nodes visited.
        nodes: u64,
        /// Nodes a second.
        nps: u64,
        /// Principal variation.
        pv: Vec<String>,
    },
    /// The engine answered.
    Answer(Answer),
    /// The final check before a gesture let it pass: the board was in its place and the opponent panel as the user
    /// vouched for.
    Checked(Checked),
    /// The mouse acted.
    Gesture(Gesture),
    /// What became of our move.
    Verdict(Verification),
    /// A move is part of the game now.
    Played {
        /// Its number in the game, from 1.
        ply: u32,
        /// The move.
        #[serde(rename = "move")]
        played: String,
        /// Whose.
        by: Side,
        /// What it took on our clock.
        took_ms: f64,
        /// What is left on the mover's clock.
        left_ms: f64,
    },
    /// The move is tried once more.
    Retry(Retry),
    /// A resting picture that nothing explains.
    Unknown {
        /// Squares that differ from the last frame understood.
        changed: Vec<String>,
        /// The frames behind it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        evidence: Option<String>,
    },
    /// The board lies elsewhere now, or (`None`) is not to be found.
    BoardMoved {
        /// Where it lies on the desktop.
        to: Option<Rect>,
        /// The frames behind it, where it was lost.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        evidence: Option<String>,
    },
    /// Either side may claim a draw from here on, as long as this holds. Torres plays on while the board lets it.
    DrawClaimable {
        /// By which rule.
        rule: String,
    },
    /// All input stopped until the user says so.
    Pause {
        /// Why.
        reason: String,
        /// The frames behind it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        evidence: Option<String>,
    },
    /// The user let the game go on.
    Resume {
        /// How long it had stood, in ms.
        paused_ms: f64,
    },
    /// The engine had died, was silent or sent what is no message, and was replaced.
    EngineRestarted {
        /// What was wrong with it.
        reason: String,
        /// It was thinking on the opponent's time, and was not asked again until they had moved.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        pondering: bool,
    },
    /// Something was asked for that Torres does not do, or it gave up what it was about to do.
    Refused {
        /// Why.
        reason: String,
        /// The frames behind it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        evidence: Option<String>,
    },
    /// A move was shown to the user, who makes the moves.
    Advised {
        /// The move.
        #[serde(rename = "move")]
        played: String,
    },
    /// The run before ended in the middle of this game; another one goes on with it.
    Continued {
        /// Torres' version.
        version: String,
        /// Plies that the journal has of it.
        plies: u32,
        /// Which start of the machine `boot_ms` counts from, in this line and those that follow.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        boot: Option<String>,
    },
    /// The board shows the beginning of another game: this one is over without a result.
    Abandoned {
        /// The frames behind it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        evidence: Option<String>,
    },
    /// The user or the emergency stop ended it.
    Stopped {
        /// How.
        reason: String,
    },
    /// The game is over.
    Result {
        /// `1-0`, `0-1`, `1/2-1/2` or `*`.
        result: String,
        /// How it came to that, such as `checkmate`.
        termination: String,
        /// Plies played.
        plies: u32,
        /// What is known of the end; `None` where there was none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        known_by: Option<KnownBy>,
    },
    /// What the site's clocks show, with what ours have at that moment: once a move, and every few seconds.
    Clocks {
        /// White's, where it could be read, in ms.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        white_ms: Option<f64>,
        /// Black's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        black_ms: Option<f64>,
        /// What our clock has for White, in ms.
        own_white_ms: f64,
        /// And for Black.
        own_black_ms: f64,
    },
    /// How well the site's clocks could be read in a game, from when their digits were known.
    ClocksRead {
        /// Looks at a clock.
        looks: u32,
        /// Those that read it.
        read: u32,
    },
    /// Anything else worth knowing later.
    Note {
        /// What.
        text: String,
    },
}

/// A line of `journal.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Unix time in ms, with fractions, as the wall clock showed it.
    pub t_ms: WallTime,
    /// The same moment by the clock that nobody sets: ms since the machine was started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boot_ms: Option<f64>,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_evaluation_is_whites_whoever_is_to_move() {
        assert_eq!(Eval::cp(31, Color::White).to_string(), "+0.31");
        assert_eq!(Eval::cp(31, Color::Black).to_string(), "-0.31");
        assert_eq!(Eval::mate(3, Color::Black).to_string(), "#-3");
    }

    #[test]
    fn a_line_is_flat_and_reads_back() {
        let entry = Entry {
            t_ms: WallTime::from_ms(1_700_000_000_123.5),
            boot_ms: Some(12_345.678),
            event: Event::Verdict(Verification {
                played: "g1f3".into(),
                verdict: Verdict::NotLanded,
                took_ms: 400.0,
                evidence: Some("evidence/0001-not_landed".into()),
            }),
        };
        let text = serde_json::to_string(&entry).unwrap();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["event"], "verdict");
        assert_eq!(
            (&value["t_ms"], &value["boot_ms"]),
            (&json!(1_700_000_000_123.5), &json!(12_345.678))
        );
        assert_eq!(value["move"], "g1f3");
        assert_eq!(value["verdict"], "not_landed");
        assert_eq!(serde_json::from_str::<Entry>(&text).unwrap(), entry);
        // An earlier version's line.
        let before: Entry =
            serde_json::from_str(r#"{"t_ms":1.5,"event":"confirmed","move":"e2e4","known_t_ms":1.0}"#).unwrap();
        assert_eq!((before.t_ms, before.boot_ms), (WallTime::from_ms(1.5), None));
    }

    /// Every event, with all its fields and with none that may be absent, as `docs/contracts.md` promises it.
    const LINES: &str = r#"{"t_ms":1.5,"boot_ms":2.5,"event":"started","version":"1.2.3","command":"play","boot":"b"}
{"t_ms":1.5,"event":"started","version":"1.2.3","command":"play"}
{"t_ms":1.5,"event":"calibrated","board":{"x":1.5,"y":2.0,"width":30.0,"height":40.0},"bottom":"black","source":"a.json"}
{"t_ms":1.5,"event":"game_started","fen":"F","moves":["e2e4"],"color":"black","clock":"900+10","opponent":"a bot"}
{"t_ms":1.5,"event":"game_started","fen":"F","color":"white"}
{"t_ms":1.5,"event":"vouched","name":"Robin","panel":{"x":1.0,"y":-2.0,"width":30.0,"height":4.0},"declared_bot":true,"picture":"opponent.png","also":"opponent-2.png","second":"opponent-3.png"}
{"t_ms":1.5,"event":"vouched","name":null,"panel":{"x":1.0,"y":2.0,"width":30.0,"height":4.0},"declared_bot":false,"picture":"opponent.png"}
{"t_ms":1.5,"event":"recording","folder":"recording"}
{"t_ms":1.5,"event":"recorded","folder":"recording","frames":7,"bytes":123,"left_out":1,"cut_short":"full"}
{"t_ms":1.5,"event":"recorded","folder":"recording","frames":7,"bytes":123,"left_out":0}
{"t_ms":1.5,"event":"seen","moves":["e2e4","e7e5"],"fen":"F","confidence":0.9876,"frame_t_ms":1.25}
{"t_ms":1.5,"event":"confirmed","move":"e2e4","known_t_ms":1.25,"after_ms":80.5}
{"t_ms":1.5,"event":"confirmed","move":"e2e4","known_t_ms":1.25}
{"t_ms":1.5,"event":"taken_back","plies":2,"fen":"F"}
{"t_ms":1.5,"event":"think","id":3,"fen":"F","limits":{"move_ms":100},"ponder":"e7e5"}
{"t_ms":1.5,"event":"think","id":3,"fen":"F","limits":{}}
{"t_ms":1.5,"event":"pondered","id":3,"expected":"e7e5","end":"hit","took_ms":2000.0}
{"t_ms":1.5,"event":"info","id":3,"depth":9,"eval":{"mate":-3},"nodes":5,"nps":6,"pv":["e7e5"]}
{"t_ms":1.5,"event":"answer","id":3,"move":"e2e4","eval":{"cp":31},"depth":14,"nodes":4321,"pv":["e2e4","e7e5"],"took_ms":100.0,"dropped":"late"}
{"t_ms":1.5,"event":"answer","id":3,"move":null,"took_ms":100.0}
{"t_ms":1.5,"event":"checked","move":"e2e4","board":{"x":400.5,"y":120.0,"width":560.0,"height":560.0},"stands":true,"panel":{"x":1.0,"y":2.0,"width":30.0,"height":4.0},"took_ms":5.0}
{"t_ms":1.5,"event":"gesture","kind":"drag","move":"e2e4","points":[[612,640],[612,500]],"released_t_ms":1.25}
{"t_ms":1.5,"event":"verdict","move":"e2e4","verdict":"not_landed","took_ms":21.0,"evidence":"evidence/0001-retry"}
{"t_ms":1.5,"event":"verdict","move":"e2e4","verdict":"other","took_ms":0.0}
{"t_ms":1.5,"event":"played","ply":1,"move":"e2e4","by":"white","took_ms":720.0,"left_ms":899280.0}
{"t_ms":1.5,"event":"retry","move":"e2e4","by":"clicks","evidence":"evidence/0001-retry"}
{"t_ms":1.5,"event":"retry","move":"e2e4","by":"target"}
{"t_ms":1.5,"event":"unknown","changed":["e7","e5"],"evidence":"evidence/0002-unknown"}
{"t_ms":1.5,"event":"unknown","changed":[]}
{"t_ms":1.5,"event":"board_moved","to":{"x":1.5,"y":2.0,"width":30.0,"height":40.0}}
{"t_ms":1.5,"event":"board_moved","to":null,"evidence":"evidence/0003-lost"}
{"t_ms":1.5,"event":"draw_claimable","rule":"threefold repetition"}
{"t_ms":1.5,"event":"pause","reason":"why","evidence":"evidence/0004-pause"}
{"t_ms":1.5,"event":"pause","reason":"why"}
{"t_ms":1.5,"event":"resume","paused_ms":3000.0}
{"t_ms":1.5,"event":"engine_restarted","reason":"it died","pondering":true}
{"t_ms":1.5,"event":"engine_restarted","reason":"it died"}
{"t_ms":1.5,"event":"refused","reason":"why","evidence":"evidence/0005-x"}
{"t_ms":1.5,"event":"advised","move":"e2e4"}
{"t_ms":1.5,"event":"continued","version":"1.2.3","plies":4,"boot":"b"}
{"t_ms":1.5,"event":"abandoned","evidence":"evidence/0006-pause"}
{"t_ms":1.5,"event":"abandoned"}
{"t_ms":1.5,"event":"stopped","reason":"q"}
{"t_ms":1.5,"event":"result","result":"1-0","termination":"checkmate","plies":61,"known_by":"own_clock"}
{"t_ms":1.5,"event":"result","result":"*","termination":"stopped","plies":0}
{"t_ms":1.5,"event":"clocks","white_ms":1.0,"black_ms":2.0,"own_white_ms":3.0,"own_black_ms":4.0}
{"t_ms":1.5,"event":"clocks","own_white_ms":3.0,"own_black_ms":4.0}
{"t_ms":1.5,"event":"clocks_read","looks":7,"read":6}
{"t_ms":1.5,"event":"note","text":"n"}"#;

    #[test]
    fn every_line_is_written_as_it_was_read() {
        for line in LINES.lines() {
            let entry: Entry = serde_json::from_str(line).unwrap();
            assert_eq!(serde_json::to_string(&entry).unwrap(), line);
        }
    }
}
