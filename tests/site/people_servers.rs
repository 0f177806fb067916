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
