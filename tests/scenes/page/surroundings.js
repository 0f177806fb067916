// What sites put around a board: bars, panels, clocks, move lists, chat, text, advertisements.

import { at, element, px, squareRect } from './dom.js';

const NAMES = ['pawnstorm', 'endgame_ella', 'Zugzwang77', 'rookie1900', 'quiet.move', 'fianchetto', 'blitz-otter', 'anna.k'];
const CHAT = ['good luck!', 'you too', 'is this theory?', 'hmm, did not see that', 'wow', 'nice opening', 'time trouble again', 'thanks'];
const TEXT =
  'The middlegame that follows shows how quickly a lead in development turns into an attack. White gives up the exchange, and once the rook ' +
  'comes to the open file there is no defence. Every tempo counts: the natural move loses, the ugly retreat would have held. Readers who ' +
  'want to try the position at home find the full score below with light notes. Next week we look at quieter ways to use a lead in time. ';

const THEMES = {
  light: { page: '#edebe9', panel: '#fff', line: '#d5d5d5', text: '#4d4d4d', bar: '#e3e1de' },
  dark: { page: '#161512', panel: '#262421', line: '#3c3934', text: '#bababa', bar: '#1f1d1a' },
  paper: { page: '#fffdf7', panel: '#fff', line: '#ddd', text: '#222', bar: '#264653' },
  night: { page: '#302e2b', panel: '#262522', line: '#3d3b38', text: '#d0cfcd', bar: '#262522' },
};

/** Builds the page around the board. `update` brings clocks and move list up to date; `labels` draws outside coordinates. */
export function buildSurroundings(setup) {
  const theme = THEMES[setup.theme] ?? THEMES.light;
  Object.assign(document.body.style, { background: setup.pageColor ?? theme.page, color: theme.text });
  const parts = { clocks: {}, moves: null, balance: null };
  const add = (rect, style = {}, content = '') => {
    const made = element('div', { ...at(rect), overflow: 'hidden', ...style }, content);
    document.body.append(made);
    return made;
  };
  const panel = (rect, content, style = {}) =>
    add(rect, { background: theme.panel, border: `1px solid ${theme.line}`, borderRadius: px(4), padding: px(6), ...style }, content);
  LAYOUTS[setup.clutter]?.({ setup, theme, parts, add, panel });
  for (const ad of setup.ads ?? []) checkerAd(add, ad);
  const labelLayer = add({ x: 0, y: 0, width: innerWidth, height: innerHeight }, { pointerEvents: 'none' });
  return {
    update: (news) => update(parts, news),
    labels: (board, orientation) => {
      labelLayer.innerHTML = '';
      if (setup.coords === 'outside') outsideLabels(labelLayer, board, orientation, theme);
    },
  };
}

const LAYOUTS = {
  // A bar on top, chat on the left, clocks and moves on the right.
  server({ setup, theme, parts, add, panel }) {
    const { x, y, size, random } = area(setup);
    add({ x: 0, y: 0, width: innerWidth, height: Math.min(46, Math.max(0, y - 6)) }, { background: theme.bar, padding: '10px 16px' },
      '&#9822; <b>openboard.example</b> &emsp; PLAY &emsp; PUZZLES &emsp; LEARN &emsp; WATCH');
    const left = { x: 8, y, width: x - 30, height: size };
    if (left.width > 70) {
      panel({ ...left, height: Math.min(110, size / 3) }, `10+0 &bull; Rated<br>&#9675; ${random(NAMES)}<br>&#9679; ${random(NAMES)}`);
      panel({ ...left, y: y + size / 3 + 12, height: (size * 2) / 3 - 12 }, chat(random, size / 30));
    }
    const right = { x: x + size + 22, width: innerWidth - x - size - 30 };
    if (right.width > 70) {
      parts.clocks.black = add({ ...right, y, height: 36 }, { fontSize: px(28), background: theme.panel }, '5:00');
      parts.moves = panel({ ...right, y: y + 42, height: size - 84 }, '', { lineHeight: px(21) });
      parts.clocks.white = add({ ...right, y: y + size - 36, height: 36 }, { fontSize: px(28), background: theme.panel }, '5:00');
    }
  },
  // Names and clocks above and below the board, a balance bar beside it.
  club({ setup, theme, parts, add, panel }) {
    const { x, y, size, random } = area(setup);
    add({ x: 0, y: 0, width: Math.max(0, Math.min(130, x - 50)), height: innerHeight }, { background: theme.bar, padding: px(10), lineHeight: px(32) },
      '&#9823; Play<br>&#9733; Puzzles<br>&#9998; Learn<br>&#9673; Watch<br>&#9881; Settings');
    for (const [color, top] of [['black', y - 36], ['white', y + size + 6]]) {
      const hue = Math.floor(random([...Array(360).keys()]));
      add({ x, y: top, width: size, height: 30 }, { display: 'flex', gap: px(8), alignItems: 'center' },
        `<span style="width:28px;height:28px;background:linear-gradient(45deg,hsl(${hue} 55% 45%),hsl(${hue + 80} 60% 60%))"></span>${random(NAMES)}`);
      parts.clocks[color] = add({ x: x + size - 80, y: top, width: 80, height: 30 }, { background: theme.panel, fontSize: px(20), textAlign: 'right' }, '5:00');
    }
    const bar = add({ x: x - 20, y, width: 12, height: size }, { background: '#403d39' });
    parts.balance = element('div', { position: 'absolute', bottom: 0, width: '100%', height: '50%', background: '#fff' });
    bar.append(parts.balance);
    const right = { x: x + size + 20, y, width: innerWidth - x - size - 30, height: size };
    if (right.width > 70) {
      parts.moves = panel({ ...right, height: size * 0.6 }, '', { lineHeight: px(21) });
      panel({ ...right, y: y + size * 0.6 + 8, height: size * 0.4 - 8 }, chat(random, size / 50));
    }
  },
  // Text around the board, a colourful heading.
  blog({ setup, parts, add }) {
    const { x, y, size, random } = area(setup);
    const text = { font: "15px/1.5 'Nimbus Roman', 'DejaVu Serif', serif", textAlign: 'justify' };
    add({ x: 0, y: 0, width: innerWidth, height: Math.max(0, y - 12) }, {
      background: 'linear-gradient(100deg,#264653,#2a9d8f 45%,#e9c46a 75%,#e76f51)', color: '#fff', font: 'bold 24px serif', padding: '6px 20px',
    }, 'The Saturday Gambit');
    if (x > 110) add({ x: 10, y, width: x - 40, height: size }, text, TEXT.repeat(3));
    const right = innerWidth - x - size - 34;
    if (right > 90) {
      parts.moves = add({ x: x + size + 22, y, width: right, height: size / 2 }, { fontSize: px(13) });
      add({ x: x + size + 22, y: y + size / 2, width: right, height: size / 2 }, text, `<b>${random(NAMES)}</b> ${TEXT}`);
    }
    add({ x, y: y + size + 20, width: size, height: 30 }, { textAlign: 'center', fontSize: px(18) }, '&#9198; &#9664; &#9654; &#9197;');
  },
};

function area(setup) {
  let number = setup.seed;
  // Which words stand where matters to nobody; that they are the same each time does.
  const random = (list) => list[(number = (number * 48271 + 11) % 2147483647) % list.length];
  return { ...setup, random };
}

const chat = (random, lines) =>
  Array.from({ length: Math.max(1, Math.floor(lines)) }, () => `<div><b>${random(NAMES)}</b> ${random(CHAT)}</div>`).join('');

/** A checker pattern that is no board. */
function checkerAd(add, { x, y, width, height, cell, colors }) {
  add({ x, y, width, height }, {
    background: `repeating-conic-gradient(${colors[0]} 0 25%, ${colors[1]} 0 50%) 0 0/${2 * cell}px ${2 * cell}px`,
    display: 'flex', alignItems: 'center', justifyContent: 'center',
  }, '<b style="background:#1d3557;color:#fff;padding:4px 10px">RACE WEEKEND</b>');
}

function update({ clocks, moves, balance }, news) {
  for (const color of ['white', 'black']) {
    const clock = clocks[color];
    if (!clock) continue;
    const seconds = Math.max(0, news.clocks[color]);
    clock.textContent = `${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(seconds < 20 ? 1 : 0).padStart(2, '0')}`;
    clock.style.outline = news.turn === color ? '2px solid #759900' : '';
  }
  if (moves) {
    const rows = [];
    for (let i = 0; i < news.moves.length; i += 2) rows.push(`${i / 2 + 1}. ${news.moves[i]} ${news.moves[i + 1] ?? ''}`);
    moves.innerHTML = rows.slice(-40).join('<br>');
    moves.scrollTop = moves.scrollHeight;
  }
  if (balance) balance.style.height = `${news.balance}%`;
}

function outsideLabels(layer, board, orientation, theme) {
  const label = (x, y, text) =>
    layer.append(element('div', { position: 'absolute', left: px(x), top: px(y), font: 'bold 11px sans-serif', color: theme.text }, text));
  for (const file of 'abcdefgh') {
    const r = squareRect(board, orientation, `${file}${orientation === 'white' ? 1 : 8}`);
    label(r.x + r.width / 2 - 3, board.y + board.height + 4, file);
  }
  for (const rank of '12345678') {
    const r = squareRect(board, orientation, `${orientation === 'white' ? 'a' : 'h'}${rank}`);
    label(board.x - 12, r.y + r.height / 2 - 7, rank);
  }
}
