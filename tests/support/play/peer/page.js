// The page: a human side to drag or click for, and a bot. `STAGE` says what it does, tests put it in:
// {player, games: [{replies, end, offerAtPly}], seed, delayMs, dotMs, clock: {initialMs, incrementMs, startsAtPly}, rows: 'keep' | 'swap',
//  otherGround, banner, notice: 'beside' | 'over', greys, pulses, dialogMs, beginsAfterMs, logClocksMs, name}.
// The clocks stand until both sides have moved, or `startsAtPly` plies are played.
// `games` are the games in order, the last one for all that follow; a rematch swaps the colours. The bot plays a game's `replies` in order,
// as UCI moves, and then at random. `end` is how a game ends otherwise than on the board: {atPly, how: 'resign' | 'abort' | 'draw' | 'flag',
// by: 'bot' | 'player', afterMs}: so long after so many plies, the bot having answered none of them since.
// With `rows: 'swap'` the upper row is Black's, whoever has Black; else it is the opponent's. With `otherGround` the lower row looks otherwise.
// With `notice: 'over'` the result and the buttons lie over the middle of the board; after the first game, over half of it.
// A board that `greys` loses its colours at the end, and a king's square `pulses` on it for ever.
// A `banner` tells the result above the board, which moves board and column. A dialog covers all for `dialogMs` after a game.
// `report` (the test's) is told of every move, press, end and beginning, with what both clocks have left.
const BOT = STAGE.name ?? 'Torquato level 1';
const control = { initialMs: 600000, incrementMs: 5000, startsAtPly: 2, ...STAGE.clock };
const by = (id) => document.getElementById(id);

let chess = new Chess();
let number = 0;
let staged = {};
let player = STAGE.player[0];
let plies = 0;
let chosen = null;
let result = null;
let seed = STAGE.seed || 1;

// Park and Miller's generator: games can be repeated.
const random = (below) => (seed = (seed * 48271) % 2147483647) % below;

// ── the clocks: what each side had when its clock was started or stopped last, and whose runs since when ──

const clock = { left: { w: 0, b: 0 }, runs: null, since: 0 };
const leftOf = (side) => Math.max(0, clock.left[side] - (clock.runs === side ? performance.now() - clock.since : 0));
// A whole second is shown until it is over; below ten seconds tenths, cut off.
function shownOf(ms) {
  if (ms < 10000) return `0:0${(Math.floor(ms / 100) / 10).toFixed(1)}`;
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
function stopClock() {
  if (clock.runs) clock.left[clock.runs] = leftOf(clock.runs);
  clock.runs = null;
}
function startClock(side) {
  stopClock();
  [clock.runs, clock.since] = [side, performance.now()];
}
const clocks = () => ({ white_ms: Math.round(leftOf('w')), black_ms: Math.round(leftOf('b')), runs: clock.runs });
const tell = (type, more) => report({ type, t_ms: Date.now(), game: number, fen: chess.fen(), plies, ...clocks(), ...more });
// A test asks for a line with both clocks, as they are and as they are shown.
const shown = () => ({ shown_white: shownOf(leftOf('w')), shown_black: shownOf(leftOf('b')) });
window.logClocks = () => tell('clocks', shown());

// A test that shows the button calls it too.
window.lieOver = (wide = false) => {
  const [after, board] = [by('after'), by('board').getBoundingClientRect()];
  after.classList.add('over');
  const width = wide ? board.width - 36 : 210;
  const place = { left: board.x + (board.width - width) / 2 - 14, top: board.y + board.height / 3, width };
  for (const [side, px] of Object.entries(place)) after.style[side] = `${px}px`;
  after.style.minHeight = wide ? `${board.height / 2 - 28}px` : '';
};
const above = () => (player === 'w' ? 'b' : 'w');
function drawClocks() {
  for (const [place, side] of [['above', above()], ['below', player]]) {
    const text = shownOf(leftOf(side));
    const element = by(`clock-${place}`);
    if (element.textContent !== text) element.textContent = text;
    element.classList.toggle('low', leftOf(side) < 10000);
  }
  if (clock.runs && leftOf(clock.runs) <= 0) flag();
}
function flag() {
  const loser = clock.runs;
  over(loser === 'w' ? '0-1' : '1-0', `Time out • ${loser === 'w' ? 'Black' : 'White'} won`, 'flag');
}

// ── the rows ──

// The opponent's row, as HTML: a dot, what it is, and its name.
const rows = {
  bot: () => `<span class="dot online" id="bot-dot"></span><b>BOT</b><span id="bot-name">${BOT}</span>`,
  you: () => '<span class="dot online"></span>Anonymous<small>1500?</small>',
};
function drawRows() {
  const upper = STAGE.rows === 'swap' && player === 'b' ? 'you' : 'bot';
  by('row-above').innerHTML = rows[upper]();
  by('row-below').innerHTML = rows[upper === 'bot' ? 'you' : 'bot']();
  by('row-below').classList.toggle('other', Boolean(STAGE.otherGround));
  const names = player === 'w' ? ['Anonymous (1500?)', BOT] : [BOT, 'Anonymous (1500?)'];
  by('kind').textContent = '10+5 • Casual • CHESS';
  by('state').textContent = 'Playing right now';
  [by('white').textContent, by('black').textContent] = [`● ${names[0]}`, `○ ${names[1]}`];
  document.title = `Chess • ${names[0].split(' ')[0]} vs ${names[1].split(' ')[0]}`;
}

// ── the game ──

function drawMoves() {
  by('moves').innerHTML = chess.history().slice(-8).map((move) => `<span>${move}</span>`).join('');
  $('.last').removeClass('last');
  const last = chess.history({ verbose: true }).at(-1);
  if (last) $(`[data-square=${last.from}], [data-square=${last.to}]`).addClass('last');
}

// The square at a point, also under a piece that is being dragged.
function squareAt({ clientX, clientY }) {
  const below = document.elementsFromPoint(clientX, clientY);
  return below.map((element) => element.closest('[data-square]')).find(Boolean)?.dataset.square ?? null;
}

function choose(square) {
  $('.chosen').removeClass('chosen');
  chosen = square;
  if (chosen) $(`[data-square=${chosen}]`).addClass('chosen');
}

function play(mover, move) {
  if (result) return false;
  const side = chess.turn();
  const played = chess.move({ promotion: 'q', ...move });
  if (!played) return false;
  plies += 1;
  choose(null);
  if (clock.runs) {
    stopClock();
    clock.left[side] += control.incrementMs;
  }
  drawMoves();
  tell('move', { by: mover, move: played.from + played.to + (played.promotion ?? ''), ...shown() });
  by('offer').classList.remove('shown');
  if (chess.in_checkmate()) over(side === 'w' ? '1-0' : '0-1', `Checkmate • ${side === 'w' ? 'White' : 'Black'} won`, 'mate');
  else if (chess.game_over()) over('1/2-1/2', 'Draw', 'rules');
  else if (plies >= control.startsAtPly) startClock(chess.turn());
  if (plies === staged.offerAtPly) {
    by('offer').classList.add('shown');
    tell('offered', {});
  }
  const end = staged.end;
  if (end && plies === end.atPly) setTimeout(endStaged, end.afterMs ?? 300);
  return true;
}

function endStaged() {
  const { how, by: who } = staged.end;
  const loser = (who ?? 'bot') === 'player' ? player : above();
  const won = loser === 'w' ? ['0-1', 'Black won'] : ['1-0', 'White won'];
  if (how === 'resign') over(won[0], `${loser === 'w' ? 'White' : 'Black'} resigned • ${won[1]}`, how);
  else if (how === 'flag') over(won[0], `Time out • ${won[1]}`, how);
  else if (how === 'draw') over('1/2-1/2', 'Draw by agreement', how);
  else over('*', 'Game aborted', how);
}

function over(score, words, how) {
  if (result) return;
  stopClock();
  drawClocks();
  result = score;
  [by('result').textContent, by('how').textContent, by('state').textContent] = [score, words, words];
  by('during').style.display = 'none';
  by('offer').classList.remove('shown');
  by('after').classList.add('shown');
  if (STAGE.notice === 'over') window.lieOver(number === 1);
  if (STAGE.greys) by('board').style.filter = 'grayscale(1) brightness(.35)';
  if (STAGE.pulses) {
    document.querySelector('[data-square=e8]').animate([{ opacity: 1 }, { opacity: 0.3 }], { duration: 500, direction: 'alternate', iterations: Infinity });
  }
  if (STAGE.banner) {
    by('banner').textContent = words;
    by('banner').classList.add('shown');
  }
  if (STAGE.dialogMs) {
    document.querySelector('#dialog p').textContent = words;
    by('dialog').classList.add('shown');
    setTimeout(() => {
      by('dialog').classList.remove('shown');
      tell('dialog closed', {});
    }, STAGE.dialogMs);
  }
  tell('result', { result, how, words });
}

function tryOwn(from, to) {
  if (!play('player', { from, to })) return false;
  setTimeout(reply, STAGE.delayMs, number);
  return true;
}

function reply(inGame) {
  const moves = chess.moves({ verbose: true });
  if (result || inGame !== number || moves.length === 0) return;
  if (staged.end && plies >= staged.end.atPly) return;
  const next = staged.replies?.[Math.floor(plies / 2)];
  const { from, to, promotion } = next
    ? { from: next.slice(0, 2), to: next.slice(2, 4), promotion: next[4] }
    : moves[random(moves.length)];
  play('bot', { from, to, promotion });
  board.position(chess.fen());
}

function begin() {
  number += 1;
  if (number > 1) player = above();
  staged = STAGE.games[Math.min(number, STAGE.games.length) - 1];
  [chess, plies, result] = [new Chess(), 0, null];
  choose(null);
  stopClock();
  clock.left = { w: control.initialMs, b: control.initialMs };
  by('banner').classList.remove('shown');
  by('after').classList.remove('shown');
  by('board').style.filter = '';
  by('during').style.display = '';
  drawRows();
  drawClocks();
  board.orientation(player === 'w' ? 'white' : 'black');
  board.position(chess.fen(), false);
  drawMoves();
  if (control.startsAtPly === 0) startClock('w');
  tell('game', { player: player === 'w' ? 'white' : 'black' });
  if (player === 'b') setTimeout(reply, STAGE.delayMs, number);
}

// The board takes what room there is; nothing else changes its size.
function fit() {
  const room = Math.min(innerHeight - 120, innerWidth - 490);
  by('board').style.width = `${Math.floor(room / 8) * 8 + 1}px`;
  by('column').style.height = `${Math.floor(room / 8) * 8}px`;
}
fit();

const board = window.board = Chessboard('board', {
  draggable: true,
  showNotation: false,
  position: 'start',
  pieceTheme: pieceImage,
  moveSpeed: 150,
  snapbackSpeed: 60,
  snapSpeed: 30,
  onDragStart: (_source, piece) => !result && chess.turn() === player && piece[0] === player,
  onDrop: (from, to) => {
    if (from === to) {
      choose(chosen === from ? null : from);
      return 'snapback';
    }
    if (to === 'offboard') return 'snapback';
    if (tryOwn(from, to)) return undefined;
    tell('refused', { move: from + to, over: Boolean(result) });
    return 'snapback';
  },
  // What castling, en passant and promotion change beside the piece that was dragged.
  onSnapEnd: () => board.position(chess.fen(), false),
});
addEventListener('resize', () => {
  fit();
  board.resize();
  drawMoves();
});

const on = ({ target }) => target.closest('button')?.id ?? null;
addEventListener('mousedown', (event) => tell('down', { square: squareAt(event), button: on(event) }), { capture: true });
addEventListener('mouseup', (event) => tell('up', { square: squareAt(event), button: on(event) }), { capture: true });
// A press on another square moves the chosen piece there, or drops the choice.
addEventListener('mousedown', (event) => {
  const square = squareAt(event);
  const from = chosen;
  if (!from || square === from) return;
  if (square && tryOwn(from, square)) board.position(chess.fen());
  else choose(null);
});
by('rematch').addEventListener('click', () => {
  tell('rematch', {});
  setTimeout(begin, STAGE.beginsAfterMs ?? 200);
});
by('accept').addEventListener('click', () => over('1/2-1/2', 'Draw by agreement', 'draw'));
by('decline').addEventListener('click', () => by('offer').classList.remove('shown'));

begin();
setInterval(drawClocks, 50);
if (STAGE.logClocksMs) setInterval(window.logClocks, STAGE.logClocksMs);
// The opponent's connection comes and goes.
if (STAGE.dotMs) setInterval(() => by('bot-dot').classList.toggle('online'), STAGE.dotMs);
