//! What comes in from outside and is no good: arguments are refused before anything is touched, names do not reach the
//! terminal as commands to it, pictures larger than any screen cost no memory.

use serde_json::json;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;
use torres_test_support::program;

/// Runs it in that folder, with no display to be had.
fn torres(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(program());
    command.args(args).current_dir(folder).env_remove("DISPLAY");
    command.stdin(Stdio::null()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A folder with what arguments name: a calibration to play with, and scripts and engines that are wrong in some way.
fn folder() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let calibration = Path::new(env!("CARGO_MANIFEST_DIR")).join("calibration/practice-site.json");
    fs::copy(calibration, dir.path().join("site.json")).unwrap();
    fs::write(dir.path().join("legal.txt"), "e7e5").unwrap();
    fs::write(dir.path().join("illegal.txt"), "e7e5\nd7d7").unwrap();
    fs::write(dir.path().join("latin1.txt"), b"e7e5 # d\xe9but").unwrap();
    let engine = "while read -r word rest; do case $word in
        uci) echo 'option name Hash type spin default 8 min 4 max 512'
             echo 'option name Threads type spin default 1 min 1 max 2'; echo uciok ;;
        isready) echo readyok ;;
        quit) exit ;;
        esac; done";
    fs::write(dir.path().join("engine.sh"), engine).unwrap();
    dir
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn arguments_that_are_no_good_are_refused_before_anything_is_touched() {
    let dir = folder();
    let before = names(dir.path());
    let play = ["play", "site.json"];
    let (demo, site) = (["demo", "--headless"], ["site", "--port", "0"]);
    let ladder = ["ladder", "--out", "ladder", "--against", "sh engine.sh"];
    let (selfplay, tune) = (["selfplay", "--out", "games"], ["tune", "games", "--out", "weights"]);
    // No machine has that much memory, in MiB, and a thought may not take longer than a day, in ms.
    let (large, long) = ("4000000000", "86400001");
    let cases: &[(&[&str], &[&str], &str)] = &[
        (&play, &["--threads", "0"], "--threads"),
        (&play, &["--threads", "257"], "at most 256"),
        (&play, &["--threads", "x"], "--threads"),
        (&play, &["--hash", "0"], "--hash"),
        (&play, &["--hash", large], "no memory for a table of 4000000000 MiB"),
        (&play, &["--games", "0"], "--games"),
        (&play, &["--plies", "0"], "--plies"),
        (&play, &["--move-ms", "0"], "--move-ms"),
        (&play, &["--move-ms", long], "--move-ms"),
        (&play, &["--clock", "0+5"], "0+5"),
        (&play, &["--opponent", " "], "--opponent"),
        (&play, &["--opponent", "a\u{1b}[2Jb"], "control characters"),
        (&play, &["--engine", "no-such-engine"], "no-such-engine"),
        (&play, &["--engine", "true"], "no UCI engine"),
        (
            &play,
            &["--engine", "sh engine.sh", "--hash", "3"],
            "Hash takes 4 to 512, not 3",
        ),
        (
            &play,
            &["--engine", "sh engine.sh", "--hash", "513"],
            "Hash takes 4 to 512, not 513",
        ),
        (
            &play,
            &["--engine", "sh engine.sh", "--threads", "3"],
            "Threads takes 1 to 2, not 3",
        ),
        (&demo, &["--games", "0"], "--games"),
        (&demo, &["--plies", "0"], "--plies"),
        (&demo, &["--move-ms", "0"], "--move-ms"),
        (&demo, &["--level", "0"], "choose 1 (weakest) to 8"),
        (&demo, &["--level", "9"], "choose 1 (weakest) to 8"),
        (&demo, &["--lichess", "9"], "--lichess"),
        (&demo, &["--clock", "0+0"], "0+0"),
        (&demo, &["--delay-ms", "3600001"], "--delay-ms"),
        (&demo, &["--fen", "8/8/8/8/8/8/8/8 w - - 0 1"], "not a legal position"),
        (&demo, &["--script", "none.txt"], "cannot read the script none.txt"),
        (&demo, &["--script", "illegal.txt"], "line 2: d7d7 is never legal"),
        (
            &demo,
            &["--script", "legal.txt", "--color", "black"],
            "line 1: e7e5 is not legal",
        ),
        (&demo, &["--script", "latin1.txt"], "cannot read the script latin1.txt"),
        (&demo, &["--script", "."], "cannot read the script ."),
        (&demo, &["--engine", "true"], "no UCI engine"),
        (&demo, &["--bot", "A=sh;movetime=86400001"], "more than a day"),
        (&site, &["--level", "9"], "choose 1 (weakest) to 8"),
        (&site, &["--delay-ms", "3600001"], "--delay-ms"),
        (&site, &["--script", "none.txt"], "cannot read the script none.txt"),
        (&site, &["--script", "illegal.txt"], "line 2: d7d7 is never legal"),
        (&site, &["--script", "latin1.txt"], "cannot read the script latin1.txt"),
        (&["engine"], &["--hash", "0"], "--hash"),
        (&["engine"], &["--hash", large], "no memory for a table"),
        (&["engine"], &["--threads", "0"], "--threads"),
        (&["engine"], &["--threads", "257"], "--threads"),
        (&ladder, &["--games", "0"], "--games"),
        (&ladder, &["--hash", "0"], "--hash"),
        (&ladder, &["--hash", large], "no memory for a table"),
        (&ladder, &["--hash", "513"], "Hash takes 4 to 512, not 513"),
        (&ladder, &["--threads", "0"], "--threads"),
        (&ladder, &["--threads", "3"], "Threads takes 1 to 2, not 3"),
        (&ladder, &["--concurrency", "0"], "--concurrency"),
        (&ladder, &["--limits", "movetime=86400001"], "--limits"),
        (&ladder, &["--their-option", "Hash=1"], "Hash takes 4 to 512, not 1"),
        (&selfplay, &["--games", "0"], "--games"),
        (&selfplay, &["--nodes", "0"], "--nodes"),
        (&selfplay, &["--random-plies", "101"], "--random-plies"),
        (&selfplay, &["--threads", "0"], "--concurrency"),
        (&selfplay, &["--openings", "legal.txt"], "line 1:"),
        (&["data", "count"], &["none"], "'none'"),
        (&["data", "show", "legal.txt"], &["--count", "0"], "--count"),
        (&["data", "histogram"], &["legal.txt"], "no file of positions"),
        (&["data", "shuffle", "none"], &["--out", "new"], "'none'"),
        (
            &["data", "shuffle", "legal.txt"],
            &["--out", "legal.txt"],
            "is there already",
        ),
        (
            &["data", "split", "legal.txt", "--training", "a", "--validation", "b"],
            &["--share", "2"],
            "--share",
        ),
        (
            &["data", "split", "legal.txt", "--training", "new"],
            &["--validation", "new"],
            "new",
        ),
        (&tune, &["--epochs", "0"], "--epochs"),
        (&tune, &["--step", "0"], "--step"),
        (&tune, &["--step", "NaN"], "--step"),
        (&tune, &["--score-share", "1.5"], "--score-share"),
        (&tune, &["--pull=-1"], "--pull"),
        (&tune, &["--limit", "0"], "--limit"),
        (&["explain", "."], &["--ply", "0"], "--ply"),
        (&["explain", "."], &["--game", "0"], "--game"),
        (&["bench"], &["0"], "0"),
        (&["perft"], &["101"], "101"),
    ];
    for (command, wrong, reason) in cases {
        let args = [*command, *wrong].concat();
        let output = torres(dir.path(), &args);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(reason), "{args:?}: {said}");
        assert!(output.stdout.is_empty(), "{args:?}: {}", text(&output.stdout));
        assert_eq!(names(dir.path()), before, "{args:?} leaves something behind");
    }
}

/// A terminal that is closed while something is asked takes no words any more.
#[cfg(target_os = "linux")]
#[test]
fn a_failure_that_cannot_be_written_is_a_failure_by_its_exit_status() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = Command::new(program());
    command.args(["replay", "there-is-no-such-folder"]).stdin(Stdio::null());
    assert_eq!(command.stderr(full).output().unwrap().status.code(), Some(2));
}

/// What was printed has no control characters but the ends of lines.
fn is_plain(output: &Output) -> String {
    let said = text(&output.stdout) + &text(&output.stderr);
    let wrong: Vec<char> = said
        .chars()
        .filter(|c| c.is_control() && *c != '\n' || ('\u{202a}'..='\u{202e}').contains(c))
        .collect();
    assert!(wrong.is_empty(), "{wrong:?} in {said}");
    said
}

const EVIL: &str = "\u{1b}]0;owned\u{7}\u{9b}2J\r\u{202e}eve\ntorres: all is well";
/// The same as it is shown where it is part of a line.
const SHOWN: &str = "\\u001b]0;owned\\u0007\\u009b2J\\u000d\\u202eeve\\u000atorres: all is well";

#[test]
fn control_characters_of_names_never_reach_the_terminal() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path();
    // A file's name.
    let file = "\u{1b}[31mred\u{9b}1m.png";
    fs::write(folder.join(file), "no picture").unwrap();
    for args in [
        &["locate", file][..],
        &["see", file],
        &["replay", file],
        &["explain", file],
    ] {
        let said = is_plain(&torres(folder, args));
        assert!(said.contains("\\u001b[31mred\\u009b1m.png"), "{args:?}: {said}");
    }
    image::RgbImage::new(4, 4).save(folder.join(file)).unwrap();
    let located = torres(folder, &["locate", "--json", file]);
    let said: serde_json::Value = serde_json::from_str(&is_plain(&located)).unwrap();
    assert_eq!(said["image"], file, "a program reads the same name as before");

    // A journal's and a results file's.
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let journal = [
        json!({"t_ms": 1.0, "event": "started", "version": EVIL, "command": "play"}),
        json!({"t_ms": 2.0, "event": "game_started", "fen": fen, "color": "white", "clock": EVIL, "opponent": EVIL}),
        json!({"t_ms": 3.0, "event": "pause", "reason": EVIL}),
        json!({"t_ms": 4.0, "event": "engine_restarted", "reason": EVIL}),
        json!({"t_ms": 5.0, "event": "result", "result": "*", "termination": EVIL, "plies": 0}),
    ];
    let journal: String = journal.iter().map(|line| format!("{line}\n")).collect();
    fs::write(folder.join("journal.jsonl"), journal).unwrap();
    let explained = torres(folder, &["explain", "."]);
    let said = is_plain(&explained);
    assert!(said.contains(&format!("against {SHOWN}, {SHOWN} s")), "{said}");
    assert!(
        !said.lines().any(|line| line.starts_with("torres: all is well")),
        "{said}"
    );

    let game = json!({
        "format": 1, "started": "2026-11-21T22:00:00+01:00", "ended": "2026-11-21T22:01:00+01:00", "site": EVIL, "calibration": EVIL,
        "opponent": EVIL, "color": "white", "result": "1-0", "termination": EVIL, "plies": 40, "clock": "15+10", "move_ms": 1000,
        "times": {"own_ms": 1, "opponent_ms": 1, "longest_own_ms": 1}, "version": EVIL, "engine": EVIL, "folder": "g", "pgn": EVIL,
    });
    fs::write(folder.join("results.jsonl"), format!("{game}\n{EVIL}\n")).unwrap();
    let results = torres(folder, &["results", "results.jsonl"]);
    let said = is_plain(&results);
    assert!(said.contains(&format!("| {SHOWN} ({SHOWN} thinks)")), "{said}");
    assert!(!text(&results.stdout).contains("\ntorres: all is well"), "{said}");
}

/// What an engine says of itself, and of its end.
#[test]
fn control_characters_of_engines_never_reach_the_terminal() {
    let dir = tempfile::tempdir().unwrap();
    let engine = "printf '\\033[2Jgone\\r\\377\\n' >&2; exit 3";
    fs::write(dir.path().join("engine.sh"), engine).unwrap();
    let ladder = ["ladder", "--out", "out", "--against", "sh engine.sh", "--games", "1"];
    for args in [&ladder[..], &["doctor", "--quick", "--engine", "sh engine.sh"]] {
        let said = is_plain(&torres(dir.path(), args));
        assert!(said.contains("\\u001b[2Jgone"), "{args:?}: {said}");
    }
}

/// A PNG of one colour and this size: a few hundred kilobytes that unfold to three bytes a pixel.
fn large_picture(path: &Path, side: u32) {
    let mut encoder = png::Encoder::new(fs::File::create(path).unwrap(), side, side);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().unwrap();
    let mut pixels = writer.stream_writer().unwrap();
    let row = vec![128; side as usize * 3];
    for _ in 0..side {
        std::io::Write::write_all(&mut pixels, &row).unwrap();
    }
    pixels.finish().unwrap();
}

/// With as much memory as a picture of that size would take, and no more: who decodes it dies of it.
#[cfg(target_os = "linux")]
#[test]
fn a_picture_larger_than_any_screen_is_refused_by_its_header() {
    let dir = tempfile::tempdir().unwrap();
    let recording = dir.path().join("recording");
    fs::create_dir_all(recording.join("frames")).unwrap();
    large_picture(&recording.join("frames/0000.png"), 11_000);
    fs::copy(recording.join("frames/0000.png"), dir.path().join("large.png")).unwrap();
    let header = json!({
        "format": 1, "calibration": null, "bottom": "white", "source": "a test",
        "start_fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    });
    fs::write(recording.join("fixture.json"), header.to_string()).unwrap();
    let line = json!({"file": "frames/0000.png", "t_ms": 0.0, "truth": null});
    fs::write(recording.join("frames.jsonl"), format!("{line}\n")).unwrap();
    let widget = Path::new(env!("CARGO_MANIFEST_DIR")).join("calibration/chessground.json");
    fs::copy(widget, dir.path().join("widget.json")).unwrap();
    for args in [
        "locate large.png",
        "see large.png",
        "see recording",
        "see large.png --calibration widget.json",
        "replay recording",
        "calibrate new.json --image large.png",
        "calibrate widget.json --check --image large.png",
    ] {
        let limited = format!("ulimit -v 400000; exec '{}' {args}", program());
        let output = Command::new("sh")
            .args(["-c", &limited])
            .current_dir(dir.path())
            .output()
            .unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args}: {said}");
        assert!(
            said.contains("11000 × 11000 pixels") && said.contains(".png"),
            "{args}: {said}"
        );
    }
    assert!(!dir.path().join("new.json").exists());
}

/// What a page calls itself is its window's title.
#[cfg(target_os = "linux")]
#[test]
fn control_characters_of_window_titles_never_reach_the_terminal() {
    use x11rb::connection::Connection;
    use x11rb::protocol::xproto::{AtomEnum, ConnectionExt as _, CreateWindowAux, PropMode, WindowClass};
    use x11rb::wrapper::ConnectionExt as _;
    let display = torres::desktop::Display::headless(800, 600).unwrap();
    let (connection, number) = x11rb::connect(Some(display.name())).unwrap();
    let (root, window) = (connection.setup().roots[number].root, connection.generate_id().unwrap());
    let (class, plain) = (WindowClass::INPUT_OUTPUT, CreateWindowAux::new());
    connection
        .create_window(0, window, root, 10, 10, 200, 100, 0, class, 0, &plain)
        .unwrap();
    let atom = |name: &[u8]| connection.intern_atom(false, name).unwrap().reply().unwrap().atom;
    let (name, utf8) = (atom(b"_NET_WM_NAME"), atom(b"UTF8_STRING"));
    let say = |property, kind, value: &str| {
        let (replace, bytes) = (PropMode::REPLACE, value.as_bytes());
        let said = connection.change_property8(replace, window, property, kind, bytes);
        said.unwrap().check().unwrap();
    };
    say(AtomEnum::WM_CLASS.into(), AtomEnum::STRING.into(), "evil\0Evil\0");
    say(name, utf8, EVIL);
    let dir = tempfile::tempdir().unwrap();
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(30);
    let said = loop {
        // A window manager that has just been started may sleep on a request until the next one comes.
        connection.map_window(window).unwrap().check().unwrap();
        let mut calibrate = display.command(Path::new(program()));
        calibrate.args(["calibrate", "site", "--window", "nothing like it"]);
        let output = calibrate.current_dir(dir.path()).stdin(Stdio::null()).output().unwrap();
        let said = is_plain(&output);
        if said.contains("owned") {
            break said;
        }
        assert!(std::time::Instant::now() < deadline, "{said}");
    };
    assert!(said.contains(&format!("'{SHOWN}'")), "{said}");
}
