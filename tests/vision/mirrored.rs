//! Boards that are a mirror image of one: reported of chess-minimax and PyAlapin, which exchange the ranks for the other
//! colour and leave the files. King and queen were taken for each other.

use crate::drawn::{coordinates, page};
use crate::scene::picture;
use image::RgbaImage;
use image::imageops::{flip_horizontal, overlay};
use serde_json::json;
use shakmaty::Position;
use tempfile::TempDir;
use torres::calibration::{find_board, look_exchanged, opening_positions};
use torres::geometry::Orientation;
use torres_test_support::torres;

/// A start position without coordinates on the board.
const PLAIN: &str = "characters/start.png";

/// `torres calibrate` and `torres see` with a picture: exit status and what they say.
fn seen(picture: &RgbaImage, args: &[&str]) -> (Option<i32>, String) {
    let dir = tempfile::tempdir().unwrap();
    picture.save(dir.path().join("board.png")).unwrap();
    let (status, said) = said_by(
        &dir,
        &[&["calibrate", "cal.json", "--image", "board.png"], args].concat(),
    );
    match status {
        Some(0) => said_by(&dir, &["see", "board.png", "--calibration", "cal.json", "--json"]),
        _ => (status, said),
    }
}

fn said_by(dir: &TempDir, args: &[&str]) -> (Option<i32>, String) {
    let output = torres(args).current_dir(dir.path()).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(said).unwrap())
}

#[test]
fn king_and_queen_look_exchanged_in_a_mirror_image_of_most_sets_and_never_on_a_board() {
    // Whose queens have crowns that are wider than the kings' crosses, and whose have not.
    let crowned = [
        PLAIN,
        "game/00-stable.png",
        "glow/start.png",
        "arrow/black-start.png",
        "faint-grain/start.png",
        "programs/knights-start.png",
        "programs/eboard-wood.png",
        "lines-on-a-white-page.png",
        "../calibration/clocks-in-cards.png",
        "../widgets/cm-chessboard.png",
    ];
    let others = [
        "dot/first.png",
        "thin-lines/start.png",
        "found-twice.png",
        "wide-gaps.png",
        "discs.png",
        "../widgets/chessboardjs.png",
    ];
    let positions = opening_positions();
    for (path, is_crowned) in crowned
        .map(|path| (path, true))
        .into_iter()
        .chain(others.map(|path| (path, false)))
    {
        let look = |picture: &RgbaImage, stated| {
            let found = find_board(picture, &positions, stated).unwrap_or_else(|e| panic!("{path}: {e}"));
            let exchanged = look_exchanged(picture, &found.map, found.position.board());
            (found.map.orientation, exchanged)
        };
        let picture = picture(path);
        let (orientation, exchanged) = look(&picture, None);
        assert!(!exchanged, "{path}");
        assert!(!orientation.is_mirrored(), "{path}: {orientation}");
        let (_, exchanged) = look(&flip_horizontal(&picture), Some(orientation));
        assert_eq!(exchanged, is_crowned, "{path}, mirrored");
    }
}

#[test]
fn a_board_that_may_be_a_mirror_image_is_calibrated_as_the_user_says() {
    let mirrored = flip_horizontal(&picture(PLAIN));
    let (status, said) = seen(&mirrored, &[]);
    assert_eq!(status, Some(2), "{said}");
    assert!(
        said.contains("--bottom white-mirrored, or else --bottom white"),
        "{said}"
    );
    for bottom in ["white-mirrored", "white"] {
        let (status, said) = seen(&mirrored, &["--bottom", bottom]);
        assert_eq!(status, Some(0), "{said}");
        let seen: serde_json::Value = serde_json::from_str(&said).unwrap();
        assert_eq!((&seen["bottom"], &seen["doubtful"]), (&json!(bottom), &json!([])));
    }
}

#[test]
fn coordinates_tell_a_mirror_image() {
    let mirrored = flip_horizontal(&picture(PLAIN));
    let mut page = page(mirrored.width() + 120, mirrored.height() + 120, [48, 46, 43]);
    overlay(&mut page, &mirrored, 60, 60);
    let board = find_board(&page, &opening_positions(), None).unwrap().map;
    for bottom in [Orientation::White, Orientation::WhiteMirrored] {
        let mut drawn = page.clone();
        coordinates(&mut drawn, &board.rect, bottom, [200; 3]);
        let found = find_board(&drawn, &opening_positions(), None).unwrap();
        assert_eq!(found.map.orientation, bottom);
        let (status, said) = seen(&drawn, &[]);
        assert_eq!(
            status,
            Some(0),
            "king and queen look exchanged, and nobody need be asked: {said}"
        );
    }
}
