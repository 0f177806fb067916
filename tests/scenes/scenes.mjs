// The list of scenes: random ones, the same for the same seed.

import { BOARDS, COLORS, PIECES, WIDGET_GROUPS } from './looks.mjs';
import { CLASSES } from './drawn.mjs';
import { count, load } from './games.mjs';
import { seeded } from './random.mjs';

const FILES = ['games.pgn', 'special.pgn'];
const TINTS = ['rgba(155,199,0,.41)', 'rgba(255,255,51,.5)', 'rgba(0,155,199,.41)', 'rgba(235,97,80,.6)', 'rgba(120,120,255,.45)', 'rgba(247,236,116,.6)'];
const SCALES = [1, 1, 1, 1, 1.25, 1.5, 2];

/** `n` scenes of a group: "tuned", "unseen", "all" for half and half, or "classes", those of `drawn.mjs` in turn. */
export function randomScenes(n, seed, group, plies) {
  if (group === 'classes') return Array.from({ length: n }, (_, i) => classScene(Object.keys(CLASSES)[i % Object.keys(CLASSES).length], seed, i, plies));
  return Array.from({ length: n }, (_, i) => {
    const unseen = group === 'unseen' || (group === 'all' && i % 2 === 1);
    return randomScene(`${unseen ? 'unseen' : 'tuned'}-${seed}-${String(i).padStart(3, '0')}`, seed * 1000 + i, unseen, plies);
  });
}

function randomScene(name, seed, unseen, plies) {
  const chance = seeded(seed * 2 + (unseen ? 1 : 0));
  const group = unseen ? 'unseen' : 'tuned';
  const every = (share, low, high) => (chance.chance(share) ? { every: chance.integer(low, high), at: chance.integer(0, low) } : null);
  const widgets = unseen && chance.chance(0.5) ? WIDGET_GROUPS.unseen : unseen ? Object.values(WIDGET_GROUPS).flat() : WIDGET_GROUPS.tuned;
  const look = {
    widget: chance.pick(widgets),
    pieces: chance.pick(PIECES[group]),
    board: unseen || chance.chance(0.55) ? chance.pick(BOARDS[group]) : plainBoard(chance),
  };
  const scale = chance.pick(SCALES);
  const place = placeOf(chance, scale);
  const game = gameOf(chance, plies);
  const lastMove = chance.chance(0.75) ? { color: chance.pick(TINTS), style: chance.chance(0.8) ? 'fill' : 'border' } : null;
  return {
    name,
    group,
    seed,
    ...look,
    game,
    events: chance.chance(0.3) ? [eventOf(chance, game.plies, place)] : [],
    border: chance.chance(0.3) ? { width: chance.pick([1, 2, 5, 12]), color: chance.pick(['#000', '#404040', '#7a4a21', '#ccc', '#b58863']) } : null,
    scale,
    ...place,
    orientation: chance.pick(['white', 'black']),
    coords: chance.pick([null, 'inside', 'inside', 'outside']),
    lastMove,
    check: chance.chance(0.7),
    animationMs: chance.pick([150, 200, 300, 400]),
    pace: chance.pick(['even', 'real']),
    theme: chance.pick(['light', 'dark', 'paper', 'night']),
    clutter: chance.pick(['none', 'server', 'club', 'blog']),
    ads: chance.chance(0.25) ? [adOf(chance, place)] : [],
    second: chance.chance(0.3) ? secondOf(chance, place, group) : null,
    cursor: chance.chance(0.7)
      ? { kind: chance.pick(['arrow', 'hand', 'dark']), size: chance.pick([1, 1, 1.5, 2]), where: chance.pick(['target', 'target', 'anywhere']) }
      : null,
    idle: chance.pick([0, 0, 1, 2]),
    dialog: chance.pick([null, 'discs', 'column', 'box']),
    frozenCastling: chance.chance(0.5),
    each: {
      anim: { every: chance.integer(1, 3), at: 0 },
      drag: every(0.5, 4, 8),
      select: every(0.5, 4, 7),
      premove: every(0.4, 4, 8),
      arrows: every(0.5, 3, 6),
      toast: every(0.25, 4, 7),
      second: { every: 3, at: 0 },
    },
    inverted: chance.chance(0.3),
  };
}

/** A scene of a class of looks, otherwise like the tuned ones. */
function classScene(kind, seed, i, plies) {
  const { pieces, atEdge } = CLASSES[kind];
  const scene = randomScene(`${kind}-${seed}-${String(i).padStart(3, '0')}`, seed * 1000 + 500 + i, false, plies);
  return {
    ...scene,
    group: kind,
    board: `drawn:${kind}-${scene.seed}`,
    pieces: pieces ? pieces[i % pieces.length] : scene.pieces,
    ...(atEdge ? { x: 0, border: null } : {}),
  };
}

/** A board at which a program plays for itself: any look, in a page of 1000 × 780 with names beside it and manners of its own. */
export function liveScene(seed, number) {
  const kinds = ['tuned', 'unseen', ...Object.keys(CLASSES)];
  const chance = seeded(seed * 100003 + number);
  const kind = number % 3 === 0 ? kinds[(number / 3) % kinds.length] : kinds[number % 2];
  const scene = CLASSES[kind] ? classScene(kind, seed, number, 8) : randomScene(`${kind}-${seed}-${number}`, seed * 1000 + number, kind === 'unseen', 8);
  const size = chance.integer(300, 560) + (chance.chance(0.2) ? chance.pick([0.5, 0.33]) : 0);
  const rows = chance.pick(['stacked', 'column']);
  return {
    ...scene,
    live: true,
    size,
    x: chance.integer(16, 1000 - Math.ceil(size) - 240),
    y: chance.integer(64, 780 - Math.ceil(size) - 160),
    scale: 1,
    border: scene.x === 0 ? null : scene.border,
    inverted: false,
    clutter: rows === 'stacked' ? 'none' : chance.pick(['none', 'blog']),
    ads: [],
    dialog: chance.pick([null, 'discs', 'column', 'box']),
    rows,
    swapsRows: chance.chance(0.3),
    manner: chance.pick(['both', 'both', 'drag', 'clicks']),
    showsSelection: chance.chance(0.75),
    togglesSelection: chance.chance(0.5),
    lightsPointer: chance.chance(0.15),
    leavesPiece: chance.chance(0.4),
    slidesOwn: chance.chance(0.5),
    deafWhileSliding: chance.chance(0.15),
    notice: chance.pick(['beside', 'beside', 'over']),
    clock: chance.chance(0.7),
    delayMs: chance.pick([50, 250, 600, 1200]),
  };
}

/** Where the board lies: small pages mostly, since a big picture takes long. */
function placeOf(chance, scale) {
  const [low, high] = chance.pick([[260, 360], [260, 360], [300, 420], [300, 420], [420, 640], [640, scale > 1 ? 800 : 1200]]);
  const size = Math.floor(chance.between(low, high)) + (chance.chance(0.3) ? chance.pick([0.5, 0.33]) : 0);
  const [left, top] = [chance.integer(24, 180), chance.integer(24, 90)];
  const fraction = () => (chance.chance(0.25) ? chance.pick([0.37, 0.61]) : 0);
  const round = (length) => Math.ceil(length / 4) * 4;
  return {
    size,
    x: left + fraction(),
    y: top + fraction(),
    viewport: [round(left + size + chance.integer(24, 260)), round(top + size + chance.integer(24, 80))],
  };
}

function gameOf(chance, plies) {
  const file = chance.pick(FILES);
  const number = chance.integer(0, count(file) - 1);
  const length = load(file, number).length;
  // Some games are joined in the middle.
  const skip = chance.chance(0.15) ? chance.integer(1, Math.max(1, Math.floor(length / 3))) : 0;
  return { file, number, skip, plies: Math.min(plies, length - skip) };
}

/** Two plain colours: those of known themes, or any two of one hue, down to a low contrast. */
function plainBoard(chance) {
  if (chance.chance(0.5)) return `color:${chance.pick(COLORS)}`;
  const [hue, saturation] = [chance.integer(0, 359), chance.integer(0, 55)];
  const light = chance.integer(35, 96);
  const dark = Math.max(8, light - chance.integer(9, 45));
  return { light: `hsl(${hue} ${saturation}% ${light}%)`, dark: `hsl(${hue} ${saturation}% ${dark}%)` };
}

/** Something that happens between two plies. */
function eventOf(chance, plies, { x, y, size }) {
  const after = chance.integer(2, Math.max(2, plies - 2));
  const what = chance.pick(['takeback', 'new_game', 'flip', 'moved']);
  if (what === 'moved') {
    const smaller = Math.max(260, Math.round(size * chance.pick([1, 1, 0.9, 0.8])));
    const [dx, dy] = [chance.integer(-16, Math.max(0, size - smaller)), chance.integer(-16, Math.max(0, size - smaller))];
    return { after, what, rect: { x: x + dx, y: y + dy, width: smaller, height: smaller } };
  }
  if (what === 'takeback') return { after, what, plies: chance.integer(1, 2), animated: chance.chance(0.5) };
  if (what === 'flip') return { after, what };
  return { after: plies, what, game: { file: 'games.pgn', number: chance.integer(0, count('games.pgn') - 1), plies: chance.integer(4, 8) } };
}

function adOf(chance, { x, y, size, viewport }) {
  const cell = chance.integer(12, 40);
  const beside = viewport[0] - x - size > 100;
  const rect = beside
    ? { x: x + size + 12, y: y + chance.between(0, size / 2), width: viewport[0] - x - size - 16, height: chance.between(80, 200) }
    : { x, y: y + size + 4, width: size * 0.8, height: 40 };
  return { ...rect, cell, colors: chance.pick([['#e63946', '#f1faee'], ['#000', '#fff'], ['#f0d9b5', '#b58863']]) };
}

function secondOf(chance, { x, y, size, viewport }, group) {
  const room = viewport[0] - x - size - 24;
  if (room < 100) return null;
  const side = Math.min(room, chance.integer(100, 200), size / 2);
  return {
    x: x + size + 12,
    y: y + size - side,
    size: side,
    board: chance.pick(BOARDS[group]),
    pieces: chance.pick(PIECES[group]),
    orientation: chance.pick(['white', 'black']),
    lastMove: { color: TINTS[0], style: 'fill' },
    game: { file: 'games.pgn', number: chance.integer(0, count('games.pgn') - 1), ply: chance.integer(4, 20) },
  };
}
