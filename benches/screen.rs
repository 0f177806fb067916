//! Time of one capture, by each way of capturing that works here. Needs a display:
//! `xvfb-run -s "-screen 0 1920x1080x24" cargo bench --bench screen`

use criterion::{Criterion, criterion_group, criterion_main};
use torres::frame::FrameSource;
use torres::geometry::DesktopRect;
use torres::screen::{CaptureKind, LiveScreen};

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

criterion_group!(benches, captures);
criterion_main!(benches);
