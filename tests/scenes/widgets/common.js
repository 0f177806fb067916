// What all widgets share: names of pieces, colours of marks.
//
// A widget is a module with `mount(host, setup)`. It resolves to
//   show(state, animated)  the board shows `state`, at once or sliding there
//   rect()                 where the 64 squares lie, in CSS pixels of the page
//   timeOf(share)          the share of the animation's time after which a piece has gone `share` of its way
//   flip(orientation)      that colour is at the bottom now
//   resize()               its host was moved or resized
//
// A state is { placement, turn: 'white'|'black', lastMove: [from, to]|null, checked: square|null, selected: square|null,
// targets: [square], captures: [square], premove: [from, to]|null, arrows: [{from, to, color}], circles: [{square, color}] }.

export const PIECES = [...'wb'].flatMap((color) => [...'KQRBNP'].map((role) => color + role));

export const pieceUrl = (setup, piece) => `/pieces/${setup.pieces.name}/${piece}.${setup.pieces.extension}`;

export const pictureUrls = (setup) => [
  ...PIECES.map((piece) => pieceUrl(setup, piece)),
  ...(setup.board.image ? [setup.board.image] : []),
];

/** A mark that fills a square, over whatever colour it has, or lines it. */
export function mark(color, style = 'fill') {
  return style === 'border'
    ? { boxShadow: `inset 0 0 0 4px ${color}` }
    : { backgroundImage: `linear-gradient(${color}, ${color})` };
}

export const DOT = 'radial-gradient(circle, rgba(20, 40, 20, .4) 19%, transparent 20%)';
export const RING = 'radial-gradient(circle, transparent 60%, rgba(20, 40, 20, .35) 61% 72%, transparent 73%)';
export const CHECK = 'radial-gradient(ellipse at center, #f00 0%, #e70000 25%, rgba(169, 0, 0, 0) 89%)';
export const SELECTED = 'rgba(20, 85, 30, .5)';
export const PREMOVE = 'rgba(20, 30, 110, .5)';

/** The marks of a state as [square, style] pairs; later ones lie over earlier ones. */
export function marks(state, setup) {
  const found = [];
  const { lastMove: tint } = setup;
  if (state.lastMove && tint) for (const square of state.lastMove) found.push([square, mark(tint.color, tint.style)]);
  if (state.checked && setup.check) found.push([state.checked, { backgroundImage: CHECK, boxShadow: 'none' }]);
  if (state.selected) found.push([state.selected, mark(setup.selectedColor ?? SELECTED)]);
  for (const square of state.targets ?? []) {
    found.push([square, { backgroundImage: state.captures?.includes(square) ? RING : DOT }]);
  }
  for (const square of state.premove ?? []) found.push([square, mark(PREMOVE)]);
  return found;
}

/** A style object as CSS text. */
export const cssText = (style) =>
  Object.entries(style)
    .map(([key, value]) => `${key.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}:${value}`)
    .join(';');

/** Finds the share of time at which an easing function reaches a share of the way. */
export function inverse(easing, share) {
  let [low, high] = [0, 1];
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2;
    if (easing(middle) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The CSS timing function `ease`, as a function of time. */
export function cssEase(time) {
  const bezier = (a, b) => (t) => 3 * a * t * (1 - t) ** 2 + 3 * b * t * t * (1 - t) + t ** 3;
  return bezier(0.1, 1)(inverse(bezier(0.25, 0.25), time));
}
