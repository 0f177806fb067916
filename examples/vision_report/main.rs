//! How well vision sees: rendered scenes with known truth go in, the table of `docs/vision-report.md` comes out.
//!
//! `make vision-report` renders the scenes and runs this. Each scene is a fixture folder as `tests/scenes` writes it.
//! Every scene that fails is listed, with the frame and what was believed in place of what is true.

mod altered;
mod chess;
mod events;
mod gaps;
mod locating;
mod pictures;
mod playing;
mod reading;
mod scene;
mod table;
mod timing;

use clap::Parser;
use pictures::Pictures;
use scene::Scene;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use table::{Findings, Table};

/// Reports how well vision reads rendered scenes.
#[derive(Parser)]
struct Args {
    /// Scene folders, or folders of scene folders.
    #[arg(required = true)]
    scenes: Vec<PathBuf>,
    /// Trials a scene for each of: frames removed, a piece removed, added, swapped.
    #[arg(long, default_value_t = 3)]
    trials: usize,
    /// Chooses what is removed and altered.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Writes a picture of the first failing frames of each scene here.
    #[arg(long)]
    pictures: Option<PathBuf>,
    /// One scene's failures listed before the rest is only counted.
    #[arg(long, default_value_t = 5)]
    list: usize,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let folders: Vec<PathBuf> = args.scenes.iter().flat_map(|path| scene_folders(path)).collect();
    if folders.is_empty() {
        eprintln!(
            "vision_report: there is no scene in {:?}; tests/scenes/render.mjs writes them",
            args.scenes
        );
        return ExitCode::from(2);
    }
    let mut table = Table::default();
    for folder in folders {
        match Scene::load(&folder) {
            Ok(scene) if scene.group == "figures" => table.timings.extend(timing::measure(&scene)),
            Ok(scene) => {
                let findings = examine(&scene, &args);
                print!("{}", findings.failures_as_text(&scene.name, args.list));
                table.add(&scene.group, findings);
            }
            Err(reason) => {
                eprintln!("vision_report: {reason}");
                return ExitCode::from(2);
            }
        }
    }
    println!("{table}");
    ExitCode::SUCCESS
}

/// The folder itself if it is a scene, or the scenes in it, by name.
fn scene_folders(path: &Path) -> Vec<PathBuf> {
    if path.join("fixture.json").is_file() {
        return vec![path.to_path_buf()];
    }
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|p| p.join("fixture.json").is_file())
        .collect();
    found.sort();
    found
}

/// Puts all questions to one scene.
fn examine(scene: &Scene, args: &Args) -> Findings {
    let mut findings = Findings::default();
    let located = locating::examine(scene, &mut findings);
    reading::examine(scene, &located, &mut findings);
    playing::examine(scene, &mut findings);
    gaps::examine(scene, args.trials, args.seed, &mut findings);
    altered::examine(scene, args.trials, args.seed, &mut findings);
    if let Some(folder) = &args.pictures {
        Pictures::new(folder, scene).write(&findings);
    }
    findings
}
