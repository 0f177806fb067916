//! Fuzz target: a journal, read, told and written out.
#![cfg(test)]

use super::text::{Text, tests::JOURNAL};
use jiff::tz::TimeZone;
use std::path::Path;
use torres_fuzz::{Judged, names_damage, run};
use torres_journal::{Entries, Entry, story};

const WORDS: [&str; 30] = [
    "\"event\":\"seen\"",
    "\"event\":\"note\"",
    "\"started\"",
    "\"game_started\"",
    "\"seen\"",
    "\"taken_back\"",
    "\"played\"",
    "\"confirmed\"",
    "\"verdict\"",
    "\"checked\"",
    "\"gesture\"",
    "\"pause\"",
    "\"result\"",
    "\"moves\":[]",
    "[\"e2e4\",\"e7e5\"]",
    "\"e1g1\"",
    "\"a7a8q\"",
    "\"fen\":\"x\"",
    "\"plies\":99",
    "\"t_ms\":",
    "1732197600740.0",
    "253402300800000",
    "\"mate\":-3",
    "\"evidence\":null",
    "\"other\"",
    "\"black\"",
    "}\n{",
    "\"points\":[[1,2]]",
    "9.9e99",
    "\"color\":\"black\"",
];

#[test]
fn fuzz_journal() {
    let seeds = [
        JOURNAL.as_bytes().to_vec(),
        JOURNAL.lines().take(11).collect::<Vec<_>>().join("\n").into_bytes(),
    ];
    let text = Text {
        beside: Path::new("games"),
        zone: TimeZone::UTC,
    };
    run("journal", &seeds, &WORDS, |input| {
        let read = Entries::parse(input);
        let lines = input
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.trim_ascii().is_empty());
        assert_eq!(
            read.entries.len() + read.damaged.len(),
            lines.count(),
            "every line is an entry or damage"
        );
        assert!(
            read.damaged.iter().all(|damage| names_damage(&damage.why)),
            "{:?}",
            read.damaged
        );
        for (_, entry) in &read.entries {
            let written = serde_json::to_string(entry).unwrap();
            let again: Entry = serde_json::from_str(&written).unwrap();
            assert_eq!(serde_json::to_string(&again).unwrap(), written, "it reads back");
        }
        let games = story::games(&read.entries);
        for (number, game) in (1..).zip(&games) {
            let told = text.game(game, number, games.len());
            for ply in &game.plies {
                assert!(told.contains(&format!("ply {}   {}", ply.number, ply.caption)));
                assert!(text.ply(game, ply.number).is_some());
            }
            assert!(game.moves().len() <= game.plies.len());
        }
        match read.damaged.is_empty() {
            true => Judged::Accepted,
            false => Judged::Refused,
        }
    });
}
