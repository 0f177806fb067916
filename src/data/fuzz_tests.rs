//! Fuzz target: files of positions.
#![cfg(test)]

use super::file::Blocks;
use super::{Block, GameFile, Kind, Outcome, Record};
use torres_engine::Position;
use torres_fuzz::{Judged, folder, names_damage, run};

const RUN: u64 = 7;

/// A file of games, and a shuffled one.
fn seeds() -> Vec<Vec<u8>> {
    let positions: Vec<Position> = torres_engine::bench::POSITIONS
        .iter()
        .filter_map(|fen| Position::from_fen(fen).ok())
        .collect();
    let records = |from: usize, count| -> Vec<Record> {
        let some = positions.iter().cycle().skip(from).take(count);
        some.map(|position| Record::new(position, -120, Outcome::WhiteWins))
            .collect()
    };
    let game = |number: u32| Block {
        kind: Kind::Game,
        run: RUN,
        number,
        records: records(number as usize, number as usize % 9),
    };
    let shuffled = Block {
        kind: Kind::Shuffled,
        run: 0,
        number: 0,
        records: records(0, 40),
    };
    vec![
        (0..8).flat_map(|number| game(number).bytes()).collect(),
        shuffled.bytes(),
    ]
}

/// What is read stands in the file, byte for byte, and what is gone on with is the file as far as it is whole. Records
/// are asked what they hold even where no block is whole: a checksum keeps out what chance brings, not what a program
/// writes.
#[test]
fn fuzz_data() {
    let folder = folder();
    let path = folder.path().join("positions");
    run("positions", &seeds(), &["TPOS", "\0\0\0\0\0\0\0\0TPOS\x01"], |input| {
        for &bytes in input.as_chunks().0 {
            let record = Record::from_bytes(bytes);
            assert!(record.packed().pieces().count() <= 32);
            match record.position() {
                Ok(position) => assert_eq!(Record::new(&position, 0, Outcome::Draw).position(), Ok(position)),
                Err(error) => assert!(names_damage(&error.to_string())),
            }
        }
        std::fs::write(&path, input).unwrap();
        let (mut whole, mut judged) = (0, Judged::Accepted);
        for block in Blocks::open(&path).unwrap() {
            match block {
                Ok(block) => {
                    let bytes = block.bytes();
                    assert!(input[whole..].starts_with(&bytes));
                    whole += bytes.len();
                }
                Err(error) => {
                    assert!(names_damage(&error.to_string()), "{error}");
                    judged = Judged::Refused;
                }
            }
        }
        match GameFile::open(&path, RUN) {
            Ok(_) => assert_eq!(std::fs::read(&path).unwrap(), input[..whole]),
            Err(error) => {
                assert!(names_damage(&error.to_string()), "{error}");
                assert_eq!(std::fs::read(&path).unwrap(), input, "it is left as it is");
            }
        }
        judged
    });
}
