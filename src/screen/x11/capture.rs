//! Capturing over one connection: through shared memory, or as a reply on the socket.
//!
//! The shared memory is an unlinked file in `/dev/shm` whose descriptor the X server gets (MIT-SHM 1.2). It is read
//! with `pread` instead of being mapped, which costs one copy more and needs no `unsafe`.

use super::connection::{connect, text};
use crate::kind::{Capture, CaptureKind};
use image::RgbaImage;
use std::fs::File;
use std::io::Write;
use std::os::unix::fs::FileExt;
use torres_geometry::DesktopRect;
use x11rb::connection::Connection;
use x11rb::protocol::shm::{self, ConnectionExt as _};
use x11rb::protocol::xproto::{ConnectionExt as _, ImageFormat, ImageOrder, Screen, Window};
use x11rb::rust_connection::RustConnection;

/// Every colour plane.
const ALL_PLANES: u32 = !0;
/// Bytes of one pixel in the only layout that is read here: blue, green, red, unused.
const BYTES_PER_PIXEL: usize = 4;
/// How many bytes are read and converted at a time: they stay in the processor's cache meanwhile.
const BLOCK: usize = 1 << 16;

/// Pixels of the root window, as the monitors show them: overlapping windows included, the mouse pointer not.
pub(crate) struct X11Capture {
    connection: RustConnection,
    root: Window,
    memory: Option<SharedMemory>,
}

struct SharedMemory {
    segment: shm::Seg,
    file: File,
}

impl X11Capture {
    /// Connects to the display that the environment names; `largest` is the largest region that will be asked for.
    pub(crate) fn open(kind: CaptureKind, largest: DesktopRect) -> Result<X11Capture, String> {
        let (connection, screen) = connect()?;
        let root = screen.root;
        check_layout(&connection, &screen)?;
        let memory = match kind {
            CaptureKind::SharedMemory => Some(SharedMemory::share(&connection, byte_count(largest))?),
            _ => None,
        };
        Ok(X11Capture {
            connection,
            root,
            memory,
        })
    }

    /// The rectangle's pixels as RGBA, row by row.
    fn pixels(&self, rect: DesktopRect) -> Result<Vec<[u8; BYTES_PER_PIXEL]>, String> {
        let (x, y) = (coordinate(rect.x)?, coordinate(rect.y)?);
        let (width, height) = (extent(rect.width)?, extent(rect.height)?);
        let mut pixels = Vec::with_capacity(byte_count(rect) / BYTES_PER_PIXEL);
        let Some(memory) = &self.memory else {
            let request = self
                .connection
                .get_image(ImageFormat::Z_PIXMAP, self.root, x, y, width, height, ALL_PLANES);
            append_rgba(&request.map_err(text)?.reply().map_err(text)?.data, &mut pixels);
            return Ok(pixels);
        };
        let format = u8::from(ImageFormat::Z_PIXMAP);
        let request =
            self.connection
                .shm_get_image(self.root, x, y, width, height, ALL_PLANES, format, memory.segment, 0);
        request.map_err(text)?.reply().map_err(text)?;
        let mut block = [0; BLOCK];
        let bytes = byte_count(rect);
        for from in (0..bytes).step_by(BLOCK) {
            let part = &mut block[..BLOCK.min(bytes - from)];
            memory.file.read_exact_at(part, from as u64).map_err(text)?;
            append_rgba(part, &mut pixels);
        }
        Ok(pixels)
    }
}

impl Capture for X11Capture {
    fn capture(&mut self, rect: DesktopRect) -> Result<RgbaImage, String> {
        let bytes = self.pixels(rect)?.into_flattened();
        RgbaImage::from_raw(rect.width, rect.height, bytes)
            .ok_or_else(|| format!("the X server sent too few pixels for {}×{}", rect.width, rect.height))
    }
}

impl SharedMemory {
    fn share(connection: &RustConnection, bytes: usize) -> Result<SharedMemory, String> {
        let version = connection.shm_query_version().map_err(text)?.reply().map_err(text)?;
        if (version.major_version, version.minor_version) < (1, 2) {
            return Err(format!(
                "the X server has MIT-SHM {}.{}, 1.2 is needed",
                version.major_version, version.minor_version
            ));
        }
        let mut file = tempfile::tempfile_in("/dev/shm").map_err(|e| format!("/dev/shm: {e}"))?;
        // Written, not only sized: were the memory to run out later, the X server would die of it.
        file.write_all(&vec![0; bytes]).map_err(|e| format!("/dev/shm: {e}"))?;
        let segment = connection.generate_id().map_err(text)?;
        let lent = file.try_clone().map_err(text)?;
        connection
            .shm_attach_fd(segment, lent, false)
            .map_err(text)?
            .check()
            .map_err(text)?;
        Ok(SharedMemory { segment, file })
    }
}

/// Refuses displays whose pixels are not 32 bits of blue, green, red and a rest, in this order.
fn check_layout(connection: &RustConnection, screen: &Screen) -> Result<(), String> {
    let setup = connection.setup();
    let bits = setup.pixmap_formats.iter().find(|f| f.depth == screen.root_depth);
    let visual = screen
        .allowed_depths
        .iter()
        .flat_map(|depth| &depth.visuals)
        .find(|visual| visual.visual_id == screen.root_visual);
    let blue_first = visual.is_some_and(|v| (v.red_mask, v.green_mask, v.blue_mask) == (0xff_0000, 0xff00, 0xff));
    if setup.image_byte_order == ImageOrder::LSB_FIRST && bits.is_some_and(|f| f.bits_per_pixel == 32) && blue_first {
        Ok(())
    } else {
        Err(format!(
            "a display of depth {} has another pixel layout",
            screen.root_depth
        ))
    }
}

/// Appends blue-first pixels as opaque RGBA.
fn append_rgba(blue_first: &[u8], pixels: &mut Vec<[u8; BYTES_PER_PIXEL]>) {
    let (blue_first, _) = blue_first.as_chunks::<BYTES_PER_PIXEL>();
    // Whole words, which the compiler turns into vector instructions, as it does not single bytes.
    pixels.extend(blue_first.iter().map(|pixel| {
        let word = u32::from_le_bytes(*pixel);
        let red_and_blue = (word & 0x00ff_00ff).rotate_left(16);
        (red_and_blue | word & 0x0000_ff00 | 0xff00_0000).to_le_bytes()
    }));
}

fn byte_count(rect: DesktopRect) -> usize {
    rect.width as usize * rect.height as usize * BYTES_PER_PIXEL
}

fn coordinate(value: i32) -> Result<i16, String> {
    i16::try_from(value).map_err(|_| format!("{value} is beyond what X11 can address"))
}

fn extent(value: u32) -> Result<u16, String> {
    u16::try_from(value).map_err(|_| format!("{value} is beyond what X11 can address"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blue_first_pixels_become_opaque_rgba() {
        let mut pixels = vec![[9; 4]];
        append_rgba(&[1, 2, 3, 0, 10, 20, 30, 77], &mut pixels);
        assert_eq!(pixels, [[9; 4], [3, 2, 1, 255], [30, 20, 10, 255]]);
    }

    #[test]
    fn coordinates_beyond_sixteen_bits_are_refused() {
        assert!(coordinate(40_000).is_err());
        assert!(extent(70_000).is_err());
    }
}
