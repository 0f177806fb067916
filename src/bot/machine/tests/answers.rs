use super::*;

/// An answer to the question that is open, which says that it is for this position.
fn answer_for(table: &Table, position: &str, best: &str) -> BestMove {
    let Phase::Thinking { id } = *table.machine.phase() else {
        panic!("nobody asked: {:?}", table.machine.phase());
    };
    BestMove {
        id,
        best: Some(best.to_owned()),
        ponder: None,
        fen: position.to_owned(),
    }
}

/// The move would be legal on the board as it is: only what the answer says of its position tells that it was meant for
/// another.
#[test]
fn an_answer_for_another_position_is_not_played_and_the_engine_is_asked_again() {
    let others = [
        // A knight elsewhere, the other side to move, no castling, and one that is none.
        "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w Qkq - 0 1",
        "",
    ];
    for other in others {
        let (mut table, asked) = Table::start(Color::White);
        let mut question = asked;
        for _ in 1..MAX_ASKED {
            let [Order::Think(before)] = &question[..] else {
                panic!("{question:?}")
            };
            let answer = answer_for(&table, other, "e2e4");
            let again = table.after_ms(10).on(Event::Answered(&answer));
            let [Order::Think(go)] = &again[..] else {
                panic!("'{other}': {again:?}")
            };
            assert!(
                go.id != before.id && (&go.fen, &go.moves) == (&before.fen, &before.moves),
                "{go:?}"
            );
            // What was asked before is not listened to any more.
            assert_eq!(table.on(Event::Answered(&answer)), []);
            question = again;
        }
        let answer = answer_for(&table, other, "e2e4");
        let orders = table.on(Event::Answered(&answer));
        let Some(Order::Pause(PauseReason::Engine(why))) = orders.last() else {
            panic!("'{other}': {orders:?}")
        };
        assert!(why.contains("another position"), "{why}");
        assert_eq!(table.machine.game().plies(), 0);
    }
}

#[test]
fn an_answer_for_this_position_is_played_however_its_moves_are_counted() {
    for position in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 7 31",
    ] {
        let (mut table, _) = Table::start(Color::White);
        let answer = answer_for(&table, position, "e2e4");
        assert_eq!(table.on(Event::Answered(&answer)), []);
        let aim = table.machine.aim();
        let (from, to) = (Square::E2, Square::E4);
        assert!(
            matches!(aim, Some(Aim::Enter { from: f, to: t, .. }) if (f, t) == (from, to)),
            "{aim:?}"
        );
    }
}

#[test]
fn every_question_has_the_longest_thought_that_was_asked_for() {
    for move_ms in [Some(250), None] {
        let control = TimeControl {
            initial: Duration::from_secs(900),
            increment: Duration::from_secs(10),
        };
        let settings = Settings {
            move_ms,
            ponder: true,
            ..Settings::default()
        };
        let game = Game::new(Chess::default());
        let mut table = Table::of(Machine::new(game, GameClock::new(control), Color::White, settings));
        let mut questions = table.machine.begin(table.now);
        table.answers_expecting("e2e4", Some("e7e5"));
        table.after_ms(60).released();
        // The first is about our own move, the second on the opponent's time, the third about a reply that was not
        // expected.
        questions.extend(table.after_ms(30).sees("e2e4"));
        questions.extend(table.after_ms(500).sees("c7c5"));
        let asked: Vec<_> = questions
            .iter()
            .filter_map(|order| match order {
                Order::Think(go) | Order::Ponder(go) => Some((go.ponder, go.limits.move_ms)),
                _ => None,
            })
            .collect();
        assert_eq!(asked, [(false, move_ms), (true, move_ms), (false, move_ms)]);
    }
}
