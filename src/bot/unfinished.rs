//! A game that ended with its program: what the journal knows of it, so that another run goes on with it. Pure: entries in, a game out.

use super::clock::{GameClock, TimeControl};
use super::game::Game;
use crate::frame::Timestamp;
use crate::journal::{Entry, Event};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{ByColor, CastlingMode, Chess, Color, Position};
use std::time::Duration;

/// With fewer plies there is nothing that the board's start position would not tell.
const WORTH_IT: usize = 2;

/// A game without an end.
#[derive(Clone, Debug)]
pub struct Unfinished {
    /// Its moves.
    pub game: Game,
    /// The colour that Torres played.
    pub own: Color,
    /// The clocks, running since the last move, also while nobody looked.
    pub clock: GameClock,
}

/// What a journal says of its last game.
#[derive(Clone, Debug, Default)]
pub struct LastGame {
    /// How many games were begun in it.
    pub games: u32,
    /// The last one, where it did not come to an end and may still go on: neither clock has run out by now.
    pub unfinished: Option<Unfinished>,
}

/// Reads a journal's entries; `control` is the time control that is to be played now, another one is another game.
pub fn last_game<'a>(entries: impl IntoIterator<Item = &'a Entry>, control: TimeControl, now: Timestamp) -> LastGame {
    let mut told = LastGame::default();
    for entry in entries {
        match &entry.event {
            Event::GameStarted {
                fen,
                moves,
                color,
                clock,
                ..
            } => {
                told.games += 1;
                told.unfinished = match clock.as_deref() == Some(&*name(control)) {
                    true => begun(fen, moves, color.bottom(), control, Timestamp::from_ms(entry.t_ms)),
                    false => None,
                };
            }
            Event::Played { played, left_ms, .. } => {
                let at = Timestamp::from_ms(entry.t_ms);
                told.unfinished = told
                    .unfinished
                    .take()
                    .and_then(|game| game.played(played, *left_ms, at));
            }
            Event::TakenBack { plies, .. } => {
                let at = Timestamp::from_ms(entry.t_ms);
                told.unfinished = told.unfinished.take().and_then(|game| game.taken_back(*plies, at));
            }
            Event::Result { .. } | Event::Abandoned { .. } => told.unfinished = None,
            _ => {}
        }
    }
    told.unfinished = told
        .unfinished
        .filter(|left| left.game.plies() >= WORTH_IT && left.game.end().is_none() && left.clock.flag(now).is_none());
    told
}

/// A time control as the journal names it.
pub fn name(control: TimeControl) -> String {
    format!("{}+{}", control.initial.as_secs(), control.increment.as_secs())
}

fn begun(fen: &str, moves: &[String], own: Color, control: TimeControl, at: Timestamp) -> Option<Unfinished> {
    let start: Chess = fen.parse::<Fen>().ok()?.into_position(CastlingMode::Standard).ok()?;
    let mut game = Game::new(start);
    for text in moves {
        play(&mut game, text)?;
    }
    let left = ByColor::new_with(|_| control.initial);
    let clock = GameClock::running(control, left, game.position().turn(), at);
    Some(Unfinished { game, own, clock })
}

fn play(game: &mut Game, text: &str) -> Option<()> {
    let played = text.parse::<UciMove>().ok()?.to_move(game.position()).ok()?;
    game.play(played).ok()
}

impl Unfinished {
    fn played(mut self, text: &str, left_ms: f64, at: Timestamp) -> Option<Unfinished> {
        let mover = self.game.position().turn();
        play(&mut self.game, text)?;
        let mut left = ByColor::new_with(|color| self.clock.left(color, at));
        left[mover] = Duration::try_from_secs_f64(left_ms / 1e3).ok()?;
        self.clock = self.clock.booked(mover, left, at);
        Some(self)
    }

    fn taken_back(mut self, plies: usize, at: Timestamp) -> Option<Unfinished> {
        self.game.take_back(plies).then_some(())?;
        self.clock.turn(self.game.position().turn(), at);
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Orientation;

    const CONTROL: TimeControl = TimeControl {
        initial: Duration::from_secs(900),
        increment: Duration::from_secs(10),
    };

    fn at(seconds: f64, event: Event) -> Entry {
        Entry {
            t_ms: 1e12 + seconds * 1e3,
            event,
        }
    }

    fn started(seconds: f64, clock: &str) -> Entry {
        at(
            seconds,
            Event::GameStarted {
                fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".into(),
                moves: vec!["e2e4".into()],
                color: Orientation::Black,
                clock: Some(clock.into()),
                opponent: None,
            },
        )
    }

    fn played(seconds: f64, ply: u32, uci: &str, left_s: f64) -> Entry {
        at(
            seconds,
            Event::Played {
                ply,
                played: uci.into(),
                by: Orientation::White,
                took_ms: 0.0,
                left_ms: left_s * 1e3,
            },
        )
    }

    fn told(entries: &[Entry], seconds: f64) -> LastGame {
        last_game(entries, CONTROL, Timestamp::from_ms(1e12 + seconds * 1e3))
    }

    /// Black took 5 s for the first move, White 20 s for the next; then Torres, Black, was killed.
    fn killed() -> Vec<Entry> {
        vec![
            started(0.0, "900+10"),
            played(5.0, 2, "e7e5", 905.0),
            played(25.0, 3, "g1f3", 890.0),
        ]
    }

    #[test]
    fn a_game_goes_on_with_its_moves_and_the_clock_that_ran_meanwhile() {
        let told = told(&killed(), 85.0);
        let left = told.unfinished.unwrap();
        assert_eq!((told.games, left.own), (1, Color::Black));
        assert_eq!(left.game.uci_moves(), ["e2e4", "e7e5", "g1f3"]);
        let now = Timestamp::from_ms(1e12 + 85e3);
        assert_eq!(left.clock.left(Color::White, now).as_secs(), 890);
        // A minute of Black's 905 s went by since White's move.
        assert_eq!(left.clock.left(Color::Black, now).as_secs(), 845);
    }

    #[test]
    fn a_takeback_counts() {
        let mut entries = killed();
        entries.push(at(
            30.0,
            Event::TakenBack {
                plies: 1,
                fen: String::new(),
            },
        ));
        let left = told(&entries, 31.0).unfinished.unwrap();
        assert_eq!(left.game.uci_moves(), ["e2e4", "e7e5"]);
        let now = Timestamp::from_ms(1e12 + 31e3);
        assert_eq!(left.clock.left(Color::White, now).as_secs(), 889);
    }

    #[test]
    fn a_game_with_an_end_is_over_and_so_is_one_whose_time_has_run_out() {
        let mut entries = killed();
        assert!(told(&entries, 25.0 + 906.0).unfinished.is_none(), "its flag has fallen");
        entries.push(at(
            30.0,
            Event::Result {
                result: "*".into(),
                termination: "stopped".into(),
                plies: 3,
            },
        ));
        let over = told(&entries, 31.0);
        assert!(over.unfinished.is_none());
        assert_eq!(over.games, 1);
        entries.push(started(40.0, "900+10"));
        assert!(told(&entries, 41.0).unfinished.is_none(), "one ply is no game yet");
        assert_eq!(told(&entries, 41.0).games, 2);
    }

    #[test]
    fn another_time_control_and_an_illegal_move_are_no_game_to_go_on_with() {
        let mut entries = killed();
        entries[0] = started(0.0, "60+0");
        assert!(told(&entries, 26.0).unfinished.is_none());
        let mut entries = killed();
        entries.push(played(26.0, 4, "a1a8", 900.0));
        assert!(told(&entries, 27.0).unfinished.is_none());
    }
}
