//! Games in which a computer may play, without a network and without an engine: what only their owner may do, and when
//! they pause by themselves.
#![cfg(test)]

use super::change::*;
use super::command::*;
use super::computer::Computer;
use super::game::*;
use super::game_id::*;
use super::person::*;
use super::protocol;
use super::thought::Posed;
use shakmaty::{Chess, Color};
use std::time::Duration;
use torres_chess::TimeControl;
use torres_frame::Timestamp;

const SECOND: Duration = Duration::from_secs(1);
const START: Timestamp = Timestamp(Duration::from_secs(1_000));

fn person(id: &str) -> Person {
    Person {
        id: PersonId(id.into()),
        name: id.into(),
        program: false,
        guest: false,
    }
}

fn level() -> Person {
    Computer::find("level-1").unwrap().person()
}

fn timed() -> Option<TimeControl> {
    Some(TimeControl {
        initial: 60 * SECOND,
        increment: Duration::ZERO,
    })
}

struct Played {
    game: PeopleGame,
    changes: Vec<Change>,
    now: Timestamp,
}

impl Played {
    /// Ann made it, and is there.
    fn made(white: Person, black: Person, control: Option<TimeControl>) -> Played {
        let mut played = Played {
            game: PeopleGame::new(Chess::default(), control, START),
            changes: Vec::new(),
            now: START,
        };
        let owned = Owned {
            by: person("Ann").id,
            natural: false,
            before: 0,
        };
        let joined = [(Color::White, white), (Color::Black, black)].map(|(color, person)| Change::Joined {
            seat: color.into(),
            person,
        });
        played.take([Change::Opened(owned)].into_iter().chain(joined));
        played.game.owner_arrives();
        for color in Color::ALL {
            played.game.arrive(color);
        }
        played
    }

    fn take(&mut self, changes: impl IntoIterator<Item = Change>) {
        for change in changes {
            assert!(self.game.apply(&change, self.now), "{change:?}");
            self.changes.push(change);
        }
    }

    fn asks(&mut self, who: &Person, command: Command) -> Result<(), Refusal> {
        self.pass(Duration::ZERO);
        let fresh = GameId::from_random(b"abcdefghij".iter().copied());
        let changes = self.game.decide(who, &command, self.now, &fresh)?;
        self.take(changes);
        Ok(())
    }

    fn pass(&mut self, time: Duration) {
        self.now = self.now + time;
        let passed = self.game.passed(self.now);
        self.take(passed);
    }

    fn moves(&mut self, who: &Person, moves: &str) -> Result<(), Refusal> {
        for uci in moves.split_whitespace() {
            let (turn, uci) = (self.game.turn(), uci.parse().unwrap());
            self.asks(who, Command::Move { turn, uci })?;
        }
        Ok(())
    }

    fn plies(&self) -> usize {
        self.game.game().plies().len()
    }
}

#[test]
fn a_takeback_against_a_computer_needs_no_consent_and_takes_its_reply_along() {
    let (ann, bot) = (person("Ann"), level());
    let mut played = Played::made(ann.clone(), bot.clone(), None);
    assert_eq!(played.asks(&ann, Command::Undo), Err(Refusal::Nothing));
    played.moves(&ann, "e2e4").unwrap();
    // While the computer thinks, one ply is one's own last move.
    played.asks(&ann, Command::Undo).unwrap();
    assert_eq!(played.plies(), 0);
    played.moves(&ann, "d2d4").unwrap();
    played.moves(&bot, "d7d5").unwrap();
    let turn = played.game.turn();
    played.asks(&ann, Command::Undo).unwrap();
    assert_eq!(played.plies(), 0);
    assert!(
        played.game.turn() > turn,
        "a move of the computer's that comes late is stale"
    );
    for other in [&bot, &person("Bo")] {
        assert_eq!(played.asks(other, Command::Undo), Err(Refusal::NotOwner));
    }
}

#[test]
fn in_a_game_of_two_people_nobody_undoes_or_pauses() {
    let mut played = Played::made(person("Ann"), person("Bo"), None);
    // The same without an owner.
    let changes: Vec<Change> = played.changes.drain(1..).collect();
    played.game = PeopleGame::restored(Chess::default(), None, &changes, START).unwrap();
    played.moves(&person("Ann"), "e2e4").unwrap();
    for command in [Command::Undo, Command::Pause, Command::Resume] {
        assert_eq!(played.asks(&person("Ann"), command), Err(Refusal::NotOwner));
    }
}

#[test]
fn an_end_on_the_board_is_taken_back_and_a_resignation_is_not() {
    let (ann, bot) = (person("Ann"), level());
    let mut played = Played::made(ann.clone(), bot.clone(), None);
    for (who, uci) in [(&ann, "f2f3"), (&bot, "e7e5"), (&ann, "g2g4"), (&bot, "d8h4")] {
        played.moves(who, uci).unwrap();
    }
    assert_eq!(played.game.end().unwrap().reason, Reason::Checkmate);
    played.asks(&ann, Command::Undo).unwrap();
    assert_eq!((played.plies(), played.game.end()), (2, None));
    played.asks(&ann, Command::Resign).unwrap();
    assert_eq!(played.asks(&ann, Command::Undo), Err(Refusal::Over));
    // Kept and read, it is the same game.
    let read = PeopleGame::restored(Chess::default(), None, &played.changes, START).unwrap();
    assert_eq!(
        (read.game().fen(), read.end()),
        (played.game.game().fen(), played.game.end())
    );
}

#[test]
fn a_pause_stops_the_clocks_and_every_move() {
    let (ann, bot) = (person("Ann"), level());
    let mut played = Played::made(ann.clone(), bot.clone(), timed());
    played.moves(&ann, "e2e4").unwrap();
    played.moves(&bot, "e7e5").unwrap();
    played.pass(10 * SECOND);
    assert_eq!(played.asks(&person("Bo"), Command::Pause), Err(Refusal::NotOwner));
    played.asks(&ann, Command::Pause).unwrap();
    assert_eq!(played.asks(&ann, Command::Pause), Err(Refusal::Nothing));
    assert!(protocol::now(&played.game, played.now).position.legal.is_empty());
    played.pass(1_000 * SECOND);
    assert_eq!(played.moves(&ann, "g1f3"), Err(Refusal::Paused));
    assert_eq!(played.asks(&ann, Command::Undo), Err(Refusal::Paused));
    assert_eq!(Posed::of(&played.game), None);
    let read = PeopleGame::restored(Chess::default(), timed(), &played.changes, played.now).unwrap();
    assert_eq!(read.times(read_at(&played)).unwrap().white_ms, 50_000);
    played.asks(&ann, Command::Resume).unwrap();
    played.pass(4 * SECOND);
    assert_eq!(played.game.times(played.now).unwrap().white_ms, 46_000);
    played.moves(&ann, "g1f3").unwrap();
}

fn read_at(played: &Played) -> Timestamp {
    played.now + 500 * SECOND
}

#[test]
fn a_game_whose_owner_leaves_pauses_where_that_costs_time_or_nobody_looks_on() {
    let (ann, bot) = (person("Ann"), level());
    let other = Computer::find("alv1").unwrap().person();
    for (white, black, control, moves, pauses) in [
        (ann.clone(), bot.clone(), timed(), 2, true),
        (ann.clone(), bot.clone(), timed(), 0, false),
        (ann.clone(), bot.clone(), None, 2, false),
        (bot.clone(), other, None, 0, true),
    ] {
        let mut played = Played::made(white.clone(), black.clone(), control);
        for (who, uci) in [(&white, "e2e4"), (&black, "e7e5")].into_iter().take(moves) {
            played.moves(who, uci).unwrap();
        }
        played.pass(30 * SECOND);
        assert!(!played.game.is_paused());
        played.game.owner_departs(played.now);
        played.pass(PAUSED_AFTER - SECOND);
        assert!(!played.game.is_paused());
        played.pass(SECOND);
        assert_eq!(
            played.game.is_paused(),
            pauses,
            "{} – {}, {moves}",
            white.name,
            black.name
        );
    }
}

#[test]
fn whose_turn_it_is_says_which_computer_is_asked() {
    let (ann, bot) = (person("Ann"), level());
    let mut played = Played::made(ann.clone(), bot.clone(), None);
    assert_eq!(Posed::of(&played.game), None, "it is Ann's turn");
    played.asks(&ann, Command::Offer(Offer::Draw)).unwrap();
    assert_eq!(
        Posed::of(&played.game).unwrap().color,
        Color::Black,
        "it answers the offer"
    );
    played.asks(&bot, Command::Decline(Offer::Draw)).unwrap();
    assert_eq!(Posed::of(&played.game), None);
    played.moves(&ann, "e2e4").unwrap();
    let posed = Posed::of(&played.game).unwrap();
    assert_eq!(posed.color, Color::Black);
    played.asks(&ann, Command::Undo).unwrap();
    played.moves(&ann, "e2e4").unwrap();
    assert_ne!(Posed::of(&played.game), Some(posed), "another turn is another question");
    played.asks(&ann, Command::Resign).unwrap();
    assert_eq!(Posed::of(&played.game), None);
}

#[test]
fn a_rematch_with_a_computer_comes_at_once_and_its_seat_is_not_asked_for() {
    let (ann, bot) = (person("Ann"), level());
    let mut played = Played::made(ann.clone(), bot, None);
    played.moves(&ann, "e2e4").unwrap();
    played.game.depart(Color::White, played.now);
    played.pass(REPLACED_AFTER);
    for color in Color::ALL {
        assert_eq!(
            played.asks(&person("Bo"), Command::AskSeat(color)),
            Err(Refusal::SeatTaken)
        );
    }
    played.asks(&ann, Command::Resign).unwrap();
    assert_eq!(
        played.asks(&person("Bo"), Command::Offer(Offer::Rematch)),
        Err(Refusal::Watching)
    );
    played.asks(&ann, Command::Offer(Offer::Rematch)).unwrap();
    assert!(played.game.next().is_some());
    assert_eq!(played.asks(&ann, Command::Undo), Err(Refusal::Over));
}

#[test]
fn whoever_has_both_sides_moves_both_and_takes_back_one_ply() {
    let ann = person("Ann");
    let mut played = Played::made(ann.clone(), ann.clone(), None);
    played.moves(&ann, "e2e4 e7e5 g1f3").unwrap();
    played.asks(&ann, Command::Undo).unwrap();
    assert_eq!(played.plies(), 2);
    assert_eq!(played.moves(&person("Bo"), "g1f3"), Err(Refusal::Watching));
    assert_eq!(played.asks(&person("Bo"), Command::Join), Err(Refusal::SeatTaken));
}

#[test]
fn what_was_played_before_the_game_was_made_is_not_taken_back() {
    let (ann, now) = (person("Ann"), START);
    let opened = |before| {
        Change::Opened(Owned {
            by: ann.id.clone(),
            natural: false,
            before,
        })
    };
    // Both sides are hers; and a computer has Black.
    for (black, undone) in [(ann.clone(), 1), (level(), 2)] {
        let mut game = PeopleGame::new(Chess::default(), None, now);
        let seats = [(Color::White, ann.clone()), (Color::Black, black)];
        let joined = seats.map(|(color, person)| Change::Joined {
            seat: color.into(),
            person,
        });
        let moved = |uci: &str| Change::Moved {
            uci: uci.into(),
            times: None,
        };
        for change in [opened(2)].into_iter().chain(joined).chain(["e2e4", "e7e5"].map(moved)) {
            assert!(game.apply(&change, now), "{change:?}");
        }
        let fresh = GameId::from_random(b"abcdefghij".iter().copied());
        assert_eq!(
            game.decide(&ann, &Command::Undo, now, &fresh).unwrap_err(),
            Refusal::Nothing
        );
        for uci in ["g1f3", "b8c6"] {
            assert!(game.apply(&moved(uci), now));
        }
        let changes = game.decide(&ann, &Command::Undo, now, &fresh).unwrap();
        assert_eq!(
            changes,
            [Change::TookBack {
                plies: undone,
                times: None
            }]
        );
    }
}
