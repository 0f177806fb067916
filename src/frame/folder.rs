//! A folder of frames on disk, in the fixture format of `docs/contracts.md`: `fixture.json`, `frames.jsonl`,
//! `frames/*.png`.
//!
//! The words of the format and the writer live here, at the foot of the house, since recordings (`fixture`) and the
//! evidence of single decisions (`journal`) are the same kind of folder. Reading one, with all the checks that a file
//! from elsewhere needs, is `fixture`'s.

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{DynamicImage, ImageEncoder, RgbaImage};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use torres_geometry::{BoardRect, DesktopRect, Orientation};

/// The version of the format that is written, and the only one that is read.
pub const FORMAT: u32 = 1;

/// `fixture.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// [`FORMAT`].
    pub format: u32,
    /// The calibration file beside it; `None`: the look is learned from the first frame, which shows `start_fen`.
    pub calibration: Option<String>,
    /// The colour at the bottom.
    pub bottom: Orientation,
    /// The position before the first frame's changes, as FEN.
    pub start_fen: String,
    /// What was recorded, how, and where its truth comes from.
    pub source: String,
}

/// One line of `frames.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FrameRecord {
    /// The picture, relative to the folder, with forward slashes.
    pub file: String,
    /// Time since the first frame, in ms.
    pub t_ms: f64,
    /// What is known of the frame from elsewhere.
    #[serde(default)]
    pub truth: Option<TruthRecord>,
}

/// What a frame shows, by the site's log or the renderer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TruthRecord {
    /// Nothing is moving, dragged, selected or premoved, and no dialog is open.
    pub stable: bool,
    /// The position shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// On the first stable frame after a move: that move, UCI.
    #[serde(default, rename = "move", skip_serializing_if = "Option::is_none")]
    pub played: Option<String>,
    /// Squares of which a quarter or more is covered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub occluded: Vec<String>,
    /// Where the board lies, in pixels of the frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<Rect>,
}

/// A rectangle as it is written down: unchecked numbers, in captured pixels; in a folder of frames those of the frame,
/// in the journal those of the desktop unless it is said otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rect {
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

impl From<BoardRect> for Rect {
    fn from(rect: BoardRect) -> Rect {
        Rect {
            x: rect.x(),
            y: rect.y(),
            width: rect.width(),
            height: rect.height(),
        }
    }
}

impl From<DesktopRect> for Rect {
    fn from(rect: DesktopRect) -> Rect {
        Rect {
            x: rect.x.into(),
            y: rect.y.into(),
            width: rect.width.into(),
            height: rect.height.into(),
        }
    }
}

/// Writes a folder of frames. A picture equal to its predecessor is not stored twice: its line names the same file.
#[derive(Debug)]
pub struct FolderWriter {
    dir: PathBuf,
    lines: Vec<FrameRecord>,
    log: File,
    last: Option<RgbaImage>,
    stored: usize,
    bytes: u64,
}

impl FolderWriter {
    /// Starts a folder; it may exist, but must not hold a recording already.
    pub fn create(dir: &Path, header: &Header) -> io::Result<FolderWriter> {
        fs::create_dir_all(dir.join("frames")).map_err(naming(dir))?;
        let path = dir.join("frames.jsonl");
        let log = File::create_new(&path).map_err(naming(&path))?;
        let path = dir.join("fixture.json");
        fs::write(&path, header_text(header)?).map_err(naming(&path))?;
        Ok(FolderWriter {
            dir: dir.to_path_buf(),
            lines: Vec::new(),
            log,
            last: None,
            stored: 0,
            bytes: 0,
        })
    }

    /// Adds a frame; `t_ms` counts from the first one.
    pub fn push(&mut self, image: &RgbaImage, t_ms: f64, truth: Option<TruthRecord>) -> io::Result<()> {
        let file = match (&self.last, self.lines.last()) {
            (Some(last), Some(line)) if last == image => line.file.clone(),
            _ => {
                let file = format!("frames/{:04}.png", self.stored);
                let path = self.dir.join(&file);
                write_png(&path, image)?;
                self.bytes += fs::metadata(&path).map_err(naming(&path))?.len();
                self.stored += 1;
                self.last = Some(image.clone());
                file
            }
        };
        let line = FrameRecord { file, t_ms, truth };
        self.bytes += append(&mut self.log, &line).map_err(naming(&self.dir.join("frames.jsonl")))?;
        self.lines.push(line);
        Ok(())
    }

    /// The lines written so far.
    pub fn lines(&self) -> &[FrameRecord] {
        &self.lines
    }

    /// How many pictures are on disk.
    pub fn stored(&self) -> usize {
        self.stored
    }

    /// How much pictures and lines take on disk, in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Ends the folder with what became known after the frames: the header again, and one truth for each line.
    pub fn finish(self, header: &Header, truths: Vec<Option<TruthRecord>>) -> io::Result<()> {
        let mut lines = Vec::new();
        for (line, truth) in self.lines.into_iter().zip(truths) {
            append(&mut lines, &FrameRecord { truth, ..line })?;
        }
        replace(&self.dir.join("frames.jsonl"), &lines)?;
        replace(&self.dir.join("fixture.json"), &header_text(header)?)
    }
}

fn header_text(header: &Header) -> io::Result<Vec<u8>> {
    let mut text = serde_json::to_vec_pretty(header)?;
    text.push(b'\n');
    Ok(text)
}

/// Writes a file whole or, if that fails, leaves it as it was.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let fresh = path.with_extension("new");
    fs::write(&fresh, bytes).map_err(naming(&fresh))?;
    fs::rename(&fresh, path).map_err(naming(path))
}

/// Writes a picture as an opaque RGB PNG, as small as a board's flat colours allow: without a line filter they took
/// 29.5 kB where an adaptive one needed 34 kB (560×560, chessground, packed by miniz_oxide).
pub fn write_png(path: &Path, image: &RgbaImage) -> io::Result<()> {
    let file = File::create(path).map_err(naming(path))?;
    let rgb = DynamicImage::ImageRgba8(image.clone()).into_rgb8();
    PngEncoder::new_with_quality(io::BufWriter::new(file), CompressionType::Default, FilterType::NoFilter)
        .write_image(&rgb, rgb.width(), rgb.height(), image::ExtendedColorType::Rgb8)
        .map_err(|e| io::Error::other(format!("{}: {e}", path.display())))
}

/// Writes a line; says how many bytes it has.
fn append(out: &mut impl Write, line: &FrameRecord) -> io::Result<u64> {
    let mut text = serde_json::to_vec(line)?;
    text.push(b'\n');
    out.write_all(&text)?;
    Ok(text.len() as u64)
}

/// Puts the path in front of an error's message.
pub fn naming(path: &Path) -> impl Fn(io::Error) -> io::Error + '_ {
    move |e| io::Error::new(e.kind(), format!("{}: {e}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgba;

    fn header() -> Header {
        Header {
            format: FORMAT,
            calibration: None,
            bottom: Orientation::White,
            start_fen: "8/8/8/8/8/8/8/8 w - - 0 1".into(),
            source: "a test".into(),
        }
    }

    #[test]
    fn a_frame_like_its_predecessor_is_stored_once() {
        let dir = tempfile::tempdir().unwrap();
        let mut folder = FolderWriter::create(dir.path(), &header()).unwrap();
        let (one, other) = (
            RgbaImage::from_pixel(8, 8, Rgba([1, 2, 3, 255])),
            RgbaImage::from_pixel(8, 8, Rgba([3, 2, 1, 255])),
        );
        for (t_ms, image) in [(0.0, &one), (10.0, &one), (20.0, &other), (30.0, &one)] {
            folder.push(image, t_ms, None).unwrap();
        }
        let files: Vec<&str> = folder.lines().iter().map(|l| l.file.as_str()).collect();
        assert_eq!(
            files,
            [
                "frames/0000.png",
                "frames/0000.png",
                "frames/0001.png",
                "frames/0002.png"
            ]
        );
        assert_eq!(fs::read_dir(dir.path().join("frames")).unwrap().count(), 3);
        assert_eq!(
            image::open(dir.path().join("frames/0001.png")).unwrap().into_rgba8(),
            other
        );
    }

    #[test]
    fn a_recording_is_not_written_over() {
        let dir = tempfile::tempdir().unwrap();
        FolderWriter::create(dir.path(), &header()).unwrap();
        let error = FolderWriter::create(dir.path(), &header()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert!(error.to_string().contains("frames.jsonl"), "{error}");
    }

    #[test]
    fn the_lines_read_as_the_design_writes_them() {
        let text = r#"{"file":"frames/0003.png","t_ms":412,"kind":"stable",
            "truth":{"stable":true,"fen":"x","move":"e7e5","occluded":["e4"],"board":{"x":0,"y":0,"width":600,"height":600}}}"#;
        let line: FrameRecord = serde_json::from_str(text).unwrap();
        let truth = line.truth.unwrap();
        assert_eq!(truth.played.as_deref(), Some("e7e5"));
        assert_eq!(truth.occluded, ["e4"]);
        let bare: FrameRecord = serde_json::from_str(r#"{"file":"a.png","t_ms":0,"truth":{"stable":false}}"#).unwrap();
        assert_eq!(bare.truth, Some(TruthRecord::default()));
        let nothing: FrameRecord = serde_json::from_str(r#"{"file":"a.png","t_ms":0,"truth":null}"#).unwrap();
        assert_eq!(nothing.truth, None);
    }
}
