// Which piece sets, boards and widgets there are, and which of them are put aside.
//
// What is put aside is never looked at while the program is being tuned, and is reported as "unseen". The rule was fixed
// beforehand: sorted by the SHA-256 of their names, the first six piece sets, the first six boards and the first widget of those
// that were there at first; and all that was added later for this purpose: cm-chessboard, six piece sets, six boards.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const HERE = import.meta.dirname ?? new URL('.', import.meta.url).pathname;

/** The looks that come with the repository. */
const OWN = join(HERE, 'looks');

/** The looks to use; LOOKS names a folder with others. */
export const LOOKS = process.env.LOOKS ?? OWN;

export const WIDGETS = ['chessground', 'chessboardjs', 'react-chessboard', 'cm-chessboard'];
const FIRST_WIDGETS = WIDGETS.slice(0, 3);

const sha = (name) => createHash('sha256').update(name).digest('hex');
const byHash = (names) => [...names].sort((a, b) => (sha(a) < sha(b) ? -1 : 1));

/** What was added later: all of it is put aside. */
const ADDED = {
  pieces: ['gnome-fancy', 'knights-east-west', 'knights-gray', 'knights-plain', 'pychess-freestaunton', 'spatial'],
  boards: ['py-cherry', 'py-lanta', 'py-lapis', 'py-maple', 'py-sandlewood', 'py-wood'],
};

/** Splits names into those put aside and those to tune on. What is put aside does not depend on what else there is. */
function split(names, own, added) {
  const first = own.filter((name) => !added.includes(name));
  const unseen = [...byHash(first).slice(0, 6), ...added];
  return { unseen: unseen.filter((name) => names.includes(name)), tuned: names.filter((name) => !unseen.includes(name)) };
}

const folders = (root) => readdirSync(join(root, 'pieces')).sort();
const pictures = (root) => readdirSync(join(root, 'boards')).filter((file) => /\.(png|jpg)$/.test(file)).sort();
const names = (files) => files.map((file) => file.replace(/\.\w+$/, ''));

const boardFiles = pictures(LOOKS);
const boardNames = names(boardFiles);
const own = JSON.parse(readFileSync(join(OWN, 'colors.json'), 'utf8'));

export const PIECES = split(folders(LOOKS), folders(OWN), ADDED.pieces);
export const BOARDS = split(boardNames, names(pictures(OWN)), ADDED.boards);
export const COLORS = Object.keys(own.plain);
export const WIDGET_GROUPS = {
  unseen: [...byHash(FIRST_WIDGETS).slice(0, 1), 'cm-chessboard'],
  tuned: byHash(FIRST_WIDGETS).slice(1).sort(),
};

/** Sets of our own in which all pieces look alike, or all of one colour. They are drawn by the server. */
export const ALIKE = {
  'alike-by-color': { w: '#f4f4f4', b: '#222' },
  'alike-all': { w: '#c03028', b: '#c03028' },
};

/** Piece sets of the classes of `drawn.mjs`, drawn by the server too. */
const DRAWN_SETS = ['letters', 'flat'];

/** A piece set as pages need it. */
export function pieces(name) {
  if (ALIKE[name] || DRAWN_SETS.includes(name)) return { name, extension: 'svg' };
  const extension = ['svg', 'png'].find((e) => existsSync(join(LOOKS, 'pieces', name, `wK.${e}`)));
  if (!extension) throw new Error(`there is no piece set ${name} in ${LOOKS}/pieces`);
  return { name, extension };
}

/** A board as pages need it: a picture's name, "color:NAME", "drawn:CLASS-SEED", or two colours. */
export function board(name) {
  if (typeof name === 'object') return name;
  if (name.startsWith('color:')) {
    const colors = own.plain[name.slice('color:'.length)];
    if (!colors) throw new Error(`there are no colours ${name} in looks/colors.json`);
    return { light: colors[0], dark: colors[1] };
  }
  if (name.startsWith('drawn:')) return { image: `/drawn/${name.slice('drawn:'.length)}.svg`, coordLight: '#777777', coordDark: '#777777' };
  const file = boardFiles[boardNames.indexOf(name)];
  if (!file) throw new Error(`there is no board ${name} in ${LOOKS}/boards`);
  const [coordLight, coordDark] = own.coordinates[name] ?? ['#eeeeee', '#555555'];
  return { image: `/boards/${file}`, coordLight, coordDark };
}
