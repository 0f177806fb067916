//! No import breaks the table of rooms in `docs/design.md`: the table itself is read and held against the code.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Which rooms each room may know, as the table says.
struct Table(BTreeMap<String, BTreeSet<String>>);

impl Table {
    fn read() -> Table {
        let text = fs::read_to_string(root().join("docs/design.md")).unwrap();
        let rows: Vec<Vec<&str>> = text
            .lines()
            .filter(|line| line.starts_with("| `src/"))
            .map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect())
            .collect();
        let rooms_of = |cell: &str| -> Vec<String> {
            cell.split('`')
                .filter_map(|part| part.strip_prefix("src/"))
                .map(|part| part.trim_end_matches('/').trim_end_matches(".rs").to_owned())
                .collect()
        };
        let all: BTreeSet<String> = rows.iter().flat_map(|row| rooms_of(row[0])).collect();
        let everyones: Vec<String> = ["picture", "frame", "geometry"].map(str::to_owned).to_vec();
        let mut table = BTreeMap::new();
        for row in &rows {
            let knows: BTreeSet<String> = match row[2] {
                "everything" => all.clone(),
                "–" => BTreeSet::new(),
                list => list.split(',').map(first_word).collect(),
            };
            for room in rooms_of(row[0]) {
                let knows = knows.iter().chain(&everyones).chain([&room]).cloned().collect();
                table.insert(room, knows);
            }
        }
        assert!(
            table.len() >= 15,
            "the table of rooms was not understood: {:?}",
            table.keys()
        );
        Table(table)
    }
}

fn first_word(text: &str) -> String {
    let word = text.trim().split(|c: char| !c.is_alphanumeric()).next();
    word.unwrap_or_default().to_owned()
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn rust_files(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// The rooms that a source file names, as `crate::ROOM` or in `use crate::{ROOM, …}`, comments and tests aside.
fn named_rooms(text: &str) -> BTreeSet<String> {
    let code: String = text
        .split("[cfg(test)]")
        .next()
        .unwrap_or_default()
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n");
    let mut rooms = BTreeSet::new();
    for (start, _) in code.match_indices("crate::") {
        let rest = &code[start + "crate::".len()..];
        match rest.strip_prefix('{') {
            None => {
                rooms.insert(first_word(rest));
            }
            Some(group) => {
                let mut depth = 0;
                let mut word_starts = true;
                for (index, c) in group.char_indices() {
                    match c {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => word_starts = true,
                        c if word_starts && c.is_alphanumeric() => {
                            rooms.insert(first_word(&group[index..]));
                            word_starts = false;
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    rooms
}

#[test]
fn no_import_breaks_the_table_of_rooms() {
    let table = Table::read();
    let src = root().join("src");
    let mut files = Vec::new();
    rust_files(&src, &mut files);
    let mut broken = Vec::new();
    for file in files {
        let relative = file.strip_prefix(&src).unwrap();
        let room = relative
            .iter()
            .next()
            .unwrap()
            .to_string_lossy()
            .trim_end_matches(".rs")
            .to_owned();
        if room == "lib" {
            continue;
        }
        let Some(may_know) = table.0.get(&room) else {
            broken.push(format!("{}: the room `{room}` is not in the table", relative.display()));
            continue;
        };
        for named in named_rooms(&fs::read_to_string(&file).unwrap()) {
            if table.0.contains_key(&named) && !may_know.contains(&named) {
                broken.push(format!("{}: {room} must not know {named}", relative.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn the_engine_knows_the_link_at_its_outer_door_only() {
    let mut files = Vec::new();
    rust_files(&root().join("src/engine"), &mut files);
    for file in files {
        let door = file.file_name().is_some_and(|name| name == "socket.rs");
        let names_link = named_rooms(&fs::read_to_string(&file).unwrap()).contains("link");
        assert!(door || !names_link, "{} knows the link", file.display());
    }
}

#[test]
fn imports_are_found_in_every_form() {
    let names = |text: &str| named_rooms(text).into_iter().collect::<Vec<_>>().join(" ");
    assert_eq!(names("use crate::vision::{Look, Tracker};\n// crate::mouse"), "vision");
    assert_eq!(names("use crate::{frame::{Frame, FrameError}, link};"), "frame link");
    assert_eq!(names("let x = crate::screen::windows();"), "screen");
    assert_eq!(names("#![cfg(test)]\nuse crate::bot::Game;"), "");
    assert_eq!(names("mod a;\n#[cfg(test)]\nmod tests { use crate::bot::Game; }"), "");
}
