// Games to show, from PGN files.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Chess } from 'chess.js';

const FOLDER = new URL('games/', import.meta.url).pathname;
const cache = new Map();

function texts(file) {
  if (!cache.has(file)) {
    const all = readFileSync(join(FOLDER, file), 'utf8').replace(/\r/g, '');
    cache.set(file, all.split(/\n\n(?=\[Event )/).filter((game) => game.includes('[Event ')));
  }
  return cache.get(file);
}

/** How many games a file holds. */
export const count = (file) => texts(file).length;

/** The moves of a game as chess.js tells them: from, to, promotion, captured, san, before and after (FEN). */
export function load(file, number) {
  const chess = new Chess();
  chess.loadPgn(texts(file)[number]);
  return chess.history({ verbose: true });
}

/** A move in UCI notation. */
export const uci = (move) => `${move.from}${move.to}${move.promotion ?? ''}`;
