//! Follows a recorded game: frames go in, moves come out.
//!
//!     cargo run --release --example follow_game -- fixtures/castling-half-way
//!
//! How the board looks is learned from the first frame. Of each frame the tracker says what it shows; it believes a move only where exactly
//! one legal line explains the whole board.

use shakmaty::{CastlingMode, Move, Position};
use std::error::Error;
use torres::fixture::Fixture;
use torres::frame::FrameSource;
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
    // Until `FrameError::Ended`.
    while let Ok(frame) = frames.next_frame() {
        if let Reading::Played(seen) = tracker.step(&frame, &position) {
            let moves = seen
                .line
                .iter()
                .map(|played: &Move| played.to_uci(CastlingMode::Standard).to_string());
            println!("{:>7.0} ms  {}", frame.at.as_ms(), moves.collect::<Vec<_>>().join(" "));
            position = seen.position;
        }
    }
    println!("{}", position.board());
    Ok(())
}
