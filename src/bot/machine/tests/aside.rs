//! Pages that draw what lies under the pointer otherwise: when the pointer is taken off the board, and what that
//! teaches.

use super::*;
use torres_calibration::MoveInput;

/// For so long nothing is understood; what is ordered meanwhile.
fn puzzles(table: &mut Table, ms: u64) -> Vec<Order> {
    let mut orders = Vec::new();
    for _ in 0..ms / 100 {
        orders.extend(table.after_ms(100).on(Event::Saw(&unknown())));
    }
    orders
}

fn learned(orders: &[Order]) -> Vec<Habit> {
    let habits = orders.iter().filter_map(|order| match order {
        Order::Tell(Fact::Learned(habit)) => Some(*habit),
        _ => None,
    });
    habits.collect()
}

/// A game in which our first move has landed, and the pointer lies where it ended.
fn begun() -> Table {
    let (mut table, _) = Table::start(Color::White);
    table.enters("e2e4");
    table.after_ms(30).sees("e2e4");
    table
}

#[test]
fn what_is_not_understood_for_a_while_may_lie_under_the_pointer_which_is_taken_aside_once() {
    let mut table = begun();
    assert_eq!(puzzles(&mut table, 800), [], "a piece may be on its way");
    assert_eq!(puzzles(&mut table, 100), [Order::TakeAside]);
    assert_eq!(table.on(Event::TakenAside(true)), []);
    assert_eq!(puzzles(&mut table, 3000), []);
    // It did not help in time.
    assert_eq!(learned(&table.sees("e7e5")), []);
    assert!(!table.machine.move_input().aside);
    // The next gesture puts it on the board again.
    table.enters("g1f3");
    assert_eq!(puzzles(&mut table, 900), [Order::TakeAside]);
}

#[test]
fn where_that_helped_the_pointer_is_taken_aside_after_each_gesture() {
    let mut table = begun();
    puzzles(&mut table, 900);
    table.on(Event::TakenAside(true));
    table.after_ms(400).on(Event::ChangedUnderPointer(true));
    let orders = table.sees("e7e5");
    assert_eq!(learned(&orders), [Habit::Aside]);
    assert!(table.machine.move_input().aside);
    assert_eq!(table.enters("g1f3"), [Order::TakeAside]);
    assert_eq!(table.on(Event::TakenAside(true)), []);
    // It lies aside: nothing is ordered again, and nothing learned.
    assert_eq!(puzzles(&mut table, 1000), []);
    assert_eq!(learned(&table.sees("g1f3 b8c6")), []);
}

#[test]
fn a_pointer_that_lay_elsewhere_has_helped_nothing() {
    let mut table = begun();
    puzzles(&mut table, 900);
    table.on(Event::TakenAside(false));
    assert_eq!(learned(&table.after_ms(100).sees("e7e5")), []);
    assert!(!table.machine.move_input().aside);
}

/// As on a machine that is busy: the bot's piece is drawn late, and lands after the pointer has left.
#[test]
fn a_piece_that_landed_meanwhile_is_why_the_board_is_understood() {
    let mut table = begun();
    puzzles(&mut table, 900);
    table.on(Event::TakenAside(true));
    table.after_ms(100).on(Event::ChangedUnderPointer(false));
    assert_eq!(learned(&table.sees("e7e5")), []);
    assert!(!table.machine.move_input().aside);
}

#[test]
fn what_seems_to_lie_over_a_square_that_is_to_be_clicked_may_be_the_pointer_s_light() {
    let mut table = begun();
    table.sees("e7e5");
    table.answers("g1f3");
    let mut orders = Vec::new();
    for _ in 0..9 {
        orders.extend(table.looks(FinalCheck::Covered(Square::G1)));
        table.after_ms(100);
    }
    assert_eq!(orders, [Order::TakeAside]);
    table.on(Event::TakenAside(true));
    table.after_ms(50).on(Event::ChangedUnderPointer(true));
    let orders = table.looks(FinalCheck::Clear);
    assert_eq!(learned(&orders), [Habit::Aside]);
    assert!(
        matches!(orders.last(), Some(Order::Perform(Aim::Enter { .. }, _))),
        "{orders:?}"
    );
}

#[test]
fn a_board_known_for_it_is_left_by_the_pointer_as_the_game_begins_but_never_hands_off() {
    let begins = |hands_off| {
        let (table, _) = Table::start(Color::White);
        let move_input = MoveInput {
            aside: true,
            ..MoveInput::default()
        };
        let settings = Settings {
            move_input,
            hands_off,
            ..Settings::default()
        };
        let clock = table.machine.clock().clone();
        let mut machine = Machine::new(Game::new(Chess::default()), clock, Color::White, settings);
        machine.begin(table.now).contains(&Order::TakeAside)
    };
    assert!(begins(false));
    assert!(!begins(true));
}
