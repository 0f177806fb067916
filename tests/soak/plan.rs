//! Which faults a game suffers, and when: drawn from the run's seed and the game's number, and from nothing else.

use crate::tables::is_troubled;
use std::fmt;

/// Faults in a game that lasts long enough for all of them.
const FAULTS: usize = 3;
/// No fault before that many plies, and so many at least from one to the next.
const FIRST_PLY: usize = 3;
const APART: usize = 6;
/// The further the plies of two faults may lie apart.
const SPREAD: u64 = 6;
/// The fault comes within this time after its ply, in ms: in thought, in a gesture, or while the bot's piece moves. Those that need calm
/// come with the player's next move.
const WITHIN_MS: u64 = 1500;

/// What happens to a game that it must survive. Times are ms, places and sizes pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    EngineKilled,
    EngineFrozen,
    WindowMoved { x: i32, y: i32 },
    WindowNarrowed { by: u32 },
    BoardCovered { ms: u64 },
    Toast { ms: u64 },
    Minimised { ms: u64 },
    PageReloaded,
    BoardFlipped,
    PressLost,
    MoveRefused,
    StoodStill { ms: u64 },
    Busy { ms: u64 },
}

/// Narrower by so much, the page has a smaller board and its panel the same pixels; by others the panel lies half a pixel aside, is drawn
/// anew, and the game pauses by design.
const NARROWER: [u32; 4] = [40, 56, 104, 120];

/// How many kinds there are.
const KINDS: u64 = 13;

impl Fault {
    fn drawn(random: &mut Random) -> Fault {
        // Shorter than the five seconds after which a game pauses by design, with room for a busy machine.
        let moment = |random: &mut Random| 800 + 100 * random.below(18);
        match random.below(KINDS) {
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
            _ => Fault::Busy { ms: 2 * moment(random) },
        }
    }

    /// Whether it comes right after a move of the player's, and not at any time. A release that another window receives leaves a piece in
    /// the hand of the page, and a board turned in the very moment of the bot's move cannot be told for certain: there the game pauses by
    /// design.
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
            Fault::BoardCovered { .. } => "board covered",
            Fault::Toast { .. } => "toast over the board",
            Fault::Minimised { .. } => "window minimised",
            Fault::PageReloaded => "page reloaded",
            Fault::BoardFlipped => "board turned round",
            Fault::PressLost => "press lost",
            Fault::MoveRefused => "move refused",
            Fault::StoodStill { .. } => "machine stood still",
            Fault::Busy { .. } => "machine busy",
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
            _ => Ok(()),
        }
    }
}

/// A fault and its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planned {
    /// When the game has so many plies,
    pub ply: usize,
    /// and so many ms later.
    pub delay_ms: u64,
    pub fault: Fault,
}

/// What a game is to suffer, in the order of its plies; the untroubled half of the games nothing.
pub fn plan(seed: u64, game: u32) -> Vec<Planned> {
    if !is_troubled(game) {
        return Vec::new();
    }
    let mut random = Random(seed ^ u64::from(game).wrapping_mul(0xd134_2543_de82_ef95));
    let mut ply = FIRST_PLY;
    let mut planned = Vec::new();
    for _ in 0..FAULTS {
        ply += random.below(SPREAD) as usize;
        planned.push(Planned {
            ply,
            delay_ms: random.below(WITHIN_MS),
            fault: Fault::drawn(&mut random),
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
    assert_eq!(plan(7, 1), plan(7, 1));
    assert_ne!(plan(7, 1), plan(7, 2));
    assert_ne!(plan(7, 1), plan(8, 1));
    assert_eq!(plan(7, 3), []);
    let troubled = (1..=100).filter(|game| is_troubled(*game));
    let all: Vec<Vec<Planned>> = troubled.map(|game| plan(1, game)).collect();
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
