// Arrows and circles for widgets that have none of their own, as sites lay them over a board: one SVG.

import { squareRect } from './dom.js';

const COLORS = { green: '#15781b', red: '#882020', blue: '#003088', yellow: '#e68f00' };

/** Draws over the board; replaces what was drawn before. */
export function drawArrows(layer, board, orientation, { arrows = [], circles = [] }) {
  const side = board.width / 8;
  const middle = (square) => {
    const { x, y } = squareRect({ ...board, x: 0, y: 0 }, orientation, square);
    return { x: x + side / 2, y: y + side / 2 };
  };
  Object.assign(layer.style, {
    left: `${board.x}px`,
    top: `${board.y}px`,
    width: `${board.width}px`,
    height: `${board.height}px`,
  });
  layer.innerHTML = `<svg width="${board.width}" height="${board.height}" opacity=".75">${[
    ...arrows.map(({ from, to, color }) => {
      const { tail, neck, barbs, tip } = arrowShape(middle(from), middle(to), side);
      return `<path d="M${tail.x} ${tail.y}L${neck.x} ${neck.y}" stroke="${COLORS[color]}" stroke-width="${side * 0.16}"/>
        <path d="M${barbs[0].x} ${barbs[0].y}L${tip.x} ${tip.y}L${barbs[1].x} ${barbs[1].y}Z" fill="${COLORS[color]}"/>`;
    }),
    ...circles.map(({ square, color }) => {
      const { x, y } = middle(square);
      return `<circle cx="${x}" cy="${y}" r="${side * 0.46}" fill="none" stroke="${COLORS[color]}" stroke-width="${side * 0.07}"/>`;
    }),
  ].join('')}</svg>`;
}

/** The parts of an arrow between the middles of two squares. */
export function arrowShape(from, to, side) {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const [ux, uy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const along = (start, distance, aside = 0) => ({
    x: start.x + ux * distance - uy * aside,
    y: start.y + uy * distance + ux * aside,
  });
  const tip = along(to, -side * 0.05);
  const neck = along(tip, -side * 0.35);
  return { tail: from, neck, tip, barbs: [along(neck, 0, side * 0.24), along(neck, 0, -side * 0.24)] };
}
