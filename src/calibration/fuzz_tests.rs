//! Fuzz target: a calibration's file.
#![cfg(test)]

use super::file::{Calibration, CalibrationError};
use super::panel::PanelPicture;
use base64::Engine as _;
use image::{Rgba, RgbaImage};
use std::path::Path;
use torres_fuzz::{Judged, names_damage, run};
use torres_geometry::{DesktopPx, FramePx};
use torres_picture::text;

/// A calibration with an appearance of two pieces: what matters is that all of its parts are there.
pub(super) fn small_calibration() -> serde_json::Value {
    let mut png = std::io::Cursor::new(Vec::new());
    let picture = RgbaImage::from_fn(24, 24, |x, y| {
        Rgba([x as u8 * 9, y as u8 * 9, 40, ((x ^ y) * 8).min(255) as u8])
    });
    picture.write_to(&mut png, image::ImageFormat::Png).unwrap();
    let piece = serde_json::json!({
        "png": base64::engine::general_purpose::STANDARD.encode(png.into_inner()),
        "seen_on": {"light": true, "dark": false},
    });
    // A bot's name: panels that show less are refused.
    let mut named = RgbaImage::from_pixel(60, 20, Rgba([9, 8, 7, 255]));
    text(
        &mut named,
        FramePx { x: 4.0, y: 3.0 },
        12.0,
        Rgba([240, 240, 240, 255]),
        "Robin",
    );
    let panel: String = PanelPicture::new(&named).into();
    serde_json::json!({
        "format": 1,
        "made": {"version": "0.1.0", "date": "2026-11-20"},
        "window": {"title": "A site", "app": "browser"},
        "board": {"x": 10.5, "y": 20.0, "width": 560.0, "height": 560.0},
        "bottom": "white",
        "input_per_pixel": 1.0,
        "look": {"light": [240, 217, 181], "dark": [181, 136, 99], "noise": 1.5, "pieces": {"K": piece, "q": piece}},
        "noise": 0.5,
        "position": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "opponent": {
            "panel": {"x": 600, "y": 20, "width": 60, "height": 20}, "picture": panel, "declared_bot": true,
            "second": {"panel": {"x": 600, "y": 520, "width": 60, "height": 20}, "picture": panel},
        },
        "clocks": {
            "upper": {"x": 670, "y": 20, "width": 50, "height": 20},
            "lower": {"x": 670, "y": 520, "width": 50, "height": 20},
            "digits": digits(),
        },
        "new_game": {"rect": {"x": 600, "y": 90, "width": 60, "height": 20}, "picture": panel},
        "new_game_also": [{"rect": {"x": 600, "y": 120, "width": 60, "height": 20}, "picture": panel, "at": [3, 4]}],
        "hand": {"by": "auto", "takes": "clicks", "deselects": "piece"},
        "stated": true,
    })
}

/// Ten digits, a row of ink each.
fn digits() -> Vec<[String; 1]> {
    let digit = |row: usize| std::array::from_fn::<u8, 256, _>(|cell| if cell / 16 == row { 255 } else { 0 });
    let text = |row| base64::engine::general_purpose::STANDARD.encode(digit(row));
    (0..10).map(|row| [text(row)]).collect()
}

const WORDS: [&str; 24] = [
    "\"format\":1",
    "\"format\":2",
    "\"look\"",
    "\"pieces\"",
    "\"png\"",
    "\"seen_on\"",
    "\"noise\"",
    "\"opponent\":null",
    "\"window\":null",
    "\"position\":\"\"",
    "\"bottom\":\"black\"",
    "\"input_per_pixel\":null",
    "\"input_per_pixel\":0",
    "\"width\":0",
    "\"width\":-1",
    "iVBORw0KGgo",
    "AAAA",
    "====",
    "\"X\"",
    "\"k\"",
    "false",
    "-2147483648",
    "4294967295",
    "1e39",
];

#[test]
fn fuzz_calibration() {
    let full = small_calibration();
    let mut bare = full.clone();
    for optional in ["window", "opponent", "input_per_pixel"] {
        bare[optional] = serde_json::Value::Null;
    }
    bare["look"]["pieces"] = serde_json::json!({});
    for absent in ["position", "new_game", "new_game_also", "hand", "stated", "clocks"] {
        bare.as_object_mut().unwrap().remove(absent);
    }
    let seeds = [full, bare].map(|value| value.to_string().into_bytes());
    let path = Path::new("calibration/name.json");
    run("calibration", &seeds, &WORDS, |input| {
        match Calibration::parse(input, path) {
            Ok(calibration) => {
                let written = serde_json::to_value(&calibration).unwrap();
                let again = Calibration::parse(written.to_string().as_bytes(), path)
                    .unwrap_or_else(|e| panic!("what it wrote is refused: {e}"));
                assert_eq!(serde_json::to_value(&again).unwrap(), written);
                // Places on any desktop can be told from it.
                let corner = DesktopPx { x: 1e5, y: -1e5 };
                let buttons: Vec<_> = calibration.buttons().map(|it| it.rect.on_desktop(corner)).collect();
                let panels = calibration.opponent.map(|it| it.panel.on_desktop(corner));
                let clocks = calibration
                    .clocks
                    .map(|it| [it.upper, it.lower].map(|rect| rect.on_desktop(corner)));
                let mut all = panels.iter().chain(&buttons).chain(clocks.iter().flatten());
                assert!(all.all(|rect| rect.width < 1_000_000));
                Judged::Accepted
            }
            Err(error) => {
                let text = error.to_string();
                assert!(text.contains("name.json") && names_damage(&text), "{text}");
                assert!(!matches!(
                    error,
                    CalibrationError::Unreadable { .. } | CalibrationError::Unwritable { .. }
                ));
                Judged::Refused
            }
        }
    });
}

/// A picture of 25 × 25 pixels with nothing on it.
fn plain() -> String {
    PanelPicture::new(&RgbaImage::from_pixel(25, 25, Rgba([240, 217, 181, 255]))).into()
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn a_damaged_calibration_names_file_place_and_damage() {
    let path = Path::new("calibration/name.json");
    let refused = |bytes: &[u8]| Calibration::parse(bytes, path).unwrap_err().to_string();
    let damaged = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut value = small_calibration();
        change(&mut value);
        refused(value.to_string().as_bytes())
    };
    let messages = [
        (refused(b""), "EOF while parsing a value at line 1 column 0"),
        (refused(b"{\"format\":1,\n\"board\":"), "at line 2 column 8"),
        (refused(b"\xff"), "at line 1 column 1"),
        (refused(b"{}"), "it has no known format number"),
        (refused(b"{\"format\":1}"), "missing field `made`"),
        (
            damaged(&|c| c["board"]["width"] = "x".into()),
            "board.width: invalid type",
        ),
        (damaged(&|c| c["board"]["x"] = 1e40.into()), "board: a board at"),
        (
            damaged(&|c| c["bottom"] = "red".into()),
            "bottom: unknown variant `red`",
        ),
        (damaged(&|c| c["input_per_pixel"] = 0.into()), "input_per_pixel: "),
        (
            damaged(&|c| c["look"]["noise"] = 65.into()),
            "look: a texture noise of 65",
        ),
        (
            damaged(&|c| c["look"]["noise_of_color"] = serde_json::json!([0, -1])),
            "look: a texture noise of -1",
        ),
        (
            damaged(&|c| c["look"]["pieces"]["q"]["png"] = "AAAA".into()),
            "look.pieces.q: a piece's picture is not a PNG",
        ),
        (
            damaged(&|c| c["look"]["pieces"]["q"]["png"] = "?".into()),
            "look.pieces.q: a piece's picture is not base64",
        ),
        (
            damaged(&|c| c["look"]["pieces"]["X"] = c["look"]["pieces"]["q"].clone()),
            "look: 'X' is not a piece's FEN letter",
        ),
        (
            damaged(&|c| c["position"] = "8/8".into()),
            "its position '8/8' is not a legal FEN",
        ),
        (
            damaged(&|c| c["noise"] = (-1).into()),
            "a noise of -1 is not between 0 and 64",
        ),
        (
            damaged(&|c| c["opponent"]["picture"] = "AAAA".into()),
            "opponent.picture: the opponent's picture is not a PNG",
        ),
        (
            damaged(&|c| c["opponent"]["panel"]["width"] = 61.into()),
            "the picture of the opponent's panel is 60 × 20 px, its rectangle 61 × 20",
        ),
        (
            damaged(&|c| {
                let rect = serde_json::json!({"x": 600, "y": 20, "width": 25, "height": 25});
                c["opponent"]["picture"] = plain().into();
                c["opponent"]["panel"] = rect;
            }),
            "the opponent's panel shows too little to be known by",
        ),
        (
            damaged(&|c| {
                let rect = serde_json::json!({"x": 600, "y": 20, "width": 25, "height": 25});
                c["opponent"]["also"] = plain().into();
                c["opponent"]["panel"] = rect;
            }),
            "the opponent's panel shows too little to be known by",
        ),
        (
            damaged(&|c| c["new_game"]["picture"] = plain().into()),
            "the new game's button shows next to nothing",
        ),
        (
            damaged(&|c| c["new_game_also"][0]["picture"] = plain().into()),
            "the new game's button shows next to nothing",
        ),
        (
            damaged(&|c| c["new_game"]["rect"]["x"] = 2_000_000.into()),
            "the new game's button at 2000000,90 lies on no screen",
        ),
        (damaged(&|c| c["position"] = "x".repeat(5_000).into()), "…"),
    ];
    for (message, part) in messages {
        assert!(
            message.starts_with("the calibration calibration/name.json is damaged: "),
            "{message}"
        );
        assert!(message.contains(part), "'{part}' is not in: {message}");
    }
    let newer = damaged(&|c| c["format"] = 2.into());
    assert!(newer.contains("name.json has format 2"), "{newer}");
}
