//! How each fault is brought about. What lasts a moment is over when [`apply`] returns.

use crate::plan::Fault;
use rustix::process::Signal;
use std::path::PathBuf;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};
use torres_test_support::desktop::{BareWindow, Devtools};
use torres_test_support::play::{Practice, Run, signal_process};

/// Threads that share the cores with everything else while the machine is busy.
const BUSY_THREADS: usize = 4;

/// A window on its way goes so far at once, in pixels: three times to one side, and back again. In between it rests.
const STEP: i32 = 37;
const STEPS: [i32; 6] = [1, 2, 3, 2, 1, 0];
const STEP_EVERY: Duration = Duration::from_millis(350);
/// From the left of here it goes to the right, else to the left: it stays on the display.
const MIDDLE: i32 = 125;
/// A title bar's height, more or less.
const TITLE: i32 = 20;

/// What a fault is brought about with.
pub struct Table<'a> {
    pub practice: &'a Practice,
    pub devtools: &'a mut Devtools,
    pub play: &'a Run,
    /// The player's wall clock.
    pub clock: &'a mut WallClock,
}

/// A wall clock that can be set for one process alone: libfaketime's, with the monotonic clocks left as they are.
pub struct WallClock {
    library: PathBuf,
    file: PathBuf,
    wrong_by_s: i32,
}

impl WallClock {
    /// A clock that is right so far; `file` is where it is set.
    pub fn right(file: PathBuf) -> WallClock {
        let mut folders = std::fs::read_dir("/usr/lib").expect("/usr/lib").flatten();
        let library = folders.find_map(|folder| {
            let library = folder.path().join("faketime/libfaketimeMT.so.1");
            library.exists().then_some(library)
        });
        let mut clock = WallClock {
            library: library.expect("libfaketime, to set the player's clock: install the package faketime"),
            file,
            wrong_by_s: 0,
        };
        clock.set(0);
        clock
    }

    /// Sets it by so much, which is seen within a second.
    pub fn set(&mut self, by_s: i32) {
        self.wrong_by_s += by_s;
        std::fs::write(&self.file, format!("{:+}\n", self.wrong_by_s)).expect("the clock can be set");
    }

    /// A command whose wall clock this is.
    pub fn of(&self, command: &mut Command) {
        command.env("LD_PRELOAD", &self.library);
        command.env("FAKETIME_TIMESTAMP_FILE", &self.file);
        command.env("FAKETIME_CACHE_DURATION", "1");
        for only_the_wall_clock in ["FAKETIME_DONT_FAKE_MONOTONIC", "DONT_FAKE_MONOTONIC", "NO_FAKE_STAT"] {
            command.env(only_the_wall_clock, "1");
        }
    }
}

/// What has to be put back once the game has gone on.
#[must_use]
pub enum Afterwards {
    Nothing,
    /// The window's content had this size.
    Resize(u32, u32),
}

impl Afterwards {
    /// Puts it back.
    pub fn undo(self, practice: &Practice) {
        if let Afterwards::Resize(width, height) = self {
            practice
                .stage
                .browser()
                .window()
                .unwrap()
                .resize(width, height)
                .unwrap();
        }
    }
}

/// Brings a fault about.
pub fn apply(fault: Fault, table: &mut Table<'_>) -> Afterwards {
    let stage = &table.practice.stage;
    match fault {
        Fault::EngineKilled => signal_process(table.play.engine(None), Signal::KILL),
        Fault::EngineFrozen => signal_process(table.play.engine(None), Signal::STOP),
        Fault::WindowMoved { x, y } => stage.browser().window().unwrap().move_to(x, y).unwrap(),
        Fault::WindowNarrowed { by } => {
            let client = stage.client();
            let window = stage.browser().window().unwrap();
            window.resize(client.width - by, client.height - 20).unwrap();
            return Afterwards::Resize(client.width, client.height);
        }
        Fault::BoardCovered { ms } => {
            let client = stage.client();
            let at = (client.x as i16 + 100, client.y as i16 + 100);
            let window = BareWindow::open(stage.display().name(), at, (420, 300));
            window.fill(0x55_6677);
            sleep(Duration::from_millis(ms));
        }
        Fault::Toast { ms } => _ = table.devtools.run(&toast(ms)),
        Fault::Minimised { ms } => {
            let window = stage.browser().window().unwrap();
            window.minimise().unwrap();
            sleep(Duration::from_millis(ms));
            window.activate().unwrap();
        }
        Fault::PageReloaded => table.devtools.reload(),
        Fault::BoardFlipped => _ = table.devtools.run("document.getElementById('flip').click()"),
        Fault::PressLost => _ = table.devtools.run(PRESS_LOST),
        Fault::MoveRefused => _ = table.devtools.run(MOVE_REFUSED),
        Fault::StoodStill { ms } => stand_still(table, Duration::from_millis(ms)),
        Fault::Busy { ms } => be_busy(Duration::from_millis(ms)),
        Fault::WindowStepped => step_window(table.practice),
        Fault::ClockSet { by_s } => table.clock.set(by_s),
        // Not brought about here: the player is another one afterwards.
        Fault::Stopped { .. } => {}
    }
    Afterwards::Nothing
}

/// The next press is kept from the board.
const PRESS_LOST: &str =
    "addEventListener('mousedown', (event) => event.stopImmediatePropagation(), { capture: true, once: true })";

/// The next move goes to the server as if it were for another position, which refuses it.
const MOVE_REFUSED: &str = "{
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function (text) {
        const message = JSON.parse(text);
        if (message.type === 'move') { WebSocket.prototype.send = send; message.ply += 1; }
        send.call(this, JSON.stringify(message));
    };
} 0";

/// A box over the middle of the board that goes by itself.
pub fn toast(ms: u64) -> String {
    format!(
        "{{
            const over = document.createElement('div');
            over.style = 'position:fixed;z-index:1000;background:#fffbe6;border:2px solid #444;color:#222;padding:16px;left:150px;top:200px;width:320px;height:160px';
            over.textContent = 'The bot says hello.';
            document.body.append(over);
            setTimeout(() => over.remove(), {ms});
        }} 0"
    )
}

/// Browser and player are stopped, and go on together.
fn stand_still(table: &Table<'_>, time: Duration) {
    let browser = table.practice.stage.browser().group().expect("a running browser");
    let group = |signal| {
        let group = rustix::process::Pid::from_raw(browser as i32).expect("a process group");
        rustix::process::kill_process_group(group, signal).expect("the browser takes signals");
    };
    group(Signal::STOP);
    signal_process(table.play.id(), Signal::STOP);
    sleep(time);
    signal_process(table.play.id(), Signal::CONT);
    group(Signal::CONT);
}

fn step_window(practice: &Practice) {
    let client = practice.stage.client();
    let window = practice.stage.browser().window().unwrap();
    let step = if client.x < MIDDLE { STEP } else { -STEP };
    for steps in STEPS {
        window.move_to(client.x + steps * step, client.y - TITLE).unwrap();
        sleep(STEP_EVERY);
    }
}

fn be_busy(time: Duration) {
    let end = Instant::now() + time;
    let busy = || {
        while Instant::now() < end {
            std::hint::spin_loop();
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..BUSY_THREADS {
            scope.spawn(busy);
        }
    });
}
