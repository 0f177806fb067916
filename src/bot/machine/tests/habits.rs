//! Boards that take moves in one way only, or lose a press: what is tried next, and what is learned of it.

use super::*;
use torres_calibration::{By, Deselects, MoveInput, Way};

/// A game with White, of whose board this is known, with time enough.
fn start(move_input: MoveInput) -> Table {
    started(move_input, 900)
}

/// The same with so many seconds on the clocks.
fn started(move_input: MoveInput, seconds: u64) -> Table {
    started_from(Chess::default(), move_input, seconds)
}

/// The same from this position.
fn started_from(position: Chess, move_input: MoveInput, seconds: u64) -> Table {
    let (mut table, _) = Table::start(Color::White);
    let settings = Settings {
        move_input,
        ..Settings::default()
    };
    let control = TimeControl {
        initial: Duration::from_secs(seconds),
        increment: Duration::ZERO,
    };
    let game = Game::new(position);
    table.machine = Machine::new(game, GameClock::new(control), Color::White, settings);
    table.machine.begin(table.now);
    table
}

fn by(by: By) -> MoveInput {
    MoveInput {
        by,
        ..MoveInput::default()
    }
}

/// Known to take moves in this way.
fn taking(way: Way) -> MoveInput {
    MoveInput {
        takes: Some(way),
        ..MoveInput::default()
    }
}

/// How the next gesture is made, and whether a deselecting click comes before it.
#[derive(Debug, PartialEq)]
enum Does {
    Enters(Manner),
    Deselects(Square),
}

fn does(table: &Table) -> Does {
    match table.machine.aim() {
        Some(Aim::Enter { attempt, .. }) => Does::Enters(attempt.manner),
        Some(Aim::Deselect { square, .. }) => Does::Deselects(square),
        other => panic!("{other:?}, {:?}", table.machine.phase()),
    }
}

/// The look that lets what is aimed at pass, and the button's release.
fn makes(table: &mut Table, look: FinalCheck) -> Does {
    let made = does(table);
    let orders = table.looks(look);
    assert!(matches!(orders[..], [Order::Perform(..)]), "{orders:?}");
    assert_eq!(table.after_ms(20).released(), []);
    made
}

/// The position of before stands for so long, its piece selected or not.
fn stands(table: &mut Table, ms: u64, selected: bool) -> Vec<Order> {
    let mut orders = Vec::new();
    for _ in 0..=ms / 50 {
        assert_eq!(table.on(Event::Selected(selected)), []);
        orders.extend(table.sees(""));
        table.after_ms(50);
    }
    orders
}

/// What is aimed at is done, and the position of before stands on. How it was made.
fn misses(table: &mut Table, selected: bool) -> Manner {
    let Does::Enters(manner) = makes(table, FinalCheck::Clear) else {
        panic!("{:?}", table.machine.phase());
    };
    let orders = stands(table, 400, selected);
    is_made_again(&orders);
    manner
}

/// The gesture that is meant lands, and the opponent answers; what was learned.
fn lands(table: &mut Table, line: &str) -> (Manner, Vec<Habit>) {
    let Does::Enters(manner) = makes(table, FinalCheck::Clear) else {
        panic!("{:?}", table.machine.phase());
    };
    (manner, learned(&table.after_ms(30).sees(line)))
}

/// What these orders tell as learned.
fn learned(orders: &[Order]) -> Vec<Habit> {
    let learned = orders.iter().filter_map(|order| match order {
        Order::Tell(Fact::Learned(habit)) => Some(*habit),
        _ => None,
    });
    learned.collect()
}

/// A deselecting click, and the board as it stands after it; what was learned.
fn deselects(table: &mut Table, selected: bool) -> (Square, Vec<Order>) {
    let Does::Deselects(square) = makes(table, FinalCheck::Clear) else {
        panic!("{:?}", table.machine.phase());
    };
    (square, stands(table, 150, selected))
}

#[test]
fn a_piece_that_a_drag_left_selected_is_moved_by_a_click_on_its_target_and_clicks_are_used_from_then_on() {
    let mut table = start(MoveInput::default());
    table.answers("e2e4");
    assert_eq!(misses(&mut table, true), Manner::Drag);
    let target = table.machine.aim().map(|aim| aim.squares());
    assert_eq!(
        target,
        Some(vec![Square::E4]),
        "the selected piece may be drawn larger, which covers nothing"
    );
    assert_eq!(lands(&mut table, "e2e4 e7e5"), (Manner::Target, vec![Habit::Clicks]));
    assert_eq!(table.machine.move_input().takes, Some(Way::Clicks));
    table.answers("g1f3");
    assert_eq!(lands(&mut table, "g1f3 b8c6"), (Manner::ClickClick, vec![]));
}

#[test]
fn on_a_board_that_shows_no_selection_clicks_are_tried_twice_the_second_time_with_nothing_between() {
    let mut table = start(MoveInput::default());
    table.answers("e2e4");
    assert_eq!(misses(&mut table, false), Manner::Drag);
    // A click beside it may put the piece down, or not: then the next click on it does, and the one after selects it.
    let (_, learned) = deselects(&mut table, false);
    assert_eq!(learned, []);
    assert_eq!(misses(&mut table, false), Manner::ClickClick);
    // So the drag had selected it.
    assert_eq!(
        lands(&mut table, "e2e4 e7e5"),
        (Manner::ClickClick, vec![Habit::Clicks])
    );
}

#[test]
fn a_drag_that_got_lost_says_little_and_two_of_them_before_any_has_landed_say_enough() {
    let mut table = start(MoveInput::default());
    table.answers("e2e4");
    assert_eq!(misses(&mut table, false), Manner::Drag);
    deselects(&mut table, false);
    assert_eq!(lands(&mut table, "e2e4 e7e5"), (Manner::ClickClick, vec![]));
    table.answers("g1f3");
    assert_eq!(misses(&mut table, false), Manner::Drag);
    deselects(&mut table, false);
    assert_eq!(
        lands(&mut table, "g1f3 b8c6"),
        (Manner::ClickClick, vec![Habit::Clicks])
    );
}

#[test]
fn a_board_on_which_a_drag_has_landed_is_dragged_on_whatever_gets_lost() {
    let mut table = start(MoveInput::default());
    table.answers("e2e4");
    assert_eq!(lands(&mut table, "e2e4 e7e5"), (Manner::Drag, vec![]));
    table.answers("g1f3");
    assert_eq!(misses(&mut table, true), Manner::Drag);
    assert_eq!(lands(&mut table, "g1f3 b8c6"), (Manner::Target, vec![]));
    // Where none but a watched one has, it is made again in steps, and clicks come last.
    table.answers("f1c4");
    assert_eq!(misses(&mut table, false), Manner::Drag);
    deselects(&mut table, false);
    assert_eq!(table.on(Event::DraggedInSteps), []);
    assert_eq!(misses(&mut table, false), Manner::Drag);
    deselects(&mut table, false);
    assert_eq!(lands(&mut table, "f1c4 g8f6"), (Manner::ClickClick, vec![]));
    // Where others have, the last try is one by drag.
    table.answers("b1c3");
    assert_eq!(lands(&mut table, "b1c3 a7a6"), (Manner::Drag, vec![]));
    table.answers("a2a3");
    loses_drag_and_clicks(&mut table);
    assert_eq!(lands(&mut table, "a2a3 h7h6"), (Manner::Drag, vec![]));
}

/// The board took a watched drag, and has taken two quick ones for a click on their piece.
fn with_slow_drags() -> Table {
    let mut table = start(MoveInput::default());
    table.answers("e2e4");
    assert_eq!(lands(&mut table, "e2e4 e7e5"), (Manner::Drag, vec![]));
    for (own, line, learned) in [("g1f3", "g1f3 b8c6", vec![]), ("f1c4", "f1c4 g8f6", vec![Habit::Steps])] {
        table.answers(own);
        assert_eq!(misses(&mut table, true), Manner::Drag);
        assert_eq!(lands(&mut table, line), (Manner::Target, learned));
    }
    table.answers("d2d3");
    table
}

#[test]
fn where_quick_drags_only_select_drags_are_made_in_steps() {
    let mut table = with_slow_drags();
    assert_eq!(lands_in_steps(&mut table, "d2d3 d7d6"), vec![]);
    table.answers("b1c3");
    assert_eq!(misses(&mut table, true), Manner::Drag);
    assert_eq!(lands(&mut table, "b1c3 a7a6"), (Manner::Target, vec![]));
}

#[test]
fn where_drags_in_steps_only_select_too_moves_are_made_by_clicks() {
    let mut table = with_slow_drags();
    assert_eq!(misses(&mut table, true), Manner::Drag);
    assert_eq!(lands(&mut table, "d2d3 d7d6"), (Manner::Target, vec![Habit::Clicks]));
    table.answers("b1c3");
    assert_eq!(lands(&mut table, "b1c3 a7a6"), (Manner::ClickClick, vec![]));
}

#[test]
fn a_board_that_was_said_to_take_clicks_and_takes_drags_is_dragged_on_again() {
    let learned = taking(Way::Clicks);
    let mut table = start(learned);
    table.answers("e2e4");
    assert_eq!(misses(&mut table, false), Manner::ClickClick);
    assert_eq!(misses(&mut table, false), Manner::ClickClick);
    deselects(&mut table, false);
    assert_eq!(lands(&mut table, "e2e4 e7e5"), (Manner::Drag, vec![Habit::Drags]));
    assert_eq!(table.machine.move_input().takes, Some(Way::Drag));
}

/// The drag's piece does not follow the pointer, and is put back.
fn gives_up(table: &mut Table) {
    let Some(Aim::Enter { attempt, .. }) = table.machine.aim() else {
        panic!("{:?}", table.machine.phase());
    };
    assert!(table.machine.is_tried_out(&attempt));
    table.looks(FinalCheck::Clear);
    let now = table.after_ms(300).now;
    let orders = table.on(Event::NotFollowed(now));
    assert!(matches!(orders[..], [Order::Tell(Fact::GivenUp(_))]), "{orders:?}");
}

#[test]
fn a_drag_whose_piece_does_not_follow_is_the_first_of_two_clicks_and_no_refused_move() {
    let mut table = start(MoveInput::default());
    table.answers("e2e4");
    gives_up(&mut table);
    assert_eq!(lands(&mut table, "e2e4 e7e5"), (Manner::Target, vec![Habit::Clicks]));
    table.answers("g1f3");
    assert_eq!(lands(&mut table, "g1f3 b8c6"), (Manner::ClickClick, vec![]));
}

#[test]
fn a_drag_that_was_given_up_and_was_no_click_is_made_to_its_end_and_never_given_up_again() {
    let mut table = start(MoveInput::default());
    table.answers("e2e4");
    gives_up(&mut table);
    assert_eq!(misses(&mut table, false), Manner::Target);
    deselects(&mut table, false);
    assert_eq!(lands(&mut table, "e2e4 e7e5"), (Manner::Drag, vec![Habit::Drags]));
    let move_input = table.machine.move_input();
    assert_eq!(move_input.takes, Some(Way::Drag));
    for known in [move_input, by(By::Drag)] {
        let mut table = start(known);
        table.answers("e2e4");
        let Some(Aim::Enter { attempt, .. }) = table.machine.aim() else {
            panic!("{:?}", table.machine.phase());
        };
        assert!(!table.machine.is_tried_out(&attempt));
    }
}

#[test]
fn a_drag_that_landed_in_steps_is_made_so_from_then_on() {
    let mut table = start(MoveInput::default());
    table.answers("e2e4");
    let Does::Enters(Manner::Drag) = makes(&mut table, FinalCheck::Clear) else {
        panic!("{:?}", table.machine.phase());
    };
    assert_eq!(table.on(Event::DraggedInSteps), []);
    let orders = table.after_ms(30).sees("e2e4 e7e5");
    assert!(orders.contains(&Order::Tell(Fact::Learned(Habit::Steps))), "{orders:?}");
    let move_input = table.machine.move_input();
    assert!(move_input.steps);
    assert_eq!(move_input.takes, None);

    let attempt = |table: &Table| match table.machine.aim() {
        Some(Aim::Enter { attempt, .. }) => attempt,
        other => panic!("{other:?}"),
    };
    let mut table = start(move_input);
    table.answers("e2e4");
    assert!(table.machine.is_dragged_in_steps(&attempt(&table)));
    assert!(!table.machine.is_tried_out(&attempt(&table)));
    // Where nothing is known, a drag that is made again is.
    let mut table = start(by(By::Drag));
    table.answers("e2e4");
    assert!(!table.machine.is_dragged_in_steps(&attempt(&table)));
    misses(&mut table, false);
    deselects(&mut table, false);
    assert!(table.machine.is_dragged_in_steps(&attempt(&table)));
}

/// A drag in steps lands, and the opponent answers; what was learned.
fn lands_in_steps(table: &mut Table, line: &str) -> Vec<Habit> {
    let Does::Enters(Manner::Drag) = makes(table, FinalCheck::Clear) else {
        panic!("{:?}", table.machine.phase());
    };
    assert_eq!(table.on(Event::DraggedInSteps), []);
    learned(&table.after_ms(30).sees(line))
}

/// A drag is lost, and the clicks after it do nothing.
fn loses_drag_and_clicks(table: &mut Table) {
    assert_eq!(misses(table, false), Manner::Drag);
    deselects(table, false);
    assert_eq!(misses(table, false), Manner::ClickClick);
    deselects(table, false);
}

#[test]
fn where_only_a_watched_drag_lands_at_once_drags_are_made_in_steps_from_the_fourth_move_on() {
    let mut table = start(MoveInput::default());
    table.answers("e2e4");
    assert_eq!(lands(&mut table, "e2e4 e7e5"), (Manner::Drag, vec![]));
    for (own, line, learned) in [("g1f3", "g1f3 b8c6", vec![]), ("f1c4", "f1c4 g8f6", vec![Habit::Steps])] {
        table.answers(own);
        assert_eq!(misses(&mut table, false), Manner::Drag);
        deselects(&mut table, false);
        assert_eq!(lands_in_steps(&mut table, line), learned);
    }
    assert!(table.machine.move_input().steps);
    // A drag that was made at once and landed says that two others got lost.
    let mut table = start(MoveInput::default());
    for (own, line) in [("e2e4", "e2e4 e7e5"), ("g1f3", "g1f3 b8c6")] {
        table.answers(own);
        assert_eq!(lands(&mut table, line), (Manner::Drag, vec![]));
    }
    for (own, line) in [("f1c4", "f1c4 g8f6"), ("d2d3", "d2d3 d7d6")] {
        table.answers(own);
        loses_drag_and_clicks(&mut table);
        assert_eq!(lands_in_steps(&mut table, line), vec![]);
    }
}

#[test]
fn a_board_that_was_not_at_rest_says_nothing_by_a_piece_that_stays() {
    let mut table = started(MoveInput::default(), 50);
    table.answers("e2e4");
    let orders = table.looks(FinalCheck::Stirring);
    let [Order::Perform(Aim::Enter { attempt, .. }, _)] = orders[..] else {
        panic!("{orders:?}");
    };
    assert!(!table.machine.is_tried_out(&attempt));
}

#[test]
fn the_user_s_word_is_kept_to() {
    let mut table = start(by(By::Drag));
    table.answers("e2e4");
    for _ in 0..2 {
        assert_eq!(misses(&mut table, true), Manner::Drag);
        deselects(&mut table, false);
    }
    makes(&mut table, FinalCheck::Clear);
    let paused = Order::Pause(PauseReason::NotLandedBy(Way::Drag));
    assert_eq!(stands(&mut table, 400, true).first(), Some(&paused));

    let mut table = start(by(By::Clicks));
    table.answers("e2e4");
    assert_eq!(misses(&mut table, true), Manner::ClickClick);
    assert_eq!(misses(&mut table, false), Manner::Target);
    makes(&mut table, FinalCheck::Clear);
    let paused = Order::Pause(PauseReason::NotLandedBy(Way::Clicks));
    assert_eq!(stands(&mut table, 400, false).first(), Some(&paused));

    let mut table = start(by(By::Clicks));
    table.answers("e2e4");
    assert_eq!(
        lands(&mut table, "e2e4 e7e5"),
        (Manner::ClickClick, vec![]),
        "no news: it was said"
    );
}

#[test]
fn a_piece_that_an_empty_square_does_not_put_down_is_clicked_itself_and_that_is_remembered() {
    let mut table = start(by(By::Drag));
    table.answers("e2e4");
    misses(&mut table, true);
    let (empty, learned) = deselects(&mut table, true);
    assert!(table.machine.game().position().board().piece_at(empty).is_none());
    assert_eq!(learned, []);
    let (piece, learned) = deselects(&mut table, false);
    assert_eq!(piece, Square::E2);
    let habit = Fact::Learned(Habit::Deselects(Deselects::Piece));
    assert_eq!(learned, [Order::Tell(habit)]);
    // The next time at once, as long as it is seen to be selected.
    misses(&mut table, true);
    assert_eq!(does(&table), Does::Deselects(Square::E2));
    let mut table = start(MoveInput {
        deselects: Some(Deselects::Piece),
        ..by(By::Drag)
    });
    table.answers("e2e4");
    misses(&mut table, false);
    assert_eq!(does(&table), Does::Deselects(empty));
}

#[test]
fn the_board_s_rest_is_waited_for_as_long_as_there_is_time() {
    let mut table = started(MoveInput::default(), 61);
    table.answers("e2e4");
    assert_eq!(table.looks(FinalCheck::Stirring), []);
    table.after_ms(200);
    assert_eq!(table.looks(FinalCheck::Stirring), []);
    assert_eq!(makes(&mut table, FinalCheck::Clear), Does::Enters(Manner::Drag));
    table.after_ms(2000).sees("e2e4 e7e5");
    table.answers("g1f3");
    assert_eq!(makes(&mut table, FinalCheck::Stirring), Does::Enters(Manner::Drag));
}

#[test]
fn a_board_that_loses_a_press_while_a_piece_slides_is_waited_for_from_then_on() {
    let mut table = started(MoveInput::default(), 50);
    table.answers("e2e4");
    // Nothing is known yet: nothing is waited for.
    assert_eq!(makes(&mut table, FinalCheck::Stirring), Does::Enters(Manner::Drag));
    stands(&mut table, 400, false);
    deselects(&mut table, false);
    assert_eq!(
        lands(&mut table, "e2e4 e7e5"),
        (Manner::ClickClick, vec![Habit::AtRest]),
        "and it says nothing against drags"
    );
    table.answers("g1f3");
    assert_eq!(does(&table), Does::Enters(Manner::Drag));
    for _ in 0..99 {
        assert_eq!(table.looks(FinalCheck::Stirring), []);
        table.after_ms(10);
    }
    // Something may move all the time.
    table.after_ms(10);
    assert_eq!(makes(&mut table, FinalCheck::Stirring), Does::Enters(Manner::Drag));
    table.after_ms(30).sees("g1f3 b8c6");
    table.answers("f1c4");
    assert_eq!(table.looks(FinalCheck::Stirring), []);
    assert_eq!(makes(&mut table, FinalCheck::Clear), Does::Enters(Manner::Drag));
}

/// A drag of which the page draws nothing: its press is lost.
fn is_lost(table: &mut Table) {
    assert!(matches!(table.looks(FinalCheck::Clear)[..], [Order::Perform(..)]));
    let released = table.after_ms(20).now;
    assert_eq!(table.on(Event::Performed(released)), []);
    is_made_again(&stands(table, 1000, false));
}

#[test]
fn a_page_that_loses_a_press_soon_after_the_opponents_move_is_given_longer_from_then_on() {
    let mut table = start(MoveInput::default());
    table.after_ms(2000).answers("e2e4");
    assert_eq!(lands(&mut table, "e2e4 e7e5"), (Manner::Drag, vec![]));
    // The board rests at once, and the page takes nothing for another while: how long is not known.
    table.after_ms(40).answers("g1f3");
    is_lost(&mut table);
    deselects(&mut table, false);
    assert_eq!(table.on(Event::DraggedInSteps), []);
    let ready = Duration::from_millis(300);
    assert_eq!(
        lands(&mut table, "g1f3 b8c6"),
        (Manner::Drag, vec![Habit::Ready(ready)]),
        "and the steps have not helped"
    );
    table.after_ms(200).answers("f1c4");
    assert_eq!(does(&table), Does::Enters(Manner::Drag));
    assert_eq!(table.looks(FinalCheck::Clear), []);
    assert_eq!(table.after_ms(99).looks(FinalCheck::Clear), []);
    table.after_ms(1);
    assert_eq!(lands(&mut table, "f1c4 g8f6"), (Manner::Drag, vec![]));
    // A busy machine loses one too, at a time at which others have long landed; and of another the page draws something.
    table.after_ms(400).answers("d2d3");
    is_lost(&mut table);
    deselects(&mut table, false);
    assert_eq!(lands(&mut table, "d2d3 d7d6"), (Manner::ClickClick, vec![]));
    table.after_ms(300).answers("b1c3");
    assert_eq!(misses(&mut table, false), Manner::Drag);
    deselects(&mut table, false);
    assert_eq!(lands(&mut table, "b1c3 a7a6"), (Manner::ClickClick, vec![]));
    assert_eq!(table.machine.move_input().ready_after, ready);
}

/// Pages take nothing for 600 ms though they have drawn the move at once.
#[test]
fn a_page_that_loses_one_more_press_is_given_twice_as_long() {
    let mut table = start(MoveInput::default());
    table.after_ms(2000).answers("e2e4");
    assert_eq!(lands(&mut table, "e2e4 e7e5"), (Manner::Drag, vec![]));
    for (played, after, line, ready) in [("g1f3", 40, "g1f3 b8c6", 300), ("f1c4", 310, "f1c4 g8f6", 600)] {
        table.after_ms(after).answers(played);
        is_lost(&mut table);
        deselects(&mut table, false);
        table.on(Event::DraggedInSteps);
        let learned = vec![Habit::Ready(Duration::from_millis(ready))];
        assert_eq!(lands(&mut table, line), (Manner::Drag, learned));
    }
}

#[test]
fn how_soon_a_page_takes_moves_counts_from_when_the_opponents_began_to_show_and_is_known_to_a_tenth_of_a_second() {
    let mut table = start(MoveInput::default());
    table.after_ms(2000).answers("e2e4");
    // Pieces slide, and the move is understood at last: the page has had it for 250 ms.
    let Does::Enters(Manner::Drag) = makes(&mut table, FinalCheck::Clear) else {
        panic!("{:?}", table.machine.phase());
    };
    table.after_ms(30).sees("e2e4");
    table.after_ms(500).on(Event::Saw(&Reading::Moving));
    table.after_ms(250).sees("e7e5");
    table.after_ms(30).answers("g1f3");
    assert_eq!(lands(&mut table, "g1f3 b8c6"), (Manner::Drag, vec![]));
    // It takes a move after 280 ms, and loses one after 300: neither is measured that well.
    table.after_ms(300).answers("f1c4");
    is_lost(&mut table);
    deselects(&mut table, false);
    let ready = Duration::from_millis(450);
    assert_eq!(
        lands(&mut table, "f1c4"),
        (Manner::ClickClick, vec![Habit::Ready(ready)])
    );
    table.after_ms(500).on(Event::Saw(&Reading::Moving));
    table.after_ms(250).sees("g8f6");
    table.answers("d2d3");
    assert_eq!(table.after_ms(199).looks(FinalCheck::Clear), []);
    table.after_ms(1);
    assert_eq!(makes(&mut table, FinalCheck::Clear), Does::Enters(Manner::Drag));
}

/// A game in which White castles to either side, and Black's king has something to do.
fn castling(move_input: MoveInput) -> Table {
    let position = parse_fen("4k3/p7/8/8/8/8/P7/R3K2R w KQ - 0 1").unwrap();
    started_from(position, move_input, 900)
}

fn target(table: &Table) -> Square {
    table
        .machine
        .aim()
        .and_then(|aim| aim.squares().last().copied())
        .unwrap()
}

/// Reported (Jocly): castling two squares to the side was entered three times, and never taken.
#[test]
fn castling_is_entered_onto_the_rook_where_it_is_not_taken_two_squares_to_the_side() {
    let clicks = taking(Way::Clicks);
    let mut table = castling(clicks);
    table.answers("e1g1");
    assert_eq!(target(&table), Square::G1);
    assert_eq!(misses(&mut table, true), Manner::ClickClick);
    assert_eq!(target(&table), Square::H1);
    assert_eq!(lands(&mut table, "e1g1 e8e7"), (Manner::Target, vec![Habit::OntoRook]));
    let known = table.machine.move_input();
    assert_eq!(
        known,
        MoveInput {
            onto_rook: true,
            ..clicks
        }
    );

    let mut again = castling(known);
    again.answers("e1c1");
    assert_eq!(target(&again), Square::A1);
    assert_eq!(lands(&mut again, "e1c1 e8e7"), (Manner::ClickClick, vec![]));
}

#[test]
fn castling_that_was_lost_is_entered_two_squares_to_the_side_again_at_last() {
    let mut table = castling(MoveInput::default());
    table.answers("a2a3");
    assert_eq!(lands(&mut table, "a2a3 e8e7"), (Manner::Drag, vec![]));
    table.answers("e1g1");
    assert_eq!(misses(&mut table, false), Manner::Drag);
    deselects(&mut table, false);
    assert_eq!(target(&table), Square::H1);
    assert_eq!(
        misses(&mut table, false),
        Manner::Drag,
        "the way in which moves have landed"
    );
    if let Does::Deselects(_) = does(&table) {
        deselects(&mut table, false);
    }
    assert_eq!(target(&table), Square::G1);
    let (_, learned) = lands(&mut table, "e1g1 e7e6");
    assert_eq!(learned, vec![]);
    assert!(!table.machine.move_input().onto_rook);
}

/// Reported (Jocly): of 27 moves by two clicks three were made again, since the page took the first click only.
#[test]
fn where_second_clicks_are_lost_the_pointer_rests_before_them() {
    let clicks = taking(Way::Clicks);
    let mut table = start(clicks);
    table.answers("e2e4");
    assert_eq!(lands(&mut table, "e2e4 e7e5"), (Manner::ClickClick, vec![]));
    table.answers("g1f3");
    assert_eq!(misses(&mut table, true), Manner::ClickClick);
    assert_eq!(
        lands(&mut table, "g1f3 b8c6"),
        (Manner::Target, vec![]),
        "a busy page loses single clicks"
    );
    table.answers("d2d3");
    assert_eq!(misses(&mut table, true), Manner::ClickClick);
    assert_eq!(lands(&mut table, "d2d3 d7d6"), (Manner::Target, vec![Habit::Rests]));
    assert!(table.machine.move_input().rests);
}
