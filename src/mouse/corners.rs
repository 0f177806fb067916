//! Where the screen's corners are, and whether the pointer was thrown into one.

use super::device::EnigoDevice;
use super::error::MouseError;
use torres_geometry::InputPt;

/// How close to a corner, in input units along both axes, the pointer counts as thrown into it.
///
/// A pointer thrown there is stopped by the screen's edge, so that it needs hardly any reach; the centre of a board
/// square is never this close, as the smallest board that is read has squares of 15 px.
pub(crate) const CORNER_REACH: i32 = 3;

/// By how many input units a platform may round the place where the pointer is put.
const ROUNDING: i32 = 1;

/// Whether the pointer, put at one of the points, may be read back at the other.
pub(super) fn close(a: InputPt, b: InputPt) -> bool {
    (a.x - b.x).abs() <= ROUNDING && (a.y - b.y).abs() <= ROUNDING
}

/// A monitor in input units: left, upper, right and lower edge, the last two inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Edges {
    left: i32,
    top: i32,
    right: i32,
    bottom: i32,
}

/// The monitors' extents in input units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Corners(Vec<Edges>);

impl Corners {
    /// Monitors given as x, y, width and height in input units.
    pub(crate) fn of_monitors(monitors: impl IntoIterator<Item = (i32, i32, i32, i32)>) -> Corners {
        let edges = |(x, y, width, height)| Edges {
            left: x,
            top: y,
            right: x + width - 1,
            bottom: y + height - 1,
        };
        Corners(monitors.into_iter().map(edges).collect())
    }

    /// The monitors of the desktop as the input system counts.
    pub(super) fn of_desktop(device: &EnigoDevice) -> Result<Corners, MouseError> {
        device.monitors().map(Corners::of_monitors)
    }

    /// Whether the point is on a monitor.
    pub(crate) fn on_screen(&self, point: InputPt) -> bool {
        self.0
            .iter()
            .any(|m| (m.left..=m.right).contains(&point.x) && (m.top..=m.bottom).contains(&point.y))
    }

    /// Whether the point is within [`CORNER_REACH`] of a monitor's corner.
    pub(crate) fn near(&self, point: InputPt) -> bool {
        let reach = |a: i32, b: i32| (a - b).abs() <= CORNER_REACH;
        self.0.iter().any(|m| {
            (reach(point.x, m.left) || reach(point.x, m.right)) && (reach(point.y, m.top) || reach(point.y, m.bottom))
        })
    }

    /// Whether the pointer is in a corner where no gesture of ours has put it.
    pub(crate) fn thrown_into(&self, pointer: InputPt, put: [Option<InputPt>; 2]) -> bool {
        self.near(pointer) && !put.into_iter().flatten().any(|place| close(place, pointer))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: i32, y: i32) -> InputPt {
        InputPt { x, y }
    }

    #[test]
    fn every_corner_of_every_monitor_counts_and_edges_do_not() {
        let corners = Corners::of_monitors([(0, 0, 1920, 1080), (1920, 0, 1280, 1024)]);
        for corner in [
            at(0, 0),
            at(1919, 0),
            at(0, 1079),
            at(1919, 1079),
            at(3199, 1023),
            at(1920, 1023),
        ] {
            assert!(corners.near(corner), "{corner:?}");
        }
        for inside in [at(960, 0), at(0, 540), at(1919, 540), at(4, 4), at(960, 540)] {
            assert!(!corners.near(inside), "{inside:?}");
        }
    }

    #[test]
    fn a_corner_into_which_we_put_the_pointer_ourselves_is_not_a_throw() {
        let corners = Corners::of_monitors([(0, 0, 800, 600)]);
        let elsewhere = Some(at(400, 300));
        assert!(corners.thrown_into(at(0, 0), [None, None]));
        assert!(corners.thrown_into(at(0, 0), [elsewhere, None]));
        assert!(!corners.thrown_into(at(0, 0), [Some(at(0, 0)), elsewhere]));
        assert!(!corners.thrown_into(at(0, 0), [elsewhere, Some(at(1, 0))]));
    }

    #[test]
    fn the_screen_ends_at_its_last_pixel() {
        let corners = Corners::of_monitors([(0, 0, 800, 600)]);
        assert!(corners.on_screen(at(799, 599)));
        assert!(!corners.on_screen(at(800, 599)));
        assert!(!corners.on_screen(at(-1, 0)));
    }
}
