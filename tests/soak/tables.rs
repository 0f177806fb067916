//! Who plays where: each table has squares and a bot of its own, and there both colours are played in turn.

/// Games at a table before the next is taken: enough for the player's memory to be judged.
const GAMES: u32 = 25;

/// Where some games are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table {
    /// The practice site's squares, by their name in the page's address.
    pub board: &'static str,
    /// The bot's level.
    pub level: u8,
}

const TABLES: [Table; 4] = [
    Table {
        board: "brown",
        level: 1,
    },
    Table {
        board: "blue",
        level: 5,
    },
    Table {
        board: "green",
        level: 3,
    },
    Table {
        board: "grey",
        level: 7,
    },
];

impl Table {
    /// What follows the host in the page's address.
    pub fn address(&self) -> String {
        format!("?board={}", self.board)
    }
}

/// The table of a game, by its number from 1.
pub fn table_of(game: u32) -> Table {
    TABLES[((game - 1) / GAMES) as usize % TABLES.len()]
}

/// The last game at the same table.
pub fn last_beside(game: u32) -> u32 {
    game.div_ceil(GAMES) * GAMES
}

/// The player's colour.
pub fn color_of(game: u32) -> &'static str {
    if game % 2 == 1 { "white" } else { "black" }
}

/// Whether faults are planned in a game: in half of them, with either colour.
pub fn is_troubled(game: u32) -> bool {
    matches!(game % 4, 1 | 2)
}

/// Whether players may be ended within a game. At every other table one player lives through all games, so that its
/// memory is judged.
pub fn ends_players(game: u32) -> bool {
    ((game - 1) / GAMES) % 2 == 1
}

#[test]
fn every_table_has_as_many_games_and_both_colours_are_troubled_in_half_of_theirs() {
    assert_eq!((table_of(1), last_beside(1)), (TABLES[0], 25));
    assert_eq!((table_of(25), last_beside(25)), (TABLES[0], 25));
    assert_eq!((table_of(26), last_beside(26)), (TABLES[1], 50));
    assert_eq!((table_of(100), last_beside(100)), (TABLES[3], 100));
    assert_eq!(table_of(101), TABLES[0]);
    for color in ["white", "black"] {
        let games = || (1..=100).filter(|game| color_of(*game) == color);
        assert_eq!(
            (games().count(), games().filter(|game| is_troubled(*game)).count()),
            (50, 25)
        );
    }
}
