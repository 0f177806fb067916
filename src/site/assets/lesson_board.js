// A board for mouse, fingers and keyboard: chessground, with a cursor that the arrow keys move.

import { Chessground } from "./vendor/chessground/chessground.min.js";
import { BoardKeys } from "./keys.js";
import { PromotionDialog } from "./promotion.js";

const ANIMATION_MS = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 200;

export class LessonBoard {
  // Set by the user of this class: a move as UCI, a square that was clicked.
  onMove = (_uci) => {};
  onClick = (_square) => {};

  #ground;
  #keys;
  #promotion = new PromotionDialog();
  #view = null;
  #flash = new Map();

  constructor(element, says) {
    this.#ground = Chessground(element, {
      animation: { enabled: true, duration: ANIMATION_MS },
      disableContextMenu: true,
      drawable: { enabled: false },
      premovable: { enabled: false },
      movable: { free: false, showDests: true, events: { after: (from, to) => this.#moved(from, to) } },
    });
    element.addEventListener("click", (event) => this.#clicked(event));
    this.#keys = new BoardKeys(element, says, this.#ground);
    this.#keys.onChange = () => this.#mark();
    this.#keys.onEnter = (square) => this.#entered(square);
    new ResizeObserver(() => this.#ground.redrawAll()).observe(element);
  }

  // `view` as the server's view.rs has it.
  show(view) {
    const anew = this.#view === null;
    this.#view = view;
    this.#promotion.close();
    this.#ground.selectSquare(null);
    const moves = view.does === "move" && !view.finished;
    this.#ground.set({
      animation: { enabled: !anew },
      fen: view.fen,
      orientation: view.bottom,
      turnColor: view.turn,
      check: view.check ? view.turn : false,
      lastMove: view.last ?? undefined,
      viewOnly: !moves,
      movable: { color: moves ? view.bottom : undefined, dests: new Map(Object.entries(view.dests)) },
      drawable: {
        autoShapes: view.arrows.map(([orig, dest]) => ({ orig, dest, brush: "blue" })),
      },
    });
    this.#ground.set({ animation: { enabled: true } });
    this.#flash.clear();
    this.#mark();
  }

  // Marks a square as right or wrong until the next view.
  flash(square, kind) {
    this.#flash = new Map([[square, kind]]);
    this.#mark();
  }

  // What moved since must not stay as it is: the server's last word is shown.
  restore() {
    if (this.#view) this.show(this.#view);
  }

  #mark() {
    const marks = new Map();
    const add = (square, kind) => marks.set(square, `${marks.get(square) ?? ""} ${kind}`.trim());
    for (const square of this.#view?.squares ?? []) add(square, "hinted");
    for (const square of this.#view?.clicked ?? []) add(square, "found");
    for (const [square, kind] of this.#flash) add(square, kind);
    if (this.#keys.cursor) add(this.#keys.cursor, "cursor");
    this.#ground.set({ highlight: { custom: marks } });
  }

  #moved(from, to) {
    const piece = this.#ground.state.pieces.get(to);
    const last = to[1] === "1" || to[1] === "8";
    if (piece?.role !== "pawn" || !last) return this.onMove(from + to);
    const { dom, orientation } = this.#ground.state;
    this.#promotion.open(dom.elements.container, to, piece.color, orientation, {
      onChoice: (role) => this.onMove(from + to + (role === "knight" ? "n" : role[0])),
      onCancel: () => this.restore(),
    });
  }

  #clicked(event) {
    if (this.#view?.does !== "click" || this.#view.finished || this.#promotion.isOpen) return;
    const square = this.#ground.getKeyAtDomPos([event.clientX, event.clientY]);
    if (square) this.onClick(square);
  }

  // Whether that was all that Enter means here. A move that is none is sent too: the server says why.
  #entered(square) {
    const view = this.#view;
    if (!view || view.finished || view.does === "answer") return true;
    if (view.does === "click") {
      this.onClick(square);
      return true;
    }
    const taken = this.#ground.state.selected;
    const own = this.#ground.state.pieces.get(square)?.color === view.bottom;
    if (!taken || own || view.dests[taken]?.includes(square)) return false;
    this.#ground.selectSquare(null);
    this.onMove(taken + square);
    return true;
  }
}
