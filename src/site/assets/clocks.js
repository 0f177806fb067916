// Both clocks, counting along with the server's between its messages.

const TICK_MS = 50;
const TENTHS_BELOW_MS = 10_000;
const LOW_BELOW_MS = 30_000;

// 14:59, 1:00:00, and 0:09.4 in the last seconds.
function text(ms) {
  const two = (number) => String(number).padStart(2, "0");
  if (ms < TENTHS_BELOW_MS) {
    const tenths = Math.floor(ms / 100);
    return `0:0${Math.floor(tenths / 10)}.${tenths % 10}`;
  }
  const seconds = Math.floor(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return (hours > 0 ? `${hours}:${two(minutes)}` : `${minutes}`) + `:${two(seconds % 60)}`;
}

export class Clocks {
  #elements;
  #clock = null;
  #receivedAt = 0;

  constructor(botElement, playerElement) {
    this.#elements = { bot: botElement, player: playerElement };
    setInterval(() => this.#draw(), TICK_MS);
  }

  show(state) {
    const bot = state.player === "white" ? "black" : "white";
    this.#clock = { ...state.clock, colors: { bot, player: state.player } };
    this.#receivedAt = performance.now();
    this.#draw();
  }

  #draw() {
    if (this.#clock === null) return;
    const passed = performance.now() - this.#receivedAt;
    for (const [who, element] of Object.entries(this.#elements)) {
      const color = this.#clock.colors[who];
      const runs = this.#clock.running === color;
      const left = Math.max(0, this.#clock[`${color}_ms`] - (runs ? passed : 0));
      const shown = text(left);
      if (element.textContent !== shown) element.textContent = shown;
      element.classList.toggle("running", runs);
      element.classList.toggle("low", left < LOW_BELOW_MS);
    }
  }
}
