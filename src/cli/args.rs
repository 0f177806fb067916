//! Argument types shared by subcommands, each with its parser.

use super::CliError;
use clap::builder::RangedU64ValueParser;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use torres_arena::openings::Openings;
use torres_calibration::By;
use torres_engine::nnue::Network;
use torres_engine::{Engine, Evaluation, NoMemory};
use torres_geometry::{DesktopRect, Orientation};
use torres_link::messages::LONGEST_MOVE_MS;
use torres_printing::one_line;
use torres_site::levels::{LEVELS, LevelNumber};

/// `white` or `black`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ColorArg {
    /// White.
    White,
    /// Black.
    Black,
}

impl From<ColorArg> for shakmaty::Color {
    fn from(arg: ColorArg) -> Self {
        match arg {
            ColorArg::White => shakmaty::Color::White,
            ColorArg::Black => shakmaty::Color::Black,
        }
    }
}

/// `white`, `black`, `white-mirrored`, `black-mirrored` or `auto`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum BottomArg {
    /// White at the bottom.
    White,
    /// Black at the bottom.
    Black,
    /// White at the bottom of a mirror image: the h-file is on the left.
    WhiteMirrored,
    /// Black at the bottom of a mirror image: the a-file is on the left.
    BlackMirrored,
    /// As the pieces tell.
    Auto,
}

impl BottomArg {
    /// The orientation stated, `None` for `auto`.
    pub(crate) fn stated(self) -> Option<Orientation> {
        match self {
            BottomArg::White => Some(Orientation::White),
            BottomArg::Black => Some(Orientation::Black),
            BottomArg::WhiteMirrored => Some(Orientation::WhiteMirrored),
            BottomArg::BlackMirrored => Some(Orientation::BlackMirrored),
            BottomArg::Auto => None,
        }
    }
}

/// `auto`, `drag` or `clicks`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ByArg {
    /// Dragged, until that does not land.
    Auto,
    /// Dragged.
    Drag,
    /// Clicked: the piece, then its target.
    Clicks,
}

impl From<ByArg> for By {
    fn from(arg: ByArg) -> By {
        match arg {
            ByArg::Auto => By::Auto,
            ByArg::Drag => By::Drag,
            ByArg::Clicks => By::Clicks,
        }
    }
}

/// A time for each move, in ms.
pub(crate) fn move_ms() -> RangedU64ValueParser {
    RangedU64ValueParser::new().range(1..=LONGEST_MOVE_MS)
}

/// How many of something, at least one.
pub(crate) fn some<T: TryFrom<u64> + Clone + Send + Sync + 'static>() -> RangedU64ValueParser<T>
where
    <T as TryFrom<u64>>::Error: Into<Box<dyn std::error::Error + Send + Sync>> + Send + Sync + 'static,
{
    RangedU64ValueParser::new().range(1..)
}

/// A transposition table's size in MiB: what memory gives just now.
pub(crate) fn hash_mib(text: &str) -> Result<u32, String> {
    let mib: u32 = text
        .parse()
        .ok()
        .filter(|mib| *mib > 0)
        .ok_or("give a whole number of MiB, at least 1")?;
    let (wanted, most) = (mib as usize, Engine::largest_hash_mib(0));
    match wanted <= most {
        true => Ok(mib),
        false => Err(NoMemory::TooLarge { wanted, most }.to_string()),
    }
}

/// A level of the practice site's own bot.
pub(crate) fn level(text: &str) -> Result<LevelNumber, String> {
    let number: u8 = text
        .parse()
        .map_err(|_| format!("there is no such level; choose 1 (weakest) to {}", LEVELS.len()))?;
    LevelNumber::try_from(number).map_err(|error| error.to_string())
}

/// A name that is shown to people.
pub(crate) fn name(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("it is empty".to_owned()),
        name if one_line(name) != name => Err("it has control characters; leave them out".to_owned()),
        name => Ok(name.to_owned()),
    }
}

/// A number with a fraction, within bounds; of the lower one only what is larger counts where it is `open`.
pub(crate) fn fraction(text: &str, bounds: RangeInclusive<f32>, open: bool) -> Result<f32, String> {
    let (least, most) = (*bounds.start(), *bounds.end());
    let number: Option<f32> = text.parse().ok();
    number
        .filter(|number| bounds.contains(number) && !(open && *number == least))
        .ok_or_else(|| {
            let from = if open { "above" } else { "from" };
            format!("give a number {from} {least} up to {most}")
        })
}

/// A part of a whole, 0 to 1.
pub(crate) fn share(text: &str) -> Result<f32, String> {
    fraction(text, 0.0..=1.0, false)
}

/// A step of a weight, in centipawns.
pub(crate) fn step(text: &str) -> Result<f32, String> {
    fraction(text, 0.0..=1000.0, true)
}

/// The width of a learner's step.
pub(crate) fn rate(text: &str) -> Result<f32, String> {
    fraction(text, 0.0..=1.0, true)
}

/// A pull towards where a weight began.
pub(crate) fn pull(text: &str) -> Result<f32, String> {
    fraction(text, 0.0..=1.0, false)
}

/// Where games between engines start.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct OpeningArgs {
    /// Openings, one FEN or EPD a line; default a hundred that come with the program.
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// Orders the openings, and decides what else is left to chance.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

impl OpeningArgs {
    /// Reads the openings, in the seed's order.
    pub(crate) fn openings(&self) -> Result<Openings, CliError> {
        match &self.openings {
            Some(path) => Openings::of_file(path, self.seed).map_err(CliError::usage),
            None => Ok(Openings::built_in(self.seed)),
        }
    }
}

/// What a search of the engine asks.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct EvaluationArgs {
    /// network, or hand-made; default what the engine asks, or with --eval-file network.
    #[arg(long)]
    pub evaluation: Option<Evaluation>,
    /// Another network than the one that comes with the program.
    #[arg(long, value_name = "FILE")]
    pub eval_file: Option<PathBuf>,
}

impl EvaluationArgs {
    /// The evaluation that was named; with a network's file alone, the network.
    pub(crate) fn evaluation(&self) -> Evaluation {
        let of_file = self.eval_file.as_ref().map(|_| Evaluation::Network);
        self.evaluation.or(of_file).unwrap_or_default()
    }

    /// Reads the network that is named.
    pub(crate) fn network(&self) -> Result<Option<Arc<Network>>, CliError> {
        let read = |path: &PathBuf| match Network::read(path) {
            Ok(network) => Ok(Arc::new(network)),
            Err(error) => Err(CliError::usage(format!("'{}': {error}", path.display()))),
        };
        self.eval_file.as_ref().map(read).transpose()
    }
}

/// A series of games between engines: from which openings, and how many at once.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct SeriesArgs {
    /// Openings and their order.
    #[command(flatten)]
    pub start: OpeningArgs,
    /// Games at once.
    #[arg(long, default_value_t = 1, value_parser = at_once())]
    pub concurrency: u16,
}

/// How many games are played at once.
pub(crate) fn at_once() -> RangedU64ValueParser<u16> {
    RangedU64ValueParser::new().range(1..=512)
}

/// `X,Y,WIDTH,HEIGHT` in desktop pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RectArg(pub DesktopRect);

impl FromStr for RectArg {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("'{text}' is not X,Y,WIDTH,HEIGHT in desktop pixels, such as 860,140,300,60");
        let numbers: Vec<i32> = text
            .split(',')
            .map(|part| part.trim().parse().map_err(|_| wrong()))
            .collect::<Result<_, _>>()?;
        match numbers[..] {
            [x, y, width, height] if width > 0 && height > 0 => Ok(RectArg(DesktopRect {
                x,
                y,
                width: width.unsigned_abs(),
                height: height.unsigned_abs(),
            })),
            _ => Err(wrong()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_as_large_as_memory_gives() {
        assert_eq!(hash_mib("16"), Ok(16));
        for wrong in ["0", "-1", "1.5", "many", "99999999999"] {
            assert!(hash_mib(wrong).unwrap_err().contains("at least 1"), "{wrong}");
        }
        // No machine has four pebibytes free.
        let refused = hash_mib("4294967295").unwrap_err();
        assert!(refused.contains("no memory for a table of 4294967295 MiB"), "{refused}");
    }

    #[test]
    fn fractions_have_bounds_and_nothing_else_is_one() {
        assert_eq!((share("0"), share("1"), share("0.25")), (Ok(0.0), Ok(1.0), Ok(0.25)));
        assert_eq!((step("0.5"), pull("0")), (Ok(0.5), Ok(0.0)));
        for wrong in ["-0.1", "1.1", "NaN", "inf", "half", ""] {
            assert!(share(wrong).is_err() && pull(wrong).is_err(), "{wrong}");
        }
        for wrong in ["0", "-1", "NaN", "inf"] {
            assert!(step(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_name_is_one_line_of_what_people_can_read() {
        assert_eq!(name(" Bot 1500 ").as_deref(), Ok("Bot 1500"));
        for wrong in ["", "  ", "a\nb", "\u{1b}[2Jbot", "\u{202e}tob"] {
            assert!(name(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_rectangle_needs_four_numbers_and_an_area() {
        let rect: RectArg = "860,140,300,60".parse().unwrap();
        assert_eq!(
            rect.0,
            DesktopRect {
                x: 860,
                y: 140,
                width: 300,
                height: 60
            }
        );
        for wrong in ["1,2,3", "1,2,3,0", "1,2,-3,4", "a,b,c,d", ""] {
            assert!(wrong.parse::<RectArg>().is_err(), "{wrong}");
        }
    }
}
