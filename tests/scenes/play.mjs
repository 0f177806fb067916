// Plays a scene's game on its page and takes the frames: what is shown when, and what is true of it.

import { Chess } from 'chess.js';
import { board, pieces } from './looks.mjs';
import { load, uci } from './games.mjs';
import { seeded } from './random.mjs';
import { Stage } from './stage.mjs';
import { mouseMoves } from './hand.mjs';

const SLIDERS = 'rbq';

/** Milliseconds between frames at an even pace. */
const EVEN = 100;

const placement = (fen) => fen.split(' ')[0];
const side = (color) => (color === 'w' ? 'white' : 'black');

/** Plays the scene and writes its frames. */
export async function play(scene, browsers, address, writer, options) {
  const stage = await Stage.open(browsers, address, setupOf(scene));
  try {
    const player = new Player(scene, stage, writer, options);
    await player.game();
  } finally {
    await stage.close();
  }
}

/** The moves that a scene shows. */
export function movesOf({ game }) {
  const all = load(game.file, game.number);
  return { earlier: all.slice(0, game.skip), moves: all.slice(game.skip, game.skip + game.plies), later: all.slice(game.skip + game.plies) };
}

function setupOf(scene) {
  const { moves } = movesOf(scene);
  const setup = { ...scene, board: board(scene.board), pieces: pieces(scene.pieces), placement: placement(moves[0].before) };
  if (scene.second) {
    const { second } = scene;
    const other = load(second.game.file, second.game.number);
    setup.second = {
      ...second,
      board: board(second.board),
      pieces: pieces(second.pieces),
      placement: placement(other[second.game.ply].after),
    };
  }
  return setup;
}

class Player {
  constructor(scene, stage, writer, options) {
    Object.assign(this, { scene, stage, writer, options });
    this.chance = seeded(scene.seed * 7919 + 1);
    this.hand = mouseMoves(stage);
    this.time = 0;
    this.clocks = { white: 300, black: 300 };
    this.sans = [];
    this.toast = false;
    this.second = scene.second ? load(scene.second.game.file, scene.second.game.number) : null;
  }

  async game() {
    const { earlier, moves } = movesOf(this.scene);
    this.before = earlier.at(-1) ?? null;
    await this.show(moves[0].before, this.before);
    // A pointer that goes where pieces go has not come yet; another may lie over the very frame that is learned from.
    if (this.scene.cursor?.where === 'anywhere') await this.placeCursor(null);
    await this.stable(moves[0].before, null, 0);
    for (const [i, move] of moves.entries()) {
      await this.ply(i + 1, move, moves[i + 2]);
      const event = this.scene.events?.find((e) => e.after === i + 1);
      if (event) await this.happen(event, moves, i);
    }
  }

  /** Whether something that happens every so many plies happens at this one. */
  due(what, ply) {
    const rule = this.scene.each?.[what];
    return Boolean(rule) && ply % rule.every === rule.at % rule.every;
  }

  async ply(number, move, nextButOne) {
    if (this.due('select', number)) await this.select(move);
    if (move.promotion && this.scene.dialog) await this.dialog(move);
    if (/[kq]/.test(move.flags) && this.scene.frozenCastling) await this.frozenCastling(move);
    this.clocks[side(move.color)] -= this.chance.between(0.5, 9);
    this.sans.push(move.san);
    if (this.due('drag', number) && !move.promotion) await this.drag(move);
    else if (this.due('anim', number)) await this.slide(move);
    await this.show(move.after, move);
    const decorations = await this.decorate(number, move);
    await this.placeCursor(move);
    await this.stable(move.after, move, this.chance.between(20, 120), decorations);
    for (let i = 0; i < this.scene.idle; i++) await this.idle(move, decorations);
    if (this.toast) await this.stage.act(['toast', (this.toast = null)]);
    if (decorations) await this.show(move.after, move);
    if (this.due('premove', number) && nextButOne) await this.premove(move, nextButOne);
    this.pause();
    this.before = move;
  }

  /** Before the next ply the players think: at a real pace longer than any animation takes. */
  pause() {
    this.thought = this.scene.pace === 'real' ? this.chance.between(600, 2500) : 0;
  }

  // What is shown

  state(fen, lastMove, more = {}) {
    const chess = new Chess(fen);
    const king = chess.inCheck() ? chess.findPiece({ type: 'k', color: chess.turn() })[0] : null;
    return {
      placement: placement(fen),
      turn: side(chess.turn()),
      lastMove: lastMove ? [lastMove.from, lastMove.to] : null,
      checked: king,
      ...more,
    };
  }

  show(fen, lastMove, more) {
    const news = { clocks: this.clocks, turn: side(fen.split(' ')[1]), moves: this.sans, balance: 50 };
    return this.stage.act(['panels', news], ['show', this.state(fen, lastMove, more), false]);
  }

  // Frames

  /** Takes a frame `gap` ms after the last one. */
  async shoot(kind, gap, truth, fits) {
    const { png, facts } = await this.stage.shoot(this.options);
    this.time += this.scene.pace === 'even' ? EVEN : gap + (this.thought ?? 0);
    this.thought = 0;
    if (this.writer.frames === 0) this.time = 0;
    const { board: rect, others, occluded, touched, orientation } = facts;
    const stable = kind === 'stable';
    this.writer.add(png, this.time, {
      stable,
      kind,
      ...truth,
      occluded,
      touched,
      board: rect,
      orientation,
      ...(others.length > 0 && { other_boards: others }),
      ...fits,
    });
  }

  async stable(fen, move, gap, decorations, more) {
    await this.shoot('stable', gap, { fen, move: move ? uci(move) : null, ...more }, decorations && { decorations });
  }

  /** Nothing happens but that a clock ticks and the pointer moves. */
  async idle(move, decorations) {
    this.clocks[move.color === 'w' ? 'black' : 'white'] -= 1;
    await this.stage.act(['panels', { clocks: this.clocks, turn: null, moves: this.sans, balance: this.chance.between(20, 80) }]);
    await this.placeCursor(move);
    await this.stable(move.after, null, this.chance.between(100, 900), decorations);
  }

  async select(move) {
    const options = new Chess(move.before).moves({ square: move.from, verbose: true });
    const targets = [...new Set(options.map((o) => o.to))];
    const captures = options.filter((o) => o.captured && !o.isEnPassant()).map((o) => o.to);
    await this.show(move.before, this.before, { selected: move.from, targets, captures });
    if (this.scene.cursor) await this.cursorAt(move.from, 0);
    await this.shoot('select', this.chance.between(50, 800), {});
    await this.show(move.before, this.before);
  }

  async dialog(move) {
    // Some sites show the pawn on its last square behind the dialog, others leave it where it was.
    const chess = new Chess(move.before);
    if (this.chance.chance(0.5)) {
      chess.remove(move.from);
      chess.put({ type: 'p', color: move.color }, move.to);
    }
    const state = { ...this.state(move.before, this.before), placement: placement(chess.fen()) };
    await this.stage.act(['show', state, false], ['dialog', this.scene.dialog, move.to, move.color]);
    await this.shoot('dialog', this.chance.between(50, 300), { coming: uci(move) });
    if (this.scene.cursor) {
      await this.cursorAt(move.to, 0);
      await this.shoot('dialog', this.chance.between(300, 1500), { coming: uci(move) });
    }
    await this.show(move.before, this.before);
  }

  /** The king has arrived and the rook has not set out, or the other way round. */
  async frozenCastling(move) {
    const rank = move.from[1];
    const short = move.flags.includes('k');
    const [rookFrom, rookTo] = short ? [`h${rank}`, `f${rank}`] : [`a${rank}`, `d${rank}`];
    const chess = new Chess(move.before);
    const order = this.chance.chance(0.7) ? [[move.from, move.to, 'k']] : [[rookFrom, rookTo, 'r']];
    for (const [from, to, type] of order) {
      chess.remove(from);
      chess.put({ type, color: move.color }, to);
    }
    const state = this.state(move.before, this.chance.chance(0.5) ? move : this.before);
    await this.stage.act(['show', { ...state, placement: placement(chess.fen()) }, false]);
    await this.shoot('castling', this.chance.between(20, 300), { coming: uci(move) });
  }

  async drag(move) {
    const kind = this.scene.cursor ? this.scene.cursor.kind : null;
    await this.hand.pickUp(move.from);
    for (const share of this.chance.pick([[0.5], [0.4, 0.8], [0.97], [0.06, 0.6]])) {
      const point = await this.hand.carry(move.from, move.to, share);
      if (kind) await this.stage.act(['cursor', { ...point, kind, size: this.scene.cursor.size }]);
      await this.shoot('drag', this.chance.between(30, 200), { coming: uci(move), dragged: move.from });
    }
    await this.hand.drop(move.to);
  }

  async slide(move) {
    const shares = this.sharesOf(move);
    await this.stage.act(['show', this.state(move.after, move), true]);
    let [reached, spent] = [0, 0];
    for (const share of shares) {
      const time = await this.stage.act(['sweep', reached, share]);
      await this.shoot('anim', time - spent + 5, { coming: uci(move), share });
      [reached, spent] = [share, time];
    }
    this.thought = this.scene.animationMs - spent;
    await this.stage.act(['rest']);
  }

  /** At which shares of its way a sliding piece is caught. */
  sharesOf(move) {
    const { chance, scene } = this;
    const [files, ranks] = [0, 1].map((i) => Math.abs(move.to.charCodeAt(i) - move.from.charCodeAt(i)));
    const distance = Math.max(files, ranks);
    // Right over a square between, a slider looks as if it stood there. Only a tint, or time, tells that it does not.
    const tellable = scene.lastMove || scene.pace === 'real';
    const straight = SLIDERS.includes(move.piece) || (move.piece === 'p' && distance === 2);
    if (tellable && straight && distance > 1 && chance.chance(0.6)) {
      return chance.pick([[chance.integer(1, distance - 1) / distance], [0.02, chance.integer(1, distance - 1) / distance], [0.5]]);
    }
    const half = tellable ? 0.5 : 0.53;
    return chance.pick([[half], [0.3, 0.7], [chance.between(0.03, 0.97)], [0.1, 0.93], [chance.between(0.9, 0.99)]]);
  }

  async premove(move, planned) {
    const chess = new Chess(move.after);
    if (chess.get(planned.from)?.color !== move.color) return;
    await this.show(move.after, move, { premove: [planned.from, planned.to] });
    await this.shoot('premove', this.chance.between(100, 900), { premove: `${planned.from}${planned.to}` });
    await this.show(move.after, move);
  }

  // What lies over the board

  /** Arrows, circles and notices; resolves to what was laid over a stable board. */
  async decorate(number, move) {
    const { chance } = this;
    const laid = {};
    if (this.due('arrows', number)) {
      const options = new Chess(move.after).moves({ verbose: true });
      const some = options.length > 0 ? [chance.pick(options), chance.pick(options)] : [];
      laid.arrows = some.filter((o, i) => i === 0 || o.from !== some[0].from).map(({ from, to }) => ({ from, to, color: chance.pick(['green', 'red', 'blue']) }));
      laid.circles = options.length > 0 ? [{ square: chance.pick(options).to, color: chance.pick(['green', 'red']) }] : [];
      await this.show(move.after, move, laid);
    }
    if (this.due('toast', number)) {
      const { x, y, size } = this.scene;
      const [width, text] = chance.pick([[150, '<b>Achievement</b><br>You played 10 games today!'], [90, 'Saved.'], [210, 'Your opponent offers a draw. &nbsp; <b>Accept</b>']]);
      this.toast = { x: x + chance.between(-0.2, 0.9) * size, y: y + chance.between(-0.1, 0.95) * size, width: Math.min(width, 0.7 * size), text };
      await this.stage.act(['toast', this.toast]);
      laid.toast = true;
    }
    if (this.second && this.due('second', number)) {
      const other = this.second[(this.scene.second.game.ply + number) % this.second.length];
      await this.stage.act(['second', placement(other.after), [other.from, other.to]]);
    }
    return Object.keys(laid).length > 0 ? laid : undefined;
  }

  async placeCursor(move) {
    const { cursor, x, y, size } = this.scene;
    if (!cursor) return;
    if (cursor.where === 'target' && move) return this.cursorAt(move.to, 0.3);
    const [dx, dy] = [this.chance.between(-0.05, 1.05), this.chance.between(-0.05, 1.05)];
    await this.stage.act(['cursor', { x: x + dx * size, y: y + dy * size, kind: cursor.kind, size: cursor.size }]);
  }

  async cursorAt(square, spread) {
    const rect = await this.stage.act(['square', square]);
    const off = () => 0.5 + this.chance.between(-spread, spread);
    const { kind, size } = this.scene.cursor;
    await this.stage.act(['cursor', { x: rect.x + off() * rect.width, y: rect.y + off() * rect.height, kind, size }]);
  }

  // What happens beside moves

  async happen(event, moves, i) {
    if (event.what === 'takeback') {
      const back = moves[i + 1 - event.plies];
      const last = moves[i - event.plies] ?? null;
      this.pause();
      if (event.animated) {
        await this.stage.act(['show', this.state(back.before, last), true], ['sweep', 0, 0.5]);
        await this.shoot('anim', 200, { takeback: true });
      }
      await this.show(back.before, last);
      await this.stable(back.before, null, 300, undefined, { event: 'takeback' });
      this.before = last;
      this.pause();
      for (const again of moves.slice(i + 1 - event.plies, i + 1)) {
        this.sans.pop();
        await this.ply(-1, again, undefined);
      }
    } else if (event.what === 'flip') {
      this.pause();
      const bottom = this.scene.orientation === 'white' ? 'black' : 'white';
      await this.stage.act(['flip', bottom]);
      await this.show(moves[i].after, moves[i]);
      await this.stable(moves[i].after, null, 300, undefined, { event: 'flip' });
    } else if (event.what === 'moved') {
      this.pause();
      const { rect } = event;
      Object.assign(this.scene, { x: rect.x, y: rect.y, size: rect.width });
      await this.stage.act(['place', rect]);
      await this.show(moves[i].after, moves[i]);
      await this.placeCursor(moves[i]);
      await this.stable(moves[i].after, null, 300, undefined, { event: 'moved' });
    } else if (event.what === 'new_game') {
      this.pause();
      const next = load(event.game.file, event.game.number).slice(0, event.game.plies);
      this.before = null;
      this.sans = [];
      await this.show(next[0].before, null);
      await this.stable(next[0].before, null, 300, undefined, { event: 'new_game' });
      this.pause();
      for (const [k, move] of next.entries()) await this.ply(k + 1, move, next[k + 2]);
    }
  }
}
