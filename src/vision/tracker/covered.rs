//! Squares over which something lies. What they show is not theirs, and what is clicked there would not be the square.

use crate::appearance::{
    EMPTY, Light, SquareReader, SquareScores, is_attacked_king, is_covered, is_painted_over, is_read_under_paint, judge,
};
use image::RgbaImage;
use shakmaty::{Bitboard, Board, Square, attacks};
use torres_geometry::BySquare;

/// Farther from its plain colour than this, in levels, a square may be painted over.
const PAINT: i16 = 24;

/// What lies over a single square shows a text or an edge: as an empty square of one colour it costs more than this.
const CLEAR: f32 = 0.01;

/// A square lies amid a thing of its own colour if so many of the four squares beside it lie under that.
const AMID: usize = 2;

/// Levels by which two squares under one opaque thing may differ.
const ONE_COLOR: i16 = 4;

/// The same for a square's edge and its margin, of which some may be free.
const MOSTLY: i16 = 16;

/// The squares that something lies over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Covered {
    /// All of them.
    pub squares: Bitboard,
    /// Those over which nothing broader than a line lies, such as a page's arrow from a move's origin to its target.
    pub by_lines: Bitboard,
    /// Those that have one even colour and no text: a page may fill a move's targets so.
    pub evenly: Bitboard,
}

/// The squares that something lies over where the board stands in this position: over more than half, over the middle
/// of their piece, or painted over in another colour.
pub fn covered(reader: &SquareReader, image: &RgbaImage, scores: &BySquare<SquareScores>, board: &Board) -> Covered {
    let is_covered = |s: &Square| is_covered(&scores[*s], board.piece_at(*s));
    let is_middle_covered = |s: &Square| {
        let piece = board.piece_at(*s);
        piece.is_some_and(|piece| reader.is_middle_covered(image, *s, piece))
    };
    let hidden = Square::ALL.into_iter().filter(is_covered).collect::<Bitboard>();
    let middle = board
        .occupied()
        .into_iter()
        .filter(is_middle_covered)
        .collect::<Bitboard>();
    let shows_itself = |s: &Square| {
        let piece = board.piece_at(*s);
        piece.is_some_and(|piece| {
            let light = match is_attacked_king(board, piece) {
                true => Light::MayGlow,
                false if is_mark(scores, *s) => Light::Marked,
                false => Light::Other,
            };
            reader.shows_itself(image, *s, piece, light)
        })
    };
    let itself: Bitboard = (hidden | middle).into_iter().filter(shows_itself).collect();
    let (painted, over) = (painted_over(scores), (hidden | middle) & !itself);
    let by_lines = |s: &Square| reader.is_under_lines(image, *s, board.piece_at(*s));
    let evenly = |s: &Square| is_clear(&scores[*s]);
    Covered {
        evenly: painted.into_iter().filter(evenly).collect(),
        squares: painted | over,
        by_lines: (over & !painted).into_iter().filter(by_lines).collect(),
    }
}

/// Squares that have a wholly other colour, or one that they share with a square of the other colour: tints let the
/// difference shine through. The two marks of a single step share one too where the page paints them with an opaque
/// colour, or the board has no chequer. What lies over a square hides its piece: where the piece of two such squares is
/// read, their colour lies below it. Without a chequer one thing lies over more than two.
pub fn painted_over(scores: &BySquare<SquareScores>) -> Bitboard {
    let tinted = |s: Square| is_tinted(&scores[s]);
    // Letters may lie over a square's margin: its edge then tells.
    let even = |s: Square| within(scores[s].ring, scores[s].margin, MOSTLY);
    let edges_agree = |s: Square, n: Square| even(s) && even(n) && within(scores[s].ring, scores[n].ring, ONE_COLOR);
    let margins_agree = |s: Square, n: Square| within(scores[s].margin, scores[n].margin, ONE_COLOR);
    let as_beside = |s: Square, n: Square| tinted(n) && (margins_agree(s, n) || edges_agree(s, n));
    // Where something ends or has a text on it, the neighbour's margin is another.
    let one_thing = |s: Square| goes_on(scores, s).any(|color| within(color, scores[s].margin, MOSTLY));
    let covered = |s: &Square| tinted(*s) && (beside(*s).any(|n| as_beside(*s, n)) || one_thing(*s));
    let covered: Bitboard = Square::ALL.into_iter().filter(covered).collect();
    let neighbours = |s: Square| beside(s).filter(|n| covered.contains(*n)).count();
    let is_large = |s: &Square| neighbours(*s) > 1 || beside(*s).any(|n| covered.contains(n) && neighbours(n) > 1);
    let has_chequer = has_chequer(scores);
    // Two squares, on one of which a piece is read, and none on the other: that one may have any even colour.
    let is_step = |s: Square| {
        let pair = beside(s).filter(|n| covered.contains(*n)).chain([s]);
        let read: Vec<Square> = pair.filter(|s| is_read_under_paint(&scores[*s])).collect();
        let shows_piece = |s: &&Square| judge(&scores[**s]).content.is_some();
        let is_even = |s: &Square| !is_painted_over(&scores[*s]) || is_clear(&scores[*s]);
        read.len() == 2 && read.iter().filter(shows_piece).count() == 1 && read.iter().all(is_even)
    };
    let lies_over = |s: &Square| is_large(s) || (has_chequer && !is_step(*s));
    let over_several: Bitboard = covered.into_iter().filter(lies_over).collect();
    // A notice of a square's own colour is seen on the squares around it alone. In its middle a button may lie.
    let amid = |s: &Square| {
        let own = [scores[*s].margin, scores[*s].ring];
        let same = |n: &Square| {
            let its = [scores[*n].margin, scores[*n].ring];
            let agrees = own
                .iter()
                .any(|own| its.iter().any(|its| within(*own, *its, ONE_COLOR)));
            over_several.contains(*n) && agrees
        };
        let read = judge(&scores[*s]);
        let shows_nothing = read.doubtful || read.content.is_none();
        shows_nothing && beside(*s).filter(same).count() >= AMID
    };
    let amid: Bitboard = Square::ALL.into_iter().filter(amid).collect();
    // One square by itself and evenly of another colour bears a strong mark, which may hide its texture.
    let replaced = |s: &Square| is_painted_over(&scores[*s]) && !is_clear(&scores[*s]);
    over_several | amid | Square::ALL.into_iter().filter(replaced).collect::<Bitboard>()
}

/// Whether an empty square has one colour all over, if another one than usual.
fn is_clear(scores: &SquareScores) -> bool {
    scores.cost[EMPTY].min(scores.even.unwrap_or(f32::INFINITY)) <= CLEAR
}

fn is_tinted(scores: &SquareScores) -> bool {
    scores.tint > PAINT
}

/// Whether what tints a square ends with it, but for the other square of a step: as a mark does, and a notice does not.
fn is_mark(scores: &BySquare<SquareScores>, s: Square) -> bool {
    beside(s).filter(|n| is_tinted(&scores[*n])).count() <= 1
}

/// Whether bare light and dark squares have two colours.
fn has_chequer(scores: &BySquare<SquareScores>) -> bool {
    let plain = |dark: bool| -> Option<[i16; 3]> {
        let bare = scores
            .iter()
            .filter(|(s, scores)| s.is_dark() == dark && !is_tinted(scores));
        let margins: Vec<[i16; 3]> = bare.map(|(_, scores)| scores.margin).collect();
        let middle = margins.len().checked_sub(1)? / 2;
        Some(std::array::from_fn(|c| {
            let mut levels: Vec<i16> = margins.iter().map(|margin| margin[c]).collect();
            *levels.select_nth_unstable(middle).1
        }))
    };
    match (plain(false), plain(true)) {
        (Some(light), Some(dark)) => !within(light, dark, ONE_COLOR),
        _ => true,
    }
}

/// The neighbours of the other colour.
fn beside(s: Square) -> impl Iterator<Item = Square> {
    let around = attacks::king_attacks(s).into_iter();
    around.filter(move |n| n.is_dark() != s.is_dark())
}

/// Colours that go on across the edge between a square and one of the other colour: no board has any there.
fn goes_on(scores: &BySquare<SquareScores>, s: Square) -> impl Iterator<Item = [i16; 3]> {
    beside(s).flat_map(move |n| scores[s].edges.shared(&scores[n].edges, s, n))
}

fn within(a: [i16; 3], b: [i16; 3], levels: i16) -> bool {
    (0..3).all(|c| (a[c] - b[c]).abs() <= levels)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::appearance::{Appearance, CONTENTS, index};
    use image::{Rgba, imageops};
    use shakmaty::{Color, Role};
    use torres_geometry::{BoardMap, BoardRect, Orientation};

    const LIGHT: [i16; 3] = [196, 187, 156];
    const DARK: [i16; 3] = [150, 140, 110];
    const MARK: [i16; 3] = [179, 192, 92];

    /// A board of these two colours on which the mark's colour lies over some squares, hiding what is under it.
    fn painted(dark: [i16; 3], marked: &[Square]) -> Bitboard {
        let scores = BySquare::from_fn(|s| {
            let is_marked = marked.contains(&s);
            let margin = match (is_marked, s.is_dark()) {
                (true, _) => MARK,
                (false, true) => dark,
                (false, false) => LIGHT,
            };
            SquareScores {
                margin,
                ring: margin,
                tint: if is_marked { 64 } else { 0 },
                ..SquareScores::default()
            }
        });
        painted_over(&scores)
    }

    #[test]
    fn the_marks_of_a_single_step_cover_nothing_on_a_board_without_a_chequer() {
        let step = [Square::H7, Square::H6];
        assert_eq!(painted(LIGHT, &step), Bitboard::EMPTY);
        // With a chequer, tints of one opacity would differ.
        assert_eq!(painted(DARK, &step), step.into_iter().collect());
    }

    #[test]
    fn opaque_marks_of_a_single_step_cover_nothing_where_their_piece_is_read() {
        let pawn = index(Some(Role::Pawn.of(Color::Black)));
        let painted = |tint: i16, shown: &[(Square, usize)]| {
            let scores = BySquare::from_fn(|s| {
                let is_marked = [Square::D7, Square::D6].contains(&s);
                let margin = match (is_marked, s.is_dark()) {
                    (true, _) => MARK,
                    (false, true) => DARK,
                    (false, false) => LIGHT,
                };
                let mut scores = SquareScores {
                    cost: [0.4; CONTENTS],
                    body: [0.4; CONTENTS],
                    margin,
                    ring: margin,
                    tint: if is_marked { tint } else { 0 },
                    ..SquareScores::default()
                };
                let content = shown
                    .iter()
                    .find(|(at, _)| *at == s)
                    .map_or(EMPTY, |(_, content)| *content);
                (scores.cost[content], scores.body[content]) = (0.0, 0.0);
                scores
            });
            painted_over(&scores)
        };
        let step: Bitboard = [Square::D7, Square::D6].into_iter().collect();
        // A little of a mark, and as much as hides what a square shows.
        for tint in [64, 150] {
            assert_eq!(painted(tint, &[(Square::D6, pawn)]), Bitboard::EMPTY, "{tint}");
            assert_eq!(painted(tint, &[]), step, "{tint}: the pawn is hidden");
            let two = [(Square::D6, pawn), (Square::D7, pawn)];
            assert_eq!(painted(tint, &two), step, "{tint}: no move leads there");
        }
    }

    #[test]
    fn a_notice_over_several_squares_covers_them_on_any_board() {
        let notice = [Square::D4, Square::E4, Square::F4, Square::D5, Square::E5, Square::F5];
        for dark in [LIGHT, DARK] {
            assert_eq!(painted(dark, &notice), notice.into_iter().collect());
        }
    }

    fn picture(name: &str) -> RgbaImage {
        let path = format!("{}/../../tests/data/vision/{name}.png", env!("CARGO_MANIFEST_DIR"));
        image::open(path).unwrap().into_rgba8()
    }

    /// What lies over a board that lies there and stands so in a picture, and was learned from another.
    fn covered_on<'a>(
        learned: (&str, &str),
        (side, orientation): ((f64, f64), Orientation),
        board: &'a str,
    ) -> impl Fn(&RgbaImage) -> Covered + 'a {
        let rect = BoardRect::new(side.0, side.0, side.1, side.1).unwrap();
        let map = BoardMap { rect, orientation };
        let appearance = Appearance::learn(&picture(learned.0), &map, &learned.1.parse().unwrap()).unwrap();
        move |image| {
            let reader = appearance.reader(&map);
            let scores = BySquare::from_fn(|s| reader.scores(image, s));
            covered(&reader, image, &scores, &board.parse().unwrap())
        }
    }

    /// The glow of a check shines through a king of glass. The pointer's target is his square.
    #[test]
    fn a_king_through_whom_a_check_glows_is_not_covered_and_one_under_a_notice_is() {
        let place = ((8.0, 640.0), Orientation::Black);
        let first = ("glow/start", "rnbqkbnr/pppppppp/8/8/8/3P4/PPP1PPPP/RNBQKBNR");
        let over = covered_on(first, place, "r2qk1nr/8/2Q5/1p2N3/pb2P3/3P2Bb/1P3P1P/RN1K3R");
        let mut check = picture("glow/check");
        assert_eq!(over(&check).squares, Bitboard::EMPTY);
        let rect = BoardRect::new(8.0, 8.0, 640.0, 640.0).unwrap();
        let e8 = BoardMap {
            rect,
            orientation: Orientation::Black,
        }
        .square_rect(Square::E8);
        for (width, color) in [(80, [250, 250, 250, 255]), (60, [40, 40, 40, 255])] {
            let notice = RgbaImage::from_pixel(width, width, Rgba(color));
            let at = |start: f64| (start + (80.0 - f64::from(width)) / 2.0) as i64;
            imageops::replace(&mut check, &notice, at(e8.x), at(e8.y));
            assert!(over(&check).squares.contains(Square::E8), "{width} px");
        }
    }

    /// A page shades its board towards the corners, and the pieces on it: in the middle a knight is brighter than at home.
    #[test]
    fn a_piece_in_another_light_is_not_covered_and_one_that_is_veiled_with_its_square_is() {
        let place = ((8.43, 525.14), Orientation::White);
        let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        let over = covered_on(("arrow/white-start", board), place, board);
        let page = picture("arrow/white-start");
        let rect = BoardRect::new(place.0.0, place.0.0, place.0.1, place.0.1).unwrap();
        let orientation = place.1;
        let g1 = BoardMap { rect, orientation }.square_rect(Square::G1);
        let (left, top, side) = (g1.x as u32, g1.y as u32, g1.width as u32);
        let bare = *page.get_pixel(left + 3, top + 3);
        let is_bare = |pixel: Rgba<u8>| (0..3).all(|c| pixel.0[c].abs_diff(bare.0[c]) < 16);
        let darkened = |with_square: bool| {
            let mut page = page.clone();
            for (x, y) in (top..top + side).flat_map(|y| (left..left + side).map(move |x| (x, y))) {
                let pixel = page.get_pixel_mut(x, y);
                if with_square || !is_bare(*pixel) {
                    (0..3).for_each(|c| pixel.0[c] = (f32::from(pixel.0[c]) * 0.8) as u8);
                }
            }
            over(&page).squares
        };
        assert_eq!(darkened(false), Bitboard::EMPTY);
        assert!(darkened(true).contains(Square::G1));
    }

    #[test]
    fn a_notice_of_the_light_squares_colour_covers_them_too() {
        let board = "rnbqkbnr/pppppppp/8/8/5P2/8/PPPPP1PP/RNBQKBNR";
        let over = covered_on(("dot/first", board), ((11.0, 280.0), Orientation::Black), board);
        let mut page = picture("dot/first");
        assert_eq!(over(&page).squares, Bitboard::EMPTY);
        // From the f-file to the c-file and from the fifth rank to the sixth, and a few pixels more.
        let light = *page.get_pixel(11 + 2 * 35 + 17, 11 + 4 * 35 + 17);
        let notice = RgbaImage::from_pixel(4 * 35 + 6, 2 * 35 + 6, light);
        imageops::replace(&mut page, &notice, 11 + 2 * 35 - 3, 11 + 4 * 35 - 3);
        let (files, ranks) = (2..=5, 4..=5);
        let beneath = |s: &Square| files.contains(&u32::from(s.file())) && ranks.contains(&u32::from(s.rank()));
        let expected: Bitboard = Square::ALL.into_iter().filter(beneath).collect();
        assert_eq!(over(&page).squares, expected);
        // Its button lies on one of them, d5.
        let button = RgbaImage::from_pixel(28, 24, Rgba([238, 94, 165, 255]));
        imageops::replace(&mut page, &button, 11 + 4 * 35 + 4, 11 + 4 * 35 + 5);
        assert_eq!(over(&page).squares, expected);
    }

    /// The strokes of a page's arrow meet on the rook that the queen is about to take.
    #[test]
    fn what_lies_under_an_arrow_is_told_from_what_lies_under_a_notice() {
        let place = ((8.43, 525.14), Orientation::White);
        let first = ("arrow/white-start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
        let over = covered_on(first, place, "r1bqkbn1/p1ppp3/1pn2p2/7r/3PP2p/P7/1PP2PPP/RNBQK2R");
        let mut arrow = picture("arrow/white-h5");
        let h5: Bitboard = [Square::H5].into_iter().collect();
        assert_eq!((over(&arrow).squares, over(&arrow).by_lines), (h5, h5));
        let notice = RgbaImage::from_pixel(40, 40, Rgba([200, 40, 40, 255]));
        imageops::replace(&mut arrow, &notice, 480, 215);
        assert!(over(&arrow).squares.contains(Square::H5));
        assert!(!over(&arrow).by_lines.contains(Square::H5));
    }
}
