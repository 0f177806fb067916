//! What was started ends: with the value that stands for it, and with the process that started it.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use torres::desktop::{Browser, BrowserOptions, DesktopError, Display};
use torres_test_support::desktop::{Page, on_display};
use torres_test_support::{PATIENCE, ROLE, itself, wait_for};

/// The processes of a group, those that have ended and merely wait to be noticed left out.
fn members(group: u32) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        // After the name in parentheses: state, parent, process group.
        let Some((name, rest)) = stat.rsplit_once(')') else {
            continue;
        };
        let fields: Vec<&str> = rest.split_whitespace().collect();
        if fields[0] != "Z" && fields[2] == group.to_string() {
            found.push(name.to_owned());
        }
    }
    found
}

/// The processes that were told of a folder in their command line.
fn users_of(folder: &str) -> usize {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = entries.map(|entry| std::fs::read(entry.path().join("cmdline")).unwrap_or_default());
    lines
        .filter(|line| line.windows(folder.len()).any(|part| part == folder.as_bytes()))
        .count()
}

fn wait_until_empty(group: u32) {
    wait_for(&format!("the processes of group {group} to end"), || {
        members(group).is_empty().then_some(())
    });
}

#[test]
fn dropping_a_browser_leaves_no_process_and_no_profile() {
    on_display(
        "desktop_lifetime::dropping_a_browser_leaves_no_process_and_no_profile",
        |display| {
            let page = Page::serve("Short-lived", "");
            let browser = Browser::open(display, page.url(), BrowserOptions::default()).unwrap();
            let (profile, group) = (browser.profile().unwrap().to_owned(), browser.group().unwrap());
            let folder = profile.to_str().unwrap();
            assert!(
                members(group).len() > 2 && users_of(folder) > 2,
                "the browser and its helpers run"
            );
            drop(browser);
            wait_until_empty(group);
            wait_for("helpers outside of the group to end", || {
                (users_of(folder) == 0).then_some(())
            });
            assert!(!profile.exists());
        },
    );
}

#[test]
fn dropping_a_display_ends_its_server() {
    let display = Display::headless(640, 480).unwrap();
    let group = display.group().unwrap();
    assert!(x11rb::connect(Some(display.name())).is_ok());
    assert!(members(group).iter().any(|name| name.contains("Xvfb")));
    drop(display);
    wait_until_empty(group);
}

/// What the next test kills: a process with a display and a browser, which says so and waits.
#[test]
#[ignore = "a part of a_killed_process_takes_its_display_and_browser_with_it"]
fn holds_a_display_and_a_browser() {
    let Ok(url) = std::env::var(ROLE) else { return };
    let display = Display::headless(800, 600).unwrap();
    let browser = Browser::open(&display, &url, BrowserOptions::default()).unwrap();
    let (server, group, profile) = (
        display.group().unwrap(),
        browser.group().unwrap(),
        browser.profile().unwrap(),
    );
    println!("\nHOLDS {server} {group} {}", profile.display());
    // Until it is killed; the other test's patience ends earlier.
    std::thread::sleep(10 * PATIENCE);
}

#[test]
fn a_killed_process_takes_its_display_and_browser_with_it() {
    let page = Page::serve("Orphans", "");
    let mut command = itself("desktop_lifetime::holds_a_display_and_a_browser");
    let mut holder = command.env(ROLE, page.url()).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(holder.stdout.take().unwrap())
        .lines()
        .map_while(Result::ok);
    let held = lines.find_map(|line| line.strip_prefix("HOLDS ").map(str::to_owned));
    let held = held.expect("the display and the browser were started");
    let [server, browser, profile] = held.split(' ').collect::<Vec<_>>()[..] else {
        panic!("{held}")
    };
    let (server, browser) = (server.parse().unwrap(), browser.parse().unwrap());
    assert!(!members(server).is_empty() && !members(browser).is_empty());

    let killed = Command::new("kill")
        .args(["-KILL", &holder.id().to_string()])
        .status()
        .unwrap();
    assert!(killed.success());
    holder.wait().unwrap();
    wait_until_empty(browser);
    wait_until_empty(server);
    std::fs::remove_dir_all(profile).unwrap();
}

#[test]
fn a_display_that_is_not_there_is_an_error() {
    let mut child = itself("desktop_lifetime::without_a_display");
    let output = child.env_remove("DISPLAY").env(ROLE, "none").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// What the last test runs without a `DISPLAY`.
#[test]
#[ignore = "a part of a_display_that_is_not_there_is_an_error"]
fn without_a_display() {
    if std::env::var(ROLE).is_err() {
        return;
    }
    assert!(matches!(Display::current(), Err(DesktopError::NoDisplay)));
}
