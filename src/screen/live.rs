//! [`LiveScreen`]: frames of a monitor, or of a part of it, captured when asked for.

use super::info::{Listed, MonitorInfo, ScreenError, is_wayland};
use super::kind::{Capture, CaptureKind};
use super::monitors::{listed, monitors};
#[cfg(feature = "xcap")]
use super::portable::PortableCapture;
use super::reports::changes;
#[cfg(target_os = "linux")]
use super::x11::X11Capture;
use torres_frame::{Changes, Frame, FrameError, FrameSource, Timestamp};
use torres_geometry::{DesktopPx, DesktopRect};

/// Captures one monitor, or a region of it, live.
///
/// A frame shows the screen at [`Frame::at`] or up to the time of one capture later, never earlier.
pub struct LiveScreen {
    monitor: MonitorInfo,
    kind: CaptureKind,
    backend: Box<dyn Capture>,
    region: Option<DesktopRect>,
}

impl LiveScreen {
    /// Opens a monitor by its number, with the fastest way of capturing that works here.
    pub fn monitor(index: usize) -> Result<LiveScreen, ScreenError> {
        let mut refused = None;
        for kind in CaptureKind::ALL {
            match LiveScreen::with_kind(index, kind) {
                Err(error @ ScreenError::NoBackend { .. }) => refused = Some(error),
                other => return other,
            }
        }
        Err(refused.unwrap_or(ScreenError::NoMonitor { index, count: 0 }))
    }

    /// Opens a monitor with one given way of capturing.
    pub fn with_kind(index: usize, kind: CaptureKind) -> Result<LiveScreen, ScreenError> {
        if is_wayland() {
            return Err(ScreenError::Wayland);
        }
        let all = listed()?;
        let count = all.len();
        let monitor = all.get(index).ok_or(ScreenError::NoMonitor { index, count })?;
        let backend = open(kind, monitor).map_err(|reason| ScreenError::NoBackend { kind, reason })?;
        let mut screen = LiveScreen {
            monitor: monitor.info(index),
            kind,
            backend,
            region: None,
        };
        // A server may accept the connection and refuse the first picture; better now than in a game.
        let corner = DesktopRect {
            width: 1,
            height: 1,
            ..screen.monitor.rect
        };
        match screen.backend.capture(corner) {
            Ok(_) => Ok(screen),
            Err(reason) => Err(ScreenError::NoBackend { kind, reason }),
        }
    }

    /// Opens the monitor that shows most of a rectangle, the first one if none does.
    pub fn showing(rect: &DesktopRect) -> Result<LiveScreen, ScreenError> {
        let area = |m: &MonitorInfo| {
            let common = m.rect.intersect(rect);
            common.map_or(0, |c| u64::from(c.width) * u64::from(c.height))
        };
        let index = monitors()?.iter().rev().max_by_key(|m| area(m)).map_or(0, |m| m.index);
        LiveScreen::monitor(index)
    }

    /// Restricts the following frames to a part of the desktop, clipped to the monitor; `None` is the whole monitor.
    ///
    /// While nothing of the region is on the monitor, [`next_frame`](FrameSource::next_frame) answers
    /// [`FrameError::Gone`].
    pub fn set_region(&mut self, region: Option<DesktopRect>) {
        self.region = region;
    }

    /// The monitor that is captured.
    pub fn info(&self) -> &MonitorInfo {
        &self.monitor
    }

    /// Whether frames are the display server's own pixels, one for one, in which it also says where the pointer is.
    pub fn is_the_server_s(&self) -> bool {
        matches!(self.kind, CaptureKind::SharedMemory | CaptureKind::Socket)
    }

    /// How pixels are captured.
    pub fn kind(&self) -> CaptureKind {
        self.kind
    }
}

fn open(kind: CaptureKind, monitor: &Listed) -> Result<Box<dyn Capture>, String> {
    match kind {
        #[cfg(target_os = "linux")]
        CaptureKind::SharedMemory | CaptureKind::Socket => Ok(Box::new(X11Capture::open(kind, monitor.rect)?)),
        #[cfg(not(target_os = "linux"))]
        CaptureKind::SharedMemory | CaptureKind::Socket => Err("it needs X11".to_owned()),
        #[cfg(feature = "xcap")]
        CaptureKind::Portable => Ok(Box::new(PortableCapture::open(monitor)?)),
        #[cfg(not(feature = "xcap"))]
        CaptureKind::Portable => Err("Torres was built without it (`make build` builds it in)".to_owned()),
    }
}

impl FrameSource for LiveScreen {
    fn next_frame(&mut self) -> Result<Frame, FrameError> {
        let rect = match self.region {
            None => self.monitor.rect,
            Some(region) => region.intersect(&self.monitor.rect).ok_or_else(|| {
                FrameError::Gone(format!(
                    "the region {}×{} at {}, {}",
                    region.width, region.height, region.x, region.y
                ))
            })?,
        };
        let at = Timestamp::now();
        let image = self.backend.capture(rect).map_err(FrameError::Failed)?;
        let origin = DesktopPx {
            x: f64::from(rect.x),
            y: f64::from(rect.y),
        };
        Ok(Frame {
            image: image.into(),
            at,
            origin,
        })
    }

    fn changes(&self, region: DesktopRect) -> Option<Changes> {
        changes(region).ok()
    }
}
