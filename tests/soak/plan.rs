//! Which faults a game suffers, and when: drawn from the run's seed and the game's number, and from nothing else.

use crate::tables::{ends_players, is_troubled};
use std::fmt;

/// Faults in a game that lasts long enough for all of them.
const FAULTS: usize = 3;
/// No fault comes before this ply.
const FIRST_PLY: usize = 3;
/// The fewest plies from one fault to the next.
const APART: usize = 6;
/// The further the plies of two faults may lie apart.
const SPREAD: u64 = 6;
/// The fault comes within this time after its ply, in ms: in thought, in a gesture, or while the bot's piece moves.
/// Those that need calm come with the player's next move.
const WITHIN_MS: u64 = 1500;

/// What happens to a game that it must survive. Times are ms, places and sizes pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    EngineKilled,
    EngineFrozen,
    WindowMoved {
        x: i32,
        y: i32,
    },
    WindowNarrowed {
        by: u32,
    },
    /// As a hand moves it that does not hurry.
    WindowStepped,
    BoardCovered {
        ms: u64,
    },
    Toast {
        ms: u64,
    },
    Minimised {
        ms: u64,
    },
    PageReloaded,
    BoardFlipped,
    PressLost,
    MoveRefused,
    StoodStill {
        ms: u64,
    },
    Busy {
        ms: u64,
    },
    /// The player's wall clock is set forward or back, as by a hand or a time server.
    ClockSet {
        by_s: i32,
    },
    /// Somebody halts the player, and has it go on after so long.
    Stopped {
        by: Way,
        when: Moment,
        for_ms: u64,
    },
}

/// How somebody halts the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    KeyQ,
    KeyP,
    KeyCtrlC,
    PagePause,
    PageStop,
    Interrupt,
    Terminate,
    /// The terminal is closed.
    HangUp,
    /// Nothing of the player is left to let the button go; always in a drag.
    Kill,
}

/// All ways; those in front end the player.
const WAYS: [Way; 9] = [
    Way::KeyQ,
    Way::KeyCtrlC,
    Way::PageStop,
    Way::Interrupt,
    Way::Terminate,
    Way::HangUp,
    Way::Kill,
    Way::KeyP,
    Way::PagePause,
];

impl Way {
    /// Whether the player goes on by itself when it is told to, and need not be started again.
    pub fn pauses(self) -> bool {
        matches!(self, Way::KeyP | Way::PagePause)
    }

    fn kind(self) -> &'static str {
        match self {
            Way::KeyQ => "key q",
            Way::KeyP => "key p",
            Way::KeyCtrlC => "key Ctrl-C",
            Way::PagePause => "page's Pause",
            Way::PageStop => "page's Stop",
            Way::Interrupt => "SIGINT",
            Way::Terminate => "SIGTERM",
            Way::HangUp => "terminal closed",
            Way::Kill => "SIGKILL in a drag",
        }
    }
}

/// At which moment of the player's doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// At its time, whatever goes on.
    Any,
    /// When the button is next seen down.
    InDrag,
    /// While a toast lies over the board that goes away after the stop.
    UnderToast,
}

/// Narrower by so much, the page has a smaller board and its panel the same pixels; by others the panel lies half a
/// pixel aside, is drawn anew, and the game pauses by design.
const NARROWER: [u32; 4] = [40, 56, 104, 120];

/// How many kinds there are, each way to stop counted; and how many without those that end the player.
const KINDS: u64 = 24;
const KINDS_WITHOUT_AN_END: u64 = KINDS - 7;

/// The wall clock is set by an hour, in seconds.
const AN_HOUR: [i32; 2] = [3600, -3600];
/// With stops asked for: from the ply of one to that of the next at most.
const STOPS_APART: u64 = 3;

impl Fault {
    /// One of the first `kinds` faults, each as likely as the others.
    fn drawn(random: &mut Random, kinds: u64) -> Fault {
        // Shorter than the five seconds after which a game pauses by design, with room for a busy machine.
        let moment = |random: &mut Random| 800 + 100 * random.below(18);
        match random.below(kinds) {
            0 => Fault::EngineKilled,
            1 => Fault::EngineFrozen,
            2 => Fault::WindowMoved {
                x: random.below(250) as i32,
                y: random.below(180) as i32,
            },
            3 => Fault::WindowNarrowed {
                by: NARROWER[random.below(NARROWER.len() as u64) as usize],
            },
            4 => Fault::BoardCovered { ms: moment(random) },
            5 => Fault::Toast { ms: moment(random) },
            6 => Fault::Minimised { ms: moment(random) },
            7 => Fault::PageReloaded,
            8 => Fault::BoardFlipped,
            9 => Fault::PressLost,
            10 => Fault::MoveRefused,
            11 => Fault::StoodStill { ms: 2 * moment(random) },
            12 => Fault::Busy { ms: 2 * moment(random) },
            13 => Fault::WindowStepped,
            14 => Fault::ClockSet {
                by_s: AN_HOUR[random.below(2) as usize],
            },
            // The last ones end the player.
            way => Fault::stopped(WAYS[(KINDS - 1 - way) as usize], random),
        }
    }

    fn stopped(by: Way, random: &mut Random) -> Fault {
        let when = match (by, random.below(3)) {
            (Way::Kill, _) | (_, 0) => Moment::InDrag,
            (_, 1) => Moment::UnderToast,
            _ => Moment::Any,
        };
        let for_ms = 1200 + 100 * random.below(8);
        Fault::Stopped { by, when, for_ms }
    }

    /// Whether it comes right after a move of the player's, and not at any time. A release that another window receives
    /// leaves a piece in the hand of the page, and a board turned in the very moment of the bot's move cannot be told
    /// for certain: there the game pauses by design.
    pub fn needs_calm(&self) -> bool {
        matches!(
            self,
            Fault::BoardCovered { .. } | Fault::Minimised { .. } | Fault::BoardFlipped
        )
    }

    /// Its kind, whatever its times and places.
    pub fn kind(&self) -> &'static str {
        match self {
            Fault::EngineKilled => "engine killed",
            Fault::EngineFrozen => "engine frozen",
            Fault::WindowMoved { .. } => "window moved",
            Fault::WindowNarrowed { .. } => "window resized",
            Fault::WindowStepped => "window moved in steps",
            Fault::BoardCovered { .. } => "board covered",
            Fault::Toast { .. } => "toast over the board",
            Fault::Minimised { .. } => "window minimised",
            Fault::PageReloaded => "page reloaded",
            Fault::BoardFlipped => "board turned round",
            Fault::PressLost => "press lost",
            Fault::MoveRefused => "move refused",
            Fault::StoodStill { .. } => "machine stood still",
            Fault::Busy { .. } => "machine busy",
            Fault::ClockSet { .. } => "clock set",
            Fault::Stopped { by, .. } => by.kind(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind())?;
        match self {
            Fault::WindowMoved { x, y } => write!(f, " to {x}, {y}"),
            Fault::WindowNarrowed { by } => write!(f, ", {by} px narrower"),
            Fault::BoardCovered { ms }
            | Fault::Toast { ms }
            | Fault::Minimised { ms }
            | Fault::StoodStill { ms }
            | Fault::Busy { ms } => write!(f, " for {ms} ms"),
            Fault::ClockSet { by_s } => write!(f, " by {by_s:+} s"),
            Fault::Stopped { by, when, for_ms } => {
                let when = match (by, when) {
                    (Way::Kill, _) | (_, Moment::Any) => "",
                    (_, Moment::InDrag) => ", in a drag",
                    (_, Moment::UnderToast) => ", under a toast",
                };
                write!(f, "{when}, for {for_ms} ms")
            }
            _ => Ok(()),
        }
    }
}

/// A fault and its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planned {
    /// The plies that the game has when it is due.
    pub ply: usize,
    /// How much later it comes.
    pub delay_ms: u64,
    pub fault: Fault,
}

/// What a game is to suffer, in the order of its plies; the untroubled half of the games nothing. With `stops` asked
/// for, every game suffers that number of stops, and nothing else.
pub fn plan(seed: u64, game: u32, stops: Option<u32>) -> Vec<Planned> {
    let mut random = Random(seed ^ u64::from(game).wrapping_mul(0xd134_2543_de82_ef95));
    let mut ply = FIRST_PLY;
    let mut planned = Vec::new();
    if let Some(stops) = stops {
        for _ in 0..stops {
            let by = WAYS[random.below(WAYS.len() as u64) as usize];
            planned.push(Planned {
                ply,
                delay_ms: random.below(WITHIN_MS),
                fault: Fault::stopped(by, &mut random),
            });
            ply += 1 + random.below(STOPS_APART) as usize;
        }
        return planned;
    }
    if !is_troubled(game) {
        return planned;
    }
    let kinds = if ends_players(game) {
        KINDS
    } else {
        KINDS_WITHOUT_AN_END
    };
    for _ in 0..FAULTS {
        ply += random.below(SPREAD) as usize;
        planned.push(Planned {
            ply,
            delay_ms: random.below(WITHIN_MS),
            fault: Fault::drawn(&mut random, kinds),
        });
        ply += APART;
    }
    planned
}

/// G. Steele's, D. Lea's and C. Flood's splitmix64: the same numbers on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }
}

#[test]
fn a_seed_and_a_number_name_the_faults_and_all_kinds_come() {
    assert_eq!(plan(7, 1, None), plan(7, 1, None));
    assert_ne!(plan(7, 1, None), plan(7, 2, None));
    assert_ne!(plan(7, 1, None), plan(8, 1, None));
    assert_eq!(plan(7, 3, None), []);
    let troubled = (1..=400).filter(|game| is_troubled(*game));
    let all: Vec<Vec<Planned>> = troubled.map(|game| plan(1, game, None)).collect();
    let kinds: std::collections::BTreeSet<&str> = all.iter().flatten().map(|p| p.fault.kind()).collect();
    assert_eq!(kinds.len() as u64, KINDS, "{kinds:?}");
    for game in &all {
        assert!(game[0].ply >= FIRST_PLY, "{game:?}");
        assert!(
            game.windows(2).all(|pair| pair[1].ply >= pair[0].ply + APART),
            "{game:?}"
        );
    }
}

#[test]
fn a_player_is_ended_only_where_its_memory_is_not_judged() {
    let ends = |game: &u32| {
        let planned = plan(1, *game, None);
        let ending = |planned: &Planned| matches!(planned.fault, Fault::Stopped { by, .. } if !by.pauses());
        planned.iter().any(ending)
    };
    assert!((1..=400).filter(|game| !ends_players(*game)).all(|game| !ends(&game)));
    assert!((1..=400).filter(|game| ends_players(*game)).any(|game| ends(&game)));
}

#[test]
fn stops_that_are_asked_for_come_in_every_game_and_are_of_every_kind() {
    let all: Vec<Planned> = (1..=30).flat_map(|game| plan(11, game, Some(10))).collect();
    assert_eq!(all.len(), 300);
    let kinds: std::collections::BTreeSet<&str> = all.iter().map(|planned| planned.fault.kind()).collect();
    assert_eq!(kinds.len(), WAYS.len(), "{kinds:?}");
    let moments = [Moment::Any, Moment::InDrag, Moment::UnderToast];
    for moment in moments {
        let at = |planned: &&Planned| matches!(planned.fault, Fault::Stopped { when, .. } if when == moment);
        assert!(all.iter().filter(at).count() >= 50, "{moment:?}");
    }
}
