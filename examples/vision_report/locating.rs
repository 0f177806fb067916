//! Is the board found, where it is, and the right way round?

use crate::scene::Scene;
use crate::table::{Findings, Row};
use shakmaty::{Chess, Position};
use std::collections::BTreeMap;
use torres::geometry::BoardRect;
use torres::vision::{FoundBoard, locate};

/// How far a side may be off, in pixels, below device scale 2 and from there on.
const TOLERANCE: (f64, f64) = (1.0, 2.0);

/// What is found in each stable frame, by frame; frames that repeat a picture are left out.
pub type Located = BTreeMap<usize, Vec<FoundBoard>>;

/// Looks for the board in every stable frame; the best candidate must be it.
pub fn examine(scene: &Scene, findings: &mut Findings) -> Located {
    let mut located = Located::new();
    for frame in (0..scene.frames.len()).filter(|&f| !scene.frames[f].repeated) {
        let (Some(shown), Some(map)) = (scene.stable(frame), scene.true_map(frame)) else {
            continue;
        };
        let boards = locate(&scene.frames[frame].image);
        let tolerance = if scene.scale < 2.0 { TOLERANCE.0 } else { TOLERANCE.1 };
        let best = boards.first();
        let off = best.map(|found| farthest_side(&found.rect, &map.rect));
        let right = off.is_some_and(|off| off <= tolerance);
        findings.count(Row::Located, right, frame, || match (best, off) {
            (Some(found), Some(off)) => format!(
                "found at {}, {off:.1} px off; it lies at {}",
                place(&found.rect),
                place(&map.rect)
            ),
            _ => format!("no board found; it lies at {}", place(&map.rect)),
        });
        let at_start = shown
            .position
            .as_ref()
            .is_some_and(|p| p.board() == Chess::default().board());
        if right && at_start {
            let told = best.and_then(|found| found.orientation);
            let truth = scene.orientation(frame);
            findings.count(Row::Orientation, told == Some(truth), frame, || {
                format!(
                    "{} at the bottom, not {}",
                    told.map_or("nobody", |o| o.name()),
                    truth.name()
                )
            });
        }
        located.insert(frame, boards);
    }
    located
}

fn farthest_side(a: &BoardRect, b: &BoardRect) -> f64 {
    let sides = |r: &BoardRect| [r.x(), r.y(), r.x() + r.width(), r.y() + r.height()];
    let off = sides(a).into_iter().zip(sides(b)).map(|(a, b)| (a - b).abs());
    off.fold(0.0, f64::max)
}

fn place(r: &BoardRect) -> String {
    format!("{:.1},{:.1},{:.1},{:.1}", r.x(), r.y(), r.width(), r.height())
}
