// A board for mouse, fingers and keyboard: chessground, with a cursor that the arrow keys move.

import { Chessground } from "./vendor/chessground/chessground.min.js";
import { PromotionDialog } from "./promotion.js";

const ANIMATION_MS = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 200;
const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

export class LessonBoard {
  // Set by the user of this class: a move as UCI, a square that was clicked.
  onMove = (_uci) => {};
  onClick = (_square) => {};

  #element;
  #says;
  #ground;
  #promotion = new PromotionDialog();
  #view = null;
  #cursor = null;
  #taken = null;
  #flash = new Map();

  constructor(element, says) {
    this.#element = element;
    this.#says = says;
    this.#ground = Chessground(element, {
      animation: { enabled: true, duration: ANIMATION_MS },
      disableContextMenu: true,
      drawable: { enabled: false },
      premovable: { enabled: false },
      movable: { free: false, showDests: true, events: { after: (from, to) => this.#moved(from, to) } },
    });
    element.addEventListener("click", (event) => this.#clicked(event));
    element.addEventListener("keydown", (event) => this.#pressed(event));
    element.addEventListener("blur", () => this.#setCursor(null));
    new ResizeObserver(() => this.#ground.redrawAll()).observe(element);
  }

  // `view` as the server's view.rs has it.
  show(view) {
    const anew = this.#view === null;
    this.#view = view;
    this.#promotion.close();
    this.#taken = null;
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
    if (this.#taken) add(this.#taken, "taken");
    if (this.#cursor) add(this.#cursor, "cursor");
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

  #pressed(event) {
    if (this.#promotion.isOpen) {
      if (event.key === "Escape") this.restore();
      return;
    }
    const turned = this.#ground.state.orientation === "black" ? -1 : 1;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (step) {
      event.preventDefault();
      const [file, rank] = this.#cursor ? [this.#cursor.charCodeAt(0) - 97, Number(this.#cursor[1]) - 1] : [4, 3];
      const kept = (number) => Math.min(7, Math.max(0, number));
      const next = this.#cursor ? [kept(file + turned * step[0]), kept(rank + turned * step[1])] : [file, rank];
      this.#setCursor(String.fromCharCode(97 + next[0]) + (next[1] + 1));
    } else if ((event.key === "Enter" || event.key === " ") && this.#cursor) {
      event.preventDefault();
      this.#choose(this.#cursor);
    } else if (event.key === "Escape") {
      this.#taken = null;
      this.#ground.selectSquare(null);
      this.#mark();
    }
  }

  #choose(square) {
    if (!this.#view || this.#view.finished) return;
    if (this.#view.does === "click") return this.onClick(square);
    if (this.#view.does !== "move") return;
    const own = this.#ground.state.pieces.get(square)?.color === this.#view.bottom;
    if (this.#taken && this.#taken !== square && !own) {
      const from = this.#taken;
      this.#taken = null;
      this.#ground.selectSquare(null);
      // The server says why a move is none; a promotion asks for its piece first.
      if (this.#view.dests[from]?.includes(square)) {
        this.#ground.move(from, square);
        this.#moved(from, square);
        this.#element.querySelector("#promotion button")?.focus();
      } else {
        this.onMove(from + square);
      }
      return;
    }
    this.#taken = own && this.#taken !== square ? square : null;
    this.#ground.selectSquare(this.#taken);
    this.#mark();
    this.#says.textContent = this.#taken ? `${this.#name(square)} taken` : "Put down";
  }

  #setCursor(square) {
    this.#cursor = square;
    this.#mark();
    if (square) this.#says.textContent = this.#name(square);
  }

  #name(square) {
    const piece = this.#ground.state.pieces.get(square);
    return piece ? `${square}, ${piece.color} ${NAMES[piece.role[0] === "k" && piece.role === "knight" ? "n" : piece.role[0]]}` : square;
  }
}
