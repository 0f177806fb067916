// A second, smaller board on the page: a game that somebody else plays.

import { mount } from '../widgets/chessground.js';
import { at, element } from './dom.js';

export async function secondBoard(setup) {
  const host = element('div', at({ x: setup.x, y: setup.y, width: setup.size, height: setup.size }));
  host.id = 'second-board';
  document.body.append(host);
  return mount(host, { ...setup, viewOnly: true, coords: null, check: false, animationMs: 200 });
}
