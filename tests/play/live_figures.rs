//! What watching a live board costs, on one core: `cargo test --test play live_figures:: -- --ignored --nocapture
//! --test-threads=1`.
//!
//! The figures are printed, never judged: how fast a machine is must not decide whether it passes. Those of the game
//! itself are printed by `torres demo`.
#![cfg(target_os = "linux")]

use image::Rgba;
use image::imageops::{self, FilterType};
use shakmaty::{Chess, Position};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use torres::frame::FrameSource;
use torres::geometry::{BoardMap, BoardRect, DesktopRect, Orientation};
use torres::journal::Event;
use torres::screen::{CaptureKind, LiveScreen};
use torres::vision::{Appearance, Reading, Tracker};
use torres_test_support::desktop::{BareWindow, on_display};
use torres_test_support::play::{Practice, Run, has_event, journal, scripted_engine};
use torres_test_support::wait_for;

/// Side of the board, in pixels.
const BOARD: u16 = 600;
/// How many unchanged frames are taken.
const FRAMES: usize = 2000;
/// How long the waiting is watched.
const WATCHED: Duration = Duration::from_secs(30);
/// The kernel counts a process's time in hundredths of a second.
const TICKS_PER_SECOND: f64 = 100.0;

fn print(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!(
        "{what}: median {:.3} ms, 99th percentile {:.3} ms of {}",
        at(0.5),
        at(0.99),
        times.len()
    );
}

#[test]
#[ignore = "prints figures"]
fn an_unchanged_frame() {
    on_display("live_figures::an_unchanged_frame", |display| {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/vision/game/00-stable.png");
        let page = image::open(path).unwrap().to_rgba8();
        let board = imageops::crop_imm(&page, 8, 8, 272, 272).to_image();
        let board = imageops::resize(&board, BOARD.into(), BOARD.into(), FilterType::Triangle);
        let shown = BareWindow::open(display.name(), (40, 50), (BOARD, BOARD));
        shown.paint(&board);
        let map = BoardMap {
            rect: BoardRect::new(0.0, 0.0, BOARD.into(), BOARD.into()).unwrap(),
            orientation: Orientation::White,
        };
        let start = Chess::default();
        for kind in CaptureKind::ALL {
            let mut screen = LiveScreen::with_kind(0, kind).unwrap();
            screen.set_region(Some(DesktopRect {
                x: 40,
                y: 50,
                width: BOARD.into(),
                height: BOARD.into(),
            }));
            let first = screen.next_frame().unwrap();
            assert_eq!(first.image.get_pixel(300, 300), &opaque(board.get_pixel(300, 300)));
            let appearance = Appearance::learn(&first.image, &map, start.board()).unwrap();
            let mut tracker = Tracker::new(appearance, map);
            assert!(matches!(tracker.step(&first, &start), Reading::Stands));
            let (mut captures, mut steps, mut both) = (Vec::new(), Vec::new(), Vec::new());
            let frames = if kind == CaptureKind::Portable {
                FRAMES / 10
            } else {
                FRAMES
            };
            for _ in 0..frames {
                let began = Instant::now();
                let frame = screen.next_frame().unwrap();
                let captured = began.elapsed();
                assert!(matches!(tracker.step(&frame, &start), Reading::Unchanged));
                drop(frame);
                both.push(began.elapsed());
                captures.push(captured);
                steps.push(began.elapsed() - captured);
            }
            println!();
            print(&format!("{kind}: unchanged 600×600 frame, capture included"), both);
            print(&format!("{kind}:   the capture"), captures);
            print(&format!("{kind}:   the tracker's step"), steps);
        }
    });
}

fn opaque(pixel: &Rgba<u8>) -> Rgba<u8> {
    Rgba([pixel[0], pixel[1], pixel[2], 255])
}

/// The time that a process, its children aside, has had of a core, in ticks.
fn ticks(pid: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let (_, after_name) = stat.rsplit_once(')').unwrap();
    let fields: Vec<&str> = after_name.split_whitespace().collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

fn print_share_of_a_core(what: &str, play: &Run) {
    let (before, began) = (ticks(play.id()), Instant::now());
    std::thread::sleep(WATCHED);
    let used = (ticks(play.id()) - before) as f64 / TICKS_PER_SECOND;
    let passed = began.elapsed().as_secs_f64();
    println!(
        "{what}: {:.2} % of a core ({used:.2} s in {passed:.1} s)",
        used / passed * 100.0
    );
}

/// The bot thinks for longer than is measured, its clock beside the board counting the seconds.
#[test]
#[ignore = "prints figures"]
fn waiting_for_the_opponent() {
    let practice = Practice::open("e7e5", &["--delay-ms", "90000", "--color", "white"]);
    practice.stage.calibrate(&[]);
    let engine = scripted_engine("", &["e2e4".to_owned()]);
    let play = practice.stage.play(&["--engine", &engine, "--plies", "2"]);
    wait_for("our move to land", || {
        let journal = journal(&practice.stage.out());
        has_event(&journal, |event| matches!(event, Event::Verdict(_))).then_some(())
    });
    println!();
    print_share_of_a_core("waiting for the opponent", &play);

    let ended = Arc::new(AtomicBool::new(false));
    let clock = BareWindow::open(practice.stage.display().name(), (0, 0), (80, 30));
    let ticking = std::thread::spawn({
        let ended = Arc::clone(&ended);
        move || {
            let mut color = 0u32;
            while !ended.load(Ordering::Relaxed) {
                color = color.wrapping_add(0x01_0305);
                clock.fill(color & 0xff_ffff);
                std::thread::sleep(Duration::from_millis(16));
            }
        }
    });
    print_share_of_a_core("the same, something beside the board drawn 60 times a second", &play);
    ended.store(true, Ordering::Relaxed);
    ticking.join().unwrap();
}
