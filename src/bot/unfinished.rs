//! A game that its program left before its end, killed, stopped or paused for good: what the journal knows of it, so
//! that another run goes on with it. Pure: entries in, a game out.
//!
//! The clock of the side to move ran while nobody looked. For how long is certain where both runs belong to one start
//! of the machine: its own clock counts on, whatever becomes of the wall clock. After another start there is the wall
//! clock alone, which may have been set, wrongly or at last rightly. Then no flag falls by it: it takes at most nine
//! tenths of what that side had, and never gives any.

use super::clock::GameClock;
use super::game::Game;
use shakmaty::{ByColor, Color, Position};
use std::time::Duration;
use torres_chess::TimeControl;
use torres_chess::{parse_fen, parse_move};
use torres_frame::{Clocks, Timestamp, WallTime};
use torres_journal::{Entry, Event, event};

/// With fewer plies there is nothing that the board's start position would not tell.
const WORTH_IT: usize = 2;

/// By how much the wall clock may be wrong: summer time, say. A game whose time ran out longer ago than this, by that
/// clock, is another day's.
const WALL_MAY_BE_OFF: Duration = Duration::from_secs(3_600);

/// A game without an end.
#[derive(Clone, Debug)]
pub struct Unfinished {
    /// Its moves.
    pub game: Game,
    /// The colour that Torres played.
    pub own: Color,
    /// The clocks; that of the side to move went on while nobody looked.
    pub clock: GameClock,
}

/// What a journal says of its last game.
#[derive(Clone, Debug, Default)]
pub struct LastGame {
    /// How many games were begun in it.
    pub games: u32,
    /// The last one, where it did not come to an end and may still go on: neither clock is known to have run out by
    /// now.
    pub unfinished: Option<Unfinished>,
}

/// Now, as it is compared with what an earlier run wrote down.
#[derive(Clone, Debug)]
pub struct Now {
    /// What the clocks show.
    pub clocks: Clocks,
    /// Which start of the machine moments count from, where that is known.
    pub boot: Option<String>,
}

/// Reads a journal's entries; `control` is the time control that is to be played now, another one is another game.
pub fn last_game<'a>(entries: impl IntoIterator<Item = &'a Entry>, control: TimeControl, now: &Now) -> LastGame {
    let mut games = 0;
    let mut left: Option<Left> = None;
    let mut boot: Option<&str> = None;
    let mut halted = false;
    for entry in entries {
        if let Event::Started { boot: of_run, .. } | Event::Continued { boot: of_run, .. } = &entry.event {
            boot = of_run.as_deref();
        }
        let at = Written::by(entry, boot);
        match &entry.event {
            Event::GameStarted(event::GameStarted {
                fen,
                moves,
                color,
                clock,
                ..
            }) => {
                games += 1;
                left = match clock.as_deref() == Some(&*name(control)) {
                    true => Left::begun(fen, moves, (*color).into(), control, at),
                    false => None,
                };
            }
            Event::Played { played, left_ms, .. } => {
                left = left.take().and_then(|game| game.played(played, *left_ms, at));
            }
            Event::TakenBack { plies, .. } => left = left.take().and_then(|game| game.taken_back(*plies, &at)),
            // Torres stopped, or waited for somebody in vain; the game had no end.
            Event::Result { .. } if halted => {}
            Event::Result { .. } | Event::Abandoned { .. } => left = None,
            _ => {}
        }
        match &entry.event {
            Event::Stopped { .. } | Event::Pause { .. } => halted = true,
            Event::Started { .. } | Event::Continued { .. } | Event::Resume { .. } => halted = false,
            _ => {}
        }
    }
    let worth_it = left.filter(|left| left.game.plies() >= WORTH_IT && left.game.end().is_none());
    LastGame {
        games,
        unfinished: worth_it.and_then(|left| left.goes_on(control, now)),
    }
}

/// A time control as the journal names it.
pub fn name(control: TimeControl) -> String {
    format!("{}+{}", control.initial.as_secs(), control.increment.as_secs())
}

/// When a line was written, by both clocks.
#[derive(Clone, Debug)]
struct Written {
    wall: WallTime,
    /// By the machine's own clock, and which of its starts that counts from.
    moment: Option<(String, Timestamp)>,
}

/// How long it took from one line to another moment.
#[derive(Clone, Copy)]
enum Passed {
    /// By the machine's own clock.
    Surely(Duration),
    /// By the wall clock, which may have been set; never less than nothing.
    Perhaps(Duration),
}

impl Written {
    fn by(entry: &Entry, boot: Option<&str>) -> Written {
        let moment = boot.zip(entry.boot_ms);
        Written {
            wall: entry.t_ms,
            moment: moment.map(|(boot, ms)| (boot.to_owned(), Timestamp::from_ms(ms))),
        }
    }

    fn until(&self, later: &Written) -> Passed {
        match (&self.moment, &later.moment) {
            (Some((boot, from)), Some((same, to))) if boot == same && from <= to => Passed::Surely(to.since(*from)),
            _ => Passed::Perhaps(later.wall.since(self.wall)),
        }
    }
}

impl Now {
    fn written(&self) -> Written {
        Written {
            wall: self.clocks.wall,
            moment: self.boot.clone().map(|boot| (boot, self.clocks.moment)),
        }
    }
}

/// A game while its journal is read.
struct Left {
    game: Game,
    own: Color,
    /// What both sides had at `since`, from which on the clock of the side to move ran.
    clocks: ByColor<Duration>,
    /// Moves that were timed.
    timed: ByColor<u32>,
    since: Written,
}

impl Left {
    fn begun(fen: &str, moves: &[String], own: Color, control: TimeControl, at: Written) -> Option<Left> {
        let mut game = Game::new(parse_fen(fen).ok()?);
        for text in moves {
            play(&mut game, text)?;
        }
        Some(Left {
            game,
            own,
            clocks: ByColor::new_with(|_| control.initial),
            timed: ByColor::default(),
            since: at,
        })
    }

    fn played(mut self, text: &str, left_ms: f64, at: Written) -> Option<Left> {
        let mover = self.game.position().turn();
        play(&mut self.game, text)?;
        self.clocks[mover] = Duration::try_from_secs_f64(left_ms / 1e3).ok()?;
        self.timed[mover] += 1;
        self.since = at;
        Some(self)
    }

    fn taken_back(mut self, plies: usize, at: &Written) -> Option<Left> {
        let turn = self.game.position().turn();
        self.clocks[turn] = after(self.clocks[turn], self.since.until(at));
        self.game.take_back(plies).then_some(())?;
        self.since = at.clone();
        Some(self)
    }

    /// The game as it goes on now, unless its time has run out.
    fn goes_on(self, control: TimeControl, now: &Now) -> Option<Unfinished> {
        let turn = self.game.position().turn();
        let had = self.clocks[turn];
        let mut left = self.clocks;
        let moment = now.clocks.moment;
        let since = match self.since.until(&now.written()) {
            Passed::Surely(passed) => Timestamp(moment.0.saturating_sub(passed)),
            Passed::Perhaps(passed) if passed > had + WALL_MAY_BE_OFF => return None,
            perhaps @ Passed::Perhaps(_) => {
                left[turn] = after(had, perhaps);
                moment
            }
        };
        let clock = GameClock::resumed(control, left, self.timed, (turn, since));
        clock.flag(moment).is_none().then_some(Unfinished {
            game: self.game,
            own: self.own,
            clock,
        })
    }
}

/// What is left of a side's time after some has passed.
fn after(had: Duration, passed: Passed) -> Duration {
    match passed {
        Passed::Surely(passed) => had.saturating_sub(passed),
        Passed::Perhaps(passed) => had.saturating_sub(passed).max(had / 10),
    }
}

fn play(game: &mut Game, text: &str) -> Option<()> {
    let played = parse_move(text, game.position()).ok()?;
    game.play(played).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use torres_chess::Side;

    const CONTROL: TimeControl = TimeControl {
        initial: Duration::from_secs(900),
        increment: Duration::from_secs(10),
    };

    /// The machine had been running for an hour when the game began.
    const HOUR: f64 = 3_600.0;

    /// So many seconds after the game began, while nobody set the wall clock.
    fn at(seconds: f64, event: Event) -> Entry {
        Entry {
            t_ms: WallTime::from_ms(1e12 + seconds * 1e3),
            boot_ms: Some((HOUR + seconds) * 1e3),
            event,
        }
    }

    fn run(seconds: f64, boot: &str) -> Entry {
        at(
            seconds,
            Event::Started {
                version: String::new(),
                command: String::new(),
                boot: Some(boot.into()),
            },
        )
    }

    /// So many seconds after the game began by the machine's own clock; the wall clock was set forward by `set` since.
    fn now(seconds: f64, set: f64) -> Now {
        Now {
            clocks: Clocks {
                moment: Timestamp::from_ms((HOUR + seconds) * 1e3),
                wall: WallTime::from_ms(1e12 + (seconds + set) * 1e3),
            },
            boot: Some("first".into()),
        }
    }

    /// The same by the wall clock, a minute after the machine was started again.
    fn started_again(seconds: f64) -> Now {
        Now {
            clocks: Clocks {
                moment: Timestamp::from_ms(60e3),
                ..now(seconds, 0.0).clocks
            },
            boot: Some("second".into()),
        }
    }

    fn started(seconds: f64, clock: &str) -> Entry {
        at(
            seconds,
            Event::GameStarted(event::GameStarted {
                fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".into(),
                moves: vec!["e2e4".into()],
                color: Side::Black,
                clock: Some(clock.into()),
                opponent: None,
            }),
        )
    }

    fn played(seconds: f64, ply: u32, uci: &str, left_s: f64) -> Entry {
        at(
            seconds,
            Event::Played {
                ply,
                played: uci.into(),
                by: Side::White,
                took_ms: 0.0,
                left_ms: left_s * 1e3,
            },
        )
    }

    fn without_end(seconds: f64) -> Entry {
        at(
            seconds,
            Event::Result {
                result: "*".into(),
                termination: String::new(),
                plies: 3,
                known_by: None,
            },
        )
    }

    fn told(entries: &[Entry], seconds: f64) -> LastGame {
        last_game(entries, CONTROL, &now(seconds, 0.0))
    }

    /// What both sides have at the moment at which the game goes on, in seconds.
    fn seconds(left: &Unfinished, now: &Now) -> (u64, u64) {
        let of = |color| left.clock.left(color, now.clocks.moment).as_secs();
        (of(Color::White), of(Color::Black))
    }

    /// Black took 5 s for the first move, White 20 s for the next; then Torres, Black, was killed.
    fn killed() -> Vec<Entry> {
        vec![
            run(-1.0, "first"),
            started(0.0, "900+10"),
            played(5.0, 2, "e7e5", 905.0),
            played(25.0, 3, "g1f3", 890.0),
        ]
    }

    #[test]
    fn a_game_goes_on_with_its_moves_and_the_clock_that_ran_meanwhile() {
        let told = told(&killed(), 85.0);
        let left = told.unfinished.unwrap();
        assert_eq!((told.games, left.own), (1, Color::Black));
        assert_eq!(left.game.uci_moves(), ["e2e4", "e7e5", "g1f3"]);
        // A minute of Black's 905 s went by since White's move.
        assert_eq!(seconds(&left, &now(85.0, 0.0)), (890, 845));
        assert_eq!(
            left.clock
                .clone()
                .moved(Color::Black, now(85.0, 0.0).clocks.moment)
                .as_secs(),
            60
        );
        let later = now(95.0, 0.0).clocks.moment;
        assert_eq!(left.clock.left(Color::Black, later).as_secs(), 835, "it runs on");
        // Two moves of White's would be counted, one was timed: what a site may have counted unseen goes with them.
        let counted_on = left.clock.at_least(Color::White, later);
        assert_eq!(
            left.clock.left(Color::White, later) - counted_on,
            Duration::from_millis(150)
        );
    }

    #[test]
    fn a_wall_clock_that_was_set_changes_nothing_while_the_machine_runs() {
        for set in [HOUR, -HOUR, 30.0 * 24.0 * HOUR, -30.0 * 24.0 * HOUR] {
            let now = now(85.0, set);
            let left = last_game(&killed(), CONTROL, &now).unfinished;
            assert_eq!(seconds(&left.expect("it goes on"), &now), (890, 845), "{set}");
            let late = Now {
                clocks: Clocks {
                    moment: Timestamp::from_ms((HOUR + 25.0 + 906.0) * 1e3),
                    ..now.clocks
                },
                ..now
            };
            assert!(
                last_game(&killed(), CONTROL, &late).unfinished.is_none(),
                "{set}: its flag has fallen"
            );
        }
    }

    #[test]
    fn after_another_start_of_the_machine_the_wall_clock_counts_but_no_flag_falls_by_it() {
        let black = |by_the_wall: f64| {
            let now = started_again(by_the_wall);
            let left = last_game(&killed(), CONTROL, &now).unfinished;
            left.map(|left| seconds(&left, &now))
        };
        assert_eq!(black(85.0), Some((890, 845)));
        // Set back, or not yet set: nothing is given, nothing is taken.
        assert_eq!(black(-HOUR), Some((890, 905)));
        assert_eq!(black(-30.0 * 24.0 * HOUR), Some((890, 905)));
        // Set forward, perhaps: a tenth stays.
        assert_eq!(black(25.0 + 904.0), Some((890, 90)));
        assert_eq!(black(25.0 + HOUR), Some((890, 90)));
        assert_eq!(black(25.0 + 905.0 + HOUR + 1.0), None, "another day's game");
    }

    #[test]
    fn a_journal_of_an_earlier_version_has_the_wall_clock_alone() {
        let mut entries = killed();
        entries.remove(0);
        for entry in &mut entries {
            entry.boot_ms = None;
        }
        let now = now(85.0, 0.0);
        let left = last_game(&entries, CONTROL, &now).unfinished.unwrap();
        assert_eq!(seconds(&left, &now), (890, 845));
    }

    #[test]
    fn a_game_that_was_taken_up_before_counts_from_its_second_run() {
        let mut entries = killed();
        let later = |seconds: f64, event: Event| Entry {
            boot_ms: Some(seconds * 1e3),
            ..at(100.0 + seconds, event)
        };
        entries.push(later(
            10.0,
            Event::Continued {
                version: String::new(),
                plies: 3,
                boot: Some("second".into()),
            },
        ));
        entries.push(later(20.0, played(0.0, 4, "b8c6", 800.0).event));
        let mut now = started_again(9e9);
        let left = last_game(&entries, CONTROL, &now).unfinished.unwrap();
        // 40 s of White's 890 by the machine's second start, whatever the wall clock shows.
        assert_eq!(seconds(&left, &now), (850, 800));
        now.boot = None;
        assert!(last_game(&entries, CONTROL, &now).unfinished.is_none());
    }

    #[test]
    fn a_takeback_counts() {
        let mut entries = killed();
        entries.push(at(
            30.0,
            Event::TakenBack {
                plies: 1,
                fen: String::new(),
            },
        ));
        let left = told(&entries, 31.0).unfinished.unwrap();
        assert_eq!(left.game.uci_moves(), ["e2e4", "e7e5"]);
        // What Black had thought about the move that was taken back is gone.
        assert_eq!(seconds(&left, &now(31.0, 0.0)), (889, 900));
    }

    #[test]
    fn a_game_with_an_end_is_over_and_so_is_one_whose_time_has_run_out() {
        let mut entries = killed();
        assert!(told(&entries, 25.0 + 906.0).unfinished.is_none(), "its flag has fallen");
        entries.push(without_end(30.0));
        let over = told(&entries, 31.0);
        assert!(over.unfinished.is_none());
        assert_eq!(over.games, 1);
        entries.push(started(40.0, "900+10"));
        assert!(told(&entries, 41.0).unfinished.is_none(), "one ply is no game yet");
        assert_eq!(told(&entries, 41.0).games, 2);
    }

    #[test]
    fn a_game_that_somebody_stopped_or_left_paused_goes_on() {
        let stopped = Event::Stopped { reason: "q".into() };
        let paused = Event::Pause {
            reason: "covered".into(),
            evidence: None,
        };
        for halt in [stopped, paused] {
            let mut entries = killed();
            entries.extend([at(29.0, halt), without_end(30.0)]);
            let left = told(&entries, 31.0).unfinished.unwrap();
            assert_eq!(left.game.uci_moves(), ["e2e4", "e7e5", "g1f3"]);
            assert_eq!(seconds(&left, &now(31.0, 0.0)), (890, 899));
            // What was resumed and played to its end is over.
            entries.splice(5.., [at(30.0, Event::Resume { paused_ms: 1e3 }), without_end(40.0)]);
            assert!(told(&entries, 41.0).unfinished.is_none());
        }
    }

    #[test]
    fn another_time_control_and_an_illegal_move_are_no_game_to_go_on_with() {
        let mut entries = killed();
        entries[1] = started(0.0, "60+0");
        assert!(told(&entries, 26.0).unfinished.is_none());
        let mut entries = killed();
        entries.push(played(26.0, 4, "a1a8", 900.0));
        assert!(told(&entries, 27.0).unfinished.is_none());
    }
}
