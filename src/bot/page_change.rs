//! What is new on the page since our move. A game that ends otherwise than on the board ends with words or a picture
//! somewhere on the page. Nobody reads them here; that something stands there which did not right after our move is seen.

use std::time::Duration;
use torres_frame::Frame;
use torres_geometry::{BoardRect, FramePx};

/// Levels by which a colour channel may waver.
const SAME: u8 = 8;
/// From so many pixels on, something is there: a short word has more.
const LEAST: usize = 40;
/// For how long it must stand: a picture that changes by itself stands for a while too.
const STANDS: Duration = Duration::from_secs(20);

/// The page after a move of ours, and what has come to stand on it since.
#[derive(Debug)]
pub struct PageChange {
    turn: usize,
    before: Frame,
    new: Option<New>,
}

/// Pixels that look otherwise than right after the move, all since one picture.
#[derive(Debug)]
struct New {
    shown: Frame,
    pixels: Vec<(u32, u32)>,
    /// The last picture, how many came after the first, and in how many of them something beside the board had changed.
    last: Frame,
    looks: u32,
    changed: u32,
}

impl PageChange {
    /// The page looks so right after our move, by which the game has this many plies.
    pub fn new(turn: usize, before: Frame) -> PageChange {
        PageChange {
            turn,
            before,
            new: None,
        }
    }

    /// Whether this is the turn after the move.
    pub fn is_of(&self, turn: usize) -> bool {
        self.turn == turn
    }

    /// The page is looked at again, as it is each second. Returns whether something new has stood beside the board for
    /// twenty seconds. On a page that changes in most looks a clock may be running. A page that lies elsewhere, or has
    /// another size, is another page.
    pub fn look(&mut self, page: Frame, board: &BoardRect) -> bool {
        let lies_alike = page.origin == self.before.origin && page.image.dimensions() == self.before.image.dimensions();
        if !lies_alike {
            self.new = None;
            return false;
        }
        let since_before = |page: &Frame| New::of(&self.before, page.clone(), board);
        let mut new = self.new.take().unwrap_or_else(|| since_before(&page));
        new.pixels.retain(|at| !differs(&new.shown, &page, *at));
        if new.pixels.len() < LEAST {
            new = since_before(&page);
        }
        new.looks += 1;
        new.changed += u32::from(changed(&new.last, &page, board).next().is_some());
        let is_alive = 2 * new.changed > new.looks;
        let stands = !is_alive && new.pixels.len() >= LEAST && page.at.since(new.shown.at) >= STANDS;
        new.last = page;
        self.new = Some(new);
        stands
    }
}

impl New {
    /// What is new on a page that looked so before, the board aside.
    fn of(before: &Frame, page: Frame, board: &BoardRect) -> New {
        New {
            pixels: changed(before, &page, board).collect(),
            last: page.clone(),
            shown: page,
            looks: 0,
            changed: 0,
        }
    }
}

/// The pixels beside the board in which two pictures differ.
fn changed<'a>(before: &'a Frame, page: &'a Frame, board: &'a BoardRect) -> impl Iterator<Item = (u32, u32)> + 'a {
    let (width, height) = page.image.dimensions();
    let is_beside = |(x, y): &(u32, u32)| {
        let at = page.to_desktop(FramePx {
            x: f64::from(*x),
            y: f64::from(*y),
        });
        !board.contains(at.x, at.y)
    };
    let all = (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)));
    all.filter(is_beside).filter(|at| differs(before, page, *at))
}

fn differs(a: &Frame, b: &Frame, (x, y): (u32, u32)) -> bool {
    let (a, b) = (a.image.get_pixel(x, y), b.image.get_pixel(x, y));
    (0..3).any(|channel| a[channel].abs_diff(b[channel]) > SAME)
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgba, RgbaImage};
    use torres_frame::Timestamp;
    use torres_geometry::DesktopPx;
    use torres_picture::text;

    const BOARD: (f64, f64, f64) = (20.0, 20.0, 160.0);

    /// A page with a board on the left, and words beside it and on it.
    fn page(second: u64, beside: &str, on_board: &str) -> Frame {
        let mut image = RgbaImage::from_pixel(400, 200, Rgba([240, 240, 240, 255]));
        for (words, x) in [(beside, 220.0), (on_board, 60.0)] {
            text(&mut image, FramePx { x, y: 90.0 }, 14.0, Rgba([20, 20, 20, 255]), words);
        }
        Frame {
            image: image.into(),
            at: Timestamp(Duration::from_secs(second)),
            origin: DesktopPx { x: 7.0, y: 9.0 },
        }
    }

    /// The first second after our move at which something new is seen to stand, on a page that is looked at each second.
    fn stands_at(shows: impl Fn(u64) -> Frame) -> Option<u64> {
        let board = BoardRect::new(7.0 + BOARD.0, 9.0 + BOARD.1, BOARD.2, BOARD.2).unwrap();
        let mut change = PageChange::new(4, shows(0));
        (1..60).find(|second| change.look(shows(*second), &board))
    }

    #[test]
    fn words_that_come_and_stay_beside_the_board_are_new() {
        assert_eq!(
            stands_at(|s| page(s, if s < 15 { "your move" } else { "White wins" }, "")),
            Some(35)
        );
        assert_eq!(stands_at(|s| page(s, "your move", "")), None);
        assert_eq!(
            stands_at(|s| page(s, "your move", if s < 15 { "" } else { "White wins" })),
            None
        );
    }

    #[test]
    fn what_changes_now_and_then_is_not_new_and_hides_nothing_that_is() {
        let advert = |s: u64| format!("{}", s / 4);
        assert_eq!(stands_at(|s| page(s, &advert(s), "")), None);
        let resigned = |s: u64| format!("{}   {}", if s < 15 { "" } else { "White wins" }, s / 4);
        assert_eq!(stands_at(|s| page(s, &resigned(s), "")), Some(35));
    }

    #[test]
    fn on_a_page_with_a_clock_that_runs_nothing_is_over() {
        let told = |s: u64| format!("{}   {s}", if s < 15 { "" } else { "low on time" });
        assert_eq!(stands_at(|s| page(s, &told(s), "")), None);
    }

    #[test]
    fn a_page_that_lies_elsewhere_is_another_page() {
        let moved = |s: u64| Frame {
            origin: DesktopPx {
                x: if s < 15 { 7.0 } else { 17.0 },
                y: 9.0,
            },
            ..page(s, if s < 15 { "your move" } else { "White wins" }, "")
        };
        assert_eq!(stands_at(moved), None);
    }
}
