//! Hearing of changes from the X server (DAMAGE extension), instead of looking for them.
//!
//! The server tells once that something was drawn (`NonEmpty`), and then keeps quiet until it is asked what: so a burst
//! of drawing is one report, however many requests made it, and a report is made only after the drawing is done. What
//! was drawn is asked for before the report goes on, so that whatever comes later makes a new one.

use super::connection::{connect, text};
use std::thread;
use std::time::{Duration, Instant};
use torres_frame::{Changes, Reporter};
use torres_geometry::DesktopRect;
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::damage::{self, ConnectionExt as _, ReportLevel};
use x11rb::protocol::xfixes::{self, ConnectionExt as _};
use x11rb::protocol::xproto::{ConnectionExt as _, CreateWindowAux, Rectangle, WindowClass};
use x11rb::rust_connection::RustConnection;

/// DAMAGE and XFIXES of these versions have all that is used here; both are older than MIT-SHM 1.2.
const DAMAGE_VERSION: (u32, u32) = (1, 1);
const XFIXES_VERSION: (u32, u32) = (2, 0);

/// Longest time in which a server tells that the screen has some content to begin with.
const TOLD_FIRST: Duration = Duration::from_millis(200);
/// Longest time in which a change must be told of to count as told.
const TOLD_WITHIN: Duration = Duration::from_secs(1);

/// Starts hearing of what is drawn on the display within a region.
///
/// A thread of its own waits for the server. It ends when the server is gone, or at the first drawing after nobody
/// listens any more.
pub(crate) fn changes(region: DesktopRect) -> Result<Changes, String> {
    let (connection, screen) = connect()?;
    let version = connection.damage_query_version(DAMAGE_VERSION.0, DAMAGE_VERSION.1);
    version
        .map_err(text)?
        .reply()
        .map_err(|e| format!("no DAMAGE extension: {e}"))?;
    // The server answers requests of XFIXES only after its version was asked for.
    let version = connection.xfixes_query_version(XFIXES_VERSION.0, XFIXES_VERSION.1);
    version
        .map_err(text)?
        .reply()
        .map_err(|e| format!("no XFIXES extension: {e}"))?;
    let drawn = connection.generate_id().map_err(text)?;
    let made = connection.xfixes_create_region(drawn, &[]).map_err(text)?;
    made.check().map_err(text)?;
    let damage = connection.generate_id().map_err(text)?;
    let made = connection
        .damage_create(damage, screen.root, ReportLevel::NON_EMPTY)
        .map_err(text)?;
    made.check().map_err(text)?;
    let (reporter, changes) = Changes::within(region);
    let server = Server {
        connection,
        damage,
        drawn,
    };
    thread::Builder::new()
        .name("changes".to_owned())
        .spawn(move || server.report_to(&reporter))
        .map_err(text)?;
    Ok(changes)
}

struct Server {
    connection: RustConnection,
    damage: damage::Damage,
    /// The server's region into which it puts what was drawn.
    drawn: xfixes::Region,
}

impl Server {
    fn report_to(&self, reporter: &Reporter) {
        // An error means that the server is gone: the listener learns it from the reporter's end.
        while let Ok(event) = self.connection.wait_for_event() {
            if reporter.is_unheard() {
                return;
            }
            if !matches!(event, Event::DamageNotify(_)) {
                continue;
            }
            let Ok(rects) = self.take_drawn() else { return };
            reporter.drawn(rects.into_iter().map(on_desktop));
        }
    }

    /// What was drawn since the last time.
    fn take_drawn(&self) -> Result<Vec<Rectangle>, String> {
        self.connection
            .damage_subtract(self.damage, x11rb::NONE, self.drawn)
            .map_err(text)?;
        let drawn = self.connection.xfixes_fetch_region(self.drawn).map_err(text)?;
        Ok(drawn.reply().map_err(text)?.rectangles)
    }
}

fn on_desktop(rect: Rectangle) -> DesktopRect {
    DesktopRect {
        x: rect.x.into(),
        y: rect.y.into(),
        width: rect.width.into(),
        height: rect.height.into(),
    }
}

/// Makes a change, one pixel in the desktop's upper left corner for a moment, and says after which time it was told of.
///
/// That the server has the extension does not prove that it tells of what is on the screen.
pub(crate) fn prove() -> Result<Duration, String> {
    let pixel = DesktopRect {
        x: 0,
        y: 0,
        width: 1,
        height: 1,
    };
    let mut told = changes(pixel)?;
    let (connection, screen) = connect()?;
    let window = connection.generate_id().map_err(text)?;
    let colors = CreateWindowAux::new().override_redirect(1);
    let visual = 0; // The parent's.
    connection
        .create_window(
            x11rb::COPY_DEPTH_FROM_PARENT,
            window,
            screen.root,
            0,
            0,
            1,
            1,
            0,
            WindowClass::INPUT_OUTPUT,
            visual,
            &colors.background_pixel(screen.white_pixel),
        )
        .map_err(text)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .map_err(text)?;
    let mut wait = |at_most| runtime.block_on(async { tokio::time::timeout(at_most, told.next()).await });
    // Servers begin with telling of the whole screen, which proves nothing.
    let _ = wait(TOLD_FIRST);
    let began = Instant::now();
    connection.map_window(window).map_err(text)?;
    connection.flush().map_err(text)?;
    let heard = wait(TOLD_WITHIN);
    let took = began.elapsed();
    // The window goes with the connection.
    match heard {
        Ok(true) => Ok(took),
        _ => Err(format!("the X server told of no change within {TOLD_WITHIN:?}")),
    }
}
