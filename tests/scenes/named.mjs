// Scenes written by hand: the hard kinds of frames, one kind each, small enough to live in the repository's fixtures.

import { load } from './games.mjs';

const TINT = { color: 'rgba(155,199,0,.41)', style: 'fill' };

/** What a scene is unless it says otherwise: a small plain page that shows nothing but a game. */
const PLAIN = {
  group: 'tuned',
  seed: 1,
  widget: 'chessground',
  pieces: 'cburnett',
  board: 'color:lichess-brown',
  scale: 1,
  size: 260,
  x: 14,
  y: 10,
  viewport: [288, 280],
  orientation: 'white',
  coords: null,
  lastMove: TINT,
  check: true,
  animationMs: 200,
  pace: 'real',
  theme: 'light',
  clutter: 'none',
  ads: [],
  second: null,
  cursor: null,
  idle: 0,
  dialog: null,
  frozenCastling: false,
  each: {},
};

const always = { every: 1, at: 0 };
const hard = (number, plies = 40) => ({ file: 'hard.pgn', number, skip: 0, plies });

const SCENES = [
  {
    name: 'castling-half-way',
    game: hard(0, 12),
    pieces: 'merida',
    frozenCastling: true,
  },
  {
    name: 'castling-long-half-way',
    game: hard(1, 12),
    widget: 'react-chessboard',
    board: 'color:sky',
    orientation: 'black',
    lastMove: null,
    frozenCastling: true,
  },
  {
    name: 'promotion-dialogs',
    game: hard(2),
    coords: 'inside',
    dialog: 'discs',
    cursor: { kind: 'arrow', size: 1, where: 'target' },
  },
  {
    name: 'promotion-dialogs-black',
    game: hard(2),
    widget: 'react-chessboard',
    pieces: 'mpchess',
    board: 'color:tournament',
    orientation: 'black',
    dialog: 'column',
    idle: 1,
  },
  {
    name: 'sliding-over-squares',
    game: { ...hard(3, 10), skip: 2 },
    inverted: true,
    board: 'color:green-tan',
    each: { anim: always },
  },
  {
    name: 'sliding-without-a-tint',
    game: { ...hard(3, 10), skip: 8 },
    widget: 'react-chessboard',
    pieces: 'gnome-simple',
    board: 'color:lichess-blue',
    lastMove: null,
    each: { anim: always },
  },
  {
    name: 'captures-fading',
    game: { ...hard(4, 11), skip: 4 },
    pieces: 'chessnut',
    board: 'color:brown-warm',
    orientation: 'black',
    each: { anim: always },
  },
  {
    name: 'dragged-by-hand',
    game: hard(4, 10),
    widget: 'react-chessboard',
    board: 'color:cm-default',
    lastMove: { color: 'rgba(255,255,51,.5)', style: 'border' },
    cursor: { kind: 'arrow', size: 1, where: 'target' },
    each: { drag: always },
  },
  {
    name: 'selected-and-premoved',
    game: { file: 'games.pgn', number: 5, skip: 0, plies: 12 },
    pieces: 'governor',
    board: 'color:green-olive',
    each: { select: { every: 2, at: 0 }, premove: { every: 3, at: 1 } },
  },
  {
    name: 'arrows-and-a-big-cursor',
    game: { file: 'games.pgn', number: 9, skip: 0, plies: 12 },
    pieces: 'merida',
    board: 'color:tan',
    cursor: { kind: 'dark', size: 1.5, where: 'target' },
    idle: 1,
    each: { arrows: { every: 2, at: 0 } },
  },
  {
    name: 'notices-over-the-board',
    game: { file: 'games.pgn', number: 14, skip: 0, plies: 12 },
    widget: 'react-chessboard',
    pieces: 'cburnett',
    board: 'color:grey-classic',
    theme: 'dark',
    idle: 1,
    each: { toast: { every: 2, at: 0 } },
  },
  {
    name: 'taken-back',
    game: { file: 'games.pgn', number: 20, skip: 0, plies: 10 },
    board: 'color:lichess-blue',
    events: [
      { after: 5, what: 'takeback', plies: 1, animated: false },
      { after: 8, what: 'takeback', plies: 2, animated: true },
    ],
  },
  {
    name: 'a-new-game',
    game: { file: 'games.pgn', number: 23, skip: 0, plies: 6 },
    widget: 'react-chessboard',
    board: 'color:lichess-brown',
    events: [{ after: 6, what: 'new_game', game: { file: 'games.pgn', number: 24, plies: 6 } }],
    each: { anim: { every: 3, at: 0 } },
  },
  {
    name: 'turned-round',
    game: { file: 'games.pgn', number: 30, skip: 0, plies: 12 },
    coords: 'inside',
    events: [{ after: 6, what: 'flip' }],
  },
  {
    name: 'joined-late',
    game: { file: 'games.pgn', number: 33, skip: 17, plies: 11 },
    orientation: 'black',
    board: 'color:brown-warm',
    each: { anim: { every: 2, at: 0 } },
  },
  {
    name: 'two-boards-and-an-advertisement',
    game: { file: 'games.pgn', number: 40, skip: 0, plies: 10 },
    size: 260.5,
    x: 20.37,
    viewport: [480, 312],
    coords: 'inside',
    clutter: 'server',
    theme: 'dark',
    ads: [{ x: 300, y: 20, width: 170, height: 90, cell: 15, colors: ['#f0d9b5', '#b58863'] }],
    second: {
      x: 320,
      y: 150,
      size: 136,
      board: 'color:lichess-brown',
      pieces: 'merida',
      orientation: 'white',
      lastMove: TINT,
      game: { file: 'games.pgn', number: 2, ply: 12 },
    },
    each: { second: { every: 3, at: 0 } },
  },
  {
    name: 'board-moved-and-resized',
    game: { file: 'games.pgn', number: 44, skip: 0, plies: 10 },
    pieces: 'merida',
    board: 'color:green-tan',
    size: 288,
    viewport: [340, 320],
    events: [
      { after: 4, what: 'moved', rect: { x: 44.5, y: 20, width: 288, height: 288 } },
      { after: 7, what: 'moved', rect: { x: 30, y: 30, width: 262, height: 262 } },
    ],
  },
  {
    name: 'types-look-alike',
    group: 'alike',
    game: { file: 'games.pgn', number: 48, skip: 0, plies: 12 },
    pieces: 'alike-by-color',
    board: 'color:lichess-brown',
  },
  {
    name: 'all-look-alike',
    group: 'alike',
    game: { file: 'games.pgn', number: 50, skip: 0, plies: 12 },
    pieces: 'alike-all',
    board: 'color:lichess-blue',
    each: { anim: { every: 4, at: 0 } },
  },
];

// Not a question but a measure: what vision costs on a board of 600 pixels, and on a whole screen.
const FIGURES = [
  {
    name: 'figure-board',
    group: 'figures',
    game: { file: 'games.pgn', number: 3, skip: 0, plies: 40 },
    size: 600,
    x: 20,
    y: 20,
    viewport: [640, 640],
    idle: 1,
    each: { anim: { every: 2, at: 0 } },
  },
  {
    name: 'figure-page',
    group: 'figures',
    game: { file: 'games.pgn', number: 3, skip: 0, plies: 1 },
    board: 'wood',
    size: 800,
    x: 420,
    y: 120,
    viewport: [1920, 1080],
    coords: 'inside',
    clutter: 'server',
    ads: [{ x: 20, y: 950, width: 300, height: 100, cell: 25, colors: ['#e63946', '#f1faee'] }],
    second: {
      x: 1500,
      y: 700,
      size: 240,
      board: 'brown',
      pieces: 'merida',
      orientation: 'white',
      lastMove: TINT,
      game: { file: 'games.pgn', number: 2, ply: 12 },
    },
  },
];

/** The scenes of that name; "all" for the hard ones, "figures" for those that are measured. */
export function named(names) {
  const known = [...SCENES, ...FIGURES];
  const wanted = names.split(',').flatMap((name) => {
    if (name === 'all') return SCENES;
    if (name === 'figures') return FIGURES;
    const found = known.find((scene) => scene.name === name);
    if (!found) throw new Error(`there is no scene ${name}; there are ${known.map((scene) => scene.name).join(', ')}`);
    return [found];
  });
  return wanted.map((scene) => {
    const whole = { ...PLAIN, ...scene };
    const length = load(whole.game.file, whole.game.number).length;
    return { ...whole, game: { ...whole.game, plies: Math.min(whole.game.plies, length - whole.game.skip) } };
  });
}
