// Which squares are covered by what lies over the board, measured on a raster of points.

import { SQUARES, squareRect } from './dom.js';
import { arrowShape } from './arrows.js';

const POINTS = 24;

/** A square of which this share is hidden counts as occluded. */
const OCCLUDED = 0.25;

/** Shapes: functions that say whether a point of the page lies inside. */
export const inRect = (r) => (x, y) => x >= r.x && x < r.x + r.width && y >= r.y && y < r.y + r.height;

export function inPolygon(points) {
  return (x, y) => {
    let inside = false;
    for (let i = 0, j = points.length - 1; i < points.length; j = i++) {
      const [a, b] = [points[i], points[j]];
      if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) inside = !inside;
    }
    return inside;
  };
}

const nearSegment = (a, b, distance) => (x, y) => {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const t = Math.max(0, Math.min(1, ((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy)));
  return Math.hypot(x - a.x - t * dx, y - a.y - t * dy) <= distance;
};

const inRing = (center, outer, inner) => (x, y) => {
  const distance = Math.hypot(x - center.x, y - center.y);
  return distance <= outer && distance >= inner;
};

/** The shapes of a state's arrows and circles, somewhat wider than any widget draws them. */
export function arrowShapes(board, orientation, { arrows = [], circles = [] }, fillsCircles) {
  const side = board.width / 8;
  const middle = (square) => {
    const r = squareRect(board, orientation, square);
    return { x: r.x + side / 2, y: r.y + side / 2 };
  };
  return [
    ...arrows.flatMap(({ from, to }) => {
      const { tail, neck, tip } = arrowShape(middle(from), middle(to), side);
      return [nearSegment(tail, neck, side * 0.12), nearSegment(neck, tip, side * 0.27)];
    }),
    ...circles.map(({ square }) => inRing(middle(square), side * 0.71, fillsCircles ? 0 : side * 0.4)),
  ];
}

/** Squares that `opaque` hides by a quarter or more, and those that anything touches. */
export function cover(board, orientation, opaque, translucent) {
  const occluded = [];
  const touched = [];
  if (opaque.length + translucent.length === 0) return { occluded, touched };
  for (const square of SQUARES) {
    const r = squareRect(board, orientation, square);
    let hidden = 0;
    let any = 0;
    for (let i = 0; i < POINTS * POINTS; i++) {
      const x = r.x + (((i % POINTS) + 0.5) / POINTS) * r.width;
      const y = r.y + ((Math.floor(i / POINTS) + 0.5) / POINTS) * r.height;
      if (opaque.some((inside) => inside(x, y))) hidden++, any++;
      else if (translucent.some((inside) => inside(x, y))) any++;
    }
    if (hidden >= OCCLUDED * POINTS * POINTS) occluded.push(square);
    if (any > 0) touched.push(square);
  }
  return { occluded, touched };
}
