//! Where a picture comes from, and by what look it is read: a named calibration, the folder that it lies in, or itself.

use super::super::CliError;
use super::super::locate::read_image;
use image::RgbaImage;
use shakmaty::Chess;
use std::path::{Path, PathBuf};
use torres_calibration::{Calibration, find_board, opening_positions, path_of};
use torres_fixture::Fixture;
use torres_frame::FrameSource;
use torres_geometry::Orientation;
use torres_vision::Appearance;

/// A picture with what it is read by.
#[derive(Debug)]
pub(crate) struct Source {
    /// The picture's file.
    pub path: PathBuf,
    /// Its pixels.
    pub image: RgbaImage,
    /// How the board looks.
    pub appearance: Appearance,
    /// The colour at the bottom.
    pub bottom: Orientation,
    /// The position believed before, where the folder knows it.
    pub before: Option<Chess>,
}

/// Gives every picture its look. One that was learned from a picture serves the pictures after it.
#[derive(Debug)]
pub(crate) struct Sources {
    stated: Option<(Appearance, Orientation)>,
    learned: Option<(Appearance, Orientation)>,
}

impl Sources {
    /// Pictures are read by the calibration of that name, if one is given.
    pub(crate) fn by(calibration: Option<&str>) -> Result<Sources, CliError> {
        let stated = match calibration {
            Some(name) => {
                let calibration = Calibration::load(&path_of(name)).map_err(CliError::usage)?;
                Some((calibration.appearance, calibration.bottom))
            }
            None => None,
        };
        Ok(Sources { stated, learned: None })
    }

    /// Opens a picture, or the frame of a recorded folder that was decided on (the last one, where nothing was).
    pub(crate) fn open(&mut self, path: &Path) -> Result<Source, CliError> {
        let folder = if path.is_dir() { Some(path) } else { folder_of(path) };
        let recorded = match (folder, path.is_dir()) {
            (Some(folder), true) => Some(Fixture::read(folder).map_err(CliError::usage)?),
            // A picture that lies in something like a recording can be read without it.
            (Some(folder), false) => Fixture::read(folder).ok(),
            (None, _) => None,
        };
        let file = match (&recorded, path.is_dir()) {
            (Some(fixture), true) => {
                let line = fixture.decision.as_ref().map(|decision| decision.line);
                let shot = line.and_then(|line| fixture.shots.get(line)).or(fixture.shots.last());
                shot.map_or(path, |shot| &shot.path).to_path_buf()
            }
            _ => path.to_path_buf(),
        };
        let image = read_image(&file)?;
        let own = recorded.as_ref().and_then(recorded_appearance);
        let (appearance, bottom) = match (&self.stated, own, &self.learned) {
            (Some(stated), _, _) => stated.clone(),
            (None, Some(own), _) => own,
            (None, None, Some(learned)) => learned.clone(),
            (None, None, None) => self.learned.insert(learned_from(&file, &image)?).clone(),
        };
        let decided = recorded.filter(|fixture| fixture.decision.is_some());
        Ok(Source {
            path: file,
            image,
            appearance,
            bottom,
            before: decided.map(|fixture| fixture.start),
        })
    }
}

/// The recorded folder that a picture lies in: `DIR/frames/0003.png` in `DIR`.
fn folder_of(path: &Path) -> Option<&Path> {
    let frames = path.parent()?;
    let folder = frames
        .parent()
        .filter(|_| frames.file_name().is_some_and(|name| name == "frames"))?;
    folder.join("fixture.json").is_file().then_some(folder)
}

/// The look beside a recording, or the one that its first frame teaches.
fn recorded_appearance(fixture: &Fixture) -> Option<(Appearance, Orientation)> {
    if let Some(appearance) = &fixture.appearance {
        return Some((appearance.clone(), fixture.bottom));
    }
    let first = fixture.frames().next_frame().ok()?;
    let finding = find_board(&first.image, std::slice::from_ref(&fixture.start), Some(fixture.bottom)).ok()?;
    Some((finding.appearance, finding.map.orientation))
}

/// The look that a picture of the start position teaches.
fn learned_from(path: &Path, image: &RgbaImage) -> Result<(Appearance, Orientation), CliError> {
    let finding = find_board(image, &opening_positions(), None).map_err(|why| {
        CliError::usage(format!(
            "{}: {why}; or say with --calibration NAME how the board looks (without one the picture must show the start position)",
            path.display()
        ))
    })?;
    Ok((finding.appearance, finding.map.orientation))
}
