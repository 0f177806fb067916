// A game: draws what the server says, and asks. The server decides.

import { Board } from "/board.js";
import { Clocks } from "/clocks.js";
import { BoardKeys } from "/keys.js";
import { chances, drawBar, drawGraph, Looks, mistakes, told } from "./help.js";
import { watch } from "./illegal.js";
import { Line } from "./line.js";
import { Marks } from "./marks.js";
import { makeGame, post } from "./post.js";
import { Settings } from "./settings.js";
import { Sheet } from "./sheet.js";
import { soundOf, Sounds } from "./sounds.js";

const CLAIM_MS = 60_000;
const REPLACE_MS = 10_000;
// What a move may lose that is as good as the best; between lost and won lie 2.
const AS_GOOD = 0.05;
const MOST_MISTAKES = 3;
// Who gave no name is called so, and needs no further word.
const NAMELESS = "Guest";

const at = (id) => document.getElementById(id);
const other = (color) => (color === "white" ? "black" : "white");
const title = (color) => (color === "white" ? "White" : "Black");

const id = location.pathname.split("/")[2];
const board = new Board(at("board"));
const marks = new Marks(at("marks"));
const keys = new BoardKeys(at("board"), at("board-says"), board.ground);
const clocks = new Clocks(at("upper-clock"), at("lower-clock"));
const line = new Line(`/game/${id}/ws`);
const sheet = new Sheet(at("moves"));
const settings = new Settings();
const sounds = new Sounds(settings);
const looks = new Looks(`/game/${id}`);

// What is shown: the game as the server last said.
let game = null;
let connected = false;
let bottom = "white";
let turned = "white";
let resignArmed = false;
let hereAt = 0;
let said = "";
// How many plies are looked at; null follows the game.
let viewed = null;
// The help that was given in a position: its turn, how much was told, and what is known.
let hint = null;
// Mistakes that are looked for or shown, and the one that is solved again.
let review = null;
let task = null;

line.hello = () => ({
  seen: game?.seq ?? 0,
  name: localStorage.getItem("torres-name") ?? "",
  program: localStorage.getItem("torres-program") === "yes",
});
line.onStatus = (is) => {
  connected = is;
  draw();
};
line.onMessage = (message) => {
  switch (message.type) {
    case "game":
      game = { ...message };
      bottom = firstBottom();
      hereAt = performance.now();
      viewed = task = null;
      showBoard(true);
      break;
    case "change":
      return change(message);
    case "you":
      if (game === null) return;
      if (game.you !== message.seat && message.seat !== null && !both()) bottom = message.seat;
      game.you = message.seat;
      showBoard(true);
      break;
    case "here":
      if (game === null) return;
      game.here = message;
      hereAt = performance.now();
      break;
    case "refused":
      if (message.reason !== "stale") {
        said = message.message;
        sounds.play("error");
      }
      showBoard(false);
      break;
    case "error":
      if (game === null) {
        line.end();
        at("notice").textContent = message.message;
        return;
      }
      said = message.message;
      break;
  }
  draw();
};
line.open();

function change({ seq, change, now }) {
  if (game === null || seq <= game.seq) return;
  if (seq !== game.seq + 1) {
    // Something is missing: the next hello is as of somebody who has seen nothing.
    game = null;
    return;
  }
  game.seq = seq;
  said = "";
  if (change.what === "moved") game.moves.push({ uci: change.uci, san: change.san ?? change.uci, fen: change.fen });
  if (change.what === "took_back") {
    game.moves.splice(game.moves.length - change.plies);
    viewed = review = task = null;
  }
  if (change.what === "declined") said = `The ${change.offer} was declined.`;
  if (change.what === "rematch") return location.assign(`/game/${change.game}`);
  if (now === undefined) return;
  const before = game.now.position.turn;
  const over = game.now.end !== null;
  game.now = now;
  if (change.what === "moved" || change.what === "took_back") resignArmed = false;
  if (now.end !== null && !over) sounds.play(soundOfEnd(now.end));
  else if (change.what === "moved") sounds.play(soundOf(game.moves.at(-1).san));
  else if (change.what === "joined") sounds.play("start");
  const same = before === now.position.turn && !["ended", "joined", "paused", "resumed"].includes(change.what);
  if (!same) showBoard(false);
  draw();
}

function soundOfEnd(end) {
  if (end.winner === null) return "draw";
  return game.you === null || both() || end.winner === game.you ? "win" : "loss";
}

// Whether one person here has both sides.
const both = () => game.owner && seat("white")?.computer === undefined && seat("black")?.computer === undefined;
// Whether a computer of the server's plays.
const computers = () => ["white", "black"].filter((color) => seat(color)?.computer !== undefined);
const seat = (color) => game.now.seats[color];
// The side that moves here now.
const you = () => (both() ? game.now.position.to_move : game.you);
const name = (color) => seat(color)?.name ?? "Nobody yet";
const present = (color) => game.here[color] ?? { here: false, away_ms: 0, ping_ms: null };
const mayLook = () => game.natural !== null || game.now.end !== null;

function firstBottom() {
  if (both()) return "white";
  return game.you ?? "white";
}

const fenAt = (ply) => (ply === 0 ? game.start_fen : game.moves[ply - 1].fen);
const toMoveAt = (ply) => (fenAt(ply).split(" ")[1] === "w" ? "white" : "black");
const ply = () => viewed ?? game.moves.length;

function dests(legal) {
  const all = {};
  for (const uci of Object.keys(legal)) (all[uci.slice(0, 2)] ??= []).push(uci.slice(2, 4));
  return all;
}

function showBoard(anew) {
  if (game === null) return;
  const { position, end, times, paused } = game.now;
  const at_ply = ply();
  const live = viewed === null;
  const fen = live ? position.fen : fenAt(at_ply);
  const turn = live ? position.to_move : toMoveAt(at_ply);
  const legal = task !== null ? task.legal : live ? position.legal : {};
  const mover = task !== null ? turn : you();
  const still = task === null && (!live || end !== null || mover === null || paused);
  board.show(
    {
      player: mover ?? bottom,
      fen,
      turn,
      check: live ? position.check : /[+#]$/.test(game.moves[at_ply - 1]?.san ?? ""),
      moves: game.moves.slice(0, at_ply),
      dests: dests(legal),
      result: still ? true : null,
    },
    anew,
  );
  if (anew) turned = mover ?? bottom;
  if (turned !== bottom) {
    turned = bottom;
    board.flip();
  }
  if (times !== null) {
    const { white_ms, black_ms, running } = times;
    clocks.show({ player: bottom, clock: { white_ms, black_ms, running } });
  }
}

keys.onChange = draw;
keys.onIllegal = illegal;
watch(at("board"), board.ground, illegal);
board.onMove = (uci) => (task === null ? play(uci) : answer(uci));

function play(uci) {
  if (!connected) {
    said = "No connection: the move was not sent.";
    showBoard(false);
    return draw();
  }
  line.ask({ type: "move", turn: game.now.position.turn, uci });
}

function illegal(from, to) {
  const role = board.ground.state.pieces.get(from)?.role ?? "piece";
  const check = board.ground.state.check ? " The king is in check." : "";
  said = `The ${role} on ${from} cannot go to ${to}.${check}`;
  sounds.play("error");
  draw();
}

// A move as people type it: SAN with or without its signs, UCI, or two squares.
function typed(text, legal) {
  const plain = (move) => move.replace(/[+#x=\-\s]/g, "").replaceAll("0", "O");
  const wanted = plain(text.trim());
  const all = Object.entries(legal);
  const exact = all.filter(([uci, san]) => uci === wanted.toLowerCase() || plain(san) === wanted);
  if (exact.length > 0) return exact[0][0];
  const loose = all.filter(([uci, san]) => plain(san).toLowerCase() === wanted.toLowerCase() || uci === `${wanted.toLowerCase()}q`);
  return loose.length === 1 ? loose[0][0] : null;
}

at("typed").onsubmit = (event) => {
  event.preventDefault();
  if (game === null) return;
  const field = at("move");
  if (task === null) look(null);
  const uci = typed(field.value, task?.legal ?? game.now.position.legal);
  if (uci === null) {
    said = `${field.value} is no legal move here.`;
    sounds.play("error");
  } else {
    said = "";
    board.onMove(uci);
    field.value = "";
  }
  draw();
};

// Going back to look.

function look(at_ply) {
  if (game === null) return;
  const last = game.moves.length;
  const next = at_ply === null || at_ply >= last ? null : Math.max(0, at_ply);
  if (next === viewed && task === null) return;
  task = null;
  viewed = next;
  showBoard(false);
  draw();
}

sheet.onPly = look;
at("first").onclick = () => look(0);
at("back").onclick = () => look(ply() - 1);
at("forward").onclick = () => look(ply() + 1);
at("last").onclick = () => look(null);

const press = (id) => at(id).hidden || at(id).click();
const KEYS = {
  ArrowLeft: () => look(ply() - 1),
  ArrowRight: () => look(ply() + 1),
  ArrowUp: () => look(0),
  ArrowDown: () => look(null),
  f: () => press("flip"),
  h: () => press("hint"),
  z: () => press("undo"),
};
document.addEventListener("keydown", (event) => {
  const writes = event.target.closest?.("input, textarea, select, details");
  // With the board in focus, arrow keys lead over it.
  if (writes || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || game === null || game.now.paused) return;
  const does = KEYS[event.key];
  if (does === undefined) return;
  event.preventDefault();
  does();
});

const ask = (command) => () => line.ask(command);
const offer = (what) => ask({ type: "offer", offer: what });
at("join").onclick = ask({ type: "join" });
at("withdraw").onclick = ask({ type: "withdraw" });
at("draw").onclick = offer("draw");
at("takeback").onclick = offer("takeback");
at("rematch").onclick = offer("rematch");
at("undo").onclick = ask({ type: "undo" });
at("pause").onclick = ask({ type: "pause" });
at("resume").onclick = ask({ type: "resume" });
at("flip").onclick = () => {
  bottom = turned = other(bottom);
  board.flip();
  showBoard(false);
  draw();
};
at("resign").onclick = () => {
  if (resignArmed) line.ask({ type: "resign" });
  resignArmed = !resignArmed;
  draw();
};
at("copy").onclick = async () => {
  at("address").select();
  await navigator.clipboard?.writeText(at("address").value).catch(() => {});
  at("copy").textContent = "Copied";
};

// The same game from where its players began: what was pasted stays played.
at("again").onclick = async () => {
  const sits = (color) => seat(color)?.computer ?? "person";
  const wanted = {
    name: localStorage.getItem("torres-name") ?? "",
    white: sits("white"),
    black: sits("black"),
    natural: game.natural ?? true,
    start: beginning(),
    ...(game.clock !== null && { clock: game.clock }),
  };
  said = await makeGame("/play/games", wanted);
  draw();
};

function beginning() {
  if (game.before === 0) return game.start_fen;
  const played = game.moves.slice(0, game.before).map(({ san }) => san);
  return `[FEN "${game.start_fen}"]\n\n${played.join(" ")} *`;
}

// Hints: where, what, why.

at("hint").onclick = async () => {
  const { turn, fen } = game.now.position;
  look(null);
  if (hint?.turn !== turn) {
    hint = { turn, step: 0, seen: null };
    draw();
    try {
      const seen = await looks.ask(game.moves.length, fen);
      if (hint?.turn === turn) hint = { turn, step: 1, seen };
    } catch (problem) {
      if (hint?.turn === turn) hint = null;
      said = problem.message;
    }
  } else if (hint.step > 0 && hint.step < 3) hint.step += 1;
  draw();
};

const PIECES = { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight", O: "king" };
const pieceOf = (san) => PIECES[san[0]] ?? "pawn";

function drawHint() {
  const { position } = game.now;
  if (hint !== null && hint.turn !== position.turn) hint = null;
  const best = hint?.seen?.best ?? null;
  const from = best?.uci.slice(0, 2);
  const words = [
    "Torres thinks …",
    best && `Look at the ${pieceOf(best.san)} on ${from}.`,
    best && `${best.san} is a good move.`,
    best && `${best.san}. ${best.why}`,
  ];
  set("hint-says", hint === null ? "" : words[hint.step] || "There is nothing to be found here.");
  set("hint", ["Hint", "The move", "Why?", "Hint"][hint?.step ?? 0]);
  at("hint").disabled = hint !== null && (hint.step === 0 || hint.step === 3) || position.to_move !== you();
  const shown = [];
  const seen = best && viewed === null && !game.now.paused;
  if (seen && hint.step > 0) shown.push([from, "hinted"]);
  if (seen && hint.step > 1) shown.push([best.uci.slice(2, 4), "hinted"]);
  if (task?.from) shown.push([task.from, "wrong"]);
  if (keys.cursor) shown.push([keys.cursor, "cursor"]);
  marks.show(shown, bottom);
}

// Evaluation, and what is learned from it afterwards.

at("evaluation").onchange = () => settings.set("evaluation", at("evaluation").checked);
at("sounds").onchange = () => settings.set("sounds", at("sounds").checked);
at("volume").onchange = () => {
  settings.set("volume", Number(at("volume").value));
  sounds.play("move");
};
settings.onChange = draw;
looks.onSeen = draw;

function drawSettings() {
  at("evaluation").checked = settings.get("evaluation");
  at("sounds").checked = settings.get("sounds");
  if (document.activeElement !== at("volume")) at("volume").value = settings.get("volume");
  at("volume").disabled = !settings.get("sounds");
}

function positions() {
  const all = game.moves.map((_, index) => [index + 1, fenAt(index + 1)]);
  return [[0, fenAt(0)], ...all];
}

function worthAt(at_ply) {
  return looks.of(at_ply, fenAt(at_ply))?.worth ?? null;
}

// The side that made the last move before a position: whoever has mated, if it is mate.
const moverBefore = (at_ply) => other(toMoveAt(at_ply));

function drawEvaluation() {
  const wanted = mayLook() && !game.now.paused && (settings.get("evaluation") || review !== null);
  const shown = wanted && settings.get("evaluation");
  at("bar").hidden = at("bar-number").hidden = !shown;
  at("graph").toggleAttribute("hidden", !wanted || game.moves.length < 2);
  at("evaluation-row").hidden = !mayLook();
  if (!wanted) return looks.want([]);
  const all = positions();
  // The one that is looked at first, then backwards from the last.
  looks.want([all[ply()], ...all.reverse()]);
  const known = game.moves.map((_, index) => index + 1);
  const curve = [0, ...known].map((at_ply) => {
    const worth = worthAt(at_ply);
    return worth === null ? null : chances(worth, moverBefore(at_ply));
  });
  drawBar(at("bar"), at("bar-number"), worthAt(ply()), moverBefore(ply()), bottom);
  drawGraph(at("graph"), curve, ply());
  if (review !== null) drawReview(curve);
}

at("graph").onclick = (event) => {
  const box = at("graph").getBoundingClientRect();
  look(Math.round(((event.clientX - box.left) / box.width) * game.moves.length));
};

at("review").onclick = () => {
  review = { solved: new Set() };
  draw();
};

function drawReview(curve) {
  const left = curve.filter((white) => white === null).length;
  if (left > 0) {
    at("mistakes").replaceChildren();
    return set("review-says", `Torres looks at the game: ${curve.length - left} of ${curve.length} positions.`);
  }
  const colors = game.moves.map((_, index) => toMoveAt(index));
  const whose = both() ? null : game.you;
  const worst = mistakes(curve, colors, whose, MOST_MISTAKES);
  set("review-says", worst.length === 0 ? "No mistake worth telling: well played." : "Solve again what was missed:");
  const key = JSON.stringify([worst.map(({ index }) => index), [...review.solved], task?.index]);
  if (key === review.drawn) return;
  review.drawn = key;
  keepMistakes(worst, whose);
  at("mistakes").replaceChildren(
    ...worst.map(({ index }) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = review.solved.has(index) ? "solved" : "";
      button.textContent = `${numbered(index)}: ${told(worthAt(index))} became ${told(worthAt(index + 1))}`;
      if (task?.index === index) button.setAttribute("aria-current", "true");
      button.onclick = () => solve(index);
      const item = document.createElement("li");
      item.append(button);
      return item;
    }),
  );
}

// One's own mistakes become puzzles, once.
async function keepMistakes(worst, whose) {
  if (review.kept || worst.length === 0 || (whose === null && !both())) return;
  review.kept = true;
  const plies = worst.map(({ index }) => index).filter((index) => index > 0);
  const { ok, said: told } = await post(`/game/${id}/mistakes`, { plies });
  at("kept").hidden = !(ok && told.kept > 0);
}

// A move with its number: `14. Qxb2`, `14... Qxb2`.
function numbered(index) {
  const [, turn, , , , number] = fenAt(index).split(" ");
  return `${number}${turn === "w" ? "." : "..."} ${game.moves[index].san}`;
}

function solve(index) {
  const seen = looks.of(index, fenAt(index));
  viewed = index;
  bottom = toMoveAt(index);
  task = { index, legal: seen.legal, best: seen.best, worth: seen.worth, says: `${title(bottom)} to move: find something better than ${game.moves[index].san}.`, from: null };
  showBoard(false);
  draw();
}

async function answer(uci) {
  const asked = task;
  const { index, best, worth } = asked;
  const mover = toMoveAt(index);
  const san = asked.legal[uci];
  asked.says = "Torres looks at it …";
  draw();
  let good = uci === best?.uci;
  try {
    const after = good ? null : await looks.tried(index, uci);
    const sign = mover === "white" ? 1 : -1;
    good ||= sign * (chances(worth, other(mover)) - chances(after.worth, mover)) <= AS_GOOD;
  } catch (problem) {
    asked.says = problem.message;
  }
  if (task !== asked) return;
  if (good) {
    review.solved.add(index);
    sounds.play("right");
    asked.says = uci === best?.uci ? `Right: ${san}. ${best.why}` : `${san} is good too. Torres would play ${best.san}.`;
    asked.legal = {};
    asked.from = null;
  } else {
    sounds.play("error");
    asked.says = `${san} is not better. Try again.`;
    asked.from = best?.uci.slice(0, 2);
    showBoard(false);
  }
  draw();
}

// Questions that the other's doings put to this player.
function questions() {
  const { offers, asked, end } = game.now;
  const own = game.you;
  const list = [];
  const opponent = own === null || both() ? null : other(own);
  const words = { draw: "offers a draw", takeback: "asks to take back a move", rematch: "offers a rematch" };
  for (const what of ["draw", "takeback", "rematch"]) {
    if (offers[what] === null) continue;
    if (offers[what] === opponent) {
      list.push([`${name(opponent)} ${words[what]}.`, [
        ["Accept", { type: "accept", offer: what }],
        ["Decline", { type: "decline", offer: what }],
      ]]);
    } else if (offers[what] === own) {
      list.push([`You ${words[what].replace("offers", "offer").replace("asks", "ask")}.`, [
        ["Withdraw", { type: "decline", offer: what }],
      ]]);
    } else list.push([`${name(offers[what])} ${words[what]}.`, []]);
  }
  if (asked !== null && !present(asked.seat).here) {
    list.push([`${asked.name}${asked.guest && asked.name !== NAMELESS ? ", a guest," : ""} asks for the seat of ${name(asked.seat)}.`, asked.seat === opponent ? [
      ["Let them play", { type: "give_seat" }],
      ["No", { type: "keep_seat" }],
    ] : []]);
  }
  if (end !== null || seat("white") === null || seat("black") === null) return list;
  if (opponent !== null && awayMs(opponent) >= CLAIM_MS) {
    list.push([`${name(opponent)} has left the game.`, [
      ["Claim the win", { type: "claim", claim: "win" }],
      ["Call it a draw", { type: "claim", claim: "draw" }],
    ]]);
  }
  if (own === null && asked === null && game.natural === null) {
    for (const color of ["white", "black"]) {
      if (awayMs(color) >= REPLACE_MS) {
        list.push([`${name(color)} is away.`, [[`Ask to play ${title(color)}`, { type: "ask_seat", seat: color }]]]);
      }
    }
  }
  return list;
}

function awayMs(color) {
  const { here, away_ms } = present(color);
  return here ? 0 : (away_ms ?? 0) + performance.now() - hereAt;
}

function set(id, text) {
  if (at(id).textContent !== text) at(id).textContent = text;
}

function drawPlayer(place, color) {
  const sits = seat(color);
  const { here, ping_ms } = present(color);
  const self = game.you === color || (both() && sits !== null);
  const there = self ? connected : here;
  const ping = self ? line.pingMs : ping_ms;
  const isComputer = sits?.computer !== undefined;
  set(`${place}-name`, name(color));
  at(`${place}-program`).hidden = !sits?.program;
  at(`${place}-guest`).hidden = !sits?.guest || sits.name === NAMELESS;
  const dot = at(`${place}-dot`);
  dot.className = sits === null ? "dot" : there ? "dot here" : "dot away";
  dot.hidden = isComputer;
  drawFace(at(`${place}-face`), sits?.computer);
  const thinks = isComputer && game.now.end === null && !game.now.paused && game.now.position.to_move === color;
  const state = isComputer ? (thinks ? "thinks" : "") : there ? (ping === null ? "here" : `${ping} ms`) : self ? "no connection" : "away";
  set(`${place}-state`, sits === null ? "" : state);
  at(`${place}-color`).className = `color ${color}`;
  at(`${place}-clock`).hidden = game.now.times === null;
}

// A computer's picture; engines of the site's owner share one.
function drawFace(face, computer) {
  face.toggleAttribute("hidden", computer === undefined);
  if (computer === undefined) return;
  const picture = `/people/pictures.svg#${computer.startsWith("engine-") ? "engine" : computer}`;
  if (face.firstChild.getAttribute("href") !== picture) face.firstChild.setAttribute("href", picture);
}

function notice() {
  const { end, position, seats, paused } = game.now;
  if (!connected) return "The connection is lost. It is tried again by itself.";
  if (task !== null) return task.says;
  if (end !== null) {
    const who = end.winner === null ? (end.score === "*" ? "No result" : "Draw") : `${title(end.winner)} wins`;
    const own = end.winner === null || game.you === null || both() ? "" : end.winner === game.you ? "You won. " : "You lost. ";
    return `${own}${who}: ${end.reason}. ${end.score === "*" ? "" : end.score}`.trim();
  }
  if (seats.white === null || seats.black === null) {
    return game.you === null ? "A seat is free: join, or watch." : "Waiting for somebody to join.";
  }
  if (paused) return "The game is paused.";
  const check = position.check ? " Check." : "";
  if (game.you === null) return `You watch. ${title(position.to_move)} to move.${check}`;
  if (both()) return `${title(position.to_move)} to move.${check}`;
  return (position.to_move === game.you ? "Your move." : `${name(other(game.you))} is to move.`) + check;
}

let drawnQuestions = "";
function drawQuestions() {
  const list = questions();
  const key = JSON.stringify(list);
  if (key === drawnQuestions) return;
  drawnQuestions = key;
  at("questions").replaceChildren(
    ...list.map(([text, answers]) => {
      const row = document.createElement("p");
      const words = document.createElement("span");
      words.textContent = text;
      row.append(words);
      for (const [label, command] of answers) {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = label;
        button.onclick = () => line.ask(command);
        row.append(button);
      }
      return row;
    }),
  );
}

function draw() {
  if (game === null) return;
  const { end, position, paused, offers } = game.now;
  const full = seat("white") !== null && seat("black") !== null;
  const on = full && end === null && !paused;
  const plays = game.you !== null;
  const owned = game.natural !== null;
  const own = plays && on;
  drawPlayer("lower", bottom);
  drawPlayer("upper", other(bottom));
  set("notice", notice());
  set("said", said);
  set("spoken", game.moves.length === 0 ? "" : `${title(moverBefore(game.moves.length))}: ${game.moves.at(-1).san}`);
  sheet.show(game.moves, game.start_fen, ply());
  drawQuestions();
  drawHint();
  drawSettings();
  at("join").hidden = plays || full || end !== null;
  at("withdraw").hidden = !plays || full || end !== null;
  at("invite").hidden = !plays || full || end !== null;
  at("draw").hidden = !own || both();
  at("resign").hidden = !own;
  at("takeback").hidden = !own || owned;
  const watched = computers().length === 2;
  const lifts = end === null || ["checkmate", "stalemate", "insufficient material", "threefold repetition", "fifty moves"].includes(end.reason);
  at("undo").hidden = !game.owner || watched || paused || !lifts;
  at("pause").hidden = !game.owner || !on;
  at("hint").hidden = !owned || !own;
  at("hint-says").hidden = !owned || !own || hint === null;
  at("again").hidden = !game.owner;
  at("new").hidden = !owned || end === null;
  at("cover").hidden = !paused;
  at("resume").hidden = !game.owner;
  at("board").classList.toggle("covered", paused);
  at("moves").hidden = at("steps").hidden = paused;
  at("typed").hidden = !(own || task !== null);
  at("draw").disabled = offers.draw !== null;
  at("takeback").disabled = offers.takeback !== null || game.moves.length === 0;
  at("undo").disabled = !game.moves.some((_, index) => index >= game.before && (both() || toMoveAt(index) === game.you));
  at("first").disabled = at("back").disabled = ply() === 0;
  at("last").disabled = at("forward").disabled = viewed === null;
  at("rematch").hidden = !plays || both() || end === null || end.reason === "withdrawn" || offers.rematch !== null;
  at("review").hidden = end === null || review !== null || game.moves.length === 0;
  at("review-says").hidden = at("mistakes").hidden = review === null;
  at("pgn").hidden = game.moves.length === 0;
  set("resign", resignArmed ? "Resign: sure?" : "Resign");
  at("resign").classList.toggle("armed", resignArmed);
  drawEvaluation();
  const from = ply() > 0 ? `/play?start=${encodeURIComponent(fenAt(ply()))}` : "/play";
  if (at("from-here").getAttribute("href") !== from) at("from-here").href = from;
  const { watchers } = game.here;
  const others = watchers - (game.owner && !plays ? 1 : 0);
  set("watchers", others <= 0 ? "" : others === 1 ? "1 watches" : `${others} watch`);
  document.title = on && plays && position.to_move === you() ? "Your move · Torres" : `${name("white")} – ${name("black")} · Torres`;
  document.body.dataset.seq = game.seq;
  document.body.dataset.connected = connected;
}

// The address by which this machine alone comes here is of no use to a friend at another.
const near = ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);
const { elsewhere } = at("invite").dataset;
at("address").value = near && elsewhere ? new URL(location.pathname, elsewhere).href : location.href;
at("near").hidden = !near || elsewhere !== undefined;
at("pgn").href = `/game/${id}/pgn`;
setInterval(draw, 1000);
