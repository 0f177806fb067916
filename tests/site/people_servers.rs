//! Two servers share a database: their visitors play each other, and one server is killed.

use crate::people_killed::Pair;
use crate::postgres::Postgres;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde_json::json;
use std::time::{Duration, Instant};
use tokio::sync::watch;
use torres_test_support::people::{Browser, Player, Shown};
use torres_test_support::site::{DEADLINE, SiteProcess};

fn start(database: &Postgres) -> SiteProcess {
    SiteProcess::start("", &["--database", &database.url()])
}

/// Waits until a page of that server has a text on it, or has not.
async fn listed(site: &SiteProcess, game: &str, wanted: bool) {
    let begun = Instant::now();
    while Browser::new(site.port).get("/people").await.contains(game) != wanted {
        assert!(begun.elapsed() < DEADLINE, "{game} in the list: {wanted}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Comes back by way of another server.
async fn come_to(player: &mut Player, port: u16) {
    player.drop_connection();
    player.browser = Browser {
        cookie: player.browser.cookie.clone(),
        ..Browser::new(port)
    };
    player.connect().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn visitors_of_two_servers_play_each_other() {
    let Some(database) = Postgres::start() else {
        return eprintln!("no PostgreSQL is installed: not tested");
    };
    let (one, two) = (start(&database), start(&database));
    let mut ann = Browser::new(one.port);
    let wanted =
        json!({"name": "Ann", "color": "white", "listed": true, "clock": {"initial_ms": 300_000, "increment_ms": 0}});
    let game = ann.make(wanted).await;
    let mut white = ann.enter(&game, "Ann").await.unwrap();
    // The game stands in the other server's list, and is joined there.
    listed(&two, &game, true).await;
    let mut black = Browser::new(two.port).enter(&game, "Bo").await.unwrap();
    let mut third = Browser::new(two.port).enter(&game, "Cy").await.unwrap();
    assert_eq!(black.ask(json!({"type": "join"})).await.unwrap()["type"], "ack");
    white.until(Shown::is_own_turn).await.unwrap();
    for player in [&mut white, &mut black] {
        let all = |shown: &Shown| {
            shown.here["white"]["here"] == true && shown.here["black"]["here"] == true && shown.here["watchers"] == 1
        };
        player.until(all).await.unwrap();
    }
    for (ply, uci) in ["e2e4", "e7e5", "g1f3", "b8c6"].into_iter().enumerate() {
        let (mover, other) = if ply % 2 == 0 {
            (&mut white, &mut black)
        } else {
            (&mut black, &mut white)
        };
        mover.until(Shown::is_own_turn).await.unwrap();
        let before = mover.shown.now["position"]["turn"].clone();
        assert_eq!(mover.play(uci).await.unwrap()["type"], "ack");
        for player in [&mut *mover, &mut *other, &mut third] {
            player.until(|shown| shown.moves.len() == ply + 1).await.unwrap();
        }
        let again = mover
            .ask(json!({"type": "move", "turn": before, "uci": uci}))
            .await
            .unwrap();
        assert_eq!(again["reason"], "stale");
        assert_eq!(third.play("a2a3").await.unwrap()["reason"], "watching");
    }
    // The same at the same time: both servers decide, one of them is late, and decides anew.
    for _ in 0..5 {
        let offer = || json!({"type": "offer", "offer": "takeback"});
        let (by_white, by_black) = tokio::join!(white.ask(offer()), black.ask(offer()));
        let (by_white, by_black) = (by_white.unwrap(), by_black.unwrap());
        let (winner, late) = match by_white["type"] == "ack" {
            true => (&mut white, by_black),
            false => (&mut black, by_white),
        };
        assert_eq!(late["reason"], "offered");
        let decline = json!({"type": "decline", "offer": "takeback"});
        assert_eq!(winner.ask(decline).await.unwrap()["type"], "ack");
        let seq = winner.shown.seq;
        for player in [&mut white, &mut black, &mut third] {
            player.until(|shown| shown.seq == seq).await.unwrap();
            assert!(player.shown.now["offers"]["takeback"].is_null());
        }
    }
    // Who goes is gone at the other server too.
    black.drop_connection();
    white.until(|shown| shown.here["black"]["here"] == false).await.unwrap();
    black.connect().await.unwrap();
    white.until(|shown| shown.here["black"]["here"] == true).await.unwrap();
    assert_eq!(black.ask(json!({"type": "resign"})).await.unwrap()["type"], "ack");
    white
        .until(|shown| shown.now["end"]["reason"] == "resignation")
        .await
        .unwrap();
    listed(&one, &game, false).await;
    listed(&two, &game, false).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_of_a_killed_server_go_on_at_the_other() {
    const GAMES: usize = 6;
    const KILLS: usize = 3;
    let Some(database) = Postgres::start() else {
        return eprintln!("no PostgreSQL is installed: not tested");
    };
    let mut chance = StdRng::seed_from_u64(rand::random());
    let mut servers = [start(&database), start(&database)];
    let mut pairs = Vec::new();
    for game in 0..GAMES {
        // At one server, at the other, at both.
        let ports = [servers[game % 2].port, servers[(game / 2) % 2].port];
        pairs.push(Pair::begin_at(ports, Some((600_000, 1_000))).await);
    }
    let (mut acknowledged, mut worst) = (0, 0);
    for kill in 0..KILLS {
        let (over, is_over) = watch::channel(false);
        let playing: Vec<_> = pairs
            .into_iter()
            .map(|mut pair| {
                let mut chance = StdRng::seed_from_u64(chance.random());
                let mut is_over = is_over.clone();
                tokio::spawn(async move {
                    tokio::select! {
                        () = pair.play(&mut chance, 0..60) => {}
                        // Where both are at the server that stays.
                        _ = is_over.wait_for(|over| *over) => {}
                    }
                    pair
                })
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(chance.random_range(300..1_500))).await;
        let (killed, other) = (kill % 2, (kill + 1) % 2);
        servers[killed].child.kill().unwrap();
        let at = Instant::now();
        servers[killed].child.wait().unwrap();
        over.send_replace(true);
        pairs = Vec::new();
        for task in playing {
            pairs.push(task.await.unwrap());
        }
        // Whoever was there comes to the other one, and so does everybody.
        for pair in &mut pairs {
            let before = pair.at_kill(at);
            for player in &mut pair.players {
                come_to(player, servers[other].port).await;
            }
            let mut watcher = Browser::new(servers[other].port)
                .enter(&pair.players[0].game, "Cy")
                .await
                .unwrap();
            for player in &mut pair.players {
                let seq = watcher.shown.seq;
                player.until(|shown| shown.seq >= seq).await.unwrap();
                let seq = player.shown.seq;
                watcher.until(|shown| shown.seq >= seq).await.unwrap();
            }
            for (ply, uci) in &pair.acknowledged {
                assert_eq!(watcher.shown.moves.get(*ply), Some(uci), "kill {kill}: a move is lost");
            }
            acknowledged += pair.acknowledged.len();
            // The other server was there all the time, so clocks ran on.
            if let Some((_, running, left)) = before.filter(|(seq, ..)| *seq == watcher.shown.seq) {
                let now = &watcher.shown.now["times"];
                if now["running"] == running {
                    let said = watcher.shown.said.unwrap().duration_since(at).as_millis() as i64;
                    let shown = now[format!("{}_ms", running.as_str().unwrap())].as_i64().unwrap();
                    worst = worst.max((shown - (left - said)).abs());
                }
            }
        }
        assert!(worst <= 1_000, "a clock is {worst} ms off");
        servers[killed] = start(&database);
        let mut on = Vec::new();
        for (index, mut pair) in pairs.into_iter().enumerate() {
            if !pair.players[0].shown.now["end"].is_null() {
                pair = Pair::begin_at([servers[0].port, servers[1].port], Some((600_000, 1_000))).await;
            } else if index % 2 == 0 {
                // Half of them go back to the server that has come again.
                come_to(&mut pair.players[0], servers[killed].port).await;
            }
            on.push(pair);
        }
        pairs = on;
    }
    println!("{acknowledged} acknowledged moves looked for, none lost; clocks at most {worst} ms off");
    assert!(acknowledged > 30, "too little was played");
}

#[tokio::test]
async fn a_server_says_that_its_database_is_gone() {
    let Some(database) = Postgres::start() else {
        return eprintln!("no PostgreSQL is installed: not tested");
    };
    let site = start(&database);
    let browser = Browser::new(site.port);
    assert!(browser.get("/health").await.contains(r#""status":"ok""#));
    drop(database);
    let begun = Instant::now();
    while !browser.get("/health").await.contains("the database does not answer") {
        assert!(begun.elapsed() < DEADLINE, "nobody is told");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// How many processes a site has started that are still there: its engines.
fn engines(site: &SiteProcess) -> usize {
    let parent = site.child.id().to_string();
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let stat = |process: std::fs::DirEntry| std::fs::read_to_string(process.path().join("stat")).ok();
    // `PID (NAME) STATE PARENT …`; the name may have anything in it.
    let parent_of = |stat: String| Some(stat.rsplit_once(") ")?.1.split(' ').nth(1)?.to_owned());
    processes
        .filter_map(stat)
        .filter_map(parent_of)
        .filter(|of| *of == parent)
        .count()
}

/// Plays some legal move, and gives how many moves the game then has at least.
async fn play_any(player: &mut Player) -> usize {
    player.until(Shown::is_own_turn).await.unwrap();
    let uci = player.shown.legal().remove(0);
    assert_eq!(player.play(&uci).await.unwrap()["type"], "ack");
    player.shown.moves.len()
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_two_servers_thinks_for_a_computer_and_the_other_goes_on() {
    let Some(database) = Postgres::start() else {
        return eprintln!("no PostgreSQL is installed: not tested");
    };
    let mut servers = [start(&database), start(&database)];
    let mut ann = Browser::new(servers[0].port);
    // A level that never slips asks its engine for each move after the first.
    let wanted = json!({"name": "Ann", "white": "person", "black": "level-5", "natural": false,
        "clock": {"initial_ms": 600_000, "increment_ms": 5_000}});
    let (status, made) = ann.post("/play/games", &wanted).await;
    assert_eq!(status, 201, "{made}");
    let game = made["game"].as_str().unwrap().to_owned();
    let before = [engines(&servers[0]), engines(&servers[1])];
    // Its owner is at both servers, and somebody watches at each, by whom the other is known to have been heard.
    let (mut tabs, mut watchers) = (Vec::new(), Vec::new());
    for server in &servers {
        let mut browser = Browser {
            cookie: ann.cookie.clone(),
            ..Browser::new(server.port)
        };
        tabs.push(browser.enter(&game, "Ann").await.unwrap());
        watchers.push(Browser::new(server.port).enter(&game, "Cy").await.unwrap());
    }
    for player in tabs.iter_mut().chain(&mut watchers) {
        player.until(|shown| shown.here["watchers"] == 2).await.unwrap();
    }
    for tab in [0, 1, 0, 1] {
        let count = play_any(&mut tabs[tab]).await;
        for player in tabs.iter_mut().chain(&mut watchers) {
            player.until(|shown| shown.moves.len() > count).await.unwrap();
        }
    }
    let after = [engines(&servers[0]), engines(&servers[1])];
    let thinking: Vec<usize> = (0..2).filter(|&one| after[one] > before[one]).collect();
    assert_eq!(thinking.len(), 1, "engines: {before:?}, then {after:?}");
    // It is killed when its computer is to move.
    let (killed, other) = (thinking[0], 1 - thinking[0]);
    let count = play_any(&mut tabs[other]).await;
    servers[killed].child.kill().unwrap();
    servers[killed].child.wait().unwrap();
    tabs[other].until(|shown| shown.moves.len() > count).await.unwrap();
    let count = play_any(&mut tabs[other]).await;
    tabs[other].until(|shown| shown.moves.len() > count).await.unwrap();
    let now = engines(&servers[other]);
    assert!(now > before[other], "{now} engines after {before:?} and {after:?}");
    // The killed one comes again, and so does the owner, to it alone.
    servers[killed] = start(&database);
    let mut tab = tabs.swap_remove(other);
    tab.drop_connection();
    drop((tabs, watchers));
    let mut watcher = Browser::new(servers[other].port).enter(&game, "Cy").await.unwrap();
    let is_away = |shown: &Shown| shown.here["white"]["here"] == false;
    watcher.until(is_away).await.unwrap();
    come_to(&mut tab, servers[killed].port).await;
    let count = play_any(&mut tab).await;
    tab.until(|shown| shown.moves.len() > count).await.unwrap();
    assert!(engines(&servers[killed]) > before[killed]);
}
