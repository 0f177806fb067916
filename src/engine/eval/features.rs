//! What the evaluation looks at: groups of features by name. Each feature is counted for both sides, and has a weight
//! in [`WEIGHTS`](super::weights::WEIGHTS) at the same index.

/// Features that belong together, such as one for each rank.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    pub(super) name: &'static str,
    first: usize,
    pub(super) len: usize,
}

impl Group {
    /// The index of a feature of the group.
    #[inline(always)]
    pub(super) const fn at(&self, member: usize) -> usize {
        debug_assert!(member < self.len);
        self.first + member
    }

    /// The index of the only feature of the group.
    #[inline(always)]
    pub(super) const fn only(&self) -> usize {
        self.at(0)
    }
}

macro_rules! groups {
    ($($(#[$doc:meta])* $name:ident: $len:expr;)*) => {
        #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "numbers the groups by their names")]
        enum Order { $($name,)* }
        const LENGTHS: &[usize] = &[$($len,)*];
        $($(#[$doc])* pub(super) const $name: Group = Group {
            name: stringify!($name),
            first: sum_of_first(LENGTHS, Order::$name as usize),
            len: $len,
        };)*
        /// All groups, in the order of their features.
        pub(super) const GROUPS: &[Group] = &[$($name,)*];
        /// Number of features.
        pub(super) const COUNT: usize = sum_of_first(LENGTHS, LENGTHS.len());
    };
}

const fn sum_of_first(lengths: &[usize], groups: usize) -> usize {
    let (mut sum, mut group) = (0, 0);
    while group < groups {
        sum += lengths[group];
        group += 1;
    }
    sum
}

// Ranks are a side's own, the first is 0; squares are a side's own too, a1 is 0.
groups! {
    /// Having the move.
    TEMPO: 1;
    /// Pawn, knight, bishop, rook, queen.
    MATERIAL: 5;
    /// By role, pawn to king, and square.
    SQUARES: 6 * 64;
    /// By number of squares it can usefully go to.
    KNIGHT_MOBILITY: 9;
    /// By number of squares it can usefully go to.
    BISHOP_MOBILITY: 14;
    /// By number of squares it can usefully go to.
    ROOK_MOBILITY: 15;
    /// By number of squares it can usefully go to.
    QUEEN_MOBILITY: 28;
    /// Two bishops or more.
    BISHOP_PAIR: 1;
    /// A knight, for each own pawn beyond five.
    KNIGHT_PER_PAWN: 1;
    /// A rook, for each own pawn beyond five.
    ROOK_PER_PAWN: 1;
    /// A pawn with another of its side ahead on its file.
    PAWN_DOUBLED: 1;
    /// A pawn with none of its side on the neighbouring files; by whether the other side has none ahead on its file.
    PAWN_ISOLATED: 2;
    /// A pawn whose neighbours are all ahead and whose stop square a pawn attacks; by whether the other side has none
    /// ahead on its file.
    PAWN_BACKWARD: 2;
    /// A pawn with another beside it, by rank.
    PAWN_PHALANX: 8;
    /// A pawn that a pawn defends, by rank.
    PAWN_DEFENDED: 8;
    /// A pawn with none ahead on its file that is not passed but has as many helpers as opponents, by rank.
    PAWN_CANDIDATE: 8;
    /// A passed pawn, by rank.
    PASSED: 8;
    /// A passed pawn that a pawn defends or accompanies, by rank.
    PASSED_CONNECTED: 8;
    /// A passed pawn with a piece on its stop square, by rank.
    PASSED_BLOCKED: 8;
    /// A passed pawn that can step on without being attacked there, by rank.
    PASSED_SAFE_STEP: 8;
    /// A passed pawn with nothing on its way, nor attacking it, by rank.
    PASSED_FREE_PATH: 8;
    /// A step between a passed pawn's stop square and its king, by rank.
    PASSED_OWN_KING: 8;
    /// A step between a passed pawn's stop square and the other king, by rank.
    PASSED_THEIR_KING: 8;
    /// A rook behind its own passed pawn.
    ROOK_BEHIND_PASSED: 1;
    /// A rook behind the other side's passed pawn.
    ROOK_BEHIND_THEIRS: 1;
    /// A passed pawn that a lone king cannot catch.
    PASSED_UNSTOPPABLE: 1;
    /// Knight, bishop where no pawn can attack it and one of its own defends it.
    OUTPOST: 2;
    /// A knight that can reach an outpost.
    OUTPOST_NEAR: 1;
    /// A knight or bishop right behind a pawn.
    MINOR_BEHIND_PAWN: 1;
    /// A bishop, for each own pawn on squares of its colour.
    BISHOP_PAWNS: 1;
    /// A bishop that sees both centre squares of a long diagonal.
    BISHOP_LONG_DIAGONAL: 1;
    /// A rook on a file without pawns, with only the other side's.
    ROOK_FILE: 2;
    /// A rook on the seventh rank, with the king on the eighth or pawns to take.
    ROOK_SEVENTH: 1;
    /// A rook shut in by its own king.
    ROOK_TRAPPED: 1;
    /// Development: a knight or bishop at home.
    UNDEVELOPED: 1;
    /// A queen that left its home, for each knight or bishop still there.
    QUEEN_EARLY: 1;
    /// Knight, bishop, rook, queen: each step nearer to the other king than seven.
    TROPISM: 4;
    /// The nearest own pawn before the king on its own file, by rank; 0 for none.
    SHELTER_KING_FILE: 8;
    /// The same on the neighbouring files.
    SHELTER_NEXT_FILE: 8;
    /// The other side's nearest pawn on the king's or a neighbouring file, by rank as the king's side counts; 0 for
    /// none.
    STORM: 8;
    /// The same where an own pawn stands right before it.
    STORM_BLOCKED: 8;
    /// Danger to the other king, and its square: see [`king`](super::king).
    KING_DANGER: 2;
    /// Knight, bishop, rook, queen that can give a safe check.
    SAFE_CHECK: 4;
    /// A step between the king and the nearest pawn of either side.
    KING_PAWN_DISTANCE: 1;
    /// A pawn that attacks a knight, bishop, rook, queen.
    THREAT_BY_PAWN: 4;
    /// A knight or bishop that attacks a weak pawn, or a knight, bishop, rook, queen.
    THREAT_BY_MINOR: 5;
    /// A rook that attacks a weak pawn, knight, bishop, rook, or a queen.
    THREAT_BY_ROOK: 5;
    /// A king that attacks something weak.
    THREAT_BY_KING: 1;
    /// A piece that is attacked and not defended.
    HANGING: 1;
    /// A piece that a pawn's safe push would attack.
    THREAT_BY_PUSH: 1;
    /// A square that the other side attacks, but not well, and we do too.
    RESTRICTED: 1;
    /// Board control: a square of the other half, of the sixteen in the centre, that only we control.
    CONTROL: 2;
    /// A safe square behind the own pawns in the four files of the centre.
    SPACE: 1;
}
