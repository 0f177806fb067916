//! Proposes where a page may name the opponent: lines of text and pictures near the board's upper side, nearest first;
//! the site's header and the browser's own frame come last. Clocks are left out, since they would make the panel look
//! different a second later. A person decides between the proposals.

use super::clocks::{clock_at, propose_clocks};
use super::drawings::{Blob, HEIGHTS, Mask, blobs, drawn_beside, is_edge, is_on};
use super::line::{in_one_ink, lines, rows_beside_face, without_face, words_of};
use super::nearness::{ELSEWHERE, distances, is_below};
use super::panel::PanelPicture;
use super::running::running;
use image::RgbaImage;
use std::sync::Arc;
use torres_geometry::{BoardRect, FramePx, FrameRect};
use torres_vision::joined::Area;

/// So many parts of a line that are written in other colours are proposed alone, the first ones.
const INKS: usize = 2;
/// Words narrower than this, in pixels, are no name.
const NARROWEST: usize = 20;
/// Room around what is drawn, in pixels.
const ROOM: usize = 4;
/// Room on the right of what may be a name, in pixels: a longer name would go on there, after a space (24 px type at
/// most). "Robin Hood" is not "Robin".
const ROOM_FOR_MORE: usize = 14;
/// The most that are proposed, and the most of what stands on one side of the board, as long as there is more on others: a
/// list of tips on one side leaves room for a name on the other.
const MOST: usize = 8;
const MOST_ON_ONE_SIDE: usize = 4;
/// The most that are proposed beyond these of what stands below the board.
const MOST_BELOW: usize = 3;
/// Who points no farther beside words than this, in pixels, points at them.
const BESIDE: f64 = 14.0;
/// The widest border of a title bar, in pixels.
const BAR_RIM: u32 = 3;

/// Proposes rectangles of the picture that may name the opponent, the likeliest first.
///
/// `pictures` show the same window at different times, the first of them is the one that counts; a clock runs at least
/// once a second. The opponent sits at the board's upper side.
pub fn propose_panels(pictures: &[Arc<RgbaImage>], board: &BoardRect) -> Vec<FrameRect> {
    let Some((picture, later)) = pictures.split_first() else {
        return Vec::new();
    };
    let drawn = Mask::of(picture, |x, y| !is_on(board, x, y) && is_edge(picture, x, y));
    let runs = running(picture, later, &drawn, board);
    let clocks = propose_clocks(picture, board);
    let (words, running) = words_and_what_runs(picture, &drawn, &runs, clocks.as_ref());
    let mut lines = lines(words.clone(), &running);
    lines.retain(|line| line.width() >= NARROWEST);
    let far = distances(picture, board, clocks);
    lines.sort_by(|a, b| far(a).total_cmp(&far(b)));
    let is_wide = |name: &Area| name.width() >= NARROWEST;
    let without_face = |line: &Area| without_face(line, &words).filter(is_wide);
    let size = (drawn.width, drawn.height());
    let proposed = |name: &Area, line: &Area| {
        let mut others = words_of(line, &words);
        // What surrounds the name, a face grown together with its card, leaves it the room within.
        others.retain(|word| !word.overlaps(name));
        let is_free = |area: &Area| is_free(area, &running, board) && !others.iter().any(|word| word.overlaps(area));
        with_room(name, ROOM_FOR_MORE, size, is_free).rect()
    };
    let of_line = |line: &Area| {
        // A border's ornaments and a face name nobody: to choose them would be refused.
        let is_telling = |part: &FrameRect| PanelPicture::of_part(picture, part).is_telling(0.0);
        let telling = |part: Area| Some(proposed(&part, line)).filter(is_telling);
        let rows = rows_beside_face(line, &words).into_iter().filter(is_wide);
        let first = rows.chain([Some(*line), without_face(line)].into_iter().flatten());
        let parts = in_one_ink(picture, line, &words).into_iter().filter(is_wide);
        let parts = parts.filter_map(telling).take(INKS);
        first.filter_map(telling).chain(parts).collect::<Vec<_>>()
    };
    // What lies elsewhere comes last, and what stands below the board after that.
    let near = lines.partition_point(|line| far(line) < ELSEWHERE);
    let panels_of = |lines: &[Area]| lines.iter().flat_map(of_line).collect::<Vec<_>>();
    let (near, elsewhere) = (panels_of(&lines[..near]), panels_of(&lines[near..]));
    lines.retain(|line| is_below(line, board));
    let first = from_all_sides(near, board).into_iter().chain(elsewhere);
    let mut panels = Vec::new();
    take_new(&mut panels, MOST, first);
    take_new(&mut panels, MOST_BELOW, panels_of(&lines));
    panels
}

/// The words beside the board, and what runs there: clocks, bars, and all that changed while pictures were taken.
fn words_and_what_runs(
    picture: &RgbaImage,
    drawn: &Mask,
    runs: &Mask,
    clocks: Option<&[FrameRect; 2]>,
) -> (Vec<Area>, Vec<Area>) {
    let is_of_clock = |area: &Area| clocks.into_iter().flatten().any(|clock| overlap(&area.rect(), clock));
    let nothing = Mask::of(picture, |_, _| false);
    let run = blobs(runs, &nothing).into_iter().filter(|blob| !blob.hollow);
    let (mut words, mut running) = (Vec::new(), run.map(|blob| blob.area).collect::<Vec<_>>());
    for blob in blobs(drawn, runs) {
        let Blob { area, hollow, .. } = blob;
        // What is larger than words, a window's outline say, is around what runs in it and what is written in it.
        let is_word = HEIGHTS.contains(&area.height());
        let runs = blob.runs || blob.is_bar || (!hollow && is_of_clock(&area));
        if is_clock(picture, &area) || (is_word && runs) {
            running.push(area);
        } else if is_word && !hollow {
            words.push(area);
        }
    }
    (words, running)
}

/// Takes so many more. A name without its face may be the only part in its ink, too: it is taken once.
fn take_new(panels: &mut Vec<FrameRect>, more: usize, from: impl IntoIterator<Item = FrameRect>) {
    let most = panels.len() + more;
    for panel in from {
        if panels.len() < most && !panels.contains(&panel) {
            panels.push(panel);
        }
    }
}

/// Those that lie over and beside the board in their order, without what is more than [`MOST_ON_ONE_SIDE`] on a side where
/// other sides have enough for [`MOST`].
fn from_all_sides(panels: Vec<FrameRect>, board: &BoardRect) -> Vec<FrameRect> {
    let side = |panel: &FrameRect| {
        let (left, right) = (board.x(), board.x() + board.width());
        (panel.x + panel.width <= left, panel.x >= right)
    };
    let is_first = |nth: &usize| {
        let beside = side(&panels[*nth]);
        panels[..*nth].iter().filter(|other| side(other) == beside).count() < MOST_ON_ONE_SIDE
    };
    let (first, rest): (Vec<usize>, Vec<usize>) = (0..panels.len()).partition(is_first);
    let mut chosen: Vec<usize> = first.into_iter().chain(rest).take(MOST).collect();
    chosen.sort_unstable();
    chosen.into_iter().map(|nth| panels[nth]).collect()
}

/// Whether a clock is drawn there, running or not.
fn is_clock(picture: &RgbaImage, area: &Area) -> bool {
    clock_at(picture, &area.rect()).is_some()
}

/// Whether an area covers neither the board nor anything that runs.
fn is_free(area: &Area, running: &[Area], board: &BoardRect) -> bool {
    !running.iter().any(|clock| clock.overlaps(area)) && !touches(area, board)
}

/// Whether a rectangle of the picture lies on the board, if only by a part.
pub fn is_on_board(rect: &FrameRect, board: &BoardRect) -> bool {
    let board = FrameRect {
        x: board.x(),
        y: board.y(),
        width: board.width(),
        height: board.height(),
    };
    overlap(rect, &board)
}

fn overlap(one: &FrameRect, other: &FrameRect) -> bool {
    one.x < other.x + other.width
        && other.x < one.x + one.width
        && one.y < other.y + other.height
        && other.y < one.y + one.height
}

/// Whether something within a rectangle beside the board looks like a clock that stands.
pub fn has_clock(picture: &RgbaImage, board: &BoardRect, rect: &FrameRect) -> bool {
    let (_, blobs) = drawn_beside(picture, board);
    let within = |area: &Area| {
        rect.x <= area.left as f64
            && (area.right as f64) < rect.x + rect.width
            && rect.y <= area.top as f64
            && (area.bottom as f64) < rect.y + rect.height
    };
    blobs
        .iter()
        .any(|blob| within(&blob.area) && is_clock(picture, &blob.area))
}

/// The line of words or the picture that somebody points at, beside the board or in a notice over it; `None` where
/// nothing is drawn.
pub fn drawn_at(picture: &RgbaImage, board: &BoardRect, at: FramePx) -> Option<FrameRect> {
    let is_over_board = is_on(board, at.x as u32, at.y as u32);
    let drawn = Mask::of(picture, |x, y| {
        (is_over_board || !is_on(board, x, y)) && is_edge(picture, x, y)
    });
    let blobs = blobs(&drawn, &Mask::of(picture, |_, _| false));
    let of = |is: fn(&Blob) -> bool| {
        blobs
            .iter()
            .filter(move |blob| is(blob))
            .map(|blob| blob.area)
            .collect()
    };
    let bars: Vec<Area> = of(|blob| blob.is_bar);
    let words = of(|blob| !blob.is_bar && !blob.hollow && HEIGHTS.contains(&blob.area.height()));
    let lines = lines(words, &bars);
    let line = lines.iter().find(|line| is_meant_by(line, at))?;
    let size = (drawn.width, drawn.height());
    Some(with_room(line, ROOM, size, |area| is_over_board || is_free(area, &bars, board)).rect())
}

/// Proposes the words of a title bar, of which this is the picture; `None` where it shows no letters.
pub fn propose_title(bar: &RgbaImage) -> Option<FrameRect> {
    // Its own border would join all that is in it.
    let rim = |at: u32, size: u32| at < BAR_RIM || at + BAR_RIM >= size;
    let is_word = |x, y| !rim(x, bar.width()) && !rim(y, bar.height()) && is_edge(bar, x, y);
    let drawn = Mask::of(bar, is_word);
    let nothing = Mask::of(bar, |_, _| false);
    let words = blobs(&drawn, &nothing).into_iter().filter(|blob| !blob.hollow);
    let size = (drawn.width, drawn.height());
    let lines = lines(words.map(|blob| blob.area).collect(), &[]).into_iter();
    lines
        .map(|line| with_room(&line, ROOM_FOR_MORE, size, |_| true).rect())
        .filter(|rect| PanelPicture::of_part(bar, rect).is_telling(0.0))
        // Its buttons are narrower than most titles.
        .max_by(|a, b| a.width.total_cmp(&b.width))
}

/// Whether a point lies on an area or right beside it: buttons are larger than their words.
fn is_meant_by(area: &Area, at: FramePx) -> bool {
    let beside = |low: usize, at: f64, high: usize| (low as f64 - BESIDE..=high as f64 + BESIDE).contains(&at);
    beside(area.left, at.x, area.right) && beside(area.top, at.y, area.bottom)
}

/// The area with some room on each side, and `to_right` pixels on the right, as far as that is free.
fn with_room(area: &Area, to_right: usize, (width, height): (usize, usize), is_free: impl Fn(&Area) -> bool) -> Area {
    let mut area = *area;
    for step in 0..ROOM.max(to_right) {
        let all_sides = [
            Area {
                left: area.left.saturating_sub(1),
                ..area
            },
            Area {
                top: area.top.saturating_sub(1),
                ..area
            },
            Area {
                bottom: (area.bottom + 1).min(height - 1),
                ..area
            },
        ];
        let to_the_right = Area {
            right: (area.right + 1).min(width - 1),
            ..area
        };
        let around = all_sides.into_iter().filter(|_| step < ROOM);
        for wider in around.chain((step < to_right).then_some(to_the_right)) {
            let grown = area.joined(&wider);
            if is_free(&grown) {
                area = grown;
            }
        }
    }
    area
}

fn touches(area: &Area, board: &BoardRect) -> bool {
    [
        (area.left, area.top),
        (area.right, area.bottom),
        (area.left, area.bottom),
        (area.right, area.top),
    ]
    .iter()
    .any(|&(x, y)| is_on(board, x as u32, y as u32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgba;
    use torres_picture::{fill_rect, outline, text, text_width};

    const GROUND: Rgba<u8> = Rgba([38, 36, 33, 255]);
    const CARD: Rgba<u8> = Rgba([60, 58, 54, 255]);
    const INK: Rgba<u8> = Rgba([230, 230, 230, 255]);

    fn board() -> BoardRect {
        BoardRect::new(20.0, 60.0, 400.0, 400.0).unwrap()
    }

    fn rect(x: f64, y: f64, width: f64, height: f64) -> FrameRect {
        FrameRect { x, y, width, height }
    }

    /// A page with a framed card at the board's upper right corner that shows a name and a clock, another one below,
    /// and a headline.
    fn page(clock: &str) -> RgbaImage {
        let mut page = RgbaImage::from_pixel(800, 520, GROUND);
        for row in 0..8 {
            for column in 0..8 {
                let square = rect(
                    20.0 + 50.0 * f64::from(column),
                    60.0 + 50.0 * f64::from(row),
                    50.0,
                    50.0,
                );
                let color = if (row + column) % 2 == 0 {
                    [240, 217, 181, 255]
                } else {
                    [181, 136, 99, 255]
                };
                fill_rect(&mut page, square, Rgba(color));
            }
        }
        text(&mut page, FramePx { x: 20.0, y: 4.0 }, 26.0, INK, "Play the computer");
        for (y, name) in [(70.0, "Stockfish level 3"), (410.0, "Somebody")] {
            let card = rect(440.0, y, 340.0, 40.0);
            fill_rect(&mut page, card, CARD);
            outline(&mut page, card, 1.0, INK);
            text(&mut page, FramePx { x: 452.0, y: y + 11.0 }, 17.0, INK, name);
        }
        text(&mut page, FramePx { x: 690.0, y: 80.0 }, 20.0, INK, clock);
        page
    }

    /// A round face.
    fn disc(page: &mut RgbaImage, (x, y): (u32, u32), radius: f64) {
        let from_middle = |at: u32, middle: u32| f64::from(at) - f64::from(middle);
        for (at_x, at_y, pixel) in page.enumerate_pixels_mut() {
            if from_middle(at_x, x).hypot(from_middle(at_y, y)) < radius {
                *pixel = INK;
            }
        }
    }

    fn holds(outer: &FrameRect, inner: &FrameRect) -> bool {
        outer.x <= inner.x
            && outer.y <= inner.y
            && outer.x + outer.width >= inner.x + inner.width
            && outer.y + outer.height >= inner.y + inner.height
    }

    fn name() -> FrameRect {
        rect(453.0, 84.0, text_width(17.0, "Stockfish level 3") - 2.0, 12.0)
    }

    #[test]
    fn the_line_at_the_boards_far_side_comes_first_and_its_running_clock_is_left_out() {
        let proposed = propose_panels(&[page("14:07").into(), page("14:06").into()], &board());
        // Only the headline right above the board is nearer.
        let panel = proposed[..2].iter().find(|panel| holds(panel, &name()));
        assert!(panel.is_some_and(|panel| panel.x + panel.width < 690.0), "{proposed:?}");
        assert!(
            proposed.len() >= 2,
            "the other player and the headline may be meant: {proposed:?}"
        );
    }

    #[test]
    fn a_window_around_a_page_whose_clock_runs_takes_no_room_from_a_name() {
        let in_window = |clock: &str, spinner: Rgba<u8>| {
            let mut page = page(clock);
            outline(&mut page, rect(0.0, 0.0, 799.0, 519.0), 1.0, INK);
            fill_rect(&mut page, rect(0.0, 24.0, 800.0, 1.0), INK);
            fill_rect(&mut page, rect(4.0, 14.0, 10.0, 10.0), spinner);
            std::sync::Arc::new(page)
        };
        for (later, spinner) in [("14:06", GROUND), ("14:07", INK)] {
            let proposed = propose_panels(&[in_window("14:07", GROUND), in_window(later, spinner)], &board());
            let with_room = rect(name().x - 3.0, name().y - 3.0, name().width + 13.0, name().height + 6.0);
            assert!(
                proposed.iter().any(|panel| holds(panel, &with_room)),
                "{later}: {proposed:?}"
            );
        }
    }

    /// `site-of-a-peer`: a header right above the board that begins left of it, the browser's bar, a card of the game
    /// to the left, and to the right a clock, the bot's name under it, and the user's far below.
    /// Page `quince`: as Black one's opponent moves first, and the site's header shrinks then.
    #[test]
    fn a_page_that_moves_meanwhile_has_its_name_proposed_where_it_was_and_a_clock_is_left_out() {
        let moved = |clock| {
            let mut moved = RgbaImage::from_pixel(800, 520, GROUND);
            image::imageops::replace(&mut moved, &page(clock), 0, -20);
            moved.into()
        };
        let pictures = [
            page("14:07").into(),
            page("14:06").into(),
            moved("14:06"),
            moved("14:05"),
        ];
        let proposed = propose_panels(&pictures, &board());
        let panel = proposed.iter().find(|panel| holds(panel, &name()));
        assert!(panel.is_some_and(|panel| panel.x + panel.width < 690.0), "{proposed:?}");
    }

    #[test]
    fn the_name_beside_the_board_comes_before_the_sites_header_and_the_browsers_bar() {
        let mut page = RgbaImage::from_pixel(1000, 620, GROUND);
        let board = BoardRect::new(280.0, 100.0, 400.0, 400.0).unwrap();
        let mut write = |x: f64, y: f64, size: f64, words: &str| {
            text(&mut page, FramePx { x, y }, size, INK, words);
            rect(x, y, text_width(size, words), size)
        };
        write(90.0, 12.0, 15.0, "127.0.0.1:8080/bFvmUNtW");
        write(20.0, 72.0, 18.0, "PyChess PLAY PUZZLES LEARN WATCH COMMUNITY");
        write(40.0, 120.0, 14.0, "10+5 Casual CHESS");
        write(700.0, 200.0, 30.0, "10:00");
        let own = write(712.0, 410.0, 16.0, "Anonymous 1500?");
        let name = write(712.0, 250.0, 16.0, "BOT Fairy-Stockfish level 1");
        let proposed = propose_panels(&[page.into()], &board);
        let inner = |words: &FrameRect| rect(words.x + 3.0, words.y + 6.0, words.width - 8.0, words.height - 10.0);
        assert!(holds(&proposed[0], &inner(&name)), "{proposed:?}");
        assert!(proposed[1].y > 100.0, "the card of the game is the next: {proposed:?}");
        let last = |nth: &FrameRect| nth.y < 100.0 || holds(nth, &inner(&own));
        assert!(proposed[2..].iter().all(last), "{proposed:?}");
        assert!(
            !proposed
                .iter()
                .any(|panel| holds(panel, &rect(720.0, 210.0, 20.0, 10.0))),
            "{proposed:?}"
        );
    }

    #[test]
    fn a_name_beside_a_face_is_proposed_with_it_and_alone() {
        let mut page = page("15:00");
        let face = rect(446.0, 72.0, 36.0, 36.0);
        fill_rect(&mut page, rect(441.0, 71.0, 300.0, 38.0), CARD);
        disc(&mut page, (464, 90), 17.0);
        let name = "Oskar";
        text(&mut page, FramePx { x: 496.0, y: 81.0 }, 17.0, INK, name);
        let name = rect(498.0, 85.0, text_width(17.0, name) - 6.0, 8.0);
        let proposed = propose_panels(&[page.into()], &board());
        let with_face = proposed
            .iter()
            .position(|panel| holds(panel, &name) && panel.x < face.x + 4.0);
        let is_alone = |panel: &FrameRect| holds(panel, &name) && panel.x > face.x + 30.0;
        let alone = proposed.iter().position(is_alone);
        assert!(
            with_face.is_some() && alone == with_face.map(|at| at + 1),
            "{proposed:?}"
        );
    }

    #[test]
    fn a_name_over_what_its_bot_does_is_proposed_alone_before_both_and_the_face() {
        let mut page = page("");
        fill_rect(&mut page, rect(441.0, 71.0, 300.0, 38.0), CARD);
        disc(&mut page, (465, 90), 16.0);
        // What is drawn in the face is apart from its outline.
        fill_rect(&mut page, rect(464.0, 80.0, 3.0, 21.0), CARD);
        fill_rect(&mut page, rect(460.0, 89.0, 11.0, 3.0), CARD);
        let (name, does) = ("Fennick Bot", "Waiting for you");
        text(&mut page, FramePx { x: 490.0, y: 74.0 }, 13.0, INK, name);
        text(
            &mut page,
            FramePx { x: 490.0, y: 91.0 },
            12.0,
            Rgba([170, 170, 170, 255]),
            does,
        );
        let name = rect(492.0, 78.0, text_width(13.0, name) - 6.0, 6.0);
        let does = rect(492.0, 95.0, text_width(12.0, does) - 6.0, 4.0);
        let proposed = propose_panels(&[page.into()], &board());
        let first = |is: &dyn Fn(&FrameRect) -> bool| proposed.iter().position(is);
        let alone = first(&|panel| holds(panel, &name) && !overlap(panel, &does) && panel.x > 480.0);
        let both = first(&|panel| holds(panel, &name) && holds(panel, &does));
        assert!(alone.is_some() && alone < both, "{proposed:?}");
    }

    #[test]
    fn a_bar_of_strength_below_a_name_and_beside_its_face_is_left_out() {
        let mut page = page("");
        fill_rect(&mut page, rect(441.0, 71.0, 300.0, 38.0), CARD);
        disc(&mut page, (465, 90), 14.0);
        let name = "Oskar";
        text(&mut page, FramePx { x: 496.0, y: 75.0 }, 14.0, INK, name);
        let bar = rect(496.0, 92.0, 150.0, 11.0);
        outline(&mut page, bar, 1.0, INK);
        fill_rect(&mut page, rect(498.0, 94.0, 110.0, 7.0), Rgba([60, 200, 90, 255]));
        let name = rect(498.0, 79.0, text_width(14.0, name) - 6.0, 6.0);
        let proposed = propose_panels(&[page.clone().into()], &board());
        assert!(proposed.iter().any(|panel| holds(panel, &name)), "{proposed:?}");
        assert!(!proposed.iter().any(|panel| overlap(panel, &bar)), "{proposed:?}");
        let pointed = drawn_at(&page, &board(), FramePx { x: 510.0, y: 83.0 }).unwrap();
        assert!(holds(&pointed, &name) && !overlap(&pointed, &bar), "{pointed:?}");
    }

    /// A name without its face is the only part of its line in its ink, too.
    #[test]
    fn no_rectangle_is_proposed_twice() {
        let mut page = RgbaImage::from_pixel(800, 520, GROUND);
        for (x, y) in (446..482).flat_map(|x| (72..108).map(move |y| (x, y))) {
            if (f64::from(x) - 464.0).hypot(f64::from(y) - 90.0) < 17.0 {
                page.put_pixel(x, y, Rgba([90, 140, 250, 255]));
            }
        }
        text(&mut page, FramePx { x: 492.0, y: 81.0 }, 17.0, INK, "Oskar the bot");
        let proposed = propose_panels(&[page.into()], &board());
        let name = rect(496.0, 85.0, 60.0, 8.0);
        assert!(
            proposed.iter().filter(|panel| holds(panel, &name)).count() >= 2,
            "{proposed:?}"
        );
        for (nth, panel) in proposed.iter().enumerate() {
            assert!(!proposed[..nth].contains(panel), "{proposed:?}");
        }
    }

    #[test]
    fn a_borders_ornaments_take_no_names_place() {
        let mut page = RgbaImage::from_pixel(900, 520, GROUND);
        let board = BoardRect::new(60.0, 60.0, 400.0, 400.0).unwrap();
        for (x, y) in [30, 470]
            .iter()
            .flat_map(|x| (0..11u32).map(move |k| (*x, 62 + 36 * k)))
        {
            for (dx, dy) in (0..24u32).flat_map(|dx| (0..24).map(move |dy| (dx, dy))) {
                if u32::abs_diff(dx, 12) + u32::abs_diff(dy, 12) < 12 {
                    page.put_pixel(x + dx, y + dy, INK);
                }
            }
        }
        text(
            &mut page,
            FramePx { x: 640.0, y: 120.0 },
            17.0,
            INK,
            "Stockfish level 3",
        );
        let proposed = propose_panels(&[page.into()], &board);
        let name = rect(643.0, 124.0, text_width(17.0, "Stockfish level 3") - 6.0, 8.0);
        assert!(holds(&proposed[0], &name) && proposed.len() == 1, "{proposed:?}");
    }

    #[test]
    fn a_name_before_words_of_another_colour_is_proposed_with_them_and_alone() {
        let mut page = page("15:00");
        fill_rect(&mut page, rect(441.0, 71.0, 300.0, 38.0), CARD);
        let (name, status) = ("Oskar", "waits for you");
        let end = 452.0 + text_width(17.0, name);
        text(&mut page, FramePx { x: 452.0, y: 81.0 }, 17.0, INK, name);
        text(
            &mut page,
            FramePx { x: end + 8.0, y: 82.0 },
            15.0,
            Rgba([150, 150, 150, 255]),
            status,
        );
        let proposed = propose_panels(&[page.into()], &board());
        let name = rect(454.0, 85.0, end - 462.0, 8.0);
        let all = proposed
            .iter()
            .position(|panel| holds(panel, &name) && panel.width > 130.0);
        let alone = proposed
            .iter()
            .position(|panel| holds(panel, &name) && panel.x + panel.width <= end + 8.0);
        assert!(all.is_some() && alone == all.map(|at| at + 1), "{proposed:?}");
    }

    /// Words between the board and a row of two clocks, and a menu right above the board.
    #[test]
    fn a_name_under_its_clock_comes_before_words_that_are_nearer_to_the_board_and_a_menu_last() {
        let mut page = RgbaImage::from_pixel(1000, 620, GROUND);
        let board = BoardRect::new(300.0, 100.0, 400.0, 400.0).unwrap();
        let mut write = |x: f64, y: f64, size: f64, words: &str| {
            text(&mut page, FramePx { x, y }, size, INK, words);
            rect(x, y, text_width(size, words), size)
        };
        let menu = [12.0, 90.0, 150.0, 220.0, 290.0].map(|x| write(x, 72.0, 15.0, "MENU"));
        let words = [110.0, 132.0, 154.0, 176.0].map(|y| write(110.0, y, 14.0, "Somebody says something"));
        write(716.0, 130.0, 34.0, "05:00");
        write(716.0, 440.0, 34.0, "05:00");
        let name = write(716.0, 178.0, 15.0, "lernaea-mini");
        let proposed = propose_panels(&[page.into()], &board);
        let place = |of: &FrameRect| {
            let within = rect(of.x + 4.0, of.y + 4.0, of.width - 10.0, 6.0);
            proposed.iter().position(|panel| holds(panel, &within))
        };
        let [name, words] = [place(&name), place(&words[1])].map(|place| place.expect("a proposal"));
        assert!(name < words, "{proposed:?}");
        let menu = menu.iter().filter_map(place).min();
        assert!(menu.is_none_or(|menu| menu > words), "{proposed:?}");
    }

    /// A newspaper's page: both players below the board, each in a row that ends in a clock.
    #[test]
    fn names_in_the_rows_of_two_clocks_below_the_board_are_proposed_before_what_lies_elsewhere() {
        let mut page = RgbaImage::from_pixel(1100, 620, GROUND);
        let mut write = |x: f64, y: f64, words: &str| {
            text(&mut page, FramePx { x, y }, 16.0, INK, words);
            rect(x + 3.0, y + 5.0, text_width(16.0, words) - 8.0, 6.0)
        };
        let rows = [(510.0, "Somebody"), (544.0, "Pemberton")];
        let names = rows.map(|(y, name)| {
            write(400.0, y, "30:00");
            write(80.0, y, name)
        });
        for row in 0..10 {
            write(700.0, 80.0 + 26.0 * f64::from(row), "Something else");
        }
        let board = BoardRect::new(60.0, 90.0, 400.0, 400.0).unwrap();
        let proposed = propose_panels(&[page.into()], &board);
        for name in names {
            assert!(proposed.iter().any(|panel| holds(panel, &name)), "{proposed:?}");
        }
    }

    /// Names and colours in two columns, in one ink: the colours change places with the next game.
    #[test]
    fn a_name_before_the_next_column_is_proposed_alone() {
        let mut page = page("15:00");
        fill_rect(&mut page, rect(436.0, 66.0, 350.0, 50.0), CARD);
        let name = "Eliza (bot)";
        let end = 452.0 + text_width(17.0, name);
        text(&mut page, FramePx { x: 452.0, y: 81.0 }, 17.0, INK, name);
        text(&mut page, FramePx { x: end + 16.0, y: 81.0 }, 17.0, INK, "WHITE");
        let proposed = propose_panels(&[page.into()], &board());
        let name = rect(454.0, 84.0, end - 458.0, 9.0);
        let panel = proposed[..2].iter().find(|panel| holds(panel, &name));
        assert!(
            panel.is_some_and(|panel| panel.x + panel.width <= end + 16.0),
            "{proposed:?}"
        );
    }

    /// A table of the players, as correspondence sites have: a face as high as its line, a link, a rating.
    #[test]
    fn a_name_between_a_face_and_a_rating_of_other_colours_is_proposed_alone() {
        let mut page = page("15:00");
        fill_rect(&mut page, rect(436.0, 66.0, 350.0, 50.0), CARD);
        for (x, y, color) in (454..474).flat_map(|x| (82..101).map(move |y| (x, y, [120, 150, (x * 7) as u8, 255]))) {
            page.put_pixel(x, y, Rgba(color));
        }
        let (name, link) = ("CrownBot 900", Rgba([230, 80, 80, 255]));
        let end = 482.0 + text_width(17.0, name);
        text(&mut page, FramePx { x: 482.0, y: 81.0 }, 17.0, link, name);
        fill_rect(&mut page, rect(482.0, 99.0, end - 482.0, 1.0), link);
        text(&mut page, FramePx { x: end + 8.0, y: 81.0 }, 17.0, INK, "904");
        let proposed = propose_panels(&[page.into()], &board());
        let name = rect(484.0, 85.0, end - 494.0, 8.0);
        let alone = |panel: &&FrameRect| holds(panel, &name) && panel.x > 474.0 && panel.x + panel.width <= end + 9.0;
        assert!(proposed.iter().any(|panel| alone(&panel)), "{proposed:?}");
    }

    #[test]
    fn a_name_under_a_clock_of_segments_is_proposed_and_no_segment_is() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/calibration");
        let page = image::open(format!("{folder}/clocks-of-dim-segments.png")).unwrap();
        let board = BoardRect::new(34.0, 60.0, 496.0, 496.0).unwrap();
        let proposed = propose_panels(&[page.into_rgba8().into()], &board);
        // "Machine 3", by eye.
        let name = rect(632.0, 166.0, 70.0, 8.0);
        assert!(holds(&proposed[0], &name), "{proposed:?}");
        for y in [54.0, 411.0] {
            let digits = rect(726.0, y, 250.0, 97.0);
            assert!(!proposed.iter().any(|panel| overlap(panel, &digits)), "{proposed:?}");
        }
    }

    #[test]
    fn a_name_beside_the_board_and_above_its_upper_edge_comes_before_a_header() {
        let mut page = RgbaImage::from_pixel(1000, 620, GROUND);
        let board = BoardRect::new(280.0, 160.0, 400.0, 400.0).unwrap();
        for (x, y) in (0..6).flat_map(|k| [70.0, 136.0].map(|y| (285.0 + 66.0 * f64::from(k), y))) {
            text(&mut page, FramePx { x, y }, 14.0, INK, "MENU");
        }
        text(&mut page, FramePx { x: 90.0, y: 140.0 }, 15.0, INK, "ChessBot2000");
        let name = rect(92.0, 144.0, text_width(15.0, "ChessBot2000") - 6.0, 6.0);
        let proposed = propose_panels(&[page.into()], &board);
        assert!(proposed.iter().any(|panel| holds(panel, &name)), "{proposed:?}");
    }

    /// Reported (react-chess): the browser asked "Sign in to Chromium?" beside the board's upper corner, and the header
    /// that named the engine came fourth.
    #[test]
    fn a_site_s_header_comes_before_a_browser_s_bar_that_ends_beside_the_board() {
        let mut page = RgbaImage::from_pixel(1000, 620, GROUND);
        let board = BoardRect::new(280.0, 100.0, 400.0, 400.0).unwrap();
        fill_rect(&mut page, rect(0.0, 0.0, 1000.0, 66.0), CARD);
        fill_rect(&mut page, rect(0.0, 66.0, 1000.0, 28.0), INK);
        text(
            &mut page,
            FramePx { x: 760.0, y: 40.0 },
            15.0,
            INK,
            "Sign in to Chromium?",
        );
        text(
            &mut page,
            FramePx { x: 20.0, y: 72.0 },
            16.0,
            GROUND,
            "react-chess vs Stockfish",
        );
        let name = rect(23.0, 78.0, text_width(16.0, "react-chess vs Stockfish") - 8.0, 6.0);
        let proposed = propose_panels(&[page.into()], &board);
        assert!(holds(&proposed[0], &name), "{proposed:?}");
    }

    /// The same page as in `clocks.rs`: its article came first, and there was no place for the name.
    #[test]
    fn a_name_above_the_board_is_proposed_beside_an_article() {
        let page = crate::test_picture("article-beside-the-board.png");
        let board = BoardRect::new(472.0, 90.0, 264.0, 264.0).unwrap();
        let proposed = propose_panels(&[page.into()], &board);
        let name = rect(442.0, 60.0, 126.0, 6.0);
        assert!(proposed.iter().any(|panel| holds(panel, &name)), "{proposed:?}");
    }

    /// What is proposed for a board in the middle of a page with a name at this place, and lines on the board's right; and
    /// where the name stands.
    fn proposed_between((x, y, name): (f64, f64, &str), right: &[&str]) -> (Vec<FrameRect>, FrameRect) {
        let mut page = RgbaImage::from_pixel(1000, 620, GROUND);
        let board = BoardRect::new(280.0, 100.0, 400.0, 400.0).unwrap();
        text(&mut page, FramePx { x, y }, 16.0, INK, name);
        for (row, words) in (0..).zip(right) {
            let y = 104.0 + 26.0 * f64::from(row);
            text(&mut page, FramePx { x: 700.0, y }, 16.0, INK, words);
        }
        let name = rect(x + 3.0, y + 6.0, text_width(16.0, name) - 8.0, 6.0);
        (propose_panels(&[page.into()], &board), name)
    }

    #[test]
    fn a_name_on_one_side_is_proposed_beside_a_menu_of_five_words_on_the_other() {
        let menu = ["Promote to", "Queen", "Rook", "Bishop", "Knight", "New game"];
        let (proposed, name) = proposed_between((40.0, 104.0, "ByteKnight"), &menu);
        assert!(proposed.iter().any(|panel| holds(panel, &name)), "{proposed:?}");
    }

    /// Page `acorn`: a lesson beside the board, and the bot's name below it.
    #[test]
    fn a_name_below_the_board_is_proposed_after_a_lesson_beside_it() {
        let (proposed, name) = proposed_between((400.0, 540.0, "Nutkin the computer"), &["Castle early"; 12]);
        assert!(holds(proposed.last().expect("a proposal"), &name), "{proposed:?}");
    }

    /// A teaching site: a coach under a face on the left, and many tips on the right.
    #[test]
    fn a_name_far_down_one_side_is_proposed_beside_many_lines_on_the_other() {
        let (proposed, name) = proposed_between((40.0, 270.0, "Coach Delphine"), &["Castle early"; 12]);
        let last = proposed.last().expect("a proposal");
        assert!(holds(last, &name) && proposed.len() == MOST, "{proposed:?}");
    }

    #[test]
    fn a_longer_name_that_begins_like_the_one_proposed_shows_in_its_rectangle() {
        let mut page = page("15:00");
        let proposed = propose_panels(&[page.clone().into()], &board());
        let panel = proposed.into_iter().find(|panel| holds(panel, &name())).unwrap();
        let then = PanelPicture::of_part(&page, &panel);
        let more = FramePx {
            x: 452.0 + text_width(17.0, "Stockfish level 3 "),
            y: 81.0,
        };
        text(&mut page, more, 17.0, INK, "Smith");
        let now = PanelPicture::of_part(&page, &panel).to_rgba();
        let verdict = then.compare(&now, 0.0);
        assert!(matches!(verdict, crate::PanelVerdict::Changed { .. }), "{verdict:?}");
    }

    #[test]
    fn a_clock_that_stands_is_known_by_its_colon() {
        let proposed = propose_panels(&[page("15:00").into()], &board());
        assert!(proposed[..2].iter().any(|panel| holds(panel, &name())), "{proposed:?}");
        assert!(
            proposed
                .iter()
                .all(|panel| !holds(panel, &rect(692.0, 84.0, 30.0, 10.0))),
            "{proposed:?}"
        );
    }

    #[test]
    fn what_is_pointed_at_is_the_whole_line() {
        let page = page("15:00");
        let at = |x, y| drawn_at(&page, &board(), FramePx { x, y });
        let pointed = at(470.0, 95.0).unwrap();
        assert!(holds(&pointed, &name()) && pointed.width < 200.0, "{pointed:?}");
        assert_eq!(at(600.0, 300.0), None, "nothing is drawn there");
        assert_eq!(at(100.0, 200.0), None, "the board is no button");
    }

    #[test]
    fn the_words_of_a_title_bar_are_proposed_without_its_border_and_buttons() {
        let mut bar = RgbaImage::from_pixel(600, 22, CARD);
        outline(&mut bar, rect(0.0, 0.0, 599.0, 21.0), 1.0, INK);
        for x in [8.0, 540.0, 560.0, 580.0] {
            outline(&mut bar, rect(x, 4.0, 13.0, 13.0), 1.0, INK);
        }
        let title = "Robin the bot";
        text(&mut bar, FramePx { x: 250.0, y: 3.0 }, 15.0, INK, title);
        let proposed = propose_title(&bar).unwrap();
        let words = rect(252.0, 6.0, text_width(15.0, title) - 4.0, 9.0);
        assert!(
            holds(&proposed, &words) && proposed.width < words.width + 40.0,
            "{proposed:?}"
        );
        assert_eq!(propose_title(&RgbaImage::from_pixel(600, 22, CARD)), None);
    }

    #[test]
    fn where_nothing_is_drawn_nothing_is_proposed() {
        assert!(propose_panels(&[RgbaImage::from_pixel(800, 520, GROUND).into()], &board()).is_empty());
        assert!(propose_panels(&[], &board()).is_empty());
    }
}
