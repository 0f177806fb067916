//! Pictures of frames that failed, for eyes.

use crate::scene::Scene;
use crate::table::Findings;
use image::{Rgba, RgbaImage};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use torres::geometry::FramePx;
use torres::picture;

/// At most this many frames of a scene are drawn.
const DRAWN: usize = 4;

/// Draws a scene's failures into a folder.
pub struct Pictures<'a> {
    folder: PathBuf,
    scene: &'a Scene,
}

impl Pictures<'_> {
    pub fn new<'a>(folder: &Path, scene: &'a Scene) -> Pictures<'a> {
        Pictures {
            folder: folder.to_path_buf(),
            scene,
        }
    }

    /// Writes the frames, with the board's grid where it truly lies and the failures written over it.
    pub fn write(&self, findings: &Findings) {
        let frames: BTreeSet<usize> = findings.failures.iter().map(|failure| failure.frame).collect();
        for frame in frames.into_iter().take(DRAWN) {
            let mut image = (*self.scene.frames[frame].image).clone();
            let lines: Vec<String> = findings
                .failures
                .iter()
                .filter(|failure| failure.frame == frame)
                .map(|failure| format!("{:?}: {}", failure.row, failure.what))
                .collect();
            self.draw(&mut image, frame, &lines);
            self.save(&image, &format!("{}-{frame:04}.png", self.scene.name));
        }
        for (n, (frame, image)) in findings.altered_pictures.iter().take(DRAWN).enumerate() {
            self.save(image, &format!("{}-{frame:04}-altered-{n}.png", self.scene.name));
        }
    }

    fn draw(&self, image: &mut RgbaImage, frame: usize, lines: &[String]) {
        if let Some(map) = self.scene.true_map(frame) {
            picture::grid(image, &map, Rgba([255, 0, 255, 120]));
        }
        for (n, line) in lines.iter().take(6).enumerate() {
            let at = FramePx {
                x: 4.0,
                y: 4.0 + 16.0 * n as f64,
            };
            picture::text(image, at, 14.0, Rgba([255, 0, 0, 255]), line);
        }
    }

    fn save(&self, image: &RgbaImage, name: &str) {
        let path = self.folder.join(name);
        let written = std::fs::create_dir_all(&self.folder).map_err(image::ImageError::IoError);
        if let Err(e) = written.and_then(|()| image.save(&path)) {
            eprintln!("vision_report: {}: {e}", path.display());
        }
    }
}
