// Writes a scene as a fixture: the format of docs/contracts.md, with a few fields more.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Collects the frames of a scene. Nothing is complete before `finish`. */
export class FixtureWriter {
  #lines = [];
  #last = null;
  #stored = 0;

  constructor(folder) {
    this.folder = folder;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(join(folder, 'frames'), { recursive: true });
  }

  /** Adds a frame. A picture equal to its predecessor is not stored twice. */
  add(png, time, truth) {
    if (!this.#last?.png.equals(png)) {
      const file = `frames/${String(this.#stored++).padStart(4, '0')}.png`;
      writeFileSync(join(this.folder, file), png);
      this.#last = { png, file };
    }
    this.#lines.push({ file: this.#last.file, t_ms: Math.round(time), truth });
  }

  get frames() {
    return this.#lines.length;
  }

  /** Writes the two text files; `header` may hold more than the format asks for. */
  finish(header) {
    const { bottom, start_fen, source, ...more } = header;
    const all = { format: 1, calibration: null, bottom, start_fen, source, ...more };
    writeFileSync(join(this.folder, 'fixture.json'), `${JSON.stringify(all, null, 1)}\n`);
    writeFileSync(join(this.folder, 'frames.jsonl'), this.#lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  }
}
