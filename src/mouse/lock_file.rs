//! The mouse's lock where no display server keeps one: a locked file of the user's.
//!
//! Its place does not depend on the environment, no link to it is followed, and it is written only when the lock is
//! held: a file that somebody else has put there stays as it is.

use super::error::HoldError;
use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// The lock, held or not yet held. It is released when this value is dropped or the process ends, however it ends.
#[derive(Debug)]
pub(super) struct LockFile {
    file: File,
    path: PathBuf,
}

impl LockFile {
    /// This user's.
    #[cfg(not(target_os = "linux"))]
    pub fn open() -> Result<LockFile, HoldError> {
        LockFile::at(&path())
    }

    fn at(path: &Path) -> Result<LockFile, HoldError> {
        let opened = open_own(path);
        Ok(LockFile {
            file: opened.map_err(|why| unknown(path, &why))?,
            path: path.to_owned(),
        })
    }

    /// Takes it under this label, or says who has it. There is nothing to take over: a lock ends with its holder.
    pub fn take(&mut self, label: &str, _from: Option<&str>) -> Result<Option<String>, HoldError> {
        let fails = |why| unknown(&self.path, &why);
        match self.file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut by = String::new();
                // Whoever holds it may just be writing its name.
                let _ = self.file.rewind().and_then(|()| self.file.read_to_string(&mut by));
                return Ok(Some(by.trim().to_owned()));
            }
            Err(TryLockError::Error(why)) => return Err(fails(why)),
        }
        let written = self
            .file
            .set_len(0)
            .and_then(|()| self.file.rewind())
            .and_then(|()| writeln!(self.file, "{label}"));
        written.map_err(|why| unknown(&self.path, &why))?;
        Ok(None)
    }
}

fn unknown(path: &Path, why: &io::Error) -> HoldError {
    HoldError::Unknown {
        place: path.display().to_string(),
        why: format!("{why}; remove it, if it is nothing that you need"),
    }
}

/// Opens the file, or makes it; refuses what is none of our making.
fn open_own(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.create(true).read(true).write(true).truncate(false);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        // Without waiting: the file may be a pipe.
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        options.mode(0o600).custom_flags(flags.bits() as i32);
    }
    let file = options.open(path)?;
    let about = file.metadata()?;
    if !about.is_file() {
        return Err(io::Error::other("it is no plain file"));
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if about.uid() != rustix::process::geteuid().as_raw() || about.nlink() != 1 {
            return Err(io::Error::other(
                "it is somebody else's, or another file by a second name",
            ));
        }
    }
    Ok(file)
}

/// Where all of this user's programs look, whatever their environment says.
#[cfg(all(unix, not(target_os = "linux")))]
fn path() -> PathBuf {
    PathBuf::from(format!(
        "/tmp/torres-mouse-{}.lock",
        rustix::process::geteuid().as_raw()
    ))
}

/// The user's own folder.
#[cfg(not(unix))]
fn path() -> PathBuf {
    std::env::temp_dir().join("torres-mouse.lock")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn one_at_a_time_has_the_mouse_and_the_other_learns_who() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("mouse.lock");
        let mut first = LockFile::at(&path).unwrap();
        assert_eq!(first.take("process 1, playing with 'site'", None).unwrap(), None);
        let mut second = LockFile::at(&path).unwrap();
        for _ in 0..2 {
            let by = second.take("process 2, examining", None).unwrap();
            assert_eq!(by.as_deref(), Some("process 1, playing with 'site'"));
        }
        drop(first);
        assert_eq!(second.take("process 2, examining", None).unwrap(), None);
        assert_eq!(fs::read_to_string(&path).unwrap(), "process 2, examining\n");
    }

    /// The file in the lock's place is refused for this reason, and stays as it is.
    fn refused(why: &str, lay: impl Fn(&Path, &Path)) {
        let dir = tempfile::tempdir().unwrap();
        let (path, precious) = (dir.path().join("mouse.lock"), dir.path().join("precious"));
        fs::write(&precious, "precious").unwrap();
        lay(&path, &precious);
        let error = LockFile::at(&path).unwrap_err().to_string();
        assert!(error.contains("mouse.lock") && error.contains(why), "{error}");
        assert_eq!(fs::read_to_string(&precious).unwrap(), "precious");
    }

    #[test]
    fn what_somebody_laid_there_is_refused_and_left_alone() {
        refused("symbolic link", |path, precious| {
            std::os::unix::fs::symlink(precious, path).unwrap();
        });
        refused("symbolic link", |path, precious| {
            let nothing = precious.with_extension("gone");
            std::os::unix::fs::symlink(nothing, path).unwrap();
        });
        refused("second name", |path, precious| fs::hard_link(precious, path).unwrap());
        refused("directory", |path, _| fs::create_dir(path).unwrap());
        refused("no plain file", |path, _| {
            let made = std::process::Command::new("mkfifo").arg(path).status().unwrap();
            assert!(made.success());
        });
    }

    #[test]
    fn a_file_is_not_emptied_by_one_who_does_not_get_the_lock() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("mouse.lock");
        fs::write(&path, "held elsewhere").unwrap();
        let holder = File::open(&path).unwrap();
        holder.lock().unwrap();
        let by = LockFile::at(&path).unwrap().take("process 3, playing", None).unwrap();
        assert_eq!(by.as_deref(), Some("held elsewhere"));
        assert_eq!(fs::read_to_string(&path).unwrap(), "held elsewhere");
    }
}
