//! Fuzz target: checkpoints.
#![cfg(test)]

use super::checkpoint::Checkpoint;
use super::tests::checkpoint;
use torres_fuzz::{Judged, run};

/// What is read can be written, and read again to the same. Each input is also read with a checksum that fits: a
/// checksum keeps out what chance brings, not what a program writes.
#[test]
fn fuzz_checkpoint() {
    run(
        "checkpoint",
        &[checkpoint().bytes()],
        &["TRUN", "TRUN\x01\0\0\0"],
        |input| {
            let mut fitting = input[..input.len().saturating_sub(4)].to_vec();
            fitting.extend(crc32fast::hash(&fitting).to_le_bytes());
            let mut judged = Judged::Refused;
            for bytes in [input, &fitting] {
                if let Some(checkpoint) = Checkpoint::from_bytes(bytes) {
                    let written = checkpoint.bytes();
                    assert_eq!(written.len(), bytes.len());
                    assert!(Checkpoint::from_bytes(&written).is_some_and(|again| again.bytes() == written));
                    judged = Judged::Accepted;
                }
            }
            judged
        },
    );
}
