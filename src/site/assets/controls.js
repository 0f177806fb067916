// What the player can ask for beside moves.

const RESIGN_CONFIRM_MS = 3000;

export class Controls {
  // Set by the user of this class.
  onFlip = () => {};
  onResign = () => {};
  // `opponent` is { level } or { bot }, as the server wants it.
  onNewGame = (_color, _opponent) => {};

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
      this.onNewGame(form.elements.color.value, JSON.parse(form.elements.opponent.value));
    };
  }

  // `anew` also sets the next game's choices to this game's.
  show(state, anew) {
    this.#resign.disabled = state.result !== null;
    const { opponent, color } = this.#form.elements;
    if (opponent.options.length !== state.levels + state.bots.length) this.#offer(opponent, state);
    if (anew) {
      opponent.value = JSON.stringify(state.level === null ? { bot: state.bot } : { level: state.level });
      color.value = state.player;
    }
  }

  // The engines by name, and the levels; without engines a level's number says enough.
  #offer(select, { levels, bots }) {
    const option = (text, choice) => new Option(text, JSON.stringify(choice));
    const numbers = Array.from({ length: levels }, (_, index) => index + 1);
    const words = bots.length > 0 ? "Level " : "";
    select.replaceChildren(
      ...bots.map((bot) => option(bot, { bot })),
      ...numbers.map((level) => option(words + level, { level })),
    );
    this.#form.querySelector("#choice-label").textContent = bots.length > 0 ? "Opponent" : "Level";
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
