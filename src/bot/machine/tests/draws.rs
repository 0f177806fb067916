//! What becomes of a game in which a draw may be claimed.

use super::*;
use crate::game::{Claim, Standstill};

const OUT_AND_BACK: [&str; 4] = ["g1f3", "g8f6", "f3g1", "f6g8"];

/// The facts about draws among some orders.
fn told(orders: &[Order]) -> Vec<Claim> {
    let claim = |order: &Order| match order {
        Order::Tell(Fact::DrawClaimable(claim)) => Some(*claim),
        _ => None,
    };
    orders.iter().filter_map(claim).collect()
}

/// A move of ours, from the answer to its proof.
fn plays(table: &mut Table, own: &str) -> Vec<Order> {
    table.enters(own);
    table.after_ms(30).sees(own)
}

/// White's moves are ours, Black's the opponent's; all that is ordered meanwhile.
fn goes_on(table: &mut Table, moves: &[&str]) -> Vec<Order> {
    let mut orders = Vec::new();
    for pair in moves.chunks(2) {
        orders.extend(plays(table, pair[0]));
        orders.extend(table.after_ms(100).sees(pair[1]));
    }
    orders
}

/// The start position for the third time, with White to move; the opponent takes so long for each of its moves.
fn threefold(own: Color, their_ms: u64) -> (Table, Vec<Order>) {
    let (mut table, _) = Table::start(own);
    let mut orders = Vec::new();
    for (ply, text) in OUT_AND_BACK.iter().cycle().take(8).enumerate() {
        assert_eq!(told(&orders), [], "ply {ply}");
        let ours = (ply % 2 == 0) == (own == Color::White);
        orders = match ours {
            true => plays(&mut table, text),
            false => table.after_ms(their_ms).sees(text),
        };
    }
    (table, orders)
}

/// The board is looked at every half second for so long, and shows what it did.
fn rests_for_ms(table: &mut Table, ms: u64) -> Vec<Order> {
    let mut orders = Vec::new();
    for _ in 0..ms / 500 {
        assert_eq!(orders, [], "at {:?}", table.now);
        orders = table.after_ms(500).sees("");
    }
    orders
}

#[test]
fn a_claim_is_told_once_and_the_game_goes_on_until_mate_or_the_fifth_time() {
    let (mut table, orders) = threefold(Color::White, 100);
    assert_eq!(told(&orders), [Claim::Threefold]);
    assert!(matches!(orders.last(), Some(Order::Think(_))), "{orders:?}");
    // Every position stands there for the third time now, and this one for the fourth: that is no news.
    assert_eq!(told(&goes_on(&mut table, &OUT_AND_BACK)), []);
    // A new position ends it, and the next claim is news again.
    assert_eq!(told(&goes_on(&mut table, &["e2e4", "e7e5"])), []);
    assert_eq!(told(&goes_on(&mut table, &OUT_AND_BACK)), []);
    assert_eq!(told(&goes_on(&mut table, &OUT_AND_BACK)), [Claim::Threefold]);
    assert_eq!(told(&goes_on(&mut table, &OUT_AND_BACK)), []);
    let orders = goes_on(&mut table, &OUT_AND_BACK);
    assert_eq!(orders.last(), Some(&Order::Finish(Some(End::Fivefold))));
}

#[test]
fn fifty_moves_are_told_and_played_on_from() {
    let mut table = Table::new("7k/8/6K1/8/8/8/8/R7 w - - 99 80", Color::White);
    assert_eq!(told(&table.machine.begin(table.now)), []);
    assert_eq!(told(&plays(&mut table, "a1a2")), [Claim::FiftyMoves]);
    let orders = table.after_ms(100).sees("h8g8");
    assert_eq!(told(&orders), []);
    assert!(matches!(orders.last(), Some(Order::Think(_))), "{orders:?}");
    let orders = plays(&mut table, "a2a8");
    assert_eq!(orders.last(), Some(&Order::Finish(Some(End::Checkmate(Color::White)))));
}

/// The deselecting click, and the other gestures.
fn tries_again(table: &mut Table) {
    table.looks(FinalCheck::Clear);
    table.after_ms(20).released();
    assert_eq!(table.sees(""), []);
    assert_eq!(table.after_ms(150).sees(""), []);
    assert!(matches!(table.machine.aim(), Some(Aim::Enter { attempt, .. }) if attempt.number == 2));
    table.looks(FinalCheck::Clear);
    table.after_ms(60).released();
    assert_eq!(table.sees(""), []);
    table.after_ms(400).sees("");
    if let Some(Aim::Deselect { .. }) = table.machine.aim() {
        table.looks(FinalCheck::Clear);
        table.after_ms(20).released();
        table.sees("");
        table.after_ms(150).sees("");
    }
    assert!(matches!(table.machine.aim(), Some(Aim::Enter { attempt, .. }) if attempt.number == 3));
    table.looks(FinalCheck::Clear);
    table.after_ms(60).released();
}

#[test]
fn a_board_that_takes_no_move_by_either_gesture_is_a_draw_and_says_so() {
    let (mut table, _) = threefold(Color::White, 100);
    table.enters("e2e4");
    assert_eq!(table.sees(""), []);
    let orders = table.after_ms(400).sees("");
    is_made_again(&orders);
    tries_again(&mut table);
    assert_eq!(table.sees(""), []);
    let end = End::StoodStill(Claim::Threefold, Standstill::MoveNotTaken);
    assert_eq!(table.after_ms(400).sees(""), [Order::Finish(Some(end))]);
    assert_eq!(*table.machine.phase(), Phase::Over(Some(end)));
}

#[test]
fn a_notice_that_stays_over_a_board_with_a_claimable_draw_is_the_draw() {
    let noticed = |table: &mut Table, over: bool, ms: u64| {
        let mut orders = Vec::new();
        for _ in 0..ms / 500 {
            orders.extend(table.after_ms(500).on(Event::Notice(over)));
        }
        orders
    };
    for own in [Color::White, Color::Black] {
        let (mut table, _) = threefold(own, 100);
        assert!(table.machine.may_end_beneath_notice().is_some());
        assert_eq!(noticed(&mut table, true, 4_000), [], "it may go again");
        assert_eq!(noticed(&mut table, false, 500), []);
        assert_eq!(noticed(&mut table, true, 4_000), []);
        // Nobody looked for a while.
        table.after_ms(10_000);
        assert_eq!(noticed(&mut table, true, 4_000), []);
        let end = End::StoodStill(Claim::Threefold, Standstill::Covered);
        assert_eq!(noticed(&mut table, true, 500).last(), Some(&Order::Finish(Some(end))));
    }
    let (mut table, _) = Table::start(Color::Black);
    assert!(table.machine.may_end_beneath_notice().is_none());
    assert_eq!(noticed(&mut table, true, 10_000), [], "nothing may be claimed");
}

#[test]
fn a_reply_that_does_not_come_is_a_draw_after_half_a_minute_and_says_so() {
    // Ours was the last move, which brought it about.
    let (mut table, orders) = threefold(Color::Black, 100);
    assert_eq!(told(&orders), [Claim::Threefold]);
    assert_eq!(*table.machine.phase(), Phase::Waiting);
    assert_eq!(rests_for_ms(&mut table, 29_500), []);
    let end = End::StoodStill(Claim::Threefold, Standstill::NoReply(30));
    assert_eq!(rests_for_ms(&mut table, 500), [Order::Finish(Some(end))]);
}

#[test]
fn clocks_that_stand_while_a_draw_may_be_claimed_are_the_draw() {
    let (mut table, _) = threefold(Color::Black, 100);
    let mut shows = |white: u64| {
        table.clock_shows(Color::White, white);
        table.clock_shows(Color::Black, 60);
        table.after_ms(900).sees("")
    };
    for left in [60, 59, 58] {
        assert_eq!(shows(left), []);
    }
    let orders: Vec<Order> = (0..12).flat_map(|_| shows(58)).collect();
    let end = End::StoodStill(Claim::Threefold, Standstill::Clocks);
    assert_eq!(orders, [Order::Finish(Some(end))]);
}

#[test]
fn an_opponent_that_thought_for_long_before_is_waited_for_three_times_as_long() {
    let (mut table, _) = threefold(Color::Black, 20_000);
    assert_eq!(rests_for_ms(&mut table, 59_500), []);
    // It comes after all.
    let orders = table.sees("e2e4");
    assert!(matches!(orders.last(), Some(Order::Think(_))), "{orders:?}");
    let (mut table, _) = threefold(Color::Black, 20_000);
    let end = End::StoodStill(Claim::Threefold, Standstill::NoReply(60));
    assert_eq!(rests_for_ms(&mut table, 60_000), [Order::Finish(Some(end))]);
}

#[test]
fn a_move_that_does_not_come_is_told_once_in_a_turn() {
    let (mut table, _) = Table::start(Color::Black);
    assert_eq!(rests_for_ms(&mut table, 29_500), []);
    assert_eq!(rests_for_ms(&mut table, 500), [Order::Tell(Fact::NoReply(30))]);
    assert_eq!(rests_for_ms(&mut table, 269_500), [], "the only game is left later");
    assert_eq!(*table.machine.phase(), Phase::Waiting);
    let end = Order::Finish(Some(End::NoReply(300)));
    assert_eq!(rests_for_ms(&mut table, 500), [end]);
}

/// As on a page whose end lies over the bot's row.
#[test]
fn a_game_in_which_no_move_comes_is_over_where_the_page_does_not_name_the_bot_any_more() {
    let waits = |is_named: fn(u32) -> bool| {
        let (mut table, _) = Table::start(Color::Black);
        (1..=300).find(|second| {
            table.on(Event::OpponentNamed(is_named(*second)));
            let orders = rests_for_ms(&mut table, 1000);
            orders.contains(&Order::Finish(Some(End::Unnamed(u64::from(*second)))))
        })
    };
    assert_eq!(waits(|_| false), Some(30));
    assert_eq!(waits(|second| second < 100), Some(119));
    assert_eq!(waits(|second| second % 15 == 0), None, "it passes by");
}

/// As on a page without clocks that tells of its end in words.
#[test]
fn a_game_in_which_no_move_comes_is_over_where_something_new_stands_on_the_page_and_the_bots_pace_is_known() {
    let waits = |moves: &[(&str, &str)], has_clocks: bool| {
        let (mut table, _) = Table::start(Color::White);
        for (ours, theirs) in moves {
            table.sees(ours);
            table.after_ms(1000).sees(theirs);
        }
        table.sees("h2h4");
        (1..=300u32).find(|second| {
            table.on(Event::PageChanged(*second >= 20));
            if has_clocks {
                for color in Color::ALL {
                    table.on(Event::ClockSeen { color, is_same: false });
                }
            }
            let orders = rests_for_ms(&mut table, 1000);
            orders.contains(&Order::Finish(Some(End::PageChanged(u64::from(*second)))))
        })
    };
    let four = [("a2a3", "a7a6"), ("b2b3", "b7b6"), ("c2c3", "c7c6"), ("d2d3", "d7d6")];
    assert_eq!(waits(&four, false), Some(60));
    assert_eq!(waits(&four[..3], false), None, "the bot may think for long");
    assert_eq!(waits(&four, true), None, "the clocks tell");
}

#[test]
fn a_game_in_which_no_move_comes_is_left_sooner_where_another_is_to_follow_and_never_while_a_clock_runs() {
    let start = || {
        let (mut table, _) = Table::start(Color::Black);
        table.machine.settings.another_follows = true;
        table
    };
    let end = Order::Finish(Some(End::NoReply(120)));
    let mut table = start();
    assert_eq!(rests_for_ms(&mut table, 30_000), [Order::Tell(Fact::NoReply(30))]);
    assert_eq!(rests_for_ms(&mut table, 89_500), []);
    assert_eq!(rests_for_ms(&mut table, 500), [end]);
    // The page's clock runs: the bot is thinking.
    let mut table = start();
    for second in 0..400 {
        table.clock_shows(Color::White, 500 - second);
        let orders = rests_for_ms(&mut table, 1000);
        assert!(matches!(orders[..], [] | [Order::Tell(_)]), "{orders:?}");
    }
}

#[test]
fn time_in_which_nobody_looked_is_not_waited() {
    let (mut table, _) = threefold(Color::Black, 100);
    assert_eq!(rests_for_ms(&mut table, 10_000), []);
    // The machine slept; with the first looks after it, nothing is decided.
    assert_eq!(table.after_ms(100_000).sees(""), []);
    assert_eq!(rests_for_ms(&mut table, 19_500), []);
    assert!(matches!(
        rests_for_ms(&mut table, 500)[..],
        [Order::Finish(Some(End::StoodStill(..)))]
    ));
}

#[test]
fn without_a_claim_a_move_not_taken_pauses() {
    let (mut table, _) = Table::start(Color::White);
    table.enters("e2e4");
    table.sees("");
    table.after_ms(400).sees("");
    tries_again(&mut table);
    table.sees("");
    assert_eq!(table.after_ms(400).sees(""), [Order::Pause(PauseReason::NotLanded)]);
}

#[test]
fn our_own_thought_is_no_standstill() {
    let (mut table, _) = threefold(Color::White, 100);
    assert_eq!(rests_for_ms(&mut table, 60_000), []);
    assert!(matches!(table.machine.phase(), Phase::Thinking { .. }));
}
