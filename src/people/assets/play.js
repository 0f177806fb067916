// Making a game against a computer.

import { clockOf, makeGame, post } from "./post.js";

const at = (id) => document.getElementById(id);
const form = at("setup");
// Whoever has an account is called by it.
const name = at("name");
const KEPT = "torres-play";

function chosen(name) {
  return new FormData(form).get(name);
}

// Where the game begins: a FEN or a PGN in writing, and a board beside it. The server says what it makes of them.
let editor = null;
let asked = 0;

const MEN = /^([1-8pnbrqk]{1,8}\/){7}[1-8pnbrqk]{1,8}(\s|$)/i;

// `written`: the text was changed and the board is to follow, else the board was changed.
async function look(written) {
  const start = at("start").value.trim();
  const number = ++asked;
  if (start === "") {
    if (written) editor?.show(usual);
    return told("", false);
  }
  const { ok, said } = await post("/play/position", { start });
  if (number !== asked) return;
  if (written && (ok || MEN.test(start))) editor?.show(said.fen ?? start);
  if (!ok) return told(said.message, true);
  const mover = said.fen.split(" ")[1] === "w" ? "White" : "Black";
  const after = said.plies === 0 ? "" : said.plies === 1 ? " after one half move" : ` after ${said.plies} half moves`;
  told(`${mover} is to move${after}.`, false);
}

function told(sentence, wrong) {
  at("position-says").textContent = sentence;
  at("position-says").classList.toggle("problem", wrong);
}

let usual = "";
let loading = false;
at("more").ontoggle = async () => {
  if (!at("more").open || loading) return;
  loading = true;
  const { Editor, USUAL } = await import("./editor.js");
  usual = USUAL;
  editor = new Editor();
  editor.onChange = (fen) => {
    at("start").value = fen === USUAL ? "" : fen;
    look(false);
  };
  editor.show(USUAL);
  look(true);
};
at("start").oninput = () => look(true);

// What was chosen the last time is chosen again.
function restore() {
  if (name !== null) name.value ||= localStorage.getItem("torres-name") ?? "";
  const kept = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
  for (const [name, value] of Object.entries(kept)) {
    const radio = [...form.querySelectorAll(`input[name="${CSS.escape(name)}"]`)].find((one) => one.value === value);
    if (radio) radio.checked = true;
  }
  if (kept.second) at("second").value = kept.second;
  if (kept.natural !== undefined) at("natural").checked = kept.natural === "on";
  const start = new URLSearchParams(location.search).get("start");
  if (start !== null) {
    at("start").value = start;
    at("more").open = true;
  }
  draw();
}

function remember() {
  const { who, opponent, color, clock, second, natural = "off" } = Object.fromEntries(new FormData(form));
  localStorage.setItem(KEPT, JSON.stringify({ who, opponent, color, clock, second, natural }));
  if (name !== null) localStorage.setItem("torres-name", name.value.trim());
}

// Only what applies is shown.
function draw() {
  const who = chosen("who");
  at("opponent-levels").hidden = at("opponent-characters").hidden = who === "none";
  at("own-color").hidden = who !== "one";
  at("second-computer").hidden = who !== "both";
}

form.onchange = draw;
form.onsubmit = async (event) => {
  event.preventDefault();
  remember();
  at("problem").textContent = "";
  const who = chosen("who");
  const own = chosen("color") === "any" ? (Math.random() < 0.5 ? "white" : "black") : chosen("color");
  const seats = {
    one: () => (own === "white" ? ["person", chosen("opponent")] : [chosen("opponent"), "person"]),
    both: () => [chosen("opponent"), chosen("second")],
    none: () => ["person", "person"],
  };
  const [white, black] = seats[who]();
  const start = at("start").value.trim();
  const wanted = {
    name: name?.value ?? "",
    white,
    black,
    natural: at("natural").checked,
    ...(start !== "" && { start }),
    ...clockOf(chosen("clock")),
  };
  at("problem").textContent = await makeGame("/play/games", wanted);
};

restore();
