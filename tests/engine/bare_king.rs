//! The engine mates a bare king with the few pieces that can, from any position, against a defender that searches too.

use torres::engine::{Engine, Game, Position, SearchControl, SearchLimits};

/// A small linear congruential generator (D. Lehmer's, as in C++'s `minstd_rand`): the same positions on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0 * 48_271 % 2_147_483_647;
        self.0 % bound
    }
}

/// White to move with these pieces against a bare king, anywhere.
fn anywhere(pieces: &str, random: &mut Random) -> Position {
    loop {
        let mut board = [None; 64];
        for piece in format!("Kk{pieces}").chars() {
            let mut square = random.below(64) as usize;
            while board[square].is_some() {
                square = random.below(64) as usize;
            }
            board[square] = Some(piece);
        }
        let rank = |rank: &[Option<char>]| {
            rank.iter()
                .map(|piece| piece.map_or("1".to_owned(), String::from))
                .collect::<String>()
        };
        let placement: Vec<String> = board.chunks(8).map(rank).collect();
        // Kings beside each other and Black in check are refused; bishops must be of both colours.
        let Ok(position) = Position::from_fen(&format!("{} w - - 0 1", placement.join("/"))) else {
            continue;
        };
        if !position.has_insufficient_material() {
            return position;
        }
    }
}

/// Plays on; whether White mates before anything makes a draw, and without losing a piece.
fn is_won(position: Position, attacker: &mut Engine, defender: &mut Engine) -> bool {
    let mut game = Game::new(position);
    attacker.new_game();
    defender.new_game();
    let limits = |nodes| SearchLimits {
        nodes: Some(nodes),
        ..SearchLimits::default()
    };
    for ply in 0.. {
        let (engine, nodes) = if ply % 2 == 0 {
            (&mut *attacker, 20_000)
        } else {
            (&mut *defender, 2_000)
        };
        if game.is_draw() {
            return false;
        }
        match engine
            .search(&game, &limits(nodes), &SearchControl::new(), &mut |_| {})
            .best
        {
            Some(mv) => game.play(mv),
            None => return ply % 2 == 1 && game.position().in_check(),
        }
    }
    false
}

fn all_are_won(pieces: &str, games: usize) {
    let mut random = Random(2024);
    let (mut attacker, mut defender) = (Engine::new(8), Engine::new(1));
    for _ in 0..games {
        let position = anywhere(pieces, &mut random);
        assert!(
            is_won(position, &mut attacker, &mut defender),
            "not won: {}",
            position.fen()
        );
    }
}

#[test]
fn queen_and_king_mate() {
    all_are_won("Q", 20);
}

#[test]
fn rook_and_king_mate() {
    all_are_won("R", 20);
}

#[test]
fn two_bishops_mate() {
    all_are_won("BB", 12);
}

#[test]
fn bishop_and_knight_mate() {
    all_are_won("BN", 20);
}
