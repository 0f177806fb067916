//! Captured pixels are what the page painted, at the place on the desktop where it painted it.

mod common;

use common::{Page, on_display, wait_for};
use image::Rgba;
use torres::desktop::{Browser, BrowserOptions, Display};
use torres::frame::FrameSource;
use torres::geometry::DesktopRect;
use torres::screen::{self, CaptureKind, LiveScreen, WindowInfo};

const MARGIN: u32 = 40;
const SIDE: u32 = 100;
const TITLE: &str = "Four colours";

/// Four squares side by side, with 40 px of white to their left and above.
const FOUR_COLOURS: &str =
    "<style>body{margin:0;background:#fff}div{position:absolute;top:40px;width:100px;height:100px}</style>
<div id=a style='left:40px;background:#c81e28'></div><div id=b style='left:140px;background:#1ec832'></div>
<div id=c style='left:240px;background:#281ec8'></div><div id=d style='left:340px;background:#787878'></div>";
const COLOURS: [[u8; 4]; 4] = [
    [0xc8, 0x1e, 0x28, 255],
    [0x1e, 0xc8, 0x32, 255],
    [0x28, 0x1e, 0xc8, 255],
    [0x78, 0x78, 0x78, 255],
];

fn open(display: &Display) -> (Page, Browser, WindowInfo) {
    let page = Page::serve(TITLE, FOUR_COLOURS);
    let browser = Browser::open(display, page.url(), BrowserOptions::default()).unwrap();
    page.wait_for("ready", 1);
    let window = wait_for("the window with the page's title", || screen::find_window(TITLE).ok());
    (page, browser, window)
}

/// The four squares' place when the window's content is there.
fn squares(client: DesktopRect) -> DesktopRect {
    DesktopRect {
        x: client.x + MARGIN as i32,
        y: client.y + MARGIN as i32,
        width: 4 * SIDE,
        height: SIDE,
    }
}

fn shows_the_squares(screen: &mut LiveScreen, client: DesktopRect) -> bool {
    screen.set_region(Some(squares(client)));
    let Ok(frame) = screen.next_frame() else { return false };
    frame.image.dimensions() == (4 * SIDE, SIDE)
        && frame
            .image
            .enumerate_pixels()
            .all(|(x, _, pixel)| *pixel == Rgba(COLOURS[(x / SIDE) as usize]))
}

#[test]
fn every_backend_captures_the_pages_pixels_at_their_place() {
    on_display("every_backend_captures_the_pages_pixels_at_their_place", |display| {
        let (_page, _browser, window) = open(display);
        for kind in CaptureKind::ALL {
            let mut screen = LiveScreen::with_kind(0, kind).unwrap();
            assert_eq!(screen.kind(), kind);
            wait_for("the four squares", || {
                shows_the_squares(&mut screen, window.client).then_some(())
            });
            // One pixel further on each side and the picture is another: the place is exact.
            for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                let shifted = DesktopRect {
                    x: window.client.x + dx,
                    y: window.client.y + dy,
                    ..window.client
                };
                assert!(
                    !shows_the_squares(&mut screen, shifted),
                    "{kind}: shifted by {dx}, {dy}"
                );
            }
        }
    });
}
