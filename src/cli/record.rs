//! `torres record`.

use super::{CliError, CliResult, Exit, runtime};
use shakmaty::{Chess, Position};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::time::Instant;
use torres_bot::look_timer::{LOOK_EVERY, LookTimer, Stillness};
use torres_bot::place::{BoardPlace, Lost, open_screen};
use torres_calibration::{Calibration, opening_positions, path_of};
use torres_fixture::{Recorder, RecorderSetup, Recording, SiteLog, inferred_start};
use torres_frame::{Frame, FrameSource, Timestamp, WallTime};
use torres_geometry::BoardMap;
use torres_mouse::{StopFlag, watch_interrupt};
use torres_screen::LiveScreen;
use torres_vision::join::join;

/// A board that has left its place is looked for this often.
const SEARCH_EVERY: Duration = Duration::from_millis(250);
/// How long the board may take to be found at the start.
const START_WITHIN: Duration = Duration::from_secs(20);

/// Arguments of `torres record`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Name of the calibration (`calibration/NAME.json`), or a path.
    pub name: String,
    /// The fixture's folder.
    #[arg(long)]
    pub out: PathBuf,
    /// The practice site's log, read when the recording ends: the truth of what was shown.
    #[arg(long)]
    pub truth: Option<PathBuf>,
}

/// Records what a calibrated board shows as a fixture, until Ctrl-C or until its window is closed.
pub(crate) fn run(args: Args) -> CliResult {
    runtime()?.block_on(record(args))
}

async fn record(args: Args) -> CliResult {
    let calibration = Calibration::load(&path_of(&args.name)).map_err(CliError::usage)?;
    let stop = StopFlag::new();
    watch_interrupt(&stop).map_err(CliError::failed)?;
    let mut board = LiveBoard::open(&calibration)?;
    let Some(first) = board.await_first(&stop).await? else {
        return Ok(Exit::Stopped);
    };
    let map = board.place.map(&first);
    let start = start_shown(&calibration, &first, &map).ok_or_else(|| {
        CliError::failed("the board shows no position that a game can go on from; uncover it or calibrate it again")
    })?;
    let kept = serde_json::to_value(&calibration).map_err(CliError::failed)?;
    let source = format!(
        "torres record {}: the live screen, {} ms between two looks while it moves",
        args.name,
        LOOK_EVERY.as_millis()
    );
    let setup = RecorderSetup {
        start: &start,
        bottom: calibration.bottom,
        calibration: Some(&kept),
        source: &source,
        wall: WallTime::of,
    };
    let unwritable = |e| CliError::failed(format!("cannot write the recording: {e}"));
    let mut recorder = Recorder::create(&args.out, &setup).map_err(|e| {
        CliError::usage(format!(
            "cannot record into {}: {e}; choose another folder",
            args.out.display()
        ))
    })?;
    println!("recording into {}; Ctrl-C ends it", args.out.display());
    recorder.take(&first, &map).map_err(unwritable)?;
    while stop.reason().is_none() {
        match board.next(&stop).await? {
            Capture::Board(frame) => {
                let map = board.place.map(&frame);
                recorder.take(&frame, &map).map_err(unwritable)?;
            }
            Capture::Nothing => {}
            Capture::WindowGone => break,
        }
    }
    let log = args
        .truth
        .as_deref()
        .map(SiteLog::read)
        .transpose()
        .map_err(CliError::usage)?;
    let recording = recorder.finish(log.as_ref()).map_err(unwritable)?;
    report(&recording, &args.out);
    Ok(Exit::Done)
}

/// Says what was recorded.
fn report(recording: &Recording, out: &Path) {
    println!(
        "{} frames, {} pictures in {}",
        recording.frames,
        recording.pictures,
        out.display()
    );
    if let Some(plies) = recording.plies {
        println!("{plies} plies with truth");
    }
    if recording.unseen > 0 {
        println!(
            "{} plies were never seen at rest; leave more time between moves",
            recording.unseen
        );
    }
}

/// The position that a frame shows. Whose turn it is, is told by the board itself, or by its being one of those after
/// White's first move; else it is taken to be White's.
fn start_shown(calibration: &Calibration, frame: &Frame, map: &BoardMap) -> Option<Chess> {
    if let Ok(joined) = join(&calibration.appearance, &frame.image, map, None) {
        return Some(joined.position);
    }
    let shown = calibration.appearance.read(&frame.image, map).board();
    let mut openings = opening_positions().into_iter();
    openings
        .find(|opening| *opening.board() == shown)
        .or_else(|| inferred_start(&shown))
}

/// What a look at the screen brought.
enum Capture {
    /// The board, at its place.
    Board(Frame),
    /// No board just now.
    Nothing,
    /// Its window is closed or minimised.
    WindowGone,
}

/// The calibrated board on the live screen, followed when its window moves. It is looked at when something was drawn on
/// it.
struct LiveBoard<'a> {
    calibration: &'a Calibration,
    screen: LiveScreen,
    place: BoardPlace,
    stillness: Stillness,
    timer: LookTimer,
}

impl<'a> LiveBoard<'a> {
    fn open(calibration: &'a Calibration) -> Result<LiveBoard<'a>, CliError> {
        let mut screen = open_screen(calibration).map_err(CliError::failed)?;
        let place = BoardPlace::find(calibration, &mut screen).map_err(CliError::failed)?;
        Ok(LiveBoard {
            calibration,
            timer: LookTimer::new(&screen, place.region()),
            screen,
            place,
            stillness: Stillness::default(),
        })
    }

    /// The first frame that shows the board; `None` when the user stopped waiting for it.
    async fn await_first(&mut self, stop: &StopFlag) -> Result<Option<Frame>, CliError> {
        let began = Timestamp::now();
        while stop.reason().is_none() {
            if let Capture::Board(frame) = self.next(stop).await? {
                return Ok(Some(frame));
            }
            if Timestamp::now().since(began) > START_WITHIN {
                return Err(CliError::failed(
                    "the calibrated board is not on the screen; bring its window into view",
                ));
            }
        }
        Ok(None)
    }

    /// Looks when it is time to; at nothing when the user stops.
    async fn next(&mut self, stop: &StopFlag) -> Result<Capture, CliError> {
        tokio::select! {
            () = self.timer.next() => {}
            _ = stop.tripped() => return Ok(Capture::Nothing),
        }
        self.timer.looking_at(self.place.region());
        self.screen.set_region(Some(self.place.region()));
        if let Ok(frame) = self.screen.next_frame()
            && let Some(place) = self.place.confirmed(&frame, self.calibration)
        {
            self.place = place;
            let changed = self.stillness.take(&frame);
            self.timer
                .looked(changed, self.stillness.pace(frame.at), Instant::now());
            return Ok(Capture::Board(frame));
        }
        match self.place.find_again(None, self.calibration, &mut self.screen) {
            // It is looked at with the next frame.
            Ok(place) => {
                self.place = place;
                self.timer.hurry();
            }
            Err(Lost::WindowGone(_)) => return Ok(Capture::WindowGone),
            Err(Lost::NoBoard) => tokio::time::sleep(SEARCH_EVERY).await,
            Err(error @ Lost::Screen(_)) => return Err(CliError::failed(error)),
        }
        Ok(Capture::Nothing)
    }
}
