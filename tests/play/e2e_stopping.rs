//! What a person does to halt a game, in each situation of a game: keys at a real terminal and the watch page's buttons
//! in Chromium. The judge is the practice site's log: no press comes later than 50 ms after it, none left out.
#![cfg(target_os = "linux")]

use shakmaty::Color;
use std::fmt;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use torres::geometry::InputPt;
use torres::journal::{Entry, Event, event};
use torres_test_support::desktop::{Devtools, Pointer};
use torres_test_support::play::{
    Button, GAME, Key, Practice, Run, Script, WatchPage, engine_for, has_event, journal, pgn_of, scripted_engine,
};
use torres_test_support::wait_for;

/// No press may come later than this after a stop, in ms, and no button be held any longer.
const OBEYED_WITHIN: f64 = 50.0;
/// A drag that is caught has at least 33 ms before it: a release as late as this, in ms, was not the stop's.
const CARRIED_ON: f64 = 25.0;
/// How long a notice lies over the board after the stop, in ms.
const NOTICE_STAYS: u64 = 1200;
/// So long is looked at what comes after a stop, and after what it was to keep away would have come.
const OBSERVED: Duration = Duration::from_secs(2);
/// The engine thinks so long about the third move, in seconds: less than is observed.
const THOUGHT: &str = "1.0";
/// A process that was told to end may take so long, on a machine busy with other tests.
const ENDS_WITHIN: Duration = Duration::from_secs(10);

/// Torres, with White, mates at its fourth move; it is stopped at its third, f1c4.
fn game() -> Script {
    Script::new("e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7")
}

const THIRD: &str = "f1c4";
const BEFORE_THE_THIRD: usize = 4;

/// What a person does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Typed(Key),
    Clicked(Button),
}

const WAYS: [Way; 5] = [
    Way::Typed(Key::Q),
    Way::Typed(Key::CtrlC),
    Way::Typed(Key::P),
    Way::Clicked(Button::Stop),
    Way::Clicked(Button::Pause),
];

impl Way {
    /// What goes on again afterwards, if anything does.
    fn resumed_by(self) -> Option<Way> {
        match self {
            Way::Typed(Key::P) => Some(self),
            Way::Clicked(Button::Pause) => Some(Way::Clicked(Button::Resume)),
            _ => None,
        }
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Way::Typed(key) => write!(f, "key {key:?}"),
            Way::Clicked(button) => write!(f, "button {button:?}"),
        }
    }
}

/// When it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moment {
    /// The engine thinks about the third move.
    Thinking,
    /// The engine has answered, and a notice lies over the move's target until a while after the stop.
    Poised,
    /// The third move is being dragged.
    Dragging,
    /// One game is over, and the button of the next is about to be clicked.
    BetweenGames,
    /// A notice lies over the board until a while after the stop: the first game has not begun.
    BeforeTheFirst,
}

impl Moment {
    /// Games to be played.
    fn games(self) -> usize {
        match self {
            Moment::BetweenGames => 2,
            _ => 1,
        }
    }

    /// Moves on the site when it comes, of each game begun.
    fn played(self) -> usize {
        match self {
            Moment::BetweenGames => game().moves().len(),
            Moment::BeforeTheFirst => 0,
            _ => BEFORE_THE_THIRD,
        }
    }
}

fn unix_ms() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs_f64() * 1e3
}

/// One page of the practice site with its board, a watch page beside it, and one player after the other.
struct Table {
    // The browsers' insides before the browsers.
    board: Devtools,
    watch: WatchPage,
    pointer: Pointer,
    practice: Practice,
    players: usize,
}

/// A player of the table.
struct Player {
    run: Run,
    out: PathBuf,
    /// Games that the site had before its own.
    games_before: usize,
}

/// A stop that was made.
struct Stop {
    /// Unix time in ms.
    at: f64,
    /// From then to the button's release, in ms; 0 where it was not down.
    released_after: f64,
    /// Whether the button was down when it came.
    in_a_drag: bool,
}

impl Table {
    fn set(games: usize) -> Table {
        let practice = Practice::staged(&game(), Color::White);
        practice.stage.calibrate(&[]);
        let mut board = practice.stage.devtools();
        if games > 1 {
            practice.calibrate_new_game(&mut board);
        }
        Table {
            pointer: Pointer::of(practice.stage.display().name()),
            board,
            // Until there is a player, any page that loads.
            watch: WatchPage::open(&format!("http://{}/icon.svg", practice.site.host())),
            practice,
            players: 0,
        }
    }

    /// Starts a player on a board that shows a new game, with a notice over it: nothing is played before it is taken
    /// away. The way's hand is ready then.
    fn player(&mut self, engine: &str, games: usize, way: Way) -> Player {
        self.players += 1;
        self.cover("c6", "f3");
        let name = format!("player-{}", self.players);
        let games = games.to_string();
        let args = ["--engine", engine, "--games", &games, "--watch"];
        let player = Player {
            games_before: self.practice.games().len() - 1,
            run: self.practice.stage.play_at_a_terminal(&name, &args),
            out: self.practice.stage.path(&name),
        };
        player.listens();
        if let Way::Clicked(button) = way {
            self.watch.go_to(&player.run.watch_url());
            self.watch.hold(button);
        }
        player
    }

    /// The site's page begins a new game.
    fn begin_anew(&mut self) {
        let games = self.practice.games().len();
        self.board.run("document.querySelector('#new-game button').click()");
        wait_for("the site's next game", || {
            (self.practice.games().len() > games).then_some(())
        });
    }

    /// Where a square's middle is on the desktop.
    fn square(&mut self, name: &str) -> InputPt {
        let [file, rank] = [0, 1].map(|index| name.as_bytes()[index]);
        let (column, row) = (f64::from(file - b'a') + 0.5, f64::from(b'8' - rank) + 0.5);
        let lies = self.board.run(
            "{ const lies = document.querySelector('cg-board').getBoundingClientRect(); [lies.x, lies.y, lies.width] }",
        );
        let number = |index: usize| lies[index].as_f64().unwrap();
        let client = self.practice.stage.client();
        InputPt {
            x: client.x + (number(0) + column * number(2) / 8.0) as i32,
            y: client.y + (number(1) + row * number(2) / 8.0) as i32,
        }
    }

    /// Puts a notice over these squares, the upper left and the lower right one.
    fn cover(&mut self, first: &str, last: &str) {
        let (first, last, client) = (self.square(first), self.square(last), self.practice.stage.client());
        let (x, y) = (first.x - client.x - 40, first.y - client.y - 40);
        let (width, height) = (last.x - first.x + 80, last.y - first.y + 80);
        self.board.run(&format!(
            "var notice = document.createElement('div');
             notice.style = 'position:fixed;z-index:1000;box-sizing:border-box;background:#fffbe6;border:2px solid #444;color:#222;' +
                 'padding:16px;left:{x}px;top:{y}px;width:{width}px;height:{height}px';
             notice.textContent = 'The bot says hello.';
             document.body.append(notice); 0"
        ));
    }

    /// Takes the notice away.
    fn uncover(&mut self) {
        self.board.run("notice.remove()");
    }

    /// Has the notice go away by itself.
    fn uncover_later(&mut self) {
        self.board
            .run(&format!("setTimeout(() => notice.remove(), {NOTICE_STAYS}); 0"));
    }

    /// Waits until the button is down over a square.
    fn catch_drag_to(&mut self, square: &str) {
        let to = self.square(square);
        self.pointer
            .sees_drag(|at| (at.x - to.x).abs() < 20 && (at.y - to.y).abs() < 20);
    }

    /// Makes a stop, with everything for it prepared, and watches the button until it is up.
    fn stop(&mut self, way: Way, player: &Player) -> Stop {
        let in_a_drag = self.pointer.button_is_down();
        let at = match way {
            Way::Typed(key) => {
                let at = unix_ms();
                player.run.press(key);
                at
            }
            Way::Clicked(_) => self.watch.let_go(),
        };
        let mut released_after = 0.0;
        while self.pointer.button_is_down() && unix_ms() - at < 5e3 {
            std::thread::sleep(Duration::from_micros(200));
            released_after = unix_ms() - at;
        }
        Stop {
            at,
            released_after,
            in_a_drag,
        }
    }
}

impl Player {
    fn journal(&self) -> Vec<Entry> {
        journal(&self.out)
    }

    fn waits_for(&self, what: &str, wanted: impl Fn(&[Entry]) -> bool) {
        wait_for(what, || wanted(&self.journal()).then_some(()));
    }

    fn thinks_about_the_third_move(&self) {
        self.waits_for("the third thought", |journal| {
            let thoughts = journal.iter().filter(|entry| matches!(entry.event, Event::Think(_)));
            thoughts.count() == 3
        });
    }

    /// The end of what it has said.
    fn last_words(&self) -> String {
        let said = self.run.said();
        let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
        lines[lines.len().saturating_sub(3)..].join(" / ")
    }

    /// Waits until each key is the player's own.
    fn listens(&self) {
        wait_for("the player to listen", || self.run.terminal().is_raw().then_some(()));
    }
}

/// Brings a player to the moment, the way's hand ready.
fn brought_to(moment: Moment, way: Way, table: &mut Table) -> Player {
    let thought = match moment {
        Moment::Thinking => format!("--slow 3 {THOUGHT}"),
        Moment::Poised | Moment::Dragging => "--slow 3 0.7".to_owned(),
        Moment::BetweenGames | Moment::BeforeTheFirst => String::new(),
    };
    let engine = scripted_engine(&thought, &game().moves_of(Color::White));
    let player = table.player(&engine, moment.games(), way);
    if moment != Moment::BeforeTheFirst {
        table.uncover();
    }
    match moment {
        Moment::Thinking => player.thinks_about_the_third_move(),
        Moment::Poised => {
            player.thinks_about_the_third_move();
            table.cover("b5", "d3");
            player.waits_for("the engine's answer", |journal| {
                has_event(
                    journal,
                    |event| matches!(event, Event::Answer(event::Answer { best: Some(best), .. }) if best == THIRD),
                )
            });
        }
        Moment::Dragging => table.catch_drag_to(&THIRD[2..]),
        Moment::BetweenGames => player.waits_for("the end of the first game", |journal| {
            has_event(journal, |event| matches!(event, Event::Result { .. }))
        }),
        Moment::BeforeTheFirst => {}
    }
    if moment != Moment::Dragging {
        // Not in the very moment of the last change.
        std::thread::sleep(Duration::from_millis(200));
    }
    player
}

/// Stops one player at the moment; what is wrong with what followed.
fn stopped(moment: Moment, way: Way, table: &mut Table) -> Vec<String> {
    if table.players > 0 {
        table.begin_anew();
    }
    let mut player = brought_to(moment, way, table);
    let played = table.practice.games().last().map_or(0, Vec::len);
    let stop = table.stop(way, &player);
    let mut until = Instant::now() + OBSERVED;
    if matches!(moment, Moment::Poised | Moment::BeforeTheFirst) {
        table.uncover_later();
        until += Duration::from_millis(NOTICE_STAYS);
    }
    let mut wrong = Vec::new();
    if played != moment.played() {
        wrong.push(format!("the moment was missed, with {played} moves on the board"));
    }
    if stop.released_after > OBEYED_WITHIN {
        wrong.push(format!("the button was held for {:.0} ms more", stop.released_after));
    }
    match way.resumed_by() {
        None => has_ended(&mut player, moment, &mut wrong),
        Some(_) => {
            let paused = std::iter::repeat_with(|| player.run.said().contains("PAUSED"))
                .take_while(|paused| !paused && Instant::now() < until)
                .map(|_| std::thread::sleep(Duration::from_millis(5)));
            paused.for_each(drop);
        }
    }
    std::thread::sleep(until.saturating_duration_since(Instant::now()));
    nothing_came_after(&stop, moment, table, &player, &mut wrong);
    match way.resumed_by() {
        None => left_as_it_was(&player, moment, table, &mut wrong),
        Some(resume) => goes_on(resume, &mut player, moment, table, &mut wrong),
    }
    wrong
        .into_iter()
        .map(|what| format!("{way}, {moment:?}: {what}"))
        .collect()
}

/// By the site's log and the display; and a drag was broken off, not carried on.
fn nothing_came_after(stop: &Stop, moment: Moment, table: &Table, player: &Player, wrong: &mut Vec<String>) {
    let presses = table.practice.presses_since(stop.at + OBEYED_WITHIN);
    let late: Vec<String> = presses.iter().map(|at| format!("{:.0} ms", at - stop.at)).collect();
    if !late.is_empty() {
        wrong.push(format!("the button was pressed {} later", late.join(", ")));
    }
    if table.pointer.button_is_down() {
        wrong.push("the button is down".to_owned());
    }
    let carried_on = has_event(&player.journal(), |event| {
        matches!(event, Event::Gesture(event::Gesture { played, released_t_ms, .. })
            if played == THIRD && released_t_ms.as_ms() - stop.at > CARRIED_ON)
    });
    if moment == Moment::Dragging && stop.in_a_drag && carried_on {
        wrong.push("the drag was carried on to its end".to_owned());
    }
}

fn has_ended(player: &mut Player, moment: Moment, wrong: &mut Vec<String>) {
    let deadline = Instant::now() + ENDS_WITHIN;
    while !player.run.has_ended() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(5));
    }
    match player.run.ended().map(|status| status.code()) {
        Some(Some(3)) => {}
        Some(other) => wrong.push(format!("it ended with {other:?}: {}", player.last_words())),
        None => wrong.push("it did not end".to_owned()),
    }
    let stopped = has_event(&player.journal(), |event| matches!(event, Event::Stopped { .. }));
    let in_a_game = !matches!(moment, Moment::BetweenGames | Moment::BeforeTheFirst);
    if in_a_game && !stopped {
        wrong.push("the journal does not say that it was stopped".to_owned());
    }
}

/// What was played until the stop is written down, and nothing was played since; a piece that was let go on its target
/// may have become a move, and been answered, which nobody saw.
fn left_as_it_was(player: &Player, moment: Moment, table: &Table, wrong: &mut Vec<String>) {
    let games = &table.practice.games()[player.games_before..];
    let expected = &game().moves()[..moment.played()];
    let let_go = if moment == Moment::Dragging { 2 } else { 0 };
    let on_site = &games[0];
    if games.len() != 1 || !on_site.starts_with(expected) || on_site.len() > expected.len() + let_go {
        wrong.push(format!("the site has {games:?}"));
    }
    if moment == Moment::BeforeTheFirst {
        return;
    }
    let written = pgn_of(&player.out.join("game.pgn")).moves;
    if !on_site.starts_with(&written) || !written.starts_with(expected) {
        wrong.push(format!("{written:?} is written down of {on_site:?}"));
    }
}

/// The pause is said, and ends with the game played to its end.
fn goes_on(resume: Way, player: &mut Player, moment: Moment, table: &mut Table, wrong: &mut Vec<String>) {
    if !player.run.said().contains("PAUSED") {
        return wrong.push(format!("no pause is told: {}", player.last_words()));
    }
    match resume {
        Way::Typed(key) => player.run.press(key),
        Way::Clicked(button) if table.watch.offers(button) => _ = table.watch.click(button),
        Way::Clicked(button) => return wrong.push(format!("the watch page does not offer {button:?}")),
    }
    let deadline = Instant::now() + GAME / 3;
    while !player.run.has_ended() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(10));
    }
    match player.run.ended().map(|status| status.code()) {
        Some(Some(0)) => {}
        other => wrong.push(format!("resumed, it ended with {other:?}: {}", player.last_words())),
    }
    if !player.run.said().contains("resumed") {
        wrong.push(format!("it is not told that the game goes on: {}", player.last_words()));
    }
    let games = &table.practice.games()[player.games_before..];
    if games != vec![game().moves(); moment.games()] {
        wrong.push(format!("resumed, the site has {games:?}"));
    }
    if !table.practice.site.events("refused").is_empty() {
        wrong.push("the site refused a move".to_owned());
    }
    for number in 1..=moment.games() {
        let name = if number == 1 {
            "game.pgn".to_owned()
        } else {
            format!("game-{number}.pgn")
        };
        let path = player.out.join(name);
        let written = path.exists().then(|| pgn_of(&path).moves);
        if written != Some(game().moves()) {
            wrong.push(format!("game {number} is written down as {written:?}"));
        }
    }
}

/// Tries every way at one moment; each player's game is the site's next.
fn holds(moment: Moment) {
    let mut table = Table::set(moment.games());
    let wrong: Vec<String> = WAYS
        .into_iter()
        .flat_map(|way| stopped(moment, way, &mut table))
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn a_stop_while_torres_thinks() {
    holds(Moment::Thinking);
}

#[test]
fn a_stop_while_a_covered_square_is_waited_for() {
    holds(Moment::Poised);
}

#[test]
fn a_stop_in_a_drag() {
    holds(Moment::Dragging);
}

#[test]
fn a_stop_between_two_games() {
    holds(Moment::BetweenGames);
}

#[test]
fn a_stop_before_the_first_move() {
    holds(Moment::BeforeTheFirst);
}

/// How often each way is measured.
const TIMES: usize = 20;

/// `cargo test --test play e2e_stopping::how_soon -- --ignored --nocapture`: from a key at the terminal or a click on
/// the watch page, made in the drag of a game's first move, to the button's release and to the last press of the next
/// two seconds. Every try counts. A drag is over by itself some 35 ms after it is caught: whether it was broken off
/// says more than how long it still took.
#[test]
#[ignore = "prints figures"]
fn how_soon_a_person_is_obeyed() {
    let mut table = Table::set(1);
    println!();
    for way in WAYS {
        let mut released = Vec::new();
        let (mut broken_off, mut last_press) = (0, 0.0_f64);
        for _ in 0..TIMES {
            if table.players > 0 {
                table.begin_anew();
            }
            let player = table.player(&engine_for(&game(), Color::White), 1, way);
            table.uncover();
            table.catch_drag_to("e4");
            let stop = table.stop(way, &player);
            std::thread::sleep(OBSERVED);
            let made = |event: &Event| matches!(event, Event::Gesture(_));
            broken_off += usize::from(!has_event(&player.journal(), made));
            let presses = table.practice.presses_since(stop.at).into_iter();
            last_press = presses.map(|at| at - stop.at).fold(last_press, f64::max);
            released.push(stop.released_after);
        }
        released.sort_by(f64::total_cmp);
        println!(
            "{way}: {broken_off} of {TIMES} drags broken off; the button is up after {:.1} ms (median), {:.1} ms (worst); the last press after {last_press:.1} ms",
            released[TIMES / 2],
            released[TIMES - 1],
        );
    }
}
