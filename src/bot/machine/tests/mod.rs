use super::*;
use crate::dialog::Offer;
use crate::gesture::Manner;
use crate::machine::Habit;
use shakmaty::{ByColor, Chess, Move, Role, Square};
use torres_chess::TimeControl;
use torres_chess::{fen, parse_fen, parse_move, uci};
use torres_geometry::{BoardMap, BoardRect, BySquare, Orientation};
use torres_journal::KnownBy;
use torres_vision::appearance::SquareScores;
use torres_vision::clock::ClockTime;
use torres_vision::{BoardReading, Doubt, ExplainedLine, PastMatch, SquareReading};

mod answers;
mod aside;
mod draws;
mod habits;
mod offered;
mod poised;
mod pondering;

/// Drives a machine by text; time passes only when told.
struct Table {
    machine: Machine,
    now: Timestamp,
    /// The seconds that the site's clocks showed last.
    clocks: ByColor<Option<u64>>,
    /// Whether their digits are known.
    reads_clocks: bool,
}

impl Table {
    fn new(fen: &str, own: Color) -> Table {
        let control = TimeControl {
            initial: Duration::from_secs(900),
            increment: Duration::from_secs(10),
        };
        let game = Game::new(parse_fen(fen).unwrap());
        Table::of(Machine::new(game, GameClock::new(control), own, Settings::default()))
    }

    fn of(machine: Machine) -> Table {
        Table {
            machine,
            now: Timestamp(Duration::from_secs(1000)),
            clocks: ByColor::default(),
            reads_clocks: true,
        }
    }

    fn start(own: Color) -> (Table, Vec<Order>) {
        let mut table = Table::new("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", own);
        let orders = table.machine.begin(table.now);
        (table, orders)
    }

    fn after_ms(&mut self, ms: u64) -> &mut Table {
        self.now.0 += Duration::from_millis(ms);
        self
    }

    fn on(&mut self, event: Event<'_>) -> Vec<Order> {
        self.machine.on(event, self.now)
    }

    /// The site's clock of a side shows so many seconds.
    fn clock_shows(&mut self, color: Color, seconds: u64) {
        let is_same = self.clocks[color].replace(seconds) == Some(seconds);
        self.on(Event::ClockSeen { color, is_same });
        if self.reads_clocks {
            let shown = ClockTime {
                left: Duration::from_secs(seconds),
                step: Duration::from_secs(1),
            };
            self.on(Event::ClockRead(color, shown));
        }
    }

    /// For so long nothing is understood, with a look every 100 ms at least, and nothing is ordered but that the
    /// pointer goes aside.
    fn stays_unknown_for_ms(&mut self, ms: u64) {
        let mut left = ms;
        while left > 0 {
            let step = left.min(100);
            let orders = self.after_ms(step).on(Event::Saw(&unknown()));
            assert!(matches!(orders[..], [] | [Order::TakeAside]), "{orders:?}");
            left -= step;
        }
    }

    /// Vision sees these moves played from the position believed.
    fn sees(&mut self, moves: &str) -> Vec<Order> {
        let reading = self.reading(moves);
        self.on(Event::Saw(&reading))
    }

    fn reading(&self, moves: &str) -> Reading {
        let mut position = self.machine.game().position().clone();
        let line = play(&mut position, moves);
        match line.is_empty() {
            true => Reading::Stands,
            false => Reading::Played(ExplainedLine {
                line,
                position,
                confidence: 1.0,
                only: true,
            }),
        }
    }

    fn answers(&mut self, text: &str) -> Vec<Order> {
        self.answers_expecting(text, None)
    }

    fn answers_expecting(&mut self, text: &str, reply: Option<&str>) -> Vec<Order> {
        let id = match self.machine.phase() {
            Phase::Thinking { id } => *id,
            other => panic!("nobody asked: {other:?}"),
        };
        let answer = BestMove {
            id,
            best: Some(text.to_owned()),
            ponder: reply.map(str::to_owned),
            fen: fen(self.machine.game().position()),
        };
        self.on(Event::Answered(&answer))
    }

    /// The answer, the look that lets its gesture pass, and the button's release.
    fn enters(&mut self, text: &str) -> Vec<Order> {
        assert_eq!(self.answers(text), []);
        let orders = self.looks(FinalCheck::Clear);
        assert!(
            matches!(orders[..], [Order::Perform(Aim::Enter { .. }, _)]),
            "{orders:?}"
        );
        self.after_ms(60).released()
    }

    /// Enters a move, of which the page draws nothing.
    fn enters_undrawn(&mut self, text: &str) {
        self.answers(text);
        self.looks(FinalCheck::Clear);
        let released = self.after_ms(60).now;
        self.on(Event::Performed(released));
    }

    /// The final check before what is aimed at.
    fn looks(&mut self, look: FinalCheck) -> Vec<Order> {
        assert!(self.machine.aim().is_some(), "{:?}", self.machine.phase());
        self.on(Event::FinalCheck(look))
    }

    fn released(&mut self) -> Vec<Order> {
        let now = self.now;
        let mut orders = self.on(Event::Performed(now));
        orders.extend(self.on(Event::Drew));
        orders
    }
}

/// The move has not landed, and is made again: nothing else is ordered.
fn is_made_again(orders: &[Order]) {
    assert!(matches!(orders, [Order::Tell(Fact::NotLanded { .. })]), "{orders:?}");
}

/// A dialog over a promotion's file, on a board of 64 pixels a square.
fn offer(promotion: Square) -> Offer {
    let map = BoardMap {
        rect: BoardRect::new(0.0, 0.0, 512.0, 512.0).unwrap(),
        orientation: Orientation::White,
    };
    Offer::chessground(promotion, &map)
}

fn unknown() -> Reading {
    let nothing = SquareReading {
        content: None,
        confidence: 0.0,
        doubtful: true,
    };
    Reading::Unknown(Doubt {
        reading: BoardReading {
            squares: BySquare::from_fn(|_| nothing),
        },
        scores: Box::new(BySquare::from_fn(|_| SquareScores::default())),
        changed: Vec::new(),
        candidates: Vec::new(),
    })
}

fn played(orders: &[Order]) -> Vec<(String, Origin)> {
    orders
        .iter()
        .filter_map(|order| match order {
            Order::Tell(Fact::Played { played, origin, .. }) => Some((uci(*played), *origin)),
            _ => None,
        })
        .collect()
}

#[test]
fn white_thinks_first_and_black_waits() {
    let (_, orders) = Table::start(Color::White);
    assert!(matches!(&orders[..], [Order::Think(go)] if go.moves.is_empty()));
    let (table, orders) = Table::start(Color::Black);
    assert_eq!(orders, []);
    assert_eq!(*table.machine.phase(), Phase::Waiting);
}

#[test]
fn a_page_may_mark_where_a_piece_may_go_that_a_lost_attempt_has_left_selected() {
    let mut table = Table::new("r3k2r/8/8/8/8/5p2/4P3/R3K2R w KQ - 0 1", Color::White);
    table.machine.begin(table.now);
    table.answers("e2e3");
    let marked = |table: &Table| {
        table
            .machine
            .aim()
            .unwrap()
            .selected_targets(table.machine.game().position())
    };
    assert_eq!(marked(&table), None, "nothing is selected yet");
    let targets = [Square::E3, Square::E4].into_iter().collect();
    loop {
        table.looks(FinalCheck::Clear);
        table.released();
        while table.machine.aim().is_none() {
            table.after_ms(150).sees("");
        }
        if matches!(table.machine.aim(), Some(Aim::Enter { .. })) {
            break;
        }
    }
    assert_eq!(marked(&table), Some(targets));
}

#[test]
fn a_move_seen_within_the_time_has_landed() {
    let (mut table, _) = Table::start(Color::White);
    table.enters("e2e4");
    let orders = table.after_ms(30).sees("e2e4");
    let origin = Origin::Landed {
        attempt: 1,
        after: Duration::from_millis(30),
    };
    assert_eq!(played(&orders), [("e2e4".to_owned(), origin)]);
    assert_eq!(*table.machine.phase(), Phase::Waiting);
}

#[test]
fn our_move_and_the_answer_in_one_look_are_both_taken() {
    let (mut table, _) = Table::start(Color::White);
    table.enters("e2e4");
    let orders = table.after_ms(30).sees("e2e4 e7e5");
    assert_eq!(played(&orders).len(), 2);
    assert_eq!(played(&orders)[1], ("e7e5".to_owned(), Origin::Opponent));
    assert!(matches!(orders.last(), Some(Order::Think(go)) if go.moves == ["e2e4", "e7e5"]));
}

#[test]
fn what_did_not_land_is_deselected_and_entered_twice_more_by_clicks_then_paused() {
    let (mut table, _) = Table::start(Color::White);
    table.enters("e2e4");
    assert_eq!(table.sees(""), []);
    assert_eq!(table.after_ms(399).sees(""), []);
    let orders = table.after_ms(1).on(Event::Saw(&Reading::Unchanged));
    is_made_again(&orders);
    let orders = table.looks(FinalCheck::Clear);
    assert!(
        matches!(orders[..], [Order::Perform(Aim::Deselect { .. }, _)]),
        "{orders:?}"
    );
    table.after_ms(5).released();
    assert_eq!(table.sees(""), []);
    assert_eq!(table.after_ms(150).sees(""), []);
    let orders = table.looks(FinalCheck::Clear);
    let [
        Order::Perform(
            Aim::Enter {
                attempt,
                from: Square::E2,
                to: Square::E4,
            },
            _,
        ),
    ] = orders[..]
    else {
        panic!("{orders:?}");
    };
    assert_eq!((attempt.manner, attempt.number), (Manner::ClickClick, 2));
    table.after_ms(20).released();
    table.sees("");
    table.after_ms(400).sees("");
    assert!(matches!(table.machine.aim(), Some(Aim::Enter { attempt, .. }) if attempt.number == 3));
    table.looks(FinalCheck::Clear);
    table.after_ms(20).released();
    table.sees("");
    let orders = table.after_ms(400).sees("");
    assert_eq!(orders, [Order::Pause(PauseReason::NotLanded)]);
}

#[test]
fn a_move_that_lands_when_it_is_about_to_be_made_again_is_ours_and_the_next_one_is_waited_for_longer() {
    let (mut table, _) = Table::start(Color::White);
    table.enters("e2e4");
    table.sees("");
    let orders = table.after_ms(400).sees("");
    is_made_again(&orders);
    table.looks(FinalCheck::Clear);
    table.after_ms(5).released();
    table.after_ms(95).sees("");
    let orders = table.after_ms(20).sees("e2e4");
    let landed = Origin::Landed {
        attempt: 1,
        after: Duration::from_millis(520),
    };
    assert_eq!(played(&orders), [("e2e4".to_owned(), landed)]);
    // It stood for half a second.
    table.after_ms(500).sees("e7e5");
    table.enters("g1f3");
    table.sees("");
    assert_eq!(table.after_ms(999).sees(""), []);
    let orders = table.after_ms(1).sees("");
    is_made_again(&orders);
}

#[test]
fn a_page_that_has_drawn_nothing_since_the_gesture_is_given_a_second() {
    let (mut table, _) = Table::start(Color::White);
    table.enters_undrawn("e2e4");
    table.sees("");
    assert_eq!(table.after_ms(999).sees(""), []);
    let orders = table.after_ms(1).sees("");
    is_made_again(&orders);
}

#[test]
fn a_promotion_whose_dialog_is_open_already_is_chosen_in_it() {
    let mut table = Table::new("4k3/2P5/8/8/8/8/8/4K3 w - - 0 1", Color::White);
    table.machine.begin(table.now);
    // The thought takes longer than the patience with what is not understood.
    for _ in 0..8 {
        table.stays_unknown_for_ms(900);
        assert_eq!(table.on(Event::DialogWaits), []);
    }
    table.answers("c7c8q");
    assert_eq!(table.machine.awaited_dialog(), Some(Square::C8));
    assert_eq!(table.on(Event::DialogOpen(offer(Square::C8))), []);
    let orders = table.looks(FinalCheck::Clear);
    let [Order::Perform(Aim::Choose { offered, .. }, _)] = orders[..] else {
        panic!("{orders:?}");
    };
    assert_eq!(offered.over, Some(Square::C8));
}

#[test]
fn a_promotion_whose_dialog_is_not_understood_pauses_and_says_which_piece_to_choose() {
    let mut table = Table::new("8/4P3/8/8/8/2k5/8/4K3 w - - 0 1", Color::White);
    table.machine.begin(table.now);
    table.enters("e7e8r");
    let mut orders = Vec::new();
    for _ in 0..60 {
        orders.extend(table.after_ms(100).on(Event::Saw(&unknown())));
    }
    let Some(Order::Pause(reason)) = orders.last() else {
        panic!("{orders:?}");
    };
    assert_eq!(*reason, PauseReason::Promotion(Role::Rook));
    assert!(reason.to_string().ends_with("choose the rook on the page"), "{reason}");
}

/// On a busy machine a page showed its dialog a second after the release.
#[test]
fn a_dialog_that_opens_when_the_move_is_about_to_be_made_again_asks_for_the_piece_too() {
    for until in [1, 2] {
        let mut table = Table::new("8/4P3/8/8/8/2k5/8/4K3 w - - 0 1", Color::White);
        table.machine.begin(table.now);
        table.enters("e7e8r");
        let mut orders = table.sees("");
        // What comes next is deselecting, and then the next attempt.
        for _ in 0..until {
            orders.extend(table.after_ms(400).sees(""));
        }
        assert!(
            orders
                .iter()
                .any(|order| matches!(order, Order::Tell(Fact::NotLanded { .. }))),
            "{orders:?}"
        );
        for _ in 0..60 {
            orders.extend(table.after_ms(100).on(Event::Saw(&unknown())));
        }
        let asked = Order::Pause(PauseReason::Promotion(Role::Rook));
        assert_eq!(orders.last(), Some(&asked));
        table.after_ms(3000).on(Event::Resumed);
        let orders = table.after_ms(100).sees("e7e8r");
        let landed = |order: &Order| {
            matches!(
                order,
                Order::Tell(Fact::Played {
                    origin: Origin::Landed { .. },
                    ..
                })
            )
        };
        assert!(orders.iter().any(landed), "{orders:?}");
    }
}

#[test]
fn a_dialog_that_is_not_read_and_leaves_the_position_before_to_be_seen_asks_for_the_piece_too() {
    let mut table = Table::new("8/4P3/8/8/8/2k5/8/4K3 w - - 0 1", Color::White);
    table.machine.begin(table.now);
    table.enters("e7e8q");
    let mut orders = Vec::new();
    for _ in 0..60 {
        orders.extend(table.after_ms(100).on(Event::DialogUnread));
    }
    let asked = Order::Pause(PauseReason::Promotion(Role::Queen));
    assert_eq!(orders.last(), Some(&asked));
    assert!(
        !orders
            .iter()
            .any(|order| matches!(order, Order::Tell(Fact::NotLanded { .. })))
    );
}

#[test]
fn a_board_in_motion_is_not_a_board_that_stands() {
    let (mut table, _) = Table::start(Color::White);
    table.enters("e2e4");
    table.sees("");
    table.after_ms(300).on(Event::Saw(&Reading::Moving));
    assert_eq!(
        table.after_ms(200).sees(""),
        [],
        "the 400 ms start again after the motion"
    );
}

#[test]
fn a_board_that_is_lost_and_found_again_and_again_does_not_put_off_the_second_try() {
    let (mut table, _) = Table::start(Color::White);
    table.enters("e2e4");
    // Seen for 300 ms, lost for 50, as in a window that is dragged about.
    table.sees("");
    assert_eq!(table.after_ms(300).sees(""), []);
    assert_eq!(table.after_ms(1).on(Event::Saw(&Reading::Lost)), []);
    assert_eq!(
        table.after_ms(49).sees(""),
        [],
        "time in which it was not seen does not count"
    );
    assert_eq!(table.after_ms(99).sees(""), []);
    let orders = table.after_ms(1).sees("");
    is_made_again(&orders);
}

#[test]
fn as_many_plies_are_played_as_were_asked_for() {
    let mut table = Table::new("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", Color::White);
    table.machine.settings.plies = Some(2);
    let orders = table.machine.begin(table.now);
    assert!(matches!(orders[..], [.., Order::Think(_)]), "{orders:?}");
    table.enters("a1a2");
    let orders = table.after_ms(60).sees("a1a2");
    assert!(!orders.contains(&Order::Finish(None)), "{orders:?}");
    let orders = table.after_ms(60).sees("g8f8");
    assert_eq!(orders.last(), Some(&Order::Finish(None)));
}

#[test]
fn another_move_of_our_side_is_taken_as_played() {
    let (mut table, _) = Table::start(Color::White);
    table.enters("e2e4");
    let orders = table.after_ms(30).sees("e2e3");
    assert_eq!(played(&orders), [("e2e3".to_owned(), Origin::NotOurs)]);
    assert_eq!(*table.machine.phase(), Phase::Waiting);
}

#[test]
fn a_pause_says_what_may_be_meant_where_a_notice_lies_over_the_board() {
    let (mut table, _) = Table::start(Color::Black);
    let Reading::Unknown(mut doubt) = unknown() else {
        panic!()
    };
    let board = table.machine.game().position().board().clone();
    let beneath = [Square::C4, Square::D4, Square::E4, Square::C5, Square::D5, Square::E5];
    doubt.reading.squares = BySquare::from_fn(|square| SquareReading {
        content: board.piece_at(square),
        confidence: 1.0,
        doubtful: beneath.contains(&square),
    });
    let notice = Reading::Unknown(doubt);
    assert_eq!(table.on(Event::Saw(&notice)), []);
    let mut orders = Vec::new();
    for _ in 0..10 {
        orders.extend(table.after_ms(500).on(Event::Saw(&notice)));
    }
    assert_eq!(orders.last(), Some(&Order::Pause(PauseReason::Notice)));
}

#[test]
fn what_is_unknown_for_five_seconds_pauses_and_never_drags_again() {
    let (mut table, _) = Table::start(Color::White);
    table.enters("e2e4");
    assert_eq!(table.on(Event::Saw(&unknown())), []);
    table.stays_unknown_for_ms(4999);
    let orders = table.after_ms(1).on(Event::Saw(&unknown()));
    assert_eq!(orders, [Order::Pause(PauseReason::Unknown)]);
    assert_eq!(table.sees("e2e4"), [], "a paused machine believes and does nothing");
    let orders = table.on(Event::Resumed);
    assert!(matches!(orders[..], [Order::Think(_)]), "{orders:?}");
}

#[test]
fn time_in_which_the_machine_stood_still_is_not_held_against_the_board() {
    let (mut table, _) = Table::start(Color::White);
    table.enters("e2e4");
    table.sees("e2e4");
    // The opponent's piece is on its way when everything stops.
    assert_eq!(table.after_ms(100).on(Event::Saw(&Reading::Moving)), []);
    assert_eq!(table.after_ms(6000).on(Event::Saw(&unknown())), []);
    table.stays_unknown_for_ms(4999);
    let orders = table.after_ms(1).on(Event::Saw(&unknown()));
    assert_eq!(orders, [Order::Pause(PauseReason::Unknown)]);
}

#[test]
fn a_drop_that_was_not_looked_at_is_not_tried_again_at_once() {
    let (mut table, _) = Table::start(Color::White);
    table.enters("e2e4");
    assert_eq!(table.sees(""), []);
    assert_eq!(table.after_ms(3000).sees(""), [], "the page stood still too");
    assert_eq!(table.after_ms(399).sees(""), []);
    assert!(!table.after_ms(1).sees("").is_empty());
}

#[test]
fn an_answer_for_another_position_or_an_illegal_move_is_never_played() {
    let (mut table, _) = Table::start(Color::White);
    let other = BestMove {
        id: 1,
        best: Some("e7e5".to_owned()),
        ponder: None,
        fen: "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1".to_owned(),
    };
    let orders = table.on(Event::Answered(&other));
    assert!(matches!(orders[..], [Order::Think(_)]), "{orders:?}");
    let orders = table.answers("e2e5");
    assert!(matches!(orders[..], [Order::Think(_)]), "{orders:?}");
    let orders = table.answers("nonsense");
    assert!(
        matches!(orders.last(), Some(Order::Pause(PauseReason::Engine(_)))),
        "{orders:?}"
    );
}

#[test]
fn a_late_answer_to_an_earlier_question_is_dropped() {
    let (mut table, _) = Table::start(Color::White);
    let late = BestMove {
        id: 77,
        best: Some("e2e4".to_owned()),
        ponder: None,
        fen: fen(&Chess::default()),
    };
    assert_eq!(table.on(Event::Answered(&late)), []);
    assert_eq!(*table.machine.phase(), Phase::Thinking { id: 1 });
}

#[test]
fn a_move_made_by_the_user_while_thinking_stops_the_thought() {
    let (mut table, _) = Table::start(Color::White);
    let orders = table.sees("d2d4");
    assert_eq!(orders[0], Order::StopThinking);
    assert_eq!(played(&orders), [("d2d4".to_owned(), Origin::NotOurs)]);
}

#[test]
fn a_promotion_chooses_its_piece_once_the_dialog_is_open() {
    let mut table = Table::new("8/4P3/8/8/8/2k5/8/4K3 w - - 0 1", Color::White);
    table.machine.begin(table.now);
    assert_eq!(table.machine.awaited_dialog(), None);
    table.enters("e7e8r");
    assert_eq!(table.machine.awaited_dialog(), Some(Square::E8));
    assert_eq!(table.on(Event::DialogOpen(offer(Square::E8))), []);
    let aim = table.machine.aim();
    let Some(Aim::Choose { offered, .. }) = aim else {
        panic!("{aim:?}");
    };
    assert_eq!(offered.over, Some(Square::E6));
    // Still open in the last look, and where it was.
    assert_eq!(table.on(Event::DialogOpen(offer(Square::E8))), []);
    assert_eq!(table.machine.aim(), aim);
    let orders = table.looks(FinalCheck::Clear);
    assert!(
        matches!(orders[..], [Order::Perform(chosen, _)] if Some(chosen) == aim),
        "{orders:?}"
    );
    table.after_ms(10).released();
    assert_eq!(table.machine.awaited_dialog(), None, "it is chosen once");
    let orders = table.after_ms(20).sees("e7e8r");
    assert_eq!(played(&orders).len(), 1);
    assert_eq!(table.machine.game().moves()[0].promotion(), Some(Role::Rook));
}

#[test]
fn a_place_that_wavers_is_clicked_and_one_that_is_elsewhere_at_each_look_pauses() {
    let begin = || {
        let mut table = Table::new("8/4P3/8/8/8/2k5/8/4K3 w - - 0 1", Color::White);
        table.machine.begin(table.now);
        table.enters("e7e8r");
        table
    };
    let mut table = begin();
    table.on(Event::DialogOpen(offer(Square::E8)));
    let aim = table.machine.aim();
    for by in [1, 2, 1] {
        let offer = offer(Square::E8).moved(by);
        assert_eq!(table.after_ms(100).on(Event::DialogOpen(offer)), []);
        // The look that sees it passes only what was meant when it began.
        assert_eq!(table.machine.aim(), aim);
    }
    assert!(matches!(
        table.looks(FinalCheck::Clear)[..],
        [Order::Perform(Aim::Choose { .. }, _)]
    ));

    let mut table = begin();
    let mut orders = Vec::new();
    for look in 0..60 {
        let offer = offer(Square::E8).moved(64 * (look % 2));
        orders.extend(table.after_ms(100).on(Event::DialogOpen(offer)));
    }
    let pauses = orders
        .iter()
        .filter(|order| matches!(order, Order::Pause(PauseReason::Promotion(Role::Rook))));
    assert_eq!(pauses.count(), 1, "{orders:?}");
}

#[test]
fn pieces_that_are_offered_in_every_second_look_only_are_left_to_the_user() {
    let mut table = Table::new("8/4P3/8/8/8/2k5/8/4K3 w - - 0 1", Color::White);
    table.machine.begin(table.now);
    table.enters("e7e8r");
    let mut pauses = 0;
    for _ in 0..60 {
        let mut orders = table.after_ms(100).on(Event::DialogOpen(offer(Square::E8)));
        orders.extend(table.after_ms(100).sees(""));
        pauses += orders
            .iter()
            .filter(|order| matches!(order, Order::Pause(PauseReason::Promotion(Role::Rook))))
            .count();
    }
    assert_eq!(pauses, 1);
    // What the user is asked for once more has its whole time again.
    table.on(Event::Resumed);
    let orders = table.after_ms(100).on(Event::DialogOpen(offer(Square::E8)));
    assert!(
        !orders.iter().any(|order| matches!(order, Order::Pause(_))),
        "{orders:?}"
    );
}

/// As with PyChess on a busy machine: a search in each look took over a second.
#[test]
fn the_time_of_a_search_is_no_absence() {
    let pauses = |searched: Duration| {
        let mut table = Table::new("8/4P3/8/8/8/2k5/8/4K3 w - - 0 1", Color::White);
        table.machine.begin(table.now);
        table.enters("e7e8r");
        (0..20).any(|_| {
            let orders = table.after_ms(1200).on(Event::Saw(&unknown()));
            table.machine.worked_for(searched);
            orders
                .iter()
                .any(|order| matches!(order, Order::Pause(PauseReason::Promotion(_))))
        })
    };
    assert!(pauses(Duration::from_millis(1100)));
    assert!(!pauses(Duration::ZERO), "nobody looked for 1.2 s at a time");
}

/// A pawn is to become a knight, and the page shows a queen on its square.
fn queened(chosen: bool) -> (Table, Vec<Order>) {
    let mut table = Table::new("8/4P3/8/8/8/2k5/7P/4K3 w - - 0 1", Color::White);
    table.machine.begin(table.now);
    table.enters("e7e8n");
    if chosen {
        table.on(Event::DialogOpen(offer(Square::E8)));
        table.looks(FinalCheck::Clear);
        table.after_ms(10).released();
    }
    let orders = table.after_ms(30).sees("e7e8q");
    (table, orders)
}

#[test]
fn a_page_that_makes_queens_by_itself_is_noticed_and_no_other_piece_is_meant_there_again() {
    let (mut table, orders) = queened(false);
    assert_eq!(played(&orders), [("e7e8q".to_owned(), Origin::NotOurs)]);
    assert!(
        orders.contains(&Order::Tell(Fact::Learned(Habit::Queens))),
        "{orders:?}"
    );
    assert!(table.machine.move_input().queens);
    let meant = |table: &Table| match table.machine.aim() {
        Some(Aim::Enter { attempt, .. }) => uci(attempt.played),
        other => panic!("{other:?}"),
    };
    table.sees("c3c4");
    table.answers("h2h3");
    assert_eq!(meant(&table), "h2h3");
    // In another game on that page.
    let settings = Settings {
        move_input: table.machine.move_input(),
        ..Settings::default()
    };
    let mut next = Table::new("8/4P3/8/8/8/2k5/7P/4K3 w - - 0 1", Color::White);
    let clock = next.machine.clock().clone();
    next.machine = Machine::new(next.machine.game().clone(), clock, Color::White, settings);
    next.machine.begin(next.now);
    next.answers("e7e8n");
    assert_eq!(meant(&next), "e7e8q");
}

#[test]
fn a_piece_that_was_taken_before_it_was_seen_was_a_queen_unless_it_was_chosen() {
    let mut table = Table::new("r6k/4P3/8/8/8/8/7P/4K3 w - - 0 1", Color::White);
    table.machine.begin(table.now);
    table.enters("e7e8r");
    let position = table.machine.game().position().clone();
    let line = |text: &str| {
        let mut at = position.clone();
        let moves = text.split(' ').map(|uci| {
            let played = parse_move(uci, &at).unwrap();
            at.play_unchecked(played);
            played
        });
        moves.collect::<Vec<_>>()
    };
    let with_queen = |text: &str| table.machine.with_queen(&line(text));
    assert_eq!(with_queen("e7e8r a8e8"), Some(line("e7e8q a8e8")));
    assert_eq!(with_queen("e7e8r h8g7"), None, "it stands there and is seen");
    assert_eq!(with_queen("e7e8q a8e8"), None);
    let (table, _) = queened(true);
    assert_eq!(table.machine.with_queen(&[]), None);
}

#[test]
fn a_queen_that_came_of_a_click_in_the_dialog_says_nothing_of_the_page() {
    let (table, orders) = queened(true);
    assert_eq!(played(&orders), [("e7e8q".to_owned(), Origin::NotOurs)]);
    assert!(!table.machine.move_input().queens);
}

#[test]
fn a_board_that_a_dialog_hides_is_not_lost_but_asks_for_a_piece() {
    let mut table = Table::new("8/4P3/8/8/8/2k5/8/4K3 w - - 0 1", Color::White);
    table.machine.begin(table.now);
    table.enters("e7e8q");
    let mut orders = Vec::new();
    for _ in 0..60 {
        orders.extend(table.after_ms(100).on(Event::Saw(&Reading::Lost)));
    }
    assert_eq!(orders.last(), Some(&Order::Pause(PauseReason::Promotion(Role::Queen))));
}

#[test]
fn a_mate_of_our_own_under_a_notice_is_the_end_unless_the_position_before_was_seen_again() {
    let mated = |seen_again: bool| {
        let mut table = Table::new("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", Color::White);
        table.machine.begin(table.now);
        table.enters("a1a8");
        assert!(table.machine.entered_end().is_some());
        if seen_again {
            table.after_ms(30).sees("");
        }
        let mut orders = Vec::new();
        for _ in 0..20 {
            orders.extend(table.on(Event::Notice(true)));
            table.after_ms(100);
        }
        assert_eq!(orders, [], "two seconds have not passed");
        orders.extend(table.on(Event::Notice(true)));
        (table, orders)
    };
    let (table, orders) = mated(false);
    assert_eq!(orders.last(), Some(&Order::Finish(Some(End::Checkmate(Color::White)))));
    assert!(table.machine.is_end_unseen());
    assert_eq!(mated(true).1, []);

    let (mut table, _) = Table::start(Color::White);
    table.enters("e2e4");
    assert!(table.machine.entered_end().is_none(), "this move ends nothing");
}

/// On a busy machine a look at a greyed board takes more than a second, and the page offers the next game meanwhile.
#[test]
fn a_mate_of_our_own_under_a_notice_is_the_end_also_where_looks_take_long() {
    let ended = |looked: Duration| {
        let mut table = Table::new("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", Color::White);
        table.machine.begin(table.now);
        table.enters("a1a8");
        table.on(Event::NextGame(true));
        (0..12).find_map(|_| {
            let mut orders = table.after_ms(1200).on(Event::Notice(true));
            orders.extend(table.on(Event::Saw(&unknown())));
            table.machine.worked_for(looked);
            orders.into_iter().find(|order| matches!(order, Order::Finish(_)))
        })
    };
    let end = Some(Order::Finish(Some(End::Checkmate(Color::White))));
    assert_eq!(ended(Duration::from_millis(1100)), end);
    assert_eq!(ended(Duration::ZERO), None, "nobody looked for 1.2 s at a time");
}

/// Reported (python-chess-gui): a program that thinks in the middle of its events draws a move after nine seconds.
#[test]
fn a_move_is_not_entered_again_while_the_program_does_not_get_to_its_events() {
    let (mut table, _) = Table::start(Color::White);
    table.enters_undrawn("e2e4");
    table.on(Event::Hangs(true));
    let mut orders = Vec::new();
    for _ in 0..90 {
        orders.extend(table.after_ms(100).sees(""));
    }
    assert_eq!(orders, []);
    table.on(Event::Hangs(false));
    for _ in 0..30 {
        orders.extend(table.after_ms(100).sees(""));
    }
    assert_eq!(orders, [], "it has just got to them, and was nine seconds late");
    orders.extend(table.after_ms(200).sees(""));
    assert!(
        matches!(orders[..], [Order::Tell(Fact::NotLanded { .. })]),
        "{orders:?}"
    );
}

/// Reported (torre): a sheet lies over the board and a blurred page as soon as the mate is made.
#[test]
fn a_board_out_of_sight_since_a_mate_of_our_own_is_the_end_and_who_won_is_not_known() {
    let lost = |own: &str, seen_again: bool| {
        let mut table = Table::new("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", Color::White);
        table.machine.begin(table.now);
        table.enters(own);
        if seen_again {
            table.after_ms(30).sees("");
            table.after_ms(30).sees("");
        }
        let mut orders = Vec::new();
        for _ in 0..60 {
            orders.extend(table.after_ms(100).on(Event::Saw(&Reading::Lost)));
        }
        orders
    };
    let end = End::OutOfSight;
    assert_eq!((end.result(), end.known_by()), ("*", KnownBy::OwnMove));
    assert_eq!(lost("a1a8", false).last(), Some(&Order::Finish(Some(end))));
    let paused = Order::Pause(PauseReason::BoardLost);
    assert_eq!(
        lost("a1a8", true).last(),
        Some(&paused),
        "the position before was seen again"
    );
    assert_eq!(lost("a1a7", false).last(), Some(&paused), "this move ends nothing");
}

/// A queen that mates, for which the user was asked, and has gone on.
fn user_has_chosen() -> Table {
    let mut table = Table::new("k7/4P3/1K6/8/8/8/8/8 w - - 0 1", Color::White);
    table.machine.begin(table.now);
    table.enters("e7e8q");
    for _ in 0..60 {
        table.after_ms(100).on(Event::Saw(&unknown()));
    }
    let asked = PauseReason::Promotion(Role::Queen);
    assert_eq!(*table.machine.phase(), Phase::Paused(asked.clone()));
    assert_eq!(table.after_ms(3000).on(Event::Resumed), []);
    table
}

#[test]
fn a_mate_by_a_piece_that_the_user_chose_is_the_end_under_its_notice_too() {
    let mut table = user_has_chosen();
    assert!(table.machine.entered_end().is_some());
    let mut orders = Vec::new();
    for _ in 0..=20 {
        orders.extend(table.on(Event::Notice(true)));
        table.after_ms(100).on(Event::Saw(&unknown()));
    }
    let end = Order::Finish(Some(End::Checkmate(Color::White)));
    assert!(orders.contains(&end), "{orders:?}");
}

#[test]
fn a_piece_that_the_user_has_not_chosen_is_asked_for_again_and_one_that_is_seen_is_played() {
    let mut table = user_has_chosen();
    let mut orders = Vec::new();
    for _ in 0..60 {
        table.after_ms(100).on(Event::Notice(false));
        orders.extend(table.on(Event::Saw(&unknown())));
    }
    let asked = Order::Pause(PauseReason::Promotion(Role::Queen));
    assert_eq!(orders.last(), Some(&asked));

    let mut table = user_has_chosen();
    assert!(table.machine.is_piece_chosen(), "it need not be told from the others");
    let orders = table.after_ms(100).sees("e7e8q");
    assert_eq!(orders.last(), Some(&Order::Finish(Some(End::Checkmate(Color::White)))));
}

/// The user has gone on before choosing, where the dialog lies over the bot's name.
#[test]
fn pieces_that_are_offered_still_when_the_user_goes_on_are_asked_for_again() {
    let mut table = user_has_chosen();
    let mut orders = Vec::new();
    for _ in 0..=50 {
        orders.extend(table.after_ms(100).on(Event::DialogOpen(offer(Square::E8))));
    }
    assert_eq!(orders, [Order::Pause(PauseReason::Promotion(Role::Queen))]);
}

/// A promotion that is tried until the game pauses, on a page that offers pieces or does not, and the last orders.
fn promotion_does_not_land(offers: bool) -> (Table, Vec<Order>) {
    let mut table = Table::new("k7/4P3/1K6/8/8/8/8/8 w - - 0 1", Color::White);
    table.machine.begin(table.now);
    table.answers("e7e8q");
    let mut orders = Vec::new();
    while !matches!(table.machine.phase(), Phase::Paused(_)) {
        if table.machine.aim().is_some() {
            table.looks(FinalCheck::Clear);
            table.released();
        }
        if offers && table.machine.awaited_piece().is_some() {
            table.after_ms(150).on(Event::DialogOpen(offer(Square::E8)));
            continue;
        }
        orders = table.after_ms(150).sees("");
    }
    (table, orders)
}

/// As on a page that asks in words beside its board: the pawn stays where it is until a piece is chosen.
#[test]
fn a_promotion_that_does_not_land_asks_the_user_to_choose_and_what_they_did_teaches_nothing() {
    let (mut table, orders) = promotion_does_not_land(false);
    assert_eq!(orders, [Order::Pause(PauseReason::Promotion(Role::Queen))]);
    table.after_ms(3000).on(Event::Resumed);
    let orders = table.after_ms(100).sees("e7e8q");
    assert_eq!(played(&orders).len(), 1);
    let learned = orders
        .iter()
        .filter(|order| matches!(order, Order::Tell(Fact::Learned(_))));
    assert_eq!(learned.count(), 0, "{orders:?}");
}

/// Page `marlow`: pieces beside the board to choose from, and an OK button. The game paused with "the move did not land by
/// drag nor by clicks".
#[test]
fn a_promotion_whose_chosen_piece_does_not_land_asks_for_what_confirms_it() {
    let (mut table, orders) = promotion_does_not_land(true);
    let asked = Order::Pause(PauseReason::PromotionNotConfirmed(Role::Queen));
    assert_eq!(orders, [asked]);
    table.after_ms(3000).on(Event::Resumed);
    // The user may have chosen another piece, and need not be told from the others.
    assert!(table.machine.is_piece_chosen());
    let orders = table.after_ms(100).sees("e7e8r");
    assert_eq!(played(&orders).len(), 1, "{orders:?}");
}

#[test]
fn a_gesture_that_cannot_be_made_pauses_the_game() {
    let (mut table, _) = Table::start(Color::White);
    table.answers("e2e4");
    table.looks(FinalCheck::Clear);
    let reason = PauseReason::Gesture("unplugged".to_owned());
    assert_eq!(table.on(Event::Failed(reason.clone())), [Order::Pause(reason)]);
}

#[test]
fn mate_finishes_the_game_and_a_fallen_flag_after_a_grace() {
    let mut table = Table::new("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", Color::White);
    table.machine.begin(table.now);
    table.enters("a1a8");
    let orders = table.after_ms(30).sees("a1a8");
    assert_eq!(orders.last(), Some(&Order::Finish(Some(End::Checkmate(Color::White)))));

    let (mut table, _) = Table::start(Color::Black);
    assert_eq!(table.after_ms(901_000).sees(""), []);
    let orders = table.after_ms(2_100).sees("");
    assert_eq!(orders, [Order::Finish(Some(End::Flag(Color::White)))]);
}

/// Plays moves from a position on.
fn play(position: &mut Chess, moves: &str) -> Vec<Move> {
    let played = moves.split_whitespace().map(|text| {
        let m = parse_move(text, position).unwrap();
        position.play_unchecked(m);
        m
    });
    played.collect()
}

/// The board shows the game some plies earlier, and moves that followed from there.
fn recalled(table: &Table, kind: RecallKind, back: usize, turned: bool, moves: &str) -> Reading {
    let game = table.machine.game();
    let mut position = game.position_before(game.plies() - back);
    let line = play(&mut position, moves);
    Reading::Recalled(PastMatch {
        kind,
        turned,
        line,
        position,
    })
}

#[test]
fn a_takeback_is_followed_and_the_thought_about_what_was_taken_back_is_dropped() {
    let (mut table, _) = Table::start(Color::White);
    table.enters("e2e4");
    table.after_ms(30).sees("e2e4 e7e5");
    assert!(matches!(table.machine.phase(), Phase::Thinking { .. }));
    let back = recalled(&table, RecallKind::Takeback(1), 1, false, "");
    let orders = table.after_ms(500).on(Event::Saw(&back));
    assert_eq!(orders, [Order::StopThinking, Order::Tell(Fact::TakenBack(1))]);
    assert_eq!(*table.machine.phase(), Phase::Waiting, "the opponent is to move again");
    assert_eq!(table.machine.game().uci_moves(), ["e2e4"]);
    // Its clock runs again, ours does not.
    let ours = table.machine.clock().left(Color::White, table.now);
    let later = Timestamp(table.now.0 + Duration::from_secs(5));
    assert_eq!(table.machine.clock().left(Color::White, later), ours);
    assert!(table.machine.clock().left(Color::Black, later) < table.machine.clock().left(Color::Black, table.now));

    // Another move at once: it is taken, and thought about.
    table.sees("d7d5");
    let both = recalled(&table, RecallKind::Takeback(2), 2, false, "d2d4");
    let orders = table.after_ms(500).on(Event::Saw(&both));
    assert!(orders.contains(&Order::Tell(Fact::TakenBack(2))), "{orders:?}");
    assert_eq!(played(&orders), [("d2d4".to_owned(), Origin::NotOurs)]);
    assert_eq!(table.machine.game().uci_moves(), ["d2d4"]);
}

#[test]
fn where_another_game_begins_this_one_is_over_and_a_takeback_of_more_than_was_played_is_not_understood() {
    let ends = |kind, turned, order: Order| {
        let (mut table, _) = Table::start(Color::White);
        table.sees("e2e4 e7e5");
        let reading = recalled(&table, kind, 2, turned, "");
        let orders = table.after_ms(500).on(Event::Saw(&reading));
        assert_eq!(orders, [Order::StopThinking, order]);
        assert_eq!(table.machine.game().plies(), 2, "what was played is kept");
    };
    ends(RecallKind::NewGame, false, Order::Abandon);
    ends(RecallKind::NewGame, true, Order::Abandon);
    // The first position from the other side: we have the other colour now.
    ends(RecallKind::Takeback(2), true, Order::Abandon);
    ends(RecallKind::Takeback(3), false, Order::Pause(PauseReason::Unknown));

    let (mut table, _) = Table::start(Color::White);
    let turned = recalled(&table, RecallKind::Turned, 0, true, "");
    let orders = table.after_ms(500).on(Event::Saw(&turned));
    assert_eq!(orders, [Order::StopThinking, Order::Abandon]);
}

#[test]
fn a_turned_board_changes_nothing_but_the_side_it_is_seen_from() {
    let (mut table, _) = Table::start(Color::White);
    table.enters("e2e4");
    table.after_ms(30).sees("e2e4");
    assert_eq!(*table.machine.phase(), Phase::Waiting);
    let turned = recalled(&table, RecallKind::Turned, 0, true, "");
    let orders = table.after_ms(500).on(Event::Saw(&turned));
    assert_eq!(orders, [Order::Tell(Fact::Turned)]);
    assert_eq!(*table.machine.phase(), Phase::Waiting);
    // The bot may have moved at once.
    let moved = recalled(&table, RecallKind::Turned, 0, true, "e7e5");
    let orders = table.after_ms(500).on(Event::Saw(&moved));
    assert_eq!(orders[0], Order::Tell(Fact::Turned));
    assert_eq!(played(&orders), [("e7e5".to_owned(), Origin::Opponent)]);
    assert!(matches!(table.machine.phase(), Phase::Thinking { .. }));
}

/// Some programs show the board from the side of who is to move.
#[test]
fn a_board_that_is_turned_by_our_first_move_shows_the_same_game() {
    let (mut table, _) = Table::start(Color::White);
    table.enters("e2e4");
    let turned = recalled(&table, RecallKind::Turned, 0, true, "e2e4");
    let orders = table.after_ms(100).on(Event::Saw(&turned));
    assert_eq!(orders[0], Order::Tell(Fact::Turned));
    let landed = Origin::Landed {
        attempt: 1,
        after: Duration::from_millis(100),
    };
    assert_eq!(played(&orders), [("e2e4".to_owned(), landed)]);
    assert_eq!(*table.machine.phase(), Phase::Waiting);
}

#[test]
fn a_gesture_that_the_board_has_overtaken_is_not_made_and_the_game_goes_on_from_what_is_seen() {
    // A takeback in the moment before our drag.
    let (mut table, _) = Table::start(Color::White);
    table.sees("e2e4 e7e5");
    table.answers("g1f3");
    let back = recalled(&table, RecallKind::Takeback(2), 2, false, "");
    let orders = table.after_ms(50).on(Event::Saw(&back));
    assert_eq!(orders[0], Order::Tell(Fact::TakenBack(2)));
    assert!(matches!(orders.last(), Some(Order::Think(_))), "{orders:?}");

    // The board was turned: the move is thought about anew, and entered on the board as it lies now.
    let (mut table, _) = Table::start(Color::White);
    table.sees("e2e4 e7e5");
    table.answers("g1f3");
    let turned = recalled(&table, RecallKind::Turned, 0, true, "");
    let orders = table.after_ms(50).on(Event::Saw(&turned));
    assert!(
        matches!(&orders[..], [Order::Tell(Fact::Turned), Order::Think(_)]),
        "{orders:?}"
    );

    // The first gesture had its effect after all, right before the second.
    let (mut table, _) = Table::start(Color::White);
    table.enters("e2e4");
    for _ in 0..50 {
        table.after_ms(30).on(Event::Saw(&Reading::Unchanged));
        if table.machine.aim().is_some() {
            break;
        }
    }
    let late = table.reading("e2e4");
    let orders = table.after_ms(10).on(Event::Saw(&late));
    assert!(
        matches!(&played(&orders)[..], [(m, Origin::Landed { .. })] if m == "e2e4"),
        "{orders:?}"
    );
}
