// The coordinates trainer: the server asks for squares and keeps the time, the page counts down beside it.

import { tell } from "./door.js";
import { LessonBoard } from "./lesson_board.js";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const byId = (id) => document.getElementById(id);
const board = new LessonBoard(byId("board"), byId("board-says"));
const start = byId("start");
const sides = [...document.querySelectorAll("[name=bottom]")];

let ends = null;
let ticking = null;

function show(running) {
  board.show({
    fen: START,
    turn: "white",
    bottom: sides.find((side) => side.checked).value,
    does: "click",
    dests: {},
    check: false,
    last: null,
    clicked: [],
    squares: [],
    arrows: [],
    finished: !running,
  });
}

async function send(message, square) {
  let told;
  try {
    told = await tell(message);
  } catch (error) {
    byId("says").textContent = error.message;
    return stop();
  }
  const missed = told.wrong > Number(byId("wrong").textContent);
  byId("right").textContent = told.right;
  byId("wrong").textContent = told.wrong;
  byId("asked").textContent = told.asked ?? "";
  if (told.asked === null) return over(told);
  ends = performance.now() + told.left_ms;
  show(true);
  if (square) board.flash(square, missed ? "missed" : "found");
}

function over({ right, best }) {
  const side = sides.find((one) => one.checked).value;
  byId(`best-${side}`).textContent = best;
  byId("says").textContent = `Time. You found ${right} ${right === 1 ? "square" : "squares"}.`;
  stop();
}

function stop() {
  clearInterval(ticking);
  ticking = null;
  ends = null;
  byId("left").textContent = 0;
  start.disabled = false;
  start.textContent = "Again";
  for (const side of sides) side.disabled = false;
  show(false);
}

function tick() {
  if (ends === null) return;
  const left = ends - performance.now();
  byId("left").textContent = Math.max(0, Math.ceil(left / 1000));
  if (left > 0) return;
  ends = null;
  send({ type: "over" });
}

start.onclick = async () => {
  start.disabled = true;
  for (const side of sides) side.disabled = true;
  byId("says").textContent = "";
  byId("right").textContent = byId("wrong").textContent = 0;
  ticking = setInterval(tick, 100);
  await send({ type: "start", bottom: sides.find((side) => side.checked).value });
  byId("board").focus({ preventScroll: true });
};
board.onClick = (square) => ticking !== null && send({ type: "click", square }, square);
for (const side of sides) side.onchange = () => show(false);
show(false);
