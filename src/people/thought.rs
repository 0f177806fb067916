//! What a computer in a game has to say next, and the asking.

use super::command::{Command, Offer};
use super::computer::natural_time;
use super::computers::{Asked, Computers};
use super::game::PeopleGame;
use super::game_id::GameId;
use futures_util::future::BoxFuture;
use shakmaty::{Color, Position};
use std::time::Duration;
use torres_frame::Timestamp;
use torres_link::messages::Score;

/// How many plies must be played before a computer agrees to a draw.
const DRAW_AFTER: usize = 20;

/// What a computer is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// Its move.
    Move,
    /// Whether it takes the draw that it was offered.
    Draw,
}

/// A question to whoever has a seat, as of a turn of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Posed {
    question: Question,
    /// Whose seat.
    pub color: Color,
    turn: u32,
}

impl Posed {
    /// What a computer has to say now, if anything.
    pub fn of(game: &PeopleGame) -> Option<Posed> {
        if !game.is_on() || game.is_paused() {
            return None;
        }
        let (question, color) = match game.offers().draw.map(Color::other) {
            Some(asked) if game.computer(asked).is_some() => (Question::Draw, asked),
            _ => (Question::Move, game.game().position().turn()),
        };
        let turn = game.turn();
        game.computer(color).map(|_| Posed { question, color, turn })
    }

    /// Asks. What comes is a command of the computer's, or why there is none.
    pub fn ask(
        self,
        game: &PeopleGame,
        id: &GameId,
        computers: &Computers,
    ) -> BoxFuture<'static, Result<Command, String>> {
        let computer = game.computer(self.color).and_then(|id| computers.find(id));
        let rules = game.game();
        let (start_fen, position) = (torres_chess::fen(rules.start()), rules.position().clone());
        let moves: Vec<String> = rules.plies().iter().map(|ply| ply.uci.to_string()).collect();
        let time_left = game.times(Timestamp::now()).map(|times| {
            Duration::from_millis(match self.color {
                Color::White => times.white_ms,
                Color::Black => times.black_ms,
            })
        });
        let natural = game.owned().is_some_and(|owned| owned.natural);
        let computers = computers.clone();
        let (turn, chance) = (self.turn, chance(id, self.turn));
        match self.question {
            Question::Move => Box::pin(async move {
                let computer = computer.ok_or("this server does not know the computer that plays here")?;
                let wait = match natural {
                    true => natural_time(chance, position.legal_moves().len(), time_left),
                    false => Duration::ZERO,
                };
                let asked = Asked {
                    chance,
                    start_fen,
                    moves,
                    position,
                    time_left,
                };
                let (reply, ()) = tokio::join!(computers.reply(computer, asked), tokio::time::sleep(wait));
                reply.map(|uci| Command::Move { turn, uci })
            }),
            Question::Draw => {
                let own_turn = position.turn() == self.color;
                let early = rules.plies().len() < DRAW_AFTER;
                Box::pin(async move {
                    let takes = !early && takes_draw(computers.analyse(start_fen, moves).await?.score, own_turn);
                    Ok(match takes {
                        true => Command::Accept(Offer::Draw),
                        false => Command::Decline(Offer::Draw),
                    })
                })
            }
        }
    }
}

/// Whether a computer takes a draw: where it does not stand better. The score is the side to move's, which may be its
/// own.
fn takes_draw(score: Score, own: bool) -> bool {
    let (Score::Cp(value) | Score::Mate(value)) = score;
    match own {
        true => value <= 0,
        false => value >= 0,
    }
}

/// A number for a game's turn: the same game goes on in the same way, and another in another.
fn chance(id: &GameId, turn: u32) -> u32 {
    // FNV-1a.
    let bytes = id.as_str().bytes().chain(turn.to_le_bytes());
    let hash = bytes.fold(0x811c_9dc5_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    // The last bytes have moved the low bits alone.
    hash ^ hash.rotate_left(16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_computer_takes_a_draw_unless_it_stands_better() {
        for (score, own, takes) in [
            (Score::Cp(-30), true, true),
            (Score::Cp(0), true, true),
            (Score::Cp(30), true, false),
            (Score::Cp(30), false, true),
            (Score::Mate(3), false, true),
            (Score::Mate(-3), false, false),
            (Score::Mate(-3), true, true),
        ] {
            assert_eq!(takes_draw(score, own), takes, "{score:?} {own}");
        }
    }

    #[test]
    fn turns_of_a_game_have_numbers_all_over() {
        let id = GameId::try_from("abcdefghij".to_owned()).unwrap();
        let numbers: Vec<u32> = (0..400).map(|turn| chance(&id, turn)).collect();
        let quarter = |part: u32| numbers.iter().filter(|number| *number / (1 << 30) == part).count();
        assert!(
            (0..4).all(|part| (60..140).contains(&quarter(part))),
            "{:?}",
            [0, 1, 2, 3].map(quarter)
        );
    }
}
