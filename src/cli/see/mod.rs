//! `torres see`.

mod drawing;
mod sources;

use super::{CliError, CliResult, Exit};
use serde_json::{Value, json};
use shakmaty::{Chess, Position};
use sources::{Source, Sources};
use std::path::{Path, PathBuf};
use torres_calibration::{Explained, explained};
use torres_chess::{fen, parse_fen, uci_line};
use torres_fixture::decision::{candidates, listed};
use torres_geometry::{BoardMap, BySquare};
use torres_vision::appearance::{doubt_reasons, judge};
use torres_vision::tracker::{Explanation, examine};
use torres_vision::{self as vision, BoardReading, Doubt};

/// Arguments of `torres see`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Screenshots, or folders of recorded frames (of an evidence folder the frame that was decided on).
    #[arg(required_unless_present = "explain")]
    pub images: Vec<PathBuf>,
    /// Name of the calibration (`calibration/NAME.json`), or a path; without one, the folder's own, or a picture of the
    /// start position teaches how the board looks.
    #[arg(long)]
    pub calibration: Option<String>,
    /// One JSON object per line.
    #[arg(long)]
    pub json: bool,
    /// Draw what was read and how sure that is; to OUT, or beside the screenshot as NAME.explained.png.
    #[arg(long, value_name = "OUT", num_args = 0..=1)]
    pub explain: Option<Option<PathBuf>>,
    /// The position before: says which legal moves explain the picture.
    #[arg(long)]
    pub fen: Option<String>,
}

/// What is seen in one screenshot.
#[derive(Clone, Debug)]
struct ReadBoard {
    /// Where the board lies, and which way it is turned.
    pub map: BoardMap,
    /// What stands on it.
    pub reading: BoardReading,
}

/// What legal moves make of a screenshot.
struct ExplainedPicture {
    before: Chess,
    explanation: Explanation,
}

/// Say what stands on the board of a screenshot.
pub(crate) fn run(args: Args) -> CliResult {
    let fen = args.fen.as_deref().map(parse_fen).transpose();
    let stated = fen.map_err(CliError::usage)?;
    let draws = args.explain.is_some();
    let (out, images) = drawing::sorted_out(args.explain.flatten(), args.images);
    let mut sources = Sources::by(args.calibration.as_deref())?;
    let mut exit = Exit::Done;
    for (number, path) in (1..).zip(&images) {
        let source = sources.open(path)?;
        let Some((map, reading)) = vision::find_and_read(&source.image, &source.appearance, source.bottom) else {
            eprintln!(
                "torres: no board found in {}; does it show the whole board?",
                source.path.display()
            );
            exit = Exit::Found;
            continue;
        };
        let seen = ReadBoard { map, reading };
        let before = stated.clone().or_else(|| source.before.clone());
        let (doubt, told) = examined(&source, &seen, before);
        let drawn = match draws {
            true => {
                let of = Explained {
                    map: &seen.map,
                    seen: &doubt,
                    before: told.as_ref().map(|told| told.before.board()),
                    notes: &notes(&source, &seen, &doubt, told.as_ref()),
                };
                let name = drawing::name_for(out.as_deref(), path, number, images.len());
                Some(drawing::save(&explained(&source.image, &of), name, out.is_some())?)
            }
            false => None,
        };
        if args.json {
            println!(
                "{}",
                json_line(&source.path, &seen, told.as_ref(), &doubt, drawn.as_deref())
            );
        } else {
            print!("{}", text(&source.path, &seen, told.as_ref(), &doubt, drawn.as_deref()));
        }
    }
    Ok(exit)
}

/// The scores behind a reading and, where the position before is known, what legal moves make of it.
fn examined(source: &Source, seen: &ReadBoard, before: Option<Chess>) -> (Doubt, Option<ExplainedPicture>) {
    if let Some(before) = before {
        let examined = examine(&source.appearance, &source.image, &seen.map, &before, None);
        let told = ExplainedPicture {
            before,
            explanation: examined.explanation,
        };
        return (examined.seen, Some(told));
    }
    let reader = source.appearance.reader(&seen.map);
    let scores = BySquare::from_fn(|square| reader.scores(&source.image, square));
    let doubt = Doubt {
        reading: BoardReading {
            squares: BySquare::from_fn(|square| judge(&scores[square])),
        },
        scores: Box::new(scores),
        changed: Vec::new(),
        candidates: Vec::new(),
    };
    (doubt, None)
}

/// What stands beneath the drawn board.
fn notes(
    source: &Source,
    seen: &ReadBoard,
    doubt: &Doubt,
    told: Option<&ExplainedPicture>,
) -> Vec<(&'static str, String)> {
    let r = &seen.map.rect;
    let name = source.path.file_name().unwrap_or_default().to_string_lossy();
    let mut notes = vec![
        (
            "board",
            format!(
                "{name}: {:.1} × {:.1} px at {:.1}, {:.1}, {}",
                r.width(),
                r.height(),
                r.x(),
                r.y(),
                seen.map.orientation
            ),
        ),
        ("read", seen.reading.board().to_string()),
    ];
    let least = seen
        .reading
        .squares
        .iter()
        .min_by(|a, b| a.1.confidence.total_cmp(&b.1.confidence));
    if let Some((square, reading)) = least {
        notes.push((
            "sure",
            format!("{:.0} % and more; the least at {square}", reading.confidence * 100.0),
        ));
    }
    let doubtful = doubtful_with_why(doubt);
    if !doubtful.is_empty() {
        notes.push(("doubtful", doubtful.join(", ")));
    }
    if let Some(told) = told {
        notes.push(("before", fen(&told.before)));
        notes.push(("so", verdict(&told.explanation)));
        notes.push((
            "nearest",
            "legal lines by their cost, 0 being a perfect fit:".to_owned(),
        ));
        let lines = candidates(doubt);
        notes.extend(lines.iter().map(|line| ("", listed(std::slice::from_ref(line)))));
    }
    notes
}

fn doubtful_with_why(doubt: &Doubt) -> Vec<String> {
    let doubtful = doubt.reading.doubtful();
    let one = |square: &shakmaty::Square| {
        let why: Vec<&str> = doubt_reasons(&doubt.scores[*square])
            .iter()
            .map(|why| why.name())
            .collect();
        format!("{square} ({})", why.join(", "))
    };
    doubtful.iter().map(one).collect()
}

/// What legal moves make of the picture, in words.
fn verdict(explanation: &Explanation) -> String {
    match explanation {
        Explanation::Line(line, _) if line.is_empty() => "it shows the position before: nothing was played".to_owned(),
        Explanation::Line(line, _) => format!("one legal line explains the whole board: {}", uci_line(line).join(" ")),
        Explanation::Lines(lines, _) => {
            let line = lines.first().map_or(Vec::new(), |line| uci_line(line));
            format!("several legal lines lead to it, such as {}", line.join(" "))
        }
        Explanation::Ambiguous => "more than one legal line explains it: unknown".to_owned(),
        Explanation::None => "no legal line of up to three plies explains it: unknown".to_owned(),
    }
}

fn json_line(
    path: &Path,
    seen: &ReadBoard,
    told: Option<&ExplainedPicture>,
    doubt: &Doubt,
    drawn: Option<&Path>,
) -> String {
    let r = &seen.map.rect;
    let doubtful: Vec<String> = seen.reading.doubtful().iter().map(ToString::to_string).collect();
    let mut line = json!({
        "image": path.display().to_string(),
        "board": {"x": r.x(), "y": r.y(), "width": r.width(), "height": r.height()},
        "bottom": seen.map.orientation.name(),
        "placement": seen.reading.board().to_string(),
        "confidence": seen.reading.confidence(),
        "doubtful": doubtful,
    });
    if let Some(told) = told {
        line["before"] = fen(&told.before).into();
        line["moves"] = match &told.explanation {
            Explanation::Line(line, _) => uci_line(line).into(),
            Explanation::Lines(lines, _) => lines.first().map(|line| uci_line(line)).into(),
            _ => Value::Null,
        };
        line["candidates"] = json!(candidates(doubt));
    }
    if let Some(drawn) = drawn {
        line["explained"] = drawn.display().to_string().into();
    }
    line.to_string()
}

fn text(path: &Path, seen: &ReadBoard, told: Option<&ExplainedPicture>, doubt: &Doubt, drawn: Option<&Path>) -> String {
    let mut out = format!("{}: {}\n", path.display(), seen.reading.board());
    let doubtful = doubtful_with_why(doubt);
    if !doubtful.is_empty() {
        out += &format!("  not sure of {}\n", doubtful.join(", "));
    }
    if let Some(told) = told {
        out += &format!("  {}\n", verdict(&told.explanation));
        out += &format!("  nearest: {}\n", listed(&candidates(doubt)));
    }
    if let Some(drawn) = drawn {
        out += &format!("  drawn in {}\n", drawn.display());
    }
    out
}
