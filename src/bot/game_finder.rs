//! How far the game is when we come: at its start, or a move or two later, or, where the board alone tells enough, in
//! the middle.

use super::dialog::is_open_over;
use super::game::Game;
use super::played_color::PlayedColor;
use shakmaty::{Chess, Color, Position};
use std::time::Duration;
use torres_frame::Frame;
use torres_geometry::BoardMap;
use torres_vision::join::{Joined, NotJoined, join};
use torres_vision::locate::orientation;
use torres_vision::{Appearance, Reading, Tracker};

/// How long a page that loads anew may show its board's start until the game is there again.
const LOADS_WITHIN: Duration = Duration::from_secs(3);

/// Recognises the game from its first frames, trying every position from which it may have started.
#[derive(Clone, Debug)]
pub struct GameFinder {
    starts: Vec<(Game, Tracker)>,
    left: Option<Game>,
    appearance: Appearance,
    map: BoardMap,
    own: PlayedColor,
}

impl GameFinder {
    /// The game stands where one of these does, the likeliest first, or a little further; the board is turned as `map`
    /// says, or the other way: a site may give us either colour. Some programs mirror the board for the other colour.
    pub fn new(starts: &Starts, appearance: &Appearance, map: BoardMap, own: PlayedColor) -> GameFinder {
        let turned = map.orientation.turned();
        let orientations = [map.orientation, turned, turned.mirrored()];
        let with_tracker = |(map, start): (BoardMap, &Game)| (start.clone(), tracker(appearance, map));
        let maps = orientations.map(|orientation| BoardMap { orientation, ..map });
        GameFinder {
            starts: maps
                .into_iter()
                .flat_map(|map| starts.all().map(move |start| (map, start)))
                .map(with_tracker)
                .collect(),
            left: starts.left.clone(),
            appearance: appearance.clone(),
            map,
            own,
        }
    }

    /// The game as a board at rest shows it, whatever was played before: what it starts from is partly assumed, and so
    /// is which colour is at the bottom, where neither coordinates nor pieces tell.
    pub fn join(&self, frame: &Frame, turn: Option<Color>) -> Result<(Game, Tracker, Joined), NotJoined> {
        let told = orientation(&frame.image, &self.map.rect);
        let map = BoardMap {
            orientation: told.unwrap_or(self.map.orientation),
            ..self.map
        };
        let mut joined = join(&self.appearance, &frame.image, &map, turn)?;
        joined.assumed.bottom = told.is_none().then_some(map.orientation);
        let game = Game::new(joined.position.clone());
        if game.end().is_some() {
            return Err(NotJoined::Over);
        }
        Ok((game, tracker(&self.appearance, map), joined))
    }

    /// Looks at the next frame. The game with the moves already played, once the whole board is explained, and
    /// the tracker that has seen it.
    pub fn step(&mut self, frame: &Frame) -> Option<(Game, Tracker)> {
        for (start, tracker) in &mut self.starts {
            let line = match tracker.step(frame, start.position()) {
                Reading::Stands => Vec::new(),
                Reading::Played(explained) => explained.line,
                _ => continue,
            };
            let mut game = start.clone();
            if line.iter().all(|m| game.play(*m).is_ok()) {
                return Some((game, tracker.clone()));
            }
        }
        self.in_a_dialog(frame)
    }

    /// The game that was left, where a dialog over its board asks what our pawn becomes: its player was stopped in the
    /// middle of that move. Beneath the dialog the board cannot be read, but nothing else leads there.
    fn in_a_dialog(&self, frame: &Frame) -> Option<(Game, Tracker)> {
        let left = self.left.as_ref()?;
        let ours = |map: &BoardMap| self.own.on(map.orientation) == left.position().turn();
        let tracker = self
            .starts
            .iter()
            .map(|(_, tracker)| tracker)
            .find(|tracker| ours(tracker.map()))?;
        let open = is_open_over(left.position(), (&frame.image, tracker.map()), &self.appearance);
        open.then(|| (left.clone(), tracker.clone()))
    }
}

/// A tracker for a live board.
fn tracker(appearance: &Appearance, map: BoardMap) -> Tracker {
    Tracker::new(appearance.clone(), map)
        .with_patience_for_beginnings(LOADS_WITHIN)
        .showing_every_change()
}

/// Where a game may stand, the likeliest first.
#[derive(Clone, Debug)]
pub struct Starts {
    left: Option<Game>,
    others: Vec<Game>,
}

impl Starts {
    /// Where the last one was left, at the usual start, or at the position that the calibration showed.
    pub fn of(left: Option<Game>, calibrated: Option<Chess>) -> Starts {
        let usual = Chess::default();
        let other = calibrated.filter(|position| position.board() != usual.board() || position.turn() != usual.turn());
        Starts {
            left,
            others: std::iter::once(usual).chain(other).map(Game::new).collect(),
        }
    }

    fn all(&self) -> impl Iterator<Item = &Game> {
        self.left.iter().chain(&self.others)
    }
}
