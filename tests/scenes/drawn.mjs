// Looks of classes that no picture here has, drawn by the server: squares drawn by hand, strong grain under black lines, dark squares on which flat
// black pieces hardly stand out, letters in place of pieces, and boards whose squares are all alike.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOOKS } from './looks.mjs';
import { seeded } from './random.mjs';

/** What scenes of a class show: a board that is drawn for each scene's seed, and one of these piece sets (any tuned one where none is named). */
export const CLASSES = {
  hand: { board: handDrawn },
  grain: { board: grain, atEdge: true },
  faint: { board: faint, pieces: ['flat'] },
  letters: { board: pale, pieces: ['letters'] },
  unchequered: { board: unchequered },
};

/** Piece sets of these classes. */
export const SETS = { letters: letter, flat: flat };

const SIDE = 800;
const SQUARE = SIDE / 8;
const svg = (body) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIDE} ${SIDE}" preserveAspectRatio="none">${body}</svg>`;
const cells = (draw) => Array.from({ length: 64 }, (_, i) => draw(i % 8, Math.floor(i / 8))).join('');
const isDark = (column, row) => (column + row) % 2 === 1;
const hsl = (h, s, l) => `hsl(${h} ${s}% ${l}%)`;

/** The picture of a board of a class. */
export function drawnBoard(kind, seed) {
  return svg(CLASSES[kind].board(seeded(seed)));
}

/** Edges wander by half a hundredth of the board: 2 to 4 px at usual sizes. Corners are common to four squares. */
function handDrawn(chance) {
  const wander = chance.between(3, 5.5);
  const off = () => chance.between(-wander, wander);
  const corners = Array.from({ length: 9 }, (_, y) =>
    Array.from({ length: 9 }, (_, x) => [x * SQUARE + (x % 8 ? off() : 0), y * SQUARE + (y % 8 ? off() : 0)]),
  );
  const [hue, light, dark] = [chance.integer(0, 359), chance.integer(80, 95), chance.integer(40, 62)];
  const edge = ([ax, ay], [bx, by]) => `Q${(ax + bx) / 2 + off()} ${(ay + by) / 2 + off()} ${bx} ${by}`;
  const square = (x, y) => {
    if (!isDark(x, y)) return '';
    const [a, b, c, d] = [corners[y][x], corners[y][x + 1], corners[y + 1][x + 1], corners[y + 1][x]];
    return `<path fill="${hsl(hue, 30, dark + chance.integer(-2, 2))}" d="M${a} ${edge(a, b)} ${edge(b, c)} ${edge(c, d)} ${edge(d, a)}Z"/>`;
  };
  return `<rect width="${SIDE}" height="${SIDE}" fill="${hsl(hue, 20, light)}"/>${cells(square)}`;
}

/** Wood whose grain runs over all squares, with a black line around each. */
function grain(chance) {
  const wood = (id, [h, s, l]) =>
    `<filter id="${id}" x="0" y="0" width="1" height="1"><feTurbulence type="fractalNoise" baseFrequency="${chance.between(0.002, 0.006).toFixed(4)} ${chance.between(0.06, 0.16).toFixed(3)}" numOctaves="4" seed="${chance.integer(1, 999)}"/>` +
    `<feColorMatrix values="0.55 0 0 0 0  0.55 0 0 0 0  0.55 0 0 0 0  0 0 0 0 1"/><feBlend in2="tint" mode="multiply"/></filter><rect width="${SIDE}" height="${SIDE}" fill="${hsl(h, s, l)}"/><g style="mix-blend-mode:multiply"><rect width="${SIDE}" height="${SIDE}" filter="url(#${id})"/></g>`;
  const [hue, line] = [chance.integer(20, 40), chance.between(2, 3.5)];
  const dark = cells((x, y) => (isDark(x, y) ? `<rect x="${x * SQUARE}" y="${y * SQUARE}" width="${SQUARE}" height="${SQUARE}" fill="${hsl(hue, 45, 30)}" fill-opacity="0.6"/>` : ''));
  const lines = Array.from({ length: 9 }, (_, i) => `<path d="M${i * SQUARE} 0V${SIDE}M0 ${i * SQUARE}H${SIDE}"/>`).join('');
  return `${wood('grain', [hue, 60, 82])}${dark}<g stroke="#000" stroke-width="${line}">${lines}</g>`;
}

/** Two colours, the dark one little brighter than black. */
function faint(chance) {
  const [hue, dark] = [chance.integer(0, 359), chance.integer(17, 24)];
  return plain(hsl(hue, 25, chance.integer(45, 60)), hsl(hue, 25, dark));
}

/** Two pale colours. */
function pale(chance) {
  const hue = chance.integer(0, 359);
  const light = chance.integer(93, 97);
  return plain(hsl(hue, 30, light), hsl(hue, 30, light - chance.integer(6, 10)));
}

function plain(light, dark) {
  const squares = cells((x, y) => (isDark(x, y) ? `<rect x="${x * SQUARE}" y="${y * SQUARE}" width="${SQUARE}" height="${SQUARE}" fill="${dark}"/>` : ''));
  return `<rect width="${SIDE}" height="${SIDE}" fill="${light}"/>${squares}`;
}

/** One colour, with a line around each square. */
function unchequered(chance) {
  const [hue, ground] = [chance.integer(0, 359), chance.integer(62, 90)];
  const lines = Array.from({ length: 9 }, (_, i) => `<path d="M${i * SQUARE} 0V${SIDE}M0 ${i * SQUARE}H${SIDE}"/>`).join('');
  return `<rect width="${SIDE}" height="${SIDE}" fill="${hsl(hue, 25, ground)}"/><g stroke="${hsl(hue, 30, ground - chance.integer(22, 40))}" stroke-width="${chance.between(3, 6)}">${lines}</g>`;
}

/** A piece's letter, and a dot for a pawn. */
function letter([color, role]) {
  const [fill, stroke] = color === 'w' ? ['#fff', '#555'] : ['#222', '#222'];
  const look = `fill="${fill}" stroke="${stroke}" stroke-width="1.2"`;
  const body =
    role === 'P' ? `<circle cx="20" cy="20" r="5" ${look}/>` : `<text x="20" y="31" font-family="DejaVu Sans" font-weight="bold" font-size="30" text-anchor="middle" ${look}>${role}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">${body}</svg>`;
}

/** Pieces whose black ones are black all over. */
function flat(piece) {
  const drawn = readFileSync(join(LOOKS, 'pieces', 'cburnett', `${piece}.svg`), 'utf8');
  return piece[0] === 'b' ? drawn.replaceAll('#ececec', '#000').replaceAll('#fff', '#000') : drawn;
}
