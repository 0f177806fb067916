// The choice of a piece at a promotion, in three ways that sites have of asking.

import { at, element, px, squareRect } from './dom.js';

const CHOICES = ['Q', 'N', 'R', 'B'];

/** Opens a dialog for a promotion on `square`; returns a function that closes it. What is to be clicked for a role has it as `data-role`. */
export function openDialog(style, { board, orientation, square, color, pieceUrl }) {
  const side = board.width / 8;
  const target = squareRect(board, orientation, square);
  const atTop = target.y < board.y + board.height / 2;
  const layer = element('div', { ...at(board), zIndex: 1000 });
  const picture = (role) => `<img src="${pieceUrl(color + role)}" style="width:100%;height:100%;display:block">`;
  const choice = (role, style) => {
    const made = element('div', style, picture(role));
    made.dataset.role = role;
    return made;
  };
  const column = (decorate) =>
    CHOICES.forEach((role, i) => {
      const y = atTop ? i * side : board.height - (i + 1) * side;
      const box = { x: target.x - board.x, y, width: side, height: side };
      layer.append(choice(role, { ...at(box), ...decorate }));
    });
  if (style === 'discs') {
    layer.style.background = 'rgba(245, 245, 245, .7)';
    column({ borderRadius: '50%', background: '#b0b0b0', boxShadow: 'inset 0 0 25px 3px #808080', padding: px(side * 0.1) });
  } else if (style === 'column') {
    column({ background: '#fff', boxShadow: '0 0 10px rgba(0, 0, 0, .5)' });
  } else {
    const box = element('div', {
      ...at({ x: board.width / 2 - 2.2 * side, y: board.height / 2 - 0.7 * side, width: 4.4 * side, height: 1.4 * side }),
      background: '#f4f4f4',
      border: '1px solid #888',
      borderRadius: px(8),
      display: 'flex',
      padding: px(0.2 * side),
      boxShadow: '0 4px 24px rgba(0, 0, 0, .5)',
    });
    layer.style.background = 'rgba(0, 0, 0, .35)';
    for (const role of CHOICES) box.append(choice(role, { width: px(side), height: px(side) }));
    layer.append(box);
  }
  document.body.append(layer);
  return () => layer.remove();
}
