//! The annotated picture: shows the user what was found.

use super::panel::PanelPicture;
use super::procedure::BoardFinding;
use super::suspicion::Suspicion;
use image::imageops::{self, FilterType};
use image::{Rgba, RgbaImage};
use shakmaty::{Color, Role, Square};
use torres_geometry::{BoardMap, FramePx, FrameRect};
use torres_picture::{fill_rect, grid, outline, outline_square, text, text_width, wrapped};
use torres_vision::BoardReading;

const GRID: Rgba<u8> = Rgba([255, 221, 0, 200]);
const PLATE: Rgba<u8> = Rgba([0, 0, 0, 170]);
const READ: Rgba<u8> = Rgba([140, 255, 140, 255]);
const DOUBTFUL: Rgba<u8> = Rgba([255, 96, 96, 255]);
const PANEL: Rgba<u8> = Rgba([64, 160, 255, 255]);
/// A colour that buttons seldom have.
const BUTTON: Rgba<u8> = Rgba([255, 120, 220, 255]);
const CLOCK: Rgba<u8> = Rgba([190, 150, 255, 255]);
const SAYING: Rgba<u8> = Rgba([255, 255, 255, 255]);
const SUSPECTED: Rgba<u8> = Rgba([255, 150, 40, 255]);
const PAPER: Rgba<u8> = Rgba([26, 27, 31, 255]);

/// The most times that a panel is enlarged.
const MOST_TIMES: u32 = 3;
/// The gap between the parts below the picture, in pixels.
const GAP: f64 = 12.0;
/// The size of the text there and the height of its lines, in pixels.
const TEXT: f64 = 16.0;
const LINE: f64 = 21.0;
/// Room for a proposal's number.
const NUMBER: f64 = 18.0;

/// The opponent's panel, as it is shown to the user.
#[derive(Clone, Copy, Debug)]
pub struct PanelNote<'a> {
    /// Where it lies in the picture.
    pub rect: FrameRect,
    /// Its other look, where it has one.
    pub also: Option<&'a PanelPicture>,
    /// The name that the user says is written there.
    pub name: Option<&'a str>,
    /// Reasons to doubt that it names the opponent.
    pub suspicions: &'a [Suspicion],
}

/// Draws the grid, the squares' names, what was read on them, the site's clocks and the opponent's panel onto the
/// picture; below it, the panel enlarged.
pub fn annotated(
    picture: &RgbaImage,
    finding: &BoardFinding,
    clocks: Option<&[FrameRect; 2]>,
    panel: Option<PanelNote>,
) -> RgbaImage {
    let mut drawn = picture.clone();
    let reading = finding.appearance.read(picture, &finding.map);
    grid(&mut drawn, &finding.map, GRID);
    for square in Square::ALL {
        name_piece(&mut drawn, &finding.map, &reading, square);
    }
    if let Some(panel) = &panel {
        let suspected = if panel.suspicions.is_empty() { PANEL } else { SUSPECTED };
        let words = match panel.name {
            Some(name) => format!("opponent panel: '{name}', by your word"),
            None => "opponent panel: plays only while it looks like this".to_owned(),
        };
        let clocks: Vec<FrameRect> = clocks.into_iter().flatten().copied().collect();
        framed(&mut drawn, panel.rect, suspected, &words, &clocks);
    }
    for square in &finding.differs {
        outline_square(&mut drawn, &finding.map, *square, 3.0, DOUBTFUL);
    }
    for clock in clocks.into_iter().flatten() {
        outlined_clock(&mut drawn, with_room(*clock));
    }
    board_line(&mut drawn, finding);
    match panel {
        Some(panel) => below(&drawn, &enlarged_panel(picture, &panel, drawn.width())),
        None => drawn,
    }
}

/// A clock's characters with some room, so that its outline does not lie over them.
fn with_room(clock: FrameRect) -> FrameRect {
    FrameRect {
        x: clock.x - 5.0,
        y: clock.y - 5.0,
        width: clock.width + 10.0,
        height: clock.height + 10.0,
    }
}

/// What the board is, in a line of text beside it.
fn board_line(drawn: &mut RgbaImage, finding: &BoardFinding) {
    let rect = finding.map.rect;
    let mut says = format!(
        "board {:.1}, {:.1}   {:.1} × {:.1} px   {}",
        rect.x(),
        rect.y(),
        rect.width(),
        rect.height(),
        finding.map.orientation
    );
    if !finding.differs.is_empty() {
        says.push_str("   red: not read as you stated");
    }
    let below = rect.y() + rect.height() + 4.0;
    let y = if below + 22.0 < f64::from(drawn.height()) {
        below
    } else {
        (rect.y() - 24.0).max(0.0)
    };
    label(drawn, FramePx { x: rect.x(), y }, 15.0, SAYING, &says);
}

/// The panel as it is, larger, with all that is said of it.
fn enlarged_panel(picture: &RgbaImage, panel: &PanelNote, width: u32) -> RgbaImage {
    let mut looks = vec![enlarged(&part(picture, &panel.rect), MOST_TIMES, width)];
    if let Some(also) = panel.also {
        looks.push(enlarged(&also.to_rgba(), MOST_TIMES, width));
    }
    let mut lines = vec![(
        SAYING,
        match panel.name {
            Some(name) => format!("the opponent panel, enlarged: does it say '{name}'?"),
            None => "the opponent panel, enlarged: does it name the bot?".to_owned(),
        },
    )];
    if panel.also.is_some() {
        let two = "its two looks: a title bar changes once the window gets or loses the keyboard";
        lines.push((SAYING, two.to_owned()));
    }
    let warned = panel
        .suspicions
        .iter()
        .map(|it| (SUSPECTED, format!("look twice: {it}")));
    lines.extend(warned);
    let widest = looks.iter().map(RgbaImage::width).max().unwrap_or(0);
    let width = width.max(widest + 2 * GAP as u32);
    let column = f64::from(width) - 2.0 * GAP;
    let lines: Vec<(Rgba<u8>, String)> = lines
        .into_iter()
        .flat_map(|(color, says)| {
            let wrapped = wrapped(TEXT, column, &says).into_iter();
            wrapped.map(move |line| (color, line))
        })
        .collect();
    let gap = GAP as u32;
    let high: u32 = looks.iter().map(|look| look.height() + gap).sum();
    let text_height = (LINE * lines.len() as f64).ceil() as u32;
    let mut strip = RgbaImage::from_pixel(width, high + text_height + 2 * gap, PAPER);
    let mut y = GAP;
    for look in &looks {
        imageops::replace(&mut strip, look, GAP as i64, y as i64);
        y += f64::from(look.height()) + GAP;
    }
    for (color, line) in lines {
        text(&mut strip, FramePx { x: GAP, y }, TEXT, color, &line);
        y += LINE;
    }
    strip
}

/// A part of a picture.
fn part(picture: &RgbaImage, rect: &FrameRect) -> RgbaImage {
    imageops::crop_imm(
        picture,
        rect.x as u32,
        rect.y as u32,
        rect.width as u32,
        rect.height as u32,
    )
    .to_image()
}

/// The picture enlarged by a whole factor: the largest that fits into the width, and at most this one.
fn enlarged(picture: &RgbaImage, most: u32, width: u32) -> RgbaImage {
    let fits = (width.saturating_sub(2 * GAP as u32)) / picture.width().max(1);
    let times = fits.clamp(1, most);
    imageops::resize(
        picture,
        picture.width() * times,
        picture.height() * times,
        FilterType::Nearest,
    )
}

/// Two pictures, one below the other. Places in the upper one keep their coordinates.
fn below(upper: &RgbaImage, lower: &RgbaImage) -> RgbaImage {
    let size = (upper.width().max(lower.width()), upper.height() + lower.height());
    let mut both = RgbaImage::from_pixel(size.0, size.1, PAPER);
    imageops::replace(&mut both, upper, 0, 0);
    imageops::replace(&mut both, lower, 0, i64::from(upper.height()));
    both
}

/// Draws the button that begins the next game onto an annotated picture.
pub fn annotate_button(drawn: &mut RgbaImage, button: FrameRect) {
    framed(drawn, button, BUTTON, "new game: clicked once after each game", &[]);
}

/// A rectangle that may name the opponent.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// Where it lies in the picture; `None` where it lies beyond, in the window's title bar.
    pub rect: Option<FrameRect>,
    /// What it shows.
    pub picture: RgbaImage,
}

/// Draws numbered rectangles, one of which may name the opponent, onto an annotated picture, and what they show
/// enlarged below it.
pub fn annotate_proposals(drawn: &mut RgbaImage, proposals: &[Proposal]) {
    for (number, rect) in (1..).zip(proposals).filter_map(|(number, it)| Some((number, it.rect?))) {
        outline(drawn, rect, 2.0, PANEL);
        let words = format!("{number}");
        let beside = rect.x - text_width(17.0, &words) - 6.0;
        let at = FramePx {
            x: if beside >= 0.0 {
                beside
            } else {
                rect.x + rect.width + 4.0
            },
            y: rect.y,
        };
        label(drawn, at, 17.0, PANEL, &words);
    }
    if !proposals.is_empty() {
        *drawn = below(drawn, &enlarged_proposals(proposals, drawn.width()));
    }
}

/// What the proposals show, larger and numbered, side by side as far as there is room.
fn enlarged_proposals(proposals: &[Proposal], width: u32) -> RgbaImage {
    let room = width.saturating_sub(NUMBER as u32);
    let pictures: Vec<RgbaImage> = proposals.iter().map(|it| enlarged(&it.picture, 2, room)).collect();
    let widest = pictures.iter().map(RgbaImage::width).max().unwrap_or(0);
    let width = width.max(widest + (NUMBER + 2.0 * GAP) as u32);
    let (mut places, mut x, mut y, mut row) = (Vec::new(), GAP, GAP, 0.0f64);
    for picture in &pictures {
        let (wide, high) = (NUMBER + f64::from(picture.width()), f64::from(picture.height()));
        if x > GAP && x + wide + GAP > f64::from(width) {
            (x, y, row) = (GAP, y + row + GAP, 0.0);
        }
        places.push(FramePx { x, y });
        (x, row) = (x + wide + GAP, row.max(high));
    }
    let mut strip = RgbaImage::from_pixel(width, (y + row + GAP) as u32, PAPER);
    for (number, (place, picture)) in (1..).zip(places.iter().zip(&pictures)) {
        text(&mut strip, *place, 17.0, PANEL, &format!("{number}"));
        imageops::replace(&mut strip, picture, (place.x + NUMBER) as i64, place.y as i64);
    }
    strip
}

/// An outline with words above it, or below it where there is no room above; not over what is to be seen.
fn framed(drawn: &mut RgbaImage, rect: FrameRect, color: Rgba<u8>, words: &str, keep_free: &[FrameRect]) {
    outline(drawn, rect, 3.0, color);
    let width = text_width(15.0, words);
    let rightmost = f64::from(drawn.width()) - width - 6.0;
    let x = rect.x.min(rightmost).max(0.0);
    let (above, below) = (rect.y - 22.0, rect.y + rect.height + 5.0);
    let is_free = |y: f64| {
        let lies_over = |other: &FrameRect| {
            x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + 19.0
        };
        y >= 0.0 && !keep_free.iter().any(lies_over)
    };
    let y = [above, below].into_iter().find(|y| is_free(*y)).unwrap_or(below);
    label(drawn, FramePx { x, y }, 15.0, color, words);
}

/// An outline around a clock, and a word beside it: names stand above and below clocks.
fn outlined_clock(drawn: &mut RgbaImage, rect: FrameRect) {
    outline(drawn, rect, 3.0, CLOCK);
    let right = rect.x + rect.width + 5.0;
    let width = text_width(15.0, "clock") + 6.0;
    let x = if right + width <= f64::from(drawn.width()) {
        right
    } else {
        rect.x - width
    };
    label(drawn, FramePx { x, y: rect.y }, 15.0, CLOCK, "clock");
}

/// Writes what was read into the lower right corner of a square: white pieces in capitals, as in a FEN.
fn name_piece(drawn: &mut RgbaImage, map: &BoardMap, reading: &BoardReading, square: Square) {
    let seen = reading.squares[square];
    let letter = match seen.content {
        None if !seen.doubtful => return,
        None => "?".to_owned(),
        Some(piece) => {
            let letter = match piece.role {
                Role::Pawn => 'p',
                Role::Knight => 'n',
                Role::Bishop => 'b',
                Role::Rook => 'r',
                Role::Queen => 'q',
                Role::King => 'k',
            };
            match piece.color {
                Color::White => letter.to_ascii_uppercase().to_string(),
                Color::Black => letter.to_string(),
            }
        }
    };
    let rect = map.square_rect(square);
    let size = (rect.height / 3.5).clamp(11.0, 22.0);
    let color = if seen.doubtful { DOUBTFUL } else { READ };
    let at = FramePx {
        x: rect.x + rect.width - text_width(size, &letter) - 6.0,
        y: rect.y + rect.height - size - 4.0,
    };
    label(drawn, at, size, color, &letter);
}

/// Text on a dark plate.
fn label(drawn: &mut RgbaImage, at: FramePx, size: f64, color: Rgba<u8>, says: &str) {
    let plate = FrameRect {
        x: at.x - 2.0,
        y: at.y - 1.0,
        width: text_width(size, says) + 4.0,
        height: size + 4.0,
    };
    fill_rect(drawn, plate, PLATE);
    text(drawn, at, size, color, says);
}
