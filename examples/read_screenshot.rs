//! Reads screenshots: where the board lies, and what stands on it. The first must show the start position: it teaches
//! how the board looks.
//!
//!     cargo run --release --example read_screenshot -- tests/data/widgets/cm-chessboard.png

use std::error::Error;
use torres::geometry::{BoardMap, Orientation};
use torres::vision::{Appearance, locate};

fn main() -> Result<(), Box<dyn Error>> {
    let mut learned = None;
    for path in std::env::args().skip(1) {
        let image = image::open(&path)?.into_rgba8();
        let found = locate(&image).into_iter().next().ok_or("no board found")?;
        let map = BoardMap {
            rect: found.rect,
            orientation: Orientation::White,
        };
        let appearance = match learned.take() {
            Some(appearance) => appearance,
            None => Appearance::learn(&image, &map, &shakmaty::Board::new())?,
        };
        let reading = appearance.read(&image, &map);
        println!("{path}: {}, board at {:?}", reading.board(), found.rect);
        println!("not sure of: {:?}", reading.doubtful());
        learned = Some(appearance);
    }
    Ok(())
}
