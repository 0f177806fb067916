//! What marks say where something disturbs them, and before they are known, on scores made by hand.

use super::marks::{Marks, beyond, passing_after_fewer};
use super::odds::Marked;
use crate::appearance::{Appearance, CORNERS, SIDES, SquareScores};
use shakmaty::{Bitboard, Chess, Move, Position, Square};
use torres_chess::parse_move;
use torres_geometry::{BoardMap, BoardRect, BySquare, Orientation};

const PLAIN: [[i16; 3]; 2] = [[240, 217, 181], [181, 136, 99]];
const GREEN: [i16; 3] = [155, 199, 0];
const POINTER: [i16; 3] = [255; 3];

fn bare() -> BySquare<SquareScores> {
    BySquare::from_fn(|s| SquareScores {
        margin: PLAIN[usize::from(s.is_dark())],
        ring: PLAIN[usize::from(s.is_dark())],
        ..SquareScores::default()
    })
}

/// The colour of a square under a green of opacity 0.4.
fn green(square: Square) -> [i16; 3] {
    let plain = PLAIN[usize::from(square.is_dark())];
    std::array::from_fn(|c| plain[c] + (GREEN[c] - plain[c]) * 2 / 5)
}

fn marked(squares: &[Square]) -> BySquare<SquareScores> {
    let mut scores = bare();
    for square in squares {
        (scores[*square].margin, scores[*square].ring) = (green(*square), green(*square));
    }
    scores
}

fn legal(position: &Chess, uci: &str) -> Move {
    parse_move(uci, position).unwrap()
}

/// Marks after these moves, each of which was shown by such scores.
fn after(shown: &[(&str, BySquare<SquareScores>)]) -> (Marks, Chess) {
    let (mut marks, mut position) = (Marks::new(&bare(), PLAIN, 0.0), Chess::default());
    for (uci, scores) in shown {
        let played = legal(&position, uci);
        marks.believe(scores, &played);
        position.play_unchecked(played);
    }
    (marks, position)
}

/// After 1. e4 d6, which taught the marks of light and of dark squares.
fn known() -> (Marks, Chess) {
    after(&[
        ("e2e4", marked(&[Square::E2, Square::E4])),
        ("d7d6", marked(&[Square::D7, Square::D6])),
    ])
}

/// How a move is marked, when all squares without a piece before it are seen to be empty, and its origin.
fn marked_squares(marks: &Marks, scores: &BySquare<SquareScores>, position: &Chess, uci: &str) -> Marked {
    let played = legal(position, uci);
    let goals = beyond(position, &played);
    assert!(!goals.is_empty());
    let free = !position.board().occupied() | Bitboard::from_iter(played.from());
    marks.marked_squares(scores, &[played], goals, free).0
}

#[test]
fn a_move_that_is_marked_after_its_piece_has_landed_counts_as_marked() {
    let (mut marks, position) = after(&[("e2e4", marked(&[Square::E2, Square::E4]))]);
    let all_marked = marks.share_of_moves();
    let old = marked(&[Square::E2, Square::E4]);
    marks.believe(&old, &legal(&position, "g8f6"));
    let (bare, stay) = (marks.share_of_moves(), marks.old_marks_stay());
    assert!(bare < all_marked);
    // Nothing new, something else, and at last the mark.
    marks.look_for_late_marks(&old);
    marks.look_for_late_marks(&marked(&[Square::G8]));
    assert_eq!((marks.share_of_moves(), marks.old_marks_stay()), (bare, stay));
    let late = marked(&[Square::G8, Square::F6]);
    marks.look_for_late_marks(&late);
    assert!(marks.share_of_moves() > all_marked && marks.old_marks_stay() < stay);
    assert!(marks.old_stand(&late), "what has come late is no news any more");
}

#[test]
fn a_pointer_over_the_margin_or_the_ring_leaves_a_mark_what_it_is() {
    let (marks, position) = known();
    let shown = marked(&[Square::F1, Square::C4]);
    assert_eq!(marked_squares(&marks, &shown, &position, "f1c4"), Marked::Both);
    let (mut ring, mut margin) = (shown.clone(), shown);
    ring[Square::C4].ring = POINTER;
    assert_eq!(marked_squares(&marks, &ring, &position, "f1c4"), Marked::Both);
    margin[Square::C4].margin = POINTER;
    assert_eq!(marked_squares(&marks, &margin, &position, "f1c4"), Marked::Both);
    margin[Square::C4].ring = POINTER;
    assert_eq!(marked_squares(&marks, &margin, &position, "f1c4"), Marked::Neither);
}

#[test]
fn a_mark_learned_beside_a_pointer_is_known_without_it() {
    let mut disturbed = marked(&[Square::E2, Square::E4]);
    disturbed[Square::E2].ring = POINTER;
    let dark = marked(&[Square::D7, Square::D6]);
    let (marks, position) = after(&[("e2e4", disturbed), ("d7d6", dark)]);
    let shown = marked(&[Square::F1, Square::C4]);
    assert_eq!(marked_squares(&marks, &shown, &position, "f1c4"), Marked::Both);
}

#[test]
fn what_lies_over_the_edge_of_a_square_farther_on_is_no_mark() {
    let (marks, position) = known();
    let mut shown = marked(&[Square::F1, Square::C4]);
    shown[Square::B5].ring = green(Square::B5);
    assert_eq!(marked_squares(&marks, &shown, &position, "f1c4"), Marked::Both);
    shown[Square::B5].margin = green(Square::B5);
    assert_eq!(marked_squares(&marks, &shown, &position, "f1c4"), Marked::Beyond);
}

/// Page `osprey`, of wood: while c8e6 was on its way over d7 its origin was marked and its shadow darkened d7. The wood's
/// noise let that pass for the page's pale yellow, and c8d7 was believed.
#[test]
fn a_shadow_on_wood_is_no_faint_mark() {
    let yellow = |square: Square| match square.is_dark() {
        true => [56, 50, 4],
        false => [17, 3, -34],
    };
    let shifted = |scores: &mut BySquare<SquareScores>, square: Square, by: [i16; 3]| {
        let plain = PLAIN[usize::from(square.is_dark())];
        let color = std::array::from_fn(|c| plain[c] + by[c]);
        (scores[square].margin, scores[square].ring) = (color, color);
    };
    let shown = |squares: &[Square]| {
        let mut scores = bare();
        squares.iter().for_each(|s| shifted(&mut scores, *s, yellow(*s)));
        scores
    };
    let (mut marks, mut position) = (Marks::new(&bare(), PLAIN, 9.0), Chess::default());
    for (uci, squares) in [("e2e4", [Square::E2, Square::E4]), ("d7d6", [Square::D7, Square::D6])] {
        let played = legal(&position, uci);
        marks.believe(&shown(&squares), &played);
        position.play_unchecked(played);
    }
    let mut passing = shown(&[Square::F1]);
    shifted(&mut passing, Square::E2, [-13, -13, -13]);
    assert_ne!(marked_squares(&marks, &passing, &position, "f1e2"), Marked::Both);
    let mut landed = shown(&[Square::F1]);
    shifted(&mut landed, Square::E2, [8, -8, -24]);
    assert_eq!(
        marked_squares(&marks, &landed, &position, "f1e2"),
        Marked::Both,
        "the wood's noise"
    );
}

/// A page that tints each square by who controls it made eighteen of them look like the ends of moves.
#[test]
fn marks_elsewhere_are_counted_without_the_moves_own_its_goals_and_old_ones() {
    let (marks, position) = known();
    let played = legal(&position, "f1c4");
    let strays_in = |scores: &BySquare<SquareScores>| {
        let goals = beyond(&position, &played);
        marks.marked_squares(scores, &[played], goals, Bitboard::EMPTY).1
    };
    let strays = |squares: &[Square]| strays_in(&marked(squares));
    let own_goal_and_old = [Square::F1, Square::C4, Square::B5, Square::D6];
    assert_eq!(strays(&own_goal_and_old), 0);
    assert_eq!(
        strays(&[own_goal_and_old.as_slice(), &[Square::A3, Square::H5, Square::G6]].concat()),
        3
    );
    let mut frame = marked(&[Square::F1, Square::C4, Square::A3]);
    frame[Square::A3].margin = POINTER;
    assert_eq!(strays_in(&frame), 0, "another mark");
}

/// A large bishop that covered the ring of e3 was read as a mark of the move before, and so the mark of c5e3 as an old
/// one (`unseen-56-073`).
#[test]
fn a_mark_that_comes_to_a_square_whose_edge_was_covered_is_new() {
    let mut covered = marked(&[Square::D7, Square::D6]);
    covered[Square::B5].ring = [90; 3];
    let (marks, position) = after(&[("e2e4", marked(&[Square::E2, Square::E4])), ("d7d6", covered)]);
    let mut shown = marked(&[Square::F1, Square::B5]);
    // The bishop's own foot lies over the edge of the square that it passes.
    shown[Square::C4].ring = [200; 3];
    assert_eq!(marked_squares(&marks, &shown, &position, "f1c4"), Marked::Beyond);
    // What lies there still is no mark, and so is a mark that stood before.
    let mut same = marked(&[Square::F1, Square::C4]);
    same[Square::B5].ring = [90; 3];
    assert_eq!(marked_squares(&marks, &same, &position, "f1c4"), Marked::Both);
    // Evidence of before did not tell how squares were marked.
    let mut text = serde_json::to_value(&marks).unwrap();
    text.as_object_mut().unwrap().remove("shifts_before");
    let read: Marks = serde_json::from_value(text).unwrap();
    assert_ne!(marked_squares(&read, &shown, &position, "f1c4"), Marked::Beyond);
}

/// A letter lay over the ring of the first light origin; each later move between light squares seemed to be dragged
/// (`unseen-55-071`).
#[test]
fn one_origin_that_something_disturbs_does_not_say_how_moves_are_marked() {
    let mut disturbed = marked(&[Square::E2, Square::E3]);
    disturbed[Square::E2].ring = [90; 3];
    let (marks, position) = after(&[
        ("e2e3", disturbed),
        ("d7d6", marked(&[Square::D7, Square::D6])),
        ("g2g3", marked(&[Square::G2, Square::G3])),
    ]);
    let shown = marked(&[Square::C8, Square::F5]);
    assert!(marks.name(&shown, &legal(&position, "c8f5"), false));
    assert!(marks.mark(&shown, &legal(&position, "c8f5")));
}

#[test]
fn a_recapture_is_named_though_its_end_was_marked_before() {
    let (marks, position) = after(&[
        ("e2e4", marked(&[Square::E2, Square::E4])),
        ("b8c6", marked(&[Square::B8, Square::C6])),
        ("h2h3", marked(&[Square::H2, Square::H3])),
        ("d7d5", marked(&[Square::D7, Square::D5])),
    ]);
    let takes = legal(&position, "e4d5");
    assert!(marks.name(&marked(&[Square::E4, Square::D5]), &takes, true));
    // The mark of the move before stands yet: the piece has only been taken up.
    assert!(!marks.name(&marked(&[Square::E4, Square::D5, Square::D7]), &takes, true));
    // The square shows something else than the piece.
    assert!(!marks.name(&marked(&[Square::E4, Square::D5]), &takes, false));
}

#[test]
fn marks_of_one_kind_name_a_move_before_both_colours_are_known() {
    let (marks, position) = after(&[("e2e4", marked(&[Square::E2, Square::E4]))]);
    let played = legal(&position, "b8c6");
    let shown = marked(&[Square::B8, Square::C6]);
    assert!(marks.name(&shown, &played, false));
    let played = legal(&position, "g8f6");
    let mut shown = marked(&[Square::G8, Square::F6]);
    assert!(
        marks.name(&shown, &played, false),
        "a dark square, of which no mark is known"
    );
    // A frame around the square that a piece hovers over is another kind.
    shown[Square::F6].margin = PLAIN[1];
    assert!(!marks.name(&shown, &played, false));
}

/// xboard, 12. Nc7 Qa5: while the queen passes b5 the page marks the knight's move from b5 still.
#[test]
fn a_piece_over_a_square_of_the_move_before_is_not_marked_by_it() {
    let (marks, mut position) = after(&[
        ("e2e4", marked(&[Square::E2, Square::E4])),
        ("d7d6", marked(&[Square::D7, Square::D6])),
        ("f1c4", marked(&[Square::F1, Square::C4])),
        ("c8g4", marked(&[Square::C8, Square::G4])),
    ]);
    let own = legal(&position, "c4e2");
    position.play_unchecked(own);
    let line = [own, legal(&position, "g4e2")];
    let goals = Bitboard::from(Square::D1);
    let free = !position.board().occupied() | Bitboard::from(Square::G4);
    let mut squares = vec![Square::C4, Square::E2];
    assert_eq!(
        marks.marked_squares(&marked(&squares), &line, goals, free).0,
        Marked::Neither
    );
    // Once its origin is marked too, the marks are its own.
    squares.push(Square::G4);
    assert_eq!(
        marks.marked_squares(&marked(&squares), &line, goals, free).0,
        Marked::Both
    );
}

/// xboard frames the squares of a move by a line one pixel wide, which each square shares with the next.
#[test]
fn a_frame_marks_the_square_that_it_is_around_and_not_those_beside_it() {
    const LINE: [i16; 3] = [110, 100, 80];
    const YELLOW: [i16; 3] = [240, 230, 40];
    // Left and upper side lie in the square's own picture, the others in that of the next one.
    let lined = |framed: &[Square]| {
        BySquare::from_fn(|s| {
            let plain = PLAIN[usize::from(s.is_dark())];
            let of = |neighbour: Option<Square>| {
                let is_framed = framed.contains(&s) || neighbour.is_some_and(|n| framed.contains(&n));
                if is_framed { YELLOW } else { LINE }
            };
            let (left, above) = (s.offset(-1), s.offset(8));
            SquareScores {
                margin: plain,
                ring: LINE,
                sides: Some([of(left), plain, of(above), plain]),
                ..SquareScores::default()
            }
        })
    };
    let (mut marks, mut position) = (Marks::new(&lined(&[]), PLAIN, 8.0), Chess::default());
    for (uci, squares) in [("e2e4", [Square::E2, Square::E4]), ("d7d6", [Square::D7, Square::D6])] {
        let played = legal(&position, uci);
        marks.believe(&lined(&squares), &played);
        position.play_unchecked(played);
    }
    // White's pawn could go on from g3; g4 above it has a yellow side, and h3 has one.
    let shown = lined(&[Square::G2, Square::G3]);
    assert_eq!(marked_squares(&marks, &shown, &position, "g2g3"), Marked::Both);
    let passing = lined(&[Square::G2, Square::G4]);
    assert_eq!(marked_squares(&marks, &passing, &position, "g2g3"), Marked::Beyond);
}

/// GNOME Chess: a knight from c2 takes on d4 and is seen over d3, the pawn is gone already. Only c2e1, d4d3, e1d3 leads
/// to that picture.
#[test]
fn a_line_made_up_around_a_piece_on_its_way_knows_where_that_may_be_going() {
    let before = torres_chess::parse_fen("4k3/8/8/8/3p4/8/2N5/4K3 w - - 0 1").unwrap();
    let (mut line, mut position) = (Vec::new(), before.clone());
    for uci in ["c2b4", "d4d3", "b4d3"] {
        let played = legal(&position, uci);
        position.play_unchecked(played);
        line.push(played);
    }
    let goals = passing_after_fewer(&before, &line, position.board());
    assert_eq!(goals, Bitboard::from(Square::D4));
}

/// A page that had laid something light over its whole board, and marked no moves: a queen half-way to f6 was believed
/// on e7 (`tuned-61-012`).
#[test]
fn a_veil_over_the_whole_board_marks_nothing() {
    let veiled = |squares: &[Square]| {
        let mut scores = marked(squares);
        for s in Square::ALL {
            let veiled: [i16; 3] = std::array::from_fn(|c| scores[s].margin[c] + (255 - scores[s].margin[c]) / 4);
            let square = &mut scores[s];
            (square.margin, square.ring, square.sides) = (veiled, veiled, Some([veiled; SIDES]));
        }
        scores
    };
    let unknown = Marks::new(&bare(), PLAIN, 0.0);
    let position = torres_chess::position_after(Chess::default(), &["e2e4", "d7d6"]).unwrap();
    assert_eq!(
        marked_squares(&unknown, &veiled(&[]), &position, "f1c4"),
        Marked::Neither
    );
    let (known, position) = known();
    assert_eq!(marked_squares(&known, &veiled(&[]), &position, "f1c4"), Marked::Neither);
}

#[test]
fn a_goal_that_was_marked_before_is_the_end_of_a_move_whose_origin_is_marked_now() {
    // The knight has just taken on h3, where the queen on c8 takes it: so h3 is marked before, and after.
    let squares = |uci: &str| {
        let [from, to] = [&uci[..2], &uci[2..]].map(|name| name.parse::<Square>().unwrap());
        marked(&[from, to])
    };
    let moves = ["e2e4", "d7d6", "f1c4", "c8h3", "a2a3", "d8c8", "g1h3"];
    let (marks, position) = after(&moves.map(|uci| (uci, squares(uci))));
    let passing = marked(&[Square::C8, Square::H3]);
    assert_eq!(marked_squares(&marks, &passing, &position, "c8d7"), Marked::Beyond);
    // Of the move before, while this one is not marked yet.
    let before = marked(&[Square::G1, Square::H3]);
    assert_eq!(marked_squares(&marks, &before, &position, "c8d7"), Marked::Neither);
    let landed = marked(&[Square::C8, Square::D7]);
    assert_eq!(marked_squares(&marks, &landed, &position, "c8d7"), Marked::Both);
}

#[test]
fn the_frames_of_a_drag_are_no_mark_of_a_move_though_the_margin_looks_like_one() {
    let (marks, position) = after(&[
        ("d2d3", marked(&[Square::D2, Square::D3])),
        ("c7c5", marked(&[Square::C7, Square::C5])),
        ("g1f3", marked(&[Square::G1, Square::F3])),
        ("h7h6", marked(&[Square::H7, Square::H6])),
    ]);
    // chessboardjs draws a frame around the square that a piece was taken from and the one that it is over.
    let mut drag = marked(&[Square::C1, Square::E3, Square::H7, Square::H6]);
    [Square::C1, Square::E3]
        .iter()
        .for_each(|s| drag[*s].ring = [255, 255, 0]);
    assert!(!marks.name(&drag, &legal(&position, "c1e3"), false));
    assert_eq!(marked_squares(&marks, &drag, &position, "c1e3"), Marked::Neither);
    let moved = marked(&[Square::C1, Square::E3]);
    assert_eq!(marked_squares(&marks, &moved, &position, "c1e3"), Marked::Both);
}

/// Squares whose frames these are: how the sides of each look, its corners, and its margin.
fn framed(squares: &[Square], look: impl Fn(Square) -> [[i16; 3]; 3]) -> BySquare<SquareScores> {
    BySquare::from_fn(|s| {
        let plain = PLAIN[usize::from(s.is_dark())];
        let [side, corner, margin] = if squares.contains(&s) { look(s) } else { [plain; 3] };
        SquareScores {
            margin,
            ring: side,
            sides: Some([side; SIDES]),
            corners: Some([corner; CORNERS]),
            ..SquareScores::default()
        }
    })
}

/// Marks after 1. e4 d6, each move's squares framed like this.
fn known_frames(look: impl Fn(Square) -> [[i16; 3]; 3]) -> (Marks, Chess) {
    let (mut marks, mut position) = (Marks::new(&framed(&[], &look), PLAIN, 8.0), Chess::default());
    for (uci, squares) in [("e2e4", [Square::E2, Square::E4]), ("d7d6", [Square::D7, Square::D6])] {
        let played = legal(&position, uci);
        marks.believe(&framed(&squares, &look), &played);
        position.play_unchecked(played);
    }
    (marks, position)
}

/// cm-chessboard draws brackets, whose sides are bare in the middle: a bishop half-way to g4 was believed on e6
/// (`unseen-64-083`).
#[test]
fn brackets_in_the_corners_mark_a_square() {
    let brackets = |s: Square| {
        let plain = PLAIN[usize::from(s.is_dark())];
        [plain, green(s), plain]
    };
    let (marks, position) = known_frames(brackets);
    let passing = framed(&[Square::F1, Square::C4], brackets);
    assert_eq!(marked_squares(&marks, &passing, &position, "f1d3"), Marked::Beyond);
    assert_eq!(marked_squares(&marks, &passing, &position, "f1c4"), Marked::Both);
    // One that a square shares with the next at two corners is not its own.
    let mut beside = framed(&[Square::F1, Square::D3], brackets);
    beside[Square::C4].corners = Some([0, 1, 2, 3].map(|corner| {
        let is_shared = corner < 2;
        if is_shared {
            green(Square::C4)
        } else {
            PLAIN[usize::from(Square::C4.is_dark())]
        }
    }));
    assert_eq!(marked_squares(&marks, &beside, &position, "f1d3"), Marked::Both);
}

/// Where squares begin between two pixels, a frame reaches farther into some: such a move looked like a drag
/// (`tuned-70-098`).
#[test]
fn a_frame_that_reaches_into_the_margin_is_the_mark_that_it_is() {
    let frame = |s: Square| [green(s), green(s), PLAIN[usize::from(s.is_dark())]];
    let thick = |s: Square| [green(s), green(s), green(s)];
    let (marks, position) = known_frames(frame);
    let shown = framed(&[Square::F1, Square::C4], thick);
    assert_eq!(marked_squares(&marks, &shown, &position, "f1c4"), Marked::Both);
}

/// A pawn that had left a7, and one half-way over a6, changed the edges of both squares alike (`unseen-71-055`).
#[test]
fn marks_of_a_kind_that_is_not_known_are_alike_and_no_more() {
    let unknown = Marks::new(&bare(), PLAIN, 0.0);
    let position = torres_chess::position_after(Chess::default(), &["e2e4", "d7d6"]).unwrap();
    let shown = marked(&[Square::F1, Square::C4]);
    assert_eq!(marked_squares(&unknown, &shown, &position, "f1c4"), Marked::Alike);
    let (known, position) = known();
    assert_eq!(marked_squares(&known, &shown, &position, "f1c4"), Marked::Both);
}

/// A pointer that lies over a square beside them changes that one otherwise: the marks point at the move still
/// (`unseen-57-017`).
#[test]
fn marks_point_at_a_move_though_something_lies_over_another_square() {
    let (marks, position) = (Marks::new(&bare(), PLAIN, 0.0), Chess::default());
    let played = legal(&position, "e2e4");
    let mut shown = marked(&[Square::E2, Square::E4]);
    shown[Square::F5].margin = [200, 180, 150];
    assert!(marks.point_at(&shown, &played));
    assert!(!marks.point_at(&marked(&[Square::E2, Square::E4, Square::G6]), &played));
}

/// A dot lies on the bishop's origin, and it passes d3 beside its middle: their squares taken a pixel aside show it
/// better, and the next squares' colour at their edges. Taken for a mark of both squares, a move was believed that was
/// not played.
#[test]
fn a_square_that_is_taken_a_pixel_aside_has_the_edge_of_its_own_place() {
    let picture = |name: &str| {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/vision/dot");
        image::open(format!("{folder}/{name}.png")).unwrap().into_rgba8()
    };
    let map = BoardMap {
        rect: BoardRect::new(11.0, 11.0, 280.0, 280.0).unwrap(),
        orientation: Orientation::Black,
    };
    let start = "rnbqkbnr/pppppppp/8/8/5P2/8/PPPPP1PP/RNBQKBNR".parse().unwrap();
    let appearance = Appearance::learn(&picture("first"), &map, &start).unwrap();
    let reader = appearance.reader(&map);
    let passing = picture("passing");
    let light = reader.scores(&passing, Square::H1).ring;
    for square in [Square::F1, Square::D3] {
        let ring = reader.scores(&passing, square).ring;
        assert!(
            (0..3).all(|c| (ring[c] - light[c]).abs() <= 12),
            "{square}: {ring:?}, {light:?}"
        );
    }
}
