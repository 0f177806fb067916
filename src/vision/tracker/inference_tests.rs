//! What is inferred from boards of which some squares are covered, on scores made by hand.

use super::explain::{Explanation, ScoredBoard};
use super::motion::Motions;
use super::past::{Past, RecallKind};
use super::places::Places;
use super::stood::Stood;
use super::{ExplainedLine, Marks, OwnSide, belief_delay, examine, flight, pending};
use crate::appearance::glowing::{SIDE, map};
use crate::appearance::{Appearance, CONTENTS, EMPTY, Motion, SquareScores, index};
use crate::histogram::Histogram;
use image::{Rgba, RgbaImage};
use shakmaty::{Bitboard, Board, Chess, Color, File, Move, Piece, Position, Rank, Role, Square};
use std::time::Duration;
use torres_chess::{parse_fen, parse_move, position_after, same_position, uci, uci_line};
use torres_frame::Timestamp;
use torres_geometry::BySquare;

fn position(fen: &str) -> Chess {
    parse_fen(fen).unwrap()
}

fn played(from: &Chess, moves: &[&str]) -> Chess {
    position_after(from.clone(), moves).unwrap()
}

/// A board seen without a doubt.
fn clear(shown: &Chess) -> BySquare<SquareScores> {
    BySquare::from_fn(|s| {
        let k = index(shown.board().piece_at(s));
        let cost = std::array::from_fn(|other| if other == k { 0.0 } else { 0.4 });
        SquareScores {
            cost,
            body: cost,
            ..SquareScores::default()
        }
    })
}

/// The same with squares under something that resembles no piece.
fn covered(shown: &Chess, squares: &[Square]) -> BySquare<SquareScores> {
    let hidden = SquareScores {
        cost: [0.6; CONTENTS],
        body: [0.9; CONTENTS],
        ..SquareScores::default()
    };
    let clear = clear(shown);
    BySquare::from_fn(|s| {
        if squares.contains(&s) {
            hidden.clone()
        } else {
            clear[s].clone()
        }
    })
}

/// The same with one square half covered: its true content fits best, by less than a certain reading needs.
fn half_covered(shown: &Chess, square: Square) -> BySquare<SquareScores> {
    let mut scores = clear(shown);
    let k = index(shown.board().piece_at(square));
    let half = &mut scores[square];
    half.cost = std::array::from_fn(|other| match other {
        o if o == k => 0.3,
        // A pawn fits nearly as well.
        o if o % 6 == 0 && o < 12 => 0.32,
        _ => 0.6,
    });
    half.body = half.cost;
    scores
}

/// A board of wood whose white pieces throw a shadow. Kings and queens are one shape up to their crowns.
fn turned(board: &Board) -> RgbaImage {
    RgbaImage::from_fn(8 * SIDE, 8 * SIDE, |x, y| {
        let s = Square::from_coords(File::new(x / SIDE), Rank::new(7 - y / SIDE));
        let (dx, dy) = (x % SIDE, y % SIDE);
        let within = |x: std::ops::Range<u32>, y: std::ops::Range<u32>| x.contains(&dx) && y.contains(&dy);
        let ground: [u8; 3] = if s.is_dark() { [110, 66, 40] } else { [228, 196, 146] };
        let Some(piece) = board.piece_at(s) else {
            let [r, g, b] = ground;
            return Rgba([r, g, b, 255]);
        };
        let is_its = match piece.role {
            Role::King => within(22..26, 5..16) || within(18..30, 8..11) || within(15..33, 16..43),
            Role::Queen => within(16..32, 11..16) || within(15..33, 16..43),
            role => within(8 + 2 * role as u32..28 + role as u32, 20..43),
        };
        let [r, g, b] = match (is_its, within(10..41, 20..46) && piece.color.is_white()) {
            (true, _) if piece.color.is_white() => [246, 228, 188],
            (true, _) => [16, 10, 8],
            (false, true) => ground.map(|level| (u16::from(level) * 3 / 5) as u8),
            (false, false) => ground,
        };
        Rgba([r, g, b, 255])
    })
}

/// The shadow on dark squares is nearly their colour; on light ones it passes for a part of the queen, as it was learned.
#[test]
fn a_piece_that_was_never_seen_on_such_squares_may_be_read_as_another_one_of_its_side() {
    let start = Chess::default();
    let mut appearance = Appearance::learn(&turned(start.board()), &map(), start.board()).unwrap();
    let on_e2 = |piece: char| {
        let mut board = played(&start, &["e2e4", "e7e5", "e1e2"]).board().clone();
        board.set_piece_at(Square::E2, Piece::from_char(piece).unwrap());
        board
    };
    let expected = played(&start, &["e2e4", "e7e5", "e1e2"]);
    let stands = |appearance: &Appearance, shown: &Board| {
        let image = turned(shown);
        let (reader, look) = (appearance.reader(&map()), appearance.closer_look(&map(), &image));
        let scores = BySquare::from_fn(|s| reader.scores(&image, s));
        let scored = ScoredBoard::new(&scores).with_look(&look);
        (scored.seen().piece_at(Square::E2), scored.stands(expected.board()))
    };
    let [king, queen, enemy] = ['K', 'Q', 'q'].map(|piece| (Piece::from_char(piece), on_e2(piece)));
    assert_eq!(
        stands(&appearance, &king.1),
        (queen.0, true),
        "read as the queen, but he may be it"
    );
    assert_eq!(stands(&appearance, &queen.1), (queen.0, false));
    assert_eq!(stands(&appearance, &enemy.1), (enemy.0, false));
    let learned = appearance.learn_more(&turned(&king.1), &map(), &king.1, Bitboard::from(Square::E2));
    assert_eq!(learned.len(), 1, "his picture agrees with what was known of him");
    assert_eq!(stands(&appearance, &king.1), (king.0, true));
}

fn unambiguous(scored: &ScoredBoard, from: &Chess, plies: usize) -> Vec<Vec<String>> {
    let found = scored
        .half_seen(from, plies)
        .into_iter()
        .flatten()
        .filter(|half| half.unambiguous);
    found.map(|half| uci_line(&half.line)).collect()
}

#[test]
fn a_covered_square_is_told_by_what_the_other_squares_leave_possible() {
    let start = Chess::default();
    // Nothing but the knight has left its square, and its other goals are seen to be empty.
    let end = played(&start, &["g1f3"]);
    let scores = half_covered(&end, Square::F3);
    assert!(matches!(
        ScoredBoard::new(&scores).explain(&start, &[]),
        Explanation::None
    ));
    assert_eq!(unambiguous(&ScoredBoard::new(&scores), &start, 1), [["g1f3"]]);
}

#[test]
fn a_covered_square_that_may_be_empty_tells_nothing() {
    let start = Chess::default();
    let scores = covered(&played(&start, &["g1f3"]), &[Square::F3]);
    // It may as well be in the air still.
    assert!(unambiguous(&ScoredBoard::new(&scores), &start, 1).is_empty());
}

#[test]
fn either_of_two_moves_may_be_half_covered() {
    let start = Chess::default();
    let end = played(&start, &["g1f3", "b8c6"]);
    let scores = half_covered(&end, Square::C6);
    assert_eq!(unambiguous(&ScoredBoard::new(&scores), &start, 2), [["g1f3", "b8c6"]]);
    let scores = half_covered(&end, Square::F3);
    assert_eq!(unambiguous(&ScoredBoard::new(&scores), &start, 2), [["g1f3", "b8c6"]]);
    // Covered wholly, the first move might be another, or none that is over yet.
    let scores = covered(&end, &[Square::F3]);
    assert!(unambiguous(&ScoredBoard::new(&scores), &start, 2).is_empty());
}

#[test]
fn what_one_move_may_have_done_is_not_told_by_three() {
    let before = position("4k3/8/8/8/8/8/K3P1p1/7R b - - 0 1");
    // A queen on h1 that a knight resembles as much, and White's answer: the pawn took on h1, or went to g1 and took
    // from there.
    let end = played(&before, &["g2h1q", "e2e3"]);
    let mut scores = half_covered(&end, Square::H1);
    let knight = index(Some(shakmaty::Role::Knight.of(shakmaty::Color::Black)));
    scores[Square::H1].cost[knight] = 0.32;
    let scored = ScoredBoard::new(&scores);
    assert_eq!(unambiguous(&scored, &before, 3), [["g2g1q", "e2e3", "g1h1"]]);
    assert!(unambiguous(&scored, &before, 2).is_empty() && scored.half_seen(&before, 2).is_some());
    assert!(scored.half_seen(&before, 1).is_none());
    let marks = Marks::new(&clear(&before), [[240; 3], [120; 3]], 1.0);
    let explanation = examine::explained(&scored, &before, &[], Some(&marks));
    assert!(matches!(explanation, Explanation::None), "{explanation:?}");
}

/// A notice over the board does not lie over the move that the page marks (`unseen-55-051`).
#[test]
fn a_marked_move_is_told_whatever_lies_over_other_squares() {
    const PLAIN: [[i16; 3]; 2] = [[240, 217, 181], [181, 136, 99]];
    let coloured = |scores: &mut BySquare<SquareScores>, marked: &[Square]| {
        for s in Square::ALL {
            let plain = PLAIN[usize::from(s.is_dark())];
            let color = plain.map(|level| if marked.contains(&s) { level - 40 } else { level });
            (scores[s].margin, scores[s].ring) = (color, color);
        }
    };
    let (mut marks, mut before) = (None::<Marks>, Chess::default());
    for (uci, squares) in [
        (None, &[][..]),
        (Some("e2e4"), &[Square::E2, Square::E4]),
        (Some("b8c6"), &[Square::B8, Square::C6]),
    ] {
        before = played(&before, &uci.into_iter().collect::<Vec<_>>());
        let mut scores = clear(&before);
        coloured(&mut scores, squares);
        match (&mut marks, squares) {
            (Some(marks), [from, to]) => marks.believe(
                &scores,
                &Move::Normal {
                    role: before.board().role_at(*to).unwrap(),
                    from: *from,
                    to: *to,
                    capture: None,
                    promotion: None,
                },
            ),
            _ => marks = Some(Marks::new(&scores, PLAIN, 0.0)),
        }
    }
    // A notice over a8, through which the rook is not seen.
    let under_notice = |marked: &[Square]| {
        let mut scores = clear(&played(&before, &["f1c4"]));
        scores[Square::A8].cost = std::array::from_fn(|k| if k == EMPTY { 0.3 } else { 0.55 });
        scores[Square::A8].body = [0.6; CONTENTS];
        coloured(&mut scores, marked);
        scores
    };
    let told = |marked: &[Square]| {
        let scores = under_notice(marked);
        examine::explained(&ScoredBoard::new(&scores), &before, &[], marks.as_ref())
    };
    let Explanation::Line(line, _) = told(&[Square::F1, Square::C4]) else {
        panic!("not told");
    };
    assert_eq!(uci_line(&line), ["f1c4"]);
    assert!(matches!(told(&[]), Explanation::None), "nothing marks it");
    assert!(matches!(told(&[Square::C4]), Explanation::None));
}

/// Reported (hyprchess): a terminal drew half of a move, b5a7, and half of the old mark was left on c7.
#[test]
fn a_square_that_looks_far_more_like_another_is_no_place_where_a_piece_has_arrived() {
    let before = position("2rq1rk1/pQ1nbppp/2pppn2/1N3b2/2PP4/4PN2/PP2BPPP/R1B1K2R w KQ - 0 10");
    let ends_on_c7 = |of_empty: f32, of_pieces: f32| {
        let mut scores = clear(&before);
        scores[Square::B5] = clear(&Chess::default())[Square::E4].clone();
        let c7 = &mut scores[Square::C7];
        c7.cost = std::array::from_fn(|k| if k == EMPTY { of_empty } else { of_pieces });
        c7.body = [0.9; CONTENTS];
        let found = ScoredBoard::new(&scores).half_seen(&before, 1);
        let mut halves = found.into_iter().flatten();
        let half = halves
            .find(|half| uci_line(&half.line) == ["b5c7"])
            .expect("it is half seen");
        half.may_have_arrived
    };
    assert!(!ends_on_c7(0.21, 0.56));
    assert!(ends_on_c7(0.45, 0.56), "something lies over it");
    assert!(ends_on_c7(0.21, 0.26), "a piece that is not quite there");
}

#[test]
fn what_resembles_nothing_tells_no_piece_from_an_empty_square() {
    let start = Chess::default();
    let mut scores = half_covered(&played(&start, &["g1f3"]), Square::F3);
    assert_eq!(unambiguous(&ScoredBoard::new(&scores), &start, 1), [["g1f3"]]);
    // A dark notice is nearer to a dark piece's colour than to the square's, and is neither.
    let knight = index(start.board().piece_at(Square::G1));
    scores[Square::F3].cost = std::array::from_fn(|k| if k == knight { 0.5 } else { 0.9 });
    scores[Square::F3].body = scores[Square::F3].cost;
    assert!(unambiguous(&ScoredBoard::new(&scores), &start, 1).is_empty());
}

#[test]
fn a_square_under_a_notice_is_not_told_to_be_empty() {
    let before = position("4k3/8/8/8/8/6n1/8/4K3 b - - 0 1");
    let end = played(&before, &["g3e4"]);
    let mut scores = half_covered(&end, Square::G3);
    assert_eq!(unambiguous(&ScoredBoard::new(&scores), &before, 1), [["g3e4"]]);
    // Evenly of another colour, but for a text.
    scores[Square::G3].tint = 150;
    assert!(unambiguous(&ScoredBoard::new(&scores), &before, 1).is_empty());
}

#[test]
fn no_piece_is_taken_by_one_that_went_out_and_back() {
    let before = position("4k3/8/8/8/8/5b2/8/3QK3 w - - 0 1");
    // Without the bishop: the queen would have stepped aside for it and taken it on its own square.
    let end = position("4k3/8/8/8/8/8/8/3QK3 b - - 0 1");
    let scores = half_covered(&end, Square::F3);
    assert!(unambiguous(&ScoredBoard::new(&scores), &before, 3).is_empty());
}

#[test]
fn a_king_that_stands_two_squares_away_has_castled_though_its_rook_is_hidden() {
    let before = position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    let end = played(&before, &["e1g1"]);
    let scores = covered(&end, &[Square::F1]);
    assert_eq!(unambiguous(&ScoredBoard::new(&scores), &before, 1), [["e1g1"]]);
    // The king hidden too, a rook on f1 may have walked there, or nothing at all.
    let mut scores = covered(&end, &[Square::F1, Square::G1]);
    assert!(unambiguous(&ScoredBoard::new(&scores), &before, 1).is_empty());
    // Under a strong colour both squares seem empty, but for the ghosts of two pieces; and both have left where they
    // stood.
    for square in [Square::F1, Square::G1] {
        scores[square] = clear(&before)[square].clone();
        scores[square].motion = Some(Motion::Ghost);
    }
    assert_eq!(unambiguous(&ScoredBoard::new(&scores), &before, 1), [["e1g1"]]);
    scores[Square::H1] = clear(&before)[Square::H1].clone();
    assert!(unambiguous(&ScoredBoard::new(&scores), &before, 1).is_empty());
}

#[test]
fn what_was_misread_when_the_board_was_understood_is_not_held_against_the_next_move() {
    let start = Chess::default();
    let end = played(&start, &["g1f3"]);
    // d8 is read for certain as a rook, in this picture as in the one before.
    let mut scores = clear(&end);
    let rook = index(start.board().piece_at(Square::H8));
    scores[Square::D8].cost = std::array::from_fn(|k| if k == rook { 0.0 } else { 0.4 });
    scores[Square::D8].body = scores[Square::D8].cost;
    assert!(matches!(
        ScoredBoard::new(&scores).explain(&start, &[]),
        Explanation::None
    ));
    let changed: Bitboard = [Square::G1, Square::F3].into_iter().collect();
    let scored = ScoredBoard::new(&scores).after(start.board(), changed);
    assert!(matches!(scored.explain(&start, &[]), Explanation::Line(..)));
    // A square that has changed since is.
    let scored = ScoredBoard::new(&scores).after(start.board(), changed | Bitboard::from(Square::D8));
    assert!(matches!(scored.explain(&start, &[]), Explanation::None));
}

#[test]
fn two_moves_beside_a_pointer_are_no_piece_in_flight() {
    let start = Chess::default();
    let end = played(&start, &["g1f3", "b8c6"]);
    let scores = covered(&end, &[Square::H5]);
    assert!(!flight::may_be_in_flight(
        &ScoredBoard::new(&scores),
        &start,
        &end,
        2,
        Bitboard::FULL
    ));
    // After the first move the knight of b8 is up, over c6 or somewhere else.
    let lifted = covered(&played(&start, &["g1f3"]), &[Square::B8, Square::H5]);
    assert!(flight::may_be_in_flight(
        &ScoredBoard::new(&lifted),
        &start,
        &end,
        2,
        Bitboard::FULL
    ));
}

#[test]
fn a_move_half_covered_is_shown_as_long_as_its_picture_stays() {
    let from = position("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    let end = played(&from, &["a1a5"]);
    let touched: Bitboard = [Square::A1, Square::A5].into_iter().collect();
    let mut pending = pending::Pending {
        explained: ExplainedLine {
            line: Vec::new(),
            position: end.clone(),
            confidence: 1.0,
            only: true,
        },
        from,
        watched: touched,
        touched,
        stirred: Bitboard::EMPTY,
        histograms: BySquare::from_fn(|_| Histogram::of(&image::RgbaImage::new(1, 1), (0, 1), (0, 1))),
        scores: clear(&end),
        at: Timestamp::default(),
        wait: Duration::ZERO,
    };
    let half = half_covered(&end, Square::A5);
    assert!(pending.is_shown(&ScoredBoard::new(&half)));
    pending.stirred = Bitboard::from(Square::A5);
    assert!(!pending.is_shown(&ScoredBoard::new(&half)));
    assert!(pending.is_shown(&ScoredBoard::new(&clear(&end))));
}

#[test]
fn moves_that_a_hidden_square_leaves_possible_are_not_ruled_out_by_those_that_are_seen() {
    let before = position("4k3/8/3b4/8/8/5N2/8/4K3 w - - 0 1");
    let end = played(&before, &["f3e5", "d6e5"]);
    let explained = |scores: &BySquare<SquareScores>| ScoredBoard::new(scores).explain(&before, &[]);
    assert!(matches!(explained(&clear(&end)), Explanation::Line(..)));
    // The knight may be under what covers h4, and the bishop have taken nothing.
    let scores = covered(&end, &[Square::H4]);
    assert!(matches!(explained(&scores), Explanation::Ambiguous));
    // Half covered, h4 is seen to be empty; and no knight comes to h5.
    let scores = half_covered(&end, Square::H4);
    assert!(matches!(explained(&scores), Explanation::Line(..)));
    let scores = covered(&end, &[Square::H5]);
    assert!(matches!(explained(&scores), Explanation::Line(..)));
}

#[test]
fn a_piece_that_has_taken_is_not_in_flight() {
    let before = position("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1");
    let end = played(&before, &["e4d5", "e8e7"]);
    let scores = covered(&end, &[Square::H5]);
    assert!(!flight::may_be_in_flight(
        &ScoredBoard::new(&scores),
        &before,
        &end,
        2,
        Bitboard::FULL
    ));
    // Taken off already, with the taker on its way.
    let mut flying = covered(&before, &[Square::H5]);
    let empty = clear(&Chess::default())[Square::E4].clone();
    flying[Square::E4] = empty.clone();
    flying[Square::D5] = empty;
    assert!(flight::may_be_in_flight(
        &ScoredBoard::new(&flying),
        &before,
        &end,
        1,
        Bitboard::FULL
    ));
}

#[test]
fn a_knight_half_gone_whose_prey_has_vanished_was_not_taken_by_it() {
    let before = position("4k3/8/2n5/4P3/3P4/8/8/4K3 b - - 0 1");
    // Nxe5 dxe5 leaves just these pieces. So does a knight on its way to d4 that both its squares show too little of to
    // be read.
    let end = played(&before, &["c6e5", "d4e5"]);
    let mut scores = clear(&end);
    assert!(!flight::may_be_in_flight(
        &ScoredBoard::new(&scores),
        &before,
        &end,
        2,
        Bitboard::FULL
    ));
    for square in [Square::C6, Square::D6] {
        scores[square].cost[EMPTY] = 0.16;
        scores[square].body[EMPTY] = 0.2;
    }
    assert!(matches!(
        ScoredBoard::new(&scores).explain(&before, &[]),
        Explanation::Line(..)
    ));
    assert!(flight::may_be_in_flight(
        &ScoredBoard::new(&scores),
        &before,
        &end,
        2,
        Bitboard::FULL
    ));
    // What lay there before the pieces moved is no piece.
    let changed = Bitboard::FULL.without(Square::C6).without(Square::D6);
    assert!(!flight::may_be_in_flight(
        &ScoredBoard::new(&scores),
        &before,
        &end,
        2,
        changed
    ));
}

#[test]
fn a_queen_beside_squares_that_are_painted_over_is_only_offered() {
    let before = position("4k3/8/8/8/8/8/7p/4K1N1 b - - 0 1");
    let end = played(&before, &["h2g1q"]);
    let capture = before.legal_moves().into_iter().find(|m| uci(*m) == "h2g1q");
    let line: Vec<Move> = capture.into_iter().collect();
    let changed: Bitboard = [Square::H2, Square::G1, Square::G2, Square::G3].into_iter().collect();
    let wait =
        |scores: &BySquare<SquareScores>| belief_delay::promotion(&ScoredBoard::new(scores), &line, &before, changed);
    let mut scores = clear(&end);
    for square in Square::ALL {
        scores[square].margin = [if square.is_dark() { 100 } else { 200 }; 3];
    }
    assert_eq!(wait(&scores), Some(Duration::ZERO));
    // Both read well, and neither is the light or the dark of the board.
    let mut dialog = scores;
    for square in [Square::G2, Square::G3] {
        (dialog[square].tint, dialog[square].margin) = (60, [250; 3]);
    }
    assert_eq!(wait(&dialog), None);
}

/// The past of a game, and the position at its end.
fn past_of(start: &Chess, moves: &[&str]) -> (Past, Chess) {
    let mut past = Past::default();
    past.remember(start);
    for plies in 1..=moves.len() {
        past.remember(&played(start, &moves[..plies]));
    }
    (past, played(start, moves))
}

/// What a clear picture of a position recalls: how it came about, and how many moves later.
fn recalled(past: &Past, shown: &Chess) -> Option<(RecallKind, usize)> {
    let recall = past.recall(&clear(shown), 1, |_| false)?;
    assert!(same_position(&recall.position, shown), "{recall:?}");
    Some((recall.kind, recall.line.len()))
}

#[test]
fn a_takeback_may_have_been_answered_already_but_not_by_a_piece_that_may_be_passing() {
    let start = Chess::default();
    let (past, _) = past_of(&start, &["e2e4", "e7e5", "g1f3", "b8c6"]);
    let after = |answer| played(&start, &["e2e4", "e7e5", answer]);
    assert_eq!(recalled(&past, &after("b1c3")), Some((RecallKind::Takeback(2), 1)));
    assert_eq!(recalled(&past, &after("f1a6")), Some((RecallKind::Takeback(2), 1)));
    // It could go on to b5 and a6.
    assert_eq!(recalled(&past, &after("f1c4")), None);
    let landed = past
        .recall(&clear(&after("f1c4")), 1, |_| true)
        .map(|recall| recall.kind);
    assert_eq!(landed, Some(RecallKind::Takeback(2)));
    // Nobody sees what stands under a pointer: a queen on its way elsewhere was believed there (unseen-62-045).
    let hidden = past.recall(&covered(&after("b1c3"), &[Square::C3]), 1, |_| false);
    assert!(hidden.is_none(), "{hidden:?}");
}

/// A pawn that stood on c3 is on c4 now, and a knight has moved: two single steps, and not one of two squares
/// (tuned-62-078).
#[test]
fn a_pawn_that_stood_half_way_has_gone_by_single_steps() {
    let from = position("4k1n1/8/8/8/8/8/2P5/4K3 w - - 0 1");
    let shown = played(&from, &["c2c3", "g8e7", "c3c4"]);
    let scores = clear(&shown);
    let line = |stood: &[(Square, Piece)]| match ScoredBoard::new(&scores).with_stood(stood).explain(&from, &[]) {
        Explanation::Line(line, _) => uci_line(&line),
        other => panic!("{other:?}"),
    };
    assert_eq!(line(&[]), ["c2c4", "g8e7"]);
    assert_eq!(line(&[(Square::C3, Color::White.pawn())]), ["c2c3", "g8e7", "c3c4"]);
    // What no line leads over was something else.
    assert_eq!(line(&[(Square::A5, Color::White.queen())]), ["c2c4", "g8e7"]);
}

#[test]
fn a_piece_stands_where_its_picture_has_not_changed_for_long() {
    let (at, long) = (|ms: f64| Timestamp::from_ms(ms), Duration::from_millis(41));
    let pawn = (Square::C3, Color::White.pawn());
    let mut stood = Stood::default();
    stood.stir([Square::C3], at(100.0));
    stood.see([pawn], at(120.0), long);
    assert_eq!(stood.pieces(), []);
    stood.stir([Square::C2], at(200.0));
    stood.see([pawn], at(200.0), long);
    assert_eq!(stood.pieces(), [pawn]);
    stood.forget();
    assert_eq!(stood.pieces(), []);
}

#[test]
fn a_board_that_two_positions_of_the_past_show_recalls_neither() {
    let moves = ["h2h4", "h7h5", "h1h2", "h8h7", "h2h1", "h7h8", "a2a3"];
    let (past, _) = past_of(&Chess::default(), &moves);
    // Before and after the rooks moved: castling is allowed in one of them only.
    assert_eq!(recalled(&past, &played(&Chess::default(), &moves[..6])), None);
    assert_eq!(
        recalled(&past, &played(&Chess::default(), &moves[..5])),
        Some((RecallKind::Takeback(2), 0))
    );
}

#[test]
fn the_start_of_a_game_is_taken_back_to_early_and_a_new_game_late() {
    let start = Chess::default();
    let moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6"];
    assert_eq!(
        recalled(&past_of(&start, &moves[..3]).0, &start),
        Some((RecallKind::Takeback(3), 0))
    );
    assert_eq!(
        recalled(&past_of(&start, &moves).0, &start),
        Some((RecallKind::NewGame, 0))
    );
    // Another game may begin with the same move.
    let begun = played(&start, &moves[..1]);
    assert_eq!(
        recalled(&past_of(&start, &moves).0, &begun),
        Some((RecallKind::NewGame, 0))
    );
    // A game that was set up may be followed by one from the usual start.
    let set_up = position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    let (past, _) = past_of(&set_up, &["e2e4", "e8e7"]);
    assert_eq!(recalled(&past, &start), Some((RecallKind::NewGame, 0)));
    // A pointer may lie over one of its many pieces (unseen-64-035).
    let beneath = past.recall(&covered(&start, &[Square::B1]), 1, |_| false);
    assert_eq!(beneath.map(|recall| recall.kind), Some(RecallKind::NewGame));
}

/// A hatched board on which squares that are read badly show a move.
#[test]
fn that_nothing_was_played_is_not_seen_where_doubtful_squares_show_a_move() {
    let from = Chess::default();
    let shown = played(&from, &["g1f3"]);
    let explained = |leaning: &[Square], stays: f32| {
        let mut scores = clear(&from);
        for square in leaning {
            let [was, is] = [&from, &shown].map(|position| index(position.board().piece_at(*square)));
            scores[*square].cost = [0.6; CONTENTS];
            (scores[*square].cost[was], scores[*square].cost[is]) = (stays, 0.25);
            scores[*square].body = scores[*square].cost;
        }
        match ScoredBoard::new(&scores).explain(&from, &[]) {
            Explanation::Line(line, _) => Some(line.len()),
            _ => None,
        }
    };
    let both = [Square::G1, Square::F3];
    assert_ne!(explained(&both, 0.31), Some(0));
    assert_eq!(explained(&both, 0.26), Some(0), "they speak too little for it");
    assert_eq!(explained(&both[..1], 0.31), Some(0), "no move does that alone");
}

#[test]
fn a_piece_that_goes_home_has_moved_and_nothing_was_taken_back() {
    let start = Chess::default();
    // What goes home covers the square for a while: no line explains the board yet, and the position of before agrees
    // with all that is read.
    let half_home = |from: &Past, plies| from.recall(&covered(&start, &[Square::G8]), plies, |_| false).is_some();
    let home = |from: &Past, plies| from.recall(&clear(&start), plies, |_| false).map(|recall| recall.kind);
    let (past, _) = past_of(&start, &["g1f3", "g8f6", "f3g1"]);
    assert!(!half_home(&past, 1));
    // Both went home since the last picture: a takeback once it is seen, but where one of the moves was made and not
    // seen.
    let (past, _) = past_of(&start, &["g1f3", "g8f6"]);
    assert!(!half_home(&past, 1));
    assert_eq!(home(&past, 1), Some(RecallKind::Takeback(2)));
    assert_eq!(home(&past, 2), None);
}

/// react-chess-game shows a dragged piece faintly where it was: the rook that it had taken there was believed back
/// (three plies, one game in twelve).
#[test]
fn what_a_dragged_piece_had_taken_is_not_taken_back() {
    let start = position("4k3/8/8/8/8/1n6/R7/6K1 b - - 0 1");
    let moves = ["b3c1", "g1h1", "c1a2", "h1g1"];
    let (past, before) = past_of(&start, &moves);
    let dragged = played(&before, &["a2c1"]);
    assert!(past.recall(&covered(&dragged, &[Square::A2]), 1, |_| false).is_none());
    let taken_back = played(&start, &moves[..1]);
    assert_eq!(recalled(&past, &taken_back), Some((RecallKind::Takeback(3), 0)));
}

#[test]
fn what_was_taken_back_belongs_to_the_past_no_more() {
    let start = Chess::default();
    let (mut past, _) = past_of(&start, &["e2e4", "e7e5", "g1f3", "b8c6"]);
    let shown = played(&start, &["e2e4", "e7e5"]);
    let recall = past.recall(&clear(&shown), 1, |_| false).unwrap();
    past.recalled(&recall);
    assert!(past.was_before(0, shown.board()));
    assert!(past.was_before(1, played(&start, &["e2e4"]).board()));
    assert!(past.was_before(2, start.board()));
}

/// How many moves the only line has that agrees with what is read for certain, and that the other squares resemble.
fn resembled(scores: &BySquare<SquareScores>, from: &Chess, may: impl Fn(&[Move]) -> bool) -> Option<usize> {
    let scored = ScoredBoard::new(scores);
    let (line, end, is_alone) = scored.only_agreeing(from, may)?;
    (is_alone && scored.resembles(from.board(), end.board())).then_some(line.len())
}

#[test]
fn what_alone_explains_a_picture_is_known_where_something_lies_over_a_square_that_was_left() {
    // PyChess keeps the square white from which a pawn was taken, until the next click; the answer came meanwhile.
    let from = position("r1b2rk1/1p1n1pp1/p1q5/3p2Bp/P1B1P1n1/5N2/2Q2PPP/R3R1K1 w - - 0 18");
    let shown = played(&from, &["e4d5", "c6c7"]);
    // A square that looks rather empty than as before, and not for certain.
    let lit = |square: Square, scores: &mut BySquare<SquareScores>| {
        let before = index(from.board().piece_at(square));
        scores[square].cost = std::array::from_fn(|k| match k {
            EMPTY => 0.25,
            k if k == before => 0.36,
            _ => 0.3,
        });
        scores[square].body = scores[square].cost;
    };
    let alone = |hidden: &[Square], made: usize| {
        let mut scores = covered(&shown, hidden);
        for left in [Square::E4, Square::C6] {
            if hidden.contains(&left) {
                lit(left, &mut scores);
            }
        }
        resembled(&scores, &from, |line| line.len().div_ceil(2) <= made)
    };
    assert_eq!(alone(&[Square::E4], 1), Some(2));
    assert_eq!(alone(&[Square::E4], 0), None, "nobody has made our move");
    assert_eq!(
        alone(&[], 1),
        Some(2),
        "it may have been held back since something stirs"
    );
    assert_eq!(
        alone(&[Square::E4, Square::D5], 1),
        None,
        "where the pawn went is not seen"
    );
    assert_eq!(alone(&[Square::C6], 1), Some(2));
    assert_eq!(
        alone(&[Square::C6, Square::C7], 1),
        Some(1),
        "the pawn has taken, the queen may be anywhere"
    );
    let scores = covered(&shown, &[Square::E4]);
    let found = resembled(&scores, &from, |_| true);
    assert!(found.is_none(), "the pawn may stand on e4 still, drawn larger");
}

#[test]
fn a_queen_that_is_read_badly_where_she_was_never_seen_is_known_since_nothing_else_can_have_gone() {
    let from = position("r1bqk1nr/pp1pbppp/2n1p3/2p5/2P2B2/2NP4/PP2PPPP/R2QKBNR w KQkq - 3 5");
    let shown = played(&from, &["d1d2"]);
    let badly = |nothing: f32| {
        let mut scores = clear(&shown);
        let queen = index(shown.board().piece_at(Square::D2));
        scores[Square::D2].cost = std::array::from_fn(|k| match k {
            k if k == queen => 0.42,
            k if k == queen + 6 || k + 6 == queen => 0.44,
            EMPTY => nothing,
            _ => 0.54,
        });
        scores[Square::D2].body = scores[Square::D2].cost;
        resembled(&scores, &from, |line| line.len() < 2)
    };
    assert_eq!(badly(0.6), Some(1));
    assert_eq!(badly(0.5), None, "there may be nothing");
}

#[test]
fn what_a_pawn_became_makes_no_difference_where_it_was_taken_at_once() {
    let from = position("rnbqkbnr/2pppppp/8/3P4/6P1/1p3N2/PpP1PP1P/R2QKB1R b KQkq - 0 8");
    let mut scores = clear(&played(&from, &["b2a1q", "d1a1"]));
    scores[Square::A1].cost = [0.42; CONTENTS];
    for (piece, cost) in [(Role::King, 0.056), (Role::Queen, 0.082), (Role::Rook, 0.122)] {
        scores[Square::A1].cost[index(Some(piece.of(Color::White)))] = cost;
    }
    scores[Square::A1].body = scores[Square::A1].cost;
    assert_eq!(resembled(&scores, &from, |line| line.len() <= 2), Some(2));
}

#[test]
fn of_two_rooks_that_may_have_gone_where_what_they_left_is_hidden_none_is_believed() {
    let from = position("6k1/8/8/8/8/8/8/R3R1K1 w - - 0 1");
    let shown = played(&from, &["a1d1"]);
    let scores = covered(&shown, &[Square::A1, Square::E1]);
    assert!(resembled(&scores, &from, |_| true).is_none());
}

/// Pawns under a pointer and a notice were read three plies later, and the last of three moves might have been passing
/// (`tuned-61-050`).
#[test]
fn moves_that_were_held_back_in_one_of_several_orders_are_told_in_none() {
    let start = Chess::default();
    let shown = clear(&played(&start, &["c2c4", "e7e5", "d2d3"]));
    let scored = ScoredBoard::new(&shown);
    let Explanation::Lines(lines, end) = scored.explain(&start, &[]) else {
        panic!("either pawn of White's may have moved first");
    };
    let held = |only| ExplainedLine {
        line: lines[0].clone(),
        position: (*end).clone(),
        confidence: 1.0,
        only,
    };
    let again = |held: ExplainedLine| scored.explain(&start, held.order_seen());
    assert!(matches!(again(held(false)), Explanation::Lines(..)));
    // What was the only line when it was seen is not doubted later.
    assert!(matches!(again(held(true)), Explanation::Line(..)));
}

#[test]
fn a_line_in_which_our_side_moves_otherwise_than_torres_has_entered_is_made_up() {
    // A knight that takes c7 was in flight: taken on d6, by the pawn that faded on c7, it would have left the same
    // board.
    let start = position("r1b1qbnr/pppnp1pp/3pNpk1/1N1P4/2B1P3/8/PPP2PPP/R1BQ1RK1 w - - 7 12");
    let line = |moves: &[&str]| -> Vec<Move> {
        let mut at = start.clone();
        let of = |text: &&str| {
            let played = parse_move(text, &at).unwrap();
            at.play_unchecked(played);
            played
        };
        moves.iter().map(of).collect()
    };
    let own = |entered: Option<&str>| OwnSide {
        color: Color::White,
        entered: entered.map(|text| parse_move(text, &start).unwrap()),
        chosen: false,
    };
    let is_made_up = |entered, moves: &[&str]| own(entered).is_made_up(&line(moves), Color::White);
    assert!(is_made_up(Some("b5c7"), &["b5d6", "c7d6"]));
    assert!(!is_made_up(Some("b5c7"), &["b5c7", "e8f7"]));
    assert!(is_made_up(None, &["b5c7", "e8f7"]));
    assert!(is_made_up(Some("b5c7"), &["b5c7", "e8f7", "c7e8"]));
    // Where the opponent moves first.
    let black = OwnSide {
        color: Color::Black,
        entered: None,
        chosen: false,
    };
    assert!(!black.is_made_up(&line(&["b5c7"]), Color::White));
    assert!(black.is_made_up(&line(&["b5c7", "e8f7"]), Color::White));
}

/// The marks of the move before stand beside a bishop that could go on, and neither of its squares is marked.
#[test]
fn old_marks_speak_against_a_move_unless_torres_has_made_it() {
    let lit = |shown: &Chess, squares: [Square; 2]| {
        let mut scores = clear(shown);
        for s in squares {
            (scores[s].margin, scores[s].ring) = ([0, 60, 0], [0, 60, 0]);
        }
        scores
    };
    let start = Chess::default();
    let mut marks = Marks::new(&clear(&start), [[0; 3]; 2], 0.0);
    let mut before = start;
    for (uci, from, to) in [("e2e4", Square::E2, Square::E4), ("e7e5", Square::E7, Square::E5)] {
        let played = parse_move(uci, &before).unwrap();
        before.play_unchecked(played);
        marks.believe(&lit(&before, [from, to]), &played);
    }
    let bishop = parse_move("f1c4", &before).unwrap();
    let after = played(&before, &["f1c4"]);
    let wait = |entered: Option<Move>, scores: &BySquare<SquareScores>| {
        let delay = belief_delay::BeliefDelay {
            scored: &ScoredBoard::new(scores),
            position: &before,
            changed: Bitboard::from_iter([Square::F1, Square::C4]),
            marks: Some(&marks),
            motions: &Motions::default(),
            places: Places::default(),
            still_after: Some(Duration::from_millis(16)),
            own: entered.map(|entered| OwnSide {
                color: Color::White,
                entered: Some(entered),
                chosen: false,
            }),
        };
        let explained = ExplainedLine {
            line: vec![bishop],
            position: after.clone(),
            confidence: 1.0,
            only: true,
        };
        delay.of(&explained, &[]).unwrap()
    };
    let [standing, gone] = [lit(&after, [Square::E7, Square::E5]), clear(&after)];
    assert!(wait(None, &standing) > wait(None, &gone));
    assert_eq!(wait(Some(bishop), &standing), wait(Some(bishop), &gone));
}
