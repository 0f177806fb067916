//! `torres train` as a process that is ended in every way there is, and `torres average`.
#![cfg(unix)]

use super::running::{PATIENCE, command, length, selfplay, told, torres};
use std::fs;
use std::path::Path;
use std::process::Child;
use std::time::Instant;
use torres_engine::nnue::{BUCKETS, INPUTS, Network, Weights};

/// Positions of quick games, shuffled, and some set apart.
fn data(folder: &Path) {
    for args in [
        &selfplay("games", "40", "2")[..],
        &[
            "data",
            "split",
            "games",
            "--training",
            "learn",
            "--validation",
            "apart",
            "--share",
            "0.1",
        ],
        &["data", "shuffle", "learn", "--out", "shuffled"],
    ] {
        let (code, _, error) = torres(folder, args);
        assert_eq!(code, Some(0), "{args:?}: {error}");
    }
}

/// The arguments of a run that takes seconds.
fn train<'a>(out: &'a str, epochs: &'a str, threads: &'a str) -> Vec<&'a str> {
    let settings = "--validation apart --hidden 64 --batch 256 --every 40 --plot curve.svg";
    let mut args = vec![
        "train",
        "shuffled",
        "--out",
        out,
        "--epochs",
        epochs,
        "--threads",
        threads,
    ];
    args.extend(settings.split(' '));
    args
}

/// Starts a run and waits until it has left another checkpoint, or has ended.
fn started(folder: &Path, out: &str, epochs: &str) -> Child {
    let checkpoint = folder.join(format!("{out}.run"));
    let before = fs::read(&checkpoint).ok();
    let mut child = command(folder, &train(out, epochs, "2")).spawn().unwrap();
    let deadline = Instant::now() + PATIENCE;
    while fs::read(&checkpoint).ok() == before && child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < deadline, "no checkpoint was left");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    child
}

#[test]
fn a_run_that_is_killed_again_and_again_comes_to_the_same_network_as_one_that_is_not() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path();
    data(folder);
    let (code, told, error) = torres(folder, &train("whole", "60", "1"));
    assert_eq!(code, Some(0), "{error}");
    assert!(
        told.contains("64 hidden units, 60 epochs") && told.contains("whole written"),
        "{told}"
    );
    assert!(
        error.contains("against the result") && error.contains("to go"),
        "{error}"
    );
    assert!(
        fs::read_to_string(folder.join("curve.svg"))
            .unwrap()
            .contains("set apart")
    );
    assert!(!folder.join("whole.run").exists(), "the checkpoint is of no more use");

    let whole = fs::read(folder.join("whole")).unwrap();
    let network = Network::from_bytes(&whole).unwrap();
    assert_eq!(network.hidden(), 64);
    assert!(
        told.contains(network.made()) && network.made().contains("seed 1"),
        "{}",
        network.made()
    );

    let mut kills = 0;
    loop {
        let mut child = started(folder, "killed", "60");
        if child.try_wait().unwrap().is_some() {
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
    }
    assert!(kills >= 2, "{kills}");
    assert!(
        fs::read(folder.join("killed")).unwrap() == whole,
        "{kills} kills make a difference"
    );
    // What a kill leaves in the middle of a write lies beside it, and takes no part.
    let (code, _, error) = torres(folder, &train("whole", "60", "1"));
    assert!(code == Some(2) && error.contains("'whole' is there already"), "{error}");
    assert!(fs::read(folder.join("whole")).unwrap() == whole);
}

#[test]
fn a_polite_stop_leaves_a_checkpoint_that_only_the_same_run_goes_on_from() {
    use rustix::process::{Pid, Signal, kill_process};
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path();
    data(folder);
    let child = started(folder, "net", "1000000");
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let (code, said, error) = told(child.wait_with_output().unwrap());
    assert_eq!(code, Some(3), "{error}");
    assert!(said.contains("the same command goes on from 'net.run'"), "{said}");
    assert!(!folder.join("net").exists() && length(&folder.join("net.run")) > 0);

    let (code, _, error) = torres(folder, &train("net", "1000", "2"));
    assert_eq!(code, Some(2), "{error}");
    assert!(
        error.contains("another run") && error.contains("1000000 epochs"),
        "{error}"
    );
    let (code, _, error) = torres(folder, &["train", "games", "--out", "other"]);
    assert!(code == Some(2) && error.contains("torres data shuffle"), "{error}");
    for wrong in ["--hidden=100", "--rate=0", "--batch=0", "--result-share=1.5"] {
        let (code, _, error) = torres(folder, &["train", "shuffled", "--out", "other", wrong]);
        assert_eq!(code, Some(2), "{error}");
    }
}

/// A network that counts material, in units of half a pawn, and nothing else.
///
/// Of two hidden units, one has ½ + *m*, the other ½ − *m*, *m* being small; the difference of their squares is 2 *m*.
fn material_count() -> Network {
    const HALVES: [i16; 6] = [2, 6, 6, 10, 18, 0];
    // With these the difference is 100 centipawns for a pawn: 32 · 32 · 2 · 2 · 127 · 2 / 255 · 400 / (255 · 64).
    const HIDDEN: usize = 64;
    const OUTPUT: i16 = 32;
    let mut weights = Weights {
        inputs: Vec::new(),
        input_bias: vec![127; HIDDEN],
        outputs: Vec::new(),
        output_bias: [0; BUCKETS],
    };
    for input in 0..INPUTS {
        let value = HALVES[input / 64 % 6] * if input < INPUTS / 2 { 1 } else { -1 };
        weights.inputs.extend([value, -value].repeat(HIDDEN / 2));
    }
    for _ in 0..BUCKETS {
        weights.outputs.extend([OUTPUT, -OUTPUT].repeat(HIDDEN / 2));
        weights.outputs.extend([0; HIDDEN]);
    }
    Network::new(&weights, "material").unwrap()
}

#[test]
fn networks_are_averaged_and_none_is_written_over() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path();
    let (one, mut weights) = (material_count(), material_count().weights());
    weights.input_bias.fill(133);
    let two = Network::new(&weights, "another").unwrap();
    for (name, network) in [("one", &one), ("two", &two)] {
        fs::write(folder.join(name), network.to_bytes()).unwrap();
    }
    let (code, said, error) = torres(folder, &["average", "one", "two", "--out", "mean"]);
    assert_eq!((code, said.as_str()), (Some(0), "mean written\n"), "{error}");
    weights.input_bias.fill(130);
    assert_eq!(Network::read(&folder.join("mean")).unwrap().weights(), weights);

    fs::write(folder.join("foreign"), "no network").unwrap();
    for (args, why) in [
        (&["one", "two", "--out", "mean"][..], "is there already"),
        (
            &["one", "foreign", "--out", "other"],
            "'foreign': it is not a network of Torres",
        ),
        (&["one", "--out", "other"], "2 values required"),
    ] {
        let (code, _, error) = torres(folder, &[&["average"], args].concat());
        assert_eq!(code, Some(2), "{args:?}");
        assert!(error.contains(why), "{args:?}: {error}");
    }
    assert!(!folder.join("other").exists());
}

/// All that docs/engine/network.md tells, on a small scale.
#[test]
fn from_nothing_to_a_network_that_beats_a_material_count() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path();
    let ok = |args: &str| {
        let args: Vec<&str> = args.split(' ').collect();
        let (code, said, error) = torres(folder, &args);
        assert_eq!(code, Some(0), "{args:?}: {said}{error}");
        said
    };
    ok("selfplay --out games --games 260 --nodes 300 --threads 2");
    ok("data split games --training learn --validation apart --share 0.05");
    ok("data shuffle learn --out shuffled");
    let taught = ok("train shuffled --validation apart --out taught --hidden 64 --epochs 30 --batch 1024 --rate 0.002");
    let positions: u64 = taught.split(' ').next().unwrap().parse().unwrap();
    assert!((17_000..27_000).contains(&positions), "{taught}");

    fs::write(folder.join("material"), material_count().to_bytes()).unwrap();
    let network = |name: &str| format!("EvalFile={}", folder.join(name).display());
    let them = format!("{} uci", torres_test_support::program());
    let args = [
        "ladder",
        "--out",
        "match",
        "--games",
        "20",
        "--limits",
        "nodes=1000",
        "--concurrency",
        "2",
    ];
    let options = [
        "--option",
        &network("taught"),
        "--against",
        &them,
        "--their-option",
        &network("material"),
    ];
    let (code, table, error) = torres(folder, &[&args[..], &options].concat());
    assert_eq!(code, Some(0), "{error}");
    let (before, _) = table.split_once(" %").unwrap();
    let score: f64 = before.rsplit(' ').next().unwrap().parse().unwrap();
    assert!(score > 60.0, "{table}");
}
