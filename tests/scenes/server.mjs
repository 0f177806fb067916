// Serves the pages, the widgets and the looks to the browser, on a port of its own.

import { createServer } from 'node:http';
import { existsSync, readFileSync } from 'node:fs';
import { extname, join, normalize } from 'node:path';
import { build } from 'esbuild';
import { SETS, drawnBoard } from './drawn.mjs';
import { ALIKE, LOOKS, pieces } from './looks.mjs';

const HERE = new URL('.', import.meta.url).pathname;
const TYPES = { '.svg': 'image/svg+xml', '.png': 'image/png', '.jpg': 'image/jpeg', '.css': 'text/css', '.js': 'text/javascript' };
const KEYS = [...'wb'].flatMap((color) => [...'KQRBNP'].map((role) => color + role));

/** What a page's script begins with: a scene's clock comes first, then the widget; a live page runs by the browser's own clock. */
const BEGINNINGS = {
  bundle: (widget) => `import './page/clock.js'; import { mount } from './widgets/${widget}.js'; import { begin } from './page/main.js'; begin(mount);`,
  live: (widget) => `import { mount } from './widgets/${widget}.js'; import { begin } from './page/live.js'; begin(mount);`,
};

/** One script of a page. */
async function bundle(kind, widget) {
  const result = await build({
    stdin: {
      contents: BEGINNINGS[kind](widget),
      resolveDir: HERE,
    },
    bundle: true,
    write: false,
    format: 'iife',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'warning',
  });
  return result.outputFiles[0].contents;
}

/** All pieces of a set in one SVG, as cm-chessboard wants them. */
function sprite(name) {
  const { extension } = pieces(name);
  const groups = KEYS.map(
    (key) => `<g id="${key.toLowerCase()}"><image href="/pieces/${name}/${key}.${extension}" width="40" height="40"/></g>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">${groups.join('')}</svg>`;
}

/** A piece that looks like all others of its set, or of its colour. */
function disc(set, piece) {
  const color = ALIKE[set][piece[0]];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><circle cx="20" cy="20" r="14" fill="${color}" stroke="#000" stroke-width="1.5"/></svg>`;
}

/** Starts the server; resolves to its address and a way to end it. `more` answers requests of other kinds: kind → (rest, send, request). */
export async function serve(more = {}) {
  const bundles = new Map();
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
    const send = (type, body) => response.writeHead(200, { 'content-type': type, 'cache-control': 'max-age=3600' }).end(body);
    const [, kind, ...rest] = path.split('/');
    if (kind === 'page') {
      return send('text/html', `<!doctype html><meta charset="utf-8"><title>A game</title><body><script src="/bundle/${rest[0]}"></script>`);
    }
    if (BEGINNINGS[kind]) {
      const key = `${kind} ${rest[0]}`;
      if (!bundles.has(key)) bundles.set(key, bundle(kind, rest[0]));
      return send(TYPES['.js'], await bundles.get(key));
    }
    if (more[kind]) return more[kind](rest, send, request);
    if (kind === 'sprite') return send(TYPES['.svg'], sprite(rest[0].replace(/\.svg$/, '')));
    if (kind === 'pieces' && ALIKE[rest[0]]) return send(TYPES['.svg'], disc(rest[0], rest[1]));
    if (kind === 'pieces' && SETS[rest[0]]) return send(TYPES['.svg'], SETS[rest[0]](rest[1].replace(/\.svg$/, '')));
    const drawn = kind === 'drawn' && /^(\w+)-(\d+)\.svg$/.exec(rest[0]);
    if (drawn) return send(TYPES['.svg'], drawnBoard(drawn[1], Number(drawn[2])));
    const roots = { pieces: join(LOOKS, 'pieces'), boards: join(LOOKS, 'boards'), vendor: join(HERE, 'node_modules') };
    const file = roots[kind] && join(roots[kind], ...rest);
    if (file && existsSync(file)) return send(TYPES[extname(file)] ?? 'application/octet-stream', readFileSync(file));
    response.writeHead(kind === 'favicon.ico' || kind === 'ready' ? 204 : 404).end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { address: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
