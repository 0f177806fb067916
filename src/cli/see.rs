//! `torres see`.

use super::locate::read_image;
use super::{CliError, CliResult, Exit};
use crate::calibration::{Calibration, path_of};
use crate::geometry::{BoardMap, Orientation};
use crate::vision::{self, BoardReading, Look};
use image::RgbaImage;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Arguments of `torres see`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Screenshots.
    #[arg(required = true)]
    pub images: Vec<PathBuf>,
    /// Name of the calibration (`calibration/NAME.json`), or a path.
    #[arg(long)]
    pub calibration: String,
    /// One JSON object per line.
    #[arg(long)]
    pub json: bool,
}

/// What is seen in one screenshot.
#[derive(Clone, Debug)]
pub struct Seen {
    /// Where the board lies, and which way it is turned.
    pub map: BoardMap,
    /// What stands on it.
    pub reading: BoardReading,
}

/// Say what stands on the board of a screenshot.
pub fn run(args: Args) -> CliResult {
    let (look, bottom) = load(&args.calibration)?;
    let mut exit = Exit::Done;
    for path in &args.images {
        let image = read_image(path)?;
        let Some(seen) = see(&look, bottom, &image) else {
            eprintln!(
                "torres: no board found in {}; does it show the whole board?",
                path.display()
            );
            exit = Exit::Found;
            continue;
        };
        if args.json {
            println!("{}", json_line(path, &seen));
        } else {
            print!("{}", text(path, &seen));
        }
    }
    Ok(exit)
}

/// The look and orientation of a calibration.
fn load(name: &str) -> Result<(Look, Orientation), CliError> {
    let calibration = Calibration::load(&path_of(name)).map_err(CliError::usage)?;
    Ok((calibration.look, calibration.bottom))
}

/// Finds the board wherever it lies in the screenshot and reads it. Of several boards, the one that is read most surely: a
/// second, small board looks different from the one that was learned.
pub fn see(look: &Look, bottom: Orientation, image: &RgbaImage) -> Option<Seen> {
    let boards = vision::locate(image).into_iter().map(|found| {
        let map = BoardMap {
            rect: found.rect,
            orientation: bottom,
        };
        Seen {
            reading: look.read(image, &map),
            map,
        }
    });
    // The first of equals: boards come best first.
    boards.min_by_key(|seen| seen.reading.doubtful().len())
}

fn json_line(path: &Path, seen: &Seen) -> String {
    let r = &seen.map.rect;
    let doubtful: Vec<String> = seen.reading.doubtful().iter().map(ToString::to_string).collect();
    json!({
        "image": path.display().to_string(),
        "board": {"x": r.x(), "y": r.y(), "width": r.width(), "height": r.height()},
        "bottom": seen.map.orientation.name(),
        "placement": seen.reading.board().to_string(),
        "confidence": seen.reading.confidence(),
        "doubtful": doubtful,
    })
    .to_string()
}

fn text(path: &Path, seen: &Seen) -> String {
    let doubtful: Vec<String> = seen.reading.doubtful().iter().map(ToString::to_string).collect();
    let mut out = format!("{}: {}\n", path.display(), seen.reading.board());
    if !doubtful.is_empty() {
        out += &format!("  not sure of {}\n", doubtful.join(" "));
    }
    out
}
