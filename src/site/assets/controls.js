// What the player can ask for beside moves.

const RESIGN_CONFIRM_MS = 3000;

export class Controls {
  // Set by the user of this class.
  onFlip = () => {};
  onResign = () => {};
  onNewGame = (_color, _level) => {};

  #form;
  #resign;
  #disarm = null;

  constructor(form, flip, resign) {
    this.#form = form;
    this.#resign = resign;
    flip.onclick = () => this.onFlip();
    resign.onclick = () => this.#resignClicked();
    form.onsubmit = (event) => {
      event.preventDefault();
      this.onNewGame(form.elements.color.value, Number(form.elements.level.value));
    };
  }

  // `anew` also sets the next game's choices to this game's.
  show(state, anew) {
    this.#resign.disabled = state.result !== null;
    const { level, color } = this.#form.elements;
    if (level.options.length !== state.levels) {
      const numbers = Array.from({ length: state.levels }, (_, index) => index + 1);
      level.replaceChildren(...numbers.map((number) => new Option(String(number), String(number))));
    }
    if (anew) {
      level.value = String(state.level);
      color.value = state.player;
    }
  }

  // Giving up takes a second click.
  #resignClicked() {
    if (this.#disarm !== null) {
      this.#calm();
      this.onResign();
      return;
    }
    this.#resign.textContent = "Sure?";
    this.#resign.classList.add("armed");
    this.#disarm = setTimeout(() => this.#calm(), RESIGN_CONFIRM_MS);
  }

  #calm() {
    clearTimeout(this.#disarm);
    this.#disarm = null;
    this.#resign.textContent = "Resign";
    this.#resign.classList.remove("armed");
  }
}
