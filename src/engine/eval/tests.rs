//! The evaluation as a whole.

use super::*;

fn value(fen: &str) -> Value {
    evaluate(&Position::from_fen(fen).unwrap())
}

/// The same position with colours and ranks exchanged.
fn mirrored(fen: &str) -> String {
    let fields: Vec<&str> = fen.split(' ').collect();
    let ranks: Vec<&str> = fields[0].split('/').rev().collect();
    let swap = |c: char| {
        if c.is_ascii_lowercase() {
            c.to_ascii_uppercase()
        } else {
            c.to_ascii_lowercase()
        }
    };
    let placement: String = ranks.join("/").chars().map(swap).collect();
    let turn = if fields[1] == "w" { "b" } else { "w" };
    format!("{placement} {turn} - - 0 1")
}

/// In centipawns.
const MOST_TEMPO: Value = 50;

const POSITIONS: [&str; 4] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w - - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/5k2/3b4/1p2p3/1P2P3/3B4/5K2/8 w - - 0 1",
];

#[test]
fn colours_do_not_matter() {
    for fen in POSITIONS {
        assert_eq!(value(fen), value(&mirrored(fen)), "{fen}");
    }
}

#[test]
fn a_position_is_worth_as_much_to_the_one_as_it_costs_the_other() {
    for fen in POSITIONS {
        let other = if fen.contains(" w ") {
            fen.replace(" w ", " b ")
        } else {
            fen.replace(" b ", " w ")
        };
        // What remains is having the move, for each of them.
        let moves = value(fen) + value(&other);
        assert!((0..=2 * MOST_TEMPO).contains(&moves), "{fen}: {moves}");
    }
}

#[test]
fn more_is_better() {
    let better = |better: &str, worse: &str| assert!(value(better) > value(worse), "{better} / {worse}");
    // A queen, a pawn that is nearer to its goal, a rook on an open file.
    better("4k3/8/8/8/8/8/8/3QK3 w - - 0 1", "4k3/8/8/8/8/8/8/3RK3 w - - 0 1");
    better("4k3/8/1P6/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/1P6/8/8/4K3 w - - 0 1");
    better(
        "4k3/p1p2ppp/8/8/8/8/P1P2PPP/1R2K3 w - - 0 1",
        "4k3/p1p2ppp/8/8/8/8/P1P2PPP/2R1K3 w - - 0 1",
    );
}

#[test]
fn what_cannot_be_won_is_worth_little() {
    // A knight more, no pawns: the scale, not the piece, decides.
    assert!(value("4k3/8/8/8/8/5r2/8/3RKN2 w - - 0 1") < 120);
    // A pawn more with bishops of opposite colours is worth less than with bishops of one colour.
    let opposite = value("5k2/8/3b4/1p6/1P2P3/3B4/5K2/8 w - - 0 1");
    let same = value("5k2/8/4b3/1p6/1P2P3/3B4/5K2/8 w - - 0 1");
    assert!(opposite < same, "{opposite} < {same}");
}
