//! Where an engine's program is.

use std::path::{Path, PathBuf};

/// A path as it is; a name in the folders of `PATH` and among the games.
pub(super) fn find(program: &str) -> Option<PathBuf> {
    let path = Path::new(program);
    if path.components().count() > 1 {
        return path.is_file().then(|| path.to_owned());
    }
    let searched = std::env::var_os("PATH").unwrap_or_default();
    let name = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&searched)
        .chain([PathBuf::from("/usr/games")])
        .flat_map(|folder| [folder.join(program), folder.join(&name)])
        .find(|candidate| candidate.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_by_path_and_by_name() {
        let own = std::env::current_exe().unwrap();
        assert_eq!(find(&own.to_string_lossy()), Some(own));
        assert_eq!(find("no-such-engine-anywhere"), None);
        assert_eq!(find("/no/such/engine"), None);
        #[cfg(unix)]
        assert!(find("sh").is_some());
    }
}
