//! The server is killed while people play, the network is cut, and many play at once.

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use torres_test_support::people::{Browser, Player, Shown};
use torres_test_support::site::SiteProcess;

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

/// A game and its two players, with what was acknowledged.
pub(crate) struct Pair {
    pub(crate) players: [Player; 2],
    /// Ply and move, as acknowledged.
    pub(crate) acknowledged: Vec<(usize, String)>,
}

impl Pair {
    async fn begin(port: u16, clock: Option<(u64, u64)>) -> Pair {
        Pair::begin_at([port; 2], clock).await
    }

    /// White comes by one port, and Black by another.
    pub(crate) async fn begin_at(ports: [u16; 2], clock: Option<(u64, u64)>) -> Pair {
        let mut ann = Browser::new(ports[0]);
        let clock =
            clock.map(|(initial_ms, increment_ms)| json!({"initial_ms": initial_ms, "increment_ms": increment_ms}));
        let game = ann.make(json!({"name": "Ann", "color": "white", "clock": clock})).await;
        let white = ann.enter(&game, "Ann").await.unwrap();
        let mut black = Browser::new(ports[1]).enter(&game, "Bo").await.unwrap();
        black.ask(json!({"type": "join"})).await.unwrap();
        Pair {
            players: [white, black],
            acknowledged: Vec::new(),
        }
    }

    /// Plays at random until the connection falls or the game ends.
    pub(crate) async fn play(&mut self, chance: &mut StdRng, pause: std::ops::Range<u64>) {
        let [white, black] = &mut self.players;
        loop {
            let ply = white.shown.moves.len().max(black.shown.moves.len());
            let (mover, other) = if ply % 2 == 0 {
                (&mut *white, &mut *black)
            } else {
                (&mut *black, &mut *white)
            };
            let ready = |shown: &Shown| shown.moves.len() == ply && !shown.now["seats"]["black"].is_null();
            if mover.until(ready).await.is_err() || !mover.shown.is_own_turn() {
                return;
            }
            let legal = mover.shown.legal();
            let uci = legal.choose(chance).unwrap().clone();
            tokio::time::sleep(Duration::from_millis(chance.random_range(pause.clone()))).await;
            match mover.play(&uci).await {
                Ok(answer) if answer["type"] == "ack" => self.acknowledged.push((ply, uci)),
                // The flag fell.
                Ok(_) | Err(_) => return,
            }
            if other.until(|shown| shown.moves.len() > ply).await.is_err() {
                return;
            }
        }
    }

    /// What a clock showed when the server was killed, by what its client knew: of whoever knew most.
    pub(crate) fn at_kill(&self, killed: Instant) -> Option<(u64, Value, i64)> {
        let shown = self
            .players
            .iter()
            .map(|player| &player.shown)
            .max_by_key(|shown| shown.seq)?;
        let running = shown.now["times"]["running"].as_str()?;
        let left = shown.now["times"][format!("{running}_ms")].as_i64()?;
        let passed = killed.saturating_duration_since(shown.said?).as_millis() as i64;
        Some((shown.seq, running.into(), left - passed))
    }
}

/// Kills the server in so many moments of 20 games and starts it again: what was acknowledged is there, clocks are
/// right, and games go on.
async fn killed_in(moments: u64) {
    let seed = number("SEED", rand::random());
    println!("seed {seed}");
    let mut chance = StdRng::seed_from_u64(seed);
    let data = tempfile::tempdir().unwrap();
    let folder = data.path().to_str().unwrap().to_owned();
    let start = || SiteProcess::start("", &["--data", &folder]);
    let mut site = start();
    let mut pairs = Vec::new();
    for _ in 0..20 {
        pairs.push(Pair::begin(site.port, Some((600_000, 1_000))).await);
    }
    let (mut moves, mut clocks) = (0, 0);
    let mut worst = 0;
    for moment in 0..moments {
        let playing: Vec<_> = pairs
            .into_iter()
            .map(|mut pair| {
                let mut chance = StdRng::seed_from_u64(chance.random());
                tokio::spawn(async move {
                    pair.play(&mut chance, 0..60).await;
                    pair
                })
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(chance.random_range(100..900))).await;
        site.child.kill().unwrap();
        let killed = Instant::now();
        site.child.wait().unwrap();
        pairs = Vec::new();
        for task in playing {
            pairs.push(task.await.unwrap());
        }
        tokio::time::sleep(Duration::from_millis(chance.random_range(0..1_500))).await;
        site = start();
        let started = Instant::now();
        for pair in &mut pairs {
            let before = pair.at_kill(killed);
            for player in &mut pair.players {
                player.browser = Browser {
                    cookie: player.browser.cookie.clone(),
                    ..Browser::new(site.port)
                };
                player.connect().await.unwrap();
            }
            let watcher = Browser::new(site.port)
                .enter(&pair.players[0].game, "Cy")
                .await
                .unwrap();
            for (ply, uci) in &pair.acknowledged {
                assert_eq!(
                    watcher.shown.moves.get(*ply),
                    Some(uci),
                    "moment {moment}, seed {seed}: a move is lost"
                );
            }
            moves += pair.acknowledged.len();
            for player in &mut pair.players {
                player.until(|shown| shown.seq == watcher.shown.seq).await.unwrap();
                assert_eq!(player.shown.moves, watcher.shown.moves);
            }
            if let Some((seq, running, left)) = before.filter(|(seq, ..)| *seq == watcher.shown.seq) {
                let now = &watcher.shown.now["times"];
                if now["running"] == running {
                    let said = watcher.shown.said.unwrap().duration_since(started).as_millis() as i64;
                    let shown = now[format!("{}_ms", running.as_str().unwrap())].as_i64().unwrap();
                    let off = (shown - (left - said)).abs();
                    worst = worst.max(off);
                    clocks += 1;
                    assert!(off <= 1_000, "moment {moment}, change {seq}: {off} ms off");
                }
            }
        }
        let mut on = Vec::new();
        for pair in pairs {
            match pair.players[0].shown.now["end"].is_null() {
                true => on.push(pair),
                false => on.push(Pair::begin(site.port, Some((600_000, 1_000))).await),
            }
        }
        pairs = on;
    }
    println!(
        "{moments} moments: {moves} acknowledged moves looked for, none lost; {clocks} clocks, at most {worst} ms off"
    );
    assert!(
        moves > 100 && clocks > 10,
        "too little was played: {moves} moves, {clocks} clocks"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_server_loses_no_acknowledged_move_and_its_clocks_stand() {
    killed_in(10).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes minutes: make killed"]
async fn fifty_kills() {
    killed_in(number("MOMENTS", 50)).await;
}

/// Who is asked to end says goodbye, and what it knew is there again to the moment.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_asked_to_stop_says_so_and_clocks_stand() {
    use rustix::process::{Pid, Signal, kill_process};
    let data = tempfile::tempdir().unwrap();
    let folder = data.path().to_str().unwrap().to_owned();
    let mut site = SiteProcess::start("", &["--data", &folder]);
    let mut pair = Pair::begin(site.port, Some((600_000, 0))).await;
    let mut played = Vec::new();
    for (ply, uci) in ["e2e4", "e7e5", "g1f3"].into_iter().enumerate() {
        let mover = &mut pair.players[ply % 2];
        mover.until(Shown::is_own_turn).await.unwrap();
        assert_eq!(mover.play(uci).await.unwrap()["type"], "ack");
        played.push(uci);
    }
    pair.players[1].until(Shown::is_own_turn).await.unwrap();
    let stopped = Instant::now();
    kill_process(Pid::from_child(&site.child), Signal::TERM).unwrap();
    for player in &mut pair.players {
        let mut told = false;
        while let Ok(message) = player.next().await {
            told |= message["message"].as_str().is_some_and(|said| said.contains("stopped"));
        }
        assert!(told, "nobody said that the server stops");
    }
    assert!(site.child.wait().unwrap().success());
    assert!(stopped.elapsed() < Duration::from_secs(10));
    let (_, _, left) = pair.at_kill(stopped).unwrap();
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    let started = Instant::now();
    let site = SiteProcess::start("", &["--data", &folder]);
    let watcher = Browser::new(site.port)
        .enter(&pair.players[0].game, "Cy")
        .await
        .unwrap();
    assert_eq!(watcher.shown.moves, played);
    let shown = watcher.shown.now["times"]["black_ms"].as_i64().unwrap();
    // It runs on from the start of the next server.
    let ran = watcher.shown.said.unwrap().duration_since(started).as_millis() as i64;
    assert!(
        left - shown < ran + 500,
        "the clock ran while no server did: {left} ms, then {shown} ms"
    );
}

/// A way to a server that can be cut: then nothing passes, and nobody is told.
async fn breakable_way(to: u16) -> (u16, watch::Sender<bool>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let (cut, is_cut) = watch::channel(false);
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            let mut is_cut = is_cut.clone();
            tokio::spawn(async move {
                // A connection that is asked for while the way is cut waits for its end, and finds nobody.
                let cut = *is_cut.borrow_and_update();
                if cut {
                    let _ = is_cut.wait_for(|cut| !cut).await.is_ok();
                    return;
                }
                let Ok(mut server) = TcpStream::connect(("127.0.0.1", to)).await else {
                    return;
                };
                let passed = tokio::select! {
                    _ = copy_bidirectional(&mut client, &mut server) => true,
                    cut = is_cut.wait_for(|cut| *cut) => cut.is_err(),
                };
                // What is under way is lost, and both ends stay open until the way is there again.
                if !passed {
                    let _ = is_cut.wait_for(|cut| !cut).await.is_ok();
                }
            });
        }
    });
    (port, cut)
}

/// Both players' network is cut for ten seconds, so many times: the game goes on by itself, and no move is played
/// twice.
async fn cut_off(times: u64) {
    let site = SiteProcess::start("", &[]);
    let (port, cut) = breakable_way(site.port).await;
    let mut chance = StdRng::seed_from_u64(number("SEED", 5));
    let mut pair = Pair::begin(site.port, None).await;
    for player in &mut pair.players {
        player.drop_connection();
        player.browser.port = port;
        player.connect().await.unwrap();
    }
    for _ in 0..times {
        let over = Arc::new(AtomicBool::new(false));
        let ends = Arc::clone(&over);
        let way = cut.clone();
        let after = Duration::from_millis(chance.random_range(200..1_000));
        let cutter = tokio::spawn(async move {
            tokio::time::sleep(after).await;
            way.send_replace(true);
            tokio::time::sleep(Duration::from_secs(10)).await;
            way.send_replace(false);
            ends.store(true, Ordering::Relaxed);
        });
        pair.play(&mut chance, 0..40).await;
        cutter.await.unwrap();
        assert!(over.load(Ordering::Relaxed));
        let before = pair.acknowledged.len();
        for player in &mut pair.players {
            player.drop_connection();
            player.connect().await.unwrap();
        }
        let watcher = Browser::new(site.port)
            .enter(&pair.players[0].game, "Cy")
            .await
            .unwrap();
        for player in &mut pair.players {
            player.until(|shown| shown.seq == watcher.shown.seq).await.unwrap();
        }
        let moves = &watcher.shown.moves;
        for (ply, uci) in &pair.acknowledged {
            assert_eq!(moves.get(*ply), Some(uci));
        }
        // What was sent into the cut may have arrived or not, but once.
        assert!(
            moves.len() <= before + 1,
            "{} moves, {before} acknowledged",
            moves.len()
        );
        pair.acknowledged = moves.iter().cloned().enumerate().collect();
        if !watcher.shown.now["end"].is_null() {
            pair = Pair::begin(site.port, None).await;
            for player in &mut pair.players {
                player.drop_connection();
                player.browser.port = port;
                player.connect().await.unwrap();
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cut_of_ten_seconds_loses_and_doubles_no_move() {
    cut_off(1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes minutes: make killed"]
async fn thirty_cuts() {
    cut_off(number("CUTS", 30)).await;
}

/// Resident memory of a process, in KB.
#[cfg(target_os = "linux")]
fn resident_kb(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// Many games at once: how long a move takes from its mover to be seen by the other, and what a game takes of the
/// server's memory.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement: make load"]
async fn load() {
    let (games, seconds) = (number("GAMES", 500), number("SECONDS", 30));
    let data = tempfile::tempdir().unwrap();
    let site = SiteProcess::start("", &["--data", data.path().to_str().unwrap()]);
    // Code that runs for the first time is no game's memory.
    drop(Pair::begin(site.port, None).await);
    let before = resident_kb(site.child.id());
    let mut playing = Vec::new();
    let over = Arc::new(AtomicBool::new(false));
    for game in 0..games {
        let pair = Pair::begin(site.port, Some((600_000, 1_000))).await;
        let over = Arc::clone(&over);
        playing.push(tokio::spawn(timed(pair, StdRng::seed_from_u64(game), over)));
    }
    let begun = Instant::now();
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    over.store(true, Ordering::Relaxed);
    let end = Instant::now();
    let after = resident_kb(site.child.id());
    let mut taken = Vec::new();
    for game in playing {
        taken.extend(
            game.await
                .unwrap()
                .into_iter()
                .filter(|(at, _)| (begun..end).contains(at))
                .map(|(_, took)| took),
        );
    }
    taken.sort();
    let at = |share: f64| taken[((taken.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!(
        "{games} games, {} moves ({:.0} a second): seen by the other after {:.1} ms (median), {:.1} ms (99 %), {:.1} ms (longest); {} KB a game",
        taken.len(),
        taken.len() as f64 / end.duration_since(begun).as_secs_f64(),
        at(0.5),
        at(0.99),
        at(1.0),
        after.saturating_sub(before) / games
    );
}

/// Plays a game, each move after half a second to three and a half, and times each on its way to the other.
#[cfg(target_os = "linux")]
async fn timed(mut pair: Pair, mut chance: StdRng, over: Arc<AtomicBool>) -> Vec<(Instant, Duration)> {
    let mut taken = Vec::new();
    let [white, black] = &mut pair.players;
    while !over.load(Ordering::Relaxed) {
        let ply = white.shown.moves.len().max(black.shown.moves.len());
        let (mover, other) = if ply % 2 == 0 {
            (&mut *white, &mut *black)
        } else {
            (&mut *black, &mut *white)
        };
        mover
            .until(|shown| shown.is_own_turn() || !shown.now["end"].is_null())
            .await
            .unwrap();
        let Some(uci) = mover.shown.legal().choose(&mut chance).cloned() else {
            break;
        };
        if !mover.shown.is_own_turn() {
            break;
        }
        let think = tokio::time::sleep(Duration::from_millis(chance.random_range(500..3_500)));
        tokio::pin!(think);
        // Pings are answered meanwhile.
        loop {
            tokio::select! {
                () = &mut think => break,
                said = other.next() => drop(said.unwrap()),
            }
        }
        let sent = Instant::now();
        let (seen, answer) = tokio::join!(
            async {
                other.until(|shown| shown.moves.len() > ply).await.unwrap();
                sent.elapsed()
            },
            mover.play(&uci)
        );
        assert_eq!(answer.unwrap()["type"], "ack");
        taken.push((sent, seen));
    }
    taken
}
