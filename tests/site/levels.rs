//! The bot's levels in order of strength: each beats the one two below it, over two engines' sockets.

use shakmaty::fen::Epd;
use shakmaty::{CastlingMode, Chess, Color, Position};
use std::time::Duration;
use torres::chess::fen;
use torres::link::process::EngineCommand;
use torres::link::supervisor::Supervisor;
use torres::site::bot::{Bot, Turn};
use torres::site::game::Game;
use torres::site::levels::{LEVELS, LevelNumber};
use torres::site::opponents::Strength;
use torres::site::script::Script;
use torres_test_support::program;

/// A game that is not over by then is a draw: these are quick games.
const LAST_PLY: usize = 240;

struct Side {
    bot: Bot<Supervisor>,
    level: LevelNumber,
}

impl Side {
    /// A bot with an engine process and socket of its own.
    fn new(level: LevelNumber) -> Side {
        let engine = Supervisor::new(EngineCommand {
            hash_mib: 16,
            ..EngineCommand::of(program())
        });
        Side {
            bot: Bot::new(engine, Script::default(), level.get() as u64),
            level,
        }
    }

    async fn plays(&mut self, number: u32, game: &mut Game) {
        let turn = Turn {
            game: number,
            strength: Strength::Level(self.level),
            start_fen: fen(game.start()),
            moves: game.plies().iter().map(|ply| ply.uci.to_string()).collect(),
            position: game.position().clone(),
            own_moves: game.plies().len() / 2,
            time_left: Duration::from_secs(900),
        };
        let reply = self.bot.reply(&turn).await.unwrap();
        game.play(&reply.uci).expect("replies are legal");
    }
}

fn openings() -> Vec<Chess> {
    let text = include_str!("../data/openings.epd");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let position = |line: &str| {
        line.parse::<Epd>()
            .unwrap()
            .into_position(CastlingMode::Standard)
            .unwrap()
    };
    lines.map(position).collect()
}

/// Twice the stronger side's points: 2 for a win, 1 for a draw.
async fn game_of(number: u32, start: Chess, weaker: &mut Side, stronger: &mut Side, stronger_is: Color) -> u32 {
    weaker.bot.new_game().await.unwrap();
    stronger.bot.new_game().await.unwrap();
    let mut game = Game::new(start);
    let ending = loop {
        match game.ending() {
            None if game.plies().len() < LAST_PLY => {}
            ending => break ending,
        }
        let mover = if game.position().turn() == stronger_is {
            &mut *stronger
        } else {
            &mut *weaker
        };
        mover.plays(number, &mut game).await;
    };
    match ending.and_then(|ending| ending.winner()) {
        None => 1,
        Some(winner) => 2 * u32::from(winner == stronger_is),
    }
}

/// So many of 40 half points prove that one side is the stronger one.
const PROVEN: u32 = 26;

/// Twenty games: ten openings, each with both colours. Games that can no longer change the answer are not played.
async fn stronger_takes_thirteen_points(weaker: u8) {
    let level = |number: u8| LevelNumber::try_from(number).unwrap();
    let (mut weak, mut strong) = (Side::new(level(weaker)), Side::new(level(weaker + 2)));
    let starts = openings()
        .into_iter()
        .flat_map(|start| [(start.clone(), Color::White), (start, Color::Black)]);
    let starts: Vec<_> = starts.collect();
    assert_eq!(starts.len(), 20);
    let (mut games, mut half_points) = (0, 0);
    for (start, color) in starts {
        let possible = half_points + 2 * (20 - games);
        if half_points >= PROVEN || possible < PROVEN {
            break;
        }
        games += 1;
        half_points += game_of(games, start, &mut weak, &mut strong, color).await;
    }
    println!(
        "level {} against level {weaker}: {} of {games}",
        weaker + 2,
        f64::from(half_points) / 2.0
    );
    assert!(
        half_points >= PROVEN,
        "level {} takes {half_points} half points from level {weaker} in {games} games",
        weaker + 2
    );
}

macro_rules! neighbours_but_one {
    ($($name:ident: $weaker:literal;)*) => {
        $(#[tokio::test]
        async fn $name() {
            stronger_takes_thirteen_points($weaker).await;
        })*

        #[test]
        fn no_level_is_left_out() {
            assert_eq!([$($weaker),*].len(), LEVELS.len() - 2);
        }
    };
}

neighbours_but_one! {
    level_3_beats_level_1: 1;
    level_4_beats_level_2: 2;
    level_5_beats_level_3: 3;
    level_6_beats_level_4: 4;
    level_7_beats_level_5: 5;
    level_8_beats_level_6: 6;
}
