//! The calibrations that come with the program hold for what they were made on, and no longer where that has changed.

use std::path::Path;
use std::process::Command;
use torres_test_support::program;

/// Each widget's calibration, and the picture of it.
const WIDGETS: [(&str, &str); 4] = [
    ("chessground", "fixtures/taken-back/frames/0000.png"),
    ("react-chessboard", "fixtures/a-new-game/frames/0000.png"),
    ("cm-chessboard", "tests/data/widgets/cm-chessboard.png"),
    ("chessboardjs", "tests/data/widgets/chessboardjs.png"),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// `torres calibrate NAME --check --image PICTURE`: exit status and what it says.
fn check(name: &str, picture: &Path) -> (Option<i32>, String) {
    let mut command = Command::new(program());
    command
        .current_dir(root())
        .args(["calibrate", name, "--check", "--image"]);
    let output = command.arg(picture).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(said).unwrap())
}

#[test]
fn each_holds_for_its_widget() {
    for (name, picture) in WIDGETS {
        let (status, said) = check(name, &root().join(picture));
        assert_eq!(status, Some(0), "{name}: {said}");
        assert!(said.contains("all 64 squares can be read"), "{name}: {said}");
    }
}

#[test]
fn none_holds_for_another_widget() {
    for (number, (name, _)) in WIDGETS.iter().enumerate() {
        let (_, picture) = WIDGETS[(number + 1) % WIDGETS.len()];
        let (status, said) = check(name, &root().join(picture));
        assert_eq!(status, Some(1), "{name} for {picture}: {said}");
        assert!(said.contains("CHANGED"), "{name}: {said}");
    }
}

#[test]
fn a_board_that_lies_elsewhere_is_followed_and_told() {
    let folder = tempfile::tempdir().unwrap();
    let (name, picture) = WIDGETS[0];
    let there = image::open(root().join(picture)).unwrap().into_rgba8();
    let mut moved =
        image::RgbaImage::from_pixel(there.width() + 60, there.height() + 40, image::Rgba([30, 30, 30, 255]));
    image::imageops::replace(&mut moved, &there, 60, 40);
    let path = folder.path().join("moved.png");
    moved.save(&path).unwrap();
    let (status, said) = check(name, &path);
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("moved by 60, 40"), "{said}");
}
