//! `torres locate`.

use super::{CliError, CliResult, Exit};
use image::RgbaImage;
use serde_json::json;
use std::path::{Path, PathBuf};
use torres_frame::decode::picture_in;
use torres_geometry::Orientation;
use torres_vision::{self as vision, FoundBoard};

/// Arguments of `torres locate`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Screenshots.
    #[arg(required = true)]
    pub images: Vec<PathBuf>,
    /// One JSON object per line.
    #[arg(long)]
    pub json: bool,
}

/// Find the boards in a screenshot.
pub(crate) fn run(args: Args) -> CliResult {
    let mut exit = Exit::Done;
    for path in &args.images {
        let boards = vision::locate(&read_image(path)?);
        if boards.is_empty() {
            exit = Exit::Found;
        }
        if args.json {
            println!("{}", json_line(path, &boards));
        } else {
            print!("{}", text(path, &boards));
        }
    }
    Ok(exit)
}

/// Reads a screenshot from a file.
pub(crate) fn read_image(path: &Path) -> Result<RgbaImage, CliError> {
    picture_in(path).map_err(|e| {
        CliError::usage(format!(
            "cannot read {} as a picture: {e}; give a PNG screenshot",
            path.display()
        ))
    })
}

fn json_line(path: &Path, boards: &[FoundBoard]) -> String {
    let boards: Vec<_> = boards
        .iter()
        .map(|b| {
            json!({
                "x": b.rect.x(), "y": b.rect.y(), "width": b.rect.width(), "height": b.rect.height(),
                "bottom": b.orientation.map(Orientation::name), "score": b.score,
            })
        })
        .collect();
    json!({ "image": path.display().to_string(), "boards": boards }).to_string()
}

fn text(path: &Path, boards: &[FoundBoard]) -> String {
    let mut out = String::new();
    if boards.is_empty() {
        out = format!("{}: no board found\n", path.display());
    }
    for b in boards {
        let bottom = b.orientation.map_or("unknown", Orientation::name);
        let r = &b.rect;
        out += &format!(
            "{}: {:.1} × {:.1} px at {:.1}, {:.1}, bottom {bottom}, score {:.2}\n",
            path.display(),
            r.width(),
            r.height(),
            r.x(),
            r.y(),
            b.score
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use torres_geometry::BoardRect;

    #[test]
    fn the_json_line_has_the_documented_fields() {
        let board = FoundBoard {
            rect: BoardRect::new(10.5, 20.0, 400.0, 401.0).unwrap(),
            orientation: None,
            score: 0.5,
        };
        let value: serde_json::Value = serde_json::from_str(&json_line(Path::new("a.png"), &[board])).unwrap();
        let expected = json!({"image": "a.png", "boards": [
            {"x": 10.5, "y": 20.0, "width": 400.0, "height": 401.0, "bottom": null, "score": 0.5}]});
        assert_eq!(value, expected);
    }
}
