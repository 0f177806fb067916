//! Finds reasons to doubt that a panel names the opponent. Torres reads no names: it sees where the panel lies and what
//! stands beside it, and says that. A person looks at the picture and decides.

use super::drawings::words_beside;
use image::RgbaImage;
use std::fmt;
use torres_geometry::{BoardRect, FrameRect};

/// What makes a row of words a menu or a toolbar.
struct Row {
    /// Words at least.
    words: usize,
    /// They are no farther from each other than this, in pixels.
    apart: f64,
    /// How near to the window's edge they begin or end, in pixels.
    from_edge: f64,
}

/// A menu's words stand close; a toolbar's buttons may be greyed out, which leaves gaps. A name with a picture, a
/// rating and a flag beside it has four words at most.
const ROWS: [Row; 2] = [
    Row {
        words: 4,
        apart: 60.0,
        from_edge: 48.0,
    },
    Row {
        words: 5,
        apart: 200.0,
        from_edge: 72.0,
    },
];
/// Words that stand in one line have the same top, the same foot or the same middle, to this many pixels: a site's name
/// beside the board's column and an opponent's above the board are drawn in two sizes, each in its own box.
const LEVEL: f64 = 2.0;
/// Words nearer to each other than this, in pixels and in heights of their letters, belong together: words of one name
/// do.
const NAME_GAP: (f64, f64) = (10.0, 0.6);

/// A reason to look twice at a panel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Suspicion {
    /// It lies where the player's own name stands.
    OwnSide,
    /// It is part of a row of words along the window's edge above the board.
    Toolbar {
        /// How many.
        words: usize,
    },
    /// It is the window's title bar, and nobody says that the title names the opponent.
    TitleBar {
        /// The title.
        title: String,
    },
    /// It is the window's title bar, and the title is without the opponent's name.
    OtherTitle {
        /// The title.
        title: String,
        /// The name.
        name: String,
    },
    /// Another calibration has the same picture for an opponent of another name.
    SameAs {
        /// Its file.
        file: String,
        /// The other name.
        name: String,
    },
}

impl fmt::Display for Suspicion {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Suspicion::OwnSide => write!(
                f,
                "it lies nearer to the board's lower edge, where your own name stands; the opponent is named at the upper one"
            ),
            Suspicion::Toolbar { words } => write!(
                f,
                "it stands in a row of {words} words along the window's edge above the board, like a menu or a toolbar, and those look the same \
                 whoever plays"
            ),
            Suspicion::TitleBar { title } => write!(
                f,
                "it is the window's title bar, '{title}', which guards only where the title names the opponent"
            ),
            Suspicion::OtherTitle { title, name } => {
                write!(
                    f,
                    "it is the window's title bar, and the title '{title}' is without '{name}'"
                )
            }
            Suspicion::SameAs { file, name } => write!(
                f,
                "{file} has the same picture for '{name}': it does not differ from one opponent to the other"
            ),
        }
    }
}

/// The reasons that a picture of the window gives to doubt a panel in it.
pub fn suspicions(picture: &RgbaImage, board: &BoardRect, panel: &FrameRect) -> Vec<Suspicion> {
    let middle = panel.y + panel.height / 2.0;
    let own_side = (middle > board.y() + board.height() / 2.0).then_some(Suspicion::OwnSide);
    let toolbar = toolbars(picture, board)(panel).map(|words| Suspicion::Toolbar { words });
    own_side.into_iter().chain(toolbar).collect()
}

/// Tells of a rectangle in a picture of the window how many words have the menu or the toolbar that it is part of.
pub(crate) fn toolbars<'a>(picture: &RgbaImage, board: &'a BoardRect) -> impl Fn(&FrameRect) -> Option<usize> + 'a {
    let width = f64::from(picture.width());
    let mut words = words_beside(picture, board);
    // A line across the window is no word.
    words.retain(|word| 2.0 * word.width <= width);
    move |panel| {
        let level = level_with(panel, words.clone(), board);
        ROWS.iter().find_map(|row| row.around(panel, &level, width))
    }
}

/// The words above the board that stand in one line with the panel, from left to right; the panel is one where none is
/// in it.
fn level_with(panel: &FrameRect, mut words: Vec<FrameRect>, board: &BoardRect) -> Vec<FrameRect> {
    let is_above = |rect: &FrameRect| rect.y + rect.height <= board.y();
    words.retain(|word| {
        let middle = word.y + word.height / 2.0;
        (panel.y..=panel.y + panel.height).contains(&middle) && is_above(word)
    });
    if is_above(panel) && !words.iter().any(|word| is_across(word, panel)) {
        words.push(*panel);
    }
    words.sort_by(|a, b| a.x.total_cmp(&b.x));
    words
}

/// Whether two rectangles share columns of pixels.
fn is_across(a: &FrameRect, b: &FrameRect) -> bool {
    a.x < b.x + b.width && b.x < a.x + a.width
}

/// Whether two words may stand in one line.
fn are_level(a: &FrameRect, b: &FrameRect) -> bool {
    let places = |rect: &FrameRect| [rect.y, rect.y + rect.height, rect.y + rect.height / 2.0];
    let mut pairs = places(a).into_iter().zip(places(b));
    pairs.any(|(a, b)| (a - b).abs() <= LEVEL)
}

impl Row {
    /// How many words stand in such a row around the panel; `None` where it is not one.
    fn around(&self, panel: &FrameRect, level: &[FrameRect], width: f64) -> Option<usize> {
        let gap = |a: &FrameRect, b: &FrameRect| b.x - (a.x + a.width);
        let mut rows = level.chunk_by(|a, b| gap(a, b) <= self.apart && are_level(a, b));
        let row = rows.find(|row| row.iter().any(|word| is_across(word, panel)))?;
        let (first, last) = (row.first()?, row.last()?);
        let is_at_edge = first.x <= self.from_edge || last.x + last.width >= width - self.from_edge;
        let are_two = |pair: &&[FrameRect]| {
            let high = pair[0].height.max(pair[1].height);
            gap(&pair[0], &pair[1]) > NAME_GAP.0.max(NAME_GAP.1 * high)
        };
        let words = 1 + row.windows(2).filter(are_two).count();
        (is_at_edge && words >= self.words).then_some(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgba;
    use torres_geometry::FramePx;
    use torres_picture::{text, text_width};

    const SIZE: f64 = 14.0;

    fn board() -> BoardRect {
        BoardRect::new(200.0, 100.0, 400.0, 400.0).unwrap()
    }

    /// A window with words in it, each at a place, and the rectangle around one of them.
    fn window(words: &[(f64, f64, &str)], panel: usize) -> (RgbaImage, FrameRect) {
        let mut picture = RgbaImage::from_pixel(800, 560, Rgba([240, 240, 240, 255]));
        for (x, y, word) in words {
            text(
                &mut picture,
                FramePx { x: *x, y: *y },
                SIZE,
                Rgba([20, 20, 20, 255]),
                word,
            );
        }
        let (x, y, word) = words[panel];
        let rect = FrameRect {
            x: x - 4.0,
            y: y - 2.0,
            width: text_width(SIZE, word) + 8.0,
            height: SIZE + 6.0,
        };
        (picture, rect)
    }

    fn suspected(words: &[(f64, f64, &str)], panel: usize) -> Vec<Suspicion> {
        let (picture, rect) = window(words, panel);
        suspicions(&picture, &board(), &rect)
    }

    #[test]
    fn a_menu_and_a_toolbar_are_told_by_their_row() {
        let menu = [
            (12.0, 8.0, "Game"),
            (70.0, 8.0, "Move"),
            (128.0, 8.0, "Settings"),
            (210.0, 8.0, "Help"),
        ];
        assert_eq!(suspected(&menu, 2), [Suspicion::Toolbar { words: 4 }]);
        let right = [
            (500.0, 40.0, "Show History"),
            (610.0, 40.0, "Show Console"),
            (720.0, 40.0, "Log"),
            (766.0, 40.0, "in"),
        ];
        assert_eq!(suspected(&right, 1), [Suspicion::Toolbar { words: 4 }]);
        // A greyed-out button between them is not seen.
        let gaps = [
            (12.0, 40.0, "New"),
            (60.0, 40.0, "Load"),
            (250.0, 40.0, "Pause"),
            (420.0, 40.0, "Resign"),
            (600.0, 40.0, "Show Console"),
        ];
        assert_eq!(suspected(&gaps, 4), [Suspicion::Toolbar { words: 5 }]);
        assert_eq!(suspected(&gaps[1..], 3), []);
    }

    #[test]
    fn a_name_above_the_board_or_beside_it_is_not_suspected() {
        let page = [
            (12.0, 8.0, "Play"),
            (60.0, 8.0, "Learn"),
            (120.0, 8.0, "Watch"),
            (180.0, 8.0, "Tools"),
            (204.0, 70.0, "Nelson (1300)"),
            (560.0, 70.0, "10:00"),
            (620.0, 110.0, "Computer level 3"),
            (620.0, 470.0, "Somebody"),
        ];
        assert_eq!(suspected(&page, 4), []);
        assert_eq!(suspected(&page, 6), []);
        assert_eq!(suspected(&page, 7), [Suspicion::OwnSide]);
        // A long name alone along the edge is one name.
        assert_eq!(
            suspected(&[(12.0, 8.0, "The old chess automaton of Leonardo Torres")], 0),
            []
        );
    }

    /// Reported (a page with gchessboard): the site's name stands in a column beside the board, larger.
    #[test]
    fn words_of_another_line_are_not_of_a_name_s_row() {
        let ground = Rgba([240, 240, 240, 255]);
        let mut picture = RgbaImage::from_pixel(800, 560, ground);
        for (x, y, size, word) in [
            (12.0, 52.0, 22.0, "☾"),
            (40.0, 52.0, 22.0, "Nattskift"),
            (204.0, 62.0, 15.0, "Robin"),
            (270.0, 62.0, 15.0, "1420"),
            (330.0, 62.0, 15.0, "bot"),
        ] {
            text(&mut picture, FramePx { x, y }, size, Rgba([20, 20, 20, 255]), word);
        }
        let name = FrameRect {
            x: 200.0,
            y: 60.0,
            width: text_width(15.0, "Robin") + 8.0,
            height: 22.0,
        };
        assert_eq!(suspicions(&picture, &board(), &name), []);
    }
}
