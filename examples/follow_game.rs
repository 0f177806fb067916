//! Follows a recorded game: frames go in, moves come out.
//!
//!     cargo run --release --example follow_game -- fixtures/castling-half-way
//!
//! How the board looks is learned from the first frame. Of each frame the tracker says what it shows; it believes a
//! move only where exactly one legal line explains the whole board.

use shakmaty::Position;
use std::error::Error;
use torres::chess::uci_line;
use torres::fixture::Fixture;
use torres::frame::{FrameError, FrameSource};
use torres::geometry::BoardMap;
use torres::vision::{Appearance, Reading, Tracker, locate};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: follow_game FIXTURE")?;
    let fixture = Fixture::read(folder.as_ref())?;
    let mut position = fixture.start.clone();
    let mut frames = fixture.frames();
    let first = frames.next_frame()?;
    let found = locate(&first.image).into_iter().next().ok_or("no board found")?;
    let map = BoardMap {
        rect: found.rect,
        orientation: fixture.bottom,
    };
    let mut tracker = Tracker::new(Appearance::learn(&first.image, &map, position.board())?, map);
    loop {
        let frame = match frames.next_frame() {
            Err(FrameError::Ended) => return Ok(()),
            frame => frame?,
        };
        if let Reading::Played(explained) = tracker.step(&frame, &position) {
            let moves = uci_line(&explained.line).join(" ");
            println!("{:>7.0} ms  {moves}", frame.at.as_ms());
            position = explained.position;
        }
    }
}
