//! Finds in a picture what a calibration needs: which board, its orientation, its appearance.

use image::RgbaImage;
use shakmaty::{Board, Chess, Position, Square};
use torres_geometry::{BoardMap, BoardRect, BoardRectError, FrameRect, Orientation};
use torres_vision::appearance::LearnError;
use torres_vision::locate::{as_stated, orientation};
use torres_vision::{Appearance, FoundBoard, locate};

/// Boards that score below this share of the best one are not a choice.
const RIVAL: f64 = 0.85;

/// How much the sides of a stated board may differ, as a share of the shorter one.
const MISDRAWN: f64 = 0.1;

/// The board that a picture shows, as learned.
#[derive(Clone, Debug)]
pub struct BoardFinding {
    /// Where it lies and which way it is turned.
    pub map: BoardMap,
    /// How it looks.
    pub appearance: Appearance,
    /// The position that it shows.
    pub position: Chess,
    /// Other boards in the picture that were nearly as good.
    pub rivals: Vec<FoundBoard>,
    /// Squares that cannot be read back as the position that was stated; empty where nobody stated one.
    pub differs: Vec<Square>,
}

/// What the user says of the board.
#[derive(Clone, Debug)]
pub struct Stated {
    /// The positions of which the board shows one.
    pub positions: Vec<Chess>,
    /// The user stated the one position: what cannot be read back as stated is learned all the same.
    pub is_certain: bool,
    /// Which colour is at the bottom.
    pub bottom: Option<Orientation>,
    /// Where the board lies in the picture, more or less.
    pub place: Option<FrameRect>,
}

/// The ways in which a board may be turned, the likeliest first: as stated, or as is likely and the other way round.
fn orientations(stated: Option<Orientation>, likely: Orientation) -> impl Iterator<Item = Orientation> + Clone {
    let other = stated.is_none().then_some(likely.turned());
    std::iter::once(stated.unwrap_or(likely)).chain(other)
}

/// Why no board could be learned from a picture.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FindError {
    /// No board anywhere.
    #[error(
        "no chess board found; bring the board wholly into view, uncovered, and try again, or say where it lies: --board X,Y,WIDTH,HEIGHT"
    )]
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
    /// No board can lie where it was said to lie.
    #[error("no board can lie there: {0}; say with --board where its 64 squares lie, without a frame around them")]
    NotThere(BoardRectError),
    /// The board does not show the position that it should.
    #[error(
        "where the board was said to lie {why}; say with --board where its 64 squares lie, without a frame around them, and with --fen what stands on it"
    )]
    NotThatPositionThere {
        /// What contradicts the position.
        why: LearnError,
    },
}

/// The positions that a board may show when nobody says which: the start, or White's first move from it (a bot with
/// White does not wait for anybody).
pub fn opening_positions() -> Vec<Chess> {
    let start = Chess::default();
    let mut positions = vec![start.clone()];
    positions.extend(start.legal_moves().iter().filter_map(|m| start.clone().play(*m).ok()));
    positions
}

/// Finds the board in a picture, or near to where it was said to lie, and learns its appearance.
pub fn find_stated(picture: &RgbaImage, said: &Stated) -> Result<BoardFinding, FindError> {
    if let Some(place) = said.place {
        return find_there(picture, place, said);
    }
    find_board(picture, &said.positions, said.bottom).or_else(|refusal| {
        let found = locate(picture);
        let by_word = found.first().and_then(|board| learned_by_word(picture, board, said));
        by_word.ok_or(refusal)
    })
}

/// Finds the board's edges near to where it was said to lie, and learns its appearance.
fn find_there(picture: &RgbaImage, place: FrameRect, said: &Stated) -> Result<BoardFinding, FindError> {
    let stated = squared(place).map_err(FindError::NotThere)?;
    let likely = said.positions.first().cloned().unwrap_or_default();
    let mut rects: Vec<(BoardRect, f64)> = orientations(said.bottom, Orientation::White)
        .flat_map(|orientation| as_stated(picture, &stated, likely.board(), orientation))
        .collect();
    rects.sort_by(|a, b| a.1.total_cmp(&b.1));
    let boards: Vec<FoundBoard> = rects
        .into_iter()
        .map(|(rect, _)| FoundBoard {
            rect,
            orientation: None,
            score: 1.0,
        })
        .collect();
    let mut refusal = LearnError::OutOfPicture;
    for (index, board) in boards.iter().enumerate() {
        match learn_found(picture, board, &said.positions, said.bottom) {
            Ok(finding) => return Ok(finding),
            Err(why) if index == 0 => refusal = why,
            Err(_) => {}
        }
    }
    let mut by_word = boards.iter().filter_map(|board| learned_by_word(picture, board, said));
    by_word.next().ok_or(FindError::NotThatPositionThere { why: refusal })
}

/// Boards are square, and a person who draws a rectangle around one misses some pixels.
fn squared(place: FrameRect) -> Result<BoardRect, BoardRectError> {
    let (width, height) = (place.width, place.height);
    if (width - height).abs() > MISDRAWN * width.min(height) {
        return Err(BoardRectError::NotSquare(width, height));
    }
    let side = (width + height) / 2.0;
    BoardRect::new(
        place.x + (width - side) / 2.0,
        place.y + (height - side) / 2.0,
        side,
        side,
    )
}

/// Learns the appearance of a board whose position is the user's word, though it cannot be read back whole: turned as
/// it differs least.
fn learned_by_word(picture: &RgbaImage, board: &FoundBoard, said: &Stated) -> Option<BoardFinding> {
    let [position] = &said.positions[..] else { return None };
    if !said.is_certain {
        return None;
    }
    let learned = orientations(said.bottom, Orientation::White).filter_map(|orientation| {
        let map = BoardMap {
            rect: board.rect,
            orientation,
        };
        let (appearance, differs) = Appearance::learn_stated(picture, &map, position, said.bottom.is_some()).ok()?;
        Some(BoardFinding {
            map,
            appearance,
            position: position.clone(),
            rivals: Vec::new(),
            differs,
        })
    });
    learned.min_by_key(|finding| finding.differs.len())
}

/// Finds the board in a picture that shows one of `positions`, and learns its appearance.
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
            Ok((map, appearance, position)) => {
                let rivals = found
                    .iter()
                    .enumerate()
                    .filter(|(other, rival)| *other != index && rival.score >= best * RIVAL)
                    .map(|(_, rival)| *rival)
                    .collect();
                return Ok(BoardFinding {
                    map,
                    appearance,
                    position,
                    rivals,
                    differs: Vec::new(),
                });
            }
            Err(why) => {
                refusal.get_or_insert(FindError::NotThatPosition { rect: board.rect, why });
            }
        }
    }
    Err(refusal.unwrap_or(FindError::NoBoard))
}

/// Learns the appearance of one board that was found.
///
/// # Errors
/// It shows none of the positions.
pub fn learn_found(
    picture: &RgbaImage,
    board: &FoundBoard,
    positions: &[Chess],
    stated: Option<Orientation>,
) -> Result<BoardFinding, LearnError> {
    let (map, appearance, position) = learn_first(picture, board, positions, stated)?;
    Ok(BoardFinding {
        map,
        appearance,
        position,
        rivals: Vec::new(),
        differs: Vec::new(),
    })
}

/// Learns from the position that the picture shows: the one that is read back with the fewest squares unsure, the first
/// one of these. A picture does not always contradict a wrong one: a mark on an empty square may pass for a piece.
fn learn_first(
    picture: &RgbaImage,
    board: &FoundBoard,
    positions: &[Chess],
    stated: Option<Orientation>,
) -> Result<(BoardMap, Appearance, Chess), LearnError> {
    // Pieces do not tell a mirror image from a board, as king and queen are not known: coordinates may.
    let mirrored = || orientation(picture, &board.rect).filter(|drawn| drawn.is_mirrored());
    let likely = if stated.is_none() {
        mirrored().or(board.orientation)
    } else {
        None
    };
    let orientations = orientations(stated, likely.unwrap_or(Orientation::White));
    let learn = if stated.is_some() {
        Appearance::learn_turned
    } else {
        Appearance::learn
    };
    let mut refusal = None;
    let mut best: Option<(usize, _)> = None;
    for position in positions {
        match learn_board(picture, &board.rect, position, orientations.clone(), learn) {
            Ok((map, appearance)) => {
                let unsure = appearance.read(picture, &map).doubtful().len();
                if best.as_ref().is_none_or(|(least, _)| unsure < *least) {
                    best = Some((unsure, (map, appearance, position.clone())));
                }
                if unsure == 0 {
                    break;
                }
            }
            Err(why) => {
                refusal.get_or_insert(why);
            }
        }
    }
    let best = best.map(|(_, learned)| learned);
    best.ok_or(refusal.unwrap_or(LearnError::OutOfPicture))
}

/// Learns one board's appearance by `learn`, trying these orientations in turn.
fn learn_board(
    picture: &RgbaImage,
    rect: &BoardRect,
    position: &Chess,
    orientations: impl Iterator<Item = Orientation>,
    learn: impl Fn(&RgbaImage, &BoardMap, &Board) -> Result<Appearance, LearnError>,
) -> Result<(BoardMap, Appearance), LearnError> {
    let mut refusal = None;
    for orientation in orientations {
        let map = BoardMap {
            rect: *rect,
            orientation,
        };
        match learn(picture, &map, position.board()) {
            Ok(appearance) => return Ok((map, appearance)),
            Err(why) => {
                refusal.get_or_insert(why);
            }
        }
    }
    Err(refusal.unwrap_or(LearnError::OutOfPicture))
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgba;
    use shakmaty::{Color, Role};

    const SIDE: f64 = 400.0;

    fn map(orientation: Orientation) -> BoardMap {
        BoardMap {
            rect: BoardRect::new(40.0, 30.0, SIDE, SIDE).unwrap(),
            orientation,
        }
    }

    /// A drawn board on which pieces are figures of different forms; one may be hardly seen.
    fn drawn(position: &Chess, orientation: Orientation, faint: Option<Square>) -> RgbaImage {
        let map = map(orientation);
        RgbaImage::from_fn(480, 460, |x, y| {
            let at = torres_geometry::FramePx {
                x: f64::from(x) + 0.5,
                y: f64::from(y) + 0.5,
            };
            let Some(square) = map.square_at(at) else {
                return Rgba([38, 36, 33, 255]);
            };
            let ground = match square.is_dark() {
                true => [181, 136, 99, 255],
                false => [240, 217, 181, 255],
            };
            let Some(piece) = position.board().piece_at(square) else {
                return Rgba(ground);
            };
            let middle = map.center(square);
            let (dx, dy) = ((at.x - middle.x).abs(), (at.y - middle.y).abs());
            let inside = match piece.role {
                Role::Pawn => dx.hypot(dy) < 9.0,
                Role::Knight => dx + dy < 17.0,
                Role::Bishop => dx < 6.0 && dy < 19.0,
                Role::Rook => dx.max(dy) < 15.0,
                Role::Queen => dx < 19.0 && dy < 8.0,
                Role::King => dx < 5.0 && dy < 20.0 || dy < 5.0 && dx < 20.0,
            };
            match (inside, piece.color) {
                (false, _) => Rgba(ground),
                (true, _) if faint == Some(square) => Rgba(ground.map(|v: u8| v.saturating_sub(5))),
                (true, Color::White) => Rgba([252, 252, 252, 255]),
                (true, Color::Black) => Rgba([20, 20, 20, 255]),
            }
        })
    }

    #[test]
    fn a_first_move_whose_mark_passes_for_the_piece_that_left_is_no_start_position() {
        // PyChess, with arrows on g1. The start position was learned, and no move was ever seen.
        let picture = crate::test_picture("pychess-after-nf3.png");
        let found = find_board(&picture, &opening_positions(), None).unwrap();
        let played = torres_chess::fen(&found.position);
        assert!(
            played.starts_with("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b"),
            "{played}"
        );
        assert_eq!(found.map.orientation, Orientation::Black);
    }

    /// Page `xenon`: White's pieces glow magenta and Black's lime, which is brighter.
    #[test]
    fn pieces_of_two_bright_colours_are_whose_the_user_says_and_white_and_black_ones_are_not() {
        let start = Chess::default();
        let find = |picture: &RgbaImage, bottom| find_board(picture, &opening_positions(), bottom);
        for bottom in [Orientation::White, Orientation::Black] {
            let usual = drawn(&start, bottom, None);
            let mut neon = usual.clone();
            for pixel in neon.pixels_mut() {
                match pixel.0 {
                    [252, 252, 252, _] => *pixel = Rgba([255, 45, 214, 255]),
                    [20, 20, 20, _] => *pixel = Rgba([57, 255, 20, 255]),
                    _ => {}
                }
            }
            assert_eq!(find(&neon, Some(bottom)).unwrap().map.orientation, bottom);
            assert_ne!(find(&neon, None).map(|found| found.map.orientation).ok(), Some(bottom));
            let other = match bottom {
                Orientation::White => Orientation::Black,
                _ => Orientation::White,
            };
            assert!(find(&usual, Some(other)).is_err());
        }
    }

    fn said(position: &Chess, is_certain: bool, place: Option<(f64, f64, f64)>) -> Stated {
        Stated {
            positions: vec![position.clone()],
            is_certain,
            bottom: None,
            place: place.map(|(x, y, side)| FrameRect {
                x,
                y,
                width: side,
                height: side,
            }),
        }
    }

    fn after(moves: &[&str]) -> Chess {
        torres_chess::position_after(Chess::default(), moves).unwrap()
    }

    #[test]
    fn a_piece_that_is_hardly_seen_is_refused_in_a_guess_and_told_where_the_user_states_the_position() {
        let start = Chess::default();
        for orientation in [Orientation::White, Orientation::Black] {
            let picture = drawn(&start, orientation, Some(Square::D8));
            assert!(matches!(
                find_stated(&picture, &said(&start, false, None)),
                Err(FindError::NotThatPosition { .. })
            ));
            let found = find_stated(&picture, &said(&start, true, None)).unwrap();
            assert_eq!(found.map.orientation, orientation);
            assert_eq!(found.differs, [Square::D8]);
        }
        let whole = drawn(&start, Orientation::White, None);
        let found = find_stated(&whole, &said(&start, true, None)).unwrap();
        assert_eq!(found.differs, []);
    }

    #[test]
    fn a_move_more_or_less_than_was_stated_is_another_position() {
        let games: [&[&str]; 4] = [
            &[],
            &["e2e4"],
            &["e2e4", "d7d5"],
            // A capture, and castling.
            &["e2e4", "d7d5", "e4d5"],
        ];
        for (shown, stated) in [(0, 1), (1, 0), (1, 2), (2, 3), (3, 2), (0, 3)] {
            let picture = drawn(&after(games[shown]), Orientation::White, None);
            let refused = find_stated(&picture, &said(&after(games[stated]), true, None));
            assert!(
                matches!(refused, Err(FindError::NotThatPosition { .. })),
                "{shown} shown, {stated} stated"
            );
        }
        let castled = ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "e1g1"];
        let picture = drawn(&after(&castled), Orientation::White, None);
        assert!(find_stated(&picture, &said(&after(&castled[..6]), true, None)).is_err());
        assert!(find_stated(&picture, &said(&after(&castled), true, None)).is_ok());
    }

    #[test]
    fn a_stated_place_is_taken_to_the_pixel_and_one_beside_the_board_is_refused() {
        let start = Chess::default();
        let picture = drawn(&start, Orientation::Black, None);
        for (x, y, side) in [(40.0, 30.0, SIDE), (47.0, 25.0, 393.0), (36.0, 38.0, 408.0)] {
            let found = find_stated(&picture, &said(&start, false, Some((x, y, side)))).unwrap();
            assert!(
                found.map.rect.distance(&map(Orientation::Black).rect) < 0.5,
                "{:?}",
                found.map
            );
            assert_eq!(found.map.orientation, Orientation::Black);
        }
        let refused = find_stated(&picture, &said(&start, false, Some((90.0, 30.0, SIDE - 50.0))));
        assert!(matches!(refused, Err(FindError::NotThatPositionThere { .. })));
    }

    #[test]
    fn a_rectangle_drawn_by_hand_is_made_square_within_reason() {
        let rect = |width, height| FrameRect {
            x: 100.0,
            y: 50.0,
            width,
            height,
        };
        let squared_to = squared(rect(410.0, 390.0)).unwrap();
        assert_eq!((squared_to.x(), squared_to.y()), (105.0, 45.0));
        assert_eq!((squared_to.width(), squared_to.height()), (400.0, 400.0));
        assert!(matches!(
            squared(rect(400.0, 200.0)),
            Err(BoardRectError::NotSquare(..))
        ));
        assert!(matches!(squared(rect(60.0, 60.0)), Err(BoardRectError::TooSmall(_))));
    }
}
