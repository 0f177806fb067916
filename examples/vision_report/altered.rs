//! Frames altered against the rules, by moving squares about within the picture: are they believed?

use crate::chess::reachable;
use crate::scene::{Frames, Scene, still};
use crate::table::{Findings, Row};
use image::{RgbaImage, imageops};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use shakmaty::{Board, Position, Square};
use torres::chess::same_position;
use torres::fixture::{Belief, replay};
use torres::frame::Frame;
use torres::geometry::BoardMap;

/// How long after the true frame the altered one is shown, and how often, in ms: long enough to count as settled.
const SHOWN_AFTER: [f64; 4] = [150.0, 300.0, 450.0, 1100.0];

/// A line of this many plies may explain a frame.
const EXPLAINED: usize = 3;

/// How many times other squares are tried.
const TRIES: usize = 20;

#[derive(Clone, Copy, Debug)]
enum Change {
    Removed,
    Added,
    Swapped,
}

/// Alters frames at random places, a few times in each way.
pub fn examine(scene: &Scene, trials: usize, seed: u64, findings: &mut Findings) {
    let mut chance = StdRng::seed_from_u64(seed ^ 0xa17e);
    for change in [Change::Removed, Change::Added, Change::Swapped] {
        for _ in 0..trials {
            if let Some(altered) = (0..TRIES).find_map(|_| Altered::choose(scene, change, &mut chance)) {
                altered.examine(scene, findings);
            }
        }
    }
}

struct Altered {
    /// The frame that was altered.
    frame: usize,
    /// Truth in place of that frame, with the move it is the first to show, or after it.
    instead: bool,
    change: Change,
    squares: (Square, Square),
    image: RgbaImage,
}

impl Altered {
    fn choose(scene: &Scene, change: Change, chance: &mut StdRng) -> Option<Altered> {
        let plies = scene.plies();
        let ply = *plies.choose(chance)?;
        let instead = chance.random_bool(0.4);
        let position = scene.position(ply)?;
        let map = scene.true_map(ply)?;
        let squares = squares(scene, ply, change, position.board(), chance)?;
        let placement = changed(position.board(), change, squares);
        // What some legal line leads to, or what stood there before, is not against the rules.
        let known: Vec<_> = (0..=ply).filter_map(|frame| scene.position(frame)).collect();
        let last = known.iter().rev().find(|p| !same_position(p, position)).copied();
        let explained = known.iter().any(|p| p.board() == &placement)
            || [Some(position), last]
                .into_iter()
                .flatten()
                .any(|p| !reachable(p, &placement, EXPLAINED).is_empty());
        let image = paste(&scene.frames[ply].image, &map, change, squares);
        (!explained).then_some(Altered {
            frame: ply,
            instead,
            change,
            squares,
            image,
        })
    }

    fn examine(&self, scene: &Scene, findings: &mut Findings) {
        let Some(truth) = scene.position(self.frame) else {
            return;
        };
        let before = self.frame + usize::from(!self.instead);
        let mut frames: Vec<Frame> = (0..before).map(|frame| scene.frame(frame)).collect();
        let start = scene.frames[self.frame].t_ms;
        frames.extend(SHOWN_AFTER.iter().map(|ms| still(&self.image, start + ms)));
        let shown = before..frames.len();
        frames.push(still(&scene.frames[self.frame].image, start + 1800.0));
        let Ok(replayed) = replay(scene.opening(), &mut Frames::of(frames)) else {
            return;
        };
        // What a true frame showed before may have been held back until now.
        let was_shown = (0..before).rev().find_map(|frame| scene.position(frame));
        let is_wrong = |b: &&Belief| {
            let believed = b.position.as_ref();
            believed.is_some_and(|position| !was_shown.is_some_and(|shown| same_position(position, shown)))
        };
        let believed = replayed
            .beliefs
            .iter()
            .find(|b| shown.contains(&b.frame) && is_wrong(b));
        let what = || format!("{:?} {} {}", self.change, self.squares.0, self.squares.1);
        findings.count(Row::Altered, believed.is_none(), self.frame, || {
            let moves: Vec<String> = believed
                .iter()
                .flat_map(|b| &b.moves)
                .map(ToString::to_string)
                .collect();
            format!(
                "{}: {} {} believed",
                what(),
                believed.map_or("", |b| b.kind.name()),
                moves.join(" ")
            )
        });
        let recovered = replayed
            .after
            .last()
            .and_then(Option::as_ref)
            .is_some_and(|p| same_position(p, truth));
        findings.count(Row::Recovered, recovered, self.frame, || {
            format!("{}: not understood afterwards", what())
        });
        if believed.is_some() {
            findings.altered_pictures.push((self.frame, self.image.clone()));
        }
    }
}

/// Two squares of one colour on which the change can be made without leaving a trace of tint, arrow or pointer.
fn squares(
    scene: &Scene,
    frame: usize,
    change: Change,
    board: &Board,
    chance: &mut StdRng,
) -> Option<(Square, Square)> {
    let played = scene.shot(frame).truth.as_ref()?.played?;
    let in_check = scene.position(frame)?.checkers().any();
    let plain = |s: &Square| {
        let tinted = [played.from(), played.to()].contains(&Some(*s));
        let king =
            in_check && board.king_of(scene.position(frame).map_or(shakmaty::Color::White, |p| p.turn())) == Some(*s);
        !tinted && !king && !scene.touched(frame, *s)
    };
    let usable: Vec<Square> = Square::ALL.into_iter().filter(plain).collect();
    let a = *usable.choose(chance)?;
    let b = *usable.choose(chance)?;
    let (on_a, on_b) = (board.piece_at(a), board.piece_at(b));
    let fits = match change {
        // What stands on a is replaced by what is on b.
        Change::Removed => on_a.is_some() && on_b.is_none(),
        Change::Added => on_a.is_none() && on_b.is_some(),
        Change::Swapped => on_a.is_some() && on_b.is_some() && on_a != on_b,
    };
    (a != b && a.is_dark() == b.is_dark() && fits).then_some((a, b))
}

fn changed(board: &Board, change: Change, (a, b): (Square, Square)) -> Board {
    let mut changed = board.clone();
    let mut put = |square, content| match content {
        Some(piece) => changed.set_piece_at(square, piece),
        None => changed.discard_piece_at(square),
    };
    put(a, board.piece_at(b));
    if matches!(change, Change::Swapped) {
        put(b, board.piece_at(a));
    }
    changed
}

/// The picture with b's square over a's, and for a swap a's over b's.
fn paste(image: &RgbaImage, map: &BoardMap, change: Change, (a, b): (Square, Square)) -> RgbaImage {
    let mut altered = image.clone();
    let mut copy = |from: Square, to: Square| {
        let (source, target) = (map.square_rect(from), map.square_rect(to));
        let (width, height) = (source.width.round() as u32, source.height.round() as u32);
        let square = imageops::crop_imm(image, source.x.round() as u32, source.y.round() as u32, width, height);
        imageops::replace(
            &mut altered,
            &square.to_image(),
            target.x.round() as i64,
            target.y.round() as i64,
        );
    };
    copy(b, a);
    if matches!(change, Change::Swapped) {
        copy(a, b);
    }
    altered
}
