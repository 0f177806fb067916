//! Reads a screenshot: where the board lies, and what stands on it.
//!
//!     cargo run --release --example read_screenshot -- tests/data/widgets/cm-chessboard.png
//!
//! A calibration says how the board looks (`torres calibrate` writes one). Without one the picture must show the start position.

use std::error::Error;
use std::path::Path;
use torres::calibration::Calibration;
use torres::geometry::{BoardMap, Orientation};
use torres::vision::{self, Appearance};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let picture = arguments.next().ok_or("usage: read_screenshot PICTURE [CALIBRATION]")?;
    let image = image::open(picture)?.into_rgba8();
    let found = vision::locate(&image).into_iter().next().ok_or("no board found")?;
    let start = shakmaty::Board::new();
    let (appearance, orientation) = match arguments.next() {
        Some(path) => {
            let calibration = Calibration::load(Path::new(&path))?;
            (calibration.appearance, calibration.bottom)
        }
        None => {
            let map = BoardMap {
                rect: found.rect,
                orientation: Orientation::White,
            };
            (Appearance::learn(&image, &map, &start)?, Orientation::White)
        }
    };
    let reading = appearance.read(
        &image,
        &BoardMap {
            rect: found.rect,
            orientation,
        },
    );
    println!("board at {:?}", found.rect);
    println!("{}", reading.board());
    println!("not sure of: {:?}", reading.doubtful());
    Ok(())
}
