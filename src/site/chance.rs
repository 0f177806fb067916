//! Repeatable chance: a number for every (seed, game, ply), whatever was drawn before.

/// A source of the bot's choices for one ply. Equal seeds, games and plies give equal choices.
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    /// The choices of this ply.
    pub fn new(seed: u64, game: u64, ply: u64) -> Chance {
        let mut chance = Chance(seed);
        for part in [game, ply] {
            chance.0 = chance.next() ^ part;
        }
        chance
    }

    /// SplitMix64 (Steele, Lea and Flood 2014).
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// True in `percent` of 100 cases.
    pub fn happens(&mut self, percent: u8) -> bool {
        self.next() % 100 < u64::from(percent)
    }

    /// One of `items`, all equally likely; `None` of an empty list.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        let len = u64::try_from(items.len()).ok().filter(|&len| len > 0)?;
        items.get(usize::try_from(self.next() % len).ok()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_plies_choose_equally_and_others_differ() {
        let draw = |seed, game, ply| Chance::new(seed, game, ply).next();
        assert_eq!(draw(1, 2, 3), draw(1, 2, 3));
        let all = [
            draw(1, 2, 3),
            draw(2, 2, 3),
            draw(1, 3, 3),
            draw(1, 2, 4),
            draw(1, 3, 2),
        ];
        for (i, a) in all.iter().enumerate() {
            assert!(all[i + 1..].iter().all(|b| a != b), "{all:?}");
        }
    }

    #[test]
    fn chance_is_fair_within_sampling_error() {
        let hits = (0..10_000).filter(|&ply| Chance::new(7, 1, ply).happens(30)).count();
        assert!((2_800..3_200).contains(&hits), "{hits}");
        let mut counts = [0; 4];
        for ply in 0..10_000 {
            counts[*Chance::new(7, 1, ply).pick(&[0, 1, 2, 3]).unwrap()] += 1;
        }
        assert!(counts.iter().all(|c| (2_300..2_700).contains(c)), "{counts:?}");
        assert_eq!(Chance::new(1, 1, 1).pick::<u8>(&[]), None);
    }
}
