//! What the user vouched for, written down with its pictures.

use super::Log;
use image::ImageFormat;
use std::fs;
use std::io::{self, Cursor};
use std::path::Path;
use torres_calibration::{Opponent, PanelPicture};
use torres_journal::Event;
use torres_journal::event::{Rect, Vouched};

/// A folder with more pictures of panels than that has been played in for long enough.
const PICTURES: usize = 1000;

impl Log {
    /// A game begins or goes on against this opponent: what is vouched for becomes part of the journal.
    pub fn vouched(&mut self, opponent: &Opponent) {
        let dir = self.journal.dir().to_owned();
        let mut kept = |picture: &PanelPicture| {
            let kept = keep(picture, &dir);
            self.keep_failure(kept)
        };
        let picture = kept(&opponent.picture).unwrap_or_default();
        let also = opponent.also.as_ref().and_then(&mut kept);
        let second = opponent.second.as_ref().and_then(|second| kept(&second.picture));
        let panel = opponent.panel;
        self.write(Event::Vouched(Vouched {
            name: opponent.name.clone(),
            panel: Rect {
                x: panel.x.into(),
                y: panel.y.into(),
                width: panel.width.into(),
                height: panel.height.into(),
            },
            declared_bot: opponent.declared_bot,
            picture,
            also,
            second,
        }));
    }
}

/// Leaves a picture in the folder: `opponent.png`, or the next free name where another panel has that. The same picture
/// is kept once.
fn keep(picture: &PanelPicture, dir: &Path) -> io::Result<String> {
    let mut bytes = Cursor::new(Vec::new());
    let encoded = picture.image().write_to(&mut bytes, ImageFormat::Png);
    encoded.map_err(io::Error::other)?;
    let bytes = bytes.into_inner();
    for number in 1..=PICTURES {
        let name = match number {
            1 => "opponent.png".to_owned(),
            number => format!("opponent-{number}.png"),
        };
        let path = dir.join(&name);
        match fs::read(&path) {
            Ok(there) if there == bytes => return Ok(name),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::write(&path, &bytes).map_err(|e| io::Error::new(e.kind(), format!("{}: {e}", path.display())))?;
                return Ok(name);
            }
            Err(error) => return Err(io::Error::new(error.kind(), format!("{}: {error}", path.display()))),
        }
    }
    Err(io::Error::other(format!(
        "{} holds {PICTURES} pictures of panels",
        dir.display()
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgba, RgbaImage};

    #[test]
    fn a_panel_is_kept_once_and_another_one_beside_it() {
        let dir = tempfile::tempdir().unwrap();
        let panel = |level| PanelPicture::new(&RgbaImage::from_pixel(30, 20, Rgba([level, 0, 0, 255])));
        assert_eq!(keep(&panel(1), dir.path()).unwrap(), "opponent.png");
        assert_eq!(keep(&panel(2), dir.path()).unwrap(), "opponent-2.png");
        assert_eq!(keep(&panel(1), dir.path()).unwrap(), "opponent.png");
        let left = image::open(dir.path().join("opponent-2.png")).unwrap().into_rgba8();
        assert_eq!(PanelPicture::new(&left), panel(2));
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
    }
}
