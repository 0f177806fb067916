// Short sounds, made by the browser itself: wood for moves, tones for what happens.

// Each is a list of [kind, start in s, length in s, frequency in Hz, loudness].
const SOUNDS = {
  move: [["wood", 0, 0.07, 900, 0.7]],
  capture: [["wood", 0, 0.06, 700, 0.9], ["wood", 0.05, 0.09, 420, 0.9]],
  castle: [["wood", 0, 0.07, 900, 0.7], ["wood", 0.13, 0.07, 800, 0.7]],
  check: [["wood", 0, 0.07, 900, 0.7], ["tone", 0.04, 0.16, 880, 0.35]],
  promotion: [["tone", 0, 0.1, 523, 0.35], ["tone", 0.09, 0.1, 659, 0.35], ["tone", 0.18, 0.18, 784, 0.35]],
  start: [["tone", 0, 0.12, 440, 0.3], ["tone", 0.12, 0.2, 660, 0.3]],
  win: [["tone", 0, 0.14, 523, 0.35], ["tone", 0.13, 0.14, 659, 0.35], ["tone", 0.26, 0.32, 784, 0.4]],
  loss: [["tone", 0, 0.2, 330, 0.35], ["tone", 0.18, 0.36, 247, 0.35]],
  draw: [["tone", 0, 0.2, 440, 0.3], ["tone", 0.2, 0.26, 440, 0.3]],
  error: [["tone", 0, 0.14, 180, 0.3]],
  right: [["tone", 0, 0.1, 659, 0.3], ["tone", 0.1, 0.18, 880, 0.3]],
};

export class Sounds {
  #settings;
  #context = null;
  #noise = null;

  constructor(settings) {
    this.#settings = settings;
  }

  play(name) {
    const volume = this.#settings.get("sounds") ? this.#settings.get("volume") / 100 : 0;
    if (volume <= 0 || !(name in SOUNDS)) return;
    this.#context ??= new AudioContext();
    const context = this.#context;
    // A browser lets nothing sound before its user has done something.
    if (context.state === "suspended") context.resume().catch(() => {});
    for (const [kind, start, length, frequency, loudness] of SOUNDS[name]) {
      const from = context.currentTime + start;
      const gain = context.createGain();
      gain.gain.setValueAtTime(0, from);
      gain.gain.linearRampToValueAtTime(volume * volume * loudness, from + 0.004);
      gain.gain.exponentialRampToValueAtTime(0.0001, from + length);
      gain.connect(context.destination);
      const source = kind === "wood" ? this.#wood(frequency, gain) : this.#tone(frequency, gain);
      source.start(from);
      source.stop(from + length);
    }
  }

  #tone(frequency, gain) {
    const source = this.#context.createOscillator();
    source.type = "triangle";
    source.frequency.value = frequency;
    source.connect(gain);
    return source;
  }

  #wood(frequency, gain) {
    if (this.#noise === null) {
      this.#noise = this.#context.createBuffer(1, this.#context.sampleRate / 5, this.#context.sampleRate);
      const samples = this.#noise.getChannelData(0);
      for (let index = 0; index < samples.length; index += 1) samples[index] = 2 * Math.random() - 1;
    }
    const source = this.#context.createBufferSource();
    source.buffer = this.#noise;
    const filter = this.#context.createBiquadFilter();
    filter.type = "bandpass";
    filter.frequency.value = frequency;
    filter.Q.value = 3;
    source.connect(filter).connect(gain);
    return source;
  }
}

// What a move sounds like.
export function soundOf(san) {
  if (san.includes("+")) return "check";
  if (san.includes("=")) return "promotion";
  if (san.startsWith("O-O")) return "castle";
  return san.includes("x") ? "capture" : "move";
}
