//! The table of a folder's games, as Markdown.

use super::record::{Effort, End, GameRecord, Pairing, Store, tally};
use std::fmt::Write;

/// Every pairing with its score, and below it what ended games that should not have.
pub fn table(store: &Store) -> String {
    let mut text = String::from(
        "| engine | limits | opponent | limits | games | + = − | score | 95 % | Elo | depth |\n|---|---|---|---|---|---|---|---|---|---|\n",
    );
    let groups = store.by_pairing();
    for (pairing, games) in &groups {
        row(&mut text, pairing, games);
    }
    let mut notes = String::new();
    for (pairing, games) in &groups {
        note(&mut notes, pairing, games);
    }
    format!("{text}\n{notes}")
}

fn row(text: &mut String, pairing: &Pairing, games: &[&GameRecord]) {
    let tally = tally(games);
    let (Some(score), Some(elo)) = (tally.score(), tally.elo()) else {
        return;
    };
    let [ours, theirs] = efforts(games);
    let percent = |share: f64| 100.0 * share;
    // Writing to a String does not fail.
    let _ = writeln!(
        text,
        "| {} | {} | {} | {} | {} | {} {} {} | {:.1} % | {:.1} to {:.1} % | {} | {:.1} / {:.1} |",
        pairing.engine.name,
        pairing.engine.limits,
        pairing.opponent.name,
        pairing.opponent.limits,
        tally.games(),
        tally.wins,
        tally.draws,
        tally.losses,
        percent(score.value),
        percent(score.low),
        percent(score.high),
        elo.to_elo_text(),
        ours.mean_depth(),
        theirs.mean_depth(),
    );
}

fn efforts(games: &[&GameRecord]) -> [Effort; 2] {
    let mut both = [Effort::default(); 2];
    for game in games {
        both[0].add_all(&game.engine_effort);
        both[1].add_all(&game.opponent_effort);
    }
    both
}

/// Settings and ends of a pairing's games.
fn note(text: &mut String, pairing: &Pairing, games: &[&GameRecord]) {
    let (engine, opponent) = (&pairing.engine, &pairing.opponent);
    let _ = writeln!(
        text,
        "- {} ({}) – {} ({}); openings {}: {}. {}",
        engine.name,
        engine.settings,
        opponent.name,
        opponent.settings,
        pairing.openings,
        ends(games),
        faults(games)
    );
}

fn ends(games: &[&GameRecord]) -> String {
    let mut kinds: Vec<End> = games.iter().map(|game| game.end).collect();
    kinds.sort();
    let counted: Vec<String> = kinds
        .chunk_by(|a, b| a == b)
        .map(|same| format!("{} {}", same.len(), same[0].words()))
        .collect();
    counted.join(", ")
}

/// Who lost how often by which defect; each of the four kinds is counted even where it is nought.
pub fn faults(games: &[&GameRecord]) -> String {
    let mut parts = Vec::new();
    for fault in End::FAULTS {
        let faulty: Vec<&&GameRecord> = games.iter().filter(|game| game.end == fault).collect();
        let ours = faulty.iter().filter(|game| game.points == 0.0).count();
        let plural = match fault {
            End::TimeLoss => "time losses",
            End::Crash => "crashes",
            End::NoAnswer => "missing answers",
            _ => "illegal moves",
        };
        parts.push(format!("{ours} + {} {plural}", faulty.len() - ours));
    }
    format!("Faults, engine + opponent: {}.", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::record;
    use super::*;

    #[test]
    fn every_pairing_has_its_row_and_every_fault_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(folder.path()).unwrap();
        for (number, points) in [1.0, 0.5, 1.0, 0.0].into_iter().enumerate() {
            store.append(record("alpha", number, points, End::Checkmate)).unwrap();
        }
        store.append(record("beta", 0, 0.0, End::TimeLoss)).unwrap();
        store.append(record("beta", 1, 1.0, End::Crash)).unwrap();
        let text = table(&store);
        let row = |name: &str| {
            text.lines()
                .find(|line| line.starts_with('|') && line.contains(name))
                .unwrap()
        };
        assert!(row("alpha").contains("| 4 | 2 1 1 | 62.5 % |"), "{text}");
        assert!(row("beta").contains("| 2 | 1 0 1 | 50.0 % |"), "{text}");
        let note = text
            .lines()
            .find(|line| line.starts_with("- ") && line.contains("beta"))
            .unwrap();
        assert!(note.contains("1 time loss, 1 crash"), "{note}");
        assert!(
            note.contains("1 + 0 time losses, 0 + 1 crashes, 0 + 0 missing answers, 0 + 0 illegal moves"),
            "{note}"
        );
    }
}
