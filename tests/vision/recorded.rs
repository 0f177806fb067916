//! Recorded games of `fixtures/`, their frames decoded, to be shown otherwise than they were recorded.

use shakmaty::{Chess, Position};
use std::path::{Path, PathBuf};
use torres::fixture::{Fixture, Replay, ReplayStart, replay};
use torres::frame::{Frame, FrameError, FrameSource};
use torres::geometry::BoardMap;
use torres::vision::{Appearance, locate};

/// Frames handed out one after the other.
struct Frames(std::vec::IntoIter<Frame>);

impl FrameSource for Frames {
    fn next_frame(&mut self) -> Result<Frame, FrameError> {
        self.0.next().ok_or(FrameError::Ended)
    }
}

/// A recorded game, its frames decoded.
pub struct Game {
    pub fixture: Fixture,
    pub frames: Vec<Frame>,
    pub appearance: Appearance,
    pub map: BoardMap,
}

impl Game {
    pub fn read(dir: &Path) -> Game {
        let fixture = Fixture::read(dir).unwrap();
        let mut source = fixture.frames();
        let frames: Vec<Frame> = std::iter::from_fn(|| source.next_frame().ok()).collect();
        let map = BoardMap {
            rect: locate(&frames[0].image)[0].rect,
            orientation: fixture.bottom,
        };
        let appearance = Appearance::learn(&frames[0].image, &map, fixture.start.board()).unwrap();
        Game {
            fixture,
            frames,
            appearance,
            map,
        }
    }

    pub fn named(name: &str) -> Game {
        Game::read(&home().join(name))
    }

    /// The position that a frame shows at rest.
    pub fn truth(&self, frame: usize) -> Option<&Chess> {
        let truth = self.fixture.shots[frame].truth.as_ref()?;
        truth.position.as_ref().filter(|_| truth.stable)
    }

    /// Each ply's first frame.
    pub fn plies(&self) -> Vec<usize> {
        let played = |frame: &usize| {
            let truth = self.fixture.shots[*frame].truth.as_ref();
            truth.is_some_and(|truth| truth.played.is_some())
        };
        (0..self.frames.len()).filter(played).collect()
    }

    pub fn replay(&self, frames: Vec<Frame>) -> Replay {
        replay(ReplayStart::from(&self.fixture), &mut Frames(frames.into_iter())).unwrap()
    }
}

pub fn home() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}
