//! Looks on which boards were not found or pieces not read: programs' own, and drawn ones that show one difficulty
//! each.

use crate::drawn::{Rgb, WHITE, page, rectangle, rgba};
use crate::scene::{data, frame, picture, position, scene, seen};
use image::{RgbaImage, imageops};
use shakmaty::uci::UciMove;
use shakmaty::{Board, Color, Move, Position, Role, Square};
use torres::calibration::Calibration;
use torres::geometry::{BoardMap, BoardRect, Orientation};
use torres::vision::locate::{find_again, still_there};
use torres::vision::{Appearance, OwnSide, Tracker, locate};

const MIDDLE_GAME: &str = "r1bq1rk1/pp2ppbp/2np1np1/8/3NP3/2N1BP2/PPPQ2PP/R3KB1R";

fn placement(text: &str) -> Board {
    Board::from_ascii_board_fen(text.as_bytes()).unwrap()
}

/// The best board of a picture, White at the bottom.
fn found(image: &RgbaImage, what: &str) -> BoardMap {
    let found = locate(image);
    let best = found.first().unwrap_or_else(|| panic!("{what}: no board"));
    BoardMap {
        rect: best.rect,
        orientation: Orientation::White,
    }
}

/// Asserts that every square is read, for certain and right.
fn assert_reads(appearance: &Appearance, image: &RgbaImage, map: &BoardMap, truth: &Board, what: &str) {
    let reading = appearance.read(image, map);
    assert_eq!(reading.doubtful(), Vec::<Square>::new(), "{what}");
    assert_eq!(reading.board(), *truth, "{what}");
}

#[test]
fn a_king_learned_on_one_square_colour_is_read_on_the_other_where_gaps_lie_between_the_squares() {
    let start = picture("programs/knights-start.png");
    let appearance = Appearance::learn(&start, &found(&start, "start"), &Board::default()).unwrap();
    // The king was on dark squares until now.
    let later = picture("programs/knights-king-on-g2.png");
    let truth = placement("r4kr1/p4p1p/2p1pp2/3p2n1/8/1PP1PP1P/P4PK1/RN3R2");
    assert_reads(&appearance, &later, &found(&later, "later"), &truth, "g2");
    // And with the grounds from a file.
    let text = serde_json::to_string(&appearance).unwrap();
    let again: Appearance = serde_json::from_str(&text).unwrap();
    assert_reads(&again, &later, &found(&later, "later"), &truth, "from a file");
}

/// What PyChess shows after Black's pawn became a queen on a light square, where none was seen before, and White
/// answered; `entered` is Black's move, if Torres made it, `chosen` whether Torres chose the piece.
fn promoted_in_pychess(entered: &str, chosen: bool) -> Option<Vec<String>> {
    let start = position("8/6p1/7p/2kb3P/2P3PK/3n4/5p2/8 b - - 0 44");
    let entered: Move = entered.parse::<UciMove>().unwrap().to_move(&start).unwrap();
    let calibration = Calibration::load(&data().join("programs/pychess.json")).unwrap();
    let map = BoardMap {
        rect: BoardRect::new(19.0, 18.86, 312.14, 312.17).unwrap(),
        orientation: Orientation::Black,
    };
    let mut tracker = Tracker::new(calibration.appearance, map);
    tracker.expect_own(Some(OwnSide {
        color: Color::Black,
        entered: Some(entered),
        chosen,
    }));
    let image = picture("programs/pychess-queen-chosen.png");
    let looks = [0.0, 200.0, 1500.0];
    looks
        .iter()
        .find_map(|ms| seen(&tracker.step(&frame(&image, *ms), &start)))
}

/// The white queen was seen on light marble only; on a dark square she looks more like a rook.
#[test]
fn a_promoted_piece_that_was_never_seen_on_such_a_square_is_the_one_that_was_chosen() {
    let start = position("1n3qn1/2Pp2p1/bp2k3/5p1Q/5P2/N7/P1P4P/R1B1K1NR w KQ - 0 16");
    let calibration = Calibration::load(&data().join("marble/calibration.json")).unwrap();
    let map = BoardMap {
        rect: BoardRect::new(37.08, 37.06, 613.91, 613.92).unwrap(),
        orientation: Orientation::White,
    };
    let mut tracker = Tracker::new(calibration.appearance, map);
    tracker.expect_own(Some(OwnSide {
        color: Color::White,
        entered: Some("c7b8q".parse::<UciMove>().unwrap().to_move(&start).unwrap()),
        chosen: true,
    }));
    let image = picture("marble/queen-on-b8.png");
    let played = [0.0, 200.0, 1500.0]
        .iter()
        .find_map(|ms| seen(&tracker.step(&frame(&image, *ms), &start)));
    assert_eq!(played, Some(vec!["c7b8q".to_owned()]));
}

#[test]
fn a_promoted_piece_that_is_not_read_for_certain_is_the_one_that_was_chosen() {
    let played = ["f2f1q", "c4d5"].map(str::to_owned).to_vec();
    assert_eq!(promoted_in_pychess("f2f1q", true), Some(played));
    assert_eq!(promoted_in_pychess("f2f1q", false), None, "it may be a knight");
    // The queen is nearest, and a rook was chosen.
    assert_eq!(promoted_in_pychess("f2f1r", true), None);
}

#[test]
fn strongly_grained_squares_with_black_lines_at_the_edge_of_a_window_are_found_and_read() {
    let window = picture("programs/eboard-wood.png");
    let map = found(&window, "wood");
    // From the middle of the first line to that of the last.
    let truth = BoardRect::new(1.5, 14.5, 456.0, 456.0).unwrap();
    assert!(map.rect.distance(&truth) <= 1.0, "{:?}", map.rect);
    assert_eq!(locate(&window)[0].orientation, Some(Orientation::White));
    let appearance = Appearance::learn(&window, &map, &Board::default()).unwrap();
    assert!(
        appearance.noise() < 3.0,
        "the grain is no noise: {}",
        appearance.noise()
    );
    assert_reads(&appearance, &window, &map, &Board::default(), "wood");
}

#[test]
fn lines_on_a_page_of_the_same_colour_are_a_board() {
    let page = picture("lines-on-a-white-page.png");
    let map = found(&page, "page");
    // Between the middles of the outermost lines.
    let truth = BoardRect::new(98.0, 98.0, 496.0, 496.0).unwrap();
    assert!(map.rect.distance(&truth) <= 1.0, "{:?}", map.rect);
    assert_eq!(locate(&page)[0].orientation, Some(Orientation::White));
    let appearance = Appearance::learn(&page, &map, &Board::default()).unwrap();
    assert_reads(&appearance, &page, &map, &Board::default(), "page");
    let moved = imageops::crop_imm(&page, 31, 7, 800, 700).to_image();
    let again = still_there(&moved, &map.rect.translated(-31.0, -7.0));
    assert_eq!(again, Some(map.rect.translated(-31.0, -7.0)));
}

#[test]
fn squares_that_do_not_touch_are_found_one_by_one() {
    let boards = [
        ("discs.png", [60.0, 60.0, 480.0, 480.0]),
        ("wide-gaps.png", [65.0, 65.0, 480.0, 480.0]),
    ];
    for (name, [x, y, width, height]) in boards {
        let page = picture(name);
        let map = found(&page, name);
        let truth = BoardRect::new(x, y, width, height).unwrap();
        assert!(map.rect.distance(&truth) <= 1.0, "{name}: {:?}", map.rect);
        assert_eq!(locate(&page)[0].orientation, Some(Orientation::White), "{name}");
        let appearance = Appearance::learn(&page, &map, &Board::default()).unwrap();
        assert_reads(&appearance, &page, &map, &Board::default(), name);
        assert_eq!(still_there(&page, &map.rect), Some(map.rect), "{name}");
    }
}

/// Pieces that fill their tiles leave none of them whole: the four bare rows between the armies tell.
#[test]
fn tiles_that_their_pieces_fill_are_found_as_a_game_begins() {
    let mut page = RgbaImage::from_pixel(700, 700, rgba([74, 127, 192]));
    let tile = |color: Rgb| RgbaImage::from_pixel(70, 70, rgba(color));
    let piece = |page: &mut RgbaImage, x: f64, y: f64, is_black: bool| {
        let (body, face) = match is_black {
            true => ([40, 40, 50], [90, 90, 100]),
            false => ([225, 210, 200], [60, 50, 40]),
        };
        rectangle(page, [x, y + 6.0, 70.0, 64.0], body);
        rectangle(page, [x + 22.0, y + 26.0, 26.0, 22.0], face);
    };
    for (row, column) in (0..8).flat_map(|row| (0..8).map(move |column| (row, column))) {
        let (x, y) = (40 + 75 * column, 50 + 75 * row);
        let ground = [[254, 240, 195], [133, 206, 169]][(row + column) as usize % 2];
        imageops::replace(&mut page, &tile(ground), x, y);
        if !(2..6).contains(&row) {
            piece(&mut page, x as f64, y as f64, row < 2);
        }
    }
    let boards = locate(&page);
    let truth = BoardRect::new(37.5, 47.5, 600.0, 600.0).unwrap();
    assert!(boards[0].rect.distance(&truth) <= 1.0, "{boards:?}");
    // The first move is made.
    piece(&mut page, 265.0, 275.0, true);
    imageops::replace(&mut page, &tile([133, 206, 169]), 265, 125);
    assert!(locate(&page)[0].rect.distance(&truth) <= 1.0);
    // In the middle of a game they are not.
    piece(&mut page, 340.0, 275.0, true);
    assert_eq!(locate(&page), []);
    assert_eq!(still_there(&page, &truth), Some(truth), "a known one stays");
    let moved = imageops::crop_imm(&page, 1, 1, 690, 690).to_image();
    assert_eq!(still_there(&moved, &truth), Some(truth.translated(-1.0, -1.0)));
}

/// Discs reach across most of their squares, as the squares of a finer checker pattern would.
#[test]
fn a_board_with_wide_discs_for_pieces_is_found() {
    let page = picture("wide-discs.png");
    let map = found(&page, "discs");
    let truth = BoardRect::new(15.0, 20.0, 480.0, 480.0).unwrap();
    assert!(map.rect.distance(&truth) <= 1.0, "{:?}", map.rect);
    let appearance = Appearance::learn(&page, &map, &Board::default()).unwrap();
    assert_reads(&appearance, &page, &map, &Board::default(), "discs");
}

/// Its chequer shows a small board, and its pieces show it once more.
#[test]
fn a_board_is_found_once() {
    assert_eq!(locate(&picture("found-twice.png")).len(), 1);
}

/// A page shows the last move as an arrow whose strokes meet on the piece that was moved.
#[test]
fn a_piece_under_the_arrow_that_led_to_it_is_read() {
    let map = BoardMap {
        rect: BoardRect::new(8.43, 8.43, 525.14, 525.14).unwrap(),
        orientation: Orientation::Black,
    };
    let first = position("rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq - 0 1");
    let appearance = Appearance::learn(&picture("arrow/black-start.png"), &map, first.board()).unwrap();
    let before = position("rnbqkbnr/p2ppppp/1p6/2p5/2P1P3/8/PP1P1PPP/RNBQKBNR w KQkq - 0 3");
    let mut tracker = Tracker::new(appearance, map);
    tracker.expect_own(Some(OwnSide {
        color: Color::Black,
        entered: None,
        chosen: false,
    }));
    let image = picture("arrow/black-e2.png");
    let looks = [0.0, 200.0, 1500.0];
    let mut played = looks.iter().map(|ms| seen(&tracker.step(&frame(&image, *ms), &before)));
    assert!(played.any(|line| line == Some(vec!["f1e2".to_owned()])));
}

/// Half the width of a piece at its foot, its middle and its top, and its height, in squares.
fn profile(role: Role) -> [f64; 4] {
    match role {
        Role::Pawn => [0.22, 0.10, 0.12, 0.45],
        Role::Knight => [0.25, 0.30, 0.05, 0.62],
        Role::Bishop => [0.30, 0.12, 0.02, 0.66],
        Role::Rook => [0.30, 0.20, 0.30, 0.58],
        Role::Queen => [0.25, 0.15, 0.40, 0.72],
        Role::King => [0.25, 0.35, 0.06, 0.78],
    }
}

/// Whether a piece covers a point of its square, in squares from the upper left corner.
fn covers(role: Role, x: f64, y: f64) -> bool {
    let [foot, middle, top, height] = profile(role);
    let up = (0.9 - y) / height * 2.0;
    let half = match up {
        0.0..1.0 => foot + (middle - foot) * up,
        1.0..=2.0 => middle + (top - middle) * (up - 1.0),
        _ => return false,
    };
    (x - 0.5).abs() <= half
}

/// How a board of flat pieces is drawn.
struct Flat {
    light: Rgb,
    dark: Rgb,
    black: Rgb,
    /// Whether there are lines of ink between the squares.
    inked: bool,
    /// How far they reach to each side, in pixels.
    half_a_stroke: f64,
    /// By how many pixels these wander.
    wander: f64,
    /// How far outside of the squares the frame is drawn, in pixels.
    frame: f64,
}

const CORNER: f64 = 50.0;
const INK: Rgb = [70, 50, 40];
const HALF_A_STROKE: f64 = 1.5;

impl Flat {
    fn plain(light: Rgb, dark: Rgb, black: Rgb) -> Flat {
        Flat {
            light,
            dark,
            black,
            inked: false,
            half_a_stroke: HALF_A_STROKE,
            wander: 0.0,
            frame: 0.0,
        }
    }

    /// How far a line is from where it should be, some way along it.
    fn off(&self, line: i32, along: f64) -> f64 {
        let k = f64::from(line);
        let hand = (along * 0.011 + 2.4 * k).sin() + 0.6 * (along * 0.083 + 1.7 * k).sin();
        let out = match line {
            0 => -self.frame,
            8 => self.frame,
            _ => 0.0,
        };
        self.wander * hand * 0.62 + out
    }

    /// Which square a point along one axis is on, or the ink between two.
    fn line(&self, at: f64, along: f64, square: f64) -> Option<i32> {
        let nearest = (at / square).round() as i32;
        let from = at - f64::from(nearest) * square - self.off(nearest, along);
        if self.inked && (0..=8).contains(&nearest) && from.abs() < self.half_a_stroke {
            return None;
        }
        Some(if from < 0.0 { nearest - 1 } else { nearest })
    }

    fn color(&self, board: &Board, x: f64, y: f64, square: f64, background: Rgb) -> Rgb {
        let side = 8.0 * square;
        let near = -6.0..side + 6.0;
        if !near.contains(&x) || !near.contains(&y) {
            return background;
        }
        let (Some(column), Some(row)) = (self.line(x, y, square), self.line(y, x, square)) else {
            return INK;
        };
        if !(0..8).contains(&column) || !(0..8).contains(&row) {
            return background;
        }
        let (fx, fy) = ((x / square).floor(), (y / square).floor());
        if (0.0..8.0).contains(&fx) && (0.0..8.0).contains(&fy) {
            let standing = Square::new((7 - fy as u32) * 8 + fx as u32);
            let piece = board.piece_at(standing);
            if let Some(piece) = piece.filter(|p| covers(p.role, x / square - fx, y / square - fy)) {
                return piece.color.fold_wb([240; 3], self.black);
            }
        }
        if (column + row) % 2 == 0 { self.light } else { self.dark }
    }

    /// The board on a page, and where its squares lie; edges are smoothed by nine samples a pixel.
    fn draw(&self, board: &Board, square: f64) -> (RgbaImage, BoardRect) {
        let background = [250, 248, 240];
        let side = (8.0 * square + 2.0 * CORNER) as u32;
        let mut image = page(side, side, background);
        for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (x, y))) {
            let mut sum = [0u32; 3];
            for k in 0..9u32 {
                let at = |pixel: u32, part: u32| f64::from(pixel) + (f64::from(part) + 0.5) / 3.0 - CORNER;
                let color = self.color(board, at(x, k % 3), at(y, k / 3), square, background);
                (0..3).for_each(|c| sum[c] += u32::from(color[c]));
            }
            image.put_pixel(x, y, rgba(sum.map(|s| (s / 9) as u8)));
        }
        let rect = BoardRect::new(CORNER, CORNER, 8.0 * square, 8.0 * square).unwrap();
        (image, rect)
    }
}

#[test]
fn flat_black_pieces_that_hardly_stand_out_from_dark_squares_are_learned_and_read() {
    for (what, style) in [
        ("20 levels", Flat::plain([200; 3], [60; 3], [40; 3])),
        ("15 levels", Flat::plain([150; 3], [50; 3], [35; 3])),
        (
            "14 levels of blue",
            Flat::plain([120, 140, 160], [48, 52, 60], [38, 40, 46]),
        ),
        ("10 levels", Flat::plain([120, 140, 160], [48, 52, 60], [38, 42, 50])),
    ] {
        let (start, _) = style.draw(&Board::default(), 60.0);
        let map = found(&start, what);
        let appearance = Appearance::learn(&start, &map, &Board::default()).unwrap_or_else(|e| panic!("{what}: {e}"));
        let (later, _) = style.draw(&placement(MIDDLE_GAME), 60.0);
        assert_reads(&appearance, &later, &map, &placement(MIDDLE_GAME), what);
    }
}

#[test]
fn a_frame_drawn_beside_wandering_squares_is_not_taken_for_their_border() {
    for (wander, frame) in [(2.0, 0.0), (2.0, 3.0), (3.0, 3.0), (4.0, 3.0)] {
        let style = Flat {
            inked: true,
            wander,
            frame,
            ..Flat::plain([250, 235, 210], [170, 120, 90], [40, 25, 25])
        };
        let what = format!("{wander} px, a frame {frame} px away");
        let (start, truth) = style.draw(&Board::default(), 70.0);
        let map = found(&start, &what);
        let wider = (map.rect.width() - truth.width()).max(map.rect.height() - truth.height());
        assert!(wider.abs() <= 3.0, "{what}: {wider} px wider");
        assert!(map.rect.distance(&truth) <= 2.5, "{what}: {:?}", map.rect);
        let appearance = Appearance::learn(&start, &map, &Board::default()).unwrap_or_else(|e| panic!("{what}: {e}"));
        let (later, _) = style.draw(&placement(MIDDLE_GAME), 70.0);
        assert_reads(&appearance, &later, &map, &placement(MIDDLE_GAME), &what);
    }
}

#[test]
fn a_board_of_one_colour_is_found_by_its_lines_and_pieces_and_stays_found() {
    // Lines are as wide as on a screen of twice as many pixels, at last.
    for (inked, square, half_a_stroke) in [
        (false, 60.0, HALF_A_STROKE),
        (true, 60.0, HALF_A_STROKE),
        (true, 43.0, HALF_A_STROKE),
        (false, 91.0, HALF_A_STROKE),
        (true, 190.0, 5.5),
    ] {
        let style = Flat {
            inked,
            half_a_stroke,
            ..Flat::plain([196, 178, 148], [196, 178, 148], [40, 25, 25])
        };
        let what = format!("{square} px, lines: {inked}");
        let (start, truth) = style.draw(&Board::default(), square);
        let map = found(&start, &what);
        assert!(map.rect.distance(&truth) <= 1.0, "{what}: {:?}", map.rect);
        assert_eq!(locate(&start)[0].orientation, Some(Orientation::White), "{what}");
        let appearance = Appearance::learn(&start, &map, &Board::default()).unwrap_or_else(|e| panic!("{what}: {e}"));
        let middle_game = placement(MIDDLE_GAME);
        let (later, _) = style.draw(&middle_game, square);
        assert_reads(&appearance, &later, &map, &middle_game, &what);
        // Two kings tell nobody that they stand on a board, but where one was they say that it is there.
        let (end, _) = style.draw(&placement("8/8/4k3/8/8/2K5/8/8"), square);
        assert_eq!(locate(&end), vec![], "{what}");
        assert_eq!(still_there(&end, &map.rect), Some(map.rect), "{what}");
        assert_eq!(find_again(&page(700, 700, WHITE), &map.rect), None, "{what}");
    }
}

#[test]
fn a_calendar_and_a_panel_of_icons_are_no_boards() {
    let ground = [230, 226, 215];
    let mut image = page(700, 620, WHITE);
    rectangle(&mut image, [60.0, 50.0, 480.0, 480.0], ground);
    let none = |image: &RgbaImage, what: &str| assert_eq!(locate(image), vec![], "{what}");
    none(&image, "an empty panel");
    // The same sign in many of its places, as in a calendar.
    for k in (0..31).map(f64::from) {
        let (column, row) = (k % 8.0, (k / 8.0).floor());
        rectangle(
            &mut image,
            [80.0 + 60.0 * column, 70.0 + 60.0 * row, 20.0, 20.0],
            [60; 3],
        );
    }
    none(&image, "one sign");
    // Lines of text across the places.
    for (k, row) in (0..40).flat_map(|k| [(k, 300.0), (k, 330.0), (k, 372.0)]) {
        let at = 70.0 + 11.5 * f64::from(k);
        rectangle(&mut image, [at, row, 5.0 + f64::from(k % 3), 12.0], [30; 3]);
    }
    none(&image, "signs and text");
}

#[test]
fn a_piece_under_a_strong_colour_is_no_empty_square() {
    // react-chessboard lays its blue over both pieces of a castling that was dragged.
    const BLUE: [f64; 3] = [20.0, 85.0, 200.0];
    let shots = scene("game");
    let shot = &shots[0];
    let appearance = Appearance::learn(&shot.image, &shot.map, shot.position.board()).unwrap();
    let over = |opacity: f64, square: Square| {
        let mut image = shot.image.clone();
        let r = shot.map.square_rect(square);
        for (x, y) in (0..r.height as u32).flat_map(|y| (0..r.width as u32).map(move |x| (x, y))) {
            let pixel = image.get_pixel_mut(r.x as u32 + x, r.y as u32 + y);
            for (level, blue) in pixel.0.iter_mut().zip(BLUE) {
                *level = (f64::from(*level) * (1.0 - opacity) + blue * opacity).round() as u8;
            }
        }
        appearance.read(&image, &shot.map).squares[square]
    };
    for (square, piece) in shot.position.board().iter() {
        for opacity in [0.8, 0.85] {
            let read = over(opacity, square);
            assert!(read.doubtful || read.content == Some(piece), "{square}: {read:?}");
        }
    }
    for square in !shot.position.board().occupied() {
        let read = over(0.85, square);
        assert!(read.content.is_none(), "{square}: {read:?}");
    }
}

#[test]
fn characters_whose_lines_fill_no_cell_are_learned_and_read() {
    let start = picture("characters/start.png");
    let appearance = Appearance::learn(&start, &found(&start, "start"), &Board::default()).unwrap();
    let mate = picture("characters/mate.png");
    let black_below = BoardMap {
        orientation: Orientation::Black,
        ..found(&mate, "mate")
    };
    let truth = placement("rn2r1k1/1p3p1p/2pb1np1/3p1Q2/P2P4/2P2PP1/P3q2P/RNB1K2R");
    assert_reads(&appearance, &mate, &black_below, &truth, "mate");
    // Without the knight its square is empty, whatever is stated.
    let mut none = start.clone();
    let map = found(&start, "start");
    for (at, bare) in [(Square::B1, Square::B3), (Square::G1, Square::G3)] {
        let (from, to) = (map.square_rect(bare), map.square_rect(at));
        let (width, height) = (from.width as u32, from.height as u32);
        let square = imageops::crop_imm(&start, from.x as u32, from.y as u32, width, height).to_image();
        imageops::replace(&mut none, &square, to.x as i64, to.y as i64);
    }
    assert!(Appearance::learn(&none, &map, &Board::default()).is_err());
}

#[test]
fn pieces_on_grain_whose_two_colours_are_no_farther_apart_than_its_shades_are_read_on_a_mark() {
    let start = picture("faint-grain/start.png");
    let appearance = Appearance::learn(&start, &found(&start, "start"), &Board::default()).unwrap();
    let later = picture("faint-grain/bishop-on-blue.png");
    let truth = placement("rq2k1n1/1p2ppB1/p1npb1pp/2p5/2P5/1PN1P3/P2PBPPP/R2QK1NR");
    assert_reads(&appearance, &later, &found(&later, "later"), &truth, "a bishop on blue");
}

#[test]
fn a_piece_that_lies_half_a_pixel_beside_its_place_is_read_on_a_mark() {
    let at = |image: &RgbaImage, what| BoardMap {
        orientation: Orientation::Black,
        ..found(image, what)
    };
    let start = picture("half-a-pixel/start.png");
    let appearance = Appearance::learn(&start, &at(&start, "start"), &Board::default()).unwrap();
    let later = picture("half-a-pixel/bishop-on-green.png");
    let truth = placement("rnbqkbnr/5p2/p1pP2p1/1p6/1P1P2p1/P6P/3N4/1RBQKbNR");
    assert_reads(&appearance, &later, &at(&later, "later"), &truth, "a bishop on green");
}

/// The hatching lies otherwise on each square. By its deviation alone the king, who stands on one, was not seen.
#[test]
fn a_king_on_the_hatched_squares_of_a_newspaper_is_learned_and_read_on_a_white_one() {
    let start = picture("newspaper/start.png");
    let map = found(&start, "start");
    let appearance = Appearance::learn(&start, &map, &Board::default()).unwrap();
    assert_reads(&appearance, &start, &map, &Board::default(), "start");
    let later = picture("newspaper/king-on-white.png");
    let truth = placement("rnbk2Q1/p1ppb3/1p6/4q1B1/8/8/PPP3PP/RN1K3R");
    assert_reads(&appearance, &later, &found(&later, "later"), &truth, "later");
    // A file keeps the noise of each colour.
    let text = serde_json::to_string(&appearance).unwrap();
    let again: Appearance = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_string(&again).unwrap(), text);
}

/// The picture of a square by its column and row, on a board that begins there with squares of so many pixels.
fn square(board: &RgbaImage, (left, top): (u32, u32), side: u32, (file, row): (u32, u32)) -> RgbaImage {
    imageops::crop_imm(board, left + side * file, top + side * row, side, side).to_image()
}

/// The start position's picture after e4: with the bare square c4 on e2, and the pawn of c2 on e4.
fn after_e4(start: &RgbaImage, (left, top): (u32, u32), side: u32) -> RgbaImage {
    let mut moved = start.clone();
    for (from, row) in [((2, 4), 6), ((2, 6), 4)] {
        let picture = square(start, (left, top), side, from);
        let at = |origin: u32, nth: u32| i64::from(origin + side * nth);
        imageops::replace(&mut moved, &picture, at(left, 4), at(top, row));
    }
    moved
}

/// Page `nimbus`: squares with round corners, gaps and soft shades, which are darker on their upper left. The shades put the
/// board seven pixels aside, and it was lost in the first game.
#[test]
fn tiles_with_round_corners_and_shades_are_found_by_their_edges() {
    let start = picture("soft-tiles.png");
    let map = found(&start, "start");
    // Tiles of 62 px with gaps of 5 px, the first from 43, 42.
    let drawn = BoardRect::new(40.5, 39.5, 536.0, 536.0).unwrap();
    assert!(map.rect.distance(&drawn) < 1.0, "{:?}", map.rect);
    assert!(still_there(&start, &map.rect).is_some_and(|rect| rect.distance(&map.rect) < 1.0));
    let aside = start.width() - 4;
    let moved = imageops::crop_imm(&start, 4, 3, aside, start.height() - 3).to_image();
    let again = find_again(&moved, &map.rect).unwrap();
    assert!(again.distance(&map.rect.translated(-4.0, -3.0)) < 1.0, "{again:?}");
    let appearance = Appearance::learn(&start, &map, &Board::default()).unwrap();
    let played = after_e4(&start, (40, 39), 67);
    let truth = placement("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR");
    assert_reads(&appearance, &played, &found(&played, "e4"), &truth, "e4");
}

/// All squares have pictures in them; rows of pawns tell that it is a board, though one may have moved.
#[test]
fn a_board_of_painted_tiles_is_found_by_its_pawns() {
    let start = picture("porcelain/start.png");
    let map = found(&start, "start");
    let drawn = BoardRect::new(28.0, 28.0, 720.0, 720.0).unwrap();
    assert!(map.rect.distance(&drawn) < 1.0, "{:?}", map.rect);
    Appearance::learn(&start, &map, &Board::default()).unwrap();
    let square = |file: u32, row: u32| square(&start, (28, 28), 90, (file, row));
    let moved = after_e4(&start, (28, 28), 90);
    assert!(found(&moved, "e4").rect.distance(&drawn) < 1.0);
    // Without the pawns it is a table of pictures.
    let mut table = start.clone();
    for file in 0..8 {
        imageops::replace(
            &mut table,
            &square(file, 5 - 2 * (file % 2)),
            28 + 90 * i64::from(file),
            28 + 90,
        );
    }
    assert_eq!(locate(&table), Vec::new());
}
