//! How each fault is brought about. What lasts a moment is over when [`apply`] returns.

use crate::common::{BareWindow, Devtools};
use crate::e2e_support::{Practice, Run, signal_process};
use crate::plan::Fault;
use rustix::process::Signal;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// So many threads share the cores with everything else while the machine is busy.
const BUSY_THREADS: usize = 4;

/// What a fault is brought about with.
pub struct Table<'a> {
    pub practice: &'a Practice,
    pub devtools: &'a mut Devtools,
    pub play: &'a Run,
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
fn toast(ms: u64) -> String {
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
