//! Each test runs on SQLite in memory, on SQLite in a file, and on PostgreSQL where it is installed.

use super::postgres::Postgres;
use super::*;
use torres_geometry::Orientation;

const NOW: WallTime = WallTime::from_ms(1_795_464_000_000.0);

fn run(test: impl AsyncFn(Store)) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let dir = tempfile::tempdir().unwrap();
        let postgres = Postgres::start();
        let mut places = vec![Place::Memory, Place::Folder(dir.path().join("100 %? é"))];
        places.extend(postgres.as_ref().map(|server| Place::Server(server.url())));
        for place in places {
            let store = Store::open(&place).await.unwrap_or_else(|error| panic!("{error}"));
            test(store.clone()).await;
            store.close().await;
        }
    });
}

async fn guest(store: &Store) -> LearnerId {
    store.make_learner(&Token::random().unwrap(), NOW).await.unwrap()
}

fn key(lesson: &str, step: u32) -> StepKey {
    StepKey {
        lesson: lesson.into(),
        step,
    }
}

#[test]
fn a_learner_is_known_by_the_token_and_forgotten_with_everything() {
    run(async |store| {
        let (token, other) = (Token::random().unwrap(), Token::random().unwrap());
        let learner = store.make_learner(&token, NOW).await.unwrap();
        assert_eq!(store.learner(&token).await.unwrap().as_ref(), Some(&learner));
        assert_eq!(store.learner(&other).await.unwrap(), None);
        let step = StepState {
            key: key("rook", 0),
            state: "{}".into(),
            done: true,
        };
        store.keep_step(&learner, &step, NOW).await.unwrap();
        store.forget_learner(&learner).await.unwrap();
        assert_eq!(store.learner(&token).await.unwrap(), None);
        assert!(store.done_steps(&learner).await.unwrap().is_empty());
        // Nothing is kept of one who is not there.
        assert!(matches!(
            store.keep_step(&learner, &step, NOW).await,
            Err(StoreError::Query(_))
        ));
    });
}

#[test]
fn a_step_is_kept_and_what_was_done_stays_done() {
    run(async |store| {
        let (learner, other) = (guest(&store).await, guest(&store).await);
        let state = |text: &str, done| StepState {
            key: key("rook", 2),
            state: text.into(),
            done,
        };
        let hostile = r#"{"moves":["'); DROP TABLE learner; --","é\u0000"]}"#;
        store.keep_step(&learner, &state(hostile, true), NOW).await.unwrap();
        assert_eq!(
            store.step(&learner, &key("rook", 2)).await.unwrap(),
            Some(state(hostile, true))
        );
        store.keep_step(&learner, &state("{}", false), NOW).await.unwrap();
        assert_eq!(
            store.step(&learner, &key("rook", 2)).await.unwrap(),
            Some(state("{}", true))
        );
        assert_eq!(store.step(&learner, &key("rook", 1)).await.unwrap(), None);
        assert_eq!(store.done_steps(&learner).await.unwrap(), [key("rook", 2)]);
        assert!(store.done_steps(&other).await.unwrap().is_empty());
    });
}

#[test]
fn cards_come_back_when_they_are_due() {
    run(async |store| {
        let learner = guest(&store).await;
        let card = |due| KeptCard {
            stability: 2.3065,
            difficulty: 5.25,
            reviewed: 20_000,
            due,
        };
        for (step, due) in [(0, 20_005), (1, 20_002), (2, 20_009), (3, 20_005)] {
            store.keep_card(&learner, &key("forks", step), card(due)).await.unwrap();
        }
        let due = |today, most| store.due_steps(&learner, today, most);
        assert!(due(20_001, 9).await.unwrap().is_empty());
        let overdue = [key("forks", 1), key("forks", 0), key("forks", 3)];
        assert_eq!(due(20_005, 9).await.unwrap(), overdue);
        assert_eq!(due(20_005, 1).await.unwrap(), overdue[..1]);
        assert_eq!(
            store.card(&learner, &key("forks", 2)).await.unwrap(),
            Some(card(20_009))
        );
        store.keep_card(&learner, &key("forks", 1), card(20_050)).await.unwrap();
        assert_eq!(due(20_005, 9).await.unwrap(), overdue[1..]);
        assert_eq!(store.card(&learner, &key("pins", 2)).await.unwrap(), None);
    });
}

#[test]
fn only_the_first_try_of_a_puzzle_is_rated() {
    run(async |store| {
        let learner = guest(&store).await;
        let rated = |rating| KeptRating {
            rating,
            deviation: 350.0,
            volatility: 0.06,
        };
        assert_eq!(store.puzzle_rating(&learner).await.unwrap(), None);
        let keep = |puzzle, solved, rating, at: f64| {
            let now = WallTime::from_ms(NOW.as_ms() + at);
            store.keep_attempt(&learner, puzzle, solved, rated(rating), now)
        };
        assert!(keep("tewjc", false, 1380.5, 0.0).await.unwrap());
        assert!(!keep("tewjc", true, 1700.0, 1.0).await.unwrap());
        assert_eq!(store.puzzle_rating(&learner).await.unwrap(), Some(rated(1380.5)));
        assert!(keep("0kDWS", true, 1490.0, 2.0).await.unwrap());
        assert_eq!(store.puzzle_rating(&learner).await.unwrap(), Some(rated(1490.0)));
        let tried = [("0kDWS".to_owned(), true), ("tewjc".to_owned(), false)];
        assert_eq!(store.attempts(&learner).await.unwrap(), tried);

        assert_eq!(store.shown_puzzle(&learner).await.unwrap(), None);
        for state in ["{}", "[1]"] {
            let shown = ShownPuzzle {
                puzzle: "f2p5F".into(),
                state: state.into(),
            };
            store.keep_shown_puzzle(&learner, &shown).await.unwrap();
            assert_eq!(store.shown_puzzle(&learner).await.unwrap(), Some(shown));
        }
    });
}

#[test]
fn the_best_round_of_coordinates_is_kept_for_each_side() {
    run(async |store| {
        let learner = guest(&store).await;
        for (squares, best) in [(7, 7), (5, 7), (12, 12)] {
            let kept = store
                .keep_coordinates(&learner, Orientation::White, squares)
                .await
                .unwrap();
            assert_eq!(kept, best);
        }
        assert_eq!(store.coordinates_best(&learner, Orientation::Black).await.unwrap(), 0);
    });
}

#[test]
fn what_was_kept_is_there_when_the_folder_is_opened_again() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let dir = tempfile::tempdir().unwrap();
    let place = Place::Folder(dir.path().join("new/folder"));
    let token = Token::random().unwrap();
    runtime.block_on(async {
        let store = Store::open(&place).await.unwrap();
        let learner = store.make_learner(&token, NOW).await.unwrap();
        store.close().await;
        let again = Store::open(&place).await.unwrap();
        assert_eq!(again.learner(&token).await.unwrap(), Some(learner));
        // Two processes may share the file.
        let beside = Store::open(&place).await.unwrap();
        let tokens: Vec<Token> = (0..50).map(|_| Token::random().unwrap()).collect();
        for pair in tokens.chunks(2) {
            let (one, two) = tokio::join!(again.make_learner(&pair[0], NOW), beside.make_learner(&pair[1], NOW));
            one.unwrap();
            two.unwrap();
        }
        assert!(beside.learner(&tokens[0]).await.unwrap().is_some());
    });
}

#[test]
fn what_cannot_be_opened_is_told_with_what_to_do() {
    /// Neither is better later.
    const SOON: std::time::Duration = std::time::Duration::from_millis(500);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    std::fs::write(&file, "no database").unwrap();
    runtime.block_on(async {
        let error = Store::open(&Place::Folder(file.clone())).await.unwrap_err().to_string();
        assert!(error.contains("cannot make the folder") && error.contains("--data"), "{error}");

        let damaged = dir.path().join("damaged");
        std::fs::create_dir(&damaged).unwrap();
        std::fs::write(damaged.join("torres.sqlite"), "no database ".repeat(500)).unwrap();
        let error = Store::open_within(&Place::Folder(damaged), SOON).await.unwrap_err().to_string();
        assert!(error.contains("cannot open") && error.contains("torres.sqlite"), "{error}");

        let nowhere = "postgres://torres:secret@127.0.0.1:1/club".parse().unwrap();
        let error = Store::open_within(&nowhere, SOON).await.unwrap_err().to_string();
        assert!(error.contains("look whether the server runs") && !error.contains("secret"), "{error}");

        let newer = Place::Folder(dir.path().join("newer"));
        let store = Store::open(&newer).await.unwrap();
        sqlx::query("INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) VALUES (99991231, 'later', 1, x'00', 0)")
            .execute(store.pool())
            .await
            .unwrap();
        store.close().await;
        let error = Store::open(&newer).await.unwrap_err().to_string();
        assert!(error.contains("newer Torres"), "{error}");
    });
}

#[test]
fn a_game_of_two_people_is_kept_change_by_change_all_or_nothing() {
    run(async |store| {
        let made = MadeGame {
            id: "abcdefghij".into(),
            start_fen: "8/8 w".into(),
            clock_ms: Some((180_000, 2_000)),
            listed: true,
        };
        let change = |seq, text: &str| KeptChange {
            game: made.id.clone(),
            seq,
            at: NOW,
            change: text.into(),
            player: (seq == 1).then(|| "ann".to_owned()),
            over: (text == "end").then_some(true),
        };
        let games = std::slice::from_ref(&made);
        store
            .keep_changes(games, &[change(1, "é'"), change(2, "two")], &[], NOW)
            .await
            .unwrap();
        // A number is taken once, and what came with it is not kept either.
        let late = [change(3, "three"), change(2, "again")];
        let refused = store.keep_changes(&[], &late, &[], NOW).await.unwrap_err();
        assert!(refused.is_taken(), "{refused}");
        let kept = store.people_game(&made.id).await.unwrap().unwrap();
        assert_eq!(kept.made, made);
        assert_eq!(kept.changes, [(NOW, "é'".to_owned()), (NOW, "two".to_owned())]);
        assert_eq!(store.people_game("nothing").await.unwrap(), None);
        assert_eq!(store.games_of("ann").await.unwrap(), std::slice::from_ref(&made.id));
        assert_eq!(store.games_going_on().await.unwrap(), std::slice::from_ref(&made.id));
        store
            .keep_changes(&[], &[change(3, "end")], &["told".into()], NOW)
            .await
            .unwrap();
        assert!(store.games_going_on().await.unwrap().is_empty());
        let untimed = MadeGame {
            id: "b".into(),
            clock_ms: None,
            listed: false,
            ..made.clone()
        };
        store
            .keep_changes(std::slice::from_ref(&untimed), &[], &[], NOW)
            .await
            .unwrap();
        assert_eq!(store.people_game("b").await.unwrap().unwrap().made, untimed);

        let two = (NOW, "two".to_owned());
        assert_eq!(store.changes_after(&made.id, 1).await.unwrap()[..1], [two]);
        assert!(store.changes_after(&made.id, 3).await.unwrap().is_empty());

        assert_eq!(store.last_alive().await.unwrap(), None);
        for (server, at) in [("one", NOW + Duration::from_secs(1)), ("two", NOW)] {
            store.keep_alive(server, NOW).await.unwrap();
            store.keep_alive(server, at).await.unwrap();
        }
        let last = NOW + Duration::from_secs(1);
        assert_eq!(store.last_alive().await.unwrap(), Some(last));
        store.forget_servers(last).await.unwrap();
        assert_eq!(store.last_alive().await.unwrap(), Some(last));
        store.forget_servers(last + Duration::from_secs(1)).await.unwrap();
        assert_eq!(store.last_alive().await.unwrap(), None);
    });
}

#[test]
fn servers_that_share_a_database_hear_each_other_once_it_is_kept() {
    run(async |store| {
        let Some(mut others) = store.announcements().await.unwrap() else {
            assert!(!store.is_shared());
            store.announce("nobody hears").await.unwrap();
            return;
        };
        let longest = "é".repeat(LONGEST_ANNOUNCEMENT / 2);
        store.announce(&longest).await.unwrap();
        let made = MadeGame {
            id: "c".into(),
            start_fen: "8/8 w".into(),
            clock_ms: None,
            listed: false,
        };
        let made = std::slice::from_ref(&made);
        let said = |text: &str| Heard::Said(text.to_owned());
        store.keep_changes(made, &[], &["'kept'".into()], NOW).await.unwrap();
        // What is not kept is not told.
        assert!(store.keep_changes(made, &[], &["refused".into()], NOW).await.is_err());
        store.announce("last").await.unwrap();
        for text in [&longest, "'kept'", "last"] {
            assert_eq!(others.next().await.unwrap(), said(text));
        }
    });
}

#[test]
fn an_account_is_found_by_its_name_and_its_sessions_end() {
    run(async |store| {
        let (token, session) = (Token::random().unwrap(), Token::random().unwrap());
        let learner = store.make_learner(&token, NOW).await.unwrap();
        let account = |name: &str, learner: &LearnerId| KeptAccount {
            learner: learner.clone(),
            name: name.into(),
            password: "$argon2id$".into(),
        };
        assert!(store.make_account(&account("Ann", &learner), NOW).await.unwrap());
        assert!(
            !store.make_account(&account("Bo", &learner), NOW).await.unwrap(),
            "one each"
        );
        let other = guest(&store).await;
        assert!(
            !store.make_account(&account("aNN", &other), NOW).await.unwrap(),
            "the name is taken"
        );
        let found = store.account_named("ANN").await.unwrap().unwrap();
        assert_eq!((found.learner, found.name.as_str()), (learner.clone(), "Ann"));
        assert!(store.account_of(&other).await.unwrap().is_none());
        assert_eq!(store.learner(&token).await.unwrap(), None, "the guest's token is over");

        let browser = Token::random().unwrap();
        assert!(!store.knows_browser(&browser, &learner).await.unwrap());
        store.know_browser(&browser, &learner, NOW).await.unwrap();
        assert!(store.knows_browser(&browser, &learner).await.unwrap());
        assert!(
            !store.knows_browser(&browser, &other).await.unwrap(),
            "it is known to one learner alone"
        );

        let hour = Duration::from_secs(3600);
        let now = WallTime::now();
        store.make_session(&session, &learner, now, now + hour).await.unwrap();
        assert_eq!(store.learner(&session).await.unwrap(), Some(learner.clone()));
        store.end_session(&session).await.unwrap();
        assert_eq!(store.learner(&session).await.unwrap(), None);
        store.make_session(&session, &learner, NOW, NOW + hour).await.unwrap();
        assert_eq!(
            store.learner(&session).await.unwrap().is_some(),
            NOW + hour >= WallTime::now()
        );
        store.forget_learner(&learner).await.unwrap();
        assert!(store.account_named("Ann").await.unwrap().is_none());
        assert!(!store.knows_browser(&browser, &learner).await.unwrap());
    });
}

#[test]
fn a_puzzle_of_ones_own_is_kept_once_and_goes_with_its_learner() {
    run(async |store| {
        let (learner, other) = (guest(&store).await, guest(&store).await);
        let rating = |rating| KeptRating {
            rating,
            deviation: 200.0,
            volatility: 0.06,
        };
        let puzzle = |id: &str| OwnPuzzle {
            id: id.into(),
            before: "'); DROP TABLE learner; --".into(),
            lead: "e7e5".into(),
            accept: vec!["g1f3".into(), "d2d4".into()],
            played: "g2g4".into(),
            rating: rating(1500.0),
            state: None,
            card: None,
        };
        let later = WallTime::from_ms(NOW.as_ms() + 1.0);
        assert!(store.keep_own_puzzle(&learner, &puzzle("b-3"), later).await.unwrap());
        assert!(store.keep_own_puzzle(&learner, &puzzle("c-3"), NOW).await.unwrap());
        assert!(store.keep_own_puzzle(&other, &puzzle("b-3"), NOW).await.unwrap());
        assert_eq!(
            store.own_puzzles(&learner).await.unwrap(),
            [puzzle("c-3"), puzzle("b-3")]
        );
        let card = KeptCard {
            stability: 2.5,
            difficulty: 5.0,
            reviewed: 20_000,
            due: 20_003,
        };
        store
            .keep_own_puzzle_try(&learner, "b-3", rating(1450.0), card)
            .await
            .unwrap();
        store.keep_own_puzzle_state(&learner, "b-3", Some("{}")).await.unwrap();
        // What was made again changes nothing.
        assert!(!store.keep_own_puzzle(&learner, &puzzle("b-3"), NOW).await.unwrap());
        let tried = OwnPuzzle {
            rating: rating(1450.0),
            state: Some("{}".into()),
            card: Some(card),
            ..puzzle("b-3")
        };
        assert_eq!(store.own_puzzles(&learner).await.unwrap()[1], tried);
        assert_eq!(store.own_puzzles(&other).await.unwrap(), [puzzle("b-3")]);
        store.keep_own_puzzle_state(&learner, "b-3", None).await.unwrap();
        assert_eq!(store.own_puzzles(&learner).await.unwrap()[1].state, None);
        store.forget_learner(&learner).await.unwrap();
        assert!(store.own_puzzles(&learner).await.unwrap().is_empty());
    });
}

#[test]
#[expect(clippy::too_many_lines, reason = "all that is kept, once")]
fn a_learner_is_given_all_that_is_kept_of_them_and_nothing_of_others() {
    run(async |store| {
        let token = Token::random().unwrap();
        let (learner, other) = (store.make_learner(&token, NOW).await.unwrap(), guest(&store).await);
        let (step, puzzle) = (key("rook", 2), "00abc");
        let card = KeptCard {
            stability: 2.5,
            difficulty: 5.0,
            reviewed: 20_000,
            due: 20_003,
        };
        let rating = KeptRating {
            rating: 1450.25,
            deviation: 200.0,
            volatility: 0.06,
        };
        for one in [&learner, &other] {
            let state = StepState {
                key: step.clone(),
                state: "{\"mistakes\":1}".into(),
                done: true,
            };
            store.keep_step(one, &state, NOW).await.unwrap();
            store.keep_card(one, &step, card).await.unwrap();
            store.keep_attempt(one, puzzle, false, rating, NOW).await.unwrap();
            let shown = ShownPuzzle {
                puzzle: puzzle.into(),
                state: "[]".into(),
            };
            store.keep_shown_puzzle(one, &shown).await.unwrap();
            store.keep_coordinates(one, Orientation::Black, 17).await.unwrap();
            let own = OwnPuzzle {
                id: "b-3".into(),
                before: "8/8 w".into(),
                lead: "e7e5".into(),
                accept: vec!["g1f3".into(), "d2d4".into()],
                played: "g2g4".into(),
                rating,
                state: None,
                card: None,
            };
            store.keep_own_puzzle(one, &own, NOW).await.unwrap();
        }
        let account = KeptAccount {
            learner: learner.clone(),
            name: "Ann".into(),
            password: "$argon2id$secret".into(),
        };
        store.make_account(&account, NOW).await.unwrap();
        let (session, browser) = (Token::random().unwrap(), Token::random().unwrap());
        store
            .make_session(&session, &learner, NOW, NOW + Duration::from_secs(60))
            .await
            .unwrap();
        store.know_browser(&browser, &learner, NOW).await.unwrap();

        let ms = NOW.as_ms() as i64;
        let wanted = serde_json::json!({
            "learner": [{"made": ms}],
            "account": [{"name": "Ann", "made": ms}],
            "session": [{"expires": ms + 60_000}],
            "known_browser": [{"since": ms}],
            "lesson_progress": [{"lesson": "rook", "step": 2, "state": {"mistakes": 1}, "done": 1, "updated": ms}],
            "review": [{"lesson": "rook", "step": 2, "stability": 2.5, "difficulty": 5.0, "reviewed": 20_000, "due": 20_003}],
            "puzzle_rating": [{"rating": 1450.25, "deviation": 200.0, "volatility": 0.06}],
            "puzzle_attempt": [{"puzzle": puzzle, "solved": 0, "rating": 1450.25, "tried": ms}],
            "puzzle_shown": [{"puzzle": puzzle, "state": []}],
            "coordinates_best": [{"side": "black", "squares": 17}],
            "own_puzzle": [{
                "id": "b-3", "before": "8/8 w", "lead": "e7e5", "accept": "g1f3 d2d4", "played": "g2g4", "made": ms,
                "rating": 1450.25, "deviation": 200.0, "volatility": 0.06, "state": null, "stability": null,
                "difficulty": null, "reviewed": null, "due": null,
            }],
        });
        let given = serde_json::Value::Object(store.all_of(&learner).await.unwrap());
        assert_eq!(given, wanted);
        store.forget_learner(&learner).await.unwrap();
        let left = store.all_of(&learner).await.unwrap();
        assert!(
            left.values().all(|rows| rows.as_array().unwrap().is_empty()),
            "{left:?}"
        );
        assert_eq!(
            store.all_of(&other).await.unwrap()["coordinates_best"][0]["squares"],
            17
        );
    });
}
