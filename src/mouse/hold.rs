//! One Torres at a time moves a desktop's mouse: two would pull it out of each other's hand.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A Torres that was just ended may need so long to let go.
const ENDS_WITHIN: Duration = Duration::from_secs(1);
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Why the mouse is not to be had.
#[derive(Debug, thiserror::Error)]
pub enum HoldError {
    /// Another Torres moves it.
    #[error("another Torres ({by}) has this desktop's mouse; end it first, or play without the mouse: --hands-off")]
    Taken {
        /// What the other one wrote down of itself.
        by: String,
    },
    /// Nobody can tell.
    #[error("cannot tell whether another Torres has the mouse: {path}: {why}", path = .path.display())]
    Unknown {
        /// The file that would tell.
        path: PathBuf,
        /// What the system says.
        why: std::io::Error,
    },
}

/// The right to move the mouse of this desktop, until it is dropped or the process ends, however it ends.
#[derive(Debug)]
pub struct Hold {
    _file: File,
}

impl Hold {
    /// Takes hold of the mouse for what `purpose` names.
    pub fn take(purpose: &str) -> Result<Hold, HoldError> {
        Hold::of(&path_for(&desktop()), purpose)
    }

    fn of(path: &PathBuf, purpose: &str) -> Result<Hold, HoldError> {
        let unknown = |why| HoldError::Unknown {
            path: path.clone(),
            why,
        };
        let mut file = File::options()
            .create(true)
            .read(true)
            .write(true)
            .truncate(false)
            .open(path)
            .map_err(unknown)?;
        let began = Instant::now();
        let locked = loop {
            match file.try_lock() {
                Err(TryLockError::WouldBlock) if began.elapsed() < ENDS_WITHIN => std::thread::sleep(LOOK_EVERY),
                locked => break locked,
            }
        };
        match locked {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut by = String::new();
                // Whoever holds it may just be writing its name.
                let _ = file.read_to_string(&mut by);
                return Err(HoldError::Taken {
                    by: by.trim().to_owned(),
                });
            }
            Err(TryLockError::Error(why)) => return Err(unknown(why)),
        }
        let written = file
            .set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| writeln!(file, "process {}, {purpose}", std::process::id()));
        written.map_err(unknown)?;
        Ok(Hold { _file: file })
    }
}

/// What tells this desktop from others of the same user.
fn desktop() -> String {
    std::env::var("DISPLAY").unwrap_or_default()
}

fn path_for(desktop: &str) -> PathBuf {
    let name: String = desktop
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    let folder = std::env::var_os("XDG_RUNTIME_DIR")
        .map(PathBuf::from)
        .filter(|folder| folder.is_dir())
        .unwrap_or_else(std::env::temp_dir);
    folder.join(format!("torres-mouse{}-{name}.lock", user()))
}

/// The temporary folder may be shared with other users.
#[cfg(unix)]
fn user() -> String {
    format!("-{}", rustix::process::getuid().as_raw())
}

#[cfg(not(unix))]
fn user() -> String {
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time_has_the_mouse_and_the_other_learns_who() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("mouse.lock");
        let first = Hold::of(&path, "playing with 'site'").unwrap();
        let refused = Hold::of(&path, "playing with 'other'").unwrap_err().to_string();
        assert!(
            refused.contains(&format!("process {}", std::process::id())),
            "{refused}"
        );
        assert!(refused.contains("playing with 'site'"), "{refused}");
        drop(first);
        Hold::of(&path, "a name shorter").unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.ends_with("a name shorter\n") && !text.contains("site"), "{text}");
    }

    #[test]
    fn every_desktop_has_a_mouse_of_its_own() {
        assert_ne!(path_for(":1"), path_for(":2"));
        assert_eq!(path_for(":1/x").parent(), path_for(":1").parent());
    }
}
