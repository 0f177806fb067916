//! Files of explained pictures: what they are called, and that nobody else's picture is written over.

use super::super::CliError;
use image::RgbaImage;
use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::{Path, PathBuf};

/// What marks a picture as one of ours, so that it may be written over.
const MARK: (&str, &str) = ("Software", "torres see --explain");

/// Which of the arguments are pictures to read, and where the drawing goes.
///
/// `torres see --explain PNG` can mean either. It is a picture to read when there is no other one, or when it exists
/// and Torres did not draw it; otherwise the drawing goes there.
pub(crate) fn sorted_out(value: Option<PathBuf>, mut images: Vec<PathBuf>) -> (Option<PathBuf>, Vec<PathBuf>) {
    match value {
        Some(path) if images.is_empty() || (path.exists() && !is_ours(&path)) => {
            images.insert(0, path);
            (None, images)
        }
        out => (out, images),
    }
}

/// The file for the drawing of one picture, the `number`th of `all`: as stated, numbered where there are several, or
/// beside the picture.
pub(crate) fn name_for(stated: Option<&Path>, source: &Path, number: usize, all: usize) -> PathBuf {
    match stated {
        Some(path) if all == 1 => path.to_path_buf(),
        Some(path) => {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            path.with_file_name(format!("{stem}-{number}.png"))
        }
        None if source.is_dir() => source.join("explained.png"),
        None => source.with_extension("explained.png"),
    }
}

/// Writes a drawing. Where nothing can be written beside the picture, it goes to the working directory.
pub(crate) fn save(drawing: &RgbaImage, path: PathBuf, stated: bool) -> Result<PathBuf, CliError> {
    if path.exists() && !is_ours(&path) {
        return Err(CliError::usage(format!(
            "{} exists and was not drawn by Torres; name another file with --explain OUT.png",
            path.display()
        )));
    }
    let here = path
        .file_name()
        .map(PathBuf::from)
        .filter(|here| !stated && *here != path);
    let written = write(drawing, &path).map(|()| path.clone());
    let written = match (written, here) {
        (Err(_), Some(here)) if !here.exists() || is_ours(&here) => write(drawing, &here).map(|()| here),
        (written, _) => written,
    };
    written.map_err(|e| CliError::failed(format!("cannot write {}: {e}", path.display())))
}

fn write(drawing: &RgbaImage, path: &Path) -> Result<(), png::EncodingError> {
    let file = BufWriter::new(File::create(path)?);
    let mut encoder = png::Encoder::new(file, drawing.width(), drawing.height());
    encoder.set_color(png::ColorType::Rgba);
    encoder.add_text_chunk(MARK.0.to_owned(), MARK.1.to_owned())?;
    let mut writer = encoder.write_header()?;
    writer.write_image_data(drawing)?;
    writer.finish()
}

/// Whether a file is a picture that Torres drew.
fn is_ours(path: &Path) -> bool {
    let Ok(file) = File::open(path) else { return false };
    let Ok(reader) = png::Decoder::new(BufReader::new(file)).read_info() else {
        return false;
    };
    let texts = &reader.info().uncompressed_latin1_text;
    texts
        .iter()
        .any(|chunk| chunk.keyword == MARK.0 && chunk.text == MARK.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_is_written_over_a_drawing_but_never_over_a_picture() {
        let dir = tempfile::tempdir().unwrap();
        let drawing = RgbaImage::new(8, 8);
        let (shot, out) = (dir.path().join("shot.png"), dir.path().join("out.png"));
        drawing.save(&shot).unwrap();
        assert!(save(&drawing, shot.clone(), true).is_err());
        for _ in 0..2 {
            assert_eq!(save(&drawing, out.clone(), true).unwrap(), out);
        }
        // The one argument that may be either: read if it is a picture, written if it is a drawing or not there yet.
        let images = || vec![shot.clone()];
        assert_eq!(sorted_out(Some(shot.clone()), vec![]), (None, images()));
        assert_eq!(sorted_out(Some(out.clone()), images()), (Some(out), images()));
        assert_eq!(sorted_out(None, images()), (None, images()));
        let (none, both) = sorted_out(Some(shot.clone()), images());
        assert_eq!((none, both.len()), (None, 2));
    }

    #[test]
    fn a_drawing_lies_beside_its_picture_unless_it_is_named() {
        let name = |stated: Option<&str>, all| name_for(stated.map(Path::new), Path::new("a/shot.png"), 2, all);
        assert_eq!(name(None, 3), Path::new("a/shot.explained.png"));
        assert_eq!(name(Some("b/out.png"), 1), Path::new("b/out.png"));
        assert_eq!(name(Some("b/out.png"), 3), Path::new("b/out-2.png"));
    }
}
