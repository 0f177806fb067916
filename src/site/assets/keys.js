// The keyboard's way to play on a board of chessground: arrow keys lead a cursor from square to square, Enter takes a piece and puts it
// down, Escape lets it go. Whoever cannot see the board is told what stands on each square.

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const FIRST = "e4";

const place = (square) => [square.charCodeAt(0) - 97, Number(square[1]) - 1];
const kept = (number) => Math.min(7, Math.max(0, number));

export class BoardKeys {
  // Set by the user of this class: called when the cursor has moved or what it holds has changed.
  onChange = () => {};
  // Enter on a square; returns whether that was all that it meant.
  onEnter = (_square) => false;
  // A move from one square to another that is not legal.
  onIllegal = (_from, _to) => {};
  // The square under the cursor; null while the board has no focus.
  cursor = null;

  #ground;
  #says;
  // Where it was when the board lost the focus.
  #last = null;

  // `says` is where a screen reader is told.
  constructor(element, says, ground) {
    this.#ground = ground;
    this.#says = says;
    element.addEventListener("keydown", (event) => event.target === element && this.#pressed(event));
    element.addEventListener("focus", () => this.#last && this.#show(this.#last));
    element.addEventListener("blur", () => this.#show(null));
  }

  // What stands on a square, in words.
  told(square) {
    const piece = this.#ground.state.pieces.get(square);
    return piece ? `${square}, ${piece.color} ${piece.role}` : square;
  }

  say(sentence) {
    this.#says.textContent = sentence;
  }

  #pressed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const step = STEPS[event.key];
    if (step) this.#show(this.cursor === null ? (this.#last ?? FIRST) : this.#next(step));
    else if ((event.key === "Enter" || event.key === " ") && this.cursor) this.#enter(this.cursor);
    else if (event.key === "Escape" && this.#ground.state.selected) this.#letGo();
    else return;
    event.preventDefault();
  }

  #next(step) {
    const turned = this.#ground.state.orientation === "black" ? -1 : 1;
    const [file, rank] = place(this.cursor).map((number, axis) => kept(number + turned * step[axis]));
    return String.fromCharCode(97 + file) + (rank + 1);
  }

  #show(square) {
    this.cursor = square;
    if (square) {
      this.#last = square;
      this.say(this.told(square));
    }
    this.onChange();
  }

  #enter(square) {
    if (this.onEnter(square)) return;
    const { state } = this.#ground;
    const taken = state.selected;
    const own = state.pieces.get(square)?.color === state.movable.color;
    // A move that has to wait for its turn, or that may be any, is chessground's to judge.
    const waits = state.movable.free || state.movable.color !== state.turnColor;
    if (state.movable.color === undefined) return this.say("Nothing can be moved now.");
    if (taken === square) return this.#letGo();
    if (taken && !own && !waits && !state.movable.dests?.get(taken)?.includes(square)) {
      this.onIllegal(taken, square);
      return this.say(`It cannot go to ${square}.`);
    }
    this.#ground.selectSquare(square);
    if (state.selected) this.say(`${this.told(square)}, taken. ${this.#ways(square)}`);
    else if (!taken) this.say(`There is nothing to take on ${square}.`);
    this.onChange();
  }

  #ways(square) {
    const { movable } = this.#ground.state;
    if (movable.free) return "";
    const dests = movable.dests?.get(square) ?? [];
    return dests.length === 0 ? "It cannot move now." : `It can go to ${dests.join(", ")}.`;
  }

  #letGo() {
    this.#ground.selectSquare(null);
    this.say("Put down.");
    this.onChange();
  }
}
