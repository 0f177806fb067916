//! Are takebacks, new games and a board turned round recognised?

use crate::scene::Scene;
use crate::table::{Findings, Row};
use torres::chess::same_position;
use torres::fixture::Replay;

/// After an event and before the next ply, the position believed must be the one shown.
pub fn examine(scene: &Scene, replayed: &Replay, findings: &mut Findings) {
    let plies = scene.plies();
    for (frame, shown) in scene.frames.iter().enumerate() {
        let (Some(event), Some(truth)) = (&shown.more.event, scene.position(frame)) else {
            continue;
        };
        let end = plies
            .iter()
            .copied()
            .find(|&ply| ply > frame)
            .unwrap_or(scene.frames.len());
        let believed = &replayed.after[frame..end];
        let right = believed.iter().flatten().any(|position| same_position(position, truth));
        findings.count(Row::Events, right, frame, || format!("{event} was not recognised"));
    }
}
