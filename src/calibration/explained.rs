//! Draws what was read in a picture: the grid, the content of every square, how sure that is, and why where it is not.

use image::imageops::{self, FilterType};
use image::{Rgba, RgbaImage};
use shakmaty::{Board, Piece, Square};
use torres_geometry::{BoardMap, BoardRect, FramePx, FrameRect};
use torres_picture::{fill_rect, hatch, outline, outline_square, text, text_width, wrapped};
use torres_vision::Doubt;
use torres_vision::appearance::{DoubtReason, content, doubt_reasons};

const GRID: Rgba<u8> = Rgba([255, 221, 0, 170]);
const PLATE: Rgba<u8> = Rgba([0, 0, 0, 175]);
const INK: Rgba<u8> = Rgba([240, 240, 240, 255]);
const FAINT: Rgba<u8> = Rgba([160, 160, 165, 255]);
const PAPER: Rgba<u8> = Rgba([26, 27, 31, 255]);
const SURE: Rgba<u8> = Rgba([70, 200, 90, 255]);
const FAIRLY: Rgba<u8> = Rgba([240, 180, 40, 255]);
const UNSURE: Rgba<u8> = Rgba([235, 60, 60, 255]);
const HATCH: Rgba<u8> = Rgba([235, 60, 60, 120]);
const CHANGED: Rgba<u8> = Rgba([60, 140, 255, 255]);

/// From this confidence on a square that is believed is surely read.
const SURELY: f64 = 0.7;

/// The least width at which a board is drawn, in pixels. It is enlarged by a whole number, so that its own pixels can
/// be told.
const LEGIBLE: f64 = 520.0;
/// The most times that it is enlarged.
const MOST: u32 = 3;

/// Around the board, this share of its side is shown too.
const MARGIN: f64 = 0.03;

/// The gap between the parts of the picture, in pixels.
const GAP: u32 = 16;
/// The size of the text beneath and the height of its lines, in pixels.
const TEXT: f64 = 16.0;
const LINE: f64 = 21.0;
/// Where a line's text begins, after its label.
const INDENT: f64 = 92.0;

/// What is known of a picture.
#[derive(Clone, Copy, Debug)]
pub struct Explained<'a> {
    /// Where the board lies in it.
    pub map: &'a BoardMap,
    /// What was read, and how everything compares.
    pub seen: &'a Doubt,
    /// The pieces that were believed to stand there before, where somebody knows.
    pub before: Option<&'a Board>,
    /// Label and text of what stands beneath the board.
    pub notes: &'a [(&'a str, String)],
}

/// Draws all that on a copy of the board's part of the picture, with the notes beneath it.
pub fn explained(picture: &RgbaImage, of: &Explained) -> RgbaImage {
    let (mut drawn, map) = board_part(picture, of.map);
    for square in Square::ALL {
        outline(&mut drawn, map.square_rect(square), 1.0, GRID);
    }
    for square in Square::ALL {
        explain_square(&mut drawn, &map, of, square);
    }
    let whole = (picture.width() > 2 * drawn.width() || picture.height() > drawn.height() * 5 / 4)
        .then(|| whole_picture(picture, &of.map.rect, drawn.width() / 2));
    on_paper(&drawn, whole.as_ref(), of)
}

/// The board and a little around it, enlarged where it is small, and where the board lies in that.
fn board_part(picture: &RgbaImage, map: &BoardMap) -> (RgbaImage, BoardMap) {
    let margin = (map.rect.width() * MARGIN).ceil();
    let clip = |v: f64, end: u32| v.clamp(0.0, f64::from(end)) as u32;
    let (left, top) = (
        clip(map.rect.x().floor() - margin, picture.width()),
        clip(map.rect.y().floor() - margin, picture.height()),
    );
    let right = clip((map.rect.x() + map.rect.width()).ceil() + margin, picture.width());
    let bottom = clip((map.rect.y() + map.rect.height()).ceil() + margin, picture.height());
    let part = torres_frame::crop(picture, (left, top), (right - left, bottom - top));
    let times = ((LEGIBLE / map.rect.width()).ceil() as u32).clamp(1, MOST);
    let part = imageops::resize(&part, part.width() * times, part.height() * times, FilterType::Nearest);
    let scale = f64::from(times);
    let rect = map.rect.translated(-f64::from(left), -f64::from(top));
    let rect = BoardRect::new(
        rect.x() * scale,
        rect.y() * scale,
        rect.width() * scale,
        rect.height() * scale,
    );
    // Enlarging a rectangle that was checked keeps it checked.
    (part, rect.map_or(*map, |rect| BoardMap { rect, ..*map }))
}

fn explain_square(drawn: &mut RgbaImage, map: &BoardMap, of: &Explained, square: Square) {
    let rect = map.square_rect(square);
    let reading = of.seen.reading.squares[square];
    let why = doubt_reasons(&of.seen.scores[square]);
    let was = of.before.map(|board| board.piece_at(square));
    let differs = was.is_some_and(|was| was != reading.content);
    if reading.doubtful {
        hatch(drawn, rect, rect.width / 7.0, 1.5, HATCH);
        outline_square(drawn, map, square, (rect.width / 28.0).max(2.0), UNSURE);
    } else if differs {
        outline_square(drawn, map, square, (rect.width / 24.0).max(2.0), CHANGED);
    }
    let small = (rect.height / 6.5).clamp(10.0, 17.0);
    let inset = (rect.width / 28.0).max(2.0) + 1.0;
    let name = square.to_string();
    label(drawn, at(rect.x + inset, rect.y + inset), small, INK, &name);
    if let (Some(was), true) = (was, differs) {
        let says = format!("was {}", letter(was));
        let x = rect.x + rect.width - inset - text_width(small, &says) - 4.0;
        label(drawn, at(x, rect.y + inset), small, CHANGED, &says);
    }
    // The first reason, one word a line: a square is narrow. The notes have the others.
    let words = why.first().into_iter().flat_map(|why| why.name().split(' '));
    for (row, word) in words.enumerate() {
        let y = rect.y + inset + (small + 2.0) * (row as f64 + 1.3);
        let x = rect.x + (rect.width - text_width(small, word) - 4.0) / 2.0;
        label(drawn, at(x, y), small, UNSURE, word);
    }
    sureness(drawn, rect, inset, of, square, &why);
}

/// A bar along the lower edge, as long as the reading is sure, what was read, and the figure.
fn sureness(drawn: &mut RgbaImage, rect: FrameRect, inset: f64, of: &Explained, square: Square, why: &[DoubtReason]) {
    let reading = of.seen.reading.squares[square];
    let color = match reading.confidence {
        _ if reading.doubtful => UNSURE,
        c if c >= SURELY => SURE,
        _ => FAIRLY,
    };
    let bar = (rect.height / 22.0).max(3.0);
    let foot = rect.y + rect.height - inset - bar;
    let length = rect.width - 2.0 * inset;
    for (share, color) in [(1.0, PLATE), (reading.confidence, color)] {
        let rect = FrameRect {
            x: rect.x + inset,
            y: foot,
            width: length * share,
            height: bar,
        };
        fill_rect(drawn, rect, color);
    }
    let small = (rect.height / 6.5).clamp(10.0, 17.0);
    let figure = format!("{:.0}", reading.confidence * 100.0);
    let x = rect.x + rect.width - inset - text_width(small, &figure) - 4.0;
    label(drawn, at(x, foot - small - 3.0), small, color, &figure);
    let large = (rect.height / 4.2).clamp(13.0, 30.0);
    let says = match (reading.content, why.contains(&DoubtReason::Ambiguous)) {
        (None, false) => return,
        (read, false) => letter(read),
        (read, true) => format!("{}|{}", letter(read), letter(second(of, square))),
    };
    label(drawn, at(rect.x + inset, foot - large - 3.0), large, color, &says);
}

/// The content that fits a square second best.
fn second(of: &Explained, square: Square) -> Option<Piece> {
    let scores = &of.seen.scores[square];
    let (best, _) = scores.best();
    let others = (0..scores.cost.len()).filter(|k| *k != best);
    let next = others.min_by(|a, b| scores.cost[*a].total_cmp(&scores.cost[*b]));
    next.and_then(content)
}

/// A FEN letter; a dash for an empty square.
fn letter(piece: Option<Piece>) -> String {
    piece.map_or('-', Piece::char).to_string()
}

/// The picture as a whole, small, with the board that was read in it.
fn whole_picture(picture: &RgbaImage, board: &BoardRect, width: u32) -> RgbaImage {
    let scale = f64::from(width) / f64::from(picture.width());
    let height = (f64::from(picture.height()) * scale).round().max(1.0) as u32;
    let mut small = imageops::thumbnail(picture, width, height);
    let rect = FrameRect {
        x: board.x() * scale,
        y: board.y() * scale,
        width: board.width() * scale,
        height: board.height() * scale,
    };
    outline(&mut small, rect, 3.0, UNSURE);
    small
}

/// Board, whole picture and notes on one sheet.
fn on_paper(board: &RgbaImage, whole: Option<&RgbaImage>, of: &Explained) -> RgbaImage {
    let beside = whole.map_or(0, |whole| whole.width() + GAP);
    let width = (board.width() + beside).max(600) + 2 * GAP;
    let column = f64::from(width - 2 * GAP) - INDENT;
    let mut rows: Vec<(&str, String)> = Vec::new();
    for (name, says) in of.notes {
        let lines = wrapped(TEXT, column, says);
        rows.extend(
            lines
                .into_iter()
                .enumerate()
                .map(|(n, line)| (if n == 0 { *name } else { "" }, line)),
        );
    }
    let text_height = (LINE * (rows.len() as f64 + 1.6)).ceil() as u32;
    let upper = board.height().max(whole.map_or(0, RgbaImage::height));
    let mut paper = RgbaImage::from_pixel(width, upper + text_height + 3 * GAP, PAPER);
    imageops::replace(&mut paper, board, i64::from(GAP), i64::from(GAP));
    if let Some(whole) = whole {
        let x = i64::from(board.width() + 2 * GAP);
        imageops::replace(&mut paper, whole, x, i64::from(GAP));
    }
    let (left, mut y) = (f64::from(GAP), f64::from(upper + 2 * GAP));
    legend(&mut paper, at(left, y), of.before.is_some());
    y += 1.6 * LINE;
    for (name, says) in rows {
        text(&mut paper, at(left, y), TEXT, FAINT, name);
        text(&mut paper, at(left + INDENT, y), TEXT, INK, &says);
        y += LINE;
    }
    paper
}

fn legend(paper: &mut RgbaImage, from: FramePx, with_before: bool) {
    let mut x = from.x;
    let changed = with_before.then_some((CHANGED, "differs from before"));
    let all = [(SURE, "sure"), (FAIRLY, "less sure"), (UNSURE, "not believed")];
    for (color, says) in all.into_iter().chain(changed) {
        let swatch = FrameRect {
            x,
            y: from.y + 3.0,
            width: 13.0,
            height: 13.0,
        };
        fill_rect(paper, swatch, color);
        text(paper, at(x + 19.0, from.y), TEXT, FAINT, says);
        x += 19.0 + text_width(TEXT, says) + 22.0;
    }
}

/// Text on a dark plate.
fn label(drawn: &mut RgbaImage, at: FramePx, size: f64, color: Rgba<u8>, says: &str) {
    let plate = FrameRect {
        x: at.x,
        y: at.y,
        width: text_width(size, says) + 4.0,
        height: size + 1.0,
    };
    fill_rect(drawn, plate, PLATE);
    text(drawn, FramePx { x: at.x + 2.0, ..at }, size, lighter(color), says);
}

/// The colour for text on a dark plate.
fn lighter(color: Rgba<u8>) -> Rgba<u8> {
    let [r, g, b, a] = color.0;
    let up = |v: u8| v.saturating_add((255 - v) / 3);
    Rgba([up(r), up(g), up(b), a])
}

fn at(x: f64, y: f64) -> FramePx {
    FramePx { x, y }
}
