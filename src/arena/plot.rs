//! Pictures of games against some opponents: scores with their intervals, and how they came about, as SVG.

use super::record::{Store, tally};
use super::score::Tally;
use plotters::coord::Shift;
use plotters::prelude::*;

/// Width and height in pixels.
const SIZE: (u32, u32) = (960, 760);
const FONT: &str = "sans-serif";
/// Colours that stay apart for colour-blind readers too (M. Okabe and K. Ito, 2002).
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
];

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

/// One opponent's games as they are drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name.
    label: String,
    /// The score after each game, with its interval, in percent.
    course: Vec<(f64, f64, f64)>,
}

impl Series {
    /// Points of the games in order, and the tally of them all, which may know of pairs.
    pub fn new(label: String, points: &[f64], all: &Tally) -> Series {
        let mut running = Tally::default();
        let mut course = Vec::new();
        for (index, points_won) in points.iter().enumerate() {
            running.add(*points_won);
            let so_far = if index + 1 == points.len() { all } else { &running };
            let score = so_far.score();
            course.extend(score.map(|score| (100.0 * score.value, 100.0 * score.low, 100.0 * score.high)));
        }
        Series { label, course }
    }

    fn last(&self) -> (f64, f64, f64) {
        self.course.last().copied().unwrap_or((50.0, 0.0, 100.0))
    }
}

/// The pairings of a folder's matches.
pub fn of_matches(store: &Store) -> Vec<Series> {
    let pairings = store.by_pairing();
    let series = pairings.iter().map(|(pairing, games)| {
        let points: Vec<f64> = games.iter().map(|game| game.points).collect();
        let label = format!("{} – {}", pairing.engine.name, pairing.opponent.name);
        Series::new(label, &points, &tally(games))
    });
    series.collect()
}

/// Above, the score against each opponent with its 95 % interval; below, how it grew game by game.
///
/// # Errors
/// There is nothing to draw, or it cannot be drawn.
pub fn svg(series: &[Series]) -> Result<String, String> {
    if series.iter().all(|series| series.course.is_empty()) {
        return Err("there is no game to draw".to_owned());
    }
    let mut text = String::new();
    draw(series, &mut text).map_err(|error| format!("the plot cannot be drawn: {error}"))?;
    Ok(text)
}

fn draw(series: &[Series], text: &mut String) -> Drawn {
    let root = SVGBackend::with_string(text, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let scores_height = (90 + 34 * series.len() as u32).min(SIZE.1 / 2);
    let (scores, courses) = root.split_vertically(scores_height);
    draw_scores(&scores, series)?;
    draw_courses(&courses, series)?;
    root.present()?;
    Ok(())
}

fn colour(index: usize) -> RGBColor {
    COLOURS[index % COLOURS.len()]
}

fn draw_scores(area: &Area, series: &[Series]) -> Drawn {
    let rows = series.len();
    let mut chart = ChartBuilder::on(area)
        .caption("Score, % of the points, with the 95 % interval", (FONT, 18))
        .margin(10)
        .x_label_area_size(25)
        .y_label_area_size(260)
        .build_cartesian_2d(0.0..100.0, (rows as f64 - 0.5)..-0.5)?;
    let label = |y: &f64| {
        let row = y.round();
        let near = (y - row).abs() < 1e-6 && row >= 0.0;
        series
            .get(row as usize)
            .filter(|_| near)
            .map_or_else(String::new, |series| series.label.clone())
    };
    chart
        .configure_mesh()
        .disable_y_mesh()
        .light_line_style(TRANSPARENT)
        .y_labels(2 * rows + 1)
        .y_label_formatter(&label)
        .x_label_formatter(&|x| format!("{x:.0}"))
        .draw()?;
    for (row, series) in series.iter().enumerate() {
        let ((value, low, high), y) = (series.last(), row as f64);
        let style = colour(row).stroke_width(2);
        chart.draw_series([low, high].map(|end| PathElement::new(vec![(end, y - 0.2), (end, y + 0.2)], style)))?;
        chart.draw_series([PathElement::new(vec![(low, y), (high, y)], style)])?;
        chart.draw_series([Circle::new((value, y), 5, colour(row).filled())])?;
    }
    Ok(())
}

fn draw_courses(area: &Area, series: &[Series]) -> Drawn {
    let most = series.iter().map(|series| series.course.len()).max().unwrap_or(1);
    let mut chart = ChartBuilder::on(area)
        .caption("Score after each game", (FONT, 18))
        .margin(10)
        .x_label_area_size(40)
        .y_label_area_size(50)
        .build_cartesian_2d(1.0..(most as f64).max(2.0), 0.0..100.0)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_desc("games")
        // There are no fractions of games.
        .x_label_formatter(&|x| match x.fract() {
            0.0 => format!("{x:.0}"),
            _ => String::new(),
        })
        .y_label_formatter(&|y| format!("{y:.0}"))
        .draw()?;
    for (index, series) in series.iter().enumerate() {
        let at = |game: usize| game as f64 + 1.0;
        let up = series
            .course
            .iter()
            .enumerate()
            .map(|(game, point)| (at(game), point.2));
        let down = series
            .course
            .iter()
            .enumerate()
            .rev()
            .map(|(game, point)| (at(game), point.1));
        chart.draw_series([Polygon::new(
            up.chain(down).collect::<Vec<_>>(),
            colour(index).mix(0.12),
        )])?;
        let line = series
            .course
            .iter()
            .enumerate()
            .map(|(game, point)| (at(game), point.0));
        chart
            .draw_series(LineSeries::new(line, colour(index).stroke_width(2)))?
            .label(&series.label)
            .legend(move |(x, y)| PathElement::new(vec![(x, y), (x + 18, y)], colour(index).stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .background_style(WHITE.mix(0.8))
        .label_font((FONT, 13))
        .draw()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::record::End;
    use super::super::record::tests::record;
    use super::*;

    #[test]
    fn a_plot_names_every_pairing() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(folder.path()).unwrap();
        assert!(svg(&of_matches(&store)).is_err(), "nothing to draw");
        for opponent in ["alpha", "beta"] {
            for (number, points) in [1.0, 0.5, 0.0].into_iter().enumerate() {
                store.append(record(opponent, number, points, End::Checkmate)).unwrap();
            }
        }
        let text = svg(&of_matches(&store)).unwrap();
        assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"));
        for label in ["torres – alpha", "torres – beta"] {
            // In the rows above and in the legend below.
            assert_eq!(text.matches(label).count(), 2, "{label}");
        }
    }
}
