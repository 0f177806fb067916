// A board on which a position is set up, by mouse, fingers or keyboard. What the rules say to it is the server's business.

import { BoardKeys } from "/keys.js";
import { Chessground } from "/vendor/chessground/chessground.min.js";

export const USUAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

const at = (id) => document.getElementById(id);
const ROLES = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
// Each right to castle, with the squares on which king and rook must stand for it.
const RIGHTS = [
  ["K", "e1", "h1"],
  ["Q", "e1", "a1"],
  ["k", "e8", "h8"],
  ["q", "e8", "a8"],
];
// En passant and the counters, where nothing is known of them.
const NO_PAST = "- 0 1";

// The man that a FEN's letter stands for.
function manOf(letter) {
  const role = ROLES[letter.toLowerCase()];
  return role && { role, color: letter === letter.toUpperCase() ? "white" : "black" };
}

export class Editor {
  // Set by the user of this class; called with the FEN when something was changed here.
  onChange = (_fen) => {};

  #ground;
  #keys;
  #past = NO_PAST;

  constructor() {
    this.#ground = Chessground(at("setup-board"), {
      animation: { enabled: false },
      autoCastle: false,
      disableContextMenu: true,
      drawable: { enabled: false },
      draggable: { deleteOnDropOff: true },
      highlight: { lastMove: false, check: false },
      premovable: { enabled: false },
      movable: { free: true, color: "both", showDests: false },
      events: { change: () => this.#changed() },
    });
    this.#keys = new BoardKeys(at("setup-board"), at("setup-says"), this.#ground);
    this.#keys.onChange = () => this.#mark();
    this.#keys.onEnter = (square) => this.#use(square);
    at("setup-board").addEventListener("keydown", (event) => this.#typed(event));
    at("setup-board").addEventListener("pointerdown", (event) => {
      const square = this.#ground.getKeyAtDomPos([event.clientX, event.clientY]);
      if (event.button === 0 && square) this.#use(square);
    });
    for (const input of this.#brushes()) this.#prepare(input);
    at("clear").onclick = () => this.#set(`8/8/8/8/8/8/8/8 w - ${NO_PAST}`);
    at("usual").onclick = () => this.#set(USUAL);
    at("turn").onclick = () => this.#ground.toggleOrientation();
    at("mover").onchange = at("castling").onchange = (event) => {
      event.stopPropagation();
      this.#changed();
    };
    new ResizeObserver(() => this.#ground.redrawAll()).observe(at("setup-board"));
  }

  // Shows a position: nobody is told.
  show(fen) {
    const [men, turn = "w", rights = "-", ...past] = fen.trim().split(/\s+/);
    this.#ground.set({ fen: men });
    this.#past = past.length === 3 ? past.join(" ") : NO_PAST;
    at("mover").querySelector(`[value="${turn === "b" ? "b" : "w"}"]`).checked = true;
    for (const [right] of RIGHTS) this.#right(right).checked = rights.includes(right);
    this.#drawRights();
  }

  #set(fen) {
    this.show(fen);
    this.onChange(this.#fen());
  }

  #changed() {
    this.#past = NO_PAST;
    this.#drawRights();
    this.onChange(this.#fen());
  }

  #fen() {
    const turn = at("mover").querySelector(":checked").value;
    const rights = RIGHTS.map(([right]) => right).filter((right) => this.#right(right).checked && !this.#right(right).disabled);
    return `${this.#ground.getFen()} ${turn} ${rights.join("") || "-"} ${this.#past}`;
  }

  // Who may castle can be said where king and rook stand at home.
  #drawRights() {
    const stands = (square, letter) => {
      const man = this.#ground.state.pieces.get(square);
      const wanted = manOf(letter);
      return man?.role === wanted.role && man.color === wanted.color;
    };
    for (const [right, king, rook] of RIGHTS) {
      const [k, r] = right === right.toUpperCase() ? ["K", "R"] : ["k", "r"];
      this.#right(right).disabled = !(stands(king, k) && stands(rook, r));
    }
  }

  #right(right) {
    return at("castling").querySelector(`[value="${right}"]`);
  }

  #brushes() {
    return at("men").querySelectorAll("input");
  }

  // What a click on the board does: "move", "remove", or a man's letter.
  #brush() {
    return at("men").querySelector(":checked").value;
  }

  // A man can also be dragged from the row to the board.
  #prepare(input) {
    const man = manOf(input.value);
    input.onchange = (event) => {
      event.stopPropagation();
      this.#ground.selectSquare(null);
      this.#ground.set({ movable: { color: this.#brush() === "move" ? "both" : undefined } });
    };
    if (!man) return;
    const drag = (event) => {
      input.checked = true;
      input.onchange(event);
      this.#ground.dragNewPiece(man, event, true);
    };
    input.parentElement.addEventListener("mousedown", (event) => event.button === 0 && drag(event));
    input.parentElement.addEventListener("touchstart", drag, { passive: true });
  }

  // Returns whether the square was used up; else its man is to be moved.
  #use(square) {
    const brush = this.#brush();
    if (brush === "move") return false;
    const man = manOf(brush);
    const there = this.#ground.state.pieces.get(square);
    const same = man && there?.role === man.role && there.color === man.color;
    this.#put(square, same ? undefined : man);
    return true;
  }

  #put(square, man) {
    this.#ground.setPieces(new Map([[square, man]]));
    this.#keys.say(this.#keys.told(square));
    this.#changed();
  }

  #typed(event) {
    const square = this.#keys.cursor;
    if (square === null || event.ctrlKey || event.altKey || event.metaKey) return;
    const removes = event.key === "Delete" || event.key === "Backspace";
    const man = event.key.length === 1 ? manOf(event.key) : undefined;
    if (!removes && !man) return;
    event.preventDefault();
    this.#put(square, man);
  }

  #mark() {
    const { cursor } = this.#keys;
    this.#ground.set({ highlight: { custom: new Map(cursor ? [[cursor, "cursor"]] : []) } });
  }
}
