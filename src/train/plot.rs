//! A picture of how the errors fell, as SVG.

use super::Point;
use plotters::prelude::*;

/// Width and height in pixels.
const SIZE: (u32, u32) = (960, 540);
const FONT: &str = "sans-serif";
/// Colours that stay apart for colour-blind readers too (M. Okabe and K. Ito, 2002).
const COLOURS: [RGBColor; 2] = [RGBColor(0, 114, 178), RGBColor(213, 94, 0)];
/// Of the picture, and between the title's lines, in pixels.
const MARGIN: i32 = 10;
const LINE: i32 = 16;
/// Characters of a title's line: what fits beside the margins.
const LINE_CHARS: usize = 140;
/// The share of a run whose errors, large as they are, do not stretch the axis.
const START: f64 = 0.05;

/// Mean squared errors by batch: those learned from, and those set apart. `title` says which run it is.
///
/// # Errors
/// There are not two points, or it cannot be drawn.
pub fn svg(curve: &[Point], title: &str) -> Result<String, String> {
    if curve.len() < 2 {
        return Err("a curve has two points at least; let it learn longer, or judge more often (--every)".to_owned());
    }
    let mut text = String::new();
    draw(curve, title, &mut text).map_err(|error| format!("the plot cannot be drawn: {error}"))?;
    Ok(text)
}

fn draw(curve: &[Point], title: &str, text: &mut String) -> Result<(), Box<dyn std::error::Error>> {
    let learned = curve.iter().map(|point| (point.batch as f64, point.learned));
    let judged = curve
        .iter()
        .filter_map(|point| Some((point.batch as f64, point.judged?.target)));
    let lines: [(&str, Vec<_>); 2] = [("learned from", learned.collect()), ("set apart", judged.collect())];
    let last = curve.last().map_or(1.0, |point| point.batch as f64);
    let all = || lines.iter().flat_map(|(_, points)| points);
    let least = all().map(|point| point.1).fold(f64::MAX, f64::min);
    let late = all().filter(|point| point.0 > START * last);
    let most = late.map(|point| point.1).fold(least, f64::max);
    let margin = ((most - least) * 0.05).max(1e-6);

    let root = SVGBackend::with_string(text, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let title = in_lines(title);
    let (header, below) = root.split_vertically(LINE * title.len() as i32 + MARGIN);
    for (number, line) in title.into_iter().enumerate() {
        let corner = (MARGIN, MARGIN + LINE * number as i32);
        header.draw(&Text::new(line, corner, (FONT, 12)))?;
    }
    let mut chart = ChartBuilder::on(&below)
        .margin(MARGIN)
        .x_label_area_size(40)
        .y_label_area_size(70)
        .build_cartesian_2d(0.0..last, (least - margin)..(most + margin))?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_desc("batches")
        .y_desc("mean squared error of the expected points")
        .x_label_formatter(&|x| format!("{x:.0}"))
        .y_label_formatter(&|y| format!("{y:.5}"))
        .draw()?;
    for ((label, points), colour) in lines.into_iter().zip(COLOURS) {
        if points.is_empty() {
            continue;
        }
        let shown = points.into_iter().filter(|point| point.1 <= most + margin);
        chart
            .draw_series(LineSeries::new(shown, colour.stroke_width(2)))?
            .label(label)
            .legend(move |(x, y)| PathElement::new(vec![(x, y), (x + 18, y)], colour.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE.mix(0.8))
        .label_font((FONT, 13))
        .draw()?;
    root.present()?;
    Ok(())
}

/// A text in lines that fit the picture, broken between words.
fn in_lines(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.len() + 1 + word.len() <= LINE_CHARS => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Errors;

    #[test]
    fn both_errors_are_drawn_and_named() {
        let point = |batch: u64, judged| Point {
            batch,
            learned: 1.0 / (batch + 1) as f64,
            judged,
        };
        assert!(svg(&[point(1, None)], "").is_err(), "no line");
        let without: Vec<Point> = (1..9).map(|batch| point(batch, None)).collect();
        let with: Vec<Point> = (1..9).map(|batch| point(batch, Some(Errors::default()))).collect();
        for (curve, is_judged) in [(without, false), (with, true)] {
            let text = svg(&curve, "64 hidden units").unwrap();
            assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"));
            assert!(text.contains("64 hidden units") && text.contains("learned from"));
            assert_eq!(text.contains("set apart"), is_judged);
        }
    }

    #[test]
    fn a_long_title_is_broken_between_words() {
        let title = "positions ".repeat(40);
        let lines = in_lines(&title);
        assert_eq!(lines.len(), 3);
        assert!(
            lines
                .iter()
                .all(|line| line.len() <= LINE_CHARS && !line.ends_with(' '))
        );
        assert_eq!(lines.join(" "), title.trim_end());
        assert_eq!(in_lines(""), [""]);
        let curve = [1, 2].map(|batch| Point {
            batch,
            learned: 0.1 / batch as f64,
            judged: None,
        });
        let picture = svg(&curve, &title).unwrap();
        assert!(lines.iter().all(|line| picture.contains(line.as_str())));
    }
}
