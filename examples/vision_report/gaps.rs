//! One or two plies whose frames are lost: is the position right again at the next one?

use crate::chess::reachable;
use crate::scene::{Frames, Scene};
use crate::table::{Findings, Row};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use shakmaty::{Chess, Position};
use torres::chess::same_position;
use torres::fixture::replay;

/// How many times another place is tried where the position is not unique.
const TRIES: usize = 12;

/// Loses frames at random places, a few times.
pub fn examine(scene: &Scene, trials: usize, seed: u64, findings: &mut Findings) {
    let mut chance = StdRng::seed_from_u64(seed);
    let plies = scene.plies();
    for _ in 0..trials {
        let gap = (0..TRIES).find_map(|_| Gap::choose(scene, &plies, &mut chance));
        if let Some(gap) = gap {
            gap.examine(scene, findings);
        }
    }
}

/// Frames `from..to` are lost; `to..end` show the ply after them, and nothing of the next one.
struct Gap {
    from: usize,
    to: usize,
    shown: usize,
    end: usize,
}

impl Gap {
    /// A gap of one or two plies with only one explanation.
    fn choose(scene: &Scene, plies: &[usize], chance: &mut StdRng) -> Option<Gap> {
        let lost = chance.random_range(1..=2);
        let last = plies.len().checked_sub(lost + 1)?;
        let first = chance.random_range(0..=last);
        // What leads to a ply, animation or dialog, begins after the last frame that shows the one before at rest.
        let begins = |ply: usize| {
            let rests = (0..plies[ply]).rev().find(|&frame| scene.stable(frame).is_some());
            rests.map_or(0, |frame| frame + 1)
        };
        let next = first + lost + 1;
        let gap = Gap {
            from: begins(first),
            to: begins(first + lost),
            shown: plies[first + lost],
            // The last picture of a replay stands: a piece that was half-way in it would have landed.
            end: if next < plies.len() {
                begins(next)
            } else {
                scene.frames.len()
            },
        };
        let event = (gap.from..gap.end).any(|frame| scene.frames[frame].more.event.is_some());
        let before = scene.position(gap.from.checked_sub(1)?)?;
        let unique = reachable(before, scene.position(gap.shown)?.board(), lost + 1).len() == 1;
        let hidden =
            (gap.shown..gap.end).all(|frame| scene.stable(frame).is_none_or(|shown| !shown.occluded.is_empty()));
        (!event && unique && !hidden).then_some(gap)
    }

    fn examine(&self, scene: &Scene, findings: &mut Findings) {
        let kept: Vec<usize> = (0..self.from).chain(self.to..self.end).collect();
        let Some(truth) = scene.position(self.shown) else {
            return;
        };
        let frames = kept.iter().map(|&frame| scene.frame(frame)).collect();
        let Ok(replayed) = replay(scene.opening(), &mut Frames::of(frames)) else {
            return;
        };
        let after = |frame: usize| -> Option<&Chess> {
            let index = kept.iter().position(|&kept| kept == frame)?;
            replayed.after.get(index)?.as_ref()
        };
        let believed: Vec<&Chess> = (self.shown..self.end).filter_map(after).collect();
        let right = believed.iter().any(|position| same_position(position, truth));
        findings.count(Row::Gaps, right, self.shown, || {
            format!("not understood after frames {} to {} were lost", self.from, self.to - 1)
        });
        // What was true at some time, is now, or is known before it rests may be believed; any other position is
        // invented.
        let true_ones: Vec<&Chess> = (0..scene.frames.len())
            .take(self.end + 1)
            .filter_map(|f| scene.position(f))
            .collect();
        let invented = (self.to..self.end)
            .filter_map(|frame| Some((frame, after(frame)?)))
            .find(|(_, believed)| !true_ones.iter().any(|truth| same_position(truth, believed)));
        if let Some((frame, position)) = invented {
            findings.gaps_wrong += 1;
            findings.fail(
                Row::Gaps,
                frame,
                format!("after a gap, {} was believed", position.board()),
            );
        }
    }
}
