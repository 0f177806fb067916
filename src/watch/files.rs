//! The files of a run that the page may have: those of its games, and nothing beside them.

use std::path::{Component, Path, PathBuf};

/// What a game leaves, by the ends of the names.
const KINDS: [(&str, &str); 6] = [
    ("pgn", "application/vnd.chess-pgn"),
    ("gif", "image/gif"),
    ("png", "image/png"),
    ("svg", "image/svg+xml"),
    ("json", "application/json"),
    ("jsonl", "application/x-ndjson"),
];

/// What is at a path from the run's folder.
pub(super) enum RunEntry {
    /// A file, with its content type.
    File(PathBuf, &'static str),
    /// A folder.
    Folder,
}

/// What a path means that was asked for; `None` for what is not there or is none of the games' business.
pub(super) fn entry_at(out: &Path, path: &str) -> Option<RunEntry> {
    let relative = Path::new(path.trim_matches('/'));
    // No way out of the folder, and no other root.
    if !relative.components().all(|part| matches!(part, Component::Normal(_))) {
        return None;
    }
    let full = out.join(relative);
    // A link may lead out as well.
    let (full, out) = (full.canonicalize().ok()?, out.canonicalize().ok()?);
    if !full.starts_with(out) {
        return None;
    }
    if full.is_dir() {
        return Some(RunEntry::Folder);
    }
    let end = full.extension()?.to_str()?;
    let (_, kind) = KINDS.iter().find(|(of, _)| *of == end)?;
    Some(RunEntry::File(full, kind))
}

/// The names in a folder that lead somewhere, those of folders with a slash behind them; `path` is the folder's from
/// the run's.
pub(super) fn names(out: &Path, path: &str) -> Vec<String> {
    let entries = std::fs::read_dir(out.join(path)).into_iter().flatten().flatten();
    let named = entries.filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        match entry_at(out, &format!("{path}/{name}"))? {
            RunEntry::File(..) => Some(name),
            RunEntry::Folder => Some(name + "/"),
        }
    });
    let mut names: Vec<String> = named.collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_lies_in_the_folder_is_there() {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("run");
        std::fs::create_dir_all(out.join("evidence/0001-pause")).unwrap();
        for file in [
            "run/game.pgn",
            "run/secret.txt",
            "outside.png",
            "run/evidence/0001-pause/decision.json",
        ] {
            std::fs::write(dir.path().join(file), "x").unwrap();
        }
        assert!(matches!(
            entry_at(&out, "game.pgn"),
            Some(RunEntry::File(_, "application/vnd.chess-pgn"))
        ));
        assert!(matches!(
            entry_at(&out, "evidence/0001-pause/decision.json"),
            Some(RunEntry::File(..))
        ));
        assert!(matches!(entry_at(&out, "evidence"), Some(RunEntry::Folder)));
        for path in [
            "secret.txt",
            "../outside.png",
            "etc/hostname.png",
            "gone.pgn",
            "evidence/../../outside.png",
        ] {
            assert!(entry_at(&out, path).is_none(), "{path}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(dir.path().join("outside.png"), out.join("link.png")).unwrap();
            assert!(entry_at(&out, "link.png").is_none(), "a link leads out");
        }
        assert_eq!(
            names(&out, ""),
            ["evidence/", "game.pgn"],
            "what leads nowhere is not listed"
        );
        assert_eq!(names(&out, "evidence"), ["0001-pause/"]);
    }
}
