//! Is every ply seen, and nothing else? Scored by the code of `torres replay`.

use crate::events;
use crate::scene::{Frames, Scene};
use crate::table::{Findings, Row};
use std::time::Instant;
use torres::fixture::{Fault, replay, score};

/// Replays the scene.
pub fn examine(scene: &Scene, findings: &mut Findings) {
    let frames = (0..scene.frames.len()).map(|f| scene.frame(f)).collect();
    let mut source = Frames::of(frames);
    let begun = Instant::now();
    let replayed = match replay(scene.opening(), &mut source) {
        Ok(replayed) => replayed,
        Err(e) => return findings.fail(Row::Plies, 0, format!("cannot be replayed: {e}")),
    };
    findings.seconds += begun.elapsed().as_secs_f64();
    findings.frames += scene.frames.len();
    let Some(score) = score(&scene.fixture, &replayed) else {
        return;
    };
    findings.tally_many(Row::Plies, score.correct, score.plies);
    findings.wrong += score.wrong;
    for fault in &score.faults {
        match fault {
            Fault::Missed { frame, played } => findings.fail(Row::Plies, *frame, format!("{played} was missed")),
            Fault::Wrong { frame, believed } => {
                let kind = &scene.frames[*frame].more.kind;
                findings.fail(Row::Wrong, *frame, format!("{believed} was believed ({kind} frame)"));
            }
        }
    }
    events::examine(scene, &replayed, findings);
}
