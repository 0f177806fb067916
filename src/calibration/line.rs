//! Lines of words beside the board: joins words to them, and tells what of a line may be a name alone, without a face or
//! words in another colour.

use super::drawings::HEIGHTS;
use image::RgbaImage;
use torres_vision::joined::Area;

/// A line's words are apart by at most this many times their height.
const LINE_GAP: f64 = 1.0;
/// A face beside a name is so many times as high as the name's words, or higher.
const FACE: f64 = 1.6;
/// Words are written in another colour where theirs differs by more than this, in levels.
const OTHER_INK: u8 = 60;

/// Joins words to lines, from left to right; something that runs between two words separates them.
pub(super) fn lines(mut words: Vec<Area>, running: &[Area]) -> Vec<Area> {
    words.sort_by_key(|word| word.left);
    let mut lines: Vec<Area> = Vec::new();
    for word in words {
        let mut line = word;
        // A picture beside two lines of text joins them.
        lines.retain(|other| {
            let both = line.joined(other);
            let joins = are_in_line(&line, other)
                && both.height() <= *HEIGHTS.end()
                && !running.iter().any(|clock| clock.overlaps(&both));
            if joins {
                line = both;
            }
            !joins
        });
        lines.push(line);
    }
    lines
}

/// Whether the two stand beside each other in one line of text.
fn are_in_line(area: &Area, other: &Area) -> bool {
    let gap = area.left.max(other.left).saturating_sub(area.right.min(other.right));
    let high = area.height().max(other.height());
    share_a_row(area, other) && gap as f64 <= LINE_GAP * high.clamp(12, 24) as f64
}

/// Whether half of the lower one stands at the height of the other.
fn share_a_row(area: &Area, other: &Area) -> bool {
    let common = (area.bottom.min(other.bottom) + 1).saturating_sub(area.top.max(other.top));
    2 * common >= area.height().min(other.height())
}

/// Those of the words that stand in a line.
pub(super) fn words_of(line: &Area, words: &[Area]) -> Vec<Area> {
    let of_line = words.iter().filter(|word| line.joined(word) == *line);
    of_line.copied().collect()
}

/// What is left of a line of these words without the face that stands in it; `None` where none does. A face may change
/// with the position.
pub(super) fn without_face(line: &Area, words: &[Area]) -> Option<Area> {
    beside_face(line, words)?.into_iter().reduce(|a, b| a.joined(&b))
}

/// The rows of words beside a face, from the upper one to the lower; nothing where there are not two or more. A name stands
/// over what the bot does, "waiting", which comes and goes.
pub(super) fn rows_beside_face(line: &Area, words: &[Area]) -> Vec<Area> {
    let mut of_line = beside_face(line, words).unwrap_or_default();
    of_line.sort_by_key(|word| word.top);
    let mut rows: Vec<Area> = Vec::new();
    for word in of_line {
        match rows.last_mut() {
            Some(row) if share_a_row(row, &word) => *row = row.joined(&word),
            _ => rows.push(word),
        }
    }
    if rows.len() < 2 { Vec::new() } else { rows }
}

/// The words of a line that has a face, without that and what is drawn in it.
fn beside_face(line: &Area, words: &[Area]) -> Option<Vec<Area>> {
    let mut of_line = words_of(line, words);
    of_line.sort_by_key(Area::height);
    let face = of_line.pop()?;
    // A frame around all of it is no face.
    of_line.retain(|word| face == *line || face.joined(word) != face);
    let highest = of_line.last()?.height();
    (face.height() as f64 >= FACE * highest as f64).then_some(of_line)
}

/// The parts of a line whose words are written in one colour each, from left to right; nothing where all are in one. A
/// face before a name changes with the position, "thinks" behind it comes and goes.
pub(super) fn in_one_ink(picture: &RgbaImage, line: &Area, words: &[Area]) -> Vec<Area> {
    let mut of_line = words_of(line, words);
    of_line.sort_by_key(|word| word.left);
    let inks: Vec<(Area, [u8; 3])> = of_line.iter().map(|word| (*word, ink(picture, word))).collect();
    let parts: Vec<_> = inks
        .chunk_by(|(_, one), (_, other)| (0..3).all(|c| one[c].abs_diff(other[c]) <= OTHER_INK))
        .collect();
    if parts.len() < 2 {
        return Vec::new();
    }
    let joined = |part: &[(Area, [u8; 3])]| part.iter().map(|(word, _)| *word).reduce(|a, b| a.joined(&b));
    parts.into_iter().filter_map(joined).collect()
}

/// The colour of what is drawn in an area: the one farthest from that of its corner.
fn ink(picture: &RgbaImage, area: &Area) -> [u8; 3] {
    let at = |x: usize, y: usize| picture.get_pixel(x as u32, y as u32).0;
    let ground = at(area.left.saturating_sub(1), area.top.saturating_sub(1));
    let far = |pixel: &[u8; 4]| (0..3).map(|c| u32::from(pixel[c].abs_diff(ground[c]))).sum::<u32>();
    let pixels = (area.top..=area.bottom).flat_map(|y| (area.left..=area.right).map(move |x| at(x, y)));
    let [r, g, b, _] = pixels.max_by_key(far).unwrap_or(ground);
    [r, g, b]
}
