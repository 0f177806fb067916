// What this browser keeps of its user's wishes.

const KEPT = "torres-settings";
const USUAL = { sounds: true, volume: 60, evaluation: false };

export class Settings {
  #values = { ...USUAL };
  // Set by the user of this class; called when something was changed.
  onChange = () => {};

  constructor() {
    try {
      Object.assign(this.#values, JSON.parse(localStorage.getItem(KEPT) ?? "{}"));
    } catch {
      // What cannot be read is as if it were not there.
    }
  }

  get(name) {
    return this.#values[name];
  }

  set(name, value) {
    this.#values[name] = value;
    localStorage.setItem(KEPT, JSON.stringify(this.#values));
    this.onChange();
  }
}
