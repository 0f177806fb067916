// react-chessboard, for pages built with React. Its pieces slide by CSS transitions.

import { createElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { Chessboard } from 'react-chessboard';
import { enclosing, loadPictures } from '../page/dom.js';
import { PIECES, cssEase, inverse, marks, pictureUrls, pieceUrl } from './common.js';

const ARROWS = { green: '#15781b', red: '#f44336', blue: '#48c1f9', yellow: '#ffaa00' };

function squareColors({ board }) {
  if (!board.image) {
    return {
      lightSquareStyle: { backgroundColor: board.light },
      darkSquareStyle: { backgroundColor: board.dark },
      lightSquareNotationStyle: { color: board.dark },
      darkSquareNotationStyle: { color: board.light },
    };
  }
  return {
    boardStyle: { backgroundImage: `url(${board.image})`, backgroundSize: '100% 100%' },
    lightSquareStyle: { backgroundColor: 'transparent' },
    darkSquareStyle: { backgroundColor: 'transparent' },
    lightSquareNotationStyle: { color: board.coordDark },
    darkSquareNotationStyle: { color: board.coordLight },
  };
}

export async function mount(host, setup) {
  await loadPictures(pictureUrls(setup));
  const picture = (piece) => () =>
    createElement('img', {
      src: pieceUrl(setup, piece),
      draggable: false,
      style: { width: '100%', height: '100%', display: 'block' },
    });
  const root = createRoot(host);
  let shown = { position: setup.placement, showAnimations: false };
  let orientation = setup.orientation;
  const render = () =>
    flushSync(() =>
      root.render(
        createElement(Chessboard, {
          options: {
            id: 'board',
            boardOrientation: orientation,
            showNotation: setup.coords === 'inside',
            animationDurationInMs: setup.animationMs,
            allowDragging: true,
            onPieceDrop: () => true,
            pieces: Object.fromEntries(PIECES.map((piece) => [piece, pictures[piece]])),
            ...squareColors(setup),
            ...shown,
          },
        }),
      ),
    );
  const pictures = Object.fromEntries(PIECES.map((piece) => [piece, picture(piece)]));
  render();

  return {
    show(state, animated) {
      const squareStyles = {};
      for (const [square, style] of marks(state, setup)) squareStyles[square] = { ...squareStyles[square], ...style };
      for (const { square } of state.circles ?? []) {
        squareStyles[square] = { ...squareStyles[square], backgroundColor: 'rgba(235, 97, 80, .8)' };
      }
      shown = {
        position: state.placement,
        // Told now to animate and now not to, it leaves pieces where an earlier slide had them. Scenes' clocks take care of that, live pages do not.
        showAnimations: animated || Boolean(setup.live),
        squareStyles,
        arrows: (state.arrows ?? []).map(({ from, to, color }) => ({ startSquare: from, endSquare: to, color: ARROWS[color] })),
      };
      render();
    },
    flip(bottom) {
      orientation = bottom;
      render();
    },
    // Its squares are laid out by CSS.
    resize() {},
    rect: () => enclosing(host.querySelectorAll('[data-square]')),
    timeOf: (share) => inverse(cssEase, share),
    drawsArrows: true,
    fillsCircles: true,
  };
}
