//! Time of one capture, by each way of capturing that works here. Needs a display:
//! `xvfb-run -s "-screen 0 1920x1080x24" cargo bench --bench screen`
//!
//! Windows are listed only where a window manager runs.

use criterion::{Criterion, criterion_group, criterion_main};
use torres::frame::FrameSource;
use torres::geometry::DesktopRect;
use torres::screen::{self, CaptureKind, LiveScreen};

fn captures(c: &mut Criterion) {
    if std::env::var_os("DISPLAY").is_none() {
        println!("skipped: there is no DISPLAY to capture");
        return;
    }
    for kind in CaptureKind::ALL {
        let mut screen = match LiveScreen::with_kind(0, kind) {
            Ok(screen) => screen,
            Err(error) => {
                println!("skipped: {error}");
                continue;
            }
        };
        let monitor = screen.info().rect;
        let board = DesktopRect {
            x: monitor.x + 100,
            y: monitor.y + 120,
            width: 600,
            height: 600,
        };
        for (what, region) in [("600x600", Some(board)), ("monitor", None)] {
            screen.set_region(region);
            c.bench_function(&format!("{kind}/{what}"), |b| {
                b.iter(|| screen.next_frame().expect("a frame"))
            });
        }
    }
}

/// What following a window costs: once before every gesture.
fn windows(c: &mut Criterion) {
    match screen::windows() {
        Ok(windows) => {
            let count = windows.len();
            c.bench_function(&format!("windows/{count}"), |b| {
                b.iter(|| screen::windows().expect("the list"))
            });
        }
        Err(error) => println!("skipped: {error}"),
    }
}

criterion_group!(benches, captures, windows);
criterion_main!(benches);
