// @lichess-org/chessground, the board of lichess.org.

import { Chessground } from '@lichess-org/chessground';
import { addCss, linkCss, loadPictures } from '../page/dom.js';
import { CHECK, PIECES, PREMOVE, SELECTED, cssText, inverse, mark, pictureUrls, pieceUrl } from './common.js';

const ROLES = { K: 'king', Q: 'queen', R: 'rook', B: 'bishop', N: 'knight', P: 'pawn' };

/** CSS of board, pieces and marks for one host. */
export function chessgroundCss(scope, setup) {
  const { image } = setup.board;
  const [light, dark] = squareColors(setup);
  const board = image
    ? `background-image:url(${image});background-size:100% 100%`
    : `background:repeating-conic-gradient(${dark} 0 25%,${light} 0 50%) 0 0/25% 25%`;
  const pieces = PIECES.map(
    (piece) =>
      `${scope} piece.${ROLES[piece[1]]}.${piece[0] === 'w' ? 'white' : 'black'}{background-image:url(${pieceUrl(setup, piece)})}`,
  );
  const tint = setup.lastMove ? `${scope} square.last-move{${cssText(mark(setup.lastMove.color, setup.lastMove.style))}}` : '';
  return `${scope} cg-board{${board}} ${pieces.join('\n')} ${tint}
    ${scope} square.check{background:${CHECK}}
    ${scope} square.selected{background-color:${setup.selectedColor ?? SELECTED}}
    ${scope} square.move-dest{background:radial-gradient(rgba(20,85,30,.5) 22%,transparent 23%)}
    ${scope} square.move-dest.oc{background:radial-gradient(transparent 79%,rgba(20,85,0,.3) 80%)}
    ${scope} square.current-premove{background-color:${PREMOVE}!important}`;
}

/** Some pages paint their board the wrong way round: a1 is light. */
const squareColors = ({ board, inverted }) => (inverted ? [board.dark, board.light] : [board.light, board.dark]);

function coordinatesCss(scope, setup) {
  const { board, orientation, size } = setup;
  const [light, dark] = squareColors(setup);
  const { coordLight = light, coordDark = dark } = board;
  // Seen from White's side the letters start on a dark square, from Black's on a light one.
  const [odd, even] = orientation === 'white' ? [coordLight, coordDark] : [coordDark, coordLight];
  return `${scope} coords{font:bold ${Math.max(9, Math.min(14, size / 45))}px 'Noto Sans',sans-serif;opacity:1}
    ${scope} coords.ranks{left:auto;right:0;top:1px;width:.9em;height:100%} ${scope} coords.ranks coord{transform:none}
    ${scope} coords.files{bottom:0;left:0;height:1.4em;text-transform:none;text-align:left} ${scope} coords.files coord{padding-left:3px}
    ${scope} coord:nth-child(odd){color:${odd}} ${scope} coord:nth-child(even){color:${even}}
    ${scope} coords.ranks coord:nth-child(odd){color:${even}} ${scope} coords.ranks coord:nth-child(even){color:${odd}}`;
}

export async function mount(host, setup) {
  const scope = `#${host.id}`;
  await linkCss('/vendor/@lichess-org/chessground/assets/chessground.base.css');
  addCss(chessgroundCss(scope, setup) + (setup.coords === 'inside' ? coordinatesCss(scope, setup) : ''));
  await loadPictures(pictureUrls(setup));
  host.classList.add('cg-wrap');
  const board = Chessground(host, {
    fen: setup.placement,
    orientation: setup.orientation,
    coordinates: Boolean(setup.coords),
    viewOnly: setup.viewOnly ?? false,
    animation: { enabled: false, duration: setup.animationMs },
    movable: { free: true, color: 'both' },
    draggable: { showGhost: true, distance: 3 },
    premovable: { enabled: true },
    drawable: { enabled: false, visible: true },
  });

  return {
    show(state, animated) {
      board.set({ animation: { enabled: animated, duration: setup.animationMs } });
      board.selectSquare(null);
      board.set({ fen: state.placement, turnColor: state.turn });
      const lastMove = setup.lastMove ? state.lastMove : null;
      board.state.lastMove = lastMove ?? undefined;
      board.state.check = setup.check && state.checked ? state.checked : undefined;
      board.state.premovable.current = state.premove ?? undefined;
      board.setShapes([
        ...(state.arrows ?? []).map(({ from, to, color }) => ({ orig: from, dest: to, brush: color })),
        ...(state.circles ?? []).map(({ square, color }) => ({ orig: square, brush: color })),
      ]);
      const targets = state.selected ? new Map([[state.selected, state.targets]]) : undefined;
      board.set({ movable: { free: !targets, color: 'both', dests: targets } });
      if (state.selected) board.selectSquare(state.selected);
      if (!animated) board.redrawAll();
    },
    flip(orientation) {
      board.set({ orientation });
    },
    resize() {
      document.body.dispatchEvent(new Event('chessground.resize'));
    },
    rect() {
      const { left, top, width, height } = host.querySelector('cg-board').getBoundingClientRect();
      return { x: left, y: top, width, height };
    },
    // A cubic that is slow at both ends.
    timeOf: (share) => inverse((t) => (t < 0.5 ? 4 * t ** 3 : 1 - 4 * (1 - t) ** 3), share),
    drawsArrows: true,
  };
}
