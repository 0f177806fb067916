use super::elsewhere::of_one_size;
use super::order::orders;
use super::*;
use image::imageops::{FilterType, crop_imm, replace, resize};
use image::{Rgba, RgbaImage};
use shakmaty::Color;
use shakmaty::{Chess, Position};
use torres_calibration::Calibration;
use torres_geometry::Orientation;
use torres_geometry::{BoardRect, FramePx};
use torres_vision::Appearance;
use torres_vision::appearance::FoundPiece;

/// A frame that shows an open dialog, and the pawn that it is for.
type DialogFrame = (u32, (Square, Color));

/// A recorded game whose frames show an open dialog.
struct Recorded {
    name: &'static str,
    map: BoardMap,
    appearance: Appearance,
}

impl Recorded {
    fn new(name: &'static str, side: f64, orientation: Orientation) -> Recorded {
        let rect = BoardRect::new(14.0, 10.0, side, side).unwrap();
        let map = BoardMap { rect, orientation };
        let start = Recorded::picture(name, 0);
        let appearance = Appearance::learn(&start, &map, Chess::default().board()).unwrap();
        Recorded { name, map, appearance }
    }

    fn picture(name: &str, frame: u32) -> RgbaImage {
        let path = format!(
            "{}/../../fixtures/{name}/frames/{frame:04}.png",
            env!("CARGO_MANIFEST_DIR")
        );
        image::open(path).unwrap().into_rgba8()
    }

    /// What the picture offers, where there was the start position before.
    fn offer(&self, now: &RgbaImage, pawn: (Square, Color)) -> Option<Offer> {
        let before = Recorded::picture(self.name, 0);
        offer((&before, &self.map), (now, &self.map), pawn, &self.appearance)
    }

    fn offer_elsewhere(&self, now: &RgbaImage, pawn: (Square, Color)) -> Option<Offer> {
        self.offer_elsewhere_by(&self.appearance, now, pawn)
    }

    fn offer_elsewhere_by(&self, look: &Appearance, now: &RgbaImage, pawn: (Square, Color)) -> Option<Offer> {
        let before = Recorded::picture(self.name, 0);
        offer_elsewhere((&before, &self.map), (now, &self.map), pawn.1, look)
    }

    fn chessground(&self, pawn: (Square, Color)) -> Offer {
        Offer::chessground(pawn.0, &self.map)
    }

    /// The closed board with the dialog's squares about these points on the board, in squares from its upper left
    /// corner.
    fn moved(&self, open: &RgbaImage, promotion: Square, places: [(f64, f64); 4]) -> RgbaImage {
        self.moved_onto(Recorded::picture(self.name, 0), open, promotion, places)
    }

    /// The same on another picture of that board.
    fn moved_onto(
        &self,
        mut changed: RgbaImage,
        open: &RgbaImage,
        promotion: Square,
        places: [(f64, f64); 4],
    ) -> RgbaImage {
        let side = self.map.rect.width() / 8.0;
        let size = side.round() as u32;
        for (steps, (x, y)) in places.into_iter().enumerate() {
            let from = self.map.square_rect(square_at(promotion, steps).unwrap());
            let (left, top) = (from.x.round() as u32, from.y.round() as u32);
            let cut = crop_imm(open, left, top, from.width.round() as u32, from.height.round() as u32);
            let cut = resize(&*cut, size, size, FilterType::Triangle);
            let corner = |at: f64, origin: f64| (origin + at * side - f64::from(size) / 2.0).round() as i64;
            let (to_x, to_y) = (corner(x, self.map.rect.x()), corner(y, self.map.rect.y()));
            replace(&mut changed, &cut, to_x, to_y);
        }
        changed
    }

    /// The picture with the dialog's squares in another order.
    fn reordered(&self, now: &RgbaImage, promotion: Square, order: [usize; 4]) -> RgbaImage {
        let mut changed = now.clone();
        for (to, from) in order.into_iter().enumerate() {
            let rect = |steps| self.map.square_rect(square_at(promotion, steps).unwrap());
            let (from, to) = (rect(from), rect(to));
            let (x, y) = (from.x.round() as u32, from.y.round() as u32);
            let cut = crop_imm(now, x, y, from.width.round() as u32, from.height.round() as u32).to_image();
            replace(&mut changed, &cut, to.x.round() as i64, to.y.round() as i64);
        }
        changed
    }
}

/// A board in a window that is twice as wide.
fn in_a_wide_window(board: &RgbaImage) -> RgbaImage {
    let mut window = RgbaImage::from_pixel(2 * board.width(), board.height(), Rgba([70, 80, 90, 255]));
    replace(&mut window, board, 0, 0);
    window
}

/// Discs with smaller pieces and a white column; the pointer on one, a pawn behind others; both ways round.
fn recorded() -> [(Recorded, Vec<DialogFrame>); 2] {
    let (white, black) = ((Square::C8, Color::White), (Square::D1, Color::Black));
    [
        (
            Recorded::new("promotion-dialogs", 256.0, Orientation::White),
            vec![(9, white), (10, white), (18, black), (19, black)],
        ),
        (
            Recorded::new("promotion-dialogs-black", 260.0, Orientation::Black),
            vec![(9, white), (17, black)],
        ),
    ]
}

#[test]
fn the_pieces_tell_in_which_order_they_are_offered() {
    for (recorded, frames) in recorded() {
        for (frame, pawn) in frames {
            let now = Recorded::picture(recorded.name, frame);
            assert_eq!(
                recorded.offer(&now, pawn),
                Some(recorded.chessground(pawn)),
                "{} {frame}",
                recorded.name
            );
            for order in orders() {
                let expected = Offer::column(pawn.0, order.map(|role| ROLES[role]), &recorded.map);
                let changed = recorded.reordered(&now, pawn.0, order);
                assert_eq!(
                    recorded.offer(&changed, pawn),
                    Some(expected),
                    "{} {frame}",
                    recorded.name
                );
            }
        }
    }
}

#[test]
fn a_dialog_that_is_not_open_or_cannot_be_read_offers_nothing() {
    let (recorded, frames) = &recorded()[0];
    let (frame, pawn) = frames[0];
    let (closed, open) = (
        Recorded::picture(recorded.name, 0),
        Recorded::picture(recorded.name, frame),
    );
    assert_eq!(recorded.offer(&closed, pawn), None);
    assert_eq!(
        recorded.offer(&open, (Square::F8, Color::White)),
        None,
        "it is over another file"
    );
    // One piece four times is no offer.
    assert_eq!(
        recorded.offer(&recorded.reordered(&open, pawn.0, [1, 1, 1, 1]), pawn),
        None
    );
}

#[test]
fn a_dialog_that_leaves_one_of_its_squares_as_it_was_is_not_open_yet() {
    for (recorded, frames) in recorded() {
        let closed = Recorded::picture(recorded.name, 0);
        for (frame, pawn) in frames {
            let open = Recorded::picture(recorded.name, frame);
            for steps in 0..4 {
                let mut partly = open.clone();
                let rect = recorded.map.square_rect(square_at(pawn.0, steps).unwrap());
                let (x, y) = (rect.x.round() as u32, rect.y.round() as u32);
                let cut = crop_imm(&closed, x, y, rect.width.round() as u32, rect.height.round() as u32).to_image();
                replace(&mut partly, &cut, i64::from(x), i64::from(y));
                assert_eq!(recorded.offer(&partly, pawn), None, "{} {frame} {steps}", recorded.name);
            }
        }
    }
}

#[test]
fn pieces_never_seen_are_taken_to_be_in_chessgrounds_order_unless_others_speak_against_it() {
    let (recorded, frames) = &recorded()[0];
    let (frame, pawn) = frames[0];
    let now = Recorded::picture(recorded.name, frame);
    // Learned where White has but king and pawns, and where it has a queen too.
    let learned = |pieces: &str| {
        let board: shakmaty::Board = pieces.parse().unwrap();
        let start = Recorded::picture(recorded.name, 0);
        let mut changed = start.clone();
        for square in Square::ALL
            .into_iter()
            .filter(|square| board.piece_at(*square).is_none())
        {
            let bare = if square.is_dark() { Square::A3 } else { Square::B3 };
            let (to, from) = (recorded.map.square_rect(square), recorded.map.square_rect(bare));
            let (x, y) = (from.x.round() as u32, from.y.round() as u32);
            let cut = crop_imm(&start, x, y, from.width.round() as u32, from.height.round() as u32).to_image();
            replace(&mut changed, &cut, to.x.round() as i64, to.y.round() as i64);
        }
        Recorded {
            name: recorded.name,
            map: recorded.map,
            appearance: Appearance::learn(&changed, &recorded.map, &board).unwrap(),
        }
    };
    let pawns = learned("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3");
    let queens = learned("4k3/pppppppp/8/8/8/8/PPPPPPPP/3QK3");
    assert_eq!(pawns.offer(&now, pawn), Some(recorded.chessground(pawn)));
    assert_eq!(queens.offer(&now, pawn), Some(recorded.chessground(pawn)));
    let queen_last = recorded.reordered(&now, pawn.0, [3, 1, 2, 0]);
    assert_eq!(
        queens.offer(&queen_last, pawn),
        None,
        "the queen is not first: what are the others?"
    );
}

#[test]
fn the_dialog_grows_from_the_promotion_square_inwards() {
    let rect = BoardRect::new(0.0, 0.0, 512.0, 512.0).unwrap();
    let orientation = Orientation::White;
    let map = BoardMap { rect, orientation };
    let order = [Role::Bishop, Role::Rook, Role::Queen, Role::Knight];
    let place = |promotion, role| Offer::column(promotion, order, &map).place(role);
    for (promotion, role, over) in [
        (Square::B8, Role::Bishop, Square::B8),
        (Square::B8, Role::Knight, Square::B5),
        (Square::H1, Role::Queen, Square::H3),
    ] {
        let offered = place(promotion, role).unwrap();
        assert_eq!((offered.at, offered.over), (map.middle(over), Some(over)));
    }
    assert_eq!(place(Square::H1, Role::King), None);
}

#[test]
fn pieces_offered_beside_the_file_in_a_row_in_a_ring_or_in_the_middle_are_found() {
    let column = [(3.0, 0.5), (3.0, 1.5), (3.0, 2.5), (3.0, 3.5)];
    let row = [(2.0, 4.0), (3.0, 4.0), (4.0, 4.0), (5.0, 4.0)];
    let ring = [(3.0, 3.0), (4.2, 3.0), (3.0, 4.2), (4.2, 4.2)];
    // The first ones are discs with pieces of four fifths the size, on squares of 32 pixels; the others are white,
    // on white squares.
    for (recorded, frames) in recorded() {
        let (frame, pawn) = frames[0];
        let open = Recorded::picture(recorded.name, frame);
        for places in [column, row, ring] {
            let now = recorded.moved(&open, pawn.0, places);
            let found = recorded.offer_elsewhere(&now, pawn);
            let found = found.unwrap_or_else(|| panic!("{}: {places:?}", recorded.name));
            for (role, (x, y)) in ROLES.into_iter().zip(places) {
                let place = found.place(role).unwrap().at;
                let off = (f64::from(place.x) / 64.0 - x).hypot(f64::from(place.y) / 64.0 - y);
                assert!(
                    off < 0.15,
                    "{}: {role:?} is {off} squares away, {places:?}",
                    recorded.name
                );
            }
        }
    }
}

/// As a page shows it that lays a shade over all but its dialog.
#[test]
fn pieces_of_the_board_that_a_dialog_shades_are_not_offered() {
    let row = [(2.0, 4.0), (3.0, 4.0), (4.0, 4.0), (5.0, 4.0)];
    for (recorded, frames) in recorded() {
        let (frame, pawn) = frames[0];
        let open = Recorded::picture(recorded.name, frame);
        for (left, over) in [(0.5, 0.0), (0.4, 12.0), (0.7, 60.0)] {
            let mut beneath = Recorded::picture(recorded.name, 0);
            for pixel in beneath.pixels_mut() {
                for channel in &mut pixel.0[..3] {
                    *channel = (f32::from(*channel) * left + over).round() as u8;
                }
            }
            let now = recorded.moved_onto(beneath, &open, pawn.0, row);
            let found = recorded.offer_elsewhere(&now, pawn);
            let found = found.unwrap_or_else(|| panic!("{}: {left} and {over}", recorded.name));
            for (role, (x, y)) in ROLES.into_iter().zip(row) {
                let place = found.place(role).unwrap().at;
                let off = (f64::from(place.x) / 64.0 - x).hypot(f64::from(place.y) / 64.0 - y);
                assert!(off < 0.15, "{}: {role:?} is {off} squares away", recorded.name);
            }
        }
    }
}

/// What a page offered over a recorded board, which lies there and showed this before: the squares beneath. The board
/// was learned as its calibration says, where it has one, or else from that picture.
fn offered(pictures: &str, lies: (f64, f64, Orientation), board: (&str, Color)) -> [Option<Square>; 4] {
    offered_as(Appearance::clone, pictures, lies, board)
}

/// The same by pieces that look otherwise than they were learned.
fn offered_as(
    seen: fn(&Appearance) -> Appearance,
    pictures: &str,
    (at, side, orientation): (f64, f64, Orientation),
    (board, color): (&str, Color),
) -> [Option<Square>; 4] {
    let file = |name: &str| {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/vision");
        format!("{folder}/{pictures}{name}")
    };
    let picture = |name: &str| image::open(file(name)).unwrap().into_rgba8();
    let (before, open) = (picture("before.png"), picture("open.png"));
    let map = BoardMap {
        rect: BoardRect::new(at, at, side, side).unwrap(),
        orientation,
    };
    let learned = Calibration::load(file("calibration.json").as_ref()).map(|calibration| calibration.appearance);
    let learned = learned.or_else(|_| Appearance::learn(&before, &map, &board.parse().unwrap()));
    let appearance = seen(&learned.unwrap());
    let found = offer_elsewhere((&before, &map), (&open, &map), color, &appearance).expect("an offer");
    ROLES.map(|role| found.place(role).and_then(|offered| offered.over))
}

/// Page `birch`: pieces of thin lines change a square by 0.09 (L1), in a column beside the board.
#[test]
fn pieces_of_thin_lines_are_found_beside_the_board() {
    let picture = |name: &str| {
        let folder = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../tests/data/vision/dialog-of-thin-pieces"
        );
        image::open(format!("{folder}/{name}.png")).unwrap().into_rgba8()
    };
    let (before, open) = (picture("before"), picture("open"));
    let map = BoardMap {
        rect: BoardRect::new(14.0, 14.0, 592.0, 592.0).unwrap(),
        orientation: Orientation::White,
    };
    let board = "rnbq1b2/ppppk2p/4p2n/7Q/8/8/PPPP1PPP/RNB1KBNR".parse().unwrap();
    let appearance = Appearance::learn(&before, &map, &board).unwrap();
    let offer = offer_elsewhere((&before, &map), (&open, &map), Color::White, &appearance).expect("an offer");
    for (row, role) in [Role::Queen, Role::Knight, Role::Rook, Role::Bishop]
        .into_iter()
        .enumerate()
    {
        let at = offer.place(role).expect("a place").at;
        let (x, y) = (9 * 64, 32 + 66 * row as i32);
        assert!((at.x - x).abs() <= 16 && (at.y - y).abs() <= 16, "{role:?} {at:?}");
    }
}

/// As react-chess-game shows it: a column at the other end of the file, the board shaded by a tenth.
#[test]
fn pieces_in_a_column_over_a_faintly_shaded_board_are_found() {
    let board = ("r4rk1/5ppp/2n1p3/1pp4P/1pP3n1/P2Pq3/2Q2bp1/R2K3R", Color::Black);
    let over = offered("dialog-over-a-shade/", (33.3, 540.0, Orientation::Black), board);
    assert_eq!(over, [Square::H5, Square::H7, Square::H6, Square::H8].map(Some));
}

/// Costs as on a page with black pieces in a white box, at 1, 0.75, 0.65 and 0.6 of the board's size (tuned-35-4 of
/// `make soak-looks`): drawn smaller, all four fit best into the queen.
#[test]
fn pieces_that_fit_into_a_larger_one_when_drawn_smaller_are_found_in_their_size() {
    let find = |role, side: f64| {
        let nth = ROLES.iter().position(|offered| *offered == role)?;
        let (x, costs) = match side {
            62.0 => ([186.0, 247.0, 308.0, 370.0], [0.105, 0.058, 0.063, 0.103]),
            46.5 => ([186.0, 186.0, 186.0, 187.0], [0.081, 0.075, 0.082, 0.141]),
            40.3 => ([185.0, 185.0, 188.0, 249.0], [0.069, 0.072, 0.078, 0.139]),
            _ => ([185.0, 186.0, 184.0, 186.0], [0.072, 0.067, 0.081, 0.135]),
        };
        Some(FoundPiece {
            center: FramePx { x: x[nth], y: 280.0 },
            cost: costs[nth],
        })
    };
    let placed = of_one_size(&[62.0, 46.5, 40.3, 37.2], &find)[0];
    assert_eq!(
        placed.map(|(piece, side)| (piece.center.x, side)),
        [186.0, 247.0, 308.0, 370.0].map(|x| (x, 62.0))
    );
}

/// Outlines are half a cell wide: on squares of 40 px the queen fits nowhere but within a pixel of her place.
#[test]
fn pieces_with_fine_outlines_are_found() {
    let board = ("r1bq1bnr/1Pp2kpp/3ppp2/pB6/4P3/4BN2/PPP2PPP/RN1QK2R", Color::White);
    let over = offered("dialog-box/outlined-", (20.0, 320.0, Orientation::White), board);
    assert_eq!(over, [Square::C4, Square::D4, Square::E4, Square::F4].map(Some));
}

/// A queen that was seen on wooden squares of one colour only, between the points of whose crown a white box shows
/// (unseen-42-5 of `make soak-looks`).
#[test]
fn a_crown_between_whose_points_another_ground_shows_is_found() {
    let board = ("2bqkbn1/P2p2pr/2p1pp2/p6p/3PPB2/1QPB1N2/1P3PPP/R3K2R", Color::White);
    let over = offered("dialog-box/crown-", (27.99, 463.97, Orientation::White), board);
    assert_eq!(over, [Square::C4, Square::D4, Square::E4, Square::F4].map(Some));
}

/// As chessboard-vue shows it: a row of buttons over a board that has faded, whose white lets it through.
#[test]
fn pieces_that_are_drawn_half_transparent_are_found() {
    let board = ("3k4/P4pp1/3b3B/3Ppq1p/8/2N2N2/1P3PPP/R4RK1", Color::White);
    let lies = (32.43, 533.14, Orientation::White);
    let over = offered_as(through_veil, "dialog-box/veil-", lies, board);
    assert_eq!(over, [Square::B4, Square::F4, Square::C4, Square::E4].map(Some));
}

/// A ring of pieces at two thirds of the board's size, next to the pawn: the black queen fits into the pawn better.
#[test]
fn pieces_beside_the_pawn_that_waits_on_its_square_are_found() {
    let board = ("rnbqkbnr/2pppppp/8/3P4/6P1/1p3N2/PpP1PP1P/R2QKB1R", Color::Black);
    let over = offered("dialog-box/ring-", (8.01, 767.98, Orientation::Black), board);
    assert_eq!(over, [Square::B1, Square::C2, Square::A2, Square::B3].map(Some));
}

/// A sheet that slides in below the board, which it shades, lets its shadow fall on the last rank: that offers a queen,
/// a rook, a bishop and a knight, too.
#[test]
fn pieces_at_home_on_which_a_dialogs_shadow_falls_are_not_offered() {
    let picture = |name: &str| {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/vision/dialog-box");
        image::open(format!("{folder}/sheet-{name}.png")).unwrap().into_rgba8()
    };
    let map = BoardMap {
        rect: BoardRect::new(21.0, 20.4, 536.0, 534.3).unwrap(),
        orientation: Orientation::Black,
    };
    let first = "rnbqkbnr/pppppppp/8/8/8/4P3/PPPP1PPP/RNBQKBNR".parse().unwrap();
    let appearance = Appearance::learn(&picture("first"), &map, &first).unwrap();
    let (before, open) = (picture("before"), picture("open"));
    for look in [through_veil(&appearance), appearance] {
        let offer = offer_elsewhere((&before, &map), (&open, &map), Color::Black, &look);
        assert!(offer.is_none(), "{offer:?}");
    }
}

#[test]
fn a_piece_that_is_found_beside_the_row_of_the_others_is_not_offered() {
    let (recorded, frames) = &recorded()[0];
    let (frame, pawn) = frames[0];
    let open = Recorded::picture(recorded.name, frame);
    let now = recorded.moved(&open, pawn.0, [(1.5, 4.0), (3.0, 4.0), (4.5, 2.5), (6.0, 4.0)]);
    let found = recorded.offer_elsewhere(&now, pawn).expect("an offer");
    let offered = ROLES.map(|role| found.place(role).is_some());
    assert_eq!(offered, [true, true, false, true]);
}

#[test]
fn pieces_of_a_dialog_that_reaches_beyond_the_board_or_lies_beside_it_are_found() {
    let (recorded, frames) = &recorded()[0];
    let (frame, pawn) = frames[0];
    let open = Recorded::picture(recorded.name, frame);
    let board = Recorded::picture(recorded.name, 0);
    let before = in_a_wide_window(&board);
    for column in [6.5, 10.0] {
        let row = [0.0, 1.0, 2.0, 3.0].map(|step| (column + step, 4.0));
        let now = recorded.moved_onto(before.clone(), &open, pawn.0, row);
        let (before, now) = ((&before, &recorded.map), (&now, &recorded.map));
        let found = offer_elsewhere(before, now, pawn.1, &recorded.appearance).expect("an offer");
        for (role, (x, y)) in ROLES.into_iter().zip(row) {
            let offered = found.place(role).expect("a place");
            let at = recorded.map.frame_point(offered.at);
            let side = recorded.map.rect.width() / 8.0;
            let (dx, dy) = (
                at.x - recorded.map.rect.x() - x * side,
                at.y - recorded.map.rect.y() - y * side,
            );
            assert!(dx.abs() < 3.0 && dy.abs() < 3.0, "{role:?}: {dx} {dy}");
            assert_eq!(offered.over.is_some(), x < 8.0);
        }
    }
}

/// A dialog that lies on the board alone was searched for there before.
#[test]
fn a_dialog_is_looked_for_beside_the_board_only_where_something_has_changed_there() {
    let (recorded, frames) = &recorded()[0];
    let (frame, pawn) = frames[0];
    let open = Recorded::picture(recorded.name, frame);
    let board = Recorded::picture(recorded.name, 0);
    let before = in_a_wide_window(&board);
    for (column, is_beside) in [(2.0, false), (6.5, true), (10.0, true)] {
        let row = [0.0, 1.0, 2.0, 3.0].map(|step| (column + step, 4.0));
        let now = recorded.moved_onto(before.clone(), &open, pawn.0, row);
        let (before, now) = ((&before, &recorded.map), (&now, &recorded.map));
        let anywhere = offer_elsewhere(before, now, pawn.1, &recorded.appearance);
        assert!(anywhere.is_some(), "{column}");
        let beside = offer_beside(before, now, pawn.1, &recorded.appearance);
        assert_eq!(beside, anywhere.filter(|_| is_beside), "{column}");
    }
}

#[test]
fn three_pieces_or_one_twice_are_no_offer_elsewhere() {
    let (recorded, frames) = &recorded()[0];
    let (frame, pawn) = frames[0];
    let open = Recorded::picture(recorded.name, frame);
    let row = [(2.0, 4.0), (3.0, 4.0), (4.0, 4.0), (5.0, 4.0)];
    let three = recorded.moved(&open, pawn.0, [row[0], row[1], row[2], row[0]]);
    assert_eq!(
        recorded.offer_elsewhere(&three, pawn),
        None,
        "the bishop lies over the queen"
    );
    let twice = recorded.moved(&recorded.reordered(&open, pawn.0, [0, 1, 2, 1]), pawn.0, row);
    assert_eq!(
        recorded.offer_elsewhere(&twice, pawn),
        None,
        "two knights and no bishop"
    );
    let closed = Recorded::picture(recorded.name, 0);
    assert_eq!(recorded.offer_elsewhere(&closed, pawn), None, "no dialog is open");
    let veiled = through_veil(&recorded.appearance);
    for (now, what) in [(&three, "three"), (&twice, "one twice"), (&closed, "none")] {
        assert_eq!(
            recorded.offer_elsewhere_by(&veiled, now, pawn),
            None,
            "{what}, through a veil"
        );
    }
}
