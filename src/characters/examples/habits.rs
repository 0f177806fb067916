//! What characters do in their games: how early they move the queen, how often the king, how much they leave
//! unprotected. Each plays both colours against the engine at few nodes, whose first move is another one in each pair
//! of games.
//!
//! ```text
//! cargo run --release -p torres-characters --example habits -- GAMES NODES ID...
//! ```

use std::process::ExitCode;
use torres_characters::{Cast, find};
use torres_engine::uci::Player;
use torres_engine::{Color, Engine, Game, Move, MoveKind, Piece, Position, Role, SearchControl, SearchLimits, Square};
use torres_printing::{eprintln, println};

/// Nodes of the opponent's searches: few, so that games last.
const OPPONENT_NODES: u64 = 300;
/// Moves of each side after which a game is left.
const MOVES: u16 = 40;
/// The last of its side's moves at which a queen is out early.
const EARLY: u16 = 8;

/// What was seen in a character's games.
#[derive(Default)]
struct Habits {
    games: u32,
    moves: u32,
    early_queen: u32,
    early_king: u32,
    king: u32,
    king_in_middlegame: u32,
    castled: u32,
    developed: u32,
    /// Own men that own men protect, and own men, after moves 9 to 40.
    protected: u32,
    men: u32,
    captures: [u32; 2],
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (Some(games), Some(nodes)) = (
        words.first().and_then(|word| word.parse().ok()),
        words.get(1).and_then(|word| word.parse().ok()),
    ) else {
        eprintln!("habits GAMES NODES ID...");
        return ExitCode::from(2);
    };
    println!(
        "| character | games | queen moves to move {EARLY} | king moves to move {EARLY} | king moves per 40 | of them with 20 men or more | castled | minor pieces out at move {EARLY} | protected men | captures to move 15, later, per 10 moves |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for id in &words[2..] {
        if find(id).is_none() {
            eprintln!("there is no character '{id}'");
            return ExitCode::from(2);
        }
        println!("| {id} {}", watch(id, games, nodes).row());
    }
    ExitCode::SUCCESS
}

fn watch(id: &str, games: u32, nodes: u64) -> Habits {
    let mut character = Cast::new(Engine::new(4));
    let mut opponent = Engine::new(4);
    let mut habits = Habits::default();
    if character.set_option("character", id) != Some(Ok(())) {
        return habits;
    }
    for number in 0..games {
        let color = Color::ALL[number as usize % 2];
        let mut game = Game::default();
        // The opponent's first move is another one in each pair of games.
        let mut first = Some(number as usize / 2);
        habits.games += 1;
        character.engine().new_game();
        opponent.new_game();
        let mut castled = false;
        while !game.is_draw() && game.position().fullmove_number() <= MOVES {
            let own = game.position().turn() == color;
            let answer = if own {
                search(&mut character, &game, nodes)
            } else if let Some(index) = first.take() {
                let moves = game.position().legal_moves();
                moves.get(index % moves.len().max(1)).copied()
            } else {
                search(&mut opponent, &game, OPPONENT_NODES)
            };
            let Some(mv) = answer else { break };
            if own {
                castled |= habits.count(game.position(), mv);
            }
            game.play(mv);
            if own {
                habits.look(game.position(), color);
            }
        }
        habits.castled += u32::from(castled);
    }
    habits
}

fn search(player: &mut impl Player, game: &Game, nodes: u64) -> Option<Move> {
    let limits = SearchLimits {
        nodes: Some(nodes),
        ..SearchLimits::default()
    };
    player.search(game, &limits, &SearchControl::new(), &mut |_| {}).best
}

impl Habits {
    /// A move of the character's; whether it castles.
    fn count(&mut self, position: &Position, mv: Move) -> bool {
        let early = position.fullmove_number() <= EARLY;
        let castles = matches!(mv.kind(), MoveKind::Castle(_));
        let role = position.board().role_at(mv.from());
        self.moves += 1;
        self.early_queen += u32::from(early && role == Some(Role::Queen));
        if role == Some(Role::King) && !castles {
            self.king += 1;
            self.early_king += u32::from(early);
            self.king_in_middlegame += u32::from(position.board().occupied().count() >= 20);
        }
        self.captures[usize::from(position.fullmove_number() > 15)] += u32::from(mv.is_capture());
        castles
    }

    /// The board after it.
    fn look(&mut self, position: &Position, color: Color) {
        let board = position.board();
        // Black's move has made the number one higher.
        let number = position.fullmove_number() - u16::from(color == Color::Black);
        if number == EARLY {
            let home = |square: Square| square.relative_rank(color) == 0;
            let minors = board.pieces(color, Role::Knight) | board.pieces(color, Role::Bishop);
            self.developed += minors.filter(|square| !home(*square)).count() as u32;
        }
        if number > EARLY {
            let own: Vec<(Square, Piece)> = board
                .color(color)
                .filter_map(|square| Some((square, board.piece_at(square)?)))
                .collect();
            for (square, piece) in &own {
                if piece.role == Role::King {
                    continue;
                }
                let is_protected = own
                    .iter()
                    .any(|(from, by)| by.attacks(*from, board.occupied()).contains(*square));
                self.men += 1;
                self.protected += u32::from(is_protected);
            }
        }
    }

    fn row(&self) -> String {
        let each = |count: u32, of: u32| f64::from(count) / f64::from(of.max(1));
        let early_moves = 15 * self.games;
        let late_moves = self.moves.saturating_sub(early_moves);
        format!(
            "| {} | {:.2} | {:.2} | {:.1} | {:.1} | {:.0} % | {:.2} | {:.0} % | {:.1}, {:.1} |",
            self.games,
            each(self.early_queen, self.games),
            each(self.early_king, self.games),
            40.0 * each(self.king, self.moves),
            40.0 * each(self.king_in_middlegame, self.moves),
            100.0 * each(self.castled, self.games),
            each(self.developed, self.games),
            100.0 * each(self.protected, self.men),
            10.0 * each(self.captures[0], early_moves),
            10.0 * each(self.captures[1], late_moves),
        )
    }
}
