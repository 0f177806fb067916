#!/usr/bin/env node
// Renders scenes as fixtures. See README.md.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { FixtureWriter } from './fixture.mjs';
import { movesOf, play } from './play.mjs';
import { randomScenes } from './scenes.mjs';
import { serve } from './server.mjs';
import { Browsers } from './stage.mjs';
import { named } from './named.mjs';

const USAGE = `usage: node render.mjs --out DIR [--random N] [--seed S] [--group tuned|unseen|all|classes] [--plies P] [--named LIST] [--only NAME] [--small]
  --random N   N random scenes (default 10); --seed chooses which
  --plies P    at most P plies a scene (default 30)
  --named all  the scenes written by hand instead; or --named a,b
  --only NAME  only that scene of the list
  --small      compress the pictures well: slower`;

function options() {
  const { values } = parseArgs({
    options: {
      random: { type: 'string', default: '10' },
      seed: { type: 'string', default: '1' },
      group: { type: 'string', default: 'all' },
      plies: { type: 'string', default: '30' },
      named: { type: 'string' },
      only: { type: 'string' },
      out: { type: 'string' },
      small: { type: 'boolean', default: false },
    },
  });
  if (!values.out || !['tuned', 'unseen', 'all', 'classes'].includes(values.group)) throw new Error(USAGE);
  return values;
}

function sceneList({ random, seed, group, plies, named: names, only }) {
  const all = names ? named(names) : randomScenes(Number(random), Number(seed), group, Number(plies));
  const wanted = all.filter((scene) => !only || scene.name === only);
  if (wanted.length === 0) throw new Error(only ? `there is no scene ${only} in this list` : 'there is nothing to render');
  return wanted;
}

async function renderScene(scene, browsers, address, { out, small }) {
  const began = Date.now();
  const writer = new FixtureWriter(join(out, scene.name));
  await play(scene, browsers, address, writer, { small });
  const { moves, earlier } = movesOf(scene);
  writer.finish({
    bottom: scene.orientation,
    start_fen: moves[0].before,
    source: `tests/scenes/render.mjs, scene ${scene.name}: ${scene.widget}, pieces ${scene.pieces}, board ${JSON.stringify(scene.board)}, scale ${scene.scale}; truth from the game that was shown`,
    dsf: scene.scale,
    group: scene.group,
    joined: earlier.length > 0,
    scene,
  });
  const took = Date.now() - began;
  console.log(`${scene.name}: ${writer.frames} frames, ${moves.length} plies, ${(took / writer.frames).toFixed(0)} ms a frame`);
}

async function main() {
  const chosen = options();
  const scenes = sceneList(chosen);
  mkdirSync(chosen.out, { recursive: true });
  const server = await serve();
  const browsers = new Browsers();
  const failed = [];
  // One browser serves all scenes of a scale.
  for (const scene of scenes.sort((a, b) => a.scale - b.scale)) {
    try {
      await renderScene(scene, browsers, server.address, chosen);
    } catch (error) {
      failed.push(scene.name);
      console.error(`${scene.name} failed: ${error.stack}`);
    }
  }
  await browsers.close();
  server.close();
  if (failed.length > 0) {
    console.error(`${failed.length} of ${scenes.length} scenes failed: ${failed.join(', ')}`);
    process.exitCode = 1;
  }
}

try {
  await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}
