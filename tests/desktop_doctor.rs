//! `torres doctor` on a display that is ready, and on machines where something is missing.

mod common;

use common::on_display;
use serde_json::Value;
use std::process::Command;

/// Runs the doctor; its exit status and what it said.
fn doctor(change: impl FnOnce(&mut Command)) -> (Option<i32>, Value) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_torres"));
    command.args(["doctor", "--json"]);
    change(&mut command);
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let report = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
    (output.status.code(), report)
}

fn check(report: &Value, name: &str) -> Value {
    let checks = report["checks"].as_array().unwrap();
    let found = checks.iter().find(|check| check["name"] == name);
    found.unwrap_or_else(|| panic!("no {name} in {report}")).clone()
}

#[test]
fn a_ready_display_has_no_complaint() {
    on_display("a_ready_display_has_no_complaint", |_| {
        let (_, report) = doctor(|_| ());
        for name in ["display", "windows", "monitors", "capture", "mouse", "browser"] {
            assert_eq!(check(&report, name)["ok"], true, "{report}");
        }
        assert!(
            check(&report, "monitors")["detail"]
                .as_str()
                .unwrap()
                .contains("1280×800")
        );
        let capture = check(&report, "capture");
        assert!(
            capture["detail"]
                .as_str()
                .unwrap()
                .starts_with("X11 shared memory, 600×600 px"),
            "{capture}"
        );
        let waking = check(&report, "waking");
        assert!(
            waking["detail"].as_str().unwrap().starts_with("wakes by X Damage"),
            "{waking}"
        );
    });
}

#[test]
fn the_pointer_is_where_it_was_afterwards() {
    on_display("the_pointer_is_where_it_was_afterwards", |display| {
        let pointer = common::Pointer::of(display.name());
        for (x, y) in [(333, 222), (1279, 400)] {
            pointer.move_to(x, y);
            doctor(|_| ());
            let place = pointer.place();
            assert_eq!((place.x, place.y), (x.into(), y.into()));
        }
    });
}

#[test]
fn a_missing_browser_is_a_complaint_that_names_the_package() {
    on_display("a_missing_browser_is_a_complaint_that_names_the_package", |_| {
        let (status, report) = doctor(|command| {
            command.env("PATH", "/nonexistent");
        });
        assert_eq!(status, Some(1));
        assert_eq!(report["ok"], false);
        let browser = check(&report, "browser");
        assert_eq!(browser["ok"], false);
        assert!(browser["advice"].as_str().unwrap().contains("apt-get install chromium"));
    });
}

#[test]
fn a_pointer_in_a_corner_is_a_complaint() {
    on_display("a_pointer_in_a_corner_is_a_complaint", |display| {
        common::Pointer::of(display.name()).move_to(0, 0);
        let (status, report) = doctor(|_| ());
        assert_eq!(status, Some(1));
        assert!(check(&report, "mouse")["advice"].as_str().unwrap().contains("corner"));
    });
}

#[test]
fn without_a_display_a_headless_one_is_examined() {
    let (_, report) = doctor(|command| {
        command.env_remove("DISPLAY");
    });
    for name in ["display", "windows", "monitors", "capture", "waking", "mouse"] {
        assert_eq!(check(&report, name)["ok"], true, "{report}");
    }
    assert!(
        check(&report, "monitors")["detail"]
            .as_str()
            .unwrap()
            .contains("1920×1080")
    );
}

#[test]
fn without_a_display_and_without_xvfb_the_package_is_named() {
    let (status, report) = doctor(|command| {
        command.env_remove("DISPLAY").env("PATH", "/nonexistent");
    });
    assert_eq!(status, Some(1));
    let display = check(&report, "display");
    assert_eq!(display["ok"], false);
    assert!(display["detail"].as_str().unwrap().contains("apt-get install xvfb"));
}

#[test]
fn an_unreachable_display_is_a_complaint() {
    let (status, report) = doctor(|command| {
        command.env("DISPLAY", ":64999");
    });
    assert_eq!(status, Some(1));
    assert_eq!(check(&report, "display")["ok"], false);
}

#[test]
fn a_wayland_session_is_named_as_the_reason() {
    let (status, report) = doctor(|command| {
        command.env("DISPLAY", ":64999").env("XDG_SESSION_TYPE", "wayland");
    });
    assert_eq!(status, Some(1));
    let display = check(&report, "display");
    assert!(display["advice"].as_str().unwrap().contains("X11"), "{display}");
}
