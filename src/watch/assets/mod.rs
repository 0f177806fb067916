//! The page's files, part of the binary: nothing is fetched from anywhere else.

/// Path, content type, content.
const ASSETS: &[(&str, &str, &str)] = &[
    ("/", "text/html; charset=utf-8", include_str!("index.html")),
    ("/watch.css", "text/css; charset=utf-8", include_str!("watch.css")),
    ("/watch.js", "text/javascript; charset=utf-8", include_str!("watch.js")),
    ("/board.js", "text/javascript; charset=utf-8", include_str!("board.js")),
    (
        "/charts.js",
        "text/javascript; charset=utf-8",
        include_str!("charts.js"),
    ),
];

/// Type and content of the file at a path, if there is one.
pub(super) fn at(path: &str) -> Option<(&'static str, &'static str)> {
    let found = ASSETS.iter().find(|(at, ..)| *at == path);
    found.map(|(_, kind, content)| (*kind, *content))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_the_page_names_is_there() {
        let (_, page) = at("/").unwrap();
        let named: Vec<&str> = page
            .split(['"', '\''])
            .filter(|word| word.starts_with('/') && word.contains('.'))
            .collect();
        assert!(named.len() >= 2, "{named:?}");
        let scripts = ["/watch.js", "/board.js", "/charts.js"]
            .map(|path| at(path).unwrap().1)
            .concat();
        let imported = scripts
            .split('"')
            .filter(|word| word.starts_with("./") && word.ends_with(".js"));
        let imported: Vec<String> = imported.map(|word| word[1..].to_owned()).collect();
        assert!(!imported.is_empty());
        for path in named.into_iter().map(str::to_owned).chain(imported) {
            assert!(at(&path).is_some(), "{path} is not served");
        }
        assert!(at("/../Cargo.toml").is_none());
    }
}
