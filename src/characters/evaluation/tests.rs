//! Each evaluation against sums made by hand from the tables and weights of its text.

use super::*;
use crate::value::CENTIPAWN;
use torres_engine::Role;

/// In thousandths of a centipawn, from White's view.
fn value(evaluation: Evaluation, fen: &str) -> Value {
    evaluation.white_value(&Position::from_fen(fen).unwrap())
}

const MINIMAL: Evaluation = Evaluation::Control(Control::Minimal);
const COMPLEX: Evaluation = Evaluation::Control(Control::Complex);
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
/// A pawn protects a pawn that attacks a knight.
const CHAIN: &str = "4k3/8/5n2/4P3/3P4/8/8/4K3 b - - 0 1";

#[test]
fn minimal_control_counts_squares_and_men_on_them() {
    for (fen, centipawns) in [
        (START, 20),
        // The pawn controls one square.
        ("4k3/8/8/8/P7/8/8/4K3 w - - 0 1", 101 + 20),
        // The rook five squares, two of them its own men's, which are cheaper; the pawn one.
        ("4k3/8/8/8/8/8/P7/R3K3 w - - 0 1", 505 + 101 + 20),
        // e5: two squares, a man, and 15·(320 − 100)/100; d4: two squares, a man, a chain; the knight eight squares.
        (CHAIN, (100 + 2 + 10 + 33) + (100 + 2 + 10 + 15) - (320 + 8) - 20),
        // With three men a square beside the king is worth (10 − 3)/5 = 1.4, and a man there 14 more.
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 102 + 14 + 20),
        // With 32 men, (10 − 32)/5 = −4.4: the king's square e2 was emptied, 44; the bishop has four squares more and
        // the queen three.
        (AFTER_E4, 44 + 4 + 3 - 20),
        // A pawn that can be taken in passing is a man on the square it passed.
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", 112 - 102 + 20),
    ] {
        assert_eq!(value(MINIMAL, fen), centipawns * CENTIPAWN, "{fen}");
    }
}

#[test]
fn equal_men_and_the_king_in_check_count_as_they_should() {
    // Rooks that protect each other, 5 each; one gives check, and the king's square is one like another. With four men
    // a square beside a king is worth 1.2: White's has three, Black's five.
    let fen = "4k3/8/8/8/8/8/8/K3R2R b - - 0 1";
    let thousandths = (500 + 14 + 5) * 1_000 + (500 + 10 + 5) * 1_000 - 2 * 1_200 - 20_000;
    assert_eq!(value(MINIMAL, fen), thousandths);
}

#[test]
fn complex_control_counts_nearness_too() {
    for (fen, thousandths) in [
        (START, 20_000),
        // A knight's eight squares; e6 and f5 are one step from the centre: 2·1²·200/320 each.
        ("4k3/8/8/8/3N4/8/8/4K3 w - - 0 1", 320_000 + 8_000 + 2 * 1_250 + 20_000),
        // e4 is in the centre, 2·2²·0.625, c4 and f5 one step off; the enemy king's own square is near it, 2·2.
        (
            "4k3/8/3N4/8/8/8/8/4K3 b - - 0 1",
            320_000 + 8_000 + 5_000 + 2 * 1_250 + 4_000 - 20_000,
        ),
        // e5: two squares, a man 2, 10·220/100, d6 one step off 2·2; d4: two squares, a man 2, a chain 5, c5 4, e5 16;
        // the knight: eight squares, d5 and e4 5 each.
        (
            CHAIN,
            (100 + 2 + 2 + 22 + 4) * 1_000 + (100 + 2 + 2 + 5 + 4 + 16) * 1_000 - (320 + 8 + 10) * 1_000 - 20_000,
        ),
        // With two men (6 − 2)/5 = 0.8: e6 has eight squares beside it, two in the centre 2·2²·0.8, two one step off.
        (
            "8/8/4k3/8/8/8/8/4K3 w - - 0 1",
            5 * 800 - (8 * 800 + 2 * 6_400 + 2 * 1_600) + 20_000,
        ),
        // A man beside the king, m = 0.6: twice m more. The pawn: two squares, d3 one step off, 2·2.
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 106_000 + 1_200 + 20_000),
    ] {
        assert_eq!(value(COMPLEX, fen), thousandths, "{fen}");
    }
}

#[test]
fn squares_have_their_values_and_the_king_passes_to_the_endgame() {
    for (fen, centipawns) in [
        (START, 20),
        // From −20 to 20.
        (AFTER_E4, 40 - 20),
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", 105 + 20),
        // The queen's table differs between the wings: b3 has 5, g3 0, and Black's b6 is b3.
        ("4k3/8/8/8/8/1Q6/8/4K3 w - - 0 1", 905 + 20),
        ("4k3/8/8/8/8/6Q1/8/4K3 w - - 0 1", 900 + 20),
        ("4k3/8/1q6/8/8/8/8/4K3 w - - 0 1", -905 + 20),
        // In the endgame e4 is worth 40, and e8 −30 as e1.
        ("4k3/8/8/8/4K3/8/8/8 w - - 0 1", 40 + 30 + 20),
    ] {
        assert_eq!(value(Evaluation::Squares, fen), centipawns * CENTIPAWN, "{fen}");
    }
    let king = |men| {
        let piece = Piece {
            color: Color::White,
            role: Role::King,
        };
        squares::placement(piece, Square::at(6, 0), men)
    };
    // g1: 30 in the opening, −30 in the endgame, 0 half way between 32 men and 6.
    assert_eq!([32, 19, 6, 3].map(king), [30_000, 0, -30_000, -30_000]);
}

#[test]
fn digits_are_tenths_of_a_pawn_and_turned_for_black() {
    for (fen, centipawns) in [
        // White's queen on d1 has 3, Black's on d8 reads e1: 1.
        (START, 20),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", 180),
        // A knight on e5: 4. Black's king on c8 reads f1: 3, White's on e1 has 1.
        ("2k5/8/8/4N3/8/8/8/4K3 b - - 0 1", 340 + 10 - 30),
    ] {
        assert_eq!(value(Evaluation::Digits, fen), centipawns * CENTIPAWN, "{fen}");
    }
}

#[test]
fn zones_count_each_attacked_square_once_and_through_the_king() {
    for (fen, tenths_of_centipawns) in [
        (START, 100),
        // a2: half a unit of 5 centipawns; it attacks one square.
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", 1_000 + 25 + 10 + 100),
        // The rook: e1 is 0.5 + 1 units; seven squares on its rank, seven on its file, b2 and a2 by the king: 16.
        // Kings: a1 0.5, e8 0.5 + 1.5 units, five squares. Check and Black's turn.
        (
            "4k3/8/8/8/8/8/8/K3R3 b - - 0 1",
            5_000 + 75 + (25 - 100) + (160 - 50) + 50 - 100,
        ),
        // e8 is attacked through the king on e7: 1 + 1.5 units, eight squares.
        (
            "8/4k3/8/8/8/8/8/K3R3 b - - 0 1",
            5_000 + 75 + (25 - 125) + (160 - 80) + 50 - 100,
        ),
    ] {
        assert_eq!(
            value(Evaluation::Zones, fen),
            tenths_of_centipawns * CENTIPAWN / 10,
            "{fen}"
        );
    }
}

#[test]
fn a_lead_counts_more_the_less_is_left() {
    // The text's own check: 156.9.
    assert_eq!(trade::lead(100, 7_900, 8) / (CENTIPAWN / 10), 1_569);
    // 100·11900·1/(6400·2) = 92.97.
    assert_eq!(trade::lead(100, 100, 1) / (CENTIPAWN / 100), 19_296);
    assert_eq!(trade::lead(3_000, 3_000, 0), 2_400 * CENTIPAWN);
}

#[test]
fn position_counts_where_material_does_not_decide() {
    for (fen, centipawns) in [
        (START, 0),
        // A rook on an open file; both kings are three steps from the middle.
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 30", 500 + 10),
        ("4k2r/8/8/8/8/8/8/4K3 w - - 0 30", -510),
        // Isolated −10, passed 10 + 6·2.
        ("4k3/8/8/8/P7/8/8/4K3 w - - 0 30", 192 + 12),
        // Material decides: nothing is said of the king in the corner.
        ("7k/8/8/8/8/8/8/3QK3 w - - 0 30", 900),
    ] {
        assert_eq!(value(Evaluation::Trade, fen), centipawns * CENTIPAWN, "{fen}");
    }
}

#[test]
fn all_turn_with_the_side_to_move_and_mirror_with_the_colours() {
    // Mirrored top to bottom with colours and turn exchanged; the digits of a queen's and a bishop's files agree here.
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let mirrored = "r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1";
    for evaluation in [
        MINIMAL,
        COMPLEX,
        Evaluation::Squares,
        Evaluation::Zones,
        Evaluation::Trade,
    ] {
        let of = |fen| evaluation.value(&Position::from_fen(fen).unwrap());
        assert_eq!(of(fen), of(mirrored), "{evaluation:?}");
        assert_eq!(of(mirrored), -value(evaluation, mirrored), "{evaluation:?}");
    }
}
