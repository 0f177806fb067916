//! How to play, and how long the machine waits for what.

use std::time::Duration;
use torres_calibration::MoveInput;

/// How long the machine waits for what.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// How long after our gesture the position before must stand for the move not to have landed.
    pub not_landed: Duration,
    /// The same, where the page has drawn nothing on the board since: it may not have taken the gesture in yet.
    pub unanswered: Duration,
    /// How long after a deselecting click the board must stand before the next try.
    pub deselected: Duration,
    /// How long the board's rest is waited for before it is touched: something may move on it all the time.
    pub rest: Duration,
    /// With less than this on our clock it is not waited for, unless this board was seen to lose what comes before.
    pub hurry: Duration,
    /// For how long what is not understood, or keeps a gesture from being made, is looked at again before a pause.
    pub unknown: Duration,
    /// How long the opponent panel must look different to have changed: what passes over it, or a window on its way,
    /// does not last.
    pub panel: Duration,
    /// How long nothing must move after a flag fell for it to be believed.
    pub flag: Duration,
    /// What is not understood for this long may lie under the pointer, which is taken aside.
    pub aside: Duration,
    /// How long a notice over the board, where our move ends the game, must stay.
    pub notice: Duration,
    /// How long the button of the next game must be seen, while the board stands, for the game to be over.
    pub offered: Duration,
    /// How long the site's clocks must stand for the game to be over: a page may hang.
    pub clocks_stand: Duration,
    /// How long they must have stood where the board took our move in no way.
    pub clocks_stand_untaken: Duration,
    /// How long, at least, the opponent's move is waited for before it is said that none comes; where a draw may be
    /// claimed, the game is over then.
    pub no_reply: Duration,
    /// How long, at least, it is waited for before a game is left for another one.
    pub leave: Duration,
    /// And before a game is left after which no other is known to follow.
    pub leave_last: Duration,
    /// And where the page does not name the opponent any more.
    pub leave_unnamed: Duration,
    /// How long it must not have done so: something may pass over the name.
    pub unnamed: Duration,
    /// And before a game is left where something new stands on the page.
    pub leave_changed: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            not_landed: Duration::from_millis(400),
            unanswered: Duration::from_secs(1),
            deselected: Duration::from_millis(150),
            rest: Duration::from_secs(1),
            hurry: Duration::from_secs(60),
            unknown: Duration::from_secs(5),
            panel: Duration::from_millis(300),
            flag: Duration::from_secs(3),
            aside: Duration::from_millis(800),
            notice: Duration::from_secs(2),
            offered: Duration::from_secs(1),
            clocks_stand: Duration::from_secs(10),
            clocks_stand_untaken: Duration::from_secs(2),
            no_reply: Duration::from_secs(30),
            leave: Duration::from_secs(120),
            leave_last: Duration::from_secs(300),
            leave_unnamed: Duration::from_secs(30),
            unnamed: Duration::from_secs(20),
            leave_changed: Duration::from_secs(60),
        }
    }
}

/// How to play.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// Longest thought per move, in ms.
    pub move_ms: Option<u64>,
    /// Stop after this many plies.
    pub plies: Option<usize>,
    /// Show moves instead of making them: the user makes all moves of our side.
    pub hands_off: bool,
    /// Think on the opponent's time too.
    pub ponder: bool,
    /// How the board takes moves, as far as is said and known.
    pub move_input: MoveInput,
    /// Another game is to follow, and the page has a button for it: a game in which no move comes is left sooner.
    pub another_follows: bool,
    /// How long to wait for what.
    pub patience: Patience,
}
