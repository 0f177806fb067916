//! Where the pointer goes that is taken off the board: beside it, within its window, and off whatever else is looked at there.

use torres_geometry::{BoardRect, DesktopPx, DesktopRect};

/// It goes so far off the board, in sides of a square, where its window has the room.
const OFF: f64 = 0.5;
/// And half of what room there is, where that is at least so many pixels.
const LEAST_ROOM: f64 = 8.0;
/// What is looked at is kept off by so many pixels.
const AWAY: f64 = 4.0;

/// The nearest place beside the board for a pointer that lies over it; `None` where it does not, or there is none.
pub fn aside(
    board: &BoardRect,
    client: DesktopRect,
    pointer: DesktopPx,
    keep_off: &[DesktopRect],
) -> Option<DesktopPx> {
    let (x, y) = (pointer.x - board.x(), pointer.y - board.y());
    let is_over = (0.0..board.width()).contains(&x) && (0.0..board.height()).contains(&y);
    is_over.then(|| beside(board, client, pointer, keep_off)).flatten()
}

/// The place beside the board that is nearest to the pointer, within the window and not over any of these parts of the page; `None` where the board leaves no
/// room.
pub fn beside(
    board: &BoardRect,
    client: DesktopRect,
    pointer: DesktopPx,
    keep_off: &[DesktopRect],
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
    let free = sideways.chain(above).filter(is_free);
    free.min_by(|a, b| distance(a).total_cmp(&distance(b)))
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
        aside(&board(), CLIENT, DesktopPx { x, y }, keep_off).map(|at| (at.x, at.y))
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
        let went = aside(&board(), filled, at, &[]).unwrap();
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
    fn a_pointer_beside_the_board_stays_and_a_board_that_fills_its_window_leaves_no_room() {
        assert_eq!(goes(99.0, 400.0, &[]), None);
        assert_eq!(goes(500.0, 815.0, &[]), None);
        let window = DesktopRect {
            x: 100,
            y: 10,
            width: 800,
            height: 800,
        };
        let at = DesktopPx { x: 450.0, y: 60.0 };
        assert!(aside(&board(), window, at, &[]).is_none());
    }
}
