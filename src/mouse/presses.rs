//! Where the left button is pressed, also by a tap that is too short to be met by a look at the button.

use super::error::MouseError;
use std::sync::{Arc, Mutex, PoisonError};
use torres_geometry::InputPt;

/// Presses beyond these are not kept.
const MOST: usize = 32;

/// Sees every press of the left button while it lives, whoever makes it. Where the system does not tell of them it sees
/// none.
#[derive(Debug)]
pub struct Presses {
    seen: Arc<Mutex<Vec<InputPt>>>,
}

impl Presses {
    /// Watches from now on, from a thread of its own that ends soon after this value.
    pub fn watch() -> Result<Presses, MouseError> {
        let seen = Arc::default();
        #[cfg(target_os = "linux")]
        x11::watch(&seen)?;
        Ok(Presses { seen })
    }

    /// Where the pointer was at each press, in their order.
    pub fn seen(&self) -> Vec<InputPt> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[cfg(target_os = "linux")]
mod x11 {
    use super::super::watch::spawn;
    use super::super::x11::{Server, failed};
    use super::{InputPt, MOST, MouseError};
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::Errno;
    use std::sync::{Arc, Mutex, PoisonError};
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
    pub fn watch(seen: &Arc<Mutex<Vec<InputPt>>>) -> Result<(), MouseError> {
        let server = Server::connect()?;
        select(&server)?;
        let seen = Arc::downgrade(seen);
        spawn("presses", move || {
            while let Some(seen) = seen.upgrade() {
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
                    let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
                    if seen.len() < MOST {
                        seen.push(InputPt { x, y });
                    }
                }
                drop(seen);
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
