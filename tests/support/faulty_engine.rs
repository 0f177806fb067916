//! A UCI engine that fails on purpose: a shell script.

use std::path::Path;

/// Writes an engine called `name` that answers a `go` with these shell commands; returns the command that starts it.
pub fn faulty_engine(folder: &Path, name: &str, on_go: &str) -> String {
    let path = folder.join(format!("{name}.sh"));
    let text = format!(
        r#"while read -r word rest; do
    case $word in
        uci) echo 'id name Faulty'; echo uciok ;;
        isready) echo readyok ;;
        go) {on_go} ;;
        quit) exit ;;
    esac
done
"#
    );
    std::fs::write(&path, text).unwrap();
    format!("sh '{}'", path.display())
}
