use super::*;
use proptest::test_runner::{Config, TestRunner};
use std::cell::Cell;
use std::collections::HashMap;
use torres_journal::PonderEnd;
use torres_link::answer::position_of;

/// White has played this move, expecting that one; all orders since it was seen to land.
fn after(played: &str, reply: &str) -> (Table, Vec<Order>) {
    let (mut table, _) = Table::start(Color::White);
    table.machine.settings.ponder = true;
    let orders = lands(&mut table, played, reply);
    (table, orders)
}

fn lands(table: &mut Table, played: &str, reply: &str) -> Vec<Order> {
    assert_eq!(table.answers_expecting(played, Some(reply)), []);
    table.looks(FinalCheck::Clear);
    table.after_ms(60).released();
    table.after_ms(30).sees(played)
}

fn pondered(orders: &[Order]) -> Vec<PonderEnd> {
    let ends = orders.iter().filter_map(|order| match order {
        Order::Tell(Fact::Pondered { end, .. }) => Some(*end),
        _ => None,
    });
    ends.collect()
}

fn ponders(orders: &[Order]) -> Option<&Go> {
    orders.iter().find_map(|order| match order {
        Order::Ponder(go) => Some(go),
        _ => None,
    })
}

/// What the search on the opponent's time says, though they have not moved.
fn says_early(table: &mut Table, id: u64, best: &str) -> Vec<Order> {
    let answer = BestMove {
        id,
        best: Some(best.to_owned()),
        ponder: None,
        fen: fen(table.machine.game().position()),
    };
    table.on(Event::Answered(&answer))
}

#[test]
fn the_reply_that_is_expected_is_pondered_on_once_our_move_has_landed() {
    let (mut table, _) = Table::start(Color::White);
    table.machine.settings.ponder = true;
    assert_eq!(ponders(&table.answers_expecting("e2e4", Some("e7e5"))), None);
    assert_eq!(
        ponders(&table.after_ms(60).released()),
        None,
        "it is not seen on the board yet"
    );
    let orders = table.after_ms(30).sees("e2e4");
    let Some(Order::Ponder(go)) = orders.last() else {
        panic!("{orders:?}")
    };
    assert_eq!((go.moves.last().map(String::as_str), go.ponder), (Some("e7e5"), true));
    assert_eq!(go.moves, ["e2e4", "e7e5"]);
    // The clock that our thought will have: nothing of it goes by meanwhile, and 150 ms of it may have gone by unseen.
    assert_eq!(go.limits.white_ms, Some(909_760));
    assert_eq!(*table.machine.phase(), Phase::Waiting);
    assert_eq!(table.machine.pondering().map(|it| it.id), Some(go.id));
}

#[test]
fn after_a_hit_the_search_goes_on_as_our_thought() {
    let (mut table, orders) = after("e2e4", "e7e5");
    let id = ponders(&orders).unwrap().id;
    let orders = table.after_ms(4_000).sees("e7e5");
    assert_eq!(played(&orders), [("e7e5".to_owned(), Origin::Opponent)]);
    let Order::Tell(Fact::Pondered { end, took, .. }) = &orders[1] else {
        panic!("{orders:?}")
    };
    assert_eq!((*end, *took), (PonderEnd::Hit, Duration::from_secs(4)));
    assert_eq!(orders[2..], [Order::PonderHit(id)], "asked nothing anew");
    assert_eq!(*table.machine.phase(), Phase::Thinking { id });
    assert_eq!(table.machine.pondering(), None);
    // And its own expectation is pondered on in turn.
    let orders = lands(&mut table, "g1f3", "b8c6");
    assert_eq!(ponders(&orders).unwrap().moves, ["e2e4", "e7e5", "g1f3", "b8c6"]);
}

#[test]
fn after_a_miss_the_position_on_the_board_is_asked_and_the_old_answer_dropped() {
    let (mut table, orders) = after("e2e4", "e7e5");
    let old = ponders(&orders).unwrap().id;
    let orders = table.after_ms(4_000).sees("c7c5");
    assert_eq!(pondered(&orders), [PonderEnd::Miss]);
    let [.., Order::StopThinking, Order::Think(go)] = &orders[..] else {
        panic!("{orders:?}")
    };
    assert_eq!(go.moves, ["e2e4", "c7c5"]);
    assert!(!go.ponder && go.id != old);
    // Its move would be legal, and it even names the right position.
    assert_eq!(says_early(&mut table, old, "g1f3"), []);
    assert_eq!(table.answers("d2d4"), []);
    assert!(table.machine.aim().is_some());
}

#[test]
fn what_a_search_says_before_the_expected_move_is_never_played() {
    let (mut table, orders) = after("e2e4", "e7e5");
    let id = ponders(&orders).unwrap().id;
    assert_eq!(says_early(&mut table, id, "g1f3"), []);
    assert_eq!(says_early(&mut table, id, "g8f6"), []);
    assert_eq!(*table.machine.phase(), Phase::Waiting);
    assert_eq!(table.sees("e7e5").last(), Some(&Order::PonderHit(id)));
}

#[test]
fn a_takeback_drops_it() {
    let (mut table, orders) = after("e2e4", "e7e5");
    let id = ponders(&orders).unwrap().id;
    let back = recalled(&table, RecallKind::Takeback(1), 1, false, "");
    let orders = table.after_ms(500).on(Event::Saw(&back));
    assert_eq!(pondered(&orders), [PonderEnd::Dropped]);
    assert_eq!(orders[1], Order::StopThinking);
    let Some(Order::Think(go)) = orders.last() else {
        panic!("{orders:?}")
    };
    assert!(go.moves.is_empty());
    assert_eq!(says_early(&mut table, id, "g1f3"), []);

    // Back to the opponent's turn: what they took back is not what they will play.
    let (mut table, _) = after("e2e4", "e7e5");
    table.sees("c7c5");
    let back = recalled(&table, RecallKind::Takeback(1), 1, false, "");
    let orders = table.after_ms(500).on(Event::Saw(&back));
    assert_eq!(ponders(&orders), None);
    assert_eq!(*table.machine.phase(), Phase::Waiting);
}

#[test]
fn a_pause_drops_it_and_after_it_the_same_is_pondered_anew() {
    let (mut table, orders) = after("e2e4", "e7e5");
    let id = ponders(&orders).unwrap().id;
    let orders = table.on(Event::PauseWanted);
    assert_eq!(pondered(&orders), [PonderEnd::Dropped]);
    assert_eq!(orders[1..], [Order::StopThinking, Order::Pause(PauseReason::User)]);
    assert_eq!(says_early(&mut table, id, "g1f3"), []);
    let orders = table.after_ms(5_000).on(Event::Resumed);
    let anew = ponders(&orders).unwrap().id;
    assert_ne!(anew, id);
    assert_eq!(table.sees("e7e5").last(), Some(&Order::PonderHit(anew)));
}

#[test]
fn a_lost_board_drops_it_when_the_game_pauses() {
    let (mut table, _) = after("e2e4", "e7e5");
    assert_eq!(
        table.on(Event::Saw(&Reading::Lost)),
        [],
        "it may be there again in a moment"
    );
    assert!(table.machine.pondering().is_some());
    for _ in 0..49 {
        let orders = table.after_ms(100).on(Event::Saw(&Reading::Lost));
        assert!(matches!(orders[..], [] | [Order::TakeAside]), "{orders:?}");
    }
    let orders = table.after_ms(100).on(Event::Saw(&Reading::Lost));
    assert_eq!(pondered(&orders), [PonderEnd::Dropped]);
    assert_eq!(orders.last(), Some(&Order::Pause(PauseReason::BoardLost)));
    assert_eq!(table.machine.pondering(), None);
}

#[test]
fn the_end_of_the_game_drops_it() {
    let ended = |table: &mut Table, orders: &[Order]| {
        assert_eq!(pondered(orders), [PonderEnd::Dropped], "{orders:?}");
        assert!(orders.contains(&Order::StopThinking));
        assert!(matches!(table.machine.phase(), Phase::Over(_)));
        assert_eq!(table.machine.pondering(), None);
    };
    // Another game begins.
    let (mut table, _) = after("e2e4", "e7e5");
    let new = recalled(&table, RecallKind::NewGame, 1, false, "");
    let orders = table.after_ms(500).on(Event::Saw(&new));
    ended(&mut table, &orders);
    // Their flag falls.
    let (mut table, _) = after("e2e4", "e7e5");
    let orders = table.after_ms(904_000).sees("");
    ended(&mut table, &orders);
    // They mate by another move than the one expected.
    let (mut table, _) = after("f2f3", "e7e5");
    table.sees("e7e5");
    lands(&mut table, "g2g4", "b8c6");
    let orders = table.sees("d8h4");
    ended(&mut table, &orders);
}

#[test]
fn a_turned_board_is_the_same_game() {
    let (mut table, orders) = after("e2e4", "e7e5");
    let id = ponders(&orders).unwrap().id;
    let turned = recalled(&table, RecallKind::Turned, 0, true, "");
    assert_eq!(table.on(Event::Saw(&turned)), [Order::Tell(Fact::Turned)]);
    let moved = recalled(&table, RecallKind::Turned, 0, true, "e7e5");
    assert_eq!(table.on(Event::Saw(&moved)).last(), Some(&Order::PonderHit(id)));
}

#[test]
fn the_users_own_reply_for_us_is_no_hit() {
    let (mut table, _) = after("e2e4", "e7e5");
    let orders = table.sees("e7e5 g1f3");
    assert_eq!(pondered(&orders), [PonderEnd::Dropped]);
    assert_eq!(table.machine.pondering(), None);
    assert_eq!(*table.machine.phase(), Phase::Waiting);
}

#[test]
fn nothing_is_pondered_without_a_reply_to_ponder_on() {
    let nothing = |setup: fn(&mut Table), reply: &str, seen: &str| {
        let (mut table, _) = Table::start(Color::White);
        table.machine.settings.ponder = true;
        setup(&mut table);
        table.answers_expecting("e2e4", Some(reply));
        table.after_ms(60).released();
        let orders = table.after_ms(30).sees(seen);
        assert_eq!(ponders(&orders), None, "{reply} {seen}");
        assert_eq!(table.machine.pondering(), None);
    };
    nothing(|table| table.machine.settings.ponder = false, "e7e5", "e2e4");
    nothing(|_| (), "e2e4", "e2e4");
    nothing(|_| (), "nonsense", "e2e4");
    // Another move of ours was made than the one that was ordered.
    nothing(|_| (), "e7e5", "d2d4");
    // The reply is there already.
    nothing(|_| (), "e7e5", "e2e4 c7c5");
    // After it no move of ours is wanted.
    nothing(|table| table.machine.settings.plies = Some(2), "e7e5", "e2e4");

    // After it the game would be over.
    let (mut table, _) = after("f2f3", "e7e5");
    table.sees("e7e5");
    assert_eq!(ponders(&lands(&mut table, "g2g4", "d8h4")), None);
}

// ── any events in any order ────────────────────────────────────────────────────────────────────────────

/// Follows the orders as an engine would: which question it was asked about the position on the board.
#[derive(Default)]
struct Judge {
    asked: HashMap<u64, Go>,
    present: Option<u64>,
    pondered: Option<u64>,
    ends: Vec<PonderEnd>,
}

impl Judge {
    fn obeys(&mut self, orders: &[Order], table: &Table) {
        let on_board = fen(table.machine.game().position());
        let about = |go: &Go| fen(&position_of(go).unwrap());
        for order in orders {
            match order {
                Order::Think(go) => {
                    assert!(!go.ponder);
                    assert_eq!(about(go), on_board);
                    assert_eq!(table.machine.game().position().turn(), Color::White, "not our turn");
                    assert_eq!(self.pondered, None, "the old search was not stopped");
                    assert!(self.asked.insert(go.id, go.clone()).is_none(), "an id twice");
                    self.present = Some(go.id);
                }
                Order::Ponder(go) => {
                    assert!(go.ponder);
                    assert_ne!(about(go), on_board);
                    assert!(self.asked.insert(go.id, go.clone()).is_none(), "an id twice");
                    (self.present, self.pondered) = (None, Some(go.id));
                }
                Order::PonderHit(id) => {
                    assert_eq!(self.pondered.take(), Some(*id));
                    assert_eq!(about(&self.asked[id]), on_board, "a hit in another position");
                    self.present = Some(*id);
                }
                Order::StopThinking => (self.present, self.pondered) = (None, None),
                Order::Tell(Fact::Pondered { end, .. }) => self.ends.push(*end),
                _ => {}
            }
        }
        assert_eq!(table.machine.pondering().map(|it| it.id), self.pondered);
        match table.machine.phase() {
            Phase::Thinking { id } => assert_eq!(Some(*id), self.present),
            Phase::Waiting => {}
            _ => assert_eq!(self.pondered, None, "pondering while {:?}", table.machine.phase()),
        }
    }
}

/// The move of that number, round and round.
fn some_move(position: &Chess, number: usize) -> Option<Move> {
    let moves = position.legal_moves();
    (!moves.is_empty()).then(|| moves[number % moves.len()])
}

/// One thing that happens; `a` and `b` choose among what may.
fn happens(table: &mut Table, judge: &mut Judge, (what, a, b): (u8, usize, usize)) {
    table.after_ms(700);
    let position = table.machine.game().position().clone();
    let orders = match what {
        // An answer: to the question that is open, or (2) to any that ever was.
        0..=2 => {
            let mut ids: Vec<u64> = judge.asked.keys().copied().collect();
            ids.sort_unstable();
            let any = (!ids.is_empty()).then(|| ids[b % ids.len()]);
            let Some(id) = judge.present.filter(|_| what < 2).or(any) else {
                return;
            };
            let about = position_of(&judge.asked[&id]).unwrap();
            let Some(best) = some_move(&about, a) else { return };
            let mut next = about.clone();
            next.play_unchecked(best);
            let answer = BestMove {
                id,
                best: Some(uci(best)),
                ponder: some_move(&next, b).map(uci),
                fen: fen(&about),
            };
            let (open, aimed) = (judge.present, table.machine.aim());
            let orders = table.on(Event::Answered(&answer));
            if table.machine.aim() != aimed {
                assert_eq!(Some(id), open, "acted on the answer to another question");
                assert_eq!(fen(&about), fen(&position), "acted on an answer for another position");
            }
            orders
        }
        // Our gesture lands.
        3 | 4 => {
            let Some(Aim::Enter { attempt, .. }) = table.machine.aim() else {
                return;
            };
            let mut orders = table.looks(FinalCheck::Clear);
            orders.extend(table.released());
            orders.extend(table.sees(&uci(attempt.played)));
            orders
        }
        // The opponent, or our user, plays the expected move or any other.
        5..=7 => {
            let expected = table.machine.pondering().map(|it| it.reply).filter(|_| what < 7);
            let Some(played) = expected.or_else(|| some_move(&position, a)) else {
                return;
            };
            table.sees(&uci(played))
        }
        8 => {
            let back = 1 + a % 2;
            if table.machine.game().plies() < back {
                return;
            }
            let reading = recalled(table, RecallKind::Takeback(back), back, false, "");
            table.on(Event::Saw(&reading))
        }
        9 => table.on(Event::PauseWanted),
        _ => table.on(Event::Resumed),
    };
    judge.obeys(&orders, table);
}

#[test]
fn whatever_happens_nothing_is_played_but_an_answer_to_the_position_on_the_board() {
    let (hits, misses, drops) = (Cell::new(0), Cell::new(0), Cell::new(0));
    let strategy = proptest::collection::vec((0u8..12, 0usize..64, 0usize..64), 1..80);
    // So many that chance alone never brings too few of one end.
    let config = Config {
        cases: 2_048,
        ..Config::default()
    };
    let judged = TestRunner::new(config).run(&strategy, |all| {
        let (mut table, orders) = Table::start(Color::White);
        table.machine.settings.ponder = true;
        let mut judge = Judge::default();
        judge.obeys(&orders, &table);
        for one in all {
            happens(&mut table, &mut judge, one);
        }
        let count = |end| judge.ends.iter().filter(|it| **it == end).count();
        hits.set(hits.get() + count(PonderEnd::Hit));
        misses.set(misses.get() + count(PonderEnd::Miss));
        drops.set(drops.get() + count(PonderEnd::Dropped));
        Ok(())
    });
    judged.unwrap();
    for (what, count) in [("hits", &hits), ("misses", &misses), ("drops", &drops)] {
        assert!(count.get() > 20, "only {} {what}: the test says little", count.get());
    }
}
