use super::*;
use crate::game::{Claim, Standstill};

const SHUFFLED: &str = "g1f3 g8f6 f3g1 f6g8";

#[test]
fn a_button_that_appears_ends_the_game_once_it_has_been_seen_for_its_time_on_a_board_that_stands() {
    let (mut table, _) = Table::start(Color::Black);
    assert_eq!(table.on(Event::NextGame(true)), []);
    assert_eq!(table.after_ms(600).sees(""), []);
    // The bot's last move was on its way.
    table.after_ms(100).sees("e2e4");
    assert_eq!(table.on(Event::NextGame(true)), []);
    assert_eq!(table.after_ms(900).sees(""), []);
    let orders = table.after_ms(100).sees("");
    assert_eq!(orders.last(), Some(&Order::Finish(Some(End::Elsewhere))));
}

#[test]
fn a_button_that_goes_again_was_none() {
    let (mut table, _) = Table::start(Color::Black);
    table.on(Event::NextGame(true));
    table.after_ms(900).on(Event::NextGame(false));
    assert_eq!(table.after_ms(900).sees(""), []);
    table.on(Event::NextGame(true));
    assert_eq!(table.after_ms(900).sees(""), []);
}

#[test]
fn nothing_is_entered_while_the_button_is_shown_and_what_was_entered_is_not_entered_again() {
    let (mut table, _) = Table::start(Color::White);
    table.answers("e2e4");
    table.on(Event::NextGame(true));
    assert_eq!(table.on(Event::FinalCheck(FinalCheck::Clear)), []);
    table.on(Event::NextGame(false));
    let orders = table.on(Event::FinalCheck(FinalCheck::Clear));
    assert!(matches!(orders[..], [Order::Perform(..)]), "{orders:?}");
    let released = table.now;
    table.on(Event::Performed(released));
    table.on(Event::NextGame(true));
    for _ in 0..9 {
        assert_eq!(table.after_ms(100).sees(""), []);
    }
    let orders = table.after_ms(100).sees("");
    assert_eq!(orders.last(), Some(&Order::Finish(Some(End::Elsewhere))));
}

#[test]
fn a_page_that_covers_its_board_and_shows_the_button_has_ended_the_game_and_one_without_it_pauses() {
    for shown in [true, false] {
        let (mut table, _) = Table::start(Color::Black);
        table.on(Event::NextGame(shown));
        table.on(Event::Saw(&unknown()));
        table.stays_unknown_for_ms(4_900);
        let orders = table.after_ms(100).on(Event::Saw(&unknown()));
        let expected = match shown {
            true => Order::Finish(Some(End::Elsewhere)),
            false => Order::Pause(PauseReason::Unknown),
        };
        assert_eq!(orders.last(), Some(&expected));
    }
}

#[test]
fn where_a_draw_could_be_claimed_it_is_one() {
    let (mut table, _) = Table::start(Color::Black);
    for _ in 0..2 {
        for played in SHUFFLED.split(' ') {
            table.after_ms(10).sees(played);
        }
    }
    table.on(Event::NextGame(true));
    assert_eq!(table.after_ms(600).sees(""), []);
    let orders = table.after_ms(400).sees("");
    let end = End::StoodStill(Claim::Threefold, Standstill::NextGame);
    assert_eq!(orders.last(), Some(&Order::Finish(Some(end))));
}

/// The site's clock of White, whose turn it is, is read at looks a second apart; what the last one makes the machine
/// do.
fn white_shows(table: &mut Table, seconds: &[u64]) -> Vec<Order> {
    let mut orders = Vec::new();
    for left in seconds {
        table.after_ms(1000).clock_shows(Color::White, *left);
        orders = table.sees("");
    }
    orders
}

#[test]
fn a_clock_of_the_site_that_stands_at_zero_ends_the_game_with_a_result() {
    let (mut table, _) = Table::start(Color::Black);
    assert_eq!(white_shows(&mut table, &[1, 0, 0]), []);
    let orders = white_shows(&mut table, &[0]);
    assert_eq!(orders.last(), Some(&Order::Finish(Some(End::FlagSeen(Color::White)))));
}

#[test]
fn where_the_winner_could_not_mate_nobody_knows_what_the_site_makes_of_it() {
    let mut table = Table::new("7k/8/8/8/8/8/P7/K7 w - - 0 1", Color::Black);
    table.machine.begin(table.now);
    let orders = white_shows(&mut table, &[1, 0, 0, 0]);
    assert_eq!(orders.last(), Some(&Order::Finish(Some(End::Elsewhere))));
}

/// Both clocks are read at looks 900 ms apart, as many as there are readings; what the last one makes the machine do.
fn both_show(table: &mut Table, readings: &[(u64, u64)]) -> Vec<Order> {
    both_show_while(table, readings, |table| table.sees(""))
}

/// The same where each look sees something.
fn both_show_while(
    table: &mut Table,
    readings: &[(u64, u64)],
    mut sees: impl FnMut(&mut Table) -> Vec<Order>,
) -> Vec<Order> {
    let mut orders = Vec::new();
    for (white, black) in readings {
        table.after_ms(900);
        for (color, left) in [(Color::White, *white), (Color::Black, *black)] {
            table.clock_shows(color, left);
        }
        orders = sees(table);
    }
    orders
}

/// A page may lay its end over the board, so that nothing is understood any more.
#[test]
fn clocks_that_stand_beside_a_board_that_is_not_understood_are_waited_for() {
    let strange = |table: &mut Table| table.on(Event::Saw(&unknown()));
    let (mut table, _) = Table::start(Color::Black);
    both_show(&mut table, &[(60, 60), (59, 60), (58, 60)]);
    assert_eq!(both_show_while(&mut table, &[(58, 60); 11], strange), []);
    let orders = both_show_while(&mut table, &[(58, 60)], strange);
    assert_eq!(orders.last(), Some(&Order::Finish(Some(End::ClocksStand))));

    let (mut table, _) = Table::start(Color::Black);
    both_show(&mut table, &[(60, 60), (59, 60), (58, 60)]);
    let run: Vec<(u64, u64)> = (50..58).rev().map(|white| (white, 60)).collect();
    let orders: Vec<Order> = run
        .iter()
        .flat_map(|reading| both_show_while(&mut table, &[*reading], strange))
        .collect();
    assert!(
        orders.contains(&Order::Pause(PauseReason::Unknown)),
        "the game goes on: {orders:?}"
    );

    // A flag that has fallen is one, whatever lies over the board.
    let (mut table, _) = Table::start(Color::Black);
    both_show(&mut table, &[(2, 60), (1, 60)]);
    let orders = both_show_while(&mut table, &[(0, 60); 7], strange);
    assert_eq!(orders.last(), Some(&Order::Finish(Some(End::FlagSeen(Color::White)))));
}

#[test]
fn clocks_that_stand_end_the_game_where_one_ran_before_and_else_do_not() {
    let (mut table, _) = Table::start(Color::Black);
    assert_eq!(both_show(&mut table, &[(60, 60); 20]), [], "they have not begun to run");
    both_show(&mut table, &[(59, 60), (58, 60)]);
    assert_eq!(both_show(&mut table, &[(58, 60); 11]), []);
    let orders = both_show(&mut table, &[(58, 60)]);
    assert_eq!(orders.last(), Some(&Order::Finish(Some(End::ClocksStand))));
}

#[test]
fn clocks_whose_digits_are_not_known_are_seen_to_stand_too() {
    let (mut table, _) = Table::start(Color::Black);
    table.reads_clocks = false;
    both_show(&mut table, &[(60, 60), (59, 60), (58, 60)]);
    let strange = |table: &mut Table| table.on(Event::Saw(&unknown()));
    assert_eq!(both_show_while(&mut table, &[(58, 60); 11], strange), []);
    let orders = both_show_while(&mut table, &[(58, 60)], strange);
    assert_eq!(orders.last(), Some(&Order::Finish(Some(End::ClocksStand))));
}

#[test]
fn a_move_that_no_gesture_makes_while_the_clocks_stand_is_the_end_and_no_pause() {
    for ran in [true, false] {
        let (mut table, _) = Table::start(Color::White);
        if ran {
            both_show(&mut table, &[(60, 60), (59, 60)]);
        }
        table.answers("e2e4");
        let mut last = Vec::new();
        for _ in 0..40 {
            if matches!(table.machine.phase(), Phase::Poised(..)) {
                table.on(Event::FinalCheck(FinalCheck::Clear));
                let released = table.now;
                table.on(Event::Performed(released));
            }
            for (color, left) in [(Color::White, 58), (Color::Black, 60)] {
                table.clock_shows(color, left);
            }
            let orders = table.after_ms(150).sees("");
            if matches!(table.machine.phase(), Phase::Over(_) | Phase::Paused(_)) {
                last = orders;
                break;
            }
        }
        let expected = match ran {
            true => Order::Finish(Some(End::ClocksStand)),
            false => Order::Pause(PauseReason::NotLanded),
        };
        assert_eq!(last.last(), Some(&expected));
    }
}
