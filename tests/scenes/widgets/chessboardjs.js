// @chrisoakman/chessboardjs with jQuery, as on thousands of home pages.

import $ from 'jquery';
import { addCss, enclosing, linkCss, loadPictures } from '../page/dom.js';
import { inverse, marks, pictureUrls, pieceUrl } from './common.js';

function loadScript(src) {
  return new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement('script'), { src, onload: resolve, onerror: reject });
    document.head.append(script);
  });
}

function boardCss(scope, { board }) {
  const light = `${scope} .white-1e1d7`;
  const dark = `${scope} .black-3c85d`;
  if (!board.image) {
    return `${light}{background-color:${board.light};color:${board.dark}} ${dark}{background-color:${board.dark};color:${board.light}}`;
  }
  return `${scope} .board-b72b1{background:url(${board.image}) content-box 0 0/100% 100% no-repeat;background-origin:content-box}
    ${light}{background-color:transparent;color:${board.coordDark}} ${dark}{background-color:transparent;color:${board.coordLight}}`;
}

export async function mount(host, setup) {
  window.$ = window.jQuery = $;
  await linkCss('/vendor/@chrisoakman/chessboardjs/dist/chessboard-1.0.0.css');
  await loadScript('/vendor/@chrisoakman/chessboardjs/dist/chessboard-1.0.0.js');
  addCss(boardCss(`#${host.id}`, setup));
  await loadPictures(pictureUrls(setup));
  const board = window.Chessboard(host.id, {
    position: setup.placement,
    orientation: setup.orientation,
    showNotation: setup.coords === 'inside',
    pieceTheme: (piece) => pieceUrl(setup, piece),
    moveSpeed: setup.animationMs,
    appearSpeed: setup.animationMs / 2,
    trashSpeed: setup.animationMs / 2,
    snapSpeed: 40,
    snapbackSpeed: 40,
    draggable: true,
  });
  let marked = [];

  return {
    show(state, animated) {
      for (const square of marked) Object.assign(square.style, { backgroundImage: '', boxShadow: '' });
      board.position(state.placement, animated);
      marked = marks(state, setup).map(([name, style]) => {
        const square = host.querySelector(`.square-${name}`);
        Object.assign(square.style, style);
        return square;
      });
    },
    flip(orientation) {
      board.orientation(orientation);
      marked = [];
    },
    resize() {
      board.resize();
      marked = [];
    },
    rect: () => enclosing(host.querySelectorAll('.square-55d63')),
    // jQuery's "swing".
    timeOf: (share) => inverse((t) => 0.5 - Math.cos(Math.PI * t) / 2, share),
  };
}
