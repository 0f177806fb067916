//! Damage for tests: valid inputs of every door, changed a little or a lot, as many as asked for.
//!
//! A target lives with its door (`mod fuzz` in its tests), takes any bytes, and asserts more than that nothing panics
//! where there is more to assert. Tests alone know this room. `docs/fuzz.md` has the targets, how to run them at
//! length, and what they found.

#[macro_use]
extern crate torres_printing;

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use std::time::{Duration, Instant};

/// Inputs of a short run: what every `cargo test` does.
const SHORT: u64 = 2_000;

/// Longest input, in bytes.
const LONGEST: usize = 200 * 1024;

/// Text that parsers stumble over: limits of numbers, brackets, separators, odd letters.
const WORDS: [&str; 40] = [
    "0",
    "-1",
    "1",
    "8",
    "9",
    "64",
    "255",
    "256",
    "65535",
    "65536",
    "4294967295",
    "4294967296",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775808",
    "1e308",
    "1e999",
    "-0.0",
    "0.5",
    "1e-320",
    "null",
    "true",
    "[]",
    "{}",
    "\"\"",
    "\\u0000",
    "\\ud800",
    "\n",
    "\r\n",
    "\t",
    " ",
    ",",
    ":",
    "/",
    "..",
    "[[[[[[[[",
    "{\"a\":{\"a\":",
    "ä",
    "\u{202e}",
    "𝔸",
];

/// Makes inputs from seeds.
pub struct Damager<'a> {
    seeds: &'a [Vec<u8>],
    /// Words of the door's own language, put in and swapped beside the general ones.
    words: &'a [&'a str],
    chance: SmallRng,
}

impl Damager<'_> {
    /// The next input. One in sixteen is a seed as it is: valid.
    pub fn damaged(&mut self) -> Vec<u8> {
        let mut input = self.seeds.choose(&mut self.chance).cloned().unwrap_or_default();
        if self.chance.random_ratio(1, 16) {
            return input;
        }
        // Mostly a single wound: an input that is wrong in one place gets farthest.
        let wounds = 1 + self.chance.random_range(0..16u32).trailing_zeros().min(6);
        for _ in 0..wounds {
            self.wound(&mut input);
        }
        input.truncate(LONGEST);
        input
    }

    fn wound(&mut self, input: &mut Vec<u8>) {
        match self.chance.random_range(0..12u8) {
            0 => self.flip(input),
            1 => {
                let at = self.place(input);
                input.insert(at, self.chance.random());
            }
            2 => {
                let (from, to) = self.range(input);
                input.drain(from..to);
            }
            3 => {
                let (from, to) = self.range(input);
                let part = input[from..to].to_vec();
                let at = self.place(input);
                input.splice(at..at, part);
            }
            4 => input.truncate(self.place(input)),
            5 | 6 => {
                let word = self.word();
                let at = self.place(input);
                input.splice(at..at, word);
            }
            7..=9 => self.swap_token(input),
            10 if self.chance.random_ratio(1, 4) => {
                // A part that does not end.
                let (from, to) = self.range(input);
                let part = input[from..to].repeat(self.chance.random_range(0..2_000));
                input.splice(from..to, part);
            }
            10 => {
                let Some(other) = self.seeds.choose(&mut self.chance).cloned() else {
                    return;
                };
                let (from, to) = self.range(&other);
                let (start, end) = self.range(input);
                input.splice(start..end, other[from..to].iter().copied());
            }
            _ => self.swap_lines(input),
        }
    }

    fn flip(&mut self, input: &mut [u8]) {
        let bit = self.chance.random_range(0..8u8);
        if let Some(at) = self.place(input).checked_sub(1) {
            input[at] ^= 1 << bit;
        }
    }

    /// A number, a word or a punctuation mark gives way to another one: the text stays of its kind.
    fn swap_token(&mut self, input: &mut Vec<u8>) {
        let at = self.place(input);
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-' | b'+');
        let start = input[..at].iter().rposition(|b| !is_word(b)).map_or(0, |p| p + 1);
        let end = input[at..]
            .iter()
            .position(|b| !is_word(b))
            .map_or(input.len(), |p| at + p);
        let word = self.word();
        input.splice(start..end.max(start), word);
    }

    fn swap_lines(&mut self, input: &mut Vec<u8>) {
        let mut lines: Vec<Vec<u8>> = input.split_inclusive(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
        if lines.len() < 2 {
            return self.flip(input);
        }
        let (a, b) = (
            self.chance.random_range(0..lines.len()),
            self.chance.random_range(0..lines.len()),
        );
        lines.swap(a, b);
        *input = lines.concat();
    }

    fn word(&mut self) -> Vec<u8> {
        let own = self
            .chance
            .random_ratio(2, 3)
            .then(|| self.words.choose(&mut self.chance))
            .flatten();
        let word = own.or_else(|| WORDS.choose(&mut self.chance));
        word.map_or(Vec::new(), |word| word.as_bytes().to_vec())
    }

    /// A place between two bytes.
    fn place(&mut self, input: &[u8]) -> usize {
        self.chance.random_range(0..=input.len())
    }

    /// A part of at most some bytes, mostly short.
    fn range(&mut self, input: &[u8]) -> (usize, usize) {
        let from = self.place(input);
        let most = [1, 4, 16, 256][self.chance.random_range(0..4usize)];
        (from, (from + self.chance.random_range(0..=most)).min(input.len()))
    }
}

/// What a target made of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    /// It went through the door.
    Accepted,
    /// It was turned away, with a reason that says what is wrong.
    Refused,
}

/// Feeds a target with damaged seeds: so many as `TORRES_FUZZ` says, or a short run's. An input at which the target
/// panics is shown, and left in the temporary folder. `TORRES_FUZZ_SEED` repeats a run.
pub fn run(name: &str, seeds: &[Vec<u8>], words: &[&str], mut target: impl FnMut(&[u8]) -> Judged) {
    let number = |variable: &str| std::env::var(variable).ok()?.replace('_', "").parse::<u64>().ok();
    let inputs = number("TORRES_FUZZ").unwrap_or(SHORT);
    let seed = number("TORRES_FUZZ_SEED").unwrap_or_else(|| match inputs {
        // What every test run does must not depend on luck.
        SHORT => 1,
        _ => rand::random(),
    });
    let mut damager = Damager {
        seeds,
        words,
        chance: SmallRng::seed_from_u64(seed),
    };
    // Every seed is valid: otherwise damage starts from nothing.
    for (index, input) in seeds.iter().enumerate() {
        assert_eq!(target(input), Judged::Accepted, "{name}: seed {index} is not valid");
    }
    let began = Instant::now();
    let (mut accepted, mut slowest) = (0u64, Duration::ZERO);
    for round in 0..inputs {
        let input = damager.damaged();
        let guard = Witness {
            name,
            seed,
            round,
            input: &input,
        };
        let before = Instant::now();
        accepted += u64::from(target(&input) == Judged::Accepted);
        slowest = slowest.max(before.elapsed());
        std::mem::forget(guard);
    }
    println!(
        "{name}: {inputs} inputs in {:.0} s, {accepted} accepted, the slowest took {:.1} ms; seed {seed}",
        began.elapsed().as_secs_f64(),
        slowest.as_secs_f64() * 1e3,
    );
}

/// Tells the input when the target panics.
struct Witness<'a> {
    name: &'a str,
    seed: u64,
    round: u64,
    input: &'a [u8],
}

impl Drop for Witness<'_> {
    fn drop(&mut self) {
        let file = std::env::temp_dir().join(format!("torres-fuzz-{}-{}", self.name.replace(' ', "-"), self.round));
        let _ = std::fs::write(&file, self.input);
        let shown: String = String::from_utf8_lossy(self.input).chars().take(2_000).collect();
        eprintln!(
            "{}: input {} of seed {} broke it (also in {}):\n{shown}",
            self.name,
            self.round,
            self.seed,
            file.display()
        );
    }
}

/// A folder for a target that reads files; in memory where the system has such a place.
pub fn folder() -> tempfile::TempDir {
    let memory = std::path::Path::new("/dev/shm");
    let made = match memory.is_dir() {
        true => tempfile::tempdir_in(memory),
        false => tempfile::tempdir(),
    };
    made.expect("a folder for a test")
}

/// Whether a message names what is wrong: it is not empty, of one kind of text, and no novel.
pub fn names_damage(message: &str) -> bool {
    !message.trim().is_empty() && message.len() < 4_096
}
