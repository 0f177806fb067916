// What the server's log is told of the page: when the board came to rest, and what the mouse did.

// Unix time in ms of a moment on the page's own clock.
const unixMs = (pageTime) => Math.round(Date.now() - (performance.now() - pageTime));

// Reports the first animation frame in which no piece moves any more after a move appeared.
export class RestObserver {
  #board;
  #report;
  #expected = null;
  #polling = false;

  constructor(board, report) {
    this.#board = board;
    this.#report = report;
  }

  // The player moved on the board; the server may still refuse.
  playerMoved(game, ply) {
    this.#expect({ game, ply, fresh: false });
  }

  // The server's position with `ply` moves is about to be shown in place of one with `shownPly`, null for another
  // game's or none.
  positionShown(game, ply, shownPly) {
    const known = this.#expected !== null && this.#expected.game === game && this.#expected.ply === ply;
    if (shownPly === null) this.#expect({ game, ply, fresh: true });
    else if (known) return;
    else this.#expect({ game, ply, fresh: ply <= shownPly });
  }

  #expect(position) {
    this.#expected = position;
    if (this.#polling) return;
    this.#polling = true;
    requestAnimationFrame((time) => this.#poll(time));
  }

  #poll(frameTime) {
    if (this.#board.isMoving(frameTime)) {
      requestAnimationFrame((time) => this.#poll(time));
      return;
    }
    this.#polling = false;
    const { game, ply, fresh } = this.#expected;
    this.#report({ game, ply, fresh, t_ms: unixMs(frameTime) });
  }
}

// Reports every press and release of a mouse button on the page.
export function observePointer(board, report) {
  const observe = (type) => (event) =>
    report({
      t_ms: unixMs(event.timeStamp),
      pointer: {
        type,
        x: event.clientX,
        y: event.clientY,
        screen_x: event.screenX,
        screen_y: event.screenY,
        button: event.button,
        square: board.squareAt(event.clientX, event.clientY),
      },
    });
  window.addEventListener("mousedown", observe("down"), { capture: true });
  window.addEventListener("mouseup", observe("up"), { capture: true });
}
