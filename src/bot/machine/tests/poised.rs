//! The wait for the look that lets a gesture pass.

use super::*;

fn refused(orders: &[Order]) -> Option<&PauseReason> {
    match orders {
        [Order::Tell(Fact::Refused(_, reason)), Order::Pause(paused)] if reason == paused => Some(reason),
        _ => None,
    }
}

/// A game in which our move is meant and not made yet.
fn poised() -> Table {
    let (mut table, _) = Table::start(Color::White);
    assert_eq!(table.answers("e2e4"), []);
    assert!(matches!(table.machine.aim(), Some(Aim::Enter { .. })));
    table
}

fn changed(may_settle: bool) -> FinalCheck {
    let why = "another name".to_owned();
    FinalCheck::PanelChanged { why, may_settle }
}

/// What comes of this look again and again, 10 ms apart: the orders, and after which time they came.
fn insists(table: &mut Table, look: &FinalCheck) -> (Vec<Order>, u64) {
    for ms in (0..20_000).step_by(10) {
        let mut orders = table.looks(look.clone());
        orders.retain(|order| *order != Order::TakeAside);
        if !orders.is_empty() {
            return (orders, ms);
        }
        table.after_ms(10);
    }
    panic!("nothing comes of {look:?}");
}

#[test]
fn nothing_is_pressed_before_a_look_lets_it_pass() {
    let mut table = poised();
    let since = table.now;
    assert_eq!(table.after_ms(10).sees(""), []);
    assert_eq!(table.after_ms(10).on(Event::Saw(&Reading::Moving)), []);
    let orders = table.after_ms(10).looks(FinalCheck::Clear);
    assert!(
        matches!(orders[..], [Order::Perform(_, poised)] if poised == since),
        "{orders:?}"
    );
    assert_eq!(table.on(Event::FinalCheck(FinalCheck::Clear)), [], "it is made once");
}

#[test]
fn a_pause_ends_the_wait_at_once() {
    let mut table = poised();
    assert_eq!(table.looks(FinalCheck::Covered(Square::E4)), []);
    let orders = table.after_ms(100).on(Event::PauseWanted);
    assert_eq!(refused(&orders), Some(&PauseReason::User));
    assert_eq!(table.after_ms(10).on(Event::FinalCheck(FinalCheck::Clear)), []);
    let orders = table.on(Event::Resumed);
    assert!(matches!(orders[..], [Order::Think(_)]), "{orders:?}");
}

#[test]
fn what_lies_over_a_square_is_waited_out_for_five_seconds() {
    let mut table = poised();
    let (orders, ms) = insists(&mut table, &FinalCheck::Covered(Square::E4));
    assert_eq!((refused(&orders), ms), (Some(&PauseReason::Covered(Square::E4)), 5000));

    let mut table = poised();
    for _ in 0..499 {
        let orders = table.after_ms(10).looks(FinalCheck::Covered(Square::E4));
        assert!(matches!(orders[..], [] | [Order::TakeAside]), "{orders:?}");
    }
    let orders = table.after_ms(10).looks(FinalCheck::Clear);
    assert!(matches!(orders[..], [Order::Perform(..)]), "{orders:?}");
}

#[test]
fn a_board_that_does_not_stay_in_its_place_is_not_clicked() {
    let (orders, ms) = insists(&mut poised(), &FinalCheck::BoardMoved);
    assert_eq!((refused(&orders), ms), (Some(&PauseReason::BoardMoves), 5000));
}

#[test]
fn a_panel_has_changed_when_it_stays_so_and_not_when_the_window_was_on_its_way() {
    let (orders, ms) = insists(&mut poised(), &changed(false));
    assert!(matches!(refused(&orders), Some(PauseReason::Opponent(_))));
    assert_eq!(ms, 300);

    let mut table = poised();
    for _ in 0..20 {
        table.after_ms(250).looks(changed(false));
        assert_eq!(table.after_ms(40).looks(FinalCheck::BoardMoved), []);
        table.after_ms(10).looks(FinalCheck::Clear);
        table.after_ms(60).released();
        assert!(matches!(table.machine.phase(), Phase::Verifying { .. }));
        table = poised();
    }
}

/// A row of pieces above the board may lie over the name.
#[test]
fn a_panel_under_the_dialog_of_our_promotion_asks_the_user_to_choose() {
    for may_settle in [false, true] {
        let mut table = Table::new("8/4P3/8/8/8/2k5/8/4K3 w - - 0 1", Color::White);
        table.machine.begin(table.now);
        table.enters("e7e8q");
        table.on(Event::DialogOpen(offer(Square::E8)));
        let (orders, _) = insists(&mut table, &changed(may_settle));
        assert_eq!(refused(&orders), Some(&PauseReason::PromotionOverPanel(Role::Queen)));
    }
}

#[test]
fn a_panel_on_a_page_laid_out_anew_has_five_seconds_to_settle() {
    let (orders, ms) = insists(&mut poised(), &changed(true));
    assert!(matches!(refused(&orders), Some(PauseReason::Opponent(_))));
    assert_eq!(ms, 5000);
}

#[test]
fn a_panel_that_is_found_elsewhere_again_and_again_is_not_believed() {
    let mut table = poised();
    for _ in 0..4 {
        assert_eq!(table.after_ms(1000).looks(FinalCheck::PanelMoved), []);
    }
    let orders = table.after_ms(1000).looks(FinalCheck::PanelMoved);
    assert!(matches!(refused(&orders), Some(PauseReason::Opponent(_))), "{orders:?}");
}

#[test]
fn a_piece_that_was_put_back_is_let_go_and_entered_again_in_the_same_way() {
    let mut table = poised();
    for withdrawn in 1..=10 {
        table.looks(FinalCheck::Clear);
        let orders = table.after_ms(60).on(Event::Withdrawn);
        assert!(matches!(orders[..], [Order::Tell(Fact::Withdrawn(_))]), "{orders:?}");
        let orders = table.after_ms(10).looks(FinalCheck::Clear);
        assert!(
            matches!(orders[..], [Order::Perform(Aim::Deselect { .. }, _)]),
            "{orders:?}"
        );
        table.after_ms(5).released();
        table.sees("");
        assert_eq!(table.after_ms(150).sees(""), []);
        let Some(Aim::Enter { attempt, .. }) = table.machine.aim() else {
            panic!("{:?}", table.machine.phase());
        };
        assert_eq!(
            (attempt.manner, attempt.number, attempt.withdrawn),
            (Manner::Drag, 1, withdrawn)
        );
    }
    table.looks(FinalCheck::Clear);
    let orders = table.after_ms(60).on(Event::Withdrawn);
    assert_eq!(orders, [Order::Pause(PauseReason::BoardMoves)]);
}

#[test]
fn a_move_that_landed_though_it_was_put_back_has_landed() {
    let mut table = poised();
    table.looks(FinalCheck::Clear);
    table.after_ms(60).on(Event::Withdrawn);
    let orders = table.after_ms(10).sees("e2e4");
    assert!(
        matches!(&played(&orders)[..], [(m, Origin::Landed { attempt: 1, .. })] if m == "e2e4"),
        "{orders:?}"
    );
}

#[test]
fn a_move_that_lands_while_it_is_to_be_entered_again_has_landed() {
    let mut table = poised();
    table.looks(FinalCheck::Clear);
    table.after_ms(60).on(Event::Withdrawn);
    table.after_ms(10).looks(FinalCheck::Clear);
    table.after_ms(5).released();
    table.sees("");
    table.after_ms(150).sees("");
    assert!(matches!(table.machine.aim(), Some(Aim::Enter { .. })));
    let orders = table.after_ms(10).sees("e2e4 e7e5");
    assert!(
        matches!(&played(&orders)[..], [(m, Origin::Landed { .. }), (_, Origin::Opponent)] if m == "e2e4"),
        "{orders:?}"
    );
}

#[test]
fn a_drag_that_a_pause_came_upon_may_have_landed() {
    let mut table = poised();
    table.looks(FinalCheck::Clear);
    assert_eq!(
        table.after_ms(20).on(Event::PauseWanted),
        [Order::Pause(PauseReason::User)]
    );
    table.after_ms(3000).on(Event::Resumed);
    let orders = table.after_ms(10).sees("e2e4");
    assert!(
        matches!(&played(&orders)[..], [(m, Origin::Landed { attempt: 1, .. })] if m == "e2e4"),
        "{orders:?}"
    );
}

#[test]
fn a_dialog_that_closes_by_itself_is_waited_for_again() {
    let mut table = Table::new("8/4P3/8/8/8/2k5/8/4K3 w - - 0 1", Color::White);
    table.machine.begin(table.now);
    table.enters("e7e8r");
    table.on(Event::DialogOpen(offer(Square::E8)));
    assert_eq!(table.after_ms(10).sees(""), []);
    assert!(matches!(table.machine.phase(), Phase::Verifying { .. }));
    assert_eq!(table.machine.awaited_dialog(), Some(Square::E8));
}
