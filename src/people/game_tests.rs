//! Games of two people without a network: what is refused, what ends a game, and what holds whatever is asked.
#![cfg(test)]

use super::change::*;
use super::command::*;
use super::game::*;
use super::game_id::*;
use super::person::*;
use proptest::prelude::*;
use shakmaty::{Chess, Color, Position};
use std::time::Duration;
use torres_chess::TimeControl;
use torres_frame::Timestamp;

const SECOND: Duration = Duration::from_secs(1);
const START: Timestamp = Timestamp(Duration::from_secs(1_000));

fn person(id: i64) -> Person {
    Person {
        id: PersonId(id.to_string()),
        name: format!("person {id}"),
        program: false,
        guest: false,
    }
}

fn fresh() -> GameId {
    GameId::from_random(b"abcdefghij".iter().copied())
}

fn three_plus_two() -> Option<TimeControl> {
    Some(TimeControl {
        initial: 180 * SECOND,
        increment: 2 * SECOND,
    })
}

/// A game, its kept changes and the time.
struct Played {
    game: PeopleGame,
    changes: Vec<Change>,
    now: Timestamp,
}

impl Played {
    /// Person 1 has White, person 2 Black; both are there.
    fn begun(control: Option<TimeControl>) -> Played {
        let mut played = Played {
            game: PeopleGame::new(Chess::default(), control, START),
            changes: Vec::new(),
            now: START,
        };
        played.take(vec![Change::Joined {
            seat: torres_chess::Side::White,
            person: person(1),
        }]);
        played.asks(2, Command::Join).unwrap();
        for color in Color::ALL {
            played.game.arrive(color);
        }
        played
    }

    fn take(&mut self, changes: Vec<Change>) {
        for change in changes {
            assert!(self.game.apply(&change, self.now), "{change:?}");
            self.changes.push(change);
        }
    }

    /// What the hall does with a command.
    fn asks(&mut self, id: i64, command: Command) -> Result<(), Refusal> {
        self.pass(Duration::ZERO);
        let changes = self.game.decide(&person(id), &command, self.now, &fresh())?;
        assert!(!changes.is_empty(), "{command:?} was followed and changed nothing");
        self.take(changes);
        Ok(())
    }

    fn pass(&mut self, time: Duration) {
        self.now = self.now + time;
        let passed = self.game.passed(self.now);
        self.take(passed.into_iter().collect());
    }

    fn moves(&mut self, id: i64, uci: &str) -> Result<(), Refusal> {
        let (turn, uci) = (self.game.turn(), uci.parse().unwrap());
        self.asks(id, Command::Move { turn, uci })
    }

    fn line(&mut self, moves: &str) {
        for uci in moves.split_whitespace() {
            let mover = 1 + i64::from(self.game.game().position().turn().is_black());
            self.moves(mover, uci).unwrap();
        }
    }

    fn ended(&self) -> String {
        let end = self.game.end().expect("the game is over");
        format!("{} {}", end.score(), end.reason.words())
    }
}

#[test]
fn only_whose_turn_it_is_moves_and_each_position_once() {
    let mut played = Played::begun(three_plus_two());
    assert_eq!(played.moves(3, "e2e4"), Err(Refusal::Watching));
    assert_eq!(played.moves(2, "e7e5"), Err(Refusal::NotYourTurn));
    assert_eq!(played.moves(1, "e2e5"), Err(Refusal::Illegal));
    played.line("e2e4 e7e5");
    for turn in [0, 1, 3, u32::MAX] {
        let uci = "g1f3".parse().unwrap();
        assert_eq!(
            played.asks(1, Command::Move { turn, uci }),
            Err(Refusal::Stale),
            "{turn}"
        );
    }
    assert_eq!(played.game.game().plies().len(), 2);
}

#[test]
fn a_move_from_before_a_takeback_is_stale_though_the_ply_is_the_same() {
    let mut played = Played::begun(three_plus_two());
    played.line("e2e4 e7e5");
    let turn = played.game.turn();
    let uci = || "g1f3".parse().unwrap();
    played.asks(2, Command::Offer(Offer::Takeback)).unwrap();
    assert_eq!(played.asks(2, Command::Accept(Offer::Takeback)), Err(Refusal::Nothing));
    played.asks(1, Command::Accept(Offer::Takeback)).unwrap();
    assert_eq!(played.game.game().plies().len(), 1);
    played.line("c7c5");
    assert_eq!(played.asks(1, Command::Move { turn, uci: uci() }), Err(Refusal::Stale));
    // White, whose turn it is, takes back the answer too.
    played.asks(1, Command::Offer(Offer::Takeback)).unwrap();
    played.asks(2, Command::Accept(Offer::Takeback)).unwrap();
    assert!(played.game.game().plies().is_empty());
    assert_eq!(played.asks(1, Command::Offer(Offer::Takeback)), Err(Refusal::Nothing));
}

#[test]
fn clocks_run_from_the_second_move_on_and_a_flag_ends_the_game() {
    let mut played = Played::begun(three_plus_two());
    played.pass(500 * SECOND);
    played.line("e2e4");
    played.pass(500 * SECOND);
    played.line("e7e5");
    played.pass(10 * SECOND);
    played.line("g1f3");
    let times = played.game.times(played.now).unwrap();
    assert_eq!((times.white_ms, times.black_ms), (172_000, 180_000));
    played.pass(180 * SECOND);
    assert_eq!(played.ended(), "1-0 time");
    assert_eq!(played.moves(2, "b8c6"), Err(Refusal::Over));
    assert_eq!(played.game.times(played.now + 9 * SECOND).unwrap().black_ms, 0);
}

#[test]
fn a_move_after_the_flag_is_refused_though_nobody_has_seen_it_fall() {
    let mut played = Played::begun(three_plus_two());
    played.line("e2e4 e7e5 g1f3");
    let moves_after = |time: Duration| {
        let uci = "b8c6".parse().unwrap();
        let turn = played.game.turn();
        let command = Command::Move { turn, uci };
        played.game.decide(&person(2), &command, played.now + time, &fresh())
    };
    assert!(moves_after(179 * SECOND).is_ok());
    assert_eq!(moves_after(180 * SECOND).err(), Some(Refusal::Over));
}

#[test]
fn a_draw_is_agreed_upon_and_not_offered_again_before_a_move() {
    let mut played = Played::begun(None);
    played.asks(1, Command::Offer(Offer::Draw)).unwrap();
    assert_eq!(played.asks(1, Command::Accept(Offer::Draw)), Err(Refusal::Nothing));
    assert_eq!(played.asks(3, Command::Accept(Offer::Draw)), Err(Refusal::Watching));
    played.asks(2, Command::Decline(Offer::Draw)).unwrap();
    assert_eq!(played.asks(1, Command::Offer(Offer::Draw)), Err(Refusal::Offered));
    played.line("e2e4 e7e5");
    assert_eq!(
        played.asks(2, Command::Accept(Offer::Draw)),
        Err(Refusal::Nothing),
        "it lapsed"
    );
    played.asks(1, Command::Offer(Offer::Draw)).unwrap();
    played.asks(2, Command::Accept(Offer::Draw)).unwrap();
    assert_eq!(played.ended(), "1/2-1/2 agreement");
}

#[test]
fn games_end_by_the_rules_and_by_resignation() {
    let mut played = Played::begun(three_plus_two());
    played.line("f2f3 e7e5 g2g4 d8h4");
    assert_eq!(played.ended(), "0-1 checkmate");
    let mut played = Played::begun(None);
    played.line("e2e4");
    played.asks(1, Command::Resign).unwrap();
    assert_eq!(played.ended(), "0-1 resignation");
    assert_eq!(played.asks(2, Command::Resign), Err(Refusal::Over));
}

#[test]
fn a_rematch_needs_both_and_comes_after_the_end() {
    let mut played = Played::begun(None);
    assert_eq!(played.asks(1, Command::Offer(Offer::Rematch)), Err(Refusal::NotOver));
    played.asks(2, Command::Resign).unwrap();
    played.asks(1, Command::Offer(Offer::Rematch)).unwrap();
    assert_eq!(played.asks(1, Command::Accept(Offer::Rematch)), Err(Refusal::Nothing));
    assert_eq!(played.asks(3, Command::Accept(Offer::Rematch)), Err(Refusal::Watching));
    played.asks(2, Command::Accept(Offer::Rematch)).unwrap();
    assert_eq!(played.game.next(), Some(&fresh()));
    assert_eq!(played.asks(2, Command::Offer(Offer::Rematch)), Err(Refusal::Over));
}

#[test]
fn a_game_whose_player_stays_away_is_claimed_but_not_at_once() {
    let mut played = Played::begun(None);
    played.line("e2e4 e7e5");
    assert_eq!(played.asks(1, Command::Claim(Claim::Win)), Err(Refusal::NotAway));
    played.game.depart(Color::Black, played.now);
    played.pass(ABANDONED_AFTER - SECOND);
    assert_eq!(played.asks(1, Command::Claim(Claim::Win)), Err(Refusal::NotAway));
    played.pass(SECOND);
    assert_eq!(played.asks(3, Command::Claim(Claim::Win)), Err(Refusal::Watching));
    played.asks(1, Command::Claim(Claim::Win)).unwrap();
    assert_eq!(played.ended(), "1-0 abandoned");
}

#[test]
fn a_leaver_is_replaced_only_while_away_and_with_the_others_consent() {
    let mut played = Played::begun(None);
    played.line("e2e4");
    assert_eq!(played.asks(3, Command::AskSeat(Color::Black)), Err(Refusal::SeatTaken));
    played.game.depart(Color::Black, played.now);
    played.pass(REPLACED_AFTER);
    played.asks(3, Command::AskSeat(Color::Black)).unwrap();
    assert_eq!(played.asks(4, Command::AskSeat(Color::Black)), Err(Refusal::Offered));
    assert_eq!(played.asks(3, Command::GiveSeat), Err(Refusal::Watching));
    played.game.arrive(Color::Black);
    assert_eq!(
        played.asks(1, Command::GiveSeat),
        Err(Refusal::Nothing),
        "the owner is back"
    );
    played.game.depart(Color::Black, played.now);
    played.asks(1, Command::GiveSeat).unwrap();
    assert_eq!(played.moves(2, "e7e5"), Err(Refusal::Watching));
    assert_eq!(played.moves(3, "e7e5"), Ok(()));
}

#[test]
fn a_seat_is_joined_once_by_another_person() {
    let mut played = Played::begun(None);
    assert_eq!(played.asks(1, Command::Join), Err(Refusal::OwnGame));
    assert_eq!(played.asks(3, Command::Join), Err(Refusal::SeatTaken));
    assert_eq!(played.asks(1, Command::Withdraw), Err(Refusal::Begun));
}

#[test]
fn a_clock_that_ran_while_nothing_was_kept_goes_on_where_it_stood() {
    let mut played = Played::begun(three_plus_two());
    played.line("e2e4 e7e5");
    // The server was last known alive 4 s after the last change, and is back long after.
    let back = Timestamp(Duration::from_secs(900_000));
    let last = Timestamp(back.0 - 4 * SECOND);
    let game = PeopleGame::restored(Chess::default(), three_plus_two(), &played.changes, last).unwrap();
    assert_eq!(game.times(back).unwrap().white_ms, 176_000);
    assert_eq!(game.times(back + SECOND).unwrap().white_ms, 175_000);
}

/// What somebody does, and how long after what was before.
#[derive(Clone, Debug)]
enum Deed {
    Asks(i64, Command),
    /// The legal move of that number, named with the present turn less so much.
    Moves(i64, usize, u32),
    Comes(bool),
    Goes(bool),
}

fn deeds() -> impl Strategy<Value = Vec<(Deed, u64)>> {
    let offer = prop_oneof![Just(Offer::Draw), Just(Offer::Takeback), Just(Offer::Rematch)];
    let command = prop_oneof![
        Just(Command::Join),
        offer.clone().prop_map(Command::Offer),
        offer.clone().prop_map(Command::Accept),
        offer.prop_map(Command::Decline),
        prop_oneof![Just(Claim::Win), Just(Claim::Draw)].prop_map(Command::Claim),
        any::<bool>().prop_map(|white| Command::AskSeat(Color::from_white(white))),
        Just(Command::GiveSeat),
        Just(Command::KeepSeat),
        Just(Command::Withdraw),
    ];
    let deed = prop_oneof![
        12 => (1..5i64, 0..64usize, prop_oneof![8 => Just(0u32), 1 => 1..4u32])
            .prop_map(|(id, index, late)| Deed::Moves(id, index, late)),
        5 => (1..5i64, command).prop_map(|(id, command)| Deed::Asks(id, command)),
        1 => (1..5i64).prop_map(|id| Deed::Asks(id, Command::Resign)),
        1 => any::<bool>().prop_map(Deed::Comes),
        1 => any::<bool>().prop_map(Deed::Goes),
    ];
    prop::collection::vec((deed, prop_oneof![9 => 0..3_000u64, 1 => 0..90_000u64]), 1..120)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_asked_the_game_stays_a_game(timed in any::<bool>(), deeds in deeds()) {
        let control = timed.then(three_plus_two).flatten();
        let mut played = Played::begun(control);
        for (deed, wait_ms) in deeds {
            played.pass(Duration::from_millis(wait_ms));
            let before = played.game.clone();
            let kept = played.changes.len();
            let result = match deed {
                Deed::Comes(white) => { played.game.arrive(Color::from_white(white)); Ok(()) }
                Deed::Goes(white) => { played.game.depart(Color::from_white(white), played.now); Ok(()) }
                Deed::Asks(id, command) => played.asks(id, command),
                Deed::Moves(id, index, late) => {
                    let turn = played.game.turn().wrapping_sub(late);
                    let legal = played.game.game().position().legal_moves();
                    if legal.is_empty() { continue; }
                    let uci = shakmaty::uci::UciMove::from_standard(legal[index % legal.len()]);
                    let mover = before.game().position().turn();
                    let result = played.asks(id, Command::Move { turn, uci });
                    if result.is_ok() {
                        prop_assert_eq!(late, 0);
                        prop_assert_eq!(before.seat_of(&PersonId(id.to_string())), Some(mover), "only the seat's owner moves");
                        prop_assert!(before.is_on());
                    }
                    result
                }
            };
            if result.is_err() {
                prop_assert_eq!(played.changes.len(), kept, "what is refused changes nothing");
            }
            if before.end().is_some() {
                prop_assert_eq!(played.game.end(), before.end());
                prop_assert_eq!(played.game.game().fen(), before.game().fen());
            }
            prop_assert_eq!(played.game.seq(), played.changes.len() as u64);
            let [white, black] = Color::ALL.map(|color| played.game.seats()[color].as_ref().map(|p| &p.id));
            prop_assert!(white.is_some() && white != black, "two people have the seats");
            if let Some(times) = played.game.times(played.now) {
                let most = 180_000 + 2_000 * u64::from(played.game.turn());
                prop_assert!(times.white_ms <= most && times.black_ms <= most);
                let over = played.game.end().is_some();
                prop_assert!(over || played.game.due().is_none_or(|at| at > played.now), "a flag hangs");
                let running = played.game.clock().and_then(|clock| clock.running());
                prop_assert!(running.is_none() || running == Some(played.game.game().position().turn()));
            }
        }
        // What was kept is what was played.
        let text: Vec<String> = played.changes.iter().map(|change| serde_json::to_string(change).unwrap()).collect();
        let read: Vec<Change> = text.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
        prop_assert_eq!(&read, &played.changes);
        let again = PeopleGame::restored(Chess::default(), control, &read, played.now).unwrap();
        prop_assert_eq!(again.game().fen(), played.game.game().fen());
        prop_assert_eq!((again.turn(), again.seq(), again.end()), (played.game.turn(), played.game.seq(), played.game.end()));
        prop_assert_eq!((again.seats(), again.offers()), (played.game.seats(), played.game.offers()));
    }
}
