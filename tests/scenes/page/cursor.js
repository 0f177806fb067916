// Pointers as a capture that includes the pointer would show them, or as a page draws them itself.

import { element, px } from './dom.js';
import { inPolygon, inRect } from './cover.js';

const ARROW = [[1, 1], [1, 22], [6, 17.4], [9.4, 25.4], [13.2, 23.8], [9.8, 16], [17, 16]];
const HAND = [[9, 1], [12, 2], [12, 11], [22, 13], [23, 20], [20, 27], [10, 27], [3, 17], [4, 13], [8, 15], [8, 2]];

// Outline in a box of 24 × 28, the point that points, and the paint.
const POINTERS = {
  arrow: { outline: ARROW, tip: [1, 1], fill: '#fff', line: '#000' },
  dark: { outline: ARROW, tip: [1, 1], fill: '#000', line: '#fff' },
  hand: { outline: HAND, tip: [10, 1], fill: '#fff', line: '#000' },
};

/** A pointer that can be put anywhere on the page. */
export function pointer() {
  const layer = element('div', { position: 'absolute', zIndex: 100000, pointerEvents: 'none', display: 'none', lineHeight: 0 });
  document.body.append(layer);
  let shape = null;
  return {
    element: layer,
    /** Shows it with its tip at a point, or nowhere. */
    show(place) {
      layer.style.display = place ? 'block' : 'none';
      shape = null;
      if (!place) return;
      const { outline, tip, fill, line } = POINTERS[place.kind];
      const size = place.size ?? 1;
      const [x, y] = [place.x - tip[0] * size, place.y - tip[1] * size];
      const points = outline.map((p) => p.join(' ')).join('L');
      layer.innerHTML = `<svg width="${24 * size}" height="${28 * size}" viewBox="0 0 24 28"><path d="M${points}Z" fill="${fill}" stroke="${line}" stroke-width="1.3" stroke-linejoin="round"/></svg>`;
      Object.assign(layer.style, { left: px(x), top: px(y) });
      shape = inPolygon(outline.map(([px_, py]) => ({ x: x + px_ * size, y: y + py * size })));
    },
    shapes: () => (shape ? [shape] : []),
  };
}

/** A notice that pops up over the page for a while. */
export function notice() {
  const layer = element('div', {
    position: 'absolute',
    zIndex: 90000,
    display: 'none',
    background: '#333',
    color: '#fff',
    padding: '10px 14px',
    borderRadius: '6px',
    font: "13px 'DejaVu Sans', sans-serif",
    boxShadow: '0 3px 12px rgba(0, 0, 0, .4)',
    boxSizing: 'border-box',
  });
  document.body.append(layer);
  // The shadow is seen beyond the box.
  const shadow = 14;
  return {
    show(message) {
      layer.style.display = message ? 'block' : 'none';
      if (!message) return;
      layer.innerHTML = message.text;
      Object.assign(layer.style, { left: px(message.x), top: px(message.y), width: px(message.width) });
    },
    shapes() {
      if (layer.style.display === 'none') return { opaque: [], translucent: [] };
      const { left: x, top: y, width, height } = layer.getBoundingClientRect();
      const around = { x: x - shadow, y: y - shadow, width: width + 2 * shadow, height: height + 2 * shadow };
      return { opaque: [inRect({ x, y, width, height })], translucent: [inRect(around)] };
    },
  };
}
