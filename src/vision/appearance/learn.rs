//! Learns an appearance from a picture whose position is known.

use super::super::patch::{CELLS, N, Patch, median};
use super::alike::Alike;
use super::cells::parts;
use super::content::{content, index};
use super::ground::{Ground, from_border, typical};
use super::matting::{Instance, Palette, on_the_calmer, outline, reached_from_border, tolerance, triangulate};
use super::noise::Noise;
use super::template::{SeenOn, Template};
use super::{Appearance, LearnError, judge, patches};
use crate::locate::is_inside;
use image::RgbaImage;
use shakmaty::{Board, Chess, Color, Piece, Position, Role, Square};
use torres_geometry::{BoardMap, BySquare};

/// White pieces may be this much darker than black ones before the position is doubted, in levels.
const DARKER: f32 = 8.0;

/// The same of pieces of two colours, where the user has stated which side is below: magenta ones are White's on a board of
/// neon, and lime ones Black's. A colour has channels that are so far apart. (Neon: 51 darker, with 176 and 183
/// between the channels.)
const DARKER_IN_COLOR: f32 = 64.0;
const COLOR: f32 = 120.0;

/// Squares that may be covered (a cursor, a notice) while learning.
const COVERED: usize = 3;

/// Learns from a picture that shows `board` at `map`. `sides_are_stated`: which way the board is turned is the user's
/// word.
pub fn learn(
    image: &RgbaImage,
    map: &BoardMap,
    board: &Board,
    sides_are_stated: bool,
) -> Result<Appearance, LearnError> {
    let (appearance, unseen) = looked_at(image, map, board)?;
    if !unseen.is_empty() {
        let why = format!("no piece is visible on {}", listed(&unseen));
        return Err(LearnError::NotThatPosition(why));
    }
    check_sides(&appearance, sides_are_stated)?;
    check(&appearance, image, map, board)?;
    Ok(appearance)
}

/// Learns from a picture that shows a position by the user's word: what cannot be read back is no reason to doubt it,
/// as long as the picture does not show another position. Returns the squares that differ too. `sides_are_stated`:
/// which way the board is turned is the user's word as well.
pub fn learn_stated(
    image: &RgbaImage,
    map: &BoardMap,
    position: &Chess,
    sides_are_stated: bool,
) -> Result<(Appearance, Vec<Square>), LearnError> {
    let (appearance, _) = looked_at(image, map, position.board())?;
    if !sides_are_stated {
        check_sides(&appearance, false)?;
    }
    let read = Read::back(&appearance, image, map, position.board());
    if let Some(why) = read.is_another(position, &appearance) {
        return Err(LearnError::NotThatPosition(why));
    }
    let differ = Square::ALL.into_iter().filter(|s| read.differs(*s)).collect();
    Ok((appearance, differ))
}

/// What a picture shows where `board` stands at `map`; a piece of which nothing is seen is left out, and its squares
/// are returned.
fn looked_at(image: &RgbaImage, map: &BoardMap, board: &Board) -> Result<(Appearance, Vec<Square>), LearnError> {
    if !is_inside(image, &map.rect) {
        return Err(LearnError::OutOfPicture);
    }
    let mut patches = patches(image, map);
    let (grounds, noise) = bare_squares(&patches, board);
    let plain = grounds.each_ref().map(|ground| ground.color);
    rub_out_letters(&mut patches, map, plain);
    let mut templates: [Option<Template>; 12] = Default::default();
    for again in [false, true] {
        for k in 0..12 {
            // Pieces seen on one square colour come last: the others tell which colours there are.
            let palette = palette(&templates, k);
            if !again || templates[k].as_ref().is_some_and(|t| t.seen_on != SeenOn::BOTH) {
                templates[k] = piece(&patches, board, k, &grounds, noise, &palette);
            }
        }
    }
    let mut unseen = Vec::new();
    for (k, slot) in templates.iter_mut().enumerate() {
        if slot.as_ref().is_some_and(|template| !template.is_there()) {
            unseen.extend(Square::ALL.into_iter().filter(|s| board.piece_at(*s) == content(k)));
            *slot = None;
        }
    }
    share_templates(&mut templates, &patches, &grounds, board);
    Ok((Appearance::new(grounds, noise, templates), unseen))
}

/// Levels from the other square colour within which a cell is taken for a coordinate's ink.
const INK: i16 = 26;

/// The fewest cells of a letter; less is the edge of something else.
const STROKE: usize = 7;

/// The part of a square's side, from a corner, within which coordinates are written.
const CORNER: usize = N / 3 + 1;

/// Coordinates are written over the pieces of the board's edge on many pages, in the colour of the other squares: what
/// was learned with them would be sought without them in the middle of the board. They are painted over with the
/// square's own colour.
fn rub_out_letters(patches: &mut BySquare<Patch>, map: &BoardMap, plain: [[i16; 3]; 2]) {
    let rect = map.rect;
    let on_edge = |s: &Square| {
        let r = map.square_rect(*s);
        let (left, top) = (r.x - rect.x() < 1.0, r.y - rect.y() < 1.0);
        let right = rect.x() + rect.width() - r.x - r.width < 1.0;
        let bottom = rect.y() + rect.height() - r.y - r.height < 1.0;
        left || top || right || bottom
    };
    for square in Square::ALL.into_iter().filter(on_edge) {
        let (own, other) = (
            plain[usize::from(square.is_dark())],
            plain[usize::from(square.is_light())],
        );
        let patch = &mut patches[square];
        let ink: Vec<bool> = (0..CELLS)
            .map(|k| (0..3).all(|c| (patch.planes[c][k] - other[c]).abs() <= INK))
            .collect();
        let side = |k: usize| k.min(N - 1 - k);
        for part in parts(&ink) {
            // What goes on beyond the corner is a piece of about that colour.
            let is_letter = part.len() >= STROKE;
            if is_letter && part.iter().all(|k| side(k % N) < CORNER && side(k / N) < CORNER) {
                for k in part.iter().flat_map(|k| around(*k)) {
                    (0..3).for_each(|c| patch.planes[c][k] = own[c]);
                }
            }
        }
    }
}

/// A cell and those beside it, antialiased along with it.
fn around(cell: usize) -> impl Iterator<Item = usize> {
    let (x, y) = ((cell % N) as i32, (cell / N) as i32);
    let near = (-1..=1).flat_map(move |dy| (-1..=1).map(move |dx| (x + dx, y + dy)));
    near.filter(|(x, y)| (0..N as i32).contains(x) && (0..N as i32).contains(y))
        .map(|(x, y)| y as usize * N + x as usize)
}

/// How bare light and dark squares look, and the noise of their texture: what their common picture does not explain.
fn bare_squares(patches: &BySquare<Patch>, board: &Board) -> ([Ground; 2], Noise) {
    let inner: Vec<usize> = (0..CELLS)
        .filter(|k| (3..N - 3).contains(&(k % N)) && (3..N - 3).contains(&(k / N)))
        .collect();
    let rim: Vec<usize> = (0..CELLS).filter(|k| from_border(*k) == 1).collect();
    let looked_at = [false, true].map(|dark| {
        let of_color = |s: &Square| s.is_dark() == dark;
        let is_bare = |s: &Square| of_color(s) && board.piece_at(*s).is_none();
        let bare: Vec<&Patch> = Square::ALL.into_iter().filter(is_bare).map(|s| &patches[s]).collect();
        if bare.is_empty() {
            let pieces = Square::ALL.into_iter().filter(of_color);
            let even = Ground::even(middle(&pieces.map(|s| median(&patches[s], &rim)).collect::<Vec<_>>()));
            return (even, Vec::new());
        }
        let colors: Vec<[i16; 3]> = bare.iter().map(|patch| median(patch, &inner)).collect();
        let ground = Ground::of(&bare, middle(&colors));
        // A square of one colour differs evenly from the usual one: that is no texture.
        let tinted = |own: [i16; 3]| ground.tinted([0, 1, 2].map(|c| own[c] - ground.color[c]));
        let seen = bare.into_iter().zip(colors).map(|(patch, own)| (patch, tinted(own)));
        let seen = seen.collect::<Vec<_>>();
        (ground, seen)
    });
    let noise = Noise::of(looked_at.each_ref().map(|(_, seen)| seen.as_slice()), &inner);
    (looked_at.map(|(ground, _)| ground), noise)
}

fn middle(colors: &[[i16; 3]]) -> [i16; 3] {
    std::array::from_fn(|c| {
        let mut values: Vec<i16> = colors.iter().map(|v| v[c]).collect();
        values.sort_unstable();
        values.get(values.len() / 2).copied().unwrap_or(0)
    })
}

/// Two squares of one colour show the same when no more than this share of their cells differs.
const SAME_CELLS: usize = CELLS / 64;

/// Levels by which a cell must differ to count; where pieces hardly stand out from their squares, this share of what
/// they stand out by.
const DIFFERENT: i16 = 40;
const OF_CONTRAST: i16 = 4;

/// By how many levels a piece stands out from its square: where it does so most, but for the cells that a letter may
/// have.
fn contrast(patch: &Patch, ground: &Patch) -> i16 {
    let mut apart: Vec<i16> = (0..CELLS).map(|k| patch.distance(ground, k)).collect();
    let place = apart.len().saturating_sub(CELLS / 16);
    *apart.select_nth_unstable(place).1
}

/// Pieces that look the same wherever they stand on one square colour look the same on the other, where one of them was
/// not seen.
fn share_templates(
    templates: &mut [Option<Template>; 12],
    patches: &BySquare<Patch>,
    grounds: &[Ground; 2],
    board: &Board,
) {
    let shown = |k: usize, dark: bool| {
        let squares = Square::ALL.into_iter().filter(move |s| s.is_dark() == dark);
        squares
            .filter(|s| board.piece_at(*s) == content(k))
            .map(|s| &patches[s])
            .next()
    };
    let same = |a: &Patch, b: &Patch, dark: bool| {
        let contrast = [a, b].map(|patch| contrast(patch, &grounds[usize::from(dark)].patch));
        let least = (contrast[0].max(contrast[1]) / OF_CONTRAST).min(DIFFERENT);
        let differs = |cell: &usize| (0..3).any(|c| (a.planes[c][*cell] - b.planes[c][*cell]).abs() > least);
        (0..CELLS).filter(differs).count() <= SAME_CELLS
    };
    let pairs = (0..12).flat_map(|k| (0..k).map(move |j| (j, k)));
    let alike = pairs.filter(|(j, k)| {
        let on = |dark: bool| Some(same(shown(*j, dark)?, shown(*k, dark)?, dark));
        let on = [on(false), on(true)];
        on.contains(&Some(true)) && !on.contains(&Some(false))
    });
    let alike = Alike::of(alike);
    for group in alike.groups() {
        let members: Vec<usize> = group.iter().map(|p| index(Some(*p))).collect();
        let known = members.iter().filter_map(|k| templates[*k].clone());
        let best = known.max_by_key(|t| u8::from(t.seen_on.light) + u8::from(t.seen_on.dark));
        members.iter().for_each(|k| templates[*k].clone_from(&best));
    }
}

/// The colours of the pieces of one side, that of the piece at index `k`.
pub fn palette(templates: &[Option<Template>; 12], k: usize) -> Palette {
    let side = k / 6 * 6;
    Palette::of(templates[side..side + 6].iter().flatten())
}

/// One piece, from all squares on which the position has it.
fn piece(
    patches: &BySquare<Patch>,
    board: &Board,
    k: usize,
    grounds: &[Ground; 2],
    noise: Noise,
    palette: &Palette,
) -> Option<Template> {
    // What stands where it does when a game begins has hardly moved last: no mark lies on its square.
    let home = Board::default();
    let standing = |dark: bool| {
        let is_here = |s: &Square| s.is_dark() == dark && board.piece_at(*s) == content(k);
        let (at_home, elsewhere): (Vec<Square>, Vec<Square>) = Square::ALL
            .into_iter()
            .filter(is_here)
            .partition(|s| home.piece_at(*s) == content(k));
        let squares = if at_home.is_empty() { elsewhere } else { at_home };
        let here: Vec<&Patch> = squares.into_iter().map(|s| &patches[s]).collect();
        (!here.is_empty()).then(|| typical(&here))
    };
    let mut seen = [standing(false), standing(true)];
    if content(k).is_some_and(|piece| is_attacked_king(board, piece)) {
        for (patch, ground) in seen.iter_mut().zip(grounds) {
            patch
                .iter_mut()
                .for_each(|patch| rub_out_glow(patch, ground.color, palette));
        }
    }
    let under = [0, 1].map(|i| seen[i].as_ref().map(|patch| grounds[i].beneath(patch)));
    let [light, dark] = [0, 1].map(|i| {
        let (patch, ground) = (seen[i].as_ref()?, under[i].as_ref()?);
        Some(Instance { patch, ground })
    });
    compose(light, dark, noise, palette)
}

/// Whether this is a king in check.
pub fn is_attacked_king(board: &Board, piece: Piece) -> bool {
    let king = board.king_of(piece.color).filter(|_| piece.role == Role::King);
    king.is_some_and(|king| !board.attacks_to(king, !piece.color, board.occupied()).is_empty())
}

/// Many pages let a king in check glow. What is no piece's colour, from the border up to the king, is painted over with
/// the square's.
fn rub_out_glow(patch: &mut Patch, plain: [i16; 3], palette: &Palette) {
    let glow = reached_from_border(|_, cell| palette.lacks(patch.color(cell)));
    for cell in (0..CELLS).filter(|cell| glow[*cell]) {
        (0..3).for_each(|c| patch.planes[c][cell] = plain[c]);
    }
}

/// A template from what was seen on a light and on a dark square.
pub fn compose(light: Option<Instance>, dark: Option<Instance>, noise: Noise, palette: &Palette) -> Option<Template> {
    let drawn = |instance: &Instance, dark: bool| {
        outline(instance, tolerance(noise.of_color[usize::from(dark)]), dark, palette)
    };
    match (light, dark) {
        (Some(light), Some(dark)) => on_the_calmer(&light, &dark, noise.of_board, palette)
            .or_else(|| triangulate(&light, &dark, tolerance(noise.of_pieces())))
            .or_else(|| Some(drawn(&light, false))),
        (Some(light), None) => Some(drawn(&light, false)),
        (None, Some(dark)) => Some(drawn(&dark, true)),
        (None, None) => None,
    }
}

/// White pieces are not darker than black ones, as far as that tells them apart.
fn check_sides(appearance: &Appearance, are_stated: bool) -> Result<(), LearnError> {
    let mean = |color: Color| -> [f32; 3] {
        let of_color = (0..12).filter(|k| content(*k).is_some_and(|p| p.color == color));
        let colors: Vec<[f32; 3]> = of_color
            .filter_map(|k| appearance.template(k))
            .map(Template::mean_color)
            .collect();
        [0, 1, 2].map(|c| colors.iter().map(|color| color[c]).sum::<f32>() / colors.len() as f32)
    };
    // BT.601.
    let brightness = |[red, green, blue]: [f32; 3]| 0.299 * red + 0.587 * green + 0.114 * blue;
    let is_color = |color: [f32; 3]| {
        color.iter().copied().fold(0.0, f32::max) - color.iter().copied().fold(255.0, f32::min) >= COLOR
    };
    let (white, black) = (mean(Color::White), mean(Color::Black));
    let may_be = match are_stated && is_color(white) && is_color(black) {
        true => DARKER_IN_COLOR,
        false => DARKER,
    };
    if brightness(white) + may_be < brightness(black) {
        return Err(LearnError::NotThatPosition(
            "the white pieces are darker than the black ones; is the board turned the other way?".into(),
        ));
    }
    Ok(())
}

/// A picture read back with what was learned from it.
struct Read {
    /// What stands on each square; `None` where that is doubtful.
    read: BySquare<Option<Option<Piece>>>,
    /// What should, as it looks.
    expected: Board,
}

/// More squares than this that differ for certain show another position, whatever it is.
const ANOTHER: usize = 16;

impl Read {
    fn back(appearance: &Appearance, image: &RgbaImage, map: &BoardMap, board: &Board) -> Read {
        let reader = appearance.reader(map);
        Read {
            read: BySquare::from_fn(|square| {
                let reading = judge(&reader.scores(image, square));
                (!reading.doubtful).then_some(reading.content)
            }),
            expected: appearance.alike().board(board),
        }
    }

    /// Whether something else than should is seen there for certain.
    fn is_wrong(&self, square: Square) -> bool {
        self.read[square].is_some_and(|content| content != self.expected.piece_at(square))
    }

    /// Whether it is not seen there for certain.
    fn differs(&self, square: Square) -> bool {
        self.read[square] != Some(self.expected.piece_at(square))
    }

    /// In words, why it is another position than the one that is stated, if it is: a move leads there, a piece stands
    /// where none should and something else is wrong, or too much differs.
    fn is_another(&self, stated: &Chess, appearance: &Appearance) -> Option<String> {
        let wrong: Vec<Square> = Square::ALL.into_iter().filter(|s| self.is_wrong(*s)).collect();
        let empty = |s: &&Square| self.expected.piece_at(**s).is_none();
        let more = wrong.iter().filter(empty).count();
        if wrong.len() < 2 {
            return None;
        }
        if wrong.len() > ANOTHER || more > 0 {
            return Some(differs_on(&wrong));
        }
        let sides = [Some(stated.clone()), stated.clone().swap_turn().ok()];
        let shows = |after: &Board| {
            let after = appearance.alike().board(after);
            wrong.iter().all(|s| self.read[*s] == Some(after.piece_at(*s)))
        };
        let led = sides.into_iter().flatten().any(|position| {
            let moves = position.legal_moves();
            moves.iter().any(|m| {
                let mut after = position.clone();
                after.play_unchecked(*m);
                shows(after.board())
            })
        });
        led.then(|| differs_on(&wrong))
    }
}

fn differs_on(squares: &[Square]) -> String {
    format!("it differs on {}", listed(squares))
}

fn listed(squares: &[Square]) -> String {
    let names: Vec<String> = squares.iter().map(Square::to_string).collect();
    names.join(" ")
}

/// Reads the picture back: what was learned must show the position that was stated.
fn check(appearance: &Appearance, image: &RgbaImage, map: &BoardMap, board: &Board) -> Result<(), LearnError> {
    let read = Read::back(appearance, image, map, board);
    let wrong: Vec<Square> = Square::ALL.into_iter().filter(|s| read.is_wrong(*s)).collect();
    if !wrong.is_empty() {
        return Err(LearnError::NotThatPosition(differs_on(&wrong)));
    }
    let covered: Vec<Square> = Square::ALL.into_iter().filter(|s| read.read[*s].is_none()).collect();
    if covered.len() > COVERED {
        let why = format!("covered or unreadable: {}", listed(&covered));
        return Err(LearnError::NotThatPosition(why));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reported (python-chess-gui): the white knight's line runs between two cells, and no piece was there.
    #[test]
    fn a_piece_drawn_in_a_thin_line_on_large_squares_is_learned() {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../tests/data/vision/thin-lines/start.png"
        );
        let image = image::open(path).unwrap().to_rgba8();
        let map = BoardMap {
            rect: torres_geometry::BoardRect::new(0.0, 0.0, 632.0, 632.0).unwrap(),
            orientation: torres_geometry::Orientation::White,
        };
        assert!(learn(&image, &map, &Board::default(), false).is_ok());
    }

    /// Reported (gambitcafe, of which the browser drew no black knights): squares of 62.5 px end between two pixels, and
    /// the next one's colour along the border passed for the knight's line. All bare squares were "unreadable" then.
    #[test]
    fn a_square_s_border_is_no_piece() {
        const SIDE: f64 = 62.5;
        let colors = [[240.0, 225.0, 195.0], [176.0, 124.0, 82.0]];
        let board = Board::default();
        let color_at = |x: f64, y: f64| {
            let (file, row) = ((x / SIDE) as u32, (y / SIDE) as u32);
            let square = Square::from_coords(shakmaty::File::new(file), shakmaty::Rank::new(7 - row));
            let (dx, dy) = (x % SIDE / SIDE, y % SIDE / SIDE);
            let drawn = board.piece_at(square).filter(|piece| {
                *piece
                    != Piece {
                        color: Color::Black,
                        role: Role::Knight,
                    }
            });
            let size = |piece: Piece| 0.15 + 0.05 * f64::from(u8::from(piece.role));
            match drawn.filter(|piece| (dx - 0.5).abs() < size(*piece) && (dy - 0.5).abs() < 0.3) {
                Some(piece) if piece.color == Color::White => [250.0; 3],
                Some(_) => [20.0; 3],
                None => colors[usize::from(square.is_dark())],
            }
        };
        let image = RgbaImage::from_fn(500, 500, |x, y| {
            // A pixel has the mean of four points in it.
            let points = [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)];
            let seen = points.map(|(dx, dy)| color_at(f64::from(x) + dx, f64::from(y) + dy));
            let mean = [0, 1, 2].map(|c| (seen.iter().map(|color| color[c]).sum::<f64>() / 4.0) as u8);
            image::Rgba([mean[0], mean[1], mean[2], 255])
        });
        let map = BoardMap {
            rect: torres_geometry::BoardRect::new(0.0, 0.0, 500.0, 500.0).unwrap(),
            orientation: torres_geometry::Orientation::White,
        };
        let refused = learn(&image, &map, &board, false).unwrap_err();
        assert_eq!(
            refused,
            LearnError::NotThatPosition("no piece is visible on b8 g8".to_owned())
        );
    }

    const PLAIN: [i16; 3] = [240, 217, 181];
    const GLOW: [i16; 3] = [250, 40, 30];
    const KING: [i16; 3] = [20, 20, 20];

    /// Knights frames the squares of the last move. A knight that was learned in its frame was a whole square, and
    /// unreadable without it.
    #[test]
    fn a_piece_that_is_learned_in_a_frame_is_read_without_it_on_the_other_colour() {
        const SIDE: u32 = 35;
        let picture = |board: &Board, framed: Option<Square>| {
            RgbaImage::from_fn(8 * SIDE, 8 * SIDE, |x, y| {
                let s = Square::from_coords(shakmaty::File::new(x / SIDE), shakmaty::Rank::new(7 - y / SIDE));
                let (dx, dy) = (x % SIDE, y % SIDE);
                let to_edge = dx.min(dy).min(SIDE - 1 - dx).min(SIDE - 1 - dy);
                if framed == Some(s) && to_edge < 2 {
                    return image::Rgba([100, 100, 80, 255]);
                }
                let wide = |piece: Piece| 5 + 2 * (6 - piece.role as u32);
                let level = match board.piece_at(s) {
                    Some(piece) if to_edge >= 5 && dx >= wide(piece) && dx + wide(piece) < SIDE => {
                        let on_edge = dx == wide(piece) || dx + wide(piece) + 1 == SIDE || to_edge == 5;
                        piece.color.fold_wb(if on_edge { 30 } else { 255 }, 30)
                    }
                    _ if s.is_dark() => 187,
                    _ => 238,
                };
                image::Rgba([level, level, level, 255])
            })
        };
        let side = f64::from(8 * SIDE);
        let map = BoardMap {
            rect: torres_geometry::BoardRect::new(0.0, 0.0, side, side).unwrap(),
            orientation: torres_geometry::Orientation::White,
        };
        let start = Chess::default().board().clone();
        for king in [Square::E1, Square::E8] {
            let appearance = learn(&picture(&start, Some(king)), &map, &start, false).unwrap();
            let mut after = start.clone();
            let to = king.offset(if king == Square::E1 { 24 } else { -24 }).unwrap();
            let piece = after.remove_piece_at(king).unwrap();
            after.set_piece_at(to, piece);
            let read = appearance.read(&picture(&after, None), &map).squares[to];
            assert!(read.content == Some(piece) && !read.doubtful, "{king}: {read:?}");
        }
    }

    #[test]
    fn a_check_s_glow_is_rubbed_out_up_to_the_king_and_not_within() {
        // A glow from the border on, the king, and the glow's colour again within it: a jewel.
        let color = |cell: usize| match ((cell % N) as f32 - 11.5).hypot((cell / N) as f32 - 11.5) {
            0.0..2.5 => GLOW,
            2.5..8.0 => KING,
            _ => GLOW,
        };
        let seen = Patch {
            planes: std::array::from_fn(|c| std::array::from_fn(|cell| color(cell)[c])),
        };
        let pawn = Template {
            opacity: [255; CELLS],
            color: KING.map(|v| [v as u8; CELLS]),
            seen_on: SeenOn::BOTH,
        };
        let mut patch = seen.clone();
        rub_out_glow(&mut patch, PLAIN, &Palette::of([&pawn].into_iter()));
        let (border, body, jewel) = (0, 11 * N + 6, 11 * N + 11);
        assert_eq!([border, body, jewel].map(|k| patch.color(k)), [PLAIN, KING, GLOW]);
        // Nothing is known of the pieces: all of it may be the king's.
        let mut patch = seen.clone();
        rub_out_glow(&mut patch, PLAIN, &Palette::default());
        assert_eq!(patch, seen);
    }
}
