#!/usr/bin/env node
// Serves pages at which a program plays for itself. See README.md.

import { appendFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { board, pieces } from './looks.mjs';
import { liveScene } from './scenes.mjs';
import { serve } from './server.mjs';

const USAGE = `usage: node live.mjs --seed S --log FILE
  Prints its address and serves /table/N, N from 1; what is played is appended to FILE, a line of JSON each. Ends with its standard input.`;

const { values } = parseArgs({ options: { seed: { type: 'string' }, log: { type: 'string' } } });
if (!values.seed || !values.log) {
  console.error(USAGE);
  process.exit(2);
}

function page(scene) {
  const setup = { ...scene, board: board(scene.board), pieces: pieces(scene.pieces) };
  return `<!doctype html><meta charset="utf-8"><title>Wandering Board</title><body><script>window.SETUP = ${JSON.stringify(setup)}</script><script src="/live/${scene.widget}"></script>`;
}

const server = await serve({
  table: ([number], send) => send('text/html', page(liveScene(Number(values.seed), Number(number)))),
  log(_, send, request) {
    let text = '';
    request.on('data', (part) => (text += part));
    request.on('end', () => {
      appendFileSync(values.log, `${text}\n`);
      send('text/plain', '');
    });
  },
});
console.log(server.address);
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
