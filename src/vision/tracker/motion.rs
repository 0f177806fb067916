//! What earlier moves taught about this board's animations.
//!
//! A live capture sees a piece again within milliseconds, and whether it rests is a matter of waiting for the next
//! frame. A recording, or a busy machine, may show a move in one frame only; then the moves seen before tell whether a
//! piece can still be on its way: all animations of a page take the same time, and many pages have none.

use super::odds::{Animation, seen_at_its_end};
use serde::{Deserialize, Serialize};
use shakmaty::{ByColor, Color, Move};
use std::time::Duration;
use torres_frame::Timestamp;

/// Frames at least this far apart are sparse: one more look at a moving piece may not come before the next move.
const SPARSE: Duration = Duration::from_millis(80);

/// How many moves seen under way tell how long that takes.
const MOVES: u32 = 2;

/// A page that draws no frame for longer does not animate just then: somebody drags the piece, or something lies over
/// the board.
const SLOWEST: Duration = Duration::from_millis(400);

/// What one motion tells about how long this page's pictures stand is mixed with what those before told by this share.
/// A motion that stood longer counts for more: to wait too long costs a moment, to wait too little a false move.
const NEWS: f64 = 0.25;
const BAD_NEWS: f64 = 0.75;

/// How long a picture may stand during a motion before any motion was seen: desktop programs on a busy machine do so.
const STANDS_AT_FIRST: Duration = Duration::from_millis(100);

/// The time between two pictures of a motion on a screen that draws 60 a second.
const STEP: Duration = Duration::from_micros(16_667);

/// A motion that takes longer is a drag, not an animation.
const LONGEST: Duration = Duration::from_millis(1000);

/// How moves came about so far. Of the frame at hand and the motion under way a file says nothing: the frames beside it
/// show them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Motions {
    #[serde(skip)]
    last_frame: Option<Timestamp>,
    /// The time between the last frame and the one before.
    #[serde(skip)]
    gap: Option<Duration>,
    /// Whether the frames show every change of the screen, so that between two of them it stood still.
    #[serde(skip)]
    complete: bool,
    /// When the picture changed last.
    #[serde(skip)]
    changed: Option<Timestamp>,
    /// The longest time for which the motion under way stood still.
    #[serde(skip)]
    stood: Duration,
    /// For how long the pictures of the motion under way stood still, the last one aside.
    #[serde(skip)]
    stood_in_all: Duration,
    /// The longest time of the motions before, averaged: the later, the more it counts.
    #[serde(rename = "stood_ms", with = "in_ms", skip_serializing_if = "Duration::is_zero")]
    usually_stood: Duration,
    /// A move was seen. What changes before the first one is a page that loads, and draws at another pace.
    #[serde(skip)]
    began: bool,
    /// Since when the picture differs from the last one understood.
    #[serde(skip)]
    since: Option<Timestamp>,
    #[serde(with = "by_color")]
    sides: ByColor<Side>,
    /// The longest time from the first frame of a motion to the frame in which it was over.
    #[serde(rename = "longest_ms", with = "in_ms")]
    longest: Duration,
}

/// Moves of one side believed so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Side {
    /// Seen under way.
    animated: u32,
    /// Seen at their end only.
    sudden: u32,
    /// What these say against animations, in nats; older evidence only counts them.
    #[serde(skip_serializing_if = "Option::is_none")]
    still: Option<f64>,
}

impl Side {
    /// A move was seen at its end only, `gap` after the frame before.
    fn is_sudden(&mut self, gap: Duration) {
        self.still = Some(self.still_nats() + seen_at_its_end(gap));
        self.sudden += 1;
    }

    fn still_nats(&self) -> f64 {
        self.still
            .unwrap_or_else(|| f64::from(self.sudden) * seen_at_its_end(Duration::ZERO))
    }
}

impl Motions {
    /// A frame has come.
    pub fn frame(&mut self, now: Timestamp) {
        self.gap = self.last_frame.map(|last| now.since(last));
        self.last_frame = Some(now);
    }

    /// The frame before, of which nothing is told, came so long before this moment.
    pub fn looked_before(&mut self, now: Timestamp, gap: Duration) {
        self.last_frame = Some(Timestamp(now.0.saturating_sub(gap)));
    }

    /// The same with frames that show as much as those of another one.
    pub fn seen_as(self, other: &Motions) -> Motions {
        Motions {
            complete: other.complete,
            ..self
        }
    }

    /// The frames show every change of the screen.
    pub fn show_every_change(&mut self) {
        self.complete = true;
    }

    /// The last frame's picture is another than that of the frame before.
    pub fn changed(&mut self, now: Timestamp) {
        if let (Some(last), Some(_)) = (self.changed, self.since) {
            // Where not every change is seen, other pictures may have come since the frame before this one.
            let unseen = match self.complete {
                true => Duration::ZERO,
                false => self.gap.unwrap_or(SLOWEST),
            };
            let stood = now.since(last).saturating_sub(unseen);
            self.stood_in_all += stood;
            if stood <= SLOWEST {
                self.stood = self.stood.max(stood);
            }
        }
        self.changed = Some(now);
    }

    /// The longest time between two pictures of the motion under way, or what it was on average in those before, if
    /// every change is seen; else for how long a picture of this motion was seen to stand. Before the first motion it
    /// is [`STANDS_AT_FIRST`]. Programs that draw a piece on its way in two or three places do so at each move, and
    /// the first of these may be right over a square.
    pub fn page_frame(&self) -> Duration {
        match self.complete {
            true if self.usually_stood.is_zero() => self.stood.max(STANDS_AT_FIRST),
            true => self.stood.max(self.usually_stood),
            false => self.stood,
        }
    }

    /// It is not understood: something may be moving.
    pub fn not_understood(&mut self, now: Timestamp) {
        self.since.get_or_insert(now);
    }

    /// It is understood, and shows what was believed before.
    pub fn nothing_moved(&mut self) {
        self.since = None;
        self.ended();
    }

    /// It is understood, and shows the end of moves of which `turn` made the first.
    pub fn understood(&mut self, now: Timestamp, turn: Color, line: &[Move]) {
        let took = self.since.take().map_or(Duration::ZERO, |since| now.since(since));
        self.began |= !line.is_empty();
        self.ended();
        // Of several moves at once nobody knows which took how long.
        let [played] = line else { return };
        let gap = self.gap.unwrap_or_default();
        let side = self.sides.get_mut(turn);
        if took > LONGEST {
            return;
        }
        if !took.is_zero() {
            side.animated += 1;
            self.longest = self.longest.max(took);
        } else if matches!(played, Move::Normal { .. }) {
            // Captures in passing and castling are shown without an animation by pages that have one for other moves.
            side.is_sudden(gap);
        }
    }

    /// The motion under way is over.
    fn ended(&mut self) {
        self.stood_in_all = Duration::ZERO;
        let stood = std::mem::take(&mut self.stood);
        if !stood.is_zero() && self.complete && self.began {
            let news = match self.usually_stood {
                Duration::ZERO => 1.0,
                usual if stood > usual => BAD_NEWS,
                _ => NEWS,
            };
            self.usually_stood = self.usually_stood.mul_f64(1.0 - news) + stood.mul_f64(news);
        }
    }

    /// How long before the last frame the page had drawn another picture, or was looked at, if it was. Where every
    /// change is seen and a motion is under way, the page may have hung all that time and drawn a picture only now: the
    /// piece is a usual step farther, not a long one.
    pub fn gap(&self) -> Option<Duration> {
        match self.complete && self.since.is_some() {
            true => self.gap.map(|gap| gap.min(STEP)),
            false => self.gap,
        }
    }

    /// Whether the last frame came alone.
    pub fn are_sparse(&self) -> bool {
        self.gap.is_some_and(|gap| gap >= SPARSE)
    }

    /// For how long the motion that began then has gone on, without the times for which its pictures stood still: a
    /// page that hangs ends no motion.
    fn moved_for(&self, now: Timestamp, since: Timestamp) -> Duration {
        let stands = self.changed.map_or(Duration::ZERO, |changed| now.since(changed));
        now.since(since).saturating_sub(self.stood_in_all + stands)
    }

    /// What earlier motions say of a piece of this side that is seen in the last frame, if that came alone.
    pub fn animation(&self, turn: Color) -> Animation {
        let Some(now) = self.last_frame.filter(|_| self.are_sparse()) else {
            return Animation::Unknown;
        };
        let animated: u32 = self.sides.iter().map(|side| side.animated).sum();
        let side = self.sides.get(turn);
        match self.since {
            // A page that hangs draws the motion's next picture whenever it goes on.
            Some(_) if self.complete => Animation::Unknown,
            Some(since) if animated >= MOVES && self.moved_for(now, since) >= self.longest => Animation::Over,
            None if side.animated == 0 => Animation::Still(side.still_nats()),
            _ => Animation::Unknown,
        }
    }
}

/// Both sides by their names.
mod by_color {
    use super::Side;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use shakmaty::ByColor;

    #[derive(Default, Serialize, Deserialize)]
    #[serde(default)]
    struct Named {
        white: Side,
        black: Side,
    }

    pub fn serialize<S: Serializer>(sides: &ByColor<Side>, serializer: S) -> Result<S::Ok, S::Error> {
        let ByColor { white, black } = *sides;
        Named { white, black }.serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ByColor<Side>, D::Error> {
        let Named { white, black } = Named::deserialize(deserializer)?;
        Ok(ByColor { white, black })
    }
}

/// A time in ms.
mod in_ms {
    use serde::{Deserialize, Deserializer, Serializer, de};
    use std::time::Duration;

    pub fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(time.as_secs_f64() * 1e3)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        let ms = f64::deserialize(deserializer)?;
        Duration::try_from_secs_f64(ms / 1e3).map_err(|_| de::Error::custom(format!("{ms} ms is no time")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Chess, Position};

    fn at(ms: u32) -> Timestamp {
        Timestamp::from_ms(f64::from(ms))
    }

    /// Frames that are each seen alone, `apart` ms from one another.
    struct Recording {
        motions: Motions,
        now: u32,
        apart: u32,
    }

    impl Recording {
        fn new(apart: u32) -> Recording {
            let mut motions = Motions::default();
            motions.frame(at(0));
            Recording { motions, now: 0, apart }
        }

        fn frame(&mut self) -> &mut Motions {
            self.now += self.apart;
            self.motions.frame(at(self.now));
            &mut self.motions
        }

        /// A move that is at once where it goes.
        fn jump(&mut self) {
            self.frame();
            self.ends();
        }

        /// The last frame shows the end of a move of White's.
        fn ends(&mut self) {
            let played = Chess::default().legal_moves()[0];
            self.motions.understood(at(self.now), Color::White, &[played]);
        }

        /// A move that is seen under way first.
        fn slide(&mut self) {
            self.frame();
            let now = at(self.now);
            self.motions.not_understood(now);
            self.frame();
            self.ends();
        }
    }

    /// What was said against animations, in moves seen at their end in frames that come so often that each would have
    /// been seen under way.
    fn moves_still(animation: Animation) -> f64 {
        match animation {
            Animation::Still(nats) => nats / seen_at_its_end(Duration::ZERO),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_board_on_which_nothing_was_ever_seen_under_way_does_not_animate() {
        let mut recording = Recording::new(200);
        for moves in 0..6 {
            let still = moves_still(recording.frame().animation(Color::White));
            assert!((still - f64::from(moves)).abs() < 1e-9, "{still} after {moves}");
            recording.jump();
        }
        assert_eq!(
            recording.frame().animation(Color::Black),
            Animation::Still(0.0),
            "the other side's moves may be animated"
        );
        recording.slide();
        assert_eq!(
            recording.frame().animation(Color::White),
            Animation::Unknown,
            "now one was"
        );
    }

    #[test]
    fn a_motion_is_over_after_the_time_that_others_took() {
        let mut recording = Recording::new(200);
        recording.slide();
        recording.frame().not_understood(at(600));
        assert_eq!(
            recording.frame().animation(Color::White),
            Animation::Unknown,
            "one motion tells nothing yet"
        );
        recording.ends();
        // Both took 200 ms at most.
        let begun = recording.now + 200;
        recording.frame().not_understood(at(begun));
        assert_eq!(
            recording.motions.animation(Color::White),
            Animation::Unknown,
            "it has just begun"
        );
        assert_eq!(recording.frame().animation(Color::White), Animation::Over);
    }

    #[test]
    fn frames_far_apart_say_little_against_animations() {
        let mut recording = Recording::new(1200);
        (0..3).for_each(|_| recording.jump());
        let still = moves_still(recording.frame().animation(Color::White));
        assert!(still > 0.0 && still < 0.6, "{still}");
        // Older evidence only counted moves.
        let counted = r#"{"sides":{"white":{"animated":0,"sudden":3}},"longest_ms":0}"#;
        let read: Motions = serde_json::from_str(counted).unwrap();
        assert!((read.sides.white.still_nats() - 3.0 * seen_at_its_end(Duration::ZERO)).abs() < 1e-9);
    }

    #[test]
    fn where_frames_follow_each_other_closely_the_next_one_is_waited_for() {
        let mut recording = Recording::new(16);
        for _ in 0..12 {
            recording.jump();
        }
        assert_eq!(recording.frame().animation(Color::White), Animation::Unknown);
        // Unless a frame came alone; or it did not, and only the frames before it are not told.
        recording.apart = 200;
        assert!((moves_still(recording.frame().animation(Color::White)) - 12.0).abs() < 1e-9);
        recording.now += 200;
        recording
            .motions
            .looked_before(at(recording.now), Duration::from_millis(16));
        recording.motions.frame(at(recording.now));
        assert_eq!(recording.motions.animation(Color::White), Animation::Unknown);
    }

    #[test]
    fn how_often_a_page_draws_is_known_where_every_change_is_seen() {
        let mut motions = Motions::default();
        let mut shows = |ms: u32, complete: bool| {
            if complete {
                motions.show_every_change();
            }
            motions.changed(at(ms));
            motions.not_understood(at(ms));
            motions.page_frame()
        };
        assert_eq!(shows(1000, false), Duration::ZERO);
        assert_eq!(shows(1040, false), Duration::ZERO, "others may have come between");
        assert_eq!(shows(1100, true), STANDS_AT_FIRST, "nothing was seen to its end");
        assert_eq!(shows(1170, true), STANDS_AT_FIRST);
        motions.changed(at(1900));
        motions.understood(at(1900), Color::White, &[Chess::default().legal_moves()[0]]);
        assert_eq!(motions.page_frame(), Duration::from_millis(70), "it was dragged");
        motions.changed(at(5000));
        let usual = motions.page_frame();
        assert_eq!(usual, Duration::from_millis(70), "the next motion begins");
        // Later motions of a page that draws more often are believed the sooner.
        for start in [6000, 7000, 8000, 9000] {
            for ms in [0, 16, 32] {
                motions.changed(at(start + ms));
                motions.not_understood(at(start + ms));
            }
            motions.nothing_moved();
        }
        assert!(motions.page_frame() < usual / 2, "{:?}", motions.page_frame());
        // One motion that stands longer is reason enough to wait longer.
        for ms in [10_000, 10_200] {
            motions.changed(at(ms));
            motions.not_understood(at(ms));
        }
        motions.nothing_moved();
        assert!(
            motions.page_frame() > Duration::from_millis(150),
            "{:?}",
            motions.page_frame()
        );
    }

    /// A page drew its board in pictures 16 ms apart and began with h2h4. Its pawn stood half-way for 55 ms, and h2h3 was
    /// believed (soak-looks 34, page 5).
    #[test]
    fn a_page_that_loads_does_not_tell_how_often_it_draws_in_a_motion() {
        let mut motions = Motions::default();
        motions.show_every_change();
        for ms in [1000, 1016, 1032] {
            motions.changed(at(ms));
            motions.not_understood(at(ms));
        }
        motions.understood(at(1032), Color::White, &[]);
        assert_eq!(motions.page_frame(), STANDS_AT_FIRST);
    }

    #[test]
    fn how_long_a_picture_was_seen_to_stand_is_known_though_others_may_have_come_since() {
        let mut motions = Motions::default();
        let mut shows = |ms: u32, changes: bool| {
            motions.frame(at(ms));
            if changes {
                motions.changed(at(ms));
            }
            motions.not_understood(at(ms));
            motions.page_frame()
        };
        let changes = [(1000, true), (1130, true), (1190, false), (1230, false), (1260, true)];
        let known = changes.map(|(ms, changes)| shows(ms, changes).as_millis());
        assert_eq!(known, [0, 0, 0, 0, 100]);
    }

    #[test]
    fn the_time_for_which_a_picture_stood_does_not_end_a_motion() {
        let animation = |changes: [bool; 4]| {
            let mut recording = Recording::new(200);
            recording.slide();
            recording.slide();
            let begun = recording.now + 200;
            let motions = &mut recording.motions;
            for (nth, changes) in (0..).zip(changes) {
                motions.frame(at(begun + 90 * nth));
                if changes {
                    motions.changed(at(begun + 90 * nth));
                }
                motions.not_understood(at(begun));
            }
            motions.animation(Color::White)
        };
        assert_eq!(animation([true, true, true, true]), Animation::Over);
        assert_eq!(
            animation([true, false, false, true]),
            Animation::Unknown,
            "it stood for 180 of 270 ms"
        );
    }

    /// GNOME Chess on a busy machine drew no picture for 0.7 s while a bishop was on its way, and then one right over
    /// f5.
    #[test]
    fn a_page_that_hangs_in_a_motion_does_not_end_it() {
        let mut recording = Recording::new(200);
        recording.slide();
        recording.slide();
        let begun = recording.now + 200;
        recording.frame().not_understood(at(begun));
        recording.apart = 700;
        let motions = recording.frame();
        assert_eq!(
            (motions.animation(Color::White), motions.gap()),
            (Animation::Over, Some(Duration::from_millis(700)))
        );
        motions.show_every_change();
        assert_eq!(
            (motions.animation(Color::White), motions.gap()),
            (Animation::Unknown, Some(STEP))
        );
    }

    #[test]
    fn a_hand_that_holds_a_piece_long_is_no_animation() {
        let mut recording = Recording::new(2000);
        recording.slide();
        recording.slide();
        let begun = recording.now + 2000;
        recording.frame().not_understood(at(begun));
        assert_eq!(recording.frame().animation(Color::White), Animation::Unknown);
    }

    #[test]
    fn what_moves_taught_survives_a_file() {
        let mut recording = Recording::new(200);
        recording.slide();
        recording.slide();
        let text = serde_json::to_string(&recording.motions).unwrap();
        let mut read: Motions = serde_json::from_str(&text).unwrap();
        read.looked_before(at(200), Duration::from_millis(200));
        read.frame(at(200));
        read.not_understood(at(0));
        assert_eq!(read.animation(Color::White), Animation::Over);
        assert!(serde_json::from_str::<Motions>(r#"{"longest_ms":-1}"#).is_err());
    }
}
