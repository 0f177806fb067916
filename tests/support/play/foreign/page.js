// The page: a human side to drag or click for, and a bot that replies. `STAGE` says what it is to do, tests put it in:
// {player, bottom, replies, seed, delayMs, renameAtPly, spoilAtPly, spoil: 'off' | 'swap' | 'leap', ignoreDrops, takeBackAtPly, takeBackAfterMs, wantsClaims,
// waitsForTransitions, clicksOnly, shows: 'piece' | 'targets' | 'ghosts' | 'nothing', oneColor, lights, motionsLost,
// pollsMs, pressesLateMs, busyMs, castlesOntoRook}.
// With `lights` the square under the pointer is lit, its piece too.
// With `waitsForTransitions` a piece that was dropped on its square's very middle cannot be dragged again, as with chessboard-element 1.2.0: that waits
// for a transition to the middle, and none comes.
// With `clicksOnly` a press selects a piece, another one on it takes that back, one on an empty square changes nothing, and nothing is dragged.
// `shows` is where a selection is to be seen, with 'ghosts' as GNOME Chess does: the piece grows, and stands faintly on its targets; with `oneColor` the board has no chequer.
// With `motionsLost` the page has nothing of the first so many motions of a drag, as where the browser's own drag and drop begins with them.
// With `pollsMs` a press selects or moves so much later, and where the pointer is then: as in programs that ask for it when they get to a click.
// With `pressesLateMs` the page has a press so much later, and where the pointer is then: as in programs that look at the mouse once a frame.
// With `busyMs` the page stands still for so long at each press and each release before it takes them in.
// The bot plays `replies` in order, as UCI moves, and then at random. Where the page wants claims, a third repetition ends nothing.
// `report` (the test's) is told of every move, refusal and press.
const NAME = 'Gwendolyn the Robot';
const OTHER_NAME = 'Gwendolin the Robot';

const game = new Chess();
const player = STAGE.player[0];
let plies = 0;
let chosen = null;
let dropsToIgnore = STAGE.ignoreDrops || 0;
let seed = STAGE.seed || 1;
let waiting = null;

const over = () => (STAGE.wantsClaims ? game.in_checkmate() || game.in_stalemate() : game.game_over());

const tell = (type, more) => report({ type, t_ms: Date.now(), fen: game.fen(), plies, ...more });

// Park and Miller's generator: games can be repeated.
const random = (below) => (seed = (seed * 48271) % 2147483647) % below;

// The square at a point, also under a piece that is being dragged.
function squareAt({ clientX, clientY }) {
  const below = document.elementsFromPoint(clientX, clientY);
  return below.map((element) => element.closest('[data-square]')).find(Boolean)?.dataset.square ?? null;
}

function choose(square) {
  $('.chosen').removeClass('chosen');
  $('.grown').removeClass('grown');
  $('.ghost').remove();
  chosen = square;
  if (!chosen) return;
  const on = (shown) => $(`[data-square=${shown}]`);
  const targets = game.moves({ square: chosen, verbose: true }).map(({ to }) => on(to));
  const shows = STAGE.shows ?? 'piece';
  if (shows === 'piece') on(chosen).addClass('chosen');
  if (shows === 'targets') targets.forEach((target) => target.addClass('chosen'));
  if (shows === 'ghosts') {
    const picture = on(chosen).addClass('grown').find('img').attr('src');
    targets.forEach((target) => target.append($('<img class="ghost">').attr('src', picture)));
  }
}

// Where a king goes: with `castlesOntoRook` it castles where it is put onto its own rook, and no other way.
function castled({ from, to }) {
  const [mover, there] = [game.get(from), game.get(to)];
  const isOntoRook = mover?.type === 'k' && there?.type === 'r' && there.color === mover.color;
  return isOntoRook ? (to > from ? 'g' : 'c') + from[1] : to;
}

function play(by, move) {
  const to = STAGE.castlesOntoRook && by === 'player' ? castled(move) : move.to;
  const isTwoSquares = game.get(move.from)?.type === 'k' && Math.abs(move.from.charCodeAt(0) - move.to.charCodeAt(0)) === 2;
  if (STAGE.castlesOntoRook && by === 'player' && to === move.to && isTwoSquares) return false;
  const played = game.move({ promotion: 'q', ...move, to });
  if (!played) return false;
  plies += 1;
  choose(null);
  tell('move', { by, move: played.from + played.to + (played.promotion ?? '') });
  if (over()) tell('result', {});
  return true;
}

const replyLater = () => setTimeout(reply, STAGE.delayMs);

function reply() {
  const moves = game.moves({ verbose: true });
  if (moves.length === 0) return;
  const staged = STAGE.replies?.shift();
  const { from, to, promotion } = staged
    ? { from: staged.slice(0, 2), to: staged.slice(2, 4), promotion: staged[4] }
    : moves[random(moves.length)];
  play('bot', { from, to, promotion });
  if (plies === STAGE.takeBackAtPly) setTimeout(takeBack, STAGE.takeBackAfterMs);
  if (plies >= STAGE.renameAtPly) rename();
  if (plies >= STAGE.spoilAtPly) spoil();
  else board.position(game.fen());
}

function rename() {
  if (document.querySelector('#opponent b').textContent === OTHER_NAME) return;
  document.querySelector('#opponent b').textContent = OTHER_NAME;
  tell('renamed', {});
}

// The bot takes its last move and ours back, once.
function takeBack() {
  delete STAGE.takeBackAtPly;
  game.undo();
  game.undo();
  plies -= 2;
  board.position(game.fen());
  tell('takenback', {});
}

// The board does not show the game any more.
function spoil() {
  board.position(game.fen(), false);
  const shown = board.position();
  const of = (code) => Object.keys(shown).find((square) => shown[square] === code);
  const [rook, king, queen] = ['R', 'K', 'Q'].map((role) => of(player + role));
  if (STAGE.spoil === 'off') {
    delete shown[rook];
  } else if (STAGE.spoil === 'swap') {
    [shown[king], shown[queen]] = [shown[queen], shown[king]];
  } else {
    // A bishop of the bot leaps over its own pawns.
    const bot = player === 'w' ? 'b' : 'w';
    delete shown[of(bot + 'B')];
    shown[shown.h4 ? 'h5' : 'h4'] = bot + 'B';
  }
  board.position(shown, false);
  tell('spoiled', {});
}

const board = Chessboard('board', {
  draggable: true,
  position: 'start',
  orientation: STAGE.bottom ?? STAGE.player,
  pieceTheme: pieceImage,
  moveSpeed: 200,
  snapbackSpeed: 60,
  snapSpeed: 30,
  onDragStart: (source, piece) =>
    !STAGE.clicksOnly && source !== waiting && !over() && game.turn() === player && piece[0] === player,
  onDrop: (from, to) => {
    if (from === to && STAGE.motionsLost) return 'snapback';
    if (from === to) {
      choose(chosen === from ? null : from);
      return 'snapback';
    }
    if (to === 'offboard') return 'snapback';
    if (dropsToIgnore > 0) {
      dropsToIgnore -= 1;
      tell('ignored', { move: from + to });
      return 'snapback';
    }
    if (play('player', { from, to })) return undefined;
    tell('refused', { move: from + to });
    return 'snapback';
  },
  onSnapEnd: () => {
    // What castling, en passant and promotion change beside the piece that was dragged.
    board.position(game.fen(), false);
    // From here, not from the drop: on a slow machine the snap would end after the reply, and put a spoiled board right.
    replyLater();
  },
});

if (STAGE.lights) {
  addEventListener('mousemove', (event) => {
    const square = squareAt(event);
    $('.lit').removeClass('lit');
    if (square) $(`[data-square=${square}]`).addClass('lit');
  });
}
if (STAGE.busyMs) {
  const standStill = () => {
    const until = performance.now() + STAGE.busyMs;
    while (performance.now() < until);
  };
  for (const type of ['mousedown', 'mouseup']) addEventListener(type, standStill, { capture: true });
}
let [pressed, motions] = [null, 0];
if (STAGE.motionsLost) {
  addEventListener('mousedown', (event) => ([pressed, motions] = [event, 0]), { capture: true });
  addEventListener(
    'mousemove',
    (event) => {
      if (pressed && motions++ < STAGE.motionsLost) event.stopImmediatePropagation();
    },
    { capture: true },
  );
  addEventListener(
    'mouseup',
    (event) => {
      const lost = pressed && motions <= STAGE.motionsLost;
      const { clientX, clientY } = pressed ?? event;
      pressed = null;
      if (!lost) return;
      // The page takes it for a release where the button was pressed.
      event.stopImmediatePropagation();
      event.target.dispatchEvent(new MouseEvent('mouseup', { bubbles: true, clientX, clientY }));
    },
    { capture: true },
  );
}
let pointer = null;
for (const type of ['mousemove', 'mousedown']) addEventListener(type, (event) => (pointer = event), { capture: true });
if (STAGE.pressesLateMs) {
  addEventListener(
    'mousedown',
    (event) => {
      if (!event.isTrusted) return;
      event.stopImmediatePropagation();
      // Or the browser drags the piece's picture by itself.
      event.preventDefault();
      tell('down', { square: squareAt(event) });
      setTimeout(() => {
        const { clientX, clientY } = pointer;
        const press = new MouseEvent('mousedown', { bubbles: true, clientX, clientY });
        document.elementFromPoint(clientX, clientY).dispatchEvent(press);
      }, STAGE.pressesLateMs);
    },
    { capture: true },
  );
}
if (STAGE.waitsForTransitions) {
  addEventListener(
    'mouseup',
    ({ clientX, clientY }) => {
      const square = squareAt({ clientX, clientY });
      const { left, top, width, height } = document.querySelector(`[data-square=${square}]`)?.getBoundingClientRect() ?? {};
      const [x, y] = [clientX - left - width / 2, clientY - top - height / 2];
      if (Math.max(Math.abs(x), Math.abs(y)) < 1) waiting = square;
    },
    { capture: true },
  );
}
addEventListener('mousedown', (event) => event.isTrusted && tell('down', { square: squareAt(event) }), { capture: true });
addEventListener('mouseup', (event) => tell('up', { square: squareAt(event) }), { capture: true });
// A press on another square moves the chosen piece there, or drops the choice.
const takePress = (square) => {
  const from = chosen;
  const castles = STAGE.castlesOntoRook && from && castled({ from, to: square ?? from }) !== square;
  if (STAGE.clicksOnly && !castles && square && game.get(square)?.color === player && game.turn() === player)
    return choose(from === square ? null : square);
  if (!from || square === from) return;
  if (square && play('player', { from, to: square })) {
    board.position(game.fen());
    replyLater();
  } else if (!STAGE.clicksOnly) choose(null);
};
addEventListener('mousedown', (event) => {
  if (STAGE.pollsMs) setTimeout(() => takePress(squareAt(pointer)), STAGE.pollsMs);
  else takePress(squareAt(event));
});

if (STAGE.oneColor) $('.white-1e1d7, .black-3c85d').css('background-color', '#b9c7ae');
document.querySelector('#opponent b').textContent = NAME;
const began = Date.now();
setInterval(() => {
  const left = Math.max(0, 900 - (Date.now() - began) / 1000);
  document.querySelector('#clock').textContent = `${Math.floor(left / 60)}:${(left % 60).toFixed(1).padStart(4, '0')}`;
}, 100);
if (player === 'b') replyLater();
