//! Files of one JSON object a line to which one program at a time appends, and goes on with when it was broken off.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// Opens a file to append to, making it where there is none, and reads what it holds. A last line that was not written
/// whole is cut off.
///
/// # Errors
/// The file cannot be read or written, or another program writes to it; `busy` says then what to do.
pub(crate) fn open(path: &Path, busy: &str) -> Result<(File, String), String> {
    let wrong = |error: &dyn std::fmt::Display| format!("'{}': {error}", path.display());
    let mut options = OpenOptions::new();
    let mut file = options
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(|error| wrong(&error))?;
    file.try_lock().map_err(|_| wrong(&busy))?;
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(|error| wrong(&error))?;
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    file.set_len(whole as u64)
        .and_then(|()| file.seek(SeekFrom::End(0)))
        .map_err(|error| wrong(&error))?;
    text.truncate(whole);
    Ok((file, text))
}
