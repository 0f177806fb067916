//! What the page received, held against what was aimed.

use super::check::Check;
use super::page::{Event, Kind, PageSquare, Ready};
use super::place::FoundSquare;
use torres_geometry::InputPt;

/// How far from where it was aimed a press or release may land, in captured pixels; a pixel of a page that is drawn
/// larger is more than one.
const REACH: f64 = 1.0;
/// How far the size of the squares may be from what the browser says, as a share.
const SIZE: f64 = 0.02;

/// A click on the one square, and a drag from it to the other: what the page should have of them.
const EXPECTED: [(Kind, Square); 4] = [
    (Kind::Down, Square::From),
    (Kind::Up, Square::From),
    (Kind::Down, Square::From),
    (Kind::Up, Square::To),
];
/// How many events that is.
pub(super) const EVENTS: usize = EXPECTED.len();

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Square {
    From,
    To,
}

/// The squares as they were seen on the screen, and where the mouse was sent for them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aim {
    pub seen: [FoundSquare; 2],
    pub put: [InputPt; 2],
}

/// Whether all presses and releases came, with the left button.
pub(super) fn input(events: &[Event]) -> Check {
    let name = "input";
    // First, since the menu that the right button opens swallows what comes after it.
    if let Some(other) = events.iter().find(|event| event.button != 0) {
        return Check::fails(
            name,
            format!(
                "Torres pressed the left button, the test page received number {}",
                other.button
            ),
            "the buttons are exchanged: set the mouse to right-handed (`xmodmap -e 'pointer = default'`)",
        );
    }
    let came: Vec<Kind> = events.iter().map(|event| event.kind).collect();
    if came != EXPECTED.map(|(kind, _)| kind) {
        let words = |kinds: &[Kind]| match kinds {
            [] => "nothing".to_owned(),
            some => some
                .iter()
                .map(|kind| match kind {
                    Kind::Down => "press",
                    Kind::Up => "release",
                })
                .collect::<Vec<_>>()
                .join(", "),
        };
        return Check::fails(
            name,
            format!("of a click and a drag the test page received {}", words(&came)),
            "leave the mouse alone, see that nothing covers the window that opens or grabs the mouse (a menu, a lock screen), and run this again",
        );
    }
    Check::works(
        name,
        "a click and a drag arrived on the test page, with the left button",
    )
}

/// Whether they landed where they were aimed, and how the page's, the screen's and the mouse's units go together.
/// `events` are those that [`input`] found right.
pub(super) fn scale(page: &Ready, aim: &Aim, events: &[Event], desktop: f64) -> Check {
    let name = "scale";
    let measured = aim.seen[0].side / page.from.side;
    let mut detail = format!("{measured:.2} pixels of the screen are one of a page");
    if let Some(units) = input_per_pixel(aim, events, measured) {
        detail += &format!(", {units:.2} units of the mouse are one of the screen");
    }
    if (desktop - 1.0).abs() > 0.001 {
        detail += &format!("; the desktop's settings (Xft.dpi) say {desktop:.2}");
    }
    if (measured / page.ratio - 1.0).abs() > SIZE {
        return Check::fails(
            name,
            format!(
                "{detail}; but the browser says {:.2} pixels of the screen are one of a page",
                page.ratio
            ),
            "set the monitor's scale to 100 % or 200 %: one that is stretched afterwards blurs the board",
        );
    }
    let center = |square: PageSquare| (square.x + square.side / 2.0, square.y + square.side / 2.0);
    let reach = REACH.max(page.ratio);
    for (event, (kind, square)) in events.iter().zip(EXPECTED) {
        let (x, y) = center(match square {
            Square::From => page.from,
            Square::To => page.to,
        });
        let (across, down) = ((event.x - x) * page.ratio, (event.y - y) * page.ratio);
        // What is as far as it may be, rounding aside.
        if across.abs().max(down.abs()) > reach + 1e-6 {
            let what = match (kind, square) {
                (Kind::Down, _) => "a press",
                (Kind::Up, Square::From) => "a click's release",
                (Kind::Up, Square::To) => "a drag's release",
            };
            return Check::fails(
                name,
                format!("{detail}; but {what} landed {across:+.1}, {down:+.1} px from where it was aimed"),
                "set the monitor's scale to 100 %; calibrate with --window, which measures the mouse, and look whether the first moves land",
            );
        }
    }
    Check::works(name, detail)
}

/// The mouse's units per captured pixel, by the drag's length.
fn input_per_pixel(aim: &Aim, events: &[Event], measured: f64) -> Option<f64> {
    let [.., press, release] = events else { return None };
    let [from, to] = aim.put;
    let put = f64::hypot(f64::from(to.x - from.x), f64::from(to.y - from.y));
    let landed = f64::hypot(release.x - press.x, release.y - press.y) * measured;
    (landed > 0.0).then(|| put / landed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use torres_geometry::FramePx;

    const SIDE: f64 = 120.0;

    fn page(ratio: f64) -> Ready {
        let square = |x, y| PageSquare { x, y, side: SIDE };
        Ready {
            from: square(80.0, 120.0),
            to: square(360.0, 220.0),
            ratio,
            version: String::new(),
        }
    }

    /// As seen when the page's content begins at 0, 0.
    fn aim(scale: f64) -> Aim {
        let seen = |x: f64, y: f64| FoundSquare {
            center: FramePx {
                x: x * scale,
                y: y * scale,
            },
            side: SIDE * scale,
        };
        let seen = [seen(140.0, 180.0), seen(420.0, 280.0)];
        let put = seen.map(|seen| InputPt {
            x: seen.center.x.round() as i32,
            y: seen.center.y.round() as i32,
        });
        Aim { seen, put }
    }

    fn events(moved: (f64, f64)) -> Vec<Event> {
        let event = |kind, x, y| Event { kind, x, y, button: 0 };
        vec![
            event(Kind::Down, 140.0, 180.0),
            event(Kind::Up, 140.0, 180.0),
            event(Kind::Down, 140.0, 180.0),
            event(Kind::Up, 420.0 + moved.0, 280.0 + moved.1),
        ]
    }

    #[test]
    fn what_lands_as_aimed_is_no_complaint() {
        for ratio in [1.0, 1.5, 2.0] {
            let check = scale(&page(ratio), &aim(ratio), &events((0.0, 0.0)), 1.0);
            assert!(check.ok, "{}", check.detail);
            assert!(check.detail.contains("1.00 units of the mouse"), "{}", check.detail);
        }
        assert!(scale(&page(1.0), &aim(1.0), &events((1.0, -1.0)), 1.0).ok);
        assert!(input(&events((0.0, 0.0))).ok);
        let detail = scale(&page(1.0), &aim(1.0), &events((0.0, 0.0)), 1.5).detail;
        assert!(detail.contains("Xft.dpi) say 1.50"), "{detail}");
    }

    #[test]
    fn a_drag_that_lands_elsewhere_is_a_complaint() {
        let check = scale(&page(1.0), &aim(1.0), &events((70.0, 2.0)), 1.0);
        assert!(!check.ok);
        assert!(
            check.detail.contains("a drag's release landed +70.0, +2.0 px"),
            "{}",
            check.detail
        );
    }

    #[test]
    fn a_screen_that_is_stretched_after_drawing_is_a_complaint() {
        let check = scale(&page(1.0), &aim(1.25), &events((0.0, 0.0)), 1.0);
        assert!(
            !check.ok && check.detail.contains("the browser says 1.00"),
            "{}",
            check.detail
        );
    }

    #[test]
    fn missing_events_and_the_wrong_button_are_complaints() {
        let mut some = events((0.0, 0.0));
        some.truncate(2);
        assert!(input(&some).detail.contains("received press, release"));
        assert!(input(&[]).detail.contains("received nothing"));
        let mut other = events((0.0, 0.0));
        other[0].button = 2;
        other.truncate(1);
        let check = input(&other);
        assert!(!check.ok && check.advice.unwrap().contains("exchanged"));
    }
}
