// A step of a lesson, or a puzzle: what the learner does is sent, the server's verdict is shown.

import { tell } from "./door.js";
import { LessonBoard } from "./lesson_board.js";

const byId = (id) => document.getElementById(id);
const place = byId("board");
const board = new LessonBoard(place, byId("board-says"));
const says = byId("says");
const text = byId("text");
const options = [...document.querySelectorAll("[data-option]")];

const GOOD = new Set(["right", "finished"]);
const BAD = new Set(["wrong", "again", "illegal"]);

board.show(JSON.parse(place.dataset.view));

async function send(message, square) {
  try {
    shown(await tell(message), message, square);
  } catch (error) {
    board.restore();
    say(error.message, "bad");
  }
}

function shown(told, message, square) {
  board.show(told.view);
  const kind = GOOD.has(told.outcome) ? "good" : BAD.has(told.outcome) ? "bad" : "calm";
  if (square && kind === "bad") board.flash(square, "missed");
  say(told.said ?? (told.outcome === "right" ? "Good. Go on." : ""), kind);
  if (message.type === "option" && kind !== "calm") options[message.option].className = kind;
  if (message.type === "typed") {
    if (told.outcome === "ignored") text.select();
    else text.value = "";
  }
  if (told.rating !== undefined) rate(told);
  if (told.view.finished) finish();
}

// The message fades in anew even when it stays the same: a second mistake is told too.
function say(sentence, kind) {
  says.textContent = sentence;
  says.className = kind;
  says.getAnimations().forEach((animation) => animation.cancel());
}

function rate({ rating, change, about }) {
  byId("rating").textContent = rating;
  if (change !== null) {
    byId("change").textContent = change < 0 ? `−${-change}` : `+${change}`;
    byId("change").className = change < 0 ? "bad" : "good";
  }
  if (about) {
    byId("about").textContent = about;
    byId("about").hidden = false;
  }
}

function finish() {
  // The way on stands where the ways of answering stood: on a phone, too, without scrolling.
  for (const control of document.querySelectorAll("#typed, .tools, #solution")) control.hidden = true;
  for (const option of options) option.disabled = true;
  const next = byId("next");
  next.hidden = false;
  next.focus({ preventScroll: true });
  document.querySelector('.steps [aria-current="step"]')?.classList.add("done");
}

board.onMove = (uci) => send({ type: "move", uci }, uci.slice(2, 4));
board.onClick = (square) => send({ type: "click", square }, square);
for (const option of options) {
  option.onclick = () => send({ type: "option", option: Number(option.dataset.option) });
}
byId("hint").onclick = () => send({ type: "hint" });
byId("restart")?.addEventListener("click", () => send({ type: "restart" }));
byId("solution")?.addEventListener("click", () => send({ type: "solution" }));
byId("typed")?.addEventListener("submit", (event) => {
  event.preventDefault();
  if (text.value.trim()) send({ type: "typed", text: text.value });
});
