//! Waiting until the board stands, and is what the user says of it: a page may still be loading, or a bot's first move
//! be under way.

use std::sync::Arc;
use std::time::Duration;

use image::RgbaImage;
use torres_calibration::{BoardFinding, FindError, LiveError, Stated, find_stated, resting_frame};
use torres_frame::{Frame, FrameSource, Timestamp};
use torres_mouse::StopFlag;
use torres_screen::LiveScreen;

use super::CliError;

/// How long the board may take to come to rest.
const REST_WITHIN: Duration = Duration::from_secs(15);
/// How long a board may contradict the user's word in the same way: its pieces may still be loading.
const REFUSED_AFTER: Duration = Duration::from_secs(5);
/// A page without a board is waited for so long before a board is looked for again.
const UNSEEN_WITHIN: Duration = Duration::from_secs(1);

/// Returns the picture in which the board stands, its noise in levels of 255, and what was found in it.
///
/// # Errors
/// Stopped, or nothing of the kind came to rest in [`REST_WITHIN`], or the board was refused for [`REFUSED_AFTER`].
pub(super) fn standing_board(
    screen: &mut LiveScreen,
    stop: &StopFlag,
    said: impl Fn(&Frame) -> Stated,
) -> Result<(Frame, f64, BoardFinding), CliError> {
    let mut search = Search::default();
    loop {
        let first = screen.next_frame().map_err(CliError::failed)?;
        let place = search.find(&first, &said(&first))?.map(|finding| finding.map.rect);
        let within = if place.is_some() { REST_WITHIN } else { UNSEEN_WITHIN };
        match resting_frame(screen, place.as_ref(), within) {
            Ok((frame, noise)) => {
                if let Some(finding) = search.find(&frame, &said(&frame))? {
                    return Ok((frame, noise, finding));
                }
            }
            Err(LiveError::Restless(_)) if place.is_none() => {}
            Err(error) => return Err(CliError::failed(error)),
        }
        if let Some(reason) = stop.reason() {
            return Err(CliError::failed(format!("stopped: {reason}")));
        }
    }
}

/// Looks for a board in frame after frame.
#[derive(Default)]
struct Search {
    /// When the first frame was taken.
    began: Option<Timestamp>,
    last: Option<Refusal>,
}

/// Why the last picture did not do.
struct Refusal {
    image: Arc<RgbaImage>,
    error: FindError,
    /// When it was refused for this reason first.
    since: Timestamp,
}

impl Search {
    /// The board of a frame; none where a later frame may show what this one does not.
    ///
    /// # Errors
    /// Enough was waited.
    fn find(&mut self, frame: &Frame, said: &Stated) -> Result<Option<BoardFinding>, CliError> {
        let now = frame.at;
        let began = *self.began.get_or_insert(now);
        // The same picture shows no more at a second search, which takes a second where no board is found.
        if self.last.as_ref().is_none_or(|last| last.image != frame.image) {
            match find_stated(&frame.image, said) {
                Ok(finding) => return Ok(Some(finding)),
                Err(error) => {
                    let before = self.last.take().filter(|last| last.error == error);
                    self.last = Some(Refusal {
                        image: frame.image.clone(),
                        since: before.map_or(now, |last| last.since),
                        error,
                    });
                }
            }
        }
        let is_late = now.since(began) > REST_WITHIN;
        match &self.last {
            // Where no board is seen at last, that is what is to be told, and not what moves on the page.
            Some(last) if is_late || (last.error != FindError::NoBoard && now.since(last.since) > REFUSED_AFTER) => {
                Err(CliError::failed(last.error.clone()))
            }
            _ => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Chess, Position};
    use torres_geometry::DesktopPx;

    /// Whether a search refuses each of the frames that show a picture at these times, in ms.
    fn refuses(picture: &Arc<RgbaImage>, times: &[u64]) -> Vec<bool> {
        let start = Chess::default();
        let first = start.legal_moves()[0];
        let said = Stated {
            positions: vec![start.play(first).unwrap()],
            is_certain: true,
            bottom: None,
            place: None,
        };
        let mut search = Search::default();
        let frame = |ms: &u64| Frame {
            image: Arc::clone(picture),
            at: Timestamp(Duration::from_millis(100_000 + ms)),
            origin: DesktopPx { x: 0.0, y: 0.0 },
        };
        times.iter().map(|ms| search.find(&frame(ms), &said).is_err()).collect()
    }

    #[test]
    fn another_position_is_refused_after_five_seconds_and_a_page_without_a_board_after_fifteen() {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../tests/data/vision/thin-lines/start.png"
        );
        let board = Arc::new(image::open(path).unwrap().to_rgba8());
        assert_eq!(refuses(&board, &[0, 4_900, 5_100]), [false, false, true]);
        let bare = Arc::new(RgbaImage::from_pixel(300, 300, image::Rgba([90, 90, 90, 255])));
        assert_eq!(refuses(&bare, &[0, 5_100, 14_900, 15_100]), [false, false, false, true]);
    }
}
