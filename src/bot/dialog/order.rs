//! Which piece lies in which of four places, as their pictures tell.

use super::ROLES;
use image::RgbaImage;
use shakmaty::{Color, Piece, Role};
use torres_geometry::FramePx;
use torres_vision::Appearance;

/// An order of pieces is believed when every other fits worse by this much: the mean cost of a square, 0 to 1.
const SURELY: f32 = 0.03;

/// Up to how many pixels beside the one found another piece is tried.
const SHIFTED_PX: f64 = 2.0;

/// How ill each piece, drawn as on a square with this side, fits about a place: in the order of [`ROLES`].
pub(super) fn costs_at(
    (image, middle, side): (&RgbaImage, FramePx, f64),
    color: Color,
    appearance: &Appearance,
) -> [f32; 4] {
    ROLES.map(|role| {
        let piece = Piece { color, role };
        appearance.piece_near(image, middle, SHIFTED_PX, piece, side).cost
    })
}

/// The order that fits best, if every other fits clearly worse; chessground's, if nothing better is to be hoped for.
/// `costs` are place by place, in the order of [`ROLES`].
pub(super) fn surest(costs: &[[f32; 4]], some_unknown: bool) -> Option<[Role; 4]> {
    let mut all: Vec<(f32, [usize; 4])> = orders()
        .into_iter()
        .map(|order| {
            // A piece that was never seen fits nowhere better than elsewhere.
            let cost: f32 = costs
                .iter()
                .zip(order)
                .map(|(square, role)| square[role].min(1.0))
                .sum();
            (cost / costs.len() as f32, order)
        })
        .collect();
    let usual = all.first().map_or(f32::INFINITY, |(cost, _)| *cost);
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (best, order) = *all.first()?;
    let (next, _) = *all.get(1)?;
    if some_unknown && usual - best < SURELY {
        return Some(ROLES);
    }
    (next - best >= SURELY).then_some(order.map(|role| ROLES[role]))
}

/// All orders of four.
pub(super) fn orders() -> Vec<[usize; 4]> {
    let mut orders = Vec::with_capacity(24);
    for a in 0..4 {
        for b in 0..4 {
            for c in 0..4 {
                let order = [a, b, c, 6_usize.wrapping_sub(a + b + c)];
                if a != b && a != c && b != c {
                    orders.push(order);
                }
            }
        }
    }
    orders
}
