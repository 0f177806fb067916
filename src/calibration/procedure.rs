//! From a picture to a calibration's findings: which board, which way round, how it looks.

use crate::geometry::{BoardMap, BoardRect, Orientation};
use crate::vision::look::LearnError;
use crate::vision::{FoundBoard, Look, locate};
use image::RgbaImage;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};

/// Boards that score below this share of the best one are not a choice.
const RIVAL: f64 = 0.85;

/// The board that a picture shows, as learned.
#[derive(Clone, Debug)]
pub struct BoardFinding {
    /// Where it lies and which way it is turned.
    pub map: BoardMap,
    /// How it looks.
    pub look: Look,
    /// The position that it shows.
    pub position: Chess,
    /// Other boards in the picture that were nearly as good.
    pub rivals: Vec<FoundBoard>,
}

/// Why no board could be learned from a picture.
#[derive(Debug, thiserror::Error)]
pub enum FindError {
    /// No board anywhere.
    #[error("no chess board found; bring the board wholly into view, uncovered, and try again")]
    NoBoard,
    /// A board, but not the position that it should show.
    #[error(
        "a board was found at {x:.0},{y:.0} ({width:.0} × {height:.0} px), but {why}; \
         set up the start position, or say with --fen what it shows and with --bottom which side is below",
        x = .rect.x(), y = .rect.y(), width = .rect.width(), height = .rect.height()
    )]
    NotThatPosition {
        /// The board.
        rect: BoardRect,
        /// What contradicts the position.
        why: LearnError,
    },
}

/// Reads a FEN as a legal position.
pub fn parse_position(fen: &str) -> Result<Chess, String> {
    let setup: Fen = fen.parse().map_err(|e| format!("'{fen}' is not a FEN: {e}"))?;
    setup
        .into_position(CastlingMode::Standard)
        .map_err(|e| format!("'{fen}' is not a legal position: {e}"))
}

/// The positions that a board may show when nobody says which: the start, or White's first move from it (a bot with
/// White does not wait for anybody).
pub fn opening_positions() -> Vec<Chess> {
    let start = Chess::default();
    let mut positions = vec![start.clone()];
    positions.extend(start.legal_moves().iter().filter_map(|m| start.clone().play(*m).ok()));
    positions
}

/// Finds the board in a picture that shows one of `positions`, and learns its look.
///
/// `stated` is the orientation that the user stated; otherwise the pieces tell: the position fits one way round only.
pub fn find_board(
    picture: &RgbaImage,
    positions: &[Chess],
    stated: Option<Orientation>,
) -> Result<BoardFinding, FindError> {
    let found = locate(picture);
    let best = found.first().ok_or(FindError::NoBoard)?.score;
    let mut refusal = None;
    for (index, board) in found.iter().enumerate() {
        match learn_first(picture, board, positions, stated) {
            Ok((map, look, position)) => {
                let rivals = found
                    .iter()
                    .enumerate()
                    .filter(|(other, rival)| *other != index && rival.score >= best * RIVAL)
                    .map(|(_, rival)| *rival)
                    .collect();
                return Ok(BoardFinding {
                    map,
                    look,
                    position,
                    rivals,
                });
            }
            Err(why) => {
                refusal.get_or_insert(FindError::NotThatPosition { rect: board.rect, why });
            }
        }
    }
    Err(refusal.unwrap_or(FindError::NoBoard))
}

/// Learns the look of one board that was found.
///
/// # Errors
/// It shows none of the positions.
pub fn learn_found(
    picture: &RgbaImage,
    board: &FoundBoard,
    positions: &[Chess],
    stated: Option<Orientation>,
) -> Result<BoardFinding, LearnError> {
    let (map, look, position) = learn_first(picture, board, positions, stated)?;
    Ok(BoardFinding {
        map,
        look,
        position,
        rivals: Vec::new(),
    })
}

/// Learns from the first position that the picture does not contradict.
fn learn_first(
    picture: &RgbaImage,
    board: &FoundBoard,
    positions: &[Chess],
    stated: Option<Orientation>,
) -> Result<(BoardMap, Look, Chess), LearnError> {
    let mut refusal = None;
    for position in positions {
        match learn_board(picture, board, position, stated) {
            Ok((map, look)) => return Ok((map, look, position.clone())),
            Err(why) => {
                refusal.get_or_insert(why);
            }
        }
    }
    Err(refusal.unwrap_or(LearnError::OutOfPicture))
}

/// Learns one board's look, trying the orientation stated, or the one its pieces suggest and then the other.
pub fn learn_board(
    picture: &RgbaImage,
    board: &FoundBoard,
    position: &Chess,
    stated: Option<Orientation>,
) -> Result<(BoardMap, Look), LearnError> {
    let orientations = match (stated, board.orientation) {
        (Some(orientation), _) => vec![orientation],
        (None, Some(Orientation::Black)) => vec![Orientation::Black, Orientation::White],
        (None, _) => vec![Orientation::White, Orientation::Black],
    };
    let mut refusal = None;
    for orientation in orientations {
        let map = BoardMap {
            rect: board.rect,
            orientation,
        };
        match Look::learn(picture, &map, position.board()) {
            Ok(look) => return Ok((map, look)),
            Err(why) => {
                refusal.get_or_insert(why);
            }
        }
    }
    Err(refusal.unwrap_or(LearnError::OutOfPicture))
}
