//! What lies over the squares that are to be clicked.

use crate::scene::{data, frame, picture, position, scene};
use image::{Rgba, RgbaImage, imageops};
use shakmaty::{Bitboard, Position, Square};
use std::path::{Path, PathBuf};
use torres::calibration::Calibration;
use torres::fixture::Fixture;
use torres::geometry::{BoardMap, BoardRect, Orientation};
use torres::vision::{Appearance, Tracker};

/// Which squares something lies over in a picture of that folder, on the practice site's board.
fn covered(file: &str, orientation: Orientation, fen: &str) -> Bitboard {
    covered_on("calibration.json", file, orientation, fen)
}

fn covered_on(calibration: &str, file: &str, orientation: Orientation, fen: &str) -> Bitboard {
    let rect = BoardRect::new(36.0, 36.0, 600.0, 600.0).unwrap();
    covered_at(calibration, file, BoardMap { rect, orientation }, fen)
}

fn covered_at(calibration: &str, file: &str, map: BoardMap, fen: &str) -> Bitboard {
    covered_in(&picture(&format!("covered/{file}")), calibration, map, fen)
}

fn covered_in(image: &RgbaImage, calibration: &str, map: BoardMap, fen: &str) -> Bitboard {
    let calibration = Calibration::load(&data().join("covered").join(calibration)).unwrap();
    let position = position(fen);
    let mut tracker = Tracker::new(calibration.appearance, map);
    let frame = frame(image, 0.0);
    tracker.step(&frame, &position);
    let covered = tracker.covered(&frame, position.board());
    assert_eq!(covered.by_lines, Bitboard::EMPTY, "notices lie over them");
    covered.squares
}

/// A page fills the squares to which the selected pawn may go, light and dark ones with one colour.
#[test]
fn squares_that_are_filled_with_one_colour_are_told_from_those_under_a_notice_with_words() {
    let shots = scene("game");
    let (shot, map, position) = (&shots[0], shots[0].map, &shots[0].position);
    let appearance = Appearance::learn(&shot.image, &map, position.board()).unwrap();
    let covered = |image: &RgbaImage| {
        let mut tracker = Tracker::new(appearance.clone(), map);
        let frame = frame(image, 0.0);
        tracker.step(&frame, position);
        tracker.covered(&frame, position.board())
    };
    let targets = squares("c3 c4");
    let mut filled = shot.image.clone();
    for square in targets {
        let r = map.square_rect(square);
        let mark = RgbaImage::from_pixel(r.width as u32, r.height as u32, Rgba([185, 190, 198, 255]));
        imageops::replace(&mut filled, &mark, r.x.round() as i64, r.y.round() as i64);
    }
    let seen = covered(&filled);
    assert_eq!((seen.squares, seen.evenly), (targets, targets));
    // Words over both.
    let mut worded = filled.clone();
    for square in targets {
        let r = map.square_rect(square);
        for (x, y) in (0..30)
            .flat_map(|x| (0..9).map(move |y| (x, y)))
            .filter(|(x, _)| x % 6 < 3)
        {
            worded.put_pixel(r.x as u32 + 6 + x, r.y as u32 + 10 + y, Rgba([20, 20, 20, 255]));
        }
    }
    let seen = covered(&worded);
    assert_eq!((seen.squares, seen.evenly), (targets, Bitboard::EMPTY));
}

/// A piece that was seen on one ground only has that ground in it: on a marked square its lines alone are its own.
#[test]
fn a_hollow_piece_on_a_marked_square_may_be_clicked_and_not_what_lies_over_a_part_of_it() {
    let map = BoardMap {
        rect: BoardRect::new(26.0, 26.0, 432.0, 432.0).unwrap(),
        orientation: Orientation::Black,
    };
    let fen = "r1bqkb1r/ppp2ppp/2n2n2/4p3/4P1Q1/P2P3N/2P2PPP/q1B1KB1R b Kkq - 1 9";
    let shown = picture("covered/hollow-queen.png");
    assert_eq!(covered_in(&shown, "hollow-queen.json", map, fen), Bitboard::EMPTY);
    let square = map.square_rect(Square::G4);
    let notice = RgbaImage::from_pixel(50, 34, Rgba([250, 250, 250, 255]));
    let mut under = shown.clone();
    imageops::replace(&mut under, &notice, square.x as i64 + 2, square.y as i64 + 18);
    assert!(covered_in(&under, "hollow-queen.json", map, fen).contains(Square::G4));
}

#[test]
fn a_notice_over_a_square_is_known_though_the_position_stands() {
    let fen = "r2q1rk1/pp3ppp/5n2/2p1b3/P7/3bP2P/2QP1PP1/R1B1K1R1 w - - 0 1";
    let covered = covered("frame.png", Orientation::Black, fen);
    // What a person sees under the notice: parts of five files and three ranks.
    let under = squares("c3 d3 e3 f3 g3 c4 d4 e4 f4 g4 c5 d5 e5 f5 g5");
    // The piece to be moved is half hidden, and where it goes there seems to be an empty square.
    for square in [Square::D3, Square::E4, Square::D4, Square::E5] {
        assert!(covered.contains(square), "{square} of {covered:?}");
    }
    assert!((covered & !under).is_empty(), "{covered:?}");
}

#[test]
fn a_notice_that_ends_in_the_middle_of_a_piece_and_has_about_the_colour_of_a_square_is_known() {
    let fen = "rn1qk1nr/pp2bppp/4b3/8/3P4/2N2N2/PP3PPP/R1BQKB1R w KQkq - 0 9";
    let covered = covered("half-a-pawn.png", Orientation::White, fen);
    let under = squares("b4 c4 d4 e4 f4 b5 c5 d5 e5 f5 b6 c6 d6 e6 f6");
    for square in [Square::D4, Square::D5, Square::C5, Square::E5, Square::E6] {
        assert!(covered.contains(square), "{square} of {covered:?}");
    }
    assert!((covered & !under).is_empty(), "{covered:?}");
}

#[test]
fn a_notice_that_just_reaches_the_middle_of_a_square_is_known_for_the_click_goes_there() {
    // Less than half of the bishop on f5 is hidden, and the notice has the colour of the light squares.
    let fen = "r2qk2r/1pp2pp1/2nbpn1p/p2p1b2/3P4/2P2NPP/PP1NPP2/R1BQ1RKB b kq - 1 9";
    let covered = covered_on("green.json", "half-a-bishop.png", Orientation::Black, fen);
    let under = squares("b3 c3 d3 e3 f3 g3 b4 c4 d4 e4 f4 g4 b5 c5 d5 e5 f5 g5");
    for square in [Square::F5, Square::D5, Square::F3, Square::D4] {
        assert!(covered.contains(square), "{square} of {covered:?}");
    }
    assert!((covered & !under).is_empty(), "{covered:?}");
}

/// PyChess keeps a square white from which a piece was taken, grain and all. The queen's way back led there, and Torres
/// paused.
#[test]
fn a_square_of_a_grained_board_that_is_evenly_lit_is_not_covered() {
    let map = BoardMap {
        rect: BoardRect::new(18.86, 18.93, 312.16, 312.2).unwrap(),
        orientation: Orientation::White,
    };
    let fen = "r1bqk3/1pp4N/8/p1n1p1Qp/2B3n1/2N5/PP3PPP/R4RK1 w - - 1 23";
    let covered = covered_at("pychess.json", "lit-square.png", map, fen);
    assert_eq!(covered, Bitboard::EMPTY);
}

/// A queen that was seen on a white square only, white herself: what is between the points of her crown is a guess, and on
/// a green square she looked half hidden. She is learned there in the first frame that shows her.
#[test]
fn a_queen_that_was_seen_on_a_square_of_her_own_colour_only_is_not_covered_on_the_other() {
    let map = white_below(24.285_706, 388.571_441_650_390_6);
    let fen = "r1bq4/3p2QB/nppkp3/p2n3p/3P4/5N2/PPP2PPP/R1BQ1RK1 w - - 3 17";
    let mut image = picture("covered/white-queen-on-green.png");
    assert_eq!(
        covered_in(&image, "white-queen-on-green.json", map, fen),
        Bitboard::EMPTY
    );
    // A notice over her is not learned with her.
    let g7 = map.square_rect(Square::G7);
    let notice = RgbaImage::from_pixel(48, 24, Rgba([250, 250, 250, 255]));
    image::imageops::replace(&mut image, &notice, g7.x as i64, g7.y as i64 + 16);
    assert_eq!(covered_in(&image, "white-queen-on-green.json", map, fen), squares("g7"));
}

/// This page draws the queen on h5 from a pixel farther down to where the square ends.
#[test]
fn a_piece_whose_upper_edge_alone_is_a_pixel_away_is_not_covered() {
    let map = white_below(20.002_928, 318.495_605_468_75);
    let fen = "rnbqkbnr/2ppp2p/1p3pp1/p6Q/2BPP3/P1N5/1PP2PPP/R1B1K1NR w KQkq - 0 7";
    let covered = covered_at("queen-a-pixel-lower.json", "queen-a-pixel-lower.png", map, fen);
    assert_eq!(covered, Bitboard::EMPTY);
}

/// A board with so much to its left and above it, and sides so long, in pixels.
fn white_below(margin: f64, side: f64) -> BoardMap {
    BoardMap {
        rect: BoardRect::new(margin, margin, side, side).unwrap(),
        orientation: Orientation::White,
    }
}

fn squares(names: &str) -> Bitboard {
    let names = names.split_whitespace();
    names.map(|name| name.parse::<Square>().unwrap()).collect()
}

/// Frames of which truth says that nothing covers a quarter of a square, while a big pointer lies over these.
const POINTERS: [(&str, &str, &str); 6] = [
    ("arrows-and-a-big-cursor", "0003", "f5 f6"),
    ("arrows-and-a-big-cursor", "0004", "f6"),
    ("arrows-and-a-big-cursor", "0016", "b6 c6"),
    ("arrows-and-a-big-cursor", "0022", "d5"),
    ("dragged-by-hand", "0026", "d1"),
    ("promotion-dialogs", "0017", "f3"),
];

/// The recorded games with truth, of many widgets, boards, pieces and marks.
fn fixtures() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["fixtures", "tests/data/replay"].map(|folder| std::fs::read_dir(root.join(folder)).unwrap());
    let entries = folders.into_iter().flatten().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> = entries.filter(|path| path.join("fixture.json").is_file()).collect();
    found.sort();
    found
}

#[test]
fn nothing_is_said_to_lie_over_squares_that_are_bare() {
    let mut looked = 0;
    let mut wrong = Vec::new();
    for folder in fixtures() {
        let fixture = Fixture::read(&folder).unwrap();
        let mut tracker: Option<Tracker> = None;
        for shot in &fixture.shots {
            let Some(truth) = &shot.truth else { continue };
            let (true, Some(position), Some(rect)) = (truth.stable, &truth.position, truth.board) else {
                continue;
            };
            let image = image::open(&shot.path).unwrap().into_rgba8();
            let map = BoardMap {
                rect,
                orientation: fixture.bottom,
            };
            if tracker.is_none() && truth.occluded.is_empty() {
                let appearance = fixture.appearance.clone();
                let appearance = appearance.or_else(|| Appearance::learn(&image, &map, position.board()).ok());
                tracker = appearance.map(|appearance| Tracker::new(appearance, map));
            }
            let Some(tracker) = tracker.as_mut().filter(|tracker| *tracker.map() == map) else {
                continue;
            };
            let frame = frame(&image, shot.t_ms);
            tracker.step(&frame, position);
            let covered = tracker.covered(&frame, position.board()).squares;
            let pointed = POINTERS
                .iter()
                .filter(|(game, file, _)| folder.ends_with(game) && shot.path.file_stem().unwrap() == *file);
            let pointed: Bitboard = pointed.flat_map(|(_, _, under)| squares(under)).collect();
            let over = pointed | Bitboard::from_iter(truth.occluded.iter().copied());
            looked += 64 - over.count();
            if !(covered & !over).is_empty() {
                wrong.push(format!("{} {}: {:?}", folder.display(), shot.file, covered & !over));
            }
        }
    }
    assert!(looked > 20_000, "{looked} squares");
    assert!(wrong.is_empty(), "{} of {looked}:\n{}", wrong.len(), wrong.join("\n"));
}
