//! Is each square of a stable frame read right, the frame alone, against what calibration learned from the first one?

use crate::locating::Located;
use crate::scene::Scene;
use crate::table::{Findings, Row};
use shakmaty::{Piece, Position, Square};
use torres::geometry::BoardMap;
use torres::vision::{Appearance, BoardReading, FoundBoard, first_that_reads};

/// How many of the boards found are tried.
const CANDIDATES: usize = 4;

/// Reads every stable frame's uncovered squares.
pub fn examine(scene: &Scene, located: &Located, findings: &mut Findings) {
    let learned = learn(scene, located);
    if let Err(reason) = &learned {
        findings.fail(Row::Squares, 0, format!("nothing learned: {reason}"));
    }
    for (&frame, boards) in located {
        let Some(position) = scene.position(frame) else {
            continue;
        };
        let reading = learned
            .as_ref()
            .ok()
            .and_then(|appearance| read(scene, appearance, frame, boards));
        for square in Square::ALL.into_iter().filter(|&s| !scene.touched(frame, s)) {
            let truth = position.board().piece_at(square);
            let Some(reading) = &reading else {
                findings.tally(Row::Squares, false);
                continue;
            };
            let read = reading.squares[square];
            findings.count(Row::Squares, read.content == truth, frame, || {
                let sure = if read.doubtful { "doubtful" } else { "sure" };
                format!(
                    "{square} read as {} ({sure}), it is {}",
                    letter(read.content),
                    letter(truth)
                )
            });
            findings.tally(Row::SureSquares, !read.doubtful);
        }
    }
}

fn learn(scene: &Scene, located: &Located) -> Result<Appearance, String> {
    let boards = located.get(&0).map_or(&[][..], Vec::as_slice);
    let orientation = scene.fixture.bottom;
    let mut reason = String::from("no board found");
    for found in boards.iter().take(CANDIDATES) {
        let map = BoardMap {
            rect: found.rect,
            orientation,
        };
        match Appearance::learn(&scene.frames[0].image, &map, scene.fixture.start.board()) {
            Ok(appearance) => return Ok(appearance),
            Err(e) => reason = e.to_string(),
        }
    }
    Err(reason)
}

/// Of several boards, the first that reads, as `torres see` does it.
fn read(scene: &Scene, appearance: &Appearance, frame: usize, boards: &[FoundBoard]) -> Option<BoardReading> {
    let orientation = scene.orientation(frame);
    let boards = boards.iter().take(CANDIDATES).map(|found| BoardMap {
        rect: found.rect,
        orientation,
    });
    first_that_reads(&scene.frames[frame].image, appearance, boards).map(|(_, reading)| reading)
}

fn letter(content: Option<Piece>) -> String {
    content.map_or("empty".into(), |piece| piece.char().to_string())
}
