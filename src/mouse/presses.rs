//! Where the left button is pressed, also by a tap that is too short to be met by a look at the button.

use super::error::MouseError;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use torres_geometry::InputPt;

/// Presses beyond these are not kept.
const MOST: usize = 32;

/// How long, at most, the watcher is waited for: on a busy machine its thread may get no time for a while.
const LATEST: Duration = Duration::from_millis(500);

/// Sees every press of the left button while it lives, whoever makes it. Where the system does not tell of them it sees
/// none.
#[derive(Debug)]
pub struct Presses {
    watched: Arc<Watched>,
}

/// What the watcher has read.
#[derive(Debug, Default)]
struct Watched {
    read: Mutex<Read>,
    /// Told after each round.
    round: Condvar,
}

#[derive(Debug, Default)]
struct Read {
    presses: Vec<InputPt>,
    /// How often all was read that the system had told by then.
    rounds: u64,
}

impl Watched {
    fn lock(&self) -> MutexGuard<'_, Read> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Presses {
    /// Watches from now on, from a thread of its own that ends soon after this value.
    pub fn watch() -> Result<Presses, MouseError> {
        let watched = Arc::default();
        #[cfg(target_os = "linux")]
        x11::watch(&watched)?;
        Ok(Presses { watched })
    }

    /// Where the pointer was at each press that is known by now, in their order.
    pub fn seen(&self) -> Vec<InputPt> {
        self.watched.lock().presses.clone()
    }

    /// The same once all is read that the system has told, or after half a second.
    pub fn settled(&self) -> Vec<InputPt> {
        let read = self.watched.lock();
        // The round that ends next may have begun before.
        let enough = read.rounds + 2;
        let waits = |read: &mut Read| read.rounds < enough;
        let settled = self.watched.round.wait_timeout_while(read, LATEST, waits);
        settled.unwrap_or_else(PoisonError::into_inner).0.presses.clone()
    }
}

#[cfg(target_os = "linux")]
mod x11 {
    use super::super::watch::spawn;
    use super::super::x11::{Server, failed};
    use super::{InputPt, MOST, MouseError, Watched};
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::Errno;
    use std::sync::Arc;
    use x11rb::connection::{Connection, RequestConnection};
    use x11rb::protocol::Event;
    use x11rb::protocol::xinput::{ConnectionExt as _, Device, EventMask, XIEventMask};

    /// Version of the XInput extension that tells of raw events whoever has grabbed the pointer.
    const VERSION: (u16, u16) = (2, 1);

    /// The left button's number.
    const LEFT: u32 = 1;

    /// Between two looks at whether anybody still wants to know.
    const PATIENCE: Timespec = Timespec {
        tv_sec: 0,
        tv_nsec: 100_000_000,
    };

    /// Adds every press to the list while somebody else holds it.
    pub fn watch(watched: &Arc<Watched>) -> Result<(), MouseError> {
        let server = Server::connect()?;
        select(&server)?;
        let watched = Arc::downgrade(watched);
        spawn("presses", move || {
            while let Some(watched) = watched.upgrade() {
                // Without the server nobody presses.
                while let Some(event) = match server.connection.poll_for_event() {
                    Ok(event) => event,
                    Err(_) => return,
                } {
                    if !matches!(event, Event::XinputRawButtonPress(press) if press.detail == LEFT) {
                        continue;
                    }
                    // The event says no place. The pointer is asked for at once.
                    let Ok((x, y)) = server.pointer() else { return };
                    let mut read = watched.lock();
                    if read.presses.len() < MOST {
                        read.presses.push(InputPt { x, y });
                    }
                }
                watched.lock().rounds += 1;
                watched.round.notify_all();
                drop(watched);
                let mut server = [PollFd::new(server.connection.stream(), PollFlags::IN)];
                match poll(&mut server, Some(&PATIENCE)) {
                    // A signal of the process came to this thread.
                    Ok(_) | Err(Errno::INTR) => {}
                    Err(_) => return,
                }
            }
        })
    }

    fn select(server: &Server) -> Result<(), MouseError> {
        let connection = &server.connection;
        let absent = || MouseError::Open("the X server does not tell of presses (XInput 2)".to_owned());
        let extension = x11rb::protocol::xinput::X11_EXTENSION_NAME;
        connection
            .extension_information(extension)
            .map_err(failed)?
            .ok_or_else(absent)?;
        let version = connection
            .xinput_xi_query_version(VERSION.0, VERSION.1)
            .map_err(failed)?;
        let version = version.reply().map_err(failed)?;
        if (version.major_version, version.minor_version) < VERSION {
            return Err(absent());
        }
        let presses = EventMask {
            deviceid: Device::ALL_MASTER.into(),
            mask: vec![XIEventMask::RAW_BUTTON_PRESS],
        };
        let selected = connection
            .xinput_xi_select_events(server.root, &[presses])
            .map_err(failed)?;
        selected.check().map_err(failed)
    }
}
