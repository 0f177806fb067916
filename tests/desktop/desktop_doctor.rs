//! `torres doctor` on a display that is ready, and on machines where something is missing.
#![cfg(target_os = "linux")]

use serde_json::Value;
use std::path::Path;
use std::process::Command;
use torres::mouse::Hold;
use torres_test_support::desktop::{Pointer, Server, exchange_buttons, on_display, set_text_dpi, split_monitor};
use torres_test_support::program;

/// Runs the doctor; its exit status and what it said.
fn doctor(args: &[&str], change: impl FnOnce(&mut Command)) -> (Option<i32>, Value) {
    let mut command = Command::new(program());
    command.args(["doctor", "--json"]).args(args);
    change(&mut command);
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let report = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
    (output.status.code(), report)
}

/// The same on another display.
fn doctor_on(display: &str, args: &[&str]) -> (Option<i32>, Value) {
    doctor(args, |command| {
        command.env("DISPLAY", display);
        command.env_remove("WAYLAND_DISPLAY").env_remove("XDG_SESSION_TYPE");
    })
}

fn check(report: &Value, name: &str) -> Value {
    let checks = report["checks"].as_array().unwrap();
    let found = checks.iter().find(|check| check["name"] == name);
    found.unwrap_or_else(|| panic!("no {name} in {report}")).clone()
}

fn detail(report: &Value, name: &str) -> String {
    check(report, name)["detail"].as_str().unwrap().to_owned()
}

/// The names of what is complained about; each complaint must say what to do.
fn complaints((status, report): &(Option<i32>, Value)) -> Vec<String> {
    let checks = report["checks"].as_array().unwrap();
    let failed: Vec<&Value> = checks.iter().filter(|check| check["ok"] == false).collect();
    for check in checks {
        assert_eq!(check["ok"] == false, check["advice"].is_string(), "{check}");
    }
    assert_eq!(report["ok"], failed.is_empty(), "{report}");
    assert_eq!(*status, Some(i32::from(!failed.is_empty())), "{report}");
    failed
        .iter()
        .map(|check| check["name"].as_str().unwrap().to_owned())
        .collect()
}

/// That this alone is complained about, and with what advice.
fn only_complaint(found: (Option<i32>, Value), name: &str, advice: &str) {
    assert_eq!(complaints(&found), [name], "{}", found.1);
    let given = check(&found.1, name)["advice"].as_str().unwrap().to_owned();
    assert!(given.contains(advice), "{given}");
}

#[test]
fn a_ready_display_has_no_complaint() {
    on_display("desktop_doctor::a_ready_display_has_no_complaint", |_| {
        let found = doctor(&[], |_| ());
        assert_eq!(complaints(&found), Vec::<String>::new(), "{}", found.1);
        let report = found.1;
        let starts = [
            ("permissions", "the screen may be read, the mouse moved"),
            ("windows", "window manager Openbox, windows open: "),
            ("monitors", "0: screen 1280×800 at 0, 0"),
            ("capture", "X11 shared memory, 600×600 px in "),
            ("waking", "wakes by X Damage"),
            (
                "scale",
                "1.00 pixels of the screen are one of a page, 1.00 units of the mouse",
            ),
            ("input", "a click and a drag arrived"),
        ];
        for (name, start) in starts {
            assert!(detail(&report, name).starts_with(start), "{name}: {report}");
        }
        // What is said of the browser is what its page had from it.
        let browser = detail(&report, "browser");
        assert!(
            browser.contains(", version ") && browser.contains("shows a page after"),
            "{browser}"
        );
        let engine = detail(&report, "engine");
        assert!(
            engine.contains("over its socket") && engine.contains("as UCI"),
            "{engine}"
        );
    });
}

#[test]
fn without_the_page_it_is_quick_and_opens_nothing() {
    on_display("desktop_doctor::without_the_page_it_is_quick_and_opens_nothing", |_| {
        let found = doctor(&["--quick"], |_| ());
        assert_eq!(complaints(&found), Vec::<String>::new(), "{}", found.1);
        let names: Vec<&str> = found.1["checks"]
            .as_array()
            .unwrap()
            .iter()
            .map(|check| check["name"].as_str().unwrap())
            .collect();
        assert!(!names.contains(&"input") && !names.contains(&"scale"), "{names:?}");
        assert!(!detail(&found.1, "browser").contains("version"), "{}", found.1);
    });
}

#[test]
fn the_pointer_is_where_it_was_afterwards() {
    on_display("desktop_doctor::the_pointer_is_where_it_was_afterwards", |display| {
        let pointer = Pointer::of(display.name());
        for ((x, y), args) in [((333, 222), [].as_slice()), ((1279, 400), &["--quick"])] {
            pointer.move_to(x, y);
            doctor(args, |_| ());
            let place = pointer.place();
            assert_eq!((place.x, place.y), (x.into(), y.into()));
        }
    });
}

#[test]
fn a_desktop_drawn_larger_is_measured_in_its_own_pixels() {
    on_display(
        "desktop_doctor::a_desktop_drawn_larger_is_measured_in_its_own_pixels",
        |display| {
            set_text_dpi(display.name(), 144);
            let found = doctor(&[], |_| ());
            assert_eq!(complaints(&found), Vec::<String>::new(), "{}", found.1);
            let scale = detail(&found.1, "scale");
            assert!(
                scale.starts_with("1.50 pixels of the screen are one of a page, 1.00 units of the mouse"),
                "{scale}"
            );
            assert!(detail(&found.1, "monitors").contains("scale 1.50"), "{}", found.1);
        },
    );
}

#[test]
fn another_torres_that_has_the_mouse_is_left_alone() {
    on_display(
        "desktop_doctor::another_torres_that_has_the_mouse_is_left_alone",
        |display| {
            let _hold = Hold::take("playing with 'site'", Path::new(program())).unwrap();
            let pointer = Pointer::of(display.name());
            pointer.move_to(333, 222);
            let found = doctor(&[], |_| ());
            assert_eq!(complaints(&found), ["mouse", "input"], "{}", found.1);
            assert!(detail(&found.1, "mouse").contains("playing with 'site'"));
            assert!(
                !detail(&found.1, "browser").contains("version"),
                "a window over the game: {}",
                found.1
            );
        },
    );
}

#[test]
fn without_a_window_manager_one_is_asked_for() {
    let server = Server::start(&[]);
    let found = doctor_on(server.name(), &[]);
    assert_eq!(complaints(&found), ["windows", "input"], "{}", found.1);
    let windows = check(&found.1, "windows");
    assert!(windows["advice"].as_str().unwrap().contains("openbox"), "{windows}");
}

#[test]
fn a_server_that_lets_no_program_move_the_mouse_is_a_complaint() {
    let server = Server::start(&["-tst"]);
    let (status, report) = doctor_on(server.name(), &["--quick"]);
    assert_eq!(status, Some(1));
    let permissions = check(&report, "permissions");
    assert!(permissions["advice"].as_str().unwrap().contains("-tst"), "{report}");
}

#[test]
fn several_monitors_are_listed_and_captured() {
    on_display("desktop_doctor::several_monitors_are_listed_and_captured", |display| {
        split_monitor(
            display.name(),
            &[("left", (0, 0, 640, 800)), ("right", (640, 0, 640, 800))],
        );
        let found = doctor(&["--quick"], |_| ());
        assert_eq!(complaints(&found), Vec::<String>::new(), "{}", found.1);
        let monitors = detail(&found.1, "monitors");
        assert!(
            monitors.contains("640×800 at 0, 0; 1: right 640×800 at 640, 0"),
            "{monitors}"
        );
    });
}

#[test]
fn a_monitor_that_cannot_be_captured_is_a_complaint_that_names_it() {
    on_display(
        "desktop_doctor::a_monitor_that_cannot_be_captured_is_a_complaint_that_names_it",
        |display| {
            // A part of it is beyond the desktop.
            split_monitor(
                display.name(),
                &[("left", (0, 0, 1000, 800)), ("right", (1000, 0, 640, 800))],
            );
            let found = doctor(&["--quick"], |_| ());
            assert!(
                detail(&found.1, "monitors").contains("monitor 1 cannot be captured"),
                "{}",
                found.1
            );
            only_complaint(found, "monitors", "xrandr");
        },
    );
}

#[test]
fn a_folder_for_files_that_is_not_there_is_a_complaint() {
    on_display(
        "desktop_doctor::a_folder_for_files_that_is_not_there_is_a_complaint",
        |_| {
            let (status, report) = doctor(&["--quick"], |command| {
                command.env("TMPDIR", "/nonexistent");
            });
            assert_eq!(status, Some(1));
            let permissions = check(&report, "permissions");
            assert!(permissions["advice"].as_str().unwrap().contains("TMPDIR"), "{report}");
        },
    );
}

#[test]
fn a_missing_browser_is_a_complaint_that_names_the_package() {
    on_display(
        "desktop_doctor::a_missing_browser_is_a_complaint_that_names_the_package",
        |_| {
            let found = doctor(&[], |command| {
                command.env("PATH", "/nonexistent");
            });
            only_complaint(found, "browser", "apt-get install chromium");
        },
    );
}

#[test]
fn a_browser_that_does_not_start_is_a_complaint_with_its_last_words() {
    on_display(
        "desktop_doctor::a_browser_that_does_not_start_is_a_complaint_with_its_last_words",
        |_| {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("chromium");
            std::fs::write(&path, "#!/bin/sh\necho broken to pieces >&2\nexit 3\n").unwrap();
            Command::new("chmod").arg("+x").arg(&path).status().unwrap();
            let path = format!("{}:/usr/bin:/bin", dir.path().display());
            let found = doctor(&[], |command| {
                command.env("PATH", path);
            });
            assert!(detail(&found.1, "browser").contains("broken to pieces"), "{}", found.1);
            only_complaint(found, "browser", "run it by hand");
        },
    );
}

#[test]
fn exchanged_mouse_buttons_are_a_complaint() {
    on_display("desktop_doctor::exchanged_mouse_buttons_are_a_complaint", |display| {
        exchange_buttons(display.name());
        let found = doctor(&[], |_| ());
        only_complaint(found, "input", "exchanged");
    });
}

#[test]
fn an_engine_that_says_nothing_is_a_complaint() {
    on_display("desktop_doctor::an_engine_that_says_nothing_is_a_complaint", |_| {
        let found = doctor(&["--quick", "--engine", "cat"], |_| ());
        assert!(detail(&found.1, "engine").contains("cat: "), "{}", found.1);
        only_complaint(found, "engine", "name another engine");
    });
}

#[test]
fn an_engine_that_is_not_there_is_a_complaint() {
    on_display("desktop_doctor::an_engine_that_is_not_there_is_a_complaint", |_| {
        let found = doctor(&["--quick", "--engine", "no-such-engine"], |_| ());
        only_complaint(found, "engine", "name another engine");
    });
}

#[test]
fn a_pointer_in_a_corner_is_a_complaint() {
    on_display("desktop_doctor::a_pointer_in_a_corner_is_a_complaint", |display| {
        Pointer::of(display.name()).move_to(0, 0);
        let found = doctor(&["--quick"], |_| ());
        only_complaint(found, "mouse", "corner");
    });
}

#[test]
fn without_a_display_a_headless_one_is_examined() {
    let found = doctor(&[], |command| {
        command.env_remove("DISPLAY");
    });
    assert_eq!(complaints(&found), Vec::<String>::new(), "{}", found.1);
    assert!(detail(&found.1, "monitors").contains("1920×1080"));
    assert!(detail(&found.1, "input").contains("a click and a drag arrived"));
}

#[test]
fn without_a_display_and_without_xvfb_the_package_is_named() {
    let (status, report) = doctor(&[], |command| {
        command.env_remove("DISPLAY").env("PATH", "/nonexistent");
    });
    assert_eq!(status, Some(1));
    let display = check(&report, "display");
    assert_eq!(display["ok"], false);
    assert!(display["detail"].as_str().unwrap().contains("apt-get install xvfb"));
}

#[test]
fn an_unreachable_display_is_a_complaint() {
    let (status, report) = doctor_on(":64999", &[]);
    assert_eq!(status, Some(1));
    assert_eq!(check(&report, "display")["ok"], false);
}

#[test]
fn a_wayland_session_is_named_as_the_reason() {
    let (status, report) = doctor(&[], |command| {
        command.env("DISPLAY", ":64999").env("XDG_SESSION_TYPE", "wayland");
    });
    assert_eq!(status, Some(1));
    let display = check(&report, "display");
    assert!(display["advice"].as_str().unwrap().contains("X11"), "{display}");
}
