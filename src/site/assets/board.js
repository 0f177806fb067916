// The board: chessground, shown the server's state, asking for a promotion's piece where a move needs one.

import { Chessground } from "./vendor/chessground/chessground.min.js";
import { PromotionDialog } from "./promotion.js";

const ANIMATION_MS = 200;

export class Board {
  // Set by the user of this class; called with a move as UCI.
  onMove = (_uci) => {};

  #ground;
  #promotion = new PromotionDialog();
  #state = null;

  constructor(element) {
    this.#ground = Chessground(element, {
      animation: { enabled: true, duration: ANIMATION_MS },
      movable: { free: false, color: undefined, events: { after: (...move) => this.#moved(...move) } },
    });
  }

  // What else draws on the board, or leads over it, asks chessground itself.
  get ground() {
    return this.#ground;
  }

  // `anew` draws the board without animation and turns it to the player's side.
  show(state, anew) {
    this.#state = state;
    this.#promotion.close();
    if (anew || state.result) this.#ground.cancelMove();
    const last = state.moves.at(-1)?.uci;
    this.#ground.set({
      ...(anew && { orientation: state.player }),
      animation: { enabled: !anew },
      fen: state.fen.split(" ")[0],
      turnColor: state.turn,
      check: state.check,
      lastMove: last ? [last.slice(0, 2), last.slice(2, 4)] : undefined,
      movable: {
        color: state.result ? undefined : state.player,
        dests: new Map(Object.entries(state.dests)),
      },
    });
    this.#ground.set({ animation: { enabled: true } });
    if (!state.result && state.turn === state.player) this.#ground.playPremove();
  }

  flip() {
    this.#cancelPromotion();
    this.#ground.toggleOrientation();
  }

  // Whether any piece moves or fades in the animation frame of this time, or is held by the mouse.
  isMoving(frameTime) {
    const { animation, draggable } = this.#ground.state;
    const current = animation.current;
    // chessground ends the animation in this same frame, perhaps after we were asked.
    const animated = current !== undefined && (frameTime - current.start) * current.frequency < 1;
    return animated || draggable.current?.started === true;
  }

  // The square under a point of the page, or null.
  squareAt(x, y) {
    return this.#ground.getKeyAtDomPos([x, y]) ?? null;
  }

  #moved(from, to, { premove, captured }) {
    const piece = this.#ground.state.pieces.get(to);
    if (piece?.role !== "pawn") return this.onMove(from + to);
    if (from[0] !== to[0] && !captured) {
      const taken = to[0] + from[1];
      this.#ground.setPieces(new Map([[taken, undefined]]));
    }
    if (to[1] !== "1" && to[1] !== "8") return this.onMove(from + to);
    if (premove) return this.#promote(from, to, "queen");
    const { dom, orientation } = this.#ground.state;
    this.#promotion.open(dom.elements.container, to, piece.color, orientation, {
      onChoice: (role) => this.#promote(from, to, role),
      onCancel: () => this.#cancelPromotion(),
    });
  }

  #promote(from, to, role) {
    const { color } = this.#ground.state.pieces.get(to);
    this.#ground.setPieces(new Map([[to, { color, role, promoted: true }]]));
    this.onMove(from + to + (role === "knight" ? "n" : role[0]));
  }

  // Takes the pawn back to where it came from.
  #cancelPromotion() {
    if (!this.#promotion.isOpen) return;
    this.#promotion.close();
    this.show(this.#state, false);
  }
}
