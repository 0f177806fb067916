//! Captured pixels are what the page painted, at the place on the desktop where it painted it; windows are followed.

use image::Rgba;
use torres::desktop::{Browser, BrowserOptions, DesktopError, Display};
use torres::frame::{FrameError, FrameSource, Timestamp};
use torres::geometry::{DesktopPx, DesktopRect};
use torres::screen::{self, CaptureKind, LiveScreen, ScreenError, WindowInfo};
use torres_test_support::desktop::{BareWindow, Page, Server, on_display};
use torres_test_support::{PATIENCE, ROLE, itself, wait_for};

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
    on_display(
        "screen_capture::every_backend_captures_the_pages_pixels_at_their_place",
        |display| {
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
        },
    );
}

#[test]
fn a_frame_says_where_it_lies_and_is_clipped_to_the_monitor() {
    on_display(
        "screen_capture::a_frame_says_where_it_lies_and_is_clipped_to_the_monitor",
        |_| {
            let monitors = screen::monitors().unwrap();
            let whole = DesktopRect {
                x: 0,
                y: 0,
                width: 1280,
                height: 800,
            };
            assert_eq!(
                monitors.iter().map(|m| (m.index, m.rect)).collect::<Vec<_>>(),
                [(0, whole)]
            );
            for kind in CaptureKind::ALL {
                let mut screen = LiveScreen::with_kind(0, kind).unwrap();
                assert_eq!(screen.next_frame().unwrap().image.dimensions(), (1280, 800));

                screen.set_region(Some(DesktopRect {
                    x: 1200,
                    y: -20,
                    width: 300,
                    height: 100,
                }));
                let before = Timestamp::now();
                let frame = screen.next_frame().unwrap();
                assert_eq!(frame.image.dimensions(), (80, 80));
                assert_eq!(frame.origin, DesktopPx { x: 1200.0, y: 0.0 });
                assert!((before..=Timestamp::now()).contains(&frame.at));
                assert!(frame.image.pixels().all(|pixel| pixel[3] == 255));

                screen.set_region(Some(DesktopRect { x: 1280, ..whole }));
                assert!(matches!(screen.next_frame(), Err(FrameError::Gone(_))));
                screen.set_region(None);
                assert_eq!(screen.next_frame().unwrap().image.dimensions(), (1280, 800));
            }
            let missing = LiveScreen::monitor(1).err();
            assert_eq!(missing, Some(ScreenError::NoMonitor { index: 1, count: 1 }));
        },
    );
}

#[test]
fn what_is_drawn_in_a_region_is_told_and_what_is_drawn_beside_it_is_not() {
    on_display(
        "screen_capture::what_is_drawn_in_a_region_is_told_and_what_is_drawn_beside_it_is_not",
        |display| {
            let inside = BareWindow::open(display.name(), (100, 100), (50, 50));
            let beside = BareWindow::open(display.name(), (150, 100), (50, 50));
            inside.fill(0);
            beside.fill(0);
            let region = DesktopRect {
                x: 90,
                y: 90,
                width: 60,
                height: 60,
            };
            let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
            runtime.unwrap().block_on(async {
                let screen = LiveScreen::monitor(0).unwrap();
                let mut changes = screen.changes(region).unwrap();
                let mut elsewhere = screen.changes(DesktopRect { x: 150, ..region }).unwrap();
                // What was on the screen before is told first.
                for told in [changes.next(), elsewhere.next()] {
                    assert_eq!(tokio::time::timeout(PATIENCE, told).await, Ok(true));
                }
                for round in 1..=10 {
                    for _ in 0..3 {
                        beside.fill(round);
                        let told = tokio::time::timeout(PATIENCE, elsewhere.next()).await;
                        assert_eq!(told, Ok(true), "the other region's change is told");
                    }
                    inside.fill(round);
                    let told = tokio::time::timeout(PATIENCE, changes.next()).await;
                    assert_eq!(told, Ok(true), "the change in the region is told");
                    assert_eq!(changes.count(), u64::from(round) + 1, "and nothing else is");
                }
            });
        },
    );
}

/// `Xft.dpi` makes `xcap` report scaled monitors while it captures unscaled pixels.
#[test]
fn a_desktop_with_scaled_fonts_is_captured_whole() {
    on_display(
        "screen_capture::a_desktop_with_scaled_fonts_is_captured_whole",
        |display| {
            set_resources(display, "Xft.dpi:\t120\n");
            #[cfg(feature = "xcap")]
            assert_eq!(
                xcap::Monitor::all().unwrap()[0].width().unwrap(),
                1024,
                "the trap is there"
            );
            let monitors = screen::monitors().unwrap();
            assert_eq!((monitors[0].rect.width, monitors[0].scale), (1280, 1.25));
            for kind in CaptureKind::ALL {
                let mut screen = LiveScreen::with_kind(0, kind).unwrap();
                screen.set_region(Some(DesktopRect {
                    x: 1000,
                    y: 600,
                    width: 280,
                    height: 200,
                }));
                assert_eq!(screen.next_frame().unwrap().image.dimensions(), (280, 200), "{kind}");
            }
        },
    );
}

fn set_resources(display: &Display, resources: &str) {
    use x11rb::connection::Connection;
    use x11rb::protocol::xproto::{AtomEnum, PropMode};
    use x11rb::wrapper::ConnectionExt;
    let (connection, number) = x11rb::connect(Some(display.name())).unwrap();
    let root = connection.setup().roots[number].root;
    let property = AtomEnum::RESOURCE_MANAGER;
    connection
        .change_property8(
            PropMode::REPLACE,
            root,
            property,
            AtomEnum::STRING,
            resources.as_bytes(),
        )
        .unwrap();
    connection.sync().unwrap();
}

#[test]
fn the_list_has_the_window_with_its_title_and_content() {
    on_display(
        "screen_capture::the_list_has_the_window_with_its_title_and_content",
        |display| {
            let (page, browser, window) = open(display);
            assert_eq!(window.title, TITLE);
            assert_eq!(window.app, "Chromium");
            assert!(!window.minimised);
            assert_eq!(window.id, browser.window().unwrap().id());
            assert_eq!(window.client, browser.window().unwrap().client().unwrap());
            let ready = &page.events_of("ready")[0];
            assert_eq!(ready["width"], window.client.width);
            assert_eq!(ready["height"], window.client.height);
            let missing = screen::find_window("no such title");
            let Err(ScreenError::NoWindow { found, .. }) = missing else {
                panic!("{missing:?}")
            };
            assert_eq!(found, [TITLE]);
        },
    );
}

/// A window in the window manager's care, with these properties and nothing in it.
struct Managed(x11rb::rust_connection::RustConnection);

impl Managed {
    fn open(display: &Display, width: u16, properties: &[(&str, &str, &[u8])]) -> Managed {
        let (server, _) = x11rb::connect(Some(display.name())).unwrap();
        let program = Managed(server);
        program.open_another(width, properties);
        program
    }

    /// The same program opens one more.
    fn open_another(&self, width: u16, properties: &[(&str, &str, &[u8])]) {
        use x11rb::connection::Connection;
        use x11rb::protocol::xproto::{ConnectionExt, CreateWindowAux, PropMode, WindowClass};
        let server = &self.0;
        let root = server.setup().roots[0].root;
        let id = server.generate_id().unwrap();
        let (depth, class) = (x11rb::COPY_DEPTH_FROM_PARENT, WindowClass::INPUT_OUTPUT);
        server
            .create_window(depth, id, root, 0, 0, width, 80, 0, class, 0, &CreateWindowAux::new())
            .unwrap();
        let atom = |name: &str| {
            let request = server.intern_atom(false, name.as_bytes()).unwrap();
            request.reply().unwrap().atom
        };
        for (name, kind, value) in properties {
            let length = value.len() as u32;
            server
                .change_property(PropMode::REPLACE, id, atom(name), atom(kind), 8, length, value)
                .unwrap();
        }
        server.map_window(id).unwrap();
        server.flush().unwrap();
    }
}

#[test]
fn a_program_that_does_not_get_to_its_events_is_told_from_one_that_does_and_from_one_that_does_not_say() {
    use x11rb::connection::Connection;
    use x11rb::protocol::Event;
    use x11rb::protocol::xproto::{ClientMessageEvent, ConnectionExt, EventMask, PropMode};
    use x11rb::wrapper::ConnectionExt as _;
    on_display(
        "screen_capture::a_program_that_does_not_get_to_its_events_is_told_from_one_that_does_and_from_one_that_does_not_say",
        |display| {
            let program = Managed::open(display, 90, &[("WM_NAME", "STRING", b"Board")]);
            let window = wait_for("its window", || by_title(&screen::windows().unwrap(), "Board"));
            assert!(
                screen::Ping::send(window.id).is_none(),
                "it does not say that it answers"
            );
            let server = &program.0;
            let atom = |name: &str| {
                server
                    .intern_atom(false, name.as_bytes())
                    .unwrap()
                    .reply()
                    .unwrap()
                    .atom
            };
            let (protocols, ping) = (atom("WM_PROTOCOLS"), atom("_NET_WM_PING"));
            let kind = atom("ATOM");
            server
                .change_property32(PropMode::REPLACE, window.id, protocols, kind, &[ping])
                .unwrap();
            server.sync().unwrap();
            let mut asked = screen::Ping::send(window.id).unwrap();
            let question = wait_for("the question", || match server.poll_for_event().unwrap() {
                Some(Event::ClientMessage(question)) => Some(question),
                _ => None,
            });
            assert!(!asked.is_answered());
            let root = server.setup().roots[0].root;
            let answer = ClientMessageEvent {
                window: root,
                ..question
            };
            let to = EventMask::SUBSTRUCTURE_NOTIFY | EventMask::SUBSTRUCTURE_REDIRECT;
            server.send_event(false, root, to, answer).unwrap();
            server.flush().unwrap();
            wait_for("the answer", || asked.is_answered().then_some(()));
        },
    );
}

fn by_title(all: &[WindowInfo], title: &str) -> Option<WindowInfo> {
    all.iter().find(|window| window.title == title).cloned()
}

#[test]
fn titles_are_read_in_both_of_their_spellings_and_the_front_window_comes_first() {
    on_display(
        "screen_capture::titles_are_read_in_both_of_their_spellings_and_the_front_window_comes_first",
        |display| {
            assert_eq!(screen::windows(), Ok(Vec::new()), "a window manager without a window");
            let class: &[u8] = b"board\0Board\0";
            let _old = Managed::open(
                display,
                200,
                &[("WM_NAME", "STRING", b"Caf\xe9"), ("WM_CLASS", "STRING", class)],
            );
            wait_for("the first window", || by_title(&screen::windows().unwrap(), "Café"));
            let new = Managed::open(
                display,
                300,
                &[
                    ("WM_NAME", "STRING", b"Schach ?"),
                    ("_NET_WM_NAME", "UTF8_STRING", "Schach ♞".as_bytes()),
                    ("WM_CLASS", "UTF8_STRING", class),
                ],
            );
            // The window manager lists a window before it says that it is in front.
            let all = wait_for("the second window in front", || {
                let all = screen::windows().unwrap();
                (all.len() == 2 && all[0].title == "Schach ♞").then_some(all)
            });
            let widths = all.iter().map(|w| (w.title.as_str(), w.client.width));
            assert_eq!(widths.collect::<Vec<_>>(), [("Schach ♞", 300), ("Café", 200)]);
            assert_eq!(all[1].app, "Board");
            assert_eq!(all[0].app, "", "a program that does not say as it should which it is");
            drop(new.0);
            wait_for("only one to be left", || {
                let all = screen::windows().unwrap();
                (all.len() == 1 && all[0].title == "Café").then_some(())
            });
        },
    );
}

#[test]
fn the_other_windows_of_a_program_are_told_from_those_of_others_by_the_servers_numbers() {
    on_display(
        "screen_capture::the_other_windows_of_a_program_are_told_from_those_of_others_by_the_servers_numbers",
        |display| {
            // Dialogs of a program may have a class of their own, and another program the same one.
            let of_class = |title: &'static [u8], class: &'static [u8]| {
                [("WM_NAME", "STRING", title), ("WM_CLASS", "STRING", class)]
            };
            let program = Managed::open(display, 200, &of_class(b"Board", b"board\0Board\0"));
            program.open_another(300, &of_class(b"Promotion", b"dialog\0Toplevel\0"));
            let _other = Managed::open(display, 400, &of_class(b"Other", b"board\0Board\0"));
            let all = wait_for("three windows", || {
                let all = screen::windows().unwrap();
                (all.len() == 3).then_some(all)
            });
            let board = by_title(&all, "Board").unwrap();
            let beside = screen::windows_beside(board.id).unwrap();
            let titles: Vec<&str> = beside.iter().map(|window| window.title.as_str()).collect();
            assert_eq!(titles, ["Promotion"]);
            assert_eq!(screen::windows_beside(0), Ok(Vec::new()), "no such window");
        },
    );
}

#[test]
fn without_a_window_manager_there_is_no_list_and_that_is_said() {
    if std::env::var_os(ROLE).is_some() {
        let said = screen::windows().unwrap_err().to_string();
        assert!(said.contains("is a window manager running?"), "{said}");
        return;
    }
    let server = Server::start(&[]);
    let mut asker = itself("screen_capture::without_a_window_manager_there_is_no_list_and_that_is_said");
    asker.env("DISPLAY", server.name()).env(ROLE, "asker");
    asker.env_remove("WAYLAND_DISPLAY").env_remove("XDG_SESSION_TYPE");
    let output = asker.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

#[cfg(feature = "xcap")]
fn windows_by_xcap() -> Vec<WindowInfo> {
    let windows = xcap::Window::all().unwrap();
    let windows = windows.iter().map(|window| WindowInfo {
        id: window.id().unwrap(),
        title: window.title().unwrap(),
        app: window.app_name().unwrap(),
        client: DesktopRect {
            x: window.x().unwrap(),
            y: window.y().unwrap(),
            width: window.width().unwrap(),
            height: window.height().unwrap(),
        },
        minimised: window.is_minimized().unwrap(),
    });
    windows.collect()
}

/// Two readers of one desktop: what Torres asks the X server itself, `xcap` tells as well.
#[cfg(feature = "xcap")]
#[test]
fn xcap_sees_the_same_windows_and_monitors() {
    on_display("screen_capture::xcap_sees_the_same_windows_and_monitors", |display| {
        let (_page, browser, _window) = open(display);
        let _other = Managed::open(display, 200, &[("_NET_WM_NAME", "UTF8_STRING", "Läufer".as_bytes())]);
        wait_for("the other window", || by_title(&screen::windows().unwrap(), "Läufer"));
        browser.window().unwrap().minimise().unwrap();
        wait_for("one to be minimised", || {
            screen::windows().unwrap().into_iter().find(|w| w.minimised)
        });
        // The window manager may still be at it between the two readings.
        wait_for("both to see the same two windows", || {
            let theirs = windows_by_xcap();
            (theirs.len() == 2 && screen::windows().unwrap() == theirs).then_some(())
        });

        let ours = screen::monitors().unwrap();
        let theirs = xcap::Monitor::all().unwrap();
        assert_eq!(theirs.len(), ours.len());
        for (ours, theirs) in ours.iter().zip(&theirs) {
            assert_eq!(ours.name, theirs.name().unwrap());
            assert_eq!(ours.rect.width, theirs.width().unwrap());
            assert_eq!(ours.rect.height, theirs.height().unwrap());
        }
    });
}

/// The form that is built where the packages of `xcap` cannot be had.
#[cfg(not(feature = "xcap"))]
#[test]
fn without_xcap_the_x_server_is_asked_and_xcap_is_refused_with_the_reason() {
    on_display(
        "screen_capture::without_xcap_the_x_server_is_asked_and_xcap_is_refused_with_the_reason",
        |_| {
            assert_eq!(CaptureKind::ALL, [CaptureKind::SharedMemory, CaptureKind::Socket]);
            let refused = LiveScreen::with_kind(0, CaptureKind::Portable).err().unwrap();
            let said = refused.to_string();
            assert!(said.contains("built without it"), "{said}");
        },
    );
}

#[test]
fn a_window_is_followed_when_moved_resized_minimised_and_closed() {
    on_display(
        "screen_capture::a_window_is_followed_when_moved_resized_minimised_and_closed",
        |display| {
            let (_page, browser, window) = open(display);
            let mut screen = LiveScreen::monitor(0).unwrap();
            let handle = browser.window().unwrap();
            let now = || screen::window(window.id).unwrap();

            handle.resize(640, 400).unwrap();
            wait_for("the new size", || {
                now().filter(|w| (w.client.width, w.client.height) == (640, 400))
            });
            handle.move_to(31, 47).unwrap();
            let moved = wait_for("the new place", || {
                now().filter(|w| w.client.x < 60 && w.client.y != window.client.y)
            });
            wait_for("the squares at their new place", || {
                shows_the_squares(&mut screen, now()?.client).then_some(())
            });
            assert_eq!(now().unwrap().client, moved.client);
            assert!(!shows_the_squares(&mut screen, window.client));

            handle.minimise().unwrap();
            wait_for("the window to be minimised", || now().filter(|w| w.minimised));
            wait_for("the squares to be gone", || {
                (!shows_the_squares(&mut screen, moved.client)).then_some(())
            });
            handle.activate().unwrap();
            wait_for("the window to be back", || now().filter(|w| !w.minimised));

            handle.close().unwrap();
            wait_for("the window to be gone", || now().is_none().then_some(()));
            assert!(matches!(browser.window(), Err(DesktopError::Closed)));
        },
    );
}
