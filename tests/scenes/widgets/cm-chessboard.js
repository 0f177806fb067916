// cm-chessboard: the board and its pieces are one SVG.

import { BORDER_TYPE, Chessboard, COLOR } from 'cm-chessboard/src/Chessboard.js';
import { MARKER_TYPE, Markers } from 'cm-chessboard/src/extensions/markers/Markers.js';
import { addCss, enclosing, linkCss, loadPictures } from '../page/dom.js';
import { PREMOVE, SELECTED, inverse, pictureUrls } from './common.js';

const ASSETS = '/vendor/cm-chessboard/assets/';
const LAST = { class: 'scene-last', slice: 'markerSquare' };
const LAST_FRAME = { class: 'scene-last-frame', slice: 'markerFrame' };
const CHECK = { class: 'scene-check', slice: 'markerCircleFilled' };
const CHOSEN = { class: 'scene-chosen', slice: 'markerSquare' };
const PREMOVED = { class: 'scene-premove', slice: 'markerSquare' };

function boardCss(scope, { board, lastMove, selectedColor, coords }) {
  const color = lastMove?.color ?? 'transparent';
  const squares = board.image
    ? `${scope} .square.white,${scope} .square.black{fill:transparent} ${scope} .border{fill:transparent!important}
       ${scope} svg{background:url(${board.image}) 0 0/100% 100%}`
    : `${scope} .square.white{fill:${board.light}!important} ${scope} .square.black{fill:${board.dark}!important}`;
  const { coordLight = board.light, coordDark = board.dark } = board;
  return `${squares} ${scope} .coordinate.white{fill:${coordLight}!important} ${scope} .coordinate.black{fill:${coordDark}!important}
    ${coords === 'inside' ? '' : `${scope} .coordinates{display:none}`}
    .scene-last{fill:${color}} .scene-last-frame{stroke:${color};stroke-width:3;opacity:1} .scene-check{fill:rgba(220,0,0,.55)}
    .scene-chosen{fill:${selectedColor ?? SELECTED}} .scene-premove{fill:${PREMOVE}}`;
}

export async function mount(host, setup) {
  await linkCss(`${ASSETS}chessboard.css`);
  await linkCss(`${ASSETS}extensions/markers/markers.css`);
  addCss(boardCss(`#${host.id}`, setup));
  await loadPictures(pictureUrls(setup));
  const board = new Chessboard(host, {
    position: setup.placement,
    orientation: setup.orientation === 'white' ? COLOR.white : COLOR.black,
    assetsUrl: ASSETS,
    style: {
      borderType: BORDER_TYPE.none,
      showCoordinates: true,
      pieces: { file: `/sprite/${setup.pieces.name}.svg`, tileSize: 40 },
      animationDuration: setup.animationMs,
    },
    extensions: [{ class: Markers, props: { autoMarkers: null } }],
  });
  // Pieces can be dragged; what a drop means is the scene's business.
  board.enableMoveInput(() => true);
  const sprites = () => ['cm-chessboard-sprite', 'cm-chessboard-markers'].every((id) => document.getElementById(id)?.firstElementChild);
  while (!sprites()) await new Promise((resolve) => queueMicrotask(resolve)).then(() => fetch('/ready'));

  return {
    show(state, animated) {
      board.cancelMoveInput?.();
      board.removeMarkers();
      const last = setup.lastMove?.style === 'border' ? LAST_FRAME : LAST;
      if (setup.lastMove) for (const square of state.lastMove ?? []) board.addMarker(last, square);
      if (setup.check && state.checked) board.addMarker(CHECK, state.checked);
      if (state.selected) board.addMarker(CHOSEN, state.selected);
      for (const square of state.targets ?? []) {
        board.addMarker(state.captures?.includes(square) ? MARKER_TYPE.bevel : MARKER_TYPE.dot, square);
      }
      for (const square of state.premove ?? []) board.addMarker(PREMOVED, square);
      for (const { square } of state.circles ?? []) board.addMarker(MARKER_TYPE.circleDanger, square);
      board.setPosition(state.placement, animated);
    },
    flip(orientation) {
      board.setOrientation(orientation === 'white' ? COLOR.white : COLOR.black);
    },
    // It watches its host.
    resize() {},
    rect: () => enclosing(host.querySelectorAll('.square')),
    timeOf: (share) => inverse((t) => (t < 0.5 ? 2 * t * t : -1 + (4 - 2 * t) * t), share),
  };
}
