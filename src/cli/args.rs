//! Argument types shared by subcommands, each with its parser.

use super::CliError;
use crate::arena::openings::Openings;
use crate::geometry::{DesktopRect, Orientation};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// `white` or `black`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ColorArg {
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

/// `white`, `black` or `auto`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum BottomArg {
    /// White at the bottom.
    White,
    /// Black at the bottom.
    Black,
    /// As the pieces tell.
    Auto,
}

impl BottomArg {
    /// The orientation stated, `None` for `auto`.
    pub fn stated(self) -> Option<Orientation> {
        match self {
            BottomArg::White => Some(Orientation::White),
            BottomArg::Black => Some(Orientation::Black),
            BottomArg::Auto => None,
        }
    }
}

/// A series of games between engines: from which openings, and how many at once.
#[derive(clap::Args, Clone, Debug)]
pub struct SeriesArgs {
    /// Openings, one FEN or EPD a line; default a hundred that come with the program.
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// Orders the openings, and decides what else is left to chance.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Games at once.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    pub concurrency: u16,
}

impl SeriesArgs {
    /// Reads the openings, in the seed's order.
    pub fn openings(&self) -> Result<Openings, CliError> {
        match &self.openings {
            Some(path) => Openings::of_file(path, self.seed).map_err(CliError::usage),
            None => Ok(Openings::built_in(self.seed)),
        }
    }
}

/// `X,Y,WIDTH,HEIGHT` in desktop pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RectArg(pub DesktopRect);

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

/// A time control: `15+10` is 15 minutes and 10 seconds a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockArg {
    /// Time at the start.
    pub initial: Duration,
    /// Time gained with each move.
    pub increment: Duration,
}

/// As it is read.
impl fmt::Display for ClockArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}+{}",
            self.initial.as_secs_f64() / 60.0,
            self.increment.as_secs_f64()
        )
    }
}

impl FromStr for ClockArg {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("'{text}' is not MINUTES+SECONDS, such as 15+10");
        let (minutes, seconds) = text.split_once('+').ok_or_else(wrong)?;
        let minutes: f64 = minutes.parse().map_err(|_| wrong())?;
        let seconds: f64 = seconds.parse().map_err(|_| wrong())?;
        if !(0.0..=600.0).contains(&minutes) || !(0.0..=600.0).contains(&seconds) || minutes + seconds <= 0.0 {
            return Err(wrong());
        }
        Ok(ClockArg {
            initial: Duration::from_secs_f64(minutes * 60.0),
            increment: Duration::from_secs_f64(seconds),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_minutes_plus_seconds() {
        let clock: ClockArg = "15+10".parse().unwrap();
        assert_eq!(clock.initial, Duration::from_secs(900));
        assert_eq!(clock.increment, Duration::from_secs(10));
        assert_eq!(clock.to_string(), "15+10");
        assert_eq!("0.5+0".parse::<ClockArg>().unwrap().to_string(), "0.5+0");
        for wrong in ["15", "+", "-1+0", "0+0", "15+x", "1e9+0"] {
            assert!(wrong.parse::<ClockArg>().is_err(), "{wrong}");
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
