//! Where the pointer goes that is taken off the board: beside it, within its window, off whatever else is looked at
//! there, and where nothing is drawn if there is such a place. A button under it may show a tip, and the tip may lie
//! over the board.

use torres_frame::Frame;
use torres_geometry::{BoardRect, DesktopPx, DesktopRect, FramePx};

/// How far off the board it goes, in sides of a square, where its window has the room.
const OFF: f64 = 0.5;
/// Elsewhere it goes to the middle of what room there is, where that is at least this many pixels.
const LEAST_ROOM: f64 = 8.0;
/// How many pixels it keeps off what is looked at.
const AWAY: f64 = 4.0;

/// Nothing is drawn where all within this many pixels across and down is of one colour.
const PLAIN: i32 = 12;
/// Levels by which one colour may waver.
const ONE_COLOR: u8 = 4;

/// The place beside the board that is nearest to the pointer, within the window and not over any of these parts of the
/// page; one where `page` shows nothing drawn before all others. `None` where the board leaves no room.
pub fn place_beside_board(
    board: &BoardRect,
    client: DesktopRect,
    pointer: DesktopPx,
    keep_off: &[DesktopRect],
    page: Option<&Frame>,
) -> Option<DesktopPx> {
    let (left, top) = (board.x(), board.y());
    let (right, bottom) = (left + board.width(), top + board.height());
    let (client_left, client_top) = (f64::from(client.x), f64::from(client.y));
    let (client_right, client_bottom) = (
        client_left + f64::from(client.width),
        client_top + f64::from(client.height),
    );
    let off = |room: f64| (room >= LEAST_ROOM).then(|| (board.width() / 8.0 * OFF).min(room / 2.0));
    let columns = [
        off(left - client_left).map(|off| left - off),
        off(client_right - right).map(|off| right + off),
    ];
    let rows = [
        off(top - client_top).map(|off| top - off),
        off(client_bottom - bottom).map(|off| bottom + off),
    ];
    // Beside the pointer, or else beside any rank or file.
    let along = |from: f64, side: f64, at: f64| {
        let middles = (0..8).map(move |nth| from + side * (f64::from(nth) + 0.5) / 8.0);
        std::iter::once(at).chain(middles)
    };
    let sideways = columns.into_iter().flatten().flat_map(|x| {
        let all = along(top, board.height(), pointer.y);
        all.map(move |y| DesktopPx { x, y })
    });
    let above = rows.into_iter().flatten().flat_map(|y| {
        let all = along(left, board.width(), pointer.x);
        all.map(move |x| DesktopPx { x, y })
    });
    let is_free = |at: &DesktopPx| !keep_off.iter().any(|part| lies_in(part, *at));
    let distance = |at: &DesktopPx| (at.x - pointer.x).hypot(at.y - pointer.y);
    let mut free: Vec<DesktopPx> = sideways.chain(above).filter(is_free).collect();
    free.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
    let plain = page.and_then(|page| free.iter().find(|at| is_plain(page, board, **at)));
    plain.or(free.first()).copied()
}

/// Whether nothing is drawn around a place, the board itself aside.
fn is_plain(page: &Frame, board: &BoardRect, at: DesktopPx) -> bool {
    let middle = pixel(page, at);
    let mut around = (-PLAIN..=PLAIN).flat_map(|dy| (-PLAIN..=PLAIN).map(move |dx| (f64::from(dx), f64::from(dy))));
    middle.is_some_and(|middle| {
        around.all(|(dx, dy)| {
            let near = DesktopPx {
                x: at.x + dx,
                y: at.y + dy,
            };
            let differs = |seen: [u8; 3]| (0..3).any(|k| seen[k].abs_diff(middle[k]) > ONE_COLOR);
            board.contains(near.x, near.y) || !pixel(page, near).is_some_and(differs)
        })
    })
}

/// The colour of a desktop's pixel, if it was captured.
fn pixel(page: &Frame, at: DesktopPx) -> Option<[u8; 3]> {
    let FramePx { x, y } = page.to_frame(at);
    let is_captured = x >= 0.0 && y >= 0.0;
    let seen = is_captured.then(|| page.image.get_pixel_checked(x as u32, y as u32))??;
    Some([seen[0], seen[1], seen[2]])
}

fn lies_in(part: &DesktopRect, at: DesktopPx) -> bool {
    let (x, y) = (at.x - f64::from(part.x), at.y - f64::from(part.y));
    (-AWAY..f64::from(part.width) + AWAY).contains(&x) && (-AWAY..f64::from(part.height) + AWAY).contains(&y)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLIENT: DesktopRect = DesktopRect {
        x: 0,
        y: 0,
        width: 1000,
        height: 820,
    };

    fn board() -> BoardRect {
        BoardRect::new(100.0, 10.0, 800.0, 800.0).unwrap()
    }

    fn goes(x: f64, y: f64, keep_off: &[DesktopRect]) -> Option<(f64, f64)> {
        place_beside_board(&board(), CLIENT, DesktopPx { x, y }, keep_off, None).map(|at| (at.x, at.y))
    }

    #[test]
    fn it_goes_to_the_nearest_side_that_has_room() {
        assert_eq!(goes(150.0, 400.0, &[]), Some((50.0, 400.0)));
        assert_eq!(goes(850.0, 400.0, &[]), Some((950.0, 400.0)));
        // Ten pixels above the board are little room, and enough.
        assert_eq!(goes(500.0, 60.0, &[]), Some((500.0, 5.0)));
        let filled = DesktopRect {
            y: 10,
            height: 800,
            ..CLIENT
        };
        let at = DesktopPx { x: 450.0, y: 60.0 };
        let went = place_beside_board(&board(), filled, at, &[], None).unwrap();
        assert_eq!((went.x, went.y), (50.0, 60.0));
    }

    #[test]
    fn it_keeps_off_what_is_looked_at_there() {
        let panel = DesktopRect {
            x: 20,
            y: 380,
            width: 60,
            height: 40,
        };
        let (x, y) = goes(150.0, 400.0, &[panel]).unwrap();
        assert!(x == 50.0 && !(376.0..424.0).contains(&y), "{x}, {y}");
        let everywhere = [CLIENT];
        assert_eq!(goes(150.0, 400.0, &everywhere), None);
    }

    #[test]
    fn it_goes_where_nothing_is_drawn() {
        // A toolbar above the board: buttons that are 40 pixels wide, 10 apart.
        let mut image = image::RgbaImage::from_pixel(1000, 820, image::Rgba([238, 238, 236, 255]));
        for (x, y) in (0..1000).flat_map(|x| (0..60).map(move |y| (x, y))) {
            let is_drawn = x % 50 < 40 && (30..42).contains(&y) && x % 7 < 3;
            if is_drawn {
                image.put_pixel(x, y, image::Rgba([40, 40, 40, 255]));
            }
        }
        let page = Frame {
            image: image.into(),
            at: torres_frame::Timestamp::from_ms(0.0),
            origin: torres_geometry::DesktopPx { x: 0.0, y: 0.0 },
        };
        let board = BoardRect::new(100.0, 60.0, 720.0, 720.0).unwrap();
        let pointer = DesktopPx { x: 500.0, y: 70.0 };
        let went = |page| place_beside_board(&board, CLIENT, pointer, &[], page).unwrap();
        assert_eq!(went(None).y, 30.0);
        let plain = went(Some(&page));
        assert!(plain.x < 100.0 || plain.x > 820.0 || plain.y > 780.0, "{plain:?}");
    }

    #[test]
    fn a_pointer_beside_the_board_is_not_over_it_and_a_board_that_fills_its_window_leaves_no_room() {
        let at = |x, y| board().contains(x, y);
        assert_eq!(
            (at(99.0, 400.0), at(500.0, 815.0), at(101.0, 400.0)),
            (false, false, true)
        );
        let window = DesktopRect {
            x: 100,
            y: 10,
            width: 800,
            height: 800,
        };
        let pointer = DesktopPx { x: 450.0, y: 60.0 };
        assert!(place_beside_board(&board(), window, pointer, &[], None).is_none());
    }
}
