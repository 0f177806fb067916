// A page at which somebody plays: a widget amid what sites put around it, names, clocks, a bot and a button for the next game.

import { Chess } from 'chess.js';
import { choose } from './bot.js';
import { openDialog } from './dialog.js';
import { addCss, at, element, px, squareRect, SQUARES } from './dom.js';
import { buildSurroundings } from './surroundings.js';
import { seeded } from '../random.mjs';
import { pieceUrl } from '../widgets/common.js';

const NAMES = { bot: 'Wandering Bot', you: 'Guest 1' };
const INITIAL_MS = 600_000;
const side = (letter) => (letter === 'w' ? 'white' : 'black');
const other = (letter) => (letter === 'w' ? 'b' : 'w');

/** Called by the bundle of each widget. */
export async function begin(mount) {
  const setup = window.SETUP;
  addCss(`html,body{margin:0;height:100%;overflow:hidden;user-select:none} body{font:14px 'Noto Sans','DejaVu Sans',sans-serif}
    button{font:16px 'DejaVu Sans',sans-serif;padding:8px 18px} .row{display:flex;align-items:center;gap:10px;padding:0 8px;font-size:16px;box-sizing:border-box}
    .name{white-space:nowrap} .time{margin-left:auto;font-size:20px}`);
  const surroundings = buildSurroundings(setup);
  const host = element('div', at({ x: setup.x, y: setup.y, width: setup.size, height: setup.size }));
  host.id = 'main-board';
  if (setup.border) host.style.boxShadow = `0 0 0 ${setup.border.width}px ${setup.border.color}`;
  document.body.append(host);
  const chess = new Chess();
  const widget = await mount(host, { ...setup, placement: placement(chess), viewOnly: true });
  window.table = new Table(setup, widget, surroundings);
  window.table.begin(setup.orientation[0]);
  [window.ready, window.waits] = [true, true];
}

const placement = (chess) => chess.fen().split(' ')[0];

class Table {
  constructor(setup, widget, surroundings) {
    Object.assign(this, { setup, widget, surroundings, chance: seeded(setup.seed) });
    this.told = Promise.resolve();
    this.rest = performance.now();
    this.buildRows();
    this.held = element('div', { position: 'absolute', zIndex: 700, pointerEvents: 'none', backgroundSize: '100% 100%' });
    this.lit = element('div', { position: 'absolute', zIndex: 400, pointerEvents: 'none', background: 'rgba(255,255,255,.35)' });
    // Whatever a widget would do with a pointer, this page does in a way of its own.
    this.glass = element('div', { ...at(widget.rect()), zIndex: 600 });
    document.body.append(this.lit, this.glass, this.held);
    addEventListener('pointerdown', (event) => this.down(event));
    addEventListener('pointermove', (event) => this.move(event));
    addEventListener('pointerup', (event) => this.up(event));
    setInterval(() => this.drawClocks(), 100);
  }

  buildRows() {
    const { setup } = this;
    const { x, y, size } = setup;
    const gap = (setup.border?.width ?? 0) + (setup.coords === 'outside' ? 20 : 6);
    const places =
      setup.rows === 'stacked'
        ? [{ x, y: y - gap - 32, width: size, height: 30 }, { x, y: y + size + gap, width: size, height: 30 }]
        : [{ x: x + size + 24, y, width: 200, height: 30 }, { x: x + size + 24, y: y + 44, width: 200, height: 30 }];
    this.rows = places.map((place) => {
      const row = element('div', { ...at(place), background: setup.theme === 'dark' || setup.theme === 'night' ? '#3a3733' : '#f4f1ea' });
      row.className = 'row';
      document.body.append(row);
      return row;
    });
    this.after = element('div', { display: 'none', zIndex: 800, background: '#fff', color: '#222', padding: '10px', textAlign: 'center' });
    Object.assign(
      this.after.style,
      setup.notice === 'over'
        ? { ...at({ x: x + size / 2 - 110, y: y + size / 2 - 60, width: 220, height: 110 }), boxShadow: '0 4px 20px rgba(0,0,0,.5)' }
        : { ...at({ x: x + size + 24, y: y + 100, width: 200, height: 110 }) },
    );
    this.after.innerHTML = '<div id="said"></div><button id="again">New game</button>';
    document.body.append(this.after);
    document.getElementById('again').addEventListener('click', () => this.result && this.begin(other(this.player)));
  }

  begin(player) {
    const turned = this.player && this.player !== player;
    Object.assign(this, { player, chess: new Chess(), selected: null, pressed: null, asked: null, result: null, last: null });
    this.left = { w: INITIAL_MS, b: INITIAL_MS };
    this.since = performance.now();
    if (turned) this.widget.flip(side(player));
    this.surroundings.labels(this.widget.rect(), side(player));
    this.after.style.display = 'none';
    this.drawRows();
    this.show(false);
    this.tell({ event: 'game', detail: `player ${side(player)}`, fen: this.chess.fen() });
    this.botsTurn();
  }

  drawRows() {
    const upper = this.setup.swapsRows && this.player === 'b' ? ['you', 'bot'] : ['bot', 'you'];
    this.rows.forEach((row, i) => {
      const color = (upper[i] === 'you') === (this.player === 'w') ? 'w' : 'b';
      row.innerHTML = `<span class="name ${upper[i]}">${NAMES[upper[i]]}</span>${this.setup.clock ? `<span class="time" data-color="${color}"></span>` : ''}`;
    });
    this.drawClocks();
  }

  drawClocks() {
    const runs = this.result || this.chess.history().length < 2 ? null : this.chess.turn();
    for (const shown of document.querySelectorAll('.time')) {
      const color = shown.dataset.color;
      const seconds = Math.ceil((this.left[color] - (runs === color ? performance.now() - this.since : 0)) / 1000);
      const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
      if (shown.textContent !== text) shown.textContent = text;
    }
  }

  tell(line) {
    const body = JSON.stringify({ t_ms: Date.now(), ...line });
    this.told = this.told.then(() => fetch('/log', { method: 'POST', body }));
  }

  show(animated, hidden = null) {
    const { chess, setup } = this;
    const shown = new Chess(chess.fen());
    if (hidden) shown.remove(hidden);
    const checked = chess.inCheck() ? chess.findPiece({ type: 'k', color: chess.turn() })[0] : null;
    const options = this.selected && setup.showsSelection ? chess.moves({ square: this.selected, verbose: true }) : [];
    this.widget.show(
      {
        placement: placement(shown),
        turn: side(chess.turn()),
        lastMove: this.last,
        checked,
        selected: setup.showsSelection ? this.selected : null,
        targets: [...new Set(options.map((o) => o.to))],
        captures: options.filter((o) => o.captured).map((o) => o.to),
      },
      animated,
    );
    if (animated) this.rest = performance.now() + setup.animationMs;
  }

  isMine() {
    return !this.result && !this.asked && this.chess.turn() === this.player;
  }

  squareAt({ clientX, clientY }) {
    const rect = this.widget.rect();
    const has = (r) => clientX >= r.x && clientX < r.x + r.width && clientY >= r.y && clientY < r.y + r.height;
    return SQUARES.find((name) => has(squareRect(rect, side(this.player), name))) ?? null;
  }

  // The hand

  down(event) {
    const square = this.squareAt(event);
    this.tell({ event: 'pointer', detail: JSON.stringify({ type: 'down', square, button: event.target.id || null }) });
    if (this.asked) return this.answer(event);
    if (!square || !this.isMine() || (this.setup.deafWhileSliding && performance.now() < this.rest)) return;
    const before = this.selected;
    if (before && this.setup.manner !== 'drag' && this.play(before, square, this.setup.slidesOwn)) return;
    const own = this.chess.get(square)?.color === this.player;
    this.selected = own ? square : null;
    this.pressed = own ? { square, x: event.clientX, y: event.clientY, dragging: false, again: before === square } : null;
    if (before !== this.selected) this.show(false);
  }

  move(event) {
    const { pressed, setup } = this;
    const rect = this.widget.rect();
    const under = setup.lightsPointer ? this.squareAt(event) : null;
    Object.assign(this.lit.style, under ? { ...at(squareRect(rect, side(this.player), under)), display: 'block' } : { display: 'none' });
    if (!pressed || setup.manner === 'clicks') return;
    if (!pressed.dragging) {
      if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < 4) return;
      pressed.dragging = true;
      const { color, type } = this.chess.get(pressed.square);
      this.held.style.backgroundImage = `url(${pieceUrl(setup, color + type.toUpperCase())})`;
      if (!setup.leavesPiece) this.show(false, pressed.square);
    }
    const width = rect.width / 8;
    Object.assign(this.held.style, { display: 'block', left: px(event.clientX - width / 2), top: px(event.clientY - width / 2), width: px(width), height: px(width) });
  }

  up(event) {
    const { pressed } = this;
    this.pressed = null;
    this.held.style.display = 'none';
    if (!pressed) return;
    if (pressed.dragging) {
      const target = this.squareAt(event);
      if (target && target !== pressed.square && this.play(pressed.square, target, false)) return;
      this.selected = null;
    } else if (this.setup.manner === 'drag' || (pressed.again && this.setup.togglesSelection)) this.selected = null;
    this.show(false);
  }

  /** Plays a move if it is one. */
  play(from, to, animated) {
    const options = this.chess.moves({ square: from, verbose: true }).filter((option) => option.to === to);
    if (options.length === 0) return false;
    this.selected = null;
    if (options[0].promotion && this.setup.dialog) {
      this.show(false);
      const close = openDialog(this.setup.dialog, {
        board: this.widget.rect(),
        orientation: side(this.player),
        square: to,
        color: this.player,
        pieceUrl: (piece) => pieceUrl(this.setup, piece),
      });
      this.asked = { from, to, close };
    } else this.made({ from, to, promotion: options[0].promotion && 'q' }, 'player', animated);
    return true;
  }

  answer(event) {
    const { from, to, close } = this.asked;
    const chosen = document.elementsFromPoint(event.clientX, event.clientY).find((hit) => hit.dataset.role);
    this.asked = null;
    close();
    if (chosen) this.made({ from, to, promotion: chosen.dataset.role.toLowerCase() }, 'player', false);
    else this.show(false);
  }

  // The game

  made(move, by, animated) {
    const now = performance.now();
    const mover = this.chess.turn();
    if (this.chess.history().length >= 2) this.left[mover] -= now - this.since;
    this.since = now;
    const { from, to, promotion } = this.chess.move(move);
    this.last = [from, to];
    this.show(animated);
    this.tell({ event: 'move', move: from + to + (promotion ?? ''), by, fen: this.chess.fen() });
    this.drawClocks();
    if (this.chess.isGameOver()) this.over();
    else this.botsTurn();
  }

  botsTurn() {
    const { chess, setup } = this;
    if (chess.turn() === this.player) return;
    const answer = () => {
      if (this.chess !== chess) return;
      // Whoever calibrates needs the start position for a while.
      if (window.waits) setTimeout(answer, 50);
      else this.made(choose(chess, this.chance), 'bot', true);
    };
    setTimeout(answer, setup.delayMs + (chess.history().length === 0 ? 600 : 0));
  }

  over() {
    const mated = this.chess.isCheckmate();
    const score = !mated ? '1/2-1/2' : this.chess.turn() === 'w' ? '0-1' : '1-0';
    this.result = `${score} ${mated ? 'checkmate' : 'draw'}`;
    this.tell({ event: 'result', detail: this.result });
    setTimeout(() => {
      document.getElementById('said').textContent = `${mated ? 'Checkmate' : 'Draw'} • ${score}`;
      this.after.style.display = 'block';
    }, 300);
  }
}
