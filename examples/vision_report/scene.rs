//! A rendered scene in memory: the fixture, what its truth says beyond the format, and the decoded frames.

use image::RgbaImage;
use serde::Deserialize;
use shakmaty::{Chess, Square};
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;
use torres::fixture::{Fixture, ReplayStart, Shot, Truth};
use torres::frame::{Frame, FrameError, FrameSource, Timestamp};
use torres::geometry::{BoardMap, BoardRect, DesktopPx, Orientation};

/// A scene with all its frames decoded.
pub struct Scene {
    /// The folder's name.
    pub name: String,
    /// `tuned`, `unseen`, `figures`.
    pub group: String,
    /// The device scale.
    pub scale: f64,
    /// The fixture as `torres replay` reads it.
    pub fixture: Fixture,
    /// The frames, as many as the fixture has lines.
    pub frames: Vec<SceneFrame>,
}

/// A frame with what is true of it beyond the fixture's format.
pub struct SceneFrame {
    pub image: Rc<RgbaImage>,
    pub t_ms: f64,
    pub more: More,
    /// Whether the line names its predecessor's picture.
    pub repeated: bool,
}

/// Truth beyond the format.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct More {
    #[serde(default)]
    pub kind: String,
    /// Squares over which anything lies.
    #[serde(default)]
    pub touched: Vec<String>,
    pub orientation: Option<Orientation>,
    /// `takeback`, `new_game` or `flip`.
    pub event: Option<String>,
}

#[derive(Deserialize)]
struct HeaderMore {
    #[serde(default = "tuned")]
    group: String,
    #[serde(default = "one")]
    dsf: f64,
}

fn tuned() -> String {
    "tuned".into()
}

fn one() -> f64 {
    1.0
}

#[derive(Deserialize)]
struct LineMore {
    #[serde(default)]
    truth: Option<More>,
}

impl Scene {
    /// Reads a folder and decodes every picture once.
    pub fn load(folder: &Path) -> Result<Scene, String> {
        let fixture = Fixture::read(folder).map_err(|e| e.to_string())?;
        let header: HeaderMore = parse(&text(&folder.join("fixture.json"))?)?;
        let lines = text(&folder.join("frames.jsonl"))?;
        let more = lines
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(|line| parse::<LineMore>(line).map(|line| line.truth.unwrap_or_default()))
            .collect::<Result<Vec<_>, _>>()?;
        let mut decoded: BTreeMap<&str, Rc<RgbaImage>> = BTreeMap::new();
        let mut frames = Vec::new();
        for (shot, more) in fixture.shots.iter().zip(more) {
            let repeated = decoded.contains_key(shot.file.as_str());
            if !repeated {
                let image = image::open(&shot.path).map_err(|e| format!("{}: {e}", shot.path.display()))?;
                decoded.insert(&shot.file, Rc::new(image.into_rgba8()));
            }
            frames.push(SceneFrame {
                image: Rc::clone(&decoded[shot.file.as_str()]),
                t_ms: shot.t_ms,
                more,
                repeated,
            });
        }
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Scene {
            name,
            group: header.group,
            scale: header.dsf,
            fixture,
            frames,
        })
    }

    /// A line of the fixture.
    pub fn shot(&self, frame: usize) -> &Shot {
        &self.fixture.shots[frame]
    }

    /// What the frame shows, if it shows a position at rest.
    pub fn stable(&self, frame: usize) -> Option<&Truth> {
        self.shot(frame).truth.as_ref().filter(|truth| truth.stable)
    }

    /// The position that a stable frame shows.
    pub fn position(&self, frame: usize) -> Option<&Chess> {
        self.stable(frame)?.position.as_ref()
    }

    /// The colour at the bottom of a frame.
    pub fn orientation(&self, frame: usize) -> Orientation {
        self.frames[frame].more.orientation.unwrap_or(self.fixture.bottom)
    }

    /// Where the board truly lies in a frame.
    pub fn true_map(&self, frame: usize) -> Option<BoardMap> {
        let rect: BoardRect = self.shot(frame).truth.as_ref()?.board?;
        Some(BoardMap {
            rect,
            orientation: self.orientation(frame),
        })
    }

    /// Whether anything lies over a square.
    pub fn touched(&self, frame: usize, square: Square) -> bool {
        self.frames[frame].more.touched.contains(&square.to_string())
    }

    /// Each ply of the truth: the frame that shows it first.
    pub fn plies(&self) -> Vec<usize> {
        let played = |frame: &usize| self.shot(*frame).truth.as_ref().is_some_and(|t| t.played.is_some());
        (0..self.frames.len()).filter(played).collect()
    }

    /// How the replay of this scene begins.
    pub fn opening(&self) -> ReplayStart {
        ReplayStart::from(&self.fixture)
    }

    /// A frame as a source hands it out.
    pub fn frame(&self, frame: usize) -> Frame {
        still(&self.frames[frame].image, self.frames[frame].t_ms)
    }
}

/// A picture at a time.
pub fn still(image: &RgbaImage, t_ms: f64) -> Frame {
    Frame {
        image: image.clone().into(),
        at: Timestamp::from_ms(t_ms),
        origin: DesktopPx::default(),
    }
}

/// Frames handed out one after the other.
pub struct Frames(std::vec::IntoIter<Frame>);

impl Frames {
    pub fn of(frames: Vec<Frame>) -> Frames {
        Frames(frames.into_iter())
    }
}

impl FrameSource for Frames {
    fn next_frame(&mut self) -> Result<Frame, FrameError> {
        self.0.next().ok_or(FrameError::Ended)
    }
}

fn text(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

fn parse<T: for<'d> Deserialize<'d>>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|e| e.to_string())
}
